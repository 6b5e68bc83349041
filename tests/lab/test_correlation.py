"""Correlation of measures with an ideal one: Huang's Table 4.6, oracles, bad input."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import metameasure as mm
from metameasure.errors import DataError, ParameterError, UnknownMeasure
from metameasure.lab.perturbation.correlation import correlation_with, perturbed
from oracles import CUT_ORACLES, TABLE_ORACLES, cut
from oracles import power as oracle

TRUTH = "true_probabilities"
HUANG = {
    0.3: {"accuracy@k=P": 0.2454, "auc": 0.3222},
    0.5: {"accuracy@k=P": 0.4678, "auc": 0.535},
    0.7: {"accuracy@k=P": 0.5932, "auc": 0.6596},
    0.8: {"accuracy@k=P": 0.6546, "auc": 0.6996},
    0.9: {"accuracy@k=P": 0.6656, "auc": 0.7137},
}
"""Table 4.6 of Huang (2006), the columns of single measures: means of 5 samples of 200 lists."""


class Fixed:
    """Lists that are known beforehand, in turn."""

    def __init__(self, positive, score, truth=None, name="fixed"):
        self.lists = positive, np.asarray(score), truth
        self.name = name

    def draw(self, count, rng):
        positive, score, truth = self.lists
        return positive, np.resize(score, (count, score.shape[-1])), truth

    def __str__(self):
        return self.name


def only(result, **asked):
    (row,) = [
        row for row in result.rows if all(getattr(row, name) == v for name, v in asked.items())
    ]
    return row


def printed_error(r):
    """The standard error of a mean of five correlations over 200 lists."""
    return (1 - r * r) / math.sqrt(1000)


# ---------------------------------------------------------------------------- published


@pytest.fixture(scope="module")
def table_4_6():
    kinds = [perturbed(noise, edges=edges) for edges in ("clip", "truncate") for noise in HUANG]
    return correlation_with(TRUTH, "auc, accuracy@k=P", kinds, repeats=150, workers=1)


@pytest.mark.parametrize("noise", HUANG)
def test_huangs_table_4_6_is_found_when_scores_are_clipped(table_4_6, noise):
    for measure, printed in HUANG[noise].items():
        row = only(table_4_6, measure=measure, lists_of=f"perturbed({noise}, cases=20)")
        error = math.hypot(row.pearson_se, printed_error(printed))
        assert row.pearson == pytest.approx(printed, abs=2.5 * error), measure
        assert row.pearson_se < 0.006


def test_huangs_conclusions_hold(table_4_6):
    """The AUC follows the true probabilities closer than accuracy, both closer with more noise."""
    for edges in ("", ", edges=truncate"):
        names = [f"perturbed({noise}, cases=20{edges})" for noise in HUANG]
        auc, accuracy = (
            [only(table_4_6, measure=m, lists_of=name).pearson for name in names]
            for m in ("auc", "accuracy@k=P")
        )
        assert all(a > b for a, b in zip(auc, accuracy, strict=True))
        assert auc[0] < auc[1] < auc[2]


def test_the_perturbation_that_huang_describes_does_not_give_his_figures(table_4_6):
    """Erratum: scores drawn from the truncated interval are far from the printed correlations."""
    for noise in (0.5, 0.7):
        row = only(
            table_4_6, measure="auc", lists_of=f"perturbed({noise}, cases=20, edges=truncate)"
        )
        assert row.pearson - HUANG[noise]["auc"] > 4 * printed_error(row.pearson)


# ------------------------------------------------------------------------------ oracles


def slow(name, labels, scores):
    listed = [
        (bool(label), float(score), Fraction(1))
        for label, score in zip(labels, scores, strict=True)
    ]
    if name == "accuracy@k=P":
        return CUT_ORACLES["accuracy"](*cut(listed, "k", "P"))
    return TABLE_ORACLES[name](listed)


@pytest.mark.parametrize("ties", [False, True])
def test_coefficients_are_those_of_the_definitions(ties):
    rng = np.random.default_rng(1)
    truth = np.array([0.1, 0.2, 0.4, 0.45, 0.6, 0.8, 0.9])
    score = rng.random((12, 7))
    score = np.round(score * 4) / 4 if ties else score
    names = ["auc", "accuracy@k=P", "scored_auc", "brier", "average_precision"]
    found = correlation_with(
        TRUTH, names, Fixed(truth > 0.5, score, truth), lists=12, repeats=2, workers=1
    )
    ideal = [-oracle.distance(truth, row) for row in score]
    for name in names:
        sign = -1 if mm.parse(name).best == "min" else 1
        values = [sign * slow(name, truth > 0.5, row) for row in score]
        row = only(found, measure=name)
        assert row.pearson == pytest.approx(oracle.pearson([float(v) for v in values], ideal))
        exact = [Fraction(v).limit_denominator(10**9) for v in values]
        assert row.spearman == pytest.approx(
            oracle.spearman(exact, [Fraction(v).limit_denominator(10**9) for v in ideal])
        )
        assert (row.pearson_se, row.spearman_se) == pytest.approx((0, 0), abs=1e-12)
        assert (row.lists, row.repeats, row.left_out) == (12, 2, 0)


def test_any_measure_may_be_the_reference():
    rng = np.random.default_rng(2)
    labels, score = np.array([1, 1, 0, 1, 0, 0, 0]) > 0, rng.random((30, 7))
    found = correlation_with(
        "brier", "auc, brier, log_loss", Fixed(labels, score), lists=30, repeats=1, workers=1
    )
    tables = mm.tabulate_lists(labels, score)
    brier = -mm.brier(tables)
    for row in found.rows:
        values = mm.parse(row.measure)(tables)
        values = -values if row.measure != "auc" else values
        assert row.reference == "brier"
        assert row.pearson == pytest.approx(stats.pearsonr(values, brier)[0])
        assert row.spearman == pytest.approx(stats.spearmanr(values, brier)[0])
        assert math.isnan(row.pearson_se)
    assert only(found, measure="brier").pearson == pytest.approx(1)


def test_a_measure_with_a_best_value_is_turned_toward_it():
    rng = np.random.default_rng(3)
    labels, score = np.arange(40) % 3 == 0, rng.beta(2, 3, (25, 40))
    kind = Fixed(labels, score)
    found = correlation_with(
        "auc", "calibration_in_the_large", kind, lists=25, repeats=1, workers=1
    )
    tables = mm.tabulate_lists(labels, score)
    values = -np.abs(mm.calibration_in_the_large(tables))
    assert found.rows[0].pearson == pytest.approx(stats.pearsonr(values, mm.auc(tables))[0])


def test_values_that_differ_by_rounding_have_one_rank():
    """0.1 + 0.2 is 0.3 to everyone but floating point."""

    @mm.measure(best="max", range=(-9, 9))
    def rounded_sum(table):
        """Sums that stand for 0.3, in two ways, and 0.5."""
        kinds = np.array([0.1 + 0.2, 0.3, 0.5, 0.3, 0.1 + 0.2, 0.5])
        return np.resize(kinds, table.shape)

    rng = np.random.default_rng(4)
    labels, score = np.array([True, True, False, False]), rng.random((6, 4))
    found = correlation_with(
        "mean_gap", rounded_sum, Fixed(labels, score), lists=6, repeats=1, workers=1
    )
    values = [3, 3, 5, 3, 3, 5]
    gaps = mm.mean_gap(mm.tabulate_lists(labels, score))
    assert found.rows[0].spearman == pytest.approx(stats.spearmanr(values, gaps)[0])


# ---------------------------------------------------------------------------- the study


def test_perturbed_lists_have_their_declared_distribution():
    rng = np.random.default_rng(5)
    positive, score, truth = perturbed(0.3, 10).draw(4000, rng)
    assert truth.tolist() == [i / 10 for i in range(1, 11)]
    assert positive.tolist() == [False] * 5 + [True] * 5
    assert score.min() == 0
    assert score.max() == 1
    assert (np.abs(score - truth) <= 0.3 + 1e-12).all()
    assert (score[:, 0] == 0).mean() == pytest.approx(1 / 3, abs=0.035)
    _, score, _ = perturbed(0.3, 10, edges="truncate").draw(4000, rng)
    assert (score[:, 0] == 0).mean() == 0
    assert score[:, 0].mean() == pytest.approx(0.2, abs=0.01)
    _, score, truth = perturbed(0.1, probabilities=[0.9, 0.2, 0.3]).draw(10, rng)
    assert truth.tolist() == [0.9, 0.2, 0.3]
    assert score.shape == (10, 3)


def test_rows_do_not_depend_on_workers():
    kinds = [perturbed(0.4, cases=40), perturbed(0.8, cases=11)]
    asked = TRUTH, "auc, ks", kinds
    results = [correlation_with(*asked, repeats=70, workers=w, seed=2) for w in (1, 2)]
    assert results[0].rows == results[1].rows
    assert results[0].rows != correlation_with(*asked, repeats=70, workers=1, seed=3).rows
    assert len(results[0].rows) == 4
    assert results[0].rows[0].repeats == 70


def test_standard_errors_are_those_of_the_samples():
    found = correlation_with(TRUTH, "auc, ks", perturbed(0.6), lists=50, repeats=40, workers=1)
    for row in found.rows:
        pearson, spearman = found.samples[row.measure, row.lists_of]
        assert pearson.shape == (40,)
        assert row.pearson == pytest.approx(pearson.mean())
        assert row.pearson_se == pytest.approx(stats.sem(pearson))
        assert row.spearman_se == pytest.approx(stats.sem(spearman))
        assert pearson.std() == pytest.approx((1 - row.pearson**2) / math.sqrt(50), rel=0.35)


def test_samples_without_a_coefficient_are_left_out_and_counted():
    """With so little noise no list is out of order, and the AUC is always 1."""
    found = correlation_with(
        TRUTH, "auc, scored_auc", perturbed(0.01, cases=20), lists=20, repeats=6, workers=1
    )
    auc = only(found, measure="auc")
    assert math.isnan(auc.pearson)
    assert math.isnan(auc.spearman_se)
    assert auc.left_out == 6
    assert only(found, measure="scored_auc").left_out == 0
    assert "auc, perturbed(0.01, cases=20): no coefficient for 6 of 6 samples" in str(found)
    assert json.loads(found.to_json())["rows"][0]["pearson"] is None


def test_the_result_has_rows_frames_json_and_pages():
    found = correlation_with(TRUTH, "auc, brier", perturbed(0.5), repeats=5, workers=1)
    assert found.frame().columns == [
        "measure",
        "reference",
        "lists_of",
        "pearson",
        "pearson_se",
        "spearman",
        "spearman_se",
        "lists",
        "repeats",
        "left_out",
    ]
    assert json.loads(found.to_json())["rows"] == found.records()
    assert "correlation with true_probabilities over 200 lists" in str(found)
    assert "| auc |" in found.to_markdown()
    assert repr(found) == "<Correlations: 2 rows>"


# ---------------------------------------------------------------------------- bad input

LABELS = np.array([True, False, True])


@pytest.mark.parametrize(
    ("error", "arguments", "options", "message"),
    [
        (ParameterError, (TRUTH, "auc", []), {}, "generator is empty"),
        (
            ParameterError,
            (TRUTH, "auc", 0.5),
            {},
            "generator must have a method draw, got 0.5",
        ),
        (
            ParameterError,
            (TRUTH, "auc", [perturbed(0.5), perturbed(0.5)]),
            {},
            "must have different names",
        ),
        (
            ParameterError,
            (TRUTH, "auc", perturbed(0.5)),
            {"lists": 2},
            "lists must be an integer >= 3, got 2",
        ),
        (
            ParameterError,
            (TRUTH, "auc", perturbed(0.5)),
            {"repeats": 0},
            "repeats must be an integer >= 1, got 0",
        ),
        (
            ParameterError,
            (TRUTH, "auc", perturbed(0.5)),
            {"seed": 0.5},
            "seed must be an integer >= 0 or None, got 0.5",
        ),
        (
            ParameterError,
            (TRUTH, "kendall_tau", perturbed(0.5)),
            {},
            "kendall_tau is a measure of true and",
        ),
        (
            ParameterError,
            ("kendall_tau", "auc", perturbed(0.5)),
            {},
            "kendall_tau is a measure of true and",
        ),
        (
            ParameterError,
            (TRUTH, "auc", Fixed(LABELS, np.eye(3))),
            {},
            "fixed has no true probabilities",
        ),
        (
            DataError,
            ("auc", "brier", Fixed(LABELS, 2 * np.eye(3))),
            {},
            "brier needs scores in [0, 1]",
        ),
        (
            DataError,
            ("auc", "ks", Fixed(LABELS, np.full((3, 3), np.nan))),
            {},
            "must draw scores without NaN",
        ),
    ],
)
def test_bad_input_is_refused_in_words(error, arguments, options, message):
    with pytest.raises(error) as caught:
        correlation_with(*arguments, **{"repeats": 3, "workers": 1, **options})
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((0,), {}, "noise must be in (0, 1], got 0"),
        ((1.5,), {}, "noise must be in (0, 1], got 1.5"),
        ((0.5, 1), {}, "cases must be an integer >= 2, got 1"),
        ((0.5,), {"probabilities": [0.2, 1.2]}, "probabilities must be in [0, 1]"),
        ((0.5,), {"probabilities": [0.2, np.nan]}, "probabilities must be in [0, 1]"),
        ((0.5,), {"probabilities": [0.2, 0.4]}, "to give both classes"),
        ((0.5,), {"edges": "wrap"}, "edges must be one of 'clip', 'truncate', got 'wrap'"),
    ],
)
def test_perturbations_are_checked(arguments, options, message):
    with pytest.raises(ParameterError) as caught:
        perturbed(*arguments, **options)
    assert message in str(caught.value)


def test_unknown_references_are_named():
    with pytest.raises(UnknownMeasure, match="there is no measure 'truth'"):
        correlation_with("truth", "auc", perturbed(0.5))
