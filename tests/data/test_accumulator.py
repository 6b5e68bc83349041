"""Accumulators: exact until the first pooling, bounds that hold the exact value afterwards."""

import copy
import hashlib
import json
import math
import pickle
import struct
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metameasure as mm
from metameasure import kernels
from metameasure.data import accumulator as module

MEASURES = [
    "auc", "ks", "average_precision", "auch", "h_measure", "signed_ks", "accuracy",
    "precision@top=10%", "tpr@fpr=0.1", "mcc@0.37", "brier", "log_loss", "log_loss(clip=0.01)",
    "scored_auc", "r_minus", "mean_gap", "ndcg", "reciprocal_rank", "miscalibration", "lift",
    "partial_auc(tpr=(0.5, 1))", "f_measure(beta=2)@0.5", "sar", "margin_auc", "equal_error_rate",
]  # fmt: skip
ORDERS = ["as drawn", "ascending", "descending", "one class first", "zigzag", "drift"]


def drawn(data, size=600):
    """Labels, scores and weights, skewed in many ways, and in adversarial order."""
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    n = data.draw(st.integers(1, size))
    score = rng.random(n)
    power = data.draw(st.sampled_from([1.0, 1.0, 8.0, 0.05, 40.0]))
    prevalence = data.draw(st.sampled_from([0.5, 0.5, 0.02, 0.98, 0.0, 1.0]))
    label = rng.random(n) < prevalence + (score - 0.5) * min(prevalence, 1 - prevalence)
    score = score**power
    digits = data.draw(st.sampled_from([None, None, 1, 2]))
    if digits:
        score = score.round(digits)
    if data.draw(st.booleans()):
        score[rng.random(n) < 0.3] = 0.5
    weight = {
        "none": None,
        "integers": rng.integers(0, 4, n) + 0.0,
        "lognormal": np.exp(rng.normal(0, 5, n)),
    }[data.draw(st.sampled_from(["none", "none", "integers", "lognormal"]))]
    order = {
        "as drawn": np.arange(n),
        "ascending": np.argsort(score),
        "descending": np.argsort(-score),
        "one class first": np.argsort(label, kind="stable"),
        "zigzag": np.argsort(np.abs(score - np.median(score))),
        "drift": np.argsort(score + 0.3 * rng.random(n)),
    }[data.draw(st.sampled_from(ORDERS))]
    return label[order], score[order], None if weight is None else weight[order]


def updated(accumulator, label, score, weight, sizes):
    """The accumulator after batches of these sizes, over and over."""
    begin = 0
    while begin < label.size:
        for size in sizes:
            part = slice(begin, begin + size)
            accumulator.update(label[part], score[part], None if weight is None else weight[part])
            begin += size
    return accumulator


def tabulated(label, score, weight):
    return mm.tabulate(label, score, sample_weight=weight)


