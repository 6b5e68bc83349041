"""Limits of means by the empirical likelihood: slow definitions, unobserved terms, weights."""

import math

import numpy as np
import pytest
from scipy import integrate, optimize, stats

import metameasure as mm
from metameasure.data import Predictions
from metameasure.inference import Sample
from metameasure.inference.effective import cluster_degrees
from metameasure.inference.methods.empirical_likelihood import BINS, binned, reach


def drawn(n=60, seed=4, prevalence=0.3):
    rng = np.random.default_rng(seed)
    label = rng.random(n) < prevalence
    return label, stats.logistic.cdf(2 * label - 1.5 + rng.normal(size=n))


def limits(found):
    return found.low, found.high


def student(n, ci=0.95):
    """Student's quantile, for the variance with n - 1."""
    return stats.t(n - 1).ppf((1 + ci) / 2) * math.sqrt(n / (n - 1))


# ------------------------------------------------------------------ the likelihood ratio


@pytest.mark.parametrize(("some", "of"), [(10, 20), (3, 40), (39, 40)])
def test_a_fraction_has_the_limits_of_the_binomial_likelihood_ratio(some, of):
    p, z = some / of, 1.96

    def excess(true):
        ratio = some * math.log(p / true) + (of - some) * math.log((1 - p) / (1 - true))
        return 2 * ratio - z**2

    low, high = optimize.brentq(excess, 1e-9, p), optimize.brentq(excess, p, 1 - 1e-9)
    away, counts = np.array([-p, 1 - p]), np.array([of - some, some], float)
    assert p + reach(away, counts, 1 - p, z) == pytest.approx(high, abs=1e-9)
    assert p - reach(-away, counts, p, z) == pytest.approx(low, abs=1e-9)


def test_a_term_that_was_not_observed_gets_what_probability_is_left():
    """All of n terms are equal: their probability p is not rejected if -2 n log p <= z²."""
    n, z = 30, 1.96
    found = reach(np.zeros(1), np.array([30.0]), 0.7, z)
    assert found == pytest.approx(0.7 * (1 - math.exp(-(z**2) / (2 * n))))


def largest_mean(terms, unobserved, quantile):
    """The largest mean of distributions on the terms and one more, by another optimizer."""
    n, points = len(terms), np.append(terms, unobserved)
    start = np.append(np.full(n, 0.98 / n), 0.02)
    found = optimize.minimize(
        lambda p: -(p @ points),
        start,
        jac=lambda _: -points,
        method="SLSQP",
        bounds=[(1e-9, 1)] * n + [(0, 1)],
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "ineq", "fun": lambda p: quantile**2 + 2 * np.log(n * p[:n]).sum()},
        ],
        options={"ftol": 1e-11, "maxiter": 1000},
    )
    assert found.success
    return -found.fun


# Older releases of SciPy report steps of the optimizer that leave the bounds.
@pytest.mark.filterwarnings("ignore:Values in x were outside bounds:RuntimeWarning")
@pytest.mark.parametrize("unobserved", [1.0, 2.0, 6.0])
def test_the_upper_limit_is_the_largest_mean_that_is_not_rejected(unobserved):
    terms = np.array([0.05, 0.1, 0.1, 0.2, 0.4, 0.7, 0.3, 1.0])
    mean = terms.mean()
    found = mean + reach(terms - mean, np.ones(8), unobserved - mean, 1.96)
    assert found == pytest.approx(largest_mean(terms, unobserved, 1.96), abs=1e-6)


def test_without_bound_there_is_no_upper_limit():
    assert reach(np.array([-1.0, 1.0]), np.ones(2), math.inf, 1.96) == math.inf


# ------------------------------------------------------------------------------ measures


def slow_limits(terms, possible, units=None):
    """The limits of the mean of terms: where the likelihood ratio reaches the quantile."""
    quantile = student(units or len(terms))
    high = slow_upper_limit(terms, max(possible), quantile)
    return -slow_upper_limit(-terms, max(-each for each in possible), quantile), high


