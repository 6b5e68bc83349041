"""Pages of long results show a bounded number of lines; formats for programs have all rows."""

import io
import json
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from rich.console import Console

import metameasure as mm
from metameasure.results import CHECK_NAMES, MOST_LINES, Cell, Grid, Page, first_and_bold

GROUPS = 2000
RNG = np.random.default_rng(3)
GROUP = np.repeat([f"group {number:04}" for number in range(GROUPS)], 4)
LABEL = np.tile([True, False], 2 * GROUPS)
SCORE = RNG.random(4 * GROUPS)


def evaluate(cases, **options):
    """The first cases, without checks, which name groups, too."""
    given = {"group": GROUP[:cases], "ci": None, "mute": CHECK_NAMES} | options
    return mm.evaluate(LABEL[:cases], SCORE[:cases], "auc, brier", **given)


@pytest.fixture(scope="module")
def evaluated():
    return evaluate(4 * GROUPS)


def in_terminal(result):
    """The page as a terminal shows it."""
    stream = io.StringIO()
    Console(file=stream, width=120, force_terminal=True).print(result)
    return stream.getvalue()


WAYS = {
    "text": str,
    "HTML": lambda result: result.to_html(),
    "notebook": lambda result: result._repr_html_(),
    "Markdown": lambda result: result.to_markdown(),
    "LaTeX": lambda result: result.to_latex(),
    "terminal": in_terminal,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_page_has_the_first_groups_and_says_so(evaluated, way):
    page = WAYS[way](evaluated)
    # Two lines for all cases, and two for each group.
    shown = MOST_LINES // 2 - 1
    assert f"{shown} of {GROUPS} groups are shown; CSV, JSON and data frames have all" in page
    assert page.count("group 0") == shown
    assert "group 0000" in page
    assert f"group {shown:04}" not in page


def test_formats_for_programs_have_all_rows(evaluated):
    rows = 2 * (GROUPS + 1)
    assert len(evaluated.rows) == rows
    assert evaluated.frame().shape[0] == rows
    assert pl.read_csv(io.StringIO(evaluated.to_csv())).height == rows
    assert pl.read_csv(io.StringIO(evaluated.to_spreadsheet())).height == rows
    assert len(json.loads(evaluated.to_json())["rows"]) == rows


def test_a_page_that_fits_shows_all():
    fits = MOST_LINES // 2 - 1
    page = str(evaluate(4 * fits))
    assert page.count("group 0") == fits
    assert "are shown" not in page


def test_folds_are_shown_beside_many_groups():
    fold = np.tile([1, 1, 2, 2], GROUPS)
    page = str(evaluate(4 * GROUPS, fold=fold))
    assert f"{MOST_LINES // 2 - 2} of {GROUPS} groups are shown" in page
    assert "pooled" in page


def test_many_models_have_one_line_each():
    models = {f"m{number:03}": RNG.random(20) for number in range(MOST_LINES + 100)}
    page = str(mm.evaluate([True, False] * 10, models, "auc, brier", ci=None))
    assert f"{MOST_LINES} of {len(models)} lines are shown" in page
    assert sum(line.startswith("m") for line in page.splitlines()) == 1 + MOST_LINES


def test_a_comparison_shows_what_is_significant():
    label = np.tile([True, False], 100)
    scores = {f"m{number:02}": RNG.random(200) for number in range(40)}
    scores["m39"] = label + 0.1 * RNG.random(200)
    found = mm.compare(label, scores, "auc")
    pairs = [f"{a} - {b}" for a, b in combinations(scores, 2)]
    assert len(pairs) == len(found.rows) > MOST_LINES
    page = str(found)
    assert f"{MOST_LINES} of {len(pairs)} lines are shown" in page
    assert pairs[0] in page
    for row in found.rows:
        if row.adjusted_pvalue < 0.05:
            assert f"{row.a} - {row.b}" in page


def test_a_gate_shows_what_is_not_passed():
    label = np.tile([True, False], 50 * 300)
    score = np.where(label, 0.9, 0.1)
    site = np.repeat([f"site {number:03}" for number in range(300)], 100)
    last = site == "site 299"
    score[last] = 1 - score[last]
    found = mm.gate(label, score, ["auc >= 0.5 by group", "brier <= 0.9 by group"], group=site)
    page = str(found)
    assert page.count("(n = 100)") == MOST_LINES // 2
    assert f"{MOST_LINES // 2} of 600 results are shown" in page
    failed = page.index("site 299 (n = 100)  failed")
    assert page.index("auc >= 0.5 by group") < failed
    assert len(found.verdicts()) == 600
    assert found.to_junit().count("<testcase") == 600


def test_lines_of_all_tables_count():
    def grid(name, rows, bold=()):
        cells = [(f"{name}{row}", [Cell("1", stands_out=row in bold)]) for row in range(rows)]
        return Grid([name, "value"], cells, bold="large")

    half = MOST_LINES // 2
    short, long, last = grid("a", half), grid("b", MOST_LINES, {MOST_LINES - 1}), grid("c", 3)
    page = Page([short, long, last], ["a note"]).bounded()
    assert [len(each.rows) for each in page.grids] == [half, half]
    names = [name for name, _ in page.grids[1].rows]
    assert names == [*(f"b{row}" for row in range(half - 1)), f"b{MOST_LINES - 1}"]
    note = f"{MOST_LINES} of {half + MOST_LINES + 3} lines are shown; "
    assert page.notes == [note + "CSV, JSON and data frames have all", "a note"]
    fits = Page([short, grid("b", half)])
    assert fits.bounded() is fits


def test_first_and_bold_keeps_the_order():
    assert first_and_bold("abcdef", 6, str.isupper) == list("abcdef")
    assert first_and_bold("abCdeF", 3, str.isupper) == list("aCF")
    assert first_and_bold("ABCdef", 2, str.isupper) == list("AB")
