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
    ],
)
def test_what_goes_past_a_door(tmp_path, line, found):
    for name in ("data/predictions.py", "data/files.py", "lab/inner.py", "lab/study.py"):
        (tmp_path / "metameasure" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "metameasure" / name).write_text(line)
    study = tmp_path / "metameasure/lab/study.py"
    assert [module for _, module in check_doors.past_doors(study, tmp_path)] == found


@pytest.mark.parametrize(
    "text",
    [
        "a 95 % interval",
        "colour_of(line)",
        "the standardised area",
        "Maximise it",
        "# so\n# many rows",
        "one sort a model",
        "a column of scores a class".replace(" of scores", ""),
        "this is no number: mend it",
        "a metric of the ranking",
        "how\n    sure it is",
    ],
)
def test_wording_that_is_found(text):
    assert list(check_english.hits(text))
    assert not list(check_english.hits("\n".join(f"{t}  # english: ok" for t in text.split("\n"))))


@pytest.mark.parametrize(
    "text",
    [
        "a 95% interval",
        "the standardized color map, one sort per model",
        "value % 2",
        "otherwise, precise, arise, wise, noise, exercise",
        "from sklearn.metrics import roc_auc_score",
        "there is no value to return",
        "at least as large as the number of cases",
        "a score threshold and a value a user gives",
    ],
)
def test_wording_that_is_right(text):
    assert not list(check_english.hits(text))
