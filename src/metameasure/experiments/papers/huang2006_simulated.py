"""Monte Carlo items of Huang (2006): Table 3.12 with Fig. 3.2, and Table 4.6."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from metameasure import lab
from metameasure.experiments.declaration import Value, item
from metameasure.experiments.figures import panels
from metameasure.experiments.tolerance import Sampling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.figure import Figure

    from metameasure.experiments.reproduction import Reproduction

PAIRS = 50_000
"""The number of pairs of lists behind a cell of Table 3.12."""
FEWEST = 1000
"""The least number of lists of a simulated domain."""


def _seed(generator: np.random.Generator) -> int:
    return int(generator.integers(2**31))


def _figure_3_2(result: Reproduction) -> Figure:
    axes = {"C": "degree of consistency C", "D": "degree of discriminancy D"}
    return panels(result, axes, x="number of classes")


@item(
    "huang2006",
    "table3.12",
    kind="mc",
    question="How do consistency and discriminancy of AUC and accuracy change with the number of "
    "classes (and Fig. 3.2)?",
    cells=[{"classes": classes} for classes in range(3, 11)],
    tolerance=Sampling(),
    cost=120.0,
    repeats=20_000,
    block=2000,
    convention="the probabilities of a case are uniform numbers divided by their sum; two cases "
    "have their largest probability in each class, and the true classes are in random order "
    "(Huang 18: the text leaves this open). Found by search: of 12 conventions (normalized "
    "uniforms, a uniform distribution over all probabilities, or a stick that is broken; with or "
    "without equal numbers of largest probabilities; classes by the largest probability or in "
    "equal portions) none is nearer in all rows, and for 3 classes C is 0.839 to 0.915. Repeats "
    "are lists",
    figure=_figure_3_2,
)
def table_3_12(classes: int, repeats: int, generator: np.random.Generator) -> Iterator[Value]:
    """C and D on random lists with two cases per class."""
    lists = lab.multiclass(classes, 2, lists=max(repeats, FEWEST), seed=_seed(generator))
    found = lab.compare("hand_till_auc", "accuracy", lists, workers=1)
    counts = found.counts
    drawn = PAIRS / counts.pairs
    c, d = found.consistency, found.discriminancy
    judged, alone = drawn * (counts.con + counts.incon), (counts.dis_fg, counts.dis_gf)
    spread = math.sqrt(c * (1 - c) / judged)
    ratio = d * math.sqrt(sum(1 / (drawn * count) for count in alone))
    row = str(classes)
    errors = found.consistency_se or 0.0, found.discriminancy_se or 0.0
    yield Value(row, "C", c, errors[0], count=repeats, print_error=spread)
    yield Value(row, "D", d, errors[1], count=repeats, print_error=ratio)


LISTS = 200
"""The number of lists of a sample; five samples are behind a printed cell of Table 4.6."""
WEIGHT = {"AUC:acc": 100 / 101, "AUC+acc": math.sqrt(0.5)}
"""The weight of AUC in each linear combination; AUC + acc/100 stands for AUC:acc."""


COMPARED = (("AUC:acc", "AUC"), ("AUC+acc", "AUC"), ("AUC+acc", "AUC:acc"))
"""Pairs of measures whose correlations are compared sample by sample."""


def _correlations(
    noise: float, accuracy: str, edges: str, repeats: int, generator: np.random.Generator
) -> Iterator[Value]:
    """The correlation of measures with the distance from the true probabilities."""
    measures = {"acc": accuracy, "AUC": "auc"}
    measures |= {
        name: f"linear(auc, {accuracy}, alpha={weight!r})" for name, weight in WEIGHT.items()
    }
    found = lab.correlation_with(
        "true_probabilities",
        list(measures.values()),
        lab.perturbed(noise, edges=edges),
        lists=LISTS,
        repeats=repeats,
        seed=_seed(generator),
        workers=1,
    )
    for name, row in zip(measures, found.rows, strict=True):
        spread = (1 - row.pearson**2) / math.sqrt(5 * LISTS)
        yield Value(
            f"{noise:g}", name, row.pearson, row.pearson_se, count=repeats, print_error=spread
        )
    of_samples = {
        name: pearson for name, (pearson, _) in zip(measures, found.samples.values(), strict=True)
    }
    for one, other in COMPARED:
        gap, row = of_samples[one] - of_samples[other], f"{noise:g}"
        spread = float(np.nanstd(gap, ddof=1))
        yield Value(
            row, f"{one} - {other}", np.nanmean(gap), spread / math.sqrt(repeats), count=repeats
        )
        error = spread / math.sqrt(2 * (repeats - 1))
        yield Value(row, f"{one} - {other}, spread", spread, error, count=repeats)


ROWS = [{"noise": noise} for noise in (0.3, 0.5, 0.7, 0.8, 0.9)]
correlations = partial(
    item,
    "huang2006",
    kind="mc",
    cells=ROWS,
    tolerance=Sampling(),
    cost=20.0,
    repeats=400,
    block=100,
    version=2,
    errata={
        ("", f"{cell['noise']:g}", name): "Huang 17"
        for cell in ROWS
        for name in ("acc", "AUC", *WEIGHT)
    },
)


@correlations(
    "table4.6",
    question="How closely do measures follow the distance from the true probabilities?",
    convention="as the text has it: scores are uniform on the interval around the true probability "
    "cut at 0 and 1, and positive is what reaches 0.5; lists of 20, which the text leaves open. "
    "AUC:acc is AUC + acc/100; repeats are samples of 200 lists; spread is the standard deviation "
    "of a difference over the samples",
)
def table_4_6(noise: float, repeats: int, generator: np.random.Generator) -> Iterator[Value]:
    """Pearson correlations, by the half-width of the perturbation."""
    return _correlations(noise, "accuracy", "truncate", repeats, generator)


@correlations(
    "table4.6-clipped",
    question="Table 4.6 with the perturbation that gives the printed figures.",
    alternative_to="table4.6",
    convention="a uniform number is added and the score clipped to [0, 1], and as many cases are "
    "called positive as there are positives, in lists of 20. Found by search over 28 conventions "
    "(both perturbations, both accuracies, seven lengths from 10 to 100): those with a truncated "
    "interval agree in 5 to 7 of 20 cells, those that clip in 19 or 20",
)
def table_4_6_found(noise: float, repeats: int, generator: np.random.Generator) -> Iterator[Value]:
    """Table 4.6 with another perturbation than the text describes."""
    return _correlations(noise, "accuracy@k=P", "clip", repeats, generator)
