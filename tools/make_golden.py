"""Write small data sets and the answers of other libraries, for comparison in the tests.

Run from anywhere::

    python tools/make_golden.py

Needs scikit-learn, scipy and hmeasure in Python, and R with pROC (on Debian and Ubuntu:
``apt install r-base-core r-cran-proc``); `golden.R` beside this file is the R part.

`tests/golden/cases.json` holds the data: name, label, score, and weight (null: every row counts
once). `tests/golden/peers.json` holds records of case, measure (as the registry spells it), value
and peer with its version. Threshold measures call a case positive when its score is 0.5 or more.

A peer's answer is left out where the measure is undefined and the peer returns a substitute, and
where the peer cannot take the data. A peer without weights gets integer weights as
repeated rows.
"""

from __future__ import annotations

import csv
import json
import math
import subprocess
import tempfile
import warnings
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from hmeasure import h_score
from scipy import stats
from sklearn import metrics  # english: ok
from sklearn.isotonic import IsotonicRegression

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TOOLS = Path(__file__).resolve().parent
GOLDEN = TOOLS.parent / "tests" / "golden"
THRESHOLD = 0.5

Array = np.ndarray
Values = dict[str, float]
Record = dict[str, str | float]


@dataclass(frozen=True)
class Case:
    """One data set: labels 0 or 1, scores, and weights or None."""

    name: str
    label: Array
    score: Array
    weight: Array | None = None

    @property
    def both_classes(self) -> bool:
        """Whether there are positives and negatives."""
        return bool(0 < self.label.sum() < len(self.label))

    @property
    def probabilities(self) -> bool:
        """Whether every score lies in [0, 1]."""
        return bool(self.score.min() >= 0 and self.score.max() <= 1)

    @property
    def contradicted(self) -> bool:
        """Whether something with probability 0 happened."""
        return bool(np.any(self.score == 1 - self.label))

    def repeated(self) -> Case | None:
        """The same data without weights; None if the weights are not integers."""
        if self.weight is None:
            return self
        if np.any(self.weight != np.round(self.weight)):
            return None
        times = self.weight.astype(int)
        return Case(self.name, np.repeat(self.label, times), np.repeat(self.score, times))


def sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def noisy(rng: np.random.Generator, n: int, share: float, shift: float) -> tuple[Array, Array]:
    """Labels with the given share of positives, and logits that lie `shift` higher for them."""
    label = np.zeros(n, dtype=int)
    label[: max(1, round(share * n))] = 1
    label = rng.permutation(label)
    return label, rng.normal(shift * (label - 0.5), 1.0)


