"""The figures that intervals and tests have to reach, as one JSON object on standard output.

    python -m benchmarks.uncertainty            all figures, some minutes
    python -m benchmarks.uncertainty --quick    fewer cases and resamples, to try changes
    python -m benchmarks.uncertainty --only auc_bootstrap

Ours and the peers take turns in one process on the same arrays, and the least time of each counts.
How often intervals cover is in ``coverage``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from MLstatkit import Delong_test
from rapidstats import Bootstrap
from sklearn.metrics import average_precision_score, roc_auc_score

import metameasure as mm
from benchmarks import cases, exact, fresh
from benchmarks.figures import OURS, Bar, Figure, faster, run
from benchmarks.timing import best_times, median_times
from metameasure.data import Predictions
from metameasure.evaluation import DEFAULT
from metameasure.inference import Plan, Sample, measure_intervals
from metameasure.inference.methods.delong import spread_of_difference
from metameasure.measurement import parse_list

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGES = ("numpy", "scipy", "numba", "scikit-learn", "rapidstats", "MLstatkit", "metameasure")
SKLEARN, RAPIDSTATS, MLSTATKIT = "resampling around sklearn", "rapidstats", "MLstatkit"


@dataclass(frozen=True)
class Scale:
    """How much work is done."""

    cases: int = 10_000
    resamples: int = 2000
    million: int = 10**6
    repeats: int = 5


FULL = Scale()
QUICK = Scale(2000, 200, 10**5, 3)


def sample(n: int) -> Sample:
    labels, score = cases.make(n)
    return Sample.of(Predictions.of(labels, {"model": score}))


def auc_bootstrap(scale: Scale) -> Figure:
    labels, score = cases.make(scale.cases)
    rng = np.random.default_rng(1)

    def around_sklearn() -> tuple[float, float]:
        values = []
        for _ in range(scale.resamples):
            rows = rng.integers(0, labels.size, labels.size)
            values.append(roc_auc_score(labels[rows], score[rows]))
        low, high = np.quantile(values, (0.025, 0.975))
        return float(low), float(high)

    def ours(workers: int | None) -> mm.Interval:
        return mm.interval(
            labels, score, "auc", method="percentile", resamples=scale.resamples, workers=workers
        )

    def rapidstats() -> Any:
        return Bootstrap(iterations=scale.resamples, seed=1).roc_auc(labels, score)

    expected, found = around_sklearn(), ours(None)
    assert abs(found.low - expected[0]) < 0.003
    assert abs(found.high - expected[1]) < 0.003
    works = {
        OURS: lambda: ours(None),
        f"{OURS}, one worker": lambda: ours(1),
        RAPIDSTATS: rapidstats,
    }
    best = best_times(works, scale.repeats) | best_times({SKLEARN: around_sklearn}, 1)
    bars = [faster(best, SKLEARN, 30), faster(best, RAPIDSTATS, 1)]
    raw = {"n": labels.size, "resamples": scale.resamples, "seconds": best}
    return Figure(f"AUC, {scale.resamples} resamples of {labels.size} cases", bars, raw)


def ten_measures(scale: Scale) -> Figure:
    drawn = sample(scale.cases)
    ten = parse_list(DEFAULT)

    def work(measures: list[mm.Measure], method: Any, workers: int | None) -> Callable[[], object]:
        plan = Plan(method=method, resamples=scale.resamples, workers=workers)
        return lambda: measure_intervals(drawn, {"model": measures}, plan)

    works = {
        "auc": work([mm.auc], "percentile", None),
        "ten": work(ten, "percentile", None),
        "ten by their own methods": work(ten, "auto", None),
        "auc, one worker": work([mm.auc], "percentile", 1),
        "ten, one worker": work(ten, "percentile", 1),
    }
    best = best_times(works, scale.repeats)
    bars = [Bar("times AUC alone", "at most", 6, best["ten"] / best["auc"])]
    own = best["ten by their own methods"] / best["auc"]
    raw = {
        "n": scale.cases,
        "resamples": scale.resamples,
        "seconds": best,
        "by_their_own_methods_times_auc_alone": own,
    }
    return Figure(f"the ten default measures, {scale.resamples} resamples", bars, raw)


def delong(scale: Scale) -> Figure:
    labels, score = cases.make(scale.million)
    other = score + 0.02 * np.random.default_rng(2).normal(size=labels.size)

    def theirs() -> Any:
        return Delong_test(labels, other, score, return_ci=True, return_auc=True, verbose=0)

    def ours() -> mm.Comparison:
        return mm.compare(labels, {"a": score, "b": other})

    def our_variance() -> mm.Interval:
        return mm.interval(labels, score, "auc", method="delong")

    works = {OURS: ours, f"{OURS}, variance of one": our_variance, MLSTATKIT: theirs}
    best = best_times(works, scale.repeats)
    z, p, _, interval, _, _, info = theirs()
    row, wald = ours().rows[0], our_variance()
    both = Sample.of(Predictions.of(labels, {"a": score, "b": other}))
    variance = spread_of_difference(mm.auc, both, "a", "b").delong
    pairs = {
        "variance of the difference": (variance, info["var_diff"]),
        "z": (row.difference / math.sqrt(variance), z),
        "p": (row.pvalue, p),
        "lower Wald limit": (wald.low, interval[0]),
        "upper Wald limit": (wald.high, interval[1]),
    }
    bars = [faster(best, MLSTATKIT, 20)]
    bars += [
        Bar(f"digits of {what}", "at least", 10, exact.digits(a, Fraction(float(b))))
        for what, (a, b) in pairs.items()
    ]
    raw = {"n": labels.size, "seconds": best, "ours_and_theirs": pairs}
    return Figure(f"DeLong's paired test, {labels.size} cases", bars, raw)


def bootstrap_memory(scale: Scale) -> Figure:
    n = scale.million
    used = fresh.ask("bootstrap-memory", n, scale.resamples)
    bars = [Bar("GiB above the data", "at most", 1, used["resident"] / 2**30)]
    return Figure(f"{scale.resamples} resamples of {n} cases: memory", bars, used)


def default_of_a_million(scale: Scale) -> Figure:
    labels, score = cases.make(scale.million)
    rng = np.random.default_rng(1)

    def one_resample() -> float:
        rows = rng.integers(0, labels.size, labels.size)
        return float(average_precision_score(labels[rows], score[rows]))

    works = {OURS: lambda: mm.evaluate(labels, score), "one": one_resample}
    best = best_times(works, 2)
    best[SKLEARN] = best.pop("one") * scale.resamples
    raw = {
        "n": labels.size,
        "seconds": best,
        "note": f"{SKLEARN}: average precision alone, one resample times {scale.resamples}",
    }
    work = f"mm.evaluate with the default measures and intervals, {labels.size} cases"
    return Figure(work, [faster(best, SKLEARN, 30)], raw)


def default_evaluation(scale: Scale) -> Figure:
    """The default measures with intervals, against one AUC of the same cases."""
    bars, seconds = [], {}
    for n, most in ((10_000, 25), (100_000, 10), (10**6, 4)):
        labels, score = cases.make(min(n, scale.million))
        works = {
            OURS: lambda labels=labels, score=score: mm.evaluate(labels, score),
            "roc_auc_score": lambda labels=labels, score=score: roc_auc_score(labels, score),
        }
        median = median_times(works, scale.repeats)
        seconds[str(n)] = median
        times = median[OURS] / median["roc_auc_score"]
        bars.append(Bar(f"times roc_auc_score, {labels.size} cases", "at most", most, times))
    return Figure("mm.evaluate with the default measures and intervals", bars, {"seconds": seconds})


def ten_million(scale: Scale) -> Figure:
    """The default evaluation of ten million cases in a fresh process: seconds and memory."""
    n = 10 * scale.million
    used = fresh.ask("evaluation", n)
    used["times np.sort"] = used["arrays"]["processor"] / used["arrays"]["np.sort"]
    bars = [
        bar
        for what in ("arrays", "command")
        for bar in (
            Bar(f"{what}: processor seconds", "at most", 60, used[what]["processor"]),
            Bar(f"{what}: GB at the peak", "at most", 2, used[what]["resident"] / 1e9),
        )
    ]
    return Figure(f"mm.evaluate and metameasure evaluate, {n} cases", bars, used)


def several_models(scale: Scale) -> Figure:
    """Four models against one of them: other scores may need another number of draws."""
    labels, score = cases.make(scale.cases)
    rng = np.random.default_rng(3)
    four = {
        name: np.clip(score + 0.05 * rng.normal(size=score.size), 0.001, 0.999) for name in "abcd"
    }
    works = {
        "one": lambda: mm.evaluate(labels, four["a"]),
        "evaluate": lambda: mm.evaluate(labels, four),
        "compare": lambda: mm.compare(labels, four, list(DEFAULT)),
    }
    median = median_times(works, scale.repeats)
    bars = [
        Bar(f"{what}, times evaluate of one model", "at most", most, median[what] / median["one"])
        for what, most in (("evaluate", 5), ("compare", 8))
    ]
    return Figure(f"four models, {labels.size} cases", bars, {"seconds": median})


def weights_and_clusters(scale: Scale) -> Figure:
    """Weighted and clustered cases against independent ones."""
    labels, score = cases.make(scale.million)
    rng = np.random.default_rng(4)
    weight, cluster = rng.random(labels.size) + 0.5, rng.integers(0, 1000, labels.size)
    works = {
        "independent": lambda: mm.evaluate(labels, score),
        "weighted": lambda: mm.evaluate(labels, score, sample_weight=weight),
        "clustered": lambda: mm.evaluate(labels, score, cluster=cluster),
    }
    median = median_times(works, 3)
    bars = [
        Bar(f"{what}, times independent", "at most", 3, median[what] / median["independent"])
        for what in ("weighted", "clustered")
    ]
    return Figure(f"weighted and clustered, {labels.size} cases", bars, {"seconds": median})


def hundred_classes(scale: Scale) -> Figure:
    """The default measures of many classes, with intervals."""
    rng = np.random.default_rng(5)
    scores = rng.dirichlet(np.full(100, 0.5), scale.cases)
    labels = (scores.cumsum(axis=1) < rng.random((scale.cases, 1))).sum(axis=1)
    median = median_times({OURS: lambda: mm.evaluate(labels, scores)}, 3)
    bar = Bar("seconds", "at most", 10, median[OURS])
    return Figure(f"100 classes, {scale.cases} cases", [bar], {"seconds": median})


def first_evaluation(scale: Scale) -> Figure:
    """Fresh processes: the first evaluate of 100 cases, and the command line."""
    seconds = fresh.first_times(scale.repeats)
    over = seconds["evaluate"] - seconds["numpy, scipy.special"]
    command = seconds["metameasure evaluate"] / seconds["libraries of the command line"]
    bars = [
        Bar("seconds over importing NumPy and scipy.special", "at most", 1.0, over),
        Bar("metameasure evaluate, times importing its libraries", "at most", 1.6, command),
    ]
    return Figure("the first evaluate of 100 cases", bars, {"seconds": seconds})


def workers(scale: Scale) -> Figure:
    drawn, ten = sample(scale.cases), parse_list(DEFAULT)
    found = [
        measure_intervals(drawn, {"model": ten}, Plan(resamples=200, seed=7, workers=number))
        for number in (1, 2, 8)
    ]
    same = all(one == found[0] for one in found)
    bar = Bar("the same numbers for 1, 2 and 8 workers (1 yes)", "at least", 1, float(same))
    return Figure("workers", [bar], {"n": scale.cases})


FIGURES: dict[str, Callable[[Scale], Figure]] = {
    "auc_bootstrap": auc_bootstrap,
    "ten_measures": ten_measures,
    "delong": delong,
    "bootstrap_memory": bootstrap_memory,
    "default_of_a_million": default_of_a_million,
    "default_evaluation": default_evaluation,
    "ten_million": ten_million,
    "several_models": several_models,
    "weights_and_clusters": weights_and_clusters,
    "hundred_classes": hundred_classes,
    "first_evaluation": first_evaluation,
    "workers": workers,
}


if __name__ == "__main__":
    run(FIGURES, FULL, QUICK, PACKAGES, __doc__)
