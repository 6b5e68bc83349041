"""Noise in labels, scores, class proportions and attributes.

Each function takes the data, the level of noise and a random generator, and returns new data. The
classes add the same noise to pairs of models, for studies of robustness. Any function of
(pairs, level, rng) that returns pairs can take their place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from metameasure._arguments import Real, read_argument
from metameasure.errors import Argument, DataError, ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices, Mask
    from metameasure.lab.perturbation.model_pairs import Pairs


SHARE, DISTANCE = Real(0, 1), Real(0)


def redraw_labels(
    positive: Mask, share: float, rng: np.random.Generator, *, rows: Any = None
) -> Mask:
    """The labels, with a fraction of them redrawn with probability 1/2 for each class.

    On average half of the redrawn labels keep their class. Each row of a block has
    ``round(share * n)`` redrawn labels.

    Args:
        positive: the classes, ``(..., n)``.
        share: the fraction of the labels that are redrawn.
        rng: the random generator.
        rows: a mask or the indices of the cases that may change, e.g. the training part of one
            list; None for all.

    >>> labels = np.zeros(1000, bool)
    >>> int(redraw_labels(labels, 0.4, np.random.default_rng(1)).sum())
    199
    """
    share = read_argument("share", share, SHARE)
    noisy = np.array(positive, dtype=bool)
    if rows is not None:
        part = _part(noisy, rows, 1)
        noisy[part] = redraw_labels(noisy[part], share, rng)
        return noisy
    counts = np.full(noisy.shape[:-1], round(share * noisy.shape[-1]))
    # A redrawn label changes its class with probability 1/2.
    noisy ^= _choose(counts, None, noisy.shape, rng) & rng.integers(0, 2, noisy.shape, dtype=bool)
    return noisy


def blur_scores(
    score: Floats, reach: float, rng: np.random.Generator, *, clip: bool = False
) -> Floats:
    """The scores plus uniform random numbers from -reach to reach.

    Args:
        score: the scores, of any shape.
        reach: the largest absolute change of a score.
        rng: the random generator.
        clip: whether to clip the result to [0, 1].

    >>> noisy = blur_scores(np.zeros(4), 0.5, np.random.default_rng(1), clip=True)
    >>> noisy.round(4).tolist()
    [0.0118, 0.4505, 0.0, 0.4486]
    """
    reach = read_argument("reach", reach, DISTANCE)
    noisy = rng.random(np.shape(score))
    noisy -= 0.5
    noisy *= 2 * reach
    noisy += score
    return np.clip(noisy, 0.0, 1.0, out=noisy) if clip else noisy


def delete_positives(positive: Mask, share: float, rng: np.random.Generator) -> Mask:
    """The mask of the cases that remain when a fraction of the positives is deleted.

    Each row of a block loses the given fraction of its positives, rounded to an integer.

    Args:
        positive: the classes, ``(..., n)``.
        share: the fraction of the positives that are deleted.
        rng: the random generator.

    >>> labels = np.arange(100) < 40
    >>> left = delete_positives(labels, 0.8, np.random.default_rng(1))
    >>> int(left[labels].sum()), int(left[~labels].sum())
    (8, 60)
    """
    share = read_argument("share", share, SHARE)
    positive = np.asarray(positive, dtype=bool)
    counts = np.rint(share * np.count_nonzero(positive, axis=-1)).astype(np.int64)
    return ~_choose(counts, positive, positive.shape, rng)


def permute_attributes(
    attributes: Any, share: float, rng: np.random.Generator, *, rows: Any = None
) -> NDArray[Any]:
    """A copy of a matrix with a fraction of each attribute's values permuted.

    An attribute keeps its distribution and loses its association with the class and with the other
    attributes. Some values may return to their own row.

    Args:
        attributes: a matrix of cases by attributes, of any type.
        share: the fraction of each column that is permuted.
        rng: the random generator.
        rows: a mask or the indices of the cases that may change, e.g. the training part; None for
            all.

    >>> table = np.arange(20).reshape(10, 2)
    >>> noisy = permute_attributes(table, 0.5, np.random.default_rng(1))
    >>> bool((np.sort(noisy, axis=0) == table).all()), int((noisy != table).sum())
    (True, 9)
    """
    share = read_argument("share", share, SHARE)
    noisy = np.array(attributes)
    if noisy.ndim != 2:
        raise DataError(
            f"attributes must be a matrix of cases by attributes, got an array of shape "
            f"{noisy.shape}",
            argument="attributes",
        )
    part = np.arange(noisy.shape[0]) if rows is None else _part(noisy, rows, 2)
    columns = np.arange(noisy.shape[1])[:, np.newaxis]
    shuffled = rng.permuted(np.broadcast_to(part, (noisy.shape[1], part.size)), axis=1)
    places = shuffled[:, : round(share * part.size)]
    # The places are in random order; they receive the values of the same places, permuted.
    noisy[places, columns] = noisy[rng.permuted(places, axis=1), columns]
    return noisy


class Noise(Protocol):
    """A function that adds noise to pairs of models."""

    def __call__(self, pairs: Pairs, level: float, rng: np.random.Generator) -> Pairs:
        """The pairs with this level of noise."""


@dataclass(frozen=True)
class LabelNoise:
    """A fraction of the labels is redrawn at random; both models get the same labels."""

    name = "labels"
    levels: ClassVar[Real] = SHARE

    def __call__(self, pairs: Pairs, level: float, rng: np.random.Generator) -> Pairs:
        """The pairs with noisy labels."""
        return replace(pairs, positive=redraw_labels(pairs.positive, level, rng))


@dataclass(frozen=True)
class ScoreNoise:
    """Scores change by uniform random numbers from -level to level, independently per model.

    The papers use other scales: 100% in Berrar (2014) is level 0.5, and the factor k of Wu, Flach
    and Ferri (2007) is level k / 2.
    """

    clip: bool = False
    levels: ClassVar[Real] = DISTANCE

    @property
    def name(self) -> str:
        """Its name in results."""
        return "clipped_scores" if self.clip else "scores"

    def __call__(self, pairs: Pairs, level: float, rng: np.random.Generator) -> Pairs:
        """The pairs with noisy scores."""
        better, worse = (
            blur_scores(score, level, rng, clip=self.clip) for score in (pairs.better, pairs.worse)
        )
        return replace(pairs, better=better, worse=worse)


@dataclass(frozen=True)
class ProportionNoise:
    """A fraction of the positives is deleted; both models lose the same cases."""

    name = "class_proportion"
    levels: ClassVar[Real] = SHARE

    def __call__(self, pairs: Pairs, level: float, rng: np.random.Generator) -> Pairs:
        """The pairs without some positives, which stay in the lists with weight 0."""
        if pairs.weight is None:
            left = delete_positives(pairs.positive, level, rng)
            return replace(pairs, weight=left.astype(np.float64))
        left = delete_positives(pairs.positive & (pairs.weight > 0), level, rng)
        return replace(pairs, weight=left * pairs.weight)


NOISES = {
    noise.name: noise
    for noise in (LabelNoise(), ScoreNoise(), ScoreNoise(clip=True), ProportionNoise())
}
"""The kinds of noise, by name."""


def _part(values: NDArray[Any], rows: Any, dimensions: int) -> Indices:
    """The indices of the cases that a mask or an array of indices selects."""
    given, n = Argument("rows"), values.shape[0]
    if values.ndim != dimensions:
        raise ParameterError((given, " applies to one list of cases, not to a block"))
    named = np.asarray(rows)
    if named.dtype.kind == "b" and named.shape == values.shape[:1]:
        return np.flatnonzero(named)
    if named.dtype.kind not in "iu" or named.ndim != 1 or np.unique(named).size != named.size:
        raise ParameterError((given, f" must be a mask of {n} cases or distinct case indices"))
    if named.size and not 0 <= named.min() <= named.max() < n:
        raise ParameterError((given, f" must be case indices from 0 to {n - 1}"))
    return named.astype(np.int64)


def _choose(
    counts: Indices, among: Mask | None, shape: tuple[int, ...], rng: np.random.Generator
) -> Mask:
    """A mask with ``counts`` random entries per row, only among those that ``among`` marks.

    Each entry gets a random integer key, made distinct by its position in the lowest bits; the
    entries with the smallest keys are chosen.
    """
    size = shape[-1]
    bits = max(size - 1, 1).bit_length()
    keys = rng.integers(0, 1 << (62 - bits), shape) << bits
    keys |= np.arange(size)
    if among is not None:
        keys[~among] = np.iinfo(np.int64).max
    ranked = np.sort(keys, axis=-1)
    last = np.take_along_axis(ranked, np.maximum(counts - 1, 0)[..., np.newaxis], -1)
    return (keys <= last) & (counts > 0)[..., np.newaxis]
