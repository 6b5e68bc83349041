"""Measures of k classes: slow definitions, scikit-learn, two classes, blocks, nonsense."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn import metrics

import metameasure as mm
from oracles import classes as oracle

RNG = np.random.default_rng(5)
NAMES = ["cat", "dog", "fox"]


def data(n, k, seed=1, decimals=None):
    rng = np.random.default_rng(seed)
    code = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    scores = rng.random((n, k)) + 0.7 * np.eye(k)[code]
    if decimals is not None:
        scores = scores.round(decimals) + 0.1
    return code, scores / scores.sum(axis=1, keepdims=True)


cases = st.integers(2, 4).flatmap(
    lambda k: st.tuples(
        st.just(k),
        st.lists(
            st.tuples(st.integers(0, k - 1), st.lists(st.integers(1, 4), min_size=k, max_size=k)),
            min_size=k,
            max_size=9,
        ),
    )
)


@given(cases)
def test_values_are_those_of_the_definitions(drawn):
    k, rows = drawn
    codes = [code for code, _ in rows]
    shares = [[Fraction(s, sum(row)) for s in row] for _, row in rows]
    scores = np.array(shares, dtype=float)
    assume(len(set(codes)) > 1)
    subject = mm.ClassScores.of(codes, scores, labels=list(range(k)))
    exact = [[float(s) for s in row] for row in shares]
    for measure, expected in (
        (mm.hand_till_auc, oracle.hand_till_auc(codes, exact, k)),
        (mm.ovr_auc, oracle.ovr_auc(codes, exact, k)),
        (mm.brier, oracle.brier(codes, shares)),
        (mm.accuracy, oracle.accuracy(codes, exact)),
    ):
        found = measure.of_classes().value(subject)
        assert found == pytest.approx(float(expected), abs=1e-12)
    own = [float(row[code]) for code, row in zip(codes, shares, strict=True)]
    assert mm.log_loss(subject) == pytest.approx(-sum(map(math.log, own)) / len(own), abs=1e-12)
    assert mm.rms(subject) == pytest.approx(math.sqrt(oracle.brier(codes, shares)), abs=1e-12)


@pytest.mark.parametrize("decimals", [None, 1])
@pytest.mark.parametrize("k", [3, 6])
def test_agreement_with_scikit_learn(k, decimals):
    code, scores = data(400, k, decimals=decimals)
    weight = RNG.random(400)
    auc = metrics.roc_auc_score
    assert mm.hand_till_auc(code, scores) == pytest.approx(
        auc(code, scores, multi_class="ovo"), abs=1e-12
    )
    for average in ("macro", "weighted"):
        for w in (None, weight):
            assert mm.ovr_auc(code, scores, average=average, sample_weight=w) == pytest.approx(
                auc(code, scores, multi_class="ovr", average=average, sample_weight=w), abs=1e-12
            )
    assert mm.log_loss(code, scores, sample_weight=weight) == pytest.approx(
        metrics.log_loss(code, scores, sample_weight=weight), abs=1e-12
    )


@pytest.mark.parametrize("name", ["brier", "log_loss", "rms", "accuracy"])
def test_two_classes_are_the_binary_measure(name):
    label = RNG.integers(0, 2, 200)
    score, weight = RNG.random(200), RNG.random(200)
    both = np.column_stack([1 - score, score])
    measure = getattr(mm, name)
    assert measure(label, both) == pytest.approx(measure(label, score), abs=1e-12)
    weighted = measure(label, both, sample_weight=weight)
    assert weighted == pytest.approx(measure(label, score, sample_weight=weight), abs=1e-12)
    for auc in (mm.hand_till_auc, mm.ovr_auc):
        assert auc(label, both) == pytest.approx(mm.auc(label, score), abs=1e-12)


@pytest.mark.parametrize(
    "measure", [m for m in mm.measures(subject="all") if m.takes_classes], ids=str
)
def test_whole_weights_are_repetition_and_blocks_are_loops(measure):
    code, scores = data(60, 4, decimals=1)
    subject = mm.ClassScores.of(code, scores)
    counts = RNG.integers(0, 3, (5, 60)).astype(float)
    counts[:, :4] += 1
    measure = measure.of_classes()
    block = measure.value(subject.counting(counts))
    assert block.shape == (5,)
    for row, value in zip(counts, block, strict=True):
        repeated = np.repeat(np.arange(60), row.astype(int))
        assert value == pytest.approx(measure(code[repeated], scores[repeated]), abs=1e-12)


def test_an_absent_class_is_left_out_of_means_and_named():
    code, scores = data(200, 3)
    label = np.array(NAMES)[code]
    kept = label != "fox"
    args = label[kept], scores[kept]
    expected = np.mean([
        metrics.roc_auc_score(label[kept] == name, scores[kept][:, column])
        for column, name in enumerate(NAMES[:2])
    ])  # fmt: skip
    found = mm.hand_till_auc.value(mm.ClassScores.of(*args, labels=NAMES))
    assert found == pytest.approx(expected, abs=1e-12)
    result = mm.evaluate(*args, "hand_till_auc, log_loss", labels=NAMES, resamples=200)
    assert [(c.code, c.label) for c in result.checks] == [("MM02", "fox")]
    assert not any(row.undefined for row in result.rows)


def test_one_class_has_no_auc():
    scores = data(20, 3)[1]
    with pytest.warns(mm.UndefinedMeasureWarning, match="fewer than two classes"):
        assert math.isnan(mm.hand_till_auc([0] * 20, scores, labels=[0, 1, 2]))
    assert mm.accuracy([0] * 20, scores, labels=[0, 1, 2]) <= 1


def test_an_impossible_class_that_happened_is_infinite():
    scores = [[1.0, 0.0, 0.0], [0.2, 0.3, 0.5], [0.2, 0.3, 0.5]]
    assert mm.log_loss([1, 2, 0], scores, labels=[0, 1, 2]) == math.inf
    assert mm.log_loss([1, 2, 0], scores, labels=[0, 1, 2], clip=1e-6) < 10
    zero = mm.log_loss([1, 2, 0], scores, labels=[0, 1, 2], sample_weight=[0, 1, 1])
    assert zero == pytest.approx(-(math.log(0.5) + math.log(0.2)) / 2)


def test_evaluate_has_all_measures_each_class_and_intervals():
    code, scores = data(300, 3)
    result = mm.evaluate(np.array(NAMES)[code], {"a": scores, "b": scores[:, [0, 1, 2]] ** 1.0},
                         resamples=300, mute="MM08")  # fmt: skip
    rows = {(row.model, row.label, str(row.measure)): row for row in result.rows}
    assert {row.group for row in result.rows} == {None}
    assert {m for _, label, m in rows if label is None} == {
        "accuracy", "balanced_accuracy", "macro_f_measure", "weighted_f_measure", "kappa", "mcc",
        "top_k_accuracy", "hand_till_auc", "ovr_auc", "log_loss", "brier",
    }  # fmt: skip
    predicted = scores.argmax(axis=1)
    scored = metrics.precision_recall_fscore_support(code, predicted)
    for place, name in enumerate(("precision", "tpr", "f_measure")):
        for column, label in enumerate(NAMES):
            row = rows["a", label, name]
            assert (row.value, row.n_pos) == (
                pytest.approx(scored[place][column]), scored[3][column]
            )  # fmt: skip
    for name, column in zip(NAMES, range(3), strict=True):
        row = rows["a", name, "auc"]
        assert row.value == pytest.approx(mm.auc(code == column, scores[:, column]))
        assert (row.n_pos, row.method) == (np.count_nonzero(code == column), "newcombe")
    for row in result.rows:
        assert row.low < row.value < row.high
    text = str(result)
    assert "300 cases; 95% confidence intervals" in text
    below = text.partition("a, each class\n")[2].splitlines()
    sizes = [str(np.count_nonzero(code == column)) for column in range(3)]
    assert [line.split()[:2] for line in below[1:7:2]] == [
        list(x) for x in zip(NAMES, sizes, strict=True)
    ]


def test_huang_table_3_11():
    code = [1, 1, 2, 2, 3, 3]
    scores = np.transpose([
        [0.6, 0.15, 0.3, 0.45, 0.1, 0.8],
        [0.15, 0.3, 0.5, 0.25, 0.2, 0.05],
        [0.25, 0.55, 0.2, 0.3, 0.7, 0.15],
    ])  # fmt: skip
    assert mm.hand_till_auc(code, scores) == pytest.approx(5 / 8, abs=1e-15)


def simulated(rng, n, k):
    code = np.concatenate([np.arange(k), np.arange(k), rng.integers(0, k, n - 2 * k)])
    latent = rng.normal(size=(n, k)) + np.eye(k)[code]
    return code, np.exp(latent) / np.exp(latent).sum(axis=1, keepdims=True)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_the_components_of_hand_till_are_its_projections(k):
    code, scores = simulated(np.random.default_rng(k), 40, k)
    scores = scores.round(1)
    parts = mm.hand_till_auc.declaration.sampling.components(mm.ClassScores.of(code, scores))
    assert sum(parts[code == c].mean() for c in range(k)) / 2 == pytest.approx(
        mm.hand_till_auc(code, scores)
    )
    for case in (0, 7, 23):
        others = np.flatnonzero(code != code[case])
        own = code[case]
        wins = [
            ((scores[case, own] > scores[o, own]) + (scores[case, own] == scores[o, own]) / 2
             + (scores[case, code[o]] < scores[o, code[o]])
             + (scores[case, code[o]] == scores[o, code[o]]) / 2)
            / np.count_nonzero(code == code[o])
            for o in others
        ]  # fmt: skip
        assert parts[case] == pytest.approx(sum(wins) / (k * (k - 1)))


def test_two_classes_have_the_variance_of_delong():
    code, scores = simulated(np.random.default_rng(2), 60, 2)
    found = mm.interval(code, scores, "hand_till_auc", method="delong")
    binary = mm.interval(code, scores[:, 1], "auc", method="delong")
    assert found.method == binary.method == "delong"
    assert (found.low, found.high) == pytest.approx((binary.low, binary.high), abs=1e-12)


def test_the_interval_of_hand_till_covers():
    rng = np.random.default_rng(8)
    truth = mm.hand_till_auc(*simulated(rng, 400_000, 3))
    covered = 0
    for _ in range(500):
        row = mm.evaluate(*simulated(rng, 90, 3), "hand_till_auc", mute="few-cases").rows[0]
        assert row.method == "delong_wilson"
        covered += row.low <= truth <= row.high
    assert 0.92 <= covered / 500 <= 0.98


@pytest.mark.parametrize(
    ("error", "label", "scores", "options", "words"),
    [
        (mm.DataError, [0, 1, 2], [[0.5, 0.5, 0.5]] * 3, {}, "do not sum to 1.*row 0: 1.5"),
        (mm.DataError, [0, 1, 2], [[1.5, -0.5, 0.0]] * 3, {}, r"scores outside \[0, 1\]"),
        (
            mm.DataError,
            [0, 1, 2],
            [[0.5, 0.5]] * 3,
            {},
            "3 classes, 0, 1, 2, but the scores have 2 columns",
        ),
        (mm.DataError, [0, 1, 1], [[0.2, 0.3, 0.5]] * 3, {}, "with labels"),
        (
            mm.DataError,
            ["a", "b", "z"],
            [[0.2, 0.3, 0.5]] * 3,
            {"labels": ["a", "b", "c"]},
            "the classes are",
        ),
        (
            mm.ParameterError,
            [0, 1, 2],
            [[0.2, 0.3, 0.5]] * 3,
            {"labels": [0, 1]},
            "2 labels for 3 columns",
        ),
        (
            mm.ParameterError,
            [0, 1, 2],
            [[0.2, 0.3, 0.5]] * 3,
            {"labels": [0, 1, 1]},
            "labels has duplicates: 1",
        ),
        (mm.DataError, [0, 1, 2], [[0.2, 0.3, 0.5]] * 2, {}, "differ in length: 3 and 2"),
        (mm.DataError, [0, 1, 2], [[0.2, np.nan, 0.5]] * 3, {}, "3 of 3 values of column 1"),
        (mm.DataError, [], np.empty((0, 3)), {"labels": [0, 1, 2]}, "no cases"),
        (mm.DataError, [0, 1, 2], [["a", "b", "c"]] * 3, {}, "real numbers"),
        (mm.ParameterError, [0, 1, 2], [[0.2, 0.3, 0.5]] * 3, {"pos_label": 1}, "two classes"),
    ],
)
def test_bad_input(error, label, scores, options, words):
    with pytest.raises(error, match=words):
        mm.log_loss(label, scores, **options)


def test_a_measure_of_two_classes_says_so():
    code, scores = data(30, 3)
    with pytest.raises(mm.ParameterError, match="for more classes use one of"):
        mm.evaluate(code, scores, "ks")
    with pytest.raises(mm.ParameterError, match="scores for k classes"):
        mm.evaluate([1, 0], [0.9, 0.1], "hand_till_auc")


def test_cases_that_lack_a_value_are_dropped_and_counted():
    code, scores = data(30, 3)
    scores[4, 1] = np.nan
    with pytest.warns(mm.DroppedCasesWarning, match="dropped 1 of 30 cases"):
        found = mm.brier(code, scores, nan_policy="drop", labels=[0, 1, 2])
    kept = np.arange(30) != 4
    assert found == pytest.approx(mm.brier(code[kept], scores[kept], labels=[0, 1, 2]))
    result = mm.evaluate(code, scores, "brier", ci=None, nan_policy="drop", labels=[0, 1, 2])
    assert result.rows[0].dropped == 1


def test_text_and_pickle():
    import pickle

    for measure in mm.measures(subject="classes"):
        assert mm.parse(str(measure)) == measure
        assert pickle.loads(pickle.dumps(measure)) == measure  # noqa: S301
    assert str(mm.ovr_auc.using(average="weighted")) == 'ovr_auc(average="weighted")'
    for name in ("log_loss", "accuracy"):
        of_classes = getattr(mm, name).of_classes()
        assert of_classes == getattr(mm, name).of_classes()
        assert pickle.loads(pickle.dumps(of_classes)) == of_classes  # noqa: S301
        assert of_classes != getattr(mm, name)


def test_models_that_lack_values_of_different_cases_are_judged_on_the_same_ones():
    code, scores = data(90, 3)
    first, second = scores.copy(), scores[:, [1, 2, 0]]
    first[4, 1] = second[7, 2] = np.nan
    cluster = np.arange(90) // 2
    kept = ~np.isin(np.arange(90), (4, 7))
    result = mm.evaluate(
        code, {"a": first, "b": second}, "brier, hand_till_auc", nan_policy="drop",
        labels=[0, 1, 2], cluster=cluster, resamples=200,
    )  # fmt: skip
    whole = mm.evaluate(
        code[kept], {"a": first[kept], "b": second[kept]}, "brier, hand_till_auc",
        labels=[0, 1, 2], cluster=cluster[kept], resamples=200,
    )  # fmt: skip
    assert {row.dropped for row in result.rows} == {2}
    for row, same in zip(result.rows, whole.rows, strict=True):
        # Sums over cases that lie differently in memory may differ in the last digit.
        assert (row.value, row.low, row.high) == pytest.approx(
            (same.value, same.low, same.high), rel=1e-14
        )


def test_an_interval_of_several_classes_is_that_of_the_evaluation():
    code, scores = data(120, 3)
    label = np.array(NAMES)[code]
    for name in ("hand_till_auc", "log_loss", "accuracy"):
        (row,) = mm.evaluate(label, scores, name, resamples=200).rows
        expected = row.value, row.low, row.high, row.method
        ready = mm.ClassScores.of(label, scores)
        for given_scores, options in (
            ((label, scores), {}),
            ((label, scores[:, [2, 0, 1]]), {"labels": ["fox", "cat", "dog"]}),
            ((label, dict(zip(NAMES, scores.T, strict=True))), {}),
            ((ready,), {}),
        ):
            found = mm.interval(*given_scores, name, resamples=200, **options)
            assert (found.value, found.low, found.high, found.method) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("error", "measure", "options", "words"),
    [
        (mm.ParameterError, "hand_till_auc", {"pos_label": 1}, "pos_label does not apply to"),
        (mm.ParameterError, "log_loss", {"rescale": "minmax"}, "rescale does not apply to"),
        (
            mm.DataError,
            "hand_till_auc",
            {"cluster": [1, 2]},
            "y_true and cluster differ in length: 60 and 2",
        ),
        (
            mm.ParameterError,
            "hand_till_auc",
            {"labels": {0, 1, 2}},
            "must be a list of class names",
        ),
        (mm.ParameterError, "log_loss", {"method": "normal"}, "does not apply to log_loss"),
    ],
)
def test_intervals_of_several_classes_that_cannot_be_had(error, measure, options, words):
    code, scores = data(60, 3)
    with pytest.raises(error, match=words):
        mm.interval(code, scores, measure, **options)


def test_ready_scores_are_given_alone():
    code, scores = data(60, 3)
    ready = mm.ClassScores.of(code, scores)
    with pytest.raises(mm.ParameterError, match=r"does not apply to .*ClassScores"):
        mm.interval(ready, "log_loss", sample_weight=np.ones(60))
    with pytest.raises(mm.DataError, match="one set of cases, got a block"):
        mm.interval(ready.counting(np.ones((2, 60))), "log_loss")
    with pytest.raises(mm.DataError, match="scores are missing"):
        mm.interval(code, "hand_till_auc")
    with pytest.raises(
        mm.ParameterError, match="labels names the classes of a matrix of scores, but there is none"
    ):
        mm.interval([1, 0], [0.5, 0.1], "auc", labels=[0, 1])
    with pytest.raises(mm.ParameterError, match="measure of two classes"):
        mm.interval(ready, "auc")


def test_models_of_several_classes_are_compared_by_the_same_resamples():
    code, scores = data(150, 3)
    worse = (scores + 0.5) / 2.5
    worse = worse[np.arange(150)[::-1]]
    models = {"a": scores, "b": worse, "c": scores}
    result = mm.compare(code, models, "hand_till_auc, log_loss", resamples=300)
    rows = {(row.a, row.b, row.measure): row for row in result.rows}
    row = rows["a", "b", "hand_till_auc"]
    gap = mm.hand_till_auc(code, scores) - mm.hand_till_auc(code, worse)
    assert (row.difference, row.method) == (pytest.approx(gap), "bootstrap")
    assert row.low < gap < row.high
    assert row.pvalue < 0.01
    same = rows["a", "c", "log_loss"]
    assert (same.low, same.high, same.pvalue) == (0, 0, 1)
    assert "MM08" in {check.code for check in result.checks}
    assert "150 cases; 95% confidence intervals" in str(result)
    assert result.meta["n_pos"] is None
    with pytest.raises(mm.ParameterError, match="pos_label does not apply to"):
        mm.compare(code, models, "log_loss", pos_label=1, rescale="minmax")
    assert {row.measure for row in mm.compare(code, models).rows} == {"accuracy"}
    with pytest.raises(mm.ParameterError, match="group needs a mean over groups"):
        mm.compare(code, models, "log_loss", group=code)
    with pytest.raises(mm.ParameterError, match="for more classes use one of"):
        mm.compare(code, models, "auc")
    with pytest.raises(mm.ParameterError, match='"delong" does not apply to hand_till_auc'):
        mm.compare(code, models, "hand_till_auc", method="delong")


@pytest.mark.parametrize("chosen", ["default", "all"])
def test_measures_of_probabilities_are_left_out_if_scores_are_none(chosen):
    code, scores = data(90, 3)
    result = mm.evaluate(code, {"p": scores, "s": 10 * scores - 3}, chosen, ci=None)
    assert {(item.model, item.measure) for item in result.left_out} == {
        ("s", name) for name in ("log_loss", "brier", *(("rms",) if chosen == "all" else ()))
    }  # fmt: skip
    found = {(row.model, str(row.measure)): row.value for row in result.rows if row.label is None}
    assert found["p", "hand_till_auc"] == found["s", "hand_till_auc"]
    assert ("s", "brier") not in found
    assert "left out for s, since it needs class probabilities" in str(result)
    with pytest.raises(mm.DataError, match=r"brier needs probabilities.*87 cases"):
        mm.evaluate(code, 10 * scores - 3, "brier")


@pytest.mark.parametrize("chosen", ["hand_till_auc", "default", "all"])
@pytest.mark.parametrize("ci", [None, 0.95])
def test_one_warning_for_all_that_is_undefined(chosen, ci):
    scores = data(20, 3)[1]
    with pytest.warns(mm.UndefinedMeasureWarning, match=r"(hand_till_auc|mcc) of model") as caught:
        result = mm.evaluate([0] * 20, scores, chosen, ci, labels=[0, 1, 2], resamples=50)
    assert [warning.filename for warning in caught] == [__file__]
    assert any(row.undefined for row in result.rows)


def test_a_class_without_weight_is_absent():
    code, scores = data(120, 3)
    weight = np.where(code == 2, 0.0, 1.5)
    result = mm.evaluate(code, scores, "ovr_auc", sample_weight=weight, resamples=200)
    assert [(c.code, c.label) for c in result.checks] == [("MM02", "2")]
    kept = code != 2
    expected = mm.ovr_auc.value(mm.ClassScores.of(code[kept], scores[kept], labels=[0, 1, 2]))
    assert result.rows[0].value == pytest.approx(expected, abs=1e-12)
    assert result.rows[0].n == np.count_nonzero(kept)


def test_many_classes_need_few_lines():
    code, scores = data(1000, 100)
    result = mm.evaluate(code, scores, ci=None)
    lines = str(result).splitlines()
    assert len(lines) < 40
    assert "the 15 of 100 classes with the worst f_measure" in lines
    assert sum(line.startswith("check MM01") for line in lines) == 1
    assert "(class 0, class 1, class 2, class 3 and 96 more)" in str(result)
    assert "group class" not in str(result)
    first = next(place for place, line in enumerate(lines) if line.startswith("class  cases"))
    shown = [float(line.split()[-2]) for line in lines[first + 1 :][:15]]
    every = sorted(r.value for r in result.rows if r.label and str(r.measure) == "f_measure")
    assert sorted(shown) == pytest.approx(every[:15], abs=5e-5)


def test_a_measure_names_the_classes_that_it_leaves_out():
    code, scores = data(60, 3)
    kept = code != 2
    for measure in (mm.hand_till_auc, mm.ovr_auc):
        with pytest.warns(mm.UndefinedMeasureWarning, match="leaves out 1 of 3 .*: 2") as caught:
            measure(code[kept], scores[kept], labels=[0, 1, 2])
        assert [warning.filename for warning in caught] == [__file__]
    mm.log_loss(code[kept], scores[kept], labels=[0, 1, 2])


@pytest.mark.parametrize("measure", [mm.hand_till_auc, mm.brier], ids=str)
def test_warnings_of_measures_of_classes_point_at_the_caller(measure):
    code, scores = data(60, 3)
    scores[3, 1] = np.nan
    with pytest.warns(mm.DroppedCasesWarning) as caught:
        measure(code, scores, nan_policy="drop")
    assert [warning.filename for warning in caught] == [__file__]


def test_a_measure_of_both_takes_every_form():
    code, scores = data(60, 3)
    expected = mm.log_loss(code, scores)
    assert mm.log_loss(code, dict(enumerate(scores.T))) == expected
    assert mm.log_loss(code, scores.tolist()) == expected
    with pytest.raises(mm.DataError, match="one column per class"):
        mm.log_loss([0, 1], [[0.5, 0.5], [1.0]])
    assert "labels" in mm.brier.__signature__.parameters
    assert "labels" in mm.auc.__signature__.parameters
