"""The interval of a measure: which method, and the limits that it gives."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from metameasure.errors import DataError
from metameasure.inference import bootstrap, components, proportion
from metameasure.inference.arguments import check_resamples, check_seed, read_share, read_workers
from metameasure.inference.resampling import jackknife, portion, replicate
from metameasure.inference.sample import Sample
from metameasure.inference.smoothing import Smoothed, smoothed_limits
from metameasure.kernels.sums import dot
from metameasure.predictions import NanPolicy, Predictions, Rescale
from metameasure.registry import CaseMean, Extreme, Measure, PairMean, Share, parse
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from metameasure.inference.resampling import Progress

    Floats = NDArray[np.float64]

Method = Literal[
    "auto",
    "delong",
    "wald",
    "theorem_6",
    "wilson",
    "normal",
    "smoothed",
    "percentile",
    "basic",
    "bca",
]
RESAMPLED = ("percentile", "basic", "bca")
USUAL = "bca"
"""The method for a measure of which nothing special is known."""
RESAMPLES = 2000
SEED = 1
"""Fixed, so that the same data have the same interval."""


@dataclass(frozen=True)
class Interval:
    """A value with the limits between which the truth lies, with the confidence asked for.

    Attributes:
        measure: the measure.
        value: its value.
        low, high: the limits; NaN where there are none, and then ``reason`` says why.
        ci: the confidence.
        method: how the limits were found; "bound" where the cases do not vary.
        resamples: how many resamples have a value, or None if none were drawn.
        left_out: the resamples without a value, as when they lack a class.
        reason: why there are no limits.
    """

    measure: Measure
    value: float
    low: float
    high: float
    ci: float
    method: str
    resamples: int | None = None
    left_out: int = 0
    reason: str | None = None


Intervals = dict[tuple[str, Measure], Interval]


@dataclass(frozen=True)
class Plan:
    """How intervals are found."""

    ci: float = 0.95
    method: Method = "auto"
    resamples: int = RESAMPLES
    seed: int | None = SEED
    stratified: bool = False
    workers: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "ci", read_share("ci", self.ci))
        check_resamples(self.resamples)
        check_seed(self.seed)
        read_workers(self.workers)
        if self.method not in get_args(Method):
            known = ", ".join(get_args(Method))
            raise DataError(
                f"there is no method {self.method!r} for an interval: give one of {known}"
            )

    @property
    def drawing(self) -> dict[str, Any]:
        """What a function that resamples has to know."""
        return {
            "resamples": self.resamples,
            "seed": self.seed,
            "stratified": self.stratified,
            "workers": self.workers,
        }


def interval(
    measure: str | Measure,
    y_true: Any,
    y_score: Any = None,
    *,
    ci: float = 0.95,
    method: Method = "auto",
    resamples: int = RESAMPLES,
    seed: int | None = SEED,
    stratified: bool = False,
    cluster: Any = None,
    workers: int | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
) -> Interval:
    """A measure with its interval, by the method that fits it or by one asked for.

    Args:
        measure: the measure or its text.
        y_true: the labels, or a table of unweighted cases.
        y_score: the scores.
        ci: the confidence.
        method: "auto", or "delong" (structural components on the logit scale), "wald" (the same
            without the logit, as pROC has it), "theorem_6" (the variance of Wu, Flach and Ferri),
            "wilson", "normal", "smoothed", or a bootstrap: "percentile", "basic", "bca".
        resamples: how many resamples a bootstrap draws.
        seed: the seed of the random numbers.
        stratified: whether each class is resampled on its own, its size being fixed.
        cluster: the cluster of each case; clusters are then resampled instead of cases.
        workers: how many threads work; the result does not depend on it.
        pos_label: as for a measure.
        sample_weight: as for a measure; only a bootstrap of the rows takes weights.
        nan_policy: as for a measure.
        rescale: as for a measure.

    >>> found = interval("auc", [1, 1, 1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.8, 0.7, 0.5, 0.5, 0.2, 0.1])
    >>> found.value, found.low, found.high, found.method
    (0.90625, 0.4262..., 0.9921..., 'delong')
    """
    chosen = parse(measure)
    plan = Plan(ci, method, resamples, seed, stratified, workers)
    if isinstance(y_true, ScoreTable):
        given = (y_score, cluster, pos_label, sample_weight, rescale)
        if any(extra is not None for extra in given):
            raise DataError("a ScoreTable has its labels, scores and weights: give it alone")
        sample = Sample.of_table(y_true, "y_score")
    else:
        if y_score is None:
            raise DataError("scores are missing: interval(measure, y_true, y_score)")
        sample = Sample.of(
            Predictions.of(
                y_true,
                {"y_score": y_score},
                pos_label=pos_label,
                sample_weight=sample_weight,
                cluster=cluster,
                nan_policy=nan_policy,
                rescale=rescale,
            )
        )
    return intervals(sample, {"y_score": [chosen]}, plan)["y_score", chosen]


def intervals(
    sample: Sample,
    asked: Mapping[str, Sequence[Measure]],
    plan: Plan,
    progress: Progress | None = None,
) -> Intervals:
    """The intervals of each model's measures; those from resamples share them."""
    found: Intervals = {}
    resampled: dict[str, list[Measure]] = {}
    smoothed: dict[str, list[Measure]] = {}
    for model, chosen in asked.items():
        table = sample.tables[model]
        for measure in chosen:
            method = method_for(measure, sample) if plan.method == "auto" else plan.method
            _check_fits(measure, sample, method)
            empty = Interval(measure, measure.value(table), math.nan, math.nan, plan.ci, method)
            found[model, measure] = empty
            if math.isnan(empty.value):
                reason = f"the value is undefined: {measure.undefined_when}"
                found[model, measure] = replace(empty, reason=reason)
            elif method in RESAMPLED:
                resampled.setdefault(model, []).append(measure)
            elif method == "smoothed":
                smoothed.setdefault(model, []).append(measure)
            else:
                found[model, measure] = _ANALYTIC[method](empty, table)
    parts = len(smoothed) + bool(resampled)
    if resampled:
        found |= _from_resamples(found, sample, resampled, plan, portion(progress, 0, parts))
    for part, (model, chosen) in enumerate(smoothed.items(), parts - len(smoothed)):
        found |= _from_smoothed(found, sample, model, chosen, plan, portion(progress, part, parts))
    return found


