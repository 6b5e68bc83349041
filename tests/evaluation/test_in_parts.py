"""Data that do not fit in memory: the same numbers as in memory, from the parts of a table."""

import numpy as np
import polars as pl
import pytest

import metameasure as mm
from metameasure.data import batches
from metameasure.errors import DataError
from metameasure.inference.in_parts import IN_MEMORY, OF_WEIGHTS

N = 3000
RNG = np.random.default_rng(8)
SCORES = RNG.beta(2, 3, N)
POSITIVE = RNG.random(N) < SCORES
KINDS = {
    "distinct": SCORES,
    "ties": np.round(SCORES, 1),
    "float32": SCORES.astype(np.float32),
    "one large tie": np.where(RNG.random(N) < 0.6, 0.25, SCORES),
    "any numbers": RNG.normal(size=N) * 10,
    "zeros of both signs": np.where(SCORES < 0.3, np.where(SCORES < 0.2, -0.0, 0.0), SCORES),
    "constant": np.full(N, 0.4),
}
LABELS = {
    "bool": POSITIVE,
    "0/1": POSITIVE.astype(np.int8),
    "-1/1": np.where(POSITIVE, 1, -1),
    "float": POSITIVE.astype(float),
    "text": np.where(POSITIVE, "yes", "no"),
}


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch):
    """Even these few rows are read in parts."""
    monkeypatch.setattr(batches, "WHOLE", 500)
    monkeypatch.setattr(batches, "FEW", 0)
    monkeypatch.setattr(batches, "ROWS", 257)


def both(columns, **options):
    """The evaluation of the same columns in memory and in parts."""
    frame = pl.DataFrame(columns)
    parts = mm.evaluate(frame.lazy(), label="y", **options)
    return mm.evaluate(frame, label="y", **options), parts


def same_rows(whole, parts, *, limits=True):
    """Equal values; equal limits, or none where they need all cases."""
    assert len(parts.rows) == len(whole.rows)
    for right, found in zip(whole.rows, parts.rows, strict=True):
        assert (found.model, found.measure) == (right.model, right.measure)
        assert (found.n, found.n_pos, found.dropped) == (right.n, right.n_pos, right.dropped)
        assert found.value == pytest.approx(right.value, rel=1e-12, abs=1e-12, nan_ok=True)
        if limits and found.low is not None:
            expected = pytest.approx((right.low, right.high), rel=1e-9, abs=1e-9)
            assert (found.low, found.high) == expected
            assert found.method == right.method


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("few", [0, 2**20])
@pytest.mark.filterwarnings("ignore:mcc of s is undefined")
def test_default_measures_of_all_kinds_of_scores(kind, few, monkeypatch):
    monkeypatch.setattr(batches, "FEW", few)
    whole, parts = both({"y": POSITIVE, "s": KINDS[kind]}, scores="s")
    same_rows(whole, parts)
    assert parts.left_out == whole.left_out
    codes = {"MM04", "MM05", "MM06", "MM11"}
    assert {check for check in parts.checks if check.code in codes} == {
        check for check in whole.checks if check.code in codes
    }
    if few:
        assert [row.low is None for row in parts.rows] == [row.low is None for row in whole.rows]
        assert parts.checks == whole.checks


def test_predicted_labels_have_no_measures_of_scores(monkeypatch):
    monkeypatch.setattr(batches, "FEW", 2)
    whole, parts = both({"y": POSITIVE, "s": np.round(SCORES)}, scores="s")
    same_rows(whole, parts)
    assert parts.left_out == whole.left_out != ()


@pytest.mark.parametrize("labels", LABELS)
def test_all_kinds_of_labels(labels):
    pos_label = {"text": "yes"}.get(labels)
    same_rows(*both({"y": LABELS[labels], "s": SCORES}, scores="s", pos_label=pos_label))


def test_all_intervals_of_the_default_list_are_known():
    whole, parts = both({"y": POSITIVE, "s": SCORES}, scores="s")
    limited = {row.measure.name for row in parts.rows if row.low is not None}
    assert limited == {row.measure.name for row in whole.rows}
    assert [(row.method, row.measure) for row in parts.rows] == [
        (row.method, row.measure) for row in whole.rows
    ]


