"""Measures compared on domains: against every pair of lists, one by one, in fractions."""

import json
import math
import statistics
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metameasure as mm
from metameasure import lab
from metameasure.lab.agreement import pair_counts
from metameasure.lab.agreement.comparison import MeasureComparison, _is_settled
from metameasure.lab.agreement.domain import Domain, Levels
from metameasure.lab.agreement.pair_counts import Counts
from metameasure.lab.agreement.ranked_lists import list_counts
from metameasure.measurement import Measure
from oracles import pairs as slow
from oracles.cuts import ONE, threshold_cut
from small_domains import elements

SIZES = [(1, 1), (1, 4), (4, 1), (2, 3), (4, 3), (4, 4), (2, 6), (5, 3)]
OF_LISTS = {
    "auc": slow.of_table("auc"),
    "gini": slow.of_table("gini"),
    "taks": slow.of_table("taks"),
    "abc": slow.of_table("abc"),
    "ks": slow.of_table("ks"),
    "auch": slow.of_table("auch"),
    "h_measure": slow.of_table("h_measure"),
    "h_measure(alpha=3)": slow.of_table("h_measure", alpha=3),
    "average_precision": slow.of_table("average_precision"),
    "average_precision(interpolation=max)": slow.of_table("average_precision", interpolation="max"),
    "reciprocal_rank": slow.of_table("reciprocal_rank"),
    "minimum_cost": slow.of_table("minimum_cost", "min"),
    "ndcg": slow.ndcg,
}
AT_CUT = {
    "accuracy": lambda k: slow.at_cut("accuracy", k),
    "error_rate": lambda k: slow.at_cut("error_rate", k, "min"),
    "f_measure": lambda k: slow.at_cut("f_measure", k),
    "f_measure(beta=2)": lambda k: slow.at_cut("f_measure", k, beta=2),
    "fpr": lambda k: slow.at_cut("fpr", k, "min"),
    "balanced_accuracy": lambda k: slow.at_cut("balanced_accuracy", k),
    "kappa": lambda k: slow.at_cut("kappa", k),
    "mcc": slow.mcc,
    "accuracy@k=2": lambda _: slow.at_cut("accuracy", 2),
}
CONSTRUCTED = {
    "two_level(auc, accuracy)": lambda f: slow.two_level(f("auc"), f("accuracy")),
    "two_level(accuracy, auc)": lambda f: slow.two_level(f("accuracy"), f("auc")),
    "two_level(error_rate, ks)": lambda f: slow.two_level(f("error_rate"), f("ks")),
    "two_level(auc, error_rate)": lambda f: slow.two_level(f("auc"), f("error_rate")),
    "two_level(h_measure, ndcg)": lambda f: slow.two_level(f("h_measure"), f("ndcg")),
    "two_level(two_level(ks, auc), mcc)": lambda f: slow.two_level(
        slow.two_level(f("ks"), f("auc")), f("mcc")
    ),
    "linear(auc, accuracy, alpha=0.5)": lambda f: slow.linear(
        f("auc"), f("accuracy"), Fraction(1, 2)
    ),
    "linear(auc, accuracy, alpha=0.93)": lambda f: slow.linear(
        f("auc"), f("accuracy"), Fraction(93, 100)
    ),
    "linear(fpr, error_rate, alpha=0.2)": lambda f: slow.linear(
        f("fpr"), f("error_rate"), Fraction(1, 5)
    ),
    "linear(auc, accuracy, alpha=irrational)": lambda f: slow.irrational(f("auc"), f("accuracy")),
    "linear(ks, average_precision, alpha=irrational)": lambda f: slow.irrational(
        f("ks"), f("average_precision")
    ),
}
MEASURES = [*OF_LISTS, *AT_CUT, *CONSTRUCTED]


def valuation(text, cut):
    if text in OF_LISTS:
        return OF_LISTS[text]
    if text in AT_CUT:
        return AT_CUT[text](cut)
    return CONSTRUCTED[text](lambda part: valuation(part, cut))


@cache
def values(text, positives, negatives, cut=None):
    """The values of a measure on all lists, by its slow definition."""
    value = valuation(text, positives if cut is None else cut)
    return [value(cases) for cases in slow.ranked_lists(positives, negatives)]


@cache
def judged(f, g, positives, negatives, cut=None):
    sizes = (positives, negatives, cut)
    return slow.judged(values(f, *sizes), values(g, *sizes))


def counts(found):
    return {name: getattr(found.counts, name) for name in slow.NAMES}


def check_all_pairs(texts, domain, expected):
    """All pairs of measures, in both directions, have the counts that are expected."""
    matrix = lab.comparison_matrix(texts, domain)
    chosen = dict(zip(texts, matrix.measures, strict=True))
    wrong = {}
    for f, g in combinations(texts, 2):
        found = counts(matrix[chosen[f], chosen[g]])
        if found != expected(f, g):
            wrong[f, g] = (found, expected(f, g))
        assert matrix[chosen[g], chosen[f]].counts == matrix[chosen[f], chosen[g]].counts.turned
    assert not wrong


# Ranked lists


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_all_measures_on_all_lists(sizes):
    check_all_pairs(MEASURES, lab.ranked_lists(*sizes), lambda f, g: judged(f, g, *sizes))


@pytest.mark.parametrize("cut", [1, 2, 5])
def test_other_cuts(cut):
    sizes = (4, 3, cut)
    check_all_pairs(MEASURES, lab.ranked_lists(*sizes), lambda f, g: judged(f, g, *sizes))


@pytest.mark.parametrize("cut", [0, 7])
def test_a_cut_at_the_end_decides_nothing(cut):
    found = lab.compare("accuracy", "auc", lab.ranked_lists(4, 3, cut=cut))
    assert counts(found) == judged("accuracy", "auc", 4, 3, cut)
    assert math.isnan(found.consistency)
    assert (found.discriminancy, found.verdict) == (0, "dominated")


@pytest.mark.parametrize(
    ("f", "g"),
    [
        ("auc", "accuracy"),
        ("h_measure", "average_precision"),
        ("ndcg", "auc"),
        ("mcc", "h_measure(alpha=3)"),
        ("two_level(auc, accuracy)", "linear(auc, accuracy, alpha=irrational)"),
    ],
)
def test_five_and_five(f, g):
    """252 lists, 31,626 pairs."""
    found = lab.compare(f, g, lab.ranked_lists(5, 5))
    expected = judged(f, g, 5, 5)
    assert counts(found) == expected
    con, incon, dis_fg, dis_gf, ind = expected.values()
    assert found.counts.pairs == 31626
    assert found.consistency == con / (con + incon)
    assert found.discriminancy == slow_ratio(dis_fg, dis_gf)
    assert found.indifferency == ind / 31626


