"""Observed models on folds, resamples or data sets, as a domain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from metameasure._arguments import read_resamples, read_seed
from metameasure.data import (
    DataOptions,
    Groups,
    has_class_columns,
    has_two_columns,
    read_models,
    takes_models,
)
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.inference import ClassSample, Drawing, Sample, replicate
from metameasure.lab.agreement.domain import (
    Domain,
    Stratum,
    all_levels,
    levels_of,
    quantum_of_counts,
)
from metameasure.lab.measures import base_measures, check_takes_tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from metameasure._types import Floats
    from metameasure.data import ClassCases, Predictions
    from metameasure.lab.agreement.domain import Levels
    from metameasure.measurement import Measure
    from metameasure.progress import Progress

    Found = tuple[dict[Measure, Floats], Any]


class Observed(Domain):
    """Models that are compared with each other on the same cases; see ``observed``."""

    def __init__(
        self, predictions: Predictions, resamples: int | None = None, seed: int | None = 1
    ) -> None:
        self._set(list(predictions.scores), predictions.n, predictions.group, resamples, seed)
        self.predictions = predictions

    def _set(
        self, models: Sequence[str], n: int, folds: Any, resamples: int | None, seed: int | None
    ) -> None:
        if len(models) < 2:
            raise DataError(f"need at least two models, got {len(models)}")
        if (folds is None) == (resamples is None):
            raise ParameterError(("pass either ", Argument("folds"), " or ", Argument("resamples")))
        self.models, self.n = models, n
        self.folds = None if folds is None else Groups.of(folds)
        self.resamples: int | None = read_resamples(resamples, optional=True)
        self.seed = read_seed(seed)

    @property
    def simulated(self) -> bool:  # type: ignore[override]
        """Whether strata are independent, as folds are assumed to be, so that there are errors."""
        return self.resamples is None

    def __str__(self) -> str:
        if self.folds is None:
            return f"{len(self.models)} models on {self.resamples} resamples of {self.n} cases"
        return f"{len(self.models)} models on {self.folds.names.size} folds"

    def strata(
        self,
        measures: Sequence[Measure],
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Iterator[Stratum]:
        """One stratum per fold or resample; those where a measure is undefined are dropped."""
        base = base_measures(measures)
        placed = {measure: self._placed(measure) for measure in base}
        if self.folds is not None:
            cases = map(self.folds.cases, range(self.folds.names.size))
            found: Iterator[Found] = (self._on_fold(placed, part) for part in cases)
        else:
            found = self._on_resamples(placed, workers, progress)
        defined, undefined = 0, dict.fromkeys(base, 0)
        for values, sizes in found:
            missing = [m for m, of_models in values.items() if np.isnan(of_models).any()]
            for measure in missing:
                undefined[measure] += 1
            if not missing:
                defined += 1
                levels = {m: _levels(m, of_models, sizes) for m, of_models in values.items()}
                yield Stratum(all_levels(measures, levels, certain=False))
        if not defined:
            most = max(undefined, key=lambda measure: undefined[measure])
            raise DataError(
                f"no fold or resample is left: {most} is undefined for a model on "
                f"{undefined[most]} of them ({most.undefined_when})",
                remedy="choose another measure or larger folds",
            )

    def _placed(self, measure: Measure) -> Measure:
        """The measure as it applies to these models."""
        check_takes_tables(measure, "models of two classes")
        return measure

    def _on_fold(self, placed: Mapping[Measure, Measure], cases: Any) -> Found:
        """The values for all models on some cases, and the numbers of cases if they are counts."""
        part = self.predictions.where(cases)
        tables = [part.table(model) for model in part.scores]
        values = {
            m: np.array([own.quiet_value(table) for table in tables]) for m, own in placed.items()
        }
        return values, (tables[0].P, tables[0].N) if part.weight is None else None

    def _sample(self) -> Sample | ClassSample:
        return Sample.of(self.predictions)

    def _on_resamples(
        self, placed: Mapping[Measure, Measure], workers: int | None, progress: Progress | None
    ) -> Iterator[Found]:
        """The values for all models on each resample."""
        sample, asked = self._sample(), list(placed.values())
        for measure in asked:
            if measure.unit_scores:
                for table in sample.tables.values():
                    measure.require_unit(table)
        assert self.resamples is not None  # noqa: S101 - there are no folds
        plan = Drawing(resamples=self.resamples, seed=self.seed, workers=workers)
        drawn = replicate(sample, dict.fromkeys(self.models, asked), plan, progress)
        for number in range(self.resamples):
            yield (
                {
                    m: np.array([drawn[model, own][number] for model in self.models])
                    for m, own in placed.items()
                },
                None,
            )


class ObservedClasses(Observed):
    """Models with scores for several classes."""

    def __init__(
        self,
        scores: Mapping[str, ClassCases],
        folds: Any = None,
        resamples: int | None = None,
        seed: int | None = 1,
    ) -> None:
        first = next(iter(scores.values()))
        if folds is not None:
            groups = np.asarray(folds)
            n = first.code.size if first.kept is None else first.kept.size
            if groups.shape != (n,):
                raise DataError(
                    f"folds must have one value per case, {n}, got shape {groups.shape}",
                    argument="folds",
                )
            folds = groups if first.kept is None else groups[first.kept]
        self._set(list(scores), first.code.size, folds, resamples, seed)
        self.scores = scores

    def _placed(self, measure: Measure) -> Measure:
        return measure.of_classes()

    def _on_fold(self, placed: Mapping[Measure, Measure], cases: Any) -> Found:
        parts = [scores.where(cases) for scores in self.scores.values()]
        values = {m: np.array([own.quiet_value(p) for p in parts]) for m, own in placed.items()}
        return values, None

    def _sample(self) -> ClassSample:
        return ClassSample.of(self.scores)


def _levels(measure: Measure, values: Floats, sizes: tuple[float, float] | None) -> Levels:
    quantum = None if sizes is None else quantum_of_counts(measure, *sizes, ties=True)
    return levels_of(measure, values, quantum, certain=False)


@takes_models(DataOptions)
def observed(
    y_true: Any,
    scores: Any = None,
    *,
    folds: Any = None,
    resamples: int | None = None,
    seed: int | None = 1,
    **data: Unpack[DataOptions],
) -> Observed:
    """Observed models on folds, data sets or resamples, as a domain to compare measures on.

    Takes what ``evaluate`` takes. Two models are compared on the cases of one fold or one resample;
    all pairs of models on all folds or resamples are counted. For more than two classes pass a dict
    with one matrix of scores per model.

    Args:
        folds: the fold or data set of each case, or its column name (two classes only).
        resamples: the number of resamples of the cases, instead of folds.
        seed: the seed of the resamples.
    """
    given = data.get("score") if scores is None else scores
    matrices = list(filter(has_class_columns, given.values() if isinstance(given, Mapping) else ()))
    if not all(map(has_two_columns, matrices)):
        models = read_models(y_true, scores, several_classes=True, **data)
        assert models.classes is not None  # noqa: S101 - there are more than two columns
        return ObservedClasses(models.classes, folds, resamples, seed)
    called = {"group": "folds"}
    models = read_models(y_true, scores, group=folds, number="two or more", called=called, **data)
    return Observed(models.rows_for("folds and resamples"), resamples, seed)
