"""Values that other libraries give, recorded by tools/make_golden.py."""

import json
from pathlib import Path

import pytest

import metameasure as mm

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = {case["name"]: case for case in json.loads((GOLDEN / "cases.json").read_text())}
PEERS = json.loads((GOLDEN / "peers.json").read_text())


@pytest.mark.parametrize(
    "record", PEERS, ids=lambda r: f"{r['measure']}-{r['case']}-{r['peer'].split()[0]}"
)
def test_equals_the_peer(record):
    case = CASES[record["case"]]
    measure = mm.parse(record["measure"])
    value = measure(case["label"], case["score"], sample_weight=case["weight"])
    assert value == pytest.approx(record["value"], rel=1e-12, abs=1e-12)
