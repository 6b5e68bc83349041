"""Measures of blocks of score tables: which ones apply, and what they consist of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from metameasure._text import shown
from metameasure.errors import Argument, ParameterError
from metameasure.measurement import Combined, MeanOver, Measure, parse_list

if TYPE_CHECKING:
    from collections.abc import Sequence

SUBJECTS = {"order": "true and predicted orders", "classes": "more than two classes"}


def read_table_measures(
    measures: str | Measure | Iterable[str | Measure], where: str
) -> list[Measure]:
    """One or several measures of the labels and scores of two classes."""
    chosen = [measures] if isinstance(measures, Measure) else parse_list(measures)
    for measure in chosen:
        check_takes_tables(measure, where)
    return chosen


def check_takes_tables(measure: Measure, where: str) -> None:
    """Refuse a measure of anything but the labels and scores of two classes."""
    subject = measure.declaration.subject
    if isinstance(measure, MeanOver) or subject != "table":
        kind = SUBJECTS.get(subject, "groups of cases")
        raise ParameterError(f"{measure} is a measure of {kind}; it does not apply to {where}")


def read_drawing(name: str, given: Any, example: str) -> list[Any]:
    """One or several objects that draw data."""
    found = list(given) if isinstance(given, Iterable) else [given]
    remedy = f"use e.g. {example}"
    if not found:
        raise ParameterError((Argument(name), " is empty"), remedy=remedy)
    for one in found:
        if not callable(getattr(one, "draw", None)):
            raise ParameterError(
                (Argument(name), f" must have a method draw, got {shown([one])}"), remedy=remedy
            )
    return found


def drawing_name(drawing: object) -> str:
    """The text of an object that draws data, or the name of its class in words if it has none.

    >>> class CoinTosses: ...
    >>> drawing_name(CoinTosses())
    'coin tosses'
    """
    if type(drawing).__str__ is not object.__str__:
        return str(drawing)
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", type(drawing).__name__).lower()


def base_measures(measures: Sequence[Measure]) -> list[Measure]:
    """The measures that combined measures consist of, each once."""
    found: dict[Measure, None] = {}
    for measure in measures:
        parts = base_measures(measure.parts) if isinstance(measure, Combined) else [measure]
        found |= dict.fromkeys(parts)
    return list(found)
