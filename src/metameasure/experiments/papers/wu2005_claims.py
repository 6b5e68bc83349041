"""Claims of Wu and Flach (2005)."""

from __future__ import annotations

from functools import partial

from metameasure.experiments.claims import Findings, Judgment, judgment
from metameasure.experiments.claims import claim as any_claim

claim = partial(any_claim, "wu2005")


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
