"""The figures of docs/gallery.md: a text, code that ends with a display, and the command."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Picture:
    """A figure: its file name, heading and text, the code that draws it, and the command."""

    name: str
    heading: str
    words: str
    code: str
    command: str = ""


FILE = "predictions.parquet --label label --score"
COLUMNS = {
    "many": f"{FILE} tree --score logistic --score forest",
    "one": f"{FILE} logistic",
    "tree": f"{FILE} tree",
    "bayes": f"{FILE} naive_bayes",
}
"""The file of a command: the demo data and some of their models."""
SETTING = """\
from importlib.resources import files

import metameasure as mm
import numpy as np
import polars as pl
from metameasure import lab, plots

demo = pl.read_parquet(files("metameasure.cli.commands") / "digits.parquet")
y = demo["label"].to_numpy()
scores = {name: demo[name].to_numpy() for name in demo.columns[1:]}
"""

MODELS = (
    Picture(
        "roc",
        "ROC curves",
        "Six models and their common convex hull; a model that is nowhere on the hull is never "
        "the best. Up to seven models have colors; of more models the best seven are named and "
        "the others are gray.",
        """\
plots.RocDisplay.from_predictions(y, scores, hull=True)
""",
        "metameasure plot roc {many} --hull -o roc.svg",
    ),
    Picture(
        "roc_point",
        "Costs, isometrics and the operating point",
        "A false negative costs as much as five false positives, and one case in ten is positive. "
        "The dashed line through the point has equal cost; thin lines have equal accuracy.",
        """\
plots.RocDisplay.from_predictions(
    y, scores["logistic"], name="logistic",
    isometrics="accuracy", cost_fp=1, cost_fn=5, prior=0.1,
)
""",
        "metameasure plot roc {one} --isometrics accuracy --cost-fp 1 --cost-fn 5 "
        "--prior 0.1 -o roc.svg",
    ),
    Picture(
        "roc_band",
        "Confidence bands of a ROC curve",
        "Simultaneous 95% bands contain the whole curve with that confidence.",
        """\
few = slice(None, None, 8)
plots.RocDisplay.from_predictions(
    y[few], {name: scores[name][few] for name in ("tree", "forest")},
    band=0.95, simultaneous=True,
)
""",
    ),
    Picture(
        "sroc",
        "sROC curves",
        "The fraction of pairs whose positive scores higher by more than a margin. At margin 0 it "
        "is the AUC; the area is the scored AUC.",
        """\
plots.SrocDisplay.from_predictions(y, scores)
""",
        "metameasure plot sroc {many} -o sroc.svg",
    ),
    Picture(
        "tpr_fpr",
        "The TPR-FPR chart, with KS and taKS",
        "Both rates as the threshold decreases; KS is their largest distance and taKS the mean.",
        """\
plots.TprFprDisplay.from_predictions(y, scores["logistic"])
""",
        "metameasure plot tpr-fpr {one} -o ks.svg",
    ),
    Picture(
        "precision_recall",
        "Precision and recall",
        "Between two points precision is a hyperbola, not a straight line (Davis and Goadrich). "
        "Dashed lines have equal F, and the dotted one is the prevalence.",
        """\
plots.PrecisionRecallDisplay.from_predictions(y, scores, beta=1)
""",
        "metameasure plot precision-recall {many} --beta 1 -o pr.svg",
    ),
    Picture(
        "det",
        "DET curves",
        "Both error rates on normal deviate axes; dots are the equal error rates.",
        """\
plots.DetDisplay.from_predictions(y, scores)
""",
        "metameasure plot det {many} -o det.svg",
    ),
    Picture(
        "lift",
        "Lift",
        "The positive rate among the cases taken from the top, divided by that of all cases.",
        """\
plots.LiftDisplay.from_predictions(y, scores)
""",
        "metameasure plot lift {many} -o lift.svg",
    ),
    Picture(
        "gain",
        "Gain, or the cumulative accuracy profile",
        "The fraction of positives in the top tenth of the cases is marked.",
        """\
plots.GainDisplay.from_predictions(
    y, {name: scores[name] for name in ("tree", "logistic", "forest")}, depth=0.1
)
""",
        "metameasure plot gain {many} --depth 0.1 -o gain.svg",
    ),
    Picture(
        "cost_curve",
        "Cost curves",
        "The lowest expected cost of each model against the probability cost. The dotted lines "
        "predict all cases negative, or all positive.",
        """\
plots.CostCurveDisplay.from_predictions(
    y, {name: scores[name] for name in ("tree", "logistic", "forest")},
    cost_fp=1, cost_fn=5, prior=0.1,
)
""",
        "metameasure plot cost-curve {many} --cost-fp 1 --cost-fn 5 --prior 0.1 -o cost.svg",
    ),
    Picture(
        "zones",
        "Zones of optimality",
        "The best model for each ratio of costs and classes: the common hull, and the range in "
        "which each model is best.",
        """\
