"""Groups of cases, found without a loop over the groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Indices


CLOSE = 4
"""Largest ratio of the range of integers to their number for which a lookup table is used."""


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups, sorted by name, and their cases.

    Attributes:
        names: name of each group.
        start: index of the first case of each group in ``order``.
        size: number of cases of each group.
        order: the cases group by group; None if they are in this order.

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

        The cases of a group are often consecutive. So runs of equal names are found first, and
        only their names are compared; the cases are sorted only if a group has several runs.
        """
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
        """The cases of a group, given by the index of its name."""
        start, size = int(self.start[group]), int(self.size[group])
        if self.order is None:
            return np.arange(start, start + size)
        return self.order[start : start + size]


def group_name(group: Any) -> str:
    """A group as text; a whole number is one, even where a missing one has made it a float."""
    whole = isinstance(group, (float, np.floating)) and float(group).is_integer()
    return str(int(group) if whole else group)


def _runs(group: NDArray[Any]) -> tuple[Indices, Indices]:
    """The start and the length of each run of equal names."""
    fresh = np.asarray(group[1:] != group[:-1], dtype=bool)
    start = np.concatenate([[0], np.flatnonzero(fresh) + 1])
    return start, np.diff(start, append=group.size)


def _coded(names: NDArray[Any]) -> tuple[NDArray[Any], Indices]:
    """The distinct names, sorted, and the index of each name among them."""
    if names.dtype.kind in "iub":
        low, high = int(names.min()), int(names.max())
        if high - low <= CLOSE * names.size and -(2**62) < low <= high < 2**62:
            return _coded_by_table(names, low, high)
    if names.dtype.kind not in "USO":
        distinct, code = np.unique(names, return_inverse=True)
        return distinct, code.reshape(-1)
    # Text and objects are compared by hashing: sorting all of them would take far longer.
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
    """The same for integers in a narrow range."""
    offset = names.astype(np.int64) - low
    found_at = np.full(high - low + 1, -1)
    found_at[offset] = np.arange(names.size)
    used = found_at >= 0
    return names[found_at[used]], (np.cumsum(used) - 1)[offset]


def _order(code: Indices, codes: int) -> Indices:
    """The cases, stably sorted by code.

    A code and the index of its case are sorted as one integer, which is several times faster than
    sorting indices.
    """
    bits = (code.size - 1).bit_length()
    if bits + codes.bit_length() > 62:
        return np.argsort(code, kind="stable")
    packed = code << bits
    packed |= np.arange(code.size)
    packed.sort()
    packed &= (1 << bits) - 1
    return packed
