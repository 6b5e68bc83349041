"""Scorers for scikit-learn's model selection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from metameasure._text import shown
from metameasure.data import (
    BY_PROBABILITY,
    BY_RANK,
    ClassScores,
    positive_scores,
    response_of,
    tabulate,
)
from metameasure.errors import DataError, UnknownMeasure
from metameasure.measurement import Combined, MeanOver, Measure, parse, parse_list

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from metameasure.measurement import Subject
    from metameasure.table import ScoreTable


def scorer(measure: str | Measure, *, pos_label: Any = None) -> Callable[..., float]:
    """A measure as ``scoring=`` for GridSearchCV and its like: larger is always better.

    Where smaller is better the sign is turned, where a value is best it is minus the distance from
    it, as scikit-learn wants. Measures of probabilities, those at a threshold between 0 and 1, and
    those of several classes use ``predict_proba``; the others ``decision_function`` where there is
    one. The classes are those of the estimator, so that a fold may lack some. It takes part in
    metadata routing.

    >>> from sklearn.linear_model import LogisticRegression
    >>> model = LogisticRegression().fit([[0], [1], [2], [3]], [0, 1, 0, 1])
    >>> round(scorer("auc")(model, [[0], [1], [2], [3]], [0, 1, 0, 1]), 4)
    0.75
    """
    from sklearn.metrics import make_scorer  # noqa: PLC0415

    chosen = parse(measure)
    _check_fits(chosen)
    if chosen.takes_classes:
        return Scorer((chosen,), pos_label)
    keywords = {} if pos_label is None else {"pos_label": pos_label}
    return make_scorer(_Loss(chosen), response_method=list(_responses([chosen])), **keywords)  # type: ignore[no-any-return]


def scorers(measures: str | Iterable[str | Measure], *, pos_label: Any = None) -> Scorers:
    """Several measures as one ``scoring=``, from one prediction and one table; give ``refit=``.

    The result maps each measure's text to its value, larger being better as in ``scorer``. If one
    of them needs probabilities, all are taken from ``predict_proba``.
    """
    chosen = parse_list(measures)
    for measure in chosen:
        _check_fits(measure)
    return Scorers(tuple(chosen), pos_label)


class Scoring:
    """Measures of an estimator on some cases; what scorers have in common."""

    def __init__(self, measures: tuple[Measure, ...], pos_label: Any = None) -> None:
        self.measures = measures
        self.pos_label = pos_label
        self._weighted: bool | str | None = None

    def set_score_request(self, *, sample_weight: bool | str | None) -> Self:
        """Say whether weights that are passed to a search shall reach the measures."""
        self._weighted = sample_weight
        return self

    def get_metadata_routing(self) -> Any:
        """What scikit-learn asks a scorer for when its metadata routing is on."""
        from sklearn.utils.metadata_routing import MetadataRequest  # noqa: PLC0415

        request = MetadataRequest(owner=self)
        request.score.add_request(param="sample_weight", alias=self._weighted)
        return request

    def values(self, estimator: Any, X: Any, y_true: Any, sample_weight: Any) -> list[float]:
        """The value of each measure, larger being better."""
        known = getattr(estimator, "classes_", ())
        chosen = [one.of_classes() if _is_of_classes(one, known) else one for one in self.measures]
        response = response_of(estimator, X, _responses(chosen))
        subjects: dict[Subject, ScoreTable | ClassScores] = {}
        if len(known) < 2:
            raise DataError(f"the estimator knows {len(known)} classes, and two are needed")
        if any(one.declaration.subject == "classes" for one in chosen):
            self._refuse_pos_label(known)
            subjects["classes"] = ClassScores.of(
                y_true, response, labels=known, sample_weight=sample_weight
            )
        if any(one.declaration.subject == "table" for one in chosen):
            score = positive_scores(response, list(known), self.pos_label)
            subjects["table"] = tabulate(
                y_true, score, pos_label=self.pos_label, sample_weight=sample_weight
            )
        found = []
        for one in chosen:
            value = float(one.value(subjects[one.declaration.subject], stacklevel=4))
            found.append(float(one.goodness(value)))
        return found

    def _refuse_pos_label(self, known: Any) -> None:
        if self.pos_label is not None and len(known) > 2:
            raise DataError(
                f"pos_label={shown([self.pos_label])} is for two classes, and the estimator knows "
                f"{len(known)}: leave it out"
            )


class Scorer(Scoring):
    """A scorer that returns a number; made by ``scorer`` for measures that k classes have."""

    def __call__(
        self,
        estimator: Any,
        X: Any,
        y_true: Any,
        sample_weight: Any = None,
    ) -> float:
        """The value of the measure for an estimator on some cases."""
        return self.values(estimator, X, y_true, sample_weight)[0]

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
        """The value of each measure for an estimator on some cases."""
        found = self.values(estimator, X, y_true, sample_weight)
        return {str(one): value for one, value in zip(self.measures, found, strict=True)}

    def __repr__(self) -> str:
        return f"scorers([{', '.join(repr(str(measure)) for measure in self.measures)}])"


class _Loss:
    """A measure in the form that make_scorer wraps: it can be pickled, and has a name."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self.__name__ = str(measure)

    def __call__(
        self, y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
    ) -> float:
        table = tabulate(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
        value = float(self.measure.value(table, stacklevel=3))
        return float(self.measure.goodness(value))

    def __repr__(self) -> str:
        return str(self.measure)


def _check_fits(measure: Measure) -> None:
    """Refuse what an estimator's scores alone cannot give."""
    if isinstance(measure, MeanOver):
        raise UnknownMeasure(
            f"{measure} needs the group of each case, which a scorer has not: score by the measure "
            "itself, or evaluate the predictions of cross_val_predict with group="
        )
    if measure.declaration.subject == "order":
        raise UnknownMeasure(
            f"{measure} compares a true order with a predicted one, and a classifier has classes: "
            "choose a measure of scores"
        )


def _is_of_classes(measure: Measure, known: Sequence[Any]) -> bool:
    """Whether a measure is to be taken of all classes that an estimator knows."""
    if len(known) > 2 and not measure.takes_classes:
        raise DataError(
            f"the estimator knows {len(known)} classes, and {measure} needs two: choose a measure "
            "of several classes, like hand_till_auc or log_loss"
        )
    return len(known) > 2 or measure.declaration.subject == "classes"


def _responses(measures: Iterable[Measure]) -> tuple[str, ...]:
    """What to ask an estimator for, the first that it has."""
    for measure in measures:
        if isinstance(measure, Combined) and _responses(measure.parts) == BY_PROBABILITY:
            return BY_PROBABILITY
        point = measure.point
        at_probability = point and point.kind == "threshold" and 0 < float(point.value) < 1
        if measure.unit_scores or at_probability or measure.declaration.subject == "classes":
            return BY_PROBABILITY
    return BY_RANK
