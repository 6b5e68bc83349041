"""``metameasure gate``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter, Token

import metameasure as mm
from metameasure.cli.groups import MEASURES, UNCERTAINTY, arguments, options
from metameasure.cli.options import (
    COLUMN,
    Classes,
    Cluster,
    Confidence,
    File,
    Mute,
    Probabilities,
    Resampling,
    RescaledColumns,
    about_option,
)
from metameasure.cli.output import StudyOutput, say
from metameasure.data import LabelText
from metameasure.evaluation import Undecided, read_requirements

EXIT_CODES = {"passed": 0, "failed": 3, "undecided": 4}


def _requirements(_: Any, tokens: Sequence[Token]) -> Any:
    """Requirements, checked before any file is read."""
    with about_option(tokens):
        return read_requirements([token.value for token in tokens])


@options(UNCERTAINTY)
class Deciding:
    """What is required, and the tests."""

    require: Annotated[
        Sequence[Any],
        Parameter(
            converter=_requirements, metavar="REQUIREMENT", group=MEASURES,
            help='Requirement, e.g. "auc >= 0.8", "auc >= baseline - 0.01" or '
            '"tpr@fpr=0.05 >= 0.6 by site" (repeatable).',
        ),
    ]  # fmt: skip
    baseline: Annotated[
        str | None, COLUMN, Parameter(help="Score column of the baseline model.")
    ] = None
    undecided: Annotated[
        Undecided | None,
        Parameter(
            group=MEASURES, help="What undecided requirements count as (default: exit code 4)."
        ),
    ] = None
    ci: Confidence = 0.95
    resampling: Resampling = Resampling()
    mute: Mute = ()


def gate(
    file: File,
    /,
    *,
    columns: RescaledColumns = RescaledColumns(),
    group: Annotated[
        str | None, COLUMN, Parameter(help="Group column, for requirements by group.")
    ] = None,
    cluster: Cluster = None,
    proba: Probabilities = None,
    labels: Classes = None,
    deciding: Deciding,
    output: StudyOutput = StudyOutput(),
) -> None:
    """Check requirements on a model; the exit code tells whether they are met.

    The exit code is 0 if all requirements are passed, 3 if one failed, and 4 if none failed but
    some are undecided.
    """
    found = mm.gate(
        file,
        group=group,
        cluster=cluster,
        proba=proba,
        labels=None if labels is None else [LabelText(name) for name in labels],
        progress=output.progress,
        **columns.given,
        **arguments(deciding),
    )
    if proba is None:
        columns.say_inferred(found.meta["label"], found.meta["model"])
    output.write(found)
    if output.output is not None:
        say(found.summary)
    sys.exit(EXIT_CODES[found.outcome])
