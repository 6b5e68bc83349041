"""The operating point of one model as a row, and the tables and notes on such rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import UNDEFINED, amount, number, some_names
from metameasure.measurement import arrow, is_as_good
from metameasure.operating.costs import SKEW, Costs, goal_scale
from metameasure.results import Cell, Grid
from metameasure.table import shortest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from metameasure.measurement import Measure
    from metameasure.operating.point import OperatingPoint

    Goal = Measure | Costs


NONE, ALL = "none positive", "all positive"
FEWEST, MOST = 4, 17
"""Smallest and largest number of digits of a threshold."""


@dataclass(frozen=True)
class ModelPoint:
    """The operating point of one model.

    Attributes:
        model: the name of the model.
        threshold: the threshold; infinite if no case is predicted positive.
        value: the value of the measure, or the expected cost per case.
        tpr: the true positive rate.
        fpr: the false positive rate.
        tp: the number of true positives, or their weight.
        fp: the number of false positives.
        fn: the number of false negatives.
        tn: the number of true negatives.
        diagonal_reading: the TPR of the equally good point on the descending diagonal.
        score_below: the next lower score; all thresholds above it give the same decisions.
        value_if_all: the value, or the expected cost, if all cases are predicted positive.
        value_if_none: the value, or the expected cost, if no case is predicted positive.
        prior: the prior probability of a positive that was used.
        prevalence: the fraction of positives in the data.
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
    """The point of a table, or the first points of a block, with these names."""
    columns = [
        np.broadcast_to(values, point.shape).reshape(-1) for values in point.columns().values()
    ]
    return [
        ModelPoint(name, *(float(column[place]) for column in columns))
        for place, name in enumerate(names)
    ]


def goal_facts(goal: Goal) -> dict[str, Any]:
    """The measure, or the costs, for ``meta``."""
    costs = goal if isinstance(goal, Costs) else None
    return {
        "measure": str(goal),
        "cost_fp": costs and costs.fp,
        "cost_fn": costs and costs.fn,
    }


def threshold_grid(rows: Sequence[ModelPoint], goal: Goal, first: str) -> Grid:
    """The threshold of each row with its values, and those of two trivial rules."""
    header = [first, "threshold", f"{goal} {arrow(goal.best)}", "TPR", "FPR", "diagonal"]
    top = best_rows(rows, goal) if len(rows) > 1 else []
    body = [(row.model, _cells(row, stands_out=row in top)) for row in rows]
    if isinstance(goal, Costs):
        costs = f"cost_fp = {shortest(goal.fp)}, cost_fn = {shortest(goal.fn)}"
        title = f"threshold with the lowest expected cost: {costs}"
    else:
        title = f"threshold with the best {goal}"
    bold = f"best {goal}; differences are not tested"
    return Grid(header, [*body, *_trivial(rows)], title=title, bold=bold)


def _cells(row: ModelPoint, *, stands_out: bool) -> list[Cell]:
    nothing = math.isinf(row.threshold) and not row.tp + row.fp
    threshold = NONE if nothing else threshold_text(row.threshold, row.score_below)
    others = (row.tpr, row.fpr, row.diagonal_reading)
    value = Cell(number(row.value), stands_out=stands_out)
    return [Cell(threshold), value, *(Cell(number(one)) for one in others)]


def _trivial(rows: Sequence[ModelPoint]) -> list[tuple[str, list[Cell]]]:
    """The rules that need no model, as rows; none if their values differ between tables."""
    ends = ((ALL, "value_if_all", 1.0), (NONE, "value_if_none", 0.0))
    body = []
    for name, value, rate in ends:
        texts = {number(getattr(row, value)) for row in rows}
        if len(texts) != 1:
            return []
        cells = ("", texts.pop(), number(rate), number(rate), "")
        body.append((name, [Cell(text) for text in cells]))
    return body


def matrix_grid(row: ModelPoint) -> Grid:
    """The confusion matrix of one row."""
    body = [
        ("positive", [Cell(amount(row.tp)), Cell(amount(row.fn))]),
        ("negative", [Cell(amount(row.fp)), Cell(amount(row.tn))]),
    ]
    return Grid(["true class", "predicted positive", "predicted negative"], body)


