"""The checks of an evaluation or comparison: what labels, scores and intervals show."""

from __future__ import annotations

import math
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import some_names
from metameasure.data import ClassScores
from metameasure.evaluation.measure_choice import CLIP, can_clip
from metameasure.inference import (
    FEW,
    OrderSample,
    ProbabilitySample,
    Sample,
    check_chance,
    check_classes,
    check_drawn,
    check_effective_units,
    check_interval,
    check_width,
)
from metameasure.measurement import ClassMeasure, MannWhitney
from metameasure.results import Check

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from metameasure._types import Floats
    from metameasure.data import ClassCases
    from metameasure.evaluation.evaluation_result import Row
    from metameasure.inference import AnySample, ClassSample, Difference, Interval
    from metameasure.measurement import MeanOver, Measure
    from metameasure.table import ScoreTable


MANY_TIES = 0.4
"""Fraction of cases tied with the other class above which there is a check."""
FAR_OFF, FAR_OFF_ERRORS = 0.05, 5.0
"""Difference of mean score and prevalence, and in standard errors, above which there is a check."""
COMPARED = 64
"""Number of cases by which models are compared first."""
WORSE = 0.4
"""AUC below which there is a check."""
SUMMARIES = {
    "MM01": f"fewer than {FEW} cases of a class or clusters; estimates are unreliable",
    "MM04": f"more than {MANY_TIES:.0%} of the cases are tied with a case of the other class",
    "MM06": "the scores are not calibrated probabilities",
}
"""Messages of checks without the numbers of the group that they are about."""


def check_data(sample: Sample, group: str | None = None) -> Iterator[Check]:
    """The checks of labels and scores."""
    yield from check_numbers(sample, group)
    for model, table in sample.tables.items():
        for code, message in _score_checks(table, sum(sample.classes)):
            yield Check(code, message, model, group, summary=SUMMARIES.get(code))
    yield from _check_same(sample.scores, group)


def check_small_groups(samples: Mapping[str, Sample]) -> Iterator[Check]:
    """The groups with few cases of a class or few clusters, the smallest first."""
    for group, sample in sorted(samples.items(), key=lambda item: min(item[1].classes)):
        fewest, kind = min(zip(sample.classes, ("positive", "negative"), strict=True))
        if fewest == 0:
            message = f"no {kind} cases; measures that need both classes are undefined"
            yield Check("MM02", message, None, group)
        elif fewest < FEW:
            message = f"fewer than {FEW} cases of a class; estimates are unreliable"
            yield Check("MM01", message, None, group)
        if sample.cluster is not None and fewest and min(sample.units_of_classes) < FEW:
            message = f"fewer than {FEW} clusters with cases of a class; intervals are unreliable"
            yield Check("MM01", message, None, group)


def check_numbers(sample: Sample, group: str | None = None) -> Iterator[Check]:
    """Whether there are enough cases of both classes, and enough clusters."""
    for code, message in (*check_classes(*sample.classes), *check_effective_units(sample)):
        yield Check(code, message, None, group, summary=SUMMARIES.get(code))


def check_many_classes(sample: ClassSample, group: str | None = None) -> Iterator[Check]:
    """The checks of labels and scores of several classes."""
    for name, cases in sample.classes.items():
        if not cases:
            message = "no cases; means of its true positive rate or AUC exclude this class"
            yield Check("MM02", message, group=group, label=str(name))
        elif cases < FEW:
            message = f"fewer than {FEW} cases; estimates are unreliable"
            yield Check("MM01", message, group=group, label=str(name))
    yield from (
        Check(code, message, group=group) for code, message in check_effective_units(sample)
    )
    scores, labels = {}, {}
    for model, predicted in sample.tables.items():
        if isinstance(predicted, ClassScores):
            scores[model] = predicted.scores
        else:
            labels[model] = predicted.answers.predicted
    yield from _check_same(scores, group)
    yield from _check_same(labels, group, "predicted labels")


def check_left_out(rows: Sequence[Row], sample: ClassSample) -> Iterator[Check]:
    """Which classes that have cases are left out of a mean over classes."""
    for row in rows:
        cases = sample.tables[row.model]
        if isinstance(row.measure, ClassMeasure) and not row.undefined:
            left_out = set(row.measure.left_out(cases))
            if left_out - set(cases.absent):
                message = row.measure.leaves_out_text(cases)
                yield Check("MM21", message, row.model, row.group, row.measure.stated)


def check_values(
    sample: OrderSample | ProbabilitySample, group: str | None = None
) -> Iterator[Check]:
    """The checks of true and predicted orders, or of true and predicted probabilities."""
    if sample.size < FEW:
        few = f"only {sample.size} {sample.what}; estimates are unreliable"
        yield Check("MM01", few, None, group)
    for code, message in check_effective_units(sample):
        yield Check(code, message, None, group)
    for model, scores in sample.scores.items():
        if isinstance(sample, OrderSample) and sample.size > 1 and np.ptp(scores) == 0:
            yield Check("MM05", "all scores are equal; the model does not rank the items", model)
    yield from _check_same(sample.scores, group)


