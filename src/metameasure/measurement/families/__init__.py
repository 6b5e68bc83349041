"""The measures, one file per family, in the order in which they are listed.

Importing this package registers all of them, and the constructors of measures. The other modules
are used by several families (``logistic_fit``, ``local_regression``, ``binning``, ``structure``),
or calibrate (``isotonic``).
"""

from importlib import import_module

import_module("metameasure.measurement.composite")
for _family in (
    *("threshold", "cost", "ranking", "partial_auc", "h_measure", "retrieval", "scored"),
    *("probability", "calibration", "credit", "classes", "class_averages", "order"),
):
    import_module(f"{__name__}.{_family}")
