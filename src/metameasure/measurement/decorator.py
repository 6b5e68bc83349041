"""The decorator that declares a measure."""

from __future__ import annotations

import inspect
import keyword
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, get_args, overload

from metameasure._arguments import Choice, Flag, Instance, Range, Real, read_argument, read_several
from metameasure._text import clipped, shown
from metameasure.errors import Argument, ParameterError
from metameasure.measurement import registry, subjects  # noqa: F401 - all kinds are registered
from metameasure.measurement.declaration import Declaration, Invariance, LeavesOut, Subject
from metameasure.measurement.null_distributions import NullDistribution
from metameasure.measurement.parsing import parse_with
from metameasure.measurement.partial import Partial
from metameasure.measurement.sampling import ProbabilityMean, Sampling
from metameasure.table import Point

if TYPE_CHECKING:
    from fractions import Fraction

    from metameasure._arguments import Parameter
    from metameasure.measurement._measure import Measure
    from metameasure.measurement.certificates import Certificate
    from metameasure.measurement.declaration import Baseline, Best


class Properties(TypedDict, total=False):
    """The properties of a measure that ``measure`` takes; ``Declaration`` explains them."""

    symbol: str
    aliases: Iterable[str] | Mapping[str, str]
    similar_to: Iterable[str]
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
    partial: Partial | None
    subject: Subject
    for_classes: Callable[..., Any] | None
    sampling_of_classes: Sampling | None
    undefined_of_classes: str | None
    matrix: bool
    leaves_out: LeavesOut | None
    fewest_classes: Callable[..., int] | None
    stated: Iterable[str]
    for_probabilities: ProbabilityMean | None
    null: NullDistribution | None
    quantum: Callable[..., Any] | None
    right_pairs: bool
    ratio: Callable[..., Any] | None
    overall: Callable[[Any], Any] | None
    exact: Callable[..., Fraction | None] | None
    bounds: Certificate | None


_NAME = re.compile(registry.NAME)
_LETTERS = "letters, digits and _"
_VALUES = frozenset(("true", "false", "none", "inf", "infinity", "nan", "na", "null"))
"""Words that texts of measures or readers of tables, in any case, take as values."""
_ALL_NUMBERS = -math.inf, math.inf
_TEXT, _FUNCTION = Instance((str,), "text"), Instance((Callable,), "a function")
_KINDS: dict[str, Parameter] = {
    **dict.fromkeys(("symbol", "family", "formula", "reference"), _TEXT),
    **dict.fromkeys(("undefined", "undefined_of_classes"), _TEXT),
    **dict.fromkeys(("for_classes", "quantum", "ratio", "overall", "exact"), _FUNCTION),
    **dict.fromkeys(("fewest_classes", "bounds"), _FUNCTION),
    **dict.fromkeys(("unit_scores", "right_pairs", "matrix"), Flag()),
    "range": Range(*_ALL_NUMBERS),
    "subject": Choice(get_args(Subject)),
    "parameters": Instance((Mapping,), "a dict of kinds such as mm.Real(0, 1)"),
    "leaves_out": Instance((LeavesOut,), "the classes, as mm.LeavesOut(...)"),
    "partial": Instance((Partial,), "a way such as mm.Added()"),
    "null": Instance((NullDistribution,), "a distribution such as mm.MannWhitney()"),
    "for_probabilities": Instance((ProbabilityMean,), "a mean, as mm.ProbabilityMean(...)"),
    **dict.fromkeys(
        ("sampling", "sampling_of_classes"),
        Instance(get_args(Sampling), "a kind of statistic such as mm.PairMean(...)"),
    ),
}
_OPTIONAL = (
    *("undefined", "for_classes", "quantum", "ratio", "overall", "exact", "null", "sampling"),
    "partial",
    *("sampling_of_classes", "undefined_of_classes", "leaves_out", "fewest_classes"),
    *("for_probabilities", "bounds"),
)


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
    Its name is that of the measure, and no keyword or value (``class``, ``nan``). An exception that
    it raises becomes a DataError that names the measure and has the exception as its cause.

    Keyword arguments, all optional:
        symbol, formula, reference, family: what pages show; the family is "own" by default.
        aliases: other names, or a mapping from names to the texts that they stand for.
        similar_to: names of similar measures, for which errors suggest this one.
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
            ``mm.Differentiable``, ``mm.Extreme`` or ``mm.NoInterval``; without it, intervals come
            from resampling.
        partial: how the value comes from the parts of a table that is too large to hold:
            ``mm.Added()`` if it is a sum over the rows, ``mm.Sums``, ``mm.Extremes`` or
            ``mm.OfHull()``; at an operating point it is known.
        subject: "order" if the function gets a Ranking, "classes" if it gets ClassScores,
            "probabilities" if it gets TrueProbabilities.
        for_classes: a function of ClassScores, beside the one of tables.
        matrix: whether a function for several classes gets their confusion matrix, as the Cut of
            each class against the rest with a last axis of classes, so that predicted labels are
            enough.
        undefined_of_classes: when the value for several classes is NaN, in words.
        leaves_out: the classes that a mean over classes leaves out: ``mm.LeavesOut(...)``.
        fewest_classes: a function of the parameters: the smallest number of classes.
        stated: the parameters without which a value has no clear meaning; results state them even
            where they have their default. An operating point that is not a threshold is stated.
        sampling_of_classes: its kind of statistic: ``mm.ClassCaseMean``, ``mm.ClassPairMean`` or
            ``mm.ClassDifferentiable``.
        for_probabilities: the mean over cases with true probabilities instead of labels, which
            ``soft=True`` asks for: ``mm.ProbabilityMean(...)``.
        null: the known distribution of the value where both classes have the same scores:
            ``mm.MannWhitney()`` or ``mm.KolmogorovSmirnov()``.
        quantum: a function of P, N and the parameters (for orders, of the length); every value for
            whole cases is a multiple of its result, so that ``mm.lab`` can compare values exactly.
        right_pairs: whether, without ties, only the number of pairs in the right order counts.
        ratio: a function of N / P and the parameters that gives the coefficients of TPR, FPR and 1
            in numerator and denominator, so that isometrics are straight lines.
        overall: a function of the cuts of k classes, for the whole confusion matrix; it makes the
            measure one of several classes, too.
        exact: the value as a fraction, from the steps of the ROC convex hull.
        bounds: a function of the measure and a ``CoarseTable`` that gives the smallest and the
            largest value that its buckets allow; ``mm.between_orders`` if the measure never gets
            worse when the score of a positive rises or that of a negative falls.

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
    _check_properties(properties)

    def register(function: Callable[..., Any]) -> Measure:
        if not callable(function):
            raise ParameterError(
                f"measure decorates a function, got {shown([function])}",
                remedy="use mm.parse for a measure from its name",
            )
        declared = _declared(function, **properties)
        _check_free(declared)
        _check_parameters(declared)
        made = registry.kinds[declared.subject](declared)
        for text in declared.aliases.values():
            parse_with(made, text, "aliases")
        return registry.enter(made)

    return register if function is None else register(function)


