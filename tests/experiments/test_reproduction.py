"""How values are shown beside the printed ones."""

import pytest

from metameasure.experiments.declaration import Item, Printed, Value
from metameasure.experiments.reproduction import judged
from metameasure.experiments.tolerance import LastDigit, Sampling

EXACT = LastDigit()


def shown(printed, value, *, tolerance=EXACT, errata=None, repeats=None):
    """The grid of an item with one value."""
    item = Item(
        "wu2005", "made", "exact", "?", [], list, tolerance, 1.0, repeats=100, errata=errata or {}
    )
    item.__dict__["published"] = {("", "a", "b"): Printed(printed)}
    (grid,) = judged(item, [value], repeats=repeats).grids()
    ((_, (cell,)),) = grid.rows
    return grid, cell


@pytest.mark.parametrize(
    ("printed", "ours", "text"),
    [
        ("0", 0.0053, "0.0053"),
        ("1", 0.9943, "0.9943"),
        ("0.25", 0.31, "0.310"),
        ("12", 15.0, "15"),
    ],
)
def test_a_difference_is_visible(printed, ours, text):
    for errata in ({}, {("", "a", "b"): "Huang 14"}):
        _, cell = shown(printed, Value("a", "b", ours), errata=errata)
        assert cell.text == text
        assert cell.stands_out


def test_the_caption_says_what_no_mark_means():
    grid, cell = shown("0.25", Value("a", "b", 0.25))
    assert "without a mark they agree" in grid.caption
    assert "?" not in grid.caption
    assert not cell.stands_out


def test_too_few_repeats_have_a_mark():
    value = Value("a", "b", 0.26, error=0.1, print_error=0.02)
    grid, cell = shown("0.25", value, tolerance=Sampling(), repeats=2)
    assert "? where they agree, but by too few repeats" in grid.caption
    assert cell.interval.endswith(" ?")
    assert not cell.stands_out
