"""``metameasure plot``: gain, lift, costs, net benefit and zones of optimality."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from metameasure.cli.groups import PICTURE
from metameasure.cli.options import Costs, File
from metameasure.cli.picture import Band, Highlight, Picture, PlotColumns, Simultaneous
from metameasure.plots import (
    CostCurveDisplay,
    DecisionCurveDisplay,
    GainDisplay,
    LiftDisplay,
    Over,
    ZonesDisplay,
)


def lift(
    file: File,
    /,
    *,
    columns: PlotColumns = PlotColumns(),
    highlight: Highlight = None,
    picture: Picture,
) -> None:
    """Draw lift charts: positives found against cases taken."""
    picture.draw(LiftDisplay(columns.models(file), highlight=highlight))


def gain(
    file: File,
    /,
    *,
    columns: PlotColumns = PlotColumns(),
    depth: Annotated[
        float | None,
        Parameter(group=PICTURE, help="Fraction of cases to report the gain for, e.g. 0.1."),
    ] = None,
    band: Band = None,
    simultaneous: Simultaneous = False,
    highlight: Highlight = None,
    picture: Picture,
) -> None:
    """Draw gain (CAP) curves: fraction of positives found against fraction of cases taken."""
    picture.draw(
        GainDisplay(
            columns.models(file),
            depth=depth,
            band=band,
            simultaneous=simultaneous,
            highlight=highlight,
        )
    )


def cost_curve(
    file: File,
    /,
    *,
    columns: PlotColumns = PlotColumns(),
    costs: Costs = Costs(),
    lines: Annotated[
        bool | None,
        Parameter(group=PICTURE, negative="--no-lines", help="Draw the line of each threshold."),
    ] = None,
    pc_low: Annotated[
        float | None, Parameter(group=PICTURE, help="Shade probability costs from this value.")
    ] = None,
    pc_high: Annotated[
        float | None, Parameter(group=PICTURE, help="Shade probability costs up to this value.")
    ] = None,
    highlight: Highlight = None,
    picture: Picture,
) -> None:
    """Draw cost curves: lowest expected cost against probability cost."""
    picture.draw(
        CostCurveDisplay(
            columns.models(file),
            lines=lines,
            pc_low=pc_low,
            pc_high=pc_high,
            highlight=highlight,
            **vars(costs),
        )
    )


def decision_curve(
    file: File,
    /,
    *,
    columns: PlotColumns = PlotColumns(),
    low: Annotated[float, Parameter(group=PICTURE, help="Lowest threshold probability.")] = 0.0,
    high: Annotated[float, Parameter(group=PICTURE, help="Highest threshold probability.")] = 1.0,
    standardized: Annotated[
        bool, Parameter(group=PICTURE, help="Divide net benefit by the prevalence.")
    ] = False,
    highlight: Highlight = None,
    picture: Picture,
) -> None:
    """Draw decision curves: net benefit against threshold probability."""
    picture.draw(
        DecisionCurveDisplay(
            columns.models(file),
            thresholds=(low, high),
            standardized=standardized,
            highlight=highlight,
        )
    )


def zones(
    file: File,
    /,
    *,
    columns: PlotColumns = PlotColumns(),
    costs: Costs = Costs(),
    over: Annotated[
        Over, Parameter(group=PICTURE, help="Axis: probability cost or skew.")
    ] = "cost",
    highlight: Highlight = None,
    picture: Picture,
) -> None:
    """Draw zones of optimality: which model is best for which costs and class ratio."""
    picture.draw(ZonesDisplay(columns.models(file), over=over, highlight=highlight, **vars(costs)))
