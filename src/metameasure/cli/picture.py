"""Options of the commands that draw."""

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from metameasure._arguments import POSITIVE, read_argument
from metameasure._text import visible
from metameasure.cli.groups import FILES, INPUT, OUTPUT, PICTURE, arguments, options
from metameasure.cli.options import Cluster, RescaledColumns
from metameasure.cli.output import ShowProgress, say
from metameasure.cli.values import listed
from metameasure.errors import Argument, ParameterError
from metameasure.plots import (
    SQUARE,
    Display,
    ModelsDisplay,
    check_sheet,
    format_of,
    require_matplotlib,
)
from metameasure.progress import without_progress


@options(OUTPUT)
class Picture:
    """The file that is drawn."""

    output: Annotated[
        Path,
        Parameter(
            alias="-o", metavar="FILE", group=(OUTPUT, FILES),
            help="File to write: .png, .svg or .pdf.",
        ),
    ]  # fmt: skip
    width: Annotated[float | None, Parameter(help="Width in inches.")] = None
    height: Annotated[float | None, Parameter(help="Height in inches.")] = None
    dpi: Annotated[float, Parameter(help="PNG resolution (dpi).")] = 200.0
    progress: ShowProgress = True

    def __post_init__(self) -> None:
        """Refuse a picture that cannot be written before any work."""
        require_matplotlib()
        for name in ("width", "height"):
            read_argument(name, getattr(self, name), POSITIVE, optional=True)
        if (self.width is None) != (self.height is None):
            raise ParameterError((Argument("width"), " and ", Argument("height"), " go together"))
        form = format_of(self.output, argument="output")
        check_sheet(form, self.size or SQUARE, self.dpi, sides=("width", "height"))

    @property
    def size(self) -> tuple[float, float] | None:
        """The width and height, if they were chosen."""
        return None if self.width is None or self.height is None else (self.width, self.height)

    def draw(self, display: Display) -> None:
        """Draw a display into the file."""
        display.save(self.output, size=self.size, dpi=self.dpi)
        say(f"wrote {visible(str(self.output))}")


@options(INPUT)
class PlotColumns(RescaledColumns):
    """Columns of the models to draw."""

    cluster: Cluster = None


@options(PICTURE)
class ModelPlot:
    """The models to draw, and the file. A subclass adds the options of its display."""

    columns: PlotColumns = PlotColumns()
    picture: Picture

    def draw(self, file: str, display: type[ModelsDisplay], **more: Any) -> None:
        """Draw the models of a file with these options."""
        models = self.columns.read(file, predicted_labels=display.predicted_labels)
        with nullcontext() if self.picture.progress else without_progress():
            made = display(models, **arguments(self), **more)
        self.picture.draw(made)


@options(PICTURE)
class ModelsPlot(ModelPlot):
    """A plot of several models."""

    highlight: Annotated[
        Sequence[str] | None,
        Parameter(
            converter=listed, metavar="MODEL",
            help="Model to highlight (repeatable or comma-separated).",
        ),
    ] = None  # fmt: skip


Simultaneous = Annotated[
    bool,
    Parameter(
        negative="--pointwise",
        show_default=lambda on: "simultaneous" if on else "pointwise",
        help="Bands for the whole curve, or for each point.",
    ),
]


@options(PICTURE)
class Bands:
    """Confidence bands."""

    band: Annotated[float | None, Parameter(help="Confidence level of the bands to draw.")] = None
    simultaneous: Simultaneous = False


Bins = Annotated[int | None, Parameter(help="Number of bins.")]
