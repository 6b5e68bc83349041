"""Models selected by measures after training: the result of ``select_models``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metameasure._text import difference, limits, number, plus_minus
from metameasure.measurement import is_as_good
from metameasure.results import Cell, Grid, Result, pvalue_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from metameasure._types import Floats


@dataclass(frozen=True)
class ModelSelectionRow:
    """The models that one measure selects on one data set.

    Attributes:
        dataset: the data set; empty if there is only one.
        measure: the measure that selects on the validation part.
        reached: the mean of the goal of the selected models on the test part.
        reached_se: the standard error of ``reached`` over the splits, as if they were independent.
        regret: the mean difference between the goal of the best candidate and the selected one.
        hit_rate: the fraction of the splits in which it selects the best candidate; a random choice
            among tied candidates counts with its probability.
        msa: the mean fraction of pairs of candidates that it orders as the goal does; ties count
            1/2.
        undefined: the fraction of the splits in which it is undefined for a candidate.
        splits: the number of splits.
    """

    dataset: str
    measure: str
    reached: float
    reached_se: float
    regret: float
    hit_rate: float
    msa: float
    undefined: float
    splits: int


@dataclass(frozen=True)
class ModelSelectionTest:
    """Paired tests of whether two measures select equally good models, over the splits.

    Attributes:
        dataset: the data set.
        a, b: the measures.
        difference: the mean of the goal reached by a minus that of b, oriented so that a positive
            difference is in favor of a.
        low, high: the limits of the corrected t interval of the difference.
        wins, ties, losses: the number of splits in which a selects a better, an equally good, or a
            worse model than b.
        sign_pvalue: the p-value of the exact sign test.
        wilcoxon_pvalue: the p-value of the Wilcoxon signed-rank test.
        t_pvalue: the p-value of the paired t test, which takes splits as independent and is
            anti-conservative for that reason, as are the sign test and the Wilcoxon test.
        corrected_pvalue: the p-value of the corrected resampled t test (Nadeau and Bengio).
        adjusted_pvalue: ``corrected_pvalue``, adjusted by Holm over the measures.
    """

    dataset: str
    a: str
    b: str
    difference: float
    low: float
    high: float
    wins: int
    ties: int
    losses: int
    sign_pvalue: float
    wilcoxon_pvalue: float
    t_pvalue: float
    corrected_pvalue: float
    adjusted_pvalue: float


@dataclass(frozen=True)
class OverDatasetsRow:
    """Paired tests of whether two measures select equally good models, over the data sets.

    Attributes:
        a, b: the measures.
        reached: the mean over the data sets of the goal that a reaches.
        rank: the mean rank of a among all measures by the goal reached; 1 is best.
        difference: the mean difference of the goal reached, in favor of a if positive.
        wins, ties, losses: the numbers of data sets on which a is better, equal or worse.
        sign_pvalue, wilcoxon_pvalue, t_pvalue: the p-values of the exact sign test, the Wilcoxon
            signed-rank test and the paired t test; None for the reference itself.
        adjusted_pvalue: ``sign_pvalue``, adjusted by Holm over the measures.
    """

    a: str
    b: str
    reached: float
    rank: float
    difference: float
    wins: int
    ties: int
    losses: int
    sign_pvalue: float | None
    wilcoxon_pvalue: float | None
    t_pvalue: float | None
    adjusted_pvalue: float | None


@dataclass(frozen=True)
class PickRow:
    """How often a measure selects a candidate.

    Attributes:
        dataset: the data set.
        measure: the measure.
        candidate: the candidate.
        share: the fraction of the splits in which it is selected.
        goal: the mean of the goal of the candidate on the test part.
    """

    dataset: str
    measure: str
    candidate: str
    share: float
    goal: float


@dataclass(frozen=True, eq=False)
class Trained:
    """The values of all candidates on one data set.

    Attributes:
        candidates: the names of the candidates.
        values: the values of each measure on the validation part, shape (splits, candidates).
        goals: the values of the goal on the test part, shape (splits, candidates).
        reached: the goal of the models that each measure selects, one value per split.
        sizes: the mean numbers of cases for training, validation and test.
    """

    candidates: tuple[str, ...]
    values: Mapping[str, Floats]
    goals: Floats
    reached: Mapping[str, Floats]
    sizes: tuple[float, float, float]


class ModelSelection(Result):
    """The goal that measures reach by selecting among trained models; one row per measure.

    ``tests`` compares each measure with the reference over the splits of a data set,
    ``over_datasets`` over several data sets, and ``picks`` has the selected candidates. ``trained``
    has all values, by data set.
    """

    schema = ModelSelectionRow
    extra: ClassVar = {
        "tests": ModelSelectionTest,
        "over_datasets": OverDatasetsRow,
        "picks": PickRow,
    }

    def __init__(
        self,
        rows: Sequence[ModelSelectionRow],
        tests: Sequence[ModelSelectionTest],
        over_datasets: Sequence[OverDatasetsRow],
        picks: Sequence[PickRow],
        *,
        trained: Mapping[str, Trained],
        meta: dict[str, Any],
    ) -> None:
        super().__init__(rows, meta=meta)
        self.tests = tuple(tests)
        self.over_datasets = tuple(over_datasets)
        self.picks = tuple(picks)
        self.trained = dict(trained)

    def grids(self) -> list[Grid]:
        """One line per measure; with several data sets, one line per data set and the tests."""
        if len(self.trained) == 1:
            return [self._of_one()]
        return [self._of_datasets(), self._over_datasets()]

    def notes(self) -> list[str]:
        """How the tests are to be read."""
        found = [
            f"{row.measure} is undefined for a candidate in {100 * row.undefined:.3g}% of the "
            f"splits{f' of {row.dataset}' if row.dataset else ''}"
            for row in self.rows
            if row.undefined
        ]
        if len(self.trained) == 1 and self.tests:
            found.append(
                "Splits share cases: the corrected t test allows for it, the sign test and the "
                "Wilcoxon test do not."
            )
        return found

    @property
    def _best(self) -> str:
        return {"max": "highest", "min": "lowest"}.get(self.meta["goal_best"], "best")

    @property
    def _splits(self) -> str:
        count = self.meta["splits"]
        return f"{count} split{'s' * (count != 1)}"

    def _of_one(self) -> Grid:
        goal, reference = self.meta["goal"], self.meta["reference"]
        header = [
            "measure", f"{goal} reached", f"difference from {reference}", "wins-ties-losses",
            "sign p", "Wilcoxon p", "corrected t p", "regret", "hit rate", "MSA",
        ]  # fmt: skip
        tests = {test.a: test for test in self.tests}
        least = min(row.regret for row in self.rows)
        body = []
        for row in self.rows:
            best = bool(is_as_good(-row.regret, -least))
            first = Cell(plus_minus(row.reached, row.reached_se), stands_out=best)
            last = [
                Cell(number(row.regret)), Cell(f"{row.hit_rate:.3f}"), Cell(f"{row.msa:.3f}")
            ]  # fmt: skip
            body.append((row.measure, [first, *_tested(tests.get(row.measure)), *last]))
        (trained,) = self.trained.values()
        return Grid(header, body, self._caption(trained), bold=f"{self._best} {goal} reached")

    def _caption(self, trained: Trained) -> str:
        train, validation, test = (f"{size:g}" for size in np.round(trained.sizes, 1))
        return (
            f"{self._splits} into {train} training, {validation} validation and "
            f"{test} test cases; {len(trained.candidates)} candidates; goal: {self.meta['goal']}, "
            f"± standard error; differences with {100 * self.meta['ci']:g}% corrected t intervals"
        )

    def _of_datasets(self) -> Grid:
        """The goal reached, one line per data set and one column per measure."""
        measures = list(dict.fromkeys(row.measure for row in self.rows))
        reached = {(row.dataset, row.measure): row for row in self.rows}
        body = []
        for dataset in self.trained:
            rows = [reached[dataset, measure] for measure in measures]
            least = min(row.regret for row in rows)
            best = [bool(is_as_good(-row.regret, -least)) for row in rows]
            cells = [Cell(number(r.reached), stands_out=b) for r, b in zip(rows, best, strict=True)]
            body.append((dataset, cells))
        means = {row.a: row for row in self.over_datasets}
        body.append(("mean", [Cell(number(means[measure].reached)) for measure in measures]))
        reference = self.meta["reference"]
        counts = [
            Cell("" if m == reference else f"{row.wins}-{row.ties}-{row.losses}")
            for m in measures
            for row in [means[m]]
        ]
        body.append((f"wins-ties-losses against {reference}", counts))
        goal = self.meta["goal"]
        caption = f"{goal} reached, mean of {self._splits} per data set"
        return Grid(["data set", *measures], body, caption, bold=f"{self._best} {goal} reached")

    def _over_datasets(self) -> Grid:
        """The tests over the data sets."""
        reference = self.meta["reference"]
        header = ["measure", "mean rank", f"difference from {reference}", "wins-ties-losses"]
        header += ["sign p", "sign p (Holm)", "Wilcoxon p", "t p"]
        body = []
        for row in self.over_datasets:
            cells = [Cell(f"{row.rank:.2f}")]
            if row.a == reference:
                cells += [Cell("")] * 6
            else:
                cells += [Cell(number(row.difference)), Cell(f"{row.wins}-{row.ties}-{row.losses}")]
                pvalues = row.sign_pvalue, row.adjusted_pvalue, row.wilcoxon_pvalue, row.t_pvalue
                cells += [Cell(pvalue_text(pvalue)) for pvalue in pvalues]
            body.append((row.a, cells))
        caption = f"tests over {len(self.trained)} data sets"
        if "friedman" in self.meta:
            pvalue = pvalue_text(self.meta["friedman"]["pvalue"])
            caption += f"; Friedman's test (H0: all measures select equally well): p = {pvalue}"
        return Grid(header, body, caption)


def _tested(test: ModelSelectionTest | None) -> list[Cell]:
    if test is None:
        return [Cell("")] * 5
    return [
        Cell(difference(test.difference, test.low, test.high), limits(test.low, test.high)),
        Cell(f"{test.wins}-{test.ties}-{test.losses}"),
        *(
            Cell(pvalue_text(pvalue))
            for pvalue in (test.sign_pvalue, test.wilcoxon_pvalue, test.corrected_pvalue)
        ),
    ]
