"""Exchanges of the scores of two models at a fixed threshold.

An exchange changes something only for the cases that lie above the threshold by one model and below
it by the other. After random exchanges, the number of these that lie above it by the first model is
binomial in each class. Nothing else has to be drawn, whatever the number of cases.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metameasure.table import Cut

if TYPE_CHECKING:
    from metameasure._types import Floats, Indices
    from metameasure.inference.sample import Sample
    from metameasure.measurement import Measure


@dataclass(frozen=True)
class CellExchange:
    """The confusion matrices of two models of independent cases.

    Attributes:
        measure: the measure whose values are compared.
        both: the number of positives and of negatives above the threshold by both models.
        only: the same by the first model alone.
        either: the same by exactly one of the models.
        sizes: the number of positives and of negatives.
    """

    measure: Measure
    both: tuple[int, int]
    only: tuple[int, int]
    either: tuple[int, int]
    sizes: tuple[int, int]
    entries: ClassVar[int] = 2
    """Number of entries of an exchange."""
    by_chance: ClassVar[float] = 0.0
    """The difference of what both values have by chance alone."""

    @classmethod
    def of(cls, measure: Measure, sample: Sample, models: tuple[str, str]) -> CellExchange:
        """The matrices at the threshold of a measure."""
        threshold: float = measure.threshold  # type: ignore[assignment]
        first, second = (sample.scores[model] >= threshold for model in models)

        def counted(cases: Any) -> tuple[int, int]:
            positives, negatives = (np.count_nonzero(cases & one) for one in sample.strata)
            return int(positives), int(negatives)

        return cls(
            measure,
            counted(first & second),
            counted(first & ~second),
            counted(first ^ second),
            sample.classes,
        )

    @property
    def observed(self) -> float:
        """The difference of the two values without an exchange."""
        return float(self.differences(np.array([self.only]))[0])

    def random_differences(self, tables: int, rng: np.random.Generator) -> Floats:
        """The differences of the two values after random exchanges."""
        return self.differences(rng.binomial(self.either, 0.5, (tables, 2)))

    def differences(self, only: Indices) -> Floats:
        """The differences for numbers of cases above by the first model alone: (tables, 2).

        NaN where a value is undefined.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            first, second = (
                self.measure.at_cut(self._cut(each)) for each in (only, self.either - only)
            )
            return np.asarray(first - second)

    def _cut(self, only: Indices) -> Cut:
        """The matrices with these numbers of cases above the threshold by one model alone."""
        tp, fp = (np.array(self.both) + only).astype(np.float64).T
        return Cut(tp, fp, *map(float, self.sizes))
