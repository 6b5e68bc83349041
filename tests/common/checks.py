"""What every measure must do: each check takes a measure and fails with an AssertionError.

So do those of kinds of curves. The tests run them over the registry; the tests of the tests run
them over measures and curves that are wrong on purpose.
"""

import math
import pickle
from fractions import Fraction

import numpy as np

import metameasure as mm
from metameasure.measurement import CaseMean, PairMean, Share
from oracles import CUT_ORACLES, TABLE_ORACLES, cut
from strategies import table_of

KEYWORDS = {"threshold": "threshold", "top": "top", "k": "k", "fpr": "at_fpr", "tpr": "at_tpr"}


def oracle_value(measure, cases):
    """The value by the slow definition; None where it is undefined."""
    keywords = dict(measure.parameters)
    if measure.point is None:
        return TABLE_ORACLES[measure.name](cases, **keywords)
    matrix = cut(cases, KEYWORDS[measure.point.kind], measure.point.value)
    return None if matrix is None else CUT_ORACLES[measure.name](*matrix, **keywords)


def assert_same(value, expected, context=""):
    """Equality up to rounding: tighter where the oracle is exact."""
    value = float(value)
    if expected is None:
        assert math.isnan(value), f"{value} where undefined {context}"
        return
    tolerance = 1e-11 if isinstance(expected, (Fraction, int)) else 1e-9
    assert not math.isnan(value), f"undefined where {float(expected)} {context}"
    assert math.isclose(value, float(expected), rel_tol=tolerance, abs_tol=tolerance), (
        f"{value} != {float(expected)} {context}"
    )


def check_oracle(measure, cases):
    """The value is that of the definition, and undefined exactly where that is."""
    expected = oracle_value(measure, cases)
    assert_same(measure.compute(table_of(cases)), expected, f"{measure} {cases}")
    total = sum(weight for *_, weight in cases)
    if expected is None and total and measure.point in {None, measure.declaration.point}:
        assert measure.declaration.undefined, f"{measure} does not say when it is undefined"


def check_range(measure, cases):
    """No value lies outside the declared range."""
    value = float(measure.compute(table_of(cases)))
    low, high = measure.declaration.range
    slack = 1e-9 * max(1.0, abs(value)) if math.isfinite(value) else 0
    assert math.isnan(value) or low - slack <= value <= high + slack, f"{measure}={value} {cases}"


def check_repetition(measure, cases):
    """An integer weight counts as that number of cases, weight 0 as none."""
    whole = [(label, score, Fraction(math.ceil(weight))) for label, score, weight in cases]
    repeated = [
        (label, score, Fraction(1)) for label, score, weight in whole for _ in range(int(weight))
    ]
    weighted = measure.compute(table_of(whole))
    if repeated:
        assert_same(measure.compute(table_of(repeated)), _or_none(weighted), f"{measure} {whole}")
    else:
        assert math.isnan(weighted), f"{measure} has a value without cases"


def check_merge(measure, cases, others):
    """The table of two lists is the merge of their tables."""
    merged = table_of(cases) + table_of(others)
    together = measure.compute(table_of([*cases, *others]))
    assert_same(measure.compute(merged), _or_none(together), f"{measure} {cases} {others}")


def check_block(measure, lists):
    """A block gives what its tables give one by one; also when its tables share their scores."""
    size = max(map(len, lists))
    nothing = (False, 0.5, Fraction(0))
    padded = [[*cases, *[nothing] * (size - len(cases))] for cases in lists]
    labels, scores, weights = (np.array([[c[i] for c in row] for row in padded]) for i in range(3))
    block = mm.ScoreTable.from_cases(labels, scores.astype(float), weights.astype(float))
    expected = np.array([float(measure.compute(table_of(cases))) for cases in lists])
    found = np.asarray(measure.compute(block))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11, err_msg=str(measure))
    found = np.asarray(measure.compute(shared_block(lists)))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11, err_msg=str(measure))


def shared_block(lists, more=()):
    """The block of lists that share all of their scores, and perhaps more."""
    grid = sorted({*more, *(score for cases in lists for _, score, _ in cases)}, reverse=True)
    weights = [
        [[float(sum(w for y, s, w in cases if s == g and y == c)) for g in grid] for cases in lists]
        for c in (True, False)
    ]
    return mm.ScoreTable(grid, *weights)


def check_curve_in_block(kind, lists, more):
    """The curve of a table is the same in a block that shares more scores: heights and areas."""
    block = kind.compute(shared_block(lists, more))
    for place, cases in enumerate(lists):
        alone = kind.compute(table_of(cases))
        own = place
        if alone.shape:  # one curve per threshold: compare the thresholds that both have
            own = place, np.isin(block.threshold[place, :, 0], alone.threshold[:, 0])
        for line in (None, *alone.others):
            for asked in ("at", "area"):
                right, found = _asked(alone, asked, line, alone), _asked(block, asked, line, alone)
                assert (right is None) == (found is None), f"{kind}.{asked}({line})"
                if right is not None:
                    words = f"{kind}.{asked}({line}) {cases}"
                    np.testing.assert_allclose(found[own], right, 1e-9, 1e-11, err_msg=words)


