"""``metameasure compare``."""

from __future__ import annotations

from typing import Annotated, get_args

import typer

from metameasure.cli import reading
from metameasure.cli.output import Output, Written, write_result
from metameasure.cli.progress import progress_bar
from metameasure.evaluation import compare_models
from metameasure.inference import RESAMPLES, SEED, PairMethod, PairPlan
from metameasure.measurement import parse_list


def compare(
    file: reading.File,
    label: reading.Label = None,
    score: reading.Scores = None,
    measure: Annotated[
        str, typer.Option(help="A measure, or several with commas between them.")
    ] = "auc",
    margin: Annotated[
        float | None, typer.Option(help="Test that a model is not worse by so much or more.")
    ] = None,
    reference: Annotated[
        str | None, typer.Option(metavar="COL", help="Compare all others with this model.")
    ] = None,
    weight: reading.Weight = None,
    group: reading.Group = None,
    cluster: reading.Cluster = None,
    pos_label: reading.PosLabel = None,
    ci: reading.Confidence = 0.95,
    method: Annotated[
        str, typer.Option(help="auto, or one of " + ", ".join(get_args(PairMethod)[1:]) + ".")
    ] = "auto",
    resamples: reading.Resamples = RESAMPLES,
    seed: reading.Seed = SEED,
    stratified: reading.Stratified = False,
    workers: reading.Workers = None,
    mute: reading.Mute = None,
    nan_policy: reading.NanPolicy = "raise",
    rescale: reading.Rescale = None,
    format: Written = None,  # noqa: A002
    output: Output = None,
) -> None:
    """Compare models on the same cases: every pair, with an interval and a p-value."""
    chosen = parse_list(measure)
    unwanted = reading.read_mute(mute)
    reading.one_of(method, "--method", get_args(PairMethod))
    with reading.as_usage("--ci, --margin"):
        plan = PairPlan(
            ci=ci,
            method=method,
            margin=margin,
            resamples=resamples,
            seed=seed,
            stratified=stratified,
            workers=workers,
        )
    models = reading.read(
        file,
        label,
        score,
        weight=weight,
        group=group,
        cluster=cluster,
        pos_label=pos_label,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    with progress_bar("comparing") as progress:
        result = compare_models(
            models, chosen, plan, reference=reference, mute=unwanted, progress=progress
        )
    write_result(result, format, output)
