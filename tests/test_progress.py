"""Progress on standard error, with a clock that tests turn."""

import inspect
import io
import sys

import numpy as np
import pytest
from rich.console import Console

import metameasure as mm
from metameasure import experiments, lab
from metameasure import progress as module
from metameasure.lab.parallel import run as run_tasks
from metameasure.progress import reporting, without_progress

RNG = np.random.default_rng(0)
LABEL = RNG.random(60) < 0.5
SCORES = {name: np.clip(LABEL + RNG.normal(size=60), 0, 1) for name in "ab"}


class Clock:
    """A clock that goes on by some seconds whenever it is read."""

    def __init__(self, step=0.0):
        self.time, self.step = 0.0, step

    def __call__(self):
        self.time += self.step
        return self.time


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(module, "PATIENCE", 2.0)
    monkeypatch.setattr(module, "monotonic", made)
    return made


@pytest.fixture
def written(capsys):
    """What was written to standard error, and nothing to standard output."""

    def read():
        out, err = capsys.readouterr()
        assert out == ""
        return err

    return read


def at(clock, report, *points):
    for seconds, share in points:
        clock.time = seconds
        report(share)


def test_nothing_is_written_within_two_seconds(clock, written):
    with reporting(True, "work") as report:
        at(clock, report, (0.5, 0.2), (1.9, 0.9), (1.99, 1.0))
    assert written() == ""


def test_one_line_after_two_seconds(clock, written):
    with reporting(True, "evaluate: 2000 resamples of 10 measures") as report:
        at(clock, report, (1, 0.3), (3, 0.4), (4, 0.5), (15, 1.0))
    # 10% in two seconds since the first report: 60% take 12 seconds.
    assert written() == "evaluate: 2000 resamples of 10 measures, about 12 s left\n"


def test_a_first_report_counts_from_the_beginning(clock, written):
    with reporting(True, "work") as report:
        at(clock, report, (4, 0.25))
    assert written() == "work, about 12 s left\n"


def test_another_line_every_thirty_seconds(clock, written):
    with reporting(True, "work") as report:
        at(clock, report, *((second, second / 300) for second in range(1, 300)))
    lines = written().splitlines()
    assert len(lines) == 10  # after 2, 32, ..., 272 seconds
    assert lines[0] == "work, about 5 min left"
    assert lines[-1] == "work, about 28 s left"


def test_false_is_silent(clock, written):
    with reporting(False, "work") as report:
        assert report is None
        mm.interval(LABEL, SCORES["a"], "ks", resamples=50)
        clock.step = 100
        mm.interval(LABEL, SCORES["a"], "ks", resamples=50)
    assert written() == ""


def test_the_progress_of_a_part_is_not_shown(clock, written):
    clock.step = 3
    seen = []
    with reporting(seen.append, "all") as report:
        report(0.5)
        mm.evaluate(LABEL, SCORES, "auc, ks", resamples=100)
    with without_progress():
        mm.evaluate(LABEL, SCORES, "auc, ks", resamples=100)
    assert seen == [0.5]
    assert written() == ""


def _power_in_a_task(_, rng):
    return lab.power("ks", "location(1)", 5, 5, repeats=2, permutations=99, workers=1)


def test_tasks_of_a_study_are_silent(clock, written):
    clock.step = 3
    run_tasks(_power_in_a_task, [0, 1], seed=1, workers=1, threads=True)
    assert written() == ""


