"""``metameasure deciles``, ``calibration`` and ``psi`` as a user meets them."""

import io
import json
import re

import polars as pl
import pytest

import metameasure as mm
from metameasure.evaluation.calibration import calibration_table
from metameasure.evaluation.deciles import decile_table

LABELS = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0]
SCORES = [0.9, 0.8, 0.8, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1, 0.1]
OTHERS = [0.6, 0.7, 0.8, 0.3, 0.4, 0.2, 0.5, 0.1, 0.9, 0.3]
WEIGHTS = [1.0, 2.0, 0.5, 1.0, 1.0, 3.0, 1.0, 0.5, 1.0, 1.0]
HOSTILE = "\x1b[31m[red]<script>a|b\n`x`\x07\x9b1m[/red]\u202e"


def assert_harmless(text):
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "predictions.csv"
    columns = {"y": LABELS, "s": SCORES, "other": OTHERS, "w": WEIGHTS}
    pl.DataFrame(columns).write_csv(path)
    return path


def test_deciles_gives_what_python_gives(run, file):
    options = ("--label", "y", "--score", "s", "--score", "other", "--weight", "w", "--groups", 3)
    code, out, err = run("deciles", file, *options, "--format", "json")
    assert (code, err) == (0, "")
    scores = {"s": SCORES, "other": OTHERS}
    expected = decile_table(LABELS, scores, groups=3, sample_weight=WEIGHTS)
    assert json.loads(out) == json.loads(expected.to_json())
    assert run("deciles", file, *options)[1] == expected.table() + "\n"
    assert run("deciles", file, *options, "--format", "markdown")[1] == (
        expected.to_markdown() + "\n"
    )
    frame = pl.read_csv(io.StringIO(run("deciles", file, *options, "--format", "csv")[1]))
    assert frame.columns == expected.frame().columns
    assert frame["gain"].to_list() == expected.frame()["gain"].to_list()


def test_a_file_is_written(run, file, tmp_path):
    output = tmp_path / "out.md"
    code, out, _ = run("deciles", file, "--label", "y", "--score", "s", "-o", output)
    assert (code, out) == (0, "")
    assert output.read_text(encoding="utf-8").startswith("**s: each group**")


def test_deciles_of_one_class(run, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("y,s\n1,0.5\n1,0.2\n1,0.1\n")
    code, out, err = run("deciles", path, "--label", "y", "--score", "s", "--pos-label", "1")
    assert (code, err) == (0, "")
    assert "there is no negative case" in out


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--groups", "0"), 2, "groups"),
        (("--groups", "1001"), 2, "groups"),
        (("--nan-policy", "omit"), 2, "omit"),
        (("--format", "xml"), 2, "xml"),
        (("--pos-label", "7"), 2, "--pos-label"),
        (("--score", HOSTILE), 2, "there is no column"),
    ],
)
def test_deciles_refuses(run, file, options, code, words):
    found, out, err = run("deciles", file, "--label", "y", "--score", "s", *options)
    assert (found, out) == (code, "")
    assert words in err
    assert_harmless(err)


def test_missing_values(run, tmp_path):
    path = tmp_path / "missing.csv"
    path.write_text("y,s\n1,0.9\n0,\n0,0.1\n")
    code, out, err = run("deciles", path, "--label", "y", "--score", "s")
    assert (code, out) == (1, "")
    assert "--nan-policy drop" in err
    code, out, _ = run("deciles", path, "--label", "y", "--score", "s", "--nan-policy", "drop")
    assert code == 0
    assert "2 cases, 1 positive, 1 left out for missing values" in out


def test_hostile_names(run, tmp_path):
    path = tmp_path / "hostile.parquet"
    pl.DataFrame({"y": LABELS, HOSTILE: SCORES}).write_parquet(path)
    for command in ("deciles", "calibration"):
        for form in ("table", "markdown"):
            code, out, err = run(command, path, "--format", form)
            assert code == 0
            assert_harmless(out + err)


@pytest.mark.parametrize("weighted", [False, True])
def test_calibration_gives_what_python_gives(run, file, weighted):
    options = ("--label", "y", "--score", "s", "--score", "other", "--bins", 3, "--equal", "width")
    options += ("--weight", "w") if weighted else ("--ci", 0.9)
    expected = calibration_table(
        LABELS,
        {"s": SCORES, "other": OTHERS},
        bins=3,
        equal="width",
        ci=0.95 if weighted else 0.9,
        sample_weight=WEIGHTS if weighted else None,
    )
    code, out, err = run("calibration", file, *options, "--format", "json")
    assert (code, err) == (0, "")
    assert json.loads(out) == json.loads(expected.to_json())
    assert run("calibration", file, *options)[1] == expected.table() + "\n"
    frame = pl.read_csv(io.StringIO(run("calibration", file, *options, "--format", "csv")[1]))
    assert frame["mean_score"].to_list() == expected.frame()["mean_score"].to_list()


