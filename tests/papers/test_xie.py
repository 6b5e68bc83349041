"""The definitions, equations and algorithms of Xie (2022), one test each, in the paper's order.

Each formula stands in its test as the paper has it, in fractions. Where the paper is wrong it is
the right one, and the test says so; test_errata.py computes what is printed.
"""

import math
from fractions import Fraction
from itertools import chain, groupby, pairwise, permutations, product

import pytest

import metameasure as mm


def close(right):
    """Equal to a fraction, or to each of a list, but for rounding."""
    if isinstance(right, list):
        return pytest.approx([float(value) for value in right], rel=0, abs=1e-12)
    return pytest.approx(float(right), rel=0, abs=1e-12)


def mean(values):
    values = list(values)
    return Fraction(sum(values), len(values))


def read(text):
    """The cases of a list like "0.9+ 0.8-": whether each is positive, and its score."""
    return [(word.endswith("+"), Fraction(word[:-1])) for word in text.split()]


def columns(cases):
    """Labels and scores, as the library takes them."""
    return [label for label, _ in cases], [float(score) for _, score in cases]


def sizes(cases):
    """The numbers of positives and of negatives."""
    positives = sum(label for label, _ in cases)
    return positives, len(cases) - positives


# The classes differ in size in every list. The last two have ties within and between the classes,
# FEW one at the end of the list.
UNTIED = read("0.9+ 0.8- 0.7+ 0.6- 0.5- 0.4+ 0.3- 0.2-")
TIED = read("0.9+ 0.7- 0.7+ 0.7+ 0.5- 0.5- 0.5+ 0.3- 0.2+")
FEW = read("0.8- 0.6+ 0.6- 0.4- 0.4- 0.1+ 0.1- 0.1-")

of_lists = pytest.mark.parametrize("cases", [UNTIED, TIED, FEW], ids=["untied", "tied", "few"])

# The second and the third threshold fall on a tie.
of_decisions = pytest.mark.parametrize(
    ("cases", "threshold"),
    [(UNTIED, Fraction("0.55")), (TIED, Fraction("0.7")), (FEW, Fraction("0.6"))],
    ids=["untied", "tied", "few"],
)

# True and predicted classes, case by case.
of_classes = pytest.mark.parametrize(
    ("true", "predicted"),
    [("aaaaaabbbcc", "aaaabcbbcca"), ("aaabbbbbbcdddd", "abdbbbacdcbddc")],
    ids=["three", "four"],
)


def decisions(cases, threshold):
    """TP, FP, FN and TN, as Sec. 1 counts them; positive is f(x) >= t (Sec. 2.5)."""
    return [
        sum(label is truth and (score >= threshold) is assigned for label, score in cases)
        for truth, assigned in ((True, True), (False, True), (True, False), (False, False))
    ]


def confusion(true, predicted):
    """The matrix c of Eq. 1, with rows and columns by class."""
    classes = sorted(set(true))
    cases = list(zip(true, predicted, strict=True))
    return {i: {j: sum(y == i and f == j for y, f in cases) for j in classes} for i in classes}


def check_decision(name, cases, threshold, right):
    """The measure of labels and scores, and that of the confusion matrix."""
    labels, scores = columns(cases)
    assert mm.parse(name)(labels, scores, threshold=float(threshold)) == close(right)
    assert mm.ConfusionMatrix.at(labels, scores, float(threshold)).measure(name) == close(right)


def check_class(name, true, predicted, right):
    """The measure of every class i, where ``right`` is its formula in i and c."""
    c = confusion(true, predicted)
    matrix = mm.ConfusionMatrix.of(list(true), list(predicted))
    assert [matrix.measure(name, label=i) for i in c] == close([right(i, c) for i in c])


# --------------------------------------------------- 1 Confusion table and its measures


@of_classes
def test_equation_1_confusion_matrix(true, predicted):
    c = confusion(true, predicted)
    matrix = mm.ConfusionMatrix.of(list(true), list(predicted))
    assert matrix.labels == tuple(c)
    assert matrix.counts.tolist() == [list(row.values()) for row in c.values()]
    assert matrix.true_totals.tolist() == [sum(c[i].values()) for i in c]
    assert matrix.predicted_totals.tolist() == [sum(c[i][j] for i in c) for j in c]
    diagonal = sum(c[i][i] for i in c)
    assert matrix.measure("accuracy") == close(Fraction(diagonal, len(true)))


