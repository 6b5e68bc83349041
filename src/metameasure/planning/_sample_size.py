"""The number of cases that an interval or a test needs."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from metameasure.data import UnweightedOptions, read_models, takes_models, warn_dropped
from metameasure.errors import Argument, DataError, MetameasureError, ParameterError
from metameasure.inference import FEW, RESAMPLES, SEED, Drawing, generator, portion
from metameasure.measurement import parse
from metameasure.planning.assumed import (
    assumed_difference,
    assumed_estimate,
    is_fraction,
    is_pair_fraction,
    lead,
)
from metameasure.planning.goals import (
    assumed_lead,
    difference_goal,
    estimate_goal,
    limit_goals,
    pilot_goal,
    reference_of,
)
from metameasure.planning.pilot import Pilot
from metameasure.planning.precision import MOST, PER_CLASS, PowerGoal, Sizes, needed_cases
from metameasure.planning.request import Request, no_covariance
from metameasure.planning.sample_size_result import SampleSize, SampleSizeRow
from metameasure.progress import reporting
from metameasure.results import Check

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from metameasure.data import Models
    from metameasure.measurement import Measure
    from metameasure.planning.auc_variance import Formula
    from metameasure.planning.precision import Goal
    from metameasure.progress import Progress

PILOTS, DRAWN = 100, 200
"""Number of resampled pilots for the range of the answer, and of the resamples of each."""
FORMULA_TEXTS = {
    "auto": "exact for normal scores with equal variances",
    "hanley_mcneil": "Hanley and McNeil (1982)",
    "obuchowski": "approximation of Obuchowski, Lieber and Wians (2004), as in pROC",
}
BINOMIAL_TEXT = "binomial"
LIMITS_TEXT = "at the limits of the interval on the pilot, which does not vary"
CONNOR_TEXT = "difference of paired proportions (Connor, 1987)"


@takes_models(UnweightedOptions)
def sample_size(
    measure: str | Measure,
    y_true: Any = None,
    scores: Any = None,
    *,
    width: float | None = None,
    power: float | None = None,
    value: float | Sequence[float] | None = None,
    reference: float | None = None,
    margin: float | None = None,
    difference: float | None = None,
    correlation: float | None = None,
    prevalence: float | None = None,
    ratio: float | None = None,
    share: float | None = None,
    ci: float = 0.95,
    alpha: float = 0.05,
    formula: Formula = "auto",
    resamples: int = RESAMPLES,
    seed: int | None = SEED,
    workers: int | None = None,
    progress: bool | Progress | None = True,
    y_score: Any = None,
    **data: Unpack[UnweightedOptions],
) -> SampleSize:
    """The number of cases that a confidence interval of some width, or a test, needs.

    From an assumed value, for the AUC and for proportions at a threshold such as ``accuracy``,
    ``tpr`` and ``precision``, or from the predictions of a pilot, for every measure::

        mm.sample_size("auc", width=0.05, value=0.8, prevalence=0.3)
        mm.sample_size("auc", y_true, scores, width=0.05)

    A test is one of these:

    - of one model against a reference: ``power=0.8, value=0.8, reference=0.7``;
    - of the difference of two models on the same cases, as by ``compare``:
      ``power=0.8, value=(0.80, 0.85), correlation=0.5``, or a pilot with two models;
    - of non-inferiority: the same with ``margin=0.02``.

    Args:
        measure: the measure or its text.
        y_true: the labels of a pilot, or any data that ``evaluate`` takes; None without a pilot.
        scores: the scores of one model, or of the two models that are compared.
        width: the full width of the interval that ``interval`` computes. Pass either this or
            ``power``.
        power: the power of the test.
        value: the assumed value, of two models a pair; for a test with a margin one value says
            that they are equal. A pilot has its own.
        reference: the value under the null hypothesis of a test of one model; by default the value
            for a constant score, e.g. 0.5 for the AUC.
        margin: the non-inferiority margin. The null hypothesis is that the first model is worse
            than the second by at least this margin.
        difference: with a pilot of two models, by how much the first one is assumed to be better;
            by default as in the pilot or, with a margin, 0.
        correlation: the correlation between the two models: for the AUC that of their scores within
            each class, for a proportion that of their right answers.
        prevalence: the fraction of positives; by default as in the pilot.
        ratio: the number of negatives per positive, instead of the prevalence.
        share: for a fraction of the predicted positives or negatives, such as ``precision``, the
            fraction of the cases that are predicted so.
        ci: the confidence of the interval, and of the range of the answer from a pilot.
        alpha: the significance level of the p-value, which is one-sided with a margin and otherwise
            two-sided.
        formula: the variance of the AUC without a pilot: "auto" is exact for normal scores with
            equal variances, "hanley_mcneil" assumes exponential scores, and "obuchowski" is the
            approximation that pROC uses. With a pilot of one model, these two use its AUC alone;
            with a pilot of two models, "obuchowski" assumes that under the null hypothesis both
            have the variance of the first, as pROC does.
        resamples: the number of resamples of a pilot, for measures that need them.
        seed: the seed of the random numbers.
        workers: the number of threads; the result does not depend on it.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.
        y_score: synonym of ``scores``.

    >>> print(sample_size("auc", width=0.05, value=0.8, prevalence=0.3))
    sample size                 auc ↑
    cases                        1433
    positives                     430
    negatives                    1003
    width of the 95% interval  0.0500
    assumed: value 0.8, prevalence 0.3
    variance: exact for normal scores with equal variances
    """
    chosen = parse(measure)
    request = Request.of(
        chosen,
        width=width,
        power=power,
        value=value,
        reference=reference,
        margin=margin,
        difference=difference,
        correlation=correlation,
        prevalence=prevalence,
        ratio=ratio,
        share=share,
        ci=ci,
        alpha=alpha,
        formula=formula,
    )
    drawing = Drawing(ci=ci, resamples=resamples, seed=seed, workers=workers)
    if scores is not None and y_score is not None:
        raise ParameterError(
            ("pass either ", Argument("scores"), " or ", Argument("y_score"), ", not both")
        )
    scores = scores if y_score is None else y_score
    if y_true is None:
        _refuse_data(scores, data)
        return _without_pilot(request)
    binary = chosen.declaration.subject != "classes"
    models = read_models(y_true, scores, several_classes=True, binary=binary, **data)
    warn_dropped(models.dropped, int(models.cases), stacklevel=3)
    with reporting(progress, f"sample_size: {resamples} resamples of {chosen}") as report:
        return _with_pilot(request, models, drawing, report)


def _refuse_data(scores: Any, data: UnweightedOptions) -> None:
    """Refuse arguments that describe a pilot if there is none."""
    for name, given in (("scores", scores), *data.items()):
        if given is not None:
            raise ParameterError(
                (Argument(name), " is for a pilot"), remedy=("pass ", Argument("y_true"))
            )


def _without_pilot(request: Request) -> SampleSize:
    """The answer from assumed values."""
    request.check_without_pilot()
    measure, values = request.measure, request.values or ()
    goal: Goal
    if request.compares:
        if request.formula != "auto":
            raise no_covariance(request.formula)
        a, b = values * 2 if len(values) == 1 else values
        null, alternative = assumed_difference(measure, (a, b), request.correlation or 0.0)
        ahead = lead(measure, a, b)
        goal = difference_goal(request, ahead, null, alternative)
        facts = {"value": [a, b], "correlation": request.correlation, "difference": ahead}
        text = FORMULA_TEXTS["auto"] if is_pair_fraction(measure) else CONNOR_TEXT
    else:
        estimate = assumed_estimate(measure, values[0], request.share, request.formula)
        goal = estimate_goal(request, estimate)
        facts = {"value": values[0], "share": request.share}
        text = FORMULA_TEXTS[request.formula] if is_pair_fraction(measure) else BINOMIAL_TEXT
    return _answer(request, [goal], request.prevalence, facts | {"formula": text})


def _with_pilot(
    request: Request, models: Models, drawing: Drawing, progress: Progress | None
) -> SampleSize:
    """The answer from a pilot, with the range that its uncertainty leaves."""
    request.check_with_pilot(len(models.names))
    if models.classes is not None:
        if request.prevalence is not None:
            raise ParameterError((Argument("prevalence"), " is for two classes"))
        request = replace(request, measure=request.measure.of_classes("scores"))
    pilot = Pilot.of(models, request.prevalence, drawing, portion(progress, 0, 2))
    values = [pilot.value(request.measure, model) for model in pilot.models]
    if _by_interval(request, pilot):
        goal = estimate_goal(request, pilot.of_interval(request.measure))
    else:
        goal = pilot_goal(request, pilot)
    varies = goal.is_possible(pilot.planned)
    goals = [goal] if varies else _without_variance(request, pilot)
    facts: dict[str, Any] = {
        "value": values[0] if len(values) == 1 else values,
        "pilot_cases": pilot.cases,
        "pilot_positives": pilot.positives,
        "formula": _pilot_formula(request, pilot) if varies else LIMITS_TEXT,
        "classes": len(pilot.sample.strata),
    }
    if len(values) == 2:
        facts["difference"] = assumed_lead(request, pilot)
    spread = _log_spread(request, goal, pilot, portion(progress, 1, 2)) if varies else math.inf
    found = _answer(request, goals, pilot.planned, facts, spread)
    checks = [*_pilot_checks(pilot), *found.checks]
    return SampleSize(found.rows[0], found.meta, checks, models.like)


def _without_variance(request: Request, pilot: Pilot) -> list[Goal]:
    """The goals of a pilot that does not vary: those at the limits of its interval."""
    two = len(pilot.models) == 2
    if two or (request.prevalence is not None and not is_fraction(request.measure)):
        raise DataError(
            f"{'the difference in ' * two}{request.measure} does not vary in the pilot of "
            f"{pilot.cases} cases",
            remedy="use a larger pilot",
        )
    return limit_goals(request, pilot)


def _log_spread(request: Request, goal: Goal, pilot: Pilot, progress: Progress | None) -> float:
    """The standard deviation of the logarithm of the answer, over resampled pilots.

    The effect of a test is an assumption, so that only the variance differs between the pilots.
    """
    rng = generator(np.random.SeedSequence(pilot.drawing.seed).spawn(1)[0])
    found = []
    for number in range(PILOTS):
        cases = _cases_of_pilot(request, goal, pilot.resampled(rng, DRAWN))
        if cases is not None:
            found.append(math.log(cases))
        if progress:
            progress((number + 1) / PILOTS)
    if len(found) < PILOTS / 2:
        return math.inf
    # The variance of few resamples is noisy itself; that of its logarithm is known.
    noise = 2 / DRAWN if pilot.is_resampled(request.measure) else 0.0
    return math.sqrt(max(float(np.var(found, ddof=1)) - noise, 0.0))


def _cases_of_pilot(request: Request, goal: Goal, pilot: Pilot) -> float | None:
    """The number of cases by another pilot; None if it does not show the variance."""
    if pilot.fewest < 2:
        return None
    try:
        other = pilot_goal(request, pilot)
    except MetameasureError:  # the measure has no value, or the models do not differ
        return None
    if isinstance(goal, PowerGoal) and isinstance(other, PowerGoal):
        other = replace(other, effect=goal.effect)
    return needed_cases(other, pilot.planned) if other.is_possible(pilot.planned) else None


def _answer(
    request: Request,
    goals: Sequence[Goal],
    prevalence: float | None,
    facts: dict[str, Any],
    spread: float | None = None,
) -> SampleSize:
    """The result, from the goal and the spread of the logarithm of the answer.

    Of several goals, the one that needs most cases counts, and the range is that of all of them.
    """
    least = PER_CLASS * facts.pop("classes", 1 if prevalence is None else 2)
    needed = [max(needed_cases(goal, prevalence), least) for goal in goals]
    cases = max(needed)
    goal = goals[needed.index(cases)]
    if cases >= MOST:
        raise ParameterError(
            (Argument(request.goal), f" {request.target:g} needs more than {MOST:.0e} cases")
        )
    sizes = Sizes.at(prevalence, cases).rounded_up()
    low = high = None
    if len(goals) > 1:
        low, high = math.ceil(min(needed)), int(sizes.cases)
    if spread is not None and math.isfinite(spread):
        factor = math.exp(NormalDist().inv_cdf((1 + request.ci) / 2) * spread)
        low, high = math.ceil(max(cases / factor, least)), math.ceil(cases * factor)
    known = prevalence is not None
    row = SampleSizeRow(
        str(request.measure),
        request.goal,
        request.target,
        goal.reached(sizes),
        int(sizes.cases),
        int(sizes.positives) if known else None,
        int(sizes.negatives) if known else None,
        low,
        high,
    )
    tested = {"alpha": request.alpha, "margin": request.margin}
    if request.goal == "power" and "difference" not in facts:
        tested["reference"] = reference_of(request)
    meta = {
        **facts,
        **(tested if request.goal == "power" else {}),
        "prevalence": prevalence,
        "ci": request.ci,
    }
    meta = {name: fact for name, fact in meta.items() if fact is not None}
    return SampleSize(row, meta, list(_size_checks(row)))


def _size_checks(row: SampleSizeRow) -> Iterator[Check]:
    fewest = min(number for number in (row.cases, row.positives, row.negatives) if number)
    if fewest < FEW:
        message = f"only {fewest} cases of a class; the normal approximation is unreliable"
        yield Check("MM01", message, measure=row.measure)


def _pilot_checks(pilot: Pilot) -> Iterator[Check]:
    if pilot.fewest < FEW:
        message = f"the pilot has only {pilot.fewest} cases of a class; the answer is uncertain"
        yield Check("MM01", message)


def _by_interval(request: Request, pilot: Pilot) -> bool:
    """Whether the width of the interval on the pilot is scaled, rather than a variance."""
    same = request.goal == "width" and request.prevalence is None
    return same and pilot.is_resampled(request.measure)


def _pilot_formula(request: Request, pilot: Pilot) -> str:
    """The source of the variance, in words."""
    if request.formula != "auto" and len(pilot.models) == 1:
        return f"{FORMULA_TEXTS[request.formula]}, at the value in the pilot"
    if _by_interval(request, pilot):
        return "from the width of the interval on the pilot"
    if pilot.is_resampled(request.measure):
        return f"{pilot.drawing.resamples} resamples of the pilot"
    return "estimated from the pilot"
