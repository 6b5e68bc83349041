"""Two models on the same cases: the difference of a measure, its interval and its p-value."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from metameasure._arguments import POSITIVE, Choice, read_argument
from metameasure.errors import Argument, ParameterError
from metameasure.inference.free_rate import FreeRate
from metameasure.inference.methods.method import bound, choose_method, paired_methods
from metameasure.inference.resampling import Drawing
from metameasure.kernels import variance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats
    from metameasure.inference.sample import AnySample
    from metameasure.measurement import Measure
    from metameasure.progress import Progress
    from metameasure.table import ScoreTable


if TYPE_CHECKING:
    PairMethod = str
else:
    PairMethod = Literal[paired_methods()]


@dataclass(frozen=True)
class Difference:
    """The difference of two models in a measure.

    Attributes:
        a, b: the models.
        measure: the measure.
        difference: its value for a minus its value for b.
        ahead: by how much a is better than b; negative if it is worse.
        low, high: the limits of the difference; NaN where there are none.
        pvalue: that of the hypothesis that there is no difference or, with a margin, that a is
            worse than b by at least the margin.
        method: the name of the method; "bound" where the difference does not vary.
        left_out: the fraction of the resamples without a value.
        resamples: the number of resamples; 0 if none were drawn.
        reason: why there are no limits and no p-value.
        by_chance: the part of the difference that is due to chance alone, and which the limits and
            the p-value leave out.
        ends: the smallest and the largest possible difference.
    """

    a: str
    b: str
    measure: Measure
    difference: float
    ahead: float
    low: float
    high: float
    pvalue: float
    method: str
    left_out: float = 0.0
    reason: str | None = None
    resamples: int = 0
    by_chance: float = 0.0
    ends: tuple[float, float] = (-math.inf, math.inf)

    def between(self, limits: tuple[float, float]) -> Difference:
        """The same with limits, cut off at the smallest and the largest possible difference."""
        low, high = (min(max(float(limit), self.ends[0]), self.ends[1]) for limit in limits)
        return replace(self, low=low, high=high)

    def judged_by_units(
        self, first: Floats, second: Floats, plan: PairPlan, *, same: bool
    ) -> Difference:
        """The paired t test of what each independent unit adds to the two means."""
        scale = max(np.max(np.abs(first)), np.max(np.abs(second)))
        error = math.sqrt(variance(first - second, scale) / first.size)
        return self.judged(error, first.size, first.size - 1, plan, same=same)

    def judged(
        self, error: float, independent: float, degrees: float, plan: PairPlan, *, same: bool
    ) -> Difference:
        """Limits and p-value from a standard error and Student's distribution.

        Where nothing varies, ``same`` says whether the models are identical to the measure.
        """
        from scipy.special import stdtr, stdtrit  # noqa: PLC0415

        if error == 0:
            return self._without_spread(independent, plan, same=same)
        reach = float(stdtrit(degrees, (1 + plan.ci) / 2)) * error
        if plan.margin is None:
            pvalue = 2 * float(stdtr(degrees, -abs(self.difference) / error))
        else:
            pvalue = float(stdtr(degrees, -(self.ahead + plan.margin) / error))
        limits = self.difference - reach, self.difference + reach
        return replace(self.between(limits), pvalue=pvalue)

    def or_bound(self, independent: float, plan: PairPlan, *, same: bool) -> Difference:
        """The wider of these limits and the bound where nothing varies, and the larger p-value."""
        bounded = self._without_spread(independent, plan, same=same)
        if bounded.reason is not None:
            return bounded
        return replace(
            bounded,
            low=min(self.low, bounded.low),
            high=max(self.high, bounded.high),
            pvalue=max(self.pvalue, bounded.pvalue),
        )

    def _without_spread(self, independent: float, plan: PairPlan, *, same: bool) -> Difference:
        """Two models whose difference is the same for all units.

        Models that are identical to the measure differ nowhere. Else the p-value is an upper bound
        of the probability of n equal differences in a population where the hypothesis holds.
        """
        if same:
            return replace(self, low=0.0, high=0.0, pvalue=1.0 if plan.margin is None else 0.0)
        widest = max(-self.ends[0], self.ends[1])
        if math.isinf(widest):
            reason = "the difference is the same for all cases, and the measure is unbounded"
            return replace(self, reason=reason)
        if plan.margin is None:
            share = widest / (widest + abs(self.difference))
            pvalue = min(1.0, 2 * share**independent) if self.difference else 1.0
        else:
            share = (widest - min(plan.margin, widest)) / (widest + self.ahead)
            pvalue = min(1.0, share**independent)
        limits = bound(self.difference, self.ends, independent, plan.ci)
        return replace(self.between(limits), pvalue=pvalue, method="bound")


@dataclass(frozen=True, kw_only=True)
class PairPlan(Drawing):
    """How differences are tested."""

    method: PairMethod = "auto"
    margin: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        read_argument("method", self.method, Choice(paired_methods()))
        if self.margin is not None:
            margin = read_argument("margin", self.margin, POSITIVE)
            object.__setattr__(self, "margin", margin)


def differences(
    sample: AnySample,
    measure: Measure,
    pairs: Sequence[tuple[str, str]],
    plan: PairPlan,
    progress: Progress | None = None,
) -> list[Difference]:
    """The difference of each pair of models, by the method that fits the measure."""
    check_margin(measure, plan)
    if plan.stratified:
        sample.check_strata()
    margin = plan.margin is not None
    method = choose_method(plan.method, measure, sample, paired=True, margin=margin)
    models = dict.fromkeys(model for pair in pairs for model in pair)
    values = {model: measure.quiet_value(sample.tables[model]) for model in models}
    ends = _ends(measure, sample)
    empty = [unjudged((a, b), measure, (values[a], values[b]), method.name, ends) for a, b in pairs]
    return method.differences(empty, sample, plan, progress)


def _ends(measure: Measure, sample: AnySample) -> tuple[float, float]:
    """The smallest and the largest value on these cases.

    A cut by rank or rate may bound a measure that has no largest value: a lift is at most 10 if a
    tenth of the cases is above the cut.
    """
    least, most = measure.ends
    point = measure.point
    if math.isfinite(most - least) or point is None or measure.at_threshold:
        return least, most
    table: ScoreTable = next(iter(sample.tables.values()))  # type: ignore[assignment]
    values = measure.at_cut(FreeRate.of(table, point).cut(np.array([0.0, 1.0]), table.prevalence))
    return (least, most) if np.isnan(values).any() else (float(min(values)), float(max(values)))


def check_margin(measure: Measure, plan: PairPlan) -> None:
    """Refuse a margin for a measure whose best value lies inside its range."""
    if plan.margin is not None and not isinstance(measure.best, str):
        raise ParameterError(
            (
                f"{measure} has no better and worse end, so that ",
                Argument("margin"),
                " is undefined",
            )
        )


def unjudged(
    pair: tuple[str, str],
    measure: Measure,
    values: tuple[float, float],
    method: str,
    ends: tuple[float, float] | None = None,
    factor: float = 1.0,
) -> Difference:
    """The difference of two values without limits; with the reason if it is undefined.

    ``ends`` are the smallest and the largest value, if not those of the measure, and ``factor`` is
    what the second value was multiplied by.
    """
    a, b = values
    least, most = ends or measure.ends
    reason, none = None, math.nan
    gap = none if math.isinf(a) and a == b else a - b
    if not math.isfinite(gap):
        undefined = math.isnan(a) or math.isnan(b)
        why = measure.undefined_when if undefined else "a value is infinite"
        reason = f"the difference is {'undefined' if math.isnan(gap) else 'infinite'}: {why}"
    ahead = float(measure.goodness(a)) - float(measure.goodness(b))
    found = Difference(*pair, measure, gap, ahead, none, none, none, method, reason=reason)
    # A value may exceed an end that was computed in another way, by rounding.
    smallest, largest = least - factor * most, most - factor * least
    return replace(found, ends=(min(smallest, gap), max(largest, gap)))


def holm(pvalues: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values (1979) of several hypotheses; NaN stays NaN and does not count.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    known = sorted((p, place) for place, p in enumerate(pvalues) if not math.isnan(p))
    adjusted = list(pvalues)
    highest = 0.0
    for rank, (pvalue, place) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * pvalue))
        adjusted[place] = highest
    return adjusted
