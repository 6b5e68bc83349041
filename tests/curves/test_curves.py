"""Curves: against their definitions, against measures, against scikit-learn, and in the papers."""

import doctest
import inspect
import math
import pickle
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metameasure as mm
from metameasure import kernels
from metameasure.curves import (
    Curve,
    CurveKind,
    cap,
    cost_curve,
    cost_lines,
    curve_kinds,
    decision_curve,
    det,
    find_kind,
    gain,
    gain_counts,
    lift_curve,
    precision_recall,
    reliability,
    roc,
    roc_hull,
    roc_surface,
    sroc,
    tpr_fpr,
)
from metameasure.curves import _sroc as margins_module
from metameasure.curves.curve_kind import curve as declare
from metameasure.kernels import plain
from oracles import curves as slow
from oracles.cuts import points, totals
from strategies import cases, table_of

KINDS = curve_kinds()
NAMES = [kind.name for kind in KINDS]
HUNDREDTHS = [Fraction(k, 100) for k in range(101)]
of_kinds = pytest.mark.parametrize("kind", KINDS, ids=NAMES)
both = cases(min_size=2).filter(lambda some: all(totals(some)))


def close(right):
    return pytest.approx(np.asarray(right, dtype=float), rel=1e-12, abs=1e-12)


def drawn(n=300, weights=False, seed=0, digits=2):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < 0.4
    scores = np.clip(np.round(0.2 * labels + 0.8 * rng.random(n), digits), 0, 1)
    return mm.tabulate(labels, scores, sample_weight=rng.random(n) if weights else None)


# ---------------------------------------------------------------- points by their definitions


@given(both)
def test_roc_and_det(some):
    table, right = table_of(some), np.array(slow.roc(some), dtype=float)
    found, missed = roc(table), det(table)
    assert found.x == close(right[:, 0])
    assert found.y == close(right[:, 1])
    assert found.threshold.tolist() == slow.thresholds(some) == missed.threshold.tolist()
    assert missed.x == close(right[:, 0])
    assert missed.y == close(1 - right[:, 1])


@given(both)
def test_hull_vertices_and_their_thresholds(some):
    found, right = roc_hull(table_of(some)), slow.hull(some)
    assert found.x == close([x for (x, _), _ in right])
    assert found.y == close([y for (_, y), _ in right])
    assert found.threshold.tolist() == [threshold for _, threshold in right]


@given(both)
def test_sroc_is_an_exact_step_function(some):
    found, margins = sroc(table_of(some)), slow.margins(some)
    assert found.x.tolist() == [*margins, 1.0]
    assert found.y == close([*(slow.sroc(some, tau) for tau in margins), 0])
    wanted = [0.0, 0.1, 0.25, 0.3, 0.5, 0.75, 1.0]
    assert found.at(wanted) == close([slow.sroc(some, tau) for tau in wanted])


@given(both)
def test_precision_recall_points_and_what_lies_between(some):
    found, right = precision_recall(table_of(some)), slow.precision_recall(some)
    assert found.x == close([0, *(recall for recall, _ in right)])
    assert found.y == close([right[0][1], *(precision for _, precision in right)])
    assert found.at([float(r) for r in HUNDREDTHS[1:]]) == close(
        [slow.precision_at(some, r) for r in HUNDREDTHS[1:]]
    )
    assert found.at(0.0) == close(right[0][1])


@given(both)
def test_rates_over_the_thresholds(some):
    table, right = table_of(some), slow.roc(some)
    n, k = sum(totals(some)), len(right) - 1
    depths = [taken / n for taken, _ in slow.taken(some)]
    for against, x in (("index", [Fraction(i, k) for i in range(k + 1)]), ("depth", depths)):
        found = tpr_fpr(table, against=against)
        assert found.x == close(x)
        assert found.y == close([y for _, y in right])
        assert found.others["fpr"] == close([x for x, _ in right])
    by_score = tpr_fpr(table, against="score")
    for t in (-1.0, 0.0, 0.1, 0.3, 0.37, 0.5, 0.75, 1.0, 2.0):
        above = [(label, weight) for label, score, weight in some if score >= t]
        p, q = (sum((w for label, w in above if label is y), Fraction(0)) for y in (True, False))
        assert by_score.at(t) == close(p / totals(some)[0])
        assert by_score.at(t, "fpr") == close(q / totals(some)[1])


