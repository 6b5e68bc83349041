"""Times of several pieces of work, taken in turns so that noise affects all of them equally."""

from __future__ import annotations

import gc
import time
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Work = Callable[[], Any]
    Clock = Callable[[], float]

SPAN = 0.05
"""Seconds that a timing of the slowest work should last: short work is looped to fill them."""
TRIES = 5


def best_times(
    works: Mapping[str, Work],
    repeats: int,
    loops: int = 1,
    clock: Clock = time.perf_counter,
) -> dict[str, float]:
    """The shortest time per call of each work over the repeats, after one call to warm up."""
    for work in works.values():
        work()
    best = dict.fromkeys(works, float("inf"))
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(repeats):
            for name, work in works.items():
                best[name] = min(best[name], _seconds(work, loops, clock) / loops)
            gc.collect()
    finally:
        if collecting:
            gc.enable()
    return best


def median_times(works: Mapping[str, Work], repeats: int) -> dict[str, float]:
    """The median time of each work over the repeats, after one call to warm up."""
    for work in works.values():
        work()
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            times[name].append(_seconds(work, 1))
    return {name: median(found) for name, found in times.items()}


def loops_to_fill(works: Iterable[Work], span: float = SPAN) -> int:
    """How many calls of the slowest work fill the span.

    All works get the same number: a call right after another one of its kind is up to twice as
    fast as one after other work, so that more calls for one of them would favor it. The least of
    some calls is taken, because one that was interrupted would give a number far too small.
    """
    slowest = 0.0
    for work in works:
        work()
        slowest = max(slowest, min(_seconds(work, 1) for _ in range(TRIES)))
    return max(1, round(span / slowest))


def _seconds(work: Work, loops: int, clock: Clock = time.perf_counter) -> float:
    begin = clock()
    for _ in range(loops):
        work()
    return clock() - begin
