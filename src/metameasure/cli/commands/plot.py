"""``metameasure plot KIND FILE``: the pictures that there are."""

from __future__ import annotations

import typer

from metameasure.cli.commands.plot_curves import det, precision_recall, roc, sroc, tpr_fpr
from metameasure.cli.commands.plot_decisions import cost_curve, decision_curve, gain, lift, zones
from metameasure.cli.commands.plot_results import confusion, forest, reliability, scores
from metameasure.cli.commands.plot_studies import advice, agreement, measures, robustness, selection

plot = typer.Typer(
    help="Draw a picture of predictions, or of a study of measures, into a file.",
    no_args_is_help=True,
)
for draw in (
    roc,
    sroc,
    tpr_fpr,
    precision_recall,
    det,
    lift,
    gain,
    cost_curve,
    decision_curve,
    zones,
    reliability,
    scores,
    forest,
    confusion,
    agreement,
    measures,
    robustness,
    selection,
    advice,
):
    plot.command(draw.__name__.replace("_", "-"))(draw)
