"""Whoever asks which of two values is better gets the answer of the measure.

The best calibration slope is 1, which no order of the values shows.
"""

import numpy as np
import pytest

import metameasure as mm
from metameasure.cli.commands.demo import _favorites
from metameasure.inference import Statistic
from metameasure.inference.paired import unjudged

SLOPE = mm.parse("calibration_slope")


def of_steepness(*steepness, cases=2000):
    """Labels, and models whose logits are the true ones times a number: slopes of one over it."""
    rng = np.random.default_rng(8)
    logit = 1.5 * rng.normal(size=cases)
    labels = rng.random(cases) < 1 / (1 + np.exp(-logit))
    return labels, {f"x{by:g}": 1 / (1 + np.exp(-by * logit)) for by in steepness}


@pytest.mark.parametrize(
    ("values", "ahead"),
    [((0.5, 0.9), -0.4), ((0.9, 0.5), 0.4), ((1.5, 0.9), -0.4), ((0.9, 1.5), 0.4), ((0.8, 1.2), 0)],
)
def test_a_slope_is_ahead_if_it_is_nearer_to_one(values, ahead):
    found = unjudged(("a", "b"), SLOPE, values, "bootstrap")
    assert found.ahead == pytest.approx(ahead)
    assert found.difference == pytest.approx(values[0] - values[1])


@pytest.mark.parametrize(("measure", "sign"), [("auc", 1), ("log_loss", -1)])
def test_the_end_that_is_better_is_ahead(measure, sign):
    found = unjudged(("a", "b"), mm.parse(measure), (0.75, 0.5), "bootstrap")
    assert found.ahead == sign * 0.25 == sign * found.difference


def test_without_a_difference_none_is_ahead():
    for value in (np.inf, np.nan):
        assert np.isnan(unjudged(("a", "b"), mm.parse("log_loss"), (value,) * 2, "normal").ahead)


def test_the_favorite_of_a_measure_is_nearest_to_its_best_value():
    labels, models = of_steepness(0.5, 1, 2)
    result = mm.evaluate(labels, models, "calibration_slope, log_loss, auc", ci=None)
    slopes = [row.value for row in result.rows if row.measure == SLOPE]
    assert np.allclose(slopes, [2 * slopes[1], slopes[1], slopes[1] / 2])
    assert "x1: calibration_slope, log_loss" in _favorites(result)


def test_what_is_dealt_is_turned_like_a_value():
    labels, models = of_steepness(0.5, 1, 2, cases=60)
    tables = [mm.tabulate(labels, score) for score in models.values()]
    for measure in map(mm.parse, ("calibration_slope", "log_loss", "auc")):
        found = [float(Statistic(measure).of(table)) for table in tables]
        assert found == [measure.goodness(measure.value(table)) for table in tables]
