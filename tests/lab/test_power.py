"""The power of measures as two-sample tests, against exact powers, SciPy and every arrangement."""

import json
import math
import pickle
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import metameasure as mm
from metameasure.errors import DataError, ParameterError
from metameasure.inference import permutation, wilson_limits
from metameasure.inference.permutation import (
    Examination,
    MeasureTest,
    Statistic,
    Tally,
    tally,
)
from metameasure.lab.power_analysis.alternatives import (
    FAMILIES,
    location,
    mixture,
    own_scores,
    parse_alternative,
    scale,
    shape,
)
from metameasure.lab.power_analysis.power_result import Power, PowerRow
from metameasure.lab.power_analysis.power_study import power
from metameasure.measurement import parse
from metameasure.table import ScoreTable
from oracles import TABLE_ORACLES
from oracles import power as oracle

SIDES = ["two-sided", "greater", "less"]
OF_ORDER = ["auc", "ks", "h_measure", "auch", "average_precision", "taks", "equal_error_rate"]
OF_SCORES = ["scored_auc", "mean_gap", "brier", "margin_auc"]
LEVEL = 0.05


@dataclass(frozen=True)
class Lehmann:
    """Negatives are uniform, positives the largest of some uniforms: orders have known chances."""

    power: int
    base = "uniform scores"

    def draw(self, data_sets, positives, negatives, rng, *, null=False):
        exponent = 1 if null else 1 / self.power
        return rng.random((data_sets, positives)) ** exponent, rng.random((data_sets, negatives))

    def __str__(self):
        return f"lehmann({self.power})"


@dataclass(frozen=True)
class Rounded:
    """Scores of one decimal, so that all data sets have ties."""

    shift: float
    base = "rounded"

    def draw(self, data_sets, positives, negatives, rng, *, null=False):
        shift = 0 if null else self.shift
        upper = rng.random((data_sets, positives)) * (1 - shift) + shift
        return np.round(upper, 1), np.round(rng.random((data_sets, negatives)), 1)


def examination(names, sides=("two-sided",), *, level=LEVEL, permutations=999, randomized=True):
    tests = tuple(MeasureTest(parse(n), s) for s in sides for n in names)
    return Examination(tests, level, permutations, randomized)


def complete(exam, positives, negatives):
    """Critical values from every arrangement."""
    nulls = {}
    for statistic in exam.of_order:
        labels = np.concatenate(
            list(permutation.all_labels(np.ones(positives + negatives, int), positives))
        )
        places = np.broadcast_to(np.linspace(1, 0, labels.shape[-1]), labels.shape)
        nulls[statistic] = statistic.of(permutation.tables_of(places, labels))
    return exam.criticals(nulls)


def rows_of(result, **asked):
    return [
        row
        for row in result.rows
        if all(getattr(row, name) == value for name, value in asked.items())
    ]


def one_row(result, **asked):
    (row,) = rows_of(result, **asked)
    return row


def error(rate, repeats):
    return math.sqrt(rate * (1 - rate) / repeats)


# ------------------------------------------------------------------ each single data set


@pytest.mark.parametrize("randomized", [True, False])
@pytest.mark.parametrize("name", OF_ORDER)
def test_measures_of_order_reject_as_all_arrangements_say(name, randomized):
    rng = np.random.default_rng(1)
    positives, negatives = 4, 5
    exam = examination([name], SIDES, level=0.1, randomized=randomized)
    critical = complete(exam, positives, negatives)
    upper, lower = rng.random((60, positives)) ** 0.4, rng.random((60, negatives))
    found = exam.rejections(upper, lower, critical, rng)
    orders = list(oracle.arrangements(positives, negatives))
    for row, side in zip(found, SIDES, strict=True):
        value_of = oracle.statistic(name, side)
        places = [float(-place) for place in range(positives + negatives)]
        values = {order: float(value_of(oracle.cases(order, places))) for order in orders}
        for rejected, up, down in zip(row, upper, lower, strict=True):
            listed = sorted([(s, True) for s in up] + [(s, False) for s in down], reverse=True)
            expected = oracle.rejection(
                name,
                side,
                list(values.values()),
                values[tuple(label for _, label in listed)],
                Fraction(1, 10),
                smaller_is_better=parse(name).best == "min",
                randomized=randomized,
            )
            assert rejected == pytest.approx(float(expected), abs=1e-8)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("positives", "negatives"), [(8, 8), (5, 11)])
