"""The worked examples, theorems and algorithms of the papers.

Printed numbers are compared to the digits that are printed. Where a paper is wrong, see
test_errata.py.
"""

import math
from fractions import Fraction
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import metameasure as mm
from metameasure.table import Point


def printed(text):
    """Equal to a printed number, to its last digit."""
    digits = len(text.partition(".")[2])
    return pytest.approx(float(text), rel=0, abs=0.5 * 10.0**-digits + 1e-12)


def close(right):
    return pytest.approx(float(right), rel=1e-12, abs=1e-12)


def cases_of(text):
    """Labels and scores of a list like "1.0+ 0.6-"."""
    words = text.split()
    return [word.endswith("+") for word in words], [float(word[:-1]) for word in words]


def ranked(best_first):
    """Labels and scores of a list like "++-+-", the highest score first."""
    return [sign == "+" for sign in best_first], list(range(len(best_first), 0, -1))


def of_classes(positives, negatives):
    return [1] * len(positives) + [0] * len(negatives), [*positives, *negatives]


# Scores whose differences and sums are exact.
SCORES = st.integers(0, 32).map(lambda k: k / 32)
CLASS = st.lists(SCORES, min_size=1, max_size=6)
ANY_SCORE = st.integers(-3, 5) | st.sampled_from([-0.7, 0.1, 0.2, 1e3])
LISTS = st.lists(st.tuples(st.booleans(), ANY_SCORE), min_size=2, max_size=14).filter(
    lambda cases: 0 < sum(label for label, _ in cases) < len(cases)
)


def columns(cases):
    return [label for label, _ in cases], [score for _, score in cases]


# ------------------------------------------------------------------------ Berrar 2014

FIG_1A = "1+ 1+ 0- 0-"
FIG_1B = "0.7+ 0.7+ 0.4- 0.4-"
FIG_1C = "0.9+ 0.8+ 0.3- 0.2-"


@pytest.mark.parametrize(
    ("text", "thresholds", "sse", "taks", "abc"),
    [
        (FIG_1A, 3, "0.00", 1, Fraction(1, 2)),
        (FIG_1B, 3, "0.50", 1, Fraction(1, 2)),
        (FIG_1C, 5, "0.18", Fraction(2, 3), Fraction(1, 2)),
    ],
)
def test_berrar_figure_1(text, thresholds, sse, taks, abc):
    # Fig. 1 and Sec. 3.1: the number of thresholds, and the SSE of (b) and (c).
    case = cases_of(text)
    assert mm.tabulate(*case).distinct + 1 == thresholds
    assert mm.sse(*case) == printed(sse)
    assert mm.auc(*case) == 1
    # Eqs. 7 and 8 at those thresholds.
    assert mm.taks(*case) == close(taks)
    assert mm.abc(*case) == close(abc)


def test_berrar_figure_2():
    # Fig. 2 and Sec. 3.4: 5 + 5 cases, 11 thresholds; at t_6, where the distance of the curves is
    # largest, TPR = 4/5 and FPR = 1/5; KS = 3/5 and taKS = 1/3. The list itself is in the figure
    # only, so all lists of that description are tried.
    found = set()
    for chosen in combinations(range(10), 5):
        ranking = "".join("+" if i in chosen else "-" for i in range(10))
        table = mm.tabulate(*ranked(ranking))
        if mm.tpr(table, k=5) != 0.8 or mm.ks(table) != pytest.approx(0.6):
            continue
        assert table.distinct + 1 == 11
        assert mm.fpr(table, k=5) == close(Fraction(1, 5))
        assert mm.youden_j(table, k=5) == close(mm.ks(table))
        if mm.taks(table) == close(Fraction(1, 3)):
            found.add(ranking)
            assert mm.auc(table) == close(Fraction(4, 5))
            assert mm.abc(table) == close(Fraction(3, 10))
    assert found == {"++-++--+--", "+++-+---+-", "+-+++-+---"}


