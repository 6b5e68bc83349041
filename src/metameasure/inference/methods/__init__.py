"""Methods of inference, one module per method, all of which are imported."""

from metameasure._lazy import import_modules


def load_methods() -> None:
    """Import every module of this package, which registers its methods."""
    import_modules(__name__, __path__)


load_methods()