@of_classes
def test_equation_2_error_rate(true, predicted):
    c = confusion(true, predicted)
    wrong = sum(c[i][j] for i, j in product(c, c) if i != j)
    right = Fraction(wrong, sum(c[i][j] for i, j in product(c, c)))
    matrix = mm.ConfusionMatrix.of(list(true), list(predicted))
    assert matrix.measure("error_rate") == close(right)


@of_decisions
def test_equation_2_error_rate_of_two_classes(cases, threshold):
    TP, FP, FN, TN = decisions(cases, threshold)
    check_decision("error_rate", cases, threshold, Fraction(FP + FN, TP + FP + FN + TN))


@of_decisions
def test_figure_1_confusion_table(cases, threshold):
    TP, FP, FN, TN = decisions(cases, threshold)
    matrix = mm.ConfusionMatrix.at(*columns(cases), float(threshold))
    assert matrix.counts.tolist() == [[TN, FP], [FN, TP]]
    cut = matrix.binary(label=True)
    assert (cut.tp, cut.fp, cut.fn, cut.tn) == (TP, FP, FN, TN)
    assert (cut.P, cut.N) == (TP + FN, FP + TN) == sizes(cases)


@of_decisions
def test_equation_3_true_positive_rate(cases, threshold):
    TP, _, FN, _ = decisions(cases, threshold)
    check_decision("tpr", cases, threshold, Fraction(TP, TP + FN))


@of_classes
def test_equation_3_true_positive_rate_of_a_class(true, predicted):
    check_class("tpr", true, predicted, lambda i, c: Fraction(c[i][i], sum(c[i][j] for j in c)))


@of_decisions
def test_equation_4_false_positive_rate(cases, threshold):
    _, FP, _, TN = decisions(cases, threshold)
    check_decision("fpr", cases, threshold, Fraction(FP, FP + TN))


@of_classes
def test_equation_4_false_positive_rate_of_a_class(true, predicted):
    def right(i, c):
        others = [j for j in c if j != i]
        return Fraction(sum(c[j][i] for j in others), sum(c[j][k] for j in others for k in c))

    check_class("fpr", true, predicted, right)


@of_decisions
def test_equation_5_true_negative_rate(cases, threshold):
    _, FP, _, TN = decisions(cases, threshold)
    check_decision("tnr", cases, threshold, Fraction(TN, FP + TN))


@of_decisions
def test_equation_6_false_negative_rate(cases, threshold):
    TP, _, FN, _ = decisions(cases, threshold)
    check_decision("fnr", cases, threshold, Fraction(FN, TP + FN))


@of_decisions
def test_section_1_hit_rate_false_alarm_rate_and_fallout(cases, threshold):
    TP, FP, FN, TN = decisions(cases, threshold)
    check_decision("hit_rate", cases, threshold, Fraction(TP, TP + FN))
    check_decision("false_alarm_rate", cases, threshold, Fraction(FP, FP + TN))
    check_decision("fall_out", cases, threshold, Fraction(FP, FP + TN))


@of_decisions
def test_equation_7_type_1_error(cases, threshold):
    # The null hypothesis is "negative", and it is rejected where the decision is "positive".
    rejected = [score >= threshold for label, score in cases if not label]
    check_decision("type_1_error", cases, threshold, mean(rejected))


@of_decisions
def test_equation_8_type_2_error(cases, threshold):
    not_rejected = [not score >= threshold for label, score in cases if label]
    check_decision("type_2_error", cases, threshold, mean(not_rejected))


@of_decisions
def test_equation_9_sensitivity(cases, threshold):
    TP, _, FN, _ = decisions(cases, threshold)
    check_decision("sensitivity", cases, threshold, Fraction(TP, TP + FN))


@of_decisions
def test_equation_10_specificity(cases, threshold):
    _, FP, _, TN = decisions(cases, threshold)
    right = Fraction(TN, FP + TN)
    check_decision("specificity", cases, threshold, right)
    check_decision("fpr", cases, threshold, 1 - right)


@of_decisions
def test_equation_11_positive_likelihood_ratio(cases, threshold):
    # Erratum 7: of the alternative to the null hypothesis, not the other way round.
    TP, FP, FN, TN = decisions(cases, threshold)
    sensitivity, specificity = Fraction(TP, TP + FN), Fraction(TN, FP + TN)
    check_decision("lr_plus", cases, threshold, sensitivity / (1 - specificity))
    assert mm.lr_plus.best == "max"


