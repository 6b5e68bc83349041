"""The operating points of several models on the same cases, and which of them is best where."""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from metameasure.data.tables_by_name import read_models
from metameasure.errors import UndefinedMeasureWarning
from metameasure.operating.costs import Costs, read_prior
from metameasure.operating.point import best_point, read_goal
from metameasure.operating.point_page import (
    ModelPoint,
    assumptions,
    best_notes,
    best_rows,
    decision_grid,
    rows_of,
    threshold_grid,
)
from metameasure.operating.zones import beaten, prior_grid, zones_of
from metameasure.results import Listed, Page, json_record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metameasure.data import NanPolicy, Rescale, Tables
    from metameasure.measurement import Measure
    from metameasure.operating.point import OperatingPoint
    from metameasure.operating.zones import OptimalityZones


class OperatingPoints(Listed):
    """The operating point of each of one or more models, and their zones of optimality.

    ``points`` has them by model, ``rows`` as rows. ``zones`` are there if costs were given, models
    are several and both classes have cases.
    """

    kind = ModelPoint
    rows: tuple[ModelPoint, ...]

    def __init__(
        self,
        points: Mapping[str, OperatingPoint],
        *,
        zones: OptimalityZones | None,
        caption: str,
        like: Any = None,
    ) -> None:
        rows = [row for name, point in points.items() for row in rows_of(point, [name])]
        super().__init__(rows, like)
        self.points = dict(points)
        self.zones = zones
        first = next(iter(self.points.values()))
        self.goal = first.goal
        self.prior = first.prior
        self._caption = caption

    @property
    def best(self) -> tuple[str, ...]:
        """The models with the best value; several if they are equally good."""
        return tuple(row.model for row in best_rows(self.rows, self.goal))

    @property
    def skew(self) -> float | None:
        """The skew that costs and prior make; None if there are no costs."""
        return self.goal.skew(self.rows[0].prior) if isinstance(self.goal, Costs) else None

    def to_json(self) -> str:
        """JSON with ``rows``, ``best``, ``zones`` by model, and what was asked for.

        An undefined value is null, an infinite one the string "Infinity" or "-Infinity".
        """
        costs = self.goal if isinstance(self.goal, Costs) else None
        zones = self.zones.by_model() if self.zones else []
        asked = {
            "measure": str(self.goal),
            "cost_fp": costs and costs.fp,
            "cost_fn": costs and costs.fn,
            "prior": self.rows[0].prior,
            "skew": self.skew,
            "prevalence": self.rows[0].prevalence,
        }
        content = {
            "rows": [json_record(record) for record in self.records()],
            "best": list(self.best),
            "zones": [json_record(asdict(zone)) for zone in zones],
            **json_record(asked),
        }
        return json.dumps(content, indent=2)

    def page(self) -> Page:
        """Thresholds, decisions, which model is best where, and what was assumed."""
        grids = [
            threshold_grid(self.rows, self.goal, "model"),
            decision_grid(self.rows, "model", self._caption),
        ]
        notes = list(best_notes(self.rows, self.goal))
        if self.zones is not None and isinstance(self.goal, Costs):
            grids.append(prior_grid(self.zones, self.goal, self.rows[0].prior))
            notes += beaten(self.zones)
        given = self.prior is not None
        return Page(grids, [*notes, *assumptions(self.rows, self.goal, given=given)])

    def __repr__(self) -> str:
        return f"<operating points: {len(self.rows)} models by {self.goal}>"


def operating_points(
    y_true: Any,
    scores: Any = None,
    *,
    maximise: str | Measure | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    prior: float | None = None,
    label: str | None = None,
    weight: str | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
) -> OperatingPoints:
    """The best threshold of each of several models, and which of the models is best where.

    Each model gets what ``operating_point`` gives. With costs and several models there are also
    their zones of optimality: the skews, and at these costs the priors, at which each is best.

    Args:
        y_true: the labels, a data frame that has them in the column ``label``, or, alone, a
            ScoreTable or a dict with that of each model.
        scores: the scores, a dict or data frame of several models' scores, or the names of their
            columns in that frame.
        maximise: as for an operating point.
        cost_fp: as for an operating point.
        cost_fn: as for an operating point.
        prior: as for an operating point.
        label: the column of the labels.
        weight: the column of the weights.
        pos_label: as for a measure.
        sample_weight: as for a measure.
        nan_policy: as for a measure; a case that lacks one model's score is left out for all.
        rescale: as for a measure.

    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> careful = [0.9, 0.8, 0.3, 0.2, 0.5, 0.4, 0.6, 0.1]
    >>> eager = [0.9, 0.8, 0.7, 0.6, 0.95, 0.85, 0.2, 0.1]
    >>> print(operating_points(y, {"careful": careful, "eager": eager}, cost_fp=1, cost_fn=5))
    the threshold that costs least: a false alarm costs 1, a missed positive 5
    model          threshold  expected cost ↓     TPR     FPR  diagonal
    careful           0.2000           0.3750  1.0000  0.7500    0.8750
    eager             0.6000           0.2500  1.0000  0.5000    0.9167
    all positive                       0.5000  1.0000  1.0000
    none positive                      2.5000  0.0000  0.0000
    decisions on these cases
    model    true positives  false positives  false negatives  true negatives
    careful               4                3                0               1
    eager                 4                2                0               2
    8 cases, 4 positive
    the best model by skew, and by prior at these costs
    model    skew from      to  prior from      to
    careful     1.0000       ∞      0.0000  0.1667
    eager       0.0000  1.0000      0.1667  1.0000
    best: eager (expected cost 0.2500)
    prior: 0.5000, the share of positives in these cases
    skew: (1 - prior) × cost of a false alarm / (prior × cost of a miss) = 0.2000
    diagonal: the TPR of the point with TPR = 1 - FPR that is as good
    chosen on these very cases: expect the same threshold to cost more on new ones
    """
    goal = read_goal(maximise, cost_fp, cost_fn, prior)
    tables = read_models(
        y_true,
        scores,
        label=label,
        weight=weight,
        pos_label=pos_label,
        sample_weight=sample_weight,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    result = operating_points_of(tables, goal, read_prior(prior))
    undefined = sum(math.isnan(row.value) for row in result.rows)
    if undefined:
        warnings.warn(
            f"the best point by {goal} is undefined for {undefined} of {len(result.rows)} models: "
            f"{goal.undefined_when}",
            UndefinedMeasureWarning,
            stacklevel=2,
        )
    return result


def operating_points_of(
    tables: Tables, goal: Measure | Costs, prior: float | None
) -> OperatingPoints:
    """The points of models that are known; what is undefined is said only in the result."""
    models = tables.by_model
    points = {name: best_point(table, goal, prior) for name, table in models.items()}
    first = next(iter(models.values()))
    zoned = isinstance(goal, Costs) and len(models) > 1 and first.P and first.N
    zones = zones_of(models, tables.like) if zoned else None
    return OperatingPoints(points, zones=zones, caption=tables.caption, like=tables.like)
