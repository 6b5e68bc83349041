"""Estimates and tests from the predictions of a pilot.

The variance of a mean over pairs or cases has a term per class, which is estimated from the cases
of that class. So a pilot also serves a study with another prevalence. The variance of any other
measure is that of its values on resamples of the pilot, drawn with the prevalence of the study.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown
from metameasure.data import Models, Predictions
from metameasure.errors import DataError
from metameasure.inference import (
    ClassSample,
    Drawing,
    Plan,
    Sample,
    contributions,
    counts_right,
    measure_intervals,
    replicate,
    spread,
    spread_of_difference,
)
from metameasure.kernels import is_rounding
from metameasure.measurement import CaseMean, PairMean, Share
from metameasure.planning.assumed import assumed_estimate, fraction_of, is_pair_fraction
from metameasure.planning.precision import Estimate, PairFraction, Variance
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from metameasure._types import Floats
    from metameasure.data import ClassCases
    from metameasure.inference import Interval, Spread
    from metameasure.measurement import Measure
    from metameasure.planning.auc_variance import Formula
    from metameasure.progress import Progress

DEFINED = 0.5
"""Fraction of the resamples on which a measure must be defined."""


@dataclass(frozen=True, eq=False)
class Pilot:
    """The cases of a pilot, with the scores of one or two models.

    Attributes:
        rows: the cases of two classes; None if there are more.
        classes: the cases of several classes; None if there are two.
        prevalence: the prevalence of the planned study; None for that of the pilot, and if there
            are several classes.
        drawing: how the cases are resampled.
        progress: the function that is called with the fraction of the resamples that are drawn.
    """

    rows: Predictions | None
    classes: Mapping[str, ClassCases] | None
    prevalence: float | None
    drawing: Drawing
    progress: Progress | None = None

    @classmethod
    def of(
        cls,
        models: Models,
        prevalence: float | None,
        drawing: Drawing,
        progress: Progress | None,
    ) -> Pilot:
        """The pilot of models that were read; it needs two cases per class."""
        if models.weighted:
            raise DataError(
                "the cases of a pilot must have equal weights", remedy="omit the weights"
            )
        if models.classes is not None:
            return cls(None, models.classes, None, drawing, progress)
        rows = _rows_of(models)
        positives = int(np.count_nonzero(rows.positive))
        negatives = rows.positive.size - positives
        if min(positives, negatives) < 2:
            raise DataError(
                "a pilot needs at least two positive and two negative cases, got "
                f"{positives} and {negatives}"
            )
        return cls(rows, None, prevalence, drawing, progress)

    @property
    def models(self) -> list[str]:
        """The names of the models."""
        return list(self.classes or {}) if self.rows is None else list(self.rows.scores)

    @cached_property
    def sample(self) -> Sample | ClassSample:
        """The cases, as resampling and tests need them."""
        return ClassSample.of(self.classes or {}) if self.rows is None else Sample.of(self.rows)

    @property
    def cases(self) -> int:
        """Number of cases."""
        return self.sample.size

    @property
    def positives(self) -> int | None:
        """Number of positive cases; None if there are several classes."""
        return None if self.rows is None else int(np.count_nonzero(self.rows.positive))

    @property
    def fewest(self) -> int:
        """Number of cases of the smallest class."""
        return min(int(np.count_nonzero(stratum)) for stratum in self.sample.strata)

    @property
    def planned(self) -> float | None:
        """The prevalence of the planned study; None if there are several classes."""
        if self.prevalence is None and self.positives is not None:
            return self.positives / self.cases
        return self.prevalence

    def resampled(self, rng: np.random.Generator, resamples: int) -> Pilot:
        """A pilot of the same size, drawn with replacement from the cases of this one.

        Its own resamples are fewer, without a report of their progress.
        """
        drawn = rng.integers(self.cases, size=self.cases)
        rows = None if self.rows is None else self.rows.where(drawn)
        classes = self.classes and {
            model: scores.where(drawn) for model, scores in self.classes.items()
        }
        seed = int(rng.integers(2**63))
        drawing = Drawing(ci=self.drawing.ci, resamples=resamples, seed=seed, workers=1)
        return Pilot(rows, classes, self.prevalence, drawing)

    def is_resampled(self, measure: Measure) -> bool:
        """Whether the variance of a measure is found by resampling."""
        several = self.rows is None
        kind = measure.sampling
        if len(self.models) > 1 and isinstance(kind, Share):
            return several or not counts_right(measure)
        whole = isinstance(kind, CaseMean) and kind.of_mean is None
        return several or not (whole or isinstance(kind, (PairMean, Share)))

    def table(self, model: str) -> Any:
        """The table of a model, with the prevalence of the planned study."""
        table: Any = self.sample.tables[model]
        if self.prevalence is None:
            return table
        positive, negative = self._weights
        return ScoreTable.of_weights(table.score, table.pos * positive, table.neg * negative)

    @property
    def _weights(self) -> tuple[float, float]:
        """The weight of a positive and of a negative in a study of the size of the pilot."""
        share, cases, positives = self.planned or 0.0, self.cases, self.positives or 0
        return share * cases / positives, (1 - share) * cases / (cases - positives)

    def estimate(self, measure: Measure) -> Estimate:
        """The value of a measure for the only model, and its variance."""
        (model,) = self.models
        value = self.value(measure, model)
        if self.is_resampled(measure):
            return Estimate(measure, value, self._resampled_variance(measure))
        kind: Any = measure.sampling
        if isinstance(kind, PairMean):
            made = PairFraction if is_pair_fraction(measure) else Estimate
            found = spread(measure, self.sample.tables[model])  # type: ignore[arg-type]
            return made(measure, value, _per_class(found))
        if isinstance(kind, CaseMean):
            return Estimate(measure, value, self._of_cases(self._terms(measure, model)))
        return self.assumed(measure, value, "auto")

    def assumed(self, measure: Measure, value: float, formula: Formula) -> Estimate:
        """The estimate for another value of a measure whose variance follows from its value."""
        share = None
        if isinstance(measure.sampling, Share) and fraction_of(measure) is None:
            (model,) = self.models
            table, kind = self.table(model), measure.sampling
            share = float(kind.counts(table.at(measure.point))[1]) / float(table.n)
        return assumed_estimate(measure, value, share, formula)

    def interval(self, measure: Measure) -> Interval:
        """The interval of the only model, with finite limits."""
        (model,) = self.models
        plan = Plan(**vars(self.drawing))
        asked = {model: [measure]}
        found = measure_intervals(self.sample, asked, plan, self.progress)[model, measure]
        if found.reason:
            raise DataError(f"{measure} has no interval on the pilot: {found.reason}")
        if math.isinf(found.high - found.low):
            raise DataError(
                f"the interval of {measure} on the pilot has an infinite limit",
                remedy="use a measure with a finite range, such as brier or log_loss(clip=0.001)",
            )
        return found

    def of_interval(self, measure: Measure) -> Estimate:
        """The value of a measure for the only model, with the variance that its interval shows.

        Its interval may be wider than the standard deviation of resamples, which have more ties.
        """
        found = self.interval(measure)
        error = (found.high - found.low) / 2 / NormalDist().inv_cdf((1 + found.ci) / 2)
        return Estimate(measure, found.value, Variance(case=error**2 * self.cases))

    def value(self, measure: Measure, model: str) -> float:
        """The value of a measure at the prevalence of the planned study."""
        value = float(measure.quiet_value(self.table(model)))
        if not math.isfinite(value):
            why = measure.undefined_when if math.isnan(value) else "it is infinite"
            raise DataError(f"{measure} of {shown([model])} has no value on the pilot: {why}")
        return value

    def variance_of_difference(self, measure: Measure) -> Variance:
        """The variance of the difference of the two models."""
        a, b = self.models
        if self.is_resampled(measure):
            return self._resampled_variance(measure)
        if isinstance(measure.sampling, PairMean):
            sample: Any = self.sample
            return _per_class(spread_of_difference(measure, sample, a, b))
        return self._of_cases(self._terms(measure, a) - self._terms(measure, b))

    def pair_variances(self, measure: Measure) -> tuple[Variance, Variance]:
        """The variance of each of two models, of a mean over pairs."""
        tables: Any = self.sample.tables
        first, second = (_per_class(spread(measure, tables[model])) for model in self.models)
        return first, second

    def _terms(self, measure: Measure, model: str) -> Floats:
        """What each case adds to a mean over the cases."""
        sample: Any = self.sample
        return contributions(measure, sample, model)

    def _of_cases(self, terms: Floats) -> Variance:
        """The variance of a mean over cases, with the prevalence of the planned study."""
        positive: Any = self.sample.strata[0]
        weight = np.where(positive, *self._weights)
        if is_rounding(terms - terms.mean(), terms):
            return Variance()
        mean = np.average(terms, weights=weight)
        square = np.average((terms - mean) ** 2, weights=weight)
        return Variance(case=float(square) * terms.size / (terms.size - 1))

    def _resampled_variance(self, measure: Measure) -> Variance:
        """The variance of a measure of the only model, or of the difference of two."""
        sample: Any = self.sample
        if self.prevalence is not None:
            sample = _AtPrevalence(self.sample, self.prevalence)
        asked = {model: [measure] for model in self.models}
        drawn = replicate(sample, asked, self.drawing, self.progress)
        values = [drawn[model, measure] for model in self.models]
        found = values[0] - values[1] if len(values) > 1 else values[0]
        defined = found[np.isfinite(found)]
        if defined.size < DEFINED * found.size:
            raise DataError(
                f"{measure} is undefined on {found.size - defined.size} of {found.size} resamples "
                "of the pilot",
                remedy="use a larger pilot",
            )
        if is_rounding(defined - defined.mean(), defined):
            return Variance()
        return Variance(case=float(np.var(defined, ddof=1)) * self.cases)


@dataclass(frozen=True, eq=False)
class _AtPrevalence:
    """A sample of two classes whose resamples have another prevalence on average."""

    sample: Any
    prevalence: float

    @property
    def entries(self) -> int:
        """Number of entries that are drawn per resample."""
        return int(self.sample.entries)

    def prepare(self, models: Sequence[str]) -> None:
        """Compute what all threads need, before they start."""
        self.sample.prepare(models)

    def draw(
        self,
        tables: int,
        rng: np.random.Generator,
        *,
        stratified: bool = False,  # noqa: ARG002 - the prevalence is that of the planned study
    ) -> Floats:
        """How often each case is drawn, in several resamples of the size of the sample."""
        cases = self.sample.size
        positive, negative = (np.flatnonzero(stratum) for stratum in self.sample.strata)
        is_positive = rng.random((tables, cases)) < self.prevalence
        drawn = np.where(
            is_positive,
            positive[rng.integers(positive.size, size=(tables, cases))],
            negative[rng.integers(negative.size, size=(tables, cases))],
        )
        drawn += cases * np.arange(tables)[:, np.newaxis]
        counts = np.bincount(drawn.ravel(), minlength=tables * cases)
        return counts.reshape(tables, cases).astype(np.float64)

    def block(self, model: str, counts: Floats) -> ScoreTable:
        """The block of tables of a model, one per row of counts."""
        block: ScoreTable = self.sample.block(model, counts)
        return block


def _per_class(found: Spread) -> Variance:
    return Variance(found.positives, found.negatives)


def _rows_of(models: Models) -> Predictions:
    """The cases; those of a score table one by one."""
    if models.rows is not None:
        return models.rows
    name = models.only("a pilot of score tables")
    table = models.table(name)
    counts = np.concatenate([table.pos, table.neg]).astype(np.int64)
    positive = np.repeat([True, False], table.score.size)
    scores = np.tile(table.score, 2)
    return Predictions(np.repeat(positive, counts), {name: np.repeat(scores, counts)})
