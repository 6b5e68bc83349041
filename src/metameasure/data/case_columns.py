"""Columns of the same cases: each read and validated, of equal length, without missing values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from metameasure._arguments import Choice, read_argument
from metameasure._text import clipped
from metameasure.data.arrays import (
    as_array,
    either,
    kinds_of,
    missing_cases,
    missing_values,
    mixed_kinds,
)
from metameasure.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from metameasure._types import Floats, Mask
    from metameasure.data.arrays import NanPolicy

NAN_POLICY = Choice(("raise", "drop"))
NO_WEIGHT = "all remaining cases have weight 0"


@dataclass(frozen=True)
class Names:
    """The names of the data in messages: those of arguments, or of columns."""

    label: str = "y_true"
    weight: str = "sample_weight"
    group: str = "group"
    cluster: str = "cluster"
    scores: Mapping[str, str] = field(default_factory=dict)
    fold: str = "fold"

    def model(self, name: str) -> str:
        """The name of the scores of a model."""
        return self.scores.get(name, clipped(name))

    def argument(self, what: str) -> str | None:
        """The argument whose data have this name; None for a column."""
        if self.label != "y_true":
            return None
        data = (self.label, "y_score", self.weight, self.group, self.cluster, self.fold)
        return what if what in data else "scores"


ARGUMENTS = Names()


@dataclass(frozen=True)
class ByName:
    """A dict of columns by name."""

    def read(self, value: object) -> Mapping[str, Any]:
        """The dict."""
        if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
            raise ValueError(value)
        return value

    def __str__(self) -> str:
        return "a dict of columns by name"


BY_MODEL = ByName()


class CaseRows(ABC):
    """Validated columns of the same cases; subclasses are dataclasses with some of these fields.

    Attributes:
        weight: the weight of each case; None if all weigh 1.
        group: the group of each case; None if there are no groups.
        cluster: the cluster of each case; None if cases are independent.
        fold: the fold of each case in a cross-validation; None if there are no folds.
        dropped: the number of cases that were dropped because a value is missing.
        dropped_group: their groups.
    """

    scores: Mapping[str, Floats]
    weight: Floats | None = None
    group: NDArray[Any] | None = None
    cluster: NDArray[Any] | None = None
    fold: NDArray[Any] | None = None
    dropped: int = 0
    dropped_group: NDArray[Any] | None = None

    @property
    @abstractmethod
    def n(self) -> int:
        """The number of cases."""

    @abstractmethod
    def where(self, rows: NDArray[Any] | slice) -> Self:
        """Some of the cases, given by a mask or by indices."""

    def without(self, missing: Mask | None) -> Self:
        """The rows without some cases, which are counted."""
        if missing is None:
            return self
        kept = self.where(~missing)
        if kept.weight is not None and not kept.weight.any():
            raise DataError(NO_WEIGHT)
        lost = None if self.group is None else self.group[missing]
        dropped = int(np.count_nonzero(missing))
        found: Self = replace(kept, dropped=dropped, dropped_group=lost)  # type: ignore[type-var]
        return found


class ColumnReader:
    """A reader of columns of the same cases, the first of which has their true values.

    As a context, it adds to an error the argument that the column was passed as. After it,
    ``missing`` is the mask of the cases to drop (None: there are none).

    >>> from metameasure.data.scores import read_scores
    >>> with ColumnReader(ARGUMENTS, "drop") as reader:
    ...     true = reader.read([1.0, 2.0], read_scores, "y_true")
    ...     guess = reader.read([0.5, None], read_scores, "y_score")
    >>> reader.missing
    array([False,  True])
    """

    missing: Mask | None = None

    def __init__(self, names: Names, nan_policy: NanPolicy, what: str = "cases") -> None:
        read_argument("nan_policy", nan_policy, NAN_POLICY)
        self._names, self._nan_policy, self._what = names, nan_policy, what
        self._current, self._cases = names.label, -1
        self._lack: list[tuple[str, Mask | None]] = []

    def read(self, values: Any, reader: Callable[..., Any], called: str) -> Any:
        """The array of a column, as a reader of values and their name returns it."""
        self._current = called
        array, lacking = reader(values, called)
        if self._cases < 0:
            self._cases = array.size
        check_length(array, called, self._cases, self._names)
        self._lack.append((called, lacking))
        return array

    def optional(self, values: Any, reader: Callable[..., Any], called: str) -> Any:
        """The same for a column that may be None."""
        return None if values is None else self.read(values, reader, called)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if error is not None:
            self._name(error)
            return
        try:
            self._finish()
        except DataError as found:
            self._name(found)
            raise

    def _finish(self) -> None:
        label = self._names.label
        self._current = next((name for name, rows in self._lack if rows is not None), label)
        self.missing = missing_cases(self._lack, self._nan_policy)
        if not self._cases:
            self._current = label
            raise DataError(f"there are no {self._what}: {label} is empty")

    def _name(self, error: object) -> None:
        if isinstance(error, DataError):
            error.caused_by(self._names.argument(self._current))


def check_length(values: NDArray[Any], what: str, cases: int, names: Names) -> None:
    """Refuse a column whose length is not the number of cases."""
    if values.size != cases:
        raise DataError(f"{names.label} and {what} differ in length: {cases} and {values.size}")


def read_groups(groups: Any, what: str = "group") -> tuple[NDArray[Any], Mask | None]:
    """The group of each case, and the mask of missing ones (None: there are none)."""
    values, masked = as_array(groups, what)
    missing = either(masked, missing_values(values))
    named: Any = ()
    if values.dtype.kind == "O":
        named = values if missing is None else values[~missing]
    elif isinstance(groups, (list, tuple)) and values.dtype.kind in "iuf":
        named = groups  # in which a bool has become a number
    kinds = kinds_of(named)
    for example in kinds.values():
        if not isinstance(example, Hashable):
            raise DataError(f"{what} must be names or numbers, got {type(example).__name__}")
    if len(kinds) > 1:
        raise mixed_kinds(kinds, what, "names")
    return values, missing
