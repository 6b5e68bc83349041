"""``metameasure lab``: the commands of the laboratory."""

from __future__ import annotations

import typer

from metameasure.cli.comparing_measures import compare, order
from metameasure.cli.perturbing import robustness
from metameasure.cli.powering import power
from metameasure.cli.selecting import selection

lab = typer.Typer(help="Measures of measures.", no_args_is_help=True)
lab.command()(compare)
lab.command()(order)
lab.command()(robustness)
lab.command()(power)
lab.command()(selection)
