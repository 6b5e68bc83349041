"""``metameasure reproduce``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from metameasure import experiments
from metameasure.cli.groups import INPUT, OUTPUT, STUDY
from metameasure.cli.options import Seed, Workers
from metameasure.cli.output import StudyOutput

TARGET = Parameter(
    name="PAPER", help="Paper, or one of its items as PAPER/ITEM; without it, all items are listed."
)


def reproduce(
    target: Annotated[str | None, TARGET] = None,
    /,
    *,
    kind: Annotated[
        Literal["exact", "mc", "data"] | None,
        Parameter(group=STUDY, help="Only items of this kind."),
    ] = None,
    repeats: Annotated[
        int | None, Parameter(group=STUDY, help="Number of repeats, fewer for a quick pass.")
    ] = None,
    out: Annotated[
        Path,
        Parameter(
            group=OUTPUT,
            metavar="DIR",
            help="Folder of results; interrupted runs are resumed from it.",
        ),
    ] = Path(experiments.FOLDER),
    data: Annotated[
        Path | None,
        Parameter(
            group=INPUT, metavar="DIR", help="Folder with data files (default: METAMEASURE_DATA)."
        ),
    ] = None,
    download: Annotated[
        bool, Parameter(group=INPUT, help="Fetch data sets that are not found from OpenML.")
    ] = False,
    seed: Seed = 0,
    workers: Workers = None,
    output: StudyOutput = StudyOutput(),
) -> None:
    """Recompute the tables and figures of the papers, and compare them with the printed values."""
    if target is None and kind is None:
        output.write(experiments.item_list(out=out, data=data))
        return
    result = experiments.reproduce(
        target,
        kind=kind,
        repeats=repeats,
        workers=workers,
        out=out,
        data=data,
        download=download,
        seed=seed,
        progress=output.progress,
    )
    output.write(result)
