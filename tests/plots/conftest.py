"""What all tests of pictures share."""

import matplotlib as mpl
import pytest


@pytest.fixture(autouse=True)
def _no_window():
    """No picture opens a window or changes the user's settings."""
    before = dict(mpl.rcParams)
    mpl.use("Agg")
    yield
    changed = {name for name, value in before.items() if mpl.rcParams[name] != value}
    assert changed <= {"backend", "backend_fallback"}, "a picture changed the user's settings"
