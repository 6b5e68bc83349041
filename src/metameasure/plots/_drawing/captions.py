"""Sentences in a picture, broken into lines that fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from metameasure._text import visible
from metameasure.plots._drawing.screen import (
    is_narrow,
    scale_of,
    sheet_of,
    size_of,
    text_size,
    wrapped,
)
from metameasure.plots._drawing.style import INK, SMALL, SMALLER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

MOST_ABOVE = 0.3
"""What share of the height of a narrow picture a sentence above it may have."""
EDGE = 6.0
"""So many points of print are left free at both sides of a sentence above a narrow picture."""
LINE = 1.3
"""The distance of lines of text, in letters."""
NO_BREAK = "\N{NO-BREAK SPACE}"


def write_above(axes: Axes, sentence: str, colour: str = INK) -> None:
    """Put a sentence above a picture, where a title would stand.

    Above a narrow one it has all of the sheet, and ends where it gets too long.
    """
    if not is_narrow(axes):
        lines = broken(sentence, size_of(axes)[0])
        axes.set_title("\n".join(lines), loc="left", fontsize=SMALL, color=colour)
        return
    _, bottom, _, top = sheet_of(axes)
    line = LINE * text_size("Ag", SMALLER)[1] * scale_of(axes)
    most = max(1, int(MOST_ABOVE * (top - bottom) / line))
    lines = broken(sentence, _room(axes), SMALLER)
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1]} …"]
    _write_at_edge(axes, lines, "left", SMALLER, colour)


def write_small(axes: Axes, words: str, colour: str, size: str = SMALLER) -> None:
    """Put a few words above a picture, at the right; above a narrow one they may be broken."""
    if is_narrow(axes):
        _write_at_edge(axes, wrapped(words.split(" "), _room(axes), size), "right", size, colour)
    else:
        axes.set_title(words, loc="right", fontsize=size, color=colour)


def _room(axes: Axes) -> float:
    """How wide lines above a narrow picture may be, in points of print."""
    left, _, right, _ = sheet_of(axes)
    return (right - left) / scale_of(axes) - EDGE


def _write_at_edge(
    axes: Axes, lines: Sequence[str], side: Literal["left", "right"], size: str, colour: str
) -> None:
    """Put lines above a picture that go to an edge of the sheet, wherever its axes will be."""
    from matplotlib.transforms import blended_transform_factory  # noqa: PLC0415

    figure: Any = axes.get_figure(root=True)
    title = axes.set_title("\n".join(lines), loc=side, fontsize=size, color=colour)
    if len(figure.axes) == 1:
        free = EDGE / 2 * scale_of(axes) / figure.bbox.width
        title.set_x(free if side == "left" else 1 - free)
        up: Any = title.get_transform()
        title.set_transform(blended_transform_factory(figure.transFigure, up))


def broken(sentence: str, width: float, size: str = SMALL) -> list[str]:
    """The words of a sentence in lines no wider than so many points; a long word has its own.

    What is joined by ``NO_BREAK`` stays in one line. Nothing in it is taken for a formula.

    >>> broken("two words", 10.0)
    ['two', 'words']
    """
    words = [
        visible(part.replace(NO_BREAK, " ")).replace("$", r"\$") for part in sentence.split(" ")
    ]
    return wrapped(words, width, size)
