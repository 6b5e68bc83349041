"""Hard settings: rare positives, heavy tails, weights and clusters.

A setting is a population (the distribution of a latent value in each class, the prevalence, and the
score that a latent value gets) and a design (independent cases, weights or clusters). Methods were
chosen on those of ``CHOOSING``; those of ``HOLDOUT`` played no part in that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats
from scipy.special import expit, logit, ndtr, ndtri

from metameasure.inference import Sample
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

MODEL = "score"
GRID = 200_000
"""Number of quantiles of each class for the true values."""
CORRELATION = 0.6
"""Correlation of the normal scores of two models."""
Score = Callable[[Any], Any]


@dataclass(frozen=True)
class Design:
    """What is known of the cases: the class and latent quantile of each, weights and clusters."""

    positive: Mask
    quantile: Floats
    weight: Floats | None = None
    cluster: NDArray[np.int64] | None = None


Draw = Callable[[np.random.Generator, int, float], Design]


def independent(rng: np.random.Generator, n: int, prevalence: float) -> Design:
    """Independent cases of equal weight."""
    return Design(rng.random(n) < prevalence, rng.random(n))


def weighted(rng: np.random.Generator, n: int, prevalence: float) -> Design:
    """Independent cases with lognormal weights, unrelated to score and class."""
    return Design(rng.random(n) < prevalence, rng.random(n), rng.lognormal(0, 0.7, n))


def post_stratified(rng: np.random.Generator, n: int, prevalence: float) -> Design:
    """Cases of which those with a high latent value were taken more often, and weigh less."""
    many = 8 * n
    positive, quantile = rng.random(many) < prevalence, rng.random(many)
    chance = np.where(quantile > 0.7, 0.6, 0.15)
    taken = np.flatnonzero(rng.random(many) < chance)[:n]
    return Design(positive[taken], quantile[taken], 1 / chance[taken])


def clustered(sizes: Callable[[int], list[int]]) -> Draw:
    """Cases whose latent values and classes are correlated within clusters."""

    def draw(rng: np.random.Generator, n: int, prevalence: float) -> Design:
        numbers = sizes(n)
        cluster = np.repeat(np.arange(len(numbers)), numbers)
        # A beta distribution of the prevalence with an intraclass correlation of 0.1.
        chance = rng.beta(9 * prevalence, 9 * (1 - prevalence), len(numbers))[cluster]
        shared = rng.standard_normal(len(numbers))[cluster]
        latent = np.sqrt(0.4) * shared + np.sqrt(0.6) * rng.standard_normal(cluster.size)
        return Design(rng.random(cluster.size) < chance, ndtr(latent), None, cluster)

    return draw


def of_five(n: int) -> list[int]:
    """Clusters of five cases."""
    return [5] * (n // 5)


def one_dominates(n: int) -> list[int]:
    """One cluster with a fifth of the cases, and clusters of four."""
    large = n // 5
    return [large, *[4] * ((n - large) // 4)]


@dataclass(frozen=True)
class Setting:
    """A population, and how data sets are drawn from it.

    ``positives`` and ``negatives`` are distributions of the latent value, ``score`` makes a score
    in [0, 1] of it.
    """

    name: str
    n: int
    prevalence: float
    positives: Any
    negatives: Any
    score: Score
    draw_design: Draw = independent

    @property
    def expected_positives(self) -> float:
        """The expected number of positives."""
        return self.n * self.prevalence

    def draw(self, rng: np.random.Generator) -> Sample:
        """A data set with at least two cases, and two clusters, of each class."""
        design = self._design(rng)
        return self._sample(design, {MODEL: design.quantile})

    def draw_pair(self, rng: np.random.Generator) -> Sample:
        """A data set with the scores of two equally good models, whose ranks are correlated."""
        design = self._design(rng)
        noise = rng.standard_normal(design.quantile.size)
        other = ndtr(CORRELATION * ndtri(design.quantile) + np.sqrt(1 - CORRELATION**2) * noise)
        return self._sample(design, {"a": design.quantile, "b": other})

    def _design(self, rng: np.random.Generator) -> Design:
        while True:
            design = self.draw_design(rng, self.n, self.prevalence)
            cluster = np.arange(self.n) if design.cluster is None else design.cluster
            of_classes = (cluster[design.positive], cluster[~design.positive])
            if min(np.unique(one).size for one in of_classes) >= 2:
                return design

    def _sample(self, design: Design, quantiles: dict[str, Floats]) -> Sample:
        """The sample of the scores at these quantiles of the classes."""
        scores = {
            model: np.asarray(
                self.score(
                    np.where(design.positive, self.positives.ppf(each), self.negatives.ppf(each))
                )
            )
            for model, each in quantiles.items()
        }
        tables = {
            model: ScoreTable.from_cases(design.positive, score, design.weight)
            for model, score in scores.items()
        }
        return Sample(design.positive, scores, tables, design.cluster, design.weight)

    @cached_property
    def population(self) -> ScoreTable:
        """The population itself, from equally likely quantiles of each class."""
        quantile = (np.arange(GRID) + 0.5) / GRID
        scores = [
            np.asarray(self.score(of_class.ppf(quantile)))
            for of_class in (self.positives, self.negatives)
        ]
        weight = np.repeat([self.prevalence, 1 - self.prevalence], GRID) / GRID
        return ScoreTable.from_cases(np.repeat([True, False], GRID), np.concatenate(scores), weight)


def calibrated(distance: float, prevalence: float, steep: float = 1.0) -> Score:
    """The probability of a positive for normal classes at a distance; or a more extreme one."""

    def score(z: Any) -> Any:
        odds = steep * distance * (z - distance / 2) + logit(prevalence)
        return expit(np.clip(odds, -30, 30))

    return score


def squashed(center: float, width: float = 1.0) -> Score:
    """A logistic function of the latent value."""
    return lambda z: expit(np.clip((z - center) / width, -30, 30))


def levels(score: Score, number: int) -> Score:
    """A score that is rounded to the middles of a few equal bins."""
    return lambda z: (np.minimum(np.floor(number * score(z)), number - 1) + 0.5) / number


def normal(distance: float, spread: float = 1.0) -> tuple[Any, Any]:
    """Normal classes: the positives at a distance from the negatives."""
    return stats.norm(distance, spread), stats.norm(0, 1)


CAUCHY = stats.cauchy(7.8), stats.cauchy(0)
STUDENT = stats.t(3, 2.2), stats.t(3, 0)
GAMMA = stats.gamma(3.0), stats.gamma(1.2)
BETA = stats.beta(2.0, 1.0), stats.beta(1.0, 3.0)

CHOOSING = (
    Setting("rare positives", 200, 0.05, *normal(1.2), calibrated(1.2, 0.05)),
    Setting("rare, overconfident", 200, 0.05, *normal(1.0), calibrated(1.0, 0.05, 2.5)),
    Setting("small", 40, 0.25, *normal(1.2), calibrated(1.2, 0.25)),
    Setting("heavy tails", 100, 0.3, *CAUCHY, squashed(3.9, 2.0)),
    Setting("nearly perfect", 100, 0.5, *normal(3.29), calibrated(3.29, 0.5)),
    Setting("clusters", 200, 0.3, *normal(1.2), calibrated(1.2, 0.3, 1.3), clustered(of_five)),
    Setting("weights", 150, 0.3, *normal(1.2), calibrated(1.2, 0.3, 1.3), weighted),
    Setting("balanced", 200, 0.5, *normal(1.2), calibrated(1.2, 0.5)),
    Setting("large", 5000, 0.1, *normal(1.5), calibrated(1.5, 0.1, 1.2)),
)
"""Settings on which methods were chosen."""
HOLDOUT = (
    Setting("very few positives", 120, 0.06, *normal(1.5), calibrated(1.5, 0.06)),
    Setting("two percent", 1000, 0.02, *normal(1.5, 1.5), calibrated(1.5, 0.02)),
    Setting("skewed", 120, 0.3, *GAMMA, squashed(2.0)),
    Setting("few distinct scores", 150, 0.2, *normal(1.0), levels(calibrated(1.0, 0.2, 2.0), 5)),
    Setting("beta", 100, 0.4, *BETA, lambda z: z),
    Setting("student", 60, 0.4, *STUDENT, squashed(1.1, 0.8)),
    Setting(
        "one dominating cluster", 250, 0.3, *normal(1.4), calibrated(1.4, 0.3),
        clustered(one_dominates),
    ),
    Setting(
        "post-stratification", 200, 0.3, *normal(1.2), calibrated(1.2, 0.3), post_stratified
    ),
    Setting("unequal spread", 300, 0.1, *normal(2.0, 2.0), squashed(1.5)),
    Setting("five positives", 50, 0.1, *normal(1.3), calibrated(1.3, 0.1)),
    Setting("rare, weights", 250, 0.06, *normal(1.4), calibrated(1.4, 0.06), weighted),
    Setting(
        "rare, clusters", 300, 0.05, *normal(1.4), calibrated(1.4, 0.05), clustered(of_five)
    ),
    Setting("calibrated", 200, 0.2, *normal(1.2), calibrated(1.2, 0.2)),
)  # fmt: skip
"""Settings that played no part in choosing."""
