"""Base of the displays of model choice, which can run the study themselves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Self

from metameasure.data import read_models
from metameasure.inference import SEED
from metameasure.lab import REPEATS, SIZES
from metameasure.plots._drawing.model_styles import models_of_estimators
from metameasure.plots._drawing.study_display import StudyDisplay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from metameasure.data import Models, NanPolicy, Rescale
    from metameasure.evaluation import Chosen
    from metameasure.measurement import Measure


class ChoicesDisplay(StudyDisplay):
    """A figure of a study in which measures choose among models."""

    @classmethod
    @abstractmethod
    def _studied(cls, models: Models, sizes: Sequence[int], **study: Any) -> Any:
        """The result of the study."""

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        scores: Any = None,
        goal: str | Measure = "auc",
        sizes: int | Iterable[int] = SIZES,
        measures: Chosen = "default",
        *,
        repeats: int = REPEATS,
        seed: int | None = SEED,
        workers: int | None = None,
        label: str | None = None,
        score: Any = None,
        weight: str | None = None,
        sample_weight: Any = None,
        pos_label: Any = None,
        nan_policy: NanPolicy = "raise",
        rescale: Rescale | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Run the study on labels and scores, and draw its result.

        Args:
            y_true: the labels, or a frame with the column ``label``.
            scores: the scores of two or more models, or their columns in the frame.
            goal: the measure to optimize.
            sizes: the number of cases per validation set; one size or several.
            measures: "default", "all", or measures.
            repeats: the number of validation sets per size.
            seed: the seed of the random numbers.
            workers: the number of processes.
            label: the label column of a frame.
            score: synonym of ``scores``.
            weight: the weight column of a frame.
            sample_weight: as for a measure.
            pos_label: as for a measure.
            nan_policy: as for a measure.
            rescale: as for a measure.
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
        )
        found = cls._studied(
            models, _listed(sizes), goal=goal, measures=measures, repeats=repeats, seed=seed,
            workers=workers,
        )  # fmt: skip
        return cls(found, **options).plot(ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        goal: str | Measure = "auc",
        sizes: int | Iterable[int] = SIZES,
        measures: Chosen = "default",
        *,
        repeats: int = REPEATS,
        seed: int | None = SEED,
        workers: int | None = None,
        sample_weight: Any = None,
        pos_label: Any = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Run the study on a dict of fitted estimators, with their probabilities for X."""
        models = models_of_estimators(
            estimator, X, y, probabilities=True, pos_label=pos_label,
            sample_weight=sample_weight,
        )  # fmt: skip
        found = cls._studied(
            models, _listed(sizes), goal=goal, measures=measures, repeats=repeats, seed=seed,
            workers=workers,
        )  # fmt: skip
        return cls(found, **options).plot(ax)


def _listed(sizes: int | Iterable[int]) -> list[int]:
    return list(sizes) if isinstance(sizes, Iterable) else [sizes]
