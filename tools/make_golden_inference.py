"""Write what other libraries say about variances, intervals and tests, for the tests to agree with.

Run from anywhere::

    python tools/make_golden_inference.py

Needs MLstatkit, scipy and statsmodels, and what `make_golden.py` beside this file needs, R with
pROC among it; `golden_inference.R` is the R part.

`tests/golden/inference_cases.json` holds data with two models: name, label, and scores a and b.
`tests/golden/inference.json` holds records of case (null: the parameters say it all), what, model
("a", "b", or ["a", "b"] for a pair), parameters, value (a number or a list of them) and peer with
its version.

Differences and z are of a minus b; MLstatkit subtracts the other way and so gets them exchanged.
Both pROC and MLstatkit clip the Wald interval of an auc to [0, 1], but not that of a difference.
pROC does not support margins: it gets positives with tau taken off their scores. A McNemar table is
[[both right, only a], [only b, both wrong]]. The corrected McNemar statistic of a table with as
many only a as only b is left out for statsmodels, which makes a difference of 1 out of that of 0.
"""

from __future__ import annotations

import csv
import json
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from make_golden import GOLDEN, THRESHOLD, TOOLS, Array, sigmoid, write_json
from MLstatkit import Delong_test
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Record = dict[str, Any]

PROPORTIONS = [
    (0, 1), (1, 1), (0, 7), (1, 7), (5, 10), (10, 10), (3, 29), (81, 263), (29, 30), (500, 1000),
    (1, 100_000), (99_990, 100_000),
]  # fmt: skip
P_VALUES = [
    [0.01],
    [0.01, 0.04, 0.03, 0.005],
    [0.02, 0.02, 0.02, 0.5, 0.5],
    [0.9, 0.6, 0.7, 0.2],
    [0.0, 1e-300, 1e-12, 3e-5, 1.0],
    [0.011, 0.0499, 0.0012, 0.27, 0.33, 0.0087, 0.051, 0.74, 0.012, 0.0031],
]
TABLES = [
    [[40, 12], [5, 43]], [[10, 0], [6, 4]], [[30, 7], [7, 6]], [[0, 1], [0, 0]], [[3, 5], [4, 8]],
    [[500, 60], [31, 409]], [[12, 1], [7, 1]], [[9000, 700], [500, 800]],
]  # fmt: skip


@dataclass(frozen=True)
class Pair:
    """One data set with two models: labels 0 or 1, and the scores of each."""

    name: str
    label: Array
    a: Array
    b: Array

    def record(self) -> Record:
        """The line of the data file."""
        scores = {"a": self.a.tolist(), "b": self.b.tolist()}
        return {"name": self.name, "label": self.label.tolist(), "scores": scores}

    def table(self) -> list[list[int]] | None:
        """Right and wrong decisions of a and b; None if the scores are not probabilities."""
        both = np.stack([self.a, self.b])
        if both.min() < 0 or both.max() > 1:
            return None
        a, b = (both >= THRESHOLD) == (self.label == 1)
        return [
            [int(np.sum(a & b)), int(np.sum(a & ~b))],
            [int(np.sum(~a & b)), int(np.sum(~a & ~b))],
        ]


@dataclass(frozen=True)
class Question:
    """What a peer is asked, with the numbers it needs in the order of the R part."""

    what: str
    parameters: dict[str, Any]
    given: list[float]
    case: str | None = None
    model: tuple[str, str] | None = None

    def answered(self, value: Any, peer: str) -> Record:
        """The line with what a peer answered."""
        return record(self.case, self.what, self.model, self.parameters, value, peer)


def pair(
    rng: np.random.Generator,
    sizes: tuple[int, int],
    shifts: tuple[float, float],
    correlation: float,
) -> tuple[Array, Array, Array]:
    """Labels of (positives, negatives), and the logits of two models with correlated noise."""
    label = rng.permutation(np.repeat([1, 0], sizes))
    common, *own = rng.normal(size=(3, sum(sizes)))
    noise = [np.sqrt(correlation) * common + np.sqrt(1 - correlation) * x for x in own]
    a, b = (shift * (label - 0.5) + x for shift, x in zip(shifts, noise, strict=True))
    return label, a, b


