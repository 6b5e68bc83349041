"""Variances, intervals and tests of other libraries, recorded by tools/make_golden_inference.py."""

import json
import math
from collections import Counter
from pathlib import Path

import pytest

import metameasure as mm
from metameasure.data import Predictions
from metameasure.inference import Sample, friedman_test, holm, sign_test, wilcoxon_test
from metameasure.inference.methods.delong import spread, spread_of_difference
from metameasure.inference.methods.mcnemar import McNemarChi2, McNemarExact
from metameasure.inference.methods.wilson import wilson_limits

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = {case["name"]: case for case in json.loads((GOLDEN / "inference_cases.json").read_text())}
RECORDS = json.loads((GOLDEN / "inference.json").read_text())


def records(*what):
    """The records of some kind, each with an id."""
    counted = Counter()
    for record in RECORDS:
        if record["what"] in what:
            parts = (record["case"], record["what"], record["parameters"].get("measure"))
            parts = (*parts, "".join(record["model"] or ""), record["peer"].split()[0])
            name = "-".join(part for part in parts if part)
            counted[name] += 1
            yield pytest.param(record, id=f"{name}-{counted[name]}")


def golden(*what):
    return pytest.mark.parametrize("record", list(records(*what)))


def close(value, rel=1e-10):
    return pytest.approx(value, rel=rel, abs=1e-300)


def table_of(record, model=None):
    case = CASES[record["case"]]
    return mm.tabulate(case["label"], case["scores"][model or record["model"]])


def sample_of(record):
    case = CASES[record["case"]]
    return Sample.of(Predictions.of(case["label"], case["scores"]))


def row_of(record, **options):
    """The row of the comparison of a and b."""
    case = CASES[record["case"]]
    measure = record["parameters"].get("measure", "accuracy@0.5")
    found = mm.compare(case["label"], case["scores"], measure, **options)
    (row,) = found.rows
    assert (row.a, row.b) == tuple(record["model"])
    return row


def difference_variance(record):
    measure = mm.parse(record["parameters"]["measure"])
    return spread_of_difference(measure, sample_of(record), *record["model"]).delong


def test_every_kind_of_record_is_tested():
    tested = {
        "value", "delong_variance", "delong_covariance", "delong_difference_variance",
        "delong_interval", "delong_difference_interval", "delong_z", "delong_p", "mcnemar_exact",
        "mcnemar_chi2", "mcnemar_chi2_p", "wilson", "holm", "friedman", "friedman_p", "sign_test",
        "wilcoxon",
    }  # fmt: skip
    assert {record["what"] for record in RECORDS} == tested


# ------------------------------------------------------------------------------ DeLong


@golden("value")
def test_value(record):
    measure = mm.parse(record["parameters"]["measure"])
    assert measure.compute(table_of(record)) == close(record["value"], 1e-13)


@golden("delong_variance")
def test_variance(record):
    measure = mm.parse(record["parameters"]["measure"])
    assert spread(measure, table_of(record)).delong == close(record["value"], 1e-12)


@golden("delong_covariance")
def test_covariance(record):
    measure = mm.parse(record["parameters"]["measure"])
    a, b = (spread(measure, table_of(record, model)).delong for model in record["model"])
    found = (a + b - difference_variance(record)) / 2
    # Three variances cancel: what is left has the error of the largest.
    assert found == pytest.approx(record["value"], rel=1e-10, abs=1e-13 * (a + b))


@golden("delong_difference_variance")
def test_variance_of_the_difference(record):
    assert difference_variance(record) == close(record["value"])


@golden("delong_interval")
def test_wald_interval(record):
    case = CASES[record["case"]]
    found = mm.interval(
        case["label"],
        case["scores"][record["model"]],
        record["parameters"]["measure"],
        ci=record["parameters"]["confidence"],
        method="wald",
    )
    assert [found.low, found.high] == close(record["value"])
    assert found.method == "wald"


@golden("delong_difference_interval")
def test_interval_of_the_difference(record):
    found = row_of(record, ci=record["parameters"]["confidence"], method="delong")
    assert [found.low, found.high] == pytest.approx(record["value"], rel=1e-10, abs=1e-12)


@golden("delong_z")
def test_z(record):
    found = row_of(record)
    z = found.difference / math.sqrt(difference_variance(record))
    assert z == close(record["value"])


@golden("delong_p")
def test_p(record):
    found = row_of(record, method="delong")
    assert found.pvalue == close(record["value"])
    assert found.adjusted_pvalue == found.pvalue


# ----------------------------------------------------------------------------- McNemar


def discordant(record):
    (_, only_a), (only_b, _) = record["parameters"]["table"]
    return only_a, only_b


@golden("mcnemar_exact")
def test_mcnemar_exact(record):
    assert McNemarExact().pvalue(*discordant(record)) == close(record["value"], 1e-11)
    if record["case"]:
        assert row_of(record, method="mcnemar_exact").pvalue == close(record["value"], 1e-11)


@golden("mcnemar_chi2", "mcnemar_chi2_p")
def test_mcnemar_chi2(record):
    corrected, value = record["parameters"]["correction"], record["value"]
    if record["what"] == "mcnemar_chi2":
        value = math.erfc(math.sqrt(value / 2))
    form = type("Form", (McNemarChi2,), {"correction": int(corrected)})
    assert form().pvalue(*discordant(record)) == close(value, 1e-12)
    if record["case"] and corrected:
        assert row_of(record, method="mcnemar_chi2").pvalue == close(value, 1e-12)


# --------------------------------------------------------------- shares and many p-values


@golden("wilson")
def test_wilson(record):
    found = wilson_limits(*record["parameters"].values())
    assert list(found) == pytest.approx(record["value"], rel=1e-10, abs=1e-15)


@golden("holm")
def test_holm(record):
    assert holm(record["parameters"]["p_values"]) == close(record["value"], 1e-14)


# --------------------------------------------------------------------------- data sets


@golden("friedman", "friedman_p")
def test_friedman(record):
    found = friedman_test(record["parameters"]["values"])
    value = found.statistic if record["what"] == "friedman" else found.pvalue
    assert value == close(record["value"], 1e-12)


@golden("sign_test")
def test_sign(record):
    parameters = record["parameters"]
    assert sign_test(parameters["x"], parameters["y"]).pvalue == close(record["value"], 1e-12)


@golden("wilcoxon")
def test_wilcoxon(record):
    parameters = record["parameters"]
    found = wilcoxon_test(parameters["x"], parameters["y"], zeros="wilcox").pvalue
    if parameters["exact"]:
        assert found == close(record["value"], 1e-12)
    else:
        # Ours is exact up to 50 data sets also with ties, theirs the normal approximation.
        assert found == pytest.approx(record["value"], rel=0.05)
