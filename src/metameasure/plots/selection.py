"""How well measures choose among models, as a picture: the better the more cases there are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

from metameasure._arguments import Choice, read_argument
from metameasure.errors import DataError
from metameasure.lab import Selection, Selections, selection_of
from metameasure.plots._drawing.choice_display import ChoicesDisplay
from metameasure.plots._drawing.study_display import Course, Field

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.data import Models
    from metameasure.plots._drawing.study_display import Highlight

Ability = Literal["msa", "hit_rate", "regret"]
Points = dict[str, list[tuple[float, ...]]]
"""Level, value and error bar of each measure."""


class SelectionDisplay(ChoicesDisplay):
    """How well measures choose by validation sets of several sizes, ± one standard error.

    Of the result of ``lab.selection_over_datasets`` it shows the success rates: on which share of
    the data sets the ability of a measure comes how near to the largest.

    Args:
        selections: results of ``lab.selection`` that differ in the size of the validation sets, one
            or several; or that of ``lab.selection_over_datasets``.
        ability: "msa" for the share of the pairs of models that are ordered as the goal does,
            "hit_rate" for how often the best model is picked, "regret" for what is lost.
        highlight: which measures are told apart; the best seven by default.
    """

    def __init__(
        self,
        selections: Selection | Iterable[Selection] | Mapping[Any, Selection] | Selections,
        *,
        ability: Ability = "msa",
        highlight: Highlight | None = None,
    ) -> None:
        shown: str = read_argument("ability", ability, Choice(get_args(Ability)))
        if isinstance(selections, Selections):
            points, field = _successes(selections), _field_of_successes(selections)
        else:
            found = _alike(selections)
            points, field = _abilities(found, shown), _field(found[0], shown)
        super().__init__({m: Course.of(some) for m, some in points.items()}, field, highlight)

    @classmethod
    def _studied(cls, models: Models, sizes: Sequence[int], **study: Any) -> Any:
        return [selection_of(models, validation_size=size, **study) for size in sizes]


def _successes(found: Selections) -> Points:
    """The success rate of each measure, by the percentage that may be lacking."""
    points: Points = {}
    for row in found.success:
        point = 100 * row.tolerance, row.rate, math.nan, math.nan
        points.setdefault(row.measure, []).append(point)
    return points


def _field_of_successes(found: Selections) -> Field:
    return Field(
        level="how much of the largest ability may be lacking, in %",
        value=f"share of {len(found.datasets)} data sets",
        best="max",
    )


def _abilities(found: Sequence[Selection], ability: str) -> Points:
    """The ability of each measure, by the size of the validation sets."""
    points: Points = {}
    most = math.inf if ability == "regret" else 1.0
    for one in found:
        for row in one.rows:
            value, error = (getattr(row, name) for name in (ability, f"{ability}_se"))
            # One standard error to both sides, as far as there can be such values.
            limits = max(value - error, 0.0), min(value + error, most)
            points.setdefault(row.measure, []).append((one.meta["size"], value, *limits))
    return points


def _alike(selections: Any) -> Sequence[Selection]:
    """Selections that differ in nothing but the size of the validation sets."""
    if isinstance(selections, Mapping):
        selections = selections.values()
    found = [selections] if isinstance(selections, Selection) else list(selections)
    if not found or not all(isinstance(one, Selection) for one in found):
        raise DataError("give results of lab.selection, one for each size of validation sets")
    for what, of in {
        "goal": lambda one: str(one.goal),
        "number of models": lambda one: one.meta["models"],
        "number of cases": lambda one: one.meta["n"],
        "choice of what the goal is taken on": lambda one: one.meta["judged_on"],
    }.items():
        values = dict.fromkeys(map(of, found))
        if len(values) > 1:
            some = ", ".join(map(str, values))
            raise DataError(f"the selections have not the same {what} ({some}): draw them apart")
    sizes = [one.meta["size"] for one in found]
    if len(set(sizes)) < len(sizes):
        raise DataError(f"several selections have validation sets of the same size: {sizes}")
    return found


def _field(found: Selection, ability: str) -> Field:
    words = {
        "msa": "share of model pairs in right order",
        "hit_rate": "share of choices that are the best",
        "regret": f"{found.goal} lost by the choice",
    }
    chance = {"msa": 0.5, "hit_rate": 1 / found.meta["models"]}
    return Field(
        level="cases in a validation set",
        value=words[ability],
        best="min" if ability == "regret" else "max",
        chance=chance.get(ability),
        floor=0.0 if ability == "regret" else None,
        log=True,
        note=f"the goal is {found.goal}; bars: ± one standard error",
    )
