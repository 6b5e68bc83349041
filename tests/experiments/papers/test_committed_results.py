"""The committed results: values known from elsewhere, claims, and the page about them."""

import math
from pathlib import Path

import pytest

from changed_results import changed
from metameasure import experiments
from metameasure.experiments.claims import FAILS, HOLDS, ONLY_WHEN, OPEN, claims
from metameasure.experiments.summary import read_results, summary_page

FOLDER = Path(__file__).parents[3] / "docs" / "reproductions"
SIX = ("h_measure", "auch", "auc", "scored_auc", "ks", "taks")


@pytest.fixture(scope="module")
def results():
    return read_results(FOLDER)


@pytest.mark.parametrize(
    ("figure", "level", "known"),
    [
        ("figure4", "0.3", (0.046, 0.058, 0.066, 0.076, 0.047, 0.066)),
        ("figure5", "0.25", (0.103, 0.073, 0.067, 0.186, 0.160, 0.067)),
        ("figure6", "0.8", (0.020, 0.020, 0.020, 0.076, 0.020, 0.020)),
    ],
)
def test_known_values_of_berrars_figures(results, figure, level, known):
    """The figures print no numbers; these are from 2000 or more repeats of other code."""
    found = {row.column: row for row in results[f"berrar2014/{figure}"].rows if row.row == level}
    for measure, rate in zip(SIX, known, strict=True):
        error = math.hypot(found[measure].error, math.sqrt(rate * (1 - rate) / 2000))
        assert abs(found[measure].ours - rate) < 3 * error


def test_known_values_of_figure_2_of_wu_flach_and_ferri(results):
    known = {"scored_auc": 0.2125, "brier": 0.2168, "auc": 0.239, "accuracy": 0.42}
    found = {row.column: row for row in results["wu2007/figure2"].rows if row.row == "0.4"}
    for measure, rate in known.items():
        assert abs(found[measure].ours - rate) < 3 * math.sqrt(2) * found[measure].error + 0.0005


def test_all_exact_and_simulated_items_are_there_at_full_size(results):
    for item in [*experiments.items(kind="exact"), *experiments.items(kind="mc")]:
        result = results[item.key]
        assert not any("repeats instead of" in note for note in result.notes()), item.key
        differing = [(row.row, row.column) for row in result.rows if row.verdict == "differs"]
        assert differing == ([("3", "C")] if item.key == "huang2006/table3.12" else [])
        printed = {(row.part, row.row, row.column) for row in result.rows if row.published}
        assert printed == {place for place, text in item.published.items() if text.text}


VERDICTS = {
    "Without noise no measure prefers the worse model.": FAILS,
    "sAUC is the least robust to redrawn labels.": ONLY_WHEN,
    "Up to about 70% redrawn labels, H and KS are a little more robust than the others.": HOLDS,
    "Of the conventional measures AUC is the most robust to noise.": ONLY_WHEN,
    "sAUC is the most robust of the four measures.": ONLY_WHEN,
    "On larger data sets no difference is significant at .10.": ONLY_WHEN,
    "sAUC selects better models than AUC with limited validation data.": ONLY_WHEN,
    "With longer lists C approaches 0.93.": FAILS,
    "With longer lists D approaches 19.": FAILS,
    "D, the ratio of pairs that only AUC or only accuracy orders, is 15.5 to 18.9.": FAILS,
    "Except at the extremes, the more imbalanced the classes, the lower C.": HOLDS,
    "Except at the extremes, the more imbalanced the classes, the higher D.": ONLY_WHEN,
    "The lemmas and theorems 1 and 2 hold.": ONLY_WHEN,
    "OAUC > ED > SRN > AUC > MD > accuracy is the preference order.": HOLDS,
    "Correlations grow with the perturbation.": ONLY_WHEN,
    "AUC and the constructed measures follow RMS more closely than accuracy, at every "
    "level.": HOLDS,
    "With strong perturbation the constructed measures follow RMS significantly more closely than "
    "AUC.": ONLY_WHEN,
    "AUC:acc and the linear combination do not differ significantly in their correlation "
    "with RMS.": ONLY_WHEN,
    "With weak perturbation AUC and the constructed measures do not differ significantly in their "
    "correlation with RMS.": ONLY_WHEN,
    "With C4.5 and naive Bayes, RMS, SAUC, MXE, AUC and APR are the five best.": ONLY_WHEN,
    "The ability of a measure to select models (MSA) is stable over goals.": ONLY_WHEN,
    "If AUC is the goal, SAUC, RMS and MXE select better models than AUC, and no other measure "
    "does.": ONLY_WHEN,
}


