"""Decorators of the compiled functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from numba import njit

if TYPE_CHECKING:
    from collections.abc import Callable

    Function = TypeVar("Function", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}


def kernel(function: Function) -> Function:
    """Compile a function that Python calls."""
    return cast("Function", njit(**_OPTIONS)(function))


def inner(function: Function) -> Function:
    """Compile a function that only kernels call; without wrappers for Python, which take time."""
    options = _OPTIONS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast("Function", njit(**options)(function))
