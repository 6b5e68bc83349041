"""The figures that means over queries have to reach, as one JSON object on standard output.

    python -m benchmarks.queries            all figures, some minutes
    python -m benchmarks.queries --quick    a tenth of the queries, to try changes
    python -m benchmarks.queries --only peers

Ours starts from three arrays: labels, scores and queries. The peers start from what they take, made
beforehand: ranx from its own objects, trec_eval (through pytrec_eval) from dicts. The loop over
scikit-learn is timed on fewer queries, so that times a query are compared.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pytrec_eval
import ranx
from sklearn.metrics import average_precision_score

import metameasure as mm
from benchmarks.figures import OURS, Bar, Figure, faster, run
from benchmarks.timing import best_times

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Arrays = tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.int64]]

PACKAGES = (
    "numpy",
    "numba",
    "scikit-learn",
    "ranx",
    "pytrec_eval-terrier",
    "metameasure",
)
SKLEARN, RANX, TREC_EVAL = "a loop over sklearn", "ranx", "pytrec_eval"
SIZE, POSITIVE = 100, 0.1


@dataclass(frozen=True)
class Scale:
    """How much work is done."""

    queries: int = 100_000
    for_peers: int = 10_000
    looped: int = 1000
    repeats: int = 5


FULL = Scale()
QUICK = Scale(10_000, 1000, 200, 3)


def make(queries: int, seed: int = 1) -> Arrays:
    """Queries of a hundred documents, a tenth of them relevant, but at least one; no ties."""
    rng = np.random.default_rng(seed)
    label = rng.random((queries, SIZE)) < POSITIVE
    label[:, 0] |= ~label.any(axis=1)
    score = rng.normal(size=label.shape) + label
    return label.ravel(), score.ravel(), np.repeat(np.arange(queries), SIZE)


def loop(scale: Scale) -> Figure:
    label, score, query = make(scale.queries)
    some = scale.looped * SIZE
    pairs = list(zip(label[:some].reshape(-1, SIZE), score[:some].reshape(-1, SIZE), strict=True))
    measure = mm.mean_over("average_precision")

    def around_sklearn() -> list[float]:
        return [average_precision_score(y, s) for y, s in pairs]

    def ours() -> float:
        return float(measure(label, score, group=query))

    found = measure.values(label[:some], score[:some], group=query[:some]).value
    assert np.allclose(found, around_sklearn(), rtol=1e-12)
    best = best_times({OURS: ours}, scale.repeats)
    best = {OURS: best[OURS] / scale.queries}
    best[SKLEARN] = best_times({SKLEARN: around_sklearn}, 2)[SKLEARN] / scale.looped
    raw = {"queries": scale.queries, "looped": scale.looped, "seconds_a_query": best}
    bars = [
        faster(best, SKLEARN, 50),
        Bar("seconds for all queries", "at most", 2, best[OURS] * scale.queries),
    ]
    return Figure(f"MAP of {scale.queries} queries of {SIZE} documents", bars, raw)


def peers(scale: Scale) -> Figure:
    label, score, query = make(scale.for_peers)
    documents = [f"d{place}" for place in range(SIZE)]
    tables = label.reshape(-1, SIZE), score.reshape(-1, SIZE)
    relevant = {
        f"q{q}": {documents[place]: 1 for place in np.flatnonzero(y)}
        for q, y in enumerate(tables[0])
    }
    ranked = {
        f"q{q}": dict(zip(documents, s.tolist(), strict=True)) for q, s in enumerate(tables[1])
    }
    qrels, scored = ranx.Qrels(relevant), ranx.Run(ranked)
    evaluator = pytrec_eval.RelevanceEvaluator(relevant, {"map"})

    def with_ranx() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ranx.evaluate(qrels, scored, "map")

    def with_trec_eval() -> float:
        found = evaluator.evaluate(ranked)
        return float(np.mean([values["map"] for values in found.values()]))

    measure = mm.mean_over("average_precision")
    works = {
        OURS: lambda: measure(label, score, group=query),
        RANX: with_ranx,
        TREC_EVAL: with_trec_eval,
    }
    best = best_times(works, scale.repeats)
    values = {name: float(work()) for name, work in works.items()}
    # trec_eval keeps scores as float32, so that some become ties.
    assert abs(values[OURS] - values[RANX]) < 1e-12
    assert abs(values[OURS] - values[TREC_EVAL]) < 1e-6
    bars = [faster(best, RANX, 3), faster(best, TREC_EVAL, 3)]
    raw = {"queries": scale.for_peers, "seconds": best, "values": values}
    return Figure(f"MAP of {scale.for_peers} queries of {SIZE} documents", bars, raw)


def kinds(scale: Scale) -> Figure:
    """Other data and other measures, against the time of one sort of all scores."""
    rng = np.random.default_rng(2)
    label, score, query = make(scale.queries)
    shuffled = rng.permutation(label.size)
    names = np.array([f"q{q}" for q in range(scale.queries)])[query]
    sizes = rng.integers(1, 2 * SIZE, 2 * scale.queries)
    ragged = np.repeat(np.arange(sizes.size), sizes)[: label.size]
    weight = rng.random(label.size) + 0.5

    def work(text: str, *given: Any, rows: Any = slice(None), **options: Any) -> Any:
        y, s, group = (array[rows] for array in given)
        measure = mm.parse(text)
        return lambda: measure.values(y, s, group=group, **options)

    usual = label, score, query
    works = {
        "np.sort": lambda: np.sort(score),
        "shuffled": work("map", *usual, rows=shuffled),
        "texts as names": work("map", label, score, names),
        "of many sizes": work("map", label, score, ragged),
        "tied": work("map", label, score.round(1), query),
        "weighted": work("map", *usual, sample_weight=weight),
        "ndcg(k=10)": work("mean_over(ndcg(k=10))", *usual),
        "reciprocal_rank": work("mean_over(reciprocal_rank)", *usual),
        "precision@k=10": work("mean_over(precision@k=10)", *usual),
        "auc": work("mean_over(auc)", *usual),
    }
    best = best_times(works, scale.repeats)
    bars = [
        Bar(f"{name}, times np.sort", "at most", 10, seconds / best["np.sort"])
        for name, seconds in best.items()
        if name != "np.sort"
    ]
    return Figure("other data, other measures", bars, {"n": label.size, "seconds": best})


FIGURES: dict[str, Callable[[Scale], Figure]] = {"loop": loop, "peers": peers, "kinds": kinds}


if __name__ == "__main__":
    run(FIGURES, FULL, QUICK, PACKAGES, __doc__)
