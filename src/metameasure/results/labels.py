"""Labels of classes in results: as text for people, and as values of one kind in a column."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from metameasure._text import visible
from metameasure.data import EXACT_INTEGERS

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_NAME = 32
"""Length from which the name of a class is cut on a page."""


def class_name(label: Any) -> str:
    r"""A label as text for people, of any kind and with control characters made visible.

    >>> class_name("a\x1b[31m")
    'a\\x1b[31m'
    """
    text = visible(_text(label))
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + "…"


def plain_labels(labels: Sequence[Any]) -> tuple[list[Any], str]:
    """Labels as values of one kind, and that kind: bool, int, float, or else str.

    >>> plain_labels([1, None, 2.5])
    ([1.0, None, 2.5], 'float')
    >>> plain_labels([1, "a"])
    (['1', 'a'], 'str')
    """
    known = [label for label in labels if label is not None]
    kind: type[Any] = str
    if all(isinstance(label, bool) for label in known):
        kind = bool
    elif all(isinstance(label, int) and -(2**63) <= label < 2**63 for label in known):
        kind = int
    elif all(_is_double(label) for label in known):
        kind = float

    def value(label: Any) -> Any:
        text = kind is str and not isinstance(label, str)
        return kind(_text(label) if text else label)

    plain = {label: value(label) for label in known}
    return [None if label is None else plain[label] for label in labels], kind.__name__


def _text(label: Any) -> str:
    if isinstance(label, bytes):
        return label.decode("utf-8", "backslashreplace")
    return "''" if label == "" else str(label)


def _is_double(label: Any) -> bool:
    """Whether a number is finite and exact as a float64."""
    if isinstance(label, int):
        return abs(label) <= EXACT_INTEGERS
    return isinstance(label, float) and math.isfinite(label)
