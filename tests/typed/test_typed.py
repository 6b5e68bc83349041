"""The typed programs run; that their types are right, mypy says in the lint step."""

import math

from typed import measures_as_values


def test_measures_as_values():
    assert all(map(math.isfinite, measures_as_values.main()))
