"""Reclassification of cases by a second model: net reclassification and integrated discrimination.

Each index is a mean over the positives plus a mean over the negatives, of what changes for a case.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from metameasure._arguments import Choice, Real, read_argument, read_confidence, read_several
from metameasure._text import amount, difference, limits
from metameasure.data import ClusterOptions, read_models, takes_models
from metameasure.errors import DataError, ParameterError
from metameasure.inference import Sample, degrees_of_freedom, standard_error
from metameasure.measurement import A_CLASS_EMPTY, parse
from metameasure.results import Cell, Check, Grid, Result, muted, pvalue_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metameasure._types import Floats
    from metameasure.data import Models, Predictions

DEFECTS = (
    "NRI and IDI can favor a model that predicts worse, since they are not proper scores; "
    "compare brier, log_loss or net_benefit, too"
)
"""What Kerr et al. (2014) and others found about these indices."""


@dataclass(frozen=True)
class ReclassificationRow:
    """One index, or its part among the positives or the negatives.

    Attributes:
        index: "continuous_nri", "categorical_nri" or "idi".
        cases: "all", "positives" or "negatives"; "all" is the sum of the other two.
        value: the index; positive values favor the new model.
        low: the lower limit of its confidence interval; None if nothing varies.
        high: the upper limit.
        pvalue: the p-value of the hypothesis that the index is 0; None if nothing varies.
    """

    index: str
    cases: str
    value: float
    low: float | None
    high: float | None
    pvalue: float | None


@dataclass(frozen=True)
class Reclassified:
    """The cases of one category of the old model and one of the new model.

    Attributes:
        old: the lower end of the category of the old model.
        new: the lower end of the category of the new model.
        positives: the number of positives, or their weight.
        negatives: the number of negatives, or their weight.
    """

    old: float
    new: float
    positives: float
    negatives: float


class Reclassification(Result):
    """The indices of reclassification of one model by another.

    ``meta`` has the names of the models (``old`` and ``new``), the ``cuts`` and the confidence.

    Attributes:
        cells: the numbers of cases per category of both models, if there are cuts.
    """

    schema = ReclassificationRow
    extra = {"cells": Reclassified}  # noqa: RUF012
    rows: tuple[ReclassificationRow, ...]

    def __init__(
        self,
        rows: Sequence[ReclassificationRow],
        cells: Sequence[Reclassified],
        *,
        meta: dict[str, Any],
        checks: Sequence[Check],
        models: Models,
    ) -> None:
        super().__init__(rows, meta=meta, checks=checks, like=models.like)
        self.cells = tuple(cells)
        self._caption = models.caption

    def grids(self) -> list[Grid]:
        """One line per index, and one table of the categories per class."""
        body = [
            (row.index if row.cases == "all" else f"  {row.cases}", _cells(row))
            for row in self.rows
        ]
        caption = f"{self._caption}; {100 * self.meta['ci']:g}% confidence intervals"
        title = f"{self.meta['new']} (new) against {self.meta['old']} (old)"
        grids = [Grid(["index", "value", "p"], body, caption, title)]
        if self.cells:
            grids += [self._categories(name) for name in ("positives", "negatives")]
        return grids

    def _categories(self, cases: str) -> Grid:
        """The cases of a class by the categories of both models."""
        ends = list(dict.fromkeys(cell.new for cell in self.cells))
        rows: dict[float, list[Cell]] = {}
        for cell in self.cells:
            rows.setdefault(cell.old, []).append(Cell(amount(getattr(cell, cases))))
        header = ["old / new", *(f"from {end:g}" for end in ends)]
        return Grid(header, [(f"from {end:g}", row) for end, row in rows.items()], "", cases)

    def __repr__(self) -> str:
        return f"<reclassification: {len(self.rows)} values>"


def _cells(row: ReclassificationRow) -> list[Cell]:
    pvalue = "" if row.pvalue is None else pvalue_text(row.pvalue)
    text = difference(row.value, row.low, row.high)
    return [Cell(text, limits(row.low, row.high)), Cell(pvalue)]


@takes_models(ClusterOptions)
def reclassification(
    y_true: Any,
    scores: Any = None,
    *,
    cuts: Iterable[float] = (),
    reference: str | None = None,
    ci: float = 0.95,
    mute: str | Iterable[str] = (),
    **data: Unpack[ClusterOptions],
) -> Reclassification:
    """Net reclassification improvement (NRI) and integrated discrimination improvement (IDI).

    The continuous NRI is the fraction of positives whose score rises minus that of those whose
    score falls, plus the reverse for negatives; the categorical NRI counts changes between the
    categories that ``cuts`` form. IDI is the increase of the difference between the mean scores of
    both classes. These indices have known defects: they are not proper, so that a model with noise
    added or with miscalibrated scores can have a positive index, and their tests reject too often
    if the new model was fitted to the same cases. The check MM25 reports it.

    Args:
        cuts: the thresholds between categories, e.g. ``[0.05, 0.2]``; a score equal to a cut
            belongs to the category above.
        reference: the old model; the first one by default.
        ci: the confidence.
        mute: checks to leave out.

    >>> y = [1, 1, 1, 0, 0, 0]
    >>> models = {"old": [0.6, 0.4, 0.3, 0.5, 0.3, 0.2], "new": [0.8, 0.5, 0.2, 0.4, 0.3, 0.1]}
    >>> print(reclassification(y, models, cuts=[0.5], mute="MM25"))
    new (new) against old (old)
    index                              value       p
    continuous_nri   1.0000  -0.714 to 2.000  0.1939
      positives      0.3333  -1.000 to 1.000  0.6003
      negatives      0.6667  -0.100 to 1.000  0.0756
    categorical_nri  0.6667  -0.417 to 1.751  0.1747
      positives      0.3333  -0.433 to 1.000  0.3144
      negatives      0.3333  -0.433 to 1.000  0.3144
    idi              0.1333  -0.083 to 0.350  0.1747
      positives      0.0667  -0.136 to 0.269  0.4366
      negatives      0.0667  -0.010 to 0.143  0.0756
    6 cases, 3 positive; 95% confidence intervals
    positives
    old / new  from 0  from 0.5
    from 0          1         1
    from 0.5        0         1
    negatives
    old / new  from 0  from 0.5
    from 0          2         0
    from 0.5        1         0
    """
    confidence = read_confidence(ci)
    edges = sorted({*read_several("cuts", cuts, Real(0, 1, open_low=True), least=0)})
    silent = muted(mute)
    models = read_models(y_true, scores, **data)
    old, new = _pair(list(models.tables), reference)
    rows = models.rows_for("reclassification")
    for name in (old, new):
        rows.table(name).require_unit("reclassification")
    if not (rows.table(old).P and rows.table(old).N):
        raise DataError(f"reclassification is undefined: {A_CLASS_EMPTY}")
    gaps = {"continuous_nri": np.sign(rows.scores[new] - rows.scores[old])}
    places = {name: np.searchsorted(edges, rows.scores[name], "right") for name in (old, new)}
    if edges:
        gaps["categorical_nri"] = np.sign(places[new] - places[old]).astype(np.float64)
    gaps["idi"] = rows.scores[new] - rows.scores[old]
    sample = Sample.of(rows)
    found = [
        row for name, gap in gaps.items() for row in _index(name, gap, rows, sample, confidence)
    ]
    checks = [Check("MM25", _defect(rows, old, new), f"{new} - {old}")]
    meta = {"old": old, "new": new, "cuts": edges, "ci": confidence}
    cells = _cross_table(rows, places[old], places[new], [0.0, *edges]) if edges else []
    kept = [check for check in checks if check.code not in silent]
    return Reclassification(found, cells, meta=meta, checks=kept, models=models)


def _pair(names: list[str], reference: str | None) -> tuple[str, str]:
    """The old and the new model."""
    if len(names) != 2:
        raise ParameterError(
            f"reclassification needs two models, got {len(names)}", argument="scores"
        )
    reference = read_argument("reference", reference, Choice(tuple(names)), optional=True)
    if reference is None:
        return names[0], names[1]
    return reference, names[1 - names.index(reference)]


def _index(
    name: str, gap: Floats, rows: Predictions, sample: Sample, ci: float
) -> Iterable[ReclassificationRow]:
    """An index and its two parts, from what changes for each case."""
    weight = np.ones(gap.size) if rows.weight is None else rows.weight
    influences, values = [], []
    for members, sign in ((rows.positive, 1.0), (~rows.positive, -1.0)):
        share = np.where(members, weight, 0.0) / weight[members].sum()
        mean = float(share @ gap)
        values.append(sign * mean)
        influences.append(sign * share * (gap - mean))
    parts = {
        "all": (sum(values), influences[0] + influences[1]),
        "positives": (values[0], influences[0]),
        "negatives": (values[1], influences[1]),
    }
    for cases, (value, influence) in parts.items():
        error = standard_error(influence, sample, stratified=False)
        most = 2.0 if cases == "all" else 1.0
        yield ReclassificationRow(name, cases, value, *_judged(value, error, most, sample, ci))


def _judged(
    value: float, error: float, most: float, sample: Sample, ci: float
) -> tuple[float | None, float | None, float | None]:
    """Limits, between -most and most, and p-value by Student's distribution.

    None if nothing varies.
    """
    from scipy.special import stdtr, stdtrit  # noqa: PLC0415

    if error == 0:
        return None, None, None
    degrees = degrees_of_freedom(sample)
    reach = float(stdtrit(degrees, (1 + ci) / 2)) * error
    pvalue = 2 * float(stdtr(degrees, -abs(value) / error))
    return max(value - reach, -most), min(value + reach, most), pvalue


def _defect(rows: Predictions, old: str, new: str) -> str:
    """The known defects, and whether the Brier score contradicts the indices."""
    brier = parse("brier")
    before, after = (float(brier.quiet_value(rows.table(name))) for name in (old, new))
    if math.isclose(before, after) or after < before:
        return DEFECTS
    return f"the Brier score is worse ({before:.4f}, then {after:.4f}). {DEFECTS}"


def _cross_table(
    rows: Predictions, old: Any, new: Any, ends: Sequence[float]
) -> list[Reclassified]:
    """The cases by the categories of both models, the highest category first."""
    weight = np.ones(rows.positive.size) if rows.weight is None else rows.weight
    size = len(ends)
    counts = [
        np.bincount((old * size + new)[members], weight[members], size**2).reshape(size, size)
        for members in (rows.positive, ~rows.positive)
    ]
    return [
        Reclassified(ends[i], ends[j], *(float(count[i, j]) for count in counts))
        for i in range(size)
        for j in range(size)
    ]
