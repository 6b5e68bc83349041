"""The calibration table, in Python and on the command line."""

import io
import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import metameasure as mm
from metameasure.evaluation.calibration import calibration_table
from oracles import TABLE_ORACLES
from oracles.tables import calibration_bins
from strategies import cases, table_of

LABELS = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0]
SCORES = [0.9, 0.8, 0.8, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1, 0.1]
OTHERS = [0.6, 0.7, 0.8, 0.3, 0.4, 0.2, 0.5, 0.1, 0.9, 0.3]
WEIGHTS = [1.0, 2.0, 0.5, 1.0, 1.0, 3.0, 1.0, 0.5, 1.0, 1.0]
MEASURES = [
    *("ece", "miscalibration", "discrimination", "uncertainty", "calibration_slope"),
    *("calibration_intercept", "calibration_in_the_large", "spiegelhalter_z", "hosmer_lemeshow"),
]
COLUMNS = [
    *("model", "bin", "lowest_score", "highest_score", "cases", "positives", "mean_score"),
    *("positive_rate", "low", "high", "gap"),
]


def values(table):
    return {mm.parse(row.measure).name: row for row in table.summary}


def drawn(size=400, seed=1):
    rng = np.random.default_rng(seed)
    scores = rng.uniform(0.02, 0.98, size).round(2)
    return rng.random(size) < scores, scores


# --- values


@pytest.mark.filterwarnings("ignore::metameasure.UndefinedMeasureWarning")
@given(cases(max_size=14), st.integers(1, 12), st.sampled_from(["mass", "width"]))
def test_the_definition(some, bins, equal):
    table = table_of(some)
    if not table.n:
        return
    found = calibration_table(table, bins=bins, equal=equal)
    expected = calibration_bins(some, bins, equal)
    assert len(found.rows) == len(expected)
    for record, row in zip(found.records(), expected, strict=True):
        for name, value in row.items():
            assert record[name] == pytest.approx(float(value), rel=1e-12, abs=1e-14), name
    parameters = {"ece": {"bins": bins, "equal": equal}, "hosmer_lemeshow": {"groups": bins}}
    assert list(values(found)) == MEASURES
    for name, row in values(found).items():
        value = TABLE_ORACLES[name](some, **parameters.get(name, {}))
        if value is None:
            assert math.isnan(row.value)
        else:
            assert row.value == pytest.approx(float(value), rel=1e-7, abs=1e-9)


def test_by_hand():
    table = calibration_table(LABELS, SCORES, bins=3)
    first, second, third = table.rows
    assert (first.bin, first.lowest_score, first.highest_score) == (1, 0.1, 0.2)
    assert (second.cases, second.positives, second.positive_rate) == (4, 2, 0.5)
    assert second.mean_score == pytest.approx(1.9 / 4)
    assert third.gap == pytest.approx(2 / 3 - 2.5 / 3)
    found = values(table)
    assert found["ece"].value == pytest.approx(0.1)
    distance = 0.16 / (0.4 * 2.6 / 3) + 0.01 / (1.9 * 2.1 / 4) + 0.25 / (2.5 * 0.5 / 3)
    assert found["hosmer_lemeshow"].value == pytest.approx(distance)
    assert found["spiegelhalter_z"].value == pytest.approx(0.08 / math.sqrt(0.4224))
    parts = [found[name].value for name in ("miscalibration", "discrimination", "uncertainty")]
    assert parts[0] - parts[1] + parts[2] == pytest.approx(mm.brier(LABELS, SCORES))


@pytest.mark.parametrize("equal", ["mass", "width"])
def test_intervals_are_those_of_wilson(equal):
    table = calibration_table(*drawn(), equal=equal, ci=0.9)
    for row in table.rows:
        test = stats.binomtest(int(row.positives), int(row.cases))
        limits = test.proportion_ci(0.9, method="wilson")
        assert (row.low, row.high) == pytest.approx(tuple(limits), abs=1e-12)


def test_pvalues():
    found = values(calibration_table(*drawn()))
    z, distance = found["spiegelhalter_z"], found["hosmer_lemeshow"]
    assert z.pvalue == pytest.approx(2 * stats.norm.sf(abs(z.value)))
    assert (z.degrees, distance.degrees) == (None, 10)
    assert distance.pvalue == pytest.approx(stats.chi2.sf(distance.value, 10))
    assert all(found[name].pvalue is None for name in MEASURES[:6])


