"""Samples: the cases of an evaluation as resampling and paired tests need them.

What is drawn is a unit: a case, a cluster of cases, or one of several equal cases of a table. A
resample changes only how often each unit counts. The scores stay where they are, so that nothing is
sorted again: a block of resamples is one block of score tables with the same scores.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metameasure._arguments import read_workers
from metameasure._text import shown
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.table import Places, drawn_counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices, Mask
    from metameasure.data import (
        ClassCases,
        Models,
        Orders,
        Predictions,
        Ranking,
        SoftLabels,
        TrueProbabilities,
    )
    from metameasure.measurement import Measure
    from metameasure.table import ScoreTable


GROUPS = 200
"""Number of groups of a jackknife; with fewer units each is left out on its own."""
MANY, FEW_GROUPS = 10**5, 40
"""Number of units above which the skewness hardly matters, and the number of groups then."""
MANY_ITEMS = 10**4
"""Number of items above which few groups are left out, since an order takes long to measure."""

STEP = 1e-4
"""Step of numerical derivatives by a mean, relative to the mean."""


class Units(ABC):
    """What all samples have in common: the units, and how they are drawn.

    Attributes:
        cluster: the number of the cluster of each case; None if cases are independent.
        weight: the weight of each case; None if all are 1.
        count: the number of equal cases that each row stands for; None if one.
    """

    cluster: Indices | None
    weight: Floats | None
    count: Floats | None

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of cases, or of distinct cases where they have a count."""

    @property
    @abstractmethod
    def strata(self) -> Sequence[Mask]:
        """The classes, as masks of the cases."""

    @property
    def entries(self) -> int:
        """Number of entries that are drawn per resample."""
        return self.size

    def prepare(self, models: Iterable[str]) -> None:  # noqa: B027 - not all need it
        """Compute what all threads need, before they start."""

    @property
    def independent(self) -> bool:
        """Whether the cases are independent and have equal weight."""
        return self.cluster is None and self.weight is None

    @cached_property
    def units_of_classes(self) -> tuple[int, ...]:
        """Number of units that have cases of each class."""
        if self.count is not None:
            return tuple(int(self.count[stratum].sum()) for stratum in self.strata)
        if self.cluster is None:
            return tuple(int(np.count_nonzero(stratum)) for stratum in self.strata)
        return tuple(np.unique(self.cluster[stratum]).size for stratum in self.strata)

    @property
    def too_few(self) -> str | None:
        """Why resampling gives no limits; None if it does."""
        if 1 in self.units_of_classes:
            what = "case" if self.cluster is None else "cluster"
            return f"the variance needs at least two {what}s per class"
        return None

    def check_strata(self) -> None:
        """Refuse strata of cases in clusters."""
        if self.cluster is not None:
            raise ParameterError(
                "clusters may contain several classes, so that they cannot be stratified",
                remedy=("omit ", Argument("stratified")),
            )

    @cached_property
    def units(self) -> int:
        """Number of units: cases, or clusters of them."""
        return self.size if self.cluster is None else int(self.cluster.max()) + 1

    def draw(self, tables: int, rng: np.random.Generator, *, stratified: bool = False) -> Floats:
        """How often each unit is drawn, in several resamples of the size of the sample."""
        if not stratified:
            return _draw(tables, self.units, self.count, rng)
        self.check_strata()
        counts = np.empty((tables, self.units))
        for stratum in self.strata:
            if stratum.any():
                count = None if self.count is None else self.count[stratum]
                counts[:, stratum] = _draw(tables, int(np.count_nonzero(stratum)), count, rng)
        return counts

    def leave_out(self, rng: np.random.Generator) -> Iterator[Floats]:
        """How often each unit counts when each group of units is left out in turn."""
        if self.count is None:
            groups = min(self.units, GROUPS if self.units <= MANY else FEW_GROUPS)
            member = rng.permutation(self.units) % groups
            for group in range(groups):
                yield (member != group).astype(np.float64)
            return
        left = self.count.astype(np.int64)
        groups = int(min(left.sum(), GROUPS if self.units <= MANY else FEW_GROUPS))
        for group in range(groups):
            size = int(left.sum()) // (groups - group)
            out = rng.multivariate_hypergeometric(left, size, method="marginals")
            yield self.count - out
            left = left - out