@of_decisions
def test_equation_12_negative_likelihood_ratio(cases, threshold):
    TP, FP, FN, TN = decisions(cases, threshold)
    sensitivity, specificity = Fraction(TP, TP + FN), Fraction(TN, FP + TN)
    check_decision("lr_minus", cases, threshold, (1 - sensitivity) / specificity)
    assert mm.lr_minus.best == "min"


@of_decisions
def test_equation_13_precision(cases, threshold):
    TP, FP, _, _ = decisions(cases, threshold)
    check_decision("precision", cases, threshold, Fraction(TP, TP + FP))
    check_decision("ppv", cases, threshold, Fraction(TP, TP + FP))


@of_classes
def test_equation_13_precision_of_a_class(true, predicted):
    def right(i, c):
        return Fraction(c[i][i], sum(c[j][i] for j in c))

    check_class("precision", true, predicted, right)


@of_decisions
def test_section_1_negative_predictive_value(cases, threshold):
    # The same quantity with the classes exchanged: of the cases called negative, those that are.
    called = [not label for label, score in cases if not score >= threshold]
    check_decision("npv", cases, threshold, mean(called))


@of_decisions
def test_section_1_false_discovery_rate(cases, threshold):
    TP, FP, _, _ = decisions(cases, threshold)
    right = Fraction(FP, TP + FP)
    assert right == 1 - Fraction(TP, TP + FP)
    check_decision("fdr", cases, threshold, right)


@of_decisions
def test_equation_14_recall(cases, threshold):
    TP, _, FN, _ = decisions(cases, threshold)
    check_decision("recall", cases, threshold, Fraction(TP, TP + FN))


@of_decisions
@pytest.mark.parametrize("alpha", [Fraction(1, 4), Fraction(1), Fraction(3)], ids=str)
def test_equation_15_f_measure(cases, threshold, alpha):
    # Erratum 6: alpha is the square of the usual beta.
    TP, FP, FN, _ = decisions(cases, threshold)
    precision, recall = Fraction(TP, TP + FP), Fraction(TP, TP + FN)
    right = (1 + alpha) * (precision * recall) / (alpha * precision + recall)
    check_decision(f"f_measure(alpha={float(alpha)})", cases, threshold, right)
    check_decision(f"f_measure(beta={float(alpha) ** 0.5!r})", cases, threshold, right)


@of_decisions
def test_equation_15_f_1(cases, threshold):
    TP, FP, FN, _ = decisions(cases, threshold)
    precision, recall = Fraction(TP, TP + FP), Fraction(TP, TP + FN)
    check_decision("f1", cases, threshold, 2 * (precision * recall) / (precision + recall))


def best_first(cases):
    """The ties of the list, from the highest score to the lowest."""
    ordered = sorted(cases, key=lambda case: case[1], reverse=True)
    return [list(tie) for _, tie in groupby(ordered, key=lambda case: case[1])]


def orders(cases):
    """The labels from the best rank to the worst, for every order that the scores allow."""
    for order in product(*map(permutations, best_first(cases))):
        yield [label for label, _ in chain.from_iterable(order)]


@of_lists
def test_section_1_precision_at_k(cases):
    # The paper has no ties; in one, the order is random and the precision its expectation.
    for k in range(1, len(cases) + 1):
        right = mean(Fraction(sum(labels[:k]), k) for labels in orders(cases))
        assert mm.precision(*columns(cases), k=k) == close(right)
        assert mm.precision_at(*columns(cases), k=k) == close(right)


def points(cases):
    """Recall and precision at every threshold, from the highest score to the lowest."""
    thresholds = sorted({score for _, score in cases}, reverse=True)
    rows = [decisions(cases, threshold) for threshold in thresholds]
    return [(Fraction(TP, TP + FN), Fraction(TP, TP + FP)) for TP, FP, FN, _ in rows]


def average_precision(cases):
    """The sum of Eq. 16; erratum 5: a cut-off inside a tie is moved to its end."""
    total, k, found = Fraction(0), 0, 0
    for tie in best_first(cases):
        k += len(tie)
        found += sum(label for label, _ in tie)
        total += sum(Fraction(found, k) for label, _ in tie if label)
    return total / sizes(cases)[0]


@of_lists
def test_equation_16_average_precision(cases):
    right = average_precision(cases)
    assert mm.average_precision(*columns(cases)) == close(right)
    # The integral of p(r), where the curve between two recalls has the precision of the second.
    curve = [(Fraction(0), None), *points(cases)]
    assert sum((r1 - r0) * p1 for (r0, _), (r1, p1) in pairwise(curve)) == right


