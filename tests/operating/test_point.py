"""Operating points, isometrics and zones of optimality."""

import io
import json
import math
import re
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

import metameasure as mm
from metameasure.curves import cost_curve, roc_hull
from metameasure.operating import (
    isometric,
    isometrics,
    operating_point,
    operating_points,
    optimality_zones,
)
from metameasure.operating.isometrics import first_roots, read_on_diagonal, value_in_roc_space
from metameasure.operating.model_point import threshold_text
from oracles import CUT_ORACLES
from oracles import curves as slow
from oracles.cuts import ONE, ZERO, totals
from strategies import cases, table_of

DECISIONS = [measure for measure in mm.measures() if measure.declaration.point]
of_decisions = pytest.mark.parametrize("measure", DECISIONS, ids=str)
both = cases(min_size=2).filter(lambda some: all(totals(some)))
Y, S = [1, 1, 0, 1, 0, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.1]
HOSTILE = "\x1b[31m[red]<script>a|b\n`x`\x07\x9b1m[/red]\u202e"


def close(right, tolerance=1e-12):
    return pytest.approx(np.asarray(right, dtype=float), rel=tolerance, abs=tolerance)


def matrix(tp, fn, fp, tn):
    return mm.ScoreTable([0.9, 0.1], pos=[float(tp), float(fn)], neg=[float(fp), float(tn)])


# ---------------------------------------------------------------- isometrics


@pytest.mark.parametrize("r", [0.2, 1.0, 3.5])
@of_decisions
def test_the_measure_has_its_value_along_the_isometric(measure, r):
    rng = np.random.default_rng(3)
    for fpr, tpr in rng.uniform(0.05, 0.95, (8, 2)):
        value = float(value_in_roc_space(measure, fpr, tpr, r))
        found = isometric(measure, value, r)
        x, y = found.x, found.y
        if measure.declaration.ratio:
            # A straight line through the point, given by its ends on the border of ROC space.
            assert len(found) == 2
            for end in zip(x, y, strict=True):
                assert any(abs(side - edge) < 1e-12 for side in end for edge in (0, 1))
            across = (x[1] - x[0]) * (tpr - y[0]) - (y[1] - y[0]) * (fpr - x[0])
            assert abs(across) < 1e-11
            share = np.linspace(0.01, 0.99, 25)
            x, y = (side[0] + share * (side[1] - side[0]) for side in (x, y))
        else:
            assert found.at(fpr) == pytest.approx(tpr, abs=2e-3)
        assert value_in_roc_space(measure, x, y, r) == close(np.full(x.size, value), 1e-10)


@pytest.mark.parametrize("name", sorted(m.name for m in DECISIONS if m.declaration.ratio))
def test_straight_lines_are_what_root_finding_finds(name, monkeypatch):
    measure = mm.parse(name)
    value = float(value_in_roc_space(measure, 0.3, 0.6, 2.0))
    right, reading = isometric(measure, value, 2.0), read_on_diagonal(measure, value, 2.0)
    monkeypatch.setattr(isometrics, "line", lambda *_: None)
    found = isometric(measure, value, 2.0)
    across = (right.x[1] - right.x[0]) * (found.y - right.y[0])
    across = across - (right.y[1] - right.y[0]) * (found.x - right.x[0])
    assert across == close(np.zeros(found.x.size), 1e-11)
    # But for corners at which the measure is undefined.
    assert found.x.min() == pytest.approx(right.x.min(), abs=0.01)
    assert found.x.max() == pytest.approx(right.x.max(), abs=0.01)
    assert read_on_diagonal(measure, value, 2.0) == close(reading, 1e-10)


def test_parameters_of_the_measure_count():
    for text in (
        "f_measure(beta=2)",
        "f_measure(alpha=0.3)",
        "skew_accuracy(r=5)",
        "skew_precision(r=0.5)",
        "ppv_at_prevalence(pi=0.02)",
        "npv_at_prevalence(pi=0.3)",
        "expected_cost(c=0.8, prior=0.1)",
    ):
        measure = mm.parse(text)
        value = float(value_in_roc_space(measure, 0.2, 0.7, 3.0))
        assert isometric(text, value, 3).at(0.2) == close(0.7)


@pytest.mark.parametrize("r", [0.5, 1, 3])
@pytest.mark.parametrize("accuracy", [0.3, 0.5, 0.7, 0.9])
def test_xie_isoaccuracy_lines_have_the_slope_r(accuracy, r):
    # Sec. 2.4 and Fig. 3 with erratum 2: TPR = r FPR + (1 + r) Acc - r.
    line = isometric("accuracy", accuracy, r)
    assert np.diff(line.y) / np.diff(line.x) == close([r])
    assert line.y == close(r * line.x + (1 + r) * accuracy - r)
    for fpr, tpr in zip(line.x, line.y, strict=True):
        assert mm.accuracy(matrix(tpr, 1 - tpr, r * fpr, r * (1 - fpr))) == close(accuracy)


@pytest.mark.parametrize("r", [0.5, 1, 3])
@pytest.mark.parametrize("precision", [0.2, 0.5, 0.8])
def test_xie_isoprecision_lines_go_through_the_origin(precision, r):
    line = isometric("precision", precision, r)
    assert (line.x[0], line.y[0]) == (0, 0)
    assert line.y == close(r * precision / (1 - precision) * line.x)


def test_isometrics_at_the_border():
    assert isometric("precision", 1.0, 2).x.tolist() == [0, 0]  # no false alarm
    corner = isometric("accuracy", 1.0, 2)
    assert (corner.x.tolist(), corner.y.tolist()) == ([0], [1])
    assert isometric("lr_plus", math.inf).x.tolist() == [0, 0]
    assert isometric("fpr", 0.25).x.tolist() == [0.25, 0.25]
    diagonal = isometric("mcc", 0.0, 3)
    assert diagonal.y == close(diagonal.x)
    assert isometric("youden_j", 0.0).y.tolist() == [0, 1]


def test_closed_forms_of_curved_isometrics():
    found = isometric("g_mean", 0.6)
    assert found.y == close(0.36 / (1 - found.x), 1e-11)
    assert found.x.max() == close(1 - 0.36, 1e-9)
    odds = isometric("diagnostic_odds_ratio", 4.0)
    inner = (odds.x > 0) & (odds.x < 1)
    assert odds.y[inner] == close((4 * odds.x / (1 + 3 * odds.x))[inner], 1e-11)


