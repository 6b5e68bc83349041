"""The interval of a measure: which method, and the limits that it gives."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from metameasure._arguments import Choice, read_argument
from metameasure._text import limits, number
from metameasure.data import (
    ClassScores,
    NanPolicy,
    Rescale,
    has_class_columns,
    warn_dropped,
)
from metameasure.errors import Argument, DataError, ParameterError, UndefinedMeasureWarning
from metameasure.inference.methods import check_cases, interval_methods, method_for
from metameasure.inference.methods.method import Method as MethodObject
from metameasure.inference.methods.method import find_method, refuse_method
from metameasure.inference.plan import RESAMPLES, SEED, Drawing, after_data
from metameasure.inference.resampling import portion
from metameasure.inference.sample import ClassSample, read_sample
from metameasure.measurement import MeanOver, Measure, NoInterval, arrow, parse
from metameasure.results import Cell, Grid, SingleRow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from metameasure.inference.resampling import Progress
    from metameasure.inference.sample import AnySample

if TYPE_CHECKING:
    Method = str
else:
    Method = Literal[interval_methods()]


@dataclass(frozen=True)
class Interval(SingleRow):
    """A value with its confidence limits; a result with one row.

    Attributes:
        measure: the measure.
        value: its value.
        low, high: the limits; NaN where there are none, and then ``reason`` says why.
        ci: the confidence.
        method: the name of the method; "bound" where the cases do not vary.
        resamples: the number of resamples that have a value, or None if none were drawn.
        left_out: the number of resamples without a value, for example those that lack a class.
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
        """The same with limits, cut off at the ends of the range of the measure."""
        least, most = map(float, self.measure.declaration.range)
        low, high = (min(max(float(limit), least), most) for limit in limits)
        return replace(self, low=low, high=high)

    def grids(self) -> list[Grid]:
        """The value beside its limits."""
        cell = Cell(number(self.value), limits(self.low, self.high))
        body = [(f"{self.measure} {arrow(self.measure.best)}", [cell])]
        return [Grid(["measure", "value"], body, self._caption())]

    def _caption(self) -> str:
        if self.reason:
            return f"no interval: {self.reason}"
        drawn = "" if self.resamples is None else f", {self.resamples} resamples"
        return f"{100 * self.ci:g}% confidence interval, method {self.method}{drawn}"


Intervals = dict[tuple[str, Measure], Interval]


@dataclass(frozen=True, kw_only=True)
class Plan(Drawing):
    """How intervals are computed."""

    method: Method = "auto"

    def __post_init__(self) -> None:
        super().__post_init__()
        read_argument("method", self.method, Choice(interval_methods()))


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
    """The value of a measure with its confidence interval.

    Args:
        y_true: the labels, or a table of unweighted cases, or ready ClassScores.
        y_score: the scores; of several classes a matrix, a data frame or a dict of columns.
        measure: the measure or its text. After a table: ``interval(table, "auc")``.
        ci: the confidence.
        method: "auto" for the method that fits the measure, or "delong" (structural components on
            the logit scale), "wald" (the same without the logit, as in pROC), "theorem_6" (the
            variance of Wu, Flach and Ferri), "wilson", "normal", "smoothed", or a bootstrap:
            "percentile", "basic", "bca", and for maxima "corrected".
        resamples: the number of resamples of a bootstrap.
        seed: the seed of the random numbers.
        stratified: whether each class is resampled separately, with its size fixed.
        cluster: the cluster of each case; clusters are then resampled instead of cases.
        group: the group of each case, for a mean over groups, which are then the units.
        workers: the number of threads; the result does not depend on it.
        labels: for several classes, the class of each column of scores.
        pos_label: as for a measure.
        sample_weight: as for a measure; weights need a bootstrap of the rows.
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
    """The sample of two or several classes, its measure, and the number of dropped cases."""
    if _is_of_classes(measure, y_true, y_score):
        if pos_label is not None or rescale is not None:
            raise ParameterError(
                (
                    Argument("pos_label"),
                    " and ",
                    Argument("rescale"),
                    " need two classes and one score",
                )
            )
        scores = _class_scores(y_true, y_score, nan_policy, labels=labels, **options)
        return measure.of_classes(), ClassSample.of({"y_score": scores}), scores.dropped
    if labels is not None:
        raise ParameterError(
            (Argument("labels"), " names the columns of a matrix of scores, and this is not one")
        )
    options |= {"pos_label": pos_label, "nan_policy": nan_policy, "rescale": rescale}
    return measure, *read_sample(y_true, y_score, "y_score", **options)


def _is_of_classes(measure: Measure, y_true: Any, y_score: Any) -> bool:
    """Whether the data have several classes."""
    if isinstance(y_true, ClassScores) or measure.declaration.subject == "classes":
        return True
    return measure.takes_classes and y_score is not None and has_class_columns(y_score)


def _class_scores(y_true: Any, y_score: Any, nan_policy: NanPolicy, **options: Any) -> ClassScores:
    """Scores of several classes, from arrays or ready."""
    if not isinstance(y_true, ClassScores):
        if y_score is None:
            raise DataError("scores are missing", remedy="interval(y_true, y_score, measure)")
        return ClassScores.of(y_true, y_score, nan_policy=nan_policy, **options)
    if any(extra is not None for extra in (y_score, *options.values())):
        raise ParameterError(
            "ClassScores contain their labels, weights and clusters",
            remedy="pass only the ClassScores",
        )
    if y_true.shape:
        raise DataError("an interval needs one set of cases, got a block")
    return y_true


def measure_intervals(
    sample: AnySample,
    asked: Mapping[str, Sequence[Measure]],
    plan: Plan,
    progress: Progress | None = None,
) -> Intervals:
    """The intervals of each model's measures; those from resamples share them."""
    found: Intervals = {}
    waiting: dict[Callable[..., Intervals], Intervals] = {}
    for model, chosen in asked.items():
        for measure in chosen:
            method, value = (
                _method(measure, sample, plan),
                measure.quiet_value(sample.tables[model]),
            )
            empty = Interval(measure, value, math.nan, math.nan, plan.ci, method.name)
            empty = replace(empty, reason=_reason(empty, automatic=plan.method == "auto"))
            found[model, measure] = empty
            if empty.reason is None:
                waiting.setdefault(method.intervals, {})[model, measure] = empty
    found |= MethodObject.intervals(waiting.pop(MethodObject.intervals, {}), sample, plan, None)
    for part, (intervals, empty_ones) in enumerate(waiting.items()):
        found |= intervals(empty_ones, sample, plan, portion(progress, part, len(waiting)))
    return found


def _method(measure: Measure, sample: AnySample, plan: Plan) -> MethodObject:
    """The method of the plan, refused if it cannot be used for the measure and the sample."""
    if plan.method == "auto":
        return method_for(measure, sample)
    method = find_method(plan.method)
    check_cases(method, sample, "bca")
    if not method.applies_to(measure):
        raise refuse_method(method.name, f"does not apply to {measure}", "bca")
    return method


def _reason(empty: Interval, *, automatic: bool) -> str | None:
    """Why a value has no interval; None if it has one."""
    kind = empty.measure.declaration.sampling
    if math.isnan(empty.value):
        return f"the value is undefined: {empty.measure.undefined_when}"
    if math.isinf(empty.value):
        return "an infinite value has no limits"
    return kind.reason if automatic and isinstance(kind, NoInterval) else None
