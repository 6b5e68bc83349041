"""Each check fires where it should, and not on ordinary data."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import metameasure as mm
from metameasure.inference import coverage
from metameasure.results import CHECK_NAMES, muted

RNG = np.random.default_rng(3)
N = 400
LABELS = RNG.random(N) < 0.4
EVIDENCE = LABELS + RNG.normal(size=N)
SCORES = 1 / (1 + np.exp(0.9 - EVIDENCE))
FEW = np.arange(N) < 12


def codes(*given, measures="auc, brier", resamples=250, **options):
    result = mm.evaluate(*given, measures=measures, resamples=resamples, **options)
    return {check.code for check in result.checks}


def test_ordinary_data_need_no_check():
    assert codes(LABELS, SCORES, measures="default") == set()


@pytest.mark.parametrize(
    ("code", "given", "options"),
    [
        ("MM01", (FEW, SCORES), {}),
        ("MM02", (np.zeros(N), SCORES), {"measures": "brier"}),
        ("MM02", (LABELS, SCORES), {"group": np.where(LABELS, "yes", "no"), "measures": "brier"}),
        ("MM03", (np.arange(N) < 3, SCORES), {"measures": "ndcg", "resamples": 400}),
        ("MM04", (LABELS, SCORES.round(1)), {}),
        ("MM05", (LABELS, SCORES > 0.5), {}),
        ("MM05", (LABELS, np.full(N, 0.4)), {}),
        ("MM06", (LABELS, SCORES / 10), {}),
        ("MM06", (LABELS, 1 - SCORES / 10), {}),
        ("MM07", (LABELS, 10 * EVIDENCE), {"measures": "accuracy"}),
        ("MM08", (LABELS, {"a": SCORES, "b": SCORES.copy()}), {}),
        ("MM10", (LABELS, LABELS + 0.001 * SCORES), {"measures": "auc"}),
        ("MM10", (LABELS, ~LABELS + 0.001 * SCORES), {"measures": "auc"}),
        ("MM11", (~LABELS, SCORES), {"measures": "auc"}),
        ("MM12", (np.arange(N) < 1, SCORES), {"measures": "auc"}),
        ("MM13", (LABELS, SCORES), {"measures": "uncertainty", "stratified": True}),
    ],
)
def test_a_check_fires(code, given, options):
    assert code in codes(*given, **options)


def test_all_models_with_the_same_scores_are_in_one_check():
    # The first cases are equal in all models, and -0.0 equals 0.0.
    zeros, other = SCORES * (np.arange(N) > 100), SCORES.copy()
    other[-1] += 0.5
    models = {f"m{number}": SCORES for number in range(300)}
    models |= {"other": other, "zero": zeros, "minus": np.where(zeros == 0, -0.0, zeros)}
    result = mm.evaluate(LABELS, models, "auc", ci=None, mute=["MM04", "MM06"])
    assert [(check.code, check.message) for check in result.checks] == [
        ("MM08", "m0, m1, m2, m3, m4 and 295 more have the same scores"),
        ("MM08", "zero and minus have the same scores"),
    ]
    predicted = {name: LABELS.astype(int) + 1 for name in "abc"}
    found = mm.evaluate(LABELS.astype(int) + 1, predicted=predicted, measures="accuracy", ci=None)
    same = [check.message for check in found.checks if check.code == "MM08"]
    assert same == ["a, b, c have the same predicted labels"]


@pytest.mark.parametrize(
    ("code", "given", "options"),
    [
        ("MM01", (np.arange(N) < 25, SCORES), {}),
        ("MM04", (LABELS, SCORES.round(3)), {}),
        ("MM05", (LABELS, np.where(np.arange(N) == 0, 0.5, SCORES.round(0))), {}),
        ("MM07", (LABELS, 10 * EVIDENCE), {"measures": "accuracy@3"}),
        ("MM07", (LABELS, 10 * EVIDENCE), {"measures": "precision@top=10%"}),
        ("MM11", (LABELS, RNG.random(N)), {"measures": "auc"}),
        ("MM13", (LABELS, LABELS * 0.2 + 0.4), {"measures": "ndcg"}),
        ("MM13", (LABELS, np.full(N, 0.4)), {"measures": "ks, auch, h_measure, discrimination"}),
    ],
)
def test_a_check_does_not_fire(code, given, options):
    assert code not in codes(*given, **options)


def test_an_interval_that_covers_badly_is_called_so(monkeypatch):
    rows = [
        coverage.Simulated(fewest, 0.5, "independent", "normal", covered, 2000)
        for fewest, covered in ((25, 0.95), (100, 0.85))
    ]
    monkeypatch.setattr(coverage, "_studied", lambda: {"auc": {"newcombe": rows}})
    assert "MM09" in codes(LABELS, SCORES)
    assert "MM09" not in codes(np.arange(N) < 30, SCORES)


@pytest.mark.parametrize("mute", ["MM04", "mm04", "many-ties", ["MM04"], ("many-ties", "MM01")])
def test_a_check_can_be_muted(mute):
    assert "MM04" in codes(LABELS, SCORES.round(1))
    assert "MM04" not in codes(LABELS, SCORES.round(1), mute=mute)


def test_what_is_no_check_cannot_be_muted():
    with pytest.raises(mm.ParameterError, match="did you mean many-ties"):
        mm.evaluate(LABELS, SCORES, "auc", mute="many-tie")


def test_checks_stand_below_every_form():
    result = mm.evaluate(LABELS, {"a": SCORES.round(1), "b": SCORES.round(1)}, "auc", ci=None)
    (line,) = [line for line in str(result).splitlines() if "MM04" in line]
    assert line.startswith("check MM04 (a, b): ")
    assert "MM04" in result.to_markdown()
    assert "MM04" in result._repr_html_()
    assert '"code": "MM04"' in result.to_json()


def test_every_code_is_explained():
    text = (
        Path(__file__, "..", "..", "..", "docs", "uncertainty.md")
        .resolve()
        .read_text(encoding="utf-8")
    )
    rows = re.findall(r"^\| (MM\d\d) \| ([\w-]+) \|", text, re.MULTILINE)
    assert dict(rows) == CHECK_NAMES


def test_checks_are_muted_by_a_list_or_by_text():
    assert muted("MM04, few-cases") == muted(["MM04", "MM01"]) == {"MM01", "MM04"}


def test_groups_with_different_numbers_have_one_line():
    group = [f"site {place % 8}" for place in range(N)]
    result = mm.evaluate(LABELS, SCORES / 10, "auc", group=group, ci=None, mute="few-cases")
    of_groups = [c for c in result.checks if c.code == "MM06" and c.group is not None]
    assert len(of_groups) == len({check.message for check in of_groups}) == 8
    lines = [line for line in str(result).splitlines() if "MM06" in line]
    assert lines[0].startswith("check MM06 (model): the scores are not calibrated probabilities (m")
    four = ", ".join(f"model in group site {place}" for place in range(4))
    what = "the scores are not calibrated probabilities"
    assert lines[1:] == [f"check MM06 ({four} and 4 more): {what}"]
    alone = mm.evaluate(LABELS, SCORES / 10, "auc", group=["x"] * N, ci=None)
    assert f"check MM06 (model, model in group x): {what} (mean" in str(alone)


@pytest.mark.parametrize("large", [np.inf, 1e308])
def test_infinite_and_very_large_scores_are_checked_without_a_warning(large):
    scores = [large, 0.5, 0.5, -large]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = mm.evaluate([1, 0, 1, 0], scores, "auc", ci=None)
    assert result.value("auc") == 0.875
    assert [check.code for check in result.checks] == ["MM01", "MM04"]
