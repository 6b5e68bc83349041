"""Ctrl-C stops a study that runs in several processes, at once and without a word too many."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PATIENCE = 120


def members(group):
    """The processes of a group."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(after_name[2]) == group and after_name[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.1)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc")
def test_ctrl_c_ends_all_processes():
    arguments = ["lab", "robustness", "--repeats", "10000000", "--workers", "2"]
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    code += "from metameasure.cli import main; main()"
    program = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        # The program, its two workers, and what keeps track of their resources.
        until(lambda: len(members(program.pid)) >= 4)
        time.sleep(2)
        os.killpg(program.pid, signal.SIGINT)
        out, err = program.communicate(timeout=PATIENCE)
        assert (program.returncode, out) == (130, "")
        assert "Traceback" not in err
        until(lambda: not members(program.pid))
    finally:
        if program.poll() is None:
            os.killpg(program.pid, signal.SIGKILL)
