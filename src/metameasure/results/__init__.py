"""Results as a person or a program reads them, whatever they are of."""

from metameasure._lazy import lazy_door

_ROOMS = {
    "frames": "tidy_frame",
    "json_values": "json_record",
    "pages": (
        "Cell Grid INLINE_WIDTH INTERVAL_STYLE LONGEST_WORD Page Printed as_html as_markdown "
        "as_rich as_text"
    ),
    "rows": "Listed frame_of read_option",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS)
