"""The program: its commands, and the errors that it reports."""

from __future__ import annotations

import ast
import difflib
import io
import os
import shlex
import sys
import warnings
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal, NoReturn, get_args, get_origin

from cyclopts import (
    App,
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    Parameter,
    RepeatArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

import metameasure
from metameasure._arguments import Choice, check_polars_threads
from metameasure._text import clipped, shown, visible
from metameasure.cli import commands
from metameasure.cli.output import say
from metameasure.cli.values import converted
from metameasure.errors import (
    CompilationCacheWarning,
    DroppedCasesWarning,
    MetameasureError,
    ParameterError,
    UndefinedMeasureWarning,
    UnknownMeasure,
    Wording,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from cyclopts import Argument as Option

    from metameasure.errors import Argument

DATA_ERROR, USAGE_ERROR, NO_READER = 1, 2, 141
GROUPS = {
    "lab": "Measures of measures.",
    "plot": "Draw predictions, or a study of measures, into a file.",
}


def make_app(package: ModuleType = commands) -> App:
    """The program with the commands of a package.

    Each public function of a module is a command, imported when it is called. Functions of modules
    whose names begin with that of a group are commands of the group.
    """
    app = App(
        name="metameasure",
        help="Measures of classifiers, and measures of those measures.",
        version=f"metameasure {metameasure.__version__}",
        help_flags=("--help", "-h"),
        help_format="plaintext",
        default_parameter=Parameter(negative=(), show_default=_shown_default, converter=converted),
        result_action="return_value",
        exit_on_error=False,
        print_error=False,
        suppress_keyboard_interrupt=False,
    )
    app["--help"].group = app["--version"].group = "Options"
    app["--help"].help = "Show this page and exit."
    app["--version"].help = "Show the version and exit."
    groups = {name: App(name=name, help=text) for name, text in GROUPS.items()}
    for path, name, text in _functions(package):
        group = groups.get(path.rpartition(".")[2].partition("_")[0], app)
        group.command(f"{path}:{name}", name=name.replace("_", "-"), help=text)
    for group in groups.values():
        app.command(group)
    return app


def _functions(package: ModuleType) -> Iterator[tuple[str, str, str]]:
    """The module, name and docstring of each public function in a package, without importing it."""
    for file in sorted(files(package).iterdir(), key=lambda file: file.name):
        module, _, suffix = file.name.rpartition(".")
        for node in ast.parse(file.read_bytes()).body if suffix == "py" else ():
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield f"{package.__name__}.{module}", node.name, ast.get_docstring(node) or ""


def _shown_default(value: object) -> object:
    """A default as help pages show it; what is off or empty by default is not shown."""
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or None
    return None if value is None or value is False or value == "default" else value


def main() -> None:
    """Run the program; errors in the data exit with 1, errors in the command with 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app, words = make_app(), sys.argv[1:]
    try:
        with warnings.catch_warnings():
            # Results say what is undefined or was dropped.
            warnings.simplefilter("ignore", UndefinedMeasureWarning)
            warnings.simplefilter("ignore", DroppedCasesWarning)
            warnings.showwarning = partial(_show_warning, warnings.showwarning)
            check_polars_threads()
            words = _with_dashes(app, words)
            app(words)
            if sys.stdout is not None:
                sys.stdout.flush()
    except (CycloptsError, MetameasureError) as error:
        _fail(*reported(error, app, words))
    except BrokenPipeError:
        # The reader has gone, as `head` does; Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(NO_READER)
    except SystemExit as ended:
        # rich exits with 1 if the reader of a help page has gone
        if isinstance(ended.__context__, BrokenPipeError):
            sys.exit(NO_READER)
        raise
    except OSError as error:
        _fail(f"the result cannot be written: {error.strerror or error}", DATA_ERROR)
    if not words or words in [[group] for group in GROUPS]:
        sys.exit(USAGE_ERROR)


def _show_warning(usual: Callable[..., None], message: Warning | str, *where: Any) -> None:
    """Show a warning of the library in one line, others as usual."""
    if isinstance(message, CompilationCacheWarning):
        say(f"warning: {message}")
    else:
        usual(message, *where)


def _with_dashes(app: App, words: list[str]) -> list[str]:
    """The words with --option=- for --option -, which cyclopts refuses as a value.

    A dash after a flag, or after no option, is the file.
    """
    if "-" not in words[1:]:
        return words
    names, apps, _ = app.parse_commands(words)
    if apps[-1].default_command is None or names[-1].startswith("-"):
        return words
    options = {
        name: one
        for one in _options(app, words).values()
        for name in one.names
        if name not in one.negatives
    }
    found: list[str] = []
    for word in words:
        before = options.get(found[-1]) if found else None
        if word == "-" and before is not None and before.token_count()[0] == 1:
            found[-1] = f"{before.name}=-"
        else:
            found.append(word)
    return found


def _fail(message: str, code: int) -> NoReturn:
    say(f"error: {visible(message)}")
    sys.exit(code)


def reported(
    error: CycloptsError | MetameasureError, app: App, words: list[str]
) -> tuple[str, int]:
    """The message and the exit code of an error of the parser or of the library."""
    if isinstance(error, MetameasureError):
        usage = isinstance(error, (ParameterError, UnknownMeasure))
        return _of_library(error, app, words), USAGE_ERROR if usage else DATA_ERROR
    if isinstance(error, CoercionError):
        text = _of_value(error, app, words)
    elif isinstance(error, RepeatArgumentError):
        text = f"{error.token.keyword} is given more than once"
    elif isinstance(error, UnusedCliTokensError):
        text = f"unexpected argument: {clipped(' '.join(error.unused_tokens or ()))}"
    elif isinstance(error, UnknownOptionError):
        option = error.token.keyword or error.token.value
        known = {name.lstrip("-"): name for one in error.argument_collection for name in one.names}
        near = difflib.get_close_matches(option.lstrip("-"), known, n=1)
        text = f"unknown option: {clipped(option)}" + (
            f"; did you mean {known[near[0]]}?" if near else ""
        )
    elif isinstance(error, UnknownCommandError):
        text = _of_command(error)
    elif isinstance(error, MissingArgumentError) and error.argument is not None:
        # A class of options is missing if one of its own is.
        options = [one for one in error.argument.children if one.required] or [error.argument]
        text = f"{error.keyword} needs a value" if error.keyword else f"missing {options[0].name}"
    else:
        text = str(error)
        text = text if text.endswith("...") else text.removesuffix(".")
    return text[:1].lower() + text[1:], USAGE_ERROR


def _of_command(error: UnknownCommandError) -> str:
    """The message about a command that does not exist."""
    word = (error.unused_tokens or [""])[0]
    if word.startswith("-"):
        return f"unknown option: {clipped(word)}"
    known = [name for name in error.app or () if not name.startswith("-")]
    near = difflib.get_close_matches(word, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"the commands are {', '.join(known)}"
    return f"unknown command: {clipped(word)}; {hint}"


def _of_library(
    error: MetameasureError, app: App, words: list[str], option: str | None = None
) -> str:
    """The message of the library, after the option that it is about unless it names that itself."""
    options = _options(app, words)

    def word(part: Argument | Wording) -> str:
        if isinstance(part, Wording):
            return part.command
        # What is no option of this command, such as a parameter of a measure, keeps its name.
        known = options.get(part.name)
        if known is None:
            return str(part)
        if part.value is ... or part.value is True:
            return known.name
        if part.value is None or part.value is False:
            return known.negatives[0] if known.negatives else f"no {known.name}"
        return f"{known.name} {shlex.quote(clipped(str(part.value)))}"

    text, about = error.worded(word), options.get(error.argument or "")
    if option is None and about is not None and about.name.startswith("--"):
        option = about.name
    return text if option is None or option in text else f"{option}: {text}"


def _of_value(error: CoercionError, app: App, words: list[str]) -> str:
    """The message about a value that a converter or a type refuses."""
    argument, token = error.argument, error.token
    name = (token and token.keyword) or (argument.name if argument else "")
    if isinstance(error.__cause__, MetameasureError):
        return _of_library(error.__cause__, app, words, name)
    if token is None:
        return f"{name} needs a value"
    return f"{name} must be {_kind(error.target_type)}, got {shown([token.value])}"


def _kind(hint: Any) -> str:
    """What a value of this type must be."""
    if get_origin(hint) is Literal:
        return str(Choice(get_args(hint)))
    if kinds := [_kind(one) for one in get_args(hint) if one is not type(None)]:
        return " or ".join(kinds)
    return {int: "an integer", float: "a number"}.get(hint, "valid")


def _options(app: App, words: list[str]) -> dict[str, Option]:
    """The options of the command that is called, by the names of their arguments in Python.

    An option also has its own name, since some functions take both ``score`` and ``scores``.
    """
    command = app.parse_commands(words)[1][-1]
    options = list(command.assemble_argument_collection(parse_docstring=False))
    own = {one.name.removeprefix("--").replace("-", "_"): one for one in options}
    return own | {one.field_info.name: one for one in options}
