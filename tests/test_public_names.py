"""The names that users type."""

import importlib
import inspect
import json
import pkgutil
import subprocess
import sys
import traceback
from fractions import Fraction

import numpy as np
import pytest

import metameasure as mm
from metameasure import measurement

HEAVY = {"numba", "pandas", "polars", "sklearn", "matplotlib", "scipy.stats", "scipy", "narwhals"}


def run(code):
    return subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout


def test_import_loads_nothing_heavy():
    loaded = json.loads(run("import json, sys, metameasure; print(json.dumps(list(sys.modules)))"))
    assert not HEAVY & set(loaded)


def test_small_inputs_do_not_load_numba():
    code = """
import sys, warnings, numpy as np, metameasure as mm
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
scores = rng.uniform(0.01, 0.99, 90_000)
labels = rng.random(90_000) < scores
for measure in mm.measures():
    measure(labels, scores)
    measure(labels, scores.round(2))
print("numba" in sys.modules)
"""
    assert run(code).strip() == "False"


def test_a_small_evaluation_loads_no_other_part_of_scipy_than_special():
    code = """
import json, sys, warnings, numpy as np, metameasure as mm
warnings.simplefilter("ignore")
for size, digits in ((100, 9), (500, 9), (4000, 2)):
    rng = np.random.default_rng(size)
    scores = rng.uniform(0.01, 0.99, size).round(digits)
    mm.evaluate(rng.random(size) < scores, scores)
print(json.dumps(list(sys.modules)))
"""
    loaded = set(json.loads(run(code)))
    assert "scipy.special" in loaded
    assert not {"scipy.optimize", "scipy.linalg", "scipy.stats", "numba", "polars"} & loaded


def test_every_public_name_keeps_its_meaning_after_every_submodule_is_imported():
    for module in pkgutil.walk_packages(mm.__path__, "metameasure."):
        importlib.import_module(module.name)
    for name in dir(mm):
        assert getattr(mm, name) is not None
        is_module = isinstance(getattr(mm, name), type(sys))
        assert is_module == (name in mm._MODULES), f"{name} is a module, or should be one"


def test_no_module_bears_the_name_of_a_public_name():
    modules = {module.name for module in pkgutil.iter_modules(mm.__path__)}
    assert modules & set(dir(mm)) == set(mm._MODULES)


def test_dir_has_measures_and_aliases():
    assert {"auc", "recall", "sauc", "evaluate", "top_precision"} <= set(dir(mm))


def test_an_unknown_name_is_an_attribute_error_with_a_hint():
    with pytest.raises(AttributeError, match="scored_auc"):
        _ = mm.scored_auk


@pytest.mark.parametrize("name", [*mm._GUESSES, "ROC", "Evaluate", "PLOTS"])
def test_the_name_in_another_library_is_answered_with_ours(name):
    assert name not in dir(mm)
    with pytest.raises(AttributeError, match=rf"no attribute '{name}'; use mm\.") as raised:
        getattr(mm, name)
    found = mm
    for part in str(raised.value).partition("use mm.")[2].partition("(")[0].split("."):
        found = getattr(found, part)
    assert found is not None


@pytest.mark.parametrize("name", measurement.names())
def test_a_name_is_a_measure_and_its_text(name):
    assert getattr(mm, name) == mm.parse(name)


def test_measures_of_a_family():
    assert {m.family for m in mm.measures("scored")} == {"scored"}
    with pytest.raises(mm.ParameterError, match=r"family must be one of .*'ranking'") as raised:
        mm.measures("nosuch")
    assert raised.value.argument == "family"


def test_a_users_measure_is_known_everywhere():
    @mm.measure(symbol="NI", aliases=("not_informed",), best="max", range=(-2, 2), at=0.5)
    def informedness_twice(cut):
        """Twice the informedness, as a user may want it."""
        return 2 * (cut.tpr - cut.fpr)

    labels, scores = [1, 1, 0, 0], [0.9, 0.5, 0.5, 0.1]
    assert informedness_twice(labels, scores) == 1
    assert mm.parse("not_informed@top=25%")(labels, scores) == 1
    assert informedness_twice in mm.measures("own")
    frame = mm.evaluate(labels, scores, measures="informedness_twice").frame()
    assert frame["value"].to_list() == [1.0]
    assert mm.scorer("informedness_twice")
    block = mm.tabulate_lists(labels, [scores, scores[::-1]])
    assert informedness_twice(block).tolist() == [1.0, -1.0]


