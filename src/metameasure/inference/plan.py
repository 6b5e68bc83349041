"""Options of all functions of inference: the confidence, the resamples, the order of arguments."""

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
from metameasure._text import shown
from metameasure.data import ClassScores
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.table import ScoreTable

RESAMPLES = 2000
"""Default number of resamples."""
SEED = 1
"""Default seed; it is fixed, so that the same data have the same interval."""


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """The confidence, and how resamples are drawn."""

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
        """The arguments of a function that draws all resamples."""
        return {**self.of_one, "resamples": self.resamples, "workers": self.workers}

    @property
    def of_one(self) -> dict[str, Any]:
        """The arguments of a function that draws single resamples."""
        return {"seed": self.seed, "stratified": self.stratified}


def after_data(
    function: str, name: str, example: str, given: tuple[Any, Any, Any], kind: type
) -> tuple[Any, Any]:
    """The scores, and the measure or kind of curve, which comes after the data.

    A table contains its scores, so that the measure may follow it directly.
    """
    y_true, y_score, chosen = given
    if isinstance(y_true, (str, kind)):
        raise ParameterError(
            f"the data come first, then the {name}",
            remedy=f"{function}(y_true, y_score, {shown([str(y_true)])})",
            argument=name,
        )
    if chosen is None and isinstance(y_score, (str, kind)):
        if not isinstance(y_true, (ScoreTable, ClassScores)):
            raise DataError(
                "scores are missing", remedy=f"{function}(y_true, y_score, {shown([str(y_score)])})"
            )
        return None, y_score
    if chosen is None:
        raise ParameterError(
            (Argument(name), " is missing"), remedy=f"{function}(y_true, y_score, {example!r})"
        )
    return y_score, chosen
