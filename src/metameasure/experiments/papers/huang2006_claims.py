"""Claims of Huang (2006), chapters 3 and 4."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from metameasure.experiments.claims import (
    FAILS,
    HOLDS,
    ONLY_WHEN,
    Findings,
    Judgment,
    judgment,
)
from metameasure.experiments.claims import claim as any_claim

claim = partial(any_claim, "huang2006")


def _table(number: str) -> str:
    return f"huang2006/table{number}"


def _span(values: list[float], digits: int = 3) -> str:
    return f"{min(values):.{digits}f} to {max(values):.{digits}f}"


@claim(
    "Sec. 1.1.2",
    "The closer scores are to the true probabilities, the larger is SAUC.",
    "section1.1.2",
)
def soft_auc(found: Findings) -> Judgment:
    """SAUC of the true probabilities and of extreme scores."""
    values = found.column("huang2006/section1.1.2", "SAUC")
    true, extreme = values["true probabilities"], values["extreme scores"]
    reason = f"true probabilities {true:.3f}, scores 1 and 0 instead {extreme:.3f} (Huang 20)"
    return judgment(true > extreme, reason)


@claim(
    "Sec. 3.1",
    "AUC and accuracy can contradict each other, accuracy can order lists that AUC ties, and both "
    "can tie lists.",
    "table3.1",
    "table3.2",
    "table3.3",
)
def four_cases(found: Findings) -> Judgment:
    """The examples of three tables."""
    signs = []
    for number in ("3.1", "3.2", "3.3"):
        auc, accuracy = (found.column(_table(number), name) for name in ("AUC", "accuracy"))
        signs.append((auc["a"] > auc["b"], accuracy["a"] > accuracy["b"], auc["a"] == auc["b"]))
    shown = signs == [(True, False, False), (False, True, True), (False, False, True)]
    return judgment(shown, "as in the three examples")


@claim(
    "Sec. 3.2.2.1",
    "On balanced lists AUC is consistent with accuracy (C > 0.5) and more discriminating (D > 1).",
    "table3.4",
    "table3.5",
)
def better_on_balanced_lists(found: Findings) -> Judgment:
    """All degrees of both tables."""
    c = list(found.column(_table("3.4"), "C").values())
    d = list(found.column(_table("3.5"), "D").values())
    return judgment(min(c) > 0.5 and min(d) > 1, f"C from {_span(c)}, D from {_span(d, 1)}")


@claim("Sec. 3.2.2.1", "With longer lists C approaches 0.93.", "table3.4", "section3.2.2.1")
def consistency_approaches(found: Findings) -> Judgment:
    """C of longer lists."""
    longer = found.column("huang2006/section3.2.2.1", "C")
    falls = all(a > b for a, b in pairwise(longer.values()))
    last = list(longer)[-1]
    reason = f"C falls to {longer['18']:.4f} at 18 cases and {longer[last]:.4f} at {last} (Huang 9)"
    return judgment(not falls and abs(longer[last] - 0.93) < 0.005, reason)


@claim("Sec. 3.2.2.1", "With longer lists D approaches 19.", "table3.5", "section3.2.2.1")
def discriminancy_approaches(found: Findings) -> Judgment:
    """D of longer lists."""
    longer = found.column("huang2006/section3.2.2.1", "D")
    last = list(longer)[-1]
    reason = f"D is {longer['18']:.1f} at 18 cases and {longer[last]:.1f} at {last} (Huang 9)"
    return judgment(abs(longer[last] - 19) < 0.5, reason)


@claim(
    "Sec. 3.2.2.1",
    "D, the ratio of pairs that only AUC or only accuracy orders, is 15.5 to 18.9.",
    "table3.5",
)
def range_of_discriminancy(found: Findings) -> Judgment:
    """The finite values of D."""
    d = [v for v in found.column(_table("3.5"), "D").values() if math.isfinite(v)]
    return judgment(min(d) >= 15.45, f"D from {_span(d, 2)} (Huang 9)")


@claim("Sec. 3.2.2.1", "The indifferency falls from about 7% to 2% with the length.", "table3.6")
def indifferency_falls(found: Findings) -> Judgment:
    """E from row to row."""
    e = list(found.column(_table("3.6"), "E").values())
    return judgment(all(a > b for a, b in pairwise(e)), f"E from {_span(e)}")


@claim(
    "Sec. 3.2.2.2",
    "On imbalanced lists C is lower and D higher than on balanced ones.",
    "table3.4",
    "table3.5",
    "table3.7",
    "table3.8",
)
def imbalanced_lists(found: Findings) -> Judgment:
    """C and D of the sizes that both tables have, but for 4 cases, where both are 1 or infinite."""
    sizes = ("8", "12", "16")
    lower = all(
        found.value(_table("3.7"), n, "C") < found.value(_table("3.4"), n, "C") for n in sizes
    )
    higher = all(
        found.value(_table("3.8"), n, "D") > found.value(_table("3.5"), n, "D") for n in sizes
    )
    return judgment(lower and higher, "8, 12 and 16 cases; both are the same for 4")


@claim("Sec. 3.2.2.2", "E is about the same on imbalanced lists.", "table3.6", "table3.9")
def imbalanced_indifferency(found: Findings) -> Judgment:
    """The differences of E."""
    gaps = {
        n: found.value(_table("3.9"), n, "E") - found.value(_table("3.6"), n, "E")
        for n in ("4", "8", "12", "16")
    }
    listed = ", ".join(f"{n}: {gap:+.3f}" for n, gap in gaps.items())
    reason = f"differences by number of cases {listed}"
    if max(abs(gap) for gap in gaps.values()) < 0.005:
        return Judgment(HOLDS, reason)
    return Judgment(ONLY_WHEN, f"there are 12 cases or more; {reason}")


@claim(
    "Sec. 3.2.2.2",
    "Except at the extremes, the more imbalanced the classes, the lower C.",
    "table3.10",
)
def imbalance_lowers_consistency(found: Findings) -> Judgment:
    """C from 2 + 8 to 5 + 5."""
    c = [found.value(_table("3.10"), f"{p} + {10 - p}", "C") for p in range(2, 6)]
    return judgment(c == sorted(c), f"C from 2 + 8 to 5 + 5: {', '.join(f'{v:.3f}' for v in c)}")


@claim(
    "Sec. 3.2.2.2",
    "Except at the extremes, the more imbalanced the classes, the higher D.",
    "table3.10",
)
def imbalance_raises_discriminancy(found: Findings) -> Judgment:
    """D from 2 + 8 to 5 + 5."""
    d = [found.value(_table("3.10"), f"{p} + {10 - p}", "D") for p in range(2, 6)]
    reason = f"D from 2 + 8 to 5 + 5: {', '.join(f'{v:.1f}' for v in d)} (Huang 10)"
    if d[:3] == sorted(d[:3], reverse=True) and d[3] > d[2]:
        return Judgment(ONLY_WHEN, f"there are at most 4 of one class; {reason}")
    return judgment(d == sorted(d, reverse=True), reason)


@claim("Sec. 3.2.2.3", "With more classes C falls at a decreasing rate, and D rises.", "table3.12")
def more_classes(found: Findings) -> Judgment:
    """C and D by the number of classes."""
    c, d = (list(found.column(_table("3.12"), name).values()) for name in ("C", "D"))
    steps = [a - b for a, b in pairwise(c)]
    holds = min(steps) > 0 and d == sorted(d) and steps[0] > steps[2] > steps[-1]
    return judgment(holds, f"C from {c[0]:.3f} to {c[-1]:.3f}, D from {d[0]:.1f} to {d[-1]:.1f}")


@claim("Sec. 3.2.2.3", "AUC is better than accuracy for 3 to 10 classes.", "table3.12")
def better_with_classes(found: Findings) -> Judgment:
    """C above 0.5 and D above 1."""
    c, d = (list(found.column(_table("3.12"), name).values()) for name in ("C", "D"))
    return judgment(min(c) > 0.5 and min(d) > 1, f"C from {_span(c)}, D from {_span(d, 1)}")


@claim("Sec. 3.2.1", "The lemmas and theorems 1 and 2 hold.", "theorems")
def lemmas(found: Findings) -> Judgment:
    """Failures on lists of small sizes."""
    failures = found.column("huang2006/theorems", "failures")
    chapter_3 = {
        name: count
        for name, count in failures.items()
        if name.startswith("Lemma") or name in {"Theorem 1", "Theorem 2"}
    }
    failing = [name for name, count in chapter_3.items() if count]
    if failing == ["Theorem 2"] and chapter_3["Theorem 2"] == 1:
        return Judgment(
            ONLY_WHEN, "there are more than 1 + 1 cases, where theorem 2 has 0 > 0 (Huang 11)"
        )
    return judgment(not failing, f"failing: {', '.join(failing) or 'none'}")


@claim("Sec. 4.1", "Theorems 4 to 7 on constructed measures hold.", "theorems")
def theorems_of_chapter_4(found: Findings) -> Judgment:
    """Failures over pairs of measures."""
    failures = found.column("huang2006/theorems", "failures")
    failing = [name for name in (f"Theorem {i}" for i in range(4, 8)) if failures[name]]
    if failing == ["Theorem 5", "Theorem 7"]:
        return Judgment(
            ONLY_WHEN, "the second measure splits a tie of the first (Huang 22): theorems 5 and 7"
        )
    return judgment(not failing, f"failing: {', '.join(failing) or 'none'}")


@claim("Sec. 3.3.1", "All pairs of the six measures of orders have C > 0.5.", "table3.18")
def orders_are_consistent(found: Findings) -> Judgment:
    """The least consistency."""
    c = [row.ours for row in found.rows(_table("3.18"))]
    return judgment(min(c) > 0.5, f"C from {_span(c, 2)} for orders of 8")


@claim("Sec. 3.3.1", "OAUC > ED > SRN > AUC > MD > accuracy is the preference order.",
       "section3.3.1")  # fmt: skip
def preference(found: Findings) -> Judgment:
    """The order of both lengths."""
    wanted = ["OAUC", "ED", "SRN", "AUC", "MD", "acc"]
    orders = []
    for length in (7, 8):
        places = found.column("huang2006/section3.3.1", "place", f"length {length}")
        orders.append(sorted(places, key=places.__getitem__) == wanted)
    return judgment(all(orders), "for orders of 7 and of 8 items")


@claim("Sec. 3.3.1", "The difference between OAUC and ED is small.", "table3.19")
def oauc_and_ed(found: Findings) -> Judgment:
    """D of OAUC over ED."""
    d = found.value(_table("3.19"), "OAUC", "ED")
    return judgment(1 < d < 1.5, f"D of OAUC over ED is {d:.2f} for orders of 8")


@claim(
    "Sec. 4.1.1",
    "AUC:accuracy never contradicts AUC, and is more consistent with accuracy than AUC is.",
    "table3.4",
    "table4.1",
    "table4.2",
)
def two_level(found: Findings) -> Judgment:
    """C of the two-level measure with both parts."""
    with_auc = found.column(_table("4.1"), "C")
    with_accuracy = found.column(_table("4.2"), "C")
    parts = found.column(_table("3.4"), "C")
    holds = set(with_auc.values()) == {1.0} and all(
        value > parts[row] for row, value in with_accuracy.items()
    )
    return judgment(holds, "C with AUC is 1 in all rows")


@claim(
    "Sec. 4.1.2",
    "The linear combination with the weight sqrt(1/2) and the two-level measure have nearly the "
    "same five fractions.",
    "table4.1",
    "table4.3",
    "table4.3-weight.93",
)
def alike(found: Findings) -> Judgment:
    """The inconsistency of the linear combination with AUC."""
    stated = list(found.column(_table("4.3"), "INCON").values())
    fitting = list(found.column("huang2006/table4.3-weight.93", "INCON").values())
    reason = f"INCON with AUC from {_span(stated)}, with the weight .93 at most {max(fitting):.5f}"
    if max(stated) < 0.001:
        return Judgment(HOLDS, reason)
    if max(fitting) < 0.001:
        return Judgment(ONLY_WHEN, f"the weight is between 12/13 and 14/15 (Huang 14); {reason}")
    return Judgment(FAILS, reason)


CORRELATIONS = ("huang2006/table4.6", "huang2006/table4.6-clipped")


@claim(
    "Sec. 4.2",
    "AUC and the constructed measures follow RMS more closely than accuracy, at every level.",
    "table4.6",
    "table4.6-clipped",
)
def closer_than_accuracy(found: Findings) -> Judgment:
    """The least lead over accuracy under both perturbations."""
    leads = [
        row.ours - found.value(item, row.row, "acc")
        for item in CORRELATIONS
        for row in found.rows(item)
        if row.column in {"AUC", "AUC:acc", "AUC+acc"}
    ]
    return judgment(min(leads) > 0, f"leads from {_span(leads)}, as described and clipped")


SAMPLES, CRITICAL = 5, 2.776
"""Number of samples of the thesis, and the critical value of its paired t-test at .05."""
WEAK, STRONG = ("0.3", "0.5"), ("0.7", "0.8", "0.9")


@dataclass(frozen=True)
class Lead:
    """By how much a correlation with RMS is larger than another.

    Attributes:
        mean: the mean over all samples of the item.
        error: its standard error.
        t: the statistic of a paired t-test of five samples with this mean and their spread.
    """

    mean: float
    error: float
    t: float


def _leads(found: Findings, one: str, other: str, noises: tuple[str, ...]) -> list[Lead]:
    """The leads of a measure over another, by perturbation."""
    column = f"{one} - {other}"
    means, spreads = (found.column(CORRELATIONS[0], name) for name in (column, f"{column}, spread"))
    errors = found.errors(CORRELATIONS[0], column)
    return [
        Lead(means[row], errors[row], means[row] / spreads[row] * math.sqrt(SAMPLES))
        for row in noises
    ]


def _described(leads: list[Lead]) -> str:
    """Leads, their t statistics, and their standard errors with all samples."""
    means, t = [each.mean for each in leads], [each.t for each in leads]
    z = [each.mean / each.error for each in leads]
    return (
        f"leads {_span(means, 4)}, t of {SAMPLES} samples {_span(t, 1)} (critical {CRITICAL:.2f}); "
        f"{_span(z, 1)} paired standard errors with all samples of ours"
    )


@claim(
    "Sec. 4.2",
    "With strong perturbation the constructed measures follow RMS significantly more closely than "
    "AUC.",
    "table4.6",
)
def closer_than_auc(found: Findings) -> Judgment:
    """The lead over AUC from 0.7 on."""
    strong = {name: _leads(found, name, "AUC", STRONG) for name in ("AUC:acc", "AUC+acc")}
    reason = "; ".join(f"{name} over AUC: {_described(each)}" for name, each in strong.items())
    clear = [name for name, each in strong.items() if min(lead.t for lead in each) > CRITICAL]
    if clear and len(clear) < len(strong):
        return Judgment(ONLY_WHEN, f"the measure is {' or '.join(clear)}; {reason}")
    return judgment(bool(clear), reason)


@claim(
    "Sec. 4.2",
    "AUC:acc and the linear combination do not differ significantly in their correlation with RMS.",
    "table4.6",
)
def constructed_measures_are_alike(found: Findings) -> Judgment:
    """The differences of both constructed measures."""
    leads = _leads(found, "AUC+acc", "AUC:acc", WEAK + STRONG)
    return judgment(
        max(abs(lead.t) for lead in leads) < CRITICAL, f"AUC+acc over AUC:acc: {_described(leads)}"
    )


@claim("Sec. 4.2", "Correlations grow with the perturbation.", "table4.6", "table4.6-clipped")
def correlations_grow(found: Findings) -> Judgment:
    """Each column from the least to the largest perturbation."""
    falls = {
        item: max(
            a - b
            for name in ("acc", "AUC", "AUC+acc", "AUC:acc")
            for a, b in pairwise(found.column(item, name).values())
        )
        for item in CORRELATIONS
    }
    reason = ", ".join(f"{item.partition('/')[2]} {fall:.3f}" for item, fall in falls.items())
    reason = f"largest fall from row to row: {reason}"
    if all(fall < 0 for fall in falls.values()):
        return Judgment(HOLDS, reason)
    if falls[CORRELATIONS[1]] < 0:
        return Judgment(ONLY_WHEN, f"scores are clipped (Huang 17); {reason}")
    return Judgment(FAILS, reason)


@claim(
    "Sec. 3.2.2.2",
    "On imbalanced lists AUC is consistent with accuracy and more discriminating.",
    "table3.7",
    "table3.8",
)
def better_on_imbalanced_lists(found: Findings) -> Judgment:
    """All degrees of both tables."""
    c = list(found.column(_table("3.7"), "C").values())
    d = list(found.column(_table("3.8"), "D").values())
    return judgment(min(c) > 0.5 and min(d) > 1, f"C from {_span(c)}, D from {_span(d, 1)}")


@claim(
    "Sec. 3.3.1",
    "ED and MD, and OAUC and AUC, are highly consistent, and ED and OAUC are the better ones.",
    "table3.18",
    "table3.19",
)
def pairs_of_order_measures(found: Findings) -> Judgment:
    """C and D of both pairs."""
    pairs = (("ED", "MD"), ("OAUC", "AUC"))
    c, d = (
        {pair: found.value(_table(number), *pair) for pair in pairs} for number in ("3.18", "3.19")
    )
    shown = "; ".join(f"{a} and {b}: C {c[a, b]:.2f}, D {d[a, b]:.1f}" for a, b in pairs)
    return judgment(min(c.values()) > 0.9 and min(d.values()) > 1, shown)


@claim("Sec. 1.2.2", "Of the measures of orders MD is the least discriminating.", "section3.3.1")
def md_is_last(found: Findings) -> Judgment:
    """The measure in the last place."""
    return _last_place(found, ("OAUC", "ED", "SRN", "AUC", "MD", "acc"))


@claim(
    "Sec. 3.3.1",
    "MD is the worst of the measures of complete orders, and worse than AUC.",
    "section3.3.1",
)
def md_among_complete_orders(found: Findings) -> Judgment:
    """The last place among all measures but accuracy."""
    return _last_place(found, ("OAUC", "ED", "SRN", "AUC", "MD"))


def _last_place(found: Findings, names: tuple[str, ...]) -> Judgment:
    """Whether MD has the last of the places of some measures, for both lengths."""
    last = {}
    for length in (7, 8):
        places = found.column("huang2006/section3.3.1", "place", f"length {length}")
        last[length] = max(names, key=places.__getitem__)
    shown = ", ".join(f"{name} for orders of {length}" for length, name in last.items())
    return judgment(set(last.values()) == {"MD"}, f"last: {shown}")


@claim(
    "Sec. 4.1.1",
    "AUC:accuracy is much more consistent with AUC than with accuracy, and never ties lists that "
    "one of them orders.",
    "table4.1",
    "table4.2",
)
def nearer_to_auc(found: Findings) -> Judgment:
    """The fractions of consistent pairs, and D over both parts."""
    with_auc, with_accuracy = (
        list(found.column(_table(number), "CON").values()) for number in ("4.1", "4.2")
    )
    ties = [
        v for number in ("4.1", "4.2") for v in found.column(_table(number), "only part").values()
    ]
    reason = f"CON with AUC {_span(with_auc)}, with accuracy {_span(with_accuracy)}"
    return judgment(min(with_auc) > max(with_accuracy) and max(ties) == 0, reason)


@claim(
    "Sec. 4.2",
    "With weak perturbation AUC and the constructed measures do not differ significantly in their "
    "correlation with RMS.",
    "table4.6",
)
def alike_with_weak_perturbation(found: Findings) -> Judgment:
    """The leads over AUC up to 0.5."""
    weak = {name: _leads(found, name, "AUC", WEAK) for name in ("AUC:acc", "AUC+acc")}
    reason = "; ".join(f"{name} over AUC: {_described(each)}" for name, each in weak.items())
    return judgment(max(abs(lead.t) for each in weak.values() for lead in each) < CRITICAL, reason)
