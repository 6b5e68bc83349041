"""``metameasure operating``: from which score on to call a case positive."""

from __future__ import annotations

from metameasure.cli import reading
from metameasure.cli.goal_options import CostFn, CostFp, Maximize, Prior, checked_goal
from metameasure.cli.output import Output, Written, write_result
from metameasure.operating import operating_points_of


def operating(
    file: reading.File,
    label: reading.Label = None,
    score: reading.Scores = None,
    weight: reading.Weight = None,
    cost_fp: CostFp = None,
    cost_fn: CostFn = None,
    maximize: Maximize = None,
    prior: Prior = None,
    pos_label: reading.PosLabel = None,
    nan_policy: reading.NanPolicy = "raise",
    rescale: reading.Rescale = None,
    format: Written = None,  # noqa: A002
    output: Output = None,
) -> None:
    """Choose the threshold of each model, by costs or by a measure, and the best model.

    With costs and several models it also says which model is best for which skew and prior.
    """
    goal = checked_goal(maximize, cost_fp, cost_fn, prior)
    models = reading.read(
        file,
        label,
        score,
        weight=weight,
        pos_label=pos_label,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    write_result(operating_points_of(models, goal, prior), format, output)
