"""Two-level and linear measures are measures like any other: text, operators, floats and keys."""

import copy
import math
import pickle
import subprocess
import sys
from fractions import Fraction
from itertools import groupby, pairwise

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB

import metameasure as mm
from common.checks import oracle_value
from metameasure import lab
from metameasure.measurement import Linear, TwoLevel
from strategies import table_of

ONE = Fraction(1)
RNG = np.random.default_rng(17)
X = RNG.normal(size=(120, 3))
Y = (X[:, 0] + 0.8 * RNG.normal(size=120) > 0.7).astype(int)
SCORE = 1 / (1 + np.exp(-2 * X[:, 0] + 1.4))
OTHER = np.clip(SCORE + 0.15 * RNG.normal(size=120), 0, 1)
PHI = mm.two_level("auc", "accuracy")


def test_a_new_process_knows_the_constructors():
    text = "two_level(auc, linear(auc, accuracy, alpha=0.5))"
    words = [sys.executable, "-c", f"import metameasure as mm; print(mm.parse({text!r}))"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)  # noqa: S603
    assert mm.parse(done.stdout.strip()) == mm.parse(text)


TEXTS = [
    "two_level(auc, accuracy)",
    "two_level(error_rate, h_measure(alpha=3, beta=1.5))",
    "two_level(accuracy@top=10%, f_measure(beta=2)@k=3)",
    "two_level(two_level(auc, accuracy), ks)",
    "two_level(auc, two_level(ks, brier))",
    "two_level(linear(auc, ks, alpha=0.25), brier)",
    "two_level(ordered_auc, spearman_rho)",
    "linear(auc, accuracy, alpha=0.5)",
    "linear(auc, accuracy, alpha=0.3333333333333333)",
    "linear(auc, accuracy, alpha=1e-05)",
    "linear(auc, accuracy@0.3, alpha=irrational)",
    "linear(brier, error_rate, alpha=0.9)",
    "linear(linear(auc, ks, alpha=0.5), gini, alpha=irrational)",
]


# Text, equality, pickles


@pytest.mark.parametrize("text", TEXTS)
def test_texts_go_round(text):
    found = mm.parse(text)
    assert str(found) == repr(found) == text
    assert mm.parse(str(found)) == found
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found), copy.copy(found)):  # noqa: S301
        assert again == found
        assert hash(again) == hash(found)
        assert str(again) == text
        assert type(again) is type(found)
    assert found.family == "constructed"
    assert found.name in {"two_level", "linear"}
    assert "Better: " in found.__doc__


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (" two_level( auc ,accuracy) ", "two_level(auc, accuracy)"),
        ("linear(auc, accuracy)", "linear(auc, accuracy, alpha=0.5)"),
        ("linear(auc, accuracy, alpha=70%)", "linear(auc, accuracy, alpha=0.7)"),
        ("linear(auc, accuracy, alpha='irrational')", "linear(auc, accuracy, alpha=irrational)"),
        ("two_level(roc_auc, f1)", "two_level(auc, f_measure)"),
        ("two_level(auc, accuracy)@top=10%", "two_level(auc, accuracy@top=10%)"),
        ("linear(tpr, accuracy)@k=P", "linear(tpr@k=P, accuracy@k=P, alpha=0.5)"),
        (
            "two_level(two_level(ks, tpr), accuracy)@0.3",
            "two_level(two_level(ks, tpr@0.3), accuracy@0.3)",
        ),
    ],
)
def test_texts_are_read(written, meant):
    assert str(mm.parse(written)) == meant


def test_what_is_equal():
    assert mm.two_level("auc", "accuracy") == mm.two_level(mm.auc, mm.accuracy) == PHI
    assert mm.two_level("accuracy", "auc") != PHI
    assert mm.linear("auc", "accuracy") != PHI
    assert mm.auc != PHI
    assert mm.auc != PHI
    assert PHI != "two_level(auc, accuracy)"
    assert mm.linear("auc", "ks", 0.5) != mm.linear("auc", "ks", "irrational")
    assert len({PHI, mm.parse(str(PHI)), mm.auc >> mm.accuracy}) == 1
    assert PHI.parts == (mm.auc, mm.accuracy)
    assert isinstance(PHI, TwoLevel)


