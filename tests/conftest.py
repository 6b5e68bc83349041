"""What all tests share."""

import io
import sys
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from metameasure.cli import main
from metameasure.measurement import registered

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
    measures, aliases = dict(registered._measures), dict(registered._aliases)
    yield
    for now, then in ((registered._measures, measures), (registered._aliases, aliases)):
        now.clear()
        now.update(then)


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