def make_cases() -> list[Case]:
    """The data sets, from a fixed seed."""
    rng = np.random.default_rng(20240229)
    cases = [
        Case("tiny", np.array([1, 1, 0, 1, 0, 0]), np.array([0.9, 0.8, 0.7, 0.6, 0.4, 0.2])),
        Case("constant", np.array([1, 0, 0, 1, 0, 0, 1, 0, 0, 0]), np.full(10, 0.3)),
        Case("one_class", np.ones(8, dtype=int), np.linspace(0.15, 0.95, 8).round(3)),
    ]

    label, logit = noisy(rng, 100, 0.45, 1.5)
    cases.append(Case("untied", label, sigmoid(logit)))
    label, logit = noisy(rng, 120, 0.4, 1.2)
    cases.append(Case("tied", label, np.clip(np.round(sigmoid(logit) * 6), 1, 5) / 6))
    label, logit = noisy(rng, 400, 0.05, 1.8)
    cases.append(Case("imbalanced", label, sigmoid(logit - 2.0).round(4)))
    label, logit = noisy(rng, 24, 0.5, 0.5)
    cases.append(Case("separated", label, sigmoid(np.abs(logit) * (2 * label - 1)).round(6)))
    label, logit = noisy(rng, 24, 0.5, 0.5)
    cases.append(Case("reversed", label, sigmoid(np.abs(logit) * (1 - 2 * label)).round(6)))

    # The ROC curve crosses the diagonal: good at the top, worse than chance at the bottom.
    label, logit = noisy(rng, 200, 0.5, 0.0)
    cases.append(Case("crossing", label, sigmoid(logit * np.where(label == 1, 2.2, 0.8))))

    label, logit = noisy(rng, 60, 0.4, 1.5)
    weight = rng.integers(0, 5, size=60).astype(float)
    cases.append(Case("integer_weights", label, sigmoid(logit).round(1) * 0.8 + 0.1, weight))
    label, logit = noisy(rng, 80, 0.35, 1.3)
    weight = rng.gamma(1.5, 1.0, size=80)
    cases.append(Case("real_weights", label, sigmoid(logit).round(2) * 0.9 + 0.05, weight))

    # Exact zeros and ones: one set where some of them are wrong, one where all of them are right.
    label, logit = noisy(rng, 80, 0.4, 1.0)
    cases.append(Case("saturated", label, np.clip(0.5 + logit / 2, 0, 1)))
    score = np.array([1.0, 1.0, 0.75, 0.5, 0.5, 0.25, 1.0, 0.25, 0.0, 0.0, 0.0, 0.5])
    cases.append(Case("certain", np.array([1, 1, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0]), score))

    # Neighboring floats that only differ in the last bit, among exact ties.
    label, _ = noisy(rng, 48, 0.5, 0.0)
    bits = np.float64(0.3).view(np.int64) + rng.integers(0, 16, size=48) + 8 * label
    cases.append(Case("last_bit", label, bits.view(np.float64)))

    # Scores that are not probabilities.
    label, logit = noisy(rng, 50, 0.5, 1.5)
    cases.append(Case("logits", label, 3 * logit))
    return cases


def in_scikit_learn(case: Case) -> Values:
    """Threshold, ranking and probability measures, with weights."""
    values = threshold_measures(case) | probability_measures(case)
    weight = {"sample_weight": case.weight}
    values["average_precision"] = metrics.average_precision_score(case.label, case.score, **weight)
    if case.both_classes:
        values["auc"] = metrics.roc_auc_score(case.label, case.score, **weight)
        values["partial_auc(fpr=(0, 0.1), standardized=True)"] = metrics.roc_auc_score(
            case.label, case.score, max_fpr=0.1, **weight
        )
        fpr, tpr, _ = metrics.roc_curve(case.label, case.score, drop_intermediate=False, **weight)
        values["ks"] = float(np.max(np.abs(tpr - fpr)))
        values["auch"] = hull_area(case)
    rows = case.repeated()
    if rows is not None:
        values["ndcg"] = metrics.ndcg_score([rows.label], [rows.score])
        values["ndcg(k=10)"] = metrics.ndcg_score([rows.label], [rows.score], k=10)
    return values


def hull_area(case: Case) -> float:
    """The AUC after isotonic regression, which is the area under the convex hull."""
    rank = np.unique(case.score, return_inverse=True)[1]
    fitted = IsotonicRegression().fit_transform(rank, case.label, sample_weight=case.weight)
    return float(metrics.roc_auc_score(case.label, fitted, sample_weight=case.weight))


def threshold_measures(case: Case) -> Values:
    """Measures of the confusion matrix; undefined ones come out as NaN or are left out."""
    predicted = (case.score >= THRESHOLD).astype(int)
    given = (case.label, predicted)
    weight = {"sample_weight": case.weight}
    nan = weight | {"zero_division": math.nan}
    values = {
        "accuracy": metrics.accuracy_score(*given, **weight),
        "precision": metrics.precision_score(*given, **nan),
        "npv": metrics.precision_score(*given, pos_label=0, **nan),
        "tpr": metrics.recall_score(*given, **nan),
        "tnr": metrics.recall_score(*given, pos_label=0, **nan),
        "f_measure": metrics.f1_score(*given, **nan),
        "f_measure(beta=2)": metrics.fbeta_score(*given, beta=2, **nan),
        "kappa": metrics.cohen_kappa_score(*given, **weight),
    }
    if np.any(case.label | predicted):
        values["jaccard"] = metrics.jaccard_score(*given, **weight)
    if case.both_classes:
        values["balanced_accuracy"] = metrics.balanced_accuracy_score(*given, **weight)
        ratios = metrics.class_likelihood_ratios(*given, **weight)
        values["lr_plus"], values["lr_minus"] = ratios
        if 0 < predicted.sum() < len(predicted):
            values["mcc"] = metrics.matthews_corrcoef(*given, **weight)
    return values


