"""What advice is made of: its rows, its checks, and how it is shown."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import is_real
from metameasure._text import visible
from metameasure.errors import DataError
from metameasure.lab.advice.recommendation import plus_minus, winner_of
from metameasure.results import Cell, Grid, Page, Printed, json_record, tidy_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.evaluation import LeftOut
    from metameasure.measurement import Measure


@dataclass(frozen=True)
class AdviceRow:
    """What becomes of choices by one measure from validation sets of one size.

    Attributes:
        measure: the measure.
        size: the number of cases of a validation set.
        noise: the share of the validation labels that are redrawn by a fair coin.
        regret: how much worse in the goal the chosen model is than the best, on average.
        regret_se: its standard error, over samples of the cases and over the draws.
        hit_rate: the share of the choices that are the best model.
        msa: the share of the pairs of models that are ordered as the goal orders them.
        as_good_as_best: whether the regret differs from the least by no more than chance explains.
    """

    measure: str
    size: int
    noise: float
    regret: float
    regret_se: float
    hit_rate: float
    msa: float
    as_good_as_best: bool


@dataclass(frozen=True)
class AdviceCheck:
    """Something to be warned of, and the size of validation sets at which it holds."""

    name: str
    message: str
    size: int | None = None

    def line(self) -> str:
        """The check as it is printed."""
        where = "" if self.size is None else f" (size {self.size})"
        return f"check {self.name}{where}: {visible(self.message)}"


class Advice(Printed):
    """Which measure should choose among the models, and how sure that is.

    ``recommendation`` says it in one sentence, ``noise_notes`` how label noise changes it.
    ``frame()`` has one row a size, noise and measure, the least regret first. ``undefined`` has the
    share of the validation sets on which a measure lacked a value, as rows. Unless
    ``models_differ`` in the goal by more than chance explains, no row tells anything. ``measures``
    are those asked, in the order in which the first of equally good ones is recommended.
    """

    def __init__(
        self,
        rows: Sequence[AdviceRow],
        recommendation: str,
        *,
        goal: Measure,
        measures: Sequence[str] = (),
        models_differ: bool = True,
        noise_notes: Sequence[str] = (),
        checks: Sequence[AdviceCheck] = (),
        left_out: Sequence[LeftOut] = (),
        undefined: Sequence[dict[str, Any]] = (),
        facts: dict[str, Any] | None = None,
        like: Any = None,
    ) -> None:
        self.rows = tuple(rows)
        self.recommendation = recommendation
        self.goal = goal
        self.measures = tuple(measures) or tuple(dict.fromkeys(row.measure for row in rows))
        self.models_differ = models_differ
        self.noise_notes = tuple(noise_notes)
        self.checks = tuple(checks)
        self.left_out = tuple(left_out)
        self.undefined = tuple(undefined)
        self.facts = dict(facts or {})
        self._like = like

    def recommended(self, *, size: int | None = None, noise: float | None = None) -> str | None:
        """The measure to choose by, as its text; None if no measure is, or these data cannot tell.

        It is as good as the best wherever some measure is worse, with the least mean regret there,
        which is how the recommendation finds it.

        Args:
            size: from validation sets of this size, at all shares of noise; of all sizes by
                default.
            noise: with this share of the labels redrawn; with none by default, unless a size is
                given.
        """
        if size is None and noise is None:
            noise = min(row.noise for row in self.rows)
        rows = self._rows_at(size, noise)
        if not self.models_differ:
            return None
        found = {(row.size, row.noise, row.measure): row for row in rows}
        levels = dict.fromkeys((row.size, row.noise) for row in rows)
        table = [[found[*level, name] for name in self.measures] for level in levels]
        good = np.array([[row.as_good_as_best for row in some] for some in table])
        regret = np.array([[row.regret for row in some] for some in table])
        winner = winner_of(good, regret)
        return None if winner is None else self.measures[winner]

    def _rows_at(self, size: Any, noise: Any) -> list[AdviceRow]:
        """The rows of this size and noise, as far as they are given; refused if there are none."""
        rows = [row for row in self.rows if _is_at(row, size, noise)]
        if not rows:
            sizes, shares = (
                ", ".join(f"{known:g}" for known in sorted({getattr(row, of) for row in self.rows}))
                for of in ("size", "noise")
            )
            raise DataError(
                f"there is no advice for size={size!r} and noise={noise!r}: it is for sizes of "
                f"{sizes} and a noise of {shares}"
            )
        return rows

    def records(self) -> list[dict[str, Any]]:
        """The rows as dicts."""
        return [asdict(row) for row in self.rows]

    def frame(self) -> Any:
        """A tidy frame: of the kind that came in, else of polars."""
        import polars as pl  # noqa: PLC0415

        real = pl.Float64()
        kinds = {
            "measure": pl.String(), "size": pl.Int64(), "noise": real, "regret": real,
            "regret_se": real, "hit_rate": real, "msa": real, "as_good_as_best": pl.Boolean(),
        }  # fmt: skip
        return tidy_frame(self.records(), kinds, self._like)

    def to_json(self) -> str:
        """JSON with ``recommendation``, ``rows``, ``noise``, ``checks``, ``left_out`` and facts."""
        content = {
            "recommendation": self.recommendation,
            "rows": [json_record(record) for record in self.records()],
            "noise": list(self.noise_notes),
            "checks": [asdict(check) for check in self.checks],
            "left_out": [vars(item) for item in self.left_out],
            "undefined": list(self.undefined),
            "goal": str(self.goal),
            **self.facts,
        }
        return json.dumps(content, indent=2)

    def page(self) -> Page:
        """One table a size, the best measures first and standing out; below, the advice."""
        sizes = dict.fromkeys(row.size for row in self.rows)
        grids = [self._grid([row for row in self.rows if row.size == size]) for size in sizes]
        left: dict[tuple[str, str], list[str]] = {}
        for item in self.left_out:
            left.setdefault((item.model, item.reason), []).append(item.measure)
        notes = [
            f"left out for {visible(model)}, since {why}: {', '.join(measures)}"
            for (model, why), measures in left.items()
        ]
        notes += [check.line() for check in self.checks]
        return Page(grids, [visible(self.recommendation), *self.noise_notes, *notes])

    def _grid(self, rows: Sequence[AdviceRow]) -> Grid:
        levels = list(dict.fromkeys(row.noise for row in rows))
        known = {(row.measure, row.noise): row for row in rows}
        header = ["measure", "regret", "as good", "hit rate", "MSA"]
        header += [f"{100 * noise:g} % noise" for noise in levels[1:]]
        body = []
        for row in (row for row in rows if row.noise == levels[0]):
            cells = [_regret(row), Cell("yes" if row.as_good_as_best else "")]
            cells += [Cell(f"{row.hit_rate:.3f}"), Cell(f"{row.msa:.3f}")]
            cells += [_regret(known[row.measure, noise]) for noise in levels[1:]]
            body.append((row.measure, cells))
        counts = "{n} cases, {n_pos} positive, {models} models".format_map(self.facts)
        caption = f"{counts}; regret: what a choice loses of {self.goal} on average, ± its error"
        return Grid(header, body, caption, f"validation sets of {rows[0].size} cases")

    def __repr__(self) -> str:
        return f"<advice: {self.recommendation}>"


def _is_at(row: AdviceRow, size: Any, noise: Any) -> bool:
    """Whether a row is of this size and noise, as far as they are given."""
    wanted = ((size, row.size), (noise, row.noise))
    return all(given is None or (is_real(given) and given == own) for given, own in wanted)


def _regret(row: AdviceRow) -> Cell:
    return Cell(plus_minus(row.regret, row.regret_se), "", row.as_good_as_best)
