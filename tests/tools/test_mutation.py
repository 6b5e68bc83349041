"""The mutation run: its mutants are valid modules, and it tells caught ones from survivors."""

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMPILED = ROOT / "src/metameasure/kernels/compiled.py"
sys.path.insert(0, str(ROOT / "tools"))
import mutants  # noqa: E402
import mutate  # noqa: E402
import reached  # noqa: E402

CONFIG = """
sources = ["src/toy/*.py"]
tests = ["tests"]
copied = ["src", "tests", "pyproject.toml"]
"""
TOY = '''"""Two functions."""


def larger(a, b):
    """The larger number."""
    return a if a > b else b


def clipped(x):
    """The number, at least 0."""
    if x < 0:
        return 0
    return x
'''
TESTS = """from toy import clipped, larger


def test_larger():
    assert [larger(1, 2), larger(3, 2), larger(2, 2)] == [2, 3, 2]


def test_clipped():
    assert [clipped(2), clipped(-1)] == [2, 0]
"""


def changes(source, **excluded):
    names = {kind: frozenset(some) for kind, some in excluded.items()}
    return list(mutants.mutants_of(source, "m.py", mutants.Excluded(**names)))


@pytest.mark.parametrize(
    ("operator", "before", "after"),
    [
        ("comparison", "x = a < b <= c", ["x = (a <= b <= c)", "x = (a < b < c)"]),
        ("comparison", "x = a not in b", ["x = (a in b)"]),
        ("arithmetic", "x = 2 * (a + b)", ["x = (2 / (a + b))", "x = 2 * ((a - b))"]),
        ("arithmetic", "x += a", ["x -= a"]),
        ("weight", "x = a * t.weight", ["x = (a)"]),
        ("constant", "x = a[1:], True", ["x = a[(2):], True", "x = a[1:], (False)"]),
        ("constant", "f(side='left')", ["f(side=('right'))"]),
        ("constant", "a.reshape(-1, 3)", ["a.reshape(-1, (4))"]),
        ("sign", "a.reshape(-1, 3)", ["a.reshape((1), 3)"]),
        ("boolean", "x = a and not b", ["x = ((a) or (not b))", "x = a and (b)"]),
        ("condition", "x = a if b else c", ["x = a if (not (b)) else c"]),
        ("condition", "x = [a for a in b if a]", ["x = [a for a in b if (not (a))]"]),
        ("sign", "x = -a", ["x = (a)"]),
        ("keyword", "f(a, b=1, **c)", ["(f(a, **c))"]),
        ("axis", "f(a, axis=-1)", ["(f(a, axis=0))"]),
        ("axis", "f(a, axis=0)", ["(f(a, axis=-1))"]),
        ("axis", "f(a, axis=1)", ["(f(a, axis=0))"]),
        ("constant", "f(a, axis=0)", []),
        ("sign", "f(a, axis=-1)", []),
        ("swapped", "f(a, b, c)", ["(f(b, a, c))"]),
        ("swapped", "f(a, a)", []),
        ("swapped", "max(a, b)", []),
        ("swapped", "np.clip(a, b, c)", []),
        ("swapped", "a.clip(b, c)", ["(a.clip(c, b))"]),
        ("opposite", "np.minimum(a, b)", ["(np.maximum(a, b))"]),
        ("opposite", "any(a)", ["(all(a))"]),
        ("statement", "f(a)\nx = 1\nx = x + 1\nx[0] = 2",
         ["pass\nx = 1\nx = x + 1\nx[0] = 2", "f(a)\nx = 1\npass\nx[0] = 2",
          "f(a)\nx = 1\nx = x + 1\npass"]),
        ("jump", "for a in b:\n    break", ["for a in b:\n    continue"]),
    ],
)  # fmt: skip
def test_what_an_operator_changes(operator, before, after):
    found = [m.applied_to(before) for m in changes(before) if m.operator == operator]
    assert found == after


@pytest.mark.parametrize(
    "source",
    [
        '"""Text of 1 module."""',
        "if TYPE_CHECKING:\n    x = 1 + 1",
        "def f(a: Literal[1]) -> Literal[2]: ...",
        "raise ValueError(f'{a + 1}', b=2)",
        "x = f'{a + 1}'",
        "def __repr__(self):\n    return 1 + 1",
        "warn(a + 1, stacklevel=2)",
        "BLOCK = 2**16",
        "if a.size >= BLOCK:\n    ...",
        "x = f(strict=True)",
        "x = f(range=(a, b))",
    ],
)
def test_what_is_excluded(source):
    excluded = {
        "functions": ["__repr__"], "calls": ["warn"], "sizes": ["BLOCK"], "keywords": ["strict"],
        "defaults": ["f(range=(a, b))"],
    }  # fmt: skip
    assert changes(source, **excluded) == []


