"""Pictures of a few inches: all words are on the sheet, and none lie upon each other."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import metameasure as mm
from metameasure import lab
from metameasure.data import Models
from metameasure.lab.advice.advice_result import Advice, AdviceRow
from metameasure.lab.model_choice.selection_study import Selection, SelectionRow
from metameasure.lab.perturbation.robustness_study import Robustness, RobustnessRow
from metameasure.lab.training.model_selection_result import ModelSelection, Trained
from metameasure.plots import (
    AdviceDisplay,
    AgreementDisplay,
    ConfusionDisplay,
    CostCurveDisplay,
    DecisionCurveDisplay,
    DegreesDisplay,
    DetDisplay,
    ForestDisplay,
    GainDisplay,
    LiftDisplay,
    MeasureMapDisplay,
    MeasuresDisplay,
    PrecisionRecallDisplay,
    ReliabilityDisplay,
    RobustnessDisplay,
    RocDisplay,
    ScoresDisplay,
    SelectionDisplay,
    SrocDisplay,
    TprFprDisplay,
    ValidationDisplay,
    ZonesDisplay,
)
from metameasure.plots._drawing.layout import set_ticks

SIZES = [(2.5, 2.5), (3.3, 2.5)]
MEASURES = ["auc", "scored_auc", "balanced_accuracy", "log_loss", "brier", "ks", "h_measure", "mcc"]
SENTENCE = (
    "To choose by auc from 50 or 100 cases, use scored_auc: from 50 cases its choices lose 0.0047 "
    "(± 0.0017) of auc on average, auc itself loses 0.0082 (no clear difference); log_loss, brier, "
    "rms and 14 others are as good; from 200 cases no measure is significantly better."
)


def scores(number):
    """Models of several kinds, the better the later."""
    rng = np.random.default_rng(5)
    names = ["tree", "logistic", "forest", "boosting", "naive_bayes", "nearest"][:number]
    return {
        name: 1 / (1 + np.exp(-(rng.normal(size=Y.size) + (1 + 0.6 * k) * (Y - 0.5))))
        for k, name in enumerate(names)
    }


Y = np.random.default_rng(4).random(600) < 0.4
ONE, THREE, SIX = (
    Models.of_tables({name: mm.tabulate(Y, score) for name, score in scores(number).items()})
    for number in (1, 3, 6)
)


def advice(sizes):
    rows = [
        AdviceRow(
            name,
            size,
            0.0,
            0.01 * (1 + place) / size,
            0.002,
            0.5,
            0.5,
            0.01,
            "recommended" if place < 4 else "worse",
            False,
        )
        for size in sizes
        for place, name in enumerate(MEASURES)
    ]
    return Advice(rows, SENTENCE, goal=mm.auc, tolerance=0.01, measures=MEASURES)


def robustness():
    rows = [
        RobustnessRow("scores", level, name, 1000, rate, rate - 0.01, rate + 0.02, 0.1, 0.0)
        for place, name in enumerate(MEASURES)
        for level in np.arange(11) / 10
        for rate in [level * (0.3 + 0.02 * place)]
    ]
    return Robustness(rows, meta={"ci": 0.9, "generator": "by hand", "seed": 1})


def selections():
    for size in (20, 50, 100, 200, 400):
        facts = {"n": 1000, "n_pos": 400, "models": 4, "size": size, "judged_on": "all"}
        rows = [
            SelectionRow(name, 0.6 + size / 1200 + 0.005 * place, 0.02, 0.5, 0.1, 0.01, 0.001, 0.0)
            for place, name in enumerate(MEASURES)
        ]
        yield Selection(rows, [], goal=mm.auc, reference=mm.auc, facts=facts)


def trained():
    """Five candidates in twenty splits."""
    rng = np.random.default_rng(3)
    values = 0.5 + rng.random((20, 5)) / 2
    one = Trained("abcde", {"scored_auc": values}, 0.6 + values / 5, {}, (1, 1, 1))
    return ModelSelection([], [], [], [], trained={"": one}, meta={"goal": "auc"})


DISPLAYS = {
    "roc": lambda: RocDisplay(SIX, hull=True),
    "roc_point": lambda: RocDisplay(ONE, isometrics="accuracy", cost_fp=1, cost_fn=5, prior=0.1),
    "precision_recall": lambda: PrecisionRecallDisplay(THREE, beta=1, maximize="f_measure"),
    "tpr_fpr": lambda: TprFprDisplay(ONE),
    "tpr_fpr_score": lambda: TprFprDisplay(ONE, against="score"),
    "sroc": lambda: SrocDisplay(SIX),
    "det": lambda: DetDisplay(SIX),
    "lift": lambda: LiftDisplay(SIX),
    "lift_of_many": lambda: LiftDisplay(
        Models.of_tables(
            {"many": mm.tabulate(Y, scores(1)["tree"], sample_weight=np.full(Y.size, 9e3))}
        )
    ),
    "gain": lambda: GainDisplay(THREE, depth=0.1),
    "cost_curve": lambda: CostCurveDisplay(THREE, cost_fp=1, cost_fn=5, prior=0.1),
    "zones": lambda: ZonesDisplay(THREE, cost_fp=1, cost_fn=2),
    "zones_skew": lambda: ZonesDisplay(THREE, over="skew"),
    "decision_curve": lambda: DecisionCurveDisplay(THREE),
    "reliability": lambda: ReliabilityDisplay(ONE),
    "reliability_of_several": lambda: ReliabilityDisplay(THREE),
    "scores": lambda: ScoresDisplay(ONE, threshold=0.4),
    "scores_of_several": lambda: ScoresDisplay(THREE, maximize="f_measure"),
    "forest": lambda: ForestDisplay(mm.evaluate(Y, scores(3), "auc, brier, log_loss")),
    "forest_of_pairs": lambda: ForestDisplay(mm.compare(Y, scores(3), "auc", mute="MM04")),
    "confusion": lambda: ConfusionDisplay(mm.ConfusionMatrix.at(Y, scores(1)["tree"])),
    "confusion_of_ten": lambda: ConfusionDisplay(mm.ConfusionMatrix(np.full((10, 10), 123))),
    "agreement": lambda: AgreementDisplay(lab.compare("auc", "accuracy", lab.ranked_lists(3, 3))),
    "measures": lambda: MeasuresDisplay(
        lab.preference_order(["auc", "accuracy", "average_precision"], lab.ranked_lists(3, 3))
    ),
    "degrees": lambda: DegreesDisplay(
        lab.degrees("auc", "accuracy, average_precision", sizes=[4, 6, 8])
    ),
    "measure_map": lambda: MeasureMapDisplay(
        lab.measure_correlations(Y, scores(6), "auc, ks, brier, accuracy, mcc, scored_auc")
    ),
    "validation": lambda: ValidationDisplay(trained(), "scored_auc"),
    "robustness": lambda: RobustnessDisplay(robustness()),
    "selection": lambda: SelectionDisplay(selections()),
    "advice": lambda: AdviceDisplay(advice((50, 100, 200))),
    "advice_for_one_size": lambda: AdviceDisplay(advice((50,))),
}


def sheet(display, size, columns=1):
    """The picture on a sheet of the given size in inches."""
    figure = Figure(figsize=size, layout="constrained")
    display.plot(figure.subplots(1, columns, squeeze=False)[0, 0])
    figure.draw_without_rendering()
    return figure


def words(whole):
    """All that is written straight in axes, and where."""
    for axes in (whole, *whole.child_axes):
        texts = [*axes.texts, axes.title, axes._left_title, axes._right_title]
        legend = axes.get_legend()
        texts += legend.get_texts() if legend else []
        if axes.axison:
            texts += [axes.xaxis.label, axes.yaxis.label]
            for axis in (axes.xaxis, axes.yaxis):
                low, high = sorted(axis.get_view_interval())
                ticks = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
                texts += [label for place, label in ticks if low <= place <= high]
        for text in texts:
            if text.get_text().strip() and text.get_rotation() in {0, 90}:
                yield text.get_text(), Text.get_window_extent(text)


def overlap(one, other):
    """By how many dots two boxes lie upon each other."""
    across = min(one.x1, other.x1) - max(one.x0, other.x0)
    return min(across, min(one.y1, other.y1) - max(one.y0, other.y0))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", DISPLAYS)
def test_words_are_on_the_sheet_and_apart(name, size):
    figure = sheet(DISPLAYS[name](), size)
    found = list(words(figure.axes[0]))
    for text, box in found:
        assert min(box.x0, box.y0) > -2, text
        assert box.x1 < figure.bbox.width + 2, text
        assert box.y1 < figure.bbox.height + 2, text
    met = [(a, b) for (a, one), (b, other) in combinations(found, 2) if overlap(one, other) > 3]
    assert not met


@pytest.mark.parametrize("name", ["roc", "tpr_fpr", "advice", "forest_of_pairs"])
def test_a_narrow_part_of_a_figure_is_a_small_picture(name):
    first, second, _ = sheet(DISPLAYS[name](), (7.5, 2.5), columns=3).axes
    for text, box in words(first):
        assert box.x0 > -2, text
        assert box.x1 < second.get_tightbbox().x0 + 2, text


@pytest.mark.parametrize(("width", "most"), [(2, 3), (5, 9)])
def test_of_many_ticks_every_second_or_third_is_kept_and_zero_is_among_them(width, most):
    axes = Figure(figsize=(width, 2), layout="constrained").subplots()
    axes.set(xlim=(-5, 5), ylim=(0, 1))
    places = list(range(-5, 6))
    set_ticks(axes.xaxis, places, [f"{place}.00" for place in places])
    kept = axes.get_xticks().tolist()
    assert 0 in kept
    assert 2 <= len(kept) <= most + 1
    assert len({after - before for before, after in pairwise(kept)}) == 1
    labels = axes.get_xticklabels()
    assert [label.get_text() for label in labels] == [f"{place}.00" for place in kept]
    boxes = [label.get_window_extent() for label in labels]
    assert all(one.x1 < other.x0 for one, other in pairwise(boxes))
    set_ticks(axes.xaxis, [1, 2], ["one", "two"])
    assert axes.get_xticks().tolist() == [1, 2]


def test_values_give_way_before_names_in_a_legend_below():
    small, large = (
        [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
        for figure in (sheet(DISPLAYS["det"](), size) for size in ((2.5, 2.5), (4.4, 4.4)))
    )
    assert sorted(small) == sorted(SIX.tables)
    assert all(f"  EER {value:.3f}" in " ".join(large) for value in [
        float(mm.equal_error_rate(table)) for table in SIX.tables.values()
    ])  # fmt: skip


def test_limits_give_way_before_values_and_values_before_p_values():
    def columns(name, width):
        (axes,) = sheet(DISPLAYS[name](), (width, 2.5)).axes
        texts = [text for text, _ in words(axes)]
        return [word for word in ("value", "95% CI", "adjusted p") if word in texts]

    assert columns("forest", 5.4) == ["value", "95% CI"]
    assert columns("forest", 2.5) == ["value"]
    assert columns("forest_of_pairs", 3.3) == ["adjusted p"]


def test_a_long_sentence_above_a_small_picture_ends_early():
    display = DISPLAYS["advice"]()
    (title,) = (t for t in sheet(display, (2.5, 2.1)).findobj(Text) if "To choose" in t.get_text())
    assert title.get_text().endswith(" …")
    whole = sheet(display, (5.4, 3.8)).axes[0].get_title("left")
    assert " ".join(whole.split()) == SENTENCE
