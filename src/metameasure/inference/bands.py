"""Bands around curves: how far a curve can be trusted, at each x or everywhere at once."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from metameasure.curves.kinds import CurveKind, find_kind
from metameasure.curves.readings import RankedClasses
from metameasure.curves.shares import least_limits
from metameasure.curves.tubes import Tube, limits_by_score, rising_limits
from metameasure.errors import DataError, DroppedCasesWarning
from metameasure.inference.arguments import read_whole, read_workers
from metameasure.inference.plans import SEED, Drawing
from metameasure.inference.resampling import AT_ONCE, TASK, WORTH_THREADS, generator
from metameasure.inference.sample import Sample
from metameasure.predictions import NanPolicy, Predictions, Rescale
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Draw = Callable[[int, np.random.Generator], Floats]
    Limits = list[tuple[Floats, Floats]]

Around = Literal["curve", "diagonal"]
RESAMPLES = 1000
POINTS = 101
MODEL = "y_score"
SLACK = 1e-12
FARTHEST = 20.0
"""The most standard deviations that a tube may reach."""
HALVINGS = 24
BLOCK, POOLED = 2**16, 2**18
"""The entries of a block of resamples; where rows are pooled, so many that it is compiled."""
BANDED = ("roc", "precision_recall", "gain", "tpr_fpr", "reliability")


@dataclass(frozen=True, eq=False)
class Band:
    """A curve on a grid of x, with the limits between which the true curve lies.

    Attributes:
        name: the kind of the curve.
        x: the grid.
        y: the height of the curve.
        low: the lower limits.
        high: the upper limits.
        labels: what x and y are, in words.
        ci: the confidence.
        simultaneous: whether the whole curve lies within with this confidence, and not only each
            point of it.
        method: how the limits were found.
        resamples: how many resamples have a curve, or None if none were drawn.
        left_out: the resamples without one, as they lack a class.
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

    def frame(self) -> Any:
        """A tidy frame of polars: the line, x, y, low and high."""
        import polars as pl  # noqa: PLC0415

        lines = {"y": (self.y, self.low, self.high), **self.others}
        parts = [
            pl.DataFrame({"x": self.x, "y": y, "low": low, "high": high}).select(
                pl.lit(name).alias("line"), pl.all()
            )
            for name, (y, low, high) in lines.items()
        ]
        return pl.concat(parts)

    def __repr__(self) -> str:
        kind = "simultaneous" if self.simultaneous else "pointwise"
        return f"<{kind} band of {self.name}: {100 * self.ci:g} %, {self.x.size} points>"


