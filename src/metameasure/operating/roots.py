"""Places at which a measure reaches a value along lines through ROC space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure._types import Floats

    Along = Callable[[Floats], Floats]

STEPS = 512
"""Number of intervals that are searched for a change of sign."""
HALVINGS = 60
NEAR = 1e-14
"""Relative difference up to which a value equals the goal."""


def first_roots(along: Along, goal: Floats) -> Floats:
    """The first place from 0 to 1 at which a function reaches each goal; NaN if there is none.

    ``along`` maps places of shape (goals, places) to values; each goal has its own line. Intervals
    with a change of sign are bisected.
    """
    goals = goal[:, np.newaxis]
    grid = np.linspace(0.0, 1.0, STEPS + 1)
    values = along(np.broadcast_to(grid, (goal.size, grid.size)))
    with np.errstate(invalid="ignore"):
        apart = values - goals
        near = np.abs(apart) <= NEAR * np.maximum(1.0, np.abs(goals))
        reached = (values == goals) | (near & np.isfinite(goals))
        side = np.sign(apart)
        changed = side[:, :-1] * side[:, 1:] < 0
    step = np.argmax(changed, axis=1)
    rows = np.arange(goal.size)
    low, high = grid[step], grid[step + 1]
    rises = apart[rows, step] < 0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        under = (along(middle[:, np.newaxis])[:, 0] < goal) == rises
        low, high = np.where(under, middle, low), np.where(under, high, middle)
    found = np.where(changed.any(axis=1), (low + high) / 2, np.nan)
    met = grid[np.argmax(reached, axis=1)]
    return np.where(reached.any(axis=1), np.fmin(met, found), found)