@dataclass(frozen=True, eq=False)
class Sample(Units):
    """Cases of two classes, with the scores of one or more models.

    Attributes:
        positive: the class of each case.
        scores: the scores of each model.
        tables: the score table of each model.
    """

    positive: Mask
    scores: Mapping[str, Floats]
    tables: Mapping[str, ScoreTable]
    cluster: Indices | None = None
    weight: Floats | None = None
    count: Floats | None = None
    _places: dict[str, Places] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls, predictions: Predictions, *, in_pairs: bool = False, workers: int | None = None
    ) -> Sample:
        """The sample of the rows of predictions, without those of weight 0.

        Models that are compared ``in_pairs``, case by case, need the places of their cases. Their
        tables are then made from these, without another sort, and models are sorted in parallel.
        """
        if predictions.weight is not None and not predictions.weight.all():
            kept = predictions.weight > 0
            predictions = predictions.where(kept if kept.any() else slice(0, 1))
        cluster = cluster_codes(predictions.cluster)
        positive, scores = predictions.positive, predictions.scores
        weight = _other_than_one(predictions.weight)
        if not in_pairs:
            tables = {model: predictions.table(model) for model in scores}
            return cls(positive, scores, tables, cluster, weight)

        def place(model: str) -> Places:
            return Places.of(scores[model], positive, weight, cluster)

        with ThreadPoolExecutor(read_workers(workers)) as pool:
            places = dict(zip(scores, pool.map(place, scores), strict=True))
            found = pool.map(Places.table, places.values())
            tables = dict(zip(scores, found, strict=True))
        return cls(positive, scores, tables, cluster, weight, None, places)

    @classmethod
    def without_tables(cls, predictions: Predictions) -> Sample:
        """The cases alone, for means over groups, whose scores are compared within groups only."""
        return cls(predictions.positive, predictions.scores, {}, weight=predictions.weight)

    @classmethod
    def of_table(cls, table: ScoreTable, model: str, *, resampled: bool = True) -> Sample:
        """The sample of a score table; its weights must be counts if it is to be resampled."""
        if table.shape:
            raise DataError("an interval needs one table, got a block of tables")
        count = np.concatenate([table.pos, table.neg])
        if resampled and np.any(count != np.floor(count)):
            raise DataError(
                f"the weights in the score table of {shown([model])} are not counts, so that it "
                "has no confidence intervals",
                remedy=(
                    *("pass the rows (", Argument("y_true"), ", ", Argument("scores"), ", "),
                    *(Argument("sample_weight"), ") instead of the table"),
                ),
            )
        kept = count > 0
        positive = np.repeat([True, False], table.score.size)[kept]
        scores = {model: np.tile(table.score, 2)[kept]}
        return cls(positive, scores, {model: table}, count=count[kept])

    def places(self, model: str) -> Places:
        """The places of the cases in the table of a model, computed once."""
        if model not in self._places:
            self._places[model] = Places.of(
                self.scores[model], self.positive, self.weight, self.cluster
            )
        return self._places[model]

    @property
    def size(self) -> int:
        """Number of cases, or of distinct cases where they have a count."""
        return self.positive.size

    @property
    def strata(self) -> list[Mask]:
        """The positives and the negatives."""
        return [self.positive, ~self.positive]

    @cached_property
    def classes(self) -> tuple[int, int]:
        """Number of positive and of negative cases that have weight."""
        if self.count is not None:
            return round(self.count[self.positive].sum()), round(self.count[~self.positive].sum())
        if self.weight is None:
            n_pos = int(np.count_nonzero(self.positive))
            return n_pos, self.size - n_pos
        used = self.positive[self.weight > 0]
        return int(np.count_nonzero(used)), int(np.count_nonzero(~used))

    def same_to(self, measure: Measure, a: str, b: str) -> bool:
        """Whether two models have the same scores, or the same order if only that counts.

        Constant scores have no order: two such models may differ in other cases.
        """
        if np.array_equal(self.scores[a], self.scores[b]):
            return True
        by_order = "monotone" in measure.declaration.invariant_to
        first, second = self.places(a).row, self.places(b).row
        return by_order and bool(first.any()) and np.array_equal(first, second)

    def prepare(self, models: Iterable[str]) -> None:
        """Compute the places of the cases."""
        for model in models:
            self.places(model)

    def block(self, model: str, counts: Floats) -> ScoreTable:
        """The block of tables of a model, one per row of counts of the units."""
        return self.places(model).tables(counts)