def slow_upper_limit(terms, possible, quantile):
    """By the dual problem: the ratio of a mean is max over t of 2 Σ log(1 - t (term - mean))."""
    most = max(possible, terms.max())

    def excess(mean):
        found = optimize.minimize_scalar(
            lambda t: -np.log1p(-t * (terms - mean)).sum(),
            bounds=(0, (1 - 1e-12) / (most - mean)),
            method="bounded",
            options={"xatol": 1e-13},
        )
        return -2 * found.fun - quantile**2

    return optimize.brentq(excess, terms.mean(), most - 1e-9)


@pytest.mark.parametrize(
    ("name", "loss"),
    [
        ("brier", lambda y, s: (s - y) ** 2),
        ("log_loss", lambda y, s: -math.log(s if y else 1 - s)),
    ],
)
def test_mean_losses(name, loss):
    label, score = drawn(20)
    found = mm.interval(label, score, name)
    assert found.method == "empirical_likelihood"
    terms = np.array([loss(y, s) for y, s in zip(label, score, strict=True)])
    expected = slow_limits(terms, [loss(y, s) for y in (0, 1) for s in score])
    assert limits(found) == pytest.approx(expected, abs=1e-7)


def test_a_function_of_the_mean_has_its_limits():
    label, score = drawn()
    brier, rms = (mm.interval(label, score, name) for name in ("brier", "rms"))
    assert limits(rms) == pytest.approx((math.sqrt(brier.low), math.sqrt(brier.high)))


KERNELS = {
    "scored_auc": lambda a, b: max(a - b, 0),
    "mean_gap": lambda a, b: a - b,
    "soft_auc": lambda a, b: 1 / (1 + math.exp(b - a)),
    "margin_auc": lambda a, b: float(a - b > 0.1),
}


@pytest.mark.parametrize("name", KERNELS)
def test_means_over_pairs(name):
    """The term of a case is the mean plus the distance of its component, per share of its class."""
    kernel = KERNELS[name]
    label, score = drawn(24, seed=8)
    pos, neg = score[label].tolist(), score[~label].tolist()
    mean = np.mean([kernel(a, b) for a in pos for b in neg])

    def of_positive(s):
        return mean + 24 / len(pos) * (np.mean([kernel(s, b) for b in neg]) - mean)

    def of_negative(s):
        return mean + 24 / len(neg) * (np.mean([kernel(a, s) for a in pos]) - mean)

    terms = np.array([*map(of_positive, pos), *map(of_negative, neg)])
    possible = [term(s) for term in (of_positive, of_negative) for s in score]
    found = mm.interval(label, score, name)
    assert found.method == "empirical_likelihood"
    expected = np.clip(slow_limits(terms, possible), *found.measure.declaration.range)
    assert limits(found) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("name", ["brier", "rms", "log_loss", "scored_auc", "mean_gap", "r_minus"])
