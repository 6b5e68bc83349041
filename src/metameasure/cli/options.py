"""Options that several commands have.

A field or parameter is named after the argument of the Python function that it is passed to; so an
error about the argument can name the option.
"""

import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Annotated, Any

from cyclopts import CoercionError, CycloptsError, Parameter, Token

from metameasure._text import clipped, visible
from metameasure.cli.groups import FILES, GOAL, INPUT, MEASURES, OUTPUT, UNCERTAINTY, options
from metameasure.cli.output import say
from metameasure.cli.values import listed
from metameasure.data import LabelText, Models, NanPolicy, Rescale, read_models
from metameasure.errors import Argument, MetameasureError, ParameterError, UnknownMeasure
from metameasure.evaluation import check_columns
from metameasure.inference import RESAMPLES, SEED
from metameasure.measurement import parse, parse_list
from metameasure.results import muted


def _measures(_: Any, tokens: Sequence[Token]) -> Any:
    """Measures, checked before any file is read; the words ``default`` and ``all`` stay."""
    text = ", ".join(token.value for token in tokens)
    if text in {"default", "all"}:
        return text
    with about_option(tokens):
        return parse_list(text)


@contextmanager
def about_option(tokens: Sequence[Token]) -> Iterator[None]:
    """Let an unknown measure be an error about the option; other errors are ValueErrors."""
    try:
        yield
    except UnknownMeasure as error:
        # cyclopts does the same with errors that are ValueErrors.
        raise CoercionError(token=tokens[0]) from error


def _measure(_: Any, tokens: Sequence[Token]) -> Any:
    (measure,) = _measures(_, tokens)
    return measure


def _codes(kind: Any, tokens: Sequence[Token]) -> Any:
    codes = listed(kind, tokens)
    muted(codes)
    return codes


def _not_an_option(_: Any, value: str | None) -> None:
    if value is not None and value.startswith("-") and value != "-":
        raise CycloptsError(msg=f"unknown option: {clipped(value)}")


def _not_a_measure(_: Any, value: str | None) -> None:
    """Refuse a measure in the place of a file that may be left out."""
    if value is None or os.path.exists(value):  # noqa: PTH110 - a name may be too long
        return
    with suppress(MetameasureError):
        use = f"--measures {shlex.quote(clipped(str(parse(value))))}"
        raise CycloptsError(msg=f"there is no file {clipped(value)}; for the measure use {use}")


FILE = Parameter(
    name="FILE", allow_leading_hyphen=True, validator=_not_an_option, group=(INPUT, FILES),
    help="CSV, TSV, Parquet, Arrow or JSON lines file; - for standard input.",
)  # fmt: skip
COLUMN = Parameter(metavar="COL", group=INPUT)
LISTED = Parameter(converter=listed)
SCORE = Parameter(name=("--score", "-s"), metavar="COL", group=INPUT)

File = Annotated[str, FILE]
OptionalFile = Annotated[str | None, FILE, Parameter(validator=(_not_an_option, _not_a_measure))]
Label = Annotated[
    str | None,
    COLUMN,
    Parameter(alias="-l", help="Label column (inferred when unambiguous)."),
]
Scores = Annotated[
    tuple[str, ...] | None,
    SCORE,
    Parameter(help="Score column (repeatable or comma-separated)."),
]
Score = Annotated[str | None, SCORE, Parameter(help="Score column.")]
PosLabel = Annotated[str | None, Parameter(metavar="LABEL", help="Positive label.", group=INPUT)]
Missing = Annotated[
    NanPolicy,
    Parameter(help="Missing values: raise an error, or drop the case.", group=INPUT),
]
Rescaled = Annotated[
    Rescale | None,
    Parameter(help="Rescale the scores of each model to [0, 1].", group=INPUT),
]
Weight = Annotated[str | None, COLUMN, Parameter(help="Weight column.")]
Groups = Annotated[
    str | None, COLUMN, Parameter(help="Group column (queries), for means over groups.")
]
Cluster = Annotated[
    str | None,
    COLUMN,
    Parameter(help="Cluster column; cases with the same value are not independent."),
]
Order = Annotated[
    str | None,
    COLUMN,
    Parameter(help="Column of the true values of items, whose order the scores predict."),
]
Soft = Annotated[
    bool,
    Parameter(
        negative="", group=INPUT,
        help="The label column has true probabilities, for rms, brier and log_loss.",
    ),
]  # fmt: skip
Classes = Annotated[
    Sequence[str] | None,
    Parameter(
        metavar="CLASS", converter=listed, consume_multiple=True, group=INPUT,
        help="Class names, in column order.",
    ),
]  # fmt: skip
Probabilities = Annotated[
    Sequence[str] | None,
    Parameter(
        converter=listed, consume_multiple=True, metavar="COL", group=INPUT,
        help="Probability columns, one per class.",
    ),
]  # fmt: skip
Predicted = Annotated[
    tuple[str, ...] | None,
    COLUMN,
    Parameter(
        help="Column of predicted labels, instead of scores (repeatable or comma-separated)."
    ),
]
MEASURE = Parameter(metavar="MEASURE", converter=_measure)
MEASURES_OPTION = Parameter(
    name="--measures", metavar="MEASURE", converter=_measures, group=MEASURES
)
Measures = Annotated[
    Sequence[Any] | str,
    MEASURES_OPTION,
    Parameter(help="Comma-separated measures, or default, or all (repeatable)."),
]
SomeMeasures = Annotated[
    Sequence[Any] | str,
    MEASURES_OPTION,
    Parameter(help="Comma-separated measures (repeatable)."),
]
Reference = Annotated[
    str | None,
    Parameter(metavar="MODEL", group=MEASURES, help="Model that all others are compared with."),
]
Confidence = Annotated[float, Parameter(group=UNCERTAINTY, help="Confidence level.")]
OptionalConfidence = Annotated[
    float | None,
    Parameter(group=UNCERTAINTY, negative="--no-ci", help="Confidence level, or no intervals."),
]
Seed = Annotated[int, Parameter(group=UNCERTAINTY, help="Seed of the random numbers.")]
Workers = Annotated[
    int | None,
    Parameter(group=UNCERTAINTY, help="Number of threads or processes (default: all cores)."),
]
Mute = Annotated[
    Sequence[str],
    Parameter(
        converter=_codes, metavar="CODE", group=OUTPUT, show_default=False,
        help="Check to leave out, e.g. MM04 (repeatable or comma-separated).",
    ),
]  # fmt: skip