FIG_3A = "1+ 1+ 1+ 1+ 1+ 0- 0- 0- 0- 0-"
FIG_3B = "0.95+ 0.80+ 0.7+ 0.65+ 0.6+ 0.5- 0.4- 0.3- 0.2- 0.1-"
FIG_3C = FIG_3B.replace("0.95+", "0.80+")
FIG_3C_AS_WELL = FIG_3B.replace("0.80+", "0.95+")
FIG_3G = "1- 1- 1- 1- 1- 0+ 0+ 0+ 0+ 0+"


@pytest.mark.parametrize(
    ("text", "thresholds", "taks", "abc"),
    [
        (FIG_3A, 3, "1.0", "0.500"),
        (FIG_3B, 11, "0.556", None),
        (FIG_3C, 10, "0.600", "0.533"),
        (FIG_3C_AS_WELL, 10, "0.60", None),
        (FIG_3G, 3, "-1", None),
    ],
)
def test_berrar_figure_3(text, thresholds, taks, abc):
    # Sec. 3.3; the scores of cases #1 and #2 are in the text, and no other value matters.
    case = cases_of(text)
    assert mm.tabulate(*case).distinct + 1 == thresholds
    assert mm.taks(*case) == printed(taks)
    assert mm.abc(*case) == close(mm.taks(*case) * (thresholds - 2) / (thresholds - 1))
    if abc:
        assert mm.abc(*case) == printed(abc)


def test_berrar_figure_3h():
    # Sec. 3.3: one score for all cases has two thresholds, no taKS, and AUC = 0.5.
    case = [1, 0, 1, 0], [0.5] * 4
    assert mm.tabulate(*case).distinct + 1 == 2
    assert mm.auc(*case) == 0.5
    with pytest.warns(mm.UndefinedMeasureWarning, match="same score"):
        assert math.isnan(mm.taks(*case))


def test_berrar_figure_3i():
    # A random prediction with 5 thresholds has ABC = taKS = 0 and AUC = 0.5.
    table = mm.ScoreTable([0.8, 0.6, 0.4, 0.2], pos=[1, 1, 2, 1], neg=[1, 1, 2, 1])
    assert table.distinct + 1 == 5
    assert (mm.abc(table), mm.taks(table), mm.auc(table)) == (0, 0, 0.5)


@given(LISTS)
def test_berrar_definitions(cases):
    # Eqs. 5, 7 and 8, from the rates at every threshold that the scores allow.
    labels, scores = columns(cases)
    thresholds = [math.inf, *sorted(set(scores), reverse=True)]
    positives = [s for y, s in cases if y]
    negatives = [s for y, s in cases if not y]
    gaps = [
        Fraction(sum(s >= t for s in positives), len(positives))
        - Fraction(sum(s >= t for s in negatives), len(negatives))
        for t in thresholds
    ]
    n = len(thresholds)
    assert mm.ks(labels, scores) == close(max(map(abs, gaps)))
    assert mm.abc(labels, scores) == close(sum(gaps[1:-1]) / (n - 1))
    assume(n > 2)
    assert mm.taks(labels, scores) == close(sum(gaps[1:-1]) / (n - 2))
    assert -1 <= mm.taks(labels, scores) <= 1
    # Sec. 2.3: the hull never lies below the curve.
    assert mm.auch(labels, scores) >= mm.auc(labels, scores) - 1e-12


@given(LISTS)
def test_berrar_taks_is_linear_in_the_auc_without_ties(cases):
    labels = [label for label, _ in cases]
    k = len(cases)
    scores = range(k)
    expected = (2 * mm.auc(labels, scores) - 1) * k / (2 * (k - 1))
    assert mm.taks(labels, scores) == close(expected)
    assert mm.abc(labels, scores) == close(mm.auc(labels, scores) - 0.5)


@given(
    positive=st.integers(-9, 9),
    negative=st.integers(-9, 9),
    P=st.integers(1, 5),
    N=st.integers(1, 5),
)
def test_berrar_one_score_per_class(positive, negative, P, N):
    # Sec. 3.4: taKS = 1, or -1 the wrong way round, whatever the two scores are.
    assume(positive != negative)
    expected = 1 if positive > negative else -1
    assert mm.taks(*of_classes([positive] * P, [negative] * N)) == expected