def interpolated_precision(cases, r):
    """Eq. 17."""
    return max(p for recall, p in points(cases) if recall >= r)


# Ten positives, so that recalls and the eleven levels are the same tenths.
TENTHS = read("1+ .99- .98+ .97+ .96- .95- .94+ .93+ .92- .91+ .9+ .9+ .9- .8- .7+ .6- .5- .4+")
interpolated = pytest.mark.parametrize(
    "cases", [UNTIED, TIED, FEW, TENTHS], ids=["untied", "tied", "few", "tenths"]
)


@interpolated
def test_equation_17_interpolated_precision(cases):
    # Its integral; between two recalls it is constant.
    recalls = sorted({Fraction(0), *(recall for recall, _ in points(cases))})
    right = sum((b - a) * interpolated_precision(cases, b) for a, b in pairwise(recalls))
    for a, b in pairwise(recalls):
        middle = interpolated_precision(cases, (a + b) / 2)
        assert middle == interpolated_precision(cases, b)
    assert mm.average_precision(*columns(cases), interpolation="max") == close(right)


@interpolated
def test_section_1_11_point_interpolated_average_precision(cases):
    right = sum(interpolated_precision(cases, Fraction(level, 10)) for level in range(11)) / 11
    assert mm.average_precision(*columns(cases), interpolation="11_point") == close(right)


def test_equation_18_mean_average_precision():
    queries = {"first": UNTIED, "second": TIED, "third": FEW}
    right = sum(map(average_precision, queries.values())) / len(queries)
    labels, scores = columns(list(chain.from_iterable(queries.values())))
    query = list(chain.from_iterable([name] * len(cases) for name, cases in queries.items()))
    assert mm.map(labels, scores, group=query) == close(right)
    assert mm.mean_average_precision(labels, scores, group=query) == close(right)
    # Pooled, or weighed by the number of documents, it would be another number.
    assert mm.average_precision(labels, scores) != close(right)
    names, values = mm.mean_over("average_precision").values(labels, scores, group=query)
    assert values.tolist() == close([average_precision(queries[name]) for name in names])


# --------------------------------------------------- 2 Receiver operating characteristic


def rates(cases, threshold):
    """FPR and TPR."""
    TP, FP, FN, TN = decisions(cases, threshold)
    return Fraction(FP, FP + TN), Fraction(TP, TP + FN)


def check_rates(cases, threshold, right):
    labels, scores = columns(cases)
    found = [measure(labels, scores, threshold=float(threshold)) for measure in (mm.fpr, mm.tpr)]
    assert found == close(list(right))


@of_lists
def test_section_2_2_corners_of_the_roc_space(cases):
    check_rates(cases, Fraction(2), (0, 0))  # all are called negative
    check_rates(cases, Fraction(0), (1, 1))  # all are called positive
    ideal = [(label, Fraction(int(label))) for label, _ in cases]
    wrong = [(label, Fraction(int(not label))) for label, _ in cases]
    check_rates(ideal, Fraction(1, 2), (0, 1))
    check_rates(wrong, Fraction(1, 2), (1, 0))


@of_lists
@pytest.mark.parametrize("p", [Fraction(1, 4), Fraction(2, 3)], ids=str)
def test_section_2_2_random_classifiers_lie_on_the_ascending_diagonal(cases, p):
    # A coin that calls a share p of all cases positive, whatever they are.
    labels = [label for label, _ in cases]
    coin = [0.5] * len(labels)
    assert mm.tpr(labels, coin, top=float(p)) == close(p)
    assert mm.fpr(labels, coin, top=float(p)) == close(p)


@of_lists
def test_section_2_2_thresholds_between_two_scores_give_one_point(cases):
    # Erratum 9: n + 1 points at most. By Sec. 2.7, too, scores nobody has make no other point.
    scores = sorted({score for _, score in cases})
    seen = {rates(cases, Fraction(2))}
    for low, high in pairwise([Fraction(0), *scores]):
        seen.add(rates(cases, high))
        for threshold in (low + (high - low) / 3, low + (high - low) * 2 / 3, high):
            check_rates(cases, threshold, rates(cases, high))
    assert len(seen) == len(scores) + 1 <= len(cases) + 1
    table = mm.tabulate(*columns(cases))
    assert len(set(zip(table.fpr, table.tpr, strict=True))) == len(seen)


