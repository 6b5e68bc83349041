"""Spaces: how the band of a curve is computed, by what the points of the curve are.

A kind of curve declares its space; each space is one object here.
"""

# ruff: noqa: ARG002 - the spaces share the signatures of their methods
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from metameasure.errors import Argument, DataError
from metameasure.inference.bands.confidence_tube import Tube, limits_by_score, rising_limits
from metameasure.inference.bands.resampled_roc import RankedClasses
from metameasure.inference.methods.wilson import wilson_limits_of_fractions
from metameasure.inference.resampling import generator

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure._types import Floats
    from metameasure.curves import CurveKind, CurveSpace
    from metameasure.inference.resampling import Drawing
    from metameasure.inference.sample import Sample
    from metameasure.table import ScoreTable

    Limits = list[tuple[Floats, Floats]]
    Heights = Callable[[int, np.random.Generator], Floats]

MODEL = "y_score"
"""The name of the only model of a sample that a band is made of."""
BLOCK, POOLED = 2**16, 2**18
"""Number of entries of a block of resamples; more where rows are pooled by a compiled kernel."""


def check_independent(sample: Sample, what: str, argument: str, instead: object) -> None:
    """Refuse cases that have weights or come in clusters."""
    if not sample.independent:
        raise DataError(
            f"{what} needs independent cases of equal weight",
            remedy=("use ", Argument(argument, instead)),
        )


@dataclass(frozen=True, eq=False)
class Points:
    """The points of a curve on a grid.

    Attributes:
        table: the table of the curve.
        x: the grid.
        lines: the height of each line.
        sizes: the effective numbers of positives, of negatives and of all cases.
    """

    table: ScoreTable
    x: Floats
    lines: Floats
    sizes: tuple[float, float, float]


class Space:
    """Base class: the curves of resamples, and the limits around a curve.

    Attributes:
        by_score: whether x is a score; else it lies in [0, 1].
        diagonal: whether there is a consistency band around the diagonal.
        entries: the number of entries of a block of resamples.
    """

    by_score: ClassVar[bool] = False
    diagonal: ClassVar[bool] = False
    entries: ClassVar[int] = BLOCK

    def heights(self, kind: CurveKind, sample: Sample, x: Floats, plan: Drawing) -> Heights:
        """A function that draws resamples and gives the heights of all lines on them."""

        def draw(tables: int, rng: np.random.Generator) -> Floats:
            counts = sample.draw(tables, rng, stratified=plan.stratified)
            curves = kind.compute(sample.block(MODEL, counts))
            return np.stack([curves.at(x), *(curves.at(x, line) for line in curves.others)])

        return draw

    def least_limits(self, at: Points, z: float) -> Limits:
        """The pointwise limits that a bootstrap must not be narrower than; z: a normal quantile.

        Where a curve has reached 0 or 1, so have the curves of all resamples, and a bootstrap shows
        no uncertainty. A fraction of a finite number of cases is uncertain even there. A resample
        also has no negative that scores higher than all observed ones, though the population may
        have some.
        """
        raise NotImplementedError

    def tube_limits(self, tube: Tube, x: Floats, lines: int) -> Limits:
        """The limits of the lines of a curve that stays within a tube."""
        raise NotImplementedError

    def exact_limits(self, sample: Sample, x: Floats, plan: Drawing) -> Limits | None:
        """Simultaneous limits that need no resamples; None if there are none for the sample."""
        return None


class Roc(Space):
    """True against false positive rates."""

    def heights(self, kind: CurveKind, sample: Sample, x: Floats, plan: Drawing) -> Heights:
        """The heights of ROC curves, without tables and curves."""
        ranked = RankedClasses.of(sample.places(MODEL))
        alone = sample.cluster is None and sample.count is None

        def draw(tables: int, rng: np.random.Generator) -> Floats:
            if alone:
                drawn = ranked.draw(tables, rng, stratified=plan.stratified)
            else:
                drawn = ranked.taken(sample.draw(tables, rng, stratified=plan.stratified))
            return ranked.roc(drawn, x)[np.newaxis]

        return draw

    def least_limits(self, at: Points, z: float) -> Limits:
        """Limits at thresholds whose false positive rate is uncertain, too.

        If only the true positive rate is off, it is by up to z standard deviations; if both rates
        are, each is by up to z / sqrt(2), as their squares add up. The limits include both. Below
        about 2.4 / ``negatives`` the threshold may lie above all negatives: the lower limit is 0.
        """
        positives, negatives, _ = at.sizes
        low, high = wilson_limits_of_fractions(at.lines[0], np.full(at.x.size, positives), z)
        tube = Tube.of(at.table, (positives, negatives, None), z / math.sqrt(2))
        ((least, most),) = tube.roc(at.x)
        return [(np.minimum(low, least), np.maximum(high, most))]

    def tube_limits(self, tube: Tube, x: Floats, lines: int) -> Limits:
        """The limits of the true positive rate."""
        return tube.roc(x)


