"""The command line as a user meets it: results, exit codes, and never a traceback."""

import io
import json
import math
import os
import re
import stat
import subprocess
import sys

import polars as pl
import pytest

import metameasure as mm

OK, DATA, USAGE = 0, 1, 2
LABELS = [1, 0, 1, 0, 1, 0]
SCORES = [0.9, 0.5, 0.5, 0.1, 0.3, 0.2]
OTHERS = [0.6, 0.7, 0.8, 0.3, 0.4, 0.2]
WEIGHTS = [1.0, 2.0, 1.0, 3.0, 1.0, 1.0]
GROUPS = ["x", "y", "x", "y", "y", "x"]
FRAME = pl.DataFrame(
    {"label": LABELS, "score": SCORES, "other": OTHERS, "w": WEIGHTS, "site": GROUPS}
)
COLUMNS = ("--label", "label", "--score", "score")
HOSTILE = "\x1b[31m[red]<script>a|b\n`x`\x07\x9b1m[/red]\u202e"
PROGRAM = (sys.executable, "-c", "from metameasure.cli import main; main()")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "predictions.csv"
    FRAME.write_csv(path)
    return path


@pytest.fixture
def small(tmp_path):
    """A file with one possible label and one possible score."""
    path = tmp_path / "small.csv"
    FRAME.select("label", "score").write_csv(path)
    return path


def process(*arguments, **options):
    options = {"capture_output": True, "timeout": 60} | options
    done = subprocess.run([*PROGRAM, *map(str, arguments)], check=False, **options)  # noqa: S603
    errors = (done.stderr or b"").decode(errors="replace")
    assert "Traceback" not in errors
    assert "Exception ignored" not in errors
    return done


def values(text):
    """The values in a result in JSON, by model, group and measure."""
    rows = json.loads(text)["rows"]
    return {(row["model"], row["group"], row["measure"]): row["value"] for row in rows}


# --- results


def test_evaluate_gives_what_python_gives(run, file):
    done = run(
        *("evaluate", file, *COLUMNS, "--score", "other", "--weight", "w", "--group", "site"),
        *("--measures", "auc, f_measure(beta=2)@top=50%, brier", "--format", "json"),
    )
    assert (done.code, done.err) == (OK, "")
    expected = mm.evaluate(
        LABELS,
        {"score": SCORES, "other": OTHERS},
        ["auc", "f_measure(beta=2)@top=50%", "brier"],
        sample_weight=WEIGHTS,
        group=GROUPS,
    )
    assert json.loads(done.out) == json.loads(expected.to_json())
    assert {group for _, group, _ in values(done.out)} == {None, "x", "y"}


def test_all_measures(run, file):
    done = run("evaluate", file, *COLUMNS, "--measures", "all", "--format", "json")
    assert done.code == OK
    assert {measure for _, _, measure in values(done.out)} == {m.stated for m in mm.measures()}


def test_the_default_list(run, file):
    done = run("evaluate", file, *COLUMNS, "--format", "json")
    names = {measure for _, _, measure in values(done.out)}
    assert {"auc", "scored_auc", "h_measure", "ks", "brier", "log_loss", "mcc"} <= names
    assert len(names) == 10


def test_a_table_is_printed(run, file):
    done = run("evaluate", file, *COLUMNS, "--score", "other", "--measures", "auc, brier")
    assert done.code == OK
    lines = done.out.splitlines()
    assert lines[0].split() == ["measure", "score", "other"]
    words = lines[1].split()
    assert words[:2] == ["auc", "↑"]
    for place, scores in ((2, SCORES), (4, OTHERS)):
        found = mm.interval(LABELS, scores, "auc")
        assert words[place] == f"{found.value:.4f}"
        assert words[place + 1] == f"{found.low:.3f}–{found.high:.3f}"
    assert lines[2].split()[:2] == ["brier", "↓"]
    assert "6 cases, 3 positive" in done.out
    assert "\x1b" not in done.out


def test_groups_come_after_all_cases(run, file):
    done = run("evaluate", file, *COLUMNS, "--group", "site", "--measures", "auc")
    titles = re.findall(r"^(all cases|.*\bx|.*\by)$", done.out, flags=re.MULTILINE)
    assert [title.split()[-1] for title in titles] == ["cases", "x", "y"]


def test_json_has_nothing_but_json_on_standard_output(run, small):
    done = run("evaluate", small, "--format", "json", "--measures", "auc")
    assert values(done.out) == {("score", None, "auc"): mm.auc(LABELS, SCORES)}
    assert "took label as the label and score as the score" in done.err


def test_json_writes_the_infinite_and_the_undefined(run, tmp_path):
    path = tmp_path / "certain.csv"
    path.write_text("label,score\n1,0\n1,0.5\n")
    done = run("evaluate", path, *COLUMNS, "--measures", "log_loss, auc", "--format", "json")
    assert done.code == OK
    assert "NaN" not in done.out
    loss, area = json.loads(done.out)["rows"]
    assert (loss["measure"], loss["value"], loss["infinite"]) == ("log_loss", None, "+")
    assert (area["measure"], area["value"]) == ("auc", None)
    assert "infinite" not in area
    (undefined,) = json.loads(done.out)["undefined"]
    assert (undefined["measure"], undefined["reason"]) == ("auc", "a class is empty")
    assert "UndefinedMeasureWarning" not in done.err


def test_csv_parses_back(run, file):
    arguments = ("evaluate", file, *COLUMNS, "--group", "site", "--measures", "auc, brier")
    frame = pl.read_csv(io.StringIO(run(*arguments, "--format", "csv").out))
    rows = frame.select("model", "group", "measure", "value").rows()
    expected = values(run(*arguments, "--format", "json").out)
    assert {(model, group, measure): value for model, group, measure, value in rows} == expected


