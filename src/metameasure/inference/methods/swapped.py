"""A permutation test of two models: the scores of each case are exchanged at random.

Where a measure is not smooth (a calibration error near 0, a maximum or a cut with few positives),
resamples vary more than samples do, and a bootstrap test hardly ever rejects. If the two scores of
a case could as well be those of the other model, exchanging them changes nothing, and the p-value
is exact but for one thing: exchanges with the observed difference count half (mid-p), since few
cases have few possible differences, and a p-value that counts all of these is too large. Only ranks
are exchanged if only they count, as the scales of the scores may differ. The calibration errors of
calibrated models are above 0 by chance, and by different amounts if their scores have different
spread: so what calibrated scores would have is subtracted.

Exchanges are drawn until a tenth of the planned number are as extreme as the observed difference
and the standard error of the limits is below 2% of their distance. The p-value is then that tenth,
divided by the number of exchanges until it was reached (Besag and Clifford, 1991), which keeps the
size of the test. A p-value below 0.1 is always that of all planned exchanges. Neighboring scores
are pooled for measures that pools serve. The pools are those of both models together, which no
exchange changes, so that the test remains exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from metameasure.inference.cell_exchange import CellExchange
from metameasure.inference.effective import independent_units
from metameasure.inference.exchange import Exchange
from metameasure.inference.methods.method import ANY, Method, register
from metameasure.inference.pooled_rows import COMPARED, agree, serves_by_declaration
from metameasure.inference.resampling import BLOCK, IN_A_TAIL, draw_in_blocks, generator, portion
from metameasure.inference.sample import Sample
from metameasure.measurement import tie_tolerance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats
    from metameasure.errors import Argument
    from metameasure.inference.paired import Difference, PairPlan
    from metameasure.inference.sample import AnySample
    from metameasure.measurement import Measure
    from metameasure.progress import Progress

EXTREME = 0.1
"""Fraction of the planned exchanges that must be extreme before drawing may stop."""
PRECISION = 0.02
"""Standard error of a limit, relative to the length of the interval, at which drawing may stop."""


class Swapped(Method):
    """The distribution of the difference when the scores of random cases are exchanged."""

    name = "swapped"
    reference = "venkatraman1996"
    paired_kinds = ANY
    any_cases = True
    limits_from = "quantiles"

    def unfit(
        self, measure: Measure, sample: AnySample, *, paired: bool, margin: bool, stratified: bool
    ) -> tuple[str | Argument, ...] | None:
        """Why it cannot be used: scores of several classes are not exchanged."""
        if not isinstance(sample, Sample) or sample.count is not None:
            return ("needs the rows of two classes",)
        return super().unfit(measure, sample, paired=paired, margin=margin, stratified=stratified)

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
            one if one.reason else _tested(one, sample, plan, portion(progress, part, len(empty)))
            for part, one in enumerate(empty)
        ]


@dataclass(frozen=True, eq=False)
class Exchanged:
    """The differences after random exchanges, and the one that they are compared with.

    Attributes:
        values: the differences in the order in which they were drawn; NaN where undefined.
        observed: the difference without an exchange, on the same rows.
        best: the best end of the measure.
        plan: the confidence, the margin and the planned number of exchanges.
        by_chance: the part of the difference that is due to chance and was subtracted.
    """

    values: Floats
    observed: float
    best: str | float
    plan: PairPlan
    by_chance: float = 0.0

    @property
    def known(self) -> Floats:
        """The differences that are defined."""
        return self.values[~np.isnan(self.values)]

    @property
    def tolerance(self) -> float:
        """The largest distance of equal differences."""
        return float(tie_tolerance(self.observed))

    @property
    def extremity(self) -> Floats:
        """1 for known differences further from the hypothesis than the observed one, 1/2 if equal.

        Half of the probability of the observed difference counts: the mid-p form of the test.
        """
        if self.plan.margin is None:
            further = np.abs(self.known) - abs(self.observed)
        else:
            ahead = -self.observed if self.best == "min" else self.observed
            further = self.known - (ahead + self.plan.margin)
        return np.heaviside(np.where(np.abs(further) <= self.tolerance, 0.0, further), 0.5)

    @property
    def enough(self) -> int:
        """Number of extreme differences at which drawing may stop."""
        return math.ceil(EXTREME * self.plan.resamples)

    @property
    def pvalue(self) -> float:
        """The sequential p-value of Besag and Clifford (1991).

        A test of all planned exchanges counts the observed difference as one of them.
        """
        upto = np.cumsum(self.extremity)
        if upto[-1] >= self.enough:
            return self.enough / (int(np.searchsorted(upto, self.enough)) + 1)
        return (1 + float(upto[-1])) / (1 + upto.size)

    @property
    def reach(self) -> float:
        """The largest size of a difference after an exchange whose p-value is above 1 - ci.

        It is infinite if there are too few exchanges for a p-value of 1 - ci.
        """
        sizes = np.sort(np.abs(self.known))
        before = np.searchsorted(sizes, sizes - self.tolerance, "left")
        upto = np.searchsorted(sizes, sizes + self.tolerance, "right")
        pvalues = (1 + sizes.size - (before + upto) / 2) / (1 + sizes.size)
        found = float(np.max(sizes, where=pvalues > 1 - self.plan.ci, initial=0.0))
        too_few = (sizes.size + 1) * (1 - self.plan.ci) < 1 - tie_tolerance(1.0)
        return math.inf if too_few and found > self.tolerance else found

    @property
    def error(self) -> float:
        """The standard error of the reach, from the order statistics around it."""
        size, share = self.known.size, self.plan.ci
        half = math.sqrt(size * share * (1 - share))
        places = np.clip([size * share - half, size * share + half], 0, size - 1).astype(np.int64)
        low, high = np.sort(np.abs(self.known))[places]
        return float(high - low) / 2

    def suffices(self) -> bool:
        """Whether drawing may stop."""
        if self.known.size * (1 - self.plan.ci) / 2 < IN_A_TAIL:
            return False
        many = self.extremity.sum() >= self.enough
        return bool(many) and self.error <= PRECISION * 2 * self.reach


def _tested(
    empty: Difference, sample: Sample, plan: PairPlan, progress: Progress | None
) -> Difference:
    """The limits and the p-value; limits are as far from the difference as chance reaches.

    They enclose the difference, also if some of it is due to chance and subtracted.
    """
    found = exchanged(empty, sample, plan, progress)
    if not found.known.size:
        return replace(empty, left_out=1.0, reason="no exchange has a difference")
    if found.reach <= found.tolerance:
        same = sample.same_to(empty.measure, empty.a, empty.b)
        independent = independent_units(sample)
        return empty.judged(0.0, independent, independent, plan, same=same)
    reach = found.reach + found.tolerance
    low, high = (empty.difference - found.by_chance + side * reach for side in (-1, 1))
    return replace(
        empty.between((min(low, empty.difference), max(high, empty.difference))),
        by_chance=found.by_chance,
        pvalue=found.pvalue,
        left_out=1 - found.known.size / found.values.size,
        resamples=found.values.size,
    )


def exchanged(
    pair: Difference, sample: Sample, plan: PairPlan, progress: Progress | None
) -> Exchanged:
    """The differences of the two values after random exchanges."""
    exchange = _exchange(pair, sample, plan)
    known = exchange.observed, pair.measure.best, plan, exchange.by_chance

    def draw(tables: int, rng: np.random.Generator) -> Floats:
        return exchange.random_differences(tables, rng)[np.newaxis]

    def stop(drawn: Floats) -> bool:
        return Exchanged(drawn[0], *known).suffices()

    (drawn,) = draw_in_blocks(draw, exchange.entries, BLOCK, plan, progress, stop)
    return Exchanged(drawn, *known)


def _exchange(pair: Difference, sample: Sample, plan: PairPlan) -> Exchange | CellExchange:
    """The exchange that takes the least time."""
    if pair.measure.threshold is not None and sample.independent:
        return CellExchange.of(pair.measure, sample, (pair.a, pair.b))
    return _on_few_rows(Exchange.of(pair.measure, sample, (pair.a, pair.b)), plan)


def _on_few_rows(exchange: Exchange, plan: PairPlan) -> Exchange:
    """The same exchange on pools of rows, if these serve the measure.

    They do by declaration, or if differences vary as they do without pooling.
    """
    pooled = exchange.pooled()
    if pooled is exchange or serves_by_declaration(exchange.measure):
        return pooled
    rng = generator(np.random.SeedSequence(plan.seed))
    swaps = [exchange.draw(1, rng) for _ in range(COMPARED)]
    whole, few = (
        np.concatenate([each.differences(swap) for swap in swaps]) for each in (exchange, pooled)
    )
    return pooled if agree(whole, few) else exchange


register(Swapped())
