"""Means over folds beside the pooled value."""

import math
import statistics

import numpy as np
import polars as pl
import pytest
from scipy import stats

import metameasure as mm
from metameasure.errors import DataError, ParameterError

RNG = np.random.default_rng(9)
LABEL = RNG.random(240) < 0.4
SCORE = np.round(1 / (1 + np.exp(-1.5 * (LABEL - 0.5) - RNG.normal(size=240))), 2)
FOLD = np.arange(240) % 6


def summary(found, model="model", measure="auc"):
    return next(one for one in found.folds if (one.model, str(one.measure)) == (model, measure))


def limits(values, folds):
    """The corrected resampled t interval of Nadeau and Bengio (2003), from its formula."""
    values = list(map(float, values))
    error = math.sqrt((1 / len(values) + 1 / (folds - 1)) * statistics.variance(values))
    return stats.t.interval(0.95, len(values) - 1, statistics.mean(values), error)


@pytest.mark.parametrize("measure", ["auc", "brier"])
def test_the_summary_is_its_definition(measure):
    found = mm.evaluate(LABEL, SCORE, "auc, brier", fold=FOLD)
    values = [getattr(mm, measure)(LABEL[k == FOLD], SCORE[k == FOLD]) for k in range(6)]
    one = summary(found, measure=measure)
    assert (one.folds, one.left_out) == (6, 0)
    assert one.mean == pytest.approx(statistics.mean(values), rel=1e-12)
    assert one.deviation == pytest.approx(statistics.stdev(values), rel=1e-9)
    assert (one.low, one.high) == pytest.approx(limits(values, 6), rel=1e-9)
    assert one.pooled == getattr(mm, measure)(LABEL, SCORE)
    stored = [v.value for v in found.fold_values if str(v.measure) == measure]
    assert stored == values
    assert sum(v.n for v in found.fold_values if str(v.measure) == measure) == 240


def test_folds_of_one_class_are_left_out_and_reported():
    fold = FOLD.copy()
    fold[~LABEL & (fold == 2)] = 3
    found = mm.evaluate(LABEL, SCORE, "auc, brier", fold=fold)
    values = [mm.auc(LABEL[fold == k], SCORE[fold == k]) for k in (0, 1, 3, 4, 5)]
    one = summary(found)
    assert (one.folds, one.left_out) == (5, 1)
    assert one.mean == pytest.approx(statistics.mean(values), rel=1e-12)
    assert (one.low, one.high) == pytest.approx(limits(values, 6), rel=1e-9)
    assert summary(found, measure="brier").folds == 6
    (check,) = (check for check in found.checks if check.code == "MM14")
    assert check.message == "1 of 6 folds are left out of the mean: a class is empty"
    assert check.measure == "auc"


def test_several_models_weights_groups_and_files(tmp_path):
    weight, site = RNG.random(240) + 0.5, np.where(np.arange(240) % 2, "x", "y")
    scores = {"a": SCORE, "b": 1 - SCORE}
    found = mm.evaluate(LABEL, scores, "auc", fold=FOLD, sample_weight=weight, group=site)
    for model, values in scores.items():
        parts = [k == FOLD for k in range(6)]
        expected = [mm.auc(LABEL[p], values[p], sample_weight=weight[p]) for p in parts]
        assert summary(found, model).mean == pytest.approx(statistics.mean(expected), rel=1e-12)
    assert len(found.folds) == 2
    assert "folds, b" in str(found)
    frame = pl.DataFrame({"y": LABEL, "w": weight, "k": FOLD, "site": site, **scores})
    frame.write_parquet(tmp_path / "p.parquet")
    columns = {"label": "y", "weight": "w", "fold": "k", "group": "site"}
    from_file = mm.evaluate(tmp_path / "p.parquet", ["a", "b"], "auc", **columns)
    assert from_file.folds == found.folds


def test_no_intervals_and_infinite_values():
    plain = summary(mm.evaluate(LABEL, SCORE, "auc", None, fold=FOLD))
    assert plain.low is plain.high is None
    assert plain.deviation > 0
    wrong = SCORE.copy()
    wrong[np.flatnonzero(LABEL)[0]] = 0.0
    one = summary(mm.evaluate(LABEL, wrong, "log_loss", fold=FOLD), measure="log_loss")
    assert (one.mean, one.deviation, one.low) == (math.inf, None, None)


