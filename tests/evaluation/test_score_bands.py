"""Positive rates per fixed band of scores, and the stability of scores over periods."""

import math

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


@pytest.mark.parametrize(("edges", "message"), [([], "edges is empty"), (["x"], "edges must be")])
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
