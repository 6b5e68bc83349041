"""Predictions in data frames: the same numbers from every kind, results in the same kind."""

import datetime as dt
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import metameasure as mm
from metameasure.evaluation import measured_rows

NAN = math.nan
DATA = {
    "y": [1, 0, 1, 0, 1, 0],
    "s": [0.9, 0.5, 0.5, 0.1, 0.2, 0.3],
    "t": [0.6, 0.7, 0.8, 0.3, 0.4, 0.2],
    "w": [1.0, 2.0, 1.0, 3.0, 1.0, 1.0],
    "g": ["a", "a", "a", "b", "b", "b"],
    "i": [10, 10, 2, 2, 2, 10],
}
COLUMNS = [
    *("model", "group", "label", "measure", "value", "low", "high", "method"),
    *("n", "n_pos", "dropped"),
]


def duckdb_relation(data):
    return pytest.importorskip("duckdb").from_arrow(pa.table(data))


KINDS = {
    "polars": pl.DataFrame,
    "polars lazy": pl.LazyFrame,
    "pandas": pd.DataFrame,
    "pandas nullable": lambda data: pd.DataFrame(data).convert_dtypes(),
    "pandas pyarrow": lambda data: pd.DataFrame(data).convert_dtypes(dtype_backend="pyarrow"),
    "pyarrow": pa.table,
    "duckdb": duckdb_relation,
}

RESULTS = {
    "polars": pl.DataFrame,
    "polars lazy": pl.DataFrame,
    "pandas": pd.DataFrame,
    "pandas nullable": pd.DataFrame,
    "pandas pyarrow": pd.DataFrame,
    "pyarrow": pa.Table,
    "duckdb": pl.DataFrame,
}

pytestmark = pytest.mark.filterwarnings("ignore::metameasure.UndefinedMeasureWarning")


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


def column(frame, name):
    """The values of a column of any frame, None where there is none."""
    if isinstance(frame, pa.Table):
        return frame[name].to_pylist()
    if isinstance(frame, pd.DataFrame):
        return [None if pd.isna(value) else value for value in frame[name]]
    return frame[name].to_list()


def test_the_same_numbers_from_every_kind(kind):
    result = mm.evaluate(
        KINDS[kind](DATA), label="y", scores=["s", "t"], weight="w", group="g", measures="all"
    )
    expected = mm.evaluate(
        DATA["y"],
        {"s": DATA["s"], "t": DATA["t"]},
        "all",
        sample_weight=DATA["w"],
        group=DATA["g"],
    )
    assert [str(row) for row in result.rows] == [str(row) for row in expected.rows]
    assert len(result.rows) > 6 * len(mm.measures()) - 6


def test_the_result_is_a_frame_of_the_same_kind(kind):
    frame = mm.evaluate(
        KINDS[kind](DATA), label="y", scores=["s", "t"], group="g", measures="auc, brier"
    ).frame()
    assert isinstance(frame, RESULTS[kind])
    names = frame.column_names if isinstance(frame, pa.Table) else list(frame.columns)
    assert names == COLUMNS
    assert column(frame, "model") == ["s", "s", "t", "t"] * 3
    assert column(frame, "group") == [None] * 4 + ["a"] * 4 + ["b"] * 4
    assert column(frame, "measure") == ["auc", "brier"] * 6
    assert column(frame, "n") == [6] * 4 + [3] * 8
    assert column(frame, "n_pos") == [3] * 4 + [2] * 4 + [1] * 4
    assert column(frame, "dropped") == [0] * 12
    assert column(frame, "value")[0] == mm.auc(DATA["y"], DATA["s"])


def test_numbers_stay_numbers_in_the_result(kind):
    frame = mm.evaluate(KINDS[kind](DATA), label="y", scores="s", measures="auc").frame()
    if not isinstance(frame, pl.DataFrame):
        frame = pl.from_pandas(frame) if isinstance(frame, pd.DataFrame) else pl.from_arrow(frame)
    assert [frame[name].dtype for name in ("value", "low", "high")] == [pl.Float64] * 3
    assert [frame[name].dtype for name in ("n", "n_pos", "dropped")] == [pl.Int64] * 3


def test_an_undefined_value_is_missing_in_every_kind(kind):
    frame = mm.evaluate(
        KINDS[kind](DATA | {"y": [1] * 6}), label="y", scores="s", measures="auc"
    ).frame()
    (value,) = column(frame, "value")
    assert value is None or math.isnan(value)


