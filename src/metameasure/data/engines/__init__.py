"""Engines: sources that read models from databases and other programs, one module per engine.

Every module of this package is imported before the first data are read, and registers its source
with ``register_source``; it imports the library of its engine only to read.
"""

from functools import cache

from metameasure._lazy import import_modules


@cache
def load_engines() -> None:
    """Import every module of this package."""
    import_modules(__name__, __path__)
