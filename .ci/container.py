"""The program as in a small container, in an environment that it cannot write to.

Another user without HOME, no terminal, LANG=C, a current folder that cannot be written, and at most
512 MiB of resident memory for all processes of a command. Only root can be another user: others run
the commands themselves, on an installation without write permissions.
"""

import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

MOST = 512
"""Resident memory in MiB."""
OFTEN = 0.02
"""Number of seconds between two measurements."""
NOBODY = 65534
ROWS = 100_000
PROGRAM = Path(sysconfig.get_path("scripts"), "metameasure")
COMPILED = "compiled functions cannot be kept on disk"
"""What the program says once if it, or one of its workers, has compiled functions."""


def resident(process: int) -> float:
    """MiB of a process and its descendants; pages that they share count for each."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:  # it has ended
        return 0.0
    own = sum(int(line.split()[1]) for line in status.splitlines() if "VmRSS:" in line)
    return own / 1024 + sum(resident(int(child)) for child in children)


def command(folder: Path, *arguments: object, compiled: bool = False) -> None:
    """Run the program: it must succeed within the memory, and say nothing but single lines.

    A command that must run ``compiled`` functions says so, and every command at most once.
    """
    # setpriv and env are replaced by the program, so that the process is the program's. A copy of
    # an interpreter must not load a library of the system.
    libraries = f"LD_LIBRARY_PATH={sys.base_prefix}/lib"
    before = ["env", "-i", "LANG=C", "PATH=/usr/bin:/bin", libraries]
    if os.getuid() == 0:
        user = (f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
        before = ["setpriv", *user, *before]
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        began = time.monotonic()
        done = subprocess.Popen(
            [*before, str(PROGRAM), *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            cwd=folder / "closed",
            start_new_session=True,
        )
        most = 0.0
        while done.poll() is None:
            most = max(most, resident(done.pid))
            time.sleep(OFTEN)
    # The largest process so far, which may have had its peak between two measurements.
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    errors = (folder / "err").read_text("ascii", errors="backslashreplace")
    words = " ".join(map(str, arguments)).replace(f"{folder}/", "")
    print(f"{words}: {time.monotonic() - began:.1f} s, {most:.0f} MiB", flush=True)
    print("".join(f"    {line}\n" for line in errors.splitlines()), end="")
    assert done.returncode == 0, (words, done.returncode)
    assert "Traceback" not in errors
    assert compiled <= errors.count(COMPILED) <= 1, "whether functions were compiled"
    assert 0 < max(most, largest) <= MOST, f"{max(most, largest):.0f} MiB, more than {MOST}"


def run(folder: Path) -> None:
    """Files of 100,000 rows, then all commands."""
    folder.chmod(0o755)
    (folder / "closed").mkdir(mode=0o555)
    written = folder / "written"
    written.mkdir()
    written.chmod(0o777)
    rng = np.random.default_rng(1)
    truth = rng.random(ROWS) < 0.3
    noise = {"a": 1, "b": 2}
    scores = {name: truth + rng.normal(scale=noise[name], size=ROWS) for name in noise}
    frame = pl.DataFrame({"y": truth.astype(int)} | scores)
    frame.write_csv(folder / "predictions.csv")
    frame.write_parquet(folder / "predictions.parquet")
    columns = ("--label", "y", "--score", "a,b")

    def output() -> str:
        return (folder / "out").read_text("ascii", errors="backslashreplace")

    command(folder, "demo")
    for suffix in ("csv", "parquet"):
        command(folder, "evaluate", folder / f"predictions.{suffix}", *columns)
        assert "auc" in output()
    # Counting inversions of 100,000 items is compiled.
    order = ("--order", "a", "--score", "b", "--measures", "kendall_tau", "--no-ci")
    command(folder, "evaluate", folder / "predictions.csv", *order, compiled=True)
    assert "kendall_tau" in output()
    command(folder, "compare", folder / "predictions.csv", *columns)
    command(folder, "plot", "roc", folder / "predictions.csv", *columns, "-o", written / "roc.svg")
    command(folder, "plot", "roc", folder / "predictions.csv", *columns, "-o", written / "roc.png")
    sizes = ("--positives", 8, "--negatives", 8)
    command(folder, "lab", "compare", "auc", "accuracy", *sizes)
    study = ("--measures", "auc,ks", "--repeats", 2000, "--workers", 2)
    command(folder, "lab", "robustness", *study)
    assert "labels" in output()
    # Learners of the library, on data sets that it generates. They are compiled in each process, so
    # that two workers would need 800 MiB.
    study = ("wu2005/table4", "--repeats", 2, "--workers", 1, "--out", written / "study")
    command(folder, "reproduce", *study, "--format", "csv", compiled=True)
    assert "Tic-tac-toe" in output()
    assert {file.name for file in written.iterdir()} == {"roc.svg", "roc.png", "study"}
    assert not list((folder / "closed").iterdir())


if os.getuid():
    print("not root: the same user, on an installation without write permissions")
with tempfile.TemporaryDirectory() as name:
    run(Path(name))
print("the run as in a container passed")
