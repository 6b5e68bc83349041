"""The score table: building, cutting, taking, merging, storing."""

import math
import os
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metameasure as mm
from metameasure.kernels import compiled, plain
from metameasure.kernels.sums import BLOCK, dot
from metameasure.table import Point, score_table
from strategies import cases, table_of


def big(n=20_000, ties=False, seed=3):
    rng = np.random.default_rng(seed)
    scores = rng.random(n).round(2 if ties else 17)
    return rng.random(n) < 0.3, scores


@pytest.mark.parametrize("ties", [False, True])
def test_sorting_apart_gives_the_table_of_sorting_together(ties):
    labels, scores = big(ties=ties)
    apart = mm.ScoreTable.from_cases(labels, scores)
    together = mm.ScoreTable.from_cases(labels, scores, np.ones(labels.size))
    assert apart == together
    assert (apart.P, apart.N) == (together.P, together.N) == (labels.sum(), (~labels).sum())


def test_zero_and_minus_zero_are_one_score():
    for n in (1, 5000):
        labels = np.tile([True, False], n)
        scores = np.tile([-0.0, 0.0], n)
        table = mm.ScoreTable.from_cases(labels, scores)
        assert table.score.tolist() == [0.0]
        assert not np.signbit(table.score).any()
        assert mm.auc(table) == 0.5


def test_results_by_score_are_kept_for_each_function_and_its_arguments():
    calls = []

    def power(score, exponent, factor=1):
        calls.append((exponent, factor))
        return factor * score**exponent

    table = mm.ScoreTable([0.5, 0.25], [1, 1], [1, 0])
    for _ in range(2):
        assert table.by_score(power, 1).tolist() == [0.5, 0.25]
        assert table.by_score(power, 2).tolist() == [0.25, 0.0625]
        assert table.by_score(power, 2, 4).tolist() == [1.0, 0.25]
        assert table.by_score(np.negative).tolist() == [-0.5, -0.25]
    assert calls == [(1, 1), (2, 1), (2, 4)]


def test_the_clips_of_one_table_do_not_mix():
    table = mm.ScoreTable([1.0, 0.0], [3, 1], [1, 3])
    for clip in (1e-3, 1e-9, 1e-3):
        expected = -(2 * math.log(clip) + 6 * math.log1p(-clip)) / 8
        assert mm.log_loss(table, clip=clip) == pytest.approx(expected, rel=1e-12)


def test_infinite_scores_are_scores():
    assert mm.auc([1, 0, 1], [np.inf, -np.inf, 0.0]) == 1
    assert mm.auc(np.tile([1, 0], 4000), np.tile([np.inf, -np.inf], 4000)) == 1


def test_rows_without_weight_have_no_effect():
    bare = mm.ScoreTable([0.9, 0.5, 0.1], [1, 0, 1], [1, 0, 2])
    assert bare == mm.ScoreTable([0.9, 0.1], [1, 1], [1, 2])
    assert bare.distinct == 2


@given(cases(weights=True))
def test_pools_are_the_rows_that_a_row_of_the_hull_stands_for(some):
    table = table_of(some)
    first, last = table.pools
    assert first[0] == 0
    assert last[-1] == table.score.size - 1
    assert np.array_equal(first[1:], last[:-1] + 1)
    assert np.array_equal(table.hull.score, table.score[first])
    for whole, pooled in ((table.pos, table.hull.pos), (table.neg, table.hull.neg)):
        parts = [whole[begin : end + 1].sum() for begin, end in zip(first, last, strict=True)]
        assert np.allclose(pooled, parts)


@pytest.mark.parametrize("one_case_per_row", [False, True])
def test_what_is_known_of_counts_changes_no_value(one_case_per_row):
    rng = np.random.default_rng(2)
    pos = (rng.random((50, 12)) < 0.4).astype(float)
    made = mm.ScoreTable.of_counts(
        np.arange(12.0)[::-1], pos, 1 - pos, one_case_per_row=one_case_per_row
    )
    bare = mm.ScoreTable(np.arange(12.0)[::-1], pos, 1 - pos)
    assert made.one_case_per_row
    for text in ("precision@k=5", "accuracy@k=12", "tpr@k=2.5", "ndcg", "auc", "auch"):
        values = (mm.parse(text).compute(table) for table in (made, bare))
        assert np.array_equal(*values, equal_nan=True)


def test_a_known_total_makes_weights_no_counts():
    table = mm.ScoreTable([0.9, 0.5, 0.1], [0.5, 0.25, 0], [0, 0.25, 0.75])
    table.P, table.N = np.float64(0.75), np.float64(1.0)
    assert table.tp.tolist() == [0, 0.5, 0.75, 0.75]
    assert table.fp.tolist() == [0, 0, 0.25, 1]


