"""Digits are kept: scores close together, many cases, extreme scores."""

import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import expit

import metameasure as mm
from metameasure.measurement.families.logistic_fit import _moments
from metameasure.measurement.families.retrieval import _log_rising


def digits(value, truth):
    error = abs(value - truth)
    return 17 if not error else -math.log10(error / abs(truth))


def test_scored_measures_of_scores_that_are_almost_equal():
    rng = np.random.default_rng(0)
    scores = 0.999 + 1e-9 * rng.random(300)
    labels = rng.random(300) < 0.4
    pairs = [(Fraction(p), Fraction(q)) for p in scores[labels] for q in scores[~labels]]
    truth = float(sum(max(p - q, 0) for p, q in pairs) / len(pairs))
    assert digits(mm.scored_auc(labels, scores), truth) > 12
    gap = float(sum(p - q for p, q in pairs) / len(pairs))
    assert digits(mm.mean_gap(labels, scores), gap) > 10


@pytest.fixture(scope="module")
def many():
    rng = np.random.default_rng(1)
    scores = rng.random(1_000_000)
    return rng.random(scores.size) < scores, scores


def test_losses_of_many_cases(many):
    labels, scores = many
    of_label = np.where(labels, scores, 1 - scores)
    n = scores.size
    truth = -math.fsum(map(math.log, np.where(labels, scores, 0.5))) / n
    truth -= math.fsum(math.log1p(-s) for s in np.where(labels, 0.0, scores)) / n
    truth -= math.fsum([math.log(2)] * int(np.count_nonzero(~labels))) / n
    assert digits(mm.log_loss(labels, scores), truth) > 12
    assert digits(mm.brier(labels, scores), math.fsum((1 - of_label) ** 2) / n) > 12


