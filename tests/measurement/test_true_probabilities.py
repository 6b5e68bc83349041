"""Measures against true probabilities: by hand, and by two weighted cases per probability."""

import math

import numpy as np
import pytest

import metameasure as mm
from metameasure.errors import DataError, ParameterError

RNG = np.random.default_rng(8)
TRUE, SCORE, WEIGHT = RNG.random(40), RNG.random(40), RNG.integers(0, 4, 40)


def test_by_hand():
    true, score = [0.7, 0.2, 1.0], [0.5, 0.2, 0.9]
    assert mm.brier(true, score, soft=True) == pytest.approx((0.04 + 0 + 0.01) / 3)
    assert mm.rms(true, score, soft=True) == pytest.approx(math.sqrt(0.05 / 3))
    losses = [math.log(2), -0.2 * math.log(0.2) - 0.8 * math.log(0.8), -math.log(0.9)]
    assert mm.log_loss(true, score, soft=True) == pytest.approx(sum(losses) / 3)


def test_a_probability_is_two_cases_with_its_weights():
    label, score = np.repeat([1, 0], 40), np.tile(SCORE, 2)
    weight = np.concatenate([TRUE * WEIGHT, (1 - TRUE) * WEIGHT])
    of_cases = {"y_true": label, "y_score": score, "sample_weight": weight}
    given = {"y_true": TRUE, "y_score": SCORE, "sample_weight": WEIGHT, "soft": True}
    assert mm.log_loss(**given) == pytest.approx(mm.log_loss(**of_cases))
    varying = np.average(TRUE * (1 - TRUE), weights=WEIGHT)
    assert mm.brier(**given) + varying == pytest.approx(mm.brier(**of_cases))


@pytest.mark.parametrize("name", ["rms", "brier", "log_loss"])
def test_certain_probabilities_are_labels(name):
    label = TRUE > 0.5
    soft = mm.parse(name)(label.astype(float), SCORE, soft=True)
    assert soft == pytest.approx(mm.parse(name)(label, SCORE))
    assert mm.parse(name)(label, SCORE, soft=False) == mm.parse(name)(label, SCORE)


@pytest.mark.parametrize("name", ["rms", "brier", "log_loss"])
def test_integer_weights_are_repetitions_and_zeros_do_not_count(name):
    measure = mm.parse(name)
    weighted = measure(TRUE, np.where(WEIGHT, SCORE, 0.0), soft=True, sample_weight=WEIGHT)
    repeated = measure(np.repeat(TRUE, WEIGHT), np.repeat(SCORE, WEIGHT), soft=True)
    assert weighted == pytest.approx(repeated)


def test_the_infinite_loss_needs_a_probability_above_0():
    assert mm.log_loss([0, 1], [0, 1], soft=True) == 0
    assert mm.log_loss([0, 0.9], [0, 1], soft=True) == math.inf
    right = (-0.9 * math.log(0.999) - 0.1 * math.log(0.001) - math.log(0.999)) / 2
    assert mm.log_loss([0, 0.9], [0, 1], soft=True, clip=0.001) == pytest.approx(right)


def test_missing_values_are_an_error_or_dropped():
    true, score = [0.5, math.nan, 0.25], [0.5, 0.5, 0.5]
    with pytest.raises(DataError, match="1 of 3 values of y_true are missing"):
        mm.rms(true, score, soft=True)
    with pytest.warns(mm.DroppedCasesWarning, match="dropped 1 of 3"):
        assert mm.brier(true, score, soft=True, nan_policy="drop") == 0.0625 / 2


@pytest.mark.parametrize(
    ("true", "score", "options", "error", "message"),
    [
        (
            [0.5, 1.5],
            [0.5, 0.5],
            {},
            DataError,
            r"y_true must be probabilities in \[0, 1\], got 1.5",
        ),
        (
            [0.5, 1.0],
            [0.5, -2],
            {},
            DataError,
            r"y_score must be probabilities in \[0, 1\], got -2",
        ),
        ([0.5], [0.5, 0.5], {}, DataError, "y_true and y_score differ in length: 1 and 2"),
        ([], [], {}, DataError, "there are no cases: y_true is empty"),
        ([0.5], None, {}, DataError, "rms with soft=True needs y_true and y_score"),
        (["a"], [0.5], {}, DataError, "y_true must be real numbers"),
        ([0.5], [0.5], {"sample_weight": [0]}, DataError, "all weights in sample_weight are 0"),
        ([0.5], [0.5], {"pos_label": 1}, ParameterError, "pos_label does not apply to true prob"),
        ([0.5], [0.5], {"clip": 0.1}, ParameterError, "rms has no parameter clip"),
    ],
)
def test_what_is_refused(true, score, options, error, message):
    with pytest.raises(error, match=message):
        mm.rms(true, score, soft=True, **options)


def test_other_measures_have_no_such_option():
    with pytest.raises(ParameterError, match="use one of brier, rms, log_loss"):
        mm.auc([0, 1], [0.2, 0.3], soft=True)
