"""Help pages, the list of commands, and what a start loads."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cyclopts import App

import metameasure
from metameasure.cli import commands
from metameasure.cli.app import GROUPS, make_app

HEAVY = ("polars", "numba", "matplotlib", "scipy", "narwhals", "joblib")


def _commands(app, words=()):
    """Every command with the words that call it."""
    for name in app:
        if not name.startswith("-"):
            command = app[name]
            if command.default_command is None:
                yield from _commands(command, (*words, name))
            else:
                yield (*words, name), command


COMMANDS = dict(_commands(make_app()))
EVERY = pytest.mark.parametrize("words", COMMANDS, ids=" ".join)


def _options(words):
    return [option for option in COMMANDS[words].assemble_argument_collection() if option.show]


def test_each_public_function_of_a_module_is_a_command():
    functions = {
        (file.stem, node.name)
        for file in Path(commands.__file__).parent.glob("*.py")
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    }
    expected = set()
    for module, name in functions:
        group = module.split("_")[0]
        prefix = (group,) if group in GROUPS else ()
        expected.add((*prefix, name.replace("_", "-")))
    assert set(COMMANDS) == expected
    assert len(COMMANDS) == len(functions) > 30


@pytest.mark.parametrize("words", [(), ("lab",), ("plot",)], ids=str)
def test_without_a_command_the_help_is_shown(run, words):
    bare, asked = run(*words), run(*words, "--help")
    assert bare.out == asked.out
    assert asked.code == 0
    assert bare.err == asked.err == ""
    for command in COMMANDS:
        if command[:-1] == words:
            assert re.search(rf"│ {command[-1]} ", asked.out)


@EVERY
@pytest.mark.parametrize("width", [80, 120])
def test_a_help_page_fits_the_terminal(run, monkeypatch, words, width):
    monkeypatch.setenv("COLUMNS", str(width))
    done = run(*words, "--help")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert max(map(len, lines)) <= width
    assert "<" not in done.out
    assert "…" not in done.out
    assert not re.search(r"--empty|BOOL|default: (True|False|None)", done.out)
    for option in _options(words):
        # A name is never broken over two lines.
        assert option.name in done.out


@EVERY
def test_every_option_is_documented_in_a_group(words):
    for option in _options(words):
        text = option.parameter.help
        assert text, option.name
        assert text[0].isupper(), text
        assert text.endswith("."), text
        assert all(group.name for group in option.parameter.group[:1]), option.name


SPELLED = {
    "label": "--label",
    "scores": "--score",
    "score": "--score",
    "weight": "--weight",
    "measures": "--measures",
    "measure": "--measures",
    "sizes": "--size",
    "output": "--output",
}
SHORT = {"--label": "-l", "--score": "-s", "--output": "-o"}


@EVERY
def test_an_option_is_spelled_the_same_everywhere(words):
    for option in _options(words):
        name = option.field_info.name
        if option.name.startswith("--") and name in SPELLED:
            assert option.name == SPELLED[name]
        if option.name in SHORT:
            assert SHORT[option.name] in option.names


@EVERY
def test_results_have_a_format_and_pictures_a_file(words):
    names = {option.name for option in _options(words)}
    if words[0] == "plot":
        assert {"--output", "--width", "--height", "--dpi"} <= names
    else:
        assert {"--format", "--output"} <= names


@EVERY
@pytest.mark.parametrize(
    ("wrong", "message"),
    [(("--nosuch",), "unknown option: --nosuch"), (("--format", "xml", "--dpi", "x"), "error: ")],
)
def test_a_wrong_option_ends_with_2_in_one_line(run, words, wrong, message):
    done = run(*words, *wrong)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_misspelled_command_and_option_with_the_nearest(run):
    assert "did you mean evaluate?" in run("evalute").err
    assert "did you mean --score?" in run("evaluate", "x.csv", "--scor", "a").err


def test_a_start_loads_nothing_heavy():
    code = (
        "import sys; import metameasure.cli; from metameasure.cli.app import make_app; make_app();"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "[]\n"


def test_a_command_is_one_function_in_one_file(run, tmp_path, monkeypatch):
    """The walk of CONTRIBUTING: a new command."""
    folder = tmp_path / "more_commands"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "lab_hello.py").write_text(
        "def hello(*, often: int = 1):\n    '''Say hello.'''\n    print('hello ' * often)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    import more_commands

    app = make_app(more_commands)
    assert isinstance(app, App)
    app(["lab", "hello", "--often", "2"])


def test_the_version(run):
    assert run("--version") == (0, f"metameasure {metameasure.__version__}\n", "")
