"""Type I error of the paired tests in hard settings: equally good models, default methods.

    python -m benchmarks.coverage.pairs                          about half an hour on two cores
    python -m benchmarks.coverage.pairs --data-sets 100 --only "heavy tails"

Two models have the same distribution of scores in each class, with correlated ranks, so that every
measure is the same for both. The fraction of p-values of at most 5% should be between 3% and 7%; it
is lower where few outcomes are possible. It prints one line per setting and a summary.
"""

from __future__ import annotations

import argparse
import os
import warnings
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context

import numpy as np

from benchmarks.coverage.hard import BY_NAME
from benchmarks.coverage.study import SETTINGS as ENVIRONMENT
from metameasure.evaluation import DEFAULT
from metameasure.inference import PairPlan, differences
from metameasure.measurement import parse_list

SEED = 2027
DATA_SETS = 400
PART = 20
"""Number of data sets of a task."""
RESAMPLES = 400
LEVEL = 0.05
MEASURES = parse_list([*DEFAULT, "ece", "lift"])


def part(name: str, start: int, stop: int) -> np.ndarray:
    """Whether the hypothesis of equal models is rejected: shape (data sets, measures)."""
    setting, found = BY_NAME[name], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(start, stop):
            rng = np.random.default_rng([SEED, list(BY_NAME).index(name), number])
            sample = setting.draw_pair(rng)
            plan = PairPlan(resamples=RESAMPLES, seed=number, workers=1)
            tests = [differences(sample, measure, [("a", "b")], plan)[0] for measure in MEASURES]
            found.append([test.pvalue <= LEVEL for test in tests])
    return np.array(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data-sets", type=int, default=DATA_SETS, help="of each setting")
    parser.add_argument("--workers", type=int, default=2, help="number of processes")
    parser.add_argument("--only", action="append", choices=list(BY_NAME), help="one setting")
    options = parser.parse_args()
    os.environ.update(ENVIRONMENT)
    starts = range(0, options.data_sets, PART)
    stops = [min(start + PART, options.data_sets) for start in starts]
    error = (LEVEL * (1 - LEVEL) / options.data_sets) ** 0.5
    print(f"{options.data_sets} data sets per setting, standard error of 5%: {100 * error:.1f}")
    print(f"{'percent rejected':24}" + "".join(f"{str(m)[:9]:>10}" for m in MEASURES))
    rates = []
    with ProcessPoolExecutor(options.workers, get_context("spawn")) as pool:
        for name in options.only or BY_NAME:
            rejected = np.concatenate(list(pool.map(part, repeat(name), starts, stops)))
            rates.append(rejected.mean(axis=0))
            numbers = "".join(f"{100 * rate:10.1f}" for rate in rates[-1])
            print(f"{name:24}{numbers}", flush=True)
    all_rates = np.array(rates)
    high = int(np.count_nonzero(all_rates > 0.07))
    clearly = int(np.count_nonzero(all_rates > 0.07 + 2 * error))
    low = int(np.count_nonzero(all_rates < 0.03))
    print(f"{all_rates.size} cells: {high} above 7% ({clearly} significantly), {low} below 3%")


if __name__ == "__main__":
    main()
