"""The page of an evaluation: its values as tables, and what is to be said about them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from metameasure.evaluation.checks import check_lines
from metameasure.evaluation.matrix_page import MOST_SHOWN, SHOWN_OF_MANY
from metameasure.registry import arrow
from metameasure.rendering import UNDEFINED, Cell, Grid, Page, limits, number, some_names, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.evaluation.result import Evaluation, Row


def page(evaluation: Evaluation) -> Page:
    """Everything about an evaluation that a person reads."""
    return Page(grids(evaluation), notes(evaluation))


def grids(evaluation: Evaluation) -> list[Grid]:
    """One grid a group, or all classes in one grid."""
    groups = dict.fromkeys(row.group for row in evaluation.rows)
    if evaluation.several_classes:
        of_all = _group_grid(evaluation, None)
        return [of_all] if len(groups) == 1 else [of_all, _grid_of_classes(evaluation)]
    return [_group_grid(evaluation, group) for group in groups]


def _group_grid(evaluation: Evaluation, group: str | None) -> Grid:
    """Measures go down and models across, or the other way if those are many."""
    rows = [row for row in evaluation.rows if row.group == group]
    models = list(dict.fromkeys(row.model for row in rows))
    measures = list(dict.fromkeys(row.measure for row in rows))
    by_key = {(row.model, row.measure): row for row in rows}
    cells = {
        (model, measure): _cell(by_key.get((model, measure)), best)
        for measure in measures
        for best in [_best([by_key.get((model, measure)) for model in models])]
        for model in models
    }
    named = {measure: f"{measure} {arrow(measure.best)}" for measure in measures}
    if len(models) <= max(8, len(measures)):
        header = ["measure", *map(visible, models)]
        body = [(named[e], [cells[m, e] for m in models]) for e in measures]
    else:
        header = ["model", *named.values()]
        body = [(visible(m), [cells[m, e] for e in measures]) for m in models]
    caption = _caption(rows[0], evaluation.ci)
    return Grid(header, body, caption, _title(evaluation, group))


def _grid_of_classes(evaluation: Evaluation) -> Grid:
    """Classes go down, those with the worst values if they are many, and models across."""
    rows: dict[str, list[Row]] = {}
    for row in evaluation.rows:
        if row.group is not None:
            rows.setdefault(row.group, []).append(row)
    measure = next(iter(rows.values()))[0].measure
    models = [row.model for row in next(iter(rows.values()))]
    shown = list(rows)
    caption = ""
    if len(rows) > MOST_SHOWN:
        worst = sorted(rows, key=lambda name: _goodness(rows[name][0]))
        shown = sorted(worst[:SHOWN_OF_MANY], key=shown.index)
        caption = f"shown are the {len(shown)} of {len(rows)} classes with the worst values"
        caption += f" of {visible(models[0])}" if len(models) > 1 else ""
    body = []
    for name in shown:
        best = _best(rows[name])
        cells = [Cell(str(rows[name][0].n_pos)), *(_cell(row, best) for row in rows[name])]
        body.append((visible(name.removeprefix("class ")), cells))
    title = f"{measure} {arrow(measure.best)} of each class against the rest"
    return Grid(["class", "cases", *map(visible, models)], body, caption, title)


def _goodness(row: Row) -> float:
    """How good a value is; one that is undefined is not bad."""
    return math.inf if row.undefined else float(row.measure.goodness(row.value))


def _cell(row: Row | None, best: set[str]) -> Cell:
    if row is None:
        return Cell("")
    return Cell(number(row.value), limits(row.low, row.high), row.model in best)


def _best(rows: Sequence[Row | None]) -> set[str]:
    """The models with the best value to the digits shown; none if there is only one model."""
    found = [row for row in rows if row is not None]
    known = {row.model: row.value for row in found if not row.undefined}
    if len(found) < 2 or not known:
        return set()
    top = max(known.values(), key=found[0].measure.goodness)
    return {model for model, value in known.items() if number(value) == number(top)}


def _title(evaluation: Evaluation, group: str | None) -> str | None:
    if group is not None:
        return f"group {visible(group)}"
    if all(row.group is None for row in evaluation.rows):
        return None
    return "all classes" if evaluation.several_classes else "all cases"


def _caption(row: Row, ci: float | None) -> str:
    dropped = f", {row.dropped} left out for missing values" if row.dropped else ""
    intervals = f"; with {100 * ci:g} % intervals" if ci else ""
    positive = "" if row.n_pos is None else f", {row.n_pos} positive"
    return f"{row.n} cases{positive}{dropped}{intervals}"


def notes(evaluation: Evaluation) -> list[str]:
    """What stands below the tables: what was left out, what is undefined, and the checks."""
    left: dict[tuple[str, str], list[str]] = {}
    for item in evaluation.left_out:
        left.setdefault((item.model, item.reason), []).append(item.measure)
    lines = [
        f"left out for {visible(model)}, since {reason}: {', '.join(measures)}"
        for (model, reason), measures in left.items()
    ]
    undefined: dict[str, list[str]] = {}
    for row in evaluation.undefined:
        where = visible(row.model) + (f" in {visible(row.group)}" if row.group else "")
        why = f"{row.measure} is undefined ({UNDEFINED}) when {row.measure.undefined_when}"
        undefined.setdefault(why, []).append(where)
    lines += [f"{why}: {some_names(where, MOST_SHOWN)}" for why, where in undefined.items()]
    return lines + check_lines(evaluation.checks)
