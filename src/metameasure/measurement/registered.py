"""Measure, and the decorator that makes one."""

from __future__ import annotations

import difflib
import inspect
import math
import numbers
import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure._arguments import read_argument
from metameasure._text import shown
from metameasure.data import (
    ClassScores,
    NanPolicy,
    Ranking,
    Rescale,
    has_class_columns,
    read_table,
    warn_dropped,
)
from metameasure.errors import DataError, UndefinedMeasureWarning, UnknownMeasure
from metameasure.measurement import constructors
from metameasure.measurement.declaration import (
    Baseline,
    Best,
    Declaration,
    Invariance,
    NullDistribution,
    Subject,
)
from metameasure.measurement.sampling import CaseMean
from metameasure.table import Point, ScoreTable, shortest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from metameasure._arguments import Parameter
    from metameasure.measurement.sampling import Sampling

POINT_KEYWORDS: dict[str, Literal["threshold", "top", "k", "fpr", "tpr"]] = {
    "threshold": "threshold",
    "top": "top",
    "k": "k",
    "at_fpr": "fpr",
    "at_tpr": "tpr",
}
UNREACHED = {
    "k": "there are fewer than k cases",
    "fpr": "there is no negative case",
    "tpr": "there is no positive case",
}
_COMMON = ("y_true", "y_score", "pos_label", "sample_weight", "nan_policy", "rescale")