def test_scores_as_a_frame(kind):
    frame = KINDS[kind]({"s": DATA["s"], "t": DATA["t"]})
    result = mm.evaluate(DATA["y"], frame, "auc")
    assert isinstance(result.frame(), RESULTS[kind])
    expected = {name: mm.auc(DATA["y"], DATA[name]) for name in ("s", "t")}
    assert {row.model: row.value for row in result.rows} == expected


def test_arrays_give_polars():
    assert isinstance(mm.evaluate(DATA["y"], DATA["s"], "auc").frame(), pl.DataFrame)


@pytest.mark.parametrize(
    "series", [pl.Series("forest", DATA["s"]), pd.Series(DATA["s"], name="forest")]
)
def test_a_series_names_its_model(series):
    assert mm.evaluate(DATA["y"], series, "auc").rows[0].model == "forest"


# --- which columns


def test_an_unknown_column_with_the_nearest_name(kind):
    frame = KINDS[kind]({"label": DATA["y"], "score": DATA["s"], "weight": DATA["w"]})
    for options in (
        {"label": "lable", "scores": "score"},
        {"label": "label", "scores": ["scroe"]},
        {"label": "label", "scores": "score", "weight": "weigth"},
        {"label": "label", "scores": "score", "group": "scores"},
    ):
        with pytest.raises(
            mm.ParameterError, match=r"no column .*did you mean '(label|score|weight)'"
        ):
            mm.evaluate(frame, **options)


def test_an_unknown_column_like_no_other_lists_them(kind):
    with pytest.raises(mm.ParameterError, match=r"no column 'qqq'; the columns are 'y', 's'"):
        mm.evaluate(KINDS[kind](DATA), label="qqq")


def test_the_only_possible_columns_are_taken(kind):
    frame = KINDS[kind]({"s": DATA["s"], "y": DATA["y"]})
    assert mm.evaluate(frame, measures="auc").rows[0].value == mm.auc(DATA["y"], DATA["s"])
    named = KINDS[kind]({name: DATA[name] for name in ("y", "s", "w", "g")})
    row = mm.evaluate(named, weight="w", group="g", measures="auc").rows[0]
    assert row.value == mm.auc(DATA["y"], DATA["s"], sample_weight=DATA["w"])


def test_two_possible_columns_are_not_chosen_from(kind):
    frame = KINDS[kind](DATA)
    with pytest.raises(
        mm.DataError, match=r"3 columns can be the label: 'y', 'g', 'i'; name it with label"
    ):
        mm.evaluate(frame, scores="s")
    with pytest.raises(
        mm.DataError,
        match=r"columns can be the score: 's', 't', 'w'.*; name one or more with scores",
    ):
        mm.evaluate(frame, label="y")


def test_no_possible_column(kind):
    with pytest.raises(mm.DataError, match=r"no column can be the label"):
        mm.evaluate(KINDS[kind]({"s": DATA["s"], "t": DATA["t"]}))
    with pytest.raises(mm.DataError, match=r"no column can be the score"):
        mm.evaluate(KINDS[kind]({"y": DATA["y"], "g": DATA["g"]}), label="y")


def test_a_column_of_scores_that_is_text_is_reported(kind):
    frame = KINDS[kind]({"y": DATA["y"], "s": [*map(str, DATA["s"][:5]), "oops"]})
    with pytest.raises(
        mm.DataError, match=r"column 's' has 'oops' at row 5, which is text, not a number"
    ):
        mm.evaluate(frame, label="y", scores="s")


def test_a_score_named_twice(kind):
    with pytest.raises(mm.ParameterError, match="scores has duplicate columns: 's', 's'"):
        mm.evaluate(KINDS[kind](DATA), label="y", scores=["s", "s"])


@pytest.mark.parametrize(
    "names",
    [
        pd.DataFrame(DATA).columns[1:3],
        np.array(["s", "t"]),
        np.array(["s", "t"], dtype=object),
        pl.Series(["s", "t"]),
        pd.Series(["s", "t"]),
        {"s": 1, "t": 2}.keys(),
        {"t", "s"},
    ],
    ids=lambda names: type(names).__name__,
)
def test_any_names_of_scores(kind, names):
    frame = KINDS[kind](DATA)
    rows = mm.evaluate(frame, label="y", scores=names, measures="auc", ci=None).rows
    expected = {name: mm.auc(DATA["y"], DATA[name]) for name in "st"}
    assert {row.model: row.value for row in rows} == expected
    assert [row.model for row in rows] == ["s", "t"]


