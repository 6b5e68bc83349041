"""Claims judged from committed results: other results must change their verdicts."""

from pathlib import Path

import pytest
from scipy import stats

from changed_results import changed
from metameasure.experiments.catalog import catalog
from metameasure.experiments.claims import FAILS, HOLDS, ONLY_WHEN, OPEN, claims
from metameasure.experiments.papers import huang2006_claims
from metameasure.experiments.papers.wu2005_datasets import DATASETS
from metameasure.experiments.summary import read_results

FOLDER = Path(__file__).parents[3] / "docs" / "reproductions"
SIX = ("h_measure", "auch", "auc", "scored_auc", "ks", "taks")


@pytest.fixture(scope="module")
def results():
    return read_results(FOLDER)


def at(value, **where):
    """Replace the values of a place, which names its part, row or column, or tuples of them."""

    def change(row):
        names = {key: each if isinstance(each, tuple) else (each,) for key, each in where.items()}
        return value if all(getattr(row, key) in each for key, each in names.items()) else None

    return change


def scaled(factor, **where):
    """Multiply the values of a place."""
    return lambda row: None if at(1, **where)(row) is None else factor * row.ours


def spread_rates(row):
    """Rates of H that are above those of AUC and taKS by about the same on each data set."""
    base = {"H-measure": 5.0, "AUC": 1.0, "taKS": 1.0}.get(row.column)
    return None if base is None else base + 0.01 * (sum(map(ord, row.row + row.column)) % 7)


def won_by_size(*, smallest):
    """Let sAUC win on the six smallest or largest data sets of Wu and Flach (2005)."""
    sizes = {name: catalog()[key].rows for key, (name, _) in DATASETS.items()}
    won = sorted(sizes, key=sizes.get, reverse=not smallest)[:6]
    return lambda row: float(row.row in won) if row.column == "significant" else None


