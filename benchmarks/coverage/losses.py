"""Coverage of the intervals of mean losses and of means over pairs in hard places.

    python -m benchmarks.coverage.losses                    about five minutes
    python -m benchmarks.coverage.losses --holdout          other populations than the method's own
    python -m benchmarks.coverage.losses --method earlier   normal and delong_logit
    python -m benchmarks.coverage.losses --cases clusters --data-sets 100

The first populations are those on which the method was chosen; it was fixed before the others were
tried, except for the effective number of clusters of different sizes. A population is a pair of
quantile functions, so that the truth is known. The classes are drawn, with at least two cases each.
Besides independent cases of equal weight (``alike``) there are:

- class_weights: half of the cases are positive, and weights restore the prevalence;
- random_weights: 1 or, with a probability of 1/10, 10;
- score_weights: high scores are drawn up to three times as often, and weights correct it;
- clusters: of five cases, whose classes and scores are correlated;
- dominating_cluster: the same, but one cluster has a fifth of the cases.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

import numpy as np
from scipy.special import expit, logit, ndtr, ndtri
from scipy.stats import beta, binom, expon, laplace, t

from metameasure.inference import Plan, Sample, measure_intervals
from metameasure.measurement import PairMean, parse_list
from metameasure.table import ScoreTable

Quantile = Callable[[np.ndarray], np.ndarray]
Scores = tuple[Quantile, Quantile]
"""The quantile functions of the scores of positives and of negatives."""
Drawn = tuple[np.ndarray, np.ndarray, np.ndarray | None, np.ndarray | None]
"""Classes, scores, weights and clusters."""

MEASURES = parse_list(
    "brier, log_loss, net_benefit(t=0.1), net_benefit(t=0.3), scored_auc, margin_auc, soft_auc, "
    "mean_gap, r_plus"
)
SIZES = ((40, 0.25), (100, 0.1), (100, 0.3), (200, 0.05), (200, 0.5), (60, 0.5), (100, 0.06))
HOLDOUT_SIZES = ((50, 0.2), (150, 0.07), (300, 0.04), (500, 0.02), (80, 0.5), (120, 0.05))
"""Numbers of cases and prevalences."""
GRID = 40_000
"""Number of scores per class that the truth is computed from."""
SMALLEST = 1e-12
"""Scores are at least this far from 0 and 1, so that the log loss is finite."""
FEW = 9.9
"""Expected number of positives below which 90% are enough instead of 92%."""
PER_CLUSTER, CORRELATION = 5, 0.3


def chosen_on(prevalence: float) -> dict[str, Scores]:
    """The populations that the method was chosen on."""
    prior = logit(prevalence)

    def normal(distance: float, steepness: float, spread: float = 1.0) -> Scores:
        """Log odds that are right for steepness 1 and spread 1, and else too extreme."""

        def score(z: np.ndarray) -> np.ndarray:
            return expit(steepness * distance * (z - distance / 2) + prior)

        return lambda u: score(distance + spread * ndtri(u)), lambda u: score(ndtri(u))

    def student(distance: float, degrees: float) -> Scores:
        tails = t(degrees)
        middle = prior - distance / 2
        return lambda u: expit(middle + distance + tails.ppf(u)), lambda u: expit(
            middle + tails.ppf(u)
        )

    good, bad = normal(3.0, 1.0)
    found = {
        f"normal {distance:g}, steepness {steepness}": normal(distance, steepness)
        for distance, steepness in ((1, 1), (1, 3), (2, 1), (2, 2), (3.3, 1), (3.3, 2))
    }
    return found | {
        "student, 2 degrees": student(4.2, 2),
        "student, 3 degrees": student(2.0, 3),
        "wide positives": normal(1.5, 1, 2.0),
        "mixture": (lambda u: np.where(u < 0.15, bad(u / 0.15), good((u - 0.15) / 0.85)), bad),
    }


def held_out(prevalence: float) -> dict[str, Scores]:
    """Other distributions, on which nothing was chosen."""
    prior = logit(prevalence)

    def betas(*shapes: float) -> Scores:
        pos, neg = beta(*shapes[:2]), beta(*shapes[2:])
        return pos.ppf, neg.ppf

    def levels(score: Quantile) -> Quantile:
        return lambda u: (np.minimum(np.floor(5 * score(u)), 4) + 0.5) / 5

    def overconfident(mean: float) -> Quantile:
        return lambda u: np.clip(expit(4.8 * (ndtri(u) + mean) + prior), 1e-4, 1 - 1e-4)

    def doubly_exponential(mean: float) -> Quantile:
        return lambda u: expit(laplace.ppf(u, mean, 1.2) + prior)

    return {
        "beta": betas(4, 2, 2, 4),
        "low scores": betas(2, 6, 0.8, 12),
        "scores at both ends": betas(0.6, 0.3, 0.2, 1),
        "five scores": (
            levels(lambda u: expit(2 * ndtri(u) + 2 + prior)),
            levels(lambda u: expit(2 * ndtri(u) - 2 + prior)),
        ),
        "overconfident": (overconfident(0.6), overconfident(-0.6)),
        "skewed": (
            lambda u: expit(-2 + 1.5 * expon.ppf(u)),
            lambda u: expit(-3 + 0.6 * expon.ppf(u)),
        ),
        "laplace": (doubly_exponential(1.2), doubly_exponential(-1.2)),
    }


def scores_at(scores: Scores, positive: np.ndarray, u: np.ndarray) -> np.ndarray:
    """The scores of cases at these quantiles of their classes."""
    u = np.clip(u, 1e-15, 1 - 1e-15)
    found = np.where(positive, scores[0](u), scores[1](u))
    return np.clip(found, SMALLEST, 1 - SMALLEST)


def alike(rng: np.random.Generator, scores: Scores, n: int, prevalence: float) -> Drawn:
    """Independent cases of equal weight."""
    positive = rng.random(n) < prevalence
    return positive, scores_at(scores, positive, rng.random(n)), None, None


def class_weights(rng: np.random.Generator, scores: Scores, n: int, prevalence: float) -> Drawn:
    """Half of the cases are positive."""
    positive, score, _, _ = alike(rng, scores, n, 0.5)
    return positive, score, np.where(positive, prevalence, 1 - prevalence) / 0.5, None


def random_weights(rng: np.random.Generator, scores: Scores, n: int, prevalence: float) -> Drawn:
    """Weights that have nothing to do with class or score."""
    positive, score, _, _ = alike(rng, scores, n, prevalence)
    return positive, score, np.where(rng.random(n) < 0.1, 10.0, 1.0), None


def score_weights(rng: np.random.Generator, scores: Scores, n: int, prevalence: float) -> Drawn:
    """The density of the quantiles rises from 1/2 to 3/2."""
    positive = rng.random(n) < prevalence
    u = (np.sqrt(1 + 8 * rng.random(n)) - 1) / 2
    return positive, scores_at(scores, positive, u), 1 / (0.5 + u), None


def clusters(rng: np.random.Generator, scores: Scores, n: int, prevalence: float) -> Drawn:
    """Clusters of equal size, with normal copulas of the classes and of the scores."""
    return _clustered(rng, scores, np.arange(n) // PER_CLUSTER, prevalence)


def dominating_cluster(
    rng: np.random.Generator, scores: Scores, n: int, prevalence: float
) -> Drawn:
    """One cluster has a fifth of the cases."""
    cluster = np.maximum(np.arange(n) // PER_CLUSTER - n // (5 * PER_CLUSTER) + 1, 0)
    return _clustered(rng, scores, cluster, prevalence)


def _clustered(
    rng: np.random.Generator, scores: Scores, cluster: np.ndarray, prevalence: float
) -> Drawn:
    def uniform() -> np.ndarray:
        shared = rng.normal(size=cluster.max() + 1)[cluster]
        alone = rng.normal(size=cluster.size)
        return ndtr(math.sqrt(CORRELATION) * shared + math.sqrt(1 - CORRELATION) * alone)

    positive = uniform() < prevalence
    return positive, scores_at(scores, positive, uniform()), None, cluster


CASES = {
    each.__name__: each
    for each in (alike, class_weights, random_weights, score_weights, clusters, dominating_cluster)
}


def truth(scores: Scores, prevalence: float) -> list[float]:
    """The values of all measures in the population."""
    u = np.tile((np.arange(GRID) + 0.5) / GRID, 2)
    positive = np.repeat([True, False], GRID)
    weight = np.where(positive, prevalence, 1 - prevalence)
    table = ScoreTable.from_cases(positive, scores_at(scores, positive, u), weight)
    return [float(measure.compute(table)) for measure in MEASURES]


def drawn_sample(draw: Callable[[], Drawn]) -> Sample:
    """A sample with at least two cases, or clusters, of each class."""
    while True:
        positive, score, weight, cluster = draw()
        table = ScoreTable.from_cases(positive, score, weight)
        sample = Sample(positive, {"m": score}, {"m": table}, cluster, weight)
        if min(sample.units_of_classes) > 1:
            return sample


def coverage(
    scores: Scores, size: tuple[int, float], cases: str, method: str, data_sets: int
) -> np.ndarray:
    """For each measure, the fraction of intervals with the truth, and the mean length."""
    n, prevalence = size
    values = truth(scores, prevalence)
    rng = np.random.default_rng([n, round(1000 * prevalence)])
    found = np.zeros((len(MEASURES), 2))
    for _ in range(data_sets):
        sample = drawn_sample(lambda: CASES[cases](rng, scores, n, prevalence))
        for place, measure in enumerate(MEASURES):
            name = method
            if method == "earlier":
                name = "delong_logit" if isinstance(measure.sampling, PairMean) else "normal"
            plan = Plan(method=name, seed=1, workers=1, resamples=500)
            (one,) = measure_intervals(sample, {"m": [measure]}, plan).values()
            found[place] += one.low <= values[place] <= one.high, one.high - one.low
    return found / data_sets


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data-sets", type=int, default=400, help="of each setting")
    parser.add_argument("--holdout", action="store_true", help="the other populations")
    parser.add_argument("--cases", choices=CASES, default="alike")
    parser.add_argument("--method", choices=("auto", "earlier", "bca"), default="auto")
    options = parser.parse_args()
    sizes, made = (HOLDOUT_SIZES, held_out) if options.holdout else (SIZES, chosen_on)
    found = {
        (name, n, prevalence): coverage(
            scores, (n, prevalence), options.cases, options.method, options.data_sets
        )
        for n, prevalence in sizes
        for name, scores in made(prevalence).items()
    }
    print(
        f"{options.method}, {options.cases}: {len(found)} settings of {options.data_sets} data "
        "sets, nominal 95%; too low: below 92%, or 90% with fewer than 10 expected positives"
    )
    print(
        f"{'measure':22}{'mean':>6}{'lowest':>8}{'too low':>8}{'> 98%':>7}{'length':>9}  lowest at"
    )
    enough = [0.92 if n * prevalence >= FEW else 0.9 for _, n, prevalence in found]
    for place, measure in enumerate(MEASURES):
        shares, lengths = np.array([one[place] for one in found.values()]).T
        counts = np.round(shares * options.data_sets)
        low = np.count_nonzero(binom.cdf(counts, options.data_sets, enough) < 0.01)
        text = f"{shares.mean():6.3f}{shares.min():8.3f}{low:8}{np.count_nonzero(shares > 0.98):7}"
        print(f"{measure!s:22}{text}{np.mean(lengths):9.4f}  {list(found)[int(shares.argmin())]}")


if __name__ == "__main__":
    main()
