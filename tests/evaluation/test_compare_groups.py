"""Groups against each other, against slow definitions and those of fairness."""

import json
import math
from itertools import product
from statistics import NormalDist

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import metameasure as mm
from metameasure.errors import DataError, ParameterError

Z = NormalDist().inv_cdf(0.975)
REGIONS = np.array(["north", "south", "east"])


def data(n=900, seed=4, spread=1.0):
    """Labels, probabilities, regions and sexes; scores of the east are noisier by a factor."""
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.4
    region, sex = REGIONS[rng.integers(0, 3, n)], np.array(["f", "m"])[rng.integers(0, 2, n)]
    noise = rng.normal(size=n) * np.where(region == "east", spread, 1.0)
    return label, 1 / (1 + np.exp(-1.6 * (label - 0.5) - noise)), region, sex


LABEL, SCORE, REGION, SEX = data(spread=2.5)


def close(right, rel=1e-9):
    return pytest.approx(right, rel=rel, abs=1e-12)


def rows_of(found, measure="auc", by=None):
    return {
        row.group: row
        for row in found.rows
        if row.measure == measure and row.by is not None and by in {None, row.by}
    }


def gap_of(found, measure):
    return next(gap for gap in found.gaps if gap.measure == measure)


def codes(found):
    return {check.code for check in found.checks}


def wins(positives, negatives):
    return (positives[:, np.newaxis] > negatives) + 0.5 * (positives[:, np.newaxis] == negatives)


def auc_and_variance(label, score):
    """The AUC and DeLong's variance, from all pairs."""
    pairs = wins(score[label], score[~label])
    parts = pairs.mean(axis=1), pairs.mean(axis=0)
    return pairs.mean(), sum(np.var(part, ddof=1) / part.size for part in parts)


# -------------------------------------------------------------------------- definitions


def test_values_are_those_of_evaluate():
    found = mm.compare_groups(LABEL, SCORE, "auc, brier", group=REGION, threshold=0.3)
    expected = mm.evaluate(LABEL, SCORE, "auc, brier, tpr@0.3, fpr@0.3", group=REGION)
    right = {(row.group, str(row.measure)): row for row in expected.rows}
    mine = {(row.group, row.measure): row for row in found.rows}
    for key, row in right.items():
        assert mine[key].value == row.value
        assert (mine[key].low, mine[key].high) == (row.low, row.high)
        assert (mine[key].n, mine[key].n_pos, mine[key].method) == (row.n, row.n_pos, row.method)
    assert len(mine) == len(right) + 4


def test_differences_of_the_auc_are_the_unpaired_test_of_delong():
    tied = np.round(SCORE, 1)
    for row in rows_of(mm.compare_groups(LABEL, tied, group=REGION)).values():
        inside = row.group == REGION
        (a, first), (b, second) = (
            auc_and_variance(LABEL[part], tied[part]) for part in (inside, ~inside)
        )
        error = math.sqrt(first + second)
        assert row.test == "delong"
        assert (row.value, row.rest, row.difference) == close((a, b, a - b))
        assert (row.difference_low, row.difference_high) == close(
            (a - b - Z * error, a - b + Z * error)
        )
        assert row.pvalue == close(2 * stats.norm.sf(abs(a - b) / error), 1e-6)
        assert row.ratio is None


def test_differences_of_rates_are_newcombes_from_wilsons_limits():
    found = rows_of(mm.compare_groups(LABEL, SCORE, group=REGION), "fpr")
    for row in found.values():
        parts = []
        for part in (row.group == REGION, row.group != REGION):
            chosen = SCORE[part & ~LABEL] >= 0.5
            limits = stats.binomtest(int(chosen.sum()), chosen.size).proportion_ci(0.95, "wilson")
            parts.append((chosen.mean(), limits.low, limits.high))
        (p, low, high), (q, rest_low, rest_high) = parts
        assert row.difference == close(p - q)
        assert row.difference_low == close(p - q - math.hypot(p - low, rest_high - q))
        assert row.difference_high == close(p - q + math.hypot(high - p, q - rest_low))
        assert (row.ratio, row.test) == (close(p / q), "mover")
        assert row.ratio_low < row.ratio < row.ratio_high


