"""Pictures of depth, costs and zones: what is drawn against slow definitions, never pixels."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from drawing import HOSTILE
from program import run_plot
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, roc_auc_score, roc_curve

from metameasure import lift
from metameasure.data import Models
from metameasure.errors import DataError, ParameterError
from metameasure.plots import GainDisplay, LiftDisplay
from metameasure.plots._drawing.thinning import COLUMNS
from metameasure.plots.cost_curve import TRIVIAL, CostCurveDisplay
from metameasure.plots.decision_curve import DecisionCurveDisplay
from metameasure.plots.zones import ZonesDisplay
from metameasure.table import ScoreTable

DISPLAYS = [LiftDisplay, GainDisplay, CostCurveDisplay, DecisionCurveDisplay, ZonesDisplay]
SEEN = 1 / 2000
"""Smallest visible distance, as a fraction of the picture."""


def cases(n=400, seed=0, models=1, ties=False):
    """Labels, the probabilities of models that are better and better, and weights."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.35
    logits = {f"m{k}": rng.normal(size=n) + (1 + k / models) * y - 1 for k in range(models)}
    scores = {name: 1 / (1 + np.exp(-logit)) for name, logit in logits.items()}
    if ties:
        scores = {name: np.round(4 * score) / 4 for name, score in scores.items()}
    return y, scores, rng.integers(1, 4, n) / 2


def counts(y, s, w):
    """True and false positives from each threshold on, none positive first."""
    limits = np.unique(s)[::-1]
    tp = [0.0, *(w[(s >= t) & y].sum() for t in limits)]
    fp = [0.0, *(w[(s >= t) & ~y].sum() for t in limits)]
    return np.array(tp), np.array(fp)


def rates(y, s, w):
    tp, fp = counts(y, s, w)
    return tp / tp[-1], fp / fp[-1]


def least_cost(pc, y, s, w):
    """The lowest of all thresholds' normalized expected costs at each probability cost."""
    tpr, fpr = rates(y, s, w)
    return (np.outer(pc, 1 - tpr) + np.outer(1 - pc, fpr)).min(axis=1)


def net_benefit(t, y, s, w):
    treated = s >= t
    lost = w[treated & ~y].sum() * t / (1 - t)
    return (w[treated & y].sum() - lost) / w.sum()


def data(display, name):
    return display.artists_[name].get_data()


def texts(display):
    """All words of a picture that are names or notes."""
    axes = display.ax_
    written = [*axes.texts, *(axes.get_legend().get_texts() if axes.get_legend() else [])]
    return [text.get_text() for text in written]


def assert_same_line(found, x, y):
    """Points that are drawn lie on the exact line, and the exact line is nowhere left."""
    drawn_x, drawn_y = found
    assert drawn_y == pytest.approx(np.interp(drawn_x, x, y), abs=1e-9 * np.ptp(y))
    assert np.interp(x, drawn_x, drawn_y) == pytest.approx(y, abs=SEEN * np.ptp(y))


def distance(points, display, name, scale):
    """How far points lie from a line that is drawn, its nearest segment counting."""
    line = np.column_stack(data(display, name)) / scale
    begin, along = line[:-1], np.diff(line, axis=0)
    length = np.maximum(np.sum(along**2, axis=1), 1e-30)
    away = points[:, np.newaxis] - begin
    share = np.clip(np.sum(away * along, axis=2) / length, 0, 1)
    return np.hypot(*(away - share[..., np.newaxis] * along).transpose(2, 0, 1)).min(axis=1)


# Depth


@pytest.mark.parametrize("ties", [False, True])
def test_lift_is_the_rate_above_each_threshold_relative_to_that_of_all(ties):
    y, scores, w = cases(ties=ties, models=2)
    display = LiftDisplay.from_predictions(y, scores, sample_weight=w, depth=0.2)
    rate = w[y].sum() / w.sum()
    for name, s in scores.items():
        tp, fp = counts(y, s, w)
        x, found = data(display, name)
        assert np.interp((tp + fp)[1:] / w.sum(), x, found) == pytest.approx(
            tp[1:] / (tp + fp)[1:] / rate, abs=0.02
        )
        text = f"{name}  lift {lift(y, s, sample_weight=w, top=0.2):.2f}"
        assert text in texts(display)
        deep = np.linspace(0.02, 1, 300)
        exact = [lift(y, s, sample_weight=w, top=depth) for depth in deep]
        assert np.interp(deep, x, found) == pytest.approx(exact, abs=0.02)
    perfect = data(display, "perfect")
    assert perfect[1] == pytest.approx(np.minimum(1 / rate, 1 / np.maximum(perfect[0], 1e-9)))
    assert np.array_equal(data(display, "random"), [[0, 1], [1, 1]])
    assert display.ax_.get_ylabel() == "lift"


