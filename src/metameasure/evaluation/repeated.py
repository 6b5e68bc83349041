"""Models over folds or over data sets: values that were measured many times."""

from __future__ import annotations

from dataclasses import asdict
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure._arguments import read_confidence
from metameasure._text import visible
from metameasure.data import named_columns, read_scores
from metameasure.errors import DataError
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
    """Whether models differ, from their values on the same folds or repeated splits.

    Every pair is judged by the corrected resampled t test of Nadeau and Bengio, and the p-values
    are adjusted by Holm.

    Args:
        values: a dict of models with one value a fold, or a data frame with a column a model.
        n_train: the number of cases trained on in a split.
        n_test: the number of cases tested on in a split.
        measure: what the values are values of; only shown.
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
    """Whether models differ over many data sets, by their ranks on each.

    Friedman's test asks whether they are all alike. Pairs are judged by Nemenyi's test, where the
    difference is that of the average ranks, or by Wilcoxon's signed rank test or the sign test with
    Holm's adjustment, where it is that of the values.

    Args:
        values: a dict of models with one value a data set, or a data frame with a column a model.
        method: "nemenyi", "wilcoxon" or "sign".
        measure: what the values are values of; it says which end is better.
        best: which end is better, "max" or "min", if no measure says it; "max" by default.
        ci: the confidence of the intervals.

    >>> found = compare_datasets({"a": [0.9, 0.8, 0.7, 0.9], "b": [0.8, 0.7, 0.6, 0.7],
    ...                           "c": [0.7, 0.75, 0.5, 0.6]})
    >>> found.ranks
    {'a': 1.0, 'b': 2.25, 'c': 2.75}
    """
    ci = read_confidence(ci)
    if method not in ("nemenyi", "wilcoxon", "sign"):
        raise DataError(f"method={method!r} is not known: give nemenyi, wilcoxon or sign")
    columns, like = _columns(values)
    chosen = None if measure is None else parse(measure)
    end = _end(chosen, best)
    columns = {model: read_scores(column, model)[0] for model, column in columns.items()}
    lengths = {model: column.size for model, column in columns.items()}
    if len(set(lengths.values())) > 1:
        counted = ", ".join(f"{visible(model)} {size}" for model, size in lengths.items())
        raise DataError(f"each model needs one value a data set, but there are: {counted}")
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
            "a comparison needs the values of at least two models: give a dict of them, or a data "
            "frame with a column a model"
        )
    return columns, like


def _end(measure: Measure | None, best: str | None) -> Literal["max", "min"]:
    known: Best | None = best if measure is None else measure.best  # type: ignore[assignment]
    if best is not None and measure is not None and best != measure.best:
        raise DataError(f"best={best!r}, but {measure} is best at {measure.best!r}")
    if known is None:
        return "max"
    if known not in {"max", "min"}:
        raise DataError(f"models cannot be ranked by {measure or known!r}: best is max or min")
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
