"""``metameasure lab power``."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from metameasure import lab
from metameasure.cli.groups import STUDY, arguments, options
from metameasure.cli.options import LISTED, Confidence, Seed, SomeMeasures, Workers
from metameasure.cli.output import StudyOutput
from metameasure.measurement import Side


@options(STUDY)
class PowerStudy:
    """A study of the power of measures."""

    alternative: Annotated[
        tuple[str, ...],
        Parameter(
            metavar="ALTERNATIVE",
            help="Alternative, e.g. location(0.5), scale(2) or mixture(0.3, 1) (repeatable).",
        ),
    ] = ("location(0.8)",)
    positives: Annotated[
        tuple[int, ...], LISTED, Parameter(metavar="INT", help="Number of positives (repeatable).")
    ] = (25,)
    negatives: Annotated[
        tuple[int, ...] | None,
        LISTED,
        Parameter(metavar="INT", help="Number of negatives (repeatable; default: --positives)."),
    ] = None
    side: Annotated[Side, Parameter(help="Side of the tests.")] = "two-sided"
    level: Annotated[float, Parameter(help="Significance level.")] = 0.05
    repeats: Annotated[int, Parameter(help="Number of data sets.")] = 2000
    permutations: Annotated[int, Parameter(help="Number of permutations per test.")] = 999
    ci: Confidence = 0.95
    seed: Seed = 1
    workers: Workers = None


def power(
    measures: SomeMeasures = "auc, scored_auc, ks, h_measure",
    *,
    study: PowerStudy = PowerStudy(),
    output: StudyOutput = StudyOutput(),
) -> None:
    """Show the power of measures as tests of whether both classes have the same scores."""
    asked = arguments(study) | {"negatives": study.negatives or study.positives}
    output.write(lab.power(measures, progress=output.progress, **asked))
