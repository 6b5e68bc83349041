"""Isotonic calibration: regression of the labels on the scores."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.data import NanPolicy, read_scores, read_table
from metameasure.errors import DataError

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.table import ScoreTable


@dataclass(frozen=True, eq=False)
class IsotonicCalibration:
    """A non-decreasing function from scores to probabilities, fitted to the cases of a table.

    A known score gets the fraction of positives in its pool: adjacent scores are pooled until that
    fraction increases with the score; the pools are the rows of the ROC convex hull. Probabilities
    are interpolated linearly between known scores and constant beyond them.

    >>> calibrate_isotonic([1, 0, 1, 0], [0.8, 0.6, 0.4, 0.2]).table
    <score table: 3 distinct scores, 2 positive, 2 negative>
    """

    known: ScoreTable

    @property
    def table(self) -> ScoreTable:
        """The pools: the highest score of each, and the weights of both classes."""
        return self.known.hull

    @cached_property
    def _probability(self) -> Floats:
        """The fraction of positives in each pool."""
        shares: Floats = self.table.pos / self.table.weight
        return shares

    @cached_property
    def _knots(self) -> tuple[Floats, Floats]:
        """The lowest and the highest score of each pool with its probability, increasing."""
        rows = np.column_stack(self.known.pools).reshape(-1)
        return self.known.score[rows][::-1], np.repeat(self._probability, 2)[::-1]

    def predict(self, scores: Any) -> Floats:
        """The probabilities of known or new scores.

        >>> calibrate_isotonic([1, 0, 1, 0], [0.8, 0.6, 0.4, 0.2]).predict([1, 0.8, 0.5, 0.3, 0])
        array([1.  , 1.  , 0.5 , 0.25, 0.  ])
        """
        values, missing = read_scores(scores, "scores")
        if missing is not None:
            raise DataError(
                f"{np.count_nonzero(missing)} of {values.size} values of scores are missing (NaN "
                f"or null), the first at row {np.argmax(missing)}",
                remedy="fill them in or drop them",
            )
        return np.interp(values, *self._knots)

    def frame(self) -> Any:
        """A polars frame of the known scores, from highest to lowest, with the cases at each.

        >>> calibrate_isotonic([1, 0, 1, 0], [0.8, 0.6, 0.4, 0.2]).frame()["probability"].to_list()
        [1.0, 0.5, 0.5, 0.0]
        """
        import polars as pl  # noqa: PLC0415

        first, last = self.known.pools
        return pl.DataFrame(
            {
                "score": self.known.score,
                "probability": np.repeat(self._probability, last - first + 1),
                "cases": self.known.weight,
            }
        )

    def __repr__(self) -> str:
        known, pools = self.known.score.size, self.table.score.size
        return f"<isotonic calibration: {known} distinct scores in {pools} pools>"


def calibrate_isotonic(
    y_true: Any,
    y_score: Any = None,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
) -> IsotonicCalibration:
    """Fit the probability of a positive as a non-decreasing function of the score.

    Evaluate the fit on other cases: on the cases that it was fitted to, miscalibration is 0. Scores
    may be any real numbers.

    Args:
        y_true: the labels, or a ScoreTable.
        y_score: the scores.
        pos_label: the label that counts as positive, unless labels are bool, 0/1 or -1/1.
        sample_weight: an array of weights.
        nan_policy: "raise", or "drop" to drop cases with missing values.

    >>> calibrate_isotonic([1, 0, 1, 0], [0.8, 0.6, 0.4, 0.2])
    <isotonic calibration: 4 distinct scores in 3 pools>
    """
    table = read_table(
        y_true,
        y_score,
        "calibrate_isotonic",
        pos_label=pos_label,
        sample_weight=sample_weight,
        nan_policy=nan_policy,
    )
    if table.shape:
        raise DataError("calibrate_isotonic takes one table, got a block of tables")
    if not table.n:
        raise DataError("there are no cases: the table has no weight")
    return IsotonicCalibration(table)
