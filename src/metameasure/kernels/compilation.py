"""Compiling functions with numba, also where its files cannot be written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numba import njit
from numba.core.caching import FunctionCache

from metameasure.kernels.cache_warning import warn_not_kept

if TYPE_CHECKING:
    from collections.abc import Callable


class _Cache(FunctionCache):
    """Numba's files of compiled functions; a function that cannot be kept there is compiled."""

    def load_overload(self, *signature: Any) -> Any:
        """The compiled function, or None if it cannot be read."""
        try:
            return super().load_overload(*signature)
        except Exception as error:  # damaged pickles raise anything
            return self._give_up(error)

    def save_overload(self, *compiled: Any) -> None:
        """Keep a compiled function if the disk accepts it."""
        try:
            super().save_overload(*compiled)
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self.disable()
        warn_not_kept(str(error))


def kernel(function: Callable[..., Any], **options: Any) -> Any:
    """The function, compiled when it is called for the first time."""
    compiled: Any = njit(nogil=True, error_model="numpy", **options)(function)
    try:
        compiled._cache = _Cache(function)
    except RuntimeError:
        warn_not_kept("no folder for them can be written")
    return compiled