def make_pairs() -> list[Pair]:
    """The data sets, from a fixed seed."""
    rng = np.random.default_rng(19880901)
    label, a, b = pair(rng, (25, 35), (1.6, 0.9), 0.4)
    pairs = [Pair("continuous", label, sigmoid(a), sigmoid(b))]
    label, a, b = pair(rng, (45, 55), (1.2, 1.0), 0.5)
    coarse = [np.round(sigmoid(x) * levels) / levels for x, levels in ((a, 7), (b, 4))]
    pairs.append(Pair("tied", label, *coarse))
    label, a, b = pair(rng, (12, 188), (2.0, 1.3), 0.5)
    pairs.append(Pair("imbalanced", label, sigmoid(a - 1).round(4), sigmoid(b - 1).round(4)))
    label, a, b = pair(rng, (8, 8), (1.0, 1.4), 0.3)
    pairs.append(Pair("small", label, sigmoid(a).round(2), sigmoid(b).round(2)))
    label, a, b = pair(rng, (30, 40), (1.5, 1.4), 0.995)
    pairs.append(Pair("correlated", label, sigmoid(a), sigmoid(b)))

    # Scores that are not probabilities; b is worse than chance.
    label, a, b = pair(rng, (20, 30), (1.0, -0.6), 0.2)
    pairs.append(Pair("integers", label, (a * 20).round().astype(int), (b * 7).round().astype(int)))

    # An auc near 1, so that the Wald interval leaves [0, 1] and the peers clip it.
    label, a, b = pair(rng, (20, 30), (3.6, 2.4), 0.3)
    pairs.append(Pair("near_perfect", label, sigmoid(a).round(5), sigmoid(b).round(5)))
    return pairs


def make_questions(pairs: Iterable[Pair]) -> list[Question]:
    """All that is asked besides the DeLong values."""
    questions = []
    for successes, trials in PROPORTIONS:
        for confidence in (0.9, 0.95, 0.99):
            parameters = {"successes": successes, "trials": trials, "confidence": confidence}
            questions.append(Question("wilson", parameters, list(parameters.values())))
    questions.extend(Question("holm", {"p_values": ps}, ps) for ps in P_VALUES)
    for table in TABLES:
        questions.extend(mcnemar_questions(table))
    for one in pairs:
        table = one.table()
        if table is not None:
            questions.extend(mcnemar_questions(table, one.name))
    return questions + data_set_questions()


def mcnemar_questions(table: list[list[int]], case: str | None = None) -> Iterator[Question]:
    """The statistic with and without the correction, and the exact p-value."""
    of = {"case": case, "model": None if case is None else ("a", "b")}
    asked = {"table": table} | ({} if case is None else {"threshold": THRESHOLD})
    cells = [float(cell) for row in table for cell in row]
    yield Question("mcnemar_exact", asked, cells, **of)
    for correction in (False, True):
        parameters, given = asked | {"correction": correction}, [*cells, float(correction)]
        yield Question("mcnemar_chi2", parameters, given, **of)
        yield Question("mcnemar_chi2_p", parameters, given, **of)


def data_set_questions() -> list[Question]:
    """Tests over data sets; in eighths or 64ths, so that the ties of differences are exact."""
    rng = np.random.default_rng(1937)
    fine = np.array([1.0, 1.0, 1.25]) * rng.permutation(64)[:36].reshape(12, 3) / 64
    coarse = (rng.integers(0, 6, size=(20, 4)) + np.array([0, 0, 1, 2])) / 8
    distinct = np.cumsum(rng.permutation(15) + 1) % 7 / 8
    signed = (rng.permutation(15) + 1) * rng.choice([-1, 1], size=15, p=[0.25, 0.75]) / 64
    questions = []
    for values in (fine, coarse):
        parameters = {"values": values.tolist()}
        given = [float(values.shape[1]), *values.ravel().tolist()]
        questions += [Question(what, parameters, given) for what in ("friedman", "friedman_p")]
    for x, y, exact in ((distinct + signed, distinct, True), (*coarse.T[[0, 2]], False)):
        sides = {"x": x.tolist(), "y": y.tolist()}
        both = [*x.tolist(), *y.tolist()]
        questions.append(Question("sign_test", sides, both))
        for correction in (False,) if exact else (False, True):
            parameters = sides | {"exact": exact, "correction": correction}
            given = [float(exact), float(correction), *both]
            questions.append(Question("wilcoxon", parameters, given))
    return questions


def in_statsmodels(question: Question) -> Any:
    """The answer of statsmodels, None where it has none."""
    asked = question.parameters
    if question.what == "wilson":
        count, nobs, confidence = question.given
        return list(proportion_confint(count, nobs, alpha=1 - confidence, method="wilson"))
    if question.what == "holm":
        return multipletests(asked["p_values"], method="holm")[1].tolist()
    if question.what == "mcnemar_exact":
        return mcnemar(asked["table"], exact=True).pvalue
    if question.what in ("mcnemar_chi2", "mcnemar_chi2_p"):
        (_, only_a), (only_b, _) = asked["table"]
        if asked["correction"] and only_a == only_b:
            return None
        test = mcnemar(asked["table"], exact=False, correction=asked["correction"])
        return test.statistic if question.what == "mcnemar_chi2" else test.pvalue
    return None


