"""``metameasure plot``: the curves of models."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from metameasure.cli import reading
from metameasure.cli.plotting import Band, Highlight, Simultaneous, models, picture

Maximise = Annotated[
    str | None, typer.Option(metavar="MEASURE", help="Mark the point where this is best.")
]
CostFp = Annotated[float | None, typer.Option(help="What a false alarm costs.")]
CostFn = Annotated[float | None, typer.Option(help="What a missed positive costs.")]
Prior = Annotated[
    float | None, typer.Option(help="The probability of a positive where decisions are made.")
]


def _goal(
    maximise: Maximise = None, cost_fp: CostFp = None, cost_fn: CostFn = None, prior: Prior = None
) -> dict[str, Any]:
    """What an operating point is to be best for."""
    from metameasure.operating.skew import read_costs, read_prior  # noqa: PLC0415

    with reading.as_usage("--prior"):
        read_prior(prior)
    if cost_fp is not None and cost_fn is not None:
        with reading.as_usage("--cost-fp and --cost-fn"):
            read_costs(cost_fp, cost_fn, prior)
    return {"maximise": maximise, "cost_fp": cost_fp, "cost_fn": cost_fn, "prior": prior}


@picture(models=models, goal=_goal)
def roc(
    models: Any,
    goal: Any,
    hull: Annotated[bool, typer.Option("--hull", help="Draw the convex hull of all.")] = False,
    isometrics: Annotated[
        str | None, typer.Option(metavar="MEASURE", help="Draw its lines of equal value.")
    ] = None,
    band: Band = None,
    simultaneous: Simultaneous = False,
    highlight: Highlight = None,
) -> Any:
    """Draw ROC curves: hull, isometrics, operating point, band."""
    from metameasure.plots import RocDisplay  # noqa: PLC0415

    return RocDisplay(
        models,
        hull=hull,
        isometrics=isometrics,
        band=band,
        simultaneous=simultaneous,
        highlight=highlight,
        **goal,
    )
