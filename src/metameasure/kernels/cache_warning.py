"""The warning that compiled functions cannot be kept on disk: once for a program and its workers.

Numba is not loaded, so that a program may repeat the warning of a worker without compiling.
"""

from __future__ import annotations

import warnings

from metameasure.errors import CompilationCacheWarning

_reason: str | None = None
_silent = False


def warn_not_kept(reason: str) -> None:
    """Say once that functions are compiled in each process; the results are the same."""
    global _reason  # noqa: PLW0603
    if _reason is None:
        _reason = reason
        if not _silent:
            warnings.warn(
                f"compiled functions cannot be kept on disk ({reason}), so each process spends "
                "some seconds on compiling them; set NUMBA_CACHE_DIR to a folder that can be "
                "written",
                CompilationCacheWarning,
                stacklevel=2,
            )


def why_not_kept() -> str | None:
    """The reason why functions of this process are not kept; None if there is none so far."""
    return _reason


def leave_warning_to_parent() -> None:
    """Say nothing in this process, a worker whose parent asks it for ``why_not_kept``."""
    global _silent  # noqa: PLW0603
    _silent = True
