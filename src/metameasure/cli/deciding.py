"""``metameasure operating``: from which score on to call a case positive."""

from __future__ import annotations

from typing import Annotated

import typer

from metameasure.cli import reading
from metameasure.cli.output import write_result
from metameasure.cli.tabling import Output, Written
from metameasure.evaluation.tables import Tables
from metameasure.operating.choosing import read_goal
from metameasure.operating.points import operating_points_of
from metameasure.operating.skew import Costs, read_prior
from metameasure.registry import Measure


def operating(
    file: reading.File,
    label: reading.Label = None,
    score: reading.Scores = None,
    weight: reading.Weight = None,
    cost_fp: Annotated[float | None, typer.Option(help="What a false alarm costs.")] = None,
    cost_fn: Annotated[float | None, typer.Option(help="What a missed positive costs.")] = None,
    maximise: Annotated[
        str | None,
        typer.Option(
            metavar="MEASURE", help="Instead of costs: a measure, like f_measure, to make best."
        ),
    ] = None,
    prior: Annotated[
        float | None,
        typer.Option(
            help="The share of positives where decisions will be made; that in the file by default."
        ),
    ] = None,
    pos_label: reading.PosLabel = None,
    nan_policy: reading.NanPolicy = "raise",
    rescale: reading.Rescale = None,
    format: Written = None,  # noqa: A002
    output: Output = None,
) -> None:
    """Choose the threshold of each model, by costs or by a measure, and the best model.

    With costs and several models it also says which model is best for which skew and prior.
    """
    goal = _goal(maximise, cost_fp, cost_fn, prior)
    predictions = reading.read(
        file,
        label,
        score,
        weight=weight,
        pos_label=pos_label,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    write_result(operating_points_of(Tables.of(predictions), goal, prior), format, output)


def _goal(
    maximise: str | None, cost_fp: float | None, cost_fn: float | None, prior: float | None
) -> Measure | Costs:
    """What is to be made best; what makes no sense is an error in the command."""
    with reading.as_usage("--prior"):
        read_prior(prior)
    given = [cost is not None for cost in (cost_fp, cost_fn)]
    if maximise is not None and any(given):
        raise typer.BadParameter(
            "give it or costs, not both: a measure has its own weights", param_hint="--maximise"
        )
    if maximise is None and not all(given):
        raise typer.BadParameter(
            "say what is best: both costs, or --maximise and a measure like accuracy",
            param_hint="--cost-fp, --cost-fn",
        )
    with reading.as_usage("--cost-fp, --cost-fn" if maximise is None else "--maximise"):
        return read_goal(maximise, cost_fp, cost_fn, prior)
