"""The evaluation of cases that do not fit in memory, from the parts of their score tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from metameasure.evaluation.checks import (
    SUMMARIES,
    check_auc_value,
    check_probabilities,
    check_rows,
    check_ties,
    constant_scores,
    score_sums,
    two_scores,
)
from metameasure.evaluation.evaluation_result import Evaluation, LeftOut, Row
from metameasure.evaluation.measure_choice import (
    CLIP,
    OF_LABELS,
    can_clip,
    choose,
    unfit_range,
)
from metameasure.evaluation.measured_rows import row_of
from metameasure.inference import (
    check_classes,
    has_interval_in_parts,
    intervals_in_parts,
    portion,
)
from metameasure.measurement import partial_of, values_in_parts
from metameasure.results import Check, muted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metameasure.data import Models, PartedCases
    from metameasure.evaluation.measure_choice import Chosen
    from metameasure.inference import Plan
    from metameasure.measurement import Measure
    from metameasure.progress import Progress
    from metameasure.table import PartedTable


def fits_parts(measures: Chosen, plan: Plan | None, *, weighted: bool) -> bool:
    """Whether the measures, with their intervals if there is a plan, come from parts.

    Otherwise all cases are read into memory. The default list comes from parts.
    """
    if plan is not None and weighted:
        return False
    chosen, _ = choose(measures)
    if plan is None:
        return all(partial_of(measure) is not None for measure in chosen)
    return all(has_interval_in_parts(measure, plan) for measure in chosen)


def evaluate_parts(
    models: Models,
    measures: Chosen,
    plan: Plan | None,
    *,
    mute: str | Iterable[str] = (),
    progress: Progress | None = None,
) -> Evaluation:
    """The evaluation of score tables in parts; undefined values are reported in the result."""
    parted: PartedCases = models.parted  # type: ignore[assignment]
    chosen, by_name = choose(measures)
    counted: dict[str, Any] = {"n": parted.n, "n_pos": parted.n_pos, "dropped": parted.dropped}
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    checks = [Check(*found) for found in check_classes(parted.n_pos, parted.n - parted.n_pos)]
    for number, (model, table) in enumerate(parted.tables.items()):
        share = portion(progress, number, len(parted.tables))
        unfitting = {} if by_name else _unfitting(table, chosen)
        left_out += [LeftOut(model, m.stated, reason) for m, reason in unfitting.items()]
        asked = [measure for measure in chosen if measure not in unfitting]
        asked = asked if by_name else _bounded(table, asked)
        checks += _score_checks(table, model, parted.n)
        if plan is None:
            values = values_in_parts(table, asked, share)
            found = [Row(model=model, measure=m, value=v, **counted) for m, v in values.items()]
        else:
            intervals = intervals_in_parts(table, asked, plan, share)
            found = [row_of(model, interval, counted) for interval in intervals.values()]
            checks += check_rows(found, [*intervals.values()])
        rows += found
        for row in found:
            checks += check_auc_value(row.measure, row.value, model)
    unwanted = muted(mute)
    return Evaluation(
        rows,
        left_out,
        [check for check in checks if check.code not in unwanted],
        None if plan is None else plan.ci,
        models.like,
        pos_label=parted.pos_label,
    )


def _score_checks(table: PartedTable, model: str, cases: int) -> list[Check]:
    """The checks of the scores, from a walk over the parts."""
    sums = [score_sums(part) for part in table]
    tied, scores, variances = (sum(one) for one in zip(*sums, strict=True))
    low, high = table.extent
    if _are_labels(table):
        return [Check(*two_scores(high, low), model)] if min(table.totals) > 0 else []
    if low == high:
        found = [constant_scores(low)] if min(table.totals) > 0 else []
    else:
        found = [*check_ties((tied, scores, variances), table.totals)]
    if 0 <= low <= high <= 1:
        found += check_probabilities((tied, scores, variances), table.totals, cases)
    return [Check(code, message, model, summary=SUMMARIES.get(code)) for code, message in found]


def _unfitting(table: PartedTable, chosen: Sequence[Measure]) -> dict[Measure, str]:
    """The measures that the scores do not allow, which may be predicted labels."""
    reasons = {m: unfit_range(m, *table.extent) for m in chosen}
    if _are_labels(table):
        reasons |= {m: OF_LABELS for m in chosen if not m.at_threshold}
    return {measure: reason for measure, reason in reasons.items() if reason is not None}


def _are_labels(table: PartedTable) -> bool:
    """Whether all scores are 0 or 1, and both occur."""
    if table.extent != (0, 1):
        return False
    return all(bool(((part.score == 0) | (part.score == 1)).all()) for part in table)


def _bounded(table: PartedTable, measures: Sequence[Measure]) -> list[Measure]:
    """The measures of a default list, with a clip where a loss is infinite."""
    if table.extent[0] > 0 and table.extent[1] < 1:
        return list(measures)
    losses = values_in_parts(table, filter(can_clip, measures))
    return [
        measure.using(clip=CLIP) if math.isinf(losses.get(measure, 0.0)) else measure
        for measure in measures
    ]