def test_csv_keeps_the_undefined_and_the_infinite_apart(run, tmp_path):
    path = tmp_path / "certain.csv"
    path.write_text("label,score\n1,0\n1,0.5\n")
    done = run("evaluate", path, *COLUMNS, "--measures", "log_loss, auc", "--format", "csv")
    infinite, undefined = pl.read_csv(
        io.StringIO(done.out), schema_overrides={"value": pl.Float64}
    )["value"]
    assert infinite == math.inf
    assert undefined is None or math.isnan(undefined)


def test_markdown(run, file):
    done = run("evaluate", file, *COLUMNS, "--measures", "auc", "--format", "markdown")
    assert done.out.splitlines()[:2] == ["| measure | score |", "| --- | ---: |"]


def test_what_was_left_out_and_why(run, tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("label,score\n1,9\n0,5\n1,5\n0,-1\n")
    done = run("evaluate", path, *COLUMNS)
    assert done.code == OK
    assert re.search(r"left out for score, since it needs scores in \[0, 1\]:.*brier", done.out)
    done = run("evaluate", path, *COLUMNS, "--format", "json")
    assert "brier" in {item["measure"] for item in json.loads(done.out)["left_out"]}
    done = run("evaluate", path, *COLUMNS, "--measures", "brier")
    assert done.code == DATA
    assert "--rescale minmax" in done.err
    done = run("evaluate", path, *COLUMNS, "--measures", "brier", "--rescale", "minmax")
    assert done.code == OK


def test_dropped_cases_are_counted(run, tmp_path):
    path = tmp_path / "missing.csv"
    path.write_text("label,score\n1,0.9\n0,NA\n1,0.5\n,0.3\n0,0.1\n")
    arguments = ("evaluate", path, *COLUMNS, "--measures", "auc", "--nan-policy", "drop")
    assert "3 cases, 2 positive, 2 left out for missing values" in run(*arguments).out
    (row,) = json.loads(run(*arguments, "--format", "json").out)["rows"]
    assert (row["n"], row["dropped"]) == (3, 2)


def test_standard_input(run):
    done = run("evaluate", "-", "--format", "json", "--measures", "auc", *COLUMNS, stdin=b"")
    assert done.code == DATA
    assert "standard input is empty" in done.err
    data = FRAME.write_csv().encode()
    done = run("evaluate", "-", "--format", "json", "--measures", "auc", *COLUMNS, stdin=data)
    assert values(done.out) == {("score", None, "auc"): mm.auc(LABELS, SCORES)}


# --- which columns, which label


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        (["label", "score"], (), "took label as the label and score as the score"),
        (["label", "score", "other"], ("--score", "other"), "took label as the label"),
        (["label", "score", "site"], ("--label", "label"), "score as the score"),
        (
            ["label", "score", "w", "site"],
            ("--weight", "w", "--group", "site"),
            "took label as the label and score as the score",
        ),
    ],
)
def test_the_only_possible_columns_are_taken_and_reported(run, tmp_path, columns, options, message):
    path = tmp_path / "some.csv"
    FRAME.select(columns).write_csv(path)
    done = run("evaluate", path, *options, "--measures", "auc")
    assert done.code == OK
    assert message in done.err
    assert "took" not in done.out


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        (["label", "score", "site"], (), "2 columns can be the label: 'label', 'site'"),
        (["label", "score", "other"], (), "2 columns can be the score: 'score', 'other'"),
        (["score", "other"], (), "no column can be the label"),
        (
            ["label", "site", "w"],
            ("--label", "label", "--weight", "w"),
            "no column can be the score",
        ),
    ],
)
def test_nothing_is_guessed_among_several(run, tmp_path, columns, options, message):
    path = tmp_path / "some.csv"
    FRAME.select(columns).write_csv(path)
    done = run("evaluate", path, *options)
    assert (done.code, done.out) == (DATA, "")
    assert message in done.err
    assert re.search(r"--(label|score)", done.err)


@pytest.mark.parametrize(
    ("given", "near"),
    [
        (("--label", "lable", "--score", "score"), "label"),
        (("--label", "label", "--score", "scores"), "score"),
        ((*COLUMNS, "--score", "othr"), "other"),
        ((*COLUMNS, "--weight", "W"), "w"),
        ((*COLUMNS, "--group", "sit"), "site"),
    ],
)
def test_a_column_that_does_not_exist_with_the_nearest_name(run, file, given, near):
    done = run("evaluate", file, *given)
    assert done.code == USAGE
    assert "there is no column" in done.err
    assert f"'{near}'" in done.err


def with_labels(path, positive, negative, **options):
    labels = [positive if label else negative for label in LABELS]
    pl.DataFrame({"label": labels, "score": SCORES}, **options).write_parquet(path)


@pytest.mark.parametrize(
    ("positive", "negative", "text"),
    [
        ("yes", "no", "yes"),
        ("1", "0", "1"),
        (1, 0, "1"),
        (2, 1, "2"),
        (0, 1, "0"),
        (-1, 1, "-1"),
        (1.5, 0.5, "1.5"),
        (True, False, "true"),
        (True, False, "True"),
        (False, True, "false"),
        (True, False, "1"),
    ],
)
def test_the_positive_label_as_text(run, tmp_path, positive, negative, text):
    path = tmp_path / "labels.parquet"
    with_labels(path, positive, negative)
    arguments = ("evaluate", path, *COLUMNS, "--measures", "auc", "--format", "json")
    done = run(*arguments, f"--pos-label={text}")
    assert done.code == OK
    assert values(done.out) == {("score", None, "auc"): mm.auc(LABELS, SCORES)}


@pytest.mark.parametrize("kind", [pl.Categorical, pl.Enum(["no", "yes"])], ids=str)
def test_the_positive_label_of_a_categorical(run, tmp_path, kind):
    path = tmp_path / "labels.parquet"
    with_labels(path, "yes", "no", schema_overrides={"label": kind})
    done = run("evaluate", path, *COLUMNS, "--pos-label", "yes", "--measures", "auc")
    assert done.code == OK
    assert f"{mm.auc(LABELS, SCORES):.4f}" in done.out


