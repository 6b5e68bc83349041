"""Intervals of measures of k classes that need no resamples."""

import numpy as np
import pytest

import metameasure as mm
from metameasure.data import ClassScores
from metameasure.inference.influence import standard_error
from metameasure.inference.sample import ClassSample
from metameasure.measurement import parse

MEANS = ["log_loss", "log_loss(clip=0.1)", "brier", "rms", "top_k_accuracy"]
AVERAGES = ["ovr_auc", "ovr_auc(average=weighted)"]


def drawn(n=120, k=3, seed=1):
    rng = np.random.default_rng(seed)
    scores = rng.dirichlet(np.ones(k), n)
    return np.array([rng.choice(k, p=row) for row in scores]), scores


def limits(interval):
    return interval.low, interval.high


@pytest.mark.parametrize("text", ["log_loss", "log_loss(clip=0.1)", "brier", "rms"])
@pytest.mark.parametrize("given", [{}, {"cluster": np.arange(120) // 4}])
def test_two_classes_have_the_limits_of_one_column(text, given):
    label, scores = drawn(k=2)
    of_classes = mm.interval(label, scores, text, **given)
    of_column = mm.interval(label, scores[:, 1], text, **given)
    assert of_classes.method == of_column.method == "empirical_likelihood"
    assert limits(of_classes) == pytest.approx(limits(of_column), rel=1e-9)


@pytest.mark.parametrize("text", MEANS)
def test_losses_of_the_own_class_have_the_value_as_mean(text):
    label, scores = drawn()
    measure = parse(text).of_classes()
    read = ClassScores.of(label, scores)
    losses = measure.sampling.losses(read, **dict(measure.parameters))
    mean = losses[np.arange(label.size), read.code].mean()
    of_mean = measure.sampling.of_mean or (lambda x: x)
    assert of_mean(mean) == pytest.approx(measure.compute(read), rel=1e-12)


@pytest.mark.parametrize("text", AVERAGES)
@pytest.mark.parametrize("ties", [False, True])
def test_influences_are_derivatives_by_the_weight_of_a_case(text, ties):
    label, scores = drawn(40)
    scores = scores.round(1) if ties else scores
    weight = np.random.default_rng(2).random(40) + 0.2
    measure = parse(text)

    def value(weights):
        return float(measure(label, scores, sample_weight=weights))

    read = ClassScores.of(label, scores, sample_weight=weight)
    found = measure.sampling.influences(read, **dict(measure.parameters))
    for case in range(40):
        step = np.zeros(40)
        step[case] = 1e-6
        slope = (value(weight + step) - value(weight - step)) / 2e-6
        assert found[case] == pytest.approx(slope * weight[case], abs=1e-8)
    assert found.sum() == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("text", AVERAGES)
def test_standard_errors_are_those_of_many_samples(text):
    measure, values, errors = parse(text), [], []
    for seed in range(300):
        label, scores = drawn(300, seed=seed)
        read = ClassScores.of(label, scores)
        values.append(measure.compute(read))
        influence = measure.sampling.influences(read, **dict(measure.parameters))
        errors.append(standard_error(influence, ClassSample.of({"m": read}), stratified=False))
    # The standard deviation of 300 values has an error of 4%.
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.14)


@pytest.mark.parametrize("text", [*MEANS, *AVERAGES])
@pytest.mark.parametrize(
    "given",
    [{}, {"sample_weight": 1 + np.arange(300) % 3}, {"cluster": np.arange(300) // 3}],
    ids=lambda given: next(iter(given), "plain"),
)
def test_limits_are_near_those_of_resamples(text, given):
    label, scores = drawn(300)
    found = mm.interval(label, scores, text, **given)
    assert found.method in {"empirical_likelihood", "linearized"}
    resampled = mm.interval(label, scores, text, method="percentile", **given)
    width = resampled.high - resampled.low
    # A large loss that was not observed widens the upper limit of the log loss.
    room = 0.7 if text == "log_loss" else 0.12
    assert found.low == pytest.approx(resampled.low, abs=0.12 * width)
    assert found.high == pytest.approx(resampled.high, abs=room * width)


def test_a_class_with_one_case_has_no_interval_of_a_mean_over_classes():
    label, scores = drawn(40)
    label[:] = label % 2
    label[0] = 2
    assert "two cases per class" in mm.interval(label, scores, "ovr_auc").reason
    assert mm.interval(label, scores, "brier").reason is None


def test_a_perfect_ranking_has_a_bound():
    label = np.repeat([0, 1, 2], 10)
    found = mm.interval(label, np.eye(3)[label] * 0.6 + 0.4 / 3, "ovr_auc")
    assert (found.method, found.value, found.high) == ("bound", 1, 1)
    assert 0.7 < found.low < 1
