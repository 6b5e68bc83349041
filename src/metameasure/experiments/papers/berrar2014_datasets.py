"""Table 1 of Berrar (2014): ranking measures on ten data sets with noise (Algorithms 2 to 5)."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure import experiments
from metameasure.experiments.declaration import Value, item
from metameasure.experiments.tolerance import Sampling
from metameasure.lab import (
    fold_of_each,
    judge_folds,
    permuted_rows,
    redraw_labels,
    strata_of,
    values_on_sets,
)
from metameasure.measurement import parse, parse_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from metameasure._types import Floats
    from metameasure.experiments.dataset import Dataset

FOLDS = 10
SHARE = 0.1
"""The share of labels, of the values of each attribute, and of scores that are replaced."""
MEASURES = {
    "H-measure": "h_measure",
    "AUC": "auc",
    "AUCH": "auch",
    "sAUC": "scored_auc",
    "KS": "ks",
    "taKS": "taks",
}
DATASETS = {
    "sonar": ("Sonar", "Mine"),
    "spect": ("Spect", "1"),
    "heart-statlog": ("Heart", "present"),
    "liver": ("Liver", "2"),
    "ionosphere": ("Ionosphere", "g"),
    "house-votes": ("House", "democrat"),
    "cylinder-bands": ("Cylinder", "band"),
    "credit-a": ("Credit", "+"),
    "transfusion": ("Transfusion", "1"),
    "pima": ("Pima", "tested_positive"),
}
"""The name in the paper and the positive class of each data set."""
LEARNERS: dict[str, dict[str, Any]] = {
    "e1071": {
        "numeric": "normal",
        "laplace": 0,
        "prior_laplace": 0,
        "ddof": 1,
        "floor": 0,
        "zero_probability": 0.001,
    },
    "weka": {},
}
"""Parameters of naive Bayes, as R's e1071 and Weka have it by default."""
EXPERIMENTS = {
    1: "labels, whole data set",
    2: "labels, training sets",
    3: "attributes, whole data set",
    4: "attributes, training sets",
}


table = partial(
    item,
    "berrar2014",
    kind="data",
    cells=[
        {"experiment": experiment, "dataset": dataset}
        for experiment in EXPERIMENTS
        for dataset in DATASETS
    ],
    repeats=1000,
    block=50,
    tolerance=Sampling(repeats=1000, scale=100),
    cost=60.0,
)
other = partial(table, alternative_to="table1")
TRIED = "otherwise as table1: of a search over 4 conventions (both learners, both kinds of folds)"


def error_cells(
    experiment: int,
    dataset: Dataset,
    repeats: int,
    generator: np.random.Generator,
    *,
    learner: str = "e1071",
    stratified: bool = False,
) -> Iterator[Value]:
    """The error rates of the measures in one block of repeats, in percent."""
    name, positive = DATASETS[dataset.name]
    errors = error_rates(
        dataset.binary(positive),
        experiment,
        repeats,
        generator,
        learner=learner,
        stratified=stratified,
    )
    for column, rate in zip(MEASURES, errors.mean(axis=1), strict=True):
        error = math.sqrt(rate * (1 - rate) / repeats)
        part = f"experiment {experiment}"
        yield Value(name, column, 100 * rate, 100 * error, part, count=repeats)


table_1 = table(
    "table1",
    question=(
        "How often do measures prefer a classifier of which a tenth of the scores are random, if "
        "labels or attributes have noise?"
    ),
    convention=(
        "naive Bayes with the defaults of R's e1071, as the paper cites R and names no package; "
        "folds drawn at random without regard to classes, their sizes as equal as possible; a "
        "tenth is rounded to the nearest integer; folds in which a measure is undefined are left "
        "out of its mean; KS without sign; the credit data are Credit Approval, the heart data "
        "Statlog"
    ),
    reason=(
        "at 99% some 2 of 240 cells differ by chance, often several at once, since the measures of "
        "a cell share their runs; 15 of the 17 that do are on Cylinder, Liver, and in experiment 2 "
        "on Heart and House; neither the other learner nor stratified folds explain them; other "
        "versions of the data were tried with 100 to 1000 repeats (scripts not kept). Cylinder, "
        "136 conventions "
        "(identifiers, incomplete rows, imputed values, types, Laplace correction): if missing "
        "values are a level, all cells agree but those of sAUC, at most 3 in experiment 1 and 7.9 "
        "in print. Liver, 30 (class by the selector or by drinks above 0 to 6, attributes, "
        "duplicates): none agrees better than this one, whose runs with other seeds have 21 to 24 "
        "of 24 cells. Heart, 13 (Statlog or Hungarian data, types, missing values): up to 24 of "
        "24, this one 20 and 22 with other seeds. House, 24 (missing values, types, Laplace "
        "correction): no convention explains experiment 2, whose printed row agrees in all six "
        "cells with experiment 1 here"
    ),
)(error_cells)
table_1_stratified = other(
    "table1-stratified",
    question="Table 1 with stratified folds.",
    convention=f"folds with the shares of the classes, {TRIED}",
)(partial(error_cells, stratified=True))
table_1_weka = other(
    "table1-weka",
    question="Table 1 with Weka's naive Bayes.",
    convention=f"naive Bayes with the defaults of Weka, {TRIED}",
)(partial(error_cells, learner="weka"))
table_1_weka_stratified = other(
    "table1-weka-stratified",
    question="Table 1 with Weka's naive Bayes and stratified folds.",
    convention=(
        f"naive Bayes with the defaults of Weka and folds with the shares of the classes, {TRIED}"
    ),
)(partial(error_cells, learner="weka", stratified=True))


