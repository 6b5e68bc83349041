"""Coverage of calibration errors of miscalibrated scores with skewed and heavy-tailed classes."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit

import metameasure as mm

POPULATIONS = {
    "skewed": (stats.gamma(3.0), stats.gamma(1.2), lambda z: expit(z - 2.0)),
    "heavy tails": (stats.cauchy(7.8), stats.cauchy(0), lambda z: expit((z - 3.9) / 2)),
}


@pytest.mark.parametrize("name", POPULATIONS)
def test_errors_of_miscalibrated_scores_are_covered(name):
    """120 cases, 30% positive; the standard error of 92% is 1.6%."""
    positives, negatives, score = POPULATIONS[name]
    grid = (np.arange(10**5) + 0.5) / 10**5
    latent = np.concatenate([positives.ppf(grid), negatives.ppf(grid)])
    label = np.repeat([True, False], grid.size)
    truth = mm.ece(label, score(latent), sample_weight=np.where(label, 0.3, 0.7))
    rng, covered = np.random.default_rng(7), 0
    for _ in range(300):
        label, place = rng.random(120) < 0.3, rng.random(120)
        latent = np.where(label, positives.ppf(place), negatives.ppf(place))
        found = mm.interval(label, score(latent), "ece", workers=1)
        covered += found.low <= truth <= found.high
    assert covered / 300 >= 0.92 - 2.33 * 0.0157
