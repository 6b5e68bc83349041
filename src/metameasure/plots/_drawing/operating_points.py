"""Operating points of models in a figure, and the line of points that are equally good."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.measurement import is_best
from metameasure.operating import (
    Costs,
    best_point,
    goal_scale,
    isometric,
    read_costs,
    read_goal,
    read_prior,
    threshold_text,
)
from metameasure.plots._drawing.layout import Entry, caption, lay_out, marker_entry, size_of
from metameasure.plots._drawing.style import GRAY, INK, SMALLER, count_text, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from metameasure.curves import Curve
    from metameasure.data import Models
    from metameasure.measurement import Measure
    from metameasure.operating import OperatingPoint, OptimalityZones, Zone
    from metameasure.plots._drawing.model_styles import ModelStyles
    from metameasure.table import Point

    Line = tuple[NDArray[np.float64], NDArray[np.float64]]
    Points = Mapping[str, OperatingPoint]
    Place = Callable[[str, OperatingPoint], tuple[float, float]]
    """The position of the operating point of a model in the figure."""
TENTHS = tuple(round(0.1 * step, 1) for step in range(-9, 10))
WIDE = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
"""Default values of measures without an upper limit."""
STYLE: dict[str, Any] = {"color": GRAY, "linewidth": 0.6, "linestyle": (0, (4, 2)), "zorder": 1.2}
APART = 9.0
"""Least distance of two written values in points."""
LEAST = 0.02
"""Length of a line below which it is not drawn."""


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
    """The model with the best operating point, the first of those that tie."""
    values = np.array([float(point.value) for point in points.values()])
    one = next(iter(points.values()))
    best = is_best(one.goal.goodness(values), scale=goal_scale(one.goal, one.value_if_none))
    return list(points)[int(np.argmax(best))]


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


def isometrics_of(
    measure: Measure, r: float, values: Sequence[float] | None = None
) -> dict[float, Curve]:
    """The isometrics at some values, by default at tenths, inside ROC space."""
    found: dict[float, Curve] = {}
    refused: DataError | None = None
    ratio = math.isinf(measure.declaration.range[1])
    for value in (WIDE if ratio else TENTHS) if values is None else values:
        try:
            line = isometric(measure, value, r)
        except DataError as error:
            refused = error
            continue
        if np.ptp(line.x) + np.ptp(line.y) > LEAST:
            found[float(value)] = line
    if refused is not None and (values is not None or not found):
        missing = [value for value in values or () if float(value) not in found]
        others = f" (values {shown(missing)})" if len(missing) > 1 else ""
        raise DataError(f"{refused}{others}", argument="values")
    return found


def draw_isometrics(
    axes: Axes, lines: Mapping[float, Line], title: str, **look: Any
) -> dict[str, Artist]:
    """Draw lines of equal values, with the values at their ends at the top or at the right."""
    caption(axes, title, "right", GRAY, pad=14)
    lay_out(axes)
    written: list[tuple[float, float]] = []
    drawn: dict[str, Artist] = {}
    width, height = size_of(axes)
    for value, (x, y) in lines.items():
        (drawn[f"isometric {value:g}"],) = axes.plot(x, y, **{**STYLE, **look})
        end = int(np.argmax(x + 1e-3 * y))
        at = float(x[end]), float(y[end])
        if any(abs(at[0] - a) * width / 2 + abs(at[1] - b) * height < APART for a, b in written):
            continue
        written.append(at)
        top = at[1] > 1 - 1e-9
        axes.annotate(
            f"{value:g}", at, xytext=(0, 3) if top else (3, 0), textcoords="offset points",
            ha="center" if top else "left", va="bottom" if top else "center", fontsize=SMALLER,
            color=GRAY, annotation_clip=False,
        )  # fmt: skip
    return drawn


def line_through(x: float, y: float, slope: float) -> tuple[list[float], list[float]]:
    """The ends of a line through a point, inside ROC space."""
    if np.isinf(slope):
        return [x, x], [0.0, 1.0]
    left, right = 0.0, 1.0
    if slope > 0:
        left, right = max(left, x - y / slope), min(right, x + (1 - y) / slope)
    return [left, right], [y + slope * (left - x), y + slope * (right - x)]


@dataclass(frozen=True)
class CostMark:
    """Marked costs and prior, with the best model and threshold.

    Attributes:
        costs: the costs and the prior.
        skew: the cost of a false positive rate of 1 over that of a false negative rate of 1.
        pc: the probability cost, 1 / (1 + skew).
        zone: the best model and threshold.
        cost: the expected cost, normalized so that it is 1 if all decisions are wrong.
    """

    costs: Costs
    skew: float
    pc: float
    zone: Zone
    cost: float

    @classmethod
    def of(cls, zones: OptimalityZones, costs: Costs) -> CostMark:
        """The best of several models at some costs."""
        alarm, miss = costs.weights(zones.prevalence)
        zone = zones.best(cost_fp=costs.fp, cost_fn=costs.fn, prior=costs.prior)
        pc = miss / (alarm + miss)
        cost = pc * (1 - zone.tpr) + (1 - pc) * zone.fpr
        return cls(costs, costs.skew(zones.prevalence), pc, zone, cost)

    @property
    def conditions(self) -> str:
        """The costs and the prior as text."""
        costs = f"cost FP {self.costs.fp:g}, FN {self.costs.fn:g}"
        return costs if self.costs.prior is None else f"{costs}, prior {self.costs.prior:g}"

    @property
    def decision(self) -> list[str]:
        """The best model and its threshold as text."""
        zone = self.zone
        if zone.model is None:
            return [zone.name]
        also = f" (also {text_of(', '.join(zone.also))})" if zone.also else ""
        limit = threshold_text(zone.threshold, zone.score_below)
        return [f"{text_of(zone.model)}{also}", f"score ≥ {limit}"]


def read_marked(cost_fp: Any, cost_fn: Any, prior: Any) -> Costs | None:
    """The costs to mark; None if none are given."""
    if all(given is None for given in (cost_fp, cost_fn, prior)):
        return None
    if cost_fp is None or cost_fn is None:
        raise ParameterError(
            "costs are incomplete",
            remedy=("pass both ", Argument("cost_fp"), " and ", Argument("cost_fn")),
            argument="cost_fn" if cost_fn is None else "cost_fp",
        )
    return read_costs(cost_fp, cost_fn, prior)
