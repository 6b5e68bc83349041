"""The register of measures, and of the constructors that make measures from measures."""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from metameasure._arguments import Choice, read_argument
from metameasure._text import shown
from metameasure.errors import ParameterError, UnknownMeasure, Wording
from metameasure.measurement.declaration import Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeVar

    from metameasure.measurement._measure import Measure
    from metameasure.measurement.declaration import Declaration

    Kind = TypeVar("Kind", bound=Measure)
    Maker = TypeVar("Maker", bound=Callable[..., Measure])

NAME = r"[^\W\d]\w*"
"""The form of names, in texts of measures."""
SEVERAL = ("default", "all")
"""The words for several measures, in place of their names."""
_measures: dict[str, Measure] = {}
_aliases: dict[str, str] = {}
kinds: dict[Subject, type[Measure]] = {}
"""The class of the measures of each subject."""
makers: dict[str, Callable[..., Measure]] = {}
"""Constructors by name; each takes measures, then keyword parameters."""
meanings: dict[str, str] = {}
"""Aliases of constructed measures, with the texts that they stand for."""


def kind(subject: Subject) -> Callable[[type[Kind]], type[Kind]]:
    """Register the class of the measures of a subject."""

    def register(measures: type[Kind]) -> type[Kind]:
        kinds[subject] = measures
        return measures

    return register


def measures(
    family: str | None = None, *, subject: Subject | Literal["all"] | None = None
) -> list[Measure]:
    """The measures of score tables, or those of one family, in the order of their declaration.

    ``subject="order"`` gives the measures of orders, "classes" those of k classes, "all" all.
    """
    read_argument("family", family, Choice(family_names()), optional=True)
    read_argument("subject", subject, Choice(("all", *get_args(Subject))), optional=True)
    wanted = subject or ("table" if family is None else "all")
    return [
        m
        for m in _measures.values()
        if family in {None, m.family} and wanted in {"all", m.declaration.subject}
    ]


def family_names() -> tuple[str, ...]:
    """The families of all measures, in alphabetical order."""
    return tuple(sorted({m.family for m in _measures.values()}))


def find(name: str) -> Measure:
    """The measure with this name, without parameters; ``parse`` also knows aliases."""
    if name in _measures:
        return _measures[name]
    near = _similar(name)
    listed = Wording("mm.measures()", "metameasure measures"), " lists all names"
    raise UnknownMeasure(
        f"there is no measure {shown([name])}",
        remedy="name the measures"
        if name in SEVERAL
        else f"did you mean {', '.join(near)}?"
        if near
        else listed,
        argument="measure",
    )


def _similar(name: str) -> list[str]:
    """Names that may be meant: the same in other case, those of a symbol, or the closest ones."""
    folded: dict[str, list[str]] = {}
    for known in (*names(), *makers):
        folded.setdefault(known.casefold(), []).append(known)
    meant = list(folded.get(name.casefold(), ()))
    for measure in _measures.values():
        declared = measure.declaration
        others = declared.symbol, *declared.similar_to
        if name.casefold() in map(str.casefold, others):
            meant.append(measure.name)
    closest = difflib.get_close_matches(name.casefold(), folded, n=3)
    return list(dict.fromkeys(meant)) or [known for one in closest for known in folded[one]]


def own_declarations() -> list[Declaration]:
    """The declarations of users' own measures."""
    return [m.declaration for m in _measures.values() if m.declaration.is_own]


def alias(name: str) -> str | None:
    """The text that an alias stands for; None if there is no such alias."""
    return _aliases.get(name) or meanings.get(name)


def names() -> list[str]:
    """Names of all measures and aliases."""
    return [*_measures, *_aliases, *meanings]


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


def constructor(aliases: Mapping[str, str] | None = None) -> Callable[[Maker], Maker]:
    """Register a function that makes a measure from measures, for use in texts."""

    def register(maker: Maker) -> Maker:
        makers[maker.__name__] = maker
        meanings.update(aliases or {})
        return maker

    return register


@dataclass(frozen=True)
class Term:
    """A measure with a weight: one half of a linear combination."""

    weight: float
    measure: Measure

    def __add__(self, other: object) -> Measure:
        if not isinstance(other, Term):
            return NotImplemented
        if not math.isclose(self.weight + other.weight, 1, abs_tol=1e-9):
            raise ParameterError(
                "the weights of a linear combination must sum to 1, got "
                f"{self.weight:g} and {other.weight:g}"
            )
        return makers["linear"](self.measure, other.measure, alpha=self.weight)
