"""The decorator that declares a measure."""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

from metameasure.errors import ParameterError
from metameasure.measurement import constructors, registry
from metameasure.measurement._measure import ClassMeasure, Measure, OrderMeasure
from metameasure.measurement.declaration import Declaration, Subject
from metameasure.table import Point

if TYPE_CHECKING:
    from fractions import Fraction

    from metameasure._arguments import Parameter
    from metameasure.measurement.declaration import Baseline, Best, Invariance, NullDistribution
    from metameasure.measurement.sampling import Sampling

_KINDS: dict[Subject, type[Measure]] = {
    "table": Measure,
    "order": OrderMeasure,
    "classes": ClassMeasure,
}


class Properties(TypedDict, total=False):
    """The properties of a measure that ``measure`` takes; ``Declaration`` explains them."""

    symbol: str
    aliases: Iterable[str] | Mapping[str, str]
    family: str
    best: Best
    range: tuple[float, float]
    baseline: Baseline | None
    invariant_to: Iterable[Invariance]
    undefined: str | None
    formula: str
    reference: str
    unit_scores: bool
    at: float | str | None
    parameters: Mapping[str, Parameter]
    exclusive: Iterable[tuple[str, str]]
    sampling: Sampling | None
    subject: Subject
    for_classes: Callable[..., Any] | None
    null: NullDistribution | None
    quantum: Callable[..., Any] | None
    right_pairs: bool
    ratio: Callable[..., Any] | None
    overall: Callable[[Any], Any] | None
    exact: Callable[..., Fraction | None] | None


@overload
def measure(function: Callable[..., Any], /) -> Measure: ...


@overload
def measure(
    **properties: Unpack[Properties],
) -> Callable[[Callable[..., Any]], Measure]: ...


def measure(
    function: Callable[..., Any] | None = None, /, **properties: Unpack[Properties]
) -> Measure | Callable[[Callable[..., Any]], Measure]:
    """Declare a measure: it is then known by name everywhere, like those of the library.

    The function gets a ScoreTable, or with ``at=`` the confusion matrix (a Cut) at that operating
    point, which the caller may change. It must work along the last axis, so that it takes blocks.

    Keyword arguments, all optional:
        symbol, formula, reference, family: what pages show; the family is "own" by default.
        aliases: other names, or a mapping from names to the texts that they stand for.
        best: "max" (the default), "min", or the value that is best.
        range: the smallest and the largest value.
        baseline: the value when every case gets the prevalence as its score, or a function of the
            prevalence.
        invariant_to: any of "monotone", "prevalence" and "replication".
        undefined: when the value is NaN, in words.
        unit_scores: whether scores must lie in [0, 1].
        at: the default operating point, such as 0.5 or "top=10%".
        parameters: the kind of each parameter: ``mm.Real``, ``mm.Whole``, ``mm.Range``,
            ``mm.Choice`` or ``mm.Flag``.
        exclusive: pairs of parameters of which only one may be given.
        sampling: the kind of statistic: ``mm.PairMean``, ``mm.CaseMean``, ``mm.Share``,
            ``mm.Extreme`` or ``mm.NoInterval``; without it, intervals come from resampling.
        subject: "order" if the function gets a Ranking, "classes" if it gets ClassScores.
        for_classes: a function of ClassScores, beside the one of tables.
        null: the known distribution of the value where both classes have the same scores.
        quantum: a function of P and N; every value for whole cases is a multiple of its result, so
            that ``mm.lab`` can compare values exactly.
        right_pairs: whether, without ties, only the number of pairs in the right order counts.
        ratio: a function of N / P that gives the coefficients of TPR, FPR and 1 in numerator and
            denominator, so that isometrics are straight lines.
        overall: a function of the cuts of k classes, for the whole confusion matrix.
        exact: the value as a fraction, from the steps of the ROC convex hull.

    >>> import metameasure as mm
    >>> @mm.measure(at=0.5, best="max", range=(0, 1), undefined="no case is predicted positive")
    ... def net_precision(cut):
    ...     '''The fraction of the predicted positives that are positive.'''
    ...     return cut.tp / (cut.tp + cut.fp)
    >>> net_precision([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    0.6666666666666666
    >>> mm.parse("net_precision@top=25%")([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    1.0
    """

    def register(function: Callable[..., Any]) -> Measure:
        declared = _declared(function, **properties)
        _check_free(declared)
        _check_parameters(declared)
        return registry.enter(_KINDS[declared.subject](declared))

    return register if function is None else register(function)


def adopt(declarations: Iterable[Declaration], home: int) -> None:
    """Register measures that were declared in the process ``home``, unless this is that process.

    Workers outlive a study, so they may know an earlier measure with the same name.
    """
    if os.getpid() != home:
        for declared in declarations:
            registry.enter(_KINDS[declared.subject](declared))


def _declared(function: Callable[..., Any], **properties: Any) -> Declaration:
    name = function.__name__
    aliases, at = properties.pop("aliases", ()), properties.pop("at", None)
    defaults = {"symbol": name, "family": "own", "best": "max", "range": (-math.inf, math.inf)}
    return Declaration(
        name=name,
        function=function,
        aliases=aliases if isinstance(aliases, Mapping) else dict.fromkeys(aliases, name),
        point=None if at is None else Point.read(str(at)),
        invariant_to=frozenset(properties.pop("invariant_to", ())),
        exclusive=tuple(properties.pop("exclusive", ())),
        **defaults | properties,
    )


def _check_free(declared: Declaration) -> None:
    """A name is declared once; a module may declare it again, as on a reload."""
    module = declared.function.__module__
    for name in (declared.name, *declared.aliases):
        owner = registry.owner(name)
        if name in {*constructors.makers, *constructors.meanings} or (
            owner and (owner.name != declared.name or owner.function.__module__ != module)
        ):
            where = f" by {owner.name} in {owner.function.__module__}" if owner else ""
            raise ParameterError(
                f"the name {name} is already taken{where}", remedy="choose another name"
            )


def _check_parameters(declared: Declaration) -> None:
    """Every parameter of the function has a default and a declared kind."""
    _, *rest = inspect.signature(declared.function).parameters.values()
    for parameter in rest:
        if parameter.default is inspect.Parameter.empty:
            raise ParameterError(
                f"{declared.name}: the parameter {parameter.name} has no default",
                remedy="every parameter of a measure needs one",
            )
        if parameter.name not in declared.parameters:
            raise ParameterError(
                f"{declared.name}: the parameter {parameter.name} has no kind",
                remedy=f"declare one, as in parameters={{'{parameter.name}': mm.Real(0, 1)}}",
            )
