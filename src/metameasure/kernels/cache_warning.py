"""The warning that compiled functions cannot be kept on disk: once for a program and its workers.

Numba is not loaded, so that a program may repeat the warning of a worker without compiling.
"""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from metameasure.errors import CompilationCacheWarning

if TYPE_CHECKING:
    from collections.abc import Iterator

_reason: str | None = None
_warned = False
_left_to_caller: ContextVar[bool] = ContextVar("left_to_caller", default=False)


def warn_not_kept(reason: str) -> None:
    """Say once that functions are compiled in each process; the results are the same."""
    global _reason, _warned  # noqa: PLW0603
    _reason = reason
    if not _warned and not _left_to_caller.get():
        _warned = True
        warnings.warn(
            f"compiled functions cannot be kept on disk ({reason}), so each process spends some "
            "seconds on compiling them; set NUMBA_CACHE_DIR to a folder that can be written",
            CompilationCacheWarning,
            stacklevel=2,
        )


def why_not_kept() -> str | None:
    """The reason why functions of this process are not kept; None if there is none so far."""
    return _reason


@contextmanager
def warning_left_to_caller() -> Iterator[None]:
    """Suppress the warning in a task, which may ignore all; its caller asks ``why_not_kept``."""
    token = _left_to_caller.set(True)
    try:
        yield
    finally:
        _left_to_caller.reset(token)


def leave_warning_to_parent() -> None:
    """Suppress the warning in this worker process, whose parent asks ``why_not_kept``."""
    _left_to_caller.set(True)
