"""Slow definitions of measures of k classes: pairs one by one."""

from fractions import Fraction


def beaten(codes, scores, i, j):
    """How often a case of class i has a higher score for i than one of class j; None if empty."""
    own = [s[i] for c, s in zip(codes, scores, strict=True) if c == i]
    other = [s[i] for c, s in zip(codes, scores, strict=True) if c == j]
    if not own or not other:
        return None
    won = sum(Fraction(a > b) + Fraction(a == b, 2) for a in own for b in other)
    return won / (len(own) * len(other))


def hand_till_auc(codes, scores, k):
    pairs = [beaten(codes, scores, i, j) for i in range(k) for j in range(k) if i != j]
    known = [pair for pair in pairs if pair is not None]
    return sum(known) / len(known) if known else None


def ovr_auc(codes, scores, k):
    values = []
    for i in range(k):
        own = [s[i] for c, s in zip(codes, scores, strict=True) if c == i]
        other = [s[i] for c, s in zip(codes, scores, strict=True) if c != i]
        if own and other:
            won = sum(Fraction(a > b) + Fraction(a == b, 2) for a in own for b in other)
            values.append(won / (len(own) * len(other)))
    return sum(values) / len(values) if values else None


def brier(codes, scores):
    total = sum((p - (c == i)) ** 2 for c, s in zip(codes, scores, strict=True)
                for i, p in enumerate(s))  # fmt: skip
    return Fraction(total) / 2 / len(codes)


def accuracy(codes, scores):
    """The share that is right; a tie for the highest score is broken at random."""
    right = Fraction(0)
    for c, s in zip(codes, scores, strict=True):
        if s[c] == max(s):
            right += Fraction(1, sum(p == max(s) for p in s))
    return right / len(codes)


def matrix(codes, predicted, k, weights=None):
    """The weight of each pair of a true and a predicted class."""
    counts = [[Fraction(0)] * k for _ in range(k)]
    for place, (true, guess) in enumerate(zip(codes, predicted, strict=True)):
        counts[true][guess] += 1 if weights is None else Fraction(weights[place])
    return counts


def ratio(a, b):
    return Fraction(a) / b if b else None


def per_class(counts, c):
    """Precision, recall and F of a class; None where they are 0/0."""
    tp = counts[c][c]
    predicted, true = sum(row[c] for row in counts), sum(counts[c])
    return ratio(tp, predicted), ratio(tp, true), ratio(2 * tp, predicted + true)


def average(counts, which, weighted=False):
    """The mean over classes of one of ``per_class``, without those that are 0/0."""
    values = [(per_class(counts, c)[which], sum(row)) for c, row in enumerate(counts)]
    known = [(value, n if weighted else 1) for value, n in values if value is not None]
    return ratio(sum(v * n for v, n in known), sum(n for _, n in known))


def top_k(codes, scores, k):
    """The probability to be among the k highest, over all orders of tied classes."""
    from itertools import permutations

    total = Fraction(0)
    for c, s in zip(codes, scores, strict=True):
        orders = [sorted(order, key=lambda i, s=s: -s[i]) for order in permutations(range(len(s)))]
        total += Fraction(sum(c in order[:k] for order in orders), len(orders))
    return total / len(codes)
