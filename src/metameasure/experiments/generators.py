"""Data sets that are rules: complete enumerations and random generators.

Enumerations (monks, tic-tac-toe, balance) are the same on every machine; random ones depend on
their arguments only.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from metameasure._arguments import Real, Whole, read_argument, read_seed
from metameasure.experiments.dataset import Attribute, Dataset

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats, Indices, Mask

GENERATED = "generated"
MONKS_LEVELS = (3, 3, 2, 3, 4, 2)
MONKS_TRAINING = {1: 124, 2: 169, 3: 122}
"""The number of rows of the published training part of each problem."""
SQUARES = tuple(
    f"{row}-{column}-square"
    for row, column in product(("top", "middle", "bottom"), ("left", "middle", "right"))
)
LINES = np.array(
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]
)
DIGITS = (0x77, 0x12, 0x5D, 0x5B, 0x3A, 0x6B, 0x6F, 0x52, 0x7F, 0x7B)
"""The lit segments of the digits 0 to 9, as bits from 6 to 0: top, upper left, upper right, middle,
lower left, lower right, bottom."""


def monks(problem: int = 1) -> Dataset:
    """The complete test part of a MONK's problem: all 432 robots, each with its class.

    No rule gives the published training parts (that of problem 3 has errors in its labels), so
    they are not generated.

    >>> monks(2).counts
    {'0': 290, '1': 142}
    """
    problem = read_argument("problem", problem, Whole(1, 3))
    values = _combinations(MONKS_LEVELS)
    a1, a2, _, a4, a5, _ = (values + 1).T
    truth: dict[int, Mask] = {
        1: (a1 == a2) | (a5 == 1),
        2: np.count_nonzero(values == 0, axis=1) == 2,
        3: ((a5 == 3) & (a4 == 1)) | ((a5 != 4) & (a2 != 3)),
    }
    return Dataset(
        name=f"monks-{problem}",
        attributes=tuple(
            Attribute(f"a{i}", tuple(map(str, range(1, levels + 1))))
            for i, levels in enumerate(MONKS_LEVELS, start=1)
        ),
        values=values,
        classes=("0", "1"),
        target=truth[problem].astype(np.intp),
        origin=GENERATED,
        notes=(f"test part only, without the {MONKS_TRAINING[problem]} training rows",),
    )


def tic_tac_toe() -> Dataset:
    """All 958 boards at the end of a game of tic-tac-toe that x began; positive if x won.

    >>> tic_tac_toe().counts
    {'negative': 332, 'positive': 626}
    """
    boards = _combinations((3,) * 9)  # 0 is blank, 1 is o, 2 is x
    x, o = boards == 2, boards == 1
    x_wins, o_wins = (side[:, LINES].all(axis=2).any(axis=1) for side in (x, o))
    more = x.sum(axis=1) - o.sum(axis=1)  # x has moved once more than o, unless o moved last
    ended = np.where(x_wins, (more == 1) & ~o_wins, (o_wins & (more == 0)))
    full = (boards != 0).all(axis=1) & (more == 1) & ~o_wins
    kept = ended | full
    return Dataset(
        name="tic-tac-toe",
        attributes=tuple(Attribute(square, ("b", "o", "x")) for square in SQUARES),
        values=boards[kept],
        classes=("negative", "positive"),
        target=x_wins[kept].astype(np.intp),
        origin=GENERATED,
    )


def balance() -> Dataset:
    """All 625 states of a balance scale: which side tips (L, R), or whether it balances (B).

    >>> balance().counts
    {'B': 49, 'L': 288, 'R': 288}
    """
    values = _combinations((5,) * 4) + 1
    moment = values[:, 0] * values[:, 1] - values[:, 2] * values[:, 3]
    names = ("left-weight", "left-distance", "right-weight", "right-distance")
    return Dataset(
        name="balance",
        attributes=tuple(map(Attribute, names)),
        values=values,
        classes=("B", "L", "R"),
        target=np.select([moment > 0, moment < 0], [1, 2], 0).astype(np.intp),
        origin=GENERATED,
    )


def ringnorm(
    rows: int = 7400, *, mean: float | None = None, attributes: int = 20, seed: int | None = 0
) -> Dataset:
    """Breiman's ringnorm: a normal distribution with covariance 4 I around one with covariance I.

    The class 1 has mean 0; each attribute of class 2 has the mean ``mean``, which is
    1 / sqrt(attributes) by default, as in Breiman's report.
    """
    count = read_argument("attributes", attributes, Whole())
    shift = count**-0.5 if mean is None else read_argument("mean", mean, Real())
    target, generator = _balanced(rows, 2, seed)
    noise = generator.normal(size=(len(target), count))
    values = np.where(target[:, None] == 0, 2.0 * noise, noise + shift)
    return _numeric("ringnorm", values, ("1", "2"), target)


def waveform(rows: int = 5000, *, noise: int = 0, seed: int | None = 0) -> Dataset:
    """Breiman's waveforms: mixtures of two of three triangles at 21 points, with normal errors.

    ``noise`` adds attributes that have no information; the published version has 19 of them.
    """
    extra = read_argument("noise", noise, Whole(0))
    target, generator = _balanced(rows, 3, seed)
    points = np.arange(1, 22)
    triangles = np.maximum(6.0 - np.abs(points - np.array([11, 15, 7])[:, None]), 0.0)
    first, second = triangles[[0, 0, 1]][target], triangles[[1, 2, 2]][target]
    share = generator.random((len(target), 1))
    values = generator.normal(size=(len(target), len(points) + extra))
    values[:, : len(points)] += share * first + (1.0 - share) * second
    return _numeric("waveform", values, ("0", "1", "2"), target)


def led(
    rows: int = 5000, *, noise: float = 0.1, irrelevant: int = 0, seed: int | None = 0
) -> Dataset:
    """A digit on a display of seven segments, each of which is inverted with probability ``noise``.

    ``irrelevant`` adds fair coins as attributes; the published version has 17 of them.
    """
    error = read_argument("noise", noise, Real(0, 1))
    extra = read_argument("irrelevant", irrelevant, Whole(0))
    target, generator = _balanced(rows, 10, seed)
    lit = (np.array(DIGITS)[target][:, None] >> np.arange(6, -1, -1)) % 2 == 1
    inverted = generator.random(lit.shape) < error
    coins = generator.random((len(target), extra)) < 0.5
    return Dataset(
        name="led",
        attributes=tuple(Attribute(f"v{i + 1}", ("0", "1")) for i in range(7 + extra)),
        values=np.concatenate([lit ^ inverted, coins], axis=1).astype(np.float64),
        classes=tuple(map(str, range(10))),
        target=target,
        origin=GENERATED,
    )


def polynomial(
    rows: int = 200,
    *,
    coefficients: Sequence[float] = (1.0, 1.0, 1.0, 1.0),
    levels: int = 5,
    noise: float = 0.2,
    seed: int | None = 0,
) -> Dataset:
    """Huang's artificial regression data: a cubic of the sum of nine discrete attributes.

    A share ``noise`` of the targets is replaced by a uniform value between the smallest and the
    largest target. The thesis states neither the coefficients (highest power first) nor the number
    of levels.
    """
    count = read_argument("rows", rows, Whole(2))
    share = read_argument("noise", noise, Real(0, 1))
    generator = np.random.default_rng(read_seed(seed))
    values = generator.integers(0, read_argument("levels", levels, Whole(2)), (count, 9))
    target = np.polyval(np.asarray(coefficients, dtype=np.float64), values.sum(axis=1))
    replaced = generator.random(count) < share
    drawn = generator.uniform(target.min(), target.max(), count)
    data = values.astype(np.float64)
    return _numeric("polynomial", data, (), np.where(replaced, drawn, target))


def _combinations(levels: Sequence[int]) -> Floats:
    """All combinations of level indices; the last attribute changes fastest."""
    return np.array(list(product(*map(range, levels))), dtype=np.float64)


def _balanced(rows: int, classes: int, seed: int | None) -> tuple[Indices, np.random.Generator]:
    """Classes of equal probability, and the generator that goes on from there."""
    generator = np.random.default_rng(read_seed(seed))
    count = read_argument("rows", rows, Whole(2))
    return generator.integers(0, classes, count).astype(np.intp), generator


def _numeric(
    name: str, values: Floats, classes: tuple[str, ...], target: Indices | Floats
) -> Dataset:
    attributes = tuple(Attribute(f"v{i + 1}") for i in range(values.shape[1]))
    return Dataset(name, attributes, values, classes, target, GENERATED)
