"""Checks: what a careful colleague would say about an evaluation.

Each has a code that does not change, by which it can be muted.
"""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from metameasure.errors import DataError
from metameasure.evaluation.rendering import visible
from metameasure.inference.coverage import known_coverage
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from metameasure.evaluation.result import Row
    from metameasure.inference import Interval, Sample
    from metameasure.table import ScoreTable

NAMES = {
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
}
"""The codes, with the names that may be typed instead."""

FEW = 25
MANY_TIES = 0.4
FAR_OFF, FAR_OFF_ERRORS = 0.05, 5.0
LEFT_OUT = 0.01
COVERS = 0.9


@dataclass(frozen=True)
class Check:
    """Something to be warned of: where it holds, and what to make of it."""

    code: str
    message: str
    model: str | None = None
    group: str | None = None
    measure: str | None = None

    @property
    def name(self) -> str:
        """The code as a word."""
        return NAMES[self.code]

    def record(self) -> dict[str, str | None]:
        """All of it, as a dict."""
        return {"code": self.code, "name": self.name, "model": self.model, "group": self.group,
                "measure": self.measure, "message": self.message}  # fmt: skip

    @property
    def place(self) -> str:
        """Where it holds, in words; nothing if everywhere."""
        who = f"{self.measure} of {self.model}" if self.measure else self.model or ""
        if self.group is None:
            return who
        return f"{who} in group {self.group}" if who else f"group {self.group}"


def muted(mute: str | Iterable[str]) -> frozenset[str]:
    """The codes that are not to be shown, given as codes or names."""
    asked = [mute] if isinstance(mute, str) else list(mute)
    codes = {name: code for code, name in NAMES.items()}
    found = set()
    for text in asked:
        code = codes.get(text, str(text).upper())
        if code not in NAMES:
            near = difflib.get_close_matches(str(text), [*NAMES, *codes], n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(NAMES)}"
            raise DataError(f"there is no check {text!r} to mute; {hint}")
        found.add(code)
    return frozenset(found)


def check_data(sample: Sample, group: str | None = None) -> Iterator[Check]:
    """What labels and scores show before anything is measured."""
    yield from _check_classes(*sample.classes, group)
    for model, table in sample.tables.items():
        for code, message in _score_checks(table):
            yield Check(code, message, model, group)
    for a, b in combinations(sample.scores, 2):
        if np.array_equal(sample.scores[a], sample.scores[b]):
            yield Check("MM08", f"{a} and {b} give every case the same score", None, group)


def _check_classes(n_pos: int, n_neg: int, group: str | None) -> Iterator[Check]:
    fewest, kind = min((n_pos, "positive"), (n_neg, "negative"))
    if fewest == 0:
        message = f"there is no {kind} case: measures that need both classes are undefined"
        yield Check("MM02", message, None, group)
    elif fewest < FEW:
        cases = "case" if fewest == 1 else "cases"
        message = f"only {fewest} {kind} {cases}: values vary widely, and intervals are rough"
        yield Check("MM01", message, None, group)


def _score_checks(table: ScoreTable) -> Iterator[tuple[str, str]]:
    both = table.P > 0 and table.N > 0
    if both and table.score.size <= 2:
        values = " and ".join(f"{score:g}" for score in table.score)
        yield "MM05", f"all scores are {values}: they look like decisions, not scores"
    elif both and (tied := _tied(table)) > MANY_TIES:
        yield "MM04", f"{tied:.0%} of the cases share their score with one of the other class"
    if table.n and 0 <= table.score[-1] <= table.score[0] <= 1:
        yield from _probability_checks(table)


def _tied(table: ScoreTable) -> float:
    """The share of the weight at scores that cases of both classes have."""
    shared = (table.pos > 0) & (table.neg > 0)
    return float(np.sum(table.weight[shared]) / table.n)


def _probability_checks(table: ScoreTable) -> Iterator[tuple[str, str]]:
    mean, positive = float(np.sum(table.weight * table.score) / table.n), float(table.prevalence)
    spread = math.sqrt(float(np.sum(table.weight * table.score * (1 - table.score))))
    gap = abs(mean - positive)
    if gap > FAR_OFF and gap * float(table.n) > FAR_OFF_ERRORS * spread:
        means = f"the mean of the scores is {mean:.3g}, the share of positives {positive:.3g}"
        yield "MM06", f"{means}: as probabilities the scores are wrong"


def check_rows(rows: Sequence[Row], intervals: Sequence[Interval | None]) -> Iterator[Check]:
    """What values and intervals show."""
    for row, interval in zip(rows, intervals, strict=True):
        for code, message in _value_checks(row):
            yield Check(code, message, row.model, row.group, str(row.measure))
        if interval is not None and not row.undefined:
            for code, message in _interval_checks(row, interval):
                yield Check(code, message, row.model, row.group, str(row.measure))


def _value_checks(row: Row) -> Iterator[tuple[str, str]]:
    if row.measure.name != "auc":
        return
    if row.value in {0.0, 1.0}:
        what = "separates the classes perfectly" if row.value else "ranks all negatives first"
        yield "MM10", f"it is {row.value:g}, so the score {what}: does it know the label?"
    elif (row.value if row.high is None else row.high) < 0.5:
        yield "MM11", "it is below 0.5: is the other label the positive one?"


def check_threshold(row: Row, table: ScoreTable) -> Iterator[Check]:
    """Whether a threshold lies where scores that are no probabilities give it no meaning."""
    point, declared = row.measure.point, row.measure.declaration.point
    low, high = table.score[-1], table.score[0]
    by_default = point is not None and point.kind == "threshold" and point == declared
    if by_default and (high > 1 or low < 0):
        message = (
            f"the threshold {point} means nothing for scores from {low:g} to {high:g}: say where "
            f"to cut, as in {row.measure.name}@{np.median(table.score):.3g}"
        )
        yield Check("MM07", message, row.model, row.group, str(row.measure))


def _interval_checks(row: Row, interval: Interval) -> Iterator[tuple[str, str]]:
    if interval.reason:
        yield "MM12", f"there is no interval: {interval.reason}"
        return
    drawn = (interval.resamples or 0) + interval.left_out
    if drawn and interval.left_out > LEFT_OUT * drawn:
        yield "MM03", f"more than {LEFT_OUT:.0%} of the resamples have no value and were left out"
    if interval.high - interval.low <= ROUNDING * max(abs(interval.value), 1):
        yield "MM13", "it is the same on all resamples, so that the interval has no width"
    covers = known_coverage(interval.measure, interval.method, row.n_pos, row.n - row.n_pos)
    if covers is not None and covers < COVERS:
        yield "MM09", f"intervals like this one covered less than {COVERS:.0%} when simulated"


def check_lines(checks: Sequence[Check]) -> list[str]:
    """The checks, one a line; the same message of several models or groups stands once."""
    places: dict[tuple[str, str], list[str]] = {}
    for check in checks:
        places.setdefault((check.code, check.message), []).append(check.place)
    lines = []
    for (code, message), where in sorted(places.items(), key=lambda item: item[0][0]):
        known = _listed(list(dict.fromkeys(filter(None, where))))
        lines.append(f"check {code}{f' ({visible(known)})' if known else ''}: {visible(message)}")
    return lines


def _listed(places: Sequence[str], most: int = 4) -> str:
    more = f" and {len(places) - most} more" if len(places) > most else ""
    return ", ".join(places[:most]) + more
