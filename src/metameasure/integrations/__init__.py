"""Integrations with other libraries, each imported when it is first used."""

from metameasure._lazy import lazy_door

_ROOMS = {
    "scikit_learn": "scorer scorers",
}
_MODULES = ("catboost", "lightgbm", "mlflow", "xgboost")

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS, modules=_MODULES)
