"""The decile table, in Python and on the command line."""

import io
import json
import math
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metameasure as mm
from metameasure.evaluation.deciles import DecileTable, decile_table
from oracles.tables import decile_rows
from strategies import cases, table_of

LABELS = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0]
SCORES = [0.9, 0.8, 0.8, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1, 0.1]
OTHERS = [0.6, 0.7, 0.8, 0.3, 0.4, 0.2, 0.5, 0.1, 0.9, 0.3]
WEIGHTS = [1.0, 2.0, 0.5, 1.0, 1.0, 3.0, 1.0, 0.0, 1.0, 1.0]
COLUMNS = [
    *("model", "group", "lowest_score", "highest_score", "cases", "positives", "negatives"),
    *("positive_rate", "mean_score", "lift", "cumulative_cases", "gain", "cumulative_negatives"),
    *("cumulative_lift", "ks", "information_value"),
]
HOSTILE = "\x1b[31m[red]<script>a|b\n`x`\x07\x9b1m[/red]\u202e"


def same(found, expected):
    """Whether a number is what its definition gives; undefined is NaN."""
    if expected is None:
        return math.isnan(found)
    return found == pytest.approx(float(expected), rel=1e-12, abs=1e-14)


# --- values


@pytest.mark.filterwarnings("ignore::metameasure.UndefinedMeasureWarning")
@given(cases(max_size=14), st.integers(1, 12))
def test_the_definition(some, groups):
    table = table_of(some)
    if not table.n:
        return
    found = decile_table(table, groups=groups)
    expected = decile_rows(some, groups)
    assert len(found.rows) == len(expected)
    for record, row in zip(found.records(), expected, strict=True):
        for name, value in row.items():
            assert same(record[name], value), name
    (total,) = found.totals
    assert same(total.ks, None if not table.P * table.N else mm.ks(table))
    terms = math.fsum(row.information_value for row in found.rows)
    assert same(total.information_value, None if math.isnan(terms) else terms)
    assert sum(row.cases for row in found.rows) == pytest.approx(table.n)


def test_by_hand():
    first, second, third = decile_table(LABELS, SCORES, groups=3).rows
    assert (first.lowest_score, first.highest_score, first.cases) == (0.8, 0.9, 3)
    assert (second.lowest_score, second.highest_score, second.cases) == (0.3, 0.7, 4)
    assert (third.positives, third.negatives, third.positive_rate) == (0, 3, 0)
    assert first.positive_rate == pytest.approx(2 / 3)
    assert first.mean_score == pytest.approx(2.5 / 3)
    assert first.lift == pytest.approx(2 / 3 / 0.4)
    assert (second.cumulative_cases, second.gain, second.cumulative_negatives) == (0.7, 1.0, 0.5)
    assert second.cumulative_lift == pytest.approx(4 / 7 / 0.4)
    assert second.ks == 0.5
    assert first.information_value == pytest.approx((1 / 2 - 1 / 6) * math.log(3))
    assert third.information_value == math.inf


def test_ten_groups_of_ten():
    rng = np.random.default_rng(3)
    scores = rng.permutation(100) / 100
    labels = rng.random(100) < scores
    table = decile_table(labels, scores)
    assert [row.cases for row in table.rows] == [10] * 10
    assert [row.group for row in table.rows] == list(range(1, 11))
    for row in table.rows:
        assert row.cumulative_lift == pytest.approx(
            mm.lift(labels, scores, top=row.group / 10), rel=1e-12
        )
        assert row.gain == pytest.approx(mm.tpr(labels, scores, top=row.group / 10))
    (total,) = table.totals
    assert total.information_value == pytest.approx(mm.information_value(labels, scores))
    assert total.ks == mm.ks(labels, scores) >= max(row.ks for row in table.rows)


def test_one_group_per_score_reaches_the_ks():
    table = decile_table([1, 0, 1, 0], [4, 3, 2, 1], groups=4)
    assert max(row.ks for row in table.rows) == table.totals[0].ks == 0.5


def test_a_tie_is_not_split():
    table = decile_table([1, 0, 1, 0, 0], [0.5, 0.5, 0.5, 0.5, 0.1], groups=5)
    assert [(row.group, row.cases) for row in table.rows] == [(3, 4), (5, 1)]
    assert "3 of 5 groups are empty, since ties are not split" in table.table()


