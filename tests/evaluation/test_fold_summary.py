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
