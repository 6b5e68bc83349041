"""Sentences in a picture, broken into lines that fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metameasure.plots.naming import box_of, scale_of, text_size
from metameasure.plots.style import INK, SMALL
from metameasure.rendering import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NO_BREAK = "\N{NO-BREAK SPACE}"


def write_above(axes: Axes, sentence: str, colour: str = INK) -> None:
    """Put a sentence above a picture, where a title would stand."""
    lines = broken(sentence, points_of(axes)[0])
    axes.set_title("\n".join(lines), loc="left", fontsize=SMALL, color=colour)


def points_of(axes: Axes) -> tuple[float, float]:
    """How wide and how high axes are, in points of print."""
    _, _, width, height = box_of(axes)
    return width / scale_of(axes), height / scale_of(axes)


def broken(sentence: str, width: float, size: str = SMALL) -> list[str]:
    """The words of a sentence in lines no wider than so many points; a long word has its own.

    What is joined by ``NO_BREAK`` stays in one line. Nothing in it is taken for a formula.

    >>> broken("two words", 10.0)
    ['two', 'words']
    """
    lines: list[str] = []
    for part in sentence.split(" "):
        word = visible(part.replace(NO_BREAK, " ")).replace("$", r"\$")
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_size(longer, size)[0] <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
