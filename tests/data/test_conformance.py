"""One suite for every source: the same values as from arrays, whole and in parts."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as arrow_data
import pyarrow.parquet
import pytest

import metameasure as mm
from metameasure.data import batches
from metameasure.errors import DataError

duckdb = pytest.importorskip("duckdb")
CONNECTION = duckdb.connect()  # relations of old releases do not keep it

N = 1200
RNG = np.random.default_rng(31)
BASE = RNG.beta(2, 2, N)
POSITIVE = RNG.random(N) < BASE
MEASURES = (
    "auc, gini, average_precision, ks, taks, abc, scored_auc, brier, log_loss, auch, h_measure, "
    "accuracy, mcc@0.3, f_measure@top=20%, tpr@fpr=0.1, precision@tpr=0.8, lift@k=100"
)
RANKING = "auc, gini, average_precision, ks, taks, abc, auch, h_measure, lift@top=10%"
HOSTILE = "a \"quoted; DROP TABLE t; --' column"


def cases(kind):
    """The columns of a kind of cases, and the options to read them."""
    columns, options = {"y": POSITIVE.astype(np.int64), "s": BASE}, {}
    if kind == "ties":
        columns["s"] = np.round(BASE, 1)
    elif kind == "one large tie":
        columns["s"] = np.where(RNG.random(N) < 0.7, 0.5, BASE)
    elif kind == "zeros of both signs":
        columns["s"] = np.where(BASE < 0.5, np.where(BASE < 0.3, -0.0, 0.0), BASE)
    elif kind == "float32":
        columns["s"] = BASE.astype(np.float32)
    elif kind == "integers":
        columns["s"] = (BASE * 50).astype(np.int32)
        options["measures"] = RANKING
    elif kind == "any numbers":
        columns["s"] = BASE * 1e6 - 3e5
        options["measures"] = RANKING
    elif kind == "weights":
        columns["w"] = RNG.exponential(size=N) * (RNG.random(N) < 0.9)
        options["weight"] = "w"
    elif kind == "text labels":
        columns["y"] = np.where(POSITIVE, "bad", "good")
        options["pos_label"] = "bad"
    elif kind == "bool labels":
        columns["y"] = POSITIVE
    elif kind == "missing":
        columns["s"] = np.where(RNG.random(N) < 0.1, np.nan, BASE)
        options["nan_policy"] = "drop"
    elif kind == "one class":
        columns["y"] = np.zeros(N, np.int64)
    elif kind == "hostile names":
        columns = {HOSTILE: columns["y"], f"{HOSTILE} 2": BASE}
        options |= {"label": HOSTILE, "scores": f"{HOSTILE} 2"}
    return columns, {"label": "y", "scores": "s", "measures": MEASURES, "ci": None, **options}


KINDS = (
    "plain", "ties", "one large tie", "zeros of both signs", "float32", "integers", "any numbers",
    "weights", "text labels", "bool labels", "missing", "one class", "hostile names",
)  # fmt: skip


def chunks(columns, size=101):
    """The columns in batches, of which the first and one in the middle are empty."""
    for begin, end in ((0, 0), *((b, b + size) for b in range(0, N, size)), (500, 500)):
        yield {name: values[begin:end] for name, values in columns.items()}


def arrow(columns):
    return pa.table({name: pa.array(values) for name, values in columns.items()})


def files(columns, folder, suffix, write):
    frame, third = pl.DataFrame(columns), N // 3
    for number in range(3):
        write(frame[number * third : (number + 1) * third], folder / f"part {number}.{suffix}")
    return str(folder / f"part *.{suffix}")


def one_file(columns, folder, suffix, write):
    write(pl.DataFrame(columns), folder / f"all.{suffix}")
    return folder / f"all.{suffix}"


def lines(frame, path):
    """Text has the digits of float64, since that is what it is read as."""
    frame.cast({pl.Float32: pl.Float64}).write_csv(path)


PARQUET, IPC = pl.DataFrame.write_parquet, pl.DataFrame.write_ipc


SOURCES = {
    "pandas": lambda columns, _: pd.DataFrame(columns),
    "polars": lambda columns, _: pl.DataFrame(columns),
    "polars lazy": lambda columns, _: pl.LazyFrame(columns),
    "Arrow table": lambda columns, _: arrow(columns),
    "Arrow reader": lambda columns, _: arrow(columns).to_reader(97),
    "Arrow data set": lambda columns, _: arrow_data.dataset(arrow(columns)),
    "Arrow scanner": lambda columns, _: arrow_data.dataset(arrow(columns)).scanner(),
    "DuckDB": lambda columns, _: CONNECTION.from_arrow(arrow(columns)),
    "stream of dicts": lambda columns, _: chunks(columns),
    "stream of polars": lambda columns, _: map(pl.DataFrame, chunks(columns)),
    "stream of pandas": lambda columns, _: map(pd.DataFrame, chunks(columns)),
    "stream of record batches": lambda columns, _: iter(arrow(columns).to_batches(97)),
    "Parquet": lambda columns, folder: one_file(columns, folder, "parquet", PARQUET),
    "Parquet files": lambda columns, folder: files(columns, folder, "parquet", PARQUET),
    "Arrow files": lambda columns, folder: files(columns, folder, "arrow", IPC),
    "CSV": lambda columns, folder: one_file(columns, folder, "csv", lines),
    "CSV files": lambda columns, folder: files(columns, folder, "csv", lines),
}  # fmt: skip


@pytest.fixture(params=["whole", "in parts"])
def parts(request, monkeypatch):
    if request.param == "in parts":
        monkeypatch.setattr(batches, "WHOLE", 300)
        monkeypatch.setattr(batches, "FEW", 0)
        monkeypatch.setattr(batches, "ROWS", 128)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.filterwarnings("ignore::metameasure.errors.UndefinedMeasureWarning")
def test_the_values_are_those_of_arrays(source, kind, parts, tmp_path):
    columns, options = cases(kind)
    found = mm.evaluate(SOURCES[source](columns, tmp_path), **options)
    label, score = options.pop("label"), options.pop("scores")
    weight = columns[options.pop("weight")] if "weight" in options else None
    right = mm.evaluate(columns[label], {score: columns[score]}, sample_weight=weight, **options)
    assert [row.measure for row in found.rows] == [row.measure for row in right.rows]
    for ours, theirs in zip(found.rows, right.rows, strict=True):
        assert ours.value == pytest.approx(theirs.value, rel=1e-12, abs=1e-12, nan_ok=True)
        assert (ours.n, ours.n_pos, ours.dropped) == (theirs.n, theirs.n_pos, theirs.dropped)


def test_a_stream_of_pairs(parts):
    pairs = zip(np.array_split(POSITIVE, 9), np.array_split(BASE, 9), strict=True)
    found = mm.evaluate(pairs, measures="auc, brier", ci=None)
    assert found.value("auc") == pytest.approx(mm.auc(POSITIVE, BASE), rel=1e-14)
    assert found.value("brier") == pytest.approx(mm.brier(POSITIVE, BASE), rel=1e-14)


def test_decimals(parts):
    values = [Decimal(int(1000 * score)) / 1000 for score in BASE]
    table = pa.table({"y": POSITIVE, "s": pa.array(values, pa.decimal128(10, 3))})
    floats = np.array([float(value) for value in values])
    for source in (table, pl.DataFrame(table).lazy(), CONNECTION.from_arrow(table)):
        found = mm.evaluate(source, label="y", scores="s", measures="auc, brier", ci=None)
        assert found.value("auc") == pytest.approx(mm.auc(POSITIVE, floats), rel=1e-14)
        assert found.value("brier") == pytest.approx(mm.brier(POSITIVE, floats), rel=1e-14)


@pytest.mark.parametrize("stream", [iter([]), iter([{"y": [], "s": []}])], ids=["none", "empty"])
def test_a_stream_without_rows(stream):
    with pytest.raises(DataError, match="there are no cases"):
        mm.evaluate(stream, label="y", scores="s")


BATCHES = {
    "a batch must be a data frame": [1, 2],
    "with one value per row": [(1, 0.5), (0, 0.4)],
    "'y_true', 'model' of a batch differ in length: 2 and 1": [([1, 0], [0.9])],
    "got a tuple; pass weights": [([1, 0], [0.9, 0.1], [1, 2])],
    "a batch has no column 's', but the first one has": [
        {"y": [1, 0], "s": [0.9, 0.1]}, {"y": [1, 0], "t": [0.9, 0.1]}
    ],
    "'y' has 4 labels": [
        {"y": [1, 0], "s": [0.9, 0.1]}, {"y": ["a", "b"], "s": [0.9, 0.1]}
    ],
}  # fmt: skip


@pytest.mark.parametrize("message", BATCHES)
def test_batches_that_cannot_be_read(message):
    batch = BATCHES[message]
    named = {} if isinstance(batch[0], tuple) else {"label": "y", "scores": "s"}
    with pytest.raises(DataError, match=message):
        mm.evaluate(iter(batch), **named)


OTHER_TYPES = {
    "empty pairs": ([([1, 0], [0.9, 0.1]), ([], []), ([1], [0.2])]),
    "integers among floats": ([([1, 0], [0.9, 0.1]), ([1], [0])]),
    "bool among integers": ([([1, 0], [0.9, 0.1]), ([True], [0.0])]),
    "objects": [(np.array([1, 0, 1], dtype=object), [0.9, 0.1, 0.0])],
    "an empty dict": [{"y_true": [1, 0, 1], "model": [0.9, 0.1, 0.0]}, {}],
    "another library": [
        pd.DataFrame({"y_true": [1, 0], "model": [0.9, 0.1]}),
        pl.DataFrame({"y_true": [1], "model": [0.0]}),
    ],
    "another width": [([1, 0], np.float32([0.5, 0.25])), ([1], np.float64([0.0]))],
}


@pytest.mark.parametrize("whole", [0, 10**6])
@pytest.mark.parametrize("kind", OTHER_TYPES)
def test_batches_may_differ_in_their_types(kind, whole, monkeypatch):
    monkeypatch.setattr(batches, "WHOLE", whole)
    named = {"label": "y_true", "scores": "model"}
    named = {} if isinstance(OTHER_TYPES[kind][0], tuple) else named
    found = mm.evaluate(iter(OTHER_TYPES[kind]), measures="auc", ci=None, **named)
    assert found.value("auc") == (1.0 if kind == "empty pairs" else 0.5)
    assert found.rows[0].n == 3


def test_a_stream_with_groups_is_read_whole(parts):
    groups = np.arange(N) % 4
    found = mm.evaluate(
        chunks({"y": POSITIVE, "s": BASE, "g": groups}), label="y", scores="s", group="g", ci=None
    )
    right = mm.evaluate(POSITIVE, {"s": BASE}, group=groups, ci=None)
    assert [row.value for row in found.rows] == pytest.approx([row.value for row in right.rows])


def test_a_corrupt_file_among_a_hundred_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(batches, "WHOLE", 300)
    frame = pl.DataFrame({"y": POSITIVE, "s": BASE})
    for number in range(100):
        frame[number * 12 : number * 12 + 12].write_parquet(tmp_path / f"{number:02}.parquet")
    damaged = tmp_path / "57.parquet"
    content = bytearray(damaged.read_bytes())
    content[8:60] = b"\xff" * 52
    damaged.write_bytes(content)
    with pytest.raises(DataError, match=r"57\.parquet"):
        mm.evaluate(tmp_path / "*.parquet", label="y", scores="s")


def test_a_reader_that_fails_is_reported(parts):
    def failing():
        yield from arrow({"y": POSITIVE, "s": BASE}).to_batches(100)
        raise pa.ArrowInvalid("the disk is gone")

    with pytest.raises(DataError, match="cannot be read: the disk is gone"):
        mm.evaluate(failing(), label="y", scores="s")


def test_a_damaged_data_set_is_reported(tmp_path):
    pyarrow.parquet.write_table(arrow({"y": POSITIVE, "s": BASE}), tmp_path / "a.parquet")
    content = bytearray((tmp_path / "a.parquet").read_bytes())
    content[8:60] = b"\xff" * 52
    (tmp_path / "a.parquet").write_bytes(content)
    with pytest.raises(DataError, match="cannot be read"):
        mm.evaluate(arrow_data.dataset(tmp_path), label="y", scores="s")


def test_an_error_of_the_user_passes(parts):
    def failing():
        yield {"y": POSITIVE, "s": BASE}
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        mm.evaluate(failing(), label="y", scores="s")
