"""Generated data sets against facts that are published about them, and against slow definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metameasure import experiments
from metameasure.errors import ParameterError


@pytest.mark.parametrize(
    ("problem", "ones"),
    # Thrun et al. 1991: shares of class 1 in the 432 robots
    [(1, 216), (2, 142), (3, 228)],
)
def test_monks_have_the_published_numbers_of_ones(problem: int, ones: int) -> None:
    data = experiments.monks(problem)
    assert data.counts == {"0": 432 - ones, "1": ones}
    assert len({tuple(row) for row in data.values.tolist()}) == 432
    assert "training" in data.notes[0]


def _finished_boards() -> dict[tuple[str, ...], bool]:
    """Every final board, by playing all games."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    final: dict[tuple[str, ...], bool] = {}
    seen = set()

    def play(board: tuple[str, ...], side: str) -> None:
        if board in seen:
            return
        seen.add(board)
        for line in lines:
            marks = {board[square] for square in line}
            if marks in ({"x"}, {"o"}):
                final[board] = marks == {"x"}
                return
        free = [square for square in range(9) if board[square] == "b"]
        if not free:
            final[board] = False
        for square in free:
            after = (*board[:square], side, *board[square + 1 :])
            play(after, "o" if side == "x" else "x")

    play(("b",) * 9, "x")
    return final


def test_tic_tac_toe_is_what_games_end_with() -> None:
    expected = _finished_boards()
    rows = experiments.tic_tac_toe().frame().rows()
    assert {row[:9]: row[9] == "positive" for row in rows} == expected
    assert len(rows) == len(expected) == 958


def test_balance_follows_the_moments() -> None:
    for left, arm, right, other, side in experiments.balance().frame().rows():
        difference = left * arm - right * other
        assert side == ("B" if difference == 0 else "L" if difference > 0 else "R")


def test_ringnorm_has_its_means_and_variances() -> None:
    data = experiments.ringnorm(40_000, seed=3)
    outer, inner = (data.values[data.target == each] for each in (0, 1))
    assert np.allclose(outer.mean(axis=0), 0, atol=0.08)
    assert np.allclose(outer.var(axis=0), 4, atol=0.2)
    assert np.allclose(inner.mean(axis=0), 1 / math.sqrt(20), atol=0.04)
    assert np.allclose(inner.var(axis=0), 1, atol=0.05)


def test_waveforms_average_to_half_of_two_triangles() -> None:
    data = experiments.waveform(60_000, noise=19, seed=1)
    assert data.values.shape == (60_000, 40)
    triangles = [[max(6 - abs(i - top), 0) for i in range(1, 22)] for top in (11, 15, 7)]
    for each, pair in enumerate([(0, 1), (0, 2), (1, 2)]):
        expected = np.mean([triangles[one] for one in pair], axis=0)
        mean = data.values[data.target == each].mean(axis=0)
        assert np.allclose(mean[:21], expected, atol=0.06)
        assert np.allclose(mean[21:], 0, atol=0.04)


def test_led_segments_are_digits_with_noise() -> None:
    clean = experiments.led(2000, noise=0, seed=0)
    shown = {
        (int(digit), tuple(row)) for digit, row in zip(clean.target, clean.values, strict=True)
    }
    assert len(shown) == 10
    lit = {digit: int(sum(row)) for digit, row in shown}
    # numbers of lit segments of a seven-segment display
    assert [lit[digit] for digit in range(10)] == [6, 2, 5, 5, 4, 5, 6, 3, 7, 6]
    noisy = experiments.led(50_000, noise=0.1, irrelevant=17, seed=0)
    assert noisy.values.shape == (50_000, 24)
    right = np.array([row for _, row in sorted(shown)])[noisy.target]
    assert abs((noisy.values[:, :7] != right).mean() - 0.1) < 0.005


def test_polynomial_targets_follow_the_cubic_but_for_the_noise() -> None:
    data = experiments.polynomial(5000, coefficients=(1, -2, 3, 4), noise=0.2, seed=5)
    x = data.values.sum(axis=1)
    kept = np.isclose(data.target, x**3 - 2 * x**2 + 3 * x + 4)
    assert abs(kept.mean() - 0.8) < 0.02
    assert data.classes == ()


def test_generators_depend_on_the_seed_only() -> None:
    first, again, other = (experiments.waveform(50, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.values, again.values)
    assert not np.array_equal(first.values, other.values)


@pytest.mark.parametrize(
    "call",
    [
        lambda: experiments.monks(4),
        lambda: experiments.led(0),
        lambda: experiments.led(noise=2),
        lambda: experiments.polynomial(levels=1),
        lambda: experiments.ringnorm(attributes=0),
    ],
)
def test_nonsense_is_refused(call: object) -> None:
    with pytest.raises(ParameterError):
        call()  # type: ignore[operator]
