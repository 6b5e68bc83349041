"""Selection among trained models: against loops written by hand, for any number of workers."""

import json
import math
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import metameasure as mm
from metameasure.errors import DataError, ParameterError
from metameasure.lab.training.candidates import Candidate, Candidates, scores_of, seeded
from metameasure.lab.training.labeled_data import LabeledData, part_of
from metameasure.lab.training.splits import Splits, stratified_sets

lab = mm.lab


class OneColumn:
    """An estimator without scikit-learn's interface: a column, rounded so that scores tie."""

    def __init__(self, column, steps=4):
        self.column, self.steps = column, steps

    def fit(self, X, y):
        self.sign = 1 if np.corrcoef(X[:, self.column], y)[0, 1] >= 0 else -1
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        score = 1 / (1 + np.exp(-self.sign * X[:, self.column]))
        score = np.round(score * self.steps) / self.steps
        return np.column_stack([1 - score, score])


class Failing(OneColumn):
    def fit(self, X, y):
        raise RuntimeError("no convergence")


def data(n=60, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, 5)) + y[:, np.newaxis] * np.array([0.9, 0.8, 0.7, 0.6, 0.5])
    return X, y


COLUMNS = {f"column {c}": OneColumn(c) for c in range(5)}


def splits_of(seed=1, **options):
    given = {
        "train": None, "validation": 0.1, "test": None, "folds": None, "repeats": 1,
        "stratified": True, "seed": seed,
    }  # fmt: skip
    return Splits.of(**(given | options))


# Oracles


def auc_by_hand(y, s):
    pairs = [(a, b) for a, k in zip(s, y, strict=True) for b, m in zip(s, y, strict=True) if k > m]
    return sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs)


def brier_by_hand(y, s):
    return -sum((a - k) ** 2 for a, k in zip(s, y, strict=True)) / len(y)


def accuracy_by_hand(y, s):
    return sum((a >= 0.5) == (k == 1) for a, k in zip(s, y, strict=True)) / len(y)


BY_HAND = {"auc": auc_by_hand, "brier": brier_by_hand, "accuracy": accuracy_by_hand}


def selected_by_hand(X, y, splits, ties):
    """Per measure and split: goal reached, regret, hit and MSA."""
    found = {name: [] for name in BY_HAND}
    for number in range(splits.count):
        train, validation, test = splits.split(number, y)
        models = [OneColumn(c).fit(X[train], y[train]) for c in range(5)]
        on_validation = [m.predict_proba(X[validation])[:, 1] for m in models]
        on_test = [m.predict_proba(X[test])[:, 1] for m in models]
        goals = [auc_by_hand(y[test], s) for s in on_test]
        for name, measure in BY_HAND.items():
            values = [measure(y[validation], s) for s in on_validation]
            best = [i for i, v in enumerate(values) if v > max(values) - 1e-12]
            if ties == "first":
                best = best[:1]
            elif ties == "brier":
                second = [brier_by_hand(y[validation], on_validation[i]) for i in best]
                best = [i for i, v in zip(best, second, strict=True) if v > max(second) - 1e-12]
            reached = sum(goals[i] for i in best) / len(best)
            hit = sum(goals[i] > max(goals) - 1e-12 for i in best) / len(best)
            alike = []
            for i in range(5):
                for j in range(i):
                    a, b = values[i] - values[j], goals[i] - goals[j]
                    tied = abs(a) < 1e-12 or abs(b) < 1e-12
                    alike.append(0.5 if tied else float((a > 0) == (b > 0)))
            found[name].append((reached, max(goals) - reached, hit, sum(alike) / len(alike)))
    return {name: np.array(rows) for name, rows in found.items()}


