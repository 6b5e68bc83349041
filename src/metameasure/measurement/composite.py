"""Measures made of two measures: one that breaks the ties of another, and weighted means."""

from __future__ import annotations

import math
from abc import abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from metameasure._arguments import FRACTION, read_argument
from metameasure.data import read_table
from metameasure.errors import DataError, ParameterError
from metameasure.measurement._measure import Measure
from metameasure.measurement.declaration import Declaration
from metameasure.measurement.grouped_mean import MeanOver
from metameasure.measurement.parsing import parse
from metameasure.measurement.registry import constructor
from metameasure.measurement.subjects import ClassMeasure, OrderMeasure

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure.measurement._measure import Options
    from metameasure.measurement.declaration import Invariance
    from metameasure.table import CoarseTable, Point, ScoreTable

IRRATIONAL = "irrational"
FINEST = 2.0**-33
"""Smallest quantum that leaves room in a float for the values of the second measure."""


class Combined(Measure):
    """A measure made of two measures of scores."""

    first: Measure
    second: Measure
    constructor: ClassVar[str]
    """The name of the constructor."""
    signs: ClassVar[tuple[str, str]]
    """The sign between the parts, in symbols and in formulas."""
    meaning: ClassVar[str]
    may_be_invariant_to: frozenset[Invariance] = frozenset(
        {"monotone", "prevalence", "replication"}
    )
    """Invariances that it has if both parts have them."""

    @property
    def parts(self) -> tuple[Measure, Measure]:
        """The two measures."""
        return self.first, self.second

    @abstractmethod
    def with_parts(self, first: Measure, second: Measure) -> Combined:
        """The same combination of other measures."""

    def at(self, point: Point | float | str) -> Combined:
        """The same with all parts that take an operating point at this one."""
        moved = [part.at(point) if _has_point(part) else part for part in self.parts]
        if not any(map(_has_point, self.parts)):
            raise ParameterError(f"{self} takes no operating point", remedy=f'remove "@{point}"')
        return self.with_parts(*moved)

    def using(self, /, **parameters: Any) -> Measure:
        """Raise an error: parameters belong to the parts."""
        raise ParameterError(
            f"{self} has no parameter {', '.join(parameters)}",
            remedy="set parameters and operating points of its parts",
            argument=next(iter(parameters), None),
        )

    @property
    def _identity(self) -> Any:
        return self.parts

    def _part_texts(self, *, stated: bool) -> list[str]:
        """The texts of the parts."""
        return [part.stated if stated else str(part) for part in self.parts]

    @property
    def _reader(self) -> Any:
        return OrderMeasure if self.declaration.subject == "order" else Measure


def _has_point(measure: Measure) -> bool:
    inside = measure.parts if isinstance(measure, Combined) else ()
    return measure.declaration.point is not None or any(map(_has_point, inside))


