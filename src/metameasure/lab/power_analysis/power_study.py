"""The power of measures as two-sample tests: how often they see that the classes differ.

The hypothesis is that the scores of both classes have one distribution. Then the labels are dealt
to the scores at random, whatever the scores are, so that every measure has an exact test.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
)
from metameasure._text import shown
from metameasure.errors import DataError
from metameasure.inference import (
    AT_ONCE,
    SEED,
    Examination,
    MeasureTest,
    Side,
    all_labels,
    portion,
    random_labels,
    tables_of,
    wilson_limits,
)
from metameasure.lab.block_values import check_takes_tables
from metameasure.lab.parallel import run
from metameasure.lab.power_analysis.alternatives import parse_alternative
from metameasure.lab.power_analysis.power_result import NONE, Power, PowerRow
from metameasure.measurement import Measure, parse_list

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure.inference import Critical, Progress, Statistic
    from metameasure.lab.power_analysis.alternatives import Alternative
    from metameasure.lab.power_analysis.power_result import Place

    Floats = NDArray[np.float64]
    Size = tuple[int, int]

TASK = 2**25
"""The entries of a task: arrangements of the labels times cases."""
DRAWS, LEAST_DRAWS, MOST_DRAWS = 100, 10**5, 10**6
"""How many arrangements critical values rest on: so many a data set, within limits."""
ON_CRITICAL_VALUES = 0.1
"""The share of the work that finding critical values is taken to be."""


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
    randomised: bool = True,
    ci: float = 0.95,
    seed: int | None = SEED,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Power:
    """How often measures see that the scores of positives and negatives differ.

    Each measure is a test of the hypothesis that all scores have one distribution, and all are
    tried on the same data sets. The rows of the alternative "none" have both classes alike, so that
    the power there is the actual level of the test.

    Measures of the order have critical values that hold for all scores without ties, from all
    arrangements of the labels or, if these are too many, 100 times as many random ones as there are
    data sets (at least 100,000, at most a million). Other measures, and data sets with ties, get a
    permutation test: the labels are dealt out again on the same scores. So the level is exact, but
    for critical values from random arrangements, whose error is small beside that of the power.

    Few values are possible on few cases, so that an ordinary test rejects less often than its level
    allows, some measures' less than others'. To compare measures at the same level, data at the
    critical value are rejected with the probability that fills the level.

    Args:
        measures: any measures of scores.
        alternative: how the classes differ: ``location(...)``, ``scale(...)``, ``shape(...)``,
            ``mixture(...)``, ``own_scores(...)``, their texts, or any object with their ``draw``.
        positives: the number of positives, or several.
        negatives: the number of negatives, or as many as there are of positives.
        side: "greater" rejects if the measure is better than it is for random labels, "less" if it
            is worse, "two-sided" if it is one of both, each at half of the level. For KS these
            are the largest distances in one direction, the other and either.
        level: how often a test may reject where nothing differs.
        repeats: how many data sets are drawn, for each alternative and size.
        permutations: how often labels are dealt out on each data set.
        randomised: False for tests as they are used, which never reject at the critical value.
        ci: the confidence of the intervals (Wilson's).
        seed: the seed of the random numbers.
        workers: how many processes work; the result does not depend on it.
        progress: what is told the share of the work that is done.

    >>> print(power("auc, ks", "location(1)", 10, 10, repeats=500, workers=1))
    normal, two-sided
    alternative                          auc                  ks
    none, 10 + 10         0.047  0.032–0.070  0.035  0.022–0.056
    location(1), 10 + 10  0.558  0.514–0.601  0.474  0.431–0.518
    share of 500 data sets on which the test rejects at level 0.05, with 95 % intervals; none: ...
    """
    chosen = [measures] if isinstance(measures, Measure) else parse_list(measures)
    for one in chosen:
        check_takes_tables(one, "two samples of scores")
    sides = [read_argument("side", one, Choice(get_args(Side))) for one in _listed("side", side)]
    share = read_argument("level", level, FRACTION)
    drawn = read_argument("permutations", permutations, Whole(1))
    fewest = math.ceil((2 if "two-sided" in sides else 1) / share - 1e-9) - 1
    if drawn < fewest:
        raise DataError(
            f"permutations={drawn}: a test at level {share:g} needs at least {fewest} of them"
        )
    study = _Study(
        Examination(
            tuple(MeasureTest(m, s) for s in dict.fromkeys(sides) for m in chosen),
            share,
            drawn,
            read_argument("randomised", randomised, Flag()),
        ),
        _read_alternatives(alternative),
        _read_sizes(positives, negatives),
        read_argument("repeats", repeats, Whole(1)),
        read_confidence(ci),
    )
    return study.run(seed, workers, progress)


@dataclass(frozen=True)
class _Labels:
    """Arrangements of labels on which measures of the order are wanted; all of them if None."""

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
        """The base distribution, the alternative and the sizes, as rows name them."""
        text = str(self.alternative)
        base = str(getattr(self.alternative, "base", text))
        return base, NONE if self.null else text, *self.size


@dataclass(frozen=True)
class _DataSets:
    """Data sets to be drawn and tested."""

    examination: Examination
    cell: _Cell
    data_sets: int
    criticals: dict[MeasureTest, Critical]


def _values_on_labels(task: _Labels, rng: np.random.Generator) -> Floats:
    """The statistics on arrangements of the labels: (statistics, arrangements)."""
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
    """How often each test rejects and, in further rows, how often each two of them do."""
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
    """The scores of a class, as a user's own alternative may have drawn them."""
    score, alternative = np.asarray(drawn, dtype=np.float64), task.cell.alternative
    expected = task.data_sets, task.cell.size[number]
    if score.shape != expected:
        raise DataError(
            f"{alternative} draws scores of shape {score.shape} where {expected} is asked for: a "
            "row for each data set, the positives first"
        )
    low, high = float(np.min(score)), float(np.max(score))
    strict = [test.measure for test in task.examination.tests if test.measure.unit_scores]
    if math.isnan(low) or (strict and not (low >= 0 and high <= 1)):
        wanted = f"{strict[0]} needs them in [0, 1]" if strict else "they must be numbers"
        raise DataError(f"{alternative} draws scores from {low:g} to {high:g}: {wanted}")
    return score


@dataclass(frozen=True)
class _Study:
    """What is asked for."""

    examination: Examination
    alternatives: tuple[Alternative, ...]
    sizes: tuple[Size, ...]
    repeats: int
    ci: float

    def run(self, seed: int | None, workers: int | None, progress: Progress | None) -> Power:
        """Find critical values, then test data sets."""
        seed = read_seed(seed)
        seeds = np.random.SeedSequence(seed).generate_state(1 + len(self.sizes), np.uint64)
        first, *others = (int(one) for one in seeds)
        told = _within(progress, 0.0, ON_CRITICAL_VALUES)
        criticals = {
            size: self._criticals(
                size, seed=own, workers=workers, progress=portion(told, part, len(self.sizes))
            )
            for part, (size, own) in enumerate(zip(self.sizes, others, strict=True))
        }
        tasks = [
            _DataSets(self.examination, cell, data_sets, criticals[cell.size])
            for cell in self._cells()
            for data_sets in self._parts(cell.size)
        ]
        told = _within(progress, ON_CRITICAL_VALUES, 1.0)
        found = run(_test, tasks, seed=first, workers=workers, progress=told)
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
            parts = [*_parts(draws, AT_ONCE // sum(size) + 1)]
        tasks = [_Labels(statistics, size, tables) for tables in parts]
        values = np.concatenate(run(_values_on_labels, tasks, **options), axis=-1)
        return self.examination.criticals(dict(zip(statistics, values, strict=True)))

    def _cells(self) -> list[_Cell]:
        """What is drawn; each base distribution has one null hypothesis."""
        found: dict[Any, _Cell] = {}
        for size, alternative in product(self.sizes, self.alternatives):
            for cell in (_Cell(alternative, True, size), _Cell(alternative, False, size)):
                known = found.setdefault(cell.place, cell)
                if known is not cell and not cell.null:
                    raise DataError(
                        f"{alternative} is given twice for {size[0]} + {size[1]} cases: give it "
                        "once, or another name if it is another one"
                    )
        return list(found.values())

    def _parts(self, size: Size) -> Iterator[int]:
        return _parts(self.repeats, max(1, TASK // (self.examination.permutations * sum(size))))

    def _power(self, rates: Mapping[Any, Floats]) -> Power:
        """The rows, from how often tests reject, and each two of them together."""
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
            "randomised": examined.randomized,
            "ci": self.ci,
        }
        return Power(rows, facts, joint)


def _parts(whole: int, part: int) -> Iterator[int]:
    """The whole, cut into parts; the last may be smaller."""
    return (min(part, whole - begin) for begin in range(0, whole, part))


def _within(progress: Progress | None, begin: float, end: float) -> Progress | None:
    """What to tell of the work between two shares of all work."""
    return None if progress is None else lambda share: progress(begin + share * (end - begin))


def _read_alternatives(given: Any) -> tuple[Alternative, ...]:
    """One alternative or several, as objects or texts."""
    several = given if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    found = [parse_alternative(one) if isinstance(one, str) else one for one in several]
    if not found:
        raise DataError("there is no alternative: give one, as in location(0.5)")
    for one in found:
        if not callable(getattr(one, "draw", None)):
            raise DataError(
                f"{shown([one])} is no alternative: it has no method draw; take location(0.5)"
            )
    return tuple(found)


def _read_sizes(positives: Any, negatives: Any) -> tuple[Size, ...]:
    """The numbers of cases of both classes, which go together in pairs."""
    read = [
        [read_argument(name, one, Whole(1)) for one in _listed(name, given)]
        for name, given in (("positives", positives), ("negatives", negatives))
    ]
    most = max(map(len, read))
    if not all(len(numbers) in {1, most} for numbers in read):
        raise DataError(
            f"positives has {len(read[0])} numbers and negatives {len(read[1])}: they go together "
            "in pairs, so give as many, or one"
        )
    ups, downs = (numbers * most if len(numbers) == 1 else numbers for numbers in read)
    return tuple(zip(ups, downs, strict=True))


def _listed(name: str, given: Any) -> list[Any]:
    """One or several, as a list."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        return [given]
    several = list(given)
    if not several:
        raise DataError(f"{name} is empty: give one or several")
    return several
