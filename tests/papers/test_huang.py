"""Examples of Huang (2006) worked term by term, and errata of his definitions.

The values of his tables are in test_papers.py, test_order_measures.py and test_classes.py, the
other errata in test_errata.py.
"""

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest

import metameasure as mm

TABLE_1_3 = [3, 6, 8, 1, 4, 2, 5, 7]


def close(right):
    return pytest.approx(float(right), rel=0, abs=1e-12)


def reversed_numbers(a):
    """s(i) of Eq. 1.8: how many of the numbers behind the i-th are smaller than it is."""
    return [sum(later < here for later in a[i:]) for i, here in enumerate(a, 1)]


def reversed_numbers_as_printed(a):
    """s(i) by the words below Eq. 1.8, which compare with the place i."""
    return [sum(later < i for later in a[i:]) for i in range(1, len(a) + 1)]


def test_table_1_3_term_by_term():
    ranking = mm.Ranking(TABLE_1_3)
    places = list(enumerate(TABLE_1_3, 1))
    squares, distances = [(a - i) ** 2 for i, a in places], [abs(a - i) for i, a in places]
    assert squares == [4, 16, 25, 9, 1, 16, 4, 1]
    assert mm.euclidean_distance(ranking) ** 2 == close(sum(squares))
    assert mm.manhattan_distance(ranking) == close(sum(distances))
    assert reversed_numbers(TABLE_1_3) == [2, 4, 5, 0, 1, 0, 0, 0]
    assert mm.reversed_pairs(ranking) == sum(reversed_numbers(TABLE_1_3)) == 12
    # Eq. 1.9: the positives are the items 5 to 8, here with their places.
    upper = [(r, a) for r, a in places if a > 4]
    assert upper == [(2, 6), (3, 8), (7, 5), (8, 7)]
    terms = [a * (r - i) for i, (r, a) in enumerate(upper, 1)]
    assert terms == [6, 8, 20, 28]
    assert mm.ordered_auc(ranking) == close(Fraction(sum(terms), 4 * (5 + 6 + 7 + 8)))


@pytest.mark.parametrize("n", [3, 4, 5])
def test_erratum_5_reversed_numbers_compare_with_a_i(n):
    # By the words the sum for Table 1.3 is 6, and his own s(1) to s(3) are not 2, 4, 5.
    assert reversed_numbers_as_printed(TABLE_1_3) == [0, 1, 2, 1, 1, 1, 0, 0]
    orders = list(permutations(range(1, n + 1)))
    values = mm.reversed_pairs(mm.Ranking(orders)).tolist()
    assert values == [sum(reversed_numbers(order)) for order in orders]
    assert values != [sum(reversed_numbers_as_printed(order)) for order in orders]


TABLE_3_11 = [1, 1, 2, 2, 3, 3]
P_1 = [0.6, 0.15, 0.3, 0.45, 0.1, 0.8]
P_2 = [0.15, 0.3, 0.5, 0.25, 0.2, 0.05]
P_3 = [0.25, 0.55, 0.2, 0.3, 0.7, 0.15]


def pair_auc(i, j):
    """AUC(i, j) of Table 3.11: the cases of both classes, sorted by the probability of i."""
    score = (P_1, P_2, P_3)[i - 1]
    kept = [case for case, label in enumerate(TABLE_3_11) if label in (i, j)]
    return mm.auc([TABLE_3_11[case] == i for case in kept], [score[case] for case in kept])


def test_table_3_11_pair_by_pair():
    printed = {
        (1, 2): "1/2",
        (2, 1): "3/4",
        (1, 3): "1/2",
        (3, 1): "1/2",
        (2, 3): "1",
        (3, 2): "1/2",
    }
    for pair, value in printed.items():
        assert pair_auc(*pair) == close(Fraction(value))
    both = [
        (Fraction(printed[i, j]) + Fraction(printed[j, i])) / 2
        for i, j in combinations((1, 2, 3), 2)
    ]
    right = Fraction(2, 3 * 2) * sum(both)
    assert right == Fraction(5, 8)
    assert mm.hand_till_auc(TABLE_3_11, np.transpose([P_1, P_2, P_3])) == close(right)


def test_erratum_18_labels_by_the_largest_probability_make_accuracy_1():
    # Sec. 3.2.2.3 calls that class the correct one; then all lists have accuracy 1, and no pair of
    # them can show a consistency. The labels must come from elsewhere.
    lists = [
        (np.transpose([P_1, P_2, P_3]), [1, 3, 2, 1, 3, 1], 1),
        ([[0.4, 0.3, 0.3], [0.45, 0.5, 0.05], [0.1, 0.2, 0.7]], [1, 2, 3], Fraction(5, 6)),
    ]
    for scores, largest, auc in lists:
        assert (np.argmax(scores, axis=1) + 1).tolist() == largest
        assert mm.accuracy(largest, scores) == 1
        assert mm.hand_till_auc(largest, scores) == close(auc)
    # The labels of Table 3.11 do come from elsewhere.
    assert mm.accuracy(TABLE_3_11, lists[0][0]) == close(Fraction(3, 6))
