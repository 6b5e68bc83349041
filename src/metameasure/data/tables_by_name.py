"""The score tables of several models on the same cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from metameasure._text import shown
from metameasure.data import warn_dropped
from metameasure.data.model_tables import Tables, read_tables
from metameasure.errors import DataError
from metameasure.table import ScoreTable

SAME_CASES = 1e-9
"""Weights that were added in another order differ by less, relative to their sum."""


def read_models(y_true: Any, scores: Any, **options: Any) -> Tables:
    """The tables of models from arrays, a frame or ready tables, and what to say of the cases."""
    if not isinstance(y_true, Mapping):
        found = read_tables(y_true, scores, **options)
        warn_dropped(found.dropped, int(found.cases), stacklevel=3)
        return found
    tables = named_tables(y_true, scores, **options)
    check_same_cases(tables)
    return replace(Tables.of_table(next(iter(tables.values()))), by_model=tables)


def named_tables(given: Mapping[Any, Any], scores: Any, **options: Any) -> dict[str, ScoreTable]:
    """The ready table of each model, by its name; nothing goes with them but ``nan_policy``."""
    extras = [scores, *(value for name, value in options.items() if name != "nan_policy")]
    if any(extra is not None for extra in extras):
        raise DataError("score tables have their labels, scores and weights: give them alone")
    tables = {str(name): table for name, table in given.items()}
    if len(tables) < len(given):
        raise DataError(f"two models have the same name: {shown(given)}")
    odd = [name for name, table in tables.items() if not isinstance(table, ScoreTable)]
    if odd:
        raise DataError(f"give the ScoreTable of each model: {shown(odd)} has none")
    if not tables:
        raise DataError("there is no model: give the scores of at least one")
    check_no_block(tables)
    return tables


def check_no_block(tables: Mapping[str, ScoreTable]) -> None:
    """Refuse blocks of tables."""
    for name, table in tables.items():
        if table.shape:
            raise DataError(f"give one table a model: {shown([name])} has a block")


def check_same_cases(tables: Mapping[str, ScoreTable]) -> None:
    """Refuse tables that have not as many cases of each class."""
    (first, right), *others = tables.items()
    for name, table in others:
        apart = max(abs(table.P - right.P), abs(table.N - right.N))
        if apart > SAME_CASES * right.n:
            raise DataError(
                f"the models were not judged on the same cases: {shown([first])} has "
                f"{right.P:g} positives and {right.N:g} negatives, {shown([name])} has "
                f"{table.P:g} and {table.N:g}"
            )
