"""Methods of inference are objects: each says what it applies to, and auto asks them in order."""

import importlib
import math
import sys
from textwrap import dedent
from types import SimpleNamespace
from typing import get_args

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, logit

import metameasure as mm
from metameasure.data import Predictions
from metameasure.inference import (
    Interval,
    Method,
    PairMethod,
    PairPlan,
    Plan,
    Sample,
    interval_methods,
    methods,
    paired_methods,
)
from metameasure.inference.methods import bootstrap, delong, jackknife, linearized, normal
from metameasure.inference.methods import method as registry
from metameasure.inference.paired import unjudged
from metameasure.measurement import CaseMean, Extreme, Share, references

LABEL = np.array([1, 1, 1, 0, 1, 0, 0, 0] * 5)
SCORE = np.array([0.9, 0.8, 0.8, 0.7, 0.5, 0.5, 0.2, 0.1] * 5)


@pytest.fixture
def fresh(monkeypatch):
    """A register of methods that a test may change."""
    monkeypatch.setattr(registry, "_methods", dict(registry._methods))


def test_every_method_declares_its_name_its_reference_and_what_it_applies_to():
    for one in registry._methods.values():
        assert registry.find_method(one.name) is one
        assert one.reference in references()
        assert one.kinds or one.paired_kinds
        assert one.__doc__


def test_the_order_of_auto_names_methods_and_ends_with_those_that_apply_to_everything():
    found = [registry.find_method(name) for name in registry.AUTO]
    assert len({one.name for one in found}) == len(registry.AUTO)
    last = [one for one in found if one.any_cases]
    assert any(one.kinds == registry.ANY for one in last)
    assert any(one.paired_kinds == registry.ANY for one in last)


def test_choices_are_the_registered_methods():
    assert get_args(Method) == interval_methods()
    assert get_args(PairMethod) == paired_methods()
    assert interval_methods()[0] == paired_methods()[0] == "auto"
    assert set(interval_methods()) | set(paired_methods()) == {
        "auto",
        *(name for one in registry._methods.values() for name in (one.name, *one.aliases)),
    }


def test_an_alias_computes_the_interval_of_the_method_and_shows_its_name():
    found = mm.interval(LABEL, SCORE, "auc", method="wald")
    named = mm.interval(LABEL, SCORE, "auc", method="delong")
    assert (found.low, found.high, found.method) == (named.low, named.high, "delong")