def test_names_of_scores_one_by_one():
    names = (name for name in "st")
    found = mm.evaluate(pl.DataFrame(DATA), label="y", scores=names, measures="auc", ci=None)
    assert [row.model for row in found.rows] == ["s", "t"]
    found = mm.evaluate(pl.DataFrame(DATA), label="y", scores=np.array("s"), measures="auc")
    assert [row.model for row in found.rows] == ["s"]


@pytest.mark.parametrize("what", ["label", "weight", "group", "cluster"])
@pytest.mark.parametrize(
    "name", [["y"], pd.Index(["y"]), np.array(["y"]), pl.Series([1, 0]), (["y"],)], ids=str
)
def test_a_column_has_one_name(what, name):
    options = {"label": "y", "scores": "s", what: name}
    with pytest.raises(mm.ParameterError, match=f"{what} must be the name of a column"):
        mm.evaluate(pl.DataFrame(DATA), measures="auc", **options)


def test_scores_are_not_taken_for_names():
    frame, scores = pl.DataFrame(DATA), {"s": DATA["t"], "t": DATA["s"]}
    for values in (scores, pd.DataFrame(scores), pl.DataFrame(scores)):
        with pytest.raises(mm.ParameterError, match="scores must be names of columns"):
            mm.evaluate(frame, label="y", scores=values)
    with pytest.raises(mm.ParameterError, match=r"scores must be names of columns .* got numbers"):
        mm.evaluate(frame, label="y", scores=np.array(DATA["s"]))


def test_an_array_of_weights_does_not_go_with_a_frame(kind):
    with pytest.raises(mm.ParameterError, match=r"sample_weight is for arrays.*with weight"):
        mm.evaluate(KINDS[kind](DATA), label="y", scores="s", sample_weight=DATA["w"])


def test_no_rows(kind):
    frame = KINDS[kind]({"y": np.array([], dtype=int), "s": np.array([], dtype=float)})
    with pytest.raises(mm.DataError, match="no cases"):
        mm.evaluate(frame, label="y", scores="s")


@pytest.mark.parametrize("names", [{"label": 0, "scores": [1]}, {"label": 0, "scores": 1}])
def test_pandas_columns_without_text_as_names(names):
    frame = pd.DataFrame({0: DATA["y"], 1: DATA["s"]})
    result = mm.evaluate(frame, measures="auc", **names)
    assert (result.rows[0].model, result.rows[0].value) == ("1", mm.auc(DATA["y"], DATA["s"]))
    assert result.table()


def test_pandas_scores_without_names():
    result = mm.evaluate(DATA["y"], pd.DataFrame(np.array([DATA["s"], DATA["t"]]).T), "auc")
    assert [row.model for row in result.rows] == ["0", "1"]
    assert column(result.frame(), "model") == ["0", "1"]
    assert result.to_json()


def test_pandas_columns_of_one_name():
    frame = pd.DataFrame(np.array([DATA["y"], DATA["s"], DATA["t"]]).T, columns=["y", "s", "s"])
    with pytest.raises(mm.DataError, match="'s'"):
        mm.evaluate(frame, label="y", scores="s")


def test_columns_of_no_use_are_not_looked_into():
    frame = pd.DataFrame({"y": DATA["y"], "s": DATA["s"], "extra": [{}, [], {}, [], {}, []]})
    assert mm.evaluate(frame, label="y", scores="s", measures="auc").rows
    assert mm.evaluate(frame, measures="auc").rows


# --- missing values


def with_missing(name, *rows):
    values = list(DATA[name])
    for row in rows:
        values[row] = None
    return DATA | {name: values}


@pytest.mark.parametrize("name", ["y", "s", "w", "g", "i"])
def test_a_null_is_reported_with_its_column_and_row(kind, name):
    frame = KINDS[kind](with_missing(name, 2, 4))
    group = name if name in "gi" else "g"
    with pytest.raises(mm.DataError, match=rf"2 of 6 values of '?{name}'? .*row 2\b"):
        mm.evaluate(frame, label="y", scores="s", weight="w", group=group, measures="brier")


