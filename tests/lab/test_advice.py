"""Advice: where the answer is known, where there is none, and what it refuses."""

import io
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from rich.console import Console

import metameasure as mm
from metameasure.data import Models, Predictions
from metameasure.errors import DataError, ParameterError
from metameasure.lab.advice._advise import advise
from metameasure.lab.advice.advice_result import Advice, AdviceRow
from metameasure.lab.advice.groups import Standing, standing
from metameasure.lab.advice.recommendation import Gap, Verdict, recommend, with_noise
from metameasure.lab.model_choice.spread import Moments, Spread
from metameasure.measurement import parse_list

COLUMNS = ["measure", "size", "noise", "regret", "regret_se", "hit_rate", "msa"]
COLUMNS += ["limit", "group", "close"]
NOTHING = "No conclusion is possible from these data"
QUICK = {"noise": (), "repeats": 100, "resamples": 20, "workers": 1}


def logistic(x):
    return 1 / (1 + np.exp(-x))


def draw(seed, n, shifts):
    """Labels, and models that are the better the larger their shift is."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    shared = rng.normal(size=n)
    models = {}
    for name, shift in shifts.items():
        noise = 0.7 * shared + np.sqrt(0.51) * rng.normal(size=n)
        models[name] = logistic(shift * (y - 0.5) + noise)
    return y, models


def rows_of(advice, size, noise=0.0):
    return {row.measure: row for row in advice.rows if (row.size, row.noise) == (size, noise)}


# Cases with a known answer


def test_a_goal_that_only_decisions_see():
    """The models rank alike, and one has its scores in the wrong place."""
    y, models = draw(1, 1000, {"right": 2.0})
    models["shifted"] = logistic(np.log(models["right"] / (1 - models["right"])) - 2.5)
    advice = advise(y, models, "accuracy", 50, "auc, ks, average_precision", **QUICK)
    rows = rows_of(advice, 50)
    gap = mm.accuracy(y, models["right"]) - mm.accuracy(y, models["shifted"])
    assert advice.recommendation.startswith(
        "To choose the model with the best accuracy from 50 validation cases, use accuracy"
    )
    for blind in ("auc", "ks", "average_precision"):
        assert rows[blind].regret == pytest.approx(gap / 2, rel=0.05)
        assert (rows[blind].hit_rate, rows[blind].msa) == (0.5, 0.5)
        assert rows[blind].group == "worse"
    assert rows["accuracy"].group == "recommended"
    assert advice.tolerance == pytest.approx(gap / 10)
    assert rows["accuracy"].regret < gap / 20


def test_a_goal_that_decisions_do_not_see():
    """The models decide alike, and one has its scores scrambled on both sides of one half."""
    rng = np.random.default_rng(2)
    y, models = draw(2, 4000, {"ranked": 2.0})
    scrambled = models["ranked"].copy()
    for side in (scrambled >= 0.5, scrambled < 0.5):
        scrambled[side] = rng.permutation(scrambled[side])
    models["scrambled"] = scrambled
    more = QUICK | {"repeats": 500, "resamples": 50}
    advice = advise(y, models, "auc", (30, 100), "accuracy, mcc, scored_auc, brier", **more)
    assert advice.recommendation.startswith(
        "To choose the model with the best auc from 30 or 100 validation cases, use "
    )
    for size in (30, 100):
        rows = rows_of(advice, size)
        assert rows["accuracy"].hit_rate == rows["mcc"].hit_rate == 0.5
        assert rows["accuracy"].group == rows["mcc"].group == "worse"
        assert rows["auc"].hit_rate > 0.75
    assert rows["auc"].regret < rows_of(advice, 30)["auc"].regret  # more cases, less regret


def test_two_identical_models():
    y, models = draw(3, 300, {"one": 1.0})
    advice = advise(y, models | {"two": models["one"]}, "auc", 50, **QUICK)
    assert advice.recommendation == (
        "No conclusion is possible from these data: all models have the same auc."
    )
    assert {(row.regret, row.regret_se, row.group) for row in advice.rows} == {
        (0.0, 0.0, "undetermined")
    }
    assert {row.hit_rate for row in advice.rows} == {1.0}
    assert {row.msa for row in advice.rows} == {0.5}
    assert [check.name for check in advice.checks] == ["same-model"]
    assert advise(y, models | {"two": models["one"]}, "auc", 50).meta["repeats"] == [500]


def test_a_choice_that_nothing_can_miss():
    y, models = draw(4, 400, {"perfect": 40.0, "useless": 0.0})
    advice = advise(y, models, "auc", 60, "auc, brier", **QUICK)
    assert advice.recommendation == (
        "Every measure is recommended to choose the model with the best auc from 60 validation "
        "cases: every measure always chooses the best model."
    )
    (check,) = advice.checks
    assert check.name == "no-spread"
    assert "auc, brier always chose the best model with 60 validation cases" in check.message


def test_a_goal_that_is_alone():
    y, models = draw(4, 400, {"a": 1.0, "b": 0.0})
    advice = advise(y, models, "auc", 60, "auc", **QUICK)
    assert advice.recommendation == "There is no other measure to compare with auc."


def test_pure_noise():
    """Useless models: whatever chooses, there is nothing to be chosen."""
    recommended = 0
    measures = "auc, scored_auc, brier, accuracy, ks"
    for seed in range(20):
        useless = dict.fromkeys("abcdef"[: 2 + seed % 5], 0.0)
        y, models = draw(100 + seed, 400, useless)
        advice = advise(y, models, "auc", 50, measures, **QUICK)
        recommended += not advice.recommendation.startswith(NOTHING)
    assert recommended <= 2


def test_errors_cover_the_sampling_of_the_cases():
    """With useless models MSA varies ten times as much between data sets as over repeats."""
    found = []
    for seed in range(25):
        y, models = draw(200 + seed, 400, {"a": 0.0, "b": 0.0})
        rows = rows_of(advise(y, models, "auc", 100, "auc, accuracy", **QUICK), 100)
        found.append([(row.regret, row.regret_se, row.msa) for row in rows.values()])
    regret, error, msa = np.moveaxis(np.array(found), -1, 0)
    spread = regret.std(axis=0, ddof=1)
    assert (msa.std(axis=0) > 0.15).all()
    ratio = np.sqrt((error**2).mean(axis=0)) / spread
    assert (ratio > 0.9).all()
    assert (ratio < 4).all()


def test_errors_are_right_where_models_differ():
    found = []
    for seed in range(20):
        y, models = draw(300 + seed, 1000, {"a": 1.4, "b": 1.2, "c": 0.8})
        rows = rows_of(advise(y, models, "auc", 50, "auc, accuracy", **QUICK), 50)
        found.append([(row.regret, row.regret_se) for row in rows.values()])
    regret, error = np.moveaxis(np.array(found), -1, 0)
    ratio = np.sqrt((error**2).mean(axis=0)) / regret.std(axis=0, ddof=1)
    assert (ratio > 0.6).all()
    assert (ratio < 1.7).all()


# Groups


def spread_of(errors, correlation=0.0, parts=200, seed=1):
    """A spread of means with these standard errors over cases, and no error of the draws."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(parts, 1))
    own = rng.normal(size=(parts, len(errors)))
    values = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own
    return Spread.of_parts(values / values.std(axis=0, ddof=1) * errors, 1.0)


