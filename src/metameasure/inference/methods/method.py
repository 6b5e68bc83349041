"""Method: a way to find the limits of a value, or to test the difference of two models.

A method is an object: it declares its name, its reference and what it applies to, and it computes
an interval, a paired test, or both. To add one, write a module in this package that registers it.
``AUTO`` is the order in which ``method="auto"`` asks them; docs/coverage.md shows how well each one
covers.
"""

from __future__ import annotations

import math
from abc import ABC
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from metameasure.errors import Argument, ParameterError, Wording
from metameasure.inference.resampling import IN_A_TAIL
from metameasure.measurement import tie_tolerance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from metameasure.inference.intervals import Interval, Intervals, Plan
    from metameasure.inference.paired import Difference, PairPlan
    from metameasure.inference.sample import AnySample, Sample
    from metameasure.measurement import Measure
    from metameasure.progress import Progress
    from metameasure.table import ScoreTable

AUTO = (
    "newcombe", "wilson", "jeffreys", "empirical_likelihood", "delong_wilson", "delong", "mcnemar",
    "normal", "delta", "sandwich", "linearized", "smoothed", "corrected", "jackknife", "bca",
    "swapped", "bootstrap",
)  # fmt: skip
"""The methods that "auto" asks; it takes the first one that applies."""
ANY = (object,)
"""The kinds of statistic of a method that applies to every measure."""
FOR_MOMENTS = 100
"""Number of resamples from which the mean and variance of their values are precise enough."""


class Method(ABC):
    """Base class of the methods of inference.

    Attributes:
        name: the name that ``method=`` takes.
        aliases: other names that ``method=`` of an interval takes; results have the name.
        reference: the key of its source.
        kinds: the kinds of statistic (``sampling=`` of a measure) that it has intervals for; none
            if it has no intervals.
        paired_kinds: the kinds of statistic that it has a paired test for.
        any_cases: whether cases may have weights or come in clusters.
        margin: whether its paired test supports a non-inferiority margin.
        infinite: whether it has limits for an infinite value.
        of_groups: whether it applies to means over groups, whose units the groups are.
        fewest: number of cases (or clusters) per class from which ``auto`` uses its paired test.
        limits_from: what the limits are computed from, if resamples are drawn: quantiles of their
            values, or their mean and variance.
    """

    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    reference: ClassVar[str] = ""
    kinds: ClassVar[tuple[type, ...]] = ()
    paired_kinds: ClassVar[tuple[type, ...]] = ()
    any_cases: ClassVar[bool] = False
    margin: ClassVar[bool] = True
    infinite: ClassVar[bool] = False
    of_groups: ClassVar[bool] = False
    fewest: ClassVar[int] = 0
    limits_from: ClassVar[Literal["quantiles", "moments"] | None] = None

    def applies_to(self, measure: Measure) -> bool:
        """Whether it has an interval for the measure."""
        return isinstance(measure.sampling, self.kinds)

    def applies_to_pairs(self, measure: Measure) -> bool:
        """Whether it has a paired test for the measure."""
        return isinstance(measure.sampling, self.paired_kinds)

    def keeps_class_sizes(self, measure: Measure) -> bool:  # noqa: ARG002 - most methods do
        """Whether it has an interval for cases that were sampled within the classes."""
        return True

    def unfit(
        self, measure: Measure, sample: AnySample, *, paired: bool, margin: bool, stratified: bool
    ) -> tuple[str | Argument, ...] | None:
        """Why it cannot be used for a measure and a sample; None if it can."""
        if not (self.any_cases or sample.independent):
            what = "clustered" if sample.cluster is not None else "weighted"
            return (f"needs independent cases of equal weight, and these are {what}",)
        if not (self.applies_to_pairs if paired else self.applies_to)(measure):
            return (f"does not apply to {measure}",)
        if stratified and not paired and not self.keeps_class_sizes(measure):
            return (f"of {measure} does not support ", Argument("stratified"))
        return ("does not support ", Argument("margin")) if margin and not self.margin else None

    def has_enough(self, measure: Measure, sample: AnySample) -> bool:  # noqa: ARG002
        """Whether the sample is large enough for ``auto`` to use its paired test."""
        return min(sample.units_of_classes) >= self.fewest

    def resamples_needed(self, ci: float) -> float:
        """The number of resamples from which the limits are precise enough."""
        if self.limits_from == "quantiles":
            return 2 * IN_A_TAIL / (1 - ci)
        return FOR_MOMENTS if self.limits_from == "moments" else 0

    def interval(self, empty: Interval, table: Any) -> Interval:
        """The interval of a value, from the table of independent cases of equal weight."""
        raise NotImplementedError

    def paired(self, empty: Difference, sample: Sample, plan: PairPlan) -> Difference:
        """The difference of two models with its limits and its p-value."""
        raise NotImplementedError

    @staticmethod
    def intervals(
        empty: Intervals,
        sample: AnySample,
        plan: Plan,  # noqa: ARG004 - for methods that draw
        progress: Progress | None,  # noqa: ARG004
    ) -> Intervals:
        """All intervals of the methods that share this function, each by its own method.

        Methods that draw override it, so that they can share their resamples.
        """
        return {
            key: find_method(one.method).interval(one, sample.tables[key[0]])
            for key, one in empty.items()
        }

    def differences(
        self,
        empty: Sequence[Difference],
        sample: AnySample,
        plan: PairPlan,
        progress: Progress | None,  # noqa: ARG002 - for methods that draw
    ) -> list[Difference]:
        """The paired tests of several pairs of models; those with a reason stay as they are."""
        rows: Any = sample
        return [one if one.reason else self.paired(one, rows, plan) for one in empty]