def _asked(curve, asked, line, alone):
    """The heights from end to end of a curve that is alone, or the area if there is one."""
    if asked == "area":
        try:
            return curve.area(line)
        except mm.DataError:
            return None
    ends = alone.domain or (np.fmin.reduce(alone.x, axis=None), np.fmax.reduce(alone.x, axis=None))
    return curve.at(np.linspace(*(ends if np.isfinite(ends).all() else (0.0, 1.0)), 41), line)


def check_sampling(measure, cases):
    """The declared kind of statistic has the measure as its mean or share."""
    table, kind = table_of(cases), measure.declaration.sampling
    value, keywords = measure.compute(table), dict(measure.parameters)
    if math.isnan(value) or (measure.point and measure.point.kind != "threshold"):
        return
    if isinstance(kind, PairMean):
        with np.errstate(invalid="ignore"):
            of_positives, of_negatives = kind.components(table, **keywords)
        assert_same(np.sum(table.pos * of_positives) / table.P, value, "over the positives")
        assert_same(np.sum(table.neg * of_negatives) / table.N, value, "over the negatives")
    elif isinstance(kind, CaseMean):
        with np.errstate(divide="ignore"):
            losses = kind.losses(table, **keywords)
        total = sum(
            np.sum(weight[weight > 0] * loss[weight > 0])
            for weight, loss in zip((table.pos, table.neg), losses, strict=True)
        )
        mean = total / table.n
        assert_same(kind.of_mean(mean) if kind.of_mean else mean, value, "over the cases")
    elif isinstance(kind, Share):
        some, of = kind.counts(table.at(measure.point))
        assert_same(some / of, value, "as a share")


def check_bounds(measure, cases, starts):
    """The value lies between the bounds of coarser tables, and equals those of its own scores."""
    table = table_of(cases)
    whole = mm.CoarseTable.of(table)
    coarse = whole.pooled([start for start in starts if start < table.score.size])
    value = float(measure.within_range(measure.compute(table)))
    ends = measure.certified(coarse)
    if ends is None:
        return
    low, high = measure.quiet_bounds(coarse)
    if math.isnan(value):
        assert any(map(math.isnan, ends)), f"{measure} is undefined, not in {ends} {cases}"
        return
    if measure.point is None:
        assert not any(map(math.isnan, ends)), f"{measure} {value} has no ends {cases} {starts}"
    assert low <= value <= high, f"{measure} {value} not in [{low}, {high}] {cases} {starts}"
    expected = oracle_value(measure, cases)
    if isinstance(expected, (Fraction, int)) and not coarse.exact:
        assert low <= expected <= high, f"{measure} {expected} not in [{low}, {high}] {cases}"
    for end in measure.certified(whole):
        assert value == end or math.isclose(value, end, rel_tol=1e-12, abs_tol=1e-12), (
            f"{measure} {value} != {end} without pooled scores {cases}"
        )


def check_text(measure):
    """A measure is a value: its text and its pickle give it back."""
    assert mm.parse(str(measure)) == measure, str(measure)
    assert hash(mm.parse(str(measure))) == hash(measure)
    assert pickle.loads(pickle.dumps(measure)) == measure  # noqa: S301


def check_baseline(measure, positives, negatives):
    """The declared value of a model that gives every case the prevalence."""
    prevalence = positives / (positives + negatives)
    value = float(measure.compute(mm.ScoreTable([prevalence], [positives], [negatives])))
    declared = measure.declaration.baseline
    expected = declared(prevalence) if callable(declared) else declared
    assert math.isclose(value, expected, rel_tol=1e-9, abs_tol=1e-9), f"{measure}: {value}"


def transformed(invariance, cases):
    """The same cases after what a measure may be invariant to."""
    if invariance == "monotone":
        return [(label, score**3 * 0.9, weight) for label, score, weight in cases]
    if invariance == "prevalence":
        return [(label, score, weight * (4 if label else 1)) for label, score, weight in cases]
    return [(label, score, weight * 3) for label, score, weight in cases]


def changes(measure, invariance, cases):
    """Whether the value is another after the transformation."""
    before, after = (
        float(measure.compute(table_of(some))) for some in (cases, transformed(invariance, cases))
    )
    if math.isnan(before) or math.isnan(after):
        return math.isnan(before) != math.isnan(after)
    return not math.isclose(before, after, rel_tol=1e-9, abs_tol=1e-9)


def _or_none(value):
    return None if math.isnan(value) else float(value)
