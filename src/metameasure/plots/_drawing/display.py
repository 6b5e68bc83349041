"""Base classes of displays, which follow the conventions of scikit-learn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar, Self

from metameasure._arguments import POSITIVE, TEXT, FileName, Instance, Real, read_argument
from metameasure._text import shown
from metameasure.data import (
    BY_PROBABILITY,
    BY_RANK,
    ClusterOptions,
    EstimatorScores,
    Models,
    read_models,
    takes_models,
)
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.plots._drawing.layout import is_narrow, lay_out
from metameasure.plots._drawing.style import (
    latex_explained,
    next_place,
    open_frame,
    require_matplotlib,
    small_letters,
    suit_background,
)
from metameasure.plots._drawing.thinning import trace
from metameasure.writing import whole_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from metameasure.curves import Curve
    from metameasure.plots._drawing.model_styles import ModelStyles

SQUARE, BROAD = (4.4, 4.4), (5.4, 3.8)
"""Default sizes in inches."""
FORMATS = ("png", "svg", "pdf")
DPI, SCREEN_DPI = 200, 144
"""PNG resolution of files, and least resolution on screens and in notebooks."""
READABLE = Real(10)
"""Resolutions at which letters can be drawn."""
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
        require_matplotlib()
        from matplotlib import pyplot as plt  # noqa: PLC0415
        from matplotlib.axes import Axes  # noqa: PLC0415

        axes: Any = read_argument("ax", ax, Instance((Axes,), "axes of matplotlib"), optional=True)
        if ax is None:
            dpi = max(SCREEN_DPI, plt.rcParams["figure.dpi"])
            _, axes = plt.subplots(figsize=self._inches(), layout="constrained", dpi=dpi)
        figure = axes.get_figure(root=True)
        self.artists_ = {}
        try:
            with latex_explained():
                open_frame(axes)
                if is_narrow(axes):
                    small_letters(axes)
                self._go_on(next_place(axes))
                self._draw(axes)
                lay_out(axes)
                suit_background(axes)
        except BaseException:
            if ax is None:
                plt.close(figure)
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
        rc = mpl.rc_context({"svg.hashsalt": SALT})
        with latex_explained(), whole_file(file) as stream, rc:
            figure.savefig(stream, format=form, dpi=dpi, metadata={dated: None})


def format_of(file: str | Path, *, argument: str = "file") -> str:
    """The format of a figure by the suffix of its file, which was passed as ``argument``."""
    form: str = read_argument(argument, file, FileName()).suffix.lower().lstrip(".")
    if form not in FORMATS:
        raise ParameterError(
            (Argument(argument), f" must be a .png, .svg or .pdf file, got {shown([str(file)])}")
        )
    return form


def check_sheet(
    form: str, inches: tuple[float, float], dpi: float, *, sides: Sequence[str] = ("size",)
) -> None:
    """Check the size, which was passed as the arguments ``sides``, and the resolution."""
    for side in inches:
        read_argument("size", side, POSITIVE)
    read_argument("dpi", dpi, READABLE)
    width, height = inches
    pixels = width * height * dpi**2
    if form == "png" and pixels > MOST_PIXELS:
        raise ParameterError(
            f"{width:g} by {height:g} inches at {dpi:g} dpi are {pixels:.1g} pixels, more than "
            f"{MOST_PIXELS:.0e}",
            remedy=(
                "use a smaller ",
                *[part for side in sides for part in (Argument(side), ", ")][:-1],
                *(" or ", Argument("dpi"), ", SVG or PDF"),
            ),
            argument=sides[0],
        )


class PredictionsDisplay(Display):
    """A figure that can be drawn from labels and scores."""

    probabilities: ClassVar[bool | None] = False
    """Whether the scores of estimators must be probabilities; None if they are where all can."""

    @classmethod
    @abstractmethod
    def from_predictions(cls, y_true: Any, scores: Any = None, **options: Any) -> Self:
        """Draw models from labels and scores."""

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *args: Any,
        pos_label: Any = None,
        name: str | None = None,
        **options: Any,
    ) -> Self:
        """Draw fitted estimators, one or a dict of several, from their scores for the cases X.

        The positive class is ``pos_label``, by default the second of ``classes_``. Further
        arguments are those of ``from_predictions``.
        """
        read_argument("name", name, TEXT, optional=True)
        many = estimator if name is None else {name: estimator}
        proper = cls.probabilities
        if proper is None:
            each = many.values() if isinstance(many, Mapping) else [many]
            proper = all(hasattr(one, "predict_proba") for one in each)
        scores = EstimatorScores.of(many, X, BY_PROBABILITY if proper else BY_RANK)
        return cls.from_predictions(y, scores, *args, pos_label=pos_label, **options)


class ModelsDisplay(PredictionsDisplay):
    """A figure of models on the same cases."""

    predicted_labels: ClassVar[bool] = False
    """Whether the scores may be predicted labels as text."""

    def __init__(self, models: Models) -> None:
        if not isinstance(models, Models):
            raise DataError(
                f"models must be read from data, got {type(models).__name__}",
                remedy=f"use {type(self).__name__}.from_predictions, which takes labels and scores "
                "or score tables",
            )
        self.models = models

    @classmethod
    @takes_models(ClusterOptions)
    def from_predictions(
        cls,
        y_true: Any,
        scores: Any = None,
        *,
        name: str | None = None,
        ax: Axes | None = None,
        **others: Any,
    ) -> Self:
        """Draw models from labels and scores.

        Args:
            name: the name of a single model in the figure.
            ax: the axes to draw on; those of a new figure by default.
            **others: options of the display; see the class.
        """
        read_argument("name", name, TEXT, optional=True)
        models = read_models(
            y_true,
            scores,
            same_cases=False,
            predicted_labels=cls.predicted_labels,
            **data_options(others),
        )
        named = models if name is None else models.renamed(name)
        return cls(named, **others).plot(ax)


def data_options(options: dict[str, Any]) -> Any:
    """The options with which models are read, taken out of all options."""
    known = ClusterOptions.__annotations__
    return {name: options.pop(name) for name in list(options) if name in known}


class CurvesDisplay(ModelsDisplay):
    """A figure with a curve per model.

    Attributes:
        styles: the strokes and names of the models.
    """

    styles: ModelStyles

    def _move_strokes(self, steps: int) -> None:
        self.styles = self.styles.moved(steps)

    def _draw_curves(self, axes: Axes, curves: Mapping[str, Curve], styles: ModelStyles) -> None:
        """Draw the curve of each model, gray ones below the others."""
        for name in (*reversed(styles.rest), *reversed(list(styles.named))):
            line = axes.plot(*trace(curves[name]), **styles.stroke(name).keywords)
            (self.artists_[name],) = line
