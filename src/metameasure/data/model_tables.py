"""The score tables of one or more models on the same cases, however they are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import amount
from metameasure.data import check_alone
from metameasure.data.models import read_models
from metameasure.errors import DataError
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metameasure.data import Predictions


@dataclass(frozen=True, eq=False)
class Tables:
    """The table of each model, and what is to be said of the cases.

    Attributes:
        by_model: the score table of each model.
        cases: how many cases there are; of a bare table, their weight.
        positives: how many of them are positive.
        dropped: how many cases were left out, since they lack a value.
        weighted: whether cases have weights that are no counts.
        like: the frame that the data came in.
    """

    by_model: Mapping[str, ScoreTable]
    cases: float
    positives: float
    dropped: int = 0
    weighted: bool = False
    like: Any = None

    @classmethod
    def of(cls, predictions: Predictions, like: Any = None) -> Tables:
        """The tables of validated predictions; a case without weight is none."""
        weight = predictions.weight
        kept = np.ones(predictions.n, dtype=bool) if weight is None else weight > 0
        return cls(
            {model: predictions.table(model) for model in predictions.scores},
            int(np.count_nonzero(kept)),
            int(np.count_nonzero(kept & predictions.positive)),
            predictions.dropped,
            weight is not None,
            like,
        )

    @classmethod
    def of_table(cls, table: ScoreTable) -> Tables:
        """A bare table, the weights of which are counts if they are whole."""
        if table.shape:
            raise DataError("this is for one table, not for a block")
        if not table.n:
            raise DataError("there are no cases: the table has no weight")
        counts = not np.any(table.pos % 1) and not np.any(table.neg % 1)
        return cls({"model": table}, float(table.n), float(table.P), weighted=not counts)

    @property
    def caption(self) -> str:
        """How many cases there are."""
        dropped = f", {self.dropped} left out for missing values" if self.dropped else ""
        weighted = "; weighted" if self.weighted else ""
        return f"{amount(self.cases)} cases, {amount(self.positives)} positive{dropped}{weighted}"


def read_tables(
    y_true: Any,
    y_score: Any,
    *,
    label: str | None,
    weight: str | None,
    sample_weight: Any,
    pos_label: Any,
    **options: Any,
) -> Tables:
    """The tables of arrays, a frame, or a ready table."""
    if isinstance(y_true, ScoreTable):
        check_alone(y_score, label, weight, sample_weight, pos_label, options.get("rescale"))
        return Tables.of_table(y_true)
    predictions, like = read_models(
        y_true,
        y_score,
        label=label,
        weight=weight,
        sample_weight=sample_weight,
        pos_label=pos_label,
        **options,
    )
    return Tables.of(predictions, like)
