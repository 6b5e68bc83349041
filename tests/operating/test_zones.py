"""Zones of optimality that several models share."""

import json

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from metameasure import optimality_zones

Y, S = [1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1]
COMMAS = ["b, twice", "c"]


def frame(kind):
    """Three models that decide alike, two of which have names with a comma or of one letter."""
    return kind({"y": Y, "a": S, COMMAS[0]: [2 * s for s in S], COMMAS[1]: [3 * s for s in S]})


def shared(kind=pl.DataFrame):
    return optimality_zones(frame(kind), ["a", *COMMAS], label="y")


def test_models_that_share_a_point_are_names_even_with_commas():
    zones = shared()
    assert {row.also for row in zones.rows if row.model == "a"} == {tuple(COMMAS)}
    rows = json.loads(zones.to_json())["rows"]
    assert [row["also"] for row in rows if row["model"] == "a"] == [COMMAS] * len(rows)
    assert optimality_zones(Y, {"only": S}).rows[0].also == ()


@pytest.mark.parametrize(
    ("kind", "column"),
    [(pl.DataFrame, list), (pd.DataFrame, list), (pa.table, lambda column: column.to_pylist())],
)
def test_in_a_frame_they_are_one_text(kind, column):
    found = shared(kind).frame()
    assert set(column(found["also"])) == {"b, twice, c"}
