"""Levels: the values of a measure on many elements, with ties that are decided exactly.

Two elements tie if they have the same level. Values are never compared as floats: they are
multiples of a quantum, fractions, or floats that are either equal but for rounding or far apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.errors import DataError
from metameasure.measurement import Linear

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from metameasure.measurement import Best, Combined, Measure

    Floats = NDArray[np.float64]
    Codes = NDArray[np.int64]

OFF = 0.25
"""By how much of a quantum a value may be off: more than rounding, less than one half."""
FINEST = 2.0**-47
"""The smallest quantum that floats of the size of 1 resolve with room to spare."""
ROUNDING = 2.0**-44
"""How far, relatively, rounding may set two equal values apart."""
CLEAR = 2.0**10
"""How many times as far apart two different values must lie, or they cannot be told apart."""


@dataclass(frozen=True)
class Levels:
    """The level of each element, from 0 for the worst, and the value of each level.

    Attributes:
        code: the level of each element.
        values: the value of each level, a Fraction where it is known exactly.
        exact: whether ties are proven, and not only clear from the floats.
    """

    code: Codes
    values: Sequence[Any]
    exact: bool

    @property
    def count(self) -> int:
        """How many levels there are."""
        return len(self.values)


def levels_of(measure: Measure, values: Floats, quantum: Any, *, sure: bool = True) -> Levels:
    """The levels of floats that are multiples of a quantum, if there is one that floats resolve.

    Without one, values that are close but not equal are refused if ties must be ``sure``; of values
    drawn at random some are close by chance, and differ.
    """
    undefined = int(np.count_nonzero(np.isnan(values)))
    if undefined:
        raise DataError(
            f"{measure} is undefined on {undefined} of {values.size} elements of this domain "
            f"({measure.undefined_when}): choose another measure or domain"
        )
    if isinstance(quantum, Fraction) and quantum >= FINEST:
        return _of_multiples(measure, values, quantum)
    return _of_floats(str(measure), measure.best, values, sure=sure)


def _of_multiples(measure: Measure, values: Floats, quantum: Fraction) -> Levels:
    scaled = values / float(quantum)
    whole = np.rint(scaled)
    scaled -= whole
    if np.max(np.abs(scaled, out=scaled), initial=0.0) > OFF:
        raise DataError(
            f"the values of {measure} are no multiples of its quantum {quantum}: what is declared "
            "for it is wrong"
        )
    distinct, code = _distinct(whole.astype(np.int64))
    return _ordered(measure.best, code, [int(times) * quantum for times in distinct])


def _distinct(whole: Codes) -> tuple[Codes, Codes]:
    """The distinct whole numbers, and which of them each one is."""
    low, high = int(whole.min()), int(whole.max())
    if high - low > 4 * whole.size + 1000:
        distinct, code = np.unique(whole, return_inverse=True)
        return distinct, code.reshape(-1)
    whole = whole - low
    seen = np.zeros(high - low + 1, dtype=bool)
    seen[whole] = True
    return np.flatnonzero(seen) + low, (np.cumsum(seen) - 1)[whole]


def _of_floats(what: str, best: Best, values: Floats, *, sure: bool) -> Levels:
    """Levels of floats that are equal but for rounding, or clearly apart."""
    distinct, code = np.unique(values, return_inverse=True)
    finite = distinct[np.isfinite(distinct)]
    # Differences of values of the size of 1 may come close to 0 and keep their rounding.
    least = min(1.0, float(np.max(np.abs(finite), initial=0.0)))
    size = np.maximum(np.abs(distinct[1:]), np.abs(distinct[:-1]))
    slack = ROUNDING * np.maximum(np.where(np.isfinite(size), size, 0.0), least)
    with np.errstate(invalid="ignore"):
        gaps = np.diff(distinct)
    apart = gaps > slack
    doubtful = int(np.count_nonzero(apart & (gaps < CLEAR * slack)))
    if doubtful and sure:
        raise DataError(
            f"{doubtful} pairs of values of {what} lie too close together to say whether they tie, "
            "and no spacing is known for it that floats show: choose a smaller domain"
        )
    group = np.concatenate([[0], np.cumsum(apart)])[code.reshape(-1)]
    first = np.concatenate([[0], np.flatnonzero(apart) + 1])
    if isinstance(best, str):
        return _turned(best, group, distinct[first].tolist(), exact=False)
    away = -np.abs(distinct[first] - best)
    return _of_floats(f"the distance of {what} from {best:g}", "max", away[group], sure=sure)


def levels_of_exact(best: Best, code: Codes, values: Sequence[Fraction]) -> Levels:
    """The levels of elements whose values are known as fractions, by which of them each one is."""
    distinct = sorted(set(values))
    place = {value: level for level, value in enumerate(distinct)}
    level = np.array([place[value] for value in values], dtype=np.int64)
    return _ordered(best, level[code], distinct)


def _ordered(best: Best, code: Codes, values: Sequence[Fraction]) -> Levels:
    """Levels from distinct rising fractions."""
    if isinstance(best, str):
        return _turned(best, code, values, exact=True)
    return levels_of_exact("max", code, [-abs(value - Fraction(best)) for value in values])


def _turned(best: str, code: Codes, values: Sequence[Any], *, exact: bool) -> Levels:
    """Levels from rising values: turned round if smaller values are better."""
    if best == "max":
        return Levels(code, values, exact)
    return Levels(len(values) - 1 - code, values[::-1], exact)


def combined_levels(
    measure: Combined, first: Levels, second: Levels, *, sure: bool = True
) -> Levels:
    """The levels of a measure that is made of two, from those of its parts."""
    seen, code = _distinct(first.code * second.count + second.code)
    exact = first.exact and second.exact
    values = [
        (first.values[pair // second.count], second.values[pair % second.count])
        for pair in seen.tolist()
    ]
    if not isinstance(measure, Linear):
        return Levels(code, values, exact)
    irrational = isinstance(measure.alpha, str)
    if not exact:
        means = np.asarray(values, dtype=np.float64) @ measure.weights
        if not (irrational and np.isfinite(means).all()):
            # Means of floats that are equal but for rounding tie as floats do.
            return _of_floats(str(measure), measure.best, means[code], sure=sure)
    alpha = _HALF_ROOT if irrational else Fraction(str(measure.alpha))
    # With an irrational weight lists tie only in both parts: a float can stand for its level.
    sums = [alpha * Fraction(a) + (1 - alpha) * Fraction(b) for a, b in values]
    return replace(levels_of_exact(measure.best, code, sums), exact=exact)


_HALF_ROOT = Fraction(isqrt(10**120 // 2), 10**60)
"""The root of one half to 60 digits: with fractions of smaller denominators it ties nothing."""
