"""Compiled functions that cannot be kept on disk: the same results, and one warning."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import metameasure as mm

PROGRAM = """
import warnings
import numpy as np
from metameasure.kernels import COMPILED_FROM, for_size
numbers = np.random.default_rng(1).random((2, 200))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for _ in range(2):
        kernels = for_size(COMPILED_FROM)
        found = [*kernels.pool(*numbers[:, None]), kernels.inversions(numbers)]
print(kernels.__file__)
print([warning.category.__name__ for warning in caught])
print(b"".join(each.tobytes() for each in found).hex())
"""
NO_FILES = "import resource as r; r.setrlimit(r.RLIMIT_FSIZE, (0, 0))"
ONE = "['CompilationCacheWarning']"


@pytest.fixture
def package(tmp_path):
    """A folder with a copy of the package."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(mm.__file__).parent, tmp_path / "metameasure", ignore=ignored)
    return tmp_path


def run(folder, program=PROGRAM, **variables):
    """The warnings and the result of the program, with the package of a folder."""
    others = {k: v for k, v in os.environ.items() if not k.startswith(("HOME", "NUMBA_", "XDG_"))}
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-B", "-c", program],
        env=others | {"PYTHONPATH": str(folder)} | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    file, caught, result = done.stdout.splitlines()
    assert file.startswith(str(folder))
    assert done.stderr == ""
    return caught, result


def test_no_folder_can_be_written(package):
    """A file where a folder should be stops even root, whom permissions do not stop."""
    usual = run(package)
    kept = package / "metameasure" / "kernels" / "__pycache__"
    assert usual[0] == "[]"
    assert list(kept.glob("compiled.pool-*.nbc"))
    shutil.rmtree(kept)
    kept.touch()
    assert run(package, HOME=str(kept), NUMBA_CACHE_DIR=str(kept / "folder")) == (ONE, usual[1])
    assert kept.read_bytes() == b""


LEARNERS = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from metameasure.experiments.learners import _bayes_kernel, _kstar_kernel, _tree_kernel
print(_tree_kernel.__file__)
print([warning.category.__name__ for warning in caught])
print()
"""


@pytest.fixture
def nowhere(package):
    """The environment in which the package finds no folder for the learners' functions, too."""
    file = package / "file"
    file.touch()
    for folder in ("kernels", "experiments/learners"):
        (package / "metameasure" / folder / "__pycache__").touch()
    return {"HOME": str(file), "NUMBA_CACHE_DIR": str(file / "folder")}


def test_the_learners_load_if_no_folder_can_be_written(package, nowhere):
    assert run(package, LEARNERS, **nowhere)[0] == ONE


WORKERS = """
import warnings
from metameasure.kernels import sorting, warn_not_kept
from metameasure.lab.parallel import run

class Learner:
    def __reduce__(self):  # as a class whose module compiles functions when it is loaded
        return __import__, ("metameasure.kernels.compiled",)

def work(task, rng):
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import metameasure.experiments.learners._tree_kernel
    return rng.random()

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    found = [run(work, [Learner()] * 4, seed=1, workers=WORKERS) for _ in range(2)]
    warn_not_kept("as this process found, too")
print(sorting.__file__)
print([warning.category.__name__ for warning in caught])
print(found)
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_tasks_leave_the_warning_to_the_program(package, nowhere, workers):
    """Also if there are no worker processes, and if a task ignores warnings."""
    assert run(package, WORKERS.replace("=WORKERS", f"={workers}"), **nowhere)[0] == ONE


@pytest.mark.skipif(os.name != "posix", reason="needs a limit of the size of files")
def test_the_folder_is_full_or_damaged(package):
    folder = package / "kept"
    full = run(package, NO_FILES + PROGRAM, NUMBA_CACHE_DIR=str(folder))
    assert not list(folder.rglob("*.nb?"))
    usual = run(package, NUMBA_CACHE_DIR=str(folder))
    assert usual[0] == "[]"
    for index in folder.rglob("*.nbi"):
        index.write_bytes(index.read_bytes()[:20])
    damaged = run(package, NUMBA_CACHE_DIR=str(folder))
    assert full == damaged == (ONE, usual[1])
