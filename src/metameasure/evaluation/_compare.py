"""Models against each other: is one really better than another?"""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import asdict, dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

from metameasure._text import difference, limits, number, visible
from metameasure.data import class_models, read_models, refuse_for_classes
from metameasure.errors import DataError, UndefinedMeasureWarning
from metameasure.evaluation.checks import (
    check_auc,
    check_data,
    check_drawn,
    check_groups,
    check_many_classes,
    check_threshold,
    check_width,
)
from metameasure.evaluation.multiclass import read_class_scores
from metameasure.inference import (
    RESAMPLES,
    SEED,
    ClassSample,
    Difference,
    PairPlan,
    Sample,
    check_margin,
    check_units,
    differences,
    differences_of_groups,
    holm,
    portion,
    values_of_groups,
)
from metameasure.measurement import MeanOver, Measure, arrow, parse_list
from metameasure.results import (
    Cell,
    Check,
    Grid,
    Page,
    Printed,
    check_lines,
    json_record,
    muted,
    tidy_frame,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from metameasure.data import ClassScores, NanPolicy, Predictions, Rescale
    from metameasure.inference import PairMethod, Progress

COLUMNS = (
    "a",
    "b",
    "measure",
    "difference",
    "low",
    "high",
    "pvalue",
    "adjusted_pvalue",
    "method",
)
SMALL = 0.05


@dataclass(frozen=True)
class PairRow:
    """One pair of models."""

    a: str
    b: str
    measure: str
    difference: float
    low: float | None
    high: float | None
    pvalue: float | None
    adjusted_pvalue: float | None
    method: str


class Comparison(Printed):
    """Pairs of models with their differences; ``frame()`` has one row a pair and measure.

    ``facts`` has the numbers of cases and the margin, if there was one.
    """

    def __init__(
        self,
        rows: Sequence[PairRow],
        *,
        ci: float,
        caption: str,
        facts: Mapping[str, Any] | None = None,
        checks: Sequence[Check] = (),
        titles: dict[str, str] | None = None,
        notes: Sequence[str] = (),
        like: Any = None,
    ) -> None:
        self.rows = tuple(rows)
        self.ci = ci
        self.checks = tuple(checks)
        self.facts = dict(facts or {})
        self._caption = caption
        self._titles = titles or {}
        self._notes = tuple(notes)
        self._like = like

    def records(self) -> list[dict[str, Any]]:
        """The rows as dicts."""
        return [asdict(row) for row in self.rows]

    def frame(self) -> Any:
        """A tidy frame: of the kind that came in, else of polars."""
        import polars as pl  # noqa: PLC0415

        text, real = pl.String(), pl.Float64()
        kinds = (text, text, text, real, real, real, real, real, text)
        return tidy_frame(self.records(), dict(zip(COLUMNS, kinds, strict=True)), self._like)

    def to_json(self) -> str:
        """JSON with ``rows``, ``checks``, ``ci`` and each of the facts by its own name.

        What there is not is null.
        """
        rows = [json_record(record) for record in self.records()]
        checks = [check.record() for check in self.checks]
        content = {"rows": rows, "checks": checks, "ci": self.ci, **self.facts}
        return json.dumps(content, indent=2)

    def page(self) -> Page:
        """One table a measure."""
        grids = []
        for measure in dict.fromkeys(row.measure for row in self.rows):
            rows = [row for row in self.rows if row.measure == measure]
            body = [(f"{visible(row.a)} - {visible(row.b)}", _cells(row)) for row in rows]
            header = ["models", "difference", "p", "adjusted p", "method"]
            bold = f"adjusted p < {SMALL:g}"
            grids.append(Grid(header, body, self._caption, self._titles.get(measure), bold))
        return Page(grids, [*self._notes, *check_lines(self.checks)])

    def __repr__(self) -> str:
        return f"<comparison: {len(self.rows)} pairs>"


def _cells(row: PairRow) -> list[Cell]:
    adjusted = row.adjusted_pvalue
    clear = adjusted is not None and adjusted < SMALL
    return [
        Cell(difference(row.difference, row.low, row.high), limits(row.low, row.high), clear),
        Cell(_chance(row.pvalue)),
        Cell(_chance(adjusted)),
        Cell(row.method),
    ]


def _chance(pvalue: float | None) -> str:
    """A p-value; below a ten-thousandth only that."""
    if pvalue is None or math.isnan(pvalue):
        return number(math.nan)
    return f"{pvalue:.4f}" if pvalue >= 1e-4 else "<0.0001"


def compare(
    y_true: Any,
    scores: Any = None,
    measure: str | Measure | Iterable[str | Measure] = "auc",
    ci: float = 0.95,
    *,
    method: PairMethod = "auto",
    margin: float | None = None,
    reference: str | None = None,
    label: str | None = None,
    weight: str | None = None,
    group: Any = None,
    cluster: Any = None,
    resamples: int = RESAMPLES,
    seed: int | None = SEED,
    stratified: bool = False,
    workers: int | None = None,
    mute: str | Iterable[str] = (),
    labels: Sequence[Any] | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
) -> Comparison:
    """Whether models really differ: every pair, on the same cases.

    Takes what ``evaluate`` takes: labels and a dict or frame of scores, or a frame and the names of
    its columns; for several classes, a dict of matrices with a column a class. P-values are
    adjusted by Holm over the pairs of a measure.

    Args:
        y_true: the labels, or a data frame that has them in the column ``label``.
        scores: the scores of two or more models, or the names of their columns in that frame.
        measure: one measure or several.
        ci: the confidence of the interval of the difference.
        method: "auto", or "delong", "mcnemar" (mid-p), "mcnemar_exact", "mcnemar_chi2" (with the
            continuity correction), "normal" (of a mean over the cases) or "bootstrap".
        margin: test instead whether a is not worse than b by this much or more (non-inferiority).
            Every pair is then judged in both directions.
        reference: the model that all others are compared with, instead of all pairs.
        label: the column of the labels.
        weight: the column of the weights.
        group: the column of the groups (queries), or an array, for means over groups; these are
            judged by the differences group by group.
        cluster: the column of the clusters, or an array.
        resamples: how many resamples a bootstrap draws, the same for all models.
        seed: the seed of the random numbers.
        stratified: whether resamples keep the number of cases of each class.
        workers: how many threads work; the result does not depend on it.
        mute: codes or names of checks that are not wanted.
        labels: for several classes, the class of each column of scores.
        pos_label: the label that counts as positive, unless labels are bool, 0/1 or -1/1.
        sample_weight: an array of weights.
        nan_policy: "raise", or "drop" to leave out cases that lack a value.
        rescale: "minmax" to map each model's scores to [0, 1].

    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> a, b = [0.9, 0.8, 0.7, 0.4, 0.6, 0.3, 0.2, 0.1], [0.6, 0.9, 0.3, 0.2, 0.8, 0.4, 0.1, 0.5]
    >>> print(compare(y, {"a": a, "b": b}, mute="few-cases"))
    auc ↑
    models               difference       p  adjusted p  method
    a - b   0.3750  -0.025 to 0.775  0.0662      0.0662  delong
    8 cases, 4 positive; with 95 % intervals
    """
    plan = PairPlan(
        ci=ci,
        method=method,
        margin=margin,
        resamples=resamples,
        seed=seed,
        stratified=stratified,
        workers=workers,
    )
    several = class_models(y_true, scores, labels)
    if several is not None:
        refuse_for_classes(
            label=label, weight=weight, group=group, pos_label=pos_label, rescale=rescale
        )
        read = read_class_scores(
            y_true,
            several.scores,
            labels=labels,
            sample_weight=sample_weight,
            cluster=cluster,
            nan_policy=nan_policy,
        )
        like = several.like
        found = compare_class_scores(read, measure, plan, reference=reference, mute=mute, like=like)
        _warn(found.rows)
        return found
    predictions, like = read_models(
        y_true,
        scores,
        label=label,
        weight=weight,
        group=group,
        cluster=cluster,
        sample_weight=sample_weight,
        pos_label=pos_label,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    found = compare_predictions(
        predictions, measure, plan, reference=reference, mute=mute, like=like
    )
    _warn(found.rows)
    return found


def _warn(rows: Sequence[PairRow]) -> None:
    """Tell the caller of ``compare`` once of differences that there are not."""
    undefined = [row for row in rows if math.isnan(row.difference)]
    if undefined:
        first, more = undefined[0], len(undefined) - 1
        others = f" and {more} more differences are" if more else " is"
        a, b = visible(first.a), visible(first.b)
        warnings.warn(
            f"{first.measure} of {a} less that of {b}{others} undefined (NaN)",
            UndefinedMeasureWarning,
            stacklevel=3,
        )


def compare_predictions(
    predictions: Predictions,
    measure: str | Measure | Iterable[str | Measure],
    plan: PairPlan,
    *,
    reference: str | None = None,
    mute: str | Iterable[str] = (),
    like: Any = None,
    progress: Progress | None = None,
) -> Comparison:
    """The comparison of the models of validated predictions."""
    chosen, unwanted = _listed(measure), muted(mute)
    pairs = _pairs(list(predictions.scores), reference, plan.margin is not None)
    averaged = [one for one in chosen if isinstance(one, MeanOver)]
    if predictions.group is not None and not averaged:
        raise DataError("groups are for means over them: measure='mean_over(...)', or no group=")
    if len(averaged) < len(chosen):
        sample = Sample.of(predictions, in_pairs=True, workers=plan.workers)
    else:
        sample = Sample.without_tables(predictions)
    found: dict[Measure, list[Difference]] = {}
    after: list[Check] = []
    for part, one in enumerate(chosen):
        if isinstance(one, MeanOver):
            found[one], checks = _over_groups(predictions, one, pairs, plan)
            after += checks
        else:
            share = portion(progress, part, len(chosen))
            found[one] = differences(sample, one, pairs, plan, share)
    after += [
        check
        for one in chosen
        if one not in averaged
        for model, table in sample.tables.items()
        for check in (*check_threshold(one, table, model), *check_auc(one, table, model))
    ]
    n_pos, n_neg = sample.classes
    return _comparison(
        found,
        plan,
        {"n": n_pos + n_neg, "n_pos": n_pos, "dropped": predictions.dropped},
        checks=(list(check_data(sample)), after),
        unwanted=unwanted,
        like=like,
    )


def _over_groups(
    predictions: Predictions,
    measure: MeanOver,
    pairs: Sequence[tuple[str, str]],
    plan: PairPlan,
) -> tuple[list[Difference], list[Check]]:
    """The differences of pairs in a mean over groups, and what the values of groups show."""
    check_margin(measure, plan)
    check_units(predictions, measure)
    models = dict.fromkeys(model for pair in pairs for model in pair)
    of_groups = values_of_groups(predictions, {model: [measure] for model in models})
    values = {model: of_groups[model, measure] for model in models}
    checks = [check for model in models for check in check_groups(measure, values[model], model)]
    return differences_of_groups(values, measure, pairs, plan), checks


def compare_class_scores(
    read: Mapping[str, ClassScores],
    measure: str | Measure | Iterable[str | Measure],
    plan: PairPlan,
    *,
    reference: str | None = None,
    mute: str | Iterable[str] = (),
    like: Any = None,
) -> Comparison:
    """The comparison of models with validated scores for several classes."""
    unwanted = muted(mute)
    chosen: list[Measure] = [one.of_classes() for one in _listed(measure)]
    pairs = _pairs(list(read), reference, plan.margin is not None)
    sample = ClassSample.of(read)
    found = {one: differences(sample, one, pairs, plan) for one in chosen}
    return _comparison(
        found,
        plan,
        {"n": sample.size, "n_pos": None, "dropped": next(iter(read.values())).dropped},
        checks=(list(check_many_classes(sample)), []),
        unwanted=unwanted,
        like=like,
    )


def _listed(measure: str | Measure | Iterable[str | Measure]) -> list[Measure]:
    return [measure] if isinstance(measure, Measure) else parse_list(measure)


def _comparison(
    found: Mapping[Measure, Sequence[Difference]],
    plan: PairPlan,
    counted: Mapping[str, int | None],
    *,
    checks: tuple[list[Check], list[Check]],
    unwanted: frozenset[str],
    like: Any,
) -> Comparison:
    """The result; ``checks`` are those that come before and after those of the differences."""
    rows: list[PairRow] = []
    for gaps in found.values():
        adjusted = holm([gap.pvalue for gap in gaps])
        rows += [_row(gap, p) for gap, p in zip(gaps, adjusted, strict=True)]
    of_gaps = [check for gaps in found.values() for gap in gaps for check in _checks(gap, plan)]
    before, after = checks
    positive = "" if counted["n_pos"] is None else f", {counted['n_pos']} positive"
    left_out = f", {counted['dropped']} left out for missing values" if counted["dropped"] else ""
    margin = "" if plan.margin is None else f"; p: worse by {plan.margin:g} or more"
    return Comparison(
        rows,
        ci=plan.ci,
        facts={**counted, "margin": plan.margin},
        caption=f"{counted['n']} cases{positive}{left_out}; "
        f"with {100 * plan.ci:g} % intervals{margin}",
        checks=[c for c in (*before, *of_gaps, *after) if c.code not in unwanted],
        titles={str(one): f"{one} {arrow(one.best)}" for one in found},
        like=like,
    )


def _pairs(models: list[str], reference: str | None, directed: bool) -> list[tuple[str, str]]:
    if len(models) < 2:
        raise DataError("a comparison needs at least two models: give the scores of another one")
    if reference is not None:
        if reference not in models:
            known = ", ".join(models)
            raise DataError(f"the reference {reference!r} is none of the models: {known}")
        return [(model, reference) for model in models if model != reference]
    return list((permutations if directed else combinations)(models, 2))


def _row(gap: Difference, adjusted: float) -> PairRow:
    known = not gap.reason
    return PairRow(
        gap.a,
        gap.b,
        str(gap.measure),
        gap.difference,
        gap.low if known else None,
        gap.high if known else None,
        gap.pvalue if known else None,
        adjusted if known else None,
        gap.method,
    )


def _checks(gap: Difference, plan: PairPlan) -> list[Check]:
    pair, measure = f"{gap.a} - {gap.b}", str(gap.measure)
    if gap.reason:
        return [Check("MM12", f"there is no interval: {gap.reason}", pair, None, measure)]
    if gap.low == gap.high == 0:
        return [Check("MM08", "both are the same model to this measure", pair, None, measure)]
    drawn = plan.resamples if gap.method == "bootstrap" else 0
    found = [*check_drawn(drawn, gap.left_out, plan.ci), *check_width(gap.low, gap.high)]
    return [Check(code, message, pair, None, measure) for code, message in found]
