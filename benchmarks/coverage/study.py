"""Coverage of confidence intervals: all measures, methods and populations, by simulation.

    python -m benchmarks.coverage.study               the whole study, one to two hours on two cores
    python -m benchmarks.coverage.study --resume      go on where it was stopped
    python -m benchmarks.coverage.study --method jeffreys    one method; the others stay as stored
    python -m benchmarks.coverage.study --measure brier      one measure, likewise
    python -m benchmarks.coverage.study --data-sets 100 --only "25 0.5 binormal" --print

It writes results.json, from which report.py makes the pages. Every data set has a seed of its own,
so that neither the number of workers nor a stop changes the results. If the study is resumed with a
new measure or method, only this is tried, on the same data sets.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.coverage.populations import CELLS, DISTRIBUTIONS, GRID, Cell
from benchmarks.coverage.trials import CI, MEASURES, TRIED, limits
from metameasure import kernels
from metameasure.lab.parallel import end_with_parent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from metameasure.measurement import Measure

    Floats = NDArray[np.float64]

RESULTS = Path(__file__).parent / "results.json"
SCRATCH = Path("build") / "coverage"
SEED = 2007
DATA_SETS = 2000
RESAMPLES = 500
PART = 250
"""The data sets that are tried and stored together."""
SETTINGS = {
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "1000000000",
    "MALLOC_TRIM_THRESHOLD_": "1000000000",
}
"""Environment of the worker processes: one thread each, and freed memory is kept."""


@dataclass(frozen=True)
class Part:
    """Some consecutive data sets of a cell."""

    cell: Cell
    start: int
    stop: int

    def file(self, scratch: Path) -> Path:
        """Where its limits are stored."""
        name = f"{self.cell} {self.start}-{self.stop}"
        return scratch / (name.replace(" ", "_") + ".npz")

    def stored(self, scratch: Path) -> dict[str, Floats]:
        """The limits that are known already, by the names of measure and method."""
        file = self.file(scratch)
        if not file.exists():
            return {}
        with np.load(file) as known:
            return dict(known)


def name(measure: Measure, method: str) -> str:
    """What the limits of a measure and method are stored as."""
    return f"{measure} {method}"


def parts(cells: list[Cell], data_sets: int) -> list[Part]:
    """The parts of the study, those that take longest first."""
    starts = range(0, data_sets, PART)
    found = [Part(cell, a, min(a + PART, data_sets)) for cell in cells for a in starts]
    return sorted(found, key=lambda part: -part.cell.n)


def chosen(
    methods: Sequence[str] | None, measures: Sequence[str] | None
) -> list[tuple[Measure, str]]:
    """Each measure with each of its methods, or some of them."""
    return [
        (measure, method)
        for measure, method in TRIED
        if (methods is None or method in methods) and (measures is None or str(measure) in measures)
    ]


def work(part: Part, scratch: Path, tried: Sequence[tuple[Measure, str]]) -> float:
    """Try what is not stored yet on the data sets of a part; the seconds that it took."""
    begin = time.perf_counter()
    kernels.COMPILED_FROM = 0
    cell, known, found = part.cell, part.stored(scratch), []
    missing = [one for one in tried if name(*one) not in known]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(part.start, part.stop):
            rng = np.random.default_rng(_seeds(cell, number))
            sample, seed = cell.draw(rng), int(rng.integers(2**32))
            found.append(limits(sample, RESAMPLES, seed, missing))
    known |= {name(*one): pair for one, pair in zip(missing, np.stack(found, axis=1), strict=True)}
    file = part.file(scratch)
    unfinished = file.with_suffix(f".{os.getpid()}.npz")
    np.savez_compressed(unfinished, **known)  # type: ignore[arg-type]
    unfinished.replace(file)
    return time.perf_counter() - begin


def _seeds(cell: Cell, number: int) -> list[int]:
    distribution = DISTRIBUTIONS.index(cell.distribution)
    return [SEED, cell.size, round(1000 * cell.prevalence), distribution, number]


def worker_pool(workers: int) -> ProcessPoolExecutor:
    """Worker processes that end with this one, also if it is killed."""
    os.environ.update(SETTINGS)
    return ProcessPoolExecutor(
        workers, get_context("spawn"), initializer=end_with_parent, initargs=(os.getpid(),)
    )


def run(
    todo: list[Part], scratch: Path, workers: int, tried: Sequence[tuple[Measure, str]]
) -> None:
    """Work on the parts that are to be done."""
    with worker_pool(workers) as pool:
        running = {pool.submit(work, part, scratch, tried): part for part in todo}
        for done, future in enumerate(as_completed(running), 1):
            part, seconds = running[future], future.result()
            text = f"{done} of {len(todo)}: {part.cell}, from {part.start}, {seconds:.0f} s"
            print(text, file=sys.stderr, flush=True)


def true_values(cell: Cell) -> tuple[Floats, Floats]:
    """The values of the measures on the population, and how much half the grid changes them."""
    fine, coarse = (
        np.array([measure.value(cell.population(grid)) for measure in MEASURES])
        for grid in (GRID, GRID // 2)
    )
    return fine, np.abs(fine - coarse)


def summary(cell: Cell, found: dict[str, Floats]) -> tuple[dict[str, Any], float]:
    """What came out for a cell, and the largest uncertainty of a true value.

    Of each measure and method: the data sets without an interval, the intervals above the truth
    and those below it, and the mean length.
    """
    values, changes = true_values(cell)
    truth = dict(zip(MEASURES, values, strict=True))
    made: dict[str, Any] = {}
    for measure, method in TRIED:
        if name(measure, method) not in found:
            continue
        pair = found[name(measure, method)]
        low, high = pair[~np.isnan(pair).any(axis=1)].T
        made.setdefault(str(measure), {})[method] = [
            int(len(pair) - low.size),
            int(np.count_nonzero(low > truth[measure])),
            int(np.count_nonzero(high < truth[measure])),
            float(f"{np.mean(high - low):.3g}"),
        ]
    return made, float(changes.max())


def collect(cells: list[Cell], data_sets: int, scratch: Path) -> dict[str, Any]:
    """The results of the whole study from the stored parts."""
    found, uncertain = {}, 0.0
    for cell in cells:
        stored = [part.stored(scratch) for part in parts([cell], data_sets)]
        joined = {key: np.concatenate([one[key] for one in stored]) for key in stored[0]}
        found[str(cell)], change = summary(cell, joined)
        uncertain = max(uncertain, change)
    return {
        "ci": CI,
        "data_sets": data_sets,
        "resamples": RESAMPLES,
        "grid": GRID,
        "truth_uncertain_by": float(f"{uncertain:.2g}"),
        "cells": found,
    }


def merged(results: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Earlier results with those of some methods or measures replaced, in the usual order."""
    cells = {}
    for cell, measures in before["cells"].items():
        new = results["cells"].get(cell, {})
        found = {measure: measures.get(measure, {}) | new.get(measure, {}) for measure in measures}
        cells[cell] = {
            str(measure): {
                method: found[str(measure)][method]
                for known, method in TRIED
                if known == measure and method in found[str(measure)]
            }
            for measure in MEASURES
        }
    return {**before, "cells": cells}


