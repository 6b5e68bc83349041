"""The references of the measures."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_ENTRY = re.compile(r"@\w+\{(\w+),(.*)\}\s*$", re.MULTILINE)
_FIELD = re.compile(r"(\w+) = \{((?:[^{}]|\{[^{}]*\})*)\}")
_ACCENTS = {r"{\'a}": "á", r"{\"a}": "ä"}
_WHERE = ("journal", "booktitle", "school", "publisher", "note")


@cache
def references() -> dict[str, str]:
    """The references by key, one line each."""
    text = files("metameasure").joinpath("references.bib").read_text(encoding="utf-8")
    for accent, letter in _ACCENTS.items():
        text = text.replace(accent, letter)
    return {key: _line(dict(_FIELD.findall(body))) for key, body in _ENTRY.findall(text)}


def _line(entry: dict[str, str]) -> str:
    authors = entry["author"].replace(" and ", "; ")
    where = next(entry[name] for name in _WHERE if name in entry)
    volume = f" {entry['volume']}" if "volume" in entry else ""
    pages = f", {entry['pages'].replace('--', '–')}" if "pages" in entry else ""
    return f"{authors} ({entry['year']}). {entry['title']}. {where}{volume}{pages}."
