"""The figures that advice has to reach, as one JSON object on standard output.

    python -m benchmarks.advice            all figures, about an hour on two cores
    python -m benchmarks.advice --quick    fewer cases and data sets, to try changes
    python -m benchmarks.advice --only speed

``speed`` is the time of one call of ``advise``. ``pure_noise`` is how often it recommends nothing
when no measure is better, ``clear`` how often it names a right measure. ``false`` is how often it
recommends a measure whose true regret exceeds that of the best one by more than the tolerance, and
``seeds`` how often the recommendation changes with the seed without saying that it is close.
``errors`` compares the standard errors with the standard deviation over data sets that they
estimate.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import Parallel, delayed

from benchmarks.figures import Bar, Figure, run
from metameasure.lab import advise
from metameasure.lab.advice.groups import standing
from metameasure.lab.advice.recommendation import NOTHING
from metameasure.lab.model_choice.question import DEFAULT, Question, goals_of, judge
from metameasure.lab.model_choice.trials import study
from metameasure.lab.model_choice.validation_sets import Cases
from metameasure.measurement import parse, parse_list

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]
    Models = tuple[Mask, dict[str, Floats]]

PACKAGES = ("numpy", "scipy", "numba", "joblib", "metameasure")
JOBS = int(os.environ.get("JOBS", "-1"))
"""Number of processes; all cores by default."""
DATA = "labels 40% positive; scores: a logistic function of shift x label + noise that is shared"
SEEN = "auc, scored_auc, brier, accuracy, ks, h_measure, average_precision, log_loss"


@dataclass(frozen=True)
class Scale:
    """How much work is done."""

    cases: int = 5000
    data_sets: int = 200
    clear_data_sets: int = 50
    error_data_sets: int = 100
    seeds: int = 20
    population: int = 400_000


FULL = Scale()
QUICK = Scale(1000, 20, 10, 20, 6, 50_000)


def draw(rng: np.random.Generator, n: int, models: Mapping[str, tuple[float, ...]]) -> Models:
    """Labels and models, each given by its discrimination, slope and shift."""
    labels = rng.random(n) < 0.4
    shared = rng.normal(size=n)
    scores = {}
    for name, (power, slope, shift) in models.items():
        evidence = power * (labels - 0.5) + 0.7 * shared + 0.714 * rng.normal(size=n)
        scores[name] = 1 / (1 + np.exp(-slope * evidence - shift))
    return labels, scores


Parameters = dict[str, tuple[float, ...]]
KINDS: Parameters = {
    "boosted": (1.6, 3.0, 0.4),
    "smooth": (1.5, 1.0, 0.0),
    "tree": (1.4, 1.0, 0.0),
    "saturated": (1.5, 8.0, 0.0),
}
"""A sharp boosted ensemble, a calibrated model, a tree and a saturated naive Bayes."""


def of_kinds(labels: Mask, scores: dict[str, Floats]) -> Models:
    """The models, with few distinct scores of the tree and saturated scores where named so."""
    for name, decimals in (("tree", 1), ("saturated", 3)):
        if name in scores:
            scores[name] = np.round(scores[name], decimals)
    return labels, scores


def of_different_kinds(n: int, seed: int = 1) -> Models:
    """Four models of different kinds."""
    return of_kinds(*draw(np.random.default_rng(seed), n, KINDS))


def speed(scale: Scale) -> Figure:
    labels, scores = of_different_kinds(scale.cases)
    seconds, repeats = {}, {}
    for name, noise, most in (("no noise", (), 10), ("4 noise levels", (0.05, 0.1, 0.2), 30)):
        begin = time.perf_counter()
        advice = advise(labels, scores, "auc", (50, 100, 200), noise=noise)
        seconds[name] = time.perf_counter() - begin, most
        repeats[name] = advice.meta["repeats"]
    bars = [Bar(f"seconds, {name}", "at most", most, t) for name, (t, most) in seconds.items()]
    work = f"advise: 4 models, {labels.size} cases, {len(DEFAULT)} measures, 3 sizes"
    return Figure(work, bars, {"repeats_by_size": repeats, "noise": "0, 5, 10, 20%"})


def workers(scale: Scale) -> Figure:
    labels, scores = of_different_kinds(scale.cases // 10)
    found = [
        advise(labels, scores, sizes=(20, 40), repeats=100, workers=number) for number in (1, 2, 8)
    ]
    same = all(one.rows == found[0].rows for one in found)
    bar = Bar("the same rows for 1, 2 and 8 workers (1 yes)", "at least", 1, float(same))
    return Figure("workers", [bar], {"n": labels.size})


def pure_noise(scale: Scale) -> Figure:
    found = Parallel(n_jobs=JOBS)(delayed(_useless)(number) for number in range(scale.data_sets))
    silent, grouped = (float(np.mean(column)) for column in zip(*found, strict=True))
    bars = [Bar("share without a conclusion", "at least", 0.9, silent)]
    raw = {
        "data_sets": scale.data_sets,
        "cases": 400,
        "models": "2 to 6, useless",
        "sizes": (50, 100),
        "share_in_which_some_measure_is_recommended_or_worse": grouped,
    }
    return Figure(f"pure noise, {scale.data_sets} data sets", bars, raw)


def _useless(number: int) -> tuple[bool, bool]:
    rng = np.random.default_rng([1, number])
    labels, scores = draw(rng, 400, dict.fromkeys("abcdef"[: 2 + number % 5], (0.0, 1.0, 0.0)))
    advice = advise(labels, scores, sizes=(50, 100), noise=(), seed=number, workers=1)
    grouped = any(row.group != "undetermined" for row in advice.rows)
    return advice.recommendation.startswith(NOTHING), grouped


def clear(scale: Scale) -> Figure:
    found = Parallel(n_jobs=JOBS)(delayed(_seen)(number) for number in range(scale.clear_data_sets))
    share = float(np.mean(found))
    bars = [Bar("share that recommends accuracy or a measure like it", "at least", 0.9, share)]
    raw = {"data_sets": len(found), "cases": 1000, "size": 50, "goal": "accuracy"}
    return Figure("models that rank alike, one with its scores in the wrong place", bars, raw)


def _seen(number: int) -> bool:
    rng = np.random.default_rng([2, number])
    labels, scores = draw(rng, 1000, {"right": (2.0, 1.0, 0.0)})
    evidence = np.log(scores["right"] / (1 - scores["right"]))
    scores["shifted"] = 1 / (1 + np.exp(2.0 - evidence))
    advice = advise(labels, scores, "accuracy", 50, noise=(), seed=number, workers=1)
    blind = {row.measure for row in advice.rows if row.hit_rate == 0.5}
    recommended = {row.measure for row in advice.rows if row.group == "recommended"}
    return bool(recommended) and not recommended & blind


Scenario = tuple[str, int, tuple[int, ...], Parameters]
SCENARIOS: dict[str, Scenario] = {
    "four kinds": ("auc", 2000, (50, 100), KINDS),
    "four kinds, many cases": ("auc", 5000, (50,), KINDS),
    "four kinds, accuracy": ("accuracy", 3000, (50,), KINDS),
    "one clearly better": ("auc", 1000, (50,), {"a": (1.8, 1.0, 0.0), "tree": (0.9, 1.0, 0.0)}),
    "the best one ill calibrated": (
        "auc", 2000, (50,),
        {"a": (1.4, 1.0, 1.5), "b": (1.0, 1.0, 0.0), "saturated": (1.0, 8.0, 0.0)},
    ),
}  # fmt: skip
"""The goal, the number of cases, the sizes and the models."""


def false(scale: Scale) -> Figure:
    each = scale.data_sets // len(SCENARIOS)
    raw: dict[str, Any] = {"data_sets_per_scenario": each}
    wrong = []
    for name, scenario in SCENARIOS.items():
        truth = _true_losses(scenario, scale.population)
        found = Parallel(n_jobs=JOBS)(
            delayed(_recommended)(number, scenario, truth) for number in range(each)
        )
        some, falsely, worse = (np.array(column) for column in zip(*found, strict=True))
        wrong += falsely.tolist()
        raw[name] = {
            "share_with_a_recommendation": float(np.mean(some > 0)),
            "mean_number_recommended": float(np.mean(some)),
            "share_with_a_false_recommendation": float(np.mean(falsely)),
            "share_with_the_best_called_worse": float(np.mean(worse)),
        }
    share = float(np.mean(wrong))
    bar = Bar("share with a false recommendation", "at most", 0.05, share)
    return Figure(f"false recommendations, {len(wrong)} data sets", [bar], raw)


def _true_losses(scenario: Scenario, population: int) -> dict[int, dict[str, float]]:
    """By how much the true regret of each measure exceeds the smallest, by size."""
    goal, _, sizes, models = scenario
    rng = np.random.default_rng([4, len(models)])
    labels, scores = of_kinds(*draw(rng, population, models))
    cases = Cases(labels, np.stack(list(scores.values())))
    names = dict.fromkeys([goal, *DEFAULT])
    question = Question(cases, parse(goal), tuple(map(parse, names)), judged="all")
    found = {}
    for size in sizes:
        drawn = rng.integers(0, population, (20_000, size))
        regret = judge(question, drawn, goals_of(question, cases, drawn), rng).regret
        mean = regret.mean(axis=(1, 2))
        found[size] = dict(zip(names, (mean - mean.min()).tolist(), strict=True))
    return found


def _recommended(
    number: int, scenario: Scenario, truth: Mapping[int, Mapping[str, float]]
) -> tuple[int, bool, bool]:
    goal, n, sizes, models = scenario
    labels, scores = of_kinds(*draw(np.random.default_rng([5, number]), n, models))
    advice = advise(labels, scores, goal, sizes, noise=(), seed=number, workers=1)
    named = [row for row in advice.rows if row.group == "recommended"]
    falsely = any(truth[row.size][row.measure] > advice.tolerance for row in named)
    lost = any(row.group == "worse" and not truth[row.size][row.measure] for row in advice.rows)
    return len({row.measure for row in named}), falsely, lost


def seeds(scale: Scale) -> Figure:
    """How often the seed decides."""
    raw, changed, moved = {}, [], []
    for name, number in (("first data set", 1), ("second data set", 2)):
        data = of_different_kinds(scale.cases, number)
        found = Parallel(n_jobs=JOBS)(
            delayed(_with_seed)(seed, data) for seed in range(1, scale.seeds + 1)
        )
        winners = [winner for winner, _, _ in found]
        usual = max(set(winners), key=winners.count)
        changed += [winner != usual and not close for winner, close, _ in found]
        groups = [dict(each) for _, _, each in found]
        usual_groups = {
            key: max(each, key=each.count)
            for key in groups[0]
            if (each := [one[key][0] for one in groups])
        }
        moved += [
            one[key][0] != usual_groups[key] and not one[key][1] for one in groups for key in one
        ]
        raw[name] = {
            "cases": scale.cases,
            "winners": {str(one): winners.count(one) for one in set(winners)},
            "share_that_says_close": float(np.mean([close for _, close, _ in found])),
        }
    shares = float(np.mean(changed)), float(np.mean(moved))
    bars = [
        Bar("share with another winner, not called close", "at most", 0.05, shares[0]),
        Bar("share of rows in another group, not called close", "at most", 0.05, shares[1]),
    ]
    return Figure(f"{scale.seeds} seeds", bars, raw)


def _with_seed(seed: int, data: Models) -> tuple[str | None, bool, list[tuple[Any, Any]]]:
    advice = advise(*data, "auc", 50, noise=(), seed=seed, workers=1)
    groups = [((row.size, row.measure), (row.group, row.close)) for row in advice.rows]
    return advice.recommended(), "This is close" in advice.recommendation, groups


SIX: Parameters = {
    "a": (1.2, 1.0, 0.7),
    "b": (1.15, 2.0, 0.0),
    "c": (1.1, 1.0, 0.0),
    "d": (1.0, 0.4, 0.0),
    "e": (0.8, 1.0, 0.0),
    "f": (0.8, 1.0, 0.0),
}
POPULATIONS: dict[str, tuple[int, int, Parameters]] = {
    "two useless models": (400, 100, dict.fromkeys("ab", (0.0, 1.0, 0.0))),
    "six useless models": (400, 50, dict.fromkeys("abcdef", (0.0, 1.0, 0.0))),
    "one clearly better": (400, 50, {"a": (1.4, 1.0, 0.0), "b": (0.9, 1.0, 0.0)}),
    "two close models": (400, 100, {"a": (1.1, 1.0, 0.0), "b": (1.0, 1.0, 0.0)}),
    "the best one ill calibrated": (
        400, 50, {"a": (1.1, 1.0, 1.5), "b": (1.0, 1.0, 0.0), "c": (1.0, 0.3, 0.0)},
    ),
    "six models": (2000, 100, SIX),
    "six models, many cases": (10_000, 100, SIX),
}  # fmt: skip


def errors(scale: Scale) -> Figure:
    raw: dict[str, Any] = {"data_sets": scale.error_data_sets, "measures": SEEN}
    least = np.inf
    wrong = []
    for name, (n, size, models) in POPULATIONS.items():
        found = Parallel(n_jobs=JOBS)(
            delayed(_study)(number, n, size, models) for number in range(scale.error_data_sets)
        )
        figures = _against_spread(found)
        raw[name] = {"cases": n, "size": size} | figures
        least = min(least, *figures["errors_of_differences_over_spread"])
        wrong.append(figures["share_in_which_the_truly_best_is_called_worse"])
    bars = [
        Bar("least ratio of the error of a difference to its spread", "at least", 0.8, least),
        Bar("largest share with the best measure called worse", "at most", 0.05, max(wrong)),
    ]
    return Figure("standard errors against the spread over data sets", bars, raw)


def _study(
    number: int, n: int, size: int, models: Mapping[str, tuple[float, ...]]
) -> tuple[Floats, Floats, Floats, Mask, Floats]:
    labels, scores = draw(np.random.default_rng([3, number]), n, models)
    question = Question(
        Cases(labels, np.stack(list(scores.values()))), parse("auc"), tuple(parse_list(SEEN))
    )
    (found,) = study(question, [size], 2000, seed=number, workers=1)
    value, error, spread = found.regret.value[:, 0], found.regret.error[:, 0], found.spreads[0]
    rng = np.random.default_rng(number)
    here = standing(size, value, spread, tolerance=0.0, sizes=1, rng=rng)
    return value, error, spread.gap_errors(), ~here.worse, found.msa.value[:, 0]


def _against_spread(found: list[tuple[Floats, Floats, Floats, Mask, Floats]]) -> dict[str, Any]:
    regret, error, gap_error, good, msa = (np.stack(column) for column in zip(*found, strict=True))
    best = int(np.argmin(regret.mean(axis=0)))
    others = [place for place in range(regret.shape[1]) if place != best]
    gap = regret[:, others] - regret[:, [best]]

    def ratio(errors: Floats, values: Floats) -> list[float]:
        of_each = np.sqrt(np.mean(errors**2, axis=0)) / values.std(axis=0, ddof=1)
        return [round(float(one), 2) for one in of_each]

    return {
        "errors_over_spread": ratio(error, regret),
        "errors_of_differences_over_spread": ratio(gap_error[:, best, others], gap),
        "spread_of_msa": [round(float(one), 3) for one in msa.std(axis=0, ddof=1)],
        "share_in_which_the_truly_best_is_called_worse": float(np.mean(~good[:, best])),
        "share_in_which_some_measure_is_called_worse": float(np.mean(~good.all(axis=1))),
    }


FIGURES: dict[str, Callable[[Scale], Figure]] = {
    "speed": speed,
    "workers": workers,
    "clear": clear,
    "pure_noise": pure_noise,
    "false": false,
    "seeds": seeds,
    "errors": errors,
}


if __name__ == "__main__":
    run(FIGURES, FULL, QUICK, PACKAGES, __doc__, DATA)
