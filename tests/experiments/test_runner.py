"""Running items: what is kept, what is run again, and that the result is always the same."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from metameasure import experiments
from metameasure.errors import DataError, ParameterError
from metameasure.experiments import declaration as declaring
from metameasure.experiments.declaration import Item, Printed, Value, pooled
from metameasure.experiments.tolerance import LastDigit, Sampling, Within

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy as np


@pytest.fixture
def coins(monkeypatch: pytest.MonkeyPatch) -> Item:
    """An item that tosses coins, in blocks."""

    def toss(bias: float, repeats: int, generator: np.random.Generator) -> Iterator[Value]:
        rate = float((generator.random(repeats) < bias).mean())
        yield Value(
            f"{bias:g}", "heads", rate, math.sqrt(rate * (1 - rate) / repeats), count=repeats
        )

    made = Item(
        "wu2005",
        "coins",
        kind="mc",
        question="How often do coins show heads?",
        cells=[{"bias": 0.5}, {"bias": 0.9}],
        compute=toss,
        tolerance=Sampling(repeats=1000),
        cost=1.0,
        repeats=1000,
        block=300,
    )
    vars(made)["published"] = {
        ("", "0.5", "heads"): Printed("0.50"),
        ("", "0.9", "heads"): Printed("0.7"),
    }
    monkeypatch.setitem(declaring._ITEMS, made.key, made)
    monkeypatch.setattr(declaring, "_declared", lambda paper: (made,) if paper == "wu2005" else ())
    return made


def run(item: Item, out: Path, **options: Any) -> experiments.Reproduction:
    return experiments.run_item(item, out=out, workers=1, **options)


def test_blocks_are_pooled_and_judged(coins: Item, tmp_path: Path) -> None:
    result = run(coins, tmp_path)
    fair, biased = result.rows
    assert fair.verdict == "agrees"
    assert fair.error == pytest.approx(math.sqrt(0.25 / 1000), rel=0.01)
    assert biased.verdict == "differs"
    assert biased.difference == pytest.approx(0.2, abs=0.03)
    assert result.state == "differs"
    assert "1 of 2 printed values agree; 1 differ" in result.notes()


def test_only_missing_cells_run(coins: Item, tmp_path: Path) -> None:
    run(coins, tmp_path)
    cells = tmp_path / "wu2005" / "coins" / "cells.jsonl"
    whole, result = cells.read_text(), cells.with_name("result.json").read_bytes()
    assert len(whole.splitlines()) == 8  # 4 blocks of 2 coins
    # a run that was killed in the middle of a line
    cells.write_text("".join(whole.splitlines(keepends=True)[:3]) + whole.splitlines()[3][:40])
    cells.with_name("result.json").unlink()
    run(coins, tmp_path)
    assert cells.with_name("result.json").read_bytes() == result
    kept = {json.loads(line)["cell"] for line in cells.read_text().splitlines() if _valid(line)}
    assert kept == {json.loads(line)["cell"] for line in whole.splitlines()}


def _valid(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def test_other_settings_are_other_cells(coins: Item, tmp_path: Path) -> None:
    first = run(coins, tmp_path)
    other = run(coins, tmp_path, seed=1)
    assert other.rows[0].ours != first.rows[0].ours
    quick = run(coins, tmp_path, repeats=100)
    assert quick.rows[0].error > 2 * first.rows[0].error
    assert "100 repeats instead of 1000" in quick.notes()
    assert run(coins, tmp_path).to_json() == first.to_json()


@pytest.mark.parametrize(
    ("repeats", "verdict"), [(2, "too few repeats"), (142, "too few repeats"), (143, "agrees")]
)
def test_wide_intervals_do_not_count_as_agreement(
    coins: Item, tmp_path: Path, repeats: int, verdict: str
) -> None:
    """The difference of two rates of 1000 repeats each has half the error of one of 1/7 of them."""
    assert math.sqrt(1 / 1000 + 7 / 1000) == pytest.approx(2 * math.sqrt(1 / 1000 + 1 / 1000))
    vars(coins)["cells"] = [{"bias": 0.5}]
    result = run(coins, tmp_path, repeats=repeats)
    assert [row.verdict for row in result.rows] == [verdict, "not run"]
    assert result.state == verdict
    agreeing = int(verdict == "agrees")
    assert any(note.startswith(f"{agreeing} of 2 printed values agree") for note in result.notes())
    assert experiments.item_list("wu2005", out=tmp_path).rows[0].agree == agreeing
    vars(coins)["tolerance"] = Within("not by sampling", absolute=1)
    assert run(coins, tmp_path, repeats=repeats).rows[0].verdict == "agrees"


def test_a_difference_counts_with_few_repeats(coins: Item, tmp_path: Path) -> None:
    vars(coins)["cells"] = [{"bias": 0.9}]
    vars(coins)["published"] = {("", "0.9", "heads"): Printed("0.2")}
    result = run(coins, tmp_path, repeats=40)
    assert [row.verdict for row in result.rows] == ["differs"]


def test_the_result_is_read_back(coins: Item, tmp_path: Path) -> None:
    result = run(coins, tmp_path)
    listed = experiments.item_list("wu2005", out=tmp_path)
    assert [(row.item, row.state, row.agree, row.printed) for row in listed.rows] == [
        ("wu2005/coins", "differs", 1, 2)
    ]
    assert experiments.item_list("wu2005", out=tmp_path / "other").rows[0].state == "not run"
    assert f"state and agree: of the results in the folder {tmp_path}" in listed.notes()
    assert "wu2005/coins" in result.to_html()


def test_missing_data_are_reported(coins: Item, tmp_path: Path) -> None:
    vars(coins)["cells"] = [{"bias": 0.5, "dataset": "adult"}, {"bias": 0.9, "dataset": "balance"}]
    result = run(coins, tmp_path, data=tmp_path)
    assert [row.verdict for row in result.rows] == ["not run", "differs"]
    assert any(note.startswith("not run for adult") for note in result.notes())
    assert experiments.item_list("wu2005", out=tmp_path, data=tmp_path).rows[0].missing == (
        "adult",
    )


def test_an_item_without_any_data_writes_nothing(coins: Item, tmp_path: Path) -> None:
    vars(coins)["cells"] = [{"bias": 0.5, "dataset": "adult"}, {"bias": 0.9, "dataset": "pima"}]
    data, out = tmp_path / "data", tmp_path / "out"
    data.mkdir()
    (data / "pima.csv").write_text("a,b\n1,2\n")
    message = r"^wu2005/coins cannot run: .*adult\.csv is not in .*pima: .*must have the columns"
    with pytest.raises(DataError, match=message):
        run(coins, out, data=data)
    with pytest.raises(DataError, match=message):
        experiments.reproduce("wu2005", out=out, data=data, workers=1)
    assert not out.exists()
    assert experiments.item_list("wu2005", out=out, data=data).rows[0].missing == ("adult", "pima")


def test_among_several_items_one_without_data_is_left_out(
    coins: Item, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = replace(coins, name="other", cells=[{"bias": 0.5, "dataset": "adult"}])
    more = replace(other, name="more", cells=[{"bias": 0.5, "dataset": "pima"}])
    monkeypatch.setattr(declaring, "_declared", lambda _: (other, coins))
    result = experiments.reproduce("wu2005", out=tmp_path, data=tmp_path, workers=1)
    assert {row.item for row in result.rows} == {"wu2005/coins"}
    assert result.of("wu2005/other").state == "not run"
    assert any(note.startswith("not run for adult: ") for note in result.notes())
    assert [path.name for path in (tmp_path / "wu2005").iterdir()] == ["coins"]
    monkeypatch.setattr(declaring, "_declared", lambda _: (other, more))
    with pytest.raises(DataError, match=r"^the 2 items cannot run: .* adult: .* pima: "):
        experiments.reproduce("wu2005", out=tmp_path, data=tmp_path, workers=1)


def test_a_folder_of_data_must_exist(coins: Item, tmp_path: Path) -> None:
    for call in (experiments.reproduce, experiments.item_list):
        with pytest.raises(ParameterError, match=r"^data must be an existing folder, got"):
            call(coins.key, out=tmp_path, data=tmp_path / "none")


def test_a_folder_that_cannot_be_written_is_reported(coins: Item, tmp_path: Path) -> None:
    (tmp_path / "wu2005").write_text("a file")
    with pytest.raises(DataError, match="cannot be used"):
        run(coins, tmp_path)


def test_unknown_targets_are_named() -> None:
    with pytest.raises(ParameterError, match="there is no paper 'berrar'; the papers are"):
        experiments.items("berrar")
    for nothing in ("", "/table1"):
        with pytest.raises(ParameterError, match="there is no paper ''"):
            experiments.items(nothing)
    with pytest.raises(ParameterError, match="has no item 'table9'; its items are"):
        experiments.items("huang2006/table9")


def test_a_kind_that_is_not_there_is_refused() -> None:
    with pytest.raises(
        ParameterError, match=r"^kind must be 'data' for wu2007/table4, got 'exact'$"
    ):
        experiments.items("wu2007/table4", kind="exact")
    with pytest.raises(ParameterError, match=r"^kind must be 'exact' for xie2022, got 'mc'$"):
        experiments.items("xie2022", kind="mc")
    with pytest.raises(
        ParameterError, match=r"^kind must be one of 'exact', 'mc', 'data', got 'all'$"
    ):
        experiments.items(kind="all")  # type: ignore[arg-type]
    assert [each.name for each in experiments.items("wu2007/table4", kind="data")] == ["table4"]


def test_pooling_is_a_weighted_mean() -> None:
    (value,) = pooled([Value("a", "x", 1, 0.3, count=1), Value("a", "x", 4, 0.1, count=2)])
    assert value.value == pytest.approx(3)
    assert value.error == pytest.approx(math.hypot(0.3, 0.2) / 3)
    assert value.count == 3


@pytest.mark.parametrize(
    ("tolerance", "printed", "value", "agrees"),
    [
        (LastDigit(), "0.12", Value("", "", 0.1249), True),
        (LastDigit(), "0.12", Value("", "", 0.1251), False),
        (LastDigit(), "0.13", Value("", "", 0.125), True),  # a tie rounds either way
        (LastDigit(), "12,345", Value("", "", 12345), True),
        (LastDigit(), "inf", Value("", "", math.inf), True),
        (LastDigit(), "5", Value("", "", math.inf), False),
        (LastDigit(), "NA", Value("", "", math.nan), True),
        (Within("a reason", relative=0.1), "2.0", Value("", "", 2.24), True),
        (Within("a reason", absolute=0.1), "2.0", Value("", "", 2.24), False),
        # two rates of .10 and .13 of 1000 each: z = 2.1
        (Sampling(repeats=1000), ".100", Value("", "", 0.13, count=1000), True),
        (Sampling(repeats=1000), ".100", Value("", "", 0.15, count=1000), False),
        (Sampling(repeats=1000, scale=100), "0.00", Value("", "", 0, count=1000), True),
        (Sampling(spread=1), "5.0", Value("", "", 8, 1), True),
        (Sampling(), "5.0", Value("", "", 8, 1), False),
    ],
)
def test_tolerances(tolerance: Any, printed: str, value: Value, agrees: bool) -> None:
    assert tolerance.accepts(Printed(printed), value) is agrees
    assert str(tolerance)


def test_items_share_cells(coins: Item, tmp_path: Path) -> None:
    first = run(coins, tmp_path)
    cells = tmp_path / "wu2005" / "coins" / "cells.jsonl"
    before = cells.read_text()
    other = replace(coins, name="more", cells_of="coins", compute=list)
    second = run(other, tmp_path)
    assert [row.ours for row in second.rows] == [row.ours for row in first.rows]
    assert cells.read_text() == before
    assert [path.name for path in (tmp_path / "wu2005" / "more").iterdir()] == ["result.json"]
