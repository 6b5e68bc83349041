"""What measures declare about their structure holds."""

import math
import warnings
from itertools import combinations, product

import numpy as np
import pytest

import metameasure as mm
from metameasure.table import Cut

INF, NAN = math.inf, math.nan
ALL = [m for m in mm.measures() if m.__module__.startswith("metameasure.")]


def lists(positives, negatives):
    """All lists without ties, as labels from the highest score to the lowest."""
    n = positives + negatives
    for places in combinations(range(n), positives):
        yield np.isin(np.arange(n), places).astype(int)


@pytest.mark.parametrize("measure", ALL, ids=str)
def test_only_declared_measures_count_right_pairs_alone(measure):
    """Lists with the same number of right pairs have one value, and others a counterexample."""
    score, values = np.linspace(0.95, 0.05, 7), {}
    for label in lists(3, 4):
        table = mm.tabulate(label, score)
        right = round(float(mm.auc.compute(table)) * 12)
        values.setdefault(right, []).append(float(measure.compute(table)))
    alike = all(np.allclose(v, v[0], rtol=0, atol=1e-12) for v in values.values())
    assert alike or not measure.declaration.right_pairs
    if measure.declaration.right_pairs:
        assert "monotone" in measure.declaration.invariant_to


@pytest.mark.parametrize("measure", [m for m in ALL if m.declaration.ratio], ids=str)
def test_ratios_are_those_of_the_measure(measure):
    rng = np.random.default_rng(4)
    for tpr, fpr, r in rng.uniform(0.05, 0.95, (20, 3)):
        cut = Cut(np.float64(tpr), np.float64(fpr * r), np.float64(1.0), np.float64(r))
        above, below = measure.declaration.ratio(r)
        terms = np.array([tpr, fpr, 1.0])
        expected = np.dot(above, terms) / np.dot(below, terms)
        assert float(measure.at_cut(cut)) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("measure", [m for m in ALL if m.declaration.overall], ids=str)
def test_the_value_of_a_whole_matrix_of_two_classes_is_the_binary_one(measure):
    tp, fp, P, N = 7.0, 3.0, 10.0, 12.0
    of_positive, of_negative = (tp, fp, P, N), (N - fp, P - tp, N, P)
    cuts = Cut(*(np.array(pair) for pair in zip(of_positive, of_negative, strict=True)))
    binary = float(measure.at_cut(Cut(*map(np.float64, of_positive))))
    assert float(measure.declaration.overall(cuts)) == pytest.approx(binary)


# ------------------------------------------------------------- ends of ranges, baselines, scores

ENDS = (
    (1, 0), (0, 1), (0.999, 0.001), (0.001, 0.999), (0.5, 0.5), (1, 0.5), (0, 0.5), (1, 0.999),
    (1, 1), (0, 0),
)  # fmt: skip
"""Scores of all positives and of all negatives."""
FREE = {
    "expected_cost": {"c": 1.0, "prior": 0.999},
    "partial_auc": {"fpr": (0.0, 1.0)},
    "soft_auc": {"beta": 1000.0},
}
"""Parameters with which the ends of the range are reached."""
LOOSE = {("abc", -1), ("abc", 1), ("ndcg", 0)}
"""Ends that no short list comes near."""


UNBOUNDED = {
    # Ratios of rates, sums and losses without an upper end.
    **dict.fromkeys(("lr_plus", "lr_minus", "diagnostic_odds_ratio", "lift", "sse"), (1,)),
    **dict.fromkeys(("log_loss", "hosmer_lemeshow", "information_value"), (1,)),
    # Fractions of what is possible, of which false positives or a bad model take any multiple.
    **dict.fromkeys(
        ("net_benefit", "standardized_net_benefit", "precision_recall_gain_auc"), (-1,)
    ),
    **dict.fromkeys(("scaled_brier", "mcfadden_r2", "nagelkerke_r2", "partial_auc"), (-1,)),
    # Coefficients and a standard normal statistic.
    **dict.fromkeys(("calibration_slope", "calibration_intercept"), (-1, 1)),
    **dict.fromkeys(("calibration_in_the_large", "spiegelhalter_z"), (-1, 1)),
}
"""Signs of the infinite ends."""


@pytest.mark.parametrize("measure", ALL, ids=str)
def test_a_finite_end_of_the_range_is_reached(measure):
    chosen = measure.using(**FREE.get(measure.name, {}))
    values = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mm.UndefinedMeasureWarning)
        for (positives, negatives), (high, low) in product(((6, 6), (1, 200), (200, 1)), ENDS):
            label = [1] * positives + [0] * negatives
            values.append(chosen(label, [high] * positives + [low] * negatives))
    for end in measure.declaration.range:
        if math.isfinite(end) and (measure.name, end) not in LOOSE:
            assert np.nanmin(np.abs(np.array(values) - end)) < 0.006
    infinite = {end for end in measure.declaration.range if math.isinf(end)}
    assert infinite == {sign * INF for sign in UNBOUNDED.get(measure.name, ())}


