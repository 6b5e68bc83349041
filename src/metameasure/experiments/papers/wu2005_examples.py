"""Exact items of Wu and Flach (2005): examples, lemmas and theorems, and arithmetic."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

import metameasure as mm
from metameasure.experiments.declaration import Value, item, published
from metameasure.experiments.tolerance import LastDigit

if TYPE_CHECKING:
    from collections.abc import Iterator

exact = partial(item, "wu2005", kind="exact", tolerance=LastDigit(), cells=[{}], cost=0.1)
LABELS = [1, 0, 1, 1, 0, 0, 0]
MODELS = {
    "M1": [0.95, 0.89, 0.86, 0.84, 0.15, 0.13, 0.10],
    "M2": [0.95, 0.89, 0.20, 0.16, 0.15, 0.13, 0.10],
}


@exact("examples1-2", question="Does the scored AUC distinguish two models with the same AUC?")
def examples_1_2() -> Iterator[Value]:
    """AUC, which is the same, and the parts of the scored AUC."""
    for row, scores in MODELS.items():
        yield Value(row, "AUC", mm.auc(LABELS, scores))
        yield Value(row, "R+", mm.r_plus(LABELS, scores))
        yield Value(row, "R-", mm.r_minus(LABELS, scores))
        yield Value(row, "sAUC", mm.scored_auc(LABELS, scores))


TABLES = 1000
SLACK = 1e-12
CLAIMS = ("Lemma 1", "Lemma 2", "Theorem 1", "Theorem 2")


@exact(
    "theorems",
    derived=True,
    question="On how many random lists do the lemmas and theorems fail?",
    cells=[{"claim": claim} for claim in CLAIMS],
    cost=3.0,
    convention=f"{TABLES} random lists of up to 6 + 6 cases with ties, scores in [0, 1] (WF05 4)",
)
def theorems(claim: str, generator: np.random.Generator) -> Iterator[Value]:
    """The number of failures among random lists."""
    found = [_holds(claim, generator) for _ in range(TABLES)]
    yield Value(claim, "tried", len(found))
    yield Value(claim, "failures", found.count(False))


def _holds(claim: str, rng: np.random.Generator) -> bool:
    m, n = (int(size) for size in rng.integers(1, 7, 2))
    high, low = rng.integers(0, 33, m) / 32, rng.integers(0, 33, n) / 32
    if claim == "Lemma 1":
        high, low = np.ones(m), np.zeros(n)
    elif claim == "Lemma 2":
        high, low = 0.5 + high / 2, low / 4
    case = [1] * m + [0] * n, [*high.tolist(), *low.tolist()]
    plus, minus, scored, auc = (f(*case) for f in (mm.r_plus, mm.r_minus, mm.scored_auc, mm.auc))
    gap = float(high.mean() - low.mean())
    conditions = {
        "Lemma 1": (minus, plus, scored, auc) == (0, 1, 1, 1),
        "Lemma 2": abs(scored - gap) < SLACK,
        "Theorem 1": plus <= high.mean() + SLACK and minus <= low.mean() + SLACK,
        "Theorem 2": gap - SLACK <= scored <= auc + SLACK,
    }
    return bool(conditions[claim])


COLUMNS = ("AUC", "sAUC")


@exact(
    "arithmetic",
    question="Do the printed averages, wins and losses follow from the printed rows?",
    cells=[{"table": "table4"}, {"table": "table5"}],
    convention="from the printed rows alone; a win or loss is what the paper marks as significant",
    errata={
        (table, "average", column): "WF05 5" for table in ("table4", "table5") for column in COLUMNS
    },
)
def arithmetic(table: str) -> Iterator[Value]:
    """The averages over the data sets, and the numbers of marks."""
    printed = published("wu2005", table)
    rows = list(dict.fromkeys(row for _, row, _ in printed if row != "average"))
    for column in COLUMNS:
        values = [printed["", row, column].value for row in rows]
        yield Value("average", column, sum(values) / len(values), part=table)
    marks = [text.value for (_, _, column), text in printed.items() if column == "significant"]
    yield Value("significant", "wins", marks.count(1), part=table)
    yield Value("significant", "losses", marks.count(-1), part=table)