@pytest.mark.parametrize("ties", [False, True])
def test_gain_in_counts_counts_the_positives_above_each_threshold(ties):
    y, scores, w = cases(ties=ties, models=2)
    display = GainDisplay.from_predictions(y, scores, sample_weight=w, counts=True)
    for name, s in scores.items():
        tp, fp = counts(y, s, w)
        assert_same_line(data(display, name), tp + fp, tp)
    P, n = w[y].sum(), w.sum()
    assert np.array_equal(data(display, "random"), [[0, n], [0, P]])
    assert np.array_equal(data(display, "perfect"), [[0, P, n], [0, P, P]])
    assert display.ax_.get_xlabel() == "cases taken"
    assert display.ax_.get_ylabel() == "true positives"
    assert {"random ranking", "perfect ranking"} <= set(texts(display))


def test_counts_have_no_band():
    with pytest.raises(ParameterError, match="band does not apply to counts=True"):
        GainDisplay.from_predictions([1, 0], [0.6, 0.4], counts=True, band=0.9)


def test_the_axes_of_counts_have_whole_cases_with_thousands_apart():
    y, scores, _ = cases(60_000)
    axes = GainDisplay.from_predictions(y, scores, counts=True).ax_
    assert axes.xaxis.get_major_formatter()(60_000.0) == "60,000"
    two = GainDisplay.from_predictions([1, 0], [0.6, 0.4], counts=True).ax_
    assert [t for t in two.get_xticks() if 0 <= t <= 2] == [0, 1, 2]
    weight = [0.2, 0.3]
    light = GainDisplay.from_predictions([1, 0], [0.6, 0.4], sample_weight=weight, counts=True).ax_
    assert sum(0 < t < 0.5 for t in light.get_xticks()) >= 2


@pytest.mark.parametrize("ties", [False, True])
def test_gain_and_the_accuracy_ratio_of_each_model(ties):
    y, scores, w = cases(ties=ties, models=3)
    display = GainDisplay.from_predictions(y, scores, sample_weight=w)
    for name, s in scores.items():
        tp, fp = counts(y, s, w)
        assert_same_line(data(display, name), (tp + fp) / w.sum(), tp / tp[-1])
        ratio = 2 * roc_auc_score(y, s, sample_weight=w) - 1
        assert f"{name}  AR {ratio:.3f}" in texts(display)
    prevalence = w[y].sum() / w.sum()
    assert np.allclose(data(display, "perfect"), [[0, prevalence, 1], [0, 1, 1]])


def test_what_is_found_at_a_depth_is_marked_and_reported():
    # The top fifth is 0.9, and half of the tie at 0.5, which has one positive of two cases.
    y = np.array([1, 1, 0, 0, 1, 0, 0, 0, 0, 0], dtype=bool)
    s = np.array([0.9, 0.5, 0.5, 0.4, 0.3, 0.2, 0.2, 0.1, 0.1, 0.1])
    display = GainDisplay.from_predictions(y, s, depth=0.2)
    assert np.allclose(data(display, "found by model"), [[0.2], [1.5 / 3]])
    assert data(display, "depth")[0].tolist() == [0.2, 0.2]
    assert "50.0% found in the top 20%" in texts(display)
    both = GainDisplay.from_predictions(y, {"a": s, "b": -s}, depth=0.2)
    ratio = 2 * roc_auc_score(y, s) - 1
    # Of the three cases with the lowest score, which are tied, two count; none is positive.
    assert {f"a  AR {ratio:.3f}, 50.0%", f"b  AR {-ratio:.3f}, 0.0%"} <= set(texts(both))
    assert "found in the top 20%" in texts(both)


def test_the_band_of_a_gain_holds_the_curve_and_is_wider_if_simultaneous():
    y, scores, _ = cases(150)
    spans = []
    for simultaneous in (False, True):
        display = GainDisplay.from_predictions(y, scores, band=0.9, simultaneous=simultaneous)
        (area,) = display.ax_.collections
        edge = area.get_paths()[0].vertices
        tp, fp = counts(y, scores["m0"], np.ones(y.size))
        middle = np.interp(0.3, (tp + fp) / y.size, tp / tp[-1])
        heights = edge[np.isclose(edge[:, 0], 0.3), 1]
        assert heights.min() <= middle <= heights.max()
        spans.append(np.ptp(heights))
    assert 0 < spans[0] < spans[1]


