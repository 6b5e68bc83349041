"""Alternative hypotheses: how the scores of positives and negatives differ.

Each alternative draws data sets of scores in [0, 1]. A case has a latent value from a base
distribution with mean 0 and standard deviation 1, which is transformed if the case is positive; the
score is a logistic function of the result. The steepness determines how extreme the scores are: at
0.1 they are close to 0.5 and nearly linear in the latent value; at 4 most are close to 0 or 1.
Measures of the order do not depend on it.

Any object with the method ``draw`` of ``Alternative`` is an alternative.
"""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, Unpack

import numpy as np

from metameasure._arguments import POSITIVE, TEXT, Choice, Real, read_argument
from metameasure._text import shown
from metameasure.data import DataOptions, read_models, takes_models
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.measurement import split_outside

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure._types import Floats

    Generator = np.random.Generator
    Size = tuple[int, int]

PEAK = 0.9
"""Distance of each of the two peaks from 0."""


class Alternative(Protocol):
    """An object that draws the scores of data sets."""

    def draw(
        self, data_sets: int, positives: int, negatives: int, rng: Generator, *, null: bool = False
    ) -> tuple[Any, Any]:
        """The scores of the positives and of the negatives, one row per data set.

        With ``null`` both classes have the same distribution.
        """
        ...


def _two_peaks(size: Size, rng: Generator) -> Floats:
    peak = np.where(rng.random(size) < 0.5, -PEAK, PEAK)
    return peak + math.sqrt(1 - PEAK**2) * rng.standard_normal(size)


FAMILIES: dict[str, Callable[[Size, Generator], Floats]] = {
    "normal": lambda size, rng: rng.standard_normal(size),
    "uniform": lambda size, rng: rng.uniform(-math.sqrt(3), math.sqrt(3), size),
    "logistic": lambda size, rng: rng.logistic(0.0, math.sqrt(3) / math.pi, size),
    "laplace": lambda size, rng: rng.laplace(0.0, math.sqrt(0.5), size),
    "exponential": lambda size, rng: rng.standard_exponential(size) - 1,
    "two_peaks": _two_peaks,
}
"""Distributions with mean 0 and standard deviation 1."""


@dataclass(frozen=True)
class Base:
    """The distribution of the scores of both classes under the null hypothesis."""

    family: str = "normal"
    steepness: float = 1.0

    def latent(self, size: Size, rng: Generator) -> Floats:
        """Latent values."""
        return FAMILIES[self.family](size, rng)

    def score(self, latent: Floats) -> Floats:
        """The scores of cases with these latent values."""
        from scipy.special import expit  # noqa: PLC0415

        scores: Floats = expit(self.steepness * latent)
        return scores

    def __str__(self) -> str:
        return (
            self.family if self.steepness == 1 else f"{self.family}, steepness {self.steepness:g}"
        )


@dataclass(frozen=True)
class Latent:
    """Negatives have the base distribution, positives a transformation of it."""

    name: str
    arguments: tuple[Any, ...]
    base: Base

    def draw(
        self, data_sets: int, positives: int, negatives: int, rng: Generator, *, null: bool = False
    ) -> tuple[Floats, Floats]:
        """The scores of the positives and of the negatives, one row per data set."""
        size = data_sets, positives
        if null:
            of_positives = self.base.latent(size, rng)
        else:
            of_positives = TRANSFORMATIONS[self.name](self.base, size, rng, *self.arguments)
        of_negatives = self.base.latent((data_sets, negatives), rng)
        return self.base.score(of_positives), self.base.score(of_negatives)

    def __str__(self) -> str:
        words = (one if isinstance(one, str) else f"{one:g}" for one in self.arguments)
        return f"{self.name}({', '.join(words)})"


TRANSFORMATIONS: dict[str, Callable[..., Floats]] = {
    "location": lambda base, size, rng, shift: base.latent(size, rng) + shift,
    "scale": lambda base, size, rng, ratio: base.latent(size, rng) * ratio,
    "shape": lambda _, size, rng, family: FAMILIES[family](size, rng),
    "mixture": lambda base, size, rng, share, shift: (
        base.latent(size, rng) + shift * (rng.random(size) < share)
    ),
}
"""Latent values of positives."""


