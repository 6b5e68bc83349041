"""Options of the commands that draw."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from metameasure._text import visible
from metameasure.cli.groups import FILES, OUTPUT, PICTURE
from metameasure.cli.options import Cluster, RescaledColumns, listed
from metameasure.cli.output import say
from metameasure.data import Models
from metameasure.errors import Argument, ParameterError
from metameasure.plots import SQUARE, Display, check_sheet, format_of, require_matplotlib


def _shown_band(simultaneous: bool) -> str:
    return "simultaneous" if simultaneous else "pointwise"


Highlight = Annotated[
    Sequence[str] | None,
    Parameter(
        converter=listed, metavar="MODEL", group=PICTURE,
        help="Model to highlight (repeatable or comma-separated).",
    ),
]  # fmt: skip
Band = Annotated[
    float | None, Parameter(group=PICTURE, help="Confidence level of the bands to draw.")
]
Simultaneous = Annotated[
    bool,
    Parameter(
        negative="--pointwise",
        group=PICTURE,
        show_default=_shown_band,
        help="Bands for the whole curve, or for each point.",
    ),
]
Bins = Annotated[int | None, Parameter(group=PICTURE, help="Number of bins.")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PlotColumns(RescaledColumns):
    """Columns of the models to draw."""

    cluster: Cluster = None

    def models(self, file: str) -> Models:
        """The models in a file."""
        return self.read(file)


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
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

    def __post_init__(self) -> None:
        """Refuse a picture that cannot be written before any work."""
        require_matplotlib()
        if (self.width is None) != (self.height is None):
            raise ParameterError((Argument("width"), " and ", Argument("height"), " go together"))
        check_sheet(format_of(self.output), self.size or SQUARE, self.dpi)

    @property
    def size(self) -> tuple[float, float] | None:
        """The width and height, if they were chosen."""
        return None if self.width is None or self.height is None else (self.width, self.height)

    def draw(self, display: Display) -> None:
        """Draw a display into the file."""
        display.save(self.output, size=self.size, dpi=self.dpi)
        say(f"wrote {visible(str(self.output))}")
