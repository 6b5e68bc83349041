"""Draw the figures of the documentation (needs matplotlib).

python tools/make_figures.py                  all lists up to 200 + 200: some minutes
python tools/make_figures.py --most 100       only up to 100 + 100: half a minute
python tools/make_figures.py --table          print the table of docs/laboratory.md as well
"""

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING

from metameasure import lab

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES = Path(__file__).parents[1] / "docs" / "figures"
SIZES = (2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 40, 50, 64, 80, 100, 128, 160, 200)
SHOWN = (5, 6, 7, 8, 10, 16, 20, 32, 50, 64, 100, 128, 160, 200)
PRINTED = 8
"""The largest of the balanced lists that the thesis looked at."""
QUARTER = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 32, 40, 50)
BLUE, ORANGE, GRAY = "#1f5fa8", "#c8641e", "#777777"


def shares(n: float) -> tuple[float, float, float, float]:
    """For n + n: CON - INCON, and the shares of pairs that accuracy, AUC and both tie.

    The first is from the normal limit of both measures, for which it is 2/3, with what the steps of
    accuracy and the fourth cumulants add; the others are from the local limit.
    """
    agreement = 2 / 3 - 7 * math.sqrt(3) / (10 * math.pi * n)
    accuracy = math.sqrt(2 / (math.pi * n)) * (1 - 5 / (16 * n))
    auc = math.sqrt(3 / (2 * math.pi)) * n**-1.5
    return agreement, accuracy, auc, 2 * math.sqrt(3) / (math.pi * n**2)


def consistency_law(n: float) -> float:
    agreement, accuracy, auc, both = shares(n)
    return 0.5 + agreement / (2 * (1 - accuracy - auc + both))


def discriminancy_law(n: float) -> float:
    _, accuracy, auc, both = shares(n)
    return (accuracy - both) / (auc - both)


def limit(share: float) -> float:
    """The limit of C for a given fraction of positives."""
    return 0.5 + math.asin(math.sqrt(3 * share * (1 - share))) / math.pi


def degrees(positives: int, negatives: int) -> tuple[float, float]:
    domain = lab.ranked_lists(positives, negatives, way="count")
    found = lab.compare("auc", "accuracy", domain)
    return found.consistency, found.discriminancy


def table(found: dict[int, tuple[float, float]]) -> str:
    lines = ["| lists | C | law | D | law |", "| ---: | ---: | ---: | ---: | ---: |"]
    for n in SHOWN:
        if n in found:
            c, d = found[n]
            law = f"{consistency_law(n):.4f}", f"{discriminancy_law(n):.1f}"
            lines.append(f"| {n} + {n} | {c:.4f} | {law[0]} | {d:.1f} | {law[1]} |")
    return "\n".join(lines)


def consistency(
    found: dict[int, tuple[float, float]], quarter: dict[int, tuple[float, float]]
) -> "Figure":
    """C and D of AUC against accuracy by the number of cases."""
    import matplotlib as mpl  # noqa: PLC0415
    from matplotlib import pyplot as plt  # noqa: PLC0415

    mpl.rcParams.update({"svg.hashsalt": "metameasure", "svg.fonttype": "path", "font.size": 9})
    figure, panels = plt.subplots(1, 2, figsize=(8.6, 3.6), layout="constrained")
    grid = [2 * 1.02**k for k in range(330) if 6 <= 1.02**k <= 260]
    laws = (consistency_law, discriminancy_law)
    for place, (panel, law) in enumerate(zip(panels, laws, strict=True)):
        sizes = [n for n in found if math.isfinite(found[n][place])]
        fewer = [n for n in quarter if math.isfinite(quarter[n][place])]
        panel.plot(
            [2 * n for n in sizes], [found[n][place] for n in sizes], "o", color=BLUE, ms=4,
            label="equal numbers of positives and negatives",
        )  # fmt: skip
        panel.plot(grid, [law(x / 2) for x in grid], color=BLUE, lw=1, label="the law for these")
        panel.plot(
            [4 * n for n in fewer], [quarter[n][place] for n in fewer], "s", color=ORANGE, ms=3.5,
            label="a quarter positive",
        )  # fmt: skip
        panel.axvspan(4, 2 * PRINTED, color="#e8e8e8", lw=0, zorder=0)
        panel.set_xscale("log")
        panel.set_xlim(3.6, 520)
        panel.set_xticks([4, 8, 16, 32, 64, 128, 256, 400], [4, 8, 16, 32, 64, 128, 256, 400])
        panel.minorticks_off()
        panel.set_xlabel("cases in a list")
        panel.spines[["top", "right"]].set_visible(False)
    left, right = panels
    for share, color in ((0.5, BLUE), (0.25, ORANGE)):
        left.axhline(limit(share), color=color, lw=1, ls=":")
        left.text(3.8, limit(share) + 0.004, f"limit {limit(share):.3f}", color=color, fontsize=8)
    left.axhline(0.93, color=GRAY, lw=1, ls="--")
    left.text(505, 0.933, 'thesis: "approaches .93"', color=GRAY, ha="right", fontsize=8)
    left.set_ylabel("consistency C of AUC and accuracy")
    left.set_ylim(0.75, 1.005)
    left.legend(frameon=False, fontsize=8, loc="upper right", bbox_to_anchor=(1, 1))
    right.set_yscale("log")
    right.set_yticks([10, 20, 50, 100, 200], [10, 20, 50, 100, 200])
    right.minorticks_off()
    right.set_ylim(9, 330)
    right.axhline(19, color=GRAY, lw=1, ls="--")
    right.text(505, 19.6, 'thesis: "approaches 19"', color=GRAY, ha="right", fontsize=8)
    right.set_ylabel("discriminancy D of AUC over accuracy")
    for panel, height in ((left, 0.757), (right, 9.5)):
        panel.text(8, height, "in the thesis", color=GRAY, ha="center", fontsize=8)
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--most", type=int, default=SIZES[-1], help="the largest n of n + n")
    parser.add_argument("--table", action="store_true", help="print the table, too")
    parser.add_argument("--png", type=Path, help="write a PNG there as well, to look at")
    options = parser.parse_args()
    found = {n: degrees(n, n) for n in SIZES if n <= options.most}
    quarter = {n: degrees(n, 3 * n) for n in QUARTER if 2 * n <= options.most}
    if options.table:
        print(table(found))
    figure = consistency(found, quarter)
    FIGURES.mkdir(exist_ok=True)
    figure.savefig(FIGURES / "consistency.svg", metadata={"Date": None, "Creator": None})
    if options.png:
        figure.savefig(options.png, dpi=130)


if __name__ == "__main__":
    main()