def test_pvalues_are_adjusted_by_holm():
    found = mm.compare_groups(LABEL, SCORE, group={"both": REGION + SEX}, rates=False)
    rows = list(rows_of(found).values())
    order = np.argsort([row.pvalue for row in rows])
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(rows) - rank) * rows[place].pvalue))
        assert rows[place].adjusted_pvalue == close(highest)


def test_two_groups_are_one_hypothesis():
    f, m = rows_of(mm.compare_groups(LABEL, SCORE, group=SEX)).values()
    assert f.difference == close(-m.difference)
    assert f.pvalue == f.adjusted_pvalue == close(m.pvalue)


def rates_by_hand(label, score, group):
    """The selection rate, TPR and FPR of each group, by counting cases."""
    found = {"selection_rate": {}, "tpr": {}, "fpr": {}}
    for name in sorted(set(group.tolist())):
        cases = [(y, s >= 0.5) for y, s, g in zip(label, score, group, strict=True) if g == name]
        chosen = {
            "selection_rate": [c for _, c in cases],
            "tpr": [c for y, c in cases if y],
            "fpr": [c for y, c in cases if not y],
        }
        for rate, each in chosen.items():
            found[rate][name] = sum(each) / len(each)
    return found


def test_gaps_of_rates_are_those_of_fairness():
    rates = rates_by_hand(LABEL, SCORE, REGION)
    found = mm.compare_groups(LABEL, SCORE, group=REGION)
    spans = {r: max(v.values()) - min(v.values()) for r, v in rates.items()}
    shares = {r: min(v.values()) / max(v.values()) for r, v in rates.items()}
    for rate, values in rates.items():
        gap = gap_of(found, rate)
        assert (gap.difference, gap.ratio) == close((spans[rate], shares[rate]))
        assert gap.highest == max(values, key=values.get)
        assert gap.lowest == min(values, key=values.get)
        assert gap.low <= gap.difference <= gap.high
        assert gap.ratio_low <= gap.ratio <= gap.ratio_high
    assert gap_of(found, "selection_rate").criterion == "demographic parity"
    odds = next(gap for gap in found.gaps if gap.criterion == "equalized odds")
    assert odds.difference == close(max(spans["tpr"], spans["fpr"]))
    assert odds.ratio == close(min(shares["tpr"], shares["fpr"]))
    parts = [gap_of(found, "tpr"), gap_of(found, "fpr")]
    assert odds.pvalue == close(min(1, 2 * min(part.pvalue for part in parts)))
    assert odds.high >= max(part.high for part in parts)


def test_weighted_values_and_the_rest():
    weight = np.random.default_rng(1).integers(0, 4, LABEL.size).astype(float)
    found = mm.compare_groups(LABEL, SCORE, group=REGION, sample_weight=weight)
    for row in rows_of(found).values():
        for part, value in ((row.group == REGION, row.value), (row.group != REGION, row.rest)):
            expected = mm.auc(LABEL[part], SCORE[part], sample_weight=weight[part])
            assert value == close(expected)
    chosen, used = SCORE >= 0.5, weight > 0
    for row in rows_of(found, "selection_rate").values():
        part = row.group == REGION
        assert row.value == close(np.average(chosen[part], weights=weight[part]))
        assert row.n == np.count_nonzero(part & used)


def test_weights_of_one_change_nothing_but_methods():
    plain = mm.compare_groups(LABEL, SCORE, group=REGION, rates=False)
    found = mm.compare_groups(
        LABEL, SCORE, group=REGION, rates=False, sample_weight=np.full(LABEL.size, 2.0)
    )
    for one, other in zip(plain.rows, found.rows, strict=True):
        assert one.value == close(other.value)
        if one.by is not None:
            assert one.pvalue == close(other.pvalue, 1e-6)


# -------------------------------------------------------------------------- type I error


@pytest.mark.parametrize("method", ["auto", "mover"])
def test_equal_groups_are_rejected_in_about_5_percent(method):
    def significant(label, score, region, _):
        found = mm.compare_groups(label, score, group=region, rates=False, method=method)
        rows = rows_of(found).values()
        return found.gaps[0].pvalue < 0.05, min(row.adjusted_pvalue for row in rows) < 0.05

    gap, some_group = np.mean([significant(*data(300, seed)) for seed in range(300)], axis=0)
    assert 0.02 <= gap <= 0.08
    assert some_group <= 0.08


