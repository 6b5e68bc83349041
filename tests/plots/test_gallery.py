"""The gallery shows every display, and its figures of the papers show their values."""

import importlib.util
import shutil
import sys
from fractions import Fraction
from importlib.resources import as_file, files
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from drawing import written
from matplotlib import pyplot as plt
from matplotlib.patches import Wedge

from metameasure import plots
from metameasure.cli.app import make_app

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "tools"


def tool(name):
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


pictures = tool("gallery_pictures")
gallery = tool("make_gallery")
ALL = gallery.all_pictures()


def display(name):
    """The display of one of the figures of the papers."""
    known = {}
    exec(pictures.SETTING, known)  # noqa: S102 - our own code
    for picture in pictures.PAPERS:
        found = gallery.drawn(picture.code, known)
        if picture.name == name:
            return found
        plt.close("all")
    raise AssertionError(name)


def test_the_page_is_what_the_script_writes():
    assert gallery.PAGE.read_text(encoding="utf-8") == gallery.page()


def test_every_picture_is_there_and_no_other():
    files = {file.stem for file in gallery.FIGURES.glob("*.png")}
    assert files == {picture.name for picture in ALL}
    for file in gallery.FIGURES.iterdir():
        assert file.read_bytes().startswith(b"\x89PNG")


def test_every_display_and_every_command_is_shown():
    shown = gallery.page()
    for name in plots.__all__:
        assert f"plots.{name}" in shown, name
    for kind in (name for name in make_app()["plot"] if not name.startswith("-")):
        assert f"metameasure plot {kind} " in shown, kind


@pytest.mark.parametrize(
    "command", [gallery.command(p) for p in ALL if p.command], ids=lambda words: words.split()[2]
)
def test_every_command_draws_its_picture(command, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with as_file(files("metameasure.cli.commands") / "digits.parquet") as demo:
        shutil.copy(demo, "predictions.parquet")
    _, *words = command.split()
    done = run(*words)
    assert done.code == 0, done.err
    assert ET.parse(words[-1]).getroot().tag.endswith("svg")  # noqa: S314 - our own file


def test_wu_flach_ferri_figure_1():
    # Example 2: the margins of the nine pairs of each model.
    found = display("wff_1")
    for name, pos, neg in (
        ("M1", (1, 0.7, 0.6), (0.5, 0.4, 0)),
        ("M2", (1, 0.9, 0.5), (0.6, 0.2, 0)),
    ):
        margins = np.array([p - q for p in pos for q in neg])
        x, y = found.artists_[name].get_data()
        for tau in (0.05, 0.15, 0.25, 0.35, 0.45, 0.65, 0.85, 0.95):
            place = np.searchsorted(x, tau)
            assert y[place] == y[place - 1] == pytest.approx(np.mean(margins > tau))
    assert "M1  sAUC 0.467" in written(found.ax_)
    assert "M2  sAUC 0.544" in written(found.ax_)


@pytest.mark.parametrize(
    ("name", "thresholds", "ks", "taks", "abc"),
    [
        ("berrar_2", 11, "0.600", "0.333", "0.300"),
        ("berrar_3a", 3, "1.000", "1.000", "0.500"),
        ("berrar_3c", 10, "1.000", "0.600", "0.533"),
    ],
)
def test_berrar_figures_2_and_3(name, thresholds, ks, taks, abc):
    words = written((found := display(name)).ax_)
    assert f"KS {ks}" in words
    assert f"taKS {taks}" in words
    assert f"ABC {abc}" in words
    assert len(found.curve) == thresholds
    if name == "berrar_2":
        assert found.curve.y[5] == pytest.approx(Fraction(4, 5))
        assert found.curve.others["fpr"][5] == pytest.approx(Fraction(1, 5))


def test_xie_figure_3():
    for value, line in display("xie_isoaccuracy").isometrics.items():
        # TPR = r FPR + (1 + r) accuracy - r, with r = 1/2
        assert line.y == pytest.approx(0.5 * line.x + 1.5 * value - 0.5)
    lines = display("xie_isoprecision").isometrics
    for value in (0.1, 0.5, 0.9):
        assert (1 - value) * lines[value].y == pytest.approx(value * lines[value].x)


def test_a_concavity_is_repaired():
    found = display("concavity")
    assert found.artists_["hull"].get_xydata().tolist() == [[0, 0], [0, 0.5], [0.5, 1], [1, 1]]
    (area,) = found.ax_.patches
    x, y = area.get_xy().T
    assert abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2 == pytest.approx(1 / 8)


def test_huang_figure_3_1():
    # Tables 3.4 and 3.5, n = 10: pairs of the 252 lists of 5 + 5 cases; C = .963, D = 15.2.
    found = display("huang_3_1")
    printed = {19742, 766, 9416, 618, 252 * 251 // 2 - 19742 - 766 - 9416 - 618}
    wedges = [artist for artist in found.artists_.values() if isinstance(artist, Wedge)]
    # matplotlib 3.10.0 has the angles in single precision
    pairs = {round((wedge.theta2 - wedge.theta1) / 360 * 31626, 2) for wedge in wedges}
    assert pairs == printed
    degrees = " ".join(found.artists_["degrees"].get_text().split())
    assert "C = 0.963" in degrees.replace("0.9626", "0.963")
    assert "D = 15.2" in degrees
