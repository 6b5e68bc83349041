"""The walks of CONTRIBUTING are followed: what they add is added, and used."""

import importlib
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given

import metameasure as mm
from common import checks
from metameasure.cli.app import make_app
from metameasure.data import sources
from metameasure.inference.methods import method as methods
from metameasure.results import formats
from oracles import CUT_ORACLES
from strategies import cases

TEXT = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")


def blocks(title, kind="python"):
    """The code of a section; that of commands is left to the test of commands."""
    (section,) = re.findall(rf"^### \d\. {title}\n(.*?)(?=^###? )", TEXT, re.MULTILINE | re.DOTALL)
    return re.findall(rf"^```{kind}\n(.*?)^```", section, re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def _registries_as_they_were():
    """What a walk adds is forgotten after it; the measures are forgotten after every test."""
    registries = (formats.FORMATS, methods._methods, CUT_ORACLES)
    before = [dict(registry) for registry in registries]
    listed = list(sources.SOURCES)
    yield
    for registry, then in zip(registries, before, strict=True):
        registry.clear()
        registry.update(then)
    sources.SOURCES[:] = listed


@pytest.fixture
def names(tmp_path, monkeypatch):
    """What the code takes as given: labels, and the scores of two models."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(8)
    y_true = rng.random(200) < 0.4
    models = {name: 1 / (1 + np.exp(rng.normal(size=200) - 2 * y_true)) for name in ("a", "b")}
    return {"mm": mm, "y_true": y_true, "y_score": models["a"], "models": models}


def follow(title, names):
    for block in blocks(title):
        place = re.match(r"# src/(.*)\.py\n", block)
        names["__name__"] = place[1].replace("/", ".") if place else "own_code"
        if "cli/commands" not in block:
            exec(block, names)  # noqa: S102 - our own code
    return names


def test_a_measure(names):
    markedness = follow("A measure", names)["markedness"]

    @given(cases())
    def common(some):
        checks.check_oracle(markedness, some)
        checks.check_range(markedness, some)
        checks.check_repetition(markedness, some)

    with np.errstate(all="ignore"):
        common()
    checks.check_text(markedness)
    y, s = names["y_true"], names["y_score"]
    found = mm.evaluate(y, s, "markedness", ci=None)
    assert found.rows[0].value == mm.markedness(y, s) == mm.precision(y, s) + mm.npv(y, s) - 1


def test_a_format(names):
    follow("An output format", names)
    assert Path("found.tsv").read_text(encoding="utf-8").count("\t") > 5
    pl.DataFrame({"y": [1, 0, 1], "s": [0.9, 0.5, 0.2]}).write_csv("few.csv")
    declared = next(block for block in blocks("An output format") if "@output_format" in block)

    def run(*words):
        """The program in a process of its own, as the formats are declared before it is loaded."""
        code = f"{declared}\nfrom metameasure.cli import main; main()"
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
        )
        return done.stdout

    out = run("evaluate", "few.csv", "--measures", "auc", "--format", "tsv", "--label", "y")
    assert "measure\t" in out
    run("measures", "-o", "all.tsv")
    assert "auc\t" in Path("all.tsv").read_text(encoding="utf-8")


def test_a_method(names, run):
    follow("An interval or test method", names)
    y, s = names["y_true"], names["y_score"]
    found = mm.interval(y, s, "accuracy", method="agresti_coull")
    wilson = mm.interval(y, s, "accuracy", method="wilson")
    middle = (wilson.low + wilson.high) / 2
    assert (found.low + found.high) / 2 == pytest.approx(middle)
    assert found.method == "agresti_coull"
    assert found.high - found.low > wilson.high - wilson.low
    with pytest.raises(mm.ParameterError, match="agresti_coull"):
        mm.interval(y, s, "auc", method="agresti_coull")


def test_a_source(names):
    connection = follow("A source or engine", names)["connection"]
    found = mm.evaluate(connection, ["a", "b"], "auc, brier", label="y", ci=None)
    expected = mm.evaluate(names["y_true"], names["models"], "auc, brier", ci=None)
    assert [row.value for row in found.rows] == pytest.approx([row.value for row in expected.rows])
    with pytest.raises(mm.DataError, match="individual cases"):
        mm.advise(connection, ["a", "b"], label="y")


def test_a_display_and_a_command(names, monkeypatch, capsys):
    display = follow("A display and a command", names)["DepthDisplay"]
    assert Path("depth.svg").read_text(encoding="utf-8").startswith("<?xml")
    Path("depth.svg").unlink()
    package = Path("walked_commands")
    package.mkdir()
    (package / "__init__.py").write_text('"""Commands of a walk."""\n')
    for block in blocks("A display and a command"):
        if found := re.match(r"# src/metameasure/cli/commands/(\w+\.py)\n", block):
            (package / found[1]).write_text(block, encoding="utf-8")
    monkeypatch.syspath_prepend(Path.cwd())
    importlib.invalidate_caches()
    monkeypatch.setattr("builtins.DepthDisplay", display, raising=False)
    frame = pl.DataFrame({"y": names["y_true"].astype(int), **names["models"]})
    frame.write_csv("predictions.csv")
    app = make_app(importlib.import_module("walked_commands"))
    (commands,) = blocks("A display and a command", "sh")
    for line in commands.splitlines():
        app(shlex.split(line)[1:])
    assert "tpr" in capsys.readouterr().out
    assert Path("depth.svg").is_file()
    for name in [name for name in sys.modules if name.startswith("walked_commands")]:
        del sys.modules[name]
