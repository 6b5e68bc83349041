"""``metameasure lab select``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from cyclopts import Parameter

from metameasure import lab
from metameasure.cli.groups import INPUT, MEASURES, STUDY, options
from metameasure.cli.options import (
    COLUMN,
    LISTED,
    Confidence,
    File,
    Measures,
    PosLabel,
    Seed,
    Workers,
)
from metameasure.cli.output import StudyOutput
from metameasure.data import LabelText, open_file
from metameasure.errors import naming
from metameasure.inference import SEED
from metameasure.lab import ModelSelection, encode, named_learners


@options(STUDY)
class TrainingStudy:
    """A study that trains learners on the attributes of a file."""

    label: Annotated[str, COLUMN, Parameter(alias="-l", help="Label column.")]
    learners: Annotated[
        Sequence[str],
        LISTED,
        Parameter(
            metavar="LEARNER",
            help="Learners: naive_bayes, logistic, tree, forest, boosting, knn, lda, network, svm "
            "or classifiers of scikit-learn (repeatable or comma-separated).",
        ),
    ]
    goal: Annotated[
        str,
        Parameter(group=MEASURES, metavar="MEASURE", help="Measure of the selected models."),
    ] = "auc"
    measures: Measures = "default"
    reference: Annotated[
        str | None,
        Parameter(
            group=MEASURES, metavar="MEASURE",
            help="Measure that the others are tested against (default: the goal).",
        ),
    ] = None  # fmt: skip
    ties: Annotated[
        str,
        Parameter(
            group=MEASURES, metavar="RULE",
            help="Choice among tied candidates: random, first, or a measure.",
        ),
    ] = "random"  # fmt: skip
    ignore: Annotated[
        Sequence[str],
        LISTED,
        COLUMN,
        Parameter(group=INPUT, show_default=False, help="Columns to leave out."),
    ] = ()
    pos_label: PosLabel = None
    train: Annotated[
        float | None, Parameter(help="Fraction of the cases for training (default: 0.5).")
    ] = None
    validation: Annotated[
        float, Parameter(help="Fraction of the cases that models are selected on.")
    ] = 0.1
    test: Annotated[
        float | None, Parameter(help="Fraction of the cases for the goal (default: the rest).")
    ] = None
    folds: Annotated[int | None, Parameter(help="Number of folds instead of fractions.")] = None
    repeats: Annotated[
        int | None,
        Parameter(help="Number of random splits (default: 100), or of divisions into folds (1)."),
    ] = None
    stratified: Annotated[
        bool,
        Parameter(
            negative="--no-stratified",
            show_default=False,
            help="Keep the fractions of the classes in all parts (default), or not.",
        ),
    ] = True
    remove: Annotated[
        int | None,
        Parameter(help="Number of attributes to remove at random for each candidate."),
    ] = None
    candidates: Annotated[
        int, Parameter(help="Number of candidates per learner, with --remove.")
    ] = 10
    ci: Confidence = 0.95
    seed: Seed = SEED
    workers: Workers = None

    def run(self, file: str, progress: bool) -> ModelSelection:
        """The study of a file."""
        data = encode(open_file(file).collect(), self.label, self.ignore)
        made = named_learners(self.learners, missing=bool(np.isnan(data.X).any()))
        if self.remove is not None:
            made = {
                name: lab.attribute_subsets(
                    one, remove=self.remove, candidates=self.candidates, groups=data.groups
                )
                for name, one in made.items()
            }
        # The candidates are the learners; with --remove there are several of each.
        with naming({"candidates": "learners"}):
            return lab.select_models(
                made,
                data.X,
                data.y,
                self.measures,
                self.goal,
                train=self.train,
                validation=self.validation,
                test=self.test,
                folds=self.folds,
                repeats=self.repeats,
                stratified=self.stratified,
                ties=self.ties,
                reference=self.reference,
                pos_label=None if self.pos_label is None else LabelText(self.pos_label),
                ci=self.ci,
                seed=self.seed,
                workers=self.workers,
                progress=progress,
            )


def select(file: File, /, *, study: TrainingStudy, output: StudyOutput = StudyOutput()) -> None:
    """Train learners on FILE, let measures select among them, and show the goal reached."""
    output.write(study.run(file, output.progress))