@given(both)
def test_gain_counts_and_gain(some):
    table, right = table_of(some), slow.taken(some)
    chart, share = gain_counts(table), gain(table)
    p, n = totals(some)
    assert chart.x == close([taken for taken, _ in right])
    assert chart.y == close([tp for _, tp in right])
    assert share.x == close([taken / (p + n) for taken, _ in right])
    assert share.y == close([tp / p for _, tp in right])


@given(both)
def test_cost_curve_is_the_lower_envelope_of_all_lines(some):
    table = table_of(some)
    found, lines = cost_curve(table), cost_lines(table)
    assert found.at([float(pc) for pc in HUNDREDTHS]) == close(
        [slow.least_cost(some, pc) for pc in HUNDREDTHS]
    )
    assert lines.shape == (len(slow.roc(some)),)
    assert lines.y == close([(fpr, 1 - tpr) for fpr, tpr in slow.roc(some)])
    assert found.at(0.3) == close(lines.at(0.3).min())
    # From each point to the next its threshold is the best one.
    for place, (x0, x1) in enumerate(pairwise(found.x)):
        middle = (x0 + x1) / 2
        row = slow.thresholds(some).index(found.threshold[place])
        assert lines.at(middle)[row] == close(found.at(middle))


@given(both, st.integers(0, 99))
def test_decision_curve(some, percent):
    t, found = Fraction(percent, 100), decision_curve(table_of(some))
    assert found.at(float(t)) == close(slow.net_benefit(some, t))
    p, n = totals(some)
    assert found.at(float(t), "treat_all") == close((p - n * t / (1 - t)) / (p + n))
    assert found.at(float(t), "treat_none") == 0
    for x, y in zip(found.x, found.y, strict=True):
        if x < 1:
            assert y == close(slow.net_benefit(some, Fraction(float(x))))


@given(both)
def test_reliability_is_the_isotonic_regression(some):
    table, right = table_of(some), slow.isotonic(some)
    found = reliability(table)
    assert found.at(list(right)) == close(list(right.values()))
    assert set(found.x) <= set(right)
    known = mm.calibrate_isotonic(table)
    between = np.linspace(0, 1, 41)
    assert found.at(between) == close(known.predict(between))
    # Its area is that from 0 to 1, beyond the first and the last score, too.
    x, y = [0, *sorted(right), 1], [right[score] for score in sorted(right)]
    steps = zip(pairwise(x), pairwise([y[0], *y, y[-1]]), strict=True)
    assert found.area() == close(sum((b - a) * (c + d) / 2 for (a, b), (c, d) in steps))


def test_a_surface_has_the_class_ratio_as_third_dimension():
    table = drawn()
    found = roc_surface(table, r=[0.5, 4], measure="f_measure(beta=2)")
    assert found.shape == (2,)
    assert (found.x == table.fpr).all()
    assert (found.y == table.tpr).all()
    assert found.others["ratio"][:, 0].tolist() == [0.5, 4]
    for ratio, values in zip((0.5, 4), found.others["value"], strict=True):
        weighed = mm.ScoreTable(table.score, table.pos / table.P, ratio * table.neg / table.N)
        for row in (0, 7, 40):
            right = mm.parse("f_measure(beta=2)")(weighed, threshold=float(table.score[row]))
            assert values[row + 1] == close(right)