# ------------------------------------------------------------------------------ clusters


def paired_groups(n=400, seed=2):
    """Two models on the same cases, as two groups whose clusters are the cases."""
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.4
    common, *own = rng.normal(size=(3, n))
    scores = {name: label + common + 0.5 * noise for name, noise in zip("ab", own, strict=True)}
    both = np.concatenate([label, label])
    groups, cases = np.repeat(["a", "b"], n), np.tile(np.arange(n), 2)
    return label, scores, (both, np.concatenate(list(scores.values()))), groups, cases


@pytest.mark.parametrize("measure", ["auc", "tpr@0.8", "average_precision"])
def test_clusters_in_several_groups_make_a_paired_comparison(measure):
    label, scores, stacked, group, cluster = paired_groups()
    found = mm.compare_groups(*stacked, measure, group=group, cluster=cluster, rates=False)
    alone = mm.compare_groups(*stacked, measure, group=group, rates=False)
    (pair,) = mm.compare(label, scores, measure, method="linearized").rows
    row, independent = rows_of(found, measure)["a"], rows_of(alone, measure)["a"]
    assert row.difference == close(pair.difference)
    width = pair.high - pair.low
    # Limits of an average precision are those of rankings with added cases, hence wider.
    assert row.difference_high - row.difference_low == pytest.approx(width, rel=0.12)
    assert independent.difference_high - independent.difference_low > 1.3 * width
    assert found.gaps[0].high - found.gaps[0].low < alone.gaps[0].high - alone.gaps[0].low


def test_clusters_inside_groups_are_independent():
    cluster = np.char.add(REGION, (np.arange(LABEL.size) % 40).astype(str))
    found = mm.compare_groups(LABEL, SCORE, group=REGION, cluster=cluster)
    for row in rows_of(found).values():
        inside, outside = (
            mm.interval(LABEL[part], SCORE[part], "auc", cluster=cluster[part])
            for part in (row.group == REGION, row.group != REGION)
        )
        reach = math.hypot(inside.value - inside.low, outside.high - outside.value)
        assert row.test == "mover"
        assert row.difference_low == close(row.difference - reach)


def test_a_measure_without_known_correlation_is_refused():
    @mm.measure(range=(0, 1))
    def squared_auc(table):
        """The square of the AUC."""
        return mm.auc.compute(table) ** 2

    cluster = np.arange(LABEL.size) // 3
    with pytest.raises(DataError, match="clusters have cases in several groups of 'group'") as e:
        mm.compare_groups(LABEL, SCORE, squared_auc, group=REGION, cluster=cluster)
    assert e.value.argument == "cluster"
    inside = np.char.add(REGION, (np.arange(LABEL.size) % 40).astype(str))
    found = mm.compare_groups(LABEL, SCORE, squared_auc, group=REGION, cluster=inside, resamples=50)
    assert gap_of(found, "squared_auc").groups == 3


# ------------------------------------------------------------------------------- columns


def test_several_columns_and_crossed_groups():
    both = {"region": REGION, "sex": SEX}
    found = mm.compare_groups(LABEL, SCORE, group=both, crossed=True, rates=False)
    assert [gap.by for gap in found.gaps] == ["region", "sex", "region × sex"]
    crossed = rows_of(found, by="region × sex")
    assert set(crossed) == {f"{r} × {s}" for r, s in product(REGIONS, "fm")}
    for row in crossed.values():
        region, sex = row.group.split(" × ")
        part = (region == REGION) & (sex == SEX)
        assert (row.n, row.value) == (part.sum(), close(mm.auc(LABEL[part], SCORE[part])))
    single = mm.compare_groups(LABEL, SCORE, group=SEX, rates=False)
    assert rows_of(found, by="sex")["f"].pvalue == rows_of(single)["f"].pvalue


