"""Optimality zones: the costs and class ratios for which each of several models is best."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

import numpy as np

from metameasure._text import number, some_names
from metameasure.curves import FPR, TPR, Curve, roc_hull
from metameasure.data import DataOptions, read_models, takes_models, warn_dropped
from metameasure.errors import DataError
from metameasure.measurement import A_CLASS_EMPTY
from metameasure.operating.costs import SKEW, read_costs
from metameasure.operating.model_point import ALL, NONE, threshold_text
from metameasure.results import MOST_SHOWN, SHOWN_OF_MANY, Cell, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices
    from metameasure.operating.costs import Costs
    from metameasure.table import ScoreTable

    Span = TypeVar("Span", "Zone", "ModelZone")


FLAT = 1e-15
"""Twice the area of a triangle up to which three points count as collinear (rounding)."""
SAME = 1e-12
"""Difference of both rates up to which two models reach the same point."""


def _threshold_grid(zones: Sequence[Zone], title: str | None) -> Grid:
    shown, caption = _widest(zones)
    header = ["model", "threshold", "fpr", "tpr", "skew from", "to", "cost from", "to"]
    body = []
    for zone in shown:
        known = zone.model is not None
        limit = threshold_text(zone.threshold, zone.score_below) if known else ""
        point = [Cell(limit), Cell(number(zone.fpr)), Cell(number(zone.tpr))]
        body.append((zone.name, [*point, *_borders(zone)]))
    return Grid(header, body, caption, title)


def prior_grid(zones: OptimalityZones, costs: Costs, prior: float) -> Grid:
    """The skews and, at these costs, the priors for which each model is best."""
    joined, skew = zones.by_model(), costs.skew(prior)
    here = next(zone for zone in joined if zone.skew_low <= skew)
    shown, caption = _widest(joined, here)
    header = ["model", "skew from", "to"]
    # If one kind of error costs nothing, the skew is the same at every prior.
    priors = bool(costs.fp and costs.fn)
    body = []
    for zone in shown:
        borders = [zone.skew_low, zone.skew_high]
        if priors:
            borders += [_prior(zone.skew_high, costs), _prior(zone.skew_low, costs)]
        cells = [Cell(number(border), stands_out=zone is here) for border in borders]
        body.append((zone.name, cells))
    header += ["prior from", "to"] if priors else []
    title = "best model by skew" + (", and by prior at these costs" if priors else "")
    return Grid(header, body, caption, title, f"the zone of the prior {number(prior)}")


def _prior(skew: float, costs: Costs) -> float:
    """The prior that has this skew at these costs."""
    return costs.fp / (costs.fp + skew * costs.fn)


def never_best_notes(zones: OptimalityZones) -> list[str]:
    """The models that are best for no skew, and those that only share a point with another."""
    best = {zone.model for zone in zones.rows}
    shared = [name for name in zones.models if name not in {*best, *zones.never_best}]
    lines = {
        "never best": zones.never_best,
        "best only where another model is equally good": shared,
    }
    return [f"{what}: {some_names(list(n), MOST_SHOWN)}" for what, n in lines.items() if n]


def _borders(zone: Zone | ModelZone) -> list[Cell]:
    borders = (zone.skew_low, zone.skew_high, zone.cost_low, zone.cost_high)
    return [Cell(number(border)) for border in borders]


def _widest(zones: Sequence[Span], kept: Span | None = None) -> tuple[list[Span], str]:
    """The zones to show, in order, and a caption if these are not all."""
    if len(zones) <= MOST_SHOWN:
        return list(zones), ""
    widths = [zone.cost_high - zone.cost_low + (zone is kept) for zone in zones]
    widest = sorted(range(len(zones)), key=lambda place: -widths[place])[:SHOWN_OF_MANY]
    caption = f"the {len(widest)} widest of {len(zones)} zones"
    return [zones[place] for place in sorted(widest)], caption


@dataclass(frozen=True)
class Zone:
    """A vertex of the common hull, and the skews for which it is best.

    Attributes:
        model: the model; None if it is best to predict no case, or all cases, as positive.
        threshold: the threshold; infinite if no case is predicted positive.
        fpr: the false positive rate.
        tpr: the true positive rate.
        skew_low: the lowest skew (1 - prior) cost_fp / (prior cost_fn) for which it is best.
        skew_high: the highest such skew.
        cost_low: the lowest such probability cost 1 / (1 + skew), the x of a cost curve.
        cost_high: the highest such probability cost.
        score_below: the next lower score; all thresholds above it give the same decisions.
        also: other models that reach the same point.
    """

    model: str | None
    threshold: float
    fpr: float
    tpr: float
    skew_low: float
    skew_high: float
    cost_low: float
    cost_high: float
    score_below: float
    also: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The model, or the trivial rule that is best."""
        return _name(self.model, self.skew_high)