def test_lists_of_measures_may_hold_them():
    from metameasure.measurement import parse_list

    found = parse_list("auc, two_level(auc, accuracy), linear(auc, ks, alpha=0.1)")
    assert list(map(str, found)) == [
        "auc",
        "two_level(auc, accuracy)",
        "linear(auc, ks, alpha=0.1)",
    ]


# Operators


def test_operators():
    assert mm.auc >> mm.accuracy == PHI
    assert mm.auc >> "accuracy" == PHI
    assert (mm.auc >> mm.accuracy) >> mm.ks == mm.parse("two_level(two_level(auc, accuracy), ks)")
    assert 0.7 * mm.auc + 0.3 * mm.accuracy == mm.linear("auc", "accuracy", alpha=0.7)
    assert mm.auc * 0.7 + mm.accuracy * 0.3 == mm.linear("auc", "accuracy", alpha=0.7)
    assert np.float64(0.7) * mm.auc + np.float64(0.3) * mm.accuracy == mm.linear(
        "auc", "accuracy", alpha=0.7
    )
    third = Fraction(1, 3)
    assert float(third) * mm.auc + float(1 - third) * mm.ks == mm.linear("auc", "ks", 1 / 3)
    halves = 0.5 * (0.5 * mm.auc + 0.5 * mm.ks) + 0.5 * mm.accuracy
    assert str(halves) == "linear(linear(auc, ks, alpha=0.5), accuracy, alpha=0.5)"


@pytest.mark.parametrize(
    ("one", "other"), [(0.7, 0.7), (0.5, 0.49), (2, -1), (0, 1), (1, 0), (math.nan, 0.5)]
)
def test_weights_are_shares(one, other):
    with pytest.raises(mm.ParameterError, match=r"must sum to 1, got|alpha must be in \(0, 1\)"):
        one * mm.auc + other * mm.accuracy


def test_wrong_types_in_operators():
    with pytest.raises(TypeError):
        0.7 * mm.auc + 0.3
    with pytest.raises(TypeError):
        mm.auc + mm.accuracy
    with pytest.raises(TypeError):
        "accuracy" >> mm.auc
    with pytest.raises(mm.ParameterError, match="must be a str or a Measure, got int"):
        mm.auc >> 3
    with pytest.raises(
        mm.ParameterError, match=r"must sum to 1, got 0.3 and 0.2|must sum to 1, got 0.5 and 0.3"
    ):
        0.5 * mm.auc + 0.3 * mm.accuracy + 0.2 * mm.ks
    with pytest.raises(
        mm.ParameterError, match="same direction; auc is best at 'max' and brier at 'min'"
    ):
        0.5 * mm.auc + 0.5 * mm.brier


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("two_level(auc)", "two_level takes first, second"),
        ("two_level(auc, ks, mcc)", "two_level takes first, second"),
        ("two_level(auc, hand_till_auc)", "measures of scores or of orders, got hand_till_auc"),
        ("two_level(mean_over(auc), ks)", r"measures of scores or of orders, got mean_over\(auc\)"),
        (
            "two_level(auc, ordered_auc)",
            "two measures of scores or two of orders, got auc and ordered_auc",
        ),
        ("two_level(calibration_slope, auc)", "calibration_slope is best at 1$"),
        ("linear(auc, calibration_slope)", "calibration_slope is best at 1$"),
        ("linear(auc, brier)", "same direction; auc is best at 'max' and brier at 'min'"),
        ("linear(auc, ks, alpha=0)", r"alpha must be in \(0, 1\) or .*, got 0$"),
        ("linear(auc, ks, alpha=1)", r"alpha must be in \(0, 1\) or .*, got 1$"),
        ("linear(auc, ks, alpha=-0.1)", r"alpha must be in \(0, 1\) or .*, got -0.1"),
        ("linear(auc, ks, alpha=rational)", 'or "irrational", got'),
        ("linear(auc, ks, alpha=True)", r"alpha must be in \(0, 1\) or .*, got True"),
        ("linear(auc, ks, beta=0.3)", "unexpected keyword argument 'beta'"),
        ("two_level(auc, ks)@0.3", 'takes no operating point; remove "@0.3"'),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(mm.ParameterError, match=message):
        mm.parse(text)