def test_auc_of_many_cases_is_exact(many):
    labels, scores = many
    order = np.argsort(scores)
    ranks = np.empty(scores.size, dtype=np.int64)
    ranks[order] = np.arange(1, scores.size + 1)
    P = int(labels.sum())
    N = labels.size - P
    wins = Fraction(int(ranks[labels].sum()) - P * (P + 1) // 2, P * N)
    assert mm.auc(labels, scores) == pytest.approx(float(wins), rel=1e-15)


def test_a_fit_to_many_cases_is_the_fit():
    rng = np.random.default_rng(2)
    scores = rng.uniform(0.02, 0.98, 60_000)
    logit = np.log(scores / (1 - scores))
    labels = rng.random(scores.size) < 1 / (1 + np.exp(0.3 - 0.7 * logit))
    slope = mm.calibration_slope(labels, scores)
    intercept = mm.calibration_in_the_large(labels, scores)
    assert abs(slope - 0.7) < 0.03

    def residual(a, b):
        return labels - 1 / (1 + np.exp(-(a + b * logit)))

    assert abs(math.fsum(residual(intercept, 1.0))) < 1e-7
    # The gradient at the fitted slope vanishes for the intercept that balances it.
    low, high = -5.0, 5.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if residual(middle, slope).sum() > 0 else (low, middle)
    assert abs(math.fsum(residual(low, slope) * logit)) < 1e-5


def test_large_weights_have_ranks_beyond_any_table():
    weights = np.array([1e9, 2e9, 3e9])
    value = mm.ndcg([1, 0, 1], [0.9, 0.5, 0.1], sample_weight=weights)
    # The integral of 1 / ln(x + 1) by a fine sum over logarithmic steps.
    edges = np.concatenate(
        [np.arange(1.5, 2**20 + 0.5), np.geomspace(2**20 + 0.5, 6e9 + 1.5, 2_000_000)]
    )
    density = np.diff(edges) / np.log((edges[1:] + edges[:-1]) / 2)
    total = np.concatenate([[0.0], np.cumsum(density)])
    upto = [np.interp(x + 1.5, edges, total) for x in (1e9, 3e9, 6e9, 4e9)]
    assert value == pytest.approx((upto[0] + upto[2] - upto[1]) / upto[3], rel=1e-8)


def test_saturated_scores_stay_finite():
    labels, scores = [1, 0, 1, 0], [1.0, 1e-300, 1 - 1e-16, 0.0]
    assert mm.log_loss(labels, scores) == pytest.approx(5e-17, abs=1e-16)
    assert mm.log_loss([0, 1], [1.0, 0.0], clip=1e-15) == pytest.approx(-math.log(1e-15), rel=1e-14)


def intercept_by_bisection(labels, scores):
    """The root of the score equation in fifty digits."""
    with localcontext() as context:
        context.prec = 50
        odds = [Decimal(s) / (1 - Decimal(s)) for s in scores]

        def residual(a):
            factor = a.exp()
            chances = [o * factor / (1 + o * factor) for o in odds]
            return sum((1 - c) if y else -c for y, c in zip(labels, chances, strict=True))

        low, high = Decimal(-200), Decimal(200)
        for _ in range(120):
            middle = (low + high) / 2
            low, high = (middle, high) if residual(middle) > 0 else (low, middle)
        return float(low)


@pytest.mark.parametrize(
    ("labels", "scores"),
    [
        ([1, 0], [1 - 1e-10, 1e-30]),
        ([1, 0], [1 - 1e-15, 1e-30]),
        ([1, 1, 0, 0], [0.9, 1e-40, 1e-41, 1e-42]),
        ([1, 0, 0, 1], [0.3, 0.3, 0.9, 1e-12]),
    ],
)
def test_the_intercept_of_forecasts_that_are_almost_certain(labels, scores):
    truth = intercept_by_bisection(labels, scores)
    assert mm.calibration_in_the_large(labels, scores) == pytest.approx(truth, rel=1e-12)


def test_the_slope_under_extreme_weights():
    labels, scores = [0] * 6 + [1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.95, 0.9]
    slope = mm.calibration_slope(labels, scores, sample_weight=[1e-9] * 6 + [1e9])
    # By nested bisection with sixty digits.
    assert slope == pytest.approx(19.0322026686394561, rel=1e-12)


def test_constant_weights_are_none():
    labels = [0] * 10 + [1]
    scores = [0.99, 0.98, 0.97, *(0.5 - 0.01 * i for i in range(7)), 0.96]
    for weight in (0.1, 0.3, 3.7, 1e-9, 1e9):
        weights = [weight] * 11
        for text in ("tpr@fpr=0.3", "precision@tpr=1", "ece(bins=3)", "precision@top=30%"):
            value = mm.parse(text)(labels, scores, sample_weight=weights)
            assert value == pytest.approx(mm.parse(text)(labels, scores)), f"{text} {weight}"
        eleven = mm.average_precision.using(interpolation="11_point")
        assert eleven(labels, scores, sample_weight=weights) == pytest.approx(
            eleven(labels, scores)
        )


def test_weighted_totals_keep_their_digits(many):
    labels, scores = many
    weights = np.full(scores.size, 0.1)
    for measure in (mm.auc, mm.brier, mm.log_loss):
        weighted = measure(labels, scores, sample_weight=weights)
        assert digits(weighted, measure(labels, scores)) > 12


def test_no_value_leaves_the_range_by_rounding():
    for positives in range(1, 20):
        for negatives in range(1, 20):
            labels = [1] * positives + [0] * negatives
            assert mm.mcc(labels, labels) <= 1
            assert mm.h_measure(labels, [0.3] * len(labels)) >= 0


def least_cost(pos, neg, alpha):
    """The integrals of Hand's loss for Beta(alpha, 2), power by power of the cost."""
    a, x = Decimal(alpha), Decimal(neg) / Decimal(pos + neg)
    missed = x ** (a + 1) / (a + 1) - x ** (a + 2) / (a + 2)
    signs = (1, -2, 1)
    alarmed = sum(sign * (1 - x ** (a + k)) / (a + k) for k, sign in enumerate(signs))
    return pos * missed + neg * alarmed


@pytest.mark.parametrize("negatives", [3, 1000, 10**6, 10**9])
@pytest.mark.parametrize("alpha", ["prior", 0.3, 2.0, 2.5, 40.0])
def test_h_measure_of_rare_positives(negatives, alpha):
    table = mm.ScoreTable([0.9, 0.5, 0.1], [4, 2, 1], [1, negatives, 5 * negatives])
    chosen = {"severity": "prior"} if alpha == "prior" else {"alpha": alpha}
    with localcontext(prec=60):
        a = 1 + Decimal(6 * negatives + 1) / 7 if alpha == "prior" else alpha
        lost = sum(least_cost(int(p), int(q), a) for p, q in zip(table.pos, table.neg, strict=True))
        truth = 1 - lost / least_cost(7, 6 * negatives + 1, a)
    assert digits(mm.h_measure(table, **chosen), float(truth)) > 12


@pytest.mark.parametrize(("pos", "neg"), [(1, 1e6), (3, 2e6), (50, 1e6), (1, 1e12), (0.5, 1e6)])
def test_the_first_positive_of_a_large_tie(pos, neg):
    from scipy.special import digamma

    truth = pos / (neg + 1) * (digamma(pos + neg + 1) - digamma(pos))
    value = mm.reciprocal_rank([1, 0], [0.5, 0.5], sample_weight=[pos, neg])
    assert value == pytest.approx(truth, rel=1e-9 if pos >= 1 else 1e-3)


def test_weights_whose_products_leave_float64_are_refused():
    for weight in (1e-200, 1e160, 1e308):
        with pytest.raises(mm.DataError, match="constant"):
            mm.auc([1, 0], [0.9, 0.1], sample_weight=[weight, weight])
        with pytest.raises(mm.DataError, match="constant"):
            mm.ScoreTable([0.9, 0.1], [weight, 0], [0, weight])


def test_scores_without_weight_are_not_judged():
    block = mm.tabulate_lists([1, 0, 1], [[0.5, 0.2, 5.0]], sample_weight=[1, 1, 0])
    assert mm.brier(block).tolist() == pytest.approx([0.145])


def test_take_by_mask():
    table = mm.tabulate([1, 0, 1], [0.9, 0.5, 0.1])
    assert table.take(np.array([True, False, True])) == table.take([0, 2])
    with pytest.raises(mm.DataError, match="row indices"):
        table.take([0.7, 1.9])


@pytest.mark.parametrize("tenths", range(1, 10))
def test_a_margin_of_decimals_is_that_of_the_decimals(tenths):
    rng = np.random.default_rng(tenths)
    label, score = rng.random(300) < 0.4, rng.integers(0, 11, 300)
    pairs = np.subtract.outer(score[label], score[~label])
    truth = np.mean(pairs > tenths)
    assert mm.margin_auc(label, score / 10, tau=tenths / 10) == pytest.approx(truth, abs=1e-12)
    assert mm.sroc(label, score / 10).at(tenths / 10) == pytest.approx(truth, abs=1e-12)
    assert mm.margin_auc(label, score / 10 * 1e-6, tau=tenths / 1e7) == pytest.approx(truth)


def test_mcc_of_weights_of_very_different_size():
    weight = [1e5, 0.001, 0.001, 0.001, 1e-6]
    assert mm.mcc([0, 0, 0, 0, 1], [1.0, 1, 1, 1, 0], sample_weight=weight) == -1


@pytest.mark.parametrize("name", ["mcc", "kappa", "f_measure", "jaccard", "youden_j", "g_mean"])
def test_a_perfect_table_is_exactly_1(name):
    for positives, negatives in itertools.product(range(1, 40), repeat=2):
        label = [1] * positives + [0] * negatives
        assert getattr(mm, name)(label, label) == 1
    for k in range(2, 8):
        matrix = mm.ConfusionMatrix(np.diag(np.arange(1, k + 1) * 7))
        assert matrix.measure(name, average="macro") == 1
        assert name not in {"mcc", "kappa"} or matrix.measure(name) == 1


@pytest.mark.parametrize(
    "name",
    ["auc", "gini", "auch", "ks", "average_precision", "ndcg", "margin_auc", "kappa", "mcc"],
)
def test_a_perfect_table_of_weighted_cases_is_exactly_1(name):
    rng = np.random.default_rng(7)
    for cases in (3, 10, 100, 1000):
        label = np.arange(cases) < cases / 3
        score = np.where(label, 0.6, 0.0) + 0.4 * rng.random(cases)
        for _ in range(20):
            weight = rng.random(cases) * 10 ** rng.uniform(-3, 3, cases)
            assert getattr(mm, name)(label, score, sample_weight=weight) == 1
            if name in {"kappa", "mcc"}:
                assert mm.ConfusionMatrix(np.diag(weight[:8])).measure(name) == 1


def test_one_wrong_pair_among_many_is_not_rounded_off():
    positives, negatives = 10**6, 10**7
    table = mm.ScoreTable([3, 2, 1, 0], [positives - 1, 0, 1, 0], [0, 1, 0, negatives - 1])
    assert mm.auc(table) == 1 - 1 / (positives * negatives)


def test_windows_are_counted_alike_for_all_orders_of_fractional_weights():
    y, s = (
        [1, 1, 1, 1, 0, 1, 1, 0, 1, 0, 1],
        [0.25, 0.75, 0.75, 0.75, 0.25, 0.5, 0.25, 0.25, 0, 0, 0.25],
    )
    w = [0.5, 1.4, 1.5, 1.3, 1.6, 0.1, 1.8, 1.0, 0.6, 0.9, 1.3]
    order = [2, 7, 6, 5, 10, 0, 4, 9, 3, 8, 1]
    measure = mm.calibration_error.using(window=3)
    moved = measure(*(np.array(a)[order] for a in (y, s)), sample_weight=np.array(w)[order])
    assert measure(y, s, sample_weight=w) == pytest.approx(moved, abs=1e-12)


@pytest.mark.parametrize("x", [1, 40, 100, 101, 130, 5000, 10**6])
@pytest.mark.parametrize("pos", [1, 7, 300])
def test_the_logarithm_of_a_product_of_successive_numbers(x, pos):
    """gamma(x + p) / gamma(x) is x (x + 1) ... (x + p - 1); it is scaled to keep the digits."""
    scale = 2 * x + 10
    expected = math.fsum(math.log((x + i) / (scale + pos)) for i in range(pos))
    found = float(_log_rising(np.array(float(x)), float(pos), float(scale)))
    assert found == pytest.approx(expected, rel=1e-14, abs=2e-12 if x > 100 else 1e-10)


@pytest.mark.parametrize("theta", [(0.3, 1.2), (-2.0, 0.4), (500.0, 40.0), (-900.0, 10.0)])
def test_derivatives_of_the_likelihood_of_any_log_odds(theta):
    """Beyond log odds of 700 a probability is 1 or 0, and nothing overflows."""
    rng = np.random.default_rng(2)
    x, pos, neg = rng.normal(size=(1, 12)) * 9, rng.random((1, 12)), rng.random((1, 12))
    odds = theta[0] + theta[1] * x
    hit, miss = expit(odds), expit(-odds)
    residual, spread = pos * miss - neg * hit, (pos + neg) * hit * miss
    expected = [
        np.sum(part) for part in (residual, residual * x, spread, spread * x, spread * x**2)
    ]
    with np.errstate(over="ignore", invalid="ignore"):
        found = _moments(x, pos, neg, np.array([theta]), fit_slope=True)
    np.testing.assert_allclose(found[:, 0], expected, rtol=1e-10, atol=1e-12)
