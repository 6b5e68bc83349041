"""The interval of a measure: which method, and the limits that it gives."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from metameasure.errors import DataError
from metameasure.inference import bootstrap, components, proportion
from metameasure.inference.class_sample import ClassSample
from metameasure.inference.plans import RESAMPLES, SEED, Drawing
from metameasure.inference.resampling import jackknife, portion, replicate
from metameasure.inference.sample import Sample
from metameasure.inference.smoothing import Smoothed, smoothed_limits
from metameasure.kernels.sums import dot
from metameasure.predictions import (
    ClassScores,
    NanPolicy,
    Predictions,
    Rescale,
    has_class_columns,
)
from metameasure.registry import (
    CaseMean,
    ClassPairMean,
    Extreme,
    MeanOver,
    Measure,
    PairMean,
    Share,
    parse,
)
from metameasure.table import Point, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from metameasure.inference.resampling import Progress

    Floats = NDArray[np.float64]
    AnySample = Sample | ClassSample

Method = Literal[
    "auto",
    "delong",
    "wald",
    "theorem_6",
    "wilson",
    "normal",
    "smoothed",
    "corrected",
    "percentile",
    "basic",
    "bca",
]
RESAMPLED = ("percentile", "basic", "bca", "corrected")
CELLS_FROM = 10_000
"""The number of cases from which a confusion matrix is resampled by its cells."""
USUAL = "bca"
"""The method for a measure of which nothing special is known."""


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


@dataclass(frozen=True, kw_only=True)
class Plan(Drawing):
    """How intervals are found."""

    method: Method = "auto"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.method not in get_args(Method):
            known = ", ".join(get_args(Method))
            raise DataError(
                f"there is no method {self.method!r} for an interval: give one of {known}"
            )


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
    group: Any = None,
    workers: int | None = None,
    labels: Sequence[Any] | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
) -> Interval:
    """A measure with its interval, by the method that fits it or by one asked for.

    Args:
        measure: the measure or its text.
        y_true: the labels, or a table of unweighted cases, or ready ClassScores.
        y_score: the scores; of several classes a matrix, a data frame or a dict of columns.
        ci: the confidence.
        method: "auto", or "delong" (structural components on the logit scale), "wald" (the same
            without the logit, as pROC has it), "theorem_6" (the variance of Wu, Flach and Ferri),
            "wilson", "normal", "smoothed", or a bootstrap: "percentile", "basic", "bca", and for
            maxima "corrected".
        resamples: how many resamples a bootstrap draws.
        seed: the seed of the random numbers.
        stratified: whether each class is resampled on its own, its size being fixed.
        cluster: the cluster of each case; clusters are then resampled instead of cases.
        group: the group of each case, for a mean over groups, whose units they are.
        workers: how many threads work; the result does not depend on it.
        labels: for several classes, the class of each column of scores.
        pos_label: as for a measure.
        sample_weight: as for a measure; only a bootstrap of the rows takes weights.
        nan_policy: as for a measure.
        rescale: as for a measure.

    >>> found = interval("auc", [1, 1, 1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.8, 0.7, 0.5, 0.5, 0.2, 0.1])
    >>> found.value, found.low, found.high, found.method
    (0.90625, 0.4262..., 0.9921..., 'delong')
    """
    chosen = parse(measure)
    plan = Plan(
        ci=ci,
        method=method,
        resamples=resamples,
        seed=seed,
        stratified=stratified,
        workers=workers,
    )
    if isinstance(chosen, MeanOver) or group is not None:
        from metameasure.inference.grouped import interval_over_groups  # noqa: PLC0415

        return interval_over_groups(
            chosen,
            y_true,
            y_score,
            plan,
            group=group,
            cluster=cluster,
            pos_label=pos_label,
            sample_weight=sample_weight,
            nan_policy=nan_policy,
            rescale=rescale,
        )
    sample: AnySample
    if _is_of_classes(chosen, y_true, y_score):
        if pos_label is not None or rescale is not None:
            raise DataError("pos_label= and rescale= are for two classes and one score")
        chosen = chosen.of_classes()
        scores = _class_scores(
            y_true,
            y_score,
            nan_policy,
            labels=labels,
            sample_weight=sample_weight,
            cluster=cluster,
        )
        sample = ClassSample.of({"y_score": scores})
    elif labels is not None:
        raise DataError("labels= names the columns of a matrix of scores, and this is none")
    elif isinstance(y_true, ScoreTable):
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


def _is_of_classes(measure: Measure, y_true: Any, y_score: Any) -> bool:
    """Whether the measure is to be that of several classes."""
    if isinstance(y_true, ClassScores) or measure.declaration.subject == "classes":
        return True
    return measure.takes_classes and y_score is not None and has_class_columns(y_score)


def _class_scores(y_true: Any, y_score: Any, nan_policy: NanPolicy, **options: Any) -> ClassScores:
    """Scores of several classes, to be checked or ready."""
    if not isinstance(y_true, ClassScores):
        if y_score is None:
            raise DataError("scores are missing: interval(measure, y_true, y_score)")
        return ClassScores.of(y_true, y_score, nan_policy=nan_policy, **options)
    if any(extra is not None for extra in (y_score, *options.values())):
        raise DataError("ClassScores have their labels, weights and clusters: give them alone")
    if y_true.shape:
        raise DataError("an interval is of one set of cases, not of a block")
    return y_true


def intervals(
    sample: AnySample,
    asked: Mapping[str, Sequence[Measure]],
    plan: Plan,
    progress: Progress | None = None,
) -> Intervals:
    """The intervals of each model's measures; those from resamples share them."""
    found: Intervals = {}
    resampled: dict[str, list[Measure]] = {}
    smoothed: dict[str, list[Measure]] = {}
    for model, chosen in asked.items():
        table: Any = sample.tables[model]
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


