"""Rounds of draws of a selection study: how many, with which seeds, and when they suffice."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

import metameasure as mm
from metameasure.data import Predictions
from metameasure.inference import Sample, spread_of_difference
from metameasure.lab.model_choice import trials
from metameasure.lab.model_choice.question import Question
from metameasure.lab.model_choice.spread import Spread, left_out
from metameasure.lab.model_choice.trials import Drawn, Findings, Trial
from metameasure.lab.model_choice.validation_sets import Cases


@pytest.mark.parametrize(
    ("excess", "missing"),
    [
        (0.5, 0),
        (1.0, 0),
        (1.5, 2950),  # 1.1 * 2000 * 1.5^2 = 4950 in all
        (9.0, 18_000),  # at most 20,000 in all
    ],
)
def test_the_next_round_has_the_repeats_that_are_missing(excess, missing):
    found = SimpleNamespace(repeats=2000, excess=lambda negligible: excess)
    assert Findings.repeats_missing(found, 0.0) == missing


def excess(regret, of_draws, of_cases, negligible):
    spread = SimpleNamespace(
        gap_errors_of_draws=lambda: np.array(of_draws),
        gap_errors_of_cases=lambda: np.array(of_cases),
    )
    value = np.stack([regret, np.flip(regret)], axis=1)  # with noise, others are best
    return Findings.excess(
        SimpleNamespace(regret=SimpleNamespace(value=value), spreads=(spread,)), negligible
    )


def test_errors_of_draws_are_compared_with_a_quarter_of_those_of_cases():
    of_draws = [[0.0, 0.5, 0.2], [0.5, 0.0, 0.3], [0.2, 0.3, 0.0]]
    of_cases = [[0.0, 1.0, 2.0], [1.0, 0.0, 4.0], [2.0, 4.0, 0.0]]
    # The smallest regret is the second: 0.5 / (1 / 4) and 0.3 / (4 / 4).
    assert excess([0.3, 0.1, 0.2], of_draws, of_cases, 0.0) == pytest.approx(2.0)
    # The smallest is the third: 0.2 / (2 / 4) and 0.3 / (4 / 4).
    assert excess([0.3, 0.2, 0.1], of_draws, of_cases, 0.0) == pytest.approx(0.4)
    # A difference of 0.5 is negligible: 0.5 / 0.5 and 0.3 / 1.
    assert excess([0.3, 0.1, 0.2], of_draws, of_cases, 0.5) == pytest.approx(1.0)
    # Without errors of the draws there is nothing to reduce.
    assert excess([0.3, 0.1, 0.2], np.zeros((3, 3)), np.zeros((3, 3)), 0.0) == 0


def test_no_two_trials_share_a_seed():
    kinds = [
        Trial(10, 100, (0, 0)), Trial(11, 100, (0, 0)), Trial(10, 100, (1, 0)),
        Trial(10, 100, (0, 1)), Trial(10, 100, (0, 0), (0,)), Trial(10, 100, (0, 0), (0, 1)),
    ]  # fmt: skip
    states = {tuple(trial.seed(entropy).generate_state(4)) for trial in kinds for entropy in (1, 2)}
    assert len(states) == 12


@pytest.mark.parametrize(("repeats", "on_parts"), [(1000, 100), (50, 20), (2345, 234)])
def test_a_round_has_all_repeats_and_each_part_once(monkeypatch, repeats, on_parts):
    monkeypatch.setattr(trials, "TASK", 5 * 2 * 3 * 300)
    question = SimpleNamespace(cases=SimpleNamespace(models=3), noise=(0.0, 0.1))
    drawn = Drawn(question, size=5, resamples=50, rounds=4)
    tasks = list(drawn.trials(repeats))
    whole, parts = ([t for t in tasks if bool(t.parts) is kind] for kind in (False, True))
    assert sum(task.repeats for task in whole) == repeats
    assert max(task.repeats for task in whole) <= 300
    assert [task.place for task in whole] == [(4, i) for i in range(len(whole))]
    assert sorted(number for task in parts for number in task.parts) == list(range(50))
    assert {task.repeats for task in parts} == {on_parts}
    assert [task.place for task in parts] == [(4, task.parts[0]) for task in parts]
    assert {task.size for task in tasks} == {5}


def test_each_part_has_its_own_cases_which_all_rounds_share(monkeypatch):
    kept = []

    class Many:
        n = 40

        def part(self, rows):
            kept.append(tuple(sorted(rows.tolist())))
            return self

        def draw(self, size, repeats, rng):
            return rng.integers(0, 10, (repeats, size))

    def judged(question, drawn, goals, rng):
        values = np.zeros((2, 1, len(drawn)))
        return SimpleNamespace(regret=values, hit=values, msa=values)

    monkeypatch.setattr(
        trials, "goals_of", lambda question, cases, drawn: np.zeros((1, len(drawn)))
    )
    monkeypatch.setattr(trials, "judge", judged)
    question = SimpleNamespace(cases=Many())
    for entropy, size, place, parts in (
        (7, 5, (0, 0), (0, 1, 2)),
        (7, 5, (1, 0), (0, 1, 2)),  # the next round
        (7, 6, (0, 0), (0,)),
        (8, 5, (0, 0), (0,)),
    ):
        trial = Trial(size, 4, place, parts)
        trials._judge(question, entropy, trial, np.random.default_rng(place[0]))
    first, second = kept[:3], kept[3:6]
    assert first == second
    assert len(set(first)) == 3
    assert all(len(set(one)) == 40 - left_out(40, 5) == 25 for one in first)
    assert kept[6] not in first
    assert kept[7] not in first


def test_the_progress_of_a_round_is_a_part_of_the_whole():
    shown = []
    for share in (0.0, 0.5, 1.0):
        trials._report(shown.append, 0.4, 0.9, share)
    assert shown == pytest.approx([0.4, 0.65, 0.9])


def question_of(labels, scores):
    return Question(Cases(np.array(labels, bool), np.array(scores, float)), mm.auc, (mm.auc,))


def test_models_differ_or_not():
    rng = np.random.default_rng(5)
    labels = rng.random(200) < 0.5
    good, bad = labels + 0.3 * rng.normal(size=200), rng.normal(size=200)
    gap, error, differ = trials.apart(question_of(labels, [good, bad]), seed=1)
    assert gap == pytest.approx(mm.auc(labels, good) - mm.auc(labels, bad))
    assert 0 < error < gap / 3
    assert differ is True
    gap, error, differ = trials.apart(question_of(labels, [good, good]), seed=1)
    assert (gap, error, differ) == (0, 0, False)
    alike = labels + 0.3 * rng.normal(size=200)
    gap, error, differ = trials.apart(question_of(labels, [good, alike]), seed=1)
    assert gap < 3 * error
    assert differ is False


@pytest.mark.parametrize("n", [200, 301])
def test_the_error_of_the_largest_difference_is_delongs(n):
    rng = np.random.default_rng(n)
    labels = rng.random(n) < 0.5
    scores = labels + rng.normal(size=(3, n)) * np.array([[0.8], [1.0], [2.0]])
    gap, error, _ = trials.apart(question_of(labels, scores), seed=1)
    sample = Sample.of(Predictions.of(labels, {"a": scores[0], "b": scores[2]}))
    expected = math.sqrt(spread_of_difference(mm.auc, sample, "a", "b").delong)
    assert gap == pytest.approx(mm.auc(labels, scores[0]) - mm.auc(labels, scores[2]))
    # From 200 halves: the error of the standard error is 5%.
    assert error == pytest.approx(expected, rel=0.15)


def test_halves_are_scaled_to_all_cases(monkeypatch):
    factors = []

    def noted(values, factor):
        factors.append((values.shape, factor))
        return Spread.of_parts(values, factor)

    monkeypatch.setattr(trials, "Spread", SimpleNamespace(of_parts=noted))
    rng = np.random.default_rng(3)
    trials.apart(question_of(rng.random(31) < 0.5, rng.random((3, 31))), seed=1)
    # 15 of 31 cases are left out of each of 200 halves.
    assert factors == [((200, 3), 16 / 15)]


@pytest.mark.parametrize("repeats", [None, 30])
def test_a_study_reports_its_progress_to_the_end(monkeypatch, repeats):
    monkeypatch.setattr(trials, "FIRST", 30)
    rng = np.random.default_rng(6)
    labels = rng.random(60) < 0.5
    asked = question_of(labels, labels + rng.normal(size=(2, 60)))
    shown = []
    (found,) = trials.study(
        asked, [20], repeats, resamples=4, seed=1, workers=1, progress=shown.append, negligible=1.0
    )
    assert found.repeats == 30
    assert shown == sorted(shown)
    assert shown[-1] == 1


def test_another_round_draws_other_validation_sets():
    rng = np.random.default_rng(7)
    labels = rng.random(40) < 0.5
    drawn = Drawn(question_of(labels, labels + rng.normal(size=(2, 40))), size=8, resamples=3)
    seeds = []
    for _ in range(2):
        tasks = list(drawn.trials(30))
        states = [trial.seed(5).generate_state(4) for trial in tasks]
        seeds += map(tuple, states)
        found = [
            trials._judge(drawn.question, 5, trial, np.random.default_rng(state))
            for trial, state in zip(tasks, states, strict=True)
        ]
        drawn = drawn.with_results(tasks, found)
    assert len(set(seeds)) == len(seeds)
    assert drawn.findings().repeats == 60
