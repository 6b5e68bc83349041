"""Pictures of sROC, TPR-FPR, DET and precision-recall curves: what is drawn, not pixels."""

import re
from itertools import pairwise, product
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from drawing import HOSTILE, distance_to_line, legend_texts
from matplotlib import pyplot as plt
from program import run_plot
from scipy.optimize import brentq
from scipy.stats import ks_2samp, norm
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    average_precision_score,
    fbeta_score,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)

import metameasure as mm
from metameasure.errors import DataError, ParameterError
from metameasure.plots import RocDisplay, sroc
from metameasure.plots._drawing.layout import legend, line_entry
from metameasure.plots._drawing.style import strokes
from metameasure.plots._drawing.thinning import COLUMNS, seen
from metameasure.plots.det import DetDisplay
from metameasure.plots.precision_recall import PrecisionRecallDisplay
from metameasure.plots.sroc import SrocDisplay
from metameasure.plots.tpr_fpr import TprFprDisplay

SEEN = 1 / 2000
DISPLAYS = [SrocDisplay, DetDisplay, PrecisionRecallDisplay]
M1 = [1, 1, 1, 0, 0, 0], [1, 0.7, 0.6, 0.5, 0.4, 0]
M2 = [1, 1, 0, 1, 0, 0], [1, 0.9, 0.6, 0.5, 0.2, 0]


def cases(n=300, seed=0, models=1, ties=False, gap=1.0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    raw = (rng.normal(size=n) + (gap + 0.1 * k) * y for k in range(models))
    scores = {f"m{k}": 1 / (1 + np.exp(-score)) for k, score in enumerate(raw)}
    if ties:
        scores = {name: np.round(4 * score) / 4 for name, score in scores.items()}
    return y, scores


def cuts_at(words, threshold, scores):
    """Whether the threshold that is written parts the cases as the true one does."""
    written = float(re.search(r"score ≥ (\S+)", words)[1])
    return all((score >= written) == (score >= threshold) for score in scores)


def one(n=300, seed=0, ties=False, gap=1.0):
    y, scores = cases(n, seed, ties=ties, gap=gap)
    return y, scores["m0"]


def apart(line, other):
    """How far each of two lines lies from the other, at the most."""
    there = distance_to_line(line[0], line[1], *other).max()
    return max(there, distance_to_line(other[0], other[1], *line).max())


def draw(kind, *data, **options):
    """A display on axes that are laid out fast."""
    return kind.from_predictions(*data, ax=plt.subplots(figsize=kind.size)[1], **options)


def texts(display):
    return [*(text.get_text() for text in display.ax_.texts), *legend_texts(display.ax_)]


def all_rates(y, s):
    fpr, tpr, threshold = roc_curve(y, s, drop_intermediate=False)
    return fpr, tpr, threshold


def under(line):
    """The area under a line from left to right."""
    x, y = line
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2))


# sROC


def beyond(y, s, margin):
    """The share of the pairs whose positive is ahead by more than a margin, one by one."""
    y, s = np.asarray(y), np.asarray(s)
    pairs = [a - b > margin for a, b in product(s[y == 1], s[y == 0])]
    return np.mean(pairs)


def test_figure_1_of_wu_flach_and_ferri():
    models = {"M1": mm.tabulate(*M1), "M2": mm.tabulate(*M2)}
    display = draw(SrocDisplay, models)
    for name, case in (("M1", M1), ("M2", M2)):
        x, height = display.artists_[name].get_data()
        flat = np.diff(x) > 1e-9
        assert not np.diff(height)[flat].any(), "only steps"
        middles = (x[:-1] + np.diff(x) / 2)[flat]
        exact = [beyond(*case, margin) for margin in middles]
        assert height[:-1][flat] == pytest.approx(exact)
        assert (x[0], x[-1]) == (0, 1)
    # The text: with 0.25 off the positives, 6/9 is left of M1's AUC, and 8/9 of M2's as before.
    at = {name: _height_at(display.artists_[name], 0.25) for name in models}
    assert at == {"M1": pytest.approx(6 / 9), "M2": pytest.approx(8 / 9)}
    dots = {name: display.artists_[f"AUC of {name}"].get_xydata()[-1].tolist() for name in models}
    assert dots == {"M1": [0, 1], "M2": [0, pytest.approx(8 / 9)]}
    # Sec. 3: sAUC is the mean of the positive differences: 4.2 / 9 and 4.9 / 9.
    assert {"M1  sAUC 0.467", "M2  sAUC 0.544"} <= set(texts(display))
    assert display.ax_.get_title("left") == "dots: AUC"
    assert display.ax_.get_xlabel() == "margin"


def _height_at(line, x):
    wide, high = line.get_data()
    return high[np.flatnonzero(wide <= x)[-1]]


def test_the_area_under_the_drawn_sroc_is_the_scored_auc():
    y, s = one(200)
    display = draw(SrocDisplay, y, s)
    mean = np.maximum(s[y][:, None] - s[~y], 0).mean()
    assert under(display.artists_["model"].get_data()) == pytest.approx(mean, abs=SEEN)
    assert texts(display) == [f"sAUC {mean:.3f}"]
    assert display.ax_.get_title("left") == "dot: AUC"


