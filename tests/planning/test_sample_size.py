"""Numbers of cases: against closed forms, integrals, other pilots, simulation, and wrong input."""

import math
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from scipy import integrate, stats

import metameasure as mm
from metameasure.planning.auc_variance import (
    binormal,
    binormal_covariance,
    hanley_mcneil,
)
from metameasure.planning.precision import Sizes

Z = NormalDist().inv_cdf(0.975)


def normal_scores(rng, n_pos, n_neg, aucs, correlation=0.0):
    """Labels, and the scores of two models with these AUCs and this correlation within classes."""
    label = np.repeat([1, 0], [n_pos, n_neg])
    first, other = rng.normal(size=(2, label.size))
    second = correlation * first + math.sqrt(1 - correlation**2) * other
    shifts = math.sqrt(2) * stats.norm.ppf(aucs)
    return label, {"a": first + shifts[0] * label, "b": second + shifts[1] * label}


def probabilities(rng, cases, prevalence=0.3):
    """Labels and the probabilities of a model."""
    label = rng.random(cases) < prevalence
    return label, 1 / (1 + np.exp(-(rng.normal(size=cases) + 1.5 * label - 1.2)))


# ---- variances


@pytest.mark.parametrize("auc", [0.3, 0.5, 0.8, 0.97])
def test_the_binormal_variance_is_that_of_the_components(auc):
    """A positive with score x is above a fraction Phi(x) of the negatives."""
    shift = math.sqrt(2) * stats.norm.ppf(auc)
    square, _ = integrate.quad(
        lambda x: stats.norm.cdf(x) ** 2 * stats.norm.pdf(x - shift), -12, 12, epsabs=1e-12
    )
    found = binormal(auc)
    assert found.positive == pytest.approx(square - auc**2, rel=1e-7)
    assert found.negative == found.positive
    # With one case per class the AUC is 0 or 1.
    assert found.at(Sizes(2, 1, 1)) == pytest.approx(auc * (1 - auc), rel=1e-9)


@pytest.mark.parametrize(("aucs", "correlation"), [((0.8, 0.87), 0.5), ((0.6, 0.9), -0.4)])
def test_the_binormal_covariance_is_that_of_the_components(aucs, correlation):
    shifts = math.sqrt(2) * stats.norm.ppf(aucs)
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    x, y = np.meshgrid(nodes, nodes)
    weight = np.outer(weights, weights) / (2 * math.pi)
    z = correlation * x + math.sqrt(1 - correlation**2) * y
    mean = np.sum(weight * stats.norm.cdf(x + shifts[0]) * stats.norm.cdf(z + shifts[1]))
    found = binormal_covariance(*aucs, correlation)
    assert found.positive == pytest.approx(mean - aucs[0] * aucs[1], rel=1e-6)


def test_the_variance_of_hanley_and_mcneil():
    auc, n_pos, n_neg = Fraction(4, 5), 20, 30
    first, second = auc / (2 - auc), 2 * auc**2 / (1 + auc)
    expected = (
        auc * (1 - auc) + (n_pos - 1) * (first - auc**2) + (n_neg - 1) * (second - auc**2)
    ) / (n_pos * n_neg)
    found = hanley_mcneil(0.8).at(Sizes(50, n_pos, n_neg))
    assert found == pytest.approx(float(expected), rel=1e-12)


# ---- without a pilot


def wilson_width(value, trials):
    reach = math.sqrt(value * (1 - value) / trials + Z**2 / (4 * trials**2))
    return 2 * Z * reach / (1 + Z**2 / trials)


@pytest.mark.parametrize(
    ("measure", "given", "trials"),
    [
        ("accuracy", {}, lambda n: n.cases),
        ("tpr", {"prevalence": 0.2}, lambda n: n.positives),
        ("specificity", {"ratio": 4}, lambda n: n.negatives),
        ("precision", {"share": 0.25}, lambda n: 0.25 * n.cases),
    ],
)
def test_the_width_of_a_proportion_is_wilsons(measure, given, trials):
    found = mm.sample_size(measure, width=0.06, value=0.9, **given)
    (row,) = found.rows
    assert row.reached == pytest.approx(wilson_width(0.9, trials(found)), rel=1e-12)
    fewer = trials(found) - (0.25 if measure == "precision" else 1)
    assert row.reached <= 0.06 < wilson_width(0.9, fewer)


