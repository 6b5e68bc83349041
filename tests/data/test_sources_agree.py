"""Agreement with scikit-learn, scipy and hmeasure on random tied and weighted inputs."""

import numpy as np
import pytest
from hmeasure import h_score
from scipy import stats
from sklearn import metrics
from sklearn.isotonic import IsotonicRegression

import metameasure as mm

SEEDS = range(25)


def draw(seed, *, weighted=False, grid=True):
    """Labels with both classes and both decisions, scores inside (0, 1), weights or None."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 300))
    scores = rng.integers(1, 12, n) / 12 if grid else rng.uniform(0.001, 0.999, n)
    scores[:2] = 0.25, 0.75
    labels = rng.random(n) < rng.uniform(0.1, 0.9)
    labels[:4] = True, False, False, True
    scores[2:4] = 0.75, 0.25
    return labels.astype(int), scores, rng.exponential(size=n) if weighted else None


def at_half(function, **options):
    return lambda y, s, w: function(y, s >= 0.5, sample_weight=w, **options)


def of_score(function, **options):
    return lambda y, s, w: function(y, s, sample_weight=w, **options)


def roc(y, s, w):
    return metrics.roc_curve(y, s, sample_weight=w, drop_intermediate=False)[:2]


def equal_error(y, s, w):
    fpr, tpr, _ = metrics.roc_curve(y, s, sample_weight=w, drop_intermediate=False)
    return float(np.interp(0.0, fpr + tpr - 1, fpr))


def isotonic(y, s, w):
    fitted = IsotonicRegression().fit(s, y, sample_weight=w).predict(s)
    return metrics.brier_score_loss(y, np.clip(fitted, 0, 1), sample_weight=w)


def hull_area(y, s, w):
    fitted = IsotonicRegression().fit(s, y, sample_weight=w).predict(s)
    return metrics.roc_auc_score(y, np.round(fitted, 12), sample_weight=w)


SKLEARN = {
    "auc": of_score(metrics.roc_auc_score),
    "partial_auc(fpr=(0, 0.3), standardized=True)": of_score(metrics.roc_auc_score, max_fpr=0.3),
    "average_precision": of_score(metrics.average_precision_score),
    "brier": of_score(metrics.brier_score_loss),
    "log_loss": of_score(metrics.log_loss),
    "accuracy": at_half(metrics.accuracy_score),
    "error_rate": at_half(metrics.zero_one_loss),
    "balanced_accuracy": at_half(metrics.balanced_accuracy_score),
    "precision": at_half(metrics.precision_score),
    "npv": at_half(metrics.precision_score, pos_label=0),
    "tpr": at_half(metrics.recall_score),
    "tnr": at_half(metrics.recall_score, pos_label=0),
    "f_measure": at_half(metrics.f1_score),
    "f_measure(beta=0.5)": at_half(metrics.fbeta_score, beta=0.5),
    "jaccard": at_half(metrics.jaccard_score),
    "mcc": at_half(metrics.matthews_corrcoef),
    "kappa": at_half(metrics.cohen_kappa_score),
    "ks": lambda y, s, w: np.max(np.abs(np.subtract(*roc(y, s, w)))),
    "equal_error_rate": equal_error,
    "miscalibration": lambda y, s, w: (
        metrics.brier_score_loss(y, s, sample_weight=w) - isotonic(y, s, w)
    ),
    "auch": hull_area,
}


@pytest.mark.parametrize("text", SKLEARN)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("grid", [False, True], ids=["untied", "tied"])
def test_scikit_learn(text, weighted, grid):
    for seed in SEEDS:
        labels, scores, weights = draw(seed, weighted=weighted, grid=grid)
        ours = mm.parse(text)(labels, scores, sample_weight=weights)
        assert ours == pytest.approx(SKLEARN[text](labels, scores, weights), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("grid", [False, True], ids=["untied", "tied"])
def test_scipy(grid):
    for seed in SEEDS:
        labels, scores, _ = draw(seed, grid=grid)
        pos, neg = scores[labels == 1], scores[labels == 0]
        pairs = pos.size * neg.size
        assert mm.ks(labels, scores) == pytest.approx(stats.ks_2samp(pos, neg).statistic, abs=1e-12)
        u = stats.mannwhitneyu(pos, neg, method="asymptotic").statistic
        assert mm.auc(labels, scores) == pytest.approx(u / pairs, abs=1e-12)


HAND = (({"severity_ratio": 1}, "h_measure"), ({}, 'h_measure(severity="prior")'))


@pytest.mark.parametrize("grid", [False, True], ids=["untied", "tied"])
def test_hmeasure(grid):
    for seed in SEEDS:
        labels, scores, _ = draw(seed, grid=grid)
        for options, text in HAND:
            assert mm.parse(text)(labels, scores) == pytest.approx(
                h_score(labels, scores, **options), abs=1e-12
            )


@pytest.mark.parametrize("k", [None, 5])
def test_ndcg(k):
    for seed in SEEDS:
        labels, scores, _ = draw(seed)
        theirs = metrics.ndcg_score([labels], [scores], k=k)
        assert mm.ndcg(labels, scores, k=k) == pytest.approx(theirs, abs=1e-12)