def test_ordinary_tests_reject_where_scipy_does(positives, negatives, side):
    rng = np.random.default_rng(2)
    exam = examination(["auc", "ks"], [side], randomized=False)
    upper, lower = rng.random((150, positives)) ** 0.6, rng.random((150, negatives))
    found = exam.rejections(upper, lower, complete(exam, positives, negatives), rng)
    distances = {"two-sided": "two-sided", "greater": "less", "less": "greater"}[side]
    for auc, ks, up, down in zip(*found, upper, lower, strict=True):
        u = stats.mannwhitneyu(up, down, alternative=side, method="exact").pvalue
        d = stats.ks_2samp(up, down, alternative=distances, method="exact").pvalue
        assert (auc, ks) == (u <= LEVEL + 1e-12, d <= LEVEL + 1e-12)
    assert side == "less" or 0.1 < found[0].mean() < 0.9


@pytest.mark.parametrize("ties", [False, True])
def test_dealt_labels_are_counted_as_the_definition_says(monkeypatch, ties):
    names = ["scored_auc", "mean_gap", "brier", "margin_auc", "auc", "h_measure"]
    statistics = [Statistic(parse(name)) for name in names]
    rng = np.random.default_rng(3)
    score = np.sort(rng.integers(0, 6 if ties else 10**6, (7, 6)) / (5 if ties else 10**6))[:, ::-1]
    labels = np.zeros((7, 6))
    labels[:, [0, 3]] = 1
    tables = permutation.tables_of(score, labels)
    seen = [statistic.of(tables) for statistic in statistics]
    drawn = []
    draw = permutation.random_labels

    def recorded(*arguments):
        drawn.append(draw(*arguments))
        return drawn[-1]

    monkeypatch.setattr(permutation, "random_labels", recorded)
    monkeypatch.setattr(permutation, "AT_ONCE", 3 * 20 * 6)  # three data sets, then three, then one
    found = tally(statistics, score, seen, 2, 20, rng)
    dealt = np.concatenate(drawn).reshape(7, 20, 6)
    for name, counted in zip(names, found, strict=True):
        sign = -1 if parse(name).best == "min" else 1
        for number, (scores, arrangements) in enumerate(zip(score, dealt, strict=True)):
            truth = [bool(label) for label in labels[number]]
            value = sign * float(TABLE_ORACLES[name](oracle.cases(truth, scores)))
            others = [
                sign * float(TABLE_ORACLES[name](oracle.cases([bool(a) for a in one], scores)))
                for one in arrangements
            ]
            near = [math.isclose(value, other, abs_tol=1e-11) for other in others]
            above = sum(other > value and not n for other, n in zip(others, near, strict=True))
            assert counted.above[number] == above
            assert counted.at[number] == sum(near) + 1
            assert counted.below[number] == 20 - above - sum(near)
            assert counted.total == 21


def test_permutation_tests_find_the_pvalues_of_two_sample_test():
    rng = np.random.default_rng(4)
    names = ["scored_auc", "mean_gap", "brier"]
    statistics = [Statistic(parse(name)) for name in names]
    upper, lower = rng.random((12, 4)) ** 0.5, rng.random((12, 5))
    labels = np.concatenate([np.ones((12, 4)), np.zeros((12, 5))], axis=-1)
    score = np.concatenate([upper, lower], axis=-1)
    order = np.argsort(-score)
    score, labels = np.take_along_axis(score, order, -1), np.take_along_axis(labels, order, -1)
    seen = [s.of(permutation.tables_of(score, labels)) for s in statistics]
    found = tally(statistics, score, seen, 4, 3999, rng)
    for name, counted in zip(names, found, strict=True):
        for number, (truth, scores) in enumerate(zip(labels, score, strict=True)):
            for side, beyond in (("greater", counted.above), ("less", counted.below)):
                exact = mm.two_sample_test(
                    truth, scores, name, alternative=side, method="exact"
                ).pvalue
                share = (beyond[number] + counted.at[number]) / counted.total
                assert share == pytest.approx(exact, abs=5 * error(exact, 3999) + 1e-3)


# -------------------------------------------------------------------- the level is exact


