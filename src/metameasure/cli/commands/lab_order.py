"""``metameasure lab order``."""

from __future__ import annotations

from metameasure import lab
from metameasure.cli.commands.lab_compare import Domain, FileOption, Precision
from metameasure.cli.options import SomeMeasures, Workers
from metameasure.cli.output import Output
from metameasure.cli.progress import progress_bar


def order(
    measures: SomeMeasures,
    *,
    file: FileOption = None,
    domain: Domain = Domain(),
    precision: Precision = None,
    workers: Workers = None,
    output: Output = Output(),
) -> None:
    """Order measures by preference: each pair, and which is better."""
    made = domain.make(file)
    with progress_bar("comparing") as progress:
        result = lab.preference_order(
            measures, made, precision=precision, workers=workers, progress=progress
        )
    output.write(result)
