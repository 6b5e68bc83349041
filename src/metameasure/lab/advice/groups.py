"""Groups of measures: recommended, worse, or undetermined.

A measure is *recommended* if its regret is shown to exceed that of the best measure by at most the
tolerance. The best measure is not known. So the regret has to be below that of every other measure
plus the tolerance, in tests at level 5%; this includes the best one, whichever it is, and the
measure with the smallest estimate has to pass the same tests. A false recommendation is a false
rejection in the comparison with the one measure that is the best. So the critical value is that of
Dunnett's comparisons with a control, with the estimated correlations of the measures and divided
between the sizes: the probability that any measure is recommended falsely is at most 5%.

A measure is *worse* if it is not recommended and its regret is significantly larger than that of
some other measure. That one was selected on the same cases, so that the critical value is that of
all pairs of measures. All other measures are *undetermined*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from metameasure.lab.model_choice.trials import LEVEL
from metameasure.measurement import tie_tolerance

if TYPE_CHECKING:
    from metameasure._types import Floats, Mask
    from metameasure.lab.model_choice.spread import Spread

Group = Literal["recommended", "worse", "undetermined"]
GROUPS: tuple[Group, ...] = get_args(Group)
RANGE = 2.0
"""Number of Monte Carlo errors within which another seed may lead to another group."""


@dataclass(frozen=True, eq=False)
class Standing:
    """How the measures stand at one size and one level of noise.

    Attributes:
        size: the number of cases per validation set.
        regret: the mean regret of each measure.
        error: its standard error.
        limit: the upper confidence limit of the difference between its regret and the smallest.
        recommended: whether the measure is as good as the best within the tolerance.
        worse: whether it is shown to be worse than the best.
        borderline: whether the limit may be on the other side of the tolerance with another seed.
        close: whether another seed may lead to another group.
        draw_error: the Monte Carlo error of the difference of each pair of regrets.
    """

    size: int
    regret: Floats
    error: Floats
    limit: Floats
    recommended: Mask
    worse: Mask
    borderline: Mask
    close: Mask
    draw_error: Floats

    def group(self, measure: int) -> Group:
        """The group of a measure."""
        if self.recommended[measure]:
            return "recommended"
        return "worse" if self.worse[measure] else "undetermined"


def standing(
    size: int,
    regret: Floats,
    spread: Spread,
    *,
    tolerance: float | None,
    sizes: int,
    rng: np.random.Generator,
) -> Standing:
    """How measures with these regrets stand at one of several sizes.

    Without a tolerance, all are undetermined.
    """
    critical = spread.critical_gaps(LEVEL / sizes, rng)
    gap = regret[:, np.newaxis] - regret
    above = _Ends.of(gap, spread, critical.from_one)
    below = _Ends.of(gap, spread, -critical.all_pairs)
    recommended = worse = borderline = close = np.zeros(regret.size, bool)
    if tolerance is not None:
        recommended = above.end <= tolerance
        worse = ~recommended & (below.end > tie_tolerance(regret))
        borderline = above.within(tolerance)
        close = borderline | (below.within(0.0) & ~recommended)
    return Standing(
        size=size,
        regret=regret,
        error=spread.errors(),
        limit=above.end,
        recommended=recommended,
        worse=worse,
        borderline=borderline,
        close=close,
        draw_error=spread.gap_errors_of_draws(),
    )


@dataclass(frozen=True, eq=False)
class _Ends:
    """Confidence limits of the largest difference of each measure from another one.

    Attributes:
        end: the limits; at least 0 if they are upper ones.
        unsure: how much they vary with the seed: their standard errors over draws and parts.
    """

    end: Floats
    unsure: Floats

    @classmethod
    def of(cls, gap: Floats, spread: Spread, critical: float) -> _Ends:
        """The limits from the differences of all pairs; lower ones if ``critical`` is negative."""
        from scipy.stats import t as student  # noqa: PLC0415

        df = spread.gap_df()
        by_cases = student.isf(student.sf(critical, spread.df), df) * spread.gap_errors()
        # Without subtracting the variance of the draws, the error is too large but known better.
        with_draws = critical * spread.gap_errors_with_draws()
        reach = np.where(np.abs(by_cases) <= np.abs(with_draws), by_cases, with_draws)
        relative = 1 / np.sqrt(2 * np.where(reach == by_cases, df, spread.df))
        unsure = np.hypot(spread.gap_errors_of_draws(), reach * relative)
        ends = gap + reach
        np.fill_diagonal(ends, 0.0 if critical > 0 else -np.inf)
        most = np.argmax(ends, axis=1)[:, np.newaxis]
        return cls(*(np.take_along_axis(each, most, 1)[:, 0] for each in (ends, unsure)))

    def within(self, value: float) -> Mask:
        """Whether the limits may be on the other side of a value with another seed."""
        return np.asarray(np.abs(self.end - value) < RANGE * self.unsure)