@of_decisions
def test_section_2_2_likelihood_ratios_are_slopes_in_the_roc_space(cases, threshold):
    # LR+ is the slope of the line from (0, 0) to the point, LR- of that from the point to (1, 1).
    FPR, TPR = rates(cases, threshold)
    check_decision("lr_plus", cases, threshold, TPR / FPR)
    check_decision("lr_minus", cases, threshold, (1 - TPR) / (1 - FPR))


def roc(cases):
    """The points of the curve with their thresholds."""
    thresholds = [Fraction(2), *sorted({score for _, score in cases}, reverse=True)]
    return [(*rates(cases, threshold), threshold) for threshold in thresholds]


def accuracy(FPR, TPR, r):
    """Eq. 19, as erratum 1 corrects it."""
    return (TPR + r * (1 - FPR)) / (1 + r)


def convex_hull(cases):
    """Sec. 2.4: the points that alone are optimal for some skew ratio, and both ends."""
    curve = roc(cases)
    # Two points change their order at the slope of the line between them.
    slopes = {(b[1] - a[1]) / (b[0] - a[0]) for a in curve for b in curve if b[0] > a[0]}
    edges = [Fraction(0), *sorted(slopes - {0}), max(slopes) + 2]
    kept = {curve[0], curve[-1]}
    for r in [(low + high) / 2 for low, high in pairwise(edges)]:
        best = max(accuracy(*point[:2], r) for point in curve)
        optimal = [point for point in curve if accuracy(*point[:2], r) == best]
        assert len(optimal) == 1
        kept.update(optimal)
    return sorted(kept, key=lambda point: point[:2])


@of_lists
def test_section_2_2_cost_ratio(cases):
    # The slope of a line that touches the curve; with N negatives to P positives that is N/P times
    # the ratio of the costs of a false and a missed positive, which the paper leaves out.
    P, N = sizes(cases)
    labels, scores = columns(cases)
    touched = 0
    for (x0, y0, first), (x1, y1, second) in pairwise(convex_hull(cases)):
        if x0 == x1:
            continue
        slope = (y1 - y0) / (x1 - x0)
        ratio = slope * P / N
        c = 1 / (1 + ratio)  # the cost of a missed positive, both costs adding up to 1
        right = [(c * P * (1 - y) + (1 - c) * N * x) / (P + N) for x, y in ((x0, y0), (x1, y1))]
        found = [
            mm.expected_cost(labels, scores, c=float(c), threshold=float(threshold))
            for threshold in (first, second)
        ]
        assert right[0] == right[1]
        assert found == close(right)
        assert mm.minimum_cost(labels, scores, c=float(c)) == close(right[0])
        touched += 1
    assert touched


@of_decisions
def test_section_2_3_roc_curves_are_insensitive_to_class_skew(cases, threshold):
    more = [case for case in cases for _ in range(1 if case[0] else 3)]
    before, after = (mm.tabulate(*columns(some)) for some in (cases, more))
    for rate in ("fpr", "tpr"):
        assert getattr(after, rate).tolist() == close(getattr(before, rate).tolist())
    assert mm.auc(after) == close(float(mm.auc(before)))
    # Accuracy, empirical risk and the F measure are not.
    TP, FP, FN, TN = decisions(cases, threshold)
    n = TP + 3 * FP + FN + 3 * TN
    for name, old, new in (
        ("accuracy", Fraction(TP + TN, len(cases)), Fraction(TP + 3 * TN, n)),
        ("error_rate", Fraction(FP + FN, len(cases)), Fraction(3 * FP + FN, n)),
        ("f1", Fraction(2 * TP, 2 * TP + FP + FN), Fraction(2 * TP, 2 * TP + 3 * FP + FN)),
    ):
        assert old != new
        check_decision(name, cases, threshold, old)
        check_decision(name, more, threshold, new)


SKEWS = [None, Fraction(1, 2), Fraction(1), Fraction(5)]


def skew(cases, r):
    """The skew ratio of Sec. 2.4 if none is given."""
    P, N = sizes(cases)
    return Fraction(N, P) if r is None else r


def with_skew(name, r):
    return name if r is None else f"{name}(r={float(r)})"


@of_decisions
@pytest.mark.parametrize("r", SKEWS, ids=str)
def test_equation_19_skew_sensitive_accuracy(cases, threshold, r):
    # Erratum 1: r_s (1 - FPR), not (1 - r_s) FPR; erratum 8: r_s = N/P, above 1 for few positives.
    right = accuracy(*rates(cases, threshold), skew(cases, r))
    check_decision(with_skew("skew_accuracy", r), cases, threshold, right)
    if r is None:
        check_decision("accuracy", cases, threshold, right)


