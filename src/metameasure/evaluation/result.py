"""What an evaluation gives back: tidy rows, and tables where a person reads."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metameasure.evaluation import display
from metameasure.evaluation.tidy import tidy_frame
from metameasure.rendering import Printed, json_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.evaluation.checks import Check
    from metameasure.registry import Measure
    from metameasure.rendering import Page

COLUMNS = ("model", "group", "measure", "value", "low", "high", "method", "n", "n_pos", "dropped")


@dataclass(frozen=True)
class Row:
    """One measure of one model on all cases, or on one group of them."""

    model: str
    group: str | None
    measure: Measure
    value: float
    n: int
    n_pos: int | None
    dropped: int
    low: float | None = None
    high: float | None = None
    method: str | None = None

    @property
    def undefined(self) -> bool:
        """Whether there is no value."""
        return math.isnan(self.value)


@dataclass(frozen=True)
class LeftOut:
    """A measure that was not computed for a model, and why."""

    model: str
    measure: str
    reason: str


class Evaluation(Printed):
    """The values of an evaluation.

    ``frame()`` has one row a value; ``print`` shows a table, as do a terminal and a notebook.
    ``checks`` are what there is to be warned of.
    """

    def __init__(
        self,
        rows: Sequence[Row],
        left_out: Sequence[LeftOut] = (),
        checks: Sequence[Check] = (),
        ci: float | None = None,
        like: Any = None,
    ) -> None:
        self.rows = tuple(rows)
        self.left_out = tuple(left_out)
        self.checks = tuple(checks)
        self.ci = ci
        self._like = like

    @property
    def undefined(self) -> list[Row]:
        """The rows that have no value."""
        return [row for row in self.rows if row.undefined]

    @property
    def several_classes(self) -> bool:
        """Whether it is of scores for several classes; its groups are then these classes."""
        return any(row.group is None and row.n_pos is None for row in self.rows)

    def records(self) -> list[dict[str, Any]]:
        """The rows as dicts, the measure as text."""
        return [
            {
                name: str(row.measure) if name == "measure" else getattr(row, name)
                for name in COLUMNS
            }
            for row in self.rows
        ]

    def frame(self) -> Any:
        """A tidy frame: of the kind that came in, else of polars."""
        import polars as pl  # noqa: PLC0415

        text, number, count = pl.String(), pl.Float64(), pl.Int64()
        kinds = (text, text, text, number, number, number, text, count, count, count)
        return tidy_frame(self.records(), dict(zip(COLUMNS, kinds, strict=True)), self._like)

    def to_json(self) -> str:
        """JSON with ``rows``, ``left_out``, ``undefined``, ``checks`` and ``ci``.

        An undefined value is null, an infinite one the string "Infinity" or "-Infinity".
        """
        undefined = [
            {
                "model": row.model,
                "group": row.group,
                "measure": str(row.measure),
                "reason": row.measure.undefined_when,
            }
            for row in self.undefined
        ]
        left_out = [vars(item) for item in self.left_out]
        content = {
            "rows": [json_record(record) for record in self.records()],
            "left_out": left_out,
            "undefined": undefined,
            "checks": [check.record() for check in self.checks],
            "ci": self.ci,
        }
        return json.dumps(content, indent=2)

    def page(self) -> Page:
        """The tables for people, and what stands below them."""
        return display.page(self)

    def __repr__(self) -> str:
        models = len({row.model for row in self.rows})
        return f"<evaluation: {len(self.rows)} values, {models} models>"