def decision_grid(rows: Sequence[ModelPoint], first: str, caption: str) -> Grid:
    """One line per row with its confusion matrix."""
    header = [first, "true positives", "false positives", "false negatives", "true negatives"]
    body = [
        (row.model, [Cell(amount(n)) for n in (row.tp, row.fp, row.fn, row.tn)]) for row in rows
    ]
    return Grid(header, body, caption, "decisions")


def best_rows(rows: Sequence[ModelPoint], goal: Goal) -> list[ModelPoint]:
    """The rows with the best value up to rounding; none if all are undefined."""
    known = [row for row in rows if not math.isnan(row.value)]
    if not known:
        return []
    top = max(goal.goodness(row.value) for row in known)
    scale = goal_scale(goal, known[0].value_if_none)
    return [row for row in known if is_as_good(goal.goodness(row.value), top, scale=scale)]


def best_notes(rows: Sequence[ModelPoint], goal: Goal) -> Iterator[str]:
    """The best of several models, and whether it is better than a trivial rule."""
    yield from undefined_notes(rows, goal)
    top = best_rows(rows, goal)
    if not top:
        return
    best, several = top[0], len(rows) > 1
    if several:
        names = some_names([row.model for row in top])
        yield f"best: {names} ({goal} {number(best.value)})"
    trivial = {"no case": best.value_if_none, "every case": best.value_if_all}
    for which, value in trivial.items():
        scale = goal_scale(goal, best.value_if_none)
        if is_as_good(goal.goodness(value), goal.goodness(best.value), scale=scale):
            who = "no model" if several else "no threshold"
            yield f"{who} is better than predicting {which} as positive"


def undefined_notes(rows: Sequence[ModelPoint], goal: Goal) -> Iterator[str]:
    """The rows without an operating point, and the reason."""
    names = [row.model for row in rows if math.isnan(row.value)]
    if names:
        which = f": {some_names(names)}" if len(rows) > 1 else ""
        yield f"{goal} is undefined ({UNDEFINED}) when {goal.undefined_when}{which}"


def assumptions(rows: Sequence[ModelPoint], goal: Goal, *, given: bool) -> Iterator[str]:
    """The prior, the skew, and how to read the table; nothing if there is no point."""
    if all(math.isnan(row.value) for row in rows):
        return
    shares = {number(row.prevalence) for row in rows}
    share = shares.pop() if len(shares) == 1 else ""
    if given:
        of_data = f"; prevalence in the data: {share}" if share else ""
        yield f"prior: {shortest(rows[0].prior)} (given){of_data}"
        yield f"{goal} at this prior; decisions on the data"
    else:
        yield f"prior: {share or 'prevalence of each table'}" + " (prevalence)" * bool(share)
    if isinstance(goal, Costs):
        skews = {number(goal.skew(row.prior)) for row in rows}
        yield f"{SKEW} = {skews.pop()}" if len(skews) == 1 else SKEW
    yield "diagonal: TPR of the equally good point with TPR = 1 - FPR"
    worse = "a higher cost" if isinstance(goal, Costs) else "a worse value"
    yield f"chosen on the same data: expect {worse} on new data"


def threshold_text(threshold: float, below: float) -> str:
    """A threshold to at least four digits, and to more if needed for the same decisions.

    The number shown is above the next lower score and at most the threshold.

    >>> threshold_text(2 / 3, 0.5), threshold_text(2 / 3, 0.66665)
    ('0.6666', '0.66666')
    """
    if not math.isfinite(threshold):
        return number(threshold)
    exact = Decimal(threshold + 0.0)
    # The number of decimals that ``number`` gives, or the number of digits where it counts digits.
    plain = threshold == 0 or 1e-3 <= abs(threshold) < 1e5
    for digits in range(FEWEST, MOST + 1):
        step = Decimal(1).scaleb(-digits if plain else exact.adjusted() - digits + 1)
        for rounding in (ROUND_HALF_EVEN, ROUND_FLOOR):
            rounded = exact.quantize(step, rounding)
            if below < float(rounded) <= threshold:
                return f"{rounded:f}" if plain else f"{float(rounded):.{digits}g}"
    return repr(float(threshold))