# ---------------------------------------------------------------- areas are measures


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("n", [5, 300, 3000])
def test_areas_are_measures(n, weights):
    table = drawn(n, weights, seed=n)
    tight = {"rel": 1e-12, "abs": 1e-12}
    assert roc(table).area() == pytest.approx(mm.auc(table), **tight)
    assert det(table).area() == pytest.approx(1 - mm.auc(table), **tight)
    assert roc_hull(table).area() == pytest.approx(mm.auch(table), **tight)
    assert sroc(table).area() == pytest.approx(mm.scored_auc(table), **tight)
    for word in ("step", "davis_goadrich", "trapezoid", "max"):
        area = precision_recall(table, interpolation=word).area()
        right = mm.average_precision(table, interpolation=word)
        assert area == pytest.approx(right, **tight)
    lines = tpr_fpr(table)
    assert lines.area() - lines.area("fpr") == pytest.approx(mm.abc(table), **tight)
    # The accuracy ratio: the area above the diagonal, as a share of what a perfect ranking has.
    perfect = 1 - table.prevalence / 2
    ratio = (gain(table).area() - 0.5) / (perfect - 0.5)
    assert ratio == pytest.approx(mm.gini(table), **tight)
    # The Brier score of the isotonic regression where both classes weigh the same.
    balanced = mm.ScoreTable(table.score, table.pos / table.P, table.neg / table.N)
    refined = mm.uncertainty(balanced) - mm.discrimination(balanced)
    assert cost_curve(table).area() == pytest.approx(refined, **tight)
    dt, df = table.hull.pos / table.P, table.hull.neg / table.N
    assert cost_curve(table).area() == pytest.approx(np.sum(dt * df / (dt + df)) / 2, **tight)


@pytest.mark.parametrize("weights", [False, True])
def test_heights_are_measures(weights):
    table = drawn(200, weights)
    for v in np.linspace(0, 1, 51):
        assert roc(table).at(v) == close(mm.tpr(table, at_fpr=v))
        assert gain(table).at(v) == close(mm.tpr(table, top=v))
        assert gain_counts(table).at(v * table.n) == close(mm.tpr(table, top=v) * table.P)
        if v:
            assert lift_curve(table).at(v) == close(mm.lift(table, top=v))
        assert sroc(table).at(v) == close(mm.margin_auc(table, tau=v))
        assert tpr_fpr(table, against="score").at(v) == close(mm.tpr(table, threshold=v))
        c = mm.minimum_cost.using(c=0.5, prior=min(max(v, 1e-9), 1 - 1e-9))
        assert cost_curve(table).at(v) == pytest.approx(2 * c(table), abs=1e-8)
        if v:
            assert precision_recall(table).at(v) == close(mm.precision(table, at_tpr=v))
        if v < 1:
            assert decision_curve(table).at(v) == close(mm.net_benefit(table, t=v))


# ---------------------------------------------------------------- scikit-learn


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("digits", [1, 6])
def test_points_of_scikit_learn(weights, digits):
    from sklearn.metrics import det_curve, precision_recall_curve, roc_curve

    rng = np.random.default_rng(3)
    y, s = rng.random(500) < 0.3, np.round(rng.random(500), digits)
    w = rng.random(500) if weights else None
    x, tpr, limits = roc_curve(y, s, sample_weight=w, drop_intermediate=False)
    found = roc(y, s, sample_weight=w)
    assert found.x == close(x)
    assert found.y == close(tpr)
    assert found.threshold.tolist() == limits.tolist()
    precision, recall, limits = precision_recall_curve(y, s, sample_weight=w)
    found = precision_recall(y, s, sample_weight=w)
    # Theirs begins, read backwards, with a precision of 1 whatever the first cases are.
    assert found.x == close(recall[::-1])
    assert found.y[1:] == close(precision[::-1][1:])
    assert found.threshold[1:].tolist() == limits[::-1].tolist()
    fpr, fnr, limits = det_curve(y, s, sample_weight=w)
    found = det(y, s, sample_weight=w)
    # Theirs leaves out the trivial ends.
    place = {t: i for i, t in enumerate(found.threshold)}
    rows = [place[t] for t in limits if t in place]
    assert len(rows) >= len(limits) - 1
    kept = [t in place for t in limits]
    assert found.x[rows] == close(fpr[kept])
    assert found.y[rows] == close(fnr[kept])


def test_isotonic_regression_and_calibration_of_scikit_learn():
    from sklearn.calibration import calibration_curve
    from sklearn.isotonic import IsotonicRegression

    rng = np.random.default_rng(3)
    s = np.round(rng.random(500), 2)
    y = rng.random(500) < s**2
    theirs = IsotonicRegression(out_of_bounds="clip").fit(s, y)
    grid = np.linspace(0, 1, 201)
    assert reliability(y, s).at(grid) == pytest.approx(theirs.predict(grid), abs=1e-9)
    # Where each bin has one score and shares rise anyway, the binned curve is the same.
    s = np.repeat([0.1, 0.3, 0.5, 0.7, 0.9], 20)
    y = np.concatenate([np.arange(20) < k for k in (1, 5, 9, 14, 19)])
    share, mean = calibration_curve(y, s, n_bins=5)
    found = reliability(y, s)
    assert found.x == close(mean)
    assert found.y == close(share)