@pytest.mark.parametrize("scores", [range(6), [3, 3, 2, 2, 2, 1]])
def test_berrar_taks_of_random_rankings_is_zero_on_average(scores):
    # Sec. 3.4: over all ways in which two of six labels can fall.
    labels = [[i in chosen for i in range(6)] for chosen in combinations(range(6), 2)]
    block = mm.tabulate_lists(labels, [list(scores)] * len(labels))
    assert np.mean(mm.taks(block)) == close(0)


# ------------------------------------------------------------- Wu, Flach and Ferri 2007

WFF_M1 = cases_of("1.0+ 0.7+ 0.6+ 0.5- 0.4- 0.0-")
WFF_M2 = cases_of("1.0+ 0.9+ 0.6- 0.5+ 0.2- 0.0-")


@pytest.mark.parametrize(
    ("model", "auc", "drifted", "r_plus", "r_minus", "sauc"),
    [
        (WFF_M1, Fraction(1), Fraction(6, 9), "0.77", "0.3", "0.47"),
        (WFF_M2, Fraction(8, 9), Fraction(8, 9), "0.74", "0.2", "0.54"),
    ],
    ids=["M1", "M2"],
)
def test_wff_examples_1_and_2(model, auc, drifted, r_plus, r_minus, sauc):
    labels, scores = model
    assert mm.auc(*model) == close(auc)
    assert mm.sse(*model) == printed("0.66")
    assert mm.brier(*model) == printed("0.11")
    lowered = [s - 0.25 * y for y, s in zip(labels, scores, strict=True)]
    assert mm.auc(labels, lowered) == close(drifted)
    assert mm.margin_auc(*model, tau=0.25) == close(drifted)  # Definition 1, Fig. 1
    assert mm.r_plus(*model) == printed(r_plus)
    assert mm.r_minus(*model) == printed(r_minus)
    assert mm.scored_auc(*model) == printed(sauc)


def table_1(cases):
    """The AUC by the algorithm of Table 1."""
    total = c = 0
    for label, _ in cases:
        c, total = (c + 1, total) if label else (c, total + c)
    m = sum(label for label, _ in cases)
    return Fraction(total, m * (len(cases) - m))


def table_2(cases):
    """R+ and R- by the algorithm of Table 2."""
    over = under = r = c = 0.0
    for label, score in cases:
        if label:
            c, over = c + score, over + r
        else:
            r, under = r + score, under + c
    m = sum(label for label, _ in cases)
    size = m * (len(cases) - m)
    return under / size, (m * r - over) / size


@given(
    st.lists(st.tuples(st.booleans(), SCORES), min_size=2, max_size=12, unique_by=lambda c: c[1])
)
def test_wff_algorithms_without_ties(cases):
    labels, scores = columns(cases)
    assume(0 < sum(labels) < len(labels))
    cases = sorted(cases, key=lambda case: -case[1])
    assert mm.auc(labels, scores) == close(table_1(cases))
    r_plus, r_minus = table_2(cases)
    assert mm.r_plus(labels, scores) == close(r_plus)
    assert mm.r_minus(labels, scores) == close(r_minus)
    assert mm.scored_auc(labels, scores) == close(r_plus - r_minus)
    # Eqs. 2 and 3, and R+ and R-, by the ranks: positives numbered upwards, negatives downwards.
    rising = {score: rank for rank, (_, score) in enumerate(reversed(cases), 1)}
    falling = {score: rank for rank, (_, score) in enumerate(cases, 1)}
    ys = sorted(s for y, s in cases if y)
    xs = sorted((s for y, s in cases if not y), reverse=True)
    size = len(ys) * len(xs)
    by_row = [(rising[y] - i, y) for i, y in enumerate(ys, 1)]
    by_column = [(falling[x] - j, x) for j, x in enumerate(xs, 1)]
    assert mm.auc(labels, scores) == close(Fraction(sum(w for w, _ in by_row), size))
    assert mm.auc(labels, scores) == close(Fraction(sum(w for w, _ in by_column), size))
    assert r_plus == close(sum(w * y for w, y in by_row) / size)
    assert r_minus == close(sum(w * x for w, x in by_column) / size)


