"""``metameasure lab robustness``."""

from __future__ import annotations

from metameasure.cli.options import (
    OptionalFile,
)
from metameasure.cli.output import StudyOutput
from metameasure.cli.studies import RobustnessStudy


def robustness(
    file: OptionalFile = None,
    /,
    *,
    study: RobustnessStudy = RobustnessStudy(),
    output: StudyOutput = StudyOutput(),
) -> None:
    """Show how often measures prefer the worse of two models when there is noise.

    The pairs of models come from a generator or, with FILE, from your own predictions.
    """
    output.write(study.run(file, output.progress))