# ---------------------------------------------------------------- blocks


@of_kinds
@pytest.mark.parametrize("own_scores", [False, True])
def test_a_block_is_its_tables(kind, own_scores):
    if kind is roc_surface:
        with pytest.raises(mm.DataError, match="got a block of tables"):
            kind(mm.tabulate_lists([1, 0], [[0.1, 0.2]]))
        return
    rng = np.random.default_rng(5)
    tables, rows = 12, 9
    drawn_scores = [np.sort(rng.choice(100, rows, replace=False)) for _ in range(tables)]
    score = np.stack(drawn_scores[: tables if own_scores else 1])[:, ::-1] / 100.0
    pos, neg = rng.integers(0, 3, (2, tables, rows)).astype(float)
    empty = rng.random((tables, rows)) < 0.3  # rows without weight at the ends and inside
    pos[empty] = neg[empty] = 0
    pos[:, 4], neg[:, 3] = 1, 2
    block = mm.ScoreTable(score if own_scores else score[0], pos, neg)
    found = kind(block)
    x = np.linspace(0, 1, 23)
    assert found.shape[: block.pos.ndim - 1] == (tables,)
    for place in range(tables):
        one = mm.ScoreTable(score[place if own_scores else 0], pos[place], neg[place])
        right = kind(one)
        here = x * one.n if kind is gain_counts else x
        if kind is cost_lines:
            kept = [0, *(np.flatnonzero(pos[place] + neg[place]) + 1)]
            assert found.y[place][kept] == close(right.y)
            continue
        if kind is gain_counts:
            line = Curve("", found.x[place], found.y[place])
            assert line.at(here) == close(right.at(here))
        else:
            assert found.at(here)[place] == close(right.at(here))
            for name in right.others:
                assert found.at(here, name)[place] == close(right.at(here, name))
        if kind is not decision_curve:  # which has none
            assert found.area()[place] == close(right.area())
        if kind in {roc_hull, cost_curve}:
            # Points that rows without weight add stand where others do, with their threshold.
            assert vertices_of(found, place) == vertices_of(right)


def vertices_of(curve, place=...):
    columns = curve.x[place].round(12), curve.y[place].round(12), curve.threshold[place]
    return set(zip(*(column.tolist() for column in columns), strict=True))


def test_heights_of_long_and_short_blocks_are_the_same():
    rng = np.random.default_rng(1)
    labels, scores = rng.random((3, 700)) < 0.4, np.round(rng.random((3, 700)), 3)
    block = mm.tabulate_lists(labels, scores)
    x = rng.permutation(np.linspace(0, 1, 37))
    for place in range(3):
        assert roc(block).at(x)[place] == close(roc(labels[place], scores[place]).at(x))
    short = mm.tabulate_lists(labels[:, :20], scores[:, :20])
    for place in range(3):
        assert roc(short).at(x)[place] == close(roc(labels[place, :20], scores[place, :20]).at(x))
    assert roc(block).at([[0.1, 0.2], [0.3, 0.4]]).shape == (3, 2, 2)


