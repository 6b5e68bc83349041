"""``metameasure lab robustness``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Parameter

from metameasure import lab
from metameasure.cli.groups import STUDY
from metameasure.cli.options import (
    LISTED,
    Columns,
    Confidence,
    Label,
    OptionalFile,
    PosLabel,
    Score,
    Seed,
    SomeMeasures,
    Workers,
    refuse_unused,
)
from metameasure.cli.output import Output
from metameasure.cli.progress import progress_bar
from metameasure.lab import PairGenerator, Robustness

Generator = Literal["replaced_scores", "swapped_labels"]
Noise = Literal["labels", "scores", "clipped_scores", "class_proportion"]
SHARE = 0.1


@Parameter(name="*", group=STUDY)
@dataclass(frozen=True, kw_only=True)
class RobustnessStudy:
    """A study of what noise does to the choices of measures."""

    label: Label = None
    scores: Score = None
    pos_label: PosLabel = None
    measures: SomeMeasures = "h_measure, auch, auc, scored_auc, ks, taks"
    generator: Annotated[
        Generator | None,
        Parameter(
            show_default="replaced_scores", help="Generator of pairs of a better and a worse model."
        ),
    ] = None
    share: Annotated[
        float | None,
        Parameter(
            show_default=str(SHARE), help="Fraction of scores in FILE replaced in the worse model."
        ),
    ] = None
    size: Annotated[int | None, Parameter(help="Number of cases of FILE per pair.")] = None
    noise: Annotated[Noise, Parameter(help="Kind of noise.")] = "labels"
    levels: Annotated[
        tuple[float, ...],
        LISTED,
        Parameter(name="--level", help="Level of noise; for scores, the half-width (repeatable)."),
    ] = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
    repeats: Annotated[int, Parameter(help="Number of pairs per level.")] = 10_000
    ci: Confidence = 0.95
    seed: Seed = 1
    workers: Workers = None

    def run(self, file: str | None) -> Robustness:
        """The study, of the models of a file or of a generator."""
        generator = self._generator(file)
        with progress_bar("adding noise") as progress:
            return lab.robustness(
                generator,
                self.noise,
                self.levels,
                self.measures,
                self.repeats,
                ci=self.ci,
                seed=self.seed,
                workers=self.workers,
                progress=progress,
            )

    def _generator(self, file: str | None) -> str | PairGenerator:
        if file is None:
            refuse_unused(self, ("label", "scores", "share", "size", "pos_label"), "without FILE")
            return self.generator or "replaced_scores"
        refuse_unused(self, ("generator",), "with FILE")
        columns = Columns(
            label=self.label,
            scores=None if self.scores is None else [self.scores],
            pos_label=self.pos_label,
        )
        predictions = columns.read(file).rows_for("robustness")
        (scores,) = predictions.scores.values()
        share = SHARE if self.share is None else self.share
        return lab.OwnScores(predictions.positive, scores, share, 0.0, self.size)


def robustness(
    file: OptionalFile = None,
    /,
    *,
    study: RobustnessStudy = RobustnessStudy(),
    output: Output = Output(),
) -> None:
    """Show how often measures prefer the worse of two models when there is noise.

    The pairs of models come from a generator or, with FILE, from your own predictions.
    """
    output.write(study.run(file))
