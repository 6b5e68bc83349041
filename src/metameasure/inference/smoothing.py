"""Classes that are smoothed over the observed scores."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.table import ScoreTable

CELLS = 4096
"""Number of cells of the grid on which a class is smoothed."""
LEAST = 1e-15
"""Smallest rank, as a fraction of all cases; weights may differ by many orders of magnitude."""
REACH = 5.0
"""Half-width of the normal kernel, in standard deviations."""


def smooth(table: ScoreTable, sizes: tuple[int, int]) -> tuple[Floats, Floats]:
    """The fraction of each class on each row, smoothed over the observed rows.

    The scale is that of normal scores of the pooled ranks, on which a row covers the interval of
    its ranks: nothing depends on the scale of the scores, and rows with many cases hardly change.
    The kernel is normal with the bandwidth sd m^(-1/5) for m cases, and the points are shrunk to
    their mean so that each class keeps its variance.
    """
    from scipy.special import ndtri  # noqa: PLC0415

    upto = (table.tp + table.fp)[1:] / table.n
    edges, places = (
        -ndtri(np.clip(part, LEAST, 1 - LEAST))
        for part in (upto[:-1], upto - table.weight / 2 / table.n)
    )
    found = []
    for weight, size in zip((table.pos, table.neg), sizes, strict=True):
        above = 1 - _smoothed_share(places, weight, size, edges)
        found.append(np.maximum(np.diff(above, prepend=0.0, append=1.0), 0.0))
    return found[0], found[1]


def _smoothed_share(places: Floats, weight: Floats, size: int, at: Floats) -> Floats:
    """The fraction of a smoothed class, of an effective number of cases, below some places."""
    used = weight > 0
    places, weight = places[used], weight[used]
    total = float(weight.sum())
    mean = float(weight @ places) / total
    # One score has no spread; that of the scale itself is 1.
    spread = 1.0
    if places.size > 1:
        square = float(weight @ np.square(places - mean)) / total
        spread = math.sqrt(square * size / max(size - 1, 1))
    relative = size**-0.2
    shrink = 1 / math.sqrt(1 + relative**2)
    points, width = mean + (places - mean) * shrink, spread * relative * shrink
    grid = np.linspace(points.min() - REACH * width, points.max() + REACH * width, CELLS)
    step = grid[1] - grid[0]
    cell, part = np.divmod((points - grid[0]) / step, 1.0)
    left = np.minimum(cell.astype(np.int64), CELLS - 2)
    mass = np.bincount(left, weight * (1 - part), CELLS)
    mass += np.bincount(left + 1, weight * part, CELLS)
    half = math.ceil(REACH * width / step)
    kernel = np.exp(-0.5 * np.square(np.arange(-half, half + 1) * step / width))
    density = np.convolve(mass, kernel)[half : half + CELLS]
    below = (np.cumsum(density) - density / 2) / density.sum()
    return np.asarray(np.interp(at, grid, below, left=0.0, right=1.0))