def test_the_groups_of_the_test_are_those_with_cases():
    labels, scores = drawn()
    table = calibration_table(labels, scores.round(1).clip(0.1, 0.4))
    distance = values(table)["hosmer_lemeshow"]
    assert distance.degrees == 4
    assert distance.pvalue == pytest.approx(stats.chi2.sf(distance.value, 4))
    assert "chi-squared, 4 degrees of freedom (groups): model" in table.table()


def test_a_model_that_was_fitted_to_the_cases_has_two_degrees_less():
    table = calibration_table(*drawn(), fitted=True)
    distance = values(table)["hosmer_lemeshow"]
    assert distance.degrees == 8
    assert distance.pvalue == pytest.approx(stats.chi2.sf(distance.value, 8))
    assert "8 degrees of freedom (groups - 2; scores from the fitted sample)" in table.table()


def test_of_a_fitted_model_the_test_needs_three_groups():
    table = calibration_table(LABELS, SCORES, bins=2, fitted=True)
    distance = values(table)["hosmer_lemeshow"]
    assert distance.value > 0
    assert (distance.pvalue, distance.degrees) == (None, None)
    assert "no p-value: fewer than 3 groups have cases" in table.table()


def test_the_tests_hold_their_level():
    rng = np.random.default_rng(5)
    rejected = np.zeros(2)
    for _ in range(400):
        scores = rng.uniform(0.05, 0.95, 200)
        found = values(calibration_table(rng.random(200) < scores, scores))
        rejected += [found[name].pvalue < 0.05 for name in ("spiegelhalter_z", "hosmer_lemeshow")]
    assert (rejected / 400 > 0.02).all()
    assert (rejected / 400 < 0.085).all()


def test_equal_width_bins_have_the_numbers_of_their_edges():
    table = calibration_table([1, 0, 1, 0], [0.05, 0.3, 0.39, 0.95], equal="width")
    assert [row.bin for row in table.rows] == [1, 4, 10]
    assert "bins of width 0.1; 7 of 10 bins are empty" in table.table()


def test_weights():
    weighted = calibration_table(LABELS, SCORES, bins=3, sample_weight=WEIGHTS)
    assert {row.low for row in weighted.rows} == {None}
    assert {row.pvalue for row in weighted.summary} == {None}
    assert "weighted cases: no intervals and no p-values" in weighted.table()
    assert "bins of equal weight" in weighted.table()
    assert json.loads(weighted.to_json())["ci"] is None
    counts = [1, 2, 1, 3, 1, 2, 1, 1, 2, 1]
    whole = calibration_table(LABELS, SCORES, bins=3, sample_weight=counts)
    repeated = calibration_table(np.repeat(LABELS, counts), np.repeat(SCORES, counts), bins=3)
    for one, other in zip(whole.rows, repeated.rows, strict=True):
        assert one.positive_rate == pytest.approx(other.positive_rate)
        assert one.mean_score == pytest.approx(other.mean_score)
        assert (other.low, one.low) == (pytest.approx(other.low), None)
    for one, other in zip(whole.summary, repeated.summary, strict=True):
        assert one.value == pytest.approx(other.value)


def test_a_bare_table_of_counts():
    table = mm.tabulate(LABELS, SCORES)
    rows = calibration_table(LABELS, SCORES, bins=3)
    assert calibration_table(table, bins=3).table() == rows.table()
    halves = mm.ScoreTable(table.score, table.pos / 2, table.neg / 2)
    assert calibration_table(halves, bins=3).rows[0].low is None


# --- what is undefined, what is infinite


def test_undefined_measures_say_why():
    with pytest.warns(
        mm.UndefinedMeasureWarning, match="calibration_slope: a score is 0"
    ) as caught:
        table = calibration_table([1, 0, 1, 0], [1.0, 0.7, 0.4, 0.0], bins=2)
    assert (len(caught), caught[0].filename) == (1, __file__)
    assert [mm.parse(row.measure).name for row in table.undefined] == MEASURES[4:7]
    assert "calibration_slope is undefined (–) when a score is 0 or 1" in table.table()
    content = json.loads(table.to_json())
    assert content["summary"][4]["value"] is None
    assert content["undefined"][1]["measure"] == "calibration_intercept"


