"""The operating points of several models on the same cases, and their optimality zones."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

from metameasure.data import read_models, warn_dropped
from metameasure.errors import UndefinedMeasureWarning
from metameasure.operating.costs import Costs, read_prior
from metameasure.operating.model_point import (
    ModelPoint,
    assumptions,
    best_notes,
    best_rows,
    decision_grid,
    goal_facts,
    rows_of,
    threshold_grid,
)
from metameasure.operating.point import best_point, read_goal
from metameasure.operating.zones import ModelZone, never_best_notes, prior_grid, zones_of
from metameasure.results import Result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from metameasure.data import Models, NanPolicy, Rescale
    from metameasure.measurement import Measure
    from metameasure.operating.point import OperatingPoint
    from metameasure.operating.zones import OptimalityZones
    from metameasure.results import Grid


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
        if name == "zones":
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


def operating_points(
    y_true: Any,
    scores: Any = None,
    *,
    maximize: str | Measure | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    prior: float | None = None,
    label: str | None = None,
    score: Any = None,
    weight: str | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
) -> OperatingPoints:
    """The best threshold of each of several models.

    Each model gets its ``operating_point``. With costs and several models there are also their
    optimality zones: the skews, and at these costs the priors, at which each model is best.

    Args:
        y_true: the labels; a data frame or file name, with them in the column ``label``; or a
            ScoreTable or a dict with one per model.
        scores: the scores, a dict or data frame of several models' scores, or the names of their
            columns in that frame.
        maximize: as for an operating point.
        cost_fp: as for an operating point.
        cost_fn: as for an operating point.
        prior: as for an operating point.
        label: the column of the labels.
        score: synonym of ``scores``.
        weight: the column of the weights.
        pos_label: as for a measure.
        sample_weight: as for a measure.
        nan_policy: as for a measure; a case that lacks one model's score is left out for all.
        rescale: as for a measure.

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
    models = read_models(
        y_true,
        scores,
        score=score,
        label=label,
        weight=weight,
        pos_label=pos_label,
        sample_weight=sample_weight,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    warn_dropped(models.dropped, int(models.cases), stacklevel=2)
    result = operating_points_of(models, goal, read_prior(prior))
    undefined = sum(math.isnan(row.value) for row in result.rows)
    if undefined:
        warnings.warn(
            f"the operating point by {goal} is undefined for {undefined} of {len(result.rows)} "
            f"models: {goal.undefined_when}",
            UndefinedMeasureWarning,
            stacklevel=2,
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
