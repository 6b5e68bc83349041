"""ClassSample: cases of k classes as what resampling needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.inference.units import Units, cluster_codes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from metameasure.data import ClassScores

    Floats = NDArray[np.float64]
    Indices = NDArray[np.int64]
    Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ClassSample(Units):
    """The scores of one or more models for the same cases of k classes."""

    tables: Mapping[str, ClassScores]
    cluster: Indices | None = None
    weight: Floats | None = None
    count: Floats | None = None

    @classmethod
    def of(cls, scores: Mapping[str, ClassScores]) -> ClassSample:
        """The sample that validated scores are; a case without weight is none."""
        first = next(iter(scores.values()))
        if first.weight is not None and not first.weight.all():
            used = first.weight > 0
            scores = {model: each.where(used) for model, each in scores.items()}
            first = next(iter(scores.values()))
        return cls(scores, cluster_codes(first.cluster), first.weight)

    @property
    def size(self) -> int:
        """The number of cases."""
        return self._first.code.size

    @property
    def strata(self) -> list[Mask]:
        """The cases of each class."""
        return [self._first.code == number for number in range(self._first.k)]

    @property
    def classes(self) -> dict[Any, int]:
        """The number of cases of each class."""
        sizes = np.bincount(self._first.code, minlength=self._first.k).tolist()
        return dict(zip(self._first.classes, sizes, strict=True))

    @property
    def _first(self) -> ClassScores:
        return next(iter(self.tables.values()))

    def block(self, model: str, counts: Floats) -> ClassScores:
        """The block of a model in which each unit counts so often."""
        if self.cluster is not None:
            counts = np.take(counts, self.cluster, axis=1)
        return self.tables[model].counting(counts)