def probability_measures(case: Case) -> Values:
    """Brier score and log loss; the latter unless something impossible happened."""
    if not case.probabilities:
        return {}
    options = {"sample_weight": case.weight, "labels": [0, 1]}
    values = {"brier": metrics.brier_score_loss(case.label, case.score, pos_label=1, **options)}
    if not case.contradicted:
        values["log_loss"] = metrics.log_loss(case.label, case.score, **options)
    return values


def in_scipy(case: Case) -> Values:
    """The two-sample statistics of the scores of the two classes."""
    rows = case.repeated()
    if rows is None or not rows.both_classes:
        return {}
    positive, negative = rows.score[rows.label == 1], rows.score[rows.label == 0]
    wins = stats.mannwhitneyu(positive, negative).statistic
    return {
        "auc": wins / (len(positive) * len(negative)),
        "ks": stats.ks_2samp(positive, negative).statistic,
    }


def in_hmeasure(case: Case) -> Values:
    """The H measure with both of its usual weightings of costs."""
    rows = case.repeated()
    if rows is None or not (rows.both_classes and rows.probabilities):
        return {}
    return {
        "h_measure": h_score(rows.label, rows.score, severity_ratio=1),
        'h_measure(severity="prior")': h_score(rows.label, rows.score),
    }


def python_records(cases: Iterable[Case]) -> Iterator[Record]:
    """Answers of the Python libraries."""
    peers = {"scikit-learn": in_scikit_learn, "scipy": in_scipy, "hmeasure": in_hmeasure}
    for case in cases:
        for peer, ask in peers.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                values = ask(case)
            for measure, value in values.items():
                if math.isfinite(value):
                    yield record(case.name, measure, float(value), f"{peer} {version(peer)}")


def r_records(cases: Iterable[Case]) -> Iterator[Record]:
    """Answers of R."""
    with tempfile.TemporaryDirectory() as folder:
        rows, values = Path(folder, "rows.tsv"), Path(folder, "values.tsv")
        lines = ["case\tlabel\tscore\tweight"]
        for case in cases:
            weight = np.ones(len(case.label)) if case.weight is None else case.weight
            for y, s, w in zip(case.label, case.score, weight, strict=True):
                lines.append(f"{case.name}\t{y}\t{float(s).hex()}\t{float(w).hex()}")
        rows.write_text("\n".join(lines) + "\n", encoding="utf-8")
        subprocess.run(["Rscript", TOOLS / "golden.R", rows, values], check=True)
        with values.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                yield record(row["case"], row["measure"], float(row["value"]), row["peer"])


def record(case: str, measure: str, value: float, peer: str) -> Record:
    return {"case": case, "measure": measure, "peer": peer, "value": value}


def case_record(case: Case) -> dict[str, str | list[float] | None]:
    return {
        "name": case.name,
        "label": case.label.tolist(),
        "score": case.score.tolist(),
        "weight": None if case.weight is None else case.weight.tolist(),
    }


def write_json(path: Path, records: Iterable[dict[str, Any]]) -> None:
    """Write a list with one record per line, sorted, so that a change shows as a few lines."""
    lines = sorted(json.dumps(item, allow_nan=False) for item in records)
    part = path.with_suffix(".part")
    part.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    part.replace(path)


def main() -> None:
    cases = make_cases()
    GOLDEN.mkdir(parents=True, exist_ok=True)
    write_json(GOLDEN / "cases.json", map(case_record, cases))
    write_json(GOLDEN / "peers.json", [*python_records(cases), *r_records(cases)])


if __name__ == "__main__":
    main()
