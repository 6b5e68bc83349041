"""Writing files so that nothing is ever half written."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from metameasure.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary name to write to, and move it to ``path`` if the block succeeds.

    A link keeps pointing where it did; a pipe or device is written to, not replaced.
    """
    try:
        target = Path(path).resolve()
        if target.is_dir():
            raise DataError(f"{path} cannot be written: it is a folder, name a file in it")
        special = target.exists() and not target.is_file()
        folder = None if special else target.parent
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=folder)
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            if special:
                with temporary.open("rb") as source, target.open("wb") as sink:
                    shutil.copyfileobj(source, sink)
            else:
                temporary.chmod(_ordinary_mode())
                temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror or error}") from error


def _ordinary_mode() -> int:
    """The permissions that a newly created file would get."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
