"""Pictures of the laboratory's studies and their commands: what is drawn, not pixels."""

import math
import re
import warnings
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import matplotlib as mpl
import numpy as np
import polars as pl
import pytest
from drawing import legend_texts
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from program import run_plot
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import metameasure as mm
from metameasure import lab
from metameasure._text import percent
from metameasure.errors import DataError, ParameterError, UnknownMeasure
from metameasure.lab.advice.advice_result import Advice, AdviceRow
from metameasure.lab.agreement.comparison import MeasureComparison
from metameasure.lab.agreement.pair_counts import Counts
from metameasure.lab.model_choice.selection_study import Selection, SelectionRow
from metameasure.lab.perturbation.robustness_study import Robustness, RobustnessRow
from metameasure.plots._drawing.study_display import ASIDE
from metameasure.plots._drawing.style import COLORS, GRAY, MOST_NAMED, UNNAMED
from metameasure.plots.advice import SLIM, WIDE, AdviceDisplay
from metameasure.plots.agreement import LOOKS, AgreementDisplay
from metameasure.plots.measures import MeasuresDisplay, share_text, times_text
from metameasure.plots.robustness import RobustnessDisplay
from metameasure.plots.selection import SelectionDisplay

NAMES = [
    "auc", "ks", "brier", "log_loss", "accuracy", "f_measure", "kappa", "mcc", "ndcg", "rms", "sar",
    "auch", "taks", "h_measure", "scored_auc", "precision", "youden_j", "balanced_accuracy",
    "average_precision", "partial_auc",
]  # fmt: skip


def words_in(display):
    """All texts of a picture."""
    axes = display.ax_
    texts = [*axes.texts, axes.title, axes._left_title, axes.xaxis.label, axes.yaxis.label]
    texts += [*axes.get_xticklabels(), *axes.get_yticklabels()]
    return [*(text.get_text() for text in texts if text.get_text()), *legend_texts(axes)]


def boxes_of(display, texts):
    display.figure_.canvas.draw()
    return [text.get_window_extent() for text in texts]


def meet(boxes):
    """Whether two boxes overlap by more than a dot."""
    return any(
        min(a.x1, b.x1) - max(a.x0, b.x0) > 1 and min(a.y1, b.y1) - max(a.y0, b.y0) > 1
        for a, b in combinations(boxes, 2)
    )


# The pie


def pairs_by_hand(positives, negatives):
    """The five shares of all pairs of ranked lists for AUC and accuracy, one pair at a time."""
    n = positives + negatives
    values = []
    for places in combinations(range(n), positives):
        above = sum(
            1 for p in places for q in range(n) if q not in places and q > p
        )  # rank 0 is the highest score
        right = sum(p < positives for p in places) + sum(
            q >= positives for q in range(n) if q not in places
        )
        values.append((Fraction(above, positives * negatives), Fraction(right, n)))
    counts = dict.fromkeys(LOOKS, 0)
    for (f, g), (other_f, other_g) in combinations(values, 2):
        a, b = (f > other_f) - (f < other_f), (g > other_g) - (g < other_g)
        kind = {(True, True): "ind", (True, False): "dis_gf", (False, True): "dis_fg"}
        counts[kind.get((a == 0, b == 0)) or ("con" if a == b else "incon")] += 1
    total = sum(counts.values())
    return {name: Fraction(count, total) for name, count in counts.items()}


def test_slices_are_the_shares_of_all_pairs():
    display = AgreementDisplay(lab.compare("auc", "accuracy", lab.ranked_lists(3, 4))).plot()
    for name, share in pairs_by_hand(3, 4).items():
        wedge = display.artists_[name]
        # matplotlib 3.10.0 has the angles in single precision
        assert wedge.theta2 - wedge.theta1 == pytest.approx(360 * float(share), abs=1e-4)
    wedges = [display.artists_[name] for name in LOOKS]
    for one, next_one in pairwise(wedges):
        assert (one.theta1 - next_one.theta2) % 360 == pytest.approx(0, abs=1e-9)
    assert display.ax_.get_aspect() == 1


def test_slices_differ_in_print():
    found = lab.compare("auc", "accuracy", lab.ranked_lists(4, 4))
    display = AgreementDisplay(found).plot()
    wedges = [display.artists_[name] for name in LOOKS]
    assert len({wedge.get_hatch() for wedge in wedges}) == 5
    assert len({to_hex(wedge.get_facecolor()) for wedge in wedges}) == 5


def test_the_pie_says_what_it_shows():
    display = AgreementDisplay(lab.compare("auc", "accuracy", lab.ranked_lists(4, 4))).plot()
    words = " ".join(" ".join(words_in(display)).split())
    # The counts of 70 lists: 1459, 34, 762, 52 and 108 of 2415 pairs.
    for message in (
        "60.4% both agree", "1.4% they disagree", "31.6% only auc discriminates",
        "2.2% only accuracy discriminates", "4.5% tied for both", "C = 0.9772", "D = 14.6538",
        "auc is better than accuracy: consistent", "2,415 pairs",
    ):  # fmt: skip
        assert message in words


def test_what_does_not_occur_is_not_drawn_but_listed():
    display = AgreementDisplay(lab.compare("accuracy", "f_measure", lab.ranked_lists(3, 3))).plot()
    assert {name for name in LOOKS if name in display.artists_} == {"con", "ind"}
    words = " ".join(" ".join(words_in(display)).split())
    for message in ("only accuracy discriminates", "only f_measure discriminates", "they disagree"):
        assert f" 0% {message}" in words
    assert len(display.ax_.patches) == 2


