"""The models of a figure: their curves and values, and their strokes and names."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import read_confidence
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.inference import Band, Plan, band, measure_intervals, samples_of
from metameasure.plots._drawing.layout import Entry, caption, legend, line_entry
from metameasure.plots._drawing.style import GRAY, SHORT_NAME, UNNAMED, Stroke, highlighted, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from matplotlib.axes import Axes

    from metameasure.curves import Curve, CurveKind
    from metameasure.data import Models
    from metameasure.inference import Interval
    from metameasure.measurement import Measure
    from metameasure.table import ScoreTable

MOST_BANDS = 3
"""Largest number of bands in a figure; more would hide each other."""


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


def band_around(models: Models, kind: CurveKind, name: str, *, ci: float, **options: Any) -> Band:
    """The band around the curve of one model."""
    options["ci"] = read_confidence(ci, "band")
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


def intervals_of(models: Models, styles: ModelStyles, ci: float | None) -> dict[str, Interval]:
    """The interval of the value of each named model; none if ``ci`` is None or weights forbid it.

    Score tables whose weights are not counts have no intervals.
    """
    if ci is None or (models.rows is None and models.weighted):
        return {}
    plan = Plan(ci=read_confidence(ci))
    found: dict[str, Interval] = {}
    for sample in samples_of(models.choosing(list(styles.named)), resampled=True):
        asked = {model: [styles.measure] for model in sample.tables}
        for (model, _), each in measure_intervals(sample, asked, plan).items():
            if each.reason is None:
                found[model] = each
    return found


def styles_of(
    models: Models, measure: Measure, highlight: Iterable[str] | None = None
) -> ModelStyles:
    """The strokes of the highlighted models: all if there are few, else the best by default."""
    values = values_of(models, measure)
    goodness = measure.goodness(np.array(list(values.values())))
    order = np.argsort(-np.nan_to_num(goodness, nan=-np.inf), kind="stable")
    ranked = [list(values)[place] for place in order]
    named, rest = highlighted(ranked, highlight, "models", list(values))
    return ModelStyles(named, rest, values, measure)


@dataclass(frozen=True, eq=False)
class ModelStyles:
    """The strokes of the models that have names in a figure, the best first; and the rest.

    Attributes:
        named: the stroke of each highlighted model.
        rest: the other models, drawn in gray.
        values: the values shown after the names.
        measure: the measure of these values.
        notes: texts after the values.
    """

    named: Mapping[str, Stroke]
    rest: list[str]
    values: Mapping[str, float]
    measure: Measure
    notes: Mapping[str, str] = field(default_factory=dict)

    def stroke(self, name: str) -> Stroke:
        """The stroke of a model."""
        return self.named.get(name, UNNAMED)

    def moved(self, steps: int) -> ModelStyles:
        """The same models with the strokes of later places."""
        named = {name: stroke.moved(steps) for name, stroke in self.named.items()}
        return replace(self, named=named)

    def text(self, name: str) -> str:
        """The name of a model with its value; a single unnamed model has the value only."""
        symbol = self.measure.declaration.symbol
        value = f"{symbol} {self.values[name]:.3f}{self.notes.get(name, '')}"
        alone = len(self.values) == 1 and name == "model"
        return value if alone else f"{text_of(name)}  {value}"

    def write_legend(
        self,
        axes: Axes,
        corner: str,
        more: Sequence[Entry] = (),
        text: Callable[[str], str] | None = None,
    ) -> None:
        """Write the legend: the named models, the number of gray ones, and further entries."""
        short = {name: text_of(name, SHORT_NAME) for name in self.named}
        if len(set(short.values())) < len(short):
            short = {name: text_of(name) for name in self.named}
        entries = [
            line_entry(stroke, (text or self.text)(name), short[name])
            for name, stroke in self.named.items()
        ]
        if self.rest:
            others = f"{len(self.rest)} other{'s' if len(self.rest) > 1 else ''}"
            entries.append(line_entry(UNNAMED, others))
        legend(axes, [*entries, *more], corner)


def bands_of(
    models: Models,
    kind: CurveKind,
    styles: ModelStyles,
    ci: float | None,
    *,
    simultaneous: bool,
) -> dict[str, Band]:
    """The band of each named model; none if ``ci`` is None."""
    if ci is None:
        return {}
    check_few(styles, "bands")
    return {
        name: band_around(models, kind, name, ci=ci, simultaneous=simultaneous)
        for name in styles.named
    }


def check_few(styles: ModelStyles, what: str) -> None:
    """Check that there are few enough named models for bands, bins or lines."""
    if len(styles.named) > MOST_BANDS:
        raise ParameterError(
            f"{what} can be drawn for up to {MOST_BANDS} models, got {len(styles.named)}",
            remedy=("choose up to ", str(MOST_BANDS), " with ", Argument("highlight")),
            argument="highlight",
        )


def draw_bands(axes: Axes, bands: Mapping[str, Band], styles: ModelStyles) -> None:
    """Draw each band in the color of its model, with a caption."""
    for name, found in bands.items():
        write_band(axes, found)
        axes.fill_between(
            found.x, found.low, found.high, color=styles.stroke(name).color, alpha=0.16,
            linewidth=0, zorder=1.3,
        )  # fmt: skip


def write_band(axes: Axes, band: Band) -> None:
    """Write the confidence and the kind of a band above the axes."""
    kind = "simultaneous" if band.simultaneous else "pointwise"
    caption(axes, f"band: {100 * band.ci:g}%, {kind}", color=GRAY)
