"""Positive rates per fixed band of scores, and the stability of scores over periods."""

import math
from datetime import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import binomtest, chi2

import metameasure as mm

LABELS = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0]
SCORES = [0.9, 0.8, 0.8, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1, 0.1]


def test_bands_count_cases_between_their_ends():
    rng = np.random.default_rng(1)
    label, score = rng.random(300) < 0.2, np.round(rng.normal(600, 50, 300))
    table = mm.score_band_table(label, score, edges=[650, 550, 600])
    assert [row.lower for row in table.rows] == [650, 600, 550, -math.inf]
    for row in table.rows:
        inside = (score >= row.lower) & (score < row.upper)
        assert (row.cases, row.positives) == (inside.sum(), label[inside].sum())
        assert row.share == pytest.approx(inside.mean())
        assert row.positive_rate == pytest.approx(label[inside].mean())
        right = binomtest(label[inside].sum(), inside.sum()).proportion_ci(method="wilson")
        assert (row.low, row.high) == pytest.approx((right.low, right.high))


def test_empty_bands_stay_and_have_no_rate():
    rows = mm.score_band_table(LABELS, SCORES, edges=[0.3, 0.95]).rows
    assert [row.cases for row in rows] == [0, 7, 3]
    assert (rows[0].positive_rate, rows[0].low) == (None, None)


def test_weighted_bands_have_no_limits_and_several_models_have_their_own():
    table = mm.score_band_table(
        LABELS, {"a": SCORES, "b": SCORES[::-1]}, edges=[0.45], sample_weight=[2.0] * 10
    )
    assert [(row.model, row.cases, row.low) for row in table.rows] == [
        ("a", 10, None), ("a", 10, None), ("b", 10, None), ("b", 10, None),
    ]  # fmt: skip
    assert "confidence" not in table.table()


@pytest.mark.parametrize(
    ("edges", "message"), [([], "edges needs at least 1 value"), (["x"], "edges must be")]
)
def test_wrong_edges(edges, message):
    with pytest.raises(mm.ParameterError, match=message):
        mm.score_band_table(LABELS, SCORES, edges=edges)


def test_the_command_shows_bands(run, tmp_path):
    file = tmp_path / "cases.csv"
    pl.DataFrame({"y": LABELS, "s": SCORES}).write_csv(file)
    result = run("deciles", str(file), "--label", "y", "--score", "s", "--edges", "0.3", "0.8")
    assert result.code == 0, result.err
    assert "from   below" in result.out


def drifting(n=600):
    rng = np.random.default_rng(2)
    period = rng.choice(["2024-01", "2024-02", "2024-03"], n)
    return rng.normal(size=n) + (period == "2024-03"), period


def test_each_period_has_the_index_against_the_reference():
    score, period = drifting()
    found = mm.psi_over_time(score, period, bins=5)
    assert [row.period for row in found.rows] == ["2024-01", "2024-02", "2024-03"]
    first = score[period == "2024-01"]
    for row in found.rows:
        here = score[period == row.period]
        assert row.cases == here.size
        assert row.index == pytest.approx(mm.psi(first, here, bins=5))
        chance = chi2.ppf(0.95, 4) * (1 / first.size + 1 / here.size)
        expected = None if row.period == "2024-01" else pytest.approx(chance)
        assert row.by_chance == expected
    assert found.rows[0].index == 0
    assert found.rows[2].index > found.rows[2].by_chance


def test_periods_of_a_frame_and_another_reference():
    score, period = drifting()
    frame = pd.DataFrame({"s": score, "month": period})
    found = mm.psi_over_time(frame["s"], frame["month"], reference="2024-02", smoothing=0.5)
    named = mm.psi_over_time(frame, "month", reference="2024-02", smoothing=0.5)
    assert (named.rows, named.meta["score"]) == (found.rows, "s")
    assert (found.meta["reference"], found.rows[1].index) == ("2024-02", 0)
    assert found.rows[1].by_chance is None


def test_the_limit_by_chance_is_exceeded_by_five_percent():
    rng = np.random.default_rng(3)
    period, beyond = np.repeat([1, 2], [300, 200]), 0
    for _ in range(400):
        row = mm.psi_over_time(rng.random(500), period, bins=5).rows[1]
        beyond += row.index > row.by_chance
    assert 0.02 <= beyond / 400 <= 0.085


def test_weights_have_no_limit_by_chance():
    score, period = drifting()
    found = mm.psi_over_time(score, period, sample_weight=np.ones(600))
    assert {row.by_chance for row in found.rows} == {None}


def test_wrong_periods():
    with pytest.raises(mm.DataError, match="differ in length: 2 and 3"):
        mm.psi_over_time([1, 2], ["a", "b", "c"])
    with pytest.raises(mm.ParameterError, match="reference must be a period, got 'c'"):
        mm.psi_over_time([1, 2], ["a", "b"], reference="c")
    with pytest.raises(mm.DataError, match="1 of 2 values of period are missing"):
        mm.psi_over_time([1, 2], ["a", None])
    with pytest.raises(mm.ParameterError, match="score names a column, but the data have none"):
        mm.psi_over_time([1, 2], ["a", "b"], score="s")
    with pytest.raises(mm.DataError, match="there are no cases"):
        mm.psi_over_time([], [])


def test_one_edge_may_be_a_number():
    table = mm.score_band_table([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1], edges=0.5)
    assert [row.cases for row in table.rows] == [2, 2]


def test_periods_that_are_numbers_as_text_are_in_order():
    score, month = np.linspace(0, 1, 40), np.repeat(["9", "10", "7", "8"], 10)
    found = mm.psi_over_time(score, month, bins=2)
    assert [row.period for row in found.rows] == ["7", "8", "9", "10"]
    assert found.meta["reference"] == "7"
    mixed = mm.psi_over_time(score, np.repeat(["9", "10", "7", "x"], 10), bins=2)
    assert [row.period for row in mixed.rows] == ["10", "7", "9", "x"]


@pytest.mark.parametrize("kind", ["list", "numpy", "pandas", "polars"])
def test_moments_are_shown_without_empty_parts_of_their_time(kind):
    score = np.linspace(0, 1, 40)
    days = [datetime(2024, month, 1) for month in (1, 2, 10, 11) for _ in range(10)]
    kinds = {
        "list": list,
        "numpy": lambda x: np.array(x, "M8[ns]"),
        "pandas": pd.Series,
        "polars": pl.Series,
    }
    found = mm.psi_over_time(score, kinds[kind](days), bins=2, reference=datetime(2024, 2, 1))
    expected = ["2024-01-01", "2024-02-01", "2024-10-01", "2024-11-01"]
    assert [row.period for row in found.rows] == expected
    assert found.meta["reference"] == "2024-02-01"
    days[:10] = [datetime(2024, 1, 1, 8, 30)] * 10
    frame = pl.DataFrame({"s": score, "t": days})
    timed = mm.psi_over_time(frame, "t", score="s", bins=2, reference=days[-1])
    assert [row.period for row in timed.rows] == [
        "2024-01-01 08:30",
        "2024-02-01 00:00",
        "2024-10-01 00:00",
        "2024-11-01 00:00",
    ]
    assert timed.meta["reference"] == "2024-11-01 00:00"
