"""Tables in a terminal: whatever its width, no number is cut and no column is lost.

Whatever the names are, nowhere do they become marks.
"""

import html
import io
import re

import numpy as np
import pytest
from rich.console import Console

import metameasure as mm
from metameasure.results import Cell, Grid, Page, as_html, as_markdown

RNG = np.random.default_rng(3)
LABELS = RNG.random(300) < 0.3
SCORES = 1 / (1 + np.exp(1 - 1.5 * LABELS - RNG.normal(size=300)))
MODELS = {f"model number {i}": np.clip(SCORES + 0.02 * i * RNG.random(300), 0, 1) for i in range(9)}
CLASSES = [f"class_{number:02d}" for number in range(18)]
RESULTS = {
    "matrix": mm.ConfusionMatrix(RNG.integers(1000, 9999, (18, 18)), labels=CLASSES),
    "long names": mm.ConfusionMatrix(np.eye(12), labels=[f"{n}" * 40 for n in "abcdefghijkl"]),
    "calibration": mm.calibration_table(LABELS, SCORES),
    "deciles": mm.decile_table(LABELS, SCORES),
    "stability": mm.psi_table(SCORES, SCORES + 0.1 * RNG.random(300)),
    "evaluation": mm.evaluate(LABELS, MODELS, "auc, brier, average_precision, ks", mute="MM06"),
    "measures of classes": mm.ConfusionMatrix(np.ones((18, 18)), labels=CLASSES).measures("all"),
    "comparison": mm.compare(LABELS, dict(list(MODELS.items())[:3])),
}


def shown(result, width):
    stream = io.StringIO()
    Console(file=stream, width=width, color_system=None).print(result)
    return stream.getvalue()


def numbers(text):
    return sorted(re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?(?!\w)", text))


@pytest.mark.parametrize("width", [40, 60, 80, 120, 400])
@pytest.mark.parametrize("name", RESULTS)
def test_every_number_is_there_whole(name, width):
    result = RESULTS[name]
    text = shown(result, width)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text or name == "long names"
    page = result.page()
    cells = " ".join(
        f"{cell.text} {cell.interval}"
        for grid in page.grids
        for _, row in grid.rows
        for cell in row
    )
    lacking = set(numbers(cells)) - set(numbers(text.replace("–\n", "– ")))
    assert not lacking


@pytest.mark.parametrize("width", [60, 80])
def test_a_wide_matrix_comes_in_parts_with_the_names_of_its_rows(width):
    text = shown(RESULTS["matrix"], width)
    assert all(text.count(name) == text.count(CLASSES[0]) for name in CLASSES)
    parts = text.count(CLASSES[0]) - 1
    assert parts > 1
    assert text.count("total") == parts + 1
    assert text.count("18 classes") == 1
    rows = [line.split()[1:] for line in text.splitlines() if line.split()[:1] == [CLASSES[3]]]
    counts = RESULTS["matrix"].counts[3]
    assert [int(count) for row in rows for count in row] == [*counts, counts.sum()]
    widths = [len(row) for row in rows]
    assert max(widths) - min(widths) <= 1


def test_headers_are_folded_before_columns_go_apart():
    text = shown(RESULTS["deciles"], 80)
    assert text.count("each group") == text.count("cumulative") == 1
    assert len(re.findall("^ group ", text, re.MULTILINE)) == 2
    assert re.search(r"mean\s*\n", text)


def test_intervals_stand_beside_their_values_where_there_is_room():
    result = mm.evaluate(LABELS, {"m": SCORES}, "auc")
    assert re.search(r"0\.\d{4}  0\.\d{3}–0\.\d{3}", shown(result, 80))


@pytest.mark.parametrize("width", [1, 5, 15])
def test_a_terminal_may_be_absurdly_narrow(width):
    for result in RESULTS.values():
        assert shown(result, width)


HOSTILE = "<img src=x onerror=alert(1)> *a* | b_c_ `d` [e](f) $g$"


def unmarked(markdown):
    """Markdown text as it is shown if all of its marks are escaped; else there are marks left."""
    assert not re.search(r"[*`_\[\]()|$<>]", re.sub(r"\\.", "", markdown)), markdown
    return html.unescape(re.sub(r"\\(.)", r"\1", markdown))


def test_no_part_of_a_page_becomes_a_mark():
    page = Page([Grid([HOSTILE] * 2, [(HOSTILE, [Cell(HOSTILE)])], HOSTILE, HOSTILE)], [HOSTILE])
    title, _, header, _, row, _, caption, _, note = as_markdown(page).split("\n")
    assert unmarked(title.removeprefix("**").removesuffix("**")) == HOSTILE
    for line in (header, row):
        cells = re.split(r"(?<!\\)\|", line)
        assert [unmarked(cell.strip()) for cell in cells[1:-1]] == [HOSTILE] * 2
    assert unmarked(caption) == HOSTILE
    assert unmarked(note.removeprefix("- ")) == HOSTILE
    within = Page([Grid(["a", "b"], [("c", [Cell("d", HOSTILE)])])])
    assert "<img" not in as_markdown(within)
    assert unmarked(as_markdown(within).split("d (")[1].removesuffix(") |")) == HOSTILE
    for hostile in (page, within):
        assert "<img" not in as_html(hostile)


def test_the_model_whose_classes_are_shown_becomes_no_mark():
    classes = np.arange(25)
    labels = np.repeat(classes, 4)
    scores = RNG.random((100, 25)) + np.eye(25)[labels]
    scores /= scores.sum(axis=1, keepdims=True)
    found = mm.evaluate(labels, {HOSTILE: scores, "b": scores[:, ::-1]}, ci=None)
    lines = found.to_markdown().split("\n")
    assert sum("15 of 25 classes with the worst f" in line for line in lines) == 2
    (line,) = [line for line in lines if line.endswith(", each class**") and "b" not in line[:4]]
    assert unmarked(line.removeprefix("**").removesuffix("**")) == f"{HOSTILE}, each class"


def test_a_warning_has_no_control_characters():
    with pytest.warns(mm.UndefinedMeasureWarning, match=r"auc of \\x1b\[31mred is undefined"):
        mm.evaluate([1, 1], {"\x1b[31mred": [0.1, 0.9]}, "auc", ci=None)
