"""``metameasure plot``: studies of measures, which it runs before it draws them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from metameasure.cli import reading
from metameasure.cli.commands.advise import advice_study
from metameasure.cli.commands.lab_compare import Precision, domain
from metameasure.cli.commands.lab_robustness import robustness_study
from metameasure.cli.commands.lab_selection import selection_study
from metameasure.cli.output import refuse_input_as_output
from metameasure.cli.plot_options import picture
from metameasure.cli.progress import progress_bar
from metameasure.cli.shared_options import fed_by, redeclared

Some = Annotated[str, typer.Option(help="Measures with commas between them.")]
FileOrNone = Annotated[
    str | None,
    typer.Argument(
        metavar="FILE",
        help="The models of a file, on --folds or --resamples.",
        callback=refuse_input_as_output,
    ),
]
Sizes = Annotated[
    list[int],
    typer.Option(help="How many cases a validation set has; again for each size.", min=2),
]
RATES = ("error", "change")
ABILITIES = ("msa", "hit_rate", "regret")
AGAINST = ("size", "noise")

_with_file = fed_by(redeclared(domain, {"file": (FileOrNone, None)}, file_option="FILE"), "domain")
_sizes = redeclared(selection_study, {"size": (Sizes, [50, 100, 200])})


def _highlight(
    highlight: Annotated[
        list[str] | None,
        typer.Option(metavar="MEASURE", help="A measure that is told apart; again for others."),
    ] = None,
) -> Any:
    """The measures to tell apart; a study is not begun for those that there are not."""
    from metameasure.measurement import parse_list  # noqa: PLC0415

    return parse_list(highlight) if highlight else None


def _rate(
    rate: Annotated[
        str,
        typer.Option(
            help="error: how often the worse model is preferred; change: how often noise matters."
        ),
    ] = RATES[0],
) -> Any:
    """Which rate to draw."""
    return reading.one_of(rate, "--rate", RATES)


def _ability(
    ability: Annotated[
        str, typer.Option(help="What to draw: " + ", ".join(ABILITIES) + ".")
    ] = ABILITIES[0],
) -> Any:
    """Which ability to draw."""
    return reading.one_of(ability, "--ability", ABILITIES)


def _against(
    against: Annotated[
        str, typer.Option(help="What stands at the bottom: " + " or ".join(AGAINST) + ".")
    ] = AGAINST[0],
) -> Any:
    """What to draw the advice against."""
    return reading.one_of(against, "--against", AGAINST)


@_with_file
def _comparison(
    measures: Some, domain: Any, precision: Precision = None, workers: reading.Workers = None
) -> Any:
    """The comparison of two measures that the options ask for."""
    from metameasure import lab  # noqa: PLC0415
    from metameasure.measurement import parse_list  # noqa: PLC0415

    chosen = parse_list(measures)
    if len(chosen) != 2:
        raise typer.BadParameter(f"give two measures, not {len(chosen)}", param_hint="--measures")
    f, g = chosen
    with progress_bar("comparing") as progress:
        return lab.compare(f, g, domain, precision=precision, workers=workers, progress=progress)


@_with_file
def _order(
    measures: Some, domain: Any, precision: Precision = None, workers: reading.Workers = None
) -> Any:
    """The order of preference that the options ask for."""
    from metameasure import lab  # noqa: PLC0415

    with progress_bar("comparing") as progress:
        return lab.preference_order(
            measures, domain, precision=precision, workers=workers, progress=progress
        )


@picture(comparison=_comparison)
def agreement(comparison: Any) -> Any:
    """Draw how often two measures agree, as the pie of the five percentages."""
    from metameasure.plots import AgreementDisplay  # noqa: PLC0415

    return AgreementDisplay(comparison)


@picture(order=_order)
def measures(order: Any) -> Any:
    """Draw a heat map of the consistency and discriminancy of measures."""
    from metameasure.plots import MeasuresDisplay  # noqa: PLC0415

    return MeasuresDisplay(order)


@picture(result=robustness_study, rate=_rate, highlight=_highlight)
def robustness(result: Any, rate: Any, highlight: Any) -> Any:
    """Draw how often measures prefer the worse of two models, the more noise the more often."""
    from metameasure.plots import RobustnessDisplay  # noqa: PLC0415

    with reading.as_usage("--highlight"):
        return RobustnessDisplay(result, rate=rate, highlight=highlight)


@picture(result=_sizes, ability=_ability, highlight=_highlight)
def selection(result: Any, ability: Any, highlight: Any) -> Any:
    """Draw how well measures choose among models from few cases and from more."""
    from metameasure.plots import SelectionDisplay  # noqa: PLC0415

    with reading.as_usage("--highlight"):
        return SelectionDisplay(result, ability=ability, highlight=highlight)


@picture(result=advice_study, against=_against, highlight=_highlight)
def advice(
    result: Any,
    against: Any,
    at: Annotated[
        float | None,
        typer.Option(help="The share of wrong labels or, against noise, the size at which."),
    ] = None,
    *,
    highlight: Any,
) -> Any:
    """Draw which measure should choose among models, and whether that is certain."""
    from metameasure.plots import AdviceDisplay  # noqa: PLC0415

    with reading.as_usage("--at, --highlight"):
        return AdviceDisplay(result, against=against, at=at, highlight=highlight)
