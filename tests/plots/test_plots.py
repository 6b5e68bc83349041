"""Pictures: what all displays share, and the ROC curve. What is drawn is compared, not pixels."""

import sys
import warnings
from xml.etree import ElementTree as ET

import numpy as np
import polars as pl
import pytest
from drawing import HOSTILE, distance_to_line, legend_texts, written
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_curve

import metameasure as mm
from metameasure.curves import Curve, CurveKind
from metameasure.curves.curve_kind import CurveDeclaration
from metameasure.data import Models
from metameasure.errors import DataError, MetameasureError, ParameterError
from metameasure.plots import (
    CostCurveDisplay,
    DecisionCurveDisplay,
    DetDisplay,
    GainDisplay,
    LiftDisplay,
    PrecisionRecallDisplay,
    ReliabilityDisplay,
    RocDisplay,
    SrocDisplay,
)
from metameasure.plots._drawing.layout import legend, line_entry
from metameasure.plots._drawing.model_styles import curves_of
from metameasure.plots._drawing.style import COLORS, GUIDE, MOST_NAMED, strokes, text_of
from metameasure.plots._drawing.thinning import COLUMNS, thinned, trace
from metameasure.plots.cost_curve import TRIVIAL


def cases(n=400, seed=0, models=1, ties=False):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    scores = {f"m{k}": rng.normal(size=n) + (1 + 0.1 * k) * y for k in range(models)}
    if ties:
        scores = {name: np.round(score) for name, score in scores.items()}
    return y, scores


# Thinning


@pytest.mark.parametrize("seed", range(3))
def test_a_thinned_line_looks_like_the_whole_one(seed):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.random(30_000))
    y = np.cumsum(rng.random(30_000) * x)
    y /= y[-1]
    thin_x, thin_y = thinned(x, y)
    assert thin_x.size <= 4 * COLUMNS < x.size
    picked = rng.integers(0, x.size, 400)
    assert distance_to_line(x[picked], y[picked], thin_x, thin_y).max() < 1 / COLUMNS


def test_thinning_keeps_peaks_that_are_narrower_than_a_dot():
    x = np.linspace(0, 1, 100_001)
    y = np.zeros(x.size)
    y[50_003], y[70_001] = 1.0, -0.5
    _, heights = thinned(x, y)
    assert heights.max() == 1
    assert heights.min() == -0.5


def test_few_points_are_all_kept():
    x = np.linspace(0, 1, 50)
    assert thinned(x, 2 * x)[0].tolist() == x.tolist()


def test_scores_far_from_zero_are_thinned_by_their_own_width():
    x = np.linspace(-1000, -999, 10**5)
    y = np.sin(20 * x)
    thin_x, thin_y = thinned(x, y)
    assert COLUMNS < thin_x.size <= 4 * COLUMNS
    assert np.abs(np.interp(x, thin_x, thin_y) - y).max() < 1e-3


def test_nothing_and_one_point_are_drawn_as_they_are():
    for size in (0, 1):
        x, y = thinned(np.zeros(size), np.zeros(size))
        assert x.size == y.size == size


