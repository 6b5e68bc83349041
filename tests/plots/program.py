"""Runs ``metameasure plot`` inside the tests, and keeps the error that ended it."""

import io
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

from cyclopts import CycloptsError

from metameasure.cli.app import make_app, reported
from metameasure.errors import MetameasureError


class Ran(NamedTuple):
    """How a command ended."""

    exit_code: int
    output: str
    exception: Exception | None


def run_plot(*words):
    """Run a command that draws."""
    app, stream = make_app(), io.StringIO()
    words = ["plot", *map(str, words)]
    try:
        with redirect_stdout(stream), redirect_stderr(stream):
            app(words)
    except (CycloptsError, MetameasureError) as error:
        message, code = reported(error, app, words)
        return Ran(code, stream.getvalue() + message, error)
    return Ran(0, stream.getvalue(), None)
