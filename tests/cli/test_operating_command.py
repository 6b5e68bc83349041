"""``metameasure operating`` as a user meets it."""

import io
import json
import math
import re
from functools import partial

import numpy as np
import polars as pl
import pytest

import metameasure as mm
from metameasure.operating import operating_points

LABELS = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0]
SCORES = [0.9, 0.8, 0.8, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1, 0.1]
OTHERS = [0.6, 0.7, 0.8, 0.3, 0.4, 0.2, 0.5, 0.1, 0.9, 0.3]
WEIGHTS = [1.0, 2.0, 0.5, 1.0, 1.0, 3.0, 1.0, 0.5, 1.0, 1.0]
HOSTILE = "\x1b[31m[red]<script>a|b\n`x`\x07\x9b1m[/red]\u202e"
COSTS = ("--cost-fp", 1, "--cost-fn", 5)
ONE = ("--label", "y", "--score", "s")
BOTH = (*ONE, "--score", "other")


def assert_harmless(text):
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


@pytest.fixture
def run(run):
    return partial(run, "operating")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "predictions.csv"
    columns = {"y": LABELS, "s": SCORES, "other": OTHERS, "w": WEIGHTS}
    pl.DataFrame(columns).write_csv(path)
    return path


def expected(**goal):
    return operating_points(LABELS, {"s": SCORES, "other": OTHERS}, **goal)


@pytest.mark.parametrize(
    ("options", "goal"),
    [
        ((*COSTS, "--prior", 0.02), {"cost_fp": 1, "cost_fn": 5, "prior": 0.02}),
        (COSTS, {"cost_fp": 1, "cost_fn": 5}),
        (("--maximize", "f_measure(beta=2)"), {"maximize": "f_measure(beta=2)"}),
        (("--maximize", "recall", "--prior", 0.3), {"maximize": "tpr", "prior": 0.3}),
    ],
    ids=str,
)
def test_the_command_gives_what_python_gives(run, file, options, goal):
    right = expected(**goal)
    code, out, err = run(file, *BOTH, *options)
    assert (code, err) == (0, "")
    assert out == right.table() + "\n"
    assert json.loads(run(file, *BOTH, *options, "--format", "json")[1]) == json.loads(
        right.to_json()
    )
    assert run(file, *BOTH, *options, "--format", "markdown")[1] == right.to_markdown() + "\n"
    frame = pl.read_csv(io.StringIO(run(file, *BOTH, *options, "--format", "csv")[1]))
    assert frame.columns == right.frame().columns
    assert frame["threshold"].to_list() == right.frame()["threshold"].to_list()


def test_one_model(run, file):
    code, out, err = run(file, *ONE, *COSTS, "--prior", "0.02")
    assert (code, err) == (0, "")
    # At the skew 9.8 one false alarm of six weighs more than all positives, so that there is none.
    assert re.search(r"^s +0\.9000 +0\.0750 +0\.2500 +0\.0000", out, flags=re.MULTILINE)
    assert re.search(r"^all positive +0\.9800", out, flags=re.MULTILINE)
    assert re.search(r"^none positive +0\.1000", out, flags=re.MULTILINE)
    assert re.search(r"^s +1 +0 +3 +6$", out, flags=re.MULTILINE)
    assert "10 cases, 4 positive" in out
    assert "prior: 0.02 (given); prevalence in the data: 0.4000" in out
    assert "= 9.8000" in out
    assert "chosen on the same data: expect a higher cost on new data" in out
    assert "best model" not in out


def test_the_cost_is_that_of_the_confusion_matrix(run, file):
    out = run(file, *BOTH, *COSTS, "--prior", 0.3, "--weight", "w", "--format", "json")[1]
    for row in json.loads(out)["rows"]:
        scores = {"s": SCORES, "other": OTHERS}[row["model"]]
        called = np.array(scores) >= row["threshold"]
        positive, weight = np.array(LABELS) == 1, np.array(WEIGHTS)
        parts = {
            "tp": weight[called & positive].sum(),
            "fp": weight[called & ~positive].sum(),
            "fn": weight[~called & positive].sum(),
            "tn": weight[~called & ~positive].sum(),
        }
        assert {name: row[name] for name in parts} == pytest.approx(parts)
        missed = parts["fn"] / (parts["tp"] + parts["fn"])
        alarmed = parts["fp"] / (parts["fp"] + parts["tn"])
        assert row["value"] == pytest.approx(0.3 * 5 * missed + 0.7 * alarmed)
        others = [
            0.3 * 5 * mm.fnr(LABELS, scores, threshold=t, sample_weight=WEIGHTS)
            + 0.7 * mm.fpr(LABELS, scores, threshold=t, sample_weight=WEIGHTS)
            for t in (math.inf, *scores)
        ]
        assert row["value"] == pytest.approx(min(others))


def test_words_for_weights_and_missing_values(run, file, tmp_path):
    assert "10 cases, 4 positive; weighted" in run(file, *ONE, *COSTS, "--weight", "w")[1]
    path = tmp_path / "missing.csv"
    path.write_text("y,s\n1,0.9\n0,\n0,0.1\n")
    code, out, err = run(path, *ONE, *COSTS)
    assert (code, out) == (1, "")
    assert "--nan-policy drop" in err
    code, out, _ = run(path, *ONE, *COSTS, "--nan-policy", "drop")
    assert code == 0
    assert "2 cases, 1 positive, 1 left out for missing values" in out


