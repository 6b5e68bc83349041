"""What the commands that let measures choose have in common: the models, and how to draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metameasure.cli import reading
from metameasure.inference import SEED

if TYPE_CHECKING:
    from metameasure.data import Models

Measures = Annotated[
    str, typer.Option(help="Measures with commas between them, 'default' or 'all'.")
]


def columns(
    file: reading.File, label: reading.Label = None, score: reading.Scores = None
) -> tuple[str, str | None, list[str] | None]:
    """Where the models are."""
    return file, label, score


@dataclass(frozen=True)
class Drawing:
    """How cases are read, and validation sets drawn."""

    reading: dict[str, Any]
    seed: int
    workers: int | None

    def read(self, where: tuple[str, str | None, list[str] | None]) -> Models:
        """The models in a file."""
        return reading.read(*where, **self.reading)


def drawing(
    weight: reading.Weight = None,
    pos_label: reading.PosLabel = None,
    seed: reading.Seed = SEED,
    workers: reading.Workers = None,
    nan_policy: reading.NanPolicy = "raise",
    rescale: reading.Rescale = None,
) -> Drawing:
    """How cases are to be read, and validation sets to be drawn."""
    options = {
        "weight": weight,
        "pos_label": pos_label,
        "nan_policy": nan_policy,
        "rescale": rescale,
    }
    return Drawing(options, seed, workers)