def groups_of(regret, spread, tolerance, sizes=1):
    rng = np.random.default_rng(2)
    found = standing(50, np.array(regret), spread, tolerance=tolerance, sizes=sizes, rng=rng)
    return [found.group(place) for place in range(len(regret))], found


def test_the_three_groups():
    spread = spread_of([0.001, 0.001, 0.001, 0.02])
    names, found = groups_of([0.010, 0.012, 0.030, 0.031], spread, 0.01)
    assert names == ["undetermined", "undetermined", "worse", "undetermined"]
    names, found = groups_of([0.010, 0.012, 0.030, 0.131], spread, 0.01)
    assert names == ["recommended", "recommended", "worse", "worse"]
    assert found.limit[0] < found.limit[1] < 0.01 < found.limit[2]
    names, _ = groups_of([0.010, 0.012, 0.030, 0.131], spread, None)
    assert set(names) == {"undetermined"}


def test_a_large_error_is_no_reason_to_recommend():
    """The measure that never chooses the best model was called as good for its large error."""
    names, found = groups_of([0.005, 0.006, 0.018], spread_of([0.0005, 0.0005, 0.01]), 0.002)
    assert names[2] == "undetermined"
    assert found.limit[2] > 0.03


def test_the_limits_are_those_of_dunnett_and_tukey():
    """Independent means of the same precision, for which SciPy has both distributions."""
    from scipy.stats import multivariate_t, studentized_range

    count, df = 5, 399
    found = spread_of(np.ones(count), parts=df + 1).critical_gaps(0.05, np.random.default_rng(3))
    assert found.all_pairs == pytest.approx(
        studentized_range.ppf(0.95, count, df) / np.sqrt(2), rel=0.05
    )
    shape = 0.5 * (np.eye(count - 1) + 1)
    reached = multivariate_t.cdf(np.full(count - 1, found.from_one), shape=shape, df=df)
    assert reached == pytest.approx(0.95, abs=0.012)


