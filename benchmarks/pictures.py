"""How long pictures take, from arrays to a file, and how large they are, as one JSON object.

    python -m benchmarks.pictures            a million cases, a minute
    python -m benchmarks.pictures --quick    a tenth of them
    python -m benchmarks.pictures --only roc

The first picture of a process also loads matplotlib and its fonts, which is not counted.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure as Sheet

from benchmarks import cases
from benchmarks.figures import Bar, Figure, run
from metameasure import plots

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure.plots import ModelsDisplay

PACKAGES = ("numpy", "matplotlib", "metameasure")
DRAWN: dict[str, tuple[type[ModelsDisplay], dict[str, Any]]] = {
    "sroc": (plots.SrocDisplay, {}),
    "tpr_fpr": (plots.TprFprDisplay, {}),
    "precision_recall": (plots.PrecisionRecallDisplay, {"beta": 1}),
    "det": (plots.DetDisplay, {}),
    "lift": (plots.LiftDisplay, {}),
    "gain": (plots.GainDisplay, {}),
    "cost_curve": (plots.CostCurveDisplay, {}),
    "decision_curve": (plots.DecisionCurveDisplay, {}),
    "zones": (plots.ZonesDisplay, {}),
    "reliability": (plots.ReliabilityDisplay, {}),
    "scores": (plots.ScoresDisplay, {}),
}


@dataclass(frozen=True)
class Scale:
    """How much work is done."""

    cases: int = 10**6
    repeats: int = 3


FULL, QUICK = Scale(), Scale(10**5)


def roc(scale: Scale) -> Figure:
    options = {"hull": True, "maximize": "f_measure"}
    seconds, size = _written(plots.RocDisplay, options, scale)
    bars = [
        Bar("seconds from arrays to a written SVG", "at most", 2, seconds),
        Bar("kB of the SVG", "at most", 200, size / 1000),
    ]
    return Figure(f"ROC with hull and operating point, {scale.cases} cases", bars, {})


def others(scale: Scale) -> Figure:
    raw = {}
    for name, (display, options) in DRAWN.items():
        seconds, size = _written(display, options, scale)
        raw[name] = {"seconds": seconds, "kB of SVG": size / 1000}
    return Figure(f"the other pictures of models, {scale.cases} cases, one model", [], raw)


def _written(display: type[ModelsDisplay], options: dict[str, Any], scale: Scale) -> Any:
    """The least seconds that a picture takes, and its bytes."""
    labels, score = cases.make(scale.cases)
    times = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "picture.svg"
        display.from_predictions(labels[:100], score[:100], ax=Sheet().subplots()).save(file)
        for _ in range(scale.repeats):
            start = time.perf_counter()
            sheet = Sheet(figsize=display.size, layout="constrained")
            display.from_predictions(labels, score, ax=sheet.subplots(), **options)
            sheet.savefig(file)
            times.append(time.perf_counter() - start)
        return min(times), file.stat().st_size


FIGURES: dict[str, Callable[[Scale], Figure]] = {"roc": roc, "others": others}


if __name__ == "__main__":
    run(FIGURES, FULL, QUICK, PACKAGES, __doc__)
