"""Measures made of two: one that decides and one that breaks its ties, and weighted means."""

from __future__ import annotations

import inspect
import math
import numbers
from abc import abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.data import NanPolicy, Rescale, read_table
from metameasure.errors import DataError, UnknownMeasure
from metameasure.measurement.constructors import constructor
from metameasure.measurement.declaration import Declaration
from metameasure.measurement.grouped_mean import MeanOver
from metameasure.measurement.parsing import parse
from metameasure.measurement.registered import ClassMeasure, Measure, OrderMeasure

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure.measurement.declaration import Invariance
    from metameasure.table import Point, ScoreTable

IRRATIONAL = "irrational"
FINEST = 2.0**-33
"""The smallest quantum whose half, divided among the values of another measure, floats can show."""


class Combined(Measure):
    """A measure that is made of two measures of scores."""

    first: Measure
    second: Measure
    may_be_invariant_to: frozenset[Invariance] = frozenset(
        {"monotone", "prevalence", "replication"}
    )
    """To what it may be invariant if both parts are."""

    @property
    def parts(self) -> tuple[Measure, Measure]:
        """The measures that it is made of."""
        return self.first, self.second

    @abstractmethod
    def with_parts(self, first: Measure, second: Measure) -> Combined:
        """The same of other measures."""

    def at(self, point: Point) -> Combined:
        """The same with the parts that have an operating point moved to this one."""
        moved = [part.at(point) if _has_point(part) else part for part in self.parts]
        if not any(map(_has_point, self.parts)):
            raise UnknownMeasure(f"{self} is not taken at an operating point: @{point} is idle")
        return self.with_parts(*moved)

    def using(self, /, **parameters: Any) -> Measure:
        """Refused: parameters belong to the parts."""
        raise UnknownMeasure(
            f"{self} has no parameter {', '.join(parameters)}: parameters and operating points "
            "belong to its parts"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Measure):
            return NotImplemented
        return type(self) is type(other) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __call__(self, /, y_true: Any, y_score: Any = None, **options: Any) -> Any:
        """The value for what its parts are measures of."""
        if self.declaration.subject == "order":
            return OrderMeasure.__call__(self, y_true, y_score, **options)  # type: ignore[arg-type]
        return super().__call__(y_true, y_score, **options)

    @property
    def __signature__(self) -> inspect.Signature:
        """What help and editors show: the common keywords."""
        *shown, _ = inspect.signature(Measure.__call__).parameters.values()
        return inspect.Signature(shown[1:])


def _has_point(measure: Measure) -> bool:
    inside = measure.parts if isinstance(measure, Combined) else ()
    return measure.declaration.point is not None or any(map(_has_point, inside))


class TwoLevel(Combined):
    """A measure that decides, and another one for its ties."""

    # The spacing of the first one's values depends on the numbers of cases.
    may_be_invariant_to = frozenset({"monotone"})

    def __init__(self, first: Measure, second: Measure) -> None:
        _check_parts("two_level", first, second)
        low, high = first.declaration.range
        # Half a quantum can be added beyond the end of the first one's range.
        ends = (low, high + 0.5) if first.best == "max" else (low - 0.5, high)
        self.first, self.second = first, second
        super().__init__(_declared(self, name="two_level", meaning=TWO_LEVEL, sign=":", ends=ends))

    def key(
        self,
        y_true: Any,
        y_score: Any = None,
        *,
        pos_label: Any = None,
        sample_weight: Any = None,
        nan_policy: NanPolicy = "raise",
        rescale: Rescale | None = None,
    ) -> tuple[Any, Any]:
        """What lists are compared by: both values, the larger the better.

        Each is a fraction where it has a quantum, so that ties are ties.

        >>> import metameasure as mm
        >>> y = [1, 1, 1, 0, 0]
        >>> mm.two_level("auc", "accuracy").key(y, [0.9, 0.6, 0.2, 0.4, 0.1])
        (Fraction(5, 6), Fraction(4, 5))
        """
        table = read_table(
            y_true,
            y_score,
            f"the key of {self}",
            pos_label=pos_label,
            sample_weight=sample_weight,
            nan_policy=nan_policy,
            rescale=rescale,
        )
        if table.shape:
            raise DataError("a key is of one table, not of a block")
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
        """The first value, and within half its quantum the second one.

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
            raise DataError(
                f"{self} has no value as a float: compare many orders in the laboratory"
            )
        if not _holds_with_ties(self.first) or self.first.quantum(1.0, 1.0) is None:
            raise DataError(
                f"{self} has no value as a float, since values of {self.first} have no known "
                "spacing: compare two lists by its key(), or many in the laboratory"
            )
        if not whole_counts(table):
            raise DataError(
                f"{self} needs whole numbers of cases, and these have weights: "
                f"only then {self.first} has a known spacing"
            )
        with np.errstate(divide="ignore"):
            quantum = self.first.quantum(np.asarray(table.P), np.asarray(table.N))
        if np.any(quantum < FINEST):
            raise DataError(
                f"{self} has no value as a float, since values of {self.first} lie too close "
                "together with so many cases: compare two lists by its key()"
            )
        return quantum

    def with_parts(self, first: Measure, second: Measure) -> TwoLevel:
        """The same of other measures."""
        return TwoLevel(first, second)

    def _written(self) -> str:
        return f"two_level({self.first}, {self.second})"

    def __reduce__(self) -> tuple[Callable[..., Measure], tuple[Any, ...]]:
        return TwoLevel, self.parts


class Linear(Combined):
    """A weighted mean of two measures."""

    def __init__(self, first: Measure, second: Measure, alpha: float | str = 0.5) -> None:
        _check_parts("linear", first, second)
        if first.best != second.best:
            raise UnknownMeasure(
                f"linear: {first} and {second} do not get better in the same direction"
            )
        named = isinstance(alpha, str) and alpha == IRRATIONAL
        if not named and not (isinstance(alpha, numbers.Real) and 0 < alpha < 1):
            raise UnknownMeasure(
                f'linear: alpha={alpha!r} must lie between 0 and 1, or be "{IRRATIONAL}"'
            )
        self.alpha = alpha if isinstance(alpha, str) else float(alpha)
        weights = self.weights
        ranges = zip(first.declaration.range, second.declaration.range, strict=True)
        low, high = (weights[0] * a + weights[1] * b for a, b in ranges)
        self.first, self.second = first, second
        super().__init__(
            _declared(self, name="linear", meaning=LINEAR, sign=r"\oplus", ends=(low, high))
        )

    @property
    def weights(self) -> tuple[float, float]:
        """The weights of both parts as floats; the irrational one is the root of one half."""
        share = math.sqrt(0.5) if isinstance(self.alpha, str) else float(self.alpha)
        return share, 1 - share

    def compute(self, table: Any) -> Any:
        """The weighted mean of both values."""
        first, second = (part.compute(table) for part in self.parts)
        return self.weights[0] * first + self.weights[1] * second

    def with_parts(self, first: Measure, second: Measure) -> Linear:
        """The same of other measures."""
        return Linear(first, second, self.alpha)

    def _written(self) -> str:
        return f"linear({self.first}, {self.second}, alpha={self.alpha})"

    def __reduce__(self) -> tuple[Callable[..., Measure], tuple[Any, ...]]:
        return Linear, (*self.parts, self.alpha)


def whole_counts(table: ScoreTable) -> bool:
    """Whether all rows hold whole numbers of cases."""
    return all(bool(np.all(w == np.floor(w))) for w in (table.pos, table.neg))


def as_fraction(value: float, quantum: Any) -> Any:
    """The multiple of the quantum that a float stands for; the float if there is no such thing."""
    usable = isinstance(quantum, Fraction) and quantum >= FINEST and math.isfinite(value)
    return round(value / float(quantum)) * quantum if usable else value


def _holds_with_ties(measure: Measure) -> bool:
    """Whether the declared quantum holds for tied scores, as it does not for a cut by rank."""
    return measure.point is None or measure.point.kind == "threshold"


SIGNS = {":": ":", r"\oplus": "⊕"}
"""The signs of formulas, as symbols have them."""
TWO_LEVEL = """\
{first}, and where it ties, {second}.