def comparison(*counts, f="auc", g="accuracy", domain="some lists"):
    return MeasureComparison(mm.parse(f), mm.parse(g), domain, Counts(*counts))


@pytest.mark.parametrize(
    "counts",
    [
        (10**9, 1, 1, 1, 1),
        (1, 10**30, 1, 1, 1),
        (1, 1, 1, 1, 1),
        (0, 0, 1, 0, 0),
        (900, 5, 5, 5, 5),
    ],
)
@pytest.mark.parametrize("size", [None, (3.3, 3.3)])
def test_the_words_of_slices_do_not_meet(counts, size, tmp_path):
    display = AgreementDisplay(comparison(*counts))
    display.save(tmp_path / "pie.png", size=size, dpi=72)
    notes = display.ax_.get_legend().get_texts()
    assert len(notes) == 5
    boxes = [mpl.text.Text.get_window_extent(text) for text in notes]
    below = display.artists_["degrees"].get_window_extent()
    assert not meet([*boxes, below])
    edge = display.figure_.bbox
    assert all(box.x0 >= edge.x0 - 1 and box.x1 <= edge.x1 + 1 for box in boxes)
    assert all(box.y0 >= edge.y0 - 1 and box.y1 <= edge.y1 + 1 for box in boxes)


def test_long_names_are_f_and_g():
    long = "linear(average_precision, accuracy, alpha=0.3)"
    display = AgreementDisplay(comparison(3, 1, 1, 1, 1, f=long)).plot()
    words = " ".join(" ".join(words_in(display)).split())
    assert "only f discriminates" in words
    assert f"f = {long}, g = accuracy" in words


def test_hostile_words_are_letters(tmp_path):
    found = comparison(3, 1, 1, 1, 1, domain="lists of $x^2$ and \\frac\n<b>")
    AgreementDisplay(found).save(tmp_path / "pie.svg")
    drawn = ET.fromstring((tmp_path / "pie.svg").read_text())  # noqa: S314
    assert drawn.tag.endswith("svg")


@pytest.mark.parametrize("found", [None, "auc", comparison(0, 0, 0, 0, 0)])
def test_no_pairs_no_pie(found):
    with pytest.raises(DataError, match=r"lab\.compare|no pairs"):
        AgreementDisplay(found)


def test_percentages_are_rounded_correctly():
    assert percent(1e-12, 2) == "<0.01%"
    assert percent(1 - 1e-12, 1) == ">99.9%"
    assert percent(0.5, 1) == "50.0%"
    assert percent(0.0012, 2) == "0.12%"
    assert [percent(share) for share in (0, 0.005, 0.0051, 0.9949, 0.995, 1)] == [
        *("0%", "<1%", "1%", "99%", ">99%", "100%"),
    ]


# The heat map


def cells_of(display):
    """The numbers in the cells, by row and column."""
    return {
        (int(text.get_position()[1]), int(text.get_position()[0])): text.get_text()
        for text in display.ax_.texts
    }


def test_cells_have_both_degrees_in_the_order_of_preference():
    display = MeasuresDisplay(
        lab.comparison_matrix("accuracy, auc, two_level(auc, accuracy)", lab.ranked_lists(4, 4))
    ).plot()
    names = ["two_level(auc, accuracy)", "auc", "accuracy"]
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == names
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == [
        f"{name}  {place}" for place, name in enumerate(names, 1)
    ]
    shares = pairs_by_hand(4, 4)
    c = float(shares["con"] / (shares["con"] + shares["incon"]))
    d = float(shares["dis_fg"] / shares["dis_gf"])
    consistency = display.artists_["consistency"].get_array()
    discriminancy = display.artists_["discriminancy"].get_array()
    assert consistency[2, 1] == pytest.approx(c)
    assert discriminancy[1, 2] == pytest.approx((math.log10(d) + 3) / 6)
    assert consistency.mask.tolist() == np.triu(np.ones((3, 3), bool)).tolist()
    assert discriminancy.mask.tolist() == np.tril(np.ones((3, 3), bool)).tolist()
    cells = cells_of(display)
    assert (cells[2, 1], cells[1, 2], cells[0, 1]) == ("0.98", "15", "∞")
    assert set(cells) == {(r, k) for r in range(3) for k in range(3) if r != k}


def test_an_inverse_discriminancy_is_the_same_statement():
    matrix = lab.comparison_matrix("auc, accuracy", lab.ranked_lists(4, 4))
    display = MeasuresDisplay(matrix).plot()
    mesh = display.artists_["discriminancy"]
    d = matrix["auc", "accuracy"].discriminancy
    scaled = mesh.get_array()[0, 1]
    assert scaled - 0.5 == pytest.approx(0.5 - (math.log10(1 / d) + 3) / 6)
    white = mesh.cmap(0.5)
    assert np.allclose(white[:3], 1, atol=0.01)


def test_equivalent_and_uncertain_cells_are_marked():
    domain = lab.score_lists(lab.NormalScores(5, 9), lists=1000, seed=1)
    order = lab.preference_order("ks, f_measure, balanced_accuracy, youden_j", domain, workers=1)
    display = MeasuresDisplay(order).plot()
    cells, measures = cells_of(display), order.measures
    unsure = same = 0
    for row, column in combinations(range(len(measures)), 2):
        verdict = order.matrix[measures[row], measures[column]].verdict
        assert cells[row, column].endswith("?") == (verdict == "inconclusive")
        assert cells[column, row].endswith("?") == (verdict == "inconclusive")
        assert (cells[row, column] == "=") == (verdict == "equivalent")
        unsure, same = unsure + (verdict == "inconclusive"), same + (verdict == "equivalent")
    assert unsure
    assert same