@pytest.mark.parametrize("seed", range(8))
def test_limits_are_in_the_range_and_enclose_the_value(name, seed):
    label, score = drawn(12 + seed, seed, 0.5)
    score = score.round(seed % 3 + 1).clip(0.001, 0.999)
    ends = mm.parse(name).declaration.range
    weight = np.random.default_rng(seed).exponential(size=label.size)
    for more in ({}, {"sample_weight": weight}, {"cluster": np.arange(label.size) // 2}):
        found = mm.interval(label, score, name, **more)
        assert ends[0] <= found.low < found.value < found.high <= ends[1]


def test_limits_approach_those_of_student():
    label, score = drawn(20_000)
    for name in ("brier", "log_loss"):
        found, normal = (mm.interval(label, score, name, method=m) for m in ("auto", "normal"))
        assert limits(found) == pytest.approx(limits(normal), abs=0.02 * (normal.high - normal.low))


# -------------------------------------------------------------------- weights and clusters

NAMES = ["brier", "log_loss", "scored_auc", "soft_auc"]


@pytest.mark.parametrize("name", NAMES)
def test_equal_weights_are_none_and_a_table_is_its_rows(name):
    label, score = drawn()
    score = score.round(1).clip(0.05, 0.95)
    plain = mm.interval(label, score, name)
    for other in (
        mm.interval(label, score, name, sample_weight=np.full(label.size, 7.0)),
        mm.interval(label, score, name, cluster=np.arange(label.size)),
        mm.interval(mm.tabulate(label, score), name),
    ):
        assert limits(other) == pytest.approx(limits(plain), abs=1e-10)


@pytest.mark.parametrize("name", ["scored_auc", "mean_gap"])
def test_weights_of_classes_do_not_change_means_over_pairs(name):
    label, score = drawn()
    plain = mm.interval(label, score, name)
    found = mm.interval(label, score, name, sample_weight=np.where(label, 0.2, 1.0))
    assert limits(found) == pytest.approx(limits(plain), abs=1e-10)


@pytest.mark.parametrize("name", NAMES)
def test_weights_are_no_repetitions_and_cost_cases(name):
    label, score = drawn(200)
    weight = np.where(np.arange(200) % 2, 9.0, 1.0)
    plain, weighted = (
        mm.interval(label, score, name, sample_weight=given) for given in (None, weight)
    )
    assert weighted.high - weighted.low > 1.15 * (plain.high - plain.low)


def test_terms_of_weighted_cases():
    """The unobserved case has the weight Σw²/Σw of its class."""
    label, score = drawn(20)
    weight = 1.0 + np.arange(20) % 3
    losses = np.square(score - label)
    mean = weight @ losses / weight.sum()
    terms = mean + 20 * weight / weight.sum() * (losses - mean)
    heavy = [
        np.square(weight[label == y]).sum() / weight[label == y].sum() / weight.sum()
        for y in (0, 1)
    ]
    possible = [mean + 20 * heavy[y] * ((s - y) ** 2 - mean) for y in (0, 1) for s in score]
    found = mm.interval(label, score, "brier", sample_weight=weight)
    assert limits(found) == pytest.approx(slow_limits(terms, possible), abs=1e-7)


@pytest.mark.parametrize("name", NAMES)
def test_copies_of_a_case_count_as_one(name):
    label, score = drawn(200)
    number = np.repeat(np.arange(200), 4)
    found = mm.interval(label[number], score[number], name, cluster=number)
    alone = mm.interval(label, score, name)
    assert limits(found) == pytest.approx(limits(alone), abs=1e-10)


def test_clusters_of_different_sizes():
    """The terms are sums over clusters; m cases each count as (Σm)²/Σm² clusters of equal size.

    Few clusters have limits that also enclose Student's.
    """
    label, score = drawn(24)
    cluster = np.repeat([0, 1, 2, 3, 4, 5], [9, 5, 4, 3, 2, 1])
    losses = np.square(score - label)
    mean = losses.mean()
    sums = np.array([np.sum(losses[cluster == c] - mean) for c in range(6)])
    together = max(np.sum(sums**2) / np.sum((losses - mean) ** 2), 1)
    possible = [mean + 6 / 24 * together * ((s - y) ** 2 - mean) for y in (0, 1) for s in score]
    units = 24**2 / (9**2 + 5**2 + 4**2 + 3**2 + 2**2 + 1)
    found = mm.interval(label, score, "brier", cluster=cluster)
    low, high = slow_limits(mean + 6 / 24 * sums, possible, units)
    quantile = stats.t.ppf(0.975, units - 1) * math.sqrt(units / (units - 1))
    far = quantile * math.sqrt(np.sum((6 / 24 * sums) ** 2)) / 6
    expected = min(low, mean - far), max(high, mean + far)
    assert limits(found) == pytest.approx(np.clip(expected, 0, 1), abs=1e-7)


@pytest.mark.parametrize("name", ["brier", "log_loss", "scored_auc", "mean_gap"])
def test_two_clusters_are_covered(name):
    """Half of the variance of the scores is shared by the 20 cases of a cluster."""
    rng, cluster = np.random.default_rng(8), np.arange(40) // 20
    truth = mm.parse(name)(*_shared(np.random.default_rng(1), np.arange(200_000) // 20))
    found = [mm.interval(*_shared(rng, cluster), name, cluster=cluster) for _ in range(200)]
    covered = np.mean([one.low <= truth <= one.high for one in found])
    assert covered > 0.9


def _shared(rng, cluster):
    """Labels, and probabilities that share half of their variance in a cluster."""
    shared = rng.normal(size=cluster[-1] + 1)[cluster]
    label = np.arange(cluster.size) % 5 < 2
    z = math.sqrt(0.5) * (shared + rng.normal(size=cluster.size)) + label
    return label, 1 / (1 + np.exp(-2 * (z - 0.5)))


# ------------------------------------------------------------------------ degenerate cases


def test_losses_that_do_not_vary_have_a_bound():
    found = mm.interval([1, 0] * 10, [0.5] * 20, "brier")
    same = 0.05 ** (1 / 20)
    assert found.method == "bound"
    assert limits(found) == pytest.approx((0.25 * same, 1 - 0.75 * same))


def test_copies_of_losses_that_do_not_vary_count_as_one():
    number = np.repeat(np.arange(20), 3)
    found = mm.interval(number % 2, np.full(60, 0.5), "brier", cluster=number)
    assert limits(found) == pytest.approx(limits(mm.interval([1, 0] * 10, [0.5] * 20, "brier")))


def test_one_class_has_the_losses_of_the_other_above():
    score = np.linspace(0.1, 0.4, 30)
    found = mm.interval([False] * 30, score, "brier")
    expected = slow_limits(score**2, [*score**2, *(1 - score) ** 2])
    assert limits(found) == pytest.approx(expected, abs=1e-7)


def test_two_cases_have_the_limits_of_what_is_possible():
    found = mm.interval([1, 0], [0.8, 0.3], "brier")
    assert limits(found) == pytest.approx((0.04, 0.64), abs=1e-6)
    assert mm.interval([1], [0.8], "brier").reason == "the variance needs at least two cases"
    clustered = mm.interval([1, 0], [0.8, 0.3], "brier", cluster=[5, 5])
    assert clustered.reason == "the variance needs at least two clusters"
    two = mm.interval([1, 0, 1], [0.8, 0.3, 0.6], "brier", cluster=[5, 5, 6])
    assert two.low < two.value < two.high


@pytest.mark.parametrize("more", [{}, {"sample_weight": np.ones(10)}, {"cluster": range(10)}])
def test_one_positive_has_an_interval_of_means_over_cases_alone(more):
    label, score = [1, *[0] * 9], np.linspace(0.9, 0.1, 10)
    found = mm.interval(label, score, "scored_auc", **more)
    assert math.isnan(found.low)
    assert "at least two" in found.reason
    assert mm.interval(label, score, "brier", **more).low > 0


def test_a_score_of_0_can_cost_infinitely():
    label, score = [0, 0, 1, 1] * 5, [0.0, 0.3, 0.9, 0.6] * 5
    found = mm.interval(label, score, "log_loss")
    assert 0 <= found.low < found.value < found.high == math.inf
    clipped = mm.interval(label, score, "log_loss(clip=0.001)")
    assert clipped.value < clipped.high < -math.log(0.001)


def test_a_score_without_weight_is_not_possible():
    label, score, weight = [0, 0, 1, 1, 0] * 5, [0.2, 0.3, 0.9, 0.6, 0.0] * 5, [1, 1, 1, 1, 0] * 5
    found = mm.interval(label, score, "log_loss", sample_weight=weight)
    without = mm.interval([0, 0, 1, 1] * 5, [0.2, 0.3, 0.9, 0.6] * 5, "log_loss")
    assert limits(found) == pytest.approx(limits(without), abs=1e-10)


# -------------------------------------------------------------------------------- coverage


def normal_scores(label, z, distance, steepness, prevalence):
    """Probabilities that are right with a steepness of 1, from normal scores z of both classes."""
    odds = steepness * distance * (z + distance * label - distance / 2)
    return stats.logistic.cdf(odds + math.log(prevalence / (1 - prevalence)))


def true_loss(loss, *population):
    """The mean loss by quadrature over the normal scores."""
    prevalence = population[-1]
    return sum(
        weight
        * integrate.quad(
            lambda z, y=y: stats.norm.pdf(z) * loss(y, normal_scores(y, z, *population)), -8, 8
        )[0]
        for y, weight in ((1, prevalence), (0, 1 - prevalence))
    )


def assert_covers(found, truth, at_least=0.92):
    """Nominal 95%: not significantly below 92%."""
    covered = sum(one.low <= truth <= one.high for one in found)
    assert stats.binom.cdf(covered, len(found), at_least) > 0.005, covered / len(found)


@pytest.mark.parametrize(
    ("name", "loss"),
    [
        ("brier", lambda y, s: (s - y) ** 2),
        ("log_loss", lambda y, s: -math.log(s if y else 1 - s)),
    ],
)
def test_rare_large_losses_are_covered(name, loss):
    """An AUC of .99 with 10 expected positives of 40, where Student's limits cover 76% and 75%."""
    population = (3.3, 1.0, 0.25)
    rng, found = np.random.default_rng(2), []
    while len(found) < 400:
        label = rng.random(40) < 0.25
        if 2 <= label.sum() <= 38:
            score = normal_scores(label, rng.normal(size=40), *population)
            found.append(mm.interval(label, score, name))
    assert_covers(found, true_loss(loss, *population))


def test_few_positives_with_overconfident_scores_are_covered():
    """The gap of the mean scores, with 10 positives of 200, where DeLong's limits cover 77%."""
    population = (3.3, 2.0, 0.05)
    rng, label = np.random.default_rng(3), np.repeat([True, False], [10, 190])
    found = [
        mm.interval(label, normal_scores(label, rng.normal(size=200), *population), "mean_gap")
        for _ in range(400)
    ]
    means = [
        integrate.quad(lambda z, y=y: stats.norm.pdf(z) * normal_scores(y, z, *population), -8, 8)
        for y in (1, 0)
    ]
    assert_covers(found, means[0][0] - means[1][0])


def test_clusters_are_covered():
    """40 clusters of 5 cases of one class that share half of the variance of their scores."""
    population = (1.0, 1.0, 0.3)
    rng, cluster, found = np.random.default_rng(5), np.arange(200) // 5, []
    for _ in range(400):
        label = (rng.random(40) < 0.3)[cluster]
        z = math.sqrt(0.5) * (rng.normal(size=40)[cluster] + rng.normal(size=200))
        score = normal_scores(label, z, *population)
        found.append(mm.interval(label, score, "brier", cluster=cluster))
    assert_covers(found, true_loss(lambda y, s: (s - y) ** 2, *population))


@pytest.mark.parametrize("draw", ["exponential", "lognormal", "uniform"])
def test_many_terms_on_a_grid_have_the_same_limits(draw):
    terms = getattr(np.random.default_rng(3), draw)(size=50_000)
    away = terms - terms.mean()
    grid, mass = binned(away, np.ones(away.size))
    assert grid.size <= BINS
    assert mass.sum() == pytest.approx(50_000)
    assert mass @ grid == pytest.approx(0, abs=1e-8)
    whole = reach(away, np.ones(away.size), 2 * away.max(), 1.96)
    assert reach(grid, mass, 2 * away.max(), 1.96) == pytest.approx(whole, rel=1e-4)


# ------------------------------------------------------------------------ true probabilities


@pytest.mark.parametrize("n", [12, 40])
@pytest.mark.parametrize("weighted", [False, True])
def test_losses_of_true_probabilities_may_be_further_than_the_observed_ones(n, weighted):
    """Twice as far, and up to four times if few cases contribute."""
    rng = np.random.default_rng(n)
    true, score = rng.beta(2, 3, (2, n))
    weight = rng.uniform(0.5, 3, n) if weighted else np.ones(n)
    losses = (true - score) ** 2
    share = weight / weight.sum()
    mean = share @ losses
    terms = n * share * (losses - mean)
    squares = terms**2
    factor = 2 + min(2, 8 / (squares.sum() ** 2 / np.sum(squares**2)))
    assert 2 < factor <= 4
    heavy = n * np.sum(weight**2) / weight.sum() ** 2
    ends = np.clip([mean + factor * (end - mean) for end in (losses.min(), losses.max())], 0, 1)
    expected = slow_limits(mean + terms, [mean + heavy * (end - mean) for end in ends])
    found = mm.interval(true, score, "brier", soft=True, sample_weight=weight)
    assert found.method == "empirical_likelihood"
    assert limits(found) == pytest.approx(np.clip(expected, 0, 1), abs=1e-6)


# ------------------------------------------------------------------------ fixed class sizes


def test_within_classes_the_losses_have_the_same_mean():
    label, score = drawn(30)
    losses = (score - label) ** 2
    shift = {y: losses.mean() - losses[label == y].mean() for y in (0, 1)}
    terms = losses + np.where(label, shift[1], shift[0])
    possible = [(s - y) ** 2 + shift[y] for y in (0, 1) for s in score]
    found = mm.interval(label, score, "brier", stratified=True)
    assert limits(found) == pytest.approx(np.clip(slow_limits(terms, possible), 0, 1), abs=1e-6)


def test_within_several_classes():
    rng = np.random.default_rng(3)
    scores = rng.dirichlet([1, 1, 1], 30)
    label = np.arange(30) % 3
    losses = np.array([[np.sum((row - np.eye(3)[c]) ** 2) / 2 for c in range(3)] for row in scores])
    own = losses[np.arange(30), label]
    shift = np.array([own.mean() - own[label == c].mean() for c in range(3)])
    possible = (losses + shift).reshape(-1)
    found = mm.interval(label, scores, "brier", stratified=True)
    expected = slow_limits(own + shift[label], possible)
    assert limits(found) == pytest.approx(np.clip(expected, 0, 1), abs=1e-6)


@pytest.mark.parametrize("weighted", [False, True])
def test_clusters_of_weighted_pairs_by_hand(weighted):
    """A case adds its share in its class times the distance of its component from the mean."""
    rng = np.random.default_rng(5)
    cluster = np.arange(60) % 15
    label = rng.random(60) < 0.5
    score = stats.logistic.cdf(label + rng.normal(size=60) + rng.normal(size=15)[cluster])
    weight = rng.uniform(0.5, 2, 60) if weighted else np.ones(60)
    share = weight / np.where(label, weight[label].sum(), weight[~label].sum())
    gap = score[label] @ share[label] - score[~label] @ share[~label]
    negative_mean, positive_mean = score[~label] @ share[~label], score[label] @ share[label]
    component = np.where(label, score - negative_mean, positive_mean - score)
    away = 15 * share * (component - gap)
    sums = np.bincount(cluster, away)
    together = max(np.sum(sums**2) / np.sum(away**2), 1)
    possible = []
    for members, parts in ((label, score - negative_mean), (~label, positive_mean - score)):
        heavy = together * np.sum(weight[members] ** 2) / weight[members].sum() ** 2
        possible += [gap + 15 * heavy * (part - gap) for part in parts]
    apart = [np.sum(np.bincount(cluster[m], away[m], 15) ** 2) for m in (label, ~label)]
    sample = Sample.of(Predictions.of(label, {"m": score}, cluster=cluster, sample_weight=weight))
    # All clusters have 4 cases.
    units = cluster_degrees(apart, sample, 15.0) + 1
    found = mm.interval(label, score, "mean_gap", cluster=cluster, sample_weight=weight)
    expected = np.clip(slow_limits(gap + sums, possible, units), -1, 1)
    assert limits(found) == pytest.approx(expected, abs=1e-6)
