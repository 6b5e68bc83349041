"""Every measure of the registry under the same tests; none is named here."""

import doctest
import math
import re
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metameasure as mm
from common import checks
from metameasure import kernels
from metameasure.errors import DataError
from metameasure.measurement import partial_of, references, values_in_parts
from metameasure.table import PartedTable
from oracles import CUT_ORACLES, TABLE_ORACLES
from strategies import cases, parameters, points, table_of

FAMILIES = "metameasure.measurement.families."
BUILT_IN = [m for m in mm.measures() if m.__module__.startswith(FAMILIES)]
over_the_registry = pytest.mark.parametrize("measure", BUILT_IN, ids=str)
INVARIANCES = ("monotone", "prevalence", "replication")


def _pool():
    """Fixed random lists with both classes, among which a counterexample must be."""
    rng = np.random.default_rng(20)
    lists = []
    for size in (2, 5, 8, 12, 30, 120):
        for _ in range(20):
            scores = rng.integers(1, 20, size) / 20
            labels = rng.random(size) < 0.2 + 0.6 * scores
            if labels.any() and not labels.all():
                lists.append(
                    [(bool(y), s, Fraction(1)) for y, s in zip(labels, scores, strict=True)]
                )
    return lists


POOL = _pool()


def chosen(data, measure):
    """A measure with drawn parameters and, if it has one, a drawn operating point."""
    keywords = data.draw(parameters(measure))
    if measure.point is not None and data.draw(st.booleans()):
        keywords |= [data.draw(points())]
    return measure.using(**keywords)


@over_the_registry
@given(data=st.data())
def test_a_table_in_parts_has_the_value_of_the_whole(measure, data):
    made = chosen(data, measure)
    whole = table_of(data.draw(cases()))
    rows = whole.score.size
    cuts = sorted(data.draw(st.sets(st.integers(1, rows - 1)))) if rows > 1 else []
    parts = PartedTable.of(whole, cuts)
    if partial_of(made) is None:
        with pytest.raises(DataError, match="cannot be computed from data that do not fit"):
            values_in_parts(parts, [made])
        return
    found = values_in_parts(parts, [made])[made]
    assert found == pytest.approx(made.quiet_value(whole), rel=1e-12, abs=1e-12, nan_ok=True)


@over_the_registry
def test_everything_is_declared(measure):
    declared = measure.declaration
    assert declared.symbol
    assert declared.formula
    package, _, module = measure.__module__.rpartition(".")
    assert package == "metameasure.measurement.families"
    assert module in {declared.family, declared.name}
    assert declared.reference_keys
    assert set(declared.reference_keys) <= set(references())
    assert set(declared.invariant_to) <= set(INVARIANCES)
    assert declared.range[0] < declared.range[1]
    assert list(declared.defaults) == list(declared.parameters)
    for name, value in declared.defaults.items():
        assert value is None or declared.parameters[name].read(value) == value


@over_the_registry
def test_what_is_declared_best_is_the_value_of_the_better_scores(measure):
    labels = [1] * 9 + [0] + [1] + [0] * 9
    calibrated, unrelated = [0.9] * 10 + [0.1] * 10, [0.95, 0.2] * 10
    lists = calibrated, unrelated, np.linspace(0.1, 0.8, 20)
    good, bad, worst = (measure(labels, scores) for scores in lists)
    best = measure.declaration.best
    if good == bad == worst:
        return  # it depends on the prevalence alone
    if isinstance(best, str):
        assert (good > bad) == (best == "max")
        assert good != bad
    else:
        assert abs(good - best) < abs(bad - best)


@over_the_registry
def test_the_docstring_says_what_the_number_means_and_shows_it(measure):
    text = measure.declaration.function.__doc__
    assert re.match(r"[A-Z].*\.$", measure.declaration.summary)
    examples = doctest.DocTestParser().get_doctest(
        text, {measure.name: measure, "mm": mm}, str(measure), None, 0
    )
    assert examples.examples
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    assert runner.run(examples).failed == 0
    assert any(re.search(r"\d\.\d{1,}|\d", example.want) for example in examples.examples)


@over_the_registry
def test_there_is_an_oracle(measure):
    assert measure.name in (CUT_ORACLES if measure.point else TABLE_ORACLES)


@over_the_registry
@given(st.data())
def test_value_of_the_definition(measure, data):
    checks.check_oracle(chosen(data, measure), data.draw(cases()))


@over_the_registry
@given(st.data())
def test_value_of_the_definition_without_weights(measure, data):
    checks.check_oracle(chosen(data, measure), data.draw(cases(weights=False, min_size=4)))


@over_the_registry
@given(st.data())
def test_range(measure, data):
    checks.check_range(chosen(data, measure), data.draw(cases()))


@over_the_registry
@given(st.data())
def test_a_weight_is_a_repetition(measure, data):
    checks.check_repetition(chosen(data, measure), data.draw(cases()))