@of_decisions
@pytest.mark.parametrize("r", SKEWS, ids=str)
def test_equation_20_precision_by_rates(cases, threshold, r):
    FPR, TPR = rates(cases, threshold)
    right = TPR / (TPR + skew(cases, r) * FPR)
    check_decision(with_skew("skew_precision", r), cases, threshold, right)
    if r is None:
        check_decision("precision", cases, threshold, right)


@pytest.mark.parametrize("precision", [Fraction(1, 5), Fraction(2, 3)], ids=str)
@pytest.mark.parametrize("r", SKEWS[1:], ids=str)
def test_section_2_4_isoprecision_line(precision, r):
    checked = 0
    for FPR in (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2)):
        TPR = r * precision / (1 - precision) * FPR
        if TPR > 1:
            continue
        balanced, skewed = (
            mm.ConfusionMatrix(
                [[float(n * (1 - FPR)), float(n * FPR)], [float(1 - TPR), float(TPR)]],
                labels=[0, 1],
            )
            for n in (1, r)
        )
        assert balanced.measure(f"skew_precision(r={float(r)})") == close(precision)
        assert skewed.measure("precision") == close(precision)
        checked += 1
    assert checked


@of_lists
@pytest.mark.parametrize("r", SKEWS, ids=str)
def test_section_2_4_optimal_point_by_sliding_an_isoaccuracy_line(cases, r):
    # The line, by erratum 2, is TPR = r FPR + (1 + r) Acc - r: the highest intercept is touched.
    r_s = skew(cases, r)
    intercept = max(TPR - r_s * FPR for FPR, TPR, _ in roc(cases))
    # Where it meets TPR = 1 - FPR the accuracy is read (for accuracy only, erratum 10).
    read_off = (r_s + intercept) / (1 + r_s)
    assert read_off == max(accuracy(FPR, TPR, r_s) for FPR, TPR, _ in roc(cases))
    measure = mm.parse(with_skew("skew_accuracy", r))
    labels, scores = columns(cases)
    values = [measure(labels, scores, threshold=float(threshold)) for *_, threshold in roc(cases)]
    assert max(values) == close(read_off)
    # The same point has the lowest cost, where both errors cost the same and pi = 1/(1 + r).
    lowest = mm.minimum_cost(labels, scores, c=0.5, prior=float(1 / (1 + r_s)))
    assert 1 - 2 * lowest == close(read_off)


