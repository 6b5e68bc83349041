"""Plans: how sure one wants to be, and how resamples are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from metameasure._arguments import (
    COUNT,
    read_argument,
    read_confidence,
    read_seed,
    read_workers,
)

RESAMPLES = 2000
SEED = 1
"""Fixed, so that the same data have the same interval."""


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """The confidence that is asked for, and the resamples for what needs them."""

    ci: float = 0.95
    resamples: int = RESAMPLES
    seed: int | None = SEED
    stratified: bool = False
    workers: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "ci", read_confidence(self.ci))
        resamples = read_argument("resamples", self.resamples, COUNT)
        object.__setattr__(self, "resamples", resamples)
        object.__setattr__(self, "seed", read_seed(self.seed))
        read_workers(self.workers)

    @property
    def drawing(self) -> dict[str, Any]:
        """What a function that resamples has to know."""
        return {**self.of_one, "resamples": self.resamples, "workers": self.workers}

    @property
    def of_one(self) -> dict[str, Any]:
        """What a function that draws single resamples has to know."""
        return {"seed": self.seed, "stratified": self.stratified}
