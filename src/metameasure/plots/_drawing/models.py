"""The models of a picture: their tables, which of them have names in it, and their curves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown
from metameasure.data import (
    BY_PROBABILITY,
    BY_RANK,
    check_same_cases,
    named_tables,
    positive_scores,
    read_models,
    response_of,
)
from metameasure.errors import DataError
from metameasure.inference import Band, band
from metameasure.plots._drawing.legends import Named, legend
from metameasure.plots._drawing.line_labels import name_lines
from metameasure.plots._drawing.style import UNNAMED, Stroke, text_of, told_apart
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from metameasure.curves import Curve, CurveKind
    from metameasure.data import Predictions
    from metameasure.measurement import Measure


@dataclass(frozen=True, eq=False)
class Models:
    """The score table of each model on the same cases.

    Attributes:
        tables: by the name of the model.
        rows: the cases themselves, where they are known: resampling weighted ones needs them.
    """

    tables: Mapping[str, ScoreTable]
    rows: Predictions | None = None

    @classmethod
    def of(cls, predictions: Predictions) -> Models:
        """The models of validated predictions."""
        tables = {name: predictions.table(name) for name in predictions.scores}
        return cls(tables, predictions)

    @classmethod
    def read(cls, y_true: Any, scores: Any, *, name: str | None, **options: Any) -> Models:
        """The models of arrays, of a frame, or of ready tables; one of them may get a name."""
        if isinstance(y_true, ScoreTable):
            y_true = {name or "model": y_true}
        if isinstance(y_true, Mapping):
            return cls(named_tables(y_true, scores, **options))
        found = cls.of(read_models(y_true, scores, **options)[0])
        return found if name is None else found.renamed(name)

    @classmethod
    def of_estimators(
        cls, estimators: Any, X: Any, y: Any, *, probabilities: bool, pos_label: Any, **options: Any
    ) -> Models:
        """The models that estimators are, by what they say about the cases X."""
        many = estimators if isinstance(estimators, Mapping) else {_name(estimators): estimators}
        responses, scores = BY_PROBABILITY if probabilities else BY_RANK, {}
        for name, estimator in many.items():
            known = list(getattr(estimator, "classes_", ()))
            if not known:
                raise DataError(
                    f"{shown([name])} is no fitted classifier, as it has no classes_: fit it, or "
                    "give a dict of several by their names"
                )
            if len(known) != 2:
                raise DataError(
                    f"a picture is of two classes, and {shown([name])} knows {len(known)}: fit it "
                    "to one class against the rest"
                )
            response = response_of(estimator, X, responses)
            scores[name] = positive_scores(response, known, pos_label)
            positive = known[1] if pos_label is None else pos_label
        if not scores:
            raise DataError("there is no estimator: give one, or a dict of several")
        return cls.read(y, scores, pos_label=positive, name=None, **options)

    def renamed(self, name: str) -> Models:
        """The same single model under another name."""
        if len(self.tables) != 1:
            raise DataError(f"name={name!r} is for one model, and there are {len(self.tables)}")
        (table,) = self.tables.values()
        if self.rows is None:
            return Models({name: table})
        (scores,) = self.rows.scores.values()
        return Models({name: table}, replace(self.rows, scores={name: scores}))

    def on_same_cases(self) -> ScoreTable:
        """A table that has as many cases of each class as all do; refused if they differ."""
        check_same_cases(self.tables)
        return next(iter(self.tables.values()))

    def curves(self, kind: CurveKind, names: Iterable[str] | None = None) -> dict[str, Curve]:
        """The curve of each model; refused where one has none."""
        chosen = self.tables if names is None else {name: self.tables[name] for name in names}
        if any(np.any(kind.is_undefined(table)) for table in chosen.values()):
            why = f"{kind} is undefined: {kind.declaration.undefined}"
            raise DataError(f"there is nothing to draw: {why}")
        return {name: kind.of(table) for name, table in chosen.items()}

    def values(self, measure: Measure) -> dict[str, float]:
        """The value of a measure for each model; NaN where there is none."""
        return {name: float(measure.compute(table)) for name, table in self.tables.items()}

    def band(self, kind: CurveKind, name: str, **options: Any) -> Band:
        """The band around the curve of one model."""
        if self.rows is None:
            return band(self.tables[name], kind, **options)
        rows = self.rows
        return band(
            rows.positive,
            rows.scores[name],
            kind,
            sample_weight=rows.weight,
            cluster=rows.cluster,
            **options,
        )

    def cast(self, measure: Measure, highlight: Iterable[str] | None = None) -> Cast:
        """Which models are named: all if there are few, else those asked for, or else the best."""
        values = self.values(measure)
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


def _name(estimator: Any) -> str:
    return type(estimator).__name__
