"""``metameasure advise``."""

from __future__ import annotations

from metameasure.cli.options import File
from metameasure.cli.output import StudyOutput
from metameasure.cli.studies import AdviceStudy


def advise(
    file: File, /, *, study: AdviceStudy = AdviceStudy(), output: StudyOutput = StudyOutput()
) -> None:
    """Advise which measure should choose among models when validation cases are few."""
    output.write(study.run(file, output.progress))
