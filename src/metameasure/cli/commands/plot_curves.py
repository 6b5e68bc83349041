"""``metameasure plot``: the curves of models."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from metameasure._arguments import POSITIVE, read_argument
from metameasure.cli import reading
from metameasure.cli.goal_options import goal
from metameasure.cli.plot_options import Band, Highlight, Simultaneous, models, picture


@picture(models=models, goal=goal)
def roc(
    models: Any,
    goal: Any,
    hull: Annotated[bool, typer.Option("--hull", help="Draw the convex hull of all.")] = False,
    isometrics: Annotated[
        str | None, typer.Option(metavar="MEASURE", help="Draw its lines of equal value.")
    ] = None,
    ratio: Annotated[
        float | None,
        typer.Option(help="For so many negatives to a positive; as many as in the file."),
    ] = None,
    band: Band = None,
    simultaneous: Simultaneous = False,
    highlight: Highlight = None,
) -> Any:
    """Draw ROC curves: hull, isometrics, operating point, band."""
    from metameasure.operating import of_rates  # noqa: PLC0415
    from metameasure.plots import RocDisplay  # noqa: PLC0415

    if isometrics is not None:
        with reading.as_usage("--isometrics"):
            of_rates(isometrics, "an isometric")
    if ratio is not None:
        if isometrics is None:
            raise typer.BadParameter("it is that of --isometrics: give them", param_hint="--ratio")
        with reading.as_usage("--ratio"):
            read_argument("ratio", ratio, POSITIVE)
    return RocDisplay(
        models,
        hull=hull,
        isometrics=isometrics,
        r=ratio,
        band=band,
        simultaneous=simultaneous,
        highlight=highlight,
        **goal,
    )


@picture(models=models)
def sroc(models: Any, highlight: Highlight = None) -> Any:
    """Draw sROC curves: how the AUC falls as a margin is asked of the positives."""
    from metameasure.plots import SrocDisplay  # noqa: PLC0415

    return SrocDisplay(models, highlight=highlight)


@picture(models=models)
def tpr_fpr(
    models: Any,
    against: Annotated[
        str, typer.Option(help="Draw over the thresholds by index, by score or by depth.")
    ] = "index",
    band: Band = None,
    simultaneous: Simultaneous = False,
) -> Any:
    """Draw the TPR-FPR (Kolmogorov-Smirnov) chart of a model, with KS and taKS."""
    from metameasure.plots import TprFprDisplay  # noqa: PLC0415

    chosen = reading.one_of(against, "--against", ("index", "score", "depth"))
    if band is not None and chosen == "index":
        raise typer.BadParameter("bands need --against score or depth", param_hint="--band")
    return TprFprDisplay(models, against=chosen, band=band, simultaneous=simultaneous)


@picture(models=models)
def det(models: Any, highlight: Highlight = None) -> Any:
    """Draw DET curves: errors of both classes on axes of normal deviates."""
    from metameasure.plots import DetDisplay  # noqa: PLC0415

    return DetDisplay(models, highlight=highlight)


@picture(models=models, goal=goal)
def precision_recall(
    models: Any,
    goal: Any,
    interpolation: Annotated[
        str, typer.Option(help="Between points: davis_goadrich, step, trapezoid or max.")
    ] = "davis_goadrich",
    beta: Annotated[
        float | None, typer.Option(help="Draw lines of equal F, with this weight of recall.")
    ] = None,
    band: Band = None,
    simultaneous: Simultaneous = False,
    highlight: Highlight = None,
) -> Any:
    """Draw precision-recall curves: lines of equal F, prevalence, operating point, band."""
    from metameasure.curves import BETWEEN  # noqa: PLC0415
    from metameasure.plots import (  # noqa: PLC0415
        PrecisionRecallDisplay,
        f_lines,
    )

    with reading.as_usage("--beta"):
        f_lines(beta)
    return PrecisionRecallDisplay(
        models,
        interpolation=reading.one_of(interpolation, "--interpolation", tuple(BETWEEN)),
        beta=beta,
        band=band,
        simultaneous=simultaneous,
        highlight=highlight,
        **goal,
    )