def test_an_unknown_part_is_named():
    with pytest.raises(mm.UnknownMeasure, match="no_such"):
        mm.parse("two_level(auc, no_such)")


def test_parameters_belong_to_the_parts():
    with pytest.raises(mm.ParameterError, match="set parameters and operating points of its parts"):
        PHI(Y, SCORE, top=0.1)
    with pytest.raises(mm.ParameterError, match="set parameters and operating points of its parts"):
        PHI.using(alpha=0.3)


# Values


def test_a_mean_is_a_mean():
    for alpha in (0.1, 0.5, 0.93):
        found = mm.linear("auc", "accuracy", alpha)(Y, SCORE)
        assert found == pytest.approx(
            alpha * mm.auc(Y, SCORE) + (1 - alpha) * mm.accuracy(Y, SCORE)
        )
    root = math.sqrt(0.5)
    found = mm.linear("brier", "log_loss", "irrational")
    assert found(Y, SCORE) == pytest.approx(
        root * mm.brier(Y, SCORE) + (1 - root) * mm.log_loss(Y, SCORE)
    )
    assert (found.best, found.unit_scores) == ("min", True)
    assert found.declaration.range == (0, math.inf)
    with pytest.raises(mm.DataError, match=r"needs scores in \[0, 1\]"):
        found(Y, 3 * SCORE)


def test_a_two_level_float_by_hand():
    """Four positives, three negatives: AUC 5/6 is a multiple of 1/24, accuracy 4/7."""
    y, score = [1, 1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.2, 0.6, 0.3, 0.1]
    assert PHI.key(y, score) == (Fraction(10, 12), Fraction(5, 7))
    assert PHI(y, score) == pytest.approx(10 / 12 + 1 / 48 * 5 / 7, abs=1e-7)
    assert PHI(y, score) < 10 / 12 + 1 / 48
    turned = mm.two_level("error_rate", "auc")
    assert turned.key(y, score) == (-Fraction(2, 7), Fraction(10, 12))
    assert turned(y, score) == pytest.approx(2 / 7 - 1 / 14 * 10 / 12, abs=1e-6)
    assert turned.best == "min"
    assert mm.two_level("auc", "error_rate")(y, score) == pytest.approx(PHI(y, score), abs=1e-12)


def tables(positives, negatives):
    """All lists of the given numbers of positives and negatives, with all ways to tie them."""

    def rows(p, q):
        if p == q == 0:
            yield []
        for a in range(p + 1):
            for b in range(q + 1):
                if a + b:
                    yield from ([(a, b), *rest] for rest in rows(p - a, q - b))

    for found in rows(positives, negatives):
        yield [
            (label, 0.5 + (len(found) - 2 * place - 1) / 32, Fraction(weight))
            for place, row in enumerate(found)
            for label, weight in zip((True, False), row, strict=True)
        ]


FIRSTS = ["auc", "gini", "ks", "auch", "accuracy", "error_rate", "balanced_accuracy", "fpr", "tpr"]
SECONDS = ["accuracy", "error_rate", "auc", "brier", "h_measure", "average_precision", "jaccard"]
DIRECTION = {"max": 1, "min": -1}


@pytest.fixture(scope="module", params=[(3, 3), (2, 4), (4, 2), (1, 5)], ids=str)
def tied(request):
    """All tied lists with their tables, and exact values that are larger where a list is better."""
    lists = list(tables(*request.param))
    exact = {}
    for name in {*FIRSTS, *SECONDS}:
        measure = mm.parse(name)
        exact[name] = [DIRECTION[measure.best] * oracle_value(measure, one) for one in lists]
    return [table_of(one) for one in lists], exact


