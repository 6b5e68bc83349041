"""Zones of optimality as a person reads them: by model, and by the threshold to take."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from metameasure.operating.skew import SKEW
from metameasure.operating.thresholds import threshold_text
from metameasure.rendering import Cell, Grid, Page, number, some_names, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.operating.skew import Costs
    from metameasure.operating.zones import ModelZone, OptimalityZones, Zone

    Span = TypeVar("Span", Zone, ModelZone)

MOST_SHOWN, SHOWN_OF_MANY = 20, 15


def page_of_zones(zones: OptimalityZones) -> Page:
    """Which model is best where, if that is shorter than the thresholds, and these."""
    joined, grids = zones.by_model(), []
    if len(joined) < len(zones.rows):
        shown, caption = _widest(joined)
        header = ["model", "skew from", "to", "cost from", "to"]
        body = [(visible(zone.name), _borders(zone)) for zone in shown]
        grids.append(Grid(header, body, caption, "the best model"))
    grids.append(_threshold_grid(zones.rows, "the best threshold" if grids else None))
    return Page(grids, [*beaten(zones), SKEW, "cost: 1 / (1 + skew)"])


def _threshold_grid(zones: Sequence[Zone], title: str | None) -> Grid:
    shown, caption = _widest(zones)
    header = ["model", "threshold", "fpr", "tpr", "skew from", "to", "cost from", "to"]
    body = []
    for zone in shown:
        known = zone.model is not None
        limit = threshold_text(zone.threshold, zone.score_below) if known else ""
        point = [Cell(limit), Cell(number(zone.fpr)), Cell(number(zone.tpr))]
        body.append((visible(zone.name), [*point, *_borders(zone)]))
    return Grid(header, body, caption, title)


def prior_grid(zones: OptimalityZones, costs: Costs, prior: float) -> Grid:
    """Which model is best for which skew and, at these costs, for which prior."""
    joined, skew = zones.by_model(), costs.skew(prior)
    here = next(zone for zone in joined if zone.skew_low <= skew)
    shown, caption = _widest(joined, here)
    header = ["model", "skew from", "to"]
    # Where one error costs nothing the skew is the same at every prior.
    priors = bool(costs.fp and costs.fn)
    body = []
    for zone in shown:
        borders = [zone.skew_low, zone.skew_high]
        if priors:
            borders += [_prior(zone.skew_high, costs), _prior(zone.skew_low, costs)]
        cells = [Cell(number(border), stands_out=zone is here) for border in borders]
        body.append((visible(zone.name), cells))
    header += ["prior from", "to"] if priors else []
    title = "the best model by skew" + (", and by prior at these costs" if priors else "")
    return Grid(header, body, caption, title)


def _prior(skew: float, costs: Costs) -> float:
    """The prior that makes a skew at given costs."""
    return costs.fp / (costs.fp + skew * costs.fn)


def beaten(zones: OptimalityZones) -> list[str]:
    """Lines with the models that are best at no skew, and with those that only share a point."""
    best = {zone.model for zone in zones.rows}
    shared = [name for name in zones.models if name not in {*best, *zones.never_best}]
    lines = {"best at no skew": zones.never_best, "best only as another one is": shared}
    return [
        f"{what}: {some_names(list(map(visible, names)), MOST_SHOWN)}"
        for what, names in lines.items()
        if names
    ]


def _borders(zone: Zone | ModelZone) -> list[Cell]:
    borders = (zone.skew_low, zone.skew_high, zone.cost_low, zone.cost_high)
    return [Cell(number(border)) for border in borders]


def _widest(zones: Sequence[Span], kept: Span | None = None) -> tuple[list[Span], str]:
    """The zones to show, in their order, and a line that says so if these are not all."""
    if len(zones) <= MOST_SHOWN:
        return list(zones), ""
    widths = [zone.cost_high - zone.cost_low + (zone is kept) for zone in zones]
    widest = sorted(range(len(zones)), key=lambda place: -widths[place])[:SHOWN_OF_MANY]
    return [zones[place] for place in sorted(widest)], f"the widest {len(widest)} of {len(zones)}"
