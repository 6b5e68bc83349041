"""Measures of calibration against val.prob of the R package rms, and R's lowess."""

import json
from pathlib import Path

import pytest

import metameasure as mm

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "val_prob.json").read_text())
CASES = {case["name"]: (case["label"], case["score"]) for case in GOLDEN["cases"]}
VALUES = {(one["case"], one["statistic"]): one["value"] for one in GOLDEN["values"]}


@pytest.mark.parametrize("case", CASES)
def test_the_regression_and_the_losses_are_those_of_val_prob(case):
    label, score = CASES[case]
    found = {
        "Intercept": mm.calibration_intercept(label, score),
        "Slope": mm.calibration_slope(label, score),
        "Brier": mm.brier(label, score),
        "R2": mm.nagelkerke_r2(label, score),
    }
    expected = {name: VALUES[case, name] for name in found}
    assert found == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("case", CASES)
def test_the_calibration_curve_is_that_of_lowess(case):
    """R fits at each score; val.prob at scores that are 1% of the range apart, as is done here."""
    label, score = CASES[case]
    found = {"lowess_mean": mm.ici(label, score), "lowess_max": mm.emax(label, score)}
    expected = {name: VALUES[case, name] for name in found}
    assert found == pytest.approx(expected, abs=2e-3)
    found = {"Eavg": mm.ici(label, score), "Emax": mm.emax(label, score)}
    found["E90"] = mm.e90(label, score)
    expected = {name: VALUES[case, name] for name in found}
    assert found == pytest.approx(expected, abs=4e-3)
