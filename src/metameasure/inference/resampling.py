"""The values of measures on resamples, from blocks of tables.

The work is cut into tasks of many blocks. Each task has a seed of its own, and sizes depend on the
sample alone: so the same seed gives the same values for any number of workers.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from metameasure.errors import DataError
from metameasure.inference.arguments import read_workers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from metameasure.inference.class_sample import ClassSample
    from metameasure.inference.sample import Sample
    from metameasure.inference.smoothing import Smoothed
    from metameasure.predictions import ClassScores
    from metameasure.registry import Measure
    from metameasure.table import ScoreTable

    Floats = NDArray[np.float64]
    Drawable: TypeAlias = Sample | ClassSample | Smoothed
    Values = dict[tuple[str, Measure], Floats]

Progress = Callable[[float], object]
"""What is told the share of the work that is done."""
BLOCK = 2**15
"""The entries of a block, so few that what is done with them stays in the cache."""
TASK = 2**20
"""The entries of a task."""
WORTH_THREADS = 50_000
"""The number of cases from which threads gain more than they lose by waiting for each other."""
AT_ONCE = 2**22
"""The cases that all threads together may work on, so that memory stays bounded."""


def replicate(
    sample: Drawable,
    asked: Mapping[str, Sequence[Measure]],
    *,
    resamples: int,
    seed: int | None,
    stratified: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Values:
    """The values of each model's measures on resamples, which are the same for all models."""
    block = _tables_a_block(sample.size)
    task = block * max(1, TASK // (block * sample.size))
    keys = _keys(asked)
    drawn = np.empty((len(keys), resamples))

    def work(start: int, seed: np.random.SeedSequence) -> int:
        rng, end = generator(seed), min(start + task, resamples)
        for first in range(start, end, block):
            last = min(first + block, end)
            counts = sample.draw(last - first, rng, stratified=stratified)
            drawn[:, first:last] = _values(sample, asked, counts)
        return end - start

    starts = range(0, resamples, task)
    seeds = np.random.SeedSequence(seed).spawn(len(starts))
    threads = min(read_workers(workers), max(1, AT_ONCE // sample.size))
    if sample.size < WORTH_THREADS:
        threads = 1
    sample.prepare(asked)
    with ThreadPoolExecutor(threads) as pool:
        done = 0
        for finished in pool.map(work, starts, seeds):
            done += finished
            if progress:
                progress(done / resamples)
    return dict(zip(keys, drawn, strict=True))


def portion(progress: Progress | None, part: int, parts: int) -> Progress | None:
    """What to tell of one part of the work, if it has equal parts."""
    return None if progress is None else lambda share: progress((part + share) / parts)


def jackknife(
    sample: Sample | ClassSample, asked: Mapping[str, Sequence[Measure]], *, seed: int | None
) -> Values:
    """The values of each model's measures when one group of cases after the other is left out."""
    left = sample.leave_out(generator(np.random.SeedSequence(seed)))
    block = _tables_a_block(sample.size)
    found = []
    while counts := list(islice(left, block)):
        found.append(_values(sample, asked, np.stack(counts)))
    return {key: np.concatenate(parts) for key, *parts in zip(_keys(asked), *found, strict=True)}


def generator(seed: np.random.SeedSequence) -> np.random.Generator:
    """The generator of random numbers that is used everywhere."""
    return np.random.Generator(np.random.PCG64DXSM(seed))


def _keys(asked: Mapping[str, Sequence[Measure]]) -> list[tuple[str, Measure]]:
    return [(model, measure) for model, chosen in asked.items() for measure in chosen]


def _values(
    sample: Drawable, asked: Mapping[str, Sequence[Measure]], counts: Floats
) -> list[Floats]:
    found: list[Floats] = []
    for model, chosen in asked.items():
        if chosen:
            tables = sample.block(model, counts)
            found += [_value(measure, tables) for measure in chosen]
    return found


def _value(measure: Measure, tables: ScoreTable | ClassScores) -> Floats:
    value = np.asarray(measure.compute(tables))
    if value.shape != tables.shape:
        raise DataError(
            f"{measure} gives values of shape {value.shape} for a block of {tables.shape} tables: "
            "to be resampled, a measure must work along the last axis"
        )
    return value


def _tables_a_block(cases: int) -> int:
    return max(1, BLOCK // cases)