@pytest.fixture(scope="module")
def twenty():
    domain = lab.score_lists(lab.NormalScores(5, 9), lists=1000, seed=1)
    return lab.comparison_matrix(NAMES, domain, workers=1)


def test_twenty_measures_can_be_read(twenty, tmp_path):
    display = MeasuresDisplay(twenty)
    display.save(tmp_path / "measures.png", dpi=72)
    assert len(display.ax_.texts) == 20 * 19
    boxes = [text.get_window_extent() for text in display.ax_.texts]
    cell = display.ax_.get_window_extent().width / 20
    assert max(box.width for box in boxes) < 1.05 * cell
    assert min(text.get_fontsize() for text in display.ax_.texts) >= 6.9
    edge = display.figure_.bbox
    label = display.ax_.xaxis.label.get_window_extent()
    assert label.x0 >= edge.x0
    assert label.x1 <= edge.x1


def test_numbers_are_left_out_where_they_do_not_fit(twenty, tmp_path):
    display = MeasuresDisplay(twenty)
    display.save(tmp_path / "measures.png", size=(3, 3), dpi=72)
    assert not display.ax_.texts


def test_the_heat_map_needs_comparisons():
    with pytest.raises(DataError, match=r"lab.comparison_matrix or lab.preference_order"):
        MeasuresDisplay(comparison(1, 1, 1, 1, 1))


@pytest.mark.parametrize(
    ("value", "text"), [(0.9949, "0.99"), (0.995, ">0.99"), (0.0049, "<0.01"), (0.005, "0.01")]
)
def test_shares_in_cells(value, text):
    assert share_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(999.4, "999"), (999.6, "1e3"), (9.94, "9.9"), (9.96, "10"),
                        (0.994, "0.99"), (0.996, "1.0"), (0.0099, "1e-2"), (1e-300, "1e-300")]
)  # fmt: skip
def test_times_in_cells(value, text):
    assert times_text(value) == text


# Lines over levels


def robustness_of(rates, noise="labels", levels=(0.0, 0.2, 0.4)):
    """A study with these error rates of each measure."""
    rows = [
        RobustnessRow(noise, level, name, 1000, rate, rate - 0.01, rate + 0.02, rate / 2, 0.0)
        for name, of_name in rates.items()
        for level, rate in zip(levels, of_name, strict=True)
    ]
    return Robustness(rows, meta={"ci": 0.9, "generator": "by hand", "seed": 1})


def wilson(errors, n, z=1.6448536269514722):
    """Wilson's interval as his paper has it."""
    p = errors / n
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def test_error_rates_with_their_intervals():
    found = lab.robustness(
        "replaced_scores", "labels", [0.4, 0.0, 0.2], "auc, ks", 300, ci=0.9, workers=1
    )
    display = RobustnessDisplay(found).plot()
    for name in ("auc", "ks"):
        rows = sorted((row for row in found.rows if row.measure == name), key=lambda r: r.level)
        x, y = display.artists_[name].get_data()
        assert x.tolist() == [0.0, 0.2, 0.4]
        assert y.tolist() == [row.error_rate for row in rows]
        bars = display.artists_[f"error of {name}"].get_segments()
        for bar, row in zip(bars, rows, strict=True):
            assert bar[:, 0].tolist() == [row.level] * 2
            assert bar[:, 1].tolist() == pytest.approx(wilson(row.error_rate * 300, 300))
    assert display.ax_.get_xlabel() == "fraction of labels redrawn"
    assert display.ax_.get_ylabel() == "error rate, 90% CI"
    low, high = display.ax_.get_xlim()
    assert low < 0.0
    assert high > 0.4


def test_lines_stand_aside_of_each_other_without_other_data():
    display = RobustnessDisplay(robustness_of({"auc": (0.1, 0.2, 0.3), "ks": (0.1, 0.2, 0.3)}))
    display.plot()
    one, other = (display.artists_[name] for name in ("auc", "ks"))
    assert one.get_xdata().tolist() == other.get_xdata().tolist()
    dots = [line.get_transform().transform((0.2, 0.2)) for line in (one, other)]
    apart_by = (dots[1] - dots[0]) * 72 / display.figure_.dpi
    assert apart_by == pytest.approx([ASIDE, 0.0])


def test_changes_of_the_selection():
    display = RobustnessDisplay(robustness_of({"auc": (0.1, 0.2, 0.3)}), rate="change").plot()
    assert display.artists_["auc"].get_ydata().tolist() == [0.05, 0.1, 0.15]
    assert "error of auc" not in display.artists_


def test_chance_is_shown_where_a_measure_comes_near_it():
    near = RobustnessDisplay(robustness_of({"auc": (0.1, 0.2, 0.3)})).plot()
    assert "random choice" in words_in(near)
    assert near.ax_.get_ylim()[1] > 0.5
    far = RobustnessDisplay(robustness_of({"auc": (0.001, 0.002, 0.003)})).plot()
    assert "random choice" not in words_in(far)
    assert far.ax_.get_ylim()[1] < 0.03


def test_nothing_that_is_drawn_is_cut_off():
    display = RobustnessDisplay(robustness_of({"auc": (0.1, 0.2, 0.3), "ks": (0.0, 0.1, 0.9)}))
    low, high = display.plot().ax_.get_ylim()
    assert (low, high) == (0.0, pytest.approx(0.92 * 1.04))