def test_isometrics_that_make_no_sense():
    for text in ("auc", "brier", "net_benefit", "mean_over(precision)", "two_level(auc, accuracy)"):
        with pytest.raises(mm.ParameterError, match=r"TPR, FPR and the ratio r.*whole ranking"):
            isometric(text, 0.7)
    with pytest.raises(mm.ParameterError, match="; remove @top=10%"):
        isometric("precision@top=10%", 0.7)
    with pytest.raises(mm.DataError, match=r"accuracy is nowhere 1\.2 in ROC space with r = 3"):
        isometric("accuracy", 1.2, 3)
    with pytest.raises(mm.DataError, match=r"mcc is nowhere 1\.5"):
        isometric("mcc", 1.5)
    for ratio in (0, -1, math.inf, math.nan, "1", True):
        with pytest.raises(mm.ParameterError, match=r"r must be (finite and )?> 0, got "):
            isometric("accuracy", 0.7, ratio)
    for value in (math.nan, "0.7", None):
        with pytest.raises(mm.ParameterError, match="value must be a number, got"):
            isometric("accuracy", value)
    with pytest.raises(mm.UnknownMeasure):
        isometric("acuracy", 0.7)


def test_a_measure_of_the_number_of_cases_is_refused():
    @mm.measure(at=0.5, best="max", range=(0, np.inf))
    def found_cases(cut):
        """How many positives are found."""
        return cut.tp

    with pytest.raises(mm.ParameterError, match="depends on the number of cases"):
        isometric(found_cases, 3)
    with pytest.raises(mm.ParameterError, match="depends on the number of cases"):
        operating_point(Y, S, maximize=found_cases, prior=0.1)
    assert operating_point(Y, S, maximize=found_cases).value == 4


def test_a_measure_of_ones_own_has_isometrics():
    @mm.measure(at=0.5, best="max", range=(0, 1))
    def squared_recall(cut):
        """The square of the recall, which no line is known of."""
        return cut.tpr**2 * np.ones(np.shape(cut.fpr))

    found = isometric(squared_recall, 0.25)
    assert found.y == close(np.full(len(found), 0.5))

    @mm.measure(at=0.5, best="max", range=(0, 1))
    def squared_specificity(cut):
        """The square of the specificity, which is found from left to right."""
        return cut.tnr**2 * np.ones(np.shape(cut.tpr))

    found = isometric(squared_specificity, 0.25)
    assert found.x == close(np.full(len(found), 0.5))
    assert (found.y.min(), found.y.max()) == (0, 1)


def test_roots():
    found = first_roots(lambda u: u**2, np.array([0.25, 0.0, 1.0, 2.0]))
    assert found[:3] == close([0.5, 0.0, 1.0])
    assert math.isnan(found[3])
    undefined_between = first_roots(lambda u: np.where(u < 0.4, np.nan, u - 0.6), np.array([0.0]))
    assert undefined_between == close([0.6])


# ---------------------------------------------------------------- the reading on the diagonal


@given(both, st.sampled_from(["accuracy", "skew_accuracy", "precision", "f_measure"]))
def test_xie_10_the_reading_on_the_descending_diagonal(some, name):
    found = operating_point(table_of(some), maximize=name)
    p, n = (float(total) for total in totals(some))
    r, v = n / p, found.value
    right = {
        "accuracy": v,
        "skew_accuracy": v,
        "precision": r * v / (1 - v + r * v),
        "f_measure": v * (r + 1) / (2 - v + v * r),
    }[name]
    assert found.diagonal_reading == close(right)


def test_xie_10_printed_numbers():
    table = matrix(8, 2, 9, 21)  # r = 3, TPR .8, FPR .3
    assert mm.precision(table) == close(8 / 17)
    for name, value, reading in (
        ("precision", 8 / 17, 8 / 11),
        ("f_measure", 16 / 27, 32 / 43),
        ("accuracy", 29 / 40, 29 / 40),
    ):
        measure = mm.parse(name)
        assert float(value_in_roc_space(measure, 0.3, 0.8, 3.0)) == close(value)
        assert read_on_diagonal(measure, value, 3.0) == close(reading)


@of_decisions
def test_the_isometric_meets_the_diagonal_at_the_reading(measure):
    for fpr, tpr, r in ((0.3, 0.8, 3.0), (0.1, 0.4, 0.5), (0.6, 0.7, 1.0)):
        value = float(value_in_roc_space(measure, fpr, tpr, r))
        reading = float(read_on_diagonal(measure, value, r))
        there = float(value_in_roc_space(measure, 1 - reading, reading, r))
        assert there == close(value, 1e-10)


# ---------------------------------------------------------------- operating points


@of_decisions
@settings(max_examples=20)
@given(some=both)
def test_all_thresholds_are_searched(measure, some):
    if not isinstance(measure.best, str):
        return
    oracle = CUT_ORACLES[measure.name]
    threshold, value = slow.best_threshold(some, oracle, measure.best)
    if value is None:
        with pytest.warns(mm.UndefinedMeasureWarning):
            assert math.isnan(operating_point(table_of(some), maximize=measure).value)
        return
    found = operating_point(table_of(some), maximize=measure)
    assert found.value == close(value)
    assert found.threshold == threshold
    tp, fp, _, _ = slow.threshold_cut(some, threshold)
    assert (found.matrix.tp, found.matrix.fp) == (close(tp), close(fp))
    assert found.measure == str(measure)
    # What needs no model, and the room below the threshold.
    lowest = slow.thresholds(some)[-1]
    for trivial, end in ((found.value_if_none, math.inf), (found.value_if_all, lowest)):
        right = oracle(*slow.threshold_cut(some, end))
        assert math.isnan(trivial) if right is None else trivial == close(right)
    lower = [score for score in slow.thresholds(some) if score < threshold]
    assert found.score_below == max(lower, default=-math.inf)


