"""``metameasure plot``: studies of measures, which are run first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter

from metameasure import lab
from metameasure.cli.groups import PICTURE, STUDY
from metameasure.cli.options import MEASURES_OPTION, File, OptionalFile, SomeMeasures
from metameasure.cli.picture import Picture
from metameasure.cli.studies import (
    AdviceStudy,
    Agreement,
    CorrelationStudy,
    RobustnessStudy,
    SelectionStudy,
    Sizes,
)
from metameasure.errors import Argument, ParameterError
from metameasure.plots import (
    Ability,
    AdviceAgainst,
    AdviceDisplay,
    AgreementDisplay,
    MeasureMapDisplay,
    MeasuresDisplay,
    Rate,
    RobustnessDisplay,
    SelectionDisplay,
)

Highlight = Annotated[
    Sequence[Any] | str | None,
    MEASURES_OPTION,
    Parameter(name="--highlight", group=PICTURE, help="Comma-separated measures to highlight."),
]


def agreement(
    file: OptionalFile = None,
    /,
    *,
    measures: SomeMeasures,
    agreement: Agreement = Agreement(),
    picture: Picture,
) -> None:
    """Draw how often two measures agree, as a pie of the five percentages."""
    if len(measures) != 2:
        raise ParameterError((Argument("measures"), f" must be two measures, got {len(measures)}"))
    picture.draw(
        AgreementDisplay(
            agreement.run(lab.compare, *measures, file=file, progress=picture.progress)
        )
    )


def measures(
    file: OptionalFile = None,
    /,
    *,
    measures: SomeMeasures,
    agreement: Agreement = Agreement(),
    picture: Picture,
) -> None:
    """Draw a heat map of the consistency and discriminancy of measures."""
    picture.draw(
        MeasuresDisplay(
            agreement.run(lab.preference_order, measures, file=file, progress=picture.progress)
        )
    )


def robustness(
    file: OptionalFile = None,
    /,
    *,
    study: RobustnessStudy = RobustnessStudy(),
    rate: Annotated[
        Rate,
        Parameter(
            group=PICTURE,
            help="How often the worse model is preferred, or the preference changes.",
        ),
    ] = "error",
    highlight: Highlight = None,
    picture: Picture,
) -> None:
    """Draw how often measures prefer the worse of two models, against the level of noise."""
    picture.draw(
        RobustnessDisplay(study.run(file, picture.progress), rate=rate, highlight=highlight)
    )


def selection(
    file: File,
    /,
    *,
    study: SelectionStudy = SelectionStudy(),
    validation_size: Annotated[Sizes, Parameter(group=STUDY)] = (50, 100, 200),
    ability: Annotated[Ability, Parameter(group=PICTURE, help="Quantity to draw.")] = "msa",
    highlight: Highlight = None,
    picture: Picture,
) -> None:
    """Draw how well measures choose among models, against the number of validation cases."""
    selections = study.run(file, validation_size, picture.progress)
    picture.draw(SelectionDisplay(selections, ability=ability, highlight=highlight))


def advice(
    file: File,
    /,
    *,
    study: AdviceStudy = AdviceStudy(),
    against: Annotated[
        AdviceAgainst, Parameter(group=PICTURE, help="Quantity on the x axis.")
    ] = "size",
    at: Annotated[
        float | None,
        Parameter(
            group=PICTURE, help="Fraction of wrong labels or, against noise, number of cases."
        ),
    ] = None,
    highlight: Highlight = None,
    picture: Picture,
) -> None:
    """Draw which measure should choose among models, and whether the evidence is sufficient."""
    picture.draw(
        AdviceDisplay(
            study.run(file, picture.progress), against=against, at=at, highlight=highlight
        )
    )


def map(  # noqa: A001 - the name of the command
    file: File, /, *, study: CorrelationStudy = CorrelationStudy(), picture: Picture
) -> None:
    """Draw a map of measures: those that order the models of a file alike are near each other."""
    picture.draw(MeasureMapDisplay(study.run(file)))
