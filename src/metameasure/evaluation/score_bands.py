"""The positive rate per band of scores with fixed ends: the bad rate of credit scoring."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from metameasure._arguments import Real, read_confidence, read_several
from metameasure._text import amount, limits, number
from metameasure.data import DataOptions, Models, read_models, takes_models
from metameasure.inference import wilson_limits
from metameasure.results import Cell, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from metameasure.table import ScoreTable


@dataclass(frozen=True)
class ScoreBand:
    """One band of scores.

    Attributes:
        model: the name of the model.
        band: the number of the band; 1 has the highest scores.
        lower: the lower end of the band, which belongs to it.
        upper: the upper end of the band, which does not belong to it.
        cases: the number of cases, or their weight.
        share: the fraction of all cases.
        positives: the number of positives, or their weight.
        positive_rate: the fraction of positives; None if the band is empty.
        low: the lower limit of its Wilson interval; None for weighted cases and empty bands.
        high: the upper limit.
    """

    model: str
    band: int
    lower: float
    upper: float
    cases: float
    share: float
    positives: float
    positive_rate: float | None
    low: float | None
    high: float | None


class ScoreBandTable(Result):
    """Bands of scores of one or more models, from the highest scores to the lowest."""

    schema = ScoreBand
    rows: tuple[ScoreBand, ...]

    def __init__(
        self, rows: Sequence[ScoreBand], *, edges: Sequence[float], ci: float, models: Models
    ) -> None:
        meta = {"edges": list(edges), "ci": None if models.weighted else ci}
        super().__init__(rows, meta=meta, like=models.like)
        self._caption = models.caption

    def grids(self) -> list[Grid]:
        """One table per model."""
        header = ["band", "from", "below", "cases", "share", "pos", "rate"]
        ci = self.meta["ci"]
        intervals = "" if ci is None else f"; {100 * ci:g}% confidence intervals"
        return [
            Grid(
                header,
                [(str(row.band), _cells(row)) for row in self.rows if row.model == model],
                f"{self._caption}{intervals}",
                model,
            )
            for model in dict.fromkeys(row.model for row in self.rows)
        ]

    def __repr__(self) -> str:
        return f"<score bands: {len(self.rows)} rows>"


def _cells(row: ScoreBand) -> list[Cell]:
    ends = (number(row.lower), number(row.upper))
    before = (*ends, amount(row.cases), number(row.share), amount(row.positives))
    rate = "" if row.positive_rate is None else number(row.positive_rate)
    return [*(Cell(text) for text in before), Cell(rate, limits(row.low, row.high))]


@takes_models(DataOptions)
def score_band_table(
    y_true: Any,
    scores: Any = None,
    *,
    edges: Iterable[float],
    ci: float = 0.95,
    **data: Unpack[DataOptions],
) -> ScoreBandTable:
    """The positive rate (bad rate) per band of scores, with Wilson intervals.

    ``decile_table`` has groups of equal size instead. A score equal to an edge belongs to the band
    above it; the outer bands are unbounded. A band without cases keeps its row.

    Args:
        edges: the scores that separate the bands, e.g. ``[500, 550, 600]``.
        ci: the confidence of the intervals.

    >>> y = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0]
    >>> s = [0.9, 0.8, 0.8, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1, 0.1]
    >>> print(score_band_table(y, s, edges=[0.3, 0.8]))
    model
    band    from   below  cases   share  pos                 rate
    1     0.8000       ∞      3  0.3000    2  0.6667  0.208–0.939
    2     0.3000  0.8000      4  0.4000    2  0.5000  0.150–0.850
    3         -∞  0.3000      3  0.3000    0  0.0000  0.000–0.561
    10 cases, 4 positive; 95% confidence intervals
    """
    ends = sorted(set(read_several("edges", edges, Real())))
    confidence = read_confidence(ci)
    models = read_models(y_true, scores, **data)
    limited = None if models.weighted else confidence
    rows = [
        row for model, table in models.tables.items() for row in _bands(model, table, ends, limited)
    ]
    return ScoreBandTable(rows, edges=ends, ci=confidence, models=models)


def _bands(
    model: str, table: ScoreTable, edges: Sequence[float], ci: float | None
) -> Iterator[ScoreBand]:
    """The bands of a model, without intervals if ``ci`` is None."""
    ends = [np.inf, *reversed(edges), -np.inf]
    rows = [0, *(int(table.rows_from(edge)) for edge in ends[1:-1]), table.score.shape[-1]]
    for place, ((upper, lower), (begin, end)) in enumerate(
        zip(pairwise(ends), pairwise(rows), strict=True), start=1
    ):
        positives = float(table.tp[end] - table.tp[begin])
        cases = positives + float(table.fp[end] - table.fp[begin])
        rate = positives / cases if cases else None
        low, high = (None, None) if ci is None or not cases else wilson_limits(positives, cases, ci)
        share = cases / float(table.n)
        yield ScoreBand(model, place, lower, upper, cases, share, positives, rate, low, high)
