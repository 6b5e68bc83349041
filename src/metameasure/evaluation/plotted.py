"""Results that draw themselves."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Plotted:
    """A result that a forest plot shows."""

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the values with their intervals: a ``ForestDisplay``, which has ``save``.

        Args:
            ax: the axes to draw on; those of a new figure by default.
            **options: options of ``metameasure.plots.ForestDisplay``.
        """
        # Displays are built on results, so they are loaded by name.
        display = import_module("metameasure.plots").ForestDisplay
        return display(self, **options).plot(ax)
