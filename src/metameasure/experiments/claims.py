"""Claims of the papers in words, judged from results."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from metameasure.experiments.declaration import PAPERS, items

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from metameasure.experiments.reproduction import Reproduction

HOLDS, FAILS, ONLY_WHEN, OPEN = "holds", "does not hold", "holds only when", "not judged"


@dataclass(frozen=True)
class Judgment:
    """What results say of a claim.

    Attributes:
        verdict: holds, does not hold, holds only when, or not judged.
        reason: the figures behind it, or the condition under which the claim holds.
    """

    verdict: str
    reason: str


class Finding(NamedTuple):
    """A computed value and its place."""

    part: str
    row: str
    column: str
    ours: float


class Findings:
    """The values of reproduced items, by item and place."""

    def __init__(self, reproductions: Mapping[str, Reproduction]) -> None:
        self.reproductions = reproductions

    def rows(self, item: str) -> list[Finding]:
        """The values of an item that were computed."""
        return [
            Finding(row.part, row.row, row.column, row.ours)
            for row in self.reproductions[item].rows
            if row.ours is not None
        ]

    def value(self, item: str, row: str, column: str, part: str = "") -> float:
        """One value; NaN if it was not computed."""
        return self.column(item, column, part).get(row, math.nan)

    def column(self, item: str, column: str, part: str = "") -> dict[str, float]:
        """The values of a column, by row."""
        return {x.row: x.ours for x in self.rows(item) if (x.part, x.column) == (part, column)}

    def errors(self, item: str, column: str, part: str = "") -> dict[str, float]:
        """The standard errors of a column, by row; 0 where values are exact."""
        return {
            row.row: row.error or 0.0
            for row in self.reproductions[item].rows
            if (row.part, row.column) == (part, column)
        }


@dataclass(frozen=True, eq=False)
class Claim:
    """A statement of a paper that results can confirm or contradict.

    Attributes:
        paper: the key of the paper.
        place: where it stands.
        text: the claim, in words of our own.
        items: the items from which it is judged.
        judge: the judgment, from their values.
    """

    paper: str
    place: str
    text: str
    items: tuple[str, ...]
    judge: Callable[[Findings], Judgment]

    def judged(self, reproductions: Mapping[str, Reproduction]) -> Judgment:
        """The judgment; not judged if an item was not run, at least in part."""
        missing = [
            item
            for item in self.items
            if item not in reproductions or not Findings(reproductions).rows(item)
        ]
        if missing:
            return Judgment(OPEN, f"{', '.join(missing)} not run")
        first = self.judge(Findings(reproductions))
        others = {
            other: self.judge(Findings({**reproductions, item: reproductions[other]}))
            for item in self.items
            for other in _other_conventions(item)
            if other in reproductions and other not in self.items
        }
        return _under_all_conventions(first, others)


def _other_conventions(item: str) -> list[str]:
    """The items that are other conventions of an item."""
    paper, _, name = item.partition("/")
    return [each.key for each in items(paper) if each.alternative_to == name]


def _under_all_conventions(first: Judgment, others: Mapping[str, Judgment]) -> Judgment:
    """The judgment by the first convention; a condition if another convention contradicts it."""
    if first.verdict == ONLY_WHEN:
        return first
    contrary = {FAILS, ONLY_WHEN} if first.verdict == HOLDS else {HOLDS, ONLY_WHEN}
    found = "; ".join(
        f"{item}: {each.reason}" for item, each in others.items() if each.verdict in contrary
    )
    if not found:
        return first
    if first.verdict == HOLDS:
        return Judgment(
            ONLY_WHEN, f"the first convention is used: {first.reason}; not with {found}"
        )
    condition = f"the convention is that of {found}"
    return Judgment(ONLY_WHEN, f"{condition}; with the first convention: {first.reason}")


_CLAIMS: list[Claim] = []


def claim(
    paper: str, place: str, text: str, *needed: str
) -> Callable[[Callable[[Findings], Judgment]], Claim]:
    """Declare the decorated function as the judge of a claim; ``needed`` are items of the paper."""

    def declare(judge: Callable[[Findings], Judgment]) -> Claim:
        made = Claim(paper, place, text, tuple(f"{paper}/{name}" for name in needed), judge)
        _CLAIMS.append(made)
        return made

    return declare


def claims(paper: str | None = None) -> list[Claim]:
    """The claims of all papers, or of one, by paper and in the order of their declaration."""
    items(paper)  # imports the modules of the papers, which declare claims as well
    order = list(PAPERS)
    found = sorted(_CLAIMS, key=lambda each: order.index(each.paper))
    return [each for each in found if paper in {None, each.paper}]


def judgment(holds: bool, reason: str, otherwise: str = FAILS) -> Judgment:
    """The judgment of a claim that holds or does not."""
    return Judgment(HOLDS if holds else otherwise, reason)


Z = NormalDist().inv_cdf(0.975)
"""Standard errors of a difference that is significant at .05."""


def z_score(difference: float, *errors: float) -> float:
    """A difference in standard errors, of which it has one or several independent parts."""
    error = math.hypot(*errors)
    if error == 0:
        return math.copysign(math.inf, difference) if difference else 0.0
    return difference / error


def mean_error(errors: Iterable[float]) -> float:
    """The standard error of the mean of independent values."""
    found = list(errors)
    return math.hypot(*found) / len(found)


def mean(values: Iterable[float]) -> float:
    """The arithmetic mean."""
    found = list(values)
    return sum(found) / len(found)