def test_half_of_the_ties_lie_between_the_sroc_and_the_auc():
    y, s = one(ties=True)
    display = draw(SrocDisplay, y, s)
    ahead, tied = np.mean(s[y][:, None] > s[~y]), np.mean(s[y][:, None] == s[~y])
    ((_, low), (_, high)) = display.artists_["AUC of model"].get_xydata()
    assert display.artists_["model"].get_ydata()[0] == low == pytest.approx(ahead)
    assert high == pytest.approx(roc_auc_score(y, s)) == pytest.approx(ahead + tied / 2)


def test_more_steps_than_are_worth_drawing_are_exact_at_many_margins(monkeypatch):
    monkeypatch.setattr(sroc, "MOST_PAIRS", 1000)
    y, s = one(150)
    line = draw(SrocDisplay, y, s)
    assert len(line.curves["model"]) == sroc.GRID + 1
    gaps = (s[y][:, None] - s[~y]).reshape(-1)
    exact = [np.mean(gaps > margin) for margin in line.curves["model"].x]
    assert line.curves["model"].y == pytest.approx(exact, abs=1e-12)
    x, height = line.artists_["model"].get_data()
    assert (height >= np.array([np.mean(gaps > m + 1 / sroc.GRID) for m in x])).all()
    assert (height <= np.array([np.mean(gaps > m - 1 / sroc.GRID) for m in x])).all()
    # The limit is for all models together.
    y, scores = cases(30, models=6)
    few = draw(SrocDisplay, y, {"m0": scores["m0"]})
    many = draw(SrocDisplay, y, scores)
    assert few.curves["m0"].between == "step"
    assert many.curves["m0"].between == "line"


def test_an_estimator_is_asked_for_probabilities_for_the_sroc():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(80, 2))
    y = X[:, 0] + rng.normal(size=80) > 0
    model = LogisticRegression().fit(X, y)
    display = SrocDisplay.from_estimator(model, X, y)
    s = model.predict_proba(X)[:, 1]
    mean = np.maximum(s[y][:, None] - s[~y], 0).mean()
    assert texts(display) == [f"LogisticRegression  sAUC {mean:.3f}"]


# The TPR-FPR chart

LIST = "++-++--+--"
"""One with what Berrar (2014) says of Fig. 2: KS = 3/5 at the sixth threshold, and taKS = 1/3."""


def ranked(text):
    return [int(c == "+") for c in text], np.linspace(0.95, 0.05, len(text))


def test_the_chart_of_berrar_figure_2():
    y, s = ranked(LIST)
    display = draw(TprFprDisplay, y, s)
    x, tpr = display.artists_["true positive rate"].get_data()
    fpr = display.artists_["false positive rate"].get_ydata()
    places = np.arange(11) / 10
    assert np.interp(places, x, tpr) == pytest.approx(
        np.array([0, 1, 2, 2, 3, 4, 4, 4, 5, 5, 5]) / 5
    )
    assert np.interp(places, x, fpr) == pytest.approx(
        np.array([0, 0, 0, 1, 1, 1, 2, 3, 3, 4, 5]) / 5
    )
    arrow = display.artists_["KS"]
    assert (arrow.xy, arrow.xyann) == ((0.5, pytest.approx(0.8)), (0.5, pytest.approx(0.2)))
    shown = texts(display)
    assert "KS 0.600 at score ≥ 0.5500" in shown
    assert {"taKS 0.333 (mean)", "ABC 0.300"} <= set(shown)
    distances = [line.get_xydata() for line in display.ax_.lines if len(line.get_xdata()) == 2]
    lengths = [abs(high - low) for (_, low), (_, high) in distances]
    assert len(lengths) == 9
    assert np.mean(lengths) == pytest.approx(1 / 3)
    ticks = [t.get_text() for t in display.ax_.get_xticklabels()]
    assert ticks == ["∞", *(f"{score:.3g}" for score in s)]


def chart_points(y, s, against):
    """Both rates at all corners of a chart, from scikit-learn's ROC points."""
    fpr, tpr, threshold = all_rates(y, s)
    if against == "index":
        return np.linspace(0, 1, tpr.size), tpr, fpr
    if against == "depth":
        return np.searchsorted(np.sort(-s), -threshold, side="right") / s.size, tpr, fpr
    x = np.repeat(threshold[1:][::-1], 2)
    return x, *(np.repeat(rate[::-1], 2)[1:-1] for rate in (tpr, fpr))


