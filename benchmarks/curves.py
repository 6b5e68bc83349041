"""The figures that curves, bands and operating points have to reach, as one JSON object.

    python -m benchmarks.curves            all figures, some minutes
    python -m benchmarks.curves --quick    fewer cases and data sets, to try changes
    python -m benchmarks.curves --only roc_bands

Ours and the peers take turns in one process on the same arrays, and the least time of each counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import norm
from sklearn.metrics import roc_curve

from benchmarks import cases
from benchmarks.figures import OURS, Bar, Figure, faster, run
from benchmarks.timing import best_times
from metameasure.curves import curve_kinds, gain, precision_recall, reliability, roc, tpr_fpr
from metameasure.inference.bands._band import band
from metameasure.operating import operating_point

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from metameasure.inference.bands._band import Band

    Floats = NDArray[np.float64]

PACKAGES = ("numpy", "scipy", "numba", "scikit-learn", "metameasure")
SKLEARN, SORT = "a loop over sklearn's roc_curve", "np.sort"
GRID = np.linspace(0.0, 1.0, 101)
EACH = 100
"""The positives and the negatives of a data set of which the coverage is simulated."""


@dataclass(frozen=True)
class Scale:
    """How much work is done."""

    cases: int = 10_000
    resamples: int = 1000
    million: int = 10**6
    repeats: int = 5
    data_sets: int = 500


FULL = Scale()
QUICK = Scale(2000, 200, 10**5, 3, 50)


def curves(scale: Scale) -> Figure:
    labels, score = cases.make(scale.million)
    works: dict[str, Callable[[], object]] = {SORT: lambda: np.sort(score)}
    for kind in curve_kinds():
        works[str(kind)] = lambda kind=kind: kind(labels, score)
    for against in ("score", "depth"):
        kind = tpr_fpr.using(against=against)
        works[str(kind)] = lambda kind=kind: kind(labels, score)
    works["operating_point"] = lambda: operating_point(labels, score, maximize="f_measure")
    best = best_times(works, scale.repeats)
    bars = [
        Bar(f"{name}: times np.sort", "at most", 6, seconds / best[SORT])
        for name, seconds in best.items()
        if name != SORT
    ]
    raw = {"n": labels.size, "seconds": best}
    return Figure(f"every curve of {labels.size} cases, from arrays", bars, raw)


def roc_bands(scale: Scale) -> Figure:
    labels, score = cases.make(scale.cases)
    rng = np.random.default_rng(1)

    def around_sklearn() -> tuple[Floats, Floats]:
        heights = np.empty((scale.resamples, GRID.size))
        for place in range(scale.resamples):
            rows = rng.integers(0, labels.size, labels.size)
            x, y, _ = roc_curve(labels[rows], score[rows])
            heights[place] = np.interp(GRID, x, y)
        low, high = np.quantile(heights, (0.025, 0.975), axis=0)
        return low, high

    def ours(*, simultaneous: bool = False) -> Band:
        return band(
            labels,
            score,
            roc,
            resamples=scale.resamples,
            grid=GRID,
            simultaneous=simultaneous,
        )

    (low, high), found = around_sklearn(), ours()
    inner, near = slice(5, -5), 2 / np.sqrt(labels.size)
    assert np.abs(found.low - low)[inner].max() < near
    assert np.abs(found.high - high)[inner].max() < near
    both = f"{OURS}, simultaneous"
    works = {OURS: ours, both: lambda: ours(simultaneous=True)}
    best = best_times(works, scale.repeats) | best_times({SKLEARN: around_sklearn}, 1)
    bars = [faster(best, SKLEARN, 20), faster(best, SKLEARN, 20, both)]
    raw = {"n": labels.size, "resamples": scale.resamples, "seconds": best}
    return Figure(f"ROC bands, {scale.resamples} resamples of {labels.size} cases", bars, raw)


def coverage(scale: Scale) -> Figure:
    """How often simultaneous bands hold the whole true curve of two normal classes."""
    held: dict[str, list[bool]] = {}
    widths: dict[str, list[float]] = {}
    for delta in (1.0, 2.0):
        rng = np.random.default_rng(round(delta))
        for number in range(scale.data_sets):
            labels = rng.random(2 * EACH) < 0.5
            evidence = rng.normal(size=labels.size) + delta * labels
            options: dict[str, Any] = {"simultaneous": True, "resamples": 500, "seed": number}
            for name, (found, true) in _bands(labels, evidence, delta, options).items():
                lines = [(found.low, found.high), *(line[1:] for line in found.others.values())]
                inside = all(
                    bool(np.all((y >= low - 1e-12) & (y <= high + 1e-12)))
                    for y, (low, high) in zip(true, lines, strict=True)
                )
                held.setdefault(f"{name}, delta {delta:g}", []).append(inside)
                width = float(np.mean(found.high - found.low))
                widths.setdefault(f"{name}, delta {delta:g}", []).append(width)
    bars = [
        Bar(f"{name}: coverage of 95% bands", "at least", 0.93, float(np.mean(inside)))
        for name, inside in held.items()
    ]
    raw = {
        "positives": EACH,
        "negatives": EACH,
        "data_sets": scale.data_sets,
        "mean_width": {name: float(np.mean(width)) for name, width in widths.items()},
    }
    return Figure("simultaneous bands of two normal classes", bars, raw)


def _bands(
    labels: NDArray[np.bool_], evidence: Floats, delta: float, options: dict[str, Any]
) -> dict[str, tuple[Band, list[Floats]]]:
    """The band of each kind, and the true heights of its lines."""
    x = GRID[1:-1]
    fpr = norm.cdf(norm.ppf(x) - delta)
    cuts = np.linspace(-9.0, 9.0 + delta, 100_001)
    taken = (norm.sf(cuts - delta) + norm.sf(cuts)) / 2
    found = np.interp(x, taken[::-1], norm.sf(cuts - delta)[::-1])
    scores = np.linspace(-2.0, 2.0 + delta, 101)
    probability = 1 / (1 + np.exp(delta**2 / 2 - delta * evidence))
    places: dict[str, Any] = {"grid": x}
    return {
        "roc": (
            band(labels, evidence, roc, **places, **options),
            [norm.cdf(norm.ppf(x) + delta)],
        ),
        "precision_recall": (
            band(labels, evidence, precision_recall, **places, **options),
            [x / (x + fpr)],
        ),
        "gain": (band(labels, evidence, gain, **places, **options), [found]),
        "tpr_fpr against score": (
            band(labels, evidence, tpr_fpr.using(against="score"), grid=scores, **options),
            [norm.sf(scores - delta), norm.sf(scores)],
        ),
        "tpr_fpr against depth": (
            band(labels, evidence, tpr_fpr.using(against="depth"), **places, **options),
            [found, 2 * x - found],
        ),
        "reliability": (
            band(labels, probability**1.5, reliability, **places, **options),
            [x ** (1 / 1.5)],
        ),
    }


def pointwise(scale: Scale) -> Figure:
    """How often pointwise limits hold the true height of the ROC curve of two normal classes."""
    x = np.array([0.01, 0.05, 0.1, 0.2, 0.5])
    bars, widths = [], {}
    for (positives, negatives), delta in product(((100, 100), (30, 70)), (1.0, 2.0)):
        rng = np.random.default_rng(round(delta))
        labels = np.arange(positives + negatives) < positives
        true, inside, width = norm.cdf(norm.ppf(x) + delta), np.zeros(x.size), np.zeros(x.size)
        for number in range(scale.data_sets):
            evidence = rng.normal(size=labels.size) + delta * labels
            found = band(labels, evidence, roc, grid=x, seed=number)
            inside += (true >= found.low - 1e-12) & (true <= found.high + 1e-12)
            width += found.high - found.low
        name = f"{positives} + {negatives}, delta {delta:g}"
        bars += [
            Bar(f"{name}: coverage of 95% limits at FPR {at:g}", "at least", 0.93, share)
            for at, share in zip(x, inside / scale.data_sets, strict=True)
        ]
        widths[name] = dict(zip(x.tolist(), (width / scale.data_sets).tolist(), strict=True))
    raw = {"data_sets": scale.data_sets, "mean_width": widths}
    return Figure("pointwise limits of the ROC curves of two normal classes", bars, raw)


def workers(scale: Scale) -> Figure:
    labels, score = cases.make(60_000)
    found = [
        band(labels, score, roc, resamples=100, seed=7, workers=number) for number in (1, 2, 8)
    ]
    same = all(
        np.array_equal(one.low, found[0].low) and np.array_equal(one.high, found[0].high)
        for one in found
    )
    bar = Bar("the same numbers for 1, 2 and 8 workers (1 yes)", "at least", 1, float(same))
    return Figure("workers", [bar], {"n": labels.size, "resamples": min(100, scale.resamples)})


FIGURES: dict[str, Callable[[Scale], Figure]] = {
    "curves": curves,
    "roc_bands": roc_bands,
    "coverage": coverage,
    "pointwise": pointwise,
    "workers": workers,
}


if __name__ == "__main__":
    run(FIGURES, FULL, QUICK, PACKAGES, __doc__)