class LimitsMethod(Method):
    """A method made of a function from a measure, a table and a confidence to two limits."""

    def __init__(
        self,
        function: Callable[[Measure, ScoreTable, float], tuple[float, float]],
        kinds: tuple[type, ...],
        reference: str,
    ) -> None:
        self.function = function
        self.name = function.__name__  # type: ignore[misc]
        self.kinds = kinds  # type: ignore[misc]
        self.reference = reference  # type: ignore[misc]
        self.__doc__ = function.__doc__

    def keeps_class_sizes(self, measure: Measure) -> bool:  # noqa: ARG002 - of no measure
        """Whether the function knows how cases were sampled."""
        return False

    def interval(self, empty: Interval, table: Any) -> Interval:
        """The limits that the function gives, within the range of the measure."""
        return empty.between(self.function(empty.measure, table, empty.ci))


_methods: dict[str, Method] = {}
_aliases: dict[str, str] = {}


def register(method: Method) -> Method:
    """Make a method known by its name and aliases, in the place of an earlier one."""
    _methods[method.name] = method
    _aliases.update(dict.fromkeys(method.aliases, method.name))
    return method


def find_method(name: str) -> Method:
    """The method with this name or alias."""
    return _methods[_aliases.get(name, name)]


def resamples_needed(name: str, ci: float) -> float:
    """The number of resamples that limits of a method need; a bound is not computed from them."""
    return find_method(name).resamples_needed(ci) if name in _methods else 0


def interval_methods() -> tuple[str, ...]:
    """What ``method=`` of an interval takes."""
    known = [method for method in _methods.values() if method.kinds]
    return (*_names(known), *(alias for method in known for alias in method.aliases))


def paired_methods() -> tuple[str, ...]:
    """What ``method=`` of a paired comparison takes."""
    return _names(method for method in _methods.values() if method.paired_kinds)


def _names(methods: Iterable[Method]) -> tuple[str, ...]:
    """Names of methods, in the order of "auto" and of their registration."""
    names = [method.name for method in methods]
    return ("auto", *dict.fromkeys([*(name for name in AUTO if name in names), *names]))


