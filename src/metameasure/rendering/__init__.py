"""Results as a person or a program reads them, whatever they are of."""

from metameasure.rendering.pages import (
    INLINE_WIDTH,
    INTERVAL_STYLE,
    LONGEST_WORD,
    UNDEFINED,
    Cell,
    Grid,
    Page,
    Printed,
    as_html,
    as_markdown,
    as_rich,
    as_text,
    difference,
    limits,
    number,
    some_names,
    visible,
)
from metameasure.rendering.records import json_record

__all__ = [
    "INLINE_WIDTH",
    "INTERVAL_STYLE",
    "LONGEST_WORD",
    "UNDEFINED",
    "Cell",
    "Grid",
    "Page",
    "Printed",
    "as_html",
    "as_markdown",
    "as_rich",
    "as_text",
    "difference",
    "json_record",
    "limits",
    "number",
    "some_names",
    "visible",
]
