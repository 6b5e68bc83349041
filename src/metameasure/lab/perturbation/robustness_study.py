"""Robustness: how often noise makes a measure prefer the worse of two models."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Choice, Real, Whole, read_argument, read_confidence, read_several
from metameasure._text import limits, number, shown
from metameasure.errors import Argument, DataError, ParameterError, Wording
from metameasure.inference import wilson_limits
from metameasure.lab.measures import drawing_name, read_drawing, read_table_measures
from metameasure.lab.parallel import run
from metameasure.lab.perturbation.model_pairs import GENERATORS, Pairs
from metameasure.lab.perturbation.noise import NOISES
from metameasure.measurement import PairMean, is_as_good, preference
from metameasure.progress import reporting
from metameasure.results import Cell, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metameasure._types import Floats
    from metameasure.lab.perturbation.model_pairs import PairGenerator
    from metameasure.lab.perturbation.noise import Noise
    from metameasure.measurement import Measure
    from metameasure.progress import Progress
    from metameasure.table import ScoreTable


ENTRIES = 2**17
"""Minimum number of entries of a block, so that compiled kernels are used."""
LEVELS = 16
"""Maximum number of levels that share the same pairs."""


@dataclass(frozen=True)
class Study:
    """The work on one block of pairs."""

    generator: PairGenerator
    name: str
    noise: Noise
    measures: tuple[Measure, ...]

    def __call__(self, task: tuple[int, Sequence[float]], rng: np.random.Generator) -> Floats:
        """Numbers of errors, changes and undefined pairs: (levels, measures, 3)."""
        count, levels = task
        pairs = self.draw(count, rng)
        before, _ = self._judged(pairs)
        found = []
        for level in levels:
            noisy = self.noise(pairs, level, rng)
            errors, undefined = self._judged(noisy, level)
            changes = np.abs(errors - before)
            found.append([array.sum(axis=-1) for array in (errors, changes, undefined)])
        return np.moveaxis(np.array(found), 1, -1)

    def draw(self, count: int, rng: np.random.Generator) -> Pairs:
        """Pairs from the generator, checked."""
        pairs = self.generator.draw(count, rng)
        if not isinstance(pairs, Pairs) or pairs.better.shape[0] != count:
            name = drawing_name(self.generator)
            raise DataError(f"draw({count}, rng) of {name} must return {count} Pairs")
        return pairs

    def _judged(self, pairs: Pairs, level: float | None = None) -> tuple[Floats, Floats]:
        """Where each measure prefers the worse model, and where it is undefined."""
        if not isinstance(pairs, Pairs):
            raise DataError(f"noise {self.name} must return Pairs, got {type(pairs).__name__}")
        tables = pairs.tables()
        self._check_scores(tables, level)
        values = [measure.of_block(tables) for measure in self.measures]
        preferred = [
            prefers_worse(measure, *both)
            for measure, both in zip(self.measures, values, strict=True)
        ]
        undefined = [np.isnan(both).any(axis=0) for both in values]
        return np.array(preferred), np.array(undefined, dtype=np.float64)

    def _check_scores(self, tables: ScoreTable, level: float | None) -> None:
        """Refuse scores without a meaning, without noise or with noise of this level.

        Noise may shift the scores of a mean over pairs of cases out of [0, 1].
        """
        rescaling = Wording("rescale the scores to [0, 1]", "use --rescale minmax")
        clipping = "use ", Argument("noise", "clipped_scores")
        when = "without noise" if level is None else f"with {self.name} noise of {level:g}"
        low, high = float(tables.score[..., -1].min()), float(tables.score[..., 0].max())
        if math.isnan(high):  # NaN is sorted as the highest score
            raise DataError(f"there are scores that are NaN {when}")
        if low >= 0 and high <= 1:
            return
        for measure in self.measures:
            if measure.unit_scores and (level is None or _needs_probabilities(measure)):
                raise DataError(
                    f"{measure} needs scores in [0, 1], but they range from {low:g} to {high:g} "
                    f"{when}",
                    remedy=(*([rescaling] if level is None else clipping), ", or drop the measure"),
                )


def prefers_worse(measure: Measure, better: Floats, worse: Floats) -> Floats:
    """1 where a measure prefers the worse model, 0 where the better one, 1/2 where it is tied."""
    return (1 - preference(measure.goodness(better), measure.goodness(worse))) / 2


def _needs_probabilities(measure: Measure) -> bool:
    """Whether its values are meaningless for scores that noise shifts out of [0, 1]."""
    parts = getattr(measure, "parts", None)
    if parts:
        return any(map(_needs_probabilities, parts))
    return measure.unit_scores and not isinstance(measure.declaration.sampling, PairMean)


@dataclass(frozen=True)
class RobustnessRow:
    """The error rate of a measure at one level of noise.

    Attributes:
        noise: the kind of noise.
        level: the level of noise.
        measure: the measure.
        repeats: the number of pairs of models.
        error_rate: the fraction of the pairs in which the measure prefers the worse model; ties
            count 1/2.
        low: the lower confidence limit of the error rate (Wilson; conservative if there are ties).
        high: the upper confidence limit of the error rate.
        change_rate: the fraction of the pairs in which noise changes the preferred model; a change
            from or to a tie counts 1/2.
        undefined: the fraction of the pairs in which the measure is undefined for a model, which
            count as ties.
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


