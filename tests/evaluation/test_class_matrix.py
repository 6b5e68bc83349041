"""Measures of the confusion matrix of k classes: definitions, scikit-learn, labels and scores."""

import math
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

import metameasure as mm
from metameasure.data import ClassLabels, ClassScores
from oracles import classes as oracle

NAMES = np.array(["cat", "dog", "fox", "owl"])
RNG = np.random.default_rng(3)
PAIRS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 5)), min_size=1, max_size=12
)
FROM_LABELS = (
    "accuracy", "balanced_accuracy", "macro_f_measure", "weighted_f_measure", "kappa", "mcc"
)  # fmt: skip
SCIKIT_LEARN = {
    "accuracy": metrics.accuracy_score,
    "error_rate": metrics.zero_one_loss,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "macro_f_measure": lambda y, p, **w: metrics.f1_score(y, p, average="macro", **w),
    "weighted_f_measure": lambda y, p, **w: metrics.f1_score(y, p, average="weighted", **w),
    "macro_precision": lambda y, p, **w: metrics.precision_score(y, p, average="macro", **w),
    "weighted_precision": lambda y, p, **w: metrics.precision_score(y, p, average="weighted", **w),
    "kappa": metrics.cohen_kappa_score,
    "mcc": metrics.matthews_corrcoef,
}


def labels(n=200, k=4, seed=1, right=0.7):
    rng = np.random.default_rng(seed)
    true = rng.integers(0, k, n)
    return true, np.where(rng.random(n) < right, true, rng.integers(0, k, n))


def quiet(function, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mm.UndefinedMeasureWarning)
        return function(*args, **options)


@given(PAIRS)
def test_averages_are_those_of_the_definitions(rows):
    true, predicted, weight = zip(*rows, strict=True)
    counts = oracle.matrix(true, predicted, 4, weight)
    for name, expected in (
        ("balanced_accuracy", oracle.average(counts, 1)),
        ("macro_precision", oracle.average(counts, 0)),
        ("weighted_precision", oracle.average(counts, 0, weighted=True)),
        ("macro_f_measure", oracle.average(counts, 2)),
        ("weighted_f_measure", oracle.average(counts, 2, weighted=True)),
    ):
        found = quiet(
            mm.parse(name).of_classes(),
            np.array(true), np.array(predicted), labels=[0, 1, 2, 3], sample_weight=weight,
        )  # fmt: skip
        assert math.isnan(found) if expected is None else found == pytest.approx(float(expected))


@pytest.mark.parametrize("name", SCIKIT_LEARN)
@pytest.mark.parametrize("weighted", [False, True])
def test_agreement_with_scikit_learn(name, weighted):
    true, predicted = labels()
    options = {"sample_weight": RNG.random(200)} if weighted else {}
    measure, expected = mm.parse(name), SCIKIT_LEARN[name](true, predicted, **options)
    assert measure(true, predicted, **options) == pytest.approx(expected, abs=1e-12)
    one_hot = np.eye(4)[predicted]
    assert measure(true, one_hot, **options) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_top_k_accuracy(k):
    rng = np.random.default_rng(k)
    true, scores = rng.integers(0, 4, 60), rng.random((60, 4))
    assert mm.top_k_accuracy(true, scores, k=k) == pytest.approx(
        metrics.top_k_accuracy_score(true, scores, k=k)
    )
    tied = rng.integers(0, 3, (15, 4)).astype(float)
    expected = oracle.top_k(true[:15], tied, k)
    assert mm.top_k_accuracy(true[:15], tied, k=k, labels=range(4)) == pytest.approx(
        float(expected)
    )


def test_a_tie_counts_in_equal_parts_for_each_class():
    found = mm.evaluate(["a", "b", "c"], [[0.4, 0.4, 0.2], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]])
    assert found.value("accuracy") == pytest.approx(2.5 / 3)
    assert found.value("precision", label="b") == pytest.approx(1 / 1.5)
    assert found.value("tpr", label="a") == pytest.approx(0.5)
    assert {row.n for row in found.rows} == {3}


