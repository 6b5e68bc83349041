"""A bar for work that takes longer than two seconds."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from metameasure.inference import Progress

PATIENCE = 2.0


@contextmanager
def progress_bar(what: str) -> Iterator[Progress]:
    """Report progress as a bar on standard error, if that is a terminal."""
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
    begin = time.monotonic()

    def show(share: float) -> None:
        bar.update(task, completed=share)
        if (
            bar.console.is_terminal
            and not bar.live.is_started
            and time.monotonic() - begin > PATIENCE
        ):
            bar.start()

    try:
        yield show
    finally:
        if bar.live.is_started:
            bar.stop()
