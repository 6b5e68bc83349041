"""The operating point: the threshold with the best value of a measure, or the lowest cost."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.curves import thresholds
from metameasure.data import NanPolicy, Rescale, read_table
from metameasure.errors import Argument, ParameterError, UndefinedMeasureWarning
from metameasure.measurement import is_best, threshold_measure
from metameasure.operating.costs import Costs, goal_scale, read_costs, read_prior
from metameasure.operating.isometrics import depends_on_rates, of_rates, read_on_diagonal
from metameasure.operating.model_point import (
    ModelPoint,
    assumptions,
    best_notes,
    decision_grid,
    goal_facts,
    matrix_grid,
    rows_of,
    threshold_grid,
    undefined_notes,
)
from metameasure.results import MOST_SHOWN, Result
from metameasure.table import Cut, ScoreTable, count_before, pick

if TYPE_CHECKING:
    from collections.abc import Iterator

    from metameasure._types import Floats
    from metameasure.measurement import Measure
    from metameasure.results import Grid


@dataclass(frozen=True, eq=False)
class OperatingPoint(Result):
    """The best threshold and its confusion matrix; attributes are arrays for a block of tables.

    A result has one row, or one per table of the block, whose name is then the index of the table.

    Attributes:
        threshold: the threshold; infinite if no case is predicted positive.
        matrix: the confusion matrix of the data at the threshold.
        value: the value of the measure, or the expected cost per case.
        goal: the measure that was optimized, or the costs.
        diagonal_reading: the TPR at which the isometric through the point meets the descending
            diagonal TPR = 1 - FPR. Only for (skew) accuracy it equals the value.
        score_below: the next lower score; all thresholds above it give the same decisions.
        value_if_all: the value, or the expected cost, if all cases are predicted positive.
        value_if_none: the value, or the expected cost, if no case is predicted positive.
        prior: the prior probability of a positive, if given; None for the prevalence.
    """

    schema = ModelPoint

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
        """The measure that was optimized, as text."""
        return str(self.goal)

    @property
    def shape(self) -> tuple[int, ...]:
        """The axes of the block: ``()`` for one table."""
        return np.shape(self.value)

    def columns(self) -> dict[str, Any]:
        """The point as numbers, or as arrays for a block; ``prior`` is the one that was used."""
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

    checks, _like = (), None

    @property
    def rows(self) -> tuple[ModelPoint, ...]:  # type: ignore[override]
        """The point of each table."""
        return tuple(rows_of(self, self._names()))

    @property
    def meta(self) -> dict[str, Any]:  # type: ignore[override]
        """The measure or the costs, and the prior."""
        return {**goal_facts(self.goal), "prior": self.prior}

    def _names(self) -> Iterator[str]:
        """The names of the rows: "best", or the index of each table of a block."""
        if not self.shape:
            return iter(["best"])
        return (", ".join(map(str, place)) for place in np.ndindex(self.shape))

    def _shown(self) -> list[ModelPoint]:
        return rows_of(self, islice(self._names(), MOST_SHOWN))

    def grids(self) -> list[Grid]:
        """The point beside the trivial rules, and its decisions; of a block the first tables."""
        rows, tables = self._shown(), np.size(self.value)
        if not self.shape:
            return [threshold_grid(rows, self.goal, "point"), matrix_grid(rows[0])]
        caption = f"the first {len(rows)} of {tables} tables" if len(rows) < tables else ""
        return [threshold_grid(rows, self.goal, "table"), decision_grid(rows, "table", caption)]

    def notes(self) -> list[str]:
        """Undefined points, and the assumptions."""
        rows = self._shown()
        lines = undefined_notes(rows, self.goal) if self.shape else best_notes(rows, self.goal)
        return [*lines, *assumptions(rows, self.goal, given=self.prior is not None)]


def operating_point(
    y_true: Any,
    y_score: Any = None,
    *,
    maximize: str | Measure | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    prior: float | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
) -> OperatingPoint:
    """The threshold with the best value of a measure, or with the lowest expected cost.

    All thresholds are tried, including those that predict no case or all cases as positive. Of
    equally good thresholds the highest is returned, which predicts the fewest cases as positive.

    Args:
        y_true: the labels, or a ScoreTable or block of tables.
        y_score: the scores.
        maximize: the measure to optimize, or its text; a measure whose best value is the lowest is
            minimized.
        cost_fp: instead of a measure, the cost of a false positive.
        cost_fn: the cost of a false negative.
        prior: the prior probability of a positive where decisions will be made; by default the
            prevalence.
        pos_label: as for a measure.
        sample_weight: as for a measure.
        nan_policy: as for a measure.
        rescale: as for a measure.

    >>> y, s = [1, 1, 0, 1, 0, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.1]
    >>> best = operating_point(y, s, maximize="f_measure")
    >>> print(best.threshold, best.value, best.matrix.tp, best.matrix.fp)
    0.6 0.75 3.0 1.0
    >>> print(operating_point(y, s, cost_fp=1, cost_fn=5, prior=0.1))
    threshold with the lowest expected cost: cost_fp = 1, cost_fn = 5
    point          threshold  expected cost ↓     TPR     FPR  diagonal
    best              0.8000           0.2500  0.5000  0.0000    0.8214
    all positive                       0.9000  1.0000  1.0000
    none positive                      0.5000  0.0000  0.0000
    true class  predicted positive  predicted negative
    positive                     2                   2
    negative                     0                   4
    prior: 0.1 (given); prevalence in the data: 0.5000
    expected cost at this prior; decisions on the data
    skew: (1 - prior) × cost_fp / (prior × cost_fn) = 1.8000
    diagonal: TPR of the equally good point with TPR = 1 - FPR
    chosen on the same data: expect a higher cost on new data
    """
    goal = read_goal(maximize, cost_fp, cost_fn, prior)
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
            f"the operating point by {found.measure} is undefined{share}: {goal.undefined_when}",
            UndefinedMeasureWarning,
            stacklevel=2,
        )
    return found


def read_goal(maximize: Any, cost_fp: Any, cost_fn: Any, prior: Any) -> Measure | Costs:
    """The measure to optimize, or the costs."""
    costs = (Argument("cost_fp"), " and ", Argument("cost_fn"))
    if maximize is None:
        if cost_fp is None or cost_fn is None:
            raise ParameterError(("pass ", Argument("maximize"), " or both ", *costs))
        return read_costs(cost_fp, cost_fn, prior)
    if cost_fp is not None or cost_fn is not None:
        raise ParameterError(("pass either ", Argument("maximize"), " or ", *costs, ", not both"))
    read_prior(prior)
    return (threshold_measure if prior is None else of_rates)(maximize, "an operating point")


def best_point(table: ScoreTable, goal: Measure | Costs, prior: float | None) -> OperatingPoint:
    """The best point of a table, or of each table of a block; NaN where there is none."""
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
    """The highest score below the threshold; minus infinity if there is none."""
    after = count_before(table.tp + table.fp, cut.tp + cut.fp, "right")
    rows = limits.shape[-1]
    return np.where(after < rows, pick(limits, np.minimum(after, rows - 1)), -np.inf)


def _matrices(table: ScoreTable, prior: float | None) -> Cut:
    """The matrices at all thresholds, of the data or at the given prior."""
    if prior is None:
        totals = (total[..., np.newaxis] for total in (table.P, table.N))
        return Cut(table.tp, table.fp, *totals)
    rest = 1 - prior
    return Cut(table.tpr * prior, table.fpr * rest, np.float64(prior), np.float64(rest))
