"""The interval of a measure: which method, and the limits that it gives."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Unpack

from metameasure._arguments import Choice, read_argument
from metameasure._text import limits, number
from metameasure.data import (
    GroupOptions,
    after_data,
    has_class_columns,
    read_models,
    takes_models,
    warn_dropped,
)
from metameasure.errors import UndefinedMeasureWarning
from metameasure.inference.interval_checks import checks_of
from metameasure.inference.methods.method import (
    bound,
    choose_method,
    interval_methods,
    is_point,
)
from metameasure.inference.resampling import RESAMPLES, SEED, Drawing, portion
from metameasure.inference.sample import sample_without_tables, samples_of
from metameasure.measurement import MeanOver, Measure, NoInterval, arrow, is_measure, parse
from metameasure.progress import reporting
from metameasure.results import Cell, Grid, SingleRow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from metameasure.inference.sample import AnySample
    from metameasure.progress import Progress
    from metameasure.results import Check

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

    @classmethod
    def empty(
        cls, measure: Measure, value: float, plan: Plan, method: str, *, infinite: bool = False
    ) -> Interval:
        """A value without limits yet, or with the reason why there are none.

        ``infinite`` tells whether the method has limits for an infinite value.
        """
        kind, reason = measure.declaration.sampling, None
        if math.isnan(value):
            reason = f"the value is undefined: {measure.undefined_when}"
        elif math.isinf(value) and not infinite:
            reason = "an infinite value has no limits"
        elif plan.method == "auto" and isinstance(kind, NoInterval):
            reason = kind.reason
        return cls(measure, value, math.nan, math.nan, plan.ci, method, reason=reason)

    def between(self, limits: tuple[float, float]) -> Interval:
        """The same with limits, cut off at the ends of the range of the measure."""
        least, most = self.measure.value_range
        low, high = (min(max(float(limit), least), most) for limit in limits)
        return replace(self, low=low, high=high)

    def without_spread(self, independent: float) -> Interval:
        """The bound of a mean of independent values that are all equal."""
        limits = bound(self.value, self.measure.ends, independent, self.ci)
        return replace(self, method="bound").between(limits)

    def or_bound(self, independent: float) -> Interval:
        """The same or, if the limits are equal, the bound: zero width does not mean certainty."""
        return self.without_spread(independent) if is_point(self.low, self.high) else self

    def with_bound(self, independent: float, ci: float | None = None) -> Interval:
        """The same, extended to the bound of this number of equal values if it is finite.

        ``ci`` is the confidence of the bound, if it is not that of the limits.
        """
        low, high = bound(self.value, self.measure.ends, independent, ci or self.ci)
        if math.isinf(high - low):
            return self
        return self.between((min(self.low, low), max(self.high, high)))

    def with_checks(self, checks: tuple[Check, ...]) -> Interval:
        """The same with checks, which are no part of its value."""
        made = replace(self)
        object.__setattr__(made, "checks", checks)
        return made

    def grids(self) -> list[Grid]:
        """The value beside its limits."""
        cell = Cell(number(self.value), limits(self.low, self.high))
        body = [(f"{self.measure.stated} {arrow(self.measure.best)}", [cell])]
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


@takes_models(GroupOptions)
def interval(
    y_true: Any,
    scores: Any = None,
    measure: str | Measure | None = None,
    *,
    ci: float = 0.95,
    method: Method = "auto",
    resamples: int = RESAMPLES,
    seed: int | None = SEED,
    stratified: bool = False,
    workers: int | None = None,
    progress: bool | Progress | None = True,
    **data: Unpack[GroupOptions],
) -> Interval:
    """The value of a measure with its confidence interval, for one model.

    The measure comes after the data, directly after those that have their scores::

        mm.interval(y_true, scores, "auc")
        mm.interval(table, "auc")
        mm.interval("predictions.parquet", "auc", label="y", score="forest")

    Args:
        scores: the scores, or the name of their column in a data frame or file; of several classes
            a matrix, a data frame or a dict of columns.
        measure: the measure or its text.
        ci: the confidence.
        method: "auto" for the method that fits the measure, or "newcombe" (score limits of the
            AUC), "delong" (structural components, as in pROC), "delong_logit" (the same on the
            logit scale), "theorem_6" (the variance of Wu, Flach and Ferri), "wilson",
            "jeffreys" (draws of the confusion matrix), "empirical_likelihood" (of means over cases
            or pairs), "normal", "linearized" (influences of the cases), "delta" (the confusion
            matrix of several classes), "sandwich" (of regression coefficients), "smoothed",
            "jackknife" (orders of items), or a bootstrap: "percentile", "basic", "bca", and for
            maxima "corrected".
        resamples: the number of resamples of a bootstrap.
        seed: the seed of the random numbers.
        stratified: whether cases were sampled within the classes, so that their numbers are fixed.
        workers: the number of threads; the result does not depend on it.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.

    >>> found = interval([1, 1, 1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.8, 0.7, 0.5, 0.5, 0.2, 0.1], "auc")
    >>> found.value, found.low, found.high, found.method
    (0.90625, 0.4822..., 0.9886..., 'newcombe')
    """
    given, score = (y_true, scores, measure), data.get("score")
    scores, measure = after_data("interval", "measure", "auc", given, Measure, score, is_measure)
    chosen = parse(measure)
    plan = Plan(
        ci=ci,
        method=method,
        resamples=resamples,
        seed=seed,
        stratified=stratified,
        workers=workers,
    )
    of_classes = chosen.takes_classes or chosen.declaration.subject == "classes"
    if of_classes and scores is not None and score is None and has_class_columns(scores):
        # A matrix is of one model, so that a frame or dict of columns is one, too.
        scores = {"model": scores}
    binary = chosen.declaration.subject != "classes"
    models = read_models(y_true, scores, several_classes=True, binary=binary, number="one", **data)
    model = models.only("an interval")
    if isinstance(chosen, MeanOver) or data.get("group") is not None:
        from metameasure.inference.grouped_means import interval_over_groups  # noqa: PLC0415

        found = interval_over_groups(chosen, models, plan)
    else:
        sample: AnySample
        if models.subject == "table":
            (sample,) = samples_of(models, resampled=True)
        else:
            chosen, sample = chosen.of_subject(models.subject), sample_without_tables(models)
        with reporting(progress, f"interval: {resamples} resamples of {chosen}") as report:
            found = measure_intervals(sample, {model: [chosen]}, plan, report)[model, chosen]
        found = found.with_checks(checks_of(found, sample, model))
    warn_dropped(models.dropped, int(models.cases), stacklevel=3)
    if math.isnan(found.value):
        message = f"{chosen} is undefined: {chosen.undefined_when}"
        warnings.warn(message, UndefinedMeasureWarning, stacklevel=3)
    return found


def measure_intervals(
    sample: AnySample,
    asked: Mapping[str, Sequence[Measure]],
    plan: Plan,
    progress: Progress | None = None,
) -> Intervals:
    """The intervals of each model's measures; those from resamples share them."""
    if plan.stratified:
        sample.check_strata()
    found: Intervals = {}
    waiting: dict[Callable[..., Intervals], Intervals] = {}
    for model, chosen in asked.items():
        for measure in chosen:
            method = choose_method(plan.method, measure, sample, stratified=plan.stratified)
            value = measure.quiet_value(sample.tables[model])
            empty = Interval.empty(measure, value, plan, method.name, infinite=method.infinite)
            found[model, measure] = empty
            if empty.reason is None:
                waiting.setdefault(method.intervals, {})[model, measure] = empty
    for part, (intervals, empty_ones) in enumerate(waiting.items()):
        found |= intervals(empty_ones, sample, plan, portion(progress, part, len(waiting)))
    return found