@pytest.mark.parametrize("against", ["index", "depth", "score"])
@pytest.mark.parametrize(("ties", "gap"), [(False, 1.0), (True, 0.1), (False, -1.0)])
def test_the_chart_has_the_rates_of_scikit_learn_the_areas_and_ks(against, ties, gap):
    y, s = one(ties=ties, gap=gap, seed=3)
    display = draw(TprFprDisplay, y, s, against=against)
    x, tpr, fpr = chart_points(y, s, against)
    drawn = {
        name: display.artists_[f"{name} positive rate"].get_data() for name in ("true", "false")
    }
    scale = np.ptp(x)
    for name, rate in (("true", tpr), ("false", fpr)):
        wide, high = drawn[name]
        inside = (wide >= x.min()) & (wide <= x.max())
        assert distance_to_line(x / scale, rate, wide / scale, high).max() < SEEN
        assert distance_to_line(wide[inside] / scale, high[inside], x / scale, rate).max() < 1e-9
    low, high = display.ax_.get_xlim()
    assert low < x.min() < x.max() < high
    rates, scores = all_rates(y, s), display.curve.threshold
    area = {
        "index": np.mean(rates[1][1:] - rates[0][1:]),
        "depth": roc_auc_score(y, s) - 0.5,
        "score": s[y].mean() - s[~y].mean(),
    }[against]
    assert shaded(display) == pytest.approx(area, abs=2 * SEEN * scale)
    words = {"index": "ABC", "depth": "half the Gini", "score": "difference of means"}[against]
    (text,) = (t for t in texts(display) if t.startswith(words))
    assert float(text.split()[-1]) == pytest.approx(area, abs=6e-4)
    ks = ks_2samp(s[y], s[~y]).statistic
    (note,) = (t for t in texts(display) if t.startswith("KS"))
    arrow = display.artists_["KS"]
    assert abs(arrow.xy[1] - arrow.xyann[1]) == pytest.approx(ks)
    assert f"KS {ks:.3f} at score" in note
    place = display.place
    assert abs(np.mean(s[y] >= scores[place]) - np.mean(s[~y] >= scores[place])) == pytest.approx(
        ks
    )
    assert cuts_at(note, scores[place], scores)


def shaded(display):
    """The shaded area, what counts against the model being negative."""
    total = 0.0
    for name, sign in (("area", 1), ("area against", -1)):
        if name in display.artists_:
            for path in display.artists_[name].get_paths():
                x, y = path.vertices.T
                total += sign * abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2
    return total


def test_what_counts_against_a_model_is_hatched():
    y, s = ranked("--++")
    display = draw(TprFprDisplay, y, s)
    assert display.artists_["area against"].get_hatch()
    assert not display.artists_["area"].get_hatch()
    assert shaded(display) == pytest.approx(mm.abc(y, s)) == pytest.approx(-0.5)


def test_one_score_has_no_taks_and_no_arrow():
    # Berrar, Fig. 3h.
    for against in ("index", "score", "depth"):
        display = draw(TprFprDisplay, [1, 0, 1], [2, 2, 2], against=against)
        assert "KS" not in display.artists_
        assert any("taKS undefined" in text for text in texts(display))


def test_infinite_scores_stand_at_the_ends_of_the_axis():
    y, s = [1, 0, 1, 0], [np.inf, 1.0, 0.5, -np.inf]
    display = draw(TprFprDisplay, y, s, against="score", band=0.9)
    low, high = display.ax_.get_xlim()
    x, tpr = display.artists_["true positive rate"].get_data()
    assert (x[0], x[-1]) == (low, high)
    assert np.isfinite(x).all()
    assert np.interp([0.4, 0.75], x, tpr).tolist() == [1.0, 0.5]
    assert display.band.x[[0, -1]].tolist() == [0.5, 1.0]


@pytest.mark.parametrize("against", ["score", "depth"])
@pytest.mark.parametrize("simultaneous", [False, True])
def test_bands_of_both_rates(against, simultaneous):
    y, s = one(80)
    display = draw(TprFprDisplay, y, s, against=against, band=0.9, simultaneous=simultaneous)
    kind = mm.tpr_fpr.using(against=against)
    band = mm.band(y, s, kind, ci=0.9, simultaneous=simultaneous)
    lines = {"true": (band.low, band.high), "false": band.others["fpr"][1:]}
    for name, (low, high) in lines.items():
        (path,) = display.artists_[f"band of {name} positive rate"].get_paths()
        for x, below, above in zip(band.x, low, high, strict=True):
            at = path.vertices[np.abs(path.vertices[:, 0] - x) < 1e-12][:, 1]
            assert (at.min(), at.max()) == (pytest.approx(below), pytest.approx(above))
    assert "area" not in display.artists_
    assert not any(word in " ".join(texts(display)) for word in ("Gini", "difference"))


def test_a_chart_is_of_one_model_and_has_bands_where_they_mean_something():
    y, scores = cases(models=3)
    with pytest.raises(
        DataError, match=r"one model, got 3; pass one of 'm0', 'm1', 'm2' as scores"
    ):
        TprFprDisplay.from_predictions(y, scores)
    with pytest.raises(ParameterError, match='use against="score" or against="depth"'):
        TprFprDisplay.from_predictions(y, scores["m0"], band=0.9)
    with pytest.raises(
        ParameterError, match="against must be one of 'index', 'score', 'depth', got 'time'"
    ):
        TprFprDisplay.from_predictions(y, scores["m0"], against="time")
    with pytest.raises(DataError, match="a class is empty"):
        TprFprDisplay.from_predictions([1, 1], [0.1, 0.2])
    assert not plt.get_fignums(), "no empty figure is left"
    named = draw(TprFprDisplay, y, scores["m0"], name="$a_b$")
    assert named.ax_.get_title("left") == r"\$a_b\$"


# DET curves


def in_deviates(y, s):
    """The points of the DET curve with half a case in the place of none."""
    fpr, tpr, _ = all_rates(y, s)
    half = 0.5 / np.sum(~y), 0.5 / np.sum(y)
    fnr = 1 - tpr
    return tuple(
        norm.ppf(np.clip(rate, h, 1 - h)) for rate, h in zip((fpr, fnr), half, strict=True)
    )


