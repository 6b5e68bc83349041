"""Berrar's Algorithms 2 to 5 in blocks, against the study that trains one model at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest

import metameasure as mm
from metameasure import experiments
from metameasure.experiments.papers import berrar2014_datasets as table

REPEATS = 300


def generated() -> experiments.Dataset:
    return experiments.load("tic-tac-toe").take(np.arange(0, 958, 5)).binary("positive")


@pytest.mark.parametrize("experiment", list(table.EXPERIMENTS))
def test_each_experiment_runs_on_generated_data(experiment: int) -> None:
    errors = table.error_rates(
        generated(), experiment, 6, np.random.default_rng(1), learner="weka", stratified=False
    )
    assert errors.shape == (6, 6)
    assert set(np.unique(errors)) <= {0, 0.5, 1}
    assert errors[1].mean() < 0.5  # the AUC finds the better scores


@pytest.mark.parametrize(
    ("experiment", "stratified"), [(1, True), (2, False), (3, False), (4, True)]
)
def test_blocks_have_the_error_rates_of_single_models(experiment: int, stratified: bool) -> None:
    """Two implementations of the same experiment agree within their sampling errors."""
    data = generated()
    block = table.error_rates(
        data,
        experiment,
        REPEATS,
        np.random.default_rng(1),
        learner="e1071",
        stratified=stratified,
    )
    noise, where = table.EXPERIMENTS[experiment].split(", ")
    single = mm.lab.training_robustness(
        experiments.MixedNaiveBayes(nominal=data.nominal, **table.LEARNERS["e1071"]),
        data.values,
        data.target,
        list(table.MEASURES.values()),
        noise=noise,
        where={"whole data set": "all", "training sets": "training"}[where],
        repeats=REPEATS,
        stratified=stratified,
        workers=1,
    )
    for ours, row in zip(block.mean(axis=1), single.rows, strict=True):
        rate = (ours + row.error_rate) / 2
        assert abs(ours - row.error_rate) < 4 * math.sqrt(2 * rate * (1 - rate) / REPEATS) + 0.01
