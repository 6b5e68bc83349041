"""A permutation test of two models: the scores of each case are exchanged at random.

Where a measure is not smooth (a calibration error near 0, a maximum or a cut with few positives),
resamples vary more than samples do, and a bootstrap test hardly ever rejects. If the two scores of
a case could as well be those of the other model, exchanging them changes nothing, and the p-value
is exact. It is not if the models differ in other ways and have the same value: calibration errors
of calibrated models with different spread are biased by different amounts. Only ranks are exchanged
if only they count, as the scales of the scores may differ.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from metameasure.inference.effective import independent_units
from metameasure.inference.methods.method import ANY, Method, register
from metameasure.inference.resampling import BLOCK, draw_in_blocks
from metameasure.inference.sample import Sample
from metameasure.measurement import tie_tolerance
from metameasure.table import Places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats
    from metameasure.errors import Argument
    from metameasure.inference.paired import Difference, PairPlan
    from metameasure.inference.sample import AnySample
    from metameasure.measurement import Measure
    from metameasure.progress import Progress


class Swapped(Method):
    """The distribution of the difference when the scores of random cases are exchanged."""

    name = "swapped"
    reference = "venkatraman1996"
    paired_kinds = ANY
    any_cases = True

    def unfit(
        self, measure: Measure, sample: AnySample, *, paired: bool, margin: bool
    ) -> tuple[str | Argument, ...] | None:
        """Why it cannot be used: scores of several classes are not exchanged."""
        if not isinstance(sample, Sample) or sample.count is not None:
            return ("needs the rows of two classes",)
        return super().unfit(measure, sample, paired=paired, margin=margin)

    def differences(
        self,
        empty: Sequence[Difference],
        sample: AnySample,
        plan: PairPlan,
        progress: Progress | None,
    ) -> list[Difference]:
        """The test of each pair, with the same exchanges."""
        assert isinstance(sample, Sample)  # noqa: S101 - see unfit
        if sample.too_few:
            return [replace(one, reason=one.reason or sample.too_few) for one in empty]
        return [
            one
            if one.reason
            else _tested(one, exchanged(one, sample, plan, progress), sample, plan)
            for one in empty
        ]


def exchanged(
    pair: Difference, sample: Sample, plan: PairPlan, progress: Progress | None
) -> Floats:
    """The differences of the two values after random exchanges; NaN where one is undefined."""
    measure = pair.measure
    scores = [_comparable(measure, sample, model) for model in (pair.a, pair.b)]
    twice = Places.of(
        np.concatenate(scores),
        np.tile(sample.positive, 2),
        None if sample.weight is None else np.tile(sample.weight, 2),
    )

    def draw(tables: int, rng: np.random.Generator) -> Floats:
        swapped = rng.integers(0, 2, (tables, sample.units)).astype(np.float64)
        if sample.cluster is not None:
            swapped = np.take(swapped, sample.cluster, axis=1)
        counts = np.concatenate([1 - swapped, swapped], axis=1)
        first, second = (
            measure.of_block(twice.tables(each))
            for each in (counts, np.roll(counts, sample.size, 1))
        )
        with np.errstate(invalid="ignore"):
            return np.asarray(first - second)[np.newaxis]

    drawn = draw_in_blocks(draw, 4 * sample.size, BLOCK, plan, progress)
    return np.asarray(drawn[0])


def _comparable(measure: Measure, sample: Sample, model: str) -> Floats:
    """The scores of a model, or their ranks if a measure depends on nothing else."""
    if "monotone" not in measure.declaration.invariant_to:
        return np.asarray(sample.scores[model], np.float64)
    places = sample.places(model)
    table = sample.tables[model]
    middle = (table.tp + table.fp)[1:] - table.weight / 2
    return np.asarray(-middle[places.row])


def _tested(empty: Difference, drawn: Floats, sample: Sample, plan: PairPlan) -> Difference:
    """The limits and the p-value; limits are as far from the difference as chance reaches."""
    known = drawn[~np.isnan(drawn)]
    left_out = 1 - known.size / drawn.size
    if not known.size:
        return replace(empty, left_out=1.0, reason="no exchange has a difference")
    tolerance = float(tie_tolerance(empty.difference))
    if plan.margin is None:
        extreme = np.abs(known) >= abs(empty.difference) - tolerance
    else:
        extreme = known >= empty.ahead + plan.margin - tolerance
    reach = float(np.quantile(np.abs(known), plan.ci, method="higher"))
    if reach <= tolerance:
        same = sample.same_to(empty.measure, empty.a, empty.b)
        independent = independent_units(sample)
        return empty.judged(0.0, independent, independent, plan, same=same)
    reach += tolerance
    least, most = empty.measure.ends
    return replace(
        empty,
        low=max(empty.difference - reach, least - most),
        high=min(empty.difference + reach, most - least),
        pvalue=(1 + int(np.count_nonzero(extreme))) / (1 + known.size),
        left_out=left_out,
        resamples=drawn.size,
    )


register(Swapped())
