"""Every public function, constructor and method, and random calls of them."""

import inspect
import types
import warnings
from functools import cache

from hypothesis import strategies as st

import metameasure as mm
from bad_calls.values import (
    ANY_FORM,
    FORMS,
    KNOWN,
    NEVER_LARGE,
    SMALL_WORK,
    wrong,
)
from metameasure.measurement.decorator import Properties
from metameasure.results import FORMATS, Result

DOORS = ["mm", "mm.lab", "mm.plots", "mm.integrations"]
DOORS += [f"mm.integrations.{name}" for name in mm.integrations._MODULES]
MADE_BY_THE_LIBRARY = (Result, Exception, mm.Curve, mm.Cut, mm.Predictions, mm.lab.Trained)
MADE_BY_THE_LIBRARY += (mm.ClassLabels, mm.ClassScores, mm.CoarseTable, mm.CurveKind, mm.Measure)
"""Classes of what functions return; their constructors trust the functions that call them."""
INNER = """
grids lead notes page verdicts blocks columns between or_bound with_bound with_checks without_spread
by_score once cut_in_two rows_from sharing take from_cases of_counts of_cut of_ranks of_weights
at_cut compute goodness of_values of_block of_classes of_order quantum quiet_value read require_unit
is_undefined of_subject within_range absorbed certified checked merged quiet_bounds
empty total
""".split()
"""Methods that the library calls with what it has checked; the documentation names none."""
KEYWORDS = {
    "Properties": tuple(Properties.__annotations__),
    "Options": ("pos_label", "sample_weight", "nan_policy"),
}
"""Keywords that functions collect, by a word in the annotation."""
PASSED_ON = ("args", "names", "argument")
"""Parameters of what is passed on, or of how the library calls a function."""
DATA = ("y_true", "y_score", "scores")
OWN = {
    "mm.Accumulator.from_bytes": {"data": ["mm.Accumulator().update(Y, S).to_bytes()"]},
    "mm.CoarseTable.of": {"data": ["TABLE", "returned('mm.Accumulator')"]},
    "mm.bounds": {"data": ["TABLE", "returned('mm.CoarseTable')", "returned('mm.Accumulator')"]},
    "returned('mm.Measure').bounds": {"data": ["TABLE", "returned('mm.CoarseTable')"]},
    "mm.gate": {"require": ANY_FORM["require"]},
    "mm.interval": {"measure": ANY_FORM["measure"]},
    "mm.band": {"kind": ANY_FORM["kind"]},
    "mm.compare_groups": {"group": ["G", "{'u': G, 'c': C}"]},
    "mm.sample_size": {
        "measure": ["'auc'"], "value": ["0.7"], "prevalence": ["0.3"], "width": ["0.1"],
        "y_true": [], "scores": [], "y_score": [],
    },
    "mm.operating_point": {"cost_fp": ["1"], "cost_fn": ["3"]},
    "mm.operating_points": {"cost_fp": ["1"], "cost_fn": ["3"]},
    "mm.reclassification": {"cuts": ["[0.5]"], "scores": ["MODELS"]},
    "mm.linear": {"second": ["'ks'"]},
    "mm.train_by": {
        "max_epochs": ["50", "51"], "estimator": ["SGDClassifier(loss='log_loss', random_state=0)"],
    },
    "mm.ClassLabels.of": {"y_true": ["CLASSES"], "predicted": ["{'a': CLASSES[::-1]}"]},
    "mm.ClassScores.of": {"y_true": ["CLASSES"], "scores": ["THREE"]},
    "mm.Predictions.of": {"y_true": ["Y"], "scores": ["MODELS"]},
    "mm.ConfusionMatrix.of": {"y_pred": ANY_FORM["y_pred"]},
    "mm.Ranking": {"order": ["[3, 1, 2]"]},
    "mm.Ranking.of": {"true": ["[1, 2, 3]"], "predicted": ["[0.3, 0.1, 0.2]"]},
    "mm.ScoreTable": {"score": ["[0.9, 0.2]"], "pos": ["[1, 2]"], "neg": ["[0, 3]"]},
    "mm.lab.Pairs": {
        "positive": ["Y.astype(bool)[None]"], "better": ["S[None]"], "worse": ["1 - S[None]"],
    },
    "mm.lab.degrees": {"domains": ANY_FORM["domains"], "sizes": []},
    "mm.lab.multiclass": {"lists": ["1000"]},
    "mm.lab.score_lists": {"lists": ["1000"]},
    "mm.lab.observed": {"folds": ["F"], "scores": ["MODELS"], "resamples": []},
    "mm.lab.measure_correlations": {
        "folds": ["F"], "scores": ["{**MODELS, 'c': W}"], "measures": ["'auc, ks'"],
    },
    "mm.lab.comparison_matrix": {"measures": ["'auc, ks'"]},
    "mm.lab.preference_order": {"measures": ["'auc, ks'"]},
    "mm.lab.correlation_with": {"measures": ["'ks'"], "generator": ["mm.lab.perturbed(0.5)"]},
    "mm.lab.shape": {"family": ["'laplace'"]},
    "mm.lab.selection_over_datasets": {
        "selections": ["{k: returned('mm.lab.Selection') for k in 'de'}"],
    },
    "mm.lab.training_robustness": {"y": ["Y"]},
    "mm.lab.selection_ability": {"y": ["Y"]},
    "mm.lab.select_models": {"y": ["Y"]},
    "mm.plots.AdviceDisplay.from_estimator": {
        "estimator": ["{'a': TREE, 'b': TREE}"], "repeats": ["10"], "sizes": ["[10]"],
        "workers": ["1"],
    },
    "mm.plots.SelectionDisplay.from_estimator": {
        "estimator": ["{'a': TREE, 'b': TREE}"], "repeats": ["10"], "sizes": ["[10]"],
        "workers": ["1"],
    },
    "mm.plots.ConfusionDisplay.from_predictions": {"y_pred": ANY_FORM["y_pred"], "y_score": []},
    "mm.plots.ForestDisplay": {"result": ["returned('mm.Evaluation')"]},
    "mm.plots.GroupsDisplay.from_estimator": {"estimator": ["TREE"], "group": ["G"]},
    "mm.plots.GroupsDisplay.from_predictions": {"group": ["G"]},
    "mm.plots.MeasuresDisplay": {"comparisons": ["returned('mm.lab.PreferenceOrder')"]},
    "mm.plots.TprFprDisplay": {"models": ["read_models(Y, S)"]},
    "mm.integrations.mlflow.log": {"result": ["returned('mm.Interval')"]},
    "returned('mm.ConfusionMatrix').binary": {"label": ["'cat'"]},
    "returned('mm.ConfusionMatrix').measure": {"measure": ["'kappa'"]},
    **{
        f"returned('mm.Evaluation').{name}": {
            "measure": ["'auc'"], "model": ["'a'"], "group": ["'u'"],
        }
        for name in ("interval", "value")
    },
    "returned('mm.Evaluation').require": {"requirements": ["'auc >= 0.1'"]},
    "returned('mm.Measure').at": {"point": ["0.5", "'top=10%'"]},
    "returned('mm.ScoreTable').at": {"point": ["0.5", "'top=10%'"]},
    "returned('mm.ScoreTable').merge": {"other": ["TABLE"]},
}  # fmt: skip
"""Right values of some functions' own, which are always passed; never if there are none."""
OURS = (mm.UndefinedMeasureWarning, mm.DroppedCasesWarning)