@pytest.mark.parametrize(("positive", "negative"), [("yes", "no"), (2, 1)])
def test_other_labels_ask_for_the_positive_one(run, tmp_path, positive, negative):
    path = tmp_path / "labels.parquet"
    with_labels(path, positive, negative)
    done = run("evaluate", path, *COLUMNS)
    assert (done.code, done.out) == (DATA, "")
    assert re.search(rf"--pos-label '?{positive}'?", done.err)
    assert "pos_label" not in done.err


@pytest.mark.parametrize(
    ("positive", "negative", "text"),
    [("yes", "no", "maybe"), (1, 0, "yes"), (1, 0, "7"), (1, 0, "nan"), (True, False, "yes")],
)
def test_a_positive_label_that_is_not_there(run, tmp_path, positive, negative, text):
    path = tmp_path / "labels.parquet"
    with_labels(path, positive, negative)
    done = run("evaluate", path, *COLUMNS, "--pos-label", text)
    assert (done.code, done.out) == (USAGE, "")
    assert "--pos-label" in done.err
    assert text in done.err


# --- exit codes


BROKEN = {
    "empty.csv": b"",
    "header.csv": b"label,score\n",
    "fields.csv": b"label,score\n1,0.9\n0,0.5,1,2\n",
    "text.csv": b"label,score\n1,0.9\n0,oops\n",
    "missing.csv": b"label,score\n1,0.9\n0,\n",
    "three.csv": b"label,score\n1,0.9\n0,0.5\n2,0.1\n",
    "words.csv": b"label,score\nyes,0.9\nno,0.5\n",
    "garbage.csv": bytes(range(256)) * 4,
    "zeros.csv": bytes(500),
    "line.jsonl": b'{"label": 1, "score": 0.9}\n{"label": 0, "sco\n',
    "nested.jsonl": b'{"label": [1], "score": 0.9}\n{"label": [0], "score": 0.1}\n',
    "huge.csv": b"label,score\n1,99999999999999999999999\n0,1\n",
    "broken.csv.gz": b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + bytes(range(200)),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("columns", [COLUMNS, ()], ids=["named", "guess"])
def test_broken_data_end_with_1_and_write_nothing(run, tmp_path, name, columns):
    path, output = tmp_path / name, tmp_path / "out.json"
    path.write_bytes(BROKEN[name])
    done = run("evaluate", path, *columns, "-o", output)
    assert (done.code, done.out) == (DATA, "")
    assert done.err.splitlines()[-1].startswith("error: ")
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(("writer", "name"), [("write_parquet", "parquet"), ("write_ipc", "arrow")])
def test_binary_files_cut_in_half(run, tmp_path, writer, name):
    path = tmp_path / f"cut.{name}"
    getattr(FRAME, writer)(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    done = run("evaluate", path, *COLUMNS)
    assert (done.code, done.out) == (DATA, "")
    assert "is incomplete or corrupt" in done.err


def test_a_parquet_file_with_a_hole(run, tmp_path):
    path = tmp_path / "hole.parquet"
    FRAME.write_parquet(path)
    data = bytearray(path.read_bytes())
    data[8:60] = b"\xff" * 52
    path.write_bytes(data)
    done = run("evaluate", path, *COLUMNS)
    assert (done.code, done.out) == (DATA, "")
    assert "cannot be read" in done.err


@pytest.mark.parametrize("name", ["nosuch.csv", ".", "x" * 300], ids=["none", "folder", "long"])
def test_what_is_not_a_file(run, tmp_path, name):
    done = run("evaluate", tmp_path / name, *COLUMNS)
    assert (done.code, done.out) == (DATA, "")
    assert done.err.startswith("error: ")


@pytest.mark.parametrize(
    "measures",
    [
        "acu",
        "auc, acu",
        "",
        ",",
        "auc@0.3",
        "accuracy@top=200%",
        "accuracy@size=3",
        "accuracy@",
        "accuracy@nan",
        "ece(bins=0)",
        "ece(bins=inf)",
        "f_measure(bta=2)",
        "f_measure(beta=2",
        "auc(self=1)",
        "partial_auc(fpr=(0.5,0.1))",
        "[/red]",
    ],
)
def test_a_measure_that_is_not_understood_ends_with_2(run, file, measures):
    done = run("evaluate", file, *COLUMNS, "--measures", measures)
    assert (done.code, done.out) == (USAGE, "")
    assert done.err.startswith("error: ")


def test_the_measures_are_judged_before_the_file(run, tmp_path):
    assert run("evaluate", tmp_path / "nosuch.csv", "--measures", "acu").code == USAGE


def test_an_unknown_measure_with_the_nearest_name(run, file):
    assert "did you mean auc" in run("evaluate", file, *COLUMNS, "--measures", "acu").err


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("nosuch",),
        ("[/red]",),
        ("evaluate",),
        ("evaluate", "FILE", "--nosuch"),
        ("evaluate", "FILE", "--label"),
        ("evaluate", "FILE", "--format", "xml"),
        ("evaluate", "FILE", "--format", "[/red]"),
        ("evaluate", "FILE", "--nan-policy", "omit", *COLUMNS),
        ("evaluate", "FILE", "--nan-policy", "[/red]", *COLUMNS),
        ("evaluate", "FILE", "--rescale", "z", *COLUMNS),
        ("evaluate", "FILE", "FILE"),
        ("measures", "nosuch"),
        ("measures", "--family", "nosuch"),
        ("measures", "accuracy@top=200%"),
        ("measures", "auc(self=1)"),
        ("demo", "extra"),
    ],
    ids=" ".join,
)
def test_usage_errors_end_with_2(run, file, arguments):
    done = run(*(file if argument == "FILE" else argument for argument in arguments))
    assert done.code == USAGE
    assert not arguments or done.out == ""