def test_a_ranking_without_negatives_has_no_accuracy_ratio():
    display = GainDisplay.from_predictions(ScoreTable([0.9, 0.1], [1, 1], [0, 0]), name="one")
    assert "one" in texts(display)


@pytest.mark.parametrize("display", [LiftDisplay, GainDisplay])
def test_without_positives_there_is_nothing_to_find(display):
    with pytest.raises(DataError, match=r"nothing to draw.*no positive"):
        display.from_predictions(ScoreTable([0.9, 0.1], [0, 0], [1, 1]))


@pytest.mark.parametrize("depth", [0, 1.1, -0.1, float("nan"), True, "a tenth"])
def test_a_depth_that_is_no_share_is_refused(depth):
    with pytest.raises(ParameterError, match=r"depth must be in \(0, 1\]"):
        GainDisplay.from_predictions([1, 0], [0.6, 0.4], depth=depth)


# Costs


@pytest.mark.parametrize("ties", [False, True])
def test_a_cost_curve_is_the_lowest_of_the_costs_of_all_thresholds(ties):
    y, scores, w = cases(ties=ties, models=2)
    display = CostCurveDisplay.from_predictions(y, scores, sample_weight=w)
    pc = np.linspace(0, 1, 401)
    highest = 0
    for name, s in scores.items():
        drawn = np.interp(pc, *data(display, name))
        assert drawn == pytest.approx(least_cost(pc, y, s, w), abs=SEEN * drawn.max())
        highest = max(highest, drawn.max())
    assert np.array_equal(data(display, "trivial"), [[0, 0.5, 1], [0, 0.5, 0]])
    assert TRIVIAL in texts(display)
    assert display.ax_.get_xlim() == (0, 1)
    assert display.ax_.get_ylim()[0] == 0
    assert highest < display.ax_.get_ylim()[1] < 1.2 * highest


def test_behind_one_curve_there_are_the_lines_of_its_thresholds():
    y, scores, _ = cases(30)
    display = CostCurveDisplay.from_predictions(y, scores)
    tpr, fpr = rates(y, scores["m0"], np.ones(30))
    drawn = {tuple(np.ravel(path)) for path in display.artists_["lines of m0"].get_segments()}
    assert drawn == {(0.0, f, 1.0, 1 - t) for t, f in zip(tpr, fpr, strict=True)}
    assert "lines of m0" not in CostCurveDisplay.from_predictions(y, scores, lines=False).artists_


def test_of_many_lines_a_sample_is_drawn_with_those_of_the_hull():
    y, scores, _ = cases(20_000)
    display = CostCurveDisplay.from_predictions(y, scores)
    ends = np.array([path[:, 1] for path in display.artists_["lines of m0"].get_segments()])
    fpr, tpr, _ = roc_curve(y, scores["m0"], drop_intermediate=False)
    known = set(zip(fpr.round(12).tolist(), (1 - tpr).round(12).tolist(), strict=True))
    assert {tuple(end) for end in ends.round(12).tolist()} <= known
    assert 80 < len(ends) < 250
    gone = np.sort(ends[:, 0] - ends[:, 1])
    assert np.diff(gone).max() < 1 / 40 + 1e-3, "there is a hole between the lines"
    pc = np.linspace(0.02, 0.98, 97)
    envelope = (np.outer(pc, ends[:, 1]) + np.outer(1 - pc, ends[:, 0])).min(axis=1)
    drawn = np.interp(pc, *data(display, "m0"))
    assert envelope == pytest.approx(drawn, abs=2 * SEEN * drawn.max())