@pytest.mark.parametrize("cases", ["plain", "weighted", "clustered"])
def test_auto_has_a_method_for_every_measure(cases):
    options = {
        "plain": {},
        "weighted": {"sample_weight": 1.0 + LABEL},
        "clustered": {"cluster": np.arange(40) // 2},
    }[cases]
    sample = Sample.of(mm.Predictions.of(LABEL, {"m": SCORE}, **options))
    for measure in mm.measures():
        one = registry.choose_method("auto", measure, sample)
        assert one.applies_to(measure)
        assert one.any_cases or cases == "plain"
        for margin in (False, True):
            pair = registry.choose_method("auto", measure, sample, paired=True, margin=margin)
            assert pair.applies_to_pairs(measure)
            assert pair.any_cases or cases == "plain"
            assert pair.margin or not margin


@pytest.mark.usefixtures("fresh")
def test_a_user_registers_a_function_as_a_method():
    @mm.interval_method(Share, reference="wilson1927")
    def plain_wald(measure, table, ci):
        """The fraction and its standard errors."""
        some, total = measure.declaration.sampling.counts(table.at(measure.point))
        reach = 1.96 * math.sqrt(some / total * (1 - some / total) / total)
        return some / total - reach, some / total + reach

    found = mm.interval(LABEL, SCORE, "accuracy", method="plain_wald")
    assert found.method == "plain_wald"
    assert found.low < found.value < found.high <= 1
    assert "plain_wald" in interval_methods()
    assert "plain_wald" not in paired_methods()
    (row,) = mm.evaluate(LABEL, SCORE, "accuracy", method="plain_wald").rows
    assert (row.low, row.high) == (found.low, found.high)
    with pytest.raises(mm.ParameterError, match='"plain_wald" does not apply to auc'):
        mm.interval(LABEL, SCORE, "auc", method="plain_wald")
    with pytest.raises(mm.ParameterError, match="needs independent cases of equal weight"):
        mm.interval(LABEL, SCORE, "accuracy", method="plain_wald", sample_weight=np.arange(1.0, 41))


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("kinds", [(Share,), (Share, CaseMean), (CaseMean, Share)])
@pytest.mark.parametrize("measure", ["accuracy@top=10%", "precision@k=20", "tpr@fpr=0.1"])
def test_a_fraction_at_a_cut_by_rank_is_no_fraction_of_independent_cases(kinds, measure):
    @mm.interval_method(*kinds, reference="wilson1927")
    def whole_range(measure, table, ci):
        """The range of the measure."""
        return measure.declaration.range

    assert mm.parse(measure).sampling is None
    assert isinstance(mm.parse("precision@0.4").sampling, Share)
    assert mm.interval(LABEL, SCORE, "precision", method="whole_range").low == 0
    with pytest.raises(mm.ParameterError, match='"whole_range" does not apply to'):
        mm.interval(LABEL, SCORE, measure, method="whole_range")


@pytest.mark.usefixtures("fresh")
def test_a_method_for_every_measure():
    @mm.interval_method()
    def whole_range(measure, table, ci):
        """The range of the measure."""
        return measure.declaration.range

    found = mm.interval(LABEL, SCORE, "ks", method="whole_range")
    assert (found.low, found.high) == (0, 1)
    with pytest.raises(mm.ParameterError, match="takes kinds of statistic"):
        mm.interval_method(Extreme())


@pytest.mark.usefixtures("fresh")
def test_a_module_in_the_package_is_found(tmp_path, monkeypatch):
    """The walk of CONTRIBUTING: one file adds a method."""
    tmp_path.joinpath("range_method.py").write_text(
        dedent('''
        """The range as an interval."""
        from metameasure.inference.methods.method import ANY, Method, register

        class Range(Method):
            """The whole range."""

            name = "range"
            reference = "wilson1927"
            kinds = ANY
            any_cases = True

            def interval(self, empty, table):
                """The range of the measure."""
                return empty.between(empty.measure.declaration.range)

        register(Range())
        ''')
    )
    monkeypatch.setattr(methods, "__path__", [*methods.__path__, str(tmp_path)])
    methods.load_methods()
    monkeypatch.delitem(sys.modules, "metameasure.inference.methods.range_method")
    weight = np.arange(1.0, 41)
    found = mm.interval(LABEL, SCORE, "auc", method="range", sample_weight=weight)
    assert (found.low, found.high, found.method) == (0, 1, "range")
    assert Plan(method="range").method == "range"
    importlib.invalidate_caches()


@pytest.mark.parametrize(
    ("value", "ends", "reached"),
    [
        (0.6, (0, 1), (0, 1)),
        (0.0, (-1, 1), (-1, 1)),
        (0.0, (0, 1), (0, 1)),
        (0.5, (0, math.inf), (0, 1.0)),  # as far away as the other end
        (-0.5, (-math.inf, 1), (-2.0, 1)),
        (0.0, (0, math.inf), (0, math.inf)),  # it is at the end, so that nothing is known
        (1.0, (-math.inf, 1), (-math.inf, 1)),
        (1e-15, (0, math.inf), (0, math.inf)),
    ],
)
def test_the_bound_of_equal_values_is_a_part_of_the_way_to_the_ends(value, ends, reached):
    """With 90% confidence, 7 equal cases hide at most 1 - 0.1^(1/7) of a population."""
    hidden = 1 - 0.1 ** (1 / 7)
    expected = tuple(value + hidden * (end - value) for end in reached)
    assert registry.bound(value, ends, 7, 0.9) == pytest.approx(expected)


def test_no_confidence_is_left_beyond_the_ends():
    # (1 - ci)^(1 / n) of a single case underflows for no usual confidence, but n may be a fraction.
    assert registry.bound(0.3, (0, 1), 1e-4, 0.999) == (0, 1)


def test_limits_are_a_point_up_to_rounding():
    assert registry.is_point(0.3, 0.1 + 0.2)
    assert registry.is_point(math.inf, math.inf)
    assert not registry.is_point(0.3, 0.3001)
    assert not registry.is_point(0.3, math.inf)


def test_resamples_that_limits_need():
    # Five beyond each limit: 2.5% of 200. Means and variances need 100.
    assert registry.resamples_needed("bca", 0.95) == pytest.approx(200)
    assert registry.resamples_needed("bootstrap", 0.9) == pytest.approx(100)
    assert registry.resamples_needed("smoothed", 0.9) == 100
    assert registry.resamples_needed("newcombe", 0.9) == 0
    assert registry.resamples_needed("bound", 0.9) == 0


# ------------------------------------------------------------------ limits on a scale


@pytest.mark.parametrize(
    ("value", "ends", "transform", "back"),
    [
        (0.8, (0, 1), logit, expit),
        (0.4, (-1, 1), lambda x: logit((x + 1) / 2), lambda x: 2 * expit(x) - 1),
        (3.0, (0, math.inf), np.log, np.exp),
        (3.0, (1, math.inf), lambda x: np.log(x - 1), lambda x: 1 + np.exp(x)),
        (-2.0, (-math.inf, 1), lambda x: -np.log(1 - x), lambda x: 1 - np.exp(-x)),
        (-2.0, (-math.inf, math.inf), lambda x: x, lambda x: x),
    ],
)
def test_limits_within_a_range_are_symmetric_on_its_scale(value, ends, transform, back):
    """The standard error on the scale is the derivative there times that of the value."""
    step = 1e-6
    slope = (transform(value + step) - transform(value - step)) / (2 * step)
    reach = stats.norm.ppf(0.95) * abs(slope) * 0.2
    expected = sorted(back(transform(value) + side * reach) for side in (-1, 1))
    assert delong.limits_within(value, 0.04, ends, 0.9) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("value", "expected"), [(0.0, (0, 0.2)), (1.0, (0.8, 1))])
