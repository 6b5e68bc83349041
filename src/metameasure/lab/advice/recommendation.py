"""Recommendations: the result of a model selection study, in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from metameasure._text import number, plus_minus, significant
from metameasure.measurement import is_as_good, is_best, tie_tolerance

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metameasure._types import Floats, Mask
    from metameasure.lab.advice.groups import Standing
    from metameasure.measurement import Measure


NOTHING = "No conclusion is possible from these data"
NO_MEASURE = "No measure can be recommended on these data"
MOST_NAMES = 3
"""Number of measures that a sentence names."""
CERTAIN = 3.0
"""Number of Monte Carlo errors by which the regret of the winner is smaller for any seed."""


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
        standings: how the measures stand at each size.
        decided: those of the sizes at which some measure is recommended.
        winner: the recommended measure at these sizes; None if there is none.
    """

    standings: tuple[Standing, ...]
    decided: tuple[Standing, ...]
    winner: int | None

    @classmethod
    def of(cls, standings: Sequence[Standing]) -> Verdict:
        """The verdict on the standings at all sizes."""
        decided = tuple(each for each in standings if each.recommended.any())
        good = np.array([each.recommended for each in standings])
        regret = np.array([each.regret for each in standings])
        return cls(tuple(standings), decided, winner_of(good, regret))

    @property
    def recommended(self) -> list[int]:
        """The measures that are recommended at all decided sizes, the smallest regret first."""
        if not self.decided:
            return []
        good = np.all([each.recommended for each in self.decided], axis=0)
        return [place for place in _by_regret(self.decided) if good[place]]

    @property
    def worse(self) -> list[int]:
        """The measures that are worse at some size and recommended at none, the worst first."""
        worse = np.any([each.worse for each in self.standings], axis=0)
        good = np.any([each.recommended for each in self.standings], axis=0)
        return [p for p in reversed(_by_regret(self.standings)) if worse[p] and not good[p]]

    @property
    def undetermined(self) -> int:
        """The number of measures of which neither is shown."""
        count = self.standings[0].regret.size
        return count - len(self.worse) - len(self.recommended)

    def alternatives(self) -> tuple[list[int], bool]:
        """The measures that another seed may recommend, and whether it may recommend none."""
        sizes = self.decided or self.standings
        able = np.all([each.recommended | each.borderline for each in sizes], axis=0)
        certain = np.all([each.recommended & ~each.borderline for each in sizes], axis=0)
        order = _by_regret(sizes)
        if self.winner is None:
            return [place for place in order if able[place]], False
        near = self._not_clearly_behind(self.winner)
        if not certain[self.winner]:  # another seed may leave those up to the first certain one
            last = next((at for at, place in enumerate(order) if certain[place]), len(order))
            near[order[: last + 1]] = True
        others = [p for p in order if able[p] and near[p] and p != self.winner]
        return others, not certain.any()

    def _not_clearly_behind(self, winner: int) -> Mask:
        """Which measures may have a smaller mean regret than the winner with another seed."""
        gap = np.mean([each.regret - each.regret[winner] for each in self.decided], axis=0)
        errors = np.array([each.draw_error[winner] for each in self.decided])
        error = np.sqrt(np.sum(errors**2, axis=0)) / len(self.decided)
        varies = error > tie_tolerance(gap)
        return np.asarray((gap < CERTAIN * error) & varies | (gap < -tie_tolerance(gap)))


def winner_of(recommended: Mask, regret: Floats) -> int | None:
    """The measure to use at several levels, one row per level; None if there is none.

    It is recommended at all levels at which some measure is, and of such measures it has the
    smallest mean regret there. Of tied measures it is the first.
    """
    decided = recommended.any(axis=1)
    able = recommended[decided].all(axis=0)
    if not decided.any() or not able.any():
        return None
    return int(np.argmax(is_best(np.where(able, -regret[decided].mean(axis=0), -np.inf))))


def recommend(
    standings: Sequence[Standing], measures: Sequence[Measure], gap: Gap, tolerance: float
) -> str:
    """The recommendation; the goal is the first of the measures."""
    goal = measures[0]
    if len(measures) == 1:
        return f"There is no other measure to compare with {goal}."
    if not gap.difference:
        return f"{NOTHING}: all models have the same {goal}."
    if not gap.significant:
        return (
            f"{NOTHING}: the models do not differ significantly in {goal} (largest difference "
            f"{plus_minus(gap.difference, gap.error)})."
        )
    verdict = Verdict.of(standings)
    words = _Words(measures, tolerance)
    if len(verdict.recommended) == len(measures) and len(verdict.decided) == len(standings):
        return words.any_measure(verdict)
    if not verdict.decided:
        sentences = [words.no_measure(verdict)]
    elif verdict.winner is None:
        sentences = [words.by_size(verdict)]
    else:
        sentences = [words.winner(verdict), *words.others(verdict)]
    rest = *words.behind(verdict), *words.undecided(verdict), *words.close(verdict)
    return " ".join([*sentences, *rest])


