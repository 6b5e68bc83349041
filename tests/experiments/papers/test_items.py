"""The cheapest cell of every exact and Monte Carlo item, and the printed values of all."""

import csv
import inspect
import math
from pathlib import Path

import numpy as np
import pytest

from metameasure import experiments
from metameasure.experiments.declaration import Printed, pooled, published
from metameasure.experiments.reproduction import judged

FOLDER = Path(experiments.__file__).parent / "published"
FILES = sorted(FOLDER.glob("*/*.csv"))
EXACT = experiments.items(kind="exact")
SIMULATED = experiments.items(kind="mc")
SIZES = {
    "berrar2014/figure1": 8,
    "berrar2014/figure2": 5,
    "berrar2014/figure3": 22,
    "berrar2014/figure4": 2 * 6,
    "wu2007/examples1-2": 2 * 7,
    "wu2007/figure1": 2 * 2,
    "wu2007/theorems": 5,
    "wu2007/arithmetic": 2 * (3 * 2 + 1),
    "wu2005/examples1-2": 2 * 3,
    "wu2005/theorems": 4,
    "wu2005/arithmetic": 2 * 4,
    "xie2022/confusion": 19,
    "xie2022/retrieval": 13,
    "xie2022/algorithm1": 9 * 2,
    "xie2022/algorithm2": 6,
    "xie2022/isometrics": 2,
    "huang2006/table1.1": 6,
    "huang2006/table1.2": 4,
    "huang2006/table1.3": 4,
    "huang2006/table3.1": 2 * 2,
    "huang2006/table3.2": 2 * 2,
    "huang2006/table3.3": 2 * 2,
    "huang2006/table3.4": 7 * 3,
    "huang2006/table3.5": 7 * 3,
    "huang2006/table3.6": 7 * 3,
    "huang2006/table3.7": 4 * 3,
    "huang2006/table3.8": 4 * 3,
    "huang2006/table3.9": 4 * 3,
    "huang2006/table3.10": 9 * 2,
    "huang2006/table3.11": 7,
    "huang2006/table3.12": 8 * 2,
    "huang2006/table3.18": 6 * 5,
    "huang2006/table3.19": 6 * 5,
    "huang2006/section3.3.1": 6,
    "huang2006/table4.1": 6 * 7,
    "huang2006/table4.2": 6 * 7,
    "huang2006/table4.3": 6 * 7,
    "huang2006/table4.4": 6 * 7,
    "huang2006/table4.5": 5,
    "huang2006/table4.6": 5 * 4,
    "huang2006/theorems": 15,
}
"""The number of printed values of each item."""
UNPRINTED = {
    "berrar2014/figure5",
    "berrar2014/figure6",
    "wu2007/figure2",
    "berrar2014/section4.1.2",
    "huang2006/section1.1.2",
    "huang2006/section3.2.2.1",
    "xie2022/section2.4",
    "berrar2014/section4.1",
    "wu2007/section5",
    *(
        f"{paper}/statements"
        for paper in ("berrar2014", "wu2007", "wu2005", "xie2022", "huang2006")
    ),
}
FEWEST = {"huang2006/table3.12": 1000}


def computed(item, cells, **offered):
    """The pooled values of some cells."""
    wanted = inspect.signature(item.compute).parameters
    values = []
    for number, cell in enumerate(cells):
        given = {**cell, **offered, "generator": np.random.default_rng(number)}
        values += item.compute(**{name: given[name] for name in given if name in wanted})
    return pooled(values)


@pytest.mark.parametrize("item", EXACT, ids=lambda item: item.key)
def test_the_cheapest_cell_of_exact_items(item):
    cell = min(item.cells, key=lambda cell: cell.get("length", 0)) if item.cells[0] else {}
    result = judged(item, computed(item, [cell]))
    here = [row for row in result.rows if row.verdict != "not run"]
    assert here
    for row in here:
        assert row.verdict != "differs", row
        assert row.error == 0
        assert (row.verdict != "erratum") or row.note in {e.number for e in experiments.errata()}


@pytest.mark.parametrize("item", SIMULATED, ids=lambda item: item.key)
def test_the_cheapest_cell_of_simulated_items(item):
    cell = {name: value[:2] if isinstance(value, list) else value
            for name, value in item.cells[0].items()}  # fmt: skip
    repeats = FEWEST.get(item.key, 60)
    values = computed(item, [cell], repeats=repeats)
    assert all(value.count == repeats for value in values)
    result = judged(item, values)
    for row in result.rows:
        if row.ours is not None:
            assert row.verdict != "differs"
            assert math.isfinite(row.ours)
            assert row.error >= 0
    if item.figure is not None:
        pytest.importorskip("matplotlib")
        assert item.figure(result).axes


@pytest.mark.parametrize("item", EXACT, ids=lambda item: item.key)
def test_the_number_of_printed_values(item):
    key = f"{item.paper}/{item.alternative_to or item.name}"
    assert len(item.published) == (0 if key in UNPRINTED else SIZES[key])


@pytest.mark.parametrize("item", SIMULATED, ids=lambda item: item.key)
def test_the_number_of_printed_values_of_simulated_items(item):
    key = f"{item.paper}/{item.alternative_to or item.name}"
    assert len(item.published) == (0 if key in UNPRINTED else SIZES[key])


def test_an_alternative_has_the_values_of_its_item():
    others = [item for item in experiments.items() if item.alternative_to]
    assert others
    for item in others:
        (first,) = experiments.items(f"{item.paper}/{item.alternative_to}")
        assert item.published == first.published
        assert first.alternative_to == ""
        assert "search" in item.convention


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_published_files_are_whole(path):
    text = path.read_text("utf-8")
    assert text.startswith("# "), "a transcriber's note comes first"
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines))
    places = {(row.get("part") or "", row["row"], row["column"]) for row in rows}
    assert len(places) == len(rows) == len(lines) - 1
    found = published(path.parent.name, path.stem)
    assert set(found) == places
    for text in found.values():
        assert math.isfinite(text.value) or text.text in {"", "inf", "NA"}, text


@pytest.mark.parametrize(
    ("text", "value", "half"),
    [
        ("24/25", 0.96, 0),
        ("12,345", 12345, 0),
        ("0", 0, 0),
        ("0.50", 0.5, 0.005),
        (".5", 0.5, 0.05),
    ],
)
def test_printed_numbers(text, value, half):
    assert Printed(text).value == pytest.approx(value, rel=1e-15)
    assert Printed(text).half_unit == pytest.approx(half)
    assert math.isnan(Printed("NA").value)
