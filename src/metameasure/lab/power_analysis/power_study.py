"""The power of measures as two-sample tests.

The null hypothesis is that the scores of both classes have the same distribution. Then all
permutations of the labels are equally likely, so that every measure has an exact test.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import numpy as np

from metameasure._arguments import (
    FRACTION,
    Choice,
    Flag,
    Whole,
    read_argument,
    read_confidence,
    read_seed,
    read_several,
)
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.inference import (
    AT_ONCE,
    SEED,
    Examination,
    MeasureTest,
    all_labels,
    portion,
    random_labels,
    tables_of,
    wilson_limits,
)
from metameasure.lab.measures import read_drawing, read_table_measures
from metameasure.lab.parallel import portions, run
from metameasure.lab.power_analysis.alternatives import parse_alternative
from metameasure.lab.power_analysis.power_result import NONE, Power, PowerRow
from metameasure.measurement import Side, split_outside
from metameasure.progress import reporting

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.inference import Critical, Statistic
    from metameasure.lab.power_analysis.alternatives import Alternative
    from metameasure.lab.power_analysis.power_result import Place
    from metameasure.measurement import Measure
    from metameasure.progress import Progress

    Size = tuple[int, int]

TASK = 2**25
"""Number of entries per task: permutations of the labels times cases."""
DRAWS, LEAST_DRAWS, MOST_DRAWS = 100, 10**5, 10**6
"""Number of random permutations per data set for critical values, and its limits."""
ON_CRITICAL_VALUES = 0.1
"""Assumed fraction of the work for critical values."""


def power(
    measures: str | Measure | Iterable[str | Measure],
    alternative: str | Alternative | Iterable[str | Alternative],
    positives: int | Sequence[int],
    negatives: int | Sequence[int],
    *,
    side: Side | Sequence[Side] = "two-sided",
    level: float = 0.05,
    repeats: int = 2000,
    permutations: int = 999,
    randomized: bool = True,
    ci: float = 0.95,
    seed: int | None = SEED,
    workers: int | None = None,
    progress: bool | Progress | None = True,
) -> Power:
    """The power of measures as tests that the scores of positives and negatives differ.

    The null hypothesis of each test is that both classes have the same distribution of scores. All
    tests use the same data sets. In the rows of the alternative "none" the null hypothesis is true,
    so that the power is the actual level of the test.

    Measures of the order have critical values that hold for all scores without ties. They are
    computed from all permutations of the labels or, if these are too many, from random ones: 100
    per data set, at least 100,000 and at most 1,000,000. Other measures, and data sets with ties,
    get a permutation test per data set. So the level is exact, except for critical values from
    random permutations, whose error is small compared with that of the power.

    A measure takes few values on few cases, so that an ordinary test is conservative, to a degree
    that depends on the measure. To compare measures at the same level, a randomized test rejects
    data sets at the critical value with the probability that attains the level.

    Args:
        measures: any measures of scores.
        alternative: how the classes differ: ``location(...)``, ``scale(...)``, ``shape(...)``,
            ``mixture(...)``, ``own_scores(...)``, their texts, or any object with such a ``draw``.
        positives: one or several numbers of positives.
        negatives: one number of negatives, or one per number of positives.
        side: "greater" rejects if the measure is better than for random labels, "less" if it is
            worse, "two-sided" in both cases, each at half of the level. For KS these are the
            largest distances in one direction, in the other, and in either.
        level: the significance level.
        repeats: the number of data sets per alternative and size.
        permutations: the number of permutations of the labels per data set.
        randomized: whether tests are randomized; False for ordinary tests, which never reject at
            the critical value.
        ci: the confidence level of the intervals (Wilson).
        seed: the random seed.
        workers: the number of processes; the result does not depend on it.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.

    >>> print(power("auc, ks", "location(1)", 10, 10, repeats=500, workers=1))
    normal, two-sided
    alternative                          auc                  ks
    none, 10 + 10         0.047  0.032–0.070  0.035  0.022–0.056
    location(1), 10 + 10  0.558  0.514–0.601  0.474  0.431–0.518
    power at level 0.05: fraction of 500 data sets that the test rejects, 95% confidence ...
    """
    chosen = read_table_measures(measures, "two samples of scores")
    sides = read_several("side", side, Choice(get_args(Side)))
    share = read_argument("level", level, FRACTION)
    drawn = read_argument("permutations", permutations, Whole(1))
    fewest = math.ceil((2 if "two-sided" in sides else 1) / share - 1e-9) - 1
    if drawn < fewest:
        needed = f" must be >= {fewest} for a test at level {share:g}, got {drawn}"
        raise ParameterError((Argument("permutations"), needed))
    study = _Study(
        Examination(
            tuple(MeasureTest(m, s) for s in dict.fromkeys(sides) for m in chosen),
            share,
            drawn,
            read_argument("randomized", randomized, Flag()),
        ),
        _read_alternatives(alternative),
        _read_sizes(positives, negatives),
        read_argument("repeats", repeats, Whole(1)),
        read_confidence(ci),
    )
    what = f"lab.power: {study.repeats} data sets per alternative and size"
    with reporting(progress, what) as report:
        return study.run(seed, workers, report)


@dataclass(frozen=True)
class _Labels:
    """Permutations of the labels for measures of the order; all of them if None."""

    statistics: tuple[Statistic, ...]
    size: Size
    tables: int | None


class _Cell(NamedTuple):
    """Data sets of one kind: an alternative, or its null hypothesis, at one size."""

    alternative: Alternative
    null: bool
    size: Size

    @property
    def place(self) -> tuple[str, str, int, int]:
        """The base distribution, the alternative and the sizes, as in the rows."""
        text = str(self.alternative)
        base = str(getattr(self.alternative, "base", text))
        return base, NONE if self.null else text, *self.size


@dataclass(frozen=True)
class _DataSets:
    """Data sets to draw and test."""

    examination: Examination
    cell: _Cell
    data_sets: int
    criticals: dict[MeasureTest, Critical]


def _values_on_labels(task: _Labels, rng: np.random.Generator) -> Floats:
    """The statistics on permutations of the labels: (statistics, permutations)."""
    positives, cases = task.size[0], np.ones(sum(task.size), int)
    if task.tables is None:
        blocks = all_labels(cases, positives)
    else:
        blocks = iter([random_labels(task.tables, cases, positives, rng)])
    found = []
    for labels in blocks:
        places = np.linspace(1.0, 0.0, labels.shape[-1])
        tables = tables_of(np.broadcast_to(places, labels.shape), labels)
        found.append(np.stack([statistic.of(tables) for statistic in task.statistics]))
    return np.concatenate(found, axis=-1)


def _test(task: _DataSets, rng: np.random.Generator) -> Floats:
    """The number of rejections per test and, in further rows, per pair of tests."""
    scores = [
        _checked(task, number, drawn)
        for number, drawn in enumerate(
            task.cell.alternative.draw(task.data_sets, *task.cell.size, rng, null=task.cell.null)
        )
    ]
    rejected = task.examination.rejections(scores[0], scores[1], task.criticals, rng)
    together = np.einsum("td,ud->tu", rejected, rejected)
    return np.concatenate([rejected.sum(axis=-1)[np.newaxis], together])


def _checked(task: _DataSets, number: int, drawn: Any) -> Floats:
    """The scores of a class, checked."""
    score, alternative = np.asarray(drawn, dtype=np.float64), task.cell.alternative
    expected = task.data_sets, task.cell.size[number]
    if score.shape != expected:
        raise DataError(
            f"{alternative} must draw {('positives', 'negatives')[number]} of shape {expected}, "
            f"one row per data set, got {score.shape}"
        )
    low, high = float(np.min(score)), float(np.max(score))
    if math.isnan(low):
        raise DataError(f"{alternative} draws scores that are NaN")
    strict = [test.measure for test in task.examination.tests if test.measure.unit_scores]
    if strict and not (low >= 0 and high <= 1):
        problem = f"{strict[0]} needs scores in [0, 1], but {alternative} draws scores from"
        raise DataError(f"{problem} {low:g} to {high:g}")
    return score


@dataclass(frozen=True)
class _Study:
    """The settings of a power study."""

    examination: Examination
    alternatives: tuple[Alternative, ...]
    sizes: tuple[Size, ...]
    repeats: int
    ci: float

    def run(self, seed: int | None, workers: int | None, progress: Progress | None) -> Power:
        """Compute critical values, then test data sets."""
        seed = read_seed(seed)
        seeds = np.random.SeedSequence(seed).generate_state(1 + len(self.sizes), np.uint64)
        first, *others = (int(one) for one in seeds)
        own_progress = _within(progress, 0.0, ON_CRITICAL_VALUES)
        criticals = {
            size: self._criticals(
                size,
                seed=own,
                workers=workers,
                progress=portion(own_progress, part, len(self.sizes)),
            )
            for part, (size, own) in enumerate(zip(self.sizes, others, strict=True))
        }
        tasks = [
            _DataSets(self.examination, cell, data_sets, criticals[cell.size])
            for cell in self._cells()
            for data_sets in self._parts(cell.size)
        ]
        own_progress = _within(progress, ON_CRITICAL_VALUES, 1.0)
        found = run(_test, tasks, seed=first, workers=workers, progress=own_progress)
        sums: dict[Any, Floats] = {}
        for task, rejected in zip(tasks, found, strict=True):
            sums[task.cell.place] = sums.get(task.cell.place, np.zeros(1)) + rejected
        return self._power({place: total / self.repeats for place, total in sums.items()})

    def _criticals(self, size: Size, **options: Any) -> dict[MeasureTest, Critical]:
        """Critical values of the measures of the order, for data sets without ties."""
        statistics = tuple(self.examination.of_order)
        if not statistics:
            return {}
        draws = min(max(DRAWS * self.repeats, LEAST_DRAWS), MOST_DRAWS)
        parts: list[int | None] = [None]
        if math.comb(sum(size), size[0]) > draws:
            parts = [*portions(draws, AT_ONCE // sum(size) + 1)]
        tasks = [_Labels(statistics, size, tables) for tables in parts]
        values = np.concatenate(run(_values_on_labels, tasks, **options), axis=-1)
        return self.examination.criticals(dict(zip(statistics, values, strict=True)))

    def _cells(self) -> list[_Cell]:
        """All kinds of data sets; each base distribution has one null hypothesis."""
        found: dict[Any, _Cell] = {}
        for size, alternative in product(self.sizes, self.alternatives):
            for cell in (_Cell(alternative, True, size), _Cell(alternative, False, size)):
                known = found.setdefault(cell.place, cell)
                if known is not cell and not cell.null:
                    twice = f" has {alternative} twice for {size[0]} + {size[1]} cases"
                    raise ParameterError(
                        (Argument("alternative"), twice),
                        remedy="pass it once, or give different alternatives different names",
                    )
        return list(found.values())

    def _parts(self, size: Size) -> list[int]:
        return portions(self.repeats, max(1, TASK // (self.examination.permutations * sum(size))))

    def _power(self, rates: Mapping[Any, Floats]) -> Power:
        """The result, from the rejection rates of tests and of pairs of tests."""
        examined, rows, joint = self.examination, [], {}
        sides = dict.fromkeys(test.side for test in examined.tests)
        for (cell, rate), side in product(rates.items(), sides):
            place: Place = (*cell, side)
            numbers = [n for n, test in enumerate(examined.tests) if test.side == side]
            joint[place] = rate[1:][np.ix_(numbers, numbers)]
            for number in numbers:
                measure, share = str(examined.tests[number].measure), float(rate[0, number])
                ends = wilson_limits(share * self.repeats, self.repeats, self.ci)
                found = examined.level, share, *ends, self.repeats
                rows.append(PowerRow(measure, *place, *found))
        facts = {
            "level": examined.level,
            "repeats": self.repeats,
            "permutations": examined.permutations,
            "randomized": examined.randomized,
            "ci": self.ci,
        }
        return Power(rows, facts, joint)


def _within(progress: Progress | None, begin: float, end: float) -> Progress | None:
    """A progress function for a part of the work."""
    return None if progress is None else lambda share: progress(begin + share * (end - begin))


def _read_alternatives(given: Any) -> tuple[Alternative, ...]:
    """One or several alternatives, as objects or texts."""
    several = given if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    found: list[Any] = []
    for one in several:
        texts = split_outside(one, "alternative") if isinstance(one, str) else None
        found += [one] if texts is None else map(parse_alternative, texts)
    return tuple(read_drawing("alternative", found, "location(0.5)"))


def _read_sizes(positives: Any, negatives: Any) -> tuple[Size, ...]:
    """Pairs of numbers of positives and negatives."""
    read = [
        read_several(name, given, Whole(1))
        for name, given in (("positives", positives), ("negatives", negatives))
    ]
    most = max(map(len, read))
    if not all(len(numbers) in {1, most} for numbers in read):
        raise ParameterError(
            f"positives and negatives differ in length: {len(read[0])} and {len(read[1])}",
            argument="negatives",
        )
    ups, downs = (numbers * most if len(numbers) == 1 else numbers for numbers in read)
    return tuple(zip(ups, downs, strict=True))