@given(
    both,
    st.sampled_from([0, 1, 2, 5]),
    st.sampled_from([0.5, 1, 10]),
    st.sampled_from([None, 0.02, 0.5, 0.9]),
)
def test_the_least_expected_cost(some, cost_fp, cost_fn, prior):
    p, n = totals(some)
    pi = p / (p + n) if prior is None else Fraction(prior)
    costs = Fraction(cost_fp), Fraction(cost_fn)

    def cost(*matrix):
        return slow.expected_cost(matrix, *costs, pi)

    threshold, value = slow.best_threshold(some, cost, "min")
    table = table_of(some)
    found = operating_point(table, cost_fp=cost_fp, cost_fn=cost_fn, prior=prior)
    assert found.value == close(value)
    assert found.measure == "expected cost"
    # Thresholds that cost the same but for the last digit are the same to us.
    here = cost(*slow.threshold_cut(some, float(found.threshold)))
    assert float(here) == close(value)
    assert found.threshold >= threshold
    # The cost curve has the same, divided by what it costs if all is wrong.
    missed, alarmed = float(pi) * cost_fn, (1 - float(pi)) * cost_fp
    normalized = cost_curve(table).at(missed / (missed + alarmed))
    assert found.value / (missed + alarmed) == close(normalized)
    # The isometric has the slope of the skew.
    assert (found.value_if_none, found.value_if_all) == (close(missed), close(alarmed))
    m = alarmed / missed
    tpr, fpr = found.matrix.tpr, found.matrix.fpr
    assert found.diagonal_reading == close((tpr + m * (1 - fpr)) / (1 + m))


def test_costs_are_what_skew_accuracy_is():
    for prior in (0.1, 0.5):
        by_cost = operating_point(Y, S, cost_fp=2, cost_fn=3, prior=prior)
        r = (1 - prior) * 2 / (prior * 3)
        by_accuracy = operating_point(Y, S, maximize=mm.skew_accuracy.using(r=r))
        assert by_cost.threshold == by_accuracy.threshold
        assert by_cost.diagonal_reading == close(by_accuracy.value)


def test_a_measure_at_another_prior():
    found = operating_point(Y, S, maximize="f_measure", prior=0.05)
    right = max(
        (mm.f_measure(matrix(tp / 4 * 5, (4 - tp) / 4 * 5, fp / 4 * 95, (4 - fp) / 4 * 95)), t)
        for tp, fp, t in [(1, 0, 0.9), (2, 0, 0.8), (2, 1, 0.7), (3, 1, 0.6), (4, 3, 0.3)]
    )
    assert (found.value, found.threshold) == (close(right[0]), right[1])
    assert found.prior == 0.05
    assert found.matrix.tp == 2  # the matrix is that of the cases


def test_a_block_has_one_point_per_table():
    rng = np.random.default_rng(2)
    labels, scores = rng.random((30, 25)) < 0.4, np.round(rng.random((30, 25)), 1)
    labels[:, :2] = [True, False]
    block = mm.tabulate_lists(labels, scores)
    for options in (
        {"maximize": "mcc"},
        {"maximize": "error_rate"},
        {"maximize": "accuracy", "prior": 0.2},
        {"cost_fp": 1, "cost_fn": 3},
    ):
        found = operating_point(block, **options)
        for place in range(30):
            right = operating_point(labels[place], scores[place], **options)
            assert found.threshold[place] == right.threshold
            assert found.value[place] == close(right.value)
            assert found.diagonal_reading[place] == close(right.diagonal_reading)
            assert found.matrix.fp[place] == right.matrix.fp


def test_of_equally_good_thresholds_the_highest_is_taken():
    assert operating_point([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1], maximize="accuracy").threshold == 0.9
    assert operating_point([0, 0, 1], [0.9, 0.5, 0.1], maximize="accuracy").threshold == math.inf


def test_a_record_is_plain():
    point = operating_point(Y, S, maximize="youden_j")
    (record,) = point.records()
    assert json.loads(json.dumps(record)) == record
    assert record["tp"] + record["fn"] == 4
    assert list(record)[:3] == ["model", "threshold", "value"]
    assert json.loads(point.to_json())["measure"] == "youden_j"
    block = operating_point(mm.tabulate_lists(Y, [S, S]), maximize="tpr")
    assert [(row.model, row.tp) for row in block.rows] == [("0", 4), ("1", 4)]
    assert block.frame().height == 2


def test_labels_weights_and_missing_values():
    words = ["b" if y else "a" for y in Y]
    found = operating_point(words, S, maximize="accuracy", pos_label="b", sample_weight=[2] * 8)
    assert found.matrix.n == 16
    with pytest.warns(mm.DroppedCasesWarning) as caught:
        operating_point([*Y, 1], [*S, None], maximize="accuracy", nan_policy="drop")
    assert caught[0].filename == __file__


def test_an_empty_class_has_no_cost_and_no_youden_index():
    for options in ({"maximize": "youden_j"}, {"cost_fp": 1, "cost_fn": 1}):
        with pytest.warns(mm.UndefinedMeasureWarning, match=r"point.*a class is empty") as w:
            found = operating_point([1, 1], [0.9, 0.1], **options)
        assert w[0].filename == __file__
        assert math.isnan(found.value)
        assert math.isnan(found.threshold)
        assert math.isnan(found.diagonal_reading)
    assert operating_point([1, 1], [0.9, 0.1], maximize="accuracy").threshold == 0.1


def test_operating_points_that_make_no_sense():
    with pytest.raises(mm.ParameterError, match="pass maximize or both cost_fp and cost_fn"):
        operating_point(Y, S)
    with pytest.raises(mm.ParameterError, match="pass maximize or both cost_fp and cost_fn"):
        operating_point(Y, S, cost_fp=1)
    with pytest.raises(mm.ParameterError, match="not both"):
        operating_point(Y, S, maximize="accuracy", cost_fp=1, cost_fn=1)
    with pytest.raises(mm.ParameterError, match="whole ranking"):
        operating_point(Y, S, maximize="auc")
    with pytest.raises(mm.ParameterError, match="; remove @k=2"):
        operating_point(Y, S, maximize="precision@k=2")
    for cost in (-1, math.nan, math.inf, "1", True):
        with pytest.raises(mm.ParameterError, match=r"cost_fn must be (finite and )?>= 0, got "):
            operating_point(Y, S, cost_fp=1, cost_fn=cost)
    with pytest.raises(mm.ParameterError, match="cost_fp and cost_fn are both 0"):
        operating_point(Y, S, cost_fp=0, cost_fn=0)
    for prior in (0, 1, -0.1, 1.5, math.nan, "0.5"):
        for options in ({"maximize": "accuracy"}, {"cost_fp": 1, "cost_fn": 1}):
            with pytest.raises(mm.ParameterError, match=r"prior must be in \(0, 1\) or None, got"):
                operating_point(Y, S, prior=prior, **options)
    with pytest.raises(mm.DataError, match="needs y_true and y_score"):
        operating_point(Y, maximize="accuracy")
    with pytest.raises(mm.ParameterError, match="pass either a ScoreTable or y_true and y_score"):
        operating_point(mm.tabulate(Y, S), S, maximize="accuracy")


