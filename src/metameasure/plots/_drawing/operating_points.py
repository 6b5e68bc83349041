"""Operating points of models in a figure, and the line of points that are equally good."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.errors import DataError
from metameasure.operating import (
    Costs,
    best_point,
    isometric,
    read_goal,
    read_prior,
    threshold_text,
)
from metameasure.plots._drawing.isometric_lines import line_through
from metameasure.plots._drawing.legends import Entry, marker_entry
from metameasure.plots._drawing.style import INK, count_text, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from metameasure.data import Models
    from metameasure.operating import OperatingPoint
    from metameasure.plots._drawing.model_styles import ModelStyles
    from metameasure.table import Point

    Line = tuple[NDArray[np.float64], NDArray[np.float64]]
    Points = Mapping[str, OperatingPoint]
    Place = Callable[[str, OperatingPoint], tuple[float, float]]
    """The position of the operating point of a model in the figure."""


def points_of(
    models: Models,
    styles: ModelStyles,
    *,
    maximize: Any,
    cost_fp: Any,
    cost_fn: Any,
    prior: Any,
) -> dict[str, OperatingPoint]:
    """The operating point of each named model; none without a measure or costs.

    A model for which the measure is undefined has no point.
    """
    if all(given is None for given in (maximize, cost_fp, cost_fn, prior)):
        return {}
    goal, chance = read_goal(maximize, cost_fp, cost_fn, prior), read_prior(prior)
    points = {name: best_point(models.tables[name], goal, chance) for name in styles.named}
    known = {name: point for name, point in points.items() if not np.isnan(point.value)}
    if not known:
        raise DataError(f"no operating point maximizes {goal}: {goal.undefined_when}")
    return known


def best_of(points: Points) -> str:
    """The model with the best operating point."""
    values = np.array([float(point.value) for point in points.values()])
    goal = next(iter(points.values())).goal
    return list(points)[int(np.argmax(goal.goodness(values)))]


def equally_good(points: Points) -> Line | None:
    """The points of ROC space with the value, or the cost, of the best operating point.

    There is no such line if the measure depends on the number of cases.
    """
    if not points:
        return None
    point = points[best_of(points)]
    cut, goal = point.matrix, point.goal
    if isinstance(goal, Costs):
        alarms, misses = goal.weights(cut.P / cut.n)
        slope = float(alarms / misses) if misses else np.inf
        fpr, tpr = line_through(float(cut.fpr), float(cut.tpr), slope)
        return np.array(fpr), np.array(tpr)
    prior = cut.P / cut.n if point.prior is None else point.prior
    try:
        line = isometric(goal, float(point.value), float((1 - prior) / prior))
    except DataError:
        return None
    return line.x, line.y


def draw_points(
    axes: Axes, points: Points, styles: ModelStyles, place: Place, line: Line | None
) -> dict[str, Artist]:
    """Draw the points of all models, and the line of equally good points."""
    drawn: dict[str, Artist] = {}
    for name, point in points.items():
        (drawn[f"point of {name}"],) = axes.plot(
            *place(name, point), "o", markersize=6, zorder=5, color=styles.stroke(name).color,
            markeredgecolor="white",
        )  # fmt: skip
    if line is not None:
        (drawn["equally good"],) = axes.plot(
            *line, color=INK, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1.3
        )
    return drawn


def point_entries(
    points: Points, styles: ModelStyles, place: Place, names: tuple[str, str]
) -> list[Entry]:
    """The legend entry of the best point; ``names`` are the short names of x and y."""
    if not points:
        return []
    best = best_of(points)
    point, (x, y) = points[best], place(best, points[best])
    cut = "none positive"
    if np.isfinite(point.threshold):
        cut = f"score ≥ {threshold_text(float(point.threshold), float(point.score_below))}"
    cut = f"{text_of(best)}: {cut}" if len(points) > 1 else cut
    text = f"{cut}\n{names[1]} {y:.3f}, {names[0]} {x:.3f}\n{point.measure} {point.value:.3g}"
    color = styles.stroke(best).color
    return [marker_entry(text, cut, marker="o", color=color, markeredgecolor="white")]


def cut_text(point: Point) -> str:
    """The rule of an operating point as text.

    >>> from metameasure.table import Point
    >>> cut_text(Point("threshold", 0.5)), cut_text(Point("top", 0.1))
    ('predicted positive: score ≥ 0.5', 'predicted positive: top 10%')
    >>> cut_text(Point("fpr", 0.05)), cut_text(Point("k", "P"))
    ('predicted positive: FPR up to 0.05', 'predicted positive: top P, the number of positives')
    """
    if point.value == "P":
        return "predicted positive: top P, the number of positives"
    value = float(point.value)
    words = {
        "threshold": f"score ≥ {value:g}",
        "top": f"top {100 * value:g}%",
        "k": f"top {count_text(value)}",
        "fpr": f"FPR up to {value:g}",
        "tpr": f"TPR up to {value:g}",
    }
    return f"predicted positive: {words[point.kind]}"