def test_sroc_on_a_grid_is_exact_there(monkeypatch):
    table, block = drawn(200), mm.tabulate_lists([1, 0, 1, 0], [[0.9, 0.2, 0.5, 0.5]] * 2)
    exact = sroc(table), sroc(block)
    monkeypatch.setattr(margins_module, "MOST_PAIRS", 3)
    for one, right in zip((table, block), exact, strict=True):
        found = sroc(one, grid=8)
        assert found.x.tolist() == [k / 8 for k in range(9)]
        assert found.y == close(right.at(found.x))
        assert found.between == "line"
    for entries in (10**9, 3):
        monkeypatch.setattr(kernels, "COMPILED_FROM", entries)
        for one in (table, drawn(200, weights=True)):
            found = sroc(one)
            assert len(found) == 21
            assert found.y == close([mm.margin_auc(one, tau=tau) for tau in found.x])
            assert sroc(one, grid=1).y == close([found.y[0], 0])
            assert sroc(one, grid=7).at(0.5) == close((sroc(one, grid=14).y[6:9:2]).mean())
        for block in (
            mm.tabulate_lists([1, 0, 1, 0], [[0.9, 0.2, 0.5, 0.5], [0.1, 0.9, 1.0, 0.0]]),
            mm.ScoreTable([0.9, 0.5, 0.1], [[1, 0, 2], [0, 1, 0]], [[1, 2, 0], [3, 0, 0.5]]),
        ):
            for tau, y in zip(found.x, sroc(block).y.T, strict=True):
                assert y == close(mm.margin_auc(block, tau=tau))


def test_sroc_below_100_000_rows_needs_no_numba(monkeypatch):
    asked = []
    monkeypatch.setattr(kernels, "import_module", lambda name: asked.append(name) or plain)
    rng = np.random.default_rng(4)
    for n in (99_999, 100_000):
        labels, scores = rng.random(n) < 0.5, rng.random(n)
        found = sroc(labels, scores)
        right = mm.margin_auc.using(tau=0.25).compute(mm.tabulate(labels, scores))
        assert found.y[5] == close(right)
    assert asked[0].endswith(".plain")
    assert asked[-1].endswith(".compiled")


# ---------------------------------------------------------------- undefined values, bad input


@pytest.mark.parametrize("kind", [roc, roc_hull, det, tpr_fpr, sroc, cost_curve, cost_lines])
@pytest.mark.parametrize("label", [0, 1])
def test_an_empty_class_is_undefined(kind, label):
    with pytest.warns(mm.UndefinedMeasureWarning, match=f"{kind.name} is undefined: a class") as w:
        found = kind([label, label], [0.2, 0.7])
    assert len(w) == 1
    assert w[0].filename == __file__
    assert np.isnan(found.area()).all()
    assert np.isnan(found.at(0.5)).all()


def test_what_needs_positives_only_is_defined_without_negatives():
    assert gain([1, 1], [0.2, 0.7]).at(0.5) == 0.5
    assert precision_recall([1, 1], [0.2, 0.7]).area() == 1
    for kind in (gain, precision_recall):
        with pytest.warns(mm.UndefinedMeasureWarning, match="no positive case"):
            assert math.isnan(kind([0, 0], [0.2, 0.7]).area())
    assert gain_counts([0, 0], [0.2, 0.7]).y.tolist() == [0, 0, 0]
    assert decision_curve([0, 0], [0.2, 0.7]).at(0.5) == -0.5


def test_undefined_in_a_block_is_counted():
    block = mm.ScoreTable([0.9, 0.1], pos=[[1, 0], [0, 0]], neg=[[0, 1], [1, 1]])
    with pytest.warns(mm.UndefinedMeasureWarning, match="roc is undefined on 1 of 2 tables"):
        found = roc(block)
    assert found.area()[0] == 1
    assert math.isnan(found.area()[1])
    assert np.isnan(found.at([0.1, 0.9])[1]).all()