def test_names_of_lines_do_not_meet():
    rates = {name: (0.1, 0.2, 0.3 + 1e-5 * place) for place, name in enumerate(NAMES)}
    display = RobustnessDisplay(robustness_of(rates)).plot()
    display.figure_.canvas.draw()
    boxes = [text.get_window_extent() for text in display.ax_.get_legend().get_texts()]
    assert len(boxes) == MOST_NAMED + 1
    assert not meet(boxes)
    edge = display.figure_.bbox
    assert all(box.x1 <= edge.x1 + 1 for box in boxes)


def test_of_many_measures_the_best_have_names():
    rates = {name: (0.1, 0.2, 0.3 + place / 1000) for place, name in enumerate(reversed(NAMES))}
    display = RobustnessDisplay(robustness_of(rates)).plot()
    named = legend_texts(display.ax_)
    assert set(list(reversed(NAMES))[:MOST_NAMED]) < set(named)
    assert {text.get_text() for text in display.ax_.texts} >= set(NAMES[: 20 - MOST_NAMED])
    for name in NAMES[: 20 - MOST_NAMED]:
        assert display.artists_[name].get_color() == UNNAMED.color
        assert f"error of {name}" not in display.artists_


def test_measures_that_are_asked_for_have_names():
    rates = {name: (0.1, 0.2, 0.3 + place / 1000) for place, name in enumerate(NAMES)}
    display = RobustnessDisplay(robustness_of(rates), highlight="sauc")
    assert list(display.named) == ["scored_auc"]
    both = RobustnessDisplay(robustness_of(rates), highlight=[mm.auc, "rms"]).plot()
    named = set(legend_texts(both.ax_))
    assert {"auc", "rms"} <= named
    assert len(both.ax_.texts) == 18


def test_one_level_is_one_row_per_measure():
    rates = {name: (0.3 - place / 100,) for place, name in enumerate(NAMES)}
    display = RobustnessDisplay(robustness_of(rates, levels=(0.2,))).plot()
    labels = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert labels == list(reversed(NAMES))
    low, high = display.ax_.get_ylim()
    assert low > high, "the best is not at the top"
    for place, name in enumerate(labels):
        assert display.artists_[name].get_xdata() == pytest.approx(rates[name][0])
        assert display.artists_[name].get_ydata() == place
        ((ends),) = display.artists_[f"error of {name}"].get_segments()
        assert ends[:, 0].tolist() == pytest.approx([rates[name][0] - 0.01, rates[name][0] + 0.02])
    assert "fraction of labels redrawn: 0.2" in words_in(display)
    assert display.figure_.get_size_inches()[1] > 4.5


def test_many_levels_have_only_numbers_that_fit():
    levels = np.linspace(0, 1, 400)
    rates = {"auc": tuple(levels / 2)}
    display = RobustnessDisplay(robustness_of(rates, levels=tuple(levels))).plot()
    display.figure_.canvas.draw()
    labels = [label for label in display.ax_.get_xticklabels() if label.get_text()]
    boxes = [label.get_window_extent() for label in labels]
    assert 3 <= len(boxes) <= 20
    assert not meet(boxes)


@pytest.mark.parametrize(
    ("noise", "words"),
    [
        ("class_proportion", "fraction of positives deleted"),
        ("$x^2$", r"level of \$x^2\$"),
        ("a\nb", r"level of a\x0ab"),
    ],
)
def test_noise_in_words(noise, words, tmp_path):
    display = RobustnessDisplay(robustness_of({"auc": (0.1, 0.2, 0.3)}, noise))
    display.save(tmp_path / "noise.svg")
    assert display.ax_.get_xlabel() == words


def test_wrong_options_of_robustness():
    study = robustness_of({"auc": (0.1, 0.2, 0.3)})
    with pytest.raises(ParameterError, match="rate must be one of 'error', 'change', got 'loss'"):
        RobustnessDisplay(study, rate="loss")
    with pytest.raises(ParameterError, match=r"highlight must be .*, got 'ks'"):
        RobustnessDisplay(study, highlight="ks")
    with pytest.raises(UnknownMeasure):
        RobustnessDisplay(study, highlight="nonsense")
    with pytest.raises(DataError, match=r"must come from lab.robustness, got list"):
        RobustnessDisplay([1, 2])


def test_what_has_no_value_is_no_line():
    study = robustness_of({"auc": (0.1, math.nan, 0.3), "ks": (math.nan,) * 3})
    display = RobustnessDisplay(study).plot()
    assert display.artists_["auc"].get_xdata().tolist() == [0.0, 0.4]
    assert "ks" not in display.artists_
    with pytest.raises(DataError, match="all values are undefined"):
        RobustnessDisplay(robustness_of({"ks": (math.nan,) * 3}))


def test_a_picture_can_be_drawn_beside_others():
    figure, both = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
    display = RobustnessDisplay(robustness_of({"auc": (0.1, 0.2, 0.3)}))
    assert display.plot(both[1]).ax_ is both[1]
    assert display.figure_ is figure
    AgreementDisplay(comparison(5, 1, 2, 1, 1)).plot(both[0])
    figure.canvas.draw()


# Selection


def selection_of(size, rows, **changed):
    facts = {"n": 100, "n_pos": 40, "models": 4, "size": size, "judged_on": "all"} | changed
    goal = facts.pop("goal", "auc")
    return Selection(
        [SelectionRow(name, *of_name, 0.0) for name, of_name in rows.items()], [],
        goal=mm.parse(goal), reference=mm.parse(goal), facts=facts,
    )  # fmt: skip


