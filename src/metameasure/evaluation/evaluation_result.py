"""The result of an evaluation: its rows and its page."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metameasure._text import UNDEFINED, limits, number, some_names
from metameasure.measurement import arrow
from metameasure.results import MOST_SHOWN, SHOWN_OF_MANY, Cell, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metameasure.measurement import Measure
    from metameasure.results import Check

BOLD = "best value per measure; differences are not tested"


@dataclass(frozen=True, kw_only=True)
class Row:
    """One measure of one model on all cases, on one group of them, or of one class.

    Attributes:
        model: the name of the model.
        group: the group of cases; None for all cases.
        label: of several classes, the class that is measured against the rest; None for all.
        measure: the measure.
        value: its value; NaN if it is undefined.
        low, high: the limits of the confidence interval; None without one.
        method: the method of the interval.
        n: the number of cases.
        n_pos: the number of positives; None for measures of several classes and of orders.
        dropped: the number of cases dropped for missing values.
    """

    model: str
    group: str | None = None
    label: str | None = None
    measure: Measure
    value: float
    low: float | None = None
    high: float | None = None
    method: str | None = None
    n: int
    n_pos: int | None
    dropped: int

    @property
    def undefined(self) -> bool:
        """Whether there is no value."""
        return math.isnan(self.value)

    @property
    def part(self) -> str | None:
        """The group or the class in words; None for all cases."""
        return self.group if self.label is None else f"class {self.label}"


@dataclass(frozen=True)
class LeftOut:
    """A measure that was not computed for a model, and the reason."""

    model: str
    measure: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class UndefinedValue:
    """A value that is undefined, and the reason."""

    model: str
    group: str | None = None
    label: str | None = None
    measure: Measure
    reason: str


class Evaluation(Result):
    """The values of an evaluation: one row per model, group and measure.

    Attributes:
        left_out: the measures that the scores of a model do not allow, with the reason.
        undefined: the rows without a value, with the reason.
    """

    schema = Row
    extra = {"left_out": LeftOut, "undefined": UndefinedValue}  # noqa: RUF012
    rows: tuple[Row, ...]

    def __init__(
        self,
        rows: Iterable[Row],
        left_out: Sequence[LeftOut] = (),
        checks: Sequence[Check] = (),
        ci: float | None = None,
        like: Any = None,
    ) -> None:
        super().__init__(list(rows), meta={"ci": ci}, checks=checks, like=like)
        self.left_out = tuple(left_out)
        self.undefined = tuple(
            UndefinedValue(
                model=row.model,
                group=row.group,
                label=row.label,
                measure=row.measure,
                reason=row.measure.undefined_when,
            )
            for row in self.rows
            if row.undefined
        )

    @property
    def ci(self) -> float | None:
        """The confidence of the intervals; None if there are none."""
        confidence: float | None = self.meta["ci"]
        return confidence

    @property
    def several_classes(self) -> bool:
        """Whether the scores are those of several classes."""
        return any(row.n_pos is None and not _of_order(row) for row in self.rows)

    @property
    def whole(self) -> str:
        """What rows that are not of a group or class are values of, in words."""
        if self.several_classes:
            return "all classes"
        return "all items" if any(map(_of_order, self.rows)) else "all cases"

    def grids(self) -> list[Grid]:
        """One table per group; for several classes also one with a line per class."""
        grids = [self._group_grid(group) for group in dict.fromkeys(r.group for r in self.rows)]
        classes = [row for row in self.rows if row.label is not None]
        return [*grids, _class_grid(classes)] if classes else grids

    def _group_grid(self, group: str | None) -> Grid:
        """One line per measure and one column per model, transposed for many models."""
        rows = [row for row in self.rows if row.group == group and row.label is None]
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
            header = ["measure", *models]
            body = [(named[e], [cells[m, e] for m in models]) for e in measures]
        else:
            header = ["model", *named.values()]
            body = [(m, [cells[m, e] for e in measures]) for m in models]
        first = rows[0]
        what = "items" if _of_order(first) else "cases"
        caption = counts_text(first.n, first.n_pos, first.dropped, self.ci, what)
        return Grid(header, body, caption, self._title(group), BOLD)

    def _title(self, group: str | None) -> str | None:
        if group is not None:
            return f"group {group}"
        if all(row.part is None for row in self.rows):
            return None
        return self.whole

    def notes(self) -> list[str]:
        """The measures that were left out, and those that are undefined."""
        left: dict[tuple[str, str], list[str]] = {}
        for item in self.left_out:
            left.setdefault((item.model, item.reason), []).append(item.measure)
        lines = [
            f"left out for {model}, since {reason}: {', '.join(measures)}"
            for (model, reason), measures in left.items()
        ]
        undefined: dict[str, list[str]] = {}
        for row in self.rows:
            if row.undefined:
                where = row.model + (f" in {row.part}" if row.part else "")
                why = f"{row.measure} is undefined ({UNDEFINED}) when {row.measure.undefined_when}"
                undefined.setdefault(why, []).append(where)
        return lines + [f"{w}: {some_names(who, MOST_SHOWN)}" for w, who in undefined.items()]

    def __repr__(self) -> str:
        models = len({row.model for row in self.rows})
        return f"<evaluation: {len(self.rows)} values, {models} models>"


def _of_order(row: Row) -> bool:
    return row.measure.declaration.subject == "order"


def counts_text(
    n: int, n_pos: int | None, dropped: int, ci: float | None, what: str = "cases"
) -> str:
    """The numbers of cases or items and the confidence, for the line below a table."""
    positive = "" if n_pos is None else f", {n_pos} positive"
    left_out = f", {dropped} left out for missing values" if dropped else ""
    intervals = f"; {100 * ci:g}% confidence intervals" if ci else ""
    return f"{n} {what}{positive}{left_out}{intervals}"


def _class_grid(rows: Sequence[Row]) -> Grid:
    """One line per class, for many classes only those with the worst values."""
    classes: dict[str, list[Row]] = {}
    for row in rows:
        classes.setdefault(str(row.label), []).append(row)
    models = list(dict.fromkeys(row.model for row in rows))
    shown, caption = list(classes), ""
    if len(classes) > MOST_SHOWN:
        worst = sorted(classes, key=lambda name: _goodness(classes[name][0]))
        shown = sorted(worst[:SHOWN_OF_MANY], key=shown.index)
        caption = f"the {len(shown)} of {len(classes)} classes with the worst values"
        caption += f" of {models[0]}" if len(models) > 1 else ""
    body = []
    for name in shown:
        best = _best(classes[name])
        cells = [Cell(str(classes[name][0].n_pos)), *(_cell(row, best) for row in classes[name])]
        body.append((name, cells))
    measure = rows[0].measure
    title = f"{measure} {arrow(measure.best)}, each class against the rest"
    return Grid(["class", "cases", *models], body, caption, title, "best value per class")


def _goodness(row: Row) -> float:
    """How good a value is; an undefined one counts as best."""
    return math.inf if row.undefined else float(row.measure.goodness(row.value))


def _cell(row: Row | None, best: set[str]) -> Cell:
    if row is None:
        return Cell("")
    return Cell(number(row.value), limits(row.low, row.high), row.model in best)


def _best(rows: Sequence[Row | None]) -> set[str]:
    """The models with the best value to the digits shown; none if all models have that value."""
    found = [row for row in rows if row is not None]
    known = {row.model: row.value for row in found if not row.undefined}
    if not known:
        return set()
    top = max(known.values(), key=found[0].measure.goodness)
    best = {model for model, value in known.items() if number(value) == number(top)}
    return best if len(best) < len(found) else set()
