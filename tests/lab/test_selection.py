"""Selection ability: against exact expectations, and by the tests of the papers."""

import json
import math
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import polars as pl
import pytest

import metameasure as mm
from metameasure.errors import DataError, ParameterError
from metameasure.lab.model_choice.over_datasets import selection_over_datasets
from metameasure.lab.model_choice.question import (
    Question,
    agreement,
    choice,
    goals_of,
    hit_of,
    judge,
    regret_of,
)
from metameasure.lab.model_choice.remaining import values_without
from metameasure.lab.model_choice.selection_study import Selection, SelectionRow, selection
from metameasure.lab.model_choice.spread import Moments, Spread, left_out
from metameasure.lab.model_choice.validation_sets import Cases, redrawn
from metameasure.measurement import measures, parse, parse_list
from metameasure.table import ScoreTable
from oracles import selection as oracle

MEASURES = {
    "auc": oracle.auc,
    "accuracy": oracle.accuracy,
    "precision": oracle.precision,
    "brier": oracle.brier,
}
LABELS = [1, 0, 1, 0, 0, 1, 0]
EIGHTHS = (
    (7, 6, 5, 4, 3, 2, 1),
    (4, 4, 4, 2, 2, 6, 2),  # tied, like a tree
    (8, 8, 0, 0, 8, 8, 0),  # saturated, like naive Bayes
)
WEIGHTS = [1, 2, 1, 3, 1, 1, 2]


def cases_of(weights=None):
    scores = [[Fraction(s, 8) for s in model] for model in EIGHTHS]
    weights = weights or [1] * len(LABELS)
    return list(zip(LABELS, weights, zip(*scores, strict=True), strict=True))


class Tosses:
    """Coins that a test has thought of."""

    def __init__(self, coins=None):
        self.coins = coins

    def integers(self, low, high, shape, dtype):
        return np.zeros(shape, dtype) if self.coins is None else np.array(self.coins, dtype)


def question(weights=None, **options):
    weight = None if weights is None else np.array(weights, float)
    cases = Cases(np.array(LABELS) == 1, np.array(EIGHTHS) / 8, weight)
    return Question(cases, parse("auc"), tuple(parse_list(list(MEASURES))), **options)


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("goal", ["accuracy", "brier"])
@pytest.mark.parametrize("judged", ["rest", "all"])
def test_all_validation_sets_by_hand(weights, goal, judged):
    asked = question(weights, judged=judged)
    asked = Question(asked.cases, parse(goal), asked.measures, judged=judged)
    drawn = list(combinations(range(7), 3))
    goals = goals_of(asked, asked.cases, np.array(drawn))
    found = judge(asked, np.array(drawn), goals, Tosses())
    for place, measure in enumerate(MEASURES.values()):
        by_hand = oracle.expected(cases_of(weights), measure, MEASURES[goal], 3, judged)
        means = (found.regret[place, 0], found.hit[place, 0], found.msa[place, 0])
        assert [np.mean(v) for v in means] == pytest.approx([float(v) for v in by_hand], abs=1e-12)


def test_label_noise_by_hand():
    asked = question(noise=(0.0, 0.3, 0.7))
    asked = Question(asked.cases, parse("accuracy"), asked.measures, noise=asked.noise)
    every = [
        (drawn, coins) for drawn in permutations(range(7), 3) for coins in product((0, 1), repeat=3)
    ]
    drawn, coins = zip(*every, strict=True)
    goals = goals_of(asked, asked.cases, np.array(drawn))
    found = judge(asked, np.array(drawn), goals, Tosses(coins))
    for place, measure in enumerate(MEASURES.values()):
        for noise, count in enumerate((0, 1, 2)):
            by_hand = oracle.expected_with_noise(
                cases_of(), measure, oracle.accuracy, 3, redrawn=count
            )
            means = (found.regret[place, noise], found.hit[place, noise], found.msa[place, noise])
            expected = [float(v) for v in by_hand]
            assert [np.mean(v) for v in means] == pytest.approx(expected, abs=1e-12)


