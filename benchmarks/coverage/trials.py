"""One trial: every interval of every measure from one data set."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.coverage.populations import MODEL
from metameasure.evaluation import DEFAULT
from metameasure.inference import Method, Plan, interval_methods, measure_intervals
from metameasure.inference.methods import bootstrap as bootstrap_limits
from metameasure.inference.methods.method import find_method
from metameasure.inference.resampling import Drawing, jackknife, replicate
from metameasure.measurement import Measure, parse_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from metameasure.inference import Sample

    Floats = NDArray[np.float64]

Tried = Sequence[tuple[Measure, Method]]
Found = dict[tuple[Measure, Method], tuple[float, float]]

CI = 0.95
MEASURES = tuple(
    parse_list(
        [*DEFAULT, "auch", "discrimination", "miscalibration", "minimum_cost", "gini",
         "margin_auc", "mean_gap", "partial_auc", "rms", "tpr", "precision", "balanced_accuracy",
         "kappa", "lift", "tpr@fpr=0.1", "ece", "calibration_slope", "calibration_in_the_large",
         "net_benefit(t=0.3)"]
    )
)  # fmt: skip
RESAMPLED: tuple[Method, ...] = ("percentile", "basic", "bca")
"""The methods that every measure has."""


def special_methods(measure: Measure) -> Iterator[Method]:
    """The methods that a measure has besides those that every measure has."""
    for name in interval_methods():
        if name in {"auto", *RESAMPLED}:
            continue
        method = find_method(name)
        if method.name == name and method.applies_to(measure):
            yield name


TRIED = tuple(
    (measure, method) for measure in MEASURES for method in (*special_methods(measure), *RESAMPLED)
)
"""Each measure with each of its methods: the order of all results."""


def limits(sample: Sample, resamples: int, seed: int, tried: Tried = TRIED) -> Floats:
    """The limits of what is tried, of shape (tried, 2); NaN where there are none."""
    found = _specially(sample, resamples, seed, tried)
    found |= _from_resamples(sample, resamples, seed, tried)
    return np.array([found[one] for one in tried])


def _specially(sample: Sample, resamples: int, seed: int, tried: Tried) -> Found:
    found: Found = {}
    for method in dict.fromkeys(method for _, method in tried if method not in RESAMPLED):
        chosen = [measure for measure, its in tried if its == method]
        plan = Plan(ci=CI, method=method, resamples=resamples, seed=seed, workers=1)
        for (_, measure), interval in measure_intervals(sample, {MODEL: chosen}, plan).items():
            found[measure, method] = interval.low, interval.high
    return found


def _from_resamples(sample: Sample, resamples: int, seed: int, tried: Tried) -> Found:
    """The three intervals of each measure, all from the same resamples."""
    chosen = list(dict.fromkeys(measure for measure, method in tried if method in RESAMPLED))
    if not chosen:
        return {}
    table, asked = sample.tables[MODEL], {MODEL: chosen}
    drawn = replicate(sample, asked, Drawing(resamples=resamples, seed=seed, workers=1))
    left_out = jackknife(sample, asked, seed=seed)
    found: Found = {}
    for measure in chosen:
        value, ends = measure.value(table), measure.declaration.range
        values = drawn[MODEL, measure]
        values = values[~np.isnan(values)]
        if math.isnan(value) or not values.size:
            found |= {(measure, method): (math.nan, math.nan) for method in RESAMPLED}
            continue
        found[measure, "percentile"] = bootstrap_limits.percentile_limits(values, CI)
        found[measure, "basic"] = bootstrap_limits.basic_limits(value, values, ends, CI)
        left = left_out[MODEL, measure]
        found[measure, "bca"] = bootstrap_limits.bca_limits(value, values, left, CI)
    return found
