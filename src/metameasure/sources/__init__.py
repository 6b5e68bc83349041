"""Where predictions come from: data frames and files."""

from metameasure.sources.files import open_file
from metameasure.sources.frames import (
    Columns,
    choose_columns,
    is_frame,
    names_in,
    read_classes,
    read_frame,
    same_kind,
    values_in,
)

__all__ = [
    "Columns",
    "choose_columns",
    "is_frame",
    "names_in",
    "open_file",
    "read_classes",
    "read_frame",
    "same_kind",
    "values_in",
]