# ---------------------------------------------------------------- zones of optimality


def models(n=40, number=4, seed=0, digits=1):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < 0.4
    labels[:2] = [True, False]
    columns = {
        f"m{k}": np.round(labels * rng.uniform(0, 0.6) + rng.random(n) ** (k + 1), digits)
        for k in range(number)
    }
    return labels, columns


@pytest.mark.parametrize("seed", range(6))
def test_zones_against_a_search_of_all_models_and_thresholds(seed):
    labels, columns = models(seed=seed)
    zones = optimality_zones(labels, columns)
    by_cases = {
        name: [(bool(y), float(s), Fraction(1)) for y, s in zip(labels, column, strict=True)]
        for name, column in columns.items()
    }
    for skew in (Fraction(1, 50), Fraction(1, 4), Fraction(7, 10), Fraction(3, 2), Fraction(20)):
        lowest, who = slow.best_models(by_cases, skew)
        # Costs that make the skew, where half of the cases are positive.
        row = zones.best(cost_fp=float(skew), cost_fn=1, prior=0.5)
        assert row.skew_low <= skew <= row.skew_high
        assert 1 - row.tpr + float(skew) * row.fpr == close(lowest)
        if row.model is not None:
            assert (row.model, row.threshold) in who
        assert row.cost_low - 1e-12 <= 1 / (1 + skew) <= row.cost_high + 1e-12


@pytest.mark.parametrize("seed", range(4))
def test_zones_leave_no_gap(seed):
    zones = optimality_zones(*models(seed=seed))
    rows = zones.rows
    assert (rows[0].skew_high, rows[-1].skew_low) == (math.inf, 0)
    assert (rows[0].cost_low, rows[-1].cost_high) == (0, 1)
    for before, after in pairwise(rows):
        assert before.skew_low == after.skew_high
        assert before.cost_high == after.cost_low
        assert before.threshold != after.threshold or before.model != after.model
    joined = zones.by_model()
    assert (joined[0].skew_high, joined[-1].skew_low) == (math.inf, 0)
    assert all(a.skew_low == b.skew_high for a, b in pairwise(joined))
    names = [zone.model for zone in joined]
    assert all(a != b for a, b in pairwise(names))


def test_the_common_hull_lies_above_all_curves():
    labels, columns = models(n=200, digits=2)
    zones = optimality_zones(labels, columns)
    x = np.linspace(0, 1, 101)
    tables = {name: mm.tabulate(labels, column) for name, column in columns.items()}
    highest = np.max([roc_hull(table).at(x) for table in tables.values()], axis=0)
    assert (zones.hull.at(x) >= highest - 1e-12).all()
    for x, y, threshold in zip(zones.hull.x, zones.hull.y, zones.hull.threshold, strict=True):
        reached = [
            (mm.fpr(table, threshold=threshold), mm.tpr(table, threshold=threshold))
            for table in tables.values()
        ]
        assert any(point == (close(x), close(y)) for point in reached)
    assert optimality_zones(tables).records() == zones.records()


def test_one_model_has_its_own_hull():
    zones = optimality_zones(Y, {"only": S})
    hull = roc_hull(Y, S)
    assert zones.hull.x.tolist() == hull.x.tolist()
    assert zones.hull.y.tolist() == hull.y.tolist()


def test_equal_models_share_their_zones():
    zones = optimality_zones(Y, {"a": S, "b": [2 * s for s in S], "c": S[::-1]})
    assert {row.model for row in zones.rows} <= {"a", None}
    assert {row.also for row in zones.rows if row.model} == {("b",)}


def test_a_useless_model_is_never_best():
    zones = optimality_zones([1, 0, 1, 0], {"worst": [0.1, 0.9, 0.2, 0.8]})
    assert [row.name for row in zones.rows] == ["none positive", "all positive"]
    assert zones.best(cost_fp=1, cost_fn=0).threshold == math.inf
    assert zones.best(cost_fp=0, cost_fn=1).tpr == 1
    perfect = optimality_zones([1, 0, 1, 0], {"best": [0.9, 0.1, 0.8, 0.2]})
    assert [(row.model, row.skew_low, row.skew_high) for row in perfect.rows] == [
        ("best", 0, math.inf)
    ]
    assert len(perfect.hull) == 3


def test_zones_as_data():
    zones = optimality_zones(*models())
    frame = zones.frame()
    assert frame.height == len(zones.rows)
    assert frame.columns[:4] == ["model", "threshold", "fpr", "tpr"]
    content = json.loads(zones.to_json())
    assert content["models"] == ["m0", "m1", "m2", "m3"]
    first = content["rows"][0]
    assert (first["skew_high"], first["skew_high_infinite"]) == (None, "+")
    assert repr(zones) == f"<{len(zones.rows)} optimality zones of 4 models>"


def test_fifty_models():
    labels, columns = models(n=300, number=50, digits=3)
    assert len(optimality_zones(labels, columns).models) == 50


def test_zones_that_make_no_sense():
    with pytest.raises(mm.DataError, match="scores are missing"):
        optimality_zones(Y)
    with pytest.raises(mm.DataError, match="a class is empty"):
        optimality_zones([1, 1], {"a": [0.1, 0.2]})
    with pytest.raises(mm.DataError, match="got a list for 'a'"):
        optimality_zones({"a": S})
    with pytest.raises(mm.DataError, match="'a' is a block"):
        optimality_zones({"a": mm.tabulate_lists(Y, [S, S])})
    with pytest.raises(mm.DataError, match=r"not evaluated on the same cases.*'b' has 3 and 4"):
        optimality_zones({"a": mm.tabulate(Y, S), "b": mm.tabulate(Y[1:], S[1:])})
    with pytest.raises(mm.ParameterError, match="scores must be names of models"):
        optimality_zones({"a": mm.tabulate(Y, S)}, {"a": S})
    with pytest.raises(mm.DataError, match="there is no model"):
        optimality_zones(Y, {})
    with pytest.raises(mm.DataError, match="there is no model"):
        optimality_zones({})
    with pytest.raises(mm.DataError, match="the same name"):
        optimality_zones(Y, {1: S, "1": S})
    zones = optimality_zones(Y, {"a": S})
    with pytest.raises(mm.ParameterError, match="cost_fp must be >= 0, got -1"):
        zones.best(cost_fp=-1, cost_fn=1)
    with pytest.raises(mm.ParameterError, match="prior must be in"):
        zones.best(cost_fp=1, cost_fn=1, prior=1.0)
    with pytest.warns(mm.DroppedCasesWarning) as caught:
        optimality_zones([*Y, 1], {"a": [*S, None]}, nan_policy="drop")
    assert caught[0].filename == __file__


