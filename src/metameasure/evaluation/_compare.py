"""Models against each other: is one really better than another?"""

from __future__ import annotations

import math
import warnings
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any, Unpack

from metameasure._text import shown, visible
from metameasure.data import GroupOptions, takes_models
from metameasure.errors import Argument, DataError, ParameterError, UndefinedMeasureWarning
from metameasure.evaluation.checks import (
    check_auc,
    check_data,
    check_difference,
    check_groups,
    check_infinite_losses,
    check_many_classes,
    check_threshold,
    check_values,
)
from metameasure.evaluation.comparison_result import Comparison, PairRow
from metameasure.evaluation.evaluation_result import counts_text
from metameasure.evaluation.measure_choice import Chosen, read_models_and_measures
from metameasure.inference import (
    RESAMPLES,
    SEED,
    ClassSample,
    Difference,
    PairPlan,
    Sample,
    check_margin,
    check_units,
    differences,
    differences_of_groups,
    holm,
    portion,
    rows_in_groups,
    sample_without_tables,
    values_of_groups,
)
from metameasure.measurement import MeanOver, Measure, parse_list
from metameasure.progress import reporting
from metameasure.results import (
    Check,
    muted,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from metameasure.data import Models, Orders, Predictions
    from metameasure.inference import PairMethod
    from metameasure.progress import Progress

NO_TEST = "none"
"""The method of a difference without a test."""
DEFAULT = "auc"
DEFAULTS = {"classes": "accuracy", "order": "kendall_tau", "probabilities": "brier"}
"""The measures by which scores, classes, orders and probabilities are compared by default."""


@takes_models(GroupOptions)
def compare(
    y_true: Any,
    scores: Any = None,
    measures: Chosen = "default",
    ci: float = 0.95,
    *,
    method: PairMethod = "auto",
    margin: float | None = None,
    reference: str | None = None,
    resamples: int = RESAMPLES,
    seed: int | None = SEED,
    stratified: bool = False,
    workers: int | None = None,
    mute: str | Iterable[str] = (),
    progress: bool | Progress | None = True,
    **data: Unpack[GroupOptions],
) -> Comparison:
    """The differences between models on the same cases, with intervals and p-values.

    Data are passed as to ``evaluate``; for several classes, a dict of matrices with one column per
    class. With ``order``, the models predict an order of items, with ``soft``, true
    probabilities. Score tables give differences
    without intervals and p-values, since these need the cases. P-values are adjusted by Holm's
    method over the pairs of each measure.

    Args:
        measures: one measure or several; "default" is auc, of several classes accuracy, of orders
            kendall_tau, of true probabilities brier.
        ci: the confidence of the intervals.
        method: "auto", or "delong", "mcnemar" (mid-p), "mcnemar_exact", "mcnemar_chi2" (with the
            continuity correction), "normal" (of a mean over the cases), "linearized" (influences
            of the cases), "delta" (the confusion matrix of several classes), "swapped" (random
            exchanges of the two scores), "jackknife" (orders of items) or "bootstrap".
        margin: the non-inferiority margin: test whether a is worse than b by less than this. Each
            pair is then tested in both directions.
        reference: the model that all others are compared with; by default all pairs.
        group: the column of the groups (queries), or an array, for means over groups, which are
            compared by their differences per group.
        resamples: the number of resamples of a bootstrap, the same for all models.
        seed: the seed of the random numbers.
        stratified: whether resamples keep the number of cases per class.
        workers: the number of threads; the result does not depend on it.
        mute: codes or names of checks to leave out.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.

    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> a, b = [0.9, 0.8, 0.7, 0.4, 0.6, 0.3, 0.2, 0.1], [0.6, 0.9, 0.3, 0.2, 0.8, 0.4, 0.1, 0.5]
    >>> print(compare(y, {"a": a, "b": b}, mute="few-cases"))
    auc ↑
    models           difference       p  adjusted p  method
    a - b   0.3750  0.062–0.688  0.0297      0.0297  swapped
    8 cases, 4 positive; 95% confidence intervals
    """
    plan = PairPlan(
        ci=ci,
        method=method,
        margin=margin,
        resamples=resamples,
        seed=seed,
        stratified=stratified,
        workers=workers,
    )
    models, measures = read_models_and_measures(
        y_true, scores, measures, number="two or more", data=data
    )
    count = len(_listed(models, measures))
    what = f"compare: {resamples} resamples of {count} measure{'s' * (count > 1)}"
    with reporting(progress, what) as report:
        found = compare_models(
            models, measures, plan, reference=reference, mute=mute, progress=report
        )
    _warn(found.rows)
    return found


def _warn(rows: Sequence[PairRow]) -> None:
    """Warn once about undefined differences."""
    undefined = [row for row in rows if math.isnan(row.difference)]
    if undefined:
        first, more = undefined[0], len(undefined) - 1
        others = f" and {more} more differences are" if more else " is"
        a, b = visible(first.a), visible(first.b)
        warnings.warn(
            f"the difference of {first.measure} between {a} and {b}{others} undefined (NaN)",
            UndefinedMeasureWarning,
            stacklevel=4,
        )


def compare_models(
    models: Models,
    measures: Chosen,
    plan: PairPlan,
    *,
    reference: str | None = None,
    mute: str | Iterable[str] = (),
    progress: Progress | None = None,
) -> Comparison:
    """The comparison of models that were read."""
    chosen, unwanted = _listed(models, measures), muted(mute)
    pairs = _pairs(models.names, reference, plan.margin is not None)
    if models.subject != "table":
        return _compare_others(models, chosen, pairs, plan, unwanted, progress)
    paired = plan.method != "auto" or plan.margin is not None
    if models.rows is None and not paired:
        return _compare_tables(models, chosen, pairs, plan, unwanted)
    predictions = models.rows_for("paired tests")
    averaged = [one for one in chosen if isinstance(one, MeanOver)]
    _check_groups(models, chosen)
    if len(averaged) < len(chosen):
        sample = Sample.of(predictions, in_pairs=True, workers=plan.workers)
    else:
        sample = Sample.without_tables(predictions)
    found: dict[Measure, list[Difference]] = {}
    after: list[Check] = []
    for part, one in enumerate(chosen):
        if isinstance(one, MeanOver):
            found[one], checks = _over_groups(predictions, one, pairs, plan)
            after += checks
        else:
            share = portion(progress, part, len(chosen))
            found[one] = differences(sample, one, pairs, plan, share)
    after += [
        check
        for one in chosen
        if one not in averaged
        for model, table in sample.tables.items()
        for check in (*check_threshold(one, table, model), *check_auc(one, table, model))
    ]
    after += check_infinite_losses((one for one in chosen if one not in averaged), sample)
    n_pos, n_neg = sample.classes
    return _comparison(
        found,
        plan,
        {"n": n_pos + n_neg, "n_pos": n_pos, "dropped": predictions.dropped},
        checks=(list(check_data(sample)), after),
        unwanted=unwanted,
        like=models.like,
        positive=models.positive_label,
    )


def _over_groups(
    rows: Predictions | Orders,
    measure: MeanOver,
    pairs: Sequence[tuple[str, str]],
    plan: PairPlan,
) -> tuple[list[Difference], list[Check]]:
    """The differences of pairs in a mean over groups, and their checks."""
    check_margin(measure, plan)
    check_units(rows, measure)
    models = dict.fromkeys(model for pair in pairs for model in pair)
    of_groups = values_of_groups(rows, {model: [measure] for model in models})
    values = {model: of_groups[model, measure] for model in models}
    checks = [check for model in models for check in check_groups(measure, values[model], model)]
    return differences_of_groups(values, measure, pairs, plan), checks


def _compare_others(
    models: Models,
    measures: Sequence[Measure],
    pairs: Sequence[tuple[str, str]],
    plan: PairPlan,
    unwanted: frozenset[str],
    progress: Progress | None,
) -> Comparison:
    """The comparison of models of several classes, of predicted orders, or of probabilities."""
    sample = sample_without_tables(models)
    chosen = [one.of_subject(models.subject) for one in measures]
    _check_groups(models, chosen)
    before = (
        check_values(sample) if not isinstance(sample, ClassSample) else check_many_classes(sample)
    )
    found: dict[Measure, list[Difference]] = {}
    after: list[Check] = []
    for part, one in enumerate(chosen):
        if isinstance(one, MeanOver):
            found[one], checks = _over_groups(rows_in_groups(models, one), one, pairs, plan)
            after += checks
        else:
            share = portion(progress, part, len(chosen))
            found[one] = differences(sample, one, pairs, plan, share)
    single = (one for one in chosen if not isinstance(one, MeanOver))
    after += check_infinite_losses(single, sample)
    return _comparison(
        found,
        plan,
        {"n": sample.size, "n_pos": None, "dropped": models.dropped},
        checks=(list(before), after),
        unwanted=unwanted,
        like=models.like,
        what="items" if models.orders is not None else "cases",
    )


def _check_groups(models: Models, chosen: Sequence[Measure]) -> None:
    """Refuse groups without a mean over them."""
    if models.group is not None and not any(isinstance(one, MeanOver) for one in chosen):
        example = {"order": "mean_over(kendall_tau)", "table": "mean_over(auc)"}.get(models.subject)
        use = f"use a measure such as {example}, or remove " if example else "remove "
        raise ParameterError(
            (Argument("group"), " needs a mean over groups"), remedy=(use, Argument("group"))
        )


def _compare_tables(
    models: Models,
    measures: Sequence[Measure],
    pairs: Sequence[tuple[str, str]],
    plan: PairPlan,
    unwanted: frozenset[str],
) -> Comparison:
    """The differences of models of which only score tables are known, without tests."""
    found: dict[Measure, list[Difference]] = {}
    for one in measures:
        if isinstance(one, MeanOver):
            models.rows_for(str(one))
        value = {name: one.quiet_value(table) for name, table in models.tables.items()}
        good = {name: float(one.goodness(value[name])) for name in value}
        found[one] = [
            Difference(
                *(a, b, one, value[a] - value[b], good[a] - good[b]),
                *(math.nan, math.nan, math.nan, NO_TEST),
                reason="paired tests need the cases, not only their score tables",
            )
            for a, b in pairs
        ]
    n, n_pos = round(models.cases), round(models.positives)
    counted = {"n": n, "n_pos": n_pos, "dropped": 0}
    return _comparison(found, plan, counted, checks=([], []), unwanted=unwanted, like=None)


def _listed(models: Models, measures: Chosen) -> list[Measure]:
    """The measures; without a choice one."""
    if isinstance(measures, Measure):
        return [measures]
    by_default = isinstance(measures, str) and measures == "default"
    return parse_list(DEFAULTS.get(models.subject, DEFAULT) if by_default else measures)


def _comparison(
    found: Mapping[Measure, Sequence[Difference]],
    plan: PairPlan,
    counted: Mapping[str, Any],
    *,
    checks: tuple[list[Check], list[Check]],
    unwanted: frozenset[str],
    like: Any,
    what: str = "cases",
    positive: Any = None,
) -> Comparison:
    """The result, of cases or items.

    ``checks`` are those before and after the checks of the differences.
    """
    rows: list[PairRow] = []
    for gaps in found.values():
        adjusted = holm([gap.pvalue for gap in gaps])
        rows += [_row(gap, p) for gap, p in zip(gaps, adjusted, strict=True)]
    of_gaps = [
        check for gaps in found.values() for gap in gaps for check in check_difference(gap, plan.ci)
    ]
    before, after = checks
    margin = f"; p-value (H0: worse by at least {plan.margin:g})" if plan.margin is not None else ""
    of_label = {} if positive is None else {"pos_label": positive}
    tested = any(gap.method != NO_TEST for gaps in found.values() for gap in gaps)
    return Comparison(
        rows,
        ci=plan.ci,
        meta={**counted, "margin": plan.margin, **of_label},
        caption=counts_text(**counted, ci=plan.ci if tested else None, what=what, positive=positive)
        + margin,
        checks=[c for c in (*before, *of_gaps, *after) if c.code not in unwanted],
        like=like,
    )


def _pairs(models: list[str], reference: str | None, directed: bool) -> list[tuple[str, str]]:
    if len(models) < 2:
        raise DataError(f"need at least two models, got {len(models)}")
    if reference is not None:
        if not isinstance(reference, str) or reference not in models:
            raise ParameterError(
                (
                    Argument("reference"),
                    f" must be one of {shown(models)}, got {shown([reference])}",
                )
            )
        return [(model, reference) for model in models if model != reference]
    return list((permutations if directed else combinations)(models, 2))


def _row(gap: Difference, adjusted: float) -> PairRow:
    known = not gap.reason
    return PairRow(
        gap.a,
        gap.b,
        gap.measure.stated,
        gap.difference,
        gap.low if known else None,
        gap.high if known else None,
        gap.pvalue if known else None,
        adjusted if known else None,
        gap.method,
    )
