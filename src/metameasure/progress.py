"""Progress of work that takes longer than two seconds, on standard error.

In a terminal it is a bar, which disappears at the end. Elsewhere, as in a script whose output goes
to a file, it is a line after two seconds, and again every 30 seconds. A notebook shows nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from metameasure._text import shown
from metameasure.errors import Argument, ParameterError

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

Progress = Callable[[float], object]
"""A function that is called with the fraction of the work that is done."""
PATIENCE = 2.0
"""Number of seconds after which progress is shown."""
AGAIN = 30.0
"""Number of seconds between two lines."""
SECONDS, MINUTES = 90, 90
"""Numbers of seconds and of minutes up to which a time is written in them."""

_hidden: ContextVar[bool] = ContextVar("_hidden", default=False)


@contextmanager
def without_progress() -> Iterator[None]:
    """Show no progress of what is called within, as it is part of other work."""
    token = _hidden.set(True)
    try:
        yield
    finally:
        _hidden.reset(token)


@contextmanager
def reporting(progress: bool | Progress | None, what: str) -> Iterator[Progress | None]:
    """The function to call with the fraction of the work that is done; None if nobody asks for it.

    Args:
        progress: whether progress is shown, or a function of the user's own.
        what: the work in words, e.g. "evaluate: 2000 resamples of 10 measures".
    """
    if callable(progress):
        with without_progress():
            yield progress
        return
    if progress is not None and not isinstance(progress, bool):
        raise ParameterError(
            (Argument("progress"), f" must be True, False or a function, got {shown([progress])}")
        )
    if not progress or _hidden.get() or sys.stderr is None:
        with without_progress():
            yield None
        return
    display = _Display(what, sys.stderr)
    try:
        with without_progress():
            yield display.show
    finally:
        display.close()


class _Display:
    """The bar or the lines of one piece of work."""

    def __init__(self, what: str, stream: TextIO) -> None:
        self.what, self.stream = what, stream
        self.begin = monotonic()
        self.due = PATIENCE
        self.first: tuple[float, float] | None = None
        self.bar: tuple[Bar, TaskID] | None = None

    def show(self, share: float) -> None:
        """Show the fraction that is done, if it is time."""
        passed = monotonic() - self.begin
        first = self.first = self.first or (passed, share)
        if self.bar is not None:
            self.bar[0].update(self.bar[1], completed=share)
        elif passed >= self.due and 0 < share < 1 and not self.stream.closed:
            if self.stream.isatty():
                self.bar = _started_bar(self.what, share)
            elif not _in_notebook():
                self._write_line(_time_left(first, (passed, share)))
            self.due = passed + AGAIN

    def _write_line(self, left: float) -> None:
        # A reader that has gone is no reason to stop the work.
        with suppress(OSError):
            self.stream.write(f"{self.what}, about {duration(left)} left\n")
            self.stream.flush()

    def close(self) -> None:
        """Remove the bar."""
        if self.bar is not None:
            self.bar[0].stop()


def _time_left(first: tuple[float, float], now: tuple[float, float]) -> float:
    """The time that is left, at the speed since the first report.

    Parts that take no time are done by then. A first report alone counts from the beginning.
    """
    begin, done = first if now[1] > first[1] else (0.0, 0.0)
    return (now[0] - begin) * (1 - now[1]) / (now[1] - done)


def duration(seconds: float) -> str:
    """A time in seconds, minutes or hours.

    >>> duration(11.6), duration(200), duration(8000)
    ('12 s', '3 min', '2.2 h')
    """
    if seconds <= SECONDS:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds <= 60 * MINUTES else f"{seconds / 3600:.1f} h"


def _started_bar(what: str, share: float) -> tuple[Bar, TaskID]:
    """A bar on standard error, with the fraction that is done."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task(what, total=1.0)
    bar.update(task, completed=share)
    bar.start()
    return bar, task


def _in_notebook() -> bool:
    from rich.console import Console  # noqa: PLC0415

    return Console(stderr=True).is_jupyter
