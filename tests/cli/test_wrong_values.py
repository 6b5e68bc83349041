"""A wrong value of any option gives an error that names options of that command only."""

import re
from pathlib import Path
from typing import get_args

import numpy as np
import polars as pl
import pytest

from cli.test_help import COMMANDS
from metameasure.cli.app import make_app
from metameasure.results import FORMATS

RANKED = ("--positives", "3", "--negatives", "3")
MODELS = ("d.csv", "--label", "y", "--score", "a,b")
FEW = ("--repeats", "10", "--size", "20")
MEAN = "--measures mean_over(auc) --group part"
COSTS = ("--cost-fp", "1", "--cost-fn", "1")
CALLS = {
    "demo": (),
    "measures": (),
    "reproduce": (),
    "operating": (*MODELS, *COSTS),
    "confusion": ("d.csv", "--label", "y", "--score", "a"),
    "gate": ("d.csv", "--label", "y", "--score", "a", "--require", "auc >= 0.1"),
    "advise": (*MODELS, *FEW),
    "groups": (*MODELS, "--group", "g"),
    "lab compare": ("auc", "accuracy", *RANKED),
    "lab order": ("auc,accuracy", *RANKED),
    "lab power": ("auc", "--repeats", "10", "--permutations", "39"),
    "lab robustness": ("--repeats", "10"),
    "lab select": ("d.csv", "--label", "y", "--learners", "tree,knn", "--repeats", "2"),
    "lab selection": (*MODELS, *FEW),
    "psi": ("d.csv", "--period", "g", "--score", "a"),
    "sample-size": ("d.csv", "--label", "y", "--score", "a", "--power", "0.8"),
    "plot advice": (*MODELS, *FEW),
    "plot agreement": ("--measures", "auc,accuracy", *RANKED),
    "plot confusion": ("d.csv", "--label", "y", "--score", "a"),
    "plot groups": (*MODELS, "--group", "g"),
    "plot measures": ("--measures", "auc,accuracy", *RANKED),
    "plot robustness": ("--repeats", "10"),
    "plot selection": (*MODELS, *FEW),
    "plot tpr-fpr": ("d.csv", "--label", "y", "--score", "a"),
}
"""A right call of each command, where it differs from that of the others."""
TEXT = ("--pos-label", "--save", "--labels", "--out", "--data")
"""Options that take any text, or are tested elsewhere."""
WITH = {"--prior": COSTS, "--width": ("--height", "3")}
"""Options that another one needs."""


