"""Tests of models by their definitions: every sign, every arrangement of the labels is tried."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product

from .cuts import HALF, ONE, ZERO, Case, Value, points, totals

Tails = tuple[Fraction, Fraction]  # P(at most what was seen), P(at least that)


def tails(values: Iterable[Fraction], seen: Fraction) -> Tails:
    """The shares of equally likely values on both sides of the one that was seen."""
    known = list(values)
    below, above = (sum(v <= seen for v in known), sum(v >= seen for v in known))
    return Fraction(below, len(known)), Fraction(above, len(known))


def two_sided(sides: Tails) -> Fraction:
    """Twice the smaller side, at most 1."""
    return min(ONE, 2 * min(sides))


def mid_ranks(values: Sequence[Fraction]) -> list[Fraction]:
    """1 for the smallest; ties have the mean of their ranks. By comparing all pairs."""
    return [sum((ONE if w < v else HALF if w == v else ZERO for w in values), HALF) for v in values]


def sign_pvalue(differences: Sequence[Fraction]) -> Fraction:
    """The two-sided sign test on the differences that are not 0."""
    signed = [d for d in differences if d]
    counts = (Fraction(sum(signs)) for signs in product((0, 1), repeat=len(signed)))
    return two_sided(tails(counts, Fraction(sum(d > 0 for d in signed))))


def signed_rank(differences: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """T and its two-sided p-value: Demsar 2006, Sec. 3.1.3, zeros split, an odd one left out.

    The signs of the differences that are not 0 are equally likely.
    """
    kept = sorted(differences, key=abs)
    if sum(d == 0 for d in kept) % 2:
        kept = kept[1:]
    ranks = mid_ranks([abs(d) for d in kept])
    halves = sum((r / 2 for r, d in zip(ranks, kept, strict=True) if d == 0), ZERO)
    signed = [(r, d) for r, d in zip(ranks, kept, strict=True) if d]
    plus = halves + sum((r for r, d in signed if d > 0), ZERO)
    sums = (
        halves + sum((r for (r, _), s in zip(signed, signs, strict=True) if s), ZERO)
        for signs in product((0, 1), repeat=len(signed))
    )
    return min(plus, sum(ranks, ZERO) - plus), two_sided(tails(sums, plus))


def accepted(
    differences: Sequence[Fraction], pvalue: Callable[[Sequence[Fraction]], Fraction], ci: Fraction
) -> tuple[Fraction, Fraction] | None:
    """The shifts that a test does not reject, from the first to the last: limits by definition.

    The p-value changes only at means of two differences. None if the outermost are not rejected.
    """
    means = sorted({(d + e) / 2 for d in differences for e in differences})
    outside = [means[0] - 1, *((m + n) / 2 for m, n in pairwise(means)), means[-1] + 1]
    kept = [pvalue([d - shift for d in differences]) > 1 - ci for shift in outside]
    if kept[0] or kept[-1]:
        return None
    first = kept.index(True)
    last = len(kept) - kept[::-1].index(True)
    return means[first - 1], means[last - 1]


def median(values: Iterable[Fraction]) -> Fraction:
    """The value in the middle, or the mean of the two there."""
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def hodges_lehmann(differences: Sequence[Fraction]) -> Fraction:
    """The median of the means of any two differences, each with itself among them."""
    n = len(differences)
    return median((differences[i] + differences[j]) / 2 for i in range(n) for j in range(i, n))


def friedman(ranks: Sequence[Sequence[Fraction]]) -> tuple[Value, Value]:
    """The chi-square with its correction for ties, and F: None at 0/0 and x/0.

    The chi-square is Demsar 2006, Sec. 3.2.2, over 1 - sum (t^3 - t) / (N k (k^2 - 1)). F is that
    of the analysis of variance of the ranks, with data sets as blocks.
    """
    n, k = len(ranks), len(ranks[0])
    averages = [sum(column, ZERO) / n for column in zip(*ranks, strict=True)]
    chi2 = Fraction(12 * n, k * (k + 1)) * (
        sum((r * r for r in averages), ZERO) - Fraction(k * (k + 1) ** 2, 4)
    )
    tied = sum(row.count(r) ** 3 - row.count(r) for row in map(list, ranks) for r in set(row))
    untied = 1 - Fraction(tied, n * k * (k * k - 1))
    mean = Fraction(k + 1, 2)
    models = n * sum(((r - mean) ** 2 for r in averages), ZERO) / (k - 1)
    rest = sum(
        ((r - a) ** 2 for row in ranks for r, a in zip(row, averages, strict=True)), ZERO
    ) / ((k - 1) * (n - 1))
    return chi2 / untied if untied else None, models / rest if rest else None


def corrected_t_squared(
    differences: Sequence[Fraction], n_train: Fraction, n_test: Fraction
) -> Fraction:
    """The square of the statistic of Nadeau and Bengio 2003, Sec. 5."""
    j = len(differences)
    mean = sum(differences, ZERO) / j
    variance = sum(((d - mean) ** 2 for d in differences), ZERO) / (j - 1)
    return mean**2 / ((Fraction(1, j) + n_test / n_train) * variance)


def one_sided_ks(cases: Sequence[Case]) -> Fraction:
    """The largest TPR - FPR."""
    p, n = totals(cases)
    return max(tp / p - fp / n for fp, tp in points(cases))


def arrangement_tails(cases: Sequence[Case], measure: Callable[[Sequence[Case]], Value]) -> Tails:
    """Both sides of a measure over all arrangements of the labels on the same scores."""
    scores = [score for _, score, _ in cases]
    positives = sum(label for label, *_ in cases)
    values = [
        measure([(i in chosen, score, ONE) for i, score in enumerate(scores)])
        for chosen in map(set, combinations(range(len(scores)), positives))
    ]
    return tails(values, measure(cases))
