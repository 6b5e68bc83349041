"""What the commands that draw have in common: what they read, and where they write."""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metameasure._text import visible
from metameasure.cli import reading
from metameasure.cli.output import refuse_input_as_output, say
from metameasure.cli.shared_options import fed_by

if TYPE_CHECKING:
    from collections.abc import Callable

Highlight = Annotated[
    list[str] | None,
    typer.Option(metavar="MODEL", help="A model that is told apart; again for others."),
]


def _confidence(band: float | None) -> float | None:
    if band is not None and not 0 < band < 1:
        raise typer.BadParameter("give a confidence between 0 and 1, like 0.95")
    return band


Band = Annotated[
    float | None, typer.Option(help="Draw bands of this confidence.", callback=_confidence)
]
Simultaneous = Annotated[
    bool, typer.Option("--simultaneous", help="Let bands hold the whole curve, not each point.")
]


@dataclass(frozen=True)
class Sheet:
    """What a picture is drawn on."""

    file: Path
    size: tuple[float, float] | None
    dpi: float


def _sheet(
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="The file to write: .png, .svg or .pdf.",
            callback=refuse_input_as_output,
        ),
    ],
    width: Annotated[float | None, typer.Option(help="Its width in inches.", min=1, max=60)] = None,
    height: Annotated[
        float | None, typer.Option(help="Its height in inches.", min=1, max=60)
    ] = None,
    dpi: Annotated[float, typer.Option(help="Dots an inch, of a PNG.", min=30, max=1200)] = 200.0,
) -> Any:
    """The sheet that the options ask for."""
    from metameasure.plots import (  # noqa: PLC0415
        SQUARE,
        check_sheet,
        format_of,
        require_matplotlib,
    )

    require_matplotlib()
    with reading.as_usage("--output"):
        form = format_of(output)
    if (width is None) != (height is None):
        raise typer.BadParameter("give both or none", param_hint="--width and --height")
    size = None if width is None or height is None else (width, height)
    with reading.as_usage("--width, --height and --dpi"):
        check_sheet(form, size or SQUARE, dpi)
    return Sheet(output, size, dpi)


def models(
    file: reading.File,
    label: reading.Label = None,
    score: reading.Scores = None,
    weight: reading.Weight = None,
    cluster: reading.Cluster = None,
    pos_label: reading.PosLabel = None,
    nan_policy: reading.NanPolicy = "raise",
    rescale: reading.Rescale = None,
) -> Any:
    """The models in a file."""
    return reading.read(
        file,
        label,
        score,
        weight=weight,
        cluster=cluster,
        pos_label=pos_label,
        nan_policy=nan_policy,
        rescale=rescale,
    )


def picture(**sources: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function that gives a display a command that draws it into a file.

    Arguments of the function that are named here are made from the options of their sources.
    """

    def register(draw: Callable[..., Any]) -> Callable[..., Any]:
        fed = draw
        for name, source in sources.items():
            fed = fed_by(source, name)(fed)

        @functools.wraps(fed)
        def save(sheet: Sheet, **given: Any) -> None:
            fed(**given).save(sheet.file, size=sheet.size, dpi=sheet.dpi)
            say(f"drew {visible(str(sheet.file))}")

        options = inspect.signature(fed, eval_str=True)
        sheet = inspect.Parameter("sheet", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        save.__signature__ = options.replace(parameters=[sheet, *options.parameters.values()])  # type: ignore[attr-defined]
        return fed_by(_sheet, "sheet")(save)

    return register