def test_a_point_of_one_table_is_made_of_plain_numbers():
    found = operating_point([1, 0, 1, 0], [0.9, 0.5, 0.4, 0.1], maximize="accuracy")
    assert all(np.ndim(one) == 0 and not isinstance(one, np.ndarray) for one in (
        found.threshold, found.value, found.matrix.tp, found.matrix.fp))  # fmt: skip


@pytest.mark.parametrize("scale", [1e-200, 1e-15, 1e-9, 1e9])
def test_the_unit_of_costs_does_not_matter(scale):
    labels, columns = models(n=300, digits=3)
    for column in columns.values():
        right = operating_point(labels, column, cost_fp=1, cost_fn=5, prior=0.02)
        found = operating_point(labels, column, cost_fp=scale, cost_fn=5 * scale, prior=0.02)
        assert found.threshold == right.threshold
        assert found.value == pytest.approx(right.value * scale, rel=1e-12)


@pytest.mark.parametrize("prior", [1e-4, 1e-8, 1e-13])
def test_rare_positives_are_not_lost_in_rounding(prior):
    labels, columns = models(n=60, digits=2)
    exact = Fraction(prior)
    found = []
    for column in columns.values():
        cases = [(bool(y), s, Fraction(1)) for y, s in zip(labels, column.tolist(), strict=True)]
        right, _ = slow.best_threshold(
            cases, lambda *matrix: slow.expected_cost(matrix, ONE, ONE, exact), "min"
        )
        found.append(operating_point(labels, column, cost_fp=1, cost_fn=1, prior=prior).threshold)
        assert found[-1] == right
    assert min(found) < math.inf


def test_an_undefined_point_has_no_decisions():
    with pytest.warns(mm.UndefinedMeasureWarning):
        found = operating_point([1, 1], [0.9, 0.1], cost_fp=1, cost_fn=1)
    cut = found.matrix
    assert all(math.isnan(part) for part in (cut.tp, cut.fp, cut.fn, cut.tn, found.score_below))
    assert "expected cost is undefined (–) when a class is empty" in str(found)
    assert "chosen on" not in str(found)


# ---------------------------------------------------------------- thresholds to be copied


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False))
def test_a_threshold_as_text_decides_the_same(threshold, other):
    low, high = sorted((threshold, other))
    if low < high < math.inf:
        assert low < float(threshold_text(high, low)) <= high


@given(st.floats(-10, 10), st.integers(0, 300))
def test_even_if_the_next_score_is_as_near_as_can_be(threshold, steps):
    below = threshold
    for _ in range(steps + 1):
        below = math.nextafter(below, -math.inf)
    assert below < float(threshold_text(threshold, below)) <= threshold


def test_thresholds_have_no_more_digits_than_needed():
    assert threshold_text(0.3, 0.2) == "0.3000"
    assert threshold_text(2 / 3, 0.66) == "0.6666"
    assert threshold_text(0.99999, 0.99994) == "0.99999"
    assert threshold_text(0.99999, 0.9) == "0.9999"
    assert threshold_text(1e-9 / 3, 0.0) == "3.333e-10"
    assert threshold_text(-0.0, -math.inf) == "0.0000"
    assert threshold_text(123456789.0, 1.0) == "1.234e+08"
    assert threshold_text(math.inf, 3.0) == "∞"


# ---------------------------------------------------------------- one point for people


def plain(text):
    """The text without spaces at which it is broken."""
    return " ".join(text.split())


def test_a_point_says_what_a_person_wants_to_know():
    # Of 4 positives 2 are found, without a false alarm: 0.1 x 5 x 2/4 = 0.25.
    text = plain(str(operating_point(Y, S, cost_fp=1, cost_fn=5, prior=0.1)))
    assert "cost_fp = 1, cost_fn = 5" in text
    assert "best 0.8000 0.2500 0.5000 0.0000 0.8214" in text  # (0.5 + 1.8) / 2.8
    assert "all positive 0.9000 1.0000 1.0000" in text
    assert "none positive 0.5000 0.0000 0.0000" in text
    assert "positive 2 2 negative 0 4" in text
    assert "prior: 0.1 (given); prevalence in the data: 0.5000" in text
    assert "expected cost at this prior; decisions on the data" in text
    assert "= 1.8000" in text
    assert "chosen on the same data: expect a higher cost on new data" in text


def test_numbers_are_shown_as_given():
    text = str(operating_point(Y, S, cost_fp=1234567.89, cost_fn=0.1, prior=0.000012345678))
    assert "cost_fp = 1234567.89, cost_fn = 0.1" in text
    assert "prior: 1.2345678e-05 (given)" in text


def test_a_point_of_a_measure():
    found = operating_point(Y, S, maximize="precision")
    text = plain(str(found))
    assert "threshold with the best precision" in text
    assert "precision ↑" in text
    assert "none positive – 0.0000 0.0000" in text
    assert "prior: 0.5000 (prevalence)" in text
    assert "skew" not in text
    assert "at this prior" not in text
    assert "| best | 0.9000 | 1.0000 |" in found.to_markdown()
    assert ">0.9000</td>" in found._repr_html_()


def test_none_positive_is_shown_in_words():
    found = operating_point([0, 0, 1], [0.9, 0.5, 0.1], maximize="accuracy")
    assert re.search(r"^best +none positive +0\.6667", str(found), flags=re.MULTILINE)
    assert "no threshold is better than predicting no case as positive" in str(found)
    infinite = operating_point([1, 0, 1], [math.inf, 0.5, math.inf], maximize="accuracy")
    assert re.search(r"^best +∞ +1\.0000", str(infinite), flags=re.MULTILINE)
    everyone = operating_point([1, 0, 1], [0.5, 0.5, 0.5], maximize="accuracy")
    assert "no threshold is better than predicting every case as positive" in str(everyone)


