"""Kinds of curves, and the decorator that declares one."""

from __future__ import annotations

import inspect
import warnings
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure._arguments import Choice, read_argument
from metameasure.data import DEFAULTS, DataOptions, option_names, read_one_table
from metameasure.errors import Argument, ParameterError, UndefinedMeasureWarning
from metameasure.measurement import A_CLASS_EMPTY, NO_POSITIVE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from metameasure._arguments import Parameter
    from metameasure.curves.curve import Curve
    from metameasure.table import ScoreTable

NO_CASE = "there is no case"
CurveSpace = Literal["roc", "precision_recall", "depth", "threshold", "calibration"]
OPTIONS = tuple(option_names(DataOptions))


@dataclass(frozen=True, eq=False, kw_only=True)
class CurveDeclaration:
    """The declaration of a kind of curve.

    Attributes:
        function: a function from a table or block to its curve.
        labels: axis labels of x and y.
        undefined: when the curve is undefined: "a class is empty", "there is no positive case" or
            "there is no case"; None if never.
        unit_scores: whether scores must lie in [0, 1].
        area: the measure that equals the area under the curve, as text; empty if there is none.
        parameters: the kind of each parameter.
        aliases: other names.
        reference: the key of its reference.
        space: what its points are, which decides how a band is computed; None if it has no band.
            A function of the parameters where it depends on them.
    """

    name: str
    function: Callable[..., Curve]
    labels: tuple[str, str]
    undefined: str | None = None
    unit_scores: bool = False
    area: str = ""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    reference: str = ""
    space: CurveSpace | Callable[..., CurveSpace | None] | None = None

    def __post_init__(self) -> None:
        words = Choice((A_CLASS_EMPTY, NO_POSITIVE, NO_CASE))
        read_argument("undefined", self.undefined, words, optional=True)

    @property
    def defaults(self) -> dict[str, Any]:
        """The parameters' default values, in their order."""
        signature = inspect.signature(self.function).parameters
        return {name: signature[name].default for name in self.parameters}


