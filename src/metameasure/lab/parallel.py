"""Parallel execution of the tasks of a study, on the cores of a machine or on a cluster.

Each task has its own seed, and the tasks depend only on the study, so that a seed gives the same
result for any number of workers. Tasks run through joblib: within
``joblib.parallel_config(backend="dask")`` (or "ray", "spark") a study runs on a cluster unchanged.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import sys
import threading
import time
import warnings
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, nullcontext
from copy import copy
from functools import cache, partial
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from metameasure._arguments import read_seed, read_workers
from metameasure.errors import Argument, MetameasureError
from metameasure.inference import generator
from metameasure.kernels import (
    leave_warning_to_parent,
    warn_not_kept,
    warning_left_to_caller,
    why_not_kept,
)
from metameasure.measurement import adopt, own_declarations
from metameasure.progress import without_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from multiprocessing.process import BaseProcess

    from metameasure.measurement import Declaration
    from metameasure.progress import Progress

    Task = TypeVar("Task")
    Found = TypeVar("Found")

LARGE = 31 * 2**17
"""Number of entries of an array that is larger than those of a task, yet below 32 MiB."""
QUIET = 1.0
"""Number of seconds after a task during which its process ignores Ctrl-C.

Between tasks joblib cleans up, and prints a traceback if that is interrupted.
"""
LOOK = 0.5
"""Number of seconds after which a worker process looks again whether its parent lives."""


def run(
    work: Callable[[Task, np.random.Generator], Found],
    tasks: Sequence[Task],
    *,
    seed: int | None = None,
    seeds: Sequence[np.random.SeedSequence] | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    threads: bool = False,
    before: int = 0,
) -> list[Found]:
    """The results of ``work(task, rng)`` for all tasks, in their order, each with its own ``rng``.

    ``work`` and the tasks must be picklable, as they are sent to other processes. ``threads`` is
    for work that returns large arrays and releases the GIL. ``before`` is the number of tasks of
    the same seed that were run before. ``seeds`` are the tasks' own, in place of one seed.
    """
    if seeds is None:
        seeds = np.random.SeedSequence(read_seed(seed)).spawn(before + len(tasks))[before:]
    found: dict[int, Found] = {}
    with closing(stream(work, tasks, seeds, workers=workers, threads=threads)) as ended:
        for index, result in ended:
            found[index] = result
            if progress:
                progress(len(found) / len(tasks))
    return [found[index] for index in range(len(tasks))]


def stream(
    work: Callable[[Task, np.random.Generator], Found],
    tasks: Sequence[Task],
    seeds: Sequence[np.random.SeedSequence],
    *,
    workers: int | None = None,
    threads: bool = False,
) -> Generator[tuple[int, Found]]:
    """The number and the result of each task as it ends, in any order; each has its own seed.

    Closing the generator ends the workers.
    """
    from joblib import delayed  # noqa: PLC0415

    state, home = _StateOfParent(), os.getpid()
    jobs = [
        delayed(_perform)(state, home, work, index, *job)
        for index, job in enumerate(zip(tasks, seeds, strict=True))
    ]
    jobs_at_once = min(_jobs(workers), max(len(tasks), 1))
    try:
        with closing(_performed(jobs, jobs_at_once, "threads" if threads else "processes")) as done:
            for index, found, not_kept in done:
                if not_kept is not None:
                    warn_not_kept(not_kept)
                yield index, found
    except BrokenProcessPool as error:
        raise MetameasureError(
            "a worker process was killed, which happens if there is not enough memory",
            remedy=("use fewer ", Argument("workers")),
        ) from error


def _performed(jobs: Sequence[Any], jobs_at_once: int, prefer: str) -> Generator[Any]:
    """The results of joblib's jobs as they end, or of some clusters all at the end."""
    from joblib import Parallel  # noqa: PLC0415

    options = {"n_jobs": jobs_at_once, "prefer": prefer, "backend": _backend(prefer)}
    try:
        yield from _closed_quietly(Parallel(**options, return_as="generator_unordered")(jobs))
    except NotImplementedError:
        yield from Parallel(**options)(jobs)


