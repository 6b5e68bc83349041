"""Studies of measures, each a class of options that ``lab`` and ``plot`` share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

import metameasure as mm
from metameasure import lab
from metameasure.cli.groups import MEASURES, STUDY, arguments, options
from metameasure.cli.options import (
    COLUMN,
    FILE,
    LISTED,
    MEASURE,
    Confidence,
    Label,
    Measures,
    Missing,
    PosLabel,
    Rescaled,
    RescaledColumns,
    Score,
    Scores,
    Seed,
    SomeMeasures,
    Workers,
    any_of,
    refuse_unused,
)
from metameasure.errors import Argument, ParameterError
from metameasure.inference import SEED, portion
from metameasure.lab import NOISE, SIZES, Judged
from metameasure.progress import reporting

if TYPE_CHECKING:
    from metameasure.lab import Advice, MeasureCorrelations, PairGenerator, Robustness, Selection
    from metameasure.results import Result

OPTIONS = {
    "positives": "negatives cut lists",
    "permutations": "",
    "classes": "per_class lists",
    "file": "label scores pos_label nan_policy rescale folds resamples",
}
"""The options that choose a domain, and the options that belong to each."""

FOLDS = {"group": "folds"}
"""Folds are read as groups, which these commands do not have."""

FileOption = Annotated[
    str | None, FILE, Parameter(name="--file", metavar="FILE", help="Compare on models in a file.")
]


@options(STUDY)
class Agreement:
    """A comparison of measures, and the domain that they are compared on."""

    label: Label = None
    scores: Scores = None
    pos_label: PosLabel = None
    nan_policy: Missing = "raise"
    rescale: Rescaled = None
    folds: Annotated[str | None, COLUMN, Parameter(help="Column of folds or data sets.")] = None
    resamples: Annotated[
        int | None, Parameter(help="Number of resamples of FILE, when there are no folds.")
    ] = None
    positives: Annotated[int | None, Parameter(help="Number of positives per ranked list.")] = None
    negatives: Annotated[int | None, Parameter(help="Number of negatives per ranked list.")] = None
    cut: Annotated[
        int | None,
        Parameter(help="Number of cases predicted positive (default: --positives)."),
    ] = None
    permutations: Annotated[
        int | None, Parameter(help="Number of items, all orders of which are compared.")
    ] = None
    classes: Annotated[int | None, Parameter(help="Number of classes of random lists.")] = None
    per_class: Annotated[
        int | None, Parameter(show_default="2", help="Number of cases per class.")
    ] = None
    lists: Annotated[
        int | None, Parameter(help="Number of random lists with scores, instead of all.")
    ] = None
    precision: Annotated[
        float | None, Parameter(help="Standard error of C at which to stop drawing lists.")
    ] = None
    seed: Seed = 1
    workers: Workers = None

    def run(
        self, study: Callable[..., Result], *measures: Any, file: str | None, progress: bool
    ) -> Any:
        """The result of ``lab.compare`` or ``lab.preference_order``."""
        return study(
            *measures,
            self._domain(file),
            precision=self.precision,
            workers=self.workers,
            progress=progress,
        )

    def _domain(self, file: str | None) -> Any:
        """The domain that the options choose."""
        self._check(file)
        if file is not None:
            return self._observed(file)
        if self.permutations is not None:
            return lab.permutations(self.permutations)
        if self.classes is not None:
            drawn = {} if self.lists is None else {"lists": self.lists}
            return lab.multiclass(self.classes, self.per_class or 2, seed=self.seed, **drawn)
        if self.positives is None or self.negatives is None:
            raise ParameterError((Argument("positives"), " needs ", Argument("negatives")))
        if self.lists is None:
            return lab.ranked_lists(self.positives, self.negatives, self.cut)
        scores = lab.NormalScores(self.positives, self.negatives)
        return lab.score_lists(scores, lists=self.lists, seed=self.seed)

    def _check(self, file: str | None) -> None:
        """Refuse options of several domains, and options that have no effect."""
        given = {name for name, value in vars(self).items() if value != getattr(type(self), name)}
        given -= {"seed", "precision", "workers"}
        given |= set() if file is None else {"file"}
        kinds = [kind for kind in OPTIONS if kind in given]
        if len(kinds) != 1:
            raise ParameterError(("choose what to compare on with one of ", *any_of(OPTIONS)))
        (kind,) = kinds
        refuse_unused(self, given - {kind, *OPTIONS[kind].split()}, "with ", Argument(kind))
        if self.lists is not None:
            refuse_unused(self, ("cut",), "with ", Argument("lists"))

    def _observed(self, file: str) -> lab.Observed:
        if (self.folds is None) == (self.resamples is None):
            raise ParameterError(("pass either ", Argument("folds"), " or ", Argument("resamples")))
        columns = RescaledColumns(
            label=self.label,
            scores=self.scores,
            pos_label=self.pos_label,
            nan_policy=self.nan_policy,
            rescale=self.rescale,
        )
        models = columns.read(file, group=self.folds, number="two or more", called=FOLDS)
        return lab.Observed(models.rows_for("folds and resamples"), self.resamples, self.seed)


@options(STUDY)
class CorrelationStudy:
    """The models and the measures that are correlated over them."""

    columns: RescaledColumns = RescaledColumns()
    measures: Measures = "default"
    folds: Annotated[str | None, COLUMN, Parameter(help="Column of folds or data sets.")] = None

    def run(self, file: str) -> MeasureCorrelations:
        """The correlations of the measures over the models of a file."""
        models = self.columns.read(file, group=self.folds, number="two or more", called=FOLDS)
        return lab.measure_correlations(models, measures=self.measures)


Generator = Literal["replaced_scores", "swapped_labels"]
Noise = Literal["labels", "scores", "clipped_scores", "class_proportion"]
SHARE = 0.1
OF_FILE = ("label", "scores", "pos_label", "nan_policy", "rescale", "share", "size")


@options(STUDY)
class RobustnessStudy:
    """A study of what noise does to the choices of measures."""

    label: Label = None
    scores: Score = None
    pos_label: PosLabel = None
    nan_policy: Missing = "raise"
    rescale: Rescaled = None
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
        Parameter(
            name="--level",
            metavar="FLOAT",
            help="Level of noise; for scores, the half-width (repeatable).",
        ),
    ] = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
    repeats: Annotated[int, Parameter(help="Number of pairs per level.")] = 10_000
    ci: Confidence = 0.95
    seed: Seed = 1
    workers: Workers = None

    def run(self, file: str | None, progress: bool) -> Robustness:
        """The study, of the models of a file or of a generator."""
        return lab.robustness(
            self._generator(file),
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
            refuse_unused(self, OF_FILE, "without FILE")
            return self.generator or "replaced_scores"
        refuse_unused(self, ("generator",), "with FILE")
        columns = RescaledColumns(
            label=self.label,
            scores=None if self.scores is None else (self.scores,),
            pos_label=self.pos_label,
            nan_policy=self.nan_policy,
            rescale=self.rescale,
        )
        models = columns.read(file, number="one")
        rows, model = models.rows_for("robustness"), models.only("robustness")
        share = SHARE if self.share is None else self.share
        return lab.OwnScores(rows.positive, rows.scores[model], share, 0.0, self.size)


Sizes = Annotated[
    tuple[int, ...],
    LISTED,
    Parameter(name="--size", metavar="INT", help="Number of validation cases (repeatable)."),
]


@options(STUDY)
class ChoiceStudy:
    """A study of the choice among models."""

    columns: RescaledColumns = RescaledColumns()
    goal: Annotated[
        Any,
        MEASURE,
        Parameter(
            group=MEASURES,
            help="Measure that defines the best model, e.g. expected_cost(c=0.2).",
        ),
    ] = "auc"
    measures: Measures = "default"
    seed: Seed = SEED
    workers: Workers = None


@options(STUDY)
class SelectionStudy(ChoiceStudy):
    """A study of how well measures choose among models."""

    reference: Annotated[
        Any,
        MEASURE,
        Parameter(
            group=MEASURES, help="Measure that the others are tested against (default: the goal)."
        ),
    ] = None
    repeats: Annotated[int, Parameter(help="Number of validation sets.")] = 1000
    judged_on: Annotated[
        Judged, Parameter(help="Cases for the goal: all, or the rest that was not drawn.")
    ] = "all"

    def run(self, file: str, sizes: Sequence[int], progress: bool) -> list[Selection]:
        """The study of the models of a file, for each size of the validation set."""
        models, asked = self.columns.read(file, number="two or more"), arguments(self)
        what = f"lab selection: {self.repeats} validation sets of {len(sizes)} sizes"
        with reporting(progress, what) as report:
            return [
                lab.selection(
                    models,
                    validation_size=size,
                    progress=portion(report, place, len(sizes)),
                    **asked,
                )
                for place, size in enumerate(sizes)
            ]


@options(STUDY)
class AdviceStudy(ChoiceStudy):
    """A study of which measure should choose among models."""

    sizes: Sizes = SIZES
    noise: Annotated[
        tuple[float, ...],
        LISTED,
        Parameter(
            metavar="FLOAT", help="Fraction of wrong labels to try besides none (repeatable)."
        ),
    ] = NOISE
    tolerance: Annotated[
        float | None,
        Parameter(
            help="Difference of regrets that does not matter (default: a tenth of the largest "
            "difference of two models in the goal)."
        ),
    ] = None
    repeats: Annotated[
        int | None,
        Parameter(
            help="Number of validation sets per size (default: up to 20,000, until they suffice)."
        ),
    ] = None

    def run(self, file: str, progress: bool) -> Advice:
        """The advice for the models of a file."""
        models = self.columns.read(file, number="two or more")
        return mm.advise(models, progress=progress, **arguments(self))
