"""The errata of the papers, from one list."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

PAPERS = {
    "Berrar": "berrar2014",
    "WFF": "wu2007",
    "WF05": "wu2005",
    "Xie": "xie2022",
    "Huang": "huang2006",
}
"""The papers, by the name in the number of an erratum."""
KINDS = {"F": "formula", "N": "number", "C": "claim", "A": "ambiguous"}


@dataclass(frozen=True)
class Erratum:
    """A place where a paper is wrong or ambiguous.

    Attributes:
        number: the paper and a number, e.g. "Huang 8".
        kind: F for a formula, N for a number, C for a claim, A for an ambiguity.
        place: where it stands.
        printed: what the paper has.
        correct: what is right.
        example: a case in which both differ.
        test: the test that shows it, as FILE::FUNCTION relative to tests/.
    """

    number: str
    kind: str
    place: str
    printed: str
    correct: str
    example: str
    test: str

    @property
    def paper(self) -> str:
        """The key of the paper."""
        return PAPERS[self.number.partition(" ")[0]]


@cache
def errata() -> tuple[Erratum, ...]:
    """All errata, by paper and number.

    >>> next(each.correct for each in errata() if each.number == "WFF 8")
    '4'
    """
    source = files("metameasure.experiments").joinpath("errata.csv")
    return tuple(Erratum(**row) for row in csv.DictReader(source.read_text("utf-8").splitlines()))
