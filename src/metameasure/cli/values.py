"""How the words of the command line become values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from cyclopts import Token, convert

from metameasure._arguments import Whole

if TYPE_CHECKING:
    from collections.abc import Sequence

INTEGER = Whole(-math.inf)


def converted(kind: Any, tokens: Sequence[Token]) -> Any:
    """Values of a type; an integer is read as in Python, while cyclopts rounds fractions."""
    return convert(kind, tokens, _of_word)


def listed(kind: Any, tokens: Sequence[Token]) -> Any:
    """Values of an option that is repeated, has commas between values, or both.

    A value in double quotes keeps its commas.
    """
    return converted(kind, [t.evolve(value=part) for t in tokens for part in _parts(t.value)])


def _of_word(kind: Any, word: str) -> Any:
    if kind is not int:
        return convert(kind, [word])
    try:
        return int(word)
    except ValueError:
        return INTEGER.read(float(word))


def _parts(text: str) -> list[str]:
    if len(text) > 1 and text[0] == text[-1] == '"':
        return [text[1:-1]]
    return [part.strip() for part in text.split(",")] if "," in text else [text]