def test_a_block_shows_its_first_tables():
    rng = np.random.default_rng(5)
    labels = rng.random((6, 7, 20)) < 0.4
    labels[..., :2] = [True, False]
    block = mm.tabulate_lists(labels, rng.random((6, 7, 20)))
    text = str(operating_point(block, cost_fp=1, cost_fn=3))
    assert "the first 20 of 42 tables" in text
    assert "\n2, 5 " in text
    assert "\n2, 6 " not in text
    assert "all positive" not in text  # each table has its own
    assert "prior: prevalence of each table" in text
    assert "= " not in text.split("skew", 1)[1].splitlines()[0]
    assert "all positive" in str(operating_point(block, cost_fp=1, cost_fn=3, prior=0.1))
    empty = mm.ScoreTable(np.zeros((0, 1)), pos=np.zeros((0, 1)), neg=np.zeros((0, 1)))
    assert "threshold" in str(operating_point(empty, maximize="accuracy"))


# ---------------------------------------------------------------- the points of several models


@pytest.mark.parametrize(
    "goal",
    [
        {"cost_fp": 1, "cost_fn": 5, "prior": 0.02},
        {"cost_fp": 2, "cost_fn": 1},
        {"maximize": "f_measure(beta=2)"},
        {"maximize": "error_rate", "prior": 0.3},
        {"maximize": "mcc"},
    ],
    ids=str,
)
def test_each_model_has_its_own_point(goal):
    labels, columns = models(n=60, digits=2)
    weight = np.arange(60) % 4
    found = operating_points(labels, columns, sample_weight=weight, **goal)
    for name, row in zip(columns, found.rows, strict=True):
        right = operating_point(labels, columns[name], sample_weight=weight, **goal)
        assert right.meta["measure"] == found.meta["measure"] == str(found.goal)
        for column, value in right.columns().items():
            assert getattr(row, column) == pytest.approx(float(value), rel=0, abs=0, nan_ok=True)
        assert row.model == name
        assert found.points[name].threshold == right.threshold
        assert row.prior == goal.get("prior", close(weight[labels].sum() / weight.sum()))
        assert row.prevalence == close(weight[labels].sum() / weight.sum())
    values = {row.model: row.value for row in found.rows}
    lower = "maximize" not in goal or goal["maximize"] == "error_rate"
    best = (min if lower else max)(values.values())
    assert found.best == tuple(name for name, value in values.items() if value == best)
    assert (found.zones is None) == ("maximize" in goal)
    if found.zones is not None:
        assert (
            found.zones.records()
            == optimality_zones(labels, columns, sample_weight=weight).records()
        )
        assert found.skew == close(
            (1 - found.rows[0].prior) * goal["cost_fp"] / (found.rows[0].prior * goal["cost_fn"])
        )


def cells(grid):
    return {name: [cell.text for cell in row] for name, row in grid.rows}


@pytest.mark.parametrize("seed", range(5))
def test_the_ranges_of_the_prior_are_those_where_the_model_is_best(seed):
    labels, columns = models(n=50, seed=seed)
    cost_fp, cost_fn = Fraction(3), Fraction(7)
    found = operating_points(labels, columns, cost_fp=3, cost_fn=7)
    ranges = found.page().grids[2]
    assert ranges.header == ["model", "skew from", "to", "prior from", "to"]
    by_cases = {
        name: [(bool(y), float(s), Fraction(1)) for y, s in zip(labels, column, strict=True)]
        for name, column in columns.items()
    }
    tried = 0
    for name, row in ranges.rows:
        low, high = (Fraction(cell.text) for cell in row[2:])
        if high - low < Fraction(1, 1000):
            continue  # less than the digits that are shown
        prior = (low + high) / 2
        skew = (1 - prior) * cost_fp / (prior * cost_fn)
        lowest, who = slow.best_models(by_cases, skew)
        trivial = {"none positive": ONE, "all positive": skew}
        assert trivial[name] == lowest if name in trivial else name in {model for model, _ in who}
        tried += 1
    assert tried


def test_the_zone_of_the_asked_prior_stands_out():
    labels, columns = models(n=50, seed=1)
    found = operating_points(labels, columns, cost_fp=3, cost_fn=7, prior=0.2)
    marked = [
        (name, row) for name, row in found.page().grids[2].rows if all(c.stands_out for c in row)
    ]
    ((name, row),) = marked
    assert name in found.best
    assert float(row[2].text) <= 0.2 <= float(row[3].text)


def test_a_free_error_has_one_skew_at_all_priors():
    labels, columns = models()
    for costs, skew in (
        ({"cost_fp": 0, "cost_fn": 1}, 0),
        ({"cost_fp": 1, "cost_fn": 0}, math.inf),
    ):
        found = operating_points(labels, columns, prior=0.3, **costs)
        assert found.skew == skew
        assert found.page().grids[2].header == ["model", "skew from", "to"]
        assert "no model is better than predicting" in str(found)


def test_points_as_data():
    labels, columns = models()
    found = operating_points(labels, columns, cost_fp=1, cost_fn=5, prior=0.02)
    frame = found.frame()
    assert frame["model"].to_list() == list(columns)
    assert frame.columns == list(found.rows[0].__dict__)
    assert frame["tp"].to_list() == [row.tp for row in found.rows]
    content = json.loads(found.to_json(), parse_constant=pytest.fail)
    assert content["rows"][1]["threshold"] == found.rows[1].threshold
    assert content["best"] == list(found.best)
    assert (content["cost_fp"], content["cost_fn"], content["prior"]) == (1, 5, 0.02)
    assert content["skew"] == close(9.8)
    assert content["prevalence"] == close(labels.mean())
    assert [zone["model"] for zone in content["zones"]] == [
        zone.model for zone in found.zones.by_model()
    ]
    assert repr(found) == "<operating points: 4 models by expected cost>"
    by_measure = json.loads(operating_points(labels, columns, maximize="tpr").to_json())
    assert by_measure["zones"] == []
    assert by_measure["cost_fp"] is by_measure["skew"] is None
    assert by_measure["measure"] == "tpr"


def test_infinite_scores_are_still_json():
    scores = {"a": [math.inf, 0.5, -math.inf, -math.inf], "b": [1, 2, 3, 4]}
    found = operating_points([1, 0, 1, 0], scores, cost_fp=0, cost_fn=1)
    rows = json.loads(found.to_json(), parse_constant=pytest.fail)["rows"]
    for column in ("threshold", "score_below"):
        assert (rows[0][column], rows[0][f"{column}_infinite"]) == (None, "-")
    rows = json.loads(found.zones.to_json(), parse_constant=pytest.fail)["rows"]
    assert {row["score_below"] for row in rows} <= {None, 0.5}
    assert all((row["score_below"] is None) == ("score_below_infinite" in row) for row in rows)


