"""Two measures against each other: how often they agree, and which one tells more apart."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

from metameasure._arguments import POSITIVE, read_argument
from metameasure._text import number
from metameasure.errors import DataError
from metameasure.lab.agreement.domain import Domain
from metameasure.lab.agreement.pair_counts import FIELDS, Counts, count_pairs
from metameasure.measurement import Measure, parse, parse_list
from metameasure.results import Cell, Grid, Page, Printed, json_record, tidy_frame

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metameasure.inference import Progress

CERTAIN = 3.0
"""How many standard errors a simulated difference must be away from 0."""
FEWEST = 20
"""The number of batches from which a standard error is trusted."""
MEANINGS = {
    "con": "both say the same",
    "incon": "they say the opposite",
    "dis_fg": "only {f} decides",
    "dis_gf": "only {g} decides",
    "ind": "both tie",
}


@dataclass(frozen=True)
class MeasureComparison(Printed):
    """How two measures judge all pairs of elements of a domain.

    Attributes:
        f, g: the measures.
        domain: what they were compared on, in words.
        counts: the five counts as whole numbers.
        exact: whether all ties are proven.
        consistency_se: the standard error of C; None if all elements were looked at.
        discriminancy_se: that of D.
        settled: whether it is certain which of the counts that decide is larger.
    """

    f: Measure
    g: Measure
    domain: str
    counts: Counts
    exact: bool = True
    consistency_se: float | None = None
    discriminancy_se: float | None = None
    settled: bool = True

    @property
    def consistency(self) -> float:
        """C: of the pairs that both decide, the share on which they agree."""
        return self.counts.consistency

    @property
    def discriminancy(self) -> float:
        """D: how many pairs only f decides for each that only g decides."""
        return self.counts.discriminancy

    @property
    def indifferency(self) -> float:
        """E: the share of the pairs that both tie."""
        return self.counts.indifferency

    @property
    def verdict(self) -> str:
        """better, worse, equivalent, dominates, dominated or not comparable; or cannot tell.

        f is better than g if they agree more often than not and f decides more of the pairs that
        only one of them decides. What was only drawn at random can be too close to tell, and does
        not prove that one dominates the other.
        """
        said = self.counts.verdict
        if self.consistency_se is None or self.discriminancy_se is None:
            return said
        said = {"dominates": "better", "dominated": "worse"}.get(said, said)
        return said if self.settled or said not in {"better", "worse"} else "cannot tell"

    def records(self) -> list[dict[str, Any]]:
        """The comparison as a dict; counts are shares of all pairs."""
        pairs = self.counts.pairs
        shares = {name: getattr(self.counts, name) / pairs for name in FIELDS}
        return [
            {
                "f": str(self.f),
                "g": str(self.g),
                "consistency": self.consistency,
                "discriminancy": self.discriminancy,
                "indifferency": self.indifferency,
                "verdict": self.verdict,
                **shares,
                "consistency_se": self.consistency_se,
                "discriminancy_se": self.discriminancy_se,
                "exact": self.exact,
            }
        ]

    def frame(self) -> Any:
        """A tidy frame with one row."""
        return comparison_frame(self.records())

    def to_json(self) -> str:
        """JSON with the degrees, and the counts as whole numbers under ``counts``."""
        counts = {name: getattr(self.counts, name) for name in FIELDS}
        (record,) = self.records()
        content = {**json_record(record), "counts": counts, "pairs": self.counts.pairs}
        return json.dumps({**content, "domain": self.domain}, indent=2)

    def page(self) -> Page:
        """The five counts, and below them the degrees and the verdict."""
        pairs = self.counts.pairs
        body = []
        for name in FIELDS:
            count = getattr(self.counts, name)
            meaning = MEANINGS[name].format(f=self.f, g=self.g)
            body.append((meaning, [Cell(whole(count)), Cell(f"{100 * count / pairs:.2f} %")]))
        title = f"f = {self.f}, g = {self.g}"
        grid = Grid(
            ["pairs", "count", "share"], body, f"{whole(pairs)} pairs of {self.domain}", title
        )
        return Page([grid], self._lines())

    def _lines(self) -> list[str]:
        degrees = (
            f"consistency C = {_degree(self.consistency, self.consistency_se)}, "
            f"discriminancy D = {_degree(self.discriminancy, self.discriminancy_se)}, "
            f"indifferency E = {number(self.indifferency)}"
        )
        return [degrees, _sentence(self)]

    def __repr__(self) -> str:
        return f"<{self.f} against {self.g}: {self.verdict}>"


def comparison_frame(records: Sequence[dict[str, Any]]) -> Any:
    """Comparisons as a tidy frame."""
    import polars as pl  # noqa: PLC0415

    text, real = pl.String(), pl.Float64()
    kinds = {"f": text, "g": text, "verdict": text, "exact": pl.Boolean()}
    names = records[0] if records else {"f": None, "g": None}
    return tidy_frame(records, {name: kinds.get(name, real) for name in names}, None)


def whole(count: int) -> str:
    """A whole number as a person reads it: very large ones by their first digits."""
    if count < 10**15:
        return f"{count:,}"
    digits = str(count)
    return f"{digits[0]}.{digits[1:4]}e+{len(digits) - 1}"


def _degree(value: float, error: float | None) -> str:
    return number(value) if error is None else f"{number(value)} ± {number(error)}"


def _sentence(found: MeasureComparison) -> str:
    f, g = found.f, found.g
    return {
        "better": f"{f} is better than {g}.",
        "worse": f"{g} is better than {f}.",
        "equivalent": f"{f} and {g} are equivalent.",
        "dominates": f"{f} dominates {g}: it never contradicts it and decides more.",
        "dominated": f"{g} dominates {f}: it never contradicts it and decides more.",
        "not comparable": f"Neither of {f} and {g} is better.",
        "cannot tell": f"So few lists cannot tell which of {f} and {g} is better.",
    }[found.verdict]


def compare(
    f: str | Measure,
    g: str | Measure,
    domain: Domain,
    *,
    precision: float | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> MeasureComparison:
    """How two measures judge all pairs of elements of a domain.

    Args:
        f: a measure, or its text.
        g: another one.
        domain: ``ranked_lists(...)``, ``permutations(...)``, ``score_lists(...)``,
            ``multiclass(...)`` or ``observed(...)``.
        precision: of lists drawn at random, stop when the standard error of C is as small as this.
        workers: how many tasks run at once; the result does not depend on it.
        progress: what is told the share of the work that is done.

    >>> from metameasure import lab
    >>> print(lab.compare("auc", "accuracy", lab.ranked_lists(4, 4)))
    f = auc, g = accuracy
    pairs                  count    share
    both say the same      1,459  60.41 %
    they say the opposite     34   1.41 %
    only auc decides         762  31.55 %
    only accuracy decides     52   2.15 %
    both tie                 108   4.47 %
    2,415 pairs of ranked lists of 4 positives and 4 negatives
    consistency C = 0.9772, discriminancy D = 14.6538, indifferency E = 0.0447
    auc is better than accuracy.
    """
    chosen = [parse(f), parse(g)]
    found = all_comparisons(chosen, domain, precision, workers, progress)
    return found[chosen[0], chosen[1]]


def all_comparisons(
    measures: Sequence[Measure],
    domain: Domain,
    precision: float | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> dict[tuple[Measure, Measure], MeasureComparison]:
    """The comparisons of all ordered pairs of measures, from one look at the domain."""
    if not isinstance(domain, Domain):
        raise DataError(
            "domain is what measures are compared on: ranked_lists(...), permutations(...), "
            "score_lists(...), multiclass(...) or observed(...)"
        )
    if precision is not None:
        read_argument("precision", precision, POSITIVE)
        if not domain.simulated:
            raise DataError(f"precision is for what is drawn at random; {domain} are all looked at")
    pairs = list(combinations(measures, 2)) if len(measures) > 1 else [(measures[0], measures[0])]
    counts: dict[tuple[Measure, Measure], list[Counts]] = {pair: [] for pair in pairs}
    exact = dict.fromkeys(pairs, True)
    for stratum in domain.strata(measures, workers=workers, progress=progress):
        for f, g in pairs:
            one, other = stratum.levels[f], stratum.levels[g]
            counts[f, g].append(count_pairs(one, other, stratum.weight))
            exact[f, g] &= one.exact and other.exact
        if precision is not None and all(_is_precise(some, precision) for some in counts.values()):
            break
    found = {}
    for f, g in pairs:
        for key, some in (((f, g), counts[f, g]), ((g, f), [c.turned for c in counts[f, g]])):
            errors = _errors(some) if domain.simulated and len(some) > 1 else (None, None, True)
            total = sum(some[1:], some[0])
            found[key] = MeasureComparison(*key, str(domain), total, exact[f, g], *errors)
    return found


def _is_precise(counts: Sequence[Counts], precision: float) -> bool:
    """Whether the standard error of C is small enough, which few batches do not tell."""
    return len(counts) >= FEWEST and not _errors(counts)[0] > precision


def _errors(counts: Sequence[Counts]) -> tuple[float, float, bool]:
    """The standard errors of C and D, as quotients of sums over independent strata.

    Also whether it is certain that C is not 1/2 and D not 1. Differences tell that, since a
    quotient of few pairs has no error to go by.
    """
    agreed = [(c.con, c.con + c.incon) for c in counts]
    decided = [(c.dis_fg, c.dis_gf) for c in counts]
    agreement = [c.con - c.incon for c in counts]
    decision = [c.dis_fg - c.dis_gf for c in counts]
    settled = _is_settled(agreement) and _is_settled(decision)
    return _error_of_ratio(agreed), _error_of_ratio(decided), settled


def _is_settled(differences: Sequence[int]) -> bool:
    total, strata = sum(differences), len(differences)
    square = sum((one - total / strata) ** 2 for one in differences)
    return abs(total) > CERTAIN * math.sqrt(square * strata / (strata - 1))


def _error_of_ratio(terms: Sequence[tuple[int, int]]) -> float:
    some, of = (sum(column) for column in zip(*terms, strict=True))
    if not of:
        return math.nan
    square = sum((a - some / of * b) ** 2 for a, b in terms)
    return float(math.sqrt(square * len(terms) / (len(terms) - 1)) / of)


def read_measures(measures: str | Iterable[str | Measure], least: int = 2) -> list[Measure]:
    """Several different measures."""
    chosen = parse_list(measures)
    if len(chosen) < least:
        raise DataError(f"give at least {least} different measures")
    return chosen


def ordered_pairs(measures: Sequence[Measure]) -> list[tuple[Measure, Measure]]:
    """All pairs in both directions."""
    return list(permutations(measures, 2))
