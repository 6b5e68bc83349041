"""Two models on the same cases: the difference of a measure, its interval and its p-value."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from metameasure._arguments import POSITIVE, read_argument
from metameasure.errors import DataError
from metameasure.inference import bootstrap_limits, delong, proportions
from metameasure.inference.plan import Drawing
from metameasure.inference.resampling import replicate
from metameasure.inference.sample import Sample
from metameasure.measurement import CaseMean, PairMean, Share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from metameasure.inference.multiclass_sample import ClassSample
    from metameasure.inference.resampling import Progress
    from metameasure.measurement import Measure

    Floats = NDArray[np.float64]
    AnySample = Sample | ClassSample

PairMethod = Literal[
    "auto", "delong", "mcnemar", "mcnemar_exact", "mcnemar_chi2", "normal", "bootstrap"
]
FORMS: dict[str, proportions.McNemar] = {
    "mcnemar": "mid-p",
    "mcnemar_exact": "exact",
    "mcnemar_chi2": "corrected",
}
RIGHT_OR_WRONG = ("accuracy", "error_rate")
"""The shares that count right answers, on which two models can be crossed."""


@dataclass(frozen=True)
class Difference:
    """What one model has more than another of a measure.

    Attributes:
        a, b: the models.
        measure: the measure.
        difference: its value for a less that for b.
        ahead: by how much a is better than b; negative if it is worse.
        low, high: the limits of the difference; NaN where there are none.
        pvalue: that of the hypothesis that there is no difference or, with a margin, that a is
            worse than b by the margin or more.
        method: how it was found.
        left_out: the share of the resamples without a value.
        reason: why there are no limits and no p-value.
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


@dataclass(frozen=True, kw_only=True)
class PairPlan(Drawing):
    """How differences are judged."""

    method: PairMethod = "auto"
    margin: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.method not in get_args(PairMethod):
            known = ", ".join(get_args(PairMethod))
            raise DataError(f"there is no method {self.method!r} for a pair: give one of {known}")
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
    method = plan.method if plan.method != "auto" else _method_for(measure, sample, plan)
    _check_fits(measure, sample, method, plan)
    models = dict.fromkeys(model for pair in pairs for model in pair)
    values = {model: measure.quiet_value(sample.tables[model]) for model in models}
    empty = [unjudged((a, b), measure, (values[a], values[b]), method) for a, b in pairs]
    if method == "bootstrap":
        return _from_resamples(empty, sample, measure, list(models), plan, progress)
    assert isinstance(sample, Sample)  # noqa: S101 - _check_fits has seen to it
    judge = {"delong": _delong, "normal": _normal}.get(method, _mcnemar)
    return [one if one.reason else judge(one, sample, plan) for one in empty]


def check_margin(measure: Measure, plan: PairPlan) -> None:
    """Refuse a margin for a measure of which neither end is the better one."""
    if plan.margin is not None and not isinstance(measure.best, str):
        raise DataError(f"{measure} has no better and worse end: a margin means nothing for it")


def unjudged(
    pair: tuple[str, str], measure: Measure, values: tuple[float, float], method: str
) -> Difference:
    """The bare difference of two values; if there is none, with the reason."""
    a, b = values
    reason, none = None, math.nan
    gap = none if math.isinf(a) and a == b else a - b
    if not math.isfinite(gap):
        undefined = math.isnan(a) or math.isnan(b)
        why = measure.undefined_when if undefined else "a value is infinite"
        reason = f"there is no difference: {why}"
    ahead = float(measure.goodness(a)) - float(measure.goodness(b))
    return Difference(*pair, measure, gap, ahead, none, none, none, method, reason=reason)


def _method_for(measure: Measure, sample: AnySample, plan: PairPlan) -> PairMethod:
    kind = measure.declaration.sampling
    if not sample.independent:
        return "bootstrap"
    if isinstance(kind, PairMean):
        return "delong"
    if _counts_right(measure) and plan.margin is None:
        return "mcnemar"
    return "normal" if _is_mean(measure) else "bootstrap"


