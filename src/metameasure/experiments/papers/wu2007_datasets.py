"""Model selection on data sets in Wu, Flach and Ferri (2007): Tables 4 and 5, Figure 3."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from metameasure import experiments, lab
from metameasure.experiments.arithmetic import sign_test
from metameasure.experiments.declaration import Value, item
from metameasure.experiments.figures import scatter_panels
from metameasure.experiments.tolerance import Sampling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from matplotlib.figure import Figure

    from metameasure._types import Floats
    from metameasure.experiments.dataset import Dataset
    from metameasure.experiments.reproduction import Reproduction

MEASURES = {"sAUC": "scored_auc", "AUC": "auc", "BS": "brier"}
OTHERS = ("AUC", "BS")
"""The measures that sAUC is compared with."""
SMALL, LARGE = 2000, 100
"""The number of repetitions in the paper, on the smaller and on the larger data sets."""
SPLITS = 500
"""The number of splits of Figure 3, with ten models each."""
SIGN_TEST = "p of the sign test"
SPREAD = "standard deviation of validation"
GAIN = "1 - r², AUC minus sAUC"
SHARES = (0.5, 0.1, 0.4)
"""The parts of the smaller data sets that train, validate and test."""
FEW_VALIDATE = (0.9, 0.02, 0.08)
"""The parts in table4-validation2 and figure3-validation2."""
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
) -> lab.Trained:
    """Ten models of a learner per repeat, with what the measures reach that select among them."""
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
    return trained


def _cells(datasets: dict[str, tuple[str, str]]) -> list[dict[str, Any]]:
    return [{"learner": learner, "dataset": name} for learner in LEARNERS for name in datasets]


def _with_wins(values: list[Value], datasets: int) -> Iterator[Value]:
    """All values, and on how many data sets sAUC selects better than the others, if all were run.

    A win is one of the printed digits, as in the paper; its standard error follows from those of
    the differences.
    """
    yield from values
    found = {value.place: value for value in values}
    for part in dict.fromkeys(value.part for value in values):
        rows = [row for where, row, column in found if (where, column) == (part, "sAUC")]
        if len(rows) < datasets:
            continue
        for column in OTHERS:
            gaps = [
                round(found[part, row, "sAUC"].value, 2) - round(found[part, row, column].value, 2)
                for row in rows
            ]
            wins, losses = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
            differences = [
                found[place] for row in rows if (place := (part, row, f"sAUC - {column}")) in found
            ]
            error = _error_of_wins((value.value, value.error) for value in differences)
            printed = _error_of_wins((value.value, value.print_error) for value in differences)
            yield Value("wins", column, wins, error, part, print_error=printed)
            yield Value(SIGN_TEST, column, sign_test(wins, losses), part=part)


def _error_of_wins(differences: Iterable[tuple[float, float]]) -> float:
    """The standard deviation of a number of wins, from differences and their standard errors."""
    chances = [
        float(stats.norm.cdf(difference / error)) if error else 0.0
        for difference, error in differences
    ]
    return math.sqrt(sum(chance * (1 - chance) for chance in chances))


def _rows(trained: lab.Trained, learner: str, row: str, printed: int) -> Iterator[Value]:
    """The mean test AUC in percent that each measure reaches, and the differences from sAUC."""
    reached = {name: 100 * trained.reached[measure] for name, measure in MEASURES.items()}
    reached |= {f"sAUC - {name}": reached["sAUC"] - reached[name] for name in OTHERS}
    for column, each in reached.items():
        spread = float(each.std(ddof=1))
        error, print_error = (spread / math.sqrt(count) for count in (each.size, printed))
        yield Value(row, column, float(each.mean()), error, learner, each.size, print_error)


def selections(
    learner: str,
    dataset: Dataset,
    repeats: int,
    generator: np.random.Generator,
    *,
    shares: tuple[float, float, float],
    printed: int,
) -> Iterator[Value]:
    """The test AUC in percent of the models that each measure selects.

    ``printed`` is the number of repetitions in the paper.
    """
    row, positive = (SMALLER | LARGER)[dataset.name]
    trained = select(dataset.binary(positive), learner, shares, repeats, generator)
    return _rows(trained, learner, row, printed)


table = partial(item, "wu2007", kind="data", tolerance=Sampling(), stand_ins=STAND_INS)
small_sets = partial(
    table,
    cells=_cells(SMALLER),
    cost=900.0,
    repeats=SMALL,
    block=50,
    finish=partial(_with_wins, datasets=len(SMALLER)),
)
SEARCHED = (
    "5% of the cases validate, four tenths test, otherwise as table4: of a search over 2 sizes of "
    "the validation part (10%, 5%) for the one at which sAUC wins as often as printed"
)
SMALL_VALIDATION = (
    "nine tenths of the cases train, of the others a fifth validates and four fifths test; AUC and "
    "sAUC select at random where all validation cases have one class; otherwise as table4: of a "
    "search over 56 conventions (training parts of 50%, 80% and 90%; validation parts of 1% to 10% "
    "or of 5 to 15 cases; ties in the AUC that count 1/2, 0 or 1 or are broken at random; of tied "
    "models one at random or the first)"
)

table_4 = small_sets(
    "table4",
    question="Which of AUC, sAUC and Brier score selects models with a higher test AUC?",
    convention=CONVENTION.format(
        parts="half of the cases train, a tenth validates, four tenths test"
    ),
    reason=(
        "the validation part seems to be smaller than stated: with 2% of the cases beside a "
        "training part of 90% (table4-validation2) the median absolute difference of the 99 AUC "
        "values falls from .59 to .29 points, and without Tic-tac-toe their root mean square from "
        "1.42 to .44; with 5% (table4-validation5) it is .62, so that the larger number of "
        "agreements there is due to wider intervals: by intervals of 3.64 standard errors of "
        "table4-validation2 for all, 59 (10%), 60 (5%) and 88 (2%) of the 99 values agree; with 2% "
        "five of the six numbers of wins are within sampling error of the print, two are equal to "
        "it; the text on Figure 3 supports 2%, since it "
        "reports models of Credit-a that rank the validation part perfectly: of 400 models per "
        "learner none ranks 10% or 5% of the cases perfectly, 16% to 24% do with 2% "
        "(script not kept; figure3-validation2 has its own count); no other "
        "version of Monk1, Monk3, German and Colic is needed; not explained: J48 and logistic "
        "regression on Tic-tac-toe, 2 to 7 points worse in print (J48 fits half of the cases for "
        "training and 5 for validation, logistic regression does not), and naive Bayes on "
        "House-vote and Breast-w, half a point worse in print"
    ),
)(partial(selections, shares=SHARES, printed=SMALL))
table_4_fewer = small_sets(
    "table4-validation5",
    question="Table 4 with half as many validation cases.",
    alternative_to="table4",
    convention=SEARCHED,
)(partial(selections, shares=(0.5, 0.05, 0.4), printed=SMALL))
table_4_tenth = small_sets(
    "table4-validation2",
    question="Table 4 with a validation part of 2% beside a training part of 90%.",
    alternative_to="table4",
    convention=SMALL_VALIDATION,
)(partial(selections, shares=FEW_VALIDATE, printed=SMALL))
table_5 = table(
    "table5",
    question="Does sAUC select better models if there are more validation data?",
    cells=_cells(LARGER),
    finish=partial(_with_wins, datasets=len(LARGER)),
    cost=600.0,
    repeats=LARGE,
    block=5,
    convention=CONVENTION.format(parts="half of the cases train, a quarter validates and tests"),
    errata={("J48", "wins", "BS"): "WFF 8"},
    reason=(
        "the printed row of Caravan with logistic regression is that of an AUC of 95, where naive "
        "Bayes and J48 have 70 in print and every learner has 68 to 71 here; not explained: naive "
        "Bayes on Spam (2.1 to 2.7 points lower here), Sick (1 point higher) and Mushroom, J48 on "
        "Caravan (1.7 to 2.1 points lower), Spam and Kr-vs-kp, logistic regression on Kr-vs-kp; "
        "the numbers of wins are within sampling error of the print, one of them with 1 against 3"
    ),
)(partial(selections, shares=(0.5, 0.25, 0.25), printed=LARGE))

MODELS, DRAWN_SPLITS = "models", 8
PERFECT = "models with validation AUC 1"
RESAMPLES = 200


def _drawn(result: Reproduction) -> Figure:
    """Test AUC against validation AUC, and against validation sAUC."""
    return scatter_panels(
        result, MODELS, x=["validation AUC", "validation sAUC"], y="test AUC", of=list(LEARNERS)
    )


def predictions(
    learner: str,
    dataset: Dataset,
    repeats: int,
    generator: np.random.Generator,
    *,
    shares: tuple[float, float, float],
) -> Iterator[Value]:
    """How well both measures predict the test AUC of the models of a learner."""
    row, positive = SMALLER[dataset.name]
    trained = select(dataset.binary(positive), learner, shares, repeats, generator)
    goals = trained.goals
    splits = len(goals)
    resamples = generator.integers(splits, size=(RESAMPLES, splits))
    left: dict[str, tuple[float, Floats]] = {}
    for name in ("AUC", "sAUC"):
        values = trained.values[MEASURES[name]]
        again = np.array([_unexplained(values[drawn], goals[drawn]) for drawn in resamples])
        share = _unexplained(values, goals)
        left[name] = share, again
        yield Value(row, f"1 - r², {name}", share, float(again.std(ddof=1)), learner, splits)
        bias = _of_splits(values - goals)
        error = float(bias.std(ddof=1)) / math.sqrt(bias.size)
        column = f"validation {name} - test AUC"
        yield Value(row, column, float(bias.mean()), error, learner, splits)
    for name, measure in MEASURES.items():
        spread = float(_of_splits(trained.values[measure]).std(ddof=1))
        error = spread / math.sqrt(2 * (splits - 1))
        yield Value(row, f"{SPREAD} {name}", spread, error, learner, splits)
    (plain, of_plain), (scored, of_scored) = left["AUC"], left["sAUC"]
    error = float((of_plain - of_scored).std(ddof=1))
    yield Value(row, GAIN, plain - scored, error, learner, splits)
    perfect = trained.values["auc"] == 1
    yield Value(row, PERFECT, int(perfect.sum()), part=learner, count=splits)
    tied = len(np.unique(trained.values["scored_auc"][perfect].round(9)))
    yield Value(row, f"values of sAUC of {PERFECT}", tied, part=learner, count=splits)
    spread = float(np.ptp(goals[perfect])) if perfect.any() else 0.0
    yield Value(row, f"range of test AUC of {PERFECT}", spread, part=learner, count=splits)
    drawn = {
        "validation AUC": trained.values["auc"],
        "validation sAUC": trained.values["scored_auc"],
        "test AUC": goals,
    }
    for column, each in drawn.items():
        for number, value in enumerate(each[:DRAWN_SPLITS].ravel().tolist(), start=1):
            yield Value(f"{learner} {number}", column, value, part=MODELS)


def _of_splits(values: Floats) -> Floats:
    """The mean over models of each split whose validation part has both classes."""
    means: Floats = values.mean(axis=1)
    return means[np.isfinite(means)]


def _unexplained(values: Floats, goals: Floats) -> float:
    """The fraction of the variance of the goals that a regression on the values leaves."""
    known = np.isfinite(values)
    return 1.0 - float(np.corrcoef(values[known], goals[known])[0, 1]) ** 2


predicted = partial(
    item,
    "wu2007",
    kind="data",
    cells=[{"learner": learner, "dataset": "credit-a"} for learner in LEARNERS],
    tolerance=Sampling(),
    cost=40.0,
    repeats=SPLITS,
    stand_ins=STAND_INS,
    figure=_drawn,
)
figure_3 = predicted(
    "figure3",
    question="Does the validation sAUC predict the test AUC better than the validation AUC does?",
    convention=(
        "the models of Table 4, those of each learner by themselves, since the paper does not name "
        "the learner; 1 - r² is the share of the variance of the test AUC that the regression on "
        "the validation measure does not explain, with errors by the bootstrap of the splits; the "
        f"figure has the models of {DRAWN_SPLITS} splits"
    ),
)(partial(predictions, shares=SHARES))
figure_3_fewer = predicted(
    "figure3-validation2",
    question="Figure 3 with a validation part of 2% beside a training part of 90%.",
    alternative_to="figure3",
    convention="the parts of table4-validation2, which a search found, otherwise as figure3",
)(partial(predictions, shares=FEW_VALIDATE))
