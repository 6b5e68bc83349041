"""Two measures compared: how often they agree, and which is more discriminating."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from metameasure._arguments import POSITIVE, read_argument
from metameasure._text import number, shown
from metameasure.errors import Argument, ParameterError
from metameasure.lab.agreement.domain import Domain
from metameasure.lab.agreement.pair_counts import FIELDS, Counts, count_pairs, ratio
from metameasure.measurement import Measure, parse
from metameasure.progress import reporting
from metameasure.results import Cell, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.progress import Progress

CERTAIN = 3.0
"""Number of standard errors from 0 beyond which a simulated difference is significant."""
DOMAINS = "ranked_lists, permutations, score_lists, multiclass or observed"
"""The functions that make a domain."""
FEWEST = 20
"""Minimum number of batches for a reliable standard error."""
MEANINGS = {
    "con": "both agree",
    "incon": "they disagree",
    "dis_fg": "only {f} discriminates",
    "dis_gf": "only {g} discriminates",
    "ind": "tied for both",
}
"""What each count is the number of."""


@dataclass(frozen=True)
class ComparisonRow:
    """A comparison of two measures.

    Attributes:
        f, g: the measures.
        consistency: C, the fraction of the pairs ordered by both on which they agree.
        discriminancy: D, the number of pairs only f discriminates per pair only g discriminates.
        indifferency: E, the fraction of the pairs that are tied for both.
        verdict: better, worse, equivalent, dominates, dominated, not comparable or inconclusive.
        con, incon, dis_fg, dis_gf, ind: the five counts, as fractions of all pairs.
        consistency_se, discriminancy_se: standard errors; None if the domain was enumerated.
        exact: whether all ties are exact.
    """

    f: str
    g: str
    consistency: float
    discriminancy: float
    indifferency: float
    verdict: str
    con: float
    incon: float
    dis_fg: float
    dis_gf: float
    ind: float
    consistency_se: float | None
    discriminancy_se: float | None
    exact: bool


class MeasureComparison(Result):
    """How two measures order all pairs of elements of a domain.

    Attributes:
        f, g: the measures.
        domain: a description of what they were compared on.
        counts: the five counts, as integers.
        exact: whether all ties are exact.
        consistency, discriminancy, indifferency: the degrees C, D and E.
        consistency_se: the standard error of C; None if the domain was enumerated.
        discriminancy_se: the standard error of D; None if the domain was enumerated.
        verdict: the verdict on f. It is better than g if C > 1/2 and D > 1. It dominates g if they
            never disagree and only f discriminates some pairs. A random sample of lists does not
            prove that, and is inconclusive if C is not significantly different from 1/2, or D
            from 1.
    """

    schema = ComparisonRow

    def __init__(
        self,
        f: Measure,
        g: Measure,
        domain: str,
        counts: Counts,
        exact: bool = True,
        consistency_se: float | None = None,
        discriminancy_se: float | None = None,
        settled: bool = True,
    ) -> None:
        self.f, self.g, self.domain, self.counts, self.exact = f, g, domain, counts, exact
        self.consistency_se, self.discriminancy_se = consistency_se, discriminancy_se
        self.consistency = counts.consistency
        self.discriminancy = counts.discriminancy
        self.indifferency = counts.indifferency
        self.verdict = counts.verdict
        if consistency_se is not None:
            verdict = {"dominates": "better", "dominated": "worse"}.get(self.verdict, self.verdict)
            self.verdict = (
                verdict if settled or verdict not in {"better", "worse"} else "inconclusive"
            )
        numbers = {name: getattr(counts, name) for name in FIELDS}
        row = ComparisonRow(
            f=str(f),
            g=str(g),
            consistency=self.consistency,
            discriminancy=self.discriminancy,
            indifferency=self.indifferency,
            verdict=self.verdict,
            **{name: ratio(count, counts.pairs) for name, count in numbers.items()},
            consistency_se=consistency_se,
            discriminancy_se=discriminancy_se,
            exact=exact,
        )
        super().__init__([row], meta={"counts": numbers, "pairs": counts.pairs, "domain": domain})

    def grids(self) -> list[Grid]:
        """The five counts."""
        pairs = self.counts.pairs
        body = []
        for name in FIELDS:
            count = getattr(self.counts, name)
            meaning = MEANINGS[name].format(f=self.f, g=self.g)
            body.append((meaning, [Cell(whole(count)), Cell(f"{100 * count / pairs:.2f}%")]))
        caption = f"{whole(pairs)} pairs of {self.domain}"
        return [Grid(["pairs", "count", "share"], body, caption, f"f = {self.f}, g = {self.g}")]

    def notes(self) -> list[str]:
        """The degrees and the verdict."""
        degrees = (
            f"consistency C = {degree_text(self.consistency, self.consistency_se)}, "
            f"discriminancy D = {degree_text(self.discriminancy, self.discriminancy_se)}, "
            f"indifferency E = {number(self.indifferency)}"
        )
        return [degrees, _sentence(self)]

    def __repr__(self) -> str:
        return f"<{self.f} against {self.g}: {self.verdict}>"


def whole(count: int) -> str:
    """An integer with thousands separators; a very large one in scientific notation."""
    if count < 10**15:
        return f"{count:,}"
    digits = str(count)
    return f"{digits[0]}.{digits[1:4]}e+{len(digits) - 1}"


def degree_text(value: float, error: float | None) -> str:
    """A degree of consistency or discriminancy, with its standard error if it has one."""
    return number(value) if error is None else f"{number(value)} ± {number(error)}"


def _sentence(found: MeasureComparison) -> str:
    f, g = found.f, found.g
    return {
        "better": f"{f} is better than {g}: consistent (C > 0.5) and more discriminating (D > 1).",
        "worse": f"{g} is better than {f}: consistent (C > 0.5) and more discriminating (D < 1).",
        "equivalent": f"{f} and {g} are equivalent: they order all pairs alike.",
        "dominates": f"{f} dominates {g}: they never disagree, and {f} is more discriminating.",
        "dominated": f"{g} dominates {f}: they never disagree, and {g} is more discriminating.",
        "not comparable": f"Neither {f} nor {g} is better: {_why_neither(found.counts)}.",
        "inconclusive": f"Neither {f} nor {g} is significantly better on these lists.",
    }[found.verdict]


def _why_neither(counts: Counts) -> str:
    if counts.con > counts.incon:
        return "they are equally discriminating (D = 1)"
    return "they do not agree more often than they disagree"


def compare(
    f: str | Measure,
    g: str | Measure,
    domain: Domain,
    *,
    precision: float | None = None,
    workers: int | None = None,
    progress: bool | Progress | None = True,
) -> MeasureComparison:
    """Compare two measures: how often they agree, and which is more discriminating.

    Args:
        f: a measure, or its text.
        g: another measure, or its text.
        domain: ``ranked_lists(...)``, ``permutations(...)``, ``score_lists(...)``,
            ``multiclass(...)`` or ``observed(...)``.
        precision: for random lists, stop when the standard error of C is this small.
        workers: the number of parallel tasks; the result does not depend on it.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.

    >>> from metameasure import lab
    >>> print(lab.compare("auc", "accuracy", lab.ranked_lists(4, 4)))
    f = auc, g = accuracy
    pairs                        count   share
    both agree                   1,459  60.41%
    they disagree                   34   1.41%
    only auc discriminates         762  31.55%
    only accuracy discriminates     52   2.15%
    tied for both                  108   4.47%
    2,415 pairs of ranked lists of 4 positives and 4 negatives
    consistency C = 0.9772, discriminancy D = 14.6538, indifferency E = 0.0447
    auc is better than accuracy: consistent (C > 0.5) and more discriminating (D > 1).
    """
    chosen = [parse(f), parse(g)]
    what = f"lab.compare: {chosen[0]} and {chosen[1]} on {domain}"
    with reporting(progress, what) as report:
        found = all_comparisons(chosen, domain, precision, workers, report)
    return found[chosen[0], chosen[1]]


def all_comparisons(
    measures: Sequence[Measure],
    domain: Domain,
    precision: float | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> dict[tuple[Measure, Measure], MeasureComparison]:
    """The comparisons of all ordered pairs of measures, from one pass over the domain."""
    if not isinstance(domain, Domain):
        raise ParameterError(
            (
                Argument("domain"),
                f" must be {DOMAINS}, got {shown([domain])}",
            )
        )
    if precision is not None:
        read_argument("precision", precision, POSITIVE)
        if not domain.simulated:
            raise ParameterError(
                (Argument("precision"), f" applies only to random lists; {domain} are enumerated")
            )
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
    """Whether there are enough batches and the standard error of C is small enough."""
    return len(counts) >= FEWEST and not _errors(counts)[0] > precision


def _errors(counts: Sequence[Counts]) -> tuple[float, float, bool]:
    """The standard errors of C and D, as ratios of sums over independent strata.

    Also whether C differs from 1/2 and D from 1 significantly. This is tested by differences of
    counts, as a ratio of few pairs has no reliable standard error.
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
