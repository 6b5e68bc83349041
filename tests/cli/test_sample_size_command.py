"""``metameasure sample-size``, with a pilot and without."""

import json

import numpy as np
import polars as pl
import pytest

import metameasure as mm

RNG = np.random.default_rng(2)
LABEL = (RNG.random(150) < 0.4).astype(int)
SCORES = {name: 1 / (1 + np.exp(-RNG.normal(size=150) - 1.5 * LABEL)) for name in "ab"}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "pilot.csv"
    pl.DataFrame({"y": LABEL, **SCORES}).write_csv(path, float_precision=17)
    return path


def test_a_plan_is_what_python_gives(run):
    options = ("--width", 0.05, "--value", 0.8, "--prevalence", 0.3)
    found = run("sample-size", *options, "--format", "json")
    expected = mm.sample_size("auc", width=0.05, value=0.8, prevalence=0.3)
    assert (found.code, found.err) == (0, "")
    assert json.loads(found.out) == json.loads(expected.to_json())
    assert run("sample-size", *options).out == expected.table() + "\n"


def test_two_values_are_those_of_two_models(run):
    options = ("--measures", "accuracy", "--power", 0.8, "--value", "0.8,0.9", "--correlation", 0.3)
    found = run("sample-size", *options, "--format", "json")
    expected = mm.sample_size("accuracy", power=0.8, value=(0.8, 0.9), correlation=0.3)
    assert json.loads(found.out)["rows"] == expected.records()


def test_a_pilot_is_read_from_a_file(run, file):
    columns = ("--label", "y", "--score", "a,b")
    options = ("--power", 0.9, "--margin", 0.05, "--ratio", 3)
    found = run("sample-size", file, *columns, *options, "--format", "json")
    expected = mm.sample_size("auc", LABEL, SCORES, power=0.9, margin=0.05, ratio=3)
    assert (found.code, found.err) == (0, "")
    assert json.loads(found.out) == json.loads(expected.to_json())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--width", 0.05), "--value is needed without a pilot"),
        (("--width", 2, "--value", 0.8), "--width must be in (0, 1), got 2.0"),
        (("--width", 0.1, "--label", "y"), "--label has no effect without FILE"),
        (("--measures", "brier", "--width", 0.1), "pass the predictions of a pilot as FILE"),
        ((), "pass either --width or --power, got neither"),
    ],
)
def test_what_is_missing_is_named(run, options, words):
    found = run("sample-size", *options)
    assert (found.code, found.out) == (2, "")
    assert words in found.err


@pytest.fixture
def perfect(tmp_path):
    """A pilot in which one model is always right, one is certain, too, and one is constant."""
    path, label = tmp_path / "perfect.csv", np.repeat([1, 0], [15, 25])
    scores = {"right": 0.1 + 0.8 * label, "certain": label, "constant": 0.3}
    pl.DataFrame({"y": label, **scores}).write_csv(path)
    return path


def test_a_perfect_pilot_has_a_range(run, perfect):
    found = run("sample-size", perfect, "--label", "y", "--score", "right", "--width", 0.1)
    assert found.code == 0
    assert "at the limits of the interval on the pilot, which does not vary" in found.out
    assert "from the uncertainty of a pilot of 40 cases" in found.out


@pytest.mark.parametrize(
    ("options", "remedy"),
    [
        (("--score", "constant", "--power", 0.8, "--reference", 0.45), "use a larger pilot"),
        (("--score", "right,constant", "--power", 0.8), "use a larger pilot"),
        (("--score", "certain", "--measures", "log_loss", "--width", 0.1), "log_loss(clip=0.001)"),
    ],
)
def test_a_pilot_that_does_not_serve_has_a_remedy(run, perfect, options, remedy):
    found = run("sample-size", perfect, "--label", "y", *options)
    assert (found.code, found.out) == (1, "")
    assert found.err.startswith("error: ")
    assert remedy in found.err


@pytest.mark.parametrize(
    ("command", "measure", "meant"),
    [
        ("sample-size", "auc", "auc"),
        ("sample-size", "f_beta(beta=2)", "'f_measure(beta=2)'"),
        ("lab robustness", "brier", "brier"),
    ],
)
def test_a_measure_in_the_place_of_the_file(run, command, measure, meant):
    done = run(*command.split(), measure)
    message = f"error: there is no file {measure}; for the measure use --measures {meant}\n"
    assert (done.code, done.out, done.err) == (2, "", message)


def test_a_file_may_bear_the_name_of_a_measure(run, file, monkeypatch):
    monkeypatch.chdir(file.parent)
    file.rename("auc")
    assert run("sample-size", "auc", "--label", "y", "--score", "a", "--width", 0.1).code == 0
    done = run("sample-size", "nosuch.csv", "--width", 0.1)
    assert (done.code, done.err) == (1, "error: there is no file nosuch.csv\n")