def test_drawn_at_random_the_means_come_close_to_those_by_hand():
    labels = LABELS * 3
    scores = {str(m): list(np.array(EIGHTHS[m]) / 8) * 3 for m in range(3)}
    cases = [(y, 1, s) for y, _, s in cases_of()] * 3
    found = selection(
        labels, scores, "accuracy", "auc, brier", 2, 4000, judged_on="rest", workers=1
    )
    for row in found.rows:
        by_hand = oracle.expected(cases, MEASURES[row.measure], oracle.accuracy, 2)
        for mean, exact, spread in (
            (row.regret, by_hand.regret, 0.15),
            (row.hit_rate, by_hand.hit, 0.5),
            (row.msa, by_hand.msa, 0.5),
        ):
            assert abs(mean - float(exact)) < 4 * spread / math.sqrt(4000)


def test_blocks_of_validation_sets_have_the_values_of_their_cases():
    rng = np.random.default_rng(3)
    positive = rng.random(60) < 0.4
    scores = np.stack([rng.random(60), np.round(rng.random(60), 1), rng.integers(0, 2, 60) * 1.0])
    cases = Cases(positive, scores)
    drawn = cases.draw(20, 5, rng)
    ((_, block),) = cases.blocks(drawn, (0.0, 0.4), Tosses(np.ones(drawn.shape)))
    assert block.shape == (2, 3, 5)
    for measure in measures():
        values = measure.compute(block)
        for model, repeat in product(range(3), range(5)):
            rows = drawn[repeat]
            for noise in range(2):
                labels = positive[rows].copy()
                labels[: 8 * noise] = True
                table = ScoreTable.from_cases(labels, scores[model][rows])
                alone = measure.compute(table)
                np.testing.assert_allclose(
                    values[noise, model, repeat], alone, rtol=1e-9, atol=1e-12, err_msg=measure.name
                )


@pytest.mark.parametrize("weighted", [False, True])
def test_the_rest_is_what_was_not_drawn(weighted):
    rng = np.random.default_rng(4)
    positive, scores = rng.random(50) < 0.4, np.round(rng.random((2, 50)), 1)
    cases = Cases(positive, scores, rng.random(50) + 0.5 if weighted else None)
    drawn = cases.draw(12, 6, rng)
    measures = "auc, scored_auc, gini, h_measure, log_loss(clip=0.01), log_loss, brier, rms, taks"
    others = "accuracy, f_measure@0.3, tpr@fpr=0.2, net_benefit, expected_cost(c=0.2), mcc"
    built = "linear(auc, accuracy, alpha=0.7), average_precision"
    built += "" if weighted else ", two_level(auc, accuracy)"
    for measure in parse_list(f"{measures}, {others}, {built}"):
        values = values_without(cases, measure, drawn)
        for model, repeat in product(range(2), range(6)):
            rest = np.setdiff1d(np.arange(50), drawn[repeat])
            assert values[model, repeat] == pytest.approx(
                cases.part(rest).values(measure)[model], abs=1e-12, nan_ok=True
            )


def test_validation_sets_are_drawn_without_replacement_and_evenly():
    cases = Cases(np.arange(12) < 6, np.random.default_rng(1).random((2, 12)))
    drawn = cases.draw(5, 3000, np.random.default_rng(2))
    assert all(len(set(row)) == 5 for row in drawn.tolist())
    counts = np.bincount(drawn.reshape(-1), minlength=12)
    assert np.abs(counts - 1250).max() < 5 * math.sqrt(3000 * 5 / 12 * 7 / 12)
    assert np.bincount(drawn[:, 0], minlength=12).min() > 180  # the order is random, too


def test_more_noise_redraws_the_labels_of_less_and_others():
    labels, coins = np.zeros((2, 10), bool), np.ones((2, 10), bool)
    counts = redrawn(labels, coins, (0.0, 0.1, 0.25, 1.0)).sum(axis=-1)
    assert counts.tolist() == [[0, 0], [1, 1], [2, 2], [10, 10]]


def test_infinite_values_are_ordered_and_undefined_ones_are_not_chosen():
    nan, inf = math.nan, math.inf
    values = np.array([[1.0, -inf, nan, nan, 2.0], [inf, -inf, 3.0, nan, 2.0 + 1e-15]])
    np.testing.assert_array_equal(choice(values), [[0, 0.5, 0, 0.5, 0.5], [1, 0.5, 1, 0.5, 0.5]])
    goals = np.array([[0.2] * 5, [0.5] * 5])
    np.testing.assert_allclose(regret_of(choice(values), goals), [0, 0.15, 0, 0.15, 0.15])
    np.testing.assert_array_equal(hit_of(choice(values), goals), [1, 0.5, 1, 0.5, 0.5])
    np.testing.assert_array_equal(agreement(values, goals), [1, 0.5, 0.5, 0.5, 0.5])


