"""Writing files so that nothing is ever half written."""

from __future__ import annotations

import errno
import io
import os
import re
import shutil
import stat
import sys
import tempfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

from metameasure._arguments import FileName, read_argument
from metameasure._text import repeated
from metameasure.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OPEN_FILE = re.compile(r"/(?:dev|proc/(\d+)(?:/task/\d+)?)/fd/(\d+)")
"""Path of a file that a process, by default this one, has open."""
MOST_LINKS = 40
"""Number of links that are followed, as by Linux."""


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Give a file to write to, which becomes ``path`` if the block succeeds.

    A link keeps pointing where it did, and a file that is replaced leaves its permissions to the
    new one. Until then the new file is in a folder that nobody else can enter, so that it may have
    the permissions that any new file gets. A pipe, a device or a file that is open
    (``/dev/stdout``, ``/dev/fd/63``) is never replaced: it is written to if the block succeeds.
    """
    read_argument("path", path, FileName())
    name = repeated(path)
    try:
        if opened := _special(path):
            content = io.BytesIO()
            yield content
            with opened() as sink:
                sink.write(content.getbuffer())
            return
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise DataError(f"{name} cannot be written: it is a folder, name a file in it")
        with tempfile.TemporaryDirectory(prefix=".metameasure.", dir=target.parent) as folder:
            temporary = Path(folder, "file")
            with temporary.open("wb") as stream:
                yield stream
            if target.exists():
                shutil.copymode(target, temporary)
            temporary.replace(target)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise DataError(f"{name} cannot be written: {error.strerror or error}") from error


def _special(path: str | os.PathLike[str]) -> Callable[[], IO[bytes]] | None:
    """What opens a pipe, a device or a file that is open already; None if a path names no such.

    The link from a descriptor to its file is not followed: the file may be open for appending, or
    be a pipe, to which no path leads.
    """
    place = Path(path)
    for _ in range(MOST_LINKS):
        place = Path(os.path.realpath(place.parent), place.name)
        if found := OPEN_FILE.fullmatch(str(place)):
            process, number = found.groups()
            own = process in {None, str(os.getpid())}
            return partial(_duplicated, int(number)) if own else partial(_appended, place)
        if not place.is_symlink():
            break
        place = place.parent / place.readlink()
    try:
        mode = Path(path).stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    return None if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else partial(_appended, place)


def _duplicated(descriptor: int) -> IO[bytes]:
    """The open file of this process, at its own position."""
    standard = {0: sys.__stdin__, 1: sys.__stdout__, 2: sys.__stderr__}
    if descriptor in standard and standard[descriptor] is None:
        # It was closed from the start, so that another file may have got its number.
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()  # what was written before comes first
    return os.fdopen(os.dup(descriptor), "wb")


def _appended(place: Path) -> IO[bytes]:
    """A file that exists, at its end."""
    return os.fdopen(os.open(place, os.O_WRONLY | os.O_APPEND), "wb")
