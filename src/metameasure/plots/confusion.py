"""Confusion matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, get_args

import numpy as np

from metameasure._arguments import Choice, read_argument
from metameasure._text import percent
from metameasure.data import (
    BY_PROBABILITY,
    BY_RANK,
    classes_of,
    failing_in_words,
    positive_scores,
    response_of,
)
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.evaluation import By, ConfusionMatrix
from metameasure.measurement import POINT_KEYWORDS
from metameasure.plots._drawing.display import Display
from metameasure.plots._drawing.layout import caption, lay_out, size_of, text_size
from metameasure.plots._drawing.operating_points import cut_text
from metameasure.plots._drawing.style import (
    FAINT,
    GRAY,
    SMALL,
    SMALLER,
    count_text,
    letters_on,
    require_matplotlib,
    text_of,
)
from metameasure.results import class_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from metameasure._types import Floats


MOST_WRITTEN = 30
"""Number of classes up to which cells have numbers."""
MOST_NAMED = 20
"""Number of class names if cells have no numbers."""
MOST_SHARED = 15
"""Number of classes up to which counts have percentages below them."""
FEW = 6
"""Number of classes up to which numbers are larger."""
MOST_CELLS = 400
"""Number of cells side by side that can be seen."""
WHOLES = {"true": "the true class", "predicted": "the predicted class", "all": "all cases"}
HUE = ("#ffffff", "#9ecae1", "#0072b2", "#08306b")
"""A single hue that gets darker, so that gray print has the same order."""
CELL, SIDE = 0.3, 3.2
"""Least side of a cell with numbers, and of the whole matrix, in inches."""


class ConfusionDisplay(Display):
    """Numbers of cases by true and predicted class.

    The color of a cell is its fraction of the true class, or of what ``normalize`` says; an empty
    class is gray. Up to 30 classes have numbers: counts with percentages where these fit, or the
    percentages only. More classes have only colors, and some of their names.

    Args:
        matrix: the confusion matrix.
        normalize: None for counts with percentages of the true classes; "true", "predicted" or
            "all" for percentages of each true class, of each predicted class, or of all cases.
    """

    def __init__(self, matrix: ConfusionMatrix, *, normalize: By | None = None) -> None:
        if not isinstance(matrix, ConfusionMatrix):
            raise DataError(
                f"matrix must be a ConfusionMatrix, got {type(matrix).__name__}",
                remedy="use from_predictions for labels and predictions",
            )
        read_argument("normalize", normalize, Choice(get_args(By)), optional=True)
        self.matrix = matrix
        self.normalize = normalize
        self.by: By = normalize or "true"
        self.shares = matrix.normalized(self.by)
        self.names = [text_of(class_name(label)) for label in matrix.labels]
        self.texts = self._texts() if len(self.names) <= MOST_WRITTEN else []

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any = None,
        *,
        y_score: Any = None,
        normalize: By | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Draw the matrix of true and predicted classes, or of binary labels and scores.

        Args:
            y_true: the true classes.
            y_pred: the predicted classes.
            y_score: instead, the scores of a binary classifier, cut at one operating point.
            normalize: see the class.
            ax: the axes to draw on; those of a new figure by default.
            **options: options of ``ConfusionMatrix.of`` for classes: labels, pos_label,
                sample_weight, nan_policy; or of ``ConfusionMatrix.at`` for scores: threshold, top,
                k, at_fpr, at_tpr, at_sensitivity or at_specificity instead of labels.
        """
        if (y_pred is None) == (y_score is None):
            raise ParameterError(
                ("pass either ", Argument("y_pred"), " or ", Argument("y_score")),
                argument="y_pred",
            )
        of_scores = y_pred is None
        words = "predicted classes", "scores"
        for name in ("labels",) if of_scores else POINT_KEYWORDS:
            if options.pop(name, None) is not None:
                wrong = f" applies to {words[not of_scores]}, not to {words[of_scores]}"
                raise ParameterError((Argument(name), wrong))
        if of_scores:
            matrix = ConfusionMatrix.at(y_true, y_score, **options)
        else:
            matrix = ConfusionMatrix.of(y_true, y_pred, **options)
        return cls(matrix, normalize=normalize).plot(ax)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, pos_label: Any = None, **options: Any
    ) -> Self:
        """Draw the predictions of a fitted estimator, or its scores at an operating point.

        The options are those of ``from_predictions``; an operating point needs two classes.
        """
        name = type(estimator).__name__
        if all(options.get(cut) is None for cut in POINT_KEYWORDS):
            with failing_in_words(name, "predict"):
                predicted = estimator.predict(X)
            return cls.from_predictions(y, predicted, pos_label=pos_label, **options)
        known = classes_of(estimator, name)
        if len(known) != 2:
            raise DataError(f"an operating point needs two classes, got {len(known)}")
        with failing_in_words(name, "predict"):
            response = response_of(estimator, X, BY_PROBABILITY + BY_RANK)
        scores = positive_scores(response, known, pos_label)
        positive = known[1] if pos_label is None else pos_label
        return cls.from_predictions(y, y_score=scores, pos_label=positive, **options)

    def _texts(self) -> list[list[tuple[str, str]]]:
        """The texts of each cell: a number, and a percentage or nothing below it."""
        if self.normalize is not None:
            return [
                [("–" if np.isnan(share) else f"{100 * share:.1f}", "") for share in row]
                for row in self.shares.tolist()
            ]
        return [
            [(count_text(count), percent(share) if count else "") for count, share in cells]
            for cells in (
                zip(counts, shares, strict=True)
                for counts, shares in zip(
                    self.matrix.counts.tolist(), self.shares.tolist(), strict=True
                )
            )
        ]

    @property
    def _letters(self) -> str:
        return SMALL if len(self.names) <= FEW else SMALLER

    def _widest(self, part: int = 0) -> float:
        """Width of the widest number, or of the widest percentage, in points."""
        longest = sorted({cell[part] for row in self.texts for cell in row}, key=len)[-9:]
        return max(text_size(text, self._letters)[0] for text in longest)

    def _inches(self) -> tuple[float, float]:
        require_matplotlib()
        k = len(self.names)
        side = max(SIDE, k * max(CELL, (self._widest() + 6) / 72)) if self.texts else SIDE
        names = max(text_size(name)[0] for name in self.names) / 72
        below = (0.15 if names < side / k else names) + (0 if self.matrix.point is None else 0.15)
        return side + names + (0.55 if self.texts else 1.3), side + below + 0.75

    def _draw(self, axes: Axes) -> None:
        k = len(self.names)
        axes.set(xlabel="predicted class", ylabel="true class", aspect="equal")
        axes.set(xlim=(-0.5, k - 0.5), ylim=(k - 0.5, -0.5))
        axes.spines[:].set_visible(False)
        self.artists_["cells"] = cells = self._draw_cells(axes)
        self._name_classes(axes)
        if self.matrix.point is not None:
            axes.annotate(
                cut_text(self.matrix.point), (0.5, 0.0), xycoords=axes.xaxis.label, xytext=(0, -2),
                textcoords="offset points", ha="center", va="top", fontsize=SMALLER, color=GRAY,
                annotation_clip=False,
            )  # fmt: skip
        lay_out(axes)
        side = size_of(axes)[0] / k
        if not self.texts or side < self._widest() + 3:
            self._draw_scale(axes, cells)
            return
        high = 2.6 * text_size("0", self._letters)[1]
        both = self.normalize is None and k <= MOST_SHARED
        both = both and side > max(high, self._widest(1))
        self._write_numbers(axes, cells, both=both)
        what = "% of" if self.normalize or both else "color: fraction of"
        note = f"{count_text(self.matrix.n)} cases; {what} {WHOLES[self.by]}"
        caption(axes, note, "right", GRAY)

    def _draw_cells(self, axes: Axes) -> Any:
        """Draw the cells: one by one, or as an image if there are many."""
        from matplotlib.colors import LinearSegmentedColormap, Normalize, PowerNorm  # noqa: PLC0415

        hue = LinearSegmentedColormap.from_list("share", HUE).with_extremes(bad=FAINT)
        top = 1.0
        if self.by == "all":
            top = float(np.fmax.reduce(self.shares, axis=None, initial=0.0)) or 1.0
        k = len(self.names)
        if self.texts:
            edges = np.arange(k + 1) - 0.5
            return axes.pcolormesh(
                edges, edges, np.ma.masked_invalid(self.shares), cmap=hue, norm=Normalize(0, top),
                edgecolors=FAINT, linewidth=0.6,
            )  # fmt: skip
        return axes.imshow(
            np.ma.masked_invalid(_pooled(self.shares)), cmap=hue, norm=PowerNorm(0.5, 0, top),
            extent=(-0.5, k - 0.5, k - 0.5, -0.5), interpolation="nearest",
        )  # fmt: skip

    def _name_classes(self, axes: Axes) -> None:
        """Write the names of all classes, or of those that fit."""
        k = len(self.names)
        lay_out(axes)
        room = size_of(axes)[0]
        most = int(min(room / (1.4 * text_size("A")[1]), k if self.texts else MOST_NAMED))
        step = -(-k // max(most, 1))
        names = self.names[::step]
        axes.set_xticks(np.arange(0, k, step), names)
        axes.set_yticks(np.arange(0, k, step), names)
        if max(text_size(name)[0] for name in names) > 0.8 * room / len(names):
            axes.tick_params(axis="x", labelrotation=90)
        axes.tick_params(length=0 if self.texts else 2.5)

    def _write_numbers(self, axes: Axes, cells: Any, *, both: bool) -> None:
        colors = cells.to_rgba(np.ma.masked_invalid(self.shares))
        for row, texts in enumerate(self.texts):
            for column, (main, share) in enumerate(texts):
                words = f"{main}\n{share}" if both and share else main
                self.artists_[f"cell {row}, {column}"] = text = axes.text(
                    column, row, words, ha="center", va="center", fontsize=self._letters,
                    color=letters_on(colors[row, column]),
                )  # fmt: skip
                text.set_in_layout(False)  # The text is inside, and the layout of many takes long.

    def _draw_scale(self, axes: Axes, cells: Any) -> None:
        """Draw a color bar."""
        figure = axes.get_figure(root=True)
        if figure is None:
            return
        bar = figure.colorbar(cells, cax=axes.inset_axes((1.03, 0.0, 0.035, 1.0)))
        bar.set_label(f"fraction of {WHOLES[self.by]}", fontsize=SMALL)
        bar.ax.tick_params(labelsize=SMALL, color=GRAY)
        bar.outline.set_visible(False)


def _pooled(shares: Floats) -> Floats:
    """The cells of many classes, pooled to the largest fraction of several."""
    step = -(-len(shares) // MOST_CELLS)
    begin = np.arange(0, len(shares), step)
    for axis in (0, 1):
        shares = np.fmax.reduceat(shares, begin, axis=axis)
    return shares