@pytest.mark.parametrize("prior", [None, 0.1])
def test_costs_and_a_prior_mark_the_model_that_costs_least(prior):
    y, scores, w = cases(300, models=3, seed=4)
    options = {"cost_fp": 2, "cost_fn": 3, "prior": prior, "sample_weight": w}
    display = CostCurveDisplay.from_predictions(y, scores, **options)
    pi = w[y].sum() / w.sum() if prior is None else prior
    pc = pi * 3 / (pi * 3 + (1 - pi) * 2)
    costs = {name: least_cost(np.array([pc]), y, s, w)[0] for name, s in scores.items()}
    best = min(costs, key=costs.get)
    assert data(display, "mark")[0] == pytest.approx([pc, pc])
    for name, cost in costs.items():
        assert np.ravel(data(display, f"cost of {name}")) == pytest.approx([pc, cost])
    (words,) = [text for text in texts(display) if "normalized cost" in text]
    assert f"cost FP 2, FN 3{'' if prior is None else ', prior 0.1'}:" in words
    assert f": probability cost {pc:.3g}\nbest: {best}, score ≥ " in words
    assert words.endswith(f"; normalized cost {costs[best]:.3g}")
    limit = float(words.split("≥ ")[1].split(";")[0])
    s = scores[best]
    fnr, fpr = w[y & (s < limit)].sum() / w[y].sum(), w[~y & (s >= limit)].sum() / w[~y].sum()
    assert pc * fnr + (1 - pc) * fpr == pytest.approx(costs[best]), "the threshold that is written"


def test_where_no_model_pays_the_mark_says_so():
    y, scores, _ = cases(300)
    for options, words in (
        ({"cost_fp": 1000, "cost_fn": 1}, "none positive"),
        ({"cost_fp": 1, "cost_fn": 1000}, "all positive"),
    ):
        display = CostCurveDisplay.from_predictions(y, {"bad": -scores["m0"]}, **options)
        assert any(f"best: {words}" in text for text in texts(display))


def test_the_operating_range_is_shaded():
    y, scores, _ = cases(models=2)
    display = CostCurveDisplay.from_predictions(y, scores, pc_low=0.2, pc_high=0.6)
    shade = display.artists_["range"]
    assert (shade.get_x(), shade.get_width()) == pytest.approx((0.2, 0.4))
    open_end = CostCurveDisplay.from_predictions(y, scores, pc_low=0.7).artists_["range"]
    assert (open_end.get_x(), open_end.get_width()) == pytest.approx((0.7, 0.3))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cost_fp": 1}, "costs are incomplete; pass both cost_fp and cost_fn"),
        ({"prior": 0.1}, "costs are incomplete; pass both cost_fp and cost_fn"),
        ({"cost_fp": -1, "cost_fn": 1}, "cost_fp must be >= 0, got -1"),
        ({"cost_fp": 0, "cost_fn": 0}, "cost_fp and cost_fn are both 0"),
        ({"cost_fp": 1, "cost_fn": 1, "prior": 1.5}, r"prior must be in \(0, 1\) or None, got 1.5"),
        ({"highlight": "nobody"}, "nobody"),
    ],
)
@pytest.mark.parametrize("display", [CostCurveDisplay, ZonesDisplay])
def test_costs_that_make_no_sense_are_refused(display, options, message):
    y, scores, _ = cases(models=2)
    with pytest.raises(ParameterError, match=message):
        display.from_predictions(y, scores, **options)


def test_ranges_and_lines_that_make_no_sense_are_refused():
    y, scores, _ = cases(models=5)
    with pytest.raises(ParameterError, match="cost lines can be drawn for up to 3 models, got 5"):
        CostCurveDisplay.from_predictions(y, scores, lines=True)
    with pytest.raises(ParameterError, match=r"pc_high must be in \(0\.6, 1\], got 0\.2"):
        CostCurveDisplay.from_predictions(y, scores, pc_low=0.6, pc_high=0.2)
    for thresholds, message in (
        ((0.5, 0.5), r"got \(0.5, 0.5\)"), ((0.2, 1.1), r"got \(0.2, 1.1\)"),
        (0.5, "must be a pair"), ((0.1,), "must be a pair"),
    ):  # fmt: skip
        with pytest.raises(ParameterError, match=message):
            DecisionCurveDisplay.from_predictions(y, scores, thresholds=thresholds)


