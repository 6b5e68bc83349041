"""The decile table of credit scoring: cases in equal groups, from the highest scores down."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from metameasure._arguments import Whole, read_argument
from metameasure._text import UNDEFINED, amount, number
from metameasure.data import DataOptions, Models, read_models, takes_models
from metameasure.errors import UndefinedMeasureWarning
from metameasure.measurement import (
    MOST_GROUPS,
    NO_NEGATIVE,
    NO_POSITIVE,
    divergence_terms,
    filled,
    information_value,
    ks,
)
from metameasure.results import Cell, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.table import ScoreTable

GROUPS = Whole(1, MOST_GROUPS)
OF_POSITIVES = ("lift", "gain", "cumulative_lift", "ks", "information_value")
OF_NEGATIVES = ("cumulative_negatives", "ks", "information_value")


@dataclass(frozen=True)
class Decile:
    """One group of cases; cumulative columns cover this group and all groups above it.

    Attributes:
        model: the name of the model.
        group: the number of the group; 1 has the highest scores.
        lowest_score: the lowest score in the group.
        highest_score: the highest score in the group.
        cases: the number of cases, or their weight.
        positives: the number of positives, or their weight.
        negatives: the number of negatives, or their weight.
        positive_rate: the fraction of positives.
        mean_score: the mean score; the expected positive rate if scores are probabilities.
        lift: the positive rate divided by that of all cases.
        cumulative_cases: the cumulative fraction of all cases.
        gain: the cumulative fraction of all positives.
        cumulative_negatives: the cumulative fraction of all negatives.
        cumulative_lift: the cumulative positive rate divided by that of all cases.
        ks: the difference between ``gain`` and ``cumulative_negatives``, without its sign.
        information_value: the contribution of the group to the information value.
    """

    model: str
    group: int
    lowest_score: float
    highest_score: float
    cases: float
    positives: float
    negatives: float
    positive_rate: float
    mean_score: float
    lift: float
    cumulative_cases: float
    gain: float
    cumulative_negatives: float
    cumulative_lift: float
    ks: float
    information_value: float


@dataclass(frozen=True)
class DecileTotal:
    """All cases of a model; KS is the maximum over all thresholds."""

    model: str
    lowest_score: float
    highest_score: float
    cases: float
    positives: float
    negatives: float
    positive_rate: float
    mean_score: float
    ks: float
    information_value: float


@dataclass(frozen=True)
class UndefinedColumns:
    """Columns without a value, and the reason."""

    columns: tuple[str, ...]
    reason: str


class DecileTable(Result):
    """Groups of cases of one or more models, from the highest scores to the lowest.

    A group without cases, which occurs when a tie fills several groups, has no row.

    Attributes:
        totals: one row per model, over all of its cases.
        undefined: columns without a value, with the reason.
    """

    schema = Decile
    extra = {"totals": DecileTotal, "undefined": UndefinedColumns}  # noqa: RUF012
    rows: tuple[Decile, ...]

    def __init__(
        self,
        rows: Sequence[Decile],
        totals: Sequence[DecileTotal],
        *,
        groups: int,
        caption: str,
        like: Any = None,
    ) -> None:
        super().__init__(rows, meta={"groups": groups}, like=like)
        self.totals = tuple(totals)
        self._caption = caption

    @property
    def groups(self) -> int:
        """The number of groups that was asked for."""
        number: int = self.meta["groups"]
        return number

    @property
    def undefined(self) -> tuple[UndefinedColumns, ...]:
        """The columns without a value."""
        found = []
        # All models have the same cases.
        if not self.totals[0].positives:
            found.append(UndefinedColumns(OF_POSITIVES, NO_POSITIVE))
        if not self.totals[0].negatives:
            found.append(UndefinedColumns(OF_NEGATIVES, NO_NEGATIVE))
        means = [row.mean_score for row in self.rows] + [row.mean_score for row in self.totals]
        if any(map(math.isnan, means)):
            reason = "infinite scores of both signs have no mean"
            found.append(UndefinedColumns(("mean_score",), reason))
        return tuple(found)

    def grids(self) -> list[Grid]:
        """Two tables per model: each group by itself, and cumulative values."""
        grids = []
        for total in self.totals:
            rows = [row for row in self.rows if row.model == total.model]
            grids += [self._groups_grid(rows, total), _cumulative_grid(rows, total)]
        return grids

    def _groups_grid(self, rows: Sequence[Decile], total: DecileTotal) -> Grid:
        header = ["group", "from", "to", "cases", "pos", "neg", "rate", "mean score", "lift", "IV"]
        body = [(str(row.group), _contents(row, row.lift)) for row in rows]
        body.append(("all", _contents(total, 1.0 if total.positives else math.nan)))
        empty = self.groups - len(rows)
        few = total.cases < self.groups
        why = "there are fewer cases than groups" if few else "ties are not split"
        caption = self._caption + (
            f"; {empty} of {self.groups} groups are empty, since {why}" if empty else ""
        )
        return Grid(header, body, caption, f"{total.model}: each group")

    def notes(self) -> list[str]:
        """The columns that are undefined or infinite."""
        lines = [
            f"{', '.join(item.columns).replace('_', ' ')} undefined ({UNDEFINED}): {item.reason}"
            for item in self.undefined
        ]
        if any(math.isinf(row.information_value) for row in self.rows):
            lines.append("the information value (IV) is infinite (∞) if a group has only one class")
        return lines

    def __repr__(self) -> str:
        return f"<decile table: {len(self.rows)} groups, {len(self.totals)} models>"


def _contents(row: Decile | DecileTotal, lift: float) -> list[Cell]:
    counts = (row.cases, row.positives, row.negatives)
    texts = [number(row.lowest_score), number(row.highest_score), *map(amount, counts)]
    values = (row.positive_rate, row.mean_score, lift, row.information_value)
    return [Cell(text) for text in (*texts, *map(number, values))]


def _cumulative_grid(rows: Sequence[Decile], total: DecileTotal) -> Grid:
    columns = ("cases", "positives (gain)", "negatives", "lift", "KS")
    header = ["groups", *(f"cum. {column}" for column in columns)]
    largest = max(rows, key=lambda row: row.ks)
    body = []
    for row in rows:
        shares = (row.cumulative_cases, row.gain, row.cumulative_negatives, row.cumulative_lift)
        cells = [Cell(number(value)) for value in shares]
        cells.append(Cell(number(row.ks), stands_out=row is largest and row.ks > 0))
        body.append(("1" if row.group == 1 else f"1–{row.group}", cells))
    at_end = f"{number(largest.ks)} after group {largest.group}, " if total.ks >= 0 else ""
    caption = f"KS: {at_end}{number(total.ks)} over all thresholds"
    title = f"{total.model}: cumulative, from the highest scores down"
    return Grid(header, body, caption, title, "largest KS")


@takes_models(DataOptions)
def decile_table(
    y_true: Any,
    scores: Any = None,
    *,
    groups: int = 10,
    **data: Unpack[DataOptions],
) -> DecileTable:
    """The decile table: positives in groups of equal size, from the highest scores down.

    Ties are not split: all cases of a tie go to the group that contains its middle.

    Args:
        groups: the number of groups.

    >>> y = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0]
    >>> s = [0.9, 0.8, 0.8, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1, 0.1]
    >>> print(decile_table(y, s, groups=3))
    model: each group
    group    from      to  cases  pos  neg    rate  mean score    lift      IV
    1      0.8000  0.9000      3    2    1  0.6667      0.8333  1.6667  0.3662
    2      0.3000  0.7000      4    2    2  0.5000      0.4750  1.2500  0.0676
    3      0.1000  0.2000      3    0    3  0.0000      0.1333  0.0000       ∞
    all    0.1000  0.9000     10    4    6  0.4000      0.4800  1.0000       ∞
    10 cases, 4 positive
    model: cumulative, from the highest scores down
    groups  cum. cases  cum. positives (gain)  cum. negatives  cum. lift  cum. KS
    1           0.3000                 0.5000          0.1667     1.6667   0.3333
    1–2         0.7000                 1.0000          0.5000     1.4286   0.5000
    1–3         1.0000                 1.0000          1.0000     1.0000   0.0000
    KS: 0.5000 after group 2, 0.5833 over all thresholds
    the information value (IV) is infinite (∞) if a group has only one class
    """
    number_of_groups = read_argument("groups", groups, GROUPS)
    models = read_models(y_true, scores, **data)
    result = decile_table_of(models, number_of_groups)
    if result.undefined:
        reasons = (f"{', '.join(item.columns)}: {item.reason}" for item in result.undefined)
        warnings.warn(f"undefined: {'; '.join(reasons)}", UndefinedMeasureWarning, stacklevel=3)
    return result


def decile_table_of(models: Models, groups: int) -> DecileTable:
    """The decile table of models; undefined values are reported only in the result."""
    rows, totals = [], []
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for model, table in models.tables.items():
            rows += _rows(model, table, groups)
            totals.append(_total(model, table, groups))
    return DecileTable(rows, totals, groups=groups, caption=models.caption, like=models.like)


def _rows(model: str, table: ScoreTable, groups: int) -> list[Decile]:
    held = filled(table, groups)
    tp, fp, tpr, fpr = (along[held.end] for along in (table.tp, table.fp, table.tpr, table.fpr))
    rate = held.pos / held.weight
    columns = (
        held.lowest,
        held.highest,
        held.weight,
        held.pos,
        held.neg,
        rate,
        held.mean,
        rate / table.prevalence,
        (tp + fp) / table.n,
        tpr,
        fpr,
        tp / (tp + fp) / table.prevalence,
        np.abs(tpr - fpr),
        divergence_terms(held.pos / table.P, held.neg / table.N),
    )
    rows = zip(*(column.tolist() for column in (held.number, *columns)), strict=True)
    return [Decile(model, *row) for row in rows]


def _total(model: str, table: ScoreTable, groups: int) -> DecileTotal:
    values = (
        table.score[-1],
        table.score[0],
        table.n,
        table.P,
        table.N,
        table.prevalence,
        filled(table, 1).mean[0],
        ks.compute(table),
        information_value.using(bins=groups).compute(table),
    )
    return DecileTotal(model, *map(float, values))
