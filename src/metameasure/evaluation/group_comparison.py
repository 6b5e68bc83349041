"""The result of a comparison of groups: its rows and its page."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metameasure._text import UNDEFINED, difference, limits, number
from metameasure.evaluation.comparison_result import SMALL
from metameasure.evaluation.evaluation_result import LeftOut, counts_text, left_out_lines
from metameasure.evaluation.group_rates import EQUALIZED_ODDS
from metameasure.evaluation.plotted import Plotted
from metameasure.results import MOST_SHOWN, SHOWN_OF_MANY, Cell, Grid, Result, pvalue_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from metameasure.results import Check

ALL = "all cases"
GAP_NOTE = "limits and p-value (H0: all groups are equal) are simultaneous over all pairs of groups"
TWO_GROUPS = "the largest gap of two groups is their difference"


@dataclass(frozen=True, kw_only=True)
class GroupRow:
    """One measure of one model in one group, compared with all other cases.

    Attributes:
        model: the name of the model.
        by: the column of the group; None for all cases.
        group: the group; None for all cases.
        measure: the measure as text.
        value: its value in the group; NaN if it is undefined.
        low, high: the limits of the confidence interval; None without one.
        method: the method of the interval.
        n: the number of cases.
        n_pos: the number of positives.
        rest: the value of all cases outside the group; None if they were not compared.
        difference: the value minus that of all other cases.
        difference_low, difference_high: its limits.
        ratio: of rates, the value divided by that of all other cases; None for other measures.
        ratio_low, ratio_high: its limits.
        pvalue: the p-value of the difference.
        adjusted_pvalue: the p-value, adjusted for the number of groups.
        test: the method of the difference, "delong" or "mover".
    """

    model: str
    by: str | None = None
    group: str | None = None
    measure: str
    value: float
    low: float | None = None
    high: float | None = None
    method: str
    n: int
    n_pos: int
    rest: float | None = None
    difference: float | None = None
    difference_low: float | None = None
    difference_high: float | None = None
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    pvalue: float | None = None
    adjusted_pvalue: float | None = None
    test: str | None = None


@dataclass(frozen=True, kw_only=True)
class GapRow:
    """The largest gap of a measure between groups.

    Attributes:
        model: the name of the model.
        by: the column of the groups.
        measure: the measure as text; for equalized odds, both rates.
        criterion: of a rate, the criterion of fairness that asks for equal values.
        groups: the number of groups that have an interval, and are compared.
        highest, lowest: the groups with the highest and with the lowest value.
        difference: the difference of their values.
        low, high: its limits, simultaneous over all pairs of groups.
        pvalue: the p-value of the hypothesis that all groups are equal.
        ratio: of rates, the lowest value divided by the highest; None for other measures.
        ratio_low, ratio_high: its limits, simultaneous over all pairs of groups.
    """

    model: str
    by: str
    measure: str
    criterion: str | None = None
    groups: int
    highest: str
    lowest: str
    difference: float
    low: float
    high: float
    pvalue: float
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None


class GroupComparison(Plotted, Result):
    """Values of measures in groups: one row per model, column, group and measure.

    Attributes:
        gaps: the largest gap between groups, per model, column and measure.
        left_out: the rates that the scores of a model do not allow, with the reason.
    """

    schema = GroupRow
    display = "GroupsDisplay"
    extra = {"gaps": GapRow, "left_out": LeftOut}  # noqa: RUF012
    rows: tuple[GroupRow, ...]

    def __init__(
        self,
        rows: Sequence[GroupRow],
        gaps: Sequence[GapRow],
        left_out: Sequence[LeftOut] = (),
        *,
        ci: float,
        counted: Mapping[str, int],
        pos_label: Any = None,
        checks: Sequence[Check] = (),
        like: Any = None,
    ) -> None:
        of_label = {} if pos_label is None else {"pos_label": pos_label}
        super().__init__(rows, meta={"ci": ci, **counted, **of_label}, checks=checks, like=like)
        self.gaps = tuple(gaps)
        self.left_out = tuple(left_out)
        self._caption = counts_text(
            counted["n"], counted["n_pos"], counted["dropped"], ci, positive=pos_label
        )

    @property
    def ci(self) -> float:
        """The confidence of the intervals."""
        confidence: float = self.meta["ci"]
        return confidence

    @property
    def several_models(self) -> bool:
        """Whether there is more than one model."""
        return len({row.model for row in self.rows}) > 1

    def blocks(self) -> dict[tuple[str, str], list[GroupRow]]:
        """The rows of groups, by model and column."""
        found: dict[tuple[str, str], list[GroupRow]] = {}
        for row in self.rows:
            if row.by is not None:
                found.setdefault((row.model, row.by), []).append(row)
        return found

    def grids(self) -> list[Grid]:
        """For each model and column: values, differences, ratios of rates, and largest gaps."""
        return [
            grid
            for (model, by), rows in self.blocks().items()
            for grid in (
                *_GroupGrids(rows, self._all(model), self._title(model, by), self._caption).made(),
                *self._gap_grids(model, by),
            )
        ]

    def _all(self, model: str) -> list[GroupRow]:
        return [row for row in self.rows if row.by is None and row.model == model]

    def notes(self) -> list[str]:
        """Of which rates equalized odds are, and the rates that were left out."""
        return [*self._odds(), *left_out_lines(self.left_out)]

    def _odds(self) -> Iterator[str]:
        """Where the larger difference and the smaller ratio are of different rates."""
        for odds in self.gaps:
            if odds.criterion != EQUALIZED_ODDS:
                continue
            here = [gap for gap in self.gaps if (gap.model, gap.by) == (odds.model, odds.by)]
            rates = [gap for gap in here if gap.measure in odds.measure.split(", ")]
            widest = max(rates, key=lambda gap: gap.difference)
            smallest = min(rates, key=lambda gap: math.nan if gap.ratio is None else gap.ratio)
            if widest is not smallest:
                yield (
                    f"equalized odds {self._title(odds.model, odds.by)}: the difference is that of "
                    f"{widest.measure}, the ratio that of {smallest.measure}"
                )

    def _title(self, model: str, by: str) -> str:
        return f"{f'of {model} ' if self.several_models else ''}by {by}"

    def _gap_grids(self, model: str, by: str) -> list[Grid]:
        gaps = [gap for gap in self.gaps if (gap.model, gap.by) == (model, by)]
        if not gaps:
            return []
        rates = any(gap.ratio is not None for gap in gaps)
        header = ["measure", "lowest", "highest", "difference"]
        header += [*(["ratio"] if rates else []), "p"]
        body = [(_gap_name(gap), _gap_cells(gap, rates=rates)) for gap in gaps]
        title = f"largest gap {self._title(model, by)}"
        two = len({row.group for row in self.blocks()[model, by]}) == 2
        return [Grid(header, body, TWO_GROUPS if two else GAP_NOTE, title, f"p < {SMALL:g}")]

    def __repr__(self) -> str:
        groups = len({(row.by, row.group) for row in self.rows if row.by is not None})
        return f"<comparison of {groups} groups: {len(self.rows)} values>"


class _GroupGrids:
    """The tables of one model and one column: one line per group, one column per measure."""

    def __init__(
        self, rows: Sequence[GroupRow], whole: Sequence[GroupRow], title: str, caption: str
    ) -> None:
        self.title, self.caption = title, caption
        self.measures = [row.measure for row in whole]
        self.whole = {row.measure: row for row in whole}
        self.groups: dict[str, dict[str, GroupRow]] = {}
        for row in rows:
            self.groups.setdefault(str(row.group), {})[row.measure] = row
        self.shown = list(self.groups)
        if len(self.shown) > MOST_SHOWN:
            clearest = sorted(self.groups, key=self._smallest_pvalue)[:SHOWN_OF_MANY]
            self.shown = sorted(clearest, key=self.shown.index)
            part = f"the {len(clearest)} of {len(self.groups)} groups with the smallest p-values"
            self.caption = f"{part}; {caption}"

    def _smallest_pvalue(self, group: str) -> float:
        known = [row.pvalue for row in self.groups[group].values()]
        return min(math.inf if pvalue is None else pvalue for pvalue in known)

    def made(self) -> list[Grid]:
        """The values, the differences and, of rates, the ratios."""
        rates = [m for m in self.measures if any(g[m].ratio is not None for g in self._rows())]
        grids = [self._values(), self._differences()]
        return [*grids, self._ratios(rates)] if rates else grids

    def _rows(self) -> list[dict[str, GroupRow]]:
        return list(self.groups.values())

    def _values(self) -> Grid:
        listed = {ALL: self.whole} | {name: self.groups[name] for name in self.shown}
        body = []
        for name, rows in listed.items():
            first = rows[self.measures[0]]
            counts = [Cell(str(first.n)), Cell(str(first.n_pos))]
            values = [Cell(number(r.value), limits(r.low, r.high)) for r in rows.values()]
            body.append((name, [*counts, *values]))
        header = ["group", "cases", "positive", *self.measures]
        return Grid(header, body, self.caption, f"values {self.title}")

    def _differences(self) -> Grid:
        body = [
            (name, [cell for row in self.groups[name].values() for cell in _compared_cells(row)])
            for name in self.shown
        ]
        header = ["group", *(text for measure in self.measures for text in (measure, "p"))]
        note = "p-values are adjusted for the number of groups, intervals are not"
        title = f"differences to the rest {self.title}"
        return Grid(header, body, note, title, f"p < {SMALL:g}")

    def _ratios(self, rates: Sequence[str]) -> Grid:
        body = [
            (name, [_ratio_cell(r.ratio, r.ratio_low, r.ratio_high) for r in rows])
            for name in self.shown
            for rows in [[self.groups[name][rate] for rate in rates]]
        ]
        return Grid(["group", *rates], body, title=f"ratios to the rest {self.title}")


def _gap_name(gap: GapRow) -> str:
    return gap.measure if gap.criterion is None else f"{gap.measure} ({gap.criterion})"


def _compared_cells(row: GroupRow) -> tuple[Cell, Cell]:
    adjusted = row.adjusted_pvalue
    clear = adjusted is not None and adjusted < SMALL
    gap = _gap_cell(row.difference, row.difference_low, row.difference_high, clear=clear)
    return gap, Cell(pvalue_text(adjusted))


def _gap_cells(gap: GapRow, *, rates: bool) -> list[Cell]:
    return [
        Cell(gap.lowest),
        Cell(gap.highest),
        _gap_cell(gap.difference, gap.low, gap.high, clear=gap.pvalue < SMALL),
        *([_ratio_cell(gap.ratio, gap.ratio_low, gap.ratio_high)] if rates else []),
        Cell(pvalue_text(gap.pvalue)),
    ]


def _gap_cell(value: float | None, low: float | None, high: float | None, *, clear: bool) -> Cell:
    if value is None:
        return Cell(UNDEFINED)
    return Cell(difference(value, low, high), limits(low, high), clear)


def _ratio_cell(value: float | None, low: float | None, high: float | None) -> Cell:
    if value is None or math.isnan(value):
        return Cell("" if value is None else UNDEFINED)
    return Cell(number(value), limits(low, high))
