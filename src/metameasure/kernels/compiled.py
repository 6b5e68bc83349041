"""The kernels in numba, for blocks; tests hold each equal to its plain twin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.kernels.coarse import COARSE_COLUMNS, HIGHEST, LOWEST, NEG, POS
from metameasure.kernels.compilation import kernel
from metameasure.kernels.sums import ROUNDING

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Floats, Mask

    Indices = NDArray[Any]
    Keys = NDArray[np.uint64]

LOOKED_AT = 4
"""Number of rows that are compared with a score without branching."""
TINY = 1e-300
"""Weight that stands for none in a divisor."""
RUN = 32
"""Number of adjacent rows that are often ahead of the same rows of the other class."""


@kernel
def pool(pos: Floats, neg: Floats) -> tuple[Floats, Floats]:
    """See the plain twin: a stack of pools, merged while the last two do not decrease."""
    pooled_pos, pooled_neg = np.zeros_like(pos), np.zeros_like(neg)
    tables, rows = pos.shape
    first = np.empty(rows, np.int64)
    p, q = np.empty(rows), np.empty(rows)
    for table in range(tables):
        top = -1
        for row in range(rows):
            if pos[table, row] + neg[table, row] == 0:
                continue
            top += 1
            first[top], p[top], q[top] = row, pos[table, row], neg[table, row]
            while top > 0 and p[top - 1] * q[top] <= p[top] * q[top - 1]:
                top -= 1
                p[top] += p[top + 1]
                q[top] += q[top + 1]
        for pooled in range(top + 1):
            pooled_pos[table, first[pooled]] = p[pooled]
            pooled_neg[table, first[pooled]] = q[pooled]
    return pooled_pos, pooled_neg


@kernel
def inversions(values: Floats) -> NDArray[np.int64]:
    """See the plain twin: a merge sort of each row that counts inversions."""
    rows, size = values.shape
    counts = np.zeros(rows, np.int64)
    here, there = np.empty(size), np.empty(size)
    for row in range(rows):
        here[:] = values[row]
        width = 1
        while width < size:
            for start in range(0, size, 2 * width):
                middle, end = min(start + width, size), min(start + 2 * width, size)
                left, right = start, middle
                for place in range(start, end):
                    if left < middle and (right >= end or here[left] <= here[right]):
                        there[place] = here[left]
                        counts[row] += right - middle
                        left += 1
                    else:
                        there[place] = here[right]
                        right += 1
            here, there = there, here
            width *= 2
    return counts


@kernel
def rows_within(score: Floats, margin: float) -> NDArray[np.int64]:
    """See the plain twin: two pointers that only move down."""
    counts = np.empty(score.shape, np.int64)
    tables, rows = score.shape
    for table in range(tables):
        end = 0
        for row in range(rows):
            while end < rows and not score[table, row] - score[table, end] > margin:
                end += 1
            counts[table, row] = end
    return counts


def pairs_beyond(score: Floats, pos: Floats, neg: Floats, margins: Floats) -> Floats:
    """See the plain twin: each case looks up its position in the other class.

    NumPy allocates the work arrays, since it uses large pages, and touching new memory costs more
    than the arithmetic.
    """
    rows = pos.shape[1]
    upper, lower = (np.empty((2, rows + LOOKED_AT)) for _ in range(2))
    starts = np.empty(2 * rows + 1, np.int32 if rows < 2**31 else np.int64)
    runs = np.empty(rows // RUN + 1)
    found: Floats = _pairs_beyond(score, pos, neg, margins, upper, runs, lower, starts)
    return found


@kernel
def _pairs_beyond(
    score: Floats,
    pos: Floats,
    neg: Floats,
    margins: Floats,
    upper: Floats,
    runs: Floats,
    lower: Floats,
    starts: Indices,
) -> Floats:
    """For each table: separate the classes, and look up the cases of the smaller class.

    With negated scores, negatives are ahead of positives by the same margins.
    """
    found = np.zeros((pos.shape[0], margins.size))
    for table in range(pos.shape[0]):
        scores, sign, low = score[table % score.shape[0]], 1.0, 0.0
        ahead, behind = pos[table], neg[table]
        if np.count_nonzero(ahead) > np.count_nonzero(behind):
            sign, low = -1.0, -1.0
            ahead, behind = neg[table], pos[table]
        m, n = _take_class(scores, ahead, sign, upper), _take_class(scores, behind, sign, lower)
        for run in range(0, m, RUN):
            runs[run // RUN] = upper[1, run : min(run + RUN, m)].sum()
        below, cells = lower[1, : n + 1], starts[: 2 * n + 1]
        below[n] = total = 0.0
        for row in range(n - 1, -1, -1):
            total += below[row]
            below[row] = total
        _index(lower[0, :n], low, cells)
        for place in range(margins.size):
            found[table, place] = _beyond(
                upper[:, :m], runs, lower[0], below, cells, low, margins[place]
            )
    return found


@kernel
def _take_class(score: Floats, weight: Floats, sign: float, taken: Floats) -> np.int64:
    """Copy the scores and weights of a class, then scores below all others, and count its rows.

    All rows are copied and those without weight overwritten, which avoids mispredicted branches.
    """
    count = np.uint64(0)
    for place in range(score.size):
        row = place if sign > 0 else score.size - 1 - place
        taken[0, count], taken[1, count] = sign * score[row], weight[row]
        count += np.uint64(weight[row] > 0)
    taken[0, count : count + np.uint64(LOOKED_AT)] = -np.inf
    return np.int64(count)


@kernel
def _cell(score: float, low: float, cells: int) -> np.uint64:
    """The cell of a score among equal cells from ``low`` to ``low`` + 1; it never decreases."""
    return np.uint64(np.int64(min(max(score - low, 0.0), 1.0) * cells))


@kernel
def _index(score: Floats, low: float, starts: Indices) -> None:
    """For each cell, the number of scores in higher cells."""
    cells = starts.size - 1
    starts[:] = 0
    most = starts[0]
    for row in range(score.size):
        starts[_cell(score[row], low, cells)] = row + 1
    for cell in range(cells, -1, -1):
        here = starts[cell]
        starts[cell] = most
        most = max(most, here)


@kernel
def _place(
    score: float, margin: float, lower: Floats, starts: Indices, low: float, near: np.uint64
) -> np.uint64:
    """The number of rows of the other class that a score is not ahead of by more than the margin.

    Scores in a higher cell than ``score - margin`` are within the margin, however the difference is
    rounded. Some rows of the same cell are compared without branching; the remaining rows are
    scanned from the position of the previous score.
    """
    at = np.uint64(starts[_cell(score - margin, low, starts.size - 1)])
    within = np.uint64(0)
    for step in range(LOOKED_AT):
        within += np.uint64(score - lower[at + np.uint64(step)] <= margin)
    at += within
    if within == LOOKED_AT:
        at = max(at, near)
        while score - lower[at] <= margin:
            at += np.uint64(1)
    return at


@kernel
def _beyond(
    upper: Floats,
    runs: Floats,
    lower: Floats,
    below: Floats,
    starts: Indices,
    low: float,
    margin: float,
) -> float:
    """The weight of the pairs beyond a margin.

    A run of rows counts as one if its last row is ahead of the same rows as its first.
    """
    score, weight = upper
    near, total = np.uint64(0), 0.0
    for first in range(0, score.size, RUN):
        end = min(first + RUN, score.size)
        near = _place(score[first], margin, lower, starts, low, near)
        if near == below.size - 1:
            break
        if score[end - 1] - lower[near] > margin:
            total += runs[first // RUN] * below[near]
            continue
        for row in range(first, end):
            near = _place(score[row], margin, lower, starts, low, near)
            total += weight[row] * below[near]
    return total


@kernel
def first_positive(above: Floats, pos: Floats, neg: Floats) -> Floats:
    """See the plain twin."""
    values = np.empty(above.shape)
    for table in range(above.size):
        a, p, q = above[table], pos[table], neg[table]
        value, none_yet, drawn = 0.0, 1.0, 0
        while drawn < q and none_yet > 0:
            left = p + q - drawn
            value += none_yet * p / left / (a + drawn + 1)
            none_yet *= (left - p) / left
            drawn += 1
        values[table] = value + none_yet / (a + drawn + 1)
    return values


@kernel
def _absolute_series(start: float, step: float, terms: float) -> float:
    """The sum of |start + i step| over i = 0, ..., terms - 1; 0 if terms is 0."""
    if terms <= 0:
        return 0.0
    before = 0.0
    if step != 0 and np.isfinite(start / step):
        before = min(max(np.floor(-start / step) + 1, 0.0), terms)
    end = start + (terms - 1) * step
    turn = start + (before - 1) * step
    return (abs(before * (start + turn)) + abs((terms - before) * (turn + step + end))) / 2


@kernel
def window_gap(position: Floats, height: Floats, window: Floats) -> Floats:
    """See the plain twin: both ends of the window move along the positions."""
    values = np.empty(window.shape)
    for table in range(window.size):
        x, h, w = position[table], height[table], window[table]
        rows = x.size - 1
        while rows > 1 and x[rows] == x[rows - 1]:
            rows -= 1
        last = np.floor((x[rows] - w) * (1 + ROUNDING))
        low = high = 0
        here, total, next_whole = 0.0, 0.0, 0.0
        while next_whole <= last:
            while low < rows - 1 and x[low + 1] <= here:
                low += 1
            while high < rows - 1 and x[high + 1] - w <= here:
                high += 1
            there = min(last, x[low + 1])
            if x[high + 1] - w > here:
                there = min(there, x[high + 1] - w)
            rise = (h[high + 1] - h[high]) / (x[high + 1] - x[high])
            fall = (h[low + 1] - h[low]) / (x[low + 1] - x[low])
            change = h[high] + rise * (here + w - x[high]) - h[low] - fall * (here - x[low])
            slope = rise - fall
            terms = np.floor(there) - next_whole + 1
            if terms > 0:
                total += _absolute_series(change + slope * (next_whole - here), slope, terms)
                next_whole += terms
            if there <= here:
                break
            here = there
        values[table] = total / (last + 1) / w
    return values


@kernel
def exchanged_cells(
    own: Indices, other: Indices, swapped: NDArray[np.uint8], weight: Floats, cells: int
) -> Floats:
    """See the plain twin: the cell is chosen without branching, as swaps are random."""
    tables, cases = swapped.shape
    found = np.zeros((tables, cells))
    for table in range(tables):
        counts = found[table]
        for case in range(cases):
            cell = own[case] + swapped[table, case] * (other[case] - own[case])
            counts[cell] += weight[case] if weight.size else 1.0
    return found


@kernel
def absorb_cases(
    rows: Floats,
    low: Floats,
    high: Floats,
    pos: Floats,
    neg: Floats,
    pos_weight: Floats,
    neg_weight: Floats,
) -> tuple[Floats, int]:
    """See the plain twin: rows and both classes are merged from the highest score to the lowest.

    Sums are compensated (Kahan), so that each rounds twice, whatever its number of terms.
    """
    found = np.empty((rows.shape[0] + pos.size + neg.size, COARSE_COLUMNS))
    row, p, q, made = 0, pos.size - 1, neg.size - 1, 0
    while row < rows.shape[0] or p >= 0 or q >= 0:
        score = pos[p] if p >= 0 else -np.inf
        if q >= 0 and neg[q] > score:
            score = neg[q]
        floor = ceiling = score
        if row < rows.shape[0] and ((p < 0 and q < 0) or high[row] >= score):
            for column in range(COARSE_COLUMNS):
                found[made, column] = rows[row, column]
            floor, ceiling = low[row], high[row]
            row += 1
        else:
            found[made, HIGHEST] = found[made, LOWEST] = score
            for column in range(POS, COARSE_COLUMNS):
                found[made, column] = 0.0
        if floor < ceiling:
            p = _take_into_bucket(found, made, POS, floor, pos, pos_weight, p)
            q = _take_into_bucket(found, made, NEG, floor, neg, neg_weight, q)
        else:
            p = _take_tied(found, made, POS, floor, pos, pos_weight, p)
            q = _take_tied(found, made, NEG, floor, neg, neg_weight, q)
        made += 1
    # The memory behind the rows has not been touched, and costs nothing.
    return found[:made] if 2 * made > found.shape[0] else found[:made].copy(), 2


@kernel
def group_rows(rows: Floats, heads: Mask) -> Floats:
    """See the plain twin: one pass, in which the sums of rows with one score are found."""
    found = np.zeros((np.count_nonzero(heads), COARSE_COLUMNS))
    begin = 0
    for made in range(found.shape[0]):
        end = begin + 1
        while end < rows.shape[0] and not heads[end]:
            end += 1
        if end == begin + 1:
            for column in range(COARSE_COLUMNS):
                found[made, column] = rows[begin, column]
        else:
            _join(found[made], rows, begin, end)
        begin = end
    return found


@kernel
def _join(joined: Floats, rows: Floats, begin: int, end: int) -> None:
    """Add up some rows in a row of zeros."""
    rest = np.zeros(COARSE_COLUMNS)
    joined[HIGHEST], joined[LOWEST] = rows[begin, HIGHEST], rows[begin, LOWEST]
    for row in range(begin, end):
        joined[HIGHEST] = max(joined[HIGHEST], rows[row, HIGHEST])
        joined[LOWEST] = min(joined[LOWEST], rows[row, LOWEST])
    wide = joined[HIGHEST] > joined[LOWEST]
    for row in range(begin, end):
        for column in range(POS, COARSE_COLUMNS if wide else POS + 2):
            joined[column], rest[column] = _plus(joined[column], rest[column], rows[row, column])
        score = rows[row, HIGHEST]
        if wide and score == rows[row, LOWEST]:
            for column in (POS, NEG):
                weight = rows[row, column]
                if weight > 0:
                    away = 1 - score if column == POS else score
                    loss = -np.log(score) if column == POS else -np.log1p(-score)
                    for place, term in ((2, score), (4, away * away), (6, loss)):
                        to = column + place
                        joined[to], rest[to] = _plus(joined[to], rest[to], weight * term)


@kernel
def join_costs(low: Keys, high: Keys, pos: Floats, neg: Floats) -> Floats:
    """See the plain twin: rows are joined from the left, smaller cells first.

    On the stack are cells that wait for a larger one, each with the bits in which its end and the
    next row differ; the first of these bits falls from one to the next.
    """
    costs = np.empty(low.size - 1)
    depth = 0
    places, bits = np.empty(66, np.int64), np.empty(66, np.uint64)
    left_pos, left_neg = np.empty(66), np.empty(66)
    all_pos, all_neg = max(pos.sum(), TINY), max(neg.sum(), TINY)
    for row in range(low.size):
        p, q = pos[row], neg[row]
        last = row == low.size - 1
        differ = np.uint64(0) if last else low[row] ^ high[row + 1]
        while depth > 0 and (
            last or (bits[depth - 1] < differ and bits[depth - 1] < bits[depth - 1] ^ differ)
        ):
            depth -= 1
            p += left_pos[depth]
            q += left_neg[depth]
            costs[places[depth]] = max(p / all_pos, q / all_neg)
        places[depth], bits[depth], left_pos[depth], left_neg[depth] = row, differ, p, q
        depth += 1
    return costs


@kernel
def _take_tied(
    rows: Floats, row: int, column: int, score: float, scores: Floats, weights: Floats, last: int
) -> int:
    """Add the last cases, if they have this score, to a row; the place before them."""
    weighed = rest = 0.0
    while last >= 0 and scores[last] >= score:
        weighed, rest = _plus(weighed, rest, weights[last] if weights.size else 1.0)
        last -= 1
    rows[row, column] += weighed
    return last


@kernel
def _take_into_bucket(
    rows: Floats, row: int, column: int, floor: float, scores: Floats, weights: Floats, last: int
) -> int:
    """Add the last cases, down to a score, to a row of several scores; the place before them."""
    first, positives = last, column == POS
    weighed = total = squares = losses = 0.0
    rest_weighed = rest_total = rest_squares = rest_losses = 0.0
    while last >= 0 and scores[last] >= floor:
        score = scores[last]
        weight = weights[last] if weights.size else 1.0
        away = 1 - score if positives else score
        loss = -np.log(score) if positives else -np.log1p(-score)
        weighed, rest_weighed = _plus(weighed, rest_weighed, weight)
        total, rest_total = _plus(total, rest_total, weight * score)
        squares, rest_squares = _plus(squares, rest_squares, weight * away * away)
        losses, rest_losses = _plus(losses, rest_losses, weight * loss)
        last -= 1
    if last < first:
        rows[row, HIGHEST] = max(rows[row, HIGHEST], scores[first])
        rows[row, LOWEST] = min(rows[row, LOWEST], scores[last + 1])
        rows[row, column] += weighed
        rows[row, column + 2] += total
        rows[row, column + 4] += squares
        rows[row, column + 6] += losses
    return last


@kernel
def _plus(total: float, rest: float, term: float) -> tuple[float, float]:
    """The sum of Kahan, and what it has beyond the exact one."""
    more = term - rest
    grown = total + more
    return grown, (grown - total) - more if np.isfinite(grown) else 0.0