def test_the_interval_covers_equal_folds():
    score, label = np.tile([0.9, 0.2, 0.6, 0.4], 10), np.tile([1, 0, 0, 1], 10)
    one = summary(mm.evaluate(label, score, "auc", fold=np.repeat(np.arange(10), 4)))
    assert (one.mean, one.deviation, one.low, one.high) == (0.75, 0, 0.75, 0.75)


def test_without_folds_there_are_none():
    found = mm.evaluate(LABEL, SCORE, "auc")
    assert found.folds == found.fold_values == ()
    assert "folds" not in str(found)


def test_wrong_folds():
    with pytest.raises(DataError, match="need at least two folds, got 1") as raised:
        mm.evaluate(LABEL, SCORE, "auc", fold=np.zeros(240))
    assert raised.value.argument == "fold"
    with pytest.raises(ParameterError, match='fold="k" names a column, but the data have none'):
        mm.evaluate(LABEL, SCORE, "auc", fold="k")
    with pytest.raises(ParameterError, match="fold does not apply to score tables"):
        mm.evaluate(mm.tabulate(LABEL, SCORE), "auc", fold=FOLD)
    with pytest.raises(DataError, match="y_true and fold differ in length: 240 and 239"):
        mm.evaluate(LABEL, SCORE, "auc", fold=FOLD[1:])


KIND = RNG.choice(["cat", "dog", "fox"], 240)
PROBA = RNG.dirichlet([1, 1, 1], 240) * 0.7
PROBA[np.arange(240), np.searchsorted(["cat", "dog", "fox"], KIND)] += 0.3
GUESS = np.array(["cat", "dog", "fox"])[PROBA.argmax(axis=1)]
PRICE = np.round(RNG.normal(size=240), 1)
TRUE = RNG.random(240)
OTHERS = {
    "classes": ((KIND, PROBA), {}, mm.log_loss, mm.hand_till_auc),
    "labels": ((KIND,), {"predicted": GUESS}, mm.accuracy, mm.kappa),
    "order": ((PRICE, SCORE), {"order": True}, mm.kendall_tau, mm.spearman_rho),
    "probabilities": ((TRUE, SCORE), {"soft": True}, mm.rms, mm.brier),
}


def by_definition(subject, measure, cases):
    """The value in a fold from SciPy, or from the definition of the measure."""
    kind, guess, proba = KIND[cases], GUESS[cases], PROBA[cases]
    if subject == "order":
        names = {"kendall_tau": stats.kendalltau, "spearman_rho": stats.spearmanr}
        return names[measure.name](PRICE[cases], SCORE[cases]).statistic
    if subject == "probabilities":
        squared = np.mean((TRUE[cases] - SCORE[cases]) ** 2)
        return squared if measure.name == "brier" else math.sqrt(squared)
    place = np.searchsorted(["cat", "dog", "fox"], kind)
    if measure.name == "log_loss":
        return -np.mean(np.log(proba[np.arange(kind.size), place]))
    agreed = np.mean(kind == guess)
    if measure.name == "accuracy":
        return agreed
    if measure.name == "kappa":
        chance = sum(np.mean(kind == k) * np.mean(guess == k) for k in ("cat", "dog", "fox"))
        return (agreed - chance) / (1 - chance)
    pairs = []
    for i, j in [(0, 1), (0, 2), (1, 2)]:
        for a, b in [(i, j), (j, i)]:
            above = proba[place == a, a][:, None] - proba[place == b, a]
            pairs.append(np.mean((above > 0) + 0.5 * (above == 0)))
    return np.mean(pairs)