def test_the_order_of_floats_is_that_of_keys(tied):
    """On all lists with all ties: equal keys have floats that differ by rounding at most."""
    subjects, exact = tied
    for first in FIRSTS:
        for second in SECONDS:
            measure = mm.two_level(first, second)
            way = DIRECTION[measure.best]
            keys = zip(exact[first], exact[second], strict=True)
            floats = [way * measure.value(table) for table in subjects]
            ranked = sorted(zip(keys, floats, strict=True))
            groups = [[v for _, v in some] for _, some in groupby(ranked, key=lambda pair: pair[0])]
            assert all(max(group) - min(group) < 1e-14 for group in groups), measure
            assert all(max(a) < min(b) - 1e-12 for a, b in pairwise(groups)), measure


def test_keys_are_the_exact_values(tied):
    subjects, exact = tied
    for first, second in (("auc", "accuracy"), ("error_rate", "ks"), ("auch", "error_rate")):
        names = (first, second)
        measure = mm.two_level(*names)
        if set(names) <= set(exact):
            keys = [measure.key(table) for table in subjects]
            assert keys == list(zip(exact[first], exact[second], strict=True))
            assert all(isinstance(part, Fraction) for key in keys for part in key)


def test_keys_without_a_quantum_are_floats():
    first, second = mm.two_level("h_measure", "auc").key(Y, SCORE)
    assert isinstance(first, float)
    assert isinstance(second, Fraction)
    assert first == mm.h_measure(Y, SCORE)
    first, second = mm.two_level("auc", "accuracy@k=3").key([1, 1, 0, 0], [0.9, 0.5, 0.5, 0.1])
    assert (first, second) == (Fraction(7, 8), pytest.approx(3 / 4))  # ties share the cut
    weighted = PHI.key([1, 0, 1, 0], [0.1, 0.2, 0.3, 0.4], sample_weight=[0.5, 1, 1, 1])
    assert weighted == pytest.approx((1 / 3, 2 / 3.5))
    assert all(isinstance(part, float) for part in weighted)


def test_keys_know_which_label_is_positive():
    y, score = ["no", "yes", "no", "yes"], [0.1, 0.4, 0.5, 0.8]
    assert PHI.key(y, score, pos_label="yes") == (Fraction(3, 4), Fraction(1, 2))
    assert PHI.key(y, score, pos_label="no") == (Fraction(1, 4), Fraction(1, 2))
    with pytest.raises(mm.DataError, match="takes one table, got a block"):
        PHI.key(mm.ScoreTable([0.9, 0.1], [[1, 1], [2, 0]], [[1, 1], [0, 2]]))


def test_floats_that_cannot_be():
    with pytest.raises(mm.DataError, match=r"values of h_measure have no known.*its key\(\)"):
        mm.two_level("h_measure", "auc")(Y, SCORE)
    with pytest.raises(mm.DataError, match="accuracy@k=3 have no known spacing"):
        mm.two_level("accuracy@k=3", "auc")(Y, SCORE)
    with pytest.raises(mm.DataError, match="needs whole numbers of cases; with weights"):
        PHI(Y, SCORE, sample_weight=RNG.random(Y.size))
    many = mm.ScoreTable([0.9, 0.1], [600_000, 400_000], [400_000, 600_000])
    with pytest.raises(
        mm.DataError, match="with this number of cases, values of auc lie too close together"
    ):
        PHI(many)
    with pytest.raises(mm.DataError, match="no known spacing"):
        mm.two_level("two_level(auc, accuracy)", "ks")(Y, SCORE)
    with pytest.raises(mm.DataError, match="too close together"):
        mm.two_level("average_precision", "auc")(Y, SCORE)


def test_keys_of_many_cases():
    many = mm.ScoreTable([0.9, 0.1], [600_000, 400_000], [400_000, 600_000])
    assert PHI.key(many) == pytest.approx((0.6, 0.6))