@pytest.mark.parametrize(
    ("score", "pos", "neg", "message"),
    [
        ([0.1, 0.9], [1, 1], [0, 0], "must be non-increasing"),
        ([0.9, np.nan], [1, 1], [0, 0], "NaN"),
        ([0.9, 0.1], [1, -1], [0, 0], "negative"),
        ([0.9, 0.1], [1, np.inf], [0, 0], "infinite"),
        ([0.9, 0.1], [1, 1, 1], [0, 0], "must have the same shape"),
        ([], [], [], "rows >= 1"),
        ([0.9, 0.9], [[1, 1]], [[0, 0]], "duplicate score"),
    ],
)
def test_a_wrong_table_is_refused(score, pos, neg, message):
    with pytest.raises(mm.DataError, match=message):
        mm.ScoreTable(score, pos, neg)


def test_arrays_of_a_table_cannot_be_written_to_and_are_copies():
    score = np.array([0.9, 0.1])
    table = mm.ScoreTable(score, [1, 0], [0, 1])
    score[0] = 5
    assert table.score[0] == 0.9
    with pytest.raises(ValueError, match="read-only"):
        table.pos[0] = 3


@given(cases(), cases())
def test_merge_is_symmetric(some, others):
    one, other = table_of(some), table_of(others)
    assert np.allclose((one + other).pos, (other + one).pos)
    assert (one + other).score.tolist() == (other + one).score.tolist()


def test_merge_of_blocks():
    rng = np.random.default_rng(1)
    labels, scores = rng.random((3, 8)) < 0.5, rng.integers(0, 5, (3, 8)) / 4
    first, second = (
        mm.ScoreTable.from_cases(labels[:, s], scores[:, s]) for s in (slice(3), slice(3, 8))
    )
    together = mm.ScoreTable.from_cases(labels, scores)
    assert np.allclose(mm.brier(first + second), mm.brier(together))
    shared = mm.ScoreTable([0.9, 0.1], [[1, 0], [0, 1]], [[0, 1], [1, 0]])
    other = mm.ScoreTable([0.5, 0.1], [[1, 0], [0, 1]], [[0, 1], [1, 0]])
    assert (shared + other).pos.tolist() == [[1, 1, 0], [0, 0, 2]]
    with pytest.raises(mm.DataError, match="shapes"):
        shared.merge(mm.ScoreTable([0.9], [1], [1]))


def test_a_large_table_keeps_only_results_that_others_share(monkeypatch):
    monkeypatch.setattr(score_table, "KEPT", 2)
    asked = []

    def doubled(score, factor):
        asked.append(score.size)
        return factor * score

    for size, again in ((2, 1), (3, 2)):
        table = mm.ScoreTable(np.arange(size)[::-1], np.ones(size), np.ones(size))
        for _ in range(2):
            np.testing.assert_array_equal(table.by_score(doubled, 2.0), 2 * table.score)
        assert asked == [size] * again
        asked.clear()
    known = {}
    for _ in range(2):
        table.sharing(known).by_score(doubled, 3.0)
    assert asked == [3]


def test_take():
    labels, scores = big(2000)
    table = mm.ScoreTable.from_cases(labels, scores)
    rows = np.array([5, 3, 3, 900])
    taken = table.take(rows)
    expected = mm.ScoreTable.from_cases(table.pos[rows] > 0, table.score[rows])
    assert taken == expected
    block = table.take(np.array([[5, 3, 3, 900], [0, 1, 2, 3]]))
    assert block.shape == (2,)
    assert mm.brier(block).tolist() == pytest.approx(
        [mm.brier(taken), mm.brier(table.take(range(4)))]
    )
    for wrong in ([-1], [table.score.size], []):
        with pytest.raises(mm.DataError, match="row indices"):
            table.take(wrong)
    with pytest.raises(mm.DataError, match="block"):
        block.take([0])


@pytest.mark.parametrize(
    "table",
    [
        mm.tabulate([1, 0, 1, 0], [0.9, 0.5, 0.5, 1 / 3]),
        mm.tabulate_lists([1, 0, 1], [[0.9, 0.5, 0.5], [0.1, 0.2, 0.3]]),
        mm.ScoreTable([0.9, 0.1], [[1, 0], [2.5, 1]], [[0, 1], [1, 0]]),
    ],
    ids=["one", "block", "shared scores"],
)
def test_a_stored_table_is_the_same(tmp_path, table):
    table.save(tmp_path / "table.parquet")
    assert mm.ScoreTable.load(tmp_path / "table.parquet") == table
    assert [p.name for p in tmp_path.iterdir()] == ["table.parquet"]


