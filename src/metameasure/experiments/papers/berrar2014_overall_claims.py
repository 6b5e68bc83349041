"""Claims of Berrar (2014) about examples, data sets, and over several studies."""

from __future__ import annotations

from functools import partial
from statistics import NormalDist

from metameasure.experiments.claims import (
    FAILS,
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
from metameasure.experiments.papers.berrar2014_claims import (
    EXPERIMENTS,
    FIGURE_4,
    FIGURE_5,
    FIGURE_6,
    NAMES,
    TABLE,
    listed,
    mean_errors,
)
from metameasure.experiments.papers.berrar2014_datasets import LEARNERS
from metameasure.experiments.papers.berrar2014_noise import ACCURACY, CASES, LEVELS

claim = partial(any_claim, "berrar2014")
PLAIN = "berrar2014/footnote4"
SIZES = "berrar2014/section4.1"
FIGURES = {"labels": FIGURE_4, "scores": FIGURE_5, "class sizes": FIGURE_6}
LOW = {"labels": 0.2, "scores": 0.1, "class sizes": 0.2}
"""A fifth of the largest level of each kind of noise."""
DRAMATIC = 0.05
"""Difference of two error rates from which it is called dramatic."""
LEAST = 0.001
"""Difference of two mean error rates up to which both measures are called equally robust."""
LEVEL = 0.05
Z_AT_01 = NormalDist().inv_cdf(0.995)
HARD = ("Liver", "Transfusion")


@claim(
    "Sec. 3.1",
    "AUC does not distinguish the three perfect rankings of Fig. 1, and the squared error prefers "
    "(c) to (b).",
    "figure1",
)
def perfect_rankings(found: Findings) -> Judgment:
    """AUC and SSE of the three models."""
    auc, sse = (found.column("berrar2014/figure1", name) for name in ("AUC", "SSE"))
    reason = f"AUC {', '.join(f'{v:g}' for v in auc.values())}; SSE b {sse['b']:.2f}, c "
    return judgment(len(set(auc.values())) == 1 and sse["c"] < sse["b"], f"{reason}{sse['c']:.2f}")


@claim(
    "Sec. 3.3, 3.4",
    "If all scores are equal, neither ABC nor taKS is defined, while AUC is 1/2.",
    "figure3",
)
def equal_scores(found: Findings) -> Judgment:
    """The three measures of prediction (h)."""
    defined = [name for name in ("ABC", "taKS") if "h" in found.column("berrar2014/figure3", name)]
    auc = found.value("berrar2014/figure3", "h", "AUC")
    reason = f"AUC {auc:g}; defined: {', '.join(defined) or 'none'} (Berrar 12)"
    if auc == 0.5 and defined == ["ABC"]:
        return Judgment(ONLY_WHEN, f"the measure is taKS; {reason}")
    return judgment(auc == 0.5 and not defined, reason)


@claim(
    "Sec. 3.3",
    "Of two models with ranking errors and ten thresholds, taKS prefers (e) to (f).",
    "figure3",
)
def ties_among_errors(found: Findings) -> Judgment:
    """The predictions (e) and (f), if their scores were known."""
    taks = found.column("berrar2014/figure3", "taKS")
    if not {"e", "f"} <= set(taks):
        return Judgment(OPEN, "the scores of (e) and (f) are in the figure only, not in the text")
    return judgment(taks["e"] > taks["f"], f"taKS {taks['e']:.3f} and {taks['f']:.3f}")


@claim(
    "Sec. 4.1",
    "At the threshold 0.5 the expected accuracies of C1 and C2 are 95% and 90%.",
    "section4.1",
)
def expected_accuracies(found: Findings) -> Judgment:
    """The mean accuracies for each number of cases, against twice their standard errors."""
    z = {}
    for model, expected in (("C1", 0.95), ("C2", 0.9)):
        errors = found.errors(SIZES, model, ACCURACY)
        for row, value in found.column(SIZES, model, ACCURACY).items():
            z[model, row] = abs(z_score(value - expected, errors[row]))
    largest = max(z, key=z.__getitem__)
    reason = f"largest deviation {z[largest]:.1f} standard errors, of {' with '.join(largest)}"
    return judgment(z[largest] < 2 * Z, f"{reason} cases (Berrar 11)")


@claim(
    "Sec. 4.1",
    "The number of cases has little influence.",
    "section4.1",
)
def number_of_cases(found: Findings) -> Judgment:
    """Whether pairs of measures that differ with 100 cases are ever in the other order."""
    reversed_pairs = []
    rates: dict[str, list[float]] = {}
    for noise in LEVELS:
        columns = {name: found.column(SIZES, measure, noise) for measure, name in NAMES.items()}
        errors = {name: found.errors(SIZES, measure, noise) for measure, name in NAMES.items()}
        rates[noise] = [columns["AUC"][str(cases)] for cases in CASES]
        for one in NAMES.values():
            for other in NAMES.values():
                z = {
                    row: z_score(rate - columns[other][row], errors[one][row], errors[other][row])
                    for row, rate in columns[one].items()
                }
                if z["100"] > Z and min(z.values()) < -Z:
                    reversed_pairs.append(f"{one} and {other}")
    spans = ", ".join(f"{noise} {each[0]:.3f} to {each[-1]:.4f}" for noise, each in rates.items())
    reason = f"error of AUC from {CASES[0]} to {CASES[-1]} cases: {spans}"
    if reversed_pairs:
        return Judgment(FAILS, f"in another order: {', '.join(reversed_pairs)}; {reason}")
    if all(max(each) < 2 * min(each) for each in rates.values()):
        return Judgment(HOLDS, reason)
    return Judgment(ONLY_WHEN, f"the order of the measures is meant, not their errors; {reason}")


@claim(
    "Sec. 1, 5",
    "At low levels of noise the conventional measures differ little.",
    "figure4",
    "figure5",
    "figure6",
)
def low_noise(found: Findings) -> Judgment:
    """The largest difference of two measures at a level up to a fifth of the largest one."""
    gaps = {kind: _largest_gap(found, item, LOW[kind]) for kind, item in FIGURES.items()}
    shown = ", ".join(f"{kind} {gap:.3f}" for kind, gap in gaps.items())
    return judgment(
        max(gaps.values()) < DRAMATIC,
        f"largest difference of two error rates up to a fifth of the noise: {shown}",
    )


@claim("Sec. 4.1.1", "With redrawn labels no measures differ dramatically.", "figure4")
def label_noise_is_not_dramatic(found: Findings) -> Judgment:
    """The largest difference of two measures at any level."""
    gap = _largest_gap(found, FIGURE_4, 1.0)
    return judgment(gap < DRAMATIC, f"largest difference of two error rates {gap:.3f}")


def _largest_gap(found: Findings, item: str, highest: float) -> float:
    """The largest difference of two conventional measures at a level up to the highest."""
    columns = [found.column(item, measure) for measure in NAMES if measure != "taks"]
    return max(
        max(each[row] for each in columns) - min(each[row] for each in columns)
        for row in columns[0]
        if float(row) <= highest
    )


@claim(
    "Sec. 4.2",
    "Deleted positives have very little effect on the measures, but at unrealistic levels.",
    "figure6",
)
def deleted_positives_matter_little(found: Findings) -> Judgment:
    """What deleting half of the positives adds to the errors at 5%."""
    first, half = (mean_errors(found, FIGURE_6, level, level) for level in (0.05, 0.5))
    rises = {name: half[name] - first[name] for name in first}
    reason = f"rise of the error from 5% to 50% deleted: {listed(rises)}"
    large = [name for name, rise in rises.items() if rise >= 0.01]
    if large == ["sAUC"]:
        return Judgment(ONLY_WHEN, f"the measure is not sAUC; {reason}")
    return judgment(not large, reason)


def _table_means(found: Findings, parts: list[str]) -> dict[str, tuple[float, float]]:
    """The mean rate of each measure over experiments and data sets, and its standard error."""
    result = {}
    for name in dict.fromkeys(row.column for row in found.rows(TABLE)):
        rates = [v for part in parts for v in found.column(TABLE, name, part).values()]
        errors = [e for part in parts for e in found.errors(TABLE, name, part).values()]
        result[name] = mean(rates), mean_error(errors)
    return result


def _shown(means: dict[str, tuple[float, float]]) -> str:
    ordered = sorted(means.items(), key=lambda pair: pair[1])
    return ", ".join(f"{name} {rate:.2f} ± {error:.2f}" for name, (rate, error) in ordered)


@claim(
    "Abstract, Sec. 5",
    "On the real data sets AUC has the lowest errors of the conventional measures.",
    "table1",
)
def auc_on_data(found: Findings) -> Judgment:
    """The mean rates, with errors as if the measures had separate runs."""
    means = _table_means(found, EXPERIMENTS)
    rate, error = means["AUC"]
    z = {
        name: z_score(other - rate, error, other_error)
        for name, (other, other_error) in means.items()
        if name not in {"AUC", "taKS"}
    }
    return judgment(
        min(z.values()) > Z,
        f"mean rates in percent: {_shown(means)}; least lead {min(z.values()):.1f} standard errors",
    )


@claim(
    "Abstract, Sec. 1, 5",
    "taKS is among the most robust of the six measures.",
    "figure4",
    "figure5",
    "figure6",
    "table1",
)
def taks_is_robust(found: Findings) -> Judgment:
    """The distance of taKS from the least mean error in each study."""
    behind = {}
    for kind, item in FIGURES.items():
        rates = mean_errors(found, item, 0.05, 0.7)
        behind[kind] = rates["taKS"] - min(rates.values())
    table = {name: rate / 100 for name, (rate, _) in _table_means(found, EXPERIMENTS).items()}
    behind["data sets"] = table["taKS"] - min(table.values())
    where = [kind for kind, gap in behind.items() if gap < LEAST]
    reason = f"mean error of taKS above the least one, of which {LEAST} counts as equal: "
    reason += ", ".join(f"{kind} {gap:.4f}" for kind, gap in behind.items())
    reason += "; levels of noise from 0.05 to 0.7"
    if where and len(where) < len(behind):
        return Judgment(ONLY_WHEN, f"in the studies of {', '.join(where)}; {reason}")
    return judgment(bool(where), reason)


@claim(
    "Sec. 5",
    "AUC is more robust than sAUC.",
    "figure4",
    "figure5",
    "figure6",
    "table1",
)
def auc_against_scored_auc(found: Findings) -> Judgment:
    """Levels and data sets on which AUC has significantly more errors."""
    worse = {}
    for kind, item in FIGURES.items():
        rows = found.column(item, "auc")
        worse[kind] = sum(_more(found, item, ("auc", "scored_auc"), row) for row in rows), len(rows)
    cells = [(part, row) for part in EXPERIMENTS for row in found.column(TABLE, "AUC", part)]
    more = [row for part, row in cells if _more(found, TABLE, ("AUC", "sAUC"), row, part)]
    means = _table_means(found, EXPERIMENTS)
    reason = "AUC errs significantly more often at " + ", ".join(
        f"{count} of {levels} levels ({kind})" for kind, (count, levels) in worse.items()
    )
    reason += f", and in {len(more)} of {len(cells)} cells of Table 1"
    reason += f" ({', '.join(dict.fromkeys(more))})" if more else ""
    reason += f"; means there: AUC {means['AUC'][0]:.2f}%, sAUC {means['sAUC'][0]:.2f}%"
    if any(count for count, _ in worse.values()) or means["AUC"][0] >= means["sAUC"][0]:
        return Judgment(FAILS, reason)
    if more:
        return Judgment(ONLY_WHEN, f"on average over data sets; {reason}")
    return Judgment(HOLDS, reason)


def _more(found: Findings, item: str, columns: tuple[str, str], row: str, part: str = "") -> bool:
    """Whether one rate is significantly above another, at .01."""
    one, other = (found.value(item, row, column, part) for column in columns)
    errors = [found.errors(item, column, part)[row] for column in columns]
    return z_score(one - other, *errors) > Z_AT_01


@claim(
    "Sec. 4.2",
    "That H has more errors than AUC and taKS with noise in the labels may be chance.",
    "table1",
)
def h_may_be_chance(found: Findings) -> Judgment:
    """The differences in experiments 1 and 2, by the error of the runs and over data sets."""
    from scipy.stats import ttest_rel  # noqa: PLC0415

    labels = EXPERIMENTS[:2]
    means = _table_means(found, labels)
    rate, error = means["H-measure"]
    z = {name: z_score(rate - means[name][0], error, means[name][1]) for name in ("AUC", "taKS")}
    rates = {
        name: [
            mean(found.value(TABLE, row, name, part) for part in labels)
            for row in found.column(TABLE, name, labels[0])
        ]
        for name in ("H-measure", *z)
    }
    levels = {name: float(ttest_rel(rates["H-measure"], rates[name]).pvalue) for name in z}
    reason = "the mean of H is above that of " + ", ".join(
        f"{name} by {z[name]:.1f} standard errors of the runs (paired t test over "
        f"{len(rates[name])} data sets p = {levels[name]:.2f})"
        for name in z
    )
    if min(z.values()) < Z:
        return Judgment(HOLDS, reason)
    if max(levels.values()) >= LEVEL:
        return Judgment(ONLY_WHEN, f"chance means the choice of the data sets; {reason}")
    return Judgment(FAILS, reason)


@claim(
    "Sec. 4.2, footnote 4",
    "Without noise naive Bayes has the lowest AUC on Liver and Transfusion.",
    "footnote4",
)
def lowest_auc(found: Findings) -> Judgment:
    """The three lowest mean AUC, for both kinds of naive Bayes."""
    low = {name: _ordered(found.column(PLAIN, "AUC", name)) for name in LEARNERS}
    reason = "; ".join(
        f"{name}: " + ", ".join(f"{row} {value:.1f}" for row, value in rows[:3])
        for name, rows in low.items()
    )
    return judgment(
        all({row for row, _ in rows[:2]} == set(HARD) for rows in low.values()),
        f"lowest AUC in percent: {reason}",
    )


def _ordered(column: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(column.items(), key=lambda pair: pair[1])


@claim("Sec. 4.2", "Liver and Transfusion have only 6 and 4 attributes.", "footnote4")
def few_attributes(found: Findings) -> Judgment:
    """The number of attributes of each data set."""
    counts = found.column(PLAIN, "attributes", next(iter(LEARNERS)))
    fewest = _ordered(counts)[:3]
    shown = ", ".join(f"{row} {count:.0f}" for row, count in fewest)
    return judgment([counts[row] for row in HARD] == [6, 4], f"fewest attributes: {shown}")


@claim(
    "Sec. 4.2",
    "Noise matters less on data sets that are easy to classify, whichever measure is used.",
    "footnote4",
    "table1",
)
def easy_data(found: Findings) -> Judgment:
    """Rank correlations of the AUC without noise and the mean error of each measure."""
    from scipy.stats import spearmanr  # noqa: PLC0415

    areas = found.column(PLAIN, "AUC", next(iter(LEARNERS)))
    result = {}
    for name in dict.fromkeys(row.column for row in found.rows(TABLE)):
        errors = [
            mean(found.value(TABLE, row, name, part) for part in EXPERIMENTS) for row in areas
        ]
        result[name] = spearmanr(list(areas.values()), errors)
    shown = ", ".join(f"{name} {each.statistic:.2f}" for name, each in result.items())
    significant = [
        name for name, each in result.items() if each.statistic < 0 and each.pvalue < LEVEL
    ]
    reason = f"rank correlation of AUC and error over {len(areas)} data sets: {shown}"
    if significant and len(significant) < len(result):
        names = ", ".join(significant)
        return Judgment(ONLY_WHEN, f"the measure is {names}, significantly at .05; {reason}")
    return judgment(bool(significant), reason)
