"""Write the numbers of cases that pROC's power.roc.test asks for, for the tests to agree with.

Run from anywhere::

    python tools/make_golden_sample_size.py

Needs R with pROC and what `make_golden.py` beside this file needs; `golden_sample_size.R` is the R
part. The pairs of curves are those of `tests/golden/inference_cases.json`.

`tests/golden/sample_size.json` holds records of case (null for one curve with a known auc), auc,
kappa (controls per case), alpha (two-sided), power, ncases, ncontrols, reached (the power with
these numbers rounded up, null for two curves) and peer. pROC has no number of cases for a pair of
curves whose null variance would be negative; such pairs are left out.
"""

from __future__ import annotations

import csv
import json
import math
import subprocess
import tempfile
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from make_golden import GOLDEN, TOOLS, write_json

if TYPE_CHECKING:
    from collections.abc import Iterator

Record = dict[str, Any]


def questions(pairs: list[Record]) -> list[Record]:
    """What pROC is asked."""
    one = [
        {"case": None, "auc": auc, "kappa": kappa, "alpha": alpha, "power": power}
        for auc, kappa, (alpha, power) in product(
            (0.55, 0.6, 0.7, 0.8, 0.9, 0.97), (0.5, 1.0, 4.0), ((0.05, 0.8), (0.01, 0.95))
        )
    ]
    two = [
        {"case": pair["name"], "auc": None, "kappa": None, "alpha": alpha, "power": power}
        for pair, (alpha, power) in product(pairs, ((0.05, 0.8), (0.1, 0.9)))
    ]
    return one + two


def answered(pairs: list[Record], asked: list[Record]) -> Iterator[Record]:
    """The questions with the answers of R."""
    rows = ["case\tlabel\ta\tb"]
    for pair in pairs:
        for label, *scores in zip(pair["label"], *pair["scores"].values(), strict=True):
            rows.append("\t".join([pair["name"], str(label), *map(as_text, scores)]))
    lines = ["\t".join(asked[0])]
    for question in asked:
        case, *numbers = question.values()
        lines.append("\t".join([case or "-", *map(as_text, numbers)]))
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("rows.tsv", "questions.tsv", "values.tsv")]
        for path, text in zip(paths[:2], (rows, lines), strict=True):
            path.write_text("\n".join(text) + "\n", encoding="utf-8")
        subprocess.run(["Rscript", TOOLS / "golden_sample_size.R", *paths], check=True)
        with paths[2].open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                yield from record(asked[int(row["number"])], row)


def record(question: Record, row: dict[str, str]) -> Iterator[Record]:
    """The record of a question that has an answer."""
    ncases, ncontrols = float(row["ncases"]), float(row["ncontrols"])
    reached = None if row["power"] == "NA" else float(row["power"])
    if math.isfinite(ncases):
        found = {"ncases": ncases, "ncontrols": ncontrols, "reached": reached}
        yield question | found | {"peer": row["peer"]}


def as_text(number: float | None) -> str:
    return "NA" if number is None else float(number).hex()


def main() -> None:
    pairs = json.loads((GOLDEN / "inference_cases.json").read_text(encoding="utf-8"))
    write_json(GOLDEN / "sample_size.json", answered(pairs, questions(pairs)))


if __name__ == "__main__":
    main()