ROWS = {"auc": (0.8, 0.1, 0.5, 0.2, 0.03, 0.01), "ks": (0.95, 0.1, 0.1, 0.2, 0.002, 0.01)}


@pytest.mark.parametrize(
    ("ability", "value", "low", "high", "chance"),
    [
        ("msa", (0.8, 0.95), (0.7, 0.85), (0.9, 1.0), 0.5),
        ("hit_rate", (0.5, 0.1), (0.3, 0.0), (0.7, 0.3), 0.25),
        ("regret", (0.03, 0.002), (0.02, 0.0), (0.04, 0.012), None),
    ],
)
def test_abilities_with_one_standard_error(ability, value, low, high, chance):
    found = [selection_of(size, ROWS) for size in (200, 50, 100)]
    display = SelectionDisplay(found, ability=ability).plot()
    for place, name in enumerate(ROWS):
        x, y = display.artists_[name].get_data()
        assert x.tolist() == [50, 100, 200]
        assert y.tolist() == [value[place]] * 3
        for bar in display.artists_[f"error of {name}"].get_segments():
            assert bar[:, 1].tolist() == pytest.approx([low[place], high[place]])
    assert display.field.chance == chance
    assert ("random choice" in words_in(display)) == (chance is not None)
    assert display.ax_.get_xscale() == "log"
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["50", "100", "200"]
    assert next(iter(display.named)) == ("auc" if ability == "hit_rate" else "ks")


def test_one_size_is_one_row_per_measure():
    display = SelectionDisplay(selection_of(70, ROWS)).plot()
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == ["ks", "auc"]
    words = "cases per validation set: 70; goal: auc; bars: ± one standard error"
    assert " ".join(display.ax_.get_title(loc="left").split()) == words
    assert "random choice" in words_in(display)


def test_fifty_rows_with_a_sentence_above(tmp_path):
    rows = {str(name): ROWS["auc"] for name in mm.measures()[:50]}
    display = SelectionDisplay(selection_of(70, rows))
    display.save(tmp_path / "rows.png", dpi=72)
    assert len(display.ax_.get_yticklabels()) == 50
    boxes = [label.get_window_extent() for label in display.ax_.get_yticklabels()]
    title = display.ax_._left_title.get_window_extent()
    (chance,) = [text for text in display.ax_.texts if text.get_text() == "random choice"]
    assert not meet([*boxes, title, mpl.text.Text.get_window_extent(chance)])
    assert title.x1 <= display.figure_.bbox.x1


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"models": 5}, "number of models"),
        ({"n": 99}, "number of cases"),
        ({"goal": "ks"}, "goal: auc, ks"),
        ({"judged_on": "rest"}, "cases of the goal"),
        ({}, "sizes of the validation sets must differ"),
    ],
)
def test_selections_that_cannot_be_compared(changed, words):
    size = 100 if changed else 50
    with pytest.raises(DataError, match=words):
        SelectionDisplay([selection_of(50, ROWS), selection_of(size, ROWS, **changed)])


def test_wrong_options_of_selection():
    with pytest.raises(DataError, match=r"results of lab.selection"):
        SelectionDisplay([])
    with pytest.raises(DataError, match=r"results of lab.selection"):
        SelectionDisplay([1])
    with pytest.raises(ParameterError, match=r"ability must be one of .*, got 'power'"):
        SelectionDisplay(selection_of(50, ROWS), ability="power")


def test_success_rates_over_data_sets():
    """Huang, Fig. 5.1: on how many data sets the MSA comes near to the largest one."""
    msa = {"auc": (0.8, 0.98, 0.5), "ks": (0.79, 1.0, 0.7)}
    sets = {
        f"set {place}": selection_of(
            50, {name: (some[place], 0.1, 0.5, 0.1, place / 100 + 0.01 * (name == "ks"), 0.1)
                 for name, some in msa.items()}
        )
        for place in range(3)
    }  # fmt: skip
    found = lab.selection_over_datasets(sets, tolerances=[0.0, 0.015, 0.03, 0.3])
    display = SelectionDisplay(found).plot()
    best = [max(some) for some in zip(*msa.values(), strict=True)]
    for name, some in msa.items():
        expected = [
            np.mean([own >= (1 - t) * top - 1e-9 for own, top in zip(some, best, strict=True)])
            for t in (0.0, 0.015, 0.03, 0.3)
        ]
        x, y = display.artists_[name].get_data()
        assert x.tolist() == [0.0, 1.5, 3.0, 30.0]
        assert y.tolist() == pytest.approx(expected)
    assert display.ax_.get_ylabel() == "fraction of 3 data sets"


# Advice


def advice_of(regrets, good, recommendation="To choose by auc, use ..."):
    """Advice with these regrets: one row per measure, size and level of noise."""
    group = {True: "recommended", False: "undetermined"}
    rows = [
        AdviceRow(
            name, size, noise, regret, 0.001, 0.5, 0.5, 0.01, group[good[name][place][level]], False
        )
        for name, of_name in regrets.items()
        for place, (size, of_size) in enumerate(zip((50, 100), of_name, strict=True))
        for level, (noise, regret) in enumerate(zip((0.0, 0.1), of_size, strict=True))
    ]
    return Advice(rows, recommendation, goal=mm.auc, tolerance=0.01)


