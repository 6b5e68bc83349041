"""An item of a paper: a table or figure, declared once, with what is needed to compute it again."""

from __future__ import annotations

import csv
import math
import re
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Literal, Protocol

from metameasure._arguments import Choice
from metameasure._text import shown, some_names
from metameasure.errors import Argument, ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from matplotlib.figure import Figure

    from metameasure.experiments.dataset import Dataset
    from metameasure.experiments.reproduction import Reproduction
    from metameasure.experiments.tolerance import Tolerance

Kind = Literal["exact", "mc", "data"]
KINDS: dict[Kind, str] = {
    "exact": "equal to the printed digit",
    "mc": "Monte Carlo: equal within the sampling error of both sides",
    "data": "learners on data sets, whose splits and versions are unknown",
}
PAPERS = {
    "berrar2014": "Berrar 2014, ranking measures and their robustness to noise",
    "wu2007": "Wu, Flach and Ferri 2007, model selection by the scored AUC",
    "wu2005": "Wu and Flach 2005, the scored AUC",
    "xie2022": "Xie 2022, ROC space and measures",
    "huang2006": "Huang 2006, thesis on performance measures",
}
"""The papers, by the key that commands use; each has a module of its items."""

Place = tuple[str, str, str]
"""Where a value stands: part, row and column of a table, or panel, curve and x of a figure."""


@dataclass(frozen=True)
class Value:
    """A value that an item computes.

    Values of several cells for the same place are pooled: the mean, weighted by ``count``.

    Attributes:
        row: the row of the table.
        column: the column of the table.
        value: the value.
        error: its standard error; 0 if it is exact.
        part: the part of the table, if it has several.
        count: the number of repeats behind it.
        print_error: the standard error that the printed value has by the paper's own number of
            repeats, where it follows from ours.
    """

    row: str
    column: str
    value: float
    error: float = 0.0
    part: str = ""
    count: int = 1
    print_error: float = 0.0

    def __post_init__(self) -> None:
        for name in ("value", "error", "print_error"):
            object.__setattr__(self, name, float(getattr(self, name)))

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.part, self.row, self.column


@dataclass(frozen=True)
class Printed:
    """A value as a paper prints it.

    Attributes:
        text: the printed text; empty if the paper prints no number there.
        note: a remark of the transcriber.
        error: its standard error, if the paper prints one or a deviation from which it follows.
    """

    text: str
    note: str = ""
    error: float = 0.0

    @property
    def value(self) -> float:
        """The number, which may be a fraction like 24/25; NaN if there is none."""
        text = self.text.replace(",", "")
        try:
            return float(Fraction(text) if "/" in text else text)
        except ValueError:
            return math.nan

    @property
    def half_unit(self) -> float:
        """Half a unit of the last printed digit; 0 for whole numbers and fractions."""
        decimals = self.text.partition(".")[2]
        return 0.5 * 10.0 ** -len(decimals) if decimals else 0.0


class Cell(Protocol):
    """The function of an item: the parameters of a cell give values."""

    def __call__(self, **parameters: Any) -> Iterable[Value]:
        """The values of a cell. Parameters are those of the grid, and what the function names.

        ``generator`` is the random generator of the cell, ``dataset`` the data set that the
        parameter of this name stands for, and ``repeats`` the number of repeats.
        """


