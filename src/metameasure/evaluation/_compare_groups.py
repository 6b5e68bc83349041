"""Groups of cases against each other: does a model work equally well in all of them?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack, get_args

from metameasure._arguments import Choice, Flag, Real, read_argument
from metameasure.data import ComparedGroupsOptions, named_groups, takes_models
from metameasure.errors import Argument, ParameterError
from metameasure.evaluation.group_comparison import GroupComparison
from metameasure.evaluation.group_contrasts import Answer, GroupMethod, Question, compared, overall
from metameasure.evaluation.group_rates import THRESHOLD, rates_at
from metameasure.evaluation.group_samples import GroupSamples, partitions_of
from metameasure.evaluation.measure_choice import left_out, read_models_and_measures
from metameasure.inference import RESAMPLES, SEED, Plan, Sample, portion
from metameasure.measurement import MeanOver, Measure, parse_list
from metameasure.progress import reporting
from metameasure.results import muted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from metameasure.data import Models, Predictions
    from metameasure.evaluation.group_samples import Partition
    from metameasure.progress import Progress


@takes_models(ComparedGroupsOptions)
def compare_groups(
    y_true: Any,
    scores: Any = None,
    measures: str | Measure | Iterable[str | Measure] = "auc",
    ci: float = 0.95,
    *,
    threshold: float | None = None,
    rates: bool = True,
    crossed: bool = False,
    method: GroupMethod = "auto",
    resamples: int = RESAMPLES,
    seed: int | None = SEED,
    workers: int | None = None,
    mute: str | Iterable[str] = (),
    progress: bool | Progress | None = True,
    **data: Unpack[ComparedGroupsOptions],
) -> GroupComparison:
    """The values of measures in groups of cases, their differences, and the largest gaps.

    Each group is compared with all other cases, with p-values adjusted by Holm's method over the
    groups of each measure. The largest gap is that between the groups with the highest and the
    lowest value. It is biased upwards, since it is the largest of many differences: its interval
    and its p-value, which is that of equal values in all groups, are simultaneous over all pairs
    of groups. For rates there are ratios, too: demographic parity is the gap of the selection
    rate, equalized odds the larger gap of TPR and FPR.

    Args:
        measures: one measure or several.
        ci: the confidence of the intervals.
        group: the column of the groups, or several; with arrays, an array, or a dict or data frame
            of several.
        threshold: the threshold of the selection rate, the TPR and the FPR; by default 0.5 if all
            scores lie in [0, 1], and otherwise there are no rates.
        rates: whether the selection rate, the TPR and the FPR are compared.
        crossed: whether the groups of several columns are also combined.
        method: the test of a group against all other cases: "delong" for means over pairs of
            independent clusters, "mover" from the limits of both values, or "auto", which is
            "delong" if there are enough cases.
        resamples: the number of resamples, for intervals that need them.
        seed: the seed of the random numbers.
        workers: the number of threads; the result does not depend on it.
        mute: codes or names of checks to leave out.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.

    >>> y = [1, 0, 1, 0, 1, 1, 0, 0, 1, 0] * 10
    >>> score = [0.9, 0.2, 0.8, 0.4, 0.6, 0.3, 0.7, 0.1, 0.5, 0.5] * 10
    >>> found = compare_groups(y, score, group=["a"] * 50 + ["b"] * 50, rates=False)
    >>> found.gaps[0].difference, found.gaps[0].pvalue
    (0.0, 1.0)
    """
    plan = Plan(ci=ci, resamples=resamples, seed=seed, workers=workers)
    read_argument("method", method, Choice(get_args(GroupMethod)))
    threshold = read_argument("threshold", threshold, Real(), optional=True)
    rates = read_argument("rates", rates, Flag())
    crossed = read_argument("crossed", crossed, Flag())
    if threshold is not None and not rates:
        raise ParameterError((Argument("threshold"), " has no effect without ", Argument("rates")))
    given: Any = dict(data)
    given["groups"] = named_groups(y_true, given.pop("group", None))
    given["called"] = {"groups": "group"}
    models, measures = read_models_and_measures(
        y_true, scores, measures, default="auc", number="one or more", data=given
    )
    rows = _used_rows(models)
    partitions = partitions_of(rows, crossed=crossed)
    chosen = _chosen(measures)
    added = rates_at(THRESHOLD if threshold is None else threshold) if rates else []
    unfit = left_out(models.tables, added) if threshold is None else {}
    question = Question((*chosen, *added), tuple(unfit.values()), method, plan)
    with reporting(progress, f"compare_groups: {len(question.measures)} measures") as report:
        parts = list(_answers(question, rows, partitions, report))
    unwanted = muted(mute)
    return GroupComparison(
        [row for part in parts for row in part.rows],
        [gap for part in parts for gap in part.gaps],
        question.left_out,
        ci=plan.ci,
        pos_label=models.positive_label,
        counted={"n": rows.n, "n_pos": int(rows.positive.sum()), "dropped": models.dropped},
        checks=[c for part in parts for c in part.checks if c.code not in unwanted],
        like=models.like,
    )


def _used_rows(models: Models) -> Predictions:
    """The cases that have weight, with the columns of groups."""
    rows = models.rows_for("groups")
    if not rows.groups:
        raise ParameterError(
            (Argument("group"), " is missing"),
            remedy="name at least one column of groups",
        )
    return rows if rows.weight is None else rows.where(rows.weight > 0)


def _chosen(measures: str | Measure | Iterable[str | Measure]) -> list[Measure]:
    """The measures; means over groups are refused, since they have no value in a group."""
    chosen = [measures] if isinstance(measures, Measure) else parse_list(measures)
    averaged = [str(one) for one in chosen if isinstance(one, MeanOver)]
    if averaged:
        raise ParameterError(
            (Argument("measures"), f" must have values in each group, got {averaged[0]}"),
            remedy=f"use {averaged[0].removeprefix('mean_over(').removesuffix(')')}",
        )
    return chosen


def _answers(
    question: Question,
    rows: Predictions,
    partitions: list[Partition],
    progress: Progress | None,
) -> Iterator[Answer]:
    """The answers for each model: on all cases, and for each column of groups."""
    parts = len(rows.scores) * len(partitions)
    for number, (model, scores) in enumerate(rows.scores.items()):
        own = replace(rows, scores={model: scores}, _tables={})
        whole = Sample.of(own, in_pairs=True, workers=question.plan.workers)
        yield overall(question, whole, model)
        for place, partition in enumerate(partitions):
            share = portion(progress, number * len(partitions) + place, parts)
            alone = len(partitions) == 1
            yield compared(question, GroupSamples(whole, own, partition), share, alone=alone)
