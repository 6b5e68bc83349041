"""Operating points as rows, and as a person reads them: thresholds, decisions, assumptions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from metameasure._text import UNDEFINED, amount, number, some_names, visible
from metameasure.measurement import arrow, is_as_good
from metameasure.operating.costs import SKEW, Costs, goal_scale
from metameasure.operating.thresholds import ALL, NONE, threshold_text
from metameasure.results import Cell, Grid, Page
from metameasure.table import shortest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from metameasure.measurement import Measure
    from metameasure.operating.point import OperatingPoint

    Goal = Measure | Costs


@dataclass(frozen=True)
class ModelPoint:
    """The operating point of one model.

    Attributes:
        model: the name of the model.
        threshold: the score from which on cases count as positive; infinite if none should.
        value: the value of the measure, or the expected cost of a case.
        tpr: the true positive rate there.
        fpr: the false positive rate there.
        tp: how many positives are called positive, or their weight.
        fp: how many negatives are called positive.
        fn: how many positives are called negative.
        tn: how many negatives are called negative.
        diagonal_reading: the TPR of the point on the descending diagonal that is as good.
        score_below: the next lower score: every threshold above it decides the same.
        value_if_all: the value, or the expected cost, if all cases were called positive.
        value_if_none: the same if none were.
        prior: the probability of a positive for which it is best.
        prevalence: the share of the positives among the cases.
    """

    model: str
    threshold: float
    value: float
    tpr: float
    fpr: float
    tp: float
    fp: float
    fn: float
    tn: float
    diagonal_reading: float
    score_below: float
    value_if_all: float
    value_if_none: float
    prior: float
    prevalence: float


def rows_of(point: OperatingPoint, names: Iterable[str]) -> list[ModelPoint]:
    """The point of a table, or the first ones of a block, each with its name."""
    columns = [
        np.broadcast_to(values, point.shape).reshape(-1) for values in point.columns().values()
    ]
    return [
        ModelPoint(name, *(float(column[place]) for column in columns))
        for place, name in enumerate(names)
    ]


MOST_SHOWN = 20
"""A page has no more of the tables of a block."""


def page_of_point(point: OperatingPoint) -> Page:
    """The page of one point, or of the first ones of a block."""
    goal, given = point.goal, point.prior is not None
    if not point.shape:
        rows = rows_of(point, ["best"])
        grids = [threshold_grid(rows, goal, "point"), _matrix_grid(rows[0])]
        return Page(grids, [*best_notes(rows, goal), *assumptions(rows, goal, given=given)])
    tables = math.prod(point.shape)
    places = islice(np.ndindex(point.shape), MOST_SHOWN)
    rows = rows_of(point, [", ".join(map(str, place)) for place in places])
    caption = f"the first {len(rows)} of {tables} tables" if len(rows) < tables else ""
    grids = [threshold_grid(rows, goal, "table"), decision_grid(rows, "table", caption)]
    return Page(grids, [*undefined_notes(rows, goal), *assumptions(rows, goal, given=given)])


def threshold_grid(rows: Sequence[ModelPoint], goal: Goal, first: str) -> Grid:
    """The threshold of each row and what it gives, beside calling all cases positive or none."""
    header = [first, "threshold", f"{goal} {arrow(goal.best)}", "TPR", "FPR", "diagonal"]
    top = best_rows(rows, goal) if len(rows) > 1 else []
    body = [(visible(row.model), _cells(row, stands_out=row in top)) for row in rows]
    if isinstance(goal, Costs):
        costs = f"a false alarm costs {shortest(goal.fp)}, a missed positive {shortest(goal.fn)}"
        title = f"the threshold that costs least: {costs}"
    else:
        title = f"the threshold at which {goal} is best"
    return Grid(header, [*body, *_trivial(rows)], title=title)


def _cells(row: ModelPoint, *, stands_out: bool) -> list[Cell]:
    nothing = math.isinf(row.threshold) and not row.tp + row.fp
    threshold = NONE if nothing else threshold_text(row.threshold, row.score_below)
    others = (row.tpr, row.fpr, row.diagonal_reading)
    value = Cell(number(row.value), stands_out=stands_out)
    return [Cell(threshold), value, *(Cell(number(one)) for one in others)]


def _trivial(rows: Sequence[ModelPoint]) -> list[tuple[str, list[Cell]]]:
    """What needs no model, as rows; nothing where each table has its own values."""
    ends = ((ALL, "value_if_all", 1.0), (NONE, "value_if_none", 0.0))
    body = []
    for name, value, rate in ends:
        texts = {number(getattr(row, value)) for row in rows}
        if len(texts) != 1:
            return []
        cells = ("", texts.pop(), number(rate), number(rate), "")
        body.append((name, [Cell(text) for text in cells]))
    return body


def _matrix_grid(row: ModelPoint) -> Grid:
    """The confusion matrix of one row as a square."""
    body = [
        ("positive", [Cell(amount(row.tp)), Cell(amount(row.fn))]),
        ("negative", [Cell(amount(row.fp)), Cell(amount(row.tn))]),
    ]
    return Grid(["these cases", "called positive", "called negative"], body)


def decision_grid(rows: Sequence[ModelPoint], first: str, caption: str) -> Grid:
    """The confusion matrix of each row in one line."""
    header = [first, "true positives", "false positives", "false negatives", "true negatives"]
    body = [
        (visible(row.model), [Cell(amount(n)) for n in (row.tp, row.fp, row.fn, row.tn)])
        for row in rows
    ]
    return Grid(header, body, caption, "decisions on these cases")


def best_rows(rows: Sequence[ModelPoint], goal: Goal) -> list[ModelPoint]:
    """The rows whose value is best, but for rounding; none if all are undefined."""
    known = [row for row in rows if not math.isnan(row.value)]
    if not known:
        return []
    top = max(goal.goodness(row.value) for row in known)
    scale = goal_scale(goal, known[0].value_if_none)
    return [row for row in known if is_as_good(goal.goodness(row.value), top, scale=scale)]


def best_notes(rows: Sequence[ModelPoint], goal: Goal) -> Iterator[str]:
    """Which of several models is best, and whether it is better than none."""
    yield from undefined_notes(rows, goal)
    top = best_rows(rows, goal)
    if not top:
        return
    best, several = top[0], len(rows) > 1
    if several:
        names = some_names([visible(row.model) for row in top])
        yield f"best: {names} ({goal} {number(best.value)})"
    trivial = {"no case": best.value_if_none, "every case": best.value_if_all}
    for which, value in trivial.items():
        scale = goal_scale(goal, best.value_if_none)
        if is_as_good(goal.goodness(value), goal.goodness(best.value), scale=scale):
            who = "no model" if several else "no threshold"
            yield f"{who} is better than calling {which} positive"


def undefined_notes(rows: Sequence[ModelPoint], goal: Goal) -> Iterator[str]:
    """Which rows have no point, and why."""
    names = [visible(row.model) for row in rows if math.isnan(row.value)]
    if names:
        which = f": {some_names(names)}" if len(rows) > 1 else ""
        yield f"{goal} is undefined ({UNDEFINED}) when {goal.undefined_when}{which}"


def assumptions(rows: Sequence[ModelPoint], goal: Goal, *, given: bool) -> Iterator[str]:
    """What was assumed, in plain words; nothing if there is no point."""
    if all(math.isnan(row.value) for row in rows):
        return
    shares = {number(row.prevalence) for row in rows}
    share = shares.pop() if len(shares) == 1 else ""
    if given:
        of_cases = f"; of these cases {share} are positive" if share else ""
        yield f"prior: {shortest(rows[0].prior)}, as given{of_cases}"
        yield f"the {goal} is that at the prior, the decisions are those on these cases"
    else:
        taken = f"{share}, the share of positives in these cases" if share else "that of each table"
        yield f"prior: {taken}"
    if isinstance(goal, Costs):
        skews = {number(goal.skew(row.prior)) for row in rows}
        yield f"{SKEW} = {skews.pop()}" if len(skews) == 1 else SKEW
    yield "diagonal: the TPR of the point with TPR = 1 - FPR that is as good"
    worse = "cost more" if isinstance(goal, Costs) else "do worse"
    yield f"chosen on these very cases: expect the same threshold to {worse} on new ones"