@pytest.mark.parametrize(
    ("between", "corners"),
    [
        ("step", [(0, 3), (1, 3), (1, 1), (2, 1), (2, 0)]),
        ("riser", [(0, 3), (0, 1), (1, 1), (1, 0), (2, 0)]),
        ("line", [(0, 3), (1, 1), (2, 0)]),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_corners_lie_where_the_curve_has_them(between, corners, turned):
    x, y = np.array([0.0, 1, 2]), np.array([3.0, 1, 0])
    if turned:
        x, y = x[::-1], y[::-1]
    drawn = list(zip(*(a.tolist() for a in trace(Curve("c", x, y, between=between))), strict=True))
    assert drawn == (corners[::-1] if turned and between == "line" else corners)


def test_precision_bends_between_its_points():
    y, s = [1] * 5 + [0] * 10 + [1] * 5, [1.0] * 5 + [0.5] * 15
    curve = mm.precision_recall(y, s)
    x, drawn = trace(curve)
    assert np.allclose(drawn, curve.at(x))
    inside = x[(x > 0.5) & (x < 1)]
    assert inside.size > 5
    straight = np.interp(inside, [0.5, 1], [1.0, 0.5])
    assert (np.abs(np.interp(inside, x, drawn) - straight) > 0.02).any()


# Names


def rows(heights, wave=0.0):
    """Axes with a line at each height, and their legend entries."""
    _, axes = plt.subplots(layout="constrained")
    x = np.linspace(0, 1, 200)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    looks = strokes([f"line {place}" for place in range(len(heights))])
    for height, look in zip(heights, looks.values(), strict=True):
        axes.plot(x, height + wave * np.sin(60 * x), **look.keywords)
    return axes, [line_entry(look, name) for name, look in looks.items()]


def hidden(axes):
    """The lines that go through the legend."""
    axes.figure.draw_without_rendering()
    box = axes.get_legend().get_window_extent()
    return [
        line
        for line in axes.lines
        if box.count_contains(axes.transData.transform(line.get_xydata()))
    ]


def test_a_legend_stands_inside_where_it_hides_no_line():
    axes, entries = rows([0.8, 0.9, 0.95])
    legend(axes, entries, "upper left")
    assert legend_texts(axes) == ["line 0", "line 1", "line 2"]
    assert not hidden(axes)
    box, inside = axes.get_legend().get_window_extent(), axes.get_window_extent()
    assert inside.y0 <= box.y0
    assert box.y1 < axes.transData.transform((0, 0.8))[1]


def test_a_legend_without_room_inside_goes_below_the_axes():
    axes, entries = rows(np.linspace(0.02, 0.98, 7), wave=0.01)
    axes.set_xlabel("across")
    legend(axes, entries)
    assert legend_texts(axes) == [f"line {place}" for place in range(7)]
    assert not hidden(axes)
    box = axes.get_legend().get_window_extent()
    assert box.y1 <= axes.xaxis.label.get_window_extent().y0 + 1
    assert box.y0 >= -1


def test_a_legend_hides_a_guide_rather_than_data():
    axes, entries = rows([0.9])
    axes.plot([0, 1], [0, 1], **GUIDE.keywords)
    for place in ((0.02, 0.5), (0.6, 0.02)):
        axes.text(*place, "a long text in the way, longer still")
    axes.plot([0.5, 0.5], [0.6, 1], zorder=3)
    legend(axes, entries)
    assert [line for line in hidden(axes) if line.get_zorder() > 1.4] == []
    box = axes.get_legend().get_window_extent()
    assert not any(box.overlaps(text.get_window_extent()) for text in axes.texts)


def test_a_legend_is_extended_without_repeating_entries():
    axes, entries = rows([0.1, 0.2])
    legend(axes, entries[:1])
    legend(axes, entries)
    assert legend_texts(axes) == ["line 0", "line 1"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_shown_letter_by_letter(name):
    shown = text_of(name)
    assert "\n" not in shown
    assert len(shown.replace(r"\$", "$")) <= 28
    assert shown.count("$") == shown.count(r"\$")


@pytest.mark.parametrize("count", [1, 3])
def test_hostile_names_are_drawn(count, tmp_path):
    y, scores = cases(models=count * len(HOSTILE))
    named = dict(
        zip(
            (f"{n}{'!' * (k // 6)}" for k, n in enumerate(HOSTILE * count)),
            scores.values(),
            strict=False,
        )
    )
    file = tmp_path / "x.svg"
    RocDisplay.from_predictions(y, named).save(file)
    ET.parse(file)  # noqa: S314 - our own file


def test_named_models_differ_in_color_and_in_dashes():
    looks = list(strokes([str(k) for k in range(MOST_NAMED)]).values())
    assert len({look.color for look in looks}) == MOST_NAMED
    assert len({str(look.dashes) for look in looks}) == MOST_NAMED


def test_colors_differ_in_gray_or_have_other_dashes():
    def light(color):
        r, g, b = (int(color[k : k + 2], 16) for k in (1, 3, 5))
        return (0.299 * r + 0.587 * g + 0.114 * b) / 255

    looks = list(strokes([str(k) for k in range(MOST_NAMED)]).values())
    for k, one in enumerate(looks):
        for other in looks[:k]:
            assert abs(light(one.color) - light(other.color)) > 0.03 or one.dashes != other.dashes
        assert light(one.color) < 0.75, "too pale on white"
    assert len(COLORS) == MOST_NAMED


# Several displays on the same axes


def both_on(display, first, second, **options):
    """Two displays on the same axes, one after the other, and how their lines look."""
    y, _ = cases()
    _, axes = plt.subplots(layout="constrained")
    drawn = [display.from_predictions(y, some, ax=axes, **options) for some in (first, second)]
    looks = [
        (line.get_color(), line.get_linestyle(), tuple(line._dash_pattern[1] or ()))
        for shown, some in zip(drawn, (first, second), strict=True)
        for line in (shown.artists_[name] for name in some)
    ]
    return axes, looks


def in_unit(models, names):
    """The same models under other names, with scores between 0 and 1."""
    return {
        name: 1 / (1 + np.exp(-score)) for name, score in zip(names, models.values(), strict=True)
    }


@pytest.mark.parametrize(
    "display",
    [RocDisplay, PrecisionRecallDisplay, GainDisplay, DetDisplay, SrocDisplay, CostCurveDisplay,
     DecisionCurveDisplay, ReliabilityDisplay],
)  # fmt: skip
def test_a_second_display_goes_on_with_other_looks(display):
    _, models = cases(models=4)
    models = in_unit(models, "abcd")
    first, second = ({name: models[name] for name in names} for names in ("ab", "cd"))
    _, looks = both_on(display, first, second)
    assert [color for color, *_ in looks] == list(COLORS[:4])
    assert len(set(looks)) == 4
    again = display.from_predictions(cases()[0], second)
    assert [again.artists_[name].get_color() for name in "cd"] == list(COLORS[:2])


def test_many_lines_of_several_displays_all_look_different():
    _, models = cases(models=14)
    names = list(models)
    first, second = ({name: models[name] for name in some} for some in (names[:7], names[7:]))
    axes, looks = both_on(RocDisplay, first, second)
    assert len(set(looks)) == 14
    *named, brackets = legend_texts(axes)
    assert sorted(text.split()[0] for text in named) == sorted(names)
    assert brackets == "in brackets: 95% CI"


def test_a_display_that_is_drawn_again_elsewhere_has_its_first_looks():
    y, models = cases(models=2)
    display = RocDisplay.from_predictions(y, models)
    _, axes = plt.subplots()
    RocDisplay.from_predictions(y, {"other": models["m0"]}, ax=axes)
    assert display.plot(axes).artists_["m0"].get_color() == COLORS[1]
    assert display.plot().artists_["m0"].get_color() == COLORS[0]
    axes.clear()
    assert display.plot(axes).artists_["m0"].get_color() == COLORS[0]


def test_several_displays_on_the_same_axes_share_a_legend():
    y, models = cases(models=3)
    _, axes = plt.subplots(layout="constrained")
    for name, score in models.items():
        RocDisplay.from_predictions(y, score, name=name, ax=axes)
    assert [text.split()[0] for text in legend_texts(axes)] == list(models)
    handles = [line.get_color() for line in axes.get_legend().legend_handles]
    assert handles == list(COLORS[:3])


def test_labels_of_the_user_do_not_count_as_strokes():
    y, models = cases(models=2)
    display = RocDisplay.from_predictions(y, models["m0"])
    display.ax_.plot([0, 1], [1, 0], label="_metameasure ?")
    second = RocDisplay.from_predictions(y, models["m1"], ax=display.ax_)
    assert second.artists_["model"].get_color() == COLORS[1]


@pytest.mark.parametrize("display", [CostCurveDisplay, DecisionCurveDisplay, LiftDisplay])
def test_what_is_drawn_first_stays_in_view_and_guides_are_named_once(display):
    _, models = cases(models=2)
    y, models = cases()[0], in_unit(models, ["poor", "good"])
    good = {"good": np.where(y, 0.9, 0.1)}
    axes, _ = both_on(display, {"poor": models["poor"]}, good)
    alone = display.from_predictions(y, {"poor": models["poor"]}).ax_
    assert axes.get_ylim()[1] >= alone.get_ylim()[1]
    words = legend_texts(axes)
    guides = {"random ranking", "perfect ranking", "treat all", "treat none", TRIVIAL}
    assert guides & set(words)
    assert len(words) == len(set(words))


def test_two_reliability_displays_write_both_decompositions():
    _, models = cases(models=2)
    models = in_unit(models, ["a", "b"])
    axes, _ = both_on(ReliabilityDisplay, {"a": models["a"]}, {"b": models["b"]})
    assert [text.split()[:2] for text in legend_texts(axes) if "Brier" in text] == [
        ["a", "Brier"],
        ["b", "Brier"],
    ]


# The ROC curve


@pytest.mark.parametrize("ties", [False, True])
def test_the_drawn_roc_is_that_of_scikit_learn(ties):
    y, scores = cases(ties=ties)
    display = RocDisplay.from_predictions(y, scores["m0"])
    fpr, tpr, _ = roc_curve(y, scores["m0"])
    x, height = display.artists_["model"].get_data()
    assert distance_to_line(fpr, tpr, x, height).max() < 1 / COLUMNS
    assert distance_to_line(x, height, fpr, tpr).max() < 1e-12
    assert display.ax_.get_xlabel() == "false positive rate"
    assert display.ax_.get_ylabel() == "true positive rate"
    for low, high in (display.ax_.get_xlim(), display.ax_.get_ylim()):
        assert low <= 0
        assert high >= 1
    assert display.figure_ is display.ax_.figure
    found = mm.interval(y, scores["m0"], "auc")
    value = f"AUC {mm.auc(y, scores['m0']):.3f}"
    assert written(display.ax_) == f"{value} (95% CI {found.low:.3f}–{found.high:.3f})"
    assert written(RocDisplay.from_predictions(y, scores["m0"], ci=None).ax_) == value


def test_it_is_drawn_on_the_axes_that_are_given_and_again_on_others():
    y, scores = cases()
    figure, (left, right) = plt.subplots(1, 2)
    display = RocDisplay.from_predictions(y, scores["m0"], ax=left, name="mine")
    assert display.ax_ is left
    assert display.figure_ is figure
    assert display.plot(ax=right) is display
    assert display.ax_ is right
    assert len(left.lines) == len(right.lines) == 2


def test_many_cases_make_a_small_file_with_the_hull_and_the_point_on_the_curve(tmp_path):
    rng = np.random.default_rng(1)
    y = rng.random(200_000) < 0.3
    s = rng.normal(size=200_000) + y
    display = RocDisplay.from_predictions(y, s, hull=True, maximize="f_measure")
    drawn = display.artists_["model"].get_data()
    hull = mm.roc_hull(y, s)
    assert display.artists_["hull"].get_xydata().tolist() == np.stack([hull.x, hull.y], 1).tolist()
    assert distance_to_line(hull.x, hull.y, *drawn).max() < 1 / COLUMNS
    best = mm.operating_point(y, s, maximize="f_measure")
    (point,) = display.artists_["point of model"].get_xydata()
    assert point.tolist() == [float(best.matrix.fpr), float(best.matrix.tpr)]
    assert distance_to_line(*point[:, np.newaxis], *drawn).max() < 1 / COLUMNS
    display.save(tmp_path / "roc.svg")
    assert (tmp_path / "roc.svg").stat().st_size < 200_000


def test_the_hull_repairs_a_concavity():
    y = [1, 1, 0, 0, 1, 1, 0, 0]
    s = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2]
    display = RocDisplay.from_predictions(y, s, hull=True)
    assert display.artists_["hull"].get_xydata().tolist() == [[0, 0], [0, 0.5], [0.5, 1], [1, 1]]
    (area,) = display.ax_.patches
    x, height = area.get_xy().T
    shaded = abs(np.sum(x[:-1] * height[1:] - x[1:] * height[:-1])) / 2
    assert shaded == pytest.approx(mm.auch(y, s) - mm.auc(y, s)) == pytest.approx(1 / 8)


def test_isoaccuracy_lines_have_the_slope_of_the_class_ratio():
    y, s = [1, 0, 0, 0, 1, 0, 0, 0], np.linspace(1, 0, 8)
    display = RocDisplay.from_predictions(y, s, isometrics="accuracy", values=[0.5, 0.75])
    for value, line in display.isometrics.items():
        slope = np.diff(line.y) / np.diff(line.x)
        assert slope == pytest.approx(3)
        assert line.y == pytest.approx(3 * line.x + 4 * value - 3)
    shown = {text.get_text() for text in display.ax_.texts}
    assert {"0.5", "0.75"} <= shown
    drawn = [line.get_xydata() for line in display.ax_.lines]
    for line in display.isometrics.values():
        assert any(np.array_equal(data, np.column_stack([line.x, line.y])) for data in drawn)


def test_isoprecision_lines_go_through_the_origin():
    y, s = [1, 0, 0, 0, 1, 0, 0, 0], np.linspace(1, 0, 8)
    display = RocDisplay.from_predictions(y, s, isometrics="precision", r=2, values=[0.4])
    line = display.isometrics[0.4]
    # precision v holds on TPR = FPR r v / (1 - v)
    assert line.y == pytest.approx(line.x * 2 * 0.4 / 0.6)


def test_costs_mark_the_point_and_the_line_of_equal_cost():
    y, scores = cases()
    s = scores["m0"]
    display = RocDisplay.from_predictions(y, s, cost_fp=1, cost_fn=5, prior=0.02)
    fpr, tpr, threshold = roc_curve(y, s, drop_intermediate=False)
    cost = 0.98 * fpr + 0.02 * 5 * (1 - tpr)
    place = int(np.argmin(cost))
    (point,) = display.points.values()
    assert float(point.threshold) == threshold[place]
    text = written(display.ax_)
    assert f"expected cost {cost[place]:.3g}" in text
    line = display.ax_.lines[-1].get_xydata()
    costs = 0.98 * line[:, 0] + 0.1 * (1 - line[:, 1])
    assert costs == pytest.approx(cost[place])


def test_a_band_is_drawn_around_the_curve():
    y, scores = cases(n=120)
    display = RocDisplay.from_predictions(y, scores["m0"], band=0.9)
    band = mm.band(y, scores["m0"], "roc", ci=0.9)
    (area,) = display.ax_.collections
    vertices = area.get_paths()[0].vertices
    for x, low, high in zip(band.x, band.low, band.high, strict=True):
        at = vertices[np.abs(vertices[:, 0] - x) < 1e-12][:, 1]
        assert at.min() == pytest.approx(low)
        assert at.max() == pytest.approx(high)


def test_fifty_models_are_seven_names_and_a_count():
    y, scores = cases(models=50)
    display = RocDisplay.from_predictions(y, scores, ci=None)
    values = {name: mm.auc(y, score) for name, score in scores.items()}
    best = sorted(values, key=values.get, reverse=True)[:7]
    assert list(display.styles.named) == best
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts == [*(f"{name}  AUC {values[name]:.3f}" for name in best), "43 others"]
    assert set(display.artists_) == set(scores)
    gray = {display.artists_[name].get_color() for name in display.styles.rest}
    assert len(gray) == 1
    asked = RocDisplay.from_predictions(y, scores, highlight=["m3", "m1"])
    assert list(asked.styles.named) == ["m3", "m1"]


def test_intervals_are_in_brackets_with_their_confidence():
    y, scores = cases(models=2)
    display = RocDisplay.from_predictions(y, scores, ci=0.9)
    found = {name: mm.interval(y, score, "auc", ci=0.9) for name, score in scores.items()}
    expected = [
        f"{name}  AUC {found[name].value:.3f} ({found[name].low:.3f}–{found[name].high:.3f})"
        for name in display.styles.named
    ]
    assert legend_texts(display.ax_) == [*expected, "in brackets: 90% CI"]


def test_tables_whose_weights_are_not_counts_have_no_interval():
    table = mm.tabulate([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1], sample_weight=[0.5, 1, 1, 1.25])
    display = RocDisplay.from_predictions(table)
    assert not display.intervals
    assert written(display.ax_) == f"AUC {mm.auc(table):.3f}"


@pytest.mark.parametrize("kind", ["numbers", "bool", "text", "objects", "frame"])
def test_predicted_labels_are_one_point(kind):
    rng = np.random.default_rng(4)
    y = rng.random(200) < 0.4
    guess = np.where(rng.random(200) < 0.25, ~y, y)
    words = np.array(["no", "yes"])
    data = {
        "numbers": (y.astype(int), guess.astype(int)),
        "bool": (y, guess),
        "text": (words[y.astype(int)], words[guess.astype(int)]),
        "objects": (words[y.astype(int)].astype(object), words[guess.astype(int)].astype(object)),
        "frame": (
            pl.DataFrame({"y": words[y.astype(int)], "guess": words[guess.astype(int)]}),
            "guess",
        ),
    }[kind]
    more = {"label": "y"} if kind == "frame" else {}
    more |= {} if kind in {"numbers", "bool"} else {"pos_label": "yes"}
    display = RocDisplay.from_predictions(*data, **more)
    name = "guess" if kind == "frame" else "model"
    tpr, fpr = guess[y].mean(), guess[~y].mean()
    assert display.artists_[f"point of {name}"].get_xydata().tolist() == [[fpr, tpr]]
    assert display.artists_[name].get_xydata() == pytest.approx(
        np.array([[0, 0], [fpr, tpr], [1, 1]])
    )
    (text,) = legend_texts(display.ax_)
    assert f"AUC {(1 + tpr - fpr) / 2:.3f}" in text
    assert text.endswith(", one point")


def test_scores_have_no_single_point_and_other_displays_refuse_text():
    y, scores = cases()
    assert not RocDisplay.from_predictions(y, scores["m0"]).single_points
    assert not RocDisplay.from_predictions(y, np.zeros(y.size)).single_points
    words = np.where(y, "yes", "no")
    with pytest.raises(DataError, match="which one is positive is unknown"):
        RocDisplay.from_predictions(y, words)
    with pytest.raises(DataError, match="must be real numbers, got text"):
        PrecisionRecallDisplay.from_predictions(y, words)


def test_pictures_on_a_screen_have_a_resolution_for_notebooks():
    y, scores = cases()
    assert RocDisplay.from_predictions(y, scores["m0"]).figure_.dpi == 144
    with plt.rc_context({"figure.dpi": 300}):
        assert RocDisplay.from_predictions(y, scores["m0"]).figure_.dpi == 300
    _, axes = plt.subplots(dpi=80)
    assert RocDisplay.from_predictions(y, scores["m0"], ax=axes).figure_.dpi == 80


def test_weights_and_tables_give_the_same_picture():
    y, scores = cases(ties=True)
    weight = np.random.default_rng(3).integers(0, 4, y.size)
    by_weight = RocDisplay.from_predictions(y, scores["m0"], sample_weight=weight)
    table = mm.tabulate(np.repeat(y, weight), np.repeat(scores["m0"], weight))
    by_table = RocDisplay.from_predictions({"model": table})
    one, other = (d.artists_["model"].get_xydata() for d in (by_weight, by_table))
    assert one == pytest.approx(other)


def test_estimators_are_drawn_by_what_they_say():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(200, 3))
    y = np.where(X[:, 0] + rng.normal(size=200) > 0, "sick", "well")
    model = LogisticRegression().fit(X, y)
    second = RocDisplay.from_estimator(model, X, y)
    assert list(second.curves) == ["LogisticRegression"]
    exact = mm.roc(y == "well", model.decision_function(X))
    assert np.array_equal(second.curves["LogisticRegression"].y, exact.y)
    first = RocDisplay.from_estimator({"a": model}, X, y, pos_label="sick")
    exact = mm.roc(y == "sick", -model.decision_function(X))
    assert np.array_equal(first.curves["a"].y, exact.y)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"isometrics": "auc"}, "needs the whole ranking"),
        ({"isometrics": "accuracy", "r": -1}, "r must be > 0, got -1"),
        ({"cost_fp": -1, "cost_fn": 1}, "cost_fp must be >= 0, got -1"),
        ({"cost_fp": 1}, "pass maximize or both cost_fp and cost_fn"),
        ({"cost_fp": 1, "cost_fn": 1, "prior": 1.0}, r"prior must be in \(0, 1\)"),
        ({"maximize": "accuracy", "cost_fp": 1}, "not both"),
        ({"band": 1.5}, r"band must be in \(0, 1\), got 1.5"),
        ({"highlight": ["nobody"]}, "highlight must be .*, got 'nobody'"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(options, words):
    y, scores = cases()
    with pytest.raises(ParameterError, match=words):
        RocDisplay.from_predictions(y, scores, **options)
    assert not plt.get_fignums(), "no empty figure is left"


def test_isometrics_that_lie_nowhere_are_refused():
    with pytest.raises(DataError, match=r"accuracy is nowhere 1\.5 in ROC space"):
        RocDisplay.from_predictions(*cases(), isometrics="accuracy", values=[1.5])
    assert not plt.get_fignums(), "no empty figure is left"


def test_bands_of_many_models_are_refused():
    y, scores = cases(models=5)
    with pytest.raises(ParameterError, match="up to 3 models, got 5"):
        RocDisplay.from_predictions(y, scores, band=0.95)


def test_one_class_has_no_picture():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DataError, match="a class is empty"):
            RocDisplay.from_predictions([1, 1, 1], [0.1, 0.2, 0.3])


