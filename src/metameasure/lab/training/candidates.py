"""Candidates: the models to select from, and how they are made, fitted and applied."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from metameasure._arguments import TEXT, Whole, elements, read_argument, read_several
from metameasure._text import shown, some_names
from metameasure.data import BY_RANK, failing_in_words, response_of
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.lab.measures import base_measures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats, Indices
    from metameasure.lab.training.labeled_data import LabeledData
    from metameasure.measurement import Measure

BY_PROBABILITY_FIRST = tuple(reversed(BY_RANK))


@dataclass(frozen=True)
class Candidate:
    """An estimator, and the columns of the attributes that it uses; None for all."""

    estimator: Any
    columns: Indices | None = None


@runtime_checkable
class CandidateFactory(Protocol):
    """What makes candidates anew for each split."""

    def draw(self, attributes: int, rng: np.random.Generator) -> Mapping[str, Candidate]:
        """The candidates for this number of attributes, by name."""


@dataclass(frozen=True)
class AttributeSubsets:
    """The same estimator on random subsets of the attributes; see ``attribute_subsets``."""

    estimator: Any
    remove: int
    candidates: int
    groups: tuple[tuple[int, ...], ...] | None = None
    per_attribute: tuple[str, ...] = ()

    def draw(self, attributes: int, rng: np.random.Generator) -> Mapping[str, Candidate]:
        """The candidates, each without some attributes."""
        groups = self.groups or tuple((column,) for column in range(attributes))
        if self.remove >= len(groups):
            problem = f" must be below the number of attributes, {len(groups)}, got {self.remove}"
            raise ParameterError((Argument("remove"), problem))
        found = {}
        for number in range(self.candidates):
            removed = set(rng.choice(len(groups), self.remove, replace=False).tolist())
            columns = [
                c for place, group in enumerate(groups) if place not in removed for c in group
            ]
            found[f"subset {number + 1}"] = _restricted(
                self.estimator, np.sort(columns), self.per_attribute
            )
        return found


@dataclass(frozen=True)
class FirstAttributes:
    """The same estimator on the first attributes; see ``first_attributes``."""

    estimator: Any
    counts: tuple[int, ...]
    per_attribute: tuple[str, ...] = ()

    def draw(self, attributes: int, rng: np.random.Generator) -> Mapping[str, Candidate]:  # noqa: ARG002 - nothing is random here
        """The candidates, each with more attributes than the one before."""
        if max(self.counts) > attributes:
            most = max(self.counts)
            problem = f" must be at most the number of attributes, {attributes}, got {most}"
            raise ParameterError((Argument("counts"), problem))
        return {
            f"first {count}": _restricted(self.estimator, np.arange(count), self.per_attribute)
            for count in self.counts
        }


def attribute_subsets(
    estimator: Any,
    *,
    remove: int = 3,
    candidates: int = 10,
    groups: Iterable[Iterable[int]] | None = None,
    per_attribute: str | Iterable[str] = (),
) -> AttributeSubsets:
    """Candidates that differ in the attributes they use: some are removed at random.

    This is how Wu, Flach and Ferri (2007) make models of different quality with one learner: ten
    candidates, each without three attributes. Every split draws new subsets.

    Args:
        estimator: the estimator.
        remove: the number of attributes that each candidate lacks.
        candidates: the number of candidates.
        groups: the columns of each attribute, if some attributes have several columns, e.g. after
            one-hot encoding.
        per_attribute: names of the parameters of the estimator that have one value per column,
            e.g. ``categorical_features``; they are restricted to the remaining columns.
    """
    return AttributeSubsets(
        estimator,
        read_argument("remove", remove, Whole(1)),
        read_argument("candidates", candidates, Whole(2)),
        None if groups is None else _columns_of_groups(groups),
        _names(per_attribute),
    )


def _columns_of_groups(groups: Any) -> tuple[tuple[int, ...], ...]:
    """The columns of each attribute."""
    lists = elements(groups)
    if lists is None:
        raise ParameterError((Argument("groups"), f" must be lists, got {shown([groups])}"))
    return tuple(tuple(read_several("groups", group, Whole(0))) for group in lists)


def first_attributes(
    estimator: Any, counts: Iterable[int], *, per_attribute: str | Iterable[str] = ()
) -> FirstAttributes:
    """Candidates that use the first attributes only, as the naive Bayes models of Huang (2006).

    Args:
        estimator: the estimator.
        counts: the number of attributes of each candidate.
        per_attribute: names of the parameters of the estimator that have one value per column.
    """
    several = read_several("counts", counts, Whole(1), least=2)
    return FirstAttributes(estimator, tuple(several), _names(per_attribute))


def grid(estimator: Any, parameters: Mapping[str, Iterable[Any]]) -> dict[str, Any]:
    """An estimator with each combination of some parameters, by name.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> list(grid(DecisionTreeClassifier(), {"max_depth": [2, 4], "criterion": ["gini"]}))
    ['max_depth=2, criterion=gini', 'max_depth=4, criterion=gini']
    """
    if not isinstance(parameters, Mapping) or not parameters:
        raise ParameterError((Argument("parameters"), " must be a dict of lists of values"))
    if not hasattr(estimator, "set_params"):
        problem = f" must have a method set_params, got {type(estimator).__name__}"
        raise ParameterError((Argument("estimator"), problem))
    lists = [elements(values) for values in parameters.values()]
    if not all(lists):
        raise ParameterError((Argument("parameters"), " must be a dict of lists of values"))
    found = {}
    for values in product(*filter(None, lists)):
        chosen = {str(key): value for key, value in zip(parameters, values, strict=True)}
        name = ", ".join(f"{key}={value}" for key, value in chosen.items())
        with failing_in_words(type(estimator).__name__, "take the parameters"):
            found[name] = fresh(estimator).set_params(**chosen)
    return found


@dataclass(frozen=True)
class Candidates:
    """Estimators and factories by name."""

    given: Mapping[str, Any]

    @classmethod
    def of(cls, given: Any) -> Candidates:
        """From a dict of estimators and factories, a list of estimators, or a factory."""
        if isinstance(given, CandidateFactory):
            return cls({"": given})
        if isinstance(given, Mapping):
            return cls({str(name): one for name, one in given.items()})
        if isinstance(given, Iterable) and not isinstance(given, str):
            named: dict[str, Any] = {}
            for one in given:
                kind = type(one).__name__
                same = sum(name == kind or name.startswith(f"{kind} ") for name in named)
                named[f"{kind} {same + 1}" if same else kind] = one
            return cls(named)
        raise ParameterError(
            (
                Argument("candidates"),
                f" must be a dict of estimators, got {type(given).__name__}",
            ),
            remedy="to vary one estimator, use attribute_subsets(...) or grid(...)",
        )

    def draw(self, attributes: int, rng: np.random.Generator) -> dict[str, Candidate]:
        """The candidates of one split."""
        found: dict[str, Candidate] = {}
        for name, one in self.given.items():
            if isinstance(one, CandidateFactory):
                made = one.draw(attributes, rng)
                found |= {f"{name} {part}".strip(): each for part, each in made.items()}
            else:
                found[name] = Candidate(one)
        return found

    def checked(self, attributes: int) -> dict[str, Candidate]:
        """The candidates of some split; an error if one is not an estimator."""
        found = self.draw(attributes, np.random.default_rng(0))
        if len(found) < 2:
            raise ParameterError(
                (
                    Argument("candidates"),
                    f" must be at least two, got {len(found)}",
                    f": {shown(found)}" if found else "",
                )
            )
        for name, one in found.items():
            check_estimator(name, one.estimator)
        return found


def check_estimator(name: str, estimator: Any, argument: str = "candidates") -> None:
    """Refuse what cannot be fitted or gives no scores."""
    if isinstance(estimator, type) or not hasattr(estimator, "fit"):
        raise ParameterError(
            (Argument(argument), f": expected an estimator with fit, got {shown([estimator])}"),
            remedy="pass an instance, e.g. GaussianNB()",
        )
    if not any(hasattr(estimator, response) for response in BY_RANK):
        raise ParameterError(
            f"{shown([name])} must have {' or '.join(BY_PROBABILITY_FIRST)}",
            remedy="choose an estimator or parameters that give scores",
            argument=argument,
        )


def check_scores(measures: Sequence[Measure], candidates: Mapping[str, Candidate]) -> None:
    """Refuse measures of probabilities if an estimator has none, and thresholds if some have."""
    without = [n for n, one in candidates.items() if not hasattr(one.estimator, "predict_proba")]
    for measure in base_measures(list(measures)) if without else ():
        if needs_probabilities(measure):
            raise ParameterError(
                f"{measure} needs probabilities, but {some_names(without)} has only "
                "decision_function",
                remedy="remove the measure, or calibrate the estimator",
                argument="measures",
            )
        if measure.at_threshold and len(without) < len(candidates):
            raise ParameterError(
                f"the threshold of {measure} has no common meaning: {some_names(without)} has only "
                "decision_function, and others have probabilities",
                remedy="remove the measure, or calibrate the estimator",
                argument="measures",
            )


def needs_probabilities(measure: Measure) -> bool:
    """Whether a measure takes scores as probabilities, or cuts them at its default threshold."""
    point = measure.point
    default = point is not None and point == measure.declaration.point
    return bool(
        measure.unit_scores
        or measure.declaration.subject == "classes"
        or (default and point is not None and point.kind == "threshold")
    )


def fresh(estimator: Any) -> Any:
    """An unfitted copy of an estimator."""
    if hasattr(estimator, "get_params"):
        from sklearn.base import clone  # noqa: PLC0415

        return clone(estimator)
    return copy.deepcopy(estimator)


def seeded(estimator: Any, rng: np.random.Generator) -> Any:
    """An unfitted copy whose unset random states are drawn, so that results can be repeated."""
    copied = fresh(estimator)
    if not hasattr(copied, "get_params"):
        return copied
    unset = [
        name
        for name, value in sorted(copied.get_params(deep=True).items())
        if name.rpartition("__")[2] == "random_state" and value is None
    ]
    drawn = rng.integers(0, 2**31 - 1, len(unset)).tolist()
    return copied.set_params(**dict(zip(unset, drawn, strict=True))) if unset else copied


def fitted(
    name: str,
    candidate: Candidate,
    data: LabeledData,
    cases: Indices,
    rng: np.random.Generator,
    where: str,
    *,
    y: Any = None,
) -> Any:
    """A fitted copy of the estimator of a candidate; ``y`` replaces the labels of the cases."""
    estimator = seeded(candidate.estimator, rng)
    labels = data.y[cases] if y is None else y
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with failing_in_words(name, "fit", where):
            done = estimator.fit(data.rows(cases, candidate.columns), labels)
    return estimator if done is None else done


def scores_of(name: str, estimator: Any, X: Any, classes: Sequence[Any], where: str) -> Floats:
    """The scores of a fitted estimator.

    They are those of the second of two classes, or one column per class if there are more. A class
    that was missing in the training part gets the probability 0.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with failing_in_words(name, "predict", where):
            response = response_of(estimator, X, BY_PROBABILITY_FIRST)
    # Without classes_, columns are in the order of the sorted labels.
    known = list(getattr(estimator, "classes_", np.unique(np.asarray(classes))))
    found = _by_class(np.asarray(response, dtype=np.float64), known, classes)
    if not np.isfinite(found).all():
        raise DataError(f"{shown([name])} gives scores that are NaN or infinite on {where}")
    return found


def _by_class(response: Floats, known: Sequence[Any], classes: Sequence[Any]) -> Floats:
    if response.ndim == 1:
        return response if known[-1] == classes[-1] else -response
    columns = np.zeros((response.shape[0], len(classes)))
    for column, label in zip(response.T, known, strict=True):
        columns[:, list(classes).index(label)] = column
    return columns[:, 1] if len(classes) == 2 else columns


def _restricted(estimator: Any, columns: Indices, per_attribute: Sequence[str]) -> Candidate:
    if not per_attribute:
        return Candidate(estimator, columns)
    values = estimator.get_params(deep=True)
    kept = {name: [values[name][column] for column in columns] for name in per_attribute}
    return Candidate(fresh(estimator).set_params(**kept), columns)


def _names(given: str | Iterable[str]) -> tuple[str, ...]:
    return tuple(read_several("per_attribute", given, TEXT, least=0))