@of_lists
def test_section_2_4_roc_convex_hull(cases):
    vertices = [point[:2] for point in convex_hull(cases)]
    assert len(vertices) < len(roc(cases))
    hull = mm.tabulate(*columns(cases)).hull
    assert hull.fpr.tolist() == close([FPR for FPR, _ in vertices])
    assert hull.tpr.tolist() == close([TPR for _, TPR in vertices])
    area = sum((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in pairwise(vertices))
    assert mm.auch(*columns(cases)) == close(area)


def algorithm_1(cases):
    """The points of the ROC curve, increasing by false positive rate."""
    P, N = sizes(cases)
    L_sorted = sorted(cases, key=lambda case: case[1], reverse=True)
    FP = TP = 0
    R = []
    f_prev = -math.inf
    i = 1
    while i <= len(L_sorted):
        positive, f = L_sorted[i - 1]
        if f != f_prev:
            R.append((Fraction(FP, N), Fraction(TP, P)))
            f_prev = f
        if positive:
            TP += 1
        else:
            FP += 1
        i += 1
    R.append((Fraction(FP, N), Fraction(TP, P)))
    return R


SAME = read("0.5+ 0.5- 0.5-")
PERFECT = read("0.9+ 0.8+ 0.8+ 0.2- 0.1-")
for_algorithms = pytest.mark.parametrize(
    "cases",
    [UNTIED, TIED, FEW, TENTHS, SAME, PERFECT],
    ids=["untied", "tied", "few", "tenths", "same", "perfect"],
)


@for_algorithms
def test_algorithm_1_roc_points(cases):
    R = algorithm_1(cases)
    assert [(FPR, TPR) for FPR, TPR, _ in roc(cases)] == R
    table = mm.tabulate(*columns(cases))
    assert table.fpr.tolist() == close([FPR for FPR, _ in R])
    assert table.tpr.tolist() == close([TPR for _, TPR in R])


@of_lists
def test_section_2_5_monotonicity_of_thresholded_classifications(cases):
    # What is positive at a threshold is so at all lower ones; down to a score, its tie is added.
    thresholds = [threshold for *_, threshold in roc(cases)]
    for higher, lower in pairwise(thresholds):
        before, after = (
            mm.ConfusionMatrix.at(*columns(cases), float(threshold)).binary(label=True)
            for threshold in (higher, lower)
        )
        tie = [label for label, score in cases if score == lower]
        assert (after.tp - before.tp, after.fp - before.fp) == (sum(tie), len(tie) - sum(tie))


@for_algorithms
def test_section_2_6_area_between_the_curve_and_the_diagonal(cases):
    # What lies below the diagonal counts against the classifier.
    steps = pairwise(algorithm_1(cases))
    area = sum((x1 - x0) * ((y0 - x0) + (y1 - x1)) / 2 for (x0, y0), (x1, y1) in steps)
    assert mm.area_above_diagonal(*columns(cases)) == close(area)


@for_algorithms
def test_section_2_6_intercept_with_the_descending_diagonal(cases):
    # TPR + FPR rises from 0 to 2 along the curve; it is 1 on the diagonal from (0, 1) to (1, 0).
    (x0, y0), (x1, y1) = next(
        (before, after)
        for before, after in pairwise(algorithm_1(cases))
        if sum(before) < 1 <= sum(after)
    )
    share = (1 - x0 - y0) / (x1 + y1 - x0 - y0)
    FPR, TPR = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
    assert TPR == 1 - FPR  # Sec. 2.2: equally good on both classes
    assert mm.antidiagonal_intercept(*columns(cases)) == close(TPR)
    assert mm.equal_error_rate(*columns(cases)) == close(FPR)


@for_algorithms
def test_section_2_6_total_area_under_the_curve(cases):
    steps = pairwise(algorithm_1(cases))
    area = sum((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in steps)
    assert mm.auc(*columns(cases)) == close(area)


def test_section_2_6_bounds_of_the_auc():
    labels, scores = columns(PERFECT)
    assert mm.auc(labels, scores) == 1
    assert mm.auc(labels, [-score for score in scores]) == 0
    assert mm.auc(*columns(SAME)) == 0.5  # the same score for all examples
    # The same distribution of the scores in both classes, which differ in size.
    assert mm.auc(*columns(read("0.9+ 0.4+ 0.9- 0.9- 0.4- 0.4-"))) == 0.5


def trapezoid_area(X1, X2, Y1, Y2):
    base = abs(X1 - X2)
    height = Fraction(Y1 + Y2, 2)
    return base * height


def algorithm_2(cases):
    """The area under the ROC curve; erratum 3: the third argument of line 21 is P."""
    P, N = sizes(cases)
    L_sorted = sorted(cases, key=lambda case: case[1], reverse=True)
    FP = TP = 0
    FP_prev = TP_prev = 0
    A = Fraction(0)
    f_prev = -math.inf
    i = 1
    while i <= len(L_sorted):
        positive, f = L_sorted[i - 1]
        if f != f_prev:
            A += trapezoid_area(FP, FP_prev, TP, TP_prev)
            f_prev = f
            FP_prev = FP
            TP_prev = TP
        if positive:
            TP += 1
        else:
            FP += 1
        i += 1
    A += trapezoid_area(N, FP_prev, P, TP_prev)
    return A / (P * N)


@for_algorithms
def test_algorithm_2_area_under_the_roc_curve(cases):
    assert mm.auc(*columns(cases)) == close(algorithm_2(cases))


@pytest.mark.parametrize("label", [True, False])
def test_algorithms_require_both_classes(label):
    with pytest.warns(mm.UndefinedMeasureWarning, match="a class is empty"):
        assert math.isnan(mm.auc([label, label], [0.2, 0.7]))


def wins(cases):
    """How many pairs the positive wins, a tie being half a win."""
    positives, negatives = ([s for label, s in cases if label is y] for y in (True, False))
    return sum(Fraction(y > x) + Fraction(y == x, 2) for y in positives for x in negatives)


@for_algorithms
def test_section_2_6_auc_is_the_chance_to_rank_a_positive_higher(cases):
    P, N = sizes(cases)
    assert mm.auc(*columns(cases)) == close(wins(cases) / (P * N))


@of_lists
def test_section_2_6_auc_is_the_statistic_of_mann_and_whitney(cases):
    test = mm.two_sample_test(*columns(cases), "auc", method="asymptotic")
    assert test.statistic == close(wins(cases))
    assert test.value == close(algorithm_2(cases))


@for_algorithms
def test_section_2_6_gini(cases):
    # Of the ROC curve: the area between it and the diagonal, as a share of that of a perfect one.
    labels, scores = columns(cases)
    positives, negatives = ([s for label, s in cases if label is y] for y in (True, False))
    right = mean((y > x) - (y < x) for y in positives for x in negatives)
    assert algorithm_2(cases) == (right + 1) / 2
    assert mm.gini(labels, scores) == close(right)


@for_algorithms
def test_equation_21_auc_by_rank_sum(cases):
    # Erratum 4: ranks in increasing order, mid-ranks in a tie.
    P, N = sizes(cases)
    T_p = sorted(score for label, score in cases if label)
    R = [
        sum(other < score for _, other in cases)
        + Fraction(1 + sum(other == score for _, other in cases), 2)
        for score in T_p
    ]
    right = sum(R_i - i for i, R_i in enumerate(R, 1)) / (P * N)
    assert mm.auc(*columns(cases)) == close(right)


def isotonic(cases):
    """The isotonic regression at each score: the max-min formula over intervals of scores."""
    scores = sorted({score for _, score in cases})

    def share(low, high):
        return mean(label for label, score in cases if low <= score <= high)

    return {
        s: max(min(share(a, b) for b in scores if b >= s) for a in scores if a <= s) for s in scores
    }


@of_lists
def test_section_2_7_calibration_by_isotonic_regression(cases):
    fit = isotonic(cases)
    calibration = mm.calibrate_isotonic(*columns(cases))
    found = calibration.predict([float(score) for score in fit])
    assert found.tolist() == close(list(fit.values()))
    # An interval of concavity is mapped by the slope of the segment over it: not to the slope, as
    # the paper has it, but to the share of positives that follows, slope / (slope + r_s).
    r_s = skew(cases, None)
    for (x0, y0, upper), (x1, y1, lower) in pairwise(convex_hull(cases)):
        slope = (y1 - y0) / (x1 - x0) if x1 > x0 else None
        share = Fraction(1) if slope is None else slope / (slope + r_s)
        inside = [float(score) for score in fit if lower <= score < upper]
        assert inside
        assert calibration.predict(inside).tolist() == close([share] * len(inside))
    # No concavity is left.
    calibrated = [(label, fit[score]) for label, score in cases]
    assert mm.auc(*columns(calibrated)) == close(float(mm.auch(*columns(cases))))


@of_lists
def test_section_2_7_calibration_of_scores_in_between_by_linear_interpolation(cases):
    fit = isotonic(cases)
    calibration = mm.calibrate_isotonic(*columns(cases))
    for t_1, t_2 in pairwise(fit):
        for weight in (Fraction(1, 4), Fraction(2, 3)):
            between = calibration.predict([float(t_1 + weight * (t_2 - t_1))])
            right = fit[t_1] + weight * (fit[t_2] - fit[t_1])
            assert between.tolist() == close([right])


# --------------------------------------------------------- 3 Other visual analysis methods


@interpolated
def test_section_3_1_precision_recall_curve(cases):
    labels, scores = columns(cases)
    thresholds = [float(threshold) for *_, threshold in roc(cases)[1:]]
    recall = [mm.recall(labels, scores, threshold=threshold) for threshold in thresholds]
    precision = [mm.precision(labels, scores, threshold=threshold) for threshold in thresholds]
    assert recall == close([r for r, _ in points(cases)])
    assert precision == close([p for _, p in points(cases)])


@of_lists
def test_section_3_2_lift_chart(cases):
    # True positives against the number of examples; in a tie, their expectation.
    labels, scores = columns(cases)
    for size in range(1, len(cases) + 1):
        right = mean(sum(order[:size]) for order in orders(cases))
        assert mm.ConfusionMatrix.at(labels, scores, k=size).binary(label=True).tp == close(right)
    # The decile table has the chart, and the ROC curve beside it, in shares. Their horizontal axes
    # are the closer the fewer positives there are: the difference is P/n (TPR - FPR).
    P, N = sizes(cases)
    chart = mm.decile_table(labels, scores, groups=len(cases)).rows
    for row in chart:
        above = [label for label, score in cases if float(score) >= row.lowest_score]
        FPR, TPR = Fraction(len(above) - sum(above), N), Fraction(sum(above), P)
        assert row.gain * P == close(sum(above))
        assert row.cumulative_cases * len(cases) == close(len(above))
        distance = row.cumulative_cases - row.cumulative_negatives
        assert distance == close(Fraction(P, P + N) * (TPR - FPR))
    assert len(chart) == len(best_first(cases))