def test_keys_of_one_class():
    with pytest.warns(mm.UndefinedMeasureWarning, match="a class is empty"):
        first, second = PHI.key([0, 0, 0], [0.1, 0.2, 0.7], pos_label=1)
    assert math.isnan(first)
    assert second == Fraction(2, 3)


def test_keys_of_nested_measures():
    """Where the first part has no float there is a key all the same, with fractions all the way."""
    y, score = [1, 1, 0, 1, 0], [0.9, 0.6, 0.6, 0.4, 0.1]
    key = mm.parse("two_level(two_level(auc, accuracy), ks)").key(y, score)
    assert key == ((Fraction(9, 12), Fraction(3, 5)), Fraction(1, 2))
    mm.parse("two_level(two_level(h_measure, auc), ks)").key(y, score)


def test_claims_hold_for_the_float():
    """Repeated cases leave both parts and the key as they are, but not the quantum."""
    measure = mm.two_level("auc", "ks")
    once, twice = measure(Y, SCORE), measure(np.repeat(Y, 2), np.repeat(SCORE, 2))
    assert once != twice
    assert measure.key(Y, SCORE) == measure.key(np.repeat(Y, 2), np.repeat(SCORE, 2))
    assert measure.declaration.invariant_to == {"monotone"}


def test_combinations_of_measures_of_orders():
    true, predicted = [1, 2, 3, 4], [0.1, 0.4, 0.3, 0.9]
    found = mm.linear("kendall_tau", "spearman_rho", alpha=0.5)(true, predicted)
    assert found == pytest.approx((2 / 3 + 0.8) / 2)
    assert mm.linear("kendall_tau", "spearman_rho")(mm.Ranking([1, 3, 2, 4])) == found


def test_weights_are_numbers():
    with pytest.raises(TypeError):
        mm.auc * mm.accuracy
    with pytest.raises(TypeError):
        "a" * mm.auc


def test_whole_weights_are_cases():
    weight = RNG.integers(1, 4, Y.size)
    assert PHI(Y, SCORE, sample_weight=weight) == PHI(
        np.repeat(Y, weight), np.repeat(SCORE, weight)
    )


def test_blocks():
    score = np.array([0.8, 0.6, 0.4, 0.2])
    pos = np.array([[1.0, 1, 0, 0], [1, 0, 1, 0], [2, 0, 0, 1]])
    neg = np.array([[0.0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 1, 0]])
    block = mm.ScoreTable(score, pos, neg)
    for measure in (PHI, mm.linear("auc", "ks", 0.3), mm.two_level("error_rate", "brier")):
        alone = [measure(mm.ScoreTable(score, p, q)) for p, q in zip(pos, neg, strict=True)]
        assert measure.compute(block) == pytest.approx(alone, rel=1e-15)


@pytest.mark.parametrize("text", ["two_level(auc, accuracy)", "linear(auc, accuracy, alpha=0.5)"])
def test_undefined_where_a_part_is(text):
    table = mm.ScoreTable([0.9, 0.1], [0, 0], [1, 2])
    with pytest.warns(mm.UndefinedMeasureWarning, match="a class is empty"):
        assert math.isnan(mm.parse(text)(table))
    with pytest.warns(mm.UndefinedMeasureWarning, match="no case lies above the cut"):
        assert math.isnan(mm.two_level("auc", "precision")([1, 0], [0.3, 0.1]))


def test_two_level_measures_of_several_parts_agree_with_the_laboratory():
    nested = mm.parse("two_level(auc, two_level(ks, accuracy))")
    flat = "two_level(two_level(auc, ks), accuracy)"
    assert lab.compare(nested, flat, lab.ranked_lists(4, 4)).verdict == "equivalent"
    assert nested(Y, SCORE) > mm.auc(Y, SCORE)


# Surfaces