@pytest.mark.parametrize("name", OF_ORDER)
@pytest.mark.parametrize("side", SIDES)
def test_the_level_of_randomized_tests_is_exact(name, side):
    exam = examination([name], [side], level=0.07)
    critical = complete(exam, 5, 6)
    (test,) = exam.tests
    labels = np.concatenate(list(permutation.all_labels(np.ones(11, int), 5)))
    assert labels.shape == (math.comb(11, 5), 11)
    assert np.unique(labels, axis=0).shape == labels.shape
    assert (labels.sum(axis=-1) == 5).all()
    places = np.broadcast_to(np.linspace(1, 0, 11), labels.shape)
    values = test.statistic.of(permutation.tables_of(places, labels))
    assert critical[test].rejected(values).mean() == pytest.approx(0.07, rel=1e-9)
    ordinary = examination([name], [side], level=0.07, randomized=False)
    assert complete(ordinary, 5, 6)[test].rejected(values).mean() <= 0.07


@given(
    st.lists(st.integers(0, 4), min_size=20, max_size=40),
    st.sampled_from([0.05, 0.1, 0.3]),
    st.sampled_from([(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)]),
)
def test_whichever_arrangement_is_the_true_one_permutation_tests_keep_their_level(
    values, level, tails
):
    """All B + 1 arrangements are alike under the hypothesis: their mean rejection is the level."""
    seen = np.array(values)
    counts = (np.array([f(v, seen).sum() for v in seen]) for f in (np.less, np.equal, np.greater))
    counted = Tally(*counts, seen.size)
    shares = level * tails[0], level * tails[1]
    rejected = counted.rejected(shares, True)
    assert rejected.mean() == pytest.approx(level, rel=1e-9)
    assert (rejected <= 1 + 1e-12).all()
    assert counted.rejected(shares, False).mean() <= level


def test_where_nothing_differs_all_tests_keep_their_level():
    names = [*OF_ORDER, *OF_SCORES]
    exam = examination(names, SIDES, permutations=99)
    rng = np.random.default_rng(5)
    upper, lower = location(1, "exponential", 4).draw(4000, 6, 9, rng, null=True)
    rejected = exam.rejections(upper, lower, complete(exam, 6, 9), rng)
    for test, rate in zip(exam.tests, rejected.mean(axis=-1), strict=True):
        assert rate == pytest.approx(LEVEL, abs=4.5 * error(LEVEL, 4000)), test


def test_tied_scores_keep_the_level_too():
    found = power(
        "auc, ks, taks, h_measure, scored_auc",
        Rounded(0.3),
        8,
        12,
        repeats=1500,
        permutations=59,
        workers=1,
    )
    for row in rows_of(found, alternative="none"):
        assert row.power == pytest.approx(LEVEL, abs=4.5 * error(LEVEL, 1500)), row.measure
    assert all(row.power > 0.15 for row in found.rows if row.alternative != "none")


def test_ties_are_not_judged_by_critical_values_of_scores_without_ties():
    """With two distinct scores, the distance has other critical values than without ties."""
    exam = examination(["ks"], ["greater"], randomized=False)
    critical = complete(exam, 6, 6)
    upper = np.array([[1, 1, 1, 1, 1, 0.0]] * 3)
    lower = np.array([[1, 0, 0, 0, 0, 0.0]] * 3)
    labels, score = np.repeat([1, 0], 6), np.concatenate([upper[0], lower[0]])
    pvalue = mm.two_sample_test(labels, score, "ks", alternative="greater", method="exact").pvalue
    assert pvalue == pytest.approx(37 / 924)
    assert exam.rejections(upper, lower, critical, np.random.default_rng(6)).tolist() == [[1, 1, 1]]
    higher, middle = (
        np.array([[0.9, 0.8, 0.7, 0.6, 0.5, 0.05]]),
        np.array([[1, 0.4, 0.3, 0.2, 0.1, 0]]),
    )
    labels, score = np.repeat([1, 0], 6), np.concatenate([higher[0], middle[0]])
    assert mm.ks(labels, score) == pytest.approx(4 / 6)
    assert stats.ks_2samp(higher[0], middle[0], "less").pvalue > LEVEL
    assert exam.rejections(higher, middle, critical, np.random.default_rng(6)).tolist() == [[0]]


# ------------------------------------------------------------------------ known powers