@given(CLASS, CLASS)
def test_wff_definition_1_and_theorem_1(ys, xs):
    case = of_classes(ys, xs)
    differences = [y - x for y, x in product(ys, xs)]
    steps = [0, *sorted({d for d in differences if d > 0}), 1]
    area = 0.0
    for begin, end in pairwise(steps):
        height = mm.margin_auc(*case, tau=begin)
        assert height == close(np.mean([d > begin for d in differences]))
        assert mm.margin_auc(*case, tau=(begin + end) / 2) == height
        area += (end - begin) * height
    assert mm.margin_auc(*case, tau=1) == 0
    assert mm.scored_auc(*case) == close(area)  # the area under the sROC curve
    assert mm.scored_auc(*case) == close(np.mean([max(d, 0) for d in differences]))
    if 0 not in differences:
        assert mm.margin_auc(*case, tau=0) == close(mm.auc(*case))


@given(CLASS, CLASS)
def test_wff_theorems_2_and_3(ys, xs):
    case = of_classes(ys, xs)
    auc, scored, gap = (m(*case) for m in (mm.auc, mm.scored_auc, mm.mean_gap))
    r_plus, r_minus = mm.r_plus(*case), mm.r_minus(*case)
    assert scored == close(r_plus - r_minus)
    assert gap == close(np.mean(ys) - np.mean(xs))
    assert r_plus <= np.mean(ys) + 1e-12
    assert r_minus <= np.mean(xs) + 1e-12
    assert gap <= scored + 1e-12
    assert scored <= auc + 1e-12


@given(CLASS, CLASS)
def test_wff_theorem_4_separated_scores(ys, xs):
    ys, xs = [0.5 + y / 2 for y in ys], [x / 4 for x in xs]
    case = of_classes(ys, xs)
    assert mm.mean_gap(*case) == close(mm.scored_auc(*case))
    assert mm.scored_auc(*case) <= mm.auc(*case) == 1


@given(st.integers(1, 6), st.integers(1, 6))
def test_wff_theorem_4_perfect_scores(m, n):
    case = of_classes([1.0] * m, [0.0] * n)
    assert mm.mean_gap(*case) == mm.scored_auc(*case) == mm.auc(*case) == 1


SUPPORT = st.lists(st.tuples(SCORES, st.integers(1, 4)), min_size=1, max_size=3)


@settings(deadline=None, max_examples=25)
@given(SUPPORT, SUPPORT, st.integers(1, 3), st.integers(1, 2))
def test_wff_theorem_5_unbiased(ys, xs, m, n):
    # The mean over all samples, each as often as its scores' weights say.
    samples = [(*a, *b) for a in product(ys, repeat=m) for b in product(xs, repeat=n)]
    chance = [math.prod(w for _, w in sample) for sample in samples]
    block = mm.tabulate_lists([1] * m + [0] * n, [[s for s, _ in sample] for sample in samples])
    expected = np.average(mm.scored_auc(block), weights=chance)
    # The integral over tau of P(y > x + tau) is the mean of the positive part of y - x.
    theta = np.average(
        [max(y - x, 0) for (y, _), (x, _) in product(ys, xs)],
        weights=[v * w for (_, v), (_, w) in product(ys, xs)],
    )
    assert expected == close(theta)


# ----------------------------------------------------------------------- Wu and Flach 2005

WF05_M1 = cases_of("0.95+ 0.89- 0.86+ 0.84+ 0.15- 0.13- 0.10-")
WF05_M2 = cases_of("0.95+ 0.89- 0.20+ 0.16+ 0.15- 0.13- 0.10-")


def test_wf05_example_1():
    assert mm.auc(*WF05_M1) == mm.auc(*WF05_M2) == close(Fraction(10, 12))
    for threshold in (0.2100001, 0.3, 0.5, 0.8299999):
        for measure in (mm.precision, mm.accuracy):
            assert measure(*WF05_M1, threshold=threshold) > measure(*WF05_M2, threshold=threshold)
    for second, third in ((0.88, 0.87), (0.5, 0.3), (0.152, 0.151)):
        labels, scores = WF05_M1
        moved = [*scores[:2], second, third, *scores[4:]]
        assert mm.auc(labels, moved) == mm.auc(*WF05_M1)


