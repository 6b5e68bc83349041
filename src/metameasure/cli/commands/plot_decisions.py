"""``metameasure plot``: what models find, what their decisions cost, and where each is best."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from metameasure.cli import reading
from metameasure.cli.goal_options import costs
from metameasure.cli.plot_options import Band, Highlight, Simultaneous, models, picture


@picture(models=models)
def lift(models: Any, highlight: Highlight = None) -> Any:
    """Draw lift charts: positives found against cases taken."""
    from metameasure.plots import LiftDisplay  # noqa: PLC0415

    return LiftDisplay(models, highlight=highlight)


@picture(models=models)
def gain(
    models: Any,
    depth: Annotated[
        float | None, typer.Option(help="Tell what is found in this share of the cases, like 0.1.")
    ] = None,
    band: Band = None,
    simultaneous: Simultaneous = False,
    highlight: Highlight = None,
) -> Any:
    """Draw gain (CAP): the share of the positives found against that of the cases taken."""
    from metameasure.plots import GainDisplay, read_depth  # noqa: PLC0415

    with reading.as_usage("--depth"):
        read_depth(depth)
    return GainDisplay(
        models, depth=depth, band=band, simultaneous=simultaneous, highlight=highlight
    )


@picture(models=models, costs=costs)
def cost_curve(
    models: Any,
    costs: Any,
    lines: Annotated[
        bool | None,
        typer.Option("--lines/--no-lines", help="Draw the lines of single thresholds behind."),
    ] = None,
    pc_low: Annotated[
        float | None, typer.Option(help="Shade probability costs from this one on.")
    ] = None,
    pc_high: Annotated[
        float | None, typer.Option(help="Shade probability costs up to this one.")
    ] = None,
    highlight: Highlight = None,
) -> Any:
    """Draw cost curves: the least expected cost against probability cost."""
    from metameasure.plots import CostCurveDisplay, read_pc  # noqa: PLC0415

    with reading.as_usage("--pc-low, --pc-high"):
        read_pc(pc_low, pc_high)
    return CostCurveDisplay(
        models, lines=lines, pc_low=pc_low, pc_high=pc_high, highlight=highlight, **costs
    )


@picture(models=models)
def decision_curve(
    models: Any,
    low: Annotated[float, typer.Option(help="The lowest threshold probability.")] = 0.0,
    high: Annotated[float, typer.Option(help="The highest threshold probability.")] = 1.0,
    standardized: Annotated[
        bool, typer.Option("--standardized", help="Divide net benefit by the prevalence.")
    ] = False,
    highlight: Highlight = None,
) -> Any:
    """Draw decision curves: net benefit against threshold probability."""
    from metameasure.plots import DecisionCurveDisplay, read_thresholds  # noqa: PLC0415

    with reading.as_usage("--low, --high"):
        read_thresholds((low, high))
    return DecisionCurveDisplay(
        models, thresholds=(low, high), standardized=standardized, highlight=highlight
    )


@picture(models=models, costs=costs)
def zones(
    models: Any,
    costs: Any,
    over: Annotated[
        str, typer.Option(help="What the bar runs over: cost (probability cost) or skew.")
    ] = "cost",
    highlight: Highlight = None,
) -> Any:
    """Draw zones of optimality: which model is best for which costs and class ratio."""
    from metameasure.plots import ZonesDisplay  # noqa: PLC0415

    chosen = reading.one_of(over, "--over", ("cost", "skew"))
    return ZonesDisplay(models, over=chosen, highlight=highlight, **costs)
