"""Confidence bands around curves, pointwise or simultaneous."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal, Unpack, get_args

import numpy as np

from metameasure._arguments import Choice, Whole, read_argument
from metameasure.curves import CurveKind, curve_kinds, find_kind
from metameasure.data import ClusterOptions, after_data, read_models, takes_models, warn_dropped
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.inference.bands.confidence_tube import Tube
from metameasure.inference.bands.spaces import (
    MODEL,
    POOLED,
    SPACES,
    Points,
    check_independent,
)
from metameasure.inference.resampling import SEED, Drawing, draw_in_blocks
from metameasure.inference.sample import samples_of
from metameasure.progress import reporting
from metameasure.results import Result
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import ArrayLike

    from metameasure._types import Floats
    from metameasure.inference.bands.spaces import Space
    from metameasure.inference.sample import Sample
    from metameasure.progress import Progress

    Limits = list[tuple[Floats, Floats]]


Around = Literal["curve", "diagonal"]
RESAMPLES = 1000
"""Default number of resamples of a band."""
POINTS = 101
"""Default number of points of a band."""
SLACK = 1e-12
"""Distance by which a resampled curve may exceed the limits through rounding."""
FARTHEST = 20.0
"""Maximum number of standard deviations that a tube reaches."""
HALVINGS = 24
"""Number of steps of the search for the reach of a tube."""


@dataclass(frozen=True)
class BandPoint:
    """One point of a band; ``line`` is "y" for the curve, or the name of a further line."""

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


@takes_models(ClusterOptions)
def band(
    y_true: Any,
    scores: Any = None,
    kind: str | CurveKind | None = None,
    *,
    ci: float = 0.95,
    simultaneous: bool = False,
    around: Around = "curve",
    grid: int | ArrayLike = POINTS,
    resamples: int = RESAMPLES,
    seed: int | None = SEED,
    stratified: bool = False,
    workers: int | None = None,
    progress: bool | Progress | None = True,
    **data: Unpack[ClusterOptions],
) -> Band:
    """A curve with its confidence band, for one model.

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
        scores: the scores, or the name of their column in a data frame or file.
        kind: the kind of curve, or its name; directly after data that have their scores:
            ``band(table, "roc")``.
        ci: the confidence.
        simultaneous: whether the confidence holds for the whole curve.
        around: "curve"; for reliability also "diagonal": where the curve of the same number of
            cases lies if the scores are the true probabilities (the consistency band).
        grid: the number of equally spaced x, or the x themselves.
        resamples: the number of resamples.
        seed: the seed of the random numbers.
        stratified: whether each class is resampled separately, with its size fixed.
        workers: the number of threads; the result does not depend on it.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.

    >>> y, s = [1, 1, 1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.8, 0.7, 0.5, 0.5, 0.2, 0.1]
    >>> found = band(y, s, "roc", grid=[0.25, 0.5], stratified=True)
    >>> found.y, found.low.round(4), found.high
    (array([0.75, 1.  ]), array([0.    , 0.4197]), array([1., 1.]))
    """
    given = (y_true, scores, kind)
    scores, kind = after_data("band", "kind", "roc", given, CurveKind, data.get("score"))
    chosen, space = _read_kind(kind, around)
    plan = Drawing(ci=ci, resamples=resamples, seed=seed, stratified=stratified, workers=workers)
    models = read_models(y_true, scores, number="one", **data)
    models.only("a band")
    warn_dropped(models.dropped, int(models.cases), stacklevel=3)
    (sample,) = samples_of(models.renamed(MODEL), resampled=True)
    table = sample.tables[MODEL]
    if chosen.declaration.unit_scores:
        table.require_unit(f"a band of {chosen}")
    if not (table.P and table.N):
        raise DataError(f"{chosen} has no band: a class is empty")
    curve = chosen.compute(table)
    x = _read_grid(grid, table, by_score=space.by_score)
    lines = np.stack([curve.at(x), *(curve.at(x, line) for line in curve.others)])
    with reporting(progress, f"band: {resamples} resamples of {chosen}") as report:
        if around == "diagonal":
            found = _consistency(chosen, sample, x, plan, simultaneous, report)
        else:
            found = _around_curve(chosen, space, sample, x, lines, plan, simultaneous, report)
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


@dataclass(frozen=True, eq=False)
class _Found:
    """The limits of each line, and how they were found."""

    limits: Limits
    method: str
    resamples: int | None = None
    left_out: int = 0


def _around_curve(
    kind: CurveKind,
    space: Space,
    sample: Sample,
    x: Floats,
    lines: Floats,
    plan: Drawing,
    simultaneous: bool,
    progress: Progress | None,
) -> _Found:
    """The band by the method that fits the kind of curve and the cases."""
    exact = space.exact_limits(sample, x, plan) if simultaneous else None
    if exact is not None:
        return _Found(exact, "binomial")
    table = sample.tables[MODEL]
    if sample.too_few:
        raise DataError(f"{kind} has no band: {sample.too_few}")
    sample.prepare([MODEL])
    heights = space.heights(kind, sample, x, plan)
    drawn = draw_in_blocks(heights, sample.size, space.entries, plan, progress)
    undefined = np.isnan(drawn).any(axis=(0, 2))
    known, left_out = drawn[:, ~undefined], int(undefined.sum())
    if not known.size:
        raise DataError(f"{kind} has no band: every resample lacks a class")
    sizes = _sizes(sample)
    if simultaneous:
        of_tube = *sizes[:2], None if plan.stratified else sizes[2]
        limits = _tube(space, table, x, known, of_tube, plan.ci)
        return _Found(limits, "tube", known.shape[1], left_out)
    z = NormalDist().inv_cdf((1 + plan.ci) / 2)
    least_limits = space.least_limits(Points(table, x, lines, sizes), z)
    limits = [
        (np.minimum(low, least), np.maximum(high, most))
        for (low, high), (least, most) in zip(
            _percentiles(known, plan.ci), least_limits, strict=True
        )
    ]
    return _Found(limits, "percentile", known.shape[1], left_out)


def _percentiles(drawn: Floats, ci: float) -> Limits:
    """Quantiles over the resamples, at each x on its own."""
    low, high = np.quantile(drawn, ((1 - ci) / 2, (1 + ci) / 2), axis=1)
    return list(zip(low, high, strict=True))


def _tube(
    space: Space,
    table: ScoreTable,
    x: Floats,
    drawn: Floats,
    sizes: tuple[float, float, float | None],
    ci: float,
) -> Limits:
    """The narrowest tube that contains the fraction ``ci`` of the resampled curves."""

    def limits(reach: float) -> Limits:
        return space.tube_limits(Tube.of(table, sizes, reach), x, len(drawn))

    def holds_enough(reach: float) -> bool:
        inside = np.ones(drawn.shape[1], dtype=bool)
        for line, (low, high) in zip(drawn, limits(reach), strict=True):
            inside &= ((line >= low - SLACK) & (line <= high + SLACK)).all(axis=1)
        return bool(inside.mean() >= ci)

    near, far = 0.0, FARTHEST
    for _ in range(HALVINGS):
        middle = (near + far) / 2
        near, far = (near, middle) if holds_enough(middle) else (middle, far)
    return limits(far)


def _sizes(sample: Sample) -> tuple[float, float, float]:
    """The effective numbers of positives, negatives and cases (Kish, 1965).

    The cases of a cluster may be identical, so that each cluster counts as one case.
    """
    table = sample.tables[MODEL]
    if sample.weight is None and sample.cluster is None:
        return float(table.P), float(table.N), float(table.n)
    weight = np.ones(sample.size) if sample.weight is None else sample.weight
    cluster = np.arange(sample.size) if sample.cluster is None else sample.cluster
    each = (*sample.strata, np.arange(sample.size))
    totals = (np.bincount(cluster[part], weight[part]) for part in each)
    positives, negatives, cases = (float(w.sum() ** 2 / np.square(w).sum()) for w in totals)
    return positives, negatives, cases


def _consistency(
    kind: CurveKind,
    sample: Sample,
    x: Floats,
    plan: Drawing,
    simultaneous: bool,
    progress: Progress | None,
) -> _Found:
    """The consistency band: where the curve lies if the scores are the true probabilities.

    Labels are drawn with them. The simultaneous band reaches the number of standard deviations from
    the mean at which it contains the fraction ``ci`` of the curves.
    """
    check_independent(sample, "a band around the diagonal", "around", "curve")
    table = sample.tables[MODEL]
    cases = table.weight.astype(np.int64)

    def draw(tables: int, rng: np.random.Generator) -> Floats:
        pos = rng.binomial(cases, table.score, size=(tables, cases.size)).astype(np.float64)
        block = ScoreTable.of_counts(table.score, pos, cases - pos)
        return np.asarray(kind.compute(block).at(x))[np.newaxis]

    drawn = draw_in_blocks(draw, table.score.size, POOLED, plan, progress)
    if not simultaneous:
        return _Found(_percentiles(drawn, plan.ci), "consistency", plan.resamples)
    mean, spread = drawn[0].mean(axis=0), drawn[0].std(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        apart = np.where(spread > 0, np.abs(drawn[0] - mean) / spread, 0.0).max(axis=1)
    reach = np.quantile(apart, plan.ci, method="higher") * spread
    limits = np.clip(mean - reach, 0.0, 1.0), np.clip(mean + reach, 0.0, 1.0)
    return _Found([limits], "consistency", plan.resamples)
