"""Operating points: costs, skew, isometrics and optimality zones."""

from metameasure._lazy import lazy_door

_ROOMS = {
    "costs": "Costs read_costs read_prior",
    "isometrics": "isometric of_rates",
    "model_point": "ModelPoint",
    "point": "OperatingPoint best_point operating_point read_goal",
    "points": "OperatingPoints operating_points operating_points_of",
    "thresholds": "threshold_text",
    "zones": "ModelZone OptimalityZones Zone optimality_zones",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS)