def test_a_ratio_is_a_prevalence():
    by_ratio = mm.sample_size("auc", width=0.1, value=0.8, ratio=4)
    by_prevalence = mm.sample_size("auc", width=0.1, value=0.8, prevalence=0.2)
    assert by_ratio.to_dict() == by_prevalence.to_dict()
    assert by_ratio.negatives == pytest.approx(4 * by_ratio.positives, abs=4)


def test_a_linear_function_of_the_auc_needs_the_same_cases():
    auc = mm.sample_size("auc", width=0.1, value=0.8, prevalence=0.3)
    gini = mm.sample_size("gini", width=0.2, value=0.6, prevalence=0.3)
    assert gini.cases == auc.cases


def test_one_proportion_against_a_reference():
    """The textbook formula for a test of one proportion."""
    z = NormalDist().inv_cdf
    reach = z(0.975) * math.sqrt(0.7 * 0.3) + z(0.9) * math.sqrt(0.8 * 0.2)
    found = mm.sample_size("accuracy", power=0.9, value=0.8, reference=0.7)
    assert found.cases == math.ceil((reach / 0.1) ** 2)


def test_paired_proportions():
    """Connor's formula (1987), by the probabilities of the two kinds of discordant cases."""
    z = NormalDist().inv_cdf
    both = 0.8 * 0.9 + 0.4 * math.sqrt(0.8 * 0.2 * 0.9 * 0.1)
    only_a, only_b = 0.8 - both, 0.9 - both
    total, gap = only_a + only_b, only_b - only_a
    reach = z(0.975) * math.sqrt(total) + z(0.8) * math.sqrt(total - gap**2)
    found = mm.sample_size("accuracy", power=0.8, value=(0.8, 0.9), correlation=0.4)
    assert found.cases == math.ceil((reach / gap) ** 2)
    errors = mm.sample_size("error_rate", power=0.8, value=(0.2, 0.1), correlation=0.4)
    assert errors.cases == found.cases
    of_positives = mm.sample_size(
        "tpr", power=0.8, value=(0.8, 0.9), correlation=0.4, prevalence=0.25
    )
    assert of_positives.positives == found.cases


def test_a_margin_in_the_wrong_direction_of_a_loss():
    """The first model has more errors, so that it must be shown to be better than it is."""
    options = {"power": 0.8, "margin": 0.05, "correlation": 0.3}
    worse = mm.sample_size("error_rate", value=(0.12, 0.1), **options).cases
    equal = mm.sample_size("error_rate", value=0.1, **options).cases
    better = mm.sample_size("error_rate", value=(0.1, 0.12), **options).cases
    assert worse > equal > better


# ---- with a pilot


def test_the_standard_error_of_a_pilot_scales():
    label, score = probabilities(np.random.default_rng(3), 150)
    losses = (score - label) ** 2
    found = mm.sample_size("brier", y_true=label, y_score=score, width=0.04)
    expected = (2 * Z / 0.04) ** 2 * losses.var(ddof=1)
    assert found.cases == pytest.approx(expected, abs=2)
    assert found.rows[0].low < found.cases < found.rows[0].high
    assert found.meta["pilot_cases"] == 150


def test_the_prevalence_of_the_study_may_differ_from_that_of_the_pilot():
    """A pilot of one prevalence answers as one of the other does, up to its own uncertainty."""
    rng = np.random.default_rng(4)
    for measure in ("auc", "brier", "accuracy", "precision", "average_precision"):
        options = {"width": 0.1, "resamples": 200}
        at_half = probabilities(rng, 1500, 0.5)
        at_tenth = probabilities(rng, 1500, 0.1)
        moved = mm.sample_size(measure, *at_half, prevalence=0.1, **options).rows[0]
        own = mm.sample_size(measure, *at_tenth, **options).rows[0]
        assert moved.low < own.high, measure
        assert own.low < moved.high, measure
        same = mm.sample_size(measure, *at_half, **options).rows[0]
        assert moved.cases != pytest.approx(same.cases, rel=0.1), measure


