"""The synthetic noise studies of Berrar (2014): Fig. 4, 5 and 6."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure import lab
from metameasure.experiments.declaration import Value, item
from metameasure.experiments.figures import noise_figure
from metameasure.experiments.tolerance import Sampling

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MEASURES = ["h_measure", "auc", "auch", "scored_auc", "ks", "taks"]
REPEATS = 10_000
CUT = 0.5
"""The score from which a case is positive."""
TOGETHER = 16
"""Number of levels that share their pairs of models, so that the curves are smooth."""
MODELS = (
    "100 uniform scores, positive from 0.5 on; C1 has 10 of them redrawn, C2 another 10 cases as "
    "well; "
)


def _levels(levels: Sequence[float]) -> list[dict[str, list[float]]]:
    return [
        {"levels": list(levels[begin : begin + TOGETHER])}
        for begin in range(0, len(levels), TOGETHER)
    ]


def _errors(
    noise: Any,
    levels: Sequence[float],
    repeats: int,
    generator: np.random.Generator,
    pairs: str | lab.ReplacedScores = "replaced_scores",
) -> Iterator[Value]:
    """The error rate of each measure; a row is named by the level of noise."""
    seed = int(generator.integers(2**31))
    found = lab.robustness(pairs, noise, levels, MEASURES, repeats, seed=seed, workers=1)
    for row in found.rows:
        rate = row.error_rate
        error = math.sqrt(rate * (1 - rate) / repeats)
        yield Value(f"{row.level:g}", row.measure, rate, error, count=repeats)


study = partial(
    item,
    "berrar2014",
    kind="mc",
    tolerance=Sampling(repeats=REPEATS),
    repeats=REPEATS,
    block=2500,
    cost=60.0,
)


@study(
    "figure4",
    question="How often do labels that are redrawn make a measure prefer the worse model?",
    cells=_levels([level / 100 for level in range(101)]),
    convention=MODELS + "a share of the labels is redrawn, each class with probability 1/2",
    errata={("", "0", measure): "Berrar 8" for measure in MEASURES},
    figure=partial(noise_figure, noise="labels", repeats=REPEATS),
)
def figure_4(levels: list[float], repeats: int, generator: np.random.Generator) -> Iterator[Value]:
    """Error rates by the share of redrawn labels."""
    return _errors("labels", levels, repeats, generator)


@study(
    "figure5",
    question="How often does noise in the scores make a measure prefer the worse model?",
    cells=_levels([level / 200 for level in range(101)]),
    convention=MODELS + "uniform noise on [-x, x], drawn for each model on its own and not clipped "
    "(Berrar 9); the row is x, 0.5 being called 100% noise",
    figure=partial(noise_figure, noise="scores", repeats=REPEATS),
)
def figure_5(levels: list[float], repeats: int, generator: np.random.Generator) -> Iterator[Value]:
    """Error rates by the largest shift of the scores."""
    return _errors("scores", levels, repeats, generator)


@study(
    "figure6",
    question="How often do deleted positives make a measure prefer the worse model?",
    cells=_levels([level / 100 for level in range(5, 96)]),
    convention=MODELS + "a share of the positives is deleted",
    figure=partial(noise_figure, noise="class_proportion", repeats=REPEATS),
)
def figure_6(levels: list[float], repeats: int, generator: np.random.Generator) -> Iterator[Value]:
    """Error rates by the share of deleted positives."""
    return _errors("class_proportion", levels, repeats, generator)


def _one_noise(pairs: lab.Pairs, level: float, rng: np.random.Generator) -> lab.Pairs:
    """The same noise for both models."""
    shift = rng.uniform(-level, level, pairs.better.shape)
    return replace(pairs, better=pairs.better + shift, worse=pairs.worse + shift)


def _noise_before(pairs: lab.Pairs, level: float, rng: np.random.Generator) -> lab.Pairs:
    """Noise in C1, from which C2 is then made: its further scores have none."""
    noisy = pairs.better + rng.uniform(-level, level, pairs.better.shape)
    worse = np.where(pairs.better == pairs.worse, noisy, pairs.worse)
    return replace(pairs, better=noisy, worse=worse)


READINGS = {
    "noise of their own": "scores",
    "one noise for both": _one_noise,
    "noise before C2 is made": _noise_before,
}


@study(
    "section4.1.2",
    question="Which noise in the scores gives the order of the measures in Fig. 5?",
    cells=[
        {"reading": reading, "levels": [level / 20 for level in range(1, 11)]}
        for reading in READINGS
    ],
    convention=MODELS + "three readings of noise that is added to all ranking scores (Berrar 9); "
    "the row is x. Nothing is printed",
    cost=20.0,
)
def section_4_1_2(
    reading: str, levels: list[float], repeats: int, generator: np.random.Generator
) -> Iterator[Value]:
    """Error rates by the largest shift of the scores, for each reading."""
    for value in _errors(READINGS[reading], levels, repeats, generator):
        yield replace(value, part=reading)


CASES = (50, 100, 200, 400)
LEVELS = {"labels": 0.3, "scores": 0.25, "class_proportion": 0.8}
ACCURACY = "accuracy"


@study(
    "section4.1",
    question="Does the number of cases change the order of the measures, and how accurate are C1 "
    "and C2?",
    cells=[{"cases": cases} for cases in CASES],
    repeats=5000,
    block=2500,
    convention="as Fig. 4, 5 and 6, a tenth of the scores being redrawn and another tenth for C2; "
    "30% of the labels redrawn, noise up to 0.25, 80% of the positives deleted; the row is the "
    "number of cases. Nothing is printed",
    cost=20.0,
)
def section_4_1(cases: int, repeats: int, generator: np.random.Generator) -> Iterator[Value]:
    """Error rates with each kind of noise, and the accuracy of both models without any."""
    pairs = lab.ReplacedScores(cases=cases, replaced=cases // 10, further=cases // 10)
    for noise, level in LEVELS.items():
        for value in _errors(noise, [level], repeats, generator, pairs):
            yield replace(value, row=str(cases), part=noise)
    drawn = pairs.draw(repeats, generator)
    for model, scores in (("C1", drawn.better), ("C2", drawn.worse)):
        right = np.mean((scores >= CUT) == drawn.positive, axis=1)
        error = float(right.std(ddof=1)) / math.sqrt(repeats)
        yield Value(str(cases), model, float(right.mean()), error, ACCURACY, repeats)
