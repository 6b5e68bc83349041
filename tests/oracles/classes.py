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
