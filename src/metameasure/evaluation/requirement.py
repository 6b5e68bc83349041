"""Requirements as text: ``MEASURE OPERATOR BOUND [by COLUMN]``.

The bound is a number, or the value of a baseline model with a margin: ``baseline - 0.01``.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metameasure._text import shown
from metameasure.errors import Argument, MetameasureError, ParameterError
from metameasure.measurement import MeanOver, parse, split_outside

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure.measurement import Measure

EXAMPLE = "auc >= 0.8"
OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_SIGNS = re.compile(r"[<>=!≤≥]+")
_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?%?"
_ABSOLUTE = re.compile(rf"[-+]?\s*{_NUMBER}")
_RELATIVE = re.compile(
    rf"(?:(?P<factor>{_NUMBER})\s*\*\s*)?baseline(?:\s*(?P<margin>[-+]\s*{_NUMBER}))?"
)
_BY = re.compile(r"(?:^|\s+)by(?:\s+|$)")


@dataclass(frozen=True)
class Requirement:
    """A bound that a measure must meet.

    Attributes:
        text: the requirement as it was written.
        measure: the measure.
        sign: the operator, one of ``>=``, ``<=``, ``>`` and ``<``.
        bound: the bound of the value, or of its difference from the baseline.
        factor: the factor of the value of the baseline; None if the bound is a number.
        by: the column of the groups in each of which it must be met; None for all cases.

    >>> Requirement.of("tpr@fpr=5% >= baseline - 0.01 by site")
    Requirement(text='tpr@fpr=5% >= baseline - 0.01 by site', measure=tpr@fpr=0.05, sign='>=',
    bound=-0.01, factor=1.0, by='site')
    """

    text: str
    measure: Measure
    sign: str
    bound: float
    factor: float | None = None
    by: str | None = None

    @classmethod
    def of(cls, text: str | Requirement, argument: str = "require") -> Requirement:
        """The requirement that a text stands for; an error says that it is about ``argument``."""
        if isinstance(text, Requirement):
            return text
        try:
            return _parsed(text)
        except MetameasureError as error:
            raise error.about(argument) from None

    @property
    def upward(self) -> bool:
        """Whether large values meet it."""
        return self.sign.startswith(">")

    def is_met(self, value: float) -> bool:
        """Whether a value, or its difference from the baseline, meets it."""
        return OPERATORS[self.sign](value, self.bound)

    def __str__(self) -> str:
        return self.text


def read_requirements(given: Any, argument: str = "require") -> list[Requirement]:
    """One requirement or several, without repetition."""
    single = isinstance(given, str) or not isinstance(given, Iterable)
    texts = [given] if single else list(given)
    if not texts:
        raise ParameterError(
            (Argument(argument), " is empty"), remedy=f"pass at least one, e.g. {EXAMPLE!r}"
        )
    return list(dict.fromkeys(Requirement.of(text, argument) for text in texts))


def is_requirement(given: object) -> bool:
    """Whether this is meant as a requirement, which may be wrong."""
    return isinstance(given, Requirement) or (
        isinstance(given, str) and _comparison(given) is not None
    )


def are_requirements(given: object) -> bool:
    """Whether this is a list of what is meant as requirements."""
    return isinstance(given, (list, tuple)) and bool(given) and all(map(is_requirement, given))


def _parsed(text: str) -> Requirement:
    if not isinstance(text, str):
        raise ParameterError(f"a requirement must be a str, got {type(text).__name__}")
    split_outside(text)  # refuses brackets that do not match
    found = _comparison(text)
    if found is None:
        raise _wrong(text, f"expected {_any_sign()} after the measure", text)
    before, sign, after = text[: found.start()], found[0], text[found.end() :]
    if not before.strip():
        raise _wrong(text, f"expected a measure before {sign!r}", text)
    if sign not in OPERATORS:
        raise _wrong(text, f"expected {_any_sign()} after {before.strip()!r}", sign)
    measure = parse(before.strip())
    limit, *column = _BY.split(after, maxsplit=1)
    factor, bound = _bound(text, sign, limit.strip())
    _check_bound(text, measure, factor, bound)
    by = _column(text, column[0]) if column else None
    if by is not None and isinstance(measure, MeanOver):
        raise ParameterError(
            f"{shown([text])}: {measure} is a mean over groups", remedy=f"remove 'by {by}'"
        )
    return Requirement(" ".join(text.split()), measure, sign, bound, factor, by)


def _comparison(text: str) -> re.Match[str] | None:
    """The first signs of a comparison outside brackets; ``=`` alone belongs to the measure."""
    for found in _SIGNS.finditer(text):
        before = text[: found.start()]
        if found[0] != "=" and before.count("(") <= before.count(")"):
            return found
    return None


def _bound(text: str, sign: str, limit: str) -> tuple[float | None, float]:
    """The factor of the baseline, if there is one, and the number."""
    if _ABSOLUTE.fullmatch(limit):
        return None, _number(limit)
    relative = _RELATIVE.fullmatch(limit)
    if relative is None:
        raise _wrong(text, f"expected a number or 'baseline - number' after {sign!r}", limit)
    return _number(relative["factor"] or "1"), _number(relative["margin"] or "0")


def _number(text: str) -> float:
    plain = "".join(text.split())
    return float(plain[:-1]) / 100 if plain.endswith("%") else float(plain)


def _check_bound(text: str, measure: Measure, factor: float | None, bound: float) -> None:
    """Refuse a number that no value, or no difference of two values, can have."""
    low, high = map(float, measure.declaration.range)
    if factor is None and not low <= bound <= high:
        problem = f"the bound of {measure} must be in [{low:g}, {high:g}], got {bound:g}"
        raise ParameterError(f"{shown([text])}: {problem}")
    if factor is not None and abs(bound) > high - low:
        problem = f"the margin of {measure} must be at most {high - low:g}, got {abs(bound):g}"
        raise ParameterError(f"{shown([text])}: {problem}")


def _column(text: str, name: str) -> str:
    plain = name.strip()
    quoted = len(plain) > 1 and plain[0] == plain[-1] and plain[0] in "\"'"
    plain = plain[1:-1] if quoted else plain
    if not plain:
        raise _wrong(text, "expected a column after 'by'", "")
    return plain


def _any_sign() -> str:
    *first, last = OPERATORS
    return f"{', '.join(first)} or {last}"


def _wrong(text: str, expected: str, got: str) -> ParameterError:
    """The error that shows where a text is wrong."""
    what = shown([got]) if got else "nothing"
    seen = "" if got == text else f", got {what}"
    return ParameterError(f"{shown([text])}: {expected}{seen}", remedy=f"write e.g. {EXAMPLE!r}")
