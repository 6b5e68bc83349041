"""Values of an evaluation by name, the best model, plots, and parameters that rows state."""

import json
import math

import numpy as np
import pytest

import metameasure as mm

RNG = np.random.default_rng(6)
Y = RNG.random(200) < 0.4
MODELS = {
    "forest": np.clip(0.3 * Y + RNG.random(200) * 0.6 + 0.02, 0, 1),
    "logistic": np.clip(0.28 * Y + RNG.random(200) * 0.6 + 0.02, 0, 1),
    "coin": RNG.uniform(0.01, 0.99, 200),
}
RESULT = mm.evaluate(Y, MODELS, "auc, brier, lift, tpr@0.3")


def test_values_and_intervals_by_name():
    assert RESULT.value("auc", model="forest") == mm.auc(Y, MODELS["forest"])
    assert RESULT.value(mm.brier, model="coin") == mm.brier(Y, MODELS["coin"])
    alone = mm.interval(Y, MODELS["forest"], "auc")
    found = RESULT.interval("auc", model="forest")
    assert (found.low, found.high) == found == (alone.low, alone.high)
    assert RESULT["forest"].value("roc_auc_score") == RESULT.value("auc", model="forest")
    assert RESULT.value("recall@0.3", model="coin") == mm.tpr(Y, MODELS["coin"], threshold=0.3)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda r: r.value("auc"), "there are 3 models, 'forest', .*; choose one, such as model"),
        (lambda r: r.value("auc", model="forst"), "no model 'forst'; did you mean 'forest'"),
        (lambda r: r["x"], "no model 'x'; there are 'forest', 'logistic', 'coin'"),
        (lambda r: r.value("tpr", model="coin"), "tpr is not in this result; did you mean tpr@0.3"),
        (lambda r: r.best("brir"), "did you mean brier"),
        (
            lambda r: r.value("ks", model="coin"),
            "ks is not in this result; it has auc, brier, lift",
        ),
        (
            lambda r: r.value("auc", model="coin", group="a"),
            "no group 'a'; the result has no group",
        ),
        (lambda r: r.best("auc", label="a"), "no label 'a'"),
    ],
)
def test_names_that_are_not_there(ask, words):
    with pytest.raises((mm.ParameterError, mm.UnknownMeasure), match=words) as caught:
        ask(RESULT)
    assert caught.value.argument in {"measure", "model", "group", "label"}


def test_one_model_is_an_evaluation():
    part = RESULT["logistic"]
    assert part.models == ["logistic"]
    assert {row.model for row in part.rows} == {"logistic"}
    assert part.ci == RESULT.ci
    assert "forest" not in str(part)
    with pytest.raises(TypeError, match="not iterable"):
        iter(RESULT)


def test_the_best_names_those_that_may_be_as_good():
    values = {model: mm.auc(Y, scores) for model, scores in MODELS.items()}
    best = RESULT.best("auc")
    assert best.model == max(values, key=values.get)
    assert best.value == max(values.values())
    assert best.overlapping == ("logistic",) if best.model == "forest" else ("forest",)
    assert "not tested" in str(best)
    assert best.overlapping[0] in str(best)
    smallest = min(MODELS, key=lambda name: mm.brier(Y, MODELS[name]))
    assert RESULT.best("brier").model == smallest
    bare = mm.evaluate(Y, MODELS, "auc", ci=None).best("auc")
    assert bare.overlapping is None
    assert json.loads(best.to_json())["rows"][0]["model"] == best.model
    with pytest.warns(mm.UndefinedMeasureWarning):
        undefined = mm.evaluate([1, 1], {"a": [0.1, 0.2]}, "auc")
    with pytest.raises(mm.DataError, match="auc is undefined for all models"):
        undefined.best("auc")
    assert all(map(math.isnan, undefined.interval("auc")))


def test_groups():
    group = np.where(np.arange(200) % 2, "odd", "even")
    result = mm.evaluate(Y, MODELS, "auc", group=group, ci=None)
    odd = group == "odd"
    expected = mm.auc(Y[odd], MODELS["coin"][odd])
    assert result.value("auc", model="coin", group="odd") == expected
    with pytest.raises(mm.ParameterError, match="no group 'od'; did you mean 'odd'"):
        result.best("auc", group="od")


def test_plots():
    pytest.importorskip("matplotlib").use("agg")
    for result in (RESULT, mm.compare(Y, MODELS, "auc")):
        display = result.plot()
        assert type(display).__name__ == "ForestDisplay"
        assert display.artists_
    axes = RESULT["coin"].plot(sort=True).ax_
    assert RESULT.plot(ax=axes).ax_ is axes


