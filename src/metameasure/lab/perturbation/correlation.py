"""How closely measures follow an ideal one: their correlation over many lists.

The ideal of the papers is the distance of the scores from the true probabilities, which real data
do not show but simulated lists do. Any measure may take its place.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Whole, read_argument
from metameasure._text import number, shown, visible
from metameasure.errors import DataError
from metameasure.inference import SEED
from metameasure.lab.parallel import run
from metameasure.measurement import MeanOver, Measure, parse, parse_list
from metameasure.results import Cell, Grid, Listed, Page, json_record
from metameasure.table import ROUNDING, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from metameasure.inference import Progress
    from metameasure.lab.perturbation.probability_lists import ListGenerator, Lists

    Floats = NDArray[np.float64]

TRUTH = "true_probabilities"
"""The reference that is no measure: how close the scores come to the true probabilities."""
ENTRIES = 2**18
"""The cases of a task: enough for kernels to be compiled."""


@dataclass(frozen=True)
class CorrelationRow:
    """The correlation of a measure with the reference, both turned so that more is better.

    Attributes:
        pearson: the mean over the samples of lists of Pearson's coefficient.
        pearson_se: its standard error.
        spearman: the same for the rank correlation.
        spearman_se: its standard error.
        lists: how many lists a sample has.
        repeats: how many samples there are.
        left_out: how many samples have no coefficient, since a value is undefined or infinite on a
            list, or is the same on all.
    """

    measure: str
    reference: str
    lists_of: str
    pearson: float
    pearson_se: float
    spearman: float
    spearman_se: float
    lists: int
    repeats: int
    left_out: int


class Correlations(Listed):
    """Correlations with a reference; ``frame()`` has a row for each measure and kind of lists.

    ``samples`` has the coefficients of each sample of lists, Pearson's and Spearman's, by measure
    and kind of lists.
    """

    kind = CorrelationRow

    def __init__(
        self, rows: Sequence[CorrelationRow], samples: Mapping[tuple[str, str], Floats]
    ) -> None:
        super().__init__(rows)
        self.samples = dict(samples)

    def to_json(self) -> str:
        """JSON with ``rows``."""
        return json.dumps({"rows": [json_record(record) for record in self.records()]}, indent=2)

    def page(self) -> Page:
        """One table for each kind of lists."""
        grids = []
        for kind in dict.fromkeys(row.lists_of for row in self.rows):
            here = [row for row in self.rows if row.lists_of == kind]
            body = [(row.measure, _cells(row)) for row in here]
            caption = (
                f"correlation with {here[0].reference} over {here[0].lists} lists, mean ± standard "
                f"error of {here[0].repeats} samples; both turned so that more is better"
            )
            grids.append(Grid(["measure", "Pearson", "Spearman"], body, caption, visible(kind)))
        return Page(grids, self._notes())

    def _notes(self) -> list[str]:
        return [
            f"{row.measure}, {visible(row.lists_of)}: {row.left_out} of {row.repeats} samples have "
            "no coefficient, since a value is undefined on a list or the same on all"
            for row in self.rows
            if row.left_out
        ]

    def __repr__(self) -> str:
        return f"<correlations: {len(self.rows)} rows>"


def _cells(row: CorrelationRow) -> list[Cell]:
    pairs = (row.pearson, row.pearson_se), (row.spearman, row.spearman_se)
    return [Cell(f"{number(value)} ± {number(error)}") for value, error in pairs]


def correlation_with(
    reference: str | Measure,
    measures: str | Measure | Iterable[str | Measure],
    generator: ListGenerator | Iterable[ListGenerator],
    *,
    lists: int = 200,
    repeats: int = 100,
    seed: int | None = SEED,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Correlations:
    """How closely measures follow an ideal one, over many lists of cases.

    Every sample of lists gives a coefficient, and the mean of the samples is reported with its
    standard error. Ranks have ties at their mean; values that differ by rounding are tied.

    Args:
        reference: "true_probabilities", or any measure. The former is the root mean square of the
            distances of scores from true probabilities, turned so that more is better.
        measures: any measures of scores. Those of which less is better are turned.
        generator: ``perturbed(...)``, or any object with its ``draw``, or several.
        lists: how many lists a sample has.
        repeats: how many samples there are.
        seed: the seed of the random numbers.
        workers: how many processes work; the result does not depend on it.
        progress: what is told the share of the work that is done.

    >>> from metameasure.lab.perturbation.probability_lists import perturbed
    >>> measures = "auc, accuracy@k=P"
    >>> print(correlation_with("true_probabilities", measures, perturbed(0.5), workers=1))
    perturbed(0.5, cases=20)
    measure               Pearson         Spearman
    auc           0.5114 ± 0.0050  0.4937 ± 0.0050
    accuracy@k=P  0.4607 ± 0.0052  0.4470 ± 0.0053
    correlation with true_probabilities over 200 lists, mean ± standard error of 100 samples; ...
    """
    ideal = reference if reference == TRUTH else parse(reference)
    chosen = [measures] if isinstance(measures, Measure) else parse_list(measures)
    for one in (ideal, *chosen):
        if isinstance(one, Measure) and (
            isinstance(one, MeanOver) or one.declaration.subject != "table"
        ):
            raise DataError(f"{one} is no measure of the scores of two classes: leave it out")
    kinds = _read_generators(generator)
    size = read_argument("lists", lists, Whole(3))
    samples = read_argument("repeats", repeats, Whole(1))
    tasks = [
        _Samples(kind, ideal, tuple(chosen), size, part)
        for kind in kinds
        for part in _parts(samples, kind, size)
    ]
    found = run(_coefficients, tasks, seed=seed, workers=workers, progress=progress)
    rows, known = [], {}
    for kind in kinds:
        parts = [f for task, f in zip(tasks, found, strict=True) if task.generator is kind]
        for measure, values in zip(chosen, np.concatenate(parts, axis=-1), strict=True):
            rows.append(_row(str(measure), str(ideal), str(kind), values, size))
            known[str(measure), str(kind)] = values
    return Correlations(rows, known)


@dataclass(frozen=True)
class _Samples:
    """Samples of lists to be drawn."""

    generator: ListGenerator
    reference: Measure | str
    measures: tuple[Measure, ...]
    lists: int
    samples: int


def _parts(samples: int, kind: ListGenerator, lists: int) -> list[int]:
    """How many samples each task has, by the length of a list."""
    length = _drawn(kind, 1, np.random.default_rng(0))[1].shape[-1]
    part = max(1, ENTRIES // (lists * length))
    return [min(part, samples - begin) for begin in range(0, samples, part)]


def _coefficients(task: _Samples, rng: np.random.Generator) -> Floats:
    """Pearson's and Spearman's coefficient for each measure and sample."""
    positive, score, truth = _drawn(task.generator, task.samples * task.lists, rng)
    tables = ScoreTable.from_cases(positive, score)
    shape = task.samples, task.lists
    if isinstance(task.reference, Measure):
        ideal = _goodness(task.reference, tables)
    elif truth is None:
        raise DataError(f"{task.generator} has no true probabilities: take a measure as reference")
    else:
        ideal = -np.sqrt(np.mean(np.square(truth - score), axis=-1))
    values = (_goodness(measure, tables) for measure in task.measures)
    return np.stack([_both(v.reshape(shape), ideal.reshape(shape)) for v in values])


def _drawn(kind: ListGenerator, count: int, rng: np.random.Generator) -> Lists:
    """Lists as a generator draws them, which may be a user's own."""
    positive, score, truth = kind.draw(count, rng)
    score = np.asarray(score, dtype=np.float64)
    if score.ndim != 2 or score.shape[0] != count or np.isnan(score).any():
        raise DataError(
            f"{kind} draws scores of shape {score.shape}, or without a value: {count} lists of "
            "one length are asked for, each a row"
        )
    if truth is not None:
        truth = np.broadcast_to(np.asarray(truth, dtype=np.float64), score.shape)
    return np.broadcast_to(np.asarray(positive, dtype=bool), score.shape), score, truth


