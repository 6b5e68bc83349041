"""Operating points of models in a picture: where they lie, which is best, and what is as good."""

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
from metameasure.plots._drawing.annotations import write_note
from metameasure.plots._drawing.isometric_lines import line_through
from metameasure.plots._drawing.style import INK, count_text, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from metameasure.data import Models
    from metameasure.operating import OperatingPoint
    from metameasure.plots._drawing.models import Cast
    from metameasure.table import Point

    Line = tuple[NDArray[np.float64], NDArray[np.float64]]
    Points = Mapping[str, OperatingPoint]
    Place = Callable[[str, OperatingPoint], tuple[float, float]]
    """Where the point of a model lies in the picture."""


def points_of(
    models: Models, cast: Cast, *, maximise: Any, cost_fp: Any, cost_fn: Any, prior: Any
) -> dict[str, OperatingPoint]:
    """The operating point of each model that is named; none if nothing is to be made best.

    A model for which none is best, as what is to be made best is undefined, has no point.
    """
    if all(given is None for given in (maximise, cost_fp, cost_fn, prior)):
        return {}
    goal, chance = read_goal(maximise, cost_fp, cost_fn, prior), read_prior(prior)
    points = {name: best_point(models.tables[name], goal, chance) for name in cast.named}
    known = {name: point for name, point in points.items() if not np.isnan(point.value)}
    if not known:
        raise DataError(f"there is no best point by {goal}: {goal.undefined_when}")
    return known


def best_of(points: Points) -> str:
    """The model whose operating point is best."""
    values = np.array([float(point.value) for point in points.values()])
    goal = next(iter(points.values())).goal
    return list(points)[int(np.argmax(goal.goodness(values)))]


def line_as_good(points: Points) -> Line | None:
    """The points of ROC space that are as good as the best one: of equal value, or equal cost.

    There is no such line if the measure depends on how many cases there are.
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
    axes: Axes, points: Points, cast: Cast, place: Place, line: Line | None
) -> dict[str, Artist]:
    """Mark the points of all models, and draw the line of what is as good as the best of them."""
    drawn: dict[str, Artist] = {}
    for name, point in points.items():
        (drawn[f"point of {name}"],) = axes.plot(
            *place(name, point), "o", markersize=6, zorder=5, color=cast.stroke(name).colour,
            markeredgecolor="white",
        )  # fmt: skip
    if line is not None:
        (drawn["as good"],) = axes.plot(
            *line, color=INK, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1.3
        )
    return drawn


def write_best_point(axes: Axes, points: Points, place: Place, names: tuple[str, str]) -> None:
    """Write beside the best point what it is; ``names`` are short ones of x and y."""
    if not points:
        return
    best = best_of(points)
    point, (x, y) = points[best], place(best, points[best])
    cut = "none positive"
    if np.isfinite(point.threshold):
        cut = f"score ≥ {threshold_text(float(point.threshold), float(point.score_below))}"
    cut = f"{text_of(best)}: {cut}" if len(points) > 1 else cut
    words = f"{cut}\n{names[1]} {y:.3f}, {names[0]} {x:.3f}\n{point.measure} {point.value:.3g}"
    write_note(axes, x, y, words)


def cut_text(point: Point) -> str:
    """Which cases are called positive at an operating point.

    >>> from metameasure.table import Point
    >>> cut_text(Point("threshold", 0.5)), cut_text(Point("top", 0.1))
    ('predicted positive: score ≥ 0.5', 'predicted positive: the top 10 %')
    >>> cut_text(Point("fpr", 0.05)), cut_text(Point("k", "P"))
    ('predicted positive: up to FPR 0.05', 'predicted positive: as many as are positive')
    """
    if point.value == "P":
        return "predicted positive: as many as are positive"
    value = float(point.value)
    words = {
        "threshold": f"score ≥ {value:g}",
        "top": f"the top {100 * value:g} %",
        "k": f"the top {count_text(value)}",
        "fpr": f"up to FPR {value:g}",
        "tpr": f"up to TPR {value:g}",
    }
    return f"predicted positive: {words[point.kind]}"
