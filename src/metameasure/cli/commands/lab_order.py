"""``metameasure lab order``."""

from __future__ import annotations

from metameasure import lab
from metameasure.cli.options import SomeMeasures
from metameasure.cli.output import StudyOutput
from metameasure.cli.studies import Agreement, FileOption


def order(
    measures: SomeMeasures,
    *,
    file: FileOption = None,
    agreement: Agreement = Agreement(),
    output: StudyOutput = StudyOutput(),
) -> None:
    """Order measures by preference: each pair, and which is better."""
    output.write(agreement.run(lab.preference_order, measures, file=file, progress=output.progress))