def test_warnings_of_others_stay_warnings_while_curves_are_found():
    """Filters are those of the whole process, and so of what else runs in it."""
    met = []

    def points(table):
        met.append(list(warnings.filters))
        return Curve("", np.array([0.0, 1.0]), np.array([0.0, 1.0]))

    kind = CurveKind(CurveDeclaration(name="met", function=points, labels=("x", "y")))
    curves_of(Models.of_tables({"m": mm.tabulate([0, 1], [0.2, 0.8])}), kind)
    assert met == [list(warnings.filters)]


def test_several_classes_and_nonsense_are_refused():
    with pytest.raises(DataError, match="3 labels"):
        RocDisplay.from_predictions([0, 1, 2], [0.1, 0.2, 0.3])
    with pytest.raises(DataError, match="scores are missing"):
        RocDisplay.from_predictions([0, 1, 1])
    with pytest.raises(ParameterError, match="scores must be names of models"):
        RocDisplay.from_predictions({"a": mm.tabulate([0, 1], [0, 1])}, [0, 1])
    with pytest.raises(ParameterError, match='name="x" is for one model'):
        RocDisplay.from_predictions([0, 1], {"a": [0, 1], "b": [0, 1]}, name="x")


# Files


@pytest.mark.parametrize(
    ("form", "magic"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_files_are_of_the_form_that_their_name_says_and_always_the_same(tmp_path, form, magic):
    y, scores = cases()
    display = RocDisplay.from_predictions(y, scores["m0"])
    contents = []
    for name in ("a", "b"):
        file = tmp_path / f"{name}.{form}"
        display.save(file)
        contents.append(file.read_bytes())
    assert contents[0].startswith(magic)
    assert contents[0] == contents[1]
    assert [p.name for p in sorted(tmp_path.iterdir())] == [f"a.{form}", f"b.{form}"]


def test_an_unknown_form_writes_nothing(tmp_path):
    y, scores = cases()
    display = RocDisplay.from_predictions(y, scores["m0"])
    with pytest.raises(ParameterError, match=r"file must be a .png, .svg or .pdf file, got"):
        display.save(tmp_path / "x.gif")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"size": (60, 60), "dpi": 1200}, "use a smaller size or dpi, SVG or PDF"),
        ({"size": (0, 3)}, "size must be > 0, got 0"),
        ({"size": (3, float("nan"))}, "size must be > 0, got nan"),
        ({"dpi": float("inf")}, "dpi must be finite and >= 10, got inf"),
    ],
)
def test_a_sheet_has_a_sensible_size(tmp_path, options, words):
    y, scores = cases()
    display = RocDisplay.from_predictions(y, scores["m0"])
    with pytest.raises(ParameterError, match=words):
        display.save(tmp_path / "x.png", **options)
    assert not list(tmp_path.iterdir())


