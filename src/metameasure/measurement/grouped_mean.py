"""Means over groups: the mean over queries of any measure of scores or of an order."""

from __future__ import annotations

import inspect
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Unpack

import numpy as np

from metameasure.data import (
    NanPolicy,
    OrderQueries,
    Orders,
    Predictions,
    Queries,
    Ranking,
    Rescale,
    check_alone,
    warn_dropped,
)
from metameasure.errors import Argument, DataError, ParameterError, UndefinedMeasureWarning
from metameasure.measurement._measure import Measure
from metameasure.measurement.declaration import Declaration
from metameasure.measurement.parsing import parse
from metameasure.measurement.registry import constructor
from metameasure.table import Point, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from metameasure._types import Floats
    from metameasure.measurement._measure import Options


MEANING = """\
The mean over groups (queries) of {inner}, every group counting once.

Groups where it is undefined are left out, with a warning. Ties are handled as by the
measure itself and never depends on the order of the rows; trec_eval breaks ties by document names
instead. Weights count inside a group; a group whose cases have no weight does not count.
"""


class GroupValues(NamedTuple):
    """The names of the groups, and the value of a measure on each; NaN where it is undefined."""

    group: NDArray[Any]
    value: Floats


class MeanOver(Measure):
    """The mean over groups of a measure: a measure that needs ``group=``."""

    def __init__(self, inner: Measure) -> None:
        if isinstance(inner, MeanOver) or inner.declaration.subject not in {"table", "order"}:
            raise ParameterError(
                f"mean_over takes a measure of labels and scores, or of an order, got {inner}"
            )
        self.inner = inner
        super().__init__(_declared(inner))

    def read(
        self,
        y_true: Any,
        y_score: Any = None,
        *,
        group: Any = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        nan_policy: NanPolicy = "raise",
        rescale: Rescale | None = None,
        labels: Sequence[Any] | None = None,
    ) -> ScoreTable | Ranking | GroupValues:
        """The value on each group, or a ready block with one table or ranking per group."""
        of_labels: dict[str, Any] = {
            "labels": labels, "pos_label": pos_label, "sample_weight": sample_weight,
            "rescale": rescale,
        }  # fmt: skip
        if isinstance(y_true, ScoreTable | Ranking):
            check_alone(f"a {type(y_true).__name__}", y_score, group, *of_labels.values())
            return y_true
        if y_score is None:
            raise self._needs("y_score")
        if group is None:
            self.need_groups()
        scores, common = {"y_score": y_score}, {"group": group, "nan_policy": nan_policy}
        rows: Predictions | Orders
        if self.declaration.subject == "order":
            for name, value in of_labels.items():
                if value is not None:
                    raise ParameterError((Argument(name), " does not apply to an order of items"))
            rows = Orders.of(y_true, scores, **common)
        else:
            rows = Predictions.of(y_true, scores, **of_labels, **common)
        warn_dropped(rows.dropped, rows.n, stacklevel=3)
        queries = rows.queries()
        (values,) = group_values(queries, rows.scores["y_score"], [self])
        return GroupValues(queries.names, values)

    def values(
        self, y_true: Any, y_score: Any, *, group: Any, **options: Unpack[Options]
    ) -> GroupValues:
        """The value on each group, in the order of their names.

        >>> from metameasure import mean_over
        >>> y, s, q = [1, 0, 1, 0, 0], [0.9, 0.4, 0.2, 0.7, 0.1], ["b", "b", "a", "a", "c"]
        >>> names, values = mean_over("average_precision").values(y, s, group=q)
        >>> names.tolist(), values.tolist()
        (['a', 'b', 'c'], [0.5, 1.0, nan])
        """
        found = self.read(y_true, y_score, group=group, **options)
        if not isinstance(found, GroupValues):
            raise self._needs("group")
        return found

    def _needs(self, missing: str) -> DataError:
        names = (Argument("y_true"), ", ", Argument("y_score"), " and ", Argument("group"))
        return DataError((f"{self} needs ", *names), argument=missing)

    def value(self, table: Any, *, stacklevel: int = 2) -> Any:
        """The mean over groups or tables of a block; NaN and a warning where it is undefined."""
        values = table.value if isinstance(table, GroupValues) else np.asarray(self._each(table))
        return self._mean(values, stacklevel=stacklevel + 1)

    def compute(self, table: Any) -> Any:
        """The bare mean over the tables of a block."""
        return mean_of_defined(np.asarray(self._each(table)))

    def _each(self, table: Any) -> Any:
        if not (isinstance(table, ScoreTable | Ranking) and table.shape):
            self.need_groups()
        if self.unit_scores:
            self.inner.require_unit(table)
        return self.inner.within_range(self.inner.compute(table))

    def need_groups(self) -> NoReturn:
        """Raise the error for missing groups."""
        raise DataError(
            f"{self} is a mean over groups, but there are no groups",
            remedy=("pass ", Argument("group")),
        )

    def _mean(self, values: Floats, *, stacklevel: int) -> float:
        undefined = int(np.count_nonzero(np.isnan(values)))
        if undefined == values.size:
            message = f"{self} is undefined: {self.undefined_when}"
        else:
            message = f"{self}: {self.left_out(values)}"
        if undefined:
            warnings.warn(message, UndefinedMeasureWarning, stacklevel)
        return mean_of_defined(values)

    def left_out(self, values: Floats) -> str:
        """The number of groups without a value, and the reason, in words."""
        undefined = np.count_nonzero(np.isnan(values))
        return (
            f"{undefined} of {values.size} groups have no value and were left out: "
            f"{self.inner.undefined_when}"
        )

    def using(self, /, **parameters: Any) -> MeanOver:
        """The mean of the inner measure with other parameters, or at another operating point."""
        return MeanOver(self.inner.using(**parameters))

    def at(self, point: Point | float | str) -> MeanOver:
        """The mean of the inner measure at another operating point."""
        return MeanOver(self.inner.at(point))

    def _written(self, *, stated: bool = False) -> str:
        return f"{self.name}({self.inner.stated if stated else self.inner})"

    @property
    def _identity(self) -> Any:
        return self.inner

    def __reduce__(self) -> tuple[Callable[..., Measure], tuple[Any, ...]]:
        return MeanOver, (self.inner,)

    @property
    def __signature__(self) -> inspect.Signature:
        """The signature for help and editors: the groups, and the keywords of the inner measure."""
        known = super().__signature__.parameters
        inner = self.inner.__signature__.parameters.items()
        return inspect.Signature([*known.values(), *(p for name, p in inner if name not in known)])