def test_remedies_are_options_here(run, tmp_path):
    path = tmp_path / "missing.csv"
    path.write_text("outcome,score,w\n1,0.9,1\n,0.5,1\n0,0.3,-1\n")
    columns = ("--label", "outcome", "--score", "score")
    done = run("evaluate", path, *columns)
    assert done.code == DATA
    assert "--nan-policy drop" in done.err
    assert "nan_policy" not in done.err


def test_errors_speak_of_the_columns_of_the_file(run, tmp_path):
    """A user of the command line has never heard of y_true and sample_weight."""
    path = tmp_path / "missing.csv"
    path.write_text("outcome,score,w\n1,0.9,1\n,0.5,1\n0,0.3,-1\n")
    columns = ("--label", "outcome", "--score", "score")
    done = run("evaluate", path, *columns)
    assert "outcome" in done.err
    assert "y_true" not in done.err
    done = run("evaluate", path, *columns, "--weight", "w", "--nan-policy", "drop")
    assert done.code == DATA
    assert "sample_weight" not in done.err


# --- files that are written


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("out.json", '{\n  "rows"'),
        ("out.JSON", '{\n  "rows"'),
        ("out.csv", "model,group,label,measure"),
        ("out.md", "| measure | score |"),
        ("out.txt", "measure"),
        ("out", "measure"),
    ],
)
def test_a_file_gets_what_its_name_ends_in(run, file, tmp_path, name, start):
    output = tmp_path / "results" / name
    output.parent.mkdir()
    done = run("evaluate", file, *COLUMNS, "--measures", "auc", "-o", output)
    assert (done.code, done.out, done.err) == (OK, "", "")
    assert output.read_text(encoding="utf-8").startswith(start)
    assert output.read_text(encoding="utf-8").endswith("\n")
    assert os.listdir(output.parent) == [name]  # noqa: PTH208


def test_a_chosen_format_counts_more_than_the_name(run, file, tmp_path):
    output = tmp_path / "out.csv"
    run("evaluate", file, *COLUMNS, "--measures", "auc", "-o", output, "--format", "json")
    assert values(output.read_text())


def test_an_error_leaves_an_old_file_as_it_was(run, tmp_path):
    output = tmp_path / "out.json"
    output.write_text("precious")
    assert run("evaluate", tmp_path / "nosuch.csv", "-o", output).code == DATA
    assert output.read_text() == "precious"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.json"]


@pytest.mark.parametrize("where", ["nosuch/out.json", ".", "predictions.csv/out.json"])
@pytest.mark.parametrize("command", ["evaluate", "measures", "demo"])
def test_where_nothing_can_be_written(run, file, tmp_path, where, command):
    arguments = {
        "evaluate": ("evaluate", file, *COLUMNS, "--measures", "auc", "-o"),
        "measures": ("measures", "-o"),
        "demo": ("demo", "--save"),
    }[command]
    done = run(*arguments, tmp_path / where)
    assert done.code == DATA
    assert "cannot be written" in done.err
    assert [entry.name for entry in tmp_path.iterdir()] == ["predictions.csv"]


