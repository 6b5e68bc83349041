"""Zones of optimality: which of several models is best for which costs and class ratio."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.curves.curve import Curve
from metameasure.curves.rates import FPR, TPR, roc_hull
from metameasure.errors import DataError, DroppedCasesWarning
from metameasure.operating.hulls import upper_hull
from metameasure.operating.skew import read_costs
from metameasure.predictions import NanPolicy, Predictions, Rescale
from metameasure.predictions.arrays import shown
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Sequence

NONE, ALL = "none positive", "all positive"
SAME = 1e-12
"""Two models reach the same point if both rates differ by no more."""


@dataclass(frozen=True)
class Zone:
    """A vertex of the common hull, and the skews for which it is best.

    Attributes:
        model: the model; None where none is needed, as none or all cases should be positive.
        threshold: its threshold there; infinite if no case should be positive.
        fpr: the false positive rate there.
        tpr: the true positive rate there.
        skew_low: the least skew (1 - prior) cost_fp / (prior cost_fn) for which it is best.
        skew_high: the largest one.
        cost_low: the same as least probability cost 1 / (1 + skew), the x of a cost curve.
        cost_high: the largest one.
        also: other models that reach the same point, separated by commas.
    """

    model: str | None
    threshold: float
    fpr: float
    tpr: float
    skew_low: float
    skew_high: float
    cost_low: float
    cost_high: float
    also: str = ""

    @property
    def name(self) -> str:
        """The model, or what to do without one."""
        return self.model or (NONE if self.tpr == 0 else ALL)


@dataclass(frozen=True)
class ModelZone:
    """The skews for which one model is best, whatever its threshold."""

    model: str | None
    skew_low: float
    skew_high: float
    cost_low: float
    cost_high: float


class OptimalityZones:
    """The vertices of the common hull of several models, from the largest skew to the least.

    ``rows`` are those that are best for more than one skew.
    """

    def __init__(
        self, rows: Sequence[Zone], hull: Curve, models: Sequence[str], prevalence: float
    ) -> None:
        self.rows = tuple(rows)
        self.hull = hull
        self.models = tuple(models)
        self.prevalence = prevalence

    def by_model(self) -> list[ModelZone]:
        """The zones of each model, from the largest skew to the least: neighbours are joined."""
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
        """The zone that costs and a prior fall into; at a border the one with fewer positives."""
        costs = read_costs(cost_fp, cost_fn, prior)
        false_alarms, misses = costs.weights(self.prevalence)
        skew = false_alarms / misses if misses else math.inf
        return next(row for row in self.rows if row.skew_low <= skew)

    def records(self) -> list[dict[str, Any]]:
        """The rows as dicts."""
        return [asdict(row) for row in self.rows]

    def frame(self) -> Any:
        """A tidy frame of polars."""
        import polars as pl  # noqa: PLC0415

        text = {"model": pl.String, "also": pl.String}
        return pl.DataFrame(
            self.records(), {name: text.get(name, pl.Float64) for name in Zone.__annotations__}
        )

    def to_json(self) -> str:
        """JSON with ``rows``, ``models`` and ``prevalence``; infinity is the string "Infinity"."""
        rows = [
            {name: "Infinity" if value == math.inf else value for name, value in record.items()}
            for record in self.records()
        ]
        content = {"rows": rows, "models": self.models, "prevalence": self.prevalence}
        return json.dumps(content, indent=2)

    def __str__(self) -> str:
        header = ("model", "threshold", "fpr", "tpr", "skew from", "to", "cost from", "to")
        lines: list[tuple[str, ...]] = [header]
        for row in self.rows:
            numbers = (
                row.threshold, row.fpr, row.tpr,
                row.skew_low, row.skew_high, row.cost_low, row.cost_high,
            )  # fmt: skip
            name = "".join(c if c.isprintable() else "?" for c in row.name)
            lines.append((name, *(f"{value:.4g}".replace("inf", "∞") for value in numbers)))
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(
                cell.rjust(width) if place else cell.ljust(width)
                for place, (cell, width) in enumerate(zip(line, widths, strict=True))
            )
            for line in lines
        )

    def __repr__(self) -> str:
        return f"<optimality zones: {len(self.rows)} of {len(self.models)} models>"


def optimality_zones(
    y_true: Any,
    scores: Mapping[str, Any] | None = None,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
) -> OptimalityZones:
    """Which of several models is best for which skew, and with which threshold.

    The skew (1 - prior) cost_fp / (prior cost_fn) is the slope of the lines of equal cost in ROC
    space. Slid down from the upper left they touch the convex hull of all models' curves: where a
    vertex is touched its model is best, and a model that is nowhere on the hull is never best.

    Args:
        y_true: the labels; or, alone, a dict with the ScoreTable of each model.
        scores: the scores of each model by its name.
        pos_label: as for a measure.
        sample_weight: as for a measure.
        nan_policy: as for a measure; a case that lacks one model's score is left out for all.
        rescale: as for a measure.

    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> careful = [0.9, 0.8, 0.3, 0.2, 0.5, 0.4, 0.6, 0.1]
    >>> eager = [0.9, 0.8, 0.7, 0.6, 0.95, 0.85, 0.2, 0.1]
    >>> print(optimality_zones(y, {"careful": careful, "eager": eager}))
    model    threshold  fpr  tpr  skew from  to  cost from   to
    careful        0.8    0  0.5          1   ∞          0  0.5
    eager          0.6  0.5    1          0   1        0.5    1
    """
    tables, prevalence = _tables(
        y_true,
        scores,
        pos_label=pos_label,
        sample_weight=sample_weight,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    return zones_of(tables, prevalence)


def _tables(y_true: Any, scores: Any, **options: Any) -> tuple[dict[str, ScoreTable], float]:
    """The table of each model, and the share of the positives."""
    if isinstance(y_true, Mapping):
        extras = (scores, options["pos_label"], options["sample_weight"], options["rescale"])
        if any(extra is not None for extra in extras):
            raise DataError("score tables have their labels, scores and weights: give them alone")
        odd = [name for name, table in y_true.items() if not isinstance(table, ScoreTable)]
        if odd:
            raise DataError(f"give the ScoreTable of each model: {shown(odd)} has none")
        tables = _by_text(y_true)
    else:
        if not isinstance(scores, Mapping):
            raise DataError("optimality_zones needs y_true and a dict with the scores of models")
        rows = Predictions.of(y_true, _by_text(scores), **options)
        if rows.dropped:
            message = f"{rows.dropped} of {rows.dropped + rows.n} cases lack a value and were left"
            warnings.warn(f"{message} out", DroppedCasesWarning, stacklevel=3)
        tables = {name: rows.table(name) for name in rows.scores}
    for name, table in tables.items():
        if table.shape:
            raise DataError(f"zones are of one table a model, and {shown([name])} has a block")
        if not (table.P and table.N):
            raise DataError(f"{shown([name])} has no ROC curve: a class is empty")
    first = next(iter(tables.values()))
    return tables, float(first.prevalence)


def _by_text(models: Mapping[Any, Any]) -> dict[str, Any]:
    """Models by their names as text."""
    named = {str(name): values for name, values in models.items()}
    if len(named) < len(models):
        raise DataError(f"two models have the same name: {shown(models)}")
    if not named:
        raise DataError("there is no model: give the scores of at least one")
    return named


def zones_of(tables: Mapping[str, ScoreTable], prevalence: float) -> OptimalityZones:
    """The zones of models whose tables are known to have both classes."""
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
    slopes = np.concatenate([[np.inf], slope, [0.0]])
    names, rows = list(tables), []
    for place, vertex in enumerate(vertices.tolist()):
        high, low = float(slopes[place]), float(slopes[place + 1])
        if not low < high:
            continue
        near = (np.abs(x - x[vertex]) <= SAME) & (np.abs(y - y[vertex]) <= SAME)
        others = [names[model] for model in np.unique(owner[near]) if model != owner[vertex]]
        trivial = x[vertex] == y[vertex]
        rows.append(
            Zone(
                None if trivial else names[owner[vertex]],
                float(threshold[vertex]),
                float(x[vertex]),
                float(y[vertex]),
                low,
                high,
                1 / (1 + high),
                1 / (1 + low),
                "" if trivial else ", ".join(others),
            )
        )
    return OptimalityZones(rows, hull, names, prevalence)
