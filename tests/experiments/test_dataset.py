"""Data sets as values: parts, pooled classes, encodings."""

from __future__ import annotations

import numpy as np
import pytest

from metameasure import experiments
from metameasure.errors import ParameterError


def test_classes_are_pooled() -> None:
    data = experiments.balance()
    assert data.binary(["L", "B"]).counts == {"negative": 288, "positive": 337}
    for wrong in ("X", [], ["L", "B", "R"]):
        with pytest.raises(ParameterError, match="positive must name some of the classes"):
            data.binary(wrong)


def test_parts_keep_what_they_are() -> None:
    data = experiments.tic_tac_toe()
    part = data.take(np.arange(10)).drop(["top-left-square"])
    assert part.values.shape == (10, 8)
    assert part.nominal == (3,) * 8
    assert part.keep(["bottom-right-square"]).values.tolist() == data.values[:10, 8:].tolist()
    with pytest.raises(ParameterError, match="has no attribute 'corner'"):
        data.drop(["corner"])
    assert "958 rows, 9 attributes, 2 classes" in repr(data)
