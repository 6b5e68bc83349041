"""Numbers of cases of pROC's power.roc.test, recorded by tools/make_golden_sample_size.py."""

import json
import math
from pathlib import Path

import pytest

import metameasure as mm
from metameasure.planning.auc_variance import obuchowski
from metameasure.planning.precision import PowerGoal, Sizes, needed_cases

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = {case["name"]: case for case in json.loads((GOLDEN / "inference_cases.json").read_text())}
RECORDS = json.loads((GOLDEN / "sample_size.json").read_text())
ONE = [record for record in RECORDS if record["case"] is None]
TWO = [record for record in RECORDS if record["case"] is not None]


def goal_of(record):
    variances = obuchowski(0.5), obuchowski(record["auc"])
    return PowerGoal(record["auc"] - 0.5, *variances, record["alpha"] / 2, record["power"])


def test_there_are_records_of_both_kinds():
    assert len(ONE) == 36
    assert len(TWO) >= 12


@pytest.mark.parametrize("record", ONE, ids=str)
def test_one_curve(record):
    prevalence = 1 / (1 + record["kappa"])
    cases = needed_cases(goal_of(record), prevalence)
    assert cases * prevalence == pytest.approx(record["ncases"], rel=1e-10)
    found = mm.sample_size(
        "auc",
        power=record["power"],
        value=record["auc"],
        ratio=record["kappa"],
        alpha=record["alpha"],
        formula="obuchowski",
    )
    assert found.positives == math.ceil(record["ncases"])
    assert found.negatives == math.ceil(record["ncontrols"])
    assert found.rows[0].reached == pytest.approx(record["reached"], rel=1e-10)


def test_the_power_of_numbers_of_cases():
    record = next(one for one in ONE if one["kappa"] == 4 and one["auc"] == 0.7)
    sizes = Sizes(math.nan, math.ceil(record["ncases"]), math.ceil(record["ncontrols"]))
    assert goal_of(record).reached(sizes) == pytest.approx(record["reached"], rel=1e-10)


@pytest.mark.parametrize("record", TWO, ids=str)
def test_two_curves_of_the_same_cases(record):
    case = CASES[record["case"]]
    found = mm.sample_size(
        "auc",
        case["label"],
        case["scores"],
        power=record["power"],
        alpha=record["alpha"],
        formula="obuchowski",
    )
    assert found.positives == math.ceil(record["ncases"])
    assert found.negatives == math.ceil(record["ncontrols"])


def test_one_curve_of_a_pilot_is_taken_by_its_auc():
    case = CASES["continuous"]
    auc = mm.auc(case["label"], case["scores"]["a"])
    ratio = case["label"].count(0) / case["label"].count(1)
    options = {"power": 0.9, "formula": "obuchowski"}
    pilot = mm.sample_size("auc", case["label"], case["scores"]["a"], **options)
    assumed = mm.sample_size("auc", value=auc, ratio=ratio, **options)
    assert (pilot.positives, pilot.negatives) == (assumed.positives, assumed.negatives)
