"""Models over folds or over data sets: values that were measured many times."""

from __future__ import annotations

from dataclasses import asdict
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from metameasure._arguments import Choice, read_argument, read_confidence
from metameasure._text import visible
from metameasure.data import named_columns, read_scores
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.evaluation.checks import check_width
from metameasure.evaluation.comparison_result import Comparison, PairRow
from metameasure.inference import (
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
    from collections.abc import Mapping, Sequence

    from metameasure.inference import FriedmanTest

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
    read_argument("method", method, Choice(get_args(DatasetMethod)))
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
    if method == "nemenyi":
        rows = _nemenyi_rows(list(columns), ranked, chosen)
    else:
        test = wilcoxon_test if method == "wilcoxon" else sign_test
        found = [(a, b, test(columns[a], columns[b], ci=ci)) for a, b in combinations(columns, 2)]
        rows = _rows(found, chosen, method)
    ranks = dict(zip(columns, ranked.ranks, strict=True))
    what = "of average ranks" if method == "nemenyi" else "of values"
    return DatasetComparison(
        rows,
        friedman=friedman,
        ranks=ranks,
        critical_difference=ranked.critical_difference,
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
    found: Sequence[tuple[str, str, Any]], measure: Measure | None, method: str
) -> list[PairRow]:
    adjusted = holm([test.pvalue for _, _, test in found])
    name = "" if measure is None else str(measure)
    return [
        PairRow(a, b, name, test.difference, test.low, test.high, test.pvalue, p, method)
        for (a, b, test), p in zip(found, adjusted, strict=True)
    ]


def _nemenyi_rows(models: list[str], ranked: Any, measure: Measure | None) -> list[PairRow]:
    name, reach = "" if measure is None else str(measure), ranked.critical_difference
    rows = []
    for (i, a), (j, b) in combinations(enumerate(models), 2):
        gap, p = ranked.ranks[i] - ranked.ranks[j], ranked.pvalues[i][j]
        rows.append(PairRow(a, b, name, gap, gap - reach, gap + reach, p, p, "nemenyi"))
    return rows