# Net benefit


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("thresholds", [(0.0, 1.0), (0.05, 0.3)])
def test_a_decision_curve_is_the_net_benefit_at_each_threshold(ties, thresholds):
    y, scores, w = cases(ties=ties, models=2)
    display = DecisionCurveDisplay.from_predictions(
        y, scores, sample_weight=w, thresholds=thresholds
    )
    low, high = thresholds
    bottom, top = display.ax_.get_ylim()
    asked = np.random.default_rng(1).uniform(low, high, 200)
    for name, s in scores.items():
        drawn_x, drawn_y = data(display, name)
        shown = drawn_y >= bottom
        slow = np.array([net_benefit(t, y, s, w) for t in drawn_x[shown]])
        assert drawn_y[shown] == pytest.approx(slow, abs=1e-12)
        exact = np.array([net_benefit(t, y, s, w) for t in asked])
        seen = exact > bottom
        scale = np.array([high - low, top - bottom])
        far = distance(np.column_stack([asked, exact])[seen] / scale, display, name, scale)
        # Between two scores that are nearer than a dot there may be a step that is not drawn.
        assert np.quantile(far, 0.98) < 2 * SEEN
        assert far.max() < 0.01
        if ties:
            after = 0.25 + 1e-9
            upright = np.interp(after, drawn_x, drawn_y)
            assert upright == pytest.approx(net_benefit(after, y, s, w), abs=SEEN * top)
        assert drawn_x[0] == low
        assert drawn_y.max() <= top
    prevalence = w[y].sum() / w.sum()
    x, everyone = data(display, "treat_all")
    exact = prevalence - (1 - prevalence) * x / (1 - x)
    assert everyone == pytest.approx(np.maximum(exact, 2 * bottom), abs=1e-12)
    assert not np.any(data(display, "treat_none")[1])
    assert "treat none" in texts(display)


def test_the_fall_of_treating_all_does_not_hide_the_models():
    y, scores, _ = cases()
    display = DecisionCurveDisplay.from_predictions(y, scores)
    bottom, top = display.ax_.get_ylim()
    assert top == pytest.approx(1.04 * y.mean())
    assert bottom == pytest.approx(-0.1 * y.mean())
    drawn = data(display, "treat_all")[1]
    assert 3 * bottom < drawn.min() < bottom, "the line goes on below, but not for ever"
    high = DecisionCurveDisplay.from_predictions(y, scores, thresholds=(0.6, 0.9))
    assert "treat all" not in texts(high)


def test_standardized_net_benefit_is_divided_by_the_prevalence():
    y, scores, _ = cases()
    plain, ready = (
        DecisionCurveDisplay.from_predictions(y, scores, standardized=flag)
        for flag in (False, True)
    )
    x, found = data(ready, "m0")
    assert found == pytest.approx(np.interp(x, *data(plain, "m0")) / y.mean(), abs=2 * SEEN)
    assert found.max() == pytest.approx(1)
    assert ready.ax_.get_ylabel() == "standardized net benefit"
    assert ready.ax_.get_ylim() == pytest.approx((-0.1, 1.04))
    none = ScoreTable([0.9, 0.1], [0, 0], [1, 1])
    with pytest.raises(
        DataError, match="standardized net benefit is undefined: there is no positive"
    ):
        DecisionCurveDisplay.from_predictions(none, standardized=True)
    assert DecisionCurveDisplay.from_predictions(none).ax_.get_ylim()[1] > 0


def test_the_models_that_gain_most_are_named_which_is_the_order_of_the_brier_score():
    y, scores, _ = cases(models=12, seed=3)
    display = DecisionCurveDisplay.from_predictions(y, scores)
    order = sorted(scores, key=lambda name: brier_score_loss(y, scores[name]))
    assert list(display.styles.named) == order[:7]
    assert texts(display)[:8] == [*order[:7], "5 others"]
    # A few false alarms at thresholds near 1, whose cost is unbounded, must not outweigh the rest.
    certain = np.where(y, 0.95, 0.05)
    certain[np.flatnonzero(~y)[:20]] = 1.0
    models = {"dull": np.full(y.size, 0.3), "certain": certain}
    assert list(DecisionCurveDisplay.from_predictions(y, models).styles.named) == [
        "certain",
        "dull",
    ]
    ahead = DecisionCurveDisplay.from_predictions(y, scores, thresholds=(0.1, 0.12))
    t = np.linspace(0.1, 0.12, 201)
    gains = {
        name: np.mean([(1 - u) * net_benefit(u, y, s, np.ones(y.size)) for u in t])
        for name, s in scores.items()
    }
    assert next(iter(ahead.styles.named)) == max(gains, key=gains.get)


def test_a_decision_curve_needs_probabilities_and_asks_estimators_for_them():
    y, scores, _ = cases()
    with pytest.raises(DataError, match=r"\[0, 1\]"):
        DecisionCurveDisplay.from_predictions(y, 10 * scores["m0"])
    features = np.column_stack([scores["m0"], np.random.default_rng(0).normal(size=y.size)])
    fitted = LogisticRegression().fit(features, y)
    display = DecisionCurveDisplay.from_estimator(fitted, features, y)
    x, found = data(display, "LogisticRegression")
    chances = fitted.predict_proba(features)[:, 1]
    slow = [net_benefit(t, y, chances, np.ones(y.size)) for t in x]
    assert found == pytest.approx(np.maximum(slow, found.min()), abs=1e-12)


