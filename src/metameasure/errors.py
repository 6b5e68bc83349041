"""Exceptions and warnings.

A message says what must hold, what came, and what to do. It names arguments as data (``Argument``),
so that each surface words them in its own way: ``nan_policy="drop"`` in Python and
``--nan-policy drop`` on the command line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True)
class Argument:
    """An argument that a message names, alone (the value is ``...``) or with a value to pass."""

    name: str
    value: Any = ...

    def __str__(self) -> str:
        return self.name if self.value is ... else f"{self.name}={_quoted(self.value)}"


if TYPE_CHECKING:
    Text = str | Argument | Sequence[str | Argument]


class MetameasureError(Exception):
    """Base class of all errors that this library raises on purpose.

    Attributes:
        problem: what must hold and what came, as text and arguments.
        remedy: what to do, as text and arguments; None if there is nothing to add.
        argument: the name of the argument at fault, if it is known.
    """

    def __init__(
        self, problem: Text, *, remedy: Text | None = None, argument: str | None = None
    ) -> None:
        self.problem = _parts(problem)
        self.remedy = None if remedy is None else _parts(remedy)
        named = (part.name for part in self.problem if isinstance(part, Argument))
        self.argument = argument or next(named, None)
        super().__init__(self.worded())

    def worded(self, word: Callable[[Argument], str] = str) -> str:
        """The message, with each argument in the words of a surface."""
        text = _joined(self.problem, word)
        return text if self.remedy is None else f"{text}; {_joined(self.remedy, word)}"

    def __reduce__(self) -> tuple[Callable[..., MetameasureError], tuple[Any, ...]]:
        return _restore, (type(self), self.problem, self.remedy, self.argument)


class DataError(MetameasureError, ValueError):
    """The data cannot be evaluated as requested."""


class ParameterError(MetameasureError, ValueError):
    """A parameter has a value that is not allowed."""


class UnknownMeasure(MetameasureError, LookupError):
    """No measure has this name."""


class UndefinedMeasureWarning(UserWarning):
    """A measure is undefined on these data; its value is NaN."""


class DroppedCasesWarning(UserWarning):
    """Cases with missing values were dropped, as requested."""


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _parts(text: Text) -> tuple[str | Argument, ...]:
    return (text,) if isinstance(text, str | Argument) else tuple(text)


def _joined(parts: Sequence[str | Argument], word: Callable[[Argument], str]) -> str:
    return "".join(part if isinstance(part, str) else word(part) for part in parts)


def _restore(
    kind: type[MetameasureError], problem: Text, remedy: Text | None, argument: str | None
) -> MetameasureError:
    """An error from its parts, as it comes back from a worker process."""
    return kind(problem, remedy=remedy, argument=argument)