def check_columns(scores: ClassCases, model: str) -> Iterator[Check]:
    """Whether columns of scores were matched to classes by their order alone."""
    if scores.assumed:
        pairs = zip(scores.assumed, scores.classes, strict=True)
        taken = some_names([f"{column} as {name}" for column, name in pairs], 8)
        message = f"no column has the name of a class; in sorted order, took {taken}"
        yield Check("MM16", message, model)


def _check_same(
    scores: Mapping[str, NDArray[Any]], group: str | None, what: str = "scores"
) -> Iterator[Check]:
    """The models with equal scores, one check for all that have the same.

    Scores are compared by a hash, since there may be thousands of models; only those that begin
    alike are hashed.
    """
    alike: dict[bytes, list[str]] = {}
    for model, values in scores.items():
        alike.setdefault(_bytes(values[:COMPARED]), []).append(model)
    for models in alike.values():
        same: dict[bytes, list[str]] = {}
        for model in models if len(models) > 1 else ():
            same.setdefault(blake2b(_bytes(scores[model])).digest(), []).append(model)
        for equal in same.values():
            if len(equal) > 1:
                names = " and ".join(equal) if len(equal) == 2 else some_names(equal)
                yield Check("MM08", f"{names} have the same {what}", None, group)


def _bytes(values: NDArray[Any]) -> bytes:
    """The values as bytes that are equal if the values are; -0.0 equals 0.0."""
    return (values + 0).tobytes()


def _score_checks(table: ScoreTable, cases: int) -> Iterator[tuple[str, str]]:
    both = table.P > 0 and table.N > 0
    if both and table.score.size == 1:
        yield constant_scores(float(table.score[0]))
    elif both and table.score.size == 2:
        yield two_scores(*map(float, table.score))
    else:
        yield from check_ties(score_sums(table), (table.P, table.N))
    labels = np.array_equal(table.score, [1, 0])  # predicted ones
    if table.n and not labels and 0 <= table.score[-1] <= table.score[0] <= 1:
        yield from check_probabilities(score_sums(table), (table.P, table.N), cases)


def constant_scores(score: float) -> tuple[str, str]:
    """The check of scores that are all equal."""
    return "MM05", f"all scores are {score:g}; the model does not rank the cases"


def two_scores(high: float, low: float) -> tuple[str, str]:
    """The check of scores that are only two."""
    return "MM05", f"the only scores are {high:g} and {low:g}; they look like predicted labels"


def score_sums(table: ScoreTable) -> tuple[float, float, float]:
    """The weight at scores that both classes have, the sum of scores s, and that of s (1 - s)."""
    shared = (table.pos > 0) & (table.neg > 0)
    with np.errstate(invalid="ignore", over="ignore"):  # infinite and very large scores
        scores = table.weight * table.score
        return (
            float(np.sum(table.weight[shared])),
            float(np.sum(scores)),
            float(np.sum(scores * (1 - table.score))),
        )


def check_ties(
    sums: tuple[float, float, float], totals: tuple[float, float]
) -> Iterator[tuple[str, str]]:
    """Whether many cases are tied with a case of the other class."""
    if min(totals) > 0 and (tied := sums[0] / sum(totals)) > MANY_TIES:
        yield "MM04", f"{tied:.0%} of the cases are tied with a case of the other class"


def check_probabilities(
    sums: tuple[float, float, float], totals: tuple[float, float], cases: int
) -> Iterator[tuple[str, str]]:
    """Whether scores in [0, 1] have the mean of calibrated probabilities."""
    mean, variance = (one / sum(totals) for one in sums[1:])
    positive = float(totals[0] / sum(totals))
    gap = abs(mean - positive)
    if gap > FAR_OFF and gap > FAR_OFF_ERRORS * math.sqrt(variance / cases):
        means = f"mean {mean:.3g}, prevalence {positive:.3g}"
        yield "MM06", f"the scores are not calibrated probabilities ({means})"


def check_rows(
    rows: Sequence[Row],
    intervals: Sequence[Interval | None],
    sample: AnySample | None = None,
) -> Iterator[Check]:
    """The checks of intervals, which may come from the cases of a sample."""
    for row, interval in zip(rows, intervals, strict=True):
        if interval is not None and not row.undefined:
            for code, message in check_interval(interval, sample):
                yield Check(code, message, row.model, row.group, row.measure.stated)