def test_the_name_of_a_stored_table_is_not_a_pattern(tmp_path):
    named, other = mm.tabulate([1, 0], [0.9, 0.1]), mm.tabulate([1, 0], [0.2, 0.7])
    named.save(tmp_path / "t[1].parquet")
    other.save(tmp_path / "t1.parquet")
    assert mm.ScoreTable.load(tmp_path / "t[1].parquet") == named


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have Unicode names")
def test_the_name_of_a_stored_table_need_not_be_utf_8(tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.parquet")
    table = mm.tabulate([1, 0], [0.9, 0.1])
    table.save(path)
    assert mm.ScoreTable.load(path) == table


def test_what_is_no_stored_table_is_refused(tmp_path):
    import polars as pl

    file = tmp_path / "table.parquet"
    with pytest.raises(mm.DataError, match="file not found"):
        mm.ScoreTable.load(file)
    mm.tabulate([1, 0], [0.9, 0.1]).save(file)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(mm.DataError, match="not a valid Parquet file"):
        mm.ScoreTable.load(file)
    pl.DataFrame({"score": [1.0]}).write_parquet(file)
    with pytest.raises(mm.DataError, match="does not contain a score table"):
        mm.ScoreTable.load(file)
    pl.DataFrame({"score": [1.0]}).write_parquet(file, metadata={"metameasure.score_table": "99"})
    with pytest.raises(mm.DataError, match="format version 99"):
        mm.ScoreTable.load(file)


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    import polars as pl

    file = tmp_path / "table.parquet"
    table = mm.tabulate([1, 0], [0.9, 0.1])
    table.save(file)

    def broken(*_, **__):
        raise OSError("disk full")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", broken)
    with pytest.raises(mm.DataError, match="disk full"):
        (table + table).save(file)
    assert mm.ScoreTable.load(file) == table
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("text", ["0.3", "0", "-2.5", "top=10%", "top=33.3%", "k=10", "k=2.5",
                                  "k=P", "fpr=0.01", "tpr=0.95", "top=0.1%"])  # fmt: skip
def test_the_text_of_a_point(text):
    assert str(Point.read(text)) == text
    assert Point.read(str(Point.read(text))) == Point.read(text)


@given(st.sampled_from(["threshold", "top", "k", "fpr", "tpr"]), st.floats(0, 1))
def test_any_point_reads_back(kind, value):
    assert Point.read(str(Point(kind, value))) == Point(kind, value)


@pytest.mark.parametrize(
    "text", ["x", "top=2", "top=-1%", "k=-1", "fpr=P", "nosuch=3", "top=", "nan"]
)
def test_what_is_no_point_is_refused(text):
    with pytest.raises(mm.ParameterError):
        Point.read(text)


@given(
    st.lists(cases(weights=True), min_size=1, max_size=3), st.sampled_from([0.0, 0.1, 0.25, 1.0])
)
def test_kernels_equal_their_twins(lists, margin):
    for some in lists:
        table = table_of(some)
        pos, neg, score = (a[np.newaxis] for a in (table.pos, table.neg, table.score))
        for one, other in zip(plain.pool(pos, neg), compiled.pool(pos, neg), strict=True):
            assert np.allclose(one, other, atol=1e-12)
        assert np.array_equal(plain.rows_within(score, margin), compiled.rows_within(score, margin))
        first = pos[:, 0], pos[:, 0] + 0.5, neg[:, 0]
        assert np.allclose(plain.first_positive(*first), compiled.first_positive(*first))
        place = np.concatenate([[[0.0]], np.cumsum(pos + neg, axis=1)], axis=1)
        if place[0, -1] > 0:
            window = np.minimum(2.0, place[:, -1])
            height = np.sin(place)
            ours = [k.window_gap(place, height, window) for k in (plain, compiled)]
            assert np.allclose(*ours)


def scores_that(crowd, rng, n):
    """Falling scores, some of which differ by a margin but for the rounding of the difference."""
    found = {
        "spread": rng.random(n),
        "in_hundredths": rng.integers(0, 101, n) / 100,
        "in_one_cell": 0.5 + rng.random(n) * 1e-9,
        "in_two_heaps": rng.integers(0, 2, n) * 0.9 + rng.random(n) * 0.1,
        "at_the_ends": rng.choice([0.0, 5e-324, 1e-17, 0.5, np.nextafter(1, 0), 1.0], n),
    }[crowd]
    return -np.sort(-found)


@pytest.mark.parametrize("share", [0.02, 0.5, 0.98])
@pytest.mark.parametrize(
    "crowd", ["spread", "in_hundredths", "in_one_cell", "in_two_heaps", "at_the_ends"]
)
def test_pairs_beyond_margins_are_counted_one_by_one(crowd, share):
    rng = np.random.default_rng(17)
    margins = np.array([0.0, 1e-10, 0.05, 0.35, 0.9, 0.3, 1.0])
    for n, whole in ((1, True), (90, False), (400, True), (400, False)):
        is_pos = rng.random((3, n)) < share
        weight = rng.integers(0, 4, (3, n)) if whole else rng.random((3, n))
        pos, neg = np.where(is_pos, weight, 0.0), np.where(is_pos, 0.0, weight)
        pos[2], neg[2] = weight[2], weight[1]
        own = np.stack([scores_that(crowd, rng, n) for _ in range(3)])
        for score in (own, own[:1]):
            gap, pairs = score[:, :, None] - score[:, None], pos[:, :, None] * neg[:, None]
            right = np.stack([(pairs * (gap > m)).sum(axis=(1, 2)) for m in margins], axis=1)
            for kernel in (plain, compiled):
                found = kernel.pairs_beyond(score, pos, neg, margins)
                assert found == pytest.approx(right, rel=1e-13, abs=1e-13 * right.max())
                if whole:
                    assert (found == right).all()


def test_pairs_of_scores_without_weight_are_none():
    score = np.array([[np.inf, 2.0, 0.75, 0.25, -3.0, -np.inf]])
    pos, neg = np.array([[0.0, 0, 3, 0, 0, 0]]), np.array([[0.0, 0, 0, 2, 0, 0]])
    for kernel in (plain, compiled):
        found = [
            kernel.pairs_beyond(score, *w, np.array([0.0, 0.5])) for w in ((pos, neg), (neg, pos))
        ]
        assert [one.tolist() for one in found] == [[[6.0, 0.0]], [[0.0, 0.0]]]
        for w in ((0 * pos, neg), (pos, 0 * neg)):
            assert kernel.pairs_beyond(score, *w, np.array([0.0])).tolist() == [[0.0]]


@pytest.mark.parametrize("n", [1, BLOCK - 1, BLOCK, BLOCK + 1, 10 * BLOCK + 7])
def test_dot(n):
    rng = np.random.default_rng(n)
    a, b = rng.random(n), rng.random(n)
    assert dot(a, b) == pytest.approx(np.sum(a.astype(np.longdouble) * b), rel=1e-14)
    assert np.allclose(dot(np.stack([a, b]), a), [dot(a, a), dot(b, a)])


@pytest.mark.parametrize("tables", [3, 600])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_block_of_cases_is_the_tables_of_its_rows(tables, weighted):
    """Scores that differ only in the last bit, zeros of both signs, infinities, many tables."""
    rng = np.random.default_rng(tables)
    close = [0.5, np.nextafter(0.5, 1), np.nextafter(0.5, 0), -1.0, np.nextafter(-1.0, 0)]
    odd = np.array([*close, 0.0, -0.0, np.inf, -np.inf, 5e-324])
    score = np.where(rng.random((tables, 9)) < 0.7, rng.choice(odd, (tables, 9)), 0.3)
    positive = rng.random(score.shape) < 0.5
    weight = rng.integers(0, 3, score.shape) * 1.0 if weighted else None
    block = mm.ScoreTable.from_cases(positive, score, weight)
    for row in range(3):
        one = mm.ScoreTable.from_cases(
            positive[row], score[row], None if weight is None else weight[row]
        )
        kept = block.weight[row] > 0
        for name in ("score", "pos", "neg"):
            array = getattr(block, name)[row][kept] if kept.any() else getattr(one, name)
            assert np.array_equal(array, getattr(one, name))
        assert np.array_equal(block.tp[row][-1], one.P)
        assert mm.auc.compute(block)[row] == pytest.approx(mm.auc.compute(one), nan_ok=True)


def test_an_operating_point_is_a_threshold_or_text():
    table = mm.tabulate([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    for text, point in (
        (0.5, Point("threshold", 0.5)),
        (np.float32(0.5), Point("threshold", 0.5)),
        (1, Point("threshold", 1)),
        ("0.5", Point("threshold", 0.5)),
        ("top=10%", Point("top", 0.1)),
        ("k=P", Point("k", "P")),
    ):
        assert table.at(text) is table.at(point)
        assert mm.accuracy.at(text) == mm.accuracy.at(point)
        assert mm.accuracy.at(text)(table) == mm.accuracy.at(point)(table)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (None, "an operating point must be a threshold or text, got None; pass a number"),
        ([0.5], "an operating point must be a threshold or text"),
        (True, "threshold must be a number, got True"),
        (np.nan, "threshold must be a number, got nan"),
        ("nonsense", "threshold must be a number, got 'nonsense'"),
        ("x=3", "'@x=3' is not an operating point"),
    ],
)
def test_what_is_not_an_operating_point_is_refused(wrong, message):
    for at in (mm.tabulate([1, 0], [0.9, 0.5]).at, mm.accuracy.at):
        with pytest.raises(mm.ParameterError, match=message):
            at(wrong)
