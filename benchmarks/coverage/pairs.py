"""Type I error of the paired tests in hard settings: equally good models, default methods.

    python -m benchmarks.coverage.pairs                          about half an hour on two cores
    python -m benchmarks.coverage.pairs --data-sets 100 --only "heavy tails"
    python -m benchmarks.coverage.pairs --data-sets 2000 --only weights --measure ece --seed 1

Two models have the same distribution of scores in each class, with correlated ranks, so that every
measure is the same for both. The fraction of p-values of at most 5% should be between 3% and 7%. It
prints the table of docs/uncertainty.md, one line per setting. Cells outside, some of which are by
chance, are simulated again with other data sets. For these it also prints the attainable size: the
fraction of exchanges of scores that the test rejects, which is below 5% where few outcomes are
possible, and the fraction of data sets that have no test because a value is undefined.
"""

from __future__ import annotations

import argparse
import math
import warnings
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.coverage.hard import BY_NAME
from benchmarks.coverage.study import worker_pool
from metameasure.evaluation import DEFAULT
from metameasure.inference import PairPlan, differences
from metameasure.inference.methods.swapped import exchanged
from metameasure.measurement import parse_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from metameasure.inference import Difference, Sample

    Floats = NDArray[np.float64]

SEED = 2027
DATA_SETS = 400
PART = 20
"""Number of data sets of a task."""
RESAMPLES = 400
LEVEL, LOWEST, HIGHEST = 0.05, 0.03, 0.07
MEASURES = tuple(map(str, parse_list([*DEFAULT, "ece", "lift"])))


def part(
    name: str, measures: Sequence[str], seed: int, sized: bool, start: int, stop: int
) -> Floats:
    """Whether equal models are rejected, the attainable size if asked, whether there is no test.

    The shape is (data sets, measures, 3).
    """
    setting, found = BY_NAME[name], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(start, stop):
            rng = np.random.default_rng([seed, list(BY_NAME).index(name), number])
            sample = setting.draw_pair(rng)
            plan = PairPlan(resamples=RESAMPLES, seed=number, workers=1)
            rows = []
            for measure in parse_list(measures):
                test = differences(sample, measure, [("a", "b")], plan)[0]
                size = attainable(test, sample, plan) if sized else math.nan
                rows.append((test.pvalue <= LEVEL, size, math.isnan(test.pvalue)))
            found.append(rows)
    return np.array(found, np.float64)


def attainable(test: Difference, sample: Sample, plan: PairPlan) -> float:
    """The fraction of exchanges whose difference is rejected by the test of exchanges."""
    if test.reason:
        return 0.0
    found = exchanged(test, sample, plan, None)
    return float(np.mean(np.abs(found.known) > found.reach + found.tolerance))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data-sets", type=int, default=DATA_SETS, help="of each setting")
    parser.add_argument("--workers", type=int, default=2, help="number of processes")
    parser.add_argument("--only", action="append", choices=list(BY_NAME), help="one setting")
    parser.add_argument("--measure", action="append", choices=MEASURES, help="one measure")
    parser.add_argument("--seed", type=int, default=SEED, help="another one for other data sets")
    options = parser.parse_args()
    measures = options.measure or MEASURES
    starts = range(0, options.data_sets, PART)
    stops = [min(start + PART, options.data_sets) for start in starts]
    error = (LEVEL * (1 - LEVEL) / options.data_sets) ** 0.5
    print(f"{options.data_sets} data sets per setting, standard error of 5%: {100 * error:.1f}\n")
    print(*_header("setting", *(f"`{measure}`" for measure in measures)), sep="\n")
    with worker_pool(options.workers) as pool:

        def simulated(name: str, measures: Sequence[str], seed: int, *, sized: bool) -> Floats:
            asked = repeat(name), repeat(measures), repeat(seed), repeat(sized), starts, stops
            found: Floats = np.concatenate(list(pool.map(part, *asked))).mean(axis=0)
            return found

        outside: dict[str, dict[str, float]] = {}
        for name in options.only or BY_NAME:
            rates = simulated(name, measures, options.seed, sized=False)[:, 0].tolist()
            print(_row(name, rates), flush=True)
            of_measures = zip(measures, rates, strict=True)
            outside[name] = {m: rate for m, rate in of_measures if not LOWEST <= rate <= HIGHEST}
        print()
        print(*_header("setting: measure", "first", "again", "attainable", "no test"), sep="\n")
        clearly = 0
        for name, first in outside.items():
            again = simulated(name, tuple(first), options.seed + 1, sized=True) if first else ()
            for (measure, rate), (other, size, none) in zip(first.items(), again, strict=True):
                print(_row(f"{name}: `{measure}`", (rate, other, size, none)), flush=True)
                clearly += other > HIGHEST + 2 * error
    number = sum(map(len, outside.values()))
    print(f"\n{number} of {len(outside) * len(measures)} cells outside, {clearly} clearly above 7%")


def _header(*names: str) -> tuple[str, str]:
    """The first two lines of a table of numbers."""
    return f"| {' | '.join(names)} |", f"| --- |{' ---: |' * (len(names) - 1)}"


def _row(name: str, shares: Iterable[float]) -> str:
    """A line of a table, in percent."""
    return f"| {name} | {' | '.join(f'{100 * share:.1f}' for share in shares)} |"


if __name__ == "__main__":
    main()