@pytest.mark.parametrize("seed", range(3))
def test_the_det_curve_is_that_of_scikit_learn_in_normal_deviates(seed):
    y, s = one(seed=seed)
    display = draw(DetDisplay, y, s)
    points = in_deviates(y, s)
    drawn = display.artists_["model"].get_data()
    assert apart(drawn, points) < SEEN * np.ptp(points[0])
    for limits, axis in zip((display.ax_.get_xlim(), display.ax_.get_ylim()), points, strict=True):
        assert limits[0] < axis.min() < axis.max() < limits[1]
    assert drawn[0][0] == norm.ppf(0.5 / np.sum(~y))
    assert drawn[1][-1] == norm.ppf(0.5 / np.sum(y))
    assert display.ax_.get_xlabel() == "false positive rate"
    assert display.ax_.get_ylabel() == "false negative rate"


def test_ties_are_straight_in_rates_and_so_bent_in_deviates():
    y, s = one(ties=True)
    display = draw(DetDisplay, y, s)
    fpr, tpr, _ = all_rates(y, s)
    x, height = (norm.cdf(a) for a in display.artists_["model"].get_data())
    half = 0.5 / np.sum(~y), 0.5 / np.sum(y)
    clipped = (x < 1.01 * half[0]) | (height < 1.01 * half[1])
    clipped |= (1 - x < 1.01 * half[0]) | (1 - height < 1.01 * half[1])
    assert distance_to_line(x[~clipped], height[~clipped], fpr, 1 - tpr).max() < 1e-9
    share = np.linspace(0, 1, 2001)
    for k in range(fpr.size - 1):
        rates = (r[k] + share * (r[k + 1] - r[k]) for r in (fpr, 1 - tpr))
        exact = [norm.ppf(np.clip(r, h, 1 - h)) for r, h in zip(rates, half, strict=True)]
        gap = distance_to_line(*exact, *display.artists_["model"].get_data())
        assert gap.max() < SEEN * np.ptp(display.ax_.get_xlim())


def test_dots_are_equal_error_rates():
    y, scores = cases(models=3)
    display = draw(DetDisplay, y, scores)
    for name, s in scores.items():
        fpr, tpr, _ = all_rates(y, s)
        steps = np.arange(fpr.size)
        at = brentq(lambda t: np.interp(t, steps, fpr) + np.interp(t, steps, tpr) - 1, 0, steps[-1])  # noqa: B023
        rate = np.interp(at, steps, fpr)
        ((x, height),) = display.artists_[f"EER of {name}"].get_xydata()
        assert x == height == pytest.approx(norm.ppf(rate))
        assert display.styles.text(name) == f"{name}  EER {rate:.3f}"
    low, high = display.artists_["equal rates"].get_xydata()
    assert low[0] == low[1]
    assert high[0] == high[1]
    low, high = display.artists_["chance"].get_xydata()
    assert low[0] == -low[1]
    assert high[0] == -high[1]


@pytest.mark.parametrize("n", [2, 20, 300, 100_000])
def test_ticks_are_rates_and_have_room(n):
    rng = np.random.default_rng(1)
    y = np.arange(n) % 2 == 0
    display = draw(DetDisplay, y, rng.normal(size=n) + y)
    for axis, limits in (
        (display.ax_.xaxis, display.ax_.get_xlim()),
        (display.ax_.yaxis, display.ax_.get_ylim()),
    ):
        places, names = axis.get_ticklocs(), [t.get_text() for t in axis.get_ticklabels()]
        assert len(names) >= 4
        for place, name in zip(places, names, strict=True):
            assert norm.cdf(place) == pytest.approx(float(name))
            assert re.fullmatch(r"0\.\d+", name)
            assert limits[0] <= place <= limits[1]
        way = int(axis is display.ax_.yaxis)
        boxes = [label.get_window_extent().get_points()[:, way] for label in axis.get_ticklabels()]
        boxes.sort(key=lambda ends: ends[0])
        assert all(before[1] < after[0] for before, after in pairwise(boxes))


def test_weights_of_a_det_curve_are_repetitions_or_shares():
    y, s = one(60, ties=True)
    weight = np.random.default_rng(3).integers(0, 4, y.size)
    by_weight = draw(DetDisplay, y, s, sample_weight=weight)
    repeated = draw(DetDisplay, np.repeat(y, weight), np.repeat(s, weight))
    one_line, other = (d.artists_["model"].get_xydata() for d in (by_weight, repeated))
    assert one_line == pytest.approx(other)
    shares = draw(DetDisplay, y, s, sample_weight=weight / weight.sum())
    assert np.isfinite(shares.artists_["model"].get_xydata()).all()


# Precision and recall


def hyperbola(y, s, recall):
    """Precision where both classes grow in proportion between two thresholds, one by one."""
    y, s = np.asarray(y, dtype=bool), np.asarray(s)
    counts = [(0, 0)] + [(np.sum(s[y] >= t), np.sum(s[~y] >= t)) for t in np.unique(s)[::-1]]
    found = []
    for wanted in recall * y.sum():
        k = next(k for k, (tp, _) in enumerate(counts) if tp >= wanted - 1e-9)
        (tp0, fp0), (tp1, fp1) = counts[max(k - 1, 0)], counts[k]
        share = (wanted - tp0) / (tp1 - tp0)
        fp = fp0 + share * (fp1 - fp0)
        found.append(wanted / (wanted + fp))
    return np.array(found)


