"""The figures of data that do not fit in memory, as one JSON object on standard output.

    python -m benchmarks.scale           about two minutes, 1 GB on disk
    python -m benchmarks.scale --quick   a tenth of the rows

A Parquet file is evaluated in a fresh process: the default measures with the intervals that are
known from parts. Seconds are those of the clock, and memory is the peak of the whole process.
"""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks import fresh
from benchmarks.figures import Bar, Figure, run


@dataclass(frozen=True)
class Scale:
    """The numbers of rows."""

    small: int = 20_000_000
    large: int = 100_000_000


def hundred_million(scale: Scale) -> Figure:
    """Two sizes in parts: seconds, memory, and how the time per row grows."""
    used = {n: fresh.ask("parts", n) for n in (scale.small, scale.large)}
    per_row = {n: one["clock"] / n for n, one in used.items()}
    large = used[scale.large]
    bars = [
        Bar("seconds", "at most", 600, large["clock"]),
        Bar("GiB at the peak", "at most", 2, large["resident"] / 2**30),
        Bar(
            f"time per row, times that of {scale.small} rows",
            "at most",
            2,
            per_row[scale.large] / per_row[scale.small],
        ),
    ]
    raw = {str(n): one for n, one in used.items()}
    return Figure(f"mm.evaluate of a Parquet file in parts, {scale.large} rows", bars, raw)


def ten_million(scale: Scale) -> Figure:
    """Values in parts against pandas and scikit-learn, each in a fresh process."""
    n = scale.large // 10
    used = fresh.ask("parts-and-peer", n)
    bars = [
        Bar(
            "times faster than pandas and scikit-learn's AUC and AP",
            "at least",
            3,
            used["peer"]["clock"] / used["ours"]["clock"],
        ),
        Bar("MiB at the peak", "at most", 512, used["ours"]["resident"] / 2**20),
    ]
    return Figure(f"ten default measures of a Parquet file, {n} rows", bars, used)


if __name__ == "__main__":
    run(
        {"hundred_million": hundred_million, "ten_million": ten_million},
        Scale(),
        Scale(2_000_000, 10_000_000),
        ("numpy", "polars", "pandas", "scikit-learn", "metameasure"),
        __doc__ or "",
        "int8 labels, 0.1 to 0.9 positive by score; uniform float64 scores, two columns",
    )