class TwoLevel(Combined):
    """A measure whose ties are broken by another one."""

    constructor = "two_level"
    signs = ":", ":"
    meaning = """\
{first}, with ties broken by {second}.

As a float it is the first value plus the second one, scaled to less than half the spacing of the
values of the first one.
"""
    # The spacing of the first measure's values depends on the number of cases.
    may_be_invariant_to = frozenset({"monotone"})

    def __init__(self, first: Measure, second: Measure) -> None:
        _check_parts(self.constructor, first, second)
        low, high = first.declaration.range
        # Up to half a quantum is added, which may exceed the range of the first measure.
        ends = (low, high + 0.5) if first.best == "max" else (low - 0.5, high)
        self.first, self.second = first, second
        super().__init__(_declared(self, ends))

    def key(self, y_true: Any, y_score: Any = None, **options: Unpack[Options]) -> tuple[Any, Any]:
        """Both values, larger is better: the key by which lists are compared.

        Each value is a fraction where the measure has a quantum, so that ties are exact. It takes
        the same data and options as a measure.

        >>> import metameasure as mm
        >>> y = [1, 1, 1, 0, 0]
        >>> mm.two_level("auc", "accuracy").key(y, [0.9, 0.6, 0.2, 0.4, 0.1])
        (Fraction(5, 6), Fraction(4, 5))
        """
        table = read_table(y_true, y_score, f"the key of {self}", **options)
        if table.shape:
            raise DataError("key() takes one table, got a block of tables")
        found = []
        for part in self.parts:
            if isinstance(part, TwoLevel):
                found.append(part.key(table))
                continue
            value: Any = part.value(table)
            if math.isfinite(value) and whole_counts(table) and _holds_with_ties(part):
                sizes = (Fraction(float(size)) for size in (table.P, table.N))
                value = as_fraction(value, part.quantum(*sizes))
            found.append(value if part.best == "max" else -value)
        return found[0], found[1]

    def compute(self, table: Any) -> Any:
        """The first value plus the second one, scaled to less than half the quantum of the first.

        Floats are for plots and scorers; lists are compared by ``key``.
        """
        decided, other = (np.asarray(part.compute(table)) for part in self.parts)
        reach = self._quantum(table) / 2
        if self.first.best == "min":
            reach = -reach
        with np.errstate(invalid="ignore"):
            return (decided + reach * _to_unit(self.second, other))[()]

    def _quantum(self, table: ScoreTable) -> Any:
        if self.declaration.subject == "order":
            raise DataError(f"{self} has no value as a float", remedy="compare orders with mm.lab")
        if not _holds_with_ties(self.first) or self.first.quantum(1.0, 1.0) is None:
            raise DataError(
                f"{self} has no value as a float: values of {self.first} have no known spacing",
                remedy="compare two lists by its key(), or many with mm.lab",
            )
        if not whole_counts(table):
            raise DataError(
                f"{self} needs whole numbers of cases; with weights, values of {self.first} have "
                "no known spacing"
            )
        with np.errstate(divide="ignore"):
            quantum = self.first.quantum(np.asarray(table.P), np.asarray(table.N))
        if np.any(quantum < FINEST):
            raise DataError(
                f"{self} has no value as a float: with this number of cases, values of "
                f"{self.first} lie too close together",
                remedy="compare two lists by its key()",
            )
        return quantum

    def with_parts(self, first: Measure, second: Measure) -> TwoLevel:
        """The same combination of other measures."""
        return TwoLevel(first, second)

    def _written(self, *, stated: bool = False) -> str:
        return f"two_level({', '.join(self._part_texts(stated=stated))})"

    def __reduce__(self) -> tuple[Callable[..., Measure], tuple[Any, ...]]:
        return TwoLevel, self.parts


class _Alpha:
    """The weight of the first measure of a mean."""

    def read(self, value: object) -> float | str:
        if isinstance(value, str) and value == IRRATIONAL:
            return value
        return FRACTION.read(value)

    def __str__(self) -> str:
        return f'{FRACTION} or "{IRRATIONAL}"'


class Linear(Combined):
    """A weighted mean of two measures."""

    constructor = "linear"
    signs = "⊕", r"\oplus"
    meaning = "A weighted mean of {first} and {second}."

    def __init__(self, first: Measure, second: Measure, alpha: float | str = 0.5) -> None:
        _check_parts(self.constructor, first, second)
        for part in (first, second):
            if isinstance(part, TwoLevel):
                raise ParameterError(
                    f"linear takes measures with a value; {part} only has an order"
                )
        if first.best != second.best:
            raise ParameterError(
                f"linear needs two measures with the same direction; {first} is best at "
                f"{first.best!r} and {second} at {second.best!r}"
            )
        self.alpha: float | str = read_argument("alpha", alpha, _Alpha())
        weights = self.weights
        ranges = zip(first.declaration.range, second.declaration.range, strict=True)
        low, high = (weights[0] * a + weights[1] * b for a, b in ranges)
        self.first, self.second = first, second
        super().__init__(_declared(self, (low, high)))

    @property
    def weights(self) -> tuple[float, float]:
        """The weights of both parts; the irrational one is the square root of one half."""
        share = math.sqrt(0.5) if isinstance(self.alpha, str) else float(self.alpha)
        return share, 1 - share

    def compute(self, table: Any) -> Any:
        """The weighted mean of both values."""
        first, second = (part.compute(table) for part in self.parts)
        return self.weights[0] * first + self.weights[1] * second

    def certified(self, coarse: CoarseTable) -> tuple[float, float] | None:
        """The weighted means of the bounds of both parts."""
        ends = [part.certified(coarse) for part in self.parts]
        if ends[0] is None or ends[1] is None:
            return None
        a, b = self.weights
        return a * ends[0][0] + b * ends[1][0], a * ends[0][1] + b * ends[1][1]

    def with_parts(self, first: Measure, second: Measure) -> Linear:
        """The same combination of other measures."""
        return Linear(first, second, self.alpha)

    def _written(self, *, stated: bool = False) -> str:
        parts = ", ".join(self._part_texts(stated=stated))
        return f"linear({parts}, alpha={self.alpha})"

    def __reduce__(self) -> tuple[Callable[..., Measure], tuple[Any, ...]]:
        return Linear, (*self.parts, self.alpha)


