"""Operating points as a person reads them: the thresholds, the decisions, and what was assumed."""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from metameasure.evaluation.records import amount
from metameasure.operating.point_rows import rows_of
from metameasure.operating.skew import SKEW, Costs, as_good, goal_scale
from metameasure.operating.thresholds import ALL, NONE, threshold_text
from metameasure.registry import arrow
from metameasure.rendering import UNDEFINED, Cell, Grid, Page, number, some_names, visible
from metameasure.table.point import shortest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from metameasure.operating.choosing import OperatingPoint
    from metameasure.operating.point_rows import ModelPoint
    from metameasure.registry import Measure

    Goal = Measure | Costs

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
    return [row for row in known if as_good(goal.goodness(row.value), top, scale)]


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
        if as_good(goal.goodness(value), goal.goodness(best.value), scale):
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