def group_values(
    queries: Queries | OrderQueries, score: Floats, measures: Sequence[MeanOver]
) -> list[Floats]:
    """The value of each inner measure on each group, all from the same blocks."""
    found = [np.empty(queries.names.size) for _ in measures]
    if any(measure.unit_scores for measure in measures) and not (
        score.min() >= 0 and score.max() <= 1
    ):
        assert isinstance(queries, Queries)  # noqa: S101 - orders may have any values
        table = queries.pooled(score)
        for measure in measures:
            if measure.unit_scores:
                measure.inner.require_unit(table)
    for which, tables in queries.blocks(score):
        for measure, values in zip(measures, found, strict=True):
            values[which] = measure.inner.of_block(tables)
    return [m.inner.within_range(values) for m, values in zip(measures, found, strict=True)]


def mean_of_defined(values: Floats) -> float:
    """The mean of the values that are not NaN; NaN if there are none."""
    defined = values[~np.isnan(values)]
    with np.errstate(invalid="ignore"):
        return float(np.mean(defined)) if defined.size else float("nan")


@constructor(
    aliases={
        "map": "mean_over(average_precision)",
        "mean_average_precision": "mean_over(average_precision)",
    }
)
def mean_over(measure: str | Measure, group: Any = None) -> MeanOver:
    """The mean over groups (queries) of a measure of scores or of an order of items.

    The measure is passed as such or as a text. Pass the groups with the data; ``group`` here only
    raises an error that says so.

    Every group counts once. Groups where the measure is undefined, as is average precision on a
    query without a positive, are left out, with a warning. Ties are handled as by the measure
    itself and never depend on the order of the rows; trec_eval breaks ties by document names
    instead.

    >>> y, s, q = [1, 0, 1, 0], [0.9, 0.4, 0.2, 0.7], ["b", "b", "a", "a"]
    >>> mean_over("average_precision")(y, s, group=q)
    0.75
    >>> mean_over("kendall_tau")([3, 1, 2, 5, 4], [0.9, 0.2, 0.1, 0.7, 0.8], group=[1, 1, 1, 2, 2])
    -0.333333...
    >>> mean_over("precision@k=1")
    mean_over(precision@k=1)
    """
    if group is not None:
        raise ParameterError(
            ("mean_over does not take ", Argument("group")),
            remedy=f"pass the groups with the data: mean_over({str(measure)!r})(y_true, y_score, "
            "group=...) or evaluate(..., group=...)",
        )
    return MeanOver(parse(measure))


def _declared(inner: Measure) -> Declaration:
    """The declaration of the mean, from that of the inner measure."""
    known = inner.declaration

    def mean(block: ScoreTable | Ranking) -> float:
        return mean_of_defined(np.asarray(inner.compute(block)))

    mean.__doc__ = MEANING.format(inner=inner)
    return Declaration(
        name=mean_over.__name__,
        function=mean,
        symbol=f"mean {known.symbol}",
        family="retrieval",
        best=known.best,
        range=known.range,
        baseline=None if callable(known.baseline) else known.baseline,
        invariant_to=known.invariant_to,
        undefined=f"in every group {inner.undefined_when}",
        formula=rf"\frac{{1}}{{G}} \sum_g {known.symbol}_g",
        reference=known.reference,
        unit_scores=known.unit_scores,
        subject=known.subject,
    )