def test_false_recommendations_are_rare():
    """Measures that lose just more than the tolerance are recommended in at most 5% of samples."""
    rng = np.random.default_rng(4)
    truth = np.array([0.0, 0.011, 0.011, 0.011, 0.012])
    falsely = 0
    for seed in range(300):
        spread = spread_of(np.full(5, 0.003), 0.3, parts=50, seed=seed)
        estimates = rng.multivariate_normal(truth, 0.003**2 * (0.7 * np.eye(5) + 0.3))
        names, _ = groups_of(estimates, spread, 0.01)
        falsely += "recommended" in names[1:]
    assert falsely <= 300 * 0.05 + 3 * np.sqrt(300 * 0.05 * 0.95)


def test_more_sizes_need_larger_differences():
    spread = spread_of([0.001, 0.001])
    limits = [groups_of([0.01, 0.012], spread, 0.01, sizes)[1].limit[1] for sizes in (1, 3)]
    assert limits[0] < limits[1]


def test_groups_that_depend_on_the_seed_are_close():
    spread = spread_of([0.001, 0.001])
    _, found = groups_of([0.01, 0.012], spread, 0.01)
    assert not found.close.any()
    assert not found.borderline.any()
    _, found = groups_of([0.01, 0.012], spread, float(found.limit[1]) * 1.001)
    assert found.close.tolist() == found.borderline.tolist() == [False, True]


def test_a_measure_that_may_be_worse_is_close_but_not_nearly_recommended():
    spread = spread_of([0.001, 0.001])
    critical = spread.critical_gaps(0.05, np.random.default_rng(2)).all_pairs
    gap = 1.001 * critical * spread.gap_errors()[0, 1]
    names, found = groups_of([0.01, 0.01 + gap], spread, 0.0001)
    assert names == ["recommended", "worse"]
    assert found.close[1]
    assert not found.borderline[1]


def test_draws_on_parts_add_no_error_of_the_cases_but_uncertainty():
    rng = np.random.default_rng(5)
    whole = Moments.of(rng.normal(size=(2, 20_000)))
    many, few = (
        Spread.of(whole, Moments.of(rng.normal(0, 0.3, (50, 2, 1)) + drawn), 1.0)
        for drawn in (rng.normal(size=(50, 2, 4000)), rng.normal(size=(50, 2, 10)))
    )
    assert many.gap_errors()[0, 1] == pytest.approx(0.3 * np.sqrt(2), rel=0.3)
    assert few.gap_errors()[0, 1] == pytest.approx(0.3 * np.sqrt(2), rel=0.6)
    assert many.gap_df()[0, 1] == pytest.approx(49, rel=0.05)
    assert few.gap_df()[0, 1] < 25
    assert few.gap_errors_with_draws()[0, 1] > few.gap_errors()[0, 1]


# What it says


def at(size, regret, groups, limit=None, close=(), draws=0.00001):
    """How measures stand; groups are letters: r, w or u."""
    regret = np.array(regret, float)
    marks = np.array(list(groups))
    return Standing(
        size=size,
        regret=regret,
        error=np.full(regret.size, 0.0008),
        limit=regret - regret.min() + 0.002 if limit is None else np.array(limit, float),
        recommended=marks == "r",
        worse=marks == "w",
        borderline=np.isin(np.arange(regret.size), close),
        close=np.isin(np.arange(regret.size), close),
        draw_error=np.full((regret.size, regret.size), draws),
    )


FOUR = parse_list("auc, scored_auc, brier, accuracy")
SIGNIFICANT = Gap(0.1, 0.01, True)
BEST = "To choose the model with the best auc"


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            [at(100, [0.0062, 0.0031, 0.0040, 0.02], "urrw")],
            (
                f"{BEST} from 100 validation cases, use scored_auc: its mean regret in auc is "
                "0.00310 ± 0.00080, against 0.0062 for auc itself. brier is as good within 0.0100. "
                "accuracy is worse. Undetermined: 1."
            ),
        ),
        (
            [at(50, [0.02, 0.02, 0.02, 0.02], "uuuu"), at(100, [0.01, 0.02, 0.02, 0.03], "rrww")],
            (
                f"{BEST} from 100 validation cases, use auc itself: its mean regret in auc is "
                "0.01000 ± 0.00080, against 0.0300 for accuracy. scored_auc is as good within "
                "0.0100. accuracy and brier are worse. From 50 cases no measure can be recommended."
            ),
        ),
        (
            [at(50, [0.02, 0.01, 0.02, 0.02], "wrww"), at(100, [0.02, 0.02, 0.01, 0.03], "wwrw")],
            (
                f"{BEST}, use scored_auc from 50 validation cases (mean regret 0.01000 ± 0.00080) "
                "and brier from 100 validation cases (mean regret 0.01000 ± 0.00080). accuracy "
                "and auc are worse. Undetermined at some size: 2."
            ),
        ),
        (
            [at(50, [0.021, 0.02, 0.03, 0.03], "rrww"), at(100, [0.01, 0.002, 0.01, 0.03], "rrrw")],
            (
                f"{BEST} from 50 or 100 validation cases, use scored_auc: its mean regret in auc "
                "from 100 cases is 0.00200 ± 0.00080, against 0.0100 for auc itself. auc is as "
                "good within 0.0100. accuracy is worse. Undetermined at some size: 1."
            ),
        ),
        (
            [at(50, [0.0003, 0.001, 0.002, 0.0022], "rrrr")],
            (
                "Every measure is recommended to choose the model with the best auc from 50 "
                "validation cases: the mean regrets are 0.0003 to 0.0022, and all are within "
                "0.0100 of the best measure."
            ),
        ),
        (
            [at(50, [0.01, 0.02, 0.03, 0.04], "uuuu", [0.0151, 0.03, 0.04, 0.05])],
            (
                f"{NOTHING}: none is shown to lose at most 0.0100 more than the best one in auc. "
                "The closest is auc itself from 50 validation cases, with up to 0.0151 more; use "
                "more cases, or a tolerance of 0.0151."
            ),
        ),
        (
            [at(50, [0.01, 0.02, 0.03, 0.04], "uuww", [0.0151, 0.03, 0.04, 0.05])],
            (
                "No measure can be recommended on these data: none is shown to lose at most "
                "0.0100 more than the best one in auc. The closest is auc itself from 50 "
                "validation cases, with up to 0.0151 more; use more cases, or a tolerance of "
                "0.0151. accuracy and brier are worse. Undetermined: 2."
            ),
        ),
    ],
)
def test_the_recommendation_in_words(found, words):
    assert recommend(found, FOUR, SIGNIFICANT, 0.01) == words


