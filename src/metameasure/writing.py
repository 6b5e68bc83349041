"""Writing files so that nothing is ever half written."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from metameasure._arguments import FileName, read_argument
from metameasure.errors import DataError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary name to write to, and move it to ``path`` if the block succeeds.

    A link keeps pointing where it did, and a file that is replaced leaves its permissions to the
    new one; a pipe or device is written to, not replaced. Until then the new file is in a folder
    that nobody else can enter, so that it may have the permissions that any new file gets.
    """
    name = read_argument("path", path, FileName())
    try:
        target = name.resolve()
        if target.is_dir():
            raise DataError(f"{path} cannot be written: it is a folder, name a file in it")
        special = target.exists() and not target.is_file()
        beside = None if special else target.parent
        with tempfile.TemporaryDirectory(prefix=".metameasure.", dir=beside) as folder:
            temporary = Path(folder, "file")
            yield temporary
            if special:
                with temporary.open("rb") as source, target.open("wb") as sink:
                    shutil.copyfileobj(source, sink)
            else:
                if target.exists():
                    shutil.copymode(target, temporary)
                temporary.replace(target)
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror or error}") from error
