"""Values at confusion matrices that are made already."""

import numpy as np
import pytest

import metameasure as mm
from metameasure.table import Cut

OF_MATRICES = [measure for measure in mm.measures() if measure.point]


@pytest.mark.parametrize("measure", ["mcc", "kappa"])
def test_rounding_does_not_leave_the_range(measure):
    ratios = tuple(np.random.default_rng(0).uniform(0.1, 10, 300))
    surface = mm.roc_surface([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1], r=ratios, measure=measure)
    assert np.nanmax(surface.others["value"]) == 1


@pytest.mark.parametrize("measure", OF_MATRICES, ids=str)
def test_the_value_at_a_matrix_is_that_of_its_cases(measure):
    table = mm.tabulate([1, 0, 1, 0, 1, 1], [0.9, 0.8, 0.6, 0.4, 0.3, 0.7])
    cut = table.at(measure.point)
    assert float(measure.at_cut(cut)) == measure.value(table)
    doubled = Cut(*(np.array([part, part]) for part in (cut.tp, cut.fp, cut.P, cut.N)))
    assert measure.at_cut(doubled).tolist() == [measure.value(table)] * 2
