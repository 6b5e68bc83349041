"""Observed models on folds, resamples or data sets, as a domain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Whole, read_argument, read_seed
from metameasure.data import Groups, read_models
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.inference import Sample, replicate
from metameasure.lab.agreement.domain import Domain, Stratum, all_levels
from metameasure.lab.agreement.exact_ties import levels_of, quantum_of_counts
from metameasure.lab.measures import base_measures, check_takes_tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from metameasure._types import Floats
    from metameasure.data import NanPolicy, Predictions, Rescale
    from metameasure.inference import Progress
    from metameasure.lab.agreement.exact_ties import Levels
    from metameasure.measurement import Measure


class Observed(Domain):
    """Models that are compared with each other on the same cases; see ``observed``."""

    def __init__(
        self, predictions: Predictions, resamples: int | None = None, seed: int | None = 1
    ) -> None:
        if len(predictions.scores) < 2:
            raise DataError(f"need at least two models, got {len(predictions.scores)}")
        if (predictions.group is None) == (resamples is None):
            raise ParameterError(("pass either ", Argument("folds"), " or ", Argument("resamples")))
        self.predictions = predictions
        self.resamples: int | None = read_argument("resamples", resamples, Whole(1), optional=True)
        self.seed = read_seed(seed)

    @property
    def simulated(self) -> bool:  # type: ignore[override]
        """Whether strata are independent, as folds are assumed to be, so that there are errors."""
        return self.resamples is None

    def __str__(self) -> str:
        models = f"{len(self.predictions.scores)} models"
        if self.resamples is not None:
            return f"{models} on {self.resamples} resamples of {self.predictions.n} cases"
        assert self.predictions.group is not None  # noqa: S101 - there are folds or resamples
        return f"{models} on {Groups.of(self.predictions.group).names.size} folds"

    def strata(
        self,
        measures: Sequence[Measure],
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Iterator[Stratum]:
        """One stratum per fold or resample; those where a measure is undefined are dropped."""
        base = base_measures(measures)
        for measure in base:
            check_takes_tables(measure, "models of two classes")
        if self.resamples is None:
            found = self._by_folds(base)
        else:
            found = self._by_resamples(base, self.resamples, workers, progress)
        defined, undefined = 0, dict.fromkeys(base, 0)
        for values, sizes in found:
            missing = [m for m, of_models in values.items() if np.isnan(of_models).any()]
            for measure in missing:
                undefined[measure] += 1
            if not missing:
                defined += 1
                levels = {m: _levels(m, of_models, sizes) for m, of_models in values.items()}
                yield Stratum(all_levels(measures, levels, sure=False))
        if not defined:
            most = max(undefined, key=lambda measure: undefined[measure])
            raise DataError(
                f"no fold or resample is left: {most} is undefined for a model on "
                f"{undefined[most]} of them ({most.undefined_when})",
                remedy="choose another measure or larger folds",
            )

    def _by_folds(self, base: Sequence[Measure]) -> Iterator[tuple[dict[Measure, Floats], Any]]:
        assert self.predictions.group is not None  # noqa: S101 - there are folds
        groups = Groups.of(self.predictions.group)
        for place in range(groups.names.size):
            part = self.predictions.where(groups.cases(place))
            tables = [part.table(model) for model in part.scores]
            whole = part.weight is None
            values = {m: np.array([m.quiet_value(table) for table in tables]) for m in base}
            yield values, (tables[0].P, tables[0].N) if whole else None

    def _by_resamples(
        self,
        base: Sequence[Measure],
        resamples: int,
        workers: int | None,
        progress: Progress | None,
    ) -> Iterator[tuple[dict[Measure, Floats], Any]]:
        sample = Sample.of(self.predictions)
        models = list(sample.tables)
        for measure in base:
            if measure.unit_scores:
                for table in sample.tables.values():
                    measure.require_unit(table)
        drawn = replicate(
            sample,
            {model: list(base) for model in models},
            resamples=resamples,
            seed=self.seed,
            workers=workers,
            progress=progress,
        )
        for number in range(resamples):
            values = {m: np.array([drawn[model, m][number] for model in models]) for m in base}
            yield values, None


def _levels(measure: Measure, values: Floats, sizes: tuple[float, float] | None) -> Levels:
    quantum = None if sizes is None else quantum_of_counts(measure, *sizes, ties=True)
    return levels_of(measure, values, quantum, sure=False)


def observed(
    y_true: Any,
    scores: Any = None,
    *,
    folds: Any = None,
    resamples: int | None = None,
    seed: int | None = 1,
    label: str | None = None,
    score: Any = None,
    weight: str | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
) -> Observed:
    """Observed models on folds, data sets or resamples, as a domain to compare measures on.

    Takes what ``evaluate`` takes. Two models are compared on the cases of one fold or one resample;
    all pairs of models on all folds or resamples are counted.

    Args:
        y_true: the labels, or a data frame.
        scores: the scores of two or more models, or their column names.
        folds: the fold or data set of each case, or its column name.
        resamples: the number of resamples of the cases, instead of folds.
        seed: the seed of the resamples.
        label: the label column.
        score: synonym of ``scores``.
        weight: the weight column.
        pos_label: the positive label.
        sample_weight: an array of weights.
        nan_policy: "raise", or "drop" to drop cases with missing values.
        rescale: "minmax" to map each model's scores to [0, 1].
    """
    models = read_models(
        y_true,
        scores,
        score=score,
        label=label,
        weight=weight,
        sample_weight=sample_weight,
        group=folds,
        pos_label=pos_label,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    return Observed(models.rows_for("folds and resamples"), resamples, seed)