@dataclass(frozen=True, eq=False)
class ClassSample(Units):
    """Cases of k classes, with the scores or the predicted labels of one or more models."""

    tables: Mapping[str, ClassCases]
    cluster: Indices | None = None
    weight: Floats | None = None
    count: Floats | None = None

    @classmethod
    def of(cls, scores: Mapping[str, ClassCases]) -> ClassSample:
        """The sample of validated cases, without those of weight 0."""
        first = next(iter(scores.values()))
        if first.shape:
            raise DataError("an interval needs one set of cases, got a block")
        if first.weight is not None and not first.weight.all():
            used = first.weight > 0
            scores = {model: each.where(used) for model, each in scores.items()}
            first = next(iter(scores.values()))
        return cls(scores, cluster_codes(first.cluster), _other_than_one(first.weight))

    @property
    def size(self) -> int:
        """Number of cases."""
        return self._first.code.size

    @property
    def strata(self) -> list[Mask]:
        """The cases of each class."""
        return [self._first.code == number for number in range(self._first.k)]

    @property
    def classes(self) -> dict[Any, int]:
        """Number of cases of each class."""
        sizes = np.bincount(self._first.code, minlength=self._first.k).tolist()
        return dict(zip(self._first.classes, sizes, strict=True))

    def same_to(self, measure: Measure, a: str, b: str) -> bool:  # noqa: ARG002 - of any measure
        """Whether two models have the same scores, or the same predicted labels."""
        return self.tables[a].same_as(self.tables[b])

    @property
    def _first(self) -> ClassCases:
        return next(iter(self.tables.values()))

    def block(self, model: str, counts: Floats) -> ClassCases:
        """The block of a model, one per row of counts of the units."""
        if self.cluster is not None:
            counts = np.take(counts, self.cluster, axis=1)
        return self.tables[model].counting(counts)


class OneStratum(Units):
    """What samples without classes have in common; ``what`` are the cases, in words."""

    what: ClassVar[str]
    whole: ClassVar[str]

    @property
    @abstractmethod
    def scores(self) -> Mapping[str, Floats]:
        """What each model predicts."""

    @property
    def strata(self) -> list[Mask]:
        """All cases, which are not of classes."""
        return [np.ones(self.size, dtype=bool)]

    @property
    def too_few(self) -> str | None:
        """Why resampling gives no limits; None if it does."""
        units = self.what if self.cluster is None else "clusters"
        return f"the variance needs at least two {units}" if self.units < 2 else None

    def same_to(self, measure: Measure, a: str, b: str) -> bool:  # noqa: ARG002 - of any measure
        """Whether two models predict the same."""
        return np.array_equal(self.scores[a], self.scores[b])

    def check_strata(self) -> None:
        """Refuse strata, since there are no classes."""
        raise ParameterError(
            (Argument("stratified"), f" does not apply to {self.whole}"), remedy="omit it"
        )


