"""Statements of the papers about measures that small cases confirm or contradict.

Each paper has one item, "statements", with the number of cases that were tried and of exceptions,
and one claim per statement, which is judged from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from metameasure.experiments.claims import FAILS, HOLDS, ONLY_WHEN, Findings, Judgment, claim
from metameasure.experiments.declaration import Value, item
from metameasure.experiments.tolerance import LastDigit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

ITEM = "statements"
TRIED, EXCEPTIONS, UNDER = "tried", "exceptions", "exceptions under the condition"
LARGEST = 6
"""Number of cases up to which all lists are enumerated."""
CLOSE = 1e-12

Scores = tuple[float, ...]
Groups = tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class Statement:
    """What a paper says of measures, and how a case shows it.

    Attributes:
        name: the row of the item.
        place: where it stands.
        text: the statement, in words of our own.
        holds: whether it holds in a case.
        cases: the arguments of all cases.
        kind: what the cases are, in the plural.
        condition: when it holds, if there are exceptions.
        under: whether a case fulfills the condition.
        erratum: the number of the erratum, if there is one.
    """

    name: str
    place: str
    text: str
    holds: Callable[..., bool]
    cases: Callable[[], Iterable[tuple[Any, ...]]]
    kind: str = "lists"
    condition: str = ""
    under: Callable[..., bool] = lambda *_: False
    erratum: str = ""

    def counted(self) -> Iterator[Value]:
        """The number of cases, of exceptions, and of exceptions that the condition allows for."""
        tried, exceptions, under = 0, 0, 0
        for case in self.cases():
            tried += 1
            if not self.holds(*case):
                exceptions += 1
                under += self.under(*case)
        yield Value(self.name, TRIED, tried)
        yield Value(self.name, EXCEPTIONS, exceptions)
        yield Value(self.name, UNDER, under)

    def judged(self, key: str, found: Findings) -> Judgment:
        """The judgment from the numbers of exceptions."""
        tried, exceptions, under = (
            found.value(key, self.name, column) for column in (TRIED, EXCEPTIONS, UNDER)
        )
        if tried == 1:
            reason = "no example shows it" if exceptions else "an example shows it"
        else:
            plural = "s" * (exceptions != 1)
            reason = f"{exceptions:.0f} exception{plural} in {tried:.0f} {self.kind}"
        reason += f" ({self.erratum})" * bool(self.erratum)
        if exceptions == 0:
            return Judgment(HOLDS, reason)
        if self.condition and under == 0:
            return Judgment(ONLY_WHEN, f"{self.condition}; {reason}")
        return Judgment(FAILS, reason)


def declare(paper: str, statements: Sequence[Statement]) -> None:
    """Declare the item of a paper's statements, and a claim for each."""
    by_name = {each.name: each for each in statements}

    def compute(statement: str) -> Iterator[Value]:
        return by_name[statement].counted()

    made = item(
        paper,
        ITEM,
        kind="exact",
        question="Which statements about measures have exceptions in small cases?",
        cells=[{"statement": name} for name in by_name],
        tolerance=LastDigit(),
        cost=10.0,
        convention=f"all lists of up to {LARGEST} cases with ties, or the examples of the text; "
        "nothing is printed",
    )(compute)
    for each in statements:
        claim(paper, each.place, each.text, ITEM)(partial(each.judged, made.key))


@cache
def tied_lists(largest: int = LARGEST) -> tuple[tuple[Scores, Scores], ...]:
    """The scores of the positives and of the negatives in all lists with both classes.

    Scores are multiples of 1/8 between 0 and 1, so that sums and differences are exact.
    """
    return tuple(
        _scores(groups)
        for positives in range(1, largest)
        for negatives in range(1, largest + 1 - positives)
        for groups in _groups(positives, negatives)
    )


def untied_lists(largest: int = LARGEST) -> tuple[tuple[Scores, Scores], ...]:
    """The lists in which each case has a score of its own."""
    return tuple(
        (high, low)
        for high, low in tied_lists(largest)
        if len({*high, *low}) == len(high) + len(low)
    )


def _groups(positives: int, negatives: int) -> Iterator[Groups]:
    """The numbers of positives and negatives with each score, the highest first."""
    if positives == negatives == 0:
        yield ()
    for a in range(positives + 1):
        for b in range(negatives + 1):
            if a + b:
                for rest in _groups(positives - a, negatives - b):
                    yield ((a, b), *rest)


def _scores(groups: Groups) -> tuple[Scores, Scores]:
    high: list[float] = []
    low: list[float] = []
    for place, (a, b) in enumerate(groups):
        score = (len(groups) - place) / 8
        high += [score] * a
        low += [score] * b
    return tuple(high), tuple(low)


def labeled(high: Scores, low: Scores) -> tuple[list[int], list[float]]:
    """Labels and scores of a list."""
    return [1] * len(high) + [0] * len(low), [*high, *low]


def shared_scores(high: Scores, low: Scores) -> bool:
    """Whether a positive is tied with a negative."""
    return bool(set(high) & set(low))


def once() -> list[tuple[()]]:
    """The one case of a statement about an example."""
    return [()]
