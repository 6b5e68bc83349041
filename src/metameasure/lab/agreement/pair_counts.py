"""Huang's five counts: how two measures order all pairs of elements."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure import kernels
from metameasure.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure.lab.agreement.domain import Levels

    Cells = NDArray[Any]

DENSE = 2**24
"""Number of cells up to which levels are cross-tabulated."""
LARGEST = 2**62
"""Number of pairs from which counts are Python integers."""


@dataclass(frozen=True)
class Counts:
    """Numbers of pairs of elements, by how f and g order them.

    Attributes:
        con: f and g agree.
        incon: f and g disagree.
        dis_fg: only f discriminates; they are tied for g.
        dis_gf: only g discriminates; they are tied for f.
        ind: tied for both.
    """

    con: int
    incon: int
    dis_fg: int
    dis_gf: int
    ind: int

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return self.con + self.incon + self.dis_fg + self.dis_gf + self.ind

    @property
    def consistency(self) -> float:
        """C: the fraction of the pairs ordered by both on which they agree."""
        return ratio(self.con, self.con + self.incon)

    @property
    def discriminancy(self) -> float:
        """D: the number of pairs only f discriminates per pair only g discriminates."""
        return ratio(self.dis_fg, self.dis_gf)

    @property
    def indifferency(self) -> float:
        """E: the fraction of the pairs that are tied for both."""
        return ratio(self.ind, self.pairs)

    @property
    def turned(self) -> Counts:
        """The same with f and g swapped."""
        return Counts(self.con, self.incon, self.dis_gf, self.dis_fg, self.ind)

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, name) + getattr(other, name) for name in FIELDS))

    @property
    def verdict(self) -> str:
        """Whether f is better than g, worse, or neither, as Huang defines it."""
        if not (self.incon or self.dis_fg or self.dis_gf):
            return "equivalent"
        if not self.incon and not (self.dis_fg and self.dis_gf):
            return "dominates" if self.dis_fg else "dominated"
        if self.con > self.incon and self.dis_fg != self.dis_gf:
            return "better" if self.dis_fg > self.dis_gf else "worse"
        return "not comparable"


FIELDS = ("con", "incon", "dis_fg", "dis_gf", "ind")


def ratio(some: float, of: float) -> float:
    """A ratio of counts: infinite if only the denominator is 0, NaN if both are."""
    if of:
        return some / of
    return math.inf if some else math.nan


def count_pairs(f: Levels, g: Levels, weight: Cells | None = None) -> Counts:
    """The counts over all pairs of elements; each element stands for ``weight`` equal ones."""
    size = f.code.size if weight is None else int(weight.sum())
    all_pairs = size * (size - 1) // 2
    exact = object if all_pairs >= LARGEST else np.int64
    tied_f, tied_g = (_tied(levels, weight, exact) for levels in (f, g))
    if f.count * g.count <= DENSE:
        cells = _crossed(f, g, weight, exact)
        both, con = _pairs(cells), _concordant(cells)
        return Counts(
            con,
            all_pairs - tied_f - tied_g + both - con,
            tied_g - both,
            tied_f - both,
            both,
        )
    if weight is not None:
        raise DataError(
            f"{f.count} x {g.count} levels are too many to cross-tabulate",
            remedy="choose a smaller domain",
        )
    code = f.code * g.count + g.code
    code.sort()
    starts = np.flatnonzero(np.concatenate([[True], code[1:] != code[:-1]]))
    both = _pairs(np.diff(np.append(starts, code.size)))
    # Sorted by f, and by g within ties of f, each inversion of g is a disagreement.
    by_f = (code % g.count).astype(np.float64)[np.newaxis]
    incon = int(kernels.for_size(by_f.size).inversions(by_f)[0])
    con = all_pairs - tied_f - tied_g + both - incon
    return Counts(con, incon, tied_g - both, tied_f - both, both)


def _tied(levels: Levels, weight: Cells | None, exact: Any) -> int:
    return _pairs(_sums(levels.code, weight, levels.count, exact))


def _pairs(counts: Cells) -> int:
    """The number of pairs within the counts."""
    return int((counts * (counts - 1) // 2).sum())


def _sums(code: Cells, weight: Cells | None, size: int, exact: Any) -> Cells:
    """The number of elements per code."""
    if weight is None:
        return np.bincount(code, minlength=size).astype(exact)
    found = np.zeros(size, dtype=exact)
    np.add.at(found, code, weight)
    return found


def _crossed(f: Levels, g: Levels, weight: Cells | None, exact: Any) -> Cells:
    code = f.code * g.count + g.code
    return _sums(code, weight, f.count * g.count, exact).reshape(f.count, g.count)


def _concordant(cells: Cells) -> int:
    """The number of pairs in which one element is above the other for both measures."""
    cells = cells if cells.shape[0] <= cells.shape[1] else cells.T
    found, below = 0, np.zeros_like(cells[0])
    for row in cells:
        found += int((row[1:] * below.cumsum()[:-1]).sum())
        below += row
    return found
