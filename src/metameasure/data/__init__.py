"""From arrays, data frames, files and score tables to validated models on the same cases.

This is the only code that validates labels, scores and weights; the rest of the library trusts its
types. narwhals and polars are loaded only for data frames and files.
"""

from metameasure._lazy import lazy_door

_ROOMS = {
    "accumulator": "Accumulator",
    "argument_order": "after_data",
    "arrays": "NanPolicy as_array as_block either",
    "case_columns": "ARGUMENTS ColumnReader Names read_groups",
    "class_cases": "ClassCases",
    "class_columns": "has_class_columns has_two_columns",
    "class_labels": "ClassLabels are_labels",
    "compared_groups": "named_groups",
    "confusion_counts": "count_pairs read_counts read_cross_table two_labels union_of_labels",
    "estimators": (
        "BY_PROBABILITY BY_RANK EstimatorScores classes_of failing_in_words failure "
        "is_estimator positive_scores response_of"
    ),
    "files": "open_file",
    "frames": "Columns choose_columns names_in no_column read_arrays same_kind",
    "groups": "Groups group_name",
    "label_codes": "code_labels distinct_labels in_order read_label_names",
    "labels": "LabelText",
    "models": "Models case_counts named split_names",
    "multiclass": "ClassScores",
    "options": (
        "ClusterOptions ComparedGroupsOptions DEFAULTS DataOptions FoldOptions Given GroupOptions "
        "UnweightedOptions option_names takes_models"
    ),
    "orders": "Orders",
    "parted_cases": "PartedCases",
    "predictions": (
        "Predictions Rescale check_alone need_scores read_table read_unlabeled "
        "tabulate_lists warn_dropped"
    ),
    "queries": "OrderQueries Queries",
    "ranking": "Ranking",
    "scores": "EXACT_INTEGERS read_scores read_weights",
    "scores_by_model": "named_columns",
    "sources": (
        "LabelsAnd Source has_named_columns holds_scores opened read_models read_one_table "
        "register_source tabulate"
    ),
    "true_probabilities": "SoftLabels TrueProbabilities",
    "two_classes": "known_classes positive_columns",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS)
