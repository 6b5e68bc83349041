"""What all tests share."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "metameasure",
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
settings.load_profile("metameasure")
