"""Curves of C and D: each level is a comparison of its own."""

import numpy as np
import pytest

import metameasure as mm
from metameasure.errors import ParameterError
from metameasure.plots import DegreesDisplay

lab = mm.lab


def test_every_level_is_what_compare_finds():
    found = lab.degrees("auc", "accuracy, average_precision", sizes=[4, 7, (2, 6)])
    assert [(row.g, row.level) for row in found.rows] == [
        (g, level) for level in (4, 7, 8) for g in ("accuracy", "average_precision")
    ]
    lists = {4: (2, 2), 7: (3, 4), 8: (2, 6)}
    for row in found.rows:
        alone = lab.compare("auc", row.g, lab.ranked_lists(*lists[row.level]))
        assert (row.consistency, row.discriminancy, row.verdict) == (
            alone.consistency, alone.discriminancy, alone.verdict
        )  # fmt: skip
        assert row.consistency_se is None


def test_numbers_of_classes():
    found = lab.degrees("hand_till_auc", "accuracy", classes=[3, 4], lists=1000, workers=1)
    alone = lab.compare("hand_till_auc", "accuracy", lab.multiclass(4, 2, lists=1000), workers=1)
    assert found.rows[1].consistency == alone.consistency
    assert found.rows[1].consistency_se == alone.consistency_se
    assert "number of classes" in found.table()


def test_domains_of_users():
    domains = {3: lab.permutations(3), 4: lab.permutations(4)}
    found = lab.degrees("ordered_auc", mm.parse("kendall_tau"), domains)
    assert [row.level for row in found.rows] == [3, 4]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "pass one of sizes, classes and domains"),
        ({"sizes": [4], "classes": [3]}, "pass one of"),
        ({"sizes": [1]}, "sizes must be numbers of cases >= 2 or pairs .*, got 1"),
        ({"sizes": [(1, 2, 3)]}, r"or pairs \(positives, negatives\), got \(1, 2, 3\)"),
        ({"sizes": [(0, 2)]}, r"got \(0, 2\)"),
        ({"sizes": "abc"}, "got 'abc'"),
        ({"sizes": []}, "sizes needs at least 1 value, got 0"),
        ({"classes": []}, "classes needs at least 1 value, got 0"),
        ({"domains": {}}, "domains must be a dict"),
    ],
)
def test_errors(given, message):
    with pytest.raises(ParameterError, match=message):
        lab.degrees("auc", "accuracy", **given)


def test_the_display_draws_the_degrees():
    found = lab.degrees("auc", "accuracy", sizes=[4, 6, 8])
    drawn = DegreesDisplay(found, degree="discriminancy").plot()
    # D is infinite on lists of 4 cases.
    assert drawn.courses["accuracy"].x.tolist() == [6, 8]
    assert drawn.courses["accuracy"].value == pytest.approx([15.5, 381 / 26])
    assert drawn.ax_.get_xlabel() == "cases per list"
    with pytest.raises(mm.DataError, match=r"must come from lab\.degrees, got int"):
        DegreesDisplay(np.intp(3))
