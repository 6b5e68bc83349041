"""The figures that advice has to reach, as one JSON object on standard output.

    python -m benchmarks.advice            all figures, about an hour on two cores
    python -m benchmarks.advice --quick    fewer cases and data sets, to try changes
    python -m benchmarks.advice --only speed

``speed`` is the time of one call of ``advise``. ``pure_noise`` is how often it recommends nothing
when no measure is better, ``clear`` how often it finds the better one. ``errors`` compares the
standard errors with the standard deviation over data sets that they estimate.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import Parallel, delayed

from benchmarks.figures import Bar, Figure, run
from metameasure.lab.advice._advise import advise
from metameasure.lab.model_choice.question import DEFAULT, Question
from metameasure.lab.model_choice.trials import apart, study
from metameasure.lab.model_choice.validation_sets import Cases
from metameasure.measurement import parse, parse_list

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]
    Models = tuple[Mask, dict[str, Floats]]

PACKAGES = ("numpy", "scipy", "numba", "joblib", "metameasure")
DATA = "labels 40% positive; scores: a logistic function of shift x label + noise that is shared"
CANNOT = "No measure is significantly better"
SEEN = "auc, scored_auc, brier, accuracy, ks, h_measure, average_precision, log_loss"


@dataclass(frozen=True)
class Scale:
    """How much work is done."""

    cases: int = 10_000
    repeats: int = 500
    data_sets: int = 200
    clear_data_sets: int = 50
    error_data_sets: int = 100


FULL = Scale()
QUICK = Scale(1000, 100, 20, 10, 20)


def draw(rng: np.random.Generator, n: int, models: Mapping[str, tuple[float, ...]]) -> Models:
    """Labels and models, each given by its discrimination, slope and shift."""
    labels = rng.random(n) < 0.4
    shared = rng.normal(size=n)
    scores = {}
    for name, (power, slope, shift) in models.items():
        evidence = power * (labels - 0.5) + 0.7 * shared + 0.714 * rng.normal(size=n)
        scores[name] = 1 / (1 + np.exp(-slope * evidence - shift))
    return labels, scores


def of_different_kinds(n: int) -> Models:
    """A smooth model, a sharp one, a tree's few scores, a saturated and two poorer models."""
    kinds = {
        "smooth": (1.5, 1.0, 0.0),
        "sharp": (1.6, 3.0, 0.4),
        "tree": (1.4, 1.0, 0.0),
        "saturated": (1.5, 8.0, 0.0),
        "shy": (1.3, 0.3, 0.0),
        "poor": (0.9, 1.0, 0.0),
    }
    labels, scores = draw(np.random.default_rng(1), n, kinds)
    scores["tree"] = np.round(scores["tree"], 1)
    scores["saturated"] = np.round(scores["saturated"], 3)
    return labels, scores


def speed(scale: Scale) -> Figure:
    labels, scores = of_different_kinds(scale.cases)
    seconds = {}
    for name, noise in (("no noise", ()), ("four levels of noise", (0.05, 0.1, 0.2))):
        begin = time.perf_counter()
        advise(labels, scores, "auc", (50, 100, 200), repeats=scale.repeats, noise=noise)
        seconds[name] = time.perf_counter() - begin
    bars = [Bar(f"seconds, {name}", "at most", 90, taken) for name, taken in seconds.items()]
    work = f"advise: 6 models, {labels.size} cases, {len(DEFAULT)} measures, 3 sizes"
    raw = {"repeats": scale.repeats, "noise": "four levels: 0, 5, 10, 20%", "seconds": seconds}
    return Figure(f"{work}, {scale.repeats} repeats", bars, raw)


def workers(scale: Scale) -> Figure:
    labels, scores = of_different_kinds(scale.cases // 10)
    found = [
        advise(labels, scores, sizes=(20, 40), repeats=100, workers=number) for number in (1, 2, 8)
    ]
    same = all(one.rows == found[0].rows for one in found)
    bar = Bar("the same rows for 1, 2 and 8 workers (1 yes)", "at least", 1, float(same))
    return Figure("workers", [bar], {"n": labels.size})


def pure_noise(scale: Scale) -> Figure:
    found = Parallel(n_jobs=-1)(delayed(_useless)(number) for number in range(scale.data_sets))
    silent, without, excluded = (float(np.mean(column)) for column in zip(*found, strict=True))
    bars = [Bar("share that recommends no measure", "at least", 0.9, silent)]
    raw = {
        "data_sets": scale.data_sets,
        "cases": 400,
        "models": "2 to 6, useless",
        "sizes": (50, 100),
        "share_in_which_models_do_not_differ": without,
        "share_in_which_some_measure_is_called_worse": excluded,
    }
    return Figure(f"pure noise, {scale.data_sets} data sets", bars, raw)


def _useless(number: int) -> tuple[bool, bool, bool]:
    rng = np.random.default_rng([1, number])
    labels, scores = draw(rng, 400, dict.fromkeys("abcdef"[: 2 + number % 5], (0.0, 1.0, 0.0)))
    advice = advise(labels, scores, sizes=(50, 100), noise=(), seed=number, workers=1)
    question = Question(Cases(labels, np.stack(list(scores.values()))), parse("auc"), ())
    excluded = not all(row.as_good_as_best for row in advice.rows)
    return advice.recommendation.startswith(CANNOT), not apart(question, number)[2], excluded


def clear(scale: Scale) -> Figure:
    found = Parallel(n_jobs=-1)(delayed(_seen)(number) for number in range(scale.clear_data_sets))
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
    recommended = advice.recommendation.partition("use ")[2].split()[0].rstrip(":")
    return not advice.recommendation.startswith(CANNOT) and recommended not in blind


SIX = {
    "a": (1.2, 1.0, 0.7),
    "b": (1.15, 2.0, 0.0),
    "c": (1.1, 1.0, 0.0),
    "d": (1.0, 0.4, 0.0),
    "e": (0.8, 1.0, 0.0),
    "f": (0.8, 1.0, 0.0),
}
POPULATIONS: dict[str, tuple[int, int, dict[str, tuple[float, ...]]]] = {
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
        found = Parallel(n_jobs=-1)(
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
    (found,) = study(question, [size], 500, seed=number, workers=1)
    value, error = (part[:, 0] for part in (found.regret.value, found.regret.error))
    return value, error, found.gap_error[0], found.as_good(), found.msa.value[:, 0]


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
    "errors": errors,
}


if __name__ == "__main__":
    run(FIGURES, FULL, QUICK, PACKAGES, __doc__, DATA)