# Zones


def crossing():
    """Two models, one of which is better where false alarms are dear, and a third that is none."""
    y = np.repeat([True, False], 50)
    rng = np.random.default_rng(5)
    certain = np.where(y, rng.permutation(100) < 50, False) + 0.5 * rng.random(100)
    wide = np.where(~y, rng.permutation(100) < 50, False) * -1.0 + 0.5 * rng.random(100)
    return y, {"certain": certain, "wide": wide, "poor": rng.random(100)}


def test_the_bar_shows_which_model_costs_least_at_each_probability_cost():
    y, scores = crossing()
    display = ZonesDisplay.from_predictions(y, scores)
    zones = display.zones.by_model()
    pc = (np.arange(1000) + 0.5) / 1000
    w = np.ones(y.size)
    costs = {name: least_cost(pc, y, s, w) for name, s in scores.items()}
    costs["nobody"] = np.minimum(pc, 1 - pc)
    best = np.min(list(costs.values()), axis=0)
    met = set()
    for place, zone in enumerate(zones):
        part = display.artists_[f"zone {place}"]
        inside = (pc >= part.get_x()) & (pc <= part.get_x() + part.get_width())
        assert costs[zone.model or "nobody"][inside] == pytest.approx(best[inside])
        met |= set(pc[inside])
    assert len(met) == pc.size, "the bar has no holes"
    assert {zone.model for zone in zones} >= {"certain", "wide"}
    assert "poor" not in display.styles.named


def test_the_hull_has_the_color_of_the_model_that_is_best_there():
    y, scores = crossing()
    display = ZonesDisplay.from_predictions(y, scores)
    lines = [artist for name, artist in display.artists_.items() if name.startswith("hull ")]
    whole = np.concatenate([np.column_stack(line.get_data()) for line in lines])
    assert whole[0].tolist() == [0, 0]
    assert whole[-1].tolist() == [1, 1]
    for before, after in pairwise(line.get_xydata() for line in lines):
        assert before[-1].tolist() == after[0].tolist()
        assert before[-1] == pytest.approx((before[-2] + after[1]) / 2), "each has half of the way"
    colors = {stroke.color: name for name, stroke in display.styles.named.items()}
    for line in lines:
        name = colors.get(line.get_color())
        if name is None:
            continue
        tpr, fpr = rates(y, scores[name], np.ones(y.size))
        own = set(zip(fpr.tolist(), tpr.tolist(), strict=True))
        points = line.get_xydata()
        inner = points[1:-1]
        assert len(inner)
        assert {tuple(point) for point in inner.tolist()} <= own
    corners = list(dict.fromkeys(map(tuple, whole.tolist())))
    for s in scores.values():
        for t, f in zip(*rates(y, s, np.ones(y.size)), strict=True):
            at = max(h for x, h in corners if x <= f) if f == 0 else np.interp(f, *whole.T)
            assert at >= t - 1e-12, "a point lies above the hull"


@pytest.mark.parametrize("over", ["cost", "skew"])
def test_costs_mark_the_skew_the_vertex_and_what_costs_the_same(over):
    y, scores = crossing()
    options = {"cost_fp": 3, "cost_fn": 2, "prior": 0.4}
    display = ZonesDisplay.from_predictions(y, scores, over=over, **options)
    skew = 0.6 * 3 / (0.4 * 2)
    at = 1 / (1 + skew) if over == "cost" else skew
    assert data(display, "mark")[0] == pytest.approx([at])
    w = np.ones(y.size)
    points = [rates(y, s, w) for s in scores.values()]
    lowest = min(np.min(skew * fpr + 1 - tpr) for tpr, fpr in points)
    ((x,), (height,)) = data(display, "best")
    assert skew * x + 1 - height == pytest.approx(lowest)
    line_x, line_y = data(display, "equally good")
    assert skew * np.array(line_x) + 1 - np.array(line_y) == pytest.approx(lowest)
    note = texts(display)[-1]
    which = f"probability cost {at:.3g}:" if over == "cost" else f"skew {at:.3g}:"
    assert note.startswith(which)
    assert f"TPR {height:.3f}, FPR {x:.3f}" in note