def test_weights_are_repetitions():
    weight = [1, 2, 1, 3, 1, 2, 1, 1, 2, 1]
    repeated = decile_table(np.repeat(LABELS, weight), np.repeat(SCORES, weight), groups=4)
    weighted = decile_table(LABELS, SCORES, groups=4, sample_weight=weight)
    for one, other in zip(repeated.records(), weighted.records(), strict=True):
        one.pop("model"), other.pop("model")
        assert one == pytest.approx(other)


def test_a_weightless_case_is_none():
    with_it = decile_table(LABELS, SCORES, groups=4, sample_weight=WEIGHTS)
    kept = [row for row in range(10) if WEIGHTS[row]]
    without = decile_table(
        *([values[row] for row in kept] for values in (LABELS, SCORES)),
        groups=4,
        sample_weight=[WEIGHTS[row] for row in kept],
    )
    assert with_it.records() == without.records()
    assert "9 cases, 4 positive; weighted" in with_it.table()
    assert with_it.table() == without.table()


# --- what is undefined, what is infinite


@pytest.mark.parametrize(
    ("labels", "reason", "undefined"),
    [
        ([0, 0, 0], "there is no positive case", ("lift", "gain", "cumulative_lift")),
        ([1, 1, 1], "there is no negative case", ("cumulative_negatives",)),
    ],
)
def test_a_class_that_is_empty(labels, reason, undefined):
    with pytest.warns(mm.UndefinedMeasureWarning, match=reason) as caught:
        table = decile_table(labels, [0.1, 0.2, 0.3], groups=2)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    for record in table.records():
        nan = {name for name, value in record.items() if name != "model" and math.isnan(value)}
        assert nan == {*undefined, "ks", "information_value"}
    assert f"undefined (–): {reason}" in table.table()
    assert "KS: – over all thresholds" in table.table()
    content = json.loads(table.to_json())
    assert content["rows"][0]["ks"] is None
    assert content["undefined"][0]["reason"] == reason
    assert set(undefined) < set(content["undefined"][0]["columns"])


def test_a_group_that_lacks_a_class():
    table = decile_table([1, 1, 0, 0], [4, 3, 2, 1], groups=2)
    assert [row.information_value for row in table.rows] == [math.inf, math.inf]
    assert "∞" in table.table()
    assert "if a group has only one class" in table.table()
    total = json.loads(table.to_json())["totals"][0]
    assert (total["information_value"], total["information_value_infinite"]) == (None, "+")


def test_infinite_scores():
    table = decile_table([1, 0, 1, 0], [math.inf, 2, 1, 0], groups=2)
    assert [row.mean_score for row in table.rows] == [math.inf, 0.5]
    with pytest.warns(mm.UndefinedMeasureWarning, match="infinite scores of both signs"):
        table = decile_table([1, 0, 1, 0], [math.inf, 2, 1, -math.inf], groups=1)
    assert math.isnan(table.rows[0].mean_score)
    assert "mean score undefined" in table.table()


# --- forms


def test_the_frame():
    frame = decile_table(LABELS, {"a": SCORES, "b": OTHERS}, groups=2).frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame.columns == COLUMNS
    assert frame.schema["group"] == pl.Int64
    assert frame["model"].to_list() == ["a", "a", "b", "b"]
    assert frame["lowest_score"].to_list() == [0.5, 0.1, 0.5, 0.1]


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_the_kind_of_frame_that_came_in(kind):
    frame = kind({"y": LABELS, "s": SCORES, "w": WEIGHTS})
    table = decile_table(frame, "s", label="y", weight="w", groups=3)
    expected = decile_table(LABELS, {"s": SCORES}, sample_weight=WEIGHTS, groups=3)
    assert table.records() == expected.records()
    assert type(table.frame()) is type(frame)