YES, NO = (True, True), (False, False)
REGRETS = {
    "auc": ((0.010, 0.030), (0.0005, 0.02)),
    "ks": ((0.004, 0.010), (0.004, 0.01)),
    "brier": ((0.003, 0.012), (0.009, 0.02)),
}


def test_regrets_with_their_errors():
    good = {"auc": (NO, YES), "ks": (YES, YES), "brier": (YES, NO)}
    display = AdviceDisplay(advice_of(REGRETS, good)).plot()
    for name, of_name in REGRETS.items():
        x, y = display.artists_[name].get_data()
        assert (x.tolist(), y.tolist()) == ([50, 100], [of_name[0][0], of_name[1][0]])
        bars = display.artists_[f"error of {name}"].get_segments()
        for bar, value in zip(bars, y, strict=True):
            expected = [max(value - 0.001, 0), value + 0.001]
            assert bar[:, 1].tolist() == pytest.approx(expected)
    assert display.ax_.get_ylim()[0] == 0
    assert display.ax_.get_ylabel() == "regret in auc (± SE)"


def test_what_is_recommended_is_filled():
    good = {"auc": (NO, YES), "ks": (YES, YES), "brier": (YES, NO)}
    display = AdviceDisplay(advice_of(REGRETS, good)).plot()
    assert display.artists_["auc, hollow"].get_xdata().tolist() == [50]
    assert display.artists_["auc, filled"].get_xdata().tolist() == [100]
    assert display.artists_["auc, hollow"].get_markerfacecolor() == "white"
    assert "ks, hollow" not in display.artists_
    assert display.ax_.get_xlabel().endswith("\nfilled: recommended, hollow: not")


def test_what_is_recommended_stands_out():
    good = {"auc": (NO, YES), "ks": (YES, YES), "brier": (YES, NO)}
    words = "To choose by auc, use ks: it loses 0.1 less. brier is worse."
    advice = advice_of(REGRETS, good, words)
    display = AdviceDisplay(advice).plot()
    assert display.recommended == "ks"
    widths = {name: display.artists_[name].get_linewidth() for name in REGRETS}
    assert widths == {"auc": SLIM, "ks": WIDE, "brier": SLIM}
    named = legend_texts(display.ax_)
    assert sorted(named) == ["auc (the goal)", "brier", "use ks"]
    assert " ".join(display.ax_.get_title(loc="left").split()) == words.removesuffix(
        " brier is worse."
    )


def test_data_without_a_recommended_measure():
    good = dict.fromkeys(REGRETS, (NO, NO))
    sentence = "No conclusion is possible from these data: the models do not differ."
    display = AdviceDisplay(advice_of(REGRETS, good, sentence)).plot()
    assert display.recommended is None
    assert {display.artists_[name].get_linewidth() for name in REGRETS} == {SLIM}
    assert not any("filled" in name for name in display.artists_)
    assert "hollow" not in display.ax_.get_xlabel()
    assert " ".join(display.ax_.get_title(loc="left").split()) == sentence


def test_no_measure_need_be_good_everywhere():
    good = {"auc": (NO, YES), "ks": (YES, NO), "brier": (NO, NO)}
    display = AdviceDisplay(advice_of(REGRETS, good)).plot()
    assert display.recommended is None
    assert "hollow" in display.ax_.get_xlabel()


def test_advice_with_noise():
    good = {"auc": (NO, NO), "ks": (YES, YES), "brier": ((True, False), YES)}
    advice = advice_of(REGRETS, good)
    noisy = AdviceDisplay(advice, at=0.1).plot()
    assert noisy.artists_["auc"].get_ydata().tolist() == [0.03, 0.02]
    message = "With 10% of the labels redrawn, use ks: it is recommended wherever some measure is."
    assert " ".join(noisy.ax_.get_title(loc="left").split()) == message
    against = AdviceDisplay(advice, against="noise", at=100).plot()
    assert against.artists_["auc"].get_data()[0].tolist() == [0.0, 0.1]
    assert against.artists_["auc"].get_ydata().tolist() == [0.0005, 0.02]
    assert against.ax_.get_xlabel().split("\n")[0] == "fraction of labels redrawn"
    assert against.ax_.get_xscale() == "linear"
    assert against.ax_.get_title(loc="left").startswith("With 100 cases and noisy labels, use ks")


@pytest.mark.parametrize(
    ("good", "words"),
    [
        (
            {"auc": (NO, NO), "ks": (YES, NO), "brier": (NO, YES)},
            "no measure is recommended at all",
        ),
        ({"auc": (NO, NO), "ks": (NO, NO), "brier": (NO, NO)}, "no measure can be recommended"),
    ],
)
def test_other_sentences_with_noise(good, words):
    display = AdviceDisplay(advice_of(REGRETS, good), at=0.1).plot()
    assert words in " ".join(display.ax_.get_title(loc="left").split())


def test_the_goal_is_named_among_many():
    regrets = {name: ((0.001 * k, 0.1),) * 2 for k, name in enumerate(reversed(NAMES))}
    good = dict.fromkeys(regrets, (YES, YES))
    display = AdviceDisplay(advice_of(regrets, good)).plot()
    assert len(display.named) == MOST_NAMED
    assert "auc" in display.named
    shown = {text.get_text() for text in display.ax_.texts}
    assert len(legend_texts(display.ax_)) == MOST_NAMED
    assert shown >= set(regrets) - set(display.named)
    display.figure_.canvas.draw()
    assert not meet([text.get_window_extent() for text in display.ax_.texts])


