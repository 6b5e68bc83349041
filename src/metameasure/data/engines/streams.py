"""Streams: iterators of batches, and readers and data sets of Arrow.

A batch is a data frame, a record batch, a dict of columns, or a pair of labels and scores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from metameasure.data.refusals import refuse_array_of_weights
from metameasure.data.sources import register_source
from metameasure.errors import DataError

if TYPE_CHECKING:
    from metameasure.data.models import Models
    from metameasure.data.options import Given

OF_ROWS = ("group", "cluster", "fold", "groups", "order", "proba", "predicted", "rescale")
"""Options for which all rows are needed at once."""


@register_source
class Streams:
    """Batches that come one after the other, each of which is forgotten after it was read."""

    def takes(self, data: Any) -> bool:
        """Whether this is an iterator, such as a reader of Arrow, or a data set or a scanner."""
        arrow = type(data).__module__.startswith("pyarrow") and hasattr(data, "to_batches")
        return isinstance(data, Iterator) or (arrow and not hasattr(data, "num_columns"))

    def read(self, data: Any, given: Given) -> Models:
        """The models in the batches; more than fit in memory if only score tables are needed."""
        from metameasure.data.batches import (  # noqa: PLC0415
            PAIR,
            as_frame,
            concatenated,
            models_of_batches,
            readable,
        )
        from metameasure.data.frame_models import columns_of_cases, read_frame  # noqa: PLC0415
        from metameasure.data.frames import NO_ROWS  # noqa: PLC0415

        batches = readable(_batches(data))
        first = next(batches, None)
        if isinstance(first, tuple):
            given.refuse("label", "scores", why="does not apply to pairs of labels and scores")
            given = replace(given, label=PAIR[0], scores=PAIR[1])
        every = chain([] if first is None else [first], batches)
        filled = next((one for one in map(as_frame, every) if len(one)), None)
        if filled is None:
            raise DataError(NO_ROWS)
        every = chain([filled], every)
        if given.soft or any(getattr(given, name) is not None for name in OF_ROWS):
            return read_frame(concatenated(every), given, like=None)
        refuse_array_of_weights(given)
        return models_of_batches(every, columns_of_cases(filled.to_native(), given), given)


def _batches(data: Any) -> Iterator[Any]:
    yield from data if isinstance(data, Iterator) else data.to_batches()
