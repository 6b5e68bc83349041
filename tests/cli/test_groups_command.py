"""``metameasure groups``, and folds of ``metameasure evaluate``."""

import json

import numpy as np
import polars as pl
import pytest

import metameasure as mm

RNG = np.random.default_rng(8)
LABEL = RNG.random(300) < 0.4
SCORE = 1 / (1 + np.exp(-1.5 * (LABEL - 0.5) - RNG.normal(size=300)))
COLUMNS = {
    "y": LABEL.astype(int),
    "s": SCORE,
    "w": RNG.random(300) + 0.5,
    "region": np.array(["north", "south"])[RNG.integers(0, 2, 300)],
    "sex": RNG.integers(0, 2, 300),
    "patient": RNG.integers(0, 90, 300),
    "k": np.arange(300) % 5,
}
NAMED = ("--label", "y", "--score", "s")


@pytest.fixture
def file(tmp_path):
    pl.DataFrame(COLUMNS).write_csv(tmp_path / "p.csv")
    return str(tmp_path / "p.csv")


def test_groups_gives_what_python_gives(run, file):
    done = run(
        *("groups", file, *NAMED, "--group", "region", "--group", "sex", "--crossed"),
        *("--weight", "w", "--cluster", "patient", "--measures", "auc,brier"),
        *("--threshold", "0.4", "--ci", "0.9", "--method", "mover", "--format", "json"),
    )
    assert (done.code, done.err) == (0, "")
    expected = mm.compare_groups(
        pl.DataFrame(COLUMNS),
        label="y",
        scores="s",
        measures="auc, brier",
        group=["region", "sex"],
        crossed=True,
        weight="w",
        cluster="patient",
        threshold=0.4,
        ci=0.9,
        method="mover",
    )
    assert json.loads(done.out) == json.loads(expected.to_json())


def test_a_table_is_printed(run, file):
    done = run("groups", file, *NAMED, "--group", "region", "--no-rates")
    lines = done.out.splitlines()
    assert lines[0] == "values by region"
    assert lines[1].split() == ["group", "cases", "positive", "auc"]
    assert [line.split()[0] for line in lines[2:5]] == ["all", "north", "south"]
    assert "largest gap by region" in lines


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "error: --group is missing; name at least one column of groups"),
        (
            ("--group", "regin"),
            "error: --group: there is no column 'regin'; did you mean 'region'?",
        ),
        (("--group", "sex", "--crossed"), "error: --crossed needs at least two columns of groups"),
    ],
)
def test_errors_name_the_options(run, file, words, message):
    done = run("groups", file, *NAMED, *words)
    assert done.code == 2
    assert done.err.startswith(message)


def test_folds_of_evaluate(run, file):
    words = ("--measures", "auc", "--fold", "k", "--format", "json")
    done = run("evaluate", file, *NAMED, *words)
    assert done.code == 0
    expected = mm.evaluate(LABEL, {"s": SCORE}, "auc", fold=COLUMNS["k"])
    assert json.loads(done.out)["folds"] == json.loads(expected.to_json())["folds"]
    assert len(json.loads(done.out)["fold_values"]) == 5
