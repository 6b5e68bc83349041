"""The result of ``advise``: the rows, the recommendation and the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metameasure._arguments import Real, read_argument
from metameasure._text import number, plus_minus
from metameasure.errors import ParameterError
from metameasure.evaluation import LeftOut
from metameasure.lab.advice.recommendation import winner_of
from metameasure.results import Cell, Check, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.lab.advice.groups import Group
    from metameasure.measurement import Measure


@dataclass(frozen=True)
class AdviceRow:
    """How well one measure chooses from validation sets of one size.

    Attributes:
        measure: the measure.
        size: the number of cases per validation set.
        noise: the fraction of the validation labels that are redrawn at random.
        regret: the mean difference between the goal of the best model and that of the chosen one.
        regret_se: the standard error of ``regret``, over samples of cases and over draws.
        hit_rate: the fraction of the choices that are the best model.
        msa: the fraction of pairs of models that are ordered as the goal orders them.
        limit: the upper confidence limit of the difference between the regret and that of the best
            measure: the smallest tolerance with which the measure is recommended.
        group: "recommended", "worse" or "undetermined".
        close: whether another seed may lead to another group.
    """

    measure: str
    size: int
    noise: float
    regret: float
    regret_se: float
    hit_rate: float
    msa: float
    limit: float
    group: Group
    close: bool


@dataclass(frozen=True)
class UndefinedRow:
    """The fraction of validation sets on which a measure is undefined for a model."""

    measure: str
    size: int
    noise: float
    share: float


class Advice(Result):
    """Which measure should choose among the models: one row per size, noise and measure.

    Attributes:
        recommendation: the advice in words.
        goal: the measure that determines which model is best.
        tolerance: the difference from the smallest regret up to which measures are as good.
        measures: the measures compared, in order; of equally good ones the first is recommended.
        models_differ: whether the models differ significantly in the goal; if not, no row is
            informative, and all measures are undetermined.
        noise_notes: how label noise changes the recommendation, and hit rates that rise with it.
        left_out: the measures that do not apply to a model.
        undefined: the validation sets on which measures are undefined.
    """

    schema = AdviceRow
    extra: ClassVar = {"left_out": LeftOut, "undefined": UndefinedRow}

    def __init__(
        self,
        rows: Sequence[AdviceRow],
        recommendation: str,
        *,
        goal: Measure,
        tolerance: float,
        measures: Sequence[str] = (),
        models_differ: bool = True,
        noise_notes: Sequence[str] = (),
        checks: Sequence[Check] = (),
        left_out: Sequence[LeftOut] = (),
        undefined: Sequence[UndefinedRow] = (),
        facts: dict[str, Any] | None = None,
        like: Any = None,
    ) -> None:
        self.recommendation = recommendation
        self.goal = goal
        self.tolerance = tolerance
        self.measures = tuple(measures) or tuple(dict.fromkeys(row.measure for row in rows))
        self.models_differ = models_differ
        self.noise_notes = tuple(noise_notes)
        self.left_out = tuple(left_out)
        self.undefined = tuple(undefined)
        sentences = {"recommendation": recommendation, "noise_notes": list(noise_notes)}
        about = {"goal": str(goal), "tolerance": tolerance, "models_differ": models_differ}
        super().__init__(
            rows, meta={**sentences, **about, **(facts or {})}, checks=checks, like=like
        )

    def recommended(self, *, size: int | None = None, noise: float | None = None) -> str | None:
        """The measure to use as text; None if there is none.

        It is recommended wherever some measure is, and of all such measures it has the smallest
        mean regret there.

        Args:
            size: the size of validation sets, for all levels of noise; by default all sizes.
            noise: the level of noise; by default none, or all levels if a size is given.
        """
        read_argument("size", size, Real(), optional=True)
        read_argument("noise", noise, Real(), optional=True)
        if size is None and noise is None:
            noise = min(row.noise for row in self.rows)
        rows = self._rows_at(size, noise)
        found = {(row.size, row.noise, row.measure): row for row in rows}
        levels = dict.fromkeys((row.size, row.noise) for row in rows)
        table = [[found[*level, name] for name in self.measures] for level in levels]
        good = np.array([[row.group == "recommended" for row in some] for some in table])
        regret = np.array([[row.regret for row in some] for some in table])
        winner = winner_of(good, regret)
        return None if winner is None else self.measures[winner]

    def _rows_at(self, size: Any, noise: Any) -> list[AdviceRow]:
        """The rows of this size and noise, where given; an error if there are none."""
        rows = [row for row in self.rows if _is_at(row, size, noise)]
        if not rows:
            sizes, shares = (
                ", ".join(f"{known:g}" for known in sorted({getattr(row, of) for row in self.rows}))
                for of in ("size", "noise")
            )
            raise ParameterError(
                f"there are no rows for size={size!r}, noise={noise!r}; sizes: {sizes}; noise: "
                f"{shares}"
            )
        return rows

    def lead(self) -> list[str]:
        """The recommendation."""
        return [self.recommendation]

    def grids(self) -> list[Grid]:
        """One table per size, the best measures first."""
        sizes = dict.fromkeys(row.size for row in self.rows)
        return [self._grid([row for row in self.rows if row.size == size]) for size in sizes]

    def notes(self) -> list[str]:
        """What the groups mean, the effect of noise, and the measures that were left out."""
        left: dict[tuple[str, str], list[str]] = {}
        for item in self.left_out:
            left.setdefault((item.model, item.reason), []).append(item.measure)
        out = [
            f"left out for {model}, {why}: {', '.join(measures)}"
            for (model, why), measures in left.items()
        ]
        return [*self._meanings(), *self.noise_notes, *out]

    def _meanings(self) -> list[str]:
        limit = "limit: simultaneous upper 95% limit of the loss compared with the best measure"
        if not self.models_differ:
            return [limit]
        groups = (
            f"recommended: limit of at most {number(self.tolerance)} (the tolerance); worse: "
            "regret significantly above that of another measure; undetermined: neither is shown"
        )
        close = "; close: another seed may lead to another group"
        return [f"{limit}; {groups}{close if any(row.close for row in self.rows) else ''}"]

    def _grid(self, rows: Sequence[AdviceRow]) -> Grid:
        levels = list(dict.fromkeys(row.noise for row in rows))
        known = {(row.measure, row.noise): row for row in rows}
        header = ["measure", "group", "regret", "limit", "hit rate", "MSA"]
        header += [f"{100 * noise:g}% noise" for noise in levels[1:]]
        body = []
        for row in (row for row in rows if row.noise == levels[0]):
            cells = [Cell(f"{row.group}{', close' if row.close else ''}"), _regret(row)]
            cells += [Cell(number(row.limit)), Cell(f"{row.hit_rate:.3f}"), Cell(f"{row.msa:.3f}")]
            cells += [_regret(known[row.measure, noise]) for noise in levels[1:]]
            body.append((row.measure, cells))
        counts = "{n} cases, {n_pos} positive, {models} models".format_map(self.meta)
        caption = (
            f"{counts}; regret: mean loss of {self.goal} compared with the best model, ± standard "
            "error"
        )
        title = f"validation sets of {rows[0].size} cases"
        return Grid(header, body, caption, title, "recommended")

    def __repr__(self) -> str:
        return f"<advice: {self.recommendation}>"


def _is_at(row: AdviceRow, size: Any, noise: Any) -> bool:
    """Whether a row is of this size and noise, where given."""
    return all(given in (None, own) for given, own in ((size, row.size), (noise, row.noise)))


def _regret(row: AdviceRow) -> Cell:
    return Cell(plus_minus(row.regret, row.regret_se), "", row.group == "recommended")
