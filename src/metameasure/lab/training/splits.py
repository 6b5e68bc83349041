"""Splits of the cases into parts for training, validation and test, and into folds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from metameasure._arguments import FRACTION, Flag, Whole, read_argument
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.inference import generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Indices

TRAIN = 0.5
"""Fraction of the cases for training by default, as in Wu, Flach and Ferri (2007)."""
ROOM = 1e-9
"""Excess of a sum of fractions over 1 that is due to rounding."""


class Split(NamedTuple):
    """The cases of each part, in ascending order."""

    train: Indices
    validation: Indices
    test: Indices


@dataclass(frozen=True)
class Splits:
    """Repeated splits, each determined by the seed and its number.

    Attributes:
        train: the fraction of the cases for training; None for the cases that are left, with folds.
        validation: the fraction of the cases that models are selected on.
        test: the fraction of the cases that the goal is computed on; None for the cases left.
        folds: the number of folds, each of which is the test part once; None without folds.
        repeats: the number of times that the cases are split.
        stratified: whether all parts have the same fractions of the classes, up to rounding.
        seed: the random seed.
    """

    train: float | None
    validation: float
    test: float | None
    folds: int | None
    repeats: int
    stratified: bool
    seed: int

    @classmethod
    def of(
        cls,
        *,
        train: float | None,
        validation: float,
        test: float | None,
        folds: int | None,
        repeats: int,
        stratified: bool,
        seed: int,
    ) -> Splits:
        """The splits, from arguments that are checked."""
        train = read_argument("train", train, FRACTION, optional=True)
        validation = read_argument("validation", validation, FRACTION)
        test = read_argument("test", test, FRACTION, optional=True)
        folds = read_argument("folds", folds, Whole(2), optional=True)
        repeats = read_argument("repeats", repeats, Whole(1))
        read_argument("stratified", stratified, Flag())
        if folds is None:
            train = TRAIN if train is None else train
            given = train + validation + (test or 0.0)
            if given > 1 + ROOM or (test is None and given > 1 - ROOM):
                raise ParameterError(
                    f"the fractions for training ({train:g}) and validation ({validation:g}) leave "
                    f"{'no case' if test is None else 'too few cases'} for the test",
                    remedy=("reduce ", Argument("train"), " or ", Argument("validation")),
                    argument="train",
                )
        elif train is not None or test is not None:
            raise ParameterError(
                (Argument("train"), " and ", Argument("test"), " do not apply with folds"),
                remedy="the test part is one fold, and the rest is for training and validation",
            )
        elif validation >= 1 - 1 / folds:
            raise ParameterError(
                (Argument("validation"), f" must be below 1 - 1/folds, got {validation:g}")
            )
        return cls(train, validation, test, folds, repeats, stratified, seed)

    @property
    def count(self) -> int:
        """The number of splits."""
        return self.repeats * (self.folds or 1)

    def name(self, number: int) -> str:
        """A split in words, for messages."""
        if self.folds is None:
            return f"split {number + 1} of {self.repeats}"
        repeat, fold = divmod(number, self.folds)
        return f"fold {fold + 1} of {self.folds} of repeat {repeat + 1}"

    def rng(self, number: int, purpose: int) -> np.random.Generator:
        """A generator for one purpose of one split or repeat."""
        return generator(np.random.SeedSequence(self.seed, spawn_key=(purpose, number)))

    def split(self, number: int, code: Indices) -> Split:
        """One of the splits of cases with these classes."""
        strata = strata_of(code) if self.stratified else [np.arange(code.size)]
        if self.folds is None:
            assert self.train is not None  # noqa: S101 - read without folds
            end = 1.0 if self.test is None else self.train + self.validation + self.test
            ends = self.train, self.train + self.validation, min(end, 1.0)
            return _checked(_parts(strata, ends, self.rng(number, 0)), self.name(number))
        repeat, fold = divmod(number, self.folds)
        rng = self.rng(repeat, 0)
        place = fold_of_each(strata, self.folds, rng)
        rest = np.flatnonzero(place != fold)
        share = self.validation * code.size / rest.size
        left = strata_of(code[rest]) if self.stratified else [np.arange(rest.size)]
        train, validation = _parts(left, (1 - share, 1.0), self.rng(number, 2))
        parts = rest[train], rest[validation], np.flatnonzero(place == fold)
        return _checked(parts, self.name(number))


def fold_of_each(strata: Sequence[Indices], folds: int, rng: np.random.Generator) -> Indices:
    """The fold of each case; folds and their parts of each stratum differ by at most one case."""
    place = np.empty(sum(map(len, strata)), dtype=np.int64)
    place[np.concatenate([rng.permutation(part) for part in strata])] = (
        np.arange(place.size) % folds
    )
    return place


def stratified_sets(code: Indices, sets: int, rng: np.random.Generator) -> Indices:
    """The set of each case, for disjoint sets of the same size and class fractions."""
    return fold_of_each(strata_of(code), sets, rng)


def strata_of(code: Indices) -> list[Indices]:
    """The cases of each class."""
    return [np.flatnonzero(code == one) for one in np.unique(code)]


def random_parts(code: Indices, ends: Sequence[float], rng: np.random.Generator) -> list[Indices]:
    """Random stratified parts, each up to a cumulative fraction of the cases."""
    return _parts(strata_of(code), ends, rng)


def _parts(
    strata: Sequence[Indices], ends: Sequence[float], rng: np.random.Generator
) -> list[Indices]:
    """Random parts, each up to a cumulative fraction of every stratum."""
    found: list[list[Indices]] = [[] for _ in ends]
    for stratum in strata:
        mixed = rng.permutation(stratum)
        places = [0, *(round(end * stratum.size) for end in ends)]
        for part, begin, end in zip(found, places, places[1:], strict=False):
            part.append(mixed[begin:end])
    return [np.sort(np.concatenate(part)) for part in found]


def _checked(parts: Sequence[Indices], name: str) -> Split:
    split = Split(*parts)
    for part, cases in zip(split._fields, split, strict=True):
        if not cases.size:
            raise DataError(
                f"the {part} part of {name} has no case",
                remedy=("pass more cases, or increase ", Argument(part)),
            )
    return split