@dataclass(frozen=True)
class _Words:
    """Sentences on verdicts about some measures, of which the first is the goal."""

    measures: Sequence[Measure]
    tolerance: float

    @property
    def goal(self) -> Measure:
        """The goal."""
        return self.measures[0]

    def winner(self, verdict: Verdict) -> str:
        """Which measure to use, and what it loses."""
        assert verdict.winner is not None  # noqa: S101 - checked by the caller
        shown = _shown(verdict.decided, verdict.winner, 0)
        return (
            f"To choose the model with the best {self.goal} from {_sizes(verdict.decided)} "
            f"validation cases, use {self.called(verdict.winner)}: {self._lost(verdict, shown)}"
            f"{self._beside(shown, verdict)}."
        )

    def _lost(self, verdict: Verdict, shown: Standing) -> str:
        assert verdict.winner is not None  # noqa: S101 - checked by the caller
        place = f" from {shown.size} cases" if len(verdict.decided) > 1 else ""
        return f"its mean regret in {self.goal}{place} is {_regret(shown, verdict.winner)}"

    def _beside(self, shown: Standing, verdict: Verdict) -> str:
        """The regret of the goal itself or, if it is recommended, of the worst measure."""
        other = 0
        if verdict.winner == 0:
            if not verdict.worse:
                return ""
            other = verdict.worse[0]
        return f", against {number(float(shown.regret[other]))} for {self.called(other)}"

    def any_measure(self, verdict: Verdict) -> str:
        """That all measures will do."""
        aim = f"choose the model with the best {self.goal} from {_sizes(verdict.decided)}"
        regrets = np.concatenate([each.regret for each in verdict.decided])
        if is_as_good(0.0, regrets.max()):
            reason = "every measure always chooses the best model"
        else:
            reason = f"{_range(regrets)}, and all are within {self._within} of the best measure"
        return f"Every measure is recommended to {aim} validation cases: {reason}."

    def by_size(self, verdict: Verdict) -> str:
        """Which measure to use for each size, if no measure is recommended for all."""
        parts = []
        for each in verdict.decided:
            best = Verdict.of([each]).winner
            assert best is not None  # noqa: S101 - some measure is recommended
            regret = f"mean regret {_regret(each, best)}"
            parts.append(f"{self.called(best)} from {each.size} validation cases ({regret})")
        return f"To choose the model with the best {self.goal}, use {listed(parts)}."

    def undecided(self, verdict: Verdict) -> list[str]:
        """The sizes for which no measure is recommended."""
        rest = [each for each in verdict.standings if each not in verdict.decided]
        if not rest or not verdict.decided:
            return []
        return [f"From {_sizes(rest)} cases no measure can be recommended."]

    def no_measure(self, verdict: Verdict) -> str:
        """That no measure is recommended, and what would be needed."""
        closest = min(verdict.standings, key=lambda each: float(np.min(each.limit)))
        best = int(np.argmin(closest.limit))
        limit = _up(float(closest.limit[best]))
        return (
            f"{NO_MEASURE if verdict.worse else NOTHING}: none is shown to lose at most "
            f"{self._within} more than the best one in {self.goal}. The closest is "
            f"{self.called(best)} from {closest.size} validation cases, with up to {limit} more; "
            f"use more cases, or a tolerance of {limit}."
        )

    def others(self, verdict: Verdict) -> list[str]:
        """The other recommended measures."""
        names = [p for p in verdict.recommended if p != verdict.winner]
        if not names:
            return []
        be = "is" if len(names) == 1 else "are"
        return [f"{self._some(names)} {be} as good within {self._within}."]

    def behind(self, verdict: Verdict) -> list[str]:
        """The measures that are worse, and the number of those that are undetermined."""
        worse, parts = verdict.worse, []
        if worse:
            be = "is" if len(worse) == 1 else "are"
            parts.append(f"{self._some(worse)} {be} worse.")
        if verdict.undetermined and (verdict.decided or worse):
            place = " at some size" if len(verdict.standings) > 1 else ""
            parts.append(f"Undetermined{place}: {verdict.undetermined}.")
        return parts

    def close(self, verdict: Verdict) -> list[str]:
        """What another seed may recommend instead."""
        measures, none = verdict.alternatives()
        names = [str(self.measures[place]) for place in measures[:MOST_NAMES]]
        if len(measures) > MOST_NAMES:
            names.append("others")
        names += ["no measure"] if none else []
        return (
            [f"This is close: another seed may recommend {listed(names, 'or')}."] if names else []
        )

    def called(self, measure: int) -> str:
        """The name of a measure, which may be the goal itself."""
        return f"{self.measures[measure]}{' itself' if measure == 0 else ''}"

    @property
    def _within(self) -> str:
        return number(self.tolerance)

    def _some(self, places: Sequence[int]) -> str:
        names = [str(self.measures[place]) for place in places]
        if len(names) > MOST_NAMES + 1:
            names = [*names[:MOST_NAMES], f"{len(names) - MOST_NAMES} others"]
        return listed(names)