def test_the_skew_runs_from_few_positive_decisions_to_many_on_a_logarithmic_scale():
    y, scores = crossing()
    display = ZonesDisplay.from_predictions(y, scores, over="skew")
    strip = display.strip_
    left, right = strip.get_xlim()
    assert strip.get_xscale() == "log"
    assert left > right > 0
    zones = display.zones.by_model()
    for place, zone in enumerate(zones):
        part = display.artists_[f"zone {place}"]
        ends = sorted([part.get_x(), part.get_x() + part.get_width()])
        assert ends == pytest.approx(np.clip([zone.skew_low, zone.skew_high], right, left))
    with pytest.raises(ParameterError, match="over must be one of 'cost', 'skew', got 'odds'"):
        ZonesDisplay.from_predictions(y, scores, over="odds")


def test_names_stand_in_the_parts_of_the_bar_that_are_wide_enough():
    y, scores = crossing()
    scores = {f"{name} but with a name of some length": s for name, s in scores.items()}
    for names in (scores, dict(zip("abc", scores.values(), strict=True))):
        display = ZonesDisplay.from_predictions(y, names)
        display.figure_.draw_without_rendering()
        parts = [
            display.artists_[f"zone {place}"].get_window_extent()
            for place in range(len(display.zones.by_model()))
        ]
        for text in display.strip_.texts:
            box = text.get_window_extent()
            assert any(part.x0 <= box.x0 and box.x1 <= part.x1 for part in parts)
    assert {"a", "b"} <= {text.get_text() for text in display.strip_.texts}


def test_of_fifty_models_only_those_on_the_hull_are_named():
    y, scores, _ = cases(600, models=50, seed=2)
    display = ZonesDisplay.from_predictions(y, scores)
    zones = display.zones
    best = {row.model for row in zones.rows} - {None}
    assert set(display.styles.named) <= best
    assert len(display.styles.named) == min(7, len(best))
    named = [text.split("  ")[0] for text in texts(display)]
    assert not set(named) & set(zones.never_best)
    assert f"{50 - len(display.styles.named)} others" in named
    w = np.ones(y.size)
    pc = np.linspace(0.001, 0.999, 999)
    costs = {name: least_cost(pc, y, s, w) for name, s in scores.items()}
    second = np.partition(np.array(list(costs.values())), 1, axis=0)[1]
    ahead = {name for name, cost in costs.items() if np.any(cost < second - 1e-12)}
    assert ahead
    assert ahead <= best


def test_a_model_that_is_nowhere_best_says_so():
    display = ZonesDisplay.from_predictions([1, 0], [0.4, 0.6], name="wrong")
    assert "wrong  never best" in texts(display)
    assert {t.get_text() for t in display.strip_.texts} == {"none positive", "all positive"}


# All of them


@pytest.mark.parametrize("display", DISPLAYS)
def test_hostile_names_are_drawn_letter_by_letter(display):
    y, scores, _ = cases(models=len(HOSTILE), seed=8)
    drawn = display.from_predictions(
        y, dict(zip(HOSTILE, scores.values(), strict=True)), highlight=HOSTILE
    )
    found = "\n".join(texts(drawn))
    for letters in (r"\$x^2\$ and \$", "_hidden", "<b>bold</b>", "x" * 8, "x…x"):
        assert letters in found
    assert "x" * 15 not in found
    assert "line\nbreak" not in found
    drawn.figure_.draw_without_rendering()


@pytest.mark.parametrize("display", DISPLAYS)
@pytest.mark.parametrize("scores", [[0.6, 0.4], [0.4, 0.6], [0.5, 0.5]])
def test_two_cases_are_enough(display, scores):
    display.from_predictions([1, 0], scores).figure_.draw_without_rendering()


@pytest.mark.parametrize("display", [CostCurveDisplay, ZonesDisplay])
def test_one_class_has_no_costs(display):
    with pytest.raises(DataError, match="a class is empty"):
        display.from_predictions(ScoreTable([0.9, 0.1], [1, 1], [0, 0]))


@pytest.mark.parametrize("display", [LiftDisplay, GainDisplay, DecisionCurveDisplay, ZonesDisplay])
def test_models_of_different_cases_are_refused_where_these_are_compared_with_a_rule(display):
    tables = {"a": ScoreTable([0.9, 0.1], [1, 1], [1, 2]), "b": ScoreTable([0.8], [3], [2])}
    with pytest.raises(DataError, match="not evaluated on the same cases"):
        display(Models.of_tables(tables))


@pytest.mark.parametrize("display", DISPLAYS)
def test_fifty_models_are_counted_and_seven_distinguished(display):
    y, scores, _ = cases(300, models=50, seed=6)
    drawn = display.from_predictions(y, scores)
    assert set(scores) <= set(drawn.artists_)
    named = len(drawn.styles.named)
    assert named <= 7
    assert any(text == f"{50 - named} others" for text in texts(drawn))


