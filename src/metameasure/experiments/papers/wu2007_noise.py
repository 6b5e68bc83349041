"""The noise study of Wu, Flach and Ferri (2007): Fig. 2."""

from __future__ import annotations

import math
from functools import partial
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
