"""Very many groups: their values come from blocks, and are those of each group alone."""

import math

import numpy as np
import pytest

import metameasure as mm
from metameasure.evaluation import measured_rows

GROUPS = 60
RNG = np.random.default_rng(5)
GROUP = RNG.permutation(np.repeat(np.arange(GROUPS), RNG.integers(1, 30, GROUPS)))
LABEL = RNG.random(GROUP.size) < 0.4
SCORES = {"tied": RNG.random(GROUP.size).round(1), "scores": RNG.normal(size=GROUP.size)}
WEIGHT = np.where(GROUP == 7, 0, RNG.integers(0, 4, GROUP.size) * 0.7)
WEIGHT[GROUP == 8] = 0.3

pytestmark = pytest.mark.filterwarnings("ignore::metameasure.UndefinedMeasureWarning")


def values(monkeypatch, blocks_from, measures, **options):
    """The values by model, group and measure."""
    monkeypatch.setattr(measured_rows, "IN_BLOCKS_FROM", blocks_from)
    found = mm.evaluate(LABEL, SCORES, measures, ci=None, group=GROUP, **options)
    return {(row.model, row.group, str(row.measure)): row.value for row in found.rows}, found


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["unweighted", "weighted"])
@pytest.mark.parametrize(
    "measures", ["all", "auc, linear(auc, accuracy), one_table_alone, tpr@k=3"], ids=["all", "some"]
)
def test_values_are_those_of_each_group_alone(monkeypatch, weight, measures):
    @mm.measure
    def one_table_alone(table):
        """A measure that does not take blocks."""
        return float(table.P) / 2

    alone, by_loop = values(monkeypatch, math.inf, measures, sample_weight=weight)
    in_blocks, by_block = values(monkeypatch, 1, measures, sample_weight=weight)
    assert list(alone) == list(in_blocks)
    assert in_blocks == pytest.approx(alone, rel=1e-9, abs=1e-9, nan_ok=True)
    assert by_block.checks == by_loop.checks
    assert by_block.left_out == by_loop.left_out
    assert len(alone) > 2 * GROUPS


def test_blocks_are_used_for_very_many_groups(monkeypatch):
    used = []
    usual = measured_rows.values_of_groups
    monkeypatch.setattr(
        measured_rows, "values_of_groups", lambda *given: used.append(given) or usual(*given)
    )
    for groups, times in ((measured_rows.IN_BLOCKS_FROM - 1, 0), (measured_rows.IN_BLOCKS_FROM, 1)):
        group = np.repeat(np.arange(groups), 2)
        score = RNG.random(group.size)
        found = mm.evaluate(np.tile([1, 0], groups), score, "auc", ci=None, group=group)
        assert len(used) == times
        expected = np.where(score[::2] > score[1::2], 1, 0)
        assert [row.value for row in found.rows[1:]] == expected.tolist()