@over_the_registry
@given(st.data())
def test_merge(measure, data):
    checks.check_merge(chosen(data, measure), data.draw(cases()), data.draw(cases()))


@over_the_registry
@settings(max_examples=25)
@given(st.data())
def test_a_block_is_a_loop(measure, data):
    lists = data.draw(st.lists(cases(), min_size=1, max_size=4))
    checks.check_block(chosen(data, measure), lists)


@over_the_registry
@settings(max_examples=15)
@given(st.data())
def test_a_block_is_a_loop_in_compiled_kernels(measure, data):
    lists = data.draw(st.lists(cases(), min_size=1, max_size=4))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "COMPILED_FROM", 0)
        checks.check_block(chosen(data, measure), lists)


@pytest.mark.parametrize(
    "measure", [m for m in BUILT_IN if m.declaration.sampling is not None], ids=str
)
@settings(max_examples=50)
@given(st.data())
def test_the_declared_kind_of_statistic(measure, data):
    checks.check_sampling(chosen(data, measure), data.draw(cases()))


@pytest.mark.parametrize("measure", [m for m in BUILT_IN if m.declaration.bounds], ids=str)
@given(st.data())
def test_bounds_of_a_coarse_table(measure, data):
    some = data.draw(st.one_of(cases(), cases(weights=False, min_size=4), cases(max_size=40)))
    starts = data.draw(st.lists(st.integers(1, 12), max_size=6))
    checks.check_bounds(chosen(data, measure), some, starts)


@pytest.mark.parametrize("measure", [m for m in BUILT_IN if not m.declaration.bounds], ids=str)
def test_a_measure_without_bounds_says_so(measure):
    table = mm.tabulate([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.2])
    coarse = mm.CoarseTable.of(table).pooled([2])
    with pytest.raises(mm.ParameterError, match=f"{measure.name} has no bounds"):
        measure.bounds(coarse)
    assert measure.bounds(table) == (measure(table), measure(table))


@over_the_registry
@settings(max_examples=25)
@given(st.data())
def test_text_and_pickle(measure, data):
    checks.check_text(chosen(data, measure))


@pytest.mark.parametrize(
    "measure", [m for m in BUILT_IN if m.declaration.baseline is not None], ids=str
)
@pytest.mark.parametrize(("positives", "negatives"), [(3, 5), (40, 10), (1, 3)])
def test_baseline(measure, positives, negatives):
    checks.check_baseline(measure, positives, negatives)


@over_the_registry
@pytest.mark.parametrize("invariance", INVARIANCES)
def test_a_claimed_invariance_holds_and_no_other(measure, invariance):
    changed = [some for some in POOL if checks.changes(measure, invariance, some)]
    if invariance in measure.declaration.invariant_to:
        assert not changed, f"{measure} changes for {changed[0]}"
    else:
        assert changed, f"{measure} looks invariant, but does not say so"


@over_the_registry
def test_undefined_is_nan_and_one_warning_that_says_why(measure):
    one_class = [
        [(label, score, Fraction(1)) for score in scores]
        for label in (True, False)
        for scores in ([0.9, 0.7], [0.2, 0.3], [0.0, 1.0, 0.5])
    ]
    undefined = [
        some
        for some in (*one_class, *POOL, [(True, 0.5, Fraction(1)), (False, 0.5, Fraction(1))])
        if checks.oracle_value(measure, some) is None
    ]
    if measure.declaration.undefined is None:
        assert not undefined
        return
    assert undefined, f"no list shows that {measure} can be undefined"
    labels, scores, _ = zip(*undefined[0], strict=True)
    with pytest.warns(
        mm.UndefinedMeasureWarning, match=re.escape(measure.declaration.undefined)
    ) as caught:
        assert math.isnan(measure(labels, scores))
    assert len(caught) == 1
    assert caught[0].filename == __file__


@over_the_registry
def test_scores_outside_the_unit_interval(measure):
    labels, scores = [1, 0, 1, 0], [3.0, 1.5, -0.5, -2.0]
    if measure.unit_scores:
        with pytest.raises(mm.DataError, match=r"\[0, 1\].*rescale"):
            measure(labels, scores)
        assert isinstance(measure.compute(mm.tabulate(labels, scores, rescale="minmax")), float)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", mm.UndefinedMeasureWarning)
            assert isinstance(measure(labels, scores), float)
            assert isinstance(measure(labels, [np.inf, 1.5, -0.5, -np.inf]), float)


@over_the_registry
@given(cases(weights=False))
def test_arrays_and_table_agree(measure, some):
    labels, scores, _ = (np.array(column) for column in zip(*some, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mm.UndefinedMeasureWarning)
        by_arrays, by_table = measure(labels, scores), measure(table_of(some))
        weighted = measure(labels, scores, sample_weight=np.ones(len(some)))
    assert np.array_equal([by_arrays, weighted], [by_table, by_table], equal_nan=True) or (
        np.allclose([by_arrays, weighted], by_table, rtol=1e-13, atol=1e-15)
    )