def _counts_right(measure: Measure) -> bool:
    point = measure.point
    named = measure.name in RIGHT_OR_WRONG and isinstance(measure.declaration.sampling, Share)
    return named and point is not None and point.kind == "threshold"


def _is_mean(measure: Measure) -> bool:
    kind = measure.declaration.sampling
    mean = isinstance(kind, CaseMean) and kind.of_mean is None
    return mean or _counts_right(measure)


def _check_fits(measure: Measure, sample: AnySample, method: str, plan: PairPlan) -> None:
    if method == "bootstrap":
        return
    if not sample.independent:
        what = "clustered" if sample.cluster is not None else "weighted"
        raise DataError(
            f"method={method!r} is for independent cases of equal weight, and these are {what}: "
            "resample them, method='bootstrap'"
        )
    kind = measure.declaration.sampling
    fits = {"delong": isinstance(kind, PairMean), "normal": _is_mean(measure)}
    if not fits.get(method, _counts_right(measure)):
        raise DataError(
            f"method={method!r} is not for {measure}: leave it out, or resample, method='bootstrap'"
        )
    if method in FORMS and plan.margin is not None:
        raise DataError("McNemar's test knows no margin: method='normal'")


def _delong(empty: Difference, sample: Sample, plan: PairPlan) -> Difference:
    """DeLong's test: the differences of the structural components, case by case."""
    spread = delong.spread_of_difference(empty.measure, sample, empty.a, empty.b)
    if math.isnan(spread.delong):
        return replace(empty, reason="a class has only one case, which tells nothing of its spread")
    independent = min(spread.n_pos, spread.n_neg)
    error, same = math.sqrt(spread.delong), _same(empty, sample)
    return judged(empty, error, independent, math.inf, plan, same=same)


def _normal(empty: Difference, sample: Sample, plan: PairPlan) -> Difference:
    """The mean of the differences case by case, and its standard error: the paired t test."""
    first, second = (_contributions(empty.measure, sample, model) for model in (empty.a, empty.b))
    if first.size < 2:
        return replace(empty, reason="there is only one case, which tells nothing of the spread")
    return judged_by_units(empty, first, second, plan, same=_same(empty, sample))


def judged_by_units(
    empty: Difference, first: Floats, second: Floats, plan: PairPlan, *, same: bool
) -> Difference:
    """The paired t test of what each independent unit adds to the two means."""
    scale = max(np.max(np.abs(first)), np.max(np.abs(second)))
    error = math.sqrt(delong.variance(first - second, scale) / first.size)
    return judged(empty, error, first.size, first.size - 1, plan, same=same)


def _contributions(measure: Measure, sample: Sample, model: str) -> Floats:
    """What each case adds to a mean over the cases."""
    if _counts_right(measure):
        right = _right(measure, sample, model)
        return (right if measure.name == "accuracy" else ~right).astype(np.float64)
    kind = measure.declaration.sampling
    assert isinstance(kind, CaseMean)  # noqa: S101 - _check_fits has seen to it
    with np.errstate(divide="ignore", invalid="ignore"):
        losses = kind.losses(sample.tables[model], **dict(measure.parameters))
    return sample.places(model).of_cases(*losses)


def _right(measure: Measure, sample: Sample, model: str) -> NDArray[np.bool_]:
    """Which cases a model puts on the right side of the threshold."""
    assert measure.point is not None  # noqa: S101 - _check_fits has seen to it
    above = sample.scores[model] >= float(measure.point.value)
    return np.asarray(above == sample.positive)


def judged(
    empty: Difference,
    error: float,
    independent: float,
    degrees: float,
    plan: PairPlan,
    *,
    same: bool,
) -> Difference:
    """Limits and p-value from a standard error and Student's distribution.

    Where nothing varies, ``same`` says whether the models are one and the same to the measure.
    """
    from scipy.special import stdtr, stdtrit  # noqa: PLC0415

    least, most = empty.measure.ends
    widest = most - least
    if error == 0:
        return _without_spread(empty, independent, widest, plan, same=same)
    reach = float(stdtrit(degrees, (1 + plan.ci) / 2)) * error
    if plan.margin is None:
        pvalue = 2 * float(stdtr(degrees, -abs(empty.difference) / error))
    else:
        pvalue = float(stdtr(degrees, -(empty.ahead + plan.margin) / error))
    return replace(
        empty,
        low=max(empty.difference - reach, -widest),
        high=min(empty.difference + reach, widest),
        pvalue=pvalue,
    )