@dataclass(frozen=True)
class ModelZone:
    """The skews for which one model is best, at any threshold."""

    model: str | None
    skew_low: float
    skew_high: float
    cost_low: float
    cost_high: float

    @property
    def name(self) -> str:
        """The model, or the trivial rule that is best."""
        return _name(self.model, self.skew_high)


def _name(model: str | None, skew_high: float) -> str:
    if model is not None:
        return model
    return NONE if math.isinf(skew_high) else ALL


class OptimalityZones(Result):
    """The vertices of the common ROC hull of several models, from the highest skew to the lowest.

    Attributes:
        rows: the vertices that are best for more than one skew.
        hull: the hull as a curve.
        models: the names of all models.
        prevalence: the fraction of positives.
        never_best: the models that reach none of the vertices.
    """

    schema = Zone
    rows: tuple[Zone, ...]

    def __init__(
        self,
        rows: Sequence[Zone],
        hull: Curve,
        models: Sequence[str],
        prevalence: float,
        never_best: Sequence[str],
        like: Any = None,
    ) -> None:
        meta = {
            "models": list(models),
            "never_best": list(never_best),
            "prevalence": prevalence,
        }
        super().__init__(rows, meta=meta, like=like)
        self.hull = hull
        self.models = tuple(models)
        self.prevalence = prevalence
        self.never_best = tuple(never_best)

    def by_model(self) -> list[ModelZone]:
        """The zones by model, from the highest skew to the lowest; adjacent zones are joined."""
        joined: list[list[Zone]] = []
        for row in self.rows:
            if joined and row.model is not None and joined[-1][0].model == row.model:
                joined[-1].append(row)
            else:
                joined.append([row])
        return [
            ModelZone(
                zones[0].model,
                zones[-1].skew_low,
                zones[0].skew_high,
                zones[0].cost_low,
                zones[-1].cost_high,
            )
            for zones in joined
        ]

    def best(self, *, cost_fp: float, cost_fn: float, prior: float | None = None) -> Zone:
        """The zone of given costs and prior; at a border the one with fewer predicted positives."""
        skew = read_costs(cost_fp, cost_fn, prior).skew(self.prevalence)
        return next(row for row in self.rows if row.skew_low <= skew)

    def grids(self) -> list[Grid]:
        """The best model by skew, if that is shorter than the thresholds, and the thresholds."""
        joined, grids = self.by_model(), []
        if len(joined) < len(self.rows):
            shown, caption = _widest(joined)
            header = ["model", "skew from", "to", "cost from", "to"]
            body = [(zone.name, _borders(zone)) for zone in shown]
            grids.append(Grid(header, body, caption, "best model"))
        return [*grids, _threshold_grid(self.rows, "best threshold" if grids else None)]

    def notes(self) -> list[str]:
        """The models that are never best, and the definitions of skew and cost."""
        return [*never_best_notes(self), SKEW, "cost: 1 / (1 + skew)"]

    def __repr__(self) -> str:
        return f"<{len(self.rows)} optimality zones of {len(self.models)} models>"


@takes_models(DataOptions)
def optimality_zones(
    y_true: Any,
    scores: Any = None,
    **data: Unpack[DataOptions],
) -> OptimalityZones:
    """The skews for which each of several models is best, and the best thresholds.

    The skew (1 - prior) cost_fp / (prior cost_fn) is the slope of the lines of equal cost in ROC
    space. For each skew the best point is a vertex of the convex hull of all models' ROC curves; a
    model without a vertex on the hull is never best.

    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> careful = [0.9, 0.8, 0.3, 0.2, 0.5, 0.4, 0.6, 0.1]
    >>> eager = [0.9, 0.8, 0.7, 0.6, 0.95, 0.85, 0.2, 0.1]
    >>> print(optimality_zones(y, {"careful": careful, "eager": eager}))
    model    threshold     fpr     tpr  skew from      to  cost from      to
    careful     0.8000  0.0000  0.5000     1.0000       ∞     0.0000  0.5000
    eager       0.6000  0.5000  1.0000     0.0000  1.0000     0.5000  1.0000
    skew: (1 - prior) × cost_fp / (prior × cost_fn)
    cost: 1 / (1 + skew)
    """
    models = read_models(y_true, scores, **data)
    warn_dropped(models.dropped, int(models.cases), stacklevel=3)
    first = models.table(models.names[0])
    if not (first.P and first.N):
        raise DataError(f"there is no ROC curve: {A_CLASS_EMPTY}")
    return zones_of(models.tables, models.like)


