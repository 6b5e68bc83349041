"""Gates: requirements that a model must meet, decided by confidence intervals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from metameasure._arguments import read_argument
from metameasure.data import GroupOptions, after_data, takes_models
from metameasure.evaluation.decision import decide
from metameasure.evaluation.gate_data import GateData
from metameasure.evaluation.gate_result import UNDECIDED, Gate, GateRow
from metameasure.evaluation.requirement import (
    EXAMPLE,
    Requirement,
    are_requirements,
    is_requirement,
    read_requirements,
)
from metameasure.inference import RESAMPLES, SEED, Drawing
from metameasure.progress import reporting
from metameasure.results import muted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metameasure.evaluation.decision import Estimate
    from metameasure.evaluation.gate_estimates import Part
    from metameasure.evaluation.gate_result import Undecided
    from metameasure.progress import Progress
    from metameasure.results import Check


@takes_models(GroupOptions)
def gate(
    y_true: Any,
    scores: Any = None,
    require: str | Requirement | Iterable[str | Requirement] | None = None,
    *,
    baseline: Any = None,
    undecided: Undecided | None = None,
    ci: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int | None = SEED,
    stratified: bool = False,
    workers: int | None = None,
    mute: str | Iterable[str] = (),
    progress: bool | Progress | None = True,
    **data: Unpack[GroupOptions],
) -> Gate:
    """Whether a model meets requirements: each is passed, failed or undecided.

    A requirement is ``MEASURE OPERATOR BOUND``, in each group with ``by COLUMN``. The bound is a
    number, or the value of a baseline on the same cases, perhaps with a margin or a factor::

        mm.gate(y_true, scores, ["auc >= 0.8", "brier <= 0.12"])
        mm.gate(frame, label="y", score="new", baseline="old", require="auc >= baseline - 0.01")
        mm.gate("new.parquet", "tpr@fpr=0.05 >= 0.6 by site", label="y", score="new")

    A requirement is passed if the whole confidence interval of the value, or of the paired
    difference, meets it, and failed if the whole interval violates it. Failures are adjusted for
    the number of requirements by Holm's method. For undecided requirements the result has the
    number of cases that would decide.

    Args:
        require: one requirement or several.
        baseline: the name of the baseline among the models or columns, or its scores.
        undecided: what undecided requirements count as, "pass" or "fail"; by default the gate is
            undecided, unless a requirement failed.
        ci: the confidence of the intervals. A pass is tested at the level (1 - ci) / 2.
        group: the column of the groups, or an array, for requirements "by group" and for means
            over groups.
        resamples: the number of resamples, for methods that need them.
        seed: the seed of the random numbers.
        stratified: whether resamples keep the number of cases per class.
        workers: the number of threads; the result does not depend on it.
        mute: codes or names of checks to leave out.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.

    >>> y, scores = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20
    >>> found = gate(y, scores, ["auc >= 0.7", "brier <= 0.1"])
    >>> print(found)
    gate failed: 1 passed, 1 failed
    requirement   result             estimate
    auc >= 0.7    passed  0.8889  0.811–0.935
    brier <= 0.1  failed  0.1850  0.158–0.215
    120 cases, 60 positive
    passed: the whole interval meets the requirement (level 2.5%; all must pass)
    failed: the whole interval violates it (level 2.5% by Holm's method)
    the interval shown decides: its two limits have these levels
    >>> found.outcome, found.passed
    ('failed', False)
    """
    drawing = Drawing(ci=ci, resamples=resamples, seed=seed, stratified=stratified, workers=workers)
    if require is None and are_requirements(scores):
        scores, require = None, scores
    elif require is None:
        given = y_true, scores, require
        scores, require = after_data(
            "gate", "require", EXAMPLE, given, Requirement, data.get("score"), is_requirement
        )
    requirements = read_requirements(require)
    read_argument("undecided", undecided, UNDECIDED, optional=True)
    unwanted = muted(mute)
    read = GateData.read(y_true, scores, requirements, baseline, data)
    questions = [(one, part) for one in requirements for part in read.parts(one)]
    work = f"gate: {resamples} resamples of {len(questions)} measures"
    with reporting(progress, work) as report:
        estimates = Estimates(questions, drawing, report)
        decisions = decide([one for one, _ in questions], estimates, drawing.ci)
    return Gate(
        list(map(GateRow.of, [one for one, _ in questions], decisions.estimates, decisions.each)),
        decisions,
        meta=read.facts | {"ci": drawing.ci},
        undecided=undecided,
        checks=[check for check in estimates.checks if check.code not in unwanted],
        like=read.models.like,
    )


class Estimates:
    """The estimates of requirements on parts of the cases, with limits of any confidence.

    Attributes:
        checks: the checks of the estimates that were computed last.
    """

    def __init__(
        self,
        questions: Sequence[tuple[Requirement, Part]],
        drawing: Drawing,
        progress: Progress | None,
    ) -> None:
        self.checks: list[Check] = []
        self._questions, self._drawing, self._progress = questions, drawing, progress
        self._asked: dict[Part, list[Requirement]] = {}
        for requirement, part in questions:
            self._asked.setdefault(part, []).append(requirement)
        self._done = 0

    def __call__(self, ci: float) -> list[Estimate]:
        """The estimate of each requirement, in order; those of one part share their resamples."""
        drawing = replace(self._drawing, ci=ci)
        found: dict[tuple[Requirement, Part], Estimate] = {}
        every: list[Check] = []
        for part, asked in self._asked.items():
            estimates, checks = part.estimates(asked, drawing)
            found |= {(one, part): each for one, each in zip(asked, estimates, strict=True)}
            every += checks
            self._report()
        self.checks = list(dict.fromkeys(every))
        return [found[question] for question in self._questions]

    def _report(self) -> None:
        """Report the progress; most gates are decided by the limits of two confidences."""
        self._done += 1
        if self._progress is not None:
            self._progress(min(self._done / (2 * len(self._asked)), 1.0))
