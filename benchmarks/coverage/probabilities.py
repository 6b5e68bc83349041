"""Coverage of the intervals of measures against true probabilities, and the size of paired tests.

    python -m benchmarks.coverage.probabilities                   about five minutes
    python -m benchmarks.coverage.probabilities --data-sets 100

The logit of the true probability is normal, and models add errors to it, or shrink it. In the
paired tests two models with independent errors of the same size are compared.
"""

from __future__ import annotations

import argparse
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

from metameasure.data import SoftLabels
from metameasure.inference import PairPlan, Plan, ProbabilitySample, differences, measure_intervals
from metameasure.measurement import parse_list

if TYPE_CHECKING:
    from collections.abc import Callable

MEASURES = [measure.of_probabilities() for measure in parse_list("brier, rms, log_loss")]
SIZES = (25, 50, 100, 400)
MANY = 10**6
"""Number of cases from which the true value is computed."""
CONFIDENCE = 0.95

SETTINGS: dict[str, tuple[float, Callable[[np.random.Generator, np.ndarray], np.ndarray]]] = {
    "normal errors": (0.0, lambda rng, logit: logit + rng.normal(scale=0.5, size=logit.shape)),
    "heavy tails": (
        0.0,
        lambda rng, logit: logit + 0.5 * np.clip(rng.standard_t(3, logit.shape), -20, 20),
    ),
    "shrunk": (0.0, lambda rng, logit: 0.5 * logit + rng.normal(scale=0.1, size=logit.shape)),
    "rare positives": (-3.0, lambda rng, logit: logit + rng.normal(scale=0.7, size=logit.shape)),
    "Laplace": (0.5, lambda rng, logit: logit + rng.laplace(scale=0.6, size=logit.shape)),
    "mixture": (
        -1.0,
        lambda rng, logit: (
            logit + np.where(rng.random(logit.shape) < 0.1, 2.0, 0.3) * rng.normal(size=logit.shape)
        ),
    ),
    "rare, tails": (
        -3.5,
        lambda rng, logit: logit + 0.6 * np.clip(rng.standard_t(4, logit.shape), -20, 20),
    ),
    "overconfident": (
        -1.0,
        lambda rng, logit: 1.5 * logit + rng.normal(scale=0.2, size=logit.shape),
    ),
    "very rare": (-4.5, lambda rng, logit: logit + rng.normal(scale=0.7, size=logit.shape)),
}
"""The mean of the true logits, and the predicted logits, from the true ones.

The distance of losses that were not observed was chosen with all of them in view, mainly on the
first four.
"""


def probabilities(
    rng: np.random.Generator, size: int, setting: str, models: str = "m"
) -> ProbabilitySample:
    """Cases with the predictions of some models, whose errors are independent."""
    center, predicted = SETTINGS[setting]
    logit = rng.normal(center, 1.5, size=size)
    scores = {model: expit(predicted(rng, logit)) for model in models}
    return ProbabilitySample.of(SoftLabels.of(expit(logit), scores))


def coverage(rng: np.random.Generator, size: int, setting: str, data_sets: int) -> np.ndarray:
    """The fraction of the intervals of each measure that contain its true value."""
    whole = probabilities(rng, MANY, setting).tables["m"]
    target = [measure.quiet_value(whole) for measure in MEASURES]
    hits = np.zeros(len(MEASURES))
    for _ in range(data_sets):
        sample = probabilities(rng, size, setting)
        found = measure_intervals(sample, {"m": MEASURES}, Plan(ci=CONFIDENCE))
        hits += [
            one.low <= right <= one.high for one, right in zip(found.values(), target, strict=True)
        ]
    return hits / data_sets


def rejections(rng: np.random.Generator, size: int, setting: str, data_sets: int) -> np.ndarray:
    """The fraction of the paired tests of equally good models that reject."""
    plan, rejected = PairPlan(ci=CONFIDENCE, resamples=200), np.zeros(len(MEASURES))
    for _ in range(data_sets):
        sample = probabilities(rng, size, setting, "ab")
        gaps = [differences(sample, m, [("a", "b")], plan)[0] for m in MEASURES]
        rejected += [gap.pvalue < 1 - CONFIDENCE for gap in gaps]
    return rejected / data_sets


def main() -> None:
    """Print the coverage and the fraction of rejections in each setting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-sets", type=int, default=600)
    given = parser.parse_args()
    print("cases  setting         what       ", "  ".join(f"{m!s:>8s}" for m in MEASURES))
    for number, (setting, size) in enumerate(product(SETTINGS, SIZES)):
        rng = np.random.default_rng([size, number])
        for what, compute in (("coverage", coverage), ("rejections", rejections)):
            shares = compute(rng, size, setting, given.data_sets)
            values = "  ".join(f"{share:8.1%}" for share in shares)
            print(f"{size:5d}  {setting:14s}  {what:11s}", values, flush=True)


if __name__ == "__main__":
    main()
