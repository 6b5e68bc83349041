"""``metameasure plot``: calibration, scores, measures with intervals, and confusion matrices."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import typer

from metameasure._arguments import FRACTION, read_argument
from metameasure.cli import reading
from metameasure.cli.commands.confusion import Normalize, counting, read_normalize
from metameasure.cli.goal_options import goal
from metameasure.cli.plot_options import Band, Highlight, models, picture
from metameasure.cli.progress import progress_bar
from metameasure.evaluation import Equal, compare_models, evaluate_models
from metameasure.inference import Around, PairPlan, Plan
from metameasure.measurement import parse_list

Bins = Annotated[int | None, typer.Option(help="How many bins to show.", min=1, max=1000)]


@picture(models=models)
def reliability(
    models: Any,
    band: Band = None,
    no_band: Annotated[bool, typer.Option("--no-band", help="Draw no band.")] = False,
    around: Annotated[
        str,
        typer.Option(help="The band: diagonal, for true probabilities, or curve, for the truth."),
    ] = "diagonal",
    pointwise: Annotated[
        bool, typer.Option("--pointwise", help="Let the band hold each point, not the whole curve.")
    ] = False,
    bins: Bins = None,
    equal: Annotated[str, typer.Option(help="Bins of equal mass (cases) or width.")] = "mass",
    highlight: Highlight = None,
) -> Any:
    """Draw reliability curves: shares of positives against scores, with band and density."""
    from metameasure.plots import ReliabilityDisplay  # noqa: PLC0415

    reading.one_of(around, "--around", get_args(Around))
    reading.one_of(equal, "--equal", get_args(Equal))
    if band is not None:
        with reading.as_usage("--band"):
            read_argument("band", band, FRACTION)
        if no_band:
            raise typer.BadParameter("it does not go with --no-band", param_hint="--band")
    chosen: float | Literal["auto"] | None = "auto" if band is None else band
    return ReliabilityDisplay(
        models,
        band=None if no_band else chosen,
        around=around,  # type: ignore[arg-type]
        simultaneous=not pointwise,
        bins=bins,
        equal=equal,  # type: ignore[arg-type]
        highlight=highlight,
    )


@picture(models=models, goal=goal)
def scores(
    models: Any,
    threshold: Annotated[float | None, typer.Option(help="Mark this score.")] = None,
    *,
    goal: Any,
    bins: Bins = None,
    highlight: Highlight = None,
) -> Any:
    """Draw how the scores of both classes are distributed."""
    from metameasure.plots import ScoresDisplay  # noqa: PLC0415

    if threshold is not None and any(value is not None for value in goal.values()):
        raise typer.BadParameter(
            "it does not go with --maximize or costs", param_hint="--threshold"
        )
    return ScoresDisplay(models, bins=bins, threshold=threshold, highlight=highlight, **goal)


@picture(models=models)
def forest(
    models: Any,
    measures: Annotated[
        str | None,
        typer.Option(help="Measures with commas between them, 'default' or 'all'; auc to compare."),
    ] = None,
    ci: reading.Confidence = 0.95,
    no_ci: Annotated[bool, typer.Option("--no-ci", help="Values alone, no intervals.")] = False,
    compare: Annotated[
        bool, typer.Option("--compare", help="Draw the differences between models instead.")
    ] = False,
    reference: Annotated[
        str | None, typer.Option(metavar="COL", help="Compare all others with this model.")
    ] = None,
    own_axes: Annotated[
        bool, typer.Option("--own-axes", help="Give each measure an axis of its own.")
    ] = False,
    sort: Annotated[
        bool, typer.Option("--sort", help="Let models go down from the best one.")
    ] = False,
) -> Any:
    """Draw measures of models, or differences between them, with intervals."""
    from metameasure.plots import ForestDisplay, prevalence_of  # noqa: PLC0415

    compared = compare or reference is not None
    if compared and (no_ci or sort):
        raise typer.BadParameter(
            "it does not go with --compare and --reference",
            param_hint="--no-ci" if no_ci else "--sort",
        )
    chosen = measures or ("auc" if compared else "default")
    if compared or chosen not in {"default", "all"}:
        parse_list(chosen)
    with reading.as_usage("--ci"):
        plan = PairPlan(ci=ci) if compared else Plan(ci=ci)
    with progress_bar("evaluating") as progress:
        if isinstance(plan, PairPlan):
            result: Any = compare_models(
                models, chosen, plan, reference=reference, progress=progress
            )
        else:
            intervals = None if no_ci else plan
            result = evaluate_models(models, chosen, intervals, progress=progress)
    prevalence = prevalence_of(models)
    return ForestDisplay(result, shared=not own_axes, sort=sort, prevalence=prevalence)


@picture(count=counting)
def confusion(count: Any, normalize: Normalize = None) -> Any:
    """Draw the confusion matrix of true and predicted classes, or of scores that are cut."""
    from metameasure.plots import ConfusionDisplay  # noqa: PLC0415

    by = read_normalize(normalize)
    return ConfusionDisplay(count(), normalize=by)