@pytest.mark.parametrize("ties", ["random", "first", "brier"])
@pytest.mark.parametrize(
    "options", [{"repeats": 12, "validation": 0.2}, {"folds": 4, "repeats": 2}]
)
def test_everything_is_as_counted_by_hand(ties, options):
    X, y = data()
    found = lab.select_models(COLUMNS, X, y, "brier, accuracy", ties=ties, workers=1, **options)
    splits = splits_of(**options)
    expected = selected_by_hand(X, y, splits, ties)
    for row in found.rows:
        reached, regret, hit, msa = expected[row.measure].T
        assert row.splits == splits.count
        assert row.reached == pytest.approx(reached.mean())
        assert row.reached_se == pytest.approx(stats.sem(reached))
        assert row.regret == pytest.approx(regret.mean(), abs=1e-12)
        assert row.hit_rate == pytest.approx(hit.mean())
        assert row.msa == pytest.approx(msa.mean())
        assert found.trained[""].reached[row.measure] == pytest.approx(reached)
    assert [row.regret for row in found.rows] == sorted(row.regret for row in found.rows)
    every = [[part.size for part in splits.split(n, y)] for n in range(splits.count)]
    sizes = np.mean(every, axis=0)
    for test in found.tests:
        a, b = expected[test.a][:, 0], expected["auc"][:, 0]
        gaps = np.round(a - b, 12)
        assert (test.wins, test.ties, test.losses) == (
            (gaps > 0).sum(), (gaps == 0).sum(), (gaps < 0).sum()
        )  # fmt: skip
        assert test.difference == pytest.approx(gaps.mean(), abs=1e-12)
        exact = stats.binomtest(test.wins, test.wins + test.losses).pvalue
        assert test.sign_pvalue == pytest.approx(exact)
        assert test.t_pvalue == pytest.approx(stats.ttest_rel(a, b).pvalue, abs=1e-9)
        share = sizes[2] / (sizes[0] + sizes[1])
        t = gaps.mean() / math.sqrt((1 / gaps.size + share) * gaps.var(ddof=1))
        assert test.corrected_pvalue == pytest.approx(
            2 * stats.t.sf(abs(t), gaps.size - 1), abs=1e-9
        )
        assert test.corrected_pvalue >= test.t_pvalue
    assert any(test.ties for test in found.tests)


def test_the_wilcoxon_pvalue_is_that_of_the_whole_test():
    a, b = np.random.default_rng(1).integers(0, 6, (2, 40)) / 8
    assert mm.inference.wilcoxon_pvalue(a, b) == mm.inference.wilcoxon_test(a, b).pvalue


def test_the_number_of_workers_does_not_matter():
    X, y = data(80)
    candidates = {
        "trees": lab.attribute_subsets(
            DecisionTreeClassifier(max_features=1), remove=2, candidates=3
        ),
        "nb": GaussianNB(),
    }
    one, two = (
        lab.select_models(candidates, X, y, "auc, brier", repeats=9, workers=w) for w in (1, 2)
    )
    assert one.to_json() == two.to_json()
    again = lab.select_models(candidates, X, y, "auc, brier", repeats=9, workers=1, seed=2)
    assert again.to_json() != one.to_json()
    assert one.trained[""].candidates == (
        "trees subset 1",
        "trees subset 2",
        "trees subset 3",
        "nb",
    )


def test_over_data_sets():
    sets = {name: data(60, seed) for name, seed in zip("abcdefg", range(7), strict=True)}
    found = lab.select_models(COLUMNS, sets, measures="auc, accuracy", repeats=6, workers=1)
    reached = {
        measure: [np.mean(found.trained[name].reached[measure]) for name in sets]
        for measure in ("auc", "accuracy")
    }
    (row,) = [row for row in found.over_datasets if row.a == "accuracy"]
    gaps = np.round(np.subtract(reached["accuracy"], reached["auc"]), 12)
    assert (row.wins, row.losses) == ((gaps > 0).sum(), (gaps < 0).sum())
    assert row.difference == pytest.approx(gaps.mean())
    assert row.sign_pvalue == pytest.approx(stats.binomtest(row.wins, row.wins + row.losses).pvalue)
    assert row.t_pvalue == pytest.approx(stats.ttest_1samp(gaps, 0).pvalue)
    assert row.wilcoxon_pvalue == pytest.approx(stats.wilcoxon(gaps).pvalue)
    assert sum(row.rank for row in found.over_datasets) == pytest.approx(3)
    p = stats.chi2.sf((row.wins - row.losses) ** 2 / (row.wins + row.losses), 1)
    assert found.meta["friedman"]["pvalue"] == pytest.approx(p)
    one = lab.select_models(COLUMNS, *sets["c"], "auc, accuracy", repeats=6, workers=1)
    assert one.trained[""].reached["accuracy"] == pytest.approx(
        found.trained["c"].reached["accuracy"]
    )
    page = found.table()
    assert "wins-ties-losses against auc" in page
    assert "tests over 7 data sets" in page
    assert found.to_polars("tests").height == 7


