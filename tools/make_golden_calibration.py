"""Record what mapie, netcal and model-diagnostics say about calibration.

    pip install mapie netcal model-diagnostics
    POLARS_MAX_THREADS=1 python tools/make_golden_calibration.py

`tests/golden/calibration.json` has, beside the versions and the data sets:

- ``values``: measures, as the registry spells them. A value is asked for only where the binning
  rules of the peer and ours put the same cases together, which is decided from the data alone
  (`evenly_cut`, `off_edges`), never from the answer.
- ``bins``: forecast less frequency in each bin, from the lowest scores on (model-diagnostics).
- ``gaps``: the mean and the largest distance over the bins that hold cases (netcal's ACE and MCE).
- ``one_sided``: Spiegelhalter's p-value as mapie takes it, on one side.
- ``differ``: small inputs on which a peer's rule is another one, with its answer and the reason.

A peer without weights gets integer weights as repeated rows. In several threads polars,
which model-diagnostics adds with, would give other last bits in each run.
"""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from mapie.metrics.calibration import (
    expected_calibration_error,
    spiegelhalter_p_value,
    spiegelhalter_statistic,
)
from model_diagnostics.calibration import compute_bias
from model_diagnostics.scoring import LogLoss, SquaredError, decompose
from netcal.metrics import ACE, ECE, MCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

FILE = Path(__file__).resolve().parent.parent / "tests" / "golden" / "calibration.json"
BINS = (5, 10)
DIGITS = 6

Array = np.ndarray
Record = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """One data set: labels 0 or 1, scores, and weights or None."""

    name: str
    label: Array
    score: Array
    weight: Array | None = None

    def repeated(self) -> Case | None:
        """The same data without weights; None if the weights are not integers."""
        if self.weight is None:
            return self
        if np.any(self.weight != np.round(self.weight)):
            return None
        times = self.weight.astype(int)
        return Case(self.name, np.repeat(self.label, times), np.repeat(self.score, times))

    def ascending(self) -> Case:
        """The same cases without weights, from the lowest score to the highest."""
        order = np.argsort(self.score, kind="stable")
        return Case(self.name, self.label[order], self.score[order])

    @property
    def record(self) -> Record:
        """What a JSON file has of it."""
        weight = None if self.weight is None else self.weight.tolist()
        return {"label": self.label.tolist(), "score": self.score.tolist(), "weight": weight}


# --- data


def sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def overconfident(rng: np.random.Generator, n: int, shift: float) -> tuple[Array, Array]:
    """Labels drawn from probabilities, and scores that exaggerate those."""
    logit = rng.normal(shift, 1.2, size=n)
    label = (rng.random(n) < sigmoid(logit)).astype(int)
    return label, sigmoid(1.6 * logit + 0.2).round(DIGITS)


def levels(rng: np.random.Generator, copies: int) -> tuple[Array, Array]:
    """Ties: 20 scores off the edges of the bins, each repeated the given number of times."""
    score = np.repeat((2 * np.arange(20) + 1) / 40, copies)
    return (rng.random(score.size) < 0.2 + 0.5 * score).astype(int), score


def make_cases() -> list[Case]:
    """The data sets, from a fixed seed."""
    rng = np.random.default_rng(20240611)
    cases = [
        Case("small", *overconfident(rng, 20, 0.0)),
        Case("medium", *overconfident(rng, 200, -0.4)),
        Case("large", *overconfident(rng, 2000, 0.3)),
        Case("imbalanced", *overconfident(rng, 1000, -3.6)),
        Case("tied", *levels(rng, 5)),
        Case("constant", np.tile([1, 0, 0, 0], 10), np.full(40, 0.35)),
        Case("one_class", np.ones(30, dtype=int), rng.uniform(0.05, 0.95, 30).round(DIGITS)),
    ]
    label, score = overconfident(rng, 50, 0.0)
    cases.append(Case("reversed", 1 - label, score))

    # Exact zeros and ones, of which some are wrong.
    label, logit = rng.integers(0, 2, size=60), rng.normal(size=60)
    cases.append(
        Case("saturated", label, np.clip(0.5 + (logit + label - 0.5) / 3, 0, 1).round(DIGITS))
    )

    # The weights of each score sum to 5, so that the bins of equal mass split no tie.
    cases.append(Case("integer_weights", *levels(rng, 3), np.tile([3.0, 0.0, 2.0], 20)))
    label, logit = rng.integers(0, 2, size=80), rng.normal(size=80)
    score = np.clip(0.5 + (logit + label - 0.5) / 3, 0, 1).round(2) * 0.97
    score[score == score.max()] = 1.0
    cases.append(Case("real_weights", label, score, rng.gamma(1.5, 1.0, size=80).round(DIGITS)))
    return cases


