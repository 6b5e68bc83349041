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
        assert measure(subject) == pytest.approx(float(expected), abs=1e-12)
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
    "measure", [m for m in mm.measures(subject=None) if m.takes_classes], ids=str
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
    assert mm.hand_till_auc(*args, labels=NAMES) == pytest.approx(expected, abs=1e-12)
    result = mm.evaluate(*args, "hand_till_auc, log_loss", labels=NAMES, resamples=200)
    assert [(c.code, c.group) for c in result.checks] == [("MM02", "class fox")]
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
    rows = {(row.model, row.group, str(row.measure)): row for row in result.rows}
    assert {m for _, group, m in rows if group is None} == {
        "hand_till_auc", "ovr_auc", "log_loss", "brier", "rms", "accuracy"
    }  # fmt: skip
    for name, column in zip(NAMES, range(3), strict=True):
        row = rows["a", f"class {name}", "auc"]
        assert row.value == pytest.approx(mm.auc(code == column, scores[:, column]))
        assert (row.n_pos, row.method) == (np.count_nonzero(code == column), "delong")
    for row in result.rows:
        assert row.low < row.value < row.high
    text = str(result)
    assert "class cat" in text
    assert "300 cases; with 95 % intervals" in text


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
    found = mm.evaluate(code, scores, "hand_till_auc").rows[0]
    binary = mm.interval("auc", code, scores[:, 1])
    assert found.method == binary.method == "delong"
    assert (found.low, found.high) == pytest.approx((binary.low, binary.high), abs=1e-12)


def test_the_interval_of_hand_till_covers():
    rng = np.random.default_rng(8)
    truth = mm.hand_till_auc(*simulated(rng, 400_000, 3))
    covered = 0
    for _ in range(500):
        row = mm.evaluate(*simulated(rng, 90, 3), "hand_till_auc", mute="few-cases").rows[0]
        assert row.method == "delong"
        covered += row.low <= truth <= row.high
    assert 0.92 <= covered / 500 <= 0.98


@pytest.mark.parametrize(
    ("label", "scores", "options", "words"),
    [
        ([0, 1, 2], [[0.5, 0.5, 0.5]] * 3, {}, "add up to 1.*row 0: 1.5"),
        ([0, 1, 2], [[1.5, -0.5, 0.0]] * 3, {}, r"probabilities in \[0, 1\]"),
        ([0, 1, 2], [[0.5, 0.5]] * 3, {}, "3 classes, 0, 1, 2, but the scores have 2 columns"),
        ([0, 1, 1], [[0.2, 0.3, 0.5]] * 3, {}, "labels="),
        (["a", "b", "z"], [[0.2, 0.3, 0.5]] * 3, {"labels": ["a", "b", "c"]}, "of the classes"),
        ([0, 1, 2], [[0.2, 0.3, 0.5]] * 3, {"labels": [0, 1]}, "2 labels for 3 columns"),
        ([0, 1, 2], [[0.2, 0.3, 0.5]] * 3, {"labels": [0, 1, 1]}, "named twice"),
        ([0, 1, 2], [[0.2, 0.3, 0.5]] * 2, {}, "as many"),
        ([0, 1, 2], [[0.2, np.nan, 0.5]] * 3, {}, "lack a value"),
        ([], np.empty((0, 3)), {"labels": [0, 1, 2]}, "no cases"),
        ([0, 1, 2], [["a", "b", "c"]] * 3, {}, "real numbers"),
        ([0, 1, 2], [[0.2, 0.3, 0.5]] * 3, {"pos_label": 1}, "two classes"),
    ],
)  # fmt: skip
def test_bad_input(label, scores, options, words):
    with pytest.raises(mm.DataError, match=words):
        mm.log_loss(label, scores, **options)


def test_a_measure_of_two_classes_says_so():
    code, scores = data(30, 3)
    with pytest.raises(mm.UnknownMeasure, match="for several classes there are"):
        mm.evaluate(code, scores, "ks")
    with pytest.raises(mm.UnknownMeasure, match="several classes"):
        mm.evaluate([1, 0], [0.9, 0.1], "hand_till_auc")


def test_cases_that_lack_a_value_are_dropped_and_counted():
    code, scores = data(30, 3)
    scores[4, 1] = np.nan
    with pytest.warns(mm.DroppedCasesWarning, match="1 cases lack"):
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
        assert (row.value, row.low, row.high) == (same.value, same.low, same.high)
