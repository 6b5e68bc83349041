"""The page of the hard settings: the lowest coverage of each measure, and the worst cells."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.coverage.settings import CHOOSING, HOLDOUT, clustered, post_stratified, weighted
from metameasure.evaluation import DEFAULT
from metameasure.inference import Simulated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchmarks.coverage.settings import Setting
    from metameasure.inference.coverage import CasesKind

RESULTS = Path(__file__).with_name("hard.json")
ENOUGH = 10
"""Expected positives from which 92% is required; with fewer, 90%."""
HIGH = 0.98
SELDOM = 0.005
"""Fraction of data sets in which a limit is missed below which it hardly ever is."""
SHORTER = "limits with a nominal coverage of 92.5%, which are 9% shorter, cover {} (400 data sets)"
NEAR_ZERO = (
    "the value is biased upwards from a true value near 0 and lies inside its interval, so that "
    "the upper limit is hardly ever missed; " + SHORTER
)
FEW_CELLS = (
    "few positives are found, so that the matrix takes few values and the truth is near an end; "
)
NOT_SHOWN = "not known, and a shorter interval was not shown to be too low: "
NEAR_PERFECT = "the true value is near 1, so that the lower limit is hardly ever missed; "
REASONS = {
    "auc": NEAR_PERFECT + "DeLong's variance alone fell to 56% in other populations (decision 16).",
    "gini": "as for `auc`.",
    "auch": "limits that are 10% shorter cover 89.2% with weights, and Student's limits of the "
    "corrected value 85.3% of small samples (400 data sets).",
    "margin_auc": NEAR_PERFECT
    + "without terms that were not observed it fell to 80% (decision 16).",
    "ks": NOT_SHOWN + SHORTER.format("93.0% with weights") + ".",
    "h_measure": "the bias of small samples is uncertain; "
    + SHORTER.format("91.0% with heavy tails")
    + ".",
    "discrimination": "half of the bias is subtracted for the upper limit; with the whole bias the "
    "limits cover 91.0% with heavy tails (3000 data sets).",
    "average_precision": "few positives, or a lower limit that is hardly ever missed; with a tenth "
    "of an added case instead of a fifth it falls to 90.8% (decision 17).",
    "partial_auc": "as for `average_precision`; with .15 of an added case it falls to 89.7%.",
    "miscalibration": NEAR_ZERO.format('91.2% with "unequal spread"') + ".",
    "minimum_cost": "limits that are 15% shorter cover 89.7% with weights, and basic bootstrap "
    "limits 83.3% of small samples; those that are 10% shorter cover 92.5% with weights, but still "
    "98.5% and 99.3% of nearly perfect scores and rare positives (400 data sets).",
    "ece": "one setting of overconfident scores; without half of the bias at the upper limit it "
    "falls to 88% with skewed scores.",
    "precision": "in three quarters of these data sets or more, one to three cases are predicted "
    "positive; with one or two of them no outcome excludes the true value of about 0.6.",
    "mcc": FEW_CELLS + "priors of 1/4 and 1/3 case fell to 86% and 89% (decision 16).",
    "kappa": "as for `mcc`.",
    "f_measure": "as for `mcc`.",
    "tpr": "as for `mcc`.",
    "balanced_accuracy": "as for `mcc`.",
    "lift": "not known; no shorter interval was tried.",
    "tpr@fpr=0.1": "the place of the cut between two negatives is unknown; uniformly distributed "
    "places fell to 75% elsewhere (decision 17).",
    "calibration_slope": "the lower limit is hardly ever missed; with a lower limit on the log scale "
    "85.7% are covered with heavy tails, without added cases 86.3%, without the log scale 86.0%, and "
    "with a nominal coverage of 92.5% 91.0% of large samples (300 data sets, decision 17).",
    "calibration_in_the_large": "limits with a nominal coverage of 92.5% cover 89.3% with clusters, "
    "those of the sandwich alone 91.7% of nearly perfect scores (300 data sets, decision 17).",
}
"""Why the coverage of a measure is above 98% in some settings, or what was tried."""
INTRODUCTION = """\
Coverage of 95% intervals by the default methods where people really are: rare positives, heavy
tails, scores near perfect, weights and clusters. In each setting {data_sets} data sets were drawn,
unless another number is listed below.
Methods were chosen on the first {choosing} settings; the other {holdout} played no part in that,
except that the limits of `lift` with weights were enlarged after "rare, weights" was looked at,
those of `discrimination` after "unequal spread", and those of calibration curves (`ici`, `e50`,
`e90`, `emax`) after "few distinct scores" and "unequal spread". The limits of `calibration_slope`
and `calibration_in_the_large` were shortened after all settings were looked at; the populations of
[ordinary settings](coverage.md) played no part in that. Calibration curves are slow and were
simulated in six settings.
A cell is a measure in a setting. What is required:

