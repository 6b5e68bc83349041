"""Model selection in chapter 5 of Huang (2006): Figures 5.1 to 5.3."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from metameasure import experiments
from metameasure.experiments.declaration import Value, item
from metameasure.experiments.figures import rate_lines
from metameasure.experiments.generators import ringnorm
from metameasure.experiments.tolerance import LastDigit
from metameasure.lab import ability, stratified_sets, values_on_sets
from metameasure.measurement import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from matplotlib.figure import Figure

    from metameasure._types import Floats, Indices
    from metameasure.experiments.dataset import Dataset
    from metameasure.experiments.reproduction import Reproduction

MEASURES = {
    "acc": "accuracy",
    "AUC": "auc",
    "FSC": "f_measure",
    "APR": "average_precision",
    "BEP": "break_even_point",
    "lift": "top_precision",
    "RMS": "rms",
    "MXE": "log_loss(clip=1e-6)",
    "SAUC": "scored_auc",
}
GOALS = ("acc", "AUC", "lift")
PARTS, SETS = 10, 100
BLOCK = 2
"""The number of training parts of a cell."""
ROUNDING = 1e-12
TOLERANCES = tuple(range(1, 6))
"""Tolerances in percent of the largest MSA."""
RESAMPLES = 200
RATE_ROWS, MEAN = tuple(f"{each}%" for each in TOLERANCES), "mean MSA"
BLUE, GREEN, ORANGE = "#1f5fa8", "#2e8b57", "#c8641e"
STYLES = {
    "SAUC": (BLUE, "o-"),
    "RMS": (BLUE, "s--"),
    "MXE": (BLUE, "^:"),
    "AUC": (GREEN, "o-"),
    "APR": (GREEN, "s--"),
    "acc": (ORANGE, "o-"),
    "FSC": (ORANGE, "s--"),
    "BEP": (ORANGE, "^:"),
    "lift": (ORANGE, "D-."),
}
"""The color and line of each measure: of probabilities, of rankings, of a threshold."""
LETTERS = "ABCDEFGHIJKLM"
DEPTHS = (
    *("draw", "zero", "one", "two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "eleven"),
)
CASES: dict[str, dict[float, Sequence[str]]] = {
    "letter": {
        50: LETTERS, 38.2: LETTERS[:10], 25: LETTERS[:7], 11.5: LETTERS[:3], 7.8: "AB", 4: "A",
    },
    "adult": {24.8: (">50K",)},
    "krk": {47: DEPTHS, 23.5: DEPTHS[:10], 10: ("draw",), 5: ("eight",)},
    "page-blocks": {10.2: "2345"},
    "pendigits": {50: "01234", 40: "0123", 30: "012", 7: "0", 3: "0", 1.4: "0"},
    "nursery": {33.3: ("not_recom",)},
    "covtype": {48.8: "2"},
    "nettalk": {28.2: "-xt"},
    "mushroom": {48.2: "p"},
    "satimage": {47.2: "17", 30.8: "34", 23.8: "1", 9.7: "4"},
    "phoneme": {29.4: "1"},
    "texture": {36.7: "2346"},
    "ringnorm": {27: "1"},
}  # fmt: skip
"""The positive classes of each data set, by the percentage of Table 5.1."""
THINNED = {("pendigits", 7), ("pendigits", 3), ("pendigits", 1.4), ("ringnorm", 27)}
"""Cases whose positive class is larger than the percentage; some of its cases are left out."""
NETTALK_ROWS = 20000
GROUPS = {"40%-50%": (40, 50), "25%-30%": (25, 30), "1.4%-10%": (1.4, 10)}
NEIGHBORS = (5, 10, 20, 30, 50, 100, 150, 200, 250, 300)
COSTS = (*(10.0**power for power in range(-6, 2)), 50.0, 100.0)
ITERATIONS = 100_000
SIXTEENTHS = (1, 2, 4, 6, 8, 10, 12, 14, 15, 16)
"""The numbers of attributes of the naive Bayes models, of 16."""


def binary_case(data: Dataset, percent: float) -> Dataset:
    """The data set with two classes and, nearly, a percentage of positive cases."""
    generator = np.random.default_rng(0)
    if data.name == "adult":
        data = data.take(data.complete)
    elif data.name == "nettalk":
        data = data.take(np.sort(generator.permutation(len(data))[:NETTALK_ROWS]))
    elif data.name == "ringnorm":
        data = ringnorm(round(2 * (1 - percent / 100) * len(data)), seed=0)
    found = data.binary(tuple(CASES[data.name][percent]))
    if (data.name, percent) not in THINNED:
        return found
    positive, negative = (np.flatnonzero(found.target == label) for label in (1, 0))
    count = round(percent / (100 - percent) * negative.size)
    kept = np.concatenate([negative, generator.permutation(positive)[:count]])
    return found.take(np.sort(kept))


def neighbors(data: Dataset, train: Indices, rest: Indices) -> Floats:
    """The probabilities of ten nearest neighbor models, as Weka's IBk computes them."""
    from sklearn.neighbors import NearestNeighbors  # noqa: PLC0415

    coded = _coded(data, train)
    most = min(NEIGHBORS[-1], train.size)
    search = NearestNeighbors(n_neighbors=most, algorithm="brute").fit(coded[train])
    positive = np.cumsum(
        data.target[train][search.kneighbors(coded[rest], return_distance=False)], axis=1
    )
    counts = [min(k, most) for k in NEIGHBORS]
    return np.stack([(positive[:, k - 1] + 1 / train.size) / (k + 2 / train.size) for k in counts])