def test_in_an_evaluation():
    found = mm.evaluate(
        Y, {"a": SCORE, "b": OTHER}, [PHI, "linear(auc, accuracy, alpha=0.7)"], resamples=200
    )
    rows = {(row["model"], row["measure"]): row for row in found.frame().to_dicts()}
    for model, score in (("a", SCORE), ("b", OTHER)):
        row = rows[model, "two_level(auc, accuracy)"]
        assert row["value"] == PHI(Y, score)
        assert row["low"] < mm.auc(Y, score) < row["high"]
        row = rows[model, "linear(auc, accuracy, alpha=0.7)"]
        assert row["low"] < row["value"] < row["high"]


def test_resampled_intervals_are_those_of_the_first_measure():
    """The second measure adds less than half a quantum."""
    wide = mm.interval(Y, SCORE, PHI, method="percentile", resamples=400, seed=3)
    auc = mm.interval(Y, SCORE, "auc", method="percentile", resamples=400, seed=3)
    quantum = 1 / (2 * Y.sum() * (Y.size - Y.sum()))
    assert wide.low == pytest.approx(auc.low, abs=2 * quantum)
    assert wide.high == pytest.approx(auc.high, abs=2 * quantum)
    with pytest.raises(mm.ParameterError, match='"delong" does not apply to two_level'):
        mm.interval(Y, SCORE, PHI, method="delong")


def test_in_a_comparison_of_models():
    found = mm.compare(Y, {"a": SCORE, "b": OTHER}, PHI, resamples=300)
    (row,) = found.rows
    assert row.difference == pytest.approx(PHI(Y, SCORE) - PHI(Y, OTHER))
    assert 0 < row.pvalue <= 1
    mean = mm.compare(Y, {"a": SCORE, "b": OTHER}, "linear(auc, ks, alpha=0.5)", resamples=300)
    assert mean.rows[0].low < mean.rows[0].difference < mean.rows[0].high


CV = StratifiedKFold(4)


@pytest.mark.parametrize("text", ["two_level(auc, brier)", "linear(auc, ks, alpha=0.3)"])
def test_as_a_scorer(text):
    measure = mm.parse(text)
    found = cross_val_score(GaussianNB(), X, Y, scoring=mm.scorer(text), cv=CV)
    expected = []
    for train, test in CV.split(X, Y):
        model = GaussianNB().fit(X[train], Y[train])
        expected.append(measure(Y[test], model.predict_proba(X[test])[:, 1]))
    assert found == pytest.approx(expected)


def test_in_a_grid_search():
    search = GridSearchCV(
        GaussianNB(), {"var_smoothing": [1e-9, 1.0]}, scoring=mm.scorer(PHI), cv=CV, refit=True
    )
    search.fit(X, Y)
    assert search.best_params_["var_smoothing"] in {1e-9, 1.0}
    scorer = pickle.loads(pickle.dumps(mm.scorer(PHI)))  # noqa: S301
    model = GaussianNB().fit(X, Y)
    assert scorer(model, X, Y) == PHI(Y, model.predict_proba(X)[:, 1])
    smaller = (
        mm.scorer("two_level(brier@x, auc)") if False else mm.scorer("linear(brier, log_loss)")
    )
    assert smaller(model, X, Y) < 0


@pytest.mark.parametrize("text", ["two_level(accuracy, auc)", "linear(auc, accuracy, alpha=0.5)"])
def test_a_threshold_in_a_part_asks_for_probabilities(text):
    model = LogisticRegression().fit(X, Y)
    expected = mm.parse(text)(Y, model.predict_proba(X)[:, 1])
    assert mm.scorer(text)(model, X, Y) == pytest.approx(expected)
    assert mm.scorers(text)(model, X, Y)[text] == pytest.approx(expected)


def test_linear_has_the_direction_of_its_parts():
    assert isinstance(0.5 * mm.brier + 0.5 * mm.error_rate, Linear)
    assert (0.5 * mm.brier + 0.5 * mm.error_rate).best == "min"
    assert (mm.brier >> mm.auc).best == "min"
    assert (mm.auc >> mm.brier).best == "max"
