"""``metameasure lab``: the commands of the laboratory."""

from __future__ import annotations

import typer

from metameasure.cli.commands.lab_compare import compare, order
from metameasure.cli.commands.lab_power import power
from metameasure.cli.commands.lab_robustness import robustness
from metameasure.cli.commands.lab_selection import selection

lab = typer.Typer(help="Measures of measures.", no_args_is_help=True)
lab.command()(compare)
lab.command()(order)
lab.command()(robustness)
lab.command()(power)
lab.command()(selection)
