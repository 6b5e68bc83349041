"""Which measures a text, a measure or a list of them stands for."""

import numpy as np
import pytest

import metameasure as mm
from metameasure.evaluation import measure_choice
from metameasure.lab.model_choice import question


@pytest.mark.parametrize("pick", [measure_choice.choose, measure_choice.choose_of_classes])
def test_an_array_of_names_is_a_list_of_them(pick):
    names = ["log_loss", "brier"]
    chosen, by_name = pick(np.array(names))
    assert [measure.name for measure in chosen] == names
    assert by_name


def test_everyone_has_a_default_of_their_own():
    defaults = (measure_choice.DEFAULT, question.DEFAULT, measure_choice.DEFAULT_OF_CLASSES)
    found = (measure_choice.choose("default"), measure_choice.choose("default", question.DEFAULT))
    for (chosen, by_name), names in zip(
        (*found, measure_choice.choose_of_classes("default")), defaults, strict=True
    ):
        assert [measure.name for measure in chosen] == list(names)
        assert not by_name
    assert measure_choice.choose("all") == (mm.measures(), False)
    assert measure_choice.choose(mm.parse("auc")) == ([mm.parse("auc")], True)


@pytest.mark.parametrize("point", [0.3, 0.1 + 0.2, "top=10%", "k=2", np.float32(0.3)])
def test_measures_at_other_points_are_chosen_in_a_list(point):
    labels, scores = [1, 0, 1, 0, 1], [0.9, 0.3, 0.4, 0.2, 0.3]
    moved = mm.f_measure.at(point)
    assert mm.parse(str(moved)) == moved
    (row,) = mm.evaluate(labels, scores, [moved], ci=None).rows
    assert (row.measure, row.value) == (moved, moved(labels, scores))