def test_a_goal_that_is_best_when_small():
    X, y = data()
    found = lab.select_models(COLUMNS, X, y, "auc", "brier", repeats=10, workers=1)
    goals = found.trained[""].goals
    for row in found.rows:
        reached = found.trained[""].reached[row.measure]
        assert row.regret == pytest.approx(np.mean(reached - goals.min(axis=1)))
    (test,) = found.tests
    gaps = found.trained[""].reached["brier"] - found.trained[""].reached["auc"]
    assert test.difference == pytest.approx(gaps.mean())
    assert "lowest brier reached" in found.to_latex()


def test_picks_and_shapes():
    X, y = data()
    found = lab.select_models(COLUMNS, X, y, "auc", "auc", repeats=5, workers=1)
    assert sum(pick.share for pick in found.picks) == pytest.approx(1)
    read = json.loads(found.to_json())
    assert read["goal"] == "auc"
    assert len(read["picks"]) == 5
    assert not found.tests
    assert "auc reached" in found.to_latex()


def test_three_classes():
    rng = np.random.default_rng(3)
    y = np.repeat(["a", "b", "c"], 30)
    X = rng.normal(size=(90, 3)) + (y == "b")[:, None] + 2 * (y == "c")[:, None] * [1, 0, 0]
    trees = lab.grid(DecisionTreeClassifier(), {"max_depth": [1, 3, 5]})
    found = lab.select_models(
        trees, X, y, "accuracy, log_loss(clip=0.01)", "hand_till_auc", repeats=4, workers=1
    )
    splits = splits_of(repeats=4)
    code = np.unique(y, return_inverse=True)[1]
    train, _, test = splits.split(2, code)
    seeds = splits.rng(2, 1)
    for place, depth in enumerate([1, 3, 5]):
        tree = seeded(DecisionTreeClassifier(max_depth=depth), seeds).fit(X[train], y[train])
        value = mm.hand_till_auc(y[test], tree.predict_proba(X[test]))
        assert found.trained[""].goals[2, place] == pytest.approx(value)
    with pytest.raises(ParameterError, match="two classes"):
        lab.select_models(trees, X, y, "ks", "accuracy")


# Splits


@pytest.mark.parametrize("stratified", [True, False])
def test_fractions(stratified):
    code = np.array([0] * 40 + [1] * 60)
    splits = splits_of(train=0.5, validation=0.1, repeats=5, stratified=stratified)
    seen = set()
    for number in range(5):
        split = splits.split(number, code)
        assert [part.size for part in split] == [50, 10, 40]
        assert np.array_equal(np.sort(np.concatenate(split)), np.arange(100))
        positives = [int(code[part].sum()) for part in split]
        seen.add(tuple(positives))
    assert (seen == {(30, 6, 24)}) == stratified
    part = splits_of(train=0.5, validation=0.25, test=0.1).split(0, code)
    assert [cases.size for cases in part] == [50, 25, 10]


def test_folds():
    code = np.array([0] * 33 + [1] * 20)
    splits = splits_of(folds=5, repeats=2, validation=0.2)
    assert splits.count == 10
    for repeat in range(2):
        tested = []
        for fold in range(5):
            train, validation, test = splits.split(5 * repeat + fold, code)
            tested.append(test)
            assert test.size in {10, 11}
            assert int(code[test].sum()) in {4, 5}
            assert abs(validation.size - 10.6) < 1.1
            assert np.array_equal(np.sort(np.r_[train, validation, test]), np.arange(53))
        assert np.array_equal(np.sort(np.concatenate(tested)), np.arange(53))
    assert not np.array_equal(splits.split(0, code).test, splits.split(5, code).test)
    place = stratified_sets(code, 10, np.random.default_rng(0))
    assert np.bincount(place).tolist() == [6, 6, 6, 5, 5, 5, 5, 5, 5, 5]
    assert np.bincount(place[code == 1]).tolist() == [2] * 10


# Candidates


def test_attribute_subsets_remove_attributes_with_all_their_columns():
    groups = [(0, 1), (2,), (3, 4, 5), (6,)]
    made = lab.attribute_subsets(GaussianNB(), remove=2, candidates=30, groups=groups)
    drawn = made.draw(7, np.random.default_rng(0))
    left = {tuple(one.columns.tolist()) for one in drawn.values()}
    expected = {tuple(sorted(a + b)) for i, a in enumerate(groups) for b in groups[:i]}
    assert left == expected
    assert len(drawn) == 30


