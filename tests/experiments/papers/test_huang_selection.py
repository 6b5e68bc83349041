"""Huang's model selection: binary data sets, models, success rates, and the cheapest cells."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from metameasure import experiments, lab
from metameasure.experiments.declaration import Value, pooled
from metameasure.experiments.papers import huang2006_selection as figures
from metameasure.experiments.reproduction import judged

TRAIN, REST = np.arange(0, 600, 3), np.setdiff1d(np.arange(600), np.arange(0, 600, 3))


@pytest.fixture(scope="module")
def waves() -> experiments.Dataset:
    return experiments.waveform(600, seed=1).binary("0")


def test_there_are_29_binary_data_sets() -> None:
    assert sum(map(len, figures.CASES.values())) == 29


@pytest.mark.parametrize("number", ["5.1", "5.2", "5.3"])
def test_figures_in_which_ties_count_0_share_their_cells(number: str) -> None:
    (half,) = experiments.items(f"huang2006/figure{number}")
    (zero,) = experiments.items(f"huang2006/figure{number}-ties0")
    assert (half.cells_of, zero.cells_of) == ("figure5.1", "figure5.1-ties0")
    assert zero.alternative_to == half.name
    assert zero.schedule() == half.schedule()


def test_ringnorm_is_thinned() -> None:
    data = figures.binary_case(experiments.load("ringnorm"), 27)
    assert data.target.mean() == pytest.approx(0.27, abs=1e-3)
    assert len(data) == pytest.approx(7400, rel=0.02)
    assert (data.values == figures.binary_case(experiments.load("ringnorm"), 27).values).all()


def test_neighbors_are_those_of_scikit_learn(waves: experiments.Dataset) -> None:
    found = figures.neighbors(waves, TRAIN, REST)
    coded = figures._coded(waves, TRAIN)
    for k, scores in zip(figures.NEIGHBORS, found, strict=True):
        count = min(k, TRAIN.size)
        model = KNeighborsClassifier(count).fit(coded[TRAIN], waves.target[TRAIN])
        share = model.predict_proba(coded[REST])[:, 1]
        smoothed = (share * count + 1 / 200) / (count + 2 / 200)
        assert scores == pytest.approx(smoothed)


def test_svms_order_cases_as_their_distances_do(waves: experiments.Dataset) -> None:
    found = figures.svms(waves, TRAIN, REST)
    coded = figures._coded(waves, TRAIN)
    model = SVC(C=1.0, kernel="poly", degree=2, gamma=1.0).fit(coded[TRAIN], waves.target[TRAIN])
    order = model.decision_function(coded[REST]).argsort()
    assert (np.diff(found[figures.COSTS.index(1.0)][order]) >= 0).all()
    assert ((found > 0) & (found < 1)).all()


def test_naive_bayes_has_more_and_more_attributes(waves: experiments.Dataset) -> None:
    found = figures.bayes(waves, TRAIN, REST)
    assert len(found) == 10
    model = experiments.MixedNaiveBayes(nominal=(0,)).fit(
        waves.values[TRAIN, :1], waves.target[TRAIN]
    )
    assert found[0] == pytest.approx(model.predict_proba(waves.values[REST, :1])[:, 1])
    few = waves.keep([each.name for each in waves.attributes[:5]])
    assert len(figures.bayes(few, TRAIN, REST)) == 5


def test_there_are_nine_trees(waves: experiments.Dataset) -> None:
    found = figures.trees(waves, TRAIN, REST)
    assert found.shape == (9, 400)
    assert (found[0] != found[-1]).any()
    last = experiments.C45Tree(nominal=waves.nominal, min_leaf=10, confidence=0.35)
    last.fit(waves.values[TRAIN], waves.target[TRAIN])
    assert (found[-1] == last.predict_proba(waves.values[REST])[:, 1]).all()


def test_abilities_are_those_of_the_laboratory(
    waves: experiments.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "SETS", 20)
    found = figures.abilities(waves, "Naive Bayes", 0, np.random.default_rng(1))
    assert set(found) == {(goal, name) for goal in figures.GOALS for name in figures.MEASURES}
    counts = [max(1, round(each * 21 / 16)) for each in figures.SIXTEENTHS]
    models = lab.first_attributes(
        experiments.MixedNaiveBayes(nominal=waves.nominal), counts, per_attribute="nominal"
    )
    theirs = lab.selection_ability(
        models, waves.values, waves.target, "auc, rms", "auc", parts=10, sets=20, workers=1
    )
    mean = np.mean(
        [
            figures.abilities(waves, "Naive Bayes", part, np.random.default_rng(part))["AUC", "AUC"]
            for part in range(10)
        ]
    )
    assert mean == pytest.approx(theirs.rows[0].msa, abs=4 * theirs.rows[0].msa_se)


def test_success_rates() -> None:
    values = [
        Value(f"acc {part}", name, msa + shift, part=f"KNN letter {percent}")
        for percent, by_name in {
            "50": {"acc": 0.8, "AUC": 0.797},
            "25": {"acc": 0.75, "AUC": 0.8},
            "4": {"acc": 0.79, "AUC": 0.8},
        }.items()
        for name, msa in by_name.items()
        for part, shift in enumerate((-0.001, 0.001))
    ]
    by_goal = {v.place: v.value for v in figures.figure_5_1.finish(values)}
    assert by_goal["goal acc", "1%", "AUC"] == 1
    assert by_goal["goal acc", "1%", "acc"] == pytest.approx(1 / 3)
    assert by_goal["goal acc", "2%", "acc"] == pytest.approx(2 / 3)
    assert by_goal["goal acc", "mean MSA", "acc"] == pytest.approx(0.78)
    by_group = {v.place: v.value for v in figures.figure_5_2.finish(values)}
    assert {part for part, _, _ in by_group} == set(figures.GROUPS)
    assert by_group["25%-30%", "5%", "acc"] == 0
    by_learner = list(figures.figure_5_3.finish(values))
    assert {(v.part, v.count) for v in by_learner} == {("KNN", 3)}
    assert figures.figure_5_3.figure(judged(figures.figure_5_3, by_learner))


def test_errors_of_success_rates() -> None:
    """Two training parts, of which one makes a measure the best and the other does not."""

    def rows(gaps: tuple[float, float], parts: int) -> dict[tuple[str, str, str], Value]:
        values = [
            Value(f"AUC {part}", name, msa, part=f"SVM letter {percent}")
            for percent in ("50", "25", "4", "7.8")
            for part in range(parts)
            for name, msa in (("acc", 0.8), ("AUC", 0.8 - gaps[part % 2]))
        ]
        return {value.place: value for value in figures.figure_5_3.finish(values)}

    certain = rows((0.1, 0.1), 10)
    assert max(value.error for value in certain.values()) < 1e-12
    # of two parts, a quarter of the resamples has the second one twice: then AUC is near the best
    unsure = rows((0.1, 0.0), 2)["SVM", "1%", "AUC"]
    assert unsure.value == 0
    assert unsure.error == pytest.approx((0.25 * 0.75 / 4) ** 0.5, rel=0.2)
    # the mean of n parts, each 0.05 off its mean, has the bootstrap error 0.05/sqrt(n), over 4 sets
    mean = rows((0.1, 0.0), 10)["SVM", figures.MEAN, "AUC"]
    assert mean.value == pytest.approx(0.75)
    assert mean.error == pytest.approx(0.05 / 10**0.5 / 2, rel=0.2)


def test_learners_share_the_training_parts_of_a_data_set() -> None:
    """The bootstrap draws the same parts for all learners, so that errors do not average out."""
    values = [
        Value(f"lift {part}", "acc", 0.8 + 0.1 * (part % 2), part=f"{learner} letter 50")
        for learner in figures.LEARNERS
        for part in range(10)
    ]
    (error,) = {v.error for v in figures.figure_5_1.finish(values) if v.row == figures.MEAN}
    assert error == pytest.approx(0.05 / 10**0.5, rel=0.2)


@pytest.mark.parametrize(
    ("percent", "group"), [("24.8", "25%-30%"), ("10.2", "1.4%-10%"), ("1.4", "1.4%-10%")]
)
def test_percentages_are_rounded_for_groups(percent: str, group: str) -> None:
    assert figures._by_group(figures.Case("acc", "KNN", f"adult {percent}")) == [group]


@pytest.mark.parametrize("percent", ["33.3", "11.5", "36.7", "23.5"])
def test_percentages_between_groups(percent: str) -> None:
    assert not figures._by_group(figures.Case("acc", "KNN", f"adult {percent}"))


def test_the_cheapest_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "SETS", 20)
    monkeypatch.setitem(figures.CASES, "waveform", {67: "01"})
    data = experiments.waveform(600, seed=2)
    (item,) = experiments.items("huang2006/figure5.2")
    schedule = item.schedule(2)
    assert {cell["block"] for cell in schedule} == {0}
    values = list(
        item.compute(
            learner="Naive Bayes",
            dataset=data,
            percent=67,
            block=4,
            repeats=2,
            generator=np.random.default_rng(1),
        )
    )
    assert len(values) == 2 * 27
    assert all(0 <= value.value <= 1 for value in values)
    assert {value.part for value in pooled(values)} == {"Naive Bayes waveform 67"}


def test_data_sets_that_no_source_has_are_listed_as_missing():
    rows = {row.item: row.missing for row in experiments.item_list().rows}
    for name in ("figure5.1", "figure5.2", "figure5.3", "figure5.1-ties0"):
        assert {"connect-4", "isolet", "musk-2"} <= set(rows[f"huang2006/{name}"])
