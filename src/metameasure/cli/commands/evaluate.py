"""``metameasure evaluate``."""

from __future__ import annotations

from typing import Annotated, get_args

import typer

from metameasure._text import visible
from metameasure.cli import reading
from metameasure.cli.output import Output, Written, say, write_result
from metameasure.cli.progress import progress_bar
from metameasure.data import LabelText, Models, read_models
from metameasure.evaluation import check_columns, evaluate_models
from metameasure.inference import RESAMPLES, SEED, Method, Plan
from metameasure.measurement import parse_list


def evaluate(
    file: reading.File,
    label: reading.Label = None,
    score: reading.Scores = None,
    weight: reading.Weight = None,
    group: Annotated[
        str | None, typer.Option(metavar="COL", help="Evaluate each value of this column.")
    ] = None,
    cluster: reading.Cluster = None,
    proba: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COL ...", help="The columns of the probabilities of several classes."
        ),
    ] = None,
    labels: reading.Classes = None,
    pos_label: reading.PosLabel = None,
    measures: Annotated[
        str, typer.Option(help="Measures with commas between them, 'default' or 'all'.")
    ] = "default",
    ci: reading.Confidence = 0.95,
    no_ci: Annotated[bool, typer.Option("--no-ci", help="Values alone, no intervals.")] = False,
    method: Annotated[
        str,
        typer.Option(
            help="How to find intervals: auto, or one of " + ", ".join(get_args(Method)[1:]) + "."
        ),
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
    """Evaluate the predictions in a file: every measure of every model, with its interval.

    Without --label or --score the column is found if only one can be it.
    """
    if measures not in {"default", "all"}:
        parse_list(measures)
    unwanted = reading.read_mute(mute)
    reading.one_of(method, "--method", get_args(Method))
    with reading.as_usage("--ci"):
        plan = (
            None
            if no_ci
            else Plan(
                ci=ci,
                method=method,
                resamples=resamples,
                seed=seed,
                stratified=stratified,
                workers=workers,
            )
        )
    if labels and not proba:
        raise typer.BadParameter("it is for the columns of --proba", param_hint="--labels")
    if proba:
        given = {"--score": score, "--group": group, "--pos-label": pos_label, "--rescale": rescale}
        for option, value in given.items():
            if value:
                raise typer.BadParameter("it does not go with --proba", param_hint=option)
        models = _read_classes(file, label, proba, labels, weight, cluster, nan_policy)
    else:
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
    with progress_bar("evaluating") as progress:
        result = evaluate_models(models, measures, plan, mute=unwanted, progress=progress)
    write_result(result, format, output)


def _read_classes(
    file: str,
    label: str | None,
    proba: list[str],
    labels: list[str] | None,
    weight: str | None,
    cluster: str | None,
    nan_policy: str,
) -> Models:
    """The scores for several classes in a file; says if their columns are in an assumed order."""
    models = read_models(
        file,
        label=label,
        proba=proba,
        labels=[LabelText(name) for name in labels] if labels else None,
        weight=weight,
        cluster=cluster,
        nan_policy=reading.one_of(nan_policy, "--nan-policy", ("raise", "drop")),
    )
    for model, scores in (models.classes or {}).items():
        for check in check_columns(scores, model):
            say(visible(check.message))
    return models
