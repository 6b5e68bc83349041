"""What measures declare about their structure holds."""

from itertools import combinations

import numpy as np
import pytest

import metameasure as mm
from metameasure.table import Cut

ALL = [m for m in mm.measures() if m.__module__.startswith("metameasure.")]


def lists(positives, negatives):
    """All lists without ties, as labels from the highest score to the lowest."""
    n = positives + negatives
    for places in combinations(range(n), positives):
        yield np.isin(np.arange(n), places).astype(int)


@pytest.mark.parametrize("measure", ALL, ids=str)
def test_only_declared_measures_count_right_pairs_alone(measure):
    """Lists with the same number of right pairs have one value, and others a counterexample."""
    score, values = np.linspace(0.95, 0.05, 7), {}
    for label in lists(3, 4):
        table = mm.tabulate(label, score)
        right = round(float(mm.auc.compute(table)) * 12)
        values.setdefault(right, []).append(float(measure.compute(table)))
    alike = all(np.allclose(v, v[0], rtol=0, atol=1e-12) for v in values.values())
    assert alike or not measure.declaration.right_pairs
    if measure.declaration.right_pairs:
        assert "monotone" in measure.declaration.invariant_to


@pytest.mark.parametrize("measure", [m for m in ALL if m.declaration.ratio], ids=str)
def test_ratios_are_those_of_the_measure(measure):
    rng = np.random.default_rng(4)
    for tpr, fpr, r in rng.uniform(0.05, 0.95, (20, 3)):
        cut = Cut(np.float64(tpr), np.float64(fpr * r), np.float64(1.0), np.float64(r))
        above, below = measure.declaration.ratio(r)
        terms = np.array([tpr, fpr, 1.0])
        expected = np.dot(above, terms) / np.dot(below, terms)
        assert float(measure.at_cut(cut)) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("measure", [m for m in ALL if m.declaration.overall], ids=str)
def test_the_value_of_a_whole_matrix_of_two_classes_is_the_binary_one(measure):
    tp, fp, P, N = 7.0, 3.0, 10.0, 12.0
    of_positive, of_negative = (tp, fp, P, N), (N - fp, P - tp, N, P)
    cuts = Cut(*(np.array(pair) for pair in zip(of_positive, of_negative, strict=True)))
    binary = float(measure.at_cut(Cut(*map(np.float64, of_positive))))
    assert float(measure.declaration.overall(cuts)) == pytest.approx(binary)