@pytest.mark.parametrize(
    ("model", "r_plus", "r_minus", "sauc"),
    [(WF05_M1, "0.7417", "0.1692", "0.5725"), (WF05_M2, "0.4067", "0.1692", "0.2375")],
    ids=["M1", "M2"],
)
def test_wf05_example_2(model, r_plus, r_minus, sauc):
    assert mm.r_plus(*model) == printed(r_plus)
    assert mm.r_minus(*model) == printed(r_minus)
    assert mm.scored_auc(*model) == printed(sauc)


def wf05_table_1(cases):
    """R+ and R-, which both are the AUC."""
    positives = sum(label for label, _ in cases)
    negatives = len(cases) - positives
    plus = minus = seen_plus = seen_minus = 0
    for label, _ in cases:
        if label:
            minus += negatives - seen_minus
            seen_plus += 1
        else:
            seen_minus += 1
            plus += seen_plus
    return Fraction(plus, positives * negatives), Fraction(minus, positives * negatives)


def wf05_table_2(cases):
    """R_s+ and R_s-."""
    positives = sum(label for label, _ in cases)
    size = positives * (len(cases) - positives)
    all_minus = sum(score for label, score in cases if not label)
    plus = minus = seen_plus = seen_minus = 0.0
    for label, score in cases:
        if label:
            minus += all_minus - seen_minus
            seen_plus += score
        else:
            seen_minus += score
            plus += seen_plus
    return plus / size, minus / size


@given(
    st.lists(st.tuples(st.booleans(), SCORES), min_size=2, max_size=12, unique_by=lambda c: c[1])
)
def test_wf05_algorithms_without_ties(cases):
    labels, scores = columns(cases)
    assume(0 < sum(labels) < len(labels))
    cases = sorted(cases, key=lambda case: -case[1])
    assert wf05_table_1(cases) == (close(mm.auc(labels, scores)),) * 2
    plus, minus = wf05_table_2(cases)
    assert mm.r_plus(labels, scores) == close(plus)
    assert mm.r_minus(labels, scores) == close(minus)
    assert mm.scored_auc(labels, scores) == close(plus - minus)


@given(st.integers(1, 5), st.integers(1, 5))
def test_wf05_lemma_1(positives, negatives):
    case = of_classes([1] * positives, [0] * negatives)
    values = [m(*case) for m in (mm.r_minus, mm.r_plus, mm.scored_auc, mm.auc)]
    assert values == [0, 1, 1, 1]


@given(st.lists(SCORES, min_size=2, max_size=12, unique=True), st.data())
def test_wf05_lemma_2(scores, data):
    lowest = data.draw(st.sampled_from(sorted(scores)[1:]))
    xs, ys = [s for s in scores if s >= lowest], [s for s in scores if s < lowest]
    case = of_classes(xs, ys)
    assert mm.scored_auc(*case) == close(np.mean(xs) - np.mean(ys))
    assert mm.mean_gap(*case) == close(mm.scored_auc(*case))


# Theorems 1 and 2 of 2005 are the two parts of Theorem 3 of 2007, tested there.


# ---------------------------------------------------------------------------- Xie 2022

TP, FN, FP, TN = 8, 2, 6, 24
CONFUSION = mm.ScoreTable([0.9, 0.1], pos=[TP, FN], neg=[FP, TN])


@pytest.mark.parametrize(
    ("equation", "name", "right"),
    [
        (2, "error_rate", Fraction(FP + FN, 40)),
        (3, "tpr", Fraction(8, 10)),
        (4, "fpr", Fraction(6, 30)),
        (5, "tnr", Fraction(24, 30)),
        (6, "fnr", Fraction(2, 10)),
        (6, "hit_rate", Fraction(8, 10)),
        (6, "false_alarm_rate", Fraction(6, 30)),
        (6, "fall_out", Fraction(6, 30)),
        (7, "type_1_error", Fraction(6, 30)),
        (8, "type_2_error", Fraction(2, 10)),
        (9, "sensitivity", Fraction(8, 10)),
        (10, "specificity", Fraction(24, 30)),
        (11, "lr_plus", Fraction(8, 10) / (1 - Fraction(24, 30))),
        (12, "lr_minus", (1 - Fraction(8, 10)) / Fraction(24, 30)),
        (13, "precision", Fraction(8, 14)),
        (13, "ppv", Fraction(8, 14)),
        (13, "npv", Fraction(24, 26)),
        (13, "fdr", 1 - Fraction(8, 14)),
        (14, "recall", Fraction(8, 10)),
        (15, "f1", 2 * Fraction(8, 14) * Fraction(8, 10) / (Fraction(8, 14) + Fraction(8, 10))),
        (15, "f_measure(alpha=3)", 4 * Fraction(8, 14) * Fraction(8, 10)
         / (3 * Fraction(8, 14) + Fraction(8, 10))),
        (19, "skew_accuracy", Fraction(8 + 24, 40)),
        (20, "skew_precision", Fraction(8, 10) / (Fraction(8, 10) + 3 * Fraction(6, 30))),
    ],
)  # fmt: skip
def test_xie_measures_of_a_confusion_matrix(equation, name, right):
    assert mm.parse(name)(CONFUSION) == close(right)