def test_text_markdown_html_and_rich():
    from rich.console import Console

    table = decile_table(LABELS, {"a": SCORES, "b": OTHERS}, groups=3)
    assert table.table().count("each group\n") == table.table().count(": cumulative") == 2
    assert "10 cases, 4 positive" in str(table)
    assert repr(table) == "<decile table: 6 groups, 2 models>"
    markdown = table.to_markdown().splitlines()
    assert "**a: each group**" in markdown
    assert "| all |" in table.to_markdown()
    assert table._repr_html_().count("<table>") == 4
    stream = io.StringIO()
    Console(file=stream, width=80, color_system=None).print(table)
    assert "1.6667" in stream.getvalue()


def test_json():
    content = json.loads(decile_table(LABELS, SCORES, groups=3).to_json())
    assert set(content) == {"rows", "totals", "undefined", "groups", "checks"}
    assert list(content["rows"][0]) == COLUMNS
    assert content["groups"] == 3
    assert content["totals"][0]["cases"] == 10


def test_a_bare_table():
    table = mm.tabulate(LABELS, SCORES)
    assert (
        decile_table(table, groups=3).records() == decile_table(LABELS, SCORES, groups=3).records()
    )
    assert "3 cases, 2.5000 positive; weighted" in str(
        decile_table(mm.ScoreTable([2, 1], [2, 0.5], [0.25, 0.25]), groups=1)
    )


def test_cases_left_out():
    table = decile_table([*LABELS, 1], [*SCORES, None], groups=3, nan_policy="drop")
    assert "10 cases, 4 positive, 1 left out for missing values" in table.table()
    words = ["yes" if label else "no" for label in LABELS]
    assert decile_table(words, SCORES, pos_label="yes").records() == (
        decile_table(LABELS, SCORES).records()
    )


@pytest.mark.parametrize(
    ("error", "arguments", "options", "words"),
    [
        (mm.DataError, (LABELS,), {}, "scores are missing"),
        (mm.DataError, (LABELS, SCORES[:4]), {}, "y_true and scores differ in length: 10 and 4"),
        (
            mm.DataError,
            (LABELS, [math.nan, *SCORES[1:]]),
            {},
            "1 of 10 values of scores are missing",
        ),
        (
            mm.ParameterError,
            (LABELS, SCORES),
            {"groups": 0},
            "groups must be an integer from 1 to 1000, got 0",
        ),
        (
            mm.ParameterError,
            (LABELS, SCORES),
            {"groups": 2.5},
            "groups must be an integer .*, got 2.5",
        ),
        (
            mm.ParameterError,
            (LABELS, SCORES),
            {"groups": "\x1b[31m"},
            r"groups must be .*, got '\\x1b\[31m'",
        ),
        (
            mm.ParameterError,
            (LABELS, SCORES),
            {"groups": True},
            "groups must be an integer .*, got True",
        ),
        (mm.ParameterError, (LABELS, SCORES), {"label": "y"}, "names a column"),
        (
            mm.DataError,
            (LABELS, SCORES),
            {"sample_weight": [1]},
            "y_true and sample_weight differ in length: 10 and 1",
        ),
        (
            mm.ParameterError,
            (mm.tabulate(LABELS, SCORES), SCORES),
            {},
            "scores must be names of models, since the data have their scores",
        ),
        (
            mm.ParameterError,
            (mm.tabulate(LABELS, SCORES),),
            {"label": "y"},
            "does not apply to score tables",
        ),
        (mm.DataError, (mm.ScoreTable([0.5], [0], [0]),), {}, "the table of 'model' has no weight"),
        (mm.DataError, (mm.tabulate_lists([1, 0], [[1, 2], [2, 1]]),), {}, "one table per model"),
    ],
)
def test_bad_input(error, arguments, options, words):
    with pytest.raises(error, match=words):
        decile_table(*arguments, **options)


def assert_harmless(text):
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


def test_hostile_names():
    from rich.console import Console

    table = decile_table(LABELS, {HOSTILE: SCORES}, groups=3)
    assert isinstance(table, DecileTable)
    assert_harmless(table.table())
    assert_harmless(table.to_markdown())
    assert "<script" not in table.to_markdown()
    assert "[red]" not in table.to_markdown()
    assert "<script" not in table._repr_html_()
    stream = io.StringIO()
    Console(file=stream, width=120, color_system=None).print(table)
    assert_harmless(stream.getvalue())
    assert "[red]<script>a|b" in stream.getvalue()
    assert json.loads(table.to_json())["rows"][0]["model"] == HOSTILE