def slow_ratio(above, below):
    if below:
        return above / below
    return pytest.approx(math.inf if above else math.nan, nan_ok=True)


@pytest.mark.parametrize("k", [2.5, 2.99])
def test_a_cut_through_a_case(k):
    """accuracy@k=2.99 takes most of the third case: lists that differ there do not tie."""
    found = lab.compare(f"accuracy@k={k}", "auc", lab.ranked_lists(3, 3))
    value = slow.at_cut("accuracy", k)
    expected = [value(one) for one in slow.ranked_lists(3, 3)]
    assert counts(found) == slow.judged(expected, values("auc", 3, 3))


def test_the_finest_quantum_that_is_used():
    domain = lab.ranked_lists(27, 3)
    assert lab.compare("average_precision(interpolation=max)", "auc", domain).exact


def test_a_mean_with_an_infinite_value_is_infinite():
    found = lab.compare("linear(lr_plus, auc)", "lr_plus", lab.ranked_lists(3, 3))
    likelihood = [infinite_or(one, slow.at_cut("precision", 3)) for one in slow.ranked_lists(3, 3)]
    sums = [
        a if a == math.inf else a + v for a, v in zip(likelihood, values("auc", 3, 3), strict=True)
    ]
    assert counts(found) == slow.judged(sums, likelihood)


def infinite_or(cases, precision):
    """LR+ = TPR / FPR of balanced lists, from the precision."""
    value = precision(cases)
    return value / (1 - value) if value < 1 else math.inf


def test_a_mean_of_a_two_level_measure_is_refused():
    with pytest.raises(mm.ParameterError, match="two_level"):
        lab.compare("linear(two_level(auc, accuracy), ks)", "auc", lab.ranked_lists(3, 3))


COUNTED = "auc, gini, taks, abc, accuracy, error_rate, mcc, f_measure, two_level(auc, accuracy), \
linear(auc, mcc, alpha=0.7), linear(auc, accuracy, alpha=irrational)"


@pytest.mark.parametrize("sizes", [(1, 1), (1, 5), (7, 2), (6, 6), (5, 7, 4), (5, 7, 11)], ids=str)
def test_counting_by_kinds_is_enumerating(sizes):
    cut = sizes[2] if len(sizes) > 2 else None
    counted, listed = (
        lab.comparison_matrix(COUNTED, lab.ranked_lists(*sizes[:2], cut=cut, way=way))
        for way in ("count", "enumerate")
    )
    for pair in permutations(counted.measures, 2):
        assert counted[pair].counts == listed[pair].counts


def test_numbers_beyond_machine_words_are_whole():
    """Of all pairs of 20 + 20, by the joint distribution from another recursion."""
    n = 20
    found = lab.compare("auc", "accuracy", lab.ranked_lists(n, n)).counts
    assert found.pairs == math.comb(math.comb(2 * n, n), 2)
    by_wins, by_hits = Counter(), Counter()
    for (wins, hits), lists in joint(n).items():
        by_wins[wins] += lists
        by_hits[hits] += lists
    tied = [sum(math.comb(c, 2) for c in some.values()) for some in (by_wins, by_hits, joint(n))]
    assert found.dis_gf + found.ind == tied[0]
    assert found.dis_fg + found.ind == tied[1]
    assert found.ind == tied[2]
    # The consistent pairs, from each kind of list and all lists below it in both ways.
    below, con = Counter(), 0
    for hits in range(n + 1):
        lower = 0
        for wins in range(n * n + 1):
            con += joint(n)[wins, hits] * lower
            lower += below[wins]
        for wins in range(n * n + 1):
            below[wins] += joint(n)[wins, hits]
    assert found.con == con


@cache
def joint(n):
    """Number of lists of n + n by ordered pairs and by positives in the upper half.

    One case after the other from the top: a negative is right about all positives before it.
    """
    states = Counter({(0, 0, 0): 1})
    for place in range(2 * n):
        following = Counter()
        for (positives, wins, hits), lists in states.items():
            if positives < n:
                following[positives + 1, wins, hits + (place < n)] += lists
            if place - positives < n:
                following[positives, wins + positives, hits] += lists
        states = following
    return Counter({(wins, hits): lists for (_, wins, hits), lists in states.items()})


# Permutations

