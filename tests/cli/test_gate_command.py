"""``metameasure gate``: exit codes, files in all formats, and errors."""

import json
from xml.etree import ElementTree as ET

import numpy as np
import polars as pl
import pytest

PASSED, DATA, USAGE, FAILED, UNDECIDED = 0, 1, 2, 3, 4
COLUMNS = ("--label", "y", "--score", "new")
PASSES, FAILS, OPEN = "auc >= 0.6", "brier <= 0.01", "auc >= 0.85"


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Predictions of two models; the AUC of the new one is near 0.85."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    y = rng.random(400) < 0.4
    evidence = 1.5 * y + rng.normal(size=400)
    frame = pl.DataFrame({
        "y": y.astype(int),
        "new": 1 / (1 + np.exp(1.2 - 1.3 * evidence)),
        "old": 1 / (1 + np.exp(1.2 - evidence - rng.normal(0, 0.7, 400))),
        "site": np.resize(["north", "south"], 400),
    })  # fmt: skip
    frame.write_csv("p.csv")
    return "p.csv"


def requirements(*texts):
    return [word for text in texts for word in ("--require", text)]


@pytest.mark.parametrize(
    ("texts", "options", "code"),
    [
        ([PASSES], (), PASSED),
        ([PASSES, FAILS], (), FAILED),
        ([PASSES, OPEN], (), UNDECIDED),
        ([PASSES, FAILS, OPEN], (), FAILED),
        ([PASSES, OPEN], ("--undecided", "pass"), PASSED),
        ([PASSES, OPEN], ("--undecided", "fail"), FAILED),
        ([FAILS, OPEN], ("--undecided", "pass"), FAILED),
        (["auc >= baseline - 0.01", "brier <= baseline + 0.005"], ("--baseline", "old"), PASSED),
        (["auc >= baseline + 0.2"], ("--baseline", "old"), FAILED),
        (["auc >= 0.6 by site", "accuracy >= 0.5 by site"], (), PASSED),
        (["auc >= 0.6 by group"], ("--group", "site"), PASSED),
        (["tpr@fpr=0.05 >= 0.9 by site"], (), FAILED),
    ],
)
def test_the_exit_code_is_the_outcome(run, file, texts, options, code):
    done = run("gate", file, *COLUMNS, *requirements(*texts), *options)
    assert (done.code, done.err) == (code, "")
    word = {PASSED: "passed", FAILED: "failed", UNDECIDED: "undecided"}[code]
    assert done.out.startswith(f"gate {word}: ")
    for text in texts:
        assert text in done.out


def test_an_undecided_requirement_has_the_number_of_cases(run, file):
    found = json.loads(run("gate", file, *COLUMNS, *requirements(OPEN), "--format", "json").out)
    (row,) = found["rows"]
    assert (found["outcome"], row["status"]) == ("undecided", "undecided")
    assert row["cases"] > 400
    assert row["low"] < 0.85 < row["high"]
    assert (found["level"], found["failure_level"], found["ci"]) == (0.025, 0.025, 0.95)


@pytest.mark.parametrize(("texts", "code"), [([PASSES], PASSED), ([PASSES, FAILS, OPEN], FAILED)])
def test_files_in_all_formats(run, file, tmp_path, texts, code):
    words = ("gate", file, *COLUMNS, *requirements(*texts))
    for name in ("g.txt", "g.json", "g.csv", "g.md", "g.xml", "g.html", "g.tex"):
        done = run(*words, "-o", name)
        assert done.code == code
        assert done.out == ""
        assert done.err.startswith("gate ")  # the outcome, which the file has too
    table = (tmp_path / "g.md").read_text()
    assert table.startswith(f"**gate {'passed' if code == PASSED else 'failed'}: ")
    assert "| auc &gt;= 0.6 | passed | 0.8" in table
    suite = ET.parse(tmp_path / "g.xml").getroot().find("testsuite")  # noqa: S314
    assert suite.get("tests") == str(len(texts))
    assert suite.get("failures") == ("0" if code == PASSED else "1")
    assert suite.get("errors") == ("0" if code == PASSED else "1")
    assert run(*words, "--format", "junit").out == (tmp_path / "g.xml").read_text()
    assert pl.read_csv(tmp_path / "g.csv")["status"][0] == "passed"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (requirements("auc => 0.8"), USAGE,
         "--require: 'auc => 0.8': expected >=, <=, > or < after 'auc', got '=>'"),
        (requirements(PASSES, "auc >= high"), USAGE, "--require: 'auc >= high': expected a number"),
        (requirements("acu >= 0.8"), USAGE, "--require: there is no measure 'acu'; did you mean a"),
        (requirements("auc >= 80"), USAGE, "the bound of auc must be in [0, 1], got 80"),
        (requirements("auc >= baseline"), USAGE,
         "--require: 'auc >= baseline' needs --baseline; name the model to compare with"),
        ([*requirements("auc >= baseline"), "--baseline", "nope"], USAGE,
         "--baseline: there is no column 'nope'; the columns are 'y', 'new', 'old', 'site'"),
        (requirements("auc >= 0.8 by nope"), USAGE, "--require: there is no column 'nope'"),
        ([*requirements(PASSES), "--group", "nope"], USAGE, "--group has no effect"),
        ([*requirements(PASSES), "--group", "site"], USAGE, "--group has no effect"),
        ([], USAGE, "missing --require"),
        ([*requirements(PASSES), "--undecided", "maybe"], USAGE, "--undecided must be one of"),
        (requirements("mean_over(auc) >= 0.5"), DATA, "there are no groups; pass --group"),
        ([*requirements(PASSES), "-s", "old"], DATA,
         "a gate needs one model, got 2: 'new', 'old'; choose one, such as --score new"),
        ([*requirements(PASSES), "-o", "x.nope"], USAGE, "cannot infer a format from '.nope'"),
    ],
)  # fmt: skip
def test_errors_are_no_failures(run, file, words, code, message):
    done = run("gate", file, *COLUMNS, *words)
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith("error: ")
    assert message in done.err


def test_standard_input_is_read_once_for_several_columns(run, file, tmp_path):
    texts = requirements(PASSES, "auc >= 0.6 by site", "accuracy > 0.5 by site")
    content = (tmp_path / file).read_bytes()
    assert run("gate", "-", *COLUMNS, *texts, stdin=content) == run("gate", file, *COLUMNS, *texts)


def test_inferred_columns_are_named(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"bad": [0, 1, 0, 1] * 30, "p": [0.2, 0.9, 0.1, 0.4] * 30}).write_csv("q.csv")
    done = run("gate", "q.csv", *requirements("auc >= 0.6"))
    assert (done.code, done.err) == (PASSED, "took bad as the label and p as the score\n")


def test_several_classes(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    kind = rng.integers(3, size=200)
    shares = rng.dirichlet([1, 1, 1], 200) + np.eye(3)[kind]
    shares /= shares.sum(axis=1, keepdims=True)
    names = np.array(["cat", "dog", "fox"])
    pl.DataFrame({"kind": names[kind], **dict(zip(names, shares.T, strict=True))}).write_csv(
        "k.csv"
    )
    words = ("gate", "k.csv", "--label", "kind", "--proba", "cat,dog,fox")
    assert run(*words, *requirements("accuracy >= 0.6", "ovr_auc >= 0.7")).code == PASSED
    refused = run(*words, *requirements("accuracy >= 0.6 by kinds"))
    assert refused.code == USAGE
    assert "there is no column 'kinds'; did you mean 'kind'?" in refused.err
