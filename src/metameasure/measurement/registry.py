"""The register of measures: names, aliases and families."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Literal, get_args

from metameasure._arguments import Choice, read_argument
from metameasure.errors import UnknownMeasure
from metameasure.measurement import constructors
from metameasure.measurement.declaration import Subject

if TYPE_CHECKING:
    from metameasure.measurement._measure import Measure
    from metameasure.measurement.declaration import Declaration

_measures: dict[str, Measure] = {}
_aliases: dict[str, str] = {}


def measures(
    family: str | None = None, *, subject: Subject | Literal["all"] | None = None
) -> list[Measure]:
    """The measures of score tables, or those of one family, in the order of their declaration.

    ``subject="order"`` gives the measures of orders, "classes" those of k classes, "all" all.
    """
    families = sorted({m.family for m in _measures.values()})
    if family is not None and family not in families:
        raise UnknownMeasure(
            f"there is no family {family!r}", remedy=f"use one of {', '.join(families)}"
        )
    read_argument("subject", subject, Choice(("all", *get_args(Subject))), optional=True)
    wanted = subject or ("table" if family is None else "all")
    return [
        m
        for m in _measures.values()
        if family in {None, m.family} and wanted in {"all", m.declaration.subject}
    ]


def find(name: str) -> Measure:
    """The measure with this name, without parameters; ``parse`` also knows aliases."""
    if name in _measures:
        return _measures[name]
    known = [*names(), *constructors.makers]
    near = difflib.get_close_matches(name, known, n=3)
    hint = (
        f"did you mean {', '.join(near)}?"
        if near
        else "mm.measures() and 'metameasure measures' list all names"
    )
    raise UnknownMeasure(f"there is no measure {name!r}", remedy=hint)


def own_declarations() -> list[Declaration]:
    """The declarations of users' own measures."""
    return [
        m.declaration for m in _measures.values() if not m.__module__.startswith("metameasure.")
    ]


def alias(name: str) -> str | None:
    """The text that an alias stands for; None if there is no such alias."""
    return _aliases.get(name) or constructors.meanings.get(name)


def names() -> list[str]:
    """Names of all measures and aliases."""
    return [*_measures, *_aliases, *constructors.meanings]


def enter(measure: Measure) -> Measure:
    """Register a measure, in place of an earlier one with its name."""
    if measure.name in _measures:
        for name in _measures[measure.name].declaration.aliases:
            _aliases.pop(name, None)
    _measures[measure.name] = measure
    _aliases.update(measure.declaration.aliases)
    return measure


def owner(name: str) -> Declaration | None:
    """The declaration of the measure that has this name or alias."""
    known = (m.declaration for m in _measures.values())
    return next((d for d in known if name == d.name or name in d.aliases), None)
