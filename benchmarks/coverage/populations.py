"""The populations that cases are drawn from, and the true values of measures on them.

A latent z is normal with variance 1 around 0 for negatives and around 1 for positives, so that the
log likelihood ratio is z - 1/2. What the score makes of z is the distribution:

- binormal: the log odds are 1.5 times too extreme, and there are no ties;
- ties: the same score, rounded to the middles of ten equal bins;
- saturated: the log odds are 5 times too extreme and the score is cut off at .01 and .99, so that
  many cases sit at both ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, logit, ndtr

from metameasure.inference import Sample
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MODEL = "score"
SIZES = (25, 100, 400)
"""Expected number of positives, which are not more than the negatives."""
PREVALENCES = (0.5, 0.2)
STEEPNESS = {"binormal": 1.5, "ties": 1.5, "saturated": 5.0}
DISTRIBUTIONS = tuple(STEEPNESS)
BINS = 10
ENDS = 0.01, 0.99
CUTS = 0.3, 0.5
"""The thresholds at which some measures are taken."""
GRID = 400_000
"""The cells that z is divided into for the true values."""
WIDEST = 9.0
"""How far from 0 and 1 the latent z is followed, in standard deviations."""


@dataclass(frozen=True)
class Cell:
    """One population, and the size of the data sets that are drawn from it."""

    size: int
    prevalence: float
    distribution: str

    def __str__(self) -> str:
        return f"{self.size} {self.prevalence:g} {self.distribution}"

    @property
    def n(self) -> int:
        """The number of cases of a data set."""
        return round(self.size / self.prevalence)

    def score(self, z: Floats) -> Floats:
        """The score that a case with this latent z gets."""
        steep = STEEPNESS[self.distribution]
        score = expit(steep * (z - 0.5) + logit(self.prevalence))
        if self.distribution == "ties":
            score = (np.minimum(np.floor(score * BINS), BINS - 1) + 0.5) / BINS
        elif self.distribution == "saturated":
            score = np.clip(score, *ENDS)
        return np.asarray(score)

    def draw(self, rng: np.random.Generator) -> Sample:
        """A data set; one that lacks a class is drawn again."""
        positive = np.zeros(self.n, np.bool_)
        while positive.all() or not positive.any():
            positive = rng.random(self.n) < self.prevalence
        score = self.score(rng.standard_normal(self.n) + positive)
        table = ScoreTable.from_cases(positive, score)
        return Sample(positive, {MODEL: score}, {MODEL: table})

    def population(self, grid: int = GRID) -> ScoreTable:
        """The population itself: cells of z, each with the probability of both classes.

        The steps of the score and the cuts lie between cells, so that no cell is on both sides.
        """
        edges = np.linspace(-WIDEST, 1 + WIDEST, grid + 1)
        edges = np.union1d(edges, self._steps())
        z = (edges[1:] + edges[:-1]) / 2
        # From the upper tail where that is the smaller one, so that no digits are lost.
        masses = [
            np.where(z < mean, np.diff(ndtr(edges - mean)), -np.diff(ndtr(mean - edges)))
            for mean in (1.0, 0.0)
        ]
        pos, neg = self.prevalence * masses[0], (1 - self.prevalence) * masses[1]
        return ScoreTable(self.score(z)[::-1], pos[::-1], neg[::-1])

    def _steps(self) -> Floats:
        """Where on the scale of z the score jumps, bends or is cut."""
        scores = [*CUTS, *ENDS, *(np.arange(1, BINS) / BINS)]
        steep = STEEPNESS[self.distribution]
        return np.asarray((logit(scores) - logit(self.prevalence)) / steep + 0.5)


CELLS = tuple(
    Cell(size, prevalence, distribution)
    for size, prevalence, distribution in product(SIZES, PREVALENCES, DISTRIBUTIONS)
)