RETURNED = {
    "mm.Accumulator": "mm.Accumulator(rows=16).update(Y, S)",
    "mm.Advice": "mm.advise(Y, MODELS, repeats=10, sizes=[10], workers=1)",
    "mm.Band": "mm.band(Y, S, 'roc', resamples=20)",
    "mm.Bounds": "mm.bounds(mm.Accumulator(rows=16).update(Y, S), 'auc, brier')",
    "mm.CalibrationTable": "mm.calibration_table(Y, MODELS)",
    "mm.ClassMeasures": "mm.ConfusionMatrix([[3, 1], [1, 2]]).measures()",
    "mm.CoarseTable": "mm.CoarseTable.of(TABLE).pooled([2])",
    "mm.Comparison": "mm.compare(Y, MODELS, 'auc')",
    "mm.ConfusionMatrix": "mm.ConfusionMatrix.of(CLASSES, CLASSES[::-1])",
    "mm.Curve": "mm.roc(Y, S)",
    "mm.DecileTable": "mm.decile_table(Y, MODELS)",
    "mm.Evaluation": "mm.evaluate(Y, MODELS, 'auc, brier', group=G)",
    "mm.Gate": "mm.gate(Y, S, 'auc >= 0.5')",
    "mm.GroupComparison": "mm.compare_groups(Y, MODELS, group=G)",
    "mm.Interval": "mm.interval(Y, S, 'auc')",
    "mm.IsotonicCalibration": "mm.calibrate_isotonic(Y, S)",
    "mm.Measure": "mm.f_measure",
    "mm.OperatingPoint": "mm.operating_point(Y, S, cost_fp=1, cost_fn=2)",
    "mm.OperatingPoints": "mm.operating_points(Y, MODELS, cost_fp=1, cost_fn=2)",
    "mm.OptimalityZones": "mm.optimality_zones(Y, MODELS)",
    "mm.Reclassification": "mm.reclassification(Y, MODELS, cuts=[0.5])",
    "mm.SampleSize": "mm.sample_size('auc', value=0.8, prevalence=0.3, width=0.1)",
    "mm.ScoreBandTable": "mm.score_band_table(Y, MODELS, edges=[0.5])",
    "mm.ScoreTable": "mm.tabulate(Y, S)",
    "mm.StabilityOverTime": "mm.psi_over_time(S, F)",
    "mm.StabilityTable": "mm.psi_table(S, MODELS['b'])",
    "mm.lab.ComparisonMatrix": "mm.lab.comparison_matrix('auc, ks', mm.lab.ranked_lists(3, 3))",
    "mm.lab.Correlations": (
        "mm.lab.correlation_with('auc', 'ks', mm.lab.perturbed(0.5), lists=20, repeats=2)"
    ),
    "mm.lab.Degrees": "mm.lab.degrees('auc', 'ks', sizes=[2, 3])",
    "mm.lab.MeasureComparison": "mm.lab.compare('auc', 'ks', mm.lab.ranked_lists(3, 3))",
    "mm.lab.MeasureCorrelations": (
        "mm.lab.measure_correlations(Y, {**MODELS, 'c': C}, 'auc, ks', folds=F)"
    ),
    "mm.lab.ModelSelection": (
        "mm.lab.select_models({'a': GaussianNB(), 'b': TREE}, X, Y, 'auc', repeats=2, workers=1)"
    ),
    "mm.lab.Power": "mm.lab.power('auc', 'location(0.5)', 5, 5, repeats=10, permutations=39)",
    "mm.lab.PowerDifferences": (
        "mm.lab.power('auc, ks', 'location(0.5)', 5, 5, repeats=10, permutations=39)"
        ".differences('auc')"
    ),
    "mm.lab.PreferenceOrder": "mm.lab.preference_order('auc, ks', mm.lab.ranked_lists(3, 3))",
    "mm.lab.Robustness": "mm.lab.robustness('replaced_scores', 'scores', 0.1, 'auc', 10)",
    "mm.lab.Selection": "mm.lab.selection(Y, MODELS, repeats=10, validation_size=10)",
    "mm.lab.SelectionAbility": (
        "mm.lab.selection_ability({'a': GaussianNB(), 'b': TREE}, X, Y, parts=2, sets=5, workers=1)"
    ),
    "mm.lab.Selections": (
        "mm.lab.selection_over_datasets({k: mm.lab.selection(Y, MODELS, repeats=10, "
        "validation_size=10, seed=k) for k in (1, 2, 3)})"
    ),
    "mm.lab.Training": (
        "mm.train_by(SGDClassifier(loss='log_loss'), 'auc', X, Y, max_epochs=3, every=1)"
    ),
    "mm.lab.TrainingRobustness": (
        "mm.lab.training_robustness(GaussianNB(), X, Y, 'auc', folds=2, repeats=2, workers=1)"
    ),
}
"""A call that returns an object of each public class that functions return."""


