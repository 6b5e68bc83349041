"""Bounds of measures as a result: rows, page and formats."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import metameasure as mm
from metameasure.evaluation._bounds import limits_text


def pooled(seed=0, size=4000, **options):
    rng = np.random.default_rng(seed)
    label = rng.random(size) < 0.3
    made = mm.Accumulator(rows=256, **options)
    return label, rng.beta(2 + label, 3 - label), made


def test_limits_hold_the_values_and_are_those_of_the_measures():
    label, score, made = pooled()
    found = mm.bounds(made.update(label, score))
    assert [str(row.measure) for row in found.rows][:2] == ["auc", "scored_auc"]
    for row in found.rows:
        assert row.low <= row.measure(label, score) <= row.high
        assert row.value is None
        assert (row.low, row.high) == row.measure.bounds(made) == found.limits(row.measure)
        assert (row.n, row.n_pos) == (4000, np.count_nonzero(label))
        assert row.width == row.high - row.low


def test_exact_values_are_values():
    label, score, made = pooled(size=500)
    found = mm.bounds(made.update(label, score), "auc, abc")
    assert [row.value for row in found.rows] == [mm.auc(label, score), mm.abc(label, score)]
    assert all(row.low == row.high == row.value and row.width == 0 for row in found.rows)
    assert "exact" not in str(found)
    assert mm.bounds(mm.tabulate(label, score), "auc").limits("auc")[0] == mm.auc(label, score)


def test_the_page():
    label, score, made = pooled()
    lines = str(mm.bounds(made.update(label, score), "auc, brier")).splitlines()
    assert lines[1].startswith("auc ↑")
    low, high = (float(part) for part in lines[1].split()[2:5:2])
    assert low <= mm.auc(label, score) <= high
    assert high - low < 0.02
    assert "exact within 0.0" in lines[1]
    shown = f"{mm.brier(label, score):.4f}"
    assert lines[2].split() == ["brier", "↓", shown, "exact", "up", "to", "rounding"]
    assert lines[-1] == f"4000 cases, {np.count_nonzero(label)} positive"


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.81231, 0.81239, "0.81231 to 0.81239"),
        (0.8123, 0.8124, "0.8123 to 0.8124"),
        (0.1, 0.35, "0.1000 to 0.3500"),
        (-0.0251, 0.0312, "-0.0251 to 0.0312"),
        (0.0, np.inf, "0.0000 to ∞"),
        (np.inf, np.inf, "∞"),
        (0.25, 0.25, "0.2500"),
    ],
)
def test_limits_are_rounded_outward(low, high, text):
    shown = limits_text(low, high)
    numbers = [part for part in shown.split(" to ") if part != "∞"]
    if len(numbers) == 2:
        assert float(numbers[0]) <= low
        assert float(numbers[1]) >= high
        assert float(numbers[1]) - float(numbers[0]) <= 3 * (high - low)
    else:
        assert shown == text


@pytest.mark.parametrize("name", ["json", "csv", "markdown", "html", "latex", "spreadsheet"])
def test_every_format(name):
    label, score, made = pooled()
    text = mm.bounds(made.update(label, score), "auc, ks").to(name)
    assert "auc" in text
    if name == "json":
        (first, _) = json.loads(text)["rows"]
        assert first["low"] <= mm.auc(label, score) <= first["high"]
        assert first["value"] is None


def test_frames():
    label, score, made = pooled()
    frame = mm.bounds(made.update(label, score), "auc, ks").frame()
    assert frame.columns == ["model", "measure", "value", "low", "high", "n", "n_pos"]
    assert frame["value"].to_list() == [None, None]


def test_several_models_and_their_limits():
    label, score, made = pooled()
    other = mm.Accumulator().update(label, 1 - score)
    found = mm.bounds({"up": made.update(label, score), "down": other}, "auc")
    assert found.models == ["up", "down"]
    assert found.limits("roc_auc", model="down") == (mm.auc(label, 1 - score),) * 2
    assert [line for line in str(found).splitlines() if line in {"up", "down"}] == ["up", "down"]
    with pytest.raises(mm.DataError, match="2 models; name one with model="):
        found.limits("auc")
    with pytest.raises(mm.MetameasureError, match="left"):
        found.limits("auc", model="left")
    with pytest.raises(mm.MetameasureError, match="ks"):
        found.limits("ks", model="up")


def test_measures_without_limits_are_left_out_unless_they_are_named():
    label, score, made = pooled()
    made.update(label, score)
    found = mm.bounds(made, "all")
    left = {item.measure.partition("(")[0] for item in found.left_out}
    assert {"abc", "taks", "ece", "ici"} <= left
    assert left | {row.measure.name for row in found.rows} == {m.name for m in mm.measures()}
    assert "left out for model, since they have no bounds from pooled scores: abc" in str(found)
    with pytest.raises(mm.ParameterError, match="abc has no bounds") as raised:
        mm.bounds(made, "auc, abc")
    assert raised.value.argument == "measures"


def test_the_page_names_the_measures_without_bounds():
    text = (Path(__file__).parents[2] / "docs" / "streams.md").read_text(encoding="utf-8")
    (refused,) = re.findall(r"^These have no bounds.*?^$", text, re.MULTILINE | re.DOTALL)
    lacking = {m.name for m in mm.measures() if m.declaration.bounds is None and m.family != "own"}
    assert {name for name in re.findall(r"`(\w+)`", refused) if name in lacking} == lacking
    assert not {m.name for m in mm.measures() if f"`{m.name}`" in refused} - {
        *lacking,
        "average_precision",
    }


def test_measures_of_probabilities_are_left_out_for_other_scores():
    label, score, made = pooled()
    found = mm.bounds(made.update(label, 10 * score))
    assert {item.measure for item in found.left_out} >= {"brier", "log_loss", "accuracy"}
    with pytest.raises(mm.DataError, match=r"brier needs scores in \[0, 1\]"):
        mm.bounds(made, "brier")


def test_an_infinite_loss_is_clipped_in_default_lists_alone():
    label, score, made = pooled()
    score[np.argmax(label)] = 0.0
    made.update(label, score)
    assert "log_loss(clip=1e-15)" in {str(row.measure) for row in mm.bounds(made).rows}
    assert mm.bounds(made, "log_loss").limits("log_loss") == (np.inf, np.inf)
    low, high = mm.log_loss.using(clip=1e-15).bounds(made)
    assert low <= mm.log_loss(label, score, clip=1e-15) <= high


def test_undefined_measures_warn_once_and_are_noted():
    made = mm.Accumulator(rows=16).update(np.ones(400, int), np.arange(400) / 400)
    with pytest.warns(mm.UndefinedMeasureWarning, match="auc and 1 more are undefined") as caught:
        found = mm.bounds(made, "auc, ks, tpr")
    assert caught[0].filename == __file__
    assert np.isnan(found.rows[0].value)
    assert "auc is undefined (–) when a class is empty" in str(found)


@pytest.mark.parametrize("data", [None, 3, [0.5], {}, {"a": 3}, np.zeros(3)])
def test_other_data_are_refused(data):
    with pytest.raises(mm.MetameasureError):
        mm.bounds(data)
