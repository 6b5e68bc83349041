"""Noise: what makes labels, scores, class proportions and attributes less reliable.

Each kind is a function of what it disturbs, its level and random numbers, and gives something new.
The classes do the same to pairs of models, for studies of robustness; a noise of your own is any
function of (pairs, level, rng) that gives pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from metameasure._arguments import is_real
from metameasure.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure.lab.perturbation.model_pairs import Pairs

    Floats = NDArray[np.float64]
    Indices = NDArray[np.int64]
    Mask = NDArray[np.bool_]


def redraw_labels(
    positive: Mask, share: float, rng: np.random.Generator, *, rows: Any = None
) -> Mask:
    """The labels, of which a share is decided by a fair coin.

    Half of these keep their class. So many are redrawn as the share rounds to, in each row of a
    block.

    Args:
        positive: the classes, ``(..., n)``.
        share: the share that is redrawn.
        rng: the random numbers.
        rows: which cases of one list are concerned, such as those of a training part; None for all.

    >>> labels = np.zeros(1000, bool)
    >>> int(redraw_labels(labels, 0.4, np.random.default_rng(1)).sum())
    199
    """
    check_share(share)
    noisy = np.array(positive, dtype=bool)
    if rows is not None:
        part = _part(noisy, rows, 1)
        noisy[part] = redraw_labels(noisy[part], share, rng)
        return noisy
    counts = np.full(noisy.shape[:-1], round(share * noisy.shape[-1]))
    # A class that a fair coin decides is the other one in one of two cases.
    noisy ^= _choose(counts, None, noisy.shape, rng) & rng.integers(0, 2, noisy.shape, dtype=bool)
    return noisy


def blur_scores(
    score: Floats, reach: float, rng: np.random.Generator, *, clip: bool = False
) -> Floats:
    """The scores, each moved by a uniform random number from -reach to reach.

    Args:
        score: the scores, of any shape.
        reach: how far a score is moved at most.
        rng: the random numbers.
        clip: whether what leaves [0, 1] is put to its end.

    >>> noisy = blur_scores(np.zeros(4), 0.5, np.random.default_rng(1), clip=True)
    >>> noisy.round(4).tolist()
    [0.0118, 0.4505, 0.0, 0.4486]
    """
    check_reach(reach)
    noisy = rng.random(np.shape(score))
    noisy -= 0.5
    noisy *= 2 * reach
    noisy += score
    return np.clip(noisy, 0.0, 1.0, out=noisy) if clip else noisy


def delete_positives(positive: Mask, share: float, rng: np.random.Generator) -> Mask:
    """Which cases are left when a share of the positives is deleted.

    In each row of a block so many positives go as the share of its positives rounds to.

    Args:
        positive: the classes, ``(..., n)``.
        share: the share of the positives that is deleted.
        rng: the random numbers.

    >>> labels = np.arange(100) < 40
    >>> left = delete_positives(labels, 0.8, np.random.default_rng(1))
    >>> int(left[labels].sum()), int(left[~labels].sum())
    (8, 60)
    """
    check_share(share)
    positive = np.asarray(positive, dtype=bool)
    counts = np.rint(share * np.count_nonzero(positive, axis=-1)).astype(np.int64)
    return ~_choose(counts, positive, positive.shape, rng)


def permute_attributes(
    attributes: Any, share: float, rng: np.random.Generator, *, rows: Any = None
) -> NDArray[Any]:
    """A matrix in which a share of each attribute's values is permuted among themselves.

    So an attribute keeps its values, and loses its bond to the class and to the other attributes.
    A value may come back to its place.

    Args:
        attributes: cases by attributes, of any kind.
        share: the share of each column that is permuted.
        rng: the random numbers.
        rows: which cases are concerned, such as those of a training part; None for all.

    >>> table = np.arange(20).reshape(10, 2)
    >>> noisy = permute_attributes(table, 0.5, np.random.default_rng(1))
    >>> bool((np.sort(noisy, axis=0) == table).all()), int((noisy != table).sum())
    (True, 9)
    """
    check_share(share)
    noisy = np.array(attributes)
    if noisy.ndim != 2:
        raise DataError(
            f"attributes have the shape {noisy.shape}: give a matrix of cases by attributes"
        )
    part = np.arange(noisy.shape[0]) if rows is None else _part(noisy, rows, 2)
    columns = np.arange(noisy.shape[1])[:, np.newaxis]
    shuffled = rng.permuted(np.broadcast_to(part, (noisy.shape[1], part.size)), axis=1)
    places = shuffled[:, : round(share * part.size)]
    # The places were drawn in random order; they get the values of the same places in another one.
    noisy[places, columns] = noisy[rng.permuted(places, axis=1), columns]
    return noisy


class Noise(Protocol):
    """What disturbs pairs of models."""

    def __call__(self, pairs: Pairs, level: float, rng: np.random.Generator) -> Pairs:
        """The pairs with noise of this level."""


@dataclass(frozen=True)
class LabelNoise:
    """A share of the labels is decided by a fair coin, for both models alike."""

    name = "labels"

    def check(self, level: Any) -> None:
        """Refuse what is no share."""
        check_share(level)

    def __call__(self, pairs: Pairs, level: float, rng: np.random.Generator) -> Pairs:
        """The pairs with noisy labels."""
        return replace(pairs, positive=redraw_labels(pairs.positive, level, rng))


@dataclass(frozen=True)
class ScoreNoise:
    """Scores are moved by up to the level in both directions, independently for each model.

    The papers' own scales are other ones: 100 % in Berrar is the level 0.5, the factor k of Wu,
    Flach and Ferri the level k / 2.
    """

    clip: bool = False

    @property
    def name(self) -> str:
        """What it is called in results."""
        return "clipped_scores" if self.clip else "scores"

    def check(self, level: Any) -> None:
        """Refuse what is no distance."""
        check_reach(level)

    def __call__(self, pairs: Pairs, level: float, rng: np.random.Generator) -> Pairs:
        """The pairs with noisy scores."""
        better, worse = (
            blur_scores(score, level, rng, clip=self.clip) for score in (pairs.better, pairs.worse)
        )
        return replace(pairs, better=better, worse=worse)


@dataclass(frozen=True)
class ProportionNoise:
    """A share of the positives is deleted, for both models alike."""

    name = "class_proportion"

    def check(self, level: Any) -> None:
        """Refuse what is no share."""
        check_share(level)

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
"""The kinds of noise, by the names that a study knows them by."""


def check_share(share: Any) -> None:
    """Refuse what is no share."""
    if not (is_real(share) and 0 <= share <= 1):
        raise DataError(f"a noise of {share!r} is no share of the cases: give 0 to 1")


def check_reach(reach: Any) -> None:
    """Refuse what is no distance that scores can be moved by."""
    if not (is_real(reach) and 0 <= reach < math.inf):
        raise DataError(f"scores cannot be moved by up to {reach!r}: give a number from 0")


def _part(values: NDArray[Any], rows: Any, dimensions: int) -> Indices:
    """The numbers of the cases that a mask or a list of numbers names."""
    if values.ndim != dimensions:
        raise DataError("rows= is for one list of cases, not for a block")
    named = np.asarray(rows)
    if named.dtype.kind == "b" and named.shape == values.shape[:1]:
        return np.flatnonzero(named)
    if named.dtype.kind not in "iu" or named.ndim != 1 or np.unique(named).size != named.size:
        raise DataError(
            f"rows= needs a mask of {values.shape[0]} cases, or the numbers of distinct cases"
        )
    if named.size and not 0 <= named.min() <= named.max() < values.shape[0]:
        raise DataError(f"rows= needs numbers from 0 to {values.shape[0] - 1}")
    return named.astype(np.int64)


def _choose(
    counts: Indices, among: Mask | None, shape: tuple[int, ...], rng: np.random.Generator
) -> Mask:
    """So many entries of each row, chosen at random; with ``among`` only of those it marks.

    Each entry gets a random whole number, made distinct by its place in the lowest bits; those with
    the least numbers are chosen, and there are exactly so many.
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
