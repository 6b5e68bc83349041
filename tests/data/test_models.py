"""The one reader of models on the same cases: every source gives the same models."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import metameasure as mm
from metameasure.data import (
    BY_PROBABILITY,
    BY_RANK,
    EstimatorScores,
    LabelText,
    Models,
    Names,
    read_models,
)

Y = np.array([1, 0, 1, 0, 1, 0, 0, 1])
A = np.array([0.9, 0.5, 0.5, -0.0, 0.3, 0.0, 0.2, 0.8])
B = np.array([0.6, 0.6, 0.1, 0.2, 0.7, 0.3, 0.4, 0.9])
W = np.array([1.0, 2.0, 0.0, 1.5, 1.0, 1.0, 3.0, 0.5])
G = np.array(["x", "y", "x", "y", "x", "y", "x", "y"])
C = np.array([1, 1, 2, 2, 3, 3, 4, 4])
DATA = {"y": Y, "a": A, "b": B, "w": W, "g": G, "c": C}
COLUMNS = {"label": "y", "scores": ["a", "b"]}
ARRAYS = {"a": A, "b": B}


def written(folder, name, **columns):
    """The path of a file with the data or with other columns."""
    frame, path = pl.DataFrame(columns or DATA), folder / name
    if name.endswith("parquet"):
        frame.write_parquet(path)
    elif name.endswith("arrow"):
        frame.write_ipc(path)
    elif name.endswith("jsonl"):
        frame.write_ndjson(path)
    else:
        frame.write_csv(path)
    return path


def halves(folder):
    """A pattern that two files with half of the data match."""
    for number, part in enumerate((slice(0, 3), slice(3, 8))):
        some = {name: values[part] for name, values in DATA.items()}
        written(folder, f"part{number}.parquet", **some)
    return str(folder / "part*.parquet")


SOURCES = {
    "arrays": lambda folder: ((Y, ARRAYS), {}),
    "lists": lambda folder: ((Y.tolist(), {"a": A.tolist(), "b": B.tolist()}), {}),
    "float32 and bool": lambda folder: (
        (Y == 1, {"a": A.astype(np.float64), "b": B.astype(np.float64)}),
        {},
    ),
    "texts as labels": lambda folder: (
        (np.where(Y == 1, "yes", "no"), ARRAYS),
        {"pos_label": "yes"},
    ),
    "labels typed as text": lambda folder: ((Y, ARRAYS), {"pos_label": LabelText("1")}),
    "a frame of scores": lambda folder: ((Y, pd.DataFrame(ARRAYS)), {}),
    "polars": lambda folder: ((pl.DataFrame(DATA),), COLUMNS),
    "polars lazy": lambda folder: ((pl.LazyFrame(DATA),), COLUMNS),
    "pandas": lambda folder: ((pd.DataFrame(DATA),), COLUMNS),
    "pyarrow": lambda folder: ((pa.table(DATA),), COLUMNS),
    "score=": lambda folder: ((pd.DataFrame(DATA),), {"label": "y", "score": ["a", "b"]}),
    "csv": lambda folder: ((str(written(folder, "d.csv")),), COLUMNS),
    "parquet": lambda folder: ((written(folder, "d.parquet"),), COLUMNS),
    "arrow": lambda folder: ((written(folder, "d.arrow"),), COLUMNS),
    "json lines": lambda folder: ((str(written(folder, "d.jsonl")),), COLUMNS),
    "a pattern": lambda folder: ((halves(folder),), COLUMNS),
    "tables": lambda folder: (({name: mm.tabulate(Y, s) for name, s in ARRAYS.items()},), {}),
    "models": lambda folder: ((read_models(Y, ARRAYS),), {}),
}
WITH_COLUMNS = [
    name for name in SOURCES if SOURCES[name].__code__.co_names and "COLUMNS" in
    SOURCES[name].__code__.co_names
]  # fmt: skip


@pytest.mark.parametrize("kind", SOURCES)
def test_every_source_gives_the_same_models(kind, tmp_path):
    arguments, options = SOURCES[kind](tmp_path)
    found = read_models(*arguments, **options)
    assert found.names == ["a", "b"]
    assert (found.cases, found.positives, found.dropped, found.weighted) == (8, 4, 0, False)
    label = " ('yes')" if kind == "texts as labels" else ""
    assert found.caption == f"8 cases, 4 positive{label}"
    for name, scores in ARRAYS.items():
        expected, table = mm.tabulate(Y, scores), found.table(name)
        for part in ("score", "pos", "neg"):
            assert getattr(table, part).tolist() == getattr(expected, part).tolist()
        assert found.table(name) is table


@pytest.mark.parametrize("kind", SOURCES)
def test_every_source_gives_the_same_evaluation(kind, tmp_path):
    arguments, options = SOURCES[kind](tmp_path)
    expected = mm.evaluate(Y, ARRAYS, measures="auc, brier, accuracy", ci=None)
    found = mm.evaluate(*arguments, measures="auc, brier, accuracy", ci=None, **options)
    assert [(row.model, row.measure, row.value, row.n, row.n_pos) for row in found.rows] == [
        (row.model, row.measure, row.value, row.n, row.n_pos) for row in expected.rows
    ]
    differences = mm.compare(*arguments, measures="auc", **options).rows
    assert [row.difference for row in differences] == [mm.auc(Y, A) - mm.auc(Y, B)]


@pytest.mark.parametrize("kind", WITH_COLUMNS)
def test_weights_groups_and_clusters_of_columns(kind, tmp_path):
    arguments, options = SOURCES[kind](tmp_path)
    found = read_models(*arguments, **options, weight="w", group="g", cluster="c")
    rows = found.rows_for("a test")
    assert (found.cases, found.positives, found.weighted) == (7, 3, True)
    assert rows.weight.tolist() == W.tolist()
    assert rows.group.tolist() == G.tolist()
    assert rows.cluster.tolist() == C.tolist()
    assert W[Y == 1].sum() == found.table("a").P
    assert found.columns.weight == "w"


def test_weights_groups_and_clusters_of_arrays():
    found = read_models(Y, A, sample_weight=W, group=G, cluster=C)
    assert found.names == ["model"]
    assert found.rows.group.tolist() == G.tolist()
    assert found.caption == "7 cases, 3 positive; weighted"


@pytest.mark.parametrize("missing", [None, np.nan])
def test_missing_values_are_dropped_for_all_models(missing):
    scores = {"a": [missing, *A[1:].tolist()], "b": B}
    with pytest.raises(mm.DataError, match=r"1 of 8 values of a are missing .* at row 0") as caught:
        read_models(Y, scores)
    assert str(caught.value).endswith('drop these cases with nan_policy="drop"')
    found = read_models(Y, scores, nan_policy="drop")
    assert (found.cases, found.dropped) == (7, 1)
    assert found.table("b").n == 7
    framed = read_models(pl.DataFrame({"y": Y, **scores}), label="y", scores=["a", "b"],
                         nan_policy="drop")  # fmt: skip
    assert framed.caption == found.caption == "7 cases, 3 positive, 1 left out for missing values"


def test_one_class_and_no_cases(tmp_path):
    assert read_models([1, 1], [0.5, 0.2]).positives == 2
    with pytest.raises(mm.DataError, match="there are no cases: y_true is empty"):
        read_models([], [])
    empty = {"y": np.array([], dtype=int), "s": np.array([], dtype=float)}
    for data in (pl.DataFrame(empty), written(tmp_path, "empty.parquet", **empty)):
        with pytest.raises(mm.DataError, match="there are no cases: the data have no rows"):
            read_models(data, label="y", scores="s")
    with pytest.raises(mm.DataError, match="the table of 'a' has no weight"):
        read_models({"a": mm.ScoreTable([0.5], [0], [0])})


@pytest.mark.parametrize(
    ("error", "arguments", "options", "words"),
    [
        (mm.DataError, (Y, {1: A, "1": B}), {}, "two models have the same name: 1, '1'"),
        (mm.DataError, (Y, {}), {}, "there is no model"),
        (mm.DataError, ({},), {}, "there is no model"),
        (
            mm.DataError,
            ({1: mm.tabulate(Y, A), "1": mm.tabulate(Y, B)},),
            {},
            "two models have the same name",
        ),
        (mm.DataError, ({"a": A},), {}, "one ScoreTable per model, got a ndarray for 'a'"),
        (
            mm.DataError,
            ({"a": mm.tabulate_lists(Y, [A, B])},),
            {},
            r"'a' is a block of \(2,\) score tables",
        ),
        (mm.DataError, (mm.tabulate_lists(Y, [A, B]),), {}, "pass one table per model"),
        (
            mm.ParameterError,
            (mm.tabulate(Y, A), A),
            {},
            "scores must be names of models, since the data have",
        ),
        (
            mm.ParameterError,
            (mm.tabulate(Y, A),),
            {"pos_label": 1},
            "pos_label does not apply to score tables",
        ),
        (
            mm.ParameterError,
            (mm.tabulate(Y, A),),
            {"label": "y"},
            "label does not apply to score tables",
        ),
        (
            mm.ParameterError,
            (read_models(Y, A),),
            {"sample_weight": W},
            "sample_weight does not apply",
        ),
        (mm.DataError, (Y,), {}, "scores are missing: y_true alone is not enough"),
        (mm.ParameterError, (Y, A), {"label": "y"}, "label names a column, but the data have none"),
        (
            mm.ParameterError,
            (Y, A),
            {"proba": ["a"]},
            "proba names a column, but the data have none",
        ),
        (mm.ParameterError, (Y, A), {"score": B}, "pass either scores or score, not both"),
        (mm.DataError, (Y, A[:7]), {}, "y_true and scores differ in length: 8 and 7"),
        (mm.DataError, (Y, {"a": A[:7]}), {}, "y_true and a differ in length: 8 and 7"),
        (
            mm.DataError,
            (Y, A),
            {"sample_weight": -W},
            "sample_weight must be finite and >= 0, got -1.0 at row 0",
        ),
        (
            mm.ParameterError,
            (Y, A),
            {"nan_policy": "omit"},
            "nan_policy must be one of 'raise', 'drop', got 'omit'",
        ),
        (
            mm.ParameterError,
            (Y, A),
            {"labels": [0, 1], "several_classes": True},
            "labels names the classes of a matr",
        ),
        (
            mm.ParameterError,
            (pl.DataFrame(DATA),),
            {"label": "z", "scores": "a"},
            "there is no column 'z'",
        ),
        (
            mm.ParameterError,
            (pl.DataFrame(DATA),),
            {"label": "y", "scores": "aa"},
            "there is no column 'aa'; the columns are 'y', 'a'",
        ),
        (
            mm.ParameterError,
            (pl.DataFrame(DATA),),
            {**COLUMNS, "sample_weight": W},
            "sample_weight is for arrays",
        ),
        (
            mm.ParameterError,
            (pl.DataFrame(DATA),),
            {**COLUMNS, "labels": [0, 1]},
            "labels names the classes of a mat",
        ),
        (mm.ParameterError, (pl.DataFrame(DATA), "b"), {"label": "y", "score": "a"}, "not both"),
        (
            mm.ParameterError,
            (Y, A),
            {"pos_label": LabelText("yes")},
            "pos_label: 'yes' is not one of the labels 0, 1",
        ),
    ],
)
def test_what_is_refused(error, arguments, options, words):
    with pytest.raises(error, match=words):
        read_models(*arguments, **options)


def test_hostile_names_are_escaped(tmp_path):
    name = "a\x1b[31m\n"
    with pytest.raises(mm.ParameterError) as caught:
        read_models(pl.DataFrame({"y": Y, name: A}), label="y", scores=name + "!")
    with pytest.raises(mm.DataError) as missing:
        read_models(str(tmp_path / name), label="y")
    assert all("\x1b" not in str(error.value) for error in (caught, missing))


def test_the_same_cases():
    tables = {"a": mm.tabulate(Y, A), "b": mm.tabulate(Y[1:], B[1:])}
    with pytest.raises(mm.DataError, match=r"not evaluated on the same cases: .* 3 and 4"):
        read_models(tables)
    assert read_models(tables, same_cases=False).names == ["a", "b"]


def test_what_needs_the_rows_says_so():
    models = read_models({"a": mm.tabulate(Y, A), "b": mm.tabulate(Y, B)})
    with pytest.raises(
        mm.DataError, match=r"individual cases.*needed for paired tests; pass y_true"
    ):
        models.rows_for("paired tests")
    for call in (
        lambda: mm.compare(models, measures="auc", method="delong"),
        lambda: mm.compare(models, measures="auc", margin=0.1),
        lambda: mm.compare(models, measures="mean_over(auc)"),
        lambda: mm.evaluate(models, measures="mean_over(auc)"),
        lambda: mm.advise(models),
        lambda: mm.lab.selection(models),
        lambda: mm.lab.observed(models, resamples=10),
    ):
        with pytest.raises(mm.DataError, match="score tables do not hold the individual cases"):
            call()


def test_tables_alone_give_values_intervals_and_differences():
    tables = {"a": mm.tabulate(Y, A), "b": mm.tabulate(Y, B)}
    rows = mm.evaluate(tables, measures="auc").rows
    alone = [mm.interval(table, measure="auc") for table in tables.values()]
    assert [(row.value, row.low, row.high) for row in rows] == [
        (found.value, found.low, found.high) for found in alone
    ]
    result = mm.compare(tables, measures="auc, brier")
    assert [(row.low, row.high, row.pvalue, row.method) for row in result.rows] == [
        (None, None, None, "none")
    ] * 2
    assert "paired tests need the cases" in str(result)
    weighted = {"a": mm.tabulate(Y, A, sample_weight=W)}
    value = mm.evaluate(weighted, measures="auc", ci=None).rows[0].value
    assert value == mm.auc(Y, A, sample_weight=W)
    with pytest.raises(mm.DataError, match=r"'a' are not counts.*pass the rows"):
        mm.evaluate(weighted, measures="auc")
    assert mm.decile_table(tables).rows == mm.decile_table(Y, ARRAYS).rows


@pytest.mark.parametrize(
    "call",
    [
        lambda *a, **k: mm.evaluate(*a, measures="auc", ci=None, **k).rows,
        lambda *a, **k: mm.compare(*a, measures="auc", **k).rows,
        lambda *a, **k: mm.decile_table(*a, **k).rows,
        lambda *a, **k: mm.calibration_table(*a, **k).rows,
        lambda *a, **k: mm.operating_points(*a, maximize="mcc", **k).rows,
        lambda *a, **k: mm.optimality_zones(*a, **k).rows,
    ],
)
def test_score_is_a_synonym_of_scores(call, tmp_path):
    shifted = {**DATA, "a": A + 0.05}
    frame, columns = pd.DataFrame(shifted), ["a", "b"]
    expected = repr(call(Y, {"a": A + 0.05, "b": B}))
    assert repr(call(frame, label="y", scores=columns)) == expected
    assert repr(call(frame, label="y", score=columns)) == expected
    path = written(tmp_path, "d.parquet", **shifted)
    assert repr(call(str(path), label="y", score=columns)) == expected
    with pytest.raises(mm.ParameterError, match="pass either scores or score, not both"):
        call(frame, label="y", score="a", scores="b")


def test_one_model_gets_another_name():
    assert read_models(Y, A).renamed("tree").names == ["tree"]
    assert read_models(mm.tabulate(Y, A)).renamed("tree").table("tree").n == 8
    with pytest.raises(mm.ParameterError, match='name="tree" is for one model, got 2'):
        read_models(Y, ARRAYS).renamed("tree")


# ---------------------------------------------------------------- several classes

MATRIX = np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4], [0.2, 0.2, 0.6]])
KINDS = np.array(["k", "l", "m", "m"])


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((KINDS, MATRIX), {}),
        ((KINDS, {"model": MATRIX}), {}),
        ((KINDS, pd.DataFrame(MATRIX, columns=list("klm"))), {}),
        ((KINDS, MATRIX), {"labels": ["k", "l", "m"]}),
        ((mm.ClassScores.of(KINDS, MATRIX),), {}),
        ((pl.DataFrame({"y": KINDS, **dict(zip("klm", MATRIX.T, strict=True))}),),
         {"label": "y", "proba": ["k", "l", "m"]}),
        ((pl.DataFrame({"y": KINDS, **dict(zip("uvw", MATRIX.T, strict=True))}),),
         {"label": "y", "proba": ["u", "v", "w"], "labels": [*map(LabelText, "klm")]}),
    ],
)  # fmt: skip
def test_scores_for_several_classes(arguments, options):
    found = read_models(*arguments, several_classes=True, **options)
    assert found.names == ["model"]
    scores = found.classes["model"]
    assert scores.classes == ("k", "l", "m")
    assert scores.scores.tolist() == MATRIX.tolist()
    assert found.dropped == 0
    with pytest.raises(mm.DataError, match="scores for 3 classes cannot be used for a test"):
        found.rows_for("a test")


class Estimator:
    classes_ = ("no", "yes")

    def predict_proba(self, X):
        return np.column_stack([1 - X, X])

    def decision_function(self, X):
        return 2 * X - 1


@pytest.mark.parametrize("responses", [BY_PROBABILITY, BY_RANK])
@pytest.mark.parametrize("pos_label", [None, "no"])
def test_outputs_of_estimators(responses, pos_label):
    scores = EstimatorScores.of({"e": Estimator()}, A, responses)
    labels = np.where(Y == 1, "yes", "no")
    found = read_models(labels, scores, pos_label=pos_label)
    assert mm.auc(found.table("e")) == mm.auc(Y, A)


# ---------------------------------------------------------------- files


def test_files_of_a_pattern_are_in_the_order_of_their_names(tmp_path):
    models = read_models(halves(tmp_path), **COLUMNS)
    assert models.rows.scores["a"].tolist() == A.tolist()
    assert models.columns.scores == ("a", "b")


def test_integers_and_floats_in_files_of_text(tmp_path):
    written(tmp_path, "p1.csv", y=[1, 0], s=[1, 0])
    written(tmp_path, "p2.csv", s=[0.5, 0.25], y=[0, 1])
    assert read_models(str(tmp_path / "p*.csv")).rows.scores["s"].tolist() == [1, 0, 0.5, 0.25]


def test_a_name_with_signs_of_a_pattern(tmp_path):
    path = written(tmp_path, "[1]*.parquet")
    assert read_models(str(path), **COLUMNS).cases == 8


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        (
            {"y": Y, "a": [*map(str, A)]},
            "column 'a' is String in .*z.parquet but Float64 in .*d.par",
        ),
        ({"y": Y}, "z.parquet has no column 'a', but .*d.parquet has"),
        ({"y": Y, "a": A, "b": B}, "d.parquet has no column 'b', but .*z.parquet has"),
    ],
)
def test_files_that_differ_are_named(tmp_path, columns, words):
    written(tmp_path, "d.parquet", y=Y, a=A)
    written(tmp_path, "z.parquet", **columns)
    with pytest.raises(mm.DataError, match=words):
        mm.evaluate(str(tmp_path / "*.parquet"), label="y", scores="a")


@pytest.mark.parametrize("hole", [(0.02, 0.1), (0.9, 0.95)])
@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_corrupt_file_among_several_is_named(tmp_path, hole, kind):
    rng = np.random.default_rng(1)
    for number in range(3):
        columns = {"y": rng.integers(0, 2, 500), "a": rng.random(500)}
        path = written(tmp_path, f"part{number}.{kind}", **columns)
    path = tmp_path / f"part1.{kind}"
    content = bytearray(path.read_bytes())
    for place in range(int(len(content) * hole[0]), int(len(content) * hole[1])):
        content[place] ^= 0xA5
    path.write_bytes(bytes(content))
    with pytest.raises(mm.DataError, match=rf"part1\.{kind}"):
        mm.evaluate(str(tmp_path / f"*.{kind}"), label="y", scores="a")


def test_no_file_matches(tmp_path):
    with pytest.raises(mm.DataError, match="no file matches"):
        read_models(str(tmp_path / "*.parquet"), label="y")
    with pytest.raises(mm.DataError, match="there is no file"):
        read_models(tmp_path / "none.parquet", label="y")
    with pytest.raises(mm.DataError, match="is a folder; pass the name of a file"):
        read_models(tmp_path)


# ---------------------------------------------------------------- a source of one's own


class Counts:
    """Positives and negatives per score, as a database gives them."""

    def __init__(self, **models):
        self.models = models


class CountsSource:
    def takes(self, data):
        return isinstance(data, Counts)

    def read(self, data, given):
        given.refuse("scores", why="does not apply to counts")
        return Models.of_tables({name: mm.ScoreTable(*of) for name, of in data.models.items()})


def test_another_source_is_one_object(monkeypatch):
    from metameasure.data import engines, sources

    engines.load_engines()
    monkeypatch.setattr(sources, "SOURCES", (CountsSource(), *sources.SOURCES))
    data = Counts(m=([0.9, 0.5], [3, 1], [1, 4]))
    assert mm.evaluate(data, measures="auc").rows[0].n == 9
    with pytest.raises(mm.ParameterError, match="scores does not apply to counts"):
        mm.evaluate(data, A)


def test_names_in_messages():
    with pytest.raises(mm.DataError, match="y and s differ in length: 2 and 1"):
        mm.Predictions.of([1, 0], {"m": [1]}, names=Names("y", scores={"m": "s"}))


@pytest.mark.parametrize(
    "call",
    [
        "str(mm.evaluate([1, 0, 1, 0], [0.9, 0.8, 0.3, 0.1]))",
        "str(mm.compare([1, 0, 1, 0], {'a': [0.9, 0.8, 0.3, 0.1], 'b': [0.9, 0.1, 0.3, 0.2]}))",
        "str(mm.evaluate({'a': mm.tabulate([1, 0], [0.9, 0.8])}))",
        "str(mm.operating_points([1, 0, 1], [0.9, 0.8, 0.3], maximize='mcc'))",
        "str(mm.decile_table([1, 0, 1], [0.9, 0.8, 0.3]))",
    ],
)
def test_arrays_load_no_library_of_data_frames(call):
    loaded = "sorted({'polars', 'narwhals', 'pandas', 'pyarrow'} & set(sys.modules))"
    code = f"import sys, metameasure as mm; {call}; print({loaded})"
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True,
                          text=True, check=True)  # fmt: skip
    assert done.stdout == "[]\n"
