"""Operating points, and the confusion matrix at one."""

from __future__ import annotations

import numbers
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, get_args

from metameasure._arguments import Real, read_argument
from metameasure._text import shown
from metameasure.errors import Argument, ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable

PointKind = Literal["threshold", "top", "k", "fpr", "tpr"]
POINT_VALUES: dict[PointKind, Real] = {
    "threshold": Real(infinite=True),
    "top": Real(0, 1),
    "k": Real(0),
    "fpr": Real(0, 1),
    "tpr": Real(0, 1),
}
"""Allowed values of each kind of operating point; k may also be "P"."""


def _complement(rate: float) -> float:
    """One minus a rate, in decimals: that of 0.9 is 0.1."""
    return float(1 - Decimal(repr(rate)))


POINT_SYNONYMS: dict[str, tuple[PointKind, Callable[[float], float]]] = {
    "sensitivity": ("tpr", float),
    "recall": ("tpr", float),
    "specificity": ("fpr", _complement),
    "tnr": ("fpr", _complement),
}
"""Other names of rates: the kind of point that each stands for, and the rate there."""


@dataclass(frozen=True, slots=True)
class Point:
    """Where to cut a ranking: at a threshold, after a fraction or number of cases, or at a rate."""

    kind: PointKind
    value: float | Literal["P"]

    def __post_init__(self) -> None:
        if isinstance(self.value, str) and self.value == "P":
            if self.kind != "k":
                raise ParameterError(
                    (Argument(self.kind), " must be a number, got 'P'"),
                    remedy="P, the number of positives, is only allowed for k",
                )
            return
        object.__setattr__(
            self, "value", read_argument(self.kind, self.value, POINT_VALUES[self.kind])
        )

    @classmethod
    def named(cls, name: str, value: Any) -> Point:
        """The point of a kind, or of another name of a rate: ``specificity`` 0.9 is ``fpr`` 0.1."""
        if name not in POINT_SYNONYMS:
            return cls(name, value)  # type: ignore[arg-type]
        kind, of_rate = POINT_SYNONYMS[name]
        return cls(kind, of_rate(read_argument(name, value, POINT_VALUES[kind])))

    @classmethod
    def read(cls, text: str) -> Point:
        """The point from its text: ``0.3``, ``top=10%``, ``k=P``, ``fpr=0.01``."""
        kind, equals, value = text.partition("=")
        kind, value = (kind.strip(), value.strip()) if equals else ("threshold", text.strip())
        if kind not in {*get_args(PointKind), *POINT_SYNONYMS}:
            raise ParameterError(
                f"{shown([f'@{text}'])} is not an operating point",
                remedy="use a threshold, or one of top, k, fpr, tpr, sensitivity and specificity "
                "with '=' and a number",
            )
        if value == "P":
            return cls.named(kind, "P")
        number, scale = (value[:-1], 100.0) if value.endswith("%") else (value, 1.0)
        try:
            found = float(number) / scale
        except ValueError:
            raise ParameterError(
                (Argument(kind), f" must be a number, got {shown([value])}")
            ) from None
        return cls.named(kind, found)

    @classmethod
    def of(cls, given: Point | float | str) -> Point:
        """A point as it is, a number as a threshold, or the point of a text."""
        if isinstance(given, Point):
            return given
        if isinstance(given, str):
            return cls.read(given)
        if not isinstance(given, numbers.Real):
            raise ParameterError(
                f"an operating point must be a threshold or text, got {shown([given])}",
                remedy='pass a number, or text such as "top=10%"',
            )
        return cls("threshold", given)

    def __str__(self) -> str:
        if self.value == "P":
            return "k=P"
        percent = f"{self.value * 100:.15g}"
        if self.kind == "top" and float(percent) / 100 == self.value:
            return f"top={percent}%"
        number = shortest(self.value)
        return number if self.kind == "threshold" else f"{self.kind}={number}"


def shortest(number: float) -> str:
    """The shortest text that parses to the same number."""
    return str(int(number)) if abs(number) < 1e15 and number == int(number) else repr(number)


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """The confusion matrix at an operating point, in weights; with leading axes for a block."""

    tp: Any
    fp: Any
    P: Any
    N: Any

    @property
    def fn(self) -> Any:
        """The positives below the cut."""
        return self.P - self.tp

    @property
    def tn(self) -> Any:
        """The negatives below the cut."""
        return self.N - self.fp

    @property
    def n(self) -> Any:
        """The weight of all cases."""
        return self.P + self.N

    @property
    def tpr(self) -> Any:
        """The true positive rate."""
        return self.tp / self.P

    @property
    def fpr(self) -> Any:
        """The false positive rate."""
        return self.fp / self.N

    @property
    def fnr(self) -> Any:
        """The false negative rate."""
        return self.fn / self.P

    @property
    def tnr(self) -> Any:
        """The true negative rate."""
        return self.tn / self.N
