"""The evaluation of models: all measures, with confidence intervals."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Unpack

from metameasure._arguments import FRACTION, read_argument
from metameasure._text import visible
from metameasure.data import FoldOptions, Models, takes_models
from metameasure.errors import UndefinedMeasureWarning
from metameasure.evaluation.checks import (
    check_auc_value,
    check_columns,
    check_data,
    check_infinite,
    check_left_out,
    check_many_classes,
    check_rows,
    check_threshold,
)
from metameasure.evaluation.each_class import rows_of_classes
from metameasure.evaluation.evaluation_result import Evaluation, Row
from metameasure.evaluation.fold_summary import over_folds
from metameasure.evaluation.grouped_rows import in_given_order, rows_of_means
from metameasure.evaluation.measure_choice import (
    Chosen,
    bounded,
    choose,
    choose_for,
    choose_of_classes,
    left_out,
    read_models_and_measures,
)
from metameasure.evaluation.measured_rows import (
    NONE_KNOWN,
    all_and_groups,
    dropped_by_group,
    rows_of,
    values_in_groups,
)
from metameasure.evaluation.parted_rows import evaluate_parts, fits_parts
from metameasure.evaluation.true_values import evaluate_true_values
from metameasure.inference import (
    RESAMPLES,
    SEED,
    ClassSample,
    Plan,
    Sample,
    portion,
    samples_of,
)
from metameasure.measurement import MeanOver
from metameasure.progress import reporting
from metameasure.results import Check, muted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metameasure.evaluation.evaluation_result import UndefinedValue
    from metameasure.inference import Method
    from metameasure.progress import Progress


@takes_models(FoldOptions)
def evaluate(
    y_true: Any,
    scores: Any = None,
    measures: Chosen = "default",
    ci: float | None = 0.95,
    *,
    method: Method = "auto",
    resamples: int = RESAMPLES,
    seed: int | None = SEED,
    stratified: bool = False,
    workers: int | None = None,
    mute: str | Iterable[str] = (),
    progress: bool | Progress | None = True,
    **data: Unpack[FoldOptions],
) -> Evaluation:
    """The values of measures for each model, with confidence intervals; one sort per model.

    Pass labels and scores (an array, a dict of models, a data frame with one column per model), a
    data frame or file and the names of its columns, or score tables::

        mm.evaluate(y_true, {"forest": s1, "logistic": s2})
        mm.evaluate(frame, label="y", scores=["forest", "logistic"], weight="w", group="site")
        mm.evaluate("predictions.parquet", label="y", scores="forest")
        mm.evaluate({"forest": table})

    For several classes pass a matrix of scores with one column per class, or a dict with one matrix
    per model. In a data frame, ``proba=["cat", "dog", "fox"]`` names these columns. With more than
    two labels, a data frame or dict whose columns have the names of the labels is such a matrix.
    Predicted labels of several classes can replace the scores, or ``predicted="guess"`` names their
    column; then the measures are those of the confusion matrix.

    If models predict an order of items rather than a class, pass their true values or ranks::

        mm.evaluate(true_values, {"forest": s1, "linear": s2}, order=True)
        mm.evaluate("prices.parquet", order="price", scores=["forest", "linear"])

    If the true probabilities of the cases are known instead of their labels, pass those::

        mm.evaluate(true_probabilities, {"forest": s1, "linear": s2}, soft=True)
        mm.evaluate("cases.parquet", label="p", scores=["forest", "linear"], soft=True)

    Args:
        measures: "default", "all", or measures and their texts. "default" and "all" exclude
            measures that the scores do not allow; the result lists them with the reason.
        ci: the confidence of the intervals; None for no intervals.
        group: the column of the groups, or an array; each group is evaluated after all cases.
            Measures such as ``mean_over(average_precision)`` are means over groups.
        fold: the column of the folds of a cross-validation, or an array; the result then has the
            mean and the standard deviation over the folds beside the values of all cases.
        method: the method of the intervals, as for ``interval``; "auto" chooses one per measure.
        resamples: the number of resamples, for methods that need them.
        seed: the seed of the random numbers.
        stratified: whether resamples keep the number of cases per class.
        workers: the number of threads; the result does not depend on it.
        mute: codes or names of checks to leave out.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.

    >>> result = evaluate([1, 0, 1, 0], {"a": [0.9, 0.5, 0.5, 0.1]}, "auc, brier", ci=None)
    >>> print(result)
    measure       a
    auc ↑    0.8750
    brier ↓  0.1300
    4 cases, 2 positive
    check MM01: only 2 positive and 2 negative cases; estimates are unreliable
    check MM04 (a): 50% of the cases are tied with a case of the other class
    """
    plan = None
    ci = read_argument("ci", ci, FRACTION, optional=True)
    if ci is not None:
        plan = Plan(
            ci=ci,
            method=method,
            resamples=resamples,
            seed=seed,
            stratified=stratified,
            workers=workers,
        )
    models, measures = read_models_and_measures(
        *(y_true, scores, measures),
        number="one or more",
        data=data,
        parted=lambda chosen: fits_parts(chosen, plan, weighted=data.get("weight") is not None),
    )
    with reporting(progress, f"evaluate: {_work(models, measures, resamples)}") as report:
        result = evaluate_models(models, measures, plan, mute=mute, progress=report)
    _warn(result.undefined)
    return result


def _work(models: Models, measures: Chosen, resamples: int) -> str:
    """What takes time, in words."""
    chosen, _ = choose_for(models, measures)
    return f"{resamples} resamples of {len(chosen)} measure{'s' * (len(chosen) > 1)}"


def evaluate_models(
    models: Models,
    measures: Chosen = "default",
    plan: Plan | None = None,
    *,
    mute: str | Iterable[str] = (),
    progress: Progress | None = None,
) -> Evaluation:
    """The evaluation of models that were read; undefined values are reported only in the result."""
    if models.in_parts:
        return evaluate_parts(models, measures, plan, mute=mute, progress=progress)
    if models.classes is not None:
        return _evaluate_class_scores(models, measures, plan, mute=mute, progress=progress)
    if models.subject != "table":
        return evaluate_true_values(models, measures, plan, mute=mute, progress=progress)
    chosen, by_name = choose(measures)
    chosen = chosen if by_name else bounded(chosen, models.tables)
    unwanted = muted(mute)
    unfitting = left_out({} if by_name else models.tables, chosen)
    averaged = [measure for measure in chosen if isinstance(measure, MeanOver)]
    single = [measure for measure in chosen if not isinstance(measure, MeanOver)]
    if averaged:
        models.rows_for(str(averaged[0]))
    parts = list(all_and_groups(models)) if single else [(None, models)]
    fitting = {
        model: [measure for measure in single if (model, measure) not in unfitting]
        for model in models.names
    }
    known = values_in_groups(models, fitting) if plan is None else {}
    dropped = dropped_by_group(models)
    rows: list[Row] = []
    checks: list[Check] = []
    for number, (group, part) in enumerate(parts):
        samples = (
            samples_of(part, resampled=plan is not None)
            if single
            else [Sample.without_tables(part.rows_for("groups"))]
        )
        for place, sample in enumerate(samples):
            asked = {model: fitting[model] for model in sample.tables}
            n_pos, n_neg = sample.classes
            counted = {"n": n_pos + n_neg, "n_pos": n_pos, "dropped": dropped[group]}
            share = portion(progress, number * len(samples) + place, len(parts) * len(samples))
            counts = {**counted, "group": group}
            of_group = known.get(group, NONE_KNOWN)
            found, intervals = rows_of(sample, asked, plan, counts, share, of_group)
            rows += found
            checks += [*check_data(sample, group), *check_rows(found, intervals, sample)]
            checks += check_infinite(found, sample)
            for row in found:
                table, where = sample.tables[row.model], (row.model, row.group)
                checks += check_threshold(row.measure, table, *where)
                checks += check_auc_value(row.measure, row.value, *where)
        if averaged and group is None:
            rows_in_all = models.rows_for("groups")
            means, found_in_means = rows_of_means(rows_in_all, averaged, plan, counted)
            rows = sorted([*rows, *means], key=in_given_order(models, chosen))
            checks += found_in_means
    ci = None if plan is None else plan.ci
    folds = over_folds(models, rows, ci)
    checks += folds.checks
    return Evaluation(
        rows,
        list(unfitting.values()),
        list(dict.fromkeys(check for check in checks if check.code not in unwanted)),
        ci,
        models.like,
        folds,
        models.positive_label,
    )


def _evaluate_class_scores(
    models: Models,
    chosen: Chosen,
    plan: Plan | None,
    *,
    mute: str | Iterable[str] = (),
    progress: Progress | None = None,
) -> Evaluation:
    """The evaluation of several classes; undefined values are reported in the result."""
    read = models.classes or {}
    unwanted, dropped = muted(mute), dropped_by_group(models)
    asked, by_name = choose_of_classes(chosen)
    asked = asked if by_name else bounded(asked, read)
    unfitting = {} if by_name else left_out(read, asked)
    fitting = {model: [m for m in asked if (model, m) not in unfitting] for model in read}
    parts = list(all_and_groups(models))
    rows: list[Row] = []
    checks = [check for model, scores in read.items() for check in check_columns(scores, model)]
    for number, (group, part) in enumerate(parts):
        sample = ClassSample.of(part.classes or {})
        counted = {"n": sample.size, "n_pos": None, "dropped": dropped[group], "group": group}
        share = portion(progress, number, len(parts))
        found, intervals = rows_of(sample, fitting, plan, counted, share)
        rows += found
        checks += [
            *check_many_classes(sample, group),
            *check_rows(found, intervals, sample),
            *check_infinite(found, sample),
            *check_left_out(found, sample),
        ]
        if group is None and not by_name:
            rows += rows_of_classes(sample, plan, evaluate_models)
    ci = None if plan is None else plan.ci
    folds = over_folds(models, rows, ci)
    return Evaluation(
        rows,
        list(unfitting.values()),
        [check for check in (*checks, *folds.checks) if check.code not in unwanted],
        ci,
        models.like,
        folds,
    )


def _warn(undefined: Sequence[UndefinedValue]) -> None:
    if undefined:
        first = undefined[0]
        others = f" and {len(undefined) - 1} more values are" if len(undefined) > 1 else " is"
        warnings.warn(
            f"{first.measure} of {visible(first.model)}{others} undefined (NaN): {first.reason}",
            UndefinedMeasureWarning,
            stacklevel=4,
        )