BERRAR = [
    ("AUC does not distinguish the three", "figure1", at(0.9, row="b", column="AUC"), FAILS),
    ("If all scores are equal", "figure3", at(0.4, row="h", column="AUC"), FAILS),
    ("At the threshold 0.5", "section4.1", at(0.91, row="50", column="C2"), FAILS),
    ("The number of cases", "section4.1", at(0.9, row="400", column="auc"), FAILS),
    ("At low levels", "figure5", at(0.2, row="0.1", column="ks"), FAILS),
    ("With redrawn labels no", "figure4", at(0.9, row="0.6", column="ks"), FAILS),
    ("Deleted positives have very", "figure6", at(0.1, row="0.5", column="auc"), FAILS),
    ("Deleted positives have very", "figure6", at(0.0, row="0.5"), HOLDS),
    ("On the real data sets AUC", "table1", scaled(2, column="AUC"), FAILS),
    ("taKS is among", "figure4", at(0.01, column="taks"), HOLDS),
    ("AUC is more robust than sAUC", "figure4", at(0.01, column="scored_auc"), FAILS),
    ("AUC is more robust than sAUC", "table1", at(0.0, column="AUC"), HOLDS),
    ("That H has more errors", "table1", at(3.0, column=("H-measure", "AUC", "taKS")), HOLDS),
    ("That H has more errors", "table1", spread_rates, FAILS),
    ("In experiment 2, H errs", "table1", at(9.0, row="House", column="AUC"), HOLDS),
    ("In experiment 2, H errs", "table1", at(1.0, row="Spect", column="H-measure"), FAILS),
    ("Without noise naive Bayes", "footnote4", at(50, row="Pima", column="AUC"), FAILS),
    ("Liver and Transfusion have only", "footnote4", at(7, row="Liver"), FAILS),
    ("Noise matters less", "table1", scaled(-1, column=("sAUC", "KS")), FAILS),
]
WU_2007 = [
    ("AUC prefers M1", "examples1-2", at(0.4, row="M2", column="sAUC"), FAILS),
    ("The AUC of M1 falls", "figure1", at(0.0, row="M2", column="margin 0.5"), FAILS),
    ("With limited validation data the models", "table4", at(90, column="AUC"), ONLY_WHEN),
    ("With limited validation data the models", "table4", at(90, column=("AUC", "BS")), FAILS),
    ("The Brier score selects", "table4", at(2, row="wins", column="BS"), FAILS),
    ("sAUC has less of an advantage", "table5", at(99, column="sAUC"), FAILS),
    ("sAUC has less of an advantage", "table5", at(99, column="sAUC", part="J48"), ONLY_WHEN),
    (
        "On Credit-a validation sAUC under",
        "figure3",
        at(0.1, column="validation sAUC - test AUC", part="J48"),
        FAILS,
    ),
    (
        "On Credit-a validation AUC appears",
        "figure3",
        at(-0.1, column="validation AUC - test AUC"),
        HOLDS,
    ),
    (
        "On Credit-a validation AUC appears",
        "figure3",
        at(0.1, column="validation AUC - test AUC"),
        FAILS,
    ),
    ("Validation AUC does not", "figure3", at(5, row="Credit-a", part="J48"), ONLY_WHEN),
    ("Validation AUC does not", "figure3", at(5, row="Credit-a"), HOLDS),
    ("Preliminary experiments", "section5", at(0.1, row="normal", column="sAUC - AUC"), ONLY_WHEN),
    ("Preliminary experiments", "section5", at(0.1, column="sAUC - AUC"), HOLDS),
]
WU_2005 = [
    ("On average over the data sets", "table5", at(99, column="sAUC"), ONLY_WHEN),
    ("The advantage of sAUC", "table5", at(99, column="sAUC"), HOLDS),
    ("The data sets on which", "table4", won_by_size(smallest=True), HOLDS),
    ("The data sets on which", "table4", won_by_size(smallest=False), FAILS),
]
XIE = [
    ("Precision is none of", "confusion", at(0.8, row="Eq. 13, precision"), FAILS),
    ("The skew-sensitive", "confusion", at(0.1, row="Eq. 19, skew-sensitive accuracy"), HOLDS),
    ("The formula with TPR", "confusion", at(0.1, row="Eq. 20, precision by rates"), FAILS),
    ("Accuracy and precision are", "isometrics", at(0.4, row="precision 0.5"), FAILS),
    ("Accuracy and precision are", "isometrics", at(3, row="accuracy 0.7"), HOLDS),
]
HUANG = [
    ("On imbalanced lists AUC", "table3.8", at(0.5, row="12", column="D"), FAILS),
    ("ED and MD, and OAUC", "table3.19", at(0.5, row="ED", column="MD"), FAILS),
    ("Of the measures of orders MD", "section3.3.1", at(7, row="MD"), HOLDS),
    ("MD is the worst", "section3.3.1", at(7, row="SRN"), FAILS),
    ("AUC:accuracy is much more", "table4.1", at(0.01, column="only part", row="6"), FAILS),
    (
        "With weak perturbation",
        "table4.6",
        at(0.0, column=("AUC:acc - AUC", "AUC+acc - AUC")),
        HOLDS,
    ),
    ("With strong perturbation", "table4.6", at(0.1, column="AUC+acc - AUC"), HOLDS),
    ("With strong perturbation", "table4.6", at(0.0, column="AUC:acc - AUC"), FAILS),
    ("AUC:acc and the linear", "table4.6", at(0.0, column="AUC+acc - AUC:acc"), HOLDS),
    ("The ability of a measure to", "figure5.1", at(0.7, row="mean MSA"), HOLDS),
    ("The ability of a measure to", "figure5.1", at(0.5, row="mean MSA", part="goal AUC"), FAILS),
    ("C4.4 and naive Bayes are closer", "table3.16", at(60, column="NB"), FAILS),
    ("On the artificial data", "table3.20", at(0.01, row=("ED", "OAUC", "SRN")), HOLDS),
    ("SAUC, RMS, MXE, AUC and APR", "figure5.1", at(0.9, part="goal lift", column="lift"), FAILS),
    ("With SVM and KNN, MXE", "figure5.3", at(0.5, column=("MXE", "RMS")), HOLDS),
    ("With SVM and KNN, MXE", "figure5.3", at(0.1, column="MXE"), FAILS),
    ("With SVM and KNN, the F-score", "figure5.3", at(0.0, column="FSC", part="SVM"), ONLY_WHEN),
    ("With SVM and KNN, the ability", "figure5.3", at(0.9, column="lift"), FAILS),
    ("Measures of rankings", "figure5.3", at(0.9, column=("AUC", "APR"), part="SVM"), FAILS),
]
CHANGES = [
    (paper, *each)
    for paper, cases in {
        "berrar2014": BERRAR,
        "wu2007": WU_2007,
        "wu2005": WU_2005,
        "xie2022": XIE,
        "huang2006": HUANG,
    }.items()
    for each in cases
]


def found(paper, text):
    (claim,) = [each for each in claims(paper) if each.text.startswith(text)]
    return claim


def alone(results, claim):
    """The results without other conventions, which a claim would be judged by as well."""
    return {key: results[key] for key in claim.items}