def test_a_name_is_declared_once():
    with pytest.raises(mm.ParameterError, match="auc is already taken by auc in"):

        @mm.measure()
        def auc(table):
            """Another one."""

    with pytest.raises(mm.ParameterError, match="by tpr"):

        @mm.measure()
        def recall(cut):
            """Another one."""

    with pytest.raises(mm.ParameterError, match="by auc"):

        @mm.measure(aliases=("auc",))
        def mine(table):
            """Would hide another one."""

    assert mm.parse("auc") == mm.auc


def test_parameters_of_a_users_measure_are_declared():
    with pytest.raises(mm.ParameterError, match="q has no default"):

        @mm.measure()
        def without_default(table, q):
            """A parameter that nobody can leave out."""

    with pytest.raises(mm.ParameterError, match=r"q has no kind; .*mm.Real\(0, 1\)"):

        @mm.measure()
        def without_kind(table, q=0.5):
            """A parameter of which nothing is known."""


def test_a_users_measure_may_lack_words():
    @mm.measure()
    def wordless(table):
        return table.P

    assert wordless.declaration.summary == ""
    assert "wordless" in str(mm.measures())


def test_parts_add_up():
    labels, scores = [1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1]
    parts = mm.brier_decomposition(labels, scores)
    whole = parts.miscalibration - parts.discrimination + parts.uncertainty
    assert whole == pytest.approx(mm.brier(labels, scores))
    plus, minus = mm.scored_auc_parts(mm.tabulate(labels, scores))
    assert plus - minus == pytest.approx(mm.scored_auc(labels, scores))
    words = ["a" if label else "b" for label in labels]
    assert mm.scored_auc_parts(words, scores, pos_label="a").r_plus == plus


@pytest.mark.parametrize(
    ("argument", "value", "message"),
    [
        ("best", "up", "best must be one of 'max', 'min', got 'up'"),
        ("invariant_to", {"foo"}, "invariant_to must be one of 'monotone'.*got 'foo'"),
        ("sampling", "pairs", "sampling must be a kind of statistic.*got 'pairs'"),
        ("family", 3, "family must be text, got 3"),
        ("parameters", {"x": (0, 1)}, r"parameters must give the kind of x, got \(0, 1\)"),
        ("parameters", {"x": mm.Real(), "y": mm.Real()}, "the function has no parameter y"),
        ("x", mm.Real(0, 1), r"x must be in \[0, 1\], got 7"),
        ("range", "x", r"range must be a pair \(low, high\).*got 'x'"),
        ("beta", 3, "beta is not a property of a measure; use one of symbol"),
        ("at", "foo", "at is not an operating point"),
        ("baseline", "x", "baseline must be a number or None, got 'x'"),
        ("aliases", 3, "aliases must be text, got 3"),
        ("aliases", ["two words"], "aliases must be names of letters, digits and _, got 'two word"),
        ("aliases", {"a;b": "refused_measure"}, "aliases must be names .*got 'a;b'"),
        ("range", (1, 0), r"range must be a pair \(low, high\).*got \(1, 0\)"),
        ("best", "maximum", "best must be one of 'max', 'min', got 'maximum'"),
        ("aliases", ["refused_measure"], "aliases must be other names than 'refused_measure'"),
        ("aliases", {"a_refused": 3}, "aliases must be text, got 3"),
        ("aliases", {"a_refused": "refused_measure(z=1)"}, "refused_measure has no parameter z"),
        ("baseline", lambda: 1, "baseline must be a number or a function of the prevalence, got"),
        ("baseline", lambda p: "x", "baseline must be a number or None, got 'x'"),
        ("exclusive", 3, "exclusive must be pairs of names of parameters, got 3"),
        ("exclusive", ["xx"], "exclusive must be pairs of names of parameters, got 'xx'"),
    ],
)
def test_a_wrong_property_is_refused_by_its_name(argument, value, message):
    def refused_measure(table, x=7):
        return table.P

    kinds = {"x": value if argument == "x" else mm.Real()}
    properties = {"parameters": kinds} | ({} if argument == "x" else {argument: value})
    with pytest.raises(mm.ParameterError, match=message) as raised:
        mm.measure(**properties)(refused_measure)
    assert raised.value.argument == argument
    with pytest.raises(mm.UnknownMeasure):
        mm.parse("refused_measure")


