"""What all tests share."""

import pytest
from hypothesis import HealthCheck, settings

from metameasure.registry import registered

settings.register_profile(
    "metameasure",
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
settings.load_profile("metameasure")


@pytest.fixture(autouse=True)
def _measures_as_they_were():
    """What a test declares is forgotten after it, or tests of all measures would see it."""
    measures, aliases = dict(registered._measures), dict(registered._aliases)
    yield
    for now, then in ((registered._measures, measures), (registered._aliases, aliases)):
        now.clear()
        now.update(then)
