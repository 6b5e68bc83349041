"""The declaration of a measure: its name, formula and properties."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from fractions import Fraction

    from metameasure._arguments import Parameter
    from metameasure.measurement.sampling import Sampling
    from metameasure.table import Point

A_CLASS_EMPTY = "a class is empty"
NO_POSITIVE = "there is no positive case"
NO_NEGATIVE = "there is no negative case"
NONE_ABOVE = "no case lies above the cut"
NONE_BELOW = "no case lies below the cut"

Baseline = float | Callable[[float], float]
Best = Literal["max", "min"] | float
Subject = Literal["table", "order", "classes"]
Invariance = Literal["monotone", "prevalence", "replication"]
NullDistribution = Literal["mann_whitney", "kolmogorov_smirnov"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Declaration:
    """The name, formula and properties of a measure, from which all pages and tests are derived.

    Attributes:
        function: a function from the subject to a number: from a table (a Cut, if the measure has
            an operating point), a Ranking, or ClassScores.
        subject: a score table, a true and a predicted order, or scores for k classes.
        for_classes: the same measure of scores for k classes, if there is one.
        best: whether larger or smaller values are better, or the value that is best.
        point: the operating point at which the measure is taken by default; None if it has none.
        baseline: the value when every case gets the prevalence as its score, or a function of the
            prevalence; None where that is not informative.
        invariant_to: changes of the data that do not change the value: a strictly increasing
            transformation of the scores, another prevalence, repetition of all cases.
        unit_scores: whether scores must lie in [0, 1].
        undefined: when the value is undefined, in words; None if never.
        exclusive: pairs of parameters of which only one may be given.
        sampling: the kind of statistic, for its confidence interval; None for any other function.
        null: the known distribution of its value when labels are random, if there is one: that of
            Mann and Whitney's U, or of Kolmogorov and Smirnov's distance.
        quantum: a function of P, N and the parameters; every value is an integer multiple of its
            result if rows and cuts have integer weights; for orders, a function of the length.
        right_pairs: whether, without ties, it depends only on the number of pairs of a positive and
            a negative in the right order.
        ratio: from N / P and the parameters, the coefficients of TPR, FPR and 1 in the numerator
            and in the denominator, where it is a ratio of two such linear functions.
        overall: the value for a whole matrix of k classes, from the cuts of all classes.
        exact: the value as a fraction, from the steps of the hull and the parameters, for values
            that differ by less than the resolution of floats.
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
    unit_scores: bool = False
    point: Point | None = None
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    exclusive: tuple[tuple[str, str], ...] = ()
    sampling: Sampling | None = None
    subject: Subject = "table"
    for_classes: Callable[..., Any] | None = None
    null: NullDistribution | None = None
    quantum: Callable[..., Any] | None = None
    right_pairs: bool = False
    ratio: Callable[..., Any] | None = None
    overall: Callable[[Any], Any] | None = None
    exact: Callable[..., Fraction | None] | None = None

    @cached_property
    def defaults(self) -> Mapping[str, Any]:
        """The parameters' default values, in their order."""
        signature = inspect.signature(self.function).parameters
        return {name: signature[name].default for name in self.parameters}

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
        if self.point:
            lines.append(
                f"Taken at {self.point} by default; choose with threshold=, top=, k=, at_fpr= "
                "or at_tpr=."
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