HARD = [
    ([0] + [1] * 400, [1.0] + [0.5] * 400),
    ([1] * 2 + [0] * 700 + [1] * 3, [1.0] * 2 + [0.5] * 703),
    ([0, 1, 0, 1, 0, 0, 1, 0, 1, 1], np.linspace(1, 0, 10)),
    ([1, 0], [0.2, 0.8]),
]


@pytest.mark.parametrize("case", [one(80), one(ties=True), *HARD])
def test_precision_is_drawn_as_a_hyperbola_between_thresholds(case):
    y, s = case
    display = draw(PrecisionRecallDisplay, y, s)
    x, height = display.artists_["model"].get_data()
    positives = np.sum(y)
    # Recalls at which the curve is not vertical.
    recall = np.setdiff1d(np.linspace(0.0013, 0.9987, 1500), np.arange(positives + 1) / positives)
    assert distance_to_line(recall, hyperbola(y, s, recall), x, height).max() < SEEN
    rising = np.diff(x) > 1e-9
    inner = (x[:-1] + (x[1:] - x[:-1]) / 3)[rising]
    drawn = (height[:-1] + (height[1:] - height[:-1]) / 3)[rising]
    exact = hyperbola(y, s, inner)
    slope = np.abs(np.diff(height) / np.maximum(np.diff(x), 1e-12))[rising]
    assert (np.abs(drawn - exact) / np.hypot(1, slope)).max() < SEEN
    area = mm.average_precision(y, s, interpolation="davis_goadrich")
    assert under((x, height)) == pytest.approx(area, abs=1e-3)
    assert any(f"AP {average_precision_score(y, s):.3f}" in text for text in texts(display))


def test_steps_have_the_area_and_the_points_of_scikit_learn():
    y, s = one()
    display = draw(PrecisionRecallDisplay, y, s, interpolation="step")
    area = average_precision_score(y, s)
    x, height = display.artists_["model"].get_data()
    assert under((x, height)) == pytest.approx(area, abs=1e-3)
    assert any(f"AP {area:.3f}" in text for text in texts(display))
    precision, recall, _ = precision_recall_curve(y, s)
    assert distance_to_line(recall[:-1], precision[:-1], x, height).max() < SEEN


@pytest.mark.parametrize("interpolation", ["trapezoid", "max"])
def test_other_interpolations_are_drawn_as_their_area_is_counted(interpolation):
    y, s = one(60)
    display = draw(PrecisionRecallDisplay, y, s, interpolation=interpolation)
    precision, recall, _ = (a[:-1][::-1] for a in precision_recall_curve(y, s) if a.size > 1)
    first = int(np.argmax(recall > 0))
    if interpolation == "max":
        best = np.maximum.accumulate(precision[::-1])[::-1]
        area = np.sum(np.diff(recall, prepend=0) * best)
    else:
        x, height = np.append(0, recall), np.append(precision[0], precision)
        area = under((x, height))
    drawn = display.artists_["model"].get_data()
    assert first >= 0
    assert under(drawn) == pytest.approx(area, abs=1e-3)
    assert any(f"AP {average_precision_score(y, s):.3f}" in text for text in texts(display))


@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_f_is_equal_along_its_lines(beta):
    y, s = one()
    display = draw(PrecisionRecallDisplay, y, s, beta=beta)
    for value in np.arange(1, 10) / 10:
        recall, precision = display.artists_[f"isometric {value:g}"].get_data()
        f = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
        assert f == pytest.approx(value, rel=1e-9)
        assert precision[0] == pytest.approx(1)
        assert recall[-1] == 1
    numbers = [t for t in display.ax_.texts if re.fullmatch(r"0\.\d", t.get_text())]
    for text in numbers:
        value = float(text.get_text())
        line = display.artists_[f"isometric {value:g}"].get_ydata()
        assert text.xy == (1.0, pytest.approx(line[-1]))
        assert text.xyann[0] > 0, "beside the right end"
    heights = sorted(text.xy[1] for text in numbers)
    assert len(numbers) >= 6
    assert np.diff(heights).min() >= 0.035
    assert display.ax_.get_title("right") == (
        "dashed: equal F" if beta == 1 else f"dashed: equal F, beta {beta:g}"
    )


def test_the_prevalence_is_a_line_with_a_word():
    y, s = one()
    display = draw(PrecisionRecallDisplay, y, s)
    share = np.mean(y)
    assert display.artists_["prevalence"].get_xydata().tolist() == [[0, share], [1, share]]
    assert f"prevalence {share:.3g}" in texts(display)
    mixed = draw(
        PrecisionRecallDisplay,
        {"a": mm.tabulate([1, 0], [1, 0]), "b": mm.tabulate([1, 0, 0], [2, 1, 0])},
    )
    assert "prevalence" not in mixed.artists_


