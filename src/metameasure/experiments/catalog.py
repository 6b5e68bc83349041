"""The catalog: what is known of each data set, without its data."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from metameasure.experiments.dataset import Attribute, Dataset


@dataclass(frozen=True)
class PaperData:
    """A data set as a paper describes it.

    Attributes:
        name: its name in the paper.
        rows: the number of rows that the paper prints, if it does.
        majority: the share of the largest class that the paper prints, in percent, if it does.
    """

    name: str
    rows: int | None = None
    majority: float | None = None


@dataclass(frozen=True)
class Entry:
    """What a data set must be: attributes, classes and counts of the standard file.

    Attributes:
        name: the name in the catalog; the file is the name with the suffix .csv.
        title: the title of the data set.
        rows: the number of rows.
        sha256: the hash of the file.
        attributes: the columns.
        classes: the number of rows of each class; empty if the target is a number.
        missing: the number of missing values of each column that has some.
        papers: the papers that use it, by key.
        openml: its name in OpenML; None if it is not known there.
    """

    name: str
    title: str
    rows: int
    sha256: str
    attributes: tuple[Attribute, ...]
    classes: dict[str, int] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)
    papers: dict[str, PaperData] = field(default_factory=dict)
    openml: str | None = None

    def differences(self, found: Dataset) -> list[str]:
        """What is different in a data set that should be this one; empty if nothing is."""
        different = []

        def same(what: str, expected: object, came: object) -> None:
            if expected != came:
                different.append(f"{what}: expected {expected}, found {came}")

        unlabeled = self.missing.get("class", 0)
        same("rows", self.rows - unlabeled, len(found))
        same("attributes", len(self.attributes), len(found.attributes))
        for expected, came in zip(self.attributes, found.attributes, strict=False):
            same(f"levels of {expected.name}", _levels(expected), _levels(came))
        if self.classes:
            same("class sizes", sorted(self.classes.values()), sorted(found.counts.values()))
        if not unlabeled:
            same("missing values", sum(self.missing.values()), int(np.isnan(found.values).sum()))
        return different

    def paper_notes(self, paper: str, found: Dataset) -> list[str]:
        """How a data set differs from the row count and majority share that a paper prints."""
        printed = self.papers.get(paper, PaperData(self.name))
        notes = []
        if printed.rows is not None and printed.rows != len(found):
            notes.append(f"the paper has {printed.rows} rows, this data {len(found)}")
        if printed.majority is not None:
            share = 100 * max(found.counts.values()) / len(found)
            if abs(share - printed.majority) >= 0.005:
                notes.append(
                    f"the paper's largest class has {printed.majority:.2f}%, this data {share:.2f}%"
                )
        return notes


@cache
def catalog() -> dict[str, Entry]:
    """All data sets of the papers that exist as files, by name."""
    text = files("metameasure.experiments").joinpath("catalog.json").read_text("utf-8")
    return {name: _entry(name, fields) for name, fields in json.loads(text).items()}


def _entry(name: str, fields: dict[str, Any]) -> Entry:
    rest = dict(fields)
    columns, papers = rest.pop("attributes"), rest.pop("papers")
    return Entry(
        name=name,
        attributes=tuple(
            Attribute(column, None if levels is None else tuple(levels))
            for column, levels in columns.items()
        ),
        papers={paper: PaperData(**each) for paper, each in papers.items()},
        **rest,
    )


def _levels(attribute: Attribute) -> int:
    return 0 if attribute.levels is None else len(attribute.levels)
