"""Decorators of the compiled functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from metameasure.kernels import compilation

if TYPE_CHECKING:
    from collections.abc import Callable

    Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function that Python calls."""
    return cast("Function", compilation.kernel(function))


def inner(function: Function) -> Function:
    """Compile a function that only kernels call; without wrappers for Python, which take time."""
    return cast(
        "Function",
        compilation.kernel(function, no_cpython_wrapper=True, no_cfunc_wrapper=True),
    )
