"""Training that stops by a measure (Huang, 2006, Section 4.3)."""

from __future__ import annotations

import copy
import inspect
import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import COUNT, FRACTION, Real, Whole, read_argument, read_seed
from metameasure._text import number
from metameasure.data import failure
from metameasure.errors import Argument, MetameasureError, ParameterError
from metameasure.inference import SEED, generator
from metameasure.lab.training.candidates import (
    Candidate,
    check_estimator,
    check_scores,
    scores_of,
    seeded,
)
from metameasure.lab.training.labeled_data import LabeledData
from metameasure.lab.training.splits import random_parts
from metameasure.measurement import Measure, TwoLevel, parse, tie_tolerance
from metameasure.results import Cell, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats

SHOWN = 12
"""Number of lines of the trace that a page shows."""


@dataclass(frozen=True)
class TrainingRow:
    """The measure after a number of epochs.

    Attributes:
        epoch: the number of epochs.
        value: the value of the measure on the monitored cases; of a two-level measure, that of its
            first part.
        second: the value of the second part of a two-level measure; None for other measures.
        gain: the improvement of ``value`` over the saved state; None for the first state.
        saved: whether the state was saved.
    """

    epoch: int
    value: float
    second: float | None
    gain: float | None
    saved: bool


class Training(Result):
    """The trace of a training that stopped by a measure; one row per evaluation.

    Attributes:
        estimator: the fitted estimator in the last saved state.
        epoch: the number of epochs of that state.
        stopped: why the training stopped.
    """

    schema = TrainingRow

    def __init__(
        self, rows: Sequence[TrainingRow], estimator: Any, stopped: str, meta: dict[str, Any]
    ) -> None:
        self.estimator = estimator
        self.epoch = max(row.epoch for row in rows if row.saved)
        self.stopped = stopped
        super().__init__(rows, meta={**meta, "epoch": self.epoch, "stopped": stopped})

    def grids(self) -> list[Grid]:
        """The last evaluations."""
        rows = self.rows[-SHOWN:]
        body = []
        for row in rows:
            cells = [Cell(number(row.value))]
            cells += [] if row.second is None else [Cell(number(row.second))]
            cells += [Cell("" if row.gain is None else number(row.gain))]
            body.append((str(row.epoch), [*cells, Cell("yes" if row.saved else "")]))
        parts = self.meta["parts"]
        caption = f"the last {SHOWN} of {len(self.rows)} evaluations" * (len(self.rows) > SHOWN)
        return [Grid(["epoch", *parts, "gain", "saved"], body, caption)]

    def notes(self) -> list[str]:
        """Why the training stopped, and which state was kept."""
        return [f"stopped at epoch {self.rows[-1].epoch}: {self.stopped}; kept epoch {self.epoch}"]


def train_by(
    estimator: Any,
    measure: str | Measure,
    X: Any,
    y: Any,
    *,
    validation: float | tuple[Any, Any] | None = 0.1,
    patience: int = 50,
    min_gain: float = 0.01,
    every: int | None = None,
    max_epochs: int = 5000,
    pos_label: Any = None,
    seed: int | None = SEED,
) -> Training:
    """Train an estimator until a measure no longer improves, and keep the best state.

    The estimator minimizes its own loss; the measure only decides when to stop. The state is saved
    whenever the measure has gained more than ``min_gain`` over the saved state; training stops when
    it has not for ``patience`` epochs. With the defaults the measure is evaluated once every 50
    epochs, as in Huang (2006, Section 4.3); there it is computed on the training cases
    (``validation=None``).

    The gain of a measure is its improvement, whatever its direction. A two-level measure gains if
    its first part gains more than ``min_gain``; or if its first part does not get worse and its
    second part gains more than ``min_gain``. So its second part can prolong the training, and its
    first part never gets worse. A linear combination gains as a number.

    Args:
        estimator: an estimator with ``partial_fit``, or with ``warm_start`` and either
            ``n_estimators`` or ``max_iter``. It is copied, never changed. An epoch is one call of
            ``partial_fit``, one more estimator, or one more iteration.
        measure: any measure, e.g. "auc" or "two_level(auc, accuracy)".
        X: the attributes.
        y: the labels.
        validation: the fraction of the cases that the measure is computed on, which do not train; a
            pair (X, y) of other cases; or None for the training cases themselves.
        patience: the number of epochs without a sufficient gain after which training stops.
        min_gain: the gain that must be exceeded; 0 to keep the best state of all.
        every: the number of epochs between evaluations; by default ``patience``.
        max_epochs: the largest number of epochs.
        pos_label: the positive label, unless labels are bool, 0/1 or -1/1.
        seed: the seed of the validation part and of unset random states of the estimator.

    Returns:
        The trace, with the fitted ``estimator`` in its best state.
    """
    chosen = parse(measure)
    patience = read_argument("patience", patience, COUNT)
    step = read_argument("every", patience if every is None else every, Whole(1, patience))
    min_gain = read_argument("min_gain", min_gain, Real(0))
    last = read_argument("max_epochs", max_epochs, Whole(step))
    check_estimator(type(estimator).__name__, estimator, "estimator")
    rng = generator(np.random.SeedSequence(read_seed(seed)))
    data = LabeledData.of(X, y, pos_label)
    train, monitored = _divided(data, validation, rng)
    levels = data.fitting(_levels(chosen))
    check_scores(levels, {type(estimator).__name__: Candidate(estimator)})
    model = _Model.of(seeded(estimator, rng), train)
    rows: list[TrainingRow] = []
    best, kept, at, epoch = None, None, 0, 0
    while epoch < last and epoch - at < patience:
        count = min(step, last - epoch)
        epoch += count
        model.train(count, epoch)
        values = model.values(levels, monitored, epoch)
        merit = [float(m.goodness(v)) for m, v in zip(levels, values, strict=True)]
        saved = best is None or has_gained(merit, best, min_gain)
        rows.append(
            TrainingRow(
                epoch=epoch,
                value=values[0],
                second=values[1] if len(values) > 1 else None,
                gain=None if best is None else merit[0] - best[0],
                saved=saved,
            )
        )
        if saved:
            best, at, kept = merit, epoch, copy.deepcopy(model.estimator)
    stopped = f"no gain of more than {min_gain:g} in {patience} epochs"
    if epoch - at < patience:
        stopped = f"max_epochs={last}"
    meta = {
        "measure": str(chosen), "parts": [str(level) for level in levels], "patience": patience,
        "min_gain": min_gain, "every": step, "max_epochs": last, "seed": seed,
        "training_cases": train.n, "monitored_cases": monitored.n,
    }  # fmt: skip
    return Training(rows, kept, stopped, meta)


