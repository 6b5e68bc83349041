"""How robust measures are: how often noise makes a measure prefer the worse of two models."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Whole, is_real, read_argument, read_confidence
from metameasure._text import limits, number
from metameasure.errors import DataError
from metameasure.inference import wilson_limits
from metameasure.lab.block_values import check_takes_tables
from metameasure.lab.parallel import run
from metameasure.lab.perturbation.model_pairs import GENERATORS
from metameasure.lab.perturbation.noise import NOISES
from metameasure.lab.perturbation.preferences import Study
from metameasure.measurement import Measure, parse_list
from metameasure.results import Cell, Grid, Page, Printed, json_record, tidy_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.inference import Progress
    from metameasure.lab.perturbation.model_pairs import PairGenerator
    from metameasure.lab.perturbation.noise import Noise

ENTRIES = 2**17
"""The entries of a block at least, if there are so many: enough for the kernels to be compiled."""
LEVELS = 16
"""How many levels at most are tried on the same pairs, which are judged without noise once."""
COLUMNS = (
    "noise",
    "level",
    "measure",
    "repeats",
    "error_rate",
    "low",
    "high",
    "change_rate",
    "undefined",
)


@dataclass(frozen=True)
class RobustnessRow:
    """How a measure fares at one level of noise.

    Attributes:
        noise: the kind of noise.
        level: how much of it.
        measure: the measure.
        repeats: how many pairs of models were judged.
        error_rate: the share of the pairs in which the worse model is preferred; ties one half.
        low: the lower limit of the error rate (Wilson); with ties it is a little low.
        high: the upper limit; with ties it is a little high.
        change_rate: the share of the pairs in which another model is selected than without noise.
            From a tie to a selection, or back, is half a change.
        undefined: the share of the pairs in which the measure has no value for one of the models,
            which counts as a tie.
    """

    noise: str
    level: float
    measure: str
    repeats: int
    error_rate: float
    low: float
    high: float
    change_rate: float
    undefined: float


class Robustness(Printed):
    """Error rates of measures under noise; ``frame()`` has one row a level and measure."""

    def __init__(
        self, rows: Sequence[RobustnessRow], *, ci: float, generator: str, seed: int | None
    ) -> None:
        self.rows = tuple(rows)
        self.ci = ci
        self.facts = {"generator": generator, "seed": seed}

    def records(self) -> list[dict[str, Any]]:
        """The rows as dicts."""
        return [asdict(row) for row in self.rows]

    def frame(self) -> Any:
        """A tidy frame of polars."""
        import polars as pl  # noqa: PLC0415

        text, real = pl.String(), pl.Float64()
        kinds = (text, real, text, pl.Int64(), real, real, real, real, real)
        return tidy_frame(self.records(), dict(zip(COLUMNS, kinds, strict=True)), None)

    def to_json(self) -> str:
        """JSON with ``rows``, ``ci`` and what the pairs were drawn by."""
        rows = [json_record(record) for record in self.records()]
        return json.dumps({"rows": rows, "ci": self.ci, **self.facts}, indent=2)

    def page(self) -> Page:
        """The error rates and the rates of change, one row a level; the lowest one stands out."""
        first = self.rows[0]
        drawn = f"{first.repeats} pairs a level by {self.facts['generator']}"
        errors = self._grid(
            f"error rate under noise: {first.noise}",
            f"{drawn}; with {100 * self.ci:g} % intervals",
            [Cell(number(row.error_rate), limits(row.low, row.high)) for row in self.rows],
            [row.error_rate for row in self.rows],
        )
        changes = self._grid(
            "how often noise changes the selection",
            "",
            [Cell(number(row.change_rate)) for row in self.rows],
            [row.change_rate for row in self.rows],
        )
        worst: dict[str, float] = {}
        for row in self.rows:
            worst[row.measure] = max(row.undefined, worst.get(row.measure, 0.0))
        notes = [
            f"{measure} has no value in up to {100 * share:.3g} % of the pairs: these are ties"
            for measure, share in worst.items()
            if share > 0
        ]
        return Page([errors, changes], notes)

    def _grid(self, title: str, caption: str, cells: list[Cell], values: list[float]) -> Grid:
        """A table of levels by measures."""
        measures = list(dict.fromkeys(row.measure for row in self.rows))
        body = []
        for begin in range(0, len(cells), len(measures)):
            here = slice(begin, begin + len(measures))
            least = min(values[here])
            shown = [
                Cell(cell.text, cell.interval, value == least)
                for cell, value in zip(cells[here], values[here], strict=True)
            ]
            body.append((f"{self.rows[begin].level:g}", shown))
        return Grid(["level", *measures], body, caption, title)

    def __repr__(self) -> str:
        return f"<robustness: {len(self.rows)} rows>"


def robustness(
    generator: PairGenerator | str,
    noise: Noise | str,
    levels: float | Iterable[float],
    measures: str | Measure | Iterable[str | Measure],
    repeats: int = 10_000,
    *,
    ci: float = 0.95,
    seed: int | None = 1,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Robustness:
    """How often measures prefer the worse of two models, the more so the more noise there is.

    Pairs of a better and a worse model are drawn, noise is added, and each measure selects one of
    them by its own direction. Some levels share their pairs, which makes a curve over the levels
    smoother than it would be otherwise. Two values that differ by no more than what rounding does
    to sums are a tie.

    Measures that need scores in [0, 1] are refused where the scores leave it: a Brier score of 1.2
    means nothing. Scored measures are the exception, since margins mean the same anywhere, and the
    published studies take them on scores that noise has moved beyond 0 and 1.

    Args:
        generator: "replaced_scores" (Berrar, 2014), "swapped_labels" (Wu, Flach and Ferri, 2007),
            or an object that draws pairs, such as ``OwnScores.of(labels, scores)``.
        noise: "labels", "scores", "clipped_scores" or "class_proportion", or a function of (pairs,
            level, rng).
        levels: one level of noise or several.
        measures: one measure or several.
        repeats: how many pairs are judged at each level.
        ci: the confidence of the intervals of the error rates.
        seed: the seed of the random numbers.
        workers: how many processes work; the result does not depend on it.
        progress: is told the share of the work that is done.

    >>> found = robustness("replaced_scores", "labels", [0.0, 0.3], "auc, ks", 500, workers=1)
    >>> print(found)
    error rate under noise: labels
    level                    auc                     ks
    0      0.0000  0.0000–0.0076  0.0000  0.0000–0.0076
    0.3      0.0560  0.039–0.080    0.0370  0.024–0.057
    500 pairs a level by ReplacedScores(cases=100, replaced=10, further=10); with 95 % intervals
    how often noise changes the selection
    level     auc      ks
    0      0.0000  0.0000
    0.3    0.0560  0.0370
    """
    chosen = _measures(measures)
    drawing, name, disturbing = _generator(generator), *_noise(noise)
    wanted = _levels(levels, disturbing)
    read_argument("repeats", repeats, Whole(1))
    read_confidence(ci)
    study = Study(drawing, name, disturbing, tuple(chosen))
    tasks = _tasks(repeats, study.draw(1, np.random.default_rng(0)).better.shape[-1], len(wanted))
    found = np.zeros((len(wanted), len(chosen), 3))
    jobs = [(count, wanted[part]) for count, part in tasks]
    for (_, part), counted in zip(
        tasks, run(study, jobs, seed=seed, workers=workers, progress=progress), strict=True
    ):
        found[part] += counted
    rows = [
        RobustnessRow(
            name,
            level,
            str(measure),
            int(repeats),
            errors / repeats,
            *wilson_limits(errors, repeats, ci),
            changes / repeats,
            undefined / repeats,
        )
        for level, of_level in zip(wanted, found.tolist(), strict=True)
        for measure, (errors, changes, undefined) in zip(chosen, of_level, strict=True)
    ]
    return Robustness(rows, ci=float(ci), generator=str(drawing), seed=seed)


def _tasks(repeats: int, cases: int, levels: int) -> list[tuple[int, slice]]:
    """How many pairs are judged at which levels: equal parts, fixed by the sizes alone."""
    blocks = min(repeats, max(1, 2 * repeats * cases // ENTRIES))
    sizes = [part.stop - part.start for part in _parts(repeats, blocks)]
    return [(size, part) for part in _parts(levels, math.ceil(levels / LEVELS)) for size in sizes]


def _parts(total: int, parts: int) -> list[slice]:
    """A whole cut into parts that differ by one at most."""
    ends = [total * part // parts for part in range(parts + 1)]
    return [slice(*both) for both in pairwise(ends)]


def _measures(measures: str | Measure | Iterable[str | Measure]) -> list[Measure]:
    chosen = [measures] if isinstance(measures, Measure) else parse_list(measures)
    for measure in chosen:
        check_takes_tables(measure, "pairs of models of two classes")
    return chosen


def _generator(generator: Any) -> PairGenerator:
    if isinstance(generator, str):
        if generator not in GENERATORS:
            raise DataError(f"there is no generator {generator!r}: {_either(GENERATORS)}")
        return GENERATORS[generator]
    if not callable(getattr(generator, "draw", None)):
        raise DataError(
            f"{type(generator).__name__} is no generator of pairs, since it has no method "
            f"draw(count, rng): {_either(GENERATORS)}, or OwnScores.of(labels, scores)"
        )
    found: PairGenerator = generator
    return found


def _noise(noise: Any) -> tuple[str, Noise]:
    if isinstance(noise, str):
        if noise not in NOISES:
            raise DataError(f"there is no noise {noise!r}: {_either(NOISES)}")
        return noise, NOISES[noise]
    if not callable(noise):
        raise DataError(
            f"{type(noise).__name__} is no noise: {_either(NOISES)}, or a function of "
            "(pairs, level, rng)"
        )
    return str(getattr(noise, "name", getattr(noise, "__name__", type(noise).__name__))), noise


def _either(names: Iterable[str]) -> str:
    return "give one of " + ", ".join(names)


def _levels(levels: Any, noise: Noise) -> list[float]:
    several = isinstance(levels, Iterable) and not isinstance(levels, str)
    wanted = list(levels) if several else [levels]
    if not wanted:
        raise DataError("there is no level of noise: give one or several")
    for level in wanted:
        if not (is_real(level) and math.isfinite(level)):
            raise DataError(f"{level!r} is no level of noise: give a number")
        check = getattr(noise, "check", None)
        if check:
            check(level)
    return [float(level) for level in wanted]
