"""The one validator of arguments: kinds of values, and the error for a value that is not allowed.

Parameters of measures, options of functions and options of commands are all read here.
"""

from __future__ import annotations

import math
import numbers
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from metameasure._text import shown, some_names
from metameasure.errors import Argument, ParameterError, Wording, parts_of


class Parameter(Protocol):
    """A set of allowed values."""

    def read(self, value: object) -> Any:
        """The value in its canonical form; ValueError if it is not allowed."""
        ...

    def __str__(self) -> str:
        """What a value must be, after the words "must be"."""
        ...


@dataclass(frozen=True)
class Real:
    """A number between two limits; each limit is allowed unless it is open."""

    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False
    infinite: bool = False

    def __post_init__(self) -> None:
        for name in ("open_low", "open_high", "infinite"):
            given = getattr(self, name)
            if not isinstance(given, bool):
                problem = f" must be True or False, got {shown([given])}"
                raise ParameterError((Argument(name), problem))
        _check_limits(self.low, self.high, apart=self.open_low or self.open_high)

    def read(self, value: object) -> float:
        """The number as float."""
        number = _number(value)
        above = number > self.low if self.open_low else number >= self.low
        below = number < self.high if self.open_high else number <= self.high
        if not (above and below and (self.infinite or math.isfinite(number))):
            raise ValueError(value)
        return number

    def __str__(self) -> str:
        low, high = math.isfinite(self.low), math.isfinite(self.high)
        if low and high:
            brackets = "(" if self.open_low else "[", ")" if self.open_high else "]"
            return f"in {brackets[0]}{self.low:g}, {self.high:g}{brackets[1]}"
        if low:
            return f"{'>' if self.open_low else '>='} {self.low:g}"
        if high:
            return f"{'<' if self.open_high else '<='} {self.high:g}"
        return "a number" if self.infinite else "a finite number"


@dataclass(frozen=True)
class Whole:
    """An integer between two limits, which are allowed."""

    low: float = 1
    high: float = math.inf

    def __post_init__(self) -> None:
        _check_limits(self.low, self.high)

    def read(self, value: object) -> int:
        """The number as int."""
        if isinstance(value, numbers.Integral) and not isinstance(value, bool):
            whole = int(value)
        else:
            number = _number(value)
            if not number.is_integer():
                raise ValueError(value)
            whole = int(number)
        if not self.low <= whole <= self.high:
            raise ValueError(value)
        return whole

    def __str__(self) -> str:
        if math.isfinite(self.high):
            return f"an integer from {self.low:.15g} to {self.high:.15g}"
        return f"an integer >= {self.low:g}" if math.isfinite(self.low) else "an integer"


@dataclass(frozen=True)
class Range:
    """A pair of numbers, the lower first, between two limits."""

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        _check_limits(self.low, self.high, apart=True)

    def read(self, value: object) -> tuple[float, float]:
        """The pair as floats."""
        if not isinstance(value, (tuple, list)) or len(value) != 2:
            raise ValueError(value)
        low, high = (_number(end) for end in value)
        if not self.low <= low < high <= self.high:
            raise ValueError(value)
        return low, high

    def __str__(self) -> str:
        return f"a pair (low, high) with {self.low:g} <= low < high <= {self.high:g}"


MOST_WORDS = 20
"""Number of choices up to which an error lists all."""


@dataclass(frozen=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    def __post_init__(self) -> None:
        several = isinstance(self.words, Iterable) and not isinstance(self.words, str)
        words = tuple(self.words) if several else ()
        if not words or not all(isinstance(word, str) for word in words):
            raise ParameterError(
                (Argument("words"), f" must be one or more words in a list, got {self.words!r}")
            )
        object.__setattr__(self, "words", words)

    def read(self, value: object) -> str:
        """The word."""
        if not isinstance(value, str) or value not in self.words:
            raise ValueError(value)
        return value

    def __str__(self) -> str:
        words = some_names(list(map(repr, self.words)), MOST_WORDS)
        return words if len(self.words) == 1 else f"one of {words}"


@dataclass(frozen=True)
class Flag:
    """True or False, or one word."""

    word: str | None = None

    def read(self, value: object) -> Any:
        """The flag, or the word."""
        if not isinstance(value, bool) and not (isinstance(value, str) and value == self.word):
            raise ValueError(value)
        return value

    def __str__(self) -> str:
        return "True or False" if self.word is None else f"True, False or {self.word!r}"


@dataclass(frozen=True)
class Instance:
    """An object of one of some types, described by ``words``."""

    types: tuple[Any, ...]
    words: str

    def read(self, value: object) -> Any:
        """The object."""
        if not isinstance(value, self.types):
            raise ValueError(value)  # noqa: TRY004 - all kinds raise the same error
        return value

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True)
class FileName:
    """The name of a file, as text or as a path."""

    def read(self, value: object) -> Path:
        """The path."""
        # No file has a name with a surrogate that stands for no byte: UnicodeEncodeError.
        if not isinstance(value, (str, os.PathLike)) or b"\0" in os.fsencode(value):
            raise ValueError(value)
        return Path(os.fsdecode(value))

    def __str__(self) -> str:
        return "the name of a file"


