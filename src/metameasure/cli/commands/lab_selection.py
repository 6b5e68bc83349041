"""``metameasure lab selection``."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from metameasure.cli.groups import STUDY
from metameasure.cli.options import File
from metameasure.cli.output import StudyOutput
from metameasure.cli.studies import SelectionStudy


def selection(
    file: File,
    /,
    *,
    study: SelectionStudy = SelectionStudy(),
    validation_size: Annotated[
        int, Parameter(name="--size", group=STUDY, help="Number of validation cases.")
    ] = 100,
    output: StudyOutput = StudyOutput(),
) -> None:
    """Show how well measures choose among the models of a file from few cases."""
    output.write(study.run(file, [validation_size], output.progress)[0])