def assert_inside(accumulator, table):
    """The exact values are inside of the bounds; so are they up to rounding of the weights."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mm.UndefinedMeasureWarning)
        for text in MEASURES:
            measure = mm.parse(text)
            value, (low, high) = measure(table), measure.bounds(accumulator)
            if math.isnan(value):
                continue
            slack = 1e-9 if accumulator.exact else 0.0  # weights are added in another order
            assert low - slack <= value <= high + slack, f"{text}: {value} not in {low}, {high}"


sizes = st.lists(st.sampled_from([1, 2, 7, 50, 1000]), min_size=1, max_size=3)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_the_exact_value_is_inside(data):
    label, score, weight = drawn(data)
    if weight is not None and not weight.any():
        return
    made = mm.Accumulator(rows=data.draw(st.sampled_from([16, 16, 20, 40])))
    updated(made, label, score, weight, data.draw(sizes))
    assert_inside(made, tabulated(label, score, weight))


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_exact_value_is_inside_in_compiled_kernels(data):
    label, score, weight = drawn(data)
    if weight is not None and not weight.any():
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "COMPILED_FROM", 0)
        made = updated(mm.Accumulator(rows=16), label, score, weight, data.draw(sizes))
        assert_inside(made, tabulated(label, score, weight))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_exact_value_is_inside_after_ten_merges_in_random_order(data):
    label, score, weight = drawn(data, 2500)
    if weight is not None and not weight.any():
        return
    edges = sorted(data.draw(st.integers(0, label.size)) for _ in range(10))
    parts = []
    for begin, end in zip([0, *edges], [*edges, label.size], strict=True):
        part = slice(begin, end)
        one = mm.Accumulator(rows=data.draw(st.sampled_from([16, 24])))
        chosen = None if weight is None else weight[part]
        parts.append(updated(one, label[part], score[part], chosen, [97]))
    while len(parts) > 1:
        other = parts.pop(data.draw(st.integers(0, len(parts) - 1)))
        parts[data.draw(st.integers(0, len(parts) - 1))].merge(other)
    assert parts[0].cases == np.count_nonzero(np.ones(label.size) if weight is None else weight)
    assert_inside(parts[0], tabulated(label, score, weight))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_before_the_first_pooling_it_is_the_table_whatever_the_order(data):
    label, score, weight = drawn(data, 120)
    if weight is not None and not weight.any():
        return
    made = updated(mm.Accumulator(rows=16), label, score, weight, data.draw(sizes))
    shuffled = np.random.default_rng(1).permutation(label.size)
    columns = (column if column is None else column[shuffled] for column in (label, score, weight))
    other = updated(mm.Accumulator(rows=16), *columns, data.draw(sizes))
    assert made.exact
    assert made.table == other.table
    expected = tabulated(label, score, weight)
    assert np.array_equal(made.table.score, expected.score)
    for found, right in ((made.table.pos, expected.pos), (made.table.neg, expected.neg)):
        np.testing.assert_allclose(found, right, rtol=1e-14)


def test_few_distinct_scores_stay_exact_for_ever():
    rng = np.random.default_rng(0)
    score, label = rng.integers(0, 16, 5000) / 16, rng.random(5000) < 0.3
    made = updated(mm.Accumulator(rows=16), label, score, None, [13, 800])
    assert made.exact
    assert made.table == mm.tabulate(label, score)
    assert mm.evaluate(made, "auc, brier", ci=None).value("auc") == mm.auc(label, score)


def test_buckets_do_not_depend_on_where_batches_begin_or_on_reading():
    rng = np.random.default_rng(0)
    label, score = rng.random(5000) < 0.3, rng.random(5000)
    one = mm.Accumulator(rows=32).update(label, score)
    other = mm.Accumulator(rows=32)
    for begin in range(0, 5000, 61):
        other.update(label[begin : begin + 61], score[begin : begin + 61])
        mm.auc.bounds(other)
    assert np.array_equal(one.coarse.rows, other.coarse.rows)
    assert one.coarse.highest.size <= 32 * 9


def test_the_bounds_of_a_large_stream_are_narrow():
    rng = np.random.default_rng(0)
    made = mm.Accumulator(rows=1024)
    for _ in range(40):
        label = rng.random(2500) < 0.3
        made.update(label, rng.beta(2 + label, 3 - label))
    assert not made.exact
    for measure, width in ((mm.auc, 3), (mm.ks, 8), (mm.average_precision, 8)):
        low, high = measure.bounds(made)
        assert 0 < high - low < width / 1024
    low, high = mm.brier.bounds(made)
    assert high - low < 1e-11


@pytest.mark.parametrize("order", ["ascending", "descending", "one class first"])
def test_an_adversarial_order_of_spread_scores_keeps_bounds_narrow(order):
    rng = np.random.default_rng(0)
    label, score = rng.random(60_000) < 0.4, rng.random(60_000)
    keys = {"ascending": score, "descending": -score, "one class first": label}
    order = np.argsort(keys[order], kind="stable")
    made = updated(mm.Accumulator(rows=1024), label[order], score[order], None, [977])
    low, high = mm.auc.bounds(made)
    assert high - low < 0.02


def test_scores_without_limits():
    made = mm.Accumulator(rows=16)
    score = np.r_[-np.inf, np.linspace(-1e300, 1e300, 400), np.inf, -0.0, 5e-324, 0.0]
    label = np.arange(score.size) % 3 == 0
    for begin in range(0, score.size, 9):
        made.update(label[begin : begin + 9], score[begin : begin + 9])
    low, high = mm.auc.bounds(made)
    assert low <= mm.auc(label, score) <= high
    with pytest.raises(mm.DataError, match=r"brier needs scores in \[0, 1\]"):
        mm.brier.bounds(made)


def test_minus_zero_is_zero():
    made = mm.Accumulator().update([1, 0], [0.0, -0.0])
    assert made.table.score.tolist() == [0.0]
    assert not np.signbit(made.table.score[0])


def test_all_scores_tied():
    made = mm.Accumulator(rows=16)
    for _ in range(50):
        made.update([1, 0, 0] * 10, [0.25] * 30)
    assert made.exact
    assert mm.auc.bounds(made) == (0.5, 0.5)


def test_a_huge_weight():
    label, score = np.arange(400) % 2 == 0, np.arange(400) / 400
    weight = np.ones(400)
    weight[17] = 1e60
    made = mm.Accumulator(rows=16).update(label, score, weight)
    low, high = mm.auc.bounds(made)
    assert low <= mm.auc(label, score, sample_weight=weight) <= high
    with pytest.raises(mm.DataError, match="sum of the weights in the accumulator must be"):
        made.update([1, 1], [0.5, 0.5], [4e99, 4e99]).update([1], [0.5], [9e99])


# Input as everywhere.


def test_labels_and_their_types_agree_between_batches():
    made = mm.Accumulator().update([True, False], [0.5, 0.2]).update([1, 0], [0.5, 0.2])
    made.update([1.0, 0.0], [0.3, 0.4]).update([1, 1], [0.1, 0.2])
    with pytest.raises(mm.DataError, match=r"negative label is False in earlier .* -1 in this"):
        made.update([1, -1], [0.5, 0.2])
    assert made.cases == 8
    texts = mm.Accumulator(pos_label="yes").update(["yes", "no"], [0.5, 0.2])
    with pytest.raises(mm.DataError, match=r"negative label is 'no' in earlier .* 'nein' in this"):
        texts.update(["yes", "nein"], [0.5, 0.2])
    with pytest.raises(mm.DataError, match="negative label is 'no'"):
        texts.update([1, 1], [0.5, 0.2])
    with pytest.raises(mm.DataError, match="which one is positive is unknown") as raised:
        mm.Accumulator().update(["yes", "no"], [0.5, 0.2])
    assert raised.value.argument == "y_true"
    with pytest.raises(mm.DataError, match=r"the negative label is 0 in .* -1 in the other"):
        mm.Accumulator().update([0], [0.5]).merge(mm.Accumulator().update([-1], [0.5]))
    with pytest.raises(mm.DataError, match="accumulators differ in pos_label: 1 and None"):
        mm.Accumulator(pos_label=1).merge(mm.Accumulator())


@pytest.mark.parametrize(
    ("columns", "argument", "message"),
    [
        (([1, 0, 1], [0.5, 0.2]), "y_score", "y_true and y_score differ in length: 3 and 2"),
        (([1, 0], [0.5, np.nan]), "y_score", "1 of 2 values of y_score are missing"),
        (([1, None], [0.5, 0.2]), "y_true", "1 of 2 values of y_true are missing"),
        (([1, 0], ["a", "b"]), "y_score", "y_score must be real numbers, got"),
        (([1, 0], [[0.5, 0.5], [0.2, 0.8]]), "y_score", "y_score has two columns"),
        (([1, 0], [0.5, 0.2], [1, -1]), "sample_weight", "must be finite and >= 0, got -1"),
        (([1, 0], [0.5, 0.2], [1]), "sample_weight", "differ in length: 2 and 1"),
        (([1, 0], [0.5, 0.2], [1, None]), "sample_weight", "values of sample_weight are missing"),
        (([1, 0, 2], [0.5, 0.2, 0.1]), "y_true", "3 labels"),
        ((3, [0.5]), "y_true", "y_true is a single value"),
        (([], [0.5]), "y_score", "y_true and y_score differ in length: 0 and 1"),
    ],
)
def test_a_bad_batch_is_refused_and_changes_nothing(columns, argument, message):
    made = mm.Accumulator().update([1, 0], [0.5, 0.4])
    before = made.to_bytes()
    with pytest.raises(mm.DataError, match=message) as raised:
        made.update(*columns)
    assert raised.value.argument == argument
    assert made.to_bytes() == before


def test_missing_values_are_dropped_and_counted():
    made = mm.Accumulator(nan_policy="drop")
    with pytest.warns(mm.DroppedCasesWarning, match="dropped 2 of 3 cases") as caught:
        made.update([1, 0, None], [0.5, np.nan, 0.2])
    assert caught[0].filename == __file__
    with pytest.warns(mm.DroppedCasesWarning, match="dropped 1 of 1 cases"):
        made.update([1], [np.nan])
    with pytest.warns(mm.DroppedCasesWarning, match="dropped 1 of 2 cases"):
        made.update([1, 0], [0.1, 0.2], [1.0, np.nan])
    assert (made.cases, made.positives, made.dropped) == (2, 2, 4)


def test_empty_batches_and_batches_without_weight_add_nothing():
    made = mm.Accumulator().update([], []).update(np.zeros(0), np.zeros(0), np.zeros(0))
    made.update([1], [0.5], [0]).update([1, 0], [0.5, 0.1], [0.0, 0.0])
    assert made.cases == 0
    for ask in (lambda: made.table, lambda: made.coarse, lambda: mm.bounds(made)):
        with pytest.raises(mm.DataError, match="has no cases; call update first"):
            ask()
    made.update([1, 0], [0.5, 0.25]).update([1, 0], [0.25, 0.125], [2, 0])
    assert made.table == mm.ScoreTable([0.5, 0.25], [1, 2], [0, 1])


@pytest.mark.parametrize("kind", [list, tuple, pd.Series, pl.Series, np.asarray])
def test_columns_of_all_kinds(kind):
    made = mm.Accumulator().update(kind([1, 0, 1]), kind([0.5, 0.2, 0.2]), kind([1.0, 2.0, 3.0]))
    assert made.table == mm.ScoreTable([0.5, 0.2], [1, 3], [0, 2])
    assert mm.Accumulator().update(kind([1, 0]), kind([0.5, 0.2])).cases == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rows": 3}, "rows must be an integer from 16 to"),
        ({"rows": "many"}, "rows must be an integer"),
        ({"nan_policy": "keep"}, "nan_policy must be one of"),
        ({"pos_label": [1]}, "pos_label must be a number or text"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(mm.ParameterError, match=message):
        mm.Accumulator(**options)


def test_merge_takes_accumulators_alone_and_itself_too():
    made = mm.Accumulator().update([1, 0], [0.5, 0.2])
    with pytest.raises(mm.ParameterError, match="other must be an Accumulator, got 3"):
        made.merge(3)
    other = mm.Accumulator().update([1], [0.2], [2.5])
    assert made.merge(other).table == mm.ScoreTable([0.5, 0.2], [1, 2.5], [0, 1])
    assert other.cases == 1
    assert made.merge(made).table == mm.ScoreTable([0.5, 0.2], [2, 5], [0, 2])


def test_the_error_after_pooling_names_the_alternative():
    made = mm.Accumulator(rows=16).update(np.arange(200) % 2, np.arange(200) / 200)
    assert repr(made).startswith("<accumulator: 200 cases, 100 positive, ")
    for ask in (lambda: made.table, lambda: mm.evaluate(made), lambda: mm.evaluate({"m": made})):
        with pytest.raises(mm.DataError, match=r"pooled scores.*more than 16.*mm.bounds"):
            ask()


# Bytes.


def some(weighted=False, rows=16, size=300):
    rng = np.random.default_rng(4)
    label, score = rng.random(size) < 0.4, rng.random(size)
    made = mm.Accumulator(rows=rows, pos_label=True, nan_policy="drop")
    return made.update(label, score, rng.random(size) if weighted else None)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("size", [0, 100, 128, 300])
@pytest.mark.parametrize(
    "copied",
    [
        lambda a: mm.Accumulator.from_bytes(a.to_bytes()),
        lambda a: pickle.loads(pickle.dumps(a)),  # noqa: S301
        copy.copy,
        copy.deepcopy,
    ],
)
def test_a_copy_goes_on_as_the_original_would(weighted, size, copied):
    made = some(weighted, size=size)
    other = copied(made)
    assert other.to_bytes() == made.to_bytes()
    more = np.arange(90) % 2 == 0, np.arange(90) / 90
    made.update(*more)
    assert other.cases == size
    other.update(*more)
    assert np.array_equal(made.coarse.rows, other.coarse.rows)
    assert made.to_bytes() == other.to_bytes()
    assert (other.rows, other.pos_label, other.nan_policy) == (16, True, "drop")


@pytest.mark.parametrize("label", ["no", b"no", 0, -1, 2.5, False, np.int8(0), np.str_("no")])
def test_the_negative_label_is_stored(label):
    positive = {str: "yes", bytes: b"yes"}.get(type(label), 1)
    positive = "yes" if isinstance(label, str) else positive
    made = mm.Accumulator(pos_label=positive).update([label, positive], [0.1, 0.2])
    other = mm.Accumulator.from_bytes(made.to_bytes())
    other.update([label], [0.3])
    with pytest.raises(mm.DataError, match="negative label"):
        other.update(["another" if isinstance(label, str) else 77], [0.3])


def test_a_label_of_another_type_cannot_be_stored():
    made = mm.Accumulator(pos_label=Decimal(2))
    with pytest.raises(mm.DataError, match=r"Decimal\('2'\) cannot be stored.*of type Decimal"):
        made.to_bytes()


def forged(made, **changes):
    """Bytes with another header and the right checksum."""
    data = made.to_bytes()[: -module.DIGEST]
    begin = len(module.FORMAT) + 8
    version, length = struct.unpack_from("<II", data, len(module.FORMAT))
    header = {**json.loads(data[begin : begin + length]), **changes}
    words = json.dumps(header).encode()
    return signed(
        module.FORMAT + struct.pack("<II", version, len(words)) + words + data[begin + length :]
    )


def signed(body):
    return body + hashlib.blake2b(body, digest_size=module.DIGEST).digest()


@pytest.mark.parametrize(
    "data",
    [b"", b"x", module.FORMAT, b"\x80\x04N.", some().to_bytes()[:-1], some().to_bytes() + b"\0"],
)
def test_bytes_that_are_no_accumulator_are_refused(data):
    with pytest.raises(mm.DataError, match="these bytes are not an accumulator"):
        mm.Accumulator.from_bytes(data)


def test_every_flipped_bit_is_found():
    data = some(size=140).to_bytes()
    for place in range(0, len(data), 37):
        wrong = bytearray(data)
        wrong[place] ^= 4
        with pytest.raises(mm.DataError, match="these bytes are not an accumulator"):
            mm.Accumulator.from_bytes(bytes(wrong))


@pytest.mark.parametrize(
    "changes",
    [
        {"rows": 1}, {"rows": 10**9}, {"rows": "x"}, {"held": 10**15}, {"stored": 10**15},
        {"held": -1}, {"cases": -1}, {"cases": 1}, {"positives": 10**6}, {"nan_policy": "x"},
        {"pos_label": ["int", "x"]}, {"pos_label": ["list", []]}, {"negative": 7},
        {"roundings": -5}, {"weighted": True}, {"dropped": None}, {"stored": 0},
    ],
    ids=str,
)  # fmt: skip
def test_inconsistent_bytes_with_a_right_checksum_are_refused(changes):
    assert mm.Accumulator.from_bytes(forged(some())).cases == 300
    with pytest.raises(mm.DataError, match=r"are not an accumulator: they are inconsistent"):
        mm.Accumulator.from_bytes(forged(some(), **changes))


@pytest.mark.parametrize(
    ("column", "value"),
    [
        (0, np.nan), (0, -1.0), (1, 7.0), (2, -1.0), (2, np.inf), (2, 0.5), (3, np.nan),
        (4, 1e9), (6, -5.0), (8, np.nan), (9, np.inf),
    ],
)  # fmt: skip
def test_impossible_rows_with_a_right_checksum_are_refused(column, value):
    made = some()
    rows = made._stored.rows.copy()
    wide = np.flatnonzero(rows[:, 0] > rows[:, 1])[1]
    rows[wide, column] = value
    object.__setattr__(made._stored, "rows", rows)
    with pytest.raises(mm.DataError, match="are not an accumulator: they are inconsistent"):
        mm.Accumulator.from_bytes(made.to_bytes())


def test_another_version_and_no_bytes():
    data = some().to_bytes()[: -module.DIGEST]
    place = len(module.FORMAT)
    later = data[:place] + struct.pack("<I", 2) + data[place + 4 :]
    with pytest.raises(mm.DataError, match="they have version 2, this release reads 1"):
        mm.Accumulator.from_bytes(signed(later))
    with pytest.raises(mm.ParameterError, match="data must be bytes, got 'x'"):
        mm.Accumulator.from_bytes("x")
    assert mm.Accumulator.from_bytes(memoryview(some().to_bytes())).cases == 300


def test_many_small_accumulators_need_little_memory():
    made = [mm.Accumulator().update([1, 0], [0.5, 0.2]) for _ in range(50)]
    assert sum(one._score.nbytes + one._positive.nbytes for one in made) < 50 * 16_000
