"""The rates of both classes as pictures: over the thresholds, and as errors against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure._text import shown
from metameasure.curves import FNR, FPR, TPR, Curve, det, tpr_fpr
from metameasure.errors import DataError
from metameasure.inference import POINTS
from metameasure.measurement import parse
from metameasure.operating import threshold_text
from metameasure.plots._drawing.annotations import write_in_corner, write_note
from metameasure.plots._drawing.bands import say_kind
from metameasure.plots._drawing.display import BROAD, CurvesDisplay, ModelsDisplay
from metameasure.plots._drawing.legends import Named
from metameasure.plots._drawing.line_labels import name_lines
from metameasure.plots._drawing.models import band_around, cast_of, curves_of, values_of
from metameasure.plots._drawing.probit_axis import (
    bent_line,
    deviates,
    half_a_case,
    limits,
    set_ticks,
)
from metameasure.plots._drawing.screen import is_narrow
from metameasure.plots._drawing.style import (
    DASHES,
    GREY,
    GUIDE,
    INK,
    NEGATIVE,
    PALE,
    POSITIVE,
    SMALL,
    SMALLER,
    Stroke,
    show,
    text_of,
    unit_square,
)
from metameasure.plots._drawing.thinning import corners, seen
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from metameasure.data import Models
    from metameasure.inference import Band

    Floats = NDArray[np.float64]

Against = Literal["index", "score", "depth"]
LOOKS = {TPR: Stroke(POSITIVE), FPR: Stroke(NEGATIVE, DASHES[1])}
LABELS = {
    "index": "score threshold, by its place",
    "score": "score threshold",
    "depth": "share of the cases taken",
}
FEW, MOST_TICKS = 25, 12
"""So many thresholds are drawn one by one, and so many have ticks of their own."""
MARGIN = 0.03


class TprFprDisplay(ModelsDisplay):
    """The TPR-FPR chart of a model, also called its Kolmogorov-Smirnov chart.

    The arrow is KS, the largest distance between both rates, at its threshold; of several such
    thresholds the highest. taKS is the mean distance over the thresholds but for those that take
    all cases or none. Against the index it is the shaded area, ABC, times K / (K - 1) where there
    are K different scores. Against the depth the shaded area is half of the Gini coefficient, and
    against the score the difference of the mean scores of both classes. Where the false positive
    rate is above the true one the area counts against the model; it is hatched. Nothing is shaded
    beside a band.

    Args:
        models: the model; a chart has room for one.
        against: over what the rates are drawn: the thresholds at equal distances ("index"), the
            "score", or the share of the cases taken ("depth").
        band: a confidence, to draw the bands of both rates, against score or depth.
        simultaneous: whether the bands are to hold both lines as a whole.
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
                f"a TPR-FPR chart is of one model, and there are {len(models.tables)}: name one of "
                f"{shown(list(models.tables))}, scores=..."
            )
        ((self.name, self.table),) = models.tables.items()
        kind = tpr_fpr.using(against=against)
        self.against: str = against
        self.curve = curves_of(models, kind)[self.name]
        gaps = np.abs(self.curve.y - self.curve.others["fpr"])
        self.place = int(np.argmax(gaps >= gaps.max() - ROUNDING))
        self.values = {
            name: values_of(models, parse(name))[self.name]
            for name in ("ks", "taks", "abc", "gini", "mean_gap")
        }
        self.band: Band | None = None
        if band is not None:
            if against == "index":
                raise DataError(
                    "the places of thresholds belong to one sample, so that there is no band "
                    "against them: take against='score' or 'depth'"
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
        self._set_axes(axes)
        x, tpr, fpr = self._lines()
        if self.band is None:
            self._shade(axes, x, tpr, fpr)
        else:
            self._draw_band(axes, self.band)
        named = []
        for (name, look), y in zip(LOOKS.items(), (tpr, fpr), strict=True):
            (self.artists_[name],) = axes.plot(x, y, **look.keywords)
            named.append(Named(name, x, y, look))
        if 1 < self.table.distinct <= FEW:
            self._draw_thresholds(axes)
        narrow = is_narrow(axes)
        if narrow:
            name_lines(axes, named, "lower right")
        if self.values["ks"] > 0:
            self._draw_ks(axes)
        write_in_corner(axes, self._words())
        if not narrow:
            name_lines(axes, named, "lower right")

    def _set_axes(self, axes: Axes) -> None:
        unit_square(axes)
        axes.set(aspect="auto", xlabel=LABELS[self.against], ylabel="share of the class above it")
        if self.name != "model":
            axes.set_title(text_of(self.name), loc="left", fontsize=SMALL)
        if self.against == "score":
            from matplotlib.ticker import AutoLocator, ScalarFormatter  # noqa: PLC0415

            axes.set_xlim(self._room())
            axes.xaxis.set_major_locator(AutoLocator())
            axes.xaxis.set_major_formatter(ScalarFormatter())
        if self.against == "index":
            last = len(self.curve) - 1
            places = np.arange(last + 1)
            if last + 1 > MOST_TICKS:
                places = np.round(np.linspace(0, last, 6)).astype(int)
            names = [_number(score) for score in self._thresholds()[places]]
            axes.set_xticks(self.curve.x[places], names)

    def _thresholds(self) -> Floats:
        assert self.curve.threshold is not None  # noqa: S101 - this kind of curve has them
        return self.curve.threshold

    def _room(self) -> tuple[float, float]:
        """The limits of an axis of scores."""
        low, high = self._ends()
        more = MARGIN * (high - low) or 0.5
        return low - more, high + more

    def _places(self) -> Floats:
        """Where each threshold stands; an infinite one at the end of the axis."""
        return np.clip(self.curve.x, *self._room()) if self.against == "score" else self.curve.x

    def _lines(self) -> tuple[Floats, Floats, Floats]:
        """Both rates over the same x, with straight lines between the points that are seen."""
        x, tpr, fpr = self._places(), self.curve.y, self.curve.others["fpr"]
        keep = np.zeros(x.size, dtype=bool)
        keep[self.place] = True
        if self.against == "score":
            x = np.append(x, self._room()[0])[::-1]
            tpr, fpr = (np.append(rate, 1.0)[::-1] for rate in (tpr, fpr))
            above = np.zeros(2 * x.size - 1, dtype=bool)
            above[2::2] = keep[::-1]
            keep = above
            (_, tpr), (x, fpr) = (corners(x, rate, left=False) for rate in (tpr, fpr))
        places = seen(x, (tpr, fpr), keep)
        return x[places], tpr[places], fpr[places]

    def _shade(self, axes: Axes, x: Floats, tpr: Floats, fpr: Floats) -> None:
        looks: dict[str, Any] = {"interpolate": True, "linewidth": 0, "zorder": 1.1}
        self.artists_["area"] = axes.fill_between(
            x, fpr, tpr, where=tpr >= fpr, color=GREY, alpha=0.16, **looks
        )
        if np.any(tpr < fpr):
            self.artists_["area against"] = axes.fill_between(
                x, fpr, tpr, where=tpr < fpr, facecolor="none", edgecolor=PALE, hatch="////",
                **looks,
            )  # fmt: skip

    def _draw_band(self, axes: Axes, band: Band) -> None:
        say_kind(axes, band)
        (_, *of_fpr), of_tpr = band.others["fpr"], (band.low, band.high)
        for (name, look), (low, high) in zip(LOOKS.items(), (of_tpr, of_fpr), strict=True):
            self.artists_[f"band of {name}"] = axes.fill_between(
                band.x, low, high, color=look.colour, alpha=0.16, linewidth=0, zorder=1.3
            )

    def _draw_thresholds(self, axes: Axes) -> None:
        """Draw the distances whose mean is taKS."""
        inner = slice(1, -1)
        x, tpr, fpr = (a[inner] for a in (self._places(), self.curve.y, self.curve.others["fpr"]))
        axes.plot([x, x], [fpr, tpr], color=GREY, linewidth=0.6, zorder=1.8)
        for (name, look), y in zip(LOOKS.items(), (tpr, fpr), strict=True):
            (self.artists_[f"points of {name}"],) = axes.plot(
                x, y, "o", color=look.colour, markersize=3.2, zorder=3.2
            )

    def _draw_ks(self, axes: Axes) -> None:
        x = float(self._places()[self.place])
        rates = float(self.curve.y[self.place]), float(self.curve.others["fpr"][self.place])
        self.artists_["KS"] = axes.annotate(
            "", (x, max(rates)), xytext=(x, min(rates)), zorder=4,
            arrowprops={"arrowstyle": "<->", "color": INK, "shrinkA": 0, "shrinkB": 0},
        )  # fmt: skip
        threshold, below = np.append(self._thresholds(), -np.inf)[self.place : self.place + 2]
        cut = threshold_text(float(threshold), float(below))
        words = f"KS {self.values['ks']:.3f}\nscore ≥ {cut}"
        write_note(axes, x, sum(rates) / 2, words)

    def _words(self) -> str:
        """What taKS is, and the area that is shaded if it would not be mixed up with a band."""
        taks = self.values["taks"]
        mean = "taKS undefined: one score" if np.isnan(taks) else f"taKS {taks:.3f}, mean distance"
        if self.band is not None:
            return mean
        area = {
            "index": f"ABC {self.values['abc']:.3f}",
            "depth": f"half the Gini {self.values['gini'] / 2:.3f}",
            "score": f"difference of means {self.values['mean_gap']:.3g}",
        }
        return f"{mean}\nshaded: {area[self.against]}"


def _number(score: float) -> str:
    return f"{score:.3g}".replace("inf", "∞")


class DetDisplay(CurvesDisplay):
    """DET curves: the errors of both classes against each other, on axes of normal deviates.

    There two classes with normal scores give a straight line, and what is near to 0 is seen. The
    dots are the equal error rates, where the curves meet the diagonal. A rate of 0 or 1, whose
    deviate is infinite, is drawn at half a case from there.

    Args:
        models: the models.
        highlight: which models are told apart; the seven with the least equal error rate by
            default.
    """

    def __init__(self, models: Models, *, highlight: Iterable[str] | None = None) -> None:
        super().__init__(models)
        self.halves = {
            name: (half_a_case(table.neg), half_a_case(table.pos))
            for name, table in models.tables.items()
            if table.P and table.N
        }
        self.curves = {
            name: Curve("det", *bent_line(rates.x, rates.y, self.halves[name]))
            for name, rates in curves_of(models, det).items()
        }
        self.cast = cast_of(models, parse("equal_error_rate"), highlight)

    def _draw(self, axes: Axes) -> None:
        lines = self.curves.values()
        show(axes, limits(line.x for line in lines), limits(line.y for line in lines))
        axes.set(xlabel=f"{FPR}, %", ylabel=f"{FNR}, %")
        across, up = axes.get_xlim(), axes.get_ylim()
        set_ticks(axes.xaxis, *across)
        set_ticks(axes.yaxis, *up)
        far = np.array([min(*across, *up), max(*across, *up)])
        (self.artists_["chance"],) = axes.plot(far, -far, **GUIDE.keywords)
        (self.artists_["equal rates"],) = axes.plot(far, far, **GUIDE.keywords)
        named = self._draw_curves(axes, self.curves, self.cast)
        for name, stroke in self.cast.named.items():
            rate = np.array([self.cast.values[name]])
            x, y = (deviates(rate, half) for half in self.halves[name])
            (self.artists_[f"EER of {name}"],) = axes.plot(
                x, y, "o", color=stroke.colour, markersize=5, markeredgecolor="white", zorder=5
            )
        dots = "dots" if len(self.cast.named) > 1 else "dot"
        axes.set_title(f"{dots}: equal error rate", loc="left", fontsize=SMALLER, color=GREY)
        self.cast.write_names(axes, named, "upper right")
