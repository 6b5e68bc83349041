"""What an evaluation gives back: tidy rows, and tables where a person reads."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metameasure._text import UNDEFINED, limits, number, some_names, visible
from metameasure.evaluation.confusion_page import MOST_SHOWN, SHOWN_OF_MANY
from metameasure.measurement import arrow
from metameasure.results import Cell, Grid, Page, Printed, check_lines, json_record, tidy_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.measurement import Measure
    from metameasure.results import Check

BOLD = "best value per measure; differences are not tested"


def page(evaluation: Evaluation) -> Page:
    """Everything about an evaluation that a person reads."""
    return Page(grids(evaluation), notes(evaluation))


def grids(evaluation: Evaluation) -> list[Grid]:
    """One grid a group, or all classes in one grid."""
    groups = dict.fromkeys(row.group for row in evaluation.rows)
    if evaluation.several_classes:
        of_all = _group_grid(evaluation, None)
        return [of_all] if len(groups) == 1 else [of_all, _grid_of_classes(evaluation)]
    return [_group_grid(evaluation, group) for group in groups]


def _group_grid(evaluation: Evaluation, group: str | None) -> Grid:
    """Measures go down and models across, or the other way if those are many."""
    rows = [row for row in evaluation.rows if row.group == group]
    models = list(dict.fromkeys(row.model for row in rows))
    measures = list(dict.fromkeys(row.measure for row in rows))
    by_key = {(row.model, row.measure): row for row in rows}
    cells = {
        (model, measure): _cell(by_key.get((model, measure)), best)
        for measure in measures
        for best in [_best([by_key.get((model, measure)) for model in models])]
        for model in models
    }
    named = {measure: f"{measure} {arrow(measure.best)}" for measure in measures}
    if len(models) <= max(8, len(measures)):
        header = ["measure", *map(visible, models)]
        body = [(named[e], [cells[m, e] for m in models]) for e in measures]
    else:
        header = ["model", *named.values()]
        body = [(visible(m), [cells[m, e] for e in measures]) for m in models]
    caption = _caption(rows[0], evaluation.ci)
    return Grid(header, body, caption, _title(evaluation, group), BOLD)


def _grid_of_classes(evaluation: Evaluation) -> Grid:
    """Classes go down, those with the worst values if they are many, and models across."""
    rows: dict[str, list[Row]] = {}
    for row in evaluation.rows:
        if row.group is not None:
            rows.setdefault(row.group, []).append(row)
    measure = next(iter(rows.values()))[0].measure
    models = [row.model for row in next(iter(rows.values()))]
    shown = list(rows)
    caption = ""
    if len(rows) > MOST_SHOWN:
        worst = sorted(rows, key=lambda name: _goodness(rows[name][0]))
        shown = sorted(worst[:SHOWN_OF_MANY], key=shown.index)
        caption = f"shown are the {len(shown)} of {len(rows)} classes with the worst values"
        caption += f" of {visible(models[0])}" if len(models) > 1 else ""
    body = []
    for name in shown:
        best = _best(rows[name])
        cells = [Cell(str(rows[name][0].n_pos)), *(_cell(row, best) for row in rows[name])]
        body.append((visible(name.removeprefix("class ")), cells))
    title = f"{measure} {arrow(measure.best)} of each class against the rest"
    return Grid(["class", "cases", *map(visible, models)], body, caption, title, BOLD)


def _goodness(row: Row) -> float:
    """How good a value is; one that is undefined is not bad."""
    return math.inf if row.undefined else float(row.measure.goodness(row.value))


def _cell(row: Row | None, best: set[str]) -> Cell:
    if row is None:
        return Cell("")
    return Cell(number(row.value), limits(row.low, row.high), row.model in best)


def _best(rows: Sequence[Row | None]) -> set[str]:
    """The models with the best value to the digits shown; none if there is only one model."""
    found = [row for row in rows if row is not None]
    known = {row.model: row.value for row in found if not row.undefined}
    if len(found) < 2 or not known:
        return set()
    top = max(known.values(), key=found[0].measure.goodness)
    return {model for model, value in known.items() if number(value) == number(top)}


def _title(evaluation: Evaluation, group: str | None) -> str | None:
    if group is not None:
        return f"group {visible(group)}"
    if all(row.group is None for row in evaluation.rows):
        return None
    return "all classes" if evaluation.several_classes else "all cases"


def _caption(row: Row, ci: float | None) -> str:
    dropped = f", {row.dropped} left out for missing values" if row.dropped else ""
    intervals = f"; with {100 * ci:g} % intervals" if ci else ""
    positive = "" if row.n_pos is None else f", {row.n_pos} positive"
    return f"{row.n} cases{positive}{dropped}{intervals}"


def notes(evaluation: Evaluation) -> list[str]:
    """What stands below the tables: what was left out, what is undefined, and the checks."""
    left: dict[tuple[str, str], list[str]] = {}
    for item in evaluation.left_out:
        left.setdefault((item.model, item.reason), []).append(item.measure)
    lines = [
        f"left out for {visible(model)}, since {reason}: {', '.join(measures)}"
        for (model, reason), measures in left.items()
    ]
    undefined: dict[str, list[str]] = {}
    for row in evaluation.undefined:
        where = visible(row.model) + (f" in {visible(row.group)}" if row.group else "")
        why = f"{row.measure} is undefined ({UNDEFINED}) when {row.measure.undefined_when}"
        undefined.setdefault(why, []).append(where)
    lines += [f"{why}: {some_names(where, MOST_SHOWN)}" for why, where in undefined.items()]
    return lines + check_lines(evaluation.checks)


COLUMNS = ("model", "group", "measure", "value", "low", "high", "method", "n", "n_pos", "dropped")


@dataclass(frozen=True)
class Row:
    """One measure of one model on all cases, or on one group of them."""

    model: str
    group: str | None
    measure: Measure
    value: float
    n: int
    n_pos: int | None
    dropped: int
    low: float | None = None
    high: float | None = None
    method: str | None = None

    @property
    def undefined(self) -> bool:
        """Whether there is no value."""
        return math.isnan(self.value)


@dataclass(frozen=True)
class LeftOut:
    """A measure that was not computed for a model, and why."""

    model: str
    measure: str
    reason: str


class Evaluation(Printed):
    """The values of an evaluation.

    ``frame()`` has one row a value; ``print`` shows a table, as do a terminal and a notebook.
    ``checks`` are what there is to be warned of.
    """

    def __init__(
        self,
        rows: Sequence[Row],
        left_out: Sequence[LeftOut] = (),
        checks: Sequence[Check] = (),
        ci: float | None = None,
        like: Any = None,
    ) -> None:
        self.rows = tuple(rows)
        self.left_out = tuple(left_out)
        self.checks = tuple(checks)
        self.ci = ci
        self._like = like

    @property
    def undefined(self) -> list[Row]:
        """The rows that have no value."""
        return [row for row in self.rows if row.undefined]

    @property
    def several_classes(self) -> bool:
        """Whether it is of scores for several classes; its groups are then these classes."""
        return any(row.group is None and row.n_pos is None for row in self.rows)

    def records(self) -> list[dict[str, Any]]:
        """The rows as dicts, the measure as text."""
        return [
            {
                name: str(row.measure) if name == "measure" else getattr(row, name)
                for name in COLUMNS
            }
            for row in self.rows
        ]

    def frame(self) -> Any:
        """A tidy frame: of the kind that came in, else of polars."""
        import polars as pl  # noqa: PLC0415

        text, number, count = pl.String(), pl.Float64(), pl.Int64()
        kinds = (text, text, text, number, number, number, text, count, count, count)
        return tidy_frame(self.records(), dict(zip(COLUMNS, kinds, strict=True)), self._like)

    def to_json(self) -> str:
        """JSON with ``rows``, ``left_out``, ``undefined``, ``checks`` and ``ci``.

        An undefined value is null, an infinite one the string "Infinity" or "-Infinity".
        """
        undefined = [
            {
                "model": row.model,
                "group": row.group,
                "measure": str(row.measure),
                "reason": row.measure.undefined_when,
            }
            for row in self.undefined
        ]
        left_out = [vars(item) for item in self.left_out]
        content = {
            "rows": [json_record(record) for record in self.records()],
            "left_out": left_out,
            "undefined": undefined,
            "checks": [check.record() for check in self.checks],
            "ci": self.ci,
        }
        return json.dumps(content, indent=2)

    def page(self) -> Page:
        """The tables for people, and what stands below them."""
        return page(self)

    def __repr__(self) -> str:
        models = len({row.model for row in self.rows})
        return f"<evaluation: {len(self.rows)} values, {models} models>"