@options(INPUT)
class Columns:
    """Columns of a file, and how to read them."""

    label: Label = None
    scores: Scores = None
    weight: Weight = None
    pos_label: PosLabel = None
    nan_policy: Missing = "raise"

    @property
    def given(self) -> dict[str, Any]:
        """The options as arguments of the reader."""
        found = dict(vars(self))
        if self.pos_label is not None:
            found["pos_label"] = LabelText(self.pos_label)
        return found

    def read(self, file: str, **more: Any) -> Models:
        """The models in a file; prints which columns were inferred."""
        models = read_models(file, **{**self.given, **more})
        for model, scores in (models.classes or {}).items():
            for check in check_columns(scores, model):
                say(visible(check.message))
        named = more.get("proba") is not None or more.get("predicted") is not None
        if models.case_rows and models.columns and not named:
            label = models.columns.label if models.orders is None else None
            self.say_inferred(label, models.columns.scores[0])
        return models

    def say_inferred(self, label: str | None, score: str) -> None:
        """Print which columns were taken, if they were inferred; an order has no label."""
        found = [f"{visible(label)} as the label"] if label and self.label is None else []
        found += [f"{visible(score)} as the score"] if self.scores is None else []
        if found:
            say(f"took {' and '.join(found)}")


@options(INPUT)
class RescaledColumns(Columns):
    """Columns whose scores may be rescaled."""

    rescale: Rescaled = None


def refuse_unused(options: object, names: Iterable[str], *where: str | Argument) -> None:
    """Refuse options that would have no effect."""
    given = [name for name in names if getattr(options, name) != getattr(type(options), name)]
    if given:
        verb = "has" if len(given) == 1 else "have"
        raise ParameterError((*any_of(given), f" {verb} no effect ", *where))


def any_of(names: Iterable[str]) -> list[str | Argument]:
    """The arguments of these names, for an error."""
    return [part for name in names for part in (", ", Argument(name))][1:]


@options(UNCERTAINTY)
class Resampling:
    """How cases are resampled."""

    resamples: Annotated[int, Parameter(help="Number of resamples.")] = RESAMPLES
    seed: Seed = SEED
    stratified: Annotated[bool, Parameter(help="Keep the number of cases of each class.")] = False
    workers: Workers = None


@options(GOAL)
class Costs:
    """Costs of errors and a prior."""

    cost_fp: Annotated[float | None, Parameter(help="Cost of a false positive.")] = None
    cost_fn: Annotated[float | None, Parameter(help="Cost of a false negative.")] = None
    prior: Annotated[
        float | None, Parameter(help="Prior of the positives (default: as in FILE).")
    ] = None


@options(GOAL)
class Goal(Costs):
    """A measure to maximize, or costs and a prior."""

    maximize: Annotated[Any, MEASURE, Parameter(help="Measure to maximize, instead of costs.")] = (
        None
    )
