"""What a study of choices comes to, in words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from metameasure._text import number
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from metameasure.lab.model_choice.trials import Findings
    from metameasure.measurement import Measure

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

CANNOT_TELL = "These data cannot tell which measure chooses best"
MOST_NAMES = 3


@dataclass(frozen=True)
class Gap:
    """The largest difference of two models in the goal, its error, and whether any is sure."""

    difference: float
    error: float
    sure: bool


@dataclass(frozen=True, eq=False)
class Verdict:
    """What the data tell at one level of noise.

    Attributes:
        told: the findings of the sizes at which some measure is worse than the best.
        winner: the measure that is as good as the best at all of them, with the least regret; None
            if there is no such measure.
    """

    told: tuple[Findings, ...]
    winner: int | None

    @classmethod
    def of(cls, findings: Sequence[Findings], noise: int) -> Verdict:
        """The verdict of the findings of all sizes."""
        good = np.array([found.as_good(noise) for found in findings])
        regret = np.array([found.regret.value[:, noise] for found in findings])
        told = tuple(found for found, mask in zip(findings, good, strict=True) if not mask.all())
        return cls(told, winner_of(good, regret))


def winner_of(good: Mask, regret: Floats) -> int | None:
    """The measure to choose by at several levels, of which each has a row; None if there is none.

    It is as good as the best at all levels at which some measure is worse, and of such measures it
    has the least mean regret there; of several that have it, it is the first.
    """
    told = ~good.all(axis=1)
    able = good[told].all(axis=0)
    if not told.any() or not able.any():
        return None
    return int(np.argmin(np.where(able, regret[told].mean(axis=0), np.inf)))


def recommend(findings: Sequence[Findings], measures: Sequence[Measure], gap: Gap) -> str:
    """The recommendation, in one sentence; the goal is the first of the measures."""
    goal = measures[0]
    if len(measures) == 1:
        return f"{CANNOT_TELL}: only {goal} itself was asked."
    if gap.difference <= ROUNDING:
        return f"{CANNOT_TELL}: all models have the same {goal}."
    if not gap.sure:
        return (
            f"{CANNOT_TELL}: the models do not differ in {goal} by more than chance explains "
            f"(at most by {plus_minus(gap.difference, gap.error)})."
        )
    verdict = Verdict.of(findings, 0)
    if not verdict.told:
        return f"{CANNOT_TELL} from {_sizes(findings)} cases: {_all_alike(findings, goal)}."
    silent = [found for found in findings if found not in verdict.told]
    rest = f"; from {_sizes(silent)} cases these data cannot tell" if silent else ""
    if verdict.winner is None:
        parts = [_at_one_size(found, measures) for found in verdict.told]
        return f"To choose by {goal}, use {_listed(parts)}{rest}."
    shown = _shown(verdict.told, verdict.winner, 0)
    place = f"from {shown.size} cases " if len(verdict.told) > 1 else ""
    return (
        f"To choose by {goal} from {_sizes(verdict.told)} cases, use "
        f"{_called(verdict.winner, measures)}: {place}its choices lose "
        f"{_loss(shown, verdict.winner)} of {goal} on average{_beside(shown, verdict, measures)}"
        f"{_others(verdict, measures)}{rest}."
    )


def _shown(told: Sequence[Findings], winner: int, other: int, noise: int = 0) -> Findings:
    """The size whose figures are told: where the winner is most clearly ahead of another one."""
    if winner == other:
        return told[0]
    ahead = []
    for found in told:
        gap = found.regret.value[other, noise] - found.regret.value[winner, noise]
        error = found.gap_error[noise, winner, other]
        ahead.append(float(gap / error) if error > 0 else 0.0)
    return told[int(np.argmax(ahead))]


def with_noise(
    findings: Sequence[Findings], measures: Sequence[Measure], noise: Sequence[float], gap: Gap
) -> list[str]:
    """How label noise changes the recommendation, in lines; the first level is none."""
    if not gap.sure:
        return []
    winner = Verdict.of(findings, 0).winner
    unchanged: list[float] = []
    lines: list[str] = []
    for place, share in enumerate(noise[1:], start=1):
        verdict = Verdict.of(findings, place)
        if winner is None:
            same = verdict.winner is None
        else:
            same = all(found.as_good(place)[winner] for found in verdict.told)
        if same:
            unchanged.append(share)
        else:
            lines.append(_changed(verdict, winner, measures, place, share))
    if unchanged:
        effect = "does not change that"
        if winner is not None:
            effect = f"leaves {measures[winner]} as good as the best"
        lines.insert(0, f"Label noise of {_percent(unchanged)} {effect}.")
    return lines


def _changed(
    verdict: Verdict, before: int | None, measures: Sequence[Measure], noise: int, share: float
) -> str:
    """What to choose by with noise instead."""
    redrawn = f"With {_percent([share])} of the labels redrawn"
    if verdict.winner is None:
        return f"{redrawn} no measure is as good as the best at all sizes."
    shown = _shown(verdict.told, verdict.winner, before or 0, noise)
    against = ""
    if before is not None:
        lost = number(float(shown.regret.value[before, noise]))
        against = f", those of {_called(before, measures)} {lost}"
    place = f"from {shown.size} cases " if len(verdict.told) > 1 else ""
    return (
        f"{redrawn} use {_called(verdict.winner, measures)} from {_sizes(verdict.told)} cases: "
        f"{place}its choices lose {_loss(shown, verdict.winner, noise)}{against}."
    )


def _all_alike(findings: Sequence[Findings], goal: Measure) -> str:
    """From where to where the losses of measures go that do not differ."""
    losses = [f.regret.value[:, 0] for f in findings]
    low, high = float(np.min(losses)), float(np.max(losses))
    if high <= ROUNDING:
        return "every measure always chooses the best model"
    count = losses[0].size
    measures = "both measures" if count == 2 else f"all {count} measures"
    decimals = _decimals(high)
    return (
        f"{measures} lose {low:.{decimals}f} to {high:.{decimals}f} of {goal} on average, and the "
        "differences between them may be chance"
    )


def _at_one_size(found: Findings, measures: Sequence[Measure]) -> str:
    best = int(np.argmin(found.regret.value[:, 0]))
    regret, error = found.regret.value[best, 0], found.regret.error[best, 0]
    figure = plus_minus(float(regret), float(error))
    loss = f"its choices lose {figure} of {measures[0]} on average"
    return f"{_called(best, measures)} from {found.size} cases ({loss})"


def _called(measure: int, measures: Sequence[Measure]) -> str:
    return f"{measures[measure]}{' itself' if measure == 0 else ''}"


def _loss(found: Findings, measure: int, noise: int = 0) -> str:
    """The regret with its error in brackets."""
    loss, error = found.regret.value[measure, noise], found.regret.error[measure, noise]
    return plus_minus(float(loss), float(error)).replace(" ± ", " (± ") + ")"


def plus_minus(value: float, error: float) -> str:
    """A value and its standard error, to two digits of the error.

    >>> plus_minus(0.00312345, 0.00087), plus_minus(0.0312345, 0.0123)
    ('0.00312 ± 0.00087', '0.0312 ± 0.0123')
    """
    if not 0 < error < 1e3:
        return f"{number(value)} ± {number(error)}"
    decimals = _decimals(error)
    return f"{value:.{decimals}f} ± {error:.{decimals}f}"


def _decimals(value: float) -> int:
    """The decimals that show two digits of a positive value; four at least."""
    return min(max(4, 1 - math.floor(math.log10(value))), 12)


def _beside(found: Findings, verdict: Verdict, measures: Sequence[Measure]) -> str:
    """What the goal itself loses or, if it is recommended, what the worst measure does."""
    regret = found.regret.value[:, 0]
    if verdict.winner == 0:
        behind = np.where(_as_good(verdict), -np.inf, regret)
        if not np.isfinite(behind).any():
            return ""
        worst = int(np.argmax(behind))
        return f", {measures[worst]} loses most, {number(float(regret[worst]))}"
    unclear = " (no clear difference)" if _as_good(verdict)[0] else ""
    return f", {measures[0]} itself loses {number(float(regret[0]))}{unclear}"


def _as_good(verdict: Verdict) -> Mask:
    return np.asarray(np.all([found.as_good() for found in verdict.told], axis=0))


def _others(verdict: Verdict, measures: Sequence[Measure]) -> str:
    """The measures that are as good as the best wherever that can be told."""
    good = _as_good(verdict)
    regret = np.mean([found.regret.value[:, 0] for found in verdict.told], axis=0)
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
    return f"; {_listed(names)} {'is' if len(places) == 1 else 'are'} as good"


def _sizes(findings: Sequence[Findings]) -> str:
    return _listed([str(found.size) for found in findings], "or")


def _percent(shares: Sequence[float]) -> str:
    return f"{_listed([f'{100 * share:g}' for share in shares], 'or')} %"


def _listed(words: Sequence[str], last: str = "and") -> str:
    if len(words) == 1:
        return words[0]
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
