"""The answers that docs/peers.md gives for this library."""

import math

import numpy as np
import pytest

import metameasure as mm

UNDEFINED = [
    (mm.precision, [0, 0, 1, 1], [0, 0, 0, 0]),
    (mm.recall, [0, 0, 0], [0, 1, 0]),
    (mm.f1, [0, 0, 0, 0], [0, 0, 0, 0]),
    (mm.jaccard, [0, 0, 0, 0], [0, 0, 0, 0]),
    (mm.mcc, [0, 0, 1, 1], [0, 0, 0, 0]),
    (mm.mcc, [1, 1, 1, 1], [1, 1, 1, 1]),
    (mm.balanced_accuracy, [1, 1, 1, 1], [1, 1, 1, 0]),
    (mm.average_precision, [0, 0], [0.3, 0.6]),
    (mm.ndcg, [0, 0, 0], [0.3, 0.2, 0.1]),
]


@pytest.mark.parametrize(("measure", "labels", "scores"), UNDEFINED)
def test_undefined_is_not_a_number(measure, labels, scores):
    with pytest.warns(mm.UndefinedMeasureWarning):
        assert math.isnan(measure(labels, scores))


def test_infinite_is_not_clipped():
    assert mm.log_loss([1, 0], [0.0, 0.5]) == math.inf
    assert mm.log_loss([1, 0], np.float32([0.0, 0.5])) == math.inf
    assert mm.lr_plus([1, 1, 0, 0], [1, 0, 0, 0]) == math.inf
    assert mm.lr_minus([1, 1, 0, 0], [1, 0, 0, 0]) == 0.5


@pytest.mark.parametrize("measure", [mm.auc, mm.log_loss])
def test_of_two_words_none_is_positive_by_itself(measure):
    with pytest.raises(mm.DataError, match="pos_label"):
        measure(["ill", "well", "well", "ill"], [0.9, 0.2, 0.1, 0.8])


def test_input_is_read_as_given():
    words, scores = ["ill", "well", "well", "ill"], [0.9, 0.2, 0.1, 0.8]
    assert mm.auc(words, scores, pos_label="ill") == 1
    assert mm.auc(words, scores, pos_label="well") == 0
    assert mm.auc([0, 0, 1, 1], [0.9, 0.8, 0.2, 0.1]) == 0
    with pytest.raises(mm.DataError, match=r"1 of 4.*row 1"):
        mm.auc([0, 0, 1, 1], [0.1, None, 0.3, 0.4])
    with pytest.raises(mm.DataError, match="sample_weight must be finite and >= 0"):
        mm.auc([0, 1, 1], [0.1, 0.9, 0.05], sample_weight=[1, 2, -1])


def test_a_name_stands_for_one_quantity():
    labels, scores = [0, 0, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.35, 0.4, 0.9]
    assert mm.auc(labels, scores) == 1
    assert mm.balanced_accuracy(labels, scores) == pytest.approx(2 / 3)
    assert mm.average_precision([1, 0, 0, 0], [0.5] * 4) == 0.25
    assert mm.average_precision([1, 0, 0, 0], [0.5] * 4, interpolation="trapezoid") == 0.25
    list_ = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]
    assert mm.average_precision(*list_) == pytest.approx(5 / 6)
    assert mm.average_precision(*list_, interpolation="trapezoid") == pytest.approx(19 / 24)
    assert mm.h_measure([0, 0, 1, 1], [-1.2, 0.3, 0.1, 2.1]) == pytest.approx(0.5)
    below = mm.partial_auc([1, 1, 0, 0], [0.1, 0.2, 0.8, 0.9], standardized=True)
    assert below == pytest.approx(9 / 19)


def test_the_same_name_for_another_number():
    from sklearn.metrics import balanced_accuracy_score, brier_score_loss

    rng = np.random.default_rng(0)
    probabilities, labels = rng.dirichlet([1, 1, 1], 50), rng.integers(0, 3, 50)
    ours = mm.brier(labels, probabilities, labels=[0, 1, 2])
    assert brier_score_loss(labels, probabilities) == pytest.approx(2 * ours)
    assert brier_score_loss(labels, probabilities, scale_by_half=True) == pytest.approx(ours)
    guess = probabilities.argmax(axis=1)
    matrix = mm.ConfusionMatrix.of(labels, guess)
    theirs = balanced_accuracy_score(labels, guess)
    assert matrix.measure("tpr", average="macro") == pytest.approx(theirs)
    assert matrix.measure("balanced_accuracy", average="macro") != pytest.approx(theirs, abs=0.1)