SHARED = ("--width", "--height", "--dpi", "--nan-policy", "--rescale", "--cluster", "--weight")
"""Options of all plots, which are tested with one of them."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(5)
    y = np.arange(40) % 2
    group = ["u", "v", "v", "u"] * 10
    frame = pl.DataFrame({"y": y, "a": (rng.random(40) + y) / 2, "b": rng.random(40), "g": group})
    frame.write_csv("d.csv")


def options(words):
    return [option for option in COMMANDS[words].assemble_argument_collection() if option.show]


def without(line, names):
    """The words without an option and its value."""
    found = [n for n, word in enumerate(line) if word in names]
    return [word for n, word in enumerate(line) if not {n, n - 1} & set(found)]


def names_of(words):
    """The names of all options of a command."""
    return {name for option in options(words) for name in (*option.names, *option.negatives)}


def named_in(message):
    """The options that a message names."""
    return set(re.findall(r"(?<![\w-])--[a-z][\w-]*", message))


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.usefixtures("folder")
def test_an_error_names_options_of_the_command(run, words):
    every = options(words)
    known = names_of(words)
    line = [*CALLS.get(" ".join(words), MODELS), *(("-o", "x.svg") if words[0] == "plot" else ())]
    left_out = TEXT if words[0] != "plot" or words == ("plot", "roc") else (*TEXT, *SHARED)
    for option in every:
        if not option.name.startswith("--") or option.hint is bool or option.name in left_out:
            continue
        rest = without(line, option.names)
        needed = WITH.get(option.name, ())
        rest += needed if "--cost-fp" not in line and {*needed[::2]} <= known else ()
        fraction = ("2.5",) if int in (option.hint, *get_args(option.hint)) else ()
        for wrong in ("x.zz",) if option.name == "--output" else ("zz", "-1", *fraction):
            done = run(*words, *rest, f"{option.name}={wrong}")
            case = f"{option.name}={wrong}: {done.err}"
            if done.code == 0:
                # Negative numbers are right for a few options only.
                assert wrong == "-1", case
                continue
            assert done.code in {1, 2}, case
            message = done.err.splitlines()[-1]
            assert message.startswith("error: "), case
            assert named_in(message) <= known, case
            assert not re.search(r"None|True|False|mm\.|\w=\w|\(\.\.\.\)|unable to", message), case
            assert option.name in message or wrong in message, case


MEASURED = {
    "--measures": ("--measures", "auc"),
    "--maximize": ("--maximize", "accuracy"),
    "--isometrics": ("--isometrics", "accuracy"),
    "--goal": ("--goal", "expected_cost(c=0.2)"),
    "--highlight": ("--highlight", "auc"),
    "--mute": ("--mute", "MM01"),
}
"""Options with values that are converted."""


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_values_fit_the_types_of_the_options(words):
    """cyclopts checks the types if pydantic is loaded, as MLflow loads it."""
    pytest.importorskip("pydantic")
    line = [*CALLS.get(" ".join(words), MODELS), *(("-o", "x.svg") if words[0] == "plot" else ())]
    app = make_app()
    app.parse_args([*words, *line], exit_on_error=False, print_error=False)
    known = {name for option in options(words) for name in option.names}
    for name, more in MEASURED.items():
        if name in known:
            rest = line[1:] if line[0].startswith("auc") else line  # measures without a name
            given = [*words, *without(rest, (name, *COSTS[::2])), *more]
            app.parse_args(given, exit_on_error=False, print_error=False)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("plot roc d.csv -s a", "missing --output"),
        ("plot agreement --measures auc,ks", "missing --output"),
        ("lab compare auc ks --file nan.csv -l y -s a,b --resamples 10", "with --nan-policy drop"),
        ("lab robustness nan.csv -l y -s a", "with --nan-policy drop"),
        ("lab compare auc brier --file big.csv -l y -s a,b --resamples 10", "--rescale minmax"),
        (
            "lab robustness big.csv -l y -s a --noise clipped_scores",
            "use --rescale minmax, or drop",
        ),
        (
            "lab robustness d.csv -l y -s b --measures brier --noise scores",
            "--noise clipped_scores",
        ),
        ("lab robustness --nan-policy drop", "--nan-policy has no effect without FILE"),
        ("deciles three.csv -l y -s a", "classes to metameasure evaluate --proba"),
        ("confusion d.csv -l y --predicted nope", "--predicted: there is no column 'nope'"),
        ("evaluate d.csv -l y --proba zz,a", "--proba: there is no column 'zz'"),
        ("evaluate d.csv -l y --proba a,a", "--proba has duplicate columns: 'a', 'a'"),
        (
            "lab compare auc ks --file d.csv -l y -s a,b --folds zz",
            "--folds: there is no column 'zz'",
        ),
        ("lab correlation d.csv -l y -s a,b --folds zz", "--folds: there is no column 'zz'"),
        ("lab select d.csv -l y --learners tree,tree", "--learners must be at least two, got 1"),
        ("compare d.csv -l y", "name two or more with --score"),
        ("lab correlation d.csv -l y", "name two or more with --score"),
        ("evaluate d.csv -l y", "name one or more with --score"),
        ("lab robustness d.csv -l y", "name one with --score"),
        ("evaluate d.csv -l y -s a --measures auc --method wilson", "--method auto or bca"),
        ("evaluate d.csv -l y -s a --measures hand_till_auc", "metameasure evaluate --proba"),
        ("evaluate d.csv -l y -s a --measures kendall_tau", "lab compare --permutations"),
        ("lab compare auc brier --positives 3 --negatives 3", "with --lists, or on the models"),
        ("compare d.csv -l y -s a,b --measures all", "there is no measure 'all'; name the"),
        ("confusion d.csv -l y -s a,b", "no column 'a,b'; name one column only"),
        ("lab power auc --alternative scale(2),location(1", "--alternative: 'scale(2),location(1'"),
        ("demo --save d.xyz", "--save must be a .csv file"),
        ("evaluate d.csv --frobnicate", "unknown option: --frobnicate\n"),
        ("lab --foo", "unknown option: --foo\n"),
        ("lab robustness d.csv -l y -s a,b", "needs one model, got 2: 'a', 'b'; choose one, such"),
        (
            "plot robustness d.csv -l y -s a,b -o x.svg",
            "error: robustness needs one model, got 2: 'a', 'b'; choose one, such as --score a\n",
        ),
        (
            "plot reliability more.csv -l y -s a -o x.svg --weight w --band 0.9",
            "use --around curve and --pointwise\n",
        ),
        (
            "plot reliability more.csv -l y -s a -o x.svg --cluster half --band 0.9 --around curve",
            "use --around curve and --pointwise\n",
        ),
        (f"compare more.csv -l y -s a,b {MEAN} --cluster half", "groups; omit --cluster\n"),
        (
            f"evaluate more.csv -l y -s a,b {MEAN} --cluster half",
            "groups; omit --cluster, or compute values alone with --no-ci\n",
        ),
        (
            "lab select three.csv -l y --learners tree,knn --repeats 2",
            "got a matrix of scores; use one of accuracy,",
        ),
        ("lab compare auc accuracy --classes 3", "got a matrix of scores; use one of accuracy,"),
        (
            "evaluate three.csv -l y --proba p0,p1,p2 --measures auc",
            "pass the column of the positive class alone as --score, or for more classes use one",
        ),
        (
            f"plot advice {' '.join((*MODELS, *FEW))} -o x.svg --at 0.7",
            "error: --at must be one of the levels of noise 0, 0.05, 0.1, 0.2, got 0.7\n",
        ),
        (
            "plot tpr-fpr d.csv -l y -s a -o x.svg --band .9",
            "use --against score or --against depth\n",
        ),
        ("advise d.csv -l y -s a,b --size 0", "error: --size must be an integer >= 2, got 0\n"),
        (
            "plot roc d.csv -l y -s a -o x.xyz",
            "error: --output must be a .png, .svg or .pdf file, got 'x.xyz'\n",
        ),
        (
            "plot roc d.csv -l y -s a -o x.png --width 10000 --height 10000",
            "use a smaller --width, --height or --dpi, SVG or PDF\n",
        ),
        (
            "evaluate d.csv -l y -s a --measures f_measure(beta=-1)",
            "error: --measures: beta must be >= 0, got -1\n",
        ),
        (
            "lab select d.csv -l y --learners tree,knn --goal nope",
            "error: --goal: there is no measure 'nope'; metameasure measures lists all names\n",
        ),
        ("lab select d.csv -l y --learners tree,knn --ties nope", "error: --ties: there is no"),
        (
            "lab select d.csv -l y --learners tree,knn --reference nope",
            "error: --reference: there is no",
        ),
        (
            "lab select d.csv -l zz --learners tree,knn",
            "error: --label: there is no column 'zz'; the columns are 'y', 'a', 'b', 'g'\n",
        ),
        (
            "reproduce nope",
            "error: there is no paper 'nope'; the papers are berrar2014, wu2007, wu2005, ",
        ),
        ("reproduce wu2007/nope", "error: wu2007 has no item 'nope'; its items are arithmetic, "),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_remedy_exists_in_the_command(run, line, message):
    frame = pl.read_csv("d.csv")
    row = pl.int_range(40)
    frame.with_columns(w=1 + row % 3, part=row // 4, half=row // 8).write_csv("more.csv")
    frame.with_columns(a=pl.when(pl.col("a") > 0.9).then(None).otherwise("a")).write_csv("nan.csv")
    frame.with_columns(a=9 * pl.col("a")).write_csv("big.csv")
    third = pl.lit(1 / 3)
    frame.with_columns(y=row % 3, p0=third, p1=third, p2=third).write_csv("three.csv")
    done = run(*line.split())
    assert done.code in {1, 2}
    assert message in done.err
    words = next((words for words in COMMANDS if line.split()[: len(words)] == list(words)), None)
    if words is not None and "unknown option" not in message:
        own = re.sub(r"(metameasure|lab) [a-z]+ --[a-z-]+", "", done.err)
        assert named_in(own) <= names_of(words)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("evaluat", "evaluat; did you mean evaluate?"),
        ("lab selecton", "selecton; did you mean selection?"),
        ("lab nope", "nope; the commands are compare, correlation, order, power, robustness, "),
        (
            "nope",
            (
                "nope; the commands are advise, calibration, compare, confusion, deciles, demo, "
                "evaluate, gate, groups, measures, operating, psi, reclassification, reproduce, "
                "sample-size, lab, plot\n"
            ),
        ),
    ],
)
def test_an_unknown_command(run, line, message):
    done = run(*line.split())
    assert done.code == 2
    assert done.err.startswith(f"error: unknown command: {message}")


@pytest.mark.parametrize("number", ["20", "2e1", "20.0"])
@pytest.mark.usefixtures("folder")
def test_an_integer_may_be_written_as_a_whole_float(run, number):
    done = run("deciles", "d.csv", "-l", "y", "-s", "a", "--groups", number)
    assert done.code == 0
    assert done.out == run("deciles", "d.csv", "-l", "y", "-s", "a", "--groups", "20").out


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("text", ["x" * 5000, "lorem ipsum " * 400], ids=["word", "words"])
@pytest.mark.usefixtures("folder")
def test_an_error_repeats_at_most_200_characters(run, words, text):
    lines = [[text], ["d.csv", text], ["d.csv", f"--{text}"]]
    lines += [[f"{name}={text}"] for name in names_of(words) if name in {"--score", "--format"}]
    for line in lines:
        done = run(*words, *line)
        assert done.code in {0, 1, 2}, done.err
        assert text[:201] not in done.err
        assert len(done.err.splitlines()) <= 1, done.err


@pytest.mark.usefixtures("folder")
def test_a_spreadsheet_is_written_on_request(run):
    pl.read_csv("d.csv").rename({"a": "=a"}).write_csv("formula.csv")
    line = ("evaluate", "formula.csv", "-l", "y", "-s", "=a", "--measures", "auc", "--no-ci")
    assert run(*line, "--format", "spreadsheet").out.splitlines()[1].startswith("'=a,")
    assert run(*line, "--format", "csv").out.splitlines()[1].startswith("=a,")
    guarded = run(*line, "--format", "csv", "--csv-safe")
    assert guarded.out == run(*line, "--format", "spreadsheet").out
    run(*line, "-o", "guarded.csv", "--csv-safe")
    assert Path("guarded.csv").read_text() == guarded.out


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"csv", "spreadsheet"}))
@pytest.mark.usefixtures("folder")
def test_only_csv_can_be_guarded(run, form):
    done = run("evaluate", "missing.csv", "--format", form, "--csv-safe")
    assert (done.code, done.out) == (2, "")
    assert f"--csv-safe applies to CSV only, and the format is {form}" in done.err
    assert "use --format csv" in done.err


def test_every_command_that_writes_csv_can_guard_it():
    writing = [words for words in COMMANDS if "--format" in names_of(words)]
    assert len(writing) > 15
    assert all("--csv-safe" in names_of(words) for words in writing)


@pytest.mark.usefixtures("folder")
def test_too_many_resamples_are_refused(run):
    done = run("evaluate", *MODELS, "--resamples", "1000000000")
    assert (done.code, done.out) == (2, "")
    assert "--resamples must be an integer from 10 to 1000000, got 1000000000" in done.err