SIX = ["ordered_auc", "euclidean_distance", "reversed_pairs", "manhattan_distance"]
OF_ORDERS = {
    **{name: slow.of_order(name) for name in [*SIX, "kendall_tau", "spearman_rho"]},
    "auc": slow.of_labels(slow.of_table("auc")),
    "accuracy": lambda n: slow.of_labels(slow.at_cut("accuracy", n - n // 2)),
    "ks": slow.of_labels(slow.of_table("ks")),
    "two_level(manhattan_distance, ordered_auc)": slow.two_level(
        slow.of_order("manhattan_distance"), slow.of_order("ordered_auc")
    ),
    "linear(reversed_pairs, manhattan_distance, alpha=0.3)": slow.linear(
        slow.of_order("reversed_pairs"), slow.of_order("manhattan_distance"), Fraction(3, 10)
    ),
}


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_all_measures_on_all_orders(n):
    given = OF_ORDERS | {"accuracy": OF_ORDERS["accuracy"](n)}
    found = {text: [value(order) for order in slow.orders(n)] for text, value in given.items()}
    check_all_pairs(list(given), lab.permutations(n), lambda f, g: slow.judged(found[f], found[g]))


def test_orders_of_eight_come_in_blocks():
    """From eight items on, beginnings and ends are put together; there are 40,320 orders."""
    cells = Counter(
        (
            sum(abs(rank - place) for place, rank in enumerate(order, 1)),
            sum(a > b for a, b in combinations(order, 2)),
        )
        for order in slow.orders(8)
    )
    con = incon = 0
    for (a, b), many in cells.items():
        for (c, d), others in cells.items():
            con += many * others * (a < c and b < d)
            incon += many * others * (a < c and b > d)
    found = lab.compare("manhattan_distance", "reversed_pairs", lab.permutations(8)).counts
    assert (found.con, found.incon) == (con, incon)
    assert found.pairs == math.comb(math.factorial(8), 2)
    assert found.ind == sum(math.comb(many, 2) for many in cells.values())


# Lists of scores


class Given:
    """The same lists over and over, with ties, all scores in [0, 1]."""

    def __init__(self, positives=6, negatives=5, steps=8):
        rng = np.random.default_rng(5)
        self.positive = rng.permuted(
            np.tile(np.arange(positives + negatives) < positives, (500, 1)), axis=1
        )
        self.score = rng.integers(0, steps + 1, self.positive.shape) / steps

    def __call__(self, count, rng):
        return self.positive[:count], self.score[:count]

    def lists(self, count):
        return [
            [(bool(y), float(s), ONE) for y, s in zip(*one, strict=True)]
            for one in zip(self.positive[:count], self.score[:count], strict=True)
        ]


def at_half(name, best="max"):
    return lambda cases: (
        (1 if best == "max" else -1) * slow.CUT_ORACLES[name](*threshold_cut(cases, 0.5))
    )


OF_SCORES = {
    "auc": slow.of_table("auc"),
    "scored_auc": slow.of_table("scored_auc"),
    "brier": slow.of_table("brier", "min"),
    "h_measure": slow.of_table("h_measure"),
    "auch": slow.of_table("auch"),
    "ks": slow.of_table("ks"),
    "taks": slow.of_table("taks"),
    "average_precision": slow.of_table("average_precision"),
    "accuracy": at_half("accuracy"),
    "error_rate": at_half("error_rate", "min"),
    "accuracy@k=P": slow.at_cut("accuracy", 6),  # in proportion inside a tie
    "two_level(accuracy, brier)": slow.two_level(
        at_half("accuracy"), slow.of_table("brier", "min")
    ),
    "linear(auc, scored_auc, alpha=irrational)": slow.irrational(
        slow.of_table("auc"), slow.of_table("scored_auc")
    ),
}


def test_score_lists_with_ties():
    """Both batches of a thousand lists are the same 500 lists, of which all pairs are judged."""
    given = Given()
    lists = given.lists(500)
    found = {text: [value(one) for one in lists] for text, value in OF_SCORES.items()}
    matrix = lab.comparison_matrix(list(OF_SCORES), lab.score_lists(given, lists=1000))
    chosen = dict(zip(OF_SCORES, matrix.measures, strict=True))
    some = [*zip(OF_SCORES, list(OF_SCORES)[1:], strict=False), ("auc", "brier"), ("ks", "auch")]
    for f, g in some:
        expected = slow.judged(found[f], found[g])
        assert counts(matrix[chosen[f], chosen[g]]) == {k: 2 * v for k, v in expected.items()}
        assert matrix[chosen[f], chosen[g]].consistency_se == pytest.approx(0, abs=1e-15)


def test_means_tie_that_differ_by_rounding_only():
    """A mean of AUC and a measure without a quantum: on drawn lists, and on all lists."""
    given = Given()
    auc, scored = slow.of_table("auc"), slow.of_table("scored_auc")
    mean = slow.linear(auc, scored, Fraction(1, 4))
    columns = [[value(one) for one in given.lists(500)] for value in (mean, auc)]
    domain = lab.score_lists(given, lists=1000)
    found = lab.compare("linear(auc, scored_auc, alpha=0.25)", "auc", domain)
    assert counts(found) == {k: 2 * v for k, v in slow.judged(*columns).items()}
    # Balanced lists with a cut in the middle: kappa is 2 accuracy - 1, and 3/4 AUC + kappa/4 ties
    # lists that AUC decides.
    found = lab.compare("linear(auc, kappa, alpha=0.75)", "auc", lab.ranked_lists(6, 6))
    mean = slow.linear(auc, slow.at_cut("kappa", 6), Fraction(3, 4))
    columns = [[value(one) for one in slow.ranked_lists(6, 6)] for value in (mean, auc)]
    assert counts(found) == slow.judged(*columns)
    assert found.counts.dis_gf == 1372


def normal(count, rng):
    """Twelve cases, so that accuracy ties often."""
    positive = np.broadcast_to(np.arange(12) < 6, (count, 12))
    return positive, rng.normal(size=(count, 12)) + 0.5 * positive


@pytest.fixture(scope="module")
def seeds():
    """The same comparison with thirty seeds."""
    domains = [lab.score_lists(normal, lists=3000, seed=seed) for seed in range(30)]
    return [lab.compare("auc", "accuracy@k=P", domain, workers=1) for domain in domains]


def test_standard_errors_are_those_of_repeated_studies(seeds):
    for degree in ("consistency", "discriminancy"):
        values = np.array([getattr(found, degree) for found in seeds])
        errors = np.array([getattr(found, f"{degree}_se") for found in seeds])
        # A standard deviation of thirty values has an error of an eighth; errors: six batches.
        assert math.sqrt(np.mean(errors**2)) == pytest.approx(values.std(ddof=1), rel=0.45)
        assert (errors > 0).all()


def test_simulated_degrees_are_those_of_all_lists_under_no_difference():
    """Scores that have nothing to do with the classes make every ranked list equally likely."""

    def noise(count, rng):
        return np.broadcast_to(np.arange(8) < 4, (count, 8)), rng.random((count, 8))

    found = lab.compare("auc", "accuracy@k=P", lab.score_lists(noise, lists=20_000, seed=3))
    all_lists = lab.compare("auc", "accuracy", lab.ranked_lists(4, 4))
    for degree in ("consistency", "discriminancy"):
        error = getattr(found, f"{degree}_se")
        assert abs(getattr(found, degree) - getattr(all_lists, degree)) < 4 * error


def test_the_number_of_workers_changes_nothing():
    def rows(workers):
        domain = lab.score_lists(lists=3000, seed=11)
        return lab.comparison_matrix(
            "auc, brier, h_measure, two_level(accuracy, auc)", domain, workers=workers
        ).records()

    assert rows(1) == rows(2)
    assert (
        rows(1)
        != lab.comparison_matrix(
            "auc, brier, h_measure, two_level(accuracy, auc)", lab.score_lists(lists=3000, seed=12)
        ).records()
    )


def test_exact_domains_do_not_depend_on_workers():
    domain = lab.ranked_lists(7, 7, way="enumerate")
    chosen = "auc, h_measure, average_precision, accuracy"
    one, two = (lab.comparison_matrix(chosen, domain, workers=w).records() for w in (1, 2))
    assert one == two
    one, two = (
        lab.compare("ordered_auc", "auc", lab.permutations(8), workers=w).records() for w in (1, 2)
    )
    assert one == two


# Observed models


def models(n=60, seed=2, steps=10):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) < n // 2)
    scores = {
        name: np.clip(np.round((0.5 + lift * (y - 0.5) + rng.normal(0, 0.3, n)) * steps), 0, steps)
        / steps
        for name, lift in (("a", 0.1), ("b", 0.2), ("c", 0.25), ("d", 0.0))
    }
    return y, scores


def test_folds_one_by_one():
    y, scores = models()
    folds = np.arange(y.size) % 5
    total = Counter()
    for fold in range(5):
        lists = [
            [
                (bool(a), float(b), ONE)
                for a, b in zip(y[folds == fold], s[folds == fold], strict=True)
            ]
            for s in scores.values()
        ]
        for f, g in (("auc", "brier"), ("accuracy", "taks"), ("h_measure", "error_rate")):
            of_f, of_g = ([OF_SCORES[m](one) for one in lists] for m in (f, g))
            total.update({(f, g, k): v for k, v in slow.judged(of_f, of_g).items()})
    domain = lab.observed(y, scores, folds=folds)
    assert str(domain) == "4 models on 5 folds"
    for f, g in {(f, g) for f, g, _ in total}:
        found = lab.compare(f, g, domain)
        assert counts(found) == {name: total[f, g, name] for name in slow.NAMES}
        assert found.counts.pairs == 5 * 6
        assert found.consistency_se is not None


def class_models(n=60):
    """Labels of three classes, and the probabilities of four models."""
    rng = np.random.default_rng(8)
    y = np.array(["a", "b", "c"])[np.arange(n) % 3]
    made = {}
    for name, skill in zip("wxyz", (0, 1, 2, 3), strict=True):
        odds = np.round(np.exp(rng.normal(size=(n, 3)) + skill * np.eye(3)[np.arange(n) % 3]), 1)
        odds += 0.1
        made[name] = odds / odds.sum(axis=1, keepdims=True)
    return y, made


def test_folds_of_several_classes_by_hand():
    y, made = class_models()
    folds = np.arange(60) // 15
    domain = lab.observed(y, made, folds=folds)
    assert str(domain) == "4 models on 4 folds"
    sign = {"hand_till_auc": 1, "accuracy": 1, "log_loss": -1, "brier": -1}
    for f, g in (("hand_till_auc", "accuracy"), ("log_loss", "brier"), ("accuracy", "log_loss")):
        total = Counter()
        for fold in range(4):
            part = folds == fold
            of_f, of_g = (
                [round(sign[m] * mm.parse(m)(y[part], p[part]), 9) for p in made.values()]
                for m in (f, g)
            )
            for i, j in combinations(range(4), 2):
                a, b = np.sign(of_f[i] - of_f[j]), np.sign(of_g[i] - of_g[j])
                name = (
                    "ind" if a == b == 0 else "con" if a == b else "dis_gf" if a == 0
                    else "dis_fg" if b == 0 else "incon"
                )  # fmt: skip
                total[name] += 1
        found = lab.compare(f, g, domain)
        assert {name: count for name, count in counts(found).items() if count} == total


def test_resamples_of_several_classes():
    y, made = class_models()
    domain = lab.observed(y, made, resamples=300, seed=4)
    assert str(domain) == "4 models on 300 resamples of 60 cases"
    found = lab.compare("hand_till_auc", "accuracy", domain)
    assert found.counts.pairs > 290 * 6
    assert 0.8 < found.consistency < 1
    assert found.discriminancy > 1
    two = lab.compare("hand_till_auc", "accuracy", domain, workers=2)
    assert counts(two) == counts(found)


def test_errors_of_several_classes():
    y, made = class_models()
    with pytest.raises(mm.DataError, match=r"one value per case, 60, got shape \(59,\)"):
        lab.observed(y, made, folds=np.arange(59))
    with pytest.raises(mm.ParameterError, match="ks is a measure of two classes"):
        lab.compare("ks", "accuracy", lab.observed(y, made, resamples=10))
    with pytest.raises(mm.ParameterError, match="pass either folds or resamples"):
        lab.observed(y, made)


def test_folds_on_which_a_measure_is_undefined_are_left_out():
    y, scores = models()
    folds = np.where(np.arange(y.size) < 40, np.arange(y.size) % 4, np.where(y, 8, 9))
    domain = lab.observed(y, scores, folds=folds)
    assert lab.compare("auc", "ks", domain).counts.pairs == 4 * 6
    assert lab.compare("accuracy", "brier", domain).counts.pairs == 6 * 6
    nowhere = lab.observed(y, scores, folds=y)
    with pytest.raises(mm.DataError, match="auc is undefined for a model on 2 of them"):
        lab.compare("auc", "ks", nowhere)


def test_resamples_are_those_of_a_plain_bootstrap():
    y, scores = models()
    domain = lab.observed(y, scores, resamples=4000, seed=4)
    found = lab.compare("auc", "accuracy", domain)
    assert found.counts.pairs == 4000 * 6
    assert found.consistency_se is None
    assert lab.compare("auc", "accuracy", domain, workers=2).to_dict() == found.to_dict()
    rng, drawn = np.random.default_rng(9), []
    for _ in range(1000):
        rows = rng.integers(0, y.size, y.size)
        scored = [s[rows] for s in scores.values()]
        # Twice the pairs that are won, and the cases that are right: whole numbers.
        won = [int(np.sign(np.subtract.outer(s[y[rows]], s[~y[rows]])).sum()) for s in scored]
        right = [int(np.count_nonzero((s >= 0.5) == y[rows])) for s in scored]
        drawn.append(slow.judged(won, right))
    for name in slow.NAMES:
        shares = np.array([one[name] / 6 for one in drawn])
        error = shares.std(ddof=1) * math.sqrt(1 / 1000 + 1 / 4000)
        found_share = getattr(found.counts, name) / found.counts.pairs
        assert abs(found_share - shares.mean()) < max(4 * error, 0.001)


def test_weights_are_taken():
    y, scores = models()
    weight = np.random.default_rng(1).integers(1, 4, y.size).astype(float)
    repeated = np.repeat(np.arange(y.size), weight.astype(int))
    folds = np.arange(y.size) % 3
    weighted = lab.observed(y, scores, folds=folds, sample_weight=weight)
    plain = lab.observed(
        y[repeated], {m: s[repeated] for m, s in scores.items()}, folds=folds[repeated]
    )
    for f, g in (("auc", "accuracy"), ("h_measure", "brier")):
        assert lab.compare(f, g, weighted).counts == lab.compare(f, g, plain).counts


# Verdicts


@pytest.mark.parametrize(
    ("f", "g", "verdict", "c", "d"),
    [
        ([2, 1, 0], [4, 3, 2], "equivalent", 1, math.nan),
        ([0, 0, 0], [1, 1, 1], "equivalent", math.nan, math.nan),
        ([2, 1, 0], [1, 1, 0], "dominates", 1, math.inf),
        ([1, 1, 0], [2, 1, 0], "dominated", 1, 0),
        ([1, 0, 0], [0, 0, 0], "dominates", math.nan, math.inf),
        # Huang 21: by the printed definition each of these dominates the other.
        ([1, 0, 0], [1, 1, 0], "not comparable", 1, 1),
        ([2, 1, 0], [0, 1, 2], "not comparable", 0, math.nan),
        ([3, 2, 1, 0], [1, 2, 0, 0], "better", 0.8, math.inf),
        ([3, 2, 1, 1], [3, 2, 2, 1], "not comparable", 1, 1),
        ([3, 2, 2, 0, 0], [2, 2, 1, 0, 0], "not comparable", 1, 1),
        ([4, 3, 2, 2, 0], [2, 2, 2, 1, 0], "better", 1, 3),
        ([2, 2, 2, 1, 0], [4, 3, 2, 2, 0], "worse", 1, 1 / 3),
        ([0, 1, 2, 2, 2], [4, 3, 2, 1, 0], "not comparable", 0, 0),
    ],
)
def test_verdicts(f, g, verdict, c, d):
    found = lab.compare("auc", "ks", elements(auc=f, ks=g))
    assert counts(found) == slow.judged(f, g)
    assert found.verdict == verdict
    assert (found.consistency, found.discriminancy) == pytest.approx((c, d), nan_ok=True)
    turned = {"better": "worse", "dominates": "dominated"}
    turned |= {there: here for here, there in turned.items()}
    back = lab.compare("ks", "auc", elements(auc=f, ks=g))
    assert back.verdict == turned.get(verdict, verdict)


def test_huang_21_as_printed_each_dominates_the_other():
    """Definition 2 asks that g never contradicts f; both ways that holds for these values."""
    f, g = [1, 0, 0], [1, 1, 0]
    for one, other in ((f, g), (g, f)):
        pairs = [(a, b) for a in range(3) for b in range(3)]
        assert all(other[a] >= other[b] for a, b in pairs if one[a] > one[b])
        assert any(one[a] > one[b] and other[a] == other[b] for a, b in pairs)
    assert lab.compare("auc", "ks", elements(auc=f, ks=g)).verdict == "not comparable"


def test_a_measure_against_itself_and_its_functions():
    domain = lab.ranked_lists(4, 4)
    for g in ("auc", "gini", "area_above_diagonal", "taks", "abc"):
        found = lab.compare("auc", g, domain)
        assert found.verdict == "equivalent"
        assert found.consistency == 1
        assert math.isnan(found.discriminancy)
    assert lab.compare("accuracy", "error_rate", domain).verdict == "equivalent"


class Batches(Domain):
    """Elements that were drawn, in independent batches: a column of values for each measure."""

    simulated = True

    def __init__(self, batches):
        self.batches = batches

    def strata(self, measures, *, workers=None, progress=None):
        for columns in self.batches:
            yield from elements(**dict(zip(("auc", "ks"), columns, strict=True))).strata(measures)

    def __str__(self):
        return "what was drawn"


def drawn(f, g, batches=30):
    """Batches of twenty elements with a quality each; f and g say what measures make of it."""
    rng = np.random.default_rng(3)
    found = []
    for _ in range(batches):
        quality = rng.normal(size=20)
        found.append([rule(quality, rng).tolist() for rule in (f, g)])
    return Batches(found)


def in_steps(width, noise=0.0):
    return lambda quality, rng: np.round((quality + noise * rng.normal(size=20)) / width)


@pytest.mark.parametrize(
    ("f", "g", "verdict"),
    [
        (in_steps(0.1, 0.3), in_steps(1, 0.3), "better"),
        (in_steps(1, 0.3), in_steps(0.1, 0.3), "worse"),
        (in_steps(0.25), in_steps(0.25), "equivalent"),
        # What was drawn proves no dominance: each step of one lies within one of the other.
        (
            lambda quality, rng: np.round(quality),
            lambda quality, rng: np.round(quality) > 0,
            "better",
        ),
        (
            lambda quality, rng: np.round(quality) > 0,
            lambda quality, rng: np.round(quality),
            "worse",
        ),
        (in_steps(0.1, 0.3), lambda quality, rng: -np.round(quality), "not comparable"),
    ],
)
def test_simulated_verdicts(f, g, verdict):
    found = lab.compare("auc", "ks", drawn(f, g))
    assert found.verdict == verdict
    assert found.consistency_se is not None


def test_what_is_too_close_to_tell():
    """Measures of the same kind that differ by chance only, and few lists of different ones."""
    for width in (0.5, 0.6, 0.8):
        same = drawn(in_steps(width, 0.5), in_steps(width, 0.5))
        assert lab.compare("auc", "ks", same).verdict == "inconclusive"
    few = drawn(in_steps(0.9, 0.3), in_steps(1, 0.3), batches=3)
    assert lab.compare("auc", "ks", few).verdict == "inconclusive"
    found = lab.compare("auc", "ks", drawn(in_steps(0.1, 0.3), chance))
    assert found.verdict in {"inconclusive", "not comparable"}


def chance(quality, rng):
    return np.round(rng.normal(size=20))


def test_a_single_pair_does_not_tell():
    """One of 6000 pairs is decided by one measure only."""
    values = list(range(20))
    batches = [(values, values) for _ in range(30)]
    batches[7] = (values, [0, 0, *values[2:]])
    assert lab.compare("auc", "ks", Batches(batches)).verdict == "inconclusive"
    assert lab.compare("ks", "auc", Batches(batches)).verdict == "inconclusive"


# Orders of preference


def pairwise_matrix(order, names):
    """A matrix that says of each measure what was found of other measures on other elements."""
    domain = "nothing in common"
    better, worse = Counts(9, 1, 5, 2, 0), Counts(9, 1, 2, 5, 0)
    found = {}
    for f, g in permutations(names, 2):
        given = {"better": better, "worse": worse, "equivalent": Counts(9, 0, 0, 0, 1)}
        verdict = order.get((f, g)) or {"better": "worse"}.get(order.get((g, f)), "equivalent")
        pair = mm.parse(f), mm.parse(g)
        found[pair] = MeasureComparison(*pair, domain, given[verdict])
    return lab.ComparisonMatrix([mm.parse(name) for name in names], found, domain)


def test_a_circle_is_reported():
    """Each of three is better than the next; one is better than all, two are worse."""
    circle = {("auc", "ks"), ("ks", "auch"), ("auch", "auc")}
    above = {("gini", name) for name in ("auc", "ks", "auch", "taks", "abc")}
    below = {(f, g) for f in ("auc", "ks", "auch") for g in ("taks", "abc")}
    names = ["taks", "auc", "gini", "ks", "abc", "auch"]
    matrix = pairwise_matrix(dict.fromkeys(circle | above | below, "better"), names)
    order = lab.PreferenceOrder(matrix)
    assert order.cycles == ((mm.auc, mm.ks, mm.auch),)
    assert order.text == "gini > auc ~ ks ~ auch > taks = abc"
    assert "cycle: auc, ks, auch are better than each other in turn" in str(order)
    assert json.loads(order.to_json())["cycles"] == [["auc", "ks", "auch"]]
    assert [record["place"] for record in order.records()] == [1, 2, 2, 2, 3, 3]
    assert order.frame()["measure"].to_list()[0] == "gini"


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 5), min_size=2, max_size=8))
def test_no_domain_has_a_circle(rows):
    """f is better than g only if it decides more pairs, and numbers of pairs make no circle."""
    names = ["auc", "ks", "auch", "gini", "taks"]
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    order = lab.preference_order(names, elements(**columns))
    assert order.cycles == ()
    decided = {}
    for f, g in permutations(names, 2):
        pair = order.matrix[mm.parse(f), mm.parse(g)].counts
        decided[f] = pair.con + pair.incon + pair.dis_fg
        assert (pair.dis_fg > pair.dis_gf) == (decided[f] > pair.con + pair.incon + pair.dis_gf)
    for f, g in permutations(names, 2):
        if order.matrix.is_better(mm.parse(f), mm.parse(g)):
            assert decided[f] > decided[g]
            assert order.measures.index(mm.parse(f)) < order.measures.index(mm.parse(g))


