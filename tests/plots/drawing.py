"""Names that are hard to draw, the texts of a figure, and the distance of points from a line."""

import numpy as np

HOSTILE = ["$x^2$ and $", "_hidden", "<b>bold</b>", "line\nbreak", "", "x" * 400]


def distance_to_line(x, y, line_x, line_y):
    """How far points lie from a line, the nearest of its segments counting."""
    found = np.full(np.size(x), np.inf)
    for a, b, c, d in zip(line_x[:-1], line_y[:-1], line_x[1:], line_y[1:], strict=True):
        along = np.array([c - a, d - b])
        length = float(along @ along)
        share = ((x - a) * along[0] + (y - b) * along[1]) / length if length else 0 * x
        share = np.clip(share, 0, 1)
        found = np.minimum(found, np.hypot(x - a - share * along[0], y - b - share * along[1]))
    return found


def legend_texts(axes):
    """The texts of the legend of axes."""
    legend = axes.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


def written(axes):
    """All that is written in axes and in their legend."""
    return " ".join([*(text.get_text() for text in axes.texts), *legend_texts(axes)])
