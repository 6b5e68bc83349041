"""What is declared about the spacing of values: multiples of a quantum, and exact fractions."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metameasure as mm
from common.checks import oracle_value
from oracles import order as slow_order
from oracles import pairs as slow
from oracles.ranking import auch, h_measure, upper_hull
from strategies import cases, parameters, table_of

ONE = Fraction(1)
OF_TABLES = [m for m in mm.measures() if m.declaration.quantum]
OF_ORDERS = [m for m in mm.measures(subject="order") if m.declaration.quantum]
WITHOUT = [m for m in mm.measures(subject="all") if not m.declaration.quantum]
AT_CUT = [m for m in OF_TABLES if m.point]
ORDERS = {
    "manhattan_distance": slow_order.manhattan_distance,
    "reversed_pairs": slow_order.reversed_pairs,
    "ordered_auc": slow_order.ordered_auc,
    "kendall_tau": lambda true, predicted: tau(
        len(true), slow_order.reversed_pairs(true, predicted)
    ),
    "spearman_rho": lambda true, predicted: rho(
        len(true), slow_order.squared_distance(true, predicted)
    ),
}


def tau(n, reversed_pairs):
    """Kendall's tau without ties: 1 - 2 reversed / pairs."""
    return 1 - Fraction(2 * reversed_pairs, n * (n - 1) // 2)


def rho(n, squared_distance):
    """Spearman's rho without ties: 1 - 6 d / (n (n^2 - 1))."""
    return 1 - Fraction(6 * squared_distance, n * (n * n - 1))


def sizes(some_cases):
    positives = sum(weight for label, _, weight in some_cases if label)
    return positives, sum(weight for *_, weight in some_cases) - positives


def whole_cases(max_size=9):
    """Cases with whole weights, many of them tied."""
    whole = cases(weights=False, min_size=2, max_size=max_size)
    weights = st.lists(st.sampled_from([1, 1, 1, 2, 3]), min_size=max_size, max_size=max_size)
    return st.tuples(whole, weights).map(
        lambda drawn: [
            (label, score, Fraction(weight))
            for (label, score, _), weight in zip(*drawn, strict=False)
        ]
    )


def check_multiple(measure, some_cases):
    """The exact value is a whole number of quanta; the quantum itself a positive fraction."""
    value = oracle_value(measure, some_cases)
    if value is None or 0 in sizes(some_cases):
        return
    quantum = measure.quantum(*sizes(some_cases))
    assert isinstance(quantum, Fraction), measure
    assert 0 < quantum <= 1
    assert isinstance(value, (int, Fraction)), f"{measure}: {value} is no fraction"
    assert (Fraction(value) / quantum).denominator == 1, f"{measure}: {value} / {quantum}"


def test_which_measures_declare_a_quantum():
    assert {m.name for m in OF_TABLES} == {
        "accuracy", "error_rate", "balanced_accuracy", "tpr", "fpr", "tnr", "fnr", "youden_j",
        "auc", "gini", "area_above_diagonal", "auch", "ks", "signed_ks", "abc", "taks",
        "average_precision",
    }  # fmt: skip
    assert {m.name for m in OF_ORDERS} == set(ORDERS)


@pytest.mark.parametrize("measure", OF_TABLES, ids=str)
def test_values_are_whole_multiples_on_tied_lists(measure):
    @given(whole_cases())
    def check(some_cases):
        check_multiple(measure, some_cases)

    check()


@pytest.mark.parametrize("measure", [m for m in OF_TABLES if m.declaration.parameters], ids=str)
def test_values_are_whole_multiples_for_other_parameters(measure):
    @given(st.data())
    def check(data):
        chosen = measure.using(**data.draw(parameters(measure)))
        some_cases = data.draw(whole_cases())
        if 0 not in sizes(some_cases) and chosen.quantum(*sizes(some_cases)) is not None:
            check_multiple(chosen, some_cases)

    check()


@pytest.mark.parametrize("measure", AT_CUT, ids=str)
def test_values_at_other_cuts(measure):
    """At any threshold; at a cut by rank only as long as no tie is cut."""

    @given(whole_cases(), st.sampled_from([-1.0, 0.2, 0.37, 0.55, 2.0]))
    def check(some_cases, threshold):
        check_multiple(measure.using(threshold=threshold), some_cases)

    check()
    for k in range(8):
        for one in slow.ranked_lists(4, 3):
            check_multiple(measure.using(k=k), one)
    tied = [(True, 0.9, ONE), *[(True, 0.5, ONE)] * 2, *[(False, 0.5, ONE)] * 4]
    quantum = measure.quantum(ONE * 3, ONE * 4)
    cut = oracle_value(measure.using(k=2), tied)
    assert (cut / quantum).denominator > 1


@pytest.mark.parametrize("measure", OF_TABLES, ids=str)
def test_quanta_of_many_tables_at_once(measure):
    """As floats for arrays of sizes; they are those of fractions."""
    positives, negatives = np.array([1.0, 3, 8, 20]), np.array([2.0, 3, 5, 40])
    found = np.broadcast_to(measure.quantum(positives, negatives), positives.shape)
    for place, (p, q) in enumerate(zip(positives, negatives, strict=True)):
        expected = measure.quantum(Fraction(int(p)), Fraction(int(q)))
        assert found[place] == pytest.approx(float(expected), rel=1e-12)
    assert float(measure.quantum(np.array(3.0), np.array(4.0))) == pytest.approx(
        float(measure.quantum(Fraction(3), Fraction(4)))
    )


def test_quanta_beyond_floats_are_zero():
    """The least common multiple of 1 to 61 has 26 digits: ties are inferred from floats."""
    for measure in (mm.average_precision, mm.taks, mm.abc):
        assert measure.quantum(Fraction(30), Fraction(30)) > 0
        assert measure.quantum(Fraction(30), Fraction(31)) == 0


def test_a_quantum_is_nowhere_twice_as_large():
    """Some list needs it, but for taKS, ABC and average precision, whose quanta are bounds."""
    for measure in OF_TABLES:
        if measure.name in {"taks", "abc", "average_precision"}:
            continue
        quantum = measure.quantum(Fraction(3), Fraction(4))
        tied = [(label, score, ONE) for label in (True, False) for score in (0.3, 0.7)]
        lists = [*slow.ranked_lists(3, 4), [*tied, (True, 0.3, ONE), *[(False, 0.3, ONE)] * 2]]
        chosen = measure.using(k=3) if measure.point else measure
        multiples = [
            oracle_value(measure if one is lists[-1] else chosen, one) / quantum for one in lists
        ]
        assert math.gcd(*(int(m) for m in multiples)) == 1, measure


# Orders


@pytest.mark.parametrize("measure", OF_ORDERS, ids=str)
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_values_of_orders_are_whole_multiples(measure, n):
    quantum = measure.quantum(Fraction(n))
    assert isinstance(quantum, Fraction)
    for order in slow.orders(n):
        value = ORDERS[measure.name](order, range(1, n + 1))
        assert (Fraction(value) / quantum).denominator == 1
        assert measure(order, range(1, n + 1)) == pytest.approx(float(value), abs=1e-12)


@pytest.mark.parametrize("name", ["manhattan_distance", "reversed_pairs"])
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=7))
def test_distances_are_whole_with_ties_too(name, items):
    true, predicted = zip(*items, strict=True)
    assert Fraction(ORDERS[name](true, predicted)).denominator == 1


