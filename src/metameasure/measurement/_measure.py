"""Measures as values: functions of a score table with their parameters and operating point."""

from __future__ import annotations

import inspect
import math
import numbers
import warnings
from functools import cache
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from metameasure._arguments import Flag, read_argument
from metameasure._text import clipped, shown
from metameasure.data import (
    ClassCases,
    NanPolicy,
    Rescale,
    are_labels,
    has_class_columns,
    has_two_columns,
    is_estimator,
    read_table,
)
from metameasure.errors import (
    Argument,
    DataError,
    MetameasureError,
    ParameterError,
    UndefinedMeasureWarning,
    first_line,
)
from metameasure.measurement import registry
from metameasure.measurement.certificates import widened
from metameasure.measurement.sampling import CaseMean, Differentiable, ProbabilityMean, Share
from metameasure.table import (
    POINT_SYNONYMS,
    POINT_VALUES,
    CoarseTable,
    Point,
    ScoreTable,
    shortest,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from metameasure._types import Floats
    from metameasure.measurement.declaration import Best, Declaration, Subject
    from metameasure.measurement.sampling import Sampling
    from metameasure.table import Cut

POINT_KEYWORDS = {
    "threshold": "threshold",
    "top": "top",
    "k": "k",
    "at_fpr": "fpr",
    "at_tpr": "tpr",
    "at_sensitivity": "sensitivity",
    "at_specificity": "specificity",
}
"""Keywords for operating points, with the names that texts have for them."""
ROUNDING = 1e-9
"""Largest relative distance from the range, with weights that differ widely, that is rounding."""
UNREACHED = {
    "k": "there are fewer than k cases",
    "fpr": "there is no negative case",
    "tpr": "there is no positive case",
}
_OF_INTERVALS = ("ci", "method", "resamples", "seed", "stratified")
"""Options of ``interval``, which measures do not have."""
_ELSEWHERE = {
    "max_fpr": "mm.partial_auc(y_true, y_score, fpr=(0, 0.1))",
    "multi_class": "mm.ovr_auc",
    "average": "mm.macro_f_measure, mm.weighted_f_measure, mm.macro_precision or mm.macro_recall",
    "classes": "labels for the classes in the order of the columns",
}
"""Parameters in scikit-learn of what is another measure here."""
_OF_TWO_CLASSES = ("pos_label", "rescale")
"""Options of ``read`` that do not apply to more than two classes."""
_OF_LABELS = ("labels", *_OF_TWO_CLASSES)
"""Options of ``read`` that do not apply to true probabilities."""


class Options(TypedDict, total=False):
    """The options with which labels and scores are read."""

    labels: Sequence[Any] | None
    pos_label: Any
    sample_weight: Any
    nan_policy: NanPolicy
    rescale: Rescale | None


@registry.kind("table")
class Measure:
    """A function from a score table to a number, together with its parameters.

    Measures are values: hashable, picklable, equal when their texts are equal;
    ``parse(str(m)) == m``.
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
        """The name, without parameters and operating point."""
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

    def __call__(self, /, y_true: Any, y_score: Any = None, *more: object, **options: Any) -> Any:
        """The value for labels and scores, or for a ready score table or block of them.

        Options are those of ``read``, and the parameters of the measure.
        """
        if more:
            raise self._two_arguments(y_true, len(more))
        chosen = self
        two = options.get("pos_label") is not None
        if read_argument("soft", options.pop("soft", False), Flag()):
            chosen = self.of_probabilities()
        elif self.takes_classes and self._is_given_classes(y_true, y_score, two=two):
            chosen = self.of_classes("y_score")
        if chosen is not self:
            options = {n: v for n, v in options.items() if v is not None or n not in _OF_LABELS}
        reader = chosen._reader
        given = {name: options.pop(name) for name in _read_options(reader) if name in options}
        chosen = chosen.using(**options) if options else chosen
        subject = reader.read(chosen, y_true, y_score, **given)
        try:
            return chosen._answer(subject)
        except DataError as error:
            error.caused_by("y_score" if y_score is not None else "y_true")
            raise

    def _is_given_classes(self, y_true: Any, y_score: Any, *, two: bool) -> bool:
        """Whether these are scores for more than two classes or, if enough, predicted labels.

        Predicted labels of ``two`` classes, of which one is positive, are scores of 0 and 1.
        """
        if isinstance(y_true, ClassCases):
            return True
        if has_class_columns(y_score):
            return not has_two_columns(y_score)
        matrix = self.declaration.overall is not None and y_score is not None
        return matrix and not two and are_labels(y_true, [y_score])

    def _two_arguments(self, first: Any, more: int) -> Exception:
        """The error for more arguments than labels and scores, such as those of a scorer."""
        if is_estimator(first):
            return ParameterError(
                f"{self} is a measure of labels and scores, got an estimator",
                remedy=f"use scoring=mm.scorer('{self}')",
                argument="y_true",
            )
        return TypeError(f"{self.name}() takes 2 positional arguments but {2 + more} were given")

    def _answer(self, subject: Any) -> Any:
        """The value for the caller of the measure, with all warnings."""
        return self.value(subject, stacklevel=4)

    def read(
        self,
        y_true: Any,
        y_score: Any = None,
        *,
        pos_label: Any = None,
        sample_weight: Any = None,
        nan_policy: NanPolicy = "raise",
        rescale: Rescale | None = None,
        labels: Sequence[Any] | None = None,
    ) -> Any:
        """The validated subject: the score table of labels and scores, or a ready one."""
        return read_table(
            y_true,
            y_score,
            self.name,
            labels=labels,
            pos_label=pos_label,
            sample_weight=sample_weight,
            nan_policy=nan_policy,
            rescale=rescale,
            stacklevel=3,
        )

    @property
    def _reader(self) -> Any:
        """The class of measures whose ``read`` is used."""
        return type(self)

    def value(self, table: Any, *, stacklevel: int = 2) -> Any:
        """A float for one subject, an array for a block; NaN and a warning where undefined."""
        value = self.quiet_value(table)
        if np.isnan(value).any() if table.shape else math.isnan(value):
            lacking = int(np.count_nonzero(np.isnan(value)))
            share = f" on {lacking} of {np.size(value)} tables" if table.shape else ""
            self._warn_undefined(stacklevel, share)
        return value

    def _warn_undefined(self, stacklevel: int, share: str = "") -> None:
        """Warn that there is no value; at ``stacklevel`` 1 the caller of the caller is warned."""
        warnings.warn(
            f"{self} is undefined{share}: {self.undefined_when}",
            UndefinedMeasureWarning,
            stacklevel + 1,
        )

    def quiet_value(self, table: Any) -> Any:
        """The same without a warning, for results that report undefined values themselves."""
        if self.unit_scores:
            self.require_unit(table)
        value = self.compute(table)
        if table.shape:
            return self.within_range(self._numbers(value, table.shape))
        value = float(value if isinstance(value, float) else self._numbers(value, ()))
        low, high = self.declaration.inside
        if value < low or value > high:
            value = float(self.within_range(value))
        return value

    def bounds(self, data: Any) -> tuple[float, float]:
        """The smallest and the largest value that a coarse table allows.

        The exact value lies between them, both included, if it is defined. They are equal where
        every bucket has one score. Pass an Accumulator, a CoarseTable or a ScoreTable.

        >>> from metameasure import CoarseTable, auc, tabulate
        >>> table = tabulate([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
        >>> coarse = CoarseTable.of(table).pooled([1])
        >>> auc.bounds(table), auc.bounds(coarse)
        ((0.583333..., 0.583333...), (0.333333..., 1.0))
        """
        coarse = CoarseTable.of(data)
        found = self.quiet_bounds(coarse)
        if math.isnan(found[0]):
            self._warn_undefined(2)
        return found

    def quiet_bounds(self, coarse: CoarseTable) -> tuple[float, float]:
        """The same without a warning; an error for a measure that has no bounds."""
        if self.unit_scores:
            coarse.require_unit(str(self))
        if coarse.exact:
            value = self.quiet_value(coarse.table)
            return value, value
        ends = self.certified(coarse)
        if ends is None:
            raise ParameterError(
                f"{self} has no bounds from a coarse table",
                remedy='use a measure that mm.bounds(data, "all") lists, or pass all cases to '
                "mm.evaluate",
                argument="measures",
            )
        return widened(self, coarse, ends)

    def certified(self, coarse: CoarseTable) -> tuple[float, float] | None:
        """The declared bounds before they are widened for rounding; None if there are none."""
        declared = self.declaration.bounds
        if declared is None:
            return None
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return declared(self, coarse)

    def goodness(self, values: Any) -> Any:
        """Values of this measure, negated where needed so that larger is better."""
        if isinstance(self.best, str):
            return values if self.best == "max" else np.negative(values)
        return np.negative(np.abs(values - self.best))

    def compute(self, table: Any) -> Any:
        """The bare value, without checks and without a warning."""
        return self._apply(table.at(self.point) if self.point else table)

    def _apply(self, subject: Any) -> Any:
        """What the function returns; an error in a user's own function names the measure."""
        try:
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                return self.declaration.function(subject, **dict(self.parameters))
        except (MetameasureError, MemoryError):
            raise
        except Exception as error:
            if not self.declaration.is_own:
                raise
            problem = f"{type(error).__name__}: {clipped(first_line(error))}"
            raise DataError(f"{self} failed: {problem}") from error

    def of_block(self, block: Any) -> Floats:
        """The value of each table of a block; an error unless there is one per table."""
        values: Floats = self.within_range(self._numbers(self.compute(block), block.shape))
        return values

    def _numbers(self, found: Any, shape: tuple[int, ...] | None) -> Floats:
        """What the function returns, as real numbers; an error unless there is one per table."""
        try:
            values = np.asarray(found)
        except ValueError:
            values = np.asarray(None)  # lists of different lengths
        real = values.dtype.kind in "biuf" or (
            # Fractions, for example.
            values.dtype.kind == "O" and all(isinstance(one, numbers.Real) for one in values.flat)
        )
        if not real:
            raise DataError(
                f"{self} must return {'numbers' if shape else 'a number'}, got {shown([found])}"
            )
        if shape is not None and values.shape != shape:
            tables = f"a block of {shape}" if shape else "one table"
            raise DataError(
                f"{self} returns values of shape {values.shape} for {tables}",
                remedy="compute the measure along the last axis",
            )
        try:
            return values.astype(np.float64, copy=False)
        except OverflowError:
            raise DataError(f"{self} returns a number that is too large for float64") from None

    def within_range(self, value: Any) -> Any:
        """The value, moved to an end of the range that it misses or exceeds by rounding.

        A value further outside is an error.
        """
        declared = self.declaration
        sides = zip(declared.range, declared.inside, (np.less, np.greater), strict=True)
        for end, inner, beyond in sides:
            outside = beyond(value, inner)
            if np.any(outside):
                wrong = outside & (np.abs(value - end) > ROUNDING * max(1.0, abs(end)))
                if np.any(wrong):
                    found = np.asarray(value)[wrong][0]
                    raise DataError(
                        f"{self} must be in {self.declaration.limits}, got {found:.12g}",
                        remedy="check its function, its range and weights of very different sizes",
                    )
                value = np.where(outside, end, value)
        return value

    def require_unit(self, table: Any) -> None:
        """Raise an error for scores outside [0, 1]."""
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
                points += [_point(name, value)] if value is not None else []
            else:
                raise self._no_such(name)
        if len(points) > 1:
            raise ParameterError(
                f"{self.name} takes one operating point, got {len(points)}",
                remedy=f"pass one of {_listed(POINT_KEYWORDS)}",
            )
        defaults = declared.defaults
        for pair in declared.exclusive:
            if all(given.get(name, defaults[name]) != defaults[name] for name in pair):
                raise ParameterError(
                    f"{self.name} takes either {' or '.join(pair)}, not both", argument=pair[0]
                )
        kept = tuple((n, given[n]) for n in defaults if n in given and given[n] != defaults[n])
        return type(self)(declared, kept, points[0] if points else self.point)

    def of_classes(self, scores: str | None = None) -> Measure:
        """This measure for scores of k classes.

        ``scores`` is the argument that the matrix of scores was passed as, if it was passed.
        """
        declared = self.declaration
        if not declared.takes_classes or self.point != declared.point:
            others = sorted(m.name for m in registry.measures(subject="all") if m.takes_classes)
            alone = (
                ()
                if scores is None
                else (
                    *("pass the column of the positive class alone as ", Argument(scores)),
                    ", or for more classes ",
                )
            )
            raise ParameterError(
                f"{self} is a measure of two classes and one score, got a matrix of scores",
                remedy=(*alone, f"use one of {', '.join(others)}"),
            )
        return registry.kinds["classes"](declared.of_classes, self.parameters)

    def of_probabilities(self) -> Measure:
        """This measure for true probabilities instead of labels."""
        if self.declaration.for_probabilities is None:
            others = (m.name for m in registry.measures(subject="all") if m.takes_probabilities)
            raise ParameterError(
                f"{self} is a measure of labels and does not support true probabilities",
                remedy=f"use one of {', '.join(others)}",
            )
        return registry.kinds["probabilities"](self.declaration.of_probabilities, self.parameters)

    def of_subject(self, subject: Subject) -> Measure:
        """This measure for models of a subject, as ``of_classes`` and the others."""
        if subject == "classes":
            return self.of_classes("scores")
        if subject == "order":
            return self.of_order()
        return self.of_probabilities() if subject == "probabilities" else self

    def of_order(self) -> Measure:
        """This measure, if it compares a true with a predicted order; an error if not."""
        if self.declaration.subject != "order":
            others = ", ".join(m.name for m in registry.measures(subject="order"))
            raise ParameterError(
                f"{self} is not a measure of an order of items", remedy=f"use one of {others}"
            )
        return self

    @property
    def takes_classes(self) -> bool:
        """Whether it is also a measure of scores for k classes."""
        return self.declaration.takes_classes

    @property
    def takes_probabilities(self) -> bool:
        """Whether it is also a measure of true probabilities."""
        return self.declaration.for_probabilities is not None

    def at_cut(self, cut: Cut) -> Floats:
        """The value at each of some confusion matrices; NaN where it is undefined."""
        shape = np.broadcast_shapes(*(np.shape(part) for part in (cut.tp, cut.fp, cut.P, cut.N)))
        subject: Any = cut
        if self.point is None and self.threshold is not None:
            subject = ScoreTable.of_cut(cut, self.threshold)
        within = self.within_range(self._numbers(self._apply(subject), None))
        return np.broadcast_to(within, shape)

    @property
    def at_threshold(self) -> bool:
        """Whether it is read at a fixed threshold, so that each case has its own answer."""
        return self.point is not None and self.point.kind == "threshold"

    @property
    def threshold(self) -> float | None:
        """The fixed threshold whose confusion matrix determines the value; None if there is none.

        It is the operating point, or a parameter of a measure that declares it.
        """
        if self.at_threshold:
            return float(self.point.value)  # type: ignore[union-attr]
        kind = self.declaration.sampling
        if isinstance(kind, CaseMean | Differentiable) and kind.threshold is not None:
            return kind.threshold(**dict(self.parameters))
        return None

    def at(self, point: Point | float | str) -> Measure:
        """This measure at another operating point."""
        point = Point.of(point)
        if not self.declaration.point:
            meant = str(point) if point.kind in self.declaration.parameters else ""
            kind = self.declaration.sampling
            own = kind.threshold if isinstance(kind, CaseMean | Differentiable) else None
            if point.kind == "threshold" and own is not None:
                meant = f"{next(iter(inspect.signature(own).parameters))}={point}"
            raise ParameterError(
                f"{self.name} takes no operating point",
                remedy=f'remove "@{point}"' + (f" or write {self.name}({meant})" if meant else ""),
            )
        return type(self)(self.declaration, self.parameters, point)

    @property
    def sampling(self) -> Sampling | None:
        """The kind of statistic; None for a fraction at a cut by rank.

        Whether a case is above such a cut depends on the other cases.
        """
        kind = self.declaration.sampling
        return None if isinstance(kind, Share) and not self.at_threshold else kind

    @property
    def ends(self) -> tuple[float, float]:
        """The smallest and largest term of a mean over cases, or value of another measure."""
        kind = self.declaration.sampling
        if isinstance(kind, CaseMean | ProbabilityMean | Differentiable) and kind.ends is not None:
            return kind.ends(**dict(self.parameters))
        return self.declaration.range

    @property
    def value_range(self) -> tuple[float, float]:
        """The smallest and largest value with these parameters."""
        kind = self.declaration.sampling
        low, high = self.ends if isinstance(kind, Differentiable) else self.declaration.range
        return float(low), float(high)

    def quantum(self, *sizes: Any) -> Any:
        """The number that divides all values for these numbers of positives and negatives.

        A Fraction for Fractions, floats for arrays; None if none is declared, 0 if it is too small
        to compute. Values at a cut by rank are multiples only where there are no ties.
        """
        declared = self.declaration
        return declared.quantum and declared.quantum(*sizes, **dict(self.parameters))

    def __rshift__(self, other: Measure) -> Measure:
        """``auc >> accuracy``: the two-level measure, auc first."""
        return registry.makers["two_level"](self, other)

    def __rmul__(self, weight: float) -> Any:
        """``0.7 * auc``, to be added to ``0.3 * accuracy``: the linear combination."""
        if not isinstance(weight, numbers.Real):
            return NotImplemented
        return registry.Term(weight, self)

    __mul__ = __rmul__

    def _read(self, name: str, value: object) -> object:
        if value is None and self.declaration.defaults[name] is None:
            return None
        return read_argument(name, value, self.declaration.parameters[name])

    def _no_such(self, name: str) -> ParameterError:
        soft = self.declaration.subject == "probabilities" and name in _OF_LABELS
        if soft or (self.takes_classes and name in _OF_TWO_CLASSES):
            only = "does not apply to true probabilities"
            only = only if soft else "applies to scores for two classes only"
            return ParameterError((Argument(name), f" {only}"))
        if name in _OF_INTERVALS:
            return ParameterError(
                (f"{self.name} has no parameter ", Argument(name)),
                remedy=f'for a confidence interval use mm.interval(y_true, y_score, "{self}")',
            )
        if name in _ELSEWHERE and name not in self.declaration.parameters:
            remedy = f"use {_ELSEWHERE[name]}"
            return ParameterError((f"{self.name} has no parameter ", Argument(name)), remedy=remedy)
        allowed = list(self.declaration.parameters)
        if self.declaration.point:
            allowed += list(POINT_KEYWORDS)
        elif name in POINT_KEYWORDS:
            return ParameterError(
                f"{self.name} takes no operating point",
                remedy=("remove ", Argument(name)),
                argument=name,
            )
        if name in {"label", "score", "scores", "proba"}:
            return ParameterError(
                (f"{self.name} takes arrays and has no parameter ", Argument(name)),
                remedy="pass the columns of the data frame, or use "
                f"mm.interval(frame, {self.name!r}, label=..., score=...) or "
                f"mm.evaluate(frame, measures={self.name!r}, label=..., score=...)",
            )
        options = list(_read_options(self._reader))[2:]
        weights = name in {"weight", "weights"} and "sample_weight" in options
        return ParameterError(
            (f"{self.name} has no parameter ", Argument(name)),
            remedy=("pass weights of cases as ", Argument("sample_weight"))
            if weights
            else f"it takes {_listed([*allowed, *options])}",
        )

    def _written(self, *, stated: bool = False) -> str:
        """The text; ``stated`` ones have what matters even where it is the default."""
        declared, given = self.declaration, dict(self.parameters)
        named = [
            f"{name}={_literal(given.get(name, default))}"
            for name, default in declared.defaults.items()
            if name in given or (stated and name in self._matter)
        ]
        text = f"{self.name}({', '.join(named)})" if named else self.name
        ranked = stated and self.point is not None and self.point.kind != "threshold"
        return f"{text}@{self.point}" if ranked or self.point != declared.point else text

    @property
    def _matter(self) -> frozenset[str]:
        """The parameters that are stated, without those that a given one excludes."""
        given, pairs = dict(self.parameters), self.declaration.exclusive
        excluded = {b for pair in pairs for a, b in (pair, pair[::-1]) if a in given}
        return self.declaration.stated - excluded

    @property
    def stated(self) -> str:
        """The text with the parameters and the point that matter even where they are the default.

        >>> from metameasure import auc, lift, partial_auc
        >>> auc.stated, lift.stated, partial_auc.stated
        ('auc', 'lift@top=10%', 'partial_auc(fpr=(0, 0.1))')
        """
        return self._written(stated=True)

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    @property
    def _identity(self) -> Any:
        """What equal measures have in common, besides the text."""
        return self.declaration

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Measure):
            return NotImplemented
        return self._text == other._text and bool(self._identity == other._identity)

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[Callable[..., Measure], tuple[Any, ...]]:
        return _restore, (self.name, self.parameters, self.point)

    @property
    def __signature__(self) -> inspect.Signature:
        """The signature for help and editors: all keywords with their defaults."""
        own = dict(self.declaration.defaults)
        if self.point:
            at = self.point
            own |= {n: at.value if kind == at.kind else None for n, kind in POINT_KEYWORDS.items()}
        options = _read_options(self._reader)
        if self.takes_probabilities:
            own["soft"] = False
        y_true, y_score, *rest = options.values()
        return inspect.Signature([y_true, y_score, *_keywords(own), *rest])


@cache
def _read_options(kind: Any) -> dict[str, inspect.Parameter]:
    """The parameters of ``read``: the data, then the options."""
    _, *options = inspect.signature(kind.read).parameters.values()
    return {option.name: option for option in options}


def _point(keyword: str, value: Any) -> Point:
    name = POINT_KEYWORDS[keyword]
    if not (isinstance(value, str) and value == "P"):
        kind, _ = POINT_SYNONYMS.get(name, (name, None))
        read_argument(keyword, value, POINT_VALUES[kind])  # type: ignore[index]
    return Point.named(name, value)


def _keywords(defaults: Mapping[str, Any]) -> list[inspect.Parameter]:
    keyword = inspect.Parameter.KEYWORD_ONLY
    return [inspect.Parameter(name, keyword, default=value) for name, value in defaults.items()]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def _literal(value: object) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(_literal(v) for v in value) + ")"
    if isinstance(value, str):
        return f'"{value}"'
    return str(value) if isinstance(value, bool) or value is None else shortest(value)  # type: ignore[arg-type]


def _restore(name: str, parameters: tuple[tuple[str, Any], ...], point: Point | None) -> Measure:
    known = registry.find(name)
    return type(known)(known.declaration, parameters, point)
