"""Correlation of measures with a reference over many lists.

The reference in the papers is the distance of the scores from the true probabilities, which are
known for simulated lists. Any measure can take its place.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from metameasure._arguments import Choice, Real, Whole, read_argument
from metameasure._text import number
from metameasure.data import read_scores
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.inference import SEED
from metameasure.lab.measures import check_takes_tables, read_drawing, read_table_measures
from metameasure.lab.parallel import portions, run
from metameasure.measurement import Measure, merged, parse
from metameasure.progress import reporting
from metameasure.results import Cell, Grid, Result
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from metameasure._types import Floats
    from metameasure.progress import Progress


TRUTH = "true_probabilities"
"""The reference that is not a measure: the distance of scores from true probabilities."""
ENTRIES = 2**18
"""Number of cases per task, so that compiled kernels are used."""
Lists = tuple[Any, Any, Any]
"""Positive or not, scores, and true probabilities or None, per case."""


@dataclass(frozen=True)
class CorrelationRow:
    """The correlation of a measure with the reference, both oriented so that larger is better.

    Attributes:
        measure: the measure.
        reference: the reference.
        lists_of: the generator of the lists.
        pearson: the mean of Pearson's coefficient over the samples of lists.
        pearson_se: the standard error of ``pearson``.
        spearman: the mean of Spearman's rank correlation over the samples of lists.
        spearman_se: the standard error of ``spearman``.
        lists: the number of lists per sample.
        repeats: the number of samples.
        left_out: the number of samples without a coefficient, because a value is undefined or
            infinite on a list, or the same on all lists.
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