def test_without_matplotlib_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    y, scores = cases()
    with pytest.raises(MetameasureError, match=r"pip install 'metameasure\[plot\]'"):
        RocDisplay.from_predictions(y, scores["m0"])


# What a picture must not do


def test_long_names_that_end_differently_stay_different():
    names = [f"experiment_2024_resnet50_lr0.001_seed{k}" for k in (1, 2)]
    assert len({text_of(name) for name in names}) == 2


def test_the_threshold_that_is_written_takes_the_cases_that_are_meant():
    y, s = [1, 1, 0, 1, 0, 0], [7 / 9, 7 / 9, 0.5, 0.4, 0.2, 0.1]
    display = RocDisplay.from_predictions(y, s, cost_fp=5, cost_fn=1)
    (note,) = [text for text in legend_texts(display.ax_) if "score ≥" in text]
    assert 0.5 < float(note.split()[2]) <= 7 / 9


def test_saving_leaves_what_was_drawn_to_the_user(tmp_path):
    y, scores = cases()
    display = RocDisplay.from_predictions(y, scores["m0"])
    axes, artists = display.ax_, display.artists_
    display.save(tmp_path / "x.png")
    assert display.ax_ is axes
    assert display.artists_ is artists
    assert display.figure_ is axes.figure


def test_a_picture_that_fails_leaves_no_figure(monkeypatch):
    y, scores = cases()

    def fail(self, axes):
        raise RuntimeError("while drawing")

    monkeypatch.setattr(RocDisplay, "_draw", fail)
    with pytest.raises(RuntimeError, match="while drawing"):
        RocDisplay.from_predictions(y, scores["m0"])
    assert not plt.get_fignums()


