"""Exceptions and warnings.

A message says what must hold, what came, and what to do. It names arguments as data (``Argument``),
so that each surface words them in its own way: ``nan_policy="drop"`` in Python and
``--nan-policy drop`` on the command line. What has two names is a ``Wording``.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


@dataclass(frozen=True)
class Argument:
    """An argument that a message names, alone (the value is ``...``) or with a value to pass."""

    name: str
    value: Any = ...

    def __str__(self) -> str:
        return self.name if self.value is ... else f"{self.name}={_quoted(self.value)}"


@dataclass(frozen=True)
class Wording:
    """A part of a message that is one thing in Python and another on the command line."""

    python: str
    command: str

    def __str__(self) -> str:
        return self.python


if TYPE_CHECKING:
    Part = str | Argument | Wording
    Text = Part | Sequence[Part]


class MetameasureError(Exception):
    """Base class of all errors that this library raises on purpose.

    Attributes:
        problem: what must hold and what came.
        remedy: what to do; None if there is nothing to add.
        argument: the name of the argument at fault, if it is known.
    """

    def __init__(
        self, problem: Text, *, remedy: Text | None = None, argument: str | None = None
    ) -> None:
        self._parts = _parts(problem), None if remedy is None else _parts(remedy)
        self.problem = _joined(self._parts[0], str)
        self.remedy = None if remedy is None else _joined(_parts(remedy), str)
        named = (part.name for part in self._parts[0] if isinstance(part, Argument))
        self.argument = argument or next(named, None)
        super().__init__(self.worded())

    def worded(self, word: Callable[[Argument | Wording], str] = str) -> str:
        """The message, with each argument in the words of a surface."""
        return "; ".join(_joined(parts, word) for parts in self._parts if parts is not None)

    def about(self, argument: str) -> Self:
        """This error about the text of an argument, in which the names are those of parameters."""
        problem, remedy = (
            None if parts is None else [str(p) if isinstance(p, Argument) else p for p in parts]
            for parts in self._parts
        )
        return type(self)(problem or "", remedy=remedy, argument=argument)

    def renaming(self, names: Mapping[str, str]) -> Self:
        """This error with other names of some arguments."""
        problem, remedy = (
            None
            if parts is None
            else [
                replace(p, name=names.get(p.name, p.name)) if isinstance(p, Argument) else p
                for p in parts
            ]
            for parts in self._parts
        )
        argument = names.get(self.argument or "", self.argument)
        return type(self)(problem or "", remedy=remedy, argument=argument)

    def caused_by(self, argument: str | None) -> None:
        """Name the argument at fault, unless it is known."""
        self.argument = self.argument or argument

    def __reduce__(self) -> tuple[Callable[..., MetameasureError], tuple[Any, ...]]:
        return _restore, (type(self), *self._parts, self.argument)


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


class CompilationCacheWarning(UserWarning):
    """Compiled functions cannot be kept on disk, so that each process compiles them again."""


@contextmanager
def naming(names: Mapping[str, str]) -> Iterator[None]:
    """Name arguments in errors as the caller does that passes them on under another name."""
    try:
        yield
    except MetameasureError as error:
        if not names:
            raise
        raise error.renaming(names) from error.__cause__


def first_line(error: BaseException) -> str:
    """What an error of another library says, without the advice that may follow."""
    return str(error).partition("\n")[0]


def parts_of(error: MetameasureError) -> tuple[tuple[Part, ...], tuple[Part, ...] | None]:
    """The problem and the remedy in parts, for an error that says more about them."""
    return error._parts


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _parts(text: Text) -> tuple[Part, ...]:
    return (text,) if isinstance(text, str | Argument | Wording) else tuple(text)


def _joined(parts: Sequence[Part], word: Callable[[Argument | Wording], str]) -> str:
    return "".join(part if isinstance(part, str) else word(part) for part in parts)


def _restore(
    kind: type[MetameasureError], problem: Text, remedy: Text | None, argument: str | None
) -> MetameasureError:
    """An error from its parts, as it comes back from a worker process."""
    return kind(problem, remedy=remedy, argument=argument)
