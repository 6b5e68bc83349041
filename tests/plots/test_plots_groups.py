"""Forest plots of groups: what is drawn is what was computed."""

import numpy as np
import polars as pl
import pytest
from program import run_plot

import metameasure as mm
from metameasure.errors import DataError
from metameasure.plots import GroupsDisplay

RNG = np.random.default_rng(5)
LABEL = RNG.random(400) < 0.4
SCORE = 1 / (1 + np.exp(-1.5 * (LABEL - 0.5) - RNG.normal(size=400)))
SITE, SEX = np.array(["x", "y", "$z_1$"])[RNG.integers(0, 3, 400)], RNG.integers(0, 2, 400)
RESULT = mm.compare_groups(LABEL, SCORE, group={"site": SITE, "sex": SEX}, crossed=True)


def drawn(display, row, several=True):
    """The marker, and the ends of the interval, of a row."""
    title = f"{row.measure} by {row.by}" if several else row.measure
    key = f"{title}: {row.model}, {row.group}"
    marker = display.artists_[key].get_xdata()[0]
    return marker, display.artists_[f"interval of {key}"].get_xdata()


def test_values_and_limits_of_every_group_are_drawn():
    display = GroupsDisplay(RESULT).plot()
    rows = [row for row in RESULT.rows if row.by is not None]
    for row in rows:
        value, ends = drawn(display, row)
        assert value == row.value
        assert ends == pytest.approx([row.low, row.high])
    assert len(display.panels) == 4  # one axis per measure
    assert sum(len(block.rows) for block in display.blocks) == len(rows)
    assert {row.name for block in display.blocks for row in block.rows} >= {
        f"x ({np.count_nonzero(SITE == 'x')})"
    }
    whole = {row.measure: row.value for row in RESULT.rows if row.by is None}
    for block in display.blocks:
        assert {row.guides for row in block.rows} == {(whole[block.title.split(" by ")[0]],)}


def test_differences_have_pvalues_and_share_an_axis():
    display = GroupsDisplay(RESULT, differences=True).plot()
    assert len(display.panels) == 1
    for row in RESULT.rows:
        if row.by is not None:
            value, ends = drawn(display, row)
            assert value == row.difference
            assert ends == pytest.approx([row.difference_low, row.difference_high])
    assert {row.guides for block in display.blocks for row in block.rows} == {(0.0,)}
    texts = {text.get_text() for text in display.ax_.texts}
    assert {"adjusted p", "difference"} <= texts


def test_a_group_without_a_value_has_a_row_without_a_marker():
    site = np.where(LABEL & (np.arange(400) < 40), "only positives", "other")
    result = mm.compare_groups(LABEL, SCORE, group=site, rates=False)
    display = GroupsDisplay(result).plot()
    assert "auc: model, only positives" not in display.artists_
    assert len(display.blocks[0].rows) == 2


def test_from_predictions_and_several_models():
    display = GroupsDisplay.from_predictions(
        LABEL, {"a": SCORE, "b": SCORE**2}, group=SITE, rates=False
    )
    assert [row.name.partition(",")[0] for row in display.blocks[0].rows] == ["a"] * 3 + ["b"] * 3
    assert len(set(display.colors.values())) == 2


def test_other_results_and_too_many_groups_are_refused():
    with pytest.raises(DataError, match="result must come from compare_groups, got Evaluation"):
        GroupsDisplay(mm.evaluate(LABEL, SCORE, "auc"))
    many = mm.compare_groups(LABEL, SCORE, group=np.arange(400) % 60)
    with pytest.raises(DataError, match="a forest plot shows up to 200 rows, got 244"):
        GroupsDisplay(many)


def test_the_command_draws(tmp_path):
    frame = pl.DataFrame({"y": LABEL, "s": SCORE, "site": SITE, "sex": SEX})
    frame.write_csv(tmp_path / "p.csv")
    options = ("--label", "y", "--score", "s", "--group", "site", "--group", "sex", "--crossed")
    for more in ((), ("--differences", "--no-rates")):
        done = run_plot("groups", tmp_path / "p.csv", *options, *more, "-o", tmp_path / "g.svg")
        assert done.exit_code == 0, done.output
        assert (tmp_path / "g.svg").read_text().startswith("<?xml")


def test_a_result_draws_itself():
    drawn_by = RESULT.plot(differences=True)
    assert isinstance(drawn_by, GroupsDisplay)
    assert drawn_by.compares
    assert set(drawn_by.artists_) == set(GroupsDisplay(RESULT, differences=True).plot().artists_)