@pytest.mark.usefixtures("permissions_count")
def test_a_folder_that_may_not_be_written(run, file, tmp_path):
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    done = run("evaluate", file, *COLUMNS, "-o", folder / "out.json")
    assert done.code == DATA
    assert "Permission denied" in done.err
    assert not list(folder.iterdir())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_or_device_is_not_replaced_by_a_file(run, file, tmp_path):
    """As in ``-o /dev/stdout``, and as root ``-o /dev/null``."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        done = run("evaluate", file, *COLUMNS, "--measures", "auc", "-o", pipe)
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        assert done.code == OK
        assert os.read(reader, 7) == b"measure"
    finally:
        os.close(reader)


# --- hostile names


@pytest.fixture
def hostile(tmp_path):
    path = tmp_path / "hostile.parquet"
    labels = [f"yes{HOSTILE}" if label else f"no{HOSTILE}" for label in LABELS]
    sites = [HOSTILE if site == "x" else site for site in GROUPS]
    pl.DataFrame({"label": labels, HOSTILE: SCORES, "site": sites}).write_parquet(path)
    return path


def hostile_arguments(path, *more):
    return (
        *("evaluate", path, "--label", "label", "--score", HOSTILE, "--group", "site"),
        *("--pos-label", f"yes{HOSTILE}", "--measures", "auc, brier", *more),
    )


def assert_harmless(text):
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


def test_hostile_names_in_a_table(run, hostile):
    done = run(*hostile_arguments(hostile))
    assert done.code == OK
    assert_harmless(done.out)
    header = [line for line in done.out.splitlines() if line.startswith("measure ")]
    assert len(header) == 3
    assert all("[red]<script>a|b" in line and "[/red]" in line for line in header)


def test_hostile_names_in_markdown(run, hostile):
    done = run(*hostile_arguments(hostile, "--format", "markdown"))
    assert done.code == OK
    assert_harmless(done.out)
    assert "<script" not in done.out
    assert "[red]" not in done.out
    tables = [line for line in done.out.splitlines() if line.startswith("|")]
    assert tables
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in tables} == {3}


@pytest.mark.parametrize("form", ["json", "csv"])
def test_hostile_names_are_kept_as_data(run, hostile, form):
    done = run(*hostile_arguments(hostile, "--format", form))
    assert done.code == OK
    if form == "json":
        assert not re.search(r"[\x00-\x09\x0b-\x1f]", done.out)
        rows = [(row["model"], row["group"]) for row in json.loads(done.out)["rows"]]
    else:
        rows = pl.read_csv(io.StringIO(done.out)).select("model", "group").rows()
    assert set(rows) == {(HOSTILE, None), (HOSTILE, HOSTILE), (HOSTILE, "y")}


def hostile_evaluation(path):
    return mm.evaluate(
        pl.read_parquet(path),
        label="label",
        scores=HOSTILE,
        group="site",
        measures="auc",
        pos_label=f"yes{HOSTILE}",
    )


def test_hostile_names_in_a_notebook(hostile):
    page = hostile_evaluation(hostile)._repr_html_()
    assert_harmless(page)
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_hostile_names_in_rich(hostile):
    from rich.console import Console

    stream = io.StringIO()
    Console(file=stream, width=200, color_system=None).print(hostile_evaluation(hostile))
    assert_harmless(stream.getvalue())
    assert "[red]<script>a|b" in stream.getvalue()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--label", "label", "--score", HOSTILE), DATA),
        (("--label", HOSTILE), DATA),
        (("--label", f"x{HOSTILE}"), USAGE),
        (("--label", "label", "--score", "site"), DATA),
        (("--label", "label", "--score", HOSTILE, "--pos-label", HOSTILE), USAGE),
        ((), DATA),
    ],
)
def test_hostile_names_in_errors(run, hostile, options, code):
    done = run("evaluate", hostile, *options)
    assert done.code == code
    assert_harmless(done.err)
    assert done.err.splitlines()[-1].startswith("error: ")


@pytest.mark.parametrize(
    "arguments",
    [("evaluate", HOSTILE), ("measures", HOSTILE), ("evaluate", "-", "--measures", HOSTILE)],
)
def test_hostile_arguments(run, arguments):
    done = run(*arguments)
    assert done.code in {DATA, USAGE}
    assert_harmless(done.err)


def test_hostile_names_in_what_was_taken(run, tmp_path):
    path = tmp_path / "names.parquet"
    pl.DataFrame({f"y{HOSTILE}": LABELS, HOSTILE: SCORES}).write_parquet(path)
    done = run("evaluate", path, "--measures", "auc")
    assert done.code == OK
    assert_harmless(done.out + done.err)
    assert "took" in done.err


def test_hostile_names_in_the_notes(run, tmp_path):
    path = tmp_path / "notes.parquet"
    scores = [9.0, 5.0, 5.0, 1.0, 3.0, 2.0]
    pl.DataFrame({"label": LABELS, HOSTILE: scores, "g": [HOSTILE] * 6}).write_parquet(path)
    done = run("evaluate", path, "--label", "label", "--score", HOSTILE, "--group", "g")
    assert "left out for" in done.out
    assert_harmless(done.out)


# --- the other commands


def test_version(run):
    assert run("--version") == (OK, f"metameasure {mm.__version__}\n", "")


@pytest.mark.parametrize("command", [(), ("evaluate",), ("measures",), ("demo",)])
def test_help(run, command):
    done = run(*command, "--help")
    assert (done.code, done.err) == (OK, "")
    assert "Usage" in done.out


def test_a_column_whose_name_has_a_comma(run, tmp_path):
    path = tmp_path / "d.csv"
    scores = {"a,b": [0.9, 0.2, 0.4], "a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1]}
    pl.DataFrame({"y": [1, 0, 1], **scores}).write_csv(path)

    def models(*words):
        done = run("evaluate", path, "-l", "y", "--measures", "auc", "--format", "json", *words)
        return [row["model"] for row in json.loads(done.out)["rows"]]

    assert models("-s", "a,b") == ["a,b"]
    assert models("-s", "b, a") == ["b", "a"]
    assert models("-s", "a,b", "-s", "b") == ["a,b", "b"]
    assert "--score: there is no column 'c'" in run("evaluate", path, "-l", "y", "-s", "a,c").err


def test_measures_lists_all(run):
    done = run("measures")
    assert done.code == OK
    names = [m.name for m in mm.measures(subject="all")]
    assert [line.split()[0] for line in done.out.splitlines()] == ["measure", *names]


def test_measures_of_a_family(run):
    done = run("measures", "--family", "scored")
    assert {line.split()[0] for line in done.out.splitlines()[1:]} == {
        measure.name for measure in mm.measures("scored")
    }


def test_the_families_are_choices_of_the_help(run):
    families = sorted({measure.family for measure in mm.measures(subject="all")})
    text = re.sub(r"[│\s]+", " ", run("measures", "--help").out)
    assert f"[choices: {', '.join(families)}]" in text


@pytest.mark.parametrize("measure", mm.measures(subject="all"), ids=str)
def test_one_measure_in_full(run, measure):
    done = run("measures", measure.name)
    assert done.code == OK
    assert done.out.splitlines()[0].split() == ["measure", measure.name]
    facts = {line.split("  ")[0] for line in done.out.splitlines()[1:]}
    assert {"meaning", "formula", "better", "range", "reference"} <= facts
    assert measure.declaration.summary in done.out
    assert "\\" not in done.out
    assert "{" not in done.out


def test_an_alias_is_shown_as_its_measure(run):
    assert run("measures", "roc_auc").out == run("measures", "auc").out


def test_an_unknown_measure(run):
    done = run("measures", "aucc")
    assert (done.code, done.out) == (USAGE, "")
    assert "did you mean auc" in done.err


def test_measures_in_other_formats(run, tmp_path):
    names = [measure.name for measure in mm.measures(subject="all")]
    listed = json.loads(run("measures", "--format", "json").out)
    assert [record["name"] for record in listed["rows"]] == names
    (one,) = json.loads(run("measures", "auc", "--format", "json").out)["rows"]
    assert one["name"] == "auc"
    frame = pl.read_csv(io.StringIO(run("measures", "--format", "csv").out))
    assert frame["name"].to_list() == names
    lines = run("measures", "--format", "markdown").out.splitlines()
    assert len(lines) == len(names) + 2
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1
    run("measures", "-o", tmp_path / "list.json")
    assert json.loads((tmp_path / "list.json").read_text()) == listed


def test_demo(run):
    done = run("demo")
    assert done.code == OK
    assert done.err == ""
    assert done.out.startswith("Six models, 1528 handwritten digits")
    for text in ("do not agree on the best model:", "Are the differences", "Which measure should"):
        assert text in done.out
    header = next(line for line in done.out.splitlines() if line.startswith("measure  "))
    assert header.split()[1:] == ["tree", "naive_bayes", "logistic", "knn", "forest", "boosting"]
    assert {"auc", "h_measure", "mcc"} <= {line.split()[0] for line in done.out.splitlines()}


def test_demo_in_json_is_only_json(run):
    done = run("demo", "--format", "json")
    assert done.err.startswith("Six models")
    assert len({row["model"] for row in json.loads(done.out)["rows"]}) == 6


def test_demo_writes_its_evaluation_to_a_file(run, tmp_path):
    assert run("demo", "-o", tmp_path / "demo.json").code == 0
    assert json.loads((tmp_path / "demo.json").read_text())["rows"][0]["model"] == "tree"


def test_demo_saves_what_can_be_evaluated_as_it_says(run, tmp_path):
    path = tmp_path / "demo.csv"
    done = run("demo", "--save", path)
    assert done.code == OK
    advice = done.err.split("try: metameasure ")[1].split()
    assert str(path) in advice
    again = run(*advice)
    assert again.code == OK
    assert "auc" in again.out


# --- terminals and pipes


def test_as_a_process(small):
    done = process("evaluate", small, "--measures", "auc", "--format", "json")
    assert done.returncode == OK
    assert values(done.stdout) == {("score", None, "auc"): mm.auc(LABELS, SCORES)}
    done = process("evaluate", small, "--label", "nosuch")
    assert (done.returncode, done.stdout) == (USAGE, b"")


@pytest.mark.skipif(os.name != "posix", reason="needs pipes that break")
@pytest.mark.parametrize("arguments", [("measures",), ("demo",), ("measures", "--format", "json")])
def test_a_reader_that_has_gone(arguments):
    """As ``| head -1``: no message and no error."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = process(*arguments, capture_output=False, stdout=writer, stderr=subprocess.PIPE)
    finally:
        os.close(writer)
    assert b"Error" not in done.stderr
    assert b"error" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
