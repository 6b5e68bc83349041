"""Checks: warnings about data, scores and intervals, with codes by which they can be muted."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from metameasure._text import shown, some_names, visible
from metameasure.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CHECK_NAMES = {
    "MM01": "few-cases",
    "MM02": "one-class",
    "MM03": "one-class-resamples",
    "MM04": "many-ties",
    "MM05": "hard-labels",
    "MM06": "not-probabilities",
    "MM07": "threshold-outside",
    "MM08": "same-model",
    "MM09": "low-coverage",
    "MM10": "perfect",
    "MM11": "worse-than-chance",
    "MM12": "no-interval",
    "MM13": "no-spread",
    "MM14": "undefined-groups",
    "MM15": "few-resamples",
    "MM16": "assumed-columns",
    "MM17": "large-validation-sets",
    "MM18": "undefined-goal",
    "MM19": "undefined-validation-sets",
    "MM20": "infinite-limit",
    "MM21": "left-out-classes",
    "MM22": "probability-zero",
    "MM23": "chance-difference",
    "MM24": "few-validation-sets",
    "MM25": "reclassification-defects",
}
"""The names of the checks, by code. Codes never change."""


@dataclass(frozen=True)
class Check:
    """A warning, and the model, group, class and measure that it is about.

    Attributes:
        code: the code, e.g. "MM01".
        message: what was found and what follows from it.
        model: the model, or the pair "a - b"; None for all.
        group: the group of cases; None for all cases.
        measure: the measure as text; None for all.
        label: the class, as text, of a problem with several classes; None for all.
        summary: the message without the numbers of the group, for one line about several groups.
    """

    code: str
    message: str
    model: str | None = None
    group: str | None = None
    measure: str | None = None
    label: str | None = None
    summary: str | None = None

    @property
    def name(self) -> str:
        """The name of the check, e.g. "few-cases"."""
        return CHECK_NAMES[self.code]

    def record(self) -> dict[str, str | None]:
        """The check as a dict."""
        return {"code": self.code, "name": self.name, "model": self.model, "group": self.group,
                "label": self.label, "measure": self.measure, "message": self.message}  # fmt: skip

    @property
    def place(self) -> str:
        """The model, measure, group and class in words; empty if it is about everything."""
        who = f"{self.measure} of {self.model}" if self.measure else self.model or ""
        parts = [
            f"{what} {name}"
            for what, name in (("group", self.group), ("class", self.label))
            if name is not None
        ]
        return " in ".join(filter(None, (who, *parts)))


def muted(mute: str | Iterable[str]) -> frozenset[str]:
    """The codes to mute, from codes or names in a list or a comma-separated text."""
    asked = [text.strip() for text in mute.split(",")] if isinstance(mute, str) else list(mute)
    codes = {name: code for code, name in CHECK_NAMES.items()}
    found = set()
    for text in asked:
        code = codes.get(text, str(text).upper())
        if code not in CHECK_NAMES:
            near = difflib.get_close_matches(str(text), [*CHECK_NAMES, *codes], n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(CHECK_NAMES)}"
            raise ParameterError(
                f"there is no check {shown([text])} to mute", remedy=hint, argument="mute"
            )
        found.add(code)
    return frozenset(found)


def check_lines(checks: Sequence[Check]) -> list[str]:
    """One line per message, with the models and groups that it is about.

    Several groups whose messages differ by numbers alone have one line.
    """
    alike: dict[tuple[str, str], list[Check]] = {}
    for check in checks:
        text = check.message if check.group is None else check.summary or check.message
        alike.setdefault((check.code, text), []).append(check)
    lines = []
    for (code, text), found in sorted(alike.items(), key=lambda item: item[0][0]):
        messages = {check.message for check in found}
        message = text if len(messages) > 1 else found[0].message
        known = some_names(list(dict.fromkeys(c.place for c in found if c.place)), 4)
        lines.append(f"check {code}{f' ({visible(known)})' if known else ''}: {visible(message)}")
    return lines
