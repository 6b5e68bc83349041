"""``metameasure lab compare``, and the domains that measures are compared on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Parameter

from metameasure import lab
from metameasure.cli.groups import STUDY
from metameasure.cli.options import (
    COLUMN,
    FILE,
    Columns,
    Label,
    PosLabel,
    Scores,
    Seed,
    Workers,
    any_of,
    refuse_unused,
)
from metameasure.cli.output import Output
from metameasure.cli.progress import progress_bar
from metameasure.errors import Argument, ParameterError

OPTIONS = {
    "positives": "negatives cut lists",
    "permutations": "",
    "classes": "per_class lists",
    "file": "label scores folds resamples pos_label",
}
"""The options that choose a domain, and the options that belong to each."""

Precision = Annotated[
    float | None,
    Parameter(group=STUDY, help="Standard error of C at which to stop drawing lists."),
]
FileOption = Annotated[
    str | None, FILE, Parameter(name="--file", metavar="FILE", help="Compare on models in a file.")
]


@Parameter(name="*", group=STUDY)
@dataclass(frozen=True, kw_only=True)
class Domain:
    """What measures are compared on."""

    label: Label = None
    scores: Scores = None
    pos_label: PosLabel = None
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
    seed: Seed = 1

    def make(self, file: str | None) -> Any:
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
        given = {name for name, value in vars(self).items() if value is not None} - {"seed"}
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
        columns = Columns(label=self.label, scores=self.scores, pos_label=self.pos_label)
        models = columns.read(file, group=self.folds)
        return lab.Observed(models.rows_for("folds and resamples"), self.resamples, self.seed)


def compare(
    f: Annotated[str, Parameter(name="MEASURE", group=STUDY, help="First measure.")],
    g: Annotated[str, Parameter(name="OTHER", group=STUDY, help="Second measure.")],
    /,
    *,
    file: FileOption = None,
    domain: Domain = Domain(),
    precision: Precision = None,
    workers: Workers = None,
    output: Output = Output(),
) -> None:
    """Compare two measures: how often they agree, and which is more discriminating."""
    made = domain.make(file)
    with progress_bar("comparing") as progress:
        result = lab.compare(f, g, made, precision=precision, workers=workers, progress=progress)
    output.write(result)
