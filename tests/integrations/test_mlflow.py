"""Results in a run of MLflow, in a folder of the test."""

import importlib.util
import json
import math

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, roc_auc_score

import metameasure as mm
from metameasure.integrations.mlflow import DISPLAYS

RNG = np.random.default_rng(5)
Y = RNG.random(200) < 0.4
MODELS = {name: 1 / (1 + np.exp(RNG.normal(size=200) - Y)) for name in ("first", "second")}
PNG = b"\x89PNG"


@pytest.fixture
def logged(tmp_path, monkeypatch):
    """Log a result; the values of the run, and its files by their paths."""
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    import mlflow

    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())

    def log(result, *displays, **options):
        with mlflow.start_run() as run:
            mm.integrations.mlflow.log(result, *displays, **options)
        folder = tmp_path / "found"
        folder.mkdir()
        mlflow.artifacts.download_artifacts(run_id=run.info.run_id, dst_path=str(folder))
        files = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()}
        return mlflow.get_run(run.info.run_id).data.metrics, files

    yield log
    mlflow.set_tracking_uri(None)


def test_values_and_limits_of_models(logged):
    result = mm.evaluate(Y, MODELS, "auc, brier")
    values, files = logged(result)
    for model, p in MODELS.items():
        assert values[f"{model}/auc"] == pytest.approx(roc_auc_score(Y, p))
        assert values[f"{model}/brier"] == pytest.approx(brier_score_loss(Y, p))
    for row in result.rows:
        key = f"{row.model}/{row.measure}"
        assert (values[f"{key}.low"], values[f"{key}.high"]) == (row.low, row.high)
    assert len(values) == 3 * 4
    assert set(files) == {f"evaluation/evaluation.{kind}" for kind in ("html", "json", "png")}
    saved = json.loads(files["evaluation/evaluation.json"].read_text())
    assert [row["value"] for row in saved["rows"]] == [row.value for row in result.rows]
    assert files["evaluation/evaluation.png"].read_bytes().startswith(PNG)
    assert "first" in files["evaluation/evaluation.html"].read_text()


def test_one_model_needs_no_name(logged):
    values, _ = logged(mm.evaluate(Y, MODELS["first"], "auc", ci=None))
    assert values == {"auc": pytest.approx(roc_auc_score(Y, MODELS["first"]))}


def test_an_interval(logged):
    found = mm.interval(Y, MODELS["first"], "auc")
    values, files = logged(found)
    assert (values["auc"], values["auc.low"], values["auc.high"]) == tuple(
        getattr(found, name) for name in ("value", "low", "high")
    )
    assert set(files) == {"interval/interval.json", "interval/interval.html"}


def test_differences_do_not_have_the_keys_of_values(logged):
    found = mm.compare(Y, MODELS, "auc")
    values, files = logged(found)
    (row,) = found.rows
    assert values["auc.difference"] == row.difference
    assert values["auc.difference.low"] == row.low
    assert values["auc.difference.pvalue"] == row.pvalue
    assert not {"auc", "auc.low"} & set(values)
    assert "comparison/comparison.png" in files


def test_rows_without_names_are_an_artifact(logged):
    values, files = logged(mm.band(Y, MODELS["first"], "roc"), name="ROC band: 1")
    assert values == {}
    assert set(files) == {"ROC_band_1/band.json", "ROC_band_1/band.html"}


def test_displays_are_pictures(logged):
    roc = mm.plots.RocDisplay.from_predictions(Y, MODELS)
    precision = mm.plots.PrecisionRecallDisplay.from_predictions(Y, MODELS)
    _, files = logged(mm.evaluate(Y, MODELS, "auc"), roc, precision, roc)
    names = {"evaluation", "roc", "precision_recall", "roc_2"}
    pictures = {f"evaluation/{name}.png" for name in names}
    assert {path for path in files if path.endswith(".png")} == pictures
    assert all(files[path].read_bytes().startswith(PNG) for path in pictures)


def test_hostile_names(logged):
    names = ["../x", "a b", "a_b", "a//b", "é" * 300, "", "..", "<b>"]
    models = {name: RNG.random(200) for name in names}
    measures = "auc, f_measure(beta=2)@top=10%"
    values, _ = logged(mm.evaluate(Y, models, measures, ci=None, mute="MM06"))
    assert len(values) == 2 * len(names)
    assert {"x/auc", "a_b/auc", "a_b/auc_2", "a_b/auc_3"} <= set(values)
    assert "x/f_measure_beta_2_top_10" in values
    assert sorted(values.values()) == pytest.approx(
        sorted(mm.parse(m)(Y, p) for m in measures.split(", ") for p in models.values())
    )


def test_undefined_values(logged):
    with pytest.warns(mm.UndefinedMeasureWarning):
        result = mm.evaluate([True, True], [0.5, 0.2], "auc, f_measure", ci=None)
    values, _ = logged(result)
    assert math.isnan(values["auc"])
    assert values["f_measure"] == pytest.approx(2 / 3)


def test_more_values_than_one_request_takes(logged):
    group = np.arange(1200) % 600
    y, p = np.tile([True, False], 600), RNG.random(1200)
    found = mm.evaluate(y, p, "accuracy, brier", group=group, ci=None)
    with pytest.warns(UserWarning, match="logged without a picture: a forest plot shows up to"):
        values, files = logged(found)
    assert len(values) == 2 * 600 + 2
    assert "evaluation/evaluation.png" not in files


def test_steps_and_runs(logged):
    import mlflow

    with mlflow.start_run() as run:
        pass
    for step, p in enumerate(MODELS.values()):
        result = mm.evaluate(Y, p, "auc", ci=None)
        mm.integrations.mlflow.log(result, step=step, run_id=run.info.run_id)
    history = mlflow.MlflowClient().get_metric_history(run.info.run_id, "auc")  # english: ok
    assert [(one.step, one.value) for one in history] == [
        (step, pytest.approx(roc_auc_score(Y, p))) for step, p in enumerate(MODELS.values())
    ]


def test_what_is_not_a_result_is_refused():
    with pytest.raises(mm.ParameterError, match="result must come from a function") as raised:
        mm.integrations.mlflow.log(0.5)
    assert raised.value.argument == "result"


def test_mlflow_is_needed(monkeypatch):
    monkeypatch.setattr("metameasure.integrations.mlflow.find_spec", lambda name: None)
    with pytest.raises(mm.MetameasureError, match=r"pip install 'metameasure\[mlflow\]'"):
        mm.integrations.mlflow.log(mm.evaluate(Y, MODELS, "auc", ci=None))


def test_every_display_of_a_result_exists():
    assert importlib.util.find_spec("metameasure.plots")
    for display in DISPLAYS.values():
        assert getattr(mm.plots, display)


def test_a_folder_beside_the_program(tmp_path, monkeypatch):
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.chdir(tmp_path)
    import mlflow

    mlflow.set_tracking_uri("file:./mlruns")
    try:
        with mlflow.start_run():
            result = mm.evaluate(Y, MODELS, "auc, brier")
            display = mm.plots.RocDisplay.from_predictions(Y, MODELS)
            mm.integrations.mlflow.log(result, display)
    finally:
        mlflow.set_tracking_uri(None)
    pictures = {path.name: path.read_bytes() for path in (tmp_path / "mlruns").rglob("*.png")}
    assert set(pictures) == {"evaluation.png", "roc.png"}
    assert all(picture.startswith(PNG) for picture in pictures.values())