# --- where the rules coincide


def evenly_cut(case: Case, bins: int) -> bool:
    """Whether equal bins need not split a tie, so that all rules agree."""
    size, rest = divmod(case.score.size, bins)
    if rest or case.weight is not None:
        return False
    ascending = np.sort(case.score)
    return bool(np.all(ascending[size - 1 : -1 : size] < ascending[size::size]))


def off_edges(case: Case, bins: int) -> bool:
    """Whether no score lies on an inner edge, which rules close on the left or on the right."""
    place = case.score * bins
    inner = (case.score > 0) & (case.score < 1)
    return not np.any(inner & np.isclose(place, np.round(place), rtol=0, atol=1e-9))


def ece_text(bins: int, equal: str) -> str:
    return f'ece(bins={bins}, equal="{equal}")'


def coinciding(case: Case) -> Iterator[tuple[int, str]]:
    """Numbers and kinds of bins for which there is only one way to fill them."""
    for bins in BINS:
        if evenly_cut(case, bins):
            yield bins, "mass"
        if off_edges(case, bins):
            yield bins, "width"


# --- what the peers say


def in_mapie(case: Case) -> Iterator[tuple[str, float]]:
    """The expected calibration error and Spiegelhalter's statistic.

    `array split` cuts the rows as they come, and so needs them in order. `uniform` takes the
    number of edges for that of bins, and gives a score of 0 a bin of its own.
    """
    rows = case.repeated()
    if rows is None:
        return
    rows = rows.ascending()
    yield "spiegelhalter_z", spiegelhalter_statistic(rows.label, rows.score)
    for bins, equal in coinciding(rows):
        if equal == "mass":
            options = {"num_bins": bins, "split_strategy": "array split"}
        elif rows.score.min() > 0:
            options = {"num_bins": bins + 1, "split_strategy": "uniform"}
        else:
            continue
        yield ece_text(bins, equal), expected_calibration_error(rows.label, rows.score, **options)


def in_netcal(case: Case) -> Iterator[tuple[str, float]]:
    """The expected calibration error."""
    rows = case.repeated()
    if rows is None:
        return
    for bins, equal in coinciding(rows):
        peer = ECE(bins, equal_intervals=equal == "width")
        yield ece_text(bins, equal), peer.measure(rows.score, rows.label)


def in_model_diagnostics(case: Case) -> Iterator[tuple[str, float]]:
    """The parts of the Brier score, that score itself, and the log loss where it is finite."""
    given = (case.label, case.score, case.weight)
    found = decompose(*given, scoring_function=SquaredError()).row(0, named=True)
    yield "brier", found.pop("score")
    yield from found.items()
    if not np.any(case.score == 1 - case.label):
        yield "log_loss", LogLoss()(*given)


PEERS: dict[str, Callable[[Case], Iterator[tuple[str, float]]]] = {
    "mapie": in_mapie,
    "netcal": in_netcal,
    "model-diagnostics": in_model_diagnostics,
}


def value_records(cases: Sequence[Case]) -> Iterator[Record]:
    for case in cases:
        for peer, ask in PEERS.items():
            for measure, value in ask(case):
                yield {"case": case.name, "measure": measure, "peer": peer, "value": float(value)}


def bin_records(cases: Sequence[Case]) -> Iterator[Record]:
    """The bias in bins of scores.

    Bins of equal width reach from the lowest score to the highest, so that they are ours where
    these are 0 and 1. The mean score of a bin leaves out the weights, and so is taken without them.
    """
    for case in cases:
        rows = case.repeated() or case
        for bins, equal in coinciding(rows):
            if equal == "width" and (rows.score.min(), rows.score.max()) != (0, 1):
                continue
            found = bias_in_bins(rows, bins, {"mass": "quantile", "width": "uniform"}[equal])
            yield {
                "case": case.name,
                "bins": bins,
                "equal": equal,
                "bias": found["bias_mean"].to_list(),
                "cases": found["bias_weights"].to_list(),
                "score": found["score"].to_list() if rows.weight is None else None,
            }


