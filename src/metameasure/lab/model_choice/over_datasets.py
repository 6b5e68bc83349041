"""Model selection ability over several data sets: the papers' tests and success rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from metameasure._arguments import Choice, Real, read_argument, read_several
from metameasure._text import number
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.inference import friedman_test, holm, sign_test, wilcoxon_test
from metameasure.measurement import is_as_good
from metameasure.results import Cell, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats
    from metameasure.inference import FriedmanTest
    from metameasure.lab.model_choice.selection_study import Selection
    from metameasure.measurement import Measure


TOLERANCES = (0.01, 0.02, 0.03, 0.04, 0.05)
"""Huang's tolerances of success rates."""


@dataclass(frozen=True)
class SelectionsRow:
    """How well one measure selects models over several data sets.

    Attributes:
        measure: the measure.
        msa: the mean model selection ability.
        regret: the mean regret.
        rank: the mean rank by regret; 1 is best.
        wins, losses, ties: the numbers of data sets on which the regret is below, above, or equal
            to that of the reference; 0 for the reference itself.
        sign_pvalue: the p-value of the sign test against the reference.
        adjusted_pvalue: the p-value of the sign test, adjusted by Holm over the measures.
        wilcoxon_pvalue: the p-value of the Wilcoxon signed-rank test against the reference.
    """

    measure: str
    msa: float
    regret: float
    rank: float
    wins: int
    losses: int
    ties: int
    sign_pvalue: float | None
    adjusted_pvalue: float | None
    wilcoxon_pvalue: float | None


@dataclass(frozen=True)
class SuccessRow:
    """The fraction of data sets on which a measure's MSA is within a tolerance of the largest."""

    measure: str
    tolerance: float
    rate: float


class Selections(Result):
    """How well measures select models over data sets: one row per measure, by mean rank.

    ``friedman`` is Friedman's test of equal regrets; ``success`` has the success rates.
    """

    schema = SelectionsRow
    extra: ClassVar = {"success": SuccessRow}

    def __init__(
        self,
        rows: Sequence[SelectionsRow],
        success: Sequence[SuccessRow],
        *,
        friedman: FriedmanTest,
        datasets: Sequence[str],
        reference: str,
    ) -> None:
        about = {"datasets": list(datasets), "reference": reference}
        super().__init__(rows, meta={"friedman": asdict(friedman), **about})
        self.success = tuple(success)
        self.friedman = friedman
        self.datasets = tuple(datasets)
        self.reference = reference

    def grids(self) -> list[Grid]:
        """One line per measure, with its success rates."""
        tolerances = list(dict.fromkeys(row.tolerance for row in self.success))
        header = ["measure", "rank", "regret", "MSA", "wins-losses-ties", "sign p", "Wilcoxon p"]
        header += [f"within {100 * tolerance:g}%" for tolerance in tolerances]
        rates = {(row.measure, row.tolerance): row.rate for row in self.success}
        body = []
        for row in self.rows:
            cells = [Cell(number(value)) for value in (row.rank, row.regret, row.msa)]
            if row.measure == self.reference:
                cells += [Cell(""), Cell(""), Cell("")]
            else:
                cells.append(Cell(f"{row.wins}-{row.losses}-{row.ties}"))
                cells += [Cell(number(p or 0.0)) for p in (row.sign_pvalue, row.wilcoxon_pvalue)]
            cells += [Cell(f"{rates[row.measure, tolerance]:.2f}") for tolerance in tolerances]
            body.append((row.measure, cells))
        caption = (
            f"{len(self.datasets)} data sets; tests against {self.reference}; within x%: fraction "
            "of data sets on which the MSA is within x% of the largest"
        )
        return [Grid(header, body, caption)]

    def notes(self) -> list[str]:
        """Friedman's test."""
        pvalue = number(self.friedman.pvalue)
        return [f"Friedman's test (H0: all measures select equally well): p = {pvalue}"]


def selection_over_datasets(
    selections: Mapping[str, Selection],
    *,
    reference: str | Measure | None = None,
    tolerances: Sequence[float] = TOLERANCES,
) -> Selections:
    """Compare how well measures select models over several data sets.

    Each data set contributes one selection. Every measure is tested against the reference by the
    sign test (Wu, Flach and Ferri, 2007) and the Wilcoxon signed-rank test of the regrets. A
    success, as defined by Huang (2006), is an MSA of at least ``1 - tolerance`` times the largest
    one on that data set.

    Args:
        selections: the results of ``selection``, by data set name.
        reference: the measure that the others are tested against; by default the goal.
        tolerances: the tolerances of the success rates.
    """
    if not isinstance(selections, Mapping) or len(selections) < 2:
        raise ParameterError(
            (Argument("selections"), " must be a dict of the selections of two or more data sets")
        )
    within = read_several("tolerances", tolerances, Real(0, 1, open_high=True))
    found = [{row.measure: row for row in one.rows} for one in selections.values()]
    names = [name for name in found[0] if all(name in rows for rows in found)]
    goals = {str(one.goal) for one in selections.values()}
    if reference is None and len(goals) > 1:
        raise DataError(
            f"the data sets have different goals: {', '.join(sorted(goals))}",
            remedy=("pass ", Argument("reference")),
        )
    if len(names) < 2:
        raise DataError(
            f"need at least two measures that occur in all data sets, got {', '.join(names) or 0}"
        )
    against = goals.pop() if reference is None else str(reference)
    against = read_argument("reference", against, Choice(tuple(names)))
    msa, regret = (
        np.array([[getattr(rows[name], what) for name in names] for rows in found])
        for what in ("msa", "regret")
    )
    friedman = friedman_test(regret, best="min")
    rows = _rows(names, names.index(against), msa, regret, friedman.ranks)
    success = [
        SuccessRow(name, tolerance, float(rate))
        for tolerance in within
        for name, rate in zip(names, _rates(msa, tolerance), strict=True)
    ]
    return Selections(
        sorted(rows, key=lambda row: row.rank),
        success,
        friedman=friedman,
        datasets=list(selections),
        reference=against,
    )


def _rows(
    names: Sequence[str], reference: int, msa: Floats, regret: Floats, ranks: Sequence[float]
) -> list[SelectionsRow]:
    others = [place for place in range(len(names)) if place != reference]
    signs = {place: sign_test(-regret[:, place], -regret[:, reference]) for place in others}
    adjusted = dict(zip(others, holm([signs[place].pvalue for place in others]), strict=True))
    rows = []
    for place, name in enumerate(names):
        means = float(msa[:, place].mean()), float(regret[:, place].mean()), float(ranks[place])
        if place == reference:
            rows.append(SelectionsRow(name, *means, 0, 0, 0, None, None, None))
            continue
        sign = signs[place]
        signed = wilcoxon_test(-regret[:, place], -regret[:, reference]).pvalue
        counts = sign.higher, sign.lower, sign.ties
        rows.append(SelectionsRow(name, *means, *counts, sign.pvalue, adjusted[place], signed))
    return rows


def _rates(msa: Floats, tolerance: float) -> Floats:
    """The fraction of data sets on which each measure's MSA is close to the largest."""
    close = is_as_good(msa, msa.max(axis=1, keepdims=True) * (1 - tolerance))
    rates: Floats = close.mean(axis=0)
    return rates
