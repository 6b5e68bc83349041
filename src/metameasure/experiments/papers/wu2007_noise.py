"""Simulations of Wu, Flach and Ferri (2007): the noise study of Fig. 2, and the power of sAUC."""

from __future__ import annotations

import math
from functools import partial
from statistics import NormalDist
from typing import TYPE_CHECKING

from metameasure import lab
from metameasure.experiments.declaration import Value, item
from metameasure.experiments.figures import noise_figure
from metameasure.experiments.tolerance import Sampling

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

MEASURES = ["scored_auc", "brier", "auc", "accuracy"]
REPEATS = 10_000


@item(
    "wu2007",
    "figure2",
    kind="mc",
    question="How often does noise in the scores change which of two models a measure prefers?",
    cells=[{"k": [k / 10 for k in range(1, 11)]}],
    tolerance=Sampling(repeats=REPEATS),
    cost=15.0,
    repeats=REPEATS,
    block=2000,
    convention="both data sets have their own true probabilities; noise k U(-.5, .5) is added and "
    "the scores are clipped to [0, 1]; a change from or to a tie counts one half. The row is k",
    figure=partial(noise_figure, noise="noise k", repeats=REPEATS, rate="change"),
)
def figure_2(k: list[float], repeats: int, generator: np.random.Generator) -> Iterator[Value]:
    """The share of pairs in which noise changes the preferred model."""
    seed = int(generator.integers(2**31))
    levels = [each / 2 for each in k]
    found = lab.robustness(
        "swapped_labels", "clipped_scores", levels, MEASURES, repeats, seed=seed, workers=1
    )
    for row in found.rows:
        rate = row.change_rate
        error = math.sqrt(rate * (1 - rate) / repeats)
        yield Value(f"{2 * row.level:g}", row.measure, rate, error, count=repeats)


ALTERNATIVES = {
    "normal": lab.location(0.6, "normal"),
    "normal, extreme scores": lab.location(0.6, "normal", 4.0),
    "uniform": lab.location(0.6, "uniform", 0.25),
    "Laplace": lab.location(0.6, "laplace", 0.25),
    "exponential": lab.location(0.6, "exponential", 0.25),
}
SIZE, LEVEL, PERMUTATIONS = 25, 0.05, 199
POWER_GAIN = "sAUC - AUC"


@item(
    "wu2007",
    "section5",
    kind="mc",
    question="Has sAUC more power than the Wilcoxon-Mann-Whitney test, which is that of AUC?",
    cells=[{"shift": name} for name in ALTERNATIVES],
    tolerance=Sampling(),
    cost=15.0,
    repeats=2000,
    convention=f"{SIZE} positives, shifted by 0.6 standard deviations, and {SIZE} negatives; two-"
    f"sided permutation tests at {LEVEL} with {PERMUTATIONS} permutations; the preliminary "
    "experiments of the paper are not described. Nothing is printed",
)
def section_5(shift: str, repeats: int, generator: np.random.Generator) -> Iterator[Value]:
    """The power of both tests, and the paired difference."""
    found = lab.power(
        ["auc", "scored_auc"],
        ALTERNATIVES[shift],
        SIZE,
        SIZE,
        level=LEVEL,
        repeats=repeats,
        permutations=PERMUTATIONS,
        seed=int(generator.integers(2**31)),
        workers=1,
    )
    for row in found.rows:
        if row.alternative != "none":
            error = math.sqrt(row.power * (1 - row.power) / repeats)
            yield Value(shift, row.measure, row.power, error, count=repeats)
    (gap,) = [row for row in found.differences("auc").rows if row.alternative != "none"]
    error = (gap.high - gap.low) / (2 * NormalDist().inv_cdf(0.975))
    yield Value(shift, POWER_GAIN, gap.difference, error, count=repeats)
