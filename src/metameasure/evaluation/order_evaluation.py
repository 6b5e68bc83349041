"""The evaluation of models that predict an order of items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metameasure.evaluation.checks import check_items, check_rows
from metameasure.evaluation.evaluation_result import Evaluation, Row
from metameasure.evaluation.measure_choice import choose_of_order
from metameasure.evaluation.measured_rows import all_and_groups, dropped_by_group, rows_of
from metameasure.inference import OrderSample, portion
from metameasure.results import Check, muted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from metameasure.data import Models
    from metameasure.evaluation.measure_choice import Chosen
    from metameasure.inference import Plan
    from metameasure.progress import Progress


def evaluate_orders(
    models: Models,
    chosen: Chosen,
    plan: Plan | None,
    *,
    mute: str | Iterable[str] = (),
    progress: Progress | None = None,
) -> Evaluation:
    """The values for all items and for each group of them; undefined values are in the result."""
    asked, _ = choose_of_order(chosen)
    unwanted, dropped = muted(mute), dropped_by_group(models)
    parts = list(all_and_groups(models))
    rows: list[Row] = []
    checks: list[Check] = []
    for number, (group, part) in enumerate(parts):
        assert part.orders is not None  # noqa: S101 - a part of orders has orders
        sample = OrderSample.of(part.orders)
        counted = {"n": sample.size, "n_pos": None, "dropped": dropped[group], "group": group}
        share = portion(progress, number, len(parts))
        found, intervals = rows_of(sample, dict.fromkeys(part.names, asked), plan, counted, share)
        rows += found
        checks += [*check_items(sample, group), *check_rows(found, intervals, sample)]
    return Evaluation(
        rows,
        checks=[check for check in checks if check.code not in unwanted],
        ci=None if plan is None else plan.ci,
        like=models.like,
    )