def test_two_models_in_a_pilot():
    label, scores = normal_scores(np.random.default_rng(5), 300, 700, (0.8, 0.85), 0.5)
    pilot = mm.sample_size("auc", label, scores, power=0.8, margin=0.03)
    assumed = mm.sample_size(
        "auc", power=0.8, margin=0.03, value=0.82, correlation=0.5, prevalence=0.3
    )
    assert pilot.rows[0].low < assumed.cases < pilot.rows[0].high
    for measure in ("brier", "accuracy@0.5", "average_precision"):
        scaled = {name: 1 / (1 + np.exp(-each)) for name, each in scores.items()}
        found = mm.sample_size(measure, label, scaled, power=0.8, difference=0.05, resamples=200)
        harder = mm.sample_size(measure, label, scaled, power=0.8, difference=0.025, resamples=200)
        assert harder.cases == pytest.approx(4 * found.cases, rel=0.02)


def test_every_kind_of_pilot_gives_the_same():
    label, score = probabilities(np.random.default_rng(6), 120)
    expected = mm.sample_size("auc", label, score, width=0.1)
    for given in (mm.tabulate(label, score), {"a": mm.tabulate(label, score)}):
        found = mm.sample_size("auc", given, width=0.1)
        assert found.cases == expected.cases


def test_several_classes():
    rng = np.random.default_rng(7)
    label = rng.integers(0, 3, 150)
    matrix = rng.dirichlet([1, 1, 1], 150)
    found = mm.sample_size("log_loss", label, matrix, width=0.2, resamples=300)
    losses = -np.log(matrix[np.arange(150), label])
    expected = (2 * Z / 0.2) ** 2 * losses.var(ddof=1)
    assert found.rows[0].low < expected < found.rows[0].high
    assert found.positives is None


def test_the_width_of_an_interval_scales():
    label, score = probabilities(np.random.default_rng(9), 150)
    interval = mm.interval(label, score, "ks", resamples=300)
    found = mm.sample_size("ks", label, score, width=0.1, resamples=300)
    expected = 150 * ((interval.high - interval.low) / 0.1) ** 2
    assert found.cases == pytest.approx(expected, abs=2)
    assert found.meta["formula"] == "from the width of the interval on the pilot"


def test_a_small_pilot_is_reported():
    label, score = probabilities(np.random.default_rng(8), 60)
    found = mm.sample_size("auc", label, score, width=0.1)
    assert [check.code for check in found.checks] == ["MM01"]
    assert "pilot has only" in found.checks[0].message


# ---- simulation


def test_an_interval_of_the_auc_has_the_promised_width():
    rng = np.random.default_rng(1)
    found = mm.sample_size("auc", width=0.1, value=0.8, prevalence=0.3)
    widths = []
    for _ in range(200):
        label, scores = normal_scores(rng, found.positives, found.negatives, (0.8, 0.8))
        interval = mm.interval(label, scores["a"], "auc")
        widths.append(interval.high - interval.low)
    error = np.std(widths) / math.sqrt(len(widths))
    assert np.mean(widths) == pytest.approx(0.1, abs=3 * error)


def test_an_interval_of_the_accuracy_has_the_promised_width():
    rng = np.random.default_rng(2)
    found = mm.sample_size("accuracy", width=0.06, value=0.8)
    widths = []
    for _ in range(300):
        label = rng.random(found.cases) < 0.4
        predicted = label ^ (rng.random(found.cases) < 0.2)
        interval = mm.interval(label, predicted.astype(float), "accuracy")
        widths.append(interval.high - interval.low)
    error = np.std(widths) / math.sqrt(len(widths))
    # The width is a concave function of the observed fraction, by which its mean is below it.
    assert 0.06 * (1 - 1 / 200) - 3 * error < np.mean(widths) < 0.06 + 3 * error