def zones_of(tables: Mapping[str, ScoreTable], like: Any = None) -> OptimalityZones:
    """The zones of models whose tables have both classes."""
    curves = [roc_hull.compute(table) for table in tables.values()]
    owner = np.repeat(np.arange(len(curves)), [len(curve) for curve in curves])
    x, y, threshold = (
        np.concatenate([getattr(curve, name) for curve in curves])
        for name in ("x", "y", "threshold")
    )
    vertices = upper_hull(x, y)
    hull = Curve("hull of all models", x[vertices], y[vertices], threshold[vertices], (FPR, TPR))
    with np.errstate(divide="ignore"):
        slope = np.diff(hull.y) / np.diff(hull.x)
    slopes = np.concatenate([[np.inf], slope, [0.0]]).tolist()
    names, rows, reached = list(tables), [], set()
    # The pool after a vertex begins with the next lower score; after the last there is none.
    below = np.concatenate([np.append(table.hull.score, -np.inf) for table in tables.values()])
    wide = [
        (vertex, high, low)
        for vertex, (high, low) in zip(vertices.tolist(), pairwise(slopes), strict=True)
        if low < high
    ]
    near = [_at_vertex(x, y, vertex) for vertex, _, _ in wide]
    chosen = _fewest([set(owner[points].tolist()) for points in near])
    for (vertex, high, low), points, model in zip(wide, near, chosen, strict=True):
        others = [names[place] for place in np.unique(owner[points])]
        reached.update(others)
        place = vertex if model is None else int(points[owner[points] == model][0])
        rows.append(
            Zone(
                None if model is None else names[model],
                float(threshold[place]),
                float(x[place]),
                float(y[place]),
                low,
                high,
                1 / (1 + high),
                1 / (1 + low),
                float(below[place]),
                tuple(name for name in others if model is None or name != names[model]),
            )
        )
    never = [name for name in names if name not in reached]
    prevalence = float(next(iter(tables.values())).prevalence)
    return OptimalityZones(rows, hull, names, prevalence, never, like)


def _at_vertex(x: Floats, y: Floats, vertex: int) -> NDArray[np.intp]:
    """The points of all models at a vertex; none at the ends of the diagonal."""
    if x[vertex] == y[vertex]:
        return np.empty(0, dtype=np.intp)
    return np.flatnonzero((np.abs(x - x[vertex]) <= SAME) & (np.abs(y - y[vertex]) <= SAME))


def _fewest(reached: Sequence[set[int]]) -> list[int | None]:
    """A model for each vertex, of those that reach it, with the fewest changes of model.

    A model is kept as long as it reaches the next vertex; None where no model is needed.
    """
    chosen: list[int | None] = []
    while len(chosen) < len(reached):
        begin = len(chosen)
        able, count = reached[begin], 1
        while begin + count < len(reached) and able & reached[begin + count]:
            able, count = able & reached[begin + count], count + 1
        chosen += [min(able) if able else None] * count
    return chosen


def upper_hull(x: Floats, y: Floats) -> Indices:
    """The indices of the vertices of the upper hull, from left to right.

    Of equal points the first counts; a point on the line between two others does not.
    """
    order = np.lexsort((np.arange(x.size), y, x))
    hull: list[int] = []
    for place in order.tolist():
        if hull and x[hull[-1]] == x[place] and y[hull[-1]] == y[place]:
            continue
        while len(hull) > 1 and _turn(x, y, hull[-2], hull[-1], place) >= -FLAT:
            hull.pop()
        hull.append(place)
    return np.array(hull)


def _turn(x: Floats, y: Floats, first: int, second: int, third: int) -> float:
    """Twice the signed area of a triangle, negative for a right turn."""
    along = (x[second] - x[first]) * (y[third] - y[first])
    across = (y[second] - y[first]) * (x[third] - x[first])
    return float(along - across)
