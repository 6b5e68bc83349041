"""Model selection ability: the result of ``selection``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from metameasure._text import number
from metameasure.evaluation import LeftOut
from metameasure.lab.advice.recommendation import plus_minus
from metameasure.results import Cell, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.measurement import Measure


@dataclass(frozen=True)
class SelectionRow:
    """How well one measure selects models.

    Attributes:
        measure: the measure.
        msa: model selection ability: the fraction of pairs of models that it orders on a validation
            set as the goal does; ties count 1/2.
        msa_se: the standard error of ``msa``, over samples of cases and over draws.
        hit_rate: the probability that it selects the best model.
        hit_rate_se: the standard error of ``hit_rate``.
        regret: the mean difference between the goal of the best model and that of the selected one.
        regret_se: the standard error of ``regret``.
        undefined: the fraction of validation sets on which it is undefined for a model.
    """

    measure: str
    msa: float
    msa_se: float
    hit_rate: float
    hit_rate_se: float
    regret: float
    regret_se: float
    undefined: float


@dataclass(frozen=True)
class SelectionTest:
    """A test of whether two measures select equally well.

    Attributes:
        a, b: the measures.
        difference: the regret of a minus that of b; if negative, a selects better.
        se: the standard error of ``difference``, over samples of cases and over draws.
        pvalue: the p-value of the null hypothesis of equal regrets in the population of cases.
        adjusted_pvalue: ``pvalue``, adjusted by Holm over the tests.
        wins, losses, ties: the numbers of validation sets on which the model selected by a is
            better than, worse than, or as good as that selected by b.
        sign_pvalue: the p-value of the sign test over the validation sets. It applies to these
            cases only, not to their population.
    """

    a: str
    b: str
    difference: float
    se: float
    pvalue: float
    adjusted_pvalue: float
    wins: int
    losses: int
    ties: int
    sign_pvalue: float


class Selection(Result):
    """How well measures select models: one row per measure, the smallest regret first.

    ``tests`` compares each measure with the reference, which is the goal by default.
    """

    schema = SelectionRow
    extra: ClassVar = {"tests": SelectionTest, "left_out": LeftOut}

    def __init__(
        self,
        rows: Sequence[SelectionRow],
        tests: Sequence[SelectionTest],
        *,
        goal: Measure,
        reference: Measure,
        facts: dict[str, Any],
        left_out: Sequence[LeftOut] = (),
        like: Any = None,
    ) -> None:
        names = {"goal": str(goal), "reference": str(reference)}
        super().__init__(rows, meta={**names, **facts}, like=like)
        self.tests = tuple(tests)
        self.goal = goal
        self.reference = reference
        self.left_out = tuple(left_out)

    def grids(self) -> list[Grid]:
        """One line per measure, with its test against the reference."""
        header = ["measure", "MSA", "hit rate", "regret", f"p-value against {self.reference}"]
        adjusted = {test.a: test.adjusted_pvalue for test in self.tests}
        body = []
        for row in self.rows:
            cells = [
                Cell(plus_minus(row.msa, row.msa_se)),
                Cell(plus_minus(row.hit_rate, row.hit_rate_se)),
                Cell(plus_minus(row.regret, row.regret_se)),
                Cell(number(adjusted[row.measure]) if row.measure in adjusted else ""),
            ]
            body.append((row.measure, cells))
        facts = (
            "{n} cases, {models} models, {repeats} validation sets of {size} cases; goal: {goal}"
        )
        return [Grid(header, body, f"{facts.format_map(self.meta)}; p-values adjusted by Holm")]

    def notes(self) -> list[str]:
        """The measures that were left out."""
        return [
            f"{item.measure} left out for {item.model}: {item.reason}" for item in self.left_out
        ]
