"""The typed programs run; that their types are right, mypy says in the lint step."""

import math


def test_measures_as_values():
    from typed import measures_as_values  # importing it declares a measure

    assert all(map(math.isfinite, measures_as_values.main()))
