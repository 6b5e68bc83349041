"""Slow reference definitions of confusion matrices of any number of classes, in fractions.

A case is (true label, predicted label, weight); a matrix has weights by pair of labels.
"""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction

from .cuts import ZERO, Matrix, Value, ratio

Label = Hashable
Pair = tuple[Label, Label]
Counts = Mapping[Pair, Fraction]


def count(cases: Sequence[tuple[Label, Label, Fraction]], labels: Sequence[Label]) -> Counts:
    """The weight of the cases of each pair."""
    return {
        (a, b): sum((w for true, predicted, w in cases if (true, predicted) == (a, b)), ZERO)
        for a in labels
        for b in labels
    }


def one_against_rest(counts: Counts, label: Label) -> Matrix:
    """tp, fp, fn and tn when one label is positive and all others are negative."""

    def total(*, true: bool, predicted: bool) -> Fraction:
        return sum(
            (
                weight
                for (a, b), weight in counts.items()
                if (a == label) == true and (b == label) == predicted
            ),
            ZERO,
        )

    return (
        total(true=True, predicted=True),
        total(true=False, predicted=True),
        total(true=True, predicted=False),
        total(true=False, predicted=False),
    )


def mean(values: Sequence[Value], weights: Sequence[Fraction]) -> Value:
    """The weighted mean of the values that are there."""
    known = [(v, w) for v, w in zip(values, weights, strict=True) if v is not None and w > 0]
    if not known:
        return None
    if any(isinstance(v, float) for v, _ in known):
        return math.fsum(float(v) * float(w) for v, w in known) / float(sum(w for _, w in known))
    return sum((v * w for v, w in known), ZERO) / sum((w for _, w in known), ZERO)


def averages(
    measure: Callable[..., Value], counts: Counts, labels: Sequence[Label], **parameters: float
) -> dict[str, Value]:
    """The mean over classes, the measure of the summed matrices, the mean by true cases."""
    cuts = [one_against_rest(counts, label) for label in labels]
    values = [measure(*cut, **parameters) for cut in cuts]
    summed = [sum(part, ZERO) for part in zip(*cuts, strict=True)]
    return {
        "macro": mean(values, [Fraction(1)] * len(cuts)),
        "micro": measure(*summed, **parameters),
        "weighted": mean(values, [tp + fn for tp, _, fn, _ in cuts]),
    }


def accuracy(counts: Counts) -> Value:
    """The share of the cases whose labels agree."""
    return ratio(sum((w for (a, b), w in counts.items() if a == b), ZERO), sum(counts.values()))


def error_rate(counts: Counts) -> Value:
    """The share of the cases whose labels differ."""
    return ratio(sum((w for (a, b), w in counts.items() if a != b), ZERO), sum(counts.values()))


def kappa(counts: Counts) -> Value:
    """(po - pe) / (1 - pe): Cohen 1960."""
    n = sum(counts.values(), ZERO)
    if n == 0:
        return None
    labels = {a for a, _ in counts}
    observed = sum(counts[a, a] for a in labels) / n
    chance = sum(
        (sum(counts[a, b] for b in labels) * sum(counts[b, a] for b in labels) for a in labels),
        ZERO,
    )
    return ratio(observed - chance / n**2, 1 - chance / n**2)


def mcc(counts: Counts) -> Value:
    """R_K as sums over triples of classes: Gorodkin 2004."""
    labels = sorted({a for a, _ in counts}, key=str)
    c = counts
    above = sum(
        (c[k, k] * c[m, p] - c[p, k] * c[k, m] for k in labels for p in labels for m in labels),
        ZERO,
    )
    rows = {k: sum((c[k, m] for m in labels), ZERO) for k in labels}
    columns = {k: sum((c[m, k] for m in labels), ZERO) for k in labels}
    spread = [
        sum((total[k] * total[m] for k in labels for m in labels if m != k), ZERO)
        for total in (rows, columns)
    ]
    if not all(spread):
        return None
    return math.copysign(math.sqrt(above**2 / (spread[0] * spread[1])), above)


def balanced_accuracy(counts: Counts) -> Value:
    """The mean recall of the classes that have cases: Brodersen 2010."""
    labels = {a for a, _ in counts}
    totals = {a: sum((counts[a, b] for b in labels), ZERO) for a in labels}
    recalls = [counts[a, a] / n for a, n in totals.items() if n]
    return ratio(sum(recalls, ZERO), len(recalls))


OVERALL_ORACLES: dict[str, Callable[[Counts], Value]] = {
    "balanced_accuracy": balanced_accuracy,
    "accuracy": accuracy,
    "error_rate": error_rate,
    "kappa": kappa,
    "mcc": mcc,
}
