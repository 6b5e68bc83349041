"""Claims of Huang (2006) about learners on data: Sections 3.3.2, 4.3 and 5.2."""

from __future__ import annotations

import math
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from metameasure.experiments.claims import FAILS, ONLY_WHEN, Findings, Judgment, judgment, mean
from metameasure.experiments.claims import claim as any_claim
from metameasure.experiments.papers.huang2006_networks import ORDERED, STOPPED
from metameasure.experiments.papers.huang2006_selection import (
    GOALS,
    GROUPS,
    LEARNERS,
    MEAN,
    MEASURES,
    RATE_ROWS,
    TOLERANCES,
)
from metameasure.lab import paired_t_pvalue

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure._types import Floats

claim = partial(any_claim, "huang2006")
LEVELS, STOPS = "huang2006/table3.20", "huang2006/table4.7"
PROBABILITIES, RANKINGS = ("SAUC", "RMS", "MXE"), ("AUC", "APR")
THRESHOLDS = ("acc", "FSC", "BEP", "lift")
SIGNIFICANT = 0.05
MEAN_LEVEL = (
    "mean p-values of 20 cross-validations (the thesis prints the p-value of one; a mean below "
    f"{SIGNIFICANT} is no test at that level)"
)
ALIKE = 0.8
"""The rank correlation from which two orders of measures are called alike."""
STABLE = TOLERANCES[-1] / 100
"""Relative range of the mean MSA up to which it is called stable."""


def _listed(values: dict[str, float], digits: int = 3) -> str:
    ordered = sorted(values.items(), key=lambda pair: -pair[1])
    return ", ".join(f"{name} {value:.{digits}f}" for name, value in ordered)


def _where(true: dict[str, bool], reason: str, kind: str = "data set") -> Judgment:
    """Whether a claim holds everywhere, nowhere, or only at some places of a kind."""
    places = [place for place, holds in true.items() if holds]
    if places and len(places) < len(true):
        return Judgment(ONLY_WHEN, f"the {kind} is {' or '.join(places)}; {reason}")
    return judgment(bool(places), reason)


@claim("Sec. 3.3.2", "OAUC and ED are the most sensitive measures of orders on each data set.",
       "table3.20")  # fmt: skip
def most_sensitive(found: Findings) -> Judgment:
    """The two measures with the least significance level."""
    least = {}
    for name in ORDERED.values():
        levels = found.column(LEVELS, name)
        least[name] = sorted(levels, key=levels.__getitem__)[:2]
    reason = "; ".join(f"{name}: {' and '.join(two)}" for name, two in least.items())
    return _where({name: set(two) == {"OAUC", "ED"} for name, two in least.items()}, reason)


@claim("Sec. 3.3.2", "Accuracy is the least sensitive measure of orders on each data set.",
       "table3.20")  # fmt: skip
def least_sensitive(found: Findings) -> Judgment:
    """The measure with the largest significance level."""
    most = {}
    for name in ORDERED.values():
        levels = found.column(LEVELS, name)
        most[name] = max(levels, key=levels.__getitem__)
    reason = ", ".join(f"{name}: {measure}" for name, measure in most.items())
    return _where({name: measure == "acc" for name, measure in most.items()}, reason)


@claim("Sec. 3.3.2", "By OAUC and ED the network and IBL differ significantly on each data set.",
       "table3.20")  # fmt: skip
def learners_differ(found: Findings) -> Judgment:
    """The means of the p-values of cross-validations."""
    levels = {
        name: max(found.value(LEVELS, row, name) for row in ("OAUC", "ED"))
        for name in ORDERED.values()
    }
    reason = f"the larger of two {MEAN_LEVEL}: {_listed(levels, 2)}"
    return _where({name: level < SIGNIFICANT for name, level in levels.items()}, reason)


PREFERENCE = ("OAUC", "ED", "SRN", "AUC", "MD", "acc")


