"""A data set: attributes that are numbers or levels, missing values, and a target."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from metameasure._text import some_names
from metameasure.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars as pl

    from metameasure._types import Floats, Indices, Mask


@dataclass(frozen=True)
class Attribute:
    """A column: its name and, if it is nominal, its levels.

    Attributes:
        name: the name of the column.
        levels: the levels of a nominal attribute; None for a numeric one.
    """

    name: str
    levels: tuple[str, ...] | None = None


@dataclass(frozen=True, eq=False)
class Dataset:
    """Cases with attributes and a target, in the form that the learners read.

    Attributes:
        name: the name in the catalog.
        attributes: the columns, in order.
        values: one row per case; numbers, or the index of the level; NaN if it is missing.
        classes: the names of the classes; empty if the target is a number.
        target: the index of the class of each case, or the number to predict.
        origin: where the data come from.
        notes: what differs from the published data set, to be printed with each result.
    """

    name: str
    attributes: tuple[Attribute, ...]
    values: Floats
    classes: tuple[str, ...]
    target: Indices | Floats
    origin: str
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return (
            f"<Dataset {self.name}: {len(self)} rows, {len(self.attributes)} attributes, "
            f"{f'{len(self.classes)} classes' if self.classes else 'numeric target'}, "
            f"{self.origin}>"
        )

    @property
    def nominal(self) -> tuple[int, ...]:
        """The number of levels of each attribute; 0 for numeric ones."""
        return tuple(0 if each.levels is None else len(each.levels) for each in self.attributes)

    @property
    def counts(self) -> dict[str, int]:
        """The number of cases of each class."""
        found = np.bincount(self.target.astype(np.intp), minlength=len(self.classes))
        return dict(zip(self.classes, found.tolist(), strict=True))

    @property
    def complete(self) -> Mask:
        """Which cases have no missing value."""
        return np.asarray(~np.isnan(self.values).any(axis=1))

    def take(self, cases: Indices | Mask) -> Dataset:
        """The data set with these cases only."""
        return replace(self, values=self.values[cases], target=self.target[cases])

    def keep(self, names: Iterable[str]) -> Dataset:
        """The data set with these attributes only."""
        columns = [self._column(name) for name in names]
        kept = tuple(self.attributes[column] for column in columns)
        return replace(self, attributes=kept, values=self.values[:, columns])

    def drop(self, names: Iterable[str]) -> Dataset:
        """The data set without these attributes."""
        dropped = {self._column(name) for name in names}
        kept = [each.name for i, each in enumerate(self.attributes) if i not in dropped]
        return self.keep(kept)

    def binary(self, positive: str | Iterable[str]) -> Dataset:
        """Two classes: ``negative`` (0), and ``positive`` (1), which pools the classes named.

        >>> from metameasure.experiments import balance
        >>> balance().binary("L").counts
        {'negative': 337, 'positive': 288}
        """
        named = {positive} if isinstance(positive, str) else set(positive)
        unknown = named - set(self.classes)
        if unknown or not named or len(named) == len(self.classes):
            raise ParameterError(
                f"positive must name some of the classes of {self.name}, "
                f"{some_names(self.classes)}, but not all, got {some_names(sorted(named))}",
                argument="positive",
            )
        inside = np.array([name in named for name in self.classes])
        return replace(
            self,
            classes=("negative", "positive"),
            target=inside[self.target.astype(np.intp)].astype(np.intp),
        )

    def encoded(self) -> Floats:
        """Numbers only: each level becomes a column of 0 and 1, for learners that need it.

        A missing number becomes the mean of its column and a missing level zeros; a column without
        any number becomes 0.
        """
        columns = []
        for attribute, column in zip(self.attributes, self.values.T, strict=True):
            missing = np.isnan(column)
            if attribute.levels is None:
                mean = 0.0 if missing.all() else float(column[~missing].mean())
                columns.append(np.where(missing, mean, column)[:, None])
            else:
                columns.append((column[:, None] == np.arange(len(attribute.levels))).astype(float))
        return np.concatenate(columns, axis=1) if columns else np.empty((len(self), 0))

    def frame(self) -> pl.DataFrame:
        """The data set as a data frame, with levels and classes by name; the target is last."""
        import polars as pl  # noqa: PLC0415

        columns = {}
        for attribute, column in zip(self.attributes, self.values.T, strict=True):
            columns[attribute.name] = _named(column, attribute.levels)
        columns["class"] = _named(self.target.astype(float), self.classes or None)
        return pl.DataFrame(columns)

    def _column(self, name: str) -> int:
        names = [each.name for each in self.attributes]
        if name not in names:
            raise ParameterError(
                f"{self.name} has no attribute {name!r}, its attributes are {some_names(names)}",
                argument="names",
            )
        return names.index(name)


def _named(column: Floats, levels: tuple[str, ...] | None) -> list[str | float | None]:
    if levels is None:
        return [None if np.isnan(value) else value for value in column.tolist()]
    return [None if np.isnan(value) else levels[int(value)] for value in column.tolist()]