@pytest.mark.parametrize("name", ["y", "s", "w", "g", "i"])
def test_nulls_are_dropped_and_counted(kind, name):
    frame = KINDS[kind](with_missing(name, 2, 4))
    group = name if name in "gi" else None
    row, *groups = mm.evaluate(
        frame,
        label="y",
        scores="s",
        weight="w",
        group=group,
        measures="brier",
        nan_policy="drop",
    ).rows
    kept = [0, 1, 3, 5]
    expected = mm.brier(*([DATA[key][k] for k in kept] for key in "ys"), sample_weight=[1, 2, 3, 1])
    assert (row.value, row.n, row.dropped) == (pytest.approx(expected, rel=1e-12), 4, 2)
    assert sum(row.n for row in groups) in {0, 4}


def test_dropped_cases_of_many_groups_are_counted_once(monkeypatch):
    named, group_name = [], measured_rows.group_name
    monkeypatch.setattr(
        measured_rows, "group_name", lambda name: named.append(name) or group_name(name)
    )
    group, step = np.repeat(np.arange(50), 6), np.tile(np.arange(6), 50)
    score = np.where(step < 1 + group % 3, np.nan, step / 6)
    frame = pl.DataFrame({"y": step % 2, "s": score, "g": group})
    found = mm.evaluate(frame, "s", "auc", None, label="y", group="g", nan_policy="drop")
    expected = {str(one): 1 + one % 3 for one in range(50)}
    assert {row.group: row.dropped for row in found.rows} == expected | {
        None: sum(expected.values())
    }
    assert len(named) == 50 + sum(expected.values())


def test_nan_is_missing_as_null_is(kind):
    frame = KINDS[kind](DATA | {"s": [0.9, NAN, 0.5, 0.1, NAN, 0.3]})
    with pytest.raises(mm.DataError, match=r"2 of 6 values of 's' .*row 1\b"):
        mm.evaluate(frame, label="y", scores="s")


def test_a_column_of_nulls_alone():
    for frame in (pl.DataFrame(DATA | {"s": [None] * 6}), pa.table(DATA | {"s": [None] * 6})):
        with pytest.raises(mm.DataError, match="6 of 6 values of 's'"):
            mm.evaluate(frame, label="y", scores="s")


def test_a_bad_weight_is_reported_with_its_column(kind):
    frame = KINDS[kind](DATA | {"w": [1.0, 2.0, -1.0, 3.0, 1.0, 1.0]})
    with pytest.raises(mm.DataError, match=r"'w' must be finite and >= 0, got -1.0 at row 2\b"):
        mm.evaluate(frame, label="y", scores="s", weight="w")


def test_bad_labels_are_reported_with_their_column(kind):
    frame = KINDS[kind](DATA | {"y": ["a", "b", "c", "a", "b", "c"]})
    with pytest.raises(mm.DataError, match=r"\by\b.*3 labels|3 labels.*\by\b"):
        mm.evaluate(frame, label="y", scores="s")


def test_minus_zero_ties_with_zero_in_every_kind(kind):
    frame = KINDS[kind]({"y": [1, 0, 1, 0], "s": [-0.0, 0.0, 0.5, 0.25]})
    assert mm.evaluate(frame, label="y", scores="s", measures="auc").rows[0].value == 0.625


def test_minus_zero_is_the_group_of_zero(kind):
    frame = KINDS[kind](DATA | {"g": [0.0, -0.0, 0.0, 1.0, 1.0, 1.0]})
    result = mm.evaluate(frame, label="y", scores="s", group="g", measures="brier")
    assert [row.n for row in result.rows] == [6, 3, 3]


# --- groups


def test_groups_of_numbers_are_in_the_order_of_numbers(kind):
    result = mm.evaluate(KINDS[kind](DATA), label="y", scores="s", group="i", measures="brier")
    assert [(row.group, row.n) for row in result.rows] == [(None, 6), ("2", 3), ("10", 3)]


def test_integer_groups_keep_their_names_beside_a_null(kind):
    frame = KINDS[kind](with_missing("i", 0))
    result = mm.evaluate(
        frame, label="y", scores="s", group="i", measures="brier", nan_policy="drop"
    )
    assert [row.group for row in result.rows] == [None, "2", "10"]


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ([True, True, True, False, False, False], ["False", "True"]),
        ([dt.date(2020, 1, 1)] * 3 + [dt.date(2021, 1, 1)] * 3, ["2020-01-01", "2021-01-01"]),
        (["", "", "", "x", "x", "x"], ["", "x"]),
        (["None", "None", "None", "nan", "nan", "nan"], ["None", "nan"]),
    ],
)
def test_groups_of_any_kind(kind, values, names):
    frame = KINDS[kind](DATA | {"g": values})
    result = mm.evaluate(frame, label="y", scores="s", group="g", measures="brier")
    assert [row.group for row in result.rows] == [None, *names]


