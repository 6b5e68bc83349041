"""Real models on folds, resamples or data sets: which of two models do measures prefer?"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Whole, read_argument, read_seed
from metameasure.data import Groups, read_models
from metameasure.errors import DataError
from metameasure.inference import Sample, replicate
from metameasure.lab.agreement.domain import (
    Domain,
    Stratum,
    all_levels,
    base_measures,
)
from metameasure.lab.agreement.exact_ties import levels_of
from metameasure.lab.block_values import check_takes_tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from metameasure.data import NanPolicy, Predictions, Rescale
    from metameasure.inference import Progress
    from metameasure.lab.agreement.exact_ties import Levels
    from metameasure.measurement import Measure

    Floats = NDArray[np.float64]


class Observed(Domain):
    """The models of an evaluation; models are compared with each other on the same cases."""

    def __init__(
        self, predictions: Predictions, resamples: int | None = None, seed: int | None = 1
    ) -> None:
        if len(predictions.scores) < 2:
            raise DataError("measures are compared by the models they prefer: give at least two")
        if (predictions.group is None) == (resamples is None):
            raise DataError("give either folds= or resamples=")
        self.predictions = predictions
        self.resamples = (
            None if resamples is None else read_argument("resamples", resamples, Whole(1))
        )
        seed = read_seed(seed)
        self.seed = seed

    @property
    def simulated(self) -> bool:  # type: ignore[override]
        """Whether strata are independent, as folds are taken to be, so that errors are known."""
        return self.resamples is None

    def __str__(self) -> str:
        models = f"{len(self.predictions.scores)} models"
        if self.resamples is not None:
            return f"{models} on {self.resamples} resamples of {self.predictions.n} cases"
        assert self.predictions.group is not None  # noqa: S101 - one of both was given
        return f"{models} on {Groups.of(self.predictions.group).names.size} folds"

    def strata(
        self,
        measures: Sequence[Measure],
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Iterator[Stratum]:
        """One stratum a fold or resample; those where a measure has no value are left out."""
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
                f"{most} is undefined for a model on {undefined[most]} folds or resamples, and "
                f"none is left ({most.undefined_when}): choose another measure or larger folds"
            )

    def _by_folds(self, base: Sequence[Measure]) -> Iterator[tuple[dict[Measure, Floats], Any]]:
        assert self.predictions.group is not None  # noqa: S101 - folds were given
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
    quantum = None
    if sizes is not None and (measure.point is None or measure.point.kind == "threshold"):
        quantum = measure.quantum(*(Fraction(int(size)) for size in sizes))
    return levels_of(measure, values, quantum, sure=False)


def observed(
    y_true: Any,
    scores: Any = None,
    *,
    folds: Any = None,
    resamples: int | None = None,
    seed: int | None = 1,
    label: str | None = None,
    weight: str | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
) -> Observed:
    """Real models on folds (or data sets) or resamples, for what measures prefer there.

    Takes what ``evaluate`` takes. Two models are compared with each other on the cases of one fold,
    or of one resample; all pairs of models on all of them are counted.

    Args:
        y_true: the labels, or a data frame.
        scores: the scores of two or more models, or the names of their columns.
        folds: the fold or data set of each case, or the name of its column.
        resamples: how many resamples of the cases to draw, instead of folds.
        seed: the seed of the resamples.
        label: the column of the labels.
        weight: the column of the weights.
        pos_label: the label that is positive.
        sample_weight: an array of weights.
        nan_policy: "raise", or "drop" to leave out cases that lack a value.
        rescale: "minmax" to map each model's scores to [0, 1].
    """
    predictions, _ = read_models(
        y_true,
        scores,
        label=label,
        weight=weight,
        sample_weight=sample_weight,
        group=folds,
        pos_label=pos_label,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    return Observed(predictions, resamples, seed)
