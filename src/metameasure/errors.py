"""What can go wrong, by name.

Every message says what is wrong, how often, where first, and what to do about it.
"""

from __future__ import annotations


class MetameasureError(Exception):
    """The root of everything this library raises on purpose."""


class DataError(MetameasureError, ValueError):
    """The data cannot be evaluated as asked."""


class UnknownMeasure(MetameasureError, LookupError):
    """No measure has this name, or its parameters are not understood."""


class UndefinedMeasureWarning(UserWarning):
    """A measure has no value on these data; NaN stands for it."""


class DroppedCasesWarning(UserWarning):
    """Cases with missing values were left out, as was asked for."""