@pytest.mark.parametrize("command", ["evaluate", "measures"])
def test_an_output_that_has_no_arrows(small, encoding, command):
    """As a pipe has on Windows, and any terminal in an old locale."""
    arguments = ("evaluate", small, "--measures", "auc") if command == "evaluate" else (command,)
    done = process(*arguments, env=os.environ | {"PYTHONIOENCODING": encoding})
    assert done.returncode == OK
    assert b"auc" in done.stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110
def test_a_disk_that_is_full(small):
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        done = process(
            *("evaluate", small, "--measures", "auc"),
            capture_output=False,
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert done.returncode == DATA
    assert b"error: " in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs descriptors that can be closed")
def test_standard_input_that_is_closed():
    code = "import os, sys; os.close(0); sys.stdin = None; from metameasure.cli import main; main()"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code, "evaluate", "-"], capture_output=True, timeout=60, check=False
    )
    assert done.returncode == DATA
    assert b"Traceback" not in done.stderr
    assert b"standard input" in done.stderr


def in_terminal(*arguments, columns, term="xterm-256color"):
    """The exit code, and what a terminal of this width shows."""
    import pty

    terminal, end = pty.openpty()
    environment = os.environ | {"TERM": term, "COLUMNS": columns}
    environment.pop("NO_COLOR", None)
    try:
        done = process(
            *arguments,
            capture_output=False,
            stdout=end,
            stderr=subprocess.PIPE,
            env=environment,
        )
        return done.returncode, os.read(terminal, 100_000).decode()
    finally:
        os.close(end)
        os.close(terminal)


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("columns", ["0", "1", "20"])
def test_a_narrow_terminal_loses_no_number(tmp_path, columns):
    path = tmp_path / "p.csv"
    path.write_text("y,s\n1,0.9\n0,0.2\n1,0.7\n0,0.8\n")
    arguments = ("evaluate", path, "--label", "y", "--score", "s", "--measures", "auc")
    code, shown = in_terminal(*arguments, columns=columns, term="dumb")
    found = mm.evaluate([1, 0, 1, 0], [0.9, 0.2, 0.7, 0.8], "auc").rows[0]
    assert code == OK
    for number in ("0.7500", f"{found.low:.3f}", f"{found.high:.3f}"):
        assert number in shown


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_a_terminal_gets_a_rich_table_without_hostile_codes(hostile):
    code, shown = in_terminal(*hostile_arguments(hostile), columns="200")
    assert code == OK
    assert "━" in shown or "─" in shown
    assert "\x1b[31m[red]" not in shown
    assert "\\x1b[31m[red]<script>a|b" in shown


# --- several classes


