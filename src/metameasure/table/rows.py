"""Operations along the rows of tables, the last axis of their arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Floats


BLOCK, COUNTED = 4096, 2**15
LEAST_TOTAL, LARGEST_TOTAL = 1e-100, 1e100


def check_total(weight: Floats, what: str) -> None:
    """Raise an error for weights whose products would overflow float64."""
    with np.errstate(over="ignore"):
        total = float(np.max(np.sum(weight, axis=-1), initial=0.0))
    if total and not LEAST_TOTAL <= total <= LARGEST_TOTAL:
        raise DataError(
            f"the sum of the weights in {what} must be from {LEAST_TOTAL:g} to {LARGEST_TOTAL:g}, "
            f"got {total:g}",
            remedy="multiply all weights by a constant",
        )


def cumulated(weight: Floats, *, counts: bool = False) -> Floats:
    """Cumulative sums along the rows, starting with 0.

    Counts are summed as integers, which is several times faster. Other weights are summed in
    blocks, so that the rounding error does not grow with the number of rows. The memory order of a
    block whose tables are contiguous row by row is kept, which is faster for short tables.
    """
    rows = weight.shape[-1]
    flags = weight.flags
    side_by_side = flags.f_contiguous and not flags.c_contiguous and rows <= BLOCK
    sums = np.empty((*weight.shape[:-1], rows + 1), order="F" if side_by_side else "C")
    sums[..., 0] = 0.0
    if side_by_side:
        for row in range(rows):
            np.add(sums[..., row], weight[..., row], out=sums[..., row + 1])
        return sums
    if not counts and rows <= BLOCK:
        np.cumsum(weight, axis=-1, out=sums[..., 1:])
        return sums
    kind, block = (np.int64, COUNTED) if counts else (np.float64, BLOCK)
    before: Any = np.zeros(weight.shape[:-1], kind)
    for begin in range(0, rows, block):
        part = weight[..., begin : begin + block].astype(kind, copy=False)
        inside: Any = np.cumsum(part, axis=-1)
        if begin:
            inside += before[..., np.newaxis]
        sums[..., begin + 1 : begin + 1 + block] = inside
        before = inside[..., -1]
    return sums


def share(sums: Floats) -> Floats:
    """Each sum divided by the last; NaN if that is 0."""
    with np.errstate(invalid="ignore"):
        return sums / sums[..., -1:]


def count_before(along: Floats, target: Any, side: Literal["left", "right"]) -> Any:
    """The number of entries of each increasing row below the target (side right: at or below)."""
    if along.ndim == 1:
        return np.searchsorted(along, target, side=side)
    compare = np.less if side == "left" else np.less_equal
    return np.count_nonzero(compare(along, target[..., np.newaxis]), axis=-1)


def pick(values: Floats, index: Any) -> Any:
    """The entry of each row at its own index, or of all rows at the same one."""
    if np.ndim(index) == 0:
        return values[..., index][()]
    return np.take_along_axis(values, index[..., np.newaxis], -1)[..., 0]


def starts(score: Floats) -> NDArray[np.int64]:
    """The start of each distinct score in a sorted array."""
    return np.concatenate([[0], np.flatnonzero(score[1:] != score[:-1]) + 1])


def collapse(score: Floats, pos: Floats, neg: Floats) -> tuple[Floats, Floats, Floats]:
    """Move the weight of tied rows onto the first row of the tie, along the last axis."""
    first = np.ones(score.shape, dtype=bool)
    np.not_equal(score[..., 1:], score[..., :-1], out=first[..., 1:])
    if first.all():
        return score, pos, neg
    begin = np.flatnonzero(first)
    collapsed = []
    for weight in (pos, neg):
        summed = np.zeros(weight.shape)
        summed.reshape(-1)[begin] = np.add.reduceat(weight.reshape(-1), begin)
        collapsed.append(summed)
    return score, collapsed[0], collapsed[1]


def compress(score: Floats, pos: Floats, neg: Floats) -> tuple[Floats, Floats, Floats]:
    """Remove the rows of one table that have no weight; at least one row is kept."""
    kept = (pos > 0) | (neg > 0)
    if not kept.any():
        kept[0] = True
    return (score, pos, neg) if kept.all() else (score[kept], pos[kept], neg[kept])
