"""Write the tables of docs/advice.md: `advise` on real and simulated tasks.

    python tools/make_advice.py

Needs scikit-learn. Six models of different kinds learn each task from few cases and score the rest;
the rest is what `advise` gets. Everything is seeded, and takes about two minutes.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from make_demo import models
from sklearn.datasets import load_breast_cancer, load_digits, make_classification
from sklearn.model_selection import train_test_split

import metameasure as mm

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).resolve().parents[1] / "docs" / "advice.md"
BEGIN, END = "<!-- found: begin -->", "<!-- found: end -->"
SHOWN = ("auc", "scored_auc", "h_measure", "average_precision", "brier", "log_loss", "accuracy",
         "f_measure", "sar", "taks", "ks")  # fmt: skip
SIZE = 100
MARKS = {"recommended": "**{}**", "worse": "*{}*", "undetermined": "{}"}
"""How regrets are written, by group."""


def tasks() -> Iterator[tuple[str, Any, Any, float]]:
    """Names, features, classes, and the fraction of cases for training."""
    pixels, digit = load_digits(return_X_y=True)
    yield "digits: odd?", pixels, digit % 2 == 1, 0.15
    yield "digits: an 8?", pixels, digit == 8, 0.15
    features, benign = load_breast_cancer(return_X_y=True)
    yield "breast cancer", features, benign == 0, 0.2
    for name, seed, share in (("noisy, 25% positive", 1, 0.25), ("noisy, 10% positive", 2, 0.1)):
        features, label = make_classification(
            4000, 20, n_informative=6, n_redundant=6, flip_y=0.15, class_sep=0.7,
            weights=[1 - share], random_state=seed,
        )  # fmt: skip
        yield name, features, label == 1, 0.15


def predictions(features: Any, label: Any, share: float) -> tuple[Any, dict[str, Any]]:
    """The classes of the cases that no model has seen, and each model's scores of them."""
    seen, unseen, taught, asked = train_test_split(
        features, label, train_size=share, stratify=label, random_state=0
    )
    return asked, {
        name: model.fit(seen, taught).predict_proba(unseen)[:, 1]
        for name, model in models().items()
    }


def found() -> str:
    """For each goal a table of regrets, and what was recommended."""
    lines: list[str] = []
    data = {name: predictions(*rest) for name, *rest in tasks()}
    for goal in ("auc", "accuracy"):
        columns, recommendations = [], []
        for name, (label, scores) in data.items():
            advice = mm.advise(label, scores, goal, [SIZE], noise=())
            columns.append({row.measure: row for row in advice.rows})
            recommendations.append(f"- **{name}** ({label.size} cases): {advice.recommendation}")
        lines += ["", f"### Goal: {goal}", "", f"| measure | {' | '.join(data)} |"]
        lines.append(f"| --- |{' --- |' * len(data)}")
        for measure in SHOWN:
            cells = [_cell(column, measure) for column in columns]
            lines.append(f"| {measure} | {' | '.join(cells)} |")
        lines += ["", *recommendations]
    return "\n".join(lines)


def _cell(rows: dict[str, Any], measure: str) -> str:
    if measure not in rows:
        return "–"
    row = rows[measure]
    return MARKS[row.group].format(f"{row.regret:.4f} ± {row.regret_se:.4f}")


def main() -> None:
    """Replace the generated part of the page."""
    made, page = found(), PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{made}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
