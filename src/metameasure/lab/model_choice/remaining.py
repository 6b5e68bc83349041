"""The value of a measure on the cases that were not drawn.

A mean over cases or over pairs, and a function of the confusion matrix at a threshold, follow from
sums over all cases minus those over the cases drawn. So the time per draw does not depend on the
number of cases. All other measures are computed from the tables of the remaining cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.measurement import CaseMean, PairMean
from metameasure.table import Cut

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure._types import Floats, Indices
    from metameasure.lab.model_choice.validation_sets import Cases
    from metameasure.measurement import Measure


def values_without(cases: Cases, measure: Measure, drawn: Indices) -> Floats:
    """The value of a measure on the cases not drawn: shape (models, repeats)."""
    kind = measure.sampling
    if measure.threshold is not None:
        return _from_cuts(cases, measure, measure.threshold, drawn)
    if isinstance(kind, PairMean):
        return _from_pairs(cases, measure, kind, drawn)
    if isinstance(kind, CaseMean):
        losses = _of_each_case(cases, measure, kind.losses)
        if np.isfinite(losses).all():
            return _from_losses(cases, kind, losses, drawn)
    return _from_tables(cases, measure, drawn)


def _from_tables(cases: Cases, measure: Measure, drawn: Indices) -> Floats:
    return np.stack(
        [
            np.concatenate([measure.compute(table) for table in cases.tables_without(drawn, model)])
            for model in range(cases.models)
        ]
    )


def _from_cuts(cases: Cases, measure: Measure, threshold: float, drawn: Indices) -> Floats:
    pos, neg = cases.weights()
    above = cases.scores >= threshold
    tp, fp = (_rest(above * weight, drawn) for weight in (pos, neg))
    return np.array(measure.at_cut(Cut(tp, fp, _rest(pos, drawn), _rest(neg, drawn))))


def _from_pairs(cases: Cases, measure: Measure, kind: PairMean, drawn: Indices) -> Floats:
    """From the sums over all pairs, over those with a case drawn, and over those with two."""
    pos, neg = cases.weights()
    means = _of_each_case(cases, measure, kind.components)
    of_positives, of_negatives = means * pos, means * neg
    all_pairs = neg.sum() * of_positives.sum(axis=-1, keepdims=True)
    drawn_pos, drawn_neg = pos[drawn].sum(axis=-1), neg[drawn].sum(axis=-1)
    with_one = neg.sum() * of_positives[:, drawn].sum(axis=-1)
    with_one += pos.sum() * of_negatives[:, drawn].sum(axis=-1)
    inside = drawn_pos * drawn_neg
    with_two = np.where(inside > 0, inside * cases.values_of(measure, drawn), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        pairs = (pos.sum() - drawn_pos) * (neg.sum() - drawn_neg)
        found: Floats = np.where(pairs > 0, (all_pairs - with_one + with_two) / pairs, np.nan)
    return found


def _from_losses(cases: Cases, kind: CaseMean, losses: Floats, drawn: Indices) -> Floats:
    weight = np.add(*cases.weights())
    mean: Floats = _rest(losses * weight, drawn) / _rest(weight, drawn)
    return mean if kind.of_mean is None else np.asarray(kind.of_mean(np.maximum(mean, 0.0)))


def _of_each_case(cases: Cases, measure: Measure, terms: Callable[..., tuple[Any, Any]]) -> Floats:
    """The term of each case in a mean, one row per model."""
    found = []
    for places in cases.places:
        table = places.table()
        with np.errstate(divide="ignore", invalid="ignore"):
            both = terms(table, **dict(measure.parameters))
        found.append(places.of_cases(*(np.broadcast_to(each, table.score.shape) for each in both)))
    return np.stack(found)


def _rest(values: Floats, drawn: Indices) -> Floats:
    """The sums over the cases not drawn; the last axis of ``values`` is that of the cases."""
    rest: Floats = values.sum(axis=-1, keepdims=True) - values[..., drawn].sum(axis=-1)
    return rest