def method_for(measure: Measure, sample: AnySample) -> str:
    """The method that fits a measure; docs/coverage.md shows how well each covers."""
    kind = measure.declaration.sampling
    if not sample.independent:
        return "corrected" if isinstance(kind, Extreme) else USUAL
    if isinstance(kind, (PairMean, ClassPairMean)):
        return "delong"
    if isinstance(kind, CaseMean):
        return "normal"
    if isinstance(kind, Share) and measure.point and measure.point.kind == "threshold":
        return "wilson"
    return "smoothed" if isinstance(kind, Extreme) else USUAL


def _check_fits(measure: Measure, sample: AnySample, method: str) -> None:
    """Whether a method that was asked for can be had for the measure and the sample."""
    if method not in RESAMPLED and not sample.independent:
        what = "clustered" if sample.cluster is not None else "weighted"
        raise DataError(
            f"method={method!r} is for independent cases of equal weight, and these are {what}: "
            f"resample them, method={USUAL!r}"
        )
    kind, point = measure.declaration.sampling, measure.point
    fits = {
        "corrected": isinstance(kind, Extreme),
        "delong": isinstance(kind, (PairMean, ClassPairMean)),
        "wald": isinstance(kind, (PairMean, ClassPairMean)),
        "theorem_6": measure.name == "scored_auc",
        "wilson": isinstance(kind, Share) and point is not None and point.kind == "threshold",
        "normal": isinstance(kind, CaseMean),
        "smoothed": isinstance(kind, Extreme),
    }
    if not fits.get(method, True):
        raise DataError(
            f"method={method!r} is not for {measure}: leave it out, or resample, method={USUAL!r}"
        )


def _delong(empty: Interval, table: Any) -> Interval:
    """Structural components; where they do not vary, the bound from disjoint pairs."""
    if isinstance(empty.measure.declaration.sampling, ClassPairMean):
        variance, fewest = components.variance_over_classes(empty.measure, table)
    else:
        spread = components.spread(empty.measure, table)
        variance = spread.theorem_6 if empty.method == "theorem_6" else spread.delong
        fewest = min(spread.n_pos, spread.n_neg)
    if math.isnan(variance):
        return replace(empty, reason="a class has only one case, which tells nothing of its spread")
    ends = empty.measure.declaration.range
    if variance == 0:
        return _bound(empty, fewest, empty.value)
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
        return _bound(empty, n, mean, kind.of_mean)
    reach = float(stdtrit(n - 1, (1 + empty.ci) / 2)) * math.sqrt(square / (n - 1) / n)
    low, high = empty.measure.declaration.range
    limits = max(mean - reach, low), min(mean + reach, high)
    return _limited(empty, limits, kind.of_mean)


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


def _bound(
    empty: Interval,
    independent: float,
    mean: float,
    of_mean: Callable[[Any], Any] | None = None,
) -> Interval:
    """Limits of a mean that no two independent values of it tell apart."""
    limits = components.bound(mean, empty.measure.declaration.range, independent, empty.ci)
    return _limited(replace(empty, method="bound"), limits, of_mean)


def _limited(
    empty: Interval, limits: tuple[float, float], of_mean: Callable[[Any], Any] | None = None
) -> Interval:
    """The interval with its limits, without what rounding has put beyond the range."""
    low, high = limits if of_mean is None else (of_mean(limit) for limit in limits)
    least, most = map(float, empty.measure.declaration.range)
    return replace(
        empty, low=min(max(float(low), least), most), high=min(max(float(high), least), most)
    )


