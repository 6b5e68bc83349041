"""The same random calls in each run, whatever was loaded before; nothing is left behind."""

import sys

import pytest
from hypothesis.internal.conjecture import providers


@pytest.fixture(scope="module", autouse=True)
def _no_constants_of_loaded_modules():
    """Hypothesis draws constants that stand in loaded modules, which differ between workers."""
    with pytest.MonkeyPatch.context() as patch:
        if hasattr(providers, "_get_local_constants"):
            none, size = type(providers.GLOBAL_CONSTANTS)(), 1024
            patch.setattr(providers, "_get_local_constants", lambda: none)
            patch.setattr(providers, "CONSTANTS_CACHE", type(providers.CONSTANTS_CACHE)(size))
        yield


@pytest.fixture(autouse=True)
def _nothing_is_left_behind():
    """Some calls open figures, or a run of MLflow."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    if "mlflow" in sys.modules:
        sys.modules["mlflow"].end_run()
