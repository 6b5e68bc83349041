"""What Weka 3.9.7 predicts, recorded by tools/make_golden_learners.py.

The golden files have 12 digits. The definitions are the same, so that only rounding differs:
1e-10 for all learners but kernel naive Bayes, where Weka stops adding kernels when the rest is
below 1% of the sum, and this library adds them all.
"""

import pytest

from learner_data import golden_probabilities, trained_and_tested
from metameasure.experiments import C45Tree, KStar, MixedNaiveBayes

EXACT = 1e-10
LEARNERS = {
    "j48": (C45Tree, {}, EXACT),
    "j48_unpruned": (C45Tree, {"prune": False}, EXACT),
    "j48_laplace": (C45Tree, {"prune": False, "laplace": True}, EXACT),
    "c44": (C45Tree, {"prune": False, "collapse": False, "laplace": True}, EXACT),
    "j48_no_raising": (C45Tree, {"subtree_raising": False, "confidence": 0.1}, EXACT),
    "naive_bayes": (MixedNaiveBayes, {}, EXACT),
    "naive_bayes_kernel": (MixedNaiveBayes, {"numeric": "kernel"}, 2e-3),
    "naive_bayes_discretized": (MixedNaiveBayes, {"numeric": "discretized"}, EXACT),
    "kstar": (KStar, {}, EXACT),
    "kstar_50": (KStar, {"blend": 0.5}, EXACT),
}


@pytest.mark.parametrize("name", ["iris", "wine", "mixed", "nominal"])
@pytest.mark.parametrize("learner", LEARNERS)
def test_equals_weka(learner, name):
    kind, options, tolerance = LEARNERS[learner]
    found = trained_and_tested(lambda levels: kind(nominal=levels, **options), name)
    assert found == pytest.approx(golden_probabilities(learner)[name], rel=0, abs=tolerance)