def test_smaller_is_better_and_so_is_nearer_to_the_best_value():
    assert mm.brier.goodness(np.array([1.0, 2.0])).tolist() == [-1, -2]
    turned = mm.calibration_slope.goodness(np.array([0.5, 1.2]))
    assert turned.tolist() == pytest.approx([-0.5, -0.2])


def test_the_spread_tells_cases_from_draws():
    rng = np.random.default_rng(5)
    of_part = rng.normal(0, 2.0, (400, 1, 1)) * np.array([[1.0], [-1.0]])
    parts = of_part + rng.normal(0, 5.0, (400, 2, 50))
    spread = Spread.of(Moments.of(rng.normal(0, 5.0, (2, 2000))), Moments.of(parts), factor=3.0)
    assert np.diagonal(spread.of_cases) == pytest.approx([12, 12], rel=0.2)
    assert np.diagonal(spread.of_draws) == pytest.approx([25 / 2000] * 2, rel=0.1)
    assert spread.gap_errors()[0, 1] == pytest.approx(math.sqrt(48), rel=0.1)
    assert spread.errors() == pytest.approx([math.sqrt(12)] * 2, rel=0.1)


def test_draws_without_a_value_do_not_count():
    rng = np.random.default_rng(6)
    whole, parts = rng.normal(size=(2, 300)), rng.normal(size=(40, 2, 60))
    plain = Spread.of(Moments.of(whole), Moments.of(parts[..., :50]), 1.0)
    for part in range(40):
        parts[part, :, 50:] = parts[part, :, :10]  # moved behind, and lost where they were
        parts[part, :, :10] = np.nan
    longer = np.concatenate([whole, np.full((2, 7), np.nan)], axis=1)
    found = Spread.of(Moments.of(longer), Moments.of(parts), 1.0)
    np.testing.assert_allclose(found.errors(), plain.errors())


def test_the_largest_of_many_gaps_has_the_limit_of_the_studentized_range():
    from scipy.stats import studentized_range

    values = np.random.default_rng(6).normal(size=(600, 8))
    found = Spread.of_parts(values, 1.0).critical_gaps(0.05, np.random.default_rng(7))
    assert found.all_pairs == pytest.approx(
        studentized_range.ppf(0.95, 8, 599) / math.sqrt(2), rel=0.03
    )


def test_a_part_keeps_a_validation_set_and_half_of_the_cases():
    assert [left_out(400, size) for size in (1, 50, 100, 200, 396, 399)] == [
        199, 150, 100, 66, 1, 1,
    ]  # fmt: skip


@pytest.fixture(scope="module")
def models():
    rng = np.random.default_rng(8)
    y = rng.random(600) < 0.4
    evidence = {"good": 1.6, "fair": 1.2, "poor": 0.6}
    return y, {
        name: 1 / (1 + np.exp(-(shift * y + rng.normal(size=600))))
        for name, shift in evidence.items()
    }


@pytest.fixture(scope="module")
def found(models):
    return selection(*models, "auc", "auc, accuracy, brier", 40, 300, resamples=20, workers=1)


def test_a_selection_has_rows_and_tests(found):
    assert [row.regret for row in found.rows] == sorted(row.regret for row in found.rows)
    assert {row.measure for row in found.rows} == {"auc", "accuracy", "brier"}
    for row in found.rows:
        assert 0.5 < row.msa <= 1
        assert 0 < row.hit_rate <= 1
        assert min(row.msa_se, row.hit_rate_se, row.regret_se) > 0
    assert [(test.a, test.b) for test in found.tests] == [("accuracy", "auc"), ("brier", "auc")]
    for test in found.tests:
        regret = {row.measure: row.regret for row in found.rows}
        assert test.difference == pytest.approx(regret[test.a] - regret["auc"])
        assert test.wins + test.losses + test.ties == 300
        assert test.pvalue <= test.adjusted_pvalue


def test_a_selection_as_frame_json_and_text(found):
    frame = found.frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame.columns == ["measure", "msa", "msa_se", "hit_rate", "hit_rate_se", "regret",
                             "regret_se", "undefined"]  # fmt: skip
    content = json.loads(found.to_json())
    assert content["goal"] == "auc"
    assert len(content["rows"]) == 3
    assert len(content["tests"]) == 2
    assert "p-value against auc" in str(found)
    assert repr(found) == "<Selection: 3 rows>"


