"""Statements about measures: what is enumerated, how exceptions are judged, and some by hand."""

import math
from fractions import Fraction
from itertools import combinations, permutations

import pytest

import metameasure as mm
from changed_results import changed
from metameasure import experiments
from metameasure.experiments import statements as stating
from metameasure.experiments.claims import FAILS, HOLDS, ONLY_WHEN, OPEN, Findings, claims
from metameasure.experiments.declaration import PAPERS, Value
from metameasure.experiments.papers import huang2006_statements as huang
from metameasure.experiments.papers import wu2007_statements as wu
from metameasure.experiments.papers import xie2022_statements as xie
from metameasure.experiments.reproduction import judged
from metameasure.experiments.statements import EXCEPTIONS, TRIED, UNDER, Statement

STATED = [each for each in claims() if each.items == (f"{each.paper}/{stating.ITEM}",)]


def made(claim, **counts):
    """The verdict if all statements of a paper had these counts."""
    (item,) = experiments.items(claim.items[0])
    values = [
        Value(cell["statement"], column, counts[name])
        for cell in item.cells
        for name, column in {"tried": TRIED, "exceptions": EXCEPTIONS, "under": UNDER}.items()
    ]
    return claim.judged({item.key: judged(item, values)}).verdict


def test_every_paper_has_statements():
    assert {each.paper for each in STATED} == set(PAPERS)
    for paper in PAPERS:
        (item,) = experiments.items(f"{paper}/{stating.ITEM}")
        assert len(item.cells) == sum(each.paper == paper for each in STATED)


@pytest.mark.parametrize("claim", STATED, ids=lambda each: f"{each.paper} {each.place}")
def test_exceptions_change_the_verdict(claim):
    statement = claim.judge.func.__self__
    assert claim.judged({}).verdict == OPEN
    assert made(claim, tried=9, exceptions=0, under=0) == HOLDS
    assert made(claim, tried=9, exceptions=3, under=1) == FAILS
    assert made(claim, tried=9, exceptions=3, under=0) == (
        ONLY_WHEN if statement.condition else FAILS
    )


def test_exceptions_are_counted():
    small = Statement(
        "small", "", "Numbers are small.", lambda n: n < 3, lambda: [(n,) for n in range(10)],
        condition="they are even", under=lambda n: n % 2 == 0,
    )  # fmt: skip
    assert {v.column: v.value for v in small.counted()} == {TRIED: 10, EXCEPTIONS: 7, UNDER: 3}


@pytest.mark.parametrize(("size", "lists"), [(1, 3), (2, 26), (3, 252)])
def test_all_lists_with_ties_are_enumerated(size, lists):
    """Paths from (0, 0) to (n, n) with any steps that are not negative: OEIS A052141."""
    found = [case for case in stating.tied_lists(2 * size) if [*map(len, case)] == [size, size]]
    assert len(found) == len(set(found)) == lists
    assert all(0 < score < 1 for case in found for part in case for score in part)


def test_lists_without_ties_are_choices_of_places():
    found = [case for case in stating.untied_lists() if [*map(len, case)] == [3, 3]]
    assert len(found) == sum(1 for _ in combinations(range(6), 3))
    assert not any(stating.shared_scores(*case) for case in found)


def test_a_best_operating_point_below_the_hull():
    """By hand: of 8 positives and 6 negatives, TPR 5/8 at FPR 1/6."""
    labels = [int(sign == "+") for sign in "++++-+-+-++---"]
    tpr, fpr = Fraction(5, 8), Fraction(1, 6)
    ends = (Fraction(0), Fraction(1, 2)), (Fraction(1, 2), Fraction(1))
    line = ends[0][1] + (ends[1][1] - ends[0][1]) * fpr / (ends[1][0] - ends[0][0])
    assert line > tpr  # below the line between two other points
    assert math.sqrt(tpr * (1 - fpr)) == pytest.approx(0.722, abs=0.0005)
    assert tpr * (1 - fpr) > max(y * (1 - x) for x, y in ends)  # the squared geometric mean
    assert not xie._best_on_hull(labels, "g_mean")
    for measure in xie.STRAIGHT:
        assert xie._best_on_hull(labels, measure)