def test_mutants_of_the_project_are_valid_and_have_different_keys():
    project = mutate.Project.of(ROOT / "tools" / "mutation.toml", ROOT)
    assert {Path(file).parts[2] for file in project.files} == {
        "table", "kernels", "measurement", "inference", "lab",
    }  # fmt: skip
    assert len({mutant.key for mutant in project.mutants}) == len(project.mutants) > 5000
    kinds = Counter(mutant.operator for mutant in project.mutants)
    assert set(kinds) == {operator.__name__ for operator in mutants.OPERATORS}
    for mutant in project.mutants[::97]:
        source = project.source(mutant.file)
        changed = mutant.applied_to(source)
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(source))


def test_blocks_are_those_of_statements_in_functions():
    head = '"""Text."""\nX = 1\n\n\n@f(2)\n'
    function = 'def g(a):\n    """Text."""\n    if a:\n        return 1\n    return 2\n'
    tree = ast.parse(head + function)
    lines = [reached.block_of(tree, line) for line in range(1, 11)]
    assert lines == [None, None, None, None, None, None, 7, 7, 9, 7]
    assert [reached.declared_block(tree, line) for line in (2, 5, 6, 7)] == [None, 7, 7, None]
    space = {}
    exec(reached.instrumented(function, "m.py"), space)  # noqa: S102
    assert space["g"].__doc__ == "Text."
    for value, lines in ((0, {"m.py:2"}), (1, {"m.py:2", "m.py:4"})):
        reached.HITS.clear()
        assert space["g"](value) == 2 - value
        assert lines == reached.HITS


def test_compiled_functions_note_nothing():
    compiled = [
        node
        for node in ast.walk(ast.parse(reached.instrumented(COMPILED.read_text(), "m.py")))
        if isinstance(node, ast.FunctionDef) and node.decorator_list
    ]
    assert len(compiled) > 5
    assert not any("HITS" in ast.unparse(function) for function in compiled)


@pytest.fixture
def toy(tmp_path):
    """A small project with tests."""
    files = {
        "src/toy/__init__.py": TOY, "tests/test_toy.py": TESTS, "mutation.toml": CONFIG,
        "pyproject.toml": "[tool.pytest.ini_options]\n",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def run(toy, command, *options):
    words = [sys.executable, ROOT / "tools/mutate.py", command, toy / "found", "--root", toy]
    words += ["--config", toy / "mutation.toml", "--equivalents", toy / "equivalent.toml", *options]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)  # noqa: S603
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_toy_project(toy):
    run(toy, "map", "--processes", "1")
    text = run(toy, "run", "--seed", "3", "--mutants", "100")
    rows = [json.loads(line) for line in (toy / "found/seed-3.jsonl").read_text().splitlines()]
    survivors = {(row["text"], row["after"]) for row in rows if row["outcome"] == "survived"}
    caught = {(row["text"], row["after"]) for row in rows if row["outcome"] == "caught"}
    # Of equal numbers either may be returned, and 0 is 0; a number below 1 is not tested.
    larger, negative = "return a if a > b else b", "if x < 0:"
    assert survivors == {(larger, "(a >= b)"), (negative, "(x <= 0)"), (negative, "(1)")}
    assert caught == {(larger, "(not (a > b))"), (negative, "(not (x < 0))"), ("return 0", "(1)")}
    assert {row["by"] for row in rows if row["scope"] == "larger"} - {""} == {
        "tests/test_toy.py::test_larger"
    }
    assert f"{len(rows)} mutants, {len(caught)} caught (0 by a timeout), 3 survived" in text
    assert (toy / "src/toy/__init__.py").read_text() == TOY

    (toy / "equivalent.toml").write_text(
        '[[mutant]]\nfile = "src/toy/__init__.py"\nscope = "clipped"\noperator = "comparison"\n'
        'text = "if x < 0:"\nbefore = "x < 0"\nafter = "(x <= 0)"\nplace = 0\n'
        'reason = "0 is 0"\n'
    )
    before = (toy / "found/seed-3.jsonl").read_text()
    text = run(toy, "run", "--seed", "3", "--mutants", "100")
    assert (toy / "found/seed-3.jsonl").read_text() == before  # all were tried before
    score = len(caught) / (len(rows) - 1)
    assert f"without 1 equivalents {score:.1%}" in text
    assert "equivalent " in text


def test_equivalents_name_mutants_that_exist_and_give_a_reason():
    project = mutate.Project.of(ROOT / "tools" / "mutation.toml", ROOT)
    claimed = mutate.read_equivalents(ROOT / "tools" / "mutants_equivalent.toml")
    assert all(one["reason"] for one in claimed)
    known = [mutate.asdict(mutant) for mutant in project.mutants]
    assert [one for one in claimed if not any(mutate.is_equivalent(m, [one]) for m in known)] == []
