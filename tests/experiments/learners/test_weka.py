"""Weka's own learners: they predict what the golden files have."""

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from learner_data import GOLDEN, golden_probabilities
from metameasure.errors import MetameasureError
from metameasure.experiments import WekaJ48
from metameasure.experiments.learners import weka

PREDICT = """
import json, runpy, sys
sys.path[:0] = [sys.argv[1], sys.argv[2]]
from learner_data import trained_and_tested
golden = runpy.run_path(sys.argv[2] + "/make_golden_learners.py")
predicted = {}
for learner, (kind, options) in golden["LEARNERS"].items():
    def make(levels):
        return kind(nominal=levels, options=options)
    predicted[learner] = {n: trained_and_tested(make, n).tolist() for n in ("iris", "mixed")}
print(json.dumps(predicted))
"""


@pytest.mark.skipif(find_spec("weka") is None, reason="needs python-weka-wrapper3")
@pytest.mark.skipif(shutil.which("java") is None, reason="needs Java")
def test_live_weka_predicts_what_the_golden_files_have():
    """In a process of its own, since a Java virtual machine cannot be stopped and started again."""
    tests = GOLDEN.parents[1]
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", PREDICT, str(tests), str(tests.parent / "tools")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    predicted = json.loads(done.stdout.strip().splitlines()[-1])
    assert len(predicted) == len(list(GOLDEN.glob("*.csv"))) - 2
    for learner, found in predicted.items():
        for name, rows in found.items():
            meant = golden_probabilities(learner)[name]
            assert np.array(rows) == pytest.approx(meant, rel=0, abs=1e-9), (learner, name)


def test_without_the_wrapper(monkeypatch):
    monkeypatch.setattr(weka, "find_spec", lambda name: None)
    with pytest.raises(MetameasureError, match=r"not installed; pip install 'metameasure\[weka\]'"):
        WekaJ48().fit([[0.0], [1.0]], [0, 1])


def test_without_java(monkeypatch):
    class Machine:
        @staticmethod
        def isJVMStarted():  # noqa: N802 - the name that JPype has
            return False

        @staticmethod
        def start(**options):
            raise RuntimeError("no JVM shared library")

    monkeypatch.setattr(weka, "find_spec", lambda name: name)
    monkeypatch.setattr(weka, "import_module", lambda name: Machine)
    with pytest.raises(MetameasureError, match="need Java, which cannot be started; install"):
        WekaJ48().fit([[0.0], [1.0]], [0, 1])
