"""Requirements on the values of an evaluation, decided by its own intervals."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

from metameasure._arguments import Choice, read_argument
from metameasure._text import shown
from metameasure.errors import Argument, ParameterError
from metameasure.evaluation.decision import Estimate, decide
from metameasure.evaluation.gate_result import UNDECIDED, Gate, GateRow
from metameasure.evaluation.requirement import read_requirements

if TYPE_CHECKING:
    from collections.abc import Iterable

    from metameasure.evaluation.evaluation_result import Evaluation, Row
    from metameasure.evaluation.gate_result import Undecided
    from metameasure.evaluation.requirement import Requirement


def gate_of_evaluation(
    result: Evaluation,
    require: Iterable[str | Requirement],
    model: str | None,
    undecided: Undecided | None,
) -> Gate:
    """The gate of some requirements, which are about one model.

    An evaluation has limits of one confidence. Those of failures, which Holm's method adjusts if
    there are several requirements or groups, are extended in proportion to the normal quantiles.
    """
    requirements = read_requirements(require)
    read_argument("undecided", undecided, UNDECIDED, optional=True)
    ci, name = _confidence(result), _model(result, model)
    questions = [(one, row) for one in requirements for row in _rows(result, one, name)]
    decisions = decide(
        [one for one, _ in questions],
        lambda confidence: [_estimate(row, ci, confidence) for _, row in questions],
        ci,
    )
    return Gate(
        list(map(GateRow.of, [one for one, _ in questions], decisions.estimates, decisions.each)),
        decisions,
        meta={"model": name, "dropped": result.rows[0].dropped, "ci": ci},
        undecided=undecided,
        checks=result.checks,
    )


def _confidence(result: Evaluation) -> float:
    if result.ci is None:
        raise ParameterError(
            "requirements are decided by confidence intervals, and the evaluation has none",
            remedy=("evaluate with ", Argument("ci", 0.95)),
        )
    return result.ci


def _model(result: Evaluation, model: str | None) -> str:
    names = list(dict.fromkeys(row.model for row in result.rows))
    if model is None and len(names) == 1:
        return names[0]
    if model is None:
        raise ParameterError(
            (Argument("model"), f" is needed: the evaluation has {len(names)} models"),
            remedy=("pass e.g. ", Argument("model", names[0])),
        )
    return str(read_argument("model", model, Choice(tuple(names))))


def _rows(result: Evaluation, requirement: Requirement, model: str) -> list[Row]:
    """The values that a requirement is about: of all cases, or of each group."""
    text = shown([requirement.text])
    if requirement.factor is not None:
        problem = "a comparison with a baseline needs the cases"
        raise ParameterError(f"{text}: {problem}", remedy="use mm.gate", argument="require")
    if requirement.by not in {None, "group"}:
        problem = "an evaluation does not know the names of columns"
        raise ParameterError(f"{text}: {problem}", remedy="write 'by group'", argument="require")
    measure = requirement.measure
    measure = measure.of_classes("scores") if result.several_classes else measure
    rows = [r for r in result.rows if (r.model, r.measure, r.label) == (model, measure, None)]
    found = [row for row in rows if (row.group is None) == (requirement.by is None)]
    if not found:
        problem = f"{measure} was not evaluated" if not rows else "there are no groups"
        remedy = Argument("measures", str(measure)) if not rows else Argument("group")
        raise ParameterError(
            f"{text}: {problem}", remedy=("evaluate with ", remedy), argument="require"
        )
    return found


def _estimate(row: Row, ci: float, confidence: float) -> Estimate:
    """The value of a row, with its limits extended to another confidence."""
    reason, low, high = None, row.low, row.high
    if row.low is None or row.high is None:
        why = row.measure.undefined_when
        reason = f"the value is undefined: {why}" if row.undefined else "there is no interval"
    else:
        least, most = map(float, row.measure.declaration.range)
        low = max(_extended(row.value, row.low, ci, confidence), least)
        high = min(_extended(row.value, row.high, ci, confidence), most)
    return Estimate(
        group=row.group,
        n=row.n,
        n_pos=row.n_pos,
        value=row.value,
        low=low,
        high=high,
        method=row.method,
        reason=reason,
    )


def _extended(value: float, limit: float, ci: float, confidence: float) -> float:
    if confidence == ci:
        return limit
    old, new = (NormalDist().inv_cdf((1 + share) / 2) for share in (ci, confidence))
    return value + (limit - value) * new / old
