"""Methods of inference, one module per method.

Every module of this package is imported and registers its methods. ``AUTO`` is the order in which
``method="auto"`` asks them; docs/coverage.md shows how well each one covers.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from metameasure.inference.methods.method import (
    Method,
    find_method,
    refuse_method,
    registered_methods,
)

if TYPE_CHECKING:
    from metameasure.inference.sample import AnySample
    from metameasure.measurement import Measure

AUTO = ("delong", "mcnemar", "normal", "wilson", "smoothed", "corrected", "bca", "bootstrap")
"""The methods that "auto" asks; it takes the first one that applies."""


def load_methods() -> None:
    """Import every module of this package, which registers its methods."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")


load_methods()


def interval_methods() -> tuple[str, ...]:
    """What ``method=`` of an interval takes."""
    return ("auto", *(method.name for method in _ordered() if method.kinds))


def paired_methods() -> tuple[str, ...]:
    """What ``method=`` of a paired comparison takes."""
    return ("auto", *(method.name for method in _ordered() if method.paired_kinds))


def method_for(measure: Measure, sample: AnySample) -> Method:
    """The interval method that "auto" stands for."""
    asked = (find_method(name) for name in AUTO)
    fits = (m for m in asked if m.applies_to(measure) and (m.any_cases or sample.independent))
    return next(fits)


def paired_method_for(measure: Measure, sample: AnySample, *, margin: bool) -> Method:
    """The paired method that "auto" stands for."""
    asked = (find_method(name) for name in AUTO)
    fits = (
        m
        for m in asked
        if m.applies_to_pairs(measure)
        and (m.any_cases or sample.independent)
        and (m.margin or not margin)
    )
    return next(fits)


def check_cases(method: Method, sample: AnySample, instead: str) -> None:
    """Refuse a method that needs independent cases of equal weight for others."""
    if not (method.any_cases or sample.independent):
        what = "clustered" if sample.cluster is not None else "weighted"
        why = f"needs independent cases of equal weight, and these are {what}"
        raise refuse_method(method.name, why, instead)


def check_groups_method(name: str, measure: Measure) -> None:
    """Refuse a method for a mean over groups, unless it takes the groups as units."""
    usable = [method.name for method in registered_methods() if method.of_groups]
    if name not in {"auto", *usable}:
        raise refuse_method(name, f"does not apply to {measure}", usable[0])


def _ordered() -> list[Method]:
    """All methods: first those that "auto" asks."""
    first = [find_method(name) for name in AUTO]
    return [*first, *(method for method in registered_methods() if method not in first)]