def with_noise(
    standings: Sequence[Sequence[Standing]],
    measures: Sequence[Measure],
    noise: Sequence[float],
    tolerance: float,
) -> list[str]:
    """How label noise changes the recommendation, as sentences; the first level is 0."""
    before = Verdict.of(standings[0]).winner
    words = _Words(measures, tolerance)
    same: list[float] = []
    unknown: list[float] = []
    lines: list[str] = []
    for share, here in zip(noise[1:], standings[1:], strict=True):
        verdict = Verdict.of(here)
        if verdict.winner is None:
            (same if before is None else unknown).append(share)
        elif before is not None and before in verdict.recommended:
            same.append(share)
        else:
            lines.append(_changed(verdict, before, words, share))
    if unknown:
        effect = (
            f"it is undetermined whether {measures[before or 0]} is as good as the best measure"
        )
        lines.insert(0, f"With {percent(unknown)} of the labels redrawn, {effect}.")
    if same:
        effect = "no measure can be recommended, either"
        if before is not None:
            effect = f"{measures[before]} is still recommended"
        lines.insert(0, f"With {percent(same)} of the labels redrawn, {effect}.")
    return lines


def _changed(verdict: Verdict, before: int | None, words: _Words, share: float) -> str:
    """What to use instead at this level of noise."""
    assert verdict.winner is not None  # noqa: S101 - checked by the caller
    shown = _shown(verdict.decided, verdict.winner, before or 0)
    redrawn, winner = f"With {percent([share])} of the labels redrawn", words.called(verdict.winner)
    cases = f"from {_sizes(verdict.decided)} validation cases: {words._lost(verdict, shown)}"
    if before is None:
        return f"{redrawn}, but not with the given ones, {winner} is recommended {cases}."
    against = f"against {number(float(shown.regret[before]))} for {words.called(before)}"
    return f"{redrawn}, use {winner} {cases}, {against}."


def _shown(decided: Sequence[Standing], winner: int, other: int) -> Standing:
    """The size whose numbers are reported: where the winner is furthest ahead of another."""
    ahead = [float(each.regret[other] - each.regret[winner]) for each in decided]
    return decided[int(np.argmax(ahead))]


def _by_regret(standings: Sequence[Standing]) -> list[int]:
    """The measures by their mean regret over the sizes, the smallest first."""
    order: list[int] = np.argsort(
        np.mean([each.regret for each in standings], axis=0), kind="stable"
    ).tolist()
    return order


def _range(regrets: Floats) -> str:
    low, high = float(regrets.min()), float(regrets.max())
    decimals = significant(high)
    return f"the mean regrets are {low:.{decimals}f} to {high:.{decimals}f}"


def _up(value: float) -> str:
    """A number to two significant digits, rounded up."""
    decimals = significant(value)
    return f"{np.ceil(value * 10**decimals) / 10**decimals:.{decimals}f}"


def _regret(shown: Standing, measure: int) -> str:
    """The regret with its standard error."""
    return plus_minus(float(shown.regret[measure]), float(shown.error[measure]))


def _sizes(standings: Sequence[Standing]) -> str:
    return listed([str(each.size) for each in standings], "or")


def percent(shares: Iterable[float]) -> str:
    """Fractions as percentages, in a row."""
    return listed([f"{100 * share:g}%" for share in shares], "or")


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words in a row."""
    if len(words) == 1:
        return words[0]
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
