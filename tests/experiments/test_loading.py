"""Where data sets come from: files that must match, scikit-learn, and OpenML behind a stub."""

from __future__ import annotations

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.error import URLError
from urllib.parse import urlparse
from urllib.request import Request, urlopen

import numpy as np
import pytest

from metameasure import experiments
from metameasure.errors import DataError, ParameterError
from metameasure.experiments import catalog as listed
from metameasure.experiments.dataset import Attribute

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE = "size,color,class\n1.5,red,a\n,blue,b\n2,,b\n"


@pytest.fixture
def entry(monkeypatch: pytest.MonkeyPatch) -> listed.Entry:
    """A small data set in the catalog, with a missing number and a missing level."""
    made = listed.Entry(
        name="small",
        title="Small",
        rows=3,
        sha256=hashlib.sha256(FILE.encode()).hexdigest(),
        attributes=(Attribute("size"), Attribute("color", ("blue", "red"))),
        classes={"b": 2, "a": 1},
        missing={"size": 1, "color": 1},
        papers={"wu2005": listed.PaperData("Small", rows=4, majority=75.0)},
        openml="small-set",
    )
    entries = {**listed.catalog(), "small": made}
    monkeypatch.setattr("metameasure.experiments.loading.catalog", lambda: entries)
    return made


def test_a_file_that_matches_is_read(entry: listed.Entry, tmp_path: Path) -> None:
    (tmp_path / "small.csv").write_text(FILE)
    data = experiments.load("small", data=tmp_path)
    assert data.nominal == (0, 2)
    assert np.array_equal(data.values, [[1.5, 1], [np.nan, 0], [2, np.nan]], equal_nan=True)
    assert data.target.tolist() == [1, 0, 0]
    assert data.frame().rows() == [(1.5, "red", "a"), (None, "blue", "b"), (2.0, None, "b")]
    assert data.encoded().tolist() == [[1.5, 0, 1], [1.75, 1, 0], [2, 0, 0]]
    assert entry.paper_notes("wu2005", data) == [
        "the paper has 4 rows, this data 3",
        "the paper's largest class has 75.00%, this data 66.67%",
    ]


def test_a_paper_without_counts_has_no_notes(entry: listed.Entry, tmp_path: Path) -> None:
    (tmp_path / "small.csv").write_text(FILE)
    assert entry.paper_notes("wu2007", experiments.load("small", data=tmp_path)) == []


@pytest.mark.usefixtures("entry")
def test_the_environment_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "small.csv").write_text(FILE)
    monkeypatch.setenv("METAMEASURE_DATA", str(tmp_path))
    assert len(experiments.load("small")) == 3


@pytest.mark.usefixtures("entry")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (FILE + "3,red,a\n", "rows: expected 3, found 4"),
        (FILE.replace(",blue", "7,blue"), "missing values: expected 2, found 1"),
        (FILE.replace("red,a", "red,b"), "class sizes: expected [1, 2], found [0, 3]"),
        (FILE.replace("1.5", "1.6"), "the order of rows, single values or the notation"),
        (
            "size,color,class\n,blue,b\n1.5,red,a\n2,,b\n",
            "the order of rows, single values or the notation",
        ),
        (FILE.replace("size", "weight"), "must have the columns"),
        (FILE.replace("red", "green"), "column color, row 1 must be one of"),
        (FILE.replace("1.5", "big"), "column size, row 1 must be a number"),
        ("", "cannot be read"),
    ],
)
def test_another_file_is_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "small.csv").write_text(text)
    with pytest.raises(DataError) as raised:
        experiments.load("small", data=tmp_path)
    assert message in str(raised.value)


def test_a_missing_file_says_where_it_was_sought(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"adult.csv is not in .*METAMEASURE_DATA"):
        experiments.load("adult", data=tmp_path, download=False)
    with pytest.raises(ParameterError, match="there is no data set 'adul'"):
        experiments.load("adul")
    with pytest.raises(ParameterError, match=r"^data must be an existing folder, got '") as raised:
        experiments.load("adult", data=tmp_path / "none", download=False)
    assert raised.value.argument == "data"


def test_iris_and_wine_come_from_scikit_learn(tmp_path: Path) -> None:
    iris = experiments.load("iris", data=tmp_path, download=False)
    assert iris.origin == "scikit-learn"
    assert "two rows" in iris.notes[0]
    wine = experiments.load("wine", data=tmp_path, download=False)
    assert wine.counts == {"2": 71, "1": 59, "3": 48}


