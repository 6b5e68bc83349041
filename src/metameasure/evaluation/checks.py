"""Checks: what a careful colleague would say about an evaluation.

Each has a code that does not change, by which it can be muted.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from metameasure._text import some_names
from metameasure.inference import known_coverage
from metameasure.results import Check
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from metameasure.data import ClassScores
    from metameasure.evaluation.evaluation_result import Row
    from metameasure.inference import ClassSample, Interval, Sample
    from metameasure.measurement import MeanOver, Measure
    from metameasure.table import ScoreTable

    Floats = NDArray[np.float64]

FEW = 25
MANY_TIES = 0.4
FAR_OFF, FAR_OFF_ERRORS = 0.05, 5.0
LEFT_OUT = 0.01
COVERS = 0.9
WORSE = 0.4
IN_A_TAIL = 5
"""How many resamples should lie beyond each limit."""


def check_data(sample: Sample, group: str | None = None) -> Iterator[Check]:
    """What labels and scores show before anything is measured."""
    yield from _check_classes(*sample.classes, group)
    yield from _check_clusters(sample, group)
    for model, table in sample.tables.items():
        for code, message in _score_checks(table, sum(sample.classes)):
            yield Check(code, message, model, group)
    yield from _check_same(sample.scores, group)


def check_many_classes(sample: ClassSample) -> Iterator[Check]:
    """What labels and scores of several classes show before anything is measured."""
    for name, cases in sample.classes.items():
        if not cases:
            message = "no case is of this class: means over classes leave it out"
            yield Check("MM02", message, label=str(name))
        elif cases < FEW:
            message = f"fewer than {FEW} cases are of this class: values vary widely"
            yield Check("MM01", message, label=str(name))
    yield from _check_clusters(sample, None)
    yield from _check_same({model: table.scores for model, table in sample.tables.items()}, None)


def check_columns(scores: ClassScores, model: str) -> Iterator[Check]:
    """Whether nothing but their order says which classes the columns of scores are of."""
    if scores.assumed:
        pairs = zip(scores.assumed, scores.classes, strict=True)
        taken = some_names([f"{column} as {name}" for column, name in pairs], 8)
        message = f"no column is named after a class; in the order of the classes, took {taken}"
        yield Check("MM16", message, model)


def _check_clusters(sample: Sample | ClassSample, group: str | None) -> Iterator[Check]:
    if sample.cluster is not None and sample.units < FEW:
        message = f"only {sample.units} clusters: intervals are rough"
        yield Check("MM01", message, None, group)


def _check_same(scores: Mapping[str, Floats], group: str | None) -> Iterator[Check]:
    for a, b in combinations(scores, 2):
        if np.array_equal(scores[a], scores[b]):
            yield Check("MM08", f"{a} and {b} give every case the same score", None, group)


def _check_classes(n_pos: int, n_neg: int, group: str | None) -> Iterator[Check]:
    fewest, kind = min((n_pos, "positive"), (n_neg, "negative"))
    if fewest == 0:
        message = f"there is no {kind} case: measures that need both classes are undefined"
        yield Check("MM02", message, None, group)
    elif fewest < FEW:
        few = f"{fewest} {kind} case{'s' * (fewest > 1)}"
        if max(n_pos, n_neg) < FEW:
            few = f"{n_pos} positive and {n_neg} negative cases"
        message = f"only {few}: values vary widely, and intervals are rough"
        yield Check("MM01", message, None, group)


def _score_checks(table: ScoreTable, cases: int) -> Iterator[tuple[str, str]]:
    both = table.P > 0 and table.N > 0
    if both and table.score.size <= 2:
        values = " and ".join(f"{score:g}" for score in table.score)
        yield "MM05", f"all scores are {values}: they look like decisions, not scores"
    elif both and (tied := _tied(table)) > MANY_TIES:
        yield "MM04", f"{tied:.0%} of the cases share their score with one of the other class"
    if table.n and 0 <= table.score[-1] <= table.score[0] <= 1:
        yield from _probability_checks(table, cases)


def _tied(table: ScoreTable) -> float:
    """The share of the weight at scores that cases of both classes have."""
    shared = (table.pos > 0) & (table.neg > 0)
    return float(np.sum(table.weight[shared]) / table.n)


def _probability_checks(table: ScoreTable, cases: int) -> Iterator[tuple[str, str]]:
    mean, positive = float(np.sum(table.weight * table.score) / table.n), float(table.prevalence)
    variance = float(np.sum(table.weight * table.score * (1 - table.score)) / table.n)
    gap = abs(mean - positive)
    if gap > FAR_OFF and gap > FAR_OFF_ERRORS * math.sqrt(variance / cases):
        means = f"the mean of the scores is {mean:.3g}, the share of positives {positive:.3g}"
        yield "MM06", f"{means}: as probabilities the scores are wrong"


def check_rows(rows: Sequence[Row], intervals: Sequence[Interval | None]) -> Iterator[Check]:
    """What intervals show."""
    for row, interval in zip(rows, intervals, strict=True):
        if interval is not None and not row.undefined:
            for code, message in _interval_checks(row, interval):
                yield Check(code, message, row.model, row.group, str(row.measure))


def check_auc(
    measure: Measure, table: ScoreTable, model: str, group: str | None = None
) -> Iterator[Check]:
    """Whether a ranking is too good or too bad to be true."""
    if measure.declaration.null != "mann_whitney":
        return
    value = float(measure.compute(table))
    if value in {0.0, 1.0}:
        what = "separates the classes perfectly" if value else "ranks all negatives first"
        message = f"it is {value:g}, so the score {what}: does it know the label?"
        yield Check("MM10", message, model, group, str(measure))
    elif value < WORSE:
        message = "it is far below 0.5: is the other label the positive one?"
        yield Check("MM11", message, model, group, str(measure))


def check_groups(measure: MeanOver, values: Floats, model: str) -> Iterator[Check]:
    """What the values of groups show about their mean."""
    defined = int(np.count_nonzero(~np.isnan(values)))
    if 0 < defined < FEW:
        groups = "group has" if defined == 1 else "groups have"
        message = f"only {defined} {groups} a value: intervals are rough"
        yield Check("MM01", message, model, None, str(measure))
    if 0 < defined < values.size:
        yield Check("MM14", measure.left_out(values), model, None, str(measure))


def check_threshold(
    measure: Measure, table: ScoreTable, model: str, group: str | None = None
) -> Iterator[Check]:
    """Whether a threshold lies where scores that are no probabilities give it no meaning."""
    point, declared = measure.point, measure.declaration.point
    low, high = table.score[-1], table.score[0]
    by_default = point is not None and point.kind == "threshold" and point == declared
    if by_default and (high > 1 or low < 0):
        message = (
            f"the threshold {point} means nothing for scores from {low:g} to {high:g}: say where "
            f"to cut, as in {measure.name}@{np.median(table.score):.3g}"
        )
        yield Check("MM07", message, model, group, str(measure))


def _interval_checks(row: Row, interval: Interval) -> Iterator[tuple[str, str]]:
    if interval.reason:
        yield "MM12", f"there is no interval: {interval.reason}"
        return
    drawn = (interval.resamples or 0) + interval.left_out
    yield from check_drawn(drawn, interval.left_out / drawn if drawn else 0.0, interval.ci)
    yield from check_width(interval.low, interval.high)
    covers = None
    if row.n_pos is not None:
        covers = known_coverage(interval.measure, interval.method, row.n_pos, row.n - row.n_pos)
    if covers is not None and covers < COVERS:
        yield "MM09", f"intervals like this one covered less than {COVERS:.0%} when simulated"


def check_drawn(drawn: int, left_out: float, ci: float) -> Iterator[tuple[str, str]]:
    """Whether there were enough resamples, and whether they had values."""
    if left_out > LEFT_OUT:
        yield "MM03", f"more than {LEFT_OUT:.0%} of the resamples have no value and were left out"
    if drawn and drawn * (1 - ci) / 2 < IN_A_TAIL:
        yield "MM15", f"{drawn} resamples are few for a confidence of {ci:g}"


def check_width(low: float, high: float) -> Iterator[tuple[str, str]]:
    """Whether an interval has a width."""
    if high == low or high - low <= ROUNDING * max(abs(low), 1) < math.inf:
        yield (
            "MM13",
            "nothing varies here, so that the interval has no width; that is not certainty",
        )
