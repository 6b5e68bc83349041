"""Tables of groups of cases: deciles, calibration bins, stability; and isotonic calibration."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from .cuts import ZERO, Case, Number, Row, Value, ratio, rows, spans, totals
from .probability import isotonic, log, observed_expected

Weighted = tuple[float, Fraction]  # score, weight


@dataclass
class Group:
    """A group: its number from the top, its rows, and the rows that come before its end."""

    number: int
    rows: list[Row]
    before: list[Row]


def numbered(cases: Sequence[Case], groups: int) -> list[Group]:
    """Each row goes to the group 1 + floor(groups m / n) of its middle m."""
    n = sum(totals(cases))
    found: list[Group] = []
    before: list[Row] = []
    for start, stop, row in spans(cases):
        number = 1 + math.floor(groups * (start + stop) / (2 * n))
        before = [*before, row]
        if not found or found[-1].number != number:
            found.append(Group(number, [], []))
        found[-1].rows.append(row)
        found[-1].before = before
    return found


def by_width(cases: Sequence[Case], bins: int) -> list[Group]:
    """Bins from the lowest scores, numbered by how many inner edges their scores reach."""
    found: dict[int, Group] = {}
    for row in reversed(rows(cases)):
        number = 1 + sum(row[0] >= g / bins for g in range(1, bins))
        found.setdefault(number, Group(number, [], [])).rows.append(row)
    return list(found.values())


def term(first: Value, second: Value) -> Value:
    """(a - b) ln(a / b) of two shares."""
    if first is None or second is None:
        return None
    if not first or not second:
        return ZERO if first == second else math.inf
    return float(first - second) * log(Fraction(first) / Fraction(second))


def decile_rows(cases: Sequence[Case], groups: int) -> list[dict[str, Value]]:
    """The rows of a decile table: Siddiqi 2006."""
    p, n = totals(cases)
    table = []
    for group in numbered(cases, groups):
        observed, expected, size = observed_expected(group.rows)
        tp, _, taken = observed_expected(group.before)
        gain, fallen = ratio(tp, p), ratio(taken - tp, n)
        table.append(
            {
                "group": Fraction(group.number),
                "lowest_score": min(score for score, _, _ in group.rows),
                "highest_score": max(score for score, _, _ in group.rows),
                "cases": size,
                "positives": observed,
                "negatives": size - observed,
                "positive_rate": observed / size,
                "mean_score": expected / size,
                "lift": ratio(observed * (p + n), size * p),
                "cumulative_cases": taken / (p + n),
                "gain": gain,
                "cumulative_negatives": fallen,
                "cumulative_lift": ratio(tp * (p + n), taken * p),
                "ks": None if gain is None or fallen is None else abs(gain - fallen),
                "information_value": term(ratio(observed, p), ratio(size - observed, n)),
            }
        )
    return table


def calibration_bins(
    cases: Sequence[Case], bins: int, equal: str = "mass"
) -> list[dict[str, Value]]:
    """The bins of a calibration table, from the lowest scores."""
    if equal == "mass":
        found = [Group(bins + 1 - g.number, g.rows, []) for g in reversed(numbered(cases, bins))]
    else:
        found = by_width(cases, bins)
    table = []
    for group in found:
        observed, expected, size = observed_expected(group.rows)
        table.append(
            {
                "bin": Fraction(group.number),
                "lowest_score": min(score for score, _, _ in group.rows),
                "highest_score": max(score for score, _, _ in group.rows),
                "cases": size,
                "positives": observed,
                "mean_score": expected / size,
                "positive_rate": observed / size,
                "gap": (observed - expected) / size,
            }
        )
    return table


def stability(
    expected: Sequence[Weighted], actual: Sequence[Weighted], bins: int, smoothing: Number = 0
) -> Value:
    """The population stability index: the sum over bins of (a - e) ln(a / e)."""
    cases = [(True, score, weight) for score, weight in expected]
    lowest = [min(score for score, _, _ in group.rows) for group in numbered(cases, bins)]
    lowest[-1] = -math.inf
    counts = []
    for column in (expected, actual):
        count = [Fraction(smoothing)] * len(lowest)
        for score, weight in column:
            count[next(b for b, low in enumerate(lowest) if score >= low)] += weight
        counts.append(count)
    shares = [[part / sum(count) for part in count] for count in counts]
    terms = [term(a, e) for e, a in zip(*shares, strict=True)]
    return math.fsum(float(t) for t in terms if t is not None)


def calibrated(cases: Sequence[Case], score: float) -> Fraction:
    """The isotonic fit at a score: linear between known scores, constant beyond them."""
    known = [(Fraction(row[0]), fit) for row, fit in isotonic(cases)]
    x = min(max(Fraction(score), known[0][0]), known[-1][0])
    low, below = max(pair for pair in known if pair[0] <= x)
    high, above = min(pair for pair in known if pair[0] >= x)
    return below if low == high else below + (above - below) * (x - low) / (high - low)
