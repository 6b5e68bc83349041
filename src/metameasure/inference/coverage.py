"""How well intervals cover, from the simulation whose results come with the package."""

from __future__ import annotations

import json
import math
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from metameasure.measurement import Measure


@cache
def _studied() -> dict[str, dict[str, dict[str, float]]]:
    """The coverage by measure, method and number of cases in the smaller class."""
    file = files("metameasure.inference").joinpath("coverage.json")
    found: dict[str, dict[str, dict[str, float]]] = json.loads(file.read_text(encoding="utf-8"))
    return found


def known_coverage(measure: Measure, method: str, n_pos: int, n_neg: int) -> float | None:
    """Coverage in the simulation at the nearest sample size; None if it was not studied.

    The figures are from the study in ``benchmarks/coverage``.
    """
    sizes = _studied().get(str(measure), {}).get(method)
    if not sizes:
        return None
    fewest = max(min(n_pos, n_neg), 1)
    nearest = min(sizes, key=lambda size: abs(math.log(float(size) / fewest)))
    return sizes[nearest]
