"""Berrar's Algorithms 2 to 5 in blocks, against the study that trains one model at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

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


@pytest.mark.parametrize("learner", list(table.LEARNERS))
def test_the_auc_without_noise_is_that_of_single_models(
    learner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(table.DATASETS, "tic-tac-toe", ("Tic", "positive"))
    whole = experiments.load("tic-tac-toe").take(np.arange(0, 958, 5))
    found = {
        value.column: value
        for value in table.footnote_4.compute(
            learner=learner, dataset=whole, repeats=3, generator=np.random.default_rng(5)
        )
    }
    data, generator = generated(), np.random.default_rng(5)
    areas = []
    for _ in range(3):
        folds = mm.lab.fold_of_each([np.arange(len(data))], table.FOLDS, generator)
        of_folds = []
        for fold in range(table.FOLDS):
            train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
            model = experiments.MixedNaiveBayes(nominal=data.nominal, **table.LEARNERS[learner])
            model.fit(data.values[train], data.target[train])
            scores = model.predict_proba(data.values[test])[:, 1]
            of_folds.append(roc_auc_score(data.target[test], scores))
        areas.append(100 * np.mean(of_folds))
    assert found["AUC"].value == pytest.approx(np.mean(areas))
    assert found["AUC"].error == pytest.approx(np.std(areas, ddof=1) / math.sqrt(3))
    assert found["attributes"].value == 9
