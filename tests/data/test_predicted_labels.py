"""Predicted labels of two classes, of which ``pos_label`` is positive, are scores of 1 and 0."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import metrics

import metameasure as mm

RNG = np.random.default_rng(4)
TRUE = np.where(RNG.random(120) < 0.4, "bad", "good")
GUESS = np.where(RNG.random(120) < 0.75, TRUE, "good")
OTHER = np.where(RNG.random(120) < 0.6, TRUE, "bad")
SITE = np.resize(["north", "south"], 120)
PAIRS = {  # ours and scikit-learn's function of the same quantity
    "f1_score": metrics.f1_score,
    "precision_score": metrics.precision_score,
    "recall_score": metrics.recall_score,
    "jaccard_score": metrics.jaccard_score,
}
SYMMETRIC = {
    "accuracy_score": metrics.accuracy_score,
    "matthews_corrcoef": metrics.matthews_corrcoef,
}


@pytest.mark.parametrize("positive", ["bad", "good"])
@pytest.mark.parametrize("name", PAIRS)
def test_measures_take_text_as_those_of_scikit_learn(name, positive):
    expected = PAIRS[name](TRUE, GUESS, pos_label=positive)
    for true, guess in (
        (TRUE, GUESS),
        (TRUE.tolist(), GUESS.tolist()),
        (pd.Series(TRUE), pd.Series(GUESS)),
        (pl.Series(TRUE), pl.Series(GUESS)),
    ):
        assert getattr(mm, name)(true, guess, pos_label=positive) == pytest.approx(expected)
    weight = RNG.integers(1, 5, 120)
    weighted = getattr(mm, name)(TRUE, GUESS, pos_label=positive, sample_weight=weight)
    theirs = PAIRS[name](TRUE, GUESS, pos_label=positive, sample_weight=weight)
    assert weighted == pytest.approx(theirs)


@pytest.mark.parametrize("name", SYMMETRIC)
def test_a_positive_label_may_be_named_where_it_does_not_matter(name):
    found = getattr(mm, name)(TRUE, GUESS, pos_label="bad")
    assert found == pytest.approx(SYMMETRIC[name](TRUE, GUESS))


def test_one_class_may_be_predicted_always():
    assert mm.recall_score(TRUE, np.full(120, "good"), pos_label="bad") == 0
    assert mm.recall_score(TRUE, np.full(120, "bad"), pos_label="bad") == 1


def test_missing_predictions_are_missing_scores():
    guess = GUESS.astype(object)
    guess[3] = None
    with pytest.raises(mm.DataError, match="1 of 120 values of y_score are missing"):
        mm.f1_score(TRUE, guess, pos_label="bad")
    with pytest.warns(mm.DroppedCasesWarning):
        found = mm.f1_score(TRUE, guess, pos_label="bad", nan_policy="drop")
    kept = np.arange(120) != 3
    assert found == pytest.approx(metrics.f1_score(TRUE[kept], GUESS[kept], pos_label="bad"))


def test_labels_that_do_not_occur_among_the_true_ones():
    with pytest.raises(mm.DataError, match=r"y_score has 'Bad', which is not one of the labels"):
        mm.f1_score(TRUE, np.char.title(GUESS), pos_label="bad")
    with pytest.raises(mm.DataError, match=r"'0,5', which is not one.* and scores are numbers"):
        mm.auc(TRUE, np.full(120, "0,5"), pos_label="bad")


NUMBERS = {"bad": 1, "good": 2}
FRAME = pl.DataFrame({"y": TRUE, "guess": GUESS, "other": OTHER, "site": SITE})
CODED = FRAME.with_columns(pl.col("y", "guess", "other").replace_strict(NUMBERS))


@pytest.mark.parametrize(
    ("data", "options"),
    [
        ((TRUE, {"guess": GUESS, "other": OTHER}), {"group": SITE, "pos_label": "bad"}),
        (
            (FRAME,),
            {"label": "y", "predicted": "guess, other", "group": "site", "pos_label": "bad"},
        ),
        ((CODED,), {"label": "y", "predicted": "guess, other", "group": "site", "pos_label": 1}),
    ],
    ids=["arrays", "frame", "numbers"],
)
def test_evaluations_have_the_positive_class_and_its_groups(data, options):
    found = mm.evaluate(*data, measures="f1, precision", **options)
    for group in (None, "north", "south"):
        part = np.ones(120, bool) if group is None else np.equal(SITE, group)
        for name, guess in {"guess": GUESS, "other": OTHER}.items():
            expected = metrics.f1_score(TRUE[part], guess[part], pos_label="bad")
            assert found.value("f1", model=name, group=group) == pytest.approx(expected)


def test_a_default_list_has_what_predicted_labels_allow():
    for guess, options in (
        (GUESS, {"pos_label": "bad"}),
        ((GUESS == "bad").astype(int), {"pos_label": "bad"}),
    ):
        found = mm.evaluate(TRUE, guess, **options)
        assert {str(row.measure) for row in found.rows} == {"accuracy", "f_measure", "mcc"}
        assert "auc" in {entry.measure for entry in found.left_out}
        assert [check.code for check in found.checks] == ["MM05"]
    assert mm.evaluate(TRUE, GUESS, "auc", pos_label="bad").value("auc") > 0.5


def test_a_column_of_labels_that_is_named_as_a_score(run, tmp_path):
    FRAME.write_csv(file := tmp_path / "cases.csv")
    asked = "evaluate", file, "--label", "y", "--pos-label", "bad"
    refused = run(*asked, "--score", "guess")
    assert (refused.code, "labels with --predicted" in refused.err) == (1, True)
    done = run(*asked, "--predicted", "guess", "--measures", "f1", "--format", "json")
    (row,) = json.loads(done.out)["rows"]
    assert row["value"] == pytest.approx(metrics.f1_score(TRUE, GUESS, pos_label="bad"))
    assert not done.err
