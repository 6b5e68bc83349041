"""The population stability index: drift between two samples of scores."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Real, Whole, read_argument
from metameasure._text import amount, number
from metameasure.data import NanPolicy, read_unlabeled
from metameasure.errors import DroppedCasesWarning
from metameasure.measurement import MOST_GROUPS, divergence_terms, filled
from metameasure.results import Cell, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Sequence


BINS, SMOOTHING = Whole(1, MOST_GROUPS), Real(0)


@dataclass(frozen=True)
class StabilityBin:
    """One bin of scores.

    Attributes:
        bin: the number of the bin; 1 has the highest scores.
        low: the lower end of the bin, which belongs to it.
        high: the upper end of the bin, which does not belong to it.
        expected: the number of expected cases in the bin, or their weight.
        actual: the number of actual cases in the bin, or their weight.
        expected_share: the fraction of the expected cases, after smoothing.
        actual_share: the fraction of the actual cases, after smoothing.
        term: the contribution of the bin to the index.
    """

    bin: int
    low: float
    high: float
    expected: float
    actual: float
    expected_share: float
    actual_share: float
    term: float


class StabilityTable(Result):
    """The bins of a population stability index, whose ``value`` is the sum of their terms."""

    schema = StabilityBin
    rows: tuple[StabilityBin, ...]

    def __init__(
        self, rows: Sequence[StabilityBin], *, bins: int, smoothing: float, dropped: tuple[int, int]
    ) -> None:
        self.value = math.fsum(row.term for row in rows)
        self.dropped = dict(zip(("expected", "actual"), dropped, strict=True))
        meta = {"value": self.value, "bins": bins, "smoothing": smoothing, "dropped": self.dropped}
        super().__init__(rows, meta=meta)
        self.bins = bins
        self.smoothing = smoothing

    def grids(self) -> list[Grid]:
        """One line per bin, and the sums."""
        header = ["bin", "from", "below", "expected", "actual", "expected share", "actual share"]
        body = [(str(row.bin), _cells(row)) for row in self.rows]
        sums = [sum(getattr(row, name) for row in self.rows) for name in ("expected", "actual")]
        cells = [Cell(""), Cell(""), *(Cell(amount(total)) for total in sums)]
        cells += [Cell(number(1.0)), Cell(number(1.0)), Cell(number(self.value))]
        return [Grid([*header, "term"], [*body, ("all", cells)])]

    def notes(self) -> list[str]:
        """Empty bins, smoothing, and dropped cases."""
        lines = []
        empty = self.bins - len(self.rows)
        if empty:
            lines.append(f"{empty} of {self.bins} bins are empty, since ties are not split")
        if self.smoothing:
            lines.append(f"smoothing: {self.smoothing:g} cases added to each bin of both samples")
        elif math.isinf(self.value):
            lines.append(
                "infinite (∞): a bin has no actual case; smoothing=0.5 adds half a case to each bin"
            )
        return lines + [
            f"{count} {name} cases left out for missing values"
            for name, count in self.dropped.items()
            if count
        ]

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
    """The population stability index: the drift of actual scores from expected scores.

    The index is the sum over bins of (a - e) ln(a / e), where a and e are the fractions of the
    actual and of the expected cases. Arguments as for ``psi_table``, which shows the bins.

    >>> psi([1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 4, 5, 6, 6, 7, 8], bins=2)
    0.063853...
    """
    table = psi_table(
        expected,
        actual,
        bins=bins,
        smoothing=smoothing,
        expected_weight=expected_weight,
        actual_weight=actual_weight,
        nan_policy=nan_policy,
    )
    if any(table.dropped.values()):
        warnings.warn(
            "dropped {expected} expected and {actual} actual cases with missing values".format(
                **table.dropped
            ),
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

    Bins have equal numbers of expected cases; ties are not split, but go to the bin that contains
    their middle. A bin extends from its lowest expected score up to that of the next bin; the outer
    bins are unbounded, so that each actual score lies in a bin. A bin without actual cases makes
    the index infinite; ``smoothing=0.5`` adds half a case to each bin of both samples.

    Args:
        expected: the scores at the time of development.
        actual: the current scores; their number may differ.
        bins: the number of bins.
        smoothing: the number of cases to add to each bin.
        expected_weight: the weights of the expected cases.
        actual_weight: the weights of the actual cases.
        nan_policy: "raise", or "drop" to drop cases with missing values.

    >>> print(psi_table([1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 4, 5, 6, 6, 7, 8], bins=2))
    bin    from   below  expected  actual  expected share  actual share    term
    1    5.0000       ∞         4       5          0.5000        0.6250  0.0279
    2        -∞  5.0000         4       3          0.5000        0.3750  0.0360
    all                         8       8          1.0000        1.0000  0.0639
    """
    bins = read_argument("bins", bins, BINS)
    smoothing = read_argument("smoothing", smoothing, SMOOTHING)
    (first, lost), (second, gone) = (
        read_unlabeled(values, weight, name, nan_policy)
        for values, weight, name in (
            (expected, expected_weight, "expected"),
            (actual, actual_weight, "actual"),
        )
    )
    groups = filled(first, bins)
    # A bin begins at its lowest expected score; the last one, which has no end, begins at none.
    starts = np.append(groups.lowest[:-1], -np.inf)
    rows = [second.rows_from(low) for low in starts.tolist()]
    counts = np.diff(second.tp[rows], prepend=0.0)
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
        dropped=(lost, gone),
    )