@pytest.mark.parametrize("subject", OTHERS)
def test_other_subjects_have_the_same_summary(subject):
    data, options, *measures = OTHERS[subject]
    found = mm.evaluate(*data, measures=measures, fold=FOLD, **options)
    assert len(found.folds) == 2
    for measure, one in zip(measures, found.folds, strict=True):
        values = [by_definition(subject, measure, k == FOLD) for k in range(6)]
        assert one.mean == pytest.approx(statistics.mean(values), rel=1e-9)
        assert one.deviation == pytest.approx(statistics.stdev(values), rel=1e-7)
        assert (one.low, one.high) == pytest.approx(limits(values, 6), rel=1e-7)
        assert one.pooled == pytest.approx(by_definition(subject, measure, slice(None)), rel=1e-9)
        in_folds = [v for v in found.fold_values if v.measure == one.measure]
        assert [(v.n, v.n_pos) for v in in_folds] == [(40, None)] * 6
    assert "95% corrected resampled t intervals" in str(found)


def test_other_subjects_in_files(tmp_path):
    columns = {"kind": KIND, "guess": GUESS, "price": PRICE, "true": TRUE, "s": SCORE, "k": FOLD}
    columns |= dict(zip(["cat", "dog", "fox"], PROBA.T, strict=True))
    path = tmp_path / "p.parquet"
    pl.DataFrame(columns).write_parquet(path)
    named = {
        "classes": {"label": "kind", "proba": ["cat", "dog", "fox"]},
        "labels": {"label": "kind", "predicted": "guess"},
        "order": {"order": "price", "scores": "s"},
        "probabilities": {"label": "true", "scores": "s", "soft": True},
    }
    for subject, (data, options, *measures) in OTHERS.items():
        expected = mm.evaluate(*data, measures=measures, fold=FOLD, **options).folds
        found = mm.evaluate(path, measures=measures, fold="k", **named[subject]).folds
        assert [(one.measure, one.mean, one.low) for one in found] == [
            (one.measure, one.mean, one.low) for one in expected
        ]


def test_groups_of_several_classes():
    site = np.where(np.arange(240) % 3 == 0, "x", "y")
    found = mm.evaluate(KIND, PROBA, group=site, ci=None)
    for name in ("x", "y"):
        rows = {str(row.measure): row for row in found.rows if row.group == name}
        cases = site == name
        assert rows["log_loss"].value == by_definition("classes", mm.log_loss, cases)
        assert rows["accuracy"].value == by_definition("labels", mm.accuracy, cases)
        assert {row.n for row in rows.values()} == {np.count_nonzero(cases)}
    assert all(row.group is None for row in found.rows if row.label is not None)
    assert "group x" in str(found)
    guessed = mm.evaluate(KIND, predicted=GUESS, measures="kappa", group=site, ci=None)
    expected = by_definition("labels", mm.kappa, site == "y")
    assert guessed.rows[-1].value == pytest.approx(expected, rel=1e-12)


def test_dropped_cases_of_several_classes_are_counted_by_group():
    first, second = PROBA.copy(), PROBA.copy()
    first[0], second[[1, 3]] = np.nan, np.nan
    site = np.where(np.arange(240) % 3 == 0, "x", "y")
    models = {"a": first, "b": second}
    for scores in (models, dict(reversed(models.items()))):
        found = mm.evaluate(
            KIND, scores, "accuracy", None, group=site, fold=FOLD, nan_policy="drop"
        )
        assert {row.group: (row.n, row.dropped) for row in found.rows} == {
            None: (237, 3),
            "x": (78, 2),
            "y": (159, 1),
        }
        assert sum(one.n for one in found.fold_values if one.model == "a") == 237


def test_folds_without_weight_and_classes_without_cases():
    weight = np.where(FOLD == 1, 0.0, 1.0)
    found = mm.evaluate(KIND, PROBA, "accuracy", fold=FOLD, sample_weight=weight)
    (one,) = found.folds
    values = [by_definition("labels", mm.accuracy, k == FOLD) for k in (0, 2, 3, 4, 5)]
    assert (one.mean, one.left_out) == (pytest.approx(statistics.mean(values)), 1)
    fold = np.where(KIND == "fox", 0, 1 + np.arange(240) % 3)
    (one,) = mm.evaluate(KIND, PROBA, "hand_till_auc", fold=fold).folds
    assert (one.folds, one.left_out) == (3, 1)
