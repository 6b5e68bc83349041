"""What a study of selection is made of: its rows, its tests, and how they are shown."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from metameasure._text import number, visible
from metameasure.lab.advice.recommendation import plus_minus
from metameasure.results import Cell, Grid, Listed, Page, json_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.evaluation import LeftOut
    from metameasure.measurement import Measure


@dataclass(frozen=True)
class SelectionRow:
    """How well one measure chooses.

    Attributes:
        measure: the measure.
        msa: model selection ability: the share of the pairs of models that it orders on a
            validation set as the goal does, ties one half.
        msa_se: its standard error, over samples of the cases and over the draws.
        hit_rate: the probability that it picks the best model.
        hit_rate_se: its standard error.
        regret: what the model that it picks lacks of the goal of the best one, on average.
        regret_se: its standard error.
        undefined: the share of the validation sets on which it lacks a value for a model.
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
    """One measure against another as choosers.

    Attributes:
        a, b: the measures.
        difference: the regret of a less that of b; below 0, a chooses better.
        se: its standard error, over samples of the cases and over the draws.
        pvalue: that of the hypothesis that they choose equally well, for other cases than these.
        adjusted_pvalue: the same by Holm over the tests.
        wins, losses, ties: on how many validation sets the model that a picks is better, worse, or
            as good as that of b.
        sign_pvalue: that of the sign test over the validation sets. It says which is ahead on these
            cases, and nothing about others.
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


class Selection(Listed):
    """How well measures choose: one row a measure, the least regret first.

    ``tests`` compares each measure with the reference, which is the goal itself by default.
    """

    kind = SelectionRow

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
        super().__init__(rows, like)
        self.tests = tuple(tests)
        self.goal = goal
        self.reference = reference
        self.facts = facts
        self.left_out = tuple(left_out)

    def to_json(self) -> str:
        """JSON with ``rows``, ``tests``, ``left_out``, the goal and facts."""
        content = {
            "rows": [json_record(record) for record in self.records()],
            "tests": [json_record(asdict(test)) for test in self.tests],
            "left_out": [vars(item) for item in self.left_out],
            "goal": str(self.goal),
            "reference": str(self.reference),
            **self.facts,
        }
        return json.dumps(content, indent=2)

    def page(self) -> Page:
        """One line a measure, and the tests against the reference."""
        header = ["measure", "MSA", "hit rate", "regret", f"p against {self.reference}"]
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
        facts = "{n} cases, {models} models, {repeats} validation sets of {size} cases"
        caption = f"{facts.format_map(self.facts)}; the goal is {self.goal}; p adjusted by Holm"
        notes = [
            f"{item.measure} left out for {visible(item.model)}, since {item.reason}"
            for item in self.left_out
        ]
        return Page([Grid(header, body, caption)], notes)

    def __repr__(self) -> str:
        return f"<selection: {len(self.rows)} measures, goal {self.goal}>"