def test_better_is_not_transitive():
    """auc is better than ks and that than auch, but auc and auch agree only as often as not."""
    domain = elements(auc=[2, 2, 3, 0], ks=[0, 1, 1, 0], auch=[0, 1, 0, 0])
    order = lab.preference_order("auch, ks, auc", domain)
    verdicts = [
        order.matrix[mm.parse(f), mm.parse(g)].verdict
        for f, g in (("auc", "ks"), ("ks", "auch"), ("auc", "auch"))
    ]
    assert verdicts == ["better", "better", "not comparable"]
    assert order.matrix[mm.auc, mm.auch].consistency == 0.5
    assert order.cycles == ()


def test_equivalent_measures_share_a_tier():
    order = lab.preference_order("error_rate, gini, accuracy, auc", lab.ranked_lists(4, 4))
    assert order.text == "gini = auc > error_rate = accuracy"
    assert repr(order) == "<gini = auc > error_rate = accuracy>"


def test_what_was_only_drawn_can_be_too_close_to_order():
    """Two measures of independent noise."""

    def noise(count, rng):
        return np.broadcast_to(np.arange(40) < 20, (count, 40)), rng.random((count, 40))

    found = lab.compare("tpr@k=4", "tpr@k=36", lab.score_lists(noise, lists=1000, seed=1))
    assert found.verdict in {"inconclusive", "not comparable"}


