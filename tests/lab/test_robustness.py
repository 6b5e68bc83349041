"""How often noise makes a measure prefer the worse model: by hand, by print, for any worker."""

import json
import math
from functools import partial

import numpy as np
import pytest

import metameasure as mm
from common.checks import oracle_value
from metameasure.inference import wilson_limits
from metameasure.lab.perturbation.model_pairs import OwnScores, Pairs, ReplacedScores, SwappedLabels
from metameasure.lab.perturbation.noise import LabelNoise, ProportionNoise, ScoreNoise
from metameasure.lab.perturbation.robustness_study import prefers_worse, robustness
from oracles import robustness as slow

SIX = "h_measure, auch, auc, scored_auc, ks, taks"
REPEATS = 4000
PRINTED = 2000
"""The repeats behind the known values of the three noise studies, at least."""


class Given:
    """Pairs that are there already."""

    def __init__(self, *arrays):
        self.arrays = arrays

    def draw(self, count, rng):
        return Pairs(*(array[..., :count, :] for array in self.arrays))


class OwnPairs(Given):
    """A user's generator, which has no text."""


def test_a_generator_without_a_text_has_the_name_of_its_class():
    rng = np.random.default_rng(1)
    scores = rng.random((2, 20, 10))
    found = robustness(OwnPairs(scores[0] > 0.5, *scores), "labels", 0.1, "auc", 20, workers=1)
    assert found.meta["generator"] == "own pairs"
    assert "20 pairs per level from own pairs, 95% confidence intervals" in str(found)


def by_measure(result):
    return {row.measure: row for row in result.rows}


def close(a, b, n_a, n_b):
    """Whether two shares differ by no more than 3 standard errors of both sides."""
    pooled = (a * n_a + b * n_b) / (n_a + n_b)
    return abs(a - b) <= 3 * math.sqrt(pooled * (1 - pooled) * (1 / n_a + 1 / n_b))


def lists_of(pairs):
    """The pairs as plain lists of (label, score), without the deleted cases."""
    labels = np.broadcast_to(pairs.positive, pairs.scores.shape)
    there = np.ones(labels.shape) if pairs.weight is None else pairs.weight
    there = np.broadcast_to(there, labels.shape) > 0
    models = [
        [[*zip(y[w].tolist(), s[w].tolist(), strict=True)] for y, s, w in zip(*arrays, strict=True)]
        for arrays in zip(labels, pairs.scores, there, strict=True)
    ]
    return [*zip(*models, strict=True)]


# By hand


def tied_pairs(rng, count, cases, apart):
    """Short lists with few distinct scores, so that values tie and classes are empty."""
    shape = (2, count, cases) if apart else (count, cases)
    positive = rng.random(shape) < 0.4
    return Pairs(positive, *(rng.integers(0, 5, (2, count, cases)) / 4))


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("noise", [LabelNoise(), ScoreNoise(clip=True), ProportionNoise()])
def test_rates_are_those_counted_by_hand(noise, apart):
    rng = np.random.default_rng(5)
    before = tied_pairs(rng, 100, 6, apart)
    after = noise(before, 0.5, rng)
    if isinstance(noise, ScoreNoise):
        after = Pairs(after.positive, *np.round(8 * after.scores) / 8)  # exact in binary
    found = robustness(
        Given(before.positive, before.better, before.worse),
        lambda pairs, level, rng: after,
        0.5,
        "auc, ks, taks, h_measure, accuracy, precision, brier, scored_auc, average_precision",
        100,
        workers=1,
    )
    lists = lists_of(before), lists_of(after)
    for row in found.rows:
        measure = mm.parse(row.measure)
        expected = slow.rates(*lists, partial(oracle_value, measure), measure.best)
        assert (row.error_rate, row.change_rate, row.undefined) == pytest.approx(
            tuple(map(float, expected)), abs=1e-12
        ), row.measure
        assert (row.low, row.high) == wilson_limits(float(expected[0] * 100), 100, 0.95)
    assert any(row.undefined for row in found.rows)


