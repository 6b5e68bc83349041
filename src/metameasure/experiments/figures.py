"""Figures of items, drawn from their results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure.inference import wilson_limits
from metameasure.lab import Robustness

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

    from metameasure.experiments.reproduction import Reproduction
    from metameasure.plots import Rate

CONFIDENCE = 0.95
MOST_LEVELS = 21
OURS, PRINT, OTHER = "#1f5fa8", "#c8641e", "#2e8b57"


def noise_figure(result: Reproduction, noise: str, repeats: int, rate: Rate = "error") -> Figure:
    """Rates against the level of noise: the rows of the item are levels, its columns measures.

    Of many levels some are drawn, at equal distances.
    """
    from metameasure.plots import RobustnessDisplay  # noqa: PLC0415

    levels = sorted({float(row.row) for row in result.rows})
    chosen = levels[:: -(-len(levels) // MOST_LEVELS)]
    rows = []
    for row in sorted(result.rows, key=lambda row: float(row.row)):
        if float(row.row) not in chosen:
            continue
        share = row.ours if row.ours is not None else float("nan")
        limits = wilson_limits(share * repeats, repeats, CONFIDENCE)
        rows.append(
            Robustness.schema(
                noise, float(row.row), row.column, repeats, share, *limits, share, 0.0
            )
        )
    shown = Robustness(rows, meta={"ci": CONFIDENCE, "generator": "", "seed": None})
    display = RobustnessDisplay(shown, rate=rate).plot()
    return display.figure_


def panels(result: Reproduction, labels: Mapping[str, str], *, x: str) -> Figure:
    """One panel per column, with our values and standard errors, and the printed values."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(4.2 * len(labels), 3.4), layout="constrained")
    for axes, (column, label) in zip(
        figure.subplots(1, len(labels), squeeze=False)[0], labels.items(), strict=True
    ):
        rows = [row for row in result.rows if row.column == column]
        ours = [row for row in rows if row.ours is not None]
        axes.errorbar(
            [float(row.row) for row in ours],
            [row.ours for row in ours],
            [2 * row.error for row in ours],
            marker="o",
            markersize=4,
            linewidth=1,
            color=OURS,
            label="ours, ± 2 standard errors",
        )
        printed = [row for row in rows if row.published]
        axes.plot(
            [float(row.row) for row in printed],
            [float(row.published) for row in printed],
            "D",
            markersize=5,
            fillstyle="none",
            color=PRINT,
            label="printed",
        )
        axes.set(xlabel=x, ylabel=label)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
    return figure


def rate_lines(
    result: Reproduction,
    styles: Mapping[str, tuple[str, str]],
    *,
    x: str,
    y: str,
    rows: Sequence[str],
) -> Figure:
    """One panel per part, with a line per column over some of the rows, in the given styles."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    parts = list(dict.fromkeys(row.part for row in result.rows))
    figure = Figure(figsize=(3.1 * len(parts) + 1, 3.4), layout="constrained")
    every = figure.subplots(1, len(parts), sharey=True, squeeze=False)[0]
    for axes, part in zip(every, parts, strict=True):
        ours = {(row.column, row.row): row.ours for row in result.rows if row.part == part}
        for column, (color, line) in styles.items():
            heights = [ours.get((column, row)) for row in rows]
            axes.plot(rows, heights, line, color=color, markersize=4, linewidth=1, label=column)
        axes.set(title=part, xlabel=x, ylim=(-0.02, 1.02))
        axes.spines[["top", "right"]].set_visible(False)
    every[0].set_ylabel(y)
    figure.legend(*every[0].get_legend_handles_labels(), frameon=False, loc="outside right center")
    return figure


def scatter_panels(
    result: Reproduction, part: str, *, x: Sequence[str], y: str, of: Sequence[str]
) -> Figure:
    """One panel per column x against column y, for the rows of a part, with a regression line.

    Rows are colored by their first words, which are listed in ``of``.
    """
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(4.2 * len(x) + 1.6, 3.6), layout="constrained")
    rows = [row for row in result.rows if row.part == part]
    values = {(row.row, row.column): row.ours for row in rows}
    every = figure.subplots(1, len(x), sharey=True, squeeze=False)[0]
    for axes, column in zip(every, x, strict=True):
        for name, color in zip(of, (OURS, PRINT, OTHER), strict=True):
            names = [r for r, c in values if c == column and r.startswith(f"{name} ")]
            across = np.array([values[each, column] for each in names], dtype=np.float64)
            upwards = np.array([values[each, y] for each in names], dtype=np.float64)
            axes.plot(across, upwards, "o", color=color, markersize=3.5, alpha=0.6,
                      markeredgewidth=0, label=name)  # fmt: skip
            if np.ptp(across):
                line = np.polynomial.Polynomial.fit(across, upwards, 1)
                ends = np.array([across.min(), across.max()])
                axes.plot(ends, line(ends), color=color, linewidth=1.4)
        axes.set(xlabel=column)
        axes.spines[["top", "right"]].set_visible(False)
    every[0].set_ylabel(y)
    figure.legend(*every[0].get_legend_handles_labels(), frameon=False, loc="outside right center")
    return figure
