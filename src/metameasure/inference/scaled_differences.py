"""Differences of two models of which one is scaled: a requirement such as 1.02 times a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metameasure.inference.methods.bootstrap import bootstrap_test
from metameasure.inference.paired import unjudged
from metameasure.inference.resampling import replicate

if TYPE_CHECKING:
    from metameasure.inference.paired import Difference, PairPlan
    from metameasure.inference.sample import AnySample
    from metameasure.measurement import Measure


def scaled_difference(
    sample: AnySample, measure: Measure, pair: tuple[str, str], factor: float, plan: PairPlan
) -> Difference:
    """The value of a minus that of b times a factor, with limits by the paired bootstrap."""
    a, b = pair
    first, second = (float(measure.quiet_value(sample.tables[model])) for model in pair)
    empty = unjudged(pair, measure, (first, factor * second), "bootstrap", factor=factor)
    if empty.reason:
        return empty
    drawn = replicate(sample, {model: [measure] for model in pair}, plan)
    scaled = factor * drawn[b, measure]
    return bootstrap_test(empty, drawn[a, measure], scaled, sample, plan)