def test_equal_values_tie_although_they_are_rounded_differently():
    labels = np.array([[1, 1, 1, 0, 0, 0]], dtype=bool)
    better, worse = (np.array([s]) for s in ([6, 5, 1, 4, 3, 2.0], [6, 2, 1, 5, 4, 3.0]))
    tables = Pairs(labels, better / 6, worse / 6).tables()
    first, second = mm.ks.compute(tables)[:, 0]
    assert first != second
    assert first == pytest.approx(second, rel=1e-15)
    found = robustness(Given(labels, better / 6, worse / 6), "scores", 0, "ks", 1, workers=1)
    assert found.rows[0].error_rate == 0.5


@pytest.mark.parametrize(
    ("text", "better", "worse", "expected"),
    [
        ("auc", 0.7, 0.6, 0),
        ("auc", 0.6, 0.7, 1),
        ("brier", 0.1, 0.2, 0),
        ("brier", 0.2, 0.1, 1),
        ("sse", 30.0, math.nextafter(30.0, 0), 0.5),
        ("sse", 30.0, 30.0 - 1e-9, 1),
        ("calibration_slope", 1.1, 0.8, 0),
        ("calibration_slope", 0.5, 1.2, 1),
        ("calibration_slope", 0.75, 1.25, 0.5),
        ("log_loss", np.inf, np.inf, 0.5),
        ("log_loss", 3.0, np.inf, 0),
        ("log_loss", np.inf, 3.0, 1),
        ("auc", np.nan, 0.7, 0.5),
        ("auc", 0.7, np.nan, 0.5),
    ],
)
def test_a_measure_prefers_what_it_calls_better(text, better, worse, expected):
    values = np.array([better]), np.array([worse])
    assert prefers_worse(mm.parse(text), *values).tolist() == [expected]


BERRAR = partial(slow.berrar, cases=20, replaced=2, further=4)
FERRI = partial(slow.wu_flach_ferri, cases=20, swapped=3, further=2)
SMALL = {
    BERRAR: ReplacedScores(20, 2, 4),
    FERRI: SwappedLabels(20, 3, 2),
}


@pytest.mark.parametrize(
    ("draw", "noise", "name", "level"),
    [
        (BERRAR, slow.noisy_labels, "labels", 0.4),
        (BERRAR, slow.noisy_scores, "scores", 0.3),
        (BERRAR, slow.fewer_positives, "class_proportion", 0.6),
        (FERRI, partial(slow.noisy_scores, clip=True), "clipped_scores", 0.3),
    ],
)
@pytest.mark.parametrize("measure", ["auc", "accuracy"])
def test_generators_and_noise_are_those_of_plain_loops(draw, noise, name, level, measure):
    errors, changes = slow.simulated(
        draw,
        lambda pair, dice: noise(pair, level, dice),
        getattr(slow, measure),
        2500,
        seed=3,
    )
    row = robustness(SMALL[draw], name, level, measure, 20_000, workers=1).rows[0]
    assert close(row.error_rate, errors, 20_000, 2500)
    assert close(row.change_rate, changes, 20_000, 2500)


# By print


@pytest.mark.parametrize(
    ("noise", "level", "known"),
    [
        ("labels", 0.3, (0.046, 0.058, 0.066, 0.076, 0.047, 0.066)),
        ("scores", 0.25, (0.103, 0.073, 0.067, 0.186, 0.160, 0.067)),
        ("class_proportion", 0.8, (0.020, 0.020, 0.020, 0.076, 0.020, 0.020)),
    ],
)
def test_berrar_figures_4_5_and_6(noise, level, known):
    found = robustness("replaced_scores", noise, level, SIX, REPEATS, workers=1)
    for row, rate in zip(found.rows, known, strict=True):
        assert close(row.error_rate, rate, REPEATS, PRINTED), row
    rows = by_measure(found)
    assert rows["taks"].error_rate == rows["auc"].error_rate


def test_wu_flach_ferri_figure_2():
    known = {"scored_auc": 0.2125, "brier": 0.2168, "auc": 0.239, "accuracy": 0.42}
    found = robustness("swapped_labels", "clipped_scores", 0.2, list(known), 8000, workers=1)
    for row in found.rows:
        assert close(row.change_rate, known[row.measure], 8000, 10_000), row