def trees(data: Dataset, train: Indices, rest: Indices) -> Floats:
    """The probabilities of nine trees."""
    models = [
        experiments.C45Tree(nominal=data.nominal, min_leaf=least, confidence=confidence)
        for least in (2, 5, 10)
        for confidence in (0.1, 0.25, 0.35)
    ]
    return np.stack(
        [
            model.fit(data.values[train], data.target[train]).predict_proba(data.values[rest])[:, 1]
            for model in models
        ]
    )


def bayes(data: Dataset, train: Indices, rest: Indices) -> Floats:
    """The probabilities of naive Bayes models with more and more attributes."""
    every = len(data.attributes)
    found = []
    for count in dict.fromkeys(max(1, round(each * every / 16)) for each in SIXTEENTHS):
        model = experiments.MixedNaiveBayes(nominal=data.nominal[:count])
        model.fit(data.values[train, :count], data.target[train])
        found.append(model.predict_proba(data.values[rest, :count])[:, 1])
    return np.stack(found)


def svms(data: Dataset, train: Indices, rest: Indices) -> Floats:
    """The probabilities of ten SVMs with a quadratic kernel, from a logistic model of each."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    from sklearn.svm import SVC  # noqa: PLC0415

    coded = _coded(data, train)
    target: Indices = data.target[train].astype(np.intp)
    inner = (coded[train] @ coded[train].T) ** 2
    weights = np.zeros((train.size, len(COSTS)))
    for column, cost in zip(weights.T, COSTS, strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the number of iterations is a stated limit
            model = SVC(C=cost, kernel="precomputed", max_iter=ITERATIONS).fit(inner, target)
        column[model.support_] = model.dual_coef_[0]
    blocks = np.array_split(coded[rest], 1 + rest.size // 2000)
    outer = np.concatenate([(block @ coded[train].T) ** 2 @ weights for block in blocks])
    classes, platt = _platt_weights(target)
    found = []
    for fitted, predicted in zip((inner @ weights).T, outer.T, strict=True):
        scale = fitted.std() or 1.0
        logistic = LogisticRegression(C=1e6)
        logistic.fit(np.tile(fitted / scale, 2)[:, np.newaxis], classes, platt)
        found.append(logistic.predict_proba(predicted[:, np.newaxis] / scale)[:, 1])
    return np.stack(found)


def _platt_weights(target: Indices) -> tuple[Indices, Floats]:
    """Each case as positive and as negative, with Platt's target probabilities as weights."""
    positive = np.count_nonzero(target)
    probability = np.where(
        target == 1, (positive + 1) / (positive + 2), 1 / (target.size - positive + 2)
    )
    classes = np.repeat([1, 0], target.size)
    return classes, np.concatenate([probability, 1 - probability])


def _coded(data: Dataset, train: Indices) -> Floats:
    """All cases as numbers from 0 to 1, coded and scaled by the training cases."""
    from sklearn.preprocessing import MinMaxScaler  # noqa: PLC0415

    coder = experiments.AttributeCoder(nominal=data.nominal, reference=False).fit(
        data.values[train]
    )
    numbers = coder.transform(data.values)
    return np.asarray(MinMaxScaler(clip=True).fit(numbers[train]).transform(numbers))


LEARNERS: dict[str, Callable[[Dataset, Indices, Indices], Floats]] = {
    "KNN": neighbors,
    "C4.5": trees,
    "Naive Bayes": bayes,
    "SVM": svms,
}
"""The probabilities of the models of each learner, from training cases and the other cases."""


