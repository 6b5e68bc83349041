"""Models over folds or over data sets: values that were measured many times."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from metameasure._arguments import Choice, read_argument, read_confidence
from metameasure._text import visible
from metameasure.data import named_columns, read_scores
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.evaluation.comparison_result import Comparison, PairRow
from metameasure.inference import (
    check_width,
    corrected_t,
    friedman_test,
    holm,
    nemenyi,
    sign_test,
    wilcoxon_test,
)
from metameasure.measurement import Best, Measure, parse
from metameasure.results import Check

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from metameasure._types import Floats
    from metameasure.inference import FriedmanTest, NemenyiTest

    Pair = tuple[str, str, Any]

DatasetMethod = Literal["nemenyi", "wilcoxon", "sign"]


def compare_folds(
    values: Any,
    *,
    n_train: float,
    n_test: float,
    measure: str | Measure | None = None,
    ci: float = 0.95,
) -> Comparison:
    """The differences between models, from their values on the same folds or repeated splits.

    Pairs are tested by the corrected resampled t test of Nadeau and Bengio, and p-values are
    adjusted by Holm's method.

    Args:
        values: a dict of models with one value per fold, or a data frame with one column per model.
        n_train: the number of training cases per split.
        n_test: the number of test cases per split.
        measure: the measure of the values, for the page.
        ci: the confidence of the intervals.

    >>> found = compare_folds({"a": [0.81, 0.84, 0.79], "b": [0.78, 0.80, 0.80]},
    ...                       n_train=200, n_test=100, measure="auc")
    >>> found.rows[0].pvalue
    0.494...
    """
    columns, like = _columns(values)
    ci = read_confidence(ci)
    chosen = None if measure is None else parse(measure)
    found = [
        (a, b, corrected_t(columns[a], columns[b], n_train=n_train, n_test=n_test, ci=ci))
        for a, b in combinations(columns, 2)
    ]
    folds = len(next(iter(columns.values())))
    return Comparison(
        _rows(found, chosen, "corrected_t"),
        ci=ci,
        checks=[
            Check(code, message, f"{a} - {b}")
            for a, b, test in found
            for code, message in check_width(test.low, test.high)
        ],
        caption=f"{folds} folds; {100 * ci:g}% confidence intervals",
        like=like,
    )


class RankDifference(NamedTuple):
    """The difference of the average ranks of two models."""

    difference: float
    low: float
    high: float
    pvalue: float


def _tests_of_values(
    test: Callable[..., Any], columns: Mapping[str, Floats], _: NemenyiTest, ci: float
) -> list[Pair]:
    return [(a, b, test(columns[a], columns[b], ci=ci)) for a, b in combinations(columns, 2)]


def _tests_of_ranks(columns: Mapping[str, Floats], ranked: NemenyiTest, _: float) -> list[Pair]:
    reach, found = ranked.critical_difference, []
    for (i, a), (j, b) in combinations(enumerate(columns), 2):
        gap = ranked.ranks[i] - ranked.ranks[j]
        found.append((a, b, RankDifference(gap, gap - reach, gap + reach, ranked.pvalues[i][j])))
    return found


@dataclass(frozen=True)
class DatasetTest:
    """A test of all pairs of models over data sets.

    Attributes:
        name: the name of the test.
        pairs: the test of each pair, from the values of the models, their ranks and the confidence.
        of_ranks: whether the differences are those of average ranks rather than of values.
        adjust: the adjustment of the p-values for the number of pairs.
    """

    name: DatasetMethod
    pairs: Callable[[Mapping[str, Floats], NemenyiTest, float], list[Pair]]
    of_ranks: bool = False
    adjust: Callable[[list[float]], Sequence[float]] = holm


DATASET_TESTS = (
    DatasetTest("nemenyi", _tests_of_ranks, of_ranks=True, adjust=list),
    DatasetTest("wilcoxon", partial(_tests_of_values, wilcoxon_test)),
    DatasetTest("sign", partial(_tests_of_values, sign_test)),
)


class DatasetComparison(Comparison):
    """Differences between models over data sets, with the test that all models perform equally.

    Attributes:
        friedman: Friedman's test, also in ``meta``.
        ranks: the average rank of each model; 1 is best. Also in ``meta``.
        critical_difference: the difference of average ranks from which on two models differ
            significantly by Nemenyi's test. Also in ``meta``.
    """

    def __init__(
        self,
        rows: Sequence[PairRow],
        *,
        friedman: FriedmanTest,
        ranks: Mapping[str, float],
        critical_difference: float,
        of_ranks: bool = False,
        **others: Any,
    ) -> None:
        meta = {
            "friedman": asdict(friedman),
            "ranks": dict(ranks),
            "critical_difference": critical_difference,
        }
        super().__init__(rows, meta=meta, **others)
        self.friedman = friedman
        self.ranks = dict(ranks)
        self.critical_difference = critical_difference
        self.of_ranks = of_ranks

    def notes(self) -> list[str]:
        """The average ranks and the tests of all models."""
        order = sorted(self.ranks.items(), key=lambda item: item[1])
        test = self.friedman
        return [
            "average ranks: " + ", ".join(f"{model} {rank:.3g}" for model, rank in order),
            f"all models equal (Friedman): chi-squared {test.statistic:.4g}, p = {test.pvalue:.3g}",
            f"all models equal (Iman-Davenport): F {test.f_statistic:.4g}, p = {test.f_pvalue:.3g}",
            f"critical difference of ranks (Nemenyi): {self.critical_difference:.4g}",
        ]


def compare_datasets(
    values: Any,
    *,
    method: DatasetMethod = "nemenyi",
    measure: str | Measure | None = None,
    best: Literal["max", "min"] | None = None,
    ci: float = 0.95,
) -> DatasetComparison:
    """The differences between models over many data sets, by their ranks on each.

    Friedman's test is that of the hypothesis that all models are equal. Pairs are tested by
    Nemenyi's test, with differences of average ranks, or by Wilcoxon's signed rank test or the sign
    test with Holm's adjustment, with differences of values.

    Args:
        values: a dict of models with one value per data set, or a data frame with one column per
            model.
        method: "nemenyi", "wilcoxon" or "sign".
        measure: the measure of the values, which determines whether high values are better.
        best: without a measure, "max" (default) or "min".
        ci: the confidence of the intervals.

    >>> found = compare_datasets({"a": [0.9, 0.8, 0.7, 0.9], "b": [0.8, 0.7, 0.6, 0.7],
    ...                           "c": [0.7, 0.75, 0.5, 0.6]})
    >>> found.ranks
    {'a': 1.0, 'b': 2.25, 'c': 2.75}
    """
    ci = read_confidence(ci)
    read_argument("method", method, Choice(tuple(test.name for test in DATASET_TESTS)))
    columns, like = _columns(values)
    chosen = None if measure is None else parse(measure)
    end = _end(chosen, best)
    columns = {model: read_scores(column, model)[0] for model, column in columns.items()}
    lengths = {model: column.size for model, column in columns.items()}
    if len(set(lengths.values())) > 1:
        counted = ", ".join(f"{visible(model)} {size}" for model, size in lengths.items())
        raise DataError(f"the models differ in the number of values: {counted}")
    matrix = np.column_stack(list(columns.values()))
    friedman = friedman_test(matrix, best=end)
    ranked = nemenyi(matrix, best=end, alpha=1 - ci)
    test = next(test for test in DATASET_TESTS if test.name == method)
    rows = _rows(test.pairs(columns, ranked, ci), chosen, method, test.adjust)
    ranks = dict(zip(columns, ranked.ranks, strict=True))
    what = "of average ranks" if test.of_ranks else "of values"
    return DatasetComparison(
        rows,
        friedman=friedman,
        ranks=ranks,
        critical_difference=ranked.critical_difference,
        of_ranks=test.of_ranks,
        ci=ci,
        caption=f"{len(matrix)} data sets; differences {what}, {100 * ci:g}% confidence intervals",
        like=like,
    )


def _columns(values: Any) -> tuple[Mapping[str, Any], Any]:
    columns, like = named_columns(values)
    if len(columns) < 2:
        raise DataError(
            f"need at least two models, got {len(columns)}",
            remedy="pass a dict of models, or a data frame with one column per model",
        )
    return columns, like


def _end(measure: Measure | None, best: str | None) -> Literal["max", "min"]:
    read_argument("best", best, Choice(("max", "min")), optional=True)
    known: Best | None = best if measure is None else measure.best  # type: ignore[assignment]
    if best is not None and measure is not None and best != measure.best:
        raise ParameterError((Argument("best"), f" of {measure} is {measure.best!r}, got {best!r}"))
    if known is None:
        return "max"
    if known not in {"max", "min"}:
        raise ParameterError(
            (Argument("best"), f" must be 'max' or 'min', got {known!r}"),
            remedy=None if measure is None else f"models cannot be ranked by {measure}",
        )
    return "max" if known == "max" else "min"


def _rows(
    found: Sequence[Pair],
    measure: Measure | None,
    method: str,
    adjust: Callable[[list[float]], Sequence[float]] = holm,
) -> list[PairRow]:
    adjusted = adjust([test.pvalue for _, _, test in found])
    name = "" if measure is None else str(measure)
    return [
        PairRow(a, b, name, test.difference, test.low, test.high, test.pvalue, p, method)
        for (a, b, test), p in zip(found, adjusted, strict=True)
    ]