@dataclass(frozen=True, eq=False)
class ProbabilitySample(OneStratum):
    """Cases with their true probabilities, and those that one or more models predict."""

    what, whole = "cases", "true probabilities"

    tables: Mapping[str, TrueProbabilities]
    cluster: Indices | None = None
    weight: Floats | None = None
    count: Floats | None = None

    @classmethod
    def of(cls, soft: SoftLabels) -> ProbabilitySample:
        """The sample of validated probabilities, without cases of weight 0."""
        if soft.weight is not None and not soft.weight.all():
            soft = soft.where(soft.weight > 0)
        tables = {model: soft.of_model(model) for model in soft.scores}
        return cls(tables, cluster_codes(soft.cluster), _other_than_one(soft.weight))

    @property
    def size(self) -> int:
        """Number of cases."""
        return next(iter(self.tables.values())).true.size

    @property
    def scores(self) -> dict[str, Floats]:
        """The probabilities that each model predicts."""
        return {model: cases.score for model, cases in self.tables.items()}

    def losses(self, measure: Measure, model: str) -> Floats:
        """The loss of each case, of which a measure is the mean or a function of the mean."""
        kind: Any = measure.declaration.sampling
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Floats = kind.losses(self.tables[model], **dict(measure.parameters))
        return found

    def terms(self, measure: Measure, model: str) -> Floats:
        """What each case adds to the value, times the number of cases, to the first order."""
        kind: Any = measure.declaration.sampling
        losses = self.losses(measure, model)
        if kind.of_mean is None:
            return losses
        mean = self.tables[model].mean(losses)
        step = STEP * mean
        slope = (kind.of_mean(mean + step) - kind.of_mean(mean - step)) / (2 * step) if step else 0
        return np.asarray(slope * losses)

    def block(self, model: str, counts: Floats) -> TrueProbabilities:
        """The block of a model, one per row of counts of the units."""
        if self.cluster is not None:
            counts = np.take(counts, self.cluster, axis=1)
        return self.tables[model].counting(counts)


@dataclass(frozen=True, eq=False)
class OrderSample(OneStratum):
    """Items with their true order, and the order that one or more models predict."""

    what, whole = "items", "an order of items"

    tables: Mapping[str, Ranking]
    cluster: Indices | None = None
    weight: Floats | None = None
    count: Floats | None = None

    @classmethod
    def of(cls, orders: Orders) -> OrderSample:
        """The sample of validated orders."""
        return cls({model: orders.ranking(model) for model in orders.scores})

    @property
    def size(self) -> int:
        """Number of items."""
        return next(iter(self.tables.values())).n

    def leave_out(self, rng: np.random.Generator) -> Iterator[Floats]:
        """How often each item counts when each group of items is left out in turn.

        Groups have equal size, since all orders of a block have the same number of items; up to
        one item per group is never left out.
        """
        groups = min(self.size, GROUPS if self.size <= MANY_ITEMS else FEW_GROUPS)
        for out in rng.permutation(self.size)[: self.size // groups * groups].reshape(groups, -1):
            kept = np.ones(self.size)
            kept[out] = 0.0
            yield kept

    @property
    def scores(self) -> dict[str, Floats]:
        """The ranks that each model predicts."""
        return {model: ranking.predicted for model, ranking in self.tables.items()}

    def block(self, model: str, counts: Floats) -> Ranking:
        """The block of a model, one per row of counts of the items."""
        return self.tables[model].counting(counts)


AnySample = Sample | ClassSample | OrderSample | ProbabilitySample


def sample_without_tables(models: Models) -> ClassSample | OrderSample | ProbabilitySample:
    """The sample of models of another subject than score tables."""
    if models.orders is not None:
        return OrderSample.of(models.orders)
    if models.soft is not None:
        return ProbabilitySample.of(models.soft)
    return ClassSample.of(models.classes or {})


def cluster_codes(cluster: NDArray[Any] | None) -> Indices | None:
    """The cluster of each case as a number; None if there are no clusters."""
    if cluster is None:
        return None
    return np.unique(cluster, return_inverse=True)[1].reshape(-1)


def _other_than_one(weight: Floats | None) -> Floats | None:
    """The weights; None if all are 1, so that the cases are those without weights."""
    return None if weight is None or (weight == 1).all() else weight


def _draw(tables: int, units: int, count: Floats | None, rng: np.random.Generator) -> Floats:
    """The units of each resample, drawn with replacement."""
    if count is not None:
        total = count.sum()
        return np.asarray(rng.multinomial(int(total), count / total, size=tables), np.float64)
    return np.asarray(drawn_counts(tables, units, rng), np.float64)


def samples_of(models: Models, *, resampled: bool) -> list[Sample]:
    """The sample of all models or, if only their score tables are known, one sample per model."""
    if models.rows is not None:
        return [Sample.of(models.rows)]
    return [
        Sample.of_table(table, name, resampled=resampled) for name, table in models.tables.items()
    ]
