"""Whether scores have drifted: the population stability index of two columns of scores."""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Choice, Real, Whole, read_argument
from metameasure._text import amount, number
from metameasure.data import NanPolicy, either, read_scores, read_weights
from metameasure.errors import DataError, DroppedCasesWarning
from metameasure.measurement import MOST_GROUPS, divergence_terms, filled
from metameasure.results import Cell, Grid, Listed, Page, json_record
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

BINS, SMOOTHING, NAN_POLICY = Whole(1, MOST_GROUPS), Real(0), Choice(("raise", "drop"))


@dataclass(frozen=True)
class StabilityBin:
    """One bin of scores.

    Attributes:
        bin: its number; 1 has the highest scores.
        low: the score from which it reaches.
        high: the score below which it ends.
        expected: the cases of the expected column in it, or their weight.
        actual: the cases of the actual column.
        expected_share: the share of the expected cases, smoothed if that was asked for.
        actual_share: the share of the actual cases, likewise.
        term: what it adds to the index.
    """

    bin: int
    low: float
    high: float
    expected: float
    actual: float
    expected_share: float
    actual_share: float
    term: float


class StabilityTable(Listed):
    """The bins of a population stability index, and its ``value``."""

    kind = StabilityBin

    def __init__(
        self, rows: Sequence[StabilityBin], *, bins: int, smoothing: float, dropped: tuple[int, int]
    ) -> None:
        super().__init__(rows)
        self.bins = bins
        self.smoothing = smoothing
        self.dropped = dropped

    @property
    def value(self) -> float:
        """The index, the sum of the terms."""
        return math.fsum(row.term for row in self.rows)

    def to_json(self) -> str:
        """JSON with ``value``, ``rows``, ``bins``, ``smoothing`` and ``dropped``.

        An infinite value is the string "Infinity".
        """
        content = {
            **json_record({"value": self.value}),
            "rows": [json_record(record) for record in self.records()],
            "bins": self.bins,
            "smoothing": self.smoothing,
            "dropped": dict(zip(("expected", "actual"), self.dropped, strict=True)),
        }
        return json.dumps(content, indent=2)

    def page(self) -> Page:
        """One line a bin, and the sums."""
        header = ["bin", "from", "below", "expected", "actual", "expected share", "actual share"]
        body = [(str(row.bin), _cells(row)) for row in self.rows]
        sums = [sum(getattr(row, name) for row in self.rows) for name in ("expected", "actual")]
        cells = [Cell(""), Cell(""), *(Cell(amount(total)) for total in sums)]
        cells += [Cell(number(1.0)), Cell(number(1.0)), Cell(number(self.value))]
        return Page([Grid([*header, "term"], [*body, ("all", cells)])], self._notes())

    def _notes(self) -> list[str]:
        lines = []
        empty = self.bins - len(self.rows)
        if empty:
            lines.append(f"{empty} of {self.bins} bins empty, as a tie is not split")
        if self.smoothing:
            lines.append(f"{self.smoothing:g} cases were added to each bin, on both sides")
        elif math.isinf(self.value):
            lines.append(
                "infinite (∞), as a bin has no actual case: smoothing=0.5 adds half a case"
            )
        for name, dropped in zip(("expected", "actual"), self.dropped, strict=True):
            lines += [f"{dropped} {name} cases left out for missing values"] if dropped else []
        return lines

    def __repr__(self) -> str:
        return f"<stability table: index {number(self.value)}, {len(self.rows)} bins>"


def _cells(row: StabilityBin) -> list[Cell]:
    counts = (amount(row.expected), amount(row.actual))
    shares = (number(value) for value in (row.expected_share, row.actual_share, row.term))
    return [Cell(text) for text in (number(row.low), number(row.high), *counts, *shares)]


def psi(
    expected: Any,
    actual: Any,
    *,
    bins: int = 10,
    smoothing: float = 0.0,
    expected_weight: Any = None,
    actual_weight: Any = None,
    nan_policy: NanPolicy = "raise",
) -> float:
    """The population stability index: how far actual scores have drifted from the expected ones.

    It is the sum over bins of (a - e) ln(a / e), a and e being the shares of the actual and the
    expected cases. It takes what ``psi_table`` takes, which shows the bins.

    >>> psi([1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 4, 5, 6, 6, 7, 8], bins=2)
    0.063853...
    """
    table = _stability(
        expected, actual, bins, smoothing, expected_weight, actual_weight, nan_policy
    )
    if any(table.dropped):
        first, second = table.dropped
        warnings.warn(
            f"{first} expected and {second} actual cases lack a value and were left out",
            DroppedCasesWarning,
            stacklevel=2,
        )
    return table.value


