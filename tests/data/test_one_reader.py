"""Every function that takes models reads arrays, frames, files and score tables alike."""

import inspect

import numpy as np
import pandas as pd
import polars as pl
import pytest

import metameasure as mm
from metameasure import lab
from metameasure.data import DataOptions, GroupOptions, read_models, takes_models

RNG = np.random.default_rng(7)
Y = (RNG.random(60) < 0.4).astype(int)
S = np.round(1 / (1 + np.exp(-(Y + RNG.normal(size=60)))), 2)
W = RNG.integers(1, 4, 60).astype(float)
FRAME = pd.DataFrame({"y": Y, "m": S, "other": RNG.random(60), "w": W, "site": np.arange(60) // 6})

ONE_MODEL = {
    "interval": lambda *data, **named: mm.interval(*data, measure="auc", **named).to_dict()["rows"],
    "band": lambda *data, **named: mm.band(*data, kind="roc", resamples=20, **named).to_dict(),
    "operating_point": lambda *data, **named: mm.operating_point(
        *data, maximize="f_measure", **named
    ).to_dict(),
    "roc": lambda *data, **named: mm.roc(*data, **named).frame().to_dict(as_series=False),
    "reliability": lambda *data, **named: mm.reliability(*data, **named).y.tolist(),
    "evaluate": lambda *data, **named: [row.value for row in mm.evaluate(*data, **named).rows],
    "decile_table": lambda *data, **named: [
        row.gain for row in mm.decile_table(*data, **named).rows
    ],
    "calibration_table": lambda *data, **named: [
        row.gap for row in mm.calibration_table(*data, **named).rows
    ],
    "at": lambda *data, **named: mm.ConfusionMatrix.at(*data, **named).counts.tolist(),
}
TAKING_TABLES = sorted(set(ONE_MODEL) - {"at"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("predictions")
    FRAME.to_parquet(folder / "all.parquet")
    FRAME[:25].to_csv(folder / "part1.csv", index=False)
    FRAME[25:].to_csv(folder / "part2.csv", index=False)
    return folder


@pytest.mark.parametrize("name", ONE_MODEL)
@pytest.mark.parametrize("weighted", [False, True])
def test_all_sources_agree(folder, name, weighted):
    call = ONE_MODEL[name]
    expected = call(Y, S, **({"sample_weight": W} if weighted else {}))
    columns = {"label": "y", **({"weight": "w"} if weighted else {})}
    sources = (FRAME, pl.from_pandas(FRAME), pl.from_pandas(FRAME).lazy())
    files = (folder / "all.parquet", str(folder / "part*.csv"))
    for data in (*sources, *files):
        assert call(data, score="m", **columns) == expected
        assert call(data, scores="m", **columns) == expected
        assert call(data, "m", **columns) == expected


@pytest.mark.parametrize("name", TAKING_TABLES)
def test_tables_are_read_alike(name):
    call, table = ONE_MODEL[name], mm.tabulate(Y, S)
    for data in ({"a": table}, [table], (table,)):
        assert call(data) == call(table)


@pytest.mark.parametrize("name", ["interval", "band", "operating_point", "roc"])
def test_one_model_is_needed(name):
    with pytest.raises(mm.DataError, match="needs one model, got 2: 'm', 'other'; choose one"):
        ONE_MODEL[name](FRAME, label="y", score=["m", "other"])


@pytest.mark.parametrize("name", ONE_MODEL)
def test_nonsense_is_refused_with_the_name_of_the_argument(name):
    call = ONE_MODEL[name]
    for wrong in ({"label": "z", "score": "m"}, {"label": "y", "score": "z"}):
        with pytest.raises(mm.ParameterError, match="there is no column 'z'") as refused:
            call(FRAME, **wrong)
        scores = "score" if name == "at" else "scores"
        assert refused.value.argument == ("label" if wrong["label"] == "z" else scores)
    for wrong in ({"label": "y"}, {"weight": "w"}):
        with pytest.raises(mm.ParameterError, match="names a column, but the data have none"):
            call(Y, S, **wrong)
    with pytest.raises(mm.ParameterError, match="sample_weight is for arrays"):
        call(FRAME, "m", label="y", sample_weight=W)
    if name != "at":
        with pytest.raises(mm.ParameterError, match="names of columns of the data, got numbers"):
            call(FRAME, S, label="y")
    with pytest.raises((TypeError, mm.ParameterError), match="lable"):
        call(FRAME, "m", lable="y")
    with pytest.raises(mm.DataError, match="there is no file nothing"):
        call("nothing.csv", "m", label="y")


@pytest.mark.parametrize("call", [lab.observed, lab.measure_correlations])
def test_folds_are_not_called_groups_in_errors(call):
    models = {"m": S, "other": FRAME["other"]}
    columns = {"label": "y", "scores": list(models)}
    for data, message in (
        (lambda: call(FRAME, folds="zz", **columns), "there is no column 'zz'"),
        (lambda: call(Y, models, folds="zz"), 'folds="zz" names a column'),
        (lambda: call(Y, models, folds=[1, 2]), "y_true and folds differ in length: 60 and 2"),
        (lambda: call(mm.tabulate(Y, S), folds=Y), "folds does not apply to score tables"),
    ):
        with pytest.raises(mm.MetameasureError, match=message) as refused:
            data()
        assert refused.value.argument == "folds"


def test_columns_of_classes_are_named_by_proba():
    for wrong in (["zz", "m"], ["m", "m"], [0.5, 0.1], [["m"], "other"]):
        with pytest.raises(mm.ParameterError) as refused:
            mm.evaluate(FRAME, label="y", proba=wrong)
        assert refused.value.argument == "proba"


def test_the_measure_follows_data_that_have_their_scores(folder):
    table, named = mm.tabulate(Y, S), {"label": "y", "score": "m"}
    expected = mm.interval(Y, S, "auc")
    assert mm.interval(FRAME, "auc", **named) == expected
    assert mm.interval(str(folder / "all.parquet"), mm.auc, **named) == expected
    assert mm.interval(FRAME, "m", "auc", label="y") == expected
    assert mm.interval({"a": table}, "auc") == mm.interval(table, "auc")
    with pytest.raises(mm.ParameterError, match=r"measure is missing; .*label=\.\.\., score="):
        mm.interval(FRAME, "m", label="y")
    with pytest.raises(mm.DataError, match="scores are missing"):
        mm.interval(Y, mm.auc)


def test_the_measure_follows_data_whose_score_is_inferred(folder):
    one = FRAME[["y", "m"]]
    assert mm.interval(one, "auc", label="y") == mm.interval(Y, S, "auc")
    assert mm.interval(one, mm.auc) == mm.interval(Y, S, "auc")
    assert mm.band(one, "roc", label="y").low.tolist() == mm.band(Y, S, "roc").low.tolist()
    two = one.assign(other=one["m"])
    with pytest.raises(mm.DataError, match="2 columns can be the score"):
        mm.interval(two, "auc", label="y")
    with pytest.raises(mm.ParameterError, match="beta must be >= 0"):
        mm.interval(one, "f_measure(beta=-1)", label="y")


def test_measures_follow_data_that_have_their_scores():
    table = mm.tabulate(Y, S)
    tables = {"a": table, "b": table}
    assert mm.compare(tables, "brier").rows == mm.compare(tables, measures="brier").rows
    assert mm.evaluate(table, ["auc", mm.ks]).rows == mm.evaluate(table, measures="auc, ks").rows
    found = mm.evaluate(FRAME, "auc", label="y", score="m")
    assert found.rows == mm.evaluate(FRAME, "m", "auc", label="y").rows
    remedy = "there is no column 'auc'; pass measures as measures=\"auc\""
    for call in (mm.compare, mm.evaluate):
        with pytest.raises(mm.ParameterError, match=remedy):
            call(FRAME, "auc", label="y")
    for name in ("group", "cluster"):
        with pytest.raises(mm.ParameterError, match=f"{name} does not apply.*no individual cases"):
            mm.evaluate(tables, **{name: Y})


def test_several_models_of_several_classes_are_columns_of_a_frame(folder):
    classes, models = ["c", "d", "f"], ["m", "n"]
    rng = np.random.default_rng(3)
    scores = {model: rng.dirichlet([1, 1, 1], 30) for model in models}
    proba = {model: [f"{model}_{name}" for name in classes] for model in models}
    columns = {
        name: scores[model][:, place] for model in models for place, name in enumerate(proba[model])
    }
    frame = pd.DataFrame({"kind": classes * 10, **columns})
    for call in (mm.evaluate, mm.compare):
        found = call(frame, measures="hand_till_auc", label="kind", proba=proba)
        assert found.rows == call(frame["kind"].tolist(), scores, "hand_till_auc").rows
    with pytest.raises(mm.ParameterError, match="proba must be a list of two or more columns"):
        mm.compare(frame, label="kind", proba={"m": proba["m"], "n": "m_c"})


def test_score_tables_have_confusion_matrices():
    table = mm.tabulate(Y, S)
    for point in ({}, {"threshold": 0.3}, {"k": 7}):
        found, expected = (mm.ConfusionMatrix.at(*d, **point) for d in ((table,), (Y, S)))
        assert (found.counts == expected.counts).all()
        assert (found.labels, found.pos_label) == (expected.labels, expected.pos_label)
    with pytest.raises(mm.ParameterError, match="pass either a ScoreTable or y_true"):
        mm.ConfusionMatrix.at(table, S)
    with pytest.raises(mm.DataError, match="use tabulate"):
        mm.ScoreTable.from_cases([1, 0], [0.9, 0.1])


def test_a_measure_and_a_result_answer_what_they_do_not_have():
    with pytest.raises(mm.ParameterError, match="auc takes arrays and has no parameter") as no:
        mm.auc(FRAME, label="y", score="m")
    assert "pass the columns of the data frame, or use mm.interval(frame, 'auc'," in str(no.value)
    for name in ("weight", "weights"):
        with pytest.raises(mm.ParameterError, match=r"weights of cases as sample_weight$"):
            mm.auc(Y, S, **{name: W})
    with pytest.raises(mm.ParameterError, match="it takes pos_label, sample_weight, nan_policy"):
        mm.auc(Y, S, nonsense=1)
    found = mm.evaluate(Y, S)
    for name in ("checks", "nope"):
        with pytest.raises(mm.ParameterError, match="table must be one of 'rows', 'left_out'"):
            found.to_pandas(name)


def test_scores_may_be_named_after_the_measure():
    expected = mm.interval(Y, S, "auc").low
    assert mm.interval(FRAME, "auc", label="y", scores="m").low == expected
    with pytest.raises(mm.ParameterError, match="pass either scores or score"):
        mm.evaluate(FRAME, "m", label="y", scores="other")


def test_groups_and_clusters_of_an_interval_are_columns():
    by_name = {"label": "y", "score": "m"}
    found = mm.interval(FRAME, "auc", cluster="site", resamples=50, **by_name)
    assert found == mm.interval(Y, S, "auc", cluster=FRAME["site"], resamples=50)
    found = mm.interval(FRAME, "mean_over(auc)", group="site", **by_name)
    assert found == mm.interval(Y, S, "mean_over(auc)", group=FRAME["site"])


def test_a_dict_of_one_model_is_that_model():
    assert mm.interval(Y, {"a": S}, "auc") == mm.interval(Y, S, "auc")
    ready = mm.ClassScores.of(Y, np.column_stack([1 - S, S]))
    assert mm.interval({"a": ready}, "log_loss") == mm.interval(ready, "log_loss")


@pytest.mark.parametrize("name", sorted(TAKING_TABLES))
def test_models_of_a_dict_are_chosen_by_name(name):
    call, other = ONE_MODEL[name], FRAME["other"]
    models, tables = {"m": S, "n": other}, {"m": mm.tabulate(Y, S), "n": mm.tabulate(Y, other)}
    expected = call(Y, S)
    assert call(Y, {"m": S}) == expected
    for data in ((Y, models), (Y, pd.DataFrame(models)), (FRAME.rename(columns={"other": "n"}),)):
        label = {"label": "y"} if len(data) == 1 else {}
        assert call(*data, score="m", **label) == expected
    expected = call(tables["m"])
    for data in ((tables,), (tables, "m")):
        chosen = {} if len(data) > 1 else {"score": "m"}
        assert call(*data, **chosen) == expected
    assert call([*tables.values()], score="model 1") == expected
    for data in ((Y, models), (tables,)):
        with pytest.raises(mm.ParameterError, match="no model 'z'; the models are 'm', 'n'") as no:
            call(*data, score="z")
        assert no.value.argument == "scores"


@pytest.mark.parametrize("name", ["interval", "band", "operating_point", "roc"])
def test_the_choice_that_an_error_names_is_accepted(name):
    models = {"m": S, "other": FRAME["other"]}
    tables = [mm.tabulate(Y, scores) for scores in models.values()]
    for data, label in (
        ((Y, models), {}),
        ((tables,), {}),
        ((FRAME, list(models)), {"label": "y"}),
    ):
        with pytest.raises(mm.DataError, match="needs one model, got 2: ") as refused:
            ONE_MODEL[name](*data, **label)
        chosen = refused.value.remedy.partition("score=")[2].strip('"')
        assert ONE_MODEL[name](*data, score=chosen, **label)


def test_several_models_are_chosen_by_name():
    models = {"a": S, "b": FRAME["other"], "c": 1 - S, "d, e": S}
    for score in ("c, a", ["c", "a"], ("c", "a"), np.array(["c", "a"])):
        for data in ((Y, models), ({n: mm.tabulate(Y, s) for n, s in models.items()},)):
            found = mm.evaluate(*data, measures="auc", score=score)
            assert [row.model for row in found.rows] == ["c", "a"]
    assert mm.evaluate(Y, models, "auc", score="d, e").rows[0].model == "d, e"
    ready = read_models(Y, models)
    assert read_models(ready, "b, c").names == ["b", "c"]
    for wrong in (S, [0.5], {"a": S}):
        with pytest.raises(mm.ParameterError, match="scores must be names of models"):
            mm.evaluate(Y, models, measures="auc", score=wrong)
    with pytest.raises(mm.ParameterError, match="scores is empty; name at least one model"):
        read_models(ready, [])


def test_a_model_that_is_not_chosen_does_not_matter():
    models = {"a": S, "b": np.where(Y, np.nan, S)}
    assert mm.interval(Y, models, "auc", score="a") == mm.interval(Y, S, "auc")
    frame = pd.DataFrame({"a": S, "b": ["text"] * len(S)})
    assert mm.interval(Y, frame, "auc", score="a") == mm.interval(Y, S, "auc")


def test_a_dict_of_one_model_is_that_model_for_measures_of_classes():
    assert mm.interval(Y, {"a": S}, "brier") == mm.interval(Y, S, "brier")
    assert mm.interval(Y, {"a": S, "b": 1 - S}, "brier", score="a") == mm.interval(Y, S, "brier")
    matrix = np.column_stack([1 - S, S])
    of_matrix = mm.interval(Y, matrix, "brier")
    assert mm.interval(Y, {"a": matrix}, "brier") == of_matrix
    assert mm.interval(Y, {"a": matrix, "b": matrix}, "brier", score="b") == of_matrix


def test_lists_of_tables_are_numbered():
    tables = [mm.tabulate(Y, S), mm.tabulate(Y, FRAME["other"])]
    found = mm.evaluate(tables, measures="auc")
    assert [row.model for row in found.rows] == ["model 1", "model 2"]
    assert mm.compare(tables, measures="auc").rows[0].a == "model 1"
    with pytest.raises(mm.DataError, match="one ScoreTable per model, got a ndarray for 'model 2'"):
        mm.evaluate([tables[0], S])
    with pytest.raises(mm.ParameterError, match=r"scores must be names of models.*later arguments"):
        mm.evaluate(tables, S)


def test_tables_have_their_labels():
    table = mm.tabulate(Y, S)
    for given in (table, {"a": table}, [table, table]):
        with pytest.raises(
            mm.DataError, match=r"a ScoreTable, which holds the labels.*tables alone"
        ):
            mm.evaluate(Y, given)


def test_confusion_matrices_of_columns(folder):
    frame = pd.DataFrame(
        {"true": ["a", "b", "b", "c"], "predicted": ["a", "b", "c", "c"], "w": 2.0}
    )
    frame.to_csv(folder / "classes.csv", index=False)
    expected = mm.ConfusionMatrix.of(frame["true"], frame["predicted"], sample_weight=frame["w"])
    named = {"label": "true", "weight": "w"}
    for data in (frame, folder / "classes.csv"):
        assert mm.ConfusionMatrix.of(data, predicted="predicted", **named) == expected
        assert mm.ConfusionMatrix.of(data, "predicted", **named) == expected
    with pytest.raises(mm.ParameterError, match="label must name a column"):
        mm.ConfusionMatrix.of(frame, "predicted")
    with pytest.raises(mm.ParameterError, match="pass either y_pred or predicted, not both"):
        mm.ConfusionMatrix.of(frame, "predicted", label="true", predicted="predicted")
    with pytest.raises(mm.ParameterError, match="predicted names a column, but the data have none"):
        mm.ConfusionMatrix.of(Y, predicted="predicted")
    for missing in (mm.ConfusionMatrix.of, mm.ConfusionMatrix.at):
        with pytest.raises(mm.DataError, match="is missing; pass it after y_true"):
            missing(Y)
    with pytest.raises(mm.DataError, match="'predicted' has 'a' at row 0, which is text"):
        mm.ConfusionMatrix.at(frame, "predicted", label="true", pos_label="a")


def test_own_scores_are_read_from_a_frame():
    found, right = lab.own_scores(FRAME, label="y", score="m"), lab.own_scores(Y, S)
    assert np.array_equal(found.positives, right.positives)
    assert np.array_equal(found.negatives, right.negatives)
    with pytest.raises(mm.DataError, match="equal weights"):
        lab.own_scores(FRAME, label="y", score="m", weight="w")


TAKING_MODELS = (
    mm.evaluate, mm.compare, mm.interval, mm.band, mm.operating_point, mm.operating_points,
    mm.optimality_zones, mm.decile_table, mm.calibration_table, mm.advise, lab.observed,
    lab.selection, lab.own_scores,
)  # fmt: skip


@pytest.mark.parametrize("function", TAKING_MODELS, ids=lambda function: function.__name__)
def test_the_keywords_are_declared_once(function):
    shown = inspect.signature(function).parameters
    assert list(shown)[:2] == ["y_true", "scores"]
    assert set(DataOptions.__annotations__) <= set(shown)
    assert shown["nan_policy"].default == "raise"
    for name in shown:
        assert inspect.getdoc(function).count(f"\n    {name}: ") == 1, name
    assert max(map(len, inspect.getdoc(function).splitlines())) <= 100
    with pytest.raises(TypeError, match=rf"{function.__name__}\(\) .*'nonsense'"):
        function(Y, S, nonsense=1)


def test_a_function_of_models_is_declared_in_one_line():
    @takes_models(GroupOptions)
    def count(y_true, scores=None, *, twice=False, **data):
        """The number of keywords.

        Args:
            twice: whether they count twice.

        >>> count([1])
        0
        """
        return len(data) * (1 + twice)

    assert count(Y, S, label="y", group="g", twice=True) == 4
    text = inspect.getdoc(count)
    order = ("y_true:", "scores:", "twice:", "label:", "labels:", ">>> count")
    places = [text.index(f"    {word}") if word[-1] == ":" else text.index(word) for word in order]
    assert places == sorted(places)


def test_infinite_scores_get_no_advice_to_rescale():
    with pytest.raises(
        mm.DataError, match="pass probabilities; infinite scores cannot be rescaled"
    ):
        mm.brier([1, 0], [np.inf, 0.5])
    with pytest.raises(mm.DataError, match='use rescale="minmax"'):
        mm.brier([1, 0], [2.0, 0.5])


def test_infinite_costs_are_refused_as_infinite():
    with pytest.raises(mm.ParameterError, match="cost_fp must be finite and >= 0, got inf"):
        mm.operating_point(Y, S, cost_fp=np.inf, cost_fn=1)
    with pytest.raises(mm.ParameterError, match="cost_fp must be >= 0, got -1"):
        mm.operating_point(Y, S, cost_fp=-1, cost_fn=1)