@pytest.mark.parametrize("display", DISPLAYS)
def test_a_million_cases_are_thinned_to_what_can_be_seen(display, tmp_path):
    y, scores, _ = cases(10**6, seed=7)
    drawn = display.from_predictions(y, scores)
    x, heights = data(drawn, "m0")
    assert len(x) <= 4 * COLUMNS
    drawn.save(tmp_path / "million.svg")
    assert (tmp_path / "million.svg").stat().st_size < 200_000
    if display is GainDisplay:
        order = np.argsort(-scores["m0"])
        depth = np.arange(1, y.size + 1) / y.size
        exact = np.cumsum(y[order]) / y.sum()
        above = np.abs(np.interp(depth, x, heights) - exact)
        aside = np.abs(np.interp(exact, heights, x) - depth)
        assert np.minimum(above, aside).max() < SEEN


@pytest.mark.parametrize("display", DISPLAYS)
@pytest.mark.parametrize("models", [1, 3, 7])
def test_the_legend_names_each_curve_and_hides_none(display, models):
    y, scores, _ = cases(seed=3, models=models)
    drawn = display.from_predictions(y, scores)
    drawn.figure_.draw_without_rendering()
    legend = drawn.ax_.get_legend()
    found = " ".join(text.get_text() for text in legend.get_texts())
    assert all(name in found for name in drawn.styles.named)
    box = legend.get_window_extent()
    for name in scores:
        line = drawn.artists_[name]
        path = line.get_path().transformed(line.get_transform())
        assert not path.intersects_bbox(box, filled=False), name
    assert box.x0 >= -1
    assert box.y0 >= -1
    assert box.x1 <= drawn.figure_.bbox.width + 1


# Commands


@pytest.fixture
def file(tmp_path):
    y, scores, w = cases(200, models=2)
    path = tmp_path / "scores.csv"
    pl.DataFrame({"label": y.astype(int), **scores, "w": w, "odd": 9 * scores["m0"]}).write_csv(
        path
    )
    return path


def run(kind, file, *options):
    base = [kind, str(file), "--label", "label", "-o", str(file.with_suffix(".svg"))]
    scores = [] if "--score" in options else ["--score", "m0", "--score", "m1"]
    return run_plot(*base, *scores, *options)


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        ("lift", ["--highlight", "m0", "--depth", "0.2"], "top 20%"),
        ("gain", ["--counts", "--highlight", "m0"], "true positives"),
        ("gain", ["--depth", "0.1", "--highlight", "m1", "--band", "0.9"], "positives found"),
        ("cost-curve", ["--cost-fp", "1", "--cost-fn", "2", "--lines"], "FN 2"),
        ("cost-curve", ["--pc-low", "0.2", "--pc-high", "0.5"], "normalized expected cost"),
        ("decision-curve", ["--thresholds", "0.1", "0.4", "--standardized"], "standardized"),
        ("zones", ["--over", "skew", "--cost-fp", "1", "--cost-fn", "3", "--prior", ".2"], "skew"),
    ],
)
def test_a_command_draws_each_picture(file, kind, options, words):
    result = run(kind, file, "--weight", "w", *options)
    assert result.exit_code == 0, result.output
    assert words in file.with_suffix(".svg").read_text()


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("gain", ["--depth", "2"], "--depth"),
        ("cost-curve", ["--cost-fp", "1"], "--cost-fn"),
        ("cost-curve", ["--cost-fp", "-1", "--cost-fn", "2"], "--cost-fp must be >= 0"),
        ("cost-curve", ["--pc-low", "0.5", "--pc-high", "0.1"], "--pc-high must be in"),
        ("decision-curve", ["--thresholds", "0.5", "0.2"], "thresholds"),
        ("zones", ["--over", "odds"], "--over"),
        ("zones", ["--cost-fp", "1", "--cost-fn", "1", "--prior", "2"], "--prior"),
    ],
)
def test_a_wrong_option_is_an_error_in_the_command(file, kind, options, message):
    result = run(kind, file, *options)
    assert result.exit_code == 2
    assert message in result.output
    assert not file.with_suffix(".svg").exists()


def test_scores_that_are_not_probabilities_are_an_error_in_the_data(file):
    result = run("decision-curve", file, "--score", "odd")
    assert result.exit_code == 1
    assert isinstance(result.exception, DataError)
