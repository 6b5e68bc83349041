"""Count the imports that go past another package's door; fail if there are too many.

A door is the `__init__` of a package directly below `metameasure`. Code outside of the package
imports from the door (`from metameasure.data import Predictions`), not from a module behind it.
Imports under `if TYPE_CHECKING:` are not counted.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(__file__).parent.parent / "src"
LIMIT = 40


def past_doors(path: Path, source: Path = SOURCE) -> Iterator[tuple[int, str]]:
    """The line and the module of each import in a file that goes past a door."""
    own = path.relative_to(source).with_suffix("").parts[1]
    for node in _run_time(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules = [
                f"{node.module}.{alias.name}"
                if _is_module(source, f"{node.module}.{alias.name}")
                else node.module
                for alias in node.names
            ]
        else:
            continue
        for module in dict.fromkeys(modules):
            package, *behind = module.split(".")[1:] or [""]
            if module.startswith("metameasure.") and behind and package != own:
                yield node.lineno, module


def _run_time(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes below one, without those that only type checkers see."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        yield child
        yield from _run_time(child)


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