def in_scipy(question: Question) -> Any:
    """The answer of scipy, None where it has none."""
    asked = question.parameters
    if question.what == "wilson":
        test = stats.binomtest(asked["successes"], asked["trials"])
        return list(test.proportion_ci(asked["confidence"], method="wilson"))
    if question.what in ("friedman", "friedman_p"):
        test = stats.friedmanchisquare(*np.transpose(asked["values"]))
        return test.statistic if question.what == "friedman" else test.pvalue
    if question.what == "wilcoxon":
        method = "exact" if asked["exact"] else "asymptotic"
        return stats.wilcoxon(
            asked["x"], asked["y"], correction=asked["correction"], method=method
        ).pvalue
    return None


def python_records(questions: Iterable[Question]) -> Iterator[Record]:
    """What statsmodels and scipy answer."""
    peers: dict[str, Callable[[Question], Any]] = {"statsmodels": in_statsmodels, "scipy": in_scipy}
    for question in questions:
        for peer, ask in peers.items():
            value = ask(question)
            if value is not None:
                yield question.answered(value, f"{peer} {version(peer)}")


def mlstatkit_records(pairs: Iterable[Pair]) -> Iterator[Record]:
    """DeLong by MLstatkit, whose alpha is the confidence and whose z is of the second model."""
    peer = f"MLstatkit {version('MLstatkit')}"
    auc = {"measure": "auc"}
    for one in pairs:
        for confidence in (0.9, 0.95):
            z, p, *limits, area_b, area_a, info = Delong_test(
                one.label, one.b, one.a, alpha=confidence
            )
            if info["method"] != "delong":
                raise ValueError(f"{one.name}: MLstatkit fell back to a bootstrap")
            parameters = auc | {"method": "delong", "confidence": confidence}
            for model, interval in zip("ba", limits, strict=True):
                yield record(one.name, "delong_interval", model, parameters, list(interval), peer)
        yield record(one.name, "value", "a", auc, area_a, peer)
        yield record(one.name, "value", "b", auc, area_b, peer)
        both = ("a", "b")
        yield record(one.name, "delong_difference_variance", both, auc, info["var_diff"], peer)
        yield record(one.name, "delong_z", both, auc, z, peer)
        yield record(one.name, "delong_p", both, auc, p, peer)


def r_records(pairs: Iterable[Pair], questions: Iterable[Question]) -> Iterator[Record]:
    """Answers of R."""
    rows = ["case\tlabel\ta\tb"]
    for one in pairs:
        for label, a, b in zip(one.label, one.a, one.b, strict=True):
            rows.append(f"{one.name}\t{label}\t{float(a).hex()}\t{float(b).hex()}")
    asked = ["case\twhat\tmodel\tparameters\tgiven"]
    for question in questions:
        model = "-" if question.model is None else " ".join(question.model)
        given = " ".join(float(number).hex() for number in question.given)
        fields = (
            question.case or "-",
            question.what,
            model,
            json.dumps(question.parameters),
            given,
        )
        asked.append("\t".join(fields))
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("rows.tsv", "questions.tsv", "values.tsv")]
        for path, lines in zip(paths[:2], (rows, asked), strict=True):
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        subprocess.run(["Rscript", TOOLS / "golden_inference.R", *paths], check=True)
        with paths[2].open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                yield read_record(row)


def read_record(row: dict[str, str]) -> Record:
    """A record from a line that R wrote."""
    case = None if row["case"] == "-" else row["case"]
    model = tuple(row["model"].split())
    numbers = [float(text) for text in row["value"].split()]
    several = len(numbers) > 1 or row["what"] == "holm"
    return record(
        case,
        row["what"],
        None if model == ("-",) else model if len(model) > 1 else model[0],
        json.loads(row["parameters"]),
        numbers if several else numbers[0],
        row["peer"],
    )


def record(
    case: str | None,
    what: str,
    model: str | tuple[str, ...] | None,
    parameters: dict[str, Any],
    value: Any,
    peer: str,
) -> Record:
    value = [float(number) for number in value] if isinstance(value, list) else float(value)
    return {
        "case": case,
        "what": what,
        "model": model,
        "parameters": parameters,
        "value": value,
        "peer": peer,
    }


def main() -> None:
    pairs = make_pairs()
    questions = make_questions(pairs)
    records = [
        *mlstatkit_records(pairs),
        *python_records(questions),
        *r_records(pairs, questions),
    ]
    GOLDEN.mkdir(parents=True, exist_ok=True)
    write_json(GOLDEN / "inference_cases.json", (one.record() for one in pairs))
    write_json(GOLDEN / "inference.json", records)


if __name__ == "__main__":
    main()