def test_frames_files_and_arrays_agree(tmp_path):
    columns = {"y": LABEL.astype(int), "s": SCORE, "region": REGION, "sex": SEX}
    frame = pl.DataFrame(columns)
    frame.write_csv(tmp_path / "p.csv")
    options = {"label": "y", "scores": "s", "group": ["region", "sex"]}
    arrays = mm.compare_groups(LABEL, {"s": SCORE}, group={"region": REGION, "sex": SEX})
    groups = pd.DataFrame({"region": REGION, "sex": SEX})
    found = [
        mm.compare_groups(frame, **options),
        mm.compare_groups(pd.DataFrame(columns), **options),
        mm.compare_groups(tmp_path / "p.csv", **options),
        mm.compare_groups(LABEL, {"s": SCORE}, group=groups),
    ]
    for one in found:
        assert one.rows == arrays.rows
        assert one.gaps == arrays.gaps
    assert isinstance(found[1].frame(), pd.DataFrame)
    series = mm.compare_groups(LABEL, SCORE, group=pd.Series(SEX, name="sex"))
    assert series.gaps[0].by == "sex"


def test_several_models():
    scores = {"a": SCORE, "b": SCORE**2}
    found = mm.compare_groups(LABEL, scores, group=SEX)
    alone = mm.compare_groups(LABEL, {"b": scores["b"]}, group=SEX)
    assert [row for row in found.rows if row.model == "b"] == list(alone.rows)
    assert "values of b by group" in str(found)


def test_missing_groups():
    group = REGION.astype(object).copy()
    group[:7] = None
    with pytest.raises(DataError, match="7 of 900 values of group are missing"):
        mm.compare_groups(LABEL, SCORE, group=group)
    found = mm.compare_groups(LABEL, SCORE, group=group, nan_policy="drop")
    assert (found.meta["n"], found.meta["dropped"]) == (893, 7)


# --------------------------------------------------------------------- small and odd groups


def test_small_groups_are_flagged_and_one_class_is_left_out():
    group = REGION.astype(object).copy()
    group[np.flatnonzero(LABEL)[:5]] = "only positives"
    group[np.flatnonzero(LABEL)[5:9]] = group[np.flatnonzero(~LABEL)[:4]] = "tiny"
    found = mm.compare_groups(LABEL, SCORE, group=group)
    flagged = {(check.code, check.group) for check in found.checks}
    assert {("MM01", "tiny"), ("MM02", "only positives")} <= flagged
    row = rows_of(found)["only positives"]
    assert math.isnan(row.value)
    assert row.pvalue is row.adjusted_pvalue is row.difference is None
    assert gap_of(found, "auc").groups == 4
    assert gap_of(found, "tpr").groups == 5
    assert all(math.isfinite(gap.difference) for gap in found.gaps)
    assert rows_of(found)["tiny"].test == "mover"


def test_delong_is_asked_for_by_name():
    part = slice(0, 120)
    auto, forced = (
        rows_of(mm.compare_groups(LABEL[part], SCORE[part], group=REGION[part], method=method))
        for method in ("auto", "delong")
    )
    assert {row.test for row in auto.values()} == {"mover"}
    assert {row.test for row in forced.values()} == {"delong"}


def test_scores_outside_0_and_1_have_rates_only_at_a_chosen_threshold():
    logits = np.log(SCORE / (1 - SCORE))
    found = mm.compare_groups(LABEL, logits, group=SEX)
    assert {row.measure for row in found.rows} == {"auc"}
    assert {one.measure for one in found.left_out} == {"selection_rate", "tpr", "fpr"}
    assert "left out for model" in str(found)
    chosen = mm.compare_groups(LABEL, logits, group=SEX, threshold=0)
    plain = mm.compare_groups(LABEL, SCORE, group=SEX)
    assert gap_of(chosen, "tpr@0").difference == close(gap_of(plain, "tpr").difference)


def test_many_groups_have_a_short_page_with_all_rows_in_the_data():
    group = np.arange(LABEL.size) % 60
    found = mm.compare_groups(LABEL, SCORE, group=group, rates=False)
    assert len(rows_of(found)) == 60
    assert "the 15 of 60 groups with the smallest p-values" in str(found)
    assert len(str(found).splitlines()) < 50


