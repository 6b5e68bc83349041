"""``metameasure plot``: calibration, scores, measures with intervals, and confusion matrices."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from cyclopts import Parameter

import metameasure as mm
from metameasure.cli.commands.confusion import Counting, Normalize
from metameasure.cli.groups import MEASURES, PICTURE
from metameasure.cli.options import (
    MEASURES_OPTION,
    File,
    Goal,
    OptionalConfidence,
    Reference,
)
from metameasure.cli.picture import Bins, Highlight, Picture, PlotColumns, Simultaneous
from metameasure.cli.progress import progress_bar
from metameasure.errors import Argument, ParameterError
from metameasure.evaluation import Equal
from metameasure.inference import Around
from metameasure.plots import (
    ConfusionDisplay,
    ForestDisplay,
    ReliabilityDisplay,
    ScoresDisplay,
    prevalence_of,
)


def reliability(
    file: File,
    /,
    *,
    columns: PlotColumns = PlotColumns(),
    band: Annotated[
        float | Literal["auto"] | None,
        Parameter(
            group=PICTURE, negative="--no-band", metavar="LEVEL", show_choices=False,
            help="Confidence level of the band.",
        ),
    ] = "auto",
    around: Annotated[
        Around, Parameter(group=PICTURE, help="Band around the diagonal or around the curve.")
    ] = "diagonal",
    simultaneous: Simultaneous = True,
    bins: Bins = None,
    equal: Annotated[
        Equal, Parameter(group=PICTURE, help="Bins of equal mass (number of cases) or width.")
    ] = "mass",
    highlight: Highlight = None,
    picture: Picture,
) -> None:  # fmt: skip
    """Draw reliability curves: frequency of positives against score, with band and density."""
    picture.draw(
        ReliabilityDisplay(
            columns.models(file),
            band=band,
            around=around,
            simultaneous=simultaneous,
            bins=bins,
            equal=equal,
            highlight=highlight,
        )
    )


def scores(
    file: File,
    /,
    *,
    columns: PlotColumns = PlotColumns(),
    goal: Goal = Goal(),
    threshold: Annotated[float | None, Parameter(group=PICTURE, help="Threshold to mark.")] = None,
    bins: Bins = None,
    highlight: Highlight = None,
    picture: Picture,
) -> None:
    """Draw the distribution of the scores of both classes."""
    picture.draw(
        ScoresDisplay(
            columns.models(file),
            bins=bins,
            threshold=threshold,
            highlight=highlight,
            **vars(goal),
        )
    )


def forest(
    file: File,
    /,
    *,
    columns: PlotColumns = PlotColumns(),
    measures: Annotated[
        str | None,
        MEASURES_OPTION,
        Parameter(help="Comma-separated measures, default or all (repeatable)."),
    ] = None,
    ci: OptionalConfidence = 0.95,
    compare: Annotated[
        bool, Parameter(group=MEASURES, help="Draw the differences between models (of AUC).")
    ] = False,
    reference: Reference = None,
    own_axes: Annotated[
        bool, Parameter(group=PICTURE, help="Draw each measure on its own axis.")
    ] = False,
    sort: Annotated[bool, Parameter(group=PICTURE, help="Sort models, best first.")] = False,
    picture: Picture,
) -> None:
    """Draw measures of models, or differences between models, with intervals."""
    compared = compare or reference is not None
    if compared and sort:
        raise ParameterError((Argument("sort"), " has no effect with ", Argument("compare")))
    models = columns.models(file)
    with progress_bar("evaluating") as progress:
        if not compared:
            result: Any = mm.evaluate(
                models, measures=measures or "default", ci=ci, progress=progress
            )
        elif ci is None:
            raise ParameterError((Argument("compare"), " needs ", Argument("ci")))
        else:
            result = mm.compare(
                models, measure=measures or "auc", ci=ci, reference=reference, progress=progress
            )
    picture.draw(
        ForestDisplay(result, shared=not own_axes, sort=sort, prevalence=prevalence_of(models))
    )


def confusion(
    file: File, /, *, counting: Counting, normalize: Normalize = None, picture: Picture
) -> None:
    """Draw the confusion matrix of predicted classes, or of scores at an operating point."""
    picture.draw(ConfusionDisplay(counting.count(file), normalize=normalize))
