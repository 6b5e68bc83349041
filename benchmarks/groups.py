"""Simulated type I errors and coverage of comparisons of groups, as in docs/groups.md.

    python -m benchmarks.groups      about fifteen minutes

Prints one JSON object per setting: for each measure the fraction of data sets in which the largest
gap (`gap`) and the first group against the rest (`group`) were significant at 5% although all
groups are equal, and in the last setting the fraction whose interval contains the true gap.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr

import metameasure as mm

if TYPE_CHECKING:
    from metameasure._types import Floats, Indices, Mask

SEED, DATA_SETS, LEVEL = 1999, 1000, 0.05


@dataclass(frozen=True)
class Setting:
    """A kind of data sets, in which all groups have the same measures unless there are shifts.

    Attributes:
        sizes: the number of cases of each group.
        shift: the distance of the means of normal scores of both classes.
        prevalence: the fractions of positives, of groups in turn; rates then differ by chance only.
        weighted: whether cases have lognormal weights.
        clustered: whether clusters of about four cases have cases in all groups.
        extra: what is added to the shift of the first group.
    """

    sizes: tuple[int, ...]
    shift: float = 1.0
    prevalence: tuple[float, ...] = (0.3,)
    weighted: bool = False
    clustered: bool = False
    extra: float = 0.0

    def drawn(self, rng: np.random.Generator) -> tuple[Mask, Floats, Indices, dict[str, Any]]:
        """Labels, scores, groups, and weights or clusters."""
        group = np.repeat(np.arange(len(self.sizes)), self.sizes)
        positives = np.array(self.prevalence)[group % len(self.prevalence)]
        label = rng.random(group.size) < positives
        score = rng.normal(size=group.size)
        more: dict[str, Any] = {}
        if self.weighted:
            more["sample_weight"] = np.exp(rng.normal(0, 0.5, group.size))
        if self.clustered:
            more["cluster"] = rng.integers(0, group.size // 4, group.size)
            score = np.sqrt(0.5) * (score + rng.normal(size=group.size)[more["cluster"]])
        score += (self.shift + self.extra * (group == 0)) * label
        return label, ndtr(score - self.shift / 2), group, more


EQUAL = {
    "5 groups of 100": Setting((100,) * 5),
    "5 groups of 100, AUC 0.92": Setting((100,) * 5, shift=2.0),
    "20 groups of 60": Setting((60,) * 20),
    "30, 100, 300 and 1000 cases": Setting((30, 100, 300, 1000)),
    "5 groups of 200, prevalence 0.2 or 0.5": Setting((200,) * 5, prevalence=(0.2, 0.5)),
    "5 groups of 150, weighted": Setting((150,) * 5, weighted=True),
    "5 groups of 150, clusters in several groups": Setting((150,) * 5, clustered=True),
}
DIFFERENT = Setting((150,) * 5, extra=1.0)


def rejected(setting: Setting, seed: int) -> dict[str, dict[str, float]]:
    """The fractions of data sets with significant gaps and first groups, by measure."""
    counted: dict[str, dict[str, list[float]]] = {}
    for number in range(DATA_SETS):
        label, score, group, more = setting.drawn(np.random.default_rng((seed, number)))
        found = mm.compare_groups(label, score, group=group, **more)
        for gap in found.gaps:
            counted.setdefault(gap.measure, {}).setdefault("gap", []).append(gap.pvalue < LEVEL)
        for row in found.rows:
            if row.group == "0" and row.pvalue is not None:
                counted[row.measure].setdefault("group", []).append(row.pvalue < LEVEL)
    return {
        measure: {what: round(float(np.mean(each)), 3) for what, each in of.items()}
        for measure, of in counted.items()
    }


def covered(setting: Setting, seed: int) -> float:
    """The fraction of the intervals of the largest gap of the AUC that contain the true gap."""
    ends = ndtr(np.array([setting.shift + setting.extra, setting.shift]) / np.sqrt(2))
    true, inside = float(ends[0] - ends[1]), 0
    for number in range(DATA_SETS):
        label, score, group, _ = setting.drawn(np.random.default_rng((seed, number)))
        (gap,) = mm.compare_groups(label, score, group=group, rates=False).gaps
        inside += gap.low <= true <= gap.high
    return inside / DATA_SETS


def main() -> None:
    """Print the results of all settings."""
    for place, (name, setting) in enumerate(EQUAL.items()):
        print(json.dumps({name: rejected(setting, SEED + place)}), flush=True)
    print(json.dumps({"coverage of a true gap": covered(DIFFERENT, SEED + len(EQUAL))}))


if __name__ == "__main__":
    sys.exit(main())