def test_weights_and_counts_are_shown_as_such():
    labels, columns = models(n=30)
    whole = operating_points(labels, columns, maximize="accuracy", sample_weight=[2] * 30)
    assert f"30 cases, {labels.sum()} positive; weighted" in str(whole)
    broken = operating_points(labels, columns, maximize="accuracy", sample_weight=[0.55] * 30)
    found = sum(labels & (columns["m0"] >= broken.rows[0].threshold))
    assert broken.page().grids[1].rows[0][1][0].text == f"{0.55 * found:.4f}"


def test_points_of_one_class():
    scores = {"a": [0.9, 0.1], "b": [0.2, 0.3]}
    with pytest.warns(mm.UndefinedMeasureWarning, match="2 of 2 models: a class is empty") as w:
        found = operating_points([1, 1], scores, cost_fp=1, cost_fn=1)
    assert w[0].filename == __file__
    assert found.best == ()
    assert found.zones is None
    assert "expected cost is undefined (–) when a class is empty: a, b" in str(found)
    assert json.loads(found.to_json(), parse_constant=pytest.fail)["rows"][0]["value"] is None


def test_points_that_make_no_sense():
    with pytest.raises(mm.DataError, match="scores are missing"):
        operating_points(Y, maximize="accuracy")
    with pytest.raises(mm.ParameterError, match="pass maximize or both cost_fp and cost_fn"):
        operating_points(Y, {"a": S})
    with pytest.raises(mm.DataError, match="not evaluated on the same cases"):
        operating_points(
            {"a": mm.tabulate(Y, S), "b": mm.tabulate(Y[:-1], S[:-1])}, maximize="accuracy"
        )
    with pytest.raises(mm.ParameterError, match="prior must be in"):
        operating_points(Y, {"a": S}, maximize="accuracy", prior=1.0)
    with pytest.warns(mm.DroppedCasesWarning) as caught:
        operating_points([*Y, 1], {"a": [*S, None]}, maximize="accuracy", nan_policy="drop")
    assert caught[0].filename == __file__


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
def test_any_data_frame(kind):
    labels, columns = models()
    weight = np.arange(40) % 3 + 1.0
    frame = kind({"y": labels, "w": weight, **columns})
    named = {"label": "y", "weight": "w"}
    costs = {"cost_fp": 1, "cost_fn": 2}
    found = operating_points(frame, list(columns), **named, **costs)
    right = operating_points(labels, columns, sample_weight=weight, **costs)
    assert found.records() == right.records()
    assert str(found) == str(right)
    zones = optimality_zones(frame, list(columns), **named)
    assert zones.records() == right.zones.records()
    like = pl.DataFrame if kind is pl.LazyFrame else type(frame)
    assert isinstance(found.frame(), like)
    assert isinstance(found.zones.frame(), like)
    assert isinstance(zones.frame(), like)
    alone = operating_points(frame, "m0", **named, maximize="accuracy")
    assert [row.model for row in alone.rows] == ["m0"]
    with pytest.raises(mm.ParameterError, match="there is no column 'm9'"):
        optimality_zones(frame, ["m0", "m9"], label="y")


def test_one_model_needs_no_dict():
    assert operating_points(Y, S, maximize="mcc").best == ("model",)
    assert operating_points(mm.tabulate(Y, S), maximize="mcc").best == ("model",)
    assert optimality_zones(Y, S).models == ("model",)
    with pytest.raises(
        mm.ParameterError, match="pass the data frame or the file name as the first"
    ):
        operating_points(Y, S, label="y", maximize="mcc")


def test_ready_tables():
    labels, columns = models()
    tables = {name: mm.tabulate(labels, column) for name, column in columns.items()}
    assert str(operating_points(tables, cost_fp=1, cost_fn=2)) == str(
        operating_points(labels, columns, cost_fp=1, cost_fn=2)
    )


# ---------------------------------------------------------------- zones for people


@settings(max_examples=30)
@given(both, st.integers(0, 3))
def test_zones_know_the_next_score_and_who_is_never_best(some, seed):
    rng = np.random.default_rng(seed)
    columns = {
        "a": some,
        "b": [(label, float(rng.integers(4)), weight) for label, _, weight in some],
        "c": [(label, -score, weight) for label, score, weight in some],
    }
    zones = optimality_zones({name: table_of(column) for name, column in columns.items()})
    points = [
        (point, (name, threshold))
        for name, column in columns.items()
        for point, threshold in zip(slow.roc(column), slow.thresholds(column), strict=True)
    ]
    corners = {point for point, _ in slow.vertices(points)} - {(ZERO, ZERO), (ONE, ONE)}
    reached = {name for point, (name, _) in points if point in corners}
    assert zones.never_best == tuple(name for name in columns if name not in reached)
    for row in zones.rows:
        if row.model is not None:
            scores = slow.thresholds(columns[row.model])
            lower = [score for score in scores if score < row.threshold]
            assert row.score_below == max(lower, default=-math.inf)


def test_zones_for_people():
    labels, columns = models()
    zones = optimality_zones(labels, columns)
    best, thresholds = zones.page().grids
    assert len(best.rows) == len(zones.by_model())
    assert len(thresholds.rows) == len(zones.rows)
    text = str(zones)
    assert "∞" in text
    assert "never best: m0, m1, m3" in text
    for (name, row), zone in zip(thresholds.rows, zones.rows, strict=True):
        assert name == zone.name
        assert float(row[0].text) == zone.threshold
        assert float(row[5].text) == pytest.approx(zone.cost_low, abs=1e-4)


def test_a_long_list_of_zones_shows_the_widest():
    rng = np.random.default_rng(1)
    labels = rng.random(50_000) < 0.3
    columns = {"a": rng.normal(labels), "b": rng.normal(1.1 * labels)}
    zones = optimality_zones(labels, columns)
    assert len(zones.rows) > 20
    grid = zones.page().grids[-1]
    assert grid.caption == f"the 15 widest of {len(zones.rows)} zones"
    widths = sorted((row.cost_high - row.cost_low for row in zones.rows), reverse=True)
    shown = [float(row[6].text) - float(row[5].text) for _, row in grid.rows]
    assert sum(shown) == pytest.approx(sum(widths[:15]), abs=0.01)
    froms = [float(row[5].text) for _, row in grid.rows]
    assert froms == sorted(froms)