@pytest.mark.parametrize(("sizes", "exponent"), [((5, 5), 3), ((3, 7), 4)])
def test_power_against_lehmanns_alternative_is_the_exact_one(sizes, exponent):
    names = ["auc", "ks", "h_measure", "auch", "average_precision"]
    for randomized in (True, False):
        found = power(
            names,
            Lehmann(exponent),
            *sizes,
            side=["two-sided", "greater"],
            level=0.1,
            repeats=10_000,
            randomized=randomized,
            permutations=39,
            workers=1,
        )
        for name, side in product(names, ("two-sided", "greater")):
            exact = oracle.exact_power(
                name, side, sizes, exponent, Fraction(1, 10), randomized=randomized
            )
            row = one_row(found, measure=name, side=side, alternative=f"lehmann({exponent})")
            assert row.power == pytest.approx(exact, abs=4.5 * error(exact, 10_000)), (name, side)
            assert (row.low, row.high) == wilson_limits(row.power * 10_000, 10_000, 0.95)


def test_orders_have_the_chances_that_lehmann_gives_them():
    assert sum(oracle.lehmann(o, 3) for o in oracle.arrangements(3, 4)) == 1
    assert oracle.lehmann((True, False), 2) == Fraction(2, 3)


def test_the_gap_of_the_means_has_the_power_of_the_t_test():
    """Nearly linear scores make it the permutation t test, which loses almost nothing to t."""
    found = power(
        "mean_gap",
        location(0.8, steepness=0.01),
        20,
        20,
        side="greater",
        repeats=1500,
        permutations=599,
        workers=1,
    )
    critical = stats.t.ppf(0.95, 38)
    expected = stats.nct.sf(critical, 38, 0.8 * math.sqrt(10))
    row = one_row(found, alternative="location(0.8)")
    assert row.power == pytest.approx(expected, abs=4 * error(expected, 1500))


def test_powers_are_those_of_scipys_tests_on_other_data():
    found = power("auc, ks", scale(3), 12, 15, repeats=3000, randomized=False, workers=1)
    rng = np.random.default_rng(7)
    upper, lower = scale(3).draw(1500, 12, 15, rng)
    u = stats.mannwhitneyu(upper, lower, axis=-1, method="exact").pvalue <= LEVEL
    d = np.array(
        [stats.ks_2samp(a, b, method="exact").pvalue for a, b in zip(upper, lower, strict=True)]
    )
    for name, rejected in (("auc", u), ("ks", d <= LEVEL)):
        row, rate = one_row(found, measure=name, alternative="scale(3)"), rejected.mean()
        assert row.power == pytest.approx(rate, abs=4.5 * math.hypot(error(rate, 1500), 0.007))


def test_steepness_matters_to_margins_only():
    results = [
        power(
            "auc, scored_auc",
            location(1, steepness=s),
            12,
            12,
            repeats=600,
            permutations=399,
            workers=1,
        )
        for s in (0.5, 8)
    ]
    timid, bold = (
        {row.measure: row.power for row in rows_of(r, alternative="location(1)")} for r in results
    )
    assert timid["auc"] == bold["auc"]
    assert timid["scored_auc"] > bold["scored_auc"] + 0.02


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=2, max_size=12))
def test_the_scored_auc_is_half_the_gap_of_means_and_half_the_distance(pairs):
    """Why it is as powerful as it is: a test of the means, mixed with one of the spread."""
    upper = np.array([score for label, score in pairs if label])
    lower = np.array([score for label, score in pairs if not label])
    if upper.size and lower.size:
        table = ScoreTable.from_cases(
            np.array([p for p, _ in pairs]), np.array([s for _, s in pairs])
        )
        distance = np.abs(upper[:, np.newaxis] - lower).mean()
        gap = upper.mean() - lower.mean()
        assert mm.scored_auc(table) == pytest.approx((gap + distance) / 2, abs=1e-12)


