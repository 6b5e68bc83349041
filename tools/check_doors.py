"""Count the uses of modules behind another package's door; fail if there are too many.

A door is the `__init__` of a package directly below `metameasure`. Code outside of the package
imports from the door (`from metameasure.data import Predictions`), not from a module behind it.
Counted are imports, also relative ones, attributes of imported packages (`data.predictions`), and
module names in texts (`import_module`, the tables of lazy doors), but not what only type checkers
see.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(__file__).parent.parent / "src"
LIMIT = 40


def past_doors(path: Path, source: Path = SOURCE) -> Iterator[tuple[int, str]]:
    """The line and the module of each use of a module behind another package's door."""
    inside = path.relative_to(source).with_suffix("").parts
    nodes = list(_run_time(ast.parse(path.read_text(encoding="utf-8"))))
    bound = dict(pair for node in nodes for pair in _bound(node, inside))
    found = {
        (node.lineno, module): None
        for node in nodes
        for name in _named(node, inside, bound)
        if (module := _module(source, name))
        and len(module.split(".")) > 2
        and module.split(".")[1] != inside[1]
    }
    yield from found


def _named(node: Any, inside: tuple[str, ...], bound: dict[str, str]) -> Iterator[str]:
    """The dotted names in a statement or expression that may be those of modules."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            yield ".".join([*_from(node, inside), alias.name])
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        # As in import_module.
        yield node.value
    elif isinstance(node, ast.Attribute):
        yield _dotted(node, bound)
    elif isinstance(node, ast.Dict) and inside[-1] == "__init__":
        # The modules of a door, by names that are relative to it.
        for key in node.keys:
            if isinstance(key, ast.Constant):
                yield ".".join([*inside[:-1], str(key.value)])


def _bound(node: ast.AST, inside: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The names that an import binds, with what they stand for."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            name = alias.name if alias.asname or _from(node, inside) else alias.name.split(".")[0]
            yield alias.asname or name, ".".join([*_from(node, inside), name])


def _from(node: ast.Import | ast.ImportFrom, inside: tuple[str, ...]) -> list[str]:
    """The parts of the package that names are imported from, absolute."""
    if isinstance(node, ast.Import):
        return []
    above = inside[: len(inside) - node.level] if node.level else ()
    return [*above, *(node.module or "").split(".")] if node.module else list(above)


def _dotted(node: ast.expr, bound: dict[str, str]) -> str:
    """The dotted name of an attribute, as far as imports tell; empty if they do not."""
    if isinstance(node, ast.Name):
        return bound.get(node.id, "")
    start = _dotted(node.value, bound) if isinstance(node, ast.Attribute) else ""
    return f"{start}.{node.attr}" if start and isinstance(node, ast.Attribute) else ""


def _run_time(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes below one, without those that only type checkers see."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
            negated = isinstance(child.test, ast.UnaryOp)
            for kept in child.body if negated else child.orelse:
                yield kept
                yield from _run_time(kept)
        else:
            yield child
            yield from _run_time(child)


def _module(source: Path, name: str) -> str:
    """The module that a dotted name is or is in; empty if it is none of the package."""
    parts = name.split(".")
    if parts[0] != "metameasure" or not all(part.isidentifier() for part in parts):
        return ""
    while not _is_module(source, ".".join(parts)):
        parts.pop()
    return ".".join(parts)


def _is_module(source: Path, name: str) -> bool:
    path = source.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def main() -> int:
    found = [
        f"{path.relative_to(SOURCE)}:{line}: {module}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line, module in past_doors(path)
    ]
    print(*found, f"{len(found)} imports past a door, fewer than {LIMIT} allowed", sep="\n")
    return int(len(found) >= LIMIT)


if __name__ == "__main__":
    sys.exit(main())
