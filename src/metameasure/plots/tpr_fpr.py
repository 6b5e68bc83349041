"""TPR-FPR (Kolmogorov-Smirnov) charts: both rates against the threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure._text import shown
from metameasure.curves import FPR, TPR, tpr_fpr
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.inference import POINTS
from metameasure.measurement import is_best, parse
from metameasure.operating import threshold_text
from metameasure.plots._drawing.display import BROAD, ModelsDisplay
from metameasure.plots._drawing.layout import (
    Entry,
    legend,
    letters,
    line_entry,
    marker_entry,
    set_ticks,
)
from metameasure.plots._drawing.model_styles import band_around, curves_of, values_of, write_band
from metameasure.plots._drawing.style import (
    DASHES,
    GRAY,
    INK,
    NEGATIVE,
    PALE,
    POSITIVE,
    Stroke,
    text_of,
    unit_square,
)
from metameasure.plots._drawing.thinning import corners, seen

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from metameasure._types import Floats
    from metameasure.data import Models
    from metameasure.inference import Band


Against = Literal["index", "score", "depth"]
LOOKS = {TPR: Stroke(POSITIVE), FPR: Stroke(NEGATIVE, DASHES[1])}
SHORT = {TPR: "TPR", FPR: "FPR"}
LABELS = {
    "index": "threshold (rank-spaced)",
    "score": "threshold",
    "depth": "fraction of cases taken",
}
FEW = 25
"""Number of thresholds up to which each has a marker."""
MOST_TICKS, TICKS = 12, 6
"""Number of thresholds up to which each has a tick, and number of ticks of more thresholds."""
MARGIN = 0.03


class TprFprDisplay(ModelsDisplay):
    """The TPR-FPR chart of a model, also called its Kolmogorov-Smirnov chart.

    The arrow is KS, the largest distance between both rates, at the highest threshold that has it.
    taKS is the mean distance over all thresholds except those that take all cases or none. Against
    the index the shaded area is ABC, and taKS is ABC times K / (K - 1) for K distinct scores.
    Against the depth the shaded area is half the Gini coefficient, and against the score it is the
    difference of the mean scores of both classes. Where the false positive rate is higher, the area
    is negative and hatched. With a band nothing is shaded.

    Args:
        models: a single model.
        against: the x axis: equally spaced thresholds ("index"), the "score", or the fraction of
            cases taken ("depth").
        band: the confidence of bands around both rates, against score or depth.
        simultaneous: whether the bands are simultaneous rather than pointwise.
    """

    size = BROAD

    def __init__(
        self,
        models: Models,
        *,
        against: Against = "index",
        band: float | None = None,
        simultaneous: bool = False,
    ) -> None:
        super().__init__(models)
        if len(models.tables) > 1:
            raise DataError(
                f"a TPR-FPR chart shows one model, got {len(models.tables)}",
                remedy=("pass one of ", shown(list(models.tables)), " as ", Argument("scores")),
            )
        ((self.name, self.table),) = models.tables.items()
        kind = tpr_fpr.using(against=against)
        self.against: str = against
        self.curve = curves_of(models, kind)[self.name]
        gaps = np.abs(self.curve.y - self.curve.others["fpr"])
        self.place = int(np.argmax(is_best(gaps)))
        self.values = {
            name: values_of(models, parse(name))[self.name]
            for name in ("ks", "taks", "abc", "gini", "mean_gap")
        }
        self.band: Band | None = None
        if band is not None:
            if against == "index":
                raise ParameterError(
                    (Argument("band"), " does not apply to rank-spaced thresholds"),
                    remedy=(
                        "use ",
                        Argument("against", "score"),
                        " or ",
                        Argument("against", "depth"),
                    ),
                )
            grid: Any = np.linspace(*self._ends(), POINTS) if against == "score" else POINTS
            self.band = band_around(
                models, kind, self.name, ci=band, simultaneous=simultaneous, grid=grid
            )

    def _ends(self) -> tuple[float, float]:
        """The lowest and the highest finite score."""
        known = self.table.score[np.isfinite(self.table.score) & (self.table.weight > 0)]
        return (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)

    def _draw(self, axes: Axes) -> None:
        self._label_axes(axes)
        x, tpr, fpr = self._lines()
        if self.band is None:
            self._shade(axes, x, tpr, fpr)
        else:
            self._draw_band(axes, self.band)
        entries = []
        for (name, look), y in zip(LOOKS.items(), (tpr, fpr), strict=True):
            (self.artists_[name],) = axes.plot(x, y, **look.keywords)
            entries.append(line_entry(look, name, SHORT[name]))
        if 1 < self.table.distinct <= FEW:
            self._draw_thresholds(axes)
        if self.values["ks"] > 0:
            entries.append(self._draw_ks(axes))
        legend(axes, [*entries, *self._value_entries()], "lower right")
        self._set_thresholds(axes)

    def _label_axes(self, axes: Axes) -> None:
        unit_square(axes)
        axes.set(aspect="auto", xlabel=LABELS[self.against], ylabel="fraction above threshold")
        if self.name != "model":
            axes.set_title(text_of(self.name), loc="left", fontsize=letters(axes))
        if self.against == "score":
            axes.set_xlim(self._room())

    def _set_thresholds(self, axes: Axes) -> None:
        """Set the ticks of rank-spaced thresholds."""
        if self.against == "index":
            points = len(self.curve)
            some = points if points <= MOST_TICKS else TICKS
            places = np.round(np.linspace(0, points - 1, some)).astype(int)
            names = [f"{score:.3g}".replace("inf", "∞") for score in self._thresholds()[places]]
            set_ticks(axes.xaxis, self.curve.x[places].tolist(), names, MOST_TICKS)

    def _thresholds(self) -> Floats:
        assert self.curve.threshold is not None  # noqa: S101 - this curve has thresholds
        return self.curve.threshold

    def _room(self) -> tuple[float, float]:
        """The limits of an axis of scores."""
        low, high = self._ends()
        more = MARGIN * (high - low) or 0.5
        return low - more, high + more

    def _places(self) -> Floats:
        """The position of each threshold; infinite ones at the end of the axis."""
        return np.clip(self.curve.x, *self._room()) if self.against == "score" else self.curve.x

    def _lines(self) -> tuple[Floats, Floats, Floats]:
        """Both rates over the same x, without the points that cannot be seen."""
        x, tpr, fpr = self._places(), self.curve.y, self.curve.others["fpr"]
        if self.against == "score":
            x = np.append(x, self._room()[0])[::-1]
            tpr, fpr = (np.append(rate, 1.0)[::-1] for rate in (tpr, fpr))
            (_, tpr), (x, fpr) = (corners(x, rate, left=False) for rate in (tpr, fpr))
        places = seen(x, tpr, fpr)
        return x[places], tpr[places], fpr[places]

    def _shade(self, axes: Axes, x: Floats, tpr: Floats, fpr: Floats) -> None:
        looks: dict[str, Any] = {"interpolate": True, "linewidth": 0, "zorder": 1.1}
        self.artists_["area"] = axes.fill_between(
            x, fpr, tpr, where=tpr >= fpr, color=GRAY, alpha=0.16, **looks
        )
        if np.any(tpr < fpr):
            self.artists_["area against"] = axes.fill_between(
                x, fpr, tpr, where=tpr < fpr, facecolor="none", edgecolor=PALE, hatch="////",
                **looks,
            )  # fmt: skip

    def _draw_band(self, axes: Axes, band: Band) -> None:
        write_band(axes, band)
        (_, *of_fpr), of_tpr = band.others["fpr"], (band.low, band.high)
        for (name, look), (low, high) in zip(LOOKS.items(), (of_tpr, of_fpr), strict=True):
            self.artists_[f"band of {name}"] = axes.fill_between(
                band.x, low, high, color=look.color, alpha=0.16, linewidth=0, zorder=1.3
            )

    def _draw_thresholds(self, axes: Axes) -> None:
        """Draw the distances that taKS averages."""
        inner = slice(1, -1)
        x, tpr, fpr = (a[inner] for a in (self._places(), self.curve.y, self.curve.others["fpr"]))
        axes.plot([x, x], [fpr, tpr], color=GRAY, linewidth=0.6, zorder=1.8)
        for (name, look), y in zip(LOOKS.items(), (tpr, fpr), strict=True):
            (self.artists_[f"points of {name}"],) = axes.plot(
                x, y, "o", color=look.color, markersize=3.2, zorder=3.2
            )

    def _draw_ks(self, axes: Axes) -> Entry:
        """Draw the arrow of KS; its legend entry."""
        x = float(self._places()[self.place])
        rates = float(self.curve.y[self.place]), float(self.curve.others["fpr"][self.place])
        self.artists_["KS"] = axes.annotate(
            "", (x, max(rates)), xytext=(x, min(rates)), zorder=4,
            arrowprops={"arrowstyle": "<->", "color": INK, "shrinkA": 0, "shrinkB": 0},
        )  # fmt: skip
        threshold, below = np.append(self._thresholds(), -np.inf)[self.place : self.place + 2]
        cut = threshold_text(float(threshold), float(below))
        short = f"KS {self.values['ks']:.3f}"
        look: dict[str, Any] = {"marker": r"$\updownarrow$", "color": INK, "markersize": 9}
        return marker_entry(f"{short} at score ≥ {cut}", short, **look)

    def _value_entries(self) -> list[Entry]:
        """The legend entries of the shaded area, unless there is a band, and of taKS."""
        from matplotlib.patches import Patch  # noqa: PLC0415

        taks, entries = self.values["taks"], []
        mean = "taKS undefined: one score" if np.isnan(taks) else f"taKS {taks:.3f} (mean)"
        if self.band is None:
            area = {
                "index": f"ABC {self.values['abc']:.3f}",
                "depth": f"half the Gini coefficient {self.values['gini'] / 2:.3f}",
                "score": f"difference of means {self.values['mean_gap']:.3g}",
            }
            patch = Patch(color=GRAY, alpha=0.16, linewidth=0)
            entries.append(Entry(patch, area[self.against]))
        return [
            *entries,
            marker_entry(mean, mean.split(" (", maxsplit=1)[0], marker="|", color=GRAY),
        ]
