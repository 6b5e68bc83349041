"""Robustness of measures to noise in the data that estimators are trained on (Berrar, 2014)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from metameasure._arguments import (
    FRACTION,
    Choice,
    Flag,
    Real,
    Whole,
    read_argument,
    read_confidence,
    read_several,
    read_workers,
)
from metameasure._text import limits, number
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.inference import SEED, wilson_limits
from metameasure.lab.measures import read_table_measures
from metameasure.lab.parallel import portions, run
from metameasure.lab.perturbation.noise import permute_attributes, redraw_labels
from metameasure.lab.perturbation.robustness_study import prefers_worse
from metameasure.lab.training.candidates import Candidate, check_estimator, fitted, scores_of
from metameasure.lab.training.labeled_data import LabeledData, read_datasets
from metameasure.lab.training.splits import fold_of_each, strata_of
from metameasure.progress import reporting
from metameasure.results import Cell, Grid, Result
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metameasure._types import Floats, Indices, Mask
    from metameasure.measurement import Measure
    from metameasure.progress import Progress

TrainingNoise = Literal["labels", "attributes"]
Where = Literal["all", "training"]
MEASURES = "h_measure, auch, auc, scored_auc, ks, taks"
"""The measures of Berrar (2014)."""
TASKS = 200
"""Number of tasks per level, at most."""


@dataclass(frozen=True)
class TrainingRobustnessRow:
    """The error rate of a measure for an estimator that is trained on noisy data.

    Attributes:
        dataset: the data set; empty if there is only one.
        estimator: the estimator.
        noise: what is noisy, "labels" or "attributes".
        where: whether "all" cases are noisy or those of the "training" parts only.
        level: the fraction of the labels, or of the values of each attribute, that are noisy.
        measure: the measure.
        repeats: the number of cross-validations.
        error_rate: the fraction of the cross-validations in which the mean over the folds prefers
            the scores of which some were replaced; ties count 1/2.
        low, high: the confidence limits of the error rate (Wilson; conservative if there are ties).
        undefined: the fraction of the cross-validations in which the measure is undefined on all
            folds, which count as ties.
    """

    dataset: str
    estimator: str
    noise: str
    where: str
    level: float
    measure: str
    repeats: int
    error_rate: float
    low: float
    high: float
    undefined: float


class TrainingRobustness(Result):
    """Error rates of measures; one row per data set, estimator, level and measure."""

    schema = TrainingRobustnessRow

    def grids(self) -> list[Grid]:
        """One line per data set, estimator and level; one column per measure."""
        measures = list(dict.fromkeys(row.measure for row in self.rows))
        body = []
        for begin in range(0, len(self.rows), len(measures)):
            rows = self.rows[begin : begin + len(measures)]
            least = min(row.error_rate for row in rows)
            cells = [
                Cell(number(r.error_rate), limits(r.low, r.high), r.error_rate == least)
                for r in rows
            ]
            first = rows[0]
            names = (first.dataset, first.estimator, f"{first.level:g}")
            body.append((", ".join(filter(None, names)), cells))
        first = self.rows[0]
        where = "all cases" if first.where == "all" else "the training parts"
        title = f"error rate, noise in the {first.noise} of {where}"
        caption = (
            f"{first.repeats} cross-validations with {self.meta['folds']} folds; the worse model "
            f"has {100 * self.meta['replaced']:g}% of its scores replaced; "
            f"{100 * self.meta['ci']:g}% confidence intervals"
        )
        return [Grid(["level", *measures], body, caption, title, "lowest rate per line")]

    def notes(self) -> list[str]:
        """The measures that are undefined in some repeats."""
        return [
            f"{row.measure} is undefined in {100 * row.undefined:.3g}% of the repeats, which count "
            "as ties"
            for row in self.rows
            if row.undefined
        ]


def training_robustness(
    estimators: Any,
    X: Any,
    y: Any = None,
    measures: str | Measure | Iterable[str | Measure] = MEASURES,
    *,
    noise: TrainingNoise = "labels",
    where: Where = "all",
    levels: float | Iterable[float] = 0.1,
    replaced: float = 0.1,
    folds: int = 10,
    repeats: int = 100,
    stratified: bool = True,
    pos_label: Any = None,
    ci: float = 0.95,
    seed: int | None = SEED,
    workers: int | None = None,
    progress: bool | Progress | None = True,
) -> TrainingRobustness:
    """How often measures prefer the worse of two models if the data have noise (Berrar, 2014).

    In each cross-validation the estimator is trained on noisy data. Its scores on the test part of
    each fold are the better model; the worse model has some of them replaced by uniform random
    numbers in [0, 1]. Each measure prefers the model with the better mean over the folds. Folds on
    which a measure is undefined are left out of its mean.

    Args:
        estimators: an estimator with ``fit`` and ``predict_proba``, or a dict of several.
        X: the attributes; or a dict of pairs (X, y), one per data set.
        y: the labels of two classes.
        measures: any measures of scores; ``signed_ks`` is KS with the sign of the difference.
        noise: "labels" (a fraction is redrawn, both classes being equally likely) or "attributes"
            (a fraction of the values of each attribute is permuted).
        where: whether the noise is in "all" cases, in which case the test parts have it, too, or
            only in the "training" part of each fold.
        levels: the fraction of the labels or values, or several.
        replaced: the fraction of the scores of each fold that the worse model has replaced.
        folds: the number of folds.
        repeats: the number of cross-validations.
        stratified: whether all folds have the same fractions of the classes.
        pos_label: the positive label, unless labels are bool, 0/1 or -1/1.
        ci: the confidence of the intervals.
        seed: the random seed.
        workers: the number of processes; the result does not depend on it.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.
    """
    datasets = read_datasets(X, y, pos_label)
    several = _read_estimators(estimators)
    chosen = tuple(read_table_measures(measures, "estimators of two classes"))
    for name, data in datasets.items():
        if len(data.classes) > 2:
            of = f" of {name}" if name else ""
            raise DataError(f"the labels{of} must have two classes, got {len(data.classes)}")
    kind = _Kind(
        read_argument("noise", noise, Choice(get_args(TrainingNoise))),
        read_argument("where", where, Choice(get_args(Where))),
        read_argument("replaced", replaced, FRACTION),
        read_argument("folds", folds, Whole(2)),
        read_argument("stratified", stratified, Flag()),
    )
    wanted = read_several("levels", levels, Real(0, 1))
    repeats, ci = read_argument("repeats", repeats, Whole(1)), read_confidence(ci)
    read_workers(workers)
    cells = [(d, e, level) for d in datasets for e in several for level in wanted]
    sizes = portions(repeats, -(-repeats // TASKS))
    tasks = [_Task(*cell, count, datasets[cell[0]]) for cell in cells for count in sizes]
    work = partial(_cross_validate, kind, several, chosen)
    what = f"lab.training_robustness: {repeats} cross-validations of {len(cells)} settings"
    with reporting(progress, what) as report:
        found = run(work, tasks, seed=seed, workers=workers, progress=report)
    rows = []
    for cell in cells:
        counted = sum(f for task, f in zip(tasks, found, strict=True) if task[:3] == cell)
        assert isinstance(counted, np.ndarray)  # noqa: S101 - there is at least one task
        for measure, (errors, undefined) in zip(chosen, counted.tolist(), strict=True):
            rows.append(
                TrainingRobustnessRow(
                    *cell[:2],
                    kind.noise,
                    kind.where,
                    cell[2],
                    str(measure),
                    repeats,
                    errors / repeats,
                    *wilson_limits(errors, repeats, ci),
                    undefined / repeats,
                )
            )
    meta = {"folds": kind.folds, "replaced": kind.replaced, "ci": ci, "seed": seed}
    return TrainingRobustness(rows, meta=meta)


class _Kind(NamedTuple):
    """How noise is added and how models are compared."""

    noise: str
    where: str
    replaced: float
    folds: int
    stratified: bool


class _Task(NamedTuple):
    """Some cross-validations of an estimator on a data set."""

    dataset: str
    estimator: str
    level: float
    repeats: int
    data: LabeledData


def _read_estimators(given: Any) -> dict[str, Any]:
    several = given if isinstance(given, Mapping) else {type(given).__name__: given}
    for name, one in several.items():
        check_estimator(str(name), one, "estimators")
        if not hasattr(one, "predict_proba"):
            raise ParameterError(
                (Argument("estimators"), f" must have predict_proba; {name} has none"),
                remedy="calibrate it, since scores are replaced by numbers in [0, 1]",
            )
    return {str(name): one for name, one in several.items()}


def _cross_validate(
    kind: _Kind,
    estimators: Mapping[str, Any],
    measures: Sequence[Measure],
    task: _Task,
    rng: np.random.Generator,
) -> Floats:
    """Numbers of errors and undefined comparisons: shape (measures, 2)."""
    data, candidate = task.data, Candidate(estimators[task.estimator])
    shape = task.repeats, data.n
    positive, place, scores = np.empty(shape, bool), np.empty(shape, np.int64), np.empty(shape)
    for repeat in range(task.repeats):
        noisy = _with_noise(data, kind.noise, task.level, rng) if kind.where == "all" else data
        strata = strata_of(noisy.code) if kind.stratified else [np.arange(data.n)]
        place[repeat] = fold_of_each(strata, kind.folds, rng)
        positive[repeat] = noisy.code == 1
        for fold in range(kind.folds):
            test = place[repeat] == fold
            train, cases = np.flatnonzero(~test), np.flatnonzero(test)
            known = noisy
            if kind.where == "training":
                known = _with_noise(data, kind.noise, task.level, rng, train)
            where = f"fold {fold + 1} of {kind.folds}"
            where += f" of {task.dataset}" if task.dataset else ""
            model = fitted(task.estimator, candidate, known, train, rng, where)
            scores[repeat, cases] = scores_of(
                task.estimator, model, noisy.rows(cases), data.classes, where
            )
    errors, undefined = judge_folds(measures, positive, place, scores, kind.replaced, rng)
    return np.stack([errors.sum(axis=1), undefined.sum(axis=1)], axis=1)


def _with_noise(
    data: LabeledData,
    noise: str,
    level: float,
    rng: np.random.Generator,
    rows: Indices | None = None,
) -> LabeledData:
    """The data with noise in the labels or attributes of some rows."""
    if noise == "attributes":
        return data.having(X=permute_attributes(data.X, level, rng, rows=rows))
    return data.having(code=redraw_labels(data.code == 1, level, rng, rows=rows))


def judge_folds(
    measures: Sequence[Measure],
    positive: Mask,
    folds: Indices,
    scores: Floats,
    replaced: float,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Where measures prefer scores of which some were replaced, by their means over folds.

    Args:
        measures: the measures.
        positive: the class of each case, shape (repeats, cases).
        folds: the fold of each case, of the same shape.
        scores: the score of each case, of the same shape.
        replaced: the fraction of the scores of each fold that are replaced by uniform numbers.
        rng: the random generator.

    Returns:
        1 where a measure prefers the replaced scores, 1/2 where it ties, and 1 where it is
        undefined on all folds; both of shape (measures, repeats).
    """
    repeats, count = folds.shape[0], int(folds.max()) + 1
    order = np.argsort(folds, axis=1, kind="stable")
    sizes = np.stack([np.count_nonzero(folds == fold, axis=1) for fold in range(count)], axis=1)
    starts = np.cumsum(sizes, axis=1) - sizes
    values = np.full((len(measures), 2, repeats, count), np.nan)
    for size in np.unique(sizes[sizes > 0]).tolist():
        row, fold = np.nonzero(sizes == size)
        cases = order[row[:, np.newaxis], starts[row, fold][:, np.newaxis] + np.arange(size)]
        labels, better = positive[row[:, np.newaxis], cases], scores[row[:, np.newaxis], cases]
        drawn = rng.permuted(np.broadcast_to(np.arange(size), better.shape), axis=1)
        worse = np.where(drawn < round(replaced * size), rng.random(better.shape), better)
        block = ScoreTable.from_cases(np.stack([labels] * 2), np.stack([better, worse]))
        for place, measure in enumerate(measures):
            values[place][:, row, fold] = measure.of_block(block)
    defined = ~np.isnan(values).any(axis=1, keepdims=True)
    known = np.maximum(np.count_nonzero(defined, axis=-1), 1)
    means = np.where(defined, values, 0.0).sum(axis=-1) / known
    undefined = ~defined.any(axis=-1)[:, 0]
    errors = np.stack([prefers_worse(m, *v) for m, v in zip(measures, means, strict=True)])
    return np.where(undefined, 0.5, errors), undefined.astype(np.float64)
