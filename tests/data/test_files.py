"""Predictions in files: every format gives the same frame, and no damage goes unnoticed."""

import gzip
import json
import os
import random
import re
import stat
import subprocess
import sys
import threading
from pathlib import Path

import polars as pl
import pytest

import metameasure as mm
from metameasure.data import open_file
from metameasure.writing import whole_file

ROWS = 300
LABELS = [(7 * row) % 3 % 2 for row in range(ROWS)]
SCORES = [(37 * row % 101) / 128 for row in range(ROWS)]
FRAME = pl.DataFrame({"label": LABELS, "score": SCORES})
AUC = mm.auc(LABELS, SCORES)


def compressed(data):
    return gzip.compress(data, mtime=0)


def text(separator=",", newline="\n"):
    return FRAME.write_csv(separator=separator).replace("\n", newline).encode()


def written(writer, *arguments, **options):
    """The bytes that a method of polars writes."""
    import io

    stream = io.BytesIO()
    getattr(FRAME, writer)(stream, *arguments, **options)
    return stream.getvalue()


FORMATS = {
    "csv": text(),
    "csv with CRLF": text(newline="\r\n"),
    "csv with CR": text(newline="\r"),
    "csv with a byte order mark": b"\xef\xbb\xbf" + text(),
    "csv in gzip": compressed(text()),
    "csv without a last newline": text().rstrip(b"\n"),
    "tsv": text("\t"),
    "semicolons": text(";"),
    "tsv in gzip": compressed(text("\t")),
    "json lines": written("write_ndjson"),
    "json lines in gzip": compressed(written("write_ndjson")),
    "json lines with a byte order mark": b"\xef\xbb\xbf" + written("write_ndjson"),
    "json": written("write_json"),
    "parquet": written("write_parquet"),
    "parquet uncompressed": written("write_parquet", compression="uncompressed"),
    "arrow": written("write_ipc"),
    "arrow compressed": written("write_ipc", compression="zstd"),
}
STREAM = written("write_ipc_stream")


def evaluated(path, **options):
    """The one value of the area under the curve of a file."""
    options = {"label": "label", "scores": "score", "measures": "auc"} | options
    (row,) = mm.evaluate(open_file(path), **options).rows
    return row.value


def read_error(path, error=mm.DataError, **options):
    """The message about a file that is refused."""
    with pytest.raises(error) as raised:
        evaluated(path, **options)
    message = str(raised.value)
    assert "\n" not in message
    assert "\x1b" not in message
    return message


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same(tmp_path, name):
    path = tmp_path / "predictions"
    path.write_bytes(FORMATS[name])
    assert evaluated(path) == AUC
    assert open_file(path).collect().columns == ["label", "score"]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_from_standard_input(monkeypatch, name):
    class Input:
        class buffer:  # noqa: N801
            @staticmethod
            def read():
                return FORMATS[name]

    monkeypatch.setattr(sys, "stdin", Input)
    assert evaluated("-") == AUC


def test_an_arrow_stream_is_read_or_called_by_its_name(tmp_path):
    path = tmp_path / "predictions.arrows"
    path.write_bytes(STREAM)
    try:
        assert evaluated(path) == AUC
    except mm.DataError as error:
        assert "Arrow" in str(error)  # noqa: PT017


