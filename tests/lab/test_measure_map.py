"""Rank correlations of measures over models, the map, and its display."""

import json

import numpy as np
import pytest
from scipy import optimize, stats
from sklearn.naive_bayes import GaussianNB

import metameasure as mm
from metameasure.errors import DataError
from metameasure.lab.agreement.measure_map import scaled
from metameasure.plots import MeasureMapDisplay, ValidationDisplay

lab = mm.lab
RNG = np.random.default_rng(0)
Y = np.arange(120) % 3 == 0
SCORES = {
    f"m{k}": 1 / (1 + np.exp(-(RNG.normal(size=120) * (1 + k % 3) + k / 4 * Y))) for k in range(7)
}
FOLDS = np.arange(120) // 40


@pytest.mark.parametrize("folds", [None, FOLDS])
def test_correlations_by_hand(folds):
    names = ["auc", "brier", "accuracy", "average_precision"]
    found = lab.measure_correlations(Y, SCORES, names, folds=folds)
    parts = [np.ones(120, bool)] if folds is None else [folds == fold for fold in range(3)]
    for row in found.rows:
        spearman, pearson = [], []
        for part in parts:
            f, g = (
                [mm.parse(name)(Y[part], s[part]) for s in SCORES.values()]
                for name in (row.f, row.g)
            )
            sign = -1 if "brier" in (row.f, row.g) else 1
            spearman.append(sign * stats.spearmanr(f, g).statistic)
            pearson.append(sign * stats.pearsonr(f, g).statistic)
        assert row.spearman == pytest.approx(np.mean(spearman))
        assert row.pearson == pytest.approx(np.mean(pearson))
        assert row.groups == len(parts)
    assert len(found.rows) == 6


def test_weights_count():
    weight = np.r_[np.ones(60), np.zeros(60)]
    half = {name: score[:60] for name, score in SCORES.items()}
    found = lab.measure_correlations(Y, SCORES, "auc, brier", sample_weight=weight)
    expected = lab.measure_correlations(Y[:60], half, "auc, brier")
    assert found.rows[0].spearman == pytest.approx(expected.rows[0].spearman)


def test_the_map_keeps_distances_that_a_plane_has():
    points = RNG.normal(size=(6, 2))
    distances = np.linalg.norm(points[:, None] - points, axis=-1)
    found, stress = scaled(distances)
    assert stress == pytest.approx(0, abs=1e-6)
    assert np.linalg.norm(found[:, None] - found, axis=-1) == pytest.approx(distances, abs=1e-5)
    assert found[:, 0].var() >= found[:, 1].var()


def test_no_small_step_lowers_the_stress():
    distances = np.abs(RNG.normal(size=(8, 8)))
    distances = np.triu(distances, 1) + np.triu(distances, 1).T

    def error(flat):
        points = flat.reshape(8, 2)
        return np.square(distances - np.linalg.norm(points[:, None] - points, axis=-1)).sum()

    found, stress = scaled(distances)
    apart = np.linalg.norm(found[:, None] - found, axis=-1)
    assert stress == pytest.approx(np.sqrt(error(found.ravel()) / np.square(apart).sum()))
    assert optimize.minimize(error, found.ravel()).fun == pytest.approx(error(found.ravel()))
    random = [error(optimize.minimize(error, RNG.normal(size=16)).x) for _ in range(9)]
    assert error(found.ravel()) <= np.median(random) + 1e-6


def test_splits_of_trained_models():
    X = RNG.normal(size=(120, 6)) + Y[:, None]
    made = lab.attribute_subsets(GaussianNB(), remove=4, candidates=5)
    trained = lab.select_models(made, X, Y, "auc, brier", repeats=6, workers=1)
    found = lab.measure_correlations(trained)
    values = trained.trained[""].values
    each = [
        -stats.spearmanr(a, b).statistic
        for a, b in zip(values["auc"], values["brier"], strict=True)
    ]
    assert found.rows[0].spearman == pytest.approx(np.nanmean(each))
    drawn = ValidationDisplay(trained, "brier").plot()
    x, y = values["brier"].ravel(), trained.trained[""].goals.ravel()
    assert drawn.unexplained == pytest.approx(1 - stats.pearsonr(x, y).statistic ** 2)
    line = drawn.artists_["regression"].get_xydata()
    slope = stats.linregress(x, y).slope
    assert (line[1, 1] - line[0, 1]) / (line[1, 0] - line[0, 0]) == pytest.approx(slope)
    assert ValidationDisplay(trained).measure == "auc"
    with pytest.raises(mm.ParameterError, match="measure must be one of auc, brier, got ks"):
        ValidationDisplay(trained, "ks")
    with pytest.raises(mm.ParameterError, match=r"dataset must be .*got 'x'"):
        ValidationDisplay(trained, dataset="x")


def test_what_is_left_out_is_named():
    scores = {name: 4 * score for name, score in SCORES.items()}
    found = lab.measure_correlations(Y, scores)
    assert "brier" in found.meta["left_out"]
    assert "brier left out: it needs scores in [0, 1]" in found.table()
    same = lab.measure_correlations(Y, SCORES, "auc, ks, tpr@0")
    assert "tpr@0" in same.meta["left_out"]


def test_errors():
    with pytest.raises(DataError, match="at least 3 models, got 2"):
        lab.measure_correlations(Y, {name: SCORES[name] for name in ("m0", "m1")})
    with pytest.raises(DataError, match="at least two measures, got 1"):
        lab.measure_correlations(Y, SCORES, "auc")


def test_the_display_groups_measures_at_one_place():
    found = lab.measure_correlations(Y, SCORES, "auc, gini, ks, brier, rms")
    drawn = MeasureMapDisplay(found).plot()
    texts = {text.get_text() for text in drawn.ax_.texts}
    assert texts == {"auc\ngini", "ks", "brier\nrms"}
    x, y = drawn.artists_["points"].get_data()
    assert np.column_stack([x, y]) == pytest.approx(np.array([[p.x, p.y] for p in found.points]))
    with pytest.raises(DataError, match=r"must come from lab\.measure_correlations"):
        MeasureMapDisplay(3)


def test_the_command(run, tmp_path):
    import polars as pl

    file = tmp_path / "models.csv"
    pl.DataFrame({"y": Y.astype(int), **SCORES, "fold": FOLDS}).write_csv(file)
    columns = ("--label", "y", "--score", ",".join(SCORES), "--folds", "fold")
    done = run("lab", "correlation", file, *columns, "--measures", "auc,ks", "--format", "json")
    assert done.code == 0, done.err
    expected = lab.measure_correlations(Y, SCORES, "auc, ks", folds=FOLDS)
    assert json.loads(done.out)["rows"][0]["spearman"] == pytest.approx(expected.rows[0].spearman)


def test_models_that_do_not_differ_are_refused():
    same = dict.fromkeys("abc", SCORES["m1"])
    with pytest.raises(DataError, match="two measures that vary over the models, got 0; undef"):
        lab.measure_correlations(Y, same, ["auc", "brier"])
    shifted = {f"m{k}": SCORES["m1"] / k for k in (1, 2, 3)}  # in the same order
    with pytest.raises(DataError, match=r"got 1; undefined, infinite or the same .*: auc$"):
        lab.measure_correlations(Y, shifted, ["auc", "brier"])