def test_bad_input():
    y, s = [1, 0, 1], [0.9, 0.5, 0.1]
    with pytest.raises(mm.DataError, match="needs y_true and y_score"):
        roc(y)
    with pytest.raises(mm.ParameterError, match="pass either a ScoreTable or y_true and"):
        roc(mm.tabulate(y, s), s)
    with pytest.raises(mm.ParameterError, match="it takes interpolation"):
        precision_recall(y, s, against="x")
    with pytest.raises(mm.ParameterError, match="roc has no parameter x; it takes none"):
        roc(y, s, x=1)
    with pytest.raises(mm.ParameterError, match="against must be one of 'index', 'score', 'depth'"):
        tpr_fpr(y, s, against="rank")
    with pytest.raises(mm.ParameterError, match=r"r must be numbers above 0, got \[1, -1\]"):
        roc_surface(y, s, r=[1, -1])
    with pytest.raises(mm.ParameterError, match=r"r must be numbers above 0, got \[\]"):
        roc_surface(y, s, r=[])
    with pytest.raises(
        mm.ParameterError,
        match="measure must be a measure at a threshold, like accuracy, got 'auc'",
    ):
        roc_surface(y, s, measure="auc")
    for wrong in (1.5, -0.1, math.nan, [0.5, 1.5]):
        with pytest.raises(mm.ParameterError, match=r"x must be in \[0, 1\], got") as refused:
            roc(y, s).at(wrong)
        assert refused.value.argument == "x"
    with pytest.raises(mm.ParameterError, match="x must be a number, got nan"):
        tpr_fpr(y, s, against="score").at(math.nan)
    with pytest.raises(mm.ParameterError, match="x must be real numbers"):
        roc(y, s).at("half")
    with pytest.raises(mm.ParameterError, match="has no line 'tpr'"):
        roc(y, s).at(0.5, "tpr")
    with pytest.raises(mm.ParameterError, match="has no line 'tpr'; it has fpr") as refused:
        tpr_fpr(y, s).area("tpr")
    assert refused.value.argument == "line"
    for found in (decision_curve(y, s), tpr_fpr(y, s, against="score")):
        with pytest.raises(mm.DataError, match="no area"):
            found.area()
    with pytest.raises(mm.ParameterError, match="there is no curve 'rock'; use one of roc, "):
        find_kind("rock")
    with pytest.warns(mm.DroppedCasesWarning, match="1 of 4 cases") as w:
        roc([1, 0, 1, 0], [0.9, 0.5, 0.1, None], nan_policy="drop")
    assert w[0].filename == __file__


@pytest.mark.parametrize("kind", [k for k in KINDS if k.declaration.unit_scores])
def test_probabilities_are_asked_for(kind):
    with pytest.raises(mm.DataError, match=rf"{kind.name} needs scores in \[0, 1\].*from 2 to 3"):
        kind([1, 0, 1], [2, 0.5, 3])
    assert len(kind([1, 0, 1], [2, 0.5, 3], rescale="minmax"))


# ---------------------------------------------------------------- a kind of curve is a value


@of_kinds
def test_the_example_in_the_docstring(kind):
    scope = {kind.name: kind, "np": np}
    example = doctest.DocTestParser().get_doctest(kind.__doc__, scope, kind.name, None, 0)
    assert example.examples
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert not doctest.DocTestRunner(verbose=False, optionflags=flags).run(example).failed


