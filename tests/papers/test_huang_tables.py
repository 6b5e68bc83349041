"""Huang 2006, chapters 3 and 4: every printed count and degree of comparisons, and the theorems.

Where the print is wrong, the printed and the right number stand beside each other.
"""

import math
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metameasure as mm
from metameasure import lab
from metameasure.measurement import Measure
from oracles import classes
from oracles import pairs as slow
from small_domains import elements

INF = math.inf
DEGREES = ("consistency", "discriminancy")


def compared(f, g, positives, negatives):
    return lab.compare(f, g, lab.ranked_lists(positives, negatives))


def shown(value, digits):
    """A number as it is printed: rounded half up."""
    if math.isinf(value):
        return "∞"
    scaled = Fraction(value) * 10**digits
    return f"{math.floor(scaled + Fraction(1, 2)) / 10**digits:.{digits}f}"


def ratio(some, of):
    return Fraction(some, of) if of else INF


# Tables 3.4, 3.5 and 3.6: balanced lists. By the number of cases:
# consistent, inconsistent, C; only AUC decides, only accuracy decides, D; both tie, pairs, E.
BALANCED = {
    4: (9, 0, "1.000", 5, 0, "∞", 1, 15, "0.067"),
    6: (113, 1, "0.991", 62, 4, "15.5", 10, 190, "0.053"),
    8: (1459, 34, "0.977", 762, 52, "14.7", 108, 2415, "0.045"),
    10: (19742, 766, "0.963", 9416, 618, "15.2", 1084, 31626, "0.034"),
    12: (273600, 13997, "0.951", 120374, 7369, "16.3", 11086, 426426, "0.026"),
    14: (3864673, 237303, "0.942", 1578566, 89828, "17.6", 117226, 5887596, "0.020"),
    16: (55370122, 3868959, "0.935", 21161143, 1121120, "18.9", 1290671, 82812015, "0.016"),
}
# Tables 3.7, 3.8 and 3.9: a quarter of the cases is positive.
IMBALANCED = {
    4: (3, 0, "1.000", 3, 0, "∞", 0, 6, "0.000"),
    8: (187, 10, "0.949", 159, 10, "15.9", 12, 378, "0.032"),
    12: (12761, 1225, "0.912", 8986, 489, "18.4", 629, 24090, "0.026"),
    16: (926884, 114074, "0.890", 559751, 25969, "21.6", 28612, 1655290, "0.017"),
}
ROWS = [(n // 2, n // 2, row) for n, row in BALANCED.items()]
ROWS += [(n // 4, 3 * n // 4, row) for n, row in IMBALANCED.items()]


@pytest.mark.parametrize(("positives", "negatives", "row"), ROWS)
@pytest.mark.parametrize("way", ["count", "enumerate"])
def test_tables_3_4_to_3_9(positives, negatives, row, way):
    con, incon, c, dis_fg, dis_gf, d, ind, pairs, e = row
    found = lab.compare("auc", "accuracy", lab.ranked_lists(positives, negatives, way=way))
    counts = found.counts
    assert (counts.con, counts.incon) == (con, incon)
    assert (counts.dis_fg, counts.dis_gf) == (dis_fg, dis_gf)
    assert (counts.ind, counts.pairs) == (ind, pairs)
    exactly = (ratio(con, con + incon), ratio(dis_fg, dis_gf), Fraction(ind, pairs))
    degrees = (found.consistency, found.discriminancy, found.indifferency)
    assert degrees == tuple(map(float, exactly))
    assert [shown(x, k) for x, k in zip(exactly, (3, 1, 3), strict=True)] == [c, d, e]
    assert found.exact


def test_erratum_8_a_count_of_table_3_7_and_a_degree_of_table_3_8():
    printed, right = 12716, IMBALANCED[12][0]
    _, incon, c, dis_fg, dis_gf, _, ind, pairs, _ = IMBALANCED[12]
    assert right == 12761
    assert right + incon + dis_fg + dis_gf + ind == pairs == math.comb(math.comb(12, 3), 2)
    assert printed + incon + dis_fg + dis_gf + ind == pairs - 45
    assert shown(Fraction(printed, printed + incon), 3) == c  # the degree does not show it
    # Four cases: three pairs that only AUC decides and none that only accuracy does. Printed: NA.
    assert compared("auc", "accuracy", 1, 3).discriminancy == INF


def test_erratum_9_the_least_discriminancy_and_no_limits():
    """Printed: D lies between 15.5 and 18.9; C seems to approach .93, D seems to approach 19."""
    found = {n: compared("auc", "accuracy", n, n) for n in (*range(3, 9), 9, 12, 16, 24, 32)}
    least = min(found, key=lambda n: found[n].discriminancy)
    assert least == 4
    assert shown(found[4].discriminancy, 2) == "14.65"
    degrees = [(found[n].consistency, found[n].discriminancy) for n in found if n >= 4]
    assert all(c > later for (c, _), (later, _) in pairwise(degrees))
    assert all(d < later for (_, d), (_, later) in pairwise(degrees))
    assert found[9].consistency < 0.93
    assert found[9].discriminancy > 19
    assert found[32].consistency < 0.89
    assert found[32].discriminancy > 50


def test_the_law_that_c_and_d_follow():
    """C falls to 5/6 and D grows like 2n/sqrt(3): see docs/laboratory.md."""
    for n in (16, 24, 40, 64):
        found = compared("auc", "accuracy", n, n)
        counts, pairs = found.counts, found.counts.pairs
        agreement = float(Fraction(counts.con - counts.incon, pairs))
        # What remains is of the second order: it goes to about 0.257 / n^2.
        rest = agreement - 2 / 3 + 7 * math.sqrt(3) / (10 * math.pi * n)
        assert 0.23 < n**2 * rest < 0.26
        tied = [float(Fraction(c, pairs)) for c in (counts.dis_fg, counts.dis_gf, counts.ind)]
        tied_in_accuracy, tied_in_auc = tied[0] + tied[2], tied[1] + tied[2]
        assert tied_in_accuracy == pytest.approx(math.sqrt(2 / (math.pi * n)), rel=0.35 / n)
        assert tied_in_auc == pytest.approx(math.sqrt(1.5 / math.pi) * n**-1.5, rel=0.4 / n)
        assert tied[2] == pytest.approx(2 * math.sqrt(3) / (math.pi * n**2), rel=0.8 / n)
        assert found.consistency == pytest.approx(5 / 6 + 0.266 / math.sqrt(n), abs=0.09 / n)
        straight = 2 * n / math.sqrt(3) + 1.8426 * math.sqrt(n) + 2.94
        assert found.discriminancy == pytest.approx(straight, rel=0.5 / n)
    # A quarter of the cases is positive: the distance from the limit is halved by fourfold sizes.
    limit = 0.5 + math.asin(0.75) / math.pi
    above = [compared("auc", "accuracy", n, 3 * n).consistency - limit for n in (8, 32)]
    assert above[0] / above[1] == pytest.approx(2, rel=0.15)


def test_the_table_of_the_documentation():
    page = (Path(__file__).parents[2] / "docs" / "laboratory.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \+ \1 \| (\S+) \| \S+ \| (\S+) \|", page, re.MULTILINE)
    assert len(rows) == 14
    for n, c, d in rows:
        if int(n) <= 64:
            found = compared("auc", "accuracy", int(n), int(n))
            assert (shown(found.consistency, 4), shown(found.discriminancy, 1)) == (c, d)


# Table 3.10: ten cases, by the number of positives.
TEN = {
    1: ("1.000", "∞"), 2: ("0.926", "22.3"), 3: ("0.939", "15.5"), 4: ("0.956", "14.9"),
    5: ("0.963", "15.2"), 6: ("0.956", "14.9"), 7: ("0.939", "15.5"), 8: ("0.926", "22.3"),
    9: ("1.000", "∞"),
}  # fmt: skip


def test_table_3_10():
    found = {p: compared("auc", "accuracy", p, 10 - p) for p in TEN}
    degrees = {p: (shown(r.consistency, 3), shown(r.discriminancy, 1)) for p, r in found.items()}
    assert degrees == TEN
    for p in range(1, 10):
        assert found[p].counts == found[10 - p].counts
    # Erratum 10, printed: the more imbalanced, the higher D. From 5 + 5 to 4 + 6 it falls.
    assert found[4].discriminancy < found[5].discriminancy


# Tables 4.1 and 4.2: the two-level measure against AUC and against accuracy. Columns: CON, INCON,
# DIS of the two-level measure over the other, the other way round, IND, C.
TWO_LEVEL = {
    ("auc", 6): ".926 .000 .021 .000 .053 1.000",
    ("auc", 8): ".934 .000 .022 .000 .045 1.000",
    ("auc", 10): ".946 .000 .020 .000 .034 1.000",
    ("auc", 12): ".957 .000 .017 .000 .026 1.000",
    ("auc", 14): ".964 .000 .015 .000 .020 1.000",
    ("auc", 16): ".970 .000 .014 .000 .016 1.000",
    ("accuracy", 6): ".616 .005 .326 .000 .053 .992",
    ("accuracy", 8): ".626 .014 .316 .000 .045 .978",
    ("accuracy", 10): ".644 .024 .298 .000 .034 .964",
    ("accuracy", 12): ".659 .033 .282 .000 .026 .953",
    ("accuracy", 14): ".671 .040 .268 .000 .020 .943",
    ("accuracy", 16): ".683 .046 .255 .000 .016 .936",
}
COLUMNS = ("con", "incon", "dis_fg", "dis_gf", "ind", "C")
# Erratum 15: table, cases and column, with the printed and the right last digits.
WRONG_DIGITS = {
    ("auc", 14, "con"): (".964", ".965"),
    ("auc", 16, "con"): (".970", ".971"),
    ("accuracy", 14, "con"): (".671", ".672"),
    ("accuracy", 16, "con"): (".683", ".682"),
    ("accuracy", 16, "incon"): (".046", ".047"),
    ("accuracy", 16, "dis_fg"): (".255", ".256"),
}
# Tables 4.3 and 4.4: the linear combination.
LINEAR = TWO_LEVEL | {
    ("auc", 14): ".965 .000 .015 .000 .020 .99",
    ("auc", 16): ".970 .000 .014 .000 .016 .99",
    ("accuracy", 14): ".672 .040 .268 .000 .020 .944",
    ("accuracy", 16): ".683 .046 .256 .000 .016 .937",
}


def cells(f, g, n):
    """The five shares and C as exact numbers."""
    counts = compared(f, g, n // 2, n // 2).counts
    shares = [Fraction(getattr(counts, name), counts.pairs) for name in COLUMNS[:5]]
    return dict(zip(COLUMNS, [*shares, ratio(counts.con, counts.con + counts.incon)], strict=True))


def differing(f, printed):
    """The cells that do not round to the print: as printed, and as they round."""
    found = {}
    for (g, n), row in printed.items():
        for (column, value), text in zip(cells(f, g, n).items(), row.split(), strict=True):
            rounded = shown(value, len(text.partition(".")[2]))
            if rounded != f"{float(text):.{len(text.partition('.')[2])}f}":
                found[g, n, column] = (text, rounded.removeprefix("0"))
    return found


def test_tables_4_1_and_4_2_and_erratum_15():
    assert differing("two_level(auc, accuracy)", TWO_LEVEL) == WRONG_DIGITS
    for g in ("auc", "accuracy"):
        assert compared("two_level(auc, accuracy)", g, 8, 8).discriminancy == INF


def test_tables_4_3_and_4_4_are_for_another_alpha():
    """Erratum 14: 70 of the 72 cells are right for .93; both others are cut off, not rounded."""
    off = differing("linear(auc, accuracy, alpha=0.93)", LINEAR)
    assert off == {("auc", 14, "C"): (".99", "1.00"), ("auc", 16, "C"): (".99", "1.00")}
    # Printed is C = 1 up to 12 cases and .99, cut off, for 14 and 16: that is so for all weights
    # between 12/13 and 14/15, and for no others.
    for alpha in (0.924, 0.93, 0.933):
        assert 12 / 13 < alpha < 14 / 15
        assert differing(f"linear(auc, accuracy, alpha={alpha})", LINEAR) == off
        assert contradicted(alpha) == [14, 16]
    assert contradicted(0.922) == [12, 14, 16]
    assert contradicted(0.934) == [16]


def contradicted(alpha):
    """The numbers of cases for which the combination contradicts AUC."""
    f = f"linear(auc, accuracy, alpha={alpha})"
    return [n for n in range(6, 18, 2) if cells(f, "auc", n)["C"] < 1]


def test_tables_4_3_and_4_4_for_the_printed_alpha():
    """The root of one half: AUC is contradicted, and accuracy less often than printed."""
    found = {key: cells("linear(auc, accuracy, alpha=irrational)", *key) for key in LINEAR}
    incon = [shown(found["auc", n]["incon"], 3) for n in range(6, 18, 2)]
    assert incon == ["0.005", "0.010", "0.019", "0.021", "0.021", "0.028"]
    assert [shown(found["auc", n]["C"], 3) for n in (6, 16)] == ["0.994", "0.972"]
    assert [shown(found["accuracy", n]["C"], 3) for n in (6, 16)] == ["1.000", "0.974"]
    off = differing("linear(auc, accuracy, alpha=irrational)", LINEAR)
    assert len(off) == 36
    for n in range(6, 18, 2):
        for g in ("auc", "accuracy"):
            assert found[g, n]["dis_gf"] == 0
            assert found[g, n]["dis_fg"] > 0


# Tables 3.18 and 3.19: orders. By row, with the columns in the same order.
ORDER = ["auc", "reversed_pairs", "manhattan_distance", "euclidean_distance", "ordered_auc"]
ORDER += ["accuracy"]
CONSISTENCY = """
1    .88  .89  .87  .99  .98
.88  1    .95  .98  .89  .91
.89  .95  1    .95  .90  .95
.87  .98  .95  1    .88  .90
.99  .89  .90  .88  1    .97
.98  .91  .95  .90  .97  1
"""
DISCRIMINANCY = """
1      .88   1.42  .21   .0732 14.0
1.14   1     1.84  .242  .215  9.94
.704   .54   1     .117  .116  6.8
4.76   4.13  8.55  1     .87   38.2
13.67  4.65  8.64  1.15  1     94.75
.071   .10   .147  .026  .011  1
"""
PREFERENCE = (
    "ordered_auc > euclidean_distance > reversed_pairs > auc > manhattan_distance > accuracy"
)


def table(text):
    rows = [line.split() for line in text.strip().splitlines()]
    return {
        (f, g): float(rows[i][j])
        for i, f in enumerate(ORDER)
        for j, g in enumerate(ORDER)
        if i != j
    }


@pytest.fixture(scope="module")
def orders():
    return {n: lab.preference_order(ORDER, lab.permutations(n)) for n in (7, 8)}


@pytest.mark.parametrize("n", [7, 8])
def test_the_preference_order_of_section_3_3(orders, n):
    assert orders[n].text == PREFERENCE
    assert orders[n].cycles == ()


def test_erratum_13_tables_3_18_and_3_19_are_for_lists_of_seven(orders):
    """Printed: lists of length 8."""

    def unlike(n):
        return {
            tuple(sorted(pair))
            for pair, printed in table(CONSISTENCY).items()
            if round(orders[n].matrix[tuple(map(mm.parse, pair))].consistency, 2) != printed
        }

    assert unlike(7) == {("accuracy", "ordered_auc")}
    found = orders[7].matrix[mm.parse("ordered_auc"), mm.accuracy].consistency
    assert shown(found, 3) == "0.965"  # printed .97
    assert len(unlike(8)) == 8
    # The degrees of discriminancy that are off by more than 2%, as printed and as they are.
    off = {}
    for pair, printed in table(DISCRIMINANCY).items():
        found = orders[7].matrix[tuple(map(mm.parse, pair))].discriminancy
        if abs(found / printed - 1) > 0.02:
            off[pair] = (printed, float(f"{found:.3g}"))
    assert off == {
        ("euclidean_distance", "reversed_pairs"): (4.13, 6.14),
        ("reversed_pairs", "euclidean_distance"): (0.242, 0.163),
        ("reversed_pairs", "auc"): (1.14, 1.21),
        ("auc", "reversed_pairs"): (0.88, 0.827),
        ("ordered_auc", "accuracy"): (94.75, 84.9),
        ("accuracy", "ordered_auc"): (0.011, 0.0118),
        ("ordered_auc", "auc"): (13.67, 14.3),
        ("auc", "ordered_auc"): (0.0732, 0.0699),
    }
    far = [
        pair
        for pair, printed in table(DISCRIMINANCY).items()
        if abs(orders[8].matrix[tuple(map(mm.parse, pair))].discriminancy / printed - 1) > 0.02
    ]
    assert len(far) == 28


# Table 3.12: several classes with two cases each, drawn at random.
SEVERAL = {3: (0.897, 5.5), 4: (0.828, 7.1), 5: (0.785, 9.5)}


def drawn_classes(k, rng):
    """Probabilities of 2k cases, as many with their largest in one class as in another.

    Cases are drawn until two have been found for each class; the true classes are shuffled.
    """
    kept = []
    while len(kept) < 2 * k:
        row = rng.random(k)
        row /= row.sum()
        if sum(np.argmax(other) == np.argmax(row) for other in kept) < 2:
            kept.append(row)
    return rng.permutation(np.repeat(np.arange(k), 2)).tolist(), [row.tolist() for row in kept]


def test_table_3_12_by_hand():
    """The library's draws and plain ones, list by list, have the same degrees."""
    rng, batches = np.random.default_rng(8), []
    for _ in range(8):
        lists = [drawn_classes(3, rng) for _ in range(120)]
        f = [round(12 * classes.hand_till_auc(*one, 3) * 4) for one in lists]
        g = [round(6 * classes.accuracy(*one)) for one in lists]
        batches.append(slow.judged(f, g))
    found = lab.compare("hand_till_auc", "accuracy", lab.multiclass(3, 2, lists=2000, seed=5))
    for degree, above, below in (
        ("consistency", ["con"], ["con", "incon"]),
        ("discriminancy", ["dis_fg"], ["dis_gf"]),
    ):
        some = np.array([sum(b[name] for name in above) for b in batches])
        of = np.array([sum(b[name] for name in below) for b in batches])
        value = some.sum() / of.sum()
        square = np.sum((some - value * of) ** 2) * len(some) / (len(some) - 1)
        error = math.hypot(math.sqrt(square) / of.sum(), getattr(found, f"{degree}_se"))
        assert abs(getattr(found, degree) - value) < 4 * error


def test_table_3_12():
    """The generator is not described well enough to agree within the error of sampling.

    By this convention C lies up to .012 below the print and D up to 8% off.
    """
    found = {
        k: lab.compare("hand_till_auc", "accuracy", lab.multiclass(k, 2, lists=2000, seed=2))
        for k in SEVERAL
    }
    for k, (c, d) in SEVERAL.items():
        assert abs(found[k].consistency - c) < 0.012 + 3 * found[k].consistency_se
        assert abs(found[k].discriminancy - d) < 0.08 * d + 3 * found[k].discriminancy_se
        assert found[k].verdict == "better"
    assert found[3].consistency > found[4].consistency > found[5].consistency
    assert found[3].discriminancy < found[4].discriminancy < found[5].discriminancy


# The lemmas and theorems of section 3.2.1, for all lists of small sizes


def all_lists(positives, negatives):
    """How many lists have an accuracy and an AUC, as the library gives them."""
    domain = lab.ranked_lists(positives, negatives, way="enumerate")
    kinds = Counter()
    for task in domain._tasks():
        block = domain.block(task)
        area = np.rint(mm.auc.compute(block) * positives * negatives).astype(int)
        hits = np.rint(
            mm.accuracy.using(k=positives).compute(block) * (positives + negatives)
        ).astype(int)
        kinds.update(zip(hits.tolist(), area.tolist(), strict=True))
    assert sum(kinds.values()) == math.comb(positives + negatives, positives)
    n, pairs = positives + negatives, positives * negatives
    found = {}
    for (hits, wins), lists in kinds.items():
        found.setdefault(Fraction(hits, n), Counter())[Fraction(wins, pairs)] = lists
    return found


SMALL = [(a, b) for a in range(1, 7) for b in range(1, 7) if a + b <= 10]
EQUAL = range(1, 7)


def ends(alpha, n0, n1):
    """Lemma 1: the least and the greatest AUC of lists with an accuracy."""
    square = Fraction((n0 + n1) ** 2)
    least = (square * alpha**2 - (n0 - n1) ** 2) / (4 * n0 * n1)
    return least, 1 - square * (1 - alpha) ** 2 / (4 * n0 * n1)


@pytest.mark.parametrize(("n0", "n1"), SMALL)
def test_lemmas_1_to_5_and_theorem_1(n0, n1):
    kinds = all_lists(n0, n1)
    for alpha, areas in kinds.items():
        least, most = ends(alpha, n0, n1)
        assert (min(areas), max(areas)) == (least, most)  # lemma 1
        assert len(areas) == (alpha - alpha**2) * (n0 + n1) ** 2 / 2 + 1  # lemma 3
        for area, lists in areas.items():
            assert areas[least + most - area] == lists  # lemma 4
    more = less = 0
    for alpha, beta in permutations(kinds, 2):
        if alpha > beta:
            limits = zip(ends(alpha, n0, n1), ends(beta, n0, n1), strict=True)
            assert all(here > there for here, there in limits)  # lemma 2
            above, below = ordered(kinds[alpha], kinds[beta])
            assert above > below  # lemma 5
            more, less = more + above, less + below
    assert more > less  # theorem 1
    found = compared("auc", "accuracy", n0, n1).counts
    assert (found.con, found.incon) == (more, less)


def ordered(areas, others):
    """The pairs of lists in which the first has the larger AUC, and in which it has the smaller."""
    above = sum(m * k for a, m in areas.items() for b, k in others.items() if a > b)
    below = sum(m * k for a, m in areas.items() for b, k in others.items() if a < b)
    return above, below


def right_pairs(n, positives):
    """Number of lists by the number of correctly ordered pairs."""
    return Counter(
        sum(place - i for i, place in enumerate(chosen))
        for chosen in combinations(range(n), positives)
    )


@pytest.mark.parametrize("n", range(2, 11))
def test_lemmas_6_and_7(n):
    for m in range(1, (n + 1) // 2):
        fewer, more, turned = (right_pairs(n, k) for k in (m, m + 1, n - m))
        assert all(more[sigma] >= lists for sigma, lists in fewer.items())
        assert fewer == turned


@pytest.mark.parametrize("n", EQUAL)
def test_lemmas_8_and_9(n):
    """From the least AUC of an accuracy on, it has no fewer lists than 1 - accuracy."""
    kinds = all_lists(n, n)
    above = {
        alpha: {area - ends(alpha, n, n)[0]: lists for area, lists in areas.items()}
        for alpha, areas in kinds.items()
    }
    half = Fraction(1, 2)
    for alpha, beta in permutations(kinds, 2):
        if alpha + beta == 1:
            assert above[alpha] == above[beta]  # lemma 8
        if (
            half >= alpha > beta
            or beta > alpha >= half
            or (alpha > half > beta and 1 - alpha >= beta)
            or (beta > half > alpha and 1 - alpha < beta)
        ):
            assert all(above[alpha].get(g, 0) >= lists for g, lists in above[beta].items())


def test_theorem_2_and_erratum_11():
    """Only AUC decides more pairs than only accuracy does; for 1 + 1 both decide none alone."""
    first = compared("auc", "accuracy", 1, 1)
    assert (first.counts.dis_fg, first.counts.dis_gf) == (0, 0)
    assert first.verdict == "equivalent"
    for n in range(2, 16):
        found = compared("auc", "accuracy", n, n)
        assert found.counts.dis_fg > found.counts.dis_gf
        assert found.verdict == ("better" if n > 2 else "dominates")


# The theorems of chapter 4, with their true conditions, for any values of two measures

VALUES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=2, max_size=9)


def judged(f, g, rows):
    """What the laboratory says of measures made of two with these values."""
    columns = dict(zip(("auc", "ks"), zip(*rows, strict=True), strict=True))
    return lab.compare(f, g, elements(**columns))


@given(VALUES)
def test_theorem_3_monotone_functions_are_equivalent(rows):
    first, _ = zip(*rows, strict=True)
    raised = [(a, 3 * a**3 - 7) for a in first]
    found = judged("auc", "ks", raised)
    assert found.verdict == "equivalent"
    assert (found.counts.incon, found.counts.dis_fg, found.counts.dis_gf) == (0, 0, 0)


def test_theorem_3_for_a_function_of_a_measure():
    for name, change in (("cubed", lambda x: x**3), ("logarithm", lambda x: np.log1p(x) - 5)):
        changed = Measure(
            replace(
                mm.auc.declaration,
                name=name,
                range=(-5.0, 1.0),
                function=lambda t, change=change: change(mm.auc.compute(t)),
                quantum=None,
            )
        )
        assert lab.compare(changed, "auc", lab.ranked_lists(5, 4)).verdict == "equivalent"


@given(VALUES)
def test_theorems_4_and_5_two_level_measures(rows):
    """f:g never contradicts f; it dominates f if g splits a tie of f, else they are equivalent."""
    parts = judged("auc", "ks", rows).counts
    with_f = judged("two_level(auc, ks)", "auc", rows)
    with_g = judged("two_level(auc, ks)", "ks", rows)
    assert with_f.counts.incon == with_f.counts.dis_gf == with_g.counts.dis_gf == 0
    # Erratum 22: printed without the condition.
    splits = parts.dis_gf > 0
    assert with_f.verdict == ("dominates" if splits else "equivalent")
    assert (with_f.discriminancy == INF) == splits
    assert math.isnan(with_f.discriminancy) == (not splits)
    assert with_g.counts.con == parts.con + parts.dis_gf
    assert with_g.counts.incon == parts.incon
    assert (with_g.discriminancy == INF) == (parts.dis_fg > 0)
    if parts.con + parts.incon:
        assert with_g.consistency >= parts.consistency
    if parts.con > parts.incon and parts.dis_fg > 0:
        assert with_g.verdict in {"better", "dominates"}
    again = judged("two_level(two_level(auc, ks), auc)", "two_level(auc, ks)", rows)
    assert again.verdict == "equivalent"  # the construction can be used once


def test_erratum_22_a_two_level_measure_that_is_not_better():
    rows = [(0, 1), (0, 1), (1, 0), (2, 0)]
    assert judged("auc", "ks", rows).counts.dis_gf == 0
    found = judged("two_level(auc, ks)", "auc", rows)
    assert found.verdict == "equivalent"
    assert math.isnan(found.discriminancy)  # 0/0, not infinite


WEIGHTS = [0.1, 0.25, 0.5, 0.7, 0.93]


@given(VALUES, st.sampled_from([*WEIGHTS, "irrational"]))
def test_theorem_6_a_mean_is_as_consistent_with_its_parts_as_they_are(rows, alpha):
    parts = judged("auc", "ks", rows)
    for part in ("auc", "ks"):
        found = judged(f"linear(auc, ks, alpha={alpha})", part, rows)
        assert found.counts.con >= parts.counts.con
        assert found.counts.incon <= parts.counts.incon
        # Where the mean ties all that its parts decide there is no degree to compare.
        if not math.isnan(parts.consistency) and not math.isnan(found.consistency):
            assert found.consistency >= parts.consistency


def test_theorem_6_has_no_degree_where_the_mean_ties_everything():
    rows = [(1, 0), (0, 1)]
    assert judged("auc", "ks", rows).consistency == 0
    assert math.isnan(judged("linear(auc, ks, alpha=0.5)", "auc", rows).consistency)


@given(VALUES)
def test_theorem_7_irrational_weights(rows):
    """D over a part is infinite exactly where the other part splits a tie of it."""
    parts = judged("auc", "ks", rows).counts
    for part, split in (("auc", parts.dis_gf), ("ks", parts.dis_fg)):
        found = judged("linear(auc, ks, alpha=irrational)", part, rows)
        assert found.counts.dis_gf == 0
        assert found.counts.dis_fg == split
        assert (found.discriminancy == INF) == (split > 0)
    both = judged("linear(auc, ks, alpha=irrational)", "two_level(auc, ks)", rows).counts
    assert (both.dis_fg, both.dis_gf) == (0, 0)
    assert both.ind == parts.ind


def test_theorem_7_needs_an_irrational_weight():
    rows = [(2, 0), (0, 2), (1, 1), (1, 0)]
    assert judged("linear(auc, ks, alpha=0.5)", "auc", rows).counts.dis_gf > 0
    assert judged("linear(auc, ks, alpha=irrational)", "auc", rows).counts.dis_gf == 0