def test_the_reference_may_be_another_measure(models):
    options = {"repeats": 20, "resamples": 10, "workers": 1, "validation_size": 40}
    found = selection(*models, "auc", "brier, ks", reference="ks", **options)
    assert [(test.a, test.b) for test in found.tests] == [("auc", "ks"), ("brier", "ks")]
    with pytest.raises(ParameterError, match="reference must be one of 'auc', 'brier', got 'mcc'"):
        selection(*models, "auc", "brier", reference="mcc", **options)


def test_the_whole_favors_the_goal_more_than_the_rest(models):
    options = {"validation_size": 300, "repeats": 200, "resamples": 10, "workers": 1}
    whole, rest = (
        selection(*models, "auc", "auc", judged_on=judged, **options).rows[0].regret
        for judged in ("all", "rest")
    )
    assert whole <= rest


def studied(values):
    """A selection whose measures have these (msa, regret)."""
    rows = [
        SelectionRow(name, msa, 0.01, 0.5, 0.01, regret, 0.01, 0.0)
        for name, (msa, regret) in values.items()
    ]
    return Selection(rows, [], goal=parse("auc"), reference=parse("auc"), facts={})


def test_nine_wins_in_eleven_data_sets_are_not_significant():
    studies = {
        str(number): studied({
            "auc": (0.80, 0.020),
            "scored_auc": (0.83, 0.010 + number / 1000) if number < 9 else (0.75, 0.030),
            "brier": (0.80, 0.020),
        })
        for number in range(11)
    }  # fmt: skip
    over = selection_over_datasets(studies, tolerances=(0.0, 0.04, 0.1))
    rows = {row.measure: row for row in over.rows}
    assert over.rows[0].measure == "scored_auc"
    best = rows["scored_auc"]
    assert (best.wins, best.losses, best.ties) == (9, 2, 0)
    assert best.sign_pvalue == pytest.approx(2 * (1 + 11 + 55) / 2**11)
    assert best.adjusted_pvalue == pytest.approx(2 * best.sign_pvalue)
    assert best.regret == pytest.approx((9 * 0.014 + 2 * 0.03) / 11)
    assert best.rank == pytest.approx((9 + 2 * 3) / 11)
    assert (rows["brier"].ties, rows["brier"].sign_pvalue) == (11, 1)
    assert rows["auc"].sign_pvalue is None
    rates = {(row.measure, row.tolerance): row.rate for row in over.success}
    assert rates["scored_auc", 0.0] == pytest.approx(9 / 11)
    assert rates["auc", 0.0] == rates["brier", 0.0] == pytest.approx(2 / 11)
    assert rates["auc", 0.04] == 1
    assert rates["scored_auc", 0.04] == pytest.approx(9 / 11)
    assert rates["scored_auc", 0.1] == 1
    assert "within 4%" in str(over)
    assert "9-2-0" in str(over)
    assert json.loads(over.to_json())["datasets"] == [str(number) for number in range(11)]
    assert over.frame().height == 3


def test_bad_sets_of_data_sets():
    one = studied({"auc": (0.8, 0.02), "ks": (0.8, 0.02)})
    with pytest.raises(ParameterError, match="two or more data sets"):
        selection_over_datasets({"one": one})
    with pytest.raises(ParameterError, match="reference must be one of 'auc', 'ks', got 'kappa'"):
        selection_over_datasets({"one": one, "two": one}, reference="kappa")
    other = studied({"auc": (0.8, 0.02), "brier": (0.8, 0.02)})
    with pytest.raises(DataError, match="two measures that occur in all data sets, got auc"):
        selection_over_datasets({"one": one, "two": other})
    with pytest.raises(ParameterError, match=r"tolerances must be in \[0, 1\), got 2"):
        selection_over_datasets({"one": one, "two": one}, tolerances=(2,))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"judged_on": "half"}, "judged_on must be one of 'all', 'rest', got 'half'"),
        ({"validation_size": 0}, "validation_size must be an integer >= 2, got 0"),
        (
            {"validation_size": 600},
            "validation_size must be less than the number of cases, 600, got 600",
        ),
        ({"repeats": 3}, "repeats must be an integer >= 10, got 3"),
        ({"resamples": 1.5}, "resamples must be an integer from 10 to 1000000, got 1.5"),
        ({"seed": -1}, "seed must be an integer >= 0 or None, got -1"),
    ],
)
def test_bad_arguments(models, options, message):
    with pytest.raises(ParameterError, match=message):
        selection(*models, **options)
