"""Exact items of Wu, Flach and Ferri (2007): examples, sROC curves, theorems and arithmetic."""

from __future__ import annotations

from functools import partial
from itertools import pairwise, product
from typing import TYPE_CHECKING

import numpy as np

import metameasure as mm
from metameasure.experiments.arithmetic import critical_wins, sign_test
from metameasure.experiments.declaration import Value, item, published
from metameasure.experiments.tolerance import LastDigit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from matplotlib.figure import Figure

    from metameasure.experiments.reproduction import Reproduction

exact = partial(item, "wu2007", kind="exact", tolerance=LastDigit(), cells=[{}], cost=0.1)
MODELS = {
    "M1": ([1, 1, 1, 0, 0, 0], [1.0, 0.7, 0.6, 0.5, 0.4, 0.0]),
    "M2": ([1, 1, 0, 1, 0, 0], [1.0, 0.9, 0.6, 0.5, 0.2, 0.0]),
}


@exact("examples1-2", question="Which of two models is less sensitive to drifting scores?")
def examples_1_2() -> Iterator[Value]:
    """Measures of both models, and the AUC after the positives have lost 0.25."""
    for row, (labels, scores) in MODELS.items():
        yield Value(row, "AUC", mm.auc(labels, scores))
        yield Value(row, "SSE", mm.sse(labels, scores))
        yield Value(row, "mean squared error", mm.brier(labels, scores))
        yield Value(row, "AUC after drift", mm.margin_auc(labels, scores, tau=0.25))
        yield Value(row, "R+", mm.r_plus(labels, scores))
        yield Value(row, "R-", mm.r_minus(labels, scores))
        yield Value(row, "sAUC", mm.scored_auc(labels, scores))


def _draw_figure_1(_: Reproduction) -> Figure:
    from metameasure.plots import SrocDisplay  # noqa: PLC0415

    tables = {name: mm.tabulate(*model) for name, model in MODELS.items()}
    return SrocDisplay.from_predictions(tables).figure_


@exact(
    "figure1",
    question="How fast does the AUC of both models fall with the margin?",
    convention="the curve has no printed numbers; the text states its ends",
    figure=_draw_figure_1,
)
def figure_1() -> Iterator[Value]:
    """The margin-based AUC at five margins."""
    for row, (labels, scores) in MODELS.items():
        for tau in (0, 0.25, 0.5, 0.75, 1):
            yield Value(row, f"margin {tau:g}", mm.margin_auc(labels, scores, tau=tau))


TABLES = 1000
SLACK = 1e-12
Table = tuple[list[int], list[float], np.ndarray, np.ndarray]


def _draw(rng: np.random.Generator, *, separated: bool = False) -> Table:
    """A random list with ties, and the scores of its positives and negatives."""
    m, n = rng.integers(1, 7, 2)
    high, low = rng.integers(0, 33, m) / 32, rng.integers(0, 33, n) / 32
    if separated:
        high, low = 0.5 + high / 2, low / 4
    return [1] * m + [0] * n, [*high.tolist(), *low.tolist()], high, low


def _area_under_sroc(table: Table) -> bool:
    labels, scores, high, low = table
    gaps = [y - x for y, x in product(high, low)]
    steps = [0.0, *sorted({gap for gap in gaps if gap > 0}), 1.0]
    area = sum((b - a) * mm.margin_auc(labels, scores, tau=a) for a, b in pairwise(steps))
    return bool(abs(area - mm.scored_auc(labels, scores)) < SLACK)


def _difference(table: Table) -> bool:
    labels, scores, *_ = table
    parts = mm.r_plus(labels, scores) - mm.r_minus(labels, scores)
    return bool(abs(parts - mm.scored_auc(labels, scores)) < SLACK)


def _bounds(table: Table) -> bool:
    labels, scores, high, low = table
    gap, scored, auc = (m(labels, scores) for m in (mm.mean_gap, mm.scored_auc, mm.auc))
    return bool(
        mm.r_plus(labels, scores) <= high.mean() + SLACK
        and mm.r_minus(labels, scores) <= low.mean() + SLACK
        and gap - SLACK <= scored <= auc + SLACK
    )


def _separated(table: Table) -> bool:
    labels, scores, *_ = table
    gap, scored = mm.mean_gap(labels, scores), mm.scored_auc(labels, scores)
    return bool(abs(gap - scored) < SLACK and mm.auc(labels, scores) == 1)


THEOREMS: dict[str, tuple[Callable[[Table], bool], bool]] = {
    "Theorem 1": (_area_under_sroc, False),
    "Theorem 2": (_difference, False),
    "Theorem 3": (_bounds, False),
    "Theorem 4": (_separated, True),
}


@exact(
    "theorems",
    derived=True,
    question="On how many random lists do theorems 1 to 4 fail, and what is theorem 6 worth?",
    cells=[{"theorem": name} for name in (*THEOREMS, "Theorem 6")],
    cost=5.0,
    convention=f"{TABLES} random lists of up to 6 + 6 cases with ties; theorem 5 is a property "
    "test; of theorem 6 the value for M1 is shown, by the printed formula and as DeLong's "
    "estimate, which the text names",
    errata={("", "Theorem 6", "variance of M1"): "WFF 2"},
)
def theorems(theorem: str, generator: np.random.Generator) -> Iterator[Value]:
    """The number of failures among random lists."""
    if theorem == "Theorem 6":
        yield Value(theorem, "variance of M1", delong_variance(*MODELS["M1"]))
        return
    holds, separated = THEOREMS[theorem]
    found = [holds(_draw(generator, separated=separated)) for _ in range(TABLES)]
    yield Value(theorem, "tried", len(found))
    yield Value(theorem, "failures", found.count(False))


def delong_variance(labels: list[int], scores: list[float]) -> float:
    """DeLong's estimate of the variance of the scored AUC."""
    positive, score = np.array(labels, bool), np.array(scores)
    margins = np.maximum(score[positive][:, None] - score[~positive], 0)
    rows, columns = margins.mean(axis=1), margins.mean(axis=0)
    return float(rows.var(ddof=1) / rows.size + columns.var(ddof=1) / columns.size)


LEARNERS = ("J48", "Naive Bayes", "Logistic Regression")


@exact(
    "arithmetic",
    question="Do the printed numbers of wins and the sign test follow from the printed rows?",
    cells=[{"table": "table4"}, {"table": "table5"}],
    convention="from the printed rows alone; equal values are no win",
    errata={
        ("table5", "J48", "wins over BS"): "WFF 8",
        ("table4", "all", "critical number of wins"): "WFF 9",
    },
)
def arithmetic(table: str) -> Iterator[Value]:
    """Wins of sAUC, the p-value of the exact two-tailed sign test, and its critical value."""
    values = {place: text.value for place, text in published("wu2007", table).items()}
    sets = list(dict.fromkeys(row for _, row, _ in values if row != "wins"))
    for learner in LEARNERS:
        for other in ("AUC", "BS"):
            gaps = [values[learner, s, "sAUC"] - values[learner, s, other] for s in sets]
            wins, losses = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
            yield Value(learner, f"wins over {other}", wins, part=table)
            yield Value(learner, f"p over {other}", sign_test(wins, losses), part=table)
    level = 0.05 if table == "table4" else 0.1
    critical = critical_wins(len(sets), level)
    yield Value("all", "critical number of wins", critical, part=table)
