"""Operating points by the names that clinicians and engineers of retrieval give to rates."""

import pytest

import metameasure as mm

LABELS, SCORES = [1, 1, 0, 1, 0, 0, 0, 1], [0.9, 0.8, 0.8, 0.6, 0.5, 0.4, 0.3, 0.1]


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("sensitivity@specificity=0.9", "tpr@fpr=0.1"),
        ("specificity@sensitivity=90%", "tnr@tpr=0.9"),
        ("precision@recall=0.5", "precision@tpr=0.5"),
        ("tpr@tnr=0.99", "tpr@fpr=0.01"),
        ("f1@specificity=1", "f_measure@fpr=0"),
        ("recall", "tpr"),
    ],
)
def test_texts(text, meaning):
    assert mm.parse(text) == mm.parse(meaning)
    assert str(mm.parse(text)) == meaning


def test_keywords():
    value = mm.parse("tpr@fpr=0.25")(LABELS, SCORES)
    assert mm.tpr(LABELS, SCORES, at_specificity=0.75) == value
    assert mm.fpr(LABELS, SCORES, at_sensitivity=0.5) == mm.fpr(LABELS, SCORES, at_tpr=0.5)
    named = mm.ConfusionMatrix.at(LABELS, SCORES, at_specificity=0.75)
    assert (named.counts == mm.ConfusionMatrix.at(LABELS, SCORES, at_fpr=0.25).counts).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tpr@specificity=1.2", r"specificity must be in \[0, 1\], got 1.2"),
        ("tpr@sensitivity=P", "sensitivity must be"),
        ("tpr@specificity=x", "specificity must be a number, got 'x'"),
        ("tpr@spec=0.1", "is not an operating point; use a threshold, or one of"),
    ],
)
def test_wrong_points_name_what_was_written(text, message):
    with pytest.raises(mm.ParameterError, match=message):
        mm.parse(text)


def test_the_command_takes_them(run, tmp_path):
    file = tmp_path / "cases.csv"
    rows = zip(LABELS, SCORES, strict=True)
    file.write_text("y,s\n" + "\n".join(f"{y},{s}" for y, s in rows))
    options = ("confusion", str(file), "--label", "y", "--score", "s", "--format", "csv")
    found, right = (
        run(*options, *point) for point in (("--at-specificity", "75%"), ("--at-fpr", "0.25"))
    )
    assert (found.code, found.out) == (0, right.out)