@claim(
    "Sec. 3.3.2",
    "On the artificial data the network and IBL differ significantly by ED, OAUC and SRN, and not "
    "by AUC, MD and accuracy.",
    "table3.20",
)
def sensitive_on_artificial_data(found: Findings) -> Judgment:
    """The means of the p-values of cross-validations."""
    levels = found.column(LEVELS, "artificial")
    significant = {name for name, level in levels.items() if level < SIGNIFICANT}
    return judgment(significant == {"ED", "OAUC", "SRN"}, f"{MEAN_LEVEL}: {_listed(levels)}")


@claim(
    "Sec. 3.3.2",
    "On each data set the measures are about as sensitive as their order of preference says.",
    "table3.20",
)
def sensitivity_follows_preference(found: Findings) -> Judgment:
    """Rank correlations of the significance levels and the places in the order of preference."""
    from scipy.stats import spearmanr  # noqa: PLC0415

    ranks = {}
    for name in ORDERED.values():
        levels = [found.value(LEVELS, measure, name) for measure in PREFERENCE]
        ranks[name] = float(spearmanr(range(len(PREFERENCE)), levels).statistic)
    reason = f"rank correlations {_listed(ranks, 2)}"
    return _where({name: value >= ALIKE for name, value in ranks.items()}, reason)


@claim(
    "Sec. 4.3",
    "By each of three measures, networks that AUC:acc stops are the best on average, then those "
    "that AUC stops, then those that accuracy stops.",
    "table4.7",
)
def better_measures_train_better(found: Findings) -> Judgment:
    """The averages over the data sets."""
    means = {
        column: [_average(found, row, column) for row in ("AUC:acc", "AUC", "acc")]
        for column in ("acc", "AUC", "AUC:acc")
    }
    reason = "; ".join(
        f"by {column} {', '.join(f'{each:.4f}' for each in three)}"
        for column, three in means.items()
    )
    return judgment(all(a > b > c for a, b, c in means.values()), reason)


@claim(
    "Sec. 4.3",
    "Measured by AUC, networks that AUC stops are significantly better than those that accuracy "
    "stops, and AUC:acc makes no significant difference.",
    "table4.7",
)
def significantly_better(found: Findings) -> Judgment:
    """Paired t-tests over the data sets."""
    one, other, two = (_by_dataset(found, row, "AUC") for row in ("AUC", "acc", "AUC:acc"))
    level, beside = paired_t_pvalue(one, other), paired_t_pvalue(two, one)
    holds = level < SIGNIFICANT <= beside and one.mean() > other.mean()
    reason = f"p = {level:.3f} for AUC against accuracy, {beside:.3f} for AUC:acc against AUC"
    return judgment(holds, f"{reason}, over {one.size} data sets")


@claim(
    "Abstract, Sec. 1.3",
    "Measured by AUC, networks that AUC:acc stops are significantly better than those that "
    "accuracy stops.",
    "table4.7",
)
def new_measure_trains_better(found: Findings) -> Judgment:
    """A paired t-test over the data sets."""
    one, other = (_by_dataset(found, row, "AUC") for row in ("AUC:acc", "acc"))
    level = paired_t_pvalue(one, other)
    reason = f"mean difference {one.mean() - other.mean():+.4f}, p = {level:.3f}"
    return judgment(
        level < SIGNIFICANT and one.mean() > other.mean(), f"{reason}, over {one.size} data sets"
    )


@claim(
    "Sec. 4.3",
    "Measured by accuracy, the networks that the three measures stop do not differ significantly.",
    "table4.7",
)
def alike_in_accuracy(found: Findings) -> Judgment:
    """Paired t-tests over the data sets."""
    columns = {row: _by_dataset(found, row, "acc") for row in ("AUC:acc", "AUC", "acc")}
    levels = {
        f"{one} and {other}": paired_t_pvalue(columns[one], columns[other])
        for one, other in combinations(columns, 2)
    }
    return judgment(min(levels.values()) >= SIGNIFICANT, f"p-values: {_listed(levels)}")


def _by_dataset(found: Findings, row: str, column: str) -> Floats:
    each = [found.value(STOPS, row, column, part) for part, _ in STOPPED.values()]
    return np.array([value for value in each if not math.isnan(value)])


def _average(found: Findings, row: str, column: str) -> float:
    return float(_by_dataset(found, row, column).mean())


