"""Sample sizes of evaluations and comparisons."""

from metameasure._lazy import lazy_door

_ROOMS = {
    "_sample_size": "sample_size",
    "auc_variance": "Formula",
    "sample_size_result": "SampleSize",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS)