def bias_in_bins(case: Case, bins: int, method: str) -> Any:
    options = {"weights": case.weight, "n_bins": bins, "bin_method": method}
    return compute_bias(case.label, case.score, pl.Series("score", case.score), **options)


def gap_records(cases: Sequence[Case]) -> Iterator[Record]:
    for case in cases:
        rows = case.repeated()
        if rows is None:
            continue
        for bins, equal in coinciding(rows):
            mean, largest = (
                kind(bins, equal_intervals=equal == "width").measure(rows.score, rows.label)
                for kind in (ACE, MCE)
            )
            yield {
                "case": case.name,
                "bins": bins,
                "equal": equal,
                "mean": mean,
                "largest": largest,
            }


def one_sided_records(cases: Sequence[Case]) -> Iterator[Record]:
    for case in cases:
        if case.weight is None:
            yield {"case": case.name, "value": spiegelhalter_p_value(case.label, case.score)}


# --- where they differ


def mapie_ece(case: Case, bins: int, strategy: str) -> float:
    given = (case.label, case.score)
    return expected_calibration_error(*given, num_bins=bins, split_strategy=strategy)


def bias_ece(case: Case, bins: int, method: str) -> float:
    """The expected calibration error from the bias in the bins of model-diagnostics."""
    found = bias_in_bins(case, bins, method)
    weight = found["bias_weights"].to_numpy()
    return float(np.sum(np.abs(found["bias_mean"].to_numpy()) * weight) / np.sum(weight))


def of_lists(label: list[int], score: list[float], weight: list[float] | None = None) -> Case:
    return Case("", np.array(label), np.array(score), None if weight is None else np.array(weight))


def difference(peer: str, measure: str, case: Case, value: float | None, why: str) -> Record:
    """What a peer says of a case; None if it refuses or says NaN."""
    given = None if value is None or np.isnan(value) else float(value)
    return {"peer": peer, "measure": measure, **case.record, "value": given, "why": why}


def differences() -> Iterator[Record]:
    """Each with its reason.

    ``same_as`` is the measure of ours that the peer has in truth, ``sorted`` its answer to the same
    rows in the order of their scores.
    """
    yield from mapie_differences()
    yield from netcal_differences()
    yield from model_diagnostics_differences()


def mapie_differences() -> Iterator[Record]:
    case = of_lists([0, 1, 0, 1, 1, 0], [0.05, 0.21, 0.23, 0.52, 0.57, 0.95])
    yield difference(
        "mapie",
        ece_text(10, "width"),
        case,
        mapie_ece(case, 10, "uniform"),
        "num_bins=10 makes ten edges, which are nine bins",
    ) | {"same_as": ece_text(9, "width")}
    case = of_lists([0, 1, 1], [0.25, 0.5, 0.75])
    yield difference(
        "mapie",
        ece_text(2, "width"),
        case,
        mapie_ece(case, 3, "uniform"),
        "bins are closed on the right, so that a score of 0.5 is below the edge 0.5; a positive is "
        "what scores at least the threshold, so it belongs above",
    )
    case = of_lists([1, 0, 0, 1], [0.125, 0.375, 0.625, 0.875])
    yield difference(
        "mapie",
        ece_text(2, "mass"),
        case,
        mapie_ece(case, 3, "quantile"),
        "the lowest edge is the lowest score, and bins are closed on the right: the lowest score "
        "has a bin of its own beside the two that were asked for",
    )
    case = of_lists([0, 1, 0, 1], [0.125, 0.625, 0.875, 0.375])
    yield difference(
        "mapie",
        ece_text(2, "mass"),
        case,
        mapie_ece(case, 2, "array split"),
        "the rows are cut as they come, so that the answer depends on their order: sorted by "
        "score, the same rows give the value that we give",
    ) | {"sorted": mapie_ece(case.ascending(), 2, "array split")}