def _backend(prefer: str) -> Any:
    """Where joblib would run the jobs; its own worker processes end with this process.

    They wait for a first task, and a parent that was killed while they started never sends one. So
    they look after their parent from the beginning, unless the user begins them in another way.
    """
    from joblib.parallel import LokyBackend, get_active_backend  # noqa: PLC0415

    active, _ = get_active_backend(prefer=prefer)
    options = getattr(active, "backend_kwargs", {})
    if type(active) is not LokyBackend or "initializer" in options:
        return active
    own = copy(active)  # which may be in use by others
    begin = {"initializer": end_with_parent, "initargs": (os.getpid(),)}
    own.configure = partial(own.configure, **begin)
    return own


def _closed_quietly(results: Generator[Found]) -> Iterator[Found]:
    """The results; if no more are wanted, joblib ends its workers without a warning."""
    try:
        for result in results:  # noqa: UP028 - `yield from` would close them
            yield result
    except GeneratorExit:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results.close()
        raise


class _StateOfParent:
    """What a worker process takes over from its parent when it unpickles this.

    Jobs have it in front of the task, whose modules may compile functions when they are loaded.
    """

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _take_over, (own_declarations(), os.getpid())


def _take_over(declarations: Iterable[Declaration], home: int) -> None:
    """Register the user's own measures, and leave warnings about the cache to the parent."""
    adopt(declarations, home)
    if os.getpid() != home:
        leave_warning_to_parent()


def _perform(
    _: object,
    home: int,
    work: Callable[[Task, np.random.Generator], Found],
    index: int,
    task: Task,
    seed: np.random.SeedSequence,
) -> tuple[int, Found, str | None]:
    """The number and the result of a task, and why functions compiled for it are not kept."""
    # The C library of Linux returns the memory of large arrays at once, and getting it back page by
    # page takes as long as all the rest. It keeps memory once a larger array has been freed.
    np.empty(LARGE)
    end_with_parent(home)
    in_charge = threading.current_thread() is threading.main_thread()
    deaf = _deaf() if in_charge and os.getpid() != home else nullcontext()
    with deaf, without_progress(), warning_left_to_caller():
        found = work(task, generator(seed))
    return index, found, why_not_kept()


def end_with_parent(home: int) -> None:
    """End this process soon after its parent if that is ``home``, however the parent ended.

    A parent that was killed cannot end its workers, and joblib's wait five minutes for more tasks.
    """
    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid == home:
        _end_with(parent)


@cache
def _end_with(parent: BaseProcess) -> None:
    threading.Thread(target=_watch, args=(parent,), name="metameasure: parent", daemon=True).start()


def _watch(parent: BaseProcess) -> None:
    if sys.platform == "win32":
        wait([parent.sentinel])
    else:  # orphans get another parent
        while os.getppid() == parent.pid:
            time.sleep(LOOK)
    os._exit(1)


class _Deaf:
    """The handler of Ctrl-C in a worker process: ignored during tasks and shortly after them.

    Ctrl-C reaches all processes of a terminal, and the main process ends the others. But a cluster
    keeps workers for the user's own work, for which the previous handler is restored.
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
    """Leave Ctrl-C to the main process."""
    handler = signal.getsignal(signal.SIGINT)
    if not isinstance(handler, _Deaf):
        handler = _Deaf(handler or signal.SIG_DFL)
        signal.signal(signal.SIGINT, handler)
    handler.until = math.inf
    try:
        yield
    finally:
        handler.until = time.monotonic() + QUIET


def portions(total: int, size: int) -> list[int]:
    """The sizes of consecutive parts of a whole; the last part may be smaller.

    >>> portions(10, 4)
    [4, 4, 2]
    """
    return [min(size, total - start) for start in range(0, total, size)]


def _jobs(workers: int | None) -> int:
    """The number of parallel tasks: as requested, as configured in joblib, or one per core."""
    from joblib import effective_n_jobs  # noqa: PLC0415
    from joblib.parallel import get_active_backend  # noqa: PLC0415

    if workers is not None:
        return read_workers(workers)
    _, configured = get_active_backend()
    return int(effective_n_jobs(configured if configured not in {None, 1} else -1))
