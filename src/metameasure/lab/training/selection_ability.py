"""Model selection ability as Huang (2006, ch. 5) defines it: on disjoint small test sets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from metameasure._arguments import Real, Whole, read_argument, read_seed, read_several, read_workers
from metameasure._text import number, plus_minus
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.inference import SEED
from metameasure.lab.measures import read_table_measures
from metameasure.lab.model_choice.over_datasets import TOLERANCES
from metameasure.lab.model_choice.question import agreement
from metameasure.lab.parallel import run
from metameasure.lab.training.candidates import Candidates, check_scores
from metameasure.lab.training.labeled_data import read_datasets
from metameasure.lab.training.model_selection import fresh_entropy, scores_on
from metameasure.lab.training.splits import stratified_sets
from metameasure.measurement import is_as_good
from metameasure.progress import reporting
from metameasure.results import Cell, Grid, Result
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from metameasure._types import Floats, Indices
    from metameasure.lab.training.labeled_data import LabeledData
    from metameasure.measurement import Measure
    from metameasure.progress import Progress

GOALS = "accuracy, auc, top_precision"
"""The goals of Huang (2006), who calls the last one lift."""
NINE = (
    "accuracy, auc, f_measure, average_precision, break_even_point, top_precision, rms, log_loss, "
    "scored_auc"
)
"""The measures of Huang (2006)."""


@dataclass(frozen=True)
class AbilityRow:
    """The model selection ability of a measure for a goal.

    Attributes:
        dataset: the data set; empty if there is only one.
        goal: the goal.
        measure: the measure.
        msa: the fraction of the pairs of models that the measure orders on a small test set as the
            means of the goal over all sets do; ties count 1/2; the mean over the training parts.
        msa_se: the standard error of ``msa`` over the training parts, as if they were independent.
        undefined: the fraction of the models and sets for which the measure is undefined.
    """

    dataset: str
    goal: str
    measure: str
    msa: float
    msa_se: float
    undefined: float


@dataclass(frozen=True)
class AbilitySuccess:
    """The fraction of data sets on which a measure is within a tolerance of the largest MSA.

    Attributes:
        goal: the goal.
        measure: the measure.
        tolerance: the tolerance, relative to the largest MSA.
        rate: the fraction of the data sets.
    """

    goal: str
    measure: str
    tolerance: float
    rate: float


class SelectionAbility(Result):
    """Model selection ability; one row per data set, goal and measure.

    ``success`` has Huang's success rates over the data sets.
    """

    schema = AbilityRow
    extra: ClassVar = {"success": AbilitySuccess}

    def __init__(
        self, rows: Sequence[AbilityRow], success: Sequence[AbilitySuccess], meta: Mapping[str, Any]
    ) -> None:
        super().__init__(rows, meta=meta)
        self.success = tuple(success)

    def grids(self) -> list[Grid]:
        """One line per measure and one column per goal, for each data set."""
        goals = list(dict.fromkeys(row.goal for row in self.rows))
        grids = []
        for dataset in dict.fromkeys(row.dataset for row in self.rows):
            rows = [row for row in self.rows if row.dataset == dataset]
            best = {goal: max(row.msa for row in rows if row.goal == goal) for goal in goals}
            body: dict[str, list[Cell]] = {}
            for row in rows:
                largest = bool(is_as_good(row.msa, best[row.goal]))
                cell = Cell(plus_minus(row.msa, row.msa_se), stands_out=largest)
                body.setdefault(row.measure, []).append(cell)
            header = ["measure", *(f"goal {goal}" for goal in goals)]
            bold = "largest MSA per goal"
            grids.append(Grid(header, list(body.items()), "", dataset or None, bold))
        if self.success:
            grids += [self._successes(goal) for goal in goals]
        return grids

    def notes(self) -> list[str]:
        """How the values were found."""
        return [
            "MSA ± standard error: {models} models, trained on each of {parts} parts and tested on "
            "{sets} disjoint stratified sets of the other cases".format_map(self.meta)
        ]

    def _successes(self, goal: str) -> Grid:
        rows = [row for row in self.success if row.goal == goal]
        tolerances = list(dict.fromkeys(row.tolerance for row in rows))
        body: dict[str, list[Cell]] = {}
        for row in rows:
            body.setdefault(row.measure, []).append(Cell(number(row.rate)))
        header = ["measure", *(f"within {100 * tolerance:g}%" for tolerance in tolerances)]
        count = len({row.dataset for row in self.rows})
        title = f"goal {goal}: fraction of {count} data sets within x% of the largest MSA"
        return Grid(header, list(body.items()), "", title)


def selection_ability(
    candidates: Any,
    X: Any,
    y: Any = None,
    measures: str | Measure | Iterable[str | Measure] = NINE,
    goals: str | Measure | Iterable[str | Measure] = GOALS,
    *,
    parts: int = 10,
    sets: int = 100,
    tolerances: Iterable[float] = TOLERANCES,
    pos_label: Any = None,
    seed: int | None = SEED,
    workers: int | None = None,
    progress: bool | Progress | None = True,
) -> SelectionAbility:
    """How well measures order models on small test sets, as in Huang (2006, ch. 5).

    The cases are divided into stratified parts. Each part in turn trains the candidates, and the
    other cases are divided into disjoint stratified sets. Which of two models is better is
    determined by the means of the goal over all sets; each measure decides on each set alone.
    ``lab.selection`` takes fixed predictions instead and computes the goal on all cases at once.

    Args:
        candidates: a dict of estimators, a list of them, or what makes them; see
            ``lab.select_models``.
        X: the attributes; or a dict of pairs (X, y), one per data set.
        y: the labels of two classes.
        measures: the measures; by default the nine of Huang.
        goals: one or more goals; by default accuracy, AUC and precision in the top 25%, which
            Huang calls lift.
        parts: the number of parts, one of which trains at a time.
        sets: the number of disjoint test sets.
        tolerances: the tolerances of the success rates over data sets.
        pos_label: the positive label, unless labels are bool, 0/1 or -1/1.
        seed: the random seed.
        workers: the number of processes; the result does not depend on it.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.
    """
    datasets = read_datasets(X, y, pos_label)
    made = Candidates.of(candidates)
    judged = tuple(read_table_measures(measures, "test sets of two classes"))
    aims = tuple(read_table_measures(goals, "test sets of two classes"))
    plan = _Plan(
        made,
        tuple(dict.fromkeys((*aims, *judged))),
        read_argument("parts", parts, Whole(2)),
        read_argument("sets", sets, Whole(2)),
        fresh_entropy() if read_seed(seed) is None else int(seed or 0),
    )
    within = read_several("tolerances", tolerances, Real(0, 1, open_high=True))
    read_workers(workers)
    models = 0
    for name, data in datasets.items():
        models = max(models, _check(plan, name, data))
    tasks = [
        _Task(name, data, part) for name, data in datasets.items() for part in range(plan.parts)
    ]
    work = partial(_of_part, plan)
    with reporting(progress, f"lab.selection_ability: {len(tasks)} test sets") as report:
        found = run(work, tasks, seed=seed, workers=workers, progress=report)
    rows = []
    for name in datasets:
        values = [f for task, f in zip(tasks, found, strict=True) if task.dataset == name]
        rows += _rows(plan, name, aims, judged, values)
    success = _success(rows, within) if len(datasets) > 1 else []
    meta = {
        "datasets": list(datasets), "models": models, "parts": plan.parts, "sets": plan.sets,
        "seed": seed,
    }  # fmt: skip
    return SelectionAbility(rows, success, meta)


class _Plan(NamedTuple):
    """What is trained, by which measures it is judged, and on which sets."""

    candidates: Candidates
    measures: tuple[Measure, ...]
    parts: int
    sets: int
    seed: int


class _Task(NamedTuple):
    """One training part of a data set."""

    dataset: str
    data: LabeledData
    part: int


def _check(plan: _Plan, name: str, data: LabeledData) -> int:
    """The number of candidates; an error if the data do not allow the study."""
    of = f" of {name}" if name else ""
    if len(data.classes) > 2:
        raise DataError(f"the labels{of} must have two classes, got {len(data.classes)}")
    tested = data.n - -(-data.n // plan.parts)
    if tested < 2 * plan.sets:
        problem = f" must be at most half of the {tested} test cases{of}, got {plan.sets}"
        raise ParameterError((Argument("sets"), problem))
    drawn = plan.candidates.checked(data.attributes)
    check_scores(plan.measures, drawn)
    return len(drawn)


def _of_part(plan: _Plan, task: _Task, _: np.random.Generator) -> Floats:
    """The values on each set, for models trained on one part: (measures, models, sets)."""
    data = task.data
    division = np.random.default_rng(np.random.SeedSequence(plan.seed, spawn_key=(0,)))
    place = stratified_sets(data.code, plan.parts, division)
    own = np.random.SeedSequence(plan.seed, spawn_key=(1, task.part))
    rng = np.random.default_rng(own)
    train, rest = np.flatnonzero(place == task.part), np.flatnonzero(place != task.part)
    where = f"part {task.part + 1} of {plan.parts}"
    where += f" of {task.dataset}" if task.dataset else ""
    drawn = plan.candidates.draw(data.attributes, rng)
    scores = np.stack(
        [scores_on(name, one, data, train, rest, rng, where) for name, one in drawn.items()]
    )
    of_set = stratified_sets(data.code[rest], plan.sets, rng)
    return values_on_sets(plan.measures, data.code[rest] == 1, scores, of_set)


def values_on_sets(
    measures: Sequence[Measure], positive: Any, scores: Floats, of_set: Indices
) -> Floats:
    """The values on disjoint sets of cases: shape (measures, models, sets).

    Args:
        measures: the measures.
        positive: the class of each case.
        scores: the scores, shape (models, cases).
        of_set: the set of each case; sizes differ by at most one.
    """
    order = np.argsort(of_set, kind="stable")
    sizes = np.bincount(of_set)
    starts = np.cumsum(sizes) - sizes
    values = np.empty((len(measures), scores.shape[0], sizes.size))
    for size in np.unique(sizes).tolist():
        sets = np.flatnonzero(sizes == size)
        cases = order[starts[sets][:, np.newaxis] + np.arange(size)]
        taken = scores[:, cases]
        block = ScoreTable.from_cases(np.broadcast_to(positive[cases], taken.shape), taken)
        for place, measure in enumerate(measures):
            values[place][:, sets] = measure.of_block(block)
    return values


def ability(values: Floats, goals: Floats, tie: float = 0.5) -> float:
    """The MSA of a measure, from its values and those of the goal: shape (models, sets).

    Both are oriented so that larger is better. Sets on which the goal is undefined are left out of
    its means; a measure that is undefined for a model ties, and a tie counts ``tie``.
    """
    known = ~np.isnan(goals).any(axis=0)
    if not known.any():
        return math.nan
    means = goals[:, known].mean(axis=1, keepdims=True)
    return float(agreement(values, np.broadcast_to(means, values.shape), tie).mean())


def _rows(
    plan: _Plan,
    dataset: str,
    goals: Sequence[Measure],
    measures: Sequence[Measure],
    values: Sequence[Floats],
) -> list[AbilityRow]:
    """The means over the training parts."""
    place = {measure: number for number, measure in enumerate(plan.measures)}
    merit = [
        np.stack([m.goodness(v) for m, v in zip(plan.measures, of_part, strict=True)])
        for of_part in values
    ]
    rows = []
    for goal in goals:
        for measure in measures:
            found = np.array([ability(of[place[measure]], of[place[goal]]) for of in merit])
            if np.isnan(found).any():
                of_data = f" of {dataset}" if dataset else ""
                raise DataError(
                    f"the goal {goal} is undefined for a model on every set of a part{of_data}",
                    remedy=("choose another goal or reduce ", Argument("sets")),
                )
            error = float(np.std(found, ddof=1)) / math.sqrt(found.size)
            lost = float(np.mean([np.isnan(of[place[measure]]).mean() for of in merit]))
            mean = float(found.mean())
            rows.append(AbilityRow(dataset, str(goal), str(measure), mean, error, lost))
    return rows


def _success(rows: Sequence[AbilityRow], tolerances: Sequence[float]) -> list[AbilitySuccess]:
    """The success rates over data sets, per goal and measure."""
    most: dict[tuple[str, str], float] = {}
    for row in rows:
        key = row.dataset, row.goal
        most[key] = max(most.get(key, -math.inf), row.msa)
    found = []
    for goal in dict.fromkeys(row.goal for row in rows):
        for measure in dict.fromkeys(row.measure for row in rows):
            here = [row for row in rows if (row.goal, row.measure) == (goal, measure)]
            for tolerance in tolerances:
                reached = [
                    is_as_good(row.msa, (1 - tolerance) * most[row.dataset, goal]) for row in here
                ]
                found.append(AbilitySuccess(goal, measure, tolerance, float(np.mean(reached))))
    return found