def test_labels_in_words_and_other_scales(run, tmp_path):
    path = tmp_path / "words.csv"
    path.write_text("kind,points\nbad,700\ngood,10\nbad,300\ngood,400\n")
    options = ("--label", "kind", "--score", "points", "--pos-label", "bad", "--format", "json")
    code, out, _ = run(path, *options, *COSTS)
    assert (code, json.loads(out)["rows"][0]["threshold"]) == (0, 300)
    scaled = json.loads(run(path, *options, *COSTS, "--rescale", "minmax")[1])["rows"][0]
    assert scaled["threshold"] == pytest.approx(290 / 690)


def test_a_file_is_written(run, file, tmp_path):
    for name, begin in (
        ("out.md", "**threshold with the lowest expected cost"),
        ("out.csv", "model,"),
    ):
        code, out, _ = run(file, *ONE, *COSTS, "-o", tmp_path / name)
        assert (code, out) == (0, "")
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begin)


def test_a_hopeless_prior(run, file):
    code, out, _ = run(file, *BOTH, "--cost-fp", 1, "--cost-fn", 0, "--prior", 0.02)
    assert code == 0
    assert re.search(r"^other +none positive +0\.0000", out, flags=re.MULTILINE)
    assert "no model is better than predicting no case as positive" in out


def test_one_class(run, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("y,s,other\n1,0.5,0.1\n1,0.2,0.3\n")
    code, out, err = run(path, *BOTH, *COSTS)
    assert (code, err) == (0, "")
    assert "expected cost is undefined (–) when a class is empty: s, other" in out


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--cost-fp", "-1", "--cost-fn", "1"), 2, "--cost-fp must be >= 0, got -1"),
        (("--cost-fp", "1", "--cost-fn", "nan"), 2, "--cost-fn must be >= 0, got nan"),
        (("--cost-fp", "1", "--cost-fn", "inf"), 2, "--cost-fn must be finite and >= 0, got inf"),
        (("--cost-fp", "0", "--cost-fn", "0"), 2, "are both 0"),
        (("--cost-fp", "one", "--cost-fn", "1"), 2, "--cost-fp"),
        (("--cost-fp", "1"), 2, "pass --maximize or both --cost-fp and --cost-fn"),
        (("--cost-fn", "1"), 2, "pass --maximize or both --cost-fp and --cost-fn"),
        ((), 2, "pass --maximize or both --cost-fp and --cost-fn"),
        ((*COSTS, "--maximize", "accuracy"), 2, "not both"),
        (("--cost-fn", "1", "--maximize", "accuracy"), 2, "not both"),
        ((*COSTS, "--prior", "0"), 2, "in (0, 1)"),
        ((*COSTS, "--prior", "1"), 2, "in (0, 1)"),
        (("--maximize", "accuracy", "--prior", "nan"), 2, "in (0, 1)"),
        (("--maximize", "auc"), 2, "whole ranking"),
        (("--maximize", "two_level(auc, accuracy)"), 2, "whole ranking"),
        (("--maximize", "precision@k=3"), 2, "remove @k=3"),
        (("--maximize", "acuracy"), 2, "did you mean accuracy"),
        (("--maximize", "f_measure(gamma=2)"), 2, "gamma"),
        (("--maximize", HOSTILE), 2, "name of a measure"),
        ((*COSTS, "--format", "xml"), 2, "xml"),
        ((*COSTS, "--nan-policy", "omit"), 2, "omit"),
        ((*COSTS, "--rescale", "z"), 2, "rescale"),
        ((*COSTS, "--output", "out.xlsx"), 2, "xlsx"),
        ((*COSTS, "--pos-label", "7"), 2, "--pos-label"),
        ((*COSTS, "--score", HOSTILE), 2, "there is no column"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(run, file, options, code, words):
    found, out, err = run(file, *ONE, *options)
    assert (found, out) == (code, "")
    assert err.startswith("error: ")
    assert words in err
    assert_harmless(err)


def test_a_wrong_command_is_refused_before_the_file_is_read(run, tmp_path):
    assert run(tmp_path / "no.csv", "--maximize", "auc")[0] == 2
    assert run(tmp_path / "no.csv", "--maximize", "accuracy")[0] == 1


def test_hostile_names(run, tmp_path):
    path = tmp_path / "hostile.parquet"
    pl.DataFrame({"y": LABELS, HOSTILE: SCORES, "<b>": OTHERS}).write_parquet(path)
    for form in ("table", "markdown"):
        options = ("--label", "y", "--score", HOSTILE, "--score", "<b>", *COSTS, "--format", form)
        code, out, err = run(path, *options)
        assert code == 0
        assert_harmless(out + err)
        assert "x1b" in out


def test_fifty_models(run, tmp_path):
    rng = np.random.default_rng(4)
    labels = rng.random(400) < 0.2
    scores = {f"m{n}": rng.normal(labels * (0.5 + n / 50)) for n in range(50)}
    path = tmp_path / "many.parquet"
    pl.DataFrame({"y": labels, **scores}).write_parquet(path)
    named = [word for name in scores for word in ("--score", name)]
    code, out, err = run(path, "--label", "y", *named, *COSTS)
    assert (code, err) == (0, "")
    best = re.search(r"^best: (\w+)", out, flags=re.MULTILINE)[1]
    costs = {}
    for name, column in scores.items():
        called = column >= column[:, np.newaxis]
        costs[name] = (5 * (~called & labels).sum(axis=1) + (called & ~labels).sum(axis=1)).min()
    assert best == min(costs, key=costs.get)