# What is shown


def test_frames_and_json():
    matrix = lab.comparison_matrix("auc, accuracy, ks", lab.ranked_lists(4, 4))
    frame = matrix.frame()
    assert frame.height == 6
    (row,) = frame.filter(f="auc", g="accuracy").to_dicts()
    assert row["consistency"] == 1459 / 1493
    assert row["con"] == 1459 / 2415
    assert row["verdict"] == "better"
    assert row["exact"]
    found = json.loads(lab.compare("auc", "accuracy", lab.ranked_lists(4, 4)).to_json())
    assert found["counts"] == {"con": 1459, "incon": 34, "dis_fg": 762, "dis_gf": 52, "ind": 108}
    assert found["pairs"] == 2415
    (row,) = json.loads(lab.compare("auc", "accuracy", lab.ranked_lists(2, 2)).to_json())["rows"]
    assert (row["discriminancy"], row["discriminancy_infinite"]) == (None, "+")


def test_ties_that_are_not_proven_are_marked():
    assert lab.compare("auc", "h_measure", lab.ranked_lists(3, 3)).exact
    assert not lab.compare("auc", "ndcg", lab.ranked_lists(3, 3)).exact
    assert not lab.compare("auc", "h_measure(alpha=2.5)", lab.ranked_lists(3, 3)).exact


