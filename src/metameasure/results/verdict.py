"""Verdicts: what a result that decides something says about each of its questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Outcome = Literal["passed", "failure", "error", "skipped"]


@dataclass(frozen=True)
class Verdict:
    """One question with its answer, in the terms of test reports.

    Attributes:
        name: the question.
        outcome: "passed", "failure", "error" if there is no answer, or "skipped" if none is needed.
        message: the reason, in one line.
    """

    name: str
    outcome: Outcome
    message: str