@given(LISTS, ANY_SCORE)
def test_xie_equation_1(cases, threshold):
    # The matrix counts cases by true class and assigned class; its margins and diagonal follow.
    labels, scores = columns(cases)
    cut = mm.tabulate(labels, scores).at(Point("threshold", threshold))
    c = np.zeros((2, 2))
    for label, score in cases:
        c[int(label), int(score >= threshold)] += 1
    assert [[cut.tn, cut.fp], [cut.fn, cut.tp]] == c.tolist()
    assert c.sum(axis=1).tolist() == [cut.N, cut.P]
    assert mm.accuracy(labels, scores, threshold=threshold) == close(np.trace(c) / c.sum())


XIE_LIST = ranked("++-+--+---")  # precision 1, 1, 2/3, 3/4, 3/5, 3/6, 4/7, ...


def test_xie_precision_at_k():
    values = [mm.precision(*XIE_LIST, k=k) for k in range(1, 11)]
    found = [1, 2, 2, 3, 3, 3, 4, 4, 4, 4]
    assert values == [close(Fraction(f, k)) for k, f in enumerate(found, 1)]


def test_xie_equation_16_average_precision():
    right = (1 + 1 + Fraction(3, 4) + Fraction(4, 7)) / 4
    assert mm.average_precision(*XIE_LIST) == close(right)


def test_xie_equation_17_interpolated_precision():
    # The highest precision at this recall or a higher one: 1 up to 1/2, 3/4 up to 3/4, 4/7 at 1.
    best = [1, 1, Fraction(3, 4), Fraction(4, 7)]
    assert mm.average_precision(*XIE_LIST, interpolation="max") == close(sum(best) / 4)
    levels = [1] * 6 + [Fraction(3, 4)] * 2 + [Fraction(4, 7)] * 3  # recalls 0, 0.1, ..., 1
    value = mm.average_precision(*XIE_LIST, interpolation="11_point")
    assert value == close(sum(levels) / 11)
    # It matters where precision rises again.
    rising = ranked("+-++")
    assert mm.average_precision(*rising) == close((1 + Fraction(2, 3) + Fraction(3, 4)) / 3)
    assert mm.average_precision(*rising, interpolation="max") == close(Fraction(5, 6))


def test_xie_equation_18_mean_average_precision():
    queries = [ranked("++-+--+---"), ranked("-+-+"), ranked("+--")]
    right = [(1 + 1 + Fraction(3, 4) + Fraction(4, 7)) / 4, Fraction(1, 2), Fraction(1)]
    assert np.mean([mm.average_precision(*q) for q in queries]) == close(sum(right) / 3)


def algorithm_1(cases):
    """The points of the ROC curve, increasing by false positive rate."""
    P = sum(label for label, _ in cases)
    N = len(cases) - P
    tp = fp = 0
    points, previous = [], -math.inf
    for label, score in sorted(cases, key=lambda case: -case[1]):
        if score != previous:
            points.append((fp / N, tp / P))
            previous = score
        tp, fp = tp + label, fp + (not label)
    return [*points, (fp / N, tp / P)]


@given(LISTS)
def test_xie_algorithm_1(cases):
    table = mm.tabulate(*columns(cases))
    assert list(zip(table.fpr, table.tpr, strict=True)) == algorithm_1(cases)