@pytest.mark.parametrize(
    ("options", "others"),
    [
        ({}, None),
        ({"draws": 0.002}, "scored_auc"),  # the order of the first two may change
        ({"close": [0]}, "scored_auc"),  # then the next one that is certain
        ({"close": [0, 1]}, "scored_auc or no measure"),
        ({"close": [2]}, None),  # brier has a larger regret
    ],
)
def test_a_recommendation_that_another_seed_may_change_is_called_close(options, others):
    found = at(100, [0.004, 0.008, 0.02, 0.03], "rruw", **options)
    words = recommend([found], FOUR, SIGNIFICANT, 0.01)
    if others is None:
        assert "close" not in words
    else:
        assert words.endswith(f" This is close: another seed may recommend {others}.")


def test_equivalent_measures_are_not_close():
    """Measures that always choose alike have no Monte Carlo error; the first is named."""
    found = at(100, [0.008, 0.004, 0.004, 0.03], "rrrw", draws=0.0)
    assert Verdict.of([found]).alternatives() == ([], False)
    assert "use scored_auc: " in recommend([found], FOUR, SIGNIFICANT, 0.01)


def test_models_that_do_not_differ_in_words():
    found = [at(100, [0.0062, 0.0031, 0.0040, 0.02], "uuuu")]
    assert recommend(found, FOUR, Gap(0.0123, 0.0101, False), 0.001) == (
        f"{NOTHING}: the models do not differ significantly in auc (largest difference 0.0123 ± "
        "0.0101)."
    )


def test_noise_in_words():
    clean, noisy = [0.02, 0.01, 0.02, 0.03], [0.02, 0.02, 0.01, 0.03]
    found = [[at(50, clean, "uruw")], [at(50, clean, "uruw")], [at(50, noisy, "uurw")]]
    found.append([at(50, noisy, "uuuu")])
    assert with_noise(found, FOUR, (0.0, 0.05, 0.2, 0.4), 0.01) == [
        "With 5% of the labels redrawn, scored_auc is still recommended.",
        (
            "With 40% of the labels redrawn, it is undetermined whether scored_auc is as good as "
            "the best measure."
        ),
        (
            "With 20% of the labels redrawn, use brier from 50 validation cases: its mean regret "
            "in auc is 0.01000 ± 0.00080, against 0.0200 for scored_auc."
        ),
    ]
    none = [at(50, clean, "uuuu")]
    assert with_noise([none, none], FOUR, (0.0, 0.1), 0.01) == [
        "With 10% of the labels redrawn, no measure can be recommended, either."
    ]
    assert with_noise([none, [at(50, noisy, "uurw")]], FOUR, (0.0, 0.1), 0.01) == [
        (
            "With 10% of the labels redrawn, but not with the given ones, brier is recommended "
            "from 50 validation cases: its mean regret in auc is 0.01000 ± 0.00080."
        )
    ]