@pytest.mark.parametrize("measure", ALL, ids=str)
def test_a_value_that_all_constant_scores_share_is_the_declared_baseline(measure):
    for positives, negatives in ((3, 5), (40, 10), (1, 3)):
        label = [1] * positives + [0] * negatives
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", mm.UndefinedMeasureWarning)
            values = [measure(label, [score] * len(label)) for score in (0.3, 0.6, 0.9)]
        if not np.ptp(values) < 1e-9:
            return
    # The expected value of a random order has no closed form; kappa is 0/0 for one class.
    without = measure.name in {"kappa", "ndcg", "reciprocal_rank"}
    assert (measure.declaration.baseline is None) == without


@pytest.mark.parametrize("measure", ALL, ids=str)
def test_what_depends_on_the_size_of_scores_needs_probabilities(measure):
    if measure.point is None and "monotone" not in measure.declaration.invariant_to:
        assert measure.unit_scores
    else:
        # The parts of the Brier score are those of probabilities, too.
        assert measure.unit_scores == (measure.name in {"discrimination", "uncertainty"})


SMALLER_IS_BETTER = (
    "error_rate fpr fnr fdr false_omission_rate lr_minus expected_cost minimum_cost "
    "equal_error_rate r_minus brier sse rms log_loss calibration_error ece miscalibration "
    "uncertainty ici e50 e90 emax hosmer_lemeshow"
)
ONE_VALUE_IS_BEST = {
    "calibration_slope": 1, "calibration_intercept": 0, "calibration_in_the_large": 0,
    "spiegelhalter_z": 0,
}  # fmt: skip


def test_directions():
    smaller = SMALLER_IS_BETTER.split()
    for m in ALL:
        expected = ONE_VALUE_IS_BEST.get(m.name, "min" if m.name in smaller else "max")
        assert m.best == expected, m.name


# ---------------------------------------------------------------------- parameters and their ends

DOMAINS = [
    ("f_measure", "beta", 1, [0, 0.5, 1e9], [-1e-9, INF, NAN]),
    ("f_measure", "alpha", None, [0, 3], [-1e-9, INF]),
    ("skew_accuracy", "r", None, [1e-9, 1e9], [0, -1, INF]),
    ("skew_precision", "r", None, [1e-9, 1e9], [0, -1, INF]),
    ("ppv_at_prevalence", "pi", None, [1e-9, 0.999], [0, 1]),
    ("npv_at_prevalence", "pi", None, [1e-9, 0.999], [0, 1]),
    ("expected_cost", "c", 0.5, [0, 1], [-1e-9, 1.001]),
    ("expected_cost", "prior", None, [1e-9, 0.999], [0, 1]),
    ("minimum_cost", "c", 0.5, [0, 1], [-1e-9, 1.001]),
    ("minimum_cost", "prior", None, [1e-9, 0.999], [0, 1]),
    ("net_benefit", "t", 0.5, [0, 0.999], [-1e-9, 1]),
    ("standardized_net_benefit", "t", 0.5, [0, 0.999], [-1e-9, 1]),
    ("partial_auc", "fpr", (0.0, 0.1), [(0, 1), (0.2, 0.3)], [(0.3, 0.3), (-0.1, 1), (0, 1.1)]),
    ("partial_auc", "tpr", None, [(0, 1), (0.8, 1)], [(0.3, 0.2), (0, 1.1)]),
    ("partial_auc", "standardized", False, [True, False], [1, "yes"]),
    ("h_measure", "alpha", 2.0, [1e-3, 1e6], [0, 1.1e6]),
    ("h_measure", "beta", 2.0, [1e-3, 1e6], [0, 1.1e6]),
    ("h_measure", "severity", None, ["prior"], ["other"]),
    ("average_precision", "interpolation", "step",
     ["step", "davis_goadrich", "trapezoid", "max", "11_point"], ["linear"]),
    ("ndcg", "k", None, [1, 10**6], [0, 1.5]),
    ("margin_auc", "tau", 0.1, [0, 1], [-1e-9, 1.001]),
    ("soft_auc", "beta", 1.0, [1e-3, 1000], [0, 1001]),
    *((name, "clip", None, [1e-15, 0.49], [0, 0.5]) for name in (
        "log_loss", "mcfadden_r2", "nagelkerke_r2", "calibration_slope", "calibration_intercept",
        "calibration_in_the_large")),
    ("calibration_error", "window", 100, [1, 10**6], [0, 2.5]),
    ("ece", "bins", 10, [1, 1000], [0, 1001, 2.5]),
    ("ece", "equal", "mass", ["mass", "width"], ["size"]),
    *((name, "span", 2 / 3, [1e-3, 1], [0, 1.001]) for name in ("ici", "e50", "e90", "emax")),
    ("hosmer_lemeshow", "groups", 10, [1, 1000], [0, 1001, 2.5]),
    ("information_value", "bins", 10, [1, 1000], [0, 1001]),
    ("information_value", "smoothing", 0.0, [0, 5], [-1e-9, INF]),
]  # fmt: skip
"""Measure, parameter, default, values that it takes, and values that it refuses."""


