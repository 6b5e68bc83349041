"""Labels and scores that arrive in batches, in constant memory."""

from __future__ import annotations

import hashlib
import json
import struct
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from metameasure._arguments import Instance, Whole, read_argument
from metameasure._text import amount, shown
from metameasure.data.arrays import NanPolicy, as_array, either, missing_cases
from metameasure.data.case_columns import ARGUMENTS, NAN_POLICY, check_length
from metameasure.data.labels import check_pos_label, read_labels
from metameasure.data.predictions import warn_dropped
from metameasure.data.row_order import check_row_order
from metameasure.data.scores import read_scores, read_weights
from metameasure.errors import DataError, MetameasureError
from metameasure.kernels import descending
from metameasure.table import CoarseTable, ScoreTable, check_total

if TYPE_CHECKING:
    from metameasure._types import Floats, Mask

ROWS = 2**16
"""Number of rows that are kept, by default."""
BUFFERED = 8
"""Number of cases that are kept as they are, per row."""
FIRST = 1024
"""Number of cases for which there is memory at first."""
MOST_ROWS = Whole(16, 2**24)
LABELS: dict[str, Any] = {"bool": bool, "int": int, "float": float, "str": str}
"""The types of labels that are stored, besides bytes."""
FORMAT, VERSION, DIGEST = b"metameasure.accumulator\0", 1, 16
_LENGTHS = struct.Struct("<II")


class Batch(NamedTuple):
    """Validated cases that have weight; no weights stand for weights of 1."""

    positive: Mask
    score: Floats
    weight: Floats | None

    def part(self, begin: int, end: int) -> Batch:
        """The cases from one place to another."""
        weight = None if self.weight is None else self.weight[begin:end]
        return Batch(self.positive[begin:end], self.score[begin:end], weight)