def psi_table(
    expected: Any,
    actual: Any,
    *,
    bins: int = 10,
    smoothing: float = 0.0,
    expected_weight: Any = None,
    actual_weight: Any = None,
    nan_policy: NanPolicy = "raise",
) -> StabilityTable:
    """The population stability index with its bins.

    Bins are groups of equally many expected cases; a tie is never split, but goes where its middle
    lies. A bin reaches from its lowest expected score up to that of the next one, and the outer
    bins have no end, so that every actual score lies in one. A bin without an actual case makes the
    index infinite; ``smoothing=0.5`` adds half a case to each bin, on both sides.

    Args:
        expected: the scores at the time of development.
        actual: the scores now; there may be more or fewer.
        bins: how many bins.
        smoothing: how many cases to add to each bin.
        expected_weight: the weights of the expected cases.
        actual_weight: the weights of the actual cases.
        nan_policy: "raise", or "drop" to leave out cases that lack a value.

    >>> print(psi_table([1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 4, 5, 6, 6, 7, 8], bins=2))
    bin    from   below  expected  actual  expected share  actual share    term
    1    5.0000       ∞         4       5          0.5000        0.6250  0.0279
    2        -∞  5.0000         4       3          0.5000        0.3750  0.0360
    all                         8       8          1.0000        1.0000  0.0639
    """
    return _stability(expected, actual, bins, smoothing, expected_weight, actual_weight, nan_policy)


def _stability(
    expected: Any,
    actual: Any,
    bins: Any,
    smoothing: Any,
    expected_weight: Any,
    actual_weight: Any,
    nan_policy: Any,
) -> StabilityTable:
    bins = read_argument("bins", bins, BINS)
    smoothing = read_argument("smoothing", smoothing, SMOOTHING)
    policy = read_argument("nan_policy", nan_policy, NAN_POLICY)
    first, second = (
        _column(values, weight, name, policy)
        for values, weight, name in (
            (expected, expected_weight, "expected"),
            (actual, actual_weight, "actual"),
        )
    )
    groups = filled(first.table, bins)
    # A bin begins at its lowest expected score; the last one, which has no end, begins at none.
    starts = np.append(groups.lowest[:-1], -np.inf)
    rows = [second.table.rows_from(low) for low in starts.tolist()]
    counts = np.diff(second.table.tp[rows], prepend=0.0)
    shares = [(w + smoothing) / (np.sum(w) + smoothing * w.size) for w in (groups.weight, counts)]
    columns = (
        groups.number,
        starts,
        np.append(np.inf, starts[:-1]),
        groups.weight,
        counts,
        *shares,
        divergence_terms(shares[1], shares[0]),
    )
    return StabilityTable(
        [StabilityBin(*row) for row in zip(*(c.tolist() for c in columns), strict=True)],
        bins=bins,
        smoothing=smoothing,
        dropped=(first.dropped, second.dropped),
    )


@dataclass(frozen=True, eq=False)
class _Column:
    """Scores as a table all cases of which are positive."""

    table: ScoreTable
    dropped: int


def _column(values: Any, weights: Any, name: str, policy: str) -> _Column:
    """Validated scores with their weights."""
    scores, missing = read_scores(values, name)
    weight = None
    if weights is not None:
        weight, lacking = read_weights(weights, f"{name}_weight")
        if weight.size != scores.size:
            raise DataError(
                f"{name} has {scores.size} cases but {name}_weight has {weight.size}: they must be "
                "as many"
            )
        missing = either(missing, lacking)
    if not scores.size:
        raise DataError(f"there are no cases: {name} is empty")
    if missing is None:
        return _Column(_table(scores, weight, name), 0)
    dropped = int(np.count_nonzero(missing))
    if policy == "raise":
        raise DataError(
            f"{dropped} of {scores.size} cases of {name} lack a value (NaN or null), the first at "
            f"row {np.argmax(missing)}: fill them in, or leave these cases out with "
            'nan_policy="drop"'
        )
    if dropped == scores.size:
        raise DataError(f"all {dropped} cases of {name} lack a value: none is left")
    kept = ~missing
    return _Column(_table(scores[kept], None if weight is None else weight[kept], name), dropped)


def _table(scores: Floats, weight: Floats | None, name: str) -> ScoreTable:
    if weight is not None and not weight.any():
        raise DataError(f"all cases of {name} that are left have weight 0")
    return ScoreTable.from_cases(np.ones(scores.size, dtype=bool), scores, weight)