As a float it is the first value plus the second one, scaled to lie within half the spacing of the
first one's values.
"""
LINEAR = "A weighted mean of {first} and {second}."


def _check_parts(name: str, *parts: Measure) -> None:
    for part in parts:
        if name == "linear" and isinstance(part, TwoLevel):
            raise UnknownMeasure(f"linear takes means of values, and {part} has an order only")
        if isinstance(part, (MeanOver, ClassMeasure)) or part.declaration.subject == "classes":
            raise UnknownMeasure(f"{name} takes measures of scores or of orders; {part} is none")
        if not isinstance(part.best, str):
            raise UnknownMeasure(
                f"{name} takes measures whose larger or smaller values are better; of {part} "
                f"{part.best:g} is the best"
            )
    if len({part.declaration.subject for part in parts}) > 1:
        raise UnknownMeasure(f"{name}: one of {', '.join(map(str, parts))} is of orders, one not")


def _to_unit(measure: Measure, value: Any) -> Any:
    """The value from 0, the worst, to just below 1, by a map that keeps the order."""
    low, high = measure.declaration.range
    with np.errstate(invalid="ignore"):
        if math.isfinite(low) and math.isfinite(high):
            unit = (value - low) / (high - low)
        else:
            unit = 0.5 + np.arctan(value) / np.pi
        unit = unit if measure.best == "max" else 1 - unit
    return unit * (1 - 2.0**-20)


def _declared(
    made: Combined, *, name: str, meaning: str, sign: str, ends: tuple[float, float]
) -> Declaration:
    """What follows for the combination from what is declared for its parts."""

    def combination(subject: Any) -> Any:
        return made.compute(subject)

    combination.__doc__ = meaning.format(first=made.first, second=made.second)
    a, b = (part.declaration for part in made.parts)
    return Declaration(
        name=name,
        function=combination,
        symbol=f"{a.symbol}{SIGNS[sign]}{b.symbol}",
        family="constructed",
        best=a.best,
        range=ends,
        invariant_to=a.invariant_to & b.invariant_to & made.may_be_invariant_to,
        undefined=" or ".join(dict.fromkeys(filter(None, (a.undefined, b.undefined)))) or None,
        formula=f"{a.symbol} {sign} {b.symbol}",
        reference="huang2006",
        unit_scores=a.unit_scores or b.unit_scores,
        subject=a.subject,
    )


@constructor()
def two_level(first: str | Measure, second: str | Measure) -> TwoLevel:
    """The measure that decides by one measure and breaks its ties by another; ``auc >> accuracy``.

    Lists are compared by its ``key``. As a float it needs a first measure whose values have a known
    spacing, and is the first value plus the second one within half of that.

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

    ``alpha="irrational"`` is the root of one half, with which two lists tie only if they tie in
    both measures.

    >>> linear("auc", "accuracy", alpha=0.7)
    linear(auc, accuracy, alpha=0.7)
    >>> linear("auc", "accuracy", alpha=0.7)([1, 1, 1, 0, 0], [0.9, 0.6, 0.2, 0.4, 0.1])
    0.823333...
    """
    return Linear(parse(first), parse(second), alpha)
