"""The commands of the laboratory."""

import json

import numpy as np
import polars as pl
import pytest

import metameasure as mm
from metameasure import lab


def test_two_measures_on_ranked_lists(run):
    """Huang, Tables 3.4 to 3.6, 16 cases."""
    arguments = "auc accuracy --positives 8 --negatives 8 --format json"
    code, out, err = run("lab", "compare", *arguments.split())
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert found["counts"] == {
        "con": 55370122,
        "incon": 3868959,
        "dis_fg": 21161143,
        "dis_gf": 1121120,
        "ind": 1290671,
    }
    assert found["rows"][0]["verdict"] == "better"


def test_the_table_for_people(run):
    code, out, _ = run("lab", "compare", "auc", "accuracy", "--positives", 4, "--negatives", 4)
    assert code == 0
    assert out.rstrip("\n") == lab.compare("auc", "accuracy", lab.ranked_lists(4, 4)).table()


def test_an_order_of_measures(run):
    code, out, _ = run("lab", "order", "accuracy, auc, oauc", "--permutations", 5)
    assert code == 0
    assert out.rstrip().endswith("ordered_auc > auc > accuracy")


@pytest.mark.parametrize("form", ["csv", "markdown", "json"])
def test_forms(run, form, tmp_path):
    file = tmp_path / "result"
    options = ("--permutations", 4, "--format", form, "-o", file)
    code, out, _ = run("lab", "order", "auc, accuracy", *options)
    assert (code, out) == (0, "")
    assert "accuracy" in file.read_text()


def test_models_of_a_file(run, tmp_path):
    file = tmp_path / "models.csv"
    y, a, b = [1, 0, 1, 0, 1, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1], [8, 1, 6, 3, 7, 5, 4, 2]
    folds = [1, 1, 1, 1, 2, 2, 2, 2]
    pl.DataFrame({"y": y, "a": a, "b": b, "fold": folds}).write_csv(file)
    columns = ("--label", "y", "--score", "a", "--score", "b")
    code, out, err = run(
        "lab", "compare", "auc", "ks", "--file", file, *columns, "--folds", "fold",
        "--format", "json",
    )  # fmt: skip
    assert (code, err) == (0, "")
    expected = lab.compare("auc", "ks", lab.observed(y, {"a": a, "b": b}, folds=folds))
    assert json.loads(out) == json.loads(expected.to_json())
    code, _, err = run("lab", "compare", "auc", "ks", "--file", file, *columns)
    assert code == 2
    assert "--folds or --resamples" in err


def test_lists_that_are_drawn(run):
    arguments = "auc scored_auc --positives 5 --negatives 9 --lists 1000 --format json"
    first = run("lab", "compare", *arguments.split(), "--workers", 1)
    assert first == run("lab", "compare", *arguments.split(), "--workers", 2)
    assert json.loads(first[1])["rows"][0]["consistency_se"] > 0
    other = run("lab", "compare", *arguments.split(), "--seed", 2)
    assert other[1] != first[1]


def test_lists_of_several_classes(run):
    arguments = "hand_till_auc accuracy --classes 3 --lists 1000 --format json"
    code, out, _ = run("lab", "compare", *arguments.split())
    assert code == 0
    assert json.loads(out)["rows"][0]["verdict"] == "better"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ("compare auc accuracy", 2, "choose what to compare on with one of --positives"),
        ("compare auc accuracy --positives 3", 2, "needs --negatives"),
        (
            "compare auc accuracy --permutations 4 --cut 2",
            2,
            "--cut has no effect with --permutations",
        ),
        (
            "order auc,ks --positives 4 --negatives 4 --folds y",
            2,
            "--folds has no effect with --positives",
        ),
        (
            "compare auc ks --positives 4 --negatives 4 --lists 1000 --cut 2",
            2,
            "--cut has no effect with --lists",
        ),
        ("compare auc brier --positives 30 --negatives 30", 2, "random score lists"),
        ("compare auc accuracy --positives 3 --negatives 3 --permutations 4", 2, "with one of"),
        ("compare auc nonsense --positives 3 --negatives 3", 2, "no measure 'nonsense'"),
        ("compare auc brier --positives 3 --negatives 3", 2, "more than the order"),
        ("compare auc h_measure --positives 40 --negatives 40", 1, "GiB"),
        ("compare auc accuracy --permutations 20", 2, "an integer from 2 to 11, got 20"),
        ("order auc --permutations 4", 2, "at least 2"),
    ],
)
def test_what_cannot_be_had(run, arguments, code, words):
    found, out, err = run("lab", *arguments.split())
    assert (found, out) == (code, "")
    assert err.startswith("error: ")
    assert words in err


def test_the_laboratory_is_part_of_the_package():
    assert mm.lab is lab


def test_noise(run):
    arguments = "robustness --level 0.3 --repeats 1000 --measures auc,ks --format json"
    code, out, err = run("lab", *arguments.split(), "--workers", 1)
    assert (code, err) == (0, "")
    expected = lab.robustness("replaced_scores", "labels", [0.3], "auc, ks", 1000, workers=1)
    assert json.loads(out) == json.loads(expected.to_json())


