"""Learners by name, and files of mixed columns as numbers, for the command line."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown
from metameasure.data import no_column
from metameasure.errors import Argument, DataError, MetameasureError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import polars as pl
    from numpy.typing import NDArray

    from metameasure._types import Floats

MOST_LEVELS = 100
"""Largest number of levels of a nominal column that is encoded."""
LEARNERS: dict[str, tuple[str, dict[str, Any]]] = {
    "boosting": ("HistGradientBoostingClassifier", {}),
    "forest": ("RandomForestClassifier", {}),
    "knn": ("KNeighborsClassifier", {"n_neighbors": 15}),
    "lda": ("LinearDiscriminantAnalysis", {}),
    "logistic": ("LogisticRegression", {"max_iter": 1000}),
    "naive_bayes": ("GaussianNB", {}),
    "network": ("MLPClassifier", {"hidden_layer_sizes": (20,), "max_iter": 1000}),
    "svm": ("SVC", {}),
    "tree": ("DecisionTreeClassifier", {"min_samples_leaf": 5}),
}
"""Names of learners: classifiers of scikit-learn with their parameters."""
SCALED = {"knn", "logistic", "network", "svm"}
"""Learners whose attributes are standardized."""


def named_learners(names: Iterable[str], *, missing: bool = False) -> dict[str, Any]:
    """Estimators by name; with ``missing``, missing values become the mean of the training part.

    Args:
        names: short names, or names of classifiers of scikit-learn.
        missing: whether some values are missing.

    >>> named_learners(["naive_bayes", "ExtraTreesClassifier"])
    {'naive_bayes': GaussianNB(), 'ExtraTreesClassifier': ExtraTreesClassifier()}
    """
    if find_spec("sklearn") is None:
        raise MetameasureError(
            "learners need scikit-learn, which is not installed",
            remedy="pip install 'metameasure[sklearn]'",
        )
    from sklearn.impute import SimpleImputer  # noqa: PLC0415
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415
    from sklearn.utils import all_estimators  # noqa: PLC0415

    classifiers = dict(all_estimators("classifier"))
    found = {}
    for name in names:
        kind, parameters = LEARNERS.get(name, (name, {}))
        if kind not in classifiers:
            known = ", ".join(sorted(LEARNERS))
            problem = f" must be {known} or a classifier of scikit-learn, got {shown([name])}"
            raise ParameterError((Argument("learners"), problem))
        steps = [SimpleImputer()] if missing else []
        steps += [StandardScaler()] if name in SCALED else []
        try:
            learner = classifiers[kind](**parameters)
        except TypeError as error:
            raise ParameterError((Argument("learners"), f": {kind} needs {error}")) from error
        found[name] = make_pipeline(*steps, learner) if steps else learner
    return found


@dataclass(frozen=True, eq=False)
class Encoded:
    """A data frame as numbers.

    Attributes:
        X: one row per case; NaN if a number is missing.
        y: the labels.
        groups: the columns of X that belong to each attribute.
        names: the names of the attributes.
    """

    X: Floats
    y: NDArray[Any]
    groups: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]


def encode(frame: pl.DataFrame, label: str, ignored: Sequence[str] = ()) -> Encoded:
    """The attributes of a data frame as numbers, one column of 0 and 1 per level of a nominal one.

    A missing level is a row of zeros.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"y": [0, 1, 1], "a": [1.5, None, 3], "b": ["x", "z", None]})
    >>> found = encode(frame, "y")
    >>> found.X.tolist(), found.groups
    ([[1.5, 1.0, 0.0], [nan, 0.0, 1.0], [3.0, 0.0, 0.0]], ((0,), (1, 2)))
    """
    import polars as pl  # noqa: PLC0415

    for name in (label, *ignored):
        if name not in frame.columns:
            raise no_column(name, frame.columns, "label" if name == label else "ignore")
    if frame[label].null_count():
        raise DataError(f"{frame[label].null_count()} labels in {shown([label])} are missing")
    columns: list[Floats] = []
    groups: list[tuple[int, ...]] = []
    names = [name for name in frame.columns if name not in {label, *ignored}]
    for name in names:
        values, begin = frame[name], len(columns)
        if values.dtype.is_numeric() or values.dtype == pl.Boolean:
            columns.append(values.cast(pl.Float64).fill_null(np.nan).to_numpy())
        elif values.dtype in {pl.String, pl.Categorical, pl.Enum}:
            text = values.cast(pl.String)
            levels = sorted(text.drop_nulls().unique().to_list())
            if len(levels) > MOST_LEVELS:
                raise DataError(
                    f"the column {shown([name])} has {len(levels)} levels, more than {MOST_LEVELS}",
                    remedy=("drop it with ", Argument("ignore", name)),
                )
            present = np.asarray(text.fill_null("").to_list(), dtype=object)
            known = text.is_not_null().to_numpy()
            columns += [((present == level) & known).astype(np.float64) for level in levels]
        else:
            raise DataError(
                f"the column {shown([name])} is {values.dtype}, neither numbers nor text",
                remedy=("drop it with ", Argument("ignore", name)),
            )
        groups.append(tuple(range(begin, len(columns))))
    if not columns:
        raise DataError("there is no attribute besides the label")
    y = frame[label].to_numpy()
    return Encoded(np.column_stack(columns), y, tuple(groups), tuple(names))
