"""Units: what is drawn when a sample is resampled."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from metameasure.data import sortable
from metameasure.errors import DataError
from metameasure.table import drawn_counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Indices = NDArray[np.int64]
    Mask = NDArray[np.bool_]

GROUPS = 200
"""The number of groups of a jackknife; with fewer units each is left out on its own."""
MANY, FEW_GROUPS = 10**5, 40
"""With more units than this the skewness hardly matters, and fewer groups will do."""


class Units(ABC):
    """Cases, or clusters of them, or kinds of equal cases with their number."""

    cluster: Indices | None
    weight: Floats | None
    count: Floats | None

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of cases, or of kinds of cases."""

    @property
    @abstractmethod
    def strata(self) -> Sequence[Mask]:
        """The classes, as masks of the cases."""

    @property
    def entries(self) -> int:
        """The numbers that are drawn for a resample."""
        return self.size

    def prepare(self, models: Iterable[str]) -> None:  # noqa: B027 - not all have something to find
        """Find what all threads need, before they start."""

    @property
    def independent(self) -> bool:
        """Whether the cases were drawn one by one and weigh the same."""
        return self.cluster is None and self.weight is None

    @cached_property
    def units_of_classes(self) -> tuple[int, ...]:
        """How many units have cases of each class."""
        if self.count is not None:
            return tuple(int(self.count[stratum].sum()) for stratum in self.strata)
        if self.cluster is None:
            return tuple(int(np.count_nonzero(stratum)) for stratum in self.strata)
        return tuple(np.unique(self.cluster[stratum]).size for stratum in self.strata)

    @property
    def too_few(self) -> str | None:
        """Why resampling tells nothing, if it does not."""
        if 1 in self.units_of_classes:
            what = "case" if self.cluster is None else "cluster"
            return f"a class has only one {what}, which tells nothing of its spread"
        return None

    @cached_property
    def units(self) -> int:
        """How many things there are to be drawn: cases, or clusters of them."""
        return self.size if self.cluster is None else int(self.cluster.max()) + 1

    def draw(self, tables: int, rng: np.random.Generator, *, stratified: bool = False) -> Floats:
        """How often each unit is drawn, in so many resamples of the size of the sample."""
        if not stratified:
            return _draw(tables, self.units, self.count, rng)
        if self.cluster is not None:
            raise DataError("clusters may hold several classes: draw them without strata")
        counts = np.empty((tables, self.units))
        for stratum in self.strata:
            if stratum.any():
                count = None if self.count is None else self.count[stratum]
                counts[:, stratum] = _draw(tables, int(np.count_nonzero(stratum)), count, rng)
        return counts

    def leave_out(self, rng: np.random.Generator) -> Iterator[Floats]:
        """How often each unit counts when one group of units after the other is left out."""
        if self.count is None:
            groups = min(self.units, GROUPS if self.units <= MANY else FEW_GROUPS)
            member = rng.permutation(self.units) % groups
            for group in range(groups):
                yield (member != group).astype(np.float64)
            return
        left = self.count.astype(np.int64)
        groups = int(min(left.sum(), GROUPS if self.units <= MANY else FEW_GROUPS))
        for group in range(groups):
            size = int(left.sum()) // (groups - group)
            out = rng.multivariate_hypergeometric(left, size, method="marginals")
            yield self.count - out
            left = left - out


def cluster_codes(cluster: NDArray[Any] | None) -> Indices | None:
    """The cluster of each case as a number; None if there are no clusters."""
    if cluster is None:
        return None
    return np.unique(sortable(cluster), return_inverse=True)[1].reshape(-1)


def _draw(tables: int, units: int, count: Floats | None, rng: np.random.Generator) -> Floats:
    """As many units as there are, with replacement, in each table."""
    if count is not None:
        total = count.sum()
        return np.asarray(rng.multinomial(int(total), count / total, size=tables), np.float64)
    return np.asarray(drawn_counts(tables, units, rng), np.float64)
