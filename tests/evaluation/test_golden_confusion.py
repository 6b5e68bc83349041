"""What PyCM says of confusion matrices, recorded by tools/make_golden_confusion.py."""

import json
import math
import warnings
from fractions import Fraction
from pathlib import Path

import pytest

import metameasure as mm
from oracles import CUT_ORACLES
from oracles import confusion as oracle

FILE = Path(__file__).parents[1] / "golden" / "confusion.json"
GOLDEN = json.loads(FILE.read_text(encoding="utf-8"))
COUNTS = {matrix["name"]: matrix["counts"] for matrix in GOLDEN["matrices"]}

# Correlation and kappa are a difference of products, whose own rounding is all that is left at 0.
NEAR = {"rel": 1e-12, "abs": 1e-15}


def places(record):
    """The classes and averages of a record, each with the value that PyCM has."""
    for label, value in enumerate(record.get("classes", [])):
        yield {"label": label}, value
    for average in ("macro", "weighted"):
        if average in record:
            yield {"average": average}, record[average]
    for key in ("label", "average"):
        if key in record:
            yield {key: record[key]}, record["value"]


def key_of(record, place):
    return record["matrix"], record["statistic"], *place.items()


DIFFER = {
    key_of(record, place): value for record in GOLDEN["differ"] for place, value in places(record)
}
RECORDS = [*GOLDEN["classes"], *GOLDEN["overall"]]


def measured(record, place):
    """Our value, without the warning if there is none."""
    counts = COUNTS[record["matrix"]]
    matrix = mm.ConfusionMatrix(counts, labels=range(len(counts)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mm.UndefinedMeasureWarning)
        return matrix.measure(record["measure"], **place)


def demanded(record, place):
    """The value that the definition demands, from fractions; NaN where it is 0/0."""
    rows = COUNTS[record["matrix"]]
    labels = range(len(rows))
    counts = {(a, b): Fraction(rows[a][b]) for a in labels for b in labels}
    measure = mm.parse(record["measure"])
    if place.get("average") == "overall":
        value = oracle.OVERALL_ORACLES[measure.name](counts)
    else:
        definition, options = CUT_ORACLES[measure.name], dict(measure.parameters)
        if "label" in place:
            cut = oracle.one_against_rest(counts, place["label"])
            value = definition(*cut, **options)
        else:
            value = oracle.averages(definition, counts, labels, **options)[place["average"]]
    return math.nan if value is None else float(value)


def name(record):
    return f"{record['matrix']}-{record['statistic']}".replace(" ", "_")


@pytest.mark.parametrize("record", RECORDS, ids=name)
def test_equals_pycm(record):
    for place, value in places(record):
        if (key := key_of(record, place)) in DIFFER:
            assert value == DIFFER[key], place
            continue
        ours = measured(record, place)
        if value is None:
            assert math.isnan(demanded(record, place)), place
            assert math.isnan(ours), place
        else:
            assert ours == pytest.approx(value, **NEAR), place


@pytest.mark.parametrize(
    "record", GOLDEN["differ"], ids=lambda r: f"{name(r)}-{r.get('label', r.get('average'))}"
)
def test_has_the_defined_value_where_pycm_differs(record):
    assert record["why"]
    ((place, value),) = places(record)
    right, ours = demanded(record, place), measured(record, place)
    assert not math.isnan(right)
    assert ours == pytest.approx(right, rel=1e-15, abs=0)
    if value is not None:
        assert value != pytest.approx(right, rel=1e-10, abs=0)


def test_cases_with_weights_give_the_same_matrix():
    cases = GOLDEN["weighted"]
    found = mm.ConfusionMatrix.of(
        cases["true"], cases["predicted"], sample_weight=cases["weight"], labels=[0, 1, 2]
    )
    assert found.counts.tolist() == COUNTS["weighted"]


def test_the_comparison_is_broad():
    names = {mm.parse(record["measure"]).name for record in GOLDEN["classes"]}
    averages = {record["average"] for record in GOLDEN["overall"]}
    values = [value for record in RECORDS for _, value in places(record)]
    assert len(names) == 21
    assert averages == {"macro", "micro", "weighted", "overall"}
    assert sum(value is not None for value in values) > 1900
    assert len(DIFFER) < 50
