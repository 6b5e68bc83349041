"""The tasks of a study, spread over cores or a cluster.

Each task has a seed of its own, and tasks depend on the question alone: so the same seed gives the
same rows for any number of workers. The work goes through joblib, so that within
``joblib.parallel_config(backend="dask")`` (or "ray", "spark") a study runs on a cluster as it is.
"""

from __future__ import annotations

import os
import signal
import threading
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from metameasure.inference.arguments import check_seed, read_workers
from metameasure.inference.resampling import generator
from metameasure.registry.registered import adopt, own_declarations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from metameasure.inference import Progress

    Task = TypeVar("Task")
    Found = TypeVar("Found")

LARGE = 31 * 2**17
"""The entries of an array that is larger than those of a task, and still below 32 MiB."""


def run(
    work: Callable[[Task, np.random.Generator], Found],
    tasks: Sequence[Task],
    *,
    seed: int | None,
    workers: int | None = None,
    progress: Progress | None = None,
    threads: bool = False,
    before: int = 0,
) -> list[Found]:
    """What ``work`` finds for each task with random numbers of its own, in the order of the tasks.

    ``work`` and the tasks are sent to other processes, so that they must be picklable. ``threads``
    is for work that gives large arrays and runs outside the interpreter, as NumPy does. ``before``
    is how many tasks of the same seed have been done already.
    """
    from joblib import Parallel, delayed  # noqa: PLC0415

    check_seed(seed)
    seeds = np.random.SeedSequence(seed).spawn(before + len(tasks))[before:]
    own, home = _OwnMeasures(), os.getpid()
    jobs = [delayed(_perform)(own, home, work, *job) for job in zip(tasks, seeds, strict=True)]
    jobs_at_once = min(_jobs(workers), max(len(tasks), 1))
    options = {"n_jobs": jobs_at_once, "prefer": "threads" if threads else "processes"}
    try:
        finished: Iterable[Any] = Parallel(**options, return_as="generator")(jobs)
    except NotImplementedError:  # a cluster that hands over all results at the end
        finished = Parallel(**options)(jobs)
    found: list[Found] = []
    for result in finished:
        found.append(result)
        if progress:
            progress(len(found) / len(tasks))
    return found


class _OwnMeasures:
    """The measures that the user has declared, which come to be known where this is unpickled."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return adopt, (own_declarations(),)


def _perform(
    _: object,
    home: int,
    work: Callable[[Task, np.random.Generator], Found],
    task: Task,
    seed: np.random.SeedSequence,
) -> Found:
    if os.getpid() != home and threading.current_thread() is threading.main_thread():
        # Ctrl-C reaches all processes of a terminal; the one that was started ends the others.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The C library of Linux gives the memory of large arrays back at once, and fetching it anew,
    # page by page, takes as long as all else. It keeps it once a larger array has come and gone.
    np.empty(LARGE)
    return work(task, generator(seed))


def _jobs(workers: int | None) -> int:
    """How many tasks run at once: as many as asked for, as joblib was told, or one a core."""
    from joblib import effective_n_jobs  # noqa: PLC0415
    from joblib.parallel import get_active_backend  # noqa: PLC0415

    if workers is not None:
        return read_workers(workers)
    _, told = get_active_backend()
    return int(effective_n_jobs(told if told not in {None, 1} else -1))
