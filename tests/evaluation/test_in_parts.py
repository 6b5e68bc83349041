"""Data that do not fit in memory: the same numbers as in memory, from the parts of a table."""

import numpy as np
import polars as pl
import pytest

import metameasure as mm
from metameasure.data import batches
from metameasure.errors import DataError
from metameasure.measurement import partial_of

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


@pytest.mark.parametrize(
    "options",
    [
        {"measures": "r_plus, lift, ici"},
        {"measures": "auc", "method": "bca", "resamples": 100},
        {"measures": "auc", "stratified": True},
        {"weight": "w"},
        {"group": "g"},
        {"measures": "all", "ci": None},
    ],
    ids=str,
)
def test_what_parts_do_not_give_is_read_whole(options):
    columns = {"y": POSITIVE, "s": SCORES, "w": RNG.random(N), "g": np.arange(N) % 2}
    whole, parts = both(columns, scores="s", **options)
    assert [row.value for row in parts.rows] == [row.value for row in whole.rows]
    assert [row.low for row in parts.rows] == [row.low for row in whole.rows]


def test_several_models_weights_and_missing_values():
    weight = RNG.random(N).round(2)
    other = np.where(RNG.random(N) < 0.1, np.nan, 1 - SCORES)
    columns = {"y": POSITIVE, "a": SCORES, "b": other, "w": weight}
    options = {"scores": ["a", "b"], "nan_policy": "drop"}
    same_rows(*both(columns, **options))
    same_rows(*both(columns, **options, weight="w", ci=None))


def test_all_measures_that_are_sums_over_the_rows():
    sums = [measure for measure in mm.measures() if partial_of(measure) is not None]
    assert len(sums) > 40
    same_rows(*both({"y": POSITIVE, "s": SCORES}, scores="s", measures=sums, ci=None))


@pytest.mark.parametrize("score", [0.5, 0.0])
@pytest.mark.filterwarnings("ignore:mcc of s is undefined")
def test_equal_losses_have_the_bound(score):
    columns = {"y": np.zeros(N, bool) if score == 0 else POSITIVE, "s": np.full(N, score)}
    same_rows(*both(columns, scores="s", measures="brier, log_loss"))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.filterwarnings("ignore::metameasure.errors.UndefinedMeasureWarning")
def test_nothing_is_left_below_a_cut_of_weighted_cases(seed):
    rng = np.random.default_rng(seed)
    columns = {"y": rng.random(600) < 0.5, "s": 0.5 + rng.random(600) / 2}
    columns["w"] = rng.exponential(size=600)
    measures = "npv, false_omission_rate, mcc, lr_minus@0, diagnostic_odds_ratio@0, tnr@0.6"
    whole, parts = both(columns, scores="s", weight="w", measures=measures, ci=None)
    same_rows(whole, parts)
    assert np.isnan(parts.rows[0].value)


def test_cases_without_weight_do_not_count():
    columns = {"y": POSITIVE, "s": np.where(SCORES > 0.7, 5.0, SCORES)}
    columns["w"] = np.where(SCORES > 0.7, 0.0, RNG.random(N) + 0.1)
    whole, parts = both(columns, scores="s", weight="w", ci=None)
    same_rows(whole, parts)
    assert parts.left_out == whole.left_out == ()


def test_weighted_predicted_labels():
    columns = {"y": POSITIVE, "s": SCORES > 0.5, "w": RNG.random(N) + 0.1}
    whole, parts = both(columns, scores="s", weight="w", ci=None)
    same_rows(whole, parts)
    assert parts.left_out == whole.left_out != ()
    assert parts.checks == whole.checks


@pytest.mark.parametrize("what", ["y", "s", "w"])
def test_a_batch_in_which_nothing_is_left(what):
    rows = (np.arange(N) >= 514) & (np.arange(N) < 771)
    columns = {"y": POSITIVE.astype(float), "s": SCORES, "w": RNG.random(N) + 0.1}
    columns[what] = np.where(rows, 0.0 if what == "w" else np.nan, columns[what])
    whole, parts = both(columns, scores="s", weight="w", ci=None, nan_policy="drop")
    same_rows(whole, parts)


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


def test_functions_of_the_cases_read_them_whole():
    frame = pl.DataFrame({"y": POSITIVE, "a": SCORES, "b": 1 - SCORES})
    calls = (
        lambda data: mm.compare(data, label="y", scores=["a", "b"]).rows,
        lambda data: mm.interval(data, "auc", label="y", score="a").high,
        lambda data: mm.roc(data, label="y", score="a").area(),
        lambda data: mm.tabulate(data, label="y", score="a"),
    )
    for call in calls:
        assert call(frame.lazy()) == call(frame)


@pytest.mark.parametrize("ci", [None, 0.95])
def test_progress_grows_to_the_end(ci):
    lazy = pl.DataFrame({"y": POSITIVE, "a": SCORES, "b": 1 - SCORES}).lazy()
    done = []
    mm.evaluate(lazy, label="y", scores=["a", "b"], ci=ci, progress=done.append)
    assert done == sorted(done)
    assert len(done) > 10
    assert done[-1] == 1
