"""``metameasure plot``: models, by curves, scores, costs, measures and confusion matrices."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from cyclopts import Parameter

import metameasure as mm
from metameasure.cli.counting import Counting, Normalize
from metameasure.cli.groups import MEASURES, PICTURE, options
from metameasure.cli.options import (
    MEASURE,
    Costs,
    File,
    Goal,
    Measures,
    OptionalConfidence,
    Reference,
)
from metameasure.cli.picture import Bands, Bins, ModelPlot, ModelsPlot, Picture, Simultaneous
from metameasure.errors import Argument, ParameterError
from metameasure.evaluation import Equal
from metameasure.inference import Around
from metameasure.plots import (
    Against,
    ConfusionDisplay,
    CostCurveDisplay,
    DecisionCurveDisplay,
    DetDisplay,
    ForestDisplay,
    GainDisplay,
    Interpolation,
    LiftDisplay,
    Over,
    PrecisionRecallDisplay,
    ReliabilityDisplay,
    RocDisplay,
    Scale,
    ScoresDisplay,
    SrocDisplay,
    TprFprDisplay,
    ZonesDisplay,
    prevalence_of,
)


@options(PICTURE)
class RocPlot(ModelsPlot):
    """Options of ROC curves."""

    goal: Goal = Goal()
    ci: OptionalConfidence = 0.95
    hull: Annotated[bool, Parameter(help="Draw the convex hull of all curves.")] = False
    isometrics: Annotated[
        Any, MEASURE, Parameter(help="Draw lines of equal value of a measure.")
    ] = None
    r: Annotated[
        float | None,
        Parameter(
            name="--ratio", help="Negatives per positive of the isometrics (default: as in FILE)."
        ),
    ] = None
    bands: Bands = Bands()


def roc(file: File, /, *, plot: RocPlot) -> None:
    """Draw ROC curves: hull, isometrics, operating point, band."""
    plot.draw(file, RocDisplay)


def sroc(file: File, /, *, plot: ModelsPlot) -> None:
    """Draw sROC curves: AUC against the margin required of the positives."""
    plot.draw(file, SrocDisplay)


@options(PICTURE)
class TprFprPlot(ModelPlot):
    """Options of the TPR-FPR chart."""

    against: Annotated[Against, Parameter(help="Thresholds by index, by score or by depth.")] = (
        "index"
    )
    bands: Bands = Bands()


def tpr_fpr(file: File, /, *, plot: TprFprPlot) -> None:
    """Draw the TPR-FPR (Kolmogorov-Smirnov) chart of a model, with KS and taKS."""
    plot.draw(file, TprFprDisplay)


def det(file: File, /, *, plot: ModelsPlot) -> None:
    """Draw DET curves: error rates of both classes on normal-deviate axes."""
    plot.draw(file, DetDisplay)


@options(PICTURE)
class PrecisionRecallPlot(ModelsPlot):
    """Options of precision-recall curves."""

    goal: Goal = Goal()
    interpolation: Annotated[Interpolation, Parameter(help="Interpolation between points.")] = (
        "davis_goadrich"
    )
    beta: Annotated[
        float | None, Parameter(help="Draw lines of equal F with this weight of recall.")
    ] = None
    bands: Bands = Bands()


def precision_recall(file: File, /, *, plot: PrecisionRecallPlot) -> None:
    """Draw precision-recall curves: lines of equal F, prevalence, operating point, band."""
    plot.draw(file, PrecisionRecallDisplay)


@options(PICTURE)
class LiftPlot(ModelsPlot):
    """Options of lift curves."""

    depth: Annotated[float, Parameter(help="Fraction of cases to report the lift for.")] = 0.1


def lift(file: File, /, *, plot: LiftPlot) -> None:
    """Draw lift curves: positive rate among the top cases, divided by that of all cases."""
    plot.draw(file, LiftDisplay)


@options(PICTURE)
class GainPlot(ModelsPlot):
    """Options of gain curves."""

    counts: Annotated[bool, Parameter(help="Numbers of cases and positives, not fractions.")] = (
        False
    )
    depth: Annotated[
        float | None, Parameter(help="Fraction of cases to report the gain for, e.g. 0.1.")
    ] = None
    bands: Bands = Bands()


def gain(file: File, /, *, plot: GainPlot) -> None:
    """Draw gain (CAP) curves: positives found against cases taken, as fractions or numbers."""
    plot.draw(file, GainDisplay)


@options(PICTURE)
class CostCurvePlot(ModelsPlot):
    """Options of cost curves."""

    costs: Costs = Costs()
    lines: Annotated[
        bool | None, Parameter(negative="--no-lines", help="Draw the line of each threshold.")
    ] = None
    pc_low: Annotated[float | None, Parameter(help="Shade probability costs from this value.")] = (
        None
    )
    pc_high: Annotated[
        float | None, Parameter(help="Shade probability costs up to this value.")
    ] = None


def cost_curve(file: File, /, *, plot: CostCurvePlot) -> None:
    """Draw cost curves: lowest expected cost against probability cost."""
    plot.draw(file, CostCurveDisplay)


@options(PICTURE)
class DecisionCurvePlot(ModelsPlot):
    """Options of decision curves."""

    thresholds: Annotated[
        tuple[float, float],
        Parameter(metavar="LOW HIGH", help="Range of threshold probabilities."),
    ] = (0.0, 1.0)
    standardized: Annotated[bool, Parameter(help="Divide net benefit by the prevalence.")] = False


def decision_curve(file: File, /, *, plot: DecisionCurvePlot) -> None:
    """Draw decision curves: net benefit against threshold probability."""
    plot.draw(file, DecisionCurveDisplay)


@options(PICTURE)
class ZonesPlot(ModelsPlot):
    """Options of zones of optimality."""

    costs: Costs = Costs()
    over: Annotated[Over, Parameter(help="Axis: probability cost or skew.")] = "cost"


def zones(file: File, /, *, plot: ZonesPlot) -> None:
    """Draw zones of optimality: which model is best for which costs and class ratio."""
    plot.draw(file, ZonesDisplay)


@options(PICTURE)
class ReliabilityPlot(ModelsPlot):
    """Options of reliability curves."""

    band: Annotated[
        float | Literal["auto"] | None,
        Parameter(
            negative="--no-band", metavar="LEVEL", show_choices=False,
            help="Confidence level of the band.",
        ),
    ] = "auto"  # fmt: skip
    around: Annotated[Around, Parameter(help="Band around the diagonal or around the curve.")] = (
        "diagonal"
    )
    simultaneous: Simultaneous = True
    bins: Bins = None
    equal: Annotated[Equal, Parameter(help="Bins of equal mass (number of cases) or width.")] = (
        "mass"
    )


def reliability(file: File, /, *, plot: ReliabilityPlot) -> None:
    """Draw reliability curves: frequency of positives against score, with band and density."""
    plot.draw(file, ReliabilityDisplay)


@options(PICTURE)
class ScoresPlot(ModelsPlot):
    """Options of distributions of scores."""

    goal: Goal = Goal()
    threshold: Annotated[float | None, Parameter(help="Threshold to mark.")] = None
    bins: Bins = None
    scale: Annotated[
        Scale | None, Parameter(help="Scale of the scores (default: by their skewness).")
    ] = None


def scores(file: File, /, *, plot: ScoresPlot) -> None:
    """Draw the distribution of the scores of both classes."""
    plot.draw(file, ScoresDisplay)


@options(PICTURE)
class ForestPlot(ModelPlot):
    """Options of measures, or differences, with intervals."""

    measures: Measures | None = None
    ci: OptionalConfidence = 0.95
    compare: Annotated[
        bool, Parameter(group=MEASURES, help="Draw the differences between models (of AUC).")
    ] = False
    reference: Reference = None
    shared: Annotated[
        bool | None,
        Parameter(
            negative="--own-axes",
            show_default=False,
            help="Draw measures in [-1, 1] on one axis, or each on its own "
            "(default: by the values).",
        ),
    ] = None
    sort: Annotated[bool, Parameter(help="Sort models, best first.")] = False


def forest(file: File, /, *, plot: ForestPlot) -> None:
    """Draw measures of models, or differences between models, with intervals."""
    compared = plot.compare or plot.reference is not None
    if compared and plot.sort:
        raise ParameterError((Argument("sort"), " has no effect with ", Argument("compare")))
    if compared and plot.ci is None:
        raise ParameterError((Argument("compare"), " needs ", Argument("ci")))
    models = plot.columns.read(file)
    asked: dict[str, Any] = {"ci": plot.ci}
    asked |= {} if plot.measures is None else {"measures": plot.measures}
    asked["progress"] = plot.picture.progress
    if compared:
        result: Any = mm.compare(models, reference=plot.reference, **asked)
    else:
        result = mm.evaluate(models, **asked)
    prevalence = prevalence_of(models)
    plot.picture.draw(
        ForestDisplay(result, shared=plot.shared, sort=plot.sort, prevalence=prevalence)
    )


def confusion(
    file: File, /, *, counting: Counting, normalize: Normalize = None, picture: Picture
) -> None:
    """Draw the confusion matrix of predicted classes, or of scores at an operating point."""
    picture.draw(ConfusionDisplay(counting.count(file), normalize=normalize))