def test_each_group_has_the_values_of_its_cases(kind):
    result = mm.evaluate(
        KINDS[kind](DATA), label="y", scores="s", weight="w", group="g", measures="auc"
    )
    alone = mm.auc(DATA["y"][:3], DATA["s"][:3], sample_weight=DATA["w"][:3])
    assert {row.group: row.value for row in result.rows}["a"] == alone


def test_a_group_of_one_class_is_undefined_and_says_so():
    frame = pl.DataFrame(DATA | {"y": [1, 1, 1, 0, 1, 0]})
    with pytest.warns(mm.UndefinedMeasureWarning, match="auc of s"):
        result = mm.evaluate(frame, label="y", scores="s", group="g", measures="auc")
    assert [math.isnan(row.value) for row in result.rows] == [False, True, False]
    assert "a class is empty: s in a" in result.table()


def test_measures_are_left_out_for_all_groups_or_none():
    """Scores are judged as a whole: a group that happens to lie in [0, 1] is no exception."""
    frame = pl.DataFrame(DATA | {"s": [0.9, 0.5, 0.5, 3.0, -2.0, 0.3]})
    result = mm.evaluate(frame, label="y", scores="s", group="g")
    by_group = {}
    for row in result.rows:
        by_group.setdefault(row.group, set()).add(str(row.measure))
    assert by_group[None] == by_group["a"] == by_group["b"]


# --- labels


LABELS = {
    "polars categorical": pl.DataFrame(
        {"y": ["a", "b"] * 3, "s": DATA["s"]}, schema_overrides={"y": pl.Categorical}
    ),
    "polars enum": pl.DataFrame(
        {"y": ["a", "b"] * 3, "s": DATA["s"]}, schema_overrides={"y": pl.Enum(["b", "a"])}
    ),
    "pandas categorical": pd.DataFrame({"y": pd.Categorical(["a", "b"] * 3), "s": DATA["s"]}),
    "pandas string": pd.DataFrame({"y": pd.array(["a", "b"] * 3, dtype="string"), "s": DATA["s"]}),
    "pandas object": pd.DataFrame({"y": pd.Series(["a", "b"] * 3, dtype=object), "s": DATA["s"]}),
    "pyarrow dictionary": pa.table(
        {"y": pa.array(["a", "b"] * 3).dictionary_encode(), "s": DATA["s"]}
    ),
    "pyarrow large": pa.table({"y": pa.array(["a", "b"] * 3, pa.large_string()), "s": DATA["s"]}),
}


