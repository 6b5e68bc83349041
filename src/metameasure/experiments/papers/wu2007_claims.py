"""Claims of Wu, Flach and Ferri (2007)."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from metameasure.experiments.claims import (
    HOLDS,
    ONLY_WHEN,
    OPEN,
    Findings,
    Judgment,
    Z,
    judgment,
    mean,
    mean_error,
    z_score,
)
from metameasure.experiments.claims import claim as any_claim
from metameasure.experiments.papers.wu2007_datasets import (
    GAIN,
    LARGER,
    LEARNERS,
    OTHERS,
    PERFECT,
    SIGN_TEST,
    SMALLER,
    SPREAD,
)
from metameasure.experiments.papers.wu2007_noise import ALTERNATIVES, POWER_GAIN, SIZE

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
    "Abstract, Sec. 1, 4, 5, Table 4",
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


def _biases(found: Findings, measure: str) -> dict[str, tuple[float, float]]:
    """The mean of validation measure minus test AUC, by learner, and its standard error."""
    column, row = f"validation {measure} - test AUC", "Credit-a"
    return {
        name: (
            found.value("wu2007/figure3", row, column, name),
            found.errors("wu2007/figure3", column, name)[row],
        )
        for name in LEARNERS
    }


@claim(
    "Sec. 4, Fig. 3",
    "On Credit-a validation AUC appears to underestimate test AUC, which outliers may cause.",
    "figure3",
)
def auc_is_underestimated(found: Findings) -> Judgment:
    """The mean difference, by learner."""
    biases = _biases(found, "AUC")
    z = [z_score(*each) for each in biases.values()]
    reason = f"mean difference from test AUC: {_with_errors(biases)}"
    if max(map(abs, z)) < Z:
        return Judgment(ONLY_WHEN, f"it is chance, as no difference is significant; {reason}")
    return judgment(max(z) < -Z, reason)


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


@claim(
    "Examples 1 and 2",
    "AUC prefers M1, the Brier score is indifferent, and sAUC prefers M2.",
    "examples1-2",
)
def preferences(found: Findings) -> Judgment:
    """The three measures of both models."""
    names = ("AUC", "mean squared error", "sAUC")
    gaps = {}
    for name in names:
        column = found.column("wu2007/examples1-2", name)
        gaps[name] = column["M2"] - column["M1"]
    shown = ", ".join(f"{name} {gap:+.3f}" for name, gap in gaps.items())
    right = gaps["AUC"] < 0 < gaps["sAUC"] and abs(gaps["mean squared error"]) < 1e-12
    return judgment(right, f"M2 less M1: {shown}")


@claim(
    "Sec. 3, Fig. 1",
    "The AUC of M1 falls faster with the margin than that of M2.",
    "figure1",
)
def margins(found: Findings) -> Judgment:
    """What both models have lost at three margins."""
    lost = {}
    for tau in ("0.25", "0.5", "0.75"):
        at, start = (found.column("wu2007/figure1", f"margin {each}") for each in (tau, "0"))
        lost[tau] = {name: start[name] - at[name] for name in at}
    shown = "; ".join(
        f"{tau}: M1 {each['M1']:.3f}, M2 {each['M2']:.3f}" for tau, each in lost.items()
    )
    return judgment(all(each["M1"] > each["M2"] for each in lost.values()), f"AUC lost at {shown}")


def _mean_gains(
    found: Findings, item: str, rows: list[str], other: str
) -> dict[str, tuple[float, float]]:
    """The mean of what sAUC gains over another measure, by learner, and its standard error."""
    gains = {}
    for learner in LEARNERS:
        ours, theirs = (found.column(item, column, learner) for column in ("sAUC", other))
        errors = found.errors(item, f"sAUC - {other}", learner)
        gain = mean(ours[row] - theirs[row] for row in rows)
        gains[learner] = gain, mean_error(errors.get(row, 0.0) for row in rows)
    return gains


def _with_errors(gains: dict[str, tuple[float, float]]) -> str:
    return ", ".join(f"{name} {gain:+.3f} ± {error:.3f}" for name, (gain, error) in gains.items())


@claim(
    "Abstract, Sec. 1, 4, 5",
    "With limited validation data the models that sAUC selects have a larger mean test AUC than "
    "those of AUC and of the Brier score.",
    "table4",
)
def mean_gains_on_small_sets(found: Findings) -> Judgment:
    """Paired differences in percent over the smaller data sets, by learner."""
    rows = [name for name, _ in SMALLER.values()]
    gains = {other: _mean_gains(found, "wu2007/table4", rows, other) for other in OTHERS}
    reason = "; ".join(f"over {other}: {_with_errors(each)}" for other, each in gains.items())
    clear = {
        other: all(z_score(gain, error) > Z for gain, error in each.values())
        for other, each in gains.items()
    }
    where = [other for other, right in clear.items() if right]
    if where and len(where) < len(clear):
        return Judgment(ONLY_WHEN, f"compared with {where[0]}; {reason}")
    return judgment(bool(where), f"mean gain in percentage points {reason}")


@claim(
    "Sec. 4, Table 4",
    "The Brier score selects worse models than sAUC on most small data sets, with every learner.",
    "table4",
)
def wins_over_brier(found: Findings) -> Judgment:
    """The wins over the Brier score, and the sign tests."""
    wins, tests = (
        {name: found.value("wu2007/table4", row, "BS", name) for name in LEARNERS}
        for row in ("wins", SIGN_TEST)
    )
    shown = ", ".join(f"{name} {wins[name]:.0f} (p = {tests[name]:.3f})" for name in wins)
    return judgment(min(wins.values()) > len(SMALLER) / 2, f"wins on 11 data sets: {shown}")


@claim(
    "Sec. 4",
    "sAUC has less of an advantage over AUC if there are more validation data.",
    "table4",
    "table5",
)
def smaller_gains_on_larger_sets(found: Findings) -> Judgment:
    """The mean gains on smaller and on larger data sets, by learner."""
    small, large = (
        _mean_gains(found, f"wu2007/{table}", [name for name, _ in sets.values()], "AUC")
        for table, sets in (("table4", SMALLER), ("table5", LARGER))
    )
    z = {
        name: z_score(small[name][0] - large[name][0], small[name][1], large[name][1])
        for name in LEARNERS
    }
    reason = f"mean gains on smaller sets: {_with_errors(small)}; on larger: {_with_errors(large)}"
    clear = [name for name in z if z[name] > Z]
    if clear and len(clear) < len(z):
        return Judgment(ONLY_WHEN, f"the learner is {' or '.join(clear)}; {reason}")
    return judgment(bool(clear), reason)


@claim("Sec. 4, Fig. 3", "On Credit-a validation sAUC underestimates test AUC.", "figure3")
def scored_auc_is_lower(found: Findings) -> Judgment:
    """The mean difference, by learner."""
    biases = _biases(found, "sAUC")
    below = all(z_score(*each) < -Z for each in biases.values())
    return judgment(below, f"mean difference from test AUC: {_with_errors(biases)}")


@claim(
    "Sec. 4, Fig. 3",
    "Validation AUC does not distinguish models with a perfect validation ranking, although their "
    "test AUC differs; sAUC does.",
    "figure3",
)
def perfect_validation(found: Findings) -> Judgment:
    """The models with a validation AUC of 1, by learner."""
    models, values, ranges = (
        _of_learners(found, column)
        for column in (PERFECT, f"values of sAUC of {PERFECT}", f"range of test AUC of {PERFECT}")
    )
    shown = ", ".join(
        f"{name} {count:.0f} models, {values[name]:.0f} values of sAUC, test AUC within "
        f"{ranges[name]:.3f}"
        for name, count in models.items()
    )
    several = [name for name, count in models.items() if count > 1]
    right = [name for name in several if values[name] > 1 and ranges[name] > 0]
    reason = f"with a validation AUC of 1: {shown}"
    if not several:
        return Judgment(OPEN, f"no learner has two such models; {reason}")
    if right and len(right) < len(models):
        return Judgment(ONLY_WHEN, f"the learner is {' or '.join(right)}; {reason}")
    return judgment(bool(right), reason)


@claim(
    "Sec. 5",
    "Preliminary experiments suggest that sAUC, as a two-sample test, has more power than the "
    "Wilcoxon-Mann-Whitney test.",
    "section5",
)
def power_of_scored_auc(found: Findings) -> Judgment:
    """The paired difference of the power, by the distribution that is shifted."""
    gains, errors = (each("wu2007/section5", POWER_GAIN) for each in (found.column, found.errors))
    shown = ", ".join(f"{name} {gains[name]:+.3f} ± {errors[name]:.3f}" for name in ALTERNATIVES)
    clear = [name for name in gains if z_score(gains[name], errors[name]) > Z]
    reason = (
        f"power of sAUC minus power of AUC for these {len(gains)} shifts, with {SIZE} cases per "
        f"class; the experiments of the paper are not described: {shown}"
    )
    if clear and len(clear) < len(gains):
        return Judgment(ONLY_WHEN, f"the distribution is {' or '.join(clear)}; {reason}")
    return judgment(bool(clear), reason)
