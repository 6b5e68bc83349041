"""The operating point: the threshold at which a measure is best, or decisions cost least."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.curves import thresholds
from metameasure.data import NanPolicy, Rescale, read_table
from metameasure.errors import DataError, UndefinedMeasureWarning
from metameasure.measurement import is_best, threshold_measure
from metameasure.operating.costs import Costs, goal_scale, read_costs, read_prior
from metameasure.operating.isometrics import depends_on_rates, of_rates, read_on_diagonal
from metameasure.operating.point_page import page_of_point
from metameasure.results import Page, Printed
from metameasure.table import Cut, ScoreTable, count_before, pick

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure.measurement import Measure

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OperatingPoint(Printed):
    """The best threshold, and what it does; arrays for a block of tables.

    Attributes:
        threshold: the score from which on cases count as positive; infinite if none should.
        matrix: the confusion matrix there, of the cases that were given.
        value: the value of the measure, or the expected cost of a case.
        goal: what was made best: the measure, or the costs.
        diagonal_reading: the TPR where the isometric through the point meets the descending
            diagonal TPR = 1 - FPR. It is the value itself for (skew) accuracy only.
        score_below: the next lower score: every threshold above it decides the same.
        value_if_all: the value, or the expected cost, if all cases were called positive.
        value_if_none: the same if none were.
        prior: the probability of a positive for which it is best; None if that of the cases.
    """

    threshold: Any
    matrix: Cut
    value: Any
    goal: Measure | Costs
    diagonal_reading: Any
    score_below: Any
    value_if_all: Any
    value_if_none: Any
    prior: float | None = None

    @property
    def measure(self) -> str:
        """What was made best, as text."""
        return str(self.goal)

    @property
    def shape(self) -> tuple[int, ...]:
        """The axes of the block: ``()`` for one table."""
        return np.shape(self.value)

    def columns(self) -> dict[str, Any]:
        """The point as numbers, or as arrays for a block; ``prior`` is the one that was taken."""
        cut = self.matrix
        with np.errstate(divide="ignore", invalid="ignore"):
            rates = {"tpr": cut.tpr, "fpr": cut.fpr}
            prevalence = cut.P / cut.n
        counts = {"tp": cut.tp, "fp": cut.fp, "fn": cut.fn, "tn": cut.tn}
        return {
            "threshold": self.threshold,
            "value": self.value,
            **rates,
            **counts,
            "diagonal_reading": self.diagonal_reading,
            "score_below": self.score_below,
            "value_if_all": self.value_if_all,
            "value_if_none": self.value_if_none,
            "prior": prevalence if self.prior is None else self.prior,
            "prevalence": prevalence,
        }

    def record(self) -> dict[str, Any]:
        """The point as a row: threshold, value, both rates, the matrix and what else is known."""
        plain = {
            name: values.tolist() if hasattr(values, "tolist") else values
            for name, values in self.columns().items()
        }
        return {"measure": self.measure, **plain}

    def page(self) -> Page:
        """The point beside what it would be to call all cases positive or none, and decisions."""
        return page_of_point(self)


def operating_point(
    y_true: Any,
    y_score: Any = None,
    *,
    maximise: str | Measure | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    prior: float | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
) -> OperatingPoint:
    """The threshold at which a measure is best, or at which decisions are expected to cost least.

    All thresholds are tried, none and all positive among them. Of several that are equally good
    the highest is taken, which calls the fewest cases positive.

    Args:
        y_true: the labels, or a ready ScoreTable or block.
        y_score: the scores.
        maximise: a measure at a threshold, or its text, to be made as good as it can be: one that
            is better when smaller is made small.
        cost_fp: instead of a measure, what a false alarm costs.
        cost_fn: what a missed positive costs.
        prior: the probability of a positive where decisions will be made; that of the cases by
            default.
        pos_label: as for a measure.
        sample_weight: as for a measure.
        nan_policy: as for a measure.
        rescale: as for a measure.

    >>> y, s = [1, 1, 0, 1, 0, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.1]
    >>> best = operating_point(y, s, maximise="f_measure")
    >>> print(best.threshold, best.value, best.matrix.tp, best.matrix.fp)
    0.6 0.75 3.0 1.0
    >>> print(operating_point(y, s, cost_fp=1, cost_fn=5, prior=0.1))
    the threshold that costs least: a false alarm costs 1, a missed positive 5
    point          threshold  expected cost ↓     TPR     FPR  diagonal
    best              0.8000           0.2500  0.5000  0.0000    0.8214
    all positive                       0.9000  1.0000  1.0000
    none positive                      0.5000  0.0000  0.0000
    these cases  called positive  called negative
    positive                   2                2
    negative                   0                4
    prior: 0.1, as given; of these cases 0.5000 are positive
    the expected cost is that at the prior, the decisions are those on these cases
    skew: (1 - prior) × cost of a false alarm / (prior × cost of a miss) = 1.8000
    diagonal: the TPR of the point with TPR = 1 - FPR that is as good
    chosen on these very cases: expect the same threshold to cost more on new ones
    """
    goal = read_goal(maximise, cost_fp, cost_fn, prior)
    table = read_table(
        y_true,
        y_score,
        "operating_point",
        pos_label=pos_label,
        sample_weight=sample_weight,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    found = best_point(table, goal, read_prior(prior))
    undefined = int(np.count_nonzero(np.isnan(found.value)))
    if undefined:
        share = f" on {undefined} of {np.size(found.value)} tables" if table.shape else ""
        warnings.warn(
            f"the best point by {found.measure} is undefined{share}: {goal.undefined_when}",
            UndefinedMeasureWarning,
            stacklevel=2,
        )
    return found


def read_goal(maximise: Any, cost_fp: Any, cost_fn: Any, prior: Any) -> Measure | Costs:
    """What is to be made best, from the arguments that say so."""
    if maximise is None:
        if cost_fp is None or cost_fn is None:
            raise DataError(
                "say what is best: maximise= a measure like 'accuracy', or both cost_fp= and "
                "cost_fn="
            )
        return read_costs(cost_fp, cost_fn, prior)
    if cost_fp is not None or cost_fn is not None:
        raise DataError("give maximise= or costs, not both: a measure has its own weights")
    read_prior(prior)
    return (threshold_measure if prior is None else of_rates)(maximise, "an operating point")


def best_point(table: ScoreTable, goal: Measure | Costs, prior: float | None) -> OperatingPoint:
    """The best of all points of a table or block; NaN where there is none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        if isinstance(goal, Costs):
            alarm, miss = (np.asarray(weight) for weight in goal.weights(table.prevalence))
            values = miss[..., np.newaxis] * (1 - table.tpr) + alarm[..., np.newaxis] * table.fpr
        else:
            values = goal.at_cut(_matrices(table, prior))
        scale = goal_scale(goal, values[..., :1])
        place = np.argmax(is_best(goal.goodness(values), axis=-1, scale=scale), axis=-1)
        value = pick(values, place)
        cut = Cut(pick(table.tp, place), pick(table.fp, place), table.P, table.N)
        if isinstance(goal, Costs):
            reading = (miss * cut.tpr + alarm * cut.tnr) / (miss + alarm)
        else:
            ratio = table.N / table.P if prior is None else (1 - prior) / prior
            reading = (
                read_on_diagonal(goal, value, ratio)
                if depends_on_rates(goal)
                else np.full(np.shape(value), np.nan)
            )
    limits = np.broadcast_to(thresholds(table), values.shape)
    below = _next_score(table, cut, limits)
    threshold, reading, below, tp, fp = (
        np.where(np.isnan(value), np.nan, found)[()]
        for found in (pick(limits, place), reading, below, cut.tp, cut.fp)
    )
    return OperatingPoint(
        threshold,
        Cut(tp, fp, table.P, table.N),
        value,
        goal,
        reading,
        below,
        value_if_all=values[..., -1][()],
        value_if_none=values[..., 0][()],
        prior=prior,
    )


def _next_score(table: ScoreTable, cut: Cut, limits: Floats) -> Any:
    """The highest score that a case has below the cut; minus infinity if there is none."""
    after = count_before(table.tp + table.fp, cut.tp + cut.fp, "right")
    rows = limits.shape[-1]
    return np.where(after < rows, pick(limits, np.minimum(after, rows - 1)), -np.inf)


def _matrices(table: ScoreTable, prior: float | None) -> Cut:
    """The matrices at all thresholds, as they are or where positives are as frequent as said."""
    if prior is None:
        totals = (total[..., np.newaxis] for total in (table.P, table.N))
        return Cut(table.tp, table.fp, *totals)
    rest = 1 - prior
    return Cut(table.tpr * prior, table.fpr * rest, np.float64(prior), np.float64(rest))