@pytest.mark.parametrize(("paper", "text", "item", "change", "verdict"), CHANGES)
def test_other_results_change_the_verdict(results, paper, text, item, change, verdict):
    claim = found(paper, text)
    before = alone(results, claim)
    after = before | {f"{paper}/{item}": changed(results[f"{paper}/{item}"], change)}
    assert claim.judged(before).verdict != verdict
    assert claim.judged(after).verdict == verdict


def test_predictions_that_are_in_a_figure_only_are_not_judged(results):
    claim = found("berrar2014", "Of two models with ranking errors")
    assert claim.judged(results).verdict == OPEN


@pytest.mark.parametrize(("lead", "verdict"), [(10, HOLDS), (-10, FAILS)])
def test_svm_must_be_better_than_c45_not_only_different(results, lead, verdict):
    claim = found("huang2006", "On two classes SVM is significantly better than C4.5")
    rows = results["huang2006/table3.17"].rows
    svm = {row.row: row.ours for row in rows if row.column == "AUC" and row.ours is not None}
    places = {row: place for place, row in enumerate(svm)}

    def around(row):
        if row.row not in svm:
            return None
        alternating = (-1) ** places[row.row]
        return svm[row.row] + alternating - lead * (row.column == "C4.5")

    made = {
        "huang2006/table3.16": changed(results["huang2006/table3.16"], around),
        "huang2006/table3.17": results["huang2006/table3.17"],
    }
    assert claim.judged(made).verdict == verdict


def test_five_samples_are_tested_with_four_degrees_of_freedom():
    assert pytest.approx(stats.t.ppf(0.975, 4), abs=0.0005) == huang2006_claims.CRITICAL


def test_networks_of_the_new_measure(results):
    claim = found("huang2006", "Measured by AUC, networks that AUC:acc stops are")
    other = found("huang2006", "Measured by accuracy, the networks")
    table = results["huang2006/table4.7"]

    def ahead(row):
        lead = {"AUC:acc": 0.2, "AUC": 0.1, "acc": 0.0}.get(row.row)
        return None if lead is None else 0.5 + lead + 0.001 * (sum(map(ord, row.part)) % 7)

    made = {"huang2006/table4.7": changed(table, ahead)}
    assert claim.judged(made).verdict == HOLDS
    assert other.judged(made).verdict == FAILS


def test_sensitivity_in_the_order_of_preference(results):
    claim = found("huang2006", "On each data set the measures are about as")
    order = ("OAUC", "ED", "SRN", "AUC", "MD", "acc")
    table = results["huang2006/table3.20"]
    as_claimed = changed(table, lambda row: 0.01 * order.index(row.row))
    assert claim.judged({"huang2006/table3.20": as_claimed}).verdict == HOLDS
    once = changed(as_claimed, lambda row: 1 - row.ours if row.column == "CPU" else None)
    assert claim.judged({"huang2006/table3.20": once}).verdict == ONLY_WHEN


def test_one_order_for_all_learners(results):
    claim = found("huang2006", "Different learners call")
    figure = results["huang2006/figure5.3"]
    same = {row.column: row.ours for row in figure.rows if row.part == "SVM" and row.row == "5%"}
    alike = changed(figure, lambda row: same[row.column])
    assert claim.judged({"huang2006/figure5.3": alike}).verdict == FAILS


def test_too_few_models_or_data_sets_are_not_judged(results):
    perfect = found("wu2007", "Validation AUC does not")
    assert perfect.judged(alone(results, perfect)).verdict == OPEN
    small = found("wu2005", "The data sets on which")
    assert small.judged(alone(results, small)).verdict == OPEN
    none = changed(results["wu2005/table4"], at(0, column="significant"))
    assert small.judged({"wu2005/table4": none}).verdict == OPEN


def test_one_of_two_ratios_differs(results):
    claim = found("berrar2014", "In experiment 2, H errs")
    judged = claim.judged(alone(results, claim))
    assert judged.verdict == ONLY_WHEN
    assert judged.reason.startswith("House")


def test_another_convention_contradicts_a_claim_that_holds(results):
    claim = found("wu2007", "The Brier score selects")
    assert claim.judged(alone(results, claim)).verdict == HOLDS
    judged = claim.judged(results)
    assert judged.verdict == ONLY_WHEN
    assert "not with wu2007/table4-validation5" in judged.reason


def test_another_convention_judges_what_the_first_cannot(results):
    claim = found("wu2007", "Validation AUC does not")
    judged = claim.judged(results)
    assert judged.verdict == ONLY_WHEN
    assert "figure3-validation2" in judged.reason