def whole_counts(table: ScoreTable) -> bool:
    """Whether all weights are integers."""
    return all(bool(np.all(w == np.floor(w))) for w in (table.pos, table.neg))


def as_fraction(value: float, quantum: Any) -> Any:
    """The multiple of the quantum nearest to a value; the value itself if that is not exact."""
    usable = isinstance(quantum, Fraction) and quantum >= FINEST and math.isfinite(value)
    return round(value / float(quantum)) * quantum if usable else value


def _holds_with_ties(measure: Measure) -> bool:
    """Whether the declared quantum holds with tied scores; at a cut by rank it does not."""
    return measure.point is None or measure.at_threshold


def _check_parts(name: str, *parts: Measure) -> None:
    for part in parts:
        if isinstance(part, (MeanOver, ClassMeasure)) or part.declaration.subject == "classes":
            raise ParameterError(f"{name} takes measures of scores or of orders, got {part}")
        if not isinstance(part.best, str):
            raise ParameterError(
                f"{name} takes measures that are best at 'max' or 'min'; {part} is best at "
                f"{part.best:g}"
            )
    if len({part.declaration.subject for part in parts}) > 1:
        raise ParameterError(
            f"{name} takes two measures of scores or two of orders, got "
            f"{' and '.join(map(str, parts))}"
        )


def _to_unit(measure: Measure, value: Any) -> Any:
    """The value mapped from 0 (worst) to just below 1 (best), keeping the order."""
    low, high = measure.declaration.range
    with np.errstate(invalid="ignore"):
        if math.isfinite(low) and math.isfinite(high):
            unit = (value - low) / (high - low)
        else:
            unit = 0.5 + np.arctan(value) / np.pi
        unit = unit if measure.best == "max" else 1 - unit
    return unit * (1 - 2.0**-20)


def _declared(made: Combined, ends: tuple[float, float]) -> Declaration:
    """The declaration of a combination, from those of its parts."""

    def combination(subject: Any) -> Any:
        return made.compute(subject)

    combination.__doc__ = made.meaning.format(first=made.first, second=made.second)
    (sign, in_formula), (a, b) = made.signs, (part.declaration for part in made.parts)
    return Declaration(
        name=made.constructor,
        function=combination,
        symbol=f"{a.symbol}{sign}{b.symbol}",
        family="constructed",
        best=a.best,
        range=ends,
        invariant_to=a.invariant_to & b.invariant_to & made.may_be_invariant_to,
        undefined=" or ".join(dict.fromkeys(filter(None, (a.undefined, b.undefined)))) or None,
        formula=f"{a.symbol} {in_formula} {b.symbol}",
        reference="huang2006",
        unit_scores=a.unit_scores or b.unit_scores,
        subject=a.subject,
    )


@constructor()
def two_level(first: str | Measure, second: str | Measure) -> TwoLevel:
    """The first measure, with ties broken by the second; the same as ``auc >> accuracy``.

    Lists are compared by its ``key``. A float value needs a first measure whose values have a known
    spacing: it is the first value plus the second one, scaled to less than half that spacing.

    >>> two_level("auc", "accuracy")
    two_level(auc, accuracy)
    >>> two_level("auc", "accuracy")([1, 1, 1, 0, 0], [0.9, 0.6, 0.2, 0.4, 0.1])
    0.866666...
    """
    return TwoLevel(parse(first), parse(second))


@constructor()
def linear(
    first: str | Measure,
    second: str | Measure,
    alpha: float | str = 0.5,
) -> Linear:
    """The mean of two measures with weights alpha and 1 - alpha; ``0.7 * auc + 0.3 * accuracy``.

    ``alpha="irrational"`` is the square root of one half: two lists then tie only if they tie in
    both measures.

    >>> linear("auc", "accuracy", alpha=0.7)
    linear(auc, accuracy, alpha=0.7)
    >>> linear("auc", "accuracy", alpha=0.7)([1, 1, 1, 0, 0], [0.9, 0.6, 0.2, 0.4, 0.1])
    0.823333...
    """
    return Linear(parse(first), parse(second), alpha)
