"""Score tables in Parquet files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure._arguments import FileName, check_polars_threads, read_argument
from metameasure._text import repeated
from metameasure.errors import DataError, first_line
from metameasure.writing import whole_file

if TYPE_CHECKING:
    from os import PathLike

    from metameasure._types import Floats


FORMAT = "metameasure.score_table"
FORMAT_VERSION = 1
COLUMNS = ("score", "pos", "neg")


def save(path: str | PathLike[str], score: Floats, pos: Floats, neg: Floats) -> None:
    """Write the three arrays of a table or block, with the format version."""
    import polars as pl  # noqa: PLC0415

    check_polars_threads()
    columns = {"score": np.broadcast_to(score, pos.shape), "pos": pos, "neg": neg}
    frame = pl.DataFrame({name: column.reshape(-1) for name, column in columns.items()})
    metadata = {
        FORMAT: str(FORMAT_VERSION),
        "shape": ",".join(map(str, pos.shape)),
        "shared_scores": str(int(score.ndim == 1)),
    }
    with whole_file(path) as stream:
        frame.write_parquet(stream, metadata=metadata)


def load(path: str | PathLike[str]) -> tuple[Floats, Floats, Floats]:
    """Read the three arrays that ``save`` wrote."""
    import polars as pl  # noqa: PLC0415

    check_polars_threads()
    file = read_argument("path", path, FileName())
    name = repeated(path)
    try:
        if not file.is_file():
            raise DataError(f"file not found: {name}")
        # polars opens no file whose name is not UTF-8
        with file.open("rb") as stream:
            metadata = pl.read_parquet_metadata(stream)
            stream.seek(0)
            frame = pl.read_parquet(stream)
    except OSError as error:
        raise DataError(f"{name} cannot be read: {error.strerror or error}") from error
    except pl.exceptions.PolarsError as error:
        raise DataError(f"{name} is not a valid Parquet file: {first_line(error)}") from error
    version = metadata.get(FORMAT)
    if version is None:
        raise DataError(
            f"{name} does not contain a score table", remedy="write one with ScoreTable.save"
        )
    if version.isdigit() and int(version) > FORMAT_VERSION:
        raise DataError(
            f"{name} has format version {version}, but this release reads up to {FORMAT_VERSION}",
            remedy="update metameasure",
        )
    try:
        int(version)
        shape = tuple(int(size) for size in metadata["shape"].split(","))
        score, pos, neg = (frame[name].to_numpy().reshape(shape) for name in COLUMNS)
        if metadata["shared_scores"] == "1":
            score = score.reshape(-1, shape[-1])[0]
    except (KeyError, ValueError, IndexError, pl.exceptions.PolarsError) as error:
        raise DataError(f"{name} does not contain a valid score table: {error}") from error
    return score, pos, neg
