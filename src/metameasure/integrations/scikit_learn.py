"""Scorers for scikit-learn's model selection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from metameasure.data import (
    BY_PROBABILITY,
    BY_RANK,
    ClassScores,
    classes_of,
    distinct_labels,
    in_order,
    known_classes,
    positive_scores,
    response_of,
    tabulate,
)
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.measurement import Combined, MeanOver, Measure, parse, parse_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from metameasure.measurement import Subject
    from metameasure.table import ScoreTable


def scorer(measure: str | Measure, *, pos_label: Any = None) -> Scorer:
    """A measure as ``scoring=`` for GridSearchCV and similar; larger is always better.

    The sign is reversed if smaller values are better; if a given value is best, the score is the
    negative distance from it. Measures of probabilities, measures at a threshold between 0 and 1
    and multiclass measures use ``predict_proba``; the others use ``decision_function`` if the
    estimator has it. Without ``predict_proba``, measures of predicted classes, such as accuracy,
    use ``predict``. The classes are those of the estimator, so a fold may lack some; the positive
    one is ``pos_label`` or the second of ``classes_``. Supports metadata routing, and with measures
    at a threshold TunedThresholdClassifierCV.

    >>> from sklearn.linear_model import LogisticRegression
    >>> model = LogisticRegression().fit([[0], [1], [2], [3]], [0, 1, 0, 1])
    >>> round(scorer("auc")(model, [[0], [1], [2], [3]], [0, 1, 0, 1]), 4)
    0.75
    """
    chosen = parse(measure)
    _check_fits(chosen)
    return Scorer((chosen,), pos_label)


def scorers(measures: str | Iterable[str | Measure], *, pos_label: Any = None) -> Scorers:
    """Several measures as one ``scoring=``, from one prediction and one table; needs ``refit=``.

    The result maps the text of each measure to its score; larger is better, as in ``scorer``. If
    one of them needs probabilities, all use ``predict_proba``.
    """
    chosen = parse_list(measures)
    for measure in chosen:
        _check_fits(measure)
    return Scorers(tuple(chosen), pos_label)


class Scoring:
    """Base class of scorers: measures of an estimator on a set of cases."""

    def __init__(self, measures: tuple[Measure, ...], pos_label: Any = None) -> None:
        self.measures = measures
        self.pos_label = pos_label
        self._weighted: bool | str | None = None

    def set_score_request(self, *, sample_weight: bool | str | None) -> Self:
        """Request or ignore ``sample_weight`` in metadata routing."""
        self._weighted = sample_weight
        return self

    def get_metadata_routing(self) -> Any:
        """The request that scikit-learn's metadata routing asks for."""
        from sklearn.utils.metadata_routing import MetadataRequest  # noqa: PLC0415

        request = MetadataRequest(owner=self)
        request.score.add_request(param="sample_weight", alias=self._weighted)
        return request

    _get_metadata_request = get_metadata_routing
    """The name that scikit-learn's own scorers have for it, which older releases use."""

    def values(self, estimator: Any, X: Any, y_true: Any, sample_weight: Any) -> list[float]:
        """The score of each measure; larger is better."""
        known = classes_of(estimator, type(estimator).__name__)
        chosen = [one.of_classes() if _is_of_classes(one, known) else one for one in self.measures]
        response = _response(estimator, X, chosen, known)
        subjects: dict[Subject, ScoreTable | ClassScores] = {}
        if len(known) < 2:
            raise DataError(f"the estimator must have at least two classes, got {len(known)}")
        if any(one.declaration.subject == "classes" for one in chosen):
            self._refuse_pos_label(known)
            subjects["classes"] = ClassScores.of(
                y_true, response, labels=known, sample_weight=sample_weight
            )
        if any(one.declaration.subject == "table" for one in chosen):
            positive = known[1] if self.pos_label is None else self.pos_label
            score = positive_scores(response, known, positive)
            subjects["table"] = tabulate(
                y_true, score, pos_label=positive, sample_weight=sample_weight
            )
        found = []
        for one in chosen:
            value = float(one.value(subjects[one.declaration.subject], stacklevel=4))
            found.append(float(one.goodness(value)))
        return found

    def _refuse_pos_label(self, known: Any) -> None:
        if self.pos_label is not None and len(known) > 2:
            raise DataError(
                (
                    "the estimator has ",
                    str(len(known)),
                    " classes; ",
                    Argument("pos_label"),
                    " applies to two",
                ),
                remedy=("omit ", Argument("pos_label", self.pos_label)),
            )