@pytest.mark.parametrize("interpolation", ["davis_goadrich", "step", "trapezoid"])
@pytest.mark.parametrize("beta", [1, 2])
def test_the_best_f_is_marked_on_the_line(interpolation, beta):
    y, s = one(3000)
    display = draw(
        PrecisionRecallDisplay,
        y,
        s,
        maximize=f"f_measure(beta={beta})",
        interpolation=interpolation,
    )
    precision, recall, threshold = precision_recall_curve(y, s)
    with np.errstate(invalid="ignore"):
        f = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    best = int(np.nanargmax(f[:-1]))
    ((x, height),) = display.artists_["point of model"].get_xydata()
    assert (x, height) == (pytest.approx(recall[best]), pytest.approx(precision[best]))
    assert [x, height] in display.artists_["model"].get_xydata().tolist()
    assert fbeta_score(y, s >= threshold[best], beta=beta) == pytest.approx(f[best])
    words = f"precision {precision[best]:.3f}, recall {recall[best]:.3f}"
    (text,) = (t for t in texts(display) if words in t)
    assert cuts_at(text, threshold[best], threshold)
    assert text.endswith(f" {f[best]:.3g}")
    at, up = display.artists_["equally good"].get_data()
    assert (1 + beta**2) * up * at / (beta**2 * up + at) == pytest.approx(f[best])


@pytest.mark.parametrize("prior", [None, 0.05])
def test_the_line_of_equal_cost_in_precision_and_recall(prior):
    y, s = one()
    display = draw(PrecisionRecallDisplay, y, s, cost_fp=1, cost_fn=4, prior=prior)
    fpr, tpr, _ = all_rates(y, s)
    share = np.mean(y) if prior is None else prior
    costs = (1 - share) * fpr + 4 * share * (1 - tpr)
    recall, precision = display.artists_["equally good"].get_data()
    known = recall > 0
    # The false positive rate that a recall and a precision have among these cases.
    alarms = recall[known] * (1 / precision[known] - 1) * np.mean(y) / (1 - np.mean(y))
    along = (1 - share) * alarms + 4 * share * (1 - recall[known])
    assert along == pytest.approx(costs.min())
    assert any(f"expected cost {costs.min():.3g}" in text for text in texts(display))


def test_no_case_called_positive_is_where_the_curve_begins():
    display = draw(PrecisionRecallDisplay, [0, 1, 0, 0], [0.9, 0.5, 0.4, 0.3], cost_fp=9, cost_fn=1)
    assert display.artists_["point of model"].get_xydata().tolist() == [[0, 0]]
    assert any(text.startswith("none positive") for text in texts(display))


def test_of_several_models_the_best_point_is_named():
    y, scores = cases(models=3)
    for kind in (RocDisplay, PrecisionRecallDisplay):
        display = draw(kind, y, scores, maximize="accuracy")
        best = {n: max(np.mean((s >= t) == y) for t in s) for n, s in scores.items()}
        name = max(best, key=best.get)
        assert any(text.startswith(f"{name}: score ≥") for text in texts(display))
        assert {f"point of {n}" for n in scores} <= set(display.artists_)


@pytest.mark.parametrize("kind", [RocDisplay, PrecisionRecallDisplay])
def test_a_perfect_model_has_a_point_and_needs_no_line(kind):
    y, s = [1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1]
    display = draw(kind, y, s, maximize="accuracy")
    assert len(display.artists_["point of model"].get_xydata()) == 1
    if kind is PrecisionRecallDisplay:
        assert "equally good" not in display.artists_


