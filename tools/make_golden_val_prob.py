"""Write small data sets and the answers of val.prob (R package rms), for comparison in the tests.

Run from anywhere::

    python tools/make_golden_val_prob.py

Needs R with rms (on Debian and Ubuntu: ``apt install r-base-core r-cran-rms``); the R part is
`golden_calibration.R` beside this file. `tests/golden/val_prob.json` has the data sets, and records
of case, statistic (as val.prob names it), value and peer with its version.
"""

from __future__ import annotations

import csv
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from scipy.special import expit

TOOLS = Path(__file__).resolve().parent
FILE = TOOLS.parent / "tests" / "golden" / "val_prob.json"


def cases() -> list[dict[str, object]]:
    """Data sets whose number of cases is divisible by 3, so that windows of 2/3 are whole."""
    rng = np.random.default_rng(20)
    made: list[dict[str, object]] = []
    for name, n, shift, steep in (
        ("calibrated", 300, 0.0, 1.0),
        ("overconfident", 150, 0.5, 2.0),
        ("underconfident", 600, -0.3, 0.5),
    ):
        odds = rng.normal(-0.7, 1.3, n)
        label = rng.random(n) < expit(odds)
        score = np.round(expit(shift + steep * odds), 6).clip(1e-6, 1 - 1e-6)
        made.append({"name": name, "label": label.astype(int).tolist(), "score": score.tolist()})
    tied = {"name": "tied", "label": made[0]["label"]}
    made.append(tied | {"score": np.round(made[0]["score"], 1).clip(0.05, 0.95).tolist()})
    return made


def answers(made: list[dict[str, object]]) -> list[dict[str, object]]:
    """What R answers."""
    with tempfile.TemporaryDirectory() as folder:
        rows, values = Path(folder) / "rows.tsv", Path(folder) / "values.tsv"
        lines = ["case\tlabel\tscore"]
        for case in made:
            pairs = zip(case["label"], case["score"], strict=True)  # type: ignore[call-overload]
            lines += [f"{case['name']}\t{label}\t{float(score).hex()}" for label, score in pairs]
        rows.write_text("\n".join(lines) + "\n", encoding="utf-8")
        subprocess.run(["Rscript", TOOLS / "golden_calibration.R", rows, values], check=True)
        with values.open(encoding="utf-8", newline="") as file:
            found = list(csv.DictReader(file, delimiter="\t"))
    return [record | {"value": float(record["value"])} for record in found]


def main() -> None:
    """Write the file, one case or record per line."""
    made = cases()
    parts = {"cases": made, "values": answers(made)}
    text = ",\n".join(
        f'"{name}": [\n' + ",\n".join(json.dumps(one) for one in some) + "\n]"
        for name, some in parts.items()
    )
    FILE.write_text("{\n" + text + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
