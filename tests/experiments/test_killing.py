"""A run that is killed at any moment and goes on later has the result of an undisturbed one."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

ITEM = "huang2006/table4.6-clipped"
CODE = "from metameasure.cli import main; main()"


def arguments(out, workers):
    return [
        *(sys.executable, "-c", CODE, "reproduce", ITEM),
        *("--out", str(out), "--workers", str(workers), "--format", "json"),
    ]


def run(out, workers):
    subprocess.run(arguments(out, workers), check=True, capture_output=True)  # noqa: S603
    return (out / ITEM / "result.json").read_bytes()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such signal")
def test_killed_runs_go_on_and_end_in_the_same_result(tmp_path):
    whole = run(tmp_path / "whole", 1)
    out, dice = tmp_path / "killed", np.random.default_rng(5)
    cells = out / ITEM / "cells.jsonl"
    kept = 0
    for workers in (1, 2, 1):
        program = subprocess.Popen(  # noqa: S603
            arguments(out, workers),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        end = time.monotonic() + 60
        while program.poll() is None and time.monotonic() < end:
            lines = cells.read_bytes().count(b"\n") if cells.exists() else 0
            if lines > kept:
                break
            time.sleep(0.02)
        time.sleep(dice.random() / 20)
        os.killpg(program.pid, signal.SIGKILL)
        program.wait()
        kept = cells.read_bytes().count(b"\n")
    assert 3 <= kept < 20  # of 20 cells
    assert run(out, 2) == whole