def test_rows_state_what_matters():
    texts = [row["measure"] for row in RESULT["coin"].records()]
    assert texts == ["auc", "brier", "lift@top=10%", "tpr@0.3"]
    assert "lift@top=10% ↑" in str(RESULT)
    assert RESULT.to_polars()["measure"][2] == "lift@top=10%"
    assert mm.compare(Y, MODELS, "lift").rows[0].measure == "lift@top=10%"
    assert RESULT.value("lift", model="coin") == RESULT.value("lift@top=10%", model="coin")


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("partial_auc", "partial_auc(fpr=(0, 0.1))"),
        ("partial_auc(tpr=(0.8, 1))", "partial_auc(tpr=(0.8, 1))"),
        ("ece", 'ece(bins=10, equal="mass")'),
        ("ece(bins=5)", 'ece(bins=5, equal="mass")'),
        ("lift@top=20%", "lift@top=20%"),
        ("lift@0.5", "lift@0.5"),
        ("accuracy", "accuracy"),
        ("f_measure", "f_measure"),
        ("two_level(lift, auc)", "two_level(lift@top=10%, auc)"),
        ("mean_over(lift)", "mean_over(lift@top=10%)"),
    ],
)
def test_stated_texts(text, stated):
    measure = mm.parse(text)
    assert measure.stated == stated
    assert mm.parse(measure.stated) == measure


@pytest.mark.parametrize("measure", mm.measures(subject="all"), ids=str)
def test_a_stated_text_is_the_measure(measure):
    assert mm.parse(measure.stated) == measure


def certain(k=1):
    """Scores of which some are 0 for positives."""
    scores = np.clip(0.5 * Y + 0.25 + RNG.uniform(-0.2, 0.2, 200), 0.01, 0.99)
    scores[np.flatnonzero(Y)[:k]] = 0.0
    return scores


def test_an_infinite_loss_is_clipped_by_default_and_explained():
    models = {"certain": certain(2), "cautious": np.clip(certain(), 0.05, 0.95)}
    result = mm.evaluate(Y, models)
    texts = {str(row.measure) for row in result.rows}
    assert "log_loss(clip=1e-15)" in texts
    assert "log_loss" not in texts
    assert "∞" not in str(result)
    expected = mm.log_loss(Y, models["certain"], clip=1e-15)
    assert result.value("log_loss(clip=1e-15)", model="certain") == expected
    (check,) = [check for check in result.checks if check.code == "MM22"]
    assert check.model == "certain"
    assert (
        check.message == "2 cases had probability 0 of what happened, so that log_loss is infinite"
    )
    with pytest.raises(mm.ParameterError, match=r"did you mean log_loss\(clip=1e-15\)"):
        result.value("log_loss", model="certain")
    plain = mm.evaluate(Y, models["cautious"])
    assert "log_loss" in {str(row.measure) for row in plain.rows}


def test_an_infinite_loss_by_name_stays_with_its_remedy():
    result = mm.evaluate(Y, {"certain": certain()}, "log_loss")
    assert result.value("log_loss") == math.inf
    (check,) = [check for check in result.checks if check.code == "MM22"]
    assert check.message == (
        "infinite, since 1 case had probability 0 of what happened; use log_loss(clip=1e-15) for a "
        "finite value"
    )


def test_an_infinite_loss_of_several_classes():
    code = np.arange(60) % 3
    scores = np.full((60, 3), 0.2) + 0.4 * np.eye(3)[code]
    scores[4] = np.roll([0.0, 0.5, 0.5], 1)
    result = mm.evaluate(code, scores)
    assert math.isfinite(result.value("log_loss(clip=1e-15)"))
    assert "check MM22 (model): 1 case had probability 0 of what happened" in str(result)


NAMES = np.where(np.arange(60) % 3 == 0, "yes", "no")
CHANCES = np.linspace(0.1, 0.9, 60) * 0.7 + 0.2 * (NAMES == "yes")
BOTH = np.column_stack([1 - CHANCES, CHANCES])


@pytest.mark.parametrize(
    ("labels", "scores", "pos_label", "shown"),
    [
        (NAMES, BOTH, None, " ('yes')"),
        (NAMES, CHANCES, "yes", " ('yes')"),
        (NAMES.astype(object), CHANCES, "yes", " ('yes')"),
        (NAMES.astype("S3"), CHANCES, b"yes", " ('yes')"),
        (np.where(NAMES == "yes", 2, 1), BOTH, None, " (2)"),
        (np.where(NAMES == "yes", 1, 2), CHANCES, 1, " (1)"),
        (np.where(NAMES == "yes", 0, 1), CHANCES, 0, " (0)"),
        (NAMES == "yes", BOTH, None, ""),
        (np.where(NAMES == "yes", 1, 0), CHANCES, 1, ""),
        (np.where(NAMES == "yes", 1.0, -1.0), BOTH, None, ""),
    ],
)
def test_the_caption_names_the_positive_label_unless_it_is_plain(labels, scores, pos_label, shown):
    options = {"pos_label": pos_label, "mute": ("MM01", "MM06")}
    words = f"60 cases, 20 positive{shown}"
    assert f"\n{words}; 95%" in str(mm.evaluate(labels, scores, "auc", **options))
    models = {"a": scores, "b": scores}
    assert f"\n{words}; 95%" in str(mm.evaluate(labels, models, "auc", **options)["b"])
    assert f"\n{words}; 95%" in str(mm.compare(labels, models, "auc", **options))
    group = np.arange(60) % 2
    assert f"\n{words}; 95%" in str(mm.compare_groups(labels, scores, group=group, **options))
    assert f"\n{words}\n" in str(mm.gate(labels, scores, "auc >= 0.1", **options))
    assert words in str(mm.decile_table(labels, scores, pos_label=pos_label))
