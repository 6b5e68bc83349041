"""Pictures of calibration, scores, measures and matrices: what is drawn, against other sources."""

import math
import re

import matplotlib as mpl
import numpy as np
import polars as pl
import pytest
from drawing import legend_texts
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from program import run_plot
from scipy.stats import binomtest
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import (
    accuracy_score,
    brier_score_loss,
    confusion_matrix,
    log_loss,
    matthews_corrcoef,
    roc_auc_score,
)
from sklearn.tree import DecisionTreeClassifier

import metameasure as mm
from metameasure.data import Models
from metameasure.errors import (
    DataError,
    ParameterError,
    UndefinedMeasureWarning,
)
from metameasure.evaluation.evaluation_result import Evaluation, Row
from metameasure.inference.bands._band import band
from metameasure.plots._drawing.bars import axis_of, bars_of
from metameasure.plots._drawing.score_axis import weights_in
from metameasure.plots._drawing.style import LETTERS, letters_on
from metameasure.plots.confusion import HUE, ConfusionDisplay
from metameasure.plots.forest import ForestDisplay
from metameasure.plots.reliability import ReliabilityDisplay, _pooled
from metameasure.plots.scores import ScoresDisplay

HOSTILE = ["$x^2$", "_hidden", "<b>", "a name that is far too long for any picture", "a\nb", ""]


def forecasts(n=400, seed=0, power=1.5, ties=None):
    rng = np.random.default_rng(seed)
    s = rng.random(n)
    s = s if ties is None else np.round(s * ties) / ties
    return (rng.random(n) < s**power).astype(int), s


def several(models, n=300):
    y, s = forecasts(n)
    rng = np.random.default_rng(1)
    return y, {f"m{k}": np.clip(s + rng.normal(0, 0.05 + 0.02 * k, n), 0, 1) for k in range(models)}


def words(axes):
    return [*(text.get_text() for text in axes.texts), *legend_texts(axes)]


def labels(axis):
    return [text.get_text() for text in axis.get_ticklabels()]


def texts_of(figure):
    return [t.get_text() for t in figure.findobj(mpl.text.Text) if t.get_text()]


def is_within(x, y, line, limit):
    """Whether all points lie within a distance of a line."""
    a, b = np.column_stack(line)[:-1], np.column_stack(line)[1:]
    along = b - a
    length = np.maximum((along**2).sum(axis=1), 1e-300)
    points = np.column_stack([x, y])[:, None]
    share = np.clip(((points - a) * along).sum(axis=-1) / length, 0, 1)
    gap = np.hypot(*np.moveaxis(a + share[..., None] * along - points, -1, 0))
    return bool((gap.min(axis=1) <= limit).all())


# Reliability


@pytest.mark.parametrize("ties", [None, 4])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_reliability_curve_is_isotonic_regression(ties, weighted):
    y, s = forecasts(ties=ties)
    w = np.random.default_rng(3).integers(1, 4, y.size) / 2 if weighted else None
    display = ReliabilityDisplay.from_predictions(y, s, sample_weight=w)
    fit = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(s, y, w)
    x, heights = display.artists_["model"].get_data()
    assert heights == pytest.approx(fit.predict(x), abs=1e-12)
    assert (x[0], x[-1]) == (s.min(), s.max())
    assert is_within(np.sort(s), fit.predict(np.sort(s)), (x, heights), 1 / 2000)


def test_reliability_of_many_cases_is_thinned():
    y, s = forecasts(300_000)
    display = ReliabilityDisplay.from_predictions(y, s, bins=10)
    x, heights = display.artists_["model"].get_data()
    curve = mm.reliability(y, s)
    assert x.size < 2000 < len(curve) * 20
    assert is_within(curve.x, curve.y, (x, heights), 1 / 2000)


def test_the_parts_of_the_brier_score():
    y, s = forecasts()
    display = ReliabilityDisplay.from_predictions(y, s, name="fine")
    fit = IsotonicRegression(y_min=0, y_max=1).fit(s, y).predict(s)
    whole, best = brier_score_loss(y, s), brier_score_loss(y, fit)
    base = brier_score_loss(y, np.full(y.size, y.mean()))
    expected = [whole, whole - best, base - best, base]
    (text,) = [t for t in words(display.ax_) if "Brier" in t]
    assert text.startswith("fine\nBrier score")
    assert [float(n) for n in re.findall(r"\d\.\d+", text)] == pytest.approx(expected, abs=5.1e-5)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_strip_of_both_classes(weighted):
    y, s = forecasts()
    w = np.random.default_rng(3).random(y.size) if weighted else np.ones(y.size)
    display = ReliabilityDisplay.from_predictions(y, s, sample_weight=w if weighted else None)
    line = display.artists_["positive"].get_data().baseline
    for name, up in (("positive", 1), ("negative", -1)):
        drawn = display.artists_[name].get_data()
        of_class = y == (name == "positive")
        counts, edges = np.histogram(s[of_class], 50, (0, 1), weights=w[of_class])
        reach = up * (drawn.values - line)
        assert reach / reach.max() == pytest.approx(counts / counts.max(), abs=1e-12)
        assert drawn.edges == pytest.approx(edges)
    assert display.ax_.get_ylim()[0] < min(display.artists_["negative"].get_data().values)
    assert labels(display.ax_.yaxis) == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    shown = " ".join(words(display.ax_))
    if weighted:
        assert f"{w[y == 1].sum():.1f} positive" in shown
    else:
        assert f"{(y == 1).sum()} positive" in shown
        assert f"{(y == 0).sum()} negative" in shown


@pytest.mark.parametrize("around", ["diagonal", "curve"])
def test_the_band_is_that_of_the_library(around):
    y, s = forecasts()
    display = ReliabilityDisplay.from_predictions(y, s, band=0.9, around=around)
    expected = band(y, s, "reliability", ci=0.9, around=around, simultaneous=True)
    drawn = display.artists_["band of model"].get_paths()[0].vertices
    corners = np.column_stack([np.tile(expected.x, 2), np.r_[expected.low, expected.high]])
    assert np.abs(corners[:, None] - drawn).sum(axis=-1).min(axis=1).max() < 1e-12
    note = display.ax_.get_title("right")
    kind = "consistency" if around == "diagonal" else "confidence"
    assert " ".join(note.split()) == f"90% {kind} band, simultaneous"


def test_true_probabilities_lie_in_the_band_and_others_do_not():
    inside = []
    for power in (1, 3):
        y, s = forecasts(4000, seed=5, power=power)
        display = ReliabilityDisplay.from_predictions(y, s)
        (found,) = display.bands.values()
        inside.append(bool(((found.y >= found.low) & (found.y <= found.high)).all()))
    assert inside == [True, False]


