"""Columns with an index in another order are refused, never matched by position in silence."""

import numpy as np
import pandas as pd
import pytest

import metameasure as mm

Y = pd.Series([1, 0, 1, 0, 1, 0], index=list("abcdef"), name="y")
S = pd.Series([0.9, 0.1, 0.4, 0.5, 0.8, 0.2], index=list("abcdef"), name="s")
TURNED = S[::-1]
WORDS = "y_true and {} have the same index in different order; reorder {} with .loc"


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: mm.auc(Y, TURNED), "y_score"),
        (lambda: mm.brier(Y, TURNED, sample_weight=np.ones(6)), "y_score"),
        (lambda: mm.auc(Y, S, sample_weight=TURNED), "sample_weight"),
        (lambda: mm.evaluate(Y, TURNED), "scores"),
        (lambda: mm.evaluate(Y, {"m": S, "n": TURNED}), "n"),
        (lambda: mm.evaluate(Y, pd.DataFrame({"m": TURNED, "n": TURNED})), "scores"),
        (lambda: mm.evaluate(Y, S, group=TURNED), "group"),
        (lambda: mm.interval(Y, S, "auc", cluster=TURNED), "cluster"),
        (lambda: mm.evaluate(Y, S, fold=TURNED), "fold"),
        (lambda: mm.compare_groups(Y, S, group={"site": TURNED}), "'site'"),
        (lambda: mm.roc(Y, TURNED), "y_score"),
        (lambda: mm.auc(Y, pd.DataFrame({0: 1 - TURNED, 1: TURNED})), "y_score"),
        (lambda: mm.hand_till_auc(Y, pd.DataFrame({0: 1 - TURNED, 1: TURNED})), "the scores"),
        (lambda: mm.kendall_tau(Y, TURNED), "y_score"),
        (lambda: mm.ConfusionMatrix.of(Y, Y[::-1]), "y_pred"),
        (lambda: mm.ConfusionMatrix.at(Y, TURNED), "scores"),
    ],
)
def test_another_order_is_refused(call, name):
    with pytest.raises(mm.DataError) as refused:
        call()
    assert WORDS.format(name, name) in str(refused.value)


def test_the_remedies_work():
    right = mm.auc(Y.to_numpy(), S.to_numpy())
    assert mm.auc(Y, TURNED.loc[Y.index]) == right
    assert mm.auc(Y, TURNED[::-1].to_numpy()) == right


@pytest.mark.parametrize(
    "scores",
    [
        S,
        S.copy(),
        S.reset_index(drop=True),
        S.set_axis(list("uvwxyz")),
        S.set_axis(list("abcdez")),
        S.to_numpy(),
    ],
    ids=["same", "equal", "numbered", "other", "overlapping", "array"],
)
def test_other_columns_are_matched_by_position(scores):
    assert mm.auc(Y, scores) == mm.auc(Y.to_numpy(), S.to_numpy())


def test_an_index_of_several_types_and_levels():
    levels = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1), ("b", 2), ("c", 1), ("c", 2)])
    for index in (levels, pd.Index(["a", 1, 2.5, "b", None, "c"], dtype=object)):
        labels, scores = Y.set_axis(index), S.set_axis(index)
        assert mm.auc(labels, scores) == mm.auc(Y, S)
        with pytest.raises(mm.DataError, match="in different order"):
            mm.auc(labels, scores[::-1])
