"""What holds for every result that a public function returns."""

import io
import json
import math
import warnings

import numpy as np
import pytest
from rich.console import Console

import metameasure as mm
from metameasure import lab
from metameasure.results import FORMATS, Result

RNG = np.random.default_rng(7)
Y = RNG.random(120) < 0.4
HOSTILE = "<b>\x1b[31m|*a*_{\\input}$"
SCORES = {
    "a": np.clip(Y + RNG.normal(0, 0.8, 120), 0, 1),
    HOSTILE: np.round(RNG.random(120), 1),
    "c": np.where(Y, 0.0, RNG.random(120)),  # its log loss is infinite
}
CLASSES = np.array(["cat", "dog", HOSTILE])[RNG.integers(0, 3, 120)]
THREE = RNG.dirichlet([1, 1, 1], 120)
SETS = {"a": RNG.random(12), HOSTILE: RNG.random(12) + 0.3, "c": RNG.random(12)}


def made():
    matrix = mm.ConfusionMatrix.of(CLASSES, RNG.permutation(CLASSES))
    table = mm.tabulate_lists(Y, np.array(list(SCORES.values())))
    costs = {"cost_fp": 1, "cost_fn": 3}
    lists = lab.ranked_lists(3, 3)
    return {
        "evaluation": mm.evaluate(Y, SCORES, resamples=50),
        "undefined": mm.evaluate([1, 1], {"a": [0.2, 0.3]}, "auc, log_loss"),
        "groups": mm.evaluate(Y, SCORES, "auc", group=CLASSES, ci=None),
        "compared groups": mm.compare_groups(Y, SCORES, group={HOSTILE: CLASSES, "b": Y[::-1]}),
        "folds of an evaluation": mm.evaluate(
            Y, SCORES, "auc, log_loss", fold=CLASSES, resamples=50
        ),
        "classes": mm.evaluate(CLASSES, {HOSTILE: THREE, "b": THREE[:, ::-1]}, resamples=50),
        "comparison": mm.compare(Y, SCORES, "auc, log_loss", resamples=50),
        "folds": mm.compare_folds(SETS, n_train=90, n_test=10, measure="auc"),
        "datasets": mm.compare_datasets(SETS),
        "gate": mm.gate(
            Y,
            {"a": SCORES["a"], HOSTILE: SCORES[HOSTILE]},
            ["auc >= 0.6", "auc >= baseline - 0.01", "log_loss <= 0.4 by group", "auc >= 0.99"],
            baseline=HOSTILE,
            group=CLASSES,
        ),
        "interval": mm.interval(Y, SCORES["a"], "auc"),
        "test": mm.two_sample_test(Y, SCORES["a"]),
        "band": mm.band(Y, SCORES["a"], "roc", resamples=50),
        "matrix": matrix,
        "report": matrix.report(normalize="true", measures="tpr, kappa"),
        "class measures": matrix.measures("all"),
        "deciles": mm.decile_table(Y, SCORES),
        "calibration": mm.calibration_table(Y, SCORES),
        "stability": mm.psi_table(SCORES["a"], SCORES["c"], bins=4),
        "point": mm.operating_point(Y, SCORES["a"], **costs),
        "block": mm.operating_point(table, maximize="mcc"),
        "points": mm.operating_points(Y, SCORES, **costs),
        "zones": mm.optimality_zones(Y, SCORES),
        "sample size": mm.sample_size("auc", Y, SCORES["a"], width=0.1),
        "measures": lab.compare("auc", "accuracy", lists),
        "matrix of measures": lab.comparison_matrix("auc, ks, accuracy", lists),
        "order": lab.preference_order("auc, ks, accuracy", lists),
    }


with warnings.catch_warnings():
    warnings.simplefilter("ignore", mm.UndefinedMeasureWarning)
    RESULTS = made()


@pytest.fixture(params=RESULTS)
def result(request):
    return RESULTS[request.param]


def numbers_in(value):
    if isinstance(value, dict):
        for name, item in value.items():
            yield from (((name, *path), found) for path, found in numbers_in(item))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from (((place, *path), found) for path, found in numbers_in(item))
    elif isinstance(value, (int, float)):
        yield (), value


def test_json_is_strict_and_whole(result):
    def fail(text):
        raise AssertionError(f"{text} is not JSON")

    content = json.loads(result.to_json(), parse_constant=fail)
    assert isinstance(content["rows"], list)
    assert isinstance(content["checks"], list)
    numbers = dict(numbers_in(content))
    for path, value in numbers_in(result.to_dict()):
        assert numbers.get(path) == (value if math.isfinite(value) else None)
    assert set(result.extra) <= set(content)


def test_infinite_values_have_their_sign(result):
    content = json.loads(result.to_json())
    for record, stored in zip(result.records(), content["rows"], strict=True):
        for name, value in record.items():
            sign = stored.get("infinite" if name == "value" else f"{name}_infinite")
            infinite = isinstance(value, float) and math.isinf(value)
            assert sign == (("+" if value > 0 else "-") if infinite else None)


def test_rows_follow_the_schema(result):
    assert isinstance(result, Result)
    for name in ("rows", *result.extra):
        frame, records = result.to_polars(name), result.records(name)
        assert frame.height == len(records)
        if records:
            assert list(records[0]) == frame.columns
    assert result.to_pandas().shape == result.to_polars().shape


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_writes_it(result, name, tmp_path):
    text = result.to(name)
    assert text.strip()
    if FORMATS[name].kind != "rows":
        assert "\x1b" not in text
    if name in {"markdown", "html"}:
        assert "<b>\\x1b" not in text
    if name == "latex":
        assert text.count("\\begin{tabular}") == len(result.page().grids)
        assert "\\input" not in text
    suffixes = FORMATS[name].suffixes
    path = tmp_path / f"found{suffixes[0] if suffixes else ''}"
    result.save(path, None if suffixes else name)
    assert path.read_text().rstrip() == text.rstrip()


@pytest.mark.parametrize("width", [80, 120])
def test_it_fits_into_a_terminal(result, width):
    stream = io.StringIO()
    Console(file=stream, width=width, color_system=None).print(result)
    assert max(map(len, stream.getvalue().splitlines())) <= width
    assert "\x1b" not in stream.getvalue()


def test_bold_has_a_meaning(result):
    for grid in result.page().grids:
        stands_out = any(cell.stands_out for _, cells in grid.rows for cell in cells)
        assert grid.bold or not stands_out
    html = result.to_html()
    assert ("<b>" in html) == ("<p>bold: " in html)


def test_checks_are_shown(result):
    for check in result.checks:
        assert check.code in str(result)
        assert check.code in result.to_html()
