"""Operating points: thresholds with the best value of a measure, or the lowest cost."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from metameasure.curves import thresholds
from metameasure.data import DataOptions, read_models, read_one_table, takes_models, warn_dropped
from metameasure.errors import Argument, ParameterError, UndefinedMeasureWarning
from metameasure.measurement import is_best, threshold_measure
from metameasure.operating.costs import Costs, goal_scale, read_costs, read_prior
from metameasure.operating.isometrics import depends_on_rates, of_rates, read_on_diagonal
from metameasure.operating.model_point import (
    ModelPoint,
    assumptions,
    best_notes,
    best_rows,
    decision_grid,
    goal_facts,
    matrix_grid,
    rows_of,
    threshold_grid,
    undefined_notes,
)
from metameasure.operating.zones import ModelZone, never_best_notes, prior_grid, zones_of
from metameasure.results import MOST_SHOWN, Result
from metameasure.table import Cut, ScoreTable, count_before, pick

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from metameasure._types import Floats
    from metameasure.data import Models
    from metameasure.measurement import Measure
    from metameasure.operating.zones import OptimalityZones
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


@takes_models(DataOptions)
def operating_point(
    y_true: Any,
    scores: Any = None,
    *,
    maximize: str | Measure | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    prior: float | None = None,
    **data: Unpack[DataOptions],
) -> OperatingPoint:
    """The threshold with the best value of a measure, or the lowest expected cost, for one model.

    All thresholds are tried, including those that predict no case or all cases as positive. Of
    equally good thresholds the highest is returned, which predicts the fewest cases as positive.

    Args:
        scores: the scores, or the name of their column in a data frame or file; None for a
            ScoreTable or a block of tables.
        maximize: the measure to optimize, or its text; a measure whose best value is the lowest is
            minimized.
        cost_fp: instead of a measure, the cost of a false positive.
        cost_fn: the cost of a false negative.
        prior: the prior probability of a positive where decisions will be made; by default the
            prevalence.

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
    table = read_one_table(y_true, scores, "an operating point", stacklevel=3, **data)
    found = best_point(table, goal, read_prior(prior))
    undefined = int(np.count_nonzero(np.isnan(found.value)))
    if undefined:
        share = f" on {undefined} of {np.size(found.value)} tables" if table.shape else ""
        warnings.warn(
            f"the operating point by {found.measure} is undefined{share}: {goal.undefined_when}",
            UndefinedMeasureWarning,
            stacklevel=3,
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
    return (threshold_measure if prior is None else of_rates)(
        maximize, "an operating point", "maximize"
    )


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


class OperatingPoints(Result):
    """The operating point of each model, one row per model.

    Attributes:
        points: the points by model.
        zones: the optimality zones, if there are costs, several models and cases of both classes;
            as a further table they are joined by model.
        goal: the measure that was optimized, or the costs.
        prior: the prior probability of a positive, if given.
        best: the models with the best value; several if they are equally good.
    """

    schema = ModelPoint
    rows: tuple[ModelPoint, ...]
    extra = {"zones": ModelZone}  # noqa: RUF012

    def __init__(
        self,
        points: Mapping[str, OperatingPoint],
        *,
        zones: OptimalityZones | None,
        caption: str,
        like: Any = None,
    ) -> None:
        rows = [row for name, point in points.items() for row in rows_of(point, [name])]
        self.points = dict(points)
        self.zones = zones
        first = next(iter(self.points.values()))
        self.goal = first.goal
        self.prior = first.prior
        self.best = tuple(row.model for row in best_rows(rows, self.goal))
        self._caption = caption
        meta = {
            "best": list(self.best),
            **goal_facts(self.goal),
            "prior": rows[0].prior,
            "skew": self.goal.skew(rows[0].prior) if isinstance(self.goal, Costs) else None,
            "prevalence": rows[0].prevalence,
        }
        super().__init__(rows, meta=meta, like=like)

    @property
    def skew(self) -> float | None:
        """The skew of costs and prior; None without costs."""
        skew: float | None = self.meta["skew"]
        return skew

    def _table(self, name: str) -> tuple[Sequence[Any], type[Any]]:
        if isinstance(name, str) and name == "zones":
            return ([] if self.zones is None else self.zones.by_model()), ModelZone
        return super()._table(name)

    def grids(self) -> list[Grid]:
        """The thresholds, the decisions, and the best model by skew and prior."""
        grids = [
            threshold_grid(self.rows, self.goal, "model"),
            decision_grid(self.rows, "model", self._caption),
        ]
        if self.zones is not None and isinstance(self.goal, Costs):
            grids.append(prior_grid(self.zones, self.goal, self.rows[0].prior))
        return grids

    def notes(self) -> list[str]:
        """The best models, those that are never best, and the assumptions."""
        given = self.prior is not None
        return [
            *best_notes(self.rows, self.goal),
            *([] if self.zones is None else never_best_notes(self.zones)),
            *assumptions(self.rows, self.goal, given=given),
        ]

    def __repr__(self) -> str:
        return f"<operating points: {len(self.rows)} models by {self.goal}>"


@takes_models(DataOptions)
def operating_points(
    y_true: Any,
    scores: Any = None,
    *,
    maximize: str | Measure | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    prior: float | None = None,
    **data: Unpack[DataOptions],
) -> OperatingPoints:
    """The best threshold of each of several models.

    Each model gets its ``operating_point``. With costs and several models there are also their
    optimality zones: the skews, and at these costs the priors, at which each model is best.

    Args:
        maximize: as for an operating point.
        cost_fp: as for an operating point.
        cost_fn: as for an operating point.
        prior: as for an operating point.

    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> careful = [0.9, 0.8, 0.3, 0.2, 0.5, 0.4, 0.6, 0.1]
    >>> eager = [0.9, 0.8, 0.7, 0.6, 0.95, 0.85, 0.2, 0.1]
    >>> print(operating_points(y, {"careful": careful, "eager": eager}, cost_fp=1, cost_fn=5))
    threshold with the lowest expected cost: cost_fp = 1, cost_fn = 5
    model          threshold  expected cost ↓     TPR     FPR  diagonal
    careful           0.2000           0.3750  1.0000  0.7500    0.8750
    eager             0.6000           0.2500  1.0000  0.5000    0.9167
    all positive                       0.5000  1.0000  1.0000
    none positive                      2.5000  0.0000  0.0000
    decisions
    model    true positives  false positives  false negatives  true negatives
    careful               4                3                0               1
    eager                 4                2                0               2
    8 cases, 4 positive
    best model by skew, and by prior at these costs
    model    skew from      to  prior from      to
    careful     1.0000       ∞      0.0000  0.1667
    eager       0.0000  1.0000      0.1667  1.0000
    best: eager (expected cost 0.2500)
    prior: 0.5000 (prevalence)
    skew: (1 - prior) × cost_fp / (prior × cost_fn) = 0.2000
    diagonal: TPR of the equally good point with TPR = 1 - FPR
    chosen on the same data: expect a higher cost on new data
    """
    goal = read_goal(maximize, cost_fp, cost_fn, prior)
    models = read_models(y_true, scores, **data)
    warn_dropped(models.dropped, int(models.cases), stacklevel=3)
    result = operating_points_of(models, goal, read_prior(prior))
    undefined = sum(math.isnan(row.value) for row in result.rows)
    if undefined:
        warnings.warn(
            f"the operating point by {goal} is undefined for {undefined} of {len(result.rows)} "
            f"models: {goal.undefined_when}",
            UndefinedMeasureWarning,
            stacklevel=3,
        )
    return result


def operating_points_of(
    models: Models, goal: Measure | Costs, prior: float | None
) -> OperatingPoints:
    """The best points of models; undefined values are reported only in the result."""
    tables = models.tables
    points = {name: best_point(table, goal, prior) for name, table in tables.items()}
    first = next(iter(tables.values()))
    zoned = isinstance(goal, Costs) and len(tables) > 1 and first.P and first.N
    zones = zones_of(tables, models.like) if zoned else None
    return OperatingPoints(points, zones=zones, caption=models.caption, like=models.like)