def test_at_an_end_of_the_range_limits_are_those_of_the_standard_error(value, expected):
    variance = (0.2 / stats.norm.ppf(0.95)) ** 2
    assert delong.limits_within(value, variance, (0, 1), 0.9) == pytest.approx(expected)


def test_limits_far_out_on_the_logit_scale_do_not_overflow():
    low, high = delong.logit_limits(0.5, 1e8, (0, 1), 0.95)
    assert (low, high) == (0, 1)


@pytest.mark.parametrize(
    ("ends", "mean", "expected"),
    [
        ((0, 1), 0.5, (0, 1)),
        ((0, math.inf), 0.5, (0, 0.9)),  # the largest loss at the observed scores
        ((-math.inf, 1), 0.5, (0.2, 1)),
        ((0, math.inf), 0.9, (0, 1.8)),  # no loss is larger: as far as the other end
        ((-math.inf, 1), 0.2, (-0.6, 1)),
        ((-math.inf, math.inf), 0.9, (0.2, 1.6)),
    ],
)
def test_an_infinite_end_is_that_of_the_observed_losses(ends, mean, expected):
    terms = normal.smallest_and_largest([np.array([0.3, 0.9]), np.array([0.2, 0.4])])
    hidden = 1 - 0.1 ** (1 / 7)
    limits = tuple(mean + hidden * (end - mean) for end in expected)
    assert registry.bound(mean, ends, 7, 0.9, terms) == pytest.approx(limits)


def test_an_infinite_loss_at_an_observed_score_stays_possible():
    assert registry.bound(0.5, (0, math.inf), 7, 0.9, (0.5, math.inf))[1] == math.inf


# ------------------------------------------------------------------ resamples


def gap_of(text, a, b):
    return unjudged(("a", "b"), mm.parse(text), (a, b), "bootstrap")


def two_models():
    return Sample.of(Predictions.of(LABEL, {"a": SCORE, "b": -SCORE}))


FIRST = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.9, np.nan, 0.7])
SECOND = np.array([0.8, 0.8, 0.8, 0.5, 0.4, 0.8, 0.5, np.nan])


def test_the_bootstrap_test_counts_resamples_on_either_side():
    gaps = FIRST[:6] - SECOND[:6]  # 0.1, 0, -0.1, 0.1, 0.1, 0.1
    found = bootstrap.bootstrap_test(
        gap_of("auc", 0.7, 0.6), FIRST, SECOND, two_models(), PairPlan(ci=0.8)
    )
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(gaps, [0.1, 0.9])))
    # Two are at most 0, five at least 0; the sample itself is one of them.
    assert found.pvalue == pytest.approx(2 * 3 / 7)
    assert (found.left_out, found.resamples) == (0.25, 8)


