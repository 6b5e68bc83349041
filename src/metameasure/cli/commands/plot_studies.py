"""``metameasure plot``: studies of measures, which are run first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from cyclopts import Parameter

from metameasure import lab
from metameasure.cli.commands.advise import AdviceStudy
from metameasure.cli.commands.lab_compare import Domain, Precision
from metameasure.cli.commands.lab_robustness import RobustnessStudy
from metameasure.cli.commands.lab_selection import SelectionStudy
from metameasure.cli.groups import PICTURE, STUDY
from metameasure.cli.options import (
    LISTED,
    MEASURES_OPTION,
    File,
    OptionalFile,
    SomeMeasures,
    Workers,
)
from metameasure.cli.picture import Picture
from metameasure.cli.progress import progress_bar
from metameasure.errors import Argument, ParameterError
from metameasure.plots import (
    Ability,
    AdviceAgainst,
    AdviceDisplay,
    AgreementDisplay,
    MeasuresDisplay,
    Rate,
    RobustnessDisplay,
    SelectionDisplay,
)

HighlightMeasures = Annotated[
    Sequence[str] | None,
    MEASURES_OPTION,
    Parameter(name="--highlight", group=PICTURE, help="Comma-separated measures to highlight."),
]


def agreement(
    file: OptionalFile = None,
    /,
    *,
    measures: SomeMeasures,
    domain: Domain = Domain(),
    precision: Precision = None,
    workers: Workers = None,
    picture: Picture,
) -> None:
    """Draw how often two measures agree, as a pie of the five percentages."""
    if len(measures) != 2:
        raise ParameterError((Argument("measures"), f" must be two measures, got {len(measures)}"))
    f, g = measures
    made = domain.make(file)
    with progress_bar("comparing") as progress:
        result = lab.compare(f, g, made, precision=precision, workers=workers, progress=progress)
    picture.draw(AgreementDisplay(result))


def measures(
    file: OptionalFile = None,
    /,
    *,
    measures: SomeMeasures,
    domain: Domain = Domain(),
    precision: Precision = None,
    workers: Workers = None,
    picture: Picture,
) -> None:
    """Draw a heat map of the consistency and discriminancy of measures."""
    made = domain.make(file)
    with progress_bar("comparing") as progress:
        result = lab.preference_order(
            measures, made, precision=precision, workers=workers, progress=progress
        )
    picture.draw(MeasuresDisplay(result))


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
    highlight: HighlightMeasures = None,
    picture: Picture,
) -> None:
    """Draw how often measures prefer the worse of two models, against the level of noise."""
    picture.draw(RobustnessDisplay(study.run(file), rate=rate, highlight=highlight))


def selection(
    file: File,
    /,
    *,
    study: SelectionStudy = SelectionStudy(),
    validation_size: Annotated[
        tuple[int, ...],
        LISTED,
        Parameter(name="--size", group=STUDY, help="Number of validation cases (repeatable)."),
    ] = (50, 100, 200),
    ability: Annotated[Ability, Parameter(group=PICTURE, help="Quantity to draw.")] = "msa",
    highlight: HighlightMeasures = None,
    picture: Picture,
) -> None:
    """Draw how well measures choose among models, against the number of validation cases."""
    picture.draw(
        SelectionDisplay(study.run(file, validation_size), ability=ability, highlight=highlight)
    )


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
    highlight: HighlightMeasures = None,
    picture: Picture,
) -> None:
    """Draw which measure should choose among models, and whether the evidence is sufficient."""
    picture.draw(AdviceDisplay(study.run(file), against=against, at=at, highlight=highlight))