# Bad input

LISTS = "ranked lists of 3 positives and 3 negatives"
CLASSES = lab.multiclass(3, 2, lists=1000)


@pytest.mark.parametrize(
    ("f", "domain", "message"),
    [
        ("mcc", lab.ranked_lists(3, 3, cut=0), "mcc@k=0 is undefined on .* all cases lie on one"),
        ("accuracy@k=7", lab.ranked_lists(3, 3), "accuracy@k=7 is undefined.*fewer than k cases"),
    ],
    ids=str,
)
def test_a_measure_that_is_undefined_on_the_domain_is_named(f, domain, message):
    with pytest.raises(mm.DataError, match=message):
        lab.compare(f, "auc", domain)


@pytest.mark.parametrize(
    ("f", "domain", "message"),
    [
        (
            "brier",
            lab.ranked_lists(3, 3),
            f"brier depends on more than the order.*{LISTS}.*random score lists",
        ),
        ("scored_auc", lab.ranked_lists(3, 3), "scored_auc depends on more than the order"),
        (
            "accuracy@0.3",
            lab.ranked_lists(3, 3),
            "accuracy@0.3 has a score threshold.*accuracy@k=3",
        ),
        ("two_level(auc, brier)", lab.ranked_lists(3, 3), "^brier depends on more than the order"),
        ("brier", lab.permutations(4), "brier depends on more than the order"),
        ("mean_over(auc)", lab.ranked_lists(3, 3), f"of groups of cases; it does not.*{LISTS}"),
        ("ordered_auc", lab.ranked_lists(3, 3), f"true and predicted orders.*{LISTS}"),
        ("hand_till_auc", lab.ranked_lists(3, 3), "measure of more than two classes"),
        ("hand_till_auc", lab.permutations(4), "hand_till_auc.*two classes.*permutations of 4"),
        ("mean_over(auc)", lab.permutations(4), "groups of cases"),
        ("ordered_auc", lab.score_lists(lists=1000), "ordered_auc is a measure of true and pred"),
        ("ordered_auc", lab.observed(*models(), resamples=10), "true and predicted orders"),
    ],
    ids=str,
)
def test_a_measure_that_does_not_fit_the_domain_is_named(f, domain, message):
    with pytest.raises(mm.ParameterError, match=message):
        lab.compare(f, "auc", domain)


@pytest.mark.parametrize("f", ["ordered_auc", "gini", "mean_over(auc)"])
def test_measures_of_two_classes_are_refused_on_several(f):
    with pytest.raises(mm.ParameterError, match=f.split("(")[0]):
        lab.compare(f, "accuracy", CLASSES)


def test_probabilities_are_asked_for():
    def beyond(count, rng):
        return np.broadcast_to(np.arange(9) < 4, (count, 9)), rng.normal(size=(count, 9))

    with pytest.raises(mm.DataError, match=r"brier needs scores in \[0, 1\]"):
        lab.compare("brier", "auc", lab.score_lists(beyond, lists=1000))
    y, scores = models()
    domain = lab.observed(y, {m: 2 * s for m, s in scores.items()}, resamples=10)
    with pytest.raises(mm.DataError, match=r"brier needs scores in \[0, 1\]"):
        lab.compare("brier", "auc", domain)


