"""Noise in labels, scores, class proportions and attributes.

Each function takes the data, the level of noise and a random generator, and returns new data. The
classes add the same noise to pairs of models, for studies of robustness. Any function of
(pairs, level, rng) that returns pairs can take their place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from metameasure._arguments import Flag, Instance, Real, read_argument
from metameasure.data import as_block
from metameasure.errors import Argument, DataError, ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices, Mask
    from metameasure.lab.perturbation.model_pairs import Pairs


SHARE, DISTANCE = Real(0, 1), Real(0)
GENERATOR = Instance((np.random.Generator,), "a numpy.random.Generator")


def redraw_labels(
    positive: Mask, share: float, rng: np.random.Generator, *, rows: Any = None
) -> Mask:
    """The labels, with a fraction of them redrawn with probability 1/2 for each class.

    On average half of the redrawn labels keep their class. Each row of a block has
    ``round(share * n)`` redrawn labels, n being the number of cases that may change.

    Args:
        positive: the classes, ``(..., n)``.
        share: the fraction of the labels that are redrawn.
        rng: the random generator.
        rows: the cases that may change, e.g. a training part: a mask of one list or of the block,
            or the indices of the cases; None for all.

    >>> labels = np.zeros(1000, bool)
    >>> int(redraw_labels(labels, 0.4, np.random.default_rng(1)).sum())
    199
    """
    share, rng = read_argument("share", share, SHARE), read_argument("rng", rng, GENERATOR)
    noisy = as_block(positive, "positive", "biu", "bool").astype(bool)
    among = _mask(rows, noisy.shape)
    counts = _rounded(share, among)
    # A redrawn label changes its class with probability 1/2.
    noisy ^= _choose(counts, among, rng) & rng.integers(0, 2, noisy.shape, dtype=bool)
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
    reach, rng = read_argument("reach", reach, DISTANCE), read_argument("rng", rng, GENERATOR)
    score = as_block(score, "score", "fiu", "numbers")
    clip = read_argument("clip", clip, Flag())
    noisy = rng.random(score.shape)
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
    share, rng = read_argument("share", share, SHARE), read_argument("rng", rng, GENERATOR)
    positive = as_block(positive, "positive", "biu", "bool").astype(bool, copy=False)
    return ~_choose(_rounded(share, positive), positive, rng)


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
        rows: the cases that may change, e.g. the training part: a mask or indices; None for all.

    >>> table = np.arange(20).reshape(10, 2)
    >>> noisy = permute_attributes(table, 0.5, np.random.default_rng(1))
    >>> bool((np.sort(noisy, axis=0) == table).all()), int((noisy != table).sum())
    (True, 9)
    """
    share, rng = read_argument("share", share, SHARE), read_argument("rng", rng, GENERATOR)
    noisy = as_block(attributes, "attributes", "biufcmMOSUV", "values")
    if noisy.ndim != 2:
        raise DataError(
            f"attributes must be a matrix of cases by attributes, got an array of shape "
            f"{noisy.shape}",
            argument="attributes",
        )
    among = _mask(rows, noisy.shape[:1])
    return np.take_along_axis(noisy, permuted_rows(among, noisy.shape[1], share, rng), axis=0)


def permuted_rows(
    among: Mask, attributes: int, share: float, rng: np.random.Generator
) -> NDArray[np.int32]:
    """The row that each value comes from if a fraction of each attribute is permuted.

    Args:
        among: the cases that may change, ``(..., n)``.
        attributes: the number of attributes.
        share: the fraction of these cases whose values are permuted, drawn anew per attribute.
        rng: the random generator.

    Returns:
        Row numbers, ``(..., n, attributes)``.
    """
    size = among.shape[-1]
    counts = _rounded(share, among)[..., np.newaxis, np.newaxis]
    keys = rng.random((*among.shape[:-1], attributes, size))
    keys[~np.broadcast_to(among[..., np.newaxis, :], keys.shape)] = 1.0
    most = int(counts.max(initial=0))
    order = np.argsort(keys, axis=-1)[..., :most].astype(np.int32)
    # Rows in random order replace the same rows in increasing order; lines with fewer of them are
    # filled up with a row after the last one, which is cut off.
    source = np.where(np.arange(most) < counts, order, np.int32(size))
    rows = np.empty((*keys.shape[:-1], size + 1), dtype=np.int32)
    rows[:] = np.arange(size + 1)
    np.put_along_axis(rows, np.sort(source, axis=-1), source, axis=-1)
    return np.moveaxis(rows[..., :size], -1, -2)


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


def _mask(rows: Any, shape: tuple[int, ...]) -> Mask:
    """The cases that may change, as a mask of this shape."""
    if rows is None:
        return np.ones(shape, dtype=bool)
    given, n = Argument("rows"), shape[-1]
    named = as_block(rows, "rows", "biufcmMOSUV", "values")
    if named.dtype.kind == "b" and named.shape in {shape, shape[-1:]}:
        return np.broadcast_to(named, shape)
    if named.dtype.kind not in "iu" or named.ndim != 1 or np.unique(named).size != named.size:
        raise ParameterError((given, f" must be a mask of {n} cases or distinct case indices"))
    if named.size and not 0 <= named.min() <= named.max() < n:
        raise ParameterError((given, f" must be case indices from 0 to {n - 1}"))
    mask = np.zeros(shape, dtype=bool)
    mask[..., named] = True
    return mask


def _rounded(share: float, among: Mask) -> Indices:
    """The fraction of the marked cases of each list, as a whole number."""
    counts: Indices = np.rint(share * np.count_nonzero(among, axis=-1)).astype(np.int64)
    return counts


def _choose(counts: Indices, among: Mask, rng: np.random.Generator) -> Mask:
    """A mask with ``counts`` random entries per list, only among those that ``among`` marks.

    Each entry gets a random integer key, made distinct by its position in the lowest bits; the
    entries with the smallest keys are chosen.
    """
    size = among.shape[-1]
    bits = max(size - 1, 1).bit_length()
    keys = rng.integers(0, 1 << (62 - bits), among.shape) << bits
    keys |= np.arange(size)
    keys[~among] = np.iinfo(np.int64).max
    ranked = np.sort(keys, axis=-1)
    last = np.take_along_axis(ranked, np.maximum(counts - 1, 0)[..., np.newaxis], -1)
    chosen: Mask = (keys <= last) & (counts > 0)[..., np.newaxis]
    return chosen