def _rates(found: Findings, figure: str, panel: str) -> dict[str, float]:
    """The mean success rate of each measure over the tolerances."""
    item = f"huang2006/figure{figure}"
    return {
        name: mean(found.value(item, row, name, panel) for row in RATE_ROWS) for name in MEASURES
    }


def _rate_errors(found: Findings, figure: str, panel: str) -> dict[str, float]:
    """The standard error of each measure's mean success rate, at most: rates are correlated."""
    item = f"huang2006/figure{figure}"
    errors = {name: found.errors(item, name, panel) for name in MEASURES}
    return {name: mean(errors[name].get(row, 0.0) for row in RATE_ROWS) for name in MEASURES}


def _constantly(found: Findings, goal: str, names: tuple[str, ...], sign: int) -> dict[str, bool]:
    """Whether each measure is above (or below) the goal itself at all tolerances.

    It is so on average, and at no tolerance the other way by more than two standard errors.
    """
    item, panel = "huang2006/figure5.1", f"goal {goal}"
    rates, errors = _rates(found, "5.1", panel), _rate_errors(found, "5.1", panel)
    return {
        name: sign * (rates[name] - rates[goal]) > 0
        and all(
            sign * (found.value(item, row, name, panel) - found.value(item, row, goal, panel))
            >= -2 * math.hypot(errors[name], errors[goal])
            for row in RATE_ROWS
        )
        for name in names
    }


def _beside_goal(found: Findings, goal: str, names: tuple[str, ...]) -> Judgment:
    rates = _rates(found, "5.1", f"goal {goal}")
    better = {name for name in rates if rates[name] > rates[goal]}
    reason = f"mean success rates {_listed(rates)}"
    if better == set(names):
        return judgment(True, reason)
    return Judgment(FAILS, f"better: {', '.join(sorted(better)) or 'none'}; {reason}")


@claim(
    "Sec. 5.2.2",
    "If accuracy is the goal, SAUC, RMS, MXE, AUC and APR select better models than accuracy.",
    "figure5.1",
)
def goal_accuracy(found: Findings) -> Judgment:
    """The measures that are more often near the largest MSA."""
    rates = _rates(found, "5.1", "goal acc")
    true = {name: rates[name] > rates["acc"] for name in (*PROBABILITIES, *RANKINGS)}
    reason = f"mean success rates {_listed(rates)}"
    missing = [name for name, better in true.items() if not better]
    if missing:
        return Judgment(FAILS, f"not {', '.join(missing)}; {reason}")
    return judgment(True, reason)


@claim(
    "Sec. 5.2.2",
    "If accuracy is the goal, lift and BEP are worse than accuracy at all tolerances.",
    "figure5.1",
)
def worse_than_accuracy(found: Findings) -> Judgment:
    """The success rates at each tolerance."""
    rates = _rates(found, "5.1", "goal acc")
    shown = {name: rates[name] for name in ("acc", "lift", "BEP")}
    return judgment(
        all(_constantly(found, "acc", ("lift", "BEP"), -1).values()),
        f"mean success rates {_listed(shown)}",
    )


@claim(
    "Sec. 5.2.2",
    "If AUC is the goal, SAUC, RMS and MXE select better models than AUC, and no other measure "
    "does.",
    "figure5.1",
)
def goal_auc(found: Findings) -> Judgment:
    """The measures that are more often near the largest MSA."""
    return _beside_goal(found, "AUC", PROBABILITIES)


@claim(
    "Sec. 5.2.2",
    "If lift is the goal, all measures but BEP are better than lift at all tolerances.",
    "figure5.1",
)
def goal_lift(found: Findings) -> Judgment:
    """The success rates at each tolerance."""
    others = tuple(name for name in MEASURES if name not in {"BEP", "lift"})
    true = _constantly(found, "lift", others, 1)
    rates = _rates(found, "5.1", "goal lift")
    missing = [name for name, better in true.items() if not better]
    reason = f"mean success rates {_listed(rates)}"
    return judgment(not missing, f"not {', '.join(missing)}; {reason}" if missing else reason)


@claim("Sec. 5.2.2", "The goal itself is never the best measure for selecting models.",
       "figure5.1")  # fmt: skip
