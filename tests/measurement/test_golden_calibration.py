"""What mapie, netcal and model-diagnostics say of calibration: tools/make_golden_calibration.py."""

import json
import math
import warnings
from fractions import Fraction
from pathlib import Path

import pytest

import metameasure as mm
from oracles import TABLE_ORACLES

FILE = Path(__file__).parents[1] / "golden" / "calibration.json"
GOLDEN = json.loads(FILE.read_text(encoding="utf-8"))
CASES = {case["name"]: case for case in GOLDEN["cases"]}
PEERS = set(GOLDEN["versions"])

# Some values are a difference of sums near 1, whose own rounding is all that is left at 0.
NEAR = {"rel": 1e-12, "abs": 1e-15}


def measured(text, case):
    """Our value of a measure."""
    return mm.parse(text)(case["label"], case["score"], sample_weight=case["weight"])


def demanded(text, case):
    """The value that the definition demands, in fractions."""
    measure = mm.parse(text)
    weights = case["weight"] or [1] * len(case["label"])
    rows = [
        (bool(y), s, Fraction(w))
        for y, s, w in zip(case["label"], case["score"], weights, strict=True)
    ]
    return float(TABLE_ORACLES[measure.name](rows, **dict(measure.parameters)))


def table_of(record):
    """Our table; its slope and intercept, which no peer has, are undefined for some cases."""
    case = CASES[record["case"]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mm.UndefinedMeasureWarning)
        return mm.calibration_table(
            case["label"],
            case["score"],
            sample_weight=case["weight"],
            bins=record.get("bins", 10),
            equal=record.get("equal", "mass"),
        )


def binning(record):
    return f"{record['case']}-{record['bins']}-{record['equal']}"


@pytest.mark.parametrize(
    "record", GOLDEN["values"], ids=lambda r: f"{r['measure']}-{r['case']}-{r['peer']}"
)
def test_equals_the_peer(record):
    value = measured(record["measure"], CASES[record["case"]])
    assert value == pytest.approx(record["value"], **NEAR)


def test_every_peer_and_measure_is_there():
    found = {(r["peer"], r["measure"].split("(")[0]) for r in GOLDEN["values"]}
    parts = ("brier", "log_loss", "miscalibration", "discrimination", "uncertainty")
    expected = {("mapie", "ece"), ("mapie", "spiegelhalter_z"), ("netcal", "ece")}
    assert found == expected | {("model-diagnostics", part) for part in parts}
    for peer in ("mapie", "netcal"):
        kinds = {r["measure"] for r in GOLDEN["values"] if r["peer"] == peer}
        assert {f'ece(bins={n}, equal="{e}")' for n in (5, 10) for e in ("mass", "width")} <= kinds


@pytest.mark.parametrize("name", CASES)
def test_brier_decomposition_has_the_same_parts(name):
    case = CASES[name]
    ours = mm.brier_decomposition(case["label"], case["score"], sample_weight=case["weight"])
    theirs = {
        r["measure"]: r["value"]
        for r in GOLDEN["values"]
        if (r["case"], r["peer"]) == (name, "model-diagnostics")
    }
    for part in ("miscalibration", "discrimination", "uncertainty"):
        assert getattr(ours, part) == pytest.approx(theirs[part], **NEAR)


@pytest.mark.parametrize("record", GOLDEN["bins"], ids=binning)
def test_bins_equal_those_of_model_diagnostics(record):
    rows = table_of(record).rows
    assert [row.cases for row in rows] == pytest.approx(record["cases"], **NEAR)
    assert [-row.gap for row in rows] == pytest.approx(record["bias"], **NEAR)
    if record["score"]:
        assert [row.mean_score for row in rows] == pytest.approx(record["score"], **NEAR)


@pytest.mark.parametrize("record", GOLDEN["gaps"], ids=binning)
def test_mean_and_largest_gap_equal_those_of_netcal(record):
    gaps = [abs(row.gap) for row in table_of(record).rows]
    assert math.fsum(gaps) / len(gaps) == pytest.approx(record["mean"], **NEAR)
    assert max(gaps) == pytest.approx(record["largest"], **NEAR)


@pytest.mark.parametrize("record", GOLDEN["one_sided"], ids=lambda r: r["case"])
def test_spiegelhalter_has_both_sides_where_mapie_has_one(record):
    (row,) = (row for row in table_of(record).summary if row.measure == "spiegelhalter_z")
    assert row.pvalue == pytest.approx(math.erfc(abs(row.value) / math.sqrt(2)), rel=1e-12, abs=0)
    # mapie takes 1 - cdf, which is right to 16 digits after the point only, and then 0.
    side = record["value"] if row.value > 0 else 1 - record["value"]
    assert row.pvalue == pytest.approx(2 * side, rel=1e-12, abs=4e-16)


@pytest.mark.parametrize("record", GOLDEN["differ"], ids=lambda r: f"{r['peer']}-{r['measure']}")
def test_has_the_defined_value_where_a_peer_differs(record):
    assert record["peer"] in PEERS
    assert record["why"]
    ours = measured(record["measure"], record)
    assert ours == pytest.approx(demanded(record["measure"], record), **NEAR)
    if record["value"] is not None:
        assert abs(ours - record["value"]) > 0.01
    if "same_as" in record:
        assert measured(record["same_as"], record) == pytest.approx(record["value"], **NEAR)
    if "sorted" in record:
        assert ours == pytest.approx(record["sorted"], **NEAR)