- at least 92% with {enough} or more expected positives, and at least 90% with 5 to {enough}. A cell
  is *too low* if it is significantly (two standard errors) below that; the check MM09 then warns
  about such samples;
- above 98% only where a limit cannot be missed, or where a shorter interval is too low elsewhere;
  of some measures this was not shown, as stated below;
- data sets without an interval in at most 5% of the cells. Coverage is that of the others.

```sh
python -m benchmarks.coverage.hard --workers 2
python -m benchmarks.coverage.report                # writes this page
```"""


@dataclass(frozen=True)
class Cell:
    """A measure in a setting."""

    setting: Setting
    measure: str
    method: str
    data_sets: int
    none: int
    simulated: Simulated
    above: float
    below: float

    @property
    def required(self) -> float:
        """The coverage that is required."""
        return 0.92 if self.setting.expected_positives >= ENOUGH else 0.9

    @property
    def too_low(self) -> bool:
        """Whether the coverage is significantly below what is required."""
        return self.simulated.is_below(self.required)


def cases_of(setting: Setting) -> CasesKind:
    """Whether the cases of a setting are independent, weighted or clustered."""
    if setting.draw_design in {weighted, post_stratified}:
        return "weighted"
    inside = getattr(setting.draw_design, "__qualname__", "")
    return "clustered" if inside.startswith(clustered.__name__) else "independent"


class Hard:
    """The results in hard settings."""

    def __init__(self, file: Path = RESULTS) -> None:
        stored = json.loads(file.read_text(encoding="utf-8"))
        self.data_sets: int = stored["data_sets"]
        self.cells = [
            _cell(setting, measure, counts, self.data_sets)
            for setting in (*CHOOSING, *HOLDOUT)
            for measure, counts in stored["settings"][setting.name].items()
        ]

    def rows(self) -> Iterator[tuple[str, str, Simulated]]:
        """The measure, the method and what was simulated, of each cell with intervals."""
        for cell in self.cells:
            if cell.simulated.data_sets:
                yield cell.measure, cell.method, cell.simulated


def _cell(setting: Setting, measure: str, counts: list[object], data_sets: int) -> Cell:
    method, none, above, below, _, *other = counts
    assert isinstance(method, str)
    assert isinstance(none, int)
    assert isinstance(above, int)
    assert isinstance(below, int)
    if other:
        (data_sets,) = other  # type: ignore[assignment]
    known = data_sets - none
    shares = [count / known if known else 0.0 for count in (above, below)]
    simulated = Simulated(
        round(setting.expected_positives, 1),
        setting.prevalence,
        cases_of(setting),
        setting.name,
        round(1 - sum(shares), 3),
        known,
    )
    return Cell(setting, measure, method, data_sets, none, simulated, *shares)


def hard_page(hard: Hard, made: str) -> str:
    """docs/hard_settings.md."""
    lines = [
        "# Coverage in hard settings",
        "",
        f"<!-- {made} -->",
        "",
        INTRODUCTION.format(
            data_sets=hard.data_sets, choosing=len(CHOOSING), holdout=len(HOLDOUT), enough=ENOUGH
        ),
        "",
        *_summary(hard),
        "",
        "## Lowest coverage of each measure",
        "",
        *_lowest(hard),
        "",
        "## Cells that are too low",
        "",
        *_listed([cell for cell in hard.cells if cell.too_low]),
        "",
        f"## Cells above {HIGH:.0%}",
        "",
        *_high(hard),
        "",
        "## Data sets without an interval",
        "",
        *_refused(hard),
        "",
        "## Other numbers of data sets",
        "",
        *_other_numbers(hard),
        "",
        "## Settings",
        "",
        *_settings(),
        "",
    ]
    return "\n".join(lines)


def _summary(hard: Hard) -> Iterator[str]:
    for name, settings in (("Choosing", CHOOSING), ("Holdout", HOLDOUT)):
        cells = [cell for cell in hard.cells if cell.setting in settings]
        mean = sum(cell.simulated.coverage for cell in cells) / len(cells)
        low = sum(cell.too_low for cell in cells)
        high = sum(cell.simulated.coverage > HIGH for cell in cells)
        lowest = min(cell.simulated.coverage for cell in cells)
        yield (
            f"- {name}: {len(cells)} cells, mean coverage {mean:.1%}, lowest {lowest:.1%}; "
            f"{low} too low, {high} above {HIGH:.0%}."
        )


def _lowest(hard: Hard) -> Iterator[str]:
    yield "| measure | choosing | setting | holdout | setting |"
    yield "| --- | ---: | --- | ---: | --- |"
    for measure in dict.fromkeys(cell.measure for cell in hard.cells):
        row = []
        for settings in (CHOOSING, HOLDOUT):
            cells = [c for c in hard.cells if c.measure == measure and c.setting in settings]
            if not cells:
                row += ["", ""]
                continue
            worst = min(cells, key=lambda cell: cell.simulated.coverage)
            text = f"{100 * worst.simulated.coverage:.1f}"
            row += [f"**{text}**" if worst.too_low else text, worst.setting.name]
        name = f"{measure} (default)" if measure in DEFAULT else measure
        yield f"| {name} | {' | '.join(row)} |"
    yield ""
    yield "In percent; **bold** if too low."


def _listed(cells: Iterable[Cell]) -> Iterator[str]:
    ordered = sorted(cells, key=lambda cell: cell.simulated.coverage)
    if not ordered:
        yield "None."
        return
    yield "| setting | measure | method | coverage | too high | too low |"
    yield "| --- | --- | --- | ---: | ---: | ---: |"
    for cell in ordered:
        shares = (cell.simulated.coverage, cell.above, cell.below)
        numbers = " | ".join(f"{100 * share:.1f}" for share in shares)
        yield f"| {cell.setting.name} | {cell.measure} | {cell.method} | {numbers} |"


def _high(hard: Hard) -> Iterator[str]:
    cells = [cell for cell in hard.cells if cell.simulated.coverage > HIGH]
    yield from _listed(cells)
    yield ""
    yield "Why they are so high, or which shorter intervals were tried, per measure:"
    yield ""
    for measure in dict.fromkeys(cell.measure for cell in cells):
        own = [cell for cell in cells if cell.measure == measure]
        one_sided = sum(min(cell.above, cell.below) < SELDOM for cell in own)
        yield (
            f"- `{measure}`, {len(own)} of {sum(c.measure == measure for c in hard.cells)} settings"
            f" ({one_sided} of them miss one limit in less than {SELDOM:.1%}): {REASONS[measure]}"
        )


def _other_numbers(hard: Hard) -> Iterator[str]:
    cells = [cell for cell in hard.cells if cell.data_sets != hard.data_sets]
    if not cells:
        yield "None."
        return
    yield "| setting | measure | data sets | coverage |"
    yield "| --- | --- | ---: | ---: |"
    for cell in cells:
        numbers = f"{cell.data_sets} | {100 * cell.simulated.coverage:.1f}"
        yield f"| {cell.setting.name} | {cell.measure} | {numbers} |"


def _refused(hard: Hard) -> Iterator[str]:
    cells = [cell for cell in hard.cells if cell.none]
    yield (
        f"{len(cells)} of {len(hard.cells)} cells ({len(cells) / len(hard.cells):.1%}) have data "
        "sets without an interval, because the value is undefined: no case is predicted positive, "
        "or a regression has no finite slope."
    )
    yield ""
    yield "| setting | measure | data sets |"
    yield "| --- | --- | ---: |"
    for cell in sorted(cells, key=lambda cell: -cell.none):
        yield f"| {cell.setting.name} | {cell.measure} | {cell.none / cell.data_sets:.1%} |"


def _settings() -> Iterator[str]:
    yield "| setting | cases | prevalence | expected positives | kind | part |"
    yield "| --- | ---: | ---: | ---: | --- | --- |"
    for part, settings in (("choosing", CHOOSING), ("holdout", HOLDOUT)):
        for one in settings:
            numbers = f"{one.n} | {one.prevalence:g} | {one.expected_positives:g}"
            yield f"| {one.name} | {numbers} | {cases_of(one)} | {part} |"