@cache
def returned(name):
    """The object whose methods are called."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eval(RETURNED[name], dict(KNOWN))


def public_names():
    """Every public name with its object, without modules."""
    for door in DOORS:
        module = eval(door, {"mm": mm})
        for name in dir(module):
            value = getattr(module, name)
            foreign = door.count(".") > 1 and getattr(value, "__module__", "") != module.__name__
            if not (name.startswith("_") or foreign or isinstance(value, types.ModuleType)):
                yield f"{door}.{name}", value


def functions():
    """Text of every function, constructor and maker of a class, without aliases of measures."""
    for text, value in public_names():
        if isinstance(value, mm.Measure) and value.name != text.rpartition(".")[2]:
            continue
        if not inspect.isclass(value):
            if callable(value):
                yield text
            continue
        made = issubclass(value, MADE_BY_THE_LIBRARY) and value is not mm.ConfusionMatrix
        if not made and not inspect.isabstract(value):
            yield text
        for name, _ in inspect.getmembers(value, inspect.ismethod):
            if not (name.startswith("_") or name in INNER or issubclass(value, Exception)):
                yield f"{text}.{name}"


def methods(text):
    """Names of the public methods of an object that a function returns, and of the formats."""
    value = eval(text, {"mm": mm})
    names = {name for name, _ in inspect.getmembers(value, inspect.isfunction)}
    names |= {f"to_{name}" for name in FORMATS} if issubclass(value, Result) else set()
    inner = {*INNER, *(["value"] if value is mm.Measure else [])}
    return sorted(name for name in names - inner if not name.startswith("_"))


@st.composite
def calls(draw, text, function, owner=None):
    """A call as text, and whether Python must accept its arguments.

    Most arguments are right, so that the wrong ones get as far as possible.
    """
    parameters = parameters_of(function, owner, OWN.get(text, ()))
    subject = getattr(getattr(function, "declaration", None), "subject", "table")
    usual = {"table": "arrays", "classes": "classes", "order": "orders"}[subject]
    form = draw(st.sampled_from([usual] * 4 + list(FORMS)))
    own = OWN.get(text, {})
    right = {**ANY_FORM, **SMALL_WORK, **FORMS[form], **own}
    some = st.sampled_from(list(parameters)) if parameters else st.nothing()
    few = st.sampled_from([1, 1, 0, 2, 3]) if parameters else st.just(0)
    changed = {draw(some) for _ in range(draw(few))}
    added = {draw(some) for _ in range(draw(few))}
    positional, named = [], []
    for name, parameter in parameters.items():
        several = parameter.kind is parameter.VAR_POSITIONAL
        needed = parameter.default is parameter.empty and not several
        always = needed or name in {*own, *SMALL_WORK} or (name in DATA and name in right)
        if name in changed:
            value = draw(wrong(name, large=name not in NEVER_LARGE))
        elif (always or name in added) and right.get(name, [""]):
            value = draw(_right(name, parameter, right))
        else:
            continue
        if several:
            positional.append(f"*[{value}]")
        elif parameter.kind is parameter.KEYWORD_ONLY or len(positional) < len(named):
            named.append(f"{name}={value}")
        else:
            positional.append(value)
    fits = draw(st.integers(0, 19)) > 0
    if not fits:
        named.append(f"nosuch={draw(wrong('nosuch', large=True))}")
    return f"{text}({', '.join([*positional, *named])})", fits


def parameters_of(function, owner=None, more=()):
    """The parameters by name; keywords that are passed on are those of the ``owner`` and more."""
    found = dict(inspect.signature(function).parameters)
    found = {name: parameter for name, parameter in found.items() if name not in PASSED_ON}
    others = [name for name, p in found.items() if p.kind is p.VAR_KEYWORD]
    for name in others:
        annotation = str(found.pop(name).annotation)
        for known, keywords in KEYWORDS.items():
            if known in annotation:
                found |= {key: _keyword(key) for key in keywords if key not in found}
        found |= {key: _keyword(key) for key in more if key not in found}
        if owner is not None:
            own = inspect.signature(owner).parameters.values()
            found |= {p.name: p for p in own if p.kind is p.KEYWORD_ONLY and p.name not in found}
    order = [p.VAR_POSITIONAL for p in found.values() if p.kind is p.VAR_POSITIONAL]
    return found if not order else dict(sorted(found.items(), key=lambda item: item[1].kind))


def _keyword(name):
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)


def _right(name, parameter, right):
    """Right values of a parameter, as far as its name, annotation and default tell."""
    values = right.get(name, [])
    results = [text for text in RETURNED if text.rpartition(".")[2] == parameter.annotation]
    if results and not any("returned" in value for value in values):
        values = [f"returned({text!r})" for text in results]
    if not values and (isinstance(parameter.default, bool) or parameter.annotation == "bool"):
        values = ["True", "False"]
    values = values or {"int": ["1", "2", "5"], "float": ["0.5", "0.1"]}.get(parameter.annotation)
    if not values and parameter.default is not parameter.empty:
        values = [repr(parameter.default)]
    return st.sampled_from(values) if values else wrong(name, large=name not in NEVER_LARGE)


def outcome(call, fits, more=None):
    """Evaluate a call: a value, or None for an error of the right kind; others are raised.

    Warnings that are not ours are errors. Python itself refuses arguments that do not fit.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in OURS:
            warnings.simplefilter("ignore", kind)
        try:
            value = eval(call, {**KNOWN, "returned": returned, **(more or {})})
        except mm.MetameasureError:
            return None
        except TypeError:
            if fits:
                raise
            return None
        if isinstance(value, Result):
            for form in ("table", "json", "csv"):
                value.to(form)
            value.frame()
        return value
