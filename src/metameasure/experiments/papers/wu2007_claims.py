"""Claims of Wu, Flach and Ferri (2007)."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from metameasure.experiments.claims import HOLDS, ONLY_WHEN, Findings, Judgment, judgment
from metameasure.experiments.claims import claim as any_claim
from metameasure.experiments.papers.wu2007_datasets import GAIN, SIGN_TEST, SPREAD

claim = partial(any_claim, "wu2007")
FIGURE, ARITHMETIC = "wu2007/figure2", "wu2007/arithmetic"
MEASURES = {"scored_auc": "sAUC", "brier": "Brier score", "auc": "AUC", "accuracy": "accuracy"}


@claim("Sec. 4, Fig. 2", "More noise changes more choices, for all four measures.", "figure2")
def changes_grow(found: Findings) -> Judgment:
    """The rates from level to level."""
    falls = {}
    for measure, name in MEASURES.items():
        rates = list(found.column(FIGURE, measure).values())
        falls[name] = max(a - b for a, b in pairwise(rates))
    listed = ", ".join(f"{name} {fall:.4f}" for name, fall in falls.items())
    return judgment(
        max(falls.values()) < 0.02, f"largest fall from one level to the next: {listed}"
    )


@claim("Sec. 4, Fig. 2", "sAUC is the most robust of the four measures.", "figure2")
def scored_auc_is_most_robust(found: Findings) -> Judgment:
    """The scored AUC against each other measure, level by level."""
    scored = found.column(FIGURE, "scored_auc")
    gaps = {
        name: [found.value(FIGURE, row, measure) - rate for row, rate in scored.items()]
        for measure, name in MEASURES.items()
        if measure != "scored_auc"
    }
    listed = ", ".join(f"{name} {min(g):+.4f} to {max(g):+.4f}" for name, g in gaps.items())
    reason = f"differences from sAUC: {listed}"
    if min(gaps["AUC"]) > 0 and min(gaps["accuracy"]) > 0 and max(gaps["Brier score"]) < 0.02:
        condition = "compared with AUC and accuracy, and if both models have separate data sets"
        return Judgment(ONLY_WHEN, f"{condition}; {reason} (WFF 10)")
    return judgment(min(min(g) for g in gaps.values()) > 0, reason)


@claim(
    "Sec. 4, Table 4",
    "On small data sets sAUC selects significantly better models than AUC and the Brier score, by "
    "the sign test at .05, with every learner.",
    "arithmetic",
)
def significant_wins(found: Findings) -> Judgment:
    """The exact p-values of the printed wins."""
    values = {
        (row.row, row.column): row.ours
        for row in found.rows(ARITHMETIC)
        if row.part == "table4" and row.column.startswith("p over")
    }
    significant = sum(p <= 0.05 for p in values.values())
    reason = (
        f"by the printed rows {significant} of {len(values)} comparisons are significant at .05, "
        f"{sum(p <= 0.1 for p in values.values())} at .10 (WFF 9)"
    )
    return judgment(significant == len(values), reason)


@claim(
    "Sec. 4, Table 5",
    "On larger data sets no difference is significant at .10.",
    "arithmetic",
    "table5",
)
def no_significance(found: Findings) -> Judgment:
    """The least p-value of the printed wins, and of ours."""
    printed = [
        row.ours
        for row in found.rows(ARITHMETIC)
        if row.part == "table5" and row.column.startswith("p over")
    ]
    ours = {
        f"{row.part} against {row.column}": row.ours
        for row in found.rows("wu2007/table5")
        if row.row == SIGN_TEST
    }
    reason = f"least p-value of the printed rows {min(printed):.3f}"
    significant = [f"{name} p = {p:.3f}" for name, p in ours.items() if p <= 0.1]
    if significant and min(printed) > 0.1:
        condition = "the printed rows are tested; in our run "
        return Judgment(ONLY_WHEN, f"{condition}{', '.join(significant)}; {reason}")
    return judgment(min(printed) > 0.1, f"{reason}, of ours {min(ours.values()):.3f}")


@claim(
    "Sec. 4, Table 4",
    "sAUC selects better models than AUC with limited validation data.",
    "table4",
)
def wins_on_small_sets(found: Findings) -> Judgment:
    """The wins of our own runs."""
    wins = {
        (row.part, row.column): row.ours for row in found.rows("wu2007/table4") if row.row == "wins"
    }
    listed = ", ".join(
        f"{part} over {column} {count:.0f}" for (part, column), count in wins.items()
    )
    over_auc = [count for (_, column), count in wins.items() if column == "AUC"]
    if over_auc and min(over_auc) > 5.5:
        return Judgment(HOLDS, f"wins on 11 data sets: {listed}")
    return judgment(False, f"wins on 11 data sets: {listed}")


@claim("Sec. 3", "Theorems 1 to 4 hold.", "theorems")
def theorems_hold(found: Findings) -> Judgment:
    """Failures on random lists."""
    failures = sum(found.column("wu2007/theorems", "failures").values())
    tried = sum(found.column("wu2007/theorems", "tried").values())
    return judgment(failures == 0, f"{failures:.0f} failures on {tried:.0f} random lists")


@claim("Example 1", "M2 is less sensitive to drifting scores than M1.", "examples1-2")
def drift(found: Findings) -> Judgment:
    """What 0.25 less for the positives costs both models."""
    before, after = (
        found.column("wu2007/examples1-2", name) for name in ("AUC", "AUC after drift")
    )
    lost = {name: before[name] - after[name] for name in before}
    return judgment(lost["M2"] < lost["M1"], f"AUC lost: M1 {lost['M1']:.3f}, M2 {lost['M2']:.3f}")


def _of_learners(found: Findings, column: str) -> dict[str, float]:
    rows = found.rows("wu2007/figure3")
    return {row.part: row.ours for row in rows if row.column == column}


@claim(
    "Sec. 4, Fig. 3",
    "On Credit-a validation sAUC explains more of the variance of test AUC than validation AUC.",
    "figure3",
)
def scored_auc_predicts(found: Findings) -> Judgment:
    """The share of the variance that is left, by learner."""
    plain, scored = (_of_learners(found, f"1 - r², {name}") for name in ("AUC", "sAUC"))
    gains = _of_learners(found, GAIN)
    errors = {
        row.part: row.error
        for row in found.reproductions["wu2007/figure3"].rows
        if row.column == GAIN
    }
    listed = ", ".join(
        f"{name} {plain[name]:.3f} and {scored[name]:.3f} "
        f"(difference {gains[name]:.3f} ± {errors[name]:.3f})"
        for name in plain
    )
    better = [name for name in plain if gains[name] > 1.96 * (errors[name] or 0.0)]
    reason = f"1 - r² of AUC and sAUC: {listed}"
    if better and len(better) < len(plain):
        return Judgment(ONLY_WHEN, f"the learner is {' or '.join(better)}; {reason}")
    return judgment(bool(better), reason)


@claim("Sec. 4, Fig. 3", "On Credit-a validation AUC underestimates test AUC.", "figure3")
def auc_is_underestimated(found: Findings) -> Judgment:
    """The mean difference, by learner."""
    bias = _of_learners(found, "validation AUC - test AUC")
    listed = ", ".join(f"{name} {value:+.4f}" for name, value in bias.items())
    return judgment(max(bias.values()) < 0, f"mean difference from test AUC: {listed}")


@claim(
    "Sec. 4",
    "The scored AUC of a validation set has a lower variance than its AUC and its Brier score.",
    "figure3",
)
def scored_auc_varies_less(found: Findings) -> Judgment:
    """The standard deviations over validation sets of Credit-a, by learner."""
    spreads = {name: _of_learners(found, f"{SPREAD} {name}") for name in ("sAUC", "AUC", "BS")}
    listed = "; ".join(
        f"{learner} " + ", ".join(f"{name} {each[learner]:.4f}" for name, each in spreads.items())
        for learner in spreads["sAUC"]
    )
    lower = all(
        spreads["sAUC"][learner] < min(spreads["AUC"][learner], spreads["BS"][learner])
        for learner in spreads["sAUC"]
    )
    return judgment(lower, f"standard deviations on Credit-a: {listed}")
