"""Random command lines: the commands and options are those of the program itself."""

import io
import json
import sys
import warnings
from pathlib import Path
from typing import NamedTuple, get_args

import numpy as np
from hypothesis import strategies as st

from bad_calls.values import FRAME, TOKENS
from cli.test_help import COMMANDS
from cli.test_wrong_values import CALLS
from metameasure.cli import main

DATA = ("d.csv", "--label", "y", "--score", "a,b")
EXIT_CODES = {0, 1, 2, 3, 4, 130}
COLUMNS = ["y", "a", "b", "w", "g", "c", "f", "k", "a,b", "nosuch", "1", "=a"]
WORDS = [
    "",
    " ",
    "x",
    "-",
    "--",
    "-1",
    "auc",
    "ks",
    "nan",
    "None",
    "'",
    '"',
    '""',
    ",",
    "a,,b",
    "*",
]
WORDS += [
    "[",
    "{}",
    "%s",
    "\\",
    "../..",
    "é",
    "🙂",
    "\u202e",
    "\x1b[31m",
    "\n",
    "\udc80",
    "x" * 500,
]
WORDS += [
    "default",
    "all",
    "auc, brier",
    "f_measure(beta=2)",
    "accuracy@top=10%",
    "f_measure(beta=",
]
NUMBERS = [
    "0",
    "1",
    "2",
    "10",
    "-1",
    "0.5",
    "0.9",
    "0.95",
    "2.5",
    "1e-9",
    "nan",
    "inf",
    "-inf",
    "1_0",
]
NUMBERS += ["0x10", "1,2", "0.1,0.2", "1e3", "٣", "+1", ".5", "5.", "1e-400"]
LARGE = ["1000000", "9223372036854775808", "-1e308", "1e400", "9" * 400]
FILES = ["d.csv", "d.parquet", "d.jsonl", "d.arrow", "d.tsv", "empty.csv", "header.csv", "one.csv"]
FILES += [
    "missing.csv",
    "text.csv",
    "utf16.csv",
    "junk.bin",
    "zeros.csv",
    "cut.parquet",
    "cut.arrow",
]
FILES += [
    "ragged.csv",
    "twice.csv",
    "quote.csv",
    "bom.csv",
    "huge.csv",
    "negative.csv",
    "list.jsonl",
]
FILES += [
    "broken.jsonl",
    "nested.jsonl",
    "one_class.csv",
    "three.csv",
    "folder",
    "nosuch.csv",
    "*.csv",
]
FILES += ["no[.csv", "-", "", "folder/*.csv", "latin.csv", "spaces.csv", "control.csv"]
OUTPUTS = [
    "o.json",
    "o.csv",
    "o.html",
    "o.md",
    "o.tex",
    "o.xml",
    "o.txt",
    "o.zz",
    "o",
    "o.svg",
    "o.png",
]
OUTPUTS += ["folder", "nosuch/o.json", "folder/o.svg", "d.csv/o.json", "", ".", "é.json", "x" * 300]
WORK = ("--resamples", "--repeats", "--lists", "--permutations", "--positives", "--negatives")
WORK += ("--size", "--folds", "--candidates", "--per-class", "--classes", "--workers", "--remove")
SMALL = {"--workers": "1", "--resamples": "10", "--repeats": "10", "--permutations": "39"}
"""Options that determine how long a command takes, and values with which it is short."""
ONE_PROCESS = ["1", "0", "-1", "1.5", "x", "", "nan"]
"""Numbers of workers that start no process."""
LONG = {"--kind", "--download"}
"""Options that alone start a reproduction of all items, or a download."""


RIGHT = {
    **CALLS,
    "lab correlation": (*DATA[:-1], "a,b,w"),
    "plot map": (*DATA[:-1], "a,b,w"),
    "lab select": ("d.csv", "--label", "y", "--learners", "tree,naive_bayes", "--repeats", "2"),
}
"""A right call of each command, where it differs from that of the others."""


class Ended(NamedTuple):
    """How a run of the program ended, and what it wrote."""

    code: object
    out: str
    err: str


def write_files(folder):
    """Write files that are right and files that are not."""
    text = FRAME.write_csv()
    lines = text.splitlines()
    FRAME.write_parquet(folder / "d.parquet")
    FRAME.write_ipc(folder / "d.arrow")
    FRAME.write_ndjson(folder / "d.jsonl")
    FRAME.write_csv(folder / "d.tsv", separator="\t")
    (folder / "folder").mkdir()
    contents = {
        "d.csv": text,
        "empty.csv": "",
        "header.csv": lines[0] + "\n",
        "one.csv": "\n".join(lines[:2]),
        "missing.csv": text.replace("0.", ",0.", 1).replace("u", ""),
        "text.csv": text.replace("0.", "zero"),
        "ragged.csv": "\n".join([*lines[:5], lines[5] + ",1,2,3", *lines[6:]]),
        "twice.csv": "y,a,a\n" + "1,0.5,0.2\n0,0.1,0.3\n" * 9,
        "quote.csv": 'y,a\n1,"0.5\n0,0.1\n',
        "huge.csv": "y,a,b\n" + "1,1e400,9" * 3 + "9" * 400 + "\n0,-1e400,0\n",
        "negative.csv": "y,a,b,w\n" + "1,0.5,0.2,-1\n0,0.1,0.3,0\n" * 9,
        "list.jsonl": "[1, 2]\n[3, 4]\n",
        "broken.jsonl": '{"y": 1, "a": 0.5}\n{"y": 0, "a"\n',
        "nested.jsonl": '{"y": 1, "a": {"b": [0.5]}}\n' * 4,
        "one_class.csv": "y,a,b\n" + "1,0.5,0.2\n1,0.1,0.3\n" * 9,
        "three.csv": "y,a,b,c\n" + "p,0.5,0.2,0.3\nq,0.1,0.3,0.6\nr,0.2,0.3,0.5\n" * 8,
        "spaces.csv": "y , a,  \n1, 0.5 , \n0 ,0.1,\n",
        "control.csv": "y,\x1b[31m,\u202eb\n1,0.5,0.1\n0,0.1,0.2\n",
    }
    for name, content in contents.items():
        (folder / name).write_text(content, encoding="utf-8")
    (folder / "utf16.csv").write_text(text, encoding="utf-16")
    (folder / "bom.csv").write_text(text, encoding="utf-8-sig")
    (folder / "latin.csv").write_text(text.replace("u", "é"), encoding="latin-1")
    (folder / "zeros.csv").write_bytes(b"\0" * 100)
    (folder / "junk.bin").write_bytes(np.random.default_rng(0).bytes(300))
    for name in ("parquet", "arrow"):
        (folder / f"cut.{name}").write_bytes((folder / f"d.{name}").read_bytes()[:-40])
    (folder / "folder" / "d.csv").write_text(json.dumps(text), encoding="utf-8")