def test_a_z_without_spread_has_no_pvalue():
    with pytest.warns(mm.UndefinedMeasureWarning, match="spiegelhalter_z"):
        found = values(calibration_table([1, 0], [0.5, 0.5], bins=1))
    assert math.isnan(found["spiegelhalter_z"].value)
    assert found["spiegelhalter_z"].pvalue is None


def test_a_certainty_that_failed():
    labels, scores = [0, 1, 0, 1, 0, 1], [1.0, 0.9, 0.7, 0.5, 0.4, 0.1]
    with pytest.warns(mm.UndefinedMeasureWarning):
        table = calibration_table(labels, scores, bins=6)
    distance = values(table)["hosmer_lemeshow"]
    assert (distance.value, distance.pvalue) == (math.inf, 0)
    last = json.loads(table.to_json())["summary"][-1]
    assert (last["value"], last["infinite"]) == (None, "+")
    assert "<0.0001" in table.table()


# --- forms


def test_frames():
    table = calibration_table(LABELS, {"a": SCORES, "b": OTHERS}, bins=3)
    frame, summary = table.frame(), table.frame("summary")
    assert frame.columns == COLUMNS
    assert frame.schema["bin"] == pl.Int64
    assert frame["model"].unique(maintain_order=True).to_list() == ["a", "b"]
    assert summary.columns == ["model", "measure", "value", "pvalue", "degrees"]
    assert summary.height == 18
    assert summary["degrees"].to_list() == [*[None] * 8, 3] * 2
    came = pd.DataFrame({"y": LABELS, "s": SCORES})
    table = calibration_table(came, "s", label="y", bins=3)
    assert isinstance(table.frame(), pd.DataFrame)
    assert isinstance(table.frame("summary"), pd.DataFrame)


def test_json_markdown_html_and_rich():
    from rich.console import Console

    table = calibration_table(LABELS, {"a": SCORES, "b": OTHERS}, bins=3)
    content = json.loads(table.to_json())
    assert set(content) == {
        "rows",
        "summary",
        "undefined",
        "bins",
        "equal",
        "ci",
        "fitted",
        "checks",
    }
    assert (content["bins"], content["equal"], content["ci"]) == (3, "mass", 0.95)
    assert list(content["rows"][0]) == COLUMNS
    assert repr(table) == "<calibration table: 6 bins, 2 models>"
    assert table._repr_html_().count("<table>") == 4
    assert "**a**" in table.to_markdown()
    stream = io.StringIO()
    Console(file=stream, width=80, color_system=None).print(table)
    assert "hosmer_lemeshow(groups=3)" in stream.getvalue()


# --- bad input


@pytest.mark.parametrize(
    ("error", "arguments", "options", "words"),
    [
        (mm.DataError, (LABELS,), {}, "scores are missing"),
        (
            mm.DataError,
            (LABELS, [9, *SCORES[1:]]),
            {},
            r"needs scores in \[0, 1\], but 1 distinct .*minmax",
        ),
        (mm.DataError, (LABELS, SCORES[:4]), {}, "y_true and scores differ in length: 10 and 4"),
        (
            mm.ParameterError,
            (LABELS, SCORES),
            {"bins": 0},
            "bins must be an integer from 1 to 1000, got 0",
        ),
        (
            mm.ParameterError,
            (LABELS, SCORES),
            {"equal": "size"},
            "equal must be one of 'mass', 'width', got ",
        ),
        (mm.ParameterError, (LABELS, SCORES), {"ci": 95}, r"ci must be in \(0, 1\), got 95"),
        (
            mm.ParameterError,
            (mm.tabulate(LABELS, SCORES),),
            {"rescale": "minmax"},
            "does not apply to score tables",
        ),
        (mm.DataError, (mm.tabulate_lists([1, 0], [[1, 0], [0, 1]]),), {}, "one table per model"),
    ],
)
def test_bad_input(error, arguments, options, words):
    with pytest.raises(error, match=words):
        calibration_table(*arguments, **options)


def test_scores_that_are_rescaled():
    wide = [10 * score - 1 for score in SCORES]
    with pytest.warns(mm.UndefinedMeasureWarning):
        table = calibration_table(LABELS, wide, rescale="minmax", bins=3)
    assert (table.rows[0].lowest_score, table.rows[-1].highest_score) == (0, 1)
