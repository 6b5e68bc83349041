"""Intervals of measures of k classes that need no resamples."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, logit

import metameasure as mm
from metameasure.data import ClassScores
from metameasure.inference.influence import class_influences, standard_error
from metameasure.inference.methods.class_limits import class_limits, most_effective_cases
from metameasure.inference.methods.delta import Sizes, Slopes
from metameasure.inference.sample import ClassSample
from metameasure.measurement import parse
from metameasure.measurement.families.classes import _influences_on_ovr_auc

MEANS = ["log_loss", "log_loss(clip=0.1)", "brier", "rms", "top_k_accuracy"]
AVERAGES = ["ovr_auc", "ovr_auc(average=weighted)", "hand_till_auc"]


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
    sample = ClassSample.of({"m": read})
    found = class_influences(measure, sample, "m")
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
        sample = ClassSample.of({"m": read})
        influence = class_influences(measure, sample, "m")
        errors.append(standard_error(influence, sample, stratified=False))
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
    assert found.method in {"empirical_likelihood", "linearized", "delong_wilson"}
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


def shifted(rng, distance, sizes):
    """Normal log odds, raised by a distance for the own class."""
    label = np.repeat(np.arange(len(sizes)), sizes)
    odds = rng.normal(size=(label.size, len(sizes)))
    odds[np.arange(label.size), label] += distance
    odds = np.exp(odds)
    return label, odds / odds.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("text", ["ovr_auc", "ovr_auc(average=weighted)", "hand_till_auc"])
@pytest.mark.parametrize("distance", [-3.5, -2, 0, 2, 3.5])
def test_the_truth_is_covered_from_always_wrong_to_always_right(text, distance):
    """200 data sets of 20, 30 and 40 cases; the standard error of 95% is 1.5%."""
    rng, measure = np.random.default_rng(5), parse(text)
    truth = float(measure(*shifted(np.random.default_rng(6), distance, (8000, 12000, 16000))))
    covered = 0
    for _ in range(200):
        found = mm.interval(*shifted(rng, distance, (20, 30, 40)), text)
        covered += found.low <= truth <= found.high
    assert covered / 200 >= 0.92


@pytest.mark.parametrize("text", ["accuracy", "brier", "log_loss"])
@pytest.mark.parametrize("distance", [-3.5, 3.5])
def test_mean_losses_cover_the_truth_at_their_ends(text, distance):
    rng, measure = np.random.default_rng(7), parse(text).of_classes()
    truth = float(measure(*shifted(np.random.default_rng(8), distance, (12000,) * 3)))
    covered = 0
    for _ in range(200):
        found = mm.interval(*shifted(rng, distance, (30, 30, 30)), text)
        covered += found.low <= truth <= found.high
    assert covered / 200 >= 0.92


@pytest.mark.parametrize("text", ["ovr_auc", "hand_till_auc"])
@pytest.mark.parametrize("right", [True, False])
def test_scores_that_are_all_right_or_all_wrong_have_limits_with_width(text, right):
    label = np.repeat([0, 1, 2], 20)
    own = np.eye(3)[label]
    scores = 0.2 + 0.4 * own if right else (1 - own) / 2
    found = mm.interval(label, scores, text)
    assert found.value == right
    assert (found.high if right else found.low) == right
    # If one case in 20 is ranked last or first among the others, 60 cases show it in 95%.
    assert 0.02 < found.high - found.low < 0.1


@pytest.mark.parametrize("given", [{}, {"sample_weight": np.ones(60)}])
def test_two_columns_have_about_the_limits_of_one(given):
    rng = np.random.default_rng(9)
    for distance in (0, 1, 4):
        label, scores = shifted(rng, distance, (30, 30))
        of_classes = mm.interval(label, scores, "ovr_auc", **given)
        of_column = mm.interval(label, scores[:, 1], "auc", **given)
        assert of_classes.value == pytest.approx(of_column.value)
        width = of_column.high - of_column.low
        assert limits(of_classes) == pytest.approx(limits(of_column), abs=0.2 * width)


def test_clusters_of_equal_cases_count_once():
    label, scores = shifted(np.random.default_rng(10), 4, (20, 20, 20))
    again = np.repeat(np.arange(60), 4)
    plain = mm.interval(label, scores, "ovr_auc")
    clustered = mm.interval(label[again], scores[again], "ovr_auc", cluster=again)
    naive = mm.interval(label[again], scores[again], "ovr_auc")
    assert limits(clustered) == pytest.approx(limits(plain), abs=1e-9)
    assert naive.low > plain.low


def test_wald_limits_of_several_classes_stay_those_of_the_variance():
    label, scores = shifted(np.random.default_rng(11), 1, (30, 30, 30))
    found = mm.interval(label, scores, "hand_till_auc", method="delong")
    assert found.value - found.low == pytest.approx(found.high - found.value)


def test_weights_of_pairs_of_classes_need_no_resamples():
    label, scores = drawn()
    plain = mm.interval(label, scores, "hand_till_auc")
    equal = mm.interval(label, scores, "hand_till_auc", sample_weight=np.full(120, 2.0))
    assert (plain.method, equal.method) == ("delong_wilson", "linearized")
    # The variances of the classes have n - 1 degrees of freedom each, or all cases together.
    assert limits(equal) == pytest.approx(limits(plain), abs=1e-3)
    again = np.repeat(np.arange(120), 3)
    clustered = mm.interval(label[again], scores[again], "hand_till_auc", cluster=again)
    assert limits(clustered) == pytest.approx(limits(plain), abs=0.01)


# ------------------------------------------------------------- effective sizes of the delta method


def sizes_of(weight=None):
    """The sizes of three cases of class 0, two of class 1 and none of class 2."""
    sample = SimpleNamespace(size=5, weight=None if weight is None else np.array(weight))
    return Sizes.of(sample, SimpleNamespace(code=np.array([0, 0, 1, 0, 1]), k=3))


def test_effective_sizes_of_classes_are_kishs():
    assert sizes_of().of_classes.tolist() == [3, 2, 0]
    assert sizes_of().typical == 1
    weighted = sizes_of([1.0, 2.0, 3.0, 3.0, 1.0])
    assert weighted.of_classes == pytest.approx([36 / 14, 16 / 10, 0])
    assert weighted.typical == pytest.approx(24 / 10)


def test_influences_of_small_classes_are_enlarged():
    # n + 1 cases with the prior, one of which the mean takes: (n + 1) / n.
    influence = np.array([1.0, 2.0, 3.0, -1.0, 1.0])
    factor = np.sqrt([4 / 3, 4 / 3, 3 / 2, 4 / 3, 3 / 2])
    assert sizes_of().unbiased(influence) == pytest.approx(influence * factor)


def test_degrees_of_freedom_are_satterthwaites():
    influence = np.array([1.0, 2.0, 3.0, -1.0, 1.0])
    squares = 1 + 4 + 1, 9 + 1  # of the classes with 3 and 2 cases
    expected = sum(squares) ** 2 / (squares[0] ** 2 / 3 + squares[1] ** 2 / 2)
    assert expected > 4
    assert sizes_of().degrees(influence, 100) == pytest.approx(expected)
    assert sizes_of().degrees(influence, 5) == 4  # at most one less than the units
    assert sizes_of().degrees(np.array([1.0, 1.0, 0.0, 1.0, 0.0]), 100) == pytest.approx(3)
    assert sizes_of().degrees(np.zeros(5), 100) == 99


@pytest.mark.parametrize("text", ["macro_f_measure", "weighted_precision"])
def test_the_variance_of_the_prior_is_that_of_its_right_and_wrong_cases(text):
    label, scores = drawn()
    cases = ClassScores.of(label, scores)
    found = Slopes.of(mm.parse(text), cases, 1.0)
    wrong = [
        (found.true[i] + found.predicted[j]) ** 2 for i in range(3) for j in range(3) if i != j
    ]
    # Half of the prior of a class is right; the other half is predicted as both other classes.
    expected = 0.5 * (np.sum(found.right**2) + sum(wrong) / 2)
    assert found.prior == pytest.approx(expected)


def test_influences_do_not_depend_on_the_unit_of_the_weights():
    label, scores = drawn(30)
    weight = np.random.default_rng(2).uniform(0.5, 2, 30)
    for average in ("macro", "weighted"):
        light, heavy = (
            _influences_on_ovr_auc(
                ClassScores.of(label, scores, sample_weight=unit * weight), average
            )
            for unit in (1e-3, 1)
        )
        np.testing.assert_allclose(light, heavy, rtol=1e-9)


def value_of_cells(measure, cells):
    """The value of a matrix, by one weighted case per cell."""
    k = len(cells)
    true, predicted = np.divmod(np.arange(k * k), k)
    return float(measure(true, predicted, sample_weight=cells.reshape(-1), labels=list(range(k))))


class ByHand:
    """The delta method on a matrix with half a right and half a wrong case of each class."""

    def __init__(self, measure, k, true, weight, cluster):
        self.measure, self.k, self.true = measure, k, true
        self.weight = np.ones(true.size) if weight is None else weight
        self.cluster = np.arange(true.size) if cluster is None else cluster
        self.typical = np.sum(self.weight**2) / np.sum(self.weight)
        self.sizes = np.array(
            [self.weight[true == c].sum() ** 2 / np.sum(self.weight[true == c] ** 2)
             for c in range(k)]
        )  # fmt: skip

    def slopes(self, predicted):
        """The value with the prior, and its derivative by each cell."""
        k = self.k
        cells = np.zeros((k, k))
        np.add.at(cells, (self.true, predicted), self.weight)
        cells += self.typical * (np.eye(k) / 2 + (1 - np.eye(k)) / (2 * (k - 1)))
        found = np.zeros((k, k))
        for place in np.ndindex(k, k):
            step = np.zeros((k, k))
            step[place] = 1e-5
            ends = [value_of_cells(self.measure, cells + sign * step) for sign in (1, -1)]
            found[place] = (ends[0] - ends[1]) / 2e-5
        return value_of_cells(self.measure, cells), found

    def enlarged(self, influence):
        return influence * np.sqrt((self.sizes + 1) / self.sizes)[self.true]

    def variance(self, influence):
        sums = np.bincount(self.cluster, influence)
        return np.sum(sums**2) * sums.size / (sums.size - 1)

    def degrees(self, influence):
        squares = np.array([np.sum(influence[self.true == c] ** 2) for c in range(self.k)])
        found = squares.sum() ** 2 / np.sum(squares**2 / self.sizes)
        return min(found, np.unique(self.cluster).size - 1)

    def limits(self, predicted, value, ci):
        prior_value, slope = self.slopes(predicted)
        influence = self.enlarged(self.weight * slope[self.true, predicted])
        square = self.variance(influence)
        together = max(square / np.sum(influence**2), 1.0)
        if np.unique(self.cluster).size == self.true.size:
            together = 1.0
        right, wrong = np.diag(slope), slope[~np.eye(self.k, dtype=bool)]
        prior = (np.sum(right**2) + np.sum(wrong**2) / (self.k - 1)) / 2
        square += prior * self.typical**2 * together
        reach = stats.t.ppf((1 + ci) / 2, self.degrees(influence)) * np.sqrt(square)
        center = value + min(0.5, 1.5 / self.k) * (prior_value - value)
        low, high = self.measure.declaration.range
        share = (center - low) / (high - low)
        reach /= (high - low) * share * (1 - share)
        ends = [low + (high - low) * expit(logit(share) + side * reach) for side in (-1, 1)]
        return min(ends[0], value), max(ends[1], value)

    def pvalue(self, first, second, difference):
        gaps = np.zeros(self.true.size)
        for sign, predicted in ((1, first), (-1, second)):
            gaps += sign * self.weight * self.slopes(predicted)[1][self.true, predicted]
        gaps = self.enlarged(gaps)
        error = np.sqrt(self.variance(gaps))
        return 2 * stats.t.sf(abs(difference) / error, self.degrees(gaps))


MATRICES = [
    "accuracy",
    "balanced_accuracy",
    "macro_f_measure",
    "weighted_precision",
    "kappa",
    "mcc",
]
UNITS = {
    "plain": {},
    "weighted": {"sample_weight": np.random.default_rng(5).uniform(0.3, 2, 48)},
    "clustered": {"cluster": np.arange(48) % 16},
}


@pytest.mark.parametrize("text", MATRICES)
@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize("k", [3, 4])
def test_the_delta_method_by_hand(text, units, k):
    rng = np.random.default_rng(k)
    true = rng.integers(0, k, 16)[np.arange(48) % 16]
    first, second = (np.where(rng.random(48) < 0.6, true, rng.integers(0, k, 48)) for _ in "ab")
    given = UNITS[units]
    names = np.array(list("abcd"))[:k]
    measure = parse(text).of_classes()
    by_hand = ByHand(measure, k, true, given.get("sample_weight"), given.get("cluster"))
    found = mm.interval(names[true], names[first], measure, method="delta", ci=0.9, **given)
    assert limits(found) == pytest.approx(by_hand.limits(first, found.value, 0.9), abs=1e-6)
    models = {"a": names[first], "b": names[second]}
    (row,) = mm.compare(names[true], models, measure, **given).rows
    assert row.method == "delta"
    expected = by_hand.pvalue(first, second, row.difference)
    assert row.pvalue == pytest.approx(expected, rel=1e-4, abs=1e-7)


@pytest.mark.parametrize("variance", [0.0, 0.001, 0.02, 0.1])
def test_limits_of_means_of_aucs_are_those_of_a_fraction(variance):
    """Of at most k^3 / (2 Σ 1/n) cases; those that the variance shows if there are fewer."""
    sizes, share, width = [10.0, 20.0, 0.0, 30.0], 0.8, 2.0
    empty = SimpleNamespace(
        measure=SimpleNamespace(ends=(0.25, 0.25 + width)), value=0.25 + width * share, ci=0.9
    )
    most = 27 / 2 / (1 / 10 + 1 / 20 + 1 / 30)
    assert most_effective_cases(sizes) == pytest.approx(most)
    cases = min(most, share * (1 - share) * width**2 / variance if variance else most)
    quantile = stats.t.ppf(0.95, 12)
    # The fractions p with (share - p)^2 = t^2 p (1 - p) / cases.
    factor = quantile**2 / cases
    roots = np.sort(np.roots([1 + factor, -(2 * share + factor), share**2]).real)
    found = class_limits(empty, variance, sizes, 12)
    assert found == pytest.approx(tuple(0.25 + width * roots))


@pytest.mark.parametrize(("end", "beyond"), [(0.0, -1e-15), (1.0, 1 + 1e-15)])
def test_a_value_beyond_an_end_by_rounding_has_the_limits_of_the_end(end, beyond):
    found, expected = (
        class_limits(
            SimpleNamespace(measure=SimpleNamespace(ends=(0.0, 1.0)), value=value, ci=0.95),
            1e-9, [20.0, 30.0], 49,
        )
        for value in (beyond, end)
    )  # fmt: skip
    assert found == pytest.approx(expected, abs=1e-12)