def test_models_that_share_a_point_are_named():
    zones = optimality_zones(Y, {"a": S, "b": [2 * s for s in S], "c": S[::-1]})
    assert zones.never_best == ("c",)
    assert "never best: c" in str(zones)
    assert "best only where another model is equally good: b" in str(zones)
    many = optimality_zones(Y, {f"model {n}": S for n in range(50)})
    assert "model 20 and 29 more" in str(many)


def test_a_model_without_a_name_is_still_one():
    zones = optimality_zones(Y, {"": S})
    assert {row.name for row in zones.rows if row.model is not None} == {""}
    useless = optimality_zones([1, 0, 1, 0], {"worst": [0.1, 0.9, 0.2, 0.8]})
    assert [zone.name for zone in useless.by_model()] == ["none positive", "all positive"]
    assert [row[0].text for _, row in useless.page().grids[0].rows] == ["", ""]


# ---------------------------------------------------------------- every form, any terminal


def results(names):
    labels, columns = models(n=80, number=len(names), digits=3)
    named = dict(zip(names, columns.values(), strict=True))
    return {
        "point": operating_point(labels, columns["m0"], cost_fp=1, cost_fn=5, prior=0.02),
        "costs": operating_points(labels, named, cost_fp=1, cost_fn=5, prior=0.02),
        "measure": operating_points(labels, named, maximize="f_measure"),
        "zones": optimality_zones(labels, named),
    }


@pytest.mark.parametrize("kind", ["costs", "measure", "zones"])
def test_hostile_names_are_harmless(kind):
    result = results([HOSTILE, "b", "<b>"])[kind]
    stream = io.StringIO()
    Console(file=stream, width=80, color_system=None).print(result)
    for text in (str(result), stream.getvalue(), result.to_markdown(), result._repr_html_()):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
        assert "x1b" in text
    assert "<script>" not in result._repr_html_()
    assert "<script>" not in result.to_markdown()
    assert "a|b" not in result.to_markdown()
    json.loads(result.to_json())


@pytest.mark.parametrize("width", [40, 60, 80, 200])
@pytest.mark.parametrize("kind", ["point", "costs", "measure", "zones"])
def test_no_number_is_cut_in_a_narrow_terminal(kind, width):
    result = results([f"model number {n}" for n in range(50)])[kind]
    stream = io.StringIO()
    Console(file=stream, width=width, color_system=None).print(result)
    text = stream.getvalue()
    assert max(map(len, text.splitlines())) <= width
    for grid in result.page().grids:
        for _, row in grid.rows:
            for cell in row:
                if cell.text[:1].isdigit():
                    assert cell.text in text


# ---------------------------------------------------------------- what is hard to find


@pytest.mark.parametrize(
    ("value", "r"), [(0.5, 1000), (0.3, 1000), (0.5, 100), (0.6, 1), (-0.4, 0.01)]
)
def test_bent_isometrics_have_the_value_between_their_points(value, r):
    line = isometric("mcc", value, r)
    share = np.linspace(0, 1, 7)[:, np.newaxis]
    x, y = ((1 - share) * side[:-1] + share * side[1:] for side in (line.x, line.y))
    found = value_in_roc_space(mm.parse("mcc"), x, y, r)
    assert np.nanmax(np.abs(found - value)) < 1e-5


def test_the_isometric_of_an_odds_ratio_goes_from_corner_to_corner():
    for value in (1.5, 100.0, 1000.0, 1e5):
        line = isometric("diagnostic_odds_ratio", value)
        x = np.array([1e-4, 0.002, 0.3, 0.9])
        # The value is the ratio of TPR / (1 - TPR) to FPR / (1 - FPR).
        odds = value * x / (1 - x)
        assert line.at(x) == pytest.approx(odds / (1 + odds), abs=1e-5)


@pytest.mark.parametrize("r", [0.1, 0.3, 1, 2, 5, 7, 10, 19])
def test_the_best_value_is_reached_in_the_corner(r):
    assert (1.0, 0.0) in {(float(y), float(x)) for x, y in _points(isometric("mcc", 1, r))}
    assert (0.0, 1.0) in {(float(y), float(x)) for x, y in _points(isometric("mcc", -1, r))}


def _points(curve):
    return zip(curve.x, curve.y, strict=True)


@pytest.mark.parametrize("measure", ["mcc", "diagnostic_odds_ratio"])
def test_a_perfect_model_reads_one_on_the_diagonal(measure):
    found = operating_point([1] * 3 + [0] * 4, [0.9] * 3 + [0.1] * 4, maximize=measure)
    assert found.diagonal_reading == pytest.approx(1)
    assert found.value in {1.0, math.inf}


def test_a_measure_of_counts_has_no_reading():
    @mm.measure(
        symbol="gap", family="threshold", best="max", range=(-math.inf, math.inf), baseline=None,
        invariant_to=set(), undefined="a class is empty", formula="TP - FP", reference="xie2022",
        at=0.5,
    )  # fmt: skip
    def surplus(cut):
        """How many more."""
        return cut.tp - cut.fp

    found = operating_point([1, 1, 1, 0, 0], [0.9, 0.8, 0.3, 0.5, 0.1], maximize="surplus")
    assert (float(found.value), float(found.threshold)) == (2, 0.8)
    assert math.isnan(found.diagonal_reading)


def test_a_model_that_is_best_everywhere_has_all_zones():
    models = {"A": [0.9, 0.1, 0.5, 0.6], "B": [0.9, 0.5, 0.6, 0.1]}
    for order in (["A", "B"], ["B", "A"]):
        zones = optimality_zones([1, 1, 0, 0], {name: models[name] for name in order})
        (only,) = zones.by_model()
        assert (only.model, only.skew_low, only.skew_high) == ("B", 0, math.inf)
        assert zones.rows[0].also == ("A",)


def test_numbers_of_any_kind_and_size():
    assert isometric("accuracy", Fraction(1, 2)).y.tolist() == [0, 1]
    for value in (10**400, -(10**400)):
        with pytest.raises(mm.DataError, match=r"accuracy is nowhere -?inf in ROC space"):
            isometric("accuracy", value)
        with pytest.raises(mm.ParameterError, match="cost_fp must be >= 0, got"):
            operating_point([0, 1], [0, 1], cost_fp=value, cost_fn=1)
    with pytest.raises(mm.ParameterError, match="cost_fp must be >= 0, got"):
        operating_point([0, 1], [0, 1], cost_fp=np.array([1, 2]), cost_fn=1)