def method_for(measure: Measure, sample: Sample) -> str:
    """The method that fits a measure; docs/coverage.md shows how well each covers."""
    kind = measure.declaration.sampling
    if not sample.independent:
        return "basic" if isinstance(kind, Extreme) else USUAL
    if isinstance(kind, PairMean):
        return "delong"
    if isinstance(kind, CaseMean):
        return "normal"
    if isinstance(kind, Share) and measure.point and measure.point.kind == "threshold":
        return "wilson"
    return "smoothed" if isinstance(kind, Extreme) else USUAL


def _check_fits(measure: Measure, sample: Sample, method: str) -> None:
    """Whether a method that was asked for can be had for the measure and the sample."""
    if method in RESAMPLED:
        return
    if not sample.independent:
        what = "clustered" if sample.cluster is not None else "weighted"
        raise DataError(
            f"method={method!r} is for independent cases of equal weight, and these are {what}: "
            f"resample them, method={USUAL!r}"
        )
    kind, point = measure.declaration.sampling, measure.point
    fits = {
        "delong": isinstance(kind, PairMean),
        "wald": isinstance(kind, PairMean),
        "theorem_6": measure.name == "scored_auc",
        "wilson": isinstance(kind, Share) and point is not None and point.kind == "threshold",
        "normal": isinstance(kind, CaseMean),
        "smoothed": isinstance(kind, Extreme),
    }
    if not fits[method]:
        raise DataError(
            f"method={method!r} is not for {measure}: leave it out, or resample, method={USUAL!r}"
        )


def _delong(empty: Interval, table: ScoreTable) -> Interval:
    """Structural components; where they do not vary, the bound from disjoint pairs."""
    spread = components.spread(empty.measure, table)
    variance = spread.theorem_6 if empty.method == "theorem_6" else spread.delong
    if math.isnan(variance):
        return replace(empty, reason="a class has only one case, which tells nothing of its spread")
    ends = empty.measure.declaration.range
    if variance == 0:
        return _bound(empty, min(spread.n_pos, spread.n_neg))
    on_logits = empty.method == "delong" and ends[0] < empty.value < ends[1]
    limits = components.logit_limits if on_logits else components.wald_limits
    return _limited(empty, limits(empty.value, variance, ends, empty.ci))


def _normal(empty: Interval, table: ScoreTable) -> Interval:
    """The mean over the cases and its standard errors, with Student's quantile."""
    from scipy.special import stdtrit  # noqa: PLC0415

    kind = empty.measure.declaration.sampling
    assert isinstance(kind, CaseMean)  # noqa: S101 - _check_fits has seen to it
    if math.isinf(empty.value):
        return replace(empty, reason="an infinite loss has no limits")
    n = float(table.n)
    if n < 2:
        return replace(empty, reason="there is only one case, which tells nothing of the spread")
    with np.errstate(divide="ignore", invalid="ignore"):
        losses = kind.losses(table, **dict(empty.measure.parameters))
    pairs = list(zip((table.pos, table.neg), losses, strict=True))
    # A loss that no case has may be infinite.
    pairs = [(weight[weight > 0], loss[weight > 0]) for weight, loss in pairs]
    mean = sum(dot(weight, loss) for weight, loss in pairs) / n
    square = sum(dot(weight, np.square(loss - mean)) for weight, loss in pairs)
    losses_of_cases = np.concatenate([loss for _, loss in pairs])
    if components.is_rounding(losses_of_cases - mean, losses_of_cases):
        return _bound(empty, n)
    reach = float(stdtrit(n - 1, (1 + empty.ci) / 2)) * math.sqrt(square / (n - 1) / n)
    low, high = empty.measure.declaration.range
    limits = max(mean - reach, low), min(mean + reach, high)
    if kind.of_mean is not None:
        limits = kind.of_mean(limits[0]), kind.of_mean(limits[1])
    return _limited(empty, limits)