def _check_limits(low: object, high: object, *, apart: bool = False) -> None:
    """Refuse limits that no value lies between; ``apart`` if they must differ."""
    for name, value in (("low", low), ("high", high)):
        try:
            _number(value)
        except ValueError:
            problem = f" must be a number, got {shown([value])}"
            raise ParameterError((Argument(name), problem)) from None
    if not (_number(low) < _number(high) if apart else _number(low) <= _number(high)):
        than = "<" if apart else "<="
        problem = f" must be {than} high, got {shown([low])} and {shown([high])}"
        raise ParameterError((Argument("low"), problem))


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise ValueError(value)  # noqa: TRY004 - all kinds raise the same error
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isnan(number):
        raise ValueError(value)
    return number


TEXT = Instance((str,), "text")
FRACTION = Real(0, 1, open_low=True, open_high=True)
POSITIVE = Real(0, open_low=True)
COUNT = Whole(1)
MOST_RESAMPLES = 1_000_000
"""Largest number of resamples: the values of all of them are kept."""
ZERO = re.compile(r"\s*\+?0+\s*")
"""Text that polars reads as the number 0."""
REPETITIONS = Whole(10)
"""Numbers of repeats and resamples that allow an estimate of their variance."""


def read_argument(name: str, value: object, kind: Parameter, *, optional: bool = False) -> Any:
    """The value of an argument in its canonical form; with ``optional``, None stays None.

    >>> read_argument("bins", 0, Whole(1))
    Traceback (most recent call last):
    metameasure.errors.ParameterError: bins must be an integer >= 1, got 0
    """
    if value is None and optional:
        return None
    try:
        return kind.read(value)
    except ValueError:
        none = Wording(" or None" if optional else "", "")
        # Limits such as ">= 0" do not say that infinity is refused.
        infinite = isinstance(value, float) and math.isinf(value)
        finite = "finite and " if infinite and str(kind)[0] in "<>" else ""
        raise ParameterError(
            (Argument(name), f" must be {finite}{kind}", none, f", got {shown([value])}")
        ) from None


def read_several(name: str, values: object, kind: Parameter, *, least: int = 1) -> list[Any]:
    """One value or several, each in its canonical form, as a list.

    >>> read_several("sizes", [50, 40.5], Whole(2))
    Traceback (most recent call last):
    metameasure.errors.ParameterError: sizes must be integers >= 2, got 40.5
    """
    several = elements(values)
    if several is None:
        return [read_argument(name, values, kind)]
    if len(several) < least:
        raise ParameterError(
            (
                Argument(name),
                f" needs at least {least} value{'s' * (least > 1)}, got {len(several)}",
            )
        )
    try:
        return [read_argument(name, value, kind) for value in several]
    except ParameterError as error:
        words = {"be an integer": "be integers", "be a finite number": "be finite numbers"}
        named, one, *rest = parts_of(error)[0]
        many = str(one)
        for singular, plural in words.items():
            many = many.replace(singular, plural, 1)
        # On the command line each value has its own option.
        raise ParameterError((named, Wording(many, str(one)), *rest)) from None


def elements(values: Any) -> list[Any] | None:
    """The elements of a list or another iterable; None for text and for a single value."""
    if isinstance(values, (str, bytes)):
        return None
    try:
        return list(values)
    except TypeError:
        # A class may have a method for elements, and an array of no dimension has none.
        return None


def read_confidence(value: object, name: str = "ci") -> float:
    """A confidence, whose quantiles are finite."""
    confidence: float = read_argument(name, value, FRACTION)
    if (1 + confidence) / 2 == 1:
        raise ParameterError((Argument(name), f" is too close to 1: {confidence!r}"))
    return confidence


def is_real(value: object) -> bool:
    """Whether this is a real number that a float can be near to; a bool is not."""
    if isinstance(value, float):
        return True
    try:
        return math.isfinite(_number(value))
    except ValueError:
        return False


def read_seed(seed: object) -> int | None:
    """A seed, or None for a fresh one."""
    number: int | None = read_argument("seed", seed, Whole(0), optional=True)
    return number


def read_resamples(resamples: object, *, optional: bool = False) -> Any:
    """A number of resamples that allows an estimate of their variance."""
    kind = Whole(10, MOST_RESAMPLES)
    return read_argument("resamples", resamples, kind, optional=optional)


def read_workers(workers: object) -> int:
    """The number of workers; by default the number of cores that this process may use."""
    if workers is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    number: int = read_argument("workers", workers, COUNT)
    return number


def check_polars_threads() -> None:
    """Refuse a number of threads with which polars panics, which no handler of errors catches."""
    threads = os.environ.get("POLARS_MAX_THREADS", "")
    if ZERO.fullmatch(threads):
        raise ParameterError(
            f"the environment variable POLARS_MAX_THREADS must be >= 1, got {threads.strip()}"
        )