def test_hit_rates_that_rise_with_noise_are_explained():
    """A measure that prefers saturated scores misses the best model, with noise less often."""
    y, models = draw(21, 1500, {"best": 1.6, "poor": 1.3})
    models["poor"] = np.round(logistic(8 * np.log(models["poor"] / (1 - models["poor"]))), 3)
    advice = advise(y, models, "auc", 50, "taks", **QUICK | {"noise": 0.4, "repeats": 1000})
    clean, noisy = (rows_of(advice, 50, noise)["taks"].hit_rate for noise in (0.0, 0.4))
    assert clean < noisy < 0.5
    (note,) = (note for note in advice.noise_notes if note.startswith("The hit rate"))
    rise = f"(from {clean:.3f} to {noisy:.3f}; 50 cases, 40% noise)"
    assert note.startswith(f"The hit rate of taks {rise} rises with label noise: without noise it")
    assert "prefers poor to better models (chosen in 83% of the draws, with noise in 72%)" in note
    assert "(hit rate of a random choice: 0.500)" in note


def test_hit_rates_of_models_that_are_nearly_tied_are_explained():
    """The model that looks better on the cases drawn looks worse on the others."""
    y, models = draw(29, 600, {"a": 2.0, "b": 2.0, "c": 0.3})
    advice = advise(y, models, "auc", 150, "auc", **QUICK | {"noise": 0.6, "repeats": 1000})
    clean, noisy = (rows_of(advice, 150, noise)["auc"].hit_rate for noise in (0.0, 0.6))
    assert clean < 1 / 3 < noisy
    (note,) = (note for note in advice.noise_notes if note.startswith("The hit rate"))
    assert "the models chosen are nearly as good as the best" in note


# What it takes and what it gives


def rows_for(groups, regrets):
    """Rows at sizes 50 and 100 and noise 0 and 0.1: a group and a regret for each."""
    return [
        AdviceRow(name, size, noise, regrets[name][k], 0.001, 0.5, 0.5, 0.01, GROUPS[mark], False)
        for k, (size, noise) in enumerate([(50, 0.0), (50, 0.1), (100, 0.0), (100, 0.1)])
        for name, marks in groups.items()
        for mark in marks[k]
    ]


GROUPS = {"r": "recommended", "w": "worse", "u": "undetermined"}


def test_what_is_recommended_for_one_size_or_noise():
    groups = {"auc": "wwuu", "ks": "rwuu", "brier": "wruu"}
    rows = rows_for(groups, dict.fromkeys(groups, [0.01] * 4))
    advice = Advice(rows, "", goal=mm.auc, tolerance=0.01)
    assert advice.recommended() == advice.recommended(noise=0.0) == "ks"
    assert advice.recommended(noise=0.1) == "brier"
    assert advice.recommended(size=50) is None  # what is good without noise is bad with it
    assert advice.recommended(size=50, noise=0.0) == "ks"
    assert advice.recommended(size=100) is None
    with pytest.raises(
        ParameterError, match=r"no rows .*size=60, noise=None; sizes: 50, 100; nois"
    ):
        advice.recommended(size=60)
    with pytest.raises(ParameterError, match="noise must be a finite number or None, got 'much'"):
        advice.recommended(noise="much")
    with pytest.raises(ParameterError, match="size must be a finite number or None, got True"):
        advice.recommended(size=True)


@pytest.mark.parametrize("asked", [["ks", "brier"], ["brier", "ks"]])
def test_of_measures_that_lose_the_same_the_first_is_recommended(asked):
    lost = {"auc": [0.02] * 4, "ks": [0.012, 0, 0.010, 0], "brier": [0.010, 0, 0.012, 0]}
    rows = rows_for({"auc": "wwww", "ks": "rrrr", "brier": "rrrr"}, lost)
    advice = Advice(rows, "", goal=mm.auc, tolerance=0.01, measures=["auc", *asked])
    assert advice.recommended() == asked[0]


def test_the_advice_names_the_measure_of_its_sentence():
    y, models = draw(3, 1500, {"a": 2.0, "b": 1.0})
    measures = "ks, brier, tpr@fpr=0.01"
    advice = advise(y, models, "auc", [30, 60], measures, **QUICK | {"repeats": 500})
    assert advice.recommended() is not None
    assert f", use {advice.recommended()}" in advice.recommendation


def test_the_number_of_draws_follows_the_error_of_the_cases():
    """More cases have smaller errors, and need more draws; the number can be given, too."""
    few, many = (
        advise(*draw(20, n, {"a": 1.6, "b": 1.3}), "auc", 40, "ks", noise=(), workers=1)
        for n in (400, 6000)
    )
    assert few.meta["repeats"] == [2000]
    assert many.meta["repeats"][0] > 2000
    given = advise(*draw(20, 400, {"a": 1.6, "b": 1.3}), "auc", (30, 40), "ks", **QUICK)
    assert given.meta["repeats"] == [100, 100]
    assert given.meta["sizes"] == [30, 40]


