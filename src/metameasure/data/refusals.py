"""Options that do not go together, refused by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metameasure.data.two_classes import NO_MATRIX
from metameasure.errors import Argument

if TYPE_CHECKING:
    from metameasure.data.options import Given


def refuse_array_of_weights(given: Given) -> None:
    """Refuse an array of weights beside columns."""
    given.refuse(
        "sample_weight",
        why="is for arrays, but the data have columns",
        remedy=("name the column of the weights with ", Argument("weight")),
    )


def refuse_beside_order(given: Given, *more: str) -> None:
    """Refuse what does not go with an order of items."""
    given.refuse(
        *("weight", "sample_weight", "cluster", "pos_label", "rescale", "proba", "labels"),
        *("predicted", "groups", *more),
        why="does not apply to an order of items",
        remedy=("remove it or ", Argument("order")),
    )


def refuse_beside_soft(given: Given) -> None:
    """Refuse what does not go with true probabilities."""
    given.refuse(
        *("order", "pos_label", "rescale", "proba", "labels", "predicted", "groups"),
        why="does not apply to true probabilities",
        remedy=("remove it or ", Argument("soft")),
    )


def refuse_labels(given: Given) -> None:
    """Refuse names of classes where there is no matrix of scores."""
    given.refuse("labels", why=NO_MATRIX.strip())
