"""Running items: only cells that are missing, in parallel; the result is always the same."""

from __future__ import annotations

import inspect
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Whole, read_argument, read_seed
from metameasure.errors import Argument, DataError
from metameasure.experiments.catalog import catalog
from metameasure.experiments.declaration import PAPERS, Item, Value, items, pooled
from metameasure.experiments.loading import VARIABLE, check_folder, load
from metameasure.experiments.reproduction import (
    NOT_RUN,
    Reproduction,
    joined,
    judged,
    read_reproduction,
)
from metameasure.experiments.store import CellStore, digest
from metameasure.lab import stream
from metameasure.plots import require_matplotlib
from metameasure.progress import reporting
from metameasure.results import Cell, Grid, Result
from metameasure.writing import whole_file

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure

    from metameasure.experiments.dataset import Dataset
    from metameasure.experiments.declaration import Kind
    from metameasure.progress import Progress

FOLDER = "reproductions"
"""The folder in which runs are kept unless another is named."""
CELLS, RESULT, FIGURE = "cells.jsonl", "result.json", "figure.svg"


@dataclass(frozen=True)
class Task:
    """A cell that is to be run: its item by name, its parameters, and where the data are.

    The item goes by name to other processes, which import it there.
    """

    key: str
    parameters: dict[str, Any]
    directory: str | None


def reproduce(
    target: str | None = None,
    *,
    kind: Kind | None = None,
    repeats: int | None = None,
    workers: int | None = None,
    out: str | os.PathLike[str] = FOLDER,
    data: str | os.PathLike[str] | None = None,
    download: bool = False,
    seed: int = 0,
    progress: bool | Progress | None = True,
) -> Reproduction:
    """Recompute items of the papers, and compare them with the printed values.

    Args:
        target: a paper, e.g. "huang2006", or an item of it, e.g. "huang2006/table3.4"; None means
            all. ``item_list()`` lists them.
        kind: only items of this kind: exact, mc or data.
        repeats: fewer repeats for a quick pass, whose wider intervals are shown. If they are more
            than twice as wide as in a full run, values within them count as "too few repeats"
            instead of "agrees".
        workers: the number of parallel processes; one per core by default. The result does not
            depend on it.
        out: the folder in which finished cells are kept. A run that was stopped goes on there.
        data: the folder with the data files; by default METAMEASURE_DATA.
        download: whether data sets that are not found may be fetched from OpenML.
        seed: the seed of all random numbers.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.

    An item none of whose data sets can be used raises a DataError. Among several items it is left
    out with a remark, unless none of them can run.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     reproduce("huang2006/table3.4", out=folder).state
    'agrees'
    """
    chosen = items(target, kind=kind)
    costs = [each.cost for each in chosen]
    results: list[Reproduction] = []
    failures: list[_NothingToRun] = []
    what = f"reproduce: {len(chosen)} item{'s' * (len(chosen) > 1)}"
    with reporting(progress, what) as report:
        for index, each in enumerate(chosen):
            before, share = sum(costs[:index]) / sum(costs), each.cost / sum(costs)
            try:
                result = run_item(
                    each,
                    repeats=repeats,
                    workers=workers,
                    out=out,
                    data=data,
                    download=download,
                    seed=seed,
                    progress=report and _within(report, before, share),
                )
            except _NothingToRun as error:
                failures.append(error)
                # Without rows: its tables would have no values.
                result = Reproduction([], meta=judged(each, (), error.remarks).meta)
            results.append(result)
    if len(chosen) == len(failures) == 1:
        raise failures[0]
    if failures and len(failures) == len(chosen):
        every = dict.fromkeys(remark for error in failures for remark in error.remarks)
        raise _nothing_to_run(f"the {len(chosen)} items", list(every))
    return joined(results)


class _NothingToRun(DataError):
    """No cell of an item can run; ``remarks`` says why."""

    remarks: tuple[str, ...] = ()


def _nothing_to_run(what: str, remarks: Sequence[str]) -> _NothingToRun:
    error = _NothingToRun(
        f"{what} cannot run: {'; '.join(remarks)}",
        remedy=("name the folder with the data files as ", Argument("data"), f" or {VARIABLE}"),
    )
    error.remarks = tuple(remarks)
    return error


def _within(progress: Progress, before: float, share: float) -> Progress:
    return lambda fraction: progress(before + share * fraction)


def run_item(
    item: Item,
    *,
    repeats: int | None = None,
    workers: int | None = None,
    out: str | os.PathLike[str] = FOLDER,
    data: str | os.PathLike[str] | None = None,
    download: bool = False,
    seed: int = 0,
    progress: bool | Progress | None = True,
) -> Reproduction:
    """``reproduce`` for one declared item; the result is also saved in its folder."""
    if repeats is not None:
        repeats = read_argument("repeats", repeats, Whole(2))
    folder = Path(out, item.paper, item.name)
    owner = item.cells_of or item.name
    check_folder(data)
    directory = None if data is None else str(data)
    found, remarks = _find_data(item, directory, download=download)
    cells: dict[str, Task] = {}
    for parameters in item.schedule(repeats):
        name = parameters.get("dataset")
        if name is not None and name not in found:
            continue
        identity = {
            "item": f"{item.paper}/{owner}",
            "version": item.version,
            "seed": read_seed(seed),
            "parameters": parameters,
            "data": None if name is None else f"{found[name].origin} {len(found[name])}",
        }
        cells[digest(identity)] = Task(item.key, parameters, directory)
    if not cells:
        raise _nothing_to_run(item.key, remarks)
    store = CellStore(Path(out, item.paper, owner, CELLS))
    missing = [cell for cell in cells if cell not in store]
    tasks = [cells[cell] for cell in missing]
    seeds = [np.random.SeedSequence(int(cell, 16)) for cell in missing]
    with (
        reporting(progress, f"reproduce: {len(cells)} cells of {item.key}") as report,
        closing(stream(_run, tasks, seeds, workers=workers)) as ended,
    ):
        for done, (index, values) in enumerate(ended, start=1):
            store.add(missing[index], values)
            if report:
                report((len(cells) - len(missing) + done) / len(cells))
    values = pooled(value for cell in cells for value in store[cell])
    if item.finish is not None:
        values = list(item.finish(values))
    if repeats is not None and item.repeats is not None and repeats != item.repeats:
        remarks.append(f"{repeats} repeats instead of {item.repeats}")
    result = judged(item, values, remarks, repeats=repeats)
    folder.mkdir(parents=True, exist_ok=True)
    result.save(folder / RESULT)
    if item.figure is not None and find_spec("matplotlib"):
        _save_figure(item.figure, result, folder / FIGURE)
    return result