@pytest.mark.parametrize(("name", "parameter", "default", "taken", "refused"), DOMAINS, ids=str)
def test_a_parameter_has_its_default_and_its_ends(name, parameter, default, taken, refused):
    measure = mm.parse(name)
    assert measure.declaration.defaults[parameter] == default
    for value in taken:
        chosen = measure.using(**{parameter: value}).parameters
        assert dict(chosen).get(parameter, default) == value
    for value in refused:
        with pytest.raises(mm.ParameterError, match=parameter):
            measure.using(**{parameter: value})


def test_every_parameter_is_listed():
    listed = {(name, parameter) for name, parameter, *_ in DOMAINS}
    assert listed == {(m.name, parameter) for m in ALL for parameter in m.declaration.parameters}


# --------------------------------------------------------------------------- kinds of statistics

KINDS = {
    "Share": "accuracy error_rate tpr fpr tnr fnr precision npv fdr false_omission_rate",
    "PairMean": "auc gini area_above_diagonal scored_auc r_plus r_minus margin_auc soft_auc "
    "mean_gap probabilistic_auc",
    "CaseMean": "brier rms log_loss net_benefit",
    "Extreme": "minimum_cost auch ks signed_ks h_measure ece miscalibration discrimination ici "
    "e50 e90 emax",
    "Differentiable": "standardized_net_benefit partial_auc average_precision scaled_brier",
    "Coefficient": "calibration_slope calibration_intercept calibration_in_the_large",
    "NoInterval": "hosmer_lemeshow",
}
"""Proportions; means over pairs of cases and over cases; maxima and what is fitted; functions of
sums over cases; coefficients of a model; and what has no parameter of a population."""
QUANTA = (
    "accuracy error_rate balanced_accuracy tpr fpr tnr fnr youden_j auc gini area_above_diagonal "
    "auch ks signed_ks abc taks average_precision"
)
"""Measures whose values are multiples of a fraction that depends on the numbers of cases alone."""


def test_kinds_of_statistics():
    kinds = {name: kind for kind, names in KINDS.items() for name in names.split()}
    for measure in ALL:
        found = type(measure.declaration.sampling).__name__
        assert found == kinds.get(measure.name, "NoneType"), measure.name


def test_values_with_a_quantum():
    assert {m.name for m in ALL if m.declaration.quantum is not None} == set(QUANTA.split())


# ---------------------------------------------------------- ends with parameters, other subjects

LOG = math.log(1e-6)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("partial_auc", (0, 0.1)),
        ("partial_auc(fpr=(0.2, 0.5))", (0, 0.3)),
        ("partial_auc(tpr=(0.7, 1.0))", (0, 0.3)),
        ("log_loss", (0, INF)),
        ("log_loss(clip=1e-6)", (0, -LOG)),
        ("net_benefit", (-1, 1)),
        ("net_benefit(t=0.2)", (-0.25, 1)),
        ("net_benefit(t=0.75)", (-3, 1)),
        ("mcc", (-1, 1)),
        ("auc", (0, 1)),
    ],
)
def test_ends_with_parameters(text, ends):
    assert mm.parse(text).ends == pytest.approx(ends)


@pytest.mark.parametrize(
    "limits", ["fpr=(0.0, 0.1)", "fpr=(0.2, 0.5)", "fpr=(0.4, 1.0)", "tpr=(0.7, 1.0)"]
)
@pytest.mark.parametrize("standardized", [False, True])
def test_the_ends_of_partial_areas_are_those_of_the_worst_and_of_a_perfect_ranking(
    limits, standardized
):
    measure = mm.parse(f"partial_auc({limits}, standardized={standardized})")
    label = [1, 1, 1, 0, 0, 0, 0]
    found = measure(label, [1, 1, 1, 0, 0, 0, 0]), measure(label, [0, 0, 0, 1, 1, 1, 1])
    assert measure.ends[::-1] == pytest.approx(found)