def test_the_tolerance_may_be_given():
    y, models = draw(22, 600, {"a": 1.6, "b": 1.2})
    strict, loose = (
        advise(y, models, "auc", 40, "ks, accuracy", tolerance=tolerance, **QUICK)
        for tolerance in (1e-6, 0.5)
    )
    assert {row.group for row in loose.rows} == {"recommended"}
    assert loose.recommendation.startswith("Every measure is recommended")
    assert "recommended" not in {row.group for row in strict.rows}
    assert [row.limit for row in strict.rows] == [row.limit for row in loose.rows]
    assert (strict.tolerance, strict.meta["tolerance"]) == (1e-6, 1e-6)


def test_the_recommendation_stands_above_the_tables():
    y, models = draw(22, 300, {"a": 1.6, "b": 1.2})
    advice = advise(y, models, "auc", 40, "ks", **QUICK)
    assert advice.table().startswith(f"{advice.recommendation}\nvalidation sets of 40 cases\n")
    first = advice.recommendation.split(":")[0]
    assert advice.to_markdown().startswith(first)
    assert advice._repr_html_().startswith('<div class="metameasure"><p>')
    assert advice.to_latex().index("\\par") < advice.to_latex().index("tabular")


def test_models_of_different_kinds():
    rng = np.random.default_rng(5)
    y, models = draw(5, 500, {"boosted": 1.6, "tree": 1.3, "bayes": 1.2})
    models["tree"] = np.round(models["tree"] * 5) / 5
    models["bayes"] = np.clip(np.round(3 * models["bayes"] - 1, 3), 0, 1)
    models["stump"] = (models["boosted"] + rng.normal(0, 0.1, 500) > 0.5) * 0.6 + 0.2
    assert {0.0, 1.0} <= set(models["bayes"])
    advice = advise(y, models, "auc", (50, 100), **QUICK | {"noise": (0.1, 0.2)})
    assert len(advice.rows) == 2 * 3 * 20
    assert all(
        np.isfinite([row.regret, row.regret_se, row.hit_rate, row.msa]).all() for row in advice.rows
    )
    assert min(row.regret for row in advice.rows) >= 0
    clean, noisy = (
        np.mean([r.regret for r in rows_of(advice, 50, z).values()]) for z in (0.0, 0.2)
    )
    assert noisy > clean


def test_the_rows_are_tidy():
    y, models = draw(6, 400, {"a": 1.5, "b": 1.0})
    options = {"sizes": (80, 40), "measures": "ks, brier", **QUICK, "noise": 0.1}
    advice = advise(y, models, **options)
    frame = advice.frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame.columns == COLUMNS
    assert frame["close"].dtype == pl.Boolean
    assert set(frame["group"]) <= {"recommended", "worse", "undetermined"}
    keys = [(row.size, row.noise) for row in advice.rows]
    assert keys == [(s, z) for s in (40, 80) for z in (0.0, 0.1) for _ in range(3)]
    for size, noise in set(keys):
        rows = list(rows_of(advice, size, noise).values())
        assert [row.regret for row in rows] == sorted(row.regret for row in rows)
        assert min(row.limit for row in rows) >= 0
    table = pd.DataFrame({"y": y, **models})
    from_frame = advise(table, label="y", scores=["a", "b"], **options)
    assert isinstance(from_frame.frame(), pd.DataFrame)
    assert from_frame.rows == advice.rows
    content = json.loads(advice.to_json())
    assert content["recommendation"] == advice.recommendation
    assert [list(row) for row in content["rows"]] == [COLUMNS] * len(advice.rows)
    assert {"checks", "left_out", "noise_notes", "goal", "n"} <= set(content)


def test_the_same_rows_for_any_number_of_workers_and_seed():
    y, models = draw(7, 300, {"a": 1.5, "b": 1.0, "c": 0.5})
    options = {"sizes": (30, 50), "noise": 0.2, "repeats": 120, "resamples": 10}
    found = [advise(y, models, workers=workers, **options) for workers in (1, 2)]
    assert found[0].rows == found[1].rows
    assert found[0].to_json() == found[1].to_json()
    assert found[0].rows != advise(y, models, workers=1, seed=2, **options).rows
    larger = advise(y, models, workers=1, **options | {"sizes": (30, 50, 70)})
    for one, other in zip(found[0].rows, larger.rows, strict=False):
        assert (one.measure, one.regret, one.regret_se) == (
            other.measure, other.regret, other.regret_se,
        )  # fmt: skip
        assert other.limit > one.limit  # one of three sizes instead of two


def test_a_goal_may_be_a_cost_and_a_measure():
    y, models = draw(8, 400, {"a": 1.5, "b": 1.0})
    goal = "expected_cost(c=0.2)"
    advice = advise(y, models, goal, 50, "accuracy", **QUICK)
    assert [row.measure for row in advice.rows].count(goal) == 1
    assert goal in advice.recommendation
    same = advise(y, models, mm.parse(goal), 50, [mm.accuracy], **QUICK)
    assert same.rows == advice.rows