UNCORRUPTED, UNCORRUPTED_REPEATS = "footnote4", 100


@item(
    "berrar2014",
    UNCORRUPTED,
    kind="data",
    question="On which data sets does naive Bayes have the lowest AUC?",
    cells=[
        {"learner": learner, "dataset": dataset} for learner in LEARNERS for dataset in DATASETS
    ],
    repeats=UNCORRUPTED_REPEATS,
    tolerance=Sampling(),
    cost=10.0,
    convention="the data sets and folds of table1 without noise, and both kinds of naive Bayes; "
    "nothing is printed",
)
def footnote_4(
    learner: str, dataset: Dataset, repeats: int, generator: np.random.Generator
) -> Iterator[Value]:
    """The mean AUC over folds in percent, and the number of attributes."""
    name, positive = DATASETS[dataset.name]
    data = dataset.binary(positive)
    cases, attributes = data.values.shape
    folds = np.stack([fold_of_each([np.arange(cases)], FOLDS, generator) for _ in range(repeats)])
    bayes = experiments.MixedNaiveBayes(nominal=data.nominal, **LEARNERS[learner])
    scores = experiments.cross_validated_bayes(bayes, data.values, data.target == 1, folds)[..., 1]
    areas = [
        np.nanmean(values_on_sets([parse("auc")], data.target == 1, score[np.newaxis], fold))
        for score, fold in zip(scores, folds, strict=True)
    ]
    error = float(np.std(areas, ddof=1)) / math.sqrt(repeats)
    yield Value(name, "AUC", 100 * float(np.mean(areas)), 100 * error, learner, repeats)
    yield Value(name, "attributes", attributes, part=learner, count=repeats)


def error_rates(
    data: Dataset,
    experiment: int,
    repeats: int,
    generator: np.random.Generator,
    *,
    learner: str,
    stratified: bool,
) -> Floats:
    """1 where a measure prefers the worse classifier, 1/2 where it is tied: (measures, repeats)."""
    cases, attributes = data.values.shape
    everything = np.ones((repeats, cases), dtype=bool)
    tested = np.broadcast_to(data.target == 1, everything.shape)
    if experiment == 1:
        tested = redraw_labels(tested, SHARE, generator)
    folds = np.stack(
        [
            fold_of_each(strata_of(labels) if stratified else [np.arange(cases)], FOLDS, generator)
            for labels in tested
        ]
    )
    training = folds[:, np.newaxis] != np.arange(FOLDS)[:, np.newaxis]  # (repeats, folds, cases)
    given, rows, training_rows = tested, None, None
    if experiment == 2:
        every = np.broadcast_to(tested[:, np.newaxis], training.shape)
        given = redraw_labels(every, SHARE, generator, rows=training)
    elif experiment == 3:
        rows = permuted_rows(everything, attributes, SHARE, generator)
    elif experiment == 4:
        training_rows = permuted_rows(training, attributes, SHARE, generator)
    bayes = experiments.MixedNaiveBayes(nominal=data.nominal, **LEARNERS[learner])
    score = experiments.cross_validated_bayes(
        bayes, data.values, given, folds, rows=rows, training_rows=training_rows
    )[..., 1]
    errors, _ = judge_folds(
        parse_list(list(MEASURES.values())), tested, folds, score, SHARE, generator
    )
    return errors
