"""The program: its commands, and what it says when something is wrong."""

from __future__ import annotations

import io
import os
import re
import sys
from typing import Annotated

import typer

import metameasure
from metameasure._text import visible
from metameasure.cli.commands.advise import advise
from metameasure.cli.commands.compare import compare
from metameasure.cli.commands.confusion import confusion
from metameasure.cli.commands.deciles import calibration, deciles
from metameasure.cli.commands.demo import demo
from metameasure.cli.commands.evaluate import evaluate
from metameasure.cli.commands.lab import lab
from metameasure.cli.commands.measures import measures
from metameasure.cli.commands.operating import operating
from metameasure.cli.commands.plot import plot
from metameasure.cli.multiword import spread
from metameasure.errors import Argument, MetameasureError, ParameterError, UnknownMeasure

DATA_ERROR, USAGE_ERROR = 1, 2

app = typer.Typer(
    help="Measures of classifiers, and measures of those measures.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command()(evaluate)
app.command()(compare)
app.command()(measures)
app.command()(demo)
app.command()(confusion)
app.command()(deciles)
app.command()(calibration)
app.command()(operating)
app.command()(advise)
app.add_typer(lab, name="lab")
app.add_typer(plot, name="plot")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"metameasure {metameasure.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which release.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the program; errors about the data end with 1, errors in the command with 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app(args=spread(sys.argv[1:]))
    except (ParameterError, UnknownMeasure) as error:
        _fail(_as_options(error.worded(_option)), USAGE_ERROR)
    except MetameasureError as error:
        _fail(_as_options(error.worded(_option)), DATA_ERROR)
    except BrokenPipeError:
        # The reader has gone, as `head` does; Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(DATA_ERROR)
    except OSError as error:
        _fail(f"the result cannot be written: {error.strerror or error}", DATA_ERROR)


def _fail(message: str, code: int) -> None:
    typer.echo(f"error: {visible(message)}", err=True)
    sys.exit(code)


def _option(argument: Argument) -> str:
    """An argument as the option that it is here."""
    name = {"scores": "score"}.get(argument.name, argument.name).replace("_", "-")
    return f"--{name}" if argument.value is None else f"--{name} {argument.value}"


def _as_options(message: str) -> str:
    """A remedy given as a keyword, as the option that it is here."""
    keywords = {
        r'rescale="minmax"': "--rescale minmax",
        r"\bci=None\b": "--no-ci",
        r"\bband=None\b": "--no-band",
        r"\bsimultaneous=False\b": "--pointwise",
        r"\baround='curve'": "--around curve",
        r"\bhighlight=(?=\W|$)": "--highlight",
        r"(?<!['\w])(method|ci|resamples|margin|seed|workers)='?([^\s:;,']+)'?": r"--\1 \2",
        r"\blabel=\.\.\.": "--label COLUMN",
        r"\bscores=\.\.\.": "--score COLUMN",
        r"\bmeasure=('[^']*')": r"--measure \1",
        r"\b(group|cluster|weight)=\.\.\.": r"--\1 COLUMN",
        r"\b(proba|labels)=\[\.\.\.\]": r"--\1 NAME ...",
        r"(?<!['\w])(group|cluster|weight|proba|labels)=(?=['\w[]|$)": r"--\1 ",
        r"(?<!['\w])(group|cluster|weight|proba|labels)=": r"--\1",
        r"\bscore_lists\(\.\.\.\)": "--lists NUMBER",
        r"\bobserved\(\.\.\.\)": "--file FILE",
    }
    for keyword, option in keywords.items():
        message = re.sub(keyword, option, message)
    return message.rstrip()
