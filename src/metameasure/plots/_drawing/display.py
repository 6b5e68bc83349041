"""Base classes of displays, which follow the conventions of scikit-learn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from metameasure._arguments import POSITIVE, read_argument
from metameasure._text import shown
from metameasure.data import Models, read_models
from metameasure.errors import Argument, ParameterError
from metameasure.plots._drawing.layout import is_narrow, lay_out
from metameasure.plots._drawing.model_styles import models_of_estimators
from metameasure.plots._drawing.style import (
    forget,
    new_axes,
    next_place,
    open_frame,
    require_matplotlib,
    small_letters,
    suit_background,
)
from metameasure.plots._drawing.thinning import trace
from metameasure.writing import whole_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from metameasure.curves import Curve
    from metameasure.data import NanPolicy, Rescale
    from metameasure.plots._drawing.model_styles import ModelStyles

SQUARE, BROAD = (4.4, 4.4), (5.4, 3.8)
"""Default sizes in inches."""
FORMATS = ("png", "svg", "pdf")
DPI = 200
MOST_PIXELS = 2e8
SALT = "metameasure"
"""Salt of the identifiers in an SVG file, so that equal figures give equal files."""


class Display(ABC):
    """A figure of some results.

    Attributes:
        ax_: the axes of the last drawing.
        figure_: the figure of these axes.
        artists_: the drawn artists by name: the line of each model, and others.
    """

    size: ClassVar[tuple[float, float]] = SQUARE
    ax_: Axes
    figure_: Figure
    artists_: dict[str, Artist]
    _first = 0
    """The place of its first stroke."""

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on the given axes, or on those of a new figure; returns the display."""
        axes = new_axes(self._inches()) if ax is None else ax
        figure = axes.get_figure(root=True)
        self.artists_ = {}
        try:
            open_frame(axes)
            if is_narrow(axes):
                small_letters(axes)
            self._go_on(next_place(axes))
            self._draw(axes)
            lay_out(axes)
            suit_background(axes)
        except BaseException:
            if ax is None:
                forget(figure)
            raise
        self.ax_ = axes
        if figure is not None:
            self.figure_ = figure
        return self

    @abstractmethod
    def _draw(self, axes: Axes) -> None:
        """Draw on axes."""

    def _go_on(self, place: int) -> None:
        """Use the strokes from a place on; those before belong to lines on the same axes."""
        self._move_strokes(place - self._first)
        self._first = place

    def _move_strokes(self, steps: int) -> None:  # noqa: B027 - not all have strokes
        """Use the strokes of later places."""

    def _inches(self) -> tuple[float, float]:
        """Default size in inches; figures with rows grow with their number."""
        return self.size

    def save(
        self, file: str | Path, *, size: tuple[float, float] | None = None, dpi: float = DPI
    ) -> None:
        """Draw on a new figure and write it to a file, without opening a window.

        Args:
            file: the file to write; its suffix (.png, .svg or .pdf) is the format.
            size: width and height in inches; by default those of the display.
            dpi: PNG resolution (dpi).
        """
        require_matplotlib()
        import matplotlib as mpl  # noqa: PLC0415
        from matplotlib.figure import Figure  # noqa: PLC0415

        form, inches = format_of(file), size or self._inches()
        check_sheet(form, inches, dpi)
        figure = Figure(figsize=inches, layout="constrained")
        # ax_ and artists_ stay those of the last plot().
        drawn = copy(self) if hasattr(self, "ax_") else self
        drawn.plot(figure.subplots())
        dated = {"png": "Software", "svg": "Date", "pdf": "CreationDate"}[form]
        with whole_file(file) as temporary, mpl.rc_context({"svg.hashsalt": SALT}):
            figure.savefig(temporary, format=form, dpi=dpi, metadata={dated: None})


def format_of(file: str | Path) -> str:
    """The format of a figure by the suffix of its file."""
    form = Path(file).suffix.lower().lstrip(".")
    if form not in FORMATS:
        raise ParameterError(
            f"{file}: figures are written as {', '.join(FORMATS)}, got {shown([form])}",
            remedy="use one of these suffixes",
            argument="file",
        )
    return form


def check_sheet(form: str, inches: tuple[float, float], dpi: float) -> None:
    """Check the size and the resolution of a figure."""
    for name, value in (("size", inches[0]), ("size", inches[1]), ("dpi", dpi)):
        read_argument(name, value, POSITIVE)
    width, height = inches
    pixels = width * height * dpi**2
    if form == "png" and pixels > MOST_PIXELS:
        raise ParameterError(
            f"{width:g} by {height:g} inches at {dpi:g} dpi are {pixels:.1g} pixels, more than "
            f"{MOST_PIXELS:.0e}",
            remedy=("use a smaller ", Argument("size"), " or ", Argument("dpi"), ", SVG or PDF"),
            argument="size",
        )


class ModelsDisplay(Display):
    """A figure of models on the same cases."""

    probabilities: ClassVar[bool] = False
    """Whether the scores of an estimator must be probabilities."""

    def __init__(self, models: Models) -> None:
        self.models = models

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        scores: Any = None,
        *,
        label: str | None = None,
        score: Any = None,
        weight: str | None = None,
        sample_weight: Any = None,
        pos_label: Any = None,
        nan_policy: NanPolicy = "raise",
        rescale: Rescale | None = None,
        cluster: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Draw models from labels and scores.

        Args:
            y_true: the labels; or a frame with the columns ``label``, ``scores`` and ``weight``;
                or a ScoreTable, or a dict of ScoreTables by model.
            scores: the scores of one model, or a dict or frame of several models.
            label: the label column of a frame.
            score: synonym of ``scores``.
            weight: the weight column of a frame.
            sample_weight: as for a measure.
            pos_label: as for a measure.
            nan_policy: as for a measure.
            rescale: as for a measure.
            cluster: the cluster of each case, for bands.
            name: the name of a single model in the figure.
            ax: the axes to draw on; those of a new figure by default.
            **options: options of the display; see the class.
        """
        models = read_models(
            y_true,
            scores,
            score=score,
            label=label,
            weight=weight,
            sample_weight=sample_weight,
            pos_label=pos_label,
            nan_policy=nan_policy,
            rescale=rescale,
            cluster=cluster,
            same_cases=False,
        )
        named = models if name is None else models.renamed(name)
        return cls(named, **options).plot(ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        pos_label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Draw fitted estimators, one or a dict of several, from their scores for the cases X.

        The positive class is ``pos_label``, by default the second of ``classes_``.
        """
        models = models_of_estimators(
            estimator if name is None else {name: estimator},
            X,
            y,
            probabilities=cls.probabilities,
            pos_label=pos_label,
            sample_weight=sample_weight,
        )
        return cls(models, **options).plot(ax)


class CurvesDisplay(ModelsDisplay):
    """A figure with a curve per model.

    Attributes:
        styles: the strokes and names of the models.
    """

    styles: ModelStyles

    def _move_strokes(self, steps: int) -> None:
        self.styles = self.styles.moved(steps)

    def _draw_curves(
        self,
        axes: Axes,
        curves: Mapping[str, Curve],
        styles: ModelStyles,
        keep: Mapping[str, Any] | None = None,
    ) -> None:
        """Draw the curve of each model, gray ones below the others.

        ``keep`` marks the points of a curve that must not be thinned out.
        """
        for name in (*reversed(styles.rest), *reversed(list(styles.named))):
            x, y = trace(curves[name], keep=None if keep is None else keep[name])
            (self.artists_[name],) = axes.plot(x, y, **styles.stroke(name).keywords)
