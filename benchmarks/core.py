"""The figures that the core has to reach, as one JSON object on standard output.

    python -m benchmarks.core            all figures, some minutes
    python -m benchmarks.core --quick    a tenth of the cases and fewer repeats, to try changes
    python -m benchmarks.core --only auc_million --only accuracy

Ours, the peers and ``np.sort`` take turns in one process on the same arrays, and the least time of
each counts. Memory, imports and the absence of numba are looked at in fresh processes.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from hmeasure import h_score
from sklearn.metrics import roc_auc_score

import metameasure as mm
from benchmarks import cases, exact, fresh
from benchmarks.figures import OURS, Bar, Figure, faster, run
from benchmarks.timing import best_times, loops_to_fill

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.cases import Floats, Labels
    from benchmarks.timing import Work

PACKAGES = ("numpy", "scipy", "numba", "scikit-learn", "hmeasure", "metameasure")
SKLEARN, HMEASURE, SORT = "sklearn", "hmeasure", "np.sort"


@dataclass(frozen=True)
class Scale:
    """How much work is done."""

    million: int = 10**6
    ten_million: int = 10**7
    repeats: int = 40
    long_repeats: int = 7
    short_repeats: int = 200
    imports: int = 12


FULL = Scale()
QUICK = Scale(10**5, 10**6, repeats=10, long_repeats=3, short_repeats=40, imports=4)


@cache
def data(n: int) -> tuple[Labels, Floats]:
    """The cases of this size, made once."""
    return cases.make(n)


def auc_works(n: int) -> dict[str, Work]:
    """Both AUCs and a sort of the same scores."""
    labels, score = data(n)
    assert abs(mm.auc(labels, score) - roc_auc_score(labels, score)) < 1e-12
    return {
        OURS: lambda: mm.auc(labels, score),
        SORT: lambda: np.sort(score),
        SKLEARN: lambda: roc_auc_score(labels, score),
    }


def short_times(works: dict[str, Work], repeats: int) -> tuple[dict[str, float], dict[str, Any]]:
    """The best times of short functions, each looped equally often, and the raw numbers."""
    loops = loops_to_fill(works.values())
    best = best_times(works, repeats, loops)
    single = best_times(works, repeats)
    return best, {"loops": loops, "seconds": best, "seconds_one_call_at_a_time": single}


def auc_million(scale: Scale) -> Figure:
    n = scale.million
    best = best_times(auc_works(n), scale.repeats)
    bars = [Bar("times np.sort", "at most", 4.5, best[OURS] / best[SORT]), faster(best, SKLEARN, 8)]
    return Figure(f"mm.auc, {n} cases", bars, {"n": n, "seconds": best})


def auc_ten_million(scale: Scale) -> Figure:
    n = scale.ten_million
    best = best_times(auc_works(n), scale.long_repeats)
    raw = {"n": n, "seconds": best, "times_np_sort": best[OURS] / best[SORT]}
    return Figure(f"mm.auc, {n} cases: time", [faster(best, SKLEARN, 12)], raw)


def auc_memory(scale: Scale) -> Figure:
    n = scale.ten_million
    used = {name: fresh.peak_memory(n, name) for name in fresh.AUC}
    size = used[OURS].pop("score_bytes")
    bars = [
        Bar(f"peak {how} memory, times the score array", "at most", 6, used[OURS][how] / size)
        for how in ("resident", "traced")
    ]
    peer = {how: used[SKLEARN][how] / size for how in ("resident", "traced")}
    raw = {"n": n, "score_bytes": size, "bytes": used[OURS], "sklearn_times_the_score_array": peer}
    return Figure(f"mm.auc, {n} cases: memory beyond the inputs", bars, raw)


def auc_hundred(scale: Scale) -> Figure:
    best, raw = short_times(auc_works(100), scale.short_repeats)
    return Figure("mm.auc, 100 cases", [faster(best, SKLEARN, 20)], {"n": 100, **raw})


def every_measure(scale: Scale) -> Figure:
    n = scale.million
    labels, score = data(n)

    def all_measures() -> None:
        table = mm.tabulate(labels, score)
        for measure in mm.measures():
            measure.value(table)

    works = {OURS: all_measures, SKLEARN: lambda: roc_auc_score(labels, score)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        best = best_times(works, scale.repeats)
    bar = Bar("times sklearn's roc_auc_score", "at most", 1, best[OURS] / best[SKLEARN])
    raw = {"n": n, "measures": len(mm.measures()), "seconds": best}
    return Figure(f"every binary measure once, from one table, {n} cases", [bar], raw)


def h_measure_thousand(scale: Scale) -> Figure:
    labels, score = data(1000)
    assert abs(mm.h_measure(labels, score, severity="prior") - h_score(labels, score)) < 1e-9
    same = f"{OURS} with severity=prior, the peer's default"
    works = {
        OURS: lambda: mm.h_measure(labels, score),
        same: lambda: mm.h_measure(labels, score, severity="prior"),
        HMEASURE: lambda: h_score(labels, score),
    }
    best, raw = short_times(works, scale.short_repeats)
    bars = [faster(best, HMEASURE, 30, ours) for ours in (OURS, same)]
    return Figure("mm.h_measure, 1000 cases", bars, {"n": 1000, **raw})


def importing(scale: Scale) -> Figure:
    best = fresh.import_times(scale.imports)
    more = best["numpy_and_metameasure"] - best["numpy"]
    loaded = fresh.ask("loaded-by-import")
    bars = [
        Bar("seconds more than importing NumPy", "at most", 0.15, more),
        Bar("modules loaded of " + ", ".join(fresh.HEAVY), "at most", 0, len(loaded)),
    ]
    return Figure("import metameasure", bars, {"seconds": best, "loaded": loaded})


def without_numba(_: Scale) -> Figure:
    n = 90_000
    loaded = fresh.ask("numba-loaded-by-measures", n)
    bar = Bar("numba loaded (0 no, 1 yes)", "at most", 0, int(loaded))
    return Figure(f"every measure, {n} cases, with and without ties", [bar], {"n": n})


def accuracy_close_scores(_: Scale) -> Figure:
    rng = np.random.default_rng(cases.SEED)
    labels = data(2000)[0]
    spread = rng.random(labels.size)
    score = 0.999 + 1e-9 * spread
    value = mm.scored_auc(labels, score)
    of_scores = exact.scored_auc(labels, score)
    before_rounding = exact.scored_auc(labels, spread) * Fraction(1, 10**9)
    bars = [
        Bar("digits, against the exact value of these scores", "at least", 7,
            exact.digits(value, of_scores)),
        Bar("digits, against the value before the scores were rounded", "at least", 7,
            exact.digits(value, before_rounding)),
    ]  # fmt: skip
    return Figure("mm.scored_auc of scores .999 + 1e-9 u", bars, {"n": labels.size, "value": value})


def accuracy_many_cases(scale: Scale) -> Figure:
    labels, score = data(scale.ten_million)
    bars, values = [], {}
    for name in ("auc", "brier", "log_loss"):
        values[name] = getattr(mm, name)(labels, score)
        right = exact.digits(values[name], getattr(exact, name)(labels, score))
        bars.append(Bar(f"digits of {name}", "at least", 12, right))
    raw = {"n": labels.size, "values": values}
    return Figure(f"mm.auc, mm.brier and mm.log_loss, {labels.size} cases: accuracy", bars, raw)


FIGURES: dict[str, Callable[[Scale], Figure]] = {
    "auc_million": auc_million,
    "auc_ten_million": auc_ten_million,
    "auc_memory": auc_memory,
    "auc_hundred": auc_hundred,
    "every_measure": every_measure,
    "h_measure_thousand": h_measure_thousand,
    "import": importing,
    "without_numba": without_numba,
    "accuracy_close_scores": accuracy_close_scores,
    "accuracy_many_cases": accuracy_many_cases,
}


if __name__ == "__main__":
    run(FIGURES, FULL, QUICK, PACKAGES, __doc__)
