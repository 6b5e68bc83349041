"""The keywords with which models are read, declared once for all functions that take models."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, dataclass, field, fields
from functools import wraps
from textwrap import fill
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from metameasure.data.estimators import EstimatorScores, are_estimators
from metameasure.errors import Argument, ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from metameasure.data.arrays import NanPolicy
    from metameasure.data.predictions import PredictedLabels, Rescale
    from metameasure.errors import Text

    Function = TypeVar("Function", bound=Callable[..., Any])


class UnweightedOptions(TypedDict, total=False):
    """Keywords of every function that takes models, besides the data and the scores."""

    label: str | None
    score: Any
    labels: Sequence[Any] | None
    pos_label: Any
    nan_policy: NanPolicy
    rescale: Rescale | None


class DataOptions(UnweightedOptions, total=False):
    """Keywords of a function that takes models and weights of cases."""

    weight: str | None
    sample_weight: Any


class ClusterOptions(DataOptions, total=False):
    """Keywords of a function that resamples cases."""

    cluster: Any


class GroupOptions(ClusterOptions, total=False):
    """Keywords of a function that also takes groups, several classes, orders, probabilities."""

    group: Any
    order: bool | str | None
    soft: bool
    proba: Sequence[Any] | Mapping[str, Sequence[Any]] | None
    predicted: Any


class FoldOptions(GroupOptions, total=False):
    """Keywords of a function that also takes the folds of a cross-validation."""

    fold: Any


class ComparedGroupsOptions(ClusterOptions, total=False):
    """Keywords of a function that compares groups, by one column or several."""

    group: Any


DATA = {
    "y_true": "the labels; a data frame, a file name or a pattern like ``'scores/*.parquet'`` that "
    "has them in the column ``label``; or a ScoreTable, or a list or dict with one per model; or a "
    "fitted classifier or a dict of several, followed by the features X and the labels y.",
    "scores": "the scores of one model, or two columns with the probabilities of both classes; a "
    "dict or data frame with those of several models; or the names of their columns in that frame "
    "or file; with score tables, the names of those to use.",
}
OPTIONS = {
    "label": "the column of the labels; inferred when unambiguous.",
    "score": "synonym of ``scores``; beside a dict or data frame of scores, the models to use.",
    "weight": "the column of the weights.",
    "pos_label": "the positive label; known for bool, 0/1 and -1/1, and for two columns of "
    "probabilities in the order of the sorted labels.",
    "sample_weight": "an array of weights.",
    "nan_policy": '"raise", or "drop" to drop cases with missing values; a case that lacks the '
    "score of one model is dropped for all.",
    "rescale": '"minmax" to map the scores of each model to [0, 1].',
    "cluster": "the column of the clusters, or an array; cases of one cluster are dependent, so "
    "that clusters are resampled.",
    "group": "the column of the groups, or an array.",
    "fold": "the column of the folds of a cross-validation, or an array.",
    "order": "the column of the true values of items, instead of ``label``, if ``scores`` predict "
    "their order rather than a class; of arrays, True.",
    "soft": "whether the labels are the true probabilities of the positive class, with which rms, "
    "brier and log_loss compare the scores.",
    "proba": "the columns of the probabilities of all classes in a data frame or file, or a dict "
    "with those of each model.",
    "predicted": "the columns of predicted labels in a data frame or file, one per model; with "
    "arrays, the predicted labels themselves.",
    "labels": "the class of each column of probabilities. By default the names of the columns are "
    "those of the classes, perhaps with a common prefix or suffix; columns without names, and of "
    "more than two classes those with other names, are in the order of the sorted labels. For "
    "predicted labels, all classes in order.",
}


@dataclass(frozen=True, kw_only=True)
class Given:
    """The arguments of ``read_models`` besides the data, for the sources to read.

    ``models`` names those to use if the data or ``scores`` have the scores of several by name.
    ``groups`` has several columns of groups by their names, or in a data frame their columns.
    ``parted`` tells that the score tables of many cases may be in parts.
    """

    scores: Any = None
    models: Any = None
    label: Any = None
    weight: Any = None
    pos_label: Any = None
    sample_weight: Any = None
    nan_policy: NanPolicy = "raise"
    rescale: Rescale | None = None
    cluster: Any = None
    group: Any = None
    groups: Mapping[str, Any] | None = None
    fold: Any = None
    order: bool | str | None = None
    soft: bool = False
    proba: Sequence[Any] | Mapping[str, Sequence[Any]] | None = None
    predicted: Any = None
    labels: Sequence[Any] | None = None
    several_classes: bool = False
    binary: bool = True
    predicted_labels: PredictedLabels = False
    number: str = "one or more"
    parted: bool = False
    called: Mapping[str, str] = field(default_factory=dict)

    def refuse(self, *names: str, why: str, remedy: Text | None = None) -> None:
        """Refuse arguments that do not go with the data."""
        given = ((name, getattr(self, name)) for name in names)
        wrong = [name for name, value in given if value is not None and value is not False]
        if wrong:
            raise ParameterError((Argument(wrong[0]), f" {why}"), remedy=remedy)


DEFAULTS = {one.name: one.default for one in fields(Given) if one.default is not MISSING}


def option_names(options: type[UnweightedOptions]) -> list[str]:
    """The names of the keywords, in the order in which all functions have them."""
    return [name for name in OPTIONS if name in options.__annotations__]


ELSEWHERE = {
    "classes": "labels",
    "y_score": "scores",
    "y_pred": "scores",
    "y_prob": "scores",
    "weights": "sample_weight",
    "metric": "measures",
    "metrics": "measures",
    "alpha": "ci",
    "confidence_level": "ci",
    "n_bootstraps": "resamples",
    "n_resamples": "resamples",
    "random_state": "seed",
    "n_jobs": "workers",
}
"""Names of options in other libraries, and here."""


def takes_models(options: type[UnweightedOptions]) -> Callable[[Function], Function]:
    """Declare a function of ``y_true``, ``scores`` and these options, which it collects as a dict.

    The signature and the docstring get all options, and others are refused, unless the function
    takes other keywords too and says so by ``**others``.
    """
    names = option_names(options)

    def declare(function: Function) -> Function:
        own = inspect.signature(function)
        kept = [p for p in own.parameters.values() if p.kind is not p.VAR_KEYWORD]
        more = [p for name, p in own.parameters.items() if name == "others"]
        added = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=DEFAULTS.get(name))
            for name in names
            if name not in own.parameters
        ]
        signature = own.replace(parameters=[*kept, *added, *more])
        known = frozenset(signature.parameters)

        @wraps(function)
        def checked(*arguments: Any, **keywords: Any) -> Any:
            for name in keywords:
                if name not in known and not more:
                    text = f"{function.__name__}() got an unexpected keyword argument {name!r}"
                    meant = ELSEWHERE.get(name, "")
                    raise TypeError(f"{text}; use {meant}" if meant in known else text)
            if arguments and are_estimators(arguments[0]):
                arguments = _labels_first(function.__name__, arguments)
            elif "scores" in keywords and len(arguments) > 1:
                # what follows the data is something else
                keywords["score"] = keywords.pop("scores")
            return function(*arguments, **keywords)

        checked.__signature__ = signature  # type: ignore[attr-defined]
        checked.__doc__ = _documented(function.__doc__ or "", [p.name for p in added])
        return checked  # type: ignore[return-value]

    return declare


def _labels_first(function: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments ``estimators, X, y`` as labels and scores."""
    if len(arguments) < 3:
        raise ParameterError(
            f"estimators need the features and the labels of the cases, got {len(arguments) - 1} "
            "of them",
            remedy=f"{function}(estimators, X, y)",
            argument="y_true",
        )
    estimators, X, y, *others = arguments
    return y, EstimatorScores.of(estimators, X), *others


def _documented(text: str, names: list[str]) -> str:
    """A docstring whose section of arguments has the data before and the options after its own."""
    prose, prompt, example = inspect.cleandoc(text).partition("\n>>> ")
    prose, _, own = prose.strip().partition("\n\nArgs:\n")

    def missing(described: Mapping[str, str]) -> list[str]:
        new = [name for name in described if f"\n    {name}:" not in f"\n{own}"]
        return [
            fill(
                f"{name}: {described[name]}", 100, initial_indent=" " * 4, subsequent_indent=" " * 8
            )
            for name in new
        ]

    after = missing({name: OPTIONS[name] for name in names})
    described = [*missing(DATA), *([own] if own else []), *after]
    return "\n".join([prose, "", "Args:", *described, prompt]) + example