@pytest.mark.parametrize("name", ["csv", "parquet", "json lines"])
def test_the_suffix_does_not_matter(tmp_path, name):
    path = tmp_path / "predictions.txt"
    path.write_bytes(FORMATS[name])
    assert evaluated(path) == evaluated(str(path)) == AUC


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("name", ["csv", "parquet", "csv in gzip"])
def test_a_pipe_is_read_once_and_whole(tmp_path, name):
    """As ``metameasure evaluate <(command)`` gives it."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    code = f"import pathlib; pathlib.Path({str(path)!r}).write_bytes({FORMATS[name]!r})"
    writer = subprocess.Popen([sys.executable, "-c", code])  # noqa: S603
    # A reader that opens the pipe a second time would wait for ever for a second writer.
    rescue = threading.Timer(3, lambda: path.open("wb").close())
    rescue.daemon = True
    rescue.start()
    try:
        assert evaluated(path) == AUC
    finally:
        rescue.cancel()
        writer.kill()
        writer.wait()


@pytest.mark.parametrize("name", ["csv", "parquet", "arrow"])
@pytest.mark.parametrize("hostile", ["a[1]", "a*", "a?", "[!b]1", "{a1,b}", "**"])
def test_a_name_is_not_a_pattern(tmp_path, name, hostile):
    """The file of that name is read, and no other that the name would match."""
    other = FRAME.with_columns(score=1 - pl.col("score"))
    writer = {"csv": "write_csv", "parquet": "write_parquet", "arrow": "write_ipc"}[name]
    getattr(other, writer)(tmp_path / "a1")
    path = tmp_path / hostile
    path.write_bytes(FORMATS[name])
    assert evaluated(path) == AUC


@pytest.mark.skipif(sys.platform != "linux", reason="needs file names that are not valid text")
@pytest.mark.parametrize("name", ["csv", "parquet", "arrow"])
def test_a_name_that_is_not_text(tmp_path, name):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    path.write_bytes(FORMATS[name])
    assert evaluated(path) == AUC


@pytest.mark.parametrize("name", ["csv", "parquet", "arrow"])
def test_the_folder_is_not_read_as_data(tmp_path, name):
    path = tmp_path / "label=9" / "predictions"
    path.parent.mkdir()
    path.write_bytes(FORMATS[name])
    assert open_file(path).collect().columns == ["label", "score"]
    assert evaluated(path) == AUC


# --- no such file


def test_a_file_that_does_not_exist(tmp_path):
    assert "there is no file" in read_error(tmp_path / "nosuch.csv")


def test_a_folder(tmp_path):
    assert "is a folder" in read_error(tmp_path)


def test_a_file_in_a_file(tmp_path):
    (tmp_path / "a.csv").write_bytes(text())
    assert "cannot be read" in read_error(tmp_path / "a.csv" / "b.csv")


def test_a_name_that_is_too_long(tmp_path):
    assert "too long" in read_error(tmp_path / ("x" * 300)).lower()


@pytest.mark.usefixtures("permissions_count")
def test_a_file_that_may_not_be_read(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(text())
    path.chmod(0)
    assert "Permission denied" in read_error(path)


# --- damage


@pytest.mark.parametrize(
    ("encoding", "named"),
    [
        *[(encoding, "UTF-16") for encoding in ("utf-16", "utf-16-le", "utf-16-be")],
        ("utf-32", "UTF-32"),
    ],
)
def test_another_encoding_is_named(tmp_path, encoding, named):
    path = tmp_path / "a.csv"
    for data in (text().decode().encode(encoding), compressed(text().decode().encode(encoding))):
        path.write_bytes(data)
        assert read_error(path).endswith(f"a.csv is {named} text, not UTF-8; save it as UTF-8")


def test_marks_of_both_byte_orders(tmp_path):
    path = tmp_path / "a.csv"
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        path.write_bytes(mark + "größe,γ\n1,0.5\n".encode(encoding))
        assert "is UTF-16 text" in read_error(path)


def test_the_line_that_is_not_utf_8(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("label,score,name\n1,0.5,a\n0,0.25,Zoë\n".encode("latin-1"))
    assert read_error(path).endswith("a.csv, line 3: not UTF-8 text; save it as UTF-8")


@pytest.mark.parametrize("data", [b"", b"\n", b" \n\t\n", b"\xef\xbb\xbf", compressed(b"")])
def test_an_empty_file(tmp_path, data):
    path = tmp_path / "empty.csv"
    path.write_bytes(data)
    assert "empty" in read_error(path)


@pytest.mark.parametrize("separator", [",", "\t", ";"])
@pytest.mark.parametrize("options", [{}, {"label": None, "scores": None}], ids=["named", "guess"])
def test_a_header_alone(tmp_path, separator, options):
    path = tmp_path / "header.csv"
    path.write_text(separator.join(["label", "score"]) + "\n")
    assert "no cases" in read_error(path, **options)


@pytest.mark.parametrize("name", ["parquet", "arrow", "arrow compressed"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_binary_file_that_is_cut(tmp_path, name, share):
    path = tmp_path / "cut"
    path.write_bytes(FORMATS[name][: int(len(FORMATS[name]) * share)])
    assert str(path) in read_error(path)


@pytest.mark.parametrize("name", ["parquet", "arrow"])
def test_a_binary_file_that_is_cut_from_standard_input(monkeypatch, name):
    class Input:
        class buffer:  # noqa: N801
            @staticmethod
            def read():
                return FORMATS[name][: len(FORMATS[name]) // 2]

    monkeypatch.setattr(sys, "stdin", Input)
    assert "standard input" in read_error("-")


def damaged(data, start, stop):
    """Some bytes turned over."""
    changed = bytearray(data)
    for place in range(int(len(data) * start), int(len(data) * stop)):
        changed[place] ^= 0xA5
    return bytes(changed)


@pytest.mark.parametrize("hole", [(0.02, 0.3), (0.1, 0.5), (0.9, 0.95)], ids=str)
@pytest.mark.parametrize("options", [{}, {"label": None, "scores": None}], ids=["named", "guess"])
def test_a_parquet_file_with_a_hole(tmp_path, hole, options):
    path = tmp_path / "hole.parquet"
    path.write_bytes(damaged(FORMATS["parquet"], *hole))
    assert re.search("cannot be read|incomplete or corrupt", read_error(path, **options))


@pytest.mark.parametrize("start", [0.1, 0.5, 0.9])
def test_a_gzip_file_with_a_hole(tmp_path, start):
    path = tmp_path / "hole.csv.gz"
    path.write_bytes(damaged(FORMATS["csv in gzip"], start, start + 0.05))
    assert str(path) in read_error(path)


def test_a_gzip_file_that_is_cut(tmp_path):
    path = tmp_path / "cut.csv.gz"
    path.write_bytes(FORMATS["csv in gzip"][:200])
    assert str(path) in read_error(path)


@pytest.mark.parametrize("seed", range(5))
def test_binary_garbage(tmp_path, seed):
    path = tmp_path / "garbage.csv"
    path.write_bytes(random.Random(seed).randbytes(3000))  # noqa: S311
    read_error(path)


@pytest.mark.parametrize("start", [b"PAR1", b"ARROW1\0\0", b"\x1f\x8b\x08", b"{", b"[", b"\0" * 99])
def test_garbage_after_a_promising_start(tmp_path, start):
    path = tmp_path / "garbage"
    path.write_bytes(start + random.Random(1).randbytes(500))  # noqa: S311
    read_error(path)


def test_a_line_with_too_many_fields_is_named(tmp_path):
    path = tmp_path / "broken.csv"
    path.write_text("label,score\n1,0.9\n0,0.5\n1,0.5,7,8\n0,0.1\n")
    message = read_error(path)
    assert str(path) in message
    assert "line 4" in message or "row 2" in message


def test_a_line_with_too_few_fields_is_named(tmp_path):
    path = tmp_path / "broken.csv"
    path.write_text("label,score\n1,0.9\n0\n1,0.5\n0,0.1\n")
    message = read_error(path)
    assert re.search("1 of 4 values of '?score", message)
    assert "row 1" in message


def test_text_among_numbers_is_named(tmp_path):
    path = tmp_path / "broken.csv"
    path.write_text("label,score\n1,0.9\n0,0.5\n1,oops\n0,0.1\n")
    assert "'oops' at row 2" in read_error(path)
    message = read_error(path, scores=None)
    assert "'score'" in message
    assert "text" in message


def test_text_far_below_numbers_is_named(tmp_path):
    path = tmp_path / "broken.csv"
    path.write_bytes(text() + b"1,oops\n")
    assert f"'oops' at row {ROWS}" in read_error(path)


def test_decimal_commas_are_named(tmp_path):
    path = tmp_path / "comma.csv"
    path.write_text("label;score\n1;0,9\n0;0,5\n")
    assert "'0,9' at row 0" in read_error(path)


def test_an_open_quote(tmp_path):
    path = tmp_path / "broken.csv"
    path.write_text('label,score\n1,0.9\n0,"0.5\n1,0.5\n0,0.1\n')
    assert str(path) in read_error(path)


def test_text_that_is_not_utf8_is_reported(tmp_path):
    path = tmp_path / "latin.csv"
    path.write_bytes("label,score\nà,0.9\nb,0.5\n".encode("latin-1"))
    assert "utf-8" in read_error(path, pos_label="b").lower()
    path.write_bytes(text().decode().encode("utf-16"))
    assert "utf-8" in read_error(path).lower()


@pytest.mark.parametrize(
    "line", ['{"label": 0, "sco', '{"label": 0, "score": }', "garbage", "[1, 2]"]
)
def test_a_broken_line_of_json_is_named(tmp_path, line):
    path = tmp_path / "broken.jsonl"
    good = '{"label": 1, "score": 0.5}'
    path.write_text(f'{good}\n{good}\n{line}\n{{"label": 0, "score": 0.1}}\n')
    message = read_error(path)
    assert str(path) in message
    assert "line 3" in message or "row 2" in message


def test_text_among_numbers_in_json(tmp_path):
    path = tmp_path / "text.jsonl"
    path.write_text('{"label": 1, "score": 0.5}\n{"label": 0, "score": "oops"}\n')
    assert "'oops' at row 1" in read_error(path)


def test_a_key_that_is_missing_in_json(tmp_path):
    path = tmp_path / "missing.jsonl"
    path.write_text('{"label": 1, "score": 0.5}\n{"label": 0}\n{"label": 0, "score": 0.1}\n')
    message = read_error(path)
    assert re.search("1 of 3 values of '?score", message)
    assert "row 1" in message


@pytest.mark.parametrize(
    "content",
    [
        '{"label": [1, 0], "score": [0.5, 0.2]}',
        '{"label": [1], "score": 0.5}\n{"label": [0], "score": 0.1}',
        '{"label": {"a": 1, "b": 2}, "score": 0.5}\n{"label": {"a": 2, "b": 2}, "score": 0.1}',
        '{"label": 1, "score": [0.5]}\n{"label": 0, "score": [0.1]}',
        '{"label": 1, "score": {"a": 1}}\n{"label": 0, "score": {"a": 2}}',
    ],
)
def test_nested_values(tmp_path, content):
    path = tmp_path / "nested.json"
    path.write_text(content)
    read_error(path)


# --- what is in a column


@pytest.mark.parametrize("word", ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None"])
def test_words_for_a_missing_value(tmp_path, word):
    path = tmp_path / "missing.csv"
    path.write_text(f"label,score\n1,0.9\n0,{word}\n1,0.5\n0,0.1\n")
    message = read_error(path)
    assert re.search("1 of 4 values of '?score", message)
    assert evaluated(path, nan_policy="drop") == 1.0


@pytest.mark.parametrize("words", [("true", "false"), ("True", "False"), ("TRUE", "FALSE")])
def test_truth_values(tmp_path, words):
    path = tmp_path / "bool.csv"
    path.write_text("label,score\n{0},0.9\n{1},0.5\n{0},0.5\n{1},0.1\n".format(*words))
    assert evaluated(path) == 0.875


def test_minus_zero_ties_with_zero(tmp_path):
    frame = pl.DataFrame({"label": [1, 0, 1, 0], "score": [-0.0, 0.0, 0.5, 0.25]})
    frame.write_csv(tmp_path / "zero.csv")
    frame.write_parquet(tmp_path / "zero.parquet")
    frame.write_ipc(tmp_path / "zero.arrow")
    frame.write_ndjson(tmp_path / "zero.jsonl")
    assert "-0.0" in (tmp_path / "zero.csv").read_text()
    assert [evaluated(path) for path in tmp_path.iterdir()] == [0.625] * 4


def test_infinite_scores_in_a_file(tmp_path):
    path = tmp_path / "inf.csv"
    path.write_text("label,score\n1,inf\n0,0.5\n1,0.5\n0,-inf\n")
    assert evaluated(path) == 0.875
    assert "[0, 1]" in read_error(path, measures="brier")


def test_integers_that_are_equal_in_float64(tmp_path):
    path = tmp_path / "huge.csv"
    path.write_text("label,score\n1,99999999999999999999999\n0,99999999999999999999998\n")
    assert "float64" in read_error(path)


def test_three_labels_in_a_file(tmp_path):
    path = tmp_path / "three.csv"
    path.write_text("label,score\na,0.9\nb,0.5\nc,0.5\n")
    assert "3 labels, 'a', 'b', 'c'" in read_error(path)


def test_a_column_that_does_not_exist_with_the_nearest_name(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(text())
    for given, wrong, right in (("scores", "scor", "score"), ("label", "lable", "label")):
        message = read_error(path, mm.ParameterError, **{given: wrong})
        assert f"no column '{wrong}'; did you mean '{right}'?" in message


def test_a_name_with_a_space_is_suggested_as_it_is(tmp_path):
    path = tmp_path / "space.csv"
    path.write_text("label, score\n1, 0.9\n0, 0.5\n")
    assert "did you mean ' score'?" in read_error(path, mm.ParameterError)


def test_many_columns(tmp_path):
    """Comparing each column with all others would take minutes."""
    path, names = tmp_path / "wide.csv", [f"c{number}" for number in range(20_000)]
    rows = ("0.9,1" + ",1" * 20_000, "0.5,0" + ",1" * 20_000)
    path.write_text("\n".join([",".join(["score", "label", *names]), *rows]))
    models = mm.data.read_models(path, scores="score")
    assert models.columns.label == "label"
    path.write_text("\n".join([",".join(["c7", "label", *names]), *rows]))
    assert "duplicate column 'c7' in the header" in read_error(path)


def test_a_label_has_two_values_in_all_rows(tmp_path):
    path = tmp_path / "later.csv"
    late = [2 if row == 200 else row % 2 for row in range(300)]
    columns = {"late": late, "rare": [int(row == 250) for row in range(300)], "score": SCORES}
    pl.DataFrame(columns).write_csv(path)
    assert mm.data.read_models(path, scores="score").columns.label == "rare"


def test_a_score_column_without_a_value(tmp_path):
    path = tmp_path / "nan.csv"
    path.write_text("label,score\n1,nan\n0,\n1,NA\n")
    assert "3 of 3 values of 'score' are missing" in read_error(path)


@pytest.mark.parametrize("rows", [99, 100, 101])
def test_a_label_has_two_values_besides_missing_ones(tmp_path, rows):
    path = tmp_path / "missing.csv"
    one = [None if row % 5 == 0 else "a" for row in range(rows)]
    two = [None if row % 5 == 0 else "yes" if row == rows - 2 else "no" for row in range(rows)]
    pl.DataFrame({"one": one, "two": two, "score": SCORES[:rows]}).write_csv(path)
    models = mm.data.read_models(path, scores="score", nan_policy="drop", pos_label="yes")
    assert models.columns.label == "two"


def test_a_duplicate_column_is_refused(tmp_path):
    path = tmp_path / "twice.csv"
    path.write_text("label,score,score\n1,0.9,0.1\n0,0.5,0.2\n")
    assert "duplicate column 'score'" in read_error(path)


def test_only_the_columns_asked_for_are_read(tmp_path):
    path = tmp_path / "wide.parquet"
    FRAME.with_columns(other=pl.lit("x")).write_parquet(path)
    assert evaluated(path) == AUC


# --- score tables in files


@pytest.fixture
def table():
    return mm.tabulate(LABELS, SCORES)


def test_a_table_is_the_same_after_save_and_load(tmp_path, table):
    table.save(tmp_path / "table.parquet")
    assert mm.ScoreTable.load(tmp_path / "table.parquet") == table
    assert [path.name for path in tmp_path.iterdir()] == ["table.parquet"]


def test_a_saved_table_may_be_read_by_others(tmp_path, table):
    path = tmp_path / "table.parquet"
    before = os.umask(0o022)
    try:
        table.save(path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


@pytest.mark.skipif(os.name != "posix", reason="needs permissions of POSIX")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o444])
def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path, table, mode):
    path = tmp_path / "table.parquet"
    path.write_text("before")
    path.chmod(mode)
    table.save(path)
    assert mm.ScoreTable.load(path) == table
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.skipif(os.name != "posix", reason="needs permissions of POSIX")
def test_nobody_else_sees_a_file_before_it_is_whole(tmp_path):
    with whole_file(tmp_path / "secret.txt") as stream:
        stream.write(b"half")
        assert stat.S_IMODE(Path(stream.name).parent.stat().st_mode) == 0o700
    assert (tmp_path / "secret.txt").read_text() == "half"


def test_saving_leaves_the_umask_of_other_threads_alone(tmp_path, table, monkeypatch):
    monkeypatch.setattr(os, "umask", lambda _mask: pytest.fail("other threads share it"))
    table.save(tmp_path / "table.parquet")


def test_a_table_that_does_not_exist(tmp_path):
    with pytest.raises(mm.DataError, match="file not found: "):
        mm.ScoreTable.load(tmp_path / "nosuch.parquet")


def test_a_table_that_is_cut(tmp_path, table):
    path = tmp_path / "table.parquet"
    table.save(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(mm.DataError, match="not a valid Parquet file"):
        mm.ScoreTable.load(path)


@pytest.mark.parametrize("start", [0.02, 0.3, 0.6, 0.9])
def test_a_table_with_a_hole(tmp_path, table, start):
    path = tmp_path / "table.parquet"
    table.save(path)
    path.write_bytes(damaged(path.read_bytes(), start, start + 0.05))
    with pytest.raises(mm.DataError):
        mm.ScoreTable.load(path)


@pytest.mark.parametrize("data", [b"", FORMATS["csv"], FORMATS["arrow"]])
def test_a_file_that_is_not_a_table(tmp_path, data):
    path = tmp_path / "table.parquet"
    path.write_bytes(data)
    with pytest.raises(mm.DataError, match=r"table\.parquet"):
        mm.ScoreTable.load(path)


def test_a_parquet_file_that_is_not_a_table(tmp_path):
    path = tmp_path / "table.parquet"
    path.write_bytes(FORMATS["parquet"])
    with pytest.raises(mm.DataError, match="does not contain a score table"):
        mm.ScoreTable.load(path)


@pytest.mark.parametrize(
    "metadata",
    [
        {"metameasure.score_table": "999", "shape": "2", "shared_scores": "1"},
        {"metameasure.score_table": "x", "shape": "2", "shared_scores": "1"},
        {"metameasure.score_table": "1", "shape": "3", "shared_scores": "1"},
        {"metameasure.score_table": "1", "shape": "x", "shared_scores": "1"},
        {"metameasure.score_table": "1"},
    ],
    ids=["newer", "no number", "wrong shape", "no shape", "no metadata"],
)
def test_a_table_of_another_release(tmp_path, metadata):
    path = tmp_path / "table.parquet"
    frame = pl.DataFrame({"score": [0.9, 0.1], "pos": [1.0, 0.0], "neg": [0.0, 1.0]})
    frame.write_parquet(path, metadata=metadata)
    with pytest.raises(mm.DataError, match=r"table\.parquet"):
        mm.ScoreTable.load(path)


def test_a_table_without_its_columns(tmp_path):
    path = tmp_path / "table.parquet"
    metadata = {"metameasure.score_table": "1", "shape": "2", "shared_scores": "1"}
    pl.DataFrame({"score": [0.9, 0.1]}).write_parquet(path, metadata=metadata)
    with pytest.raises(mm.DataError, match=r"table\.parquet"):
        mm.ScoreTable.load(path)


def test_a_failed_save_leaves_what_was_there(tmp_path, table, monkeypatch):
    path = tmp_path / "table.parquet"
    path.write_text("precious")

    def fail(*_arguments, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", fail)
    with pytest.raises(mm.DataError, match="No space"):
        table.save(path)
    assert path.read_text() == "precious"
    assert [entry.name for entry in tmp_path.iterdir()] == ["table.parquet"]


def test_save_into_a_folder_that_does_not_exist(tmp_path, table):
    with pytest.raises((mm.DataError, OSError)):
        table.save(tmp_path / "nosuch" / "table.parquet")
    assert not list(tmp_path.iterdir())


def test_paths_as_text(tmp_path, table):
    table.save(str(tmp_path / "table.parquet"))
    assert mm.ScoreTable.load(str(tmp_path / "table.parquet")) == table
    assert Path(tmp_path / "table.parquet").is_file()


def test_separators_in_quoted_names_separate_nothing(tmp_path):
    file = tmp_path / "p.csv"
    file.write_text('y,s,"a;b;c;d"\n1,0.9,x\n0,0.1,y\n')
    assert open_file(file).collect_schema().names() == ["y", "s", "a;b;c;d"]


@pytest.mark.parametrize("number", ["0,9", "-3,25", ",5", " 1,5e-3 "])
def test_decimal_commas_are_recognized(run, tmp_path, number):
    file = tmp_path / "commas.csv"
    file.write_text(f"label;score\n1;{number}\n0;0,2\n")
    words = rf"column 'score' has '{number}' at row 0, a number with a decimal comma"
    with pytest.raises(mm.DataError, match=words) as refused:
        mm.evaluate(file, label="label", score="score")
    assert "pass a data frame that was read with decimal commas" in str(refused.value)
    done = run("evaluate", file, "--label", "label", "--score", "score")
    assert done.err.rstrip().endswith("with a decimal comma; write decimal points")


def test_other_text_is_not_taken_for_a_decimal_comma(tmp_path):
    file = tmp_path / "words.csv"
    file.write_text("label;score\n1;high,low\n0;0.2\n")
    with pytest.raises(mm.DataError, match="which is text, not a number"):
        mm.evaluate(file, label="label", score="score")


DEEP = {"lists": b"[" * 3000 + b"]" * 3000, "objects": b'{"a":' * 3000 + b"1" + b"}" * 3000}


@pytest.mark.parametrize("kind", DEEP)
def test_json_lines_that_are_nested_too_deeply(tmp_path, kind):
    path = tmp_path / "deep.jsonl"
    path.write_bytes(b'{"label":1,"score":' + DEEP[kind] + b"}\n")
    assert "deep.jsonl cannot be read: nested more than 100 deep" in read_error(path)
    path.write_bytes(b"[" + DEEP[kind] + b"]\n")
    assert "deep.jsonl cannot be read: nested more than 100 deep" in read_error(path)


def test_brackets_in_text_are_not_nested(tmp_path):
    path = tmp_path / "text.jsonl"
    texts = ["[" * 300, '\\"{' * 300, "]"]
    lines = [{"label": 1, "score": 0.9, "note": text} for text in texts]
    path.write_text("\n".join(map(json.dumps, [*lines, {"label": 0, "score": 0.5, "note": ""}])))
    assert mm.tabulate(path, label="label", score="score").P == 3


def test_a_header_that_no_reader_takes(tmp_path):
    path = tmp_path / "header.csv"
    path.write_text("label,score," + "x" * 200_000 + "\n1,0.9,1\n0,0.5,1\n")
    assert "header.csv cannot be read: field larger than" in read_error(path)
    path.write_bytes(b"label,score,a\rb\n1,0.9,1\n0,0.5,1\n")
    assert "header.csv cannot be read: " in read_error(path)


def test_the_reason_why_a_file_cannot_be_read_is_cut(tmp_path):
    path = tmp_path / "huge.csv"
    path.write_text(f"label,score\n1,{10**400}\n0,{10**400 + 1}\n")
    message = read_error(path)
    assert "huge.csv cannot be read: could not parse" in message
    assert "0" * 201 not in message


@pytest.mark.parametrize("name", ["a\ud800b.csv", "a\x00b.csv", "x" * 5000, "x" * 5000 + "*"])
def test_a_file_name_that_cannot_be(name):
    message = read_error(name)
    assert "cannot be read: " in message
    assert "x" * 201 not in message