def goal_is_not_best(found: Findings) -> Judgment:
    """The measure with the largest mean success rate, by goal."""
    best = {}
    for goal in ("acc", "AUC", "lift"):
        rates = _rates(found, "5.1", f"goal {goal}")
        best[goal] = max(rates, key=rates.__getitem__)
    reason = ", ".join(f"goal {goal}: {name}" for goal, name in best.items())
    return judgment(all(goal != name for goal, name in best.items()), f"best measure for {reason}")


@claim(
    "Sec. 5.2.2",
    "SAUC, RMS, MXE, AUC and APR are further ahead of the goal if it is lift than if it is "
    "accuracy or AUC.",
    "figure5.1",
)
def further_ahead_of_lift(found: Findings) -> Judgment:
    """The mean lead of each measure over each goal; smaller by two standard errors is not ahead."""
    leads: dict[str, dict[str, float]] = {}
    errors: dict[str, dict[str, float]] = {}
    for goal in ("acc", "AUC", "lift"):
        panel = f"goal {goal}"
        rates, spread = _rates(found, "5.1", panel), _rate_errors(found, "5.1", panel)
        leads[goal] = {name: rates[name] - rates[goal] for name in (*PROBABILITIES, *RANKINGS)}
        errors[goal] = {name: math.hypot(spread[name], spread[goal]) for name in leads[goal]}
    right = {
        name: all(
            leads["lift"][name] - leads[goal][name]
            > -2 * math.hypot(errors["lift"][name], errors[goal][name])
            for goal in ("acc", "AUC")
        )
        for name in leads["lift"]
    }
    reason = "; ".join(f"goal {goal}: {_listed(each)}" for goal, each in leads.items())
    return _where(right, f"leads over {reason}", "measure")


@claim("Sec. 5.2.3", "The order of the measures is stable over class distributions.", "figure5.2")
def stable_over_distributions(found: Findings) -> Judgment:
    """Rank correlations of the mean success rates."""
    return _stable({name: _rates(found, "5.2", name) for name in GROUPS})


@claim("Sec. 5.2.3", "The ability of a measure to select models (MSA) is stable over goals.",
       "figure5.1")  # fmt: skip
def stable_over_goals(found: Findings) -> Judgment:
    """The range of each measure's mean MSA over the goals, against the thesis' widest tolerance."""
    item = "huang2006/figure5.1"
    ranges = {}
    for name in MEASURES:
        msa = [found.value(item, MEAN, name, f"goal {goal}") for goal in GOALS]
        ranges[name] = 1 - min(msa) / max(msa)
    reason = (
        f"range of the mean MSA over goals, relative to the largest: {_listed(ranges)}; called "
        f"stable up to {STABLE:.0%}, the widest tolerance of the thesis"
    )
    return _where({name: each <= STABLE for name, each in ranges.items()}, reason, "measure")


def _stable(panels: dict[str, dict[str, float]]) -> Judgment:
    from scipy.stats import spearmanr  # noqa: PLC0415

    found = {
        f"{one} and {other}": float(
            spearmanr(list(panels[one].values()), list(panels[other].values())).statistic
        )
        for one, other in combinations(panels, 2)
    }
    return judgment(min(found.values()) >= ALIKE, f"rank correlations {_listed(found, 2)}")


def _grouped(rates: dict[str, float]) -> bool:
    """Whether measures of probabilities lead, then those of rankings, then those of a threshold."""
    first, second, third = (
        [rates[name] for name in names] for names in (PROBABILITIES, RANKINGS, THRESHOLDS)
    )
    return min(first) > max(second) and min(second) > max(third)


@claim(
    "Sec. 5.2.3",
    "With SVM and KNN, SAUC, RMS and MXE are the best, then AUC and APR, then accuracy, F-score, "
    "BEP and lift.",
    "figure5.3",
)
def three_groups(found: Findings) -> Judgment:
    """The mean success rates of both learners."""
    return _by_learner(found, ("SVM", "KNN"), _grouped)


@claim("Sec. 5.2.3", "With SVM and KNN, lift and BEP are the worst.", "figure5.3")
def worst_two(found: Findings) -> Judgment:
    """The two measures with the least success rates."""
    return _by_learner(
        found,
        ("SVM", "KNN"),
        lambda rates: set(sorted(rates, key=rates.__getitem__)[:2]) == {"lift", "BEP"},
    )


