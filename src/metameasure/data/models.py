"""Models on the same cases: the one container."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from metameasure._text import amount, shown
from metameasure.errors import Argument, DataError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from numpy.typing import NDArray

    from metameasure.data.case_columns import CaseRows
    from metameasure.data.class_cases import ClassCases
    from metameasure.data.frames import Columns
    from metameasure.data.orders import Orders
    from metameasure.data.parted_cases import PartedCases
    from metameasure.data.predictions import Predictions
    from metameasure.data.true_probabilities import SoftLabels
    from metameasure.table import ScoreTable

Model = TypeVar("Model")

SAME_CASES = 1e-9
"""Largest relative difference of sums of the same weights, added in another order."""


@dataclass(frozen=True, eq=False)
class Models:
    """One or more models on the same cases: a score table per model and, if known, the rows.

    Attributes:
        rows: the validated cases of two classes; None if only score tables are known.
        classes: the validated scores or predicted labels per model for more than two classes;
            None for two.
        orders: the validated true and predicted values of items; None for classes.
        soft: the validated true and predicted probabilities of cases; None for labels.
        like: the data frame that the data came in; results are frames of the same kind.
        columns: the columns of the data frame or file; None for other sources.
        parted: the score tables in parts, of cases that do not fit in memory; None for others.

    >>> from metameasure.data import read_models
    >>> models = read_models([1, 0, 1, 0], {"a": [0.9, 0.5, 0.5, 0.1]})
    >>> models.names, models.cases, models.positives, models.table("a")
    (['a'], 4, 2, <score table: 3 distinct scores, 2 positive, 2 negative>)
    """

    rows: Predictions | None = None
    classes: Mapping[str, ClassCases] | None = None
    orders: Orders | None = None
    soft: SoftLabels | None = None
    like: Any = None
    columns: Columns | None = None
    parted: PartedCases | None = None
    _ready: Mapping[str, ScoreTable] = field(default_factory=dict, repr=False)

    @classmethod
    def of_tables(cls, tables: Mapping[str, ScoreTable]) -> Models:
        """The models of ready score tables, which are checked."""
        if not tables:
            raise DataError("there is no model", remedy="pass the ScoreTable of at least one")
        for name, table in tables.items():
            if table.shape:
                raise DataError(
                    f"{shown([name])} is a block of {shown([table.shape])} score tables",
                    remedy="pass one table per model",
                )
            if not table.n:
                raise DataError(f"there are no cases: the table of {shown([name])} has no weight")
        return cls(_ready=dict(tables))

    @classmethod
    def of_classes(cls, scores: Mapping[str, ClassCases], **others: Any) -> Models:
        """The models of validated scores for the same classes, on the cases that all have."""
        (first, right), *rest = scores.items()
        for name, each in rest:
            if each.classes != right.classes:
                raise DataError(
                    f"models differ in their classes: {shown([name])} has scores for "
                    f"{shown(each.classes)}, {shown([first])} for {shown(right.classes)}",
                    remedy="pass the same columns for all models",
                )
        if any(each.shape for each in scores.values()):
            raise DataError("scores for several classes must be one set of cases, got a block")
        lacking = [each.kept for each in scores.values() if each.kept is not None]
        if rest and lacking:
            kept = np.logical_and.reduce(lacking)
            if not kept.any():
                raise DataError(f"none of the {kept.size} cases has the scores of all models")
            scores = {name: each.keeping(kept) for name, each in scores.items()}
        return cls(classes=dict(scores), **others)

    @property
    def subject(self) -> Literal["table", "classes", "order", "probabilities"]:
        """What the measures of these models are functions of."""
        if self.classes is not None:
            return "classes"
        if self.orders is not None:
            return "order"
        return "table" if self.soft is None else "probabilities"

    @property
    def case_rows(self) -> CaseRows | None:
        """The rows of two classes, of items, or of true probabilities; None for others."""
        return next((r for r in (self.rows, self.orders, self.soft) if r is not None), None)

    @property
    def names(self) -> list[str]:
        """The names of the models."""
        if self.case_rows is not None:
            return list(self.case_rows.scores)
        if self.parted is not None:
            return list(self.parted.tables)
        return list(self._ready if self.classes is None else self.classes)

    def table(self, name: str) -> ScoreTable:
        """The score table of one model, made when it is first asked for."""
        if name in self._ready:
            return self._ready[name]
        return self.rows_for("a score table").table(name)

    @property
    def tables(self) -> dict[str, ScoreTable]:
        """The score table of each model."""
        return {name: self.table(name) for name in self.names}

    def rows_for(self, purpose: str) -> Predictions:
        """The rows, for a purpose that score tables do not serve; an error if they are unknown."""
        if self.rows is not None:
            return self.rows
        if self.orders is not None:
            raise DataError(
                f"an order of items cannot be used for {purpose}",
                remedy=("pass labels of two classes, without ", Argument("order")),
            )
        if self.soft is not None:
            raise DataError(
                f"true probabilities cannot be used for {purpose}",
                remedy=("pass labels of two classes, without ", Argument("soft")),
            )
        if self.classes is not None:
            k = next(iter(self.classes.values())).k
            raise DataError(
                f"scores for {k} classes cannot be used for {purpose}",
                remedy="pass the scores of one class against the rest",
            )
        raise DataError(
            f"score tables do not hold the individual cases, which are needed for {purpose}",
            remedy=(
                *("pass ", Argument("y_true"), " and ", Argument("scores")),
                ", a data frame or a file",
            ),
        )

    @property
    def cases(self) -> float:
        """The number of cases that have weight; of bare tables, the sum of the weights."""
        return self._counted[0]

    @property
    def positives(self) -> float:
        """The number of positive cases that have weight, or of bare tables their weight.

        It is NaN for several classes, for orders and for true probabilities.
        """
        return self._counted[1]

    @property
    def _counted(self) -> tuple[float, float]:
        if self.classes is not None:
            scores = next(iter(self.classes.values()))
            used = scores.code.size if scores.weight is None else np.count_nonzero(scores.weight)
            return int(used), np.nan
        if self.parted is not None:
            return self.parted.n, self.parted.n_pos
        if self.rows is None and self.case_rows is not None:
            return self.case_rows.n, np.nan
        if self.rows is None:
            first = next(iter(self._ready.values()))
            return float(first.n), float(first.P)
        positive, weight = self.rows.positive, self.rows.weight
        if weight is not None:
            positive = positive[weight > 0]
        return positive.size, int(np.count_nonzero(positive))

    @property
    def in_parts(self) -> bool:
        """Whether no score table is in memory as a whole."""
        return self.parted is not None and not self._ready

    @property
    def dropped(self) -> int:
        """The number of cases that were dropped because a value is missing."""
        if self.case_rows is not None:
            return self.case_rows.dropped
        if self.parted is not None:
            return self.parted.dropped
        return next(iter(self.classes.values())).dropped if self.classes else 0

    @property
    def weighted(self) -> bool:
        """Whether cases have weights that are not counts."""
        if self.case_rows is not None:
            return self.case_rows.weight is not None
        if self.parted is not None:
            return self.parted.weighted
        weights = (part for table in self._ready.values() for part in (table.pos, table.neg))
        return any(np.any(part % 1) for part in weights)

    @property
    def positive_label(self) -> Any:
        """The positive label; None for bool, 0/1, -1/1 and unknown labels."""
        known = self.rows or self.parted
        return None if known is None else known.pos_label

    @property
    def caption(self) -> str:
        """The number of cases, in words."""
        weighted = "; weighted" if self.weighted else ""
        counted = self.cases, self.positives, self.dropped, self.positive_label
        return case_counts(*counted) + weighted

    def only(self, purpose: str) -> str:
        """The name of the single model; an error if there are several."""
        if len(self.names) != 1:
            raise DataError(
                f"{purpose} needs one model, got {len(self.names)}: {shown(self.names)}",
                remedy=("choose one, such as ", Argument("score", self.names[0])),
                argument="score",
            )
        return self.names[0]

    def choosing(self, names: Any) -> Models:
        """The models of these names alone; see ``choose_models``."""
        if names is None:
            return self
        if self.case_rows is not None:
            scores = choose_models(self.case_rows.scores, names)
            return self._with_rows(replace(self.case_rows, scores=scores))  # type: ignore[type-var]
        if self.classes is not None:
            return replace(self, classes=choose_models(self.classes, names))
        return replace(self, _ready=choose_models(self._ready, names))

    @property
    def _columns(self) -> CaseRows | ClassCases | None:
        """What has the columns of all cases; None of score tables."""
        return next(iter(self.classes.values())) if self.classes else self.case_rows

    @property
    def group(self) -> NDArray[Any] | None:
        """The group of each case or item; None if there are no groups."""
        return None if self._columns is None else self._columns.group

    @property
    def fold(self) -> NDArray[Any] | None:
        """The fold of each case or item; None if there are no folds."""
        return None if self._columns is None else self._columns.fold

    @property
    def dropped_group(self) -> NDArray[Any] | None:
        """The group of each case or item that was dropped."""
        return None if self._columns is None else self._columns.dropped_group

    def where(self, cases: NDArray[Any]) -> Models:
        """The models on some of the cases or items, which are known."""
        if self.classes is not None:
            of_models = {model: each.where(cases) for model, each in self.classes.items()}
            return Models(classes=of_models)
        rows = self.case_rows or self.rows_for("groups")
        return replace(self, columns=None, like=None)._with_rows(rows.where(cases))

    def _with_rows(self, rows: Any) -> Models:
        """The same with other rows of the same kind."""
        kind = next(one for one in ("rows", "orders", "soft") if getattr(self, one) is not None)
        return replace(self, **{kind: rows})

    def renamed(self, name: str) -> Models:
        """The same single model under another name."""
        if len(self.names) != 1:
            raise ParameterError(
                (Argument("name", name), f" is for one model, got {len(self.names)}")
            )
        if self.rows is None:
            return replace(self, _ready={name: self.table(self.names[0])})
        return replace(self, rows=self.rows.renamed(name))

    def check_same_cases(self) -> None:
        """Refuse ready tables that differ in the weight of a class."""
        if not self._ready:
            return
        (first, right), *others = self._ready.items()
        for name, table in others:
            apart = max(abs(table.P - right.P), abs(table.N - right.N))
            if apart > SAME_CASES * right.n:
                raise DataError(
                    f"the models were not evaluated on the same cases: {shown([first])} has "
                    f"{right.P:g} positives and {right.N:g} negatives, {shown([name])} has "
                    f"{table.P:g} and {table.N:g}"
                )


def case_counts(
    n: float, n_pos: float | None, dropped: int, positive: Any = None, what: str = "cases"
) -> str:
    """The numbers of cases or items in words, with the positive label unless that is None.

    >>> case_counts(300, 87, 0, "yes")
    "300 cases, 87 positive ('yes')"
    """
    label = "" if positive is None else f" ({shown([positive])})"
    positives = "" if n_pos is None else f", {amount(n_pos)} positive{label}"
    left_out = f", {dropped} left out for missing values" if dropped else ""
    return f"{amount(n)} {what}{positives}{left_out}"


def choose_models(models: Mapping[str, Model], names: Any) -> dict[str, Model]:
    """The models of one or more names, which commas may separate; all if ``names`` is None.

    >>> choose_models({"a": 1, "b": 2, "c": 3}, "c, a")
    {'c': 3, 'a': 1}
    """
    if names is None:
        return dict(models)
    listed = split_names(names.tolist() if isinstance(names, np.ndarray) else names, models)
    wanted = listed if isinstance(listed, (list, tuple)) else [listed]
    if not all(isinstance(name, str) or str(name) in models for name in wanted):
        problem = " must be names of models, since the data have their scores, got a "
        raise ParameterError(
            (Argument("scores"), problem, type(names).__name__),
            remedy="remove it, or pass later arguments by name",
        )
    for name in map(str, wanted):
        if name not in models:
            raise ParameterError(
                f"there is no model {shown([name])}",
                remedy=f"the models are {shown(models, 8)}",
                argument="scores",
            )
    if not wanted:
        raise ParameterError((Argument("scores"), " is empty"), remedy="name at least one model")
    return {name: models[name] for name in map(str, wanted)}


def named(values: Mapping[Any, Any], what: str = "models") -> dict[str, Any]:
    """The values by the names of their models or the like, as text."""
    by_name = {str(name): value for name, value in values.items()}
    if len(by_name) < len(values):
        raise DataError(f"two {what} have the same name: {shown(_equal_as_text(values))}")
    return by_name


def _equal_as_text(names: Iterable[Any]) -> list[Any]:
    """The first two of different names that have the same text."""
    first: dict[str, Any] = {}
    return next([first[str(n)], n] for n in names if first.setdefault(str(n), n) != n)


def split_names(names: Any, known: Collection[Any]) -> Any:
    """Names in which commas separate names, unless such a name is known."""
    if isinstance(names, str):
        names = (names,)
    if not isinstance(names, (list, tuple)):
        return names

    def parts(name: Any) -> list[Any]:
        single = not isinstance(name, str) or "," not in name or name in known
        return [name] if single else [part.strip() for part in name.split(",")]

    return [part for name in names for part in parts(name)]
