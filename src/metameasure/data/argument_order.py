"""The order of arguments: the data first, then the measure or the kind of curve."""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING, Any

from metameasure._text import shown
from metameasure.data.sources import has_named_columns, holds_scores
from metameasure.errors import Argument, DataError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable


def after_data(
    function: str,
    name: str,
    example: str,
    given: tuple[Any, Any, Any],
    kind: type,
    score: Any,
    is_known: Callable[[Any], bool] = lambda _: True,
) -> tuple[Any, Any]:
    """The scores, and the measure or kind of curve, which comes after the data.

    It may directly follow score tables, and a data frame or file whose column of scores is named by
    ``score`` or inferred; text that is not ``is_known`` is then a column.
    """
    y_true, scores, chosen = given
    misplaced = isinstance(y_true, str) and not isinstance(scores, (str, kind, NoneType))
    if isinstance(y_true, kind) or misplaced:
        raise ParameterError(
            f"the data come first, then the {name}",
            remedy=f"{function}(y_true, scores, {shown([str(y_true)])})",
            argument=name,
        )
    if chosen is None and isinstance(scores, (str, kind)):
        if score is not None or holds_scores(y_true):
            return None, scores
        if not has_named_columns(y_true):
            raise DataError(
                "scores are missing", remedy=f"{function}(y_true, scores, {shown([str(scores)])})"
            )
        if is_known(scores):
            return None, scores
    if chosen is None:
        raise ParameterError(
            (Argument(name), " is missing"),
            remedy=f"{function}(y_true, scores, {example!r}), or {function}(frame, {example!r}, "
            "label=..., score=...)",
        )
    return scores, chosen
