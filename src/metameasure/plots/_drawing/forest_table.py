"""The rows of a forest plot, from an evaluation or from a comparison."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median_high
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import UNDEFINED, number
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.evaluation import Comparison, Evaluation
from metameasure.measurement import Measure, arrow, parse
from metameasure.plots._drawing.layout import cell_width, is_narrow, letters, text_size
from metameasure.plots._drawing.style import SMALL, text_of
from metameasure.results import pvalue_text
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matplotlib.axes import Axes

    from metameasure.evaluation import PairRow, Row


MINUS = "\N{MINUS SIGN}"
MOST_ROWS = 200
MOST_DECIMALS = 12
BETWEEN = 9.0
"""Distance of two columns in points."""
ROOM, LEAST = 2.2, 1.0
"""Width in inches of the part with the intervals, and its least width in a narrow figure."""
BESIDE = 30.0
"""Space beside names and columns in points."""
MUCH_WIDER = 3.0
"""Width of a common axis, relative to that of one measure, above which each has its own."""
LIMITS, VALUE, CHANCE = (1, 2), (0,), (3,)


@dataclass(frozen=True)
class ForestRow:
    """One value with its interval.

    Attributes:
        name: the name of the row.
        model: the model, or the pair of models.
        group: the group of cases; empty for all cases.
        value: the value; NaN if it is undefined.
        low: the lower limit; NaN without an interval.
        high: the upper limit.
        guides: reference values.
        pvalue: the adjusted p-value as text; None in an evaluation.
    """

    name: str
    model: str
    group: str
    value: float
    low: float
    high: float
    guides: tuple[float, ...] = ()
    pvalue: str | None = None


@dataclass(frozen=True)
class ForestBlock:
    """The rows of one measure.

    Attributes:
        title: the measure with the arrow of its better direction.
        rows: its rows.
        bounded: whether its range is inside [-1, 1].
    """

    title: str
    rows: tuple[ForestRow, ...]
    bounded: bool

    @property
    def decimals(self) -> int:
        """Number of decimals that shows the width of the narrowest interval, or four digits."""
        ends = [abs(end) for row in self.rows for end in (row.value, row.low, row.high)]
        largest = max((end for end in ends if 0 < end < math.inf), default=1.0)
        widths = [row.high - row.low for row in self.rows if 0 < row.high - row.low < math.inf]
        if widths:
            wanted = max(1 - math.floor(math.log10(min(widths))), 2 if largest < 100 else 0)
        else:
            wanted = 3 - math.floor(math.log10(largest))
        return min(max(wanted, 0), MOST_DECIMALS)

    def texts(self, decimals: int) -> list[tuple[str, ...]]:
        """The value, both limits and the p-value of each row."""
        return [
            (
                _written(row.value, decimals) or UNDEFINED,
                *(_written(limit, decimals) for limit in (row.low, row.high)),
                row.pvalue or "",
            )
            for row in self.rows
        ]


def check_result(result: Any) -> None:
    """Check that a forest plot can show a result."""
    if not isinstance(result, Evaluation | Comparison):
        raise DataError(
            f"result must come from evaluate or compare, got {type(result).__name__}",
            remedy="use from_predictions for labels and scores",
        )
    check_rows(len(result.rows))


def check_rows(rows: int) -> None:
    """Check that a forest plot has rows, and not too many."""
    if not rows:
        raise DataError("there is nothing to draw: the result has no rows")
    if rows > MOST_ROWS:
        raise DataError(
            f"a forest plot shows up to {MOST_ROWS} rows, got {rows}",
            remedy="choose fewer measures, models or groups",
        )


def blocks_of(
    result: Evaluation | Comparison, prevalence: float | None, *, sort: bool
) -> list[ForestBlock]:
    """One block per measure."""
    if isinstance(result, Evaluation):
        return _of_evaluation(result, prevalence, sort=sort)
    if sort:
        raise ParameterError((Argument("sort"), " does not apply to differences between models"))
    return _of_comparison(result)


def texts_of(
    panels: Sequence[Sequence[ForestBlock]], *, titled: bool
) -> dict[str, list[tuple[str, ...]]]:
    """The texts of the rows of each block; untitled blocks of a panel have equal decimals."""
    return {
        block.title: block.texts(
            block.decimals if titled else median_high(other.decimals for other in panel)
        )
        for panel in panels
        for block in panel
    }


def _of_evaluation(
    result: Evaluation, prevalence: float | None, *, sort: bool
) -> list[ForestBlock]:
    """One block per measure, one row per model and group of cases."""
    rows = _sorted(result.rows) if sort else list(result.rows)
    several = len({row.model for row in rows}) > 1
    grouped = len({row.part for row in rows}) > 1
    rest = result.whole
    blocks = []
    for measure in dict.fromkeys(row.measure for row in rows):
        own = [row for row in rows if row.measure == measure]
        made = [
            _valued(row, _name(row, rest, several=several, grouped=grouped), prevalence)
            for row in own
        ]
        title = f"{measure.stated} {arrow(measure.best)}"
        blocks.append(ForestBlock(title, tuple(made), _is_bounded(measure)))
    return blocks


def _of_comparison(result: Comparison) -> list[ForestBlock]:
    """One block per measure, one row per pair of models, with 0 as reference."""
    margin = result.meta.get("margin")
    blocks = []
    for name in dict.fromkeys(row.measure for row in result.rows):
        own = [row for row in result.rows if row.measure == name]
        measure = parse(name) if name else None
        guides = [0.0]
        if margin is not None and measure is not None:
            guides.append(margin if measure.best == "min" else -margin)
        if result.of_ranks:
            title = f"average rank by {name} ↓" if name else "average rank ↓"
        else:
            title = "" if measure is None else f"{measure.stated} {arrow(measure.best)}"
        bounded = measure is not None and _is_bounded(measure) and not result.of_ranks
        made = tuple(_pair(row, tuple(guides)) for row in own)
        blocks.append(ForestBlock(title, made, bounded))
    return blocks


def header_of(result: Evaluation | Comparison) -> tuple[str, str, str]:
    """The headers of the values, of the limits, and of the p-values."""
    ci = "" if result.ci is None else f"{100 * result.ci:g}% CI"
    if isinstance(result, Evaluation):
        return "value", ci, ""
    several = len({row.measure for row in result.rows}) < len(result.rows)
    return "difference", ci, "adjusted p" if several else "p"


def panels_of(
    blocks: Sequence[ForestBlock], *, shared: bool | None, zero: bool
) -> list[list[ForestBlock]]:
    """The blocks of each axis: those that share one, then one block each.

    Without a choice they share one unless it would be much wider than a block with several rows;
    ``zero`` says whether it includes the reference values.
    """
    if shared is None:
        bounded = [block for block in blocks if block.bounded]
        widths = [_width(view_of([block], zero=zero)) for block in bounded if len(block.rows) > 1]
        common = _width(view_of(bounded, zero=zero))
        shared = not widths or common <= MUCH_WIDER * min(widths)
    together = [block for block in blocks if block.bounded and shared]
    own = [[block] for block in blocks if not (block.bounded and shared)]
    return [together, *own] if together else own


def _width(view: tuple[float, float]) -> float:
    return view[1] - view[0]


def view_of(blocks: Sequence[ForestBlock], *, zero: bool) -> tuple[float, float]:
    """The limits of an axis, from all finite values and limits."""
    rows = [row for block in blocks for row in block.rows]
    found = np.array([(row.value, row.low, row.high) for row in rows]).reshape(-1)
    if zero:
        found = np.append(found, [guide for row in rows for guide in row.guides])
    known = found[np.isfinite(found)]
    if not known.size:
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    margin = 0.05 * (high - low) or 0.05 * (abs(high) or 1.0)
    return low - margin, high + margin


def _sorted(rows: tuple[Row, ...]) -> list[Row]:
    """The rows with models sorted by the first measure; undefined values last."""
    first = rows[0].measure
    values = {r.model: r.value for r in rows if r.measure == first and r.part == rows[0].part}
    good = np.nan_to_num(first.goodness(np.array(list(values.values()))), nan=-np.inf)
    places = {list(values)[p]: n for n, p in enumerate(np.argsort(-good, kind="stable"))}
    return sorted(rows, key=lambda row: places.get(row.model, len(places)))


def _name(row: Row, rest: str, *, several: bool, grouped: bool) -> str:
    """The model, the group, or both, as far as they differ between rows."""
    group = rest if row.part is None else text_of(row.part)
    if not grouped:
        return text_of(row.model)
    return f"{text_of(row.model)}, {group}" if several else group


def _valued(row: Row, name: str, prevalence: float | None) -> ForestRow:
    guides = _baseline(row, prevalence)
    return ForestRow(name, row.model, row.part or "", float(row.value), *_ends(row), guides)


def _pair(row: PairRow, guides: tuple[float, ...]) -> ForestRow:
    name, pvalue = f"{text_of(row.a)} {MINUS} {text_of(row.b)}", pvalue_text(row.adjusted_pvalue)
    pair, value = f"{row.a} - {row.b}", float(row.difference)
    return ForestRow(name, pair, "", value, *_ends(row), guides, pvalue)


def _ends(row: Row | PairRow) -> tuple[float, float]:
    """The limits of an interval; NaN without one."""
    if row.low is None or row.high is None:
        return math.nan, math.nan
    return float(row.low), float(row.high)


def _written(value: float, decimals: int) -> str:
    """A number with a number of decimals and a typographic minus; empty if it is NaN."""
    if not math.isfinite(value) or abs(value) >= 1e6:
        text = "" if math.isnan(value) else number(value)
    else:
        text = f"{value:z.{decimals}f}"
    return text.replace("-", MINUS)


def _is_bounded(measure: Measure) -> bool:
    low, high = measure.declaration.range
    return low >= -1 and high <= 1


def _baseline(row: Row, prevalence: float | None) -> tuple[float, ...]:
    """The value of a constant score at the prevalence, where it is known.

    With other parameters than the defaults it is computed.
    """
    measure, baseline = row.measure, row.measure.declaration.baseline
    if baseline is None:
        return ()
    share = math.nan if row.n_pos is None else row.n_pos / row.n
    if prevalence is not None and (row.part is None or math.isnan(prevalence)):
        share = prevalence
    if measure.parameters or measure.point != measure.declaration.point:
        baseline = _of_prevalence(measure, share, row.n)
    elif callable(baseline):
        baseline = float(baseline(share)) if 0 <= share <= 1 else math.nan
    return () if math.isnan(baseline) else (float(baseline),)


def _of_prevalence(measure: Measure, share: float, cases: int) -> float:
    if not 0 <= share <= 1:
        return math.nan
    table = ScoreTable([share], [share * cases], [(1 - share) * cases])
    return float(measure.compute(table))


@dataclass(frozen=True)
class Columns:
    """The texts of the columns: the value, both limits, and the p-value.

    Attributes:
        texts: the texts of the rows of each block.
        header: the headers of the values, of both limits, and of the p-values.
    """

    texts: Mapping[str, Sequence[tuple[str, ...]]]
    header: tuple[str, str, str]

    def widths(self, size: str = SMALL) -> list[float]:
        """Width of each column in points, with the gap before it; both limits share a header."""
        texts = [text for rows in self.texts.values() for text in rows]
        widest = [
            max(text_size(text, size)[0] for text in column) for column in zip(*texts, strict=True)
        ]
        value, interval, chance = (text_size(text, size)[0] for text in self.header)
        widths = [max(widest[0], value), widest[1], widest[2], max(widest[3], chance)]
        gapped = [BETWEEN + width if width else 0.0 for width in widths]
        gapped[1] += max(0.0, interval - widths[2] - gapped[1])
        return gapped

    def fitting(self, axes: Axes, names: Iterable[str]) -> list[float]:
        """The widths of the columns that fit beside axes with these names; 0 for the others.

        Limits are dropped first, then values, and p-values last.
        """
        widths = self.widths(letters(axes))
        if not is_narrow(axes):
            return widths
        room = cell_width(axes) - BESIDE - 72 * LEAST
        room -= max(text_size(name, letters(axes))[0] for name in names)
        for columns in (LIMITS, VALUE, CHANCE):
            if sum(widths) > room:
                widths = [0.0 if place in columns else w for place, w in enumerate(widths)]
        return widths

    def write_header(self, axes: Axes, y: float, widths: Sequence[float], color: str) -> None:
        """Write the headers of the columns."""
        value, interval, chance = self.header
        write_columns(axes, (value, "", interval, chance), y, widths, color)


def write_columns(
    axes: Axes, texts: Sequence[str], y: float, widths: Sequence[float], color: str
) -> None:
    """Write texts to the right of the axes, right-aligned in their columns."""
    for text, width, edge in zip(texts, widths, np.cumsum(widths), strict=True):
        if text and width:
            axes.annotate(
                text, (1.0, y), xycoords=("axes fraction", "data"), xytext=(edge, 0),
                textcoords="offset points", ha="right", va="center", fontsize=letters(axes),
                color=color, annotation_clip=False,
            )  # fmt: skip