def _without_spread(
    empty: Difference, independent: float, widest: float, plan: PairPlan, *, same: bool
) -> Difference:
    """Two models whose difference is the same everywhere.

    Models that are the same to the measure differ nowhere. Else a population in which the
    hypothesis holds could show this difference so many times in a row with at most the chance
    given here.
    """
    if same:
        return replace(empty, low=0.0, high=0.0, pvalue=1.0 if plan.margin is None else 0.0)
    if math.isinf(widest):
        reason = "the difference is the same for all cases, and has no bounds to judge it by"
        return replace(empty, reason=reason)
    if plan.margin is None:
        share = widest / (widest + abs(empty.difference))
        pvalue = min(1.0, 2 * share**independent) if empty.difference else 1.0
    else:
        share = (widest - min(plan.margin, widest)) / (widest + empty.ahead)
        pvalue = min(1.0, share**independent)
    low, high = delong.bound(empty.difference, (-widest, widest), independent, plan.ci)
    return replace(empty, low=low, high=high, pvalue=pvalue, method="bound")


def _same(pair: Difference, sample: Sample) -> bool:
    """Whether two models have the same scores, or the same order if that is all that counts."""
    if np.array_equal(sample.scores[pair.a], sample.scores[pair.b]):
        return True
    rows = sample.places(pair.a).row, sample.places(pair.b).row
    return "monotone" in pair.measure.declaration.invariant_to and np.array_equal(*rows)


def _mcnemar(empty: Difference, sample: Sample, plan: PairPlan) -> Difference:
    """McNemar's test, and Newcombe's limits of the difference."""
    a, b = (_right(empty.measure, sample, model) for model in (empty.a, empty.b))
    only_a, only_b = int(np.count_nonzero(a & ~b)), int(np.count_nonzero(~a & b))
    both, neither = int(np.count_nonzero(a & b)), int(np.count_nonzero(~(a | b)))
    low, high = proportions.paired_limits(only_a, only_b, both, neither, plan.ci)
    if empty.measure.best == "min":
        low, high = -high, -low
    pvalue = proportions.mcnemar(only_a, only_b, FORMS[empty.method])
    return replace(empty, low=low, high=high, pvalue=pvalue)


def _from_resamples(
    empty: Sequence[Difference],
    sample: AnySample,
    measure: Measure,
    models: Sequence[str],
    plan: PairPlan,
    progress: Progress | None,
) -> list[Difference]:
    """The bootstrap of the cases with all their scores."""
    asked = {model: [measure] for model in models}
    drawn = replicate(sample, asked, **plan.drawing, progress=progress)
    return [
        one
        if one.reason
        else _resampled(one, drawn[one.a, measure], drawn[one.b, measure], sample.too_few, plan)
        for one in empty
    ]


def _resampled(
    empty: Difference, first: Floats, second: Floats, too_few: str | None, plan: PairPlan
) -> Difference:
    gaps = first - second
    known = ~np.isnan(gaps)
    defined = gaps[known]
    if not defined.size:
        return replace(empty, left_out=1.0, reason="no resample has a difference")
    if too_few:
        return replace(empty, reason=too_few)
    low, high = bootstrap_limits.percentile_limits(defined, plan.ci)
    if plan.margin is None:
        pvalue = 2 * min(_share(defined <= 0), _share(defined >= 0))
    else:
        ahead = empty.measure.goodness(first) - empty.measure.goodness(second)
        pvalue = _share(ahead[known] <= -plan.margin)
    left = 1 - defined.size / gaps.size
    return replace(empty, low=low, high=high, pvalue=min(pvalue, 1.0), left_out=left)


def _share(these: NDArray[np.bool_]) -> float:
    """The share of the resamples, with the sample itself as one of these: never 0."""
    return (1 + int(np.count_nonzero(these))) / (1 + these.size)
