"""Claims of Berrar (2014), Sections 4 and 5."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from metameasure.experiments.claims import (
    FAILS,
    HOLDS,
    ONLY_WHEN,
    Findings,
    Judgment,
    Z,
    judgment,
    mean,
    z_score,
)
from metameasure.experiments.claims import claim as any_claim

if TYPE_CHECKING:
    from collections.abc import Callable

claim = partial(any_claim, "berrar2014")
NAMES = {
    "h_measure": "H",
    "auc": "AUC",
    "auch": "AUCH",
    "scored_auc": "sAUC",
    "ks": "KS",
    "taks": "taKS",
}
FIGURE_4, FIGURE_5, FIGURE_6 = (f"berrar2014/figure{number}" for number in (4, 5, 6))
TABLE = "berrar2014/table1"
EXPERIMENTS = [f"experiment {number}" for number in (1, 2, 3, 4)]


def mean_errors(found: Findings, item: str, low: float, high: float) -> dict[str, float]:
    """The mean error rate of each measure over the levels of a range, by its name in the paper."""
    return {
        name: mean(
            value for row, value in found.column(item, measure).items() if low <= float(row) <= high
        )
        for measure, name in NAMES.items()
    }


def listed(rates: dict[str, float]) -> str:
    """Error rates by name, the lowest first."""
    ordered = sorted(rates.items(), key=lambda pair: pair[1])
    return ", ".join(f"{name} {rate:.4f}" for name, rate in ordered)


@claim(
    "Sec. 3.3",
    "ABC can prefer a ranking with a tie to the best possible predictions; taKS does not.",
    "figure3",
)
def ties_mislead_abc(found: Findings) -> Judgment:
    """ABC and taKS of the predictions (a) and (c)."""
    abc, taks = (found.column("berrar2014/figure3", name) for name in ("ABC", "taKS"))
    reason = f"ABC {abc['a']:.3f} and {abc['c']:.3f}, taKS {taks['a']:.3f} and {taks['c']:.3f}"
    return judgment(abc["c"] > abc["a"] and taks["a"] == max(taks.values()), reason)


@claim("Sec. 4.1.1", "Without noise no measure prefers the worse model.", "figure4")
def no_error_without_noise(found: Findings) -> Judgment:
    """The errors at level 0."""
    rates = mean_errors(found, FIGURE_4, 0, 0)
    return judgment(max(rates.values()) == 0, f"error rates at level 0: {listed(rates)}")


def _while(found: Findings, holds: Callable[[dict[str, float]], bool]) -> int:
    """The percentage of redrawn labels up to which a condition holds, in steps of 5%."""
    for percent in range(5, 100, 5):
        if not holds(mean_errors(found, FIGURE_4, percent / 100, (percent + 4.5) / 100)):
            return percent
    return 100


@claim(
    "Sec. 4.1.1, 5",
    "Up to about 70% redrawn labels, H and KS are a little more robust than the others.",
    "figure4",
)
def h_and_ks_lead(found: Findings) -> Judgment:
    """Means over steps of 5% of the labels."""

    def leads(rates: dict[str, float], name: str) -> bool:
        return rates[name] < min(rates[other] for other in rates if other not in {"H", "KS"})

    h, ks = (_while(found, partial(leads, name=name)) for name in ("H", "KS"))
    late = mean_errors(found, FIGURE_4, 0.75, 0.95)
    reason = f"H up to {h}% and KS up to {ks}%; mean error from 75% to 95%: {listed(late)}"
    return judgment(min(h, ks) >= 60, reason)


@claim(
    "Sec. 4.1.1", "AUCH is a little more robust than AUC and taKS, less than H and KS.", "figure4"
)
def auch_is_between(found: Findings) -> Judgment:
    """Means over the levels from 5% to 70%."""
    rates = mean_errors(found, FIGURE_4, 0.05, 0.7)
    between = max(rates["H"], rates["KS"]) < rates["AUCH"] < min(rates["AUC"], rates["taKS"])
    return judgment(between, f"mean error from 5% to 70%: {listed(rates)}")


@claim("Sec. 4.1.1", "sAUC is the least robust to redrawn labels.", "figure4")
def scored_auc_is_last_with_labels(found: Findings) -> Judgment:
    """Means over steps of 5% of the labels."""
    end = _while(found, lambda rates: max(rates, key=rates.__getitem__) == "sAUC")
    if end == 100:
        return Judgment(HOLDS, "at all levels")
    late = mean_errors(found, FIGURE_4, end / 100, 0.95)
    reason = f"mean error from {end}% to 95%: {listed(late)}"
    if end >= 50:
        return Judgment(ONLY_WHEN, f"less than {end}% of the labels are redrawn; {reason}")
    return Judgment(FAILS, reason)


@claim("Sec. 4.1.1", "With random labels all errors are about one half.", "figure4")
def random_labels(found: Findings) -> Judgment:
    """The errors at level 1."""
    rates = mean_errors(found, FIGURE_4, 1, 1)
    near = all(abs(rate - 0.5) < 0.02 for rate in rates.values())
    return judgment(near, f"error rates at level 1: {listed(rates)}")


@claim(
    "Sec. 4.1", "AUC and taKS have nearly the same error rates.", "figure4", "figure5", "figure6"
)
def auc_and_taks_agree(found: Findings) -> Judgment:
    """The largest difference in all three studies."""
    largest = max(
        abs(value - found.value(item, row, "taks"))
        for item in (FIGURE_4, FIGURE_5, FIGURE_6)
        for row, value in found.column(item, "auc").items()
    )
    return judgment(largest < 0.005, f"largest difference {largest:.4f}; equal without ties")


@claim(
    "Sec. 4.1.2, 5",
    "Noise in the scores: AUC and taKS are the most robust, then AUCH, H, KS, and sAUC is last.",
    "figure5",
)
def order_with_score_noise(found: Findings) -> Judgment:
    """Means over all levels of noise."""
    rates = mean_errors(found, FIGURE_5, 0.025, 0.5)
    order = [rates[name] for name in ("AUC", "AUCH", "H", "KS", "sAUC")]
    return judgment(order == sorted(order), f"mean error: {listed(rates)}")


@claim(
    "Sec. 4.1.3, 5",
    "Deleted positives: all measures but sAUC are alike, with low errors up to about 80%.",
    "figure6",
)
def deleted_positives(found: Findings) -> Judgment:
    """The errors at 80%."""
    rates = mean_errors(found, FIGURE_6, 0.8, 0.8)
    others = [rate for name, rate in rates.items() if name != "sAUC"]
    alike = max(others) - min(others) < 0.01 and max(others) < 0.05 < rates["sAUC"]
    return judgment(alike, f"error rates at 80%: {listed(rates)}")


@claim(
    "Abstract, Sec. 1, 5",
    "Of the conventional measures AUC is the most robust to noise.",
    "figure4",
    "figure5",
    "figure6",
)
def auc_is_most_robust(found: Findings) -> Judgment:
    """The distance of AUC from the best of the conventional measures in each study."""
    behind = {}
    for kind, item in (("labels", FIGURE_4), ("scores", FIGURE_5), ("class sizes", FIGURE_6)):
        rates = mean_errors(found, item, 0.05, 0.7)
        del rates["taKS"]
        behind[kind] = rates["AUC"] - min(rates.values())
    listed = ", ".join(f"{kind} {gap:.4f}" for kind, gap in behind.items())
    reason = f"mean error of AUC above the least one: {listed}"
    where = [kind for kind, gap in behind.items() if gap < 0.001]
    if len(where) == len(behind):
        return Judgment(HOLDS, reason)
    condition = f"the noise is in the {' or '.join(where)}; " if where else ""
    return Judgment(ONLY_WHEN if where else FAILS, f"{condition}{reason}")


@claim("Sec. 5", "H is not preferable to AUC with respect to noise.", "figure4", "figure5")
def h_is_not_preferable(found: Findings) -> Judgment:
    """H against AUC in the first two studies."""
    labels, scores = (
        mean_errors(found, FIGURE_4, 0.05, 0.7),
        mean_errors(found, FIGURE_5, 0.025, 0.5),
    )
    reason = (
        f"mean error with label noise: H {labels['H']:.4f}, AUC {labels['AUC']:.4f}; with score "
        f"noise: H {scores['H']:.4f}, AUC {scores['AUC']:.4f}"
    )
    if labels["H"] < labels["AUC"] and scores["H"] > scores["AUC"]:
        return Judgment(ONLY_WHEN, f"the noise is in the scores; {reason}")
    return judgment(scores["H"] > scores["AUC"], reason)


@claim(
    "Sec. 4.2, 5",
    "On Liver and Transfusion sAUC prefers the worse model in most runs, 64.8% to 78.3%.",
    "table1",
)
def scored_auc_on_hard_sets(found: Findings) -> Judgment:
    """The rates of sAUC on both data sets."""
    rates = [
        found.value(TABLE, row, "sAUC", part)
        for part in EXPERIMENTS
        for row in ("Liver", "Transfusion")
    ]
    return judgment(min(rates) > 50, f"from {min(rates):.1f}% to {max(rates):.1f}%")


@claim(
    "Sec. 4.2", "Liver and Transfusion have the highest errors in all four experiments.", "table1"
)
def liver_and_transfusion(found: Findings) -> Judgment:
    """How often the two data sets with the highest rates are these."""
    worst = []
    for part in EXPERIMENTS:
        for measure in NAMES.values():
            column = found.column(TABLE, "H-measure" if measure == "H" else measure, part)
            worst.append(set(sorted(column, key=column.__getitem__)[-2:]))
    liver = sum("Liver" in pair for pair in worst)
    both = sum(pair == {"Liver", "Transfusion"} for pair in worst)
    reason = f"Liver in {liver}, both in {both} of {len(worst)} columns"
    return judgment(both == len(worst), f"{reason} (Berrar 10)")


@claim("Sec. 4.2", "The errors are negligible for Credit.", "table1")
def credit_is_easy(found: Findings) -> Judgment:
    """The largest rate on Credit."""
    rates = [row.ours for row in found.rows(TABLE) if row.row == "Credit"]
    return judgment(max(rates) < 0.5, f"at most {max(rates):.2f}%")


@claim(
    "Sec. 4.2", "Noise in all data gives higher errors than noise in the training sets.", "table1"
)
def noise_in_all_data(found: Findings) -> Judgment:
    """Mean rates of experiments 1 against 2, and of 3 against 4."""
    rates = [
        mean(row.ours for row in found.rows(TABLE) if row.part == part) for part in EXPERIMENTS
    ]
    listed = ", ".join(f"{rate:.2f}%" for rate in rates)
    return judgment(
        rates[0] > rates[1] and rates[2] > rates[3], f"means of experiments 1 to 4: {listed}"
    )


@claim(
    "Sec. 4.2",
    "With noise in the labels H has, on average, slightly higher errors than AUC and taKS.",
    "table1",
)
def h_with_label_noise(found: Findings) -> Judgment:
    """Mean rates of experiments 1 and 2."""
    rates = {
        name: mean(
            row.ours
            for row in found.rows(TABLE)
            if row.column == name and row.part in EXPERIMENTS[:2]
        )
        for name in ("H-measure", "AUC", "taKS")
    }
    return judgment(rates["H-measure"] > max(rates["AUC"], rates["taKS"]), listed(rates))


def _columns(found: Findings) -> dict[str, list[float]]:
    """The rates of each measure, in the same order of experiments and data sets."""
    rates: dict[str, dict[tuple[str, str], float]] = {}
    for row in found.rows(TABLE):
        rates.setdefault(row.column, {})[row.part, row.row] = row.ours
    places = sorted(next(iter(rates.values())))
    return {name: [each[place] for place in places] for name, each in rates.items()}


@claim(
    "Sec. 4.2, 5",
    "For most data sets the errors are small and do not differ much between the measures, but for "
    "sAUC.",
    "table1",
)
def mostly_small_errors(found: Findings) -> Judgment:
    """The rates of all measures but sAUC, and their range on each data set."""
    columns = _columns(found)
    places = list(zip(*(each for name, each in columns.items() if name != "sAUC"), strict=True))
    small = sum(max(place) < 10 for place in places)
    alike = sum(max(place) - min(place) < 5 for place in places)
    reason = (
        f"of {len(places)} experiments and data sets, all rates but those of sAUC are below 10% in "
        f"{small}, and within 5 percentage points in {alike}"
    )
    return judgment(min(small, alike) > len(places) / 2, reason)


@claim("Sec. 4.2", "Overall the errors of the measures are positively correlated.", "table1")
def errors_correlate(found: Findings) -> Judgment:
    """The rank correlations of all pairs of measures over experiments and data sets."""
    from scipy.stats import spearmanr  # noqa: PLC0415

    columns = _columns(found)
    pairs = {
        f"{one} and {other}": float(spearmanr(columns[one], columns[other]).statistic)
        for one, other in combinations(columns, 2)
    }
    least = min(pairs, key=pairs.__getitem__)
    return judgment(pairs[least] > 0, f"least rank correlation {pairs[least]:.2f}, of {least}")


RATIOS = (("Spect", "H-measure", "AUC", 3.0), ("House", "AUC", "H-measure", 6.5))
"""Data set, the measure with more errors, the one with fewer, and the least ratio."""


@claim(
    "Sec. 4.2",
    "In experiment 2, H errs more than three times as often as AUC on Spect, and AUC seven times "
    "as often as H on House.",
    "table1",
)
def ratios_of_experiment_2(found: Findings) -> Judgment:
    """The four rates, and whether sampling error explains what their ratios lack."""
    short, shown = [], []
    for row, more, less, times in RATIOS:
        rates = {name: found.value(TABLE, row, name, "experiment 2") for name in (more, less)}
        errors = {name: found.errors(TABLE, name, "experiment 2")[row] for name in rates}
        shown += [f"{row} {name} {rate:.1f} ± {errors[name]:.1f}%" for name, rate in rates.items()]
        lead = z_score(rates[more] - times * rates[less], errors[more], times * errors[less])
        if rates[more] <= rates[less] or lead < -Z:
            short.append(row)
    reason = ", ".join(shown)
    if len(short) == 1:
        return Judgment(ONLY_WHEN, f"{short[0]} is left out, the only one that differs; {reason}")
    return judgment(not short, reason)


@claim(
    "Sec. 4.1.2",
    "Noise that is added to all ranking scores gives the order of Fig. 5.",
    "figure5",
    "section4.1.2",
)
def kinds_of_noise(found: Findings) -> Judgment:
    """The measure with the highest error at the largest noise, by the kind of noise."""
    worst = {}
    for part in ("noise of their own", "one noise for both", "noise before C2 is made"):
        rates = {
            name: found.value("berrar2014/section4.1.2", "0.3", measure, part)
            for measure, name in NAMES.items()
        }
        worst[part] = max(rates, key=rates.__getitem__)
    listed = ", ".join(f"{part}: {name}" for part, name in worst.items())
    right = [part for part, name in worst.items() if name == "sAUC"]
    if right == ["noise of their own"]:
        reason = f"both models have separate noise (Berrar 9); least robust at x = 0.3: {listed}"
        return Judgment(ONLY_WHEN, reason)
    return judgment(len(right) == len(worst), f"least robust at x = 0.3: {listed}")