@pytest.mark.parametrize("measure", ["average_precision", "brier"])
def test_the_range_of_a_pilot_covers_the_number_of_cases(measure):
    """19 of 20 ranges cover on average; fewer than 15 have a probability below 0.001."""
    rng = np.random.default_rng(3)
    large = mm.interval(*probabilities(rng, 5000), measure, resamples=500)
    needed = 5000 * ((large.high - large.low) / 0.08) ** 2
    pilots = [
        mm.sample_size(measure, *probabilities(rng, 150), width=0.08, resamples=400)
        for _ in range(20)
    ]
    covered = sum(found.rows[0].low <= needed <= found.rows[0].high for found in pilots)
    assert covered >= 15
    answers = np.log([found.cases for found in pilots])
    assert np.mean(answers) == pytest.approx(math.log(needed), abs=3 * np.std(answers) / 20**0.5)


@pytest.mark.parametrize(
    "given",
    [
        {"value": (0.8, 0.87), "correlation": 0.5},
        {"value": (0.87, 0.8), "correlation": 0.5},
        {"value": 0.8, "correlation": 0.3, "margin": 0.06},
    ],
)
def test_a_comparison_of_aucs_has_the_promised_power(given):
    rng = np.random.default_rng(4)
    found = mm.sample_size("auc", power=0.8, prevalence=0.3, **given)
    aucs = np.broadcast_to(given["value"], 2)
    margin = given.get("margin")
    rejected = 0
    for _ in range(500):
        label, scores = normal_scores(
            rng, found.positives, found.negatives, aucs, given["correlation"]
        )
        row = mm.compare(label, scores, "auc", margin=margin).rows[0]
        rejected += row.pvalue < 0.05
    assert rejected / 500 == pytest.approx(0.8, abs=3 * math.sqrt(0.16 / 500))


@pytest.mark.parametrize("pilot", [False, True])
def test_intervals_of_a_planned_study_cover(pilot):
    """Normal scores with an AUC of 0.8, 30% positive; the standard error of 95% is 1.3%."""
    rng = np.random.default_rng(6)
    given = {"value": 0.8, "prevalence": 0.3}
    if pilot:
        label, scores = normal_scores(rng, 45, 105, (0.8, 0.8))
        given = {"y_true": label, "y_score": scores["a"]}
    found = mm.sample_size("auc", width=0.05, **given)
    covered, widths = 0, []
    for _ in range(300):
        label, scores = normal_scores(rng, found.positives, found.negatives, (0.8, 0.8))
        interval = mm.interval(label, scores["a"], "auc")
        covered += interval.low <= 0.8 <= interval.high
        widths.append(interval.high - interval.low)
    assert 0.92 <= covered / 300 <= 0.985
    # The width is that of the pilot's standard error, which is uncertain by 15% or so.
    assert np.mean(widths) == pytest.approx(0.05, rel=0.3 if pilot else 0.02)


def test_a_planned_test_of_non_inferiority_has_power_and_covers():
    """Normal scores with two AUCs of 0.8 and correlation 0.5, 30% positive."""
    rng = np.random.default_rng(7)
    given = {"value": 0.8, "correlation": 0.5, "prevalence": 0.3}
    found = mm.sample_size("auc", margin=0.02, power=0.8, **given)
    passed = covered = 0
    for _ in range(300):
        label, scores = normal_scores(rng, found.positives, found.negatives, (0.8, 0.8), 0.5)
        row = mm.compare(label, scores, "auc", margin=0.02).rows[0]
        passed += row.pvalue < 0.05
        covered += row.low <= 0 <= row.high
    assert passed / 300 == pytest.approx(0.8, abs=3 * math.sqrt(0.16 / 300))
    assert 0.92 <= covered / 300 <= 0.985


