"""``METAMEASURE_REQUIRE=all``: a test that is skipped for a missing part fails instead.

A skip is right on a machine that lacks a package, a program or a device. Where everything
must be present, as in ``.ci/run``, it would hide that something is missing.
"""

import os

import pytest

REQUIRED = os.environ.get("METAMEASURE_REQUIRE", "")
if REQUIRED not in {"", "all"}:
    raise pytest.UsageError(f"METAMEASURE_REQUIRE must be 'all' or unset, got {REQUIRED!r}")


def _fail_if_skipped(report):
    if REQUIRED and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"METAMEASURE_REQUIRE=all forbids skipping: {reason}"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    report = yield
    _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report(collector):
    report = yield
    _fail_if_skipped(report)
    return report
