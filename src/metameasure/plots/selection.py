"""Model choice by measures: ability against the size of the validation sets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

from metameasure._arguments import Choice, read_argument
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.lab import Selection, SelectionAbility, Selections, selection
from metameasure.plots._drawing.study_display import ChoicesDisplay, Course, Field

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.data import Models
    from metameasure.plots._drawing.study_display import Highlight

Ability = Literal["msa", "hit_rate", "regret"]
Points = dict[str, list[tuple[float, ...]]]
"""Level, value and error bar per measure."""


class SelectionDisplay(ChoicesDisplay):
    """The ability of measures to choose models by validation sets, ± one standard error.

    For the results of ``lab.selection_over_datasets`` and ``lab.selection_ability`` it shows
    success rates: the fraction of data sets on which the ability of a measure is within a tolerance
    of the largest (Huang, 2006, Fig. 5.1).

    Args:
        selections: one or several results of ``lab.selection`` that differ in the size of the
            validation sets; or the result of ``lab.selection_over_datasets`` or
            ``lab.selection_ability`` over data sets.
        ability: "msa" for the fraction of model pairs in the order of the goal, "hit_rate" for the
            fraction of choices of the best model, "regret" for the loss in the goal.
        highlight: the measures with colors and names; by default the best seven.
        goal: the goal, if ``lab.selection_ability`` had several.
    """

    def __init__(
        self,
        selections: (
            Selection
            | Iterable[Selection]
            | Mapping[Any, Selection]
            | Selections
            | SelectionAbility
        ),
        *,
        ability: Ability = "msa",
        highlight: Highlight | None = None,
        goal: str | None = None,
    ) -> None:
        shown: str = read_argument("ability", ability, Choice(get_args(Ability)))
        if isinstance(selections, SelectionAbility):
            rows = _for_goal(selections, goal)
            points = _successes(rows)
            field = _field_of_successes(selections.meta["datasets"], f"goal: {rows[0].goal}")
        elif isinstance(selections, Selections):
            points = _successes(selections.success)
            field = _field_of_successes(selections.datasets)
        else:
            found = _alike(selections)
            points, field = _abilities(found, shown), _field(found[0], shown)
        super().__init__({m: Course.of(some) for m, some in points.items()}, field, highlight)

    @classmethod
    def _studied(cls, models: Models, sizes: Sequence[int], **study: Any) -> Any:
        return [selection(models, validation_size=size, **study) for size in sizes]


def _for_goal(found: SelectionAbility, goal: str | None) -> list[Any]:
    """The success rates for one goal."""
    goals = list(dict.fromkeys(row.goal for row in found.success))
    if not goals:
        raise DataError("there is nothing to draw: success rates need several data sets")
    if (goal is None and len(goals) > 1) or (goal is not None and goal not in goals):
        raise ParameterError((Argument("goal"), f" must be one of {', '.join(goals)}, got {goal}"))
    return [row for row in found.success if goal is None or row.goal == goal]


def _successes(rows: Iterable[Any]) -> Points:
    """The success rate of each measure by tolerance in percent."""
    points: Points = {}
    for row in rows:
        point = 100 * row.tolerance, row.rate, math.nan, math.nan
        points.setdefault(row.measure, []).append(point)
    return points


def _field_of_successes(datasets: Sequence[str], note: str = "") -> Field:
    return Field(
        level="tolerance below the largest ability (%)",
        value=f"fraction of {len(datasets)} data sets",
        best="max",
        note=note,
    )


def _abilities(found: Sequence[Selection], ability: str) -> Points:
    """The ability of each measure by the size of the validation sets."""
    points: Points = {}
    most = math.inf if ability == "regret" else 1.0
    for one in found:
        for row in one.rows:
            value, error = (getattr(row, name) for name in (ability, f"{ability}_se"))
            # One standard error to both sides, within the range of the ability.
            limits = max(value - error, 0.0), min(value + error, most)
            points.setdefault(row.measure, []).append((one.meta["size"], value, *limits))
    return points


def _alike(selections: Any) -> Sequence[Selection]:
    """Selections that differ only in the size of the validation sets."""
    if isinstance(selections, Mapping):
        selections = selections.values()
    single = isinstance(selections, Selection) or not isinstance(selections, Iterable)
    found = [selections] if single else list(selections)
    if not found or not all(isinstance(one, Selection) for one in found):
        raise DataError(
            "selections must be results of lab.selection, one per size of validation sets"
        )
    for what, of in {
        "goal": lambda one: str(one.goal),
        "number of models": lambda one: one.meta["models"],
        "number of cases": lambda one: one.meta["n"],
        "cases of the goal": lambda one: one.meta["judged_on"],
    }.items():
        values = dict.fromkeys(map(of, found))
        if len(values) > 1:
            some = ", ".join(map(str, values))
            raise DataError(
                f"the selections differ in the {what}: {some}", remedy="draw them separately"
            )
    sizes = [one.meta["size"] for one in found]
    if len(set(sizes)) < len(sizes):
        raise DataError(f"the sizes of the validation sets must differ, got {sizes}")
    return found


def _field(found: Selection, ability: str) -> Field:
    words = {
        "msa": "fraction of model pairs in the right order",
        "hit_rate": "fraction of choices of the best model",
        "regret": f"regret in {found.goal}",
    }
    chance = {"msa": 0.5, "hit_rate": 1 / found.meta["models"]}
    return Field(
        level="cases per validation set",
        value=words[ability],
        best="min" if ability == "regret" else "max",
        chance=chance.get(ability),
        floor=0.0 if ability == "regret" else None,
        log=True,
        note=f"goal: {found.goal}; bars: ± one standard error",
    )
