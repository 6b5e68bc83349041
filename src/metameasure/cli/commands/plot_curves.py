"""``metameasure plot``: curves."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from metameasure.cli.groups import PICTURE
from metameasure.cli.options import File, Goal
from metameasure.cli.picture import Band, Highlight, Picture, PlotColumns, Simultaneous
from metameasure.plots import (
    Against,
    DetDisplay,
    Interpolation,
    PrecisionRecallDisplay,
    RocDisplay,
    SrocDisplay,
    TprFprDisplay,
)


def roc(
    file: File,
    /,
    *,
    columns: PlotColumns = PlotColumns(),
    goal: Goal = Goal(),
    hull: Annotated[bool, Parameter(group=PICTURE, help="Draw the convex hull of all.")] = False,
    isometrics: Annotated[
        str | None,
        Parameter(group=PICTURE, metavar="MEASURE", help="Draw lines of equal value of a measure."),
    ] = None,
    r: Annotated[
        float | None,
        Parameter(
            name="--ratio", group=PICTURE,
            help="Negatives per positive of the isometrics (default: as in FILE).",
        ),
    ] = None,
    band: Band = None,
    simultaneous: Simultaneous = False,
    highlight: Highlight = None,
    picture: Picture,
) -> None:  # fmt: skip
    """Draw ROC curves: hull, isometrics, operating point, band."""
    picture.draw(
        RocDisplay(
            columns.models(file),
            hull=hull,
            isometrics=isometrics,
            r=r,
            band=band,
            simultaneous=simultaneous,
            highlight=highlight,
            **vars(goal),
        )
    )


def sroc(
    file: File,
    /,
    *,
    columns: PlotColumns = PlotColumns(),
    highlight: Highlight = None,
    picture: Picture,
) -> None:
    """Draw sROC curves: AUC against the margin required of the positives."""
    picture.draw(SrocDisplay(columns.models(file), highlight=highlight))


def tpr_fpr(
    file: File,
    /,
    *,
    columns: PlotColumns = PlotColumns(),
    against: Annotated[
        Against, Parameter(group=PICTURE, help="Thresholds by index, by score or by depth.")
    ] = "index",
    band: Band = None,
    simultaneous: Simultaneous = False,
    picture: Picture,
) -> None:
    """Draw the TPR-FPR (Kolmogorov-Smirnov) chart of a model, with KS and taKS."""
    picture.draw(
        TprFprDisplay(columns.models(file), against=against, band=band, simultaneous=simultaneous)
    )


def det(
    file: File,
    /,
    *,
    columns: PlotColumns = PlotColumns(),
    highlight: Highlight = None,
    picture: Picture,
) -> None:
    """Draw DET curves: error rates of both classes on normal-deviate axes."""
    picture.draw(DetDisplay(columns.models(file), highlight=highlight))


def precision_recall(
    file: File,
    /,
    *,
    columns: PlotColumns = PlotColumns(),
    goal: Goal = Goal(),
    interpolation: Annotated[
        Interpolation, Parameter(group=PICTURE, help="Interpolation between points.")
    ] = "davis_goadrich",
    beta: Annotated[
        float | None,
        Parameter(group=PICTURE, help="Draw lines of equal F with this weight of recall."),
    ] = None,
    band: Band = None,
    simultaneous: Simultaneous = False,
    highlight: Highlight = None,
    picture: Picture,
) -> None:
    """Draw precision-recall curves: lines of equal F, prevalence, operating point, band."""
    picture.draw(
        PrecisionRecallDisplay(
            columns.models(file),
            interpolation=interpolation,
            beta=beta,
            band=band,
            simultaneous=simultaneous,
            highlight=highlight,
            **vars(goal),
        )
    )
