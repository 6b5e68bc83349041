"""``metameasure lab correlation``."""

from __future__ import annotations

from metameasure.cli.options import File
from metameasure.cli.output import Output
from metameasure.cli.studies import CorrelationStudy


def correlation(
    file: File, /, *, study: CorrelationStudy = CorrelationStudy(), output: Output = Output()
) -> None:
    """Show rank correlations of measures over the models of a file."""
    output.write(study.run(file))
