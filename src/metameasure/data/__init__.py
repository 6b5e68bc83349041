"""From the outside world to tables: the only code that validates labels, scores and weights.

What comes through is known to be right; the rest of the library trusts it. Data frames and files
are read here, too; narwhals and polars are loaded only for them.
"""

from metameasure._lazy import lazy_door

_ROOMS = {
    "arrays": "NanPolicy either sortable",
    "class_columns": "has_class_columns",
    "confusion_counts": "count_pairs",
    "estimators": "BY_PROBABILITY BY_RANK positive_scores response_of",
    "files": "open_file",
    "frames": (
        "Columns choose_columns is_frame names_in read_classes read_frame same_kind values_in"
    ),
    "groups": "Groups",
    "cross_table": "read_counts read_cross_table two_labels union_of_labels",
    "label_codes": "distinct_labels in_order read_label_names",
    "labels": "read_labels typed_label",
    "model_tables": "Tables read_tables",
    "models": "class_models named_columns read_models refuse_for_classes",
    "multiclass": "ClassScores",
    "predictions": (
        "ARGUMENTS Names Predictions Rescale check_alone read_table tabulate "
        "tabulate_lists warn_dropped"
    ),
    "queries": "Queries",
    "ranking": "Ranking",
    "scores": "EXACT_INTEGERS read_scores read_weights",
    "tables_by_name": "check_same_cases named_tables",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS)
