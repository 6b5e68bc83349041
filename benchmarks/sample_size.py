"""Simulated widths, powers and ranges of sample sizes, as in docs/uncertainty.md.

    python -m benchmarks.sample_size      about two minutes

Prints one JSON object. `widths` and `powers` are means over studies of the size that was computed,
with their standard errors. `ranges` has, for each measure, the fraction of pilots whose range
contains the number of cases at which intervals have the requested width.
"""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtri

import metameasure as mm

if TYPE_CHECKING:
    from metameasure._types import Floats, Mask

SEED = 1982
STUDIES, TESTS, PILOTS, LARGE = 200, 1000, 40, 15
"""Numbers of studies per width and per power, of pilots per measure, and of large studies."""
WIDTHS = ((0.8, 0.3, 0.05), (0.8, 0.3, 0.1), (0.9, 0.05, 0.1), (0.7, 0.5, 0.15))
"""AUC, prevalence and width."""
TESTED = (
    {"value": (0.8, 0.87), "correlation": 0.5},
    {"value": (0.87, 0.8), "correlation": 0.5},
    {"value": (0.8, 0.8), "correlation": 0.5, "margin": 0.05},
)
PILOT_CASES = {
    "auc": 100, "brier": 100, "accuracy": 100, "average_precision": 150, "ks": 150,
    "f_measure": 150, "h_measure": 150,
}  # fmt: skip
WIDTH = 0.05


def normal_scores(
    rng: np.random.Generator, sizes: tuple[int, int], aucs: Any, correlation: float
) -> tuple[Mask, dict[str, Floats]]:
    """Labels, and normal scores of two models with equal variances."""
    label = np.repeat([True, False], sizes)
    first, other = rng.normal(size=(2, label.size))
    second = correlation * first + math.sqrt(1 - correlation**2) * other
    a, b = math.sqrt(2) * ndtri(aucs)
    return label, {"a": first + a * label, "b": second + b * label}


def probabilities(rng: np.random.Generator, cases: int) -> tuple[Mask, Floats]:
    """Labels, 30% of them positive, and the probabilities of a model."""
    label = rng.random(cases) < 0.3
    return label, 1 / (1 + np.exp(1.2 - rng.normal(size=cases) - 1.5 * label))


def width_of(interval: mm.Interval) -> float:
    return interval.high - interval.low


def widths(rng: np.random.Generator, auc: float, prevalence: float, width: float) -> Any:
    """The mean width of the intervals of an AUC."""
    found = mm.sample_size("auc", width=width, value=auc, prevalence=prevalence)
    sizes = found.positives or 0, found.negatives or 0
    seen = []
    for _ in range(STUDIES):
        label, scores = normal_scores(rng, sizes, (auc, auc), 0.0)
        seen.append(width_of(mm.interval(label, scores["a"], "auc")))
    asked = {"auc": auc, "prevalence": prevalence, "width": width, "cases": found.cases}
    return asked | {"mean": np.mean(seen), "error": np.std(seen) / math.sqrt(STUDIES)}


def powers(rng: np.random.Generator, asked: dict[str, Any]) -> Any:
    """The fraction of comparisons of two AUCs that are significant."""
    found = mm.sample_size("auc", power=0.8, prevalence=0.3, **asked)
    sizes = found.positives or 0, found.negatives or 0
    rejected = 0
    for _ in range(TESTS):
        label, scores = normal_scores(rng, sizes, asked["value"], asked["correlation"])
        row = mm.compare(label, scores, "auc", margin=asked.get("margin")).rows[0]
        rejected += row.pvalue is not None and row.pvalue < 0.05
    power = rejected / TESTS
    error = math.sqrt(power * (1 - power) / TESTS)
    return asked | {"cases": found.cases, "power": power, "error": error}


def ranges(rng: np.random.Generator, measure: str, cases: int) -> Any:
    """How many ranges contain the number of cases that a pilot should answer."""
    rows = [
        mm.sample_size(measure, *probabilities(rng, cases), width=WIDTH, resamples=1000).rows[0]
        for _ in range(PILOTS)
    ]
    answer = round(math.exp(np.mean([math.log(row.cases) for row in rows])))
    seen = [
        width_of(mm.interval(*probabilities(rng, answer), measure, resamples=500))
        for _ in range(LARGE)
    ]
    needed = answer * (float(np.mean(seen)) / WIDTH) ** 2
    inside = sum((row.low or 0) <= needed <= (row.high or math.inf) for row in rows)
    asked = {"measure": measure, "pilot": cases, "answer": answer, "needed": round(needed)}
    return asked | {"inside": inside, "pilots": PILOTS}


def main() -> None:
    rng = np.random.default_rng(SEED)
    found = {
        "widths": [widths(rng, *one) for one in WIDTHS],
        "powers": [powers(rng, one) for one in TESTED],
        "ranges": [ranges(rng, *one) for one in PILOT_CASES.items()],
    }
    json.dump(found, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
