"""One result class: what a subclass declares is written in every format."""

import csv
import io
import json
import math
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from rich.console import Console

import metameasure as mm
from metameasure.results import FORMATS, Cell, Check, Grid, Result, SingleRow, output_format

HOSTILE = "\x1b[31m<img src=x> *a* | b_c_ `d` [e](f) $g$ \\input{h} 50% #i ^j ~k & l\nm"


@dataclass(frozen=True)
class Row:
    model: str
    value: float
    low: float | None = None
    n: int | None = None
    sound: bool = True
    also: tuple[str, ...] = ()
    label: Any = None


@dataclass(frozen=True)
class Total:
    model: str
    cases: int


class Toy(Result):
    schema = Row
    extra = {"totals": Total}  # noqa: RUF012

    def __init__(self, rows, totals=(), **others):
        super().__init__(rows, **others)
        self.totals = tuple(totals)


@dataclass(frozen=True)
class One(SingleRow):
    """A result of one row."""

    measure: mm.Measure
    value: float


def fail(text):
    raise AssertionError(f"{text} is not JSON")


def loaded(result):
    return json.loads(result.to_json(), parse_constant=fail)


ROWS = [
    Row("a", 0.5, 0.25, 3, True, ("b", "c"), "x"),
    Row("b", math.inf, -math.inf, None, False, (), 7),
    Row("c", math.nan, math.nan),
]
CHECK = Check("MM01", "only 3 cases", "a", "g", "auc", "x")


def toy(**others):
    return Toy(ROWS, [Total("a", 3)], meta={"ci": 0.95, "cut": [-math.inf, 1.0]}, **others)


def test_json_is_strict():
    found = loaded(toy(checks=[CHECK]))
    assert list(found) == ["rows", "totals", "ci", "cut", "cut_infinite", "checks"]
    first, second, third = found["rows"]
    assert first == {"model": "a", "value": 0.5, "low": 0.25, "n": 3, "sound": True,
                     "also": ["b", "c"], "label": "x"}  # fmt: skip
    assert (second["value"], second["infinite"]) == (None, "+")
    assert (second["low"], second["low_infinite"]) == (None, "-")
    assert list(second)[:5] == ["model", "value", "infinite", "low", "low_infinite"]
    assert (third["value"], third["low"]) == (None, None)
    assert not {"infinite", "low_infinite"} & set(third)
    assert [row["label"] for row in found["rows"]] == ["x", "7", None]
    assert (found["cut"], found["cut_infinite"]) == ([None, 1.0], ["-", None])
    assert found["totals"] == [{"model": "a", "cases": 3}]
    assert found["checks"] == [CHECK.record()]


def test_dicts_keep_the_numbers():
    found = toy().to_dict()
    assert found["rows"][1]["value"] == math.inf
    assert math.isnan(found["rows"][2]["value"])
    assert found["checks"] == []


def test_frames_follow_the_schema():
    frame = toy().to_polars()
    assert dict(frame.schema) == {
        "model": pl.String, "value": pl.Float64, "low": pl.Float64, "n": pl.Int64,
        "sound": pl.Boolean, "also": pl.String, "label": pl.String,
    }  # fmt: skip
    assert frame["also"].to_list() == ["b, c", "", ""]
    assert toy().to_polars("totals").rows() == [("a", 3)]
    assert Toy([]).to_polars().schema["n"] == pl.Int64
    pandas = toy().to_pandas()
    assert isinstance(pandas, pd.DataFrame)
    assert pandas["value"].tolist()[:2] == [0.5, math.inf]


@pytest.mark.parametrize(
    ("like", "kind"),
    [(None, pl.DataFrame), (pd.DataFrame(), pd.DataFrame), (pa.table({"a": [1]}), pa.Table)],
)
def test_frames_are_of_the_kind_that_came_in(like, kind):
    assert isinstance(toy(like=like).frame(), kind)


def test_csv_has_the_rows():
    assert toy().to_csv().splitlines()[:3] == [
        "model,value,low,n,sound,also,label",
        'a,0.5,0.25,3,true,"b, c",x',
        'b,inf,-inf,,false,"",7',
    ]


def test_the_default_page_shows_the_rows_and_the_checks():
    lines = str(toy(checks=[CHECK])).splitlines()
    assert lines[0].split() == ["model", "value", "low", "n", "sound", "also", "label"]
    assert lines[1].split() == ["a", "0.5000", "0.2500", "3", "True", "b,", "c", "x"]
    assert lines[-1] == "check MM01 (auc of a in group g in class x): only 3 cases"


