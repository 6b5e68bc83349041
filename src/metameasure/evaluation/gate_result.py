"""The result of a gate: one row per requirement and group, and its page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, get_args

from metameasure._arguments import Choice
from metameasure._text import difference, limits, needed, number, some_names
from metameasure.evaluation.decision import POWER, Status
from metameasure.evaluation.evaluation_result import counts_text
from metameasure.results import (
    MOST_LINES,
    MOST_SHOWN,
    Cell,
    Grid,
    Result,
    Verdict,
    first_and_bold,
    shown_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from metameasure.evaluation.decision import Decision, Decisions, Estimate
    from metameasure.evaluation.requirement import Requirement
    from metameasure.measurement import Measure
    from metameasure.results import Check

Undecided = Literal["pass", "fail"]
UNDECIDED = Choice(get_args(Undecided))
COLORS: dict[Status, Literal["green", "yellow", "red"]] = {
    "passed": "green", "failed": "red", "undecided": "yellow",
}  # fmt: skip
"""Colors of the results in a terminal."""


@dataclass(frozen=True, kw_only=True)
class GateRow:
    """One requirement on all cases, or on one group of them.

    Attributes:
        requirement: the requirement as text.
        group: the group of cases; None for all cases.
        status: "passed", "failed" or "undecided".
        measure: the measure.
        value: its value; NaN if it is undefined.
        baseline: its value for the baseline; None if the bound is a number.
        difference: the value minus that of the baseline, times the factor of the requirement if it
            has one; None without a baseline.
        low, high: the limits that decide: of the difference or, if there is none, of the value.
            None if there are none.
        bound: the bound of the difference or of the value.
        method: the method of the limits.
        cases: the number of cases with which an undecided requirement is decided with a
            probability of 80%, if the estimate is the true value.
        reason: why a requirement is undecided and has no such number, or what decides it if
            there are no limits.
        n, n_pos: the number of cases, and of positives (None for several classes).
    """

    requirement: str
    group: str | None
    status: Status
    measure: Measure
    value: float
    baseline: float | None
    difference: float | None
    low: float | None
    high: float | None
    bound: float
    method: str | None
    cases: int | None
    reason: str | None
    n: int
    n_pos: int | None

    @classmethod
    def of(cls, requirement: Requirement, estimate: Estimate, decision: Decision) -> GateRow:
        """The row of a requirement that was decided."""
        return cls(
            requirement=requirement.text,
            group=estimate.group,
            status=decision.status,
            measure=requirement.measure,
            value=estimate.value,
            baseline=estimate.baseline,
            difference=estimate.difference,
            low=decision.low,
            high=decision.high,
            bound=requirement.bound,
            method=estimate.method,
            cases=decision.cases,
            reason=decision.reason,
            n=estimate.n,
            n_pos=estimate.n_pos,
        )

    @property
    def place(self) -> str:
        """The requirement and its group in words."""
        return self.requirement + ("" if self.group is None else f", group {self.group}")

    @property
    def estimate(self) -> str:
        """The value, or the difference from the baseline with its sign, as text."""
        if self.difference is None:
            return number(self.value)
        text = difference(self.difference, self.low, self.high)
        return f"+{text}" if self.difference > 0 else text

    @property
    def explanation(self) -> str:
        """The status with what it rests on, in one line."""
        what = "value" if self.difference is None else "difference"
        found = limits(self.low, self.high)
        parts = [f"{what} {self.estimate}", f"interval {found}" if found else "", self._reason]
        return f"{self.status}: {', '.join(filter(None, parts))}"

    @property
    def _reason(self) -> str:
        return self.reason or (
            f"about {needed(self.cases)} cases would decide" if self.cases else ""
        )


class Gate(Result):
    """The requirements of a gate: one row per requirement and group.

    ``meta`` has the ``outcome``, the names of the ``model`` and of the ``baseline_model``, the
    confidence ``ci``, the significance ``level`` of a pass and the ``failure_level`` of a failure.

    Attributes:
        undecided: what undecided requirements count as; None for neither.
    """

    schema = GateRow
    rows: tuple[GateRow, ...]

    def __init__(
        self,
        rows: Sequence[GateRow],
        decisions: Decisions,
        *,
        meta: Mapping[str, Any],
        undecided: Undecided | None = None,
        checks: Sequence[Check] = (),
        like: Any = None,
    ) -> None:
        super().__init__(rows, checks=checks, like=like)
        self.undecided = undecided
        self.meta = {
            "outcome": self._outcome(),
            **meta,
            "level": decisions.level,
            "failure_level": decisions.failure_level,
            "undecided": undecided,
        }

    def _outcome(self) -> Status:
        """That of the worst requirement."""
        found = {row.status for row in self.rows}
        if "failed" in found:
            return "failed"
        if "undecided" not in found or self.undecided == "pass":
            return "passed"
        return "failed" if self.undecided == "fail" else "undecided"

    @property
    def outcome(self) -> Status:
        """Whether the gate is passed, failed, or undecided."""
        found: Status = self.meta["outcome"]
        return found

    @property
    def passed(self) -> bool:
        """Whether the gate is passed."""
        return self.outcome == "passed"

    def grids(self) -> list[Grid]:
        """One line per requirement; the groups of a requirement are below it."""
        header = ["requirement", "result", "estimate", "cases to decide"]
        columns = 4 if any(row.cases for row in self.rows) else 3
        body: list[tuple[str, list[Cell]]] = []
        # Each may have the line of its requirement above it.
        shown = first_and_bold(self.rows, MOST_LINES // 2, lambda row: row.status != "passed")
        for requirement, rows in groupby(shown, lambda row: row.requirement):
            first, *others = rows
            if first.group is not None:
                body.append((requirement, [Cell("")] * (columns - 1)))
            body += [(_name(row), _cells(row)[: columns - 1]) for row in (first, *others)]
        bold = "requirements that are not passed"
        return [Grid(header[:columns], body, self._caption(len(shown)), self.summary, bold)]

    def _caption(self, shown: int) -> str:
        """The number of cases, if a requirement is about all of them; and how many are shown."""
        parts = []
        whole = next((row for row in self.rows if row.group is None), None)
        if whole is not None:
            counted = whole.n, whole.n_pos, self.meta["dropped"]
            parts = [counts_text(*counted, None, positive=self.meta.get("pos_label"))]
        if shown < len(self.rows):
            parts.append(shown_of(shown, len(self.rows), "results"))
        return "; ".join(parts)

    @property
    def summary(self) -> str:
        """The outcome, and the numbers of requirements that passed, failed and are undecided."""
        counted = Counter(row.status for row in self.rows)
        order = get_args(Status)
        counts = ", ".join(f"{counted[status]} {status}" for status in order if counted[status])
        meaning = {"pass": " (counted as passed)", "fail": " (counted as failed)", None: ""}
        counted_as = meaning[self.undecided] if counted["undecided"] else ""
        return f"gate {self.outcome}: {counts}{counted_as}"

    def notes(self) -> list[str]:
        """How the requirements are decided, and why some are not."""
        level, failure = (f"{100 * self.meta[name]:.3g}%" for name in ("level", "failure_level"))
        adjusted = " by Holm's method" if len(self.rows) > 1 else ""
        lines = [
            f"passed: the whole interval meets the requirement (level {level}; all must pass)",
            f"failed: the whole interval violates it (level {failure}{adjusted})",
            "the interval shown decides: its two limits have these levels",
        ]
        if any(row.difference is not None for row in self.rows):
            lines.append("estimate: where a requirement has a baseline, the difference from it")
        if any(row.cases for row in self.rows):
            likely = f"with a probability of {POWER:.0%}"
            lines.append(f"cases to decide: {likely}, if the estimate is the true value")
        reasons: dict[str, list[str]] = {}
        for row in self.rows:
            if row.reason:
                reasons.setdefault(f"{row.status}, since {row.reason}", []).append(row.place)
        lines += [f"{why}: {some_names(places, MOST_SHOWN)}" for why, places in reasons.items()]
        return lines

    def verdicts(self) -> list[Verdict]:
        """One test case per requirement and group."""
        outcome: dict[str, Any] = {
            "passed": "passed",
            "failed": "failure",
            "undecided": {"pass": "skipped", "fail": "failure", None: "error"}[self.undecided],
        }
        return [Verdict(row.place, outcome[row.status], row.explanation) for row in self.rows]

    def __repr__(self) -> str:
        return f"<{self.summary}>"


def _name(row: GateRow) -> str:
    return row.requirement if row.group is None else f"  {row.group} (n = {row.n})"


def _cells(row: GateRow) -> list[Cell]:
    return [
        Cell(row.status, stands_out=row.status != "passed", color=COLORS[row.status]),
        Cell(row.estimate, limits(row.low, row.high)),
        Cell(needed(row.cases) if row.cases else ""),
    ]