@dataclass(frozen=True, eq=False)
class ResampledScores:
    """See ``own_scores``."""

    positives: Floats = field(repr=False)
    negatives: Floats = field(repr=False)
    base: str = "own scores"

    def draw(
        self, data_sets: int, positives: int, negatives: int, rng: Generator, *, null: bool = False
    ) -> tuple[Floats, Floats]:
        """The scores of the positives and of the negatives, one row per data set."""
        sizes = (data_sets, positives), (data_sets, negatives)
        if not null:
            return rng.choice(self.positives, sizes[0]), rng.choice(self.negatives, sizes[1])
        share = positives / (positives + negatives)
        of_positives, of_negatives = (
            np.where(
                rng.random(size) < share,
                rng.choice(self.positives, size),
                rng.choice(self.negatives, size),
            )
            for size in sizes
        )
        return of_positives, of_negatives

    def __str__(self) -> str:
        return "own scores"


def location(shift: float, base: str = "normal", steepness: float = 1.0) -> Latent:
    """The positives are shifted by ``shift`` standard deviations of the base distribution.

    Args:
        shift: the shift of the latent values.
        base: "normal", "uniform", "logistic", "laplace", "exponential" or "two_peaks".
        steepness: the slope of the score as a function of the latent value.

    >>> print(location(0.8, "laplace"))
    location(0.8)
    """
    return Latent("location", (read_argument("shift", shift, Real()),), _base(base, steepness))


def scale(ratio: float, base: str = "normal", steepness: float = 1.0) -> Latent:
    """The standard deviation of the positives is ``ratio`` times that of the negatives."""
    return Latent("scale", (read_argument("ratio", ratio, POSITIVE),), _base(base, steepness))


def shape(family: str, base: str = "normal", steepness: float = 1.0) -> Latent:
    """The positives have another distribution with the same mean and variance.

    ``family`` takes the same names as ``base``.
    """
    return Latent("shape", (read_argument("family", family, _NAMES),), _base(base, steepness))


def mixture(share: float, shift: float, base: str = "normal", steepness: float = 1.0) -> Latent:
    """A fraction of the positives is shifted by ``shift``; the rest are like the negatives."""
    given = read_argument("share", share, Real(0, 1)), read_argument("shift", shift, Real())
    return Latent("mixture", given, _base(base, steepness))


@takes_models(DataOptions)
def own_scores(y_true: Any, scores: Any = None, **data: Unpack[DataOptions]) -> ResampledScores:
    """Scores resampled from your own predictions by one model, separately for each class.

    Under the null hypothesis both classes are resampled from the cases of both, in the proportion
    of the sample sizes. Cases are drawn with replacement, so that there may be ties.
    """
    models = read_models(y_true, scores, number="one", **data)
    rows = models.rows_for("resampling")
    if rows.weight is not None:
        raise DataError("own scores are resampled with equal weights", remedy="omit the weights")
    score, positive = rows.scores[models.only("resampling")], rows.positive
    if positive.all() or not positive.any():
        kind = "positive" if positive.all() else "negative"
        raise DataError(f"need cases of both classes, but all {positive.size} cases are {kind}")
    return ResampledScores(score[positive], score[~positive])


_NAMES = Choice(tuple(FAMILIES))
MAKERS: dict[str, Callable[..., Latent]] = {
    "location": location,
    "scale": scale,
    "shape": shape,
    "mixture": mixture,
}


def parse_alternative(text: str) -> Latent:
    """Parse an alternative, as written on the command line.

    >>> parse_alternative("location(0.8, base=laplace, steepness=4)")
    Latent(name='location', arguments=(0.8,), base=Base(family='laplace', steepness=4.0))
    """
    read_argument("alternative", text, TEXT)
    name, bracket, rest = text.strip().partition("(")
    maker = MAKERS.get(name.strip())
    if maker is None or not bracket or not rest.endswith(")"):
        kinds = ", ".join(f"{kind}{_takes(kind)}" for kind in MAKERS)
        raise ParameterError(
            (Argument("alternative"), f" must be one of {kinds}, got {shown([text])}")
        )
    given, named = [], {}
    for part in split_outside(rest[:-1]):
        key, equals, value = (word.strip() for word in part.rpartition("="))
        if equals:
            named[key] = _read(value)
        else:
            given.append(_read(value))
    try:
        inspect.signature(maker).bind(*given, **named)
    except TypeError as error:
        call = f"{name.strip()}{_takes(name.strip())}"
        raise ParameterError(
            (Argument("alternative"), f" must be {call}, got {shown([text])} ({error})")
        ) from None
    try:
        return maker(*given, **named)
    except ParameterError as error:
        raise error.about("alternative") from None


def _takes(name: str) -> str:
    return f"({', '.join(inspect.signature(MAKERS[name]).parameters)})"


def _read(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word


def _base(family: str, steepness: float) -> Base:
    return Base(
        read_argument("base", family, _NAMES), read_argument("steepness", steepness, POSITIVE)
    )
