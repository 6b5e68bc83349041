"""What works without any extra: run in an environment that has the core dependencies alone."""

import subprocess
import sysconfig
import tempfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import metameasure as mm
from metameasure.inference import known_coverage
from metameasure.measurement import references

EXTRA = (
    *("matplotlib", "sklearn", "pandas", "pyarrow", "duckdb", "pytest", "hypothesis"),
    *("lightgbm", "xgboost", "catboost", "mlflow"),
)
LABELS = [1, 0, 1, 1, 0, 0, 1, 0] * 20
FIRST = [0.9, 0.4, 0.7, 0.4, 0.3, 0.1, 0.8, 0.6] * 20
SECOND = [0.6, 0.5, 0.9, 0.3, 0.4, 0.2, 0.5, 0.5] * 20
MODELS = {"first": FIRST, "second": SECOND}
PROGRAM = Path(sysconfig.get_path("scripts"), "metameasure")


def command(*arguments: object, code: int = 0) -> str:
    """What the program prints; it must end with the given code and never with a traceback."""
    done = subprocess.run(
        [PROGRAM, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr


def smoke(folder: Path) -> None:
    """Python, then the command line."""
    installed = [name for name in EXTRA if find_spec(name)]
    assert not installed, f"not a bare environment: {installed}"
    assert abs(mm.auc(LABELS, FIRST) - 14.5 / 16) < 1e-12
    evaluation = mm.evaluate(LABELS, MODELS, resamples=100)
    assert "auc" in str(evaluation)
    assert evaluation.frame().height
    assert "delong" in str(mm.compare(LABELS, MODELS, "auc"))
    assert mm.integrations.lightgbm.metric("auc")(LABELS, FIRST) == ("auc", 14.5 / 16, True)
    try:
        mm.integrations.mlflow.log(evaluation)
    except mm.MetameasureError as error:
        assert "metameasure[mlflow]" in str(error), error  # noqa: PT017 - pytest is not installed
    else:
        raise AssertionError("MLflow is not installed")
    # Data files of the package.
    found = known_coverage(mm.auc, "delong", (80, 80))
    assert found is not None
    assert 0.9 < found.coverage < 1
    assert "DeLong" in references()["delong1988"]
    assert "dominates" in str(
        mm.lab.compare("two_level(auc, accuracy)", "auc", mm.lab.ranked_lists(5, 5))
    )
    rng = np.random.default_rng(1)
    truth = rng.random(200) < 0.5
    noisy = {
        name: truth + rng.normal(scale=scale, size=200) for name, scale in (("a", 1), ("b", 2))
    }
    assert "auc" in str(
        mm.advise(truth, noisy, goal="auc", sizes=[20], measures="auc, ks", repeats=20)
    )

    # Items of the papers that need neither learners nor data files.
    assert "21 of 21" in command("reproduce", "huang2006/table3.4", "--out", folder)
    assert "berrar2014/table1" in command("reproduce", "--out", folder)

    file = folder / "predictions.csv"
    rows = zip(LABELS, FIRST, SECOND, strict=True)
    file.write_text("y,first,second\n" + "".join(f"{y},{a},{b}\n" for y, a, b in rows))
    columns = ("--label", "y", "--score", "first", "--score", "second")
    assert "scored_auc" in command("evaluate", file, *columns, "--resamples", 100)
    assert '"auc"' in command("evaluate", file, *columns, "--measures", "auc", "--format", "json")
    assert "delong" in command("compare", file, *columns, "--measures", "auc")
    assert "auc" in command("lab", "compare", "auc", "accuracy", "--positives", 5, "--negatives", 5)
    assert "h_measure" in command("measures")
    assert "auc" in command("demo")
    missing = command("plot", "roc", file, *columns, "-o", folder / "roc.svg", code=1)
    assert "matplotlib" in missing, missing
    assert "metameasure[plot]" in missing, missing
    assert not (folder / "roc.svg").exists()


with tempfile.TemporaryDirectory() as name:
    smoke(Path(name))
print("the smoke test passed")
