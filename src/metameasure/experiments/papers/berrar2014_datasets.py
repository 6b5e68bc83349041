"""Table 1 of Berrar (2014): ranking measures on ten data sets with noise (Algorithms 2 to 5)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure import experiments
from metameasure.experiments.declaration import Value, item
from metameasure.experiments.tolerance import Sampling
from metameasure.lab import prefers_worse
from metameasure.measurement import parse_list
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices, Mask
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


@item(
    "berrar2014",
    "table1",
    kind="data",
    question=(
        "How often do measures prefer a classifier of which a tenth of the scores are random, if "
        "labels or attributes have noise?"
    ),
    cells=[
        {"experiment": experiment, "dataset": dataset}
        for experiment in EXPERIMENTS
        for dataset in DATASETS
    ],
    repeats=1000,
    block=50,
    tolerance=Sampling(repeats=1000, scale=100),
    cost=1500,
    convention=(
        "naive Bayes with the defaults of R's e1071, as the paper cites R and names no package; "
        "folds drawn at random without regard to classes, their sizes as equal as possible; a "
        "tenth is rounded to the nearest integer; folds in which a measure is undefined are left "
        "out of its mean; KS without sign; the credit data are Credit Approval, the heart data "
        "Statlog"
    ),
)
def table_1(
    experiment: int, dataset: Dataset, repeats: int, generator: np.random.Generator
) -> Iterator[Value]:
    """The error rates of the measures in one block of repeats."""
    name, positive = DATASETS[dataset.name]
    errors = error_rates(dataset.binary(positive), experiment, repeats, generator)
    for column, rate in zip(MEASURES, errors.mean(axis=1), strict=True):
        error = math.sqrt(rate * (1 - rate) / repeats)
        part = f"experiment {experiment}"
        yield Value(name, column, 100 * rate, 100 * error, part, count=repeats)


def error_rates(
    data: Dataset,
    experiment: int,
    repeats: int,
    generator: np.random.Generator,
    *,
    learner: str = "e1071",
    stratified: bool = False,
) -> Floats:
    """1 where a measure prefers the worse classifier, 1/2 where it is tied: (measures, repeats)."""
    cases, attributes = data.values.shape
    everything = np.ones((repeats, cases), dtype=bool)
    order = generator.permuted(np.tile(np.arange(cases), (repeats, 1)), axis=1)
    tested = np.broadcast_to(data.target.astype(np.int64), order.shape)
    if experiment == 1:
        tested = _redrawn(tested, everything, generator)
    fold = np.arange(cases) * FOLDS // cases
    if stratified:
        fold = np.sort(np.arange(cases) % FOLDS)
        order = _stratified(order, tested)
    folds = np.empty_like(order)
    np.put_along_axis(folds, order, fold[None], axis=1)
    training = folds[:, None] != np.arange(FOLDS)[:, None]  # (repeats, folds, cases)
    given, rows, training_rows = tested, None, None
    if experiment == 2:
        given = _redrawn(tested[:, None].repeat(FOLDS, axis=1), training, generator)
    elif experiment == 3:
        rows = _permuted(everything, attributes, generator)
    elif experiment == 4:
        training_rows = _permuted(training, attributes, generator)
    bayes = experiments.MixedNaiveBayes(nominal=data.nominal, **LEARNERS[learner])
    score = experiments.cross_validated_bayes(
        bayes, data.values, given, folds, rows=rows, training_rows=training_rows
    )[..., 1]
    starts = np.flatnonzero(np.diff(fold)) + 1
    return _compared(tested == 1, score, np.array_split(order, starts, axis=1), generator)


def _stratified(order: Indices, labels: Indices) -> Indices:
    """The cases in another order, in which each tenth has its share of both classes."""
    by_class = np.argsort(np.take_along_axis(labels, order, axis=1), axis=1, kind="stable")
    in_turn = np.argsort(np.arange(order.shape[1]) % FOLDS, kind="stable")
    return np.take_along_axis(order, by_class[:, in_turn], axis=1)


def _chosen(among: Mask, generator: np.random.Generator) -> tuple[Indices, Mask]:
    """The cases along the last axis in random order, and which of them are chosen.

    A share of the cases that are true in ``among`` is chosen, rounded to the nearest integer.
    """
    keys = generator.random(among.shape)
    keys[~among] = 1.0
    order = keys.argsort(axis=-1)
    count = np.rint(SHARE * among.sum(axis=-1, keepdims=True))
    return order, np.broadcast_to(np.arange(among.shape[-1]) < count, among.shape)


def _redrawn(labels: Indices, among: Mask, generator: np.random.Generator) -> Indices:
    """The labels, with those of a share of the cases drawn anew (probability 1/2 each)."""
    order, first = _chosen(among, generator)
    chosen = np.zeros(labels.shape, dtype=bool)
    np.put_along_axis(chosen, order, first, axis=-1)
    return np.where(chosen, generator.integers(0, 2, labels.shape), labels)


def _permuted(among: Mask, attributes: int, generator: np.random.Generator) -> NDArray[np.int32]:
    """The row that each value comes from if a share of each attribute is permuted.

    The last axes of the result are cases and attributes.
    """
    order, first = _chosen(among[..., None, :].repeat(attributes, axis=-2), generator)
    rows = np.broadcast_to(np.arange(order.shape[-1], dtype=np.int32), order.shape).copy()
    # The chosen rows in random order replace the same rows in increasing order.
    target = np.sort(np.where(first, order, order.shape[-1]), axis=-1)
    kept = first & (target < order.shape[-1])
    place = np.where(kept, target, 0)
    lines = np.arange(order[..., 0].size).reshape(order.shape[:-1])[..., None]
    flat = rows.reshape(-1)
    flat[(lines * order.shape[-1] + place)[kept]] = order[kept]
    return np.ascontiguousarray(np.moveaxis(rows, -1, -2))


def _compared(
    positive: Mask, score: Floats, folds: list[Indices], generator: np.random.Generator
) -> Floats:
    """Whether the means over the folds prefer the worse scores, by measure: (measures, repeats)."""
    measures = parse_list(list(MEASURES.values()))
    sums = np.zeros((len(measures), 2, len(positive)))
    for cases in folds:
        labels = np.take_along_axis(positive, cases, axis=1)
        better = np.take_along_axis(score, cases, axis=1)
        places, first = _chosen(np.ones(cases.shape, dtype=bool), generator)
        replaced = np.zeros(cases.shape, dtype=bool)
        np.put_along_axis(replaced, places, first, axis=1)
        worse = np.where(replaced, generator.random(cases.shape), better)
        tables = ScoreTable.from_cases(np.stack([labels, labels]), np.stack([better, worse]))
        for index, measure in enumerate(measures):
            values = measure.of_block(tables)
            sums[index] += np.where(np.isnan(values).any(axis=0), 0.0, values)
    return np.array(
        [
            prefers_worse(measure, *each / FOLDS)
            for measure, each in zip(measures, sums, strict=True)
        ]
    )