def test_an_interval_that_needs_all_cases():
    _, parts = both({"y": POSITIVE, "s": SCORES}, scores="s", measures="r_plus, lift")
    assert {row.low for row in parts.rows} == {None}
    assert {check.message for check in parts.checks} == {f"no interval: {IN_MEMORY}"}


def test_several_models_weights_and_missing_values():
    weight = RNG.random(N).round(2)
    other = np.where(RNG.random(N) < 0.1, np.nan, 1 - SCORES)
    columns = {"y": POSITIVE, "a": SCORES, "b": other, "w": weight}
    options = {"scores": ["a", "b"], "weight": "w", "nan_policy": "drop"}
    whole, parts = both(columns, **options)
    same_rows(whole, parts, limits=False)
    assert {row.low for row in parts.rows} == {None}
    assert f"no interval: {OF_WEIGHTS}" in {check.message for check in parts.checks}
    same_rows(*both(columns, **options, ci=None))


def test_all_measures_that_are_sums_over_the_rows():
    whole, parts = both({"y": POSITIVE, "s": SCORES}, scores="s", measures="all", ci=None)
    values = {row.measure: row.value for row in whole.rows}
    for row in parts.rows:
        assert row.value == pytest.approx(values[row.measure], rel=1e-12, abs=1e-12)
    left_out = {one.measure for one in parts.left_out}
    assert left_out | {row.measure.stated for row in parts.rows} == {
        measure.stated for measure in mm.measures()
    }
    assert "ici(span=0.6666666666666666)" in left_out or "ici" in left_out


def test_an_infinite_loss_has_a_clip():
    score = np.where(np.arange(N) == 2900, 0.0, SCORES)
    positive = POSITIVE | (np.arange(N) == 2900)
    whole, parts = both({"y": positive, "s": score}, scores="s")
    same_rows(whole, parts)
    assert "log_loss(clip=1e-15)" in {str(row.measure) for row in parts.rows}


@pytest.mark.parametrize("positive", [True, False])
def test_one_class(positive):
    columns = {"y": np.full(N, positive), "s": SCORES}
    with pytest.warns(mm.errors.UndefinedMeasureWarning):
        whole, parts = both(columns, scores="s")
    same_rows(whole, parts)


def test_a_third_label_in_a_later_batch_is_refused():
    labels = np.where(np.arange(N) == 2999, 2, POSITIVE)
    with pytest.raises(DataError, match=r"rows 2827 to 2999.*3 labels, 0, 1, 2"):
        mm.evaluate(pl.DataFrame({"y": labels, "s": SCORES}).lazy(), label="y", scores="s")


def test_a_missing_value_is_reported_with_its_batch():
    score = np.where(np.arange(N) == 1000, np.nan, SCORES)
    with pytest.raises(DataError, match=r"batch of rows 771 to 1027, counted .*row 229"):
        mm.evaluate(pl.DataFrame({"y": POSITIVE, "s": score}).lazy(), label="y", scores="s")


def test_what_needs_the_cases_says_so():
    lazy = pl.DataFrame({"y": POSITIVE, "a": SCORES, "b": 1 - SCORES}).lazy()
    with pytest.raises(DataError, match="3000 cases are read in parts"):
        mm.compare(lazy, label="y", scores=["a", "b"])
    with pytest.raises(DataError, match=r"ici.* cannot be computed from data that do not fit"):
        mm.evaluate(lazy, label="y", scores="a", measures="ici")
    with pytest.raises(DataError, match="3000 cases are read in parts"):
        mm.interval(lazy, "auc", label="y", score="a")


def test_groups_are_read_whole():
    frame = pl.DataFrame({"y": POSITIVE, "s": SCORES, "g": np.arange(N) % 3})
    right, found = (
        mm.evaluate(one, label="y", scores="s", group="g", ci=None) for one in (frame, frame.lazy())
    )
    assert [row.value for row in found.rows] == [row.value for row in right.rows]