def _goodness(measure: Measure, tables: ScoreTable) -> Floats:
    """The values on each list, turned so that more is better."""
    if measure.unit_scores and not (tables.score.min() >= 0 and tables.score.max() <= 1):
        raise DataError(f"{measure} needs scores in [0, 1], and the lists have others")
    return np.asarray(measure.goodness(measure.compute(tables)))


def _both(values: Floats, ideal: Floats) -> Floats:
    """Pearson's and Spearman's coefficient of each sample; NaN where there is none."""
    ranks = _ranks(values), _ranks(ideal)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.stack([_pearson(values, ideal), _pearson(*ranks)])
    undefined = ~(np.isfinite(values) & np.isfinite(ideal)).all(axis=-1)
    return np.where(undefined | np.isnan(found).any(axis=0), np.nan, found)


def _pearson(a: Floats, b: Floats) -> Floats:
    """The correlation along the last axis."""
    a, b = (v - v.mean(axis=-1, keepdims=True) for v in (a, b))
    found: Floats = np.sum(a * b, axis=-1) / np.sqrt(np.sum(a * a, -1) * np.sum(b * b, -1))
    return found


def _ranks(values: Floats) -> Floats:
    """The ranks along the last axis, mean ranks for values that differ by rounding at most."""
    from scipy.stats import rankdata  # noqa: PLC0415

    order = np.argsort(values, axis=-1)
    ordered = np.take_along_axis(values, order, -1)
    slack = ROUNDING * np.max(np.abs(values), axis=-1, keepdims=True)
    steps = np.zeros(values.shape)
    with np.errstate(invalid="ignore"):
        np.cumsum(~(np.diff(ordered, axis=-1) <= slack), axis=-1, out=steps[..., 1:])
    merged = np.empty(values.shape)
    np.put_along_axis(merged, order, steps, -1)
    return np.asarray(rankdata(merged, axis=-1))


def _row(measure: str, reference: str, lists_of: str, values: Floats, lists: int) -> CorrelationRow:
    """The means over the samples that have coefficients."""
    known = values[:, ~np.isnan(values[0])]
    (pearson, pearson_se), (spearman, spearman_se) = map(_mean, known)
    repeats = values.shape[-1]
    return CorrelationRow(
        measure,
        reference,
        lists_of,
        pearson,
        pearson_se,
        spearman,
        spearman_se,
        lists,
        repeats,
        repeats - known.shape[-1],
    )


def _mean(values: Floats) -> tuple[float, float]:
    """The mean and its standard error; NaN where there is none."""
    mean = float(np.mean(values)) if values.size else math.nan
    if values.size < 2:
        return mean, math.nan
    return mean, float(np.std(values, ddof=1)) / math.sqrt(values.size)


def _read_generators(given: Any) -> list[ListGenerator]:
    """One generator or several."""
    several = given if isinstance(given, Iterable) else [given]
    found = list(several)
    if not found:
        raise DataError("there is no generator of lists: give one, as in perturbed(0.5)")
    for one in found:
        if not callable(getattr(one, "draw", None)):
            raise DataError(f"{shown([one])} draws no lists: give a generator, as perturbed(0.5)")
    if len({str(one) for one in found}) < len(found):
        raise DataError("two generators of lists have the same name: give each once")
    return found