def has_gained(new: Sequence[float], old: Sequence[float], min_gain: float) -> bool:
    """Whether a list of values, the most important one first, has gained more than the minimum.

    A later value counts only if no earlier one gets worse.

    >>> has_gained([0.8, 0.9], [0.8, 0.7], 0.01), has_gained([0.79, 0.9], [0.8, 0.7], 0.01)
    (True, False)
    """
    for a, b in zip(new, old, strict=True):
        if math.isnan(a):
            return False
        slack = float(tie_tolerance(a, b))
        if math.isnan(b) or a - b > max(min_gain, slack):
            return True
        if a - b < -slack:
            return False
    return False


def _levels(measure: Measure) -> list[Measure]:
    """The parts of a two-level measure, the most important one first; else the measure alone."""
    if isinstance(measure, TwoLevel):
        return [level for part in measure.parts for level in _levels(part)]
    return [measure]


def _divided(
    data: LabeledData, validation: Any, rng: np.random.Generator
) -> tuple[LabeledData, LabeledData]:
    """The cases that train and those that the measure is computed on."""
    if validation is None:
        return data, data
    if isinstance(validation, tuple):
        if len(validation) != 2:
            raise ParameterError((Argument("validation"), " must be a fraction or a pair (X, y)"))
        positive = data.classes[1] if len(data.classes) == 2 else None
        other = LabeledData.of(*validation, positive)
        if other.classes != data.classes:
            raise ParameterError(
                (Argument("validation"), " must have the same classes as the training cases")
            )
        return data, other
    share = read_argument("validation", validation, FRACTION)
    train, rest = random_parts(data.code, (1 - share, 1.0), rng)
    if not rest.size or len(np.unique(data.code[rest])) < len(data.classes):
        raise ParameterError(
            (Argument("validation"), f" must be large enough for all classes, got {share:g}")
        )
    return data.part(train), data.part(rest)


@dataclass
class _Model:
    """An estimator in training, and how it is trained further.

    Attributes:
        estimator: the estimator.
        data: the training cases.
        grows: the parameter that counts all epochs so far; None if it counts those of one fit.
    """

    estimator: Any
    data: LabeledData
    name: str
    grows: str | None

    @classmethod
    def of(cls, estimator: Any, data: LabeledData) -> _Model:
        """The model before the first epoch."""
        name = type(estimator).__name__
        known = estimator.get_params() if hasattr(estimator, "get_params") else {}
        grows = next((p for p in ("n_estimators", "max_iter") if p in known), None)
        if not hasattr(estimator, "partial_fit"):
            if "warm_start" not in known or grows is None:
                raise ParameterError(
                    f"{name} must have partial_fit, or warm_start with n_estimators or max_iter",
                    remedy="choose another estimator",
                    argument="estimator",
                )
            estimator.set_params(warm_start=True)
        return cls(estimator, data, name, grows)

    def train(self, count: int, epoch: int) -> None:
        """Train for some epochs, up to this one."""
        X, y = self.data.X, self.data.y
        first = epoch - count + 1
        where = f"epoch {epoch}" if count == 1 else f"epochs {first} to {epoch}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                if hasattr(self.estimator, "partial_fit"):
                    takes = inspect.signature(self.estimator.partial_fit).parameters
                    more = {"classes": np.unique(y)} if "classes" in takes else {}
                    for each in range(first, epoch + 1):
                        where = f"epoch {each}"
                        self.estimator.partial_fit(X, y, **more)
                else:
                    total = epoch if self._counts_all() else count
                    self.estimator.set_params(**{str(self.grows): total}).fit(X, y)
            except MetameasureError:
                raise
            except Exception as error:
                raise failure(self.name, "train", error, where) from error

    def _counts_all(self) -> bool:
        """Whether the parameter is the number of all epochs, not of those of one fit."""
        if self.grows == "n_estimators":
            return True
        from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415

        return isinstance(self.estimator, HistGradientBoostingClassifier)

    def values(self, levels: Sequence[Measure], cases: LabeledData, epoch: int) -> list[float]:
        """The values of the measures on some cases."""
        scores: Floats = scores_of(
            self.name, self.estimator, cases.X, cases.classes, f"epoch {epoch}"
        )
        found = cases.values(levels, np.arange(cases.n), scores[np.newaxis])
        return [float(value) for value in found[:, 0]]
