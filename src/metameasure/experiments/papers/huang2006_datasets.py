"""Learners on data sets in chapter 3 of Huang (2006): Tables 3.14 to 3.17."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

import metameasure as mm
from metameasure import experiments
from metameasure.data import ClassScores
from metameasure.experiments.dataset import Attribute, Dataset
from metameasure.experiments.declaration import Value, item
from metameasure.experiments.learners.discretization import entropy_cuts, intervals_of
from metameasure.experiments.tolerance import Sampling
from metameasure.lab import stratified_sets
from metameasure.measurement import parse
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from metameasure._types import Floats, Indices

FOLDS = 10
REPEATS = 20
LEARNERS = ("NB", "C4.4", "C4.5")
PAIRS = {"C4.4 vs. NB": (1, 0), "C4.5 vs. NB": (2, 0), "C4.5 vs. C4.4": (2, 1)}
"""The pairs of Table 3.14, as indices of learners."""
MEASURES = ("accuracy", "AUC", STRICT := "AUC, ties count 0")
COUNTED = ("CON", "INCON", "AUC only", "accuracy only", "neither")
RATIOS = (
    ("C", "CON", ("CON", "INCON")),
    ("D", "AUC only", ("accuracy only",)),
    ("E", "neither", COUNTED),
)
"""The degrees of Table 3.14: a count, relative to the sum of others."""


def _complete(data: Dataset) -> Dataset:
    return data.take(data.complete)


def _without(*names: str) -> Callable[[Dataset], Dataset]:
    return lambda data: _complete(data.drop(names))


def _ecoli(data: Dataset) -> Dataset:
    rare = [data.classes.index(name) for name in ("imL", "imS")]
    return data.take(~np.isin(data.target, rare)).binary("cp")


def _imports(data: Dataset) -> Dataset:
    """Symboling above 0 against the others; the number itself stays among the attributes."""
    symboling = np.array(data.classes, dtype=float)[data.target.astype(np.intp)]
    attributes = (*data.attributes, Attribute("symboling"))
    values = np.column_stack([data.values, symboling])
    return replace(data, attributes=attributes, values=values).binary(("1", "2", "3"))


def _pima(data: Dataset) -> Dataset:
    names = [each.name for each in data.attributes]
    columns = [names.index(name) for name in ("plas", "pres", "skin", "insu", "mass")]
    return data.take((data.values[:, columns] != 0).all(axis=1))


DATASETS: dict[str, tuple[str, Callable[[Dataset], Dataset]]] = {
    "breast-w": ("breast", _complete),
    "car": ("cars", lambda data: data.binary("unacc")),
    "credit-a": ("credit", _complete),
    "dermatology": ("dermatology", lambda data: data),
    "echocardiogram": ("echocardio", _complete),
    "ecoli": ("ecoli", _ecoli),
    "glass": ("glass", lambda data: data),
    "heart-h": ("heart", _without("slope", "ca", "thal")),
    "hepatitis": ("hepatitis", _without("PROTIME")),
    "imports": ("import", _imports),
    "iris": ("iris", lambda data: data),
    "liver": ("liver", lambda data: data),
    "mushroom": ("mushroom", lambda data: data),
    "pima": ("pima", _pima),
    "solar-flare-2": ("solar", lambda data: data),
    "house-votes": ("voting", _complete),
    "wine": ("wine", lambda data: data),
}
"""The name in the thesis, and what is done to reach its number of rows and classes."""
CONVENTION = (
    "rows and classes as Table 3.13 counts them, where a choice gives its number (complete rows of "
    "breast, credit, echocardio, heart without slope, ca and thal, hepatitis without PROTIME, "
    "voting; pima without zeros; ecoli without imL and imS, cp against the others); cars, of which "
    "the thesis has 700 rows, are all 1728, unacc against the others; import is symboling above 0, "
    "with symboling among the attributes, of a search over 17 classes and attributes the choice "
    "that has the 23 attributes of Table 3.13; "
    "numeric attributes are discretized on the whole data set, as the thesis says, and attributes "
    "without a cut are dropped; folds at random with the shares of the classes; AUC of several "
    "classes by Hand and Till; ours is the mean of 20 cross-validations"
)
STAND_INS = (
    "thyroid (2000 rows with 24 attributes) is not documented and is left out",
    "C4.5 is C45Tree(), C4.4 is C45Tree(prune=False, collapse=False, laplace=True)",
    "NB is MixedNaiveBayes() on discretized attributes",
)

IMPOSSIBLE = {("", "import", learner): "Huang 23" for learner in ("C4.4", "C4.5")}
"""Values below 100 where the accuracy is 100.0."""


def prepared(data: Dataset) -> Dataset:
    """The data set as the thesis has it: its rows and classes, and nominal attributes only."""
    return discretized(DATASETS[data.name][1](data))


def discretized(data: Dataset) -> Dataset:
    """The data set with intervals for numbers; attributes with one level only are dropped."""
    columns, attributes = [], []
    for attribute, column in zip(data.attributes, data.values.T, strict=True):
        found, levels = column, attribute.levels
        if levels is None:
            cuts = entropy_cuts(column, data.target)
            found = intervals_of(column[:, None], [cuts])[:, 0]
            levels = tuple(str(i + 1) for i in range(cuts.size + 1))
        if np.unique(found[~np.isnan(found)]).size > 1:
            columns.append(found)
            attributes.append(Attribute(attribute.name, levels))
    return Dataset(
        data.name,
        tuple(attributes),
        np.stack(columns, axis=1),
        data.classes,
        data.target,
        data.origin,
        data.notes,
    )


def fold_values(data: Dataset, repeats: int, generator: np.random.Generator) -> Floats:
    """The measures in each test set: (repeats, folds, learners, measures)."""
    learners = (
        experiments.MixedNaiveBayes(nominal=data.nominal),
        experiments.C45Tree(nominal=data.nominal, prune=False, collapse=False, laplace=True),
        experiments.C45Tree(nominal=data.nominal),
    )
    values = np.empty((repeats, FOLDS, len(learners), len(MEASURES)))
    for repeat in range(repeats):
        folds = stratified_sets(data.target.astype(np.intp), FOLDS, generator)
        for fold in range(FOLDS):
            test = folds == fold
            for index, learner in enumerate(learners):
                model = learner.fit(data.values[~test], data.target[~test])
                scores = np.zeros((int(test.sum()), len(data.classes)))
                scores[:, model.classes_] = model.predict_proba(data.values[test])
                target = data.target[test].astype(np.intp)
                values[repeat, fold, index] = *judged(target, scores), strict_auc(target, scores)
    return values


def judged(target: Indices, scores: Floats) -> tuple[float, float]:
    """The accuracy and the AUC of class probabilities, over the classes that occur."""
    accuracy = float((scores.argmax(axis=1) == target).mean())
    present, code = np.unique(target, return_inverse=True)
    if present.size == 1:
        return accuracy, math.nan
    cases = ClassScores(tuple(present.tolist()), code, scores[:, present])
    return accuracy, float(parse("hand_till_auc").compute(cases))


def strict_auc(target: Indices, scores: Floats) -> float:
    """The AUC of Hand and Till if ties count 0 instead of 1/2, as the printed formula has it."""
    values = []
    for one, other in permutations(np.unique(target).tolist(), 2):
        here = (target == one) | (target == other)
        table = ScoreTable.from_cases(target[here] == one, scores[here, one])
        values.append(float(mm.margin_auc(table, tau=0.0)))
    return sum(values) / len(values) if values else math.nan


def mean_value(row: str, column: str, each: Floats, part: str = "") -> Value:
    """The mean of several runs, of which the paper has one: its error is that of a single run."""
    spread = float(each.std(ddof=1)) if each.size > 1 else 0.0
    error = spread / math.sqrt(each.size)
    return Value(row, column, float(each.mean()), error, part, each.size, print_error=spread)


def comparisons(dataset: Dataset, repeats: int, generator: np.random.Generator) -> Iterator[Value]:
    """Means of both measures in percent, and numbers of test sets in which they agree or not.

    The part of a mean is the measure, that of a number the data set, and how ties count.
    """
    found = fold_values(prepared(dataset), repeats, generator)
    for index, measure in enumerate(MEASURES):
        means = 100 * np.nanmean(found[..., index], axis=1)
        for learner, each in zip(LEARNERS, means.T, strict=True):
            yield mean_value(DATASETS[dataset.name][0], learner, each, part=measure)
    orders = np.stack([found[:, :, one] - found[:, :, other] for one, other in PAIRS.values()])
    accuracy, auc, strict = np.moveaxis(np.sign(orders.round(12)), -1, 0)
    for part, by_auc in ((dataset.name, auc), (f"{dataset.name}, {STRICT}", strict)):
        kinds = {
            "CON": accuracy * by_auc > 0,
            "INCON": accuracy * by_auc < 0,
            "AUC only": (accuracy == 0) & (by_auc != 0) & ~np.isnan(by_auc),
            "accuracy only": (accuracy != 0) & (by_auc == 0),
            "neither": (accuracy == 0) & (by_auc == 0),
        }
        for kind, where in kinds.items():
            for column, each in zip(PAIRS, where.sum(axis=-1), strict=True):
                yield mean_value(kind, column, each.astype(float), part=part)


def _means(values: list[Value], measure: str) -> Iterator[Value]:
    """The means of one measure."""
    return (replace(value, part="") for value in values if value.part == measure)


def _totals(values: list[Value], *, strict: bool = False) -> Iterator[Value]:
    """The counts of all data sets together, if all were run, and the degrees of these counts."""
    here = [value for value in values if value.part.endswith(STRICT) == strict]
    if len({value.part for value in here if value.row in COUNTED}) < len(DATASETS):
        return
    for column in PAIRS:
        counts, errors, spreads = {}, {}, {}
        for kind in COUNTED:
            each = [value for value in here if (value.row, value.column) == (kind, column)]
            counts[kind] = sum(value.value for value in each)
            errors[kind] = math.hypot(*(value.error for value in each))
            spreads[kind] = math.hypot(*(value.print_error for value in each))
        for kind in COUNTED:
            yield Value(kind, column, counts[kind], errors[kind], print_error=spreads[kind])
        for row, part, rest in RATIOS:
            others = sum(counts[kind] for kind in rest)
            ratio = counts[part] / others if others else math.inf if counts[part] else math.nan
            error, spread = (
                _ratio_error(ratio, others, part, rest, each) for each in (errors, spreads)
            )
            yield Value(row, column, ratio, error, print_error=spread)


def _ratio_error(
    ratio: float, others: float, part: str, rest: tuple[str, ...], errors: dict[str, float]
) -> float:
    """The standard error of a count relative to others, to the first order."""
    if not math.isfinite(ratio):
        return 0.0
    terms = {part: 1.0, **dict.fromkeys(rest, -ratio)}
    if part in rest:
        terms[part] = 1.0 - ratio
    return math.hypot(*(errors[kind] * factor for kind, factor in terms.items())) / others


table = partial(
    item,
    "huang2006",
    kind="data",
    cells=[{"dataset": name} for name in DATASETS],
    tolerance=Sampling(),
    cost=25.0,
    repeats=REPEATS,
    block=5,
    cells_of="table3.14",
    stand_ins=STAND_INS,
)

table_3_14 = table(
    "table3.14",
    question="Do AUC and accuracy order two learners in the same way on real test sets?",
    convention=f"{CONVENTION}; the counts of 170 test sets, where the thesis has 180",
    finish=_totals,
)(comparisons)
table_3_15 = table(
    "table3.15",
    question="How accurate are naive Bayes, C4.4 and C4.5 on 18 data sets?",
    convention=CONVENTION,
    reason=(
        "data sets with the printed number of attributes after discretization mostly agree; import "
        "agrees since symboling is among its attributes; what was tried on the others explains "
        "none of them: cars (700 rows in print) as the first, the last, 700 random and 350 + 350 "
        "random rows (86.4 in print, 90.6 to 96.3 for naive Bayes); echocardio (4 attributes in "
        "print) without survival, still_alive or both and with other classes, 13 choices (those "
        "with 4 attributes stay above 90); pima with all rows, without each attribute and without "
        "three pairs, 12 choices (near the print only without plas and insu, which leaves 4 "
        "attributes); cuts from training folds on 9 data sets (glass agrees, liver and ecoli get "
        "worse); cuts by Kononenko's and Weka's criteria (other numbers of attributes); no Laplace "
        "correction, random folds and 5 folds on 6 data sets (less than 2 points)"
    ),
    finish=partial(_means, measure="accuracy"),
)(comparisons)
table_3_16 = table(
    "table3.16",
    question="What AUC do naive Bayes, C4.4 and C4.5 reach on 18 data sets?",
    convention=CONVENTION,
    reason=(
        "the printed AUC of C4.5 fits an AUC in which ties count 0, as its formula has it "
        "(table3.16-ties0), on breast, credit, ecoli, iris and solar; on naive Bayes, whose scores "
        "are hardly tied, it has no effect, and the print stays below ours on most data sets, also "
        "on import (91.7 in print, 99.0 here, although the accuracy agrees), which is not "
        "explained; the printed AUC of C4.4 and C4.5 on import is impossible with their accuracy "
        "of 100.0 (Huang 23); "
        "tried without success: one-vs-rest means, scores rounded to 1 to 3 digits, predicted "
        "classes, all folds pooled, no Laplace correction, cuts from training folds, random and 5 "
        "folds, and 9 offsets such as 1/n of a fold, of which none makes more than 18 of 51 agree"
    ),
    errata=IMPOSSIBLE,
    finish=partial(_means, measure="AUC"),
)(comparisons)


ZERO = (
    "a tie counts 0, as the printed formula of the AUC has it (Huang 6): of a search over 6 "
    "conventions (ties count 1/2 or 0; probabilities as they are, or rounded to 2 or 3 digits, or "
    "the predicted classes)"
)
table_3_14_ties = table(
    "table3.14-ties0",
    question="Table 3.14 with an AUC in which ties count 0.",
    alternative_to="table3.14",
    convention=ZERO,
    finish=partial(_totals, strict=True),
)(comparisons)
table_3_16_ties = table(
    "table3.16-ties0",
    question="Table 3.16 with an AUC in which ties count 0.",
    alternative_to="table3.16",
    convention=ZERO,
    errata=IMPOSSIBLE,
    finish=partial(_means, measure=STRICT),
)(comparisons)


SVM_GRID = {
    "C": [2.0**power for power in range(-5, 16, 2)],
    "gamma": [2.0**power for power in range(-15, 4, 2)],
}


SLOW = "mushroom"
"""The data set whose searches take hours; every other learner is right on it."""


def _svm_cells() -> list[dict[str, str]]:
    several = {"dermatology", "glass", "iris", "solar-flare-2", "wine"}
    return [{"dataset": name} for name in DATASETS if name not in {*several, SLOW}]


@item(
    "huang2006",
    "table3.17",
    kind="data",
    question="What accuracy and AUC does a tuned SVM reach on the data sets with two classes?",
    cells=_svm_cells(),
    tolerance=Sampling(),
    cost=600.0,
    repeats=2,
    block=1,
    convention=(
        f"{CONVENTION.rpartition(';')[0]}; intervals are the numbers 1, 2, 3, ...; a level of a "
        "nominal attribute is its number, too, and a missing one 0; the cross-validations that "
        "choose C and gamma have stratified folds; ours is the mean of 2 cross-validations"
    ),
    stand_ins=(
        "the SVM is scikit-learn's SVC, which contains LIBSVM",
        "mushroom is left out: one of its 20 searches takes 8 minutes, all of them 2.5 hours",
    ),
    errata={("", "import", "AUC"): "Huang 23"},
)
def table_3_17(dataset: Dataset, repeats: int, generator: np.random.Generator) -> Iterator[Value]:
    """The accuracy and the AUC of an SVM with a Gaussian kernel, in percent."""
    from sklearn.model_selection import GridSearchCV, StratifiedKFold  # noqa: PLC0415
    from sklearn.svm import SVC  # noqa: PLC0415

    data = prepared(dataset)
    attributes = np.nan_to_num(data.values, nan=-1.0) + 1.0
    found = np.empty((repeats, FOLDS, 2))
    for repeat in range(repeats):
        folds = stratified_sets(data.target.astype(np.intp), FOLDS, generator)
        for fold in range(FOLDS):
            test = folds == fold
            inner = StratifiedKFold(3, shuffle=True, random_state=int(generator.integers(2**31)))
            search = GridSearchCV(SVC(cache_size=500), SVM_GRID, cv=inner).fit(
                attributes[~test], data.target[~test]
            )
            distance = search.decision_function(attributes[test])
            scores = np.stack([-distance, distance], axis=1)
            found[repeat, fold] = judged(data.target[test].astype(np.intp), scores)
    for column, each in zip(("Accuracy", "AUC"), 100 * np.nanmean(found, axis=1).T, strict=True):
        yield mean_value(DATASETS[dataset.name][0], column, each)