def written(results: dict[str, Any]) -> str:
    """The results as JSON with one line for each measure in each cell."""
    head = {key: value for key, value in results.items() if key != "cells"}
    cells = []
    for cell, found in results["cells"].items():
        rows = (f"   {json.dumps(name)}: {json.dumps(its)}" for name, its in found.items())
        cells.append(f"  {json.dumps(cell)}: {{\n" + ",\n".join(rows) + "\n  }")
    begin = json.dumps(head, indent=1).removesuffix("\n}")
    return begin + ',\n "cells": {\n' + ",\n".join(cells) + "\n }\n}\n"


def lines(results: dict[str, Any]) -> Iterator[str]:
    """The results as a table for the eye: coverage, misses to both sides, length."""
    for cell, found in results["cells"].items():
        yield f"{cell}, {results['data_sets']} data sets"
        yield f"{'':24}{'method':12}{'covered':>8}{'too high':>9}{'too low':>8}{'length':>9}  none"
        for measure, methods in found.items():
            for method, (none, above, below, length) in methods.items():
                defined = max(results["data_sets"] - none, 1)
                shares = [(defined - above - below) / defined, above / defined, below / defined]
                text = "{:8.3f}{:9.3f}{:8.3f}".format(*shares)
                yield f"{measure:24}{method:12}{text}{length:9.3g}  {none or ''}".rstrip()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--workers", type=int, default=2, help="how many processes")
    parser.add_argument("--resume", action="store_true", help="keep what is stored already")
    parser.add_argument("--scratch", type=Path, default=SCRATCH, help="where parts are stored")
    parser.add_argument("--data-sets", type=int, default=DATA_SETS, help="of each cell")
    parser.add_argument("--only", action="append", choices=[str(cell) for cell in CELLS])
    parser.add_argument("--method", action="append", help="only this method (repeatable)")
    parser.add_argument("--measure", action="append", help="only this measure (repeatable)")
    parser.add_argument("--print", action="store_true", help="print a table, write no results")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    options.scratch.mkdir(parents=True, exist_ok=True)
    cells = [cell for cell in CELLS if not options.only or str(cell) in options.only]
    todo, tried = parts(cells, options.data_sets), chosen(options.method, options.measure)
    if options.resume:
        wanted = {name(*one) for one in tried}
        todo = [part for part in todo if wanted - part.stored(options.scratch).keys()]
    else:
        for part in todo:
            part.file(options.scratch).unlink(missing_ok=True)
    run(todo, options.scratch, options.workers, tried)
    results = collect(cells, options.data_sets, options.scratch)
    if options.method or options.measure:
        results = merged(results, json.loads(RESULTS.read_text(encoding="utf-8")))
    if options.print:
        print("\n".join(lines(results)))
    else:
        RESULTS.write_text(written(results), encoding="utf-8")


if __name__ == "__main__":
    main()
