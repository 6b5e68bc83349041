"""Selection ability over many data sets: the tests and the success rates of the papers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from metameasure._arguments import is_real
from metameasure._text import number
from metameasure.errors import DataError
from metameasure.inference import friedman_test, holm, sign_test, wilcoxon_test
from metameasure.results import Cell, Grid, Listed, Page, json_record
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from metameasure.inference import FriedmanTest
    from metameasure.lab.model_choice.selection_result import Selection

    Floats = NDArray[np.float64]

TOLERANCES = (0.01, 0.02, 0.03, 0.04, 0.05)


@dataclass(frozen=True)
class SelectionsRow:
    """How well one measure chooses over data sets.

    Attributes:
        measure: the measure.
        msa: its mean model selection ability.
        regret: its mean regret.
        rank: its mean rank by regret; 1 is the best.
        wins, losses, ties: on how many data sets its regret is below, above, or equal to that of
            the reference; 0 for the reference itself.
        sign_pvalue: that of the sign test against the reference.
        adjusted_pvalue: the same by Holm over the measures.
        wilcoxon_pvalue: that of the signed rank test against the reference.
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
    """On which share of the data sets the MSA of a measure comes close to the largest one."""

    measure: str
    tolerance: float
    rate: float


class Selections(Listed):
    """How well measures choose over data sets: one row a measure, the best mean rank first.

    ``friedman`` is the test that all are equally good; ``success`` has the success rates.
    """

    kind = SelectionsRow

    def __init__(
        self,
        rows: Sequence[SelectionsRow],
        success: Sequence[SuccessRow],
        *,
        friedman: FriedmanTest,
        datasets: Sequence[str],
        reference: str,
    ) -> None:
        super().__init__(rows)
        self.success = tuple(success)
        self.friedman = friedman
        self.datasets = tuple(datasets)
        self.reference = reference

    def to_json(self) -> str:
        """JSON with ``rows``, ``success``, the Friedman test, data sets and the reference."""
        content = {
            "rows": [json_record(record) for record in self.records()],
            "success": [asdict(row) for row in self.success],
            "friedman": json_record(asdict(self.friedman)),
            "datasets": list(self.datasets),
            "reference": self.reference,
        }
        return json.dumps(content, indent=2)

    def page(self) -> Page:
        """One line a measure, with its success rates."""
        tolerances = list(dict.fromkeys(row.tolerance for row in self.success))
        header = ["measure", "rank", "regret", "MSA", "wins-losses-ties", "sign p", "Wilcoxon p"]
        header += [f"within {100 * tolerance:g} %" for tolerance in tolerances]
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
            f"{len(self.datasets)} data sets; tests against {self.reference}; within x %: the "
            "share of data sets on which the MSA comes so close to the largest"
        )
        note = f"Friedman's test that all choose equally well: p = {number(self.friedman.pvalue)}"
        return Page([Grid(header, body, caption)], [note])

    def __repr__(self) -> str:
        return f"<selections: {len(self.rows)} measures, {len(self.datasets)} data sets>"


def selection_over_datasets(
    selections: Mapping[str, Selection],
    *,
    reference: str | None = None,
    tolerances: Sequence[float] = TOLERANCES,
) -> Selections:
    """Which measures choose better over several data sets, by the tests of the papers.

    Data sets are what varies, one selection each. Every measure is tested against the reference by
    the sign test (Wu, Flach and Ferri) and the signed rank test of the mean regrets. A success, as
    Huang counts them, is an MSA that lacks no more than a share ``tolerance`` of the largest one on
    that data set.

    Args:
        selections: the results of ``selection``, by the name of their data set.
        reference: the measure that the others are tested against; the goal by default.
        tolerances: the shares for which success rates are given.
    """
    if not isinstance(selections, Mapping) or len(selections) < 2:
        raise DataError("give the selections of two or more data sets, by name")
    if not all(is_real(tolerance) and 0 <= tolerance < 1 for tolerance in tolerances):
        raise DataError(f"tolerances={tolerances!r}: give shares from 0 to below 1, as in 0.01")
    found = [{row.measure: row for row in one.rows} for one in selections.values()]
    names = [name for name in found[0] if all(name in rows for rows in found)]
    goals = {str(one.goal) for one in selections.values()}
    if reference is None and len(goals) > 1:
        raise DataError(f"the data sets have several goals ({', '.join(sorted(goals))}): "
                        "say which measure is the reference")  # fmt: skip
    against = reference or goals.pop()
    if against not in names or len(names) < 2:
        raise DataError(
            f"the reference {against} and another measure must have chosen on every data set; "
            f"these did: {', '.join(names)}"
        )
    msa, regret = (
        np.array([[getattr(rows[name], what) for name in names] for rows in found])
        for what in ("msa", "regret")
    )
    friedman = friedman_test(regret, best="min")
    rows = _rows(names, names.index(against), msa, regret, friedman.ranks)
    success = [
        SuccessRow(name, float(tolerance), float(rate))
        for tolerance in tolerances
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
    """The share of the data sets on which each measure comes close to the largest MSA."""
    close = msa >= msa.max(axis=1, keepdims=True) * (1 - tolerance) - ROUNDING
    rates: Floats = close.mean(axis=0)
    return rates