def check_difference(gap: Difference, ci: float, group: str | None = None) -> Iterator[Check]:
    """The checks of a paired difference and its limits."""
    found: Iterable[tuple[str, str]]
    if gap.reason:
        found = [("MM12", f"no interval: {gap.reason}")]
    elif gap.low == gap.high == 0 and gap.method != "bound":
        found = [("MM08", "the models are equal by this measure")]
    else:
        found = (
            *check_drawn(gap.resamples, gap.left_out, gap.method, ci),
            *check_width(gap.low, gap.high),
            *check_chance(gap),
        )
    for code, message in found:
        yield Check(code, message, f"{gap.a} - {gap.b}", group, gap.measure.stated)


def check_auc(
    measure: Measure, table: ScoreTable, model: str, group: str | None = None
) -> Iterator[Check]:
    """Whether an AUC is perfect or far below 0.5."""
    if isinstance(measure.declaration.null, MannWhitney):
        yield from check_auc_value(measure, float(measure.compute(table)), model, group)


def check_auc_value(
    measure: Measure, value: float, model: str, group: str | None = None
) -> Iterator[Check]:
    """Whether a value of an AUC is perfect or far below 0.5."""
    if not isinstance(measure.declaration.null, MannWhitney):
        return
    if value in {0.0, 1.0}:
        what = "separate the classes perfectly" if value else "rank all negatives first"
        message = f"{value:g} means that the scores {what}; check for leakage of the label"
        yield Check("MM10", message, model, group, str(measure))
    elif value < WORSE:
        message = "far below 0.5; check which label is the positive one"
        yield Check("MM11", message, model, group, str(measure))


def check_infinite(rows: Sequence[Row], sample: AnySample) -> Iterator[Check]:
    """How many cases had probability 0 of what happened, where that makes a loss infinite."""
    for row in rows:
        yield from _check_infinite(row.measure, row.value, sample, row.model, row.group)


def check_infinite_losses(measures: Iterable[Measure], sample: AnySample) -> Iterator[Check]:
    """The same for all models of a sample, by measures that are not means over groups."""
    for measure in filter(can_clip, measures):
        for model, subject in sample.tables.items():
            yield from _check_infinite(measure, measure.quiet_value(subject), sample, model)


def _check_infinite(
    measure: Measure, value: float, sample: AnySample, model: str, group: str | None = None
) -> Iterator[Check]:
    if not can_clip(measure):
        return
    clipped = dict(measure.parameters).get("clip")
    if math.isinf(value):
        what = f"infinite, since {_impossible(sample, model)} of what happened; "
        remedy = f"use {measure.using(clip=CLIP)} for a finite value"
        yield Check("MM22", what + remedy, model, group, measure.stated)
    elif clipped == CLIP and (cases := _impossible(sample, model)):
        message = f"{cases} of what happened, so that {measure.name} is infinite"
        yield Check("MM22", message, model, group)


def _impossible(sample: AnySample, model: str) -> str:
    """The number of cases with probability 0 of what happened, in words; empty if none."""
    if isinstance(sample, Sample):
        score = sample.scores[model]
        cases = np.where(sample.positive, score == 0, score == 1)
    elif isinstance(sample, ProbabilitySample):
        of_model = sample.tables[model]
        cases = (of_model.score == 0) & (of_model.true > 0)
        cases |= (of_model.score == 1) & (of_model.true < 1)
    else:
        scores: Any = sample.tables[model]
        cases = scores.own == 0 if isinstance(scores, ClassScores) else np.zeros(0, bool)
    found = int(np.count_nonzero(cases) if sample.count is None else sample.count[cases].sum())
    return f"{found} case{'s' * (found > 1)} had probability 0" if found else ""


def check_groups(measure: MeanOver, values: Floats, model: str) -> Iterator[Check]:
    """The checks of a mean over groups."""
    defined = int(np.count_nonzero(~np.isnan(values)))
    if 0 < defined < FEW:
        groups = "group has" if defined == 1 else "groups have"
        message = f"only {defined} {groups} a value; intervals are unreliable"
        yield Check("MM01", message, model, None, str(measure))
    if 0 < defined < values.size:
        yield Check("MM14", measure.left_out(values), model, None, str(measure))


def check_threshold(
    measure: Measure, table: ScoreTable, model: str, group: str | None = None
) -> Iterator[Check]:
    """Whether the default threshold is meaningful for these scores."""
    point, declared = measure.point, measure.declaration.point
    low, high = table.score[-1], table.score[0]
    by_default = point is not None and point.kind == "threshold" and point == declared
    if by_default and (high > 1 or low < 0):
        message = (
            f"{point} is not meaningful for scores in [{low:g}, {high:g}]; choose a threshold, "
            f"e.g. {measure.name}@{np.median(table.score):.3g}"
        )
        yield Check("MM07", message, model, group, str(measure))