@pytest.mark.parametrize("shape", ["spread", "rare", "narrow"])
def test_joined_rows_give_the_same_band(shape):
    rng = np.random.default_rng(2)
    n = 6000
    s = {
        "spread": rng.random(n),
        "rare": rng.beta(0.05, 2, n),
        "narrow": 0.3 + 0.3 * rng.random(n),
    }[shape]
    table = mm.tabulate(rng.random(n) < s, s)
    joined = _pooled(table)
    assert joined.score.size < 0.4 * table.score.size
    assert (joined.P, joined.N) == (table.P, table.N)
    # The ends stay as they are.
    assert (joined.score[:50] == table.score[:50]).all()
    assert (joined.score[-50:] == table.score[-50:]).all()
    options = {"around": "diagonal", "simultaneous": True, "resamples": 300}
    options["grid"] = np.linspace(table.score[-1], table.score[0], 21)
    exact, other = (band(table, "reliability", seed=seed, **options) for seed in (1, 2))
    found = band(joined, "reliability", seed=3, **options)
    for limit in ("low", "high"):
        noise = np.abs(getattr(exact, limit) - getattr(other, limit)).max()
        gap = np.abs(getattr(exact, limit) - getattr(found, limit)).max()
        assert gap < 0.03 + 2 * noise


def test_few_rows_are_not_pooled():
    table = mm.tabulate(*forecasts())
    assert _pooled(table) is table