def test_not_all_is_well_without_noise():
    found = robustness("replaced_scores", "scores", 0, SIX, 8000, workers=1)
    rows = by_measure(found)
    assert close(rows["scored_auc"].error_rate, 0.011, 8000, PRINTED)
    for name in ("auc", "h_measure", "ks"):
        assert 0 < rows[name].error_rate < 0.003
    assert all(row.change_rate == 0 for row in found.rows)


def test_clipped_scores_tie_and_make_taks_worse_than_auc():
    rows = by_measure(
        robustness("replaced_scores", "clipped_scores", 0.25, "auc, taks", 8000, workers=1)
    )
    assert close(rows["auc"].error_rate, 0.0676, 8000, PRINTED)
    assert close(rows["taks"].error_rate, 0.0897, 8000, PRINTED)
    assert rows["taks"].error_rate > rows["auc"].error_rate + 0.01


def test_labels_that_are_all_random_are_uninformative():
    found = robustness("replaced_scores", "labels", 1.0, SIX, REPEATS, workers=1)
    assert all(close(row.error_rate, 0.5, REPEATS, 10**9) for row in found.rows)


def test_without_positives_the_value_is_undefined():
    found = robustness(
        "replaced_scores", "class_proportion", [0.5, 1], "auc, accuracy", 50, workers=1
    )
    rows = [row for row in found.rows if row.level == 1]
    assert (rows[0].error_rate, rows[0].undefined) == (0.5, 1.0)
    assert rows[1].undefined == 0
    assert "auc is undefined in up to 100% of the pairs, which count as ties" in str(found)


def test_own_predictions():
    rng = np.random.default_rng(4)
    labels = rng.random(400) < 0.4
    score = 10 * (labels + rng.normal(size=400))
    own = OwnScores.of(labels, score, share=0.3, size=100)
    found = robustness(own, "labels", [0.0, 0.4, 1.0], "auc, ks", 2000, workers=1)
    errors = [row.error_rate for row in found.rows if row.measure == "auc"]
    assert errors == sorted(errors)
    assert errors[0] < 0.05
    assert abs(errors[2] - 0.5) < 0.04
    for name in ("brier", "scored_auc"):
        with pytest.raises(mm.DataError, match=rf"{name} needs scores in \[0, 1\], .* rescale the"):
            robustness(own, "clipped_scores", 0.1, name, 10, workers=1)


# For any worker


def test_the_same_rows_for_1_and_2_workers():
    arguments = ("replaced_scores", "scores", np.linspace(0, 0.5, 18), "auc, ks", 3000)
    reported = []
    one = robustness(*arguments, workers=1, progress=reported.append)
    two = robustness(*arguments, workers=2)
    assert one.rows == two.rows
    assert len(reported) == 8
    assert reported == sorted(reported)
    assert reported[-1] == 1
    assert robustness(*arguments, seed=2, workers=1).rows != one.rows


def test_rows_as_a_frame_as_json_and_in_print():
    found = robustness(
        "replaced_scores", "labels", [0.1, 0.2], "auc, brier", 100, ci=0.9, workers=1
    )
    frame = found.frame()
    assert frame.columns == list(found.records()[0])
    assert frame.shape == (4, 9)
    content = json.loads(found.to_json())
    assert content["rows"] == found.records()
    assert (content["ci"], content["seed"]) == (0.9, 1)
    assert content["generator"] == (
        "replaced scores (100 cases, 10 replaced, 10 more in the worse model)"
    )
    assert "90% confidence intervals" in found.table()
    assert "level | auc | brier" in found.to_markdown()
    assert repr(found) == "<Robustness: 4 rows>"
    narrow = robustness("replaced_scores", "labels", 0.1, "auc", 100, ci=0.5, workers=1).rows[0]
    wide = found.rows[0]
    assert wide.low < narrow.low <= narrow.error_rate <= narrow.high < wide.high


# Bad input


SENSIBLE = {
    "generator": "replaced_scores",
    "noise": "scores",
    "levels": 0.2,
    "measures": "auc",
    "repeats": 10,
    "workers": 1,
}


