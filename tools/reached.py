"""Which tests reach which blocks of the mutated modules, and how long each test takes.

A copy of each module notes at the start of each block of statements that it was reached. pytest
loads this module as a plugin (``-p reached``), which writes one JSON line per test.
"""

from __future__ import annotations

import ast
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

HITS: set[str] = set()
"""The blocks that were reached, as "path:line"."""
TIMES: dict[str, float] = {}
"""How many times the examples of a test are without the limit."""
OUTPUT = "REACHED_OUTPUT"
"""The environment variable with the folder of the JSON lines."""
USED = "_hypothesis_internal_use_settings"
"""The attribute of a hypothesis test with its settings."""
EXAMPLES = 5
"""Number of examples of a hypothesis test, which suffice to see what it reaches."""


def blocks(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """The blocks of statements inside functions that are not compiled."""
    for node in tree.body:
        yield from _blocks(node, inside=False)


def _blocks(node: ast.AST, *, inside: bool) -> Iterator[list[ast.stmt]]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        if any(ast.unparse(decorator) == "kernel" for decorator in node.decorator_list):
            return
        inside = True
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        part = getattr(node, name, None)
        if isinstance(part, list) and part:
            if inside and isinstance(part[0], ast.stmt) and not isinstance(node, ast.ClassDef):
                yield part
            for child in part:
                yield from _blocks(child, inside=inside)


def block_of(tree: ast.Module, line: int) -> int | None:
    """The first line of the smallest block around a line."""
    found: tuple[int, int] | None = None
    for block in blocks(tree):
        begin, end = block[0].lineno, block[-1].end_lineno or 0
        if begin <= line <= end and (found is None or end - begin < found[1]):
            found = begin, end - begin
    return found and found[0]


def declared_block(tree: ast.Module, line: int) -> int | None:
    """The first line of the function whose decorators, parameters or defaults are on a line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first <= line < node.body[0].lineno:
                return node.body[0].lineno
    return None


def instrumented(source: str, file: str) -> str:
    """The module, which notes the blocks that are reached."""
    tree = ast.parse(source)
    for block in list(blocks(tree)):
        note = f"HITS.add({f'{file}:{block[0].lineno}'!r})"
        docstring = isinstance(block[0], ast.Expr) and isinstance(block[0].value, ast.Constant)
        block.insert(int(docstring), ast.parse(note).body[0])
    place = sum(
        isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body
    ) + (ast.get_docstring(tree) is not None)
    tree.body.insert(place, ast.parse("from reached import HITS").body[0])
    return ast.unparse(ast.fix_missing_locations(tree))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let hypothesis tests try few examples."""
    tests = {item.nodeid: item.obj for item in items if hasattr(getattr(item, "obj", None), USED)}
    for name, test in tests.items():
        TIMES[name] = max(1.0, getattr(test, USED).max_examples / EXAMPLES)
    for test in tests.values():
        given = getattr(test, USED)
        setattr(test, USED, settings(given, max_examples=min(EXAMPLES, given.max_examples)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Write what the test reached and its time in seconds, with all examples."""
    HITS.clear()
    began = time.perf_counter()
    result = yield
    seconds = TIMES.get(item.nodeid, 1.0) * (time.perf_counter() - began)
    row = {"test": item.nodeid, "seconds": seconds, "reached": sorted(HITS)}
    with (Path(os.environ[OUTPUT]) / f"reached-{os.getpid()}.jsonl").open("a") as file:
        file.write(json.dumps(row) + "\n")
    return result
