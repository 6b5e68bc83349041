"""Rows and paired tests of measures that select among trained models."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from metameasure.inference import corrected_t, holm, sign_test, wilcoxon_pvalue
from metameasure.lab.training.model_selection_result import (
    ModelSelectionRow,
    ModelSelectionTest,
    OverDatasetsRow,
    PickRow,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from metameasure._types import Floats
    from metameasure.lab.training.model_selection_result import Trained
    from metameasure.measurement import Measure


class Judged(NamedTuple):
    """The selections on one data set: shape (measures, splits); chosen (measures, splits, M)."""

    chosen: Floats
    reached: Floats
    gain: Floats
    regret: Floats
    hit: Floats
    msa: Floats
    undefined: Floats


def rows_of(
    measures: Sequence[Measure], judged: Judged, trained: Trained, dataset: str
) -> list[ModelSelectionRow]:
    """One row per measure, the smallest regret first."""
    regrets = judged.regret.mean(axis=1)
    splits = judged.regret.shape[1]
    rows = []
    for place in np.argsort(regrets, kind="stable").tolist():
        reached = trained.reached[str(measures[place])]
        error = float(np.std(reached, ddof=1)) / splits**0.5 if splits > 1 else float("nan")
        rows.append(
            ModelSelectionRow(
                dataset=dataset,
                measure=str(measures[place]),
                reached=float(np.mean(reached)),
                reached_se=error,
                regret=float(regrets[place]),
                hit_rate=float(judged.hit[place].mean()),
                msa=float(judged.msa[place].mean()),
                undefined=float(judged.undefined[place].mean()),
                splits=splits,
            )
        )
    return rows


def tests_of(
    measures: Sequence[Measure],
    judged: Judged,
    trained: Trained,
    dataset: str,
    reference: int,
    ci: float,
) -> list[ModelSelectionTest]:
    """Each measure against the reference; nothing for a single split."""
    if judged.gain.shape[1] < 2:
        return []
    train, validation, test = trained.sizes
    others = [place for place in range(len(measures)) if place != reference]
    # Training and selection both use cases that are not in the test part.
    sizes = {"n_train": train + validation, "n_test": test}
    found = [corrected_t(judged.gain[p], judged.gain[reference], **sizes, ci=ci) for p in others]
    adjusted = holm([one.pvalue for one in found])
    tests = []
    for place, corrected, holm_pvalue in zip(others, found, adjusted, strict=True):
        both = judged.gain[place], judged.gain[reference]
        signs = sign_test(*both)
        tests.append(
            ModelSelectionTest(
                dataset=dataset,
                a=str(measures[place]),
                b=str(measures[reference]),
                difference=corrected.difference,
                low=corrected.low,
                high=corrected.high,
                wins=signs.higher,
                ties=signs.ties,
                losses=signs.lower,
                sign_pvalue=signs.pvalue,
                wilcoxon_pvalue=wilcoxon_pvalue(*both),
                t_pvalue=paired_t_pvalue(*both),
                corrected_pvalue=corrected.pvalue,
                adjusted_pvalue=holm_pvalue,
            )
        )
    return tests


def paired_t_pvalue(a: Floats, b: Floats) -> float:
    """The two-sided p-value of the paired t test; 1 if all differences are 0."""
    from scipy.stats import t as student  # noqa: PLC0415

    # The correction vanishes as the test part becomes small against the training part.
    found = corrected_t(a, b, n_train=1.0, n_test=1e-300)
    return float(2 * student.sf(abs(found.statistic), found.df))


def rows_over_datasets(
    measures: Sequence[Measure], judged: Mapping[str, Judged], gains: Floats, reference: int
) -> list[OverDatasetsRow]:
    """Each measure against the reference, by its mean on each data set."""
    from scipy.stats import rankdata  # noqa: PLC0415

    reached = np.mean([one.reached.mean(axis=1) for one in judged.values()], axis=0)
    ranks = rankdata(-np.round(gains, 12), axis=0).mean(axis=1)
    others = [place for place in range(len(gains)) if place != reference]
    signs = {place: sign_test(gains[place], gains[reference]) for place in others}
    adjusted = dict(zip(others, holm([signs[p].pvalue for p in others]), strict=True))
    rows = []
    for place in np.argsort(ranks, kind="stable").tolist():
        both, sign = (gains[place], gains[reference]), signs.get(place)
        rows.append(
            OverDatasetsRow(
                a=str(measures[place]),
                b=str(measures[reference]),
                reached=float(reached[place]),
                rank=float(ranks[place]),
                difference=float(np.mean(both[0] - both[1])),
                wins=sign.higher if sign else 0,
                ties=sign.ties if sign else 0,
                losses=sign.lower if sign else 0,
                sign_pvalue=sign.pvalue if sign else None,
                wilcoxon_pvalue=wilcoxon_pvalue(*both) if sign else None,
                t_pvalue=paired_t_pvalue(*both) if sign else None,
                adjusted_pvalue=adjusted.get(place),
            )
        )
    return rows


def picks_of(
    measures: Sequence[Measure], judged: Judged, trained: Trained, dataset: str
) -> list[PickRow]:
    """How often each measure selects each candidate."""
    shares = judged.chosen.mean(axis=2).tolist()
    goals = trained.goals.mean(axis=0).tolist()
    return [
        PickRow(dataset, str(measure), name, share, goal)
        for measure, of_measure in zip(measures, shares, strict=True)
        for name, share, goal in zip(trained.candidates, of_measure, goals, strict=True)
    ]