@pytest.mark.parametrize(("positives", "negatives"), [(50, 50), (20, 80), (80, 20)])
def test_to_random_labels_the_scored_auc_is_a_mean_of_a_function_of_the_scores(
    positives, negatives
):
    """The function is linear if the classes are equally large: then it is the gap of the means."""
    rng, n = np.random.default_rng(13), positives + negatives
    score = np.sort(rng.beta(1, 5, n))[::-1]
    labels = permutation.random_labels(2000, np.ones(positives + negatives, int), positives, rng)
    tables = permutation.tables_of(np.broadcast_to(score, labels.shape), labels)
    values, gaps = (mm.parse(name).compute(tables) for name in ("scored_auc", "mean_gap"))
    distance = score[:, np.newaxis] - score
    ahead, behind = np.maximum(distance, 0).mean(axis=1), np.maximum(-distance, 0).mean(axis=1)
    function = (negatives * ahead - positives * behind) / n
    assert np.corrcoef(values, labels @ function)[0, 1] > 0.998
    linear = np.corrcoef(values, gaps)[0, 1]
    assert linear > 0.998 if positives == negatives else linear < 0.99


def test_without_ties_taks_is_the_same_test_as_auc():
    found = power("auc, taks, gini", "location(0.7)", 9, 14, repeats=300, workers=1)
    for row in found.differences("auc").rows:
        assert (row.difference, row.low, row.high) == pytest.approx((0, 0, 0), abs=1e-12)


@pytest.fixture
def study(monkeypatch):
    """The benchmark that writes the page."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
    from benchmarks import power as module

    return module


def test_efficiencies_are_the_known_ones_where_scores_are_linear(study):
    """Those of the t test against Wilcoxon's: Hodges and Lehmann 1956."""
    for family, known in (("normal", math.pi / 3), ("uniform", 1), ("laplace", 2 / 3)):
        assert study.efficiency(family, 1e-3, 0.5) == pytest.approx(known, rel=2e-3)
    assert study.efficiency("exponential", 1e-3, 0.5) == pytest.approx(1 / 3, rel=2e-3)
    # Saturated scores are the signs of the latent values, which is the test of the median.
    assert study.efficiency("normal", 200, 0.5) == pytest.approx(2 / 3, rel=0.02)


def test_the_page_has_every_alternative_and_size(study):
    page = study.PAGE.read_text(encoding="utf-8")
    written = page.split("<!-- efficiencies: generated -->\n")[1].split("\n<!-- end -->")[0]
    header = ["location, base", "50 : 50", "20 : 80", "80 : 20"]
    assert written == study.table(header, study.efficiencies())
    for side in ("two_sided", "greater"):
        rows = page.split(f"<!-- powers_{side}: generated -->\n")[1].split("\n<!-- end -->")[0]
        named = [tuple(line.split(" | ")[:2]) for line in rows.splitlines()[2:]]
        assert named == [
            (f"| {alternative}, {alternative.base}", f"{p} + {n}")
            for alternative in study.STUDIED
            for p, n in study.SIZES
        ]


# ----------------------------------------------------------------------- the whole study


def test_rows_do_not_depend_on_workers():
    asked = "auc, scored_auc", ["location(0.8)", "scale(2)"], [5, 10], [5, 20]
    results = [
        power(*asked, repeats=300, permutations=39, workers=workers, seed=3) for workers in (1, 2)
    ]
    assert results[0].rows == results[1].rows
    assert results[0].rows != power(*asked, repeats=300, permutations=39, workers=1, seed=4).rows
    places = [(r.alternative, r.positives, r.negatives) for r in rows_of(results[0], measure="auc")]
    assert places == [
        (alternative, *size)
        for size in ((5, 5), (10, 20))
        for alternative in ("none", "location(0.8)", "scale(2)")
    ]


def test_many_tasks_are_put_together(monkeypatch):
    """Data sets come in tasks; the power is that of all of them."""
    from metameasure.lab.power_analysis import power_study as module

    monkeypatch.setattr(module, "TASK", 100 * 19 * 10)
    found = power("auc, mean_gap", Lehmann(3), 5, 5, repeats=950, permutations=39, workers=1)
    exact = oracle.exact_power("auc", "two-sided", (5, 5), 3, Fraction(1, 20))
    row = one_row(found, measure="auc", alternative="lehmann(3)")
    assert row.power == pytest.approx(exact, abs=4.5 * error(exact, 950))
    assert row.repeats == 950


