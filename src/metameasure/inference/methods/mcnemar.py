"""McNemar's test of two models that are right or wrong on the same cases."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metameasure.inference.methods.method import Method, register
from metameasure.inference.methods.wilson import wilson_limits
from metameasure.measurement import Share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure.inference.paired import Difference, PairPlan
    from metameasure.inference.sample import Sample
    from metameasure.measurement import Measure


def paired_limits(
    only_a: int, only_b: int, both: int, neither: int, ci: float
) -> tuple[float, float]:
    """The limits of the difference of two paired fractions (Newcombe, 1998, method 10).

    Wilson's limits of both fractions are combined as squares, corrected for the correlation of the
    two models' answers.
    """
    n = only_a + only_b + both + neither
    first, second = both + only_a, both + only_b
    a, b = first / n, second / n
    low_a, high_a = wilson_limits(first, n, ci)
    low_b, high_b = wilson_limits(second, n, ci)
    product = first * (n - first) * second * (n - second)
    covariance: float = both * neither - only_a * only_b
    if covariance > 0:
        covariance = max(covariance - n / 2, 0)
    phi = covariance / math.sqrt(product) if product else 0.0

    def reach(up: float, down: float) -> float:
        return math.sqrt(max(up * up - 2 * phi * up * down + down * down, 0.0))

    return a - b - reach(a - low_a, high_b - b), a - b + reach(high_a - a, b - low_b)


def counts_right(measure: Measure) -> bool:
    """Whether a measure is the fraction of right or of wrong answers at a threshold."""
    kind = measure.sampling
    return isinstance(kind, Share) and kind.right is not None


def right_answers(measure: Measure, sample: Sample, model: str) -> NDArray[np.bool_]:
    """Which cases a model puts on the right side of the threshold."""
    point: Any = measure.point
    above = sample.scores[model] >= float(point.value)
    return np.asarray(above == sample.positive)


class McNemar(Method):
    """The mid-p form of the test, with Newcombe's limits of the difference."""

    name = "mcnemar"
    reference = "fagerland2013"
    paired_kinds = (Share,)
    margin = False

    def pvalue(self, only_a: int, only_b: int) -> float:
        """The p-value of the hypothesis that two models are right equally often.

        Only the cases count on which one model is right and the other wrong. The exact form is
        conservative; the mid-p form, which counts half of the probability of the observed table,
        rejects at close to the nominal level (Fagerland, Lydersen and Laake, 2013).

        >>> McNemar().pvalue(1, 7)
        0.0390...
        """
        from scipy.special import bdtr  # noqa: PLC0415

        discordant, fewer = only_a + only_b, min(only_a, only_b)
        if discordant == 0:
            return 1.0
        upto = float(bdtr(fewer, discordant, 0.5))
        below = float(bdtr(fewer - 1, discordant, 0.5)) if fewer else 0.0
        # Where both tails coincide, half of the probability of the table is subtracted once.
        return 1 - (upto - below) / 2 if only_a == only_b else upto + below

    def applies_to_pairs(self, measure: Measure) -> bool:
        """Whether the measure counts right or wrong answers."""
        return counts_right(measure)

    def paired(self, empty: Difference, sample: Sample, plan: PairPlan) -> Difference:
        """The test, and the limits of the difference."""
        a, b = (right_answers(empty.measure, sample, model) for model in (empty.a, empty.b))
        only_a, only_b = int(np.count_nonzero(a & ~b)), int(np.count_nonzero(~a & b))
        both, neither = int(np.count_nonzero(a & b)), int(np.count_nonzero(~(a | b)))
        low, high = paired_limits(only_a, only_b, both, neither, plan.ci)
        if empty.measure.best == "min":
            low, high = -high, -low
        return replace(empty.between((low, high)), pvalue=self.pvalue(only_a, only_b))


class McNemarExact(McNemar):
    """The exact form."""

    name = "mcnemar_exact"
    reference = "mcnemar1947"

    def pvalue(self, only_a: int, only_b: int) -> float:
        """Twice the probability of as few or fewer cases on one side."""
        from scipy.special import bdtr  # noqa: PLC0415

        if only_a == only_b:
            return 1.0
        return min(1.0, 2 * float(bdtr(min(only_a, only_b), only_a + only_b, 0.5)))


class McNemarChi2(McNemar):
    """The chi-squared form with continuity correction."""

    name = "mcnemar_chi2"
    reference = "mcnemar1947"
    correction: ClassVar[int] = 1

    def pvalue(self, only_a: int, only_b: int) -> float:
        """The probability of a larger chi-square."""
        from scipy.special import chdtrc  # noqa: PLC0415

        if only_a == only_b:
            return 1.0
        distance = abs(only_a - only_b) - self.correction
        return float(chdtrc(1, distance**2 / (only_a + only_b)))


for _method in (McNemar(), McNemarExact(), McNemarChi2()):
    register(_method)
