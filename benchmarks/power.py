"""The power of measures as two-sample tests: writes the tables of docs/power.md and prints them.

    python -m benchmarks.power                    the whole study, about ten minutes on two cores
    python -m benchmarks.power --repeats 200      a quick look
    python -m benchmarks.power --print            only print

The same seed gives the same tables for any number of workers.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats
from scipy.special import expit

from metameasure.lab.power_analysis.alternatives import location, mixture, scale, shape
from metameasure.lab.power_analysis.power_study import power

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from metameasure.lab.power_analysis.alternatives import Latent
    from metameasure.lab.power_analysis.power_result import Power

PAGE = Path(__file__).parents[1] / "docs" / "power.md"
MEASURES = (
    "auc",
    "scored_auc",
    "mean_gap",
    "ks",
    "h_measure",
    "auch",
    "taks",
    "average_precision",
)
SIZES = (10, 10), (25, 25), (50, 50), (20, 80)
SIDES = ("two-sided", "greater")
SEED = 2007
REPEATS, PERMUTATIONS = 2000, 999
TIMID, BOLD = 0.25, 4.0
"""How steeply scores rise with the latent value: nearly linear, and close to 0 or 1."""
STUDIED: tuple[Latent, ...] = (
    location(0.6, "normal", TIMID),
    location(0.6, "normal"),
    location(0.6, "normal", BOLD),
    location(0.6, "uniform", TIMID),
    location(0.6, "laplace", TIMID),
    location(0.6, "exponential", TIMID),
    scale(2, "normal", TIMID),
    scale(2, "normal"),
    scale(2, "normal", BOLD),
    scale(0.5, "normal", TIMID),
    shape("exponential", "normal", TIMID),
    shape("two_peaks", "normal", TIMID),
    mixture(0.3, 2, "normal", TIMID),
    mixture(0.3, 2, "normal"),
    mixture(0.3, 2, "normal", BOLD),
)
DENSITIES = {
    "normal": stats.norm(),
    "uniform": stats.uniform(-math.sqrt(3), 2 * math.sqrt(3)),
    "laplace": stats.laplace(0, math.sqrt(0.5)),
    "exponential": stats.expon(-1),
}
SQUARES = {
    "normal": 1 / (2 * math.sqrt(math.pi)),
    "uniform": 1 / (2 * math.sqrt(3)),
    "laplace": math.sqrt(2) / 4,
    "exponential": 0.5,
}
"""The integral of the squared density."""
GRID = 200_000


def efficiency(family: str, steepness: float, positives: float) -> float:
    """Asymptotic number of cases that the AUC needs per case of the scored AUC.

    That is for small shifts and large samples, in which the share of the positives is given. When
    labels are assigned at random, the scored AUC is a mean over the positives of a function of the
    score whose derivative is (1 - positives) u + positives (1 - u); u is the fraction of scores
    below.
    """
    u = (np.arange(GRID) + 0.5) / GRID
    score = expit(steepness * DENSITIES[family].ppf(u))
    rise = (1 - positives) * u + positives * (1 - u)
    moved = np.mean(rise * steepness * score * (1 - score))
    steps = np.diff(score) * (rise[1:] + rise[:-1]) / 2
    variance = np.var(np.concatenate([[0.0], np.cumsum(steps)]))
    return float(moved**2 / variance / (12 * SQUARES[family] ** 2))


def efficiencies() -> Iterator[list[str]]:
    for alternative in STUDIED:
        if alternative.base.family in SQUARES and str(alternative).startswith("location"):
            base = alternative.base
            values = [efficiency(base.family, base.steepness, p) for p in (0.5, 0.2, 0.8)]
            yield [str(base), *(f"{value:.2f}" for value in values)]


def powers(found: Power, side: str) -> Iterator[list[str]]:
    """A row for each alternative and size."""
    for alternative in STUDIED:
        for size in SIZES:
            place = str(alternative.base), str(alternative), *size, side
            rows = {
                row.measure: row
                for row in found.rows
                if (row.base, row.alternative, row.positives, row.negatives, row.side) == place
            }
            best = max(row.low for row in rows.values())
            shown = [
                f"**{100 * row.power:.1f}**" if row.high >= best else f"{100 * row.power:.1f}"
                for row in (rows[measure] for measure in MEASURES)
            ]
            yield [f"{alternative}, {alternative.base}", f"{size[0]} + {size[1]}", *shown]


def gaps(found: Power, reference: str, side: str) -> Iterator[list[str]]:
    """Power of the scored AUC minus that of another measure, by alternative and size."""
    rows = {
        (row.base, row.alternative, row.positives, row.negatives): row
        for row in found.differences(reference).rows
        if row.measure == "scored_auc" and row.side == side
    }
    for alternative in STUDIED:
        shown = []
        for size in SIZES:
            row = rows[str(alternative.base), str(alternative), *size]
            text = f"{100 * row.difference:+.1f} ± {50 * (row.high - row.low):.1f}"
            shown.append(f"**{text}**" if row.low > 0 or row.high < 0 else text)
        yield [f"{alternative}, {alternative.base}", *shown]


def levels(found: Power) -> str:
    rates = [row.power for row in found.rows if row.alternative == "none"]
    repeats = found.meta["repeats"]
    error = math.sqrt(0.05 * 0.95 / repeats)
    far = max(abs(rate - 0.05) for rate in rates) / error
    return (
        f"Where both classes have the same distribution, the tests rejected "
        f"{100 * min(rates):.1f} to {100 * max(rates):.1f}% of {repeats} data sets, over "
        f"{len(rates)} combinations of measure, base, size and side; the level is 5%, the standard "
        f"error {100 * error:.2f}, and the largest deviation is {far:.1f} standard errors."
    )


def table(header: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 1) -> str:
    marks = ["---"] * texts + ["---:"] * (len(header) - texts)
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, marks, *rows])


def report(found: Power) -> dict[str, str]:
    """The generated parts of the page, by name."""
    sizes = [f"{p} + {n}" for p, n in SIZES]
    parts = {"levels": levels(found)}
    parts["efficiencies"] = table(
        ["location, base", "50 : 50", "20 : 80", "80 : 20"], efficiencies()
    )
    for side in SIDES:
        name = side.replace("-", "_")
        parts[f"against_auc_{name}"] = table(
            ["alternative, base", *sizes], gaps(found, "auc", side)
        )
        parts[f"powers_{name}"] = table(
            ["alternative, base", "cases", *MEASURES], powers(found, side), texts=2
        )
    parts["against_mean_gap"] = table(
        ["alternative, base", *sizes], gaps(found, "mean_gap", "greater")
    )
    return parts


def put(page: str, parts: dict[str, str]) -> str:
    """The page with its generated parts replaced."""
    for name, text in parts.items():
        pattern = rf"(<!-- {name}: generated -->\n).*?(\n<!-- end -->)"
        page, found = re.subn(pattern, lambda m, t=text: m[1] + t + m[2], page, flags=re.DOTALL)
        assert found == 1, f"the page has {found} places for {name}"
    return page


def show_progress(share: float) -> None:
    print(f"\r{share:.0%}", end="", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--permutations", type=int, default=PERMUTATIONS)
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--print", action="store_true", help="leave the page alone")
    asked = parser.parse_args()
    found = power(
        MEASURES,
        STUDIED,
        *zip(*SIZES, strict=True),
        side=SIDES,
        repeats=asked.repeats,
        permutations=asked.permutations,
        seed=SEED,
        workers=asked.workers,
        progress=show_progress,
    )
    parts = report(found)
    print("\n\n".join(f"{name}\n\n{text}" for name, text in parts.items()))
    if not asked.print:
        PAGE.write_text(put(PAGE.read_text(encoding="utf-8"), parts), encoding="utf-8")


if __name__ == "__main__":
    main()