def abilities(
    data: Dataset, learner: str, part: int, generator: np.random.Generator, tie: float = 0.5
) -> dict[tuple[str, str], float]:
    """The MSA of each measure for each goal, with models that one part of the cases trains."""
    target: Indices = data.target.astype(np.intp)
    place = stratified_sets(target, PARTS, np.random.default_rng(0))
    train, rest = np.flatnonzero(place == part), np.flatnonzero(place != part)
    scores = LEARNERS[learner](data, train, rest)
    measures = [parse(each) for each in MEASURES.values()]
    of_set = stratified_sets(target[rest], SETS, generator)
    values = values_on_sets(measures, target[rest] == 1, scores, of_set)
    merit = {
        name: measure.goodness(value)
        for name, measure, value in zip(MEASURES, measures, values, strict=True)
    }
    return {
        (goal, name): ability(merit[name], merit[goal], tie) for goal in GOALS for name in MEASURES
    }


def selection(
    learner: str,
    dataset: Dataset,
    percent: float,
    block: int,
    repeats: int,
    generator: np.random.Generator,
    *,
    tie: float = 0.5,
) -> Iterator[Value]:
    """The MSA with the models of a learner on a binary data set, which the part names.

    The row is the goal and the training part, so that the spread over these parts is known.
    """
    data = binary_case(dataset, percent)
    for part in range(block * BLOCK, block * BLOCK + repeats):
        for (goal, name), msa in abilities(data, learner, part, generator, tie).items():
            yield Value(f"{goal} {part}", name, msa, part=f"{learner} {dataset.name} {percent:g}")


@dataclass(frozen=True)
class Case:
    """A goal, a learner and a binary data set on which measures select models."""

    goal: str
    learner: str
    data: str

    @classmethod
    def of(cls, value: Value) -> Case:
        """The case of a value."""
        learner = next(name for name in LEARNERS if value.part.startswith(f"{name} "))
        return cls(value.row.partition(" ")[0], learner, value.part.removeprefix(f"{learner} "))


def _rates(values: list[Value], panel: Callable[[Case], Sequence[str]]) -> Iterator[Value]:
    """How often each measure is near the largest MSA, by panel, and its mean MSA.

    Standard errors are by the bootstrap of the training parts of each data set.
    """
    found: dict[Case, dict[str, list[float]]] = {}
    for value in values:
        found.setdefault(Case.of(value), {}).setdefault(value.column, []).append(value.value)
    cases = list(found)
    names = list(found[cases[0]])
    msa = np.array([[found[case][name] for name in names] for case in cases])
    means, again = msa.mean(axis=-1), _resampled(msa, [case.data for case in cases])
    panels: dict[str, list[int]] = {}
    for index, case in enumerate(cases):
        for name in panel(case):
            panels.setdefault(name, []).append(index)
    for part, chosen in panels.items():
        rates, spread = _statistics(means[chosen]), _statistics(again[:, chosen]).std(0, ddof=1)
        for row, of_row, errors in zip((*RATE_ROWS, MEAN), rates, spread, strict=True):
            for column, rate, error in zip(names, of_row, errors, strict=True):
                yield Value(row, column, rate, error, part, count=len(chosen))


def _resampled(msa: Floats, data: list[str]) -> Floats:
    """The mean MSA of cases and measures if the training parts of a data set are drawn again."""
    generator = np.random.default_rng(0)
    parts = msa.shape[-1]
    drawn = {name: generator.integers(parts, size=(RESAMPLES, parts)) for name in sorted({*data})}
    return np.stack(
        [each[:, drawn[name]].mean(axis=-1).T for each, name in zip(msa, data, strict=True)], axis=1
    )


def _statistics(means: Floats) -> Floats:
    """Success rates by tolerance and the mean MSA of measures, over the cases: (..., rows, n)."""
    best = means.max(axis=-1, keepdims=True)
    rates = [
        (means >= (1 - tolerance / 100) * best - ROUNDING).mean(axis=-2) for tolerance in TOLERANCES
    ]
    return np.stack([*rates, means.mean(axis=-2)], axis=-2)


def _by_goal(case: Case) -> list[str]:
    return [f"goal {case.goal}"]


def _by_group(case: Case) -> list[str]:
    percent = float(case.data.rpartition(" ")[2])
    rounded = round(percent) if percent > 2 else percent
    return [name for name, (low, high) in GROUPS.items() if low <= rounded <= high]


def _by_learner(case: Case) -> list[str]:
    return [case.learner]


def _drawn(result: Reproduction) -> Figure:
    """Success rates against tolerances; colors tell the kinds of measures apart."""
    return rate_lines(result, STYLES, x="tolerance", y="success rate", rows=RATE_ROWS)


