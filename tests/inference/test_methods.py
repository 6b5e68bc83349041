"""Methods of inference are objects: each says what it applies to, and auto asks them in order."""

import importlib
import math
import sys
from textwrap import dedent
from typing import get_args

import numpy as np
import pytest

import metameasure as mm
from metameasure.inference import (
    Method,
    PairMethod,
    Plan,
    Sample,
    interval_methods,
    methods,
    paired_methods,
)
from metameasure.inference.methods import method as registry
from metameasure.measurement import CaseMean, Extreme, Share, references

LABEL = np.array([1, 1, 1, 0, 1, 0, 0, 0] * 5)
SCORE = np.array([0.9, 0.8, 0.8, 0.7, 0.5, 0.5, 0.2, 0.1] * 5)


@pytest.fixture
def fresh(monkeypatch):
    """A register of methods that a test may change."""
    monkeypatch.setattr(registry, "_methods", dict(registry._methods))


def test_every_method_declares_its_name_its_reference_and_what_it_applies_to():
    for one in registry._methods.values():
        assert registry.find_method(one.name) is one
        assert one.reference in references()
        assert one.kinds or one.paired_kinds
        assert one.__doc__


def test_the_order_of_auto_names_methods_and_ends_with_those_that_apply_to_everything():
    found = [registry.find_method(name) for name in registry.AUTO]
    assert len({one.name for one in found}) == len(registry.AUTO)
    last = [one for one in found if one.any_cases]
    assert any(one.kinds == registry.ANY for one in last)
    assert any(one.paired_kinds == registry.ANY for one in last)


def test_choices_are_the_registered_methods():
    assert get_args(Method) == interval_methods()
    assert get_args(PairMethod) == paired_methods()
    assert interval_methods()[0] == paired_methods()[0] == "auto"
    assert set(interval_methods()) | set(paired_methods()) == {
        "auto",
        *(name for one in registry._methods.values() for name in (one.name, *one.aliases)),
    }


def test_an_alias_computes_the_interval_of_the_method_and_shows_its_name():
    found = mm.interval(LABEL, SCORE, "auc", method="wald")
    named = mm.interval(LABEL, SCORE, "auc", method="delong")
    assert (found.low, found.high, found.method) == (named.low, named.high, "delong")


@pytest.mark.parametrize("cases", ["plain", "weighted", "clustered"])
def test_auto_has_a_method_for_every_measure(cases):
    options = {
        "plain": {},
        "weighted": {"sample_weight": 1.0 + LABEL},
        "clustered": {"cluster": np.arange(40) // 2},
    }[cases]
    sample = Sample.of(mm.Predictions.of(LABEL, {"m": SCORE}, **options))
    for measure in mm.measures():
        one = registry.choose_method("auto", measure, sample)
        assert one.applies_to(measure)
        assert one.any_cases or cases == "plain"
        for margin in (False, True):
            pair = registry.choose_method("auto", measure, sample, paired=True, margin=margin)
            assert pair.applies_to_pairs(measure)
            assert pair.any_cases or cases == "plain"
            assert pair.margin or not margin


@pytest.mark.usefixtures("fresh")
def test_a_user_registers_a_function_as_a_method():
    @mm.interval_method(Share, reference="wilson1927")
    def plain_wald(measure, table, ci):
        """The fraction and its standard errors."""
        some, total = measure.declaration.sampling.counts(table.at(measure.point))
        reach = 1.96 * math.sqrt(some / total * (1 - some / total) / total)
        return some / total - reach, some / total + reach

    found = mm.interval(LABEL, SCORE, "accuracy", method="plain_wald")
    assert found.method == "plain_wald"
    assert found.low < found.value < found.high <= 1
    assert "plain_wald" in interval_methods()
    assert "plain_wald" not in paired_methods()
    (row,) = mm.evaluate(LABEL, SCORE, "accuracy", method="plain_wald").rows
    assert (row.low, row.high) == (found.low, found.high)
    with pytest.raises(mm.ParameterError, match='"plain_wald" does not apply to auc'):
        mm.interval(LABEL, SCORE, "auc", method="plain_wald")
    with pytest.raises(mm.ParameterError, match="needs independent cases of equal weight"):
        mm.interval(LABEL, SCORE, "accuracy", method="plain_wald", sample_weight=np.arange(1.0, 41))


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("kinds", [(Share,), (Share, CaseMean), (CaseMean, Share)])
@pytest.mark.parametrize("measure", ["accuracy@top=10%", "precision@k=20", "tpr@fpr=0.1"])
def test_a_fraction_at_a_cut_by_rank_is_no_fraction_of_independent_cases(kinds, measure):
    @mm.interval_method(*kinds, reference="wilson1927")
    def whole_range(measure, table, ci):
        """The range of the measure."""
        return measure.declaration.range

    assert mm.parse(measure).sampling is None
    assert isinstance(mm.parse("precision@0.4").sampling, Share)
    assert mm.interval(LABEL, SCORE, "precision", method="whole_range").low == 0
    with pytest.raises(mm.ParameterError, match='"whole_range" does not apply to'):
        mm.interval(LABEL, SCORE, measure, method="whole_range")


@pytest.mark.usefixtures("fresh")
def test_a_method_for_every_measure():
    @mm.interval_method()
    def whole_range(measure, table, ci):
        """The range of the measure."""
        return measure.declaration.range

    found = mm.interval(LABEL, SCORE, "ks", method="whole_range")
    assert (found.low, found.high) == (0, 1)
    with pytest.raises(mm.ParameterError, match="takes kinds of statistic"):
        mm.interval_method(Extreme())


@pytest.mark.usefixtures("fresh")
def test_a_module_in_the_package_is_found(tmp_path, monkeypatch):
    """The walk of CONTRIBUTING: one file adds a method."""
    tmp_path.joinpath("range_method.py").write_text(
        dedent('''
        """The range as an interval."""
        from metameasure.inference.methods.method import ANY, Method, register

        class Range(Method):
            """The whole range."""

            name = "range"
            reference = "wilson1927"
            kinds = ANY
            any_cases = True

            def interval(self, empty, table):
                """The range of the measure."""
                return empty.between(empty.measure.declaration.range)

        register(Range())
        ''')
    )
    monkeypatch.setattr(methods, "__path__", [*methods.__path__, str(tmp_path)])
    methods.load_methods()
    monkeypatch.delitem(sys.modules, "metameasure.inference.methods.range_method")
    weight = np.arange(1.0, 41)
    found = mm.interval(LABEL, SCORE, "auc", method="range", sample_weight=weight)
    assert (found.low, found.high, found.method) == (0, 1, "range")
    assert Plan(method="range").method == "range"
    importlib.invalidate_caches()