@claim(
    "Sec. 5.2.3",
    "With C4.5 and naive Bayes, RMS, SAUC, MXE, AUC and APR are the five best.",
    "figure5.3",
)
def five_best(found: Findings) -> Judgment:
    """The five measures with the largest success rates."""
    return _by_learner(
        found,
        ("C4.5", "Naive Bayes"),
        lambda rates: set(sorted(rates, key=rates.__getitem__)[-5:]) == {*PROBABILITIES, *RANKINGS},
    )


@claim(
    "Sec. 5.2.3",
    "With C4.5 and naive Bayes, measures of probabilities are not always better than AUC and APR.",
    "figure5.3",
)
def not_always_better(found: Findings) -> Judgment:
    """The least success rate of the former against the largest of the latter."""
    return _by_learner(
        found,
        ("C4.5", "Naive Bayes"),
        lambda rates: (
            min(rates[name] for name in PROBABILITIES) <= max(rates[name] for name in RANKINGS)
        ),
    )


SIMILAR = 0.05
"""Difference of two mean success rates up to which measures are called similar."""


@claim("Sec. 5.2.3", "With SVM and KNN, MXE and RMS perform very similarly.", "figure5.3")
def entropy_and_rms(found: Findings) -> Judgment:
    """The difference of their mean success rates."""
    return _by_learner(
        found, ("SVM", "KNN"), lambda rates: abs(rates["MXE"] - rates["RMS"]) <= SIMILAR
    )


@claim("Sec. 5.2.3", "With SVM and KNN, the F-score is competitive with accuracy.", "figure5.3")
def f_score_and_accuracy(found: Findings) -> Judgment:
    """Whether its mean success rate is not lower."""
    return _by_learner(found, ("SVM", "KNN"), lambda rates: rates["FSC"] >= rates["acc"] - SIMILAR)


@claim(
    "Sec. 5.2.3",
    "With SVM and KNN, the ability to select models follows the number of values that a measure "
    "takes: RMS, AUC, accuracy, lift.",
    "figure5.3",
)
def discriminating_measures_select(found: Findings) -> Judgment:
    """The order of the mean success rates."""
    return _by_learner(
        found,
        ("SVM", "KNN"),
        lambda rates: rates["RMS"] > rates["AUC"] > rates["acc"] > rates["lift"],
    )


@claim(
    "Sec. 5.2.3",
    "Measures of rankings and of a threshold depend less on the learner than SAUC, RMS and MXE.",
    "figure5.3",
)
def dependence_on_the_learner(found: Findings) -> Judgment:
    """The range of the mean success rate over the learners, averaged over each kind of measure."""
    rates = [_rates(found, "5.3", name) for name in LEARNERS]
    ranges = {
        kind: mean(max(r[name] for r in rates) - min(r[name] for r in rates) for name in names)
        for kind, names in (
            ("probabilities", PROBABILITIES),
            ("rankings", RANKINGS),
            ("threshold", THRESHOLDS),
        )
    }
    return judgment(
        ranges["probabilities"] > max(ranges["rankings"], ranges["threshold"]),
        f"mean range over learners: {_listed(ranges)}",
    )


@claim(
    "Abstract, Sec. 5.2.3, 5.3",
    "Different learners call for different measures.",
    "figure5.3",
)
def order_depends_on_the_learner(found: Findings) -> Judgment:
    """Rank correlations of the mean success rates; the claim is that some are low."""
    stable = _stable({name: _rates(found, "5.3", name) for name in LEARNERS})
    return judgment(stable.verdict == FAILS, stable.reason)


def _by_learner(
    found: Findings, learners: tuple[str, ...], holds: Callable[[dict[str, float]], bool]
) -> Judgment:
    rates = {name: _rates(found, "5.3", name) for name in learners}
    true = {name: holds(each) for name, each in rates.items()}
    reason = "; ".join(f"{name}: {_listed(each)}" for name, each in rates.items())
    return _where(true, f"mean success rates {reason}", "learner")