def test_a_closed_stream_does_not_stop_the_work(clock, monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with reporting(True, "work") as report:
        stream.close()
        at(clock, report, (3, 0.2))


def test_no_standard_error(clock, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with reporting(True, "work") as report:
        assert report is None


def test_a_terminal_has_a_bar_that_disappears(clock, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with reporting(True, "work") as report:
        at(clock, report, (1, 0.1))
        assert terminal.getvalue() == ""
        at(clock, report, (3, 0.25))
        assert "work" in terminal.getvalue()
        assert "25%" in terminal.getvalue()
        at(clock, report, (40, 0.5))
    assert "left" not in terminal.getvalue()


def test_a_notebook_shows_nothing(clock, written, monkeypatch):
    monkeypatch.setattr(Console, "is_jupyter", True, raising=False)
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    with reporting(True, "work") as report:
        at(clock, report, (3, 0.25))
    assert written() == ""


def test_another_value_is_refused():
    with pytest.raises(mm.ParameterError, match="progress must be True, False or a function, got"):
        mm.interval(LABEL, SCORES["a"], "ks", progress="yes")


CALLS = {
    "evaluate: 50 resamples of 2 measures": lambda **more: mm.evaluate(
        LABEL, SCORES, "ks, h_measure", resamples=50, **more
    ),
    "compare: 50 resamples of 2 measures": lambda **more: mm.compare(
        LABEL, SCORES, "ks, average_precision", resamples=50, **more
    ),
    "interval: 5000 resamples of ndcg": lambda **more: mm.interval(
        np.tile(LABEL, 9), np.tile(SCORES["a"], 9), "ndcg", resamples=5000, **more
    ),
    "two_sample_test: 9999 permutations": lambda **more: mm.two_sample_test(
        LABEL, SCORES["a"], "average_precision", **more
    ),
    "band: 5000 resamples of roc": lambda **more: mm.band(
        np.tile(LABEL, 9), np.tile(SCORES["a"], 9), "roc", resamples=5000, **more
    ),
    "sample_size: 50 resamples of ks": lambda **more: mm.sample_size(
        "ks", LABEL, SCORES["a"], width=0.1, resamples=50, **more
    ),
    "advise: validation sets of 20 cases": lambda **more: mm.advise(
        LABEL, SCORES, "auc", 20, "auc, ks", repeats=100, resamples=20, workers=1, **more
    ),
    "lab.power: 20 data sets per alternative and size": lambda **more: lab.power(
        "ks", "location(1)", [5, 6], 5, repeats=20, permutations=99, workers=1, **more
    ),
    "lab.degrees: 2 comparisons": lambda **more: lab.degrees(
        "auc", "accuracy", sizes=[4, 6], workers=1, **more
    ),
}


@pytest.mark.parametrize("what", CALLS)
def test_a_function_that_takes_long_says_so_once(clock, capsys, what):
    clock.step = 2.5  # the second time that the clock is read, two seconds have passed
    CALLS[what]()
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert lines[0].startswith(f"{what}, about ")
    assert len(lines) <= 1 + clock.time / 30
    CALLS[what](progress=False)
    assert capsys.readouterr() == ("", "")


def test_progress_has_the_same_default_everywhere():
    signatures = {
        f"{place.__name__}.{name}": inspect.signature(getattr(place, name)).parameters
        for place in (mm, lab, experiments)
        for name in dir(place)
        if inspect.isfunction(getattr(place, name))
    }
    defaults = {
        name: one["progress"].default for name, one in signatures.items() if "progress" in one
    }
    assert len(defaults) >= 17
    assert {name for name, default in defaults.items() if default is not True} == set()
    long = {name for name, one in signatures.items() if {"resamples", "repeats"} & set(one)}
    # A domain draws its resamples when measures are compared on it.
    assert long - {"metameasure.lab.observed"} <= set(defaults)


def test_the_program_is_silent_on_request(clock, run, tmp_path):
    clock.step = 3
    file = tmp_path / "p.csv"
    rows = [f"{number % 2},{score}" for number, score in enumerate(RNG.random(1200))]
    file.write_text("y,a\n" + "\n".join(rows) + "\n")
    words = (
        "evaluate",
        file,
        "--label",
        "y",
        "--score",
        "a",
        "--measures",
        "auc,ndcg",
    )
    found = run(*words)
    assert found.err.startswith("evaluate: 2000 resamples of 2 measures, about ")
    quiet = run(*words, "--no-progress")
    assert quiet.err == ""
    assert quiet.out == found.out
