"""Confidence bands around curves, pointwise or simultaneous."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from metameasure._arguments import Choice, Whole, read_argument
from metameasure.curves import CurveKind, curve_kinds, find_kind
from metameasure.data import NanPolicy, Rescale, warn_dropped
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.inference.bands.limits import around_curve, consistency
from metameasure.inference.bands.spaces import MODEL, SPACES
from metameasure.inference.plan import SEED, Drawing, after_data
from metameasure.inference.sample import Sample, read_sample
from metameasure.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import ArrayLike

    from metameasure._types import Floats
    from metameasure.inference.bands.spaces import Space
    from metameasure.table import ScoreTable


Around = Literal["curve", "diagonal"]
RESAMPLES = 1000
"""Default number of resamples of a band."""
POINTS = 101
"""Default number of points of a band."""


@dataclass(frozen=True)
class BandPoint:
    """One point of a band.

    Attributes:
        line: "y" for the curve, or the name of a further line.
        x: the place on the grid.
        y: the height of the line.
        low: the lower limit.
        high: the upper limit.
    """

    line: str
    x: float
    y: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Band(Result):
    """A curve on a grid of x, with its confidence limits; a result with one row per point.

    Attributes:
        name: the kind of the curve.
        x: the grid.
        y: the height of the curve.
        low: the lower limits.
        high: the upper limits.
        labels: the names of the axes.
        ci: the confidence.
        simultaneous: whether the confidence holds for the whole curve, or for each point.
        method: how the limits were computed.
        resamples: the number of resamples that have a curve, or None if none were drawn.
        left_out: the number of resamples without a curve, which lack a class.
        others: height and limits of further lines, by name.
    """

    name: str
    x: Floats
    y: Floats
    low: Floats
    high: Floats
    labels: tuple[str, str]
    ci: float
    simultaneous: bool
    method: str
    resamples: int | None = None
    left_out: int = 0
    others: Mapping[str, tuple[Floats, Floats, Floats]] = field(default_factory=dict)

    schema = BandPoint
    checks, _like = (), None

    @property
    def rows(self) -> tuple[BandPoint, ...]:  # type: ignore[override]
        """The points of the curve, then those of further lines."""
        lines = {"y": (self.y, self.low, self.high), **self.others}
        return tuple(
            BandPoint(name, *point)
            for name, columns in lines.items()
            for point in zip(*(column.tolist() for column in (self.x, *columns)), strict=True)
        )

    @property
    def meta(self) -> dict[str, Any]:  # type: ignore[override]
        """The curve, its axes, the confidence and the method."""
        return {
            "curve": self.name,
            "labels": list(self.labels),
            "ci": self.ci,
            "simultaneous": self.simultaneous,
            "method": self.method,
            "resamples": self.resamples,
            "left_out": self.left_out,
        }

    def __repr__(self) -> str:
        kind = "simultaneous" if self.simultaneous else "pointwise"
        return f"<{kind} band of {self.name}: {100 * self.ci:g}%, {self.x.size} points>"


def band(
    y_true: Any,
    y_score: Any = None,
    kind: str | CurveKind | None = None,
    *,
    ci: float = 0.95,
    simultaneous: bool = False,
    around: Around = "curve",
    grid: int | ArrayLike = POINTS,
    resamples: int = RESAMPLES,
    seed: int | None = SEED,
    stratified: bool = False,
    cluster: Any = None,
    workers: int | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
) -> Band:
    """A curve with its confidence band.

    There are bands of ``roc``, ``precision_recall``, ``gain``, ``tpr_fpr`` (against score or depth)
    and ``reliability``. Pointwise limits are percentiles over resamples of the cases, at each x
    separately, but at least as wide as Wilson's limits of the fraction that is read there. Those of
    ``roc`` include the uncertainty of the threshold at a small false positive rate: where at most
    about 2.4 negatives are expected above it, the lower limit is 0. Simulated coverage of 95%
    limits at FPR 0.01 to 0.5 is 97% to 100% (two normal classes of 100 + 100 or 30 + 70 cases); at
    0.01 the percentiles alone cover 82% to 90%. A simultaneous band is a tube in ROC space that
    reaches the number of standard deviations at which it contains the fraction ``ci`` of the
    resampled curves. Two simultaneous bands need no resamples: the rates against the score have
    exact binomial limits at all thresholds, and ``reliability`` those of all runs of groups of
    neighboring scores, which hold for any true curve that rises.

    Args:
        y_true: the labels, or a table of unweighted cases.
        y_score: the scores.
        kind: the kind of curve, or its name. After a table: ``band(table, "roc")``.
        ci: the confidence.
        simultaneous: whether the confidence holds for the whole curve.
        around: "curve"; for reliability also "diagonal": where the curve of the same number of
            cases lies if the scores are the true probabilities (the consistency band).
        grid: the number of equally spaced x, or the x themselves.
        resamples: the number of resamples.
        seed: the seed of the random numbers.
        stratified: whether each class is resampled separately, with its size fixed.
        cluster: the cluster of each case; clusters are then resampled instead of cases.
        workers: the number of threads; the result does not depend on it.
        pos_label: as for a measure.
        sample_weight: as for a measure.
        nan_policy: as for a measure.
        rescale: as for a measure.

    >>> y, s = [1, 1, 1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.8, 0.7, 0.5, 0.5, 0.2, 0.1]
    >>> found = band(y, s, "roc", grid=[0.25, 0.5], stratified=True)
    >>> found.y, found.low.round(4), found.high
    (array([0.75, 1.  ]), array([0.    , 0.4197]), array([1., 1.]))
    """
    y_score, kind = after_data("band", "kind", "roc", (y_true, y_score, kind), CurveKind)
    chosen, space = _read_kind(kind, around)
    plan = Drawing(ci=ci, resamples=resamples, seed=seed, stratified=stratified, workers=workers)
    sample = _sample(
        y_true,
        y_score,
        pos_label=pos_label,
        sample_weight=sample_weight,
        cluster=cluster,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    table = sample.tables[MODEL]
    if chosen.declaration.unit_scores:
        table.require_unit(f"a band of {chosen}")
    if not (table.P and table.N):
        raise DataError(f"{chosen} has no band: a class is empty")
    curve = chosen.compute(table)
    x = _read_grid(grid, table, by_score=space.by_score)
    lines = np.stack([curve.at(x), *(curve.at(x, line) for line in curve.others)])
    if around == "diagonal":
        found = consistency(chosen, sample, x, plan, simultaneous)
    else:
        found = around_curve(chosen, space, sample, x, lines, plan, simultaneous)
    (low, high), *others = found.limits
    return Band(
        str(chosen),
        x,
        lines[0],
        low,
        high,
        curve.labels,
        plan.ci,
        simultaneous,
        found.method,
        found.resamples,
        found.left_out,
        {
            name: (y, *of_line)
            for name, y, of_line in zip(curve.others, lines[1:], others, strict=True)
        },
    )


def _read_kind(kind: str | CurveKind, around: str) -> tuple[CurveKind, Space]:
    """The kind of curve and its space, refused if it has no band."""
    chosen = find_kind(kind) if isinstance(kind, str) else kind
    read_argument("around", around, Choice(get_args(Around)))
    if not isinstance(chosen, CurveKind) or chosen.space is None:
        banded = ", ".join(map(str, _banded_kinds()))
        raise ParameterError(f"{kind} has no band", remedy=f"use one of {banded}")
    space = SPACES[chosen.space]
    if around == "diagonal" and not space.diagonal:
        raise ParameterError(
            (Argument("around", around), f" does not apply to {chosen}"),
            remedy=("use ", Argument("around", "curve")),
        )
    return chosen, space


def _banded_kinds() -> Iterator[CurveKind]:
    """The kinds of curves that have bands, with the parameters that they need for it."""
    for kind in curve_kinds():
        if kind.space:
            yield kind
        elif kind.declaration.space:
            for name, parameter in kind.declaration.parameters.items():
                made = (kind.using(**{name: word}) for word in getattr(parameter, "words", ()))
                yield from (each for each in made if each.space)


def _sample(y_true: Any, y_score: Any, **options: Any) -> Sample:
    """The cases; the caller of ``band`` is warned about dropped ones."""
    sample, dropped = read_sample(y_true, y_score, MODEL, **options)
    warn_dropped(dropped, sample.size, stacklevel=3)
    return sample


def _read_grid(grid: Any, table: ScoreTable, *, by_score: bool) -> Floats:
    """The x at which the band is computed."""
    low, high = (float(table.score[-1]), float(table.score[0])) if by_score else (0.0, 1.0)
    if np.ndim(grid) == 0:
        points = read_argument("grid", grid, Whole(2))
        if not np.isfinite([low, high]).all():
            raise DataError(
                "a score is infinite, so that there are no equally spaced x",
                remedy=("pass the x as ", Argument("grid")),
            )
        return np.linspace(low, high, points)
    try:
        x = np.array(grid, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError((Argument("grid"), f" is not an array of numbers: {error}")) from None
    if x.ndim != 1 or not x.size or not np.isfinite(x).all():
        raise ParameterError((Argument("grid"), " must be an integer or a list of finite numbers"))
    return x
