"""Files that follow from the declarations are up to date."""

import doctest
import importlib.util
import re
from pathlib import Path

import pytest

import metameasure as mm

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("generate", ROOT / "tools" / "generate.py")
generate = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(generate)


@pytest.mark.parametrize("name", generate.FILES)
def test_is_what_the_declarations_give(name):
    made = generate.FILES[name]()
    assert (ROOT / name).read_text(encoding="utf-8") == made, "run python tools/generate.py"


@pytest.mark.parametrize("name", ["measures", "curves"])
def test_examples_run_as_pasted(name):
    page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) > 10
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    for block in blocks:
        example = doctest.DocTestParser().get_doctest(block, {}, name, None, None)
        assert doctest.DocTestRunner(optionflags=options, verbose=False).run(example).failed == 0


def test_the_bibliography_of_the_docs_is_that_of_the_package():
    package = ROOT / "src" / "metameasure" / "references.bib"
    assert (ROOT / "docs" / "references.bib").read_bytes() == package.read_bytes()


def test_the_page_knows_every_measure():
    page = (ROOT / "docs" / "measures.md").read_text(encoding="utf-8")
    for measure in mm.measures(subject="all"):
        if measure.__module__.startswith("metameasure.measurement.families."):
            assert f"\n### {measure.name}\n" in page