@pytest.mark.parametrize(("name", "value"), [("best", 5), ("baseline", -0.5)])
def test_the_best_value_and_the_baseline_lie_in_the_range(name, value):
    with pytest.raises(mm.ParameterError, match=rf"{name} must be in \[0, 1\].*, got {value}"):
        mm.measure(range=(0, 1), **{name: value})


@pytest.mark.parametrize("name", ["all", "default"])
def test_words_for_several_measures_are_refused_as_names(name):
    def function(table):
        return table.P

    with pytest.raises(mm.ParameterError, match=f"the name {name} is already taken"):
        mm.measure(aliases=name)(function)
    function.__name__ = name
    with pytest.raises(mm.ParameterError, match=f"the name {name} is already taken"):
        mm.measure(function)


def test_an_alias_stands_for_a_known_measure():
    def function(table):
        return table.P

    with pytest.raises(mm.UnknownMeasure, match="there is no measure 'unheard_of'"):
        mm.measure(aliases={"alias_of_nothing": "unheard_of"})(function)
    with pytest.raises(mm.UnknownMeasure):
        mm.parse("alias_of_nothing")


class Callable:
    """A function with a name of its choice."""

    def __init__(self, function):
        self.__name__, self.function = "refused_measure", function
        self.__signature__ = inspect.signature(function)

    def __call__(self, *given, **named):
        return self.function(*given, **named)


@pytest.mark.parametrize("function", [Callable(lambda: 1), Callable(lambda *, x=1: x), int])
def test_a_measure_takes_a_table(function):
    with pytest.raises(mm.ParameterError, match="must be a function whose first parameter gets"):
        mm.measure(function)
    with pytest.raises(mm.UnknownMeasure):
        mm.parse("refused_measure")


def ways_to_call(measure):
    """Functions that compute a measure at a cut."""
    table = mm.tabulate([1, 0, 1], [0.9, 0.8, 0.1])
    return (
        lambda: measure(table),
        lambda: mm.evaluate(table, measure),
        lambda: mm.interval([1, 0, 1], [0.9, 0.8, 0.1], measure),
        lambda: mm.operating_point(table, maximize=measure),
    )


@pytest.mark.parametrize("wrong", ["text", None, 1j, [0.1, [0.2]], {"a": 1}])
def test_a_measure_that_returns_no_number_is_named(wrong):
    @mm.measure(at=0.5)
    def returns_no_number(cut):
        return wrong

    for call in ways_to_call(returns_no_number):
        with pytest.raises(mm.DataError, match="returns_no_number must return a number, got"):
            call()


def test_a_measure_that_fails_is_named():
    @mm.measure(at=0.5)
    def fails_somewhere(cut):
        return {}["of the user"]

    for call in ways_to_call(fails_somewhere):
        with pytest.raises(
            mm.DataError, match=r"^fails_somewhere failed: KeyError: 'of the user'$"
        ) as caught:
            call()
        cause = caught.value.__cause__
        assert isinstance(cause, KeyError)
        assert traceback.extract_tb(cause.__traceback__)[-1].name == "fails_somewhere"
        assert 'return {}["of the user"]' in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    "error", [mm.ParameterError("too few bins"), MemoryError(), KeyboardInterrupt()]
)
def test_errors_that_a_measure_does_not_change(error):
    @mm.measure
    def raises_as_it_is(table):
        raise error

    with pytest.raises(type(error)) as caught:
        raises_as_it_is([1, 0, 1], [0.9, 0.8, 0.1])
    assert caught.value is error


