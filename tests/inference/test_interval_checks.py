"""When intervals, differences and their cases get a check: at the limits of each rule."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

import metameasure as mm
from metameasure.inference import interval_checks as checks
from metameasure.inference.coverage import Simulated


def codes(found):
    return [code for code, _ in found]


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        ((0, 40), [("MM02", "no positive cases")]),
        ((40, 0), [("MM02", "no negative cases")]),
        ((1, 40), [("MM01", "only 1 positive case;")]),
        ((40, 24), [("MM01", "only 24 negative cases;")]),
        ((25, 24), [("MM01", "only 24 negative cases;")]),
        ((24, 23), [("MM01", "only 24 positive and 23 negative cases;")]),
        ((25, 25), []),
    ],
)
def test_few_cases(classes, expected):
    found = list(checks.check_classes(*classes))
    assert codes(found) == [code for code, _ in expected]
    assert all(words in message for (_, message), (_, words) in zip(found, expected, strict=True))


@pytest.mark.parametrize(
    ("clusters", "words"),
    [(24, "only 24 clusters; intervals"), (25, None), (None, None)],
)
def test_few_clusters(clusters, words):
    label, score = np.tile([1, 0], 50), np.linspace(0, 1, 100)
    cluster = None if clusters is None else np.mod(np.arange(100) // 2, clusters)
    found = mm.interval(label, score, "auc", cluster=cluster).checks
    assert [check.message.startswith(words) for check in found] == [True] * (words is not None)


@pytest.mark.parametrize(
    ("drawn", "left_out", "method", "expected"),
    [
        (0, 0.0, "percentile", []),
        (399, 0.0, "percentile", ["MM15"]),  # 2.5% of 400 are 10
        (400, 0.0, "percentile", []),
        (400, 0.01, "percentile", []),
        (400, 0.0101, "percentile", ["MM03"]),
        (100, 0.5, "percentile", ["MM03", "MM15"]),
        (10, 0.0, "bound", []),
    ],
)
def test_few_resamples(drawn, left_out, method, expected, monkeypatch):
    needed = {"percentile": 400, "bound": 0}
    monkeypatch.setattr(checks, "resamples_needed", lambda name, ci: needed[name])
    assert codes(checks.check_drawn(drawn, left_out, method, 0.95)) == expected


def interval(**changes):
    facts = {
        "measure": mm.log_loss, "value": 0.5, "low": 0.4, "high": 0.6, "ci": 0.95, "reason": None,
        "method": "percentile", "resamples": 2000, "left_out": 0,
    }  # fmt: skip
    return SimpleNamespace(**(facts | changes))


def test_an_interval_without_limits_has_one_check():
    found = list(checks.check_interval(interval(reason="no cases", high=math.inf), None))
    assert found == [("MM12", "no interval: no cases")]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"resamples": None}, []),
        ({"resamples": 1980, "left_out": 20}, []),
        ({"resamples": 1979, "left_out": 21}, ["MM03"]),
        ({"high": 0.4}, ["MM13"]),
        ({"high": math.inf}, ["MM20"]),
        ({"low": -math.inf}, ["MM20"]),
        ({"low": -math.inf, "high": math.inf}, ["MM20"]),
        ({"high": math.inf, "value": math.inf}, []),
    ],
)
def test_what_an_interval_shows(changes, expected):
    assert codes(checks.check_interval(interval(**changes), None)) == expected


@pytest.mark.parametrize(
    ("measure", "method", "explained"),
    [(mm.log_loss, "percentile", True), (mm.log_loss, "bound", False), (mm.sse, "bca", False)],
)
def test_an_infinite_limit_of_clipped_scores_is_explained(measure, method, explained):
    one = interval(high=math.inf, measure=measure, method=method)
    ((_, message),) = checks.check_bounds(one)
    assert ("log_loss(clip=1e-15)" in message) is explained


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"low": -math.inf}, "the lower limit is infinite"),
        ({"high": math.inf}, "the upper limit is infinite"),
        ({"low": -math.inf, "high": math.inf}, "the limits are infinite"),
    ],
)
def test_the_check_names_the_infinite_limit(limits, words):
    ((_, message),) = checks.check_bounds(interval(**limits))
    assert message.startswith(words)


@pytest.mark.parametrize(
    ("coverage", "cases", "words"),
    [
        (0.85, "independent", "covered 85% in the most similar simulations (30 cases of"),
        (0.85, "clustered", "simulations (clustered cases, 30 cases of"),
        (0.91, "independent", None),
        (None, "independent", None),
    ],
)
def test_low_coverage(coverage, cases, words, monkeypatch):
    found = None if coverage is None else Simulated(30, 0.5, cases, "easy", coverage, 1000)
    monkeypatch.setattr(checks, "known_coverage", lambda *_: found)
    monkeypatch.setattr(checks, "cases_kind", lambda _: cases)
    shown = list(checks.check_coverage(interval(), SimpleNamespace(classes=(30, 30))))
    assert codes(shown) == ([] if words is None else ["MM09"])
    assert words is None or words in shown[0][1]


@pytest.mark.parametrize(
    ("by_chance", "expected"), [(0.01, []), (0.011, ["MM23"]), (-0.011, ["MM23"]), (0.0, [])]
)
def test_a_difference_by_chance(by_chance, expected):
    gap = SimpleNamespace(measure=mm.ece, by_chance=by_chance, low=0.1, high=0.3)
    assert codes(checks.check_chance(gap)) == expected


@pytest.mark.parametrize(("text", "warned"), [("emax", True), ("ks", False)])
def test_a_difference_of_calibration_curves_may_be_due_to_chance(text, warned):
    rng = np.random.default_rng(4)
    label = rng.random(80) < 0.4
    scores = {"a": 0.02 + 0.94 * label + 0.02 * rng.random(80), "b": rng.random(80)}
    found = mm.compare(label, scores, text, method="swapped", resamples=200)
    assert found.rows[0].pvalue < 0.05
    messages = [check.message for check in found.checks if check.code == "MM23"]
    assert [f"{text} of calibrated models" in message for message in messages] == [True] * warned
