"""Method: a way to find the limits of a value, or to test the difference of two models.

A method is an object: it declares its name, its reference and what it applies to, and it computes
an interval, a paired test, or both. To add one, write a module in this package that registers it.
"""

from __future__ import annotations

from abc import ABC
from typing import TYPE_CHECKING, Any, ClassVar

from metameasure.errors import Argument, ParameterError
from metameasure.measurement import Share

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from metameasure.inference.intervals import Interval, Intervals, Plan
    from metameasure.inference.paired import Difference, PairPlan
    from metameasure.inference.resampling import Progress
    from metameasure.inference.sample import AnySample, Sample
    from metameasure.measurement import Measure
    from metameasure.table import ScoreTable

ANY = (object,)
"""The kinds of statistic of a method that applies to every measure."""


class Method(ABC):
    """Base class of the methods of inference.

    Attributes:
        name: the name that ``method=`` takes.
        reference: the key of its source.
        kinds: the kinds of statistic (``sampling=`` of a measure) that it has intervals for; none
            if it has no intervals.
        paired_kinds: the kinds of statistic that it has a paired test for.
        any_cases: whether cases may have weights or come in clusters.
        margin: whether its paired test supports a non-inferiority margin.
        of_groups: whether it applies to means over groups, whose units the groups are.
    """

    name: ClassVar[str]
    reference: ClassVar[str] = ""
    kinds: ClassVar[tuple[type, ...]] = ()
    paired_kinds: ClassVar[tuple[type, ...]] = ()
    any_cases: ClassVar[bool] = False
    margin: ClassVar[bool] = True
    of_groups: ClassVar[bool] = False

    def applies_to(self, measure: Measure) -> bool:
        """Whether it has an interval for the measure."""
        return isinstance(measure.declaration.sampling, self.kinds)

    def applies_to_pairs(self, measure: Measure) -> bool:
        """Whether it has a paired test for the measure."""
        return isinstance(measure.declaration.sampling, self.paired_kinds)

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

    def applies_to(self, measure: Measure) -> bool:
        """Whether it has an interval for the measure; for a fraction, at a threshold only."""
        return super().applies_to(measure) and (self.kinds != (Share,) or is_at_threshold(measure))

    def interval(self, empty: Interval, table: Any) -> Interval:
        """The limits that the function gives, within the range of the measure."""
        return empty.between(self.function(empty.measure, table, empty.ci))


_methods: dict[str, Method] = {}


def register(method: Method) -> Method:
    """Make a method known by its name, in the place of an earlier one."""
    _methods[method.name] = method
    return method


def find_method(name: str) -> Method:
    """The method with this name."""
    return _methods[name]


def registered_methods() -> list[Method]:
    """All methods, in the order of their registration."""
    return list(_methods.values())


def interval_method(
    *kinds: type, reference: str = ""
) -> Callable[[Callable[[Measure, ScoreTable, float], tuple[float, float]]], Method]:
    """Register a function as an interval method, for measures of some kinds of statistic.

    The function gets a measure, its score table (independent cases of equal weight) and the
    confidence, and returns the limits. Its name is what ``method=`` takes. Without kinds the
    method applies to every measure::

        @mm.interval_method(Share)
        def agresti_coull(measure, table, ci):
            some, total = measure.declaration.sampling.counts(table.at(measure.point))
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


def is_at_threshold(measure: Measure) -> bool:
    """Whether a measure is read at a fixed threshold, so that each case has its own answer."""
    return measure.point is not None and measure.point.kind == "threshold"


def refuse_method(method: str, why: str, instead: str) -> ParameterError:
    """The error for a method that cannot be used."""
    use = ("use ", Argument("method", "auto"), f' or "{instead}"')
    return ParameterError((Argument("method", method), f" {why}"), remedy=use)
