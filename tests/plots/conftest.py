"""What all tests of pictures share."""

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt


@pytest.fixture(autouse=True)
def _no_window():
    """No picture opens a window, stays open, or changes the user's settings."""
    before = dict(mpl.rcParams)
    mpl.use("Agg")
    yield
    plt.close("all")
    changed = {name for name, value in before.items() if mpl.rcParams[name] != value}
    assert changed <= {"backend", "backend_fallback"}, "a picture changed the user's settings"