def test_a_measure_that_returns_another_shape_is_named():
    @mm.measure
    def returns_two(table):
        return np.array([0.1, 0.2])

    table = mm.tabulate([1, 0, 1], [0.9, 0.8, 0.1])
    with pytest.raises(mm.DataError, match=r"returns_two returns values of shape \(2,\) for one"):
        returns_two(table)
    block = mm.tabulate_lists([1, 0, 1], [[0.9, 0.8, 0.1]] * 3)
    with pytest.raises(mm.DataError, match=r"of shape \(2,\) for a block of \(3,\); compute"):
        returns_two(block)


def test_a_value_outside_the_declared_range_is_an_error():
    @mm.measure(range=(0, 1))
    def twice_the_prevalence(table):
        return 2 * table.P / table.n

    y, s = [1, 0, 1, 1], [0.9, 0.8, 0.3, 0.1]
    message = r"twice_the_prevalence must be in \[0, 1\], got 1.5; check its function"
    for call in (
        lambda: twice_the_prevalence(y, s),
        lambda: mm.evaluate(y, s, twice_the_prevalence, ci=None),
        lambda: mm.interval(y, s, twice_the_prevalence),
        lambda: twice_the_prevalence(mm.tabulate_lists(y, [s, s])),
    ):
        with pytest.raises(mm.DataError, match=message):
            call()
    # In range on these cases, but not on all of their resamples.
    half = [1, 0] * 20
    assert twice_the_prevalence(half, range(40)) == 1
    with pytest.raises(mm.DataError, match=r"twice_the_prevalence must be in \[0, 1\], got 1\."):
        mm.interval(half, range(40), twice_the_prevalence)


def test_a_value_outside_the_range_by_rounding_is_clipped():
    @mm.measure(range=(0, 1))
    def hardly_above_one(table):
        return table.P / table.P + 1e-15

    assert hardly_above_one([1, 0], [0.9, 0.1]) == 1


def test_a_number_that_is_too_large_is_an_error_of_the_measure():
    @mm.measure
    def returns_too_much(table):
        return 10**400

    with pytest.raises(mm.DataError, match="returns_too_much returns a number that is too large"):
        returns_too_much([1, 0], [0.9, 0.1])


def test_weights_of_very_different_sizes_do_not_leave_the_range():
    # Rounding once gave a kappa of 2 and a negative sum of squares.
    weight = [1e-6, 1e-29, 1e-30, 1e-23]
    kappa = mm.kappa([1, 0, 1, 0], [0.9, 0.8, 0.3, 0.1], sample_weight=weight)
    assert kappa == pytest.approx(2e-29 / (1e-29 + 1e-29 + 1e-35), rel=1e-5)
    left = np.array([86, 845, 368, 951, 399, 936])
    weight = [1e-4, 10.0, 1e3, 1e-4, 1e-3, 1e4]
    assert mm.hosmer_lemeshow([1, 0] * 3, 1 - left * 1e-15, sample_weight=weight) > 0


def test_a_measure_may_return_a_fraction():
    @mm.measure
    def returns_fraction(table):
        return Fraction(1, 4)

    assert returns_fraction([1, 0, 1], [0.9, 0.8, 0.1]) == 0.25


@pytest.mark.parametrize("name", ["two words", "a;b", "1st", "", "<lambda>"])
def test_a_name_that_texts_cannot_have_is_refused(name):
    def function(table):
        return table.P

    function.__name__ = name
    with pytest.raises(mm.ParameterError, match="a measure needs a name of letters, digits and _"):
        mm.measure(function)


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        *[(word, "is a keyword of Python") for word in ("class", "lambda", "in", "and")],
        *[(word, "is a value in texts") for word in ("nan", "none", "inf", "true", "True", "NA")],
    ],
)
def test_a_name_with_another_meaning_is_refused(name, meaning):
    def function(table):
        return table.P

    refused = rf"{name} {meaning}.* cannot be the name of a measure; choose another name"
    with pytest.raises(mm.ParameterError, match=refused):
        mm.measure(aliases=[name])(function)
    function.__name__ = name
    with pytest.raises(mm.ParameterError, match=refused):
        mm.measure(function)