part = {name: scores[name] for name in ("knn", "forest", "boosting")}
plots.ZonesDisplay.from_predictions(y, part, cost_fp=1, cost_fn=5, prior=0.1)
""",
        "metameasure plot zones {many} --cost-fp 1 --cost-fn 5 --prior 0.1 -o zones.svg",
    ),
    Picture(
        "decision_curve",
        "The decision curve",
        "Net benefit against the threshold probability, compared with treating all and none.",
        """\
plots.DecisionCurveDisplay.from_predictions(
    y, {name: scores[name] for name in ("naive_bayes", "logistic", "forest")}
)
""",
        "metameasure plot decision-curve {many} -o benefit.svg",
    ),
    Picture(
        "reliability",
        "Reliability, with density and band",
        "The fraction of positives at each score by isotonic regression, so there are no bins to "
        "choose. The consistency band contains the curve if the scores are calibrated.",
        """\
plots.ReliabilityDisplay.from_predictions(y, scores["logistic"], name="logistic")
""",
        "metameasure plot reliability {one} -o reliability.svg",
    ),
    Picture(
        "scores",
        "Score distributions by class",
        "",
        """\
plots.ScoresDisplay.from_predictions(y, scores["logistic"], maximize="accuracy")
""",
        "metameasure plot scores {one} --maximize accuracy -o scores.svg",
    ),
    Picture(
        "scores_skewed",
        "Skewed scores",
        "If half of the cases would be in one bar, the axis has a quantile scale, on which a bar "
        "has about the same number of cases, or a log scale for scores close to 0; `scale=` "
        "chooses another one.",
        """\
plots.ScoresDisplay.from_predictions(y, scores["naive_bayes"])
""",
        "metameasure plot scores {bayes} -o scores.svg",
    ),
    Picture(
        "forest",
        "Forest plot of measures with confidence intervals",
        "",
        """\
plots.ForestDisplay.from_predictions(
    y, {name: scores[name] for name in ("tree", "logistic", "forest")},
    measures=["auc", "average_precision", "mcc", "brier"],
)
""",
        "metameasure plot forest {many} --measures auc,average_precision,mcc,brier -o forest.svg",
    ),
    Picture(
        "groups",
        "Forest plot of groups",
        "The logistic model in the leaves of the tree: measures and rates with confidence "
        "intervals, and the number of cases of each leaf. `differences=True` (`--differences`) "
        "draws the differences to all other cases, with p-values.",
        """\
leaf = np.unique(scores["tree"], return_inverse=True)[1]
plots.GroupsDisplay.from_predictions(y, scores["logistic"], group={"leaf": leaf}, mute="MM01")
""",
        "metameasure plot groups {one} --group tree -o groups.svg",
    ),
    Picture(
        "confusion",
        "A confusion matrix",
        "",
        """\
plots.ConfusionDisplay.from_predictions(y, y_score=scores["tree"], threshold=0.5)
""",
        "metameasure plot confusion {tree} --threshold 0.5 -o confusion.svg",
    ),
)

STUDIES = (
    Picture(
        "measures",
        "Consistency and discriminancy",
        "Below the diagonal the degree of consistency of two measures, above it the degree of "
        "discriminancy, on all ranked lists of 5 + 5 cases.",
        """\
plots.MeasuresDisplay(
    lab.preference_order(
        ["auc", "accuracy", "average_precision", "h_measure", "ks"],
        lab.ranked_lists(5, 5),
    )
).plot()
""",
        "metameasure plot measures --measures auc,accuracy,ks --positives 5 --negatives "
        "5 -o measures.svg",
    ),
    Picture(
        "robustness",
        "Robustness to noise",
        "The rate at which a measure prefers the worse of two models when scores are noisy.",
        """\
plots.RobustnessDisplay(
    lab.robustness(
        "replaced_scores", "scores", np.linspace(0, 1, 11),
        ["auc", "scored_auc", "h_measure", "ks", "taks"], repeats=2000,
    )
).plot()
""",
        "metameasure plot robustness --noise scores --level 0.2 --level 0.6 --repeats "
        "2000 -o noise.svg",
    ),
    Picture(
        "selection",
        "Ability to select the better model",
        "The fraction of model pairs that a measure puts in the right order from few cases.",
        """\
plots.SelectionDisplay.from_predictions(
    y, scores, sizes=[20, 50, 100, 200], goal="auc", repeats=200,
)
""",
        "metameasure plot selection {many} --size 50 --repeats 100 -o selection.svg",
    ),
    Picture(
        "advice",
        "Advice",
        "The measure to use for choosing among these models from few cases has a wide line; filled "
        "points are recommended.",
        """\
plots.AdviceDisplay.from_predictions(
    y, scores, sizes=[20, 50, 100], goal="auc", repeats=2000,
)
""",
        "metameasure plot advice {many} --size 50 -o advice.svg",
    ),
    Picture(
        "degrees",
        "Consistency by the size of lists",
        "Exact degrees of consistency of the AUC with two other measures, on all ranked lists of "
        '4 to 16 cases. `degree="discriminancy"` draws D instead.',
        """\
