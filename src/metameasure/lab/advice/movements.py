"""Hit rates that rise with label noise, and why.

Noise makes choices more random, and so it raises the hit rate of a measure that misses the best
model more often than a random choice does. There are two reasons for that. A measure may prefer a
model for its kind of scores. Or the models that it chooses are nearly as good as the best: which of
these is the best on the remaining cases is then decided by chance, and a model that looks better on
the cases drawn looks worse on the others. Redrawn labels also move the prevalence toward one half,
and with it the models that some measures prefer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from metameasure._text import number
from metameasure._text import percent as percentage
from metameasure.lab.advice.recommendation import CERTAIN, MOST_NAMES, listed, percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.lab.model_choice.question import Question
    from metameasure.lab.model_choice.trials import Findings

LEAST_RISE = 0.02
"""Rise of a hit rate that is explained."""


@dataclass(frozen=True, eq=False)
class Rise:
    """The largest rise of the hit rate of a measure over all sizes and levels of noise."""

    measure: int
    found: Findings
    noise: int
    size: float

    @property
    def hits(self) -> tuple[float, float]:
        """The hit rates without and with noise."""
        before, after = self.found.hit.value[self.measure, [0, self.noise]].tolist()
        return before, after

    def reason(self, models: Sequence[str], tolerance: float) -> str:
        """Why it rises."""
        chance = 1 / len(models)
        regret = float(self.found.regret.value[self.measure, 0])
        before, after = self.found.chosen[self.measure, [0, self.noise]]
        less = int(np.argmin(after - before))
        if self.hits[0] >= chance:
            return (
                "redrawn labels move the prevalence of validation sets toward one half, which can "
                "change the models that a measure prefers"
            )
        if regret <= tolerance:
            return (
                f"the models chosen are nearly as good as the best (mean regret at most "
                f"{number(tolerance)}), and of these a model that looks better on the cases drawn "
                f"looks worse on the others; noise makes the choice more random (hit rate of a "
                f"random choice: {chance:.3f})"
            )
        return (
            f"without noise it prefers {models[less]} to better models (chosen in "
            f"{percentage(before[less])} of the draws, with noise in {percentage(after[less])}); "
            f"noise makes the choice more random (hit rate of a random choice: {chance:.3f})"
        )


def explain_rises(
    findings: Sequence[Findings], question: Question, models: Sequence[str], tolerance: float
) -> list[str]:
    """Sentences on the hit rates that rise with noise, one per reason, the largest rise first."""
    rises = [rise for place in range(len(question.measures)) if (rise := _largest(findings, place))]
    by_reason: dict[str, list[Rise]] = {}
    for rise in sorted(rises, key=lambda each: -each.size):
        by_reason.setdefault(rise.reason(models, tolerance), []).append(rise)
    return [_sentence(some, why, question) for why, some in by_reason.items()]


def _largest(findings: Sequence[Findings], measure: int) -> Rise | None:
    """The largest rise of a measure that is worth an explanation and not due to the draws."""
    rises = [
        Rise(measure, found, noise, size)
        for found in findings
        for noise in range(1, found.hit.value.shape[1])
        if (size := _size(found, measure, noise)) >= LEAST_RISE
    ]
    return max(rises, key=lambda rise: rise.size, default=None)


def _size(found: Findings, measure: int, noise: int) -> float:
    """By how much noise raises the hit rate, if that is not due to the draws; else 0."""
    hit = found.judgments.hit[measure]
    change = hit[noise] - hit[0]
    change = change[np.isfinite(change)]
    error = float(change.std() / np.sqrt(change.size))
    return float(change.mean()) if change.mean() > CERTAIN * error else 0.0


def _sentence(rises: Sequence[Rise], reason: str, question: Question) -> str:
    parts = []
    for rise in rises[:MOST_NAMES]:
        before, after = rise.hits
        noise = percent([question.noise[rise.noise]])
        where = f"{rise.found.size} cases, {noise} noise"
        parts.append(
            f"{question.measures[rise.measure]} (from {before:.3f} to {after:.3f}; {where})"
        )
    if len(rises) > MOST_NAMES:
        parts.append(f"{len(rises) - MOST_NAMES} others")
    one = len(rises) == 1
    head = f"The hit rate{'' if one else 's'} of {listed(parts)} {'rises' if one else 'rise'}"
    return f"{head} with label noise: {reason}."