def _wilson(empty: Interval, table: ScoreTable) -> Interval:
    kind, point = empty.measure.declaration.sampling, empty.measure.point
    assert isinstance(kind, Share)  # noqa: S101 - _check_fits has seen to it
    assert point is not None  # noqa: S101
    some, of = (float(count) for count in kind.counts(table.at(point)))
    return _limited(empty, proportion.wilson_limits(some, of, empty.ci))


_ANALYTIC = {
    "delong": _delong,
    "wald": _delong,
    "theorem_6": _delong,
    "normal": _normal,
    "wilson": _wilson,
}


def _bound(empty: Interval, independent: float) -> Interval:
    ends = empty.measure.declaration.range
    limits = components.bound(empty.value, ends, independent, empty.ci)
    return _limited(replace(empty, method="bound"), limits)


def _limited(empty: Interval, limits: tuple[float, float]) -> Interval:
    """The interval with its limits, without what rounding has put beyond the range."""
    least, most = empty.measure.declaration.range
    low, high = (min(max(float(limit), least), most) for limit in limits)
    return replace(empty, low=low, high=high)


def _from_resamples(
    found: Intervals,
    sample: Sample,
    asked: Mapping[str, Sequence[Measure]],
    plan: Plan,
    progress: Progress | None,
) -> Intervals:
    """Intervals by the bootstrap of cases or clusters."""
    drawn = replicate(sample, asked, **plan.drawing, progress=progress)
    wanted = {key: found[key] for key in drawn}
    accelerated = {
        model: [m for m in chosen if found[model, m].method == "bca"]
        for model, chosen in asked.items()
    }
    left_out = jackknife(sample, accelerated, seed=plan.seed)
    made = {}
    for key, empty in wanted.items():
        values, counted = _defined(drawn[key], empty)
        if sample.units < 2:
            reason = "there is only one case, or one cluster of them, to be drawn"
            counted = replace(counted, reason=reason)
        elif empty.method == "basic" and math.isinf(empty.value):
            counted = replace(counted, reason="an infinite value cannot be reflected at")
        if counted.reason is None:
            ends = empty.measure.declaration.range
            if empty.method == "percentile":
                limits = bootstrap.percentile_limits(values, plan.ci)
            elif empty.method == "basic":
                limits = bootstrap.basic_limits(empty.value, values, ends, plan.ci)
            else:
                limits = bootstrap.bca_limits(empty.value, values, left_out[key], plan.ci)
            counted = _limited(counted, limits)
        made[key] = counted
    return made


def _from_smoothed(
    found: Intervals,
    sample: Sample,
    model: str,
    chosen: Sequence[Measure],
    plan: Plan,
    progress: Progress | None,
) -> Intervals:
    """Intervals by the bootstrap of smoothed classes, for maxima."""
    if not sample.tables[model].P * sample.tables[model].N:
        reason = "a class is empty, so that it cannot be smoothed"
        return {(model, m): replace(found[model, m], reason=reason) for m in chosen}
    population = Smoothed.of(sample.tables[model])
    table, sizes = population.table, (population.n_pos, population.n_neg)
    drawn = replicate(population, {model: chosen}, **plan.drawing, progress=progress)
    made = {}
    for measure in chosen:
        values, counted = _defined(drawn[model, measure], found[model, measure])
        if counted.reason is None:
            kind = measure.declaration.sampling
            assert isinstance(kind, Extreme)  # noqa: S101 - _check_fits has seen to it
            known, parameters = sample.tables[model], dict(measure.parameters)
            limits = smoothed_limits(
                counted.value,
                float(measure.compute(table)),
                values,
                of=kind.of,
                ends=measure.declaration.range,
                sizes=sizes,
                ci=plan.ci,
                by_chance=kind.by_chance and kind.by_chance(known, 1 - plan.ci, **parameters),
            )
            counted = _limited(counted, limits)
        made[model, measure] = counted
    return made


def _defined(drawn: Floats, empty: Interval) -> tuple[Floats, Interval]:
    """The resamples that have a value, and the interval that knows how many."""
    values = drawn[~np.isnan(drawn)]
    left = drawn.size - values.size
    reason = None if values.size else "no resample has a value"
    return values, replace(empty, resamples=values.size, left_out=left, reason=reason)