def _from_resamples(
    found: Intervals,
    sample: AnySample,
    asked: Mapping[str, Sequence[Measure]],
    plan: Plan,
    progress: Progress | None,
) -> Intervals:
    """Intervals by the bootstrap of cases or clusters.

    Of many cases, only the four cells of the confusion matrix are drawn for what is read off it at
    a threshold.
    """
    at_cuts: dict[tuple[str, Point], list[Measure]] = {}
    rest = {model: list(chosen) for model, chosen in asked.items()}
    if isinstance(sample, Sample) and sample.independent and sample.size >= CELLS_FROM:
        for model, chosen in asked.items():
            for measure in chosen:
                if measure.point is not None and measure.point.kind == "threshold":
                    at_cuts.setdefault((model, measure.point), []).append(measure)
                    rest[model].remove(measure)
    made = _resampled(found, sample, rest, plan, progress) if any(rest.values()) else {}
    for (model, point), chosen in at_cuts.items():
        cells = Sample.of_table(sample.tables[model].cut_in_two(point), model)  # type: ignore[union-attr]
        made |= _resampled(found, cells, {model: chosen}, plan, None)
    return made


def _resampled(
    found: Intervals,
    sample: AnySample,
    asked: Mapping[str, Sequence[Measure]],
    plan: Plan,
    progress: Progress | None,
) -> Intervals:
    """Intervals from one set of resamples."""
    drawn = replicate(sample, asked, **plan.drawing, progress=progress)
    wanted = {key: found[key] for key in drawn}
    accelerated = {
        model: [m for m in chosen if found[model, m].method == "bca"]
        for model, chosen in asked.items()
    }
    left_out = jackknife(sample, accelerated, seed=plan.seed) if any(accelerated.values()) else {}
    made = {}
    for key, empty in wanted.items():
        values, counted = _defined(drawn[key], empty)
        if too_few := sample.too_few:
            counted = replace(counted, reason=too_few)
        elif empty.method == "basic" and math.isinf(empty.value):
            counted = replace(counted, reason="an infinite value cannot be reflected at")
        if counted.reason is None:
            ends = empty.measure.declaration.range
            if empty.method == "percentile":
                limits = bootstrap.percentile_limits(values, plan.ci)
            elif empty.method == "basic":
                limits = bootstrap.basic_limits(empty.value, values, ends, plan.ci)
            elif empty.method == "corrected":
                limits = _corrected(empty, empty.value, values, sample.units_of_classes)
            else:
                limits = bootstrap.bca_limits(empty.value, values, left_out[key], plan.ci)
            counted = _limited(counted, limits)
        made[key] = counted
    return made


def _from_smoothed(
    found: Intervals,
    sample: AnySample,
    model: str,
    chosen: Sequence[Measure],
    plan: Plan,
    progress: Progress | None,
) -> Intervals:
    """Intervals by the bootstrap of smoothed classes, for maxima."""
    reason, seen = sample.too_few, sample.tables[model]
    assert isinstance(seen, ScoreTable)  # noqa: S101 - _check_fits has seen to it
    if not seen.P * seen.N:
        reason = "a class is empty, so that it cannot be smoothed"
    if reason:
        return {(model, m): replace(found[model, m], reason=reason) for m in chosen}
    population = Smoothed.of(seen)
    table, sizes = population.table, (population.n_pos, population.n_neg)
    drawn = replicate(population, {model: chosen}, **plan.drawing, progress=progress)
    made = {}
    for measure in chosen:
        values, counted = _defined(drawn[model, measure], found[model, measure])
        if counted.reason is None:
            kind, by_chance = measure.declaration.sampling, None
            if isinstance(kind, Extreme) and kind.by_chance is not None:
                parameters = dict(measure.parameters)
                by_chance = kind.by_chance(seen, 1 - plan.ci, **parameters)
            own = float(measure.compute(table))
            limits = _corrected(counted, own, values, sizes, by_chance)
            counted = _limited(counted, limits)
        made[model, measure] = counted
    return made


def _corrected(
    empty: Interval,
    own: float,
    values: Floats,
    sizes: tuple[int, ...],
    by_chance: float | None = None,
) -> tuple[float, float]:
    """The limits of a maximum, whose bias is that of the resamples from their own value."""
    kind = empty.measure.declaration.sampling
    assert isinstance(kind, Extreme)  # noqa: S101 - _check_fits has seen to it
    return smoothed_limits(
        empty.value,
        own,
        values,
        of=kind.of,
        ends=empty.measure.declaration.range,
        sizes=sizes,
        ci=empty.ci,
        by_chance=by_chance,
    )


def _defined(drawn: Floats, empty: Interval) -> tuple[Floats, Interval]:
    """The resamples that have a value, and the interval that knows how many."""
    values = drawn[~np.isnan(drawn)]
    left = drawn.size - values.size
    reason = None if values.size else "no resample has a value"
    return values, replace(empty, resamples=values.size, left_out=left, reason=reason)