@pytest.mark.parametrize("frame", LABELS.values(), ids=LABELS)
def test_labels_of_text(frame):
    value = mm.evaluate(frame, label="y", scores="s", measures="auc", pos_label="a").rows[0].value
    assert value == mm.auc(DATA["y"], DATA["s"])
    with pytest.raises(mm.DataError, match=r"'a', 'b'.*pos_label=\"b\""):
        mm.evaluate(frame, label="y", scores="s")
    with pytest.raises(
        mm.ParameterError, match=r"pos_label must be one of the labels in 'y', 'a', 'b'; got 'c'"
    ):
        mm.evaluate(frame, label="y", scores="s", pos_label="c")


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"y": pd.Categorical(DATA["y"]), "s": DATA["s"]}),
        pd.DataFrame({"y": pd.Categorical([True, False] * 3), "s": DATA["s"]}),
        pd.DataFrame({"y": pd.array(DATA["y"], dtype="Int8"), "s": DATA["s"]}),
        pd.DataFrame({"y": pd.array([True, False] * 3, dtype="boolean"), "s": DATA["s"]}),
        pd.DataFrame({"y": pd.Series(DATA["y"], dtype=object), "s": DATA["s"]}),
        pa.table({"y": pa.array(DATA["y"]).dictionary_encode(), "s": DATA["s"]}),
        pl.DataFrame(DATA).cast({"y": pl.Boolean}),
        pl.DataFrame(DATA).cast({"y": pl.UInt8}),
        pl.DataFrame(DATA).cast({"y": pl.Float32}),
        pl.DataFrame(DATA).cast({"y": pl.Decimal(4, 1)}),
        pl.DataFrame(DATA).cast({"y": pl.Int128}),
    ],
    ids=[
        "categorical int",
        "categorical bool",
        "nullable int",
        "nullable bool",
        "objects",
        "dictionary of int",
        "bool",
        "uint8",
        "float32",
        "decimal",
        "int128",
    ],
)
def test_labels_that_need_no_pos_label(frame):
    """A categorical of numbers is numbers, as it is when given as an array."""
    expected = mm.auc(DATA["y"], DATA["s"])
    row = mm.evaluate(frame, label="y", scores="s", measures="auc").rows[0]
    assert row.value == expected
    row = mm.evaluate(frame, label="y", scores="s", measures="auc", pos_label=1).rows[0]
    assert row.value == expected


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame(DATA).cast({"s": pl.Float32}),
        pl.DataFrame(DATA).cast({"s": pl.Decimal(10, 2)}),
        pd.DataFrame(DATA).astype({"s": "Float64"}),
        pd.DataFrame(DATA).astype({"s": object}),
        pa.table(DATA).set_column(1, "s", pa.array(DATA["s"]).cast(pa.decimal128(10, 2))),
    ],
)
def test_scores_of_any_kind_of_number(frame):
    row = mm.evaluate(frame, label="y", scores="s", measures="auc").rows[0]
    assert row.value == mm.auc(DATA["y"], DATA["s"])


DATES = [dt.date(2020, 1, 1), dt.date(2020, 1, 2)] * 3


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("y", [[1], [0]] * 3),
        ("y", [{"a": 1, "b": 1}, {"a": 0, "b": 1}] * 3),
        ("y", DATES),
        ("s", DATES),
        ("s", [[1], [0]] * 3),
        ("s", [{"a": 1}, {"a": 0}] * 3),
        ("s", ["0.1", "0.2"] * 3),
        ("w", ["a", "b"] * 3),
        ("w", [[1], [0]] * 3),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value[0]).__name__,
)
@pytest.mark.parametrize("kind", ["polars", "pandas", "pyarrow"])
def test_columns_of_the_wrong_kind(kind, name, values):
    frame = KINDS[kind](DATA | {name: values})
    with pytest.raises(mm.DataError):
        mm.evaluate(frame, label="y", scores="s", weight="w", measures="auc")


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame(DATA | {"s": [2**60, 2**60 + 1, None, 2, 1, 0]}),
        pl.DataFrame(DATA | {"s": [2**60, 2**60 + 1, 3, 2, 1, 0]}),
        pl.DataFrame(DATA | {"s": [5, 4, 3, 2, 1, 0]}).with_columns(
            pl.col("s").cast(pl.Int128) * 10**20 + pl.col("s")
        ),
        pa.table(DATA | {"s": [2**60, 2**60 + 1, None, 2, 1, 0]}),
        pd.DataFrame(DATA | {"s": pd.array([2**60, 2**60 + 1, None, 2, 1, 0], dtype="Int64")}),
    ],
    ids=["polars null", "polars", "polars int128", "pyarrow null", "pandas null"],
)
def test_integers_that_are_equal_in_float64(frame):
    with pytest.raises(mm.DataError, match="float64"):
        mm.evaluate(frame, label="y", scores="s", measures="auc", nan_policy="drop")


def test_the_frame_is_not_changed(kind):
    frame = KINDS[kind](DATA)
    mm.evaluate(frame, label="y", scores=["s", "t"], weight="w", group="g", rescale="minmax")
    again = mm.evaluate(frame, label="y", scores="s", measures="auc").rows[0].value
    assert again == mm.auc(DATA["y"], DATA["s"])
    if isinstance(frame, pd.DataFrame):
        assert frame["s"].tolist() == DATA["s"]


def test_minmax_is_taken_over_all_groups():
    frame = pl.DataFrame(DATA | {"s": [9.0, 5.0, 5.0, 1.0, 2.0, 3.0]})
    result = mm.evaluate(
        frame, label="y", scores="s", group="g", measures="brier", rescale="minmax"
    )
    unit = [(score - 1) / 8 for score in frame["s"]]
    assert result.rows[1].value == pytest.approx(mm.brier(DATA["y"][:3], unit[:3]))
