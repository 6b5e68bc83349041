"""The door of the plots: it lists displays only, and a display loads only what it draws."""

import subprocess
import sys

import pytest

from metameasure import plots

CURVES = """
import sys
import matplotlib

matplotlib.use("Agg")
import metameasure as mm

mm.plots.{display}.from_predictions([0, 1, 1, 0, 1], [0.1, 0.2, 0.3, 0.4, 0.6])
print(*(name for name in sys.modules if name.startswith(("metameasure.lab", "metameasure.cli"))))
"""


def test_only_displays_are_listed():
    assert dir(plots) == plots.__all__
    assert all(name.endswith("Display") for name in plots.__all__)
    assert not {"Display", "ModelsDisplay"} & set(plots.__all__)
    for name in plots.__all__:
        assert issubclass(getattr(plots, name), plots.Display)


@pytest.mark.parametrize("display", ["RocDisplay", "ReliabilityDisplay", "ForestDisplay"])
def test_a_display_of_models_loads_nothing_of_the_lab(display):
    code = CURVES.format(display=display)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own code
    assert done.stdout.strip() == ""