# Exact values


def steps(some_cases):
    """The positives and negatives of each step of the hull, by the slow hull."""
    positives, negatives = sizes(some_cases)
    path = [(Fraction(0), Fraction(0))]
    scores = sorted({score for _, score, _ in some_cases}, reverse=True)
    for level in scores:
        row = [case for case in some_cases if case[1] == level]
        p, q = sizes(row)
        path.append((path[-1][0] + q / negatives, path[-1][1] + p / positives))
    hull = upper_hull(path)
    return [
        (int((y1 - y0) * positives), int((x1 - x0) * negatives))
        for (x0, y0), (x1, y1) in pairwise(hull)
    ]


WHOLE = st.integers(1, 6)


@given(whole_cases(), WHOLE, WHOLE)
def test_the_exact_h_measure(some_cases, alpha, beta):
    if 0 in sizes(some_cases):
        return
    exact = mm.h_measure.declaration.exact
    found = exact(steps(some_cases), alpha=float(alpha), beta=float(beta))
    assert isinstance(found, Fraction)
    assert found == h_measure(some_cases, alpha=alpha, beta=beta)
    measure = mm.h_measure.using(alpha=alpha, beta=beta)
    assert measure(table_of(some_cases)) == pytest.approx(float(found), abs=1e-12)


@given(whole_cases())
def test_the_exact_h_measure_by_default_and_with_the_prior(some_cases):
    if 0 in sizes(some_cases):
        return
    exact, (positives, negatives) = mm.h_measure.declaration.exact, sizes(some_cases)
    assert exact(steps(some_cases)) == h_measure(some_cases)
    found = exact(steps(some_cases), severity="prior")
    if (negatives / positives).denominator == 1:
        assert found == h_measure(some_cases, severity="prior")
    else:
        assert found is None


def test_the_hull_of_the_oracle_is_the_library_s():
    """Their steps give the same area."""
    for one in slow.ranked_lists(4, 3):
        tp = fp = area = Fraction(0)
        for p, q in steps(one):
            area += Fraction(q, 3) * (tp + Fraction(p, 8))
            tp, fp = tp + Fraction(p, 4), fp + Fraction(q, 3)
        assert (tp, fp) == (1, 1)
        assert area == auch(one)


def test_what_has_no_exact_value():
    one_step = [(3, 4)]
    exact = mm.h_measure.declaration.exact
    assert exact(one_step) == 0
    assert exact(one_step, alpha=2.5) is None
    assert exact(one_step, beta=0.5) is None
    assert exact(one_step, severity="prior") is None  # N/P is no whole number
    assert [m.name for m in mm.measures(subject="all") if m.declaration.exact] == ["h_measure"]


@pytest.mark.parametrize("measure", WITHOUT, ids=str)
def test_other_measures_have_no_quantum(measure):
    size = (Fraction(5),) if measure.declaration.subject == "order" else (Fraction(3), Fraction(4))
    assert measure.quantum(*size) is None


def test_interpolations_without_a_quantum():
    for interpolation in ("davis_goadrich", "trapezoid", "11_point"):
        chosen = mm.average_precision.using(interpolation=interpolation)
        assert chosen.quantum(Fraction(3), Fraction(4)) is None
    for interpolation in ("step", "max"):
        chosen = mm.average_precision.using(interpolation=interpolation)
        assert chosen.quantum(Fraction(3), Fraction(4)) == Fraction(1, 3 * math.lcm(*range(1, 8)))


def test_combinations_have_no_quantum():
    assert mm.two_level("auc", "accuracy").quantum(Fraction(3), Fraction(4)) is None
    assert mm.linear("auc", "accuracy").quantum(Fraction(3), Fraction(4)) is None