def test_when_there_is_a_band():
    y, s = forecasts()
    of = ReliabilityDisplay.from_predictions
    assert list(of(y, s).bands) == ["model"]
    assert not of(y, s, band=None).bands
    assert not of(y, s, sample_weight=np.full(y.size, 0.5)).bands
    assert not of(y, s, cluster=np.arange(y.size) // 2).bands
    assert not of(y, {"a": s, "b": s**2}).bands
    assert set(of(y, {"a": s, "b": s**2}, band=0.5).bands) == {"a", "b"}
    assert not of(np.ones(5, int), np.linspace(0, 1, 5)).bands
    assert of(mm.tabulate(y, s)).bands
    weighted = of(
        y, s, sample_weight=1 + (s > 0.5) / 2, band=0.9, around="curve", simultaneous=False
    )
    assert "pointwise" in weighted.ax_.get_title("right")


def test_bins_have_wilsons_intervals():
    y, s = forecasts(1000)
    display = ReliabilityDisplay.from_predictions(y, s, bins=5, equal="width")
    x, rates = display.artists_["bins of model"].get_data()
    segments = display.artists_["intervals of model"].get_segments()
    cell = np.minimum((s * 5).astype(int), 4)
    for number in range(5):
        own = cell == number
        assert x[number] == pytest.approx(s[own].mean())
        assert rates[number] == pytest.approx(y[own].mean())
        test = binomtest(int(y[own].sum()), int(own.sum()))
        low, high = test.proportion_ci(0.95, method="wilson")
        assert segments[number][:, 1] == pytest.approx([low, high])
    weighted = ReliabilityDisplay.from_predictions(y, s, bins=5, sample_weight=s + 0.5)
    assert "bins of model" in weighted.artists_
    assert "intervals of model" not in weighted.artists_


def test_several_reliability_curves_have_rows_of_density():
    y, scores = several(3)
    display = ReliabilityDisplay.from_predictions(y, scores)
    for name, s in scores.items():
        counts, _ = np.histogram(s, 50, (0, 1))
        drawn = display.artists_[f"density of {name}"].get_data()
        reach = drawn.values - drawn.baseline
        assert reach / reach.max() == pytest.approx(counts / counts.max())
        assert drawn.values.max() < 0
    fit = IsotonicRegression(y_min=0, y_max=1)
    worth = {n: brier_score_loss(y, s) - brier_score_loss(y, fit.fit(s, y).predict(s))
             for n, s in scores.items()}  # fmt: skip
    assert list(display.styles.named) == sorted(worth, key=worth.get)
    shown = " ".join(texts_of(display.figure_))
    assert all(f"{name}  MCB {value:.3f}" in shown for name, value in worth.items())


def test_fifty_reliability_curves():
    display = ReliabilityDisplay.from_predictions(*several(50))
    assert len(display.density) == 7
    assert "43 others" in texts_of(display.figure_)


@pytest.mark.parametrize(
    ("error", "scores", "options", "message"),
    [
        (DataError, {"a": [0.1, 1.2, 0.5, 0.7]}, {}, r"\[0, 1\]"),
        (
            ParameterError,
            {"a": [0.1, 0.2, 0.5, 0.7]},
            {"band": 1.5},
            r"must be in \(0, 1\), got 1.5",
        ),
        (
            ParameterError,
            {"a": [0.1, 0.2, 0.5, 0.7]},
            {"around": "x"},
            "around must be one of 'curve', 'diagonal', got 'x'",
        ),
        (
            ParameterError,
            {"a": [0.1, 0.2, 0.5, 0.7]},
            {"bins": 0},
            "bins must be an integer from 1 to 1000, got 0",
        ),
        (
            ParameterError,
            {"a": [0.1, 0.2, 0.5, 0.7]},
            {"bins": 2, "equal": "x"},
            "equal must be one of 'mass', 'width', got 'x'",
        ),
        (
            ParameterError,
            {"a": [0.1, 0.2, 0.5, 0.7]},
            {"highlight": ["b"]},
            "highlight must be .*, got 'b'",
        ),
        (
            ParameterError,
            dict.fromkeys("abcd", (0.1, 0.2, 0.5, 0.7)),
            {"band": 0.9},
            "up to 3 models, got 4",
        ),
        (
            ParameterError,
            dict.fromkeys("abcd", (0.1, 0.2, 0.5, 0.7)),
            {"bins": 2},
            "up to 3 models, got 4",
        ),
    ],
)
def test_what_a_reliability_display_refuses(error, scores, options, message):
    with pytest.raises(error, match=message):
        ReliabilityDisplay.from_predictions([0, 1, 0, 1], scores, **options)


@pytest.mark.parametrize("options", [{}, {"around": "curve"}])
def test_weighted_cases_have_no_simultaneous_band(options):
    y, s = forecasts()
    with pytest.raises(DataError, match="simultaneous=False"):
        ReliabilityDisplay.from_predictions(y, s, sample_weight=s + 1, band=0.9, **options)


def test_an_estimator_is_asked_for_probabilities():
    y, s = forecasts()
    X = np.column_stack([s, s**2])
    model = LogisticRegression().fit(X, y)
    display = ReliabilityDisplay.from_estimator(model, X, y)
    x, _ = display.artists_["LogisticRegression"].get_data()
    probability = model.predict_proba(X)[:, 1]
    assert (x[0], x[-1]) == (probability.min(), probability.max())
    with pytest.raises(DataError, match="predict_proba"):
        ReliabilityDisplay.from_estimator(RidgeClassifier().fit(X, y), X, y)


# Scores by class


def drawn_shares(display, key, line=0.0):
    data = display.artists_[key].get_data()
    return data.edges, data.values - line


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("scale", [1.0, 7.0])
def test_scores_by_class_are_histograms(weighted, scale):
    y, s = forecasts(900)
    s = (s * 2 - 1) * scale if scale > 1 else s
    w = np.random.default_rng(3).random(y.size) if weighted else np.ones(y.size)
    display = ScoresDisplay.from_predictions(y, s, sample_weight=w if weighted else None)
    for name in ("positive", "negative"):
        edges, shares = drawn_shares(display, name)
        own = y == (name == "positive")
        expected = np.histogram(s[own], edges, weights=w[own])[0] / w[own].sum()
        assert shares == pytest.approx(expected, abs=1e-12)
        assert np.ptp(np.diff(edges)) < 1e-9
    assert (edges[0], edges[-1]) == ((0, 1) if scale == 1 else (s.min(), s.max()))
    assert display.artists_["positive"].get_hatch() is None
    assert display.artists_["negative"].get_hatch()
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == (
        "score",
        "fraction of each class",
    )
    assert len(shares) >= 20
    assert not any("above" in text or "below" in text for text in words(display.ax_))


def test_the_number_of_bars_can_be_given():
    y, s = forecasts()
    display = ScoresDisplay.from_predictions(y, np.round(s * 4) / 4, bins=7)
    assert display.artists_["positive"].get_data().edges == pytest.approx(np.linspace(0, 1, 8))


def test_few_values_are_shown_one_by_one():
    y = np.array([1, 1, 0, 0, 0, 1])
    s = np.array([5.0, 2.0, 2.0, -1.0, -1.0, 5.0])
    edges, shares = drawn_shares(ScoresDisplay.from_predictions(y, s), "positive")
    assert edges == pytest.approx([-1.75, -0.25, 1.25, 2.75, 4.25, 5.75])
    assert shares == pytest.approx([0, 0, 1 / 3, 0, 2 / 3])
    _, shares = drawn_shares(ScoresDisplay.from_predictions(y, s), "negative")
    assert shares == pytest.approx([2 / 3, 0, 1 / 3, 0, 0])


def test_infinite_and_far_scores_stand_at_the_edges():
    rng = np.random.default_rng(0)
    y, s = rng.random(2000) < 0.5, rng.normal(size=2000)
    s[:3], s[3], s[4] = -np.inf, np.inf, 1e9
    display = ScoresDisplay.from_predictions(y, s)
    edges, shares = drawn_shares(display, "positive")
    assert edges[-1] < 10
    assert shares.sum() == pytest.approx(1)
    clipped = np.clip(s[y], edges[0], edges[-1])
    assert shares == pytest.approx(np.histogram(clipped, edges)[0] / y.sum())
    low, high = (s < edges[0]).sum(), (s > edges[-1]).sum()
    assert high >= 2
    assert {f"← {low} below", f"{high} above →"} <= set(words(display.ax_))


def test_no_finite_score_is_refused():
    with pytest.raises(DataError, match="all scores are infinite"):
        ScoresDisplay.from_predictions([1, 0], [np.inf, -np.inf])


@pytest.mark.parametrize(
    ("y", "s"), [([0, 1], [0.2, 0.7]), ([0, 1], [3.0, 3.0]), ([1], [0.5]), ([0, 0], [1e-300, 5])]
)
def test_tiny_data(y, s):
    display = ScoresDisplay.from_predictions(y, s)
    display.figure_.draw_without_rendering()
    totals = [drawn_shares(display, name)[1].sum() for name in ("positive", "negative")]
    assert totals == pytest.approx([float(any(y)), float(not all(y))])


def test_a_threshold_is_marked_with_its_rates():
    y, s = forecasts()
    display = ScoresDisplay.from_predictions(y, s, threshold=0.4)
    tn, fp, fn, tp = confusion_matrix(y, s >= 0.4).ravel()
    text = f"score ≥ 0.4\nTPR {tp / (tp + fn):.3f}, FPR {fp / (fp + tn):.3f}"
    assert text in words(display.ax_)
    assert set(display.artists_["threshold of model"].get_xdata()) == {0.4}


def test_the_best_threshold_is_marked():
    y, s = forecasts(100)
    display = ScoresDisplay.from_predictions(y, s, maximize="mcc")
    values = {t: matthews_corrcoef(y, s >= t) for t in s}
    (place,) = set(display.artists_["threshold of model"].get_xdata())
    assert values[place] == pytest.approx(max(values.values()))
    costly = ScoresDisplay.from_predictions(1 - y, s, cost_fp=1000, cost_fn=1e-9)
    assert any(text.startswith("none positive\nTPR 0.000") for text in words(costly.ax_))


def test_several_models_have_rows():
    y, scores = several(3)
    display = ScoresDisplay.from_predictions(y, scores, threshold=0.5)
    ranked = sorted(scores, key=lambda name: -roc_auc_score(y, scores[name]))
    named = labels(display.ax_.yaxis)
    aucs = [roc_auc_score(y, scores[name]) for name in ranked]
    assert named == [f"{n}\nAUC {auc:.3f}" for n, auc in zip(ranked, aucs, strict=True)]
    for row, name in enumerate(ranked):
        edges, up = drawn_shares(display, f"positive of {name}", -row)
        _, down = drawn_shares(display, f"negative of {name}", -row)
        expected = [np.histogram(scores[name][y == c], edges)[0] / (y == c).sum() for c in (1, 0)]
        top = max(map(max, expected))
        assert up == pytest.approx(0.46 * expected[0] / top)
        assert down == pytest.approx(-0.46 * expected[1] / top)
    assert f"positive ({(y == 1).sum()})" in display.ax_.get_title("right")


def test_weights_in_bars_are_those_of_the_table():
    table = mm.tabulate([1, 0, 1, 0], [0.2, 0.2, 0.5, 0.9], sample_weight=[1.5, 2, 0.25, 1])
    pos, neg = weights_in(table, np.array([0.0, 0.2, 0.5, 1.0]))
    assert pos.tolist() == [0, 1.5, 0.25]
    assert neg.tolist() == [0, 2, 1]
    (bars,) = bars_of({"a": table}, axis_of({"a": table}, None, "linear")).values()
    assert bars.positive[[0, 2, 4]] == pytest.approx([1.5 / 1.75, 0.25 / 1.75, 0])


@pytest.mark.parametrize(
    ("models", "options", "message"),
    [
        (1, {"threshold": math.nan}, "must be a number, got nan"),
        (1, {"threshold": "0.5"}, "must be a number, got '0.5'"),
        (1, {"threshold": 0.5, "maximize": "mcc"}, "cannot be combined"),
        (1, {"bins": 0}, "bins must be an integer from 1 to 1000 or None, got 0"),
        (1, {"cost_fp": -1, "cost_fn": 1}, "must be >= 0, got -1"),
        (2, {"highlight": ["x"]}, "highlight must be .*, got 'x'"),
    ],
)
def test_what_a_scores_display_refuses(models, options, message):
    with pytest.raises(ParameterError, match=message):
        ScoresDisplay.from_predictions(*several(models), **options)


def test_scores_of_too_many_models_are_refused():
    with pytest.raises(DataError, match="up to 7 models, got 8"):
        ScoresDisplay.from_predictions(*several(8))


def skewed(n=4000, seed=2):
    """Labels of a rare class, and probabilities most of which are close to 0."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.05
    return y, 1 / (1 + np.exp(6 - 1.5 * (2 * y + rng.normal(size=n))))


@pytest.mark.parametrize(
    ("change", "label"),
    [
        (lambda s: s, "score (log scale; scores are skewed)"),
        (lambda s: np.where(s < 0.001, 0.0, s), "score (quantile scale; scores are skewed)"),
        (lambda s: 1 - s, "score (quantile scale; scores are skewed)"),
        (lambda s: -np.log(s), "score"),
    ],
)
def test_skewed_scores_have_another_scale_and_the_axis_names_it(change, label):
    y, score = skewed()
    display = ScoresDisplay.from_predictions(y, change(score))
    assert display.ax_.get_xlabel() == label
    assert ScoresDisplay.from_predictions(y, score, scale="linear").ax_.get_xlabel() == "score"


@pytest.mark.parametrize("scale", ["log", "quantile"])
def test_bars_of_other_scales_have_the_fractions_of_numpy(scale):
    y, score = skewed()
    display = ScoresDisplay.from_predictions(y, score, scale=scale, bins=12, threshold=0.02)
    assert display.ax_.get_xlabel() == f"score ({scale} scale)"
    if scale == "log":
        edges = np.geomspace(score.min(), 1.0, 13)
        places = np.log10(edges)
        middle = math.log10(0.02)
    else:
        ordered = np.sort(score)
        ends = np.ceil(np.linspace(0, score.size, 13)).astype(int) - 1
        edges, places = ordered[np.maximum(ends, 0)], np.arange(13)
        middle = np.interp(0.02, edges, places)
    for word, members in (("positive", score[y]), ("negative", score[~y])):
        drawn, heights = drawn_shares(display, word, 0)
        assert drawn == pytest.approx(places)
        assert heights == pytest.approx(np.histogram(members, edges)[0] / members.size, abs=2e-3)
    assert display.artists_["threshold of model"].get_xdata() == pytest.approx([middle] * 2)
    for place, text in zip(display.ax_.get_xticks(), labels(display.ax_.xaxis), strict=True):
        right = 10**place if scale == "log" else edges[round(place)]
        assert float(text) == pytest.approx(right, rel=5e-3)


def test_a_few_tiny_scores_do_not_widen_a_log_scale():
    y, score = skewed()
    tiny = score.copy()
    tiny[:3] = 1e-16, 1e-15, 1e-17
    display = ScoresDisplay.from_predictions(y, tiny)
    assert display.ax_.get_xlabel() == "score (log scale; scores are skewed)"
    left, right = display.ax_.get_xlim()
    assert right - left < 6
    (bars,) = display.bars.values()
    assert bars.beyond[0] >= 3
    assert (bars.positive.sum(), bars.negative.sum()) == pytest.approx((1, 1))


def test_a_log_scale_needs_positive_scores():
    y, score = several(1)
    with pytest.raises(DataError, match=r'scale="log" needs positive scores, got -'):
        ScoresDisplay.from_predictions(y, {"a": next(iter(score.values())) - 9}, scale="log")
    with pytest.raises(DataError, match=r'scale="log" needs positive scores, got 0; use scale="qu'):
        ScoresDisplay.from_predictions([1, 0, 1], [0.0, 0.5, 1.0], scale="log")


def test_a_few_scores_that_are_close_together_are_drawn_apart():
    display = ScoresDisplay.from_predictions([1, 0, 1, 0], [0.001, 0.002, 0.9, 0.9])
    edges, _ = drawn_shares(display, "positive", 0)
    assert edges == pytest.approx([-0.25, 0.25, 0.75, 1.25, 1.75, 2.25])
    assert labels(display.ax_.xaxis) == ["0.001", "0.002", "0.9"]


def test_some_of_many_models_are_shown():
    display = ScoresDisplay.from_predictions(*several(9), highlight=["m8", "m2"])
    assert list(display.bars) == ["m8", "m2"]


# Forests


def markers(display, title):
    found = {}
    for key, artist in display.artists_.items():
        if key.startswith(f"{title}: "):
            found[key.removeprefix(f"{title}: ")] = artist.get_xdata()[0]
    return found


def test_a_forest_has_the_values_and_limits_of_the_evaluation():
    y, scores = several(3)
    result = mm.evaluate(y, scores, "auc, brier", mute="MM04")
    display = ForestDisplay(result, shared=True).plot()
    for row in result.rows:
        key = f"{row.measure} {'↑' if str(row.measure) == 'auc' else '↓'}: {row.model}"
        assert display.artists_[key].get_xdata()[0] == row.value
        ends = display.artists_[f"interval of {key}"].get_xdata()
        assert ends == pytest.approx([row.low, row.high])
        assert (
            display.artists_[key].get_ydata()[0]
            == display.artists_[f"interval of {key}"].get_ydata()[0]
        )
    assert markers(display, "auc ↑") == pytest.approx(
        {name: roc_auc_score(y, s) for name, s in scores.items()}
    )
    assert {"auc ↑", "brier ↓", "value", "95% CI"} <= set(words(display.ax_))
    names = labels(display.ax_.yaxis)
    assert names == ["m0", "m1", "m2"] * 2
    low, high = display.ax_.get_xlim()
    assert low < min(row.low for row in result.rows)
    assert high > max(row.high for row in result.rows)
    assert display.ax_.get_ylim()[0] > display.ax_.get_ylim()[1]


@pytest.mark.parametrize(
    ("first", "second", "axes"),
    [
        ((0.90, 0.92), (0.93, 0.95), 1),  # the common axis is less than three times as wide
        ((0.90, 0.92), (0.10, 0.12), 2),
        ((0.10, 0.90), (0.50, 0.52), 2),  # on the axis of the first the second is a dot
    ],
)
def test_measures_share_an_axis_unless_it_is_much_wider(first, second, axes):
    rows = [
        Row(model=model, measure=mm.parse(measure), value=value, n=9, n_pos=4, dropped=0)
        for measure, values in (("auc", first), ("brier", second))
        for model, value in zip("ab", values, strict=True)
    ]
    assert len(ForestDisplay(Evaluation(rows)).panels) == axes
    assert len(ForestDisplay(Evaluation(rows), shared=True).panels) == 1
    assert len(ForestDisplay(Evaluation(rows), shared=False).panels) == 2
    alone = [row for row in rows if row.model == "a"]
    assert len(ForestDisplay(Evaluation(alone)).panels) == 1


def test_numbers_stand_in_columns_with_the_same_decimals():
    y, scores = several(3)
    display = ForestDisplay.from_predictions(y, scores, measures="auc")
    numbers = [t for t in display.ax_.texts if re.fullmatch(r"\d\.\d+", t.get_text())]
    assert len(numbers) == 9
    assert len({len(t.get_text()) for t in numbers}) == 1
    assert len({t.xyann[0] for t in numbers}) == 3
    assert {t.get_ha() for t in numbers} == {"right"}
    shown = {float(t.get_text()) for t in numbers}
    for s in scores.values():
        assert min(abs(roc_auc_score(y, s) - value) for value in shown) < 5.1e-4


def guides(display, y):
    """Where the short lines of a row at some height are."""
    return {
        line.get_xdata()[0]
        for line in display.ax_.lines
        if len(set(line.get_xdata())) == 1 and len(line.get_xdata()) == 2
        and min(line.get_ydata()) < y < max(line.get_ydata())
    }  # fmt: skip


@pytest.mark.parametrize(
    ("measure", "of_constant"),
    [
        ("accuracy", lambda y, s: accuracy_score(y, s >= 0.5)),
        ("accuracy@0.1", lambda y, s: accuracy_score(y, s >= 0.1)),
        ("brier", brier_score_loss),
        ("log_loss", log_loss),
        ("auc", roc_auc_score),
    ],
)
def test_the_baseline_is_the_value_of_constant_scores(measure, of_constant):
    y, s = forecasts(power=3)
    # A second model at the constant score makes sure that the baseline is in view.
    constant = np.full(y.size, y.mean())
    result = mm.evaluate(y, {"a": s, "b": constant}, measure, None, mute=["MM04"])
    display = ForestDisplay(result).plot()
    heights = [display.ax_.get_yticks()[0], display.ax_.get_yticks()[1]]
    for height in heights:
        (guide,) = guides(display, height)
        assert guide == pytest.approx(of_constant(y, constant))
    assert "dotted" in display.ax_.get_xlabel()


def test_baselines_of_groups_and_of_weighted_cases():
    y, s = forecasts(power=3)
    half = s > 0.5
    display = ForestDisplay.from_predictions(y, s, measures="brier", group=half, ci=None)
    assert labels(display.ax_.yaxis) == ["all cases", "False", "True"]
    for row, own in zip(display.blocks[0].rows, (y >= 0, ~half, half), strict=True):
        p = y[own].mean()
        assert row.guides == pytest.approx((p * (1 - p),))
    weight = 1 + s
    drawn = ForestDisplay.from_predictions(y, s, measures="brier", sample_weight=weight, ci=None)
    p = np.average(y, weights=weight)
    assert drawn.blocks[0].rows[0].guides == pytest.approx((p * (1 - p),))
    model = LogisticRegression().fit(s[:, None], y)
    of_model = ForestDisplay.from_estimator(
        model, s[:, None], y, measures="brier", sample_weight=weight
    )
    assert of_model.blocks[0].rows[0].guides == pytest.approx((p * (1 - p),))
    probability = model.predict_proba(s[:, None])[:, 1]
    expected = brier_score_loss(y, probability, sample_weight=weight)
    assert of_model.blocks[0].rows[0].value == pytest.approx(expected)
    assert of_model.ax_.get_title("left") == "LogisticRegression"


def test_several_classes_have_no_prevalence():
    rng = np.random.default_rng(0)
    y, scores = rng.integers(0, 3, 60), rng.dirichlet([1, 1, 1], 60)
    display = ForestDisplay.from_predictions(y, scores, measures="hand_till_auc", ci=None)
    expected = mm.hand_till_auc(y, scores)
    assert display.blocks[0].rows[0].value == pytest.approx(expected)


def test_unbounded_measures_have_axes_of_their_own():
    y, scores = several(2)
    display = ForestDisplay.from_predictions(
        y, scores, measures="auc, log_loss, mcc, sse", ci=None, shared=True
    )
    assert [[b.title for b in panel] for panel in display.panels] == [
        ["auc ↑", "mcc ↑"], ["log_loss ↓"], ["sse ↓"],
    ]  # fmt: skip
    assert len(display.ax_.child_axes) == 3
    assert not display.ax_.axison
    for panel, inset in zip(display.panels, display.ax_.child_axes, strict=True):
        low, high = inset.get_xlim()
        values = [row.value for block in panel for row in block.rows]
        assert low < min(values)
        assert high > max(values)
        width = inset.get_position().height
        assert width > 0
    own = ForestDisplay.from_predictions(y, scores, measures="auc, mcc", shared=False, ci=None)
    assert len(own.panels) == 2


def test_infinite_and_undefined_values():
    y = [0, 1, 0, 1]
    with pytest.warns(UndefinedMeasureWarning):
        result = mm.evaluate(
            y, {"a": [0.0, 0.0, 0.1, 1.0], "b": [0.2, 0.4, 0.3, 0.9]},
            "log_loss, calibration_slope", None,
        )  # fmt: skip
    display = ForestDisplay(result).plot()
    display.figure_.draw_without_rendering()
    at_edge = display.artists_["log_loss ↓: a"]
    inset = display.ax_.child_axes[0]
    assert at_edge.get_marker() == ">"
    assert at_edge.get_xdata()[0] == inset.get_xlim()[1]
    assert "∞" in words(inset)
    assert "calibration_slope →1: a" not in display.artists_
    assert "–" in words(display.ax_.child_axes[1])


def test_models_can_go_down_from_the_best():
    y, scores = several(6)
    scores = dict(sorted(scores.items(), key=lambda item: roc_auc_score(y, item[1])))
    for measure, sign in (("auc", -1), ("brier", 1)):
        display = ForestDisplay.from_predictions(y, scores, measures=measure, sort=True, ci=None)
        values = [row.value for row in display.blocks[0].rows]
        assert values == sorted(values, key=lambda value, sign=sign: sign * value)


def test_a_comparison_has_differences_and_p_values():
    y, scores = several(3)
    result = mm.compare(y, scores, "auc", mute="MM04")
    display = ForestDisplay(result).plot()
    auc = {name: roc_auc_score(y, s) for name, s in scores.items()}
    pairs = (("m0", "m1"), ("m0", "m2"), ("m1", "m2"))
    expected = {f"{a} - {b}": auc[a] - auc[b] for a, b in pairs}
    assert markers(display, "auc ↑") == pytest.approx(expected)
    shown = set(words(display.ax_))
    assert {"difference", "95% CI", "adjusted p"} <= shown
    for row in result.rows:
        p = row.adjusted_pvalue
        assert (f"{p:.4f}" if p >= 0.0001 else "<0.0001") in shown
    low, high = display.ax_.get_xlim()
    assert low < 0 < high
    assert guides(display, display.ax_.get_yticks()[0]) == {0.0}
    assert display.ax_.get_xlabel() == "difference"
    assert labels(display.ax_.yaxis) == ["m0 − m1", "m0 − m2", "m1 − m2"]


@pytest.mark.parametrize(("measure", "where"), [("auc", -0.05), ("brier", 0.05)])
def test_the_margin_is_marked_where_a_model_is_worse(measure, where):
    y, scores = several(2)
    display = ForestDisplay(mm.compare(y, scores, measure, margin=0.05, mute="MM04")).plot()
    assert guides(display, display.ax_.get_yticks()[0]) == {0.0, where}
    assert "dashed" in display.ax_.get_xlabel()


def test_one_pair_and_ranks_over_data_sets():
    y, scores = several(2)
    pair = ForestDisplay(mm.compare(y, scores, mute="MM04")).plot()
    assert "p" in words(pair.ax_)
    assert pair.ax_.get_yticklabels()[0].get_text() == "m0 − m1"
    values = {"a": [0.9, 0.8, 0.7, 0.9], "b": [0.8, 0.7, 0.6, 0.7], "c": [0.7, 0.75, 0.5, 0.6]}
    ranks = ForestDisplay(mm.compare_datasets(values, measure="auc")).plot()
    assert "average rank by auc ↓" in words(ranks.ax_)
    assert markers(ranks, "average rank by auc ↓")["a - b"] == pytest.approx(1.0 - 2.25)
    plain = ForestDisplay(
        mm.compare_folds({"a": values["a"], "b": values["b"]}, n_train=9, n_test=1)
    )
    assert plain.blocks[0].title == ""


def test_fifty_models_make_a_high_forest():
    y, scores = several(50, n=80)
    display = ForestDisplay.from_predictions(y, scores, measures="auc", ci=None)
    assert display.figure_.get_size_inches()[1] > 8
    assert set(display.colors.values()) == {"#333333"}


def test_what_a_forest_refuses():
    y, scores = several(60, n=60)
    with pytest.raises(DataError, match="evaluate or compare"):
        ForestDisplay(mm.roc(y, scores["m0"]))
    with pytest.raises(DataError, match="up to 200 rows, got 240"):
        ForestDisplay.from_predictions(y, scores, measures="auc, ks, brier, mcc", ci=None)
    pair = mm.compare(y, {"a": scores["m0"], "b": scores["m1"]}, mute=["MM01", "MM04"])
    with pytest.raises(ParameterError, match="sort does not apply"):
        ForestDisplay(pair, sort=True)
    result = mm.evaluate(y, scores["m0"], "auc", None)
    with pytest.raises(ParameterError, match=r"prevalence must be in \[0, 1\] or None, got 2"):
        ForestDisplay(result, prevalence=2)


# Confusion matrices


def labeled(k, n=500, seed=0):
    rng = np.random.default_rng(seed)
    true = rng.integers(0, k, n)
    return true, np.where(rng.random(n) < 0.8, true, rng.integers(0, k, n))


@pytest.mark.parametrize("normalize", [None, "true", "predicted", "all"])
@pytest.mark.parametrize("weighted", [False, True])
def test_cells_are_those_of_scikit_learn(normalize, weighted):
    true, predicted = labeled(5)
    w = np.random.default_rng(1).random(true.size) if weighted else None
    display = ConfusionDisplay.from_predictions(
        true, predicted, sample_weight=w, normalize=normalize
    )
    by = {None: "true", "predicted": "pred"}.get(normalize, normalize)
    shares = confusion_matrix(true, predicted, sample_weight=w, normalize=by)
    counts = confusion_matrix(true, predicted, sample_weight=w)
    drawn = display.artists_["cells"]
    assert np.asarray(drawn.get_array()).reshape(5, 5) == pytest.approx(shares, abs=1e-12)
    assert drawn.norm.vmin == 0
    assert drawn.norm.vmax == pytest.approx(shares.max() if normalize == "all" else 1)
    for row, column in np.ndindex(5, 5):
        text = display.artists_[f"cell {row}, {column}"]
        assert text.get_position() == (column, row)
        first, *second = text.get_text().split("\n")
        if normalize is not None:
            assert float(first) == pytest.approx(100 * shares[row, column], abs=0.0501)
        else:
            assert float(first) == pytest.approx(counts[row, column], rel=0.0051)
            assert (not second) == (counts[row, column] == 0)
            if second and "<" not in second[0]:
                share = float(second[0].removesuffix("%"))
                assert share == pytest.approx(100 * shares[row, column], abs=0.501)
    axes = display.ax_
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("predicted class", "true class")
    assert axes.get_ylim() == (4.5, -0.5)
    whole = {"predicted": "the predicted class", "all": "all cases"}
    assert axes.get_title("right").endswith(
        f" cases; % of {whole.get(normalize, 'the true class')}"
    )


def contrast(one, other):
    def luminance(color):
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color[:3]]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def test_letters_stand_out_and_the_hue_gets_ever_darker():
    hue = mpl.colors.LinearSegmentedColormap.from_list("share", HUE)
    white = [contrast(hue(share), (1, 1, 1)) for share in np.linspace(0, 1, 101)]
    assert (np.diff(white) > 0).all()
    for share in np.linspace(0, 1, 101):
        assert contrast(hue(share), to_rgb(letters_on(hue(share)))) > 3.4
    shares = ConfusionDisplay(mm.ConfusionMatrix([[99, 1], [0, 5]])).plot()
    colors = [shares.artists_[f"cell 0, {c}"].get_color() for c in (0, 1)]
    assert colors == ["white", LETTERS]


def test_letters_on_cells_stand_out_on_a_dark_ground():
    with plt.style.context("dark_background"):
        display = ConfusionDisplay(mm.ConfusionMatrix([[99, 1], [30, 30]])).plot()
    cells = display.artists_["cells"]
    behind = cells.to_rgba(cells.get_array()).reshape(2, 2, 4)
    for row, column in np.ndindex(2, 2):
        letters = to_rgb(display.artists_[f"cell {row}, {column}"].get_color())
        assert contrast(behind[row, column], letters) > 3.4


def test_percentages_are_not_rounded_to_0_or_100():
    display = ConfusionDisplay(mm.ConfusionMatrix([[999, 1], [0, 0]], labels=["a", "b"]))
    assert display.texts[0] == [("999", ">99%"), ("1", "<1%")]
    assert display.texts[1] == [("0", ""), ("0", "")]
    shares = ConfusionDisplay(display.matrix, normalize="true")
    assert shares.texts[1] == [("–", ""), ("–", "")]
    drawn = shares.plot().artists_["cells"].get_array()
    assert np.ma.getmaskarray(drawn).reshape(2, 2).tolist() == [[False, False], [True, True]]


def test_thirty_classes_have_numbers_and_more_have_a_scale():
    thirty = ConfusionDisplay.from_predictions(*labeled(30, 3000))
    assert sum(key.startswith("cell ") for key in thirty.artists_) == 900
    assert len(thirty.ax_.get_xticks()) == 30
    many = ConfusionDisplay.from_predictions(*labeled(31, 3000))
    assert list(many.artists_) == ["cells"]
    (bar,) = many.ax_.child_axes
    assert bar.get_ylabel() == "fraction of the true class"


def test_a_thousand_classes():
    true, predicted = labeled(1000, 20_000)
    true[:1000] = np.arange(1000)
    display = ConfusionDisplay.from_predictions(true, predicted, labels=list(range(1000)))
    shares = confusion_matrix(true, predicted, normalize="true", labels=range(1000))
    drawn = np.asarray(display.artists_["cells"].get_array())
    # Three classes are drawn as one, by the largest share, so that no error is lost.
    pooled = np.zeros((334, 334))
    np.maximum.at(pooled, (np.arange(1000)[:, None] // 3, np.arange(1000) // 3), shares)
    assert drawn == pytest.approx(pooled)
    assert display.artists_["cells"].get_extent() == [-0.5, 999.5, 999.5, -0.5]
    ticks = display.ax_.get_xticks()
    assert len(ticks) <= 20
    assert labels(display.ax_.xaxis) == [str(int(tick)) for tick in ticks]


def test_numbers_that_do_not_fit_are_left_out():
    _, axes = plt.subplots(figsize=(1.6, 1.6), layout="constrained")
    display = ConfusionDisplay(mm.ConfusionMatrix.of(*labeled(20, 5000))).plot(axes)
    assert list(display.artists_) == ["cells"]
    assert len(axes.get_xticks()) < 20


def test_scores_are_cut():
    y, s = forecasts()
    display = ConfusionDisplay.from_predictions(y, y_score=s, threshold=0.3)
    assert display.matrix.counts == pytest.approx(confusion_matrix(y, s >= 0.3))
    assert ConfusionDisplay.from_predictions(y, y_score=s, k=10).matrix.counts[:, 1].sum() == 10


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "score ≥ 0.5"),
        ({"threshold": 0.3, "normalize": "true"}, "score ≥ 0.3"),
        ({"top": 0.1}, "top 10%"),
        ({"k": 12}, "top 12"),
        ({"k": "P"}, "top P, the number of positives"),
        ({"at_fpr": 0.05}, "FPR up to 0.05"),
        ({"at_tpr": 0.9}, "TPR up to 0.9"),
    ],
)
def test_a_matrix_of_scores_says_where_they_were_cut(options, message):
    y, s = forecasts()
    display = ConfusionDisplay.from_predictions(y, y_score=s, **options)
    assert f"predicted positive: {message}" in words(display.ax_)
    display.figure_.draw_without_rendering()
    (note,) = (text for text in display.ax_.texts if message in text.get_text())
    box, label = note.get_window_extent(), display.ax_.xaxis.label.get_window_extent()
    assert 0 <= box.y0 < box.y1 <= label.y0


def test_a_matrix_knows_whether_it_was_cut():
    y, s = forecasts()
    display = ConfusionDisplay.from_predictions(y, s >= 0.5)
    assert not any("predicted positive" in text for text in words(display.ax_))
    cut = ConfusionDisplay(mm.ConfusionMatrix.at(y, s, top=0.2)).plot()
    assert "predicted positive: top 20%" in words(cut.ax_)


def test_estimators_predict_or_are_cut():
    y, s = forecasts()
    X = s[:, None]
    model = LogisticRegression().fit(X, y)
    display = ConfusionDisplay.from_estimator(model, X, y)
    assert display.matrix.counts == pytest.approx(confusion_matrix(y, model.predict(X)))
    cut = ConfusionDisplay.from_estimator(model, X, y, threshold=0.2, normalize="all")
    expected = confusion_matrix(y, model.predict_proba(X)[:, 1] >= 0.2)
    assert cut.matrix.counts == pytest.approx(expected)
    many = DecisionTreeClassifier().fit(X, np.arange(y.size) % 3)
    with pytest.raises(DataError, match="two classes, got 3"):
        ConfusionDisplay.from_estimator(many, X, np.arange(y.size) % 3, threshold=0.5)
    assert len(ConfusionDisplay.from_estimator(many, X, np.arange(y.size) % 3).names) == 3


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0, 1],), {}, "pass either y_pred or y_score"),
        (([0, 1], [0, 1]), {"y_score": [0.1, 0.2]}, "pass either y_pred or y_score"),
        (([0, 1], [0, 1]), {"threshold": 0.5}, "threshold applies to scores"),
        (
            ([0, 1],),
            {"y_score": [0.1, 0.2], "labels": [0, 1]},
            "labels applies to predicted classes",
        ),
        (
            ([0, 1], [0, 1]),
            {"normalize": "row"},
            "normalize must be one of 'true', 'predicted', 'all' or None, got 'row'",
        ),
    ],
)
def test_what_a_confusion_display_refuses(arguments, options, message):
    with pytest.raises(ParameterError, match=message):
        ConfusionDisplay.from_predictions(*arguments, **options)
    with pytest.raises(DataError, match="ConfusionMatrix"):
        ConfusionDisplay([[1, 2], [3, 4]])


# All of them


@pytest.mark.parametrize("display", [ReliabilityDisplay, ScoresDisplay, ForestDisplay])
def test_hostile_names(display, tmp_path):
    y, scores = several(len(HOSTILE), n=60)
    scores = dict(zip(HOSTILE, scores.values(), strict=True))
    options = {"measures": "auc", "ci": None} if display is ForestDisplay else {}
    drawn = display.from_predictions(y, scores, **options)
    drawn.save(tmp_path / "a.svg")
    shown = " ".join(texts_of(drawn.figure_))
    for part in (r"\$x^2\$", "_hidden", "<b>", "a name that is…r any picture", r"a\x0ab"):
        assert part in shown


def test_hostile_classes(tmp_path):
    matrix = mm.ConfusionMatrix(np.eye(len(HOSTILE)), labels=HOSTILE)
    display = ConfusionDisplay(matrix)
    display.save(tmp_path / "a.png", dpi=50)
    named = labels(display.ax_.yaxis)
    assert named[0] == r"\$x^2\$"
    assert named[-1] == "''"


def test_pictures_are_drawn_on_given_axes_again():
    y, s = forecasts()
    displays = (
        ReliabilityDisplay.from_predictions(y, s, band=None),
        ScoresDisplay.from_predictions(y, s),
        ForestDisplay.from_predictions(y, s, measures="auc, log_loss", ci=None),
        ConfusionDisplay.from_predictions(y, y_score=s),
    )
    figure, axes = plt.subplots(2, 2, layout="constrained", figsize=(9, 9))
    for display, target in zip(displays, axes.flat, strict=True):
        assert display.plot(target) is display
        assert display.ax_ is target
        assert display.figure_ is figure
    figure.draw_without_rendering()


# Commands


@pytest.fixture
def run(tmp_path):
    y, scores = several(3)
    path = tmp_path / "a.csv"
    columns = {"label": y, "guess": (scores["m0"] > 0.5).astype(int), "w": 1 + scores["m1"]}
    pl.DataFrame({**columns, **scores}).write_csv(path)

    def call(name, *options, out="out.svg"):
        words = [name, str(path), "-o", str(tmp_path / out), "--label", "label", *options]
        done = run_plot(*words)
        return done, tmp_path / out

    return call


SCORE = ("--score", "m0")
ALL = ("--score", "m0", "--score", "m1", "--score", "m2")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("reliability", *SCORE, "--bins", "5", "--band", "0.9"), "miscalibration"),
        (("reliability", *ALL, "--no-band"), "MCB"),
        (("reliability", *SCORE, "--weight", "w", "--band", "0.9", "--around", "curve",
          "--pointwise"), "pointwise"),
        (("scores", *SCORE, "--threshold", "0.4"), "score ≥ 0.4"),
        (("scores", *ALL, "--cost-fp", "1", "--cost-fn", "5"), "up: positive"),
        (("scores", *ALL, "--highlight", "m1", "--maximize", "mcc"), "TPR"),
        (("forest", *ALL, "--measures", "auc,log_loss", "--no-ci", "--sort"), "log_loss ↓"),
        (("forest", *ALL, "--reference", "m1", "--ci", "0.9"), "90% CI"),
        (("forest", *ALL, "--compare", "--measures", "auc,brier"), "brier ↓"),
        (("confusion", "--predicted", "guess"), "% of the true class"),
        (("confusion", *SCORE, "--top", "20%", "--normalize", "all"), "% of all cases"),
    ],
)  # fmt: skip
def test_commands_draw(run, words, text, monkeypatch):
    drawn = []
    monkeypatch.setattr(
        "metameasure.plots._drawing.display.Display.save",
        lambda display, file, **options: (drawn.append(display.plot()), file.write_text("x")),
    )
    done, file = run(*words)
    assert done.exit_code == 0, done.output
    assert file.exists()
    shown = texts_of(drawn[0].figure_)
    assert any(text in part for part in shown)


def test_a_command_writes_a_file(run):
    done, file = run("confusion", "--predicted", "guess", out="out.png")
    assert done.exit_code == 0
    assert file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("reliability", *SCORE, "--around", "x"), "--around"),
        (("reliability", *SCORE, "--equal", "x"), "--equal"),
        (("reliability", *SCORE, "--band", "1"), "must be in (0, 1), got 1"),
        (("reliability", *SCORE, "--band", "0.9", "--no-band"), "given more than once"),
        (("reliability", *SCORE, "--bins", "0"), "--bins"),
        (("scores", *SCORE, "--threshold", "1", "--maximize", "mcc"), "--threshold"),
        (("scores", *SCORE, "--cost-fp", "-1", "--cost-fn", "1"), "--cost-fp"),
        (("forest", *ALL, "--compare", "--sort"), "--sort"),
        (("forest", *ALL, "--compare", "--no-ci"), "--compare needs --ci"),
        (("forest", *ALL, "--ci", "1"), "--ci"),
        (("confusion", "--predicted", "guess", "--normalize", "x"), "--normalize"),
        (("confusion",), "--predicted"),
        (
            ("confusion", "--predicted", "guess", "--threshold", "0.5"),
            "--threshold has no effect",
        ),
    ],
)
def test_wrong_options_are_usage_errors(run, words, message):
    done, file = run(*words)
    assert done.exit_code == 2
    assert message in done.output
    assert not file.exists()


@pytest.mark.parametrize(
    ("error", "words", "message"),
    [
        (DataError, ("reliability", "--score", "w"), r"needs scores in \[0, 1\]"),
        (ParameterError, ("forest", *ALL, "--reference", "x"), "reference must be one of"),
        (ParameterError, ("confusion", "--predicted", "nothing"), "no column 'nothing'"),
        (ParameterError, ("reliability", *ALL, "--highlight", "x"), "highlight must be .* got 'x'"),
    ],
)
def test_wrong_data_and_names(run, error, words, message):
    done, _ = run(*words)
    assert isinstance(done.exception, error)
    assert re.search(message, str(done.exception))


def test_models_are_the_tables_of_a_picture():
    y, s = forecasts()
    models = Models(mm.Predictions.of(y, {"a": s}))
    assert ScoresDisplay(models, bins=4).bars["a"].positive == pytest.approx(
        np.histogram(s[y == 1], 4, (0, 1))[0] / y.sum()
    )


def test_models_keep_their_colors_when_a_forest_is_sorted():
    y, scores = several(3)
    plain, ordered = (
        ForestDisplay.from_predictions(y, scores, measures="auc", sort=sort)
        for sort in (False, True)
    )
    assert plain.colors == ordered.colors
