"""Learners by name, files with text, and ``metameasure lab select``."""

import json

import numpy as np
import polars as pl
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline

import metameasure as mm
from metameasure.errors import DataError, ParameterError
from metameasure.lab import encode, named_learners
from metameasure.lab.training.named_learners import LEARNERS

lab = mm.lab


@pytest.fixture
def file(tmp_path):
    rng = np.random.default_rng(0)
    y = np.arange(80) % 2
    frame = pl.DataFrame(
        {
            "id": [f"case {i}" for i in range(80)],
            "age": rng.normal(size=80) + y,
            "color": np.where(rng.random(80) < 0.3 + 0.4 * y, "red", "blue"),
            "size": pl.Series(rng.normal(size=80)).set(pl.Series(np.arange(80) < 3), None),
            "sick": np.where(y == 1, "yes", "no"),
        }
    )
    path = tmp_path / "cases.csv"
    frame.with_columns(age=pl.col("age").round(6), size=pl.col("size").round(6)).write_csv(path)
    return path


OPTIONS = ("--label", "sick", "--pos-label", "yes", "--ignore", "id", "--repeats", "4")


def test_the_command_does_what_python_does(run, file):
    words = ("lab", "select", file, *OPTIONS, "--learners", "naive_bayes,logistic,tree")
    code, out, err = run(*words, "--measures", "auc, brier", "--format", "json", "--workers", "1")
    assert code == 0, err
    data = encode(pl.read_csv(file), "sick", ["id"])
    assert data.names == ("age", "color", "size")
    assert data.groups == ((0,), (1, 2), (3,))
    learners = named_learners(["naive_bayes", "logistic", "tree"], missing=True)
    found = lab.select_models(
        learners, data.X, data.y, "auc, brier", repeats=4, pos_label="yes", workers=1
    )
    assert json.loads(out)["rows"] == json.loads(found.to_json())["rows"]


def test_attributes_are_removed_with_all_their_columns(run, file):
    words = ("--learners", "naive_bayes", "--remove", "1", "--candidates", "3", "--goal", "brier")
    code, out, err = run("lab", "select", file, *OPTIONS, *words, "--format", "latex")
    assert code == 0, err
    assert "3 candidates; goal: brier" in out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--learners", "naive_bayes"), 2, "--learners must be at least two, got 1"),
        (("--learners", "bayes,tree"), 2, "--learners must be boosting, forest, knn"),
        (("--learners", "StackingClassifier,tree"), 2, "StackingClassifier needs"),
        (("--learners", "tree,knn", "--ignore", "sex"), 2, "--ignore: there is no column 'sex'"),
        (("--learners", "tree,knn", "--validation", "0.6"), 2, "leave no case for the test"),
    ],
)
def test_errors_name_the_options(run, file, words, code, message):
    found = run("lab", "select", file, *OPTIONS, *words)
    assert found.code == code
    assert message in found.err


def test_columns_that_cannot_be_encoded():
    y = [0, 1] * 60
    many = pl.DataFrame({"y": y, "name": [f"n{i}" for i in range(120)]})
    with pytest.raises(DataError, match="'name' has 120 levels, more than 100; drop it with"):
        encode(many, "y")
    dates = pl.DataFrame(
        {"y": y, "day": pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 4, 29), eager=True)}
    )
    with pytest.raises(DataError, match="'day' is Date, neither numbers nor text"):
        encode(dates, "y")
    with pytest.raises(DataError, match="no attribute besides the label"):
        encode(many, "y", ["name"])
    with pytest.raises(DataError, match="1 labels in 'y' are missing"):
        encode(pl.DataFrame({"y": [0, None], "a": [1, 2]}), "y")
    with pytest.raises(
        ParameterError, match="no column 'z'; the columns are 'y', 'name'"
    ) as refused:
        encode(many, "z")
    assert refused.value.argument == "label"


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_every_name_is_a_classifier():
    made = named_learners(LEARNERS)
    assert isinstance(made["naive_bayes"], GaussianNB)
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2
    for name, learner in made.items():
        assert learner.fit(X, y).predict(X).shape == (40,), name
    with_missing = named_learners(["tree"], missing=True)["tree"]
    assert isinstance(with_missing, Pipeline)
