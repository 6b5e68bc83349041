"""The limits of bands: drawn as percentiles, as tubes, or exact where they can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from metameasure.errors import DataError
from metameasure.inference.bands.confidence_tube import Tube, limits_by_score, rising_limits
from metameasure.inference.bands.pointwise_limits import least_limits
from metameasure.inference.bands.resampled_roc import RankedClasses
from metameasure.inference.resampling import draw_in_blocks, generator
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure.curves import CurveKind
    from metameasure.inference.plan import Drawing
    from metameasure.inference.resampling import Draw
    from metameasure.inference.sample import Sample

    Floats = NDArray[np.float64]
    Limits = list[tuple[Floats, Floats]]

MODEL = "y_score"
"""The name of the only model of a sample that a band is made of."""
SLACK = 1e-12
FARTHEST = 20.0
"""The most standard deviations that a tube may reach."""
HALVINGS = 24
BLOCK, POOLED = 2**16, 2**18
"""The entries of a block of resamples; where rows are pooled, so many that it is compiled."""


@dataclass(frozen=True, eq=False)
class Found:
    """The limits of each line, and how they were found."""

    limits: Limits
    method: str
    resamples: int | None = None
    left_out: int = 0


def around_curve(
    kind: CurveKind, sample: Sample, x: Floats, lines: Floats, plan: Drawing, simultaneous: bool
) -> Found:
    """The band by the method that fits the kind of curve and the cases."""
    table = sample.tables[MODEL]
    if simultaneous and kind.name == "reliability":
        _check_counts(sample, "a simultaneous band of reliability", "simultaneous=False")
        low, high = rising_limits(table, x, plan.ci)
        if np.any(low > high):
            raise DataError(
                f"no share of positives that rises with the score fits these cases at ci={plan.ci}:"
                " do the scores rank them the wrong way round?"
            )
        return Found([(low, high)], "binomial")
    if simultaneous and _by_score(kind) and sample.independent:
        rng = generator(np.random.SeedSequence(plan.seed))
        return Found(limits_by_score(table, x, plan.ci, plan.resamples, rng), "binomial")
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
        return Found(_tube(kind, table, x, known, sizes, plan.ci), "tube", known.shape[1], left_out)
    limits = [
        (np.minimum(low, least), np.maximum(high, most))
        for (low, high), (least, most) in zip(
            _percentiles(known, plan.ci),
            least_limits(kind, table, x, lines, (positives, negatives, cases), plan.ci),
            strict=True,
        )
    ]
    return Found(limits, "percentile", known.shape[1], left_out)


def _by_score(kind: CurveKind) -> bool:
    return dict(kind.parameters).get("against") == "score"


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
    return draw_in_blocks(
        draw, size, entries, resamples=plan.resamples, seed=plan.seed, workers=plan.workers
    )


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
    """How many positives, negatives and cases of equal weight would tell as much (Kish, 1965).

    The cases of a cluster may be all alike, so that each cluster tells as much as one case does.
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
    """Where the curve would lie if the scores were the true probabilities.

    Labels are drawn with them. The simultaneous band reaches as many standard deviations from the
    mean as it takes to hold that share of the curves; since the truth is known, this is exact.
    """
    _check_counts(sample, "a band around the diagonal", "around='curve'")
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


def _check_counts(sample: Sample, what: str, instead: str) -> None:
    """Refuse cases that have weights or come in clusters."""
    if not sample.independent:
        raise DataError(f"{what} is for independent cases of equal weight: take {instead}")
