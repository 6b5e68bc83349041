"""Poisson numbers that are drawn many times with the same means."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from metameasure._types import Floats, Indices

GUIDES = 64
"""Number of equal parts of the range of a uniform number, a power of 2 to be exact."""
TABULATED = 2**18
"""Maximum number of probabilities that are tabulated, so that they fit in the cache."""


@dataclass(frozen=True, eq=False)
class PoissonNumbers:
    """Independent Poisson numbers with these means.

    A uniform number is looked up in the distribution function, from the smallest number that its
    part of the range allows on (Chen and Asau, 1974). This is several times faster than NumPy,
    which has to draw for any mean; large means, whose tables would be long, are left to it.
    """

    means: Floats

    def draw(self, times: int, rng: np.random.Generator) -> Floats:
        """The numbers of each time, one column per mean."""
        shape = times, self.means.size
        if self.means.size * self._outcomes > TABULATED:
            return rng.poisson(self.means, shape).astype(np.float64)
        uniform = rng.random(self.means.size * times)
        part = (uniform * GUIDES).astype(np.int64).reshape(shape)
        part += np.arange(self.means.size) * GUIDES
        found = self._guides.take(part)
        place = found.reshape(-1)
        above = np.flatnonzero(uniform >= self._upto.take(place))
        while above.size:
            place[above] += 1
            above = above[uniform[above] >= self._upto[place[above]]]
        found -= np.arange(self.means.size) * self._outcomes
        return found.astype(np.float64)

    @cached_property
    def _outcomes(self) -> int:
        """Number of outcomes of the largest mean that have a probability above 1e-18."""
        largest = float(self.means.max())
        return math.ceil(largest + 9 * math.sqrt(largest) + 20)

    @cached_property
    def _upto(self) -> Floats:
        """The distribution functions, one after the other."""
        ratios = self.means[:, np.newaxis] / np.arange(1, self._outcomes)
        relative = np.cumprod(np.insert(ratios, 0, np.exp(-self.means), axis=1), axis=1)
        upto = np.cumsum(relative, axis=1)
        upto[:, -1] = np.inf
        return upto.reshape(-1)

    @cached_property
    def _guides(self) -> Indices:
        """The place of the smallest outcome in each part of the range of the uniform number."""
        columns = np.arange(self.means.size)[:, np.newaxis]
        part = np.ceil(np.minimum(self._upto, 1.0) * GUIDES).astype(np.int64)
        cells = part.reshape(columns.size, -1) + columns * (GUIDES + 1)
        counts = np.bincount(cells.reshape(-1), minlength=columns.size * (GUIDES + 1))
        before = np.cumsum(counts.reshape(columns.size, -1), axis=1)[:, :GUIDES]
        return (before + columns * self._outcomes).reshape(-1)