@of_kinds
def test_a_kind_is_declared_once(kind):
    assert pickle.loads(pickle.dumps(kind)) == kind  # noqa: S301
    assert find_kind(kind.name) is kind
    assert kind.__doc__.startswith(inspect.getdoc(kind.declaration.function).splitlines()[0])
    shown = inspect.signature(kind).parameters
    own = list(kind.declaration.parameters)
    assert list(shown) == [
        "y_true", "y_score", *own, "label", "score", "weight", "pos_label", "sample_weight",
        "nan_policy", "rescale", "labels",
    ]  # fmt: skip
    found = kind([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    assert found.name == kind.name
    assert all(found.labels)
    assert found.x.shape[-1] == found.y.shape[-1] == len(found)
    if found.threshold is not None:
        assert np.all(found.threshold[..., 0].max() == math.inf)
        assert found.threshold.shape[-1] == len(found)


def test_parameters_belong_to_the_value():
    deep = tpr_fpr.using(against="depth")
    assert str(deep) == "tpr_fpr(against='depth')"
    assert deep == tpr_fpr.using(against="depth") != tpr_fpr
    assert len({deep, tpr_fpr, tpr_fpr.using(against="depth")}) == 2
    assert deep.using(against="index") == tpr_fpr
    assert pickle.loads(pickle.dumps(deep)) == deep  # noqa: S301
    assert deep != "deep"
    assert cap is gain is find_kind("cap")


def test_a_curve_of_ones_own():
    @declare("share", "twice it")
    def doubled(table):
        """Twice the share."""
        return Curve("", table.tpr, 2 * table.tpr)

    try:
        assert isinstance(doubled, CurveKind)
        assert doubled([1, 0, 1], [0.9, 0.5, 0.1]).area() == 1
    finally:
        kinds_module = inspect.getmodule(declare)
        del kinds_module._kinds["doubled"]


def test_labels_weights_and_frames():
    y, s = ["b", "a", "b", "a"], [0.9, 0.5, 0.5, 0.1]
    found = roc(y, s, pos_label="b", sample_weight=[1, 1, 1, 0])
    assert found.x.tolist() == [0, 0, 1]
    assert found.frame().columns == ["threshold", "x", "y"]
    assert tpr_fpr(y, s, pos_label="b").frame().columns == ["threshold", "x", "y", "fpr"]
    block = roc(mm.tabulate_lists([1, 0], [[0.9, 0.1], [0.1, 0.9]])).frame()
    assert block.columns == ["curve", "threshold", "x", "y"]
    assert block["curve"].to_list() == [0, 0, 0, 1, 1, 1]
    assert cost_lines(y, s, pos_label="b").frame().height == 8
    assert repr(found) == "<roc: 3 points>"
    assert "block of (2,)" in repr(roc(mm.tabulate_lists([1, 0], [[0.9, 0.1], [0.1, 0.9]])))


def test_the_callers_arrays_stay_as_they_are():
    y, s = np.array([1, 0, 1, 0]), np.array([0.9, 0.5, 0.5, 0.1])
    table = mm.tabulate(y, s)
    before = table.tp.copy(), table.fp.copy()
    for kind in KINDS:
        kind(table)
        kind(y, s)
    assert s.tolist() == [0.9, 0.5, 0.5, 0.1]
    assert (table.tp == before[0]).all()
    assert (table.fp == before[1]).all()


# ---------------------------------------------------------------- the papers

M1 = [1, 1, 1, 0, 0, 0], [1.0, 0.7, 0.6, 0.5, 0.4, 0.0]
M2 = [1, 1, 0, 1, 0, 0], [1.0, 0.9, 0.6, 0.5, 0.2, 0.0]


def test_wff_figure_1_sroc_of_two_models():
    # Definition 1 at all margins: the pairs of Example 1 by hand, in ninths.
    first, second = sroc(*M1), sroc(*M2)
    heights = {0: 9, 0.1: 8, 0.2: 6, 0.3: 5, 0.5: 4, 0.6: 2, 0.7: 1, 1: 0}
    assert first.x == close([*list(heights)[:-1], 1, 1])
    assert first.y == close([*(h / 9 for h in heights.values()), 0])
    heights = {0: 8, 0.3: 6, 0.4: 5, 0.5: 4, 0.7: 3, 0.8: 2, 0.9: 1, 1: 0}
    assert np.unique(second.x.round(12)) == close(list(heights))
    for low, high in pairwise(heights):
        assert second.at((low + high) / 2) == close(heights[low] / 9)
    # "The margin-based AUC of M1 deteriorates more rapidly, even though its AUC is higher."
    assert (first.at(0), second.at(0)) == (1, close(8 / 9))
    assert (first.at(0.25), second.at(0.25)) == (close(6 / 9), close(8 / 9))
    assert (first.area(), second.area()) == (close(4.2 / 9), close(4.9 / 9))


@pytest.mark.parametrize("gaps", [([0.75], [0.25]), ([1.0, 0.75], [0.125, 0.0])])
def test_wff_7_sroc_has_up_to_one_segment_more_than_pairs(gaps):
    positives, negatives = gaps
    found = sroc([1] * len(positives) + [0] * len(negatives), positives + negatives)
    assert np.unique(found.y).size == len(positives) * len(negatives) + 1


def test_berrar_figure_2_rates_over_eleven_thresholds():
    # At t_6 the rates are 4/5 and 1/5, where the distance is largest, KS = 3/5; taKS = 1/3. The
    # list is in the figure only, so all lists that the text describes are tried.
    found = 0
    for chosen in combinations(range(10), 5):
        labels = [i in chosen for i in range(10)]
        curve = tpr_fpr(labels, range(10, 0, -1))
        gap = curve.y - curve.others["fpr"]
        if not math.isclose(gap[5], 0.6) or gap.max() > 0.6 + 1e-12 or curve.y[5] != 0.8:
            continue
        found += 1
        assert len(curve) == 11
        assert curve.others["fpr"][5] == close(1 / 5)
        assert gap[1:-1].mean() == close(mm.taks(labels, range(10, 0, -1)))
        assert curve.area() - curve.area("fpr") == close(mm.abc(labels, range(10, 0, -1)))
    assert found


@pytest.mark.parametrize(
    ("scores", "thresholds", "taks"),
    [
        ([1] * 5 + [0] * 5, 3, 1.0),
        ([0.95, 0.8, 0.7, 0.65, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1], 11, 0.556),
        ([0.8, 0.8, 0.7, 0.65, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1], 10, 0.6),
        ([0] * 5 + [1] * 5, 3, -1.0),
        ([0.5] * 10, 2, None),
    ],
)
def test_berrar_figure_3(scores, thresholds, taks):
    # Panels a, b, c, g and h; the scores of the others are in the figure only.
    curve = tpr_fpr([1] * 5 + [0] * 5, scores)
    gap = (curve.y - curve.others["fpr"])[1:-1]
    assert len(curve) == thresholds
    if taks is None:
        assert not gap.size
        assert (curve.y == curve.others["fpr"]).all()  # both on the same line
    else:
        assert round(gap.mean(), 3) == taks


def test_xie_9_more_points_than_cases_and_precision_that_rises():
    curve = roc(*M2)
    assert len(set(zip(curve.x, curve.y, strict=True))) == len(M2[0]) + 1
    found = precision_recall(*M2)
    assert np.any((np.diff(found.y) > 0) & (np.diff(found.x) > 0))


def test_a_concavity_and_its_repair():
    # Xie, Sec. 2.7: between 0.6 and 0.4 a negative stands before a positive.
    labels, scores = [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]
    slopes = [(1, 0), (0, 1), (1, 0), (0, 1)]  # TPR and FPR, in halves, of each step
    curve, hull = roc(labels, scores), roc_hull(labels, scores)
    assert [
        (2 * b, 2 * a) for a, b in zip(np.diff(curve.x), np.diff(curve.y), strict=True)
    ] == slopes
    with np.errstate(divide="ignore"):
        falls = np.diff(hull.y) / np.diff(hull.x)
    assert (np.diff(falls[np.isfinite(falls)]) < 0).all()
    assert hull.at(0.25) == 0.75 > curve.at(0.25) == 0.5
    assert hull.area() == 0.875 > curve.area() == 0.75
    # Scores that isotonic regression has calibrated have the hull as their ROC curve.
    calibrated = mm.calibrate_isotonic(labels, scores).predict(scores)
    assert roc(labels, calibrated).x.tolist() == hull.x.tolist()
    assert roc(labels, calibrated).y.tolist() == hull.y.tolist()


def test_points_are_those_of_the_table():
    some = [(True, 0.9, Fraction(1)), (False, 0.9, Fraction(2)), (True, 0.1, Fraction(1, 4))]
    assert [tuple(map(float, point)) for point in points(some)] == [(0, 0), (2, 1), (2, 1.25)]
    assert roc(table_of(some)).y.tolist() == [0, 0.8, 1]


def test_rows_of_weight_one_that_hold_both_classes_are_not_single_cases():
    y, s = [1, 0, 1, 0], [0.75, 0.75, 0.25, 0.25]
    half = mm.sroc(y, s, sample_weight=[0.5] * 4)
    assert half.y.tolist() == mm.sroc(y, s).y.tolist() == [0.25, 0, 0]
    assert half.area() == mm.scored_auc(y, s)
    assert mm.ndcg(mm.ScoreTable([0.9, 0.5], [0.5, 1], [0.5, 0])) <= 1


@pytest.mark.parametrize("x", ["x", 1j, [[0.1], "b"]])
def test_a_height_is_asked_for_at_numbers(x):
    with pytest.raises(mm.ParameterError, match="real numbers"):
        mm.roc([1, 0], [0.9, 0.1]).at(x)


@pytest.mark.parametrize("weights", [False, True])
def test_the_area_under_lift_is_that_of_fine_trapezoids(weights):
    curve = lift_curve(drawn(60, weights))
    x = np.linspace(0, 1, 200_001)
    assert curve.area() == pytest.approx(np.trapezoid(curve.at(x), x), abs=1e-4)
