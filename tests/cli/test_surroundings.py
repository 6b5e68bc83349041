"""What the program says, in one line, if its environment lacks something."""

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import metameasure as mm
from metameasure.cli import app
from metameasure.plots import require_matplotlib

CODE = "from metameasure.cli import main; main()"
COLUMNS = ("--label", "y", "--score", "a")
DATA, USAGE, NO_READER = 1, 2, 141


@pytest.fixture
def folder(tmp_path):
    """A folder with predictions."""
    rows = [f"{i % 2},{i % 7}\n" for i in range(100)]
    (tmp_path / "predictions.csv").write_text("y,a\n" + "".join(rows))
    return tmp_path


def program(folder, *arguments, code=CODE, **variables):
    """The exit code and the lines on standard error."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr.splitlines()


def test_an_unknown_backend(folder):
    arguments = ("plot", "roc", "predictions.csv", *COLUMNS, "-o", "roc.svg")
    code, (line,) = program(folder, *arguments, MPLBACKEND="nosuch")
    assert code == DATA
    assert line.startswith("error: matplotlib cannot be loaded: ")
    assert "'nosuch'" in line
    assert "check MPLBACKEND" in line


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_latex_that_is_not_installed(folder, suffix):
    (folder / "matplotlibrc").write_text("text.usetex: True\n")
    arguments = ("plot", "roc", "predictions.csv", *COLUMNS, "-o", f"roc.{suffix}")
    code, (line,) = program(folder, *arguments, PATH=str(folder))
    assert code == DATA
    assert "LaTeX cannot be run" in line
    assert "set text.usetex to False" in line
    assert not (folder / f"roc.{suffix}").exists()


def test_latex_is_not_used_for_the_figures_of_papers(folder):
    (folder / "matplotlibrc").write_text("text.usetex: True\n")
    arguments = ("reproduce", "berrar2014/figure2", "--out", "out", "--no-progress")
    assert program(folder, *arguments, PATH=str(folder)) == (0, [])
    assert list(folder.glob("out/**/figure.svg"))


@pytest.mark.parametrize("threads", ["0", " 0", "+0"])
def test_polars_without_threads(folder, threads):
    arguments = ("evaluate", "predictions.csv", *COLUMNS)
    code, (line,) = program(folder, *arguments, POLARS_MAX_THREADS=threads)
    assert code == USAGE
    refused = "error: the environment variable POLARS_MAX_THREADS must be >= 1, got "
    assert line == refused + threads.strip()


WITHOUT_THREADS = """
import metameasure as mm, pandas as pd, polars as pl
columns = {"y": [1, 0, 1, 0], "a": [0.9, 0.5, 0.5, 0.1]}
table = mm.tabulate(*columns.values())
result = mm.evaluate(pd.DataFrame(columns), label="y", score="a")
calls = {
    "file": lambda: mm.evaluate("predictions.csv", label="y", score="a"),
    "frame": lambda: mm.evaluate(pl.DataFrame(columns), label="y", score="a"),
    "csv": result.to_csv,
    "spreadsheet": result.to_spreadsheet,
    "table": lambda: table.save("table.parquet"),
    "saved": lambda: mm.ScoreTable.load("predictions.csv"),
}
for name, call in calls.items():
    try:
        call()
    except mm.ParameterError as error:
        assert "POLARS_MAX_THREADS must be >= 1" in str(error)
    else:
        raise AssertionError(name)
"""


def test_polars_without_threads_in_python(folder):
    assert program(folder, code=WITHOUT_THREADS, POLARS_MAX_THREADS="0") == (0, [])


def test_no_folder_for_temporary_files(folder):
    """Neither /tmp nor the current folder; matplotlib needs one if there is no home either."""
    code = f"import tempfile; tempfile._get_default_tempdir = lambda: open('nosuch/x')\n{CODE}"
    arguments = ("evaluate", "predictions.csv", *COLUMNS, "--format", "csv")
    assert program(folder, *arguments, "-o", "/dev/stdout", code=code) == (0, [])
    home = {name: str(folder / "predictions.csv") for name in ("HOME", "MPLCONFIGDIR")}
    arguments = ("plot", "roc", "predictions.csv", *COLUMNS, "-o", "roc.svg")
    ended, lines = program(folder, *arguments, code=code, **home)
    assert ended == DATA
    assert lines[-1].startswith("error: matplotlib cannot be loaded: ")
    assert "MPLCONFIGDIR" in lines[-1]


def test_an_array_that_does_not_fit_into_memory(run, monkeypatch):
    monkeypatch.setattr(app, "main", lambda: np.empty(10**15))
    done = run()
    assert done.code == DATA
    assert done.err == (
        "error: not enough memory: unable to allocate 7.11 PiB for an array with shape "
        "(1000000000000000,) and data type float64; use fewer cases, models, resamples or "
        "workers\n"
    )


def test_memory_that_ends_without_a_number(run, monkeypatch):
    def fail():
        raise MemoryError

    monkeypatch.setattr(app, "main", fail)
    done = run()
    assert done.code == DATA
    assert done.err.startswith("error: not enough memory; use fewer cases")


def test_a_library_that_cannot_be_loaded(run, monkeypatch):
    def fail():
        cause = ImportError("libblas.so: failed to map segment from shared object")
        raise ImportError("IMPORTANT\n\nread this") from cause

    monkeypatch.setattr(app, "main", fail)
    done = run()
    assert done.code == DATA
    assert done.err == (
        "error: a library cannot be loaded: libblas.so: failed to map segment from shared object; "
        "check the installation and ulimit -v\n"
    )


def test_a_warning_of_the_library_is_one_line(run, monkeypatch):
    def warn(*_):
        warnings.warn("slow", mm.CompilationCacheWarning, stacklevel=1)
        warnings.warn("of others", RuntimeWarning, stacklevel=1)

    monkeypatch.setattr(app, "_with_dashes", lambda _, words: warn() or words)
    with pytest.warns(RuntimeWarning, match="of others"):
        done = run("measures", "auc")
    assert (done.code, done.err) == (0, "warning: slow\n")


@pytest.mark.skipif(os.name != "posix", reason="needs descriptors that can be closed")
def test_standard_error_that_is_closed(folder):
    code = f"import os, sys; os.close(2); sys.stderr = None\n{CODE}"
    arguments = ("plot", "roc", "predictions.csv", *COLUMNS, "-o", "roc.svg")
    assert program(folder, *arguments, code=code) == (0, [])
    assert program(folder, "measures", "nosuch", code=code) == (USAGE, [])


@pytest.mark.skipif(os.name != "posix", reason="needs pipes that break")
@pytest.mark.parametrize(
    "words",
    [("measures",), ("measures", "-o", "/dev/stdout"), ("--help",), ("evaluate", "-h"), ("lab",)],
)
def test_a_reader_that_has_gone(words):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-c", CODE, *words]
    with open(writer, "wb") as stream:  # noqa: PTH123
        done = subprocess.run(  # noqa: S603
            command, stdout=stream, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (NO_READER, b"")


def test_python_gets_the_same_error(monkeypatch):
    def fail(_):
        raise ValueError("Key backend: 'x' is not valid")

    monkeypatch.setattr("metameasure.plots._drawing.style.import_module", fail)
    with pytest.raises(mm.MetameasureError, match="cannot be loaded: Key backend"):
        require_matplotlib()
