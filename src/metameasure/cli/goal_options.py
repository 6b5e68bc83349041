"""The options that say what decisions are to be best for: a measure, or costs and a prior."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from metameasure.cli import reading
from metameasure.measurement import Measure
from metameasure.operating import Costs, read_goal, read_prior

Maximize = Annotated[
    str | None,
    typer.Option(
        metavar="MEASURE", help="Instead of costs: a measure, like f_measure, to make best."
    ),
]
CostFp = Annotated[float | None, typer.Option(help="What a false alarm costs.")]
CostFn = Annotated[float | None, typer.Option(help="What a missed positive costs.")]
Prior = Annotated[
    float | None,
    typer.Option(
        help="The share of positives where decisions will be made; that in the file by default."
    ),
]


def checked_goal(
    maximize: str | None, cost_fp: float | None, cost_fn: float | None, prior: float | None
) -> Measure | Costs:
    """What is to be made best; what makes no sense is an error in the command."""
    with reading.as_usage("--prior"):
        read_prior(prior)
    given = [cost is not None for cost in (cost_fp, cost_fn)]
    if maximize is not None and any(given):
        raise typer.BadParameter(
            "give it or costs, not both: a measure has its own weights", param_hint="--maximize"
        )
    if maximize is None and not all(given):
        raise typer.BadParameter(
            "say what is best: both costs, or --maximize and a measure like accuracy",
            param_hint="--cost-fp, --cost-fn",
        )
    with reading.as_usage("--cost-fp, --cost-fn" if maximize is None else "--maximize"):
        return read_goal(maximize, cost_fp, cost_fn, prior)


def goal(
    maximize: Maximize = None, cost_fp: CostFp = None, cost_fn: CostFn = None, prior: Prior = None
) -> dict[str, Any]:
    """What an operating point is to be best for, if one is wanted."""
    wanted = {"maximize": maximize, "cost_fp": cost_fp, "cost_fn": cost_fn, "prior": prior}
    if any(given is not None for given in wanted.values()):
        checked_goal(**wanted)  # type: ignore[arg-type]
    return wanted


def costs(cost_fp: CostFp = None, cost_fn: CostFn = None, prior: Prior = None) -> dict[str, Any]:
    """The costs and the prior for which what is best is marked, if they are given."""
    wanted = goal(None, cost_fp, cost_fn, prior)
    del wanted["maximize"]
    return wanted