OTHERS = {
    "hand_till_auc": ("classes", "max", (0, 1), 0.5, {}, "ClassPairMean"),
    "ovr_auc": ("classes", "max", (0, 1), 0.5, {"average": "macro"}, "ClassDifferentiable"),
    "top_k_accuracy": ("classes", "max", (0, 1), None, {"k": 2}, "ClassCaseMean"),
    "macro_f_measure": ("classes", "max", (0, 1), None, {"beta": 1}, "NoneType"),
    "weighted_f_measure": ("classes", "max", (0, 1), None, {"beta": 1}, "NoneType"),
    "macro_precision": ("classes", "max", (0, 1), None, {}, "NoneType"),
    "weighted_precision": ("classes", "max", (0, 1), None, {}, "NoneType"),
    "euclidean_distance": ("order", "min", (0, INF), None, {}, "NoneType"),
    "manhattan_distance": ("order", "min", (0, INF), None, {}, "NoneType"),
    "reversed_pairs": ("order", "min", (0, INF), None, {}, "NoneType"),
    "ordered_auc": ("order", "max", (0, 1), None, {}, "NoneType"),
    "kendall_tau": ("order", "max", (-1, 1), None, {}, "NoneType"),
    "spearman_rho": ("order", "max", (-1, 1), None, {}, "NoneType"),
}
"""Subject and family, direction, range, baseline, defaults and kind of statistic."""


def test_measures_of_classes_and_orders():
    found = [m for m in mm.measures(subject="all") if m.declaration.subject != "table"]
    assert [m.name for m in found if m.__module__.startswith("metameasure.")] == list(OTHERS)
    for name, (subject, best, ends, baseline, defaults, kind) in OTHERS.items():
        declared = mm.parse(name).declaration
        assert (declared.subject, declared.family) == (subject, subject)
        assert (declared.best, declared.range, declared.baseline) == (best, ends, baseline)
        assert dict(declared.defaults) == defaults
        assert type(declared.sampling).__name__ == kind
        # Averages over classes of a matrix leave out classes; those of scores without cases do.
        assert declared.matrix == ("f_measure" in name or "precision" in name)
        assert (declared.leaves_out is not None) == (declared.matrix or "auc" in name) or (
            subject == "order"
        )
    for refused in ({"k": 0}, {"k": 1.5}):
        with pytest.raises(mm.ParameterError, match="k"):
            mm.parse("top_k_accuracy").using(**refused)
    for name in ("macro_f_measure", "weighted_f_measure"):
        assert dict(mm.parse(name).using(beta=0).parameters) == {"beta": 0}
        with pytest.raises(mm.ParameterError, match="beta"):
            mm.parse(name).using(beta=-1e-9)


CAN = {
    # A ratio of linear functions of TPR and FPR, so that isometrics are lines.
    "ratio": "accuracy error_rate balanced_accuracy tpr fpr tnr fnr precision npv fdr "
    "false_omission_rate lr_plus lr_minus f_measure jaccard kappa youden_j skew_accuracy "
    "skew_precision ppv_at_prevalence npv_at_prevalence lift expected_cost",
    # Defined for a matrix of k classes as it stands.
    "overall": "accuracy error_rate balanced_accuracy mcc kappa",
    # Defined for k columns of probabilities, and against true probabilities.
    "for_classes": "brier rms log_loss",
    "sampling_of_classes": "brier rms log_loss",
    "for_probabilities": "brier rms log_loss",
    # With a known distribution for unrelated scores.
    "null": "auc ks",
    # Functions of the number of right pairs of lists without ties.
    "right_pairs": "auc gini area_above_diagonal abc taks",
    # With parameters that exclude each other.
    "exclusive": "f_measure partial_auc h_measure",
    # With a default that has to be shown.
    "stated": "expected_cost minimum_cost net_benefit partial_auc margin_auc soft_auc ovr_auc "
    "top_k_accuracy calibration_error ece hosmer_lemeshow information_value",
}


WITHOUT_BASELINE = (
    "tpr fpr tnr fnr precision npv fdr false_omission_rate lr_plus lr_minus diagnostic_odds_ratio "
    "f_measure jaccard mcc kappa skew_precision ppv_at_prevalence npv_at_prevalence expected_cost "
    "taks ndcg reciprocal_rank r_plus r_minus sse calibration_slope calibration_intercept "
    "calibration_in_the_large spiegelhalter_z"
)
"""Measures whose value for a constant score depends on it, is undefined or has no short form."""


def test_which_measures_have_a_baseline():
    assert {m.name for m in ALL if m.declaration.baseline is None} == set(WITHOUT_BASELINE.split())


@pytest.mark.parametrize("field", CAN)
def test_which_measures_declare_it(field):
    built_in = [m for m in mm.measures(subject="all") if m.__module__.startswith("metameasure.")]
    assert {m.name for m in built_in if getattr(m.declaration, field)} == set(CAN[field].split())
