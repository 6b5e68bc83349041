"""The tasks of a study, spread over cores or a cluster.

Each task has a seed of its own, and tasks depend on the question alone: so the same seed gives the
same rows for any number of workers. The work goes through joblib, so that within
``joblib.parallel_config(backend="dask")`` (or "ray", "spark") a study runs on a cluster as it is.
"""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from metameasure._arguments import read_seed, read_workers
from metameasure.inference import generator
from metameasure.measurement import adopt, own_declarations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from metameasure.inference import Progress

    Task = TypeVar("Task")
    Found = TypeVar("Found")

LARGE = 31 * 2**17
"""The entries of an array that is larger than those of a task, and still below 32 MiB."""
QUIET = 1.0
"""For how many seconds after a task Ctrl-C does nothing in its process.

There joblib cleans up between tasks, and if that is interrupted it prints a traceback.
"""


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

    seed = read_seed(seed)
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
        return adopt, (own_declarations(), os.getpid())


def _perform(
    _: object,
    home: int,
    work: Callable[[Task, np.random.Generator], Found],
    task: Task,
    seed: np.random.SeedSequence,
) -> Found:
    # The C library of Linux gives the memory of large arrays back at once, and fetching it anew,
    # page by page, takes as long as all else. It keeps it once a larger array has come and gone.
    np.empty(LARGE)
    in_charge = threading.current_thread() is threading.main_thread()
    with _deaf() if in_charge and os.getpid() != home else nullcontext():
        return work(task, generator(seed))


class _Deaf:
    """What Ctrl-C does in another process: nothing during tasks and shortly after them.

    It reaches all processes of a terminal, and the one that was started ends the others. But joblib
    keeps these for the user's own work, too: then Ctrl-C does again what it did before.
    """

    def __init__(self, before: Any) -> None:
        self.before = before
        self.until = math.inf

    def __call__(self, number: int, _: object) -> None:
        if time.monotonic() > self.until:
            signal.signal(number, self.before)
            signal.raise_signal(number)


@contextmanager
def _deaf() -> Iterator[None]:
    """Leave Ctrl-C to the process that was started."""
    handler = signal.getsignal(signal.SIGINT)
    if not isinstance(handler, _Deaf):
        handler = _Deaf(handler or signal.SIG_DFL)
        signal.signal(signal.SIGINT, handler)
    handler.until = math.inf
    try:
        yield
    finally:
        handler.until = time.monotonic() + QUIET


def _jobs(workers: int | None) -> int:
    """How many tasks run at once: as many as asked for, as joblib was told, or one a core."""
    from joblib import effective_n_jobs  # noqa: PLC0415
    from joblib.parallel import get_active_backend  # noqa: PLC0415

    if workers is not None:
        return read_workers(workers)
    _, told = get_active_backend()
    return int(effective_n_jobs(told if told not in {None, 1} else -1))
