"""The limits of bands: percentiles of resamples, confidence tubes, or exact limits."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from metameasure.errors import DataError
from metameasure.inference.bands.confidence_tube import Tube
from metameasure.inference.bands.spaces import MODEL, POOLED, check_independent
from metameasure.inference.resampling import draw_in_blocks
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.curves import CurveKind
    from metameasure.inference.bands.spaces import Space
    from metameasure.inference.plan import Drawing
    from metameasure.inference.resampling import Draw
    from metameasure.inference.sample import Sample

    Limits = list[tuple[Floats, Floats]]

SLACK = 1e-12
"""Distance by which a resampled curve may exceed the limits through rounding."""
FARTHEST = 20.0
"""Maximum number of standard deviations that a tube reaches."""
HALVINGS = 24
"""Number of steps of the search for the reach of a tube."""


@dataclass(frozen=True, eq=False)
class Found:
    """The limits of each line, and how they were found."""

    limits: Limits
    method: str
    resamples: int | None = None
    left_out: int = 0


def around_curve(
    kind: CurveKind,
    space: Space,
    sample: Sample,
    x: Floats,
    lines: Floats,
    plan: Drawing,
    simultaneous: bool,
) -> Found:
    """The band by the method that fits the kind of curve and the cases."""
    exact = space.exact_limits(sample, x, plan) if simultaneous else None
    if exact is not None:
        return Found(exact, "binomial")
    table = sample.tables[MODEL]
    if sample.too_few:
        raise DataError(f"{kind} has no band: {sample.too_few}")
    sample.prepare([MODEL])
    drawn = _drawn(space.heights(kind, sample, x, plan), sample.size, plan, space.entries)
    undefined = np.isnan(drawn).any(axis=(0, 2))
    known, left_out = drawn[:, ~undefined], int(undefined.sum())
    if not known.size:
        raise DataError(f"{kind} has no band: every resample lacks a class")
    positives, negatives, cases = _sizes(sample)
    if simultaneous:
        sizes = positives, negatives, None if plan.stratified else cases
        limits = _tube(space, table, x, known, sizes, plan.ci)
        return Found(limits, "tube", known.shape[1], left_out)
    z = NormalDist().inv_cdf((1 + plan.ci) / 2)
    least_limits = space.least_limits(table, x, lines, (positives, negatives, cases), z)
    limits = [
        (np.minimum(low, least), np.maximum(high, most))
        for (low, high), (least, most) in zip(
            _percentiles(known, plan.ci), least_limits, strict=True
        )
    ]
    return Found(limits, "percentile", known.shape[1], left_out)


def _drawn(draw: Draw, size: int, plan: Drawing, entries: int) -> Floats:
    return draw_in_blocks(
        draw, size, entries, resamples=plan.resamples, seed=plan.seed, workers=plan.workers
    )


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


def consistency(
    kind: CurveKind, sample: Sample, x: Floats, plan: Drawing, simultaneous: bool
) -> Found:
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

    drawn = _drawn(draw, table.score.size, plan, POOLED)
    if not simultaneous:
        return Found(_percentiles(drawn, plan.ci), "consistency", plan.resamples)
    mean, spread = drawn[0].mean(axis=0), drawn[0].std(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        apart = np.where(spread > 0, np.abs(drawn[0] - mean) / spread, 0.0).max(axis=1)
    reach = np.quantile(apart, plan.ci, method="higher") * spread
    limits = np.clip(mean - reach, 0.0, 1.0), np.clip(mean + reach, 0.0, 1.0)
    return Found([limits], "consistency", plan.resamples)