class PrecisionRecall(Space):
    """Precision against recall."""

    def least_limits(self, at: Points, z: float) -> Limits:
        """The limits of a fraction of the cases that are predicted positive."""
        (precision,), (positives, _, cases) = at.lines, at.sizes
        taken = at.x * positives / np.maximum(precision, 1 / cases)
        return [wilson_limits_of_fractions(precision, np.maximum(taken, 1.0), z)]

    def tube_limits(self, tube: Tube, x: Floats, lines: int) -> Limits:
        """The limits of the precision."""
        return tube.precision_recall(x)


class Depth(Space):
    """One or both rates against the fraction of the cases that are predicted positive."""

    def least_limits(self, at: Points, z: float) -> Limits:
        """Limits of the fraction of a class within a fixed number of cases from the top.

        Both the cases of the class that are taken and those that are left vary as binomial numbers;
        one matters where the rate is near 1, the other where it is near 0.
        """
        *totals, cases = at.sizes
        taken, found = at.x * cases, []
        left = np.maximum(cases - taken, 0.0)
        for rate, total in zip(at.lines, totals, strict=False):
            more, fewer = (
                wilson_limits_of_fractions(
                    np.clip(part * total / np.maximum(size, 1e-9), 0.0, 1.0), size, z
                )[1]
                * size
                / total
                for part, size in ((rate, taken), (1 - rate, left))
            )
            low = rate - rate * np.maximum(fewer - (1 - rate), 0.0)
            high = rate + (1 - rate) * np.maximum(more - rate, 0.0)
            found.append((np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)))
        return found

    def tube_limits(self, tube: Tube, x: Floats, lines: int) -> Limits:
        """The limits of one or both rates."""
        return tube.gain(x) if lines == 1 else tube.rates_by_depth(x)


class Threshold(Space):
    """Both rates against the threshold."""

    by_score = True

    def least_limits(self, at: Points, z: float) -> Limits:
        """Wilson's limits of both rates."""
        return [
            wilson_limits_of_fractions(line, np.full(at.x.size, total), z)
            for line, total in zip(at.lines, at.sizes[:2], strict=True)
        ]

    def tube_limits(self, tube: Tube, x: Floats, lines: int) -> Limits:
        """The limits of both rates."""
        return tube.rates_by_score(x)

    def exact_limits(self, sample: Sample, x: Floats, plan: Drawing) -> Limits | None:
        """Exact binomial limits at all thresholds, of independent cases of equal weight."""
        if not sample.independent:
            return None
        rng = generator(np.random.SeedSequence(plan.seed))
        return limits_by_score(sample.tables[MODEL], x, plan.ci, plan.resamples, rng)


class Calibration(Space):
    """The fraction of positives against the score."""

    by_score = True
    diagonal = True
    entries = POOLED

    def least_limits(self, at: Points, z: float) -> Limits:
        """Limits of the fraction of positives, from the pools of the isotonic regression.

        As the true fraction rises with the score, no lower limit is below that of lower scores, and
        no upper one above that of higher scores.
        """
        table, hull = at.table, at.table.hull
        low, high = wilson_limits_of_fractions(
            hull.pos / hull.weight, hull.weight * (at.sizes[2] / table.n), z
        )
        knots = table.score[np.column_stack(table.pools).reshape(-1)][::-1]
        rising = np.repeat(np.maximum.accumulate(low[::-1]), 2)
        falling = np.repeat(np.minimum.accumulate(high)[::-1], 2)
        return [(np.interp(at.x, knots, rising), np.interp(at.x, knots, falling))]

    def exact_limits(self, sample: Sample, x: Floats, plan: Drawing) -> Limits | None:
        """The exact limits of any curve that rises."""
        check_independent(sample, "a simultaneous band of reliability", "simultaneous", False)
        low, high = rising_limits(sample.tables[MODEL], x, plan.ci)
        if np.any(low > high):
            raise DataError(
                f"no fraction of positives that rises with the score fits these cases at "
                f"ci={plan.ci}",
                remedy="check whether high scores mean the negative class",
            )
        return [(low, high)]


SPACES: dict[CurveSpace, Space] = {
    "roc": Roc(),
    "precision_recall": PrecisionRecall(),
    "depth": Depth(),
    "threshold": Threshold(),
    "calibration": Calibration(),
}
"""The spaces that kinds of curves declare."""