def test_a_test_of_the_auc_has_the_promised_power():
    rng = np.random.default_rng(5)
    found = mm.sample_size("auc", power=0.9, value=0.62, prevalence=0.4)
    rejected = 0
    for _ in range(500):
        label, scores = normal_scores(rng, found.positives, found.negatives, (0.62, 0.62))
        test = mm.two_sample_test(label, scores["a"], method="asymptotic")
        rejected += test.pvalue < 0.05
    assert rejected / 500 == pytest.approx(0.9, abs=3 * math.sqrt(0.09 / 500))


# ---- wrong input

PILOT = ([1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.3, 0.2, 0.1])
PLAN = {"width": 0.1, "value": 0.8, "prevalence": 0.3}
TEST = {"power": 0.8, "value": 0.8, "prevalence": 0.3}


@pytest.mark.parametrize(
    ("measure", "given", "words"),
    [
        ("auc", {**PLAN, "value": 1}, r"value must be in \(0, 1\), got 1"),
        ("auc", {**PLAN, "value": math.nan}, r"value must be in \(0, 1\), got nan"),
        ("auc", {**PLAN, "value": "high"}, r"value must be in \(0, 1\), got 'high'"),
        ("auc", {**PLAN, "value": (0.1, 0.2, 0.3)}, "value must be one number or two"),
        ("auc", {**PLAN, "value": (0.7, 0.8)}, "value must be one number for a width, got two"),
        ("auc", {**PLAN, "width": 0}, r"width must be in \(0, 1\), got 0"),
        ("auc", {**PLAN, "width": 1.5}, r"width must be in \(0, 1\), got 1.5"),
        ("log_loss", {"width": 0}, "width must be > 0, got 0"),
        ("auc", {**PLAN, "prevalence": 0}, r"prevalence must be in \(0, 1\)"),
        ("auc", {**PLAN, "prevalence": 1}, r"prevalence must be in \(0, 1\)"),
        ("auc", {**PLAN, "ratio": 2}, "pass either prevalence or ratio, not both"),
        ("auc", {**PLAN, "width": 1e-9}, "width 1e-09 needs more than 1e\\+12 cases"),
        ("auc", {**PLAN, "power": 0.8}, "pass either width or power, got both"),
        ("auc", {"value": 0.8}, "pass either width or power, got neither"),
        ("auc", {"width": 0.1, "prevalence": 0.3}, "value is needed without a pilot"),
        ("auc", {"width": 0.1, "value": 0.8}, "prevalence is needed without a pilot"),
        ("auc", {**PLAN, "margin": 0.1}, "margin is for a test, not for the width"),
        ("auc", {**PLAN, "share": 0.1}, "share has no effect on auc"),
        ("auc", {**PLAN, "label": "y"}, "label is for a pilot; pass y_true"),
        ("auc", {**TEST, "power": 0.05}, r"power must be > alpha \(0.05\), got 0.05"),
        ("auc", {**TEST, "power": 1}, r"power must be in \(0, 1\)"),
        ("auc", {**TEST, "margin": -0.1, "correlation": 0}, "margin must be > 0, got -0.1"),
        ("auc", {**TEST, "margin": 0.1}, "correlation is needed without a pilot"),
        ("auc", {**TEST, "correlation": 0.1}, "correlation is for a comparison of two models"),
        ("auc", {**TEST, "reference": 0.8}, "reference must differ from the assumed value 0.8"),
        ("auc", {**TEST, "value": 0.5}, "reference must differ from the assumed value 0.5"),
        ("auc", {**TEST, "margin": 0.1, "reference": 0.5}, "reference is for a test of one model"),
        ("auc", {**TEST, "difference": 0.1}, "difference is for a pilot"),
        ("auc", {**TEST, "value": (0.8, 0.8), "correlation": 0}, "assumed to be equal"),
        (
            "auc",
            {**TEST, "value": (0.7, 0.8), "correlation": 0, "margin": 0.02},
            "margin must be > 0.1, by which the first model is assumed to be worse, got 0.02",
        ),
        (
            "auc",
            {**TEST, "margin": 0.02, "correlation": 0, "formula": "obuchowski"},
            'formula="obuchowski" has no covariance of two models',
        ),
        ("accuracy", {"width": 0.1, "value": 0.8, "formula": "obuchowski"}, "is for the AUC"),
        ("accuracy", {"power": 0.8, "value": 0.8}, "reference is needed for a test of one model"),
        (
            "accuracy",
            {"power": 0.8, "value": (0.9, 0.6), "correlation": 0.9},
            "correlation 0.9 is impossible for fractions of 0.9 and 0.6",
        ),
        ("precision", {"width": 0.1, "value": 0.8}, "share is needed without a pilot"),
        (
            "precision",
            {"power": 0.8, "value": (0.8, 0.9), "correlation": 0.2},
            "a difference of precision does not follow from its value; pass the predictions",
        ),
        ("brier", {"width": 0.1, "value": 0.2}, "brier does not follow from its value; pass the"),
        ("hosmer_lemeshow", {"width": 1}, "hosmer_lemeshow has no interval"),
        ("mean_over(auc)", {"width": 0.1}, "is a mean over groups"),
        ("calibration_slope", {"power": 0.8, "margin": 0.1}, "no better and worse end"),
    ],
)
def test_nonsense_is_refused(measure, given, words):
    with pytest.raises(mm.ParameterError, match=words):
        mm.sample_size(measure, **given)


