"""The decile table of credit scoring: cases in equal groups, from the highest scores down."""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Whole, read_argument
from metameasure._text import UNDEFINED, amount, number, visible
from metameasure.data import Tables, read_tables
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
from metameasure.results import Cell, Grid, Listed, Page, json_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.data import NanPolicy
    from metameasure.table import ScoreTable

GROUPS = Whole(1, MOST_GROUPS)
OF_POSITIVES = ("lift", "gain", "cumulative_lift", "ks", "information_value")
OF_NEGATIVES = ("cumulative_negatives", "ks", "information_value")


@dataclass(frozen=True)
class Decile:
    """One group of cases.

    What is cumulative, and the KS, is taken over this group and all above it.

    Attributes:
        model: the name of the model.
        group: its number; 1 has the highest scores.
        lowest_score: the lowest score in it.
        highest_score: the highest score in it.
        cases: how many cases it holds, or their weight.
        positives: how many of them are positive.
        negatives: how many of them are negative.
        positive_rate: the share of positives in it.
        mean_score: the mean score, which is the expected rate if scores are probabilities.
        lift: the positive rate over that of all cases.
        cumulative_cases: the share of all cases.
        gain: the share of all positives.
        cumulative_negatives: the share of all negatives.
        cumulative_lift: the positive rate so far over that of all cases.
        ks: the distance of the shares of both classes.
        information_value: what the group adds to the information value.
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
    """All cases of a model together; the KS is that over all scores."""

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


class DecileTable(Listed):
    """Groups of cases of one or more models, from the highest scores to the lowest.

    ``rows`` has one row a group, ``totals`` one a model. A group that got no case, since a tie went
    elsewhere as a whole, has no row.
    """

    kind = Decile

    def __init__(
        self,
        rows: Sequence[Decile],
        totals: Sequence[DecileTotal],
        *,
        groups: int,
        caption: str,
        like: Any = None,
    ) -> None:
        super().__init__(rows, like)
        self.totals = tuple(totals)
        self.groups = groups
        self._caption = caption

    @property
    def undefined(self) -> dict[str, tuple[str, ...]]:
        """The columns that have no value, by the reason."""
        found: dict[str, tuple[str, ...]] = {}
        # The models are judged on the same cases.
        if not self.totals[0].positives:
            found[NO_POSITIVE] = OF_POSITIVES
        if not self.totals[0].negatives:
            found[NO_NEGATIVE] = OF_NEGATIVES
        if any(math.isnan(row.mean_score) for row in (*self.rows, *self.totals)):
            found["infinite scores of both signs have no mean"] = ("mean_score",)
        return found

    def to_json(self) -> str:
        """JSON with ``rows``, ``totals``, ``undefined`` and ``groups``.

        An undefined value is null, an infinite one the string "Infinity" or "-Infinity".
        """
        content = {
            "rows": [json_record(record) for record in self.records()],
            "totals": [json_record(asdict(total)) for total in self.totals],
            "undefined": [
                {"columns": list(columns), "reason": reason}
                for reason, columns in self.undefined.items()
            ],
            "groups": self.groups,
        }
        return json.dumps(content, indent=2)

    def page(self) -> Page:
        """Two tables a model: what each group holds, and what has come up to its end."""
        grids = []
        for total in self.totals:
            rows = [row for row in self.rows if row.model == total.model]
            name = visible(total.model)
            grids += [self._held(rows, total, name), _come(rows, total, name)]
        return Page(grids, self._notes())

    def _held(self, rows: Sequence[Decile], total: DecileTotal, name: str) -> Grid:
        header = ["group", "from", "to", "cases", "pos", "neg", "rate", "mean score", "lift"]
        body = [(str(row.group), [*_contents(row), Cell(number(row.lift))]) for row in rows]
        lift = 1.0 if total.positives else math.nan
        body.append(("all", [*_contents(total), Cell(number(lift))]))
        empty = self.groups - len(rows)
        ties = f"; {empty} of {self.groups} groups empty, as a tie is not split"
        caption = self._caption + (ties if empty else "")
        return Grid(header, body, caption, f"{name}: each group")

    def _notes(self) -> list[str]:
        lines = [
            f"{', '.join(columns).replace('_', ' ')} undefined ({UNDEFINED}): {reason}"
            for reason, columns in self.undefined.items()
        ]
        if any(math.isinf(row.information_value) for row in self.rows):
            lines.append("the information value is infinite (∞) where a group lacks one class")
        return lines

    def __repr__(self) -> str:
        return f"<decile table: {len(self.rows)} groups, {len(self.totals)} models>"


def _contents(row: Decile | DecileTotal) -> list[Cell]:
    counts = (row.cases, row.positives, row.negatives)
    texts = [number(row.lowest_score), number(row.highest_score), *map(amount, counts)]
    return [Cell(text) for text in (*texts, number(row.positive_rate), number(row.mean_score))]


def _come(rows: Sequence[Decile], total: DecileTotal, name: str) -> Grid:
    header = ["group", "cases", "positives (gain)", "negatives", "lift", "KS"]
    largest = max(rows, key=lambda row: row.ks)
    body = []
    for row in rows:
        shares = (row.cumulative_cases, row.gain, row.cumulative_negatives, row.cumulative_lift)
        cells = [Cell(number(value)) for value in shares]
        cells.append(Cell(number(row.ks), stands_out=row is largest and row.ks > 0))
        body.append((str(row.group), [*cells, Cell(number(row.information_value))]))
    body.append(("all", [*[Cell("")] * 5, Cell(number(total.information_value))]))
    at_end = f"{number(largest.ks)} at the end of group {largest.group}"
    caption = f"KS: {at_end}, {number(total.ks)} over all scores"
    title = f"{name}: up to the end of each group"
    return Grid([*header, "information value"], body, caption, title)


def decile_table(
    y_true: Any,
    y_score: Any = None,
    *,
    groups: int = 10,
    label: str | None = None,
    weight: str | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
) -> DecileTable:
    """How the positives lie in groups of equally many cases, from the highest scores down.

    A tie is never split: it goes, as a whole, to the group in which its middle lies.

    Args:
        y_true: the labels, a data frame that has them in the column ``label``, or a ScoreTable.
        y_score: the scores, a dict or data frame of several models' scores, or the names of their
            columns in that frame.
        groups: how many groups.
        label: the column of the labels.
        weight: the column of the weights.
        pos_label: the label that counts as positive, unless labels are bool, 0/1 or -1/1.
        sample_weight: an array of weights.
        nan_policy: "raise", or "drop" to leave out cases that lack a value.

    >>> y = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0]
    >>> s = [0.9, 0.8, 0.8, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1, 0.1]
    >>> print(decile_table(y, s, groups=3))
    model: each group
    group    from      to  cases  pos  neg    rate  mean score    lift
    1      0.8000  0.9000      3    2    1  0.6667      0.8333  1.6667
    2      0.3000  0.7000      4    2    2  0.5000      0.4750  1.2500
    3      0.1000  0.2000      3    0    3  0.0000      0.1333  0.0000
    all    0.1000  0.9000     10    4    6  0.4000      0.4800  1.0000
    10 cases, 4 positive
    model: up to the end of each group
    group   cases  positives (gain)  negatives    lift      KS  information value
    1      0.3000            0.5000     0.1667  1.6667  0.3333             0.3662
    2      0.7000            1.0000     0.5000  1.4286  0.5000             0.0676
    3      1.0000            1.0000     1.0000  1.0000  0.0000                  ∞
    all                                                                         ∞
    KS: 0.5000 at the end of group 2, 0.5833 over all scores
    the information value is infinite (∞) where a group lacks one class
    """
    number_of_groups = read_argument("groups", groups, GROUPS)
    tables = read_tables(
        y_true,
        y_score,
        label=label,
        weight=weight,
        sample_weight=sample_weight,
        pos_label=pos_label,
        nan_policy=nan_policy,
    )
    result = decile_table_of(tables, number_of_groups)
    if result.undefined:
        reasons = (f"{', '.join(names)}: {why}" for why, names in result.undefined.items())
        warnings.warn(f"undefined: {'; '.join(reasons)}", UndefinedMeasureWarning, stacklevel=2)
    return result


def decile_table_of(tables: Tables, groups: int) -> DecileTable:
    """The decile table of models that are known; what is undefined is said only in the result."""
    rows, totals = [], []
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for model, table in tables.by_model.items():
            rows += _rows(model, table, groups)
            totals.append(_total(model, table, groups))
    return DecileTable(rows, totals, groups=groups, caption=tables.caption, like=tables.like)


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
