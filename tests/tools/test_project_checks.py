"""The project's own checks of imports and of wording."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import check_doors
import check_english


def test_few_imports_go_past_a_door(capsys):
    assert check_doors.main() == 0
    assert "imports past a door" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("from metameasure.data import Predictions", []),
        ("from metameasure.data.predictions import Predictions", ["metameasure.data.predictions"]),
        ("from metameasure.data import predictions", ["metameasure.data.predictions"]),
        ("import metameasure.data.predictions", ["metameasure.data.predictions"]),
        ("def f():\n    from metameasure.data.files import x", ["metameasure.data.files"]),
        ("if TYPE_CHECKING:\n    from metameasure.data.predictions import Predictions", []),
        ("from metameasure.lab.inner import x", []),
        ("import numpy.linalg", []),
        ("from metameasure import data", []),
        ("from metameasure import data as d\nd.Predictions.of()", []),
        ("from ..data.files import x", ["metameasure.data.files"]),
        ("from ..data import files, x", ["metameasure.data.files"]),
        ("from .inner import x", []),
        ("from . import inner", []),
        ("import_module('metameasure.data.files')", ["metameasure.data.files"]),
        ("import_module('metameasure.data')", []),
        ("if not TYPE_CHECKING:\n    import metameasure.data.files", ["metameasure.data.files"]),
        (
            "if TYPE_CHECKING:\n    x = 1\nelse:\n    import metameasure.data.files",
            ["metameasure.data.files"],
        ),
        ("from metameasure import data\ndata.predictions.P", ["metameasure.data.predictions"]),
        ("import metameasure as mm\nmm.data.files.read()", ["metameasure.data.files"]),
        ("import metameasure.data\nmetameasure.data.files.x", ["metameasure.data.files"]),
    ],
)
def test_what_goes_past_a_door(tmp_path, line, found):
    for name in ("data/predictions.py", "data/files.py", "lab/inner.py", "lab/study.py"):
        (tmp_path / "metameasure" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "metameasure" / name).write_text(line)
    study = tmp_path / "metameasure/lab/study.py"
    assert [module for _, module in check_doors.past_doors(study, tmp_path)] == found


def test_the_tables_of_a_lazy_door_may_go_past_a_door(tmp_path):
    for name in ("__init__.py", "data/files.py", "data/__init__.py"):
        (tmp_path / "metameasure" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "metameasure" / name).write_text("_ROOMS = {'data.files': 'x', 'data': 'y'}")
    door = tmp_path / "metameasure/__init__.py"
    assert list(check_doors.past_doors(door, tmp_path)) == [(1, "metameasure.data.files")]


BEFORE = [
    "How sure",
    "beta=-1 is no value for it; it must be a number in [0, inf)",
    "resamples=5 is no value for it; it must be a whole number from 10",
    "they must be as many",
    "@0.3 is idle",
    "give it alone",
    "McNemar's test knows no margin",
    "tells nothing of its spread",
    "is not for auc: leave it out, or resample",
    "which is text and no number: mend or leave out that row",
    "the column 'a' stands twice in the first line",
    "what to write to a file that ends in '.x' is not known: say it with --format",
    "a choice needs at least two models: give the scores of another one",
    "hardly anything is sure",
    "or by lot",
    "as probabilities the scores are wrong",
    "share their score with one of the other class",
    "the threshold 0.5 means nothing: say where to cut",
    "that is not certainty",
    "Say which release.",
    "found if only one can be it",
    "A column of scores; again for each model.",
    "The classes, in the order meant.",
    "Measures with commas between them",
    "Dots an inch, of a PNG.",
    "not worse by so much or more",
    "For so many negatives to a positive; as many as in the file.",
    "groups less 2 degrees",
    "from one sort a model, each with an interval that covers",
    "which one tells more apart",
    "value; dotted: all cases scored alike",
    "score threshold, by its place",
    "chosen on these very cases",
    "p: worse by 0.01 or more",
    "Ranked lists of so many positives",
    "for want of folds",
    "54 million million pairs",
    "These data cannot tell which measure chooses best",
]
"""Sentences that metameasure used to print, each of which was rewritten in plain English."""
SPELLINGS = """
    colour_of favourites flavour behaviour grey centred centres labelled relabelled modelling
    analyse misspelt standardised Maximise rasterise generalises parameterised prioritising
    factorisation studentised normalisation categorise criticise optimiser artefact judgement
"""


@pytest.mark.parametrize(
    "text",
    [
        *BEFORE,
        *SPELLINGS.split(),
        "a 95 % interval",
        "f'{share:.2f} %'",
        "# so\n# many rows",
        "one case a row",
        "one_case_a_row",
        "test_a_row_a_measure",
        "a column a class",
        "this is no number: mend it",
        "a metric of the ranking",
        "how\n    sure it is",
        "told = []",
        "gap.sure",
        "what_is_said",
    ],
)
def test_wording_that_is_found(text):
    assert list(check_english.hits(text))
    assert not list(check_english.hits("\n".join(f"{t}  # english: ok" for t in text.split("\n"))))


def test_the_tests_are_checked_too():
    assert "tests" in check_english.PLACES
    assert check_english.main([]) == 0


@pytest.mark.parametrize(
    "text",
    [
        "a 95% interval",
        "the standardized color map, one sort per model",
        "value % 2",
        "3 % 2",
        "otherwise, precise, arise, wise, noise, exercise, to_rise, LabelNoise, pairwise",
        "surprise, promised, premise, expertise, advertise, supervised, treatise, disable, praise",
        "from sklearn.metrics import roc_auc_score",
        "from sklearn import metrics",
        'lightgbm.train({"metric": "None"}, feval=metric("auc"))',
        "XGBClassifier(eval_metric=function)",
        "this makes sure that it is there",
        "there is no value to return",
        "at least as large as the number of cases",
        "a score threshold and a value a user gives",
    ],
)
def test_wording_that_is_right(text):
    assert not list(check_english.hits(text))