def test_top_k_needs_more_classes():
    true, scores = [0, 1, 0, 1], np.full((4, 2), 0.5)
    result = mm.evaluate(ClassScores.of(true, scores), ci=None)
    assert [item.measure for item in result.left_out] == ["top_k_accuracy(k=2)"]
    with pytest.raises(mm.ParameterError, match=r"top_k_accuracy needs at least 3 classes, got 2"):
        mm.evaluate(true, scores, "top_k_accuracy")


FORMS = {
    "text": (lambda t, p: (NAMES[t], NAMES[p]), {}),
    "integers": (lambda t, p: (t, p), {}),
    "whole floats": (lambda t, p: (t, p.astype(float)), {}),
    "lists": (lambda t, p: (NAMES[t].tolist(), NAMES[p].tolist()), {}),
    "a dict": (lambda t, p: (NAMES[t], {"model": NAMES[p]}), {}),
    "pandas": (lambda t, p: (NAMES[t], pd.DataFrame({"model": NAMES[p]})), {}),
    "categories": (lambda t, p: (NAMES[t], pd.Series(NAMES[p]).astype("category")), {}),
    "columns": (
        lambda t, p: (pl.DataFrame({"y": NAMES[t], "model": NAMES[p]}),),
        {"label": "y", "predicted": "model"},
    ),
    "explicit": (lambda t, p: (t,), {"predicted": labels()[1]}),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_predicted_labels(form):
    true, predicted = labels()
    make, options = FORMS[form]
    result = mm.evaluate(*make(true, predicted), **options)
    assert [str(row.measure) for row in result.rows if row.label is None] == list(FROM_LABELS)
    assert result.models == ["model"]
    assert result.value("kappa") == pytest.approx(metrics.cohen_kappa_score(true, predicted))
    assert {item.reason for item in result.left_out} == {
        "it needs scores, not only predicted labels"
    }


def test_predicted_labels_of_a_file(tmp_path):
    true, predicted = labels()
    path = tmp_path / "animals.csv"
    frame = pl.DataFrame({"y": NAMES[true], "p": NAMES[predicted], "q": NAMES[true]})
    frame.write_csv(path)
    result = mm.evaluate(str(path), label="y", predicted="p, q", ci=None)
    assert result.value("accuracy", model="p") == pytest.approx(np.mean(true == predicted))
    assert result.value("accuracy", model="q") == 1


@pytest.mark.parametrize(
    ("error", "args", "options", "words"),
    [
        (mm.DataError, (["a", "b", "c"], ["a", "b"]), {}, "differ in length: 3 and 2"),
        (mm.DataError, (["a", "b", "c"], ["a", None, "c"]), {}, "1 of 3"),
        (
            mm.ParameterError,
            (["a", "b", "c"], ["a", "b", "c"], "auc"),
            {},
            "measure of two classes",
        ),
        (
            mm.ParameterError,
            (["a", "b", "c"], ["a", "b", "c"], "log_loss"),
            {},
            "log_loss is a measure of scores for k classes, got predicted labels",
        ),
        (mm.DataError, ([0, 1, 2],), {"predicted": ["a", "b", "c"]}, "numbers and text"),
        (
            mm.DataError,
            (["a", "b", "c"], ["a", "b", "d"]),
            {"labels": ["a", "b", "c"]},
            "scores has 1 cases with labels that are not named, 'd'",
        ),
        (
            mm.DataError,
            (["a", "b", "c"], ["a", "b", "c"]),
            {"group": [1, 2]},
            "y_true and group differ in length: 3 and 2",
        ),
        (
            mm.ParameterError,
            (pl.DataFrame({"y": ["a"], "p": ["a"]}),),
            {"predicted": "p"},
            "predicted needs the column of the classes",
        ),
    ],
)
def test_bad_predicted_labels(error, args, options, words):
    with pytest.raises(error, match=words):
        mm.evaluate(*args, **options)


def test_missing_labels_are_dropped_for_all_models():
    result = mm.evaluate(
        ["a", "b", "c", "a"], {"m": ["a", None, "c", "a"], "o": ["a", "b", "c", None]},
        "accuracy", ci=None, nan_policy="drop",
    )  # fmt: skip
    assert [(row.value, row.n, row.dropped) for row in result.rows] == [(1.0, 2, 2)] * 2


def test_a_class_that_is_never_predicted_is_named():
    true, predicted = ["a", "a", "b", "c"], ["a", "b", "b", "b"]
    with pytest.warns(mm.UndefinedMeasureWarning, match="precision of model is undefined"):
        result = mm.evaluate(true, predicted, ci=None)
    assert math.isnan(result.value("precision", label="c"))
    assert result.value("f_measure", label="c") == 0
    assert result.value("macro_f_measure") == pytest.approx((2 / 3 + 1 / 2 + 0) / 3)
    (undefined,) = result.undefined
    assert (undefined.label, undefined.reason) == ("c", "no case lies above the cut")
    with pytest.warns(
        mm.UndefinedMeasureWarning, match="1 of 3 classes, which are never predicted"
    ):
        assert mm.macro_precision(true, predicted) == pytest.approx((1 + 1 / 3) / 2)
    result = mm.evaluate(true, predicted, "macro_precision", ci=None, mute="few-cases")
    assert [(check.code, check.name) for check in result.checks] == [("MM21", "left-out-classes")]


def test_undefined_matrices_say_why():
    with pytest.warns(mm.UndefinedMeasureWarning, match="mcc of model is undefined"):
        result = mm.evaluate(["a", "b", "c"], ["b", "b", "b"], "mcc, kappa")
    assert math.isnan(result.value("mcc"))
    assert result.value("kappa") == 0


@pytest.mark.parametrize("name", [*FROM_LABELS, "macro_precision"])
@pytest.mark.parametrize(
    "given_options",
    [{}, {"sample_weight": 1 + np.arange(400) % 3}, {"cluster": np.arange(400) // 4}],
    ids=lambda options: next(iter(options), "plain"),
)
def test_limits_are_near_those_of_resamples(name, given_options):
    true, predicted = labels(400)
    found = mm.interval(true, predicted, name, **given_options)
    assert found.method == "delta"
    resampled = mm.interval(true, predicted, name, method="percentile", **given_options)
    width = resampled.high - resampled.low
    assert found.low == pytest.approx(resampled.low, abs=0.15 * width)
    assert found.high == pytest.approx(resampled.high, abs=0.15 * width)


def test_clusters_of_copies_count_once():
    true, predicted = labels(150)
    alone = mm.interval(true, predicted, "macro_f_measure")
    four = mm.interval(
        np.repeat(true, 4), np.repeat(predicted, 4), "macro_f_measure",
        cluster=np.repeat(np.arange(150), 4),
    )  # fmt: skip
    assert four.value == pytest.approx(alone.value)
    assert four.high - four.low == pytest.approx(alone.high - alone.low, rel=0.1)


@pytest.mark.parametrize("name", [*FROM_LABELS, "weighted_precision"])
def test_slopes_are_derivatives_by_the_weight_of_a_case(name):
    from metameasure.inference.methods import delta

    true, predicted = labels(60)
    measure = mm.parse(name).of_classes()
    weight = RNG.random(60) + 0.3

    def value(weights):
        cases = ClassLabels.of(true, {"m": predicted}, sample_weight=weights)["m"]
        return float(measure.of_cuts(delta._with_prior(cases.cuts, 0.5)))

    cases = ClassLabels.of(true, {"m": predicted}, sample_weight=weight)["m"]
    found = delta.Slopes.of(measure, cases, 1.0).influences(cases)
    for case in range(0, 60, 7):
        step = np.zeros(60)
        step[case] = 1e-5
        slope = (value(weight + step) - value(weight - step)) / 2e-5
        assert found[case] == pytest.approx(slope * weight[case], abs=1e-7)


@pytest.mark.parametrize("name", ["balanced_accuracy", "macro_f_measure", "kappa"])
def test_intervals_cover(name):
    """Three classes, one of them rare; the standard error of 400 data sets is about 1%."""
    rng = np.random.default_rng(2)
    cells = np.outer([0.5, 0.4, 0.1], [0.1, 0.1, 0.1])
    cells[np.diag_indices(3)] = [0.4, 0.32, 0.08]
    truth = mm.ConfusionMatrix(cells)
    expected = {
        "balanced_accuracy": oracle.average(cells, 1),
        "macro_f_measure": oracle.average(cells, 2),
        "kappa": truth.measure("kappa"),
    }[name]
    covered = 0
    for _ in range(400):
        drawn = rng.choice(9, 100, p=cells.ravel() / cells.sum())
        found = mm.interval(drawn // 3, drawn % 3, name)
        covered += found.low <= float(expected) <= found.high
    assert covered / 400 > 0.92


def test_two_models_are_compared_case_by_case():
    true, first = labels(300)
    second = np.where(RNG.random(300) < 0.1, RNG.integers(0, 4, 300), first)
    models = {"a": first, "b": second, "c": first}
    result = mm.compare(true, models, "accuracy, kappa, macro_f_measure")
    rows = {(row.a, row.b, row.measure): row for row in result.rows}
    row = rows["a", "b", "accuracy"]
    gaps = (first == true) * 1.0 - (second == true)
    assert row.method == "delta"
    assert row.difference == pytest.approx(gaps.mean())
    expected = 1.97 * gaps.std() / math.sqrt(300)
    assert (row.high - row.low) / 2 == pytest.approx(expected, rel=0.05)
    same = rows["a", "c", "kappa"]
    assert (same.low, same.high, same.pvalue) == (0, 0, 1)
    assert "a and c have the same predicted labels" in str(result)


def test_the_test_rejects_as_often_as_it_should():
    """Two equally good models; the standard error of 400 data sets is about 1%."""
    rng = np.random.default_rng(4)
    rejected = 0
    for _ in range(400):
        true = rng.choice(3, 150, p=[0.5, 0.4, 0.1])
        models = {
            name: np.where(rng.random(150) < 0.7, true, (true + rng.integers(1, 3, 150)) % 3)
            for name in "ab"
        }
        rejected += mm.compare(true, models, "macro_f_measure").rows[0].pvalue < 0.05
    assert 0.01 <= rejected / 400 <= 0.085


def test_scores_that_are_integers_are_not_labels():
    with pytest.raises(mm.DataError, match="3"):
        mm.evaluate([0, 1, 2, 1], [10, 20, 30, 40])
    binary = mm.evaluate([0, 1, 1, 0], [0, 1, 1, 1], "accuracy", ci=None)
    assert binary.rows[0].n_pos == 2


def test_a_baseline_of_two_classes_is_not_one_of_several():
    constant = np.full((30, 3), 1 / 3)
    assert mm.balanced_accuracy(np.arange(30) % 3, constant) == pytest.approx(1 / 3)
    assert mm.balanced_accuracy.of_classes().declaration.baseline is None


def test_models_of_several_classes_are_compared_by_accuracy_by_default():
    rng = np.random.default_rng(2)
    true = np.array(["cat", "dog", "fox"])[np.arange(60) % 3]
    models = {name: rng.dirichlet([1, 1, 1], 60) for name in "ab"}
    assert mm.compare(true, models).rows == mm.compare(true, models, "accuracy").rows


LACKING = {
    "which have no cases": lambda cases, predictions: not cases,
    "which are never predicted": lambda cases, predictions: not predictions,
    "which have no cases and are never predicted": lambda cases, predictions: (
        not (cases or predictions)
    ),
}
AVERAGES = [
    one
    for one in (m.of_classes() for m in mm.measures() if m.takes_classes)
    if one.declaration.matrix and one.declaration.leaves_out
]


@given(PAIRS)
def test_classes_are_left_out_that_lack_what_the_reason_says(rows):
    true, predicted, weight = map(np.array, zip(*rows, strict=True))
    cases = ClassLabels.of(true, {"m": predicted}, labels=[0, 1, 2, 3], sample_weight=weight)["m"]
    for measure in AVERAGES:
        lacks = LACKING[measure.declaration.leaves_out.why]
        expected = [c for c in range(4) if lacks((true == c).any(), (predicted == c).any())]
        assert list(measure.left_out(cases)) == expected
