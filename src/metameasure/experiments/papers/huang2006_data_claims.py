"""Claims of Huang (2006) about learners on data sets in Sections 3.2.3 and 3.2.4."""

from __future__ import annotations

from functools import partial
from itertools import combinations

from metameasure.experiments.claims import (
    FAILS,
    HOLDS,
    ONLY_WHEN,
    Findings,
    Judgment,
    judgment,
    mean,
)
from metameasure.experiments.claims import claim as any_claim

claim = partial(any_claim, "huang2006")
COUNTS, ACCURACY, AUC, SVM = (f"huang2006/table3.{number}" for number in (14, 15, 16, 17))
PAIRS = ("C4.4 vs. NB", "C4.5 vs. NB", "C4.5 vs. C4.4")
LEARNERS = ("NB", "C4.4", "C4.5")
LEVEL = 0.05


def _columns(found: Findings, item: str) -> dict[str, dict[str, float]]:
    """The values by learner and data set, without averages."""
    return {
        name: {row: v for row, v in found.column(item, name).items() if row != "Average"}
        for name in LEARNERS
    }


def _paired(one: dict[str, float], other: dict[str, float]) -> float:
    """The p-value of the paired t test over the data sets that both have."""
    from scipy.stats import ttest_rel  # noqa: PLC0415

    rows = [row for row in one if row in other]
    return float(ttest_rel([one[row] for row in rows], [other[row] for row in rows]).pvalue)


@claim(
    "Sec. 3.2.3",
    "On real test sets AUC is consistent with accuracy and more discriminating, for all pairs of "
    "learners.",
    "table3.14",
)
def better_on_test_sets(found: Findings) -> Judgment:
    """C and D of the three pairs."""
    c = [found.value(COUNTS, "C", pair) for pair in PAIRS]
    d = [found.value(COUNTS, "D", pair) for pair in PAIRS]
    return judgment(
        min(c) > 0.5 and min(d) > 1,
        f"C {min(c):.3f} to {max(c):.3f}, D {min(d):.1f} to {max(d):.1f}",
    )


@claim(
    "Sec. 3.2.3",
    "E and D are largest for C4.5 and C4.4, then for C4.5 and naive Bayes, then for C4.4 and naive "
    "Bayes.",
    "table3.14",
)
def order_of_pairs(found: Findings) -> Judgment:
    """E and D of the three pairs."""
    e, d = ([found.value(COUNTS, name, pair) for pair in PAIRS] for name in ("E", "D"))
    listed = "; ".join(
        f"{pair}: E {x:.3f}, D {y:.1f}" for pair, x, y in zip(PAIRS, e, d, strict=True)
    )
    right = e == sorted(e), d == sorted(d)
    if all(right):
        return Judgment(HOLDS, listed)
    if right[0]:
        return Judgment(ONLY_WHEN, f"the order is that of E alone; {listed}")
    return Judgment(FAILS, listed)


@claim(
    "Sec. 3.2.4.1",
    "Naive Bayes, C4.4 and C4.5 do not differ significantly in accuracy.",
    "table3.15",
)
def similar_accuracy(found: Findings) -> Judgment:
    """Paired t tests over the data sets."""
    columns = _columns(found, ACCURACY)
    p = {pair: _paired(columns[pair[0]], columns[pair[1]]) for pair in combinations(LEARNERS, 2)}
    listed = ", ".join(f"{a} and {b} p = {value:.3f}" for (a, b), value in p.items())
    return judgment(min(p.values()) > LEVEL, listed)


@claim(
    "Sec. 3.2.4.1",
    "In AUC naive Bayes and C4.4 are significantly better than C4.5, and do not differ.",
    "table3.16",
)
def auc_of_learners(found: Findings) -> Judgment:
    """Paired t tests over the data sets."""
    columns = _columns(found, AUC)
    means = {name: mean(column.values()) for name, column in columns.items()}
    p = {pair: _paired(columns[pair[0]], columns[pair[1]]) for pair in combinations(LEARNERS, 2)}
    listed = ", ".join(f"{a} and {b} p = {value:.3f}" for (a, b), value in p.items())
    better = min(means["NB"], means["C4.4"]) > means["C4.5"]
    significant = max(p["NB", "C4.5"], p["C4.4", "C4.5"]) < LEVEL < p["NB", "C4.4"]
    return judgment(better and significant, listed)


@claim(
    "Sec. 3.2.4.2",
    "On two classes SVM has the highest mean accuracy, without a significant difference.",
    "table3.15",
    "table3.17",
)
def accuracy_of_svm(found: Findings) -> Judgment:
    """Means and paired t tests over the data sets with two classes."""
    svm = {r: v for r, v in found.column(SVM, "Accuracy").items() if r != "Average"}
    others = _columns(found, ACCURACY)
    means = {
        name: mean(v for row, v in column.items() if row in svm) for name, column in others.items()
    }
    p = {name: _paired(svm, column) for name, column in others.items()}
    listed = ", ".join(f"{name} {means[name]:.1f} (p = {p[name]:.3f})" for name in LEARNERS)
    own = mean(svm.values())
    return judgment(
        own > max(means.values()) and min(p.values()) > LEVEL, f"SVM {own:.1f}; {listed}"
    )


@claim(
    "Sec. 3.2.4.2",
    "On two classes SVM is significantly better than C4.5 in AUC, and like naive Bayes and C4.4.",
    "table3.16",
    "table3.17",
)
def auc_of_svm(found: Findings) -> Judgment:
    """Means and paired t tests over the data sets with two classes."""
    svm = {r: v for r, v in found.column(SVM, "AUC").items() if r != "Average"}
    others = _columns(found, AUC)
    lead = {
        name: mean(svm[row] - v for row, v in column.items() if row in svm)
        for name, column in others.items()
    }
    p = {name: _paired(svm, column) for name, column in others.items()}
    listed = ", ".join(f"{name} {lead[name]:+.2f} (p = {p[name]:.3f})" for name in LEARNERS)
    return judgment(
        lead["C4.5"] > 0 and p["C4.5"] < LEVEL < min(p["NB"], p["C4.4"]),
        f"mean lead of SVM over {listed}",
    )


@claim(
    "Sec. 3.2.3",
    "C4.4 and naive Bayes are closer to each other in AUC than to C4.5.",
    "table3.16",
)
def closest_in_auc(found: Findings) -> Judgment:
    """The differences of the mean AUC of the learners."""
    means = {name: mean(column.values()) for name, column in _columns(found, AUC).items()}
    gaps = {(a, b): abs(means[a] - means[b]) for a, b in combinations(LEARNERS, 2)}
    shown = ", ".join(f"{a} and {b} {gap:.2f}" for (a, b), gap in gaps.items())
    return judgment(
        min(gaps, key=gaps.__getitem__) == ("NB", "C4.4"), f"differences of mean AUC: {shown}"
    )