def adopt(declarations: Iterable[Declaration], home: int) -> None:
    """Register measures that were declared in the process ``home``, unless this is that process.

    Workers outlive a study, so they may know an earlier measure with the same name.
    """
    if os.getpid() != home:
        for declared in declarations:
            registry.enter(registry.kinds[declared.subject](declared))


def _check_properties(properties: Mapping[str, Any]) -> None:
    """Refuse values that are not allowed, before the function is known."""
    known = Properties.__annotations__
    for name, value in properties.items():
        if name not in known:
            raise ParameterError(
                (Argument(name), " is not a property of a measure"),
                remedy=f"use one of {', '.join(known)}",
            )
        if name in _KINDS:
            read_argument(name, value, _KINDS[name], optional=name in _OPTIONAL)
    low, high = properties.get("range", _ALL_NUMBERS)
    best, baseline = properties.get("best", "max"), properties.get("baseline")
    read_argument(
        "best", best, Choice(("max", "min")) if isinstance(best, str) else Real(low, high)
    )
    if callable(baseline):
        baseline = _call_baseline(baseline)
    read_argument("baseline", baseline, Real(low, high, infinite=True), optional=True)
    _check_pairs(properties.get("exclusive", ()))
    for name, kind in properties.get("parameters", {}).items():
        if not callable(getattr(kind, "read", None)):
            raise ParameterError(
                (
                    Argument("parameters"),
                    f" must give the kind of {clipped(str(name))}, got {shown([kind])}",
                ),
                remedy="pass mm.Real, mm.Whole, mm.Range, mm.Choice or mm.Flag",
            )


def _call_baseline(baseline: Callable[[float], float]) -> Any:
    """The baseline for a prevalence of one half."""
    try:
        inspect.signature(baseline).bind(0.5)
    except TypeError:
        problem = f" must be a number or a function of the prevalence, got {shown([baseline])}"
        raise ParameterError((Argument("baseline"), problem)) from None
    return baseline(0.5)


