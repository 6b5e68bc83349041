"""What kind of statistic a measure is: that decides how its value varies from sample to sample.

A measure that declares none of these is any function of the table; resampling tells how it varies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def _itself(mean: Any) -> Any:
    return mean


@dataclass(frozen=True)
class PairMean:
    """The mean, over all pairs of a positive and a negative, of something within the range.

    ``components`` gives, from a table and the parameters, the mean over the negatives for a
    positive at each row, and the mean over the positives for a negative at each row.
    """

    components: Callable[..., tuple[Any, Any]]


@dataclass(frozen=True)
class CaseMean:
    """The mean of a loss or gain over all cases, or a function of that mean that never falls.

    ``losses`` gives, from a table and the parameters, what a positive and what a negative at each
    row counts.
    """

    losses: Callable[..., tuple[Any, Any]]
    of_mean: Callable[[Any], Any] = _itself


@dataclass(frozen=True)
class Share:
    """The share of some cases of others, as long as the cut is at a threshold.

    ``counts`` gives both from the confusion matrix.
    """

    counts: Callable[[Any], tuple[Any, Any]]


@dataclass(frozen=True)
class Extreme:
    """A maximum over all cuts, or a function of the hull, which is one.

    It exploits chance, so that it is too good on a sample, and on a resample once more.
    """


Sampling = PairMean | CaseMean | Share | Extreme
