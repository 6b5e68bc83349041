"""How resamples are drawn, and the values of measures on them, from blocks of tables.

The work is cut into tasks of many blocks. Each task has a seed of its own, and sizes depend on the
sample alone: so the same seed gives the same values for any number of workers.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from metameasure._arguments import (
    Flag,
    read_argument,
    read_confidence,
    read_resamples,
    read_seed,
    read_workers,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from metameasure._types import Floats
    from metameasure.inference.methods.smoothed import Smoothed
    from metameasure.inference.sample import AnySample
    from metameasure.measurement import Measure
    from metameasure.progress import Progress

    Drawable: TypeAlias = AnySample | Smoothed
    Values = dict[tuple[str, Measure], Floats]
    Draw = Callable[[int, np.random.Generator], Floats]
    Enough = Callable[[Values], bool]

RESAMPLES = 2000
"""Default number of resamples."""
SEED = 1
"""Default seed; it is fixed, so that the same data have the same interval."""
BLOCK = 2**15
"""Number of entries of a block, so that it fits in the cache."""
TASK = 2**20
"""Number of entries of a task."""
WORTH_THREADS = 50_000
"""Number of cases from which threads save time."""
BATCH = 128
"""Number of resamples after which it is checked whether there are enough."""
IN_A_TAIL = 5
"""Number of resamples that should lie beyond each limit."""
AT_ONCE = 2**22
"""Number of cases that all threads together work on at most, which bounds the memory."""


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """The confidence, and how resamples are drawn."""

    ci: float = 0.95
    resamples: int = RESAMPLES
    seed: int | None = SEED
    stratified: bool = False
    workers: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "ci", read_confidence(self.ci))
        object.__setattr__(self, "resamples", read_resamples(self.resamples))
        read_argument("stratified", self.stratified, Flag())
        object.__setattr__(self, "seed", read_seed(self.seed))
        read_workers(self.workers)


def replicate(
    sample: Drawable,
    asked: Mapping[str, Sequence[Measure]],
    plan: Drawing,
    progress: Progress | None = None,
    enough: Enough | None = None,
) -> Values:
    """The values of each model's measures on resamples, which are the same for all models.

    With ``enough``, resamples are drawn until it says so of their values, up to the number planned.
    """
    sample.prepare(asked)

    def named(drawn: Floats) -> Values:
        return dict(zip(_keys(asked), drawn, strict=True))

    def draw(tables: int, rng: np.random.Generator) -> Floats:
        counts = sample.draw(tables, rng, stratified=plan.stratified)
        return np.array(_values(sample, asked, counts), np.float64)

    stop = None if enough is None else lambda drawn: enough(named(drawn))
    return named(draw_in_blocks(draw, sample.entries, BLOCK, plan, progress, stop))


def draw_in_blocks(
    draw: Draw,
    cases: int,
    entries: int,
    plan: Drawing,
    progress: Progress | None = None,
    stop: Callable[[Floats], bool] | None = None,
) -> Floats:
    """What ``draw`` returns for all resamples, which are the second axis.

    Resamples are drawn in blocks of about ``entries`` entries, and the blocks in tasks, each of
    which has its own seed, so that the result does not depend on the number of workers. After each
    task ``stop`` is asked whether the resamples so far suffice.
    """
    block, resamples = max(1, entries // cases), plan.resamples
    task = block * max(1, TASK // (block * cases))
    if stop is not None:
        task = min(task, BATCH)
    starts = range(0, resamples, task)
    seeds = np.random.SeedSequence(plan.seed).spawn(len(starts))

    def work(start: int, seed: np.random.SeedSequence) -> Floats:
        rng, end = generator(seed), min(start + task, resamples)
        parts = [draw(min(block, end - first), rng) for first in range(start, end, block)]
        return np.concatenate(parts, axis=1)

    threads = min(read_workers(plan.workers), max(1, AT_ONCE // cases))
    parts: list[Floats] = []
    with _mapping(threads if cases >= WORTH_THREADS else 1) as each:
        for start, part in zip(starts, each(work, starts, seeds), strict=True):
            parts.append(part)
            if progress:
                progress((start + part.shape[1]) / resamples)
            if stop is not None and stop(np.concatenate(parts, axis=1)):
                break
    return np.concatenate(parts, axis=1)


@contextmanager
def _mapping(threads: int) -> Iterator[Callable[..., Iterator[Floats]]]:
    """A function like ``map``, with several threads; what was not begun is not done any more."""
    if threads == 1:
        yield map
        return
    pool = ThreadPoolExecutor(threads)
    try:
        yield pool.map
    finally:
        pool.shutdown(cancel_futures=True)


def portion(progress: Progress | None, part: int, parts: int) -> Progress | None:
    """The progress of one of several equal parts of the work."""
    return None if progress is None else lambda share: progress((part + share) / parts)


def jackknife(
    sample: AnySample, asked: Mapping[str, Sequence[Measure]], *, seed: int | None
) -> Values:
    """The values of each model's measures when each group of cases is left out in turn."""
    left = sample.leave_out(generator(np.random.SeedSequence(seed)))
    block = max(1, BLOCK // sample.size)
    found = []
    while counts := list(islice(left, block)):
        found.append(_values(sample, asked, np.stack(counts)))
    return {key: np.concatenate(parts) for key, *parts in zip(_keys(asked), *found, strict=True)}


def generator(seed: np.random.SeedSequence) -> np.random.Generator:
    """The random number generator that is used everywhere."""
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
            found += [measure.of_block(tables) for measure in chosen]
    return found


def quantiles(values: Floats, shares: Sequence[float]) -> list[float]:
    """Quantiles, linear between the ordered values, some of which may be infinite."""
    ordered = np.sort(values)
    found = []
    for share in shares:
        place = share * (ordered.size - 1)
        below, above = (float(ordered[int(end)]) for end in (math.floor(place), math.ceil(place)))
        between = math.isfinite(below) and below < above
        found.append(below + (place % 1) * (above - below) if between else below)
    return found


def central(values: Floats, ci: float) -> tuple[float, float]:
    """The quantiles between which a fraction of the values lies."""
    low, high = quantiles(values, ((1 - ci) / 2, (1 + ci) / 2))
    return low, high
