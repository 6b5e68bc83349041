"""The checks of intervals, and of the numbers of cases that they are computed from."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from metameasure.inference.coverage import cases_kind, known_coverage
from metameasure.inference.effective import class_sizes, cluster_sizes
from metameasure.inference.methods.method import is_point, resamples_needed
from metameasure.inference.sample import ClassSample, ProbabilitySample, Sample
from metameasure.measurement import Extreme
from metameasure.results import Check

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from metameasure.inference.intervals import Interval
    from metameasure.inference.paired import Difference
    from metameasure.inference.sample import AnySample

FEW = 25
"""Number of cases, clusters or groups below which estimates are unreliable."""
LEFT_OUT = 0.01
"""Fraction of undefined resamples above which there is a check."""
SIGNIFICANT = 0.05
"""P-value below which a difference that may be due to chance is reported."""
BY_CHANCE = 0.05
"""Part of a difference that is due to chance, relative to its interval, that needs a check."""
COVERS = 0.92
"""Simulated coverage of 95% intervals below which there is a check."""
SKEWED = ("brier", "rms")
"""Measures whose intervals were too low for few cases with true probabilities."""
FEW_LOSSES = 100
"""Number of cases with true probabilities below which these need a check."""
SIMULATED = "77% to 98% of simulated samples of 25 and 50 cases"
"""Range of the coverage over the settings."""

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


def check_effective_units(sample: AnySample) -> Iterator[Found]:
    """Whether there are enough clusters of each class, and whether weights leave enough cases."""
    if sample.cluster is not None and sample.units < FEW:
        yield "MM01", f"only {sample.units} clusters; intervals are unreliable"
    elif sample.cluster is not None:
        for name, clusters, effective in _of_classes(sample, cluster_sizes(sample)):
            if clusters < FEW:
                few = f"only {clusters} cluster{'s' * (clusters > 1)} with {name}"
                yield "MM01", f"{few}; intervals are unreliable"
            elif effective < FEW:
                many = f"{clusters} clusters with {name} count as {effective:.3g} of equal weight"
                yield "MM01", f"{many}; intervals are unreliable"
    elif sample.weight is not None:
        for name, cases, effective in _of_classes(sample, class_sizes(sample)):
            if cases >= FEW > effective:
                many = f"{cases} {name} count as {effective:.3g} of equal weight"
                yield "MM01", f"{many}; estimates are unreliable"


def _of_classes(sample: AnySample, effective: Sequence[float]) -> Iterator[tuple[str, int, float]]:
    """The cases, the number of units and their effective number, of each class that has some."""
    names = ["cases"]
    if isinstance(sample, Sample):
        names = ["positive cases", "negative cases"]
    elif isinstance(sample, ClassSample):
        names = [f"cases of class {name!r}" for name in sample.classes]
    found = zip(names, sample.units_of_classes, effective, strict=True)
    yield from (one for one in found if one[1])


def check_interval(interval: Interval, sample: AnySample | None) -> Iterator[Found]:
    """Whether an interval has limits, and whether they can be trusted."""
    if interval.reason:
        yield "MM12", f"no interval: {interval.reason}"
        return
    drawn = (interval.resamples or 0) + interval.left_out
    left_out = interval.left_out / drawn if drawn else 0.0
    yield from check_drawn(drawn, left_out, interval.method, interval.ci)
    yield from check_width(interval.low, interval.high)
    yield from check_bounds(interval)
    if isinstance(sample, Sample):
        yield from check_coverage(interval, sample)
    elif isinstance(sample, ProbabilitySample):
        yield from check_skewness(interval, sample)


def check_bounds(interval: Interval) -> Iterator[Found]:
    """Whether a finite value has an infinite limit."""
    ends = {"lower": interval.low, "upper": interval.high}
    infinite = [end for end, limit in ends.items() if math.isinf(limit)]
    if infinite and math.isfinite(interval.value):
        limits = f"{infinite[0]} limit is" if len(infinite) == 1 else "limits are"
        message = f"the {limits} infinite: the cases do not bound the value"
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


def check_skewness(interval: Interval, sample: ProbabilitySample) -> Iterator[Found]:
    """Whether a few large losses may be missing from few cases with true probabilities."""
    if interval.measure.name in SKEWED and sample.units < FEW_LOSSES:
        few = f"{sample.units} {'cases' if sample.cluster is None else 'clusters'}"
        yield "MM09", f"{few} may lack rare large errors; 95% intervals covered {SIMULATED}"


def check_drawn(drawn: int, left_out: float, method: str, ci: float) -> Iterator[Found]:
    """Whether there are enough resamples, and whether they have values."""
    if left_out > LEFT_OUT:
        yield "MM03", f"more than {LEFT_OUT:.0%} of the resamples are undefined and were excluded"
    if drawn and drawn < resamples_needed(method, ci):
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
    kind = gap.measure.declaration.sampling
    unknown = isinstance(kind, Extreme) and kind.by_chance is not None and kind.chance_mean is None
    of_scores = "monotone" not in gap.measure.declaration.invariant_to
    if unknown and of_scores and gap.pvalue < SIGNIFICANT:
        above = f"{gap.measure} of calibrated models is above 0 by chance"
        yield "MM23", f"{above}, which depends on the spread of scores; the p-value ignores this"


def checks_of(interval: Interval, sample: AnySample, model: str) -> tuple[Check, ...]:
    """The checks of one interval and of the cases that it is computed from."""
    found = list(check_effective_units(sample))
    if isinstance(sample, Sample):
        found += check_classes(*sample.classes)
    found += check_interval(interval, sample)
    return tuple(Check(code, message, model) for code, message in found)