def test_an_enumeration_that_is_too_large_says_what_to_do():
    message = r"155,117,520 .* would take 8 GiB; use shorter lists, random score lists, or only AUC"
    with pytest.raises(mm.DataError, match=message):
        lab.compare("auc", "ks", lab.ranked_lists(15, 15))
    with pytest.raises(mm.ParameterError, match="n must be an integer from 2 to 11, got 12"):
        lab.permutations(12)
    with pytest.raises(mm.DataError, match="ranked lists of 1 positives and 62 negatives"):
        lab.compare("auc", "ks", lab.ranked_lists(1, 62))


def test_values_that_floats_do_not_resolve_are_refused():
    with pytest.raises(mm.DataError, match="are too close to decide whether they are tied"):
        lab.compare("average_precision(interpolation=trapezoid)", "auc", lab.ranked_lists(4, 36))


@pytest.mark.parametrize("size", [0, -1, 2.5, "3", True, None, math.nan])
def test_sizes_are_whole_numbers(size):
    makers = {
        "positives": lambda: lab.ranked_lists(size, 3),
        "negatives": lambda: lab.ranked_lists(3, size),
        "n": lambda: lab.permutations(size),
        "classes": lambda: lab.multiclass(size, 2),
        "per_class": lambda: lab.multiclass(3, size),
        "lists": lambda: lab.score_lists(lists=size),
        "resamples": lambda: lab.observed(*models(), resamples=size),
    }
    for name, make in makers.items():
        message = (
            "pass either" if (name, size) == ("resamples", None) else f"{name} must be an integer"
        )
        with pytest.raises(mm.ParameterError, match=message):
            make()


def test_other_bad_input():
    with pytest.raises(
        mm.ParameterError, match=r"cut must be an integer from 0 to 6 or None, got 7"
    ):
        lab.ranked_lists(3, 3, cut=7)
    with pytest.raises(
        mm.ParameterError, match="way must be one of 'auto', 'enumerate', 'count', got"
    ):
        lab.ranked_lists(3, 3, way="guess")
    with pytest.raises(
        mm.ParameterError, match=r'way="count" supports only .* use way="enumerate"'
    ):
        lab.compare("auc", "ks", lab.ranked_lists(3, 3, way="count"))
    with pytest.raises(mm.ParameterError, match="at least 2 different measures, got 1"):
        lab.preference_order("auc", lab.ranked_lists(3, 3))
    with pytest.raises(mm.ParameterError, match="at least 2 different measures, got 1"):
        lab.comparison_matrix([mm.auc, "auc"], lab.ranked_lists(3, 3))
    with pytest.raises(mm.UnknownMeasure):
        lab.compare("auc", "no_such_measure", lab.ranked_lists(3, 3))
    for domain in ((3, 3), None, "ranked_lists(3, 3)", lab.ranked_lists):
        with pytest.raises(
            mm.ParameterError, match=r"domain must be ranked_lists, .* or observed, got"
        ):
            lab.compare("auc", "accuracy", domain)
    with pytest.raises(mm.ParameterError, match="workers must be an integer >= 1, got 0"):
        lab.compare("auc", "ks", lab.ranked_lists(3, 3), workers=0)
    with pytest.raises(mm.ParameterError, match=r"seed must be .* got -1"):
        lab.score_lists(seed=-1)


def test_bad_models_and_generators():
    y, scores = models()
    with pytest.raises(mm.DataError, match="need at least two models, got 1"):
        lab.observed(y, {"a": scores["a"]}, resamples=10)
    with pytest.raises(mm.ParameterError, match="pass either folds or resamples"):
        lab.observed(y, scores)
    with pytest.raises(mm.ParameterError, match="pass either folds or resamples"):
        lab.observed(y, scores, folds=np.arange(y.size) % 3, resamples=10)
    with pytest.raises(mm.ParameterError, match=r"generator must be a function .* got 3"):
        lab.score_lists(3)
    wrong = {
        "must return a pair of arrays": lambda count, rng: 3,
        "one row for each of the 500": lambda count, rng: (
            np.ones((count, 3)),
            np.ones((count, 4)),
        ),
        "scores that are NaN": lambda count, rng: (
            np.ones((count, 3)),
            np.full((count, 3), np.nan),
        ),
    }
    for message, generator in wrong.items():
        with pytest.raises(mm.DataError, match=message):
            lab.compare("auc", "ks", lab.score_lists(generator, lists=1000), workers=1)


def own(name, function, **declared):
    """A measure that is not registered, with the claims of the AUC but for those given."""
    claims = {"right_pairs": False, "null": None} | declared
    return Measure(replace(mm.auc.declaration, name=name, function=function, **claims))


def test_a_generator_that_gives_one_class_only():
    def negatives(count, rng):
        return np.zeros((count, 5)), rng.random((count, 5))

    with pytest.raises(mm.DataError, match="auc is undefined on 500 of 500"):
        lab.compare("auc", "ks", lab.score_lists(negatives, lists=1000), workers=1)


def test_a_quantum_that_is_wrong_is_noticed():
    wrong = own("halved", lambda table: mm.auc.compute(table) / 3)
    with pytest.raises(
        mm.DataError, match=r"halved are not multiples of its declared quantum 1/\d+"
    ):
        lab.compare(wrong, "auc", lab.ranked_lists(4, 4))


def test_a_measure_without_a_quantum_ties_where_only_rounding_differs():
    """The sum of ten terms in another order is the same number, and 1e-9 more is another one."""

    def sum_with(share):
        return lambda table: mm.auc.compute(table) + share * mm.ks.compute(table)

    shaken = own("shaken", lambda table: mm.auc.compute(table) * 0.1 + 0.7, quantum=None)
    assert lab.compare(shaken, "auc", lab.ranked_lists(5, 4)).verdict == "equivalent"
    moved = own("moved", sum_with(1e-9), quantum=None, range=(0, 2))
    found = lab.compare(moved, "two_level(auc, ks)", lab.ranked_lists(4, 4))
    assert found.verdict == "equivalent"
    tied = own("tied", sum_with(1e-13), quantum=None, range=(0, 2))
    assert lab.compare(tied, "auc", lab.ranked_lists(4, 4)).verdict == "equivalent"
    close = own("close", sum_with(1e-11), quantum=None, range=(0, 2))
    with pytest.raises(mm.DataError, match="values of close are too close to decide"):
        lab.compare(close, "auc", lab.ranked_lists(4, 4))