def test_parameters_per_attribute_follow_the_columns():
    class Weighted(OneColumn):
        def __init__(self, weights=None):
            self.weights = weights

        def get_params(self, deep=True):
            return {"weights": self.weights}

        def set_params(self, weights):
            self.weights = weights
            return self

    made = lab.first_attributes(Weighted([5, 6, 7]), [1, 3], per_attribute="weights")
    drawn = made.draw(3, None)
    assert [one.estimator.weights for one in drawn.values()] == [[5], [5, 6, 7]]
    with pytest.raises(ParameterError, match="at most the number of attributes, 2, got 3"):
        made.draw(2, None)


def test_lists_of_estimators_get_different_names():
    made = Candidates.of([GaussianNB(), GaussianNB(), DecisionTreeClassifier()])
    assert list(made.given) == ["GaussianNB", "GaussianNB 2", "DecisionTreeClassifier"]


def test_frames_and_sparse_matrices_are_cut():
    from scipy.sparse import csr_array

    X = np.arange(20.0).reshape(5, 4)
    rows, columns = np.array([4, 1]), np.array([0, 3])
    frame = pl.DataFrame(X)
    assert np.array_equal(part_of(X, rows, columns), X[rows][:, columns])
    assert np.array_equal(part_of(frame, rows, columns).to_numpy(), X[rows][:, columns])
    assert np.array_equal(part_of(frame.to_pandas(), rows, columns), X[rows][:, columns])
    assert np.array_equal(part_of(csr_array(X), rows, columns).toarray(), X[rows][:, columns])
    assert np.array_equal(part_of(frame, rows).to_numpy(), X[rows])


def test_scores_are_those_of_the_positive_class():
    X, y = data()
    names = np.where(y == 1, "bad", "good")  # sorted, the positive class is the first
    found = LabeledData.of(X, names, pos_label="bad")
    assert found.classes == ("good", "bad")
    assert found.code.tolist() == y.tolist()
    model = LogisticRegression().fit(X, names)
    scores = scores_of("m", model, X, found.classes, "here")
    assert scores == pytest.approx(model.predict_proba(X)[:, 0])
    margin = scores_of("p", Perceptron().fit(X, names), X, found.classes, "here")
    assert margin == pytest.approx(-Perceptron().fit(X, names).decision_function(X))


def test_columns_are_in_the_order_of_the_labels_if_the_estimator_does_not_say():
    class Plain:
        def predict_proba(self, X):
            return np.array([[0.8, 0.2]])

    assert scores_of("m", Plain(), None, ("yes", "no"), "here").tolist() == [0.8]
    assert scores_of("m", Plain(), None, ("no", "yes"), "here").tolist() == [0.2]


def test_a_class_that_is_missing_in_training_has_the_probability_0():
    model = GaussianNB().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    found = scores_of("m", model, [[0.5], [2.5]], ("a", "x", "b"), "here")
    assert found[:, 1].tolist() == [0, 0]
    assert found.sum(axis=1) == pytest.approx(1)


# Errors