@pytest.mark.parametrize(("text", "worse"), [("auc", 1), ("brier", 4)])
def test_the_bootstrap_test_of_a_margin_counts_where_the_first_is_worse_by_it(text, worse):
    found = bootstrap.bootstrap_test(
        gap_of(text, 0.7, 0.6), FIRST, SECOND, two_models(), PairPlan(margin=0.05)
    )
    assert found.pvalue == pytest.approx((1 + worse) / 7)


def test_a_bootstrap_test_needs_resamples_with_both_values():
    none = np.full(3, np.nan)
    found = bootstrap.bootstrap_test(
        gap_of("auc", 0.7, 0.6), none, SECOND[:3], two_models(), PairPlan()
    )
    assert (found.left_out, found.reason) == (1, "no resample has a difference")


def test_resamples_that_do_not_vary_have_the_bound():
    same = np.full(9, 0.6)
    found = bootstrap.bootstrap_test(
        gap_of("auc", 0.7, 0.6), same + 0.1, same, two_models(), PairPlan(ci=0.9)
    )
    hidden = 1 - 0.1 ** (1 / 20)  # of 20 cases per class
    assert (found.low, found.high) == pytest.approx((0.1 - hidden * 1.1, 0.1 + hidden * 0.9))
    assert found.method == "bound"


def test_the_smallest_class_whose_scores_are_all_equal():
    def alike(label, score, **given):
        sample = Sample.of(Predictions.of(np.array(label), {"m": np.array(score)}, **given))
        return bootstrap._alike(sample, "m")

    label = [1, 1, 1, 0, 0, 0, 0]
    assert alike(label, [5, 5, 5, 1, 2, 3, 4]) == 3
    assert alike(label, [5, 6, 5, 1, 1, 1, 1]) == 4
    assert alike(label, [5, 5, 5, 1, 1, 1, 1]) == 3
    assert alike(label, [5, 6, 5, 1, 2, 1, 1]) is None
    assert alike(label, [5, 5, 5, 1, 2, 3, 4], cluster=[0, 0, 1, 1, 2, 3, 4]) == pytest.approx(
        9 / 5
    )
    weight = [1.0, 1.0, 2.0, 1.0, 1.0, 1.0, 1.0]
    assert alike(label, [5, 5, 5, 1, 2, 3, 4], sample_weight=weight) == pytest.approx(16 / 6)


def test_which_values_follow_from_the_sizes_of_the_classes():
    sample = Sample.of(Predictions.of(LABEL, {"m": SCORE}))
    assert bootstrap._follows_from_sizes(mm.uncertainty, sample, "m")
    assert bootstrap._follows_from_sizes(mm.parse("lift@top=100%"), sample, "m")
    for measure in (mm.auc, mm.ks, mm.brier, mm.log_loss):
        assert not bootstrap._follows_from_sizes(measure, sample, "m")


def test_an_interval_is_extended_to_a_bound_that_is_finite():
    plan = Plan(ci=0.9)
    hidden = 1 - 0.1 ** (1 / 4)
    point = Interval.empty(mm.auc, 0.8, plan, "bca")
    narrow, wide = point.between((0.7, 0.81)), point.between((0.0, 0.85))
    assert narrow.with_bound(4).low == pytest.approx(0.8 - hidden * 0.8)
    assert narrow.with_bound(4).high == pytest.approx(0.8 + hidden * 0.2)
    assert (wide.with_bound(4).low, wide.with_bound(4).high) == pytest.approx(
        (0.0, 0.8 + hidden * 0.2)
    )
    loss = Interval.empty(mm.log_loss, 0.0, plan, "bca").between((0.0, 0.5))
    assert loss.with_bound(4) == loss
    assert narrow.or_bound(4) == narrow
    assert point.between((0.8, 0.8)).or_bound(4).method == "bound"


