"""Which of two models each measure prefers, on blocks of pairs with and without noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from metameasure.errors import Argument, DataError
from metameasure.lab.measures import block_values
from metameasure.lab.perturbation.model_pairs import Pairs
from metameasure.measurement import preference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats
    from metameasure.lab.perturbation.model_pairs import PairGenerator
    from metameasure.lab.perturbation.noise import Noise
    from metameasure.measurement import Measure
    from metameasure.table import ScoreTable


@dataclass(frozen=True)
class Study:
    """The work on one block of pairs."""

    generator: PairGenerator
    name: str
    noise: Noise
    measures: tuple[Measure, ...]

    def __call__(self, task: tuple[int, Sequence[float]], rng: np.random.Generator) -> Floats:
        """Numbers of errors, changes and undefined pairs: (levels, measures, 3)."""
        count, levels = task
        pairs = self.draw(count, rng)
        before, _ = self._judged(pairs, "without noise")
        found = []
        for level in levels:
            noisy = self.noise(pairs, level, rng)
            errors, undefined = self._judged(noisy, f"with {self.name} noise of {level:g}")
            changes = np.abs(errors - before)
            found.append([array.sum(axis=-1) for array in (errors, changes, undefined)])
        return np.moveaxis(np.array(found), 1, -1)

    def draw(self, count: int, rng: np.random.Generator) -> Pairs:
        """Pairs from the generator, checked."""
        pairs = self.generator.draw(count, rng)
        if not isinstance(pairs, Pairs) or pairs.better.shape[0] != count:
            raise DataError(f"{self.generator}.draw({count}, rng) must return {count} Pairs")
        return pairs

    def _judged(self, pairs: Pairs, when: str) -> tuple[Floats, Floats]:
        """Where each measure prefers the worse model, and where it is undefined."""
        if not isinstance(pairs, Pairs):
            raise DataError(f"noise {self.name} must return Pairs, got {type(pairs).__name__}")
        tables = pairs.tables()
        self._check_scores(tables, when)
        values = [block_values(measure, tables) for measure in self.measures]
        preferred = [
            prefers_worse(measure, *both)
            for measure, both in zip(self.measures, values, strict=True)
        ]
        undefined = [np.isnan(both).any(axis=0) for both in values]
        return np.array(preferred), np.array(undefined, dtype=np.float64)

    def _check_scores(self, tables: ScoreTable, when: str) -> None:
        low, high = float(tables.score[..., -1].min()), float(tables.score[..., 0].max())
        if math.isnan(high):  # NaN is sorted as the highest score
            raise DataError(f"there are scores that are NaN {when}")
        if low >= 0 and high <= 1:
            return
        for measure in self.measures:
            if _needs_probabilities(measure):
                raise DataError(
                    f"{measure} needs scores in [0, 1], but they range from {low:g} to {high:g} "
                    f"{when}",
                    remedy=("use ", Argument("noise", "clipped_scores"), " or drop the measure"),
                )


def prefers_worse(measure: Measure, better: Floats, worse: Floats) -> Floats:
    """1 where a measure prefers the worse model, 0 where the better one, 1/2 where it is tied."""
    return (1 - preference(measure.goodness(better), measure.goodness(worse))) / 2


def _needs_probabilities(measure: Measure) -> bool:
    """Whether its values are meaningless for scores outside [0, 1]."""
    parts = getattr(measure, "parts", None)
    if parts:
        return any(map(_needs_probabilities, parts))
    return measure.unit_scores and measure.family != "scored"
