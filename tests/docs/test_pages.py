"""What the documentation shows can be run, and prints what it says."""

import doctest
import importlib.util
import io
import re
import shlex
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import metameasure as mm
from metameasure.curves import curve_kinds
from metameasure.results import FORMATS

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "README.md", ROOT / "benchmarks/README.md", *ROOT.glob("docs/**/*.md"))
    if path.name != "gallery.md"  # tests/plots draws it
)
SPEC = importlib.util.spec_from_file_location("page_outputs", ROOT / "tools" / "page_outputs.py")
page_outputs = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(page_outputs)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", text_of(page), re.MULTILINE | re.DOTALL)


def commands(page):
    lines = "".join(blocks(page, "sh")).splitlines()
    lines += re.findall(r"^    ((?:python|pip) .*)", text_of(page), re.MULTILINE)
    return [line.partition("  #")[0].strip() for line in lines if line.strip()]


PYTHON = [page for page in PAGES if blocks(page, "python") and page != "README.md"]  # a doctest
SHELL = [(page, line) for page in PAGES for line in commands(page)]


@pytest.fixture
def names(tmp_path, monkeypatch):
    """What the code of the pages takes as given."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(5)
    y_true = rng.random(200) < 0.4
    models = {name: 1 / (1 + np.exp(rng.normal(size=200) - 2 * y_true)) for name in ("a", "b")}
    formats = dict(FORMATS)
    yield {
        **{name: getattr(mm, name) for name in dir(mm) if name.islower()},
        **{kind.name: kind for kind in curve_kinds()},
        "mm": mm,
        "np": np,
        "y_true": y_true,
        "y_score": models["a"],
        "labels": y_true,
        "models": models,
    }
    FORMATS.clear()  # without those that a page has registered
    FORMATS.update(formats)


@pytest.mark.filterwarnings("ignore::metameasure.errors.UndefinedMeasureWarning")
@pytest.mark.parametrize("page", PYTHON)
def test_python_code_runs(page, names):
    for number, block in enumerate(blocks(page, "python")):
        if ">>>" not in block:
            exec(compile(block, page, "exec"), names)  # noqa: S102 - our own code
            continue
        example = doctest.DocTestParser().get_doctest(block, names, f"{page} {number}", page, 0)
        output = io.StringIO()
        doctest.DocTestRunner(optionflags=FLAGS).run(example, out=output.write, clear_globs=False)
        assert not output.getvalue(), output.getvalue()


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The files that the commands of the pages read."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(6)
    y = rng.random(300) < 0.4
    scores = {
        name: 1 / (1 + np.exp(rng.normal(size=300) - 2 * y)) for name in ("forest", "logistic")
    }
    binary = pl.DataFrame({"y": y, **scores})
    binary.write_parquet("predictions.parquet")
    binary.drop("logistic").with_columns(y=pl.col("y").cast(int)).write_csv("predictions.csv")
    people = {
        "region": np.array(["north", "south", "west"])[rng.integers(3, size=300)],
        "sex": np.array(["f", "m"])[rng.integers(2, size=300)],
        "patient": rng.integers(100, size=300),
        "fold": rng.integers(5, size=300),
    }
    binary.with_columns(**{name: pl.Series(column) for name, column in people.items()}).write_csv(
        "people.csv"
    )
    kinds = np.array(["cat", "dog", "fox"])
    kind = rng.integers(3, size=120)
    shares = rng.dirichlet([1, 1, 1], size=120) + np.eye(3)[kind]
    shares /= shares.sum(axis=1, keepdims=True)
    animals = {"kind": kinds[kind], "guess": kinds[shares.argmax(axis=1)]}
    pl.DataFrame(animals | dict(zip(kinds, shares.T, strict=True))).write_csv("animals.csv")
    price, *errors = rng.normal(size=(3, 120))
    prices = {"price": price, "forest": price + errors[0], "linear": price + errors[1]}
    pl.DataFrame(prices).write_csv("prices.csv")
    cases = {name: 1 / (1 + np.exp(-values)) for name, values in prices.items()}
    pl.DataFrame({"p": cases.pop("price"), **cases}).write_csv("cases.csv")
    month = [f"2024-0{1 + place // 40}" for place in range(120)]
    pl.DataFrame({"forest": errors[0], "month": month}).write_csv("scores.csv")


@pytest.mark.parametrize(("page", "line"), SHELL)
def test_commands_run(page, line, run, files):
    program, *words = shlex.split(line)
    if program == "metameasure":
        stdin = b""
        if "<" in words:
            stdin = Path(words[words.index("<") + 1]).read_bytes()
            words = words[: words.index("<")]
        done = run(*words, stdin=stdin)
        assert done.code == 0, done.err
    elif program == "python" and words[0] == "-m":
        assert importlib.util.find_spec(words[1], package=None)
    elif program == "python":
        assert (ROOT / words[0]).is_file()
    else:
        assert program == "pip", line


@pytest.fixture(autouse=True)
def _benchmarks_can_be_found(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)


@pytest.mark.parametrize("path", page_outputs.pages(), ids=lambda path: path.name)
def test_the_output_of_commands_is_up_to_date(path):
    page = path.read_text(encoding="utf-8")
    assert page_outputs.updated(page) == page, "run python tools/page_outputs.py"


@pytest.mark.parametrize("page", [*PAGES, "docs/gallery.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", text_of(page)):
        assert (ROOT / page).parent.joinpath(link).exists(), link


def test_every_erratum_has_its_test():
    named = re.findall(
        r"`(?:([\w/]+\.py)::)?(test_\w+)` \|$", text_of("docs/errata.md"), re.MULTILINE
    )
    assert len(named) > 50
    for file, test in named:
        tests = (ROOT / "tests" / (file or "papers/test_errata.py")).read_text(encoding="utf-8")
        assert f"def {test}(" in tests


def test_every_decision_is_in_the_index():
    index = text_of("docs/decisions/README.md")
    for path in (ROOT / "docs/decisions").glob("0*.md"):
        title = path.read_text(encoding="utf-8").partition("\n")[0]
        number, _, name = title.removeprefix("# ").partition(". ")
        assert path.name.startswith(f"{int(number):04}-")
        assert f"{number}. [{name}]({path.name})" in index
