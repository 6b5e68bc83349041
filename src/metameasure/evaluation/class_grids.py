"""The tables of an evaluation of several classes: one line per class."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from metameasure.evaluation.value_cells import best_models, value_cell
from metameasure.measurement import arrow
from metameasure.results import MOST_SHOWN, SHOWN_OF_MANY, Cell, Grid, class_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.evaluation.evaluation_result import Row
    from metameasure.measurement import Measure

SELECTING = "f_measure"
"""The measure by which the worst of many classes are selected, if it is there."""


def class_grids(rows: Sequence[Row]) -> list[Grid]:
    """One table per model, with one line per class and one column per measure."""
    models = list(dict.fromkeys(row.model for row in rows))
    best = {
        (label, measure): best_models([row for row in rows if _key(row) == (label, measure)])
        for label, measure in dict.fromkeys(map(_key, rows))
    } if len(models) > 1 else {}  # fmt: skip
    return [
        _grid([row for row in rows if row.model == model], best, model if len(models) > 1 else None)
        for model in models
    ]


def _key(row: Row) -> tuple[str | None, Measure]:
    return row.label, row.measure


def _grid(
    rows: Sequence[Row], best: dict[tuple[str | None, Measure], set[str]], model: str | None
) -> Grid:
    """The table of one model, which has a name if there are others."""
    classes: dict[str, dict[Measure, Row]] = {}
    for row in rows:
        classes.setdefault(str(row.label), {})[row.measure] = row
    measures = list(dict.fromkeys(row.measure for row in rows))
    shown, caption = list(classes), ""
    if len(classes) > MOST_SHOWN:
        by = next((m for m in measures if m.name == SELECTING), measures[0])
        worst = sorted(classes, key=lambda name: _goodness(classes[name].get(by)))
        shown = sorted(worst[:SHOWN_OF_MANY], key=shown.index)
        caption = f"the {len(shown)} of {len(classes)} classes with the worst {by}"
    body = []
    for name in shown:
        found = classes[name]
        cells = [value_cell(found.get(m), best.get((name, m), set())) for m in measures]
        body.append((class_name(name), [Cell(str(next(iter(found.values())).n_pos)), *cells]))
    title = "each class against the rest" if model is None else f"{model}, each class"
    header = ["class", "cases", *(f"{m.stated} {arrow(m.best)}" for m in measures)]
    return Grid(header, body, caption, title, "best value per class and measure")


def _goodness(row: Row | None) -> float:
    """How good a value is; an undefined one counts as best."""
    return math.inf if row is None or row.undefined else float(row.measure.goodness(row.value))
