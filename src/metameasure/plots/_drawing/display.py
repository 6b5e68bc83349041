"""Display: a picture that knows its data, its axes and its figure, as scikit-learn's do."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from copy import copy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from metameasure.data import Models, read_models
from metameasure.errors import DataError
from metameasure.plots._drawing.layout import thin_ticks
from metameasure.plots._drawing.legends import Named
from metameasure.plots._drawing.models import models_of_estimators
from metameasure.plots._drawing.screen import is_narrow
from metameasure.plots._drawing.style import (
    forget,
    new_axes,
    next_place,
    open_frame,
    require_matplotlib,
    small_letters,
    suit_ground,
    text_of,
)
from metameasure.plots._drawing.thinning import trace
from metameasure.writing import whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from metameasure.curves import Curve
    from metameasure.data import NanPolicy, Rescale
    from metameasure.plots._drawing.models import Cast

SQUARE, BROAD = (4.4, 4.4), (5.4, 3.8)
FORMATS = ("png", "svg", "pdf")
DOTS = 200
MOST_DOTS = 2e8
SALT = "metameasure"
"""Names inside an SVG are made from this, so that the same picture is the same file."""


class Display(ABC):
    """A picture of some results.

    Attributes:
        ax_: the axes that it was last drawn on.
        figure_: their figure.
        artists_: what was drawn, by name: the line of each model, and what else there is.
    """

    size: ClassVar[tuple[float, float]] = SQUARE
    ax_: Axes
    figure_: Figure
    artists_: dict[str, Artist]
    _first = 0
    """The place of the first look that tells its lines apart."""

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw it, on new axes or on those that are given; gives the display itself."""
        axes = new_axes(self._inches()) if ax is None else ax
        figure = axes.get_figure(root=True)
        self.artists_ = {}
        try:
            open_frame(axes)
            if is_narrow(axes):
                small_letters(axes)
            self._go_on(next_place(axes))
            self._draw(axes)
            thin_ticks(axes)
            suit_ground(axes)
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
        """Take the looks from a place on, as those before it belong to lines on the same axes."""
        self._move_looks(place - self._first)
        self._first = place

    def _move_looks(self, steps: int) -> None:  # noqa: B027 - not all have looks
        """Take the looks that come so many places later, if lines are told apart by such."""

    def _inches(self) -> tuple[float, float]:
        """How large it is by default; a picture that has rows needs more for many of them."""
        return self.size

    def save(
        self, file: str | Path, *, size: tuple[float, float] | None = None, dpi: float = DOTS
    ) -> None:
        """Write the picture to a file, in the form that the end of its name says.

        It is drawn anew on a figure of its own of so many inches; no window is opened.
        """
        require_matplotlib()
        import matplotlib as mpl  # noqa: PLC0415
        from matplotlib.figure import Figure  # noqa: PLC0415

        form, inches = format_of(file), size or self._inches()
        check_sheet(form, inches, dpi)
        figure = Figure(figsize=inches, layout="constrained")
        # What was drawn for the user is still theirs.
        drawn = copy(self) if hasattr(self, "ax_") else self
        drawn.plot(figure.subplots())
        dated = {"png": "Software", "svg": "Date", "pdf": "CreationDate"}[form]
        with whole_file(file) as temporary, mpl.rc_context({"svg.hashsalt": SALT}):
            figure.savefig(temporary, format=form, dpi=dpi, metadata={dated: None})


def format_of(file: str | Path) -> str:
    """The form of a picture that the end of a file's name says."""
    form = Path(file).suffix.lower().lstrip(".")
    if form not in FORMATS:
        raise DataError(
            f"{file}: a picture is written as {', '.join(FORMATS)}; let the name end in one of them"
        )
    return form


def check_sheet(form: str, inches: tuple[float, float], dpi: float) -> None:
    """Refuse a sheet without a size, and one of more dots than memory should be asked for."""
    width, height = inches
    if not (0 < width < math.inf and 0 < height < math.inf and 0 < dpi < math.inf):
        raise DataError(f"a picture has no size of {width} by {height} inches with {dpi} dots each")
    dots = width * height * dpi**2
    if form == "png" and dots > MOST_DOTS:
        raise DataError(
            f"a picture of {width:g} by {height:g} inches with {dpi:g} dots each has {dots:.1g} "
            f"dots, and {MOST_DOTS:.0e} is the most: take fewer, or an SVG or PDF"
        )


class ModelsDisplay(Display):
    """A picture of models on the same cases."""

    probabilities: ClassVar[bool] = False
    """Whether scores must be probabilities, so that an estimator is asked for them."""

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
            y_true: the labels; or a frame, whose columns ``label``, ``scores`` and ``weight``
                name; or a ScoreTable, or a dict with that of each model.
            scores: the scores of one model, or a dict or frame with those of several.
            label: the column of the labels in a frame.
            score: synonym of ``scores``.
            weight: the column of the weights in a frame.
            sample_weight: as for a measure.
            pos_label: as for a measure.
            nan_policy: as for a measure.
            rescale: as for a measure.
            cluster: the cluster of each case, for bands.
            name: what a single model is called in the picture.
            ax: the axes to draw on; new ones by default.
            **options: what the picture is to show; see the class.
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
        """Draw fitted estimators, one or a dict of several, by what they say about cases X.

        The positive class is ``pos_label``, else the second of the classes that they know.
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
    """A picture of models whose curves are told apart.

    Attributes:
        cast: which of them are, and how they look.
    """

    cast: Cast

    def _move_looks(self, steps: int) -> None:
        self.cast = self.cast.moved(steps)

    def _draw_curves(
        self,
        axes: Axes,
        curves: Mapping[str, Curve],
        cast: Cast,
        keep: Mapping[str, Any] | None = None,
    ) -> dict[str, Named]:
        """Draw the curve of each model, those without a name below the others.

        ``keep`` says which points of a curve must not be thinned out.
        """
        lines = {}
        for name in (*reversed(cast.rest), *reversed(list(cast.named))):
            stroke = cast.stroke(name)
            x, y = trace(curves[name], keep=None if keep is None else keep[name])
            (self.artists_[name],) = axes.plot(x, y, **stroke.keywords)
            lines[name] = Named(cast.text(name), x, y, stroke, text_of(name))
        return lines

    def _write(
        self, axes: Axes, lines: Mapping[str, Named], corner: str, note: Callable[[], None]
    ) -> None:
        """Write a note and the names of curves; in a narrow picture the note takes what is left."""
        names = partial(self.cast.write_names, axes, lines, corner)
        for write in (names, note) if is_narrow(axes) else (note, names):
            write()
