"""Recommendations: the result of a model selection study, in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from metameasure._text import number, plus_minus, significant
from metameasure.measurement import is_as_good, is_best

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats, Mask
    from metameasure.lab.model_choice.trials import Findings
    from metameasure.measurement import Measure


NO_BEST = "No measure is significantly better at choosing on these data"
MOST_NAMES = 3
"""Number of measures that a sentence names."""


@dataclass(frozen=True)
class Gap:
    """The largest difference of two models in the goal, its standard error, and significance."""

    difference: float
    error: float
    significant: bool


@dataclass(frozen=True, eq=False)
class Verdict:
    """The verdict at one level of noise.

    Attributes:
        decided: the findings of the sizes at which some measure is significantly worse than
            the best.
        winner: the recommended measure at these sizes; None if there is none.
    """

    decided: tuple[Findings, ...]
    winner: int | None

    @classmethod
    def of(cls, findings: Sequence[Findings], noise: int) -> Verdict:
        """The verdict on the findings of all sizes."""
        good = np.array([found.as_good(noise) for found in findings])
        regret = np.array([found.regret.value[:, noise] for found in findings])
        decided = tuple(found for found, mask in zip(findings, good, strict=True) if not mask.all())
        return cls(decided, winner_of(good, regret))


def winner_of(good: Mask, regret: Floats) -> int | None:
    """The recommended measure at several levels, one row per level; None if there is none.

    It is as good as the best at all levels at which some measure is worse, and of such measures it
    has the smallest mean regret there. Of tied measures it is the first.
    """
    decided = ~good.all(axis=1)
    able = good[decided].all(axis=0)
    if not decided.any() or not able.any():
        return None
    return int(np.argmax(is_best(np.where(able, -regret[decided].mean(axis=0), -np.inf))))


def recommend(findings: Sequence[Findings], measures: Sequence[Measure], gap: Gap) -> str:
    """The recommendation, in one sentence; the goal is the first of the measures."""
    goal = measures[0]
    if len(measures) == 1:
        return f"There is no other measure to compare with {goal}."
    if not gap.difference:
        return f"{NO_BEST}: all models have the same {goal}."
    if not gap.significant:
        return (
            f"{NO_BEST}: the models do not differ significantly in {goal} (largest difference "
            f"{plus_minus(gap.difference, gap.error)})."
        )
    verdict = Verdict.of(findings, 0)
    if not verdict.decided:
        reason = _no_difference(findings, goal)
        return f"{NO_BEST}, from {_sizes(findings)} validation cases: {reason}."
    undecided = [found for found in findings if found not in verdict.decided]
    rest = ""
    if undecided:
        rest = f"; from {_sizes(undecided)} cases no measure is significantly better"
    aim = f"To choose the model with the best {goal}"
    if verdict.winner is None:
        parts = [_at_one_size(found, measures) for found in verdict.decided]
        return f"{aim}, use {_listed(parts)}{rest}."
    shown = _shown(verdict.decided, verdict.winner, 0)
    return (
        f"{aim} from {_sizes(verdict.decided)} validation cases, use "
        f"{_called(verdict.winner, measures)}: its mean regret in {goal}{_place(shown, verdict)} "
        f"is {_regret(shown, verdict.winner)}{_beside(shown, verdict, measures)}"
        f"{_others(verdict, measures)}{rest}."
    )


def _place(shown: Findings, verdict: Verdict) -> str:
    return f" from {shown.size} cases" if len(verdict.decided) > 1 else ""


def _shown(decided: Sequence[Findings], winner: int, other: int, noise: int = 0) -> Findings:
    """The size whose numbers are reported: where the winner is most clearly ahead of another."""
    if winner == other:
        return decided[0]
    ahead = []
    for found in decided:
        gap = found.regret.value[other, noise] - found.regret.value[winner, noise]
        error = found.gap_error[noise, winner, other]
        ahead.append(float(gap / error) if error > 0 else 0.0)
    return decided[int(np.argmax(ahead))]


def with_noise(
    findings: Sequence[Findings], measures: Sequence[Measure], noise: Sequence[float], gap: Gap
) -> list[str]:
    """How label noise changes the recommendation, as sentences; the first level is 0."""
    if not gap.significant:
        return []
    winner = Verdict.of(findings, 0).winner
    unchanged: list[float] = []
    lines: list[str] = []
    for place, share in enumerate(noise[1:], start=1):
        verdict = Verdict.of(findings, place)
        if winner is None:
            same = verdict.winner is None
        else:
            same = all(found.as_good(place)[winner] for found in verdict.decided)
        if same:
            unchanged.append(share)
        else:
            lines.append(_changed(verdict, winner, measures, place, share))
    if unchanged:
        effect = "the recommendation does not change"
        if winner is not None:
            effect = f"{measures[winner]} is still not significantly worse than the best measure"
        lines.insert(0, f"With {_percent(unchanged)} of the labels redrawn, {effect}.")
    return lines


def _changed(
    verdict: Verdict, before: int | None, measures: Sequence[Measure], noise: int, share: float
) -> str:
    """What to use instead at this level of noise."""
    redrawn = f"With {_percent([share])} of the labels redrawn,"
    if verdict.winner is None:
        return f"{redrawn} no measure is as good as the best at all sizes."
    shown = _shown(verdict.decided, verdict.winner, before or 0, noise)
    against = ""
    if before is not None:
        lost = number(float(shown.regret.value[before, noise]))
        against = f", against {lost} for {_called(before, measures)}"
    return (
        f"{redrawn} use {_called(verdict.winner, measures)} from {_sizes(verdict.decided)} "
        f"validation cases: its mean regret in {measures[0]}{_place(shown, verdict)} is "
        f"{_regret(shown, verdict.winner, noise)}{against}."
    )


def _no_difference(findings: Sequence[Findings], goal: Measure) -> str:
    """The range of the regrets of measures that do not differ significantly."""
    losses = [f.regret.value[:, 0] for f in findings]
    low, high = float(np.min(losses)), float(np.max(losses))
    if is_as_good(0.0, high):
        return "every measure always chooses the best model"
    count = losses[0].size
    measures = "both measures" if count == 2 else f"all {count} measures"
    decimals = significant(high)
    return (
        f"the mean regrets of {measures} are {low:.{decimals}f} to {high:.{decimals}f} in {goal} "
        "and do not differ significantly"
    )


def _at_one_size(found: Findings, measures: Sequence[Measure]) -> str:
    best = int(np.argmax(is_best(-found.regret.value[:, 0])))
    regret = f"mean regret {_regret(found, best)}"
    return f"{_called(best, measures)} from {found.size} validation cases ({regret})"


def _called(measure: int, measures: Sequence[Measure]) -> str:
    return f"{measures[measure]}{' itself' if measure == 0 else ''}"


def _regret(found: Findings, measure: int, noise: int = 0) -> str:
    """The regret with its standard error."""
    estimate = found.regret
    return plus_minus(float(estimate.value[measure, noise]), float(estimate.error[measure, noise]))


def _beside(found: Findings, verdict: Verdict, measures: Sequence[Measure]) -> str:
    """The regret of the goal itself or, if it is recommended, of the worst measure."""
    regret = found.regret.value[:, 0]
    if verdict.winner == 0:
        behind = np.where(_as_good(verdict), -np.inf, regret)
        if not np.isfinite(behind).any():
            return ""
        worst = int(np.argmax(behind))
        return f", against {number(float(regret[worst]))} for {measures[worst]}"
    unclear = " (difference not significant)" if _as_good(verdict)[0] else ""
    return f", against {number(float(regret[0]))} for {measures[0]} itself{unclear}"


def _as_good(verdict: Verdict) -> Mask:
    return np.asarray(np.all([found.as_good() for found in verdict.decided], axis=0))


def _others(verdict: Verdict, measures: Sequence[Measure]) -> str:
    """The other measures that are not significantly worse than the best at any size."""
    good = _as_good(verdict)
    regret = np.mean([found.regret.value[:, 0] for found in verdict.decided], axis=0)
    places = [
        place
        for place in np.argsort(regret, kind="stable").tolist()
        if good[place] and place not in {0, verdict.winner}
    ]
    if not places:
        return ""
    names = [str(measures[place]) for place in places]
    if len(names) > MOST_NAMES + 1:
        names = [*names[:MOST_NAMES], f"{len(names) - MOST_NAMES} others"]
    return f"; {_listed(names)} {'is' if len(places) == 1 else 'are'} not significantly worse"


def _sizes(findings: Sequence[Findings]) -> str:
    return _listed([str(found.size) for found in findings], "or")


def _percent(shares: Sequence[float]) -> str:
    return _listed([f"{100 * share:g}%" for share in shares], "or")


def _listed(words: Sequence[str], last: str = "and") -> str:
    if len(words) == 1:
        return words[0]
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
