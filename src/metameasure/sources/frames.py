"""Predictions from any data frame that narwhals knows; results in the same kind of frame."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals as nw

from metameasure.errors import DataError
from metameasure.predictions import NanPolicy, Predictions, Rescale
from metameasure.predictions.arrays import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Columns:
    """Which columns hold what."""

    label: str
    scores: tuple[str, ...]
    weight: str | None = None
    group: str | None = None

    @property
    def all(self) -> list[str]:
        """Every column that is needed, once."""
        named = [self.label, *self.scores, self.weight, self.group]
        return list(dict.fromkeys(name for name in named if name is not None))


def is_frame(values: Any) -> bool:
    """Whether narwhals knows this as a data frame, eager or lazy."""
    try:
        nw.from_native(values)
    except TypeError:
        return False
    return True


def choose_columns(
    frame: Any,
    label: str | None = None,
    scores: str | Sequence[str] | None = None,
    weight: str | None = None,
    group: str | None = None,
) -> Columns:
    """Check the columns that are named; find the label or the score only if one column can be it.

    A label has exactly two values; a score is any other number.
    """
    lazy = nw.from_native(frame).lazy()
    schema = lazy.collect_schema()
    named = [scores] if isinstance(scores, str) else list(scores or ())
    for name in (label, *named, weight, group):
        if name is not None and name not in schema:
            raise DataError(_no_column(name, list(schema)))
    if len(set(named)) < len(named):
        raise DataError(f"a score column is named twice: {shown(named)}")
    taken = {label, *named, weight, group}
    if label is None:
        label = _only(_two_valued(lazy, [c for c in schema if c not in taken]), "label", schema)
    if not named:
        numbers = [c for c in schema if c not in {*taken, label} and schema[c].is_numeric()]
        named = [_only(numbers, "score", schema)]
    return Columns(label, tuple(named), weight, group)


def read_frame(
    frame: Any,
    columns: Columns,
    *,
    pos_label: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
) -> Predictions:
    """The predictions in some columns of a frame; only these columns are read."""
    chosen = nw.from_native(frame).lazy().select(columns.all).collect()
    arrays = {name: _array(chosen[name], numeric=name in columns.scores) for name in columns.all}
    return Predictions.of(
        arrays[columns.label],
        {name: arrays[name] for name in columns.scores},
        pos_label=pos_label,
        sample_weight=None if columns.weight is None else arrays[columns.weight],
        group=None if columns.group is None else arrays[columns.group],
        nan_policy=nan_policy,
        rescale=rescale,
    )


def score_columns(frame: Any) -> Mapping[str, NDArray[Any]]:
    """Every column of a frame of scores."""
    eager = nw.from_native(frame).lazy().collect()
    return {name: _array(eager[name], numeric=True) for name in eager.columns}


def same_kind(data: Mapping[str, list[Any]], schema: Mapping[str, Any], like: Any) -> Any:
    """A new frame of the kind of ``like``; a polars one if that is None or lives elsewhere."""
    import polars as pl  # noqa: PLC0415

    made = pl.DataFrame(data, schema=schema)
    if like is None:
        return made
    kind = nw.from_native(like).implementation
    if kind in {nw.Implementation.PANDAS, nw.Implementation.PYARROW, nw.Implementation.MODIN}:
        return nw.from_dict(
            {name: made[name].to_list() for name in made.columns},
            schema=nw.from_native(made).schema,
            backend=kind,
        ).to_native()
    return made


def _array(column: nw.Series[Any], *, numeric: bool) -> NDArray[Any]:
    kind = column.dtype
    if isinstance(kind, (nw.Categorical, nw.Enum)):
        column = column.cast(nw.String)
    elif isinstance(kind, nw.Decimal):
        column = column.cast(nw.Float64)
    elif isinstance(kind, nw.String) and numeric:
        _refuse_text(column)
    array: NDArray[np.generic] = column.to_numpy()
    return array


def _refuse_text(column: nw.Series[Any]) -> None:
    for row, value in enumerate(column.to_list()):
        try:
            float(value if value is not None else "nan")
        except ValueError:
            raise DataError(
                f"column {shown([column.name])} holds {shown([value])} at row {row}, which is no "
                "number: mend or leave out that row"
            ) from None
    raise DataError(f"column {shown([column.name])} holds numbers as text: convert it to numbers")


def _two_valued(lazy: nw.LazyFrame[Any], names: list[str]) -> list[str]:
    if not names:
        return []
    counts = lazy.select(nw.col(name).drop_nulls().n_unique().alias(name) for name in names)
    found = counts.collect()
    return [name for name in names if found[name].item() == 2]


def _only(candidates: list[str], what: str, schema: Any) -> str:
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        return _fail(f"no column can be the {what}; the columns are {shown(schema)}", what)
    return _fail(f"{len(candidates)} columns can be the {what}: {shown(candidates, 8)}", what)


def _fail(message: str, what: str) -> str:
    raise DataError(f"{message}. Name it: {'label' if what == 'label' else 'scores'}=...")


def _no_column(name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {shown(near)}?" if near else f"the columns are {shown(names, 8)}"
    return f"there is no column {shown([name])}; {hint}"
