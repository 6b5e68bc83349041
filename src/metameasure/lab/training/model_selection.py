"""Model selection with training: which measure selects the models that are best on test cases."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from metameasure._arguments import read_confidence, read_seed, read_workers
from metameasure._text import shown
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.evaluation import choose
from metameasure.inference import SEED, friedman_test
from metameasure.lab.measures import base_measures
from metameasure.lab.model_choice.question import DEFAULT, agreement, choice, hit_of, regret_of
from metameasure.lab.parallel import portions, run
from metameasure.lab.training.candidates import (
    Candidates,
    check_scores,
    fitted,
    needs_probabilities,
    scores_of,
)
from metameasure.lab.training.labeled_data import read_datasets
from metameasure.lab.training.model_selection_result import ModelSelection, Trained
from metameasure.lab.training.selection_tests import (
    Judged,
    picks_of,
    rows_of,
    rows_over_datasets,
    tests_of,
)
from metameasure.lab.training.splits import Splits
from metameasure.measurement import Measure, is_best, parse
from metameasure.progress import reporting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from metameasure._types import Floats
    from metameasure.evaluation import Chosen
    from metameasure.lab.training.candidates import Candidate
    from metameasure.lab.training.labeled_data import LabeledData
    from metameasure.progress import Progress

REPEATS = 100
TASKS = 200
"""Number of tasks that a study is divided into, at most; splits are never divided."""
LOST = 0.5
"""Largest fraction of splits whose goal may be undefined."""


def select_models(
    candidates: Any,
    X: Any,
    y: Any = None,
    measures: Chosen = "default",
    goal: str | Measure = "auc",
    *,
    train: float | None = None,
    validation: float = 0.1,
    test: float | None = None,
    folds: int | None = None,
    repeats: int | None = None,
    stratified: bool = True,
    ties: str | Measure = "random",
    reference: str | Measure | None = None,
    pos_label: Any = None,
    ci: float = 0.95,
    seed: int | None = SEED,
    workers: int | None = None,
    progress: bool | Progress | None = True,
) -> ModelSelection:
    """The goal that each measure reaches when it selects among trained models.

    In each split all candidates are fitted on the training part, each measure selects the one that
    is best on the validation part, and the goal is computed on the test part. Unset random states
    of the estimators are drawn from the seed.

    Args:
        candidates: a dict of estimators with ``fit`` and ``predict_proba`` or
            ``decision_function``, a list of them, or what makes them: ``lab.grid(...)``,
            ``lab.attribute_subsets(...)``, ``lab.first_attributes(...)``.
        X: the attributes; or a dict of pairs (X, y), one per data set.
        y: the labels.
        measures: "default", "all", or measures or their texts; the goal is always included.
        goal: the measure of the selected models on the test part.
        train: the fraction of the cases for training; by default 0.5. Does not apply with folds.
        validation: the fraction of the cases that models are selected on.
        test: the fraction of the cases for the goal; by default all that are left.
        folds: the number of folds, each of which is the test part once, instead of fractions.
        repeats: the number of random splits, by default 100; with folds, the number of times that
            the cases are divided into folds, by default 1.
        stratified: whether all parts have the same fractions of the classes.
        ties: which of the candidates that are tied for the best value is selected: one at "random"
            (the expected goal is used), the "first", or the best by another measure.
        reference: the measure that the others are tested against; by default the goal.
        pos_label: the positive label, unless labels are bool, 0/1 or -1/1.
        ci: the confidence of the intervals.
        seed: the random seed.
        workers: the number of processes; the result does not depend on it.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.

    >>> from sklearn.datasets import make_classification
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from metameasure.lab import attribute_subsets
    >>> X, y = make_classification(300, random_state=1)
    >>> found = select_models(attribute_subsets(GaussianNB(), remove=15), X, y, "auc, brier",
    ...                       repeats=20, workers=1)
    >>> [(row.measure, round(row.reached, 3)) for row in found.rows]
    [('brier', 0.931), ('auc', 0.924)]
    """
    datasets = read_datasets(X, y, pos_label)
    made = Candidates.of(candidates)
    known = read_seed(seed)
    read_workers(workers)
    splits = Splits.of(
        train=train,
        validation=validation,
        test=test,
        folds=folds,
        repeats=repeats if repeats is not None else (REPEATS if folds is None else 1),
        stratified=stratified,
        seed=fresh_entropy() if known is None else known,
    )
    plan = _plan(made, datasets, measures, goal, ties)
    place = _place_of(reference, plan.measures)
    ci = read_confidence(ci)
    tasks = [
        _Task(name, data, begin, begin + count)
        for name, data in datasets.items()
        for begin, count in _portions(splits.count)
    ]
    work = partial(_train, plan, splits)
    with reporting(progress, f"lab.select_models: {splits.count} splits") as report:
        found = run(work, tasks, seed=splits.seed, workers=workers, progress=report)
    trained, judged = {}, {}
    for name in datasets:
        of_splits = [
            one for t, some in zip(tasks, found, strict=True) if t.name == name for one in some
        ]
        trained[name], judged[name] = _judged(plan, of_splits, name)
    rows = [
        row
        for name in datasets
        for row in rows_of(plan.measures, judged[name], trained[name], name)
    ]
    tests = [
        test
        for name in datasets
        for test in tests_of(plan.measures, judged[name], trained[name], name, place, ci)
    ]
    picks = [
        row
        for name in datasets
        for row in picks_of(plan.measures, judged[name], trained[name], name)
    ]
    meta: dict[str, Any] = {
        "goal": str(plan.goal),
        "goal_best": plan.goal.best,
        "reference": str(plan.measures[place]),
        "datasets": list(datasets),
        "splits": splits.count,
        "train": splits.train,
        "validation": splits.validation,
        "test": splits.test,
        "folds": splits.folds,
        "repeats": splits.repeats,
        "stratified": splits.stratified,
        "ties": str(ties),
        "ci": ci,
        "seed": known,
    }
    across = []
    if len(datasets) > 1:
        gains = np.stack([one.gain.mean(axis=1) for one in judged.values()])
        across = rows_over_datasets(plan.measures, judged, gains.T, place)
        if gains.shape[1] > 1:
            meta["friedman"] = asdict(friedman_test(gains))
    return ModelSelection(rows, tests, across, picks, trained=trained, meta=meta)


@dataclass(frozen=True)
class _Plan:
    """What is selected from, by which measures and for which goal."""

    candidates: Candidates
    measures: tuple[Measure, ...]
    goal: Measure
    ties: str
    second: Measure | None


class _Task(NamedTuple):
    """Some splits of a data set."""

    name: str
    data: LabeledData
    begin: int
    end: int


class _OfSplit(NamedTuple):
    """The values of one split: (measures, candidates), (candidates,), and its numbers of cases."""

    names: tuple[str, ...]
    values: Floats
    second: Floats
    goals: Floats
    sizes: tuple[int, int, int]


def _plan(
    made: Candidates,
    datasets: Mapping[str, LabeledData],
    measures: Chosen,
    goal: str | Measure,
    ties: str | Measure,
) -> _Plan:
    """The plan, with the goal as its first measure, checked against all data sets."""
    aim = goal if isinstance(goal, Measure) else parse(goal, "goal")
    asked, by_name = choose(measures, DEFAULT)
    by_rule = isinstance(ties, str) and ties in ("random", "first")
    second = None if by_rule else parse(ties, "ties")
    drawn = {name: made.checked(data.attributes) for name, data in datasets.items()}
    probabilities = all(
        hasattr(one.estimator, "predict_proba") for some in drawn.values() for one in some.values()
    )
    if not by_name and not probabilities:
        asked = [m for m in asked if not any(map(needs_probabilities, base_measures([m])))]
    chosen = list(dict.fromkeys([aim, *asked]))
    for name, data in datasets.items():
        fitting = data.fitting([*chosen, *([second] if second else [])])
        check_scores(fitting, drawn[name])
    return _Plan(made, tuple(chosen), aim, str(ties), second)


def _train(plan: _Plan, splits: Splits, task: _Task, _: np.random.Generator) -> list[_OfSplit]:
    return [
        _of_split(plan, task.data, splits, number, task.name)
        for number in range(task.begin, task.end)
    ]


def _of_split(
    plan: _Plan, data: LabeledData, splits: Splits, number: int, dataset: str
) -> _OfSplit:
    """The candidates of one split, fitted and measured."""
    split = splits.split(number, data.code)
    rng = splits.rng(number, 1)
    drawn = plan.candidates.draw(data.attributes, rng)
    where = splits.name(number) + (f" of {dataset}" if dataset else "")
    both = np.concatenate([split.validation, split.test])
    scores = np.stack(
        [scores_on(name, one, data, split.train, both, rng, where) for name, one in drawn.items()]
    )
    cut = split.validation.size
    chosen = data.fitting(plan.measures)
    values = data.values(chosen, split.validation, scores[:, :cut])
    second = np.empty(0)
    if plan.second is not None:
        second = data.values(data.fitting([plan.second]), split.validation, scores[:, :cut])[0]
    goals = data.values(chosen[:1], split.test, scores[:, cut:])[0]
    sizes = split.train.size, split.validation.size, split.test.size
    return _OfSplit(tuple(drawn), values, second, goals, sizes)


def scores_on(
    name: str,
    candidate: Candidate,
    data: LabeledData,
    train: Any,
    cases: Any,
    rng: np.random.Generator,
    where: str,
) -> Floats:
    """The scores of a candidate, fitted on some cases, for others."""
    estimator = fitted(name, candidate, data, train, rng, where)
    return scores_of(name, estimator, data.rows(cases, candidate.columns), data.classes, where)


def _judged(plan: _Plan, of_splits: Sequence[_OfSplit], dataset: str) -> tuple[Trained, Judged]:
    """The selections of all measures on a data set; splits without a goal are left out."""
    if len({len(one.names) for one in of_splits}) > 1:
        raise DataError("the number of candidates must be the same in all splits")
    goals = np.stack([one.goals for one in of_splits])
    known = np.isfinite(plan.goal.goodness(goals)).all(axis=1)
    if known.mean() < LOST:
        raise DataError(
            f"the goal {plan.goal} is undefined or infinite in {np.count_nonzero(~known)} of "
            f"{known.size} split{'s' * (known.size != 1)}{f' of {dataset}' if dataset else ''}",
            remedy=(
                "choose another goal, a larger ",
                Argument("test"),
                " part or stratified splits",
            ),
        )
    kept = [one for one, good in zip(of_splits, known, strict=True) if good]
    goals = goals[known]
    # Candidates are on the first axis, as in the studies of fixed predictions.
    values = np.stack([one.values for one in kept], axis=1)  # (measures, splits, candidates)
    merit = np.stack([m.goodness(v) for m, v in zip(plan.measures, values, strict=True)])
    second = None
    if plan.second is not None:
        second = plan.second.goodness(np.stack([one.second for one in kept]).T)
    good_goals = plan.goal.goodness(goals).T
    chosen = np.stack([_chosen(of.T, plan.ties, second) for of in merit])  # (measures, M, splits)
    reached = np.sum(chosen * goals.T, axis=1)
    found = Judged(
        chosen=chosen,
        reached=reached,
        gain=np.sum(chosen * good_goals, axis=1),
        regret=np.stack([regret_of(one, good_goals) for one in chosen]),
        hit=np.stack([hit_of(one, good_goals) for one in chosen]),
        msa=np.stack([agreement(of.T, good_goals) for of in merit]),
        undefined=np.asarray(np.isnan(values).any(axis=-1), dtype=np.float64),
    )
    names = [str(measure) for measure in plan.measures]
    trained = Trained(
        candidates=kept[0].names,
        values=dict(zip(names, values, strict=True)),
        goals=goals,
        reached=dict(zip(names, reached, strict=True)),
        sizes=tuple(np.mean([one.sizes for one in kept], axis=0).tolist()),
    )
    return trained, found


def _chosen(values: Floats, ties: str, second: Floats | None) -> Floats:
    """The probability that each candidate is selected: shape (candidates, splits)."""
    if ties == "random":
        return choice(values)
    among = is_best(values) | np.isnan(values).all(axis=0)
    if second is None:
        first = np.zeros(values.shape)
        first[np.argmax(among, axis=0), np.arange(values.shape[1])] = 1.0
        return first
    # A tied candidate whose second value is undefined is only taken if all of them are.
    return choice(np.where(among, np.where(np.isnan(second), -np.inf, second), np.nan))


def _place_of(reference: str | Measure | None, measures: Sequence[Measure]) -> int:
    if reference is None:
        return 0
    names, chosen = [str(measure) for measure in measures], str(parse(reference, "reference"))
    if chosen not in names:
        raise ParameterError(
            (
                Argument("reference"),
                f" must be one of {', '.join(names)}, got {shown([str(reference)])}",
            )
        )
    return names.index(chosen)


def _portions(count: int) -> list[tuple[int, int]]:
    """The first split and the number of splits of each task."""
    sizes = portions(count, -(-count // TASKS))
    begins = np.cumsum([0, *sizes[:-1]]).tolist()
    return list(zip(begins, sizes, strict=True))


def fresh_entropy() -> int:
    """A seed that nobody chose."""
    return int(np.random.SeedSequence().generate_state(2, np.uint64)[0])