def test_rules_need_no_file(tmp_path: Path) -> None:
    for name in ("balance", "tic-tac-toe", "monks-2", "ringnorm", "led"):
        assert experiments.load(name, data=tmp_path, download=False).origin == "generated"


def test_the_catalog_agrees_with_the_rules() -> None:
    for name in ("balance", "tic-tac-toe"):
        entry, data = listed.catalog()[name], experiments.load(name)
        assert entry.differences(data) == []
        assert {each.name for each in entry.attributes} == {each.name for each in data.attributes}
        assert entry.classes == data.counts


@pytest.fixture
def openml(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[dict[str, bytes]]:
    """A server on this machine that answers as OpenML does; the answers, by path."""
    answers: dict[str, bytes] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = answers.get(self.path.rstrip("/"))
            self.send_response(404 if found is None else 200)
            self.end_headers()
            self.wfile.write(found or b"")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def local(request: Request, *rest: Any, **options: Any) -> Any:
        address = urlparse(request.full_url)
        here = f"http://127.0.0.1:{server.server_port}{address.path}"
        return urlopen(here, *rest, **options)  # noqa: S310

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", local)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "cache"))
    yield answers
    server.shutdown()
    server.server_close()


def _serve(answers: dict[str, bytes], rows: str) -> None:
    arff = (
        "@RELATION small\n@ATTRIBUTE size NUMERIC\n@ATTRIBUTE color {blue,red}\n"
        f"@ATTRIBUTE class {{a,b}}\n@DATA\n{rows}"
    ).encode()
    features = [
        {"index": str(i), "name": name, "data_type": kind,
         "is_target": str(name == "class").lower(),
         "is_ignore": "false", "is_row_identifier": "false", "number_of_missing_values": "0"}
        for i, (name, kind) in enumerate(
            [("size", "numeric"), ("color", "nominal"), ("class", "nominal")]
        )
    ]  # fmt: skip
    about = {"id": "9", "name": "small-set", "version": "1", "status": "active", "format": "ARFF",
             "file_id": "5", "url": "https://www.openml.org/data/v1/download/5/small.arff",
             "md5_checksum": hashlib.md5(arff).hexdigest(),  # noqa: S324
             "default_target_attribute": "class", "description": ""}  # fmt: skip
    answers.update(
        {
            "/api/v1/json/data/list/data_name/small-set/limit/2/data_version/1": json.dumps(
                {"data": {"dataset": [{"did": 9, "name": "small-set", "version": 1,
                                       "status": "active"}]}}
            ).encode(),
            "/api/v1/json/data/9": json.dumps({"data_set_description": about}).encode(),
            "/api/v1/json/data/features/9": json.dumps(
                {"data_features": {"feature": features}}
            ).encode(),
            "/api/v1/json/data/qualities/9": json.dumps(
                {"data_qualities": {"quality": [{"name": "NumberOfInstances", "value": "3"}]}}
            ).encode(),
            "/data/v1/download/5/small.arff": arff,
        }
    )  # fmt: skip


@pytest.mark.usefixtures("entry")
def test_openml_is_asked_last_and_only_once(openml: dict[str, bytes], tmp_path: Path) -> None:
    _serve(openml, "1.5,red,a\n?,blue,b\n2,?,b\n")
    data = experiments.load("small", data=tmp_path)
    assert data.origin == "OpenML"
    assert np.array_equal(data.values, [[1.5, 1], [np.nan, 0], [2, np.nan]], equal_nan=True)
    assert data.classes == ("a", "b")
    assert data.target.tolist() == [0, 1, 1]
    openml.clear()
    assert len(experiments.load("small", data=tmp_path)) == 3  # from scikit-learn's cache


@pytest.mark.usefixtures("entry")
def test_other_data_from_openml_are_refused(openml: dict[str, bytes]) -> None:
    _serve(openml, "1.5,red,a\n3,blue,b\n2,red,b\n")
    with pytest.raises(DataError, match="missing values: expected 2, found 0"):
        experiments.load("small")


@pytest.mark.usefixtures("entry")
def test_without_a_network_the_error_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def unreachable(*_: object, **__: object) -> None:
        raise URLError("no network")

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", unreachable)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "cache"))
    with pytest.raises(DataError, match=r"OpenML cannot be reached: .*no network"):
        experiments.load("small")
    assert experiments.load("monks-1", data=tmp_path).origin == "generated"
