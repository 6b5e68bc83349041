"""The data of a gate: a model, its baseline, and the groups of requirements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from metameasure._text import shown
from metameasure.data import (
    EstimatorScores,
    Models,
    has_named_columns,
    named_columns,
    named_groups,
    names_in,
    no_column,
    opened,
    read_models,
    split_names,
)
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.evaluation.gate_estimates import CasePart, Part, QueryPart
from metameasure.evaluation.measure_choice import takes_two_classes
from metameasure.evaluation.measured_rows import all_and_groups
from metameasure.measurement import MeanOver

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metameasure.data import GroupOptions
    from metameasure.evaluation.requirement import Requirement

BASELINE = "baseline"
"""The name of a baseline whose scores are passed as an array."""
GROUP = "group"
"""What a requirement calls the groups that the argument of this name has."""


@dataclass(frozen=True, eq=False)
class GateData:
    """The model and its baseline, read once per grouping.

    Each requirement is thus about all cases that have its group.

    Attributes:
        readings: the models by the name of their grouping; None for no groups.
        model: the name of the model.
        baseline: the name of the baseline; empty if there is none.
        group: the name of the column that requirements call "group" or, of arrays, the groups by
            their names; None if there are none.
    """

    readings: Mapping[str | None, Models]
    model: str
    baseline: str
    group: Any = None
    _parts: dict[tuple[str | None, bool], list[Part]] = field(default_factory=dict, repr=False)

    @classmethod
    def read(
        cls,
        y_true: Any,
        scores: Any,
        requirements: Sequence[Requirement],
        baseline: Any,
        data: GroupOptions,
    ) -> GateData:
        """Read what the requirements need."""
        given: dict[str, Any] = dict(data)
        group, score = _groups(y_true, given.pop("group", None)), given.pop("score", None)
        _check_baseline(requirements, baseline)
        _check_group(requirements, group)
        with opened(y_true) as source:
            binary = takes_two_classes([one.measure for one in requirements])
            for one in requirements:
                _check_by(one, source, group)
            needed = dict.fromkeys(_grouping(one, group) for one in requirements)
            scores, score, name = _with_baseline(source, scores, score, baseline, given)
            readings = {
                grouping: read_models(
                    source,
                    scores,
                    score=score,
                    group=_group_of(grouping, group, source),
                    several_classes=True,
                    binary=binary,
                    number="one",
                    **given,
                )
                for grouping in needed
            }
        first = next(iter(readings.values()))
        if first.subject in {"order", "probabilities"}:
            first.rows_for("a gate")
        return cls(readings, _only_model(first, name), name, group)

    @property
    def models(self) -> Models:
        """The models, with no groups if they were read so."""
        return self.readings.get(None) or next(iter(self.readings.values()))

    @property
    def facts(self) -> dict[str, Any]:
        """The names of the models and of the label, and the number of dropped cases.

        The positive label is one of them unless labels are bool, 0/1 or -1/1.
        """
        columns, positive = self.models.columns, self.models.positive_label
        return {
            "model": self.model,
            "baseline_model": self.baseline or None,
            "label": None if columns is None else str(columns.label),
            "dropped": self.models.dropped,
            **({} if positive is None else {"pos_label": positive}),
        }

    def parts(self, requirement: Requirement) -> list[Part]:
        """The cases of a requirement: all of them, or those of each group."""
        grouping = _grouping(requirement, self.group)
        queries = isinstance(requirement.measure, MeanOver)
        if (grouping, queries) not in self._parts:
            models = self.readings[grouping]
            whole, *groups = all_and_groups(models)
            kind = QueryPart if queries else CasePart
            self._parts[grouping, queries] = [
                kind(name, part, self.model, self.baseline)
                for name, part in (groups if requirement.by else [whole])
            ]
        return self._parts[grouping, queries]


def _grouping(requirement: Requirement, group: Any) -> str | None:
    """The name of the grouping of a requirement; None if it needs no groups."""
    if requirement.by is None:
        queries = isinstance(requirement.measure, MeanOver) and group is not None
        return GROUP if queries else None
    return GROUP if requirement.by in _names(group) else requirement.by


def _groups(data: Any, group: Any) -> Any:
    """Groups in arrays by their names; a single array without a name is called "group"."""
    if group is None or isinstance(data, Models) or has_named_columns(data):
        return group
    return named_groups(data, group)


def _names(group: Any) -> Iterable[str]:
    """What a requirement may call the only groups."""
    if isinstance(group, Mapping):
        return group if len(group) == 1 else ()
    return [group] if isinstance(group, str) else ()


def _example(group: Any) -> str:
    """What a requirement calls some of the groups."""
    return next(iter(group)) if isinstance(group, Mapping) and len(group) > 1 else GROUP


def _group_of(grouping: str | None, group: Any, source: Any) -> Any:
    """What the reader gets as groups; models that were read before have their own."""
    if isinstance(source, Models):
        return group
    if isinstance(group, Mapping):
        only = next(iter(group.values())) if len(group) == 1 else None
        return group.get(grouping, only if grouping == GROUP else None)
    return group if grouping == GROUP and group is not None else grouping


def _check_baseline(requirements: Sequence[Requirement], baseline: Any) -> None:
    for one in requirements:
        if one.factor is not None and baseline is None:
            raise ParameterError(
                (f"{shown([one.text])} needs ", Argument("baseline")),
                remedy=("name the model to compare with by ", Argument("baseline")),
                argument="require",
            )


def _check_group(requirements: Sequence[Requirement], group: Any) -> None:
    """Refuse groups that no requirement uses."""
    known = {GROUP, *(group if isinstance(group, Mapping) else ())}
    if group is not None and all(_grouping(one, group) not in known for one in requirements):
        first = requirements[0].text.rpartition(" by ")[0] or requirements[0].text
        raise ParameterError(
            (Argument("group"), " has no effect: no requirement is by group"),
            remedy=f"write e.g. '{first} by {_example(group)}'",
        )


def _check_by(requirement: Requirement, source: Any, group: Any) -> None:
    """Refuse a requirement by groups that the data do not have."""
    if requirement.by is None:
        return
    text, by = shown([requirement.text]), requirement.by
    if has_named_columns(source):
        names = names_in(source)
        if _grouping(requirement, group) != GROUP and by not in names:
            raise no_column(by, names, "require")
    elif not _has_groups(by, source, group):
        raise ParameterError(
            f"{text}: there are no groups {shown([by])}",
            remedy=("pass ", Argument("group"), f" and write 'by {_example(group)}'"),
            argument="require",
        )


def _has_groups(by: str, source: Any, group: Any) -> bool:
    if isinstance(source, Models):
        own = source.columns.group if source.columns is not None else None
        return source.group is not None and by in {GROUP, own}
    return group is not None and _group_of(by, group, source) is not None


def _with_baseline(
    source: Any, scores: Any, score: Any, baseline: Any, given: Mapping[str, Any]
) -> tuple[Any, Any, str]:
    """The scores and the choice among them, both with the baseline, and the baseline's name."""
    if baseline is None:
        return scores, score, ""
    named_apart = given.get("proba") is not None or given.get("predicted") is not None
    by_column = has_named_columns(source) and not named_apart
    if not isinstance(baseline, str):
        if named_apart:
            raise ParameterError((Argument("baseline"), " must name one of the models"))
        if by_column:
            raise ParameterError((Argument("baseline"), " must name a column of the data"))
        if isinstance(scores, EstimatorScores):
            raise ParameterError((Argument("baseline"), " must name one of the estimators"))
        named, _ = named_columns(scores)
        return {**named, BASELINE: baseline}, _and(score, BASELINE, ()), BASELINE
    if not by_column:
        return scores, _and(score, baseline, ()), baseline
    names = names_in(source)
    if baseline not in names:
        raise no_column(baseline, names, "baseline")
    if scores is None and score is None:
        raise ParameterError(
            (Argument("score"), " is needed with ", Argument("baseline")),
            remedy=("name the column of the scores by ", Argument("score")),
        )
    return _and(scores, baseline, names), _and(score, baseline, names), baseline


def _and(chosen: Any, baseline: str, known: Sequence[Any]) -> Any:
    """Names of models and the baseline; None stays None."""
    if chosen is None:
        return None
    names = split_names(chosen, known)
    return [*names, *(() if baseline in names else (baseline,))]


def _only_model(models: Models, baseline: str) -> str:
    """The model that is not the baseline; an error unless there is exactly one."""
    if baseline and baseline not in models.names:
        raise ParameterError(
            f"there is no model {shown([baseline])}",
            remedy=f"the models are {shown(models.names, 8)}",
            argument="baseline",
        )
    others = [name for name in models.names if name != baseline]
    if len(others) != 1:
        besides = " besides its baseline" if baseline else ""
        listed = f": {shown(others)}" if others else ""
        raise DataError(
            f"a gate needs one model{besides}, got {len(others)}{listed}",
            remedy=("choose one, such as ", Argument("score", others[0])) if others else None,
            argument="score",
        )
    return others[0]