def band(
    kind: str | CurveKind,
    y_true: Any,
    y_score: Any = None,
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
    """A curve with the band that holds each of its points, or all of them, with confidence.

    There are bands of ``roc``, ``precision_recall``, ``gain``, ``tpr_fpr`` (against score or depth)
    and ``reliability``. Pointwise limits are percentiles over resamples of the cases, at each x on
    its own, but not narrower than Wilson's of the share that is read there. A simultaneous band is
    a tube in ROC space (``curves.tubes``) which reaches as many standard deviations as it takes to
    hold that share of the resampled curves. Two kinds need no resamples: the rates against the
    score have exact binomial limits at all thresholds, and ``reliability`` those of all runs of
    groups of neighbouring scores, which hold for any true curve that rises.

    Args:
        kind: the kind of curve, or its name.
        y_true: the labels, or a table of unweighted cases.
        y_score: the scores.
        ci: the confidence.
        simultaneous: whether the whole curve is to lie within.
        around: "curve"; for reliability also "diagonal": where the curve of as many cases would
            lie if the scores were the true probabilities (the consistency band).
        grid: how many x at equal distances, or the x themselves.
        resamples: how many resamples are drawn.
        seed: the seed of the random numbers.
        stratified: whether each class is resampled on its own, its size being fixed.
        cluster: the cluster of each case; clusters are then resampled instead of cases.
        workers: how many threads work; the result does not depend on it.
        pos_label: as for a measure.
        sample_weight: as for a measure.
        nan_policy: as for a measure.
        rescale: as for a measure.

    >>> y, s = [1, 1, 1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.8, 0.7, 0.5, 0.5, 0.2, 0.1]
    >>> found = band("roc", y, s, grid=[0.25, 0.5], stratified=True)
    >>> found.y, found.low.round(4), found.high
    (array([0.75, 1.  ]), array([0.3006, 0.5   ]), array([1., 1.]))
    """
    chosen = _read_kind(kind, around)
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
        raise DataError(f"there is no band of {chosen}: a class is empty")
    curve = chosen.compute(table)
    x = _read_grid(grid, table, by_score=curve.labels[0] == "score")
    lines = np.stack([curve.at(x), *(curve.at(x, line) for line in curve.others)])
    if around == "diagonal":
        found = _consistency(chosen, sample, x, plan, simultaneous)
    else:
        found = _around_curve(chosen, sample, x, lines, plan, simultaneous)
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


@dataclass(frozen=True, eq=False)
class _Found:
    """The limits of each line, and how they were found."""

    limits: Limits
    method: str
    resamples: int | None = None
    left_out: int = 0


def _around_curve(
    kind: CurveKind, sample: Sample, x: Floats, lines: Floats, plan: Drawing, simultaneous: bool
) -> _Found:
    """The band by the method that fits the kind of curve and the cases."""
    table = sample.tables[MODEL]
    if simultaneous and kind.name == "reliability":
        _check_counts(sample, "a simultaneous band of reliability")
        return _Found([rising_limits(table, x, plan.ci)], "binomial")
    if simultaneous and _by_score(kind) and sample.independent:
        rng = generator(np.random.SeedSequence(plan.seed))
        return _Found(limits_by_score(table, x, plan.ci, plan.resamples, rng), "binomial")
    if sample.too_few:
        raise DataError(f"there is no band of {kind}: {sample.too_few}")
    drawn = _resampled(kind, sample, x, plan)
    undefined = np.isnan(drawn).any(axis=(0, 2))
    known, left_out = drawn[:, ~undefined], int(undefined.sum())
    if not known.size:
        raise DataError(f"there is no band of {kind}: every resample lacks a class")
    positives, negatives, cases = _sizes(sample)
    if simultaneous:
        sizes = positives, negatives, None if plan.stratified else cases
        return _Found(
            _tube(kind, table, x, known, sizes, plan.ci), "tube", known.shape[1], left_out
        )
    limits = [
        (np.minimum(low, least), np.maximum(high, most))
        for (low, high), (least, most) in zip(
            _percentiles(known, plan.ci),
            least_limits(kind, x, lines, (positives, negatives, cases), plan.ci),
            strict=True,
        )
    ]
    return _Found(limits, "percentile", known.shape[1], left_out)


def _by_score(kind: CurveKind) -> bool:
    return dict(kind.parameters).get("against") == "score"


def _read_kind(kind: str | CurveKind, around: str) -> CurveKind:
    """The kind of curve, refused if there is no band of it."""
    chosen = find_kind(kind) if isinstance(kind, str) else kind
    if not isinstance(chosen, CurveKind) or chosen.name not in BANDED:
        raise DataError(f"there is no band of {kind}: there are bands of {', '.join(BANDED)}")
    if around not in get_args(Around):
        raise DataError(f"around={around!r} is not known: give 'curve' or 'diagonal'")
    if around == "diagonal" and chosen.name != "reliability":
        raise DataError(f"around='diagonal' is for reliability, and not for {chosen}")
    if chosen.name == "tpr_fpr" and dict(chosen.parameters).get("against", "index") == "index":
        raise DataError(
            "the places of thresholds belong to one sample, so that there is no band against them: "
            "take tpr_fpr.using(against='score') or 'depth'"
        )
    return chosen


def _sample(y_true: Any, y_score: Any, **options: Any) -> Sample:
    """The cases, from arrays or from a table of unweighted ones."""
    if isinstance(y_true, ScoreTable):
        options["nan_policy"] = None
        if y_score is not None or any(option is not None for option in options.values()):
            raise DataError("a ScoreTable has its labels, scores and weights: give it alone")
        return Sample.of_table(y_true, MODEL)
    if y_score is None:
        raise DataError("scores are missing: band(kind, y_true, y_score)")
    rows = Predictions.of(y_true, {MODEL: y_score}, **options)
    if rows.dropped:
        message = f"{rows.dropped} of {rows.dropped + rows.n} cases lack a value and were left out"
        warnings.warn(message, DroppedCasesWarning, stacklevel=3)
    return Sample.of(rows)


def _read_grid(grid: Any, table: ScoreTable, *, by_score: bool) -> Floats:
    """The x at which the band is found."""
    low, high = (float(table.score[-1]), float(table.score[0])) if by_score else (0.0, 1.0)
    if np.ndim(grid) == 0:
        points = read_whole("grid", grid, 2)
        if not np.isfinite([low, high]).all():
            raise DataError("a score is infinite: say at which x the band is wanted, grid=[...]")
        return np.linspace(low, high, points)
    try:
        x = np.array(grid, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"grid is no array of x: {error}") from None
    if x.ndim != 1 or not x.size or not np.isfinite(x).all():
        raise DataError("grid must be a number of x, or a list of finite x")
    return x


def _resampled(kind: CurveKind, sample: Sample, x: Floats, plan: Drawing) -> Floats:
    """The heights of all lines on resamples: shape (lines, resamples, x)."""
    sample.prepare([MODEL])
    ranked = RankedClasses.of(sample.places(MODEL)) if kind.name == "roc" else None
    alone = sample.cluster is None and sample.count is None

    def draw(tables: int, rng: np.random.Generator) -> Floats:
        if ranked is not None and alone:
            by_rank = ranked.draw(tables, rng, stratified=plan.stratified)
            return ranked.roc(by_rank, x)[np.newaxis]
        counts = sample.draw(tables, rng, stratified=plan.stratified)
        if ranked is not None:
            return ranked.roc(ranked.taken(counts), x)[np.newaxis]
        curves = kind.compute(sample.block(MODEL, counts))
        return np.stack([curves.at(x), *(curves.at(x, line) for line in curves.others)])

    return _drawn(draw, sample.size, plan, POOLED if kind.name == "reliability" else BLOCK)


def _drawn(draw: Draw, size: int, plan: Drawing, entries: int) -> Floats:
    """What is drawn, block by block: tasks have seeds of their own, so workers do not matter."""
    block = max(1, entries // size)
    task = block * max(1, TASK // (block * size))
    starts = range(0, plan.resamples, task)
    seeds = np.random.SeedSequence(plan.seed).spawn(len(starts))

    def work(start: int, seed: np.random.SeedSequence) -> Floats:
        rng, end = generator(seed), min(start + task, plan.resamples)
        parts = [draw(min(block, end - first), rng) for first in range(start, end, block)]
        return np.concatenate(parts, axis=1)

    threads = min(read_workers(plan.workers), max(1, AT_ONCE // size))
    with ThreadPoolExecutor(threads if size >= WORTH_THREADS else 1) as pool:
        return np.concatenate(list(pool.map(work, starts, seeds)), axis=1)


def _percentiles(drawn: Floats, ci: float) -> Limits:
    """Quantiles over the resamples, at each x on its own."""
    low, high = np.quantile(drawn, ((1 - ci) / 2, (1 + ci) / 2), axis=1)
    return list(zip(low, high, strict=True))


def _tube(
    kind: CurveKind,
    table: ScoreTable,
    x: Floats,
    drawn: Floats,
    sizes: tuple[float, float, float | None],
    ci: float,
) -> Limits:
    """The narrowest tube that holds that share of the resampled curves wholly."""

    def limits(reach: float) -> Limits:
        return Tube.of(table, sizes, reach).limits(kind, x)

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
    """How many positives, negatives and cases of equal weight would tell as much (Kish, 1965)."""
    table = sample.tables[MODEL]
    if sample.weight is None:
        return float(table.P), float(table.N), float(table.n)
    each = (*(sample.weight[stratum] for stratum in sample.strata), sample.weight)
    positives, negatives, cases = (float(w.sum() ** 2 / np.square(w).sum()) for w in each)
    return positives, negatives, cases


def _consistency(
    kind: CurveKind, sample: Sample, x: Floats, plan: Drawing, simultaneous: bool
) -> _Found:
    """Where the curve would lie if the scores were the true probabilities.

    Labels are drawn with them. The simultaneous band reaches as many standard deviations from the
    mean as it takes to hold that share of the curves; since the truth is known, this is exact.
    """
    _check_counts(sample, "a band around the diagonal")
    table = sample.tables[MODEL]
    cases = table.weight.astype(np.int64)

    def draw(tables: int, rng: np.random.Generator) -> Floats:
        pos = rng.binomial(cases, table.score, size=(tables, cases.size)).astype(np.float64)
        block = ScoreTable.of_counts(table.score, pos, cases - pos)
        return np.asarray(kind.compute(block).at(x))[np.newaxis]

    drawn = _drawn(draw, table.score.size, plan, POOLED)
    if not simultaneous:
        return _Found(_percentiles(drawn, plan.ci), "consistency", plan.resamples)
    mean, spread = drawn[0].mean(axis=0), drawn[0].std(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        apart = np.where(spread > 0, np.abs(drawn[0] - mean) / spread, 0.0).max(axis=1)
    reach = np.quantile(apart, plan.ci, method="higher") * spread
    limits = np.clip(mean - reach, 0.0, 1.0), np.clip(mean + reach, 0.0, 1.0)
    return _Found([limits], "consistency", plan.resamples)


def _check_counts(sample: Sample, what: str) -> None:
    """Refuse cases that have weights or come in clusters."""
    if not sample.independent:
        raise DataError(f"{what} is for independent cases of equal weight: take the pointwise one")