def test_a_band_says_what_it_is():
    y, scores = cases(n=60)
    for simultaneous, kind in ((False, "pointwise"), (True, "simultaneous")):
        display = RocDisplay.from_predictions(y, scores["m0"], band=0.9, simultaneous=simultaneous)
        assert display.ax_.get_title(loc="left") == f"band: 90%, {kind}"


def test_isometrics_say_for_which_ratio_and_keep_their_numbers_apart():
    y, s = [1, 0, 0, 0, 1, 0, 0, 0], np.linspace(1, 0, 8)
    display = RocDisplay.from_predictions(y, s, isometrics="f_measure", r=1000)
    title = " ".join(display.ax_.get_title(loc="right").split())
    assert title == "dashed: equal f_measure (N/P 1e+03)"
    display.figure_.canvas.draw()
    boxes = [t.get_window_extent() for t in display.ax_.texts if t.get_text().startswith("0.")]
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])
    ratios = RocDisplay.from_predictions(y, s, isometrics="diagnostic_odds_ratio").isometrics
    assert max(ratios) == 100


def test_an_estimator_that_is_not_fitted_is_named():
    with pytest.raises(DataError, match="'LogisticRegression' is not a fitted classifier"):
        RocDisplay.from_estimator(LogisticRegression(), [[0], [1]], [0, 1])


def test_on_a_dark_ground_nothing_is_lost():
    y, scores = cases()
    with plt.style.context("dark_background"):
        display = RocDisplay.from_predictions(
            y, scores["m0"], hull=True, isometrics="accuracy", cost_fp=1, cost_fn=1
        )
        colors = [text.get_color() for text in display.ax_.texts]
        colors += [line.get_color() for line in display.ax_.lines]
    light = [sum(to_rgb(color)) for color in colors]
    assert min(light) > 1


@pytest.mark.parametrize("band", [0, 1, 95, "nan"])
def test_a_confidence_lies_between_0_and_1(run, tmp_path, band):
    file = tmp_path / "cases.csv"
    file.write_text("label,score\n1,0.9\n0,0.4\n1,0.6\n0,0.2\n")
    done = run("plot", "roc", file, "--label", "label", "--band", band, "-o", tmp_path / "x.svg")
    assert done.code == 2
    assert "must be in (0, 1)" in " ".join(done.err.replace("│", " ").split())
    assert not (tmp_path / "x.svg").exists()
