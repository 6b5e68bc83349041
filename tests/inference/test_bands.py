"""Bands around curves."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import isotonic_regression
from scipy.stats import beta, binom, norm

import metameasure as mm
from metameasure.curves import gain, precision_recall, reliability, roc, tpr_fpr
from metameasure.data import Predictions
from metameasure.inference import Sample, resampling, wilson_limits
from metameasure.inference.bands import _band, spaces
from metameasure.inference.bands._band import Band, band
from metameasure.inference.bands.confidence_tube import (
    Tube,
    _local_error,
    limits_by_score,
    rising_limits,
)
from metameasure.inference.bands.resampled_roc import RankedClasses
from metameasure.inference.methods.wilson import wilson_limits_of_fractions
from metameasure.inference.resampling import draw_in_blocks

BANDED = [
    roc,
    precision_recall,
    gain,
    tpr_fpr.using(against="score"),
    tpr_fpr.using(against="depth"),
    reliability,
]
of_bands = pytest.mark.parametrize("kind", BANDED, ids=str)
GRID = np.linspace(0, 1, 21)


def drawn(n=60, seed=0, delta=1.2, digits=None):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < 0.5
    evidence = rng.normal(size=n) + delta * labels
    scores = 1 / (1 + np.exp(delta / 2 - evidence))
    return labels, scores if digits is None else scores.round(digits)


def resamples_of(kind, labels, scores, number, *, stratified=False, seed=1, **options):
    """How often the band counts each case in its resamples, which fit into a single block."""
    sample = Sample.of(Predictions.of(labels, {"y_score": scores}, **options))
    rng = np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(seed).spawn(1)[0]))
    if kind is not roc:
        return sample.draw(number, rng, stratified=stratified)
    ranked = RankedClasses.of(sample.places("y_score"))
    counts = np.empty((number, labels.size))
    drawn_classes = ranked.draw(number, rng, stratified=stratified)
    for cases, drawn_cases in zip((ranked.negatives, ranked.positives), drawn_classes, strict=True):
        counts[:, cases] = drawn_cases
    return counts


# ---------------------------------------------------------------- pointwise bands


@of_bands
@pytest.mark.parametrize("digits", [None, 1])
def test_percentiles_of_curves_of_repeated_cases(kind, digits):
    labels, scores = drawn(digits=digits)
    found = band(labels, scores, kind, resamples=50, grid=GRID)
    heights = []
    for counts in resamples_of(kind, labels, scores, 50):
        rows = np.repeat(np.arange(labels.size), counts.astype(int))
        curve = kind(labels[rows], scores[rows])
        heights.append([curve.at(GRID), *(curve.at(GRID, line) for line in curve.others)])
    low, high = np.quantile(np.array(heights), (0.025, 0.975), axis=0)
    for place, (y, lower, upper) in enumerate(
        [(found.y, found.low, found.high), *found.others.values()]
    ):
        assert (lower <= low[place] + 1e-12).all()
        assert (upper >= high[place] - 1e-12).all()
        assert (lower <= y + 1e-12).all()
        assert (upper >= y - 1e-12).all()
        # Wider than the percentiles only where a share says so, which is nowhere in the middle.
        same = np.isclose(lower, low[place]) | np.isclose(upper, high[place])
        assert same.any()
    assert (found.method, found.resamples, found.left_out) == ("percentile", 50, 0)


def test_a_curve_that_has_reached_one_is_not_certain():
    labels, scores = drawn(60, delta=4)
    found = band(labels, scores, roc, grid=[0.5], resamples=200)
    assert found.y == 1
    positives = int(labels.sum())
    assert (found.low[0], found.high[0]) == pytest.approx(wilson_limits(positives, positives, 0.95))
    for kind in BANDED[1:3]:
        assert band(labels, scores, kind, grid=[0.25, 0.75], resamples=200).low.max() < 1


def test_a_roc_curve_is_uncertain_sideways_too(monkeypatch):
    # Without percentiles the limits are those of the rectangles, found here one by one.
    nowhere = [(np.inf, -np.inf)]
    monkeypatch.setattr("metameasure.inference.bands._band._percentiles", lambda *_: nowhere)
    labels, scores = drawn(80, digits=2)
    x = np.array([0.0, 0.02, 0.05, 0.3, 0.8, 1.0])
    found = band(labels, scores, roc, grid=x, resamples=10, ci=0.9)
    curve, reach = roc(labels, scores), norm.ppf(0.95) / math.sqrt(2)

    def end(rate, size, sign):
        posterior = beta(rate * size + 1, size - rate * size + 1)
        return min(max(posterior.mean() + sign * reach * posterior.std(), 0), 1)

    m, n = int(labels.sum()), int((~labels).sum())
    for place, at in enumerate(x):
        least, most = wilson_limits(float(curve.at(at)) * m, m, 0.9)
        right = [tpr for fpr, tpr in zip(curve.x, curve.y, strict=True) if end(fpr, n, 1) >= at]
        left = [tpr for fpr, tpr in zip(curve.x, curve.y, strict=True) if end(fpr, n, -1) <= at]
        least = min(least, end(right[0] if right else 1.0, m, -1))
        most = max(most, end(left[-1], m, 1))
        assert found.low[place] == pytest.approx(least)
        assert found.high[place] == pytest.approx(most)
    assert (found.low[:2] < 0.02).all()


@pytest.mark.parametrize(("m", "n", "delta"), [(100, 100, 2.0), (30, 70, 1.0), (400, 50, 1.5)])
def test_pointwise_limits_cover_where_few_negatives_are_expected(m, n, delta):
    # At .01 percentiles alone held in 82, 90 and 53% of the samples.
    rng, x = np.random.default_rng(11), np.array([0.01, 0.05, 0.2])
    labels, true = np.arange(m + n) < m, norm.cdf(norm.ppf(x) + delta)
    held = np.zeros(x.size)
    for number in range(150):
        scores = rng.normal(size=m + n) + delta * labels
        found = band(labels, scores, roc, grid=x, resamples=200, seed=number)
        held += (true >= found.low - 1e-12) & (true <= found.high + 1e-12)
    assert held[0] / 150 >= 0.96
    assert held.min() / 150 >= 0.9


def test_wilson_limits_of_many_shares():
    share, trials = np.array([0.0, 0.3, 1.0]), np.array([7.0, 10.0, 5.0])
    low, high = wilson_limits_of_fractions(share, trials, norm.ppf(0.975))
    for place in range(3):
        right = wilson_limits(share[place] * trials[place], trials[place], 0.95)
        assert (low[place], high[place]) == pytest.approx(right, abs=1e-12)
    low, high = wilson_limits_of_fractions(np.array([0.5]), np.array([0.0]), 1.96)
    assert (low[0], high[0]) == (0, 1)


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("clusters", [False, True])
@pytest.mark.parametrize("digits", [1, None])
def test_roc_of_resamples_without_tables(weights, clusters, digits):
    labels, scores = drawn(80, digits=digits)
    rng = np.random.default_rng(7)
    options = {
        "sample_weight": rng.random(80) if weights else None,
        "cluster": rng.integers(0, 20, 80) if clusters else None,
    }
    sample = Sample.of(Predictions.of(labels, {"m": scores}, **options))
    counts = sample.draw(25, rng)
    counts[3] = 0
    counts[4] *= 0
    x = np.concatenate([GRID, sample.block("m", counts).fpr[0]])
    ranked = RankedClasses.of(sample.places("m"))
    found = ranked.roc(ranked.taken(counts), x)
    right = roc.compute(sample.block("m", counts)).at(x)
    assert found == pytest.approx(right, abs=1e-12, nan_ok=True)
    assert np.isnan(found[3]).all()


@pytest.mark.parametrize("stratified", [False, True])
def test_cases_drawn_by_their_ranks(stratified):
    labels, scores = drawn(40)
    ranked = RankedClasses.of(Sample.of(Predictions.of(labels, {"m": scores})).places("m"))
    negatives, positives = ranked.draw(4000, np.random.default_rng(0), stratified=stratified)
    assert ((negatives.sum(axis=1) + positives.sum(axis=1)) == 40).all()
    assert (positives.sum(axis=1) == labels.sum()).all() == stratified
    # Each case is drawn once on average, with the variance of a binomial number.
    for counts in (negatives, positives):
        assert counts.mean(axis=0) == pytest.approx(1, abs=0.08)
        assert counts.var() == pytest.approx(1, abs=0.08)
    order = np.argsort(-scores)
    assert ranked.positives.tolist() == [case for case in order if labels[case]]


# ---------------------------------------------------------------- the same numbers everywhere


@of_bands
def test_the_same_seed_gives_the_same_band(kind, monkeypatch):
    labels, scores = drawn(40)
    found = band(labels, scores, kind, resamples=30, simultaneous=True, grid=GRID)
    again = band(labels, scores, kind, resamples=30, simultaneous=True, grid=GRID)
    assert (found.low == again.low).all()
    monkeypatch.setattr(resampling, "WORTH_THREADS", 1)
    monkeypatch.setattr(resampling, "TASK", 300)
    monkeypatch.setattr(spaces.Space, "entries", 100)
    monkeypatch.setattr(spaces.SPACES["calibration"].__class__, "entries", 100)
    by_workers = [
        band(labels, scores, kind, resamples=30, grid=GRID, workers=workers)
        for workers in (1, 2, 8)
    ]
    for one in by_workers:
        assert (one.low == by_workers[0].low).all()
        assert (one.high == by_workers[0].high).all()
    if kind is not reliability:
        assert np.any(band(labels, scores, kind, resamples=30, seed=5, grid=GRID).low != again.low)


def test_a_table_has_the_band_of_its_cases():
    labels, scores = drawn(60, digits=1)
    cases = band(labels, scores, roc, resamples=400, grid=GRID)
    table = band(mm.tabulate(labels, scores), roc, resamples=400, grid=GRID)
    assert (cases.y == table.y).all()
    assert cases.low == pytest.approx(table.low, abs=0.12)
    unit = band(labels, scores, roc, resamples=400, grid=GRID, sample_weight=np.full(60, 2.0))
    assert cases.low == pytest.approx(unit.low, abs=1e-12)


def test_clusters_widen_a_band():
    labels, scores = drawn(100)
    labels, scores, group = (np.repeat(a, 4) for a in (labels, scores, np.arange(100)))
    alone = band(labels, scores, roc, simultaneous=True, resamples=200)
    together = band(labels, scores, roc, simultaneous=True, resamples=200, cluster=group)
    assert (together.high - together.low).mean() > 1.5 * (alone.high - alone.low).mean()


@pytest.mark.parametrize("kind", BANDED[:5], ids=str)
def test_resamples_without_a_class_are_counted(kind):
    labels, scores = np.array([1, 1, 0, 0, 0, 0, 0, 0, 0, 0]), np.arange(10) / 10
    found = band(labels, scores, kind, resamples=300)
    lacking = [not (labels * counts).any() for counts in resamples_of(kind, labels, scores, 300)]
    assert found.left_out == sum(lacking) > 0
    assert found.resamples + found.left_out == 300
    for low, high in [(found.low, found.high), *(line[1:] for line in found.others.values())]:
        assert np.isfinite(low).all()
        assert np.isfinite(high).all()
    assert band(labels, scores, kind, resamples=300, stratified=True).left_out == 0


# ---------------------------------------------------------------- simultaneous bands


@pytest.mark.parametrize("kind", [k for k in BANDED if k is not reliability], ids=str)
@pytest.mark.parametrize("stratified", [False, True])
def test_a_tube_holds_that_share_of_the_resampled_curves(kind, stratified):
    labels, scores = drawn(150)
    sample = np.where(labels, 1.5, 0.5)  # weights, so that no exact limits are taken
    options = {"sample_weight": sample, "resamples": 200, "grid": GRID, "stratified": stratified}
    found = band(labels, scores, kind, simultaneous=True, **options)
    assert found.method == "tube"
    inside = 0
    counts = resamples_of(kind, labels, scores, 200, stratified=stratified, sample_weight=sample)
    for count in counts:
        curve = kind(labels, scores, sample_weight=sample * count)
        lines = [(curve.at(GRID), found.low, found.high)]
        lines += [(curve.at(GRID, name), *found.others[name][1:]) for name in curve.others]
        inside += all(((y >= lo - 1e-9) & (y <= hi + 1e-9)).all() for y, lo, hi in lines)
    assert 190 <= inside < 199
    wide = band(labels, scores, kind, simultaneous=True, ci=0.995, **options)
    assert (wide.low <= found.low + 1e-12).all()
    assert (wide.high >= found.high - 1e-12).all()


def test_a_tube_by_its_rectangles():
    # What a curve may do is searched for in the rectangles point by point.
    labels, scores = drawn(30, digits=1)
    table = mm.tabulate(labels, scores)
    tube = Tube.of(table, (float(table.P), float(table.N), 30.0), 1.5)
    rng = np.random.default_rng(0)
    (left, right), (bottom, top) = tube.fpr, tube.tpr
    x = np.linspace(0.05, 0.95, 10)
    limits = {name: getattr(tube, name)(x) for name in ("roc", "precision_recall", "gain")}
    limits["rates_by_depth"] = tube.rates_by_depth(x)
    for row in range(table.tp.size):
        fpr, tpr = rng.uniform((left[row], bottom[row]), (right[row], top[row]), (400, 2)).T
        prior = rng.uniform(*tube.prior, 400)
        depth = prior * tpr + (1 - prior) * fpr
        precision = prior * tpr / depth
        for name, line, along, across in (
            ("roc", 0, fpr, tpr),
            ("precision_recall", 0, tpr, precision),
            ("gain", 0, depth, tpr),
            ("rates_by_depth", 1, depth, fpr),
        ):
            for place, wanted in enumerate(x):
                near = np.abs(along - wanted) < 0.002
                low, high = limits[name][line]
                assert (across[near] >= low[place] - 0.03).all()
                assert (across[near] <= high[place] + 0.03).all()


def test_exact_limits_at_all_thresholds():
    labels, scores = drawn(80, digits=1)
    table = mm.tabulate(labels, scores)
    rng = np.random.default_rng(3)
    x = np.array([0.05, 0.3, 0.52, 0.97])
    (low, high), (least, most) = limits_by_score(table, x, 0.9, 300, rng)
    error = _local_error((float(table.P), float(table.N)), 0.9, 300, np.random.default_rng(3))
    for place, t in enumerate(x):
        for lo, hi, some in ((low, high, labels), (least, most, ~labels)):
            k, n = int((scores[some] >= t).sum()), int(some.sum())
            # The limits at which this few, or this many, cases have exactly probability ``error``.
            if k:
                assert binom.sf(k - 1, n, lo[place]) == pytest.approx(error, rel=1e-6)
            else:
                assert lo[place] == 0
            if k < n:
                assert binom.cdf(k, n, hi[place]) == pytest.approx(error, rel=1e-6)
            else:
                assert hi[place] == 1


def test_the_error_of_one_case_is_known():
    # Of one case in a class the rate is one uniform number; both classes are apart by chance.
    error = _local_error((1.0, 1.0), 0.9, 200_000, np.random.default_rng(0))
    right = (1 - math.sqrt(0.9)) / 2
    shrunk = error / right
    assert 0.97 < shrunk < 1.03


def test_limits_of_a_rising_share_by_all_runs():
    rng = np.random.default_rng(1)
    scores = np.repeat(np.arange(1, 7) / 8, 9)
    labels = rng.random(54) < scores
    x = np.array([0.0, 0.125, 0.3, 0.5, 0.9])
    low, high = rising_limits(mm.tabulate(labels, scores), x, 0.9)
    levels = np.unique(scores)
    runs = [(a, b) for i, a in enumerate(levels) for b in levels[i:]]
    error = 0.1 / (2 * len(runs))
    for place, at in enumerate(x):
        bounds_low, bounds_high = [0.0], [1.0]
        for a, b in runs:
            inside = (scores >= a) & (scores <= b)
            k, n = int(labels[inside].sum()), int(inside.sum())
            if b <= at and k:
                bounds_low.append(beta.ppf(error, k, n - k + 1))
            if a >= at and k < n:
                bounds_high.append(beta.ppf(1 - error, k + 1, n - k))
        assert low[place] == pytest.approx(max(bounds_low))
        assert high[place] == pytest.approx(min(bounds_high))


def test_simultaneous_bands_cover():
    # 100 + 100 binormal cases: the whole true curve lies within, at 101 places.
    rng = np.random.default_rng(11)
    x, held = np.linspace(0, 1, 101), 0
    true = norm.cdf(norm.ppf(x) + 1.0)
    for number in range(120):
        labels = np.arange(200) < 100
        scores = rng.normal(size=200) + labels
        found = band(labels, scores, roc, simultaneous=True, resamples=200, seed=number)
        held += ((true >= found.low - 1e-12) & (true <= found.high + 1e-12)).all()
    assert held / 120 >= 0.93


def test_a_simultaneous_band_holds_the_pointwise_one_inside():
    labels, scores = drawn(200)
    for kind in (roc, *BANDED[1:3]):
        narrow, wide = (
            band(labels, scores, kind, simultaneous=sim, grid=np.linspace(0.1, 0.9, 9))
            for sim in (False, True)
        )
        assert (wide.high - wide.low).mean() > (narrow.high - narrow.low).mean()


# ---------------------------------------------------------------- reliability


@pytest.mark.parametrize("simultaneous", [False, True])
def test_the_consistency_band_holds_calibrated_scores(simultaneous):
    rng = np.random.default_rng(2)
    scores = rng.random(300).round(2)
    inside, x = [], np.linspace(0.05, 0.95, 19)
    options = {"around": "diagonal", "resamples": 200, "grid": x, "simultaneous": simultaneous}
    fixed = band(rng.random(300) < scores, scores, "reliability", **options)
    for _ in range(60):
        curve = reliability(rng.random(300) < scores, scores)
        y = curve.at(x)
        inside.append((y >= fixed.low - 1e-12) & (y <= fixed.high + 1e-12))
    share = np.all(inside, axis=1).mean() if simultaneous else np.mean(inside)
    assert share > 0.88
    assert fixed.method == "consistency"
    # Scores that are far too extreme leave it.
    wrong = reliability(rng.random(300) < 0.25 + scores / 2, scores).at(x)
    assert np.any((wrong < fixed.low) | (wrong > fixed.high))


def test_the_simultaneous_consistency_band_contains_enough_of_the_drawn_curves(monkeypatch):
    curves = []

    def kept(*arguments):
        curves.append(draw_in_blocks(*arguments))
        return curves[-1]

    monkeypatch.setattr(_band, "draw_in_blocks", kept)
    rng = np.random.default_rng(2)
    scores = rng.random(80).round(1)
    options = {"around": "diagonal", "resamples": 15, "grid": np.linspace(0.1, 0.9, 9)}
    found = band(
        rng.random(80) < scores, scores, "reliability", ci=0.9, simultaneous=True, **options
    )
    ((drawn,),) = curves
    inside = ((drawn >= found.low - 1e-12) & (drawn <= found.high + 1e-12)).all(axis=1)
    # Of 15 curves, 13 are 87%.
    assert inside.sum() == 14


# ---------------------------------------------------------------- what a band is, and bad input


def test_a_band_as_data():
    labels, scores = drawn()
    found = band(labels, scores, tpr_fpr.using(against="score"), grid=5)
    assert isinstance(found, Band)
    assert found.x == pytest.approx(np.linspace(scores.min(), scores.max(), 5))
    frame = found.frame()
    assert frame.columns == ["line", "x", "y", "low", "high"]
    assert frame["line"].to_list() == ["y"] * 5 + ["fpr"] * 5
    assert repr(found) == "<pointwise band of tpr_fpr(against='score'): 95%, 5 points>"
    assert band(labels, scores, "cap", grid=3).name == "gain"


def test_bands_that_make_no_sense():
    labels, scores = drawn()
    with pytest.raises(mm.ParameterError, match="det has no band; use one of roc"):
        band(labels, scores, "det")
    with pytest.raises(mm.ParameterError, match="there is no curve 'rock'"):
        band(labels, scores, "rock")
    with pytest.raises(
        mm.ParameterError, match=r"tpr_fpr has no band; use .*tpr_fpr\(against='score'\)"
    ):
        band(labels, scores, tpr_fpr)
    with pytest.raises(mm.ParameterError, match='around="diagonal" does not apply to roc'):
        band(labels, scores, roc, around="diagonal")
    with pytest.raises(
        mm.ParameterError, match="around must be one of 'curve', 'diagonal', got 'line'"
    ):
        band(labels, scores, reliability, around="line")
    with pytest.raises(mm.DataError, match="a class is empty"):
        band([1, 1], [0.1, 0.2], roc)
    with pytest.raises(mm.DataError, match="at least two cases per class"):
        band([1, 0, 0], [0.1, 0.2, 0.3], roc)
    with pytest.raises(mm.ParameterError, match=r"ci must be in \(0, 1\), got 95"):
        band(labels, scores, roc, ci=95)
    with pytest.raises(mm.ParameterError, match=r"resamples must be an integer from .*, got 0"):
        band(labels, scores, roc, resamples=0)
    for grid in (1, [], [[0.1]], [math.nan], "x", True):
        with pytest.raises(mm.ParameterError, match="grid must be an integer"):
            band(labels, scores, roc, grid=grid)
    with pytest.raises(mm.DataError, match="a score is infinite"):
        band(labels, np.where(labels, np.inf, scores), tpr_fpr.using(against="score"))
    with pytest.raises(mm.ParameterError, match=r"x must be in \[0, 1\], got"):
        band(labels, scores, roc, grid=[0.5, 1.5])
    with pytest.raises(mm.DataError, match=r"needs scores in \[0, 1\]"):
        band(labels, 3 * scores, reliability)
    with pytest.raises(mm.DataError, match="scores are missing"):
        band(labels, roc)
    with pytest.raises(mm.ParameterError, match="scores must be names of models"):
        band(mm.tabulate(labels, scores), scores, roc)
    for options in ({"simultaneous": True}, {"around": "diagonal"}):
        with pytest.raises(mm.DataError, match="independent cases of equal weight"):
            band(labels, scores, reliability, sample_weight=1 + np.arange(60) % 2, **options)
    with pytest.warns(mm.DroppedCasesWarning, match="1 of 61 cases") as caught:
        band([*labels, True], [*scores, None], roc, nan_policy="drop", resamples=10)
    assert caught[0].filename == __file__
    with pytest.raises(mm.DataError, match="pass one table per model"):
        band(mm.tabulate_lists([1, 0], [[0.1, 0.2], [0.2, 0.1]]), roc)


@pytest.mark.parametrize("power", [1.0, 2.0])
def test_pointwise_limits_of_reliability_hold_the_truth(power):
    # At the ends all resamples have shares of 0 or 1, and no percentile is wide enough.
    rng = np.random.default_rng(8)
    x = np.array([0.02, 0.1, 0.5, 0.9, 0.98])
    inside = np.zeros(x.size)
    for number in range(150):
        scores = rng.random(200)
        labels = rng.random(200) < scores**power
        found = band(labels, scores, "reliability", grid=x, resamples=200, seed=number)
        inside += (found.low <= x**power) & (x**power <= found.high)
    assert (inside / 150 >= 0.9).all()


def test_copies_of_a_case_in_a_cluster_tell_no_more_than_one():
    labels, scores = drawn(60)
    alone = band(labels, scores, roc, resamples=300)
    copied = band(
        np.repeat(labels, 20), np.repeat(scores, 20), roc, cluster=np.repeat(np.arange(60), 20),
        resamples=300,
    )  # fmt: skip
    widths = [np.mean(found.high - found.low) for found in (alone, copied)]
    assert widths[1] == pytest.approx(widths[0], rel=0.05)


def test_scores_the_wrong_way_round_have_no_rising_curve():
    with pytest.raises(mm.DataError, match="check whether high scores mean the negative class"):
        band([1, 0] * 30, [0.1, 0.9] * 30, "reliability", simultaneous=True)


def test_the_data_come_before_the_kind():
    labels, scores = [1, 0, 1, 0], [0.9, 0.4, 0.5, 0.1]
    with pytest.raises(mm.ParameterError, match=r"data come first.*band\(y_true, scores, 'roc'"):
        mm.band("roc", labels, scores)
    with pytest.raises(mm.ParameterError, match="data come first"):
        mm.band(roc, labels, scores)
    with pytest.raises(mm.ParameterError, match="kind is missing"):
        mm.band(labels, scores)


# ---------------------------------------------------------------- limits by hand


def least_limits(space, table, x, lines, sizes, z):
    at = spaces.Points(table, np.array(x), np.array(lines), sizes)
    return spaces.SPACES[space].least_limits(at, z)


def wilson_by_hand(share, trials, z):
    """The fractions p with (share - p)^2 = z^2 p (1 - p) / trials."""
    factor = z**2 / trials
    roots = np.sort(np.roots([1 + factor, -(2 * share + factor), share**2]).real)
    return tuple(np.clip(roots, 0, 1))


def test_least_limits_of_precision_are_those_of_the_predicted_positives():
    table = mm.tabulate([1, 0], [0.9, 0.1])
    x, precision, z = [0.0, 0.2, 0.5, 1.0], [1.0, 0.9, 0.6, 0.0], 1.5
    ((low, high),) = least_limits("precision_recall", table, x, [precision], (30, 50, 80), z)
    for place, (recall, share) in enumerate(zip(x, precision, strict=True)):
        # 30 * recall positives are found among this number of cases, at least 1.
        taken = max(30 * recall / max(share, 1 / 80), 1)
        expected = wilson_by_hand(share, taken, z)
        assert (low[place], high[place]) == pytest.approx(expected, abs=1e-7)


def test_least_limits_by_depth_are_those_of_both_sides_of_the_cut():
    table = mm.tabulate([1, 0], [0.9, 0.1])
    x, tpr, fpr, z = [0.0, 0.1, 0.4, 0.9, 1.0], [0.0, 0.3, 0.7, 0.95, 1.0], [0, 0, 0.2, 0.9, 1], 1.5
    found = least_limits("depth", table, x, [tpr, fpr], (30, 50, 80), z)
    for (low, high), rates, total in zip(found, (tpr, fpr), (30, 50), strict=True):
        for place, (depth, rate) in enumerate(zip(x, rates, strict=True)):
            taken = 80 * depth
            most = 0.0 if taken == 0 else wilson_by_hand(min(rate * total / taken, 1), taken, z)[1]
            left = 80 - taken
            missed = (1 - rate) * total
            fewest = 0.0 if left == 0 else wilson_by_hand(min(missed / left, 1), left, z)[1]
            upper = rate + (1 - rate) * max(most * taken / total - rate, 0)
            lower = rate - rate * max(fewest * left / total - (1 - rate), 0)
            assert (low[place], high[place]) == pytest.approx((lower, upper), abs=1e-7)


def test_least_limits_by_threshold_are_those_of_both_classes():
    table = mm.tabulate([1, 0], [0.9, 0.1])
    tpr, fpr = [0.0, 0.6, 1.0], [0.1, 0.5, 0.9]
    found = least_limits("threshold", table, [0.1, 0.2, 0.3], [tpr, fpr], (30, 50, 80), 1.5)
    for (low, high), rates, total in zip(found, (tpr, fpr), (30, 50), strict=True):
        for place, rate in enumerate(rates):
            expected = wilson_by_hand(rate, total, 1.5)
            assert (low[place], high[place]) == pytest.approx(expected, abs=1e-7)


def test_least_limits_of_reliability_are_those_of_its_pools():
    labels, scores = drawn(60, digits=1)
    table = mm.tabulate(labels, scores)
    x = np.array([0.05, 0.2, 0.33, 0.5, 0.71, 0.9])
    ((low, high),) = least_limits("calibration", table, x, [x], (0, 0, 30.0), 1.5)
    levels, place = np.unique(scores, return_inverse=True)
    weight = np.bincount(place).astype(float)
    fit = isotonic_regression(np.bincount(place, labels) / weight, weights=weight)
    pools = []
    for begin, end in pairwise(fit.blocks):
        # 60 cases count as 30.
        limits = wilson_by_hand(fit.x[begin], weight[begin:end].sum() / 2, 1.5)
        pools.append([levels[begin], levels[end - 1], *limits])
    knots = np.array([edge for pool in pools for edge in pool[:2]])
    rising = np.repeat(np.maximum.accumulate([pool[2] for pool in pools]), 2)
    falling = np.repeat(np.minimum.accumulate([pool[3] for pool in pools][::-1])[::-1], 2)
    assert low == pytest.approx(np.interp(x, knots, rising), abs=1e-7)
    assert high == pytest.approx(np.interp(x, knots, falling), abs=1e-7)


def test_effective_sizes_of_a_band():
    labels = np.array([1, 1, 1, 0, 0, 0, 0])
    weight, cluster = np.array([1.0, 2, 1, 1, 1, 3, 1]), np.array([0, 0, 1, 0, 1, 2, 2])

    def sizes(**given):
        made = Predictions.of(labels, {"y_score": np.arange(7.0)}, **given)
        return _band._sizes(Sample.of(made))

    assert sizes() == (3, 4, 7)
    assert sizes(sample_weight=weight) == pytest.approx((16 / 6, 36 / 12, 100 / 18))
    assert sizes(cluster=cluster) == pytest.approx((9 / 5, 16 / 6, 49 / 17))
    both = sizes(cluster=cluster, sample_weight=weight)
    assert both == pytest.approx((16 / 10, 36 / 18, 100 / (16 + 4 + 16)))


def upper_rate(tube, fpr):
    """The highest true positive rate of curves inside a tube, at a false positive rate."""
    inside = [top for left, top in zip(tube.fpr[0], tube.tpr[1], strict=True) if left <= fpr]
    return max(inside, default=tube.tpr[1][0])


def lower_rate(tube, fpr):
    inside = [low for right, low in zip(tube.fpr[1], tube.tpr[0], strict=True) if right >= fpr]
    return min(inside, default=tube.tpr[0][-1])


@pytest.fixture(scope="module")
def tube():
    labels, scores = drawn(40, digits=1)
    return Tube.of(mm.tabulate(labels, scores), (17.0, 23.0, 40.0), 1.3)


INNER = np.linspace(0, 1, 23)


def test_the_prevalence_and_the_rates_of_a_tube_have_uniform_priors():
    labels, scores = drawn(40, digits=1)
    table = mm.tabulate(labels, scores)
    tube = Tube.of(table, (17.0, 23.0, 40.0), 1.3)
    for rate, size, found in (
        (np.array([float(table.prevalence)]), 40, tube.prior),
        (table.fpr, 23, tube.fpr),
        (table.tpr, 17, tube.tpr),
    ):
        posterior = beta(rate * size + 1, (1 - rate) * size + 1)
        for side, limit in zip((-1, 1), found, strict=True):
            expected = np.clip(posterior.mean() + side * 1.3 * posterior.std(), 0, 1)
            if rate.size > 1:
                expected = (
                    np.maximum.accumulate(expected)
                    if side > 0
                    else np.minimum.accumulate(expected[::-1])[::-1]
                )
            assert limit == pytest.approx(expected if rate.size > 1 else expected[0])
    assert Tube.of(table, (17.0, 23.0, None), 1.3).prior == (float(table.prevalence),) * 2


def test_a_prevalence_is_never_0_or_1():
    table = mm.ScoreTable([0.9, 0.1], [1.0, 1.0], [1e9, 1e9])
    low, _ = Tube.of(table, (2.0, 2e9, 2e9), 3.0).prior
    assert low == 1e-6
    _, high = Tube.of(mm.ScoreTable([0.9, 0.1], [1e9, 1e9], [1.0, 1.0]), (2e9, 2.0, 2e9), 3).prior
    assert high == 1 - 1e-6


def test_a_tube_in_roc_space_by_its_corners(tube):
    ((low, high),) = tube.roc(INNER)
    assert high == pytest.approx([upper_rate(tube, x) for x in INNER])
    assert low == pytest.approx([lower_rate(tube, x) for x in INNER])


def test_a_tube_in_precision_and_recall_by_its_corners(tube):
    ((low, high),) = tube.precision_recall(INNER)
    rates = list(zip(*tube.tpr, *tube.fpr, strict=True))
    fewest, many = tube.prior
    assert (low[0], high[0]) == (0, 1)
    for place, recall in enumerate(INNER[1:], 1):
        most = max([right for bottom, _, _, right in rates if bottom <= recall], default=0)
        least = min([left for _, top, left, _ in rates if top >= recall], default=1)
        for prior, fpr, found in ((many, least, high[place]), (fewest, most, low[place])):
            assert found == pytest.approx(prior * recall / (prior * recall + (1 - prior) * fpr))


def test_a_tube_by_depth_by_its_corners(tube):
    """Curves inside it meet a line of equal depth between its ends, which are searched for."""
    fine = np.linspace(0, 1, 4001)
    upper, lower = (np.array([rate(tube, f) for f in fine]) for rate in (upper_rate, lower_rate))
    gain_low, gain_high = np.ones(INNER.size), np.zeros(INNER.size)
    other_low, other_high = np.ones(INNER.size), np.zeros(INNER.size)
    for prior in tube.prior:
        for place, depth in enumerate(INNER):
            tpr = (depth - (1 - prior) * fine) / prior
            inside = (tpr <= upper) & (tpr >= lower)
            ends = np.clip([tpr[inside].min(), tpr[inside].max()], 0, 1)
            gain_low[place] = min(gain_low[place], ends[0])
            gain_high[place] = max(gain_high[place], ends[1])
            fpr = np.clip((depth - prior * ends) / (1 - prior), 0, 1)
            other_low[place] = min(other_low[place], fpr[1])
            other_high[place] = max(other_high[place], fpr[0])
    ((low, high),) = tube.gain(INNER)
    assert low == pytest.approx(gain_low, abs=2e-3)
    assert high == pytest.approx(gain_high, abs=2e-3)
    first, second = tube.rates_by_depth(INNER)
    assert (first[0] == low).all()
    assert (first[1] == high).all()
    assert second[0] == pytest.approx(other_low, abs=2e-3)
    assert second[1] == pytest.approx(other_high, abs=2e-3)


def test_a_tube_by_score_has_the_limits_of_the_threshold(tube):
    x = np.concatenate([tube.score, tube.score + 0.01, [-1.0, 2.0]])
    found = tube.rates_by_score(x)
    for (low, high), (bottom, top) in zip(found, (tube.tpr, tube.fpr), strict=True):
        for place, threshold in enumerate(x):
            above = np.count_nonzero(tube.score >= threshold)
            assert (low[place], high[place]) == (bottom[above], top[above])