class Correlations(Result):
    """Correlations with a reference; one row per measure and generator of lists.

    ``samples`` has Pearson's and Spearman's coefficient of each sample of lists, by measure and
    generator.
    """

    schema = CorrelationRow

    def __init__(
        self, rows: Sequence[CorrelationRow], samples: Mapping[tuple[str, str], Floats]
    ) -> None:
        super().__init__(rows)
        self.samples = dict(samples)

    def grids(self) -> list[Grid]:
        """One table per generator of lists."""
        grids = []
        for kind in dict.fromkeys(row.lists_of for row in self.rows):
            here = [row for row in self.rows if row.lists_of == kind]
            body = [(row.measure, _cells(row)) for row in here]
            caption = (
                f"correlation with {here[0].reference} over {here[0].lists} lists: mean ± standard "
                f"error of {here[0].repeats} samples; both oriented so that larger is better"
            )
            grids.append(Grid(["measure", "Pearson", "Spearman"], body, caption, kind))
        return grids

    def notes(self) -> list[str]:
        """The measures without a coefficient for some samples."""
        return [
            f"{row.measure}, {row.lists_of}: no coefficient for {row.left_out} of "
            f"{row.repeats} samples (a value is undefined on a list, or the same on all lists)"
            for row in self.rows
            if row.left_out
        ]


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
    progress: bool | Progress | None = True,
) -> Correlations:
    """Correlation of measures with a reference, over many lists of cases.

    Each sample of lists gives a coefficient; the mean over the samples is reported with its
    standard error. Tied values get their mean rank; values that are equal up to rounding are tied.

    Args:
        reference: any measure, or "true_probabilities": the negative root mean square distance of
            the scores from the true probabilities.
        measures: any measures of scores. Measures that are better if smaller are negated.
        generator: ``perturbed(...)``, any object with such a method ``draw``, or several of these.
        lists: the number of lists per sample.
        repeats: the number of samples.
        seed: the random seed.
        workers: the number of processes; the result does not depend on it.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.

    >>> from metameasure.lab.perturbation.correlation import perturbed
    >>> measures = "auc, accuracy@k=P"
    >>> print(correlation_with("true_probabilities", measures, perturbed(0.5), workers=1))
    perturbed(0.5, cases=20)
    measure               Pearson         Spearman
    auc           0.5114 ± 0.0050  0.4937 ± 0.0050
    accuracy@k=P  0.4607 ± 0.0052  0.4470 ± 0.0053
    correlation with true_probabilities over 200 lists: mean ± standard error of 100 samples; ...
    """
    true = isinstance(reference, str) and reference == TRUTH
    ideal = reference if true else parse(reference, "reference")
    chosen = read_table_measures(measures, "lists of scores")
    if isinstance(ideal, Measure):
        check_takes_tables(ideal, "lists of scores")
    kinds = _read_generators(generator)
    size = read_argument("lists", lists, Whole(3))
    samples = read_argument("repeats", repeats, Whole(1))
    tasks = [
        _Samples(kind, ideal, tuple(chosen), size, part)
        for kind in kinds
        for part in _parts(samples, kind, size)
    ]
    with reporting(progress, f"lab.correlation: {samples} samples of {size} lists") as report:
        found = run(_coefficients, tasks, seed=seed, workers=workers, progress=report)
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
    """The number of samples per task, by the length of a list."""
    length = _drawn(kind, 1, np.random.default_rng(0))[1].shape[-1]
    return portions(samples, max(1, ENTRIES // (lists * length)))


def _coefficients(task: _Samples, rng: np.random.Generator) -> Floats:
    """Pearson's and Spearman's coefficient per measure and sample."""
    positive, score, truth = _drawn(task.generator, task.samples * task.lists, rng)
    tables = ScoreTable.from_cases(positive, score)
    shape = task.samples, task.lists
    if isinstance(task.reference, Measure):
        ideal = _goodness(task.reference, tables)
    elif truth is None:
        raise ParameterError(
            f"{task.generator} has no true probabilities",
            remedy=("use a measure as ", Argument("reference")),
        )
    else:
        ideal = -np.sqrt(np.mean(np.square(truth - score), axis=-1))
    values = (_goodness(measure, tables) for measure in task.measures)
    return np.stack([both_correlations(v.reshape(shape), ideal.reshape(shape)) for v in values])


def _drawn(kind: ListGenerator, count: int, rng: np.random.Generator) -> Lists:
    """Lists from a generator, checked."""
    drawn = kind.draw(count, rng)
    if not isinstance(drawn, tuple) or len(drawn) != 3:
        got = type(drawn).__name__
        raise DataError(f"{kind} must draw a tuple of classes, scores and probabilities, got {got}")
    positive, score, truth = drawn
    score = np.asarray(score, dtype=np.float64)
    if score.ndim != 2 or score.shape[0] != count or np.isnan(score).any():
        raise DataError(
            f"{kind} must draw scores without NaN, one row for each of the {count} lists, got "
            f"shape {score.shape}"
        )
    if truth is not None:
        truth = np.broadcast_to(np.asarray(truth, dtype=np.float64), score.shape)
    return np.broadcast_to(np.asarray(positive, dtype=bool), score.shape), score, truth


def _goodness(measure: Measure, tables: ScoreTable) -> Floats:
    """The values on each list, oriented so that larger is better."""
    if measure.unit_scores and not (tables.score.min() >= 0 and tables.score.max() <= 1):
        low, high = tables.score.min(), tables.score.max()
        raise DataError(
            f"{measure} needs scores in [0, 1], but those of the lists range from {low:g} to "
            f"{high:g}"
        )
    return np.asarray(measure.goodness(measure.compute(tables)))


def both_correlations(values: Floats, ideal: Floats) -> Floats:
    """Pearson's and Spearman's coefficient of each sample; NaN if undefined."""
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
    """Ranks along the last axis, with mean ranks for values that are equal up to rounding."""
    from scipy.stats import rankdata  # noqa: PLC0415

    return np.asarray(rankdata(merged(values), axis=-1))


def _row(measure: str, reference: str, lists_of: str, values: Floats, lists: int) -> CorrelationRow:
    """The means over the samples that have coefficients."""
    known = values[:, ~np.isnan(values[0])]
    pearson, spearman = map(_mean, known)
    repeats, lost = values.shape[-1], values.shape[-1] - known.shape[-1]
    return CorrelationRow(measure, reference, lists_of, *pearson, *spearman, lists, repeats, lost)


def _mean(values: Floats) -> tuple[float, float]:
    """The mean and its standard error; NaN if undefined."""
    mean = float(np.mean(values)) if values.size else math.nan
    if values.size < 2:
        return mean, math.nan
    return mean, float(np.std(values, ddof=1)) / math.sqrt(values.size)


def _read_generators(given: Any) -> list[ListGenerator]:
    """One or several generators."""
    found = read_drawing("generator", given, "perturbed(0.5)")
    if len({str(one) for one in found}) < len(found):
        raise ParameterError(
            (Argument("generator"), " must have different names"), remedy="pass each once"
        )
    return found


class ListGenerator(Protocol):
    """An object that draws lists of cases."""

    def draw(self, count: int, rng: np.random.Generator) -> Lists:
        """Draw ``count`` lists: positive or not, scores, and true probabilities or None.

        Scores are (count, n), the other arrays (count, n) or (n,).
        """
        ...


@dataclass(frozen=True, eq=False)
class Perturbed:
    """See ``perturbed``."""

    noise: float
    probabilities: Floats
    edges: str

    def draw(self, count: int, rng: np.random.Generator) -> Lists:
        """Positive or not, scores and true probabilities, per case."""
        truth, size = self.probabilities, (count, self.probabilities.size)
        if self.edges == "clip":
            score = np.clip(truth + rng.uniform(-self.noise, self.noise, size), 0.0, 1.0)
        else:
            low, high = np.maximum(truth - self.noise, 0), np.minimum(truth + self.noise, 1)
            score = low + (high - low) * rng.random(size)
        return truth > 0.5, score, truth

    def __str__(self) -> str:
        edges = "" if self.edges == "clip" else f", edges={self.edges}"
        return f"perturbed({self.noise:g}, cases={self.probabilities.size}{edges})"


def perturbed(
    noise: float,
    cases: int = 20,
    *,
    probabilities: Any = None,
    edges: str = "clip",
) -> Perturbed:
    """Lists whose scores are true probabilities plus noise (Huang, 2006, section 4.2).

    Cases with a true probability above 1/2 are positive.

    Args:
        noise: the half-width of the uniform distribution of a score around the true probability.
        cases: the number n of cases per list, with true probabilities 1/n, 2/n, ..., 1.
        probabilities: the true probabilities, instead of these.
        edges: how scores outside [0, 1] are avoided: "clip" them, which reproduces the figures
            that Huang printed, or "truncate" the uniform distribution, which is what he describes.
    """
    reach = read_argument("noise", noise, Real(0, 1, open_low=True))
    if probabilities is None:
        n = read_argument("cases", cases, Whole(2))
        truth = np.arange(1, n + 1) / n
    else:
        truth, _ = read_scores(probabilities, "probabilities")
        if not ((truth >= 0) & (truth <= 1)).all():
            raise ParameterError("probabilities must be in [0, 1]", argument="probabilities")
    if not 0 < np.count_nonzero(truth > 0.5) < truth.size:
        raise ParameterError(
            "probabilities must have values above and values not above 1/2, to give both classes",
            argument="probabilities",
        )
    return Perturbed(reach, truth, read_argument("edges", edges, Choice(("clip", "truncate"))))
