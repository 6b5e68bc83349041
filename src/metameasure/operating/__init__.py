"""Choosing a point: costs, skew, isometrics, and which model is best where."""

from metameasure.operating.choosing import OperatingPoint, operating_point
from metameasure.operating.isometrics import isometric
from metameasure.operating.point_rows import ModelPoint
from metameasure.operating.points import OperatingPoints, operating_points
from metameasure.operating.zones import ModelZone, OptimalityZones, Zone, optimality_zones

__all__ = [
    "ModelPoint",
    "ModelZone",
    "OperatingPoint",
    "OperatingPoints",
    "OptimalityZones",
    "Zone",
    "isometric",
    "operating_point",
    "operating_points",
    "optimality_zones",
]