def test_verdicts_of_claims(results):
    found = {each.text: each.judged(results) for each in claims()}
    assert {text: found[text].verdict for text in VERDICTS} == VERDICTS
    assert all(judgment.reason for judgment in found.values())


@pytest.mark.parametrize(
    ("text", "item", "change", "verdict"),
    [
        (
            "Without noise no measure prefers the worse model.",
            "berrar2014/figure4",
            lambda row: 0.0 if row.row == "0" else row.ours,
            HOLDS,
        ),
        (
            "sAUC is the least robust to redrawn labels.",
            "berrar2014/figure4",
            lambda row: 0.9 if row.column == "ks" else row.ours,
            FAILS,
        ),
        (
            "With longer lists D approaches 19.",
            "huang2006/section3.2.2.1",
            lambda row: 19.1 if row.column == "D" else row.ours,
            HOLDS,
        ),
        (
            "Except at the extremes, the more imbalanced the classes, the higher D.",
            "huang2006/table3.10",
            lambda row: 14.0 if row.row == "5 + 5" else row.ours,
            HOLDS,
        ),
        (
            "The lemmas and theorems 1 and 2 hold.",
            "huang2006/theorems",
            lambda row: 3.0 if (row.row, row.column) == ("Lemma 4", "failures") else row.ours,
            FAILS,
        ),
    ],
)
def test_other_results_change_the_verdict(results, text, item, change, verdict):
    (claim,) = [each for each in claims() if each.text == text]
    assert claim.judged(results).verdict != verdict
    assert claim.judged(results | {item: changed(results[item], change)}).verdict == verdict


@pytest.mark.parametrize(
    ("text", "first", "ties"),
    [
        ("With SVM and KNN, lift and BEP are the worst", HOLDS, ONLY_WHEN),
        ("With C4.5 and naive Bayes, RMS, SAUC, MXE, AUC and APR", FAILS, HOLDS),
        ("With C4.5 and naive Bayes, measures of probabilities", HOLDS, ONLY_WHEN),
        ("With SVM and KNN, the ability to select models follows", HOLDS, ONLY_WHEN),
    ],
)
def test_claims_about_learners_depend_on_ties(results, text, first, ties):
    (claim,) = [each for each in claims("huang2006") if each.text.startswith(text)]
    key = "huang2006/figure5.3"
    assert claim.judged({key: results[key]}).verdict == first
    assert claim.judged({key: results[f"{key}-ties0"]}).verdict == ties


def test_spreads_of_table_4_6_are_those_of_its_errors(results):
    """A standard error of 400 samples is their standard deviation divided by 20."""
    for key in ("huang2006/table4.6", "huang2006/table4.6-clipped"):
        rows = {(row.row, row.column): row for row in results[key].rows}
        spreads = [place for place in rows if place[1].endswith(", spread")]
        assert len(spreads) == 15
        for noise, column in spreads:
            error = rows[noise, column.removesuffix(", spread")].error
            assert rows[noise, column].ours == pytest.approx(20 * error, rel=0.02)


def test_without_results_claims_are_not_judged():
    for each in claims():
        assert each.judged({}).verdict == OPEN


def test_the_page_of_an_empty_folder_says_so(tmp_path):
    page = summary_page(tmp_path / "nothing")
    assert "**not run**" in page
    assert "| **all printed** |" in page
    assert "does not hold" not in page


def test_another_convention_is_a_condition(results):
    """Networks that learn slowly have the printed order of the measures that stop them."""
    (claim,) = [each for each in claims() if each.text.startswith("By each of three measures")]
    found = claim.judged(results)
    assert found.verdict == ONLY_WHEN
    assert "table4.7-slow" in found.reason
    alone = {key: result for key, result in results.items() if key != "huang2006/table4.7-slow"}
    assert claim.judged(alone).verdict == FAILS


def test_other_conventions_have_their_widths(results):
    """More agreement with wider intervals is not a better convention."""
    (line,) = [each for each in summary_page(FOLDER).splitlines() if "table4-validation5 |" in each]
    _, _, agree, difference, error, _, agree_5, difference_5, error_5, _ = line.split(" | ".strip())
    assert (agree.strip(), agree_5.strip()) == ("28 of 105", "42 of 105")
    assert float(error_5) > 2 * float(error)
    rows = [row for row in results["wu2007/table4"].rows if row.difference is not None]
    squares = sum(row.difference**2 for row in rows) / len(rows)
    assert float(difference) == pytest.approx(math.sqrt(squares), rel=0.01)
    assert float(difference_5) > 0
