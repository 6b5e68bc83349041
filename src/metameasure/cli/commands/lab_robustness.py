"""``metameasure lab robustness``: what noise does to the choices of measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from metameasure.cli import reading
from metameasure.cli.output import Output, Written, refuse_input_as_output, write_result
from metameasure.cli.progress import progress_bar
from metameasure.cli.shared_options import fed_by

if TYPE_CHECKING:
    from metameasure.lab import PairGenerator

KNOWN = ("replaced_scores", "swapped_labels")
SHARE = 0.1
NOISES = ("labels", "scores", "clipped_scores", "class_proportion")


def robustness_study(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="Your own predictions, instead of a generator.",
            callback=refuse_input_as_output,
        ),
    ] = None,
    label: reading.Label = None,
    score: Annotated[str | None, typer.Option(metavar="COL", help="The column of scores.")] = None,
    generator: Annotated[
        str | None,
        typer.Option(
            help="What draws better and worse models: " + ", ".join(KNOWN) + ".",
            show_default=KNOWN[0],
        ),
    ] = None,
    share: Annotated[
        float | None,
        typer.Option(
            help="The share of your scores that the worse model has replaced.",
            show_default=str(SHARE),
        ),
    ] = None,
    size: Annotated[
        int | None, typer.Option(help="How many of your cases each pair is judged on.", min=1)
    ] = None,
    noise: Annotated[str, typer.Option(help="One of " + ", ".join(NOISES) + ".")] = NOISES[0],
    level: Annotated[
        list[float] | None,
        typer.Option(help="How much noise, of scores the half-width; again for each level."),
    ] = None,
    measures: Annotated[
        str, typer.Option(help="Measures with commas between them.")
    ] = "h_measure, auch, auc, scored_auc, ks, taks",
    repeats: Annotated[int, typer.Option(help="How many pairs a level.", min=1)] = 10_000,
    ci: reading.Confidence = 0.95,
    pos_label: reading.PosLabel = None,
    seed: reading.Seed = 1,
    workers: reading.Workers = None,
) -> Any:
    """What noise does to the choices of measures, as the options ask for it."""
    from metameasure import lab  # noqa: PLC0415

    reading.one_of(noise, "--noise", NOISES)
    if file is None:
        reading.none_of(
            {"--label": label, "--score": score, "--share": share, "--size": size,
             "--pos-label": pos_label},
            "without a FILE",
        )  # fmt: skip
        drawing: str | PairGenerator = reading.one_of(generator or KNOWN[0], "--generator", KNOWN)
    else:
        reading.none_of({"--generator": generator}, "with a FILE")
        models = reading.read(file, label, [score] if score else None, pos_label=pos_label)
        predictions = models.rows_for("robustness")
        own = next(iter(predictions.scores.values()))
        with reading.as_usage("--share, --size"):
            replaced = SHARE if share is None else share
            drawing = lab.OwnScores(predictions.positive, own, replaced, 0.0, size)
    levels = level or [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
    with progress_bar("adding noise") as progress:
        return lab.robustness(
            drawing,
            noise,
            levels,
            measures,
            repeats,
            ci=ci,
            seed=seed,
            workers=workers,
            progress=progress,
        )


@fed_by(robustness_study, "result")
def robustness(
    result: Any,
    format: Written = None,  # noqa: A002
    output: Output = None,
) -> None:
    """Show how often measures prefer the worse of two models when there is noise."""
    write_result(result, format, output)