def test_calibration_says_what_is_undefined_only_in_the_result(run, tmp_path):
    path = tmp_path / "certain.csv"
    path.write_text("y,s\n1,1\n0,0.7\n1,0.4\n0,0\n")
    code, out, err = run("calibration", path, "--label", "y", "--score", "s")
    assert (code, err) == (0, "")
    assert "calibration_slope is undefined" in out


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--bins", "0"), 2, "bins"),
        (("--equal", "size"), 2, "size"),
        (("--rescale", "z"), 2, "rescale"),
        (("--ci", "0"), 2, "--ci must be in (0, 1), got 0"),
        (("--ci", "1"), 2, "--ci must be in (0, 1), got 1"),
        (("--score", "w"), 1, "--rescale minmax"),
    ],
)
def test_calibration_refuses(run, file, options, code, words):
    found, out, err = run("calibration", file, "--label", "y", "--score", "s", *options)
    assert (found, out) == (code, "")
    assert words in err


MONTHS = ["2024-01"] * 4 + ["2024-02"] * 3 + ["2024-03"] * 3


@pytest.fixture
def months(tmp_path):
    path = tmp_path / "months.csv"
    number = [int(month.replace("-", "")) for month in MONTHS]
    pl.DataFrame({"month": MONTHS, "number": number, "s": SCORES, "w": WEIGHTS}).write_csv(path)
    return path


@pytest.mark.parametrize("weighted", [False, True])
def test_psi_gives_what_python_gives(run, months, weighted):
    options = ("--period", "month", "--score", "s", "--bins", 2, "--smoothing", 0.5)
    options += ("--weight", "w") if weighted else ()
    given = {"bins": 2, "smoothing": 0.5, "sample_weight": WEIGHTS if weighted else None}
    expected = mm.psi_over_time(SCORES, MONTHS, **given)
    code, out, err = run("psi", months, *options)
    assert (code, out, err) == (0, expected.table() + "\n", "")
    first, second = ([s for s, m in zip(SCORES, MONTHS, strict=True) if m == one] for one in (
        "2024-01", "2024-03"
    ))  # fmt: skip
    if not weighted:
        right = mm.psi(first, second, bins=2, smoothing=0.5)
        assert expected.rows[2].index == pytest.approx(right)
    rows = json.loads(run("psi", months, *options, "--format", "json")[1])["rows"]
    assert [row["index"] for row in rows] == [row.index for row in expected.rows]
    frame = pl.read_csv(io.StringIO(run("psi", months, *options, "--format", "csv")[1]))
    assert frame["index"].to_list() == pytest.approx([row.index for row in expected.rows])


def test_psi_finds_a_reference_period_that_is_a_number(run, months):
    options = ("--period", "number", "--score", "s", "--bins", 2, "--smoothing", 0.5)
    code, out, _ = run("psi", months, *options, "--reference", "202402")
    assert code == 0
    assert "reference period: 202402" in out
    expected = mm.psi_over_time(SCORES, MONTHS, bins=2, smoothing=0.5, reference="2024-02")
    assert [line.split()[2] for line in out.splitlines()[1:4]] == [
        f"{row.index:.4f}" for row in expected.rows
    ]


def test_psi_infers_the_score_and_drops_missing_values(run, tmp_path):
    path = tmp_path / "months.csv"
    pl.DataFrame({"month": ["a", "a", "b", None, "b"], "s": [1.0, 2.0, 1.0, 3.0, None]}).write_csv(
        path
    )
    code, out, err = run("psi", path, "--period", "month", "--bins", 1, "--nan-policy", "drop")
    assert (code, err) == (0, "took s as the score\n")
    assert "2 cases left out for missing values" in out
    code, _, err = run("psi", path, "--period", "month", "--score", "s")
    assert code == 1
    assert "values of 's' are missing" in err


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--score", "s"), 2, "missing --period"),
        (("--period", "mouth", "--score", "s"), 2, "no column 'mouth'; did you mean 'month'?"),
        (("--period", "s", "--score", "s"), 2, "cannot be both the period and a score"),
        (("--period", "month"), 1, "columns can be the score: 'number', 's', 'w'; name one with -"),
        (
            ("--period", "month", "--score", "s", "--reference", "2023"),
            2,
            "--reference must be a period, got '2023'; the periods are '2024-01', '2024-02', '2024",
        ),
        (("--period", "month", "--score", "s", "--bins", 0), 2, "--bins must be an integer from 1"),
    ],
)
def test_psi_refuses(run, months, options, code, words):
    found, _, err = run("psi", months, *options)
    assert found == code
    assert words in err
