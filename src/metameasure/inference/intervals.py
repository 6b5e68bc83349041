"""The interval of a measure: which method, and the limits that it gives."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from metameasure.data import (
    ClassScores,
    NanPolicy,
    Predictions,
    Rescale,
    check_alone,
    has_class_columns,
    warn_dropped,
)
from metameasure.errors import DataError, UndefinedMeasureWarning
from metameasure.inference import delong, proportions
from metameasure.inference.bootstrap_intervals import from_resamples, from_smoothed
from metameasure.inference.multiclass_sample import ClassSample
from metameasure.inference.plan import RESAMPLES, SEED, Drawing, after_data
from metameasure.inference.resampling import portion
from metameasure.inference.sample import Sample
from metameasure.kernels import dot
from metameasure.measurement import (
    CaseMean,
    ClassPairMean,
    Extreme,
    MeanOver,
    Measure,
    NoInterval,
    PairMean,
    Share,
    parse,
)
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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

    def between(self, limits: tuple[float, float]) -> Interval:
        """The same with limits, without what rounding has put beyond the range of the measure."""
        least, most = map(float, self.measure.declaration.range)
        low, high = (min(max(float(limit), least), most) for limit in limits)
        return replace(self, low=low, high=high)


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
    y_true: Any,
    y_score: Any = None,
    measure: str | Measure | None = None,
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
        y_true: the labels, or a table of unweighted cases, or ready ClassScores.
        y_score: the scores; of several classes a matrix, a data frame or a dict of columns.
        measure: the measure or its text. After a table: ``interval(table, "auc")``.
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

    >>> found = interval([1, 1, 1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.8, 0.7, 0.5, 0.5, 0.2, 0.1], "auc")
    >>> found.value, found.low, found.high, found.method
    (0.90625, 0.4262..., 0.9921..., 'delong')
    """
    y_score, measure = after_data("interval", "measure", "auc", (y_true, y_score, measure), Measure)
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
        from metameasure.inference.grouped_means import interval_over_groups  # noqa: PLC0415

        found = interval_over_groups(
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
    else:
        chosen, sample, dropped = _read_sample(
            chosen,
            y_true,
            y_score,
            labels=labels,
            cluster=cluster,
            pos_label=pos_label,
            sample_weight=sample_weight,
            nan_policy=nan_policy,
            rescale=rescale,
        )
        warn_dropped(dropped, sample.size, stacklevel=2)
        found = measure_intervals(sample, {"y_score": [chosen]}, plan)["y_score", chosen]
    if math.isnan(found.value):
        message = f"{chosen} is undefined: {chosen.undefined_when}"
        warnings.warn(message, UndefinedMeasureWarning, stacklevel=2)
    return found


def _read_sample(
    measure: Measure,
    y_true: Any,
    y_score: Any,
    *,
    labels: Sequence[Any] | None,
    pos_label: Any,
    nan_policy: NanPolicy,
    rescale: Rescale | None,
    **options: Any,
) -> tuple[Measure, AnySample, int]:
    """The sample of two or several classes, its measure, and how many cases were left out."""
    if _is_of_classes(measure, y_true, y_score):
        if pos_label is not None or rescale is not None:
            raise DataError("pos_label= and rescale= are for two classes and one score")
        scores = _class_scores(y_true, y_score, nan_policy, labels=labels, **options)
        return measure.of_classes(), ClassSample.of({"y_score": scores}), scores.dropped
    if labels is not None:
        raise DataError("labels= names the columns of a matrix of scores, and this is none")
    if isinstance(y_true, ScoreTable):
        check_alone(y_score, pos_label, rescale, *options.values())
        return measure, Sample.of_table(y_true, "y_score"), 0
    if y_score is None:
        raise DataError("scores are missing", remedy="interval(y_true, y_score, measure)")
    rows = Predictions.of(
        y_true,
        {"y_score": y_score},
        pos_label=pos_label,
        nan_policy=nan_policy,
        rescale=rescale,
        **options,
    )
    return measure, Sample.of(rows), rows.dropped


def _is_of_classes(measure: Measure, y_true: Any, y_score: Any) -> bool:
    """Whether the measure is to be that of several classes."""
    if isinstance(y_true, ClassScores) or measure.declaration.subject == "classes":
        return True
    return measure.takes_classes and y_score is not None and has_class_columns(y_score)


def _class_scores(y_true: Any, y_score: Any, nan_policy: NanPolicy, **options: Any) -> ClassScores:
    """Scores of several classes, to be checked or ready."""
    if not isinstance(y_true, ClassScores):
        if y_score is None:
            raise DataError("scores are missing", remedy="interval(y_true, y_score, measure)")
        return ClassScores.of(y_true, y_score, nan_policy=nan_policy, **options)
    if any(extra is not None for extra in (y_score, *options.values())):
        raise DataError("ClassScores have their labels, weights and clusters: give them alone")
    if y_true.shape:
        raise DataError("an interval is of one set of cases, not of a block")
    return y_true


def measure_intervals(
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
            value, kind = measure.quiet_value(table), measure.declaration.sampling
            empty = Interval(measure, value, math.nan, math.nan, plan.ci, method)
            found[model, measure] = empty
            if not math.isfinite(value):
                undefined = f"the value is undefined: {measure.undefined_when}"
                reason = undefined if math.isnan(value) else "an infinite value has no limits"
                found[model, measure] = replace(empty, reason=reason)
            elif plan.method == "auto" and isinstance(kind, NoInterval):
                found[model, measure] = replace(empty, reason=kind.reason)
            elif method in RESAMPLED:
                resampled.setdefault(model, []).append(measure)
            elif method == "smoothed":
                smoothed.setdefault(model, []).append(measure)
            else:
                found[model, measure] = _ANALYTIC[method](empty, table)
    parts = len(smoothed) + bool(resampled)
    if resampled:
        found |= from_resamples(found, sample, resampled, plan, portion(progress, 0, parts))
    for part, (model, chosen) in enumerate(smoothed.items(), parts - len(smoothed)):
        found |= from_smoothed(found, sample, model, chosen, plan, portion(progress, part, parts))
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
        variance, fewest = delong.variance_over_classes(empty.measure, table)
    else:
        spread = delong.spread(empty.measure, table)
        variance = spread.theorem_6 if empty.method == "theorem_6" else spread.delong
        fewest = min(spread.n_pos, spread.n_neg)
    if math.isnan(variance):
        return replace(empty, reason="a class has only one case, which tells nothing of its spread")
    ends = empty.measure.declaration.range
    if variance == 0:
        return _bound(empty, fewest, empty.value)
    on_logits = empty.method == "delong" and ends[0] < empty.value < ends[1]
    limits = delong.logit_limits if on_logits else delong.wald_limits
    return empty.between(limits(empty.value, variance, ends, empty.ci))


def _normal(empty: Interval, table: ScoreTable) -> Interval:
    """The mean over the cases and its standard errors, with Student's quantile."""
    from scipy.special import stdtrit  # noqa: PLC0415

    kind = empty.measure.declaration.sampling
    assert isinstance(kind, CaseMean)  # noqa: S101 - _check_fits has seen to it
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
    if delong.is_rounding(losses_of_cases - mean, losses_of_cases):
        return _bound(empty, n, mean, kind)
    reach = float(stdtrit(n - 1, (1 + empty.ci) / 2)) * math.sqrt(square / (n - 1) / n)
    low, high = empty.measure.ends
    limits = max(mean - reach, low), min(mean + reach, high)
    return empty.between(_of_means(limits, kind))


def _wilson(empty: Interval, table: ScoreTable) -> Interval:
    kind, point = empty.measure.declaration.sampling, empty.measure.point
    assert isinstance(kind, Share)  # noqa: S101 - _check_fits has seen to it
    assert point is not None  # noqa: S101
    some, of = (float(count) for count in kind.counts(table.at(point)))
    return empty.between(proportions.wilson_limits(some, of, empty.ci))


_ANALYTIC = {
    "delong": _delong,
    "wald": _delong,
    "theorem_6": _delong,
    "normal": _normal,
    "wilson": _wilson,
}


def _bound(
    empty: Interval, independent: float, mean: float, kind: CaseMean | None = None
) -> Interval:
    """Limits of a mean that no two independent values of it tell apart."""
    limits = delong.bound(mean, empty.measure.ends, independent, empty.ci)
    return replace(empty, method="bound").between(_of_means(limits, kind))


def _of_means(limits: tuple[float, float], kind: CaseMean | None) -> tuple[float, float]:
    """The limits of a function of a mean."""
    if kind is None or kind.of_mean is None:
        return limits
    low, high = map(kind.of_mean, limits)
    return low, high
