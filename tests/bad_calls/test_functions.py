"""Random calls of every public function and method: an error of ours, or an answer.

Any other exception and any warning of another library is a defect. The number of calls of each is
that of the profile; METAMEASURE_BAD_CALLS sets another one.
"""

import inspect
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, note
from hypothesis import strategies as st

import metameasure as mm
from bad_calls.calls import (
    DOORS,
    INNER,
    MADE_BY_THE_LIBRARY,
    RETURNED,
    calls,
    functions,
    methods,
    outcome,
    public_names,
    returned,
)
from bad_calls.profile import bad_calls
from bad_calls.values import KNOWN, MODELS, F, G, S, Y
from metameasure.results import Result

FUNCTIONS = sorted(functions())
ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.usefixtures("same_examples")


@pytest.fixture(scope="module", autouse=True)
def _elsewhere(tmp_path_factory):
    """Files are written to a folder of the test, and runs of MLflow, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("bad_calls"))
        patch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
        patch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
        patch.setenv("MLFLOW_TRACKING_URI", "file:./runs")
        yield


@pytest.mark.parametrize("text", FUNCTIONS)
@bad_calls
@given(data=st.data())
def test_a_function_answers_or_says_what_is_wrong(text, data):
    function = eval(text, dict(KNOWN))
    owner = getattr(function, "__self__", None)
    call, fits = data.draw(calls(text, function, owner if inspect.isclass(owner) else None))
    _run(call, fits)


@pytest.mark.parametrize("text", RETURNED)
@bad_calls
@given(data=st.data())
def test_a_method_answers_or_says_what_is_wrong(text, data):
    name = data.draw(st.sampled_from(methods(text)))
    method = getattr(returned(text), name)
    _run(*data.draw(calls(f"returned({text!r}).{name}", method)))


def _run(call, fits):
    note(call)
    try:
        outcome(call, fits)
    finally:
        plt.close("all")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("mm.parse('¾x')", "there is no measure"),
        ("mm.Real(0, 1, pl.Series([1, 2]))", "open_low must be True or False"),
        ("mm.ConfusionMatrix([[3, 1], [1, 2]], dropped=1j)", "dropped must be an integer >= 0"),
        ("mm.tabulate(Y, S, nan_policy=pd.NA)", "nan_policy must be one of"),
        ("mm.auc(Y == 1, S, pos_label=2**63)", "pos_label must be one of the labels"),
        ("mm.brier(Y, S, soft=np.ones(3))", "soft must be True or False"),
        ("mm.tabulate('a\\0b')", "null byte"),
        ("mm.evaluate(Y, MODELS, order=pl.Series([1]))", "order must be True or the name of"),
        ("mm.evaluate(Y, S, mute=3)", "mute must be text, got 3"),
        ("mm.evaluate(TREE, 1, Y)", "failed to predict: ValueError"),
        ("mm.evaluate(TREE, X, Y, pos_label=[1])", "pos_label must be one of the classes"),
        ("mm.score_band_table(Y, S, edges=nan)", "edges must be a finite number, got nan"),
        ("mm.reclassification(Y, MODELS, cuts=2)", r"cuts must be in \(0, 1\], got 2"),
        ("mm.calibration_table(Y, S, fitted='x')", "fitted must be True or False"),
        ("mm.compare_datasets(SETS, best=[])", "best must be one of 'max', 'min'"),
        ("mm.psi_over_time(S, F, sample_weight=False)", "single value"),
        ("mm.psi_over_time(S, None)", "period is a single value"),
        ("mm.psi_over_time(S, F, reference=[1])", "reference must be a period"),
        ("mm.ScoreTable.load(3)", "path must be the name of a file, got 3"),
        ("mm.ScoreTable.load('x' * 300)", "File name too long"),
        ("TABLE.merge(3)", "other must be a ScoreTable, got 3"),
        ("mm.ClassLabels.of(Y, 3)", "predicted must be a dict"),
        ("mm.Predictions.of(Y, 3)", "scores must be a dict"),
        ("mm.ClassLabels.of(CLASSES, {1: CLASSES})", "predicted must be a dict of columns by name"),
        ("mm.reclassification(Y, MODELS, reference=pd.NA)", "reference must be one of 'a', 'b'"),
        ("returned('mm.ConfusionMatrix').measure('kappa', average=S)", "average must be one of"),
        ("mm.reclassification(Y, MODELS, sample_weight=Y)", "reclassification is undefined"),
        ("mm.lab.select_models({'a': TREE, 'b': TREE}, X, Y, ties=S)", "must be a str or a Meas"),
        (
            "mm.lab.select_models({'a': TREE, 'b': TREE}, X, ['a', 1] * 12)",
            "labels of one type",
        ),
        ("mm.lab.select_models({'a': TREE, 'b': TREE}, [[1], [2, 3]], Y)", "X cannot be read as"),
        ("mm.Predictions.of(Y, MODELS, predicted_labels=S)", "must be True, False or 'only'"),
        ("mm.compare_groups(Y, S, group=G, rates=S)", "rates must be True or False"),
        ("mm.compare_groups(Y, S, group=G, crossed=S)", "crossed must be True or False"),
        ("mm.integrations.xgboost.metric('ks', negated=S)", "negated must be True or False"),
        ("mm.integrations.lightgbm.metric('ks', margins=S)", "margins must be True or False"),
        ("mm.roc(Y, S).area([1.5])", "has no line"),
        ("returned('mm.Interval').save(3)", "path must be the name of a file, got 3"),
        ("returned('mm.Interval').save('a\\0b.csv')", "path must be the name of a file"),
        ("returned('mm.OperatingPoints').frame(pd.NA)", "table must be one of"),
        ("returned('mm.Advice').recommended(size=S)", "size must be a finite number"),
        ("returned('mm.lab.ComparisonMatrix').is_better('gini', 'ks')", "must be two different"),
        ("returned('mm.Evaluation').plot(3)", "ax must be axes of matplotlib"),
        ("mm.lab.correlation_with(S, 'ks', mm.lab.perturbed(0.5))", "must be a str or a Measure"),
        (
            "mm.lab.correlation_with('auc', 'ks', mm.lab.SwappedLabels(20, 2), workers=1)",
            "must draw a tuple of classes, scores and probabilities, got Pairs",
        ),
        ("mm.lab.Pairs(Y == 1, S, [1, 2])", "worse must be an array of floats"),
        ("mm.lab.OwnScores(2, S)", "positive must be an array of bool"),
        ("mm.lab.OwnScores(Y == 1, S[1:])", "of the same length"),
        ("mm.lab.redraw_labels('x', 0.1, np.random.default_rng(0))", "positive must be an array"),
        ("mm.lab.delete_positives(Y, 0.1, 3)", "rng must be a numpy.random.Generator"),
        ("mm.lab.blur_scores(S, 0.1, None)", "rng must be a numpy.random.Generator"),
        ("mm.lab.permute_attributes([[1], [2, 3]], 0.1, np.random.default_rng(0))", "attributes"),
        ("mm.lab.parse_alternative(3)", "alternative must be text, got 3"),
        ("mm.lab.attribute_subsets(TREE, groups=3)", "groups must be lists, got 3"),
        ("mm.lab.attribute_subsets(TREE, groups=['x'])", "groups must be an integer"),
        ("mm.lab.first_attributes(TREE, [1, 2], per_attribute=3)", "per_attribute must be text"),
        ("mm.lab.grid('x', {'a': [1]})", "estimator must have a method set_params"),
        ("mm.lab.grid(TREE, {'nosuch': [1]})", "failed to take the parameters"),
        ("mm.plots.RocDisplay(read_models(Y, S), highlight=3)", "highlight must be 'model'"),
        ("mm.plots.RocDisplay.from_predictions(Y, S, name=[])", "name must be text or None"),
        ("mm.plots.RocDisplay.from_estimator(TREE, X, Y, name=[])", "name must be text or None"),
        ("mm.plots.ConfusionDisplay.from_estimator(3, X, Y)", "'int' failed to predict"),
        ("mm.plots.ConfusionDisplay.from_estimator(GaussianNB(), X, Y)", "NotFittedError"),
        ("mm.plots.ForestDisplay(returned('mm.Evaluation'), prevalence={})", "prevalence must be"),
        ("mm.plots.ValidationDisplay(returned('mm.lab.ModelSelection'), dataset=FRAME)", "dataset"),
        ("mm.plots.ReliabilityDisplay(read_models(Y, S), band=S)", "must be in"),
        ("mm.plots.ReliabilityDisplay(read_models(Y, S), around=S)", "around must be one of"),
        (
            "mm.plots.CostCurveDisplay(read_models(Y, S), lines=FRAME)",
            "lines must be True or False",
        ),
        ("mm.plots.DecisionCurveDisplay(read_models(Y, S), standardized=S)", "True or False"),
        ("mm.plots.ForestDisplay(returned('mm.Evaluation'), sort=S)", "sort must be True or False"),
        ("mm.plots.ForestDisplay(returned('mm.Evaluation'), shared=S)", "or False or None"),
        ("mm.plots.GainDisplay(read_models(Y, S), counts=S)", "counts must be True or False"),
        ("mm.plots.RocDisplay(read_models(Y, S), hull=S)", "hull must be True or False"),
        (
            "mm.plots.GroupsDisplay(returned('mm.GroupComparison'), differences=S)",
            "differences must be True or False",
        ),
        ("mm.plots.PrecisionRecallDisplay(read_models(Y, S), beta=2e16)", "beta must be in"),
        ("mm.plots.PrecisionRecallDisplay(read_models(Y, S), beta=1, values=3)", "values must be"),
    ],
)
def test_calls_that_were_answered_by_another_exception(call, message):
    with pytest.raises(mm.MetameasureError, match=message):
        eval(call, {**KNOWN, "returned": returned})


def test_the_label_of_an_arrow_table_with_views_of_strings_is_inferred():
    found = mm.evaluate(pa.table({"y": Y, "a": S, "g": pa.array(G, pa.string_view())}), "a", "auc")
    assert found.rows[0].value == mm.auc(Y, S)


def test_a_cut_that_is_named_twice_is_one():
    once, twice = (mm.reclassification(Y, MODELS, cuts=cuts) for cuts in ([0.5], [0.5, 0.5]))
    assert twice.to("json") == once.to("json")
    assert str(twice) == str(once)


def test_masked_scores_of_a_period_are_missing():
    masked = np.ma.masked_array(S, np.arange(S.size) == 3)
    with pytest.raises(mm.DataError, match="1 of 24 values of scores are missing"):
        mm.psi_over_time(masked, F)


def test_every_public_function_is_called():
    assert len(FUNCTIONS) > 200
    for door in DOORS:
        assert any(text.startswith(f"{door}.") for text in FUNCTIONS), door


def test_what_is_documented_is_not_left_out():
    files = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    text = "\n".join(file.read_text("utf-8") for file in files)
    assert len(files) > 5
    made = [kind.__name__ for kind in MADE_BY_THE_LIBRARY]
    for call in (*(f".{name}(" for name in INNER), *(f"mm.{name}(" for name in made)):
        assert call not in text, call


def test_methods_of_every_public_result_are_called():
    results = {
        text
        for text, value in public_names()
        if inspect.isclass(value) and issubclass(value, Result)
    }
    assert results <= set(RETURNED)
    for text in results:
        assert type(returned(text)).__name__ == text.rpartition(".")[2]


def test_a_defect_would_be_found():
    for call in ("[][0]", "1 / 0", "np.float64(1) / 0", "mm.auc()"):
        with pytest.raises((IndexError, ArithmeticError, RuntimeWarning, TypeError)):
            outcome(call, fits=True)
    assert outcome("mm.auc([1], [2, 3])", fits=True) is None
    assert outcome("mm.auc(nosuch=1)", fits=False) is None