def shifted(pairs, level, rng):
    return Pairs(pairs.positive, pairs.better + level, pairs.worse)


@pytest.mark.parametrize(
    ("error", "change", "words"),
    [
        (
            mm.ParameterError,
            {"measures": "kendall_tau"},
            "kendall_tau is a measure of true and predicted orders",
        ),
        (
            mm.ParameterError,
            {"measures": "hand_till_auc"},
            "hand_till_auc is a measure of more than two",
        ),
        (
            mm.ParameterError,
            {"measures": "mean_over(auc)"},
            r"mean_over\(auc\) is a measure of groups",
        ),
        (
            mm.DataError,
            {"measures": "auc, brier"},
            r"brier needs scores in \[0, 1\], .* with scores noise of",
        ),
        (mm.DataError, {"measures": "net_benefit"}, "net_benefit needs scores"),
        (
            mm.DataError,
            {"noise": shifted, "measures": "ece", "levels": 2},
            "they range .* with shifted noise of 2",
        ),
        (
            mm.ParameterError,
            {"noise": "label"},
            "noise must be one of 'labels', 'scores', 'clipped_scores', ",
        ),
        (
            mm.ParameterError,
            {"noise": 3},
            r"noise must be a function of \(pairs, level, rng\), got 3",
        ),
        (
            mm.DataError,
            {"noise": lambda pairs, level, rng: None},
            "must return Pairs, got NoneType",
        ),
        (
            mm.DataError,
            {"noise": lambda p, level, rng: Pairs(p.positive, p.better * np.nan, p.worse)},
            "scores that are NaN",
        ),
        (mm.ParameterError, {"levels": []}, "levels needs at least 1 value, got 0"),
        (mm.ParameterError, {"levels": [0.1, -0.1]}, "levels must be >= 0, got -0.1"),
        (mm.ParameterError, {"levels": math.inf}, "levels must be finite and >= 0, got inf"),
        (mm.ParameterError, {"levels": "0.3"}, "levels must be >= 0, got '0.3'"),
        (
            mm.ParameterError,
            {"noise": "labels", "levels": 1.5},
            r"levels must be in \[0, 1\], got 1.5",
        ),
        (
            mm.ParameterError,
            {"noise": "class_proportion", "levels": 2},
            r"levels must be in \[0, 1\], got 2",
        ),
        (mm.ParameterError, {"repeats": 0}, "repeats must be an integer >= 1, got 0"),
        (mm.ParameterError, {"repeats": 10.5}, "repeats must be an integer >= 1, got 10.5"),
        (mm.ParameterError, {"ci": 1}, r"ci must be in \(0, 1\), got 1"),
        (mm.ParameterError, {"seed": -1}, "seed must be .* got -1"),
        (mm.ParameterError, {"workers": 0}, "workers must be .* got 0"),
        (
            mm.ParameterError,
            {"generator": "berrar"},
            "generator must be one of 'replaced_scores', 'swapped_labels'",
        ),
        (mm.ParameterError, {"generator": object()}, "generator must have a method draw"),
        (mm.DataError, {"generator": Given(*np.ones((3, 1, 4)))}, "array of bool"),
        (
            mm.DataError,
            {"generator": Given(np.ones((1, 4), bool), *np.ones((2, 1, 4)))},
            "must return 10 Pairs",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(error, change, words):
    with pytest.raises(error, match=words):
        robustness(**{**SENSIBLE, **change})


def test_a_huge_level_makes_sense():
    assert robustness(**{**SENSIBLE, "noise": shifted, "levels": 1e308}).rows


def test_measures_must_be_named_and_known():
    for measures in ("", [], "nosuch"):
        with pytest.raises(mm.UnknownMeasure if measures else mm.ParameterError):
            robustness("replaced_scores", "labels", 0.1, measures, 10)


def test_a_measure_that_takes_no_blocks_is_named():
    @mm.measure()
    def only_one(table):
        """The weight of all positives of all tables."""
        return np.sum(table.pos)

    with pytest.raises(mm.DataError, match="only_one returns values of shape"):
        robustness("replaced_scores", "labels", 0.1, only_one, 10, workers=1)