def test_critical_values_may_be_drawn(monkeypatch):
    """Where there are too many arrangements to count, which is forced here."""
    from metameasure.lab.power_analysis import power_study as module

    monkeypatch.setattr(module.math, "comb", lambda n, k: 10**12)
    found = power("auc, ks", Lehmann(3), 5, 5, repeats=3000, workers=1)
    for name in ("auc", "ks"):
        exact = oracle.exact_power(name, "two-sided", (5, 5), 3, Fraction(1, 20))
        row = one_row(found, measure=name, alternative="lehmann(3)")
        assert row.power == pytest.approx(exact, abs=4.5 * error(exact, 3000) + 0.003)


def test_measures_are_tried_on_the_same_data_sets():
    alone = power("auc", "location(0.8)", 8, 8, repeats=200, permutations=39, workers=1)
    beside = power(
        "scored_auc, auc, ks", "location(0.8)", 8, 8, repeats=200, permutations=39, workers=1
    )
    assert list(alone.rows) == rows_of(beside, measure="auc")


def test_each_base_has_one_null_hypothesis():
    kinds = [location(1), scale(2), location(1, "laplace"), location(1, steepness=4)]
    found = power("auc", kinds, 5, 5, repeats=50, workers=1)
    assert [(row.base, row.alternative) for row in found.rows] == [
        ("normal", "none"),
        ("normal", "location(1)"),
        ("normal", "scale(2)"),
        ("laplace", "none"),
        ("laplace", "location(1)"),
        ("normal, steepness 4", "none"),
        ("normal, steepness 4", "location(1)"),
    ]


def test_own_scores_are_drawn_from_their_classes():
    labels, scores = [1, 1, 1, 0, 0, 0, 0], [0.9, 0.8, 0.35, 0.3, 0.2, 0.1, 0.6]
    mine = own_scores(labels, scores)
    rng = np.random.default_rng(8)
    upper, lower = mine.draw(2000, 3, 9, rng)
    assert set(upper.ravel()) == {0.9, 0.8, 0.35}
    assert set(lower.ravel()) == {0.3, 0.2, 0.1, 0.6}
    upper, lower = mine.draw(4000, 3, 9, rng, null=True)
    for drawn in (upper, lower):
        share = np.isin(drawn, [0.9, 0.8, 0.35]).mean()
        assert share == pytest.approx(0.25, abs=4.5 * error(0.25, drawn.size))
    found = power("auc, ks", mine, 10, 10, repeats=100, permutations=39, workers=1)
    assert one_row(found, measure="auc", alternative="own scores").power > 0.7


def test_a_measure_without_a_value_never_rejects():
    """Precision has none where no score reaches the threshold; the level is then not used up."""
    found = power(
        "precision@0.9", location(1), 6, 6, repeats=400, permutations=39, side=SIDES, workers=1
    )
    for row in rows_of(found, alternative="none"):
        assert row.power <= LEVEL + 3 * error(LEVEL, 400)


def test_progress_is_reported_to_the_end():
    reported = []
    power("auc, ks", "location(1)", [5, 6], 5, repeats=50, workers=1, progress=reported.append)
    assert reported == sorted(reported)
    assert reported[-1] == 1
    assert reported[0] < 0.1


# ----------------------------------------------------------------------- alternatives


@pytest.mark.parametrize("family", FAMILIES)
def test_bases_have_mean_0_and_variance_1(family):
    z = FAMILIES[family]((1000, 400), np.random.default_rng(9))
    assert z.mean() == pytest.approx(0, abs=0.01)
    assert z.std() == pytest.approx(1, abs=0.01)


def latent(scores, steepness):
    return np.log(scores / (1 - scores)) / steepness


@pytest.mark.parametrize(
    ("alternative", "mean", "deviation"),
    [
        (location(0.7, "uniform", 2), 0.7, 1),
        (scale(1.6, "laplace"), 0, 1.6),
        (shape("exponential", "normal", 0.5), 0, 1),
        (mixture(0.25, 2), 0.5, math.sqrt(1 + 4 * 0.25 * 0.75)),
    ],
)
def test_alternatives_change_what_they_say(alternative, mean, deviation):
    rng, steep = np.random.default_rng(10), alternative.base.steepness
    upper, lower = (latent(s, steep) for s in alternative.draw(800, 200, 100, rng))
    assert (upper.shape, lower.shape) == ((800, 200), (800, 100))
    assert upper.mean() == pytest.approx(mean, abs=0.015)
    assert upper.std() == pytest.approx(deviation, abs=0.015)
    assert (lower.mean(), lower.std()) == pytest.approx((0, 1), abs=0.02)
    upper, lower = (latent(s, steep) for s in alternative.draw(800, 200, 100, rng, null=True))
    assert (upper.mean(), upper.std()) == pytest.approx((0, 1), abs=0.02)
    assert pickle.loads(pickle.dumps(alternative)) == alternative  # noqa: S301


