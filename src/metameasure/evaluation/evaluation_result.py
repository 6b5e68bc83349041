"""The result of an evaluation: its rows and its page."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from metameasure._text import UNDEFINED, some_names
from metameasure.data import case_counts
from metameasure.evaluation.class_grids import class_grids
from metameasure.evaluation.fold_summary import (
    NO_FOLDS,
    FoldSummary,
    FoldValue,
    OverFolds,
    fold_grids,
)
from metameasure.evaluation.found_values import FoundValues, one_of
from metameasure.evaluation.plotted import Plotted
from metameasure.evaluation.value_cells import best_models, value_cell
from metameasure.measurement import arrow
from metameasure.results import MOST_LINES, MOST_SHOWN, Grid, Result, shown_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metameasure.evaluation.gate_result import Undecided
    from metameasure.evaluation.requirement import Requirement
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
        n_pos: the number of positives; None for several classes, orders and true probabilities.
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


class Evaluation(FoundValues, Plotted, Result):
    """The values of an evaluation: one row per model, group and measure.

    ``result.value("auc")``, ``result.interval("auc", model="forest")`` and ``result.best("auc")``
    find values; ``result["forest"]`` is the part about one model; ``result.plot()`` draws all.

    Attributes:
        left_out: the measures that the scores of a model do not allow, with the reason.
        undefined: the rows without a value, with the reason.
        folds: with folds, the mean, the standard deviation and the pooled value of each measure.
        fold_values: the value of each measure in each fold.
    """

    schema = Row
    extra = {  # noqa: RUF012
        "left_out": LeftOut,
        "undefined": UndefinedValue,
        "folds": FoldSummary,
        "fold_values": FoldValue,
    }
    rows: tuple[Row, ...]

    def __init__(
        self,
        rows: Iterable[Row],
        left_out: Sequence[LeftOut] = (),
        checks: Sequence[Check] = (),
        ci: float | None = None,
        like: Any = None,
        folds: OverFolds = NO_FOLDS,
        pos_label: Any = None,
    ) -> None:
        meta: dict[str, Any] = (
            {"ci": ci} if pos_label is None else {"ci": ci, "pos_label": pos_label}
        )
        super().__init__(list(rows), meta=meta, checks=checks, like=like)
        self.folds, self.fold_values = tuple(folds.summaries), tuple(folds.values)
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
    def models(self) -> list[str]:
        """The names of the models."""
        return list(dict.fromkeys(row.model for row in self.rows))

    def __getitem__(self, model: str) -> Evaluation:
        """The part of the result that is about one model."""
        name = one_of(self.models, model, "model")
        return Evaluation(
            [row for row in self.rows if row.model == name],
            [item for item in self.left_out if item.model == name],
            [check for check in self.checks if check.model in {None, name}],
            self.ci,
            self._like,
            OverFolds(
                [one for one in self.folds if one.model == name],
                [one for one in self.fold_values if one.model == name],
                [],
            ),
            self.meta.get("pos_label"),
        )

    __iter__ = None
    """Models are chosen by name; ``rows`` can be iterated over."""

    @property
    def several_classes(self) -> bool:
        """Whether the scores are those of several classes."""
        return any(row.measure.declaration.subject == "classes" for row in self.rows)

    @property
    def whole(self) -> str:
        """What rows that are not of a group or class are values of, in words."""
        if self.several_classes:
            return "all classes"
        return "all items" if any(map(_of_order, self.rows)) else "all cases"

    def require(
        self,
        *requirements: str | Requirement,
        model: str | None = None,
        undecided: Undecided | None = None,
    ) -> None:
        """Raise AssertionError with the table of the requirements unless all are passed, for tests.

        The intervals of this evaluation decide, as in ``gate``; for a baseline use that.

        Args:
            requirements: one requirement or several, such as ``"auc >= 0.8"``, or with
                ``by group`` for each group.
            model: the model that they are about; needed if there are several.
            undecided: what undecided requirements count as, "pass" or "fail" (the default).

        >>> import metameasure as mm
        >>> result = mm.evaluate([1, 0] * 50, [0.9, 0.2] * 50, "auc", mute=("MM05", "MM10"))
        >>> result.require("auc >= 0.9")
        """
        from metameasure.evaluation.evaluation_gate import gate_of_evaluation  # noqa: PLC0415

        found = gate_of_evaluation(self, requirements, model, undecided)
        if not found.passed:
            raise AssertionError(f"\n{found}")

    def grids(self) -> list[Grid]:
        """One table per group; for several classes also one with a line per class.

        Only the groups that fit on a page have one, as there may be very many.
        """
        groups = self._by_group
        classes = [row for row in self.rows if row.label is not None]
        others = [*(class_grids(classes) if classes else []), *fold_grids(self.folds, self.ci)]
        left = MOST_LINES - sum(len(grid.rows) for grid in others)
        grids: list[Grid] = []
        for group, rows in groups.items():
            grid = self._group_grid(group, [row for row in rows if row.label is None])
            if grids and len(grid.rows) > left:
                of_groups = len(grids) - (None in groups), len(groups) - (None in groups)
                note = shown_of(*of_groups, "groups")
                grids[-1] = replace(grids[-1], caption=f"{grids[-1].caption}; {note}")
                break
            grids.append(grid)
            left -= len(grid.rows)
        return [*grids, *others]

    def _group_grid(self, group: str | None, rows: Sequence[Row]) -> Grid:
        """One line per measure and one column per model, transposed for many models."""
        models = list(dict.fromkeys(row.model for row in rows))
        measures = list(dict.fromkeys(row.measure for row in rows))
        by_key = {(row.model, row.measure): row for row in rows}
        cells = {
            (model, measure): value_cell(by_key.get((model, measure)), best)
            for measure in measures
            for best in [best_models([by_key.get((model, measure)) for model in models])]
            for model in models
        }
        named = {measure: f"{measure.stated} {arrow(measure.best)}" for measure in measures}
        if len(models) <= max(8, len(measures)):
            header = ["measure", *models]
            body = [(named[e], [cells[m, e] for m in models]) for e in measures]
        else:
            header = ["model", *named.values()]
            body = [(m, [cells[m, e] for e in measures]) for m in models]
        first = rows[0]
        what = "items" if _of_order(first) else "cases"
        counted = first.n, first.n_pos, first.dropped
        caption = counts_text(*counted, self.ci, what, self.meta.get("pos_label"))
        return Grid(header, body, caption, self._title(group), BOLD)

    def _title(self, group: str | None) -> str | None:
        if group is not None:
            return f"group {group}"
        if all(row.part is None for row in self.rows):
            return None
        return self.whole

    def notes(self) -> list[str]:
        """The measures that were left out, and those that are undefined."""
        lines = left_out_lines(self.left_out)
        undefined: dict[str, list[str]] = {}
        for row in self.rows:
            if row.undefined:
                where = row.model + (f" in {row.part}" if row.part else "")
                when = f"is undefined ({UNDEFINED}) when {row.measure.undefined_when}"
                why = f"{row.measure.stated} {when}"
                undefined.setdefault(why, []).append(where)
        return lines + [f"{w}: {some_names(who, MOST_SHOWN)}" for w, who in undefined.items()]

    def __repr__(self) -> str:
        models = len({row.model for row in self.rows})
        return f"<evaluation: {len(self.rows)} values, {models} models>"


def left_out_lines(left_out: Iterable[LeftOut]) -> list[str]:
    """One line per model and reason, with the measures that were left out."""
    left: dict[tuple[str, str], list[str]] = {}
    for item in left_out:
        left.setdefault((item.model, item.reason), []).append(item.measure)
    return [
        f"left out for {model}, since {reason}: {', '.join(measures)}"
        for (model, reason), measures in left.items()
    ]


def _of_order(row: Row) -> bool:
    return row.measure.declaration.subject == "order"


def counts_text(
    n: int,
    n_pos: int | None,
    dropped: int,
    ci: float | None,
    what: str = "cases",
    positive: Any = None,
) -> str:
    """The numbers of cases or items and the confidence, for the line below a table."""
    intervals = f"; {100 * ci:g}% confidence intervals" if ci else ""
    return case_counts(n, n_pos, dropped, positive, what) + intervals