def test_advice_for_one_size_is_one_row_per_measure():
    good = {"auc": (NO, YES), "ks": (YES, YES), "brier": (YES, NO)}
    whole = advice_of(REGRETS, good)
    rows = [row for row in whole.rows if row.size == 50]
    display = AdviceDisplay(Advice(rows, "use brier.", goal=mm.auc, tolerance=0.01)).plot()
    labels = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert labels == ["use brier", "ks", "auc (the goal)"]
    assert display.artists_["brier"].get_color() == COLORS[0]
    assert display.artists_["auc"].get_color() == GRAY
    assert display.artists_["auc"].get_markerfacecolor() == "white"
    assert "filled: recommended, hollow: not" in display.ax_.get_xlabel()


def test_wrong_options_of_advice():
    advice = advice_of(REGRETS, dict.fromkeys(REGRETS, (YES, YES)))
    with pytest.raises(ParameterError, match="against must be one of 'size', 'noise', got 'cost'"):
        AdviceDisplay(advice, against="cost")
    with pytest.raises(ParameterError, match=r"one of the levels of noise 0, 0.1, got 0.3"):
        AdviceDisplay(advice, at=0.3)
    with pytest.raises(ParameterError, match=r"one of the sizes 50, 100, got 60"):
        AdviceDisplay(advice, against="noise", at=60)
    with pytest.raises(DataError, match="advice must come from advise, got"):
        AdviceDisplay(advice.rows)


def cases(n=400, seed=3):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    return y, {name: rng.normal(size=n) + k * y for name, k in (("a", 2.5), ("b", 1), ("c", 0))}


@pytest.mark.parametrize("seed", range(4))
def test_the_picture_recommends_what_the_sentence_does(seed):
    y, scores = cases(seed=seed)
    advice = mm.advise(
        y, scores, "auc", [20, 40], "auc, tpr@fpr=0.01, ks, accuracy", repeats=40, resamples=10,
        noise=0.3, workers=1,
    )  # fmt: skip
    message = re.search(r", use (\S+?)( itself)?:", advice.recommendation)
    assert AdviceDisplay(advice).recommended == (message and message[1])
    message = re.search(r"use (\S+?)( itself)? from", " ".join(advice.noise_notes))
    if message:
        assert AdviceDisplay(advice, at=0.3).recommended == message[1]


def test_studies_from_predictions():
    y, scores = cases(200)
    options = {"repeats": 10, "workers": 1}
    display = AdviceDisplay.from_predictions(y, scores, "auc", 20, "auc, ks", **options)
    expected = mm.advise(y, scores, "auc", 20, "auc, ks", **options)
    assert display.advice.rows == expected.rows
    frame = pl.DataFrame({"y": y, **scores})
    picture = SelectionDisplay.from_predictions(
        frame, list(scores), "auc", [20, 40], "auc, ks", label="y", ability="regret", **options
    )
    found = [lab.selection(y, scores, "auc", "auc, ks", size, 10, workers=1) for size in (20, 40)]
    expected = {row.measure: row.regret for row in found[1].rows}
    for name, regret in expected.items():
        assert picture.artists_[name].get_ydata()[1] == regret


def test_studies_from_estimators():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 2))
    y = np.where(x[:, 0] + rng.normal(size=300) > 0, "yes", "no")
    fitted = {"lr": LogisticRegression().fit(x, y), "nb": GaussianNB().fit(x[:, ::-1], y)}
    options = {"repeats": 10, "workers": 1, "seed": 5}
    display = SelectionDisplay.from_estimator(fitted, x, y, "auc", [20], "auc, brier", **options)
    scores = {name: model.predict_proba(x)[:, 1] for name, model in fitted.items()}
    found = lab.selection(
        y, scores, "auc", "auc, brier", 20, 10, pos_label="yes", seed=5, workers=1
    )
    for row in found.rows:
        assert display.artists_[row.measure].get_xdata() == row.msa


# Commands


@pytest.fixture
def run():
    def program(*arguments):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return run_plot(*arguments)

    return program


@pytest.fixture
def drawn(monkeypatch):
    """The displays that commands have drawn, instead of files."""
    displays = []

    def keep(self, file, *, size=None, dpi=200):
        displays.append(self.plot())

    for kind in (
        AgreementDisplay, MeasuresDisplay, RobustnessDisplay, SelectionDisplay, AdviceDisplay
    ):  # fmt: skip
        monkeypatch.setattr(kind, "save", keep)
    return displays


@pytest.fixture
def file(tmp_path):
    y, scores = cases(200)
    where = tmp_path / "models.csv"
    pl.DataFrame({"y": y.astype(int), **scores, "fold": np.arange(200) % 4}).write_csv(where)
    return where


COLUMNS = ("--label", "y", "--score", "a", "--score", "b", "--score", "c")


def test_a_file_is_written(run, tmp_path):
    out = tmp_path / "pie.svg"
    lists = ("--positives", 4, "--negatives", 4)
    result = run("agreement", "--measures", "auc,accuracy", *lists, "-o", out)
    assert result.exit_code == 0, result.output
    assert ET.fromstring(out.read_text()).tag.endswith("svg")  # noqa: S314
    assert f"wrote {out}" in result.output


def test_agreement_on_lists_and_on_models(run, drawn, file):
    lists = ("--positives", 4, "--negatives", 4)
    result = run("agreement", "--measures", "auc,accuracy", *lists, "-o", "x.png")
    assert result.exit_code == 0, result.output
    assert drawn[0].comparison.counts.con == 1459
    result = run(
        "agreement", file, "--measures", "auc,ks", *COLUMNS, "--folds", "fold", "-o", "x.png"
    )
    assert result.exit_code == 0, result.output
    y, scores = cases(200)
    expected = lab.compare("auc", "ks", lab.observed(y, scores, folds=np.arange(200) % 4))
    assert drawn[1].comparison.counts == expected.counts


