"""ClassCases: cases of k classes, with the classes that were predicted for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from metameasure._text import shown
from metameasure.data.case_columns import NO_WEIGHT, check_length, read_groups
from metameasure.data.scores import read_weights
from metameasure.errors import DataError
from metameasure.table import ROUNDING, Cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices, Mask
    from metameasure.data.case_columns import Names
    from metameasure.data.label_codes import Coded
    from metameasure.errors import Text


class Answers(NamedTuple):
    """Predicted classes: one entry per case, or one per class that is tied for the prediction.

    ``share`` is the part of the case that counts for the class; None if it is 1 everywhere.
    """

    case: Indices
    predicted: Indices
    share: Floats | None

    def among(self, entries: Mask) -> Answers:
        """Some of the entries."""
        share = None if self.share is None else self.share[entries]
        return Answers(self.case[entries], self.predicted[entries], share)

    def weight(self, of_cases: Floats | None) -> Floats:
        """The weight of each entry, from the weights of the cases."""
        weight = np.ones(self.case.size) if of_cases is None else of_cases[self.case]
        return weight if self.share is None else weight * self.share


class ClassCases(ABC):
    """The class of each case, its weight and its cluster; subclasses know what was predicted.

    Subclasses are dataclasses with these fields, among others.

    Attributes:
        classes: names of the classes.
        code: number of the class of each case.
        weight: weight of each case, (..., cases): axes in front make a block, in which the same
            cases have different weights; None if all weigh 1.
        cluster: cluster of each case; None if cases are independent.
        group: group of each case; None if there are no groups.
        fold: fold of each case in a cross-validation; None if there are no folds.
        dropped: number of cases that were dropped because a value is missing.
        dropped_group: their groups.
        kept: mask of the cases that were kept; None if all were.
        assumed: names of columns of scores that were matched to classes by their order alone.
    """

    classes: tuple[Any, ...]
    code: Indices
    weight: Floats | None
    cluster: NDArray[Any] | None
    group: NDArray[Any] | None
    fold: NDArray[Any] | None
    dropped: int
    dropped_group: NDArray[Any] | None
    kept: Mask | None
    assumed: tuple[Any, ...] = ()

    @abstractmethod
    def where(self, rows: NDArray[Any]) -> Self:
        """Some of the cases."""

    @cached_property
    @abstractmethod
    def answers(self) -> Answers:
        """The predicted classes."""

    @abstractmethod
    def same_as(self, other: Self) -> bool:
        """Whether the predictions are equal."""

    def keeping(self, kept: Mask) -> Self:
        """Those of the given cases that are kept."""
        here = kept if self.kept is None else kept[self.kept]
        left = self.where(here)
        if left.weight is not None and not left.weight.any():
            raise DataError(NO_WEIGHT)
        lost = self.dropped_group
        if self.group is not None:
            lost = np.concatenate([self.group[:0] if lost is None else lost, self.group[~here]])
        dropped = int(np.count_nonzero(~kept))
        found: Self = replace(left, dropped=dropped, dropped_group=lost, kept=kept)  # type: ignore[type-var]
        return found

    def columns_of(self, rows: NDArray[Any]) -> dict[str, Any]:
        """The weight, the cluster, the group and the fold of some of the cases, by field."""
        others = {"cluster": self.cluster, "group": self.group, "fold": self.fold}
        weight = None if self.weight is None else self.weight[..., rows]
        return {"weight": weight} | {
            name: None if values is None else values[rows] for name, values in others.items()
        }

    def counting(self, counts: Floats) -> Self:
        """The block in which each case is counted this many times: shape (tables, cases)."""
        weight = counts if self.weight is None else counts * self.weight
        block: Self = replace(self, weight=weight)  # type: ignore[type-var]
        return block

    @property
    def shape(self) -> tuple[int, ...]:
        """The axes in front: ``()`` unless it is a block."""
        return () if self.weight is None else self.weight.shape[:-1]

    @property
    def k(self) -> int:
        """The number of classes."""
        return len(self.classes)

    @property
    def n(self) -> Any:
        """The weight of all cases."""
        return np.float64(self.code.size) if self.weight is None else self.weight.sum(axis=-1)

    @cached_property
    def totals(self) -> Floats:
        """The weight of each class, (..., classes)."""
        return self.sums(self.code, self.k)

    @property
    def absent(self) -> tuple[Any, ...]:
        """The classes without cases; in a block, in none of its tables."""
        used: list[bool] = np.any(self.totals.reshape(-1, self.k), axis=0).tolist()
        return tuple(name for name, some in zip(self.classes, used, strict=True) if not some)

    def sums(self, place: Indices, places: int, answers: Answers | None = None) -> Floats:
        """The weight of the cases, or of their answers, at each place, (..., places)."""
        if not self.shape:
            weight = self.weight if answers is None else answers.weight(self.weight)
            return np.asarray(np.bincount(place, weight, places), np.float64)
        from scipy.sparse import csr_array  # noqa: PLC0415

        case = np.arange(place.size) if answers is None else answers.case
        share = np.ones(place.size) if answers is None else answers.weight(None)
        members = csr_array((share, (case, place)), shape=(self.code.size, places))
        rows = np.asarray(self.weight).reshape(-1, self.code.size)
        return np.asarray((members.T @ rows.T).T).reshape(*self.shape, places)

    @cached_property
    def cuts(self) -> Cut:
        """The confusion matrix of each class against the rest, with a last axis of classes.

        A case with a tie for the predicted class counts with an equal part for each.
        """
        found, k = self.answers, self.k
        right = found.predicted == self.code[found.case]
        good, wrong = found.among(right), found.among(~right)
        tp, fp = (self.sums(some.predicted, k, some) for some in (good, wrong))
        fn = self.sums(self.code[wrong.case], k, wrong)
        total = np.expand_dims(self.n, -1)
        tn = total - tp - fp - fn
        # Rounding must not leave a weight where there is no case.
        tn = np.where(tn > ROUNDING * total, tn, 0.0)
        return Cut(tp, fp, tp + fn, fp + tn)


@dataclass(frozen=True)
class OtherColumns:
    """Columns of cases besides labels and predictions, not yet validated; None without one."""

    weight: Any = None
    cluster: Any = None
    group: Any = None
    fold: Any = None

    def called(self, names: Names) -> dict[str, tuple[str, Any]]:
        """Each column with its name in messages, by its field."""
        return {
            one.name: (getattr(names, one.name), getattr(self, one.name)) for one in fields(self)
        }

    def read(self, n: int, names: Names, lack: list[tuple[str, Mask | None]]) -> dict[str, Any]:
        """The validated columns of n cases by field; the missing values are added to ``lack``."""
        found: dict[str, Any] = {}
        for field, (what, values) in self.called(names).items():
            found[field] = None
            if values is not None:
                reader = read_weights if field == "weight" else read_groups
                found[field], lacking = reader(values, what)
                check_length(found[field], what, n, names)
                lack.append((what, lacking))
        return found


def class_codes(
    coded: Coded, classes: Sequence[Any], what: str, problem: str, remedy: Text
) -> Indices:
    """The class of each case as a number; it is arbitrary for a case without a label.

    ``problem`` and ``remedy`` are about labels that are none of the classes.
    """
    number = {name: place for place, name in enumerate(classes)}
    to = np.array([number.get(coded.name(place), -1) for place in range(len(coded.labels))])
    code = to[coded.places]
    if coded.missing is not None:
        code[coded.missing] = 0
    wrong = code < 0
    if wrong.any():
        unknown = [label for label in coded.distinct if label not in number]
        raise DataError(
            f"{what} has {np.count_nonzero(wrong)} cases with labels {problem}, "
            f"{shown(unknown)}, the first at row {np.argmax(wrong)}; the classes are "
            f"{shown(classes)}",
            remedy=remedy,
        )
    return code
