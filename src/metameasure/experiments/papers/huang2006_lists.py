"""Items of Huang (2006) about all ranked lists: Tables 3.4 to 3.10 and 4.1 to 4.4."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from metameasure import lab
from metameasure.experiments.declaration import Value, item
from metameasure.experiments.tolerance import LastDigit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from metameasure.experiments.declaration import Place
    from metameasure.lab import MeasureComparison

BALANCED = [{"positives": n // 2, "negatives": n // 2} for n in range(4, 17, 2)]
IMBALANCED = [{"positives": n // 4, "negatives": 3 * n // 4} for n in range(4, 17, 4)]
LARGER = BALANCED[1:]

exact = partial(
    item,
    "huang2006",
    kind="exact",
    tolerance=LastDigit(),
    cost=1.0,
    convention="the number of cases above the cut is that of the positives; pairs are unordered "
    "pairs of distinct lists",
)


def _compared(
    positives: int, negatives: int, f: str = "auc", g: str = "accuracy"
) -> tuple[str, MeasureComparison]:
    """The name of the row, and the comparison on all lists of these sizes."""
    return str(positives + negatives), lab.compare(f, g, lab.ranked_lists(positives, negatives))


def _consistency(positives: int, negatives: int) -> Iterator[Value]:
    row, found = _compared(positives, negatives)
    yield Value(row, "CON", found.counts.con)
    yield Value(row, "INCON", found.counts.incon)
    yield Value(row, "C", found.consistency)


def _discriminancy(positives: int, negatives: int) -> Iterator[Value]:
    row, found = _compared(positives, negatives)
    yield Value(row, "only AUC", found.counts.dis_fg)
    yield Value(row, "only accuracy", found.counts.dis_gf)
    yield Value(row, "D", found.discriminancy)


def _indifferency(positives: int, negatives: int) -> Iterator[Value]:
    row, found = _compared(positives, negatives)
    yield Value(row, "IND", found.counts.ind)
    yield Value(row, "pairs", found.counts.pairs)
    yield Value(row, "E", found.indifferency)


@exact(
    "table3.4",
    question="How often do AUC and accuracy order two balanced ranked lists in the same way?",
    cells=BALANCED,
)
def table_3_4(positives: int, negatives: int) -> Iterator[Value]:
    """Numbers of pairs that both measures order, and the degree of consistency."""
    return _consistency(positives, negatives)


@exact(
    "table3.5",
    question="Which of AUC and accuracy orders more pairs of balanced lists alone?",
    cells=BALANCED,
)
def table_3_5(positives: int, negatives: int) -> Iterator[Value]:
    """Numbers of pairs that one measure orders and the other ties, and the discriminancy."""
    return _discriminancy(positives, negatives)


@exact(
    "table3.6",
    question="How many pairs of balanced lists are tied for both AUC and accuracy?",
    cells=BALANCED,
)
def table_3_6(positives: int, negatives: int) -> Iterator[Value]:
    """Numbers of pairs that both measures tie, of all pairs, and the degree of indifferency."""
    return _indifferency(positives, negatives)


@exact(
    "table3.7",
    question="How often do AUC and accuracy agree on lists of which a quarter is positive?",
    cells=IMBALANCED,
    errata={("", "12", "CON"): "Huang 8"},
)
def table_3_7(positives: int, negatives: int) -> Iterator[Value]:
    """Table 3.4 for imbalanced lists."""
    return _consistency(positives, negatives)


@exact(
    "table3.8",
    question="Which of them orders more pairs alone if a quarter of the cases is positive?",
    cells=IMBALANCED,
    errata={("", "4", "D"): "Huang 8"},
)
def table_3_8(positives: int, negatives: int) -> Iterator[Value]:
    """Table 3.5 for imbalanced lists."""
    return _discriminancy(positives, negatives)


@exact(
    "table3.9",
    question="How many pairs are tied for both on lists of which a quarter is positive?",
    cells=IMBALANCED,
)
def table_3_9(positives: int, negatives: int) -> Iterator[Value]:
    """Table 3.6 for imbalanced lists."""
    return _indifferency(positives, negatives)


@exact(
    "table3.10",
    question="How do consistency and discriminancy change with the share of positives?",
    cells=[{"positives": p, "negatives": 10 - p} for p in range(1, 10)],
)
def table_3_10(positives: int, negatives: int) -> Iterator[Value]:
    """C and D of lists of ten cases; a row is named by its numbers of positives and negatives."""
    _, found = _compared(positives, negatives)
    row = f"{positives} + {negatives}"
    yield Value(row, "C", found.consistency)
    yield Value(row, "D", found.discriminancy)


def _shares(f: str, g: str, positives: int, negatives: int) -> Iterator[Value]:
    """The five fractions of pairs, C and D of a constructed measure against one of its parts."""
    row, found = _compared(positives, negatives, f, g)
    counts = found.counts
    shares = {
        "CON": counts.con,
        "INCON": counts.incon,
        "only constructed": counts.dis_fg,
        "only part": counts.dis_gf,
        "IND": counts.ind,
    }
    for column, count in shares.items():
        yield Value(row, column, count / counts.pairs)
    yield Value(row, "C", found.consistency)
    yield Value(row, "D", found.discriminancy)


constructed = partial(exact, cells=LARGER, tolerance=LastDigit(decimals=3))
TWO_LEVEL = "two_level(auc, accuracy)"
STATED = "linear(auc, accuracy, alpha=irrational)"
FITTING = "linear(auc, accuracy, alpha=0.93)"


def _wrong(number: str, places: dict[str, str]) -> dict[Place, str]:
    """The erratum of each place, by rows and the names of columns."""
    return {("", row, column): number for row in places for column in places[row].split()}


@constructed(
    "table4.1",
    question="How does the two-level measure AUC:accuracy compare with AUC?",
    errata=_wrong("Huang 15", {"14": "CON", "16": "CON"}),
)
def table_4_1(positives: int, negatives: int) -> Iterator[Value]:
    """The two-level measure against its first part."""
    return _shares(TWO_LEVEL, "auc", positives, negatives)


@constructed(
    "table4.2",
    question="How does the two-level measure AUC:accuracy compare with accuracy?",
    errata=_wrong("Huang 15", {"14": "CON", "16": "CON INCON"})
    | {("", "16", "only constructed"): "Huang 15"},
)
def table_4_2(positives: int, negatives: int) -> Iterator[Value]:
    """The two-level measure against its second part."""
    return _shares(TWO_LEVEL, "accuracy", positives, negatives)


def _everywhere(number: str) -> dict[Place, str]:
    columns = ["CON", "INCON", "only constructed", "only part", "IND", "C", "D"]
    rows = [str(2 * cell["positives"]) for cell in LARGER]
    return {("", row, column): number for row in rows for column in columns}


linear = partial(constructed, errata=_everywhere("Huang 14"))
SEARCHED = (
    "weights in (12/13, 14/15), which give the printed cells; found by search over all weights, of "
    "which 0.93 is shown; the text has the square root of one half"
)


@linear("table4.3", question="How does a linear combination of AUC and accuracy compare with AUC?")
def table_4_3(positives: int, negatives: int) -> Iterator[Value]:
    """The linear combination with the weight that the text states, against its first part."""
    return _shares(STATED, "auc", positives, negatives)


@linear(
    "table4.4", question="How does a linear combination of AUC and accuracy compare with accuracy?"
)
def table_4_4(positives: int, negatives: int) -> Iterator[Value]:
    """The linear combination with the weight that the text states, against its second part."""
    return _shares(STATED, "accuracy", positives, negatives)


@linear(
    "table4.3-weight.93",
    question="Table 4.3 with a weight that gives the printed cells.",
    alternative_to="table4.3",
    convention=SEARCHED,
)
def table_4_3_fitting(positives: int, negatives: int) -> Iterator[Value]:
    """The linear combination with another weight than the text states, against its first part."""
    return _shares(FITTING, "auc", positives, negatives)


@linear(
    "table4.4-weight.93",
    question="Table 4.4 with a weight that gives the printed cells.",
    alternative_to="table4.4",
    convention=SEARCHED,
)
def table_4_4_fitting(positives: int, negatives: int) -> Iterator[Value]:
    """The linear combination with another weight than the text states, against its second part."""
    return _shares(FITTING, "accuracy", positives, negatives)


@exact(
    "section3.2.2.1",
    question="How do consistency and discriminancy change in lists longer than 16 cases?",
    cells=[{"positives": n, "negatives": n} for n in (9, 10, 12, 16, 24, 32, 50, 64, 100)],
    cost=15.0,
)
def section_3_2_2_1(positives: int, negatives: int) -> Iterator[Value]:
    """C and D of balanced lists beyond the tables."""
    row, found = _compared(positives, negatives)
    yield Value(row, "C", found.consistency)
    yield Value(row, "D", found.discriminancy)
