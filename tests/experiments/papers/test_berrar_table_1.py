"""Berrar's Algorithms 2 to 5 in blocks against the algorithms as they are printed, step by step."""

from __future__ import annotations

import numpy as np
import pytest

import metameasure as mm
from metameasure import experiments
from metameasure.experiments.papers import berrar2014_datasets as table


def test_a_tenth_of_the_allowed_values_is_permuted() -> None:
    among = np.ones((4, 60), dtype=bool)
    among[1:3, :20] = False
    rows = table._permuted(among, 7, np.random.default_rng(1))
    here = np.arange(60)[:, None]
    assert (np.sort(rows, axis=1) == here).all()
    moved = rows != here
    assert not moved[1:3, :20].any()
    assert (moved.sum(axis=1) <= [[6], [4], [4], [6]]).all()
    assert moved.sum() > 90  # one value of each permutation returns, on average


def test_permutations_are_uniform() -> None:
    """Of 3 chosen values of 30, each of the 6 orders comes equally often."""
    rows = table._permuted(np.ones((6000, 30), dtype=bool), 1, np.random.default_rng(2))[..., 0]
    moved = (rows != np.arange(30)).sum(axis=1)
    # 1 of 6 orders moves none, 3 move two, 2 move three values
    shares = np.bincount(moved, minlength=4) / 6000
    assert np.allclose(shares, [1 / 6, 0, 1 / 2, 1 / 3], atol=0.025)
    assert np.allclose((rows != np.arange(30)).mean(axis=0), 2 / 30, atol=0.015)


def test_a_tenth_of_the_allowed_labels_is_redrawn() -> None:
    labels = np.zeros((2000, 50), dtype=np.int64)
    among = np.arange(50) >= np.where(np.arange(2000) % 2, 10, 0)[:, None]
    noisy = table._redrawn(labels, among, np.random.default_rng(3))
    assert not noisy[~among].any()
    assert noisy[::2].sum(axis=1).max() == 5
    assert noisy[1::2].sum(axis=1).max() == 4
    assert noisy.mean() == pytest.approx((2.5 + 2) / 100, rel=0.06)


def _printed_algorithm(
    positive: np.ndarray, score: np.ndarray, order: np.ndarray, rng: np.random.Generator
) -> list[float]:
    """Lines 7 to 22 of Algorithm 2 for one repeat, with a mean over the defined folds."""
    sums = dict.fromkeys(table.MEASURES.values(), (0.0, 0.0))
    fold = np.arange(len(order)) * 10 // len(order)
    for k in range(10):
        cases = order[fold == k]
        better = score[cases]
        # the random numbers of the block for one repeat, drawn in the same order
        chosen = rng.random((1, len(cases)))[0].argsort()[: round(0.1 * len(cases))]
        uniform = rng.random((1, len(cases)))[0]
        worse = better.copy()
        worse[chosen] = uniform[chosen]
        if positive[cases].all() or not positive[cases].any():
            continue
        for name, (first, second) in sums.items():
            measure = getattr(mm, name)
            sums[name] = (
                first + measure(positive[cases], better),
                second + measure(positive[cases], worse),
            )
    return [0.5 if abs(b - a) < 1e-12 else float(b > a) for a, b in sums.values()]


@pytest.mark.parametrize("cases", [83, 100])
def test_blocks_follow_the_printed_algorithm(cases: int) -> None:
    rng = np.random.default_rng(cases)
    for repeat in range(30):
        positive = rng.random(cases) < 0.3
        score = np.clip(positive * 0.2 + rng.random(cases), 0, 1)
        if repeat % 2:
            score = score.round(1)
        order = rng.permutation(cases)
        fold = np.arange(cases) * 10 // cases
        folds = [order[None, fold == k] for k in range(10)]
        found = table._compared(positive[None], score[None], folds, np.random.default_rng(repeat))
        expected = _printed_algorithm(positive, score, order, np.random.default_rng(repeat))
        assert found[:, 0].tolist() == expected


@pytest.mark.parametrize("experiment", list(table.EXPERIMENTS))
def test_each_experiment_runs_on_generated_data(experiment: int) -> None:
    data = experiments.load("tic-tac-toe").take(np.arange(0, 958, 5)).binary("positive")
    errors = table.error_rates(data, experiment, 6, np.random.default_rng(1))
    assert errors.shape == (6, 6)
    assert set(np.unique(errors)) <= {0, 0.5, 1}
    assert errors[1].mean() < 0.5  # the AUC finds the better scores


def test_stratified_folds_have_the_shares_of_the_classes() -> None:
    rng = np.random.default_rng(1)
    labels = rng.permuted(np.tile(np.repeat([0, 1], [37, 26]), (5, 1)), axis=1)
    order = rng.permuted(np.tile(np.arange(63), (5, 1)), axis=1)
    found = table._stratified(order, labels)
    assert (np.sort(found, axis=1) == np.arange(63)).all()
    fold = np.sort(np.arange(63) % 10)
    ones = np.take_along_axis(labels, found, axis=1)
    counts = np.array([[row[fold == k].sum() for k in range(10)] for row in ones])
    assert set(np.unique(counts)) <= {2, 3}
