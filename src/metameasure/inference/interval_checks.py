"""The checks of intervals, and of the numbers of cases that they are computed from."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from metameasure.inference.coverage import cases_kind, known_coverage
from metameasure.inference.methods.method import is_point
from metameasure.inference.resampling import IN_A_TAIL
from metameasure.inference.sample import Sample
from metameasure.results import Check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from metameasure.inference.intervals import Interval
    from metameasure.inference.paired import Difference
    from metameasure.inference.sample import AnySample

FEW = 25
"""Number of cases, clusters or groups below which estimates are unreliable."""
LEFT_OUT = 0.01
"""Fraction of undefined resamples above which there is a check."""
BY_CHANCE = 0.05
"""Part of a difference that is due to chance, relative to its interval, that needs a check."""
COVERS = 0.92
"""Simulated coverage of 95% intervals below which there is a check."""

Found = tuple[str, str]
"""The code and the message of a check."""


def check_classes(n_pos: int, n_neg: int) -> Iterator[Found]:
    """Whether there are enough cases of both classes."""
    fewest, kind = min((n_pos, "positive"), (n_neg, "negative"))
    if fewest == 0:
        yield "MM02", f"no {kind} cases; measures that need both classes are undefined"
    elif fewest < FEW:
        few = f"{fewest} {kind} case{'s' * (fewest > 1)}"
        if max(n_pos, n_neg) < FEW:
            few = f"{n_pos} positive and {n_neg} negative cases"
        yield "MM01", f"only {few}; estimates are unreliable"


def check_clusters(sample: AnySample) -> Iterator[Found]:
    """Whether there are enough clusters."""
    if sample.cluster is not None and sample.units < FEW:
        yield "MM01", f"only {sample.units} clusters; intervals are unreliable"


def check_interval(interval: Interval, sample: AnySample | None) -> Iterator[Found]:
    """Whether an interval has limits, and whether they can be trusted."""
    if interval.reason:
        yield "MM12", f"no interval: {interval.reason}"
        return
    drawn = (interval.resamples or 0) + interval.left_out
    yield from check_drawn(drawn, interval.left_out / drawn if drawn else 0.0, interval.ci)
    yield from check_width(interval.low, interval.high)
    yield from check_bounds(interval)
    if isinstance(sample, Sample):
        yield from check_coverage(interval, sample)


def check_bounds(interval: Interval) -> Iterator[Found]:
    """Whether a finite value has an infinite limit."""
    if math.isinf(interval.high) and math.isfinite(interval.value):
        message = "the upper limit is infinite: the cases do not bound the value"
        clips = "clip" in interval.measure.declaration.parameters
        if clips and interval.method != "bound":
            name = interval.measure.name
            message += f"; a score of 0 or 1 may be wrong in other cases, see {name}(clip=1e-15)"
        yield "MM20", message


def check_coverage(interval: Interval, sample: Sample) -> Iterator[Found]:
    """Whether such intervals covered too little in simulations."""
    cases = cases_kind(sample)
    found = known_coverage(interval.measure, interval.method, sample.classes, cases)
    if found is not None and found.is_below(COVERS):
        kind = "" if cases == "independent" else f"{cases} cases, "
        message = (
            f"95% intervals by {interval.method} covered {found.coverage:.0%} in the most similar "
            f"simulations ({kind}{found.fewest:g} cases of the smaller class, {found.setting})"
        )
        yield "MM09", message


def check_drawn(drawn: int, left_out: float, ci: float) -> Iterator[Found]:
    """Whether there are enough resamples, and whether they have values."""
    if left_out > LEFT_OUT:
        yield "MM03", f"more than {LEFT_OUT:.0%} of the resamples are undefined and were excluded"
    if drawn and drawn * (1 - ci) / 2 < IN_A_TAIL:
        yield "MM15", f"{drawn} resamples are too few for a confidence of {ci:g}"


def check_width(low: float, high: float) -> Iterator[Found]:
    """Whether an interval has a width."""
    if is_point(low, high):
        yield "MM13", "the data do not vary; zero width does not mean certainty"


def check_chance(gap: Difference) -> Iterator[Found]:
    """Whether much of a difference is due to chance alone."""
    if abs(gap.by_chance) > BY_CHANCE * (gap.high - gap.low):
        part = f"{gap.by_chance:+.2g} of the difference is due to chance"
        yield "MM23", f"{part}; the limits and the p-value are those of the rest"


def checks_of(interval: Interval, sample: AnySample, model: str) -> tuple[Check, ...]:
    """The checks of one interval and of the cases that it is computed from."""
    found = list(check_clusters(sample))
    if isinstance(sample, Sample):
        found += check_classes(*sample.classes)
    found += check_interval(interval, sample)
    return tuple(Check(code, message, model) for code, message in found)
