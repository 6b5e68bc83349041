"""Claims of Wu and Flach (2005)."""

from __future__ import annotations

import math
from functools import partial

from metameasure.experiments.claims import Findings, Judgment, judgment
from metameasure.experiments.claims import claim as any_claim
from metameasure.experiments.declaration import published

claim = partial(any_claim, "wu2005")
Z = 2.5758293035489004
"""Standard errors of a difference that is significant at .01."""


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


def _above_limits(found: Findings, table: str) -> tuple[list[str], int]:
    """The data sets whose printed AUC exceeds that of the best model of each fold, and of all."""
    best = {row.row: row for row in found.reproductions[f"wu2005/{table}-limits"].rows
            if row.column == "best model of each fold" and row.ours is not None}  # fmt: skip
    printed = published("wu2005", table)
    above = [
        name
        for name, row in best.items()
        if any(
            printed["", name, column].value - (row.ours or 0.0)
            > Z * math.hypot(row.error or 0.0, printed["", name, column].error)
            for column in ("AUC", "sAUC")
        )
    ]
    return above, len(best)


@claim(
    "Sec. 4, Tables 4 and 5",
    "The printed AUC are those of models that the five learners trained on other cases.",
    "table4-limits",
    "table5-limits",
)
def reachable(found: Findings) -> Judgment:
    """The printed values against those of the best model of each test set."""
    above = {table: _above_limits(found, table) for table in ("table4", "table5")}
    listed = "; ".join(
        f"{table}: on {len(names)} of {count} data sets ({', '.join(names) or 'none'})"
        for table, (names, count) in above.items()
    )
    reason = "printed above the best of the five models of each test set, significantly at .01"
    return judgment(not any(names for names, _ in above.values()), f"{reason}: {listed}")