def test_errors_name_the_estimator_and_the_split():
    X, y = data()
    with pytest.raises(
        DataError, match=r"'bad' failed to fit on split 1 of 3: RuntimeError: no con"
    ):
        lab.select_models({"good": GaussianNB(), "bad": Failing(0)}, X, y, repeats=3, workers=1)
    sets = {"first": (X, y)}
    with pytest.raises(DataError, match=r"on fold [12] of 2 of repeat 1 of first: RuntimeError"):
        lab.select_models({"good": GaussianNB(), "bad": Failing(0)}, sets, folds=2, workers=2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"candidates": {"a": GaussianNB()}}, "candidates must be at least two, got 1"),
        ({"candidates": {"a": GaussianNB, "b": GaussianNB()}}, "pass an instance"),
        ({"candidates": [3, GaussianNB()]}, "candidates: expected an estimator with fit, got 3"),
        ({"candidates": GaussianNB()}, "must be a dict of estimators, got GaussianNB"),
        ({"candidates": lab.attribute_subsets(GaussianNB(), remove=5)}, "attributes, 5, got 5"),
        ({"train": 0.9}, "leave no case for the test"),
        ({"train": 0.5, "test": 0.6}, "leave too few cases for the test"),
        ({"folds": 5, "train": 0.5}, "do not apply with folds"),
        ({"folds": 2, "validation": 0.5}, "below 1 - 1/folds"),
        ({"reference": "ks"}, "reference must be one of auc"),
        ({"ties": "none"}, "none"),
        ({"y": None}, "y is missing"),
        ({"pos_label": 7}, "7"),
    ],
)
def test_wrong_arguments(change, message):
    X, y = data()
    given = {"candidates": COLUMNS, "X": X, "y": y, "measures": "auc, brier"} | change
    with pytest.raises((ParameterError, mm.UnknownMeasure), match=message):
        lab.select_models(**given)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.zeros(5), np.zeros(5), "matrix of cases by attributes"),
        (np.zeros((5, 2)), np.zeros(4), "differ in length: 5 and 4"),
        (np.zeros((5, 2)), np.zeros(5), "at least two classes, got 1"),
        (np.zeros((5, 2)), np.zeros((5, 1)), r"y has shape \(5, 1\)"),
        (np.zeros((5, 2)), [0, 1, np.nan, 1, 0], "1 of 5 labels are missing; drop these cases"),
        (np.zeros((3, 2)), ["a", None, "b"], "1 of 3 labels are missing"),
    ],
)
def test_wrong_data(X, y, message):
    with pytest.raises(DataError, match=message):
        lab.select_models(COLUMNS, X, y)


def test_measures_of_probabilities_need_them():
    X, y = data()
    margins = {"a": Perceptron(), "b": GaussianNB()}
    with pytest.raises(ParameterError, match="brier needs probabilities, but a has only"):
        lab.select_models(margins, X, y, "auc, brier")
    with pytest.raises(ParameterError, match="accuracy needs probabilities"):
        lab.select_models(margins, X, y, "accuracy")
    with pytest.raises(ParameterError, match="threshold of accuracy@0 has no common meaning"):
        lab.select_models(margins, X, y, "accuracy@0")
    alone = {"a": Perceptron(), "b": Perceptron(penalty="l1")}
    assert lab.select_models(alone, X, y, "accuracy@0", repeats=2, workers=1).rows
    found = lab.select_models(margins, X, y, repeats=3, workers=1)
    named = {row.measure for row in found.rows}
    assert {"auc", "ks"} <= named
    assert not {"brier", "accuracy", "scored_auc"} & named


def test_factories_of_users():
    class Mine:
        def draw(self, attributes, rng):
            return {
                "one": Candidate(GaussianNB(), rng.permutation(attributes)[:2]),
                "all": Candidate(GaussianNB()),
            }

    X, y = data()
    found = lab.select_models({"mine": Mine()}, X, y, "auc", repeats=3, workers=1)
    assert found.trained[""].candidates == ("mine one", "mine all")


WITHOUT = """
import sys
sys.modules["sklearn"] = None
import numpy as np
import metameasure as mm

class Mean:
    def __init__(self, column):
        self.column = column
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self
    def predict_proba(self, X):
        score = 1 / (1 + np.exp(-X[:, self.column]))
        return np.column_stack([1 - score, score])

y = np.arange(60) % 2
X = np.random.default_rng(0).normal(size=(60, 2)) + y[:, None]
made = {"a": Mean(0), "b": Mean(1)}
assert mm.lab.select_models(made, X, y, "auc", repeats=2, workers=1).rows
assert mm.lab.training_robustness(Mean(0), X, y, repeats=1, folds=3, workers=1).rows
assert mm.lab.selection_ability(made, X, y, parts=2, sets=5, workers=1).rows
assert mm.lab.measure_correlations(y, {"a": X[:, 0], "b": X[:, 1], "c": X.sum(1)}, "auc, ks").rows
try:
    mm.lab.named_learners(["tree"])
except mm.MetameasureError as error:
    assert "metameasure[sklearn]" in str(error)
else:
    raise AssertionError
"""


def test_scikit_learn_is_not_needed():
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_one_split_is_in_the_singular():
    X, y = data()
    for repeats, words in ((1, "1 split into "), (2, "2 splits into ")):
        found = lab.select_models(COLUMNS, X, y, "auc, brier", repeats=repeats, workers=1)
        assert words in str(found)
