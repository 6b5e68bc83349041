"""Operating points, and the confusion matrix at one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

from metameasure.errors import UnknownMeasure

PointKind = Literal["threshold", "top", "k", "fpr", "tpr"]


@dataclass(frozen=True, slots=True)
class Point:
    """Where to cut a ranking: at a threshold, after a share or a number of cases, at a rate."""

    kind: PointKind
    value: float | Literal["P"]

    def __post_init__(self) -> None:
        if isinstance(self.value, str) and self.value == "P":
            if self.kind != "k":
                raise UnknownMeasure(
                    f"{self.kind}=P: P, the number of positives, stands only for k"
                )
            return
        try:
            number = float(self.value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if math.isnan(number):
            raise UnknownMeasure(f"the operating point {self.kind}={self.value} is not a number")
        if self.kind in {"top", "fpr", "tpr"} and not 0 <= number <= 1:
            raise UnknownMeasure(
                f"{self.kind} is a share: give a number from 0 to 1, not {self.value}"
            )
        if self.kind == "k" and number < 0:
            raise UnknownMeasure(f"k is a number of cases: it cannot be {self.value}")
        object.__setattr__(self, "value", number)

    @classmethod
    def read(cls, text: str) -> Point:
        """The point that a text stands for: ``0.3``, ``top=10%``, ``k=P``, ``fpr=0.01``."""
        kind, equals, value = text.partition("=")
        kind, value = (kind.strip(), value.strip()) if equals else ("threshold", text.strip())
        if kind not in get_args(PointKind):
            raise UnknownMeasure(
                f"'@{text}': an operating point is a threshold, or one of top, k, fpr and tpr with "
                "'=' and a number"
            )
        if value == "P":
            return cls(kind, "P")  # type: ignore[arg-type]
        number, scale = (value[:-1], 100.0) if value.endswith("%") else (value, 1.0)
        try:
            return cls(kind, float(number) / scale)  # type: ignore[arg-type]
        except (ValueError, UnknownMeasure) as error:
            problem = error if isinstance(error, UnknownMeasure) else f"{value!r} is not a number"
            raise UnknownMeasure(f"'@{text}': {problem}") from None

    def __str__(self) -> str:
        if self.value == "P":
            return "k=P"
        percent = f"{self.value * 100:.15g}"
        if self.kind == "top" and float(percent) / 100 == self.value:
            return f"top={percent}%"
        number = shortest(self.value)
        return number if self.kind == "threshold" else f"{self.kind}={number}"


def shortest(number: float) -> str:
    """The shortest text that reads back as the same number."""
    return str(int(number)) if abs(number) < 1e15 and number == int(number) else repr(number)


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """The confusion matrix at an operating point, as weights; with axes in front for a block."""

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
        """All cases."""
        return self.P + self.N

    @property
    def tpr(self) -> Any:
        """The share of the positives above the cut."""
        return self.tp / self.P

    @property
    def fpr(self) -> Any:
        """The share of the negatives above the cut."""
        return self.fp / self.N

    @property
    def fnr(self) -> Any:
        """The share of the positives below the cut."""
        return self.fn / self.P

    @property
    def tnr(self) -> Any:
        """The share of the negatives below the cut."""
        return self.tn / self.N
