"""Rank correlations of measures over real models, and a map on which similar measures are near.

Caruana and Niculescu-Mizil (2004) drew such a map of ten measures by multidimensional scaling.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from metameasure._text import number, some_names
from metameasure.data import DataOptions, Groups, read_models, takes_models
from metameasure.errors import DataError
from metameasure.evaluation import choose, unfit
from metameasure.lab.measures import check_takes_tables
from metameasure.lab.model_choice.question import DEFAULT
from metameasure.lab.perturbation.correlation import both_correlations
from metameasure.measurement import parse, preference
from metameasure.results import Cell, Grid, Result
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from metameasure._types import Floats
    from metameasure.evaluation import Chosen
    from metameasure.measurement import Measure

FEWEST = 3
"""Least number of models for a correlation."""
ROUNDS, SMALL = 1000, 1e-12
"""Largest number of steps of the scaling, and relative gain at which it stops."""


@dataclass(frozen=True)
class MeasurePairRow:
    """The correlation of two measures over models, both oriented so that larger is better.

    Attributes:
        f, g: the measures.
        spearman: Spearman's rank correlation, the mean over the groups.
        pearson: Pearson's coefficient, the mean over the groups.
        groups: the number of folds, data sets or splits in which both are defined and vary.
    """

    f: str
    g: str
    spearman: float
    pearson: float
    groups: int


@dataclass(frozen=True)
class MapPoint:
    """The place of a measure on the map."""

    measure: str
    x: float
    y: float


class MeasureCorrelations(Result):
    """Rank correlations of measures; one row per pair of measures.

    ``points`` has the places of the measures on a map whose distances are close to 1 - Spearman's
    rank correlation; ``stress`` is the error of these distances (Kruskal's stress-1).
    """

    schema = MeasurePairRow
    extra: ClassVar = {"points": MapPoint}

    def __init__(
        self, rows: Sequence[MeasurePairRow], points: Sequence[MapPoint], meta: dict[str, Any]
    ) -> None:
        super().__init__(rows, meta=meta)
        self.points = tuple(points)
        self.stress = float(meta["stress"])

    def grids(self) -> list[Grid]:
        """The matrix of rank correlations."""
        names = [point.measure for point in self.points]
        found = {(row.f, row.g): row.spearman for row in self.rows}
        found |= {(row.g, row.f): row.spearman for row in self.rows}
        body = [(f, [Cell("" if f == g else f"{found[f, g]:.3f}") for g in names]) for f in names]
        caption = (
            "Spearman's rank correlation over {models} models, mean of {groups} {kind}".format_map(
                self.meta
            )
        )
        return [Grid(["measure", *names], body, caption)]

    def notes(self) -> list[str]:
        """The measures that were left out, and the error of the map."""
        left = [f"{name} left out: {reason}" for name, reason in self.meta["left_out"].items()]
        return [*left, f"stress of the two-dimensional map: {number(self.stress)}"]


@takes_models(DataOptions)
def measure_correlations(
    y_true: Any,
    scores: Any = None,
    measures: Chosen = "default",
    *,
    folds: Any = None,
    **data: Unpack[DataOptions],
) -> MeasureCorrelations:
    """Rank correlations of measures over models, and a map of the measures.

    Takes what ``evaluate`` takes, or the result of ``lab.select_models``, whose candidates are the
    models and whose splits are the groups. Correlations are computed over the models of one group
    and averaged over the groups.

    Args:
        measures: "default", "all", or measures or their texts.
        folds: the fold or data set of each case, or its column name; without it there is one group.
    """
    from metameasure.lab.training.model_selection_result import ModelSelection  # noqa: PLC0415

    if isinstance(y_true, ModelSelection):
        values, left_out, kind = _of_selection(y_true), dict[str, str](), "splits"
    else:
        called = {"group": "folds"}
        models = read_models(
            y_true, scores, group=folds, number="two or more", called=called, **data
        )
        values, left_out = _of_models(models, measures)
        kind = "groups" if folds is None else "folds"
    return _correlated(values, left_out, kind)


def _of_models(models: Any, measures: Chosen) -> tuple[dict[Measure, Floats], dict[str, str]]:
    """The values of each measure: shape (groups, models); and the measures left out."""
    predictions = models.rows_for("correlations over folds")
    asked, by_name = choose(measures, DEFAULT)
    tables = [predictions.table(model) for model in predictions.scores]
    left_out, kept = {}, []
    for measure in dict.fromkeys(asked):
        check_takes_tables(measure, "models of two classes")
        reasons = [why for table in tables if (why := unfit(measure, table))]
        if reasons and (not by_name or measure.unit_scores):
            left_out[str(measure)] = reasons[0]
        else:
            kept.append(measure)
    parts = [predictions]
    if predictions.group is not None:
        groups = Groups.of(predictions.group)
        parts = [predictions.where(groups.cases(one)) for one in range(groups.names.size)]
    values: dict[Measure, list[Floats]] = {measure: [] for measure in kept}
    for part in parts:
        score = np.stack(list(part.scores.values()))
        weight = None if part.weight is None else np.broadcast_to(part.weight, score.shape)
        positive = np.broadcast_to(part.positive, score.shape)
        block = ScoreTable.from_cases(positive, score, weight)
        for measure in kept:
            values[measure].append(measure.of_block(block))
    return {measure: np.stack(some) for measure, some in values.items()}, left_out


def _of_selection(found: Any) -> dict[Measure, Floats]:
    """The values of each measure on the validation parts: shape (splits, candidates)."""
    sets = list(found.trained.values())
    return {
        parse(name): np.concatenate([one.values[name] for one in sets]) for name in sets[0].values
    }


def _correlated(
    values: Mapping[Measure, Floats], left_out: Mapping[str, str], kind: str
) -> MeasureCorrelations:
    if len(values) < 2:
        raise DataError(f"need at least two measures, got {len(values)}", argument="measures")
    first = next(iter(values.values()))
    if first.shape[1] < FEWEST:
        raise DataError(f"need at least {FEWEST} models, got {first.shape[1]}")
    merit = {measure: np.asarray(measure.goodness(v)) for measure, v in values.items()}
    missing = dict(left_out)
    for measure in list(merit):
        groups = (of for of in merit[measure] if np.isfinite(of).all())
        if not any(preference(of.max(), of.min()) for of in groups):
            missing[str(measure)] = "undefined, infinite or the same for all models"
            del merit[measure]
    if len(merit) < 2:
        constant = [str(measure) for measure in values if measure not in merit]
        raise DataError(
            f"need at least two measures that vary over the models, got {len(merit)}; "
            f"undefined, infinite or the same for all models: {some_names(constant)}",
            argument="measures",
        )
    rows, rho = [], np.eye(len(merit))
    for (i, f), (j, g) in combinations(enumerate(merit), 2):
        pearson, spearman = both_correlations(merit[f], merit[g])
        known = ~np.isnan(spearman)
        if not known.any():
            raise DataError(f"there is no group in which both {f} and {g} are defined and vary")
        rho[i, j] = rho[j, i] = spearman[known].mean()
        rows.append(
            MeasurePairRow(
                str(f), str(g), float(rho[i, j]), float(pearson[known].mean()), int(known.sum())
            )
        )
    places, stress = scaled(1 - rho)
    points = [MapPoint(str(m), *map(float, at)) for m, at in zip(merit, places, strict=True)]
    meta = {
        "models": first.shape[1], "groups": first.shape[0], "kind": kind, "stress": stress,
        "left_out": missing,
    }  # fmt: skip
    return MeasureCorrelations(rows, points, meta)


def scaled(distances: Floats) -> tuple[Floats, float]:
    """Points in the plane whose distances are close to the given ones, and the stress.

    Multidimensional scaling by majorization (SMACOF), from the classical solution. The
    points are turned so that they vary most along x.

    >>> points, stress = scaled(np.array([[0.0, 3, 4], [3, 0, 5], [4, 5, 0]]))
    >>> float(np.round(np.hypot(*(points[1] - points[2])), 6)), round(stress, 6)
    (5.0, 0.0)
    """
    n = len(distances)
    center = np.eye(n) - 1 / n
    size, axes = np.linalg.eigh(center @ np.square(distances) @ center / -2)
    points = (
        axes[:, [-1, -2]] * np.sqrt(np.maximum(size[[-1, -2]], 0.0))
        if n > 2
        else np.column_stack([[0.0, distances[0, 1]], [0.0, 0.0]])
    )
    total = np.square(distances).sum() or 1.0
    before = np.inf
    for _ in range(ROUNDS):
        apart = np.linalg.norm(points[:, np.newaxis] - points, axis=-1)
        error = np.square(distances - apart).sum()
        if before - error <= SMALL * total:
            break
        before = error
        ratio = np.divide(distances, apart, out=np.zeros_like(apart), where=apart > 0)
        moved = -ratio
        np.fill_diagonal(moved, ratio.sum(axis=1))
        points = moved @ points / n
    apart = np.linalg.norm(points[:, np.newaxis] - points, axis=-1)
    points = points - points.mean(axis=0)
    _, turned = np.linalg.eigh(points.T @ points)
    points = points @ turned[:, ::-1]
    # Of the mirror images, the one in which the first measure has positive coordinates.
    points = points * np.where(points[0] < 0, -1.0, 1.0)
    stress = float(np.sqrt(np.square(distances - apart).sum() / (np.square(apart).sum() or 1.0)))
    return points, stress
