"""What follows from printed rows: the exact sign test."""

from __future__ import annotations

import math


def sign_test(wins: int, losses: int) -> float:
    """The exact two-tailed p-value of a number of wins and losses.

    >>> round(sign_test(9, 2), 3)
    0.065
    """
    n = wins + losses
    tail = sum(math.comb(n, k) for k in range(max(wins, losses), n + 1))
    return min(1.0, tail / 2.0 ** (n - 1))


def critical_wins(trials: int, level: float) -> int:
    """The least number of wins that is significant at a level, two-tailed.

    >>> critical_wins(11, 0.05), critical_wins(6, 0.1)
    (10, 6)
    """
    significant = (
        k for k in range(trials + 1) if 2 * k > trials and sign_test(k, trials - k) <= level
    )
    return next(significant, trials + 1)
