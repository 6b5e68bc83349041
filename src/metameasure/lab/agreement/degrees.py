"""Curves of consistency and discriminancy over the size of lists or the number of classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metameasure._arguments import Whole, read_argument, read_several
from metameasure._text import number
from metameasure.errors import Argument, ParameterError
from metameasure.inference import portion
from metameasure.lab.agreement.comparison import compare, degree_text
from metameasure.lab.agreement.ranked_lists import ranked_lists
from metameasure.lab.agreement.simulated import multiclass
from metameasure.measurement import Measure, parse, parse_list
from metameasure.progress import reporting
from metameasure.results import Cell, Grid, Result

if TYPE_CHECKING:
    from metameasure.lab.agreement.comparison import MeasureComparison
    from metameasure.lab.agreement.domain import Domain
    from metameasure.progress import Progress

CASES, CLASSES, LEVEL = "cases per list", "number of classes", "level"


@dataclass(frozen=True)
class DegreesRow:
    """The degrees of two measures at one level.

    Attributes:
        f, g: the measures.
        level: the number of cases per list, the number of classes, or the key of the domain.
        domain: what they were compared on.
        consistency, discriminancy, indifferency: the degrees C, D and E.
        consistency_se, discriminancy_se: standard errors; None if the domain was enumerated.
        verdict: the verdict on f.
    """

    f: str
    g: str
    level: float
    domain: str
    consistency: float
    consistency_se: float | None
    discriminancy: float
    discriminancy_se: float | None
    indifferency: float
    verdict: str


class Degrees(Result):
    """Degrees of consistency and discriminancy; one row per pair of measures and level."""

    schema = DegreesRow

    def grids(self) -> list[Grid]:
        """One table per pair of measures, one line per level."""
        grids = []
        for f, g in dict.fromkeys((row.f, row.g) for row in self.rows):
            body = [
                (
                    f"{row.level:g}",
                    [
                        Cell(degree_text(row.consistency, row.consistency_se)),
                        Cell(degree_text(row.discriminancy, row.discriminancy_se)),
                        Cell(number(row.indifferency)),
                        Cell(row.verdict),
                    ],
                )
                for row in self.rows
                if (row.f, row.g) == (f, g)
            ]
            header = [self.meta["over"], "C", "D", "E", f"{f} is"]
            grids.append(Grid(header, body, "", f"f = {f}, g = {g}"))
        return grids


def degrees(
    f: str | Measure,
    g: str | Measure | Iterable[str | Measure],
    domains: Mapping[float, Domain] | None = None,
    *,
    sizes: Iterable[Any] | None = None,
    classes: Iterable[int] | None = None,
    per_class: int = 2,
    lists: int = 5000,
    seed: int | None = 1,
    precision: float | None = None,
    workers: int | None = None,
    progress: bool | Progress | None = True,
) -> Degrees:
    """Compare two measures on lists of several sizes, or with several numbers of classes.

    Args:
        f: a measure, or its text.
        g: another measure, or several, each of which is compared with f.
        domains: the domain at each level; or one of the following.
        sizes: numbers of cases per ranked list, half of which are positive, or pairs of the numbers
            of positives and negatives.
        classes: numbers of classes of random lists.
        per_class: the number of cases per class.
        lists: the maximum number of random lists per number of classes.
        seed: the seed of random lists.
        precision: for random lists, stop when the standard error of C is this small.
        workers: the number of parallel tasks; the result does not depend on it.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.

    >>> print(degrees("auc", "accuracy", sizes=[4, 6, 8]))
    f = auc, g = accuracy
    cases per list       C        D       E  auc is
    4               1.0000        ∞  0.0667  dominates
    6               0.9912  15.5000  0.0526  better
    8               0.9772  14.6538  0.0447  better
    """
    chosen = parse(f)
    others = [g] if isinstance(g, Measure) else parse_list(g)
    over, levels = _levels(domains, sizes, classes, per_class, lists, seed)
    pairs = [(level, domain, other) for level, domain in levels.items() for other in others]
    rows = []
    with reporting(progress, f"lab.degrees: {len(pairs)} comparisons") as report:
        for place, (level, domain, other) in enumerate(pairs):
            part = portion(report, place, len(pairs))
            found = compare(
                chosen, other, domain, precision=precision, workers=workers, progress=part
            )
            rows.append(_row(level, found))
    return Degrees(rows, meta={"over": over})


def _row(level: float, found: MeasureComparison) -> DegreesRow:
    return DegreesRow(
        str(found.f),
        str(found.g),
        float(level),
        found.domain,
        found.consistency,
        found.consistency_se,
        found.discriminancy,
        found.discriminancy_se,
        found.indifferency,
        found.verdict,
    )


def _levels(
    domains: Any, sizes: Any, classes: Any, per_class: int, lists: int, seed: int | None
) -> tuple[str, dict[float, Domain]]:
    """What the levels are, and the domain at each."""
    given = [one is not None for one in (domains, sizes, classes)]
    if sum(given) != 1:
        raise ParameterError(
            ("pass one of ", Argument("sizes"), ", ", Argument("classes"), " and ",
             Argument("domains"))
        )  # fmt: skip
    if domains is not None:
        if not isinstance(domains, Mapping) or not domains:
            raise ParameterError((Argument("domains"), " must be a dict of domains by level"))
        return LEVEL, dict(domains)
    if classes is not None:
        several = read_several("classes", classes, Whole(2))
        cases = read_argument("per_class", per_class, Whole(1))
        return CLASSES, {k: multiclass(k, cases, lists=lists, seed=seed) for k in several}
    pairs = read_several("sizes", sizes, _Size())
    return CASES, {sum(pair): ranked_lists(*pair) for pair in pairs}


class _Size:
    """The size of a list: the number of its cases, half of them positive, or those of a class."""

    def read(self, value: object) -> tuple[int, int]:
        """The numbers of positives and negatives."""
        if isinstance(value, tuple):
            positives, negatives = map(Whole(1).read, value)  # a ValueError unless there are two
            return positives, negatives
        n = Whole(2).read(value)
        return n // 2, n - n // 2

    def __str__(self) -> str:
        return "numbers of cases >= 2 or pairs (positives, negatives)"
