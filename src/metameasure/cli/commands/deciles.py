"""``metameasure deciles`` and ``metameasure calibration``: the cases of each model in groups."""

from __future__ import annotations

from typing import Annotated

import typer

from metameasure._arguments import read_confidence
from metameasure.cli import reading
from metameasure.cli.output import Output, Written, write_result
from metameasure.evaluation import calibration_table_of, decile_table_of
from metameasure.measurement import MOST_GROUPS


def deciles(
    file: reading.File,
    label: reading.Label = None,
    score: reading.Scores = None,
    weight: reading.Weight = None,
    groups: Annotated[int, typer.Option(help="How many groups.", min=1, max=MOST_GROUPS)] = 10,
    pos_label: reading.PosLabel = None,
    nan_policy: reading.NanPolicy = "raise",
    format: Written = None,  # noqa: A002
    output: Output = None,
) -> None:
    """Show how the positives lie in groups of equally many cases, from the highest scores down."""
    models = reading.read(
        file, label, score, weight=weight, pos_label=pos_label, nan_policy=nan_policy
    )
    write_result(decile_table_of(models, groups), format, output)


def calibration(
    file: reading.File,
    label: reading.Label = None,
    score: reading.Scores = None,
    weight: reading.Weight = None,
    bins: Annotated[int, typer.Option(help="How many bins.", min=1, max=MOST_GROUPS)] = 10,
    equal: Annotated[
        str, typer.Option(help="mass: bins of equally many cases; width: equally wide ones.")
    ] = "mass",
    ci: reading.Confidence = 0.95,
    fitted: Annotated[
        bool,
        typer.Option(
            "--fitted", help="The model was fitted to these cases: groups less 2 degrees."
        ),
    ] = False,
    pos_label: reading.PosLabel = None,
    nan_policy: reading.NanPolicy = "raise",
    rescale: reading.Rescale = None,
    format: Written = None,  # noqa: A002
    output: Output = None,
) -> None:
    """Show how far predicted probabilities agree with frequencies, bin by bin and in measures."""
    kind = reading.one_of(equal, "--equal", ("mass", "width"))
    with reading.as_usage("--ci"):
        confidence = read_confidence(ci)
    models = reading.read(
        file,
        label,
        score,
        weight=weight,
        pos_label=pos_label,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    result = calibration_table_of(models, bins, kind, confidence, fitted=fitted)
    write_result(result, format, output)
