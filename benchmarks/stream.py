"""The figures that accumulators have to reach, as one JSON object on standard output.

    python -m benchmarks.stream            all figures, about a minute
    python -m benchmarks.stream --quick    a tenth of the cases, to try changes
    python -m benchmarks.stream --only stream

Times are those of the processor, of one thread, in `update` alone: making the batches is not
counted. Resident memory is that of a fresh process, beyond what it has before the first update,
with numba, which the first large batch loads.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import metameasure as mm
from benchmarks.figures import Bar, Figure, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from metameasure._types import Floats, Mask

PACKAGES = ("numpy", "numba", "metameasure")
BATCH, SEED = 10**6, 1
MIB = 2**20


@dataclass(frozen=True)
class Scale:
    """How much work is done."""

    cases: int = 10**8
    ordered: int = 10**7
    small_batches: int = 10**5


FULL = Scale()
QUICK = Scale(10**7, 10**6, 10**4)


def make(rng: np.random.Generator, size: int) -> tuple[Mask, Floats]:
    """Cases of which 30% are positive, with an AUC of about 0.76; no ties."""
    label = rng.random(size) < 0.3
    score = rng.beta(2, 3, size)
    score[label] = rng.beta(3, 2, np.count_nonzero(label))
    return label, score


def batches(cases: int) -> Iterator[tuple[Mask, Floats]]:
    """Different batches of a million."""
    rng = np.random.default_rng(SEED)
    for _ in range(cases // BATCH):
        yield make(rng, BATCH)


def resident(what: str) -> int:
    """The resident memory of this process now (VmRSS), or at its peak (VmHWM), in bytes."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(what))


def width(measure: mm.Measure, accumulator: mm.Accumulator) -> float:
    """The distance of the bounds."""
    low, high = measure.bounds(accumulator)
    return high - low


def streamed(cases: int) -> dict[str, Any]:
    """One long stream in this process: seconds of the updates, memory and widths."""
    make(np.random.default_rng(0), BATCH)  # its memory is not counted
    before = resident("VmRSS")
    accumulator, seconds = mm.Accumulator(), 0.0
    for label, score in batches(cases):
        begin = time.process_time()
        accumulator.update(label, score)
        seconds += time.process_time() - begin
    begin = time.process_time()
    widths = {
        name: width(mm.parse(name), accumulator)
        for name in ("auc", "ks", "average_precision", "h_measure", "brier", "log_loss", "accuracy")
    }
    return {
        "seconds": seconds,
        "seconds_of_bounds": time.process_time() - begin,
        "growth": resident("VmHWM") - before,
        "bytes": len(accumulator.to_bytes()),
        "widths": widths,
    }


def stream(scale: Scale) -> Figure:
    command = [sys.executable, "-m", __spec__.name, "--here", str(scale.cases)]
    answer = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)  # noqa: S603
    raw = json.loads(answer.stdout)
    bars = [
        Bar("MiB of resident memory", "at most", 256, raw["growth"] / MIB),
        Bar("width of the bounds of the AUC", "at most", 1e-4, raw["widths"]["auc"]),
        Bar("million scores per second", "at least", 20, scale.cases / raw["seconds"] / 1e6),
    ]
    return Figure(f"{scale.cases} scores in batches of {BATCH}", bars, {**raw, "n": scale.cases})


def orders(scale: Scale) -> Figure:
    """Cases in an order that is bad for buckets; the exact AUC is inside."""
    label, score = make(np.random.default_rng(SEED), scale.ordered)
    exact = mm.auc(label, score)
    keys = {
        "as drawn": None,
        "ascending": score,
        "descending": -score,
        "one class first": label,
        "drift": score + np.random.default_rng(2).random(score.size) / 2,
    }
    bars, raw = [], {}
    for name, key in keys.items():
        order = slice(None) if key is None else np.argsort(key, kind="stable")
        y, s = label[order], score[order]
        accumulator = mm.Accumulator()
        begin = time.process_time()
        for first in range(0, y.size, BATCH):
            accumulator.update(y[first : first + BATCH], s[first : first + BATCH])
        seconds = time.process_time() - begin
        low, high = mm.auc.bounds(accumulator)
        assert low <= exact <= high
        raw[name] = {"seconds": seconds, "low": low, "high": high}
        bars.append(Bar(f"{name}: width of the bounds of the AUC", "at most", 1e-3, high - low))
    return Figure(f"{scale.ordered} scores in other orders", bars, {"auc": exact, **raw})


def small(scale: Scale) -> Figure:
    """Batches of 1 to 10 cases, as arrays and as lists."""
    rng = np.random.default_rng(SEED)
    sizes = rng.integers(1, 11, scale.small_batches)
    label, score = make(rng, int(sizes.sum()))
    edges = np.cumsum([0, *sizes]).tolist()
    arrays = [(label[a:b], score[a:b]) for a, b in pairwise(edges)]
    lists = [(y.tolist(), s.tolist()) for y, s in arrays]
    seconds = {}
    for name, parts in (("arrays", arrays), ("lists", lists)):
        accumulator = mm.Accumulator()
        begin = time.process_time()
        for y, s in parts:
            accumulator.update(y, s)
        seconds[name] = time.process_time() - begin
        low, high = mm.auc.bounds(accumulator)
        assert low <= mm.auc(label, score) <= high
    bars = [
        Bar(f"{name}: microseconds per batch", "at most", 50, taken / sizes.size * 1e6)
        for name, taken in seconds.items()
    ]
    return Figure(f"{sizes.size} batches of 1 to 10 cases", bars, {"seconds": seconds})


def kinds(scale: Scale) -> Figure:
    """Weights, scores of 32 bits, labels as integers, and few distinct scores."""
    rng = np.random.default_rng(SEED)
    label, score = make(rng, BATCH)
    given: dict[str, tuple[Any, ...]] = {
        "weighted": (label, score, rng.random(BATCH)),
        "float32": (label, score.astype(np.float32)),
        "labels as integers": (label.astype(np.int64), score),
        "1001 distinct scores": (label, score.round(3)),
    }
    speed = {}
    for name, columns in given.items():
        accumulator = mm.Accumulator().update(*columns)
        begin = time.process_time()
        for _ in range(scale.ordered // BATCH):
            accumulator.update(*columns)
        speed[name] = scale.ordered / (time.process_time() - begin) / 1e6
    bars = [
        Bar(f"{name}: million scores per second", "at least", 10, found)
        for name, found in speed.items()
    ]
    return Figure(f"{scale.ordered} cases of other kinds, after the first batch", bars, speed)


FIGURES: dict[str, Callable[[Scale], Figure]] = {
    "stream": stream,
    "orders": orders,
    "small": small,
    "kinds": kinds,
}

if __name__ == "__main__":
    if "--here" in sys.argv:
        json.dump(streamed(int(sys.argv[-1])), sys.stdout)
    else:
        run(FIGURES, FULL, QUICK, PACKAGES, __doc__ or "", make.__doc__ or "")