@pytest.mark.parametrize(
    ("name", "text", "cases", "contributing", "enough"),
    [
        ("delong", "auc", 20, [15.0, 3.0], True),
        ("delong", "auc", 19, [15.0, 3.0], False),
        ("delong", "auc", 20, [14.9, 3.0], False),  # of neither model
        ("delong", "auc", 20, [0.0, 0.0], True),  # the test is a bound
        ("linearized", "average_precision", 30, [50.0, 60.0], True),
        ("linearized", "average_precision", 29, [50.0, 60.0], False),
        ("linearized", "average_precision", 30, [49.9, 60.0], False),  # of one model
        ("linearized", "f_measure", 30, [50.0, 60.0], False),  # cells are exchanged instead
    ],
)
def test_cases_that_auto_needs_for_a_paired_test(
    monkeypatch, name, text, cases, contributing, enough
):
    for module in (delong, linearized):
        monkeypatch.setattr(module, "contributing", lambda *_: contributing)
    label = np.repeat([1, 0], [cases, 80])
    sample = Sample.of(Predictions.of(label, {"a": np.arange(label.size) + 0.0}))
    assert registry.find_method(name).has_enough(mm.parse(text), sample) is enough
    turned = Sample.of(Predictions.of(1 - label, {"a": np.arange(label.size) + 0.0}))
    assert registry.find_method(name).has_enough(mm.parse(text), turned) is enough


OVERLAPPING = {2: [0.8, 0.3], 4: [0.9, 0.4, 0.6, 0.2]}


@pytest.mark.parametrize(
    ("text", "method", "label"),
    [
        ("brier", "normal", [1, 0]),
        ("brier", "empirical_likelihood", [1, 0]),
        ("auc", "newcombe", [1, 1, 0, 0]),
        ("auc", "delong", [1, 1, 0, 0]),
        ("auc", "delong_logit", [1, 1, 0, 0]),
        ("scored_auc", "theorem_6", [1, 1, 0, 0]),
        ("scored_auc", "empirical_likelihood", [1, 1, 0, 0]),
        ("average_precision", "linearized", [1, 1, 0, 0]),
        ("calibration_slope", "sandwich", [1, 1, 0, 0]),
        ("ks", "smoothed", [1, 1, 0, 0]),
        ("ks", "corrected", [1, 1, 0, 0]),
        ("auc", "bca", [1, 1, 0, 0]),
        ("auc", "percentile", [1, 1, 0, 0]),
    ],
)
def test_the_fewest_cases_that_a_method_takes(text, method, label):
    score = OVERLAPPING[len(label)]
    for given in (label, [1 - y for y in label]):
        found = mm.interval(given, score, text, method=method, resamples=100)
        assert found.reason is None
        fewer = mm.interval(given[:-1], score[:-1], text, method=method, resamples=100)
        assert "at least two cases" in fewer.reason


@pytest.mark.parametrize("text", ["macro_f_measure", "kappa"])
def test_the_fewest_cases_of_several_classes(text):
    found = mm.interval(["a", "b", "c"], ["a", "b", "b"], text)
    assert (found.method, found.reason) == ("delta", None)
    clusters = mm.interval(["a", "b", "c"], ["a", "b", "b"], text, cluster=[0, 0, 1])
    assert clusters.reason is None
    one = mm.interval(["a", "b", "c"], ["a", "b", "b"], text, cluster=[0, 0, 0])
    assert "at least two" in one.reason


@pytest.mark.parametrize(("known", "reason"), [(2, False), (1, True)])
def test_a_jackknife_needs_two_groups_with_a_value(known, reason):
    measure = mm.parse("kendall_tau")
    left_out, other = np.array([0.5, 0.7, 0.6]), np.array([0.2, 0.3, 0.5])
    left_out[known:] = np.nan
    sample = SimpleNamespace(size=3, same_to=lambda *_: False)
    found = jackknife._limited(Interval.empty(measure, 0.6, Plan(), "jackknife"), left_out, sample)
    gap = unjudged(("a", "b"), measure, (0.6, 0.4), "jackknife")
    tested = jackknife._tested(gap, left_out, other, sample, PairPlan(ci=0.9))
    assert (found.reason is not None) is reason
    assert (tested.reason is not None) is reason
    if not reason:
        # Tukey's variance of two values at a distance d is d^2 / 4, with one degree of freedom.
        error = math.sqrt(((0.5 - 0.2) - (0.7 - 0.3)) ** 2 / 4)
        assert tested.pvalue == pytest.approx(2 * stats.t.sf(0.2 / error, 1))