def netcal_differences() -> Iterator[Record]:
    case = of_lists([0, 1], [0.2, 0.3])
    yield difference(
        "netcal",
        ece_text(10, "width"),
        case,
        ECE(10).measure(case.score, case.label),
        "the edge is 3 times 0.1, which is 0.30000000000000004: a score of 0.3 falls below its "
        "edge, while 0.2 does not; 3 / 10 is the double that is written 0.3",
    )
    case = of_lists([0, 1, 1, 0, 1], [0.125, 0.25, 0.5, 0.625, 0.875])
    yield difference(
        "netcal",
        ece_text(2, "mass"),
        case,
        ECE(2, equal_intervals=False).measure(case.score, case.label),
        "with five cases in two bins the middle one has its center on the edge: the median is a "
        "score itself and goes up with netcal, while ours goes to the lower bin as we count from "
        "the top",
    )
    case = of_lists([0, 1, 0, 1, 1, 0], [0.125, 0.5, 0.5, 0.5, 0.75, 0.875])
    yield difference(
        "netcal",
        ece_text(2, "mass"),
        case,
        ECE(2, equal_intervals=False).measure(case.score, case.label),
        "the tie covers the edge, which is the median: it goes up with netcal, and with us to the "
        "lower bin, as its middle lies there",
    )
    case = of_lists([0, 1, 0, 1, 1, 0], [0.125, 0.5, 0.5, 0.5, 0.5, 0.875])
    try:
        ECE(3, equal_intervals=False).measure(case.score, case.label)
    except ValueError as error:
        why = f"the tie covers two edges, and netcal refuses: {error}"
        yield difference("netcal", ece_text(3, "mass"), case, None, why)


def model_diagnostics_differences() -> Iterator[Record]:
    peer = "model-diagnostics"
    case = of_lists([0, 1, 1, 0], [0.125, 0.375, 0.625, 0.875], [1, 1, 1, 9])
    yield difference(
        peer,
        ece_text(2, "mass"),
        case,
        bias_ece(case, 2, "quantile"),
        "the quantiles leave out the weights: bins hold equally many rows, whatever these weigh",
    )
    rows = case.repeated()
    yield difference(
        peer,
        ece_text(2, "mass"),
        rows,
        bias_ece(rows, 2, "quantile"),
        "the same weights as repeated rows: the tie holds the median, bins are closed on the "
        "right, and all cases are in one bin",
    ) | {"same_as": ece_text(1, "mass")}
    case = of_lists([0, 1, 1, 0], [0.125, 0.375, 0.4375, 0.625])
    yield difference(
        peer,
        ece_text(2, "width"),
        case,
        bias_ece(case, 2, "uniform"),
        "bins reach from the lowest score to the highest, not from 0 to 1, so that the edge moves "
        "with the data",
    )
    last_bit = of_lists([0, 1], [0.3, float(np.nextafter(0.3, 1))])
    weightless = of_lists([0, 1, 0, 1], [0.125, 0.375, 0.625, 0.875], [1, 2, 1, 0])
    for measure in ("miscalibration", "discrimination"):
        yield difference(
            peer,
            measure,
            last_bit,
            part_of_brier(measure, last_bit),
            "scikit-learn's isotonic regression, which does the work, takes scores that are closer "
            "than 1e-15 for one; they differ, and their order is right",
        )
        yield difference(
            peer,
            measure,
            weightless,
            part_of_brier(measure, weightless),
            "NaN: a row without weight, which must change nothing, has the highest score; the "
            "regression is fitted without it, has no value there, and 0 times NaN is NaN",
        )


def part_of_brier(part: str, case: Case) -> float:
    given = (case.label, case.score, case.weight)
    return decompose(*given, scoring_function=SquaredError())[part].item()


def write_json(path: Path, content: dict[str, Any]) -> None:
    """One record per line, so that a change shows as a few lines."""
    parts = []
    for name, part in content.items():
        if isinstance(part, list):
            lines = ",\n".join(json.dumps(item, allow_nan=False) for item in part)
            parts.append(f"{json.dumps(name)}: [\n{lines}\n]")
        else:
            parts.append(f"{json.dumps(name)}: {json.dumps(part)}")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def main() -> None:
    cases = make_cases()
    with warnings.catch_warnings():
        # model-diagnostics uses what polars has replaced
        warnings.simplefilter("ignore", DeprecationWarning)
        content = {
            "versions": {peer: version(peer) for peer in PEERS},
            "cases": [{"name": case.name, **case.record} for case in cases],
            "values": list(value_records(cases)),
            "bins": list(bin_records(cases)),
            "gaps": list(gap_records(cases)),
            "one_sided": list(one_sided_records(cases)),
            "differ": list(differences()),
        }
    write_json(FILE, content)


if __name__ == "__main__":
    main()
