"""Update the output of commands that the documentation shows.

`python tools/page_outputs.py` runs every block that begins with `$ metameasure ...` and puts what
the command prints in place of the old output. A line `...` stands for lines that are not shown, and
is kept. A test fails when a page is out of date.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"(?<=```text\n\$ metameasure )(?P<words>.*)\n(?P<output>(?:.*\n)*?)(?=```)")
HIDDEN = "...\n"


def printed(words: str) -> str:
    """What a command prints in a terminal that is wide enough."""
    done = subprocess.run(
        [sys.executable, "-c", "from metameasure.cli import main; main()", *shlex.split(words)],
        capture_output=True,
        check=True,
        encoding="utf-8",
        env=os.environ | {"COLUMNS": "200", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"},
    )
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())


def updated(page: str) -> str:
    """A page with the present output of its commands."""
    return BLOCK.sub(_replaced, page)


def _replaced(block: re.Match[str]) -> str:
    output = printed(block["words"])
    if block["output"].startswith(HIDDEN):
        first_shown = block["output"].splitlines(keepends=True)[1]
        output = HIDDEN + output[output.index(first_shown) :]
    return f"{block['words']}\n{output}"


def pages() -> list[Path]:
    return [
        path for path in sorted(ROOT.glob("docs/**/*.md")) if BLOCK.search(path.read_text("utf-8"))
    ]


def main() -> None:
    for path in pages():
        path.write_text(updated(path.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
