"""Neural networks in Huang (2006): against nearest neighbors (Table 3.20), stopped (Table 4.7)."""

from __future__ import annotations

import copy
import math
import warnings
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import metameasure as mm
from metameasure import experiments
from metameasure.data import Ranking
from metameasure.experiments.dataset import Dataset
from metameasure.experiments.declaration import Value, item
from metameasure.experiments.generators import polynomial
from metameasure.experiments.papers.huang2006_datasets import (
    DATASETS,
    FOLDS,
    judged,
    mean_value,
)
from metameasure.experiments.tolerance import Sampling
from metameasure.lab import paired_t_pvalue, stratified_sets
from metameasure.measurement import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from metameasure._types import Floats, Indices

ORDER_MEASURES = ("OAUC", "ED", "SRN", "AUC", "MD", "acc")
ORDERED = {"polynomial": "artificial", "wine": "Wine", "auto-mpg": "Auto-mpg", "cpu": "CPU"}
"""The name in the thesis of each data set of Table 3.20."""
REMARK = (
    "the levels of single cross-validations vary widely, so that most values between 0 and 1 are "
    "within the tolerance; agreement with the print says little here"
)
ROWS = 200
"""The number of artificial cases."""


def with_numeric_target(data: Dataset, generator: np.random.Generator) -> Dataset:
    """The data set with a number to predict, as Section 3.3.2 has it."""
    if data.name == "polynomial":
        return polynomial(ROWS, seed=int(generator.integers(2**31)))
    if data.name == "cpu":
        return data.drop(["vendor"])
    if data.name == "wine":  # the class and the first attribute change places
        first = data.attributes[0]
        levels = type(first)("class", data.classes)
        exchanged = np.column_stack([data.target.astype(float), data.values[:, 1:]])
        attributes = (levels, *data.attributes[1:])
        return Dataset(data.name, attributes, exchanged, (), data.values[:, 0], data.origin)
    return data


def order_values(true: Floats, predicted: Floats) -> list[float]:
    """The six measures of a predicted order; for AUC and accuracy the upper half is positive.

    There must be no ties, which ``untied`` breaks.
    """
    ranks = Ranking.of(true, predicted)
    upper = ranks.true > (ranks.n + 1) / 2
    found = {
        "OAUC": parse("ordered_auc").compute(ranks),
        "ED": parse("euclidean_distance").compute(ranks),
        "SRN": parse("reversed_pairs").compute(ranks),
        "AUC": parse("auc")(upper, ranks.predicted),
        "MD": parse("manhattan_distance").compute(ranks),
        "acc": np.mean(upper == (ranks.predicted > (ranks.n + 1) / 2)),
    }
    return [float(found[name]) for name in ORDER_MEASURES]


def untied(values: Floats, generator: np.random.Generator) -> Floats:
    """The ranks of values from 1, in random order among equal ones."""
    ranks = np.empty(len(values))
    ranks[np.lexsort((generator.random(len(values)), values))] = np.arange(1, len(values) + 1)
    return ranks


LBFGS = {"solver": "lbfgs", "max_iter": 500}
BACK_PROPAGATION = {
    "solver": "sgd",
    "alpha": 0.0,
    "learning_rate_init": 0.3,
    "momentum": 0.2,
    "batch_size": 20,
    "max_iter": 200,
    "tol": 0.0,
    "n_iter_no_change": 200,
}


