"""Curves of the true and false positive rates: ROC curves, and rates against the threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Choice, Real
from metameasure.curves.curve import Curve
from metameasure.curves.curve_kind import CurveSpace, curve
from metameasure.errors import DataError
from metameasure.measurement import A_CLASS_EMPTY, Measure, threshold_measure
from metameasure.table import Cut

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.table import ScoreTable


FPR, TPR, FNR = "false positive rate", "true positive rate", "false negative rate"
RATIOS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0)


def thresholds(table: ScoreTable) -> Floats:
    """The threshold of each point (positive if score >= threshold): infinite at the first."""
    found = np.empty((*table.score.shape[:-1], table.score.shape[-1] + 1))
    found[..., 0] = np.inf
    found[..., 1:] = table.score
    return found


def last_scores(table: ScoreTable) -> Floats:
    """The lowest score with weight in the pool of each row of the hull."""
    if not table.shape:
        _, last = table.pools
        return table.score[last]
    hull = table.hull
    rows = np.arange(table.pos.shape[-1])
    weighted = np.maximum.accumulate(np.where(table.weight > 0, rows, 0), axis=-1)
    begins = np.where(hull.weight > 0, rows, rows.size)
    after = np.full(begins.shape, rows.size)
    after[..., :-1] = np.minimum.accumulate(begins[..., :0:-1], axis=-1)[..., ::-1]
    end = np.take_along_axis(weighted, after - 1, -1)
    lowest = np.take_along_axis(np.broadcast_to(table.score, end.shape), end, -1)
    return np.where(hull.tp[..., 1:] + hull.fp[..., 1:] > 0, lowest, np.inf)


@curve(FPR, TPR, undefined=A_CLASS_EMPTY, area="auc", reference="fawcett2006", space="roc")
def roc(table: ScoreTable) -> Curve:
    """The true positive rate at each threshold against the false positive rate.

    A tie is a straight line: the mean over random orders of the tied cases.

    >>> curve = roc([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    >>> curve.x, curve.y, curve.threshold
    (array([0. , 0. , 0.5, 1. ]), array([0. , 0.5, 1. , 1. ]), array([inf, 0.9, 0.5, 0.1]))
    """
    return Curve("", table.fpr, table.tpr, thresholds(table))


@curve(FPR, TPR, undefined=A_CLASS_EMPTY, area="auch", reference="provost2001")
def roc_hull(table: ScoreTable) -> Curve:
    """The convex hull of the ROC curve: the points that are best for some costs.

    A point on the line between two vertices is reached by choosing one of their thresholds at
    random.

    >>> curve = roc_hull([1, 0, 1, 0], [0.9, 0.6, 0.5, 0.1])
    >>> curve.x, curve.y, curve.threshold
    (array([0. , 0. , 0.5, 1. ]), array([0. , 0.5, 1. , 1. ]), array([inf, 0.9, 0.5, 0.1]))
    """
    hull, lowest = table.hull, last_scores(table)
    begin = np.full((*lowest.shape[:-1], 1), np.inf)
    return Curve("", hull.fpr, hull.tpr, np.concatenate([begin, lowest], axis=-1))


@curve(FPR, FNR, undefined=A_CLASS_EMPTY, area="1 - auc", reference="martin1997")
def det(table: ScoreTable) -> Curve:
    """The false negative rate against the false positive rate.

    It is usually drawn on axes of normal deviates, where two normal classes give a straight line.

    >>> det([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1]).y
    array([1. , 0.5, 0. , 0. ])
    """
    return Curve("", table.fpr, 1 - table.tpr, thresholds(table))


def _places(table: ScoreTable) -> Floats:
    """The fraction of the thresholds that have been passed."""
    rows = table.pos.shape[-1]
    if not table.shape and table.weight.all():
        return np.linspace(0.0, 1.0, rows + 1)
    passed = np.zeros(table.tp.shape)
    np.cumsum(table.weight > 0, axis=-1, out=passed[..., 1:])
    passed /= passed[..., -1:]
    return passed


def _space_of_rates(against: str = "index") -> CurveSpace | None:
    """The space of the curve; ranks of thresholds depend on the sample, so they have no band."""
    spaces: dict[str, CurveSpace] = {"score": "threshold", "depth": "depth"}
    return spaces.get(against)


@curve(
    "threshold (rank-spaced)", "rate", undefined=A_CLASS_EMPTY,
    parameters={"against": Choice(("index", "score", "depth"))}, reference="berrar2014",
    space=_space_of_rates,
)  # fmt: skip
def tpr_fpr(table: ScoreTable, against: str = "index") -> Curve:
    """The true and false positive rates against the threshold: the Kolmogorov-Smirnov chart.

    The thresholds are equally spaced from 0 to 1 (``index``; the area between both lines is then
    the measure ``abc``), at their scores (``score``), or at the fraction of cases above them
    (``depth``). y is the true positive rate; the line ``fpr`` is the false positive rate.

    >>> curve = tpr_fpr([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    >>> curve.area() - curve.area("fpr")
    0.041666...
    """
    others, limits = {"fpr": table.fpr}, thresholds(table)
    if against == "score":
        return Curve(
            "", limits, table.tpr, limits, ("score", "rate"), "riser", others,
            domain=(-np.inf, np.inf),
        )  # fmt: skip
    if against == "depth":
        taken = table.tp + table.fp
        taken /= taken[..., -1:]
        return Curve("", taken, table.tpr, limits, ("share of the cases", "rate"), "line", others)
    return Curve("", _places(table), table.tpr, limits, others=others)


@dataclass(frozen=True)
class Ratios:
    """A list of positive numbers."""

    def read(self, value: object) -> tuple[float, ...]:
        """The numbers as floats."""
        each = Real(0, open_low=True)
        given = value if isinstance(value, (tuple, list, np.ndarray)) else (value,)
        if not len(given):
            raise ValueError("there must be at least one")
        return tuple(each.read(one.item() if isinstance(one, np.generic) else one) for one in given)

    def __str__(self) -> str:
        return "numbers above 0"


@dataclass(frozen=True)
class ThresholdMeasure:
    """A measure that is taken at an operating point."""

    def read(self, value: object) -> Measure:
        """The measure."""
        if not isinstance(value, (str, Measure)):
            raise ValueError(f"it must be {self}")  # noqa: TRY004
        return threshold_measure(value, "a surface")

    def __str__(self) -> str:
        return "a measure at a threshold, like accuracy"


@curve(
    FPR, TPR, undefined=A_CLASS_EMPTY, area="auc", reference="xie2022",
    parameters={"r": Ratios(), "measure": ThresholdMeasure()},
)  # fmt: skip
def roc_surface(
    table: ScoreTable, r: tuple[float, ...] = RATIOS, measure: Measure | None = None
) -> Curve:
    """The ROC curve at each ratio r of negatives to positives: the third dimension of ROC space.

    The rates do not depend on r, so the curve is the same at each r; the line ``ratio`` has r. With
    a ``measure``, the line ``value`` has its value at each point, which does depend on r.

    >>> surface = roc_surface([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1], r=(1, 3), measure="accuracy")
    >>> surface.others["value"]
    array([[0.5  , 0.75 , 0.75 , 0.5  ],
           [0.75 , 0.875, 0.625, 0.25 ]])
    """
    if table.shape:
        raise DataError("roc_surface takes one table, got a block of tables")
    full = (len(r), table.tp.size)
    ratio: Any = np.array(r)[:, np.newaxis]
    x, y, z = (np.broadcast_to(a, full) for a in (table.fpr, table.tpr, ratio))
    others = {"ratio": z}
    if measure is not None:
        cut = Cut(table.tpr, table.fpr * ratio, np.ones((len(r), 1)), ratio)
        others["value"] = measure.at_cut(cut)
    return Curve("", x, y, np.broadcast_to(thresholds(table), full), others=others)
