"""Groups of cases: which cases belong together, found without a loop over the groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.data.arrays import sortable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Indices = NDArray[np.int64]

CLOSE = 4
"""Whole numbers that span at most so many times their number are looked up in a table."""


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups in the order of their names, and where their cases are.

    Attributes:
        names: the name of each group.
        start: where in the order of the cases each group begins.
        size: the number of its cases.
        order: the cases group by group; None if they stand so already.

    >>> groups = Groups.of(np.array(["b", "a", "b"]))
    >>> groups.names, groups.size, groups.cases(1)
    (array(['a', 'b'], dtype='<U1'), array([1, 2]), array([0, 2]))
    """

    names: NDArray[Any]
    start: Indices
    size: Indices
    order: Indices | None

    @classmethod
    def of(cls, group: NDArray[Any]) -> Groups:
        """The groups of cases; ``group`` is validated and has no missing value.

        Cases of a group mostly stand together. So the runs of equal names are found first, and only
        their names are compared; the cases are sorted only if a group has several runs.
        """
        group = sortable(group)
        start, size = _runs(group)
        heads = group[start]
        if group.dtype.kind in "iubMm" and (heads[1:] > heads[:-1]).all():
            return cls(heads, start, size, None)
        names, code = _coded(heads)
        if names.size == heads.size:
            run = np.argsort(code)
            return cls(names, start[run], size[run], None)
        code = np.repeat(code, size)
        size = np.bincount(code, minlength=names.size)
        return cls(names, np.cumsum(size) - size, size, _order(code, names.size))

    def cases(self, group: int) -> Indices:
        """The cases of a group, given by its place among the names."""
        start, size = int(self.start[group]), int(self.size[group])
        if self.order is None:
            return np.arange(start, start + size)
        return self.order[start : start + size]


def _runs(group: NDArray[Any]) -> tuple[Indices, Indices]:
    """Where each run of equal names begins, and how long it is."""
    fresh = np.asarray(group[1:] != group[:-1], dtype=bool)
    start = np.concatenate([[0], np.flatnonzero(fresh) + 1])
    return start, np.diff(start, append=group.size)


def _coded(names: NDArray[Any]) -> tuple[NDArray[Any], Indices]:
    """The distinct names in their order, and the place of each name among them."""
    if names.dtype.kind in "iub":
        low, high = int(names.min()), int(names.max())
        if high - low <= CLOSE * names.size and -(2**62) < low <= high < 2**62:
            return _coded_by_table(names, low, high)
    if names.dtype.kind not in "USO":
        distinct, code = np.unique(names, return_inverse=True)
        return distinct, code.reshape(-1)
    # Texts and objects are told apart by hashing: sorting all of them would take far longer.
    listed = names.tolist()
    found = dict.fromkeys(listed)
    try:
        ordered = sorted(found)
    except TypeError:
        ordered = sorted(found, key=str)
    place = {name: number for number, name in enumerate(ordered)}
    code = np.fromiter(map(place.__getitem__, listed), np.int64, len(listed))
    return np.fromiter(ordered, names.dtype, len(ordered)), code


def _coded_by_table(names: NDArray[Any], low: int, high: int) -> tuple[NDArray[Any], Indices]:
    """The same for whole numbers that lie close to each other."""
    offset = names.astype(np.int64) - low
    found_at = np.full(high - low + 1, -1)
    found_at[offset] = np.arange(names.size)
    used = found_at >= 0
    return names[found_at[used]], (np.cumsum(used) - 1)[offset]


def _order(code: Indices, codes: int) -> Indices:
    """The cases in the order of their codes, those of a code as they stood.

    A code and the number of its case are sorted as one whole number, which is several times faster
    than sorting indices.
    """
    bits = (code.size - 1).bit_length()
    if bits + codes.bit_length() > 62:
        return np.argsort(code, kind="stable")
    packed = code << bits
    packed |= np.arange(code.size)
    packed.sort()
    packed &= (1 << bits) - 1
    return packed
