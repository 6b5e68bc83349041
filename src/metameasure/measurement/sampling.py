"""What kind of statistic a measure is: that decides how its value varies from sample to sample.

A measure that declares none of these is any function of the table; resampling tells how it varies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class PairMean:
    """The mean, over all pairs of a positive and a negative, of something within the range.

    ``components`` gives, from a table and the parameters, the mean over the negatives for a
    positive at each row, and the mean over the positives for a negative at each row.
    ``own_methods`` names interval methods that were derived for this measure alone.
    """

    components: Callable[..., tuple[Any, Any]]
    own_methods: tuple[str, ...] = ()


@dataclass(frozen=True)
class ClassPairMean:
    """The mean, over all pairs of cases of two different classes, of something within the range.

    ``components`` gives, from the scores for several classes and the parameters, for each case what
    all pairs that it is part of contribute.
    """

    components: Callable[..., Any]


@dataclass(frozen=True)
class CaseMean:
    """The mean of a loss or gain over all cases, or a function of that mean that never falls.

    ``losses`` gives, from a table and the parameters, what a positive and what a negative at each
    row counts; ``of_mean`` is the function, if there is one. ``ends`` gives, from the parameters,
    the least and the most that a case can count, where these are not the ends of the range.
    """

    losses: Callable[..., tuple[Any, Any]]
    of_mean: Callable[[Any], Any] | None = None
    ends: Callable[..., tuple[float, float]] | None = None


@dataclass(frozen=True)
class Share:
    """The fraction of some cases among others, when the cut is at a threshold.

    ``counts`` gives both numbers from the confusion matrix. ``right`` is True for the fraction of
    right answers among all cases, False for that of wrong ones, and None for other fractions.
    """

    counts: Callable[[Any], tuple[Any, Any]]
    right: bool | None = None


@dataclass(frozen=True)
class Extreme:
    """A maximum or minimum over all cuts or all signs, or a function of the hull, which is one.

    It makes the most of chance, so that it goes too far on a sample, and on a resample once more.
    ``by_chance`` gives, from a table, a probability and the parameters, the value that chance alone
    exceeds with that probability where there is nothing to be found, if this is known.
    """

    of: Literal["max", "min"] = "max"
    by_chance: Callable[..., float] | None = None


@dataclass(frozen=True)
class NoInterval:
    """A statistic whose value is none of a population, so that it gets no interval by itself."""

    reason: str


Sampling = PairMean | ClassPairMean | CaseMean | Share | Extreme | NoInterval
