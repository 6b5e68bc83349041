"""Lists whose true probabilities are known: what measures are held against an ideal on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from metameasure._arguments import Choice, Real, Whole, read_argument
from metameasure.data import read_scores
from metameasure.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Lists = tuple[Any, Any, Any]
"""Whether cases are positive, their scores, and their true probabilities or None."""


class ListGenerator(Protocol):
    """What draws lists of cases."""

    def draw(self, count: int, rng: np.random.Generator) -> Lists:
        """Whether cases are positive, their scores, and their true probabilities or None.

        Scores are (count, n), the others (count, n) or (n,).
        """
        ...


@dataclass(frozen=True, eq=False)
class Perturbed:
    """See ``perturbed``."""

    noise: float
    probabilities: Floats
    edges: str

    def draw(self, count: int, rng: np.random.Generator) -> Lists:
        """Whether cases are positive, their scores, and their true probabilities."""
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
    """Lists whose scores are the true probabilities with noise (Huang, 2006, section 4.2).

    Cases whose true probability is above one half are positive.

    Args:
        noise: scores lie uniformly within this distance of the true probability.
        cases: the length of a list, whose true probabilities are then 1/n, 2/n, ..., 1.
        probabilities: true probabilities instead of these.
        edges: what becomes of scores beyond 0 and 1: "clip" puts them there, which agrees with
            the figures that Huang printed; "truncate" draws from the part of the interval that
            lies between 0 and 1, which is what he describes.
    """
    reach = read_argument("noise", noise, Real(0, 1, open_low=True))
    if probabilities is None:
        n = read_argument("cases", cases, Whole(2))
        truth = np.arange(1, n + 1) / n
    else:
        truth, _ = read_scores(probabilities, "probabilities")
        if not ((truth >= 0) & (truth <= 1)).all():
            raise DataError("probabilities must lie in [0, 1], and none may be missing")
    if not 0 < np.count_nonzero(truth > 0.5) < truth.size:
        raise DataError(
            "probabilities above one half make positives, others negatives, and there must be both"
        )
    return Perturbed(reach, truth, read_argument("edges", edges, Choice(("clip", "truncate"))))
