"""Doors: packages whose names are loaded when they are first used."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


def lazy_door(
    package: str,
    rooms: Mapping[str, str],
    inner: Mapping[str, str] | None = None,
    modules: Iterable[str] = (),
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package, from the names in its modules.

    ``inner`` names are for the library itself: they are not listed. ``modules`` are public as a
    whole. The types of the names are in the stub beside the package, which tools/generate.py
    writes.
    """
    public = frozenset(modules)
    listed = sorted({name for names in rooms.values() for name in names.split()} | public)
    each = (*rooms.items(), *(inner or {}).items())
    homes = {name: room for room, names in each for name in names.split()}

    def load(name: str) -> Any:
        if name in public:
            return import_module(f"{package}.{name}")
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(import_module(package), name, value)
        return value

    return load, lambda: listed, listed


def import_modules(package: str, path: Iterable[str]) -> None:
    """Import every module of a package, which registers what it declares."""
    for module in iter_modules(path):
        import_module(f"{package}.{module.name}")
