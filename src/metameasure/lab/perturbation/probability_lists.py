"""Random lists with known true probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from metameasure._arguments import Choice, Real, Whole, read_argument
from metameasure.data import read_scores
from metameasure.errors import ParameterError

if TYPE_CHECKING:
    from metameasure._types import Floats


Lists = tuple[Any, Any, Any]
"""Positive or not, scores, and true probabilities or None, per case."""


class ListGenerator(Protocol):
    """An object that draws lists of cases."""

    def draw(self, count: int, rng: np.random.Generator) -> Lists:
        """Draw ``count`` lists: positive or not, scores, and true probabilities or None.

        Scores are (count, n), the other arrays (count, n) or (n,).
        """
        ...


@dataclass(frozen=True, eq=False)
class Perturbed:
    """See ``perturbed``."""

    noise: float
    probabilities: Floats
    edges: str

    def draw(self, count: int, rng: np.random.Generator) -> Lists:
        """Positive or not, scores and true probabilities, per case."""
        truth, size = self.probabilities, (count, self.probabilities.size)
        if self.edges == "clip":
            score = np.clip(truth + rng.uniform(-self.noise, self.noise, size), 0.0, 1.0)
        else:
            low, high = np.maximum(truth - self.noise, 0), np.minimum(truth + self.noise, 1)
            score = low + (high - low) * rng.random(size)
        return truth > 0.5, score, truth

    def __str__(self) -> str:
        edges = "" if self.edges == "clip" else f", edges={self.edges}"
        return f"perturbed({self.noise:g}, cases={self.probabilities.size}{edges})"


def perturbed(
    noise: float,
    cases: int = 20,
    *,
    probabilities: Any = None,
    edges: str = "clip",
) -> Perturbed:
    """Lists whose scores are true probabilities plus noise (Huang, 2006, section 4.2).

    Cases with a true probability above 1/2 are positive.

    Args:
        noise: the half-width of the uniform distribution of a score around the true probability.
        cases: the number n of cases per list, with true probabilities 1/n, 2/n, ..., 1.
        probabilities: the true probabilities, instead of these.
        edges: how scores outside [0, 1] are avoided: "clip" them, which reproduces the figures
            that Huang printed, or "truncate" the uniform distribution, which is what he describes.
    """
    reach = read_argument("noise", noise, Real(0, 1, open_low=True))
    if probabilities is None:
        n = read_argument("cases", cases, Whole(2))
        truth = np.arange(1, n + 1) / n
    else:
        truth, _ = read_scores(probabilities, "probabilities")
        if not ((truth >= 0) & (truth <= 1)).all():
            raise ParameterError("probabilities must be in [0, 1]", argument="probabilities")
    if not 0 < np.count_nonzero(truth > 0.5) < truth.size:
        raise ParameterError(
            "probabilities must have values above and values not above 1/2, to give both classes",
            argument="probabilities",
        )
    return Perturbed(reach, truth, read_argument("edges", edges, Choice(("clip", "truncate"))))
