"""``metameasure lab compare`` and ``lab order``: measures against each other."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from metameasure.cli import reading
from metameasure.cli.output import Output, Written, refuse_input_as_output, write_result
from metameasure.cli.progress import progress_bar
from metameasure.cli.shared_options import fed_by, redeclared
from metameasure.errors import DataError

Positives = Annotated[int | None, typer.Option(help="Ranked lists of so many positives ...", min=1)]
Negatives = Annotated[int | None, typer.Option(help="... and so many negatives.", min=1)]
Cut = Annotated[
    int | None, typer.Option(help="How many cases the cut takes; as many as positives.", min=0)
]
Lists = Annotated[
    int | None,
    typer.Option(help="Draw so many lists with scores, instead of looking at all ranked ones."),
]
Precision = Annotated[
    float | None,
    typer.Option(help="Stop drawing lists when the standard error of C is as small as this."),
]
Permutations = Annotated[
    int | None, typer.Option(help="All orders of so many items, for measures of orders.", min=2)
]
Classes = Annotated[int | None, typer.Option(help="Lists of so many classes, drawn ...", min=2)]
PerClass = Annotated[int, typer.Option(help="... with so many cases of each.", min=1)]
Predictions = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="The models of a file, on folds or resamples.",
        callback=refuse_input_as_output,
    ),
]
Folds = Annotated[
    str | None, typer.Option(metavar="COL", help="The column of the folds or data sets.")
]
Resamples = Annotated[
    int | None, typer.Option(help="How many resamples of the cases to draw, for want of folds.")
]

DRAWN = ("--negatives", "--lists")
TAKES = {
    "--positives": ("--negatives", "--cut"),
    "--permutations": (),
    "--classes": ("--lists",),
}
"""What says which domain is meant, and the options that belong to it."""
OF_A_FILE = ("--label", "--score", "--folds", "--resamples", "--pos-label")


def domain(
    file_option: str,
    positives: Positives = None,
    negatives: Negatives = None,
    cut: Cut = None,
    permutations: Permutations = None,
    lists: Lists = None,
    classes: Classes = None,
    per_class: PerClass = 2,
    file: Predictions = None,
    label: reading.Label = None,
    score: reading.Scores = None,
    folds: Folds = None,
    resamples: Resamples = None,
    pos_label: reading.PosLabel = None,
    seed: reading.Seed = 1,
) -> Any:
    """The domain that the options ask for, where a file is given as ``file_option`` says."""
    from metameasure import lab  # noqa: PLC0415
    from metameasure.lab import Observed  # noqa: PLC0415

    given = {
        "--positives": positives,
        "--negatives": negatives,
        "--cut": cut,
        "--permutations": permutations,
        "--lists": lists,
        "--classes": classes,
        file_option: file,
        "--label": label,
        "--score": score,
        "--folds": folds,
        "--resamples": resamples,
        "--pos-label": pos_label,
    }
    asked = [option for option, value in given.items() if value not in (None, [])]
    takes_of = {**TAKES, file_option: OF_A_FILE}
    kinds = [kind for kind in takes_of if kind in asked]
    if len(kinds) != 1:
        raise typer.BadParameter(
            f"say what to compare on with one of {', '.join(takes_of)}", param_hint="the domain"
        )
    takes = takes_of[kinds[0]] if lists is None or kinds[0] != "--positives" else DRAWN
    idle = [option for option in asked if option not in {kinds[0], *takes}]
    if idle:
        raise typer.BadParameter(
            f"{', '.join(idle)} means nothing with {kinds[0]}: leave it out", param_hint=idle[0]
        )
    with reading.as_usage("the domain"):
        if permutations is not None:
            return lab.permutations(permutations)
        if classes is not None:
            drawn = {} if lists is None else {"lists": lists}
            return lab.multiclass(classes, per_class, seed=seed, **drawn)
        if file is None:
            if negatives is None or positives is None:
                raise DataError("--positives needs --negatives: give both")
            if lists is not None:
                scores = lab.NormalScores(positives, negatives)
                return lab.score_lists(scores, lists=lists, seed=seed)
            return lab.ranked_lists(positives, negatives, cut)
        if (folds is None) == (resamples is None):
            raise DataError("give either --folds or --resamples")
    models = reading.read(file, label, score, group=folds, pos_label=pos_label)
    return Observed(models.rows_for("folds and resamples"), resamples, seed)


_with_file_option = fed_by(redeclared(domain, {}, file_option="--file"), "domain")


@_with_file_option
def compare(
    f: Annotated[str, typer.Argument(metavar="MEASURE", help="A measure.")],
    g: Annotated[str, typer.Argument(metavar="MEASURE", help="Another one.")],
    domain: Any,
    precision: Precision = None,
    workers: reading.Workers = None,
    format: Written = None,  # noqa: A002
    output: Output = None,
) -> None:
    """Compare two measures: how often they agree, and which one tells more apart."""
    from metameasure import lab  # noqa: PLC0415

    with progress_bar("comparing") as progress:
        result = lab.compare(f, g, domain, precision=precision, workers=workers, progress=progress)
    write_result(result, format, output)


@_with_file_option
def order(
    measures: Annotated[
        str, typer.Argument(metavar="MEASURES", help="Measures with commas between them.")
    ],
    domain: Any,
    precision: Precision = None,
    workers: reading.Workers = None,
    format: Written = None,  # noqa: A002
    output: Output = None,
) -> None:
    """Put measures into an order of preference: all pairs, and which is better."""
    from metameasure import lab  # noqa: PLC0415

    with progress_bar("comparing") as progress:
        result = lab.preference_order(
            measures, domain, precision=precision, workers=workers, progress=progress
        )
    write_result(result, format, output)