found = lab.degrees("auc", "accuracy, average_precision", sizes=range(4, 17, 2))
plots.DegreesDisplay(found).plot()
""",
    ),
    Picture(
        "map",
        "A map of measures",
        "Measures that order models alike are near each other (multidimensional scaling of 1 minus "
        "the rank correlation, as Caruana and Niculescu-Mizil drew it). Six models on ten folds.",
        """\
measures = (
    "accuracy, f_measure, lift, auc, average_precision, break_even_point, rms, "
    "calibration_error, sar, scored_auc, h_measure, mcc"
)
found = lab.measure_correlations(y, scores, measures, folds=np.arange(y.size) % 10)
plots.MeasureMapDisplay(found).plot()
""",
        "metameasure plot map {many} --measures auc,accuracy,brier,scored_auc -o map.svg",
    ),
    Picture(
        "validation",
        "Validation against test",
        "Naive Bayes models without 20 of the 30 attributes, 40 splits of the breast cancer data: "
        "their AUC on test cases against their scored AUC on few validation cases (Wu, Flach and "
        "Ferri 2007, Fig. 3). 1 - r² is the fraction of the variance that is not explained.",
        """\
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB

candidates = lab.attribute_subsets(GaussianNB(), remove=20)
X, diagnosis = load_breast_cancer(return_X_y=True)
found = lab.select_models(candidates, X, diagnosis, "auc, scored_auc, brier", repeats=40)
plots.ValidationDisplay(found, "scored_auc").plot()
""",
    ),
)

PAPERS = (
    Picture(
        "wff_1",
        "Wu, Flach and Ferri 2007, Fig. 1: sROC curves of M1 and M2",
        "M1 ranks perfectly and M2 does not (AUC 1 and 8/9), but M2 has larger margins: its "
        "scored AUC is 0.544, that of M1 0.467.",
        """\
m1 = mm.tabulate([1, 1, 1, 0, 0, 0], [1, 0.7, 0.6, 0.5, 0.4, 0])
m2 = mm.tabulate([1, 1, 0, 1, 0, 0], [1, 0.9, 0.6, 0.5, 0.2, 0])
plots.SrocDisplay.from_predictions({"M1": m1, "M2": m2})
""",
    ),
    Picture(
        "berrar_2",
        "Berrar 2014, Fig. 2: the TPR-FPR chart of ten cases",
        "KS is 3/5 at the sixth threshold, where TPR is 4/5 and FPR 1/5; taKS is 1/3. The list is "
        "only in the printed figure; three lists have these values, and this is one of them.",
        """\
labels = [int(c) for c in "1101100100"]
plots.TprFprDisplay.from_predictions(labels, np.linspace(0.95, 0.05, 10))
""",
    ),
    Picture(
        "berrar_3a",
        "Berrar 2014, Fig. 3a: the best possible predictions",
        "Three thresholds; taKS is 1, although the area ABC is only 0.500.",
        """\
plots.TprFprDisplay.from_predictions([1] * 5 + [0] * 5, [1] * 5 + [0] * 5)
""",
    ),
    Picture(
        "berrar_3c",
        "Berrar 2014, Fig. 3c: a perfect ranking with a tie",
        "Ten thresholds; taKS is 0.600 and ABC 0.533, larger than that of the best predictions.",
        """\
tied = [0.8, 0.8, 0.7, 0.65, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
plots.TprFprDisplay.from_predictions([1] * 5 + [0] * 5, tied)
""",
    ),
    Picture(
        "xie_isoaccuracy",
        "Xie 2022, Fig. 3: isoaccuracy lines",
        "The accuracy is A on the line TPR = r FPR + (1 + r) A - r, with r = N/P; the printed "
        "slope is wrong (errata). Here r = 1/2.",
        """\
line = mm.tabulate([1, 1, 0, 1, 0, 1], [6, 5, 4, 3, 2, 1])
plots.RocDisplay.from_predictions(line, isometrics="accuracy", r=0.5)
""",
    ),
    Picture(
        "xie_isoprecision",
        "Xie 2022, Fig. 3: isoprecision lines",
        "The precision is v on the line TPR = FPR r v / (1 - v); all lines start at the origin.",
        """\
plots.RocDisplay.from_predictions(line, isometrics="precision", r=1)
""",
    ),
    Picture(
        "concavity",
        "A concavity and its repair by the hull",
        "Between two vertices of the hull, a random choice of one of the two thresholds is better "
        "than the curve; the gain is the shaded area.",
        """\
concave = [1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0]
plots.RocDisplay.from_predictions(concave, np.arange(12, 0, -1), hull=True)
""",
    ),
    Picture(
        "huang_3_1",
        "Huang 2006, Fig. 3.1: the five percentages",
        "All pairs of ranked lists of 5 + 5 cases, by the order that AUC and accuracy give them.",
        """\
plots.AgreementDisplay(lab.compare("auc", "accuracy", lab.ranked_lists(5, 5))).plot()
""",
        "metameasure plot agreement --measures auc,accuracy --positives 5 --negatives 5 "
        "-o five.svg",
    ),
)

SECTIONS = {"Models": MODELS, "Measures of measures": STUDIES, "Figures of the papers": PAPERS}
