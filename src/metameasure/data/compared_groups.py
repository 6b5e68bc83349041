"""Columns of groups that are compared: one or several, as arrays or as columns of a frame."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from metameasure.data.models import named
from metameasure.data.scores_by_model import is_frame
from metameasure.data.sources import has_named_columns
from metameasure.errors import Argument, ParameterError

COLUMNS = "columns of groups"


def named_groups(data: Any, group: Any) -> dict[str, Any] | None:
    """One or more columns of groups by name: arrays, or for a frame or file their columns.

    >>> named_groups([1, 0], {"sex": ["f", "m"]}), named_groups("scores.csv", ["region", "sex"])
    ({'sex': ['f', 'm']}, {'region': 'region', 'sex': 'sex'})
    """
    if group is None:
        return None
    if has_named_columns(data):
        listed = list(group) if isinstance(group, (list, tuple)) else [group]
        # What cannot be the name of a column is refused where columns are chosen.
        named({name: name for name in listed if isinstance(name, Hashable)}, COLUMNS)
        found = {str(name): name for name in listed}
    elif isinstance(group, Mapping):
        found = named(group, COLUMNS)
    elif is_frame(group):
        from metameasure.data.frames import group_columns  # noqa: PLC0415

        found = dict(group_columns(group))
    else:
        name = getattr(group, "name", None)
        found = {name if isinstance(name, str) and name else "group": group}
    if not found:
        raise ParameterError((Argument("group"), " is empty"), remedy="name at least one column")
    return found
