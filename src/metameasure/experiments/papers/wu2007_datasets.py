"""Model selection on data sets in Wu, Flach and Ferri (2007): Tables 4 and 5."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from metameasure import experiments, lab
from metameasure.experiments.declaration import Value, item
from metameasure.experiments.tolerance import Sampling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np

    from metameasure.experiments.dataset import Dataset

MEASURES = {"sAUC": "scored_auc", "AUC": "auc", "BS": "brier"}
SMALL, LARGE = 2000, 100
"""The number of repetitions in the paper, on the smaller and on the larger data sets."""
SMALLER = {
    "monks-1": ("Monk1", "1"),
    "monks-2": ("Monk2", "1"),
    "monks-3": ("Monk3", "1"),
    "tic-tac-toe": ("Tic-tac-toe", "positive"),
    "credit-a": ("Credit-a", "+"),
    "german": ("German", "bad"),
    "house-votes": ("House-vote", "republican"),
    "breast-cancer": ("Breast Cancer", "recurrence-events"),
    "breast-w": ("Breast-w", "malignant"),
    "colic": ("Colic", "yes"),
    "heart-statlog": ("Heart-statlog", "present"),
}
LARGER = {
    "kr-vs-kp": ("Kr-vs-kp", "won"),
    "spam": ("Spam", "spam"),
    "sick": ("Sick", "sick"),
    "caravan": ("Caravan", "Yes"),
    "hypothyroid": ("Hypothyroid", "hypothyroid"),
    "mushroom": ("Mushroom", "p"),
}
"""The name in the paper and the positive class of each data set."""
LEARNERS: dict[str, Callable[[tuple[int, ...]], Any]] = {
    "J48": lambda nominal: experiments.C45Tree(nominal=nominal, prune=False, laplace=True),
    "Naive Bayes": lambda nominal: experiments.MixedNaiveBayes(nominal=nominal),
    "Logistic Regression": lambda nominal: experiments.RidgeLogistic(nominal=nominal),
}
CONVENTION = (
    "{parts}; the parts are drawn at random without regard to classes; each of ten models lacks "
    "three attributes drawn at random; of models that are tied for the best value one is selected "
    "at random (the expected AUC is used)"
)
STAND_INS = (
    "J48 is C45Tree(prune=False, laplace=True)",
    "NaiveBayes is MixedNaiveBayes(), Logistic is RidgeLogistic()",
)


def select(
    data: Dataset,
    learner: str,
    shares: tuple[float, float, float],
    repeats: int,
    generator: np.random.Generator,
    *,
    ties: str = "random",
) -> dict[str, tuple[float, float]]:
    """The mean test AUC in percent that each measure reaches, and its standard deviation."""
    train, validation, test = shares
    found = lab.select_models(
        lab.attribute_subsets(LEARNERS[learner](data.nominal), per_attribute="nominal"),
        data.values,
        data.target,
        list(MEASURES.values()),
        "auc",
        train=train,
        validation=validation,
        test=test,
        repeats=repeats,
        stratified=False,
        ties=ties,
        seed=int(generator.integers(2**31)),
        workers=1,
    )
    (trained,) = found.trained.values()
    return {
        name: (100 * float(each.mean()), 100 * float(each.std(ddof=1)))
        for name, each in ((name, trained.reached[text]) for name, text in MEASURES.items())
    }


def _cells(datasets: dict[str, tuple[str, str]]) -> list[dict[str, Any]]:
    return [{"learner": learner, "dataset": name} for learner in LEARNERS for name in datasets]


def _with_wins(values: list[Value]) -> Iterator[Value]:
    """All values, and on how many data sets sAUC selects better than the others."""
    yield from values
    reached = {value.place: value.value for value in values}
    for part in dict.fromkeys(value.part for value in values):
        rows = [row for where, row, column in reached if (where, column) == (part, "sAUC")]
        for column in ("AUC", "BS"):
            wins = sum(
                round(reached[part, row, "sAUC"], 2) > round(reached[part, row, column], 2)
                for row in rows
            )
            yield Value("wins", column, wins, part=part)


def _rows(
    reached: dict[str, tuple[float, float]], learner: str, row: str, repeats: int, printed: int
) -> Iterator[Value]:
    for column, (mean, spread) in reached.items():
        yield Value(
            row,
            column,
            mean,
            spread / math.sqrt(repeats),
            learner,
            repeats,
            print_error=spread / math.sqrt(printed),
        )


@item(
    "wu2007",
    "table4",
    kind="data",
    question="Which of AUC, sAUC and Brier score selects models with a higher test AUC?",
    cells=_cells(SMALLER),
    tolerance=Sampling(),
    cost=5400.0,
    repeats=SMALL,
    block=50,
    convention=CONVENTION.format(
        parts="half of the cases train, a tenth validates, four tenths test"
    ),
    stand_ins=STAND_INS,
    finish=_with_wins,
)
def table_4(
    learner: str, dataset: Dataset, repeats: int, generator: np.random.Generator
) -> Iterator[Value]:
    """The test AUC in percent of the models that each measure selects, on a smaller data set."""
    row, positive = SMALLER[dataset.name]
    reached = select(dataset.binary(positive), learner, (0.5, 0.1, 0.4), repeats, generator)
    return _rows(reached, learner, row, repeats, SMALL)


@item(
    "wu2007",
    "table5",
    kind="data",
    question="Does sAUC select better models if there are more validation data?",
    cells=_cells(LARGER),
    tolerance=Sampling(),
    cost=3600.0,
    repeats=LARGE,
    block=5,
    convention=CONVENTION.format(parts="half of the cases train, a quarter validates and tests"),
    stand_ins=STAND_INS,
    finish=_with_wins,
)
def table_5(
    learner: str, dataset: Dataset, repeats: int, generator: np.random.Generator
) -> Iterator[Value]:
    """The test AUC in percent of the models that each measure selects, on a larger data set."""
    row, positive = LARGER[dataset.name]
    reached = select(dataset.binary(positive), learner, (0.5, 0.25, 0.25), repeats, generator)
    return _rows(reached, learner, row, repeats, LARGE)
