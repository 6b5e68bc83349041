"""The difference of two models from a standard error: limits, p-values, and what does not vary."""

import math

import numpy as np
import pytest
from scipy import stats

import metameasure as mm
from metameasure.data import Predictions
from metameasure.inference import Sample
from metameasure.inference.paired import PairPlan, _ends, unjudged

PLAN = PairPlan(ci=0.9)
WITH_MARGIN = PairPlan(ci=0.9, margin=0.05)


def gap(a=0.8, b=0.7, measure="auc"):
    return unjudged(("a", "b"), mm.parse(measure), (a, b), "some")


def test_limits_and_p_value_are_those_of_students_distribution():
    found = gap().judged(0.04, 30, 7, PLAN, same=False)
    reach = stats.t.ppf(0.95, 7) * 0.04
    assert (found.low, found.high) == pytest.approx((0.1 - reach, 0.1 + reach))
    assert found.pvalue == pytest.approx(2 * stats.t.sf(0.1 / 0.04, 7))
    assert (found.method, found.reason) == ("some", None)


@pytest.mark.parametrize(("measure", "ahead"), [("auc", 0.1), ("brier", -0.1)])
def test_with_a_margin_the_p_value_is_that_of_being_worse_by_it(measure, ahead):
    found = gap(measure=measure).judged(0.04, 30, 7, WITH_MARGIN, same=False)
    assert found.ahead == pytest.approx(ahead)
    assert found.pvalue == pytest.approx(stats.t.sf((ahead + 0.05) / 0.04, 7))


def test_a_difference_lies_between_those_of_the_ends_of_the_range():
    wide = gap().judged(2.0, 30, 7, PLAN, same=False)
    assert (wide.low, wide.high) == (-1, 1)
    assert gap(measure="mcc").judged(9.0, 30, 7, PLAN, same=False).high == 2


def test_units_give_the_paired_t_test():
    rng = np.random.default_rng(1)
    first, second = rng.random(12), rng.random(12)
    found = gap(first.mean(), second.mean()).judged_by_units(first, second, PLAN, same=False)
    by_scipy = stats.ttest_rel(first, second)
    assert found.pvalue == pytest.approx(by_scipy.pvalue)
    assert (found.low, found.high) == pytest.approx(tuple(by_scipy.confidence_interval(0.9)))


@pytest.mark.parametrize("turned", [False, True])
def test_differences_by_rounding_alone_do_not_vary(turned):
    # Rounding is at most 1e-12 of the largest unit of both models, which is 1.
    larger, smaller = np.array([0.0, 1.0, 0.5]), np.array([-0.5, 0.5, 0.0])
    for noise, varies in ((0.75e-12, False), (1.5e-12, True)):
        units = larger + np.array([noise, -noise, 0.0]), smaller
        first, second = units[::-1] if turned else units
        found = gap(0.7, 0.7).judged_by_units(first, second, PLAN, same=True)
        assert ((found.low, found.high, found.pvalue) == (0, 0, 1)) is not varies


def test_without_variation_the_p_value_is_that_of_equal_differences():
    found = gap().judged(0.0, 30, 7, PLAN, same=False)
    assert found.method == "bound"
    assert found.pvalue == pytest.approx(2 * (1 / 1.1) ** 30)
    assert gap().judged(0.0, 2, 7, PLAN, same=False).pvalue == 1
    assert gap(0.7, 0.7).judged(0.0, 30, 7, PLAN, same=False).pvalue == 1
    with_margin = gap().judged(0.0, 30, 7, WITH_MARGIN, same=False)
    assert with_margin.pvalue == pytest.approx((0.95 / 1.1) ** 30)
    assert gap().judged(0.0, 30, 7, PairPlan(margin=5.0), same=False).pvalue == 0
    # With probability 0.05 on each side, 30 cases of a population do not show another difference.
    assert -1 < found.low < 0.1 < found.high < 1
    unbounded = gap(2.0, 1.0, "log_loss").judged(0.0, 30, 7, PLAN, same=False)
    assert "unbounded" in unbounded.reason
    assert math.isnan(unbounded.pvalue)


def test_identical_models_do_not_differ():
    found = gap(0.7, 0.7).judged(0.0, 30, 7, PLAN, same=True)
    assert (found.low, found.high, found.pvalue) == (0, 0, 1)
    assert gap(0.7, 0.7).judged(0.0, 30, 7, WITH_MARGIN, same=True).pvalue == 0


def test_the_wider_of_limits_and_bound():
    bound = gap().judged(0.0, 30, 7, PLAN, same=False)
    narrow = gap().judged(1e-4, 30, 7, PLAN, same=False)
    found = narrow.or_bound(30, PLAN, same=False)
    assert (found.low, found.high, found.pvalue) == (bound.low, bound.high, bound.pvalue)
    wide = gap().judged(0.5, 30, 7, PLAN, same=False)
    found = wide.or_bound(30, PLAN, same=False)
    assert (found.low, found.high, found.pvalue) == (wide.low, wide.high, wide.pvalue)
    unbounded = gap(2.0, 1.0, "log_loss").judged(0.5, 30, 7, PLAN, same=False)
    assert "unbounded" in unbounded.or_bound(30, PLAN, same=False).reason


@pytest.mark.parametrize(
    ("values", "difference", "words"),
    [
        ((math.nan, 0.5), math.nan, "undefined"),
        ((0.5, math.nan), math.nan, "undefined"),
        ((math.inf, math.inf), math.nan, "undefined: a value is infinite"),
        ((math.inf, 0.5), math.inf, "infinite: a value is infinite"),
        ((0.5, math.inf), -math.inf, "infinite: a value is infinite"),
    ],
)
def test_a_difference_without_a_value_says_why(values, difference, words):
    found = gap(*values, "log_loss")
    assert str(found.difference) == str(difference)
    assert words in found.reason
    assert math.isnan(found.pvalue)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        # 30 positives of 100; between 10 and 30 of them are among the first 80.
        ("lift@top=80%", (10 / 80 / 0.3, 30 / 80 / 0.3)),
        ("lift@top=10%", (0, 1 / 0.3)),
        ("lift@k=P", (0, 1 / 0.3)),
        ("lift@fpr=0.5", (0, 30 / 65 / 0.3)),
        ("precision@top=80%", (0, 1)),
        ("log_loss", (0, math.inf)),
    ],
)
def test_a_cut_bounds_a_measure(text, ends):
    label, score = np.repeat([1, 0], [30, 70]), np.linspace(1, 0.01, 100)
    sample = Sample.of(Predictions.of(label, {"m": score}))
    assert _ends(mm.parse(text), sample) == pytest.approx(ends)
