"""The models of a picture: their tables, which of them have names in it, and their curves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.data import estimator_scores, read_models
from metameasure.errors import DataError
from metameasure.inference import Band, band
from metameasure.plots._drawing.legends import Named, legend
from metameasure.plots._drawing.line_labels import name_lines
from metameasure.plots._drawing.style import UNNAMED, Stroke, text_of, told_apart

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from matplotlib.axes import Axes

    from metameasure.curves import Curve, CurveKind
    from metameasure.data import Models
    from metameasure.measurement import Measure
    from metameasure.table import ScoreTable


def models_of_estimators(
    estimators: Any, X: Any, y: Any, *, probabilities: bool, pos_label: Any, sample_weight: Any
) -> Models:
    """The models that fitted classifiers are, by their scores for the cases X."""
    scores, positive = estimator_scores(
        estimators, X, probabilities=probabilities, pos_label=pos_label
    )
    return read_models(y, scores, pos_label=positive, sample_weight=sample_weight)


def table_of_cases(models: Models) -> ScoreTable:
    """A table with the number of cases per class, which must be the same for all models."""
    models.check_same_cases()
    return models.table(models.names[0])


def curves_of(
    models: Models, kind: CurveKind, names: Iterable[str] | None = None
) -> dict[str, Curve]:
    """The curve of each model; an error if one is undefined."""
    chosen = {name: models.table(name) for name in (models.names if names is None else names)}
    if any(np.any(kind.is_undefined(table)) for table in chosen.values()):
        why = f"{kind} is undefined: {kind.declaration.undefined}"
        raise DataError(f"there is nothing to draw: {why}")
    return {name: kind.of(table) for name, table in chosen.items()}


def values_of(models: Models, measure: Measure) -> dict[str, float]:
    """The value of a measure for each model; NaN where it is undefined."""
    return {name: float(measure.compute(table)) for name, table in models.tables.items()}


def band_around(models: Models, kind: CurveKind, name: str, **options: Any) -> Band:
    """The band around the curve of one model."""
    rows = models.rows
    if rows is None:
        return band(models.table(name), kind, **options)
    return band(
        rows.positive,
        rows.scores[name],
        kind,
        sample_weight=rows.weight,
        cluster=rows.cluster,
        **options,
    )


def cast_of(models: Models, measure: Measure, highlight: Iterable[str] | None = None) -> Cast:
    """The models that are named: all if they are few, else ``highlight``, else the best."""
    values = values_of(models, measure)
    goodness = measure.goodness(np.array(list(values.values())))
    order = np.argsort(-np.nan_to_num(goodness, nan=-np.inf), kind="stable")
    ranked = [list(values)[place] for place in order]
    named, rest = told_apart(ranked, highlight, "models", list(values))
    return Cast(named, rest, values, measure)


@dataclass(frozen=True, eq=False)
class Cast:
    """The models that have names in a picture, with their strokes, the best first; and the rest.

    Attributes:
        named: the stroke of each model that is told apart.
        rest: the other ones, which are drawn in grey.
        values: what stands behind the names.
        measure: what the values are of.
        symbol: what it is called, if not by its own symbol.
    """

    named: Mapping[str, Stroke]
    rest: list[str]
    values: Mapping[str, float]
    measure: Measure
    symbol: str = ""

    def stroke(self, name: str) -> Stroke:
        """How the line of a model looks."""
        return self.named.get(name, UNNAMED)

    def moved(self, steps: int) -> Cast:
        """The same with the strokes that come so many places later."""
        named = {name: stroke.moved(steps) for name, stroke in self.named.items()}
        return replace(self, named=named)

    def text(self, name: str) -> str:
        """The name of a model with its value; a single model needs no name if it has none."""
        value = f"{self.symbol or self.measure.declaration.symbol} {self.values[name]:.3f}"
        alone = len(self.values) == 1 and name == "model"
        return value if alone else f"{text_of(name)}  {value}"

    def write_names(self, axes: Axes, lines: Mapping[str, Named], corner: str) -> None:
        """Name the lines of models; grey ones are counted in a legend that has the others."""
        named = [lines[name] for name in self.named]
        if not self.rest:
            name_lines(axes, named, corner)
            return
        words = f"{len(self.rest)} other{'s' if len(self.rest) > 1 else ''}"
        others = replace(lines[self.rest[0]], text=words, short=words)
        legend(axes, [*named, others], corner)