def test_a_measure_of_ones_own_is_known_to_all_that_work():
    @mm.measure(best="max", range=(0, 1), undefined="a class is empty")
    def share_of_wins_for_advice(table):
        """The share of pairs in the right order."""
        return mm.auc.compute(table)

    y, models = draw(9, 300, {"a": 1.5, "b": 1.0})
    options = {**QUICK, "repeats": 20, "resamples": 10, "workers": 2}
    rows = rows_of(advise(y, models, "auc", 40, [share_of_wins_for_advice], **options), 40)
    assert rows["share_of_wins_for_advice"].regret == rows["auc"].regret


def test_weights_count():
    y, models = draw(10, 300, {"a": 1.5, "b": 1.0})
    options = {"measures": "auc, brier, h_measure", "sizes": 40, **QUICK}
    plain = advise(y, models, **options)
    unit = advise(y, models, sample_weight=np.full(300, 2.0), **options)
    for one, two in zip(plain.rows, unit.rows, strict=True):
        assert one.measure == two.measure
        assert one.regret == pytest.approx(two.regret, abs=1e-12)
    weight = np.random.default_rng(1).random(300) + 0.1
    assert advise(y, models, sample_weight=weight, **options).rows != plain.rows
    with_zeros = np.concatenate([np.ones(300), np.zeros(5)])
    longer = {name: np.concatenate([score, np.full(5, 0.5)]) for name, score in models.items()}
    labels = np.concatenate([y, np.ones(5, bool)])
    assert advise(labels, longer, sample_weight=with_zeros, **options).meta["n"] == 300


def test_measures_that_the_scores_do_not_allow_are_named():
    y, models = draw(11, 300, {"a": 1.5, "b": 1.0})
    models["b"] = 4 * models["b"] - 2
    advice = advise(y, models, sizes=40, **QUICK)
    measures = {row.measure for row in advice.rows}
    assert {"auc", "h_measure", "ndcg"} <= measures
    assert not {"brier", "scored_auc", "accuracy", "sar"} & measures
    assert {item.model for item in advice.left_out} == {"b"}
    assert "left out for b, it needs scores in [0, 1]: scored_auc, brier" in str(advice)
    named = advise(y, models, sizes=40, measures="ks, brier, accuracy@0", **QUICK)
    assert {row.measure for row in named.rows} == {"auc", "ks", "accuracy@0"}
    assert [item.measure for item in named.left_out] == ["brier"]


def test_undefined_measures_choose_at_random_and_are_reported():
    y, models = draw(12, 600, {"a": 1.5, "b": 1.0})
    y = y & (np.random.default_rng(1).random(600) < 0.15)
    advice = advise(y, models, sizes=20, measures="auc, accuracy", **QUICK)
    (undefined,) = advice.undefined
    assert undefined.measure == "auc"
    assert undefined.share > 0.05
    assert "auc (" in next(c.message for c in advice.checks if c.code == "MM19")
    one_class = advise(y, models, "accuracy", 2, "auc", **QUICK)
    assert rows_of(one_class, 2)["auc"].hit_rate == pytest.approx(0.5, abs=0.1)


def test_few_validation_sets_carry_a_warning():
    y, models = draw(13, 3000, {"a": 1.4, "b": 1.2})
    few = advise(y, models, sizes=50, measures="auc, ks", **QUICK | {"repeats": 10})
    (check,) = few.checks
    assert (check.code, check.name) == ("MM24", "few-validation-sets")
    assert check.message.startswith("10 validation sets of 50 cases are few")
    assert not advise(y, models, sizes=50, measures="auc, ks", noise=(), workers=1).checks


def test_large_validation_sets_carry_a_warning():
    y, models = draw(13, 200, {"a": 1.2, "b": 1.0})
    advice = advise(y, models, sizes=(50, 51), measures="auc", **QUICK)
    (check,) = advice.checks
    assert (check.code, check.name) == ("MM17", "large-validation-sets")
    assert "check MM17: 51 validation cases are more than a quarter of 200" in str(advice)


def test_label_noise_in_words():
    y, models = draw(14, 1000, {"right": 2.0})
    models["shifted"] = logistic(np.log(models["right"] / (1 - models["right"])) - 2.5)
    options = {**QUICK, "noise": (0.05, 0.2)}
    advice = advise(y, models, "accuracy", 50, "auc", **options)
    (note,) = advice.noise_notes
    assert note == "With 5% or 20% of the labels redrawn, accuracy is still recommended."
    assert "20% noise" in str(advice)


def test_hostile_names_stay_names():
    y, models = draw(15, 300, {"a": 1.5})
    bad = "<script>alert(1)</script>"
    models = {bad: models["a"], "b\x1b[31m": models["a"], "c": 3 * models["a"]}
    advice = advise(y, models, sizes=40, measures="auc, brier", **QUICK)
    shown = advice._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    assert "\x1b" not in shown + str(advice)
    assert "&lt;script&gt;" in advice.to_markdown()


