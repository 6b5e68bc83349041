"""NRI and IDI against sums over the cases."""

import numpy as np
import polars as pl
import pytest
from scipy.special import expit, stdtr, stdtrit

import metameasure as mm

close = pytest.approx


def drawn(n=200, seed=1):
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.3
    old = expit(label + rng.normal(-1, 1, n))
    new = np.round(expit(1.5 * label + rng.normal(-1.2, 1, n)), 2)
    new[:5] = old[:5]
    return label, {"old": old, "new": new}


def by_hand(label, old, new, cuts):
    """Pencina et al. (2008, Eqs. 4 and 13; 2011): counts of moves up and down in each class."""

    def category(score):
        return sum(score >= cut for cut in cuts)

    found = {}
    for name, of in (("continuous_nri", float), ("categorical_nri", category)):
        parts = []
        for wanted, sign in ((True, 1), (False, -1)):
            moves = [(of(a), of(b)) for y, a, b in zip(label, old, new, strict=True) if y == wanted]
            up, down = sum(b > a for a, b in moves), sum(b < a for a, b in moves)
            parts.append(sign * (up - down) / len(moves))
        found[name] = [sum(parts), *parts]
    slopes = [np.mean(s[label]) - np.mean(s[~label]) for s in (old, new)]
    part = np.mean(new[label]) - np.mean(old[label])
    found["idi"] = [slopes[1] - slopes[0], part, slopes[1] - slopes[0] - part]
    return found


def test_indices_are_sums_over_cases():
    label, models = drawn()
    result = mm.reclassification(label, models, cuts=[0.2, 0.5])
    expected = by_hand(label, models["old"], models["new"], [0.2, 0.5])
    for name, values in expected.items():
        rows = {row.cases: row.value for row in result.rows if row.index == name}
        assert [rows[cases] for cases in ("all", "positives", "negatives")] == close(values)


def test_limits_and_pvalue_of_idi_by_hand():
    label, models = drawn()
    row = next(r for r in mm.reclassification(label, models).rows if r.index == "idi")
    gap = models["new"] - models["old"]
    n = label.size
    square = sum(np.var(gap[some]) / some.sum() for some in (label, ~label)) * n / (n - 1)
    degrees = 2 * min(label.sum(), (~label).sum()) - 1
    reach = stdtrit(degrees, 0.975) * np.sqrt(square)
    assert (row.low, row.high) == close((row.value - reach, row.value + reach))
    assert row.pvalue == close(2 * stdtr(degrees, -abs(row.value) / np.sqrt(square)))


def test_weights_repeat_cases_and_clusters_widen():
    label, models = drawn(60)
    times = np.arange(60) % 3 + 1
    repeated = {name: np.repeat(score, times) for name, score in models.items()}
    weighted = mm.reclassification(label, models, sample_weight=times)
    many = mm.reclassification(np.repeat(label, times), repeated)
    assert [r.value for r in weighted.rows] == close([r.value for r in many.rows])
    cluster = np.repeat(np.arange(60), times)
    together = mm.reclassification(np.repeat(label, times), repeated, cluster=cluster)
    assert together.rows[0].high - together.rows[0].low > many.rows[0].high - many.rows[0].low


def test_categories_hold_all_cases_and_a_cut_belongs_to_the_one_above():
    result = mm.reclassification(
        [1, 0, 1], {"a": [0.5, 0.4, 0.2], "b": [0.4, 0.5, 0.5]}, cuts=[0.5], mute="MM25"
    )
    cells = {(c.old, c.new): (c.positives, c.negatives) for c in result.cells}
    assert cells == {(0, 0): (0, 0), (0, 0.5): (1, 1), (0.5, 0): (1, 0), (0.5, 0.5): (0, 0)}
    assert not result.checks


def test_the_order_of_the_models_changes_the_sign():
    label, models = drawn()
    first, second = (mm.reclassification(label, models, reference=old) for old in ("old", "new"))
    assert [r.value for r in first.rows] == close([-r.value for r in second.rows])
    assert (second.meta["old"], second.meta["new"]) == ("new", "old")


def test_the_check_says_if_the_brier_score_is_worse():
    label, models = drawn()
    noisy = {"old": models["new"], "new": expit(3 * (models["new"] - 0.1) * 4 - 6)}
    (check,) = mm.reclassification(label, noisy).checks
    assert (check.code, check.name) == ("MM25", "reclassification-defects")
    worse = mm.brier(label, noisy["new"]) > mm.brier(label, noisy["old"])
    assert worse
    assert check.message.startswith("the Brier score is worse")


def test_equal_models_have_no_limits():
    label, models = drawn()
    same = {"a": models["old"], "b": models["old"]}
    assert {(r.value, r.low, r.pvalue) for r in mm.reclassification(label, same).rows} == {
        (0.0, None, None)
    }


@pytest.mark.parametrize(
    ("models", "options", "message"),
    [
        ({"a": [0.1, 0.9]}, {}, "needs two models, got 1"),
        ({"a": [0.1, 0.9], "b": [0.1, 1.9]}, {}, r"\[0, 1\]"),
        ({"a": [0.1, 0.9], "b": [0.1, 0.9]}, {"cuts": [2]}, r"cuts must be in \(0, 1\]"),
        ({"a": [0.1, 0.9], "b": [0.1, 0.9]}, {"reference": "c"}, "reference must be one of"),
    ],
)
def test_wrong_arguments(models, options, message):
    with pytest.raises((mm.ParameterError, mm.DataError), match=message):
        mm.reclassification([0, 1], models, **options)


def test_one_class_is_refused():
    with pytest.raises(mm.DataError, match="a class is empty"):
        mm.reclassification([1, 1], {"a": [0.1, 0.9], "b": [0.1, 0.9]})


def test_the_command_shows_the_table(run, tmp_path):
    label, models = drawn(40)
    file = tmp_path / "cases.csv"
    pl.DataFrame({"y": label.astype(int), **models}).write_csv(file)
    options = ("--label", "y", "--score", "old,new", "--cuts", "0.2", "0.5")
    result = run("reclassification", str(file), *options)
    assert result.code == 0, result.err
    assert "categorical_nri" in result.out
    assert "from 0.5" in result.out
