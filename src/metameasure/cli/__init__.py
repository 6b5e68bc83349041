"""The command line: ``metameasure``."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from metameasure.errors import first_line

UNUSABLE, INTERRUPTED, TERMINATED = 1, 130, 143


def main() -> None:
    """Run the program; a signal or a lack of memory ends it quietly, even while it is loaded."""
    try:
        with _terminable():
            from metameasure.cli import app  # noqa: PLC0415

            app.main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except MemoryError as error:
        _end(f"not enough memory{_details(error)}; use fewer cases, models, resamples or workers")
    except ImportError as error:
        _end(f"a library cannot be loaded{_details(error)}; check the installation and ulimit -v")


@contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM end the program as an exception does: files and workers are cleaned up."""
    mine = threading.current_thread() is threading.main_thread()
    if not mine or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _terminate(number: int, _: FrameType | None) -> NoReturn:
    # `timeout` sends the signal twice; the second one must not end the cleaning up.
    signal.signal(number, signal.SIG_IGN)
    sys.exit(TERMINATED)


def _details(error: BaseException) -> str:
    """What the first of a chain of errors says."""
    while cause := error.__cause__ or error.__context__:
        error = cause
    text = first_line(error)
    return f": {text[:1].lower()}{text[1:]}" if text else ""


def _end(message: str) -> NoReturn:
    if sys.stderr is not None:
        sys.stderr.write(f"error: {message}\n")
    sys.exit(UNUSABLE)


__all__ = ["main"]