def test_shape_has_another_form():
    upper, lower = shape("exponential", steepness=1).draw(500, 400, 400, np.random.default_rng(11))
    assert stats.skew(latent(upper, 1).ravel()) == pytest.approx(2, abs=0.1)
    assert stats.skew(latent(lower, 1).ravel()) == pytest.approx(0, abs=0.05)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("location(0.8)", location(0.8)),
        (" scale( 2, laplace ) ", scale(2, "laplace")),
        ("shape(two_peaks, base=uniform, steepness=4)", shape("two_peaks", "uniform", 4)),
        ("mixture(0.3, 2, steepness=0.5)", mixture(0.3, 2, steepness=0.5)),
    ],
)
def test_alternatives_have_a_text(text, expected):
    assert parse_alternative(text) == expected
    assert parse_alternative(str(expected)) == replace(expected, base=location(1).base)


# -------------------------------------------------------------------------- the result


def test_the_result_has_rows_frames_json_and_pages():
    found = power(
        "auc, scored_auc",
        "location(1)",
        [6, 8],
        7,
        side=SIDES,
        repeats=60,
        permutations=39,
        workers=1,
    )
    frame = found.frame()
    assert frame.columns == [
        "measure",
        "base",
        "alternative",
        "positives",
        "negatives",
        "side",
        "level",
        "power",
        "low",
        "high",
        "repeats",
    ]
    assert frame.height == 2 * 2 * 2 * 3 == len(found.rows) == len(found.records())
    content = json.loads(found.to_json())
    assert content["rows"] == found.records()
    assert {k: v for k, v in content.items() if k != "rows"} == {
        "level": 0.05,
        "repeats": 60,
        "permutations": 39,
        "randomized": True,
        "ci": 0.95,
        "checks": [],
    }
    assert "normal, two-sided" in str(found)
    assert "none, 6 + 7" in str(found)
    assert "none: actual level" in found.to_markdown()
    gaps = found.differences("auc")
    assert gaps.frame().height == 12
    assert "power minus that of auc" in str(gaps)
    assert json.loads(gaps.to_json())["rows"][0]["reference"] == "auc"
    assert repr(found) == "<Power: 24 rows>"


def test_differences_are_judged_on_pairs():
    rng = np.random.default_rng(12)
    rejected = (rng.random((3, 500)) + rng.random(500) > 1).astype(float)
    names, place = ("auc", "ks", "mean_gap"), ("normal", "location(1)", 5, 5, "greater")
    rows = [
        PowerRow(n, *place, 0.05, r.mean(), *wilson_limits(r.sum(), 500, 0.9), 500)
        for n, r in zip(names, rejected, strict=True)
    ]
    joint = {place: rejected @ rejected.T / 500}
    found = Power(rows, {"ci": 0.9, "level": 0.05, "repeats": 500}, joint).differences("ks")
    for row, which in zip(found.rows, (0, 2), strict=True):
        gaps = rejected[which] - rejected[1]
        reach = stats.norm.ppf(0.95) * gaps.std(ddof=1) / math.sqrt(500)
        assert (row.measure, row.reference) == (names[which], "ks")
        assert row.difference == pytest.approx(gaps.mean())
        assert (row.low, row.high) == pytest.approx((gaps.mean() - reach, gaps.mean() + reach))


# --------------------------------------------------------------------------- bad input


class Crooked:
    def __init__(self, upper, lower):
        self.scores = upper, lower

    def draw(self, data_sets, positives, negatives, rng, *, null=False):
        return self.scores

    def __str__(self):
        return "crooked"


