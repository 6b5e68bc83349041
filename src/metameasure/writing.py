"""Writing files so that nothing is ever half written."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary name beside ``path``, and move it there if the block succeeds."""
    target = Path(path)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(_ordinary_mode())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def _ordinary_mode() -> int:
    """The permissions that a newly created file would get."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