CONVENTION = (
    "one tenth of the cases trains, the others are 100 stratified sets; the positive classes "
    "are those of the text for letter, and otherwise those that give the percentages of Table "
    "5.1: chess depths from draw to eleven, to eight, draw alone and eight alone; digits from "
    "0 on for 50, 40 and 30%, and a part of the zeros for 7, 3 and 1.4%; satimage 1 and 7, 3 "
    "and 4, 1, 4; texture 2, 3, 4 and 6 (36.4%); the three most frequent phonemes of nettalk "
    "(29%), of which 20000 rows are drawn; page-blocks, whose percentage is not legible, all "
    "but class 1; complete rows of adult; class 1 of ringnorm, thinned; models as stated, but "
    "naive Bayes has the first 1, 2, 4, ..., 16 sixteenths of the attributes, as for pen "
    "digits, and fewer models if there are fewer attributes, and C4.5 has the nine "
    "combinations that are named; nominal attributes are indicators and all are scaled to "
    "[0, 1] for KNN and SVM; probabilities of the SVM are from Platt's logistic model on the "
    "training cases, and its training ends after 100,000 iterations; MXE clips probabilities "
    "at 0.000001; ties count 1/2; classes are predicted at 0.5; lift is the precision in the "
    "upper quarter; percentages are rounded before they are grouped"
)
ZERO = (
    "a tie of two models is a wrong choice, as the definition in the text can be read, otherwise "
    "as figure5.1: of a search over 2 conventions (ties count 1/2 or 0)"
)
STAND_INS = (
    "connect-4, isolet, musk and artificial characters are not available: 29 of 41 data sets",
    "texture has 5500 rows here, 22000 in the thesis; phoneme 5404 instead of 5427",
    "KNN is a search of all cases with IBk's probabilities, C4.5 is C45Tree()",
    "naive Bayes is MixedNaiveBayes(), the SVM scikit-learn's SVC with the kernel (x y)^2",
)

figure = partial(
    item,
    "huang2006",
    kind="data",
    tolerance=LastDigit(),
    cells=[
        {"learner": learner, "dataset": name, "percent": percent}
        for learner in LEARNERS
        for name, cases in CASES.items()
        for percent in cases
    ],
    cost=300.0,
    repeats=PARTS,
    block=BLOCK,
    figure=_drawn,
    stand_ins=STAND_INS,
    unavailable=("connect-4", "isolet", "musk-2", "artificial characters"),
    version=2,
)

figure_5_1 = figure(
    "figure5.1",
    question="Should models be selected by the measure that is the goal?",
    cells_of="figure5.1",
    convention=CONVENTION,
    reason=(
        "the figures print no numbers; of the claims of Sec. 5.2.2, those on the measures that are "
        "better than the goal (for accuracy, AUC and lift) hold only if ties count 0 "
        "(figure5.1-ties0); that all are further ahead of lift holds only if they count 1/2; that "
        "the goal is never the best, and that lift and BEP are worse than accuracy, hold with both"
    ),
    finish=partial(_rates, panel=_by_goal),
)(selection)
figure_5_1_ties = figure(
    "figure5.1-ties0",
    question="Figure 5.1 with a success rate in which ties count 0.",
    alternative_to="figure5.1",
    cells_of="figure5.1-ties0",
    convention=ZERO,
    finish=partial(_rates, panel=_by_goal),
)(partial(selection, tie=0.0))
figure_5_2 = figure(
    "figure5.2",
    question="Does the ability to select models depend on the class distribution?",
    cells_of="figure5.1",
    convention=CONVENTION,
    finish=partial(_rates, panel=_by_group),
)(selection)
figure_5_2_ties = figure(
    "figure5.2-ties0",
    question="Figure 5.2 with a success rate in which ties count 0.",
    alternative_to="figure5.2",
    cells_of="figure5.1-ties0",
    convention=ZERO,
    finish=partial(_rates, panel=_by_group),
)(partial(selection, tie=0.0))
figure_5_3 = figure(
    "figure5.3",
    question="Does the ability to select models depend on the learner?",
    cells_of="figure5.1",
    convention=CONVENTION,
    finish=partial(_rates, panel=_by_learner),
)(selection)
figure_5_3_ties = figure(
    "figure5.3-ties0",
    question="Figure 5.3 with a success rate in which ties count 0.",
    alternative_to="figure5.3",
    cells_of="figure5.1-ties0",
    convention=ZERO,
    finish=partial(_rates, panel=_by_learner),
)(partial(selection, tie=0.0))