class Measure:
    """A function from a score table to a number, with its parameters: a value like any other.

    Two measures are equal when their texts are; ``parse(str(m)) == m``.
    """

    declaration: Declaration
    parameters: tuple[tuple[str, Any], ...]
    point: Point | None

    def __init__(
        self,
        declaration: Declaration,
        parameters: tuple[tuple[str, Any], ...] = (),
        point: Point | None = None,
    ) -> None:
        self.declaration = declaration
        self.parameters = parameters
        self.point = point or declaration.point
        self.__doc__ = declaration.docstring
        self.__name__ = self.__qualname__ = declaration.name
        self.__module__ = declaration.function.__module__
        self._text = self._written()

    @property
    def name(self) -> str:
        """The name without parameters and operating point."""
        return self.declaration.name

    @property
    def best(self) -> Best:
        """Whether larger or smaller values are better, or the value that is best."""
        return self.declaration.best

    @property
    def family(self) -> str:
        """The family that the measure belongs to."""
        return self.declaration.family

    @property
    def unit_scores(self) -> bool:
        """Whether scores must lie in [0, 1]."""
        return self.declaration.unit_scores

    @property
    def undefined_when(self) -> str:
        """When there is no value, in words."""
        reasons = [self.declaration.undefined or "there is no case"]
        if self.point and self.point.kind in UNREACHED:
            reasons.append(UNREACHED[self.point.kind])
        return ", or ".join(reasons)

    def __call__(
        self,
        /,
        y_true: Any,
        y_score: Any = None,
        *,
        pos_label: Any = None,
        sample_weight: Any = None,
        nan_policy: NanPolicy = "raise",
        rescale: Rescale | None = None,
        **parameters: Any,
    ) -> Any:
        """The value for labels and scores, or for a ready score table or block of them."""
        if self.declaration.for_classes and (
            isinstance(y_true, ClassScores) or has_class_columns(y_score)
        ):
            if pos_label is not None or rescale is not None:
                raise DataError("pos_label= and rescale= are for two classes and one score")
            options = {"sample_weight": sample_weight, "nan_policy": nan_policy}
            return self.of_classes()._of(y_true, y_score, stacklevel=4, **options, **parameters)
        labels = parameters.pop("labels", None)
        if labels is not None:
            raise DataError("labels= names the columns of a matrix of scores, and this is none")
        chosen = self.using(**parameters) if parameters else self
        table = read_table(
            y_true,
            y_score,
            self.name,
            pos_label=pos_label,
            sample_weight=sample_weight,
            nan_policy=nan_policy,
            rescale=rescale,
        )
        return chosen.value(table, stacklevel=3)

    def value(self, table: Any, *, stacklevel: int = 2) -> Any:
        """A float for one subject, an array for a block; NaN and a warning where undefined."""
        value = self.quiet_value(table)
        if np.isnan(value).any() if table.shape else math.isnan(value):
            lacking = int(np.count_nonzero(np.isnan(value)))
            share = f" on {lacking} of {np.size(value)} tables" if table.shape else ""
            warnings.warn(
                f"{self} is undefined{share}: {self.undefined_when}",
                UndefinedMeasureWarning,
                stacklevel,
            )
        return value

    def quiet_value(self, table: Any) -> Any:
        """The same without a warning, for results that say themselves what is undefined."""
        if self.unit_scores:
            self.require_unit(table)
        value = self.compute(table)
        if table.shape:
            return self.within_range(value)
        value = float(value)
        low, high = self.declaration.range
        if value < low or value > high:
            value = float(self.within_range(value))
        return value

    def goodness(self, values: Any) -> Any:
        """Values of this measure, turned so that larger is better."""
        if isinstance(self.best, str):
            return values if self.best == "max" else np.negative(values)
        return np.negative(np.abs(values - self.best))

    def compute(self, table: Any) -> Any:
        """The bare value, without checks and without a warning."""
        subject = table.at(self.point) if self.point else table
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return self.declaration.function(subject, **dict(self.parameters))

    def within_range(self, value: Any) -> Any:
        """The value, without what rounding has put beyond the end of the range."""
        for end, beyond in zip(self.declaration.range, (np.less, np.greater), strict=True):
            if np.any(beyond(value, end)):
                rounded = beyond(value, end) & (np.abs(value - end) <= 1e-12)
                value = np.where(rounded, end, value)
        return value

    def require_unit(self, table: Any) -> None:
        """Refuse scores outside [0, 1]."""
        table.require_unit(str(self))

    def using(self, /, **parameters: Any) -> Measure:
        """This measure with other parameters, or at another operating point.

        >>> from metameasure import f_measure
        >>> f_measure.using(beta=2, top=0.1)
        f_measure(beta=2)@top=10%
        """
        declared, given = self.declaration, dict(self.parameters)
        points = []
        for name, value in parameters.items():
            if name in declared.parameters:
                given[name] = self._read(name, value)
            elif name in POINT_KEYWORDS and declared.point:
                points += [Point(POINT_KEYWORDS[name], value)] if value is not None else []
            else:
                raise UnknownMeasure(self._no_such(name))
        if len(points) > 1:
            raise UnknownMeasure(f"{self.name}: give one operating point, not {len(points)}")
        defaults = declared.defaults
        for pair in declared.exclusive:
            if all(given.get(name, defaults[name]) != defaults[name] for name in pair):
                raise UnknownMeasure(f"{self.name}: {' and '.join(pair)} exclude each other")
        kept = tuple((n, given[n]) for n in defaults if n in given and given[n] != defaults[n])
        return type(self)(declared, kept, points[0] if points else self.point)

    def of_classes(self) -> ClassMeasure:
        """This measure for scores of k classes."""
        declared = self.declaration
        if declared.for_classes is None or self.point != declared.point:
            raise UnknownMeasure(
                f"{self} is a measure of two classes and one score: give the scores of the "
                "positive class alone, scores[:, 1], or for several classes take one of "
                f"{', '.join(sorted(m.name for m in _measures.values() if m.takes_classes))}"
            )
        return ClassMeasure(_declared_for_classes(declared), self.parameters)

    @property
    def takes_classes(self) -> bool:
        """Whether it is a measure of scores for k classes, too."""
        return self.declaration.for_classes is not None

    def at(self, point: Point) -> Measure:
        """This measure at another operating point."""
        if not self.declaration.point:
            own = (
                f"; {self.name}({point}) is meant?"
                if point.kind in self.declaration.parameters
                else ""
            )
            raise UnknownMeasure(
                f"{self.name} is not taken at an operating point: @{point} is idle{own}"
            )
        return type(self)(self.declaration, self.parameters, point)

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the most that a case can add to a mean over cases; else the range."""
        kind = self.declaration.sampling
        if isinstance(kind, CaseMean) and kind.ends is not None:
            return kind.ends(**dict(self.parameters))
        return self.declaration.range

    def quantum(self, *sizes: Any) -> Any:
        """What all values on so many whole positives and negatives are multiples of.

        A Fraction for Fractions, floats for arrays; None if nothing is declared, 0 if it is out of
        reach. Values at a cut by rank are multiples only where there are no ties.
        """
        declared = self.declaration
        return declared.quantum and declared.quantum(*sizes, **dict(self.parameters))

    def __rshift__(self, other: Measure) -> Measure:
        """``auc >> accuracy``: the two-level measure, auc first."""
        return constructors.makers["two_level"](self, other)

    def __rmul__(self, weight: float) -> Any:
        """``0.7 * auc``, to be added to ``0.3 * accuracy``: the linear combination."""
        if not isinstance(weight, numbers.Real):
            return NotImplemented
        return constructors.Term(weight, self)

    __mul__ = __rmul__

    def _read(self, name: str, value: object) -> object:
        if value is None and self.declaration.defaults[name] is None:
            return None
        return read_argument(name, value, self.declaration.parameters[name])

    def _no_such(self, name: str) -> str:
        admitted = list(self.declaration.parameters)
        if self.declaration.point:
            admitted += list(POINT_KEYWORDS)
        elif name in POINT_KEYWORDS:
            return f"{self.name} is not taken at an operating point: {name}= does not fit it"
        takes = f"it takes {', '.join(admitted)}" if admitted else "it takes none"
        return f"{self.name} has no parameter {name}; {takes}"

    def _written(self) -> str:
        text = self.name
        if self.parameters:
            text += "(" + ", ".join(f"{n}={_literal(v)}" for n, v in self.parameters) + ")"
        if self.point != self.declaration.point:
            text += f"@{self.point}"
        return text

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Measure):
            return NotImplemented
        return self._text == other._text and self.declaration is other.declaration

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[Callable[..., Measure], tuple[Any, ...]]:
        return _restore, (self.name, self.parameters, self.point)

    @property
    def __signature__(self) -> inspect.Signature:
        """What help and editors show: all keywords with their defaults."""
        common = inspect.signature(Measure.__call__).parameters
        keyword = inspect.Parameter.KEYWORD_ONLY
        listed = [common[name] for name in _COMMON]
        if self.takes_classes:
            listed.append(inspect.Parameter("labels", keyword, default=None))
        for name, default in self.declaration.defaults.items():
            listed.append(inspect.Parameter(name, keyword, default=default))
        if self.declaration.point:
            listed += [inspect.Parameter(name, keyword, default=None) for name in POINT_KEYWORDS]
        return inspect.Signature(listed)


class OrderMeasure(Measure):
    """A function from a true and a predicted order of the same items to a number."""

    def __call__(self, /, y_true: Any, y_score: Any = None, **parameters: Any) -> Any:
        """The value for the true and the predicted values of items, or for a ready Ranking."""
        chosen = self.using(**parameters) if parameters else self
        if isinstance(y_true, Ranking):
            if y_score is not None:
                raise DataError("a Ranking already has both orders: give it alone")
            return chosen.value(y_true, stacklevel=3)
        if y_score is None:
            raise DataError(f"{self.name} needs y_true and y_score, or a Ranking")
        return chosen.value(Ranking.of(y_true, y_score), stacklevel=3)

    def compute(self, subject: ScoreTable | Ranking) -> Any:
        """The bare value, without a warning."""
        if not isinstance(subject, Ranking):
            raise UnknownMeasure(
                f"{self} compares a true order with a predicted one, and labels of two classes "
                "give none"
            )
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.declaration.function(subject, **dict(self.parameters))

    @property
    def __signature__(self) -> inspect.Signature:
        """What help and editors show."""
        names = ("y_true", "y_score")
        return inspect.Signature(
            [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names]
        )


class ClassMeasure(Measure):
    """A function from the scores of cases for k classes to a number."""

    takes_classes = True

    def __call__(
        self,
        /,
        y_true: Any,
        y_score: Any = None,
        *,
        labels: Sequence[Any] | None = None,
        sample_weight: Any = None,
        nan_policy: NanPolicy = "raise",
        **parameters: Any,
    ) -> Any:
        """The value for labels and a matrix of scores, or for ready ClassScores."""
        options = {"labels": labels, "sample_weight": sample_weight, "nan_policy": nan_policy}
        return self._of(y_true, y_score, stacklevel=4, **options, **parameters)

    def _of(
        self,
        y_true: Any,
        y_score: Any,
        *,
        stacklevel: int,
        labels: Sequence[Any] | None = None,
        sample_weight: Any = None,
        nan_policy: NanPolicy = "raise",
        **parameters: Any,
    ) -> Any:
        """The same for a caller that is so far up; it is told of what was left out."""
        chosen = self.using(**parameters) if parameters else self
        if isinstance(y_true, ClassScores):
            if any(extra is not None for extra in (y_score, labels, sample_weight)):
                raise DataError("ClassScores have their labels and weights: give them alone")
            scores = y_true
        else:
            if y_score is None:
                raise DataError(f"{self.name} needs y_true and a matrix of scores, or ClassScores")
            scores = ClassScores.of(
                y_true, y_score, labels=labels, sample_weight=sample_weight, nan_policy=nan_policy
            )
            warn_dropped(scores.dropped, scores.code.size, stacklevel=stacklevel - 1)
        value = chosen.value(scores, stacklevel=stacklevel)
        if self.declaration.undefined and scores.absent and not np.isnan(value).any():
            # Measures of which classes may be missing are means over these.
            warnings.warn(
                f"{chosen} leaves out {len(scores.absent)} of {scores.k} classes, which no case is "
                f"of: {shown(scores.absent)}",
                UndefinedMeasureWarning,
                stacklevel - 1,
            )
        return value

    def require_unit(self, table: Any) -> None:
        """Refuse what are no probabilities of the classes."""
        if isinstance(table, ClassScores):
            table.require_probabilities(self)

    def compute(self, subject: Any) -> Any:
        """The bare value, without checks and without a warning."""
        if not isinstance(subject, ClassScores):
            raise UnknownMeasure(
                f"{self} is a measure of scores for several classes: give a matrix"
            )
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.declaration.function(subject, **dict(self.parameters))

    def of_classes(self) -> ClassMeasure:
        """This measure itself."""
        return self

    def __reduce__(self) -> tuple[Callable[..., Measure], tuple[Any, ...]]:
        return _restore_of_classes, (self.name, self.parameters)

    @property
    def __signature__(self) -> inspect.Signature:
        """What help and editors show."""
        _, *common = inspect.signature(ClassMeasure.__call__).parameters.values()
        keyword = inspect.Parameter.KEYWORD_ONLY
        own = [
            inspect.Parameter(name, keyword, default=default)
            for name, default in self.declaration.defaults.items()
        ]
        return inspect.Signature([*common[:-1], *own])


@cache
def _declared_for_classes(declared: Declaration) -> Declaration:
    """What is declared of a measure when it is one of k classes."""
    assert declared.for_classes is not None  # noqa: S101 - of_classes has seen to it
    return replace(
        declared,
        function=declared.for_classes,
        subject="classes",
        sampling=None,
        point=None,
        undefined=None,
    )


_KINDS: dict[Subject, type[Measure]] = {
    "table": Measure,
    "order": OrderMeasure,
    "classes": ClassMeasure,
}


def _literal(value: object) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(_literal(v) for v in value) + ")"
    if isinstance(value, str):
        return f'"{value}"'
    return str(value) if isinstance(value, bool) or value is None else shortest(value)  # type: ignore[arg-type]


_measures: dict[str, Measure] = {}
_aliases: dict[str, str] = {}


def _restore(name: str, parameters: tuple[tuple[str, Any], ...], point: Point | None) -> Measure:
    known = find(name)
    return type(known)(known.declaration, parameters, point)


def _restore_of_classes(name: str, parameters: tuple[tuple[str, Any], ...]) -> Measure:
    known = find(name).of_classes()
    return ClassMeasure(known.declaration, parameters)


def measures(
    family: str | None = None, *, subject: Subject | Literal["all"] | None = None
) -> list[Measure]:
    """The measures of scores, or those of one family, in the order of their declaration.

    ``subject="order"`` gives the measures of orders, "classes" those of k classes, "all" all.
    """
    families = sorted({m.family for m in _measures.values()})
    if family is not None and family not in families:
        known = ", ".join(families)
        raise UnknownMeasure(f"no measure is of the family {family!r}; there are {known}")
    if subject not in {None, "all", *_KINDS}:
        kinds = ", ".join(map(repr, _KINDS))
        raise UnknownMeasure(f"subject={shown([subject])} is not known: give {kinds} or 'all'")
    wanted = subject or ("table" if family is None else "all")
    return [
        m
        for m in _measures.values()
        if family in {None, m.family} and wanted in {"all", m.declaration.subject}
    ]


def find(name: str) -> Measure:
    """The measure of this name, without parameters; aliases are for ``parse``."""
    if name in _measures:
        return _measures[name]
    known = [*names(), *constructors.makers]
    near = difflib.get_close_matches(name, known, n=3)
    hint = f"did you mean {', '.join(near)}?" if near else "'metameasure measures' lists them all"
    raise UnknownMeasure(f"there is no measure {name!r}; {hint}")


def own_declarations() -> list[Declaration]:
    """What users have declared."""
    return [
        m.declaration for m in _measures.values() if not m.__module__.startswith("metameasure.")
    ]


def adopt(declarations: Iterable[Declaration], home: int) -> None:
    """Register what was declared in the process of this number, unless this is it.

    Workers outlive a study, so that they may know an earlier measure of the same name.
    """
    if os.getpid() != home:
        for declared in declarations:
            _register(declared)


def alias(name: str) -> str | None:
    """The text that an alias stands for; None if it is none."""
    return _aliases.get(name) or constructors.meanings.get(name)


def names() -> list[str]:
    """Every name that can be typed: measures and aliases."""
    return [*_measures, *_aliases, *constructors.meanings]


def measure(
    *,
    symbol: str | None = None,
    aliases: Iterable[str] | Mapping[str, str] = (),
    family: str = "own",
    best: Best = "max",
    range: tuple[float, float] = (-np.inf, np.inf),  # noqa: A002
    baseline: Baseline | None = None,
    invariant_to: Iterable[Invariance] = (),
    undefined: str | None = None,
    formula: str = "",
    reference: str = "",
    unit_scores: bool = False,
    at: float | str | None = None,
    parameters: Mapping[str, Parameter] | None = None,
    exclusive: Iterable[tuple[str, str]] = (),
    sampling: Sampling | None = None,
    subject: Subject = "table",
    for_classes: Callable[..., Any] | None = None,
    null: NullDistribution | None = None,
    quantum: Callable[..., Any] | None = None,
    exact: Callable[..., Fraction | None] | None = None,
) -> Callable[[Callable[..., Any]], Measure]:
    r"""Declare a measure: from then on it has a name everywhere, like those of the library.

    The function gets a ScoreTable, or with ``at=`` the confusion matrix (a Cut) at that operating
    point, which the caller may move. It should work along the last axis, so that it takes blocks.
    Aliases are names, or names with the text that they stand for. ``sampling`` says what kind of
    statistic it is, if that is known; else intervals come from resampling. With
    ``subject="order"`` the function gets a Ranking, with ``subject="classes"`` ClassScores;
    ``for_classes`` is a function for the latter beside one for tables. ``quantum`` gives, from P
    and N, a number of which every value on whole cases is a multiple: ties are then exact in the
    laboratory; ``exact`` gives the value as a fraction from the steps of the hull.

    >>> import metameasure as mm
    >>> @mm.measure(at=0.5, best="max", range=(0, 1), undefined="no case is predicted positive")
    ... def net_precision(cut):
    ...     '''The share of the predicted positives that is positive.'''
    ...     return cut.tp / (cut.tp + cut.fp)
    >>> net_precision([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    0.6666666666666666
    >>> mm.parse("net_precision@top=25%")([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    1.0
    """

    def register(function: Callable[..., Any]) -> Measure:
        name = function.__name__
        meanings = aliases if isinstance(aliases, Mapping) else dict.fromkeys(aliases, name)
        declared = Declaration(
            name=name,
            function=function,
            symbol=symbol or name,
            family=family,
            best=best,
            range=range,
            baseline=baseline,
            invariant_to=frozenset(invariant_to),
            undefined=undefined,
            formula=formula,
            reference=reference,
            aliases=meanings,
            unit_scores=unit_scores,
            point=None if at is None else Point.read(str(at)),
            parameters=parameters or {},
            exclusive=tuple(exclusive),
            sampling=sampling,
            subject=subject,
            for_classes=for_classes,
            null=null,
            quantum=quantum,
            exact=exact,
        )
        _check_free(declared)
        _check_parameters(declared)
        return _register(declared)

    return register


def _register(declared: Declaration) -> Measure:
    """Make a declared measure known, in the place of an earlier one of its name."""
    made = _KINDS[declared.subject](declared)
    if declared.name in _measures:
        for name in _measures[declared.name].declaration.aliases:
            _aliases.pop(name, None)
    _measures[declared.name] = made
    _aliases.update(declared.aliases)
    return made


def _check_free(declared: Declaration) -> None:
    """A name is declared once; declaring it again from the same place, as on a reload, is fine."""
    module = declared.function.__module__
    for name in (declared.name, *declared.aliases):
        if name in {*constructors.makers, *constructors.meanings}:
            raise UnknownMeasure(f"the name {name} is already taken: choose another one")
        known = _measures.get(name)
        owner = known.declaration if known else _owner_of_alias(name)
        if owner and (owner.name != declared.name or owner.function.__module__ != module):
            raise UnknownMeasure(
                f"the name {name} is already declared, for {owner.name} in "
                f"{owner.function.__module__}: choose another one"
            )


def _owner_of_alias(name: str) -> Declaration | None:
    """The measure that has this alias."""
    owners = (m.declaration for m in _measures.values() if name in m.declaration.aliases)
    return next(owners, None)


def _check_parameters(declared: Declaration) -> None:
    """Every parameter of the function has a default and a declared kind."""
    _, *rest = inspect.signature(declared.function).parameters.values()
    for parameter in rest:
        if parameter.default is inspect.Parameter.empty:
            raise UnknownMeasure(f"{declared.name}: the parameter {parameter.name} needs a default")
        if parameter.name not in declared.parameters:
            raise UnknownMeasure(
                f"{declared.name}: say what {parameter.name} may be, as in "
                f"parameters={{'{parameter.name}': Real(0, 1)}}"
            )