def test_a_name_may_have_other_letters():
    def function(table):
        return table.P

    function.__name__ = "précision_étendue"
    declared = mm.measure(function)
    assert mm.parse("précision_étendue") == declared


@pytest.mark.parametrize(
    "text", ["f_measure(beta=1, beta=2)", "linear(auc, accuracy, alpha=0.5, alpha=0.5)"]
)
def test_a_parameter_is_given_once(text):
    with pytest.raises(mm.ParameterError, match=r"(beta|alpha) is given more than once"):
        mm.parse(text)


def test_a_parameter_needs_a_name():
    with pytest.raises(mm.ParameterError, match="expected parameter=value, got '=1'"):
        mm.parse("f_measure(=1)")


def test_one_alias_or_invariance_may_be_given_as_text():
    @mm.measure(aliases="singly_called", invariant_to="replication")
    def called_by_text(table):
        return table.P

    assert mm.parse("singly_called") == called_by_text
    assert called_by_text.declaration.invariant_to == {"replication"}


def test_the_signature_has_the_true_defaults():
    shown = inspect.signature(mm.f_measure).parameters
    assert (shown["beta"].default, shown["threshold"].default, shown["top"].default) == (
        1,
        0.5,
        None,
    )
    assert inspect.signature(mm.lift).parameters["top"].default == 0.1
    at_k = inspect.signature(mm.parse("precision@k=20")).parameters
    assert (at_k["k"].default, at_k["threshold"].default) == (20, None)
    y, s = [1, 1, 0, 0, 1, 0], [0.9, 0.5, 0.5, 0.2, 0.1, 0.6]
    assert mm.f_measure(y, s) == mm.f_measure(y, s, beta=1, threshold=0.5)
    assert mm.f_measure(y, s, alpha=4) == mm.f_measure(y, s, beta=2)
    assert str(mm.f_measure.using(beta=1)) == "f_measure"


def test_a_measure_that_is_declared_again_is_the_new_one_everywhere():
    def declare(value, alias):
        @mm.measure(best="max", range=(0, 1), aliases=(alias,))
        def declared_twice(table):
            """Always the same."""
            return value

        return declared_twice

    first = declare(0.25, "twice_old")
    assert mm.declared_twice([1, 0], [1, 0]) == first([1, 0], [1, 0]) == 0.25
    declare(0.75, "twice_new")
    assert mm.declared_twice([1, 0], [1, 0]) == mm.parse("twice_new")([1, 0], [1, 0]) == 0.75
    with pytest.raises(mm.UnknownMeasure, match="twice_old"):
        mm.parse("twice_old")


def test_measures_by_family_and_subject():
    assert mm.auc in mm.measures("ranking")
    assert mm.measures("ranking", subject="order") == []
    assert mm.measures("order") == mm.measures(subject="order") != []
    assert set(mm.measures(subject="all")) > set(mm.measures())
    with pytest.raises(
        mm.ParameterError, match=r"subject must be one of 'all', .* got 'everything'"
    ):
        mm.measures(subject="everything")


@pytest.mark.parametrize(
    "function",
    [mm.brier_decomposition, mm.scored_auc_parts, mm.parse("two_level(auc, accuracy)").key],
)
def test_options_that_do_not_exist_are_refused(function):
    y, s = [1, 0, 1, 0], [0.9, 0.8, 0.3, 0.1]
    with pytest.raises(TypeError, match="sample_weigth"):
        function(y, s, sample_weigth=[1, 2, 3, 4])
    with pytest.raises(mm.ParameterError, match="pass either a ScoreTable or y_true and y_score"):
        function(mm.tabulate(y, s), sample_weight=[1, 2, 3, 4])
    with pytest.raises(mm.DataError, match="needs y_true and y_score"):
        function(y)


@pytest.mark.parametrize(
    "function", [mm.auc, mm.scored_auc_parts, lambda *data: mm.interval(*data, "auc")]
)
def test_a_warning_names_the_line_of_the_call(function):
    with pytest.warns(mm.UndefinedMeasureWarning) as caught:
        function([1, 1, 1], [0.2, 0.4, 0.9])
    assert {warning.filename for warning in caught} == {__file__}
