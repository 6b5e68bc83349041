"""The figures that comparisons of measures have to reach, as one JSON object on standard output.

    python -m benchmarks.laboratory            all figures, some minutes
    python -m benchmarks.laboratory --quick    smaller domains, to try changes
    python -m benchmarks.laboratory --only all_lists_13

Each comparison runs in a fresh process of its own, after a small one of the same kind that loads
and compiles what is needed. Memory is the peak that the system saw of the whole process.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from benchmarks.figures import Bar, Figure, run
from metameasure import lab

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGES = ("numpy", "scipy", "numba", "joblib", "metameasure")
SIX = "ordered_auc, euclidean_distance, reversed_pairs, auc, manhattan_distance, accuracy"
EIGHT = {"con": 55370122, "incon": 3868959, "dis_fg": 21161143, "dis_gf": 1121120, "ind": 1290671}
DATA = "all lists, and all orders, of the given sizes"
WARM = 4
"""Size of the comparison that warms up."""


@dataclass(frozen=True)
class Scale:
    """How large domains are."""

    all_lists: int = 13
    hulls: int = 13
    counted: int = 100
    permutations: int = 10
    repeats: int = 5


FULL = Scale()
QUICK = Scale(10, 9, 30, 8, 2)


@dataclass(frozen=True)
class Work:
    """What a fresh process compares: measures on all lists of n + n, or on all orders of n."""

    measures: str
    size: int
    way: Literal["auto", "enumerate", "count", "orders"] = "auto"
    repeats: int = 1

    def once(self, size: int) -> lab.ComparisonMatrix:
        """The comparison for one size."""
        orders = self.way == "orders"
        domain = lab.permutations(size) if orders else lab.ranked_lists(size, size, way=self.way)
        return lab.comparison_matrix(self.measures, domain)

    def alone(self) -> dict[str, Any]:
        """Seconds, memory and what was found, from a fresh process."""
        code = f"from benchmarks import laboratory; laboratory.work({self!r})"
        code = code.replace("Work(", "laboratory.Work(")
        answer = subprocess.run(  # noqa: S603 - the same file
            [sys.executable, "-c", code], stdout=subprocess.PIPE, check=True, text=True
        )
        found: dict[str, Any] = json.loads(answer.stdout)
        return found


def work(asked: Work) -> None:
    """Run one piece of work, and print its seconds and memory."""
    asked.once(WARM)
    seconds, busy = [], []
    for _ in range(asked.repeats):
        begin, begun = time.perf_counter(), time.process_time()
        found = asked.once(asked.size)
        seconds.append(time.perf_counter() - begin)
        busy.append(time.process_time() - begun)
    first = found[found.measures[0], found.measures[1]]
    report = {
        "seconds": seconds,
        "seconds_of_all_cores": busy,
        "peak_bytes": _peak(),
        "counts": {name: getattr(first.counts, name) for name in EIGHT},
        "pairs": first.counts.pairs,
        "consistency": first.consistency,
        "discriminancy": first.discriminancy,
        "exact": first.exact,
    }
    json.dump(report, sys.stdout)


def _peak() -> int:
    """The peak memory of this process, without that of its parent."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("the system does not report it")


def _figure(asked: Work, what: str, seconds: float, gib: float | None = None) -> Figure:
    raw = asked.alone()
    bars = [Bar("seconds", "at most", seconds, min(raw["seconds"]))]
    if gib is not None:
        bars.append(Bar("GiB at the peak", "at most", gib, raw["peak_bytes"] / 2**30))
    return Figure(what, bars, raw)


def all_lists_8(scale: Scale) -> Figure:
    asked = Work("auc, accuracy", 8, "enumerate", scale.repeats)
    figure = _figure(asked, "auc against accuracy, all lists of 8 + 8 one by one", 0.5)
    assert figure.raw["counts"] == EIGHT
    return figure


def all_lists_13(scale: Scale) -> Figure:
    n = scale.all_lists
    asked = Work("auc, accuracy", n, "enumerate", 2)
    figure = _figure(asked, f"auc against accuracy, all lists of {n} + {n} one by one", 5, 1)
    counted = Work("auc, accuracy", n, "count").alone()
    assert figure.raw["counts"] == counted["counts"]
    return figure


def hulls(scale: Scale) -> Figure:
    n = scale.hulls
    asked = Work("h_measure, average_precision", n)
    what = f"h_measure against average_precision, all lists of {n} + {n}, ties exact"
    figure = _figure(asked, what, 120, 4)
    assert figure.raw["exact"]
    return figure


def counted(scale: Scale) -> Figure:
    n = scale.counted
    asked = Work("auc, accuracy", n, "count")
    return _figure(asked, f"auc against accuracy, {n} + {n}, exact", 15)


def orders(scale: Scale) -> Figure:
    n = scale.permutations
    return _figure(Work(SIX, n, "orders"), f"six order measures, all permutations of {n}", 120)


FIGURES: dict[str, Callable[[Scale], Figure]] = {
    "all_lists_8": all_lists_8,
    "all_lists_13": all_lists_13,
    "hulls": hulls,
    "counted": counted,
    "orders": orders,
}


if __name__ == "__main__":
    run(FIGURES, FULL, QUICK, PACKAGES, __doc__, DATA)