def test_hostile_names_are_escaped():
    group = np.where(SEX == "f", "<b>\x1b[31m", "m")
    found = mm.compare_groups(LABEL, SCORE, group={"<i>\x1b": group})
    assert "\x1b" not in str(found)
    assert "<b>\\x1b" not in found.to_html()
    assert json.loads(found.to_json())["gaps"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "group is missing"),
        ({"group": ["a"] * 900}, "need at least two groups, but 'group' has only 'a'"),
        ({"group": SEX, "crossed": True}, "crossed needs at least two columns of groups, got 1"),
        ({"group": SEX, "measures": "mean_over(auc)"}, "measures must have values in each group"),
        ({"group": SEX, "rates": False, "threshold": 0.4}, "threshold has no effect"),
        ({"group": SEX, "method": "wald"}, "method must be one of"),
        ({"group": {}}, "group is empty"),
        ({"group": SEX[1:]}, "y_true and group differ in length: 900 and 899"),
    ],
)
def test_wrong_arguments(options, message):
    with pytest.raises((DataError, ParameterError), match=message):
        mm.compare_groups(LABEL, SCORE, **options)


def test_tables_and_several_classes_are_refused():
    with pytest.raises(ParameterError, match="group does not apply to score tables"):
        mm.compare_groups(mm.tabulate(LABEL, SCORE), group=SEX)
    with pytest.raises(ParameterError, match="group does not apply to scores for several classes"):
        mm.compare_groups(LABEL, np.column_stack([1 - SCORE, SCORE / 2, SCORE / 2]), group=SEX)
    frame = pl.DataFrame({"y": LABEL, "s": SCORE})
    with pytest.raises(ParameterError, match="there is no column 'sex'") as raised:
        mm.compare_groups(frame, label="y", scores="s", group="sex")
    assert raised.value.argument == "group"


def test_the_page_says_of_which_rates_equalized_odds_are():
    label, group = np.resize([1, 0], 400), np.repeat(["a", "b"], 200)
    few = np.arange(400) % 40 < np.where(group == "a", 1, 4)  # false positives
    most = np.arange(400) % 10 < np.where(group == "a", 5, 9)  # true positives
    score = np.where(label == 1, most, few).astype(float)
    found = mm.compare_groups(label, score, group={"site": group})
    tpr, fpr = gap_of(found, "tpr"), gap_of(found, "fpr")
    assert tpr.difference > fpr.difference
    assert tpr.ratio > fpr.ratio
    line = "equalized odds by site: the difference is that of tpr, the ratio that of fpr"
    assert line in str(found).splitlines()


def test_the_page_says_what_is_adjusted():
    found = mm.compare_groups(LABEL, SCORE, group=REGION)
    assert "p-values are adjusted for the number of groups, intervals are not" in str(found)


@pytest.mark.parametrize("method", ["delong", "mover"])
def test_the_gap_of_two_groups_is_their_difference(method):
    """By DeLong's test of two samples the p-value differs from that of the limits."""
    found = mm.compare_groups(LABEL, SCORE, group=SEX, method=method)
    for gap in found.gaps:
        if gap.criterion == "equalized odds":
            continue
        rows = rows_of(found, gap.measure, "group")
        higher = rows[gap.highest]
        assert gap.difference == close(higher.value - rows[gap.lowest].value)
        assert gap.pvalue == higher.pvalue == close(rows[gap.lowest].pvalue)
        ends = [higher.difference_low, higher.difference_high]
        assert gap.low == close(max(ends[0], 0))
        assert gap.high == close(max(abs(end) for end in ends))
    assert "the largest gap of two groups is their difference" in str(found)
    assert "simultaneous" in str(mm.compare_groups(LABEL, SCORE, group=REGION))


def test_a_column_with_a_value_per_case_is_no_group():
    many = np.arange(900)
    some = mm.compare_groups(LABEL, SCORE, group=many // 30, rates=False)
    assert len(some.rows) == 31
    label, score = np.tile(LABEL, 2), np.tile(SCORE, 2)
    with pytest.raises(DataError, match="'income' has 1800 groups, but at most 1000") as raised:
        mm.compare_groups(label, score, group={"income": np.arange(1800) / 7})
    assert raised.value.argument == "group"
    assert "divide its values into ranges" in str(raised.value)
    crossed = {"a": np.arange(1800) % 50, "b": np.arange(1800) // 50}
    with pytest.raises(DataError, match="'a × b' has 1800 groups"):
        mm.compare_groups(label, score, group=crossed, crossed=True)
