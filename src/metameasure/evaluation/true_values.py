"""The evaluation of models against true values of cases: an order of items, or probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metameasure.evaluation.checks import check_infinite, check_rows, check_values
from metameasure.evaluation.evaluation_result import Evaluation, Row
from metameasure.evaluation.fold_summary import over_folds
from metameasure.evaluation.grouped_rows import in_given_order, rows_of_means
from metameasure.evaluation.measure_choice import bounded, choose_for
from metameasure.evaluation.measured_rows import all_and_groups, dropped_by_group, rows_of
from metameasure.inference import ClassSample, portion, rows_in_groups, sample_without_tables
from metameasure.measurement import MeanOver
from metameasure.results import Check, muted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from metameasure.data import Models
    from metameasure.evaluation.measure_choice import Chosen
    from metameasure.inference import Plan
    from metameasure.progress import Progress


def evaluate_true_values(
    models: Models,
    chosen: Chosen,
    plan: Plan | None,
    *,
    mute: str | Iterable[str] = (),
    progress: Progress | None = None,
) -> Evaluation:
    """The values for all cases and for each group of them; undefined values are in the result."""
    asked, by_name = choose_for(models, chosen)
    if models.soft is not None and not by_name:
        asked = bounded(asked, {name: models.soft.of_model(name) for name in models.names})
    averaged = [measure for measure in asked if isinstance(measure, MeanOver)]
    single = [measure for measure in asked if not isinstance(measure, MeanOver)]
    unwanted, dropped = muted(mute), dropped_by_group(models)
    parts = list(all_and_groups(models)) if single else [(None, models)]
    rows: list[Row] = []
    checks: list[Check] = []
    for number, (group, part) in enumerate(parts):
        sample = sample_without_tables(part)
        assert not isinstance(sample, ClassSample)  # noqa: S101 - classes have no true values
        counted = {"n": sample.size, "n_pos": None, "dropped": dropped[group]}
        share = portion(progress, number, len(parts))
        found, intervals = rows_of(
            sample, dict.fromkeys(part.names, single), plan, {**counted, "group": group}, share
        )
        checks += [*check_values(sample, group), *check_rows(found, intervals, sample)]
        checks += check_infinite(found, sample)
        if averaged and group is None:
            data = rows_in_groups(models, averaged[0])
            means, found_in_means = rows_of_means(data, averaged, plan, counted)
            found = sorted([*found, *means], key=in_given_order(models, asked))
            checks += found_in_means
        rows += found
    ci = None if plan is None else plan.ci
    folds = over_folds(models, rows, ci)
    return Evaluation(
        rows,
        checks=[check for check in (*checks, *folds.checks) if check.code not in unwanted],
        ci=ci,
        like=models.like,
        folds=folds,
    )
