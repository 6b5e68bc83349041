"""Cases in buckets: the parts are those of the table of all cases, in memory or on disk."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metameasure.data import case_buckets
from metameasure.data.case_buckets import CaseBuckets
from metameasure.errors import DataError
from metameasure.table import ScoreTable


def whole(table):
    """The rows of all parts, one after the other."""
    parts = [part.without_empty_rows() for part in table]
    return ScoreTable(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("score", "pos", "neg")
        )
    )


def same(found, right):
    assert np.array_equal(found.score, right.score)
    assert np.allclose(found.pos, right.pos, rtol=1e-14, atol=0)
    assert np.allclose(found.neg, right.neg, rtol=1e-14, atol=0)


@settings(max_examples=25)
@given(data=st.data())
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["distinct", "ties", "one frequent", "constant", "infinite"])
def test_the_parts_are_the_table_of_all_cases(kind, weighted, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    n = data.draw(st.integers(1, 600))
    score = {
        "distinct": rng.normal(size=n),
        "ties": rng.integers(-3, 4, n) / 4 * rng.choice([-1.0, 1.0], n),
        "one frequent": np.where(rng.random(n) < 0.8, 0.5, rng.random(n)),
        "constant": np.full(n, -0.0),
        "infinite": rng.choice([-np.inf, 0.0, 1.0, np.inf], n),
    }[kind]
    if data.draw(st.booleans()):
        score = np.sort(score)[:: data.draw(st.sampled_from([1, -1]))]
    positive, weight = rng.random(n) < 0.4, rng.random(n) + 0.1 if weighted else None
    memory, largest = data.draw(st.integers(0, 4000)), data.draw(st.integers(100, 300))
    buckets = CaseBuckets(memory=memory, weighted=weighted, largest=largest)
    sample = data.draw(st.integers(100, 700))
    cuts = sorted(data.draw(st.sets(st.integers(0, n), max_size=8)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(case_buckets, "SAMPLE", sample)
        for begin, end in zip([0, *cuts], [*cuts, n], strict=True):
            each = (
                None if values is None else values[begin:end]
                for values in (positive, score, weight)
            )
            buckets.add(*each)
        table = buckets.table()
        right = ScoreTable.from_cases(positive, score, weight)
        for _ in range(2):
            same(whole(table), right)
        assert table.totals == pytest.approx((float(right.P), float(right.N)), rel=1e-13)
        assert all(part.score.size <= largest + 1 for part in table)
    buckets.close()


def test_a_full_disk_is_reported(monkeypatch):
    class Full:
        def seek(self, *_):
            raise OSError(28, "No space left on device")

        def close(self):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(case_buckets.tempfile, "TemporaryFile", lambda **_: Full())
    buckets = CaseBuckets(memory=100)
    with pytest.raises(DataError, match=r"No space left on device.*TMPDIR"):
        buckets.add(np.arange(10**6) % 2 == 0, np.random.default_rng(0).random(10**6))


def test_few_scores_take_few_rows():
    buckets = CaseBuckets()
    rng = np.random.default_rng(1)
    for _ in range(4):
        score = np.round(rng.random(2**18), 3)
        buckets.add(rng.random(2**18) < score, score)
    table = buckets.table()
    assert buckets.rows < 5000
    assert table.whole().score.size == 1001