class CurveKind:
    """A function from a score table to a curve, together with its parameters.

    >>> from metameasure.curves import tpr_fpr
    >>> tpr_fpr.using(against="depth")
    tpr_fpr(against='depth')
    """

    def __init__(
        self, declaration: CurveDeclaration, parameters: tuple[tuple[str, Any], ...] = ()
    ) -> None:
        self.declaration = declaration
        self.parameters = parameters
        self.__doc__ = _describe(declaration)
        self.__name__ = self.__qualname__ = declaration.name
        self.__module__ = declaration.function.__module__

    @property
    def name(self) -> str:
        """The name without parameters."""
        return self.declaration.name

    @property
    def space(self) -> CurveSpace | None:
        """What the points of the curve are; None if it has no band."""
        declared = self.declaration.space
        return declared(**dict(self.parameters)) if callable(declared) else declared

    def __call__(
        self,
        /,
        y_true: Any,
        y_score: Any = None,
        **keywords: Any,
    ) -> Curve:
        """The curve of one model: labels and scores, a frame or file, a score table or a block."""
        if "scores" in keywords:  # the name that functions of several models have
            keywords["score"] = keywords.pop("scores")
        options: Any = {name: keywords.pop(name) for name in OPTIONS if name in keywords}
        chosen = self.using(**keywords) if keywords else self
        table = read_one_table(y_true, y_score, self.name, **options)
        return chosen.of(table, stacklevel=3)

    def of(self, table: ScoreTable, *, stacklevel: int = 2) -> Curve:
        """The curve of a table, or the curves of a block; NaN and a warning where undefined."""
        if self.declaration.unit_scores:
            table.require_unit(str(self))
        found = self.compute(table)
        undefined = int(np.count_nonzero(self.is_undefined(table)))
        if undefined:
            share = f" on {undefined} of {int(np.prod(table.shape))} tables" if table.shape else ""
            warnings.warn(
                f"{self} is undefined{share}: {self.declaration.undefined}",
                UndefinedMeasureWarning,
                stacklevel,
            )
        return found

    def compute(self, table: ScoreTable) -> Curve:
        """The curve, without checks and without a warning."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            found = self.declaration.function(table, **dict(self.parameters))
        labels = self.declaration.labels if found.labels == ("x", "y") else found.labels
        found = replace(found, name=self.name, labels=labels)
        lacking = self.is_undefined(table)
        if not np.any(lacking):
            return found
        after = (1,) * (found.y.ndim - lacking.ndim)
        none = np.where(lacking, np.nan, 0.0).reshape(*lacking.shape, *after)
        others = {name: line + none for name, line in found.others.items()}
        return replace(found, y=found.y + none, others=others)

    def is_undefined(self, table: ScoreTable) -> Any:
        """Which tables have no curve."""
        needed = {
            A_CLASS_EMPTY: np.minimum(table.P, table.N),
            NO_POSITIVE: table.P,
            NO_CASE: table.n,
        }
        undefined = self.declaration.undefined
        return np.asarray(np.ones(table.shape) if undefined is None else needed[undefined]) == 0

    def using(self, /, **parameters: Any) -> CurveKind:
        """This kind of curve with other parameters."""
        declared, given = self.declaration, dict(self.parameters)
        defaults = declared.defaults
        for name, value in parameters.items():
            if name not in declared.parameters:
                takes = ", ".join(declared.parameters) or "none"
                raise ParameterError(
                    (f"{self.name} has no parameter ", Argument(name)), remedy=f"it takes {takes}"
                )
            given[name] = value if value is None is defaults[name] else self._read(name, value)
        kept = tuple((n, given[n]) for n in defaults if n in given and given[n] != defaults[n])
        return CurveKind(declared, kept)

    def _read(self, name: str, value: object) -> object:
        return read_argument(name, value, self.declaration.parameters[name])

    def __str__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.parameters)
        return f"{self.name}({given})" if given else self.name

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CurveKind):
            return NotImplemented
        same = self.declaration is other.declaration
        return same and self.parameters == other.parameters

    def __hash__(self) -> int:
        return hash((self.name, self.parameters))

    def __reduce__(self) -> tuple[Callable[..., CurveKind], tuple[Any, ...]]:
        return _restore, (self.name, self.parameters)

    @property
    def __signature__(self) -> inspect.Signature:
        """The signature for help and editors: all keywords with their defaults."""
        own = inspect.signature(CurveKind.__call__).parameters
        named = {**self.declaration.defaults, **{name: DEFAULTS.get(name) for name in OPTIONS}}
        keywords = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
            for name, default in named.items()
        ]
        return inspect.Signature([own["y_true"], own["y_score"], *keywords])


_kinds: dict[str, CurveKind] = {}


def _restore(name: str, parameters: tuple[tuple[str, Any], ...]) -> CurveKind:
    return CurveKind(find_kind(name).declaration, parameters)


def curve_kinds() -> list[CurveKind]:
    """All kinds of curves, in the order of their declaration."""
    return list(_kinds.values())


def find_kind(name: str) -> CurveKind:
    """The kind of curve with this name or alias."""
    for kind in _kinds.values():
        if name in {kind.name, *kind.declaration.aliases}:
            return kind
    raise ParameterError(
        f"there is no curve {name!r}", remedy=f"use one of {', '.join(_kinds)}", argument="kind"
    )


def curve(x: str, y: str, **declared: Any) -> Callable[[Callable[..., Curve]], CurveKind]:
    """Declare a kind of curve with these axes; the other arguments are those of its declaration.

    The function gets a ScoreTable or a block and returns a Curve, whose name and labels are filled
    in. It must work along the last axis, and a row without weight must change nothing.
    """

    def register(function: Callable[..., Curve]) -> CurveKind:
        name = function.__name__
        made = CurveKind(CurveDeclaration(name=name, function=function, labels=(x, y), **declared))
        _kinds[name] = made
        return made

    return register


def _describe(declared: CurveDeclaration) -> str:
    """The docstring of a kind of curve, with its declared properties."""
    lines = [inspect.getdoc(declared.function) or "", ""]
    lines.append(f"x: {declared.labels[0]}. y: {declared.labels[1]}.")
    if declared.undefined:
        lines.append(f"Undefined (NaN) when {declared.undefined}.")
    if declared.unit_scores:
        lines.append("Scores must lie in [0, 1].")
    if declared.area:
        lines.append(f"Area: {declared.area}.")
    lines += [f"Parameter {name}: {kind}." for name, kind in declared.parameters.items()]
    if declared.aliases:
        lines.append(f"Also called: {', '.join(declared.aliases)}.")
    if declared.reference:
        lines.append(f"Reference: {declared.reference}.")
    return "\n".join(lines)
