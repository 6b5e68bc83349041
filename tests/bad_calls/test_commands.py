"""Random command lines of every command: documented exit codes, and words instead of tracebacks."""

import os
import subprocess
import sys
from functools import partial

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

import metameasure as mm
from bad_calls.command_lines import check, command_lines, run, write_files
from bad_calls.profile import EXAMPLES, bad_calls
from cli.test_help import COMMANDS
from metameasure.cli.commands import demo

pytestmark = pytest.mark.usefixtures("same_examples")


@pytest.fixture(scope="module", autouse=True)
def _folder(tmp_path_factory):
    """Commands run in a folder with right and wrong files; the demo has less to do."""
    folder = tmp_path_factory.mktemp("bad_calls")
    write_files(folder)
    few = demo._digits()[:250]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("COLUMNS", "80")
        patch.setattr(demo, "_digits", lambda: few)
        patch.setattr(mm, "advise", partial(mm.advise, repeats=10))
        yield


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@bad_calls
@given(data=st.data())
def test_a_command_answers_or_says_what_is_wrong(words, data):
    line = data.draw(command_lines(words))
    note(repr(line))
    check(run(line))


@settings(bad_calls, max_examples=EXAMPLES // 4)
@given(data=st.data())
def test_so_does_the_program(data):
    line = data.draw(st.sampled_from(list(COMMANDS)).flatmap(command_lines))
    note(repr(line))
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", "from metameasure.cli import main; main()", *map(os.fsencode, line)],
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode in {0, 1, 2, 3, 4}, done
    assert b"Traceback" not in done.stdout + done.stderr, done
    assert b"Warning" not in done.stderr, done