def choose_method(
    name: str,
    measure: Measure,
    sample: AnySample,
    *,
    paired: bool = False,
    margin: bool = False,
    stratified: bool = False,
) -> Method:
    """The method that a name stands for; an error if it cannot be used."""
    given: dict[str, Any] = {"paired": paired, "margin": margin, "stratified": stratified}
    if name == "auto":
        asked = (find_method(one) for one in AUTO)
        fit = (method for method in asked if not method.unfit(measure, sample, **given))
        return next(method for method in fit if not paired or method.has_enough(measure, sample))
    method = find_method(name)
    why = method.unfit(measure, sample, **given)
    if why:
        raise _refused(name, "bootstrap" if paired else "bca", *why)
    return method


def check_groups_method(name: str, measure: Measure) -> None:
    """Refuse a method for a mean over groups, unless it takes the groups as units."""
    usable = [method.name for method in _methods.values() if method.of_groups]
    if name not in {"auto", *usable}:
        raise _refused(name, usable[0], f"does not apply to {measure}")


def _refused(method: str, instead: str, *why: str | Argument) -> ParameterError:
    """The error for a method that cannot be used."""
    return ParameterError(
        (Argument("method", method), " ", *why),
        remedy=("use ", Argument("method", "auto"), " or ", Wording(f'"{instead}"', instead)),
    )


def interval_method(
    *kinds: type, reference: str = ""
) -> Callable[[Callable[[Measure, ScoreTable, float], tuple[float, float]]], Method]:
    """Register a function as an interval method, for measures of some kinds of statistic.

    The function gets a measure, its score table (independent cases of equal weight) and the
    confidence, and returns the limits. Its name is what ``method=`` takes. Without kinds the
    method applies to every measure::

        @mm.interval_method(Share)
        def agresti_coull(measure, table, ci):
            some, total = measure.sampling.counts(table.at(measure.point))
            ...
            return low, high

        mm.interval(y_true, y_score, "accuracy", method="agresti_coull")
    """
    if any(not isinstance(kind, type) for kind in kinds):
        raise ParameterError(
            "interval_method takes kinds of statistic",
            remedy="@interval_method(Share), or @interval_method() for every measure",
        )

    def made(function: Callable[[Measure, ScoreTable, float], tuple[float, float]]) -> Method:
        return register(LimitsMethod(function, kinds or ANY, reference))

    return made


def is_point(low: float, high: float) -> bool:
    """Whether limits are equal, up to rounding."""
    return low == high or bool(high - low <= tie_tolerance(low, high))


def bound(
    value: float,
    ends: tuple[float, float],
    independent: float,
    ci: float,
    terms: tuple[float, float] | None = None,
) -> tuple[float, float]:
    """Limits of a mean when all independent values are equal, so that their variance is 0.

    If n independent values within the range are all equal, the fraction of the population that has
    other values is, with the requested confidence, at most 1 - (1 - ci)^(1 / n). An infinite end is
    replaced by the smallest or largest of ``terms``, those that a case would have at the observed
    scores, or if these do not differ from the value, it counts as far away as the other end. It
    stays infinite if the value is at the other end, up to rounding.
    """
    same = (1 - ci) ** (1 / independent)
    low, high = ends
    least, most = terms or (value, value)
    below, above = (least if math.isinf(low) else low), (most if math.isinf(high) else high)
    low, high = _finite(low, value, below, above), _finite(high, value, above, below)
    if same == 0:
        return low, high
    return value + (low - value) * (1 - same), value + (high - value) * (1 - same)


def _finite(end: float, value: float, furthest: float, opposite: float) -> float:
    """An end of a range, or what replaces an infinite one."""
    if math.isfinite(end) or not is_point(*sorted((value, furthest))):
        return furthest
    return end if is_point(*sorted((value, opposite))) else 2 * value - opposite