def orders_by_learner(
    data: Dataset, generator: np.random.Generator, training: Mapping[str, Any] = LBFGS
) -> Floats:
    """The measures of the network and of nearest neighbors: (folds, learners, measures)."""
    from sklearn.neighbors import KNeighborsRegressor  # noqa: PLC0415
    from sklearn.neural_network import MLPRegressor  # noqa: PLC0415
    from sklearn.preprocessing import MinMaxScaler, StandardScaler  # noqa: PLC0415

    found = np.empty((FOLDS, 2, len(ORDER_MEASURES)))
    folds = generator.permutation(np.arange(len(data)) % FOLDS)
    for fold in range(FOLDS):
        test = folds == fold
        coded = _coded(data, ~test, MinMaxScaler(clip=True))
        scale = StandardScaler().fit(data.target[~test, np.newaxis])
        target = scale.transform(data.target[~test, np.newaxis])[:, 0]
        network = MLPRegressor(
            hidden_layer_sizes=(len(data.attributes) // 2,),
            activation="logistic",
            random_state=int(generator.integers(2**31)),
            **training,
        )
        true = untied(data.target[test], generator)
        for index, learner in enumerate((network, KNeighborsRegressor(1))):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the number of iterations is a stated limit
                learner.fit(coded[~test], target)
            predicted = untied(learner.predict(coded[test]), generator)
            found[fold, index] = order_values(true, predicted)
    return found


def _coded(data: Dataset, train: Any, scaler: Any) -> Floats:
    """All cases as numbers, coded and scaled by the training cases."""
    coder = experiments.AttributeCoder(nominal=data.nominal, reference=False).fit(
        data.values[train]
    )
    numbers = coder.transform(data.values)
    return np.asarray(scaler.fit(numbers[train]).transform(numbers))


def _significance(
    data: Dataset, repeats: int, generator: np.random.Generator, training: Mapping[str, Any]
) -> Iterator[Value]:
    """The significance level of the difference between the learners, by measure."""
    levels = np.empty((repeats, len(ORDER_MEASURES)))
    for repeat in range(repeats):
        found = orders_by_learner(with_numeric_target(data, generator), generator, training)
        levels[repeat] = [paired_t_pvalue(*each) for each in found.T]
    for name, each in zip(ORDER_MEASURES, levels.T, strict=True):
        yield mean_value(name, ORDERED[data.name], each)


orders = partial(
    item,
    "huang2006",
    kind="data",
    cells=[{"dataset": name} for name in ORDERED],
    tolerance=Sampling(),
    cost=60.0,
    repeats=20,
    block=5,
    stand_ins=(
        "the network is scikit-learn's MLPRegressor, IBL its KNeighborsRegressor(1)",
        "auto-mpg has 7 attributes here, 9 in the thesis",
        REMARK,
    ),
)


@orders(
    "table3.20",
    question="Which measures of orders distinguish a neural network from nearest neighbors?",
    convention=(
        "the artificial target is the sum of x cubed, x squared, x and 1 for nine attributes of "
        "five levels, of which a fifth is replaced by uniform numbers, drawn anew for each "
        "cross-validation; cpu without the vendor; folds at random; a level of a nominal "
        "attribute is an indicator; attributes are scaled to [0, 1] and the target to unit "
        "variance by the training cases; ties in the true or predicted order are broken at "
        "random; for AUC and accuracy the upper half of each order is positive; the network has "
        "half as many hidden nodes, of sigmoid shape, as there are attributes, and is trained by "
        "L-BFGS for at most 500 iterations; IBL has one neighbor; ours is the mean significance "
        "level of 20 cross-validations"
    ),
)
def table_3_20(dataset: Dataset, repeats: int, generator: np.random.Generator) -> Iterator[Value]:
    """The significance levels with a network that fits the training cases closely."""
    return _significance(dataset, repeats, generator, LBFGS)


@orders(
    "table3.20-backpropagation",
    question="Table 3.20 with a network trained by back-propagation.",
    alternative_to="table3.20",
    convention=(
        "back-propagation with learning rate 0.3, momentum 0.2, batches of 20 cases and 200 "
        "epochs, otherwise as table3.20: found by search, 12 tried (L-BFGS with 500 and 20 "
        "iterations and back-propagation, each with 1, 3, 5 and 10 neighbors)"
    ),
)
def table_3_20_found(
    dataset: Dataset, repeats: int, generator: np.random.Generator
) -> Iterator[Value]:
    """The significance levels with a network that is trained by back-propagation."""
    return _significance(dataset, repeats, generator, BACK_PROPAGATION)


STOPPED: dict[str, tuple[str, Callable[[Dataset], Dataset]]] = {
    "australian": ("australia", lambda data: data),
    "breast-w": ("breast", DATASETS["breast-w"][1]),
    "car": ("cars", DATASETS["car"][1]),
    "ecoli": ("eco", DATASETS["ecoli"][1]),
    "heart-h": ("heart", DATASETS["heart-h"][1]),
    "hepatitis": ("hepatitis", DATASETS["hepatitis"][1]),
    "pima": ("pima", DATASETS["pima"][1]),
    "house-votes": ("voting", DATASETS["house-votes"][1]),
}
"""The name in Table 4.7 of each data set, and its rows and classes, as chapter 3 counts them."""
STOPPED_BY = {
    "AUC:acc": "two_level(auc, accuracy)",
    "AUC": "auc",
    "acc": "accuracy",
    "AUC+acc": "linear(auc, accuracy)",
}
"""The measure that stops each model; the last one is not printed."""
LOOK_AHEAD, LEAST_GAIN = 50, 0.01
LEARNING_RATE, SLOW = 0.3, 0.003
TWO_LEVEL_WEIGHT = 0.01
"""The weight of accuracy in the column AUC:acc, whose printed values are AUC + accuracy / 100."""


class OneTraining:
    """A network that is trained once for several measures, which stop it at different epochs.

    Copies have their own epoch, and share the states of the network.
    """

    def __init__(self, network: Any, epoch: int = 0, states: dict[int, Any] | None = None) -> None:
        self.network = network
        self.epoch = epoch
        self.states = {} if states is None else states

    def __deepcopy__(self, memo: Any) -> OneTraining:
        return OneTraining(self.network, self.epoch, self.states)

    def fit(self, X: Floats, y: Indices) -> OneTraining:
        """Go through the first epoch."""
        self.epoch = 0
        return self.partial_fit(X, y)

    def partial_fit(self, X: Floats, y: Indices) -> OneTraining:
        """Go on by an epoch, and train the network if it has not been there."""
        self.epoch += 1
        if self.epoch not in self.states:
            self.network.partial_fit(X, y, classes=(0, 1))
            kept = self.epoch % LOOK_AHEAD == 0
            self.states[self.epoch] = copy.deepcopy(self.network) if kept else None
        return self

    def predict_proba(self, X: Floats) -> Floats:
        """The probabilities at this epoch, which must be a multiple of the look-ahead."""
        return np.asarray(self.states[self.epoch].predict_proba(X))


def stopped_values(
    data: Dataset, generator: np.random.Generator, rate: float = LEARNING_RATE
) -> Floats:
    """Accuracy, AUC and AUC:acc in each test set, by what stops: (folds, models, measures)."""
    from sklearn.neural_network import MLPClassifier  # noqa: PLC0415
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415

    target: Indices = data.target.astype(np.intp)
    folds = stratified_sets(target, FOLDS, generator)
    found = np.empty((FOLDS, len(STOPPED_BY), 3))
    for fold in range(FOLDS):
        test = folds == fold
        coded = _coded(data, ~test, StandardScaler())
        network = MLPClassifier(
            hidden_layer_sizes=(max(1, len(data.attributes) // 2),),
            activation="logistic",
            solver="sgd",
            alpha=0.0,
            learning_rate_init=rate,
            momentum=0.2,
            random_state=int(generator.integers(2**31)),
        )
        shared = OneTraining(network)
        for index, measure in enumerate(STOPPED_BY.values()):
            training = mm.train_by(
                shared,
                measure,
                coded[~test],
                target[~test],
                validation=None,
                patience=LOOK_AHEAD,
                min_gain=LEAST_GAIN,
            )
            scores = training.estimator.predict_proba(coded[test])
            accuracy, auc = judged(target[test], scores)
            found[fold, index] = accuracy, auc, auc + TWO_LEVEL_WEIGHT * accuracy
    return found


def _averages(values: list[Value]) -> Iterator[Value]:
    """All values, and the average over the data sets, if all were run."""
    yield from values
    for row in STOPPED_BY:
        for column in ("acc", "AUC", "AUC:acc"):
            each = [value for value in values if (value.row, value.column) == (row, column)]
            if len(each) < len(STOPPED):
                continue
            yield Value(
                row,
                column,
                float(np.mean([value.value for value in each])),
                math.hypot(*(value.error for value in each)) / len(each),
                "Average",
                print_error=math.hypot(*(value.print_error for value in each)) / len(each),
            )


def _stopped(
    dataset: Dataset, repeats: int, generator: np.random.Generator, rate: float
) -> Iterator[Value]:
    """Accuracy, AUC and AUC:acc in test sets of networks that each measure stops."""
    name, prepare = STOPPED[dataset.name]
    data = prepare(dataset)
    found = np.stack([stopped_values(data, generator, rate) for _ in range(repeats)]).mean(axis=1)
    for row, of_model in zip(STOPPED_BY, np.moveaxis(found, 1, 0), strict=True):
        for column, each in zip(("acc", "AUC", "AUC:acc"), of_model.T, strict=True):
            yield mean_value(row, column, each, part=name)


stopped = partial(
    item,
    "huang2006",
    kind="data",
    cells=[{"dataset": name} for name in STOPPED],
    tolerance=Sampling(),
    cost=150.0,
    repeats=4,
    block=2,
    stand_ins=(
        "the network is scikit-learn's MLPClassifier, which minimizes the log loss",
        "the network of the thesis minimizes the squared error",
        "AUC+acc stops by the linear combination; it is not in the thesis",
    ),
    finish=_averages,
)


@stopped(
    "table4.7",
    question="Do networks predict better if a better measure stops their training?",
    reason=(
        "not explained; with a learning rate of 0.003 (table4.7-slow) the order of the three "
        "stopping measures is the printed one, but the root mean square of the differences from "
        "the print falls only from 0.190 to 0.163: that 32 instead of 9 of 81 cells agree is due "
        "to wider intervals (median standard error 0.0148 instead of 0.0017; with those widths 29 "
        "cells of the first convention agree); a network that minimizes the squared error, as in "
        "the thesis, was not tried"
    ),
    convention=(
        "rows and classes as in Table 3.13, without discretization; a level of a nominal attribute "
        "is an indicator, a missing one the most frequent level, a missing number the mean; "
        "numbers and indicators are standardized by the training cases; stratified folds; the "
        "network has half as many hidden nodes as there are attributes, of sigmoid shape, learning "
        "rate 0.3 and momentum 0.2, and batches of at most 200 cases; the measure that stops it is "
        "computed on the training cases, since the text has no other set, for the first time after "
        "50 epochs; all models of a fold begin with the same weights; AUC:acc stops as a two-level "
        "measure whose second part counts only if the first does not get worse; the column AUC:acc "
        "is AUC + accuracy / 100, as printed; ours is the mean of 4 cross-validations"
    ),
)
def table_4_7(dataset: Dataset, repeats: int, generator: np.random.Generator) -> Iterator[Value]:
    """Networks that learn fast."""
    return _stopped(dataset, repeats, generator, LEARNING_RATE)


@stopped(
    "table4.7-slow",
    question="Table 4.7 with a learning rate of 0.003.",
    alternative_to="table4.7",
    convention=(
        "learning rate 0.003, otherwise as table4.7: found by search, 3 tried (0.3, 0.03, 0.003)"
    ),
)
def table_4_7_found(
    dataset: Dataset, repeats: int, generator: np.random.Generator
) -> Iterator[Value]:
    """Networks that learn slowly."""
    return _stopped(dataset, repeats, generator, SLOW)