def test_a_band_is_drawn_around_precision():
    y, s = one(80)
    display = draw(PrecisionRecallDisplay, y, s, band=0.9)
    band = mm.band(y, s, "precision_recall", ci=0.9)
    (area,) = display.ax_.collections
    vertices = area.get_paths()[0].vertices
    for x, low, high in zip(band.x, band.low, band.high, strict=True):
        at = vertices[np.abs(vertices[:, 0] - x) < 1e-12][:, 1]
        assert (at.min(), at.max()) == (pytest.approx(low), pytest.approx(high))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"beta": -1}, r"beta must be in \[1e-06, 1e\+06\], got -1"),
        ({"beta": 1, "values": [0.5, 1.5]}, r"values must be in \(0, 1\), got 1\.5"),
        ({"values": [0.5]}, "need a beta; pass beta=1"),
        ({"interpolation": "spline"}, "interpolation"),
        ({"cost_fp": 1}, "pass maximize or both cost_fp and cost_fn"),
        ({"maximize": "auc"}, "needs the whole ranking"),
        ({"cost_fp": 1, "cost_fn": 1, "prior": 2}, r"prior must be in \(0, 1\)"),
        ({"band": 1.5}, r"band must be in \(0, 1\), got 1.5"),
        ({"highlight": ["nobody"]}, "highlight must be .*, got 'nobody'"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(options, words):
    y, s = one(40)
    with pytest.raises(ParameterError, match=words):
        PrecisionRecallDisplay.from_predictions(y, s, **options)
    assert not plt.get_fignums(), "no empty figure is left"


# All of them


@pytest.mark.parametrize("kind", DISPLAYS)
def test_fifty_models_are_seven_names_and_a_count(kind):
    y, scores = cases(60, models=50)
    display = draw(kind, y, scores)
    shown = legend_texts(display.ax_)
    assert shown[7] == "43 others"
    assert [text for text in shown[8:] if not text.startswith("prevalence")] == []
    assert [text.split()[0] for text in shown[:7]] == list(display.styles.named)
    assert set(scores) <= set(display.artists_)


@pytest.mark.parametrize("name", [HOSTILE[0], HOSTILE[3], HOSTILE[5]])
def test_a_chart_has_a_hostile_name(name, tmp_path):
    y, s = one(20)
    TprFprDisplay.from_predictions(y, s, name=name).save(tmp_path / "x.svg")
    ET.parse(tmp_path / "x.svg")  # noqa: S314 - our own file


@pytest.mark.parametrize("kind", DISPLAYS)
def test_hostile_names_are_drawn(kind, tmp_path):
    y, scores = cases(60, models=len(HOSTILE))
    named = dict(zip(HOSTILE, scores.values(), strict=True))
    draw(kind, y, named).save(tmp_path / "x.svg")
    ET.parse(tmp_path / "x.svg")  # noqa: S314 - our own file


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (SrocDisplay, {}),
        (DetDisplay, {}),
        (PrecisionRecallDisplay, {"beta": 1, "maximize": "f_measure"}),
        (TprFprDisplay, {"against": "index"}),
        (TprFprDisplay, {"against": "score"}),
    ],
)
def test_many_cases_make_small_files(kind, options, tmp_path, monkeypatch):
    monkeypatch.setattr(sroc, "GRID", 20)
    y, s = one(200_000)
    display = draw(kind, y, s, **options)
    display.save(tmp_path / "x.svg")
    assert (tmp_path / "x.svg").stat().st_size < 200_000
    if kind is not TprFprDisplay:
        return
    x, tpr, fpr = chart_points(y, s, options["against"])
    picked = np.random.default_rng(0).integers(0, x.size, 300)
    for name, rate in (("true", tpr), ("false", fpr)):
        wide, high = display.artists_[f"{name} positive rate"].get_data()
        scale = np.ptp(x)
        gap = distance_to_line(x[picked] / scale, rate[picked], wide / scale, high)
        assert gap.max() < SEEN
    wide, high = display.artists_["true positive rate"].get_data()
    across, up = display.artists_["KS"].xy
    assert distance_to_line(across / scale, np.array([up]), wide / scale, high).max() < SEEN


@pytest.mark.parametrize("kind", [*DISPLAYS, TprFprDisplay])
def test_two_cases_can_be_drawn(kind):
    for s in ([0.8, 0.3], [0.3, 0.8], [0.5, 0.5]):
        display = draw(kind, [1, 0], s)
        for low, high in (display.ax_.get_xlim(), display.ax_.get_ylim()):
            assert low < high


@pytest.mark.parametrize("kind", [*DISPLAYS, TprFprDisplay])
def test_weights_are_repetitions(kind):
    y, s = one(50, ties=True)
    weight = np.random.default_rng(3).integers(0, 4, y.size)
    by_weight = draw(kind, y, s, sample_weight=weight)
    repeated = draw(kind, np.repeat(y, weight), np.repeat(s, weight))
    name = "true positive rate" if kind is TprFprDisplay else "model"
    one_line, other = (d.artists_[name].get_xydata() for d in (by_weight, repeated))
    assert one_line == pytest.approx(other)


@pytest.mark.parametrize("kind", [SrocDisplay, DetDisplay])
def test_one_class_has_no_picture(kind):
    with pytest.raises(DataError, match="a class is empty"):
        draw(kind, [1, 1, 1], [0.1, 0.2, 0.3])


def test_there_is_no_precision_without_positives_and_one_without_negatives():
    with pytest.raises(DataError, match="there is no positive case"):
        draw(PrecisionRecallDisplay, [0, 0], [0.1, 0.2], pos_label=1)
    display = draw(PrecisionRecallDisplay, [1, 1], [0.1, 0.2])
    assert set(display.artists_["model"].get_ydata()) == {1.0}


@pytest.mark.parametrize("monkey", [10**7, 1])
def test_scores_beyond_one_have_no_sroc(monkeypatch, monkey):
    monkeypatch.setattr(sroc, "MOST_PAIRS", monkey)
    with pytest.raises(DataError, match="minmax"):
        draw(SrocDisplay, [1, 0, 1], [3.0, 0.1, 0.2])


# What they share


def test_thinning_several_lines_together_keeps_what_each_of_them_needs():
    x = np.linspace(0, 1, 100_001)
    lines = [np.where(np.arange(x.size) == peak, 1.0, 0.0) for peak in (30_007, 70_003)]
    places = seen(x, *lines)
    assert {0, 30_007, 70_003, x.size - 1} <= set(places.tolist())
    assert places.size <= 6 * COLUMNS


def dots_of(axes):
    for line in axes.lines:
        ends = axes.transData.transform(line.get_xydata())
        for a, b in pairwise(ends):
            yield from a + np.linspace(0, 1, 200)[:, None] * (b - a)


@pytest.mark.parametrize("layout", ["constrained", None])
def test_a_legend_without_a_free_place_goes_below(layout):
    figure, axes = plt.subplots(figsize=(4.4, 4.4), layout=layout)
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="words below")
    looks = strokes(["a", "b"])
    x = np.linspace(0, 1, 9)
    lines = [line_entry(look, name) for name, look in looks.items()]
    for height in np.linspace(0, 1, 30):
        axes.plot(x, 0 * x + height)
    legend(axes, lines, "lower right")
    figure.canvas.draw()
    box, inside = axes.get_legend().get_window_extent(), axes.get_window_extent()
    assert [t.get_text() for t in axes.get_legend().get_texts()] == ["a", "b"]
    if layout is None:
        assert inside.overlaps(box), "there is no room outside"
        return
    assert box.y1 <= axes.xaxis.label.get_window_extent().y0 + 1
    assert figure.bbox.containsy(box.y0)
    assert figure.bbox.containsx(box.x0)
    assert figure.bbox.containsx(box.x1)


