"""``metameasure lab compare``."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from metameasure import lab
from metameasure.cli.groups import STUDY
from metameasure.cli.output import StudyOutput
from metameasure.cli.studies import Agreement, FileOption


def compare(
    f: Annotated[str, Parameter(name="MEASURE", group=STUDY, help="First measure.")],
    g: Annotated[str, Parameter(name="OTHER", group=STUDY, help="Second measure.")],
    /,
    *,
    file: FileOption = None,
    agreement: Agreement = Agreement(),
    output: StudyOutput = StudyOutput(),
) -> None:
    """Compare two measures: how often they agree, and which is more discriminating."""
    output.write(agreement.run(lab.compare, f, g, file=file, progress=output.progress))
