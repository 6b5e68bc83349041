"""The walks of CONTRIBUTING are followed: what they add is added, and used."""

import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import metameasure as mm
from common import test_registry
from metameasure import inference
from metameasure.data import engines, sources
from metameasure.experiments import declaration
from metameasure.experiments.reproduction import judged
from metameasure.inference.methods import method as methods
from metameasure.measurement import references
from metameasure.results import FORMATS

TESTS = Path(__file__).parents[1]
TEXT = (TESTS.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")


def blocks(title, kind="python"):
    """The code of a section; that of commands is left to the test of commands."""
    (section,) = re.findall(rf"^### \d\. {title}\n(.*?)(?=^###? )", TEXT, re.MULTILINE | re.DOTALL)
    return re.findall(rf"^```{kind}\n(.*?)^```", section, re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def _registries_as_they_were():
    """What a walk adds is forgotten after it; the measures are forgotten after every test."""
    registries = (FORMATS, methods._methods)
    before = [dict(registry) for registry in registries]
    engines.load_engines()
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


@pytest.fixture
def add_modules(monkeypatch, tmp_path):
    """Write the modules that a walk adds, and make them part of the package until the end."""

    def add(title, package):
        folder = tmp_path / "walked"
        folder.mkdir()
        place = package.__name__.replace(".", "/")
        for block in blocks(title):
            if found := re.match(rf"# src/{place}/(\w+\.py)\n", block):
                (folder / found[1]).write_text(block, encoding="utf-8")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
        importlib.invalidate_caches()
        added.update(f"{package.__name__}.{file.stem}" for file in folder.glob("*.py"))
        assert added
        assert not added & set(sys.modules)

    added = set()
    yield add
    for name in added:
        package, _, module = name.rpartition(".")
        if sys.modules.pop(name, None):
            delattr(sys.modules[package], module)


def follow(title, names):
    for block in blocks(title):
        place = re.match(r"# src/(.*)\.py\n", block)
        names["__name__"] = place[1].replace("/", ".") if place else "own_code"
        if not re.search("data/engines|inference/methods", block):
            exec(block, names)  # noqa: S102 - our own code
    return names


class House:
    """A copy of the source and of the tests of all measures, to which the code of a walk is added.

    Processes that it starts have y_true, y_score and models.
    """

    PARTS = ("common", "oracles", "conftest.py", "require.py", "strategies.py")
    GIVEN = """
import matplotlib
import polars as pl

import metameasure as mm

matplotlib.use("Agg")
frame = pl.read_csv("predictions.csv")
y_true, y_score, models = frame["y"], frame["a"], {name: frame[name] for name in "ab"}
"""

    def __init__(self, title, names):
        shutil.copytree(Path(mm.__file__).parent, "src/metameasure")
        for part in self.PARTS:
            copy = shutil.copytree if (TESTS / part).is_dir() else shutil.copy
            Path("tests").mkdir(exist_ok=True)
            copy(TESTS / part, Path("tests", part))
        shutil.copy(TESTS.parent / "pyproject.toml", ".")
        self.uses = []
        for block in blocks(title):
            if place := re.match(r"# (\S+\.py)\n", block):
                with Path(place[1]).open("a", encoding="utf-8") as file:
                    file.write(f"\n\n{block}")
            else:
                self.uses.append(block)
        frame = pl.DataFrame({"y": names["y_true"].astype(int), **names["models"]})
        frame.write_csv("predictions.csv")

    def python(self, *words):
        """What a process with these arguments prints."""
        environment = {**os.environ, "PYTHONPATH": "src"}
        done = subprocess.run(  # noqa: S603 - our own code
            [sys.executable, *words], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    def use(self, *more):
        """Run the uses in the walk, and more."""
        return self.python("-c", "\n".join([self.GIVEN, *self.uses, *more]))

    def program(self, line):
        """What a command prints."""
        return self.python("-c", "from metameasure.cli import main; main()", *shlex.split(line)[1:])


def test_a_measure(names):
    house = House("A measure", names)
    house.use(
        "assert mm.markedness(y_true, y_score) == "
        "mm.precision(y_true, y_score) + mm.npv(y_true, y_score) - 1",
    )
    given = "evaluate predictions.csv --label y --score a,b --measures markedness --no-ci"
    assert "markedness" in house.program(f"metameasure {given}")
    ran = house.python(
        "-m", "pytest", "-v", "-n0", "tests/common/test_registry.py", "-k", "markedness"
    )
    for test in (name for name in vars(test_registry) if name.startswith("test_")):
        # Of the declaration's optional parts it has none.
        expected = test not in {
            "test_baseline",
            "test_bounds_of_a_coarse_table",
            "test_the_declared_kind_of_statistic",
        }
        assert (f"::{test}[" in ran) == expected, test


def test_a_format(names, run):
    pl.DataFrame({"y": [1, 0, 1], "s": [0.9, 0.5, 0.2]}).write_csv("few.csv")
    words = ("evaluate", "few.csv", "--measures", "auc", "--format", "tsv", "--label", "y")
    assert "--format must be one of" in run(*words).err
    follow("An output format", names)
    assert Path("found.tsv").read_text(encoding="utf-8").count("\t") > 5
    # The program was loaded before the format was added.
    assert "measure\t" in run(*words).out
    assert "latex, tsv" in run("evaluate", "--help").out
    documents = run("demo", "--format", "tsv").out
    assert FORMATS["tsv"].kind == "rows"
    assert documents.count("\tmeasure\tvalue") == 1
    few = ("few.csv", "--label", "y", "--score", "s")
    both = ("--measures", "tpr", "--normalize", "true", "--format", "tsv")
    assert "do not fit into one table" in run("confusion", *few, *both).err
    run("measures", "-o", "all.tsv")
    assert "auc\t" in Path("all.tsv").read_text(encoding="utf-8")


def test_a_method(names, run, add_modules):
    add_modules("An interval or test method", inference.methods)
    inference.methods.load_methods()
    assert methods.find_method("agresti_coull").reference in references()
    follow("An interval or test method", names)
    y, s = names["y_true"], names["y_score"]
    found = mm.interval(y, s, "accuracy", method="agresti_coull")
    wilson = mm.interval(y, s, "accuracy", method="wilson")
    middle = (wilson.low + wilson.high) / 2
    assert (found.low + found.high) / 2 == pytest.approx(middle)
    assert found.method == "agresti_coull"
    pl.DataFrame({"y": y, "s": s}).write_csv("d.csv")
    words = ("--measures", "accuracy", "--label", "y", "--method", "agresti_coull")
    assert run("evaluate", "d.csv", *words).code == 0
    assert found.high - found.low > wilson.high - wilson.low
    for measure in ("auc", "accuracy@k=20"):
        with pytest.raises(mm.ParameterError, match="agresti_coull"):
            mm.interval(y, s, measure, method="agresti_coull")


def test_a_source(names, add_modules):
    add_modules("A source or engine", engines)
    engines.load_engines.cache_clear()
    connection = follow("A source or engine", names)["connection"]
    assert "metameasure.data.engines.sqlite" in sys.modules
    found = mm.evaluate(connection, ["a", "b"], "auc, brier", label="y", ci=None)
    expected = mm.evaluate(names["y_true"], names["models"], "auc, brier", ci=None)
    assert [row.value for row in found.rows] == pytest.approx([row.value for row in expected.rows])
    with pytest.raises(mm.DataError, match="individual cases"):
        mm.advise(connection, ["a", "b"], label="y")


def test_a_display_and_a_command(names):
    house = House("A display and a command", names)
    house.use("assert 'DepthDisplay' in dir(mm.plots)")
    assert Path("depth.svg").read_text(encoding="utf-8").startswith("<?xml")
    Path("depth.svg").unlink()
    (commands,) = blocks("A display and a command", "sh")
    evaluate, plot = commands.splitlines()
    assert "tpr" in house.program(evaluate)
    house.program(plot)
    assert Path("depth.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_a_table_of_a_paper(names, monkeypatch):
    monkeypatch.setattr(declaration, "_ITEMS", {})
    made = follow("A table or figure of a paper", names)["table_9_9"]
    assert list(declaration._ITEMS) == [made.key] == ["huang2006/table9.9"]
    values = [value for cell in made.cells for value in made.compute(**cell)]
    assert [(value.row, value.column) for value in values] == [
        ("3", "C"),
        ("3", "D"),
        ("4", "C"),
        ("4", "D"),
    ]
    assert {row.verdict for row in judged(made, values).rows} == {"not printed"}