def test_the_same_auc_with_another_loss():
    """The least losses by hand, over cost ratios k/12 that are weighted as by H."""

    def loss(case):
        high, low = case
        cuts = [*high, *low, 2.0]
        return sum(
            k * (12 - k)
            * min(k * sum(s < c for s in high) + (12 - k) * sum(t >= c for t in low) for c in cuts)
            for k in range(13)
        )  # fmt: skip

    pairs = list(xie._equal_areas())
    same = [loss(one) == loss(other) for one, other in pairs]
    assert [xie._same_loss(*pair) for pair in pairs] == same
    assert 0 < same.count(False) < len(same)
    # no point of the second curve is above the diagonal; the first has TPR 1 at FPR 2/3
    one, other = [0, 0, 1, 1, 1, 0], [0, 1, 0, 1, 0, 1]
    scores = range(6, 0, -1)
    assert mm.auc(one, scores) == mm.auc(other, scores) == pytest.approx(1 / 3)
    assert mm.h_measure(one, scores) > 0.1
    assert mm.h_measure(other, scores) == pytest.approx(0)


@pytest.mark.parametrize("length", [4, 5])
def test_the_number_of_values_of_oauc(length):
    low = length // 2
    stated = low * sum(range(low + 1, length + 1))
    found = set()
    for order in permutations(range(1, length + 1)):
        places = [i for i, rank in enumerate(order, 1) if rank > low]
        found.add(sum(order[p - 1] * (p - i) for i, p in enumerate(places, 1)))
    assert huang._distinct("OAUC", length) == len(found) < stated


def test_accuracy_agrees_less_often_than_c_says():
    """Table 3.4 and 3.5 of the thesis for 6 cases: 113 + 1 pairs that both decide, 62 more."""
    counts = huang._compared(3, 3).counts
    assert (counts.con, counts.incon, counts.dis_fg) == (113, 1, 62)
    assert not huang._agreement(3, 3)
    assert huang._agreement(1, 1)


def test_sums_contradict_auc_from_102_cases_on():
    assert next(size for size in range(40, 61) if not huang._sum_orders_by_auc(size)) == 51


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_a_sum_of_rounded_values_orders_as_two_levels(size):
    """All lists, with values from the places of the positives."""
    values = []
    for places in combinations(range(2 * size), size):  # from the lowest score on
        right = sum(place - rank for rank, place in enumerate(places))
        hits = sum(place >= size for place in places)
        values.append((round(right / size**2, 3), round(hits / size, 3)))
    for one, other in combinations(values, 2):
        first, second = (1000 * area + accuracy for area, accuracy in (one, other))
        assert (first > second) == (one > other)
    assert huang._rounded_sum_has_two_levels(size)


def test_a_rounded_sum_fails_if_accuracy_could_be_1_with_a_lower_auc(monkeypatch):
    monkeypatch.setattr(huang, "_areas", lambda size, _: range(size**2 + 1))
    assert not huang._rounded_sum_has_two_levels(32)  # AUC 0 and 1/1024, accuracy 1 and 0


def test_algorithms_fail_where_they_are_wrong():
    assert not wu._table_1((0.5,), (0.5,))  # a tie, which Table 1 excludes
    assert not wu._segments((0.8,), (0.3,))
    assert not xie._algorithm_2((0.9, 0.5), (0.7, 0.2, 0.1))
    assert xie._algorithm_2((0.9, 0.5), (0.7, 0.2))


def test_a_wrong_measure_has_exceptions(monkeypatch):
    """Statements use the measures of the library."""
    monkeypatch.setattr(mm, "auch", lambda *_: 0.0)
    (claim,) = [each for each in STATED if each.text.startswith("AUCH is at least")]
    statement = claim.judge.func.__self__
    counts = {value.column: value.value for value in statement.counted()}
    assert counts[EXCEPTIONS] > 0
    values = list(statement.counted())
    (item,) = experiments.items(claim.items[0])
    found = Findings({item.key: changed(judged(item, values), lambda _: None)})
    assert claim.judge(found).verdict == FAILS
