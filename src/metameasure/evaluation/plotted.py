"""Results that draw themselves."""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar


class Plotted:
    """A result that a forest plot shows.

    Attributes:
        display: the name of its display in ``metameasure.plots``.
    """

    display: ClassVar[str] = "ForestDisplay"

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the values with their intervals; returns a display, which has ``save``.

        Args:
            ax: the axes to draw on; those of a new figure by default.
            **options: options of the display: ``ForestDisplay``, or of groups ``GroupsDisplay``.
        """
        # Displays are built on results, so they are loaded by name.
        display = getattr(import_module("metameasure.plots"), self.display)
        return display(self, **options).plot(ax)