def trapezoid_area(x1, x2, y1, y2):
    return Fraction(abs(x1 - x2) * (y1 + y2), 2)


def algorithm_2(cases):
    """The area under the ROC curve, with P for N as the third argument of line 21."""
    P = sum(label for label, _ in cases)
    N = len(cases) - P
    tp = fp = tp_previous = fp_previous = 0
    area, previous = Fraction(0), -math.inf
    for label, score in sorted(cases, key=lambda case: -case[1]):
        if score != previous:
            area += trapezoid_area(fp, fp_previous, tp, tp_previous)
            previous, fp_previous, tp_previous = score, fp, tp
        tp, fp = tp + label, fp + (not label)
    area += trapezoid_area(N, fp_previous, P, tp_previous)
    return area / (P * N)


@given(LISTS)
def test_xie_algorithm_2(cases):
    assert mm.auc(*columns(cases)) == close(algorithm_2(cases))


@given(LISTS)
def test_xie_summary_statistics(cases):
    # Sec. 2.6: the area above the diagonal, Gini, and the Wilcoxon rank sum (Eq. 21, mid-ranks).
    labels, scores = columns(cases)
    auc = mm.auc(labels, scores)
    assert mm.area_above_diagonal(labels, scores) == close(auc - 0.5)
    assert auc == close((mm.gini(labels, scores) + 1) / 2)
    m = sum(labels)
    ranks = [sum((t < s) + (t == s) / 2 for t in scores) + 0.5 for y, s in cases if y]
    assert auc == close((sum(ranks) - m * (m + 1) / 2) / (m * (len(labels) - m)))


def test_xie_intercept_with_the_descending_diagonal():
    # Sec. 2.6: M2 of Wu, Flach and Ferri has the ROC point (1/3, 2/3); a random curve meets at 1/2.
    assert mm.antidiagonal_intercept(*WFF_M2) == close(Fraction(2, 3))
    assert mm.equal_error_rate(*WFF_M2) == close(Fraction(1, 3))
    assert mm.antidiagonal_intercept([1, 0, 0], [0.5] * 3) == 0.5


def test_xie_same_score_for_all():
    # Sec. 2.6: the diagonal, AUC 1/2; a perfect ranking has 1.
    assert mm.auc([1, 0, 0], [0.5] * 3) == 0.5
    assert mm.auc(*WFF_M1) == 1


@given(LISTS)
def test_xie_calibration_by_isotonic_regression(cases):
    # Sec. 2.7: mapped to the slopes of the hull, scores have no concavity left and are calibrated.
    from scipy.optimize import isotonic_regression

    labels, scores = columns(cases)
    levels, level = np.unique(scores, return_inverse=True)
    size = np.bincount(level)
    share = np.bincount(level, weights=np.array(labels, dtype=float)) / size
    calibrated = np.round(isotonic_regression(share, weights=size).x, 12)[level]
    assert len(levels) == mm.tabulate(labels, scores).distinct
    assert mm.auc(labels, calibrated) == close(mm.auch(labels, scores))
    assert mm.auch(labels, calibrated) == close(mm.auch(labels, scores))
    assert mm.miscalibration(labels, calibrated) == pytest.approx(0, abs=1e-9)


@given(LISTS)
def test_xie_lift_chart(cases):
    # Sec. 3.2: true positives against the number of cases taken, ties aside.
    labels = [label for label, _ in cases]
    scores = range(len(labels), 0, -1)
    for taken in range(1, len(labels) + 1):
        true_positives = mm.tpr(labels, scores, k=taken) * sum(labels)
        assert true_positives == close(sum(labels[:taken]))


# --------------------------------------------------------------------------- Huang 2006


