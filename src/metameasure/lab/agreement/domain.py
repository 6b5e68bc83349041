"""Domains on which measures are compared, and levels: values on their elements, with exact ties.

A domain has strata whose elements are compared in pairs. Two elements are tied if they have the
same level. Values are not compared as floats: they are multiples of a quantum, fractions, or floats
that are either equal up to rounding or far apart.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from metameasure.errors import DataError, ParameterError, Wording
from metameasure.lab.measures import check_takes_tables
from metameasure.measurement import Combined, Linear, Measure, scale_of, tie_tolerance
from metameasure.table import Point

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from metameasure._types import Floats
    from metameasure.measurement import Best
    from metameasure.progress import Progress

    Codes = NDArray[np.int64]

OFF = 0.25
"""Largest deviation of a value from a multiple of its quantum, as a fraction of the quantum."""
FINEST = 2.0**-47
"""Smallest quantum that floats near 1 resolve reliably."""
CLEAR = 2.0**6
"""Smallest difference between two distinct values, as a multiple of the tolerance of ties."""


@dataclass(frozen=True)
class Levels:
    """The level of each element, from 0 for the worst, and the value of each level.

    Attributes:
        code: the level of each element.
        values: the value of each level, a Fraction where it is known exactly.
        exact: whether ties are exact, rather than inferred from floats.
    """

    code: Codes
    values: Sequence[Any]
    exact: bool

    @property
    def count(self) -> int:
        """The number of levels."""
        return len(self.values)


def levels_of(measure: Measure, values: Floats, quantum: Any, *, certain: bool = True) -> Levels:
    """The levels of floats that are multiples of a quantum, if floats resolve it.

    Without such a quantum, values that are close but not equal raise an error if ties must be
    ``certain``. Values drawn at random may be close by chance; they count as different.
    """
    undefined = int(np.count_nonzero(np.isnan(values)))
    if undefined:
        raise DataError(
            f"{measure} is undefined on {undefined} of {values.size} elements of this domain "
            f"({measure.undefined_when})",
            remedy="choose another measure or domain",
        )
    if isinstance(quantum, Fraction) and quantum >= FINEST:
        return _of_multiples(measure, values, quantum)
    return _of_floats(str(measure), measure.best, values, certain=certain)


def _of_multiples(measure: Measure, values: Floats, quantum: Fraction) -> Levels:
    scaled = values / float(quantum)
    whole = np.rint(scaled)
    scaled -= whole
    if np.max(np.abs(scaled, out=scaled), initial=0.0) > OFF:
        raise DataError(
            f"the values of {measure} are not multiples of its declared quantum {quantum}",
            remedy="correct its declaration",
        )
    distinct, code = _distinct(whole.astype(np.int64))
    return _ordered(measure.best, code, [int(times) * quantum for times in distinct])


def _distinct(whole: Codes) -> tuple[Codes, Codes]:
    """The distinct integers, and the index of each entry among them."""
    low, high = int(whole.min()), int(whole.max())
    if high - low > 4 * whole.size + 1000:
        distinct, code = np.unique(whole, return_inverse=True)
        return distinct, code.reshape(-1)
    whole = whole - low
    seen = np.zeros(high - low + 1, dtype=bool)
    seen[whole] = True
    return np.flatnonzero(seen) + low, (np.cumsum(seen) - 1)[whole]


def _of_floats(what: str, best: Best, values: Floats, *, certain: bool) -> Levels:
    """Levels of floats that are equal up to rounding, or clearly different."""
    distinct, code = np.unique(values, return_inverse=True)
    slack = tie_tolerance(distinct[1:], distinct[:-1], scale=scale_of(distinct))
    with np.errstate(invalid="ignore"):
        gaps = np.diff(distinct)
    apart = gaps > slack
    doubtful = int(np.count_nonzero(apart & (gaps < CLEAR * slack)))
    if doubtful and certain:
        raise DataError(
            f"{doubtful} pairs of values of {what} are too close to decide whether they are tied",
            remedy="choose a smaller domain",
        )
    group = np.concatenate([[0], np.cumsum(apart)])[code.reshape(-1)]
    first = np.concatenate([[0], np.flatnonzero(apart) + 1])
    if isinstance(best, str):
        return _turned(best, group, distinct[first].tolist(), exact=False)
    away = -np.abs(distinct[first] - best)
    return _of_floats(f"the distance of {what} from {best:g}", "max", away[group], certain=certain)


def quantum_of_counts(measure: Measure, positives: float, negatives: float, *, ties: bool) -> Any:
    """The quantum of a measure on unit-weight cases; None if its cut may split cases.

    A threshold never splits cases. A rank cutoff may split ties.
    """
    point = measure.point
    if point is not None:
        k = point.kind == "k" and (point.value == "P" or float(point.value).is_integer())
        if not (point.kind == "threshold" or (k and not ties)):
            return None
    return measure.quantum(Fraction(int(positives)), Fraction(int(negatives)))


def levels_of_exact(best: Best, code: Codes, values: Sequence[Fraction]) -> Levels:
    """The levels of elements whose values are fractions; ``code`` has the index of each value."""
    distinct = sorted(set(values))
    place = {value: level for level, value in enumerate(distinct)}
    level = np.array([place[value] for value in values], dtype=np.int64)
    return _ordered(best, level[code], distinct)


def _ordered(best: Best, code: Codes, values: Sequence[Fraction]) -> Levels:
    """Levels from distinct increasing fractions."""
    if isinstance(best, str):
        return _turned(best, code, values, exact=True)
    return levels_of_exact("max", code, [-abs(value - Fraction(best)) for value in values])


def _turned(best: str, code: Codes, values: Sequence[Any], *, exact: bool) -> Levels:
    """Levels from increasing values, reversed if smaller values are better."""
    if best == "max":
        return Levels(code, values, exact)
    return Levels(len(values) - 1 - code, values[::-1], exact)


def combined_levels(
    measure: Combined, first: Levels, second: Levels, *, certain: bool = True
) -> Levels:
    """The levels of a measure that combines two, from those of its parts."""
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
            # Means of floats that are equal up to rounding are tied as floats are.
            return _of_floats(str(measure), measure.best, means[code], certain=certain)
    alpha = _HALF_ROOT if irrational else Fraction(str(measure.alpha))
    # With an irrational weight lists are tied only if both parts are: floats can stand for levels.
    sums = [alpha * Fraction(a) + (1 - alpha) * Fraction(b) for a, b in values]
    return replace(levels_of_exact(measure.best, code, sums), exact=exact)


_HALF_ROOT = Fraction(isqrt(10**120 // 2), 10**60)
"""sqrt(1/2) to 60 digits: it creates no ties between fractions of smaller denominators."""


class Stratum(NamedTuple):
    """Elements that are compared with each other.

    Attributes:
        levels: the levels of the elements, per measure.
        weight: the number of equal elements that each element stands for; None if 1.
    """

    levels: Mapping[Measure, Levels]
    weight: NDArray[Any] | None = None


class Domain(ABC):
    """Something on which any two measures can be compared."""

    simulated: bool = False

    @abstractmethod
    def strata(
        self,
        measures: Sequence[Measure],
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Iterator[Stratum]:
        """The strata, with the levels of all measures."""

    @abstractmethod
    def __str__(self) -> str:
        """A short description of the elements, in the plural."""


def all_levels(
    measures: Sequence[Measure], base: Mapping[Measure, Levels], *, certain: bool = True
) -> dict[Measure, Levels]:
    """The levels of measures, from those of the measures that they consist of."""

    def find(measure: Measure) -> Levels:
        if isinstance(measure, Combined):
            return combined_levels(measure, *map(find, measure.parts), certain=certain)
        return base[measure]

    return {measure: find(measure) for measure in measures}


def at_cut(measure: Measure, cut: int, domain: str) -> Measure:
    """The measure as it applies to ranks: a default threshold is replaced by the cut."""
    check_takes_tables(measure, domain)
    point = measure.point
    if point is not None:
        if point == measure.declaration.point and point.kind == "threshold":
            return measure.at(Point("k", cut))
        if point.kind == "threshold":
            raise ParameterError(
                f"{measure} has a score threshold, but {domain} have ranks only",
                remedy=f"use a rank cutoff, e.g. {measure.name}@k={cut}",
            )
        return measure
    if "monotone" not in measure.declaration.invariant_to:
        raise ParameterError(
            f"{measure} depends on more than the order of the scores; it does not apply to "
            f"{domain}",
            remedy=Wording(
                "compare it on random score lists or on observed models",
                "compare it on random score lists with --lists, or on the models in a file",
            ),
        )
    return measure