def _check_pairs(exclusive: Any) -> None:
    several = isinstance(exclusive, Iterable) and not isinstance(exclusive, str)
    for pair in exclusive if several else [exclusive]:
        names = pair if isinstance(pair, (tuple, list)) else ()
        if len(names) != 2 or not all(isinstance(name, str) for name in names):
            problem = f" must be pairs of names of parameters, got {shown([pair])}"
            raise ParameterError((Argument("exclusive"), problem))


def _declared(function: Callable[..., Any], **properties: Any) -> Declaration:
    name: str = getattr(function, "__name__", type(function).__name__)
    if not _NAME.fullmatch(name):
        raise ParameterError(
            f"a measure needs a name of {_LETTERS}, got {shown([name])}",
            remedy="define a function with def",
        )
    _check_word(name)
    aliases, at = properties.pop("aliases", ()), properties.pop("at", None)
    try:
        point = None if at is None else Point.of(at)
    except ParameterError as error:
        raise ParameterError(
            (Argument("at"), f" is not an operating point: {error.problem}"),
            remedy='pass a threshold, or text such as "top=10%"',
        ) from None
    if not isinstance(aliases, Mapping):
        aliases = dict.fromkeys(read_several("aliases", aliases, _TEXT, least=0), name)
    odd = [alias for alias in aliases if not _NAME.fullmatch(str(alias))]
    if odd:
        problem = f" must be names of {_LETTERS}, got {shown(odd)}"
        raise ParameterError((Argument("aliases"), problem))
    for alias in aliases:
        _check_word(alias)
    for text in aliases.values():
        read_argument("aliases", text, _TEXT)
    invariant_to = read_several(
        "invariant_to", properties.pop("invariant_to", ()), Choice(get_args(Invariance)), least=0
    )
    defaults = {"symbol": name, "family": "own", "best": "max", "range": _ALL_NUMBERS}
    return Declaration(
        name=name,
        function=function,
        aliases=aliases,
        similar_to=tuple(
            read_several("similar_to", properties.pop("similar_to", ()), _TEXT, least=0)
        ),
        point=point,
        invariant_to=frozenset(invariant_to),
        stated=frozenset(read_several("stated", properties.pop("stated", ()), _TEXT, least=0)),
        exclusive=tuple(properties.pop("exclusive", ())),
        **defaults | properties,
    )


def _check_word(name: str) -> None:
    """Refuse a name that has another meaning in Python, in the texts of measures or in tables."""
    if name.casefold() in _VALUES:
        meaning = "is a value in texts of measures or a missing value in tables"
    elif keyword.iskeyword(name):
        meaning = "is a keyword of Python"
    else:
        return
    raise ParameterError(
        f"{name} {meaning} and cannot be the name of a measure", remedy="choose another name"
    )


def _check_free(declared: Declaration) -> None:
    """A name is declared once; a module may declare it again, as on a reload."""
    module = declared.function.__module__
    if declared.name in declared.aliases:
        raise ParameterError(
            (Argument("aliases"), f" must be other names than {shown([declared.name])}")
        )
    for name in (declared.name, *declared.aliases):
        owner = registry.owner(name)
        if name in {*registry.makers, *registry.meanings, *registry.SEVERAL} or (
            owner and (owner.name != declared.name or owner.function.__module__ != module)
        ):
            where = f" by {owner.name} in {owner.function.__module__}" if owner else ""
            raise ParameterError(
                f"the name {name} is already taken{where}", remedy="choose another name"
            )


def _check_parameters(declared: Declaration) -> None:
    """Every parameter of the function has a default and a declared kind."""
    rest = _parameters_after_the_subject(declared.name, declared.function)
    names = [parameter.name for parameter in rest]
    paired = (name for pair in declared.exclusive for name in pair)
    for name in (*declared.parameters, *paired, *declared.stated):
        if name not in names:
            raise ParameterError(
                f"{declared.name}: the function has no parameter {name}", argument="parameters"
            )
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
        kind = declared.parameters[parameter.name]
        read_argument(parameter.name, parameter.default, kind, optional=parameter.default is None)


def _parameters_after_the_subject(
    name: str, function: Callable[..., Any]
) -> list[inspect.Parameter]:
    """The parameters of a function besides the first, which gets the table."""
    try:
        first, *rest = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):
        takes = False
    else:
        takes = first.kind not in {first.KEYWORD_ONLY, first.VAR_KEYWORD}
    if not takes:
        raise ParameterError(
            f"{name} must be a function whose first parameter gets the score table",
            remedy=f"define it as def {name}(table)",
        )
    return rest
