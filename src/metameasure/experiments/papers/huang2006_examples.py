"""Worked examples of Huang (2006): Tables 1.1 to 1.3, 3.1 to 3.3, 3.11 and 4.5."""

from __future__ import annotations

import math
from functools import partial
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

import metameasure as mm
from metameasure.experiments.declaration import Value, item
from metameasure.experiments.tolerance import LastDigit

if TYPE_CHECKING:
    from collections.abc import Iterator

exact = partial(item, "huang2006", kind="exact", tolerance=LastDigit(), cells=[{}], cost=0.1)


def ranked(lowest_first: str) -> tuple[list[bool], list[float]]:
    """Labels and scores of a list like "--+-+", the lowest score first."""
    return [sign == "+" for sign in lowest_first], [float(i) for i in range(len(lowest_first))]


@exact(
    "table1.1",
    question="What are the threshold measures of a list of 4 positives and 6 negatives?",
    convention="the signs are lost in the available text; of the 20 lists with the stated numbers "
    "one is shown, and all 20 have these values; the printed formula of precision and lift would "
    "give 2/3 (Huang 1)",
)
def table_1_1() -> Iterator[Value]:
    """Measures at the middle of the list; his lift is the precision of the upper half."""
    case = ranked("+-----+++-")
    yield Value("accuracy", "value", mm.accuracy(*case, k=5))
    yield Value("precision", "value", mm.precision(*case, k=5))
    yield Value("recall", "value", mm.recall(*case, k=5))
    yield Value("F-score", "value", mm.f1(*case, k=5))
    yield Value("lift", "value", mm.precision(*case, top=0.5))
    yield Value("break-even point", "value", mm.break_even_point(*case))
    yield Value("lift", "relative to the base rate", mm.lift(*case, top=0.5))


TABLE_1_2 = (
    [0, 0, 0, 0, 1, 0, 1, 1, 1, 1],
    [0.20, 0.39, 0.44, 0.57, 0.60, 0.65, 0.73, 0.81, 0.88, 0.90],
)


@exact(
    "table1.2",
    question="What are AUC, SAUC and APR of a list of 5 positives and 5 negatives?",
    errata={("", "SAUC", "value"): "Huang 2", ("", "SAUC", "sum"): "Huang 2"},
)
def table_1_2() -> Iterator[Value]:
    """Ranking measures of a list with scores."""
    soft = mm.scored_auc(*TABLE_1_2)
    yield Value("AUC", "value", mm.auc(*TABLE_1_2))
    yield Value("SAUC", "value", soft)
    yield Value("SAUC", "sum", 25 * soft)
    yield Value("APR", "value", mm.apr(*TABLE_1_2))


@exact(
    "table1.3",
    question="How far is an order of eight items from the true one?",
    convention="a_i is the true rank of the item at place i, as in the examples (Huang 5)",
    errata={("", "ED", "value"): "Huang 4"},
)
def table_1_3() -> Iterator[Value]:
    """Measures of orders."""
    order = [3, 6, 8, 1, 4, 2, 5, 7]
    found = mm.Ranking(order)
    yield Value("ED", "value", mm.euclidean_distance.compute(found))
    yield Value("ED", "square", mm.euclidean_distance.compute(found) ** 2)
    yield Value("MD", "value", mm.manhattan_distance.compute(found))
    yield Value("SRN", "value", mm.reversed_pairs.compute(found))
    yield Value("OAUC", "value", mm.ordered_auc.compute(found))
    inverse = [order.index(rank) + 1 for rank in range(1, 9)]
    yield Value("OAUC", "by the definition of a_i", mm.ordered_auc.compute(mm.Ranking(inverse)))


def _two_lists(a: str, b: str) -> Iterator[Value]:
    for row, signs in (("a", a), ("b", b)):
        case = ranked(signs)
        yield Value(row, "AUC", mm.auc(*case))
        yield Value(row, "accuracy", mm.accuracy(*case, k=5))


LISTS = "the five highest cases are called positive; signs that are illegible in the available "
LISTS += "text follow from the stated values"
listed = partial(exact, convention=LISTS)


@listed("table3.1", question="Can AUC and accuracy order two lists in opposite ways?")
def table_3_1() -> Iterator[Value]:
    """Two lists on which AUC and accuracy are inconsistent."""
    return _two_lists("---++--+++", "+----++++-")


@listed("table3.2", question="Can accuracy distinguish two lists with the same AUC?")
def table_3_2() -> Iterator[Value]:
    """Two lists with the same AUC and different accuracies."""
    return _two_lists("--++-++--+", "--+++--+-+")


@listed("table3.3", question="Can two lists have the same AUC and the same accuracy?")
def table_3_3() -> Iterator[Value]:
    """Two lists that neither measure distinguishes."""
    return _two_lists("--++-++--+", "--++-+-++-")


@exact("table3.11", question="What is the AUC of six cases of three classes?")
def table_3_11() -> Iterator[Value]:
    """AUC(i, j) of the cases of two classes, by the probability of the first, and the mean."""
    classes = np.array([1, 1, 2, 2, 3, 3])
    scores = np.array(
        [
            [0.6, 0.15, 0.3, 0.45, 0.1, 0.8],
            [0.15, 0.3, 0.5, 0.25, 0.2, 0.05],
            [0.25, 0.55, 0.2, 0.3, 0.7, 0.15],
        ]
    )
    for i, j in permutations((1, 2, 3), 2):
        both = np.isin(classes, (i, j))
        yield Value(f"AUC({i}, {j})", "value", mm.auc(classes[both] == i, scores[i - 1, both]))
    yield Value("AUC", "value", mm.hand_till_auc(classes, scores.T))


@exact(
    "table4.5",
    question="What are RMS, AUC and accuracy of ten perturbed probabilities?",
    convention="positive is what exceeds 0.5; AUC:acc is AUC + acc/100, as in all tables of the "
    "thesis (Huang 16), and the linear combination has the weight sqrt(1/2)",
)
def table_4_5() -> Iterator[Value]:
    """Measures of a perturbed list against the true probabilities."""
    true = [k / 10 for k in range(1, 11)]
    perturbed = [0.0, 0.15, 0.6, 0.5, 0.95, 0.2, 0.65, 0.7, 1.0, 0.4]
    positive = [p > 0.5 for p in true]
    auc = mm.auc(positive, perturbed)
    accuracy = mm.accuracy(positive, perturbed, threshold=math.nextafter(0.5, 1))
    weight = math.sqrt(0.5)
    distance = np.sqrt(np.mean(np.subtract(true, perturbed) ** 2))
    yield Value("RMS", "value", float(distance))
    yield Value("AUC", "value", auc)
    yield Value("acc", "value", accuracy)
    yield Value("AUC:acc", "value", auc + accuracy / 100)
    yield Value("AUC+acc", "value", weight * auc + (1 - weight) * accuracy)


@exact(
    "section1.1.2",
    question="Does SAUC reward scores that are closer to the true probabilities?",
    convention="ten cases with the true probability 0.8 and ten with 0.2, whose outcomes are as "
    "expected; nothing is printed",
)
def section_1_1_2() -> Iterator[Value]:
    """SAUC and the Brier score of the true probabilities, and of scores 1 and 0 instead."""
    labels = [1] * 8 + [0] * 2 + [1] * 2 + [0] * 8
    for row, high in (("true probabilities", 0.8), ("extreme scores", 1.0)):
        scores = [high] * 10 + [1 - high] * 10
        yield Value(row, "SAUC", mm.scored_auc(labels, scores))
        yield Value(row, "Brier score", mm.brier(labels, scores))
