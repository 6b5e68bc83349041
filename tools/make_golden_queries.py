"""Record what trec_eval (through pytrec_eval) says about random queries.

The values are for tests/measurement/test_grouped_mean.py.

    pip install pytrec_eval-terrier && python tools/make_golden_queries.py

Scores are whole numbers that differ within a query, since trec_eval keeps them as float32 and
orders ties by the names of the documents.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytrec_eval

FILE = Path(__file__).parent.parent / "tests" / "golden" / "queries.json"
MEASURES = {
    "mean_over(average_precision)": "map",
    "mean_over(ndcg)": "ndcg",
    "mean_over(ndcg(k=10))": "ndcg_cut_10",
    "mean_over(reciprocal_rank)": "recip_rank",
    "mean_over(precision@k=5)": "P_5",
    "mean_over(precision@k=P)": "Rprec",
}


def main() -> None:
    rng = np.random.default_rng(20)
    queries = []
    while len(queries) < 40:
        size = int(rng.integers(10, 60))
        label = (rng.random(size) < rng.uniform(0.02, 0.6)).astype(int)
        if label.any():
            queries.append((label.tolist(), (rng.permutation(4 * size)[:size] - size).tolist()))
    relevant = {
        f"q{q}": {f"d{d}": y for d, y in enumerate(label)} for q, (label, _) in enumerate(queries)
    }
    run = {
        f"q{q}": {f"d{d}": float(s) for d, s in enumerate(score)}
        for q, (_, score) in enumerate(queries)
    }
    asked = {"map", "ndcg", "ndcg_cut.10", "recip_rank", "P.5", "Rprec"}
    found = pytrec_eval.RelevanceEvaluator(relevant, asked).evaluate(run)
    values = {
        ours: [found[f"q{q}"][theirs] for q in range(len(queries))]
        for ours, theirs in MEASURES.items()
    }
    content = {
        "label": [y for label, _ in queries for y in label],
        "score": [s for _, score in queries for s in score],
        "group": [q for q, (label, _) in enumerate(queries) for _ in label],
        "values": values,
    }
    FILE.write_text(json.dumps(content) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