class Scorer(Scoring):
    """A scorer that returns a number; made by ``scorer``."""

    _sign = 1

    def __call__(
        self,
        estimator: Any,
        X: Any,
        y_true: Any,
        sample_weight: Any = None,
    ) -> float:
        """The score of an estimator on a set of cases."""
        return self.values(estimator, X, y_true, sample_weight)[0]

    @property
    def _kwargs(self) -> dict[str, Any]:
        return {} if self.pos_label is None else {"pos_label": self.pos_label}

    def _score_func(
        self, y_true: Any, y_pred: Any, *, pos_label: Any = None, sample_weight: Any = None
    ) -> float:
        """The score of predicted classes, from which a threshold is chosen; larger is better.

        TunedThresholdClassifierCV uses this method, ``_sign`` and ``_kwargs`` instead of calling
        the scorer.
        """
        (measure,) = self.measures
        chosen = _of_predicted_classes(measure)
        if pos_label is None:
            found = in_order([*distinct_labels(y_true), *distinct_labels(y_pred, "y_pred")])
            pos_label = dict(enumerate(known_classes(found))).get(1)
        score = np.asarray(np.asarray(y_pred) == pos_label, np.float64)
        table = tabulate(y_true, score, pos_label=pos_label, sample_weight=sample_weight)
        return float(chosen.goodness(float(chosen.value(table, stacklevel=3))))

    def __repr__(self) -> str:
        return f"scorer({str(self.measures[0])!r})"


class Scorers(Scoring):
    """A scorer that returns a dict; made by ``scorers``."""

    def __call__(
        self,
        estimator: Any,
        X: Any,
        y_true: Any,
        sample_weight: Any = None,
    ) -> dict[str, float]:
        """The score of an estimator by each measure."""
        found = self.values(estimator, X, y_true, sample_weight)
        return {str(one): value for one, value in zip(self.measures, found, strict=True)}

    def __repr__(self) -> str:
        return f"scorers([{', '.join(repr(str(measure)) for measure in self.measures)}])"


def _check_fits(measure: Measure) -> None:
    """Refuse measures that need more than the scores of an estimator."""
    if isinstance(measure, MeanOver):
        raise ParameterError(
            f"{measure} needs the group of each case, which a scorer does not have",
            remedy=(
                f"score by {measure.inner}, or evaluate the predictions of cross_val_predict with ",
                Argument("group"),
            ),
            argument="measure",
        )
    if measure.declaration.subject == "order":
        raise ParameterError(
            f"{measure} compares a true order with a predicted order, not labels with scores",
            remedy="choose a measure of scores",
            argument="measure",
        )


def _of_predicted_classes(measure: Measure) -> Measure:
    """A measure of predicted classes, which have the scores 0 and 1."""
    if measure.at_threshold:
        return measure.at(0.5)
    threshold = measure.threshold
    if threshold is None or not 0 < threshold <= 1:
        raise ParameterError(
            f"{measure} is not a measure of predicted classes, so that no threshold is best",
            remedy="choose a measure at a threshold, such as f_measure",
            argument="scoring",
        )
    return measure


def _is_of_classes(measure: Measure, known: Sequence[Any]) -> bool:
    """Whether a measure uses all classes of an estimator."""
    if len(known) > 2 and not measure.takes_classes:
        raise DataError(
            f"{measure} needs two classes, and the estimator has {len(known)}",
            remedy="choose a multiclass measure such as hand_till_auc or log_loss",
        )
    return len(known) > 2 or measure.declaration.subject == "classes"


def _response(
    estimator: Any, X: Any, measures: Sequence[Measure], known: Sequence[Any]
) -> NDArray[Any]:
    """The scores of the classes: 0 and 1 if there are no probabilities and predictions suffice."""
    responses = _responses(measures)
    if any(hasattr(estimator, name) for name in responses) or not all(
        map(_of_predictions, measures)
    ):
        return response_of(estimator, X, responses)
    predicted = response_of(estimator, X, ("predict",))
    return np.stack([predicted == label for label in known], axis=1).astype(np.float64)


def _of_predictions(measure: Measure) -> bool:
    """Whether a measure needs no more than predicted classes."""
    if measure.declaration.subject == "classes":
        return bool(measure.declaration.matrix)
    return not isinstance(measure, Combined) and measure.threshold == 0.5


def _responses(measures: Iterable[Measure]) -> tuple[str, ...]:
    """The methods of an estimator that may give the scores, in order of preference."""
    for measure in measures:
        if isinstance(measure, Combined) and _responses(measure.parts) == BY_PROBABILITY:
            return BY_PROBABILITY
        point = measure.point
        at_probability = point and point.kind == "threshold" and 0 < float(point.value) < 1
        if measure.unit_scores or at_probability or measure.declaration.subject == "classes":
            return BY_PROBABILITY
    return BY_RANK
