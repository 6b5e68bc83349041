"""Figures with bars, and the program that measures and prints them."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from benchmarks import cases

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

OURS = "metameasure"


@dataclass(frozen=True)
class Bar:
    """One thing measured, and what it has to be."""

    what: str
    direction: Literal["at most", "at least"]
    bar: float
    measured: float

    @property
    def reached(self) -> bool:
        """Whether the measured value is on the right side of the bar."""
        enough = self.measured <= self.bar
        return bool(enough if self.direction == "at most" else self.measured >= self.bar)

    def __str__(self) -> str:
        verdict = "reached" if self.reached else "not reached"
        return f"{self.what}: {self.measured:.4g} ({self.direction} {self.bar:g}: {verdict})"


@dataclass(frozen=True)
class Figure:
    """A piece of work with its bars, and the raw numbers that they were computed from."""

    work: str
    bars: list[Bar]
    raw: dict[str, Any]

    def as_json(self, name: str) -> dict[str, Any]:
        """The figure as it is printed."""
        bars = [asdict(bar) | {"reached": bar.reached} for bar in self.bars]
        reached = all(bar.reached for bar in self.bars)
        return {"name": name, "work": self.work, "reached": reached, "bars": bars, "raw": self.raw}


def faster(best: Mapping[str, float], peer: str, bar: float, ours: str = OURS) -> Bar:
    """How many times faster ours is than the peer."""
    return Bar(f"{ours}: times faster than {peer}", "at least", bar, best[peer] / best[ours])


def machine(packages: Sequence[str]) -> dict[str, Any]:
    """What the figures depend on, without names of hosts and paths."""
    simd = np.show_config(mode="dicts")["SIMD Extensions"]
    return {
        "system": platform.system(),
        "architecture": platform.machine(),
        "cpus": os.cpu_count(),
        "simd_of_numpy": [*simd["baseline"], *simd["found"]],
        "python": platform.python_version(),
        **{package: version(package) for package in packages},
    }


def run(
    figures: Mapping[str, Callable[[Any], Figure]],
    full: object,
    quick: object,
    packages: Sequence[str],
    description: str,
    data: str = cases.DESCRIPTION,
) -> None:
    """Measure the figures that the command line asks for, and print them as JSON at the end.

    The bars of each figure are also shown on standard error, as soon as it is measured.
    """
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the cases")
    parser.add_argument("--only", action="append", choices=figures, help="may be given repeatedly")
    options = parser.parse_args()
    scale = quick if options.quick else full
    load_before = os.getloadavg()[0]
    found = []
    for name in options.only or figures:
        print(f"{name} ...", file=sys.stderr, flush=True)
        figure = figures[name](scale)
        found.append(figure.as_json(name))
        for bar in figure.bars:
            print(f"  {bar}", file=sys.stderr, flush=True)
    load = {"load_before": load_before, "load_after": os.getloadavg()[0]}
    report = {
        "quick": options.quick,
        "reached": all(figure["reached"] for figure in found),
        "machine": machine(packages) | load,
        "data": data,
        "figures": found,
    }
    json.dump(report, sys.stdout, indent=2)
    print()