def test_a_measure_whose_best_value_lies_inside():
    """Lists are better the nearer they are to 1/2, on either side; distances tie exactly."""
    domain = lab.ranked_lists(4, 3)
    expected = [-abs(v - Fraction(1, 2)) for v in values("auc", 4, 3)]
    for quantum in (mm.auc.declaration.quantum, None):
        middle = own("middle", mm.auc.declaration.function, best=0.5, quantum=quantum)
        found = lab.compare(middle, "accuracy", domain)
        assert counts(found) == slow.judged(expected, values("accuracy", 4, 3))


def test_drawing_stops_when_it_is_precise_enough():
    domain = lab.score_lists(lab.NormalScores(10, 10), lists=60_000)
    rough, fine = (
        lab.compare("auc", "scored_auc", domain, precision=precision, workers=1)
        for precision in (0.001, 0.0005)
    )
    assert fine.consistency_se <= 0.0005 < rough.consistency_se <= 0.001
    assert rough.counts.pairs < fine.counts.pairs
    whole = lab.compare("auc", "scored_auc", lab.score_lists(lab.NormalScores(10, 10)), workers=1)
    again = lab.compare("auc", "scored_auc", domain, precision=1e-9, workers=2)
    assert again.counts.pairs == 3 * whole.counts.pairs
    with pytest.raises(mm.ParameterError, match=r"only to random lists; .* are enumerated"):
        lab.compare("auc", "ks", lab.ranked_lists(3, 3), precision=0.01)
    with pytest.raises(mm.ParameterError, match="precision must be > 0"):
        lab.compare("auc", "ks", domain, precision=0)


# What a review found


@pytest.mark.parametrize(
    "domain", [lab.ranked_lists(3, 3), lab.permutations(4), lab.score_lists(lists=1000)], ids=str
)
def test_a_measure_that_takes_no_blocks_is_refused(domain):
    @mm.measure(best="max", range=(-1, 1), invariant_to=("monotone",))
    def all_at_once(table):
        """One number for a block."""
        return float(np.sum(table.pos))

    with pytest.raises(mm.DataError, match="along the last axis"):
        lab.compare(all_at_once, "auc", domain, workers=1)


@pytest.mark.parametrize("steepness", [60, 200, 300, 700])
def test_a_monotone_transform_is_equivalent_whatever_its_size(steepness):
    @mm.measure(best="max", range=(0, math.inf), invariant_to=("monotone",))
    def steep(table):
        """A function of the AUC whose values span many magnitudes."""
        return np.exp(steepness * mm.auc.compute(table))

    assert lab.compare(steep, "auc", lab.ranked_lists(4, 4)).verdict == "equivalent"


def test_an_order_says_only_what_was_found():
    order = lab.preference_order("auc, gini, accuracy, error_rate, ks", lab.ranked_lists(4, 4))
    assert order.text == "auc = gini ~ ks ≳ accuracy = error_rate"
    assert (mm.ks, mm.accuracy) in order.not_better
    assert "ks precedes accuracy but is not better" in order.table()


def test_a_matrix_is_asked_with_texts():
    matrix = lab.comparison_matrix("auc, ks", lab.ranked_lists(3, 3))
    assert matrix["auc", "ks"] is matrix[mm.auc, mm.ks]
    with pytest.raises(mm.ParameterError, match="two different measures of auc, ks"):
        matrix["auc", "gini"]


def test_few_of_one_class_are_counted_at_once():
    found = lab.compare("auc", "accuracy", lab.ranked_lists(1000, 1))
    assert found.counts == Counts(con=1000, incon=0, dis_fg=499500, dis_gf=0, ind=0)


@pytest.mark.parametrize(
    ("f", "sizes", "words"),
    [
        ("accuracy", (1000, 1000), "too many to count: 1,001,001,001 kinds"),
        ("h_measure", (10**4, 10**4), "about 10"),
    ],
)
def test_sizes_that_nothing_can_count(f, sizes, words):
    with pytest.raises(mm.DataError, match=words):
        lab.compare("auc", f, lab.ranked_lists(*sizes))


def test_folds_of_one_class_name_the_measure():
    with pytest.raises(mm.DataError, match=r"auc is undefined .*a class is empty"):
        lab.compare(
            "auc", "accuracy", lab.observed([1, 1, 0, 0], {"a": [1, 2, 3, 4], "b": [4, 3, 2, 1]},
                                            folds=[1, 1, 2, 2])
        )  # fmt: skip


@pytest.mark.parametrize(
    ("differences", "settled"),
    [
        ([0, 0, 0], False),  # no difference at all
        ([2, 2, 2], True),  # no error
        ([-2, -2, -2], True),
        ([0, 12], False),  # the sum is 12, its standard error sqrt(72 * 2 / 1) = 12
        ([90, 110], True),  # 200 is more than three times sqrt(200 * 2)
        ([60, 140], False),  # 200 is less than three times sqrt(3200 * 2) = 80
    ],
)
def test_a_sum_of_differences_is_settled_beyond_three_standard_errors(differences, settled):
    total, n = sum(differences), len(differences)
    error = math.sqrt(n * statistics.variance(differences))
    assert settled == (abs(total) > 3 * error)
    assert _is_settled(differences) is settled


@pytest.mark.parametrize("dense", [0, pair_counts.DENSE])
@pytest.mark.parametrize("largest", [0, pair_counts.LARGEST])
def test_pairs_are_counted_one_by_one(monkeypatch, dense, largest):
    monkeypatch.setattr(pair_counts, "DENSE", dense)
    monkeypatch.setattr(pair_counts, "LARGEST", largest)
    rng = np.random.default_rng(6)
    for f_levels, g_levels, size in ((3, 4, 30), (5, 2, 25), (40, 40, 20), (1, 3, 10)):
        f, g = rng.integers(0, f_levels, size), rng.integers(0, g_levels, size)
        expected = Counter()
        for i, j in combinations(range(size), 2):
            a, b = np.sign(f[i] - f[j]), np.sign(g[i] - g[j])
            kind = "ind" if not a and not b else "dis_gf" if not a else "dis_fg" if not b else None
            expected[kind or ("con" if a == b else "incon")] += 1
        found = pair_counts.count_pairs(
            Levels(f, range(f_levels), exact=True), Levels(g, range(g_levels), exact=True)
        )
        assert {name: getattr(found, name) for name in pair_counts.FIELDS} == {
            name: expected[name] for name in pair_counts.FIELDS
        }


def test_lists_are_counted_with_equal_steps_of_progress():
    shown = []
    found = list_counts(4, 6, 5, shown.append)
    assert sum(found.lists) == math.comb(10, 4)
    # 0 to 4 of the positives are above the cut.
    assert shown == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