def test_it_is_shown_in_a_terminal():
    y, models = draw(16, 300, {"a": 1.5, "b": 1.0})
    advice = advise(y, models, sizes=40, measures="auc, brier", **QUICK)
    console = Console(width=100, file=io.StringIO())
    console.print(advice)
    shown = console.file.getvalue()
    assert "validation sets of 40 cases" in shown
    assert " ".join(advice.recommendation.split()[:6]) in shown
    assert advice.recommendation in repr(advice)


def test_progress_is_reported():
    y, models = draw(17, 200, {"a": 1.5, "b": 1.0})
    seen = []
    read = Models(Predictions.of(y, models))
    options = {**QUICK, "repeats": 20, "resamples": 10}
    advise(read, None, "auc", 30, "auc", progress=seen.append, **options)
    assert seen == sorted(seen)
    assert seen[-1] == 1


# What it refuses


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sizes": 300}, "sizes must be less than the number of cases, 300, got 300"),
        ({"sizes": (50, 1000)}, "sizes must be less than the number of cases, 300, got 1000"),
        ({"sizes": 299}, "299 cases would leave no case of the rarer class"),
        ({"sizes": 1}, "sizes must be an integer >= 2, got 1"),
        ({"sizes": 40.5}, "sizes must be an integer >= 2, got 40.5"),
        ({"sizes": (50, 40.5)}, "sizes must be integers >= 2, got 40.5"),
        ({"sizes": ()}, "sizes needs at least 1 value, got 0"),
        ({"noise": 1.5}, r"noise must be in \[0, 1\], got 1.5"),
        ({"noise": "much"}, r"noise must be in \[0, 1\], got 'much'"),
        ({"noise": None}, r"noise must be in \[0, 1\], got None"),
        ({"repeats": 0}, "repeats must be an integer >= 10 or None, got 0"),
        ({"tolerance": 0}, r"tolerance must be > 0 or None, got 0"),
        ({"tolerance": "a"}, r"tolerance must be > 0 or None, got 'a'"),
        ({"resamples": 2}, "resamples must be an integer from 10 to 1000000, got 2"),
        ({"workers": 0}, "workers must be an integer >= 1, got 0"),
        ({"seed": "x"}, "seed must be an integer >= 0 or None, got 'x'"),
        ({"goal": "mean_over(auc)"}, "does not apply to validation sets"),
        ({"measures": "kendall_tau"}, "kendall_tau .* does not apply to validation sets"),
    ],
)
def test_bad_arguments(options, message):
    y, models = draw(18, 300, {"a": 1.5, "b": 1.0})
    with pytest.raises(ParameterError, match=message):
        advise(y, models, **options)


def test_bad_models_and_goals():
    y, models = draw(19, 300, {"a": 1.5, "b": 1.0})
    with pytest.raises(DataError, match="at least two models"):
        advise(y, {"a": models["a"]})
    ranks = {name: np.argsort(np.argsort(score)) + 1 for name, score in models.items()}
    with pytest.raises(DataError, match=r"goal brier needs scores .* of a are in \[1, 300\]"):
        advise(y, ranks, "brier")
    with pytest.raises(DataError, match=r"0.5 of the goal accuracy is not meaningful.*accuracy@0"):
        advise(y, ranks, "accuracy")
    assert advise(y, ranks, "accuracy@150", 40, "auc", **QUICK).goal == mm.parse("accuracy@150")
    with pytest.raises(DataError, match="the goal auc of a is undefined: a class is empty"):
        advise(np.zeros(300, int), models)
    saturated = {"a": np.round(models["a"]), "b": models["b"]}
    with pytest.raises(DataError, match=r"log_loss of a is infinite.*clip=0.001"):
        advise(y, saturated, "log_loss")
    nearly = np.where(y, 0.8, 0.2)
    nearly[np.flatnonzero(~y)[0]] = 0.8  # the one false alarm, without which lr_plus is infinite
    with pytest.raises(DataError, match=r"lr_plus@0.7 is not finite .* for 6\d% of"):
        advise(y, {"a": nearly, "b": models["b"]}, "lr_plus@0.7", 200, "auc", **QUICK)
    some = advise(y, {"a": nearly, "b": models["b"]}, "lr_plus@0.7", 40, "auc", **QUICK)
    assert "undefined-goal" in {check.name for check in some.checks}
    assert all(np.isfinite([row.regret, row.regret_se]).all() for row in some.rows)
    clustered = Predictions.of(y, models, cluster=np.arange(300) // 2)
    with pytest.raises(DataError, match="case by case"):
        advise(Models(clustered))