@pytest.fixture
def animals(tmp_path):
    path = tmp_path / "animals.csv"
    rows = ["kind,cat,dog,fox"]
    for number in range(60):
        kind = ("cat", "dog", "fox")[number % 3]
        shares = [0.2 + 0.4 * (kind == name) + 0.01 * (number % 7) for name in ("cat", "dog")]
        rows.append(f"{kind},{shares[0]:.2f},{shares[1]:.2f},{1 - sum(shares):.2f}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_probabilities_of_several_classes(run, animals):
    done = run(
        *("evaluate", animals, "--label", "kind", "--proba", "cat", "dog", "fox"),
        *("--resamples", "200", "--format", "json"),
    )
    assert done.code == OK
    found = values(done.out)
    assert ("model", None, "hand_till_auc") in found
    assert {row["label"] for row in json.loads(done.out)["rows"]} == {None, "cat", "dog", "fox"}


def test_predicted_labels_of_several_models(run, tmp_path):
    path = tmp_path / "guesses.csv"
    frame = pl.DataFrame({"kind": list("abcabc"), "p": list("abcabb"), "q": list("abccba")})
    frame.write_csv(path)
    options = ("--label", "kind", "--predicted", "p,q")
    done = run("evaluate", path, *options, "--format", "json")
    assert done.code == OK
    found = {(row["model"], row["measure"]): row["value"] for row in json.loads(done.out)["rows"]}
    assert found["p", "accuracy"] == pytest.approx(5 / 6)
    assert found["q", "accuracy"] == pytest.approx(4 / 6)
    done = run("compare", path, *options, "--measures", "accuracy, kappa", "--format", "json")
    assert [row["method"] for row in json.loads(done.out)["rows"]] == ["delta", "delta"]
    done = run("evaluate", path, "--label", "kind", "--predicted", "x")
    assert (done.code, "there is no column 'x'" in done.err) == (USAGE, True)
    done = run("evaluate", path, "--predicted", "p")
    assert (done.code, "--predicted needs the column" in done.err) == (USAGE, True)


def test_probabilities_exclude_scores_of_two_classes(run, animals):
    done = run("evaluate", animals, "--label", "kind", "--proba", "cat", "dog", "--score", "fox")
    assert done.code == USAGE
    assert "does not apply to class columns; remove it or --proba" in done.err


def test_a_class_without_a_column(run, animals):
    done = run("evaluate", animals, "--label", "kind", "--proba", "cat", "dog")
    assert done.code == DATA
    assert "columns for the labels 'cat', 'dog' but not for 'fox'" in done.err
    assert done.err.endswith("name the class of each column with --labels\n")


def test_probabilities_are_not_rescaled(run, animals):
    done = run(
        *("evaluate", animals, "--label", "kind", "--proba", "cat", "dog", "fox"),
        *("--rescale", "minmax"),
    )
    assert done.code == USAGE
    assert "does not apply to several classes; remove it or --proba" in done.err


@pytest.fixture
def numbered(tmp_path):
    """Right probabilities under correct, uninformative and misleading names."""
    path = tmp_path / "numbered.csv"
    rows = ["y,z,true_y,p0,p1,p2,u,v,w,true,false,site"]
    for number in range(30):
        y = number % 3
        shares = [0.6 if y == c else 0.2 for c in range(3)]
        both = (0.8, 0.2) if y == 1 else (0.2, 0.8)
        truth = str(y == 1).lower()
        rows.append(",".join(map(str, [y, y + 1, truth, *shares, *shares, *both, number // 2])))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "options",
    [
        ("--label", "y", "--proba", "p2", "p1", "p0"),
        ("--label", "true_y", "--proba", "true", "false"),
        ("--label", "z", "--proba", "u", "v", "w", "--labels", "1", "2", "3"),
        ("--label", "z", "--labels", "3", "1", "2", "--proba", "w", "u", "v"),
        ("--label", "z", "--proba", "p0", "p1", "p2", "--labels", "1", "2", "3"),
    ],
)
def test_columns_are_of_the_class_that_is_meant(run, numbered, options):
    done = run("evaluate", numbered, *options, "--no-ci", "--measures", "accuracy")
    assert (done.code, done.err) == (OK, "")
    assert "1.0000" in done.out
    assert "MM16" not in done.out


def test_labels_may_be_negative(run, tmp_path):
    path = tmp_path / "signs.csv"
    path.write_text("y,u,v\n-1,0.9,0.1\n1,0.2,0.8\n-1,0.6,0.4\n")
    done = run(
        *("evaluate", "--label", "y", "--no-ci", "--measures", "accuracy", "--proba", "v", "u"),
        *("--labels", "1", "-1", "--", path),
    )
    assert done.code == OK
    assert "1.0000" in done.out


def test_columns_with_uninformative_names_are_taken_in_order_and_reported(run, numbered):
    arguments = ("evaluate", numbered, "--label", "y", "--proba", "u", "v", "w", "--no-ci")
    for form in ("table", "json", "csv", "markdown"):
        done = run(*arguments, "--format", form)
        assert done.code == OK
        assert "took u as 0, v as 1, w as 2" in done.err
        assert ("took u as 0" in done.out) == (form != "csv")


def test_columns_that_mislead_are_refused(run, numbered):
    done = run("evaluate", numbered, "--label", "z", "--proba", "p0", "p1", "p2")
    assert (done.code, done.out) == (DATA, "")
    assert "not for 3" in done.err
    assert done.err.endswith("name the class of each column with --labels\n")


def test_the_file_may_come_last(run, animals, monkeypatch):
    expected = run(
        "evaluate", animals, "--label", "kind", "--no-ci", "--proba", "cat", "dog", "fox"
    )
    assert expected.code == OK
    for words in (
        ("--label", "kind", "--no-ci", "--proba", "cat,dog,fox", "--", animals),
        ("--label", "kind", "--no-ci", "--proba", "cat", "dog", "fox", "--", animals),
        ("--label", "kind", "--proba", "cat", "dog", "fox", "--no-ci", animals),
        ("--proba", "cat", "--proba", "dog,fox", "--no-ci", "--label", "kind", animals),
        ("--no-ci", animals, "--label=kind", "--proba", "cat", "dog", "fox"),
    ):
        done = run("evaluate", *words)
        assert (done.code, done.out) == (OK, expected.out)
    # A column may have the name of a file.
    monkeypatch.chdir(animals.parent)
    (animals.parent / "fox").write_text("")
    done = run("evaluate", animals, "--label", "kind", "--no-ci", "--proba", "cat", "dog", "fox")
    assert done.out == expected.out
    done = run("evaluate", "--label", "kind", "--proba", "cat", "dog", "fox", "--", "nosuch.csv")
    assert done.code == DATA
    assert "nosuch.csv" in done.err
    for last in ("dog", "x" * 300, animals):
        done = run("evaluate", "--label", "kind", "--proba", "cat", last)
        assert done.code == USAGE
        assert "FILE" in done.err


def test_clusters_of_several_classes(run, numbered):
    arguments = ("evaluate", numbered, "--label", "y", "--proba", "p0", "p1", "p2")
    chosen = ("--measures", "brier", "--format", "json", "--resamples", "300")
    row = json.loads(run(*arguments, *chosen, "--cluster", "site").out)["rows"][0]
    frame = pl.read_csv(numbered)
    expected = mm.evaluate(
        frame, label="y", proba=["p0", "p1", "p2"], measures="brier", cluster="site", resamples=300
    ).rows[0]
    assert (row["low"], row["high"]) == (expected.low, expected.high)


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--proba", "p0", "p1", "p2"), USAGE, "name it with --label"),
        (("--label", "y", "--proba", "p0"), USAGE, "--proba must be a list of two or more columns"),
        (("--label", "y", "--score", "p0"), DATA, "all classes to metameasure evaluate --proba"),
        (("--label", "y", "--score", "p0", "--labels", "0"), USAGE, "--labels names the classes"),
        (("--label", "Y", "--proba", "u", "v", "--labels", "0", "1"), USAGE, "no column 'Y'"),
        (("--label", "y", "--proba", "u", "v", "w", "--labels", "a", "b", "c"), USAGE, "--labels:"),
        (
            ("--label", "true_y", "--score", "true", "--measures", "mean_over(auc)"),
            DATA,
            "pass --group",
        ),
        (
            *[("--label", "true_y", "--score", "true", "--measures", "mean_over(auc)",
               "--group", "site", "--cluster", "site")],
            USAGE,
            "omit --cluster, or compute values alone with --no-ci",
        ),
    ],
)  # fmt: skip
def test_remedies_are_options(run, numbered, options, code, words):
    done = run("evaluate", numbered, *options)
    assert (done.code, done.out) == (code, "")
    assert words in done.err
    assert not re.search(r"\b(labels|proba|group|cluster|ci)=", done.err)


def test_the_remedy_for_groups_in_a_comparison(run, numbered):
    done = run(
        *("compare", numbered, "--label", "true_y", "--score", "true", "--score", "p1"),
        *("--group", "site"),
    )
    assert done.code == USAGE
    assert done.err.endswith("use a measure such as mean_over(auc), or remove --group\n")


@pytest.mark.parametrize("order", ["{file} -o {file}", "-o {file} {file}", "{file} -o {link}"])
@pytest.mark.parametrize("command", ["evaluate", "deciles", "plot roc"])
def test_the_input_is_never_written_to(run, tmp_path, order, command):
    suffix = "svg" if command == "plot roc" else "csv"
    file, link = tmp_path / f"p.{suffix}", tmp_path / f"link.{suffix}"
    content = "y,s\n1,0.2\n0,0.1\n1,0.7\n0,0.8\n"
    file.write_text(content)
    link.symlink_to(file)
    words = order.format(file=file, link=link).split()
    done = run(*command.split(), *words, "--label", "y", "--score", "s")
    assert done.code == 2
    assert "never written to" in done.err
    assert file.read_text() == content


def test_names_that_are_too_long_are_repeated_in_part(run, tmp_path):
    file, long = tmp_path / "p.csv", "x" * 300
    file.write_text("y,s\n1,0.2\n0,0.1\n1,0.7\n0,0.8\n")
    columns = ("--label", "y", "--score", "s")
    done = run("evaluate", file, *columns, "-o", f"{long}.csv")
    assert (done.code, done.err) == (
        1,
        f"error: {long[:197]}... cannot be written: File name too long\n",
    )
    done = run("evaluate", f"{long}.csv", *columns, "-o", tmp_path / "out.csv")
    assert (done.code, done.err) == (
        1,
        f"error: {long[:197]}... cannot be read: File name too long\n",
    )


def test_both_labels_are_offered_as_the_positive_one(run, tmp_path):
    file = tmp_path / "p.csv"
    file.write_text("outcome,s\ndefault,0.2\npaid,0.1\npaid,0.7\n")
    done = run("evaluate", file, "--label", "outcome", "--score", "s")
    assert done.code == 1
    assert done.err.endswith("pass --pos-label default or --pos-label paid\n")


@pytest.mark.parametrize("line", ["--no-ci {file} --pos-label -", "--pos-label - --no-ci {file}"])
def test_a_dash_is_a_label(run, tmp_path, line):
    file = tmp_path / "p.csv"
    file.write_text("y,s\n+,0.9\n-,0.3\n+,0.5\n-,0.6\n")
    done = run("evaluate", file, "--label", "y", "--score", "s")
    assert done.err.endswith("pass --pos-label + or --pos-label -\n")
    words = line.format(file=file).split()
    done = run("evaluate", *words, "--label", "y", "--score", "s", "--measures", "auc")
    assert done.code == 0
    assert "0.2500" in done.out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("evaluate d.csv --ci -", "--ci must be a number, got '-'"),
        ("nope -", "unknown command: nope"),
        ("lab -", "unknown option: -"),
        ("evaluate --no-ci -", "standard input is empty"),
    ],
)
def test_other_dashes(run, line, message):
    done = run(*line.split())
    assert done.code in {1, 2}
    assert message in done.err


def test_an_interrupt_ends_the_program_quietly(run, monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr("metameasure.cli.app.main", interrupted)
    assert run("evaluate") == (130, "", "")


def test_folds_and_groups_of_several_classes_and_folds_of_an_order(run, animals):
    frame = pl.read_csv(animals).with_row_index("row")
    frame = frame.with_columns(fold=pl.col("row") % 4, site=pl.col("row") % 2)
    frame.write_csv(animals)
    done = run(
        *("evaluate", animals, "--label", "kind", "--proba", "cat", "dog", "fox"),
        *("--fold", "fold", "--group", "site", "--measures", "log_loss", "--format", "json"),
    )
    found = json.loads(done.out)
    assert [row["group"] for row in found["rows"]] == [None, "0", "1"]
    assert (found["folds"][0]["folds"], len(found["fold_values"])) == (4, 4)
    done = run(
        *("evaluate", animals, "--order", "row", "--score", "cat,dog", "--fold", "fold"),
        *("--measures", "kendall_tau"),
    )
    assert "folds, dog" in done.out
    assert "mean and standard deviation over the folds" in done.out
