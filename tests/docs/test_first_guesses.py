"""What people type first works, or the error names the right call: docs/coming_from.md."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import metameasure as mm

sklearn = pytest.importorskip("sklearn.metrics")

PAGE = Path(__file__).parents[2] / "docs" / "coming_from.md"
ROWS = re.findall(
    r"^\| `(mm\..*?|cross_val_score.*?)` \| (.*?) \|$", PAGE.read_text("utf-8"), re.MULTILINE
)
ERRORS = [(code, re.findall(r"`(.*?)`", answer)) for code, answer in ROWS if "error:" in answer]
WORKING = [code for code, answer in ROWS if "error:" not in answer]


@pytest.fixture(scope="module")
def given():
    """What the page takes as given."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score
    from sklearn.svm import LinearSVC

    rng = np.random.default_rng(4)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] + rng.normal(size=300) > 0.4).astype(int)
    clf = LogisticRegression().fit(X, y)
    P = clf.predict_proba(X)
    three = np.digitize(X[:, 1] + rng.normal(size=300), [-0.5, 0.5])
    P3 = LogisticRegression().fit(X, three).predict_proba(X)
    return {
        "mm": mm,
        "cross_val_score": cross_val_score,
        "LinearSVC": LinearSVC,
        "clf": clf,
        "X": X,
        "y": y,
        "text": np.array(["no", "yes"])[y],
        "s": P[:, 1],
        "s2": 1 / (1 + np.exp(-X[:, 0] - 0.3 * rng.normal(size=300))),
        "pred": (P[:, 1] >= 0.5).astype(int),
        "guess": np.array(["no", "yes"])[(P[:, 1] >= 0.5).astype(int)],
        "P": P,
        "w": rng.integers(1, 4, 300),
        "group": rng.integers(0, 3, 300),
        "fold": np.arange(300) % 5,
        "y3": three,
        "P3": P3,
        "pred3": P3.argmax(axis=1),
    }


def run(code, given):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eval(code, dict(given))  # noqa: S307 - the page is our own


def test_the_page_has_sixty_guesses():
    assert len(ROWS) >= 60
    assert len(set(ROWS)) == len(ROWS)


@pytest.mark.parametrize("code", WORKING)
def test_it_works(code, given):
    assert run(code, given) is not None


@pytest.mark.parametrize(("code", "names"), ERRORS, ids=[code for code, _ in ERRORS])
def test_the_error_names_the_right_call(code, names, given):
    with pytest.raises((AttributeError, TypeError, mm.MetameasureError)) as caught:
        run(code, given)
    assert names
    for name in names:
        assert name in str(caught.value)


OF_SKLEARN = [
    code
    for code in WORKING
    if hasattr(sklearn, code.partition("(")[0].removeprefix("mm.")) and "P)" not in code
]


@pytest.mark.parametrize("code", OF_SKLEARN)
def test_values_are_those_of_scikit_learn(code, given):
    theirs = code.replace("mm.", "mm_.", 1)
    if "roc_auc_score" in code:  # which has no pos_label
        theirs = theirs.replace(', pos_label="yes"', "")
    expected = run(theirs, {**given, "mm_": sklearn})
    assert run(code, given) == pytest.approx(expected, rel=1e-12)