@dataclass(frozen=True, eq=False)
class Item:
    """A table or figure of a paper.

    Attributes:
        paper: the key of the paper.
        name: the name in the paper, e.g. table3.4.
        kind: exact, mc or data.
        question: what it asks, in a sentence.
        cells: the parameters of each cell.
        compute: the function of a cell.
        tolerance: when a value agrees with the printed one, and why.
        cost: seconds at full size on two cores.
        repeats: the number of repeats at full size; None if there are none.
        block: the number of repeats of one cell, so that long ones can be resumed.
        cells_of: the item in whose folder the cells are kept, if items have the same cells.
        convention: what the paper leaves open and how it was decided before the first result.
        errata: the places that are wrong in print, each with the number of its erratum.
        derived: whether the paper states its values in words or formulas only, not as numbers.
        reason: the most likely reason of differences from the print, and how it was tested.
        alternative_to: the item with the same printed values of which this is another convention,
            tried afterwards; its agreement is reported beside that item, never instead of it.
        stand_ins: which learner or data set stands for which.
        unavailable: data sets of the paper that have no cells, since no source has them.
        used_as: makes the data set that is used of one that was loaded, if they differ in rows or
            classes; it is compared with the counts that the paper prints.
        finish: the values to report from the pooled ones, e.g. with numbers of wins.
        figure: draws the result.
        version: increased when the values of a cell change.
    """

    paper: str
    name: str
    kind: Kind
    question: str
    cells: Sequence[Mapping[str, Any]]
    compute: Callable[..., Iterable[Value]]
    tolerance: Tolerance
    cost: float
    repeats: int | None = None
    block: int | None = None
    cells_of: str = ""
    convention: str = ""
    errata: Mapping[Place, str] = field(default_factory=dict)
    derived: bool = False
    reason: str = ""
    alternative_to: str = ""
    stand_ins: tuple[str, ...] = ()
    unavailable: tuple[str, ...] = ()
    used_as: Callable[[Dataset], Dataset] | None = None
    finish: Callable[[list[Value]], Iterable[Value]] | None = None
    figure: Callable[[Reproduction], Figure] | None = None
    version: int = 1

    @property
    def key(self) -> str:
        """The name on the command line, e.g. berrar2014/table1."""
        return f"{self.paper}/{self.name}"

    @property
    def datasets(self) -> list[str]:
        """The data sets that its cells need."""
        return list(dict.fromkeys(cell["dataset"] for cell in self.cells if "dataset" in cell))

    @cached_property
    def published(self) -> dict[Place, Printed]:
        """The printed values, from published/PAPER/NAME.csv; empty if the item prints none."""
        return published(self.paper, self.alternative_to or self.name)

    def schedule(self, repeats: int | None = None) -> list[dict[str, Any]]:
        """The parameters of all cells; those with repeats are split into blocks."""
        total = self.repeats if repeats is None else repeats
        if self.repeats is None or total is None:
            return [dict(cell) for cell in self.cells]
        size = min(self.block or total, total)
        starts = range(0, total, size)
        return [
            {**cell, "block": start // size, "repeats": min(size, total - start)}
            for cell in self.cells
            for start in starts
        ]


@cache
def published(paper: str, name: str) -> dict[Place, Printed]:
    """The printed values of a table or figure; empty if none are transcribed."""
    source = files("metameasure.experiments").joinpath("published", paper, f"{name}.csv")
    if not source.is_file():
        return {}
    lines = [line for line in source.read_text("utf-8").splitlines() if line[:1] != "#"]
    return {
        (row.get("part") or "", row["row"], row["column"]): Printed(
            row["value"], row.get("note") or "", float(row.get("error") or 0)
        )
        for row in csv.DictReader(lines)
    }


def pooled(values: Iterable[Value]) -> list[Value]:
    """One value per place, in the order of their first appearance."""
    found: dict[Place, Value] = {}
    for value in values:
        before = found.get(value.place)
        found[value.place] = value if before is None else _pool(before, value)
    return list(found.values())


def _pool(one: Value, other: Value) -> Value:
    count = one.count + other.count
    mean = (one.count * one.value + other.count * other.value) / count
    error = math.hypot(one.count * one.error, other.count * other.error) / count
    print_error = (one.count * one.print_error + other.count * other.print_error) / count
    return replace(one, value=mean, error=error, count=count, print_error=print_error)


_ITEMS: dict[str, Item] = {}


def item(
    paper: str, name: str, **declaration: Any
) -> Callable[[Callable[..., Iterable[Value]]], Item]:
    """Declare the decorated cell function as an item; the fields are those of ``Item``."""

    def declare(compute: Callable[..., Iterable[Value]]) -> Item:
        made = Item(paper, name, compute=compute, **declaration)
        if made.key in _ITEMS:
            raise ValueError(f"{made.key} is declared twice")
        _ITEMS[made.key] = made
        return made

    return declare


@cache
def _declared(paper: str) -> tuple[Item, ...]:
    """The items of the modules called PAPER or PAPER_..., in the order of their names."""
    papers = import_module("metameasure.experiments.papers")
    for module in iter_modules(papers.__path__):
        if module.name.partition("_")[0] == paper:
            import_module(f"{papers.__name__}.{module.name}")
    found = [each for each in _ITEMS.values() if each.paper == paper]
    return tuple(sorted(found, key=lambda each: _numbered(each.name)))


def _numbered(name: str) -> list[tuple[int, str]]:
    """The words and numbers of a name, so that table3.4 sorts before table3.10."""
    return [(int(part or 0), word) for word, part in re.findall(r"(\D*)(\d*)", name)]


def items(target: str | None = None, *, kind: Kind | None = None) -> list[Item]:
    """The items of all papers, of one paper, or the one called PAPER/ITEM.

    >>> [each.key for each in items("huang2006/table3.4")]
    ['huang2006/table3.4']
    """
    paper, _, name = (target or "").partition("/")
    if target is not None and paper not in PAPERS:
        raise ParameterError(
            f"there is no paper {shown([paper])}",
            remedy=f"the papers are {some_names(list(PAPERS))}",
            argument="target",
        )
    found = [each for key in ([paper] if paper else PAPERS) for each in _declared(key)]
    if name:
        names = [each.name for each in found]
        if name not in names:
            raise ParameterError(
                f"{paper} has no item {name!r}",
                remedy=f"its items are {some_names(names)}",
                argument="target",
            )
        found = [each for each in found if each.name == name]
    chosen = [each for each in found if kind is None or each.kind == kind]
    if not chosen and kind is not None:
        kinds = Choice(tuple(each for each in KINDS if each in {one.kind for one in found}))
        where = f" for {target}" if target else ""
        raise ParameterError((Argument("kind"), f" must be {kinds}{where}, got {shown([kind])}"))
    return chosen
