"""The choice of measures: by name, by default, or all that the scores allow."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.data import ClassCases, ClassScores, TrueProbabilities, holds_scores, read_models
from metameasure.errors import Argument, ParameterError
from metameasure.evaluation.evaluation_result import LeftOut
from metameasure.measurement import (
    CaseMean,
    ClassCaseMean,
    Measure,
    ProbabilityMean,
    is_measure,
    measures,
    parse_list,
)
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from metameasure.data import GroupOptions, Models
    from metameasure.measurement import ClassMeasure, Subject

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

DEFAULT_OF_CLASSES = (
    "accuracy",
    "balanced_accuracy",
    "macro_f_measure",
    "weighted_f_measure",
    "kappa",
    "mcc",
    "top_k_accuracy",
    "hand_till_auc",
    "ovr_auc",
    "log_loss",
    "brier",
)
CLIP = 1e-15
"""Smallest probability in a default list if a probability of 0 would make a loss infinite."""

OF_LABELS = "it needs scores, not only predicted labels"
DEFAULT_OF_PROBABILITIES = ("rms", "brier", "log_loss")

DEFAULT_OF_ORDER = ("kendall_tau", "spearman_rho", "reversed_pairs", "manhattan_distance")

Chosen = str | Measure | Iterable[str | Measure]


def read_models_and_measures(
    y_true: Any,
    scores: Any,
    measures: Any,
    *,
    number: str,
    data: GroupOptions,
    default: str = "default",
    parted: Callable[[Any], bool] | None = None,
) -> tuple[Models, Any]:
    """The models, and the measures, which may directly follow data that have their scores.

    ``parted`` tells of the measures whether parts of score tables are enough for them.
    """
    several = list(scores) if isinstance(scores, (list, tuple)) else [scores]
    follow = isinstance(measures, str) and measures == default and all(map(is_measure, several))
    if follow and (holds_scores(y_true) or data.get("score") is not None):
        scores, measures = None, scores
    try:
        binary = takes_two_classes(measures)
        models = read_models(
            y_true,
            scores,
            several_classes=True,
            binary=binary,
            number=number,
            parted=parted is not None and parted(measures),
            **data,
        )
    except ParameterError as error:
        if not (follow and error.argument == "scores"):
            raise
        remedy = "pass measures as ", Argument("measures", ", ".join(map(str, several)))
        raise ParameterError(error.problem, remedy=remedy, argument="scores") from None
    return models, measures


def takes_two_classes(chosen: Chosen) -> bool:
    """Whether these are measures of two classes and one score, not of scores for k classes."""
    return not any(measure.declaration.subject == "classes" for measure in choose(chosen)[0])


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


def choose_of_probabilities(chosen: Chosen) -> tuple[list[Measure], bool]:
    """The measures of true probabilities, as ``choose``."""
    if isinstance(chosen, str) and chosen == "all":
        known = measures(subject="all")
        return [m.of_probabilities() for m in known if m.takes_probabilities], False
    asked, by_name = choose(chosen, DEFAULT_OF_PROBABILITIES)
    return [measure.of_probabilities() for measure in asked], by_name


def choose_for(models: Models, chosen: Chosen) -> tuple[list[Measure], bool]:
    """The measures for these models, as ``choose``."""
    return CHOICES[models.subject](chosen)


CHOICES: Mapping[Subject, Callable[[Chosen], tuple[list[Measure], bool]]] = {
    "table": choose,
    "classes": choose_of_classes,
    "order": choose_of_order,
    "probabilities": choose_of_probabilities,
}
"""The choice of measures for models of each subject."""


def bounded(measures: Sequence[Measure], tables: Mapping[str, Any]) -> list[Measure]:
    """The measures of a default list, with a clip where a loss of some model is infinite.

    The clip is the same for all models, so that they can be compared.
    """

    def is_infinite(measure: Measure) -> bool:
        fitting = (one for one in tables.values() if _unfit_by_default(measure, one) is None)
        return can_clip(measure) and any(math.isinf(measure.compute(table)) for table in fitting)

    return [one.using(clip=CLIP) if is_infinite(one) else one for one in measures]


def can_clip(measure: Measure) -> bool:
    """Whether a measure is a mean loss that may be infinite, unless probabilities are clipped."""
    declared = measure.declaration
    mean = isinstance(declared.sampling, CaseMean | ClassCaseMean | ProbabilityMean)
    return mean and "clip" in declared.parameters


def unfit(measure: Measure, table: ScoreTable | ClassCases | TrueProbabilities) -> str | None:
    """The reason to leave out a measure that was not chosen by name; None if there is none."""
    if isinstance(table, TrueProbabilities):
        return None
    if isinstance(table, ClassCases):
        of_classes: Any = measure
        return _unfit_for_classes(of_classes, table)
    return unfit_range(measure, float(table.score[-1]), float(table.score[0]))


def unfit_range(measure: Measure, low: float, high: float) -> str | None:
    """The reason to leave out a measure of scores in this range; None if there is none."""
    if high <= 1 and low >= 0:
        return None
    if measure.unit_scores:
        return "it needs scores in [0, 1]"
    if measure.point and measure.point.kind == "threshold":
        return f"the threshold {measure.point} is not meaningful for scores outside [0, 1]"
    return None


def _unfit_by_default(
    measure: Measure, table: ScoreTable | ClassCases | TrueProbabilities
) -> str | None:
    """The reason to leave out a measure of a default list: ``unfit``, or predicted labels."""
    labels = isinstance(table, ScoreTable) and np.array_equal(table.score, [1, 0])
    return OF_LABELS if labels and not measure.at_threshold else unfit(measure, table)


def _unfit_for_classes(measure: ClassMeasure, cases: ClassCases) -> str | None:
    if cases.k < measure.fewest_classes:
        return f"it needs at least {measure.fewest_classes} classes"
    if measure.declaration.matrix:
        return None
    if not isinstance(cases, ClassScores):
        return OF_LABELS
    wrong = measure.unit_scores and cases.improbable
    return "it needs class probabilities, which add up to 1" if wrong else None


def left_out(
    tables: Mapping[str, ScoreTable | ClassCases], chosen: Sequence[Measure]
) -> dict[tuple[str, Measure], LeftOut]:
    """The measures that the scores of each model do not allow."""
    return {
        (model, measure): LeftOut(model, measure.stated, reason)
        for model, table in tables.items()
        for measure in chosen
        if (reason := _unfit_by_default(measure, table))
    }
