"""What the package and its docs say about coverage is what the study found."""

import json
import warnings
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from metameasure.errors import ParameterError
from metameasure.inference import Method, Plan, measure_intervals
from metameasure.inference.methods.method import find_method

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _benchmarks_can_be_imported(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)


@pytest.mark.parametrize(
    "name",
    ["docs/coverage.md", "docs/hard_settings.md", "src/metameasure/inference/coverage.json"],
)
def test_is_what_the_results_give(name):
    from benchmarks.coverage.report import FILES

    made = FILES[name]()
    assert (ROOT / name).read_text(encoding="utf-8") == made, (
        "run python -m benchmarks.coverage.report"
    )


def test_the_results_have_every_measure_and_method_in_every_cell():
    from benchmarks.coverage.populations import CELLS
    from benchmarks.coverage.study import RESULTS
    from benchmarks.coverage.trials import TRIED

    cells = json.loads(RESULTS.read_text(encoding="utf-8"))["cells"]
    assert list(cells) == [str(cell) for cell in CELLS]
    tried = [(str(measure), method) for measure, method in TRIED]
    for found in cells.values():
        assert [(m, method) for m, methods in found.items() for method in methods] == tried


def test_every_method_that_a_measure_has_is_tried():
    from benchmarks.coverage.populations import MODEL, Cell
    from benchmarks.coverage.trials import MEASURES, TRIED

    sample = Cell(25, 0.5, "ties").draw(np.random.default_rng(3))
    for measure in MEASURES:
        for method in (name for name in get_args(Method)[1:] if find_method(name).name == name):
            try:
                measure_intervals(sample, {MODEL: [measure]}, Plan(method=method, resamples=10))
            except ParameterError:
                assert (measure, method) not in TRIED
            else:
                assert (measure, method) in TRIED


def test_the_study_tries_the_intervals_of_the_package():
    from benchmarks.coverage.populations import MODEL, Cell
    from benchmarks.coverage.trials import CI, MEASURES, RESAMPLED, TRIED, limits

    sample = Cell(25, 0.5, "ties").draw(np.random.default_rng(3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        studied = dict(zip(TRIED, limits(sample, 40, 7).tolist(), strict=True))
        for method in RESAMPLED:
            found = measure_intervals(
                sample, {MODEL: MEASURES}, Plan(ci=CI, method=method, resamples=40, seed=7)
            )
            for (_, measure), interval in found.items():
                expected = pytest.approx([interval.low, interval.high], nan_ok=True)
                assert studied[measure, method] == expected, (measure, method)


def test_the_population_has_the_values_that_formulas_give():
    from benchmarks.coverage.populations import Cell
    from scipy.special import ndtr

    import metameasure as mm

    population = Cell(25, 0.5, "binormal").population(20_000)
    assert mm.auc(population) == pytest.approx(ndtr(0.5**0.5), abs=1e-7)
    assert mm.ks(population) == pytest.approx(2 * ndtr(0.5) - 1, abs=1e-7)
    assert mm.accuracy(population) == pytest.approx(ndtr(0.5), abs=1e-12)
    assert mm.calibration_slope(population) == pytest.approx(2 / 3, abs=1e-6)
