"""``metameasure lab selection``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from metameasure import lab
from metameasure.cli.groups import MEASURES, STUDY
from metameasure.cli.options import File, Measures, RescaledColumns, Seed, Workers
from metameasure.cli.output import Output
from metameasure.cli.progress import progress_bar
from metameasure.inference import SEED, portion
from metameasure.lab import Judged, Selection


@Parameter(name="*", group=STUDY)
@dataclass(frozen=True, kw_only=True)
class SelectionStudy:
    """A study of how well measures choose among models."""

    columns: RescaledColumns = RescaledColumns()
    goal: Annotated[
        str,
        Parameter(group=MEASURES, metavar="MEASURE", help="Measure that defines the best model."),
    ] = "auc"
    measures: Measures = "default"
    reference: Annotated[
        str | None,
        Parameter(
            group=MEASURES, metavar="MEASURE",
            help="Measure that the others are tested against (default: the goal).",
        ),
    ] = None  # fmt: skip
    repeats: Annotated[int, Parameter(help="Number of validation sets.")] = 1000
    judged_on: Annotated[
        Judged, Parameter(help="Cases for the goal: all, or the rest that was not drawn.")
    ] = "all"
    seed: Seed = SEED
    workers: Workers = None

    def run(self, file: str, sizes: Sequence[int]) -> list[Selection]:
        """The study of the models of a file, for each size of the validation set."""
        models = self.columns.read(file)
        with progress_bar("drawing validation sets") as progress:
            return [
                lab.selection(
                    models,
                    goal=self.goal,
                    measures=self.measures,
                    validation_size=size,
                    repeats=self.repeats,
                    judged_on=self.judged_on,
                    reference=self.reference,
                    seed=self.seed,
                    workers=self.workers,
                    progress=portion(progress, place, len(sizes)),
                )
                for place, size in enumerate(sizes)
            ]


def selection(
    file: File,
    /,
    *,
    study: SelectionStudy = SelectionStudy(),
    validation_size: Annotated[
        int, Parameter(name="--size", group=STUDY, help="Number of validation cases.")
    ] = 100,
    output: Output = Output(),
) -> None:
    """Show how well measures choose among the models of a file from few cases."""
    output.write(study.run(file, [validation_size])[0])