@pytest.mark.parametrize(
    ("data", "given", "words"),
    [
        (([1] * 9, np.arange(9)), {}, "two positive and two negative cases, got 9 and 0"),
        (([1] + [0] * 9, np.arange(10)), {}, "two negative cases, got 1 and 9"),
        (
            ([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1]),
            {"width": None, "power": 0.8},
            "auc does not vary in the pilot of 4 cases",
        ),
        (([1, 0, 1, 0], [0.9, np.nan, 0.2, 0.1]), {}, "missing"),
        ((PILOT[0], {"a": PILOT[1], "b": PILOT[1]}), {}, "needs one model, got 2"),
        (PILOT, {"value": 0.8}, "value is estimated from the pilot; remove value"),
        (PILOT, {"width": None, "power": 0.8, "margin": 0.1}, "margin needs a pilot with two"),
        (
            (PILOT[0], dict.fromkeys("abc", PILOT[1])),
            {"width": None, "power": 0.8},
            "a test needs one or two models, got 3",
        ),
        (
            (PILOT[0], dict.fromkeys("ab", PILOT[1])),
            {"width": None, "power": 0.8},
            "assumed to be equal, so that no test finds a difference; pass another difference",
        ),
        (
            (PILOT[0], dict.fromkeys("ab", PILOT[1])),
            {"width": None, "power": 0.8, "margin": 0.1},
            "the difference in auc does not vary",
        ),
    ],
)
def test_a_pilot_that_does_not_serve_is_refused(data, given, words):
    with pytest.raises((mm.DataError, mm.ParameterError), match=words):
        mm.sample_size("auc", *data, **{"width": 0.1, **given})


# ------------------------------------------------------------------ pilots that do not vary

PERFECT = np.repeat([1, 0], [15, 25])


@pytest.mark.parametrize(
    "score", [0.1 + 0.8 * PERFECT, 0.9 - 0.8 * PERFECT], ids=["right", "wrong"]
)
def test_a_proportion_without_errors_is_planned_at_the_limits_of_its_interval(score):
    found = mm.sample_size("accuracy", PERFECT, score, width=0.1)
    # Wilson's limit of 0 of 40, and the widths of his interval at 0 and at this limit.
    z2 = NormalDist().inv_cdf(0.975) ** 2
    limit = z2 / (40 + z2)

    def width(share, n):
        return 2 * (z2 / n * (share * (1 - share) + z2 / n / 4)) ** 0.5 / (1 + z2 / n)

    first, last = (
        next(n for n in range(2, 10_000) if width(share, n) <= 0.1) for share in (0, limit)
    )
    (row,) = found.rows
    assert row.low == first
    # Both classes are rounded up.
    assert last <= row.cases == row.high <= last + 1
    assert "does not vary" in found.meta["formula"]


