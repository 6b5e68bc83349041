"""Results in MLflow: their values, and pictures and the whole result as artifacts."""

from __future__ import annotations

import re
import tempfile
import warnings
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metameasure import plots
from metameasure._arguments import TEXT, Instance, Whole, read_argument
from metameasure.errors import MetameasureError, ParameterError
from metameasure.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import polars as pl

    from metameasure.plots import Display

DISPLAYS = {
    "Advice": "AdviceDisplay",
    "Comparison": "ForestDisplay",
    "ComparisonMatrix": "MeasuresDisplay",
    "ConfusionMatrix": "ConfusionDisplay",
    "Degrees": "DegreesDisplay",
    "Evaluation": "ForestDisplay",
    "MeasureComparison": "AgreementDisplay",
    "MeasureCorrelations": "MeasureMapDisplay",
    "ModelSelection": "ValidationDisplay",
    "PreferenceOrder": "MeasuresDisplay",
    "Robustness": "RobustnessDisplay",
    "Selection": "SelectionDisplay",
    "Selections": "SelectionDisplay",
}
"""The displays that draw a result without further data."""
AT_ONCE = 1000
"""Number of values that MLflow takes in one request."""
LONGEST = 80
"""Number of characters of each part of a key; MLflow takes 250 in all."""
MEASURE = "measure"
ESTIMATE = "value"


def log(
    result: Result,
    *displays: Display,
    name: str | None = None,
    step: int | None = None,
    run_id: str | None = None,
) -> None:
    """Log a result in the active run of MLflow, or in the run with this id.

    Values have the names of their rows, "auc" or "model/auc"; their limits are "auc.low" and
    "auc.high", and the values of a comparison "auc.difference". Other characters than letters,
    digits, "_", "." and "-" are replaced by "_". The result as JSON and HTML and its picture, if a
    display takes it, are artifacts.

    Args:
        result: any result; if its rows have no names, it is logged as an artifact only.
        *displays: further pictures, e.g. ``RocDisplay.from_predictions(y_true, scores)``.
        name: the folder of the artifacts; by default the name of the class of the result.
        step: the step of the values, if a result is logged repeatedly.
        run_id: the run; by default the active one, or a new one.
    """
    if not isinstance(result, Result):
        raise ParameterError(
            f"result must come from a function of metameasure, got {type(result).__name__}",
            remedy="pass the result of evaluate, compare or another function",
            argument="result",
        )
    for display in displays:
        read_argument("displays", display, Instance((plots.Display,), "displays of mm.plots"))
    read_argument("name", name, TEXT, optional=True)
    read_argument("step", step, Whole(0), optional=True)
    read_argument("run_id", run_id, TEXT, optional=True)
    if find_spec("mlflow") is None:
        raise MetameasureError(
            "mlflow is not installed", remedy="pip install 'metameasure[mlflow]'"
        )
    mlflow: Any = import_module("mlflow")
    try:
        _log(mlflow, result, displays, name=name, step=step, run_id=run_id)
    except mlflow.exceptions.MlflowException as error:
        raise MetameasureError(f"MLflow cannot log the result: {error.message}") from error


def _log(
    mlflow: Any,
    result: Result,
    displays: Sequence[Display],
    *,
    name: str | None,
    step: int | None,
    run_id: str | None,
) -> None:
    """Log the values, and the files as artifacts."""
    values = list(_values(result.to_polars()).items())
    for start in range(0, len(values), AT_ONCE):
        mlflow.log_metrics(dict(values[start : start + AT_ONCE]), step=step, run_id=run_id)
    kind = _snake_case(type(result).__name__)
    folder = _plain(name or kind)
    with tempfile.TemporaryDirectory() as temporary:
        directory = Path(temporary)
        for suffix in ("json", "html"):
            result.save(directory / f"{kind}.{suffix}")
        _draw_result(result, directory / f"{kind}.png")
        names = _Distinct({kind})
        for display in displays:
            drawn = _snake_case(type(display).__name__.removesuffix("Display"))
            display.save(directory / f"{names.of(drawn)}.png")
        mlflow.log_artifacts(temporary, folder, run_id=run_id)


def _values(frame: pl.DataFrame) -> dict[str, float]:
    """The numbers of the rows by key; empty if texts do not identify the rows."""
    import polars as pl  # noqa: PLC0415

    numbers = [name for name, kind in frame.schema.items() if kind == pl.Float64]
    if not numbers or not frame.height:
        return {}
    before = frame.columns[: frame.columns.index(numbers[0])]
    texts = [name for name in before if frame.schema[name] == pl.String]
    if frame.select(texts).n_unique() < frame.height:
        return {}
    parts = [name for name in texts if name == MEASURE or frame[name].n_unique() > 1]
    found: dict[str, float] = {}
    keys = _Distinct()
    for row in frame.iter_rows(named=True):
        named = "/".join(_plain(str(row[part])) for part in parts if row[part] is not None)
        estimate, *others = numbers
        base = ".".join(filter(None, [named, "" if estimate == ESTIMATE else estimate]))
        key = keys.of(base or estimate)
        suffixed = {key: row[estimate], **{f"{key}.{other}": row[other] for other in others}}
        found |= {key: value for key, value in suffixed.items() if value is not None}
    return found


def _draw_result(result: Result, file: Path) -> None:
    """Draw a result, if there is a display for it; warn if it cannot be drawn."""
    display = DISPLAYS.get(type(result).__name__)
    if display is None:
        return
    try:
        getattr(plots, display)(result).save(file)
    except MetameasureError as error:
        warnings.warn(f"the result is logged without a picture: {error}", stacklevel=3)


class _Distinct:
    """Names that are made distinct by numbers."""

    def __init__(self, used: set[str] | None = None) -> None:
        self._used = used or set()

    def of(self, name: str) -> str:
        """The name, followed by the first number that makes it a new one."""
        found = next(each for each in _numbered(name) if each not in self._used)
        self._used.add(found)
        return found


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}_{number}"
        number += 1


def _plain(text: str) -> str:
    """A part of a key or path, with characters that all stores of MLflow accept."""
    return re.sub(r"[^\w.-]+", "_", text).strip("_.")[:LONGEST] or "_"


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
