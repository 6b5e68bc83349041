"""What all tests share."""

import ctypes
import io
import math
import os
import sys
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from metameasure.cli import main
from metameasure.measurement import registry
from require import pytest_make_collect_report, pytest_runtest_makereport  # noqa: F401

collect_ignore = ["typed/measures_as_values.py"]  # importing it declares a measure

settings.register_profile(
    "metameasure",
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
settings.load_profile("metameasure")


@pytest.fixture(autouse=True)
def _measures_as_they_were():
    """What a test declares is forgotten after it, or tests of all measures would see it."""
    measures, aliases = dict(registry._measures), dict(registry._aliases)
    yield
    for now, then in ((registry._measures, measures), (registry._aliases, aliases)):
        now.clear()
        now.update(then)


@pytest.fixture(autouse=True)
def _no_progress(monkeypatch):
    """A slow machine must not add lines to standard error; tests of progress have a clock."""
    monkeypatch.setattr("metameasure.progress.PATIENCE", math.inf)


class Done(NamedTuple):
    """How a run of the program ended, and what it wrote."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the program with some words, and perhaps something on standard input."""

    def call(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "argv", ["metameasure", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return Done(code, out, err)

    return call


@pytest.fixture
def permissions_count():
    """Root may read and write everything: give up that right for one test (Linux: capabilities)."""
    if os.name != "posix" or (os.geteuid() == 0 and sys.platform != "linux"):
        pytest.skip("needs a user whose permissions are limited")
    if os.geteuid():
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    this_thread = (ctypes.c_uint32 * 2)(0x20080522, 0)
    before = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; twice 32 bits
    assert libc.capget(this_thread, before) == 0
    without = (ctypes.c_uint32 * 6)(*before)
    without[0] &= ~0b110  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
    assert libc.capset(this_thread, without) == 0
    yield
    assert libc.capset(this_thread, before) == 0


@pytest.fixture(scope="module")
def same_examples():
    """Hypothesis draws constants that stand in loaded modules, which differ between workers."""
    providers = sys.modules.get("hypothesis.internal.conjecture.providers")  # not in old releases
    with pytest.MonkeyPatch.context() as patch:
        if hasattr(providers, "_get_local_constants"):
            none, size = type(providers.GLOBAL_CONSTANTS)(), 1024
            patch.setattr(providers, "_get_local_constants", lambda: none)
            patch.setattr(providers, "CONSTANTS_CACHE", type(providers.CONSTANTS_CACHE)(size))
        yield


@pytest.fixture(autouse=True)
def _nothing_left_open():
    """Close the figures and the run of MLflow that a test opens: the next would warn of them."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    if "mlflow" in sys.modules:
        sys.modules["mlflow"].end_run()
