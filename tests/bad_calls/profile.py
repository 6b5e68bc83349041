"""How many random calls each function and command gets."""

import os

from hypothesis import HealthCheck, Phase, settings

EXAMPLES = int(os.environ.get("METAMEASURE_BAD_CALLS", "20"))
"""Number of calls; .ci/run makes 200."""

bad_calls = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)
"""The same calls in each run; ``--hypothesis-seed`` gives others."""
