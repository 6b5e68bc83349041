"""Claims about learners on data: made-up results must change their verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from metameasure import experiments
from metameasure.experiments.claims import FAILS, HOLDS, ONLY_WHEN, OPEN, claims
from metameasure.experiments.declaration import Value
from metameasure.experiments.papers import huang2006_networks as networks
from metameasure.experiments.papers import huang2006_selection as selection
from metameasure.experiments.reproduction import Reproduction, judged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

AS_CLAIMED = ("SAUC", "MXE", "RMS", "AUC", "APR", "acc", "FSC", "BEP", "lift")
"""The measures from the best to the worst, as chapter 5 has them for SVM and KNN."""
PANELS = {
    "5.1": ("goal acc", "goal AUC", "goal lift"),
    "5.2": tuple(selection.GROUPS),
    "5.3": tuple(selection.LEARNERS),
}


def verdict(text: str, results: Mapping[str, Reproduction]) -> str:
    (found,) = [each for each in claims("huang2006") if each.text.startswith(text)]
    assert found.judged({}).verdict == OPEN
    return found.judged(results).verdict


def made(name: str, values: Sequence[Value]) -> dict[str, Reproduction]:
    (item,) = experiments.items(f"huang2006/{name}")
    return {item.key: judged(item, values)}


def levels(order: Sequence[str], **others: Sequence[str]) -> dict[str, Reproduction]:
    """Significance levels that grow in this order, or in another on some data sets."""
    values = [
        Value(name, column, 0.01 * (place + 1))
        for column in networks.ORDERED.values()
        for place, name in enumerate(others.get(column, order))
    ]
    return made("table3.20", values)


def test_sensitivity_of_measures_of_orders() -> None:
    as_claimed = ("OAUC", "ED", "SRN", "AUC", "MD", "acc")
    for text in ("OAUC and ED are the most", "Accuracy is the least", "By OAUC and ED"):
        assert verdict(text, levels(as_claimed)) == HOLDS
        assert verdict(text, levels(as_claimed[::-1])) == FAILS
        assert verdict(text, levels(as_claimed, Wine=as_claimed[::-1])) == ONLY_WHEN


def stops(**leads: float) -> dict[str, Reproduction]:
    """Networks whose values are ahead of those that accuracy stops."""
    rng = np.random.default_rng(0)
    values = []
    for part, _ in networks.STOPPED.values():
        for column in ("acc", "AUC", "AUC:acc"):
            for row, lead in {"acc": 0.0, **leads}.items():
                value = 0.7 + lead + 0.001 * rng.normal()
                values.append(Value(row.replace("_", ":"), column, value, part=part))
    return made("table4.7", values)


@pytest.mark.parametrize(
    ("leads", "order", "significant"),
    [
        ({"AUC_acc": 0.11, "AUC": 0.1}, HOLDS, FAILS),
        ({"AUC_acc": 0.1, "AUC": 0.1}, None, HOLDS),
        ({"AUC_acc": -0.1, "AUC": -0.1}, FAILS, FAILS),
        ({"AUC_acc": 0.1, "AUC": 0.2}, FAILS, FAILS),
    ],
)
def test_stopped_networks(leads: dict[str, float], order: str | None, significant: str) -> None:
    results = stops(**leads)
    if order:
        assert verdict("By each of three measures, networks", results) == order
    assert verdict("Measured by AUC, networks that AUC stops", results) == significant


def rates(figure: str, **others: Sequence[str]) -> dict[str, Reproduction]:
    """Success rates that fall from the first to the last measure, or otherwise in some panels."""
    values = [
        Value(row, name, 1 - place / 10, part=panel)
        for panel in PANELS[figure]
        for place, name in enumerate(others.get(panel.replace("goal ", ""), AS_CLAIMED))
        for row in selection.RATE_ROWS
    ]
    return made(f"figure{figure}", values)


BACKWARDS = AS_CLAIMED[::-1]
LIFT_FOURTH = ("SAUC", "MXE", "RMS", "lift", "AUC", "APR", "acc", "FSC", "BEP")


@pytest.mark.parametrize(
    ("text", "figure", "others", "expected"),
    [
        ("If accuracy is the goal, SAUC", "5.1", {}, HOLDS),
        ("If accuracy is the goal, SAUC", "5.1", {"acc": BACKWARDS}, FAILS),
        ("If accuracy is the goal, lift", "5.1", {}, HOLDS),
        ("If accuracy is the goal, lift", "5.1", {"acc": LIFT_FOURTH}, FAILS),
        ("If AUC is the goal", "5.1", {}, HOLDS),
        ("If AUC is the goal", "5.1", {"AUC": LIFT_FOURTH}, FAILS),
        ("If lift is the goal", "5.1", {"lift": (*AS_CLAIMED[:7], "lift", "BEP")}, HOLDS),
        ("If lift is the goal", "5.1", {"lift": LIFT_FOURTH}, FAILS),
        ("The goal itself is never", "5.1", {}, HOLDS),
        ("The goal itself is never", "5.1", {"lift": BACKWARDS}, FAILS),
        ("The order of the measures is stable over class", "5.2", {}, HOLDS),
        ("The order of the measures is stable over class", "5.2", {"25%-30%": BACKWARDS}, FAILS),
        ("With SVM and KNN, SAUC", "5.3", {}, HOLDS),
        ("With SVM and KNN, SAUC", "5.3", {"SVM": LIFT_FOURTH}, ONLY_WHEN),
        ("With SVM and KNN, lift", "5.3", {}, HOLDS),
        ("With SVM and KNN, lift", "5.3", {"SVM": BACKWARDS, "KNN": LIFT_FOURTH}, FAILS),
        ("With C4.5 and naive Bayes, RMS", "5.3", {}, HOLDS),
        ("With C4.5 and naive Bayes, RMS", "5.3", {"C4.5": LIFT_FOURTH}, ONLY_WHEN),
        ("With C4.5 and naive Bayes, measures", "5.3", {}, FAILS),
        ("With C4.5 and naive Bayes, measures", "5.3", {"C4.5": BACKWARDS}, ONLY_WHEN),
    ],
)
def test_claims_about_model_selection(
    text: str, figure: str, others: dict[str, Sequence[str]], expected: str
) -> None:
    assert verdict(text, rates(figure, **others)) == expected