class Robustness(Result):
    """Error rates of measures under noise; one row per level and measure."""

    schema = RobustnessRow

    def grids(self) -> list[Grid]:
        """The error rates and the change rates, one line per level."""
        first = self.rows[0]
        drawn = f"{first.repeats} pairs per level from {self.meta['generator']}"
        return [
            self._grid(
                f"error rate, noise: {first.noise}",
                f"{drawn}, {100 * self.meta['ci']:g}% confidence intervals",
                [Cell(number(row.error_rate), limits(row.low, row.high)) for row in self.rows],
                [row.error_rate for row in self.rows],
            ),
            self._grid(
                "change rate: fraction of pairs in which noise changes the preferred model",
                "",
                [Cell(number(row.change_rate)) for row in self.rows],
                [row.change_rate for row in self.rows],
            ),
        ]

    def notes(self) -> list[str]:
        """The measures that are undefined in some pairs."""
        worst: dict[str, float] = {}
        for row in self.rows:
            worst[row.measure] = max(row.undefined, worst.get(row.measure, 0.0))
        return [
            f"{measure} is undefined in up to {100 * share:.3g}% of the pairs, which count as ties"
            for measure, share in worst.items()
            if share > 0
        ]

    def _grid(self, title: str, caption: str, cells: list[Cell], values: list[float]) -> Grid:
        """A table of levels by measures."""
        measures = list(dict.fromkeys(row.measure for row in self.rows))
        body = []
        for begin in range(0, len(cells), len(measures)):
            here = slice(begin, begin + len(measures))
            least = min(values[here])
            bold = [
                replace(cell, stands_out=bool(is_as_good(-value, -least)))
                for cell, value in zip(cells[here], values[here], strict=True)
            ]
            body.append((f"{self.rows[begin].level:g}", bold))
        return Grid(["level", *measures], body, caption, title, "lowest rate per level")


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
    progress: bool | Progress | None = True,
) -> Robustness:
    """How often measures prefer the worse of two models, by level of noise.

    Pairs of a better and a worse model are drawn, noise is added, and each measure selects one of
    the two models. Levels share their pairs, up to 16 at a time, so that rates vary smoothly with
    the level. Values that are equal up to rounding are tied.

    Measures that need scores in [0, 1] raise an error if noise moves scores out of it. Scored
    measures are the exception: margins do not depend on the range of the scores, and the published
    studies use them with scores outside [0, 1].

    Args:
        generator: "replaced_scores" (Berrar, 2014), "swapped_labels" (Wu, Flach and Ferri, 2007),
            or an object that draws pairs, e.g. ``OwnScores.of(labels, scores)``.
        noise: "labels", "scores", "clipped_scores", "class_proportion", or a function of (pairs,
            level, rng).
        levels: one or several levels of noise.
        measures: one or several measures.
        repeats: the number of pairs per level.
        ci: the confidence level of the intervals of the error rates.
        seed: the random seed.
        workers: the number of processes; the result does not depend on it.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.

    >>> found = robustness("replaced_scores", "labels", [0.0, 0.3], "auc, ks", 500, workers=1)
    >>> print(found)
    error rate, noise: labels
    level                    auc                     ks
    0      0.0000  0.0000–0.0076  0.0000  0.0000–0.0076
    0.3      0.0560  0.039–0.080    0.0370  0.024–0.057
    500 pairs per level from replaced scores (100 cases, 10 replaced, 10 more in the worse ...
    change rate: fraction of pairs in which noise changes the preferred model
    level     auc      ks
    0      0.0000  0.0000
    0.3    0.0560  0.0370
    """
    chosen = read_table_measures(measures, "pairs of models of two classes")
    drawing, name, disturbing = _generator(generator), *_noise(noise)
    wanted = read_several("levels", levels, getattr(disturbing, "levels", Real()))
    repeats, ci = read_argument("repeats", repeats, Whole(1)), read_confidence(ci)
    study = Study(drawing, name, disturbing, tuple(chosen))
    tasks = _tasks(repeats, study.draw(1, np.random.default_rng(0)).better.shape[-1], len(wanted))
    found = np.zeros((len(wanted), len(chosen), 3))
    jobs = [(count, wanted[part]) for count, part in tasks]
    what = f"lab.robustness: {repeats} pairs at {len(wanted)} levels"
    with reporting(progress, what) as report:
        counts = run(study, jobs, seed=seed, workers=workers, progress=report)
    for (_, part), counted in zip(tasks, counts, strict=True):
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
    return Robustness(rows, meta={"ci": ci, "generator": drawing_name(drawing), "seed": seed})


def _tasks(repeats: int, cases: int, levels: int) -> list[tuple[int, slice]]:
    """Numbers of pairs and ranges of levels: equal parts that depend only on the sizes."""
    blocks = min(repeats, max(1, 2 * repeats * cases // ENTRIES))
    sizes = [part.stop - part.start for part in _parts(repeats, blocks)]
    return [(size, part) for part in _parts(levels, math.ceil(levels / LEVELS)) for size in sizes]


def _parts(total: int, parts: int) -> list[slice]:
    """Consecutive parts of a whole, whose sizes differ by at most 1."""
    ends = [total * part // parts for part in range(parts + 1)]
    return [slice(*both) for both in pairwise(ends)]


def _generator(generator: Any) -> PairGenerator:
    if isinstance(generator, str):
        return GENERATORS[read_argument("generator", generator, Choice(tuple(GENERATORS)))]
    found: PairGenerator
    (found,) = read_drawing("generator", [generator], "OwnScores.of(labels, scores)")
    return found


def _noise(noise: Any) -> tuple[str, Noise]:
    if isinstance(noise, str):
        return noise, NOISES[read_argument("noise", noise, Choice(tuple(NOISES)))]
    if not callable(noise):
        raise ParameterError(
            (
                Argument("noise"),
                f" must be a function of (pairs, level, rng), got {shown([noise])}",
            ),
            remedy=f"use one of {', '.join(NOISES)}",
        )
    return str(getattr(noise, "name", getattr(noise, "__name__", type(noise).__name__))), noise
