"""Which of two models measures prefer, on blocks of pairs, without noise and with it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from metameasure.errors import DataError
from metameasure.lab.block_values import block_values
from metameasure.lab.perturbation.model_pairs import Pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from metameasure.lab.perturbation.model_pairs import PairGenerator
    from metameasure.lab.perturbation.noise import Noise
    from metameasure.measurement import Measure
    from metameasure.table import ScoreTable

    Floats = NDArray[np.float64]

ROUNDING = 1e-13
"""By how much, relatively, two sums that stand for the same value may differ."""
LEAST = 1e-15
"""By how much they may differ where the value is a difference that is close to 0."""


@dataclass(frozen=True)
class Study:
    """What is done with one block of pairs."""

    generator: PairGenerator
    name: str
    noise: Noise
    measures: tuple[Measure, ...]

    def __call__(self, task: tuple[int, Sequence[float]], rng: np.random.Generator) -> Floats:
        """Errors, changes and undefined pairs: (levels, measures, 3)."""
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
        """The pairs that the generator gives, checked."""
        pairs = self.generator.draw(count, rng)
        if not isinstance(pairs, Pairs) or pairs.better.shape[0] != count:
            raise DataError(f"draw({count}, rng) of {self.generator} must give Pairs of {count}")
        return pairs

    def _judged(self, pairs: Pairs, when: str) -> tuple[Floats, Floats]:
        """How far each measure prefers the worse model, and where it has no value."""
        if not isinstance(pairs, Pairs):
            raise DataError(f"the noise {self.name} must give Pairs, not {type(pairs).__name__}")
        tables = pairs.tables()
        self._check_scores(tables, when)
        values = [block_values(measure, tables) for measure in self.measures]
        preferred = [
            preference(measure, *both) for measure, both in zip(self.measures, values, strict=True)
        ]
        undefined = [np.isnan(both).any(axis=0) for both in values]
        return np.array(preferred), np.array(undefined, dtype=np.float64)

    def _check_scores(self, tables: ScoreTable, when: str) -> None:
        low, high = float(tables.score[..., -1].min()), float(tables.score[..., 0].max())
        if math.isnan(high):  # NaN is sorted as the highest score
            raise DataError(f"{when} there are scores that are NaN")
        if low >= 0 and high <= 1:
            return
        for measure in self.measures:
            if _needs_probabilities(measure):
                raise DataError(
                    f"{measure} needs scores in [0, 1], but {when} they run from {low:g} to "
                    f'{high:g}: take noise that is clipped, as "clipped_scores" is, or leave the '
                    "measure out"
                )


def preference(measure: Measure, better: Floats, worse: Floats) -> Floats:
    """How far a measure prefers the worse models: 1, or 0; one half if it cannot tell.

    It cannot where both values are the same but for rounding, or where one is NaN.
    """
    better, worse = measure.goodness(better), measure.goodness(worse)
    tied = np.isclose(better, worse, rtol=ROUNDING, atol=LEAST)
    tied |= np.isnan(better) | np.isnan(worse)
    return np.where(tied, 0.5, (worse > better) * 1.0)


def _needs_probabilities(measure: Measure) -> bool:
    """Whether scores beyond [0, 1] make its values meaningless; of a combination, any part's."""
    parts = getattr(measure, "parts", None)
    if parts:
        return any(map(_needs_probabilities, parts))
    return measure.unit_scores and measure.family != "scored"
