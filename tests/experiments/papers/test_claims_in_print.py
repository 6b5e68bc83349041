"""The claims about data sets, judged from the printed values: they are what the papers say."""

import pytest

from metameasure import experiments
from metameasure.experiments.claims import FAILS, HOLDS, ONLY_WHEN, OPEN, claims
from metameasure.experiments.declaration import Item, Value, published
from metameasure.experiments.reproduction import judged
from metameasure.experiments.tolerance import LastDigit

NOT_IN_PRINT = {
    # Berrar 10
    "Liver and Transfusion have the highest errors in all four experiments.": FAILS,
    # by 1.0 percentage points, whose standard error is 0.2 with 1000 repeats
    # the printed wins have p = .18
    "The data sets on which sAUC wins significantly are relatively small.": OPEN,
    "That H has more errors than AUC and taKS with noise in the labels may be chance.": ONLY_WHEN,
    # p = .06 over the eight printed rows; the thesis may have tested over folds
    "Measured by AUC, networks that AUC:acc stops are significantly better than those that "
    "accuracy stops.": FAILS,
    # p = .08 over the eight printed rows; the thesis may have tested over folds
    "Measured by AUC, networks that AUC stops are significantly better than those that accuracy "
    "stops, and AUC:acc makes no significant difference.": FAILS,
}


def as_printed(key):
    """A reproduction that found exactly what is printed."""
    paper, _, name = key.partition("/")
    printed = published(paper, name)
    values = [
        Value(row, column, text.value, part=part)
        for (part, row, column), text in printed.items()
        if text.text
    ]
    stand_in = Item(paper, name, "data", "?", [], list, LastDigit(), 1.0)
    return judged(stand_in, values)


TABLES = {
    "berrar2014": ["1"],
    "wu2007": ["4"],
    "wu2005": ["4", "5"],
    "huang2006": ["3.14", "3.15", "3.16", "3.17", "3.20", "4.7"],
}
DATA = {f"{paper}/table{number}" for paper, numbers in TABLES.items() for number in numbers}
ABOUT_DATA = [each for each in claims() if set(each.items) <= DATA]


def test_there_are_claims_about_every_table():
    assert {item for each in ABOUT_DATA for item in each.items} == DATA


@pytest.mark.parametrize("claim", ABOUT_DATA, ids=lambda each: f"{each.paper} {each.place}")
def test_the_papers_own_numbers_support_the_claim(claim):
    found = claim.judged({key: as_printed(key) for key in claim.items})
    assert found.verdict == NOT_IN_PRINT.get(claim.text, HOLDS), found
    assert found.reason


def test_transcribed_averages_follow_from_the_rows():
    for table, columns in {
        "table3.15": ("NB", "C4.4", "C4.5"),
        "table3.16": ("NB", "C4.4", "C4.5"),
        "table3.17": ("Accuracy", "AUC"),
    }.items():
        printed = published("huang2006", table)
        for column in columns:
            rows = [t.value for (_, r, c), t in printed.items() if c == column and r != "Average"]
            average = sum(rows) / len(rows)
            assert average == pytest.approx(printed["", "Average", column].value, abs=0.0501)


def test_transcribed_degrees_follow_from_the_counts():
    printed = {place: text.value for place, text in published("huang2006", "table3.14").items()}
    for pair in dict.fromkeys(column for *_, column in printed):
        con, incon, only_auc, only_accuracy, neither, c, d, e = (
            printed["", name, pair]
            for name in ("CON", "INCON", "AUC only", "accuracy only", "neither", "C", "D", "E")
        )
        assert con + incon + only_auc + only_accuracy + neither == 180
        assert con / (con + incon) == pytest.approx(c, abs=0.0005)
        assert only_auc / only_accuracy == pytest.approx(d, abs=0.05)
        assert neither / 180 == pytest.approx(e, abs=0.0005)


def test_transcribed_networks_have_their_averages():
    printed = {place: text.value for place, text in published("huang2006", "table4.7").items()}
    sets = [part for part in dict.fromkeys(part for part, *_ in printed) if part != "Average"]
    assert len(sets) == 8
    for (part, row, column), value in printed.items():
        if part == "Average":
            mean = sum(printed[each, row, column] for each in sets) / 8
            assert mean == pytest.approx(value, abs=0.0000501)
        if column == "AUC:acc":
            total = printed[part, row, "AUC"] + printed[part, row, "acc"] / 100
            assert total == pytest.approx(value, abs=0.000102)


def test_experiments_know_their_claims():
    assert len(claims()) > 50
    assert {each.paper for each in claims()} == {item.paper for item in experiments.items()}
