"""The door of the plots: it lists displays only, and a display loads only what it draws."""

import subprocess
import sys

import pytest

import metameasure as mm
from metameasure import plots
from metameasure.plots import ModelsDisplay

STUDIES = {
    "AdviceDisplay",
    "AgreementDisplay",
    "DegreesDisplay",
    "MeasureMapDisplay",
    "MeasuresDisplay",
    "RobustnessDisplay",
    "SelectionDisplay",
    "ValidationDisplay",
}
DRAW = """
import sys
import matplotlib

matplotlib.use("Agg")
import metameasure as mm

for display in sys.argv[1:]:
    scores = [0, 1, 0, 0, 1] if display == "ConfusionDisplay" else [0.1, 0.2, 0.3, 0.4, 0.6]
    more = {"group": [1, 1, 2, 2, 2]} if display == "GroupsDisplay" else {}
    getattr(mm.plots, display).from_predictions([0, 1, 1, 0, 1], scores, **more)
    matplotlib.pyplot.close("all")
    loaded = [n for n in sys.modules if n.startswith(("metameasure.lab", "metameasure.cli"))]
    assert not loaded, f"{display} loads {loaded}"
    print(display)
"""


def test_only_displays_are_listed():
    assert dir(plots) == plots.__all__
    assert all(name.endswith("Display") for name in plots.__all__)
    assert not {"Display", "ModelsDisplay"} & set(plots.__all__)
    for name in plots.__all__:
        assert issubclass(getattr(plots, name), plots.Display)


def test_no_display_of_models_loads_the_lab():
    names = [name for name in plots.__all__ if name not in STUDIES]
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", DRAW, *names], capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == names, done.stderr


@pytest.mark.parametrize("name", plots.__all__)
def test_a_display_refuses_what_it_cannot_draw(name):
    display = getattr(plots, name)
    table = mm.tabulate([1, 0, 1], [0.9, 0.8, 0.1])
    for wrong in (3, table, mm.roc(table), None, "text"):
        with pytest.raises(mm.DataError, match=" must "):
            display(wrong)
    if issubclass(display, ModelsDisplay):
        with pytest.raises(mm.DataError, match=f"got int; use {name}.from_predictions"):
            display(3)
