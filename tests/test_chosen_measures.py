"""Which measures a text, a measure or a list of them stands for."""

import numpy as np
import pytest

import metameasure as mm
from metameasure.evaluation import choice
from metameasure.lab import candidates


@pytest.mark.parametrize("pick", [choice.choose, choice.choose_of_classes])
def test_an_array_of_names_is_a_list_of_them(pick):
    names = ["log_loss", "brier"]
    chosen, by_name = pick(np.array(names))
    assert [measure.name for measure in chosen] == names
    assert by_name


def test_everyone_has_a_default_of_their_own():
    defaults = (choice.DEFAULT, candidates.DEFAULT, choice.DEFAULT_OF_CLASSES)
    found = (choice.choose("default"), choice.choose("default", candidates.DEFAULT))
    for (chosen, by_name), names in zip(
        (*found, choice.choose_of_classes("default")), defaults, strict=True
    ):
        assert [measure.name for measure in chosen] == list(names)
        assert not by_name
    assert choice.choose("all") == (mm.measures(), False)
    assert choice.choose(mm.parse("auc")) == ([mm.parse("auc")], True)