def test_measures_on_orders(run, drawn):
    options = ("--measures", "accuracy, auc, oauc", "--permutations", 4)
    result = run("measures", *options, "-o", "x.png")
    assert result.exit_code == 0, result.output
    assert [str(measure) for measure in drawn[0].measures] == ["ordered_auc", "auc", "accuracy"]


def test_robustness(run, drawn, file):
    options = ("--level", 0.1, "--level", 0.3, "--repeats", 100, "--workers", 1)
    result = run(
        "robustness", *options, "--measures", "auc,ks", "--rate", "change", "--highlight", "ks",
        "-o", "x.png",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    expected = lab.robustness("replaced_scores", "labels", [0.1, 0.3], "auc, ks", 100, workers=1)
    rates = [row.change_rate for row in expected.rows if row.measure == "ks"]
    assert drawn[0].artists_["ks"].get_ydata().tolist() == rates
    assert list(drawn[0].named) == ["ks"]
    own = ("--label", "y", "--score", "a", "--measures", "auc")
    result = run("robustness", file, *own, *options, "-o", "x.png")
    assert result.exit_code == 0, result.output
    assert "own scores" in drawn[1].robustness.meta["generator"]


def test_selection_and_advice(run, drawn, file):
    options = ("--measures", "auc,ks", "--repeats", 10, "--workers", 1, "-o", "x.png")
    sizes = ("--size", 20, "--size", 40)
    result = run("selection", file, *COLUMNS, *sizes, "--ability", "hit_rate", *options)
    assert result.exit_code == 0, result.output
    y, scores = cases(200)
    found = [lab.selection(y, scores, "auc", "auc, ks", size, 10, workers=1) for size in (20, 40)]
    rates = [row.hit_rate for one in found for row in one.rows if row.measure == "ks"]
    assert drawn[0].artists_["ks"].get_ydata().tolist() == rates
    noise = ("--noise", 0.1, "--against", "noise", "--at", 20)
    result = run("advice", file, *COLUMNS, "--size", 20, *noise, *options)
    assert result.exit_code == 0, result.output
    assert drawn[1].levels.tolist() == [0.0, 0.1]


def test_sizes_by_default(run, drawn, tmp_path):
    y, scores = cases(300)
    file = tmp_path / "models.csv"
    pl.DataFrame({"y": y.astype(int), **scores}).write_csv(file)
    options = ("--measures", "auc", "--repeats", 10, "--workers", 1, "-o", "x.png")
    assert run("selection", file, *COLUMNS, *options).exit_code == 0
    assert drawn[0].levels.tolist() == [50, 100, 200]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("agreement --measures auc,ks", "one of --positives, --permutations, --classes, FILE"),
        ("agreement --measures auc --permutations 3", "--measures must be two measures, got 1"),
        ("agreement --permutations 3", "--measures"),
        ("agreement FILE --measures auc,ks", "either --folds or --resamples"),
        ("agreement FILE --measures auc,ks --positives 3", "with one of"),
        ("agreement FILE --measures auc,ks --folds fold --cut 2", "--cut has no effect with FILE"),
        ("robustness --rate loss", "must be one of 'error', 'change'"),
        ("selection FILE --ability x", "must be one of 'msa', 'hit_rate', 'regret'"),
        ("advice FILE --against x", "must be one of 'size', 'noise'"),
        (
            "advice FILE --measures auc --size 20 --repeats 10 --at 7 --workers 1",
            "--at must be one of the levels of noise 0, ",
        ),
        ("robustness --repeats 10 --highlight rms", "--highlight must be"),
        ("selection FILE --size 1", "--size must be an integer >= 2, got 1"),
    ],
)
def test_wrong_options_are_errors_in_the_command(run, file, arguments, words):
    options = [str(file) if word == "FILE" else word for word in arguments.split()]
    of_file = COLUMNS if "FILE" in arguments else ()
    result = run(*options, *of_file, "-o", "x.png")
    assert result.exit_code == 2
    assert words in result.output


def test_no_study_is_begun_for_a_wrong_option(run, monkeypatch):
    def never(*arguments, **options):
        raise AssertionError

    monkeypatch.setattr(lab, "robustness", never)
    assert run("robustness", "--rate", "x", "-o", "x.png").exit_code == 2
    assert run("robustness", "-o", "x.gif").exit_code == 2
    result = run("robustness", "--highlight", "nonsense", "-o", "x.png")
    assert isinstance(result.exception.__cause__, UnknownMeasure)
    assert (result.exit_code, result.output[:12]) == (2, "--highlight:")


def test_pictures_are_small_and_the_same_each_time(tmp_path):
    rates = {name: (0.1, 0.2, 0.3 + place / 1000) for place, name in enumerate(NAMES)}
    display = RobustnessDisplay(robustness_of(rates))
    for name in ("one.svg", "other.svg"):
        display.save(tmp_path / name)
    one, other = ((tmp_path / name).read_bytes() for name in ("one.svg", "other.svg"))
    assert one == other
    assert len(one) < 150_000


def test_a_study_is_not_changed_by_its_picture():
    study = robustness_of({"auc": (0.1, 0.2, 0.3)})
    before = [replace(row) for row in study.rows]
    RobustnessDisplay(study).plot()
    assert list(study.rows) == before
