"""The examples of Berrar (2014): Fig. 1, 2 and 3."""

from __future__ import annotations

import math
import warnings
from functools import partial
from typing import TYPE_CHECKING

import metameasure as mm
from metameasure.experiments.declaration import Value, item
from metameasure.experiments.tolerance import LastDigit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.figure import Figure

    from metameasure.experiments.reproduction import Reproduction

exact = partial(item, "berrar2014", kind="exact", tolerance=LastDigit(), cells=[{}], cost=0.1)
FIGURE_1 = {
    "a": [1, 1, 0, 0],
    "b": [0.7, 0.7, 0.4, 0.4],
    "c": [0.9, 0.8, 0.3, 0.2],
}
FIGURE_2 = [1, 1, 0, 1, 1, 0, 0, 1, 0, 0]
PERFECT = [0.95, 0.80, 0.70, 0.65, 0.60, 0.50, 0.40, 0.30, 0.20, 0.10]
FIGURE_3 = {
    "a": [1, 1, 1, 1, 1, 0, 0, 0, 0, 0],
    "b": PERFECT,
    "c": [0.80, *PERFECT[1:]],
    "c with 0.95 twice": [0.95, 0.95, *PERFECT[2:]],
    "g": [0, 0, 0, 0, 0, 1, 1, 1, 1, 1],
    "h": [0.5] * 10,
}
HALVES = [1] * 5 + [0] * 5


def _values(row: str, table: mm.ScoreTable) -> Iterator[Value]:
    """What the text says of a prediction; measures that are undefined are NaN."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mm.UndefinedMeasureWarning)
        yield Value(row, "thresholds", table.distinct + 1)
        yield Value(row, "AUC", mm.auc.compute(table))
        yield Value(row, "ABC", mm.abc.compute(table))
        yield Value(row, "taKS", mm.taks.compute(table) if table.distinct > 1 else math.nan)


@exact("figure1", question="Which of three perfect rankings of four cases is preferable?")
def figure_1() -> Iterator[Value]:
    """Three models without ranking errors; only SSE and taKS differ."""
    for row, scores in FIGURE_1.items():
        labels = [1, 1, 0, 0]
        yield from _values(row, mm.tabulate(labels, scores))
        yield Value(row, "SSE", mm.sse(labels, scores))


def _draw_figure_2(_: Reproduction) -> Figure:
    from metameasure.plots import TprFprDisplay  # noqa: PLC0415

    scores = [(95 - 10 * i) / 100 for i in range(10)]
    return TprFprDisplay.from_predictions(FIGURE_2, scores).figure_


@exact(
    "figure2",
    question="What are KS and taKS of ten cases with two ranking errors?",
    convention="the list is in the figure only; 1101100100, 1110100010 and 1011101000 are the "
    "lists with all stated values, and the first is shown (the others have the same AUC and ABC)",
    figure=_draw_figure_2,
)
def figure_2() -> Iterator[Value]:
    """The rates at the sixth threshold, and the measures."""
    table = mm.tabulate(FIGURE_2, range(10, 0, -1))
    yield from _values("list", table)
    yield Value("list", "TPR at t6", mm.tpr(FIGURE_2, range(10, 0, -1), k=5))
    yield Value("list", "FPR at t6", mm.fpr(FIGURE_2, range(10, 0, -1), k=5))
    yield Value("list", "KS", mm.ks.compute(table))


@exact(
    "figure3",
    question="How do taKS and ABC judge nine predictions?",
    convention="scores of the cases that the text does not mention have no influence; for the "
    "random prediction (i) any scores with five thresholds and equal rates serve. The data of (d) "
    "to (f) are in the figure only",
    errata={("", "h", "ABC"): "Berrar 12"},
)
def figure_3() -> Iterator[Value]:
    """Thresholds, ABC, taKS and AUC of the predictions that the text describes."""
    for row, scores in FIGURE_3.items():
        yield from _values(row, mm.tabulate(HALVES, scores))
    even = mm.ScoreTable([0.8, 0.6, 0.4, 0.2], pos=[1, 1, 2, 1], neg=[1, 1, 2, 1])
    yield from _values("i", even)