def test_noise_in_own_predictions(run, tmp_path):
    file = tmp_path / "own.csv"
    y, s = [1, 0] * 20, [n / 40 for n in range(40)]
    pl.DataFrame({"y": y, "s": s}).write_csv(file)
    options = "--repeats 200 --level 0.2 --share 0.2 --size 20 --measures auc --format json"
    code, out, _ = run("lab", "robustness", file, *options.split(), "--workers", 1)
    assert code == 0
    assert json.loads(out)["rows"][0]["repeats"] == 200


@pytest.mark.parametrize(
    "option", ["--noise hail", "--generator dice", "--share 2 FILE --label y --score s"]
)
def test_noise_that_there_is_not(run, option, tmp_path):
    file = tmp_path / "own.csv"
    pl.DataFrame({"y": [1, 0], "s": [0.1, 0.2]}).write_csv(file)
    arguments = option.replace("FILE", str(file)).split()
    assert run("lab", "robustness", *arguments)[0] == 2


def test_power(run):
    arguments = "auc,ks --alternative location(1) --positives 8 --negatives 6 --repeats 200"
    code, out, err = run("lab", "power", *arguments.split(), "--format", "json", "--workers", 1)
    assert (code, err) == (0, "")
    alternative = lab.parse_alternative("location(1)")
    expected = lab.power("auc, ks", alternative, 8, 6, repeats=200, workers=1)
    assert json.loads(out) == json.loads(expected.to_json())


@pytest.mark.parametrize("option", ["--alternative nonsense", "--side both"])
def test_power_that_there_is_not(run, option):
    assert run("lab", "power", *option.split())[0] == 2


@pytest.fixture
def models(tmp_path):
    """A file with the predictions of a good and a bad model, and what they are."""
    rng = np.random.default_rng(3)
    label = rng.random(400) < 0.4
    scores = {name: label * shift + rng.normal(size=400) for name, shift in (("a", 2), ("b", 1))}
    file = tmp_path / "models.csv"
    pl.DataFrame({"y": label.astype(int), **scores}).write_csv(file)
    return file, label, scores


COLUMNS = ("--label", "y", "--score", "a", "--score", "b")


def test_advice(run, models):
    file, label, scores = models
    sizes = ("--size", 20, "--size", 40, "--noise", 0.1, "--repeats", 50, "--tolerance", 0.02)
    options = (*sizes, "--measures", "auc, ks", "--goal", "auc", "--format", "json")
    code, out, err = run("advise", file, *COLUMNS, *options, "--workers", 1)
    assert (code, err) == (0, "")
    found = json.loads(out)
    expected = mm.advise(
        label, scores, "auc", [20, 40], "auc, ks", repeats=50, noise=0.1, tolerance=0.02, workers=1
    )
    assert found["recommendation"] == expected.recommendation
    assert len(found["rows"]) == 2 * 2 * 2
    names = "measure size noise regret regret_se hit_rate msa limit group close"
    assert list(found["rows"][0]) == names.split()


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--size", 400), 2, "number of cases"),
        (("--goal", "brier"), 1, "[0, 1]"),
    ],
)
def test_advice_that_cannot_be_had(run, models, options, code, words):
    found, out, err = run("advise", models[0], *COLUMNS, *options)
    assert (found, out) == (code, "")
    assert words in err


def test_advice_on_one_model(run, models):
    code, _, err = run("advise", models[0], "--label", "y", "--score", "a")
    assert code == 1
    assert "two" in err


def test_selection(run, models):
    file, label, scores = models
    options = "--measures auc,ks --size 30 --repeats 60 --format json --workers 1"
    code, out, err = run("lab", "selection", file, *COLUMNS, *options.split())
    assert (code, err) == (0, "")
    expected = lab.selection(label, scores, "auc", "auc, ks", 30, 60, workers=1)
    assert json.loads(out) == json.loads(expected.to_json())


def test_the_demo_ends_with_advice(run):
    code, out, _ = run("demo")
    assert code == 0
    before, _, _ = out.partition("validation sets of 100 cases")
    assert before.rstrip().splitlines()[-1]
    assert "the model with the best auc from 100 validation cases" in " ".join(before.split())


@pytest.mark.parametrize(
    ("words", "unused"),
    [
        ("--share 0.9 --size 3", "--share, --size have no effect without FILE"),
        ("{file} --generator swapped_labels", "--generator has no effect with FILE"),
    ],
)
def test_options_that_would_do_nothing_are_refused(run, tmp_path, words, unused):
    file = tmp_path / "p.csv"
    file.write_text("y,s\n1,0.2\n0,0.1\n1,0.7\n0,0.8\n")
    done = run("lab", "robustness", *words.format(file=file).split())
    assert done.code == 2
    assert unused in done.err