def _save_figure(drawn: Callable[[Reproduction], Figure], result: Reproduction, path: Path) -> None:
    """Write a figure as SVG, whose bytes depend only on what is drawn."""
    require_matplotlib()
    from matplotlib import rc_context  # noqa: PLC0415

    settings: Any = {
        "svg.hashsalt": "metameasure", "svg.fonttype": "none", "text.usetex": False,
    }  # fmt: skip
    with rc_context(settings), whole_file(path) as file:
        drawn(result).savefig(file, format="svg", metadata={"Date": None})


def _find_data(
    item: Item, directory: str | None, *, download: bool
) -> tuple[dict[str, Dataset], list[str]]:
    """The data sets of an item that are found, and remarks about those and the others."""
    found: dict[str, Dataset] = {}
    remarks: list[str] = []
    for name in item.datasets:
        try:
            found[name] = load(name, data=directory, download=download)
        except DataError as error:
            remarks.append(f"not run for {name}: {error.problem}")
            continue
        notes = [*found[name].notes, *_paper_notes(item, found[name])]
        remarks += [f"{name}: {note}" for note in notes]
    return found, remarks


def _paper_notes(item: Item, data: Dataset) -> list[str]:
    """Where the counts of a data set are not those that the paper prints."""
    if data.name not in catalog():
        return []
    used = data if item.used_as is None else item.used_as(data)
    return catalog()[data.name].paper_notes(item.paper, used)


@lru_cache(maxsize=4)
def _loaded(name: str, directory: str | None) -> Dataset:
    return load(name, data=directory)


def _run(task: Task, generator: np.random.Generator) -> list[Value]:
    (item,) = items(task.key)
    offered = dict(task.parameters, generator=generator)
    if "dataset" in offered:
        offered["dataset"] = _loaded(offered["dataset"], task.directory)
    wanted = inspect.signature(item.compute).parameters
    return list(item.compute(**{name: offered[name] for name in offered if name in wanted}))


@dataclass(frozen=True)
class ItemRow:
    """An item and the state of its reproduction.

    Attributes:
        item: paper and item.
        kind: exact, mc or data.
        question: what it asks.
        state: agrees, differs, erratum, too few repeats or not run.
        agree: the number of printed values that agree.
        printed: the number of printed values.
        cost: seconds at full size on two cores.
        missing: the data sets that are not found.
    """

    item: str
    kind: str
    question: str
    state: str
    agree: int | None
    printed: int
    cost: float
    missing: tuple[str, ...]


class ItemList(Result):
    """The items of the papers, and the state of each.

    ``meta["out"]`` is the folder of the results from which the states are.
    """

    schema = ItemRow

    def grids(self) -> list[Grid]:
        """One table per paper."""
        header = ["item", "kind", "state", "agree", "time", "data sets not found"]
        found = []
        for paper, about in PAPERS.items():
            rows = [row for row in self.rows if row.item.startswith(f"{paper}/")]
            body = [(row.item, [Cell(text) for text in _texts(row)]) for row in rows]
            if body:
                found.append(Grid(header, body, title=about))
        return found

    def notes(self) -> list[str]:
        """What the columns are."""
        return [
            f"state and agree: of the results in the folder {self.meta['out']}",
            "agree: printed values that agree, of all; time: at full size on two cores",
            "metameasure reproduce PAPER/ITEM runs an item",
        ]


def _texts(row: ItemRow) -> list[str]:
    agree = "" if row.agree is None else f"{row.agree} of {row.printed}"
    minutes = row.cost / 60
    time = f"{row.cost:.3g} s" if minutes < 2 else f"{minutes:.0f} min"
    return [row.kind, row.state, agree, time, ", ".join(row.missing)]


def item_list(
    target: str | None = None,
    *,
    kind: Kind | None = None,
    out: str | os.PathLike[str] = FOLDER,
    data: str | os.PathLike[str] | None = None,
) -> ItemList:
    """All items of the papers, with the state of their reproduction in a folder."""
    check_folder(data)
    rows = [_listed(each, Path(out), data) for each in items(target, kind=kind)]
    return ItemList(rows, meta={"out": str(out)})


def _listed(item: Item, out: Path, data: str | os.PathLike[str] | None) -> ItemRow:
    path = out / item.paper / item.name / RESULT
    result = read_reproduction(path) if path.exists() else None
    found, _ = _find_data(item, None if data is None else str(data), download=False)
    return ItemRow(
        item=item.key,
        kind=item.kind,
        question=item.question,
        state=NOT_RUN if result is None else result.state,
        agree=None if result is None else result.counts.get("agrees", 0),
        printed=sum(bool(printed.text) for printed in item.published.values()),
        cost=item.cost,
        missing=(*(name for name in item.datasets if name not in found), *item.unavailable),
    )
