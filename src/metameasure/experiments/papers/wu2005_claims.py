"""Claims of Wu and Flach (2005)."""

from __future__ import annotations

from functools import partial
from statistics import median

from metameasure.experiments.catalog import catalog
from metameasure.experiments.claims import (
    FAILS,
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
from metameasure.experiments.papers.wu2005_datasets import DATASETS

claim = partial(any_claim, "wu2005")
LEVEL = 0.05


@claim("Sec. 3", "The lemmas and theorems hold.", "theorems")
def theorems_hold(found: Findings) -> Judgment:
    """Failures on random lists."""
    failures = sum(found.column("wu2005/theorems", "failures").values())
    tried = sum(found.column("wu2005/theorems", "tried").values())
    return judgment(failures == 0, f"{failures:.0f} failures on {tried:.0f} random lists")


@claim("Example 1", "Two models with the same AUC can differ in sAUC.", "examples1-2")
def same_auc(found: Findings) -> Judgment:
    """AUC and sAUC of both models."""
    auc, scored = (found.column("wu2005/examples1-2", name) for name in ("AUC", "sAUC"))
    listed = f"AUC {auc['M1']:.4f} and {auc['M2']:.4f}, sAUC {scored['M1']:.4f} and "
    return judgment(
        auc["M1"] == auc["M2"] and scored["M1"] != scored["M2"], f"{listed}{scored['M2']:.4f}"
    )


def _significant(found: Findings, table: str) -> tuple[int, int]:
    marks = list(found.column(f"wu2005/{table}", "significant").values())
    return sum(mark > 0 for mark in marks), sum(mark < 0 for mark in marks)


@claim("Sec. 4, Table 4", "sAUC selects better models more often than worse ones.", "table4")
def wins_on_whole_sets(found: Findings) -> Judgment:
    """Significant wins and losses of our own runs."""
    wins, losses = _significant(found, "table4")
    return judgment(wins > losses, f"{wins} significant wins and {losses} losses; printed 6 and 2")


@claim(
    "Sec. 4, Table 5", "With 150 cases sAUC selects better models and never worse ones.", "table5"
)
def wins_on_small_sets(found: Findings) -> Judgment:
    """Significant wins and losses of our own runs."""
    wins, losses = _significant(found, "table5")
    return judgment(
        wins > 0 and losses == 0, f"{wins} significant wins and {losses} losses; printed 9 and 0"
    )


def _mean_gain(found: Findings, table: str) -> tuple[float, float]:
    """The mean over data sets of what sAUC gains, and its standard error."""
    item = f"wu2005/{table}"
    auc, scored = (found.column(item, column) for column in ("AUC", "sAUC"))
    rows = [row for row in auc if row != "average"]
    errors = found.errors(item, "sAUC - AUC")
    gain = mean(scored[row] - auc[row] for row in rows)
    return gain, mean_error(errors.get(row, 0.0) for row in rows)


@claim(
    "Abstract, Sec. 5",
    "On average over the data sets the models that sAUC selects have a larger AUC.",
    "table4",
    "table5",
)
def mean_gains(found: Findings) -> Judgment:
    """The paired differences in percent on whole data sets and with 150 cases."""
    gains = {table: _mean_gain(found, table) for table in ("table4", "table5")}
    reason = ", ".join(
        f"{table} {gain:+.2f} ± {error:.2f}" for table, (gain, error) in gains.items()
    )
    clear = [table for table, each in gains.items() if z_score(*each) > Z]
    if clear and len(clear) < len(gains):
        return Judgment(ONLY_WHEN, f"in {clear[0]}; mean gains {reason}")
    return judgment(bool(clear), f"mean gains in percentage points {reason}")


@claim("Sec. 4, 5", "The advantage of sAUC is larger on smaller data sets.", "table4", "table5")
def larger_gains_on_small_sets(found: Findings) -> Judgment:
    """The mean gain with 150 cases against that on whole data sets."""
    (whole, of_whole), (small, of_small) = (
        _mean_gain(found, table) for table in ("table4", "table5")
    )
    z = z_score(small - whole, of_whole, of_small)
    reason = (
        f"mean gain {whole:+.2f} ± {of_whole:.2f} on whole data sets, {small:+.2f} ± "
        f"{of_small:.2f} with 150 cases"
    )
    if small <= 0 and z > Z:
        return Judgment(FAILS, f"no advantage, but a smaller disadvantage: {reason}")
    return judgment(z > Z, reason)


@claim("Sec. 4", "The data sets on which sAUC wins significantly are relatively small.", "table4")
def small_sets_are_won(found: Findings) -> Judgment:
    """The median number of cases of the data sets that sAUC wins, and of the others."""
    from scipy.stats import mannwhitneyu  # noqa: PLC0415

    sizes = {name: catalog()[key].rows for key, (name, _) in DATASETS.items()}
    marks = found.column("wu2005/table4", "significant")
    won = [sizes[row] for row, mark in marks.items() if mark > 0]
    others = [sizes[row] for row, mark in marks.items() if mark <= 0]
    if not won:
        return Judgment(OPEN, "no significant win")
    smaller, larger = (
        float(mannwhitneyu(won, others, alternative=side).pvalue) for side in ("less", "greater")
    )
    reason = f"median {median(won):g} cases of {len(won)} sets, {median(others):g} of the others"
    reason += f" (Mann-Whitney p = {smaller:.2f})"
    if min(smaller, larger) >= LEVEL:
        return Judgment(OPEN, f"not significant: {reason}")
    return judgment(smaller < larger, reason)