def test_a_result_may_be_its_only_row():
    one = One(mm.auc, 0.75)
    assert one.to_dict() == {"rows": [{"measure": "auc", "value": 0.75}], "checks": []}
    assert str(one).splitlines() == ["         value", "measure  auc", "value    0.7500"]
    assert one.frame()["measure"].to_list() == ["auc"]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_a_method_and_a_suffix(name, tmp_path):
    result = toy(checks=[CHECK])
    text = getattr(result, f"to_{name}")()
    assert text == result.to(name)
    assert f"to_{name}" in dir(result)
    for number, suffix in enumerate(FORMATS[name].suffixes):
        path = tmp_path / f"{number}{suffix.upper()}"
        result.save(path)
        assert path.read_text(encoding="utf-8") == text.rstrip("\n") + "\n"
    result.save(tmp_path / "named.x", name)
    assert (tmp_path / "named.x").read_text(encoding="utf-8") == text.rstrip("\n") + "\n"


def test_unknown_formats_are_refused(tmp_path):
    with pytest.raises(mm.ParameterError, match="format must be one of 'table', 'json'"):
        toy().to("yaml")
    with pytest.raises(mm.ParameterError, match=r"cannot infer a format from '\.yaml'"):
        toy().save(tmp_path / "a.yaml")
    with pytest.raises(AttributeError, match="to_yaml"):
        toy().to_yaml()
    assert not list(tmp_path.iterdir())


class Hostile(Toy):
    def grids(self):
        cell = Cell(HOSTILE, HOSTILE, stands_out=True)
        return [Grid([HOSTILE] * 2, [(HOSTILE, [cell])], HOSTILE, HOSTILE, bold="best")]

    def notes(self):
        return [HOSTILE]


def test_hostile_names_do_nothing():
    result = Hostile([Row(HOSTILE, 1.0)], checks=[Check("MM01", HOSTILE, HOSTILE)])
    for name in ("table", "markdown", "html", "latex"):
        text = result.to(name)
        assert "\x1b" not in text, name
        assert "<img" not in text or name == "table", name
    stream = io.StringIO()
    Console(file=stream, width=400, color_system=None).print(result)
    assert "\x1b" not in stream.getvalue()
    assert loaded(result)["rows"][0]["model"] == HOSTILE
    assert result.to_polars()["model"].to_list() == [HOSTILE]


def test_latex_is_escaped():
    result = Hostile([Row("a", 1.0)])
    shown = (
        r"\textbackslash{}x1b{[}31m\textless{}img src=x\textgreater{} *a* \textbar{} b\_c\_ "
        r"\textasciigrave{}d\textasciigrave{} {[}e{]}(f) \$g\$ \textbackslash{}input\{h\} 50\% "
        r"\#i \textasciicircum{}j \textasciitilde{}k \& l\textbackslash{}x0am"
    )
    assert result.to_latex().splitlines() == [
        r"% needs \usepackage{booktabs}",
        rf"\textbf{{{shown}}}\par",
        r"\begin{tabular}{ll}",
        r"\toprule",
        rf"{shown} & {shown} \\",
        r"\midrule",
        rf"{shown} & \textbf{{{shown}}} ({shown}) \\",
        r"\bottomrule",
        r"\end{tabular}\par",
        rf"{shown}\par",
        r"bold: best\par",
        rf"{shown}\par",
    ]


def test_text_is_aligned_at_the_left_and_numbers_at_the_right():
    class Two(Result):
        schema = Row

        def grids(self):
            cells = [["delong", "-0.5"], ["bca", "<0.0001"], ["none", "–"]]
            rows = [
                (name, [Cell(text) for text in row])
                for name, row in zip("abc", cells, strict=False)
            ]
            return [Grid(["pair", "method", "p"], rows)]

    result = Two([])
    assert str(result).splitlines()[1:] == [
        "a     delong     -0.5",
        "b     bca     <0.0001",
        "c     none          –",
    ]
    assert "| --- | --- | ---: |" in result.to_markdown()
    assert r"\begin{tabular}{llr}" in result.to_latex()
    assert '<td style="text-align:left">bca</td><td style="text-align:right">' in result.to_html()
    stream = io.StringIO()
    Console(file=stream, width=80, color_system=None).print(result)
    assert "b      bca      <0.0001" in stream.getvalue()


