"""Every kind of curve under the same tests; none is named here."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metameasure as mm
from common import checks
from metameasure._arguments import Choice
from metameasure.curves import curve_kinds
from strategies import EIGHTHS, cases

PAIR = mm.tabulate_lists([1, 0], [[0.9, 0.1]])


def takes_blocks(kind):
    try:
        kind.compute(PAIR)
    except mm.DataError as refused:
        return "got a block of tables" not in str(refused)
    return True


def with_each_word(kind):
    """A kind of curve, and what it is with each word that a parameter may be."""
    chosen = [kind]
    for name, admits in kind.declaration.parameters.items():
        if isinstance(admits, Choice):
            chosen = [one.using(**{name: word}) for one in chosen for word in admits.words]
    return chosen


OF_BLOCKS = [one for kind in curve_kinds() if takes_blocks(kind) for one in with_each_word(kind)]


@pytest.mark.parametrize("kind", OF_BLOCKS, ids=str)
@settings(max_examples=25)
@given(st.lists(cases(), min_size=1, max_size=4))
def test_a_row_without_weight_changes_nothing(kind, lists):
    checks.check_curve_in_block(kind, lists, more=EIGHTHS)
