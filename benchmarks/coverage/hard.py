"""Coverage of the default intervals in hard settings, with the cells that are worst.

    python -m benchmarks.coverage.hard                          about half an hour on two cores
    python -m benchmarks.coverage.hard --data-sets 200 --only "heavy tails" --print
    python -m benchmarks.coverage.hard --data-sets 5000 --only "weights" --measure lift

It writes hard.json, from which report.py makes the page of worst cells. Every data set has a seed
of its own, so that the number of workers changes nothing.
"""

from __future__ import annotations

import argparse
import json
import warnings
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.coverage.settings import CHOOSING, HOLDOUT, MODEL
from benchmarks.coverage.study import worker_pool
from benchmarks.coverage.trials import MEASURES
from metameasure.inference import Plan, measure_intervals
from metameasure.inference.methods.method import choose_method
from metameasure.measurement import parse_list

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.coverage.settings import Setting
    from metameasure.measurement import Measure

RESULTS = Path(__file__).parent / "hard.json"
SEED = 2026
DATA_SETS = 1000
PART = 50
"""Number of data sets of a task."""
MEASURED = (*MEASURES, *parse_list(["ici", "e50", "e90", "emax"]))
"""All measures; those of calibration curves take long, and have fewer settings and data sets."""
BY_NAME = {setting.name: setting for setting in (*CHOOSING, *HOLDOUT)}

Counts = dict[str, list[Any]]


def trial(setting: Setting, number: int, measures: Sequence[Measure]) -> list[tuple[float, float]]:
    """The limits of each measure from one data set; NaN where there are none."""
    rng = np.random.default_rng([SEED, list(BY_NAME).index(setting.name), number])
    sample = setting.draw(rng)
    found = measure_intervals(sample, {MODEL: measures}, Plan(workers=1, seed=number))
    return [(found[MODEL, measure].low, found[MODEL, measure].high) for measure in measures]


def part(name: str, start: int, stop: int, measures: Sequence[Measure]) -> Any:
    """The limits from some data sets of a setting: shape (data sets, measures, 2)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        setting = BY_NAME[name]
        return np.array([trial(setting, number, measures) for number in range(start, stop)])


def summary(setting: Setting, limits: Any, measures: Sequence[Measure]) -> Counts:
    """Of each measure: method, data sets without interval, those above and below, length."""
    found: Counts = {}
    sample = setting.draw(np.random.default_rng(SEED))
    for place, measure in enumerate(measures):
        truth = measure.value(setting.population)
        low, high = limits[:, place].T
        known = ~np.isnan(low)
        with np.errstate(invalid="ignore"):
            lengths = high[known] - low[known]
        found[str(measure)] = [
            choose_method("auto", measure, sample).name,
            int(np.count_nonzero(~known)),
            int(np.count_nonzero(low > truth)),
            int(np.count_nonzero(high < truth)),
            float(f"{np.median(lengths) if known.any() else np.nan:.3g}"),
        ]
    return found


def run(
    names: Sequence[str], data_sets: int, workers: int, measures: Sequence[Measure]
) -> Iterator[tuple[str, Counts]]:
    """What came out of each setting."""
    starts = range(0, data_sets, PART)
    stops = [min(start + PART, data_sets) for start in starts]
    with worker_pool(workers) as pool:
        for name in names:
            parts = pool.map(part, repeat(name), starts, stops, repeat(measures))
            yield name, summary(BY_NAME[name], np.concatenate(list(parts)), measures)


def merged(found: dict[str, Counts], data_sets: int) -> dict[str, Any]:
    """Earlier results, with some of them replaced, which may have another number of data sets."""
    before: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    if data_sets != before["data_sets"]:
        for counts in found.values():
            for cell in counts.values():
                cell.append(data_sets)
    settings = before["settings"]
    return before | {
        "settings": {name: settings.get(name, {}) | found.get(name, {}) for name in BY_NAME}
    }


def lines(name: str, found: Counts, data_sets: int) -> Iterator[str]:
    """The results of a setting for the eye."""
    yield name
    for measure, (method, none, above, below, length) in found.items():
        known = max(data_sets - none, 1)
        shares = (1 - (above + below) / known, above / known, below / known)
        text = "{:7.3f}{:7.3f}{:7.3f}".format(*shares)
        yield f"  {measure:24}{method:21}{text}{length:9.3g}  {none or ''}".rstrip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data-sets", type=int, default=DATA_SETS, help="of each setting")
    parser.add_argument("--workers", type=int, default=2, help="number of processes")
    parser.add_argument("--only", action="append", choices=list(BY_NAME), help="one setting")
    parser.add_argument("--measure", action="append", help="one measure (repeatable)")
    parser.add_argument("--print", action="store_true", help="print a table, write no results")
    options = parser.parse_args()
    asked = options.measure or [str(measure) for measure in MEASURES]
    measures = [measure for measure in MEASURED if str(measure) in asked]
    found = {}
    for name, counts in run(
        options.only or list(BY_NAME), options.data_sets, options.workers, measures
    ):
        found[name] = counts
        print("\n".join(lines(name, counts, options.data_sets)), flush=True)
    if not options.print:
        stored: dict[str, Any] = {"data_sets": options.data_sets, "settings": found}
        if options.only or options.measure:
            stored = merged(found, options.data_sets)
        RESULTS.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
