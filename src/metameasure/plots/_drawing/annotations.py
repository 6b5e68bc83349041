"""Words beside a point of a picture, put where they hide least."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.plots._drawing.layout import lay_out
from metameasure.plots._drawing.screen import (
    bounds_of,
    box_of,
    dots_along,
    is_narrow,
    letters,
    scale_of,
)
from metameasure.plots._drawing.style import GREY, INK, halo

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DISTANCES = (8.0, 16.0, 28.0, 42.0, 58.0, 76.0, 96.0, 120.0, 150.0)
"""How far words may stand from their point, in points of print."""
DIRECTIONS = 16
CORNERS = ((1, 0), (0, 1), (1, 1), (0, 0))
PAD = 5.0
LED_FROM = 16.0
"""From this distance on a line leads to the words."""
TEXT_MET, LINE_MET, PALE_MET, MARK_MET = 1000.0, 10.0, 3.0, 30.0
"""What it costs to hide words, a dot of a line, one of a line in the background; to cross a mark.

A point of distance costs 1.
"""
NEAR = 5.0
BACKGROUND = 2.0
"""Lines that are drawn below this level are in the background."""


def write_note(axes: Axes, x: float, y: float, words: str) -> Annotation | None:
    """Write words beside a point where they meet the fewest lines and words; a line leads there.

    It comes after all lines, and before the names of lines, which have more places to go to. In a
    narrow picture words are left out that do not fit, or would hide others.
    """
    lay_out(axes)
    size, scale = _size(axes, words), scale_of(axes)
    point = axes.transData.transform((x, y))
    middles, distances = _candidates(size, scale)
    costs = _hidden(axes, point + middles, size)
    best = int(np.argmin(costs + distances + _crossed(axes, point, middles)))
    if _gives_way(axes, costs[best]):
        return None
    line = {"arrowstyle": "-", "color": GREY, "linewidth": 0.6, "shrinkA": 1, "shrinkB": 3}
    return axes.annotate(
        words,
        (x, y),
        xytext=tuple(middles[best] / scale),
        textcoords="offset points",
        ha="center",
        va="center",
        annotation_clip=False,
        arrowprops=line if distances[best] >= LED_FROM else None,
        **_looks(axes, costs[best]),
    )


def write_in_corner(axes: Axes, words: str) -> Annotation | None:
    """Write words into the corner of the axes where they meet the fewest lines and words.

    In a narrow picture words are left out that do not fit, or would hide others.
    """
    lay_out(axes)
    size, pad = _size(axes, words), PAD * scale_of(axes)
    left, bottom, width, height = box_of(axes)
    free = np.array([width, height]) - size - 2 * pad
    middles = np.array([left, bottom]) + pad + np.array(CORNERS) * free + size / 2
    costs = _hidden(axes, middles, size)
    best = int(np.argmin(costs))
    if _gives_way(axes, costs[best]):
        return None
    across, up = CORNERS[best]
    return axes.annotate(
        words,
        (across, up),
        xycoords="axes fraction",
        xytext=(PAD * (1 - 2 * across), PAD * (1 - 2 * up)),
        textcoords="offset points",
        ha="right" if across else "left",
        va="top" if up else "bottom",
        **_looks(axes, costs[best]),
    )


def _gives_way(axes: Axes, cost: float) -> bool:
    return is_narrow(axes) and cost >= TEXT_MET


def _looks(axes: Axes, cost: float) -> dict[str, Any]:
    """How words look; a halo, which makes files large, is for those that meet something."""
    looks: dict[str, Any] = {"fontsize": letters(axes), "color": INK, "zorder": 6}
    return {**looks, "path_effects": halo()} if cost else looks


def _size(axes: Axes, words: str) -> Floats:
    """Width and height of words of one or more lines on the screen."""
    trial = axes.text(0.5, 0.5, words, transform=axes.transAxes, fontsize=letters(axes))
    left, bottom, right, top = bounds_of(trial)
    trial.remove()
    return np.array([right - left, top - bottom])


def _candidates(size: Floats, scale: float) -> tuple[Floats, Floats]:
    """Where the middle of words may lie from their point, and how far they then stand from it."""
    angles = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    pairs = np.array(list(product(angles, DISTANCES)))
    towards = np.column_stack([np.cos(pairs[:, 0]), np.sin(pairs[:, 0])])
    # The words touch the circle of that distance with the side or corner that looks inwards.
    inwards = np.where(np.abs(towards) > 1e-9, np.sign(towards), 0.0) * size / 2
    return towards * pairs[:, 1:] * scale + inwards, pairs[:, 1]


def _hidden(axes: Axes, middles: Floats, size: Floats) -> Floats:
    """What words at these places would hide; more than all else if they leave the axes."""
    begin, end = middles - size / 2, middles + size / 2
    left, bottom, width, height = box_of(axes)
    inside = (begin >= (left, bottom)).all(axis=1) & (end <= (left + width, bottom + height)).all(1)
    costs = np.where(inside, 0.0, 10 * TEXT_MET)
    for left, bottom, right, top in _written(axes):
        apart = (begin > (right, top)).any(axis=1) | (end < (left, bottom)).any(axis=1)
        costs += np.where(apart, 0.0, TEXT_MET)
    for line in axes.lines:
        dots = dots_along(axes, *line.get_data())
        hit = (dots >= begin[:, np.newaxis]) & (dots <= end[:, np.newaxis])
        weight = PALE_MET if line.get_zorder() < BACKGROUND else LINE_MET
        costs += weight * hit.all(axis=-1).sum(axis=-1)
    return costs


def _crossed(axes: Axes, point: Floats, ways: Floats) -> Floats:
    """What the lines from a point would pass on their ways to the words: marks of other points."""
    costs = np.zeros(len(ways))
    near = NEAR * scale_of(axes)
    for line in axes.lines:
        dots = axes.transData.transform(line.get_xydata())
        if len(dots) == 1 and np.hypot(*(dots[0] - point)) > near:
            away = dots[0] - point
            share = np.clip((ways @ away) / np.sum(ways**2, axis=1), 0.0, 1.0)
            costs += MARK_MET * (np.hypot(*(share[:, np.newaxis] * ways - away).T) <= near)
    return costs


def _written(axes: Axes) -> list[Floats]:
    """The places of all words that are there."""
    legend = axes.get_legend()
    return [bounds_of(text) for text in [*axes.texts, *([legend] if legend else [])]]