def test_numbers_in_latex_have_a_minus_sign():
    text = Toy([Row("-a", -0.5), Row("b", -math.inf)]).to_latex()
    assert r"{-}a & $-$0.5000" in text
    assert r"b & $-$$\infty$" in text


def test_bold_has_a_stated_meaning_or_is_not_there():
    cell = Cell("1", stands_out=True)
    for bold, marks in (("best", True), ("", False)):

        class Bold(Toy):
            def grids(self, bold=bold):
                return [Grid(["a", "b"], [("c", [cell])], bold=bold)]

        result = Bold([])
        assert ("<b>1</b>" in result.to_html()) == marks
        assert ("bold: best" in result.to_html()) == marks
        assert ("**1**" in result.to_markdown()) == marks
        assert (r"\textbf{1}" in result.to_latex()) == marks
        assert "bold" not in str(result)


@pytest.fixture
def toy_format():
    @output_format("toy", ".toy")
    def to_toy(result):
        """Count the rows."""
        return f"{len(result.rows)} rows"

    yield to_toy
    del FORMATS["toy"]


def test_a_format_is_added_in_one_place(toy_format, tmp_path):
    result = toy()
    assert result.to("toy") == result.to_toy() == toy_format(result) == "3 rows"
    assert result.to_toy.__doc__ == "Count the rows."
    result.save(tmp_path / "found.toy")
    assert (tmp_path / "found.toy").read_text() == "3 rows\n"


ON_COMMAND_LINE = """
from metameasure.results import output_format

@output_format("toy", ".toy")
def to_toy(result):
    return f"{len(result.rows)} rows"

from metameasure.cli import main
main()
"""


def test_an_added_format_works_on_the_command_line(tmp_path):
    (tmp_path / "data.csv").write_text("y,s\n1,0.9\n0,0.1\n1,0.4\n0,0.6\n")
    program = tmp_path / "program.py"
    program.write_text(ON_COMMAND_LINE)
    call = [sys.executable, str(program), "evaluate", "data.csv", "--measures", "auc,ks", "--no-ci"]
    printed = subprocess.run(  # noqa: S603 - our own program
        [*call, "--format", "toy"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert printed.stdout == "2 rows\n"
    subprocess.run([*call, "-o", "found.toy"], cwd=tmp_path, check=True)  # noqa: S603
    assert (tmp_path / "found.toy").read_text() == "2 rows\n"


SURROGATE = "a\ud800b"


@pytest.fixture
def with_surrogates():
    labels, scores = [1, 0] * 4, [0.1 * place for place in range(8)]
    models = {SURROGATE: scores, "other": scores}
    return mm.evaluate(labels, models, "auc", group=[SURROGATE] * 8, ci=None)


@pytest.mark.parametrize("name", FORMATS)
def test_a_surrogate_in_a_name_is_escaped_in_files(with_surrogates, name, tmp_path):
    with_surrogates.save(tmp_path / "found", name)
    assert "d800b" in (tmp_path / "found").read_text(encoding="utf-8")


def test_a_surrogate_in_a_name_is_escaped_in_frames_and_json(with_surrogates):
    escaped = "a\\ud800b"
    assert with_surrogates.frame()["model"].to_list()[0] == escaped
    assert with_surrogates.to_pandas()["model"].tolist()[0] == escaped
    found = json.loads(with_surrogates.to_json())
    assert found["rows"][0]["model"] == escaped
    assert any(escaped in check["message"] for check in found["checks"])


def test_a_spreadsheet_takes_no_name_as_a_formula():
    labels, scores = [1, 0, 1, 0], [0.9, 0.5, 0.6, 0.1]
    formulas = ["=1+1", "+a", "-a", "@SUM(A1)", "\tx", "\rx", "＝1", "＋1", "－1", "＠a"]
    kept = ["-1", "+1.5e3", "-.5", "a=b", "'a", "a"]
    models = dict.fromkeys([*formulas, *kept], scores)
    result = mm.evaluate(labels, models, "mcc@0.55", ci=None, mute="MM08")
    rows = list(csv.DictReader(io.StringIO(result.to("spreadsheet"), newline="")))
    assert [row["model"] for row in rows] == [*(f"'{name}" for name in formulas), *kept]
    assert {row["value"] for row in rows} == {"1.0"}
    worse = mm.evaluate(labels, {"=a": [-score for score in scores]}, "mcc@-0.55", ci=None)
    (row,) = csv.DictReader(io.StringIO(worse.to_spreadsheet()))
    assert (row["model"], float(row["value"])) == ("'=a", -1)
    assert "\n=a," in worse.to_csv()
