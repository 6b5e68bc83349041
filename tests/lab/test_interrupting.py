"""A signal stops a study that runs in several processes: all of them, without a word too many."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import metameasure as mm
from metameasure.lab import parallel

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="processes are found in /proc"
)
PATIENCE = 120
PROJECT = Path(__file__).parents[2]
STUDIES = {
    "robustness": ("lab", "robustness", "--repeats", "10000000"),
    "advise": (
        *("advise", "predictions.csv", "--label", "y", "--score", "a,b", "--goal", "auc"),
        *("--size", "100", "--repeats", "10000000"),
    ),
    "reproduce": ("reproduce", "berrar2014/figure4", "--repeats", "200000"),
}


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


@pytest.fixture
def start(tmp_path):
    """Start Python with some code, in a group of processes that ends with the test."""
    started = []

    def call(code, *arguments):
        heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        program = subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", heard + code, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            cwd=tmp_path,
        )
        started.append(program)
        return program

    yield call
    for program in started:
        if members(program.pid):
            os.killpg(program.pid, signal.SIGKILL)
        program.communicate(timeout=PATIENCE)


@pytest.fixture
def begin(start, tmp_path):
    """Start the program with a study, until its workers have begun."""

    def call(study):
        rows = [f"{i % 2},{i % 7},{i % 11}\n" for i in range(400)]
        (tmp_path / "predictions.csv").write_text("y,a,b\n" + "".join(rows))
        code = "from metameasure.cli import main; main()"
        program = start(code, *STUDIES[study], "--workers", "2")
        # The program, its two workers, and what keeps track of their resources.
        until(lambda: len(members(program.pid)) >= 4 or program.poll() is not None)
        time.sleep(2)
        assert len(members(program.pid)) >= 4
        return program

    return call


def ended(program):
    """The exit code and the output of a program after a signal; no process of its group is left."""
    out, err = program.communicate(timeout=PATIENCE)
    until(lambda: not members(program.pid))
    assert "Traceback" not in err
    return program.returncode, out, err


def test_ctrl_c_ends_all_processes(begin):
    program = begin("robustness")
    os.killpg(program.pid, signal.SIGINT)
    assert ended(program)[:2] == (130, "")


@pytest.mark.parametrize("study", STUDIES)
def test_sigterm_ends_all_processes(begin, study):
    program = begin(study)
    os.kill(program.pid, signal.SIGTERM)
    code, out, err = ended(program)
    assert (code, out) == (143, "")
    assert "warn" not in err.lower()


@pytest.mark.parametrize("study", STUDIES)
def test_workers_do_not_outlive_a_program_that_was_killed(begin, study):
    program = begin(study)
    os.kill(program.pid, signal.SIGKILL)
    assert ended(program)[0] == -signal.SIGKILL


KILLED_WHILE_WORKERS_START = """
import os, signal
from metameasure.lab.parallel import run

class Killing:
    def __reduce__(self):  # the workers are starting, and this is to be their first task
        os.kill(os.getpid(), signal.SIGKILL)

run(print, [Killing()] * 4, seed=1, workers=2)
"""


def test_workers_do_not_outlive_a_program_that_was_killed_while_they_started(start):
    """Workers without a task wait for five minutes."""
    assert ended(start(KILLED_WHILE_WORKERS_START))[0] == -signal.SIGKILL


def test_workers_of_a_coverage_study_do_not_outlive_it(start):
    code = f"import sys, time; sys.path.insert(0, {str(PROJECT)!r})\n"
    code += "from benchmarks.coverage.study import worker_pool\n"
    code += "with worker_pool(2) as pool: list(pool.map(time.sleep, [600] * 4))"
    program = start(code)
    until(lambda: len(members(program.pid)) >= 4 or program.poll() is not None)
    os.kill(program.pid, signal.SIGKILL)
    assert ended(program)[0] == -signal.SIGKILL


def test_sigterm_to_the_whole_group(begin):
    """As ``timeout`` sends it, twice; workers that are gone are no error of their own."""
    program = begin("robustness")
    os.killpg(program.pid, signal.SIGTERM)
    os.kill(program.pid, signal.SIGTERM)
    code, _, err = ended(program)
    assert code == 143
    assert "error" not in err


def test_sigterm_that_is_ignored(start):
    code = "import os, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    code += "from metameasure import cli; from metameasure.cli import app\n"
    code += "app.main = lambda: os.kill(os.getpid(), signal.SIGTERM); cli.main()"
    assert ended(start(code)) == (0, "", "")


def kill_own_process(task, rng):
    """What the operating system does if there is not enough memory."""
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_is_killed():
    with pytest.raises(mm.MetameasureError, match=r"a worker process was killed.*fewer workers"):
        parallel.run(kill_own_process, [1, 2, 3], seed=1, workers=2)
