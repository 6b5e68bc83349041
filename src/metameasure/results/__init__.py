"""Results: rows with a schema, facts and checks, and all formats in which they are written."""

from metameasure._lazy import lazy_door

_ROOMS = {
    "check": "Check CHECK_NAMES check_lines muted",
    "formats": (
        "FORMATS Format as_html as_markdown format_named format_of_file output_format strict"
    ),
    "labels": "class_name plain_labels",
    "result": "Result SingleRow grid_of",
    "tables": (
        "Cell Grid INLINE_WIDTH INTERVAL_STYLE LONGEST_WORD MOST_LINES MOST_SHOWN Page "
        "SHOWN_OF_MANY as_rich as_text first_and_bold pvalue_text shown_of"
    ),
    "verdict": "Verdict",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS)
