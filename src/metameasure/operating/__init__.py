"""Choosing a point: costs, skew, isometrics, and which model is best where."""

from metameasure.operating.choosing import OperatingPoint, operating_point
from metameasure.operating.isometrics import isometric
from metameasure.operating.zones import ModelZone, OptimalityZones, Zone, optimality_zones

__all__ = [
    "ModelZone",
    "OperatingPoint",
    "OptimalityZones",
    "Zone",
    "isometric",
    "operating_point",
    "optimality_zones",
]