@pytest.mark.parametrize(
    ("error", "arguments", "options", "message"),
    [
        (
            ParameterError,
            ("auc", "location(1)", 0, 5),
            {},
            "positives must be an integer >= 1, got 0",
        ),
        (
            ParameterError,
            ("auc", "location(1)", [5, 6], [5, 6, 7]),
            {},
            "negatives differ in length: 2 and 3",
        ),
        (
            ParameterError,
            ("auc", "location(1)", [], 5),
            {},
            "positives needs at least 1 value, got 0",
        ),
        (ParameterError, ("auc", "nowhere(1)", 5, 5), {}, "alternative must be one of location("),
        (
            ParameterError,
            ("auc", "location(1, 2, 3, 4)", 5, 5),
            {},
            "too many positional arguments",
        ),
        (ParameterError, ("auc", "scale(0)", 5, 5), {}, "ratio must be > 0, got 0.0"),
        (
            ParameterError,
            ("auc", "location(1, base=cauchy)", 5, 5),
            {},
            "base must be one of 'normal', ",
        ),
        (ParameterError, ("auc", "mixture(2, 1)", 5, 5), {}, "share must be in [0, 1], got 2.0"),
        (ParameterError, ("auc", [], 5, 5), {}, "alternative is empty; use e.g. location(0.5)"),
        (ParameterError, ("auc", 0.5, 5, 5), {}, "alternative must have a method draw, got 0.5"),
        (
            ParameterError,
            ("auc", ["location(1)", "location(1)"], 5, 5),
            {},
            "alternative has location(1) twice",
        ),
        (ParameterError, ("auc", "location(1)", [5, 5], 5), {}, "twice for 5 + 5 cases"),
        (
            ParameterError,
            ("auc", "location(1)", 5, 5),
            {"level": 1.5},
            "level must be in (0, 1), got 1.5",
        ),
        (
            ParameterError,
            ("auc", "location(1)", 5, 5),
            {"repeats": 0},
            "repeats must be an integer >= 1, got 0",
        ),
        (
            ParameterError,
            ("auc", "location(1)", 5, 5),
            {"side": "left"},
            "side must be one of 'two-sided', 'greater', 'less'",
        ),
        (
            ParameterError,
            ("auc", "location(1)", 5, 5),
            {"side": []},
            "side needs at least 1 value, got 0",
        ),
        (
            ParameterError,
            ("auc", "location(1)", 5, 5),
            {"seed": -1},
            "seed must be an integer >= 0 or None, got -1",
        ),
        (
            ParameterError,
            ("auc", "location(1)", 5, 5),
            {"workers": 0},
            "workers must be an integer >= 1, got 0",
        ),
        (
            ParameterError,
            ("auc", "location(1)", 5, 5),
            {"permutations": 38},
            "permutations must be >= 39 for a test at level 0.05",
        ),
        (
            ParameterError,
            ("auc", "location(1)", 5, 5),
            {"randomized": 1},
            "randomized must be True or False, got 1",
        ),
        (
            ParameterError,
            ("kendall_tau", "location(1)", 5, 5),
            {},
            "kendall_tau is a measure of true and predicted orders",
        ),
        (
            ParameterError,
            ("mean_over(auc)", "location(1)", 5, 5),
            {},
            "does not apply to two samples",
        ),
        (
            DataError,
            ("scored_auc", Crooked(np.ones((9, 5)) * 2, 0), 5, 5),
            {},
            "scored_auc needs scores in",
        ),
        (
            DataError,
            ("auc", Crooked(np.full((9, 5), np.nan), 0), 5, 5),
            {},
            "crooked draws scores that are NaN",
        ),
        (
            DataError,
            ("auc", Crooked(np.zeros((5, 9)), 0), 5, 5),
            {},
            "crooked must draw positives of shape (9, 5)",
        ),
    ],
)
def test_bad_input_is_refused_in_words(error, arguments, options, message):
    with pytest.raises(error) as caught:
        power(*arguments, **{"repeats": 9, "workers": 1, **options})
    assert message in str(caught.value)


def test_own_scores_need_both_classes():
    with pytest.raises(DataError, match="all 3 cases are positive"):
        own_scores([1, 1, 1], [0.1, 0.2, 0.3])
    with pytest.raises(ParameterError, match="reference must be 'auc', got 'ks'"):
        power("auc", "location(1)", 5, 5, repeats=9, workers=1).differences("ks")


def test_permutations_are_enough_for_one_side():
    found = power(
        "scored_auc", "location(3)", 6, 6, side="greater", permutations=19, repeats=200, workers=1
    )
    assert one_row(found, alternative="location(3)").power > 0.9