def test_huang_table_1_1():
    # The signs of the list are lost, but the text says enough: 4 + 6 cases, the cut in the middle;
    # accuracy 7/10, recall 3/4; precision equals recall with the cut below the four highest cases.
    lists = 0
    for bottom, top in product(range(5), range(4)):
        lowest_first = ["-"] * 6 + ["+"] * 4
        lowest_first[6 + top] = "-"
        lowest_first[bottom] = "+"
        case = ranked("".join(reversed(lowest_first)))
        assert mm.accuracy(*case, k=5) == close(Fraction(7, 10))
        assert mm.precision(*case, k=5) == close(Fraction(3, 5))
        assert mm.recall(*case, k=5) == close(Fraction(3, 4))
        assert mm.f1(*case, k=5) == close(Fraction(2, 3))
        assert mm.precision(*case, top=0.5) == close(Fraction(3, 5))  # what he calls lift
        assert mm.break_even_point(*case) == close(Fraction(3, 4))
        assert mm.precision(*case, k=4) == mm.recall(*case, k=4)
        lists += 1
    assert lists == 20


HUANG_1_2 = cases_of("0.20- 0.39- 0.44- 0.57- 0.60+ 0.65- 0.73+ 0.81+ 0.88+ 0.90+")


def test_huang_table_1_2():
    ranks = [5, 7, 8, 9, 10]
    assert mm.auc(*HUANG_1_2) == close(Fraction(24, 25))
    assert Fraction(sum(ranks) - 5 * 6 // 2, 25) == Fraction(24, 25)  # Eq. 1.1
    assert Fraction(sum(r - i for i, r in enumerate(ranks, 1)), 25) == Fraction(24, 25)  # Eq. 1.2
    assert mm.apr(*HUANG_1_2) == printed("0.967")  # Eq. 1.5
    assert mm.softened_auc(*HUANG_1_2) == printed(
        "0.336"
    )  # Eq. 1.4; 0.2256 is printed, see the errata


def test_huang_probability_measures():
    # Sec. 1.1.3, with the labels as true probabilities.
    labels, scores = HUANG_1_2
    squares = [(y - s) ** 2 for y, s in zip(labels, scores, strict=True)]
    surprise = [-math.log(s if y else 1 - s) for y, s in zip(labels, scores, strict=True)]
    assert mm.rms(*HUANG_1_2) == close(math.sqrt(sum(squares) / 10))
    assert mm.mxe(*HUANG_1_2) == close(sum(surprise) / 10)


@pytest.mark.parametrize(
    ("lowest_first", "auc", "accuracy"),
    [
        ("---++--+++", Fraction(21, 25), "0.60"),  # Table 3.1, a
        ("+----++++-", Fraction(16, 25), "0.80"),  # Table 3.1, b
        ("--++-++--+", Fraction(3, 5), "0.60"),  # Table 3.2, a, and Table 3.3, a
        ("--+++--+-+", Fraction(3, 5), "0.40"),  # Table 3.2, b
        ("--++-+-++-", Fraction(3, 5), "0.60"),  # Table 3.3, b
    ],
)
def test_huang_tables_3_1_to_3_3(lowest_first, auc, accuracy):
    # A few signs are illegible in the text at hand; the printed values leave one choice.
    case = ranked(lowest_first[::-1])
    assert mm.auc(*case) == close(auc)
    assert mm.accuracy(*case, k=5) == printed(accuracy)


def test_huang_table_4_5():
    true = [k / 10 for k in range(1, 11)]
    perturbed = [0.0, 0.15, 0.6, 0.5, 0.95, 0.2, 0.65, 0.7, 1.0, 0.4]
    labels = [p > 0.5 for p in true]
    auc = mm.auc(labels, perturbed)
    # Positive is what exceeds 0.5 in the table; in the library, what reaches the threshold.
    accuracy = mm.accuracy(labels, perturbed, threshold=math.nextafter(0.5, 1))
    assert auc == printed("0.68")
    assert accuracy == printed("0.6")
    assert mm.accuracy(labels, perturbed, k=5) == accuracy
    assert auc + accuracy / 100 == printed("0.686")
    weight = math.sqrt(2) / 2
    assert weight * auc + (1 - weight) * accuracy == printed("0.657")
    # The RMS to true probabilities: both outcomes of each case, with their probabilities.
    outcomes = [1] * 10 + [0] * 10
    weights = [*true, *(1 - p for p in true)]
    brier = mm.brier(outcomes, perturbed * 2, sample_weight=weights)
    unavoidable = sum(p * (1 - p) for p in true) / 10
    assert math.sqrt(brier - unavoidable) == printed("0.293")
