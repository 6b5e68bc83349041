"""Operating points: costs, skew, isometrics and optimality zones."""

from metameasure._lazy import lazy_door

_ROOMS = {
    "costs": "Costs goal_scale read_costs read_prior",
    "isometrics": "isometric of_rates",
    "model_point": "ModelPoint threshold_text",
    "point": (
        "OperatingPoint OperatingPoints best_point operating_point operating_points "
        "operating_points_of read_goal"
    ),
    "zones": "ModelZone OptimalityZones Zone optimality_zones",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS)
