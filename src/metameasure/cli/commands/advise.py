"""``metameasure advise``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

import metameasure as mm
from metameasure.cli.groups import MEASURES, STUDY
from metameasure.cli.options import LISTED, File, Measures, RescaledColumns, Seed, Workers
from metameasure.cli.output import Output
from metameasure.cli.progress import progress_bar
from metameasure.inference import SEED
from metameasure.lab import NOISE, REPEATS, SIZES, Advice


@Parameter(name="*", group=STUDY)
@dataclass(frozen=True, kw_only=True)
class AdviceStudy:
    """A study of which measure should choose among models."""

    columns: RescaledColumns = RescaledColumns()
    goal: Annotated[
        str,
        Parameter(
            group=MEASURES,
            metavar="MEASURE",
            help="Measure that counts, e.g. expected_cost(c=0.2).",
        ),
    ] = "auc"
    measures: Measures = "default"
    sizes: Annotated[
        tuple[int, ...],
        LISTED,
        Parameter(name="--size", help="Number of validation cases (repeatable)."),
    ] = SIZES
    noise: Annotated[
        tuple[float, ...],
        LISTED,
        Parameter(help="Fraction of wrong labels to try besides none (repeatable)."),
    ] = NOISE
    repeats: Annotated[int, Parameter(help="Number of validation sets per size.")] = REPEATS
    seed: Seed = SEED
    workers: Workers = None

    def run(self, file: str) -> Advice:
        """The advice for the models of a file."""
        models = self.columns.read(file)
        with progress_bar("drawing validation sets") as progress:
            return mm.advise(
                models,
                goal=self.goal,
                sizes=self.sizes,
                measures=self.measures,
                repeats=self.repeats,
                noise=self.noise,
                seed=self.seed,
                workers=self.workers,
                progress=progress,
            )


def advise(file: File, /, *, study: AdviceStudy = AdviceStudy(), output: Output = Output()) -> None:
    """Advise which measure should choose among models when validation cases are few."""
    output.write(study.run(file))