def test_a_legend_takes_its_corner_or_another_free_one():
    for meant, blocked in (("lower right", False), ("lower right", True)):
        figure, axes = plt.subplots(layout="constrained")
        axes.set(xlim=(0, 1), ylim=(0, 1))
        if blocked:
            axes.plot([0.6, 1], [0.05, 0.05])
        look = strokes(["a"])["a"]
        legend(axes, [line_entry(look, "a")], meant)
        figure.canvas.draw()
        box = axes.get_legend().get_window_extent()
        assert not any(box.contains(*dot) for dot in dots_of(axes))
        right = box.x0 > axes.get_window_extent().x0 + axes.get_window_extent().width / 2
        low = box.y1 < axes.get_window_extent().y0 + axes.get_window_extent().height / 2
        assert (right and low) != blocked


# The commands


@pytest.fixture
def file(tmp_path):
    y, scores = cases(60, models=2)
    rows = [f"{int(a)},{b:.4f},{c:.4f}" for a, b, c in zip(y, *scores.values(), strict=True)]
    path = tmp_path / "predictions.csv"
    path.write_text("\n".join(["label,m0,m1", *rows]))
    return path


def run(command, file, *options, models=("m0",), output="x.svg"):
    chosen = [word for model in models for word in ("--score", model)]
    args = [command, str(file), "--label", "label", *chosen, "-o", str(file.parent / output)]
    return run_plot(*args, *options)


BOTH = ("m0", "m1")


@pytest.mark.parametrize(
    ("command", "options", "models", "words"),
    [
        ("sroc", ["--highlight", "m1"], BOTH, "margin"),
        ("tpr-fpr", [], ["m0"], "rank-spaced"),
        ("tpr-fpr", ["--against", "depth", "--band", "0.9", "--simultaneous"], ["m0"], "taken"),
        ("det", ["--highlight", "m0"], BOTH, "false negative rate"),
        ("precision-recall", ["--beta", "2"], BOTH, "equal F, beta 2"),
        ("precision-recall", ["--interpolation", "step", "--maximize", "accuracy"], BOTH, "recall"),
        ("precision-recall", ["--cost-fp", "1", "--cost-fn", "5", "--prior", "0.1"], BOTH, "cost"),
        ("roc", ["--maximize", "accuracy", "--isometrics", "accuracy"], BOTH, "positive rate"),
    ],
)
def test_commands_draw_into_a_file(file, command, options, models, words):
    result = run(command, file, *options, models=models)
    assert result.exit_code == 0, result.output
    # Letters are paths, with the text beside them as a comment.
    assert words in (file.parent / "x.svg").read_text()


@pytest.mark.parametrize(
    ("command", "options", "words"),
    [
        (
            "tpr-fpr",
            ["--against", "time"],
            "--against must be one of 'index', 'score', 'depth', got 'time'",
        ),
        ("tpr-fpr", ["--band", "0.9"], "--against"),
        ("precision-recall", ["--beta", "-1"], "--beta must be in [1e-06, 1e+06], got -1"),
        (
            "precision-recall",
            ["--interpolation", "spline"],
            "--interpolation must be one of 'davis_goadrich'",
        ),
        (
            "precision-recall",
            ["--maximize", "accuracy", "--prior", "2"],
            "--prior must be in (0, 1)",
        ),
        ("precision-recall", ["--cost-fp", "1"], "pass --maximize or both --cost-fp and --cost-fn"),
        ("precision-recall", ["--maximize", "accuracy", "--cost-fp", "1"], "not both"),
        ("roc", ["--isometrics", "auc"], "needs the whole ranking"),
        ("roc", ["--cost-fp", "-1", "--cost-fn", "1"], "--cost-fp must be >= 0, got -1"),
    ],
)
def test_wrong_options_are_errors_in_the_command(file, command, options, words):
    result = run(command, file, *options)
    assert result.exit_code == 2
    assert words in result.output
    assert not (file.parent / "x.svg").exists()


def test_what_the_data_do_not_give_is_no_error_of_the_command(file):
    result = run("tpr-fpr", file, models=BOTH)
    assert isinstance(result.exception, DataError)
    assert "pass one of 'm0', 'm1' as scores" in str(result.exception)
    result = run("det", file, "--highlight", "nobody")
    assert isinstance(result.exception, ParameterError)


@pytest.mark.parametrize(
    ("kind", "options"),
    [(RocDisplay, {}), (PrecisionRecallDisplay, {}), (TprFprDisplay, {"against": "depth"})],
)
@pytest.mark.parametrize("band", [0, 1, 2, -0.5, "x"])
def test_a_wrong_band_is_named_as_it_was_given(kind, options, band):
    with pytest.raises(mm.ParameterError, match=r"^band must be in \(0, 1\)"):
        draw(kind, *one(30), band=band, **options)
