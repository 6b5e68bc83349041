"""The tests are tested: measures and curves that are wrong on purpose must fail them."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metameasure as mm
from common import checks
from metameasure.curves import Curve, CurveKind
from metameasure.measurement import Measure, between_orders
from metameasure.table import Cut
from strategies import cases


def impostor(measure, function):
    """A measure under the name and with the claims of another."""
    return Measure(dataclasses.replace(measure.declaration, function=function))


def ties_not_halved(table):
    return np.sum(table.neg * table.tp[..., :-1], axis=-1) / (table.P * table.N)


def ties_won(table):
    return np.sum(table.neg * table.tp[..., 1:], axis=-1) / (table.P * table.N)


def weights_ignored(table):
    once = mm.ScoreTable(table.score, table.pos > 0, table.neg > 0)
    return mm.auc.compute(once)


def beta_not_squared(cut, beta=1, alpha=None):
    weight = beta if alpha is None else alpha
    return (1 + weight) * cut.tp / ((1 + weight) * cut.tp + weight * cut.fn + cut.fp)


def wrong_sign(table):
    return -mm.gini.compute(table)


def off_by_one(table):
    return mm.abc.compute(table) * table.distinct / (table.distinct - 2)


def zero_for_undefined(cut):
    return np.nan_to_num(cut.tp / (cut.tp + cut.fp))


def only_the_first_table(table):
    return np.broadcast_to(np.ravel(mm.ks.compute(table))[0], table.shape)


def printed_numerator(cut, r=None):
    """Xie's printed skew accuracy (erratum 1)."""
    skew = cut.N / cut.P if r is None else r
    return (cut.tpr + (1 - skew) * cut.fpr) / (1 + skew)


WRONG = {
    "ties not halved": (mm.auc, ties_not_halved),
    "ties won": (mm.auc, ties_won),
    "weights ignored": (mm.auc, weights_ignored),
    "beta for beta squared": (mm.f_measure, beta_not_squared),
    "sign": (mm.gini, wrong_sign),
    "off by one": (mm.taks, off_by_one),
    "zero for undefined": (mm.precision, zero_for_undefined),
    "printed formula": (mm.skew_accuracy, printed_numerator),
}


def fails(check):
    """Whether a hypothesis test finds a counterexample."""
    try:
        with np.errstate(all="ignore"):
            check()
    except (AssertionError, ExceptionGroup):
        return True
    return False


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_measure_fails_its_oracle(name):
    measure, function = WRONG[name]
    wrong = impostor(measure, function)
    if name == "beta for beta squared":
        wrong = wrong.using(beta=2)

    @given(cases())
    def check(some):
        checks.check_oracle(wrong, some)

    assert fails(check)


def test_above_for_at_or_above_fails():
    at_or_above = mm.tpr

    def above(table):
        found = np.where(table.score > 0.5, table.pos, 0.0).sum(axis=-1)
        return Cut(found, 0.0, table.P, table.N).tpr

    wrong = Measure(dataclasses.replace(at_or_above.declaration, function=above, point=None))

    @given(cases())
    def check(some):
        expected = checks.oracle_value(at_or_above, some)
        checks.assert_same(wrong.compute(checks.table_of(some)), expected)

    assert fails(check)


def test_a_block_that_is_no_loop_fails():
    wrong = impostor(mm.ks, only_the_first_table)

    @given(cases(), cases())
    def check(one, other):
        checks.check_block(wrong, [one, other])

    assert fails(check)


def ends_where_rows_end(table):
    return dataclasses.replace(mm.reliability.declaration.function(table), domain=None)


def empty_rows_count(table):
    return Curve("", np.linspace(0.0, 1.0, table.tp.shape[-1]), table.tpr)


@pytest.mark.parametrize(
    ("kind", "function"), [(mm.reliability, ends_where_rows_end), (mm.tpr_fpr, empty_rows_count)]
)
def test_a_curve_that_changes_with_rows_without_weight_fails(kind, function):
    wrong = CurveKind(dataclasses.replace(kind.declaration, function=function))

    @given(cases())
    def check(some):
        checks.check_curve_in_block(wrong, [some], more=[0.0, 0.45, 1.0])

    assert fails(check)


def test_a_false_range_fails():
    wrong = Measure(dataclasses.replace(mm.gini.declaration, range=(0, 1)))

    @given(cases())
    def check(some):
        checks.check_range(wrong, some)

    assert fails(check)


def test_a_false_baseline_fails():
    wrong = Measure(dataclasses.replace(mm.auc.declaration, baseline=0.0))
    with pytest.raises(AssertionError):
        checks.check_baseline(wrong, 3, 5)


def ends_of_corners(measure, coarse):
    value = float(measure.compute(coarse.corners))
    return value, value


def a_little_narrow(measure, coarse):
    low, high = between_orders(measure, coarse)
    return low, high - 1e-9 * (high - low)


FALSE_BOUNDS = [
    (mm.auc, ends_of_corners),  # as if buckets were ties
    (mm.auc, a_little_narrow),
    (mm.ks, between_orders),  # KS grows with both orders
    (mm.average_precision, between_orders),  # ties help
    (mm.average_precision.using(interpolation="trapezoid"), between_orders),
    (mm.abc, between_orders),  # it depends on the number of scores
    (mm.taks, between_orders),
    (mm.ece, between_orders),
    (mm.error_rate, lambda measure, coarse: between_orders(measure, coarse)[::-1]),
    (mm.reciprocal_rank, between_orders),  # fractional weights
    (mm.log_loss, ends_of_corners),
    (mm.miscalibration, between_orders),
    (mm.r_minus, between_orders),
]


@pytest.mark.parametrize(("measure", "bounds"), FALSE_BOUNDS)
def test_false_bounds_fail(measure, bounds):
    declared = dataclasses.replace(measure.declaration, bounds=bounds)
    wrong = Measure(declared, measure.parameters, measure.point)

    @settings(max_examples=1000)
    @given(cases(), st.lists(st.integers(1, 12), max_size=6))
    def check(some, starts):
        checks.check_bounds(wrong, some, starts)

    assert fails(check)


def test_a_right_measure_passes():
    @given(cases())
    def check(some):
        checks.check_oracle(mm.auc, some)
        checks.check_repetition(mm.auc, some)
        checks.check_range(mm.auc, some)

    assert not fails(check)
