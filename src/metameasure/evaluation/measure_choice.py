"""The choice of measures: by name, by default, or all that the scores allow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from metameasure.data import ClassScores, holds_scores, read_models
from metameasure.errors import Argument, ParameterError
from metameasure.evaluation.evaluation_result import LeftOut
from metameasure.measurement import Measure, is_measure, measures, parse_list

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from metameasure.data import GroupOptions, Models
    from metameasure.table import ScoreTable

DEFAULT = (
    "auc",
    "scored_auc",
    "h_measure",
    "ks",
    "average_precision",
    "brier",
    "log_loss",
    "accuracy",
    "f_measure",
    "mcc",
)

DEFAULT_OF_CLASSES = ("hand_till_auc", "ovr_auc", "log_loss", "brier", "rms", "accuracy")

DEFAULT_OF_ORDER = ("kendall_tau", "spearman_rho", "reversed_pairs", "manhattan_distance")

Chosen = str | Measure | Iterable[str | Measure]


def read_models_and_measures(
    y_true: Any, scores: Any, measures: Any, *, number: str, data: GroupOptions
) -> tuple[Models, Any]:
    """The models, and the measures, which may directly follow data that have their scores."""
    several = list(scores) if isinstance(scores, (list, tuple)) else [scores]
    follow = isinstance(measures, str) and measures == "default" and all(map(is_measure, several))
    if follow and (holds_scores(y_true) or data.get("score") is not None):
        scores, measures = None, scores
    try:
        models = read_models(y_true, scores, several_classes=True, number=number, **data)
    except ParameterError as error:
        if not (follow and error.argument == "scores"):
            raise
        remedy = "pass measures as ", Argument("measures", ", ".join(map(str, several)))
        raise ParameterError(error.problem, remedy=remedy, argument="scores") from None
    return models, measures


def choose(chosen: Chosen, default: Sequence[str] = DEFAULT) -> tuple[list[Measure], bool]:
    """The measures, and whether they were chosen by name; others may be left out."""
    if isinstance(chosen, Measure):
        return [chosen], True
    if isinstance(chosen, str) and chosen in {"default", "all"}:
        return (parse_list(default) if chosen == "default" else measures()), False
    return parse_list(chosen), True


def choose_of_classes(chosen: Chosen) -> tuple[list[Measure], bool]:
    """The measures for scores of several classes, as ``choose``."""
    if isinstance(chosen, str) and chosen == "all":
        return [m.of_classes() for m in measures(subject="all") if m.takes_classes], False
    asked, by_name = choose(chosen, DEFAULT_OF_CLASSES)
    return [measure.of_classes("scores") for measure in asked], by_name


def choose_of_order(chosen: Chosen) -> tuple[list[Measure], bool]:
    """The measures of an order of items, as ``choose``."""
    if isinstance(chosen, str) and chosen == "all":
        return measures(subject="order"), False
    asked, by_name = choose(chosen, DEFAULT_OF_ORDER)
    return [measure.of_order() for measure in asked], by_name


def choose_for(models: Models, chosen: Chosen) -> tuple[list[Measure], bool]:
    """The measures for these models, as ``choose``."""
    if models.orders is not None:
        return choose_of_order(chosen)
    return choose(chosen) if models.classes is None else choose_of_classes(chosen)


def unfit(measure: Measure, table: ScoreTable | ClassScores) -> str | None:
    """The reason to leave out a measure that was not chosen by name; None if there is none."""
    if isinstance(table, ClassScores):
        wrong = measure.unit_scores and table.improbable
        return "it needs class probabilities, which add up to 1" if wrong else None
    if table.score[0] <= 1 and table.score[-1] >= 0:
        return None
    if measure.unit_scores:
        return "it needs scores in [0, 1]"
    if measure.point and measure.point.kind == "threshold":
        return f"the threshold {measure.point} is not meaningful for scores outside [0, 1]"
    return None


def left_out(
    tables: Mapping[str, ScoreTable | ClassScores], chosen: Sequence[Measure]
) -> dict[tuple[str, Measure], LeftOut]:
    """The measures that the scores of each model do not allow."""
    return {
        (model, measure): LeftOut(model, str(measure), reason)
        for model, table in tables.items()
        for measure in chosen
        if (reason := unfit(measure, table))
    }