@st.composite
def command_lines(draw, words):
    """The words of a call; most are right, so that the wrong ones get as far as possible."""
    options = [one for one in COMMANDS[words].assemble_argument_collection() if one.show]
    named = {one.name: one for one in options if one.name.startswith("-")}
    line = list(RIGHT.get(" ".join(words), DATA))
    line += ["-o", draw(st.sampled_from(["o.svg", "o.png", "o.pdf"]))] * (words[0] == "plot")
    for name, value in SMALL.items():
        if name in named and name not in line and "None" not in str(named[name].hint):
            line += [name, value]
    line += ["--workers", "1"] if "--workers" in named else []
    if words != ("reproduce",) and line and draw(st.integers(0, 2)) == 0:
        files = [place for place, word in enumerate(line) if word == "d.csv"]
        for place in files:
            line[place] = draw(st.sampled_from(FILES))
    for _ in range(draw(st.sampled_from([1, 1, 1, 0, 2, 3]))):
        option = draw(st.sampled_from(options))
        if not option.name.startswith("-"):
            line[:1] = [draw(_values(option))]
            continue
        for name in {*option.names} & {*line}:
            place = line.index(name)
            del line[place : place + 2]
        line += draw(_given(option))
    if draw(st.integers(0, 9)) == 0:
        line.insert(draw(st.integers(0, len(line))), draw(st.sampled_from(WORDS)))
    return [*words, *line]


def _given(option):
    """The words of an option with a value, alone, or negated."""
    names = [name for name in option.names if name not in option.negatives]
    if option.name in LONG:
        return st.sampled_from(names).map(lambda name: [f"{name}=zz"])
    forms = []
    if option.hint is not bool:
        values = _values(option)
        forms += [st.builds(lambda n, v: [f"{n}={v}"], st.sampled_from(names), values)]
        forms += [st.builds(lambda n, v: [n, v], st.sampled_from(names), values)] * 2
    forms += [st.sampled_from([*names, *option.negatives]).map(lambda name: [name])]
    return st.one_of(forms)


def _values(option):
    kinds = str(option.hint)
    if option.name in {"--output", "--save", "--out", "--data"}:
        pools = [OUTPUTS, OUTPUTS, WORDS]
    elif option.name == "--workers":
        pools = [ONE_PROCESS]
    elif option.name in {"FILE", "--file"}:
        pools = [FILES, FILES, WORDS]
    elif option.parameter.choices or "Literal" in kinds:
        words = option.parameter.choices or [w for w in get_args(option.hint) if w]
        pools = [[str(word) for word in words], WORDS, NUMBERS]
    elif "int" in kinds or "float" in kinds:
        pools = [NUMBERS, NUMBERS, WORDS, *([LARGE] if option.name not in WORK else [])]
        pools = [[n for n in pool if n != "1e3"] for pool in pools]
    else:
        pools = [COLUMNS, COLUMNS, WORDS, NUMBERS]
    if pools == [ONE_PROCESS]:
        return st.sampled_from(ONE_PROCESS)
    texts = st.lists(st.sampled_from(TOKENS), max_size=5).map("".join)
    free = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=5)
    return st.one_of(*map(st.sampled_from, pools), texts, free)


def run(line):
    """Run the program in this process; warnings are errors."""
    before = sys.argv, sys.stdin, sys.stdout, sys.stderr
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    sys.argv = ["metameasure", *line]
    sys.stdin = io.TextIOWrapper(io.BytesIO(b""))
    sys.stdout, sys.stderr = out, err
    code = 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            main()
    except SystemExit as ended:
        code = ended.code or 0
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = before
    for stream in (out, err):
        stream.flush()
    return Ended(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))


def check(ended):
    """What holds after any run."""
    assert ended.code in EXIT_CODES, ended
    assert "Traceback" not in ended.out + ended.err, ended
    last = (ended.err.splitlines() or [""])[-1]
    if ended.code in {1, 2} and not ended.out:
        assert last.startswith("error: "), ended
    if ended.code == 0:
        assert not last.startswith("error: "), ended
    assert not list(Path().glob(".metameasure*"))
