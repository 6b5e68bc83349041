"""METAMEASURE_REQUIRE turns skips into failures."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SKIPPING = """
import pytest

@pytest.mark.skipif(True, reason="no such device")
def test_skipped_by_a_mark(): ...

def test_skipped_while_running():
    pytest.importorskip("no_such_package")

@pytest.mark.xfail(reason="known")
def test_expected_to_fail():
    assert False

def test_that_runs(): ...
"""
WHOLE = 'import pytest\npytest.importorskip("no_such_package")\n'


@pytest.mark.parametrize(
    ("require", "module", "outcome"),
    [
        ("", SKIPPING, "1 passed, 2 skipped, 1 xfailed"),
        ("all", SKIPPING, "1 failed, 1 passed, 1 xfailed, 1 error"),
        ("", WHOLE, "1 skipped"),
        ("all", WHOLE, "1 error"),
        ("some", SKIPPING, "must be 'all' or unset"),
    ],
)
def test_skips_fail_where_everything_is_required(tmp_path, require, module, outcome):
    (tmp_path / "test_it.py").write_text(module)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "require", "-p", "no:cacheprovider", "test_it.py"],
        cwd=tmp_path,
        env=os.environ | {"METAMEASURE_REQUIRE": require, "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome in done.stdout + done.stderr
    assert (done.returncode in {0, pytest.ExitCode.NO_TESTS_COLLECTED}) == (not require)
