"""Effective numbers of cases: of weighted cases, and of cases in clusters.

Weighted cases vary like fewer cases of equal weight, and cases of a cluster like fewer independent
ones. The design effect of clusters is that of the difference of the two rates at a cut, on average
over many cuts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats, Indices
    from metameasure.inference.sample import AnySample, Sample

FEW_CLUSTERS = 25
"""Effective number of clusters of a class below which it limits the degrees of freedom."""
ALONE = 1 - 1e-9
"""Number of clusters per case from which each case is a cluster of its own."""
CUTS = 32
"""Number of cuts at which the design effect is found, each after the same number of cases."""
ENTRIES = 2**24
"""Maximum number of clusters times cuts, which bounds the memory."""


def effective_sizes(sample: Sample, model: str, ci: float) -> tuple[float, float]:
    """The effective numbers of positives and of negatives, at least one of each.

    >>> import metameasure as mm
    >>> from metameasure.inference.sample import Sample
    >>> sample = Sample.of_table(mm.tabulate([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.2]), "model")
    >>> effective_sizes(sample, "model", 0.95)
    (2.0, 2.0)
    """
    n_pos, n_neg = kish_sizes(sample)
    if sample.cluster is None:
        return n_pos, n_neg
    degrees = cluster_degrees((1.0, 1.0), sample, sample.units)
    fewer = design_effect(sample, model) * student(degrees, ci)
    return max(n_pos / fewer, 1.0), max(n_neg / fewer, 1.0)


def kish_sizes(sample: Sample) -> tuple[float, float]:
    """The numbers of cases of equal weight whose means vary as much (Kish, 1965)."""
    n_pos, n_neg = class_sizes(sample)
    return n_pos, n_neg


def class_sizes(sample: AnySample) -> list[float]:
    """The effective number of cases of each class."""
    if sample.count is not None:
        return [float(sample.count[members].sum()) for members in sample.strata]
    if sample.weight is None:
        return [float(np.count_nonzero(members)) for members in sample.strata]
    return [kish(sample.weight[members]) for members in sample.strata]


def independent_units(sample: AnySample) -> float:
    """The effective number of cases, or of clusters, of the smallest class that has cases."""
    if sample.cluster is None:
        return min(size for size in class_sizes(sample) if size)
    return min(size for size in cluster_sizes(sample) if size)


def cluster_sizes(sample: AnySample) -> list[float]:
    """The effective number of clusters of each class: those of equal weight that vary as much."""
    cluster: Indices = sample.cluster  # type: ignore[assignment]
    weight = np.ones(sample.size) if sample.weight is None else sample.weight
    of_clusters = (np.bincount(cluster[one], weight[one]) for one in sample.strata)
    return [kish(np.asarray(weights, np.float64)) for weights in of_clusters]


def cluster_degrees(variances: Sequence[float], sample: AnySample, units: float) -> float:
    """The degrees of freedom of a variance between clusters, a sum of those of the classes.

    Those are the number of units minus 1 or, if the cases of a class are in few clusters, those of
    Satterthwaite (1946); at least 1.
    """
    numbers = zip(cluster_sizes(sample), class_sizes(sample), strict=True)
    of_classes = [
        clusters if clusters < min(FEW_CLUSTERS, ALONE * cases) else units
        for clusters, cases in numbers
    ]
    squares = sum(v**2 / max(n - 1, 1.0) for v, n in zip(variances, of_classes, strict=True))
    if not squares > 0 or min(of_classes) == units:
        return max(min(of_classes) - 1, 1.0)
    return max(min(sum(variances) ** 2 / squares, units - 1), 1.0)


def kish(weight: Floats) -> float:
    """The number of equal weights whose mean varies as much."""
    return float(weight.sum()) ** 2 / float(weight @ weight) if weight.any() else 0.0


def student(degrees: float, ci: float) -> float:
    """By how much a variance with few degrees of freedom is enlarged for a normal quantile."""
    from scipy.special import ndtri, stdtrit  # noqa: PLC0415

    quantile = (1 + ci) / 2
    return float(stdtrit(degrees, quantile) / ndtri(quantile)) ** 2


def design_effect(sample: Sample, model: str) -> float:
    """By how much clusters enlarge the variance of TPR - FPR, on average over cuts; at least 1."""
    cluster: Indices = sample.cluster  # type: ignore[assignment]
    units = sample.units
    cuts = min(CUTS, max(ENTRIES // units, 1))
    row, table = sample.places(model).row, sample.tables[model]
    upto = (table.tp + table.fp)[1:] - table.weight / 2
    part = np.minimum((upto * (cuts / table.n)).astype(np.int64), cuts - 1)[row]
    weight = np.ones(sample.size) if sample.weight is None else sample.weight
    alone, together = np.zeros(cuts), np.zeros((units, cuts))
    for sign, members in zip((1.0, -1.0), sample.strata, strict=True):
        share, at = weight[members] / weight[members].sum(), part[members]
        rate, squares = (np.cumsum(np.bincount(at, w, cuts)) for w in (share, share**2))
        alone += squares * (1 - 2 * rate) + rate**2 * squares[-1]
        of_cells = np.bincount(cluster[members] * cuts + at, share, units * cuts)
        above = np.cumsum(of_cells.reshape(units, cuts), axis=1)
        together += sign * (above - rate * above[:, -1:])
    between = float(np.sum(together**2)) * units / (units - 1)
    within = float(alone.sum())
    return max(between / within, 1.0) if within > 0 else sample.size / units
