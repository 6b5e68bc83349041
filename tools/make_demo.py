"""Write the demonstration data: six models' predictions on scikit-learn's handwritten digits.

Run from anywhere; needs scikit-learn and polars::

    python tools/make_demo.py

The task is "is the digit odd?". The models learn from a stratified 15% of the 1797 images and
score the other 1528. So little training data keeps them apart: nearest neighbors, forest and
boosting have nearly the same AUC but very different Brier scores, naive Bayes and the tree are
far behind. The scores are left as the models gave them: `tree` and `knn` have a handful of
distinct values, `naive_bayes` many exact zeros and ones.

Columns of `src/metameasure/cli/commands/digits.parquet`: `label` (int8, 1 = odd) and, per model,
the predicted probability of an odd digit (float64).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from sklearn.datasets import load_digits
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

if TYPE_CHECKING:
    from sklearn.base import ClassifierMixin

TARGET = (
    Path(__file__).resolve().parents[1]
    / "src"
    / "metameasure"
    / "cli"
    / "commands"
    / "digits.parquet"
)
SEED = 0
TRAIN_SHARE = 0.15


def models() -> dict[str, ClassifierMixin]:
    """The six untrained models, by column name."""
    return {
        "tree": DecisionTreeClassifier(max_depth=5, min_samples_leaf=5, random_state=SEED),
        "naive_bayes": GaussianNB(),
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)),
        "knn": KNeighborsClassifier(n_neighbors=9),
        "forest": RandomForestClassifier(n_estimators=200, random_state=SEED),
        "boosting": HistGradientBoostingClassifier(random_state=SEED),
    }


def predictions() -> pl.DataFrame:
    """Train every model and score the held-out images."""
    pixels, digit = load_digits(return_X_y=True)
    odd = (digit % 2).astype(np.int8)
    train_x, test_x, train_y, test_y = train_test_split(
        pixels, odd, train_size=TRAIN_SHARE, stratify=odd, random_state=SEED
    )
    columns = {"label": test_y}
    for name, model in models().items():
        columns[name] = model.fit(train_x, train_y).predict_proba(test_x)[:, 1].astype(np.float64)
    return pl.DataFrame(columns)


def write(frame: pl.DataFrame, target: Path) -> None:
    """Write the frame under a temporary name and move it into place."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".part")
    frame.write_parquet(part, compression="zstd", compression_level=19)
    part.replace(target)


if __name__ == "__main__":
    write(predictions(), TARGET)
