"""The calibration table: mean score and positive rate per bin, and measures of calibration."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Unpack

from metameasure._arguments import Choice, Flag, Whole, read_argument, read_confidence
from metameasure._text import ROUNDING, UNDEFINED, amount, limits, number
from metameasure.data import DataOptions, Models, read_models, takes_models
from metameasure.errors import UndefinedMeasureWarning
from metameasure.evaluation.evaluation_result import UndefinedValue
from metameasure.inference import wilson_limits
from metameasure.measurement import (
    MOST_GROUPS,
    Measure,
    arrow,
    calibration_in_the_large,
    calibration_intercept,
    calibration_slope,
    discrimination,
    ece,
    filled,
    hosmer_lemeshow,
    miscalibration,
    parse,
    spiegelhalter_z,
    uncertainty,
)
from metameasure.results import Cell, Grid, Result, pvalue_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from metameasure.table import ScoreTable

Equal = Literal["mass", "width"]

FITTED = 2
"""Degrees of freedom that the Hosmer-Lemeshow test loses on the data of the fit."""
BINS, EQUAL = Whole(1, MOST_GROUPS), Choice(("mass", "width"))


@dataclass(frozen=True)
class CalibrationBin:
    """One bin of scores.

    Attributes:
        model: the name of the model.
        bin: the number of the bin; 1 has the lowest scores.
        lowest_score: the lowest score in the bin.
        highest_score: the highest score in the bin.
        cases: the number of cases, or their weight.
        positives: the number of positives, or their weight.
        mean_score: the mean score.
        positive_rate: the fraction of positives.
        low: the lower limit of its Wilson interval; None if cases are weighted.
        high: the upper limit.
        gap: the positive rate minus the mean score.
    """

    model: str
    bin: int
    lowest_score: float
    highest_score: float
    cases: float
    positives: float
    mean_score: float
    positive_rate: float
    low: float | None
    high: float | None
    gap: float


@dataclass(frozen=True)
class CalibrationMeasure:
    """One measure of the calibration of a model.

    Attributes:
        model: the name of the model.
        measure: the measure, as text.
        value: its value.
        pvalue: for a test, the p-value of the hypothesis that the scores are the true
            probabilities; None without a test.
        degrees: the degrees of freedom of a chi-squared test.
    """

    model: str
    measure: str
    value: float
    pvalue: float | None = None
    degrees: int | None = None


class CalibrationTable(Result):
    """The bins of one or more models. A bin without cases has no row.

    Attributes:
        summary: the measures of calibration of each model.
        undefined: the measures without a value, with the reason.
    """

    schema = CalibrationBin
    extra = {"summary": CalibrationMeasure, "undefined": UndefinedValue}  # noqa: RUF012
    rows: tuple[CalibrationBin, ...]

    def __init__(
        self,
        rows: Sequence[CalibrationBin],
        summary: Sequence[CalibrationMeasure],
        *,
        bins: int,
        equal: Equal,
        ci: float,
        cases: Models,
        fitted: bool,
    ) -> None:
        meta = {
            "bins": bins,
            "equal": equal,
            "ci": None if cases.weighted else ci,
            "fitted": fitted,
        }
        super().__init__(rows, meta=meta, like=cases.like)
        self.summary = tuple(summary)
        self.bins = bins
        self.equal = equal
        self.fitted = fitted
        self._cases = cases.caption
        self._weighted = cases.weighted

    @property
    def undefined(self) -> tuple[UndefinedValue, ...]:
        """The measures without a value."""
        return tuple(
            UndefinedValue(model=row.model, measure=measure, reason=measure.undefined_when)
            for row in self.summary
            for measure in [parse(row.measure)]
            if math.isnan(row.value)
        )

    def grids(self) -> list[Grid]:
        """Two tables per model: its bins and its measures."""
        grids = []
        for model in dict.fromkeys(row.model for row in self.summary):
            rows = [row for row in self.rows if row.model == model]
            header = ["bin", "from", "to", "cases", "pos", "mean score", "rate", "gap"]
            body = [(str(row.bin), _cells(row)) for row in rows]
            grids.append(Grid(header, body, self._caption(len(rows)), model))
            measures = [row for row in self.summary if row.model == model]
            grids.append(Grid(["measure", "value", "p"], [_measured(row) for row in measures]))
        return grids

    def _caption(self, used: int) -> str:
        ci = self.meta["ci"]
        intervals = "" if ci is None else f"; {100 * ci:g}% confidence intervals"
        empty = f"; {self.bins - used} of {self.bins} bins are empty" if used < self.bins else ""
        mass = "equal weight" if self._weighted else "equal size"
        kind = mass if self.equal == "mass" else f"width {1 / self.bins:.3g}"
        return f"{self._cases}; bins of {kind}{empty}{intervals}"

    def notes(self) -> list[str]:
        """The degrees of freedom of tests, and undefined measures."""
        found: dict[str, list[str]] = {}
        for row in self.summary:
            for line in self._remarks(row):
                found.setdefault(line, []).append(row.model)
        lines = [f"{line}: {', '.join(models)}" for line, models in found.items()]
        weighted = "weighted cases: no intervals and no p-values"
        return [weighted, *lines] if self._weighted else lines

    def _remarks(self, row: CalibrationMeasure) -> Iterator[str]:
        """Notes on a measure."""
        measure = parse(row.measure)
        if math.isnan(row.value):
            yield f"{measure} is undefined ({UNDEFINED}) when {measure.undefined_when}"
        elif row.degrees is not None:
            groups = (
                f"groups - {FITTED}; scores from the fitted sample" if self.fitted else "groups"
            )
            yield f"{measure.name}: chi-squared, {row.degrees} degrees of freedom ({groups})"
        elif measure.declaration is hosmer_lemeshow.declaration and not self._weighted:
            yield f"{measure.name} has no p-value: fewer than 3 groups have cases"

    def __repr__(self) -> str:
        models = len({row.model for row in self.summary})
        return f"<calibration table: {len(self.rows)} bins, {models} models>"


def _cells(row: CalibrationBin) -> list[Cell]:
    scores = (number(row.lowest_score), number(row.highest_score))
    counts = (amount(row.cases), amount(row.positives))
    before = [Cell(text) for text in (*scores, *counts, number(row.mean_score))]
    rate = Cell(number(row.positive_rate), limits(row.low, row.high))
    return [*before, rate, Cell(number(0.0 if abs(row.gap) < ROUNDING else row.gap))]


def _measured(row: CalibrationMeasure) -> tuple[str, list[Cell]]:
    name = f"{row.measure} {arrow(parse(row.measure).best)}"
    pvalue = "" if row.pvalue is None else pvalue_text(row.pvalue)
    return name, [Cell(number(row.value)), Cell(pvalue)]


@takes_models(DataOptions)
def calibration_table(
    y_true: Any,
    scores: Any = None,
    *,
    bins: int = 10,
    equal: Equal = "mass",
    ci: float = 0.95,
    fitted: bool = False,
    **data: Unpack[DataOptions],
) -> CalibrationTable:
    """The calibration table: mean scores and positive rates per bin, and measures of calibration.

    Two of the measures are tests: Spiegelhalter's z (two-sided, normal distribution), and the
    Hosmer-Lemeshow statistic over groups of equal size (chi-squared; degrees of freedom: the number
    of groups with cases, minus 2 if ``fitted=True``: scores from the fitted sample).

    Args:
        bins: the number of bins.
        equal: "mass" for bins of equal size, "width" for bins of equal width; ties are not split.
        ci: the confidence of the intervals of the positive rates.
        fitted: whether the model was fitted to the same cases.

    >>> y = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0]
    >>> s = [0.9, 0.8, 0.8, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1, 0.1]
    >>> print(calibration_table(y, s, bins=3))
    model
    bin    from      to  cases  pos  mean score                 rate      gap
    1    0.1000  0.2000      3    0      0.1333  0.0000  0.000–0.561  -0.1333
    2    0.3000  0.7000      4    2      0.4750  0.5000  0.150–0.850   0.0250
    3    0.8000  0.9000      3    2      0.8333  0.6667  0.208–0.939  -0.1667
    10 cases, 4 positive; bins of equal size; 95% confidence intervals
    measure                        value       p
    ece(bins=3) ↓                 0.1000
    miscalibration ↓              0.0407
    discrimination ↑              0.1067
    uncertainty ↓                 0.2400
    calibration_slope →1          1.0051
    calibration_intercept →0     -0.4872
    calibration_in_the_large →0  -0.4859
    spiegelhalter_z →0            0.1231  0.9020
    hosmer_lemeshow(groups=3) ↓   1.0716  0.7839
    hosmer_lemeshow: chi-squared, 3 degrees of freedom (groups): model
    """
    fitted = read_argument("fitted", fitted, Flag())
    number_of_bins = read_argument("bins", bins, BINS)
    kind: Equal = read_argument("equal", equal, EQUAL)
    confidence = read_confidence(ci)
    models = read_models(y_true, scores, **data)
    result = calibration_table_of(models, number_of_bins, kind, confidence, fitted=fitted)
    if result.undefined:
        reasons = dict.fromkeys(f"{item.measure}: {item.reason}" for item in result.undefined)
        warnings.warn(f"undefined: {'; '.join(reasons)}", UndefinedMeasureWarning, stacklevel=3)
    return result


def calibration_table_of(
    models: Models, bins: int, equal: Equal, ci: float, *, fitted: bool = False
) -> CalibrationTable:
    """The calibration table of models; ``fitted`` if these are the cases they were fitted to.

    Undefined values are reported only in the result.
    """
    rows: list[CalibrationBin] = []
    summary: list[CalibrationMeasure] = []
    for model, table in models.tables.items():
        lost = None if models.weighted else FITTED * fitted
        summary += _measures(model, table, bins, equal, lost)
        rows += calibration_bins(model, table, bins, equal, None if models.weighted else ci)
    return CalibrationTable(
        rows, summary, bins=bins, equal=equal, ci=ci, cases=models, fitted=fitted
    )


def calibration_bins(
    model: str, table: ScoreTable, bins: int, equal: Equal, ci: float | None
) -> Iterator[CalibrationBin]:
    """The bins of one model, without intervals if ``ci`` is None."""
    held = filled(table, bins, equal)
    columns = (held.number, held.lowest, held.highest, held.weight, held.pos, held.mean)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    for group, lowest, highest, cases, positives, mean in reversed(rows):
        rate = positives / cases
        low, high = (None, None) if ci is None else wilson_limits(positives, cases, ci)
        counted = cases, positives, mean, rate
        place = bins + 1 - group
        yield CalibrationBin(model, place, lowest, highest, *counted, low, high, rate - mean)


def _measures(
    model: str, table: ScoreTable, bins: int, equal: Equal, lost: int | None
) -> list[CalibrationMeasure]:
    """The measures of a model; the tests lose degrees of freedom, or None: there are no tests."""
    distance = hosmer_lemeshow.using(groups=bins)
    chosen = (
        ece.using(bins=bins, equal=equal),
        miscalibration,
        discrimination,
        uncertainty,
        calibration_slope,
        calibration_intercept,
        calibration_in_the_large,
        spiegelhalter_z,
        distance,
    )
    values = {measure: float(measure.quiet_value(table)) for measure in chosen}
    tests: dict[Measure, tuple[float, int | None]] = {}
    if lost is not None:
        degrees = filled(table, bins).number.size - lost
        if not math.isnan(values[spiegelhalter_z]):
            tests[spiegelhalter_z] = math.erfc(abs(values[spiegelhalter_z]) / math.sqrt(2)), None
        if degrees > 0:
            tests[distance] = _chi_squared(values[distance], degrees), degrees
    return [
        CalibrationMeasure(model, str(measure), value, *tests.get(measure, ()))
        for measure, value in values.items()
    ]


def _chi_squared(value: float, degrees: int) -> float:
    """The probability of a value at least as large."""
    from scipy.special import chdtrc  # noqa: PLC0415

    return float(chdtrc(degrees, value))
