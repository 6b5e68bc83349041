"""The list of errata is complete, and every one has its test."""

import re
from pathlib import Path

import pytest

from metameasure import experiments
from metameasure.experiments.erratum import KINDS, PAPERS

TESTS = Path(__file__).parents[1]
COUNTS = {"Berrar": 12, "WFF": 10, "WF05": 5, "Xie": 12, "Huang": 25}


def test_no_number_is_missing():
    for name, count in COUNTS.items():
        listed = [each for each in experiments.errata() if each.number.startswith(f"{name} ")]
        numbers = [int(each.number.partition(" ")[2]) for each in listed]
        assert sorted(set(numbers)) == list(range(1, count + 1))
        assert numbers == sorted(numbers)
        assert {each.paper for each in listed} == {PAPERS[name]}


@pytest.mark.parametrize("erratum", experiments.errata(), ids=lambda each: each.number)
def test_an_erratum_is_complete_and_has_its_test(erratum):
    assert erratum.kind in KINDS
    for text in (erratum.place, erratum.printed, erratum.correct, erratum.example):
        assert text
        assert "|" not in text
    file, _, function = erratum.test.partition("::")
    assert re.search(rf"^def {function}\(", (TESTS / file).read_text("utf-8"), re.MULTILINE)


def test_items_name_errata_that_exist():
    numbers = {each.number: each.paper for each in experiments.errata()}
    for item in experiments.items():
        for place, number in item.errata.items():
            assert numbers.get(number) == item.paper, (item.key, place)
