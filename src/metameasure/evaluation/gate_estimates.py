"""The estimates that requirements are about: values and differences, on parts of the cases."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from metameasure.evaluation.checks import (
    check_auc,
    check_columns,
    check_difference,
    check_groups,
    check_many_classes,
    check_numbers,
    check_threshold,
)
from metameasure.evaluation.decision import Estimate
from metameasure.inference import (
    ClassSample,
    Interval,
    PairPlan,
    Plan,
    Sample,
    check_interval,
    check_units,
    differences,
    differences_of_groups,
    interval_of_groups,
    measure_intervals,
    samples_of,
    scaled_difference,
    values_of_groups,
)
from metameasure.measurement import mean_of_defined
from metameasure.results import Check

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from metameasure._types import Floats
    from metameasure.data import Models
    from metameasure.evaluation.requirement import Requirement
    from metameasure.inference import Difference, Drawing
    from metameasure.measurement import MeanOver, Measure


@dataclass(frozen=True, eq=False)
class Part(ABC):
    """Cases on which requirements are checked, with the scores of a model and of its baseline.

    Attributes:
        group: the group of cases; None for all cases.
        models: the models on these cases.
        model: the name of the model.
        baseline: the name of the baseline; empty if there is none.
    """

    group: str | None
    models: Models
    model: str
    baseline: str

    def estimates(
        self, requirements: Sequence[Requirement], drawing: Drawing
    ) -> tuple[list[Estimate], list[Check]]:
        """The estimate of each requirement with its limits, and the checks of all of them."""
        given = vars(drawing)
        alone = dict.fromkeys(self.measure_of(one) for one in requirements if one.factor is None)
        intervals = self.intervals(list(alone), Plan(**given))
        found: list[Estimate] = []
        checks = list(self.data_checks(list(map(self.measure_of, requirements))))
        for one in requirements:
            measure = self.measure_of(one)
            if one.factor is None:
                found.append(self._of_interval(intervals[measure]))
                checks += self._interval_checks(intervals[measure])
            else:
                gap = self.difference(measure, one.factor, PairPlan(**given))
                found.append(self._of_difference(measure, gap))
                # The row of a requirement says why it has no limits.
                checks += () if gap.reason else check_difference(gap, drawing.ci, self.group)
        return found, checks

    def measure_of(self, requirement: Requirement) -> Measure:
        """The measure of a requirement; of several classes, the one that takes them."""
        measure = requirement.measure
        return measure if self.models.classes is None else measure.of_classes("scores")

    @property
    @abstractmethod
    def sample(self) -> Sample | ClassSample:
        """The cases."""

    @property
    def simulated(self) -> Sample | ClassSample | None:
        """The cases, if the coverage of their intervals was simulated."""
        return self.sample

    @abstractmethod
    def intervals(self, measures: Sequence[Any], plan: Plan) -> Mapping[Any, Interval]:
        """The interval of each measure."""

    @abstractmethod
    def difference(self, measure: Any, factor: float, plan: PairPlan) -> Difference:
        """The value of the model minus that of the baseline times a factor."""

    @abstractmethod
    def value(self, measure: Any, model: str) -> float:
        """The value of a measure for one of the models."""

    @abstractmethod
    def data_checks(self, measures: Sequence[Any]) -> Iterable[Check]:
        """The checks of the cases."""

    def _of_interval(self, found: Interval) -> Estimate:
        return Estimate(value=found.value, **self._limits(found))

    def _of_difference(self, measure: Measure, found: Difference) -> Estimate:
        value, baseline = (self.value(measure, model) for model in (found.a, found.b))
        limits = self._limits(found)
        return Estimate(value=value, baseline=baseline, difference=found.difference, **limits)

    def _limits(self, found: Interval | Difference) -> dict[str, Any]:
        """What the estimates of values and of differences have in common."""
        known, sample = found.reason is None, self.sample
        two = isinstance(sample, Sample)
        return {
            "group": self.group,
            "n": sum(sample.classes) if two else sample.size,
            "n_pos": sample.classes[0] if two else None,
            "low": found.low if known else None,
            "high": found.high if known else None,
            "method": found.method,
            "reason": found.reason,
        }

    def _interval_checks(self, found: Interval) -> Iterable[Check]:
        for code, message in () if found.reason else check_interval(found, self.simulated):
            yield Check(code, message, self.model, self.group, found.measure.stated)


class CasePart(Part):
    """Cases that are the independent units, or come in clusters."""

    @cached_property
    def sample(self) -> Sample | ClassSample:
        """The cases; of score tables without rows, those of the model alone."""
        if self.models.classes is not None:
            return ClassSample.of(self.models.classes)
        if self.models.rows is not None and self.baseline:
            return Sample.of(self.models.rows, in_pairs=True)
        (sample,) = samples_of(self.models.choosing([self.model]), resampled=True)
        return sample

    def intervals(self, measures: Sequence[Measure], plan: Plan) -> Mapping[Measure, Interval]:
        """The interval of each measure; those from resamples share them."""
        found = measure_intervals(self.sample, {self.model: measures}, plan)
        return {measure: interval for (_, measure), interval in found.items()}

    def difference(self, measure: Measure, factor: float, plan: PairPlan) -> Difference:
        """The paired difference, with a factor by the bootstrap."""
        if self.models.classes is None:
            self.models.rows_for("a comparison with the baseline")
        pair = self.model, self.baseline
        if factor != 1:
            return scaled_difference(self.sample, measure, pair, factor, plan)
        (found,) = differences(self.sample, measure, [pair], plan)
        return found

    def value(self, measure: Measure, model: str) -> float:
        """The value of a measure on the table of a model."""
        return float(measure.quiet_value(self.sample.tables[model]))

    def data_checks(self, measures: Sequence[Measure]) -> Iterable[Check]:
        """The checks of the numbers of cases, and of the measures that are required."""
        sample = self.sample
        if isinstance(sample, ClassSample):
            yield from check_many_classes(sample)
            for model, scores in sample.tables.items():
                yield from check_columns(scores, model)
            return
        yield from check_numbers(sample, self.group)
        for measure in dict.fromkeys(measures):
            where = measure, sample.tables[self.model], self.model, self.group
            yield from (*check_threshold(*where), *check_auc(*where))


class QueryPart(Part):
    """Cases in groups (queries) that are the independent units of means over groups."""

    @cached_property
    def sample(self) -> Sample:
        """The cases, without their score tables."""
        return Sample.without_tables(self.models.rows_for("means over groups"))

    @property
    def simulated(self) -> None:
        """None: the coverage of means over groups was not simulated."""
        return

    def intervals(self, measures: Sequence[MeanOver], plan: Plan) -> Mapping[MeanOver, Interval]:
        """The interval of the mean of each measure over the groups."""
        return {
            one: interval_of_groups(one, self._values(one, self.model), plan) for one in measures
        }

    def difference(self, measure: MeanOver, factor: float, plan: PairPlan) -> Difference:
        """The paired t test of the differences per group."""
        pair = self.model, self.baseline
        first, second = (self._values(measure, model) for model in pair)
        values = {self.model: first, self.baseline: factor * second}
        (found,) = differences_of_groups(values, measure, [pair], plan)
        return found

    def value(self, measure: MeanOver, model: str) -> float:
        """The mean over the groups."""
        return float(mean_of_defined(self._values(measure, model)))

    def data_checks(self, measures: Sequence[MeanOver]) -> Iterable[Check]:
        """The checks of cases and groups."""
        yield from check_numbers(self.sample)
        for measure in dict.fromkeys(measures):
            yield from check_groups(measure, self._values(measure, self.model), self.model)

    def _values(self, measure: MeanOver, model: str) -> Floats:
        """The value of a measure on each group."""
        rows = self.models.rows_for(str(measure))
        check_units(rows, measure)
        return values_of_groups(rows, {model: [measure]})[model, measure]
