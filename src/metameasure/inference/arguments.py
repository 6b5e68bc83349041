"""Arguments that several functions of inference take: refused in words if they make no sense."""

from __future__ import annotations

import math
import numbers
import os
from typing import Any

from metameasure.errors import DataError


def read_share(name: str, value: Any) -> float:
    """A number strictly between 0 and 1."""
    if not (is_real(value) and float(value) > 0 and (1 + float(value)) / 2 < 1):
        raise DataError(f"{name}={value!r} must lie between 0 and 1, as in {name}=0.95")
    return float(value)


def read_positive(name: str, value: Any, what: str) -> float:
    """A finite number above 0."""
    if not (is_real(value) and 0 < float(value) < math.inf):
        raise DataError(f"{name}={value!r} is no {what}: give a number above 0")
    return float(value)


def is_real(value: Any) -> bool:
    """Whether this is a real number that a float can be near to, which a truth value is not."""
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def read_whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number within limits."""
    if not _is_whole(value, least) or (most is not None and int(value) > most):
        upto = "" if most is None else f" to {most}"
        raise DataError(f"{name}={value!r}: give a whole number from {least}{upto}")
    return int(value)


def check_resamples(resamples: Any) -> None:
    """Refuse what is no number of resamples."""
    read_whole("resamples", resamples, 1)


def check_seed(seed: Any) -> None:
    """Refuse what is no seed."""
    if seed is not None and not _is_whole(seed, 0):
        raise DataError(f"seed={seed!r}: give a whole number from 0, or None for a fresh one")


def read_workers(workers: Any) -> int:
    """How many threads are to work; all cores that this process may use if that is not said."""
    if workers is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    return read_whole("workers", workers, 1)


def _is_whole(value: Any, least: int) -> bool:
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    return whole and int(value) >= least
