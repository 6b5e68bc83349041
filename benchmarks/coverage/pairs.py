"""Type I error of the paired tests in hard settings: equally good models, default methods.

    python -m benchmarks.coverage.pairs                          about half an hour on two cores
    python -m benchmarks.coverage.pairs --data-sets 100 --only "heavy tails"

Two models have the same distribution of scores in each class, with correlated ranks, so that every
measure is the same for both. The fraction of p-values of at most 5% should be between 3% and 7%. It
prints one line per setting. Cells outside, some of which are by chance, are simulated again with
other data sets. For these it also prints the attainable size: the fraction of exchanges of scores
that the test rejects, which is below 5% where few outcomes are possible, and the fraction of data
sets that have no test because a value is undefined.
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
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from metameasure.inference import Difference, Sample

    Floats = NDArray[np.float64]

SEED, OTHER_SEED = 2027, 2028
DATA_SETS = 400
PART = 20
"""Number of data sets of a task."""
RESAMPLES = 400
LEVEL, LOWEST, HIGHEST = 0.05, 0.03, 0.07
MEASURES = tuple(map(str, parse_list([*DEFAULT, "ece", "lift"])))


def part(name: str, measures: Sequence[str], seed: int, start: int, stop: int) -> Floats:
    """Whether equal models are rejected, the attainable size and whether there is no test.

    The shape is (data sets, measures, 3); the attainable size is computed for the other seed only.
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
                size = attainable(test, sample, plan) if seed == OTHER_SEED else math.nan
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
    options = parser.parse_args()
    starts = range(0, options.data_sets, PART)
    stops = [min(start + PART, options.data_sets) for start in starts]
    error = (LEVEL * (1 - LEVEL) / options.data_sets) ** 0.5
    print(f"{options.data_sets} data sets per setting, standard error of 5%: {100 * error:.1f}")
    print(f"{'percent rejected':24}" + "".join(f"{m[:9]:>10}" for m in MEASURES))
    with worker_pool(options.workers) as pool:

        def simulated(name: str, measures: Sequence[str], seed: int) -> Floats:
            asked = repeat(name), repeat(measures), repeat(seed), starts, stops
            found: Floats = np.concatenate(list(pool.map(part, *asked))).mean(axis=0)
            return found

        outside: dict[str, dict[str, float]] = {}
        for name in options.only or BY_NAME:
            rates = simulated(name, MEASURES, SEED)[:, 0].tolist()
            print(f"{name:24}" + "".join(f"{100 * rate:10.1f}" for rate in rates), flush=True)
            of_measures = zip(MEASURES, rates, strict=True)
            outside[name] = {m: rate for m, rate in of_measures if not LOWEST <= rate <= HIGHEST}
        print(
            f"\n{'outside, again':24}{'measure':20}{'first':>7}{'again':>7}{'size':>7}{'none':>7}"
        )
        clearly = 0
        for name, first in outside.items():
            again = simulated(name, tuple(first), OTHER_SEED) if first else ()
            for (measure, rate), (other, size, none) in zip(first.items(), again, strict=True):
                numbers = "".join(f"{100 * x:7.1f}" for x in (rate, other, size, none))
                print(f"{name:24}{measure:20}{numbers}", flush=True)
                clearly += other > HIGHEST + 2 * error
    number = sum(map(len, outside.values()))
    print(f"{number} of {len(outside) * len(MEASURES)} cells outside, {clearly} clearly above 7%")


if __name__ == "__main__":
    main()
