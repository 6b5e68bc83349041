"""The declaration of a measure: its name, formula, properties and reference."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial, update_wrapper
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from fractions import Fraction

    from metameasure._arguments import Parameter
    from metameasure.measurement.certificates import Certificate
    from metameasure.measurement.null_distributions import NullDistribution
    from metameasure.measurement.partial import Partial
    from metameasure.measurement.sampling import ProbabilityMean, Sampling
    from metameasure.table import Point

A_CLASS_EMPTY = "a class is empty"
NO_POSITIVE = "there is no positive case"
NO_NEGATIVE = "there is no negative case"
NO_CASES = "which have no cases"
NONE_ABOVE = "no case lies above the cut"
NONE_BELOW = "no case lies below the cut"

_ENTRY = re.compile(r"@\w+\{(\w+),(.*)\}\s*$", re.MULTILINE)
_FIELD = re.compile(r"(\w+) = \{((?:[^{}]|\{[^{}]*\})*)\}")
_ACCENTS = {r"{\'a}": "á", r"{\"a}": "ä"}
_WHERE = ("journal", "booktitle", "school", "publisher", "note")
AT_AN_END = 2.0**-47
"""Largest relative distance of a weighted mean from an end of the range that is rounding."""

Baseline = float | Callable[[float], float]
Best = Literal["max", "min"] | float
Subject = Literal["table", "order", "classes", "probabilities"]
Invariance = Literal["monotone", "prevalence", "replication"]


@dataclass(frozen=True)
class LeavesOut:
    """The classes that a mean over classes leaves out.

    ``where`` gives, from what the measure is a function of, a mask of the classes; ``why`` says in
    words what is wrong with them, e.g. "which have no cases".
    """

    where: Callable[[Any], Any]
    why: str


@dataclass(frozen=True, eq=False, kw_only=True)
class Declaration:
    """The name, formula and properties of a measure, from which all pages and tests are derived.

    Attributes are the keyword arguments of ``measure``, which explains them, and:
        function: a function from the subject to a number: from a table (a Cut, if the measure has
            an operating point), a Ranking, ClassScores (with ``matrix`` their cuts), or
            TrueProbabilities.
        point: the operating point at which the measure is taken by default; None if it has none.
        parameters: the kind of each parameter of the function.
    """

    name: str
    function: Callable[..., Any]
    symbol: str
    family: str
    best: Best
    range: tuple[float, float]
    baseline: Baseline | None = None
    invariant_to: frozenset[Invariance] = frozenset()
    undefined: str | None = None
    formula: str = ""
    reference: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict)
    similar_to: tuple[str, ...] = ()
    unit_scores: bool = False
    point: Point | None = None
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    exclusive: tuple[tuple[str, str], ...] = ()
    sampling: Sampling | None = None
    partial: Partial | None = None
    subject: Subject = "table"
    for_classes: Callable[..., Any] | None = None
    sampling_of_classes: Sampling | None = None
    undefined_of_classes: str | None = None
    matrix: bool = False
    leaves_out: LeavesOut | None = None
    fewest_classes: Callable[..., int] | None = None
    stated: frozenset[str] = frozenset()
    for_probabilities: ProbabilityMean | None = None
    null: NullDistribution | None = None
    quantum: Callable[..., Any] | None = None
    right_pairs: bool = False
    ratio: Callable[..., Any] | None = None
    overall: Callable[[Any], Any] | None = None
    exact: Callable[..., Fraction | None] | None = None
    bounds: Certificate | None = None

    @property
    def is_own(self) -> bool:
        """Whether it is a user's own measure."""
        return not self.function.__module__.startswith("metameasure.")

    @cached_property
    def defaults(self) -> Mapping[str, Any]:
        """The parameters' default values, in their order."""
        signature = inspect.signature(self.function).parameters
        return {name: signature[name].default for name in self.parameters}

    @cached_property
    def of_classes(self) -> Declaration:
        """The declaration of the measure for scores of k classes."""
        function = self.for_classes or self.overall
        assert function is not None  # noqa: S101 - checked by Measure.of_classes
        return replace(
            self,
            function=function,
            subject="classes",
            matrix=self.for_classes is None,
            baseline=self.baseline if self.for_classes is not None else None,
            sampling=self.sampling_of_classes,
            point=None,
            undefined=self.undefined_of_classes,
            bounds=None,
        )

    @cached_property
    def of_probabilities(self) -> Declaration:
        """The declaration of the measure for true probabilities."""
        mean = self.for_probabilities
        assert mean is not None  # noqa: S101 - checked by Measure.of_probabilities
        # The parameters and the docstring are those of the function of a table.
        function = update_wrapper(partial(mean.value), self.function)
        return replace(
            self,
            function=function,
            subject="probabilities",
            baseline=None,
            undefined=None,
            sampling=mean,
            bounds=None,
        )

    @cached_property
    def inside(self) -> tuple[float, float]:
        """The range without the values that differ from one of its ends by rounding alone."""
        low, high = self.range
        return (
            low + AT_AN_END * abs(low) if math.isfinite(low) else low,
            high - AT_AN_END * abs(high) if math.isfinite(high) else high,
        )

    @property
    def takes_classes(self) -> bool:
        """Whether there is a function for k classes."""
        return self.subject == "classes" or (self.for_classes or self.overall) is not None

    @property
    def reference_keys(self) -> list[str]:
        """The keys of the references."""
        return [key for part in self.reference.split(",") if (key := part.strip())]

    @property
    def limits(self) -> str:
        """The range as text."""
        low, high = self.range
        left, right = ("[" if math.isfinite(low) else "("), ("]" if math.isfinite(high) else ")")
        return f"{left}{low:g}, {high:g}{right}".replace("inf", "∞")

    @property
    def summary(self) -> str:
        """The first paragraph of the docstring."""
        return (inspect.getdoc(self.function) or "").split("\n\n")[0].replace("\n", " ")

    @cached_property
    def docstring(self) -> str:
        """The text for ``help``, with the declared properties."""
        lines = [inspect.getdoc(self.function) or "", ""]
        lines.append(f"Better: {direction(self.best)}. Range: {self.limits}.")
        if self.undefined:
            lines.append(f"Undefined (NaN) when {self.undefined}.")
        if self.unit_scores:
            lines.append("Scores must lie in [0, 1].")
        if self.for_probabilities:
            lines.append("With soft=True, y_true are true probabilities instead of labels.")
        if self.point:
            lines.append(
                f"Taken at {self.point} by default; choose with threshold=, top=, k=, at_fpr=, "
                "at_tpr=, at_sensitivity= or at_specificity=."
            )
        lines += [f"Parameter {name}: {kind}." for name, kind in self.parameters.items()]
        if self.aliases:
            lines.append(f"Also called: {', '.join(self.aliases)}.")
        if self.formula:
            lines.append(f"Formula: {self.formula}")
        if self.reference:
            lines.append(f"Reference: {self.reference}.")
        return "\n".join(lines)


def arrow(best: Best) -> str:
    """The direction of better values, as an arrow."""
    if isinstance(best, str):
        return "↑" if best == "max" else "↓"
    return f"→{best:g}"


def direction(best: Best) -> str:
    """The direction of better values, in words."""
    if isinstance(best, str):
        return "larger" if best == "max" else "smaller"
    return f"closer to {best:g}"


@cache
def references() -> dict[str, str]:
    """The references by key, one line each."""
    text = files("metameasure").joinpath("references.bib").read_text(encoding="utf-8")
    for accent, letter in _ACCENTS.items():
        text = text.replace(accent, letter)
    return {key: _line(dict(_FIELD.findall(body))) for key, body in _ENTRY.findall(text)}


def _line(entry: dict[str, str]) -> str:
    authors = entry["author"].replace(" and ", "; ")
    where = next(entry[name] for name in _WHERE if name in entry)
    volume = f" {entry['volume']}" if "volume" in entry else ""
    pages = f", {entry['pages'].replace('--', '–')}" if "pages" in entry else ""
    return f"{authors} ({entry['year']}). {entry['title']}. {where}{volume}{pages}."