def test_a_perfect_ranking_is_planned_at_the_limits_of_its_interval():
    score = 0.1 + 0.8 * PERFECT
    found = mm.sample_size("auc", PERFECT, score, width=0.1)
    limit = mm.interval(PERFECT, score, "auc").low
    expected = mm.sample_size("auc", value=limit, width=0.1, prevalence=15 / 40)
    assert found.cases == expected.cases
    assert found.rows[0].low < found.cases


@pytest.mark.parametrize("text", ["auc", "accuracy", "tpr", "margin_auc", "mcc"])
def test_the_power_from_a_perfect_pilot_assumes_the_limit_next_to_the_reference(text):
    score = 0.1 + 0.8 * PERFECT
    limits = mm.interval(PERFECT, score, text)
    found = mm.sample_size(text, PERFECT, score, power=0.8, reference=0.3)
    assert found.cases >= 4
    closer = mm.sample_size(text, PERFECT, score, power=0.8, reference=0.6)
    assert closer.cases > found.cases
    with pytest.raises(mm.DataError, match=r"contains the reference .*larger pilot"):
        mm.sample_size(text, PERFECT, score, power=0.8, reference=(limits.low + 1) / 2)


DEGENERATE = {
    "perfect": (PERFECT, 0.1 + 0.8 * PERFECT),
    "wrong": (PERFECT, 0.9 - 0.8 * PERFECT),
    "constant": (PERFECT, np.full(40, 0.3)),
    "two positives": (np.arange(40) < 2, np.linspace(0.1, 0.9, 40)),
    "four cases": (np.array([1, 1, 0, 0]), np.array([0.9, 0.8, 0.3, 0.1])),
}
CHOSEN = "auc accuracy tpr precision brier log_loss ks average_precision f_measure h_measure ece"


@pytest.mark.parametrize("pilot", DEGENERATE)
@pytest.mark.parametrize("text", CHOSEN.split())
@pytest.mark.parametrize("goal", [{"width": 0.1}, {"power": 0.8, "reference": 0.7}], ids=str)
def test_degenerate_pilots_give_a_usable_number_or_a_reason(pilot, text, goal):
    label, score = DEGENERATE[pilot]
    try:
        found = mm.sample_size(text, label, score, resamples=200, **goal)
    except mm.DataError as error:
        assert error.remedy or "no value on the pilot" in error.problem  # noqa: PT017
        return
    (row,) = found.rows
    assert row.positives >= 2
    assert row.negatives >= 2
    assert math.isfinite(row.reached)
    if row.low is not None:
        assert 4 <= row.low <= row.high
    if "width" in goal:
        assert row.reached <= 0.1


@pytest.mark.parametrize("text", ["ovr_auc", "hand_till_auc", "accuracy", "brier"])
def test_a_perfect_pilot_of_several_classes_asks_for_two_cases_of_each(text):
    label = np.repeat([0, 1, 2], 10)
    scores = 0.4 / 3 + 0.6 * np.eye(3)[label]
    found = mm.sample_size(text, label, scores, power=0.8, reference=0.5)
    assert found.cases >= 6
    assert mm.sample_size(text, label, scores, width=0.05).cases > 30


def test_an_infinite_limit_is_refused_with_a_remedy():
    with pytest.raises(mm.DataError, match=r"infinite limit.*clip"):
        mm.sample_size("log_loss", PERFECT, 1.0 * PERFECT, width=0.1)


def test_two_perfect_models_need_a_larger_pilot():
    rng = np.random.default_rng(3)
    scores = {name: (PERFECT + rng.random(40) / 2) / 2 for name in "ab"}
    with pytest.raises(mm.DataError, match=r"does not vary in the pilot of 40 cases.*larger pilot"):
        mm.sample_size("auc", PERFECT, scores, power=0.8, margin=0.05)