class Accumulator:
    """The score table of cases that arrive in batches, or are spread over processes.

    Cases are kept as they are until there are ``8 * rows`` of them. Then they become rows, one per
    distinct score; more than ``rows`` rows are pooled into buckets of adjacent scores. Until the
    first pooling all values are exact and do not depend on the order of the cases (sums of weights
    that are not integers up to rounding). Afterwards ``mm.bounds`` gives limits that hold the
    exact value. Memory is constant: about ``200 * rows`` bytes, and ``1200 * rows`` while cases
    become rows.

    Args:
        rows: the largest number of rows. The bounds of the AUC of scores that are spread out are
            about ``2 / rows`` apart, those of KS up to ``8 / rows``.
        pos_label: the positive label, as for all measures; the same in all batches.
        nan_policy: "raise" an error for missing values, or "drop" these cases.

    >>> accumulator = Accumulator()
    >>> accumulator.update([1, 0, 1], [0.9, 0.5, 0.5]).update([0], [0.1])
    <accumulator: 4 cases, 2 positive, exact>
    >>> accumulator.table
    <score table: 3 distinct scores, 2 positive, 2 negative>
    """

    def __init__(
        self, *, rows: int = ROWS, pos_label: Any = None, nan_policy: NanPolicy = "raise"
    ) -> None:
        self.rows: int = read_argument("rows", rows, MOST_ROWS)
        self.nan_policy: NanPolicy = read_argument("nan_policy", nan_policy, NAN_POLICY)
        check_pos_label(pos_label)
        self.pos_label = _plain(pos_label)
        self.cases = self.positives = self.dropped = 0
        self._negative: Any = None
        self._total = 0.0
        self._counts = True
        self._stored = CoarseTable.empty()
        self._clear()
        self._found: CoarseTable | None = None

    def _clear(self) -> None:
        self._held = 0
        self._positive, self._score = np.empty(0, np.bool_), np.empty(0)
        self._weight: Floats | None = None

    def update(self, y_true: Any, y_score: Any, sample_weight: Any = None) -> Self:
        """Add the cases of a batch; an error leaves the accumulator as it was.

        An empty batch adds nothing.
        """
        if _is_empty(y_true) and _is_empty(y_score):
            return self
        batch, negative, dropped = self._read(y_true, y_score, sample_weight)
        added = batch.score.size if batch.weight is None else float(np.sum(batch.weight))
        check_total(np.array([self._total + added]), "the accumulator")
        self._negative, self._total = negative, self._total + added
        self.dropped += dropped
        self.cases += batch.score.size
        self.positives += int(np.count_nonzero(batch.positive))
        self._add(batch)
        warn_dropped(dropped, batch.score.size, stacklevel=2)
        return self

    def merge(self, other: Accumulator) -> Self:
        """Add the cases of another accumulator, which stays as it is.

        It changes this accumulator, as ``update`` does, rather than return a third one, so that a
        tree of merges copies nothing.
        """
        read_argument("other", other, Instance((Accumulator,), "an Accumulator"))
        if not _same(self.pos_label, other.pos_label):
            raise DataError(
                "accumulators differ in pos_label: "
                f"{shown([self.pos_label])} and {shown([other.pos_label])}"
            )
        negative = self._agreed(other._negative, "the other accumulator")
        check_total(np.array([self._total + other._total]), "the accumulators")
        batch = Batch(
            other._positive[: other._held].copy(),
            other._score[: other._held].copy(),
            None if other._weight is None else other._weight[: other._held].copy(),
        )
        stored = self._stored.merged(other._stored)
        self._negative, self._total = negative, self._total + other._total
        self.cases, self.positives = self.cases + other.cases, self.positives + other.positives
        self.dropped += other.dropped
        self._counts = self._counts and other._counts
        self._keep(stored)
        self._add(batch)
        return self

    @property
    def exact(self) -> bool:
        """Whether no scores have been pooled, so that all values are exact."""
        return self._stored.exact

    @property
    def coarse(self) -> CoarseTable:
        """The coarse table of all cases so far; reading it changes nothing."""
        if not self.cases:
            raise DataError("the accumulator has no cases", remedy="call update first")
        if self._found is None:
            self._found = self._with_held()
        return self._found

    @property
    def table(self) -> ScoreTable:
        """The exact score table of all cases so far; an error after the first pooling."""
        if not self.exact:
            raise DataError(
                f"the accumulator has pooled scores, since there were more than {self.rows} "
                "distinct ones, so that it has no exact score table",
                remedy="use mm.bounds(accumulator, measures), or an Accumulator with larger rows",
            )
        return self.coarse.table

    def _read(self, y_true: Any, y_score: Any, sample_weight: Any) -> tuple[Batch, Any, int]:
        """The validated cases, the negative label, and the number of dropped cases."""
        check_row_order(y_true, [("y_score", y_score), ("sample_weight", sample_weight)])
        argument, weight, no_weight = "y_true", None, None
        try:
            positive, no_label = read_labels(y_true, self.pos_label)
            negative = self._agreed(_negative_label(y_true, positive, no_label), "this batch")
            argument = "y_score"
            score, no_score = read_scores(y_score)
            check_length(score, argument, positive.size, ARGUMENTS)
            if sample_weight is not None:
                argument = "sample_weight"
                weight, no_weight = _read_weights(sample_weight)
                check_length(weight, argument, positive.size, ARGUMENTS)
            lack = [("y_true", no_label), ("y_score", no_score), (argument, no_weight)]
            missing = either(either(no_label, no_score), no_weight)
            if missing is not None and self.nan_policy == "raise":
                argument = next(name for name, rows in lack if rows is not None)
                missing_cases(lack, self.nan_policy)
        except DataError as error:
            error.caused_by(argument)
            raise
        kept = None if missing is None else ~missing
        if weight is not None and not weight.all():
            kept = (weight > 0) if kept is None else kept & (weight > 0)
        dropped = 0 if missing is None else int(np.count_nonzero(missing))
        batch = Batch(positive, score, weight)
        if kept is not None:
            batch = Batch(*(None if column is None else column[kept] for column in batch))  # type: ignore[arg-type]
        return batch, negative, dropped

    def _agreed(self, negative: Any, where: str) -> Any:
        """The negative label, of which there is one for all batches."""
        if negative is None or self._negative is None:
            return self._negative if negative is None else negative
        if not _same(negative, self._negative):
            raise DataError(
                f"the negative label is {shown([self._negative])} in earlier batches and "
                f"{shown([negative])} in {where}",
                remedy="convert the labels to the same type and values",
            )
        return self._negative

    def _add(self, batch: Batch) -> None:
        """Hold more cases; whenever there are enough, they become rows.

        That depends on the cases before, not on where batches begin.
        """
        if batch.weight is not None and self._counts:
            self._counts = bool(np.all(batch.weight == np.floor(batch.weight)))
        self._found = None
        begin, size = 0, batch.score.size
        while begin < size:
            end = min(size, begin + self.rows * BUFFERED - self._held)
            self._hold(batch.part(begin, end))
            begin = end
            if self._held == self.rows * BUFFERED:
                stored = self._with_held()
                self._clear()
                self._keep(stored)

    def _hold(self, batch: Batch) -> None:
        held = self._held + batch.score.size
        if held > self._score.size:
            size = min(max(FIRST, 1 << (held - 1).bit_length()), self.rows * BUFFERED)
            self._score, self._positive = (
                _grown(column, size) for column in (self._score, self._positive)
            )
        if batch.weight is not None or self._weight is not None:
            weight = np.ones(0) if self._weight is None else self._weight
            self._weight = _grown(weight, self._score.size, fill=1.0)
            self._weight[self._held : held] = 1.0 if batch.weight is None else batch.weight
        np.add(batch.score, 0.0, out=self._score[self._held : held])  # -0.0 becomes 0.0
        self._positive[self._held : held] = batch.positive
        self._held = held

    def _with_held(self) -> CoarseTable:
        """The rows, with the cases that are held."""
        if not self._held:
            return self._stored
        positive, score = self._positive[: self._held], self._score[: self._held]
        if self._weight is None:
            pos, neg = (np.compress(mask, score) for mask in (positive, ~positive))
            pos.sort()
            neg.sort()
            return self._stored.absorbed(pos, neg)
        weight = self._weight[: self._held]
        # Until scores are pooled, equal ones are in the order of their weights, so that sums do
        # not depend on the order of the cases.
        order = np.lexsort((weight, score)) if self.exact else descending(score)[::-1]
        positive, score, weight = positive[order], score[order], weight[order]
        negative = ~positive
        scores = np.compress(positive, score), np.compress(negative, score)
        weights = np.compress(positive, weight), np.compress(negative, weight)
        return self._stored.absorbed(*scores, weights, counts=self._counts)

    def _keep(self, stored: CoarseTable) -> None:
        """Keep these rows; if there are too many, half of the allowed number."""
        many = stored.highest.size > self.rows
        self._stored, self._found = stored.reduced(self.rows // 2) if many else stored, None

    def to_bytes(self) -> bytes:
        """The accumulator as bytes, with a version and a checksum; ``from_bytes`` reads them."""
        held = slice(self._held)
        header = {
            "version": VERSION,
            "rows": self.rows,
            "nan_policy": self.nan_policy,
            "pos_label": _stored_label(self.pos_label),
            "negative": _stored_label(self._negative),
            "cases": self.cases,
            "positives": self.positives,
            "dropped": self.dropped,
            "counts": self._counts,
            "roundings": self._stored.roundings,
            "stored": self._stored.highest.size,
            "held": self._held,
            "weighted": self._weight is not None,
        }
        words = json.dumps(header).encode()
        weight = np.empty(0) if self._weight is None else self._weight[held]
        arrays = (
            self._stored.rows.astype("<f8").tobytes(),
            self._score[held].astype("<f8").tobytes(),
            weight.astype("<f8").tobytes(),
            np.packbits(self._positive[held]).tobytes(),
        )
        body = b"".join([FORMAT, _LENGTHS.pack(VERSION, len(words)), words, *arrays])
        return body + hashlib.blake2b(body, digest_size=DIGEST).digest()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The accumulator that ``to_bytes`` wrote; other bytes are refused.

        Nothing in the bytes is executed, and all numbers are checked.
        """
        read_argument("data", data, Instance((bytes, bytearray, memoryview), "bytes"))
        data = bytes(data)
        begin = len(FORMAT) + _LENGTHS.size
        body, digest = data[:-DIGEST], data[-DIGEST:]
        if not data.startswith(FORMAT) or len(body) < begin:
            raise _unreadable("they do not begin like an accumulator")
        version, length = _LENGTHS.unpack_from(body, len(FORMAT))
        if version != VERSION:
            raise _unreadable(f"they have version {version}, this release reads {VERSION}")
        if hashlib.blake2b(body, digest_size=DIGEST).digest() != digest:
            raise _unreadable("the checksum is wrong, so that they are damaged or cut")
        try:
            header = json.loads(body[begin : begin + length])
            return cls._restored(header, body[begin + length :])
        except (MetameasureError, ValueError, KeyError, TypeError, OverflowError) as error:
            raise _unreadable(f"they are inconsistent ({error})") from error

    @classmethod
    def _restored(cls, header: Any, body: bytes) -> Self:
        made = cls(
            rows=header["rows"],
            pos_label=_read_label(header["pos_label"]),
            nan_policy=header["nan_policy"],
        )
        counted = ("cases", "positives", "dropped", "roundings", "stored", "held")
        number = {name: read_argument(name, header[name], Whole(0, 2**62)) for name in counted}
        weighted, counts = (bool(header[name]) for name in ("weighted", "counts"))
        stored, held = number["stored"], number["held"]
        sizes = [10 * stored * 8, held * 8, held * 8 * weighted, -(-held // 8)]
        if len(body) != sum(sizes) or held > made.rows * BUFFERED or stored > made.rows:
            raise ValueError("sizes")
        parts = np.cumsum([0, *sizes])
        rows, score, weight = (
            np.frombuffer(body[parts[k] : parts[k + 1]], "<f8").astype(np.float64) for k in range(3)
        )
        packed = np.frombuffer(body[parts[3] :], np.uint8)
        positive = np.unpackbits(packed, count=held).astype(np.bool_)
        made._stored = CoarseTable.checked(
            rows.reshape(stored, 10), counts=counts, roundings=number["roundings"]
        )
        if np.isnan(score).any():
            raise ValueError("scores")
        if weighted and not ((weight > 0) & np.isfinite(weight)).all():
            raise ValueError("weights")
        made._total = float(made._stored.n)
        made._total += float(np.sum(weight)) if weighted else held
        check_total(np.array([made._total]), "the accumulator")
        made._negative, made._counts = _read_label(header["negative"]), counts
        made.cases, made.positives = number["cases"], number["positives"]
        made.dropped = number["dropped"]
        if not number["positives"] <= number["cases"] >= held:
            raise ValueError("numbers of cases")
        if counts and weighted and (weight != np.floor(weight)).any():
            raise ValueError("weights")
        made._add(Batch(positive, score, weight if weighted else None))
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        state = "exact" if self.exact else f"{self._stored.highest.size} buckets"
        return (
            f"<accumulator: {amount(self.cases)} cases, {amount(self.positives)} positive, {state}>"
        )


def _unreadable(why: str) -> DataError:
    return DataError(
        f"these bytes are not an accumulator: {why}",
        remedy="pass what Accumulator.to_bytes returned",
        argument="data",
    )


def _is_empty(values: Any) -> bool:
    try:
        return len(values) == 0 and not isinstance(values, (str, bytes, dict))
    except TypeError:
        return False


def _read_weights(weights: Any) -> tuple[Floats, Mask | None]:
    """Weights, which may all be 0 in one batch of many."""
    array, masked = as_array(weights, "sample_weight")
    if masked is None and array.dtype.kind in "biuf" and array.size and not array.any():
        return np.zeros(array.size), None
    return read_weights(weights)


def _negative_label(y_true: Any, positive: Mask, missing: Mask | None) -> Any:
    """The label of the first negative case; None if there is none."""
    others = positive if missing is None else positive | missing
    if others.all():
        return None
    place = int(np.argmin(others))
    return _plain(as_array(y_true, "y_true")[0][place])


def _plain(label: Any) -> Any:
    """A label as an object of Python."""
    return label.item() if isinstance(label, np.generic) else label


def _same(one: Any, other: Any) -> bool:
    return bool(one == other) and isinstance(one, str) == isinstance(other, str)


def _grown(column: Any, size: int, *, fill: float = 0.0) -> Any:
    """A column with more room."""
    if column.size >= size:
        return column
    larger = np.full(size, fill, column.dtype) if fill else np.empty(size, column.dtype)
    larger[: column.size] = column
    return larger


def _stored_label(label: Any) -> list[Any] | None:
    """A label with the name of its type, for JSON."""
    if label is None:
        return None
    if isinstance(label, bytes):
        return ["bytes", label.hex()]
    name = type(label).__name__
    if name not in LABELS:
        raise DataError(
            f"the label {shown([label])} cannot be stored, since it is of type {name}",
            remedy="convert the labels to numbers or text",
        )
    return [name, label]


def _read_label(stored: Any) -> Any:
    if stored is None:
        return None
    name, label = stored
    if name == "bytes":
        return bytes.fromhex(label)
    if type(label) is not LABELS[name]:
        raise ValueError("labels")
    return label
