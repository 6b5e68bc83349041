"""The page of an evaluation: its values as tables, and what is to be said about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metameasure.evaluation.checks import check_lines
from metameasure.evaluation.rendering import (
    UNDEFINED,
    Cell,
    Grid,
    Page,
    arrow,
    limits,
    number,
    visible,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from metameasure.evaluation.result import Evaluation, Row
    from metameasure.registry import Measure


def page(evaluation: Evaluation) -> Page:
    """Everything about an evaluation that a person reads."""
    return Page(grids(evaluation), notes(evaluation))


def grids(evaluation: Evaluation) -> list[Grid]:
    """One grid a group; measures go down and models across, or the other way if those are many."""
    made = []
    for group in dict.fromkeys(row.group for row in evaluation.rows):
        rows = [row for row in evaluation.rows if row.group == group]
        models = list(dict.fromkeys(row.model for row in rows))
        measures = list(dict.fromkeys(row.measure for row in rows))
        by_key = {(row.model, row.measure): row for row in rows}
        cells = {
            (model, measure): _cell(by_key.get((model, measure)), best)
            for measure in measures
            for best in [_best(by_key, models, measure)]
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
        made.append(Grid(header, body, caption, _title(evaluation, group)))
    return made


def _cell(row: Row | None, best: set[str]) -> Cell:
    if row is None:
        return Cell("")
    return Cell(number(row.value), limits(row.low, row.high), row.model in best)


def _best(
    rows: dict[tuple[str, Measure], Row], models: Iterable[str], measure: Measure
) -> set[str]:
    """The models with the best value to the digits shown; none if there is only one model."""
    found = [rows[model, measure] for model in models if (model, measure) in rows]
    known = {row.model: row.value for row in found if not row.undefined}
    if len(found) < 2 or not known:
        return set()
    if isinstance(measure.best, str):
        top = max(known.values()) if measure.best == "max" else min(known.values())
    else:
        top = min(known.values(), key=lambda value: abs(value - float(measure.best)))
    return {model for model, value in known.items() if number(value) == number(top)}


def _title(evaluation: Evaluation, group: str | None) -> str | None:
    if group is not None:
        one_class = all(row.n_pos is None for row in evaluation.rows if row.group is None)
        return visible(group) if one_class else f"group {visible(group)}"
    return "all cases" if any(row.group is not None for row in evaluation.rows) else None


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
    lines += [f"{why}: {', '.join(where)}" for why, where in undefined.items()]
    return lines + check_lines(evaluation.checks)
